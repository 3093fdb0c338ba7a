"""Plans with dimensions that stay open beside plans for exactly the extents at hand, for every dynamic model at hand.

Writes bench/open.csv: dimensions, variants, extents compared, the worst ratio of the arena of the one plan to that of the
plan made for these extents alone, and where it is. Extents that the model contradicts (planning warns) do not count.
Ratios are the same on every machine, and with --check they must be those of the file. Rows of models that are not at
hand are left as they are.

usage: open.py LIBRARY COMMAND [--check]; models: examples/models and the folder TENURE_MODELS
"""

import json
import os
import subprocess
import sys

import figures

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "tests", "plans"))
import open_dims  # noqa: E402

TABLE = os.path.join(HERE, "open.csv")
COLUMNS = ["model", "dims", "variants", "extents", "worst", "at"]
N_BINDINGS = 9


def made_for(command, path, extents):
    """Bytes of the arena of a plan for these extents, and how many warnings it took; None where there is none."""
    options = [f"--dim={open_dims.quoted(name)}={extent}" for name, extent in extents.items()]
    made = subprocess.run([command, "plan", path, "-q", "--emit=json", *options], capture_output=True, text=True)
    if made.returncode != 0:
        return None, 0
    return sum(p["size"] for p in json.loads(made.stdout)["pools"] if p["kind"] == "arena"), made.stderr.count("warning")


def measure(tenure, command, name, path):
    plan = open_dims.open_plan(tenure, path)
    if plan is None:
        return None
    usual = subprocess.run([command, "plan", path, "-q", "--open"], capture_output=True, text=True).stderr.count("warning")
    worst, where, n = 1.0, "", 0
    for extents in open_dims.bindings(plan, n=N_BINDINGS):
        try:
            mine = plan.resolve(extents).arena_size
        except tenure.ModelError:
            continue
        best, warnings = made_for(command, path, extents)
        if best is None or warnings > usual:
            continue
        n += 1
        if best > 0 and mine / best > worst:
            worst, where = mine / best, " ".join(f"{k}={v}" for k, v in extents.items())
    return [name, len(plan.ranges), sum(len(p.variants) for p in plan.programs), n, f"{worst:.3f}", where]


def main():
    os.environ["TENURE_LIBRARY"] = os.path.abspath(sys.argv[1])
    import tenure

    command = os.path.abspath(sys.argv[2])
    rows = [measure(tenure, command, name, path) for name, path in open_dims.models()]
    rows = [[str(cell) for cell in row] for row in rows if row is not None]
    status, known = figures.keep(TABLE, COLUMNS, rows, lambda row: row[0], "--check" in sys.argv)
    good = sum(float(row[4]) <= 1.05 for row in known.values())
    print(f"{good} of {len(known)} models within 5 % at all extents")
    return status


if __name__ == "__main__":
    sys.exit(main())
