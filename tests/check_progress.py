#!/usr/bin/env python3
"""check_progress.py TENURE: what a command that takes long shows on a terminal, that pipes get nothing of it, and that
Ctrl-C ends it, with exit code 130 and no file, or with --keep-best a plan that says so."""

import json
import os
import pty
import random
import re
import signal
import subprocess
import sys
import tempfile


def hard_instance(path):
    """Buffers with gaps, on which a search of effort 3 takes minutes."""
    rng = random.Random(7)
    with open(path, "w", encoding="utf-8") as f:
        f.write("id,lower,upper,size,gaps\n")
        for i in range(61):
            lower = rng.randrange(60)
            upper = lower + rng.randrange(8, 40)
            at = rng.randrange(lower + 1, upper - 2)
            f.write(f"{i},{lower},{upper},{rng.randrange(1, 60)},{at}-{at + 1}\n")


def hard_model(path):
    """A graph whose best order a search of -O3 looks for longer than any test waits."""
    rng = random.Random(7)
    with open(path, "w", encoding="utf-8") as f:
        f.write('tir 1\nmodule "hard"\nopset "" 17\nopset "my" 1\n\ngraph @0 "hard" {\n  input %x: f32[128]\n')
        seen = ["x"]
        for i in range(400):
            operands = ", ".join("%" + rng.choice(seen[-30:]) for _ in range(rng.randrange(1, 4)))
            f.write(f'  %v{i}: f32[{16 * rng.randrange(1, 60)}] = my::Mix({operands}) @"n{i}" #{i}\n')
            seen.append(f"v{i}")
        f.write("  return %v399\n}\n")


class OnTerminal:
    """A command whose messages go to a terminal, where it shows what it is at."""

    def __init__(self, command):
        self.fd, theirs = pty.openpty()
        self.child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=theirs, env={**os.environ, "TERM": "vt100"})
        os.close(theirs)
        self.seen = b""

    def read(self):
        """Some more of what it shows; False when it has ended."""
        try:
            more = os.read(self.fd, 4096)
        except OSError:  # what Linux says of a terminal that nobody has open any more
            more = b""
        self.seen += more
        return more != b""

    def read_until(self, pattern):
        while re.search(pattern, self.seen) is None:
            assert self.read(), self.seen

    def interrupt(self):
        """What it says behind Ctrl-C, and its exit code."""
        self.seen = b""
        self.child.send_signal(signal.SIGINT)
        while self.read():
            pass
        os.close(self.fd)
        return self.seen, self.child.wait()


def shown(command):
    """The seconds count up in one line."""
    one = OnTerminal(command)
    one.read_until(rb"\r\x1b\[Ktenure: pack, (\d+) s\r\x1b\[Ktenure: pack, (?!\1)\d+ s")
    said, status = one.interrupt()
    assert status == 130 and said.endswith(b"error: interrupted\r\n"), (status, said)


def in_pipe(command):
    """The same command shows nothing where one that began later, on a terminal, has shown that seconds went by."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    shown(command)
    child.send_signal(signal.SIGINT)
    said = child.communicate()[1]
    assert (child.returncode, said) == (130, b"error: interrupted\n"), (child.returncode, said)


def interrupted(command, folder):
    before = os.listdir(folder)
    in_pipe(command)
    assert os.listdir(folder) == before, os.listdir(folder)


def kept(tenure, folder):
    model, plan = os.path.join(folder, "hard.tir"), os.path.join(folder, "hard.json")
    hard_model(model)
    one = OnTerminal([tenure, "plan", model, "-O3", "--keep-best", "--emit=json", "-o", plan])
    one.read_until(rb"tenure: schedule")
    said, status = one.interrupt()
    assert status == 130 and b"warning: interrupted: the plan is the best" in said, (status, said)
    with open(plan, encoding="utf-8") as f:
        assert json.load(f)["programs"][0]["variants"][0]["report"]["interrupted"] is True
    subprocess.run([tenure, "check", model, plan], check=True)


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "hard.csv")
        hard_instance(path)
        command = [sys.argv[1], "pack", path, "--effort=3", "-o", os.path.join(folder, "packed.csv")]
        shown(command)
        interrupted(command, folder)
        kept(sys.argv[1], folder)


if __name__ == "__main__":
    main()
