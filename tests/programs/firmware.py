"""examples/firmware on a Cortex-M in QEMU and on the host: outputs equal ONNX Runtime's; flash and RAM of the image.

usage: firmware.py TENURE FOLDER [--models PATTERN]... [--targets NAME,...]

Needs onnxruntime, make, gcc-arm-none-eabi and qemu-system-arm; the models are those of TENURE_MODELS. Ends with 77
where something of that is missing.
"""

import argparse
import fnmatch
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "models"), os.path.join(os.path.dirname(HERE), "operators")]

from packages import np, onnx  # ends with 77 where they are missing

import corpus

EXAMPLE = os.path.join(os.path.dirname(os.path.dirname(HERE)), "examples", "firmware")
# name: LARGE of the Makefile (0: all in the first memory; 1: constants beside it, 2: pools too).
MODELS = {
    "tinyml/mlperf_resnet8": 0,
    "tinyml/onnxflow_kws_int8": 0,
    "rnn/gesture_lstm_classifier": 0,
    "rnn/onnx2tf_loop_3": 0,
    "light/light_squeezenet": 2,
}
MORE = {"tinyml/onnxflow_kws_float32": 0, "tinyml/onnxflow_ad01_int8": 0, "tinyml/onnxflow_vww_96_float": 0, "tinyml/mnist_8": 0}
if os.environ.get("TENURE_SOAK"):
    MODELS |= MORE
# Several memories: the board's two, and constants of which some are copied from flash.
POOLS = ["--pool=psram:8M:cost=4:section=.more", "--pool=hot:32K:const:copied:section=.pools", "--pool=flash:const:cost=2"]
POOLED = {"tinyml/mlperf_resnet8": ["--pool=sram:64K:section=.pools", *POOLS],
          "tinyml/onnxflow_vww_96_float": ["--pool=sram:256K:section=.pools", *POOLS]}
LEAST = len(MODELS) - 2  # of them have to run on a Cortex-M
TARGETS = ("host", "cortex-m4")
DTYPES = {"tensor(float)": np.float32, "tensor(int8)": np.int8, "tensor(uint8)": np.uint8, "tensor(int64)": np.int64,
          "tensor(int32)": np.int32, "tensor(bool)": np.bool_}


def extents(tenure, path, options):
    """Name -> extents of inputs and outputs as planned."""
    found = corpus.plan(tenure, path, ["-O0", *options])[1]
    return {found["values"][i]["name"]: found["values"][i]["dims"] for i in found["inputs"] + found["outputs"]}


def draw(session, dims):
    random = np.random.default_rng(11)
    given = {}
    for x in session.get_inputs():
        dtype, shape = DTYPES[x.type], dims[x.name]
        if np.issubdtype(dtype, np.floating):
            given[x.name] = random.standard_normal(shape).astype(dtype)
        else:
            given[x.name] = random.integers(0, 2 if dtype == np.bool_ else 100, shape).astype(dtype)
    return given


def make(tenure, path, options, inputs, folder, target, large):
    """The outputs as lines of hexadecimal digits, or None."""
    command = ["make", "-s", "-C", folder, "-f", os.path.join(EXAMPLE, "Makefile"), f"TENURE={tenure}", f"MODEL={path}",
               f"INPUTS={inputs}", f"TARGET={target}", f"OPTIONS=--preset=mcu {' '.join(options)}", "run"]
    if large:
        command.append(f"LARGE={large}")
    if target == "host":
        command += ["CFLAGS=-O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all",
                    "LDFLAGS=-fsanitize=address,undefined"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print((done.stdout + done.stderr)[-1500:])
        return None
    return [line.strip() for line in done.stdout.splitlines() if re.fullmatch(r"[0-9a-f]*", line.strip())]


def equal(lines, want):
    """The largest difference, relative to the largest magnitude of the output."""
    worst = 0.0
    if len(lines) != len(want):
        return float("inf")
    for line, w in zip(lines, want):
        got = np.frombuffer(bytes.fromhex(line), w.dtype).reshape(w.shape)
        scale = max(float(np.abs(w.astype(np.float64)).max(initial=0)), 1e-6)
        worst = max(worst, float(np.abs(got.astype(np.float64) - w.astype(np.float64)).max(initial=0)) / scale)
    return worst


def image_size(folder):
    """(flash, RAM) of the image: what is loaded; what is written, without the stack."""
    text = subprocess.run(["arm-none-eabi-size", "-A", os.path.join(folder, "build", "cortex-m4", "net")],
                          capture_output=True, text=True, check=True).stdout
    size = {m[1]: int(m[2]) for m in re.finditer(r"^(\.\S+)\s+(\d+)", text, re.M)}
    loaded = sum(size.get(s, 0) for s in (".text", ".ARM.exidx", ".data", ".weights"))
    return loaded, sum(size.get(s, 0) for s in (".data", ".bss", ".pools", ".more"))


def naive_ram(tenure, path, options):
    found = corpus.plan(tenure, path, ["--preset=mcu", "-O0", *options])[1]
    return found["report"]["ram"]


def try_model(tenure, name, path, folder, targets, pools=()):
    import onnxruntime as ort

    options = corpus.bindings().get(corpus.short(name), [])
    settings = ort.SessionOptions()  # as the file says: integer kernels saturate on processors without VNNI
    settings.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = ort.InferenceSession(path, settings, providers=["CPUExecutionProvider"])
    dims = extents(tenure, path, options)
    given = draw(session, dims)
    want = session.run(None, given)
    where = os.path.join(folder, corpus.short(name) + ("_pools" if pools else ""))
    os.makedirs(where, exist_ok=True)
    inputs = os.path.join(where, "inputs.bin")
    with open(inputs, "wb") as f:
        for x in onnx.load(path, load_external_data=False).graph.input:
            if x.name in given:
                f.write(given[x.name].tobytes())
    for target in targets:
        lines = make(tenure, path, [*options, *pools], inputs, where, target, MODELS.get(name, 0))
        error = equal(lines, want) if lines is not None else None
        print(f"{' '.join([name, *pools])} on {target}: " + ("not built or not run" if error is None else f"largest error {error:.1e}"))
        if error is None or not error < (2e-2 if "int8" in name else 1e-4):
            return False
    if "cortex-m4" in targets:
        flash, ram = image_size(where)
        print(f"  flash {flash}, RAM {ram} bytes (without reuse {naive_ram(tenure, path, options)})")
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tenure")
    parser.add_argument("folder")
    parser.add_argument("--models", action="append")
    parser.add_argument("--targets", default=",".join(TARGETS))
    args = parser.parse_args()
    try:
        import onnxruntime  # noqa: F401
    except ModuleNotFoundError as missing:
        print(missing)
        sys.exit(77)
    if any(shutil.which(tool) is None for tool in ("make", "arm-none-eabi-gcc", "qemu-system-arm")):
        print("make, gcc-arm-none-eabi or qemu-system-arm is missing")
        sys.exit(77)
    wanted = [(n, p) for n, p in corpus.models()
              if (n in MODELS if not args.models else any(fnmatch.fnmatch(n, m) for m in args.models))]
    if not wanted:
        print("TENURE_MODELS has none of the models")
        sys.exit(77)
    done = [try_model(os.path.abspath(args.tenure), n, os.path.abspath(p), os.path.abspath(args.folder),
                      args.targets.split(","), pools)
            for n, p in wanted for pools in ([], *([POOLED[n]] if n in POOLED else []))]
    print(f"{sum(done)} of {len(done)} programs")
    sys.exit(0 if all(done) and (args.models or len(done) >= LEAST) else 1)


if __name__ == "__main__":
    main()
