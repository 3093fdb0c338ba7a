"""A backward part is found where no name gives it away, and nowhere else: models that autodiff made trainable have all
their names changed, and must still be recognised, with about as many backward values; no model as it was published may be
recognised by its structure, for those with a backward part say so by names or ops.

usage: structure.py TENURE [--models PATTERN]... [--all] [--verbose]

All models are read as they were published; of those of FEW (or of the patterns; or, with --all, of all) training graphs are
made.
"""

import argparse
import fnmatch
import os
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
sys.path[:0] = [HERE, *(os.path.join(TESTS, d) for d in ("execution", "operators", "models"))]
import packages  # ends with 77 where the packages are missing

packages.np  # noqa: B018
import corpus
import onnx
from differentiate import Refused, run
from google.protobuf.message import EncodeError
from with_loss import LOSS, add_loss, check_trainable, with_data

KINDS = {  # options of the pass
    "gradients": "",
    "adam": ",optimizer=adam",
}
FEW = ["shipped/squeezenet1_1", "shipped/unet_small", "shipped/ds_cnn", "tinyml/mnist_8", "tinyml/mlperf_*", "cnn/dory_*", "transformer/vespa_dummy_transformer"]
LEAST = 0.9  # part of the models that must be recognised, and of the values and parameter gradients of those without updates
LEFT_OUT = ("malformed/", "train/", "features/")


def recognised(tenure, path, options):
    """(backward ops, values, parameter gradients, whether by structure) as the log has them."""
    done = corpus.run(tenure, ["plan", path, "-O1", "--partial", "--print-log", "-q", *options])
    text = done.stderr.decode(errors="replace") if done is not None else ""
    found = re.search(r"training: (\d+) backward ops, (\d+) backward values, (\d+) parameter gradients", text)
    return (*(int(n) for n in found.groups()), "by rule 'structure'" in text) if found else (0, 0, 0, False)


def renamed(model):
    """The model with other names for all values and nodes. Names that a node's body takes from outside change as well."""
    names = {}

    def new(name):
        return names.setdefault(name, f"v{len(names)}") if name else name

    def rename(graph):
        for named in [*graph.input, *graph.output, *graph.value_info, *graph.initializer]:
            named.name = new(named.name)
        for k, node in enumerate(graph.node):
            node.name = f"n{k}"
            node.input[:] = [new(n) for n in node.input]
            node.output[:] = [new(n) for n in node.output]
            for attribute in node.attribute:
                if attribute.type == onnx.AttributeProto.GRAPH:
                    rename(attribute.g)

    rename(model.graph)
    for binding in (b for t in model.training_info for b in t.update_binding):
        binding.key, binding.value = new(binding.key), new(binding.value)
    return model


class Totals:
    def __init__(self):
        self.models = self.made = self.found = self.wrong = 0
        self.sums = {"values": [0, 0], "gradients": [0, 0]}

    def fail(self, text):
        self.wrong += 1
        print("WRONG:", text, flush=True)

    def add(self, name, kind, named, other, verbose):
        self.made += 1
        self.found += other[3]
        for what, k in () if kind != "gradients" or not other[3] else (("values", 1), ("gradients", 2)):
            self.sums[what][0] += other[k]
            self.sums[what][1] += named[k]
        if verbose or not other[3]:
            print(f"{name}, {kind}: {other[1]} of {named[1]} values, {other[2]} of {named[2]} gradients", flush=True)


def try_made(tenure, name, path, options, totals, verbose):
    try:
        model = with_data(onnx.load(path, load_external_data=False))
        check_trainable(model)
        model = add_loss(model)
    except Exception:  # broken, or nothing to train: models.py says which
        return
    with tempfile.TemporaryDirectory() as folder:
        source, both, other = (os.path.join(folder, f"{n}.onnx") for n in ("source", "both", "other"))
        for kind, more in KINDS.items():
            try:
                onnx.save(model, source)
                run(tenure, "opt", source, f"--passes=autodiff{{loss={LOSS}{more}}}", "-o", both, *options)
                onnx.save(renamed(onnx.load(both)), other)
            except (Refused, EncodeError):
                return
            totals.add(name, kind, recognised(tenure, both, corpus.unbound(options)), recognised(tenure, other, corpus.unbound(options)), verbose)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tenure")
    parser.add_argument("--models", action="append", default=[])
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    patterns = args.models or (["*"] if args.all else FEW)
    totals, bindings = Totals(), corpus.bindings()
    for name, path in corpus.models():
        options = bindings.get(corpus.short(name), [])
        totals.models += 1
        if recognised(args.tenure, path, options)[3]:
            totals.fail(f"{name}: recognised by its structure")
        if not name.startswith(LEFT_OUT) and any(fnmatch.fnmatch(name, p) for p in patterns):
            try_made(args.tenure, name, path, options, totals, args.verbose)
    for what, (got, want) in totals.sums.items():
        if got < LEAST * want:
            totals.fail(f"{got} of {want} {what}")
    if totals.found < LEAST * totals.made:
        totals.fail("too few")
    parts = ", ".join(f"{got} of {want} {what}" for what, (got, want) in totals.sums.items())
    print(f"{totals.models} models as published; {totals.found} of {totals.made} with new names recognised, {parts}; {totals.wrong} wrong")
    return 1 if totals.wrong or not totals.made else 0


if __name__ == "__main__":
    sys.exit(main())
