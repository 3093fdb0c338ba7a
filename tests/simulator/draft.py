"""A plan that is changed on purpose, made consistent again: what follows from places, aliases and order (ranges of
storages, frees, hazards, sizes of pools, figures of the report) is worked out anew, so that a checker that only keeps
books has nothing to say."""

from orders import Order
from plan import Plan


def aligned(n, align):
    return -(-n // align) * align


class Draft:
    def __init__(self, document):
        self.document = document
        self.variant = document["programs"][0]["variants"][0]
        self.values, self.steps = self.variant["values"], self.variant["steps"]
        self.storages, self.pools = self.variant["storages"], document["pools"]
        self.keep_frees = self.keep_hazards = self.keep_sizes = self.keep_ranges = False

    # What attacks ask

    def arena(self):
        return [i for i, p in enumerate(self.pools) if p["kind"] == "arena"]

    def in_arena(self, v):
        s = self.values[v]["storage"]
        return s is not None and self.values[v]["bytes"] > 0 and self.pools[self.storages[s]["pool"]]["kind"] == "arena"

    def members(self, s):
        return [i for i, v in enumerate(self.values) if v["storage"] == s]

    def address(self, v):
        value = self.values[v]
        return self.storages[value["storage"]]["offset"] + value["offset"]

    def alone(self, v):
        return len(self.members(self.values[v]["storage"])) == 1

    def movable(self):
        """Storages of arenas that are not pinned and have bytes."""
        return [i for i, s in enumerate(self.storages) if s["pool"] in self.arena() and s["size"] > 0 and not s["pinned"]
                and s["slot"] is None]

    def alive_together(self, a, b):
        s, t = self.storages[a], self.storages[b]
        return s["first"] <= t["last"] and t["first"] <= s["last"]

    def readers(self, v):
        return [i for i, s in enumerate(self.steps) if v in s["reads"]]

    def far(self, size, pool):
        """An address behind everything in a pool."""
        align = self.pools[pool]["align"]
        return aligned(max((s["offset"] + s["size"] for s in self.storages if s["pool"] == pool), default=0), align)

    # What attacks change

    def join(self, v, to, offset, alias):
        """Value v, alone in its storage, lies in that of value `to` from now on."""
        old, new = self.values[v]["storage"], self.values[to]["storage"]
        self.values[v].update(storage=new, offset=offset, alias=alias, alias_of=to)
        if not self.members(old):
            self.drop(old)

    def drop(self, gone):
        del self.storages[gone]
        for v in self.values:
            if v["storage"] is not None and v["storage"] > gone:
                v["storage"] -= 1
        for step in self.steps:
            step["frees"] = [{**f, "storage": f["storage"] - (f["storage"] > gone)} for f in step["frees"]
                             if f["storage"] != gone]
        peak = self.variant["report"]["peak"]
        peak[:] = [s - (s > gone) for s in peak if s != gone]

    def reorder(self, order):
        """Steps in another order: `order` lists the old positions."""
        new = {old: i for i, old in enumerate(order)}
        steps = [self.steps[i] for i in order]
        for s in steps:
            s["hazards"] = sorted(new[h] for h in s["hazards"])
            for key in ("partner", "clone_of"):
                if s[key] is not None:
                    s[key] = new[s[key]]
            for f in s["frees"]:
                f["after"] = sorted(new[a] for a in f["after"])
        self.steps[:] = steps
        for v in self.values:
            if v["step"] is not None:
                v["step"] = new[v["step"]]
            for o in v.get("overlaps", ()):
                o["step"] = new[o["step"]]
        self.variant["reordered"] = True
        self.value_ranges()

    def value_ranges(self):
        """Of values in a main graph without nested ones."""
        n = len(self.steps)
        outside = set(self.variant["outputs"]) | {b["value"] for b in self.variant["bindings"]}
        for i, v in enumerate(self.values):
            if v["first"] == -1 and v["last"] == n or v["role"] == "const":
                continue
            at = self.readers(i)
            first = v["step"] if v["step"] is not None else -1
            v["first"] = first if v["first"] != -1 else -1
            v["last"] = n if i in outside or v["last"] == n else max([first, *at])

    # Made consistent again

    def finish(self):
        if not self.keep_ranges:
            self.storage_ranges()
        plan = Plan(self.document, self.variant)
        if not self.keep_hazards and "concurrency" not in self.variant:
            self.hazards(plan)
        if not self.keep_frees:
            self.frees(Order(plan))
        if not self.keep_sizes:
            self.sizes()
        self.report()
        return self.document

    def storage_ranges(self):
        n = len(self.steps)
        for i, s in enumerate(self.storages):
            members = [self.values[v] for v in self.members(i)]
            if s["pinned"] or not members:
                continue
            if s["first"] != -1 or s["last"] != n:
                s["first"] = min(v["first"] for v in members)
                s["last"] = max(v["last"] for v in members)
            s["size"] = max(s["size"], max(v["offset"] + v["bytes"] for v in members))

    def users(self, v):
        """Steps that use a value; an op with bodies does so from begin to end, but for a call."""
        found = {i for i, s in enumerate(self.steps) if v in s["reads"] or v in s["writes"]}
        for i in list(found):
            s = self.steps[i]
            loop = s["nodes"][0]["op"] in ("Loop", "Scan")
            if s["kind"] == "begin" and (loop or v in s["reads"] and (s["bodies"][0]["attribute"] or v not in s["operands"])):
                found.add(s["partner"])
        if self.values[v]["step"] is not None and self.values[v]["first"] < self.values[v]["step"]:
            found.add(self.values[v]["first"])
        return sorted(found)

    def hazards(self, plan):
        """The least that has every step wait for those that used the bytes before."""
        uses = [sorted(self.users(i)) for i in range(len(self.values))]
        written = [[] for _ in self.steps]
        for i, v in enumerate(plan.values):
            if v.placed and v.bytes and plan.writer.get(i) is not None:
                written[min(plan.writer[i], max(self.values[i]["first"], 0))].append(v)
        unnamed = [h for h in (set(s["hazards"]) for s in self.steps)]
        definitions = {i for i, s in enumerate(self.steps) for c in s["claims"] if c["result"] is None}
        for s in self.steps:
            s["hazards"] = []
        order = Order(plan, all_steps=False)
        for i, s in enumerate(self.steps):
            order.add(i)
            wanted = {h for h in unnamed[i] if h in definitions or i in definitions} | self.shapes_by(plan, s)
            if s["idle"] or not (written[i] or wanted):
                continue
            for w in written[i]:
                for k, v in enumerate(plan.values):
                    if v.index != w.index and v.meets(w) and self.pools[v.pool]["kind"] != "const":
                        wanted |= {u for u in uses[k] if u < i and not order.exclusive(u, i)}
            if not wanted:
                continue
            left = {u for u in wanted if not order.comes(u, i)}
            s["hazards"] = sorted(u for u in left if not any(u != x and order.comes(u, x) for x in left))
            order.add(i)

    @staticmethod
    def shapes_by(plan, step):
        """Who writes what the step reads a shape of that data give."""
        operands = (step["operands"][k] for k in step["shape_only"])
        return {plan.writer[v] for v in operands if v in plan.writer and not plan.values[v].bound}

    def frees(self, order):
        overlapped = {self.values[o["value"]]["storage"] for v in self.values for o in v.get("overlaps", ())}
        for s in self.steps:
            s["frees"] = []
        for i, s in enumerate(self.storages):
            arena = self.pools[s["pool"]]["kind"] == "arena"
            if s["pinned"] or not arena or not 0 <= s["last"] < len(self.steps) or i in overlapped or s["size"] == 0:
                continue
            users = {u for v in self.members(i) for u in self.users(v)}
            left = {u for u in users if u != s["last"] and not order.comes(u, s["last"]) and not order.exclusive(u, s["last"])}
            apart = "concurrency" in self.variant
            after = sorted(u for u in left if apart or not any(u != x and order.comes(u, x) for x in left))
            self.steps[s["last"]]["frees"].append({"storage": i, "after": after})

    def sizes(self):
        for i, p in enumerate(self.pools):
            if p["kind"] == "arena":
                end = max((s["offset"] + s["size"] for s in self.storages if s["pool"] == i), default=0)
                p["size"] = aligned(end, p["align"])
                p["bound"] = min(p["bound"], p["size"])

    def report(self):
        r = self.variant["report"]
        sums = {"arena": 0, "io": 0, "const": 0}
        for p in self.pools:
            sums[p["kind"]] += p["size"]
        r["bound"] = sum(p["bound"] for p in self.pools if p["kind"] == "arena")
        r["order_bound"], r["other_order"], r["optimal"] = min(r["order_bound"], r["bound"]), 0, False
        r["io_bytes"], r["ram"] = sums["io"], sums["io"] + sums["arena"]
        r["const_bytes"] = r["flash"] = sums["const"]
        for key, alias in (("inplace", "inplace"), ("views", "view"), ("updates", "update"), ("shared", "share")):
            r[key] = sum(v["alias"] == alias for v in self.values)
        r["planned"] = sum(v["storage"] is not None for v in self.values)
        r["unplanned"] = len(self.values) - r["planned"]
        for key in ("level0", "level1"):
            r[key] = min(max(r[key], r["bound"]), r["naive"])
        if not any("overlaps" in v for v in self.values):
            self.peak(r)

    def peak(self, r):
        n = len(self.steps)
        arena = [(i, s) for i, s in enumerate(self.storages) if self.pools[s["pool"]]["kind"] == "arena" and s["size"] > 0]

        def alive(step):
            return [(i, s) for i, s in arena if s["pinned"] or s["first"] <= step <= s["last"]]

        def kept(step):
            return sum(aligned(s["size"], self.pools[s["pool"]]["align"]) for _, s in alive(step))
        if n == 0 or not arena:
            return
        r["peak_step"] = max(range(n), key=kept)
        r["peak"] = [i for i, s in sorted(alive(r["peak_step"]), key=lambda x: (-x[1]["size"], x[0]))]
