"""Environments of Python with packages of others, in the build folder, for the tests of adapters."""

import os
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def python(folder, *requirements):
    """The interpreter of an environment with these packages, made where it is not there. Where they cannot be had the
    test ends as skipped (77) and says why."""
    interpreter = os.path.join(folder, "bin", "python")
    complete = os.path.join(folder, "installed.txt")
    wanted = "\n".join(requirements)
    if os.path.exists(complete) and open(complete, encoding="utf-8").read() == wanted:
        return interpreter
    subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
    made = subprocess.run([interpreter, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-cache-dir", *requirements],
                          capture_output=True, text=True)
    if made.returncode:
        print(f"left out: {', '.join(requirements)} cannot be had: {made.stderr.strip().splitlines()[-1:]}")
        sys.exit(77)
    with open(complete, "w", encoding="utf-8") as f:
        f.write(wanted)
    return interpreter
