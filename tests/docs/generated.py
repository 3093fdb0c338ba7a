"""Says when a page or picture of docs is not what the command makes any more, or with --write renews them.

usage: generated.py TENURE [--write]
"""

import os
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SHOWN = os.path.join(TOP, "examples", "models", "squeezenet1_1.onnx")
MADE_BY = {
    "docs/generated/BACKENDS.md": ["--list-backends=md"],
    "docs/generated/OPS.md": ["--list-ops=md"],
    "docs/generated/PASSES.md": ["--list-passes=md"],
    "docs/project.schema.json": ["--list-options=schema"],
    "docs/plan.svg": ["plan", "--quiet", SHOWN, "--emit=svg"],
}


def main():
    tenure, stale = sys.argv[1], 0
    for name, arguments in MADE_BY.items():
        text = subprocess.run([tenure, *arguments], capture_output=True, check=True).stdout
        path = os.path.join(TOP, name)
        if "--write" in sys.argv[2:]:
            with open(path, "wb") as f:
                f.write(text)
            continue
        with open(path, "rb") as f:
            if f.read() != text:
                stale += 1
                print(f"{name} is stale: run tests/docs/generated.py TENURE --write")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
