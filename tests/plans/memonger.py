"""Sharing of gradients by the systems before, on training graphs: tenure's pass, by itself, never needs more bytes.

Of each model with a backward part the values of a plan without reuse are shared as these do:
  memonger  share_grad_blobs: a walk over the graph from the loss on. Ops behind a fork carry a token of their own; what was
            touched under some tokens may be taken by ops alone that carry all of them. Buffers have any size. Without
            blob_shapes the buffer shared most often goes first, with them the first that is large enough
  caffe     MemoryOptimize_v2: activations stay, gradients take the first free slot, whatever its size
and by `share-gradients` alone (reuse{level=none}). A plan of -O2 never has a larger arena than Caffe's rule.

Vectors at the end hold these rules against what was published of them, so that nothing weaker is beaten.

usage: memonger.py TENURE [MODEL...]; models: those named, else examples/models and the folder TENURE_MODELS
"""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "models"))
import corpus  # noqa: E402
import seeds  # noqa: E402

FLAGS = "--passes=infer-shapes,schedule,pin"
NONE = "--passes=infer-shapes,schedule,pin,reuse{level=none},insert-frees"
ALONE = "--passes=infer-shapes,schedule,pin,share-gradients,reuse{level=none},insert-frees"
RESULT = re.compile(r'%(?:"((?:[^"\\]|\\.)*)"|([^\s,:()"]+)): [^!%]*?((?: ![a-z_]+)*)(?=, [%_]|$)')
LEAST_MODELS = 15


def aligned(size):
    return -(-size // 64) * 64


class Walk:
    """ops: (inputs, outputs), names of values that may share; sizes: None to choose without them."""

    def __init__(self, ops, sizes):
        self.ops, self.sizes = ops, sizes
        self.readers, self.indegree = {}, [0] * len(ops)
        made = {v for _, outputs in ops for v in outputs}
        for i, (inputs, _) in enumerate(ops):
            for v in inputs:
                self.readers.setdefault(v, []).append(i)
                self.indegree[i] += v in made
        self.visits, self.deposits = [0] * len(ops), [set() for _ in ops]
        self.reads, self.buffer, self.tokens, self.shared, self.last_token = {}, {}, {}, {}, 0
        self.extent = {}
        for i in range(len(ops)):
            if self.indegree[i] == 0 and self.visits[i] == 0:
                self.run(i)

    def fresh(self):
        self.last_token += 1
        return {self.last_token}

    def run(self, head):
        free, todo = [], [(head, self.fresh())]
        while todo:
            op, tokens = todo.pop()
            tokens = tokens | self.deposits[op]
            self.visit(op, tokens, free)
            readers = [r for v in self.ops[op][1] for r in self.readers.get(v, [])]
            ready = []
            for r in readers:
                self.visits[r] += 1
                ahead = tokens | (self.fresh() if len(readers) > 1 else set())
                if self.visits[r] == self.indegree[r]:
                    ready.append((r, ahead))
                else:
                    self.deposits[r] |= ahead
            todo += reversed(ready)

    def touch(self, value, tokens):
        for name in {value, self.buffer.setdefault(value, value)}:
            self.tokens.setdefault(name, set()).update(tokens)

    def visit(self, op, tokens, free):
        inputs, outputs = self.ops[op]
        dying = []
        for v in inputs:
            self.touch(v, tokens)
            self.reads[v] = self.reads.get(v, 0) + 1
            if self.reads[v] == len(self.readers[v]) and self.buffer[v] not in dying:
                dying.append(self.buffer[v])
        for v in outputs:
            usable = [f for f in free if self.tokens.get(f, set()) <= tokens]
            taken = self.choose(usable, v) if usable else None
            if taken is not None:
                free.remove(taken)
                self.buffer[v] = taken
                self.shared[taken] = self.shared.get(taken, 0) + 1
            self.touch(v, tokens)
            if self.sizes and taken is None:
                self.extent[v] = self.sizes[v]
        free += [d for d in dying if d not in free]

    def choose(self, usable, value):
        if self.sizes is None:
            return min(usable, key=lambda f: (-self.shared.get(f, 0), f))
        best, wanted = None, self.sizes[value]
        for f in usable:
            size, least = self.extent[f], self.extent[best] if best is not None else -1
            if size >= least and (least < wanted or size == least):
                best = f
        return best

    def bytes(self, sizes):
        largest = {}
        for v, buffer in self.buffer.items():
            largest[buffer] = max(largest.get(buffer, 0), sizes[v])
        return sum(largest.values())


def memonger(ops, sizes):
    """(bytes of all buffers without blob_shapes, with them)."""
    return Walk(ops, None).bytes(sizes), Walk(ops, sizes).bytes(sizes)


def caffe(lives, sizes):
    """lives: value -> (first, last) steps."""
    return sum(seeds.recycle([(first, last + 1, sizes[v]) for v, (first, last) in lives.items()], seeds.caffe))


def gradients(tenure, path, options):
    """Names of the values of the main graph that may share, as the pass pin marks them."""
    done = corpus.run(tenure, ["opt", path, FLAGS, "-o", "-", *options])
    found = set()
    for line in done.stdout.decode(errors="replace").splitlines() if done is not None and done.returncode == 0 else []:
        for quoted, plain, flags in RESULT.findall(line.split(" = ")[0]) if line.startswith("  %") else []:
            if set(flags.split()) & {"!backward"} and not set(flags.split()) & {"!param_grad", "!param", "!pinned", "!excluded"}:
                found.add(plain or quoted.replace('\\"', '"').replace("\\\\", "\\"))
    return found


class Training:
    """The backward part of a model: who reads and writes which gradients, and how large they are."""

    def __init__(self, plan, names):
        values = plan["values"]
        own = {i for i, v in enumerate(values) if v["name"] in names and v["graph"] == "" and v["role"] == "internal"
               and v["storage"] is not None and v["bytes"] > 0}
        self.sizes = {i: aligned(values[i]["bytes"]) for i in own}
        self.lives = {i: (values[i]["first"], values[i]["last"]) for i in own}
        ends = {s["partner"]: s for s in plan["steps"] if s["kind"] == "end"}
        self.ops = []
        for at, s in enumerate(plan["steps"]):
            if s["graph"] == "" and s["kind"] != "end":
                writes = set(s["writes"]) | set(ends[at]["writes"] if at in ends else [])
                op = [v for v in s["reads"] if v in own], sorted(writes & own)
                if op[0] or op[1]:
                    self.ops.append(op)


def arena(plan):
    return sum(p["size"] for p in plan["pools"] if p["kind"] == "arena")


def compare(tenure, path, options):
    """Bytes: naive, Caffe's, memonger's without and with sizes, alone, -O2; None where nothing is a gradient."""
    names = gradients(tenure, path, options)
    plans = [corpus.plan(tenure, path, [o, *options])[1] for o in (NONE, ALONE, "-O2")] if names else [None]
    if None in plans:
        return None
    training, naive = Training(plans[0], names), arena(plans[0])
    rest = naive - sum(training.sizes.values())
    theirs = [caffe(training.lives, training.sizes), *memonger(training.ops, training.sizes)]
    return [naive, *(rest + t for t in theirs), arena(plans[1]), arena(plans[2])]


def vectors():
    """What is known of these rules."""
    chain = {i: size for i, size in enumerate([8, 4, 2, 1])}
    line = [([], [0]), ([0], [1]), ([1], [2]), ([2], [3]), ([3], [])]
    assert memonger(line, chain)[0] == 12, "each gradient read by the next op alone"
    # Two branches of three ops and a join: no buffer of one branch goes to the other.
    fork = [([], ["r"]), (["r"], ["u0"]), (["u0"], ["u1"]), (["u1"], ["u2"]), (["r"], ["v0"]), (["v0"], ["v1"]), (["v1"], ["v2"]),
            (["u2", "v2"], [])]
    assert memonger(fork, dict.fromkeys(["r", "u0", "u1", "u2", "v0", "v1", "v2"], 4))[0] == 20, "parallel branches"
    # Side branches that never join lock what they read.
    side = [op for i in range(7) for op in ((([f"g{i - 1}"] if i else []), [f"g{i}"]), ([f"g{i}"], [f"s{i}"]), ([f"s{i}"], []))]
    sizes = {f"{k}{i}": 4 for k in "gs" for i in range(7)}
    assert memonger(side, sizes)[0] > sum(sizes.values()) // 2, "side branches"
    # Of 5, 100 and 12 elements that are free, 10 wanted take the 100.
    walk = Walk([], {"want": 10})
    walk.extent = {"a": 5, "b": 100, "c": 12}
    assert walk.choose(["a", "b", "c"], "want") == "b", "scan of blob_shapes"
    # Ten layers: outputs are taken before inputs are given back, so gradients need two slots.
    lives = {i: (i, i + 1) for i in range(1, 10)}
    assert len(seeds.recycle([(f, l + 1, 1) for f, l in lives.values()], seeds.caffe)) == 2, "Caffe's chain"


def main():
    vectors()
    tenure, asked, bindings = sys.argv[1], sys.argv[2:], corpus.bindings()
    found = [(p, p) for p in asked] or corpus.models()
    n = worse = 0
    for name, path in found:
        got = compare(tenure, path, bindings.get(corpus.short(name), [])) if asked or os.path.getsize(path) < 60 << 20 else None
        if got is None:
            continue
        n += 1
        naive, by_caffe, without, with_sizes, alone, o2 = got
        if alone > min(by_caffe, without, with_sizes) or o2 > by_caffe:
            worse += 1
            print(f"{name}: naive {naive}, memonger {without} or {with_sizes}, alone {alone}; caffe {by_caffe}, -O2 {o2}")
    print(f"{n} training graphs, {worse} where an older system needs less")
    return 1 if worse or n < (LEAST_MODELS if os.environ.get("TENURE_MODELS") and not asked else 1) else 0


if __name__ == "__main__":
    sys.exit(main())
