"""Models in which `tenure opt --recompute` lets nodes run twice compute what they did, bit for bit, in ONNX Runtime, its
optimisations turned off: models of inference, and what autodiff makes of them. Ends with 77 where packages are missing.

usage: repeated.py TENURE [--models PATTERN]...
"""

import argparse
import fnmatch
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
sys.path[:0] = [HERE, *(os.path.join(TESTS, d) for d in ("operators", "execution", "gradients"))]
import packages  # ends with 77 where they are missing

np = packages.np
import annotated  # brings the paths of its modules
import corpus
import onnx
import planfile
from differentiate import Refused, differentiate, run
from with_loss import LOSS, NotTrainable, add_loss, check_trainable, with_data

MODELS = ("shipped/ds_cnn", "shipped/lstm", "shipped/unet_small", "tinyml/mnist_8", "tinyml/mlperf_resnet8", "cnn/dory_residual*")
MODES = (["-O2", "--recompute=100%"], ["-O3", "--recompute=33%"])
MOST_NODES = 1000  # larger graphs (an LSTM with its gradients, step by step) are planned for minutes
PLANNED_TOO = 100  # nodes up to which `plan` searches once more for what `opt` found


def nodes_twice(model):
    """Nodes that clones are of, by the names of what they make."""
    return sum(re.search(r"\.again\d*$", n.output[0]) is not None for n in model.graph.node)


def planned(tenure, path, *options):
    return planfile.loads(run(tenure, "plan", path, "--quiet", *options, "--emit=json", "-o", "-").stdout)


def try_mode(tenure, path, folder, options, mode, inputs):
    """Clones in the model that is written; None where ONNX Runtime does not run it. `inputs`: a plan that has their types."""
    written = os.path.join(folder, "written.onnx")
    text = run(tenure, "opt", path, *options, *mode, "-o", written, "--print-plan").stdout.decode()
    made = onnx.load(written, load_external_data=False)
    clones = len(re.findall(r"^step .* clone of ", text, re.MULTILINE))
    annotated.demand(nodes_twice(made) == clones, "the plan has", clones, "clones, the model", nodes_twice(made))
    if len(made.graph.node) - clones <= PLANNED_TOO:
        whole = planned(tenure, path, *options, *mode)
        n = sum(step["clone_of"] is not None for step in whole["steps"])
        annotated.demand(n == clones, "`plan` has", n, "clones, `opt`", clones)
    want = annotated.outputs(path, inputs)
    if want is None:
        return None
    got = annotated.outputs(written, inputs)
    annotated.demand(got is not None and [x.tobytes() for x in got] == [x.tobytes() for x in want], "the model with", clones, "clones computes something else")
    return clones


def trained(tenure, model, options):
    """The model with its gradients, or None where it cannot be trained."""
    try:
        check_trainable(model)
        return differentiate(tenure, add_loss(model), LOSS, "params", more=options)
    except (NotTrainable, Refused):
        return None


def try_model(tenure, name, path, tally):
    options = corpus.bindings().get(corpus.short(name), [])
    whole = with_data(onnx.load(path, load_external_data=False))
    models = {"inference": whole, "training": trained(tenure, onnx.ModelProto.FromString(whole.SerializeToString()), options)}
    with tempfile.TemporaryDirectory() as folder:
        for what, made in models.items():
            if made is None or len(made.graph.node) > MOST_NODES:
                print(f"{name:40} {what:9} {'too many nodes' if made else 'cannot be trained'}", flush=True)
                continue
            model = os.path.join(folder, f"{what}.onnx")
            onnx.save(made, model)
            inputs = planned(tenure, model, *options, "-O1")
            for mode in MODES:
                try:
                    clones = try_mode(tenure, model, folder, options, mode, inputs)
                except (annotated.Wrong, Refused, subprocess.TimeoutExpired) as error:
                    print(f"WRONG: {name}, {what}, {' '.join(mode)}: {error}", flush=True)
                    tally["wrong"] += 1
                    continue
                print(f"{name:40} {what:9} {' '.join(mode):22} {'not run' if clones is None else clones}", flush=True)
                tally["run"] += clones is not None
                tally["with"] += (clones or 0) > 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tenure")
    parser.add_argument("--models", action="append", default=[])
    args = parser.parse_args()
    tally = {"run": 0, "with": 0, "wrong": 0}
    for name, path in corpus.some_models():
        if any(fnmatch.fnmatch(name, p) for p in args.models or MODELS):
            try_model(args.tenure, name, path, tally)
    print(f"{tally['run']} models run, {tally['with']} of them with nodes that run twice, {tally['wrong']} wrong")
    return 1 if tally["wrong"] or tally["with"] == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
