#!/usr/bin/env python3
"""Instructions, flash and RAM of networks as firmware for a Cortex-M4, beside other generators of C; writes bench/FIRMWARE.md and firmware.csv.

    TENURE_MODELS=FOLDER bench/firmware.py TENURE [--venv=FOLDER] [--onnx2c=PATH] [MODEL...]     (options: generators.py)

Images are built with arm-none-eabi-gcc at -O2 in a folder that goes away and run in QEMU, which takes a nanosecond of its board's
time for each instruction: 40 are a tick of the timer.
"""

import csv
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(HERE)
sys.path.insert(0, os.path.join(TOP, "tests", "models"))
import corpus  # noqa: E402
import generators  # noqa: E402
from generators import output_of  # noqa: E402

BOARD = os.path.join(TOP, "examples", "firmware", "board")
MODELS = ["tinyml/mlperf_resnet8", "tinyml/onnxflow_kws_float32", "tinyml/onnxflow_kws_int8", "tinyml/onnxflow_vww_96_float", "tinyml/onnxflow_ad01_int8",
          "tinyml/mnist_8", "tinyml/emx_micro_kws_fp32", "tinyml/emx_micro_kws_qdq", "tinyml/onnx2c_atmega_mnist", "tinyml/onnx2c_tfl_helloworld",
          "tinyml/dory_dscnn", "tinyml/dory_eegnet", "rnn/gesture_lstm_classifier"]
COMPILE = ["arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16", "-O2", "-ffunction-sections", "-fdata-sections", "-w",
           f"-I{BOARD}", "-I."]
LINK = ["-nostartfiles", "--specs=nosys.specs", "-T", os.path.join(BOARD, "link.ld"), "-Wl,--gc-sections", "-Wl,--defsym=_stack_size=2M"]
RUN = ["qemu-system-arm", "-M", "mps2-an386", "-nographic", "-icount", "shift=0", "-semihosting-config", "enable=on,target=native", "-kernel", "net"]
WAYS = ("inside", "small")
NOTHING = "void run_network(void);\nvoid run_network(void) {\n}\n"
OURS = """#include "net.h"
void run_network(void);
void run_network(void) {
    static const net_memory m = NET_STATIC_MEMORY;
    net_reset(&m);
    while (net_run(&m, 0) != 0) {
    }
}
"""
COUNT = """#include "board.h"
#include <stdint.h>
void run_network(void);
int main(void) {
    volatile uint32_t *timer = (volatile uint32_t *)0x40000000; /* control, value, reload */
    uint32_t ticks;
    timer[2] = UINT32_MAX;
    timer[1] = UINT32_MAX;
    timer[0] = 1;
    ticks = timer[1];
    run_network();
    ticks -= timer[1];
    board_write(&ticks, sizeof ticks);
    return 0;
}
"""
HEAD = """# Networks as firmware

Made by `bench/firmware.py`; do not edit. One run on a Cortex-M4 (arm-none-eabi-gcc {gcc}, `-O2`): thousands of executed instructions, counted by QEMU;
flash: code, constants and initial values, without start-up code; RAM: all that is written, inputs and outputs among it, without the stack; stack: the deepest
function's by `-fstack-usage`. tenure: `--preset=mcu`, with `kernels=inside` and with `kernels=small`. {others}: with all temporaries on the stack or in
static memory, as they have it. Empty: no C, or none that runs. `tests/programs/firmware.py` compares what tenure's images give with ONNX Runtime.

"""


def write(folder, name, text):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
        f.write(text)


def deepest(folder):
    stacks = [0]
    for name in os.listdir(folder):
        if name.endswith(".su"):
            with open(os.path.join(folder, name), encoding="utf-8") as f:
                stacks += [int(line.split("\t")[1]) for line in f]
    return max(stacks)


def sizes(folder, sources):
    """(instructions, flash, RAM, stack) of an image that calls run_network; None where it does not build or run."""
    write(folder, "count.c", COUNT)
    build = [*COMPILE, "-fstack-usage", *LINK, *sources, "count.c", os.path.join(BOARD, "cortex_m.c"), "-lm", "-o", "net"]
    try:
        output_of(build, cwd=folder)
        said = output_of(RUN, cwd=folder, stdin=subprocess.DEVNULL, timeout=600)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as failed:
        print(str(failed.stderr)[-300:], file=sys.stderr)
        return None
    size = {m[1]: int(m[2]) for m in re.finditer(r"^(\.\S+)\s+(\d+)", output_of(["arm-none-eabi-size", "-A", "net"], cwd=folder), re.M)}
    ticks = re.search(r"^([0-9a-f]{8})\s*$", said, re.M)
    if ticks is None:
        return None
    return [40 * int.from_bytes(bytes.fromhex(ticks[1]), "little"), sum(size.get(s, 0) for s in (".text", ".ARM.exidx", ".data", ".weights")),
            sum(size.get(s, 0) for s in (".data", ".bss", ".pools", ".more")), deepest(folder)]


def empty_image():
    with tempfile.TemporaryDirectory() as folder:
        write(folder, "nothing.c", NOTHING)
        return sizes(folder, ["nothing.c"])


def ours(tenure, path, options, kernels):
    with tempfile.TemporaryDirectory() as folder:
        write(folder, "ours.c", OURS)
        output_of([tenure, "plan", path, "-q", "--preset=mcu", *options, f"--emit=c-program,target-size-bits=32,names=off,kernels={kernels}", "-o",
                   os.path.join(folder, "net.c")])
        return sizes(folder, ["net.c", "net_weights.c", "ours.c"])


def theirs(name, program, path, options):
    with tempfile.TemporaryDirectory() as folder:
        why = generators.generate(name, program, path, options, folder)
        if why is not None:
            print(f"{name}: {why}", file=sys.stderr)
        return sizes(folder, ["other.c"]) if why is None else None


def measure(tenure, programs, nothing, name, path):
    options = corpus.bindings().get(corpus.short(name), [])
    made = {way: ours(tenure, path, options, way) for way in WAYS} | {n: theirs(n, p, path, options) for n, p in programs.items()}
    row = {"model": name.split("/")[1]}
    for who in (*WAYS, *generators.NAMES):
        for k, what in enumerate(("instructions", "flash", "ram", "stack")):
            of = made.get(who)
            row[f"{who} {what}"] = "" if of is None else of[k] - (nothing[k] if k < 3 else 0)
    return row


def page(rows, programs):
    tables = (("Thousands of instructions", "instructions", 1000), ("Bytes of flash", "flash", 1), ("Bytes of RAM", "ram", 1), ("Bytes of stack", "stack", 1))
    gcc = output_of(["arm-none-eabi-gcc", "-dumpversion"]).strip()
    text = HEAD.format(gcc=gcc, others=generators.versions(programs))
    for title, what, unit in tables:
        text += f"## {title}\n\n| model | tenure | tenure, small | {' | '.join(generators.NAMES)} |\n|---|---|---|---|---|\n"
        for row in rows:
            cells = [row[f"{who} {what}"] for who in (*WAYS, *generators.NAMES)]
            text += "| " + " | ".join([row["model"], *(f"{c // unit:,}" if c != "" else "" for c in cells)]) + " |\n"
        text += "\n"
    return text.rstrip() + "\n"


def main():
    (programs, args), paths = generators.found(), dict(corpus.models())
    tenure, nothing = os.path.abspath(args[0]), empty_image()
    rows = []
    for name in args[1:] or MODELS:
        if name in paths:
            rows.append(measure(tenure, programs, nothing, name, os.path.abspath(paths[name])))
            print(rows[-1], flush=True)
    if len(args) > 1:
        return
    write(HERE, "FIRMWARE.md", page(rows, programs))
    with open(os.path.join(HERE, "firmware.csv"), "w", encoding="utf-8", newline="") as f:
        writer = csv.DictWriter(f, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
