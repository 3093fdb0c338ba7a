"""Emitted C programs: made from a model, compiled with the kernels of examples/firmware, run on inputs."""

import glob
import os
import subprocess

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
KERNELS = os.path.join(TOP, "examples", "firmware", "kernels")
FLAGS = ["-std=c99", "-D_POSIX_C_SOURCE=200112L", "-O1", "-g", "-fno-strict-aliasing", "-Wall", "-Wextra",
         "-Wconversion", "-Werror"]
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


class Refused(Exception):
    """tenure makes no program of the model: its message."""


class Missing(Exception):
    """Kernels that the program needs and nobody has: their names."""


def cc():
    return os.environ.get("CC", "cc").split()


def emit(tenure, model, folder, options=(), weights="c"):
    """Writes net.c and what belongs to it into the folder."""
    os.makedirs(folder, exist_ok=True)
    done = subprocess.run([tenure, "plan", model, "-q", *options, 
                           f"--emit=c-program,target-size-bits=64,weights={weights}", "-o",
                           os.path.join(folder, "net.c")], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Refused(done.stderr.strip())


class Library:
    """The kernels as a static library, compiled once."""

    def __init__(self, folder, header_folder, flags=()):
        self.flags = [*FLAGS, *flags]
        self.path = os.path.join(folder, "libkernels.a")
        os.makedirs(folder, exist_ok=True)
        objects = []
        for source in sorted(glob.glob(os.path.join(KERNELS, "*.c"))):
            objects.append(os.path.join(folder, os.path.basename(source)[:-2] + ".o"))
            subprocess.run([*cc(), *self.flags, "-I", header_folder, "-I", KERNELS, "-c", source, "-o", objects[-1]],
                           check=True)
        if os.path.exists(self.path):
            os.remove(self.path)
        subprocess.run(["ar", "rcs", self.path, *objects], check=True)


def build(folder, library, driver="run_net"):
    """Compiles the program of the folder, with DRIVER.c and DRIVER_config.h, and gives the path of the executable."""
    program = os.path.join(folder, "net")
    done = subprocess.run([*cc(), *library.flags, "-DNET_NO_ARRAYS", '-DPROGRAM="net.h"', f'-DNET_CONFIG="{HERE}/{driver}_config.h"', "-I",
                           folder, os.path.join(HERE, driver + ".c"), *glob.glob(os.path.join(folder, "net*.c")),
                           library.path, "-lm", "-o", program], capture_output=True, text=True, check=False)
    missing = sorted({line.split("`")[-1].rstrip("'") for line in done.stderr.splitlines()
                      if "undefined reference to" in line})
    if missing:
        raise Missing(missing)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return program


def run(program, inputs, outputs, runs=1, limit=120, extents=()):
    """inputs: arrays in the order of the model. outputs: (dtype, shape) of each. extents: of open dimensions, by name.
    The arrays it gives."""
    folder = os.path.dirname(program)
    paths = [os.path.join(folder, name) for name in ("in.bin", "out.bin")]
    with open(paths[0], "wb") as f:
        for x in inputs:
            f.write(np.ascontiguousarray(x).tobytes())
    done = subprocess.run([program, *paths, str(runs), *map(str, extents)], capture_output=True, text=True, check=False, timeout=limit)
    if done.returncode != 0:
        raise RuntimeError(f"exit code {done.returncode}: {done.stderr[-2000:]}")
    with open(paths[1], "rb") as f:
        data = f.read()
    arrays, at = [], 0
    for dtype, shape in outputs:
        size = int(np.prod(shape, dtype=np.int64)) * np.dtype(dtype).itemsize
        arrays.append(np.frombuffer(data[at:at + size], dtype).reshape(shape))
        at += size
    assert at == len(data), f"{len(data)} bytes of outputs, {at} expected"
    return arrays
