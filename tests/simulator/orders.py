"""Steps side by side: two steps that touch a byte, one of them writing, must come one before the other by what a runtime
waits for (docs/PLAN.md): hazards, writers of what is read, the begin of the op around, all steps of the bodies at an end, and
with queues the step before in the queue. A step in the body of a loop has finished when it has in the last iteration.
"""

from words import READ, Wrong

MOST_STEPS = 6000


class Order:
    def __init__(self, plan, all_steps=True):
        self.plan, self.around = plan, self.nesting(plan.steps)
        self.before, self.queues, self.ahead = [0] * plan.n, {}, {}
        for i in range(plan.n if all_steps else 0):
            self.add(i)

    def add(self, i):
        """What step i waits for, when all before it are known."""
        plan, s = self.plan, self.plan.steps[i]
        waits = set(s["hazards"]) | {plan.writer[v] for v in s["reads"] if v in plan.writer and plan.values[v].role != "const"}
        if self.around[i]:
            waits.add(self.around[i][-1][0])
        if s["kind"] == "end":
            waits |= {s["partner"], *range(s["partner"] + 1, i)}
        if plan.variant.get("concurrency") == "queues":
            waits.add(self.ahead.setdefault(i, self.queues.get(s["queue"], i)))
            self.queues[s["queue"]] = i
        mask = 0
        for w in waits:
            if w < i:
                mask |= self.before[w] | 1 << w
        self.before[i] = mask

    @staticmethod
    def nesting(steps):
        """By step the (begin, body) of all ops around it."""
        around, now = [], []
        for i, s in enumerate(steps):
            if s["kind"] == "end":
                now.pop()
            path = s["graph"]
            around.append([(b, next((g for g in graphs if path == g or path.startswith(g + "/")), None)) for b, graphs in now])
            if s["kind"] == "begin":
                now.append((i, sorted((b["graph"] for b in s["bodies"]), key=len, reverse=True)))
        return around

    def comes(self, a, b):
        return a == b or bool(self.before[b] >> a & 1)

    def exclusive(self, a, b):
        """Steps of two branches of one op, of which one runs."""
        for (p, x), (q, y) in zip(self.around[a], self.around[b]):
            if p == q and x != y and self.plan.steps[p]["nodes"][0]["op"] == "If":
                return True
        return False


def check_orders(plan, accesses):
    if plan.n > MOST_STEPS:
        return
    order = Order(plan)
    check_shapes(plan, order)
    cells = cells_of(accesses)
    for pool, edges in cells.items():
        touched = [[] for _ in edges]
        index = {e: k for k, e in enumerate(edges)}
        for step in sorted(accesses):
            for kind, p, lo, hi in sorted(accesses[step]):
                if p == pool:
                    for k in range(index[lo], index[hi]):
                        touched[k].append((step, kind))
        for here in dict.fromkeys(map(tuple, touched)):
            check_cell(plan, order, here)
    check_frees(plan, order, accesses)


def cells_of(accesses):
    edges = {}
    for rows in accesses.values():
        for _, pool, lo, hi in rows:
            edges.setdefault(pool, set()).update((lo, hi))
    return {pool: sorted(e) for pool, e in edges.items()}


def check_cell(plan, order, here):
    """Who touches one piece of memory, in the order of the list."""
    writers, readers = [], []
    for step, kind in here:
        for w in writers + (readers if kind != READ else []):
            if not order.comes(w, step) and not order.exclusive(w, step):
                raise Wrong(f"nothing has {plan.name(step)} wait for {plan.name(w)}, with which it has bytes in common")
        if kind == READ:
            readers.append(step)
        else:
            writers = [w for w in writers if order.exclusive(w, step)] + [step]
            readers = [r for r in readers if order.exclusive(r, step)]


def check_shapes(plan, order):
    """A shape that data give is read when it is there."""
    for i, s in enumerate(plan.steps):
        for k in s["shape_only"]:
            v = s["operands"][k]
            if v is not None and not plan.values[v].bound and plan.values[v].row["left_out"] != "open":
                if v in plan.writer and not order.comes(plan.writer[v], i):
                    raise Wrong(f"{plan.name(i)} reads the shape of '{plan.values[v].name}' and does not wait for it")


def check_frees(plan, order, accesses):
    """When a storage is freed, all steps that use its bytes as its own are done."""
    for i, s in enumerate(plan.steps):
        for f in s["frees"]:
            done = [i, *f["after"]]
            mask = 0
            for d in done:
                mask |= order.before[d] | 1 << d
            index = f["storage"]
            for v in (v for v in plan.values if v.placed and v.row["storage"] == index):
                for u in users(plan, v, accesses):
                    if not mask >> u & 1 and not order.exclusive(u, i):
                        raise Wrong(f"{plan.name(i)} frees '{v.name}', which {plan.name(u)} may still use")


def users(plan, v, accesses):
    for i, s in enumerate(plan.steps):
        if v.index in s["reads"] or v.index in s["writes"]:
            if not s["idle"]:
                yield i
