"""Bytes of a training step of ten torchvision networks beside eager PyTorch: bench/exports/arenas.csv and bench/EXPORTS.md.

Networks with random weights, batch 32, 224 x 224, single precision, are exported (`torch.onnx.export`, dynamo), differentiated with
`autodiff{loss="cross-entropy(scores)",train=on,optimizer=momentum}`, and planned: the arena, values aligned to 512 bytes.
Eager is torch.cuda.max_memory_allocated of one step (forward, cross entropy, backward, SGD with momentum) above what lay there
before, of PyTorch 2.11 on an NVIDIA H200: those figures stand below. The arena has the gradients, and no parameters and moments,
as that difference has.

usage: arenas.py TENURE [NET...]   (with torch and torchvision; without NET the csv and the page are written)
       arenas.py --page            the page of the csv
"""

import csv
import json
import math
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TABLE, PAGE = os.path.join(HERE, "arenas.csv"), os.path.join(HERE, "..", "EXPORTS.md")
EAGER = {"squeezenet1_1": 733, "resnet50": 2784, "mobilenet_v2": 2531, "densenet121": 4217, "vgg19": 3106, "googlenet": 1562,
         "vit_b_16": 4123, "swin_t": 3450, "efficientnet_b0": 2859, "convnext_tiny": 3530}  # bytes / 10^6
STEP = 'autodiff{loss="cross-entropy(scores)",train=on,optimizer=momentum%s}'
PLANS = {"named_O3": (",keep=named", "O3"), "O2": ("", "O2"), "O3": ("", "O3"), "recompute33": ("", "O3,recompute{flops=33%},O3")}
COLUMNS = ["net", "eager", *PLANS]


def export(name, folder):
    import torch
    import torchvision
    torch.manual_seed(0)
    more = {"aux_logits": False, "init_weights": False} if name == "googlenet" else {}
    net = getattr(torchvision.models, name)(weights=None, **more).eval()
    path = os.path.join(folder, name + ".onnx")
    torch.onnx.export(net, (torch.randn(32, 3, 224, 224),), path, dynamo=True, external_data=True, input_names=["x"],
                      output_names=["scores"], verbose=False)
    return path


def arena(tenure, path, more, level):
    out = path + ".json"
    done = subprocess.run([tenure, "plan", path, f"--passes={STEP % more},{level}", "--align=512", "-q", "--emit=json", "-o", out],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{path}: {done.stderr[-500:]}")
    with open(out, encoding="utf-8") as f:
        return sum(p["size"] for p in json.load(f)["pools"] if p["kind"] == "arena")


def geomean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def page(rows):
    shares = {c: [int(r[c]) / 1e6 / EAGER[r["net"]] for r in rows] for c in PLANS}
    text = ["# Training steps of exported networks beside PyTorch", "",
            "Made by `bench/exports/arenas.py` from `bench/exports/arenas.csv`; how it is counted stands in the script. Bytes / 10^6, and in",
            "brackets their part of eager PyTorch's. *named*: `keep=named`, where the backward part keeps whatever the formulas of gradients",
            "name; the other columns keep the fewest bytes ([TRAINING.md](../docs/TRAINING.md#what-is-kept)). The last one may add 33 % operations.", "",
            "| network | eager | named, -O3 | -O2 | -O3 | -O3, recompute 33 % |", "|---|---|---|---|---|---|"]
    for i, r in enumerate(rows):
        cells = [f"{int(r[c]) / 1e6:.0f} ({shares[c][i]:.2f})" for c in PLANS]
        text.append(f"| {r['net']} | {r['eager']} | {' | '.join(cells)} |")
    text.append(f"| geometric mean | | {' | '.join(f'{geomean(shares[c]):.2f}' for c in PLANS)} |")
    text += ["", f"The largest part at `-O3` is {max(shares['O3']):.2f}. Convolutions and normalisations are one op where the exporter has folded them (all but "
             "densenet121), which", "saves the result of one of the two; what eager PyTorch runs has both.", "",
             "## Gradients", "",
             "`bench/exports/gradients.py` exports small networks of 22 kinds in six forms each and compares gradients by all parameters with",
             "PyTorch's autograd, in double precision; its answers are `bench/exports/gradients.csv`. *n of m*: of the m gradients of the network so",
             "many are by initializers of the file; the exporter has folded the others together.", ""]
    with open(os.path.join(HERE, "gradients.csv"), encoding="utf-8") as f:
        said = list(csv.DictReader(f))
    forms = list(dict.fromkeys(r["form"] for r in said))
    text += ["| network | " + " | ".join(forms) + " |", "|---" * (len(forms) + 1) + "|"]
    for net in dict.fromkeys(r["net"] for r in said):
        cells = {r["form"]: r["said"] for r in said if r["net"] == net}
        text.append(f"| {net} | " + " | ".join(cells[f].split(":")[0] if "export" in cells[f] else cells[f] for f in forms) + " |")
    return "\n".join(text) + "\n"


def main():
    rows = []
    if sys.argv[1] != "--page":
        tenure, nets = os.path.abspath(sys.argv[1]), sys.argv[2:] or list(EAGER)
        for net in nets:
            with tempfile.TemporaryDirectory() as folder:
                path = export(net, folder)
                rows.append({"net": net, "eager": EAGER[net], **{c: arena(tenure, path, *p) for c, p in PLANS.items()}})
            print(rows[-1], flush=True)
        if sys.argv[2:]:
            return
        with open(TABLE, "w", newline="", encoding="utf-8") as f:
            w = csv.DictWriter(f, COLUMNS, lineterminator="\n")
            w.writeheader()
            w.writerows(rows)
    with open(TABLE, encoding="utf-8") as f:
        rows = list(csv.DictReader(f))
    with open(PAGE, "w", encoding="utf-8") as f:
        f.write(page(rows))


if __name__ == "__main__":
    main()
