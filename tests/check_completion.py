#!/usr/bin/env python3
"""check_completion.py TENURE: bash, zsh and fish complete command lines with what `tenure completion` prints, tried in
the shells themselves; shells that are missing are said. Every option of every command is among what is proposed, and
every command and option has its place in the manual pages, which mandoc reads without a warning."""

import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

LIMIT_S = 900
# What is typed, and what the line is after Tab.
LINES = [
    ("tenure pl", "tenure plan "),
    ("tenure plan --sched", "tenure plan --schedule="),
    ("tenure plan --schedule=min", "tenure plan --schedule=min-peak "),
    ("tenure plan --emit=js", "tenure plan --emit=json "),
    ("tenure plan --emit=svg,wi", "tenure plan --emit=svg,width="),
    ("tenure plan --emit=json --emit-opt svg.wi", "tenure plan --emit=json --emit-opt svg.width="),
    ("tenure plan --print-after reus", "tenure plan --print-after reuse "),
    ("tenure plan net.o", "tenure plan net.onnx "),
    ("tenure plan --project=net.o", "tenure plan --project=net.onnx "),
    ("tenure help pac", "tenure help pack "),
]


def said(*command, **more):
    return subprocess.run(command, capture_output=True, text=True, check=True, **more).stdout


class Shell:
    """An interactive shell on a terminal of its own."""

    def __init__(self, argv, folder, environment):
        self.child, self.fd = pty.fork()
        if self.child == 0:
            os.chdir(folder)
            os.execvpe(argv[0], argv, environment)

    def until(self, wanted):
        seen, end = "", time.monotonic() + LIMIT_S
        while wanted not in seen and time.monotonic() < end:
            if select.select([self.fd], [], [], 0.2)[0]:
                seen += re.sub(r"\x07|\x1b\[[?0-9;]*[a-zA-Z]", "", os.read(self.fd, 4096).decode(errors="replace"))
        return seen

    def send(self, text):
        os.write(self.fd, text.encode())

    def end(self):
        os.close(self.fd)
        os.waitpid(self.child, 0)


def on_terminal(argv, setup, folder, environment):
    """The lines that Tab does not turn into what is wanted."""
    shell = Shell(argv, folder, environment)
    shell.send(setup + "; echo rea''dy\n")
    shell.until("ready\r\n")
    for typed, wanted in LINES:
        shell.send(typed + "\t")
        seen = shell.until(wanted)
        if wanted not in seen:
            yield f"{argv[0]}: '{typed}' does not become '{wanted}': {seen!r}"
        shell.send("\x15")
    shell.end()


def in_fish(folder, environment):
    for typed, wanted in LINES:
        got = said("fish", "--no-config", "-c", f"source tenure.fish; complete -C '{typed}'", cwd=folder, env=environment)
        last = wanted.rstrip().split(" ")[-1]
        if last not in [line.split("\t")[0] for line in got.splitlines()]:
            yield f"fish: '{typed}' does not become '{wanted}': {got!r}"


def options_of(tenure, command):
    """As --help names them."""
    for line in said(tenure, command, "--help").splitlines():
        if line.startswith("  -"):
            yield from re.findall(r"(?:^  |, )(--[a-z-]+|-[A-Za-z])", line)


def commands_of(tenure):
    return re.findall(r"^  ([a-z]+) ", said(tenure, "help").split("options:")[0], re.M)


def pages(tenure, folder):
    """What is missing from manual pages and proposals."""
    page = said(tenure, "man")
    for command in commands_of(tenure):
        if f".B {command}\n" not in page:
            yield f"tenure(1) lacks {command}"
        text = said(tenure, "man", command).replace("\\-", "-")
        proposed = {line.split("\t")[0].rstrip("=")
                    for line in said(tenure, "completion", "words", "--", command, "--").splitlines()}
        proposed |= {line.split("\t")[0] for line in said(tenure, "completion", "words", "--", command, "-O").splitlines()}
        for option in options_of(tenure, command):
            if f"\\fB{option}\\fR" not in text:
                yield f"tenure-{command}(1) lacks {option}"
            if option not in proposed and not re.fullmatch("-[oqO]|--skip", option):
                yield f"{option} of {command} is not proposed"
    for command in ["", *commands_of(tenure)]:
        path = os.path.join(folder, f"tenure-{command}.1")
        with open(path, "w", encoding="utf-8") as f:
            f.write(said(tenure, "man", *command.split()))
        if shutil.which("mandoc"):
            # The same command prints the same page on every day, so the page has no date.
            wrong = [line for line in subprocess.run(["mandoc", "-T", "lint", "-W", "warning", path], capture_output=True,
                                                     text=True, check=False).stdout.splitlines()
                     if "missing date" not in line]
            yield from wrong
            shown = said("mandoc", "-T", "utf8", path)
            if "EXIT STATUS" not in re.sub(".\b", "", shown):
                yield f"{path}: {shown[:200]}"


def main():
    tenure, wrong, shells = os.path.abspath(sys.argv[1]), [], []
    with tempfile.TemporaryDirectory() as folder:
        wrong += pages(tenure, folder)
        os.mkdir(os.path.join(folder, "bin"))
        os.symlink(tenure, os.path.join(folder, "bin", "tenure"))
        with open(os.path.join(folder, "net.onnx"), "wb"):
            pass
        for shell, name in (("bash", "tenure.bash"), ("zsh", "_tenure"), ("fish", "tenure.fish")):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
                f.write(said(tenure, "completion", shell))
            if shutil.which(shell):
                shells.append(shell)
        environment = {**os.environ, "PATH": folder + "/bin:" + os.environ["PATH"], "TERM": "dumb", "HOME": folder,
                       "COLUMNS": "200"}
        if "bash" in shells:
            wrong += on_terminal(["bash", "--norc", "--noprofile", "-i"], "source ./tenure.bash", folder, environment)
        if "zsh" in shells:
            wrong += on_terminal(["zsh", "-f", "-i"], "fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D; "
                                 "unsetopt zle_bracketed_paste beep", folder, environment)
        if "fish" in shells:
            wrong += in_fish(folder, environment)
    print("\n".join([*wrong, f"{len(LINES)} lines in {', '.join(shells)}; mandoc {'read' if shutil.which('mandoc') else 'is missing'}"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
