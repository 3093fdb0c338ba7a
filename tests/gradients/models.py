"""Gradients of whole models: the loss is the mean of squares over their outputs, by all their parameters. Each is
differentiated, checked by the onnx package, planned at -O2 and -O3, the plan checked again from its JSON; those that run in
the time given are compared with central differences along drawn directions, in double precision.

usage: models.py TENURE [--models PATTERN]... [--limit SECONDS] [--all] [--survey]

Without --all the shipped models, of which the largest are not compared, and those of TENURE_MODELS that FEW lists. Models that cannot be trained are listed with
the reason, which must be one of KNOWN. --survey: all models, planned at -O1 and without the comparison, and in the end the table of
docs/TRAINING.md: how many can be differentiated, and the reasons of the others, grouped.
"""

import argparse
import collections
import fnmatch
import math
import os
import re
import signal
import sys
import tempfile
import time

from gradient_paths import np  # ends with 77 where packages are missing

import corpus
import onnx
from cases import rng_of
from differentiate import Refused, differentiate, run
from evaluate import Evaluator
from google.protobuf.message import EncodeError
from known_refusals import KNOWN
from onnx import numpy_helper
from with_loss import LOSS, NotTrainable, add_loss, check_trainable, to_double, with_data

FEW = ["shipped/*", "tinyml/mnist_8", "tinyml/mlperf_*", "cnn/dory_*", "cnn/micas_fsrcnn", "rnn/gonnx_gru", "tinyml/dory_*"]
STEPS, BOUND, DIRECTIONS = (1e-7, 1e-9), 1e-4, 3  # a longer step meets kinks of large nets
MOST = 10_000_000  # numbers of a model that is compared where FEW are: larger ones take minutes
LEFT_OUT = ("features/", "malformed/")
STRAIGHT = "rounding=straight-through"

# Models of which the loss is over another value than their outputs of floats: these are whole numbers, or of no type.
OVER = {
    "rnn/gesture_lstm_classifier": "base_scores",
    "tinyml/onnxflow_ad01_int8": "Add__51:0",
    "tinyml/onnxflow_kws_int8": "Identity_prequant",
    "transformer/ort_gpt2_one_layer": "471",
}
# Models whose parameters are inputs.
BY = {
    "train/ort_training_api_eval_model": "fc*",
    "train/seizureguard_eval_model": '"classifier*,onnx::Conv*"',
    "transformer/ort_attention_mask1d_fp16": '"weight,bias"',
}


class TooLong(Exception):
    pass


def on_alarm(*_):
    raise TooLong


def loaded(path):
    with open(path, "rb") as file:
        if file.read(20).startswith(b"version https://git"):
            raise NotTrainable("is no model, but the address of one that was not published with it")
    try:
        return with_data(onnx.load(path, load_external_data=False))
    except Exception as error:  # broken
        raise NotTrainable(f"cannot be read: {str(error)[:80]}") from error


def options_of(name):
    return corpus.bindings().get(corpus.short(name), [])


def examined(tenure, folder, options, levels=("-O2", "-O3")):
    """What the onnx package and the planner say of the differentiated model, out.onnx made of in.onnx; raises where they
    object."""
    model, both, plan = (os.path.join(folder, f) for f in ("in.onnx", "out.onnx", "plan.json"))
    try:
        onnx.checker.check_model(model)
    except Exception:  # operators it does not know
        pass
    else:
        onnx.checker.check_model(both)
    options = corpus.unbound(options)
    for level in levels:
        run(tenure, "plan", both, "--quiet", level, "--emit=json", "-o", plan, *options)
        run(tenure, "check", both, plan, *options)


def extents_of(value, bound):
    """Extents of an input; open dimensions have the names that the file or the command gives them."""
    return [d.dim_value or bound.get(d.dim_param or f"{value.name}_dim{k}", 1)
            for k, d in enumerate(value.type.tensor_type.shape.dim)]


def feeds_of(model, both, options):
    """Inputs drawn by their names, of the extents that the options bind."""
    bound = {n: int(x) for n, x in (o.rsplit("=", 1) for o in options if "=" in o) if x.isdigit()}
    extents = {i.name: extents_of(i, bound) for i in both.graph.input}
    feeds, constants = {}, {t.name for t in model.graph.initializer}
    for i in model.graph.input:
        if i.name in constants:
            continue
        kind = onnx.helper.tensor_dtype_to_np_dtype(i.type.tensor_type.elem_type)
        rng = rng_of(i.name)
        shape = extents.get(i.name, [])
        feeds[i.name] = (rng.uniform(-1, 1, shape) if np.dtype(kind).kind == "f" else rng.integers(0, 2, shape)).astype(kind)
    return feeds


def with_inputs(model, names):
    """The model with these initializers as inputs, and their values."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    values = {t.name: numpy_helper.to_array(t) for t in copy.graph.initializer if t.name in names}
    kept = [t for t in copy.graph.initializer if t.name not in names]
    del copy.graph.initializer[:]
    copy.graph.initializer.extend(kept)
    there = {i.name for i in copy.graph.input}
    for name, value in values.items():
        if name not in there:
            kind = onnx.helper.np_dtype_to_tensor_dtype(value.dtype)
            copy.graph.input.append(onnx.helper.make_tensor_value_info(name, kind, value.shape))
    return copy, values


def compared(tenure, model, wrt, options):
    """(parameters, the largest relative error) along directions drawn, each in all parameters together."""
    wide = to_double(model)
    both = differentiate(tenure, wide, LOSS, wrt, more=options)
    grads = [o.name for o in both.graph.output if o.name.endswith("_grad")]
    names = {g.removesuffix("_grad") for g in grads}
    feeds = feeds_of(wide, both, options)
    got = Evaluator(both)(feeds)
    forward, values = with_inputs(wide, names)
    values |= {n: feeds[n] for n in names if n in feeds}
    evaluate, rng, worst = Evaluator(forward), rng_of("directions"), 0.0
    for _ in range(DIRECTIONS):
        way = {n: rng.standard_normal(v.shape) * (np.abs(v).mean() + 1e-3) for n, v in values.items()}
        along = sum(float((got[f"{n}_grad"] * w).sum()) for n, w in way.items())
        errors = []
        for step in STEPS:
            if not errors or errors[-1] > BOUND:
                ends = [float(evaluate({**feeds, **{n: v + s * step * way[n] for n, v in values.items()}})[LOSS]) for s in (1, -1)]
                slope = (ends[0] - ends[1]) / (2 * step)
                errors.append(abs(along - slope) / max(1e-6, abs(slope), abs(along)))
        worst = max(worst, min(errors))
    return len(names), worst


class Table:
    def __init__(self):
        self.rows, self.wrong = [], 0

    def add(self, name, what, text, bad=False):
        self.rows.append((name, what, text))
        self.wrong += bad
        print(f"{'WRONG: ' if bad else ''}{name}: {what}{': ' if text else ''}{text}", flush=True)


# What a group of reasons is called in the survey, and a pattern of the reasons; the first that matches counts.
GROUPS = [
    ("`{}` has no gradient", r"the gradient of (\w+) by"),
    ("has a backward part already", "has a backward part already"),
    ("has no output of floats", "has no output of floats"),
    ("no parameter of floats reaches its outputs", "depends on no initializer of floats"),
    ("an operator set older than {}", r"takes Round, which ai.onnx has from version (\d+) on"),
    ("an operator set older than 7", "imports version"),
    ("cannot be read", "cannot be read"),
]


def group_of(text):
    for title, pattern in GROUPS:
        found = re.search(pattern, text)
        if found:
            return title.format(*found.groups())
    return text.split("error: ")[-1].split("warning: ")[-1]


def survey(rows):
    """The table, in Markdown."""
    made = sorted(name for name, what, _ in rows if what in ("differentiated", "compared"))
    straight = sorted(name for name, what, text in rows if name in made and STRAIGHT in text)
    folders = collections.Counter(name.split("/")[0] for name in made if name not in straight)
    lines = ["| models | | which |", "|---|---|---|",
             f"| {len(made) - len(straight)} | differentiated and planned | {', '.join(f'{n} in {f}/' for f, n in sorted(folders.items()))} |",
             f"| {len(straight)} | the same with `{STRAIGHT}` | {', '.join(f'`{name}`' for name in straight)} |"]
    reasons = collections.defaultdict(list)
    for name, what, text in rows:
        if name not in made:
            reasons[(what, group_of(text))].append(f"`{name}`")
    for (what, reason), names in sorted(reasons.items(), key=lambda r: (r[0][0], -len(r[1]), r[0][1])):
        lines.append(f"| {len(names)} | {what}: {reason} | {', '.join(sorted(names))} |")
    return "\n".join(lines)


def refusal(error):
    lines = str(error).splitlines() or ["?"]
    return next((line for line in lines if "error:" in line), lines[0])


def try_model(args, name, path, table):
    over, wrt = OVER.get(name), BY.get(name, "params")
    try:
        model = loaded(path)
        check_trainable(model, over)
    except NotTrainable as error:
        table.add(name, "not trainable", str(error))
        return
    by_command = model.graph.output[0].name
    model, options, more = add_loss(model, over), options_of(name), ""
    for more in ("", STRAIGHT):
        try:
            with tempfile.TemporaryDirectory() as folder:
                both = differentiate(args.tenure, model, LOSS, wrt, more, options, folder)
                n = sum(o.name.endswith("_grad") for o in both.graph.output)
                examined(args.tenure, folder, options, ("-O1",) if args.survey else ("-O2", "-O3"))
            break
        except EncodeError:  # more than the onnx package can write
            run(args.tenure, "plan", path, "--quiet", f'--passes=autodiff{{loss="mse({by_command})"}},O1', *options)
            table.add(name, "differentiated", "by the command alone: the onnx package cannot write so large a file")
            return
        except (Refused, onnx.checker.ValidationError) as error:
            text = refusal(error)
            if more or STRAIGHT not in text:
                kind = "not trainable" if "depends on no initializer of floats" in text else "refused"
                known = any(fnmatch.fnmatch(name, p) and re.search(why, text) for p, why in KNOWN)
                table.add(name, kind, text.split("error: ")[-1][:300], kind == "refused" and not known)
                return
    numeric(args, name, model, n, len(both.graph.node) - len(model.graph.node), (wrt, more), table)


def numeric(args, name, model, n, nodes, how, table):
    wrt, more = how
    text = f"{n} gradients, {nodes} nodes more{', ' if more else ''}{more}"
    steps = {x.op_type for x in model.graph.node} & {"Floor", "Round", "Ceil", more}
    if args.survey or more or steps:  # slopes of a staircase are not what its derivative is
        why = f"; not compared: it has {', '.join(sorted(steps))}" if steps and not args.survey else ""
        table.add(name, "differentiated", f"{text}{why}")
        return
    size = sum(math.prod(t.dims) for t in model.graph.initializer)
    if size > args.most:
        table.add(name, "differentiated", f"{text}; not compared: it has {size} numbers")
        return
    signal.setitimer(signal.ITIMER_PROF, args.limit)
    start = time.monotonic()
    try:
        _, worst = compared(args.tenure, model, wrt, options_of(name))
        signal.setitimer(signal.ITIMER_PROF, 0)
        seconds = f"{time.monotonic() - start:.1f} s"
        table.add(name, "compared", f"{text}, differs by {worst:.2g} ({seconds})", not worst <= BOUND)
    except TooLong:
        table.add(name, "differentiated", f"{text}; the comparison takes longer than {args.limit} s")
    except Exception as error:  # operators that nobody evaluates in double precision
        signal.setitimer(signal.ITIMER_PROF, 0)
        table.add(name, "differentiated", f"{text}; not compared: {type(error).__name__}: {str(error)[:120]!r}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tenure")
    parser.add_argument("--models", action="append", default=[])
    parser.add_argument("--limit", type=float, help="seconds of processor time for a comparison (20; 120 where large models are left out)")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--survey", action="store_true")
    args = parser.parse_args()
    signal.signal(signal.SIGPROF, on_alarm)
    few = not (args.all or args.survey or args.models)
    args.most = MOST if few else math.inf
    args.limit = args.limit or (120 if few else 20)
    patterns = args.models or (["*"] if args.all or args.survey else FEW)
    table = Table()
    for name, path in corpus.models():
        if not name.startswith(LEFT_OUT) and any(fnmatch.fnmatch(name, p) for p in patterns):
            try_model(args, name, path, table)
    if args.survey:
        print(survey(table.rows))
    counts = collections.Counter(what for _, what, _ in table.rows)
    made = counts["compared"] + counts["differentiated"]
    print(f"{len(table.rows)} models: {made} differentiated and planned, of which {counts['compared']} compared; "
          f"{counts['refused']} refused, {counts['not trainable']} not trainable; {table.wrong} wrong")
    return 1 if table.wrong or not made else 0


if __name__ == "__main__":
    sys.exit(main())
