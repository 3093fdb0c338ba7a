"""Plans with dimensions that stay open beside plans for exactly the extents at hand, for every dynamic model at hand.

Writes bench/open.csv: dimensions, variants, extents compared, the worst ratio of the arena of the one plan to that of the
plan made for these extents alone, and where it is. Extents that the model contradicts (planning warns) do not count;
where those drawn do, others that come near them are looked for. Models that have a name for what is past, one for what is new
and one for both together have a second row, with --dim saying so.
Ratios are the same on every machine, and with --check they must be those of the file. Rows of models that are not at
hand are left as they are.

usage: open.py LIBRARY COMMAND [--check]; models: examples/models and the folder TENURE_MODELS
"""

import json
import os
import shlex
import subprocess
import sys

import figures

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "tests", "plans"))
import open_dims  # noqa: E402

TABLE = os.path.join(HERE, "open.csv")
COLUMNS = ["model", "dims", "variants", "extents", "worst", "at"]
N_BINDINGS, N_DRAWN = 9, 27
RELATED = (("total_sequence_length", "past_sequence_length+sequence_length"),)


class Maker:
    """Plans of one model for extents at hand."""

    def __init__(self, tenure, command, path, related):
        self.tenure, self.command, self.path, self.known = tenure, command, path, {}
        self.related = [f"--dim={name}={expression}" for name, expression in related.items()]

    def run(self, *options):
        made = subprocess.run([self.command, "plan", self.path, "-q", "--partial", "--emit=json", *self.related, *options],
                              capture_output=True, text=True)
        if made.returncode != 0:
            return None, 0
        return sum(p["size"] for p in json.loads(made.stdout)["pools"] if p["kind"] == "arena"), made.stderr.count("warning")

    def made_for(self, extents):
        """Bytes of the arena of a plan for these extents, and how many warnings it took; None where there is none."""
        key = tuple(sorted(extents.items()))
        if key not in self.known:
            self.known[key] = self.run(*[f"--dim={open_dims.quoted(k)}={v}" for k, v in extents.items()])
        return self.known[key]

    def example(self, names):
        """The numbers that `tenure dims` proposes; 1 for what it does not name."""
        words = shlex.split(self.tenure.dims(self.path).rpartition("for example:")[2])
        given = [words[i + 1] for i, word in enumerate(words[:-1]) if word == "--dim"]
        found = {open_dims.unquoted(name): int(extent) for name, _, extent in (text.rpartition("=") for text in given)}
        return {name: found.get(name, 1) for name in names}


def suited(maker, plan, start, limit):
    """Extents as drawn, as far as they suit the model: from numbers that do, one dimension after the other becomes what was
    drawn, another one with it by as much where that is what it takes (past + new = total)."""
    names = [r.name for r in plan.ranges]

    def suits(extents):
        if min(extents.values()) < 1:
            return False
        try:
            plan.resolve(extents)
        except maker.tenure.ModelError:
            return False
        best, warnings = maker.made_for(extents)
        return best is not None and warnings <= limit

    def moved(now, name, extent, rest):
        yield {**now, name: extent}
        for other in rest:
            yield {**now, name: extent, other: now[other] + extent - now[name]}

    for drawn in open_dims.bindings(plan, n=N_DRAWN):
        if suits(drawn):
            yield drawn
            continue
        now = dict(start)
        for i, name in enumerate(names):
            found = [e for e in moved(now, name, drawn[name], names[i + 1:] + names[:i]) if suits(e)]
            now = found[0] if found else now
        if suits(now):
            yield now


def measure(tenure, command, name, path):
    """A row, or two."""
    plan = open_dims.open_plan(tenure, path)
    if plan is None:
        return []
    rows = [row(tenure, command, name, path, plan, {})]
    names = {r.name for r in plan.ranges}
    for total, parts in RELATED:
        if names >= {total, *parts.split("+")}:
            related = open_dims.open_plan(tenure, path, {total: parts})
            rows.append(row(tenure, command, f"{name} {total}={parts}", path, related, {total: parts}))
    return rows


def row(tenure, command, name, path, plan, related):
    maker = Maker(tenure, command, path, related)
    start = maker.example([r.name for r in plan.ranges])
    limit = max(maker.run("--open")[1], maker.made_for(start)[1])
    worst, where, seen = 1.0, "", []
    for extents in suited(maker, plan, start, limit):
        if extents in seen or len(seen) == N_BINDINGS:
            continue
        seen.append(extents)
        mine, best = plan.resolve(extents).arena_size, maker.made_for(extents)[0]
        if best > 0 and mine / best > worst:
            worst, where = mine / best, " ".join(f"{k}={v}" for k, v in extents.items())
    return [name, len(plan.ranges), sum(len(p.variants) for p in plan.programs), len(seen), f"{worst:.3f}", where]


def main():
    os.environ["TENURE_LIBRARY"] = os.path.abspath(sys.argv[1])
    import tenure

    command = os.path.abspath(sys.argv[2])
    rows = [[str(cell) for cell in made] for name, path in open_dims.models() for made in measure(tenure, command, name, path)]
    status, known = figures.keep(TABLE, COLUMNS, rows, lambda made: made[0], "--check" in sys.argv)
    good = sum(float(made[4]) <= 1.05 for made in known.values())
    print(f"{good} of {len(known)} models within 5 % at all extents")
    return status


if __name__ == "__main__":
    sys.exit(main())
