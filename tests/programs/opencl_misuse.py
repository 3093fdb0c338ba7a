"""What is used wrongly, or breaks, ends OpenCL programs with one message: the step and its values or the value, the device, the
name of the error. opencl_programs.py calls these with its bench and the folder of a program that runs."""

import os
import subprocess

import prepared

OPENCL = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "opencl")
STEP = "step 0, LayerNormalization "  # that a transformer block begins with


class Failed(Exception):
    """A program does something else than it is to."""


def expect(done, code, *said):
    if done[0] != code or not all(piece in done[1] for piece in said):
        raise Failed(f"exit code {done[0]}, not {code} with {said}: {done[1][-900:]}")


def read(path):
    with open(path, "rb") as f:
        return f.read()


def write(path, data):
    with open(path, "wb") as f:
        f.write(data)


def try_files(bench, folder):
    """Options, and files that are not there."""
    expect(bench.alone(folder, "-d", "77"), 1, "no OpenCL device 77")
    expect(bench.alone(folder, "-q", "none"), 2, "options:")
    expect(bench.alone(folder, "-i", os.path.join(folder, "nothing.bin")), 2, "cannot be opened")


def try_weights(bench, folder):
    """Weights that are spoiled, and those of another plan."""
    data, path = read(os.path.join(folder, "net_weights.bin")), os.path.join(bench.folder, "spoiled.bin")
    for spoiled, said in ((data[:-1], "cut off"), (data[:50], "no weights image"), (data[:96] + bytes(8) + data[104:], "of another plan than ")):
        write(path, spoiled)
        expect(bench.alone(folder, "-w", path), 1, said, "CL_INVALID_VALUE (-30)")


def try_limits(bench, folder):
    """A device that has less than the plan was made for."""

    def fails(said, error, **device):
        expect(bench.alone(folder, "-c", "-", **device), 1, *said, error)

    fails((" lies in it): ", " allows 4096 in one buffer; plan with max-alloc=4096"), "CL_INVALID_BUFFER_SIZE (-61)", DEVICE_MAX_ALLOC="4096")
    fails(("the buffers of the plan have ", " has 5000: put what is large"), "CL_MEM_OBJECT_ALLOCATION_FAILURE (-4)", DEVICE_MEMORY="5000")
    fails((STEP, " of x f32[1,16,32], ", " on ", "works in groups of 64, the device has 7 at most"), "CL_INVALID_WORK_GROUP_SIZE (-54)", DEVICE_GROUP="7")


def try_alignment(bench, folder):
    """Sub-buffers begin where the device can have them begin."""
    path, made = os.path.join(bench.folder, "block.onnx"), folder + "_sub"
    prepared.emit(bench.tenure, path, [], made, ",mode=subbuffers")
    for name in ("inputs.bin", "outputs.bin", "bound"):
        write(os.path.join(made, name), read(os.path.join(folder, name)))
    said, right = bench.run([made])
    if not right:
        raise Failed(said)
    expect(bench.alone(made, DEVICE_ALIGN_BITS="4096"), 1, "for an alignment of 128 bytes, ", " needs 512: plan with align-bits=4096",
           "CL_MISALIGNED_SUB_BUFFER_OFFSET (-13)")


def try_text(bench, folder):
    """A kernel that the device's compiler does not take."""
    expect(bench.alone(folder, "-c", "-", DEVICE_REFUSES="0"), 1, STEP, " of x f32[1,16,32], ", " does not compile: CL_BUILD_PROGRAM_FAILURE (-11)")
    done = bench.alone(folder, "-c", "-", DEVICE_REFUSES="4")
    expect(done, 1, "does not compile", "__notany")
    if STEP in done[1] or "step " not in done[1]:
        raise Failed(f"the wrong step: {done[1][-900:]}")


def try_lost(bench, folder):
    """A device that breaks when a command goes to it, or while it works."""
    for queue in ("in-order", "out-of-order"):
        expect(bench.alone(folder, "-q", queue, LATE_LOST="0"), 1, STEP, " to ", " on ", "CL_OUT_OF_RESOURCES (-5)")
        expect(bench.alone(folder, "-q", queue, "-n", "2", LATE_LOST="3"), 1, "step ", " on ", "CL_OUT_OF_RESOURCES (-5)")
    expect(bench.alone(folder, LATE_LOST="end"), 1, "the run on ", "CL_DEVICE_NOT_AVAILABLE (-2)")


def try_bound(bench, folder):
    """Buffers of the caller's: each that cannot be bound in a sentence, and the network runs in those that can."""
    program, out = os.path.join(bench.folder, "bound"), os.path.join(bench.folder, "bound.bin")
    runtime = [os.path.join(bench.folder, "runtime", f) for f in os.listdir(os.path.join(bench.folder, "runtime")) if f.endswith(".o")]
    net = [os.path.join(folder, f) for f in ("net.c", "net_cl.c")]
    bench.compile(folder, [os.path.join(OPENCL, "bound.c"), *net, *runtime, "-lOpenCL", "-lm", "-o", program])
    done = subprocess.run([program, *(os.path.join(folder, f) for f in ("net_weights.bin", "inputs.bin")), out], env=bench.environment,
                          capture_output=True, text=True, check=False)
    expect((done.returncode, done.stdout + done.stderr), 0, "x f32[1,16,32] needs 2048 bytes, the buffer has 2047: CL_INVALID_BUFFER_SIZE (-61)",
           "of another context than the plan's: CL_INVALID_CONTEXT (-34)", " has no buffer of its own: CL_INVALID_OPERATION (-59)",
           "the plan has no value ", "CL_INVALID_VALUE (-30)")
    x, y = (prepared.np.fromfile(f, prepared.np.float32) for f in (out, os.path.join(folder, "outputs.bin")))
    if not prepared.np.abs(x - y).max() <= prepared.BOUND * prepared.np.abs(y).max():
        raise Failed("other outputs in buffers of the caller's")


def try_cache(bench, folder):
    """What was compiled is kept, and made again, with a note, where it was spoiled, or is of something else."""
    kept = [f for f in os.listdir(folder) if f.endswith(".clbin")]
    if len(kept) != 1:
        raise Failed(f"the cache of one program is {kept}")
    path = os.path.join(folder, kept[0])
    data = read(path)
    others = {"cut off": data[:-9], "a bit": data[:-9] + bytes([data[-9] ^ 1]) + data[-8:], "of another driver": bytes(8) + data[8:], "empty": b""}
    for what, spoiled in others.items():
        write(path, spoiled)
        expect(bench.alone(folder), 0, "note: ", " is damaged, or of another driver or program, so the kernels were compiled again for ")
        if int.from_bytes(read(path)[8:16], "little") != len(read(path)) - 24:
            raise Failed(f"a cache that was spoiled ({what}) was not made again")
    done = bench.alone(folder)
    if done[0] != 0 or "note:" in done[1]:
        raise Failed(f"a cache that was made again: {done[1][-500:]}")


CHECKS = (try_files, try_weights, try_limits, try_alignment, try_text, try_lost, try_bound, try_cache)
