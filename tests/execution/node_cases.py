"""ONNX's own node test cases, executed in their plans, with their inputs; operands that shapes depend on are
made constants, as far as tests/operators/nodes.py does. Most give what the case records; the others draw
numbers, decode pictures, or have strings that the reference evaluator shapes in its own way.

usage: node_cases.py TENURE WORK_DIR
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [
    HERE,
    os.path.join(os.path.dirname(HERE), "models"),
    os.path.join(os.path.dirname(HERE), "operators"),
]
from packages import np, onnx  # ends with 77 where the packages are missing

from onnx.backend.test.case.node import collect_testcases

import corpus
from arena import Corruption, Mismatch
from execute import Model, Tally, report
from graphs import Unsupported
from nodes import with_constants

LEAST_AGREEING = 1850
MODES = (
    ("-O3",),
    ("-O3", "--inplace=ordered", "--io=arena", "--reuse-inputs", "--align=1"),
    ("-O3", "--overlap=elements", "--inplace=none", "--io=arena", "--reuse-inputs", "--align=1"),  # what elements read, stopped in between
)


def modes_of(name, number):
    """A single node in all modes; an operator taken apart into others, which are nodes of other cases, in two."""
    return MODES[:1] + tuple(corpus.some(MODES[1:], number)) if "_expanded" in name else MODES


def feeds_of(case, model):
    """name -> value of what is still an input; None when something is neither tensor, list nor nothing."""
    given = dict(zip([i.name for i in case.model.graph.input], case.data_sets[0][0]))
    feeds = {}
    for info in model.graph.input:
        value = given.get(info.name)
        if isinstance(value, onnx.TensorProto):
            value = onnx.numpy_helper.to_array(value)
        if isinstance(value, list) and all(isinstance(v, np.ndarray) for v in value):
            feeds[info.name] = value
        elif value is None and info.type.HasField("optional_type"):
            feeds[info.name] = None
        elif isinstance(value, np.ndarray) or np.isscalar(value):
            feeds[info.name] = np.asarray(value)
        else:
            return None
    return feeds


def agrees(model, case):
    """Whether the run, body by body, gave the recorded outputs: says that the steps of a plan, run one after
    another, are the model."""
    return all(map(close, model.wanted.values(), case.data_sets[0][1]))


def close(got, recorded):
    if isinstance(recorded, list):
        return len(got) == len(recorded) and all(map(close, got, recorded))
    if isinstance(recorded, onnx.TensorProto):
        recorded = onnx.numpy_helper.to_array(recorded)
    if got is None or recorded is None:
        return got is recorded
    got, recorded = np.asarray(got), np.asarray(recorded)
    if got.shape != recorded.shape or got.dtype != recorded.dtype:
        return False
    if got.dtype.kind in "Oiub":
        return bool(np.all(got == recorded))
    if got.dtype.kind == "V":  # a floating type of few bits
        got, recorded = got.astype(np.float32), recorded.astype(np.float32)
    return np.allclose(got, recorded, 1e-2, 1e-3, equal_nan=True)


def main():
    np.seterr(all="ignore")
    tenure, work = sys.argv[1:3]
    os.makedirs(work, exist_ok=True)
    tally, agree = Tally(), 0
    for number, case in enumerate(collect_testcases(None)):
        if case.model is None or not case.data_sets:
            continue
        model = with_constants(case.model, case.data_sets[0][0])
        feeds = feeds_of(case, model)
        if feeds is None:
            tally.not_run.append((case.name, "an input is no tensor"))
            continue
        path = os.path.join(work, "case.onnx")
        onnx.save(model, path)
        try:
            tried = Model(tenure, path, [], False, feeds)
            for mode in modes_of(case.name, number):
                tally.add(tried.execute_plan(tried.plan(mode)))
            tally.models += 1
            tally.add_kernels(case.name, tried.kernels)
            agree += agrees(tried, case)
        except Unsupported as error:
            tally.not_run.append((case.name, str(error)))
        except (Corruption, Mismatch) as error:
            tally.corrupt.append(f"{case.name}: {error}")
    report(tally)
    print(f"{agree} of these runs give what the case records")
    return 1 if tally.corrupt or tally.plans < 1000 or agree < LEAST_AGREEING else 0


if __name__ == "__main__":
    sys.exit(main())
