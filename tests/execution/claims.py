"""The op table's claims of in-place results and views, executed.

For every claim a kernel is run with separate buffers and with aliased ones, and the bytes compared. The
kernel is naive: it asks the evaluator for all results given the buffers as they are now, writes one element
(or one row) of them over the operand, and asks again. A result that needs an element already overwritten
comes out wrong. Results of another element width (`width`) go over the operand in ascending order where they are
narrower, in descending order where they are wider, and come out wrong the other way. Cases are those of the onnx package's node tests, and the same with other shapes,
broadcasts and element types.

usage: claims.py TENURE [--verbose]
"""

import collections
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "operators")]

from packages import np  # ends with 77 where the packages are missing

from onnx import helper
from onnx.backend.test.case.node import collect_testcases

import claim_cases
import formulas
import runtime
from arena import SUB_BYTE
from kernels import FORMULA, RUNTIME, Kernels, attributes_of
from rows import inplace_claims, read_table

MOST_ELEMENTS = 64
LEAST_ROWS = 150  # that are executed
# What view_offsets.py executes.
BY_OFFSETS = {"Concat", "Gather", "Pad", "Slice", "Split", "SplitTraining", "ConcatTraining"}
MOST_CASES = 12  # of the node tests, for one row
SHAPES = [
    ((6,), (6,)),
    ((2, 3), (2, 3)),
    ((2, 3), (3,)),
    ((2, 3), (2, 1)),
    ((2, 1), (2, 3)),
    ((2, 3), ()),
    ((2, 1, 3), (2, 2, 1)),
    ((), ()),
]
TYPES = [np.float16, np.float64, np.int32, np.int64, np.uint8, np.int8]

# False on purpose: (op, what is claimed in place, what view); each must be found out.
FALSE = [
    ("Softmax", "0 over 0 (same)", ""),
    ("CumSum", "0 over 0 (same)", ""),
    ("CumSum", "0 over 0 (width)", ""),
    ("MatMul", "0 over 0 (same)", ""),
    ("LRN", "0 over 0 (same)", ""),
    ("ReverseSequence", "0 over 0 (update)", ""),
    ("Transpose", "0 over 0 (rows)", ""),
    ("CumSum", "0 over 0 (update)", ""),
    ("Transpose", "", "whole"),
    ("Relu", "", "whole"),
    ("Slice", "", "if equal"),
    ("Neg", "", "if equal"),
]


class NotSo(Exception):
    """A claim that does not hold."""


class Case:
    """One node with operands, and who evaluates it. `run` gives its results, None when that evaluator does
    not take these operands."""

    def __init__(self, node, inputs, opsets, kernels, who):
        self.node, self.inputs, self.opsets, self.kernels, self.who = node, inputs, opsets, kernels, who
        self.results = self.run(inputs)

    def with_inputs(self, inputs):
        return Case(self.node, inputs, self.opsets, self.kernels, self.who)

    def run(self, inputs):
        try:
            results = self.kernels.ask(self.who, self.node, inputs, self.opsets)
        except Exception:  # what the kernel does not take
            return None
        return None if results is None else [None if r is None else np.asarray(r) for r in results]

    def fits(self, result, operand, cond):
        """Whether the condition of the claim holds for these types."""
        if result >= len(self.results) or operand >= len(self.inputs):
            return False
        r, o = self.results[result], self.inputs[operand]
        if not isinstance(r, np.ndarray) or not isinstance(o, np.ndarray) or object in (r.dtype, o.dtype):
            return False
        if cond == "width":
            equal = r.dtype == o.dtype or not {r.dtype, o.dtype} & set(SUB_BYTE)
        else:
            equal = r.dtype.itemsize == o.dtype.itemsize if cond == "same" else r.dtype == o.dtype
        return equal and r.shape == o.shape and 0 < r.size <= MOST_ELEMENTS


# aliased runs


def aliased(case, pairs, order, together=()):
    """The results after writing, group by group, over the operands' bytes. `pairs`: (result, operand);
    `order`: groups, each a list of flat indices by pair; `together`: operands that are one buffer."""
    inputs = list(case.inputs)
    for _, operand in pairs:
        inputs[operand] = inputs[operand].copy()
    for operand in together:
        inputs[operand] = inputs[pairs[0][1]]
    raw = []
    for result, operand in pairs:
        bits = f"u{inputs[operand].dtype.itemsize}"
        view = inputs[operand].reshape(-1)
        raw.append(view.view(np.uint8).reshape(view.size, -1) if bits == "u16" else view.view(bits))
    for group in order:
        results = case.run(inputs)
        if results is None:
            raise NotSo(f"{case.node.op_type}: the kernel fails on overwritten operands")
        for (result, _), target, indices in zip(pairs, raw, group):
            flat = np.ascontiguousarray(results[result]).reshape(-1)
            source = (
                flat.view(np.uint8).reshape(flat.size, -1) if target.ndim == 2 else flat.view(target.dtype)
            )
            target[indices] = source[indices]
    return [inputs[operand].tobytes() for _, operand in pairs]


def through(case, result, operand, order, together=()):
    """The bytes of a result that is written element by element, in this order, over those of an operand with elements
    of another width."""
    inputs = list(case.inputs)
    given, wide = inputs[operand], case.results[result].dtype.itemsize
    memory = np.zeros(given.size * max(given.dtype.itemsize, wide), np.uint8)
    memory[: given.nbytes] = np.ascontiguousarray(given).reshape(-1).view(np.uint8)
    for i in order:
        now = memory[: given.nbytes].copy().view(given.dtype).reshape(given.shape)
        for k in (operand, *together):
            inputs[k] = now
        results = case.run(inputs)
        if results is None:
            raise NotSo(f"{case.node.op_type}: the kernel fails on overwritten operands")
        raw = np.ascontiguousarray(results[result]).reshape(-1).view(np.uint8)
        memory[i * wide : (i + 1) * wide] = raw[i * wide : (i + 1) * wide]
    return memory[: given.size * wide].tobytes()


def try_width(case, result, operand, twins, tally):
    given, got = case.inputs[operand], case.results[result]
    order = range(got.size) if got.dtype.itemsize < given.dtype.itemsize else range(got.size)[::-1]
    for together in ((), twins) if twins else ((),):
        separate = case.with_inputs([given if k in together else x for k, x in enumerate(case.inputs)])
        if separate.results is None:
            continue
        want = np.ascontiguousarray(separate.results[result]).tobytes()
        if through(separate, result, operand, order, together) != want:
            raise NotSo(f"{case.node.op_type}: {got.dtype} over {given.dtype} of {given.shape} differs")
        tally.runs += 1
        tally.other_way += through(separate, result, operand, order[::-1], together) != want


def expect_equal(case, pairs, order, what, together=()):
    separate = case
    if together:
        inputs = list(case.inputs)
        for operand in together:
            inputs[operand] = inputs[pairs[0][1]]
        separate = case.with_inputs(inputs)
        if separate.results is None:
            return
    got = aliased(separate, pairs, order, together)
    for (result, operand), raw in zip(pairs, got):
        if raw != np.ascontiguousarray(separate.results[result]).tobytes():
            shapes = [getattr(x, "shape", None) for x in case.inputs]
            raise NotSo(
                f"{case.node.op_type}: result {result} over operand {operand}, {what}, differs: {shapes}"
            )


def elements(size, n_pairs):
    return [[[i]] * n_pairs for i in range(size)]


# rows: which results depend on which operand elements


def dependences(case, pairs):
    """Slots (pair, element) joined into groups that depend on each other."""
    sizes = [case.results[result].size for result, _ in pairs]
    start = np.concatenate([[0], np.cumsum(sizes)])
    up = list(range(int(start[-1])))

    def find(i):
        while up[i] != i:
            up[i] = up[up[i]]
            i = up[i]
        return i

    for p, (_, operand) in enumerate(pairs):
        for j in range(sizes[p]):
            for change in (1, 3, 100):
                inputs = list(case.inputs)
                inputs[operand] = inputs[operand].copy()
                flat = inputs[operand].reshape(-1)
                flat[j] = (
                    not flat[j] if flat.dtype == np.bool_ else flat[j] + np.asarray(change).astype(flat.dtype)
                )
                results = case.run(inputs)
                if results is None:
                    continue
                for q, (result, _) in enumerate(pairs):
                    old, new = (x[result].reshape(-1) for x in (case.results, results))
                    for i in np.flatnonzero(~((old == new) | ((old != old) & (new != new)))):
                        up[find(int(start[q] + i))] = find(int(start[p] + j))
    groups = {}
    for slot in up:
        groups.setdefault(find(slot), [])
    for slot in range(len(up)):
        groups[find(slot)].append(slot)
    return list(groups.values()), start


def boxes(groups, start, shapes):
    """Groups joined until the boxes round them do not meet: rows a kernel can take one after another."""

    def box(group):
        found = {}
        for p, shape in enumerate(shapes):
            inside = [s - start[p] for s in group if start[p] <= s < start[p + 1]]
            if inside:
                at = np.stack(np.unravel_index(inside, shape)) if shape else np.zeros((0, 1), int)
                found[p] = (at.min(axis=1), at.max(axis=1))
        return found

    def meet(a, b):
        return any(p in b and np.all(a[p][0] <= b[p][1]) and np.all(b[p][0] <= a[p][1]) for p in a)

    groups = [(g, box(g)) for g in groups]
    joined = True
    while joined:
        joined = False
        for i in range(len(groups)):
            for j in range(i + 1, len(groups)):
                if meet(groups[i][1], groups[j][1]):
                    both = groups[i][0] + groups[j][0]
                    groups[i] = (both, box(both))
                    del groups[j]
                    joined = True
                    break
            if joined:
                break
    return [g for g, _ in groups]


def rows_of(case, pairs):
    groups, start = dependences(case, pairs)
    shapes = [case.results[result].shape for result, _ in pairs]
    groups = boxes(groups, start, shapes)
    return [
        [[s - start[p] for s in g if start[p] <= s < start[p + 1]] for p in range(len(pairs))] for g in groups
    ]


# claims


class Tally:
    def __init__(self):
        self.runs = self.views = 0
        self.rows_split = False
        self.other_way = 0  # results of another width that came out wrong in the other direction
        self.by = set()  # evaluators


def try_pair(case, result, operand, cond, others, tally):
    size = case.results[result].size
    pairs = [(result, operand)]
    if cond == "rows":
        groups = rows_of(case, pairs)
        tally.rows_split |= len(groups) > 1
        expect_equal(case, pairs, groups, "row by row")
        tally.runs += 1
        return
    a = case.inputs[operand]
    twins = [
        k
        for k in others
        if k != operand
        and k < len(case.inputs)
        and isinstance(case.inputs[k], np.ndarray)
        and case.inputs[k].shape == a.shape
        and case.inputs[k].dtype == a.dtype
    ]
    if cond == "width" and case.results[result].dtype.itemsize != a.dtype.itemsize:
        try_width(case, result, operand, twins, tally)
        return
    orders = {"ascending": elements(size, 1)}
    if cond in ("same", "width"):
        orders["descending"] = orders["ascending"][::-1]
    for what, order in orders.items():
        expect_equal(case, pairs, order, what)
        tally.runs += 1
        if twins and cond in ("same", "width"):
            expect_equal(case, pairs, order, f"{what}, one value twice", twins)
            tally.runs += 1


def try_jointly(case, claims, tally):
    """All results of an op over their operands at once, as a training step does."""
    pairs = []
    for result, operands, cond in claims:
        fitting = [k for k in operands if case.fits(result, k, cond) and k not in [o for _, o in pairs]]
        if fitting:
            pairs.append((result, fitting[0]))
    if len(pairs) < 2:
        return
    sizes = {case.results[r].size for r, _ in pairs}
    alike = len(sizes) == 1 and all(cond in ("same", "update") for _, _, cond in claims)
    order = elements(sizes.pop(), len(pairs)) if alike else rows_of(case, pairs)
    expect_equal(case, pairs, order, "all results at once")
    tally.runs += 1


def try_view(case, row, tally):
    """Kinds whose bytes are those of the operand, whatever the plan makes of them."""
    if row["view"] not in ("whole", "if equal", "permuted") or not case.inputs:
        return
    r, o = case.results[0], case.inputs[0]
    if not isinstance(o, np.ndarray) or not isinstance(r, np.ndarray) or r.dtype == object or r.size == 0:
        return
    if row["view"] == "if equal" and (r.shape != o.shape or r.dtype != o.dtype or dropping(case)):
        return
    if row["view"] == "permuted" and not only_ones_move(case, o):
        return
    tally.views += 1
    if np.ascontiguousarray(r).tobytes() != np.ascontiguousarray(o).tobytes():
        raise NotSo(f"{case.node.op_type} is no view ({row['view']}) of {o.shape}")


def dropping(case):
    """Dropout in training mode: the table's further condition."""
    training = (
        len(case.inputs) > 2
        and case.inputs[2] is not None
        and bool(np.asarray(case.inputs[2]).reshape(-1)[0])
    )
    return case.node.op_type == "Dropout" and (training or len([o for o in case.node.output if o]) > 1)


def only_ones_move(case, operand):
    attribute = attributes_of(case.node).get("perm", range(operand.ndim)[::-1])
    return [k for k in attribute if operand.shape[k] != 1] == [
        k for k in range(operand.ndim) if operand.shape[k] != 1
    ]


def try_case(case, row, tally):
    claims = inplace_claims(row, len(case.inputs))
    for result, operands, cond in claims:
        for operand in operands:
            if case.fits(result, operand, cond):
                try_pair(case, result, operand, cond, operands, tally)
    try_jointly(case, claims, tally)
    try_view(case, row, tally)


def variants(case, row):
    """The case with other shapes and element types, for ops that work element by element."""
    plain = all(isinstance(x, np.ndarray) and x.dtype.kind in "fiub" for x in case.inputs)
    if not re.search(r"\((same|width)\)", row["inplace"]) or not plain or not case.inputs:
        return
    for first, second in SHAPES:
        inputs = [
            np.resize(x, first if k == 0 else second).astype(x.dtype) if x.size > 1 or k == 0 else x
            for k, x in enumerate(case.inputs)
        ]
        yield inputs
    for dtype in TYPES:
        if all(x.dtype == case.inputs[0].dtype for x in case.inputs):
            yield [np.resize(x, (2, 3) if x.size > 1 else x.shape).astype(dtype) for x in case.inputs]


def collect(kernels):
    """(domain, op) -> cases of one node, from the package and from claim_cases.py."""
    found = {}
    for test in collect_testcases(None):
        if test.model is None or not test.data_sets or len(test.model.graph.node) != 1:
            continue
        node = test.model.graph.node[0]
        if "_expanded" in test.name or any(a.HasField("g") for a in node.attribute):
            continue
        opsets = {o.domain: o.version for o in test.model.opset_import}
        given = dict(zip([i.name for i in test.model.graph.input], test.data_sets[0][0]))
        inputs = [given.get(name) if name else None for name in node.input]
        found.setdefault((node.domain, node.op_type), []).append((node, inputs, opsets))
    for listed in found.values():
        listed.sort(key=lambda c: sum(getattr(x, "size", 0) for x in c[1]))
    for domain, op, inputs, attributes, n in claim_cases.CASES:
        inputs = [x if x is None else np.asarray(x) for x in inputs]
        names = [f"x{k}" if x is not None else "" for k, x in enumerate(inputs)]
        node = helper.make_node(op, names, [f"y{k}" for k in range(n)], domain=domain, **attributes)
        found.setdefault((domain, op), []).insert(
            0, (node, inputs, {"": 21, **({domain: 1} if domain else {})})
        )
    return found


def cases_of(node, inputs, opsets, kernels):
    """The case by the first evaluator that takes it; ops of other domains by every one, since a formula
    is only our reading of them."""
    for who in kernels.evaluators(node):
        case = Case(node, inputs, opsets, kernels, who)
        if case.results is not None:
            yield case
            if node.domain in ("", "ai.onnx"):
                return


def try_row(row, cases, kernels, tally):
    for node, inputs, opsets in cases[:MOST_CASES]:
        for case in cases_of(node, inputs, opsets, kernels):
            before = tally.runs + tally.views
            try_case(case, row, tally)
            for other in variants(case, row):
                changed = case.with_inputs(other)
                if changed.results is not None:
                    try_case(changed, row, tally)
            if tally.runs + tally.views > before:
                tally.by.add(case.who)
    if "(rows)" in row["inplace"] and tally.runs > 0 and not tally.rows_split:
        raise NotSo(f"{row['name']}: no case has more than one row")


def compare_formulas(cases, kernels):
    """Ours against ONNX Runtime's, where both take a case: (how many ops, what differs)."""
    agreed, wrong = set(), []
    for key, listed in sorted(cases.items()):
        for node, inputs, opsets in listed if formulas.find(listed[0][0]) else []:
            ours, theirs = (Case(node, inputs, opsets, kernels, who).results for who in (FORMULA, RUNTIME))
            if ours is None or theirs is None:
                continue
            pairs = [(a, b) for a, b in zip(ours, theirs) if a is not None and b is not None]
            if all(alike(a, b) for a, b in pairs):
                agreed.add(key)
            else:
                wrong.append(f"{key[1]}: the formula says {pairs[0][0]}, ONNX Runtime {pairs[0][1]}")
    return agreed, wrong


def alike(a, b):
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    return np.array_equal(a, b) if a.dtype.kind in "biu" else np.allclose(a, b, 1e-3, 1e-5, equal_nan=True)


def main():
    np.seterr(all="ignore")
    kernels = Kernels()
    cases = collect(kernels)
    table = {key: row for key, row in read_table(sys.argv[1]).items() if row["inplace"] or row["view"]}
    failures, silent = [], []
    total = Tally()
    n_run = 0
    by = collections.Counter()
    for key, row in sorted(table.items()):
        tally = Tally()
        try:
            try_row(row, cases.get(key, []), kernels, tally)
        except NotSo as error:
            failures.append(f"{key[0] or 'ai.onnx'}: {error}")
        total.runs += tally.runs
        total.views += tally.views
        total.other_way += tally.other_way
        if "(width)" in row["inplace"] and tally.other_way == 0:
            failures.append(f"{key[0] or 'ai.onnx'} {key[1]}: no case shows that the direction matters")
        n_run += tally.runs + tally.views > 0
        by.update(tally.by)
        if tally.runs + tally.views == 0 and row["name"] not in BY_OFFSETS:
            silent.append(f"{key[0]}.{key[1]}" if key[0] else key[1])
        if "--verbose" in sys.argv:
            print(
                f"{key[0] or 'ai.onnx'} {key[1]}: {tally.runs} aliased runs, {tally.views} views", flush=True
            )
    for op, inplace, view in FALSE:
        tally = Tally()
        try:
            try_row({"name": op, "inplace": inplace, "view": view}, cases[("", op)][:1], kernels, tally)
            failures.append(
                f"the false claim that {op} is '{inplace or view}' was believed ({tally.runs} runs)"
            )
        except NotSo:
            pass
    agreed, differing = compare_formulas(cases, kernels)
    failures += differing
    print("\n".join(failures))
    print(
        f"{len(table)} rows claim an in-place result or a view: {n_run} executed, {total.runs} aliased runs "
        f"({total.other_way} wrong in the other direction) and {total.views} views, {len(FALSE)} planted claims; not executed: {' '.join(silent)}"
    )
    print(
        f"rows by evaluator: {', '.join(f'{n} {who}' for who, n in by.most_common())}; {len(agreed)} "
        f"formulas agree with those of onnxruntime {runtime.version() or ', which is not there'}"
    )
    return 1 if failures or n_run < LEAST_ROWS else 0


if __name__ == "__main__":
    sys.exit(main())
