"""Shared objects of the systems before, on the same buffers: tenure never needs more bytes than the best of them.

For every model and setting the arena's live ranges are shared as these do, and by `tenure pack --memory=slots`:
  memonger  optimize_inference_fast: the buffer freed last, whatever its size
  caffe     MemoryOptimize_v2: the first free slot, whatever its size
  paddle    memory_optimize level 1: the smallest free variable that is large enough, else a new one
  clusters  EnableMemoryOptim: by falling size, everything that meets no member of a cluster joins it
Of ResNet-50 memonger keeps 3 buffers, and 5 where branches may run side by side; tenure needs 3.

usage: seeds.py TENURE WORK_DIR MODEL...
"""

import csv
import os
import re
import subprocess
import sys

SETTINGS = [["-O1"], [], ["-O3"]]
RESNET_BUFFERS = 3


def recycle(buffers, choose):
    """Buffers by their begin; `choose` takes one of the free objects (index, size), or None for a new one."""
    free, live, sizes = [], [], []
    for lower, upper, size in sorted(buffers):
        dead = sorted(b for b in live if b[0] <= lower)
        live = [b for b in live if b[0] > lower]
        free += [at for _, at in dead]
        at = choose([(f, sizes[f]) for f in free], size)
        if at is None:
            at = len(sizes)
            sizes.append(0)
        else:
            free.remove(at)
        sizes[at] = max(sizes[at], size)
        live.append((upper, at))
    return sizes


def memonger(free, size):
    return free[-1][0] if free else None


def caffe(free, size):
    return min(free)[0] if free else None


def paddle(free, size):
    enough = [(s, at) for at, s in free if s >= size]
    return min(enough)[1] if enough else None


def clusters(buffers):
    left, sizes = sorted(buffers, key=lambda b: -b[2]), []
    while left:
        members, rest = [], []
        for b in left:
            apart = all(b[1] <= m[0] or m[1] <= b[0] for m in members)
            (members if apart else rest).append(b)
        sizes.append(members[0][2])
        left = rest
    return sizes


def tenure_objects(tenure, path):
    done = subprocess.run([tenure, "pack", path, "--memory=slots", "--effort=1", "-o", path + ".out"],
                          capture_output=True, text=True)
    found = re.search(r"(\d+) objects of (\d+) in all", done.stderr)
    if done.returncode != 0 or found is None:
        sys.exit(f"tenure pack {path} exits with {done.returncode}:\n{done.stderr}")
    return int(found[1]), int(found[2])


def instance(tenure, work, model, setting):
    path = os.path.join(work, "instance.csv")
    subprocess.run([tenure, "plan", model, *setting, "--partial", "-q", "--emit=csv,offsets=off", "-o", path], check=True)
    with open(path, newline="") as f:
        rows = list(csv.DictReader(f))
    return path, [(int(r["lower"]), int(r["upper"]), int(r["size"])) for r in rows]


def check(tenure, work, model, setting):
    path, buffers = instance(tenure, work, model, setting)
    theirs = {"memonger": recycle(buffers, memonger), "caffe": recycle(buffers, caffe),
              "paddle": recycle(buffers, paddle), "clusters": clusters(buffers)}
    count, total = tenure_objects(tenure, path)
    for name, sizes in theirs.items():
        if total > sum(sizes):
            sys.exit(f"{model} {setting}: {total} bytes, {name} needs {sum(sizes)}")
    if os.path.basename(model) == "resnet50.onnx" and (count, len(theirs["memonger"])) != (RESNET_BUFFERS,) * 2:
        sys.exit(f"{model} {setting}: {count} objects, memonger {len(theirs['memonger'])}, not {RESNET_BUFFERS}")
    return sum(total < sum(sizes) for sizes in theirs.values())


def main():
    tenure, work, models = sys.argv[1], sys.argv[2], sys.argv[3:]
    os.makedirs(work, exist_ok=True)
    lower = sum(check(tenure, work, model, setting) for model in models for setting in SETTINGS)
    print(f"{len(models) * len(SETTINGS)} instances, four systems each: never more bytes, fewer {lower} times")
    return 0 if any(os.path.basename(m) == "resnet50.onnx" for m in models) else 1


if __name__ == "__main__":
    sys.exit(main())
