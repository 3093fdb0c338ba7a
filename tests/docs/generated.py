"""Tells when a page of docs/generated is not what the command makes any more, or with --write renews them.

usage: generated.py TENURE [--write]
"""

import os
import subprocess
import sys

PAGES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "generated")
MADE_BY = {"OPS.md": "--list-ops=md", "PASSES.md": "--list-passes=md"}


def main():
    tenure, stale = sys.argv[1], 0
    for name, flag in MADE_BY.items():
        text = subprocess.run([tenure, flag], capture_output=True, check=True).stdout
        path = os.path.join(PAGES, name)
        if "--write" in sys.argv[2:]:
            with open(path, "wb") as f:
                f.write(text)
            continue
        with open(path, "rb") as f:
            if f.read() != text:
                stale += 1
                print(f"docs/generated/{name} is stale: run tests/docs/generated.py TENURE --write")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
