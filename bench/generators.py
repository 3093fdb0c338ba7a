"""Other generators of C from ONNX, for comparison: emx-onnx-cgen, which comes from PyPI into an environment of its own, and
onnx2c, whose program the option --onnx2c=PATH names (its source is public; it is built outside of this project).

Each gives a file `other.c` with the network and a function `run_network` without arguments, which calls it on arrays of
zeros that stand in the file.
"""

import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
NAMES = ("emx-onnx-cgen", "onnx2c")


def output_of(command, **more):
    return subprocess.run(command, capture_output=True, text=True, check=True, **more).stdout


def found():
    """Name -> program, of the generators that are there, and what is left of the command line."""
    venv = next((a[7:] for a in sys.argv if a.startswith("--venv=")), os.path.join(os.path.dirname(HERE), "build", "emx"))
    emx = os.path.join(venv, "bin", "emx-onnx-cgen")
    if not os.path.exists(emx):
        output_of([sys.executable, "-m", "venv", venv])
        output_of([os.path.join(venv, "bin", "python"), "-m", "pip", "install", "--quiet", "emx-onnx-cgen"])
    programs = {"emx-onnx-cgen": emx}
    programs |= {"onnx2c": os.path.abspath(a[9:]) for a in sys.argv if a.startswith("--onnx2c=")}
    return programs, [a for a in sys.argv[1:] if not a.startswith(("--venv=", "--onnx2c="))]


def versions(programs):
    said = output_of([os.path.join(os.path.dirname(programs["emx-onnx-cgen"]), "python"), "-m", "pip", "show", "emx-onnx-cgen"])
    return "emx-onnx-cgen " + re.search(r"Version: (\S+)", said)[1] + (" (PyPI)" if "onnx2c" not in programs else " (PyPI) and onnx2c")


def call(name, folder):
    """Writes other.c."""
    with open(os.path.join(folder, "network.c"), encoding="utf-8") as f:
        text = f.read()
    entry = "network" if name == "emx-onnx-cgen" else "entry"
    parameters = re.findall(rf"^void {entry}\(([^{{;]*)\)\s*\{{", text, re.M)[-1]
    arrays = [kind + f" array_{i}" + re.sub(r"restrict|static|const", "", dims)
              for i, (kind, dims) in enumerate(re.findall(r"(?:const\s+)?(\w+)\s+\w+\s*((?:\[[^\]]*\])*)", parameters))]
    with open(os.path.join(folder, "other.c"), "w", encoding="utf-8") as f:
        f.write('#include "network.c"\n' + "".join(f"static {array};\n" for array in arrays))
        f.write(f"void run_network(void);\nvoid run_network(void) {{\n    {entry}({', '.join(f'array_{i}' for i in range(len(arrays)))});\n}}\n")


def generate(name, program, path, options, folder):
    """None; or why there is no C."""
    target = os.path.join(folder, "network.c")
    dims = [f"--input-dim={o.removeprefix('--dim=')}" for o in options if "=" in o]
    command = ([program, "compile", path, target, "--model-name", "network", "--large-temp-threshold=0", "--large-weight-threshold=0", *dims]
               if name == "emx-onnx-cgen" else [program, *[a for d in dims for a in ("-d", d.removeprefix("--input-dim=").replace("=", ":"))], path])
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    except subprocess.TimeoutExpired:
        return "takes more than 300 s"
    if name == "onnx2c" and done.returncode == 0:
        with open(target, "w", encoding="utf-8") as f:
            f.write(done.stdout)
    if done.returncode != 0 or not os.path.exists(target):
        said = (done.stderr or done.stdout).strip().splitlines()
        return said[-1][-100:] if said else f"exit code {done.returncode}"
    call(name, folder)
    return None
