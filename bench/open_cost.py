"""What a plan for all extents costs beside one for a single set of extents, for every dynamic model at hand.

Writes bench/open_cost.csv: dimensions, variants, millions of instructions of `tenure plan --open` and of `tenure plan` with all
dimensions bound to the extents that the first plan states its figures for, and the ratio: loading, checking and writing JSON are in
both. Valgrind counts, so figures are the same on every run of one build, and ratios much the same for other compilers; with --check
none may be more than a tenth above that of the file. Rows of models that are not at hand are left as they are.

usage: open_cost.py LIBRARY COMMAND [--check] [NAME...]; models whose name has one of these parts, or all of examples/models and the
folder TENURE_MODELS. Exit code 77 without valgrind
"""

import os
import re
import shutil
import subprocess
import sys

import figures

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "tests", "plans"))
import open_dims  # noqa: E402

TABLE = os.path.join(HERE, "open_cost.csv")
COLUMNS = ["model", "dims", "variants", "open_minstr", "bound_minstr", "ratio"]
ONE, GUARDED = 3, 10  # how many times as much a plan may cost, with one relation and with guards


def instructions(command, path, *options):
    made = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", command, "plan", path, "-q", "--partial",
                           "--emit=json", "-o", os.devnull, *options], capture_output=True, text=True, check=True)
    return int(re.search(r"Collected : (\d+)", made.stderr)[1])


def measure(tenure, command, name, path):
    plan = open_dims.open_plan(tenure, path)
    if plan is None:
        return None
    bound = [f"--dim={open_dims.quoted(r.name)}={r.point}" for r in plan.ranges]
    mine, alone = instructions(command, path, "--open"), instructions(command, path, *bound)
    variants = sum(len(p.variants) for p in plan.programs)
    return [name, str(len(plan.ranges)), str(variants), f"{mine / 1e6:.0f}", f"{alone / 1e6:.0f}", f"{mine / alone:.2f}"]


def too_much(known, rows):
    """Ratios that grew by more than a tenth."""
    for row in rows:
        before = known.get(row[0])
        if before is not None and float(row[-1]) > 1.1 * float(before[-1]):
            yield f"{row[0]}: {row[-1]} times, {before[-1]} in the file"


def main():
    if shutil.which("valgrind") is None:
        return 77
    os.environ["TENURE_LIBRARY"] = os.path.abspath(sys.argv[1])
    import tenure

    command, parts = os.path.abspath(sys.argv[2]), [a for a in sys.argv[3:] if a != "--check"]
    asked = [(n, p) for n, p in open_dims.models() if not parts or any(part in n for part in parts)]
    rows = [row for row in (measure(tenure, command, name, path) for name, path in asked) if row is not None]
    check = "--check" in sys.argv
    if check:
        _, known = figures.keep(TABLE, COLUMNS, [], lambda row: row[0], True)
        grown = list(too_much(known, rows))
        print(*grown, sep="\n")
        return 1 if grown else 0
    _, known = figures.keep(TABLE, COLUMNS, rows, lambda row: row[0], False)
    over = [row for row in known.values() if float(row[-1]) > (ONE if row[2] == "1" else GUARDED)]
    print(f"{len(known) - len(over)} of {len(known)} models within {ONE} times, or {GUARDED} with guards")
    for row in over:
        print(*row)
    return 0


if __name__ == "__main__":
    sys.exit(main())
