"""Emitted C programs beside ONNX Runtime and other generators of C, one thread: writes PROGRAMS.md and programs.csv.

usage: programs.py TENURE [--venv=FOLDER] [--onnx2c=PATH] [MODEL...]     (options: generators.py)

Each model is planned at -O2 and compiled with a main, and nothing else. Times are
of the processor, the least of many runs, by turns with ONNX Runtime in one process after the other; ratios are what counts.
TENURE_MODELS names a folder with models; weights that a model lacks are not made up here.
"""

import csv
import os
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(HERE)
sys.path[:0] = [os.path.join(TOP, "tests", d) for d in ("models", "execution", "operators", "programs")]

from packages import np  # ends with 77 where the packages are missing
import onnxruntime

import corpus
import generators

FLAGS = "-O3 -march=native -ffp-contract=fast -fno-strict-aliasing".split()
MODELS = ("cnn/blazeface_back_256 cnn/blazeface_front_128 cnn/bodypix_mbnet050_480x640 cnn/deeploy_mcunet cnn/face_landmark cnn/fastestdet cnn/hyperlpr_y5fu_320x "
          "cnn/nanodet_m_320 cnn/selfie_segmentation cnn/ultraface_rfb320 cnn/yunet_n_320 cnn/yunet_s_640 tinyml/deeploy_minimobilenet tinyml/emx_micro_kws_fp32 "
          "tinyml/mlperf_resnet8 tinyml/mnist_8 tinyml/onnxflow_kws_float32 tinyml/onnxflow_vww_96_float transformer/deeploy_tinyvit_demo "
          "transformer/vespa_dummy_transformer rnn/gesture_lstm_classifier light/light_squeezenet "
          "rnn/dtln_model_1 transformer/deeploy_cct2_opset20 "
          "cnn/basic_pitch_nmp cnn/dory_dronet2 cnn/st_mobilenet_v2_035_dyn light/light_shufflenet rnn/silero_vad_16k_op15 "
          "tinyml/dory_eegnet tinyml/onnx2c_atmega_mnist transformer/ort_bert_toy_optimized transformer/vespa_random_decoder "
          "cnn/onnxmodels_shufflenet_v2_int8 cnn/ort_qdq16_multi_consumer cnn/ort_qdq_multi_consumer_dq rnn/onnxflow_ad01_loops rnn/tract_qlstm_10_4_6_scan "
          "rnn/tract_qlstm_3_2_3_scan tinyml/dory_dscnn tinyml/emx_micro_kws_qdq tinyml/onnx2c_tfl_helloworld tinyml/onnxflow_ad01_int8 tinyml/onnxflow_kws_int8 "
          "transformer/deeploy_deepquant").split()
ROUNDS, SHARE = 3, 400  # rounds by turns, each of so many milliseconds at most

TIMER = r"""
#define NET_TABLES
#include "net.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
static net_memory m = NET_STATIC_MEMORY;
static unsigned char *place(const net_tensor *t) {
    return (unsigned char *)((void *const *)(const void *)&m)[t->pool] + t->offset;
}
static void move(const char *path, const char *how, const uint32_t *list, unsigned n) {
    FILE *f = fopen(path, how);
    for (unsigned i = 0; i < n; i++) {
        const net_tensor *t = &net_tensors[list[i]];
        if (how[0] == 'r' ? fread(place(t), 1, t->size, f) != t->size : fwrite(place(t), 1, t->size, f) != t->size) {
            exit(3);
        }
    }
    fclose(f);
}
int main(int argc, char **argv) {
    double least = 1e9;
    (void)argc;
    net_reset(&m);
    for (int r = 0; r < atoi(argv[3]); r++) {
        struct timespec a, b;
        move(argv[1], "rb", net_inputs, NET_INPUT_COUNT);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
        int failed = net_run(&m, NULL);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
        double took = (double)(b.tv_sec - a.tv_sec) * 1e3 + (double)(b.tv_nsec - a.tv_nsec) / 1e6;
        least = took < least ? took : least;
        if (failed) {
            return failed;
        }
    }
    move(argv[2], "wb", net_outputs, NET_OUTPUT_COUNT);
    printf("%.6f\n", least);
    return 0;
}
"""

OTHER_TIMER = r"""
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
void run_network(void);
int main(int argc, char **argv) {
    double least = 1e9;
    (void)argc;
    for (int r = 0; r < atoi(argv[1]); r++) {
        struct timespec a, b;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
        run_network();
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
        double took = (double)(b.tv_sec - a.tv_sec) * 1e3 + (double)(b.tv_nsec - a.tv_nsec) / 1e6;
        least = took < least ? took : least;
    }
    fprintf(stderr, "%.6f\n", least);
    return 0;
}
"""


def session_of(path):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def feeds_of(session, bound):
    rng, feeds = np.random.default_rng(1), {}
    for i in session.get_inputs():
        shape = [d if isinstance(d, int) else int(bound.get(d, 1)) for d in i.shape]
        kind = {"float": np.float32, "int64": np.int64, "int32": np.int32, "int8": np.int8, "uint8": np.uint8}[i.type[7:-1]]
        small = np.iinfo(kind) if np.dtype(kind).itemsize == 1 else None
        feeds[i.name] = (rng.standard_normal(shape).astype(kind) if kind == np.float32
                         else rng.integers(small.min, small.max + 1, shape, kind) if small else np.zeros(shape, kind))
    return feeds


def took(session, feeds, runs):
    least = 1e9
    for _ in range(runs):
        start = time.process_time()
        session.run(None, feeds)
        least = min(least, (time.process_time() - start) * 1e3)
    return least


def other_program(name, program, path, options, folder):
    """The compiled program of another generator, or None."""
    folder = os.path.join(folder, name)
    os.makedirs(folder)
    if generators.generate(name, program, path, options, folder) is not None:
        return None
    with open(os.path.join(folder, "timer.c"), "w", encoding="utf-8") as f:
        f.write(OTHER_TIMER)
    made = subprocess.run(["gcc", *FLAGS, "-w", "other.c", "timer.c", "-lm", "-o", "net"], cwd=folder, capture_output=True, check=False)
    return os.path.join(folder, "net") if made.returncode == 0 else None


def other_took(program, runs):
    said = subprocess.run(["bash", "-c", f"ulimit -s unlimited; exec {program} {runs}"], capture_output=True, text=True, check=False)
    return float(said.stderr.splitlines()[-1]) if said.returncode == 0 else None


def measure(tenure, others, name, path, folder):
    """A row, or why there is none."""
    options = corpus.bindings().get(corpus.short(name), [])
    bound = dict(o.removeprefix("--dim=").split("=") for o in options if "=" in o)
    net = os.path.join(folder, "net.c")
    done = subprocess.run([tenure, "plan", path, "-q", "-O2", *options, "--emit=c-program,target-size-bits=64,weights=asm", "-o", net],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return done.stderr.strip().splitlines()[0].replace(path, os.path.basename(path))
    with open(net, encoding="utf-8") as f:
        text = f.read()
    inside, all_steps = len(re.findall(r"_KERNEL net_kernel_", text)), len(set(re.findall(r"^#define (NET_STEP_\d+_KERNEL)", text, re.M)))
    with open(os.path.join(folder, "timer.c"), "w", encoding="utf-8") as f:
        f.write(TIMER)
    made = subprocess.run(["gcc", *FLAGS, "-Wa,-I,.", "net.c", "timer.c", "net_weights.S", "-lm", "-o", "net"], cwd=folder,
                          capture_output=True, text=True, check=False)
    if made.returncode != 0:
        absent = sorted(set(re.findall(r"undefined reference to `(\w+)'", made.stderr)))
        return f"needs {', '.join(absent)}, which nobody has" if absent else made.stderr.splitlines()[0]
    session = session_of(path)
    feeds = feeds_of(session, bound)
    files = [os.path.join(folder, f) for f in ("in.bin", "out.bin")]
    with open(files[0], "wb") as f:
        f.write(b"".join(feeds[i.name].tobytes() for i in session.get_inputs()))
    peers = {n: other_program(n, p, path, options, folder) for n, p in others.items()}
    peers_ms = dict.fromkeys(generators.NAMES)
    theirs = took(session, feeds, 5)
    runs = int(max(3, min(300, SHARE / max(theirs, 0.05))))
    ours = 1e9
    for _ in range(ROUNDS):
        said = subprocess.run([os.path.join(folder, "net"), *files, str(runs)], capture_output=True, text=True, check=True)
        ours = min(ours, float(said.stdout))
        theirs = min(theirs, took(session, feeds, runs))
        for n, p in peers.items():
            ms = other_took(p, max(2, runs // 10)) if p is not None else None
            peers_ms[n] = ms if peers_ms[n] is None or ms is None else min(ms, peers_ms[n])
    got, at, away = np.fromfile(files[1], np.uint8), 0, 0.0
    for want in session.run(None, feeds):
        have = got[at:at + want.nbytes].view(want.dtype).reshape(want.shape)
        at += want.nbytes
        if want.size and want.dtype in (np.float32, np.int8, np.uint8):
            have, want = have.astype(np.float64), want.astype(np.float64)
            away = max(away, float(np.abs(have - want).max() / max(np.abs(want).max(), 1e-3)))
    return {"model": name, "steps": all_steps, "inside": inside, "onnxruntime_ms": f"{theirs:.3f}", "program_ms": f"{ours:.3f}",
            "ratio": f"{ours / theirs:.2f}", "away": f"{away:.1e}"} | {n: f"{ms:.3f}" if ms is not None else "" for n, ms in peers_ms.items()}


def geomean(numbers):
    return float(np.exp(np.mean(np.log(numbers))))


def page(rows, left_out, others):
    ratios = [float(r["ratio"]) for r in rows]
    columns = ("model", "steps", "inside", "onnxruntime_ms", "program_ms", "ratio", *generators.NAMES, "away")
    lines = ["# Emitted programs beside ONNX Runtime and other generators of C", "",
             f"Written by `bench/programs.py`: processor time of a run, the least of many by turns, one thread; gcc with `{' '.join(FLAGS[:3])}`,",
             f"ONNX Runtime {onnxruntime.__version__}, {generators.versions(others)}, a processor with AVX-512. *inside*: steps whose kernel is made for them; the",
             "others call plain ones of tenure's library. Empty: the other generator makes no program that runs. *away*: the largest difference of an output by its",
             "largest number.", "",
             "| model | steps | inside | ONNX Runtime, ms | program, ms | program / ONNX Runtime | emx-onnx-cgen, ms | onnx2c, ms | away |", "|---|---|---|---|---|---|---|---|---|"]
    lines += ["| " + " | ".join(str(r[k]) for k in columns) + " |" for r in rows]
    lines += ["", f"Geometric mean of {len(rows)} models: {geomean(ratios):.2f} of ONNX Runtime's time; worst {max(ratios):.2f}."]
    for n in generators.NAMES:
        beside = [float(r["program_ms"]) / float(r[n]) for r in rows if r[n] not in ("", "0.000") and r["program_ms"] != "0.000"]
        if beside:
            lines += [f"Beside {n}: {geomean(beside):.2f} of its time in the geometric mean of {len(beside)} models, {max(beside):.2f} at most."]
    lines += ["", "Left out:", ""] + [f"- {name}: {why}" for name, why in left_out] if left_out else []
    return "\n".join(lines) + "\n"


def write(name, rows, text):
    with open(os.path.join(HERE, name + ".csv"), "w", encoding="utf-8", newline="") as f:
        writer = csv.DictWriter(f, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    with open(os.path.join(HERE, name.upper() + ".md"), "w", encoding="utf-8") as f:
        f.write(text)


def main():
    (others, args), models = generators.found(), dict(corpus.models())
    tenure = args[0]
    rows, left_out = [], []
    with tempfile.TemporaryDirectory() as top:
        for name in args[1:] or MODELS:
            if name not in models:
                continue
            folder = os.path.join(top, name.replace("/", "-"))
            os.makedirs(folder)
            try:
                row = measure(tenure, others, name, models[name], folder)
            except (subprocess.CalledProcessError, KeyError, onnxruntime.capi.onnxruntime_pybind11_state.Fail,
                    onnxruntime.capi.onnxruntime_pybind11_state.InvalidGraph) as error:
                row = str(error).splitlines()[0].replace(models[name], os.path.basename(models[name]))[:120]
            if isinstance(row, str):
                left_out.append((name, row))
            else:
                rows.append(row)
            print(name, row, flush=True)
    if not rows:
        sys.exit("no model was measured: TENURE_MODELS names no folder with these")
    if len(args) > 1:
        return
    write("programs", rows, page(rows, left_out, others))


if __name__ == "__main__":
    main()
