"""Training graphs beside the older systems: bench/training.csv and the page bench/TRAINING.md.

The networks of bench/training_models.py are differentiated (`autodiff`), batch 32, and planned. Bytes are those of the arena: every
activation and every gradient of one, without inputs, parameters and gradients of parameters, rounded up to 64. The rules of the
older systems are those of tests/plans/memonger.py and tests/plans/seeds.py, over the same values in the same order.

usage: training.py TENURE [--check] [NET...]; --check: the bytes of the file must come out again; NET: those alone
       training.py --page: the page must be that of the file, and hold what it claims; nothing is measured
"""

import csv
import os
import subprocess
import sys
import tempfile

import figures

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(HERE)
for folder in ("plans", "models"):
    sys.path.insert(0, os.path.join(TOP, "tests", folder))
import corpus  # noqa: E402
import memonger  # noqa: E402
import seeds  # noqa: E402

TABLE, PAGE = os.path.join(HERE, "training.csv"), os.path.join(HERE, "TRAINING.md")
RULES = ["caffe", "memonger", "memonger_sizes", "paddle0", "paddle1"]
PIPELINES = {"alone": [memonger.ALONE], "O1": ["-O1"], "O2": ["-O2"], "O3": ["-O3"], "recompute10": ["-O3", "--recompute=10%"],
             "recompute33": ["-O3", "--recompute=33%"]}
OTHERS = {"level0": ["-O2", "--level=0"], "slots": ["-O2", "--memory=slots"]}
# With an update of each parameter in the graph (optimizer=sgd); pinned: its gradients keep their bytes to the end.
STEP = {"sgd_O2": ["-O2"], "sgd_O3": ["-O3"], "sgd_pinned": ["-O3", "--skip-param-grads"]}
INFERENCE = {"forward_naive": ["-O0"], "forward_O2": ["-O2"], "forward_O3": ["-O3"]}
COLUMNS = ["net", "steps", "naive", *RULES, *PIPELINES, *OTHERS, "level0_saved", *STEP, "sgd_params", "sgd_updates", *INFERENCE]
# What each system published of which network: percent of what it counted as the whole. The figures are of processes or logs, of
# graphs that were never published; what is held against them is the same rule of counting, bytes saved of the naive bytes.
PUBLISHED = [
    ("vgg19", "Caffe", 62.5, "vgg16, its log: 84.0 to 31.5 MB (issue 206)"),
    ("vgg19", "Paddle", 34.5, "VGG: 1729.5 to 1132.9 MB (PR 7385)"),
    ("resnet50", "Paddle", 47.8, "ResNet: 1277.3 to 666.2 MB (PR 7385)"),
    ("resnet50", "Paddle", 54.3, "ResNet, variables released: 170.6 to 78.0 MB (PR 8690)"),
    ("resnet50", "Paddle", 65.4, "ResNet, recomputing by hand: 170.6 to 59.0 MB (PR 9089)"),
    ("lstm", "Paddle", 80.5, "dynamic RNN: 5728.4 to 1116.0 MB (PR 8041)"),
    ("resnet50", "memonger", 33.2, "ResNet-50, batch 32, the process: 7497 to 5010 MiB"),
    ("inception_v2", "Caffe", 50.0, "\"about half\", its limit in training (issue 210)"),
]
LIMIT_S = 1200
FORWARD_LEAST = 95.0  # Caffe, inference


def arena(tenure, path, options):
    done, plan = corpus.plan(tenure, path, options, LIMIT_S)
    if plan is None:
        sys.exit(f"{path} {options}: {done.stderr.decode()[-1000:] if done else 'takes too long'}")
    return memonger.arena(plan), plan


def paddle(plan, by_shape):
    """memory_optimize: a dead variable of the same shape (level 0), or the smallest that is large enough (level 1)."""
    groups, kept = {}, 0
    for s in plan["storages"]:
        size = memonger.aligned(s["size"])
        if plan["pools"][s["pool"]]["kind"] != "arena":
            continue
        if s["pinned"]:
            kept += size
            continue
        root = plan["values"][s["root"]]
        groups.setdefault((root["dtype"], *root["dims"]) if by_shape else root["dtype"], []).append((s["first"], s["last"] + 1, size))
    return kept + sum(sum(seeds.recycle(buffers, seeds.paddle)) for buffers in groups.values())


def measure(tenure, name, forward, path, step):
    names = memonger.gradients(tenure, path, [])
    naive, plan = arena(tenure, path, [memonger.NONE])
    training = memonger.Training(plan, names)
    rest = naive - sum(training.sizes.values())
    row = {"net": name, "steps": len(plan["steps"]), "naive": naive, "caffe": rest + memonger.caffe(training.lives, training.sizes)}
    row["memonger"], row["memonger_sizes"] = (rest + b for b in memonger.memonger(training.ops, training.sizes))
    row["paddle0"], row["paddle1"] = paddle(plan, True), paddle(plan, False)
    for column, options in {**PIPELINES, **OTHERS}.items():
        row[column], made = arena(tenure, path, options)
        if column == "level0":
            row["level0_saved"] = made["report"]["saved_by_sharing"]
    for column, options in STEP.items():
        row[column], made = arena(tenure, step, options)
        if column == "sgd_O2":
            row["sgd_params"], row["sgd_updates"] = len(made["bindings"]), made["report"]["updates"]
    for column, options in INFERENCE.items():
        row[column] = arena(tenure, forward, options)[0]
    return [str(row[c]) for c in COLUMNS]


def nets(tenure, work, asked):
    import onnx
    import training_models
    for name, model in training_models.nets():
        if asked and name not in asked:
            continue
        forward, path, step = (os.path.join(work, f"{name}{end}.onnx") for end in ("", "_train", "_step"))
        onnx.save(model, forward)
        wrt = ",".join(training_models.parameters(model.graph))
        for file, optimizer in ((path, "none"), (step, "sgd")):
            ask = f'--passes=autodiff{{loss=loss,optimizer={optimizer},wrt="{wrt}"}}'
            done = subprocess.run([tenure, "opt", forward, ask, "-o", file], capture_output=True, text=True, check=False)
            if done.returncode != 0:
                sys.exit(f"{name}: {done.stderr[-1000:]}")
        yield measure(tenure, name, forward, path, step)


# ---- the page ----

def saved(row, column):
    return 100 - 100 * int(row[column]) / int(row["naive"])


def table(head, rows):
    return ["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *("| " + " | ".join(r) + " |" for r in rows), ""]


def mb(text):
    return f"{int(text) / 1e6:.1f}"


def page(rows):
    lines = ["# Training beside Caffe, Paddle and memonger", "",
             "Made by `bench/training.py TENURE` from `bench/training.csv`. The networks that the older systems published figures of, with a",
             "backward part appended by `autodiff`, batch 32, fp32. Naive: every activation and every gradient of one has its own bytes; inputs,",
             "parameters and their gradients are not counted, in any column. The older systems' rules run over the same values in the same order:",
             "Caffe's keeps activations and lets gradients take the first free slot; memonger's is its walk over the graph, without and with",
             "`blob_shapes`; Paddle's are the two levels of `memory_optimize`. *alone* is `share-gradients` with no other reuse.", "",
             "## Saved, in percent of naive", ""]
    shown = [*RULES, *PIPELINES]
    lines += table(["net", "naive MB", *shown], [[r["net"], mb(r["naive"]), *(f"{saved(r, c):.1f}" for c in shown)] for r in rows])
    lines += ["Sharing gradients alone saves at least what memonger's walk saves, and Caffe's rule. Gradients of plain ops have side branches that",
              "never join (sums for biases, masks, transposed copies), behind which the walk locks what they read. `-O2` lets activations die at their",
              "last reader in the backward part, as Paddle does and the other two do not. With `recompute` come clones of ops: more to run.", "", "## Published, and the same network here", ""]
    by_net = {r["net"]: r for r in rows}
    lines += table(["net", "system", "published saving %", "its rule here %", "-O2 here %", "what was published"],
                   [[net, system, f"{percent:.1f}", f"{saved(by_net[net], system.lower() + ('1' if system == 'Paddle' else '')):.1f}",
                     f"{saved(by_net[net], 'O2'):.1f}", text] for net, system, percent, text in PUBLISHED if net in by_net])
    lines += ["The published figures are of processes or of logs, with weights, workspaces or a test net in them, and of graphs nobody has; what",
              "can be said is that `-O2` saves at least that part of the naive bytes. Gradients in plain ops make more values than kernels of",
              "gradients do (masks, transposed copies), which die soon: every column but memonger's is higher for it. Another log of Caffe (issue 190,",
              "845.0 to 226.4 MB, training and test net together) does not say of which network it is.", "",
              "## Where gradient sharing counts", "",
              "With offsets in one arena `reuse` finds the same bytes: with and without the pass arenas are equal. At level 0, where only equal types",
              "and shapes share otherwise, the pass saves:", ""]
    lines += table(["net", "level 0 MB", "more without sharing MB", "slots MB", "-O2 MB", "-O3 MB"],
                   [[r["net"], *(mb(r[c]) for c in ("level0", "level0_saved", "slots", "O2", "O3"))] for r in rows])
    lines += ["## Updates in the graph", "",
              "`optimizer=sgd` updates each parameter, in place of its bytes, as soon as its gradient is complete, which then gives its bytes to the next",
              "layer's. Pinned: gradients of parameters are kept to the end of the step, as older frameworks keep them.", ""]
    lines += table(["net", "parameters", "updated in place", "-O2 MB", "-O3 MB", "-O3 pinned MB", "-O3 over pinned"],
                   [[r["net"], r["sgd_params"], r["sgd_updates"], *(mb(r[c]) for c in STEP),
                     f"{int(r['sgd_O3']) / int(r['sgd_pinned']):.3f}"] for r in rows])
    lines += ["## Inference", "",
              "Weights as constants, batch 32. Caffe counted each blob twice, data and gradient, whatever ran: of twice the naive bytes it saved",
              f"\"over {FORWARD_LEAST:.0f} %\".", ""]
    lines += table(["net", "naive MB", "-O2 MB", "-O3 MB", "-O2 saves %", "-O3 saves %", "-O2 as Caffe counts %", "-O3 as Caffe counts %"],
                   [[r["net"], *(mb(r[c]) for c in INFERENCE),
                     *(f"{100 - 100 * int(r[c]) / (k * int(r['forward_naive'])):.1f}" for k in (1, 2) for c in ("forward_O2", "forward_O3"))]
                    for r in rows])
    return "\n".join(lines).rstrip() + "\n"


def complaints(rows):
    """What must hold on every net."""
    by_net = {r["net"]: r for r in rows}
    for r in rows:
        theirs = min(int(r[c]) for c in ("caffe", "memonger", "memonger_sizes"))
        if int(r["alone"]) > theirs:
            yield f"{r['net']}: sharing alone needs {r['alone']}, an older system {theirs}"
        for better, worse in (("O2", "caffe"), ("O2", "paddle1"), ("O3", "O2"), ("recompute10", "O3"), ("recompute33", "recompute10")):
            if int(r[better]) > int(r[worse]):
                yield f"{r['net']}: {better} {r[better]} is more than {worse} {r[worse]}"
    for net, system, percent, _ in PUBLISHED:
        if net in by_net and saved(by_net[net], "O2") < percent:
            yield f"{net}: -O2 saves {saved(by_net[net], 'O2'):.1f} %, {system} published {percent}"


def main():
    tenure, asked = os.path.abspath(sys.argv[1]), [a for a in sys.argv[2:] if a != "--check"]
    measures = sys.argv[1] != "--page"
    known = {}
    if os.path.exists(TABLE):
        with open(TABLE, newline="", encoding="utf-8") as f:
            known = {row[0]: row for row in list(csv.reader(f))[1:]}
    with tempfile.TemporaryDirectory() as work:
        new = {}
        for row in nets(tenure, work, asked) if measures else ():
            new[row[0]] = row
            print(",".join(row), flush=True)
    everything = {**known, **new}
    rows = [dict(zip(COLUMNS, everything[n])) for n in everything]
    wrong = list(complaints(rows))
    if "--check" in sys.argv[2:] or not measures:
        wrong += [f"{n}: not the file's figures" for n in new if known.get(n) != new[n]]
        with open(PAGE, encoding="utf-8") as f:
            wrong += ["bench/TRAINING.md is not of bench/training.csv"] if f.read() != page(rows) else []
    else:
        figures.write(TABLE, COLUMNS, everything.values())
        with open(PAGE, "w", encoding="utf-8") as f:
            f.write(page(rows))
    print("\n".join(wrong) or f"{len(rows)} nets")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
