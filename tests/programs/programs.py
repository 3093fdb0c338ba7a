"""Emitted C programs: made from a model, compiled with the kernels of backends/kernels/library, run on inputs."""

import fcntl
import functools
import glob
import hashlib
import os
import shutil
import subprocess

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
KERNELS = os.path.join(TOP, "backends", "kernels", "library")
FLAGS = ["-std=c99", "-D_POSIX_C_SOURCE=200112L", "-O1", "-g1", "-fno-strict-aliasing", "-Wall", "-Wextra",
         "-Wconversion", "-Werror"]
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


class Refused(Exception):
    """tenure makes no program of the model: its message."""


class Missing(Exception):
    """Kernels that the program needs and nobody has: their names."""


def cc():
    return os.environ.get("CC", "cc").split()


def emit(tenure, model, folder, options=(), weights="c", kernels="extern"):
    """Writes net.c and what belongs to it into the folder. `kernels`: "extern" tries the library as objects, "inside" what
    programs hold."""
    os.makedirs(folder, exist_ok=True)
    done = subprocess.run([tenure, "plan", model, "-q", *options,
                           f"--emit=c-program,target-size-bits=64,weights={weights},kernels={kernels}", "-o",
                           os.path.join(folder, "net.c")], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Refused(done.stderr.strip())


def compile_one(flags, source, made):
    """An object of a file. One of the same text and flags is taken from where ccache keeps it, of earlier runs as well."""
    kept = ["ccache"] if shutil.which("ccache") is not None and os.path.basename(cc()[0]) != "ccache" else []
    native = [f"-DNATIVE_{meaning_of_native()}"] if "-march=native" in flags else []  # ccache sees the word alone
    return subprocess.run([*kept, *cc(), *flags, *native, "-c", source, "-o", made], capture_output=True, text=True, check=False)


@functools.lru_cache(maxsize=None)
def meaning_of_native():
    """A name of what -march=native is on this machine."""
    said = subprocess.run([*cc(), "-march=native", "-###", "-E", "-x", "c", os.devnull], capture_output=True, check=True)
    return digest([said.stdout, said.stderr])[:16]


class Alone:
    """Nothing but what programs hold."""

    path = None

    def __init__(self, flags):
        self.flags = [*FLAGS, *flags]
        self.flags.remove("-fno-strict-aliasing")


class Library:
    """The kernels as a static library. Tests whose folders stand beside each other share it, at the same time as well: one
    of them compiles it when kernels, header, flags or compiler are others than when it was made."""

    def __init__(self, work_folder, header_folder, flags=()):
        self.flags = [*FLAGS, *flags]
        compiler = subprocess.run([*cc(), "--version"], capture_output=True, check=True).stdout
        folder = os.path.join(os.path.dirname(os.path.abspath(work_folder)), "kernel_libraries",
                              digest([*cc(), *self.flags])[:16])
        self.path = os.path.join(folder, "libkernels.a")
        header = os.path.join(header_folder, "tenure_kernels.h")
        sources = sorted(glob.glob(os.path.join(KERNELS, "*.[ch]")))
        made_of = digest([compiler, *map(os.path.basename, sources), *map(bytes_of, [header, *sources])])
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "made_of"), "a+", encoding="ascii") as stamp:
            fcntl.flock(stamp, fcntl.LOCK_EX)  # until it is closed, or this process ends
            stamp.seek(0)
            if stamp.read() != made_of or not os.path.exists(self.path):
                stamp.truncate(0)
                self.compile(folder, shutil.copy(header, folder), [s for s in sources if s.endswith(".c")])
                stamp.write(made_of)

    def compile(self, folder, header, sources):
        objects = [os.path.join(folder, os.path.basename(source)[:-2] + ".o") for source in sources]
        for source, made in zip(sources, objects):
            done = compile_one([*self.flags, "-I", os.path.dirname(header), "-I", KERNELS], source, made)
            if done.returncode != 0:
                raise RuntimeError(done.stderr)
        if os.path.exists(self.path):
            os.remove(self.path)
        subprocess.run(["ar", "rcs", self.path, *objects], check=True)
        for made in objects:
            os.remove(made)


def digest(parts):
    made = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode()
        made.update(b"%d:" % len(data) + data)
    return made.hexdigest()


def bytes_of(path):
    with open(path, "rb") as f:
        return f.read()


def assembled_weights(folder):
    """The object file of weights that the assembler includes, by itself: headers that -include names are C."""
    made = os.path.join(folder, "net_weights.o")
    subprocess.run([*cc(), "-Wa,-I," + folder, "-c", os.path.join(folder, "net_weights.S"), "-o", made], check=True)
    return made


def build(folder, library, driver="run_net"):
    """Compiles the program of the folder, with DRIVER.c and DRIVER_config.h, and gives the path of the executable."""
    program = os.path.join(folder, "net")
    flags = [*library.flags, "-DNET_NO_ARRAYS", '-DPROGRAM="net.h"', f'-DNET_CONFIG="{HERE}/{driver}_config.h"', "-I", folder]
    sources = [f for f in flags if f.endswith(".c")]
    objects = [f for f in flags if f.endswith(".o")]
    flags = [f for f in flags if f not in sources + objects]
    for source in [os.path.join(HERE, driver + ".c"), *glob.glob(os.path.join(folder, "net*.c")), *sources]:
        objects.append(os.path.join(folder, os.path.basename(source)[:-2] + ".obj"))
        done = compile_one(flags, source, objects[-1])
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
    done = subprocess.run([*cc(), *flags, *objects, *filter(None, [library.path]), "-lm", "-o", program], capture_output=True, text=True, check=False)
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
