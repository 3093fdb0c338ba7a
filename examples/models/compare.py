#!/usr/bin/env python3
"""Says whether a program's outputs are those stored for it.

usage: compare.py STORED <OUTPUTS

STORED has a line for each output, its name and its floats; OUTPUTS the bytes of each on a line, in hexadecimal digits, as
the programs of examples/ print them. Needs Python alone. Exit code 1: they differ.
"""

import struct
import sys

BOUND = 1e-4  # of the largest number of an output: kernels add in orders of their own


def difference(wanted, digits):
    """The largest one, by the largest number wanted."""
    data = bytes.fromhex(digits)
    if len(data) != 4 * len(wanted):
        return float("inf")
    pairs = list(zip(wanted, struct.unpack(f"<{len(wanted)}f", data)))
    if not all(abs(got) < float("inf") for _, got in pairs):
        return float("inf")
    return max(abs(w - got) for w, got in pairs) / max(abs(w) for w in wanted)


def main(stored):
    with open(stored, encoding="utf-8") as f:
        outputs = [line.split() for line in f if not line.startswith("#")]
    lines = sys.stdin.read().split()
    if len(lines) != len(outputs):
        sys.exit(f"compare.py: {len(lines)} outputs, {len(outputs)} are stored in {stored}")
    worst = 0.0
    for (name, *numbers), digits in zip(outputs, lines):
        wanted = [float(n) for n in numbers]
        away = difference(wanted, digits)
        print(f"{name}: {len(wanted)} numbers, away from those stored by {away:.1e} of the largest at most")
        worst = max(worst, away)
    return 0 if worst <= BOUND else 1


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: compare.py STORED <OUTPUTS")
    sys.exit(main(sys.argv[1]))
