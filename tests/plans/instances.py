"""Plans written as packing instances, and packed again.

For every model and setting: `tenure pack` of the pool with its offsets finds nothing to object to and comes to
the size of the plan's arena; without them it needs no more.

usage: instances.py TENURE WORK_DIR MODEL...
"""

import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "models"))

import planfile

SETTINGS = [[], ["-O1"], ["-O3"], ["--memory=slots"], ["--io=arena"], ["--align=1"], ["-O0"]]


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} exits with {done.returncode}:\n{done.stderr}")
    return done.stderr


def height(tenure, path):
    report = run(tenure, "pack", path, "-o", path + ".out")
    found = re.search(r"^(\d+) buffers, height (\d+) ", report)
    if found is None:
        sys.exit(f"tenure pack {path} reports no height:\n{report}")
    return int(found[1]), int(found[2])


def check(tenure, work, model, setting):
    fixed, free, plan = (os.path.join(work, name) for name in ("fixed.csv", "free.csv", "plan.json"))
    run(tenure, "plan", model, *setting, "--partial", "-q", "--emit=csv", "-o", fixed, "--emit=csv,offsets=off", "-o", free,
        "--emit=json", "-o", plan)
    made = planfile.read(plan)
    arena = made["pools"][0]["size"]
    storages = sum(s["pool"] == 0 for s in made["storages"])
    count, size = height(tenure, fixed)
    again = height(tenure, free)[1]
    if (count, size) != (storages, arena) or again > arena:
        sys.exit(f"{model} {setting}: {storages} storages in {arena} bytes are {count} in {size} as an instance, "
                 f"{again} when packed again")


def main():
    tenure, work, models = sys.argv[1], sys.argv[2], sys.argv[3:]
    os.makedirs(work, exist_ok=True)
    for model in models:
        for setting in SETTINGS:
            check(tenure, work, model, setting)
    print(f"{len(models) * len(SETTINGS)} plans written as instances and packed again")
    return 0 if models else 1


if __name__ == "__main__":
    sys.exit(main())
