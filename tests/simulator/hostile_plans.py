#!/usr/bin/env python3
"""Hostile plans, by hand-written patterns, judged by `tenure check` and by the simulator: the two have to agree on every
one, or the documentation says why they do not.

Usage: hostile_plans.py TENURE LIBRARY [--count N] [--seed N] [--keep FOLDER] [--only KIND]

Without --count 3000 plans, 100000 where TENURE_SOAK is set. --keep: plans on which the two differ are left there.
"""

import argparse
import collections
import json
import os
import pickle
import random
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "operators")]
from packages import np  # ends with 77 where the packages are missing  # noqa: F401

import hostile_kinds
import bases
from draft import Draft
from model_graph import Model
from verdicts import Checker, NotJudged, simulated

# What the checker says of the books of a plan, not of its bytes; each with the place in docs/PLAN.md.
BOOKS = [
    (r"the report|layout", "The report: figures agree"),
]
# Where the checker refuses what harms no byte, since docs/PLAN.md asks for more: (message, what the page says).
STRICTER = [
    (r"which step \d+ \(end of .*\) still reads", "what bodies capture, and arguments of loops, live from begin to end"),
    (r"over bytes that step \d+ \(end of", "the same, in hazards"),
    (r"frees the storage of .* which is needed to step \d+", "frees lists what nobody needs after the step, by the list's order"),
    (r"\(begin of .*\) reads .* which the plan does not list", "a begin lists what its bodies capture too"),
    (r"is said to live to step", "live ranges hold every read"),
    (r"share bytes of pool .* while both live", "two storages may share bytes only if their ranges do not meet"),
    (r"does not claim what its kernel must keep|claims \d+ shared operands", "claims list the operands that share bytes"),
    (r"breaks the alignment", "every value is aligned as its pool"),
    (r"frees the storage of .* (without waiting|once step)", "a storage is freed when all that use it are done"),
    (r"in each iteration, but the value is made outside", "what is made outside of a loop is not freed in its body"),
    (r"begins inside .* which does not (begin at the distance|lie in another storage)", "overlaps lie in another storage, at their distance"),
    (r"has \d+ bytes in the plan", "places are for the most that data can give"),
]
# What follows from an alias that no op justifies, or from a storage where nothing is shared, is its harm.
FIRST = r"cannot be (a view|an update|written in place|a taker)|lies in pool .* which nothing shares"
USED = r"(?:over bytes that|which) step (\d+) \("  # by a step that is idle, which counts as one that uses what it names


class Base:
    """A plan to begin with."""

    def __init__(self, name, path, mode, document):
        self.name, self.path, self.mode = name, path, mode
        self.text = pickle.dumps(document)

    def draft(self):
        return Draft(pickle.loads(self.text))


def all_of(messages, table):
    return all(any(re.search(pattern, m) for pattern, _ in table) for m in messages)


def documented(messages, document):
    """Whether the documentation has the checker refuse what the simulator does not mind."""
    steps = document["programs"][0]["variants"][0]["steps"]

    def is_idle(m):
        found = re.search(USED, m)
        return found is not None and steps[int(found.group(1))]["idle"]
    return re.search(FIRST, messages[0]) or all(is_idle(m) or all_of([m], BOOKS + STRICTER) for m in messages)


def verdict(messages, wrong, document):
    """How the two compare: the word for the table."""
    if not messages:
        return "both accept" if wrong is None else "HOLE"
    if wrong is not None:
        return "both refuse" if not all_of(messages, BOOKS) else "HOLE (books alone)"
    return "stricter, as documented" if documented(messages, document) else "DIFFER"


def same_layout(checker, loaded, document, messages):
    """The layout that the checker works out put into the plan, since it is a mere hash."""
    for m in messages:
        found = re.search(r"have the layout '[0-9a-f]+', they have '([0-9a-f]+)'", m)
        if found:
            document["layout"] = found.group(1)
            return checker.messages(loaded, document)
    return messages


def load(args, folder, checker):
    """Plans to begin with; those that the draft does not give back as good as they were are left out, and counted."""
    found, left_out, loaded = [], 0, {}
    for name, path, options in bases.models(folder, args.random):
        loaded.setdefault(path, (checker.load(path), Model(path)))
        for mode, document in bases.plans(args.tenure, path, options):
            base = Base(name, path, mode, document)
            again = base.draft().finish()
            if checker.messages(loaded[path][0], again) or simulated(loaded[path][1], again):
                left_out += 1
            else:
                found.append(base)
    return found, left_out, loaded


def keep(args, kind, number, base, document, messages, wrong):
    if not args.keep:
        return
    os.makedirs(args.keep, exist_ok=True)
    stem = os.path.join(args.keep, f"{kind}-{number}")
    with open(base.path, "rb") as f, open(stem + ".onnx", "wb") as g:
        g.write(f.read())
    with open(stem + ".json", "w", encoding="utf-8") as f:
        json.dump(document, f)
    with open(stem + ".txt", "w", encoding="utf-8") as f:
        f.write(f"{base.name} {base.mode}\nchecker: {messages}\nsimulator: {wrong}\n")


def attempt(args, checker, loaded, base, kind, rng):
    """(word for the table, plan, messages, what the simulator says), or None where the attack finds no place."""
    draft = base.draft()
    if not hostile_kinds.ATTACKS[kind][1](draft, rng):
        return None
    try:
        document = draft.finish()
    except (KeyError, IndexError, TypeError, ValueError):
        return None
    context, model = loaded[base.path]
    messages = same_layout(checker, context, document, checker.messages(context, document))
    try:
        wrong = simulated(model, document)
    except NotJudged:
        return None
    return verdict(messages, wrong, document), document, messages, wrong


def table(counts):
    words = sorted({w for _, w in counts})
    print("| attack | " + " | ".join(words) + " |")
    print("|---|" + "---|" * len(words))
    for kind, (says, _) in hostile_kinds.ATTACKS.items():
        print(f"| {says} | " + " | ".join(str(counts[kind, w]) for w in words) + " |")
    print("| all | " + " | ".join(str(sum(n for (_, x), n in counts.items() if x == w)) for w in words) + " |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tenure")
    parser.add_argument("library")
    parser.add_argument("--count", type=int, default=100000 if os.environ.get("TENURE_SOAK") else 3000)
    parser.add_argument("--random", type=int, default=60 if os.environ.get("TENURE_SOAK") else 8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep")
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    rng, checker = random.Random(args.seed), Checker(args.library)
    counts, examples = collections.Counter(), {}
    kinds = [k for k in hostile_kinds.ATTACKS if args.only in k]
    with tempfile.TemporaryDirectory() as folder:
        begin, left_out, loaded = load(args, folder, checker)
        made = tries = 0
        while made < args.count and tries < 20 * args.count:
            kind, base = kinds[tries % len(kinds)], rng.choice(begin)
            tries += 1
            found = attempt(args, checker, loaded, base, kind, rng)
            if found is None:
                continue
            made += 1
            word, document, messages, wrong = found
            counts[kind, word] += 1
            if word.startswith("HOLE") or word == "DIFFER":
                examples.setdefault((kind, word, re.sub(r"'[^']*'|\d+", "_", str(wrong or messages[0]))), (base, messages, wrong))
                if counts[kind, word] <= 5:
                    keep(args, kind, counts[kind, word], base, document, messages, wrong)
    table(counts)
    for (kind, word, _), (base, messages, wrong) in examples.items():
        print(f"{word} {kind}: {base.name} {base.mode}: checker {messages[:2]}, simulator {wrong!r}")
    print(f"{made} hostile plans of {len(kinds)} kinds from {len(begin)} plans ({left_out} left out)")
    return 1 if examples or made < args.count or left_out > len(begin) // 4 else 0


if __name__ == "__main__":
    sys.exit(main())
