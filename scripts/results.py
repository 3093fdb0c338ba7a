"""results.py FOLDER: what the stages of scripts/test.sh came to: each with its time, each failed test with its stage, and
in the last line how many tests passed and failed. Fails where anything did.

The folder holds `stages`, lines of NAME|STATUS|SECONDS, and for a stage "NAME: tests" ctest's NAME.xml."""

import os
import sys
import xml.etree.ElementTree as xml


def tests_of(path):
    """(name, "passed", "failed" or "skipped") of each test that was to run. Skipped are those that said so themselves, or
    are switched off; one whose program or file is missing has failed."""
    for case in xml.parse(path).getroot().iter("testcase"):
        status, why = case.get("status"), case.find("skipped")
        own = status == "disabled" or why is not None and why.get("message", "").startswith("SKIP_")
        yield case.get("name"), "passed" if status == "run" else "skipped" if own else "failed"


def main():
    folder = sys.argv[1]
    counts, failures, times = {"passed": 0, "failed": 0, "skipped": 0}, [], []
    with open(os.path.join(folder, "stages"), encoding="utf-8") as f:
        stages = [line.rstrip("\n").split("|") for line in f]
    for stage, status, seconds in stages:
        times.append((stage, seconds))
        found, path = [], os.path.join(folder, stage.removesuffix(": tests") + ".xml")
        if stage.endswith(": tests") and os.path.exists(path):
            found = list(tests_of(path))
        for name, said in found:
            counts[said] += 1
            if said == "failed":
                failures.append(f"{stage}: {name}")
        if int(status) != 0 and not any(said == "failed" for _, said in found):
            counts["failed"] += 1
            failures.append(f"{stage}: ended with status {status}")
    print("\n== results")
    for stage, seconds in times:
        print(f"{int(seconds):6} s  {stage}")
    for failure in failures:
        print(f"failed: {failure}")
    skipped = f", {counts['skipped']} skipped" if counts["skipped"] else ""
    print(f"{counts['passed']} passed, {counts['failed']} failed{skipped}")
    return 1 if failures or counts["passed"] == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
