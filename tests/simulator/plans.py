#!/usr/bin/env python3
"""Plans of the models at hand, in the options that other tests plan with, run by the simulator: what `tenure plan` lets
leave, and so `tenure check` accepts, spoils no byte.

Usage: plans.py TENURE [--models PATTERN]... [--verbose]

The shipped models, the text models of the tests, random ones, and those of TENURE_MODELS; a part of models and options,
all of them where TENURE_SOAK is set. Plans spoiled by hand, which the simulator must find wrong, come first.
"""

import argparse
import collections
import fnmatch
import glob
import json
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
sys.path[:0] = [HERE, *(os.path.join(TESTS, d) for d in ("execution", "models", "operators"))]
from packages import np  # ends with 77 where the packages are missing  # noqa: F401

import bases
import corpus
import onnx
import planted
import random_models
from words import NotJudged
from model_graph import Model
from modes import MODES
from plan import Plan, sets
from simulate import judge

SOAK = bool(os.environ.get("TENURE_SOAK"))
MOST_MARKS = 60_000_000 if SOAK else 4_000_000
MORE = (("-O2", "--double-buffer=all"), ("-O3", "--inplace=all", "--concurrency=dataflow"), ("-O2", "--memory=slots", "--io=arena"),
        ("-O1", "--fuse=all"), ("-O2", "--fuse=all"), ("-O3", "--fuse=all", "--inplace=all"), ("-O3", "--fuse=all", "--io=arena", "--reuse-inputs"))


class Tally:
    def __init__(self):
        self.plans, self.steps, self.failures, self.models = 0, 0, 0, set()
        self.left_out, self.unjudged, self.trusted = (collections.Counter() for _ in range(3))

    def add(self, name, made, plan):
        self.plans += 1
        self.steps += plan.n
        self.models.add(name)
        self.unjudged.update(made.unjudged)
        self.trusted.update(made.judge.trusted)

    def say(self):
        print(f"{self.plans} plans of {len(self.models)} models simulated, {self.steps} steps; {self.failures} failures")
        for title, counts in (("plans not judged", self.left_out), ("steps not judged", self.unjudged),
                              ("claims taken on trust", self.trusted)):
            if counts:
                print(f"{title}: " + ", ".join(f"{n} {w}" for w, n in counts.most_common()))


def chosen(name, number, modes):
    """The options that a model is planned with."""
    if SOAK:
        return modes
    return corpus.some(modes, number, 2 if name.startswith("shipped/") else 1)


def simulate(tenure, tally, name, path, options, model, verbose):
    done = corpus.run(tenure, ["plan", path, "-q", "--partial", "--emit=json", "-o", "-", *options])
    if done is None or done.returncode != 0:
        tally.left_out["without a plan"] += 1
        return model
    document = json.loads(done.stdout)
    for _, variant in sets(document):
        try:
            plan = Plan(document, variant)
            if plan.marks() > MOST_MARKS:
                raise NotJudged("more bytes than the run has time for")
            model = model or Model(path)
            wrong, made = judge(model, plan)
        except NotJudged as why:
            tally.left_out[str(why)] += 1
            continue
        tally.add(name, made, plan)
        if verbose:
            print(f"{name} {' '.join(options)}: {wrong or 'right'}", flush=True)
        if wrong:
            tally.failures += 1
            print(f"{name} {' '.join(options)}: {wrong}", flush=True)
    return model


def text_models(tenure, folder):
    """The text models of the tests, as ONNX files."""
    for k, path in enumerate(sorted(glob.glob(os.path.join(TESTS, "text", "**", "Inputs", "*.tir"), recursive=True))):
        made = os.path.join(folder, f"text{k}.onnx")
        done = corpus.run(tenure, ["opt", path, "--passes=", "-o", made])
        if done is not None and done.returncode == 0:
            yield "text/" + os.path.relpath(path, os.path.join(TESTS, "text"))[:-4], made


def all_models(tenure, folder):
    bindings = corpus.bindings()
    collected = [m for m in corpus.models() if not m[0].startswith("malformed/")]
    for k, (name, path) in enumerate(collected):
        if SOAK or name.startswith("shipped/") or k % 8 == 0:
            yield name, path, bindings.get(corpus.short(name), [])
    for name, path in text_models(tenure, folder):
        yield name, path, []
    for seed in range(1000 if SOAK else 40):
        path = os.path.join(folder, f"random{seed}.onnx")
        onnx.save(random_models.Maker(5000 + seed).model(), path)
        yield f"random/{seed}", path, []
    for name, path, options in bases.models(folder, 0):
        yield f"hand/{name}", path, list(options)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tenure")
    parser.add_argument("--models", action="append")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        missed = planted.missed(args.tenure, folder)
        for number, (name, path, options) in enumerate(all_models(args.tenure, folder)):
            if args.models and not any(fnmatch.fnmatch(name, p) for p in args.models):
                continue
            model = None
            for mode in chosen(name, number, [*MODES, *MORE]):
                model = simulate(args.tenure, tally, name, path, [*options, *mode], model, args.verbose)
    tally.say()
    print(f"{planted.COUNT - len(missed)} of {planted.COUNT} plans spoiled by hand found" + "".join(f"\nmissed: {m}" for m in missed))
    return 1 if tally.failures or missed or not tally.plans else 0


if __name__ == "__main__":
    sys.exit(main())
