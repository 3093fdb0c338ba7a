"""Plans with two places for inputs and outputs (--double-buffer), run as a stream.

usage: streamed.py TENURE [--models PATTERN]... [--full]

Each model runs STEPS times on other inputs, with the places swapped after each run. While a run works, a writer
like a DMA scribbles over all of the inputs' other places, before every step and between its reads and writes, and
a reader finds in the outputs' other places what the last run left, byte for byte. Before the end the writer puts
the next inputs there, and the next run finds these and no others. The outputs of every run equal those of a run
without a plan, bit for bit. Plans made wrong on purpose are noticed here, and refused by `tenure check`.
"""

import argparse
import collections
import copy
import fnmatch
import json
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE] + [os.path.join(os.path.dirname(HERE), d) for d in ("models", "operators")]

from packages import np  # ends with 77 where the packages are missing

import corpus
from arena import Arena, Corruption, Plain
from execute import SMALLER, Model, same
from graphs import Unsupported
from interpreter import Run

STEPS = 5
MODES = (
    ("-O2", "--double-buffer=all"),
    ("-O3", "--double-buffer=all", "--io=arena"),
    ("-O2", "--double-buffer=inputs", "--io=arena", "--reuse-inputs"),
    ("-O2", "--double-buffer=outputs", "--io=arena", "--memory=slots"),
    ("-O3", "--double-buffer=all", "--io=arena", "--pool=fast:16K:align=16", "--pool=slow:cost=4:align=128"),
    ("-O3", "--double-buffer=all", "--pool=fast:4K", "--pool=slow:cost=4", "--pool=near:2K:io", "--pool=far:io:cost=3"),
    ("-O2", "--double-buffer=all", "--io=arena", "--concurrency=dataflow"),
    ("-O3", "--double-buffer=all", "--io=arena", "--overlap=elements", "--align=1"),
    ("-O3", "--double-buffer=inputs", "--io=arena", "--inplace=ordered", "--layout=nhwc"),
)
SHIPPED = ("shipped/ds_cnn", "shipped/lstm")
SMALL = ("tinyml/mlperf_resnet8", "tinyml/deeploy_eegformer", "features/onnx_selu*", "transformer/deeploy_cct2*")


class Streamed(Arena):
    """The memory of one plan over several runs."""

    def __init__(self, plan):
        self.turn, self.step, self.next = 0, 0, {}
        self.left = {}  # output -> bytes that the run before left
        self.disturbed = 0
        self.random = np.random.default_rng(7)
        self.now = ""
        super().__init__(plan)
        main = [(vid, v) for vid, v in enumerate(plan["values"]) if v["graph"] == "" and v["storage"] is not None]
        self.two = [s for s, storage in enumerate(plan["storages"]) if storage.get("second", 0) > 0]
        self.inputs = [vid for vid, v in main if v["role"] == "input" and v["storage"] in self.two]
        self.outputs = [vid for vid in plan["outputs"] if plan["values"][vid]["storage"] in self.two]

    def span(self, vid, turn=None):
        start, end = super().span(vid)
        storage = self.plan["storages"][self.plan["values"][vid]["storage"]]
        on = storage.get("second", 0) * (self.turn if turn is None else turn)
        return start + on, end + on

    def bytes_at(self, vid, turn):
        start, end = self.span(vid, turn)
        pool = self.pools[self.plan["storages"][self.plan["values"][vid]["storage"]]["pool"]]
        if end > pool.size:
            raise Corruption(f"{self.name(vid)} lies outside its pool")
        return pool[start:end]

    def place(self, vid):
        return None if self.plan["values"][vid]["storage"] is None else self.bytes_at(vid, self.turn)

    @property
    def at(self):
        return self.now

    @at.setter
    def at(self, text):
        self.now = text
        self.disturb()

    def disturb(self):
        """What others do while a run works."""
        for vid in getattr(self, "inputs", ()):
            storage = self.plan["storages"][self.plan["values"][vid]["storage"]]
            start = storage["offset"] + (0 if self.turn else storage["second"])
            size = storage["size"] - storage["second"]
            self.pools[storage["pool"]][start : start + size] = self.random.integers(0, 256, size, np.uint8)
            self.disturbed += size
        for vid, raw in self.left.items():
            self.compare(vid, self.bytes_at(vid, 1 - self.turn), raw, "of the last run was overwritten while it is read")

    def write(self, vid, array, covered=()):
        if vid in self.next:  # the writer has put it there
            self.compare(vid, self.place(vid), self.next.pop(vid), "is not what was written for this run")
        super().write(vid, array, covered)
        self.disturb()

    def read(self, vid):
        self.disturb()
        return super().read(vid)

    def begin_run(self):
        self.written, self.loose, self.owner = {}, {}, {}

    def swap(self, inputs):
        """The end of a run: the next inputs come, and places change parts."""
        for vid in self.inputs:
            value = self.plan["values"][vid]
            self.next[vid] = self.bytes_of(vid, value, inputs[value["name"]])
            self.bytes_at(vid, 1 - self.turn)[:] = self.next[vid]
        self.left = {vid: self.place(vid).copy() for vid in self.outputs}
        self.turn, self.step = 1 - self.turn, self.step + 1


def inputs_of_step(inputs, fixed, step):
    """The same numbers in other places."""
    return {name: np.roll(x.reshape(-1), step).reshape(x.shape)
            if isinstance(x, np.ndarray) and x.size > 1 and name not in fixed else x for name, x in inputs.items()}


def stream(model, plan):
    """The memory after all runs; raises Corruption."""
    memory = Streamed(plan)
    fixed = {plan["values"][v]["name"] for v in plan["fixed"]} | set(model.file.main.initializers)
    for step in range(STEPS):
        inputs = inputs_of_step(model.inputs, fixed, step)
        wanted = Run(model.file, plan, Plain(plan), model.kernels).run(inputs)
        memory.begin_run()
        got = Run(model.file, plan, memory, model.kernels).run(inputs)
        for name, want in wanted.items():
            if not same(got[name], want):
                raise Corruption(f"run {step}: output '{name}' differs from the run without a plan")
        memory.check_consts()
        memory.swap(inputs_of_step(model.inputs, fixed, step + 1))
    return memory


# ---- faults ----

def shared(plan):
    """Second places of storages that have none: what lies behind them is others'."""
    for s, storage in enumerate(plan["storages"]):
        reads = any(v["storage"] == s and v["role"] == "input" for v in plan["values"])
        end = storage["offset"] + 2 * storage["size"]
        if reads and "second" not in storage and end <= plan["pools"][storage["pool"]]["size"]:
            wrong = copy.deepcopy(plan)
            wrong["storages"][s] |= {"second": storage["size"], "size": 2 * storage["size"]}
            yield wrong


def drawn_in(plan):
    """Second places that begin inside the first."""
    for s, storage in enumerate(plan["storages"]):
        if storage.get("second", 0) > storage["align"] and any(
                v["storage"] == s and v["role"] == "input" for v in plan["values"]):
            wrong = copy.deepcopy(plan)
            wrong["storages"][s]["second"] -= storage["align"]
            wrong["storages"][s]["size"] -= storage["align"]
            yield wrong


def gone(plan):
    """One place in place of two, which nobody else's bytes are in: the plan is right, and not what was asked for."""
    for s, storage in enumerate(plan["storages"]):
        if "second" in storage:
            wrong = copy.deepcopy(plan)
            del wrong["storages"][s]["second"]
            yield wrong


def is_refused(tenure, path, options, plan):
    """Whether `tenure check` refuses the plan, as a document of its own."""
    with tempfile.TemporaryDirectory() as folder:
        files = [os.path.join(folder, name) for name in ("good.json", "wrong.json")]
        corpus.run(tenure, ["plan", path, "-q", *options, "--emit=json", "-o", files[0]])
        with open(files[0], encoding="utf-8") as f:
            document = json.load(f)
        document["programs"][0]["variants"][0]["storages"] = plan["storages"]
        with open(files[1], "w", encoding="utf-8") as f:
            json.dump(document, f)
        good, bad = (corpus.run(tenure, ["check", path, file]) for file in files)
        return good.returncode == 0 and bad.returncode == 1


def try_faults(tenure, model, path, options):
    """What nobody noticed, and how many faults there were."""
    missed, n = [], collections.Counter()
    cases = [(shared, ("-O2", "--io=arena")), (drawn_in, MODES[1]), (gone, MODES[0])]
    for spoiler, mode in cases:
        for wrong in spoiler(model.any_plan(mode)):
            n[spoiler.__name__] += 1
            try:
                if spoiler is not gone:
                    stream(model, wrong)
                    missed.append(f"{spoiler.__name__}: the stream does not notice")
            except Corruption:
                pass
            if not is_refused(tenure, path, (*options, *mode), wrong):
                missed.append(f"{spoiler.__name__}: `tenure check` takes it")
        if n[spoiler.__name__] == 0:
            missed.append(f"no plan was spoiled by {spoiler.__name__}")
    return missed, n.total()


def main():
    np.seterr(all="ignore")
    parser = argparse.ArgumentParser()
    parser.add_argument("tenure")
    parser.add_argument("--models", action="append", default=[])
    parser.add_argument("--full", action="store_true")
    args = parser.parse_args()
    wrong, runs, disturbed, compared, planted = [], 0, 0, 0, 0
    patterns = args.models or (*SHIPPED, *SMALL)
    chosen = [(n, p) for n, p in corpus.models() if any(fnmatch.fnmatch(n, pattern) for pattern in patterns)]
    for number, (name, path) in enumerate(chosen):
        options = SMALLER.get(corpus.short(name), corpus.bindings().get(corpus.short(name), []))
        try:
            model = Model(args.tenure, path, options, True)
        except Unsupported as error:
            print(f"not run: {name}: {error}")
            continue
        for mode in MODES if args.full else corpus.some(MODES, number, 3):
            try:
                memory = stream(model, model.plan(mode))
                runs, disturbed, compared = runs + STEPS, disturbed + memory.disturbed, compared + memory.bytes_compared
            except Corruption as error:
                wrong.append(f"{name} {' '.join(mode)}: {error}")
        if name == SHIPPED[0]:
            missed, planted = try_faults(args.tenure, model, path, options)
            wrong += [f"{name}: {line}" for line in missed]
    for line in wrong:
        print(f"WRONG: {line}")
    print(f"{len(chosen)} models, {runs} runs with two places, {disturbed} bytes written beside them, {compared} compared; "
          f"{planted} faults planted, {len(wrong)} wrong")
    return 1 if wrong or runs == 0 or planted == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
