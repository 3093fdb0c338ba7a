#!/usr/bin/env python3
"""Fails where a test looks at a clock, sleeps or sets a timer: what it finds must not depend on how fast or busy the machine
is. A file that may do so has a line in ALLOWED, which says why its result does not hang on it. Limits at which a test
gives up a program that hangs (`timeout=`) are no clock in this sense. Usage: check_clocks.py [ROOT]"""

import os
import re
import sys

CLOCK = re.compile(r"\btime\.(?:time|monotonic|perf_counter|process_time|sleep)\w*\(|\bthreading\.Timer\(|\bsetitimer\("
                   r"|\balarm\(|\b(?:nano|u)?sleep\(|^\s*sleep \d|\bclock(?:_gettime)?\(|\bgettimeofday\(|-max_total_time",
                   re.MULTILINE)
ENDINGS = (".py", ".sh", ".c", ".h", ".js", ".cmake", ".txt", ".test")
ALLOWED = {
    "tests/check_clocks.py": "names them",
    "tests/python_tests.cmake": "plants one, which has to be found",
    "tests/check_completion.py": "gives up a shell that hangs",
    "tests/pictures/browser.py": "gives up a page that is never painted",
    "tests/web/web.py": "gives up a page that does nothing, and files that are never loaded down",
    "tests/random/random_plans.c": "--seconds, for soaks by hand: no test asks for it",
    "tests/headers/resolve_probe.c": "prints the time of a call, for bench/",
    "tests/headers/replay.py": "prints how long a model took",
    "tests/execution/execute.py": "prints it, and gives up a model whose kernels take minutes of processor time",
    "tests/programs/executed.py": "the same",
    "tests/gradients/models.py": "the same",
}


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    found, idle = [], set(ALLOWED)
    for folder, _, names in os.walk(os.path.join(root, "tests")):
        for name in sorted(names):
            path = os.path.join(folder, name)
            short = os.path.relpath(path, root).replace(os.sep, "/")
            if not name.endswith(ENDINGS):
                continue
            with open(path, encoding="utf-8", errors="replace") as f:
                text = f.read()
            for hit in CLOCK.finditer(text):
                idle.discard(short)
                if short not in ALLOWED:
                    found.append(f"{short}:{text.count(chr(10), 0, hit.start()) + 1}: {hit.group().strip()}...: a test must not "
                                 "depend on time (tests/check_clocks.py)")
    found += [f"{short}: allowed a clock, and has none" for short in sorted(idle) if len(sys.argv) == 1]
    print("\n".join(found) if found else "no test depends on time")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
