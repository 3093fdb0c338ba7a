"""Plans rewritten by hand: values are put where a test wants them, and everything else that the file says is made to
agree with that. So what refuses such a plan is the rule that it breaks, not a figure that was forgotten."""

NAMED = {"view": "views", "inplace": "inplace", "update": "updates", "share": "shared"}


def up(n, align):
    return n + -n % align


class Handmade:
    """A flat plan (models/planfile.py). `promises` has, by names of result and operand, what a claim says that is not
    "keep"."""

    def __init__(self, plan):
        self.plan = plan
        self.promises = {}
        self.waits = None  # by step: its hazards; None: every step waits for all before it
        self.index = {v["name"]: i for i, v in enumerate(plan["values"])}
        self.spread()

    def value(self, name):
        return self.plan["values"][self.index[name]]

    def storage(self, name):
        return self.plan["storages"][self.value(name)["storage"]]

    def step(self, result):
        """The step that makes the value."""
        return self.plan["steps"][self.value(result)["step"]]

    def pool(self, kind):
        return next(i for i, p in enumerate(self.plan["pools"]) if p["kind"] == kind)

    def spread(self):
        """All storages of an arena lie one behind the other."""
        ends = [0] * len(self.plan["pools"])
        for s in self.plan["storages"]:
            pool = self.plan["pools"][s["pool"]]
            if pool["kind"] == "arena":
                s["offset"] = up(ends[s["pool"]], max(s["align"], pool["align"]))
                ends[s["pool"]] = s["offset"] + s["size"]
            s["slot"] = None
        self.plan["slots"] = []

    def put(self, name, alias, of, offset=0):
        """Puts a value into the storage of another one, `offset` bytes behind the start of that."""
        value, other = self.value(name), self.value(of)
        value.update(alias=alias, alias_of=self.index[of], storage=other["storage"], offset=other["offset"] + offset)

    def own(self, name, pool=None):
        """Gives a value a storage of its own, in the arena, behind all others."""
        value = self.value(name)
        pool = self.pool("arena") if pool is None else pool
        mine = [s for s in self.plan["storages"] if s["pool"] == pool]
        align = self.plan["pools"][pool]["align"]
        self.plan["storages"].append({
            "pool": pool, "slot": None, "offset": up(max((s["offset"] + s["size"] for s in mine), default=0), align),
            "size": value["bytes"], "align": align, "first": value["first"], "last": value["last"], "pinned": False,
            "root": self.index[name], "above": []})
        value.update(alias="none", alias_of=None, storage=len(self.plan["storages"]) - 1, offset=0)

    def lay_over(self, name, other, distance=0):
        """Makes the storage of `name` begin where `other` does, or so many bytes behind."""
        self.storage(name)["offset"] = self.storage(other)["offset"] + self.value(other)["offset"] + distance

    def settle(self):
        """What follows from where the values lie."""
        self.drop_storages()
        for i, s in enumerate(self.plan["storages"]):
            inside = [v for v in self.plan["values"] if v["storage"] == i]
            s["size"] = max(up(s["size"], 1) if s.get("second") else 0, *(v["offset"] + v["bytes"] for v in inside))
            s["root"] = next(self.plan["values"].index(v) for v in inside if v["alias"] == "none")
            if not s["pinned"]:
                s["first"] = min(v["first"] for v in inside)
                s["last"] = max(v["last"] for v in inside)
        for i, step in enumerate(self.plan["steps"]):
            step["frees"] = []
            step["hazards"] = list(range(i)) if self.waits is None else self.waits.get(i, [])
            step["claims"] = self.claims(step)
        self.plan["after"] = {}
        self.figures()
        return self.plan

    def drop_storages(self):
        used = sorted({v["storage"] for v in self.plan["values"] if v["storage"] is not None})
        self.plan["storages"] = [self.plan["storages"][i] for i in used]
        for v in self.plan["values"]:
            if v["storage"] is not None:
                v["storage"] = used.index(v["storage"])

    def bytes_of(self, i):
        v = self.plan["values"][i]
        s = self.plan["storages"][v["storage"]]
        at = s["offset"] + v["offset"]
        return s["pool"], at, at + v["bytes"]

    def claims(self, step):
        """What results and operands have in common, and the accumulators that no result stands for."""
        made = [c for c in step["claims"] if c["result"] is None]
        for r, result in enumerate(step["results"] if step["kind"] == "op" and not step["idle"] else []):
            for k, operand in enumerate(step["operands"]):
                if result is None or operand is None or k in step["shape_only"]:
                    continue
                a, b = self.bytes_of(result), self.bytes_of(operand)
                if a[0] == b[0] and a[1] < b[2] and b[1] < a[2]:
                    names = (self.plan["values"][result]["name"], self.plan["values"][operand]["name"])
                    made.append({"result": r, "operand": k, "promise": self.promises.get(names, "keep")})
        return made

    def figures(self):
        plan, report = self.plan, self.plan["report"]
        for i, pool in enumerate(plan["pools"]):
            ends = [s["offset"] + s["size"] for s in plan["storages"] if s["pool"] == i]
            pool["size"] = up(max(ends, default=0), pool["align"]) if pool["kind"] == "arena" else max(ends, default=0)
            pool["bound"] = 0
        kinds = {kind: sum(p["size"] for p in plan["pools"] if p["kind"] == kind) for kind in ("arena", "io", "const")}
        naive = sum(up(v["bytes"], 64) for v in plan["values"] if self.is_naive(v))
        report.update(naive=naive, level0=naive, level1=naive, bound=0, order_bound=0, other_order=0, optimal=False,
                      const_bytes=kinds["const"], io_bytes=kinds["io"], flash=kinds["const"],
                      ram=kinds["arena"] + kinds["io"])
        report.update((NAMED[a], sum(v["alias"] == a for v in plan["values"])) for a in NAMED)
        alive = [[i for i, s in enumerate(plan["storages"]) if plan["pools"][s["pool"]]["kind"] == "arena"
                  and s["size"] > 0 and (s["pinned"] or s["first"] <= t <= s["last"])] for t in range(len(plan["steps"]))]
        held = [sum(up(plan["storages"][i]["size"], 64) for i in at) for at in alive]
        report["peak_step"] = held.index(max(held))
        report["peak"] = alive[report["peak_step"]]

    def is_naive(self, v):
        if v["storage"] is None or v["role"] == "const":
            return False
        arena = self.plan["pools"][self.plan["storages"][v["storage"]]["pool"]]["kind"] == "arena"
        return arena or v["role"] == "internal"
