"""recompute beside the fewest bytes there are: writes OPTIMUM.md and optimum.csv.

Training steps of small networks are planned with recompute and without. The same steps, in the order of the plan without, are an integer program after
Checkmate (P. Jain et al., MLSys 2020): in stage t the t-th op runs for the first time, and of those before it any may run again, or its result be kept
from stage to stage; a result is freed behind its last reader in a stage unless it is kept. Least is the largest sum of sizes, at a given most of operations,
as tenure counts them. There is no aliasing in that program, so the plans have none either (--inplace=none, --views=none).

usage: optimum.py TENURE [NET...]     (with scipy from PyPI, which has the solver HiGHS)
       optimum.py --page              the page must be that of the file
"""

import csv
import json
import math
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TABLE, PAGE = os.path.join(HERE, "optimum.csv"), os.path.join(HERE, "OPTIMUM.md")
COLUMNS = ["net", "steps", "without", "asked", "operations", "arena", "least", "proven"]
ASKED = (10, 33)
LIMIT_S = 120
ALIGN = 64


class Text:
    """A network as .tir."""

    def __init__(self, name, shape):
        self.lines, self.count = [f"tir 1\nmodule \"{name}\"\nopset \"\" 18\n\ngraph @0 \"{name}\" {{", f"  input %x: {self.type(shape)}"], 0
        self.shapes = {"x": shape}

    @staticmethod
    def type(shape):
        return f"f32[{','.join(map(str, shape))}]"

    def weights(self, *shape):
        self.count += 1
        self.shapes[f"w{self.count}"] = shape
        self.lines.append(f"  const %w{self.count}: {self.type(shape)} = tensor({4 * math.prod(shape)} bytes)")
        return f"w{self.count}"

    def op(self, name, shape, *operands, attributes=""):
        self.count += 1
        self.shapes[f"v{self.count}"] = shape
        read = ", ".join("%" + o for o in operands)
        self.lines.append(f"  %v{self.count}: {self.type(shape)} = {name}({read}) @\"{name}{self.count}\"{attributes}")
        return f"v{self.count}"

    def dense(self, x, wide, unit=None):
        rows = self.shapes[x][:-1]
        y = self.op("MatMul", (*rows, wide), x, self.weights(self.shapes[x][-1], wide))
        return self.op(unit, (*rows, wide), y) if unit else y

    def conv(self, x, channels, unit="Relu", stride=1):
        n, c, h, w = self.shapes[x]
        shape = (n, channels, h // stride, w // stride)
        y = self.op("Conv", shape, x, self.weights(channels, c, 3, 3), attributes=f" {{pads = [1,1,1,1], strides = [{stride},{stride}]}}")
        return self.op(unit, shape, y) if unit else y

    def done(self, y):
        self.lines += [f"  return %{y}", "}", ""]
        return "\n".join(self.lines)


def dense(name, wide, unit):
    t = Text(name, (64, wide[0]))
    y = "x"
    for i, n in enumerate(wide[1:]):
        y = t.dense(y, n, unit if i + 2 < len(wide) else None)
    return t.done(y)


def convolutions(name, channels, strides):
    t = Text(name, (4, 3, 32, 32))
    y = "x"
    for c, s in zip(channels, strides):
        y = t.conv(y, c, stride=s)
    return t.done(y)


def residual(name, blocks):
    t = Text(name, (4, 8, 16, 16))
    y = t.conv("x", 8)
    for _ in range(blocks):
        z = t.conv(t.conv(y, 8), 8, None)
        y = t.op("Relu", t.shapes[y], t.op("Add", t.shapes[y], y, z))
    return t.done(y)


def skipping(name):
    t = Text(name, (2, 4, 32, 32))
    a = t.conv("x", 8)
    b = t.conv(t.conv(a, 16, stride=2), 16)
    up = t.op("ConvTranspose", (2, 8, 32, 32), b, t.weights(16, 8, 2, 2), attributes=" {strides = [2,2]}")
    both = t.op("Concat", (2, 16, 32, 32), a, up, attributes=" {axis = 1}")
    return t.done(t.conv(both, 4, None))


def attention(name, length):
    t = Text(name, (2, length, 16))
    q, v = t.dense("x", 16), t.dense("x", 16)
    k = t.op("Transpose", (2, 16, length), t.dense("x", 16), attributes=" {perm = [0,2,1]}")
    s = t.op("Softmax", (2, length, length), t.op("MatMul", (2, length, length), q, k), attributes=" {axis = -1}")
    return t.done(t.dense(t.op("MatMul", (2, length, 16), s, v), 16))


def gated(name):
    t = Text(name, (64, 32))
    a = t.dense("x", 128)
    s = t.op("Mul", (64, 128), a, t.op("Sigmoid", (64, 128), a))
    return t.done(t.dense(t.op("Mul", (64, 128), s, t.dense("x", 128)), 32))


def branches(name):
    t = Text(name, (4, 4, 16, 16))
    a, b = t.conv("x", 8), t.conv(t.conv("x", 4), 8)
    c = t.op("Concat", (4, 16, 16, 16), a, b, attributes=" {axis = 1}")
    return t.done(t.conv(c, 8, None))


def unrolled(name, steps):
    t = Text(name, (32, 24))
    u, w = t.weights(24, 24), t.weights(24, 24)
    h = "x"
    for _ in range(steps):
        h = t.op("Tanh", (32, 24), t.op("Add", (32, 24), t.op("MatMul", (32, 24), h, u), t.op("MatMul", (32, 24), "x", w)))
    return t.done(h)


NETS = {
    "tanh_3": dense("tanh_3", (32, 128, 64, 16), "Tanh"),
    "tanh_4": dense("tanh_4", (32, 128, 128, 128, 16), "Tanh"),
    "tanh_5": dense("tanh_5", (16, 64, 256, 64, 128, 16), "Tanh"),
    "tanh_6": dense("tanh_6", (16, 96, 96, 96, 96, 96, 16), "Tanh"),
    "relu_3": dense("relu_3", (32, 256, 64, 16), "Relu"),
    "relu_4": dense("relu_4", (32, 64, 128, 64, 16), "Relu"),
    "relu_5": dense("relu_5", (64, 64, 64, 64, 64, 16), "Relu"),
    "sigmoid_3": dense("sigmoid_3", (16, 128, 32, 16), "Sigmoid"),
    "sigmoid_4": dense("sigmoid_4", (16, 32, 128, 32, 16), "Sigmoid"),
    "pyramid": dense("pyramid", (128, 64, 32, 16, 8), "Tanh"),
    "bottleneck": dense("bottleneck", (256, 64, 8, 64, 256), "Tanh"),
    "conv_2": convolutions("conv_2", (8, 8), (1, 2)),
    "residual_1": residual("residual_1", 1),
    "skipping": skipping("skipping"),
    "attention_16": attention("attention_16", 16),
    "attention_64": attention("attention_64", 64),
    "gated": gated("gated"),
    "branches": branches("branches"),
    "unrolled_3": unrolled("unrolled_3", 3),
    "unrolled_4": unrolled("unrolled_4", 4),
}


# ---- the integer program ----


class Program:
    def __init__(self):
        self.cost, self.upper, self.whole, self.low, self.high = [], [], [], [], []
        self.entries = ([], [], [])

    def variable(self, cost=0.0, upper=1.0, whole=True):
        self.cost.append(cost)
        self.upper.append(upper)
        self.whole.append(int(whole))
        return len(self.cost) - 1

    def constrain(self, terms, low=-math.inf, high=0.0):
        for variable, factor in terms:
            for into, x in zip(self.entries, (len(self.low), variable, factor)):
                into.append(x)
        self.low.append(low)
        self.high.append(high)

    def solve(self):
        """(least, the bound that is proven), of the sum of costs."""
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import coo_matrix
        rows, columns, factors = self.entries
        matrix = coo_matrix((factors, (rows, columns)), shape=(len(self.low), len(self.cost))).tocsr()
        made = milp(self.cost, constraints=LinearConstraint(matrix, self.low, self.high), integrality=self.whole, bounds=Bounds(0, self.upper),
                    options={"time_limit": LIMIT_S, "mip_rel_gap": 1e-5})
        return made.fun, made.mip_dual_bound


def least(size, cost, reads, most):
    """Bytes of ops in this order, whose results have `size` bytes, with operations up to `most`: (bytes, the bound that is proven)."""
    n, p, unit = len(size), Program(), max(size)
    size = [s / unit for s in size]
    readers = [[k for k in range(n) if i in reads[k]] for i in range(n)]
    peak = p.variable(1.0, math.inf, False)
    runs = [[p.variable() for _ in range(t + 1)] for t in range(n)]
    kept = [[p.variable() for _ in range(t)] for t in range(n)]
    for t in range(n):
        p.constrain([(runs[t][t], 1)], 1, 1)
        for k in range(t + 1):
            for i in reads[k]:
                p.constrain([(runs[t][k], 1), (runs[t][i], -1), (kept[t][i], -1)])
        for i in range(t):
            before = [(runs[t - 1][i], -1), *([(kept[t - 1][i], -1)] if i < t - 1 else [])]
            p.constrain([(kept[t][i], 1), *before])
    p.constrain([(runs[t][i], cost[i]) for t in range(n) for i in range(t + 1)], high=most)
    for t in range(n):
        there, freed = [(kept[t][i], size[i]) for i in range(t) if size[i]], {}
        for k in range(t + 1):
            if size[k]:
                there.append((runs[t][k], size[k]))
            p.constrain([*there, (peak, -1)])
            for i in {*reads[k], k}:
                if not size[i]:
                    continue
                free = p.variable(whole=False)  # behind k: where that runs, nobody behind it reads i, and i is not kept
                p.constrain([(free, 1), (runs[t][k], -1)])
                later = [runs[t][j] for j in readers[i] if k < j <= t] + ([kept[t + 1][i]] if t + 1 < n else [])
                for variable in later:
                    p.constrain([(free, 1), (variable, 1)], high=1)
                there.append((free, -size[i]))
                freed.setdefault(i, []).append((free, 1))
        for i, frees in freed.items():  # once, and what was there
            p.constrain(frees, high=1)
            p.constrain([*frees, (runs[t][i], -1), *([(kept[t][i], -1)] if i < t else [])])
    found, bound = p.solve()
    return round(found * unit), round(bound * unit)


# ---- plans ----


def attribute(step, name):
    return next((a.get("int", 0) for a in step["attributes"] if a["name"] == name), 0)


def operations(step, values):
    """As ir/ops/flops.h has them."""
    def elements(v):
        return math.prod(values[v]["dims"])

    op, operands = step["nodes"][0]["op"], step["operands"]
    if op in ("MatMul", "Gemm"):
        dims = values[operands[0]]["dims"]
        return 2 * elements(step["results"][0]) * dims[-2 if attribute(step, "transA") else -1]
    if op in ("Conv", "ConvTranspose"):
        of = step["results"][0] if op == "Conv" else operands[0]
        return 2 * elements(of) * math.prod(values[operands[1]]["dims"][1:])
    return 2 * sum(elements(v) for v in step["results"] if v is not None)


def planned(tenure, path, folder, *more):
    out = os.path.join(folder, "plan.json")
    subprocess.run([tenure, "plan", path, "-O3", "--inplace=none", "--views=none", f"--align={ALIGN}", "-q", "--emit=json", "-o", out, *more], check=True)
    with open(out, encoding="utf-8") as f:
        plan = json.load(f)
    return sum(p["size"] for p in plan["pools"] if p["kind"] == "arena"), plan


def problem(plan):
    """(sizes, operations, what is read), by step."""
    variant = plan["programs"][0]["variants"][0]
    values, steps, storages = variant["values"], variant["steps"], variant["storages"]
    arenas = {i for i, p in enumerate(plan["pools"]) if p["kind"] == "arena"}
    maker = {r: i for i, s in enumerate(steps) for r in s["results"] if r is not None}

    def size(v):
        storage = values[v]["storage"]
        return -(-values[v]["bytes"] // ALIGN) * ALIGN if storage is not None and storages[storage]["pool"] in arenas else 0

    return ([sum(size(r) for r in s["results"] if r is not None) for s in steps], [operations(s, values) for s in steps],
            [sorted({maker[v] for v in s["reads"] if v in maker}) for s in steps])


def measured(tenure, name):
    with tempfile.TemporaryDirectory() as folder:
        forward, step = os.path.join(folder, "net.tir"), os.path.join(folder, "step.tir")
        with open(forward, "w", encoding="utf-8") as f:
            f.write(NETS[name])
        y = NETS[name].rstrip("}\n").rsplit("%", 1)[1]
        subprocess.run([tenure, "opt", forward, f"--passes=autodiff{{loss=\"mse({y})\",keep=named}}", "-o", step], check=True)
        without, plan = planned(tenure, step, folder)
        size, cost, reads = problem(plan)
        for asked in ASKED:
            arena, again = planned(tenure, step, folder, f"--recompute={asked}%")
            said = again["programs"][0]["variants"][0]["report"].get("recompute", {"operations": 0, "model_operations": sum(cost)})
            if said["model_operations"] != sum(cost):
                sys.exit(f"{name}: {sum(cost)} operations, not the {said['model_operations']} that the plan counts")
            few, proven = least(size, cost, reads, sum(cost) * (1 + asked / 100))
            yield dict(zip(COLUMNS, (name, len(size), without, asked, said["operations"], arena, few, proven)))


def share(row):
    return int(row["arena"]) / int(row["least"])


def page():
    with open(TABLE, encoding="utf-8") as f:
        rows = list(csv.DictReader(f))
    nets = list(dict.fromkeys(r["net"] for r in rows))
    text = ["# recompute beside the optimum", "",
            "Written by `bench/optimum.py`, which says how: arenas of training steps of small networks, in bytes, with recompute at most *asked* percent more",
            "operations, and the least that an integer program after Checkmate finds for the same ops in the order of the plan without. *proven*: in that order nothing less can",
            f"be had; where it is below *found*, the program was not solved in {LIMIT_S} s. Plans with recompute may have another order, so an arena may be smaller than both.", "",
            "| network | steps | without | asked | arena | found | proven | arena by found |", "|---|---|---|---|---|---|---|---|"]
    for r in rows:
        text.append(f"| {r['net']} | {r['steps']} | {r['without']} | {r['asked']} % | {r['arena']} | {r['least']} | {r['proven']} | {share(r):.3f} |")
    text.append("")
    for asked in ASKED:
        solved = [share(r) for r in rows if int(r["asked"]) == asked and r["least"] == r["proven"]]
        others = [share(r) for r in rows if int(r["asked"]) == asked and r["least"] != r["proven"]]
        text.append(f"At {asked} %: {len(solved)} of {len(nets)} solved, where the arena is {max(solved):.3f} of the least at most; {max(others, default=0):.3f} of what was found at most in the others.")
    return "\n".join(text) + "\n"


def main():
    if sys.argv[1] == "--page":
        with open(PAGE, encoding="utf-8") as f:
            return 0 if f.read() == page() else "OPTIMUM.md is not the page of optimum.csv: run bench/optimum.py"
    tenure, rows = os.path.abspath(sys.argv[1]), []
    if os.path.exists(TABLE):
        with open(TABLE, encoding="utf-8") as f:
            rows = list(csv.DictReader(f))
    for name in sys.argv[2:] or list(NETS):
        rows = [r for r in rows if r["net"] != name]
        for row in measured(tenure, name):
            print(*row.values(), flush=True)
            rows.append(row)
        rows.sort(key=lambda r: (list(NETS).index(r["net"]), int(r["asked"])))
        with open(TABLE, "w", newline="", encoding="utf-8") as f:
            w = csv.DictWriter(f, COLUMNS, lineterminator="\n")
            w.writeheader()
            w.writerows(rows)
    with open(PAGE, "w", encoding="utf-8") as f:
        f.write(page())
    return 0


if __name__ == "__main__":
    sys.exit(main())
