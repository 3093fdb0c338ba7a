"""A hundred training steps of exported networks as C programs beside PyTorch: bench/exports/steps.csv, part of bench/EXPORTS.md.

Networks of networks.py, in single precision, are exported (dynamo, not optimised), differentiated with momentum (or adam), planned at
-O3, emitted as a C program and compiled. Program and PyTorch begin with the same parameters and get the same batches, eight of them in
turn, with made-up targets; the losses of all steps are compared.

usage: steps.py TENURE [NET...]   (with torch, torchvision, transformers, diffusers, timm, onnx, onnxscript; with NET their rows alone are
                                  measured anew)
"""

import csv
import logging
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
import torch  # noqa: E402

import gradients  # noqa: E402
import networks  # noqa: E402

TABLE = os.path.join(HERE, "steps.csv")
COLUMNS = ["net", "optimizer", "parameters", "first", "last", "away"]
STEPS, BATCHES, NEAR = 100, 8, 1e-3
OPTIMIZERS = {"momentum": ("optimizer=momentum,rate=0.005", lambda p: torch.optim.SGD(p, 0.005, momentum=0.9)),
              "adam": ("optimizer=adam,rate=0.001", lambda p: torch.optim.Adam(p, 0.001))}
WITH_ADAM = ("bert", "unet", "mamba")
BY_NAME = ("lora", "swin")  # frozen parts; a mask without its elements in the file, which is taken for a parameter
MAIN = r"""
#include <stdio.h>
#include "net.h"
static net_memory m = NET_STATIC_MEMORY;
int main(int argc, char **argv) {
    FILE *f = argc > 1 ? fopen(argv[1], "rb") : NULL;
    net_reset(&m);
    for (int run = 0; f != NULL && run < %(steps)d; run++) {
        if (run %% %(batches)d == 0) {
            rewind(f);
        }
        if (%(reads)s || net_run(&m, NULL) != 0) {
            return 1;
        }
        printf("%%.9g\n", (double)*NET_CONST_PTR(0, m.io, NET_LOSS, float));
        net_commit(&m);
    }
    return 0;
}
"""


def moved(x):
    """Another batch of the kind."""
    return torch.randn_like(x) if x.is_floating_point() else x[torch.randperm(x.shape[0])].roll(1, -1)


def losses_of_torch(net, batches, make):
    optimizer, losses = make([p for p in net.parameters() if p.requires_grad]), []
    for step in range(STEPS):
        *inputs, target = batches[step % BATCHES]
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(net(*inputs), target)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def losses_of_program(tenure, path, names, batches, options, folder):
    c = os.path.join(folder, "net.c")
    made = subprocess.run([tenure, "plan", path, "-q", f'--passes=autodiff{{loss="mse(y)",{options}}},O3', "--emit=c-program", "-o", c],
                          capture_output=True, text=True, check=False)
    if made.returncode:
        return made.stderr.strip().splitlines()[-1]
    with open(os.path.join(folder, "batches"), "wb") as f:
        for batch in batches:
            for x in batch:
                f.write(x.numpy().tobytes())
    reads = " || ".join(f"fread(NET_PTR(0, m.io, NET_{n.upper()}, char), 1, {x.numpy().nbytes}, f) != {x.numpy().nbytes}"
                        for n, x in zip([*names, "y_target"], batches[0]))
    with open(os.path.join(folder, "steps.c"), "w", encoding="utf-8") as f:
        f.write(MAIN % {"steps": STEPS, "batches": BATCHES, "reads": reads})
    subprocess.run(["cc", "-O2", "steps.c", "net.c", "net_weights.c", "-lm", "-o", "steps"], cwd=folder, check=True)
    ran = subprocess.run(["./steps", "batches"], cwd=folder, capture_output=True, text=True, check=True)
    return [float(x) for x in ran.stdout.split()]


def trained(tenure, name, folder):
    torch.manual_seed(1)
    torch.set_default_dtype(torch.float32)
    net, inputs = networks.ALL[name]()
    net = gradients.still(net.float(), False)
    gradients.trained(net, 0.01)
    state, path = {k: v.clone() for k, v in net.state_dict().items()}, os.path.join(folder, "in.onnx")
    names = gradients.export(net, inputs, path, gradients.FORMS["dynamo plain"])
    net.load_state_dict(state)
    with torch.no_grad():
        like = net(*inputs)
    batches = []
    for _ in range(BATCHES):
        batches.append((*(moved(x) for x in inputs), torch.randn_like(like)))
    optimizer = "adam" if name in WITH_ADAM else "momentum"
    options, make = OPTIMIZERS[optimizer]
    if name in BY_NAME:
        options += ',wrt="' + ",".join(n for n, p in net.named_parameters() if p.requires_grad) + '"'
    ours = losses_of_program(tenure, path, names, batches, options, folder)
    if isinstance(ours, str):
        sys.exit(f"{name}: {ours}")
    theirs = losses_of_torch(net, batches, make)
    away = max(abs(a - b) / abs(b) for a, b in zip(ours, theirs, strict=True))
    n = sum(p.numel() for p in net.parameters())
    return [name, optimizer, n, f"{theirs[0]:.6f}", f"{theirs[-1]:.6f}", f"{away:.1e}"]


def main():
    tenure, names = os.path.abspath(sys.argv[1]), sys.argv[2:] or list(networks.ALL)
    logging.disable(logging.WARNING)
    rows = {}
    if sys.argv[2:] and os.path.exists(TABLE):
        with open(TABLE, encoding="utf-8") as f:
            rows = {r["net"]: list(r.values()) for r in csv.DictReader(f)}
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            rows[name] = trained(tenure, name, folder)
        print(*rows[name], flush=True)
        with open(TABLE, "w", newline="", encoding="utf-8") as f:
            csv.writer(f, lineterminator="\n").writerows([COLUMNS, *(rows[n] for n in networks.ALL if n in rows)])
    return any(not float(r[-1]) <= NEAR for r in rows.values())


if __name__ == "__main__":
    sys.exit(main())
