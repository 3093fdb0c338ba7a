"""Bytes of a training step of ten torchvision networks beside eager PyTorch: bench/exports/arenas.csv, whole.csv and bench/EXPORTS.md.

Networks with random weights, batch 32, 224 x 224, single precision, are exported (`torch.onnx.export`, dynamo), differentiated with
`autodiff{loss="cross-entropy(scores)",train=on,optimizer=momentum}`, and planned: the arena, values aligned to 512 bytes.
Eager is torch.cuda.max_memory_allocated of one step (forward, cross entropy, backward, SGD with momentum) above what lay there
before, of PyTorch 2.11 on an NVIDIA H200: those figures stand below. The arena has the gradients, and no parameters and moments,
as that difference has.

usage: arenas.py TENURE FOLDER [NET...]   (with torch and torchvision, for what FOLDER does not have yet; without NET the csv and the
                                          page are written)
       arenas.py --page                   the page must be that of the csv, and -O3 need half of eager's bytes in the mean, 0.9 at most,
                                          and three quarters of Inductor's in the mean
"""

import csv
import json
import os
import subprocess
import sys
import tempfile

import inductor

HERE = os.path.dirname(os.path.abspath(__file__))
TABLE, PAGE = os.path.join(HERE, "arenas.csv"), os.path.join(HERE, "..", "EXPORTS.md")
EAGER = {"squeezenet1_1": 733, "resnet50": 2784, "mobilenet_v2": 2531, "densenet121": 4217, "vgg19": 3106, "googlenet": 1562,
         "vit_b_16": 4123, "swin_t": 3450, "efficientnet_b0": 2859, "convnext_tiny": 3530}  # bytes / 10^6
STEP = 'autodiff{loss="cross-entropy(scores)",train=on,optimizer=momentum%s}'
INDUCTOR = {"squeezenet1_1": 139.5, "resnet50": 231.4, "mobilenet_v2": 193.7, "densenet121": 395.8, "vgg19": 822.2, "googlenet": 141.4,
            "vit_b_16": 154.9, "swin_t": 351.0, "efficientnet_b0": 193.7, "convnext_tiny": 232.3}  # likewise, of inference
FUSED = "fuse{groups=all},O3"
PLANS = {"O2": ("", "O2"), "O3": ("", "O3"), "named_O3": (",keep=named", "O3"), "recompute33": ("", "O3,recompute{flops=33%},O3"),
         "fused_O3": ("", FUSED)}
RUNS = {"run_O3": "O3", "run_fused_O3": FUSED}
WHOLE = ("resnet50", "mobilenet_v2", "densenet121", "googlenet", "efficientnet_b0")  # the exporter folds their normalisations unless told otherwise
WHOLE_PLANS = ("O3", "recompute33")
COLUMNS = ["net", "eager", *PLANS, *RUNS]


def export(name, folder, whole=False):
    """`whole`: in training mode and not optimised, so that normalisations stay."""
    path = os.path.join(folder, name + ("_whole" if whole else "") + ".onnx")
    if os.path.exists(path):
        return path
    import torch
    import torchvision
    torch.manual_seed(0)
    more = {"aux_logits": False, "init_weights": False} if name == "googlenet" else {}
    net = getattr(torchvision.models, name)(weights=None, **more).train(whole)
    torch.onnx.export(net, (torch.randn(32, 3, 224, 224),), path, dynamo=True, optimize=not whole, external_data=True,
                      input_names=["x"], output_names=["scores"], verbose=False)
    return path


def arena(tenure, path, passes):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "plan.json")
        done = subprocess.run([tenure, "plan", path, f"--passes={passes}", "--align=512", "-q", "--emit=json", "-o", out],
                              capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"{path}: {done.stderr[-500:]}")
        with open(out, encoding="utf-8") as f:
            made = json.load(f)
    return sum(p["size"] for p in made["pools"] if p["kind"] == "arena")


def others():
    """The part about exporters other than PyTorch's."""
    with open(os.path.join(HERE, "others.csv"), encoding="utf-8") as f:
        said = list(csv.DictReader(f))
    exporters = list(dict.fromkeys(r["exporter"] for r in said))
    nets = list(dict.fromkeys(r["net"] for r in said))
    answers = {(r["net"], r["exporter"]): r["said"] for r in said}
    text = ["", "## Gradients of what TensorFlow, Keras and JAX export", "",
            "`bench/exports/others.py` compares gradients of what tf2onnx, Keras 3 (`model.export(..., format=\"onnx\")`) and jax2onnx write with those of tf.GradientTape and",
            "jax.grad; its answers are `bench/exports/others.csv`. 1e-8 is equal in double precision, 1e-4 in *single*, and more where the",
            "file or the framework itself computes in single precision (enlarged images of TensorFlow and TopK of tf2onnx: 1e-6; attention of flax: 1e-4). *--dim*: the file leaves the",
            "batch open, and it had to be given. Convolutions have taken normalisations up where fewer gradients are found. What was not exported is",
            "the exporter's, and so are ops that ONNX does not have (`Erfc`), which are refused.", "",
            "| network | " + " | ".join(exporters) + " |", "|---" * (len(exporters) + 1) + "|"]
    for net in nets:
        cells = [answers.get((net, e), "") for e in exporters]
        text.append(f"| {net} | " + " | ".join(c if c.startswith(("equal", "DIFFERENT")) else c.split(":")[0] for c in cells) + " |")
    return text


def page(rows):
    shares = {c: [int(r[c]) / 1e6 / EAGER[r["net"]] for r in rows if r[c]] for c in PLANS}
    text = ["# Training steps of exported networks beside PyTorch", "",
            "Made by `bench/exports/arenas.py` from `bench/exports/arenas.csv`; how it is counted stands in the script. Bytes / 10^6, and in",
            "brackets their part of eager PyTorch's. *named*: `keep=named`, where the backward part keeps whatever the formulas of gradients",
            "name; the other columns keep the fewest bytes ([TRAINING.md](../docs/TRAINING.md#what-is-kept)). *recompute 33 %* may add so many operations,",
            "*fused* has ops done in one go ([FUSION.md](../docs/FUSION.md)), forward and backward.", "",
            "| network | eager | -O2 | -O3 | named, -O3 | -O3, recompute 33 % | -O3, fused |", "|---|---|---|---|---|---|---|"]
    for r in rows:
        cells = [f"{int(r[c]) / 1e6:.0f} ({int(r[c]) / 1e6 / EAGER[r['net']]:.2f})" if r[c] else "" for c in PLANS]
        text.append(f"| {r['net']} | {r['eager']} | {' | '.join(cells)} |")
    text.append(f"| geometric mean | | {' | '.join(f'{inductor.geomean(shares[c]):.2f}' if len(shares[c]) == len(rows) else '' for c in PLANS)} |")
    text += ["", f"The largest part at `-O3` is {max(shares['O3']):.2f}. Convolutions and normalisations are one op where the exporter has folded them (all but "
             "densenet121), which", "saves the result of one of the two; what eager PyTorch runs has both.", "",
             "## Inference beside Inductor", "",
             "The same files without a backward part. Inductor is torch.compile's, measured likewise: it makes one kernel of several ops, too.", "",
             "| network | inductor | -O3 | -O3, fused |", "|---|---|---|---|",
             *(f"| {r['net']} | {INDUCTOR[r['net']]} | " + " | ".join(f"{int(r[c]) / 1e6:.1f} ({int(r[c]) / 1e6 / INDUCTOR[r['net']]:.2f})" for c in RUNS) + " |"
               for r in rows),
             "| geometric mean | | " + " | ".join(f"{inductor.geomean([int(r[c]) / 1e6 / INDUCTOR[r['net']] for r in rows]):.2f}" for c in RUNS) + " |", "",
             *inductor.page(rows), "",
             "## Gradients", "",
             "`bench/exports/gradients.py` exports small networks (`networks.py`) in six forms each and compares gradients by all parameters with",
             "PyTorch's autograd, in double precision; its answers are `bench/exports/gradients.csv`. *n of m*: of the m gradients of the network so",
             "many are by initializers of the file; the exporter has folded the others together. T5, Llama and Mamba compute norms and angles in", "single precision themselves: 1e-5 is equal there, 1e-8 elsewhere.", ""]
    with open(os.path.join(HERE, "gradients.csv"), encoding="utf-8") as f:
        said = list(csv.DictReader(f))
    forms = list(dict.fromkeys(r["form"] for r in said))
    text += ["| network | " + " | ".join(forms) + " |", "|---" * (len(forms) + 1) + "|"]
    for net in dict.fromkeys(r["net"] for r in said):
        cells = {r["form"]: r["said"] for r in said if r["net"] == net}
        text.append(f"| {net} | " + " | ".join(cells[f].split(":")[0] if "export" in cells[f] else cells[f] for f in forms) + " |")
    text += others()
    with open(os.path.join(HERE, "steps.csv"), encoding="utf-8") as f:
        steps = list(csv.DictReader(f))
    text += ["", "## A hundred steps", "",
             "`bench/exports/steps.py` trains some of these networks, in single precision, as C programs (`-O3`) and by PyTorch, with the same parameters",
             "and batches; its answers are `bench/exports/steps.csv`. *away*: how far the losses of one step are apart at most, by PyTorch's.", "",
             "| network | optimizer | parameters | first loss | last loss | away |", "|---|---|---|---|---|---|",
             *(f"| {r['net']} | {r['optimizer']} | {r['parameters']} | {r['first']} | {r['last']} | {r['away']} |" for r in steps)]
    return "\n".join(text) + "\n"


def write(rows, path=TABLE, columns=COLUMNS):
    with open(path, "w", newline="", encoding="utf-8") as f:
        w = csv.DictWriter(f, columns, lineterminator="\n", restval="")
        w.writeheader()
        w.writerows(rows)


def measure(tenure, nets, folder):
    """What takes longest comes last; what is there is written."""
    rows = [{"net": net, "eager": EAGER[net]} for net in nets]
    paths = [export(net, folder) for net in nets]
    for column, plan in [*RUNS.items(), *((c, f"{STEP % more},{level}") for c, (more, level) in PLANS.items())]:
        for row, path in zip(rows, paths):
            row[column] = arena(tenure, path, plan)
            print(row["net"], column, row[column], flush=True)
        if len(nets) == len(EAGER):
            write(rows)
    whole = [{"net": net, **{c: arena(tenure, export(net, folder, True), f"{STEP % ''},{PLANS[c][1]}") for c in WHOLE_PLANS}}
             for net in nets if net in WHOLE]
    if len(nets) == len(EAGER):
        write(whole, os.path.join(HERE, "whole.csv"), ["net", *WHOLE_PLANS])


def main():
    checks = sys.argv[1] == "--page"
    if not checks:
        measure(os.path.abspath(sys.argv[1]), sys.argv[3:] or list(EAGER), sys.argv[2])
        if sys.argv[3:]:
            return 0
    with open(TABLE, encoding="utf-8") as f:
        rows = list(csv.DictReader(f))
    if checks:
        with open(PAGE, encoding="utf-8") as f:
            right = f.read() == page(rows)
        shares = [int(r["O3"]) / 1e6 / EAGER[r["net"]] for r in rows]
        good = inductor.geomean(shares) <= 0.5 and max(shares) <= 0.9
        shares = [int(r["run_fused_O3"]) / 1e6 / INDUCTOR[r["net"]] for r in rows]
        good = good and inductor.geomean(shares) <= 0.85 and max(shares) <= 1 and all(int(r["fused_O3"]) <= int(r["O3"]) for r in rows)
        good = good and inductor.good(rows)
        with open(os.path.join(HERE, "steps.csv"), encoding="utf-8") as f:
            good = good and all(float(r["away"]) <= 1e-3 for r in csv.DictReader(f))
        for name in ("gradients.csv", "others.csv"):
            with open(os.path.join(HERE, name), encoding="utf-8") as f:
                good = good and "DIFFERENT" not in f.read()
        print("" if right else "bench/EXPORTS.md is not of the csv files", "" if good else "-O3, or with ops fused, needs more than it may, or losses or gradients are apart", sep="")
        return 0 if right and good else 1
    with open(PAGE, "w", encoding="utf-8") as f:
        f.write(page(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
