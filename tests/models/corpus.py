"""The models tests and benchmarks run over, and running the command on them.

Shipped models are in examples/models; the folder named by TENURE_MODELS adds real exports. Models with
open dimensions are bound by the line of their name in dims.txt.
"""

import json
import os
import shlex
import subprocess
import sys
import zlib

import planfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
SHIPPED = os.path.join(TOP, "examples", "models")
LIMIT_S = 900  # what takes so long never ends, however busy the machine is


def bindings():
    """name -> list of options."""
    lines = {}
    with open(os.path.join(HERE, "dims.txt"), encoding="utf-8") as f:
        for line in f:
            line = line.split("#")[0].strip()
            if line:
                name, options = line.split(":", 1)
                lines[name.strip()] = shlex.split(options)
    return lines


def unbound(options):
    """Of these options, what a model takes that `opt` wrote with all of them: names that --dim bound are numbers in it."""
    return [o for before, o in zip([None, *options], options) if "--dim" not in (before, o)]


def models():
    """(name, path) of every model: "light/light_resnet50" for those of TENURE_MODELS; with TENURE_ONE_IN=N one in N of them."""
    found = [("shipped/" + f[:-5], os.path.join(SHIPPED, f)) for f in os.listdir(SHIPPED)
             if f.endswith(".onnx")]
    more, collected = os.environ.get("TENURE_MODELS"), []
    if more:
        for folder, _, files in os.walk(more):
            for f in files:
                if f.endswith(".onnx"):
                    path = os.path.join(folder, f)
                    collected.append((os.path.relpath(path, more)[:-5].replace(os.sep, "/"), path))
    return sorted(found + sorted(collected)[::int(os.environ.get("TENURE_ONE_IN", "1"))])


def some_models():
    """Of those of TENURE_MODELS one in three, for each program others; all of them where TENURE_SOAK is set. All that are shipped."""
    found = models()
    shipped, collected = ([m for m in found if m[0].startswith("shipped/") is there] for there in (True, False))
    step = 1 if os.environ.get("TENURE_SOAK") else 3
    return sorted(shipped + collected[zlib.crc32(os.path.basename(sys.argv[0]).encode()) % step::step])


def some(choices, number, n=1):
    """All of them where TENURE_SOAK is set; else n, others for the next number."""
    if os.environ.get("TENURE_SOAK"):
        return choices
    return [choices[(number + i * len(choices) // n) % len(choices)] for i in range(n)]


def short(name):
    return name.rsplit("/", 1)[-1]


def run(tenure, arguments, timeout=LIMIT_S):
    """The finished process; a negative return code is a signal, None a command that did not end."""
    try:
        return subprocess.run([tenure, *arguments], stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=timeout, check=False)
    except subprocess.TimeoutExpired:
        return None


def plan(tenure, path, options, timeout=LIMIT_S):
    """(process, plan as planfile.py has it, or None)."""
    done = run(tenure, ["plan", path, "--quiet", "--partial", "--emit=json", "-o", "-", *options], timeout)
    if done is None or done.returncode != 0:
        return done, None
    return done, planfile.loads(done.stdout)


def opencl_plan(tenure, path, options):
    """The same for the backend opencl-json, or None."""
    done = run(tenure, ["plan", path, "--quiet", "--partial", "--emit=opencl-json,mode=offsets", "-o", "-", *options])
    return planfile.flat_opencl(json.loads(done.stdout)) if done is not None and done.returncode == 0 else None
