"""Gradients of single operators, as the command writes them, against central differences in double precision; the same
models in single precision by ONNX Runtime, and planned. Every row of the op table that has a gradient must have cases.

usage: ops.py TENURE [--only PATTERN] [--verbose]
"""

import argparse
import collections
import fnmatch
import json
import re
import sys

from gradient_paths import np  # ends with 77 where packages are missing

import cases
import cases_attention
import cases_elementwise
import cases_flow
import cases_loss
import cases_matmul
import cases_move
import cases_norm
import cases_recurrent
import cases_reduce
import cases_ms
import cases_zero
import cases_window
import onnx
import runtime
from differentiate import Refused, differentiate, plan, run
from evaluate import Evaluator

FAMILIES = [cases_elementwise, cases_matmul, cases_reduce, cases_move, cases_window, cases_norm, cases_loss, cases_zero, cases_ms, cases_recurrent, cases_flow, cases_attention]
SINGLE = 2e-3  # of gradients in single precision, relative to the largest element or 1
NEWEST = onnx.defs.onnx_opset_version()
NEWEST_RUNTIME = 24  # opset that ONNX Runtime takes without a doubt


def rows(tenure):
    """(domain, name) of the rows with a gradient."""
    listed = run(tenure, "--list-ops=json").stdout.decode()
    return {(r["domain"], r["name"]) for r in map(json.loads, listed.splitlines()) if r["grad"]}


def try_case(tenure, case, opset, tally):
    """The largest relative error; raises what goes wrong."""
    model, feeds, loss, wrt = cases.model_of(case, opset)
    expected = case.refused.get(opset, case.refused.get(0))
    if expected is not None:
        return try_refusal(tenure, case, model, loss, wrt, expected, tally)
    both = differentiate(tenure, model, loss, wrt, case.options)
    if case.checked:
        onnx.checker.check_model(both, full_check=True)
    plan(tenure, both, "-O3", "--emit=json", "-o", "-")
    forward, backward = Evaluator(model), Evaluator(both)
    got = backward(feeds)
    before = forward(feeds)[loss]  # layers that are expanded add up in another order
    if not np.isclose(got[loss], before, rtol=1e-12, atol=1e-12):
        raise AssertionError(f"the loss is {got[loss]}, was {before}")
    worst, rng = 0.0, cases.rng_of(f"{case}{opset}")
    for name in wrt:
        gradient = got[f"{name}_grad"]
        if gradient.shape != feeds[name].shape or gradient.dtype != feeds[name].dtype:
            raise AssertionError(f"{name}_grad is {gradient.dtype}{list(gradient.shape)}")
        found = cases.differences(forward, feeds, name, loss, rng)
        worst = max(worst, cases.largest_error(gradient, found))
        tally["slopes"] += len(found)
    if not worst <= case.tolerance:
        raise AssertionError(f"differs by {worst:.2g} from central differences")
    if case.single and opset <= NEWEST_RUNTIME or not case.opsets:
        in_single(tenure, case, min(opset, NEWEST_RUNTIME), got, tally)
    return worst


def try_refusal(tenure, case, model, loss, wrt, expected, tally):
    try:
        differentiate(tenure, model, loss, wrt, case.options)
    except Refused as error:
        if not re.search(expected, str(error)):
            raise AssertionError(f"is refused otherwise: {error}") from error
        tally["refused"] += 1
        return 0.0
    raise AssertionError("is not refused")


def by_runtime(model, feeds):
    options = runtime.onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    session = runtime.onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return dict(zip([o.name for o in session.get_outputs()], session.run(None, feeds)))


def in_single(tenure, case, opset, wanted, tally):
    if not case.single or not runtime.is_there():
        return
    model, feeds, loss, wrt = cases.model_of(case, opset, np.float32)
    both = differentiate(tenure, model, loss, wrt, case.options)
    try:
        got = by_runtime(both, feeds)
    except runtime.onnxruntime.capi.onnxruntime_pybind11_state.RuntimeException:
        raise
    except Exception as error:  # no kernel for an operator of this version
        tally["without kernels"] += 1
        tally.reasons.add(f"{case.op} {opset}: {str(error)[:160]}")
        return
    for name in wrt:
        want = wanted[f"{name}_grad"]
        error = np.abs(got[f"{name}_grad"] - want).max(initial=0) / max(1, np.abs(want).max(initial=0))
        if not error <= SINGLE:
            raise AssertionError(f"{name}_grad by ONNX Runtime differs by {error:.2g}")
    if case.domain:  # what stands for the op in double precision is our own
        forward = by_runtime(model, feeds)[loss]
        if not np.isclose(forward, wanted[loss], rtol=SINGLE, atol=SINGLE):
            raise AssertionError(f"the op is {forward} by ONNX Runtime, {wanted[loss]} here")
    tally["in single precision"] += 1


class Tally(collections.Counter):
    def __init__(self):
        super().__init__()
        self.reasons, self.wrong, self.worst = set(), [], {}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tenure")
    parser.add_argument("--only", default="*")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    tally, seen = Tally(), set()
    for case in (c for family in FAMILIES for c in family.all_cases()):
        if not fnmatch.fnmatch(case.op, args.only):
            continue
        seen.add((case.domain, case.op))
        for opset in case.opsets or (NEWEST,):
            try:
                error = try_case(args.tenure, case, opset, tally)
                tally["models"] += 1
                tally.worst[case.op] = max(error, tally.worst.get(case.op, 0.0))
            except Exception as error:  # whatever an evaluator or checker raises
                tally.wrong.append(f"{case}, opset {opset}: {type(error).__name__}: {str(error)[-400:]}")
            if args.verbose:
                print(f"{case}, opset {opset}", flush=True)
    missing = rows(args.tenure) - seen if args.only == "*" else set()
    tally.wrong += [f"{domain or 'ai.onnx'}.{name} has a gradient and no case" for domain, name in sorted(missing)]
    return report(tally, seen)


def report(tally, seen):
    for line in sorted(tally.reasons):
        print(f"not in single precision: {line}")
    for line in tally.wrong:
        print(f"WRONG: {line}")
    worst = max(tally.worst.items(), key=lambda pair: pair[1], default=("none", 0))
    print(f"{tally['models']} models of {len(seen)} operators, {tally['slopes']} slopes, the largest error "
          f"{worst[1]:.2g} ({worst[0]}); {tally['in single precision']} in single precision, "
          f"{tally['without kernels']} without kernels there; {tally['refused']} refused as they should; {len(tally.wrong)} wrong")
    return 1 if tally.wrong or not tally["models"] else 0


if __name__ == "__main__":
    sys.exit(main())
