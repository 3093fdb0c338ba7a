"""Plants faults in the sources, one at a time, and asks whether the tests notice.

    plant.py BUILD_DIR [--wide] [NAME...]   plants all faults of faults_*.txt, or those named; --wide: what the tests
                                            of a fault miss is tried by all quick tests and
                                            those of all operators
    plant.py --look                         only looks whether the text of each is still where it was

A fault is a small change of one file, and the tests that have to fail with it. It begins with "== NAME" and has the
file, the tests, the old text behind "---" and the new one behind "+++". Tests are names as ctest has
them; `text:REGEX` is the test `text` with the files of tests/text that REGEX matches. Each test has to pass
before anything is planted, or its failing would mean nothing. BUILD_DIR is configured already, for Ninja. The
sources are as they were when this ends, also when it is interrupted.

Exit code 0: all are caught. 1: some are missed, do not compile, or are not where the files say.
"""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys

here = pathlib.Path(__file__).resolve().parent
top = here.parent.parent
LONGEST = 600  # seconds a test may take: a fault may make it run for ever


class Fault:
    def __init__(self, block):
        head, rest = block.split("\n---\n", 1)
        self.old, self.new = rest.rstrip("\n").split("\n+++\n", 1)
        lines = head.splitlines()
        self.name = lines[0].strip()
        fields = dict(line.split(": ", 1) for line in lines[1:] if line)
        self.path = top / fields["file"]
        self.tests = fields["tests"].split()

    def complaint(self):
        """Why it cannot be planted, or None."""
        if not self.path.is_file():
            return f"there is no file {self.path.relative_to(top)}"
        n = self.path.read_text().count(self.old)
        if n != 1:
            return f"its old text occurs {n} times in {self.path.relative_to(top)}, not once"
        return "its new text is the old one" if self.old == self.new else None


def read_faults():
    texts = [path.read_text() for path in sorted(here.glob("faults_*.txt"))]
    faults = [Fault(block) for text in texts for block in re.split(r"^== ", text, flags=re.M)[1:]]
    names = [f.name for f in faults]
    twice = sorted({n for n in names if names.count(n) > 1})
    if twice:
        sys.exit(f"there are two faults of one name: {', '.join(twice)}")
    return faults


def look(faults):
    bad = [(f.name, f.complaint()) for f in faults if f.complaint() is not None]
    for name, why in bad:
        print(f"{name}: {why}")
    return not bad


class Build:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder).resolve()
        shown = subprocess.run(["ctest", "--show-only=json-v1"], cwd=self.folder, check=True, capture_output=True)
        self.commands = {t["name"]: t.get("command", []) for t in json.loads(shown.stdout)["tests"]}
        listed = subprocess.run(["ninja", "-t", "targets", "all"], cwd=self.folder, check=True, capture_output=True)
        self.targets = {line.rsplit(": ", 1)[0] for line in listed.stdout.decode().splitlines()}

    def made_for(self, test):
        """What has to be built for a test: the files of its command that the build makes."""
        prefix = f"{self.folder}/"
        words = [w for w in self.commands.get(ctest_name(test), []) if w.startswith(prefix)]
        made = [w[len(prefix) :] for w in words if w[len(prefix) :] in self.targets]
        return made or ["all"]

    def make(self, tests):
        """Builds what the tests need, all for none; the compiler's words where it fails."""
        wanted = sorted({made for test in tests for made in self.made_for(test)}) or ["all"]
        done = subprocess.run(["ninja", *wanted], cwd=self.folder, capture_output=True, text=True)
        return None if done.returncode == 0 else done.stdout + done.stderr

    def passes(self, test):
        environment = dict(os.environ)
        if test.startswith("text:"):
            environment["LIT_FILTER"] = test[len("text:") :]
        command = ["ctest", "-R", f"^{re.escape(ctest_name(test))}$", "--no-tests=error", "--timeout", str(LONGEST)]
        return subprocess.run(command, cwd=self.folder, env=environment, capture_output=True).returncode == 0

    def first_quick_failure(self):
        """The name of a quick test that fails, or of one of all operators, or None; those of the least time first."""
        for those in (["-R", r"^unit\."], ["-R", "^text$"], ["-L", "quick", "-E", r"^(unit\..*|text|tree\.planted)$"],
                      ["-R", r"^(execution\.(nodes|claims)|operators\..*)$"]):
            command = ["ctest", "-j", str(os.cpu_count()), *those, "-LE", "leaks", "--stop-on-failure", "--timeout", str(LONGEST)]
            said = subprocess.run(command, cwd=self.folder, capture_output=True, text=True).stdout
            failed = re.findall(r"^\s+\d+ - (\S+) \(", said, flags=re.M)
            if failed:
                return failed[0]
        return None


def ctest_name(test):
    return "text" if test.startswith("text:") else test


def plant(build, fault, wide):
    """What became of the fault: caught, missed, or does not compile."""
    before = fault.path.read_bytes()
    try:
        fault.path.write_bytes(before.decode().replace(fault.old, fault.new).encode())
        errors = build.make(fault.tests)
        if errors is not None:
            return "does not compile", errors[-2000:]
        by = next((test for test in fault.tests if not build.passes(test)), None)
        if by is None and wide:
            errors = build.make([])
            if errors is not None:
                return "does not compile", errors[-2000:]
            by = build.first_quick_failure()
        return ("caught", f"by {by}") if by is not None else ("missed", f"by {', '.join(fault.tests)}")
    finally:
        fault.path.write_bytes(before)


def begin(build, faults):
    """Builds the sources as they are, and runs each test once: whether all pass."""
    tests = sorted({test for fault in faults for test in fault.tests})
    errors = build.make(tests)
    if errors is not None:
        print(errors)
        return False
    good = True
    for test in tests:
        passed = build.passes(test)
        print(f"nothing planted: {test} {'passes' if passed else 'fails, or does not exist'}", flush=True)
        good = good and passed
    return good


def main(words):
    faults = read_faults()
    if words == ["--look"]:
        good = look(faults)
        print(f"{len(faults)} faults" + ("" if good else ", not all of which are where the files say"))
        return 0 if good else 1
    if not words or words[0].startswith("-"):
        sys.exit(__doc__)
    wide, names = "--wide" in words, [w for w in words[1:] if w != "--wide"]
    unknown = [name for name in names if name not in {f.name for f in faults}]
    if unknown:
        sys.exit(f"no such fault: {', '.join(unknown)}")
    faults = [f for f in faults if f.name in names or not names]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    build = Build(words[0])
    if not look(faults) or not begin(build, faults):
        return 1
    results = {"caught": 0, "missed": 0, "does not compile": 0}
    try:
        for fault in faults:
            result, detail = plant(build, fault, wide)
            results[result] += 1
            print(f"{fault.name}: {result} {detail}", flush=True)
    finally:  # nothing built with a fault stays behind
        build.make([test for fault in faults for test in fault.tests])
    print(", ".join(f"{n} {result}" for result, n in results.items()))
    return 0 if results["caught"] == len(faults) else 1


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
