#!/usr/bin/env python3
"""Plans made by hand to corrupt data, each right in everything but one rule: `tenure check` and the simulator refuse every
one, and take the same plan without the attack.

Usage: hand_plans.py TENURE LIBRARY [ATTACK]
"""

import collections
import json
import os
import pickle
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "operators"), os.path.join(os.path.dirname(HERE), "models")]
from packages import np  # ends with 77 where the packages are missing  # noqa: F401

import corpus
import hand_clones  # noqa: F401
import hand_others  # noqa: F401
import onnx
from hand_draft import ATTACKS, Hand
from model_graph import Model
from verdicts import Checker, NotJudged, simulated

OPTIONS = ("--views=none", "--inplace=none")


def settled(document, *edits):
    h = Hand(pickle.loads(document))
    for edit in edits:
        if edit is not None:
            edit(h)
    return h.finish()


def figures(document, messages):
    """What is a mere figure put right: the layout, and what clones take."""
    report = document["programs"][0]["variants"][0]["report"]
    for m in messages:
        found = re.search(r"have the layout '[0-9a-f]+', they have '([0-9a-f]+)'", m)
        if found:
            document["layout"] = found.group(1)
            return True
        found = re.search(r"naive is \d+, the plan adds up to (\d+)", m)
        if found:
            report["naive"] = int(found.group(1))
            return True
        found = re.search(r"the steps have (\d+) of (\d+) beside (\d+)", m)
        if found:
            count, operations, model = map(int, found.groups())
            report["recompute"] = {"clones": count, "operations": operations, "model_operations": model, "without": 0, "curve": []}
            return True
    return False


class Bench:
    def __init__(self, tenure, library, folder):
        self.tenure, self.checker, self.folder, self.loaded = tenure, Checker(library), folder, {}

    def load(self, maker, facts):
        key = (maker, json.dumps(facts))
        if key not in self.loaded:
            base = os.path.join(self.folder, f"{maker.__name__}{len(self.loaded)}")
            onnx.save(maker(), base + ".onnx")
            given = {}
            if facts is not None:
                with open(base + ".facts", "w", encoding="utf-8") as f:
                    json.dump(facts, f)
                given = {"op_facts": base + ".facts"}
            self.loaded[key] = base, given, self.checker.load(base + ".onnx", **given), Model(base + ".onnx")
        return self.loaded[key]

    def plan(self, base, options, given):
        facts = [f"--op-facts={given['op_facts']}"] if given else []
        done = corpus.run(self.tenure, ["plan", base + ".onnx", "-q", "--emit=json", "-o", "-", *OPTIONS, *options, *facts])
        if done.returncode != 0:
            raise ValueError(done.stderr)
        return pickle.dumps(json.loads(done.stdout))

    def verdicts(self, loaded, model, document):
        """What both say."""
        messages = self.checker.messages(loaded, document)
        for _ in range(4):
            if not figures(document, messages):
                break
            messages = self.checker.messages(loaded, document)
        try:
            wrong = simulated(model, document)
        except NotJudged as error:
            wrong = None if messages else f"not judged: {error}"
        return messages, wrong

    def fault(self, entry):
        """None, or how an attack went."""
        _, maker, options, facts, right, edit = entry
        base, given, loaded, model = self.load(maker, facts)
        plan = self.plan(base, options, given)
        messages, wrong = self.verdicts(loaded, model, settled(plan, right))
        if messages or wrong:
            return f"without the attack: check {messages[:2]}, simulator {wrong!r}"
        messages, wrong = self.verdicts(loaded, model, settled(plan, right, edit))
        if os.environ.get("SHOW"):
            print(f"{edit.__name__}: check {messages[:2]}, simulator {wrong!r}")
        if not messages:
            return f"HOLE, check takes it (simulator {wrong!r}): {edit.__doc__}"
        return None if wrong else f"the simulator takes it (check {messages[:2]}): {edit.__doc__}"


def main():
    tenure, library = sys.argv[1:3]
    wanted = [a for a in ATTACKS if sys.argv[3:] in ([], [a[-1].__name__])]
    counts, failures = collections.Counter(a[0] for a in wanted), 0
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(tenure, library, folder)
        for entry in wanted:
            fault = bench.fault(entry)
            if fault is not None:
                print(f"{entry[-1].__name__}: {fault}")
                failures += 1
    for kind, n in counts.items():
        print(f"| {kind} | {n} |")
    print(f"{len(wanted)} plans by hand, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
