"""Pages that are made from figures: written, or with --check held against what the figures say."""

import os
import sys


def keep(path, text, source):
    """The exit code: writes `text` to `path`, or with --check fails when the page says something else than `source`."""
    if "--check" not in sys.argv[1:]:
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return 0
    with open(path, encoding="utf-8") as f:
        if f.read() == text:
            return 0
    print(f"bench/{os.path.basename(path)} is not what bench/{source} says: run {os.path.relpath(sys.argv[0])}")
    return 1
