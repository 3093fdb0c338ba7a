#!/usr/bin/env python3
"""check_progress.py TENURE: what a command that takes long shows on a terminal, that pipes get nothing of it, and that
Ctrl-C ends it soon, with exit code 130 and no file, or with --keep-best a plan that says so."""

import json
import os
import pty
import random
import signal
import subprocess
import sys
import tempfile
import time

LIMIT_S = 60
SOON_S = 5  # a tenth of a second where nothing else runs


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
    """A graph whose best order a search of -O3 looks for longer than the test waits."""
    rng = random.Random(7)
    with open(path, "w", encoding="utf-8") as f:
        f.write('tir 1\nmodule "hard"\nopset "" 17\nopset "my" 1\n\ngraph @0 "hard" {\n  input %x: f32[128]\n')
        seen = ["x"]
        for i in range(400):
            operands = ", ".join("%" + rng.choice(seen[-30:]) for _ in range(rng.randrange(1, 4)))
            f.write(f'  %v{i}: f32[{16 * rng.randrange(1, 60)}] = my::Mix({operands}) @"n{i}" #{i}\n')
            seen.append(f"v{i}")
        f.write("  return %v399\n}\n")


def read_until(fd, wanted):
    seen, end = b"", time.monotonic() + LIMIT_S
    while wanted not in seen and time.monotonic() < end:
        seen += os.read(fd, 4096)
    return seen


def on_terminal(command):
    ours, theirs = pty.openpty()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=theirs, env={**os.environ, "TERM": "vt100"})
    seen = read_until(ours, b", 2 s")
    child.kill()
    child.wait()
    assert b"\r\x1b[Ktenure: pack, 1 s\r\x1b[Ktenure: pack, 2 s" in seen, seen
    os.close(ours)
    os.close(theirs)


def in_pipe(command):
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    time.sleep(2.5)
    child.kill()
    seen = child.communicate()[1]
    assert seen == b"", seen


def interrupted(command, folder):
    before = os.listdir(folder)
    for wait in (0.5, 1.5):
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        time.sleep(wait)
        child.send_signal(signal.SIGINT)
        said = child.communicate(timeout=SOON_S)[1]
        assert (child.returncode, said) == (130, b"error: interrupted\n"), (child.returncode, said)
        assert os.listdir(folder) == before, os.listdir(folder)


def kept(tenure, folder):
    model, plan = os.path.join(folder, "hard.tir"), os.path.join(folder, "hard.json")
    hard_model(model)
    command = [tenure, "plan", model, "-O3", "--keep-best", "--emit=json", "-o", plan]
    child = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    time.sleep(1)
    child.send_signal(signal.SIGINT)
    said = child.communicate(timeout=SOON_S)[1]
    assert child.returncode == 130 and said.startswith("warning: interrupted: the plan is the best"), said
    with open(plan, encoding="utf-8") as f:
        assert json.load(f)["programs"][0]["variants"][0]["report"]["interrupted"] is True
    subprocess.run([tenure, "check", model, plan], check=True)


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "hard.csv")
        hard_instance(path)
        command = [sys.argv[1], "pack", path, "--effort=3", "-o", os.path.join(folder, "packed.csv")]
        on_terminal(command)
        in_pipe(command)
        interrupted(command, folder)
        kept(sys.argv[1], folder)


if __name__ == "__main__":
    main()
