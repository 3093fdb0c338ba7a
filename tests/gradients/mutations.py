"""Whether the numeric checks of ops.py notice mistakes: what autodiff writes is changed as a builder with a mistake would
write it (a sign, a term left out, another axis, a sum over a broadcast axis that is a mean, a stale value read, operands
exchanged, a condition turned round, another factor), and each change must be noticed by the same comparison. A change that is
not noticed and changes no gradient at other operands either is none: it is counted apart.

usage: mutations.py TENURE [--all] [--only PATTERN] [--verbose]

Without --all few cases are drawn, and few changes of each.
"""

import argparse
import collections

import fnmatch
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import ops  # which says where the others' modules are

import cases
import onnx
from differentiate import differentiate
from evaluate import Evaluator
from onnx import helper, numpy_helper

np = ops.np
FEW, OF_EACH = 45, 6  # cases drawn, and changes of a case
MOST = 16  # changes of a case with --all
OTHERS = 3  # times that a change which was not noticed is looked at with other operands
TURNED = {"Greater": "Less", "Less": "Greater", "GreaterOrEqual": "Less", "LessOrEqual": "Greater", "ReduceSum": "ReduceMean",
          "Add": "Sub", "Neg": "Identity", "Mul": "Div"}
EXCHANGED = ("Sub", "Div", "MatMul", "Where", "Pow")


def nested(nodes):
    """The nodes and those of their bodies, in one order."""
    for node in nodes:
        yield node
        for attribute in node.attribute:
            yield from nested(attribute.g.node)


def added(model, forward):
    """Nodes that the forward model lacks, with all in their bodies."""
    known = {o for n in forward.graph.node for o in n.output if o}
    return list(nested(n for n in model.graph.node if not known & set(n.output)))


def kinds_of(model):
    """Names of values by (element type, extents)."""
    inferred = onnx.shape_inference.infer_shapes(model)
    found = {t.name: (t.data_type, tuple(t.dims)) for t in inferred.graph.initializer}
    for info in [*inferred.graph.input, *inferred.graph.value_info, *inferred.graph.output]:
        t = info.type.tensor_type
        found[info.name] = (t.elem_type, tuple(d.dim_value for d in t.shape.dim))
    return found


def identity(node, operand):
    node.op_type, kept = "Identity", node.input[operand]
    del node.input[:], node.attribute[:]
    node.input.append(kept)


def drop_term(node, operand):
    return lambda n: identity(n[node], operand)


def turn(node, kind):
    def change(n):
        n[node].op_type = kind
    return change


def exchange(node):
    def change(n):
        i = list(n[node].input)
        i[-2:] = i[:-3:-1]
        n[node].input[:] = i
    return change


def replace(node, operand, name):
    def change(n):
        n[node].input[operand] = name
    return change


def negate(node, domain=""):
    """The result with another sign, by a node in front of all that read it."""
    def change(n, nodes):
        result = n[node].output[0]
        n[node].output[0] = f"{result}_before"
        at = list(nodes).index(n[node])
        nodes.insert(at + 1, helper.make_node("Neg", [f"{result}_before"], [result]))
    change.inserts = True
    return change


def attribute(node, name, value):
    def change(n):
        for a in n[node].attribute:
            if a.name == name:
                a.CopyFrom(helper.make_attribute(name, value))
    return change


def changes_of(model, forward):
    """[(text, change of the nodes added)]."""
    kinds, constants = kinds_of(model), {t.name: numpy_helper.to_array(t) for t in model.graph.initializer}
    made = []
    main = {id(n) for n in model.graph.node}
    for k, node in enumerate(added(model, forward)):
        what = f"{node.op_type} '{node.output[0]}'"
        if node.op_type in TURNED:
            made.append((f"{what} becomes {TURNED[node.op_type]}", turn(k, TURNED[node.op_type])))
        if node.op_type == "Add":
            made += [(f"{what} loses a term", drop_term(k, o)) for o in (1, 0)]
        if node.op_type in EXCHANGED:
            made.append((f"{what} with operands exchanged", exchange(k)))
        kind = kinds.get(node.output[0], (0, ()))
        if kind[0] == onnx.TensorProto.DOUBLE and id(node) in main:
            made.append((f"{what} with another sign", negate(k)))
        for a in node.attribute:
            if a.name == "axis":
                made.append((f"{what} along another axis", attribute(k, "axis", a.i - 1 if a.i else 1)))
            if a.name == "perm" and len(a.ints) > 1:
                made.append((f"{what} the other way", attribute(k, "perm", list(np.roll(a.ints, 1)))))
        for o, name in enumerate(node.input):
            made += other_values(k, o, name, what, kinds, constants)
    return made


def other_values(k, operand, name, what, kinds, constants):
    """A stale value of the same kind; for a constant another one."""
    kind = kinds.get(name)
    if kind is None or kind[0] != onnx.TensorProto.DOUBLE or (name in constants and constants[name].ndim == 0):
        return []
    stale = [n for n, other in kinds.items() if other == kind and n != name and not n.endswith("_grad") and "_Grad/" not in n]
    return [(f"{what} reads '{n}' in place of '{name}'", replace(k, operand, n)) for n in stale[-1:]]


def changed(model, forward, change):
    made = onnx.ModelProto()
    made.CopyFrom(model)
    nodes = added(made, forward)
    if getattr(change, "inserts", False):
        change(nodes, made.graph.node)
    else:
        change(nodes)
    return made


class Check:
    """What ops.py compares of one case."""

    def __init__(self, tenure, case, opset):
        self.case = case
        self.forward, self.feeds, self.loss, self.wrt = cases.model_of(case, opset)
        self.both = differentiate(tenure, self.forward, self.loss, self.wrt, case.options)
        evaluate, rng = Evaluator(self.forward), cases.rng_of(f"{case}{opset}")
        self.before = evaluate(self.feeds)[self.loss]
        self.found = {n: cases.differences(evaluate, self.feeds, n, self.loss, rng) for n in self.wrt}

    def passes(self, model):
        """Whether the numbers agree with central differences."""
        try:
            got = Evaluator(model)(self.feeds)
        except Exception:  # the mistake makes no model
            return False
        if not np.isclose(got[self.loss], self.before, rtol=1e-12, atol=1e-12):
            return False
        return all(got[f"{n}_grad"].shape == self.feeds[n].shape and
                   cases.largest_error(got[f"{n}_grad"], slopes) <= self.case.tolerance for n, slopes in self.found.items())

    def is_none(self, model):
        """Whether no gradient is another one at other operands."""
        rng = cases.rng_of("others")
        whole, other = Evaluator(self.both), Evaluator(model)
        for _ in range(OTHERS):
            feeds = {n: x * rng.uniform(0.7, 1.3, x.shape) if x.dtype.kind == "f" else x for n, x in self.feeds.items()}
            want, got = whole(feeds), other(feeds)
            if not all(np.allclose(want[k], got[k], rtol=1e-6, atol=1e-9, equal_nan=True) for k in want):
                return False
        return True


def try_case(tenure, case, opset, most, tally, verbose):
    check = Check(tenure, case, opset)
    if not check.passes(check.both):
        raise AssertionError("is wrong without a change")
    possible = changes_of(check.both, check.forward)
    rng = cases.rng_of(str(case))
    for k in sorted(rng.permutation(len(possible))[:most]):
        text, change = possible[k]
        model = changed(check.both, check.forward, change)
        noticed = not check.passes(model)
        none = not noticed and check.is_none(model)
        tally["noticed" if noticed else "none" if none else "missed"] += 1
        if verbose or not (noticed or none):
            print(f"{'noticed' if noticed else 'none' if none else 'WRONG: not noticed'}: {case}: {text}", flush=True)


def chosen(args):
    """One case of an operator each, or all; in the newest operator set they are made for."""
    every = [c for family in ops.FAMILIES for c in family.all_cases() if not c.refused and fnmatch.fnmatch(c.op, args.only)]
    if args.all or args.only != "*":
        return every
    order = cases.rng_of("mutations").permutation(len(every))
    first = {}
    for k in order:
        first.setdefault((every[k].domain, every[k].op), every[k])
    return list(first.values())[:FEW]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tenure")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only", default="*")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    np.seterr(all="ignore")
    tally, picked = collections.Counter(), chosen(args)
    for case in picked:
        try:
            try_case(args.tenure, case, max(case.opsets or (ops.NEWEST,)), MOST if args.all else OF_EACH, tally, args.verbose)
        except Exception as error:
            tally["missed"] += 1
            print(f"WRONG: {case}: {type(error).__name__}: {str(error)[-300:]}", flush=True)
    print(f"{len(picked)} cases: {tally['noticed']} mistakes noticed, {tally['none']} that change no number, {tally['missed']} not noticed")
    return 1 if tally["missed"] or not tally["noticed"] else 0


if __name__ == "__main__":
    sys.exit(main())
