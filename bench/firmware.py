#!/usr/bin/env python3
"""Flash and RAM of networks as firmware for a Cortex-M4, beside emx-onnx-cgen; writes bench/FIRMWARE.md.

    TENURE_MODELS=FOLDER bench/firmware.py TENURE [--venv=FOLDER]

The other generator comes from PyPI into an environment of its own (FOLDER, by default build/emx). Images are built in
a folder that goes away, with arm-none-eabi-gcc at -O2; nothing is run here (tests/programs/firmware.py does that).
"""

import os
import re
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(TOP, "tests", "models"), os.path.join(TOP, "tests", "programs"),
                os.path.join(TOP, "tests", "operators")]
import corpus  # noqa: E402
import firmware  # noqa: E402

PAGE = os.path.join(TOP, "bench", "FIRMWARE.md")
MODELS = ["tinyml/mlperf_resnet8", "tinyml/onnxflow_kws_float32", "tinyml/onnxflow_kws_int8",
          "tinyml/onnxflow_vww_96_float", "tinyml/onnxflow_ad01_int8", "tinyml/mnist_8", "tinyml/emx_micro_kws_fp32",
          "tinyml/emx_micro_kws_qdq", "rnn/gesture_lstm_classifier"]
ARM = ["-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16", "-O2", "-ffunction-sections",
       "-fdata-sections"]
HEAD = """# Networks as firmware

Made by `bench/firmware.py`; do not edit. Bytes of an image for a Cortex-M4 (arm-none-eabi-gcc {gcc}, `-O2`): flash is code, constants and
initial values; RAM is all that is written, inputs and outputs among it, the stack of kernels not. tenure: `--preset=mcu`, the kernels and
start-up code of `examples/firmware`. emx-onnx-cgen {emx} (PyPI): what it generates with all temporaries on the stack, as the compiler
lays it out (`-fstack-usage`), plus inputs and outputs, which the caller gives. Without reuse: tenure's pools if no two tensors
shared bytes. `tests/programs/firmware.py` runs tenure's images in an emulator and compares their outputs with ONNX Runtime's.

| model | flash | RAM | without reuse | flash, emx-onnx-cgen | RAM, emx-onnx-cgen |
|---|---|---|---|---|---|
"""


def run(command, **more):
    return subprocess.run(command, capture_output=True, text=True, check=True, **more).stdout


def install(folder):
    program = os.path.join(folder, "bin", "emx-onnx-cgen")
    if not os.path.exists(program):
        run([sys.executable, "-m", "venv", folder])
        run([os.path.join(folder, "bin", "python"), "-m", "pip", "install", "--quiet", "emx-onnx-cgen"])
    return program


def tenure_image(tenure, path, options, plan, folder):
    """(flash, RAM); the inputs that stand in the image of the example are not part of it."""
    inputs, given = os.path.join(folder, "inputs.bin"), sum(plan["values"][i]["bytes"] for i in plan["inputs"])
    with open(inputs, "wb") as f:
        f.write(bytes(given))
    run(["make", "-s", "-C", folder, "-f", os.path.join(firmware.EXAMPLE, "Makefile"), f"TENURE={tenure}", f"MODEL={path}",
         f"INPUTS={inputs}", "TARGET=cortex-m4", f"OPTIONS=--preset=mcu {' '.join(options)}", "build/cortex-m4/net"])
    flash, ram = firmware.image_size(folder)
    return flash - given, ram


def other_image(program, path, options, plan, folder):
    """(flash, RAM), or None where it makes nothing of the model."""
    dims = [f"--input-dim={dim}" for option, dim in zip(options, options[1:]) if option == "--dim"]
    command = [program, "compile", path, "net.c", "--large-temp-threshold=0", "--large-weight-threshold=0", *dims]
    try:
        run(command, cwd=folder)
        run(["arm-none-eabi-gcc", *ARM, "-fstack-usage", "-c", "net.c", "-o", "net.o"], cwd=folder)
    except subprocess.CalledProcessError as failed:
        print(failed.stderr[-300:], file=sys.stderr)
        return None
    text, data, bss = map(int, run(["arm-none-eabi-size", "net.o"], cwd=folder).splitlines()[1].split()[:3])
    with open(os.path.join(folder, "net.su"), encoding="utf-8") as f:
        stack = max(int(line.split("\t")[1]) for line in f)
    own = sum(plan["values"][i]["bytes"] for i in plan["inputs"] + plan["outputs"])
    return text + data, data + bss + stack + own


def measure(tenure, program, name, path):
    options = corpus.bindings().get(corpus.short(name), [])
    plan = corpus.plan(tenure, path, ["--preset=mcu", "-O0", *options])[1]
    with tempfile.TemporaryDirectory() as ours, tempfile.TemporaryDirectory() as theirs:
        image = tenure_image(tenure, path, options, plan, ours)
        other = other_image(program, path, options, plan, theirs)
    return [name.split("/")[1], *image, plan["report"]["ram"], *(other if other is not None else ("", ""))]


def main():
    tenure = os.path.abspath(sys.argv[1])
    folder = next((a[7:] for a in sys.argv[2:] if a.startswith("--venv=")), os.path.join(TOP, "build", "emx"))
    program, paths = install(folder), dict(corpus.models())
    version = re.search(r"Version: (\S+)", run([os.path.join(folder, "bin", "python"), "-m", "pip", "show", "emx-onnx-cgen"]))[1]
    gcc = run(["arm-none-eabi-gcc", "-dumpversion"]).strip()
    rows = [measure(tenure, program, name, os.path.abspath(paths[name])) for name in MODELS if name in paths]
    with open(PAGE, "w", encoding="utf-8") as f:
        f.write(HEAD.format(gcc=gcc, emx=version))
        f.writelines("| " + " | ".join(f"{x:,}" if isinstance(x, int) else x for x in row) + " |\n" for row in rows)
    print(f"{len(rows)} models")


if __name__ == "__main__":
    main()
