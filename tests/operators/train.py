"""Gradient graphs without any stored type: how many results of ops get a shape. Nearly all must, by each
model's own count, since a plan of a training step is worth little without the gradients.

usage: train.py INFER_TYPES     (the program tests/tools/infer_types.c)
"""

import collections
import os
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "tests", "models"))
import corpus  # noqa: E402
from infer import ours  # noqa: E402

LEAST = 0.9


def main():
    few = models = 0
    for name, path in corpus.models():
        if not name.startswith(("train/", "shipped/train_")):
            continue
        models += 1
        rows = list((ours(sys.argv[1], path) or {}).values())
        known = sum(r["known"] for r in rows)
        reasons = collections.Counter(r["why"] for r in rows if not r["known"])
        print(f"{name}: {known} of {len(rows)}", *(f"{n} x {why}" for why, n in reasons.items()), sep="; ")
        few += known < LEAST * max(1, len(rows))
    return 1 if few or models == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
