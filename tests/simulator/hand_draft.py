"""A draft (draft.py) whose values and steps are called by name, and clones that are put in by hand."""

import copy

from draft import Draft, aligned

ATTACKS = []


def attack(kind, model, *options, facts=None, right=None):
    """Registers an attack on the plan of a model (hand_models.py). `right` changes the plan before in a way that is right."""
    def add(function):
        ATTACKS.append((kind, model, options, facts, right, function))
        return function
    return add


class Hand(Draft):
    def __init__(self, document):
        super().__init__(document)
        self.promises = {}
        self.spread()

    def index(self, name):
        return next(i for i, v in enumerate(self.values) if v["name"] == name)

    def value(self, name):
        return self.values[self.index(name)]

    def storage(self, name):
        return self.storages[self.value(name)["storage"]]

    def at(self, name):
        """The position of the step that makes a value."""
        v = self.index(name)
        return next(i for i, s in enumerate(self.steps) if v in s["results"])

    def step(self, name):
        return self.steps[self.at(name)]

    def begin(self, op):
        return next(s for s in self.steps if s["kind"] == "begin" and s["nodes"][0]["op"] == op)

    def work(self, name):
        """The workspace of the step that makes a value."""
        return self.values[self.step(name)["workspace"][0]["value"]]

    def second(self, name, other):
        """The second place of one is the first of the other."""
        s = self.storage(name)
        s["second"] = self.storage(other)["offset"] - s["offset"]
        s["size"] = s["second"] + self.value(name)["bytes"]

    def spread(self):
        """All storages of an arena lie one behind the other, so that nothing is shared but what an attack shares."""
        ends = [0] * len(self.pools)
        for s in self.storages:
            pool = self.pools[s["pool"]]
            s["slot"] = None
            if pool["kind"] == "arena":
                s["offset"] = aligned(ends[s["pool"]], max(s["align"], pool["align"]))
                ends[s["pool"]] = s["offset"] + s["size"]
        self.variant["slots"] = []

    def over(self, name, other, distance=0):
        """The storage of `name` begins where the value `other` does."""
        self.storage(name).update(offset=self.address(self.index(other)) + distance, pool=self.storage(other)["pool"])

    def put(self, name, alias, of, offset=0, promise="keep"):
        """A value into the storage of another one; claims say `promise`."""
        other = self.value(of)
        self.promises[name] = promise
        self.join(self.index(name), self.index(of), other["offset"] + offset, alias)

    def read(self, name, old, new):
        """The step that makes `name` reads `new` in place of `old`."""
        v, w, step = self.index(old), self.index(new), self.step(name)
        self.change(step, v, w)
        for s in self.steps:
            if any(b["graph"] == step["graph"] for b in s["bodies"]) and v in s["reads"]:
                s["reads"] = list(dict.fromkeys(w if r == v else r for r in s["reads"]))

    @staticmethod
    def change(step, old, new):
        step["operands"] = [new if v == old else v for v in step["operands"]]
        step["reads"] = list(dict.fromkeys(new if v == old else v for v in step["reads"]))

    def clone(self, name, before, *readers, left_out=()):
        """Runs the step that makes `name` once more, right before the step that makes `before`; `readers` read that.
        Results `left_out` are none of the clone."""
        own, place = self.at(name), self.at(before)
        place = self.steps[place]["partner"] if self.steps[place]["kind"] == "end" else place
        step = copy.deepcopy(self.steps[own])
        new = {}
        step["results"] = [r if r is None or self.values[r]["name"] not in left_out else None for r in step["results"]]
        step["writes"] = [w for w in step["writes"] if self.values[w]["name"] not in left_out]
        for v in [r for r in step["results"] if r is not None]:
            row = copy.deepcopy(self.values[v])
            self.storages.append({**copy.deepcopy(self.storages[row["storage"]]), "root": len(self.values)})
            row.update(name=row["name"] + ".again", clone_of=v, storage=len(self.storages) - 1, alias="none", alias_of=None, offset=0,
                       role="internal")
            s = self.storages[-1]
            s.update(size=row["bytes"], pool=self.arena()[0], pinned=False, slot=None, first=0, last=0)
            s["offset"] = self.far(row["bytes"], s["pool"])
            new[v] = len(self.values)
            self.values.append(row)
        step.update(results=[new.get(r) for r in step["results"]], writes=[new.get(w, w) for w in step["writes"]], clone_of=own,
                    claims=[], frees=[], hazards=[], idle=False)
        self.steps.insert(place, step)
        self.shift(place)
        for v in new.values():
            self.values[v].update(step=place, first=place)
        for r in readers:
            self.read(r, name, name + ".again")
        self.value_ranges()
        self.variant["reordered"] = True

    def shift(self, place):
        for s in self.steps:
            for key in ("partner", "clone_of"):
                if s[key] is not None and s[key] >= place and s is not self.steps[place]:
                    s[key] += 1
            s["frees"] = []
        here = self.steps[place]
        here["clone_of"] += here["clone_of"] >= place
        for v in self.values:
            for key in ("step", "first", "last"):
                if v[key] is not None and v[key] >= place:
                    v[key] += 1
        for s in self.storages:
            for key in ("first", "last"):
                s[key] += s[key] >= place

    def finish(self):
        for s in self.steps:
            if s["kind"] == "op" and not s["idle"]:
                s["claims"] = self.claims(s)
        return super().finish()

    def claims(self, step):
        """What results and operands have in common, and what stands for no result."""
        made = [c for c in step["claims"] if c["result"] is None]
        for p, r in enumerate(step["results"]):
            for k, v in enumerate(step["operands"]):
                if r is None or v is None or k in step["shape_only"] or None in (self.values[r]["storage"], self.values[v]["storage"]):
                    continue
                a, b = self.address(r), self.address(v)
                same = self.storages[self.values[r]["storage"]]["pool"] == self.storages[self.values[v]["storage"]]["pool"]
                if same and a < b + self.values[v]["bytes"] and b < a + self.values[r]["bytes"]:
                    said = next((c["promise"] for c in step["claims"] if (c["result"], c["operand"]) == (p, k)), "keep")
                    made.append({"result": p, "operand": k, "promise": self.promises.get(self.values[r]["name"], said)})
        return made
