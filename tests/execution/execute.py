"""Executes models inside their plans: outputs equal, bit for bit, those of a run without a plan.

usage: execute.py TENURE [--full] [--models PATTERN]... [--modes REGEX] [--fast] [--limit SECONDS]
                  [--most-bytes N] [--verbose]

Without options: the quick form, the shipped models in the lists of QUICK, and plans spoiled on purpose,
which must be noticed; the larger ones in some of MODES (in all of them where TENURE_SOAK is set). --full: all
models of tests/models/corpus.py in all MODES, first without the slow kernels of the reference evaluator (--fast),
then with them. --models: only these, in the modes that match --modes.
"""

import argparse
import collections
import fnmatch
import json
import os
import re
import signal
import sys
import time
import traceback

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):  # one order of summation
    os.environ.setdefault(variable, "1")
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "models")]

sys.path.append(os.path.join(os.path.dirname(HERE), "operators"))
from packages import np  # ends with 77 where the packages are missing

import corpus
import runtime
import spoil
from arena import SUB_BYTE, Arena, Corruption, Mismatch, Plain
from graphs import File, Unsupported
from inputs import inputs_of
from interpreter import Run
from kernels import Kernels, TooLong
from modes import MODES

BASE = ("-O0", "--io=separate")
SMALLER = {
    "bert_base": ["--dim", "batch=1", "--dim", "sequence=4"],
    "ort_gpt2_one_layer": ["--dim", "batch_size=1", "--dim", "seq_len=4"],
    "ort_gpt2_past": ["--dim", "batch_size=1", "--dim", "seq_len=4"],
    "gpt_decoder": ["--dim", "batch=1", "--dim", "past=3"],
    "ort_gh_issue_11717_if": ["--dim", "y0=3", "--dim", "y1=4"],
    "polygraphy_inp_dim_val_not_set": ["--dim", "X.0=1", "--dim", "X.1=4", "--dim", "X.2=4"],
}
# Of the quick form: models, and whether to do without slow kernels.
QUICK = (
    (("ds_cnn", "lstm", "train_cnn"), False),
    (("mobilenet_v2", "squeezenet1_1", "unet_small", "bert_base", "gpt_decoder", "resnet50"), True),
)
FEW = 12  # modes of the larger ones
SPOILED = ("ds_cnn", "lstm", "train_cnn", "unet_small")


def on_alarm(*_):
    raise TooLong


class TooLarge(Unsupported):
    """A plan of more memory than this machine should give."""


class Model:
    """One model, its inputs, and its outputs without a plan."""

    def __init__(self, tenure, path, options, fast, inputs=None, most_bytes=3 << 29):
        self.tenure, self.path, self.options, self.most_bytes = tenure, path, options, most_bytes
        name = corpus.short(path.removesuffix(".onnx"))
        self.marks = set()  # of plans executed
        self.kernels = Kernels(fast, keep=True)
        plan = self.any_plan(BASE)
        self.file = File(path)
        self.inputs = inputs_of(self.file, plan, name) if inputs is None else inputs
        self.wanted = Run(self.file, plan, Plain(plan), self.kernels).run(self.inputs)

    def any_plan(self, mode):
        done, plan = corpus.plan(self.tenure, self.path, [*self.options, *mode])
        if plan is None:
            said = done.stderr.decode(errors="replace").strip().splitlines() if done else ["it takes long"]
            raise Unsupported(f"no plan: {said[-1] if said else done.returncode}")
        return plan

    def plan(self, mode):
        """A plan to be executed; raises TooLarge."""
        plan = self.any_plan(mode)
        size = sum(pool["size"] for pool in plan["pools"])
        if size > self.most_bytes:
            raise TooLarge(f"{' '.join(mode)}: {size} bytes, more than the {self.most_bytes} taken here")
        return plan

    def executed(self, plan):
        """Whether a plan was executed that differs from this one in how it was asked for alone; it is noted."""
        told = ("pipeline", "options", "report")
        mark = hash(json.dumps({key: plan[key] for key in plan if key not in told}, sort_keys=True))
        seen = mark in self.marks
        self.marks.add(mark)
        return seen

    def execute_plan(self, plan):
        """The arena after an execution; raises Corruption."""
        arena = Arena(plan)
        got = Run(self.file, plan, arena, self.kernels).run(self.inputs)
        for name, want in self.wanted.items():
            if not same(got[name], want):
                raise Corruption(f"output '{name}' differs from the run without a plan")
        arena.check_consts()
        return arena


def same(a, b):
    if isinstance(a, (list, tuple)):
        return isinstance(b, (list, tuple)) and len(a) == len(b) and all(map(same, a, b))
    if not isinstance(a, np.ndarray) or not isinstance(b, np.ndarray):
        return a is b or np.array_equal(a, b)
    if a.dtype.kind == "O" or b.dtype.kind == "O":
        return np.array_equal(a, b)
    bits = SUB_BYTE.get(a.dtype, 8)  # what is above them in a byte is nobody's
    return (
        a.dtype == b.dtype
        and a.shape == b.shape
        and (
            a.tobytes() == b.tobytes()
            if bits == 8
            else not ((a.view(np.uint8) ^ b.view(np.uint8)) & ((1 << bits) - 1)).any()
        )
    )


class Tally:
    def __init__(self):
        self.alike = self.known = 0  # plans that another mode gave, results that another plan asked for
        self.models = self.plans = self.bytes = self.poisoned = self.views = self.shared = 0
        self.corrupt, self.not_run, self.stood_in, self.planted = [], [], {}, {}
        self.too_large = []
        self.begun = self.bytes_begun = self.stops = 0
        self.unknown = collections.Counter()
        self.ran = collections.Counter()  # evaluator -> nodes run
        self.asked = {}  # evaluator -> models that asked it

    def add(self, arena):
        self.plans += 1
        self.bytes += arena.bytes_compared
        self.poisoned += arena.bytes_poisoned
        self.views += arena.views_met
        self.shared += arena.gathered_bytes
        self.begun += arena.begun
        self.bytes_begun += arena.bytes_begun
        self.stops += arena.stops
        self.unknown += arena.unknown

    def add_kernels(self, name, kernels):
        self.known += kernels.kept.met
        for who, ops in kernels.ran.items():
            self.ran[who] += ops.total()
            self.asked.setdefault(who, set()).add(name)
        if kernels.stood_in:
            self.stood_in[name] = sorted(kernels.stood_in)


def try_model(args, name, path, options, modes, fast, tally):
    signal.setitimer(signal.ITIMER_PROF, args.limit)
    start = time.monotonic()
    done = 0
    try:
        model = Model(args.tenure, path, options, fast, most_bytes=args.most_bytes)
        for mode in modes:
            try:
                plan = model.plan(mode)
                if model.executed(plan):
                    tally.alike += 1
                else:
                    tally.add(model.execute_plan(plan))
                done += 1
            except TooLarge as error:
                tally.too_large.append(f"{name} {error}")
            except (Corruption, Mismatch) as error:
                tally.corrupt.append(f"{name} {' '.join(mode)}: {error}")
        tally.models += done > 0
        tally.add_kernels(name, model.kernels)
    except TooLong:
        tally.not_run.append((name, f"longer than {args.limit} s of processor time, {done} plans executed"))
    except (Unsupported, MemoryError) as error:
        tally.not_run.append((name, str(error)))
    except Exception as error:  # a fault of this runner: reported, and counted as a failure
        tally.corrupt.append(f"{name}: {type(error).__name__}: {error}\n{traceback.format_exc()}")
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    if args.verbose:
        print(f"{name}: {done} plans, {time.monotonic() - start:.1f} s", flush=True)


def try_models(args, patterns, modes, fast, tally):
    bindings = corpus.bindings()
    for name, path in corpus.models():
        if any(fnmatch.fnmatch(name, p) for p in patterns):
            options = SMALLER.get(corpus.short(name), bindings.get(corpus.short(name), []))
            try_model(args, name, path, options, modes, fast, tally)


def try_spoiled(tenure, tally):
    """Faults planted in plans of small models: all have to be noticed."""
    for name in SPOILED:
        model = Model(tenure, os.path.join(corpus.SHIPPED, name + ".onnx"), [], False)
        for mode in (("-O1",), ("-O3",), ("-O3", "--layout=nhwc", "--overlap=pixels")):
            plan = model.plan(mode)
            for spoiler in spoil.SPOILERS:
                for number, wrong in enumerate(spoiler(plan)):
                    tally.planted[spoiler.__name__] = tally.planted.get(spoiler.__name__, 0) + 1
                    try:
                        model.execute_plan(wrong)
                        tally.corrupt.append(
                            f"{name} {' '.join(mode)}: nobody noticed {spoiler.__name__} {number}"
                        )
                    except Corruption:
                        pass
    tally.corrupt += [
        f"no plan was spoiled by {s.__name__}" for s in spoil.SPOILERS if not tally.planted.get(s.__name__)
    ]


def main():
    np.seterr(all="ignore")
    parser = argparse.ArgumentParser()
    parser.add_argument("tenure")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--fast", action="store_true")
    parser.add_argument("--models", action="append", default=[])
    parser.add_argument("--modes", default=".*")
    parser.add_argument("--limit", type=int, default=120)
    parser.add_argument("--most-bytes", type=int, default=3 << 29)
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    signal.signal(signal.SIGPROF, on_alarm)
    tally = Tally()
    modes = [m for m in MODES if re.fullmatch(args.modes, " ".join(m))]
    if args.models:
        try_models(args, args.models, modes, args.fast, tally)
    elif args.full:
        try_models(args, ["*"], modes, True, tally)
        try_models(args, ["*"], modes, False, tally)
    else:
        for patterns, fast in QUICK:
            for number, pattern in enumerate(patterns):
                some = corpus.some(modes, number, min(FEW, len(modes))) if fast else modes
                try_models(args, [f"shipped/{pattern}"], some, fast, tally)
    if not args.models:
        try_spoiled(args.tenure, tally)
    report(tally)
    return 1 if tally.corrupt or tally.plans == 0 else 0


def report(tally):
    for name, why in tally.not_run:
        print(f"not executed: {name}: {why}")
    for line in tally.too_large:
        print(f"plan not executed: {line}")
    for name, ops in tally.stood_in.items():
        print(f"stand-ins: {name}: {', '.join(ops)}")
    for line in tally.corrupt:
        print(f"WRONG: {line}")
    print(
        f"{tally.plans} plans of {tally.models} models executed ({tally.alike} more are alike), {len(tally.corrupt)} wrong, "
        f"{len(tally.not_run)} models not executed; {tally.bytes} bytes compared, {tally.poisoned} poisoned, "
        f"{tally.views} views met ({tally.shared} bytes)"
    )
    print(
        f"{tally.begun} results begun inside operands ({tally.bytes_begun} bytes in common), their kernels stopped "
        f"{tally.stops} times; without a rule of what is read: {dict(tally.unknown) or 'none'}"
    )
    by = ", ".join(f"{n} by {who} (in {len(tally.asked[who])})" for who, n in tally.ran.most_common())
    print(f"nodes run: {by}, and {tally.known} results known from other plans; onnxruntime {runtime.version() or 'is not there'}")
    if tally.planted:
        print("planted and noticed: " + ", ".join(f"{n} {what}" for what, n in tally.planted.items()))


if __name__ == "__main__":
    sys.exit(main())
