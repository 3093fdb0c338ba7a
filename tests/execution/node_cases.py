"""ONNX's own node test cases, executed in their plans, with their inputs; operands that shapes depend on are
made constants, as far as tests/operators/nodes.py does.

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

from arena import Corruption, Mismatch
from execute import Model, Tally, report
from graphs import Unsupported
from nodes import with_constants

MODES = (("-O3",), ("-O3", "--io=arena", "--reuse-inputs", "--align=1"))


def feeds_of(case, model):
    """name -> array of what is still an input; None when something is no tensor."""
    given = dict(zip([i.name for i in case.model.graph.input], case.data_sets[0][0]))
    feeds = {i.name: given.get(i.name) for i in model.graph.input}
    for name, value in feeds.items():
        if isinstance(value, onnx.TensorProto):
            feeds[name] = value = onnx.numpy_helper.to_array(value)
        if not isinstance(value, np.ndarray) and not np.isscalar(value):
            return None
        feeds[name] = np.asarray(value)
    return feeds


def main():
    np.seterr(all="ignore")
    tenure, work = sys.argv[1:3]
    os.makedirs(work, exist_ok=True)
    tally = Tally()
    for case in collect_testcases(None):
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
            for mode in MODES:
                tally.add(tried.execute_plan(tried.plan(mode)))
            tally.models += 1
            tally.add_kernels(case.name, tried.kernels)
        except Unsupported as error:
            tally.not_run.append((case.name, str(error)))
        except (Corruption, Mismatch) as error:
            tally.corrupt.append(f"{case.name}: {error}")
    report(tally)
    return 1 if tally.corrupt or tally.plans < 1000 else 0


if __name__ == "__main__":
    sys.exit(main())
