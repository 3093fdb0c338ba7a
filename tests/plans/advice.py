#!/usr/bin/env python3
"""Follows the advice of `tenure explain`: plans with the option or the group of kernels' facts that it names, edits the
model as it says, and gets the bytes that were promised. Estimates have to be near what the edited model comes to.

Usage: advice.py TENURE [PART...] [--kinds KIND,...] [--most-steps N] [--more OPTIONS]
All models of tests/models/corpus.py, or those whose names hold one of the parts. Exit code 77: no onnx package.
"""

import argparse
import collections
import json
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "models")]

try:
    import onnx
except ImportError:
    print("no onnx package")
    sys.exit(77)
import corpus
import edited
import numbers_of as numbers

TOO_FAR = 1.25  # an estimate, by what the edited model comes to, or the reverse


class Wrong(Exception):
    pass


def sizes(plan):
    report = plan["programs"][0]["variants"][0]["report"]
    return {"bytes": sum(p["size"] for p in plan["pools"] if p["kind"] == "arena"), "ram": report["ram"]}


def explain(tenure, path, options):
    """The facts, or None where the model cannot be planned."""
    done = corpus.run(tenure, ["explain", path, "--json", "--no-changes", *options])
    if done is None or done.returncode != 0:
        return None
    return [json.loads(line) for line in done.stdout.splitlines()]


def expect(advice, plan, message=""):
    """Equal bytes; estimates are near."""
    if plan is None:
        raise Wrong(f"cannot be planned: {message}")
    got = sizes(plan)
    if not advice["estimate"]:
        if any(got[key] != advice[key] for key in got):
            raise Wrong(f"promised {advice['bytes']} (RAM {advice['ram']}), got {got['bytes']} ({got['ram']})")
        return 1.0
    ratio = got["bytes"] / advice["bytes"]
    if not 1 / TOO_FAR <= ratio <= TOO_FAR:
        raise Wrong(f"estimated {advice['bytes']}, got {got['bytes']}: {ratio:.2f}")
    return ratio


def notice(advice, plan):
    """Promises that are wrong have to be seen."""
    try:
        expect(advice, plan)
    except Wrong:
        return
    raise SystemExit(f"no difference to {advice} is seen")


def of_model(model, options):
    """Options without those that bind a dimension which an edit has left in no input."""
    dims = {d.dim_param for i in model.graph.input for d in i.type.tensor_type.shape.dim}
    pairs = zip(options, [*options[1:], ""])
    gone = {k for k, (option, value) in enumerate(pairs) if option == "--dim" and value.split("=")[0] not in dims}
    return [o for k, o in enumerate(options) if k not in gone and k - 1 not in gone]


class Follower:
    """One model and its options."""

    def __init__(self, tenure, path, options, folder):
        self.tenure, self.path, self.options, self.folder = tenure, path, options, folder
        self.plan_now = corpus.plan(tenure, path, options)[1]
        self.compared = 0  # tiled models that were run

    def plan(self, path, *more, options=None):
        """(the plan as a file has it, or None; messages); `options` in place of the model's."""
        options = self.options if options is None else options
        done = corpus.run(self.tenure, ["plan", path, "--quiet", "--emit=json", "-o", "-", *options, *more])
        if done is None:
            return None, "takes too long"
        return json.loads(done.stdout) if done.returncode == 0 else None, done.stderr.decode(errors="replace")[:400]

    def save(self, model):
        path = os.path.join(self.folder, "edited.onnx")
        onnx.save(model, path)
        return path

    def facts(self, document):
        path = os.path.join(self.folder, "facts.json")
        with open(path, "w", encoding="utf-8") as f:
            json.dump(document, f)
        return path

    def option(self, advice):
        return self.plan(self.path, *advice["options"].split(" "))

    recompute = option

    def pools(self, advice):
        self.options = [o for o in self.options if not o.startswith("--capacity")]  # whose place they take
        return self.option(advice)

    def fusion(self, advice):
        return self.plan(self.path, "--op-facts", self.facts({"tenure_facts": 1, "groups": [advice["group"]]}))

    def edit(self, advice, change, *more):
        model = onnx.load(self.path, load_external_data=False)
        asked = change(model, self.plan_now, advice)
        return self.plan(self.save(model), *asked, *more, options=of_model(model, self.options))

    def constants(self, advice):
        return self.edit(advice, edited.make_constants)

    def indices(self, advice):
        return self.edit(advice, edited.narrow_indices)

    def cache(self, advice):
        return self.edit(advice, edited.update_caches, *advice["options"].split(" "))

    def patches(self, advice):
        """Tiles must give the numbers of the whole, or the edit is none of the same network."""
        model = numbers.load(self.path)
        slices = any(o.domain in ("", "ai.onnx") and o.version >= 10 for o in model.opset_import)  # by operands, as tiles do
        wanted = numbers.outputs(model) if slices else None
        edited.cut_in_tiles(model, self.plan_now, advice, join=True)
        found = numbers.outputs(model)
        if wanted is not None and not numbers.are_near(wanted, found):
            raise Wrong("tiles give other numbers")
        if wanted is not None and numbers.are_near(wanted, [w * 1.1 + 1 for w in wanted]):
            raise SystemExit("no difference between outputs is seen")
        self.compared += wanted is not None
        return self.edit(advice, edited.cut_in_tiles, "--op-facts", self.facts(edited.tiles.FACTS))


def follow_all(tenure, name, path, options, ask, seen):
    facts = explain(tenure, path, options)
    if facts is None:
        return []
    steps = sum(f["fact"] == "step" for f in facts)
    if steps > ask.most_steps:
        return []
    wrong = []
    now = facts[0]["bytes"]
    with tempfile.TemporaryDirectory() as folder:
        follower = Follower(tenure, path, options, folder)
        for advice in facts:
            if advice["fact"] != "advice" or (ask.kinds and advice["kind"] not in ask.kinds):
                continue
            try:
                plan, said = getattr(follower, advice["kind"])(advice)
                ratio = expect(advice, plan, said)
                seen[advice["kind"]].append(ratio)
                notice({**advice, "bytes": advice["bytes"] * 2 + 64}, plan)
            except edited.CannotEdit as e:
                seen["not edited"].append(f"{name}: {advice['kind']}: {e}")
            except Wrong as e:
                wrong.append(f"{name}: {advice['what']} (from {now}): {e}")
    seen["run"] += [1.0] * follower.compared
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tenure")
    parser.add_argument("parts", nargs="*")
    parser.add_argument("--kinds", type=lambda text: text.split(","), default=[])
    parser.add_argument("--most-steps", type=int, default=1000)
    parser.add_argument("--more", default="", help="options, with a space between")
    ask = parser.parse_args()
    bound, seen, wrong, models = corpus.bindings(), collections.defaultdict(list), [], 0
    made = tempfile.TemporaryDirectory()
    for name, path in [*corpus.models(), ("made/decoder", edited.decoder(made.name))]:
        if ask.parts and not any(part in name for part in ask.parts):
            continue
        models += 1
        options = [*bound.get(corpus.short(name), []), *ask.more.split()]
        wrong += follow_all(ask.tenure, name, path, options, ask, seen)
    for text in seen.pop("not edited", []):
        print("not edited:", text)
    print(f"tiled models run beside the whole: {len(seen.pop('run', []))}")
    for kind, ratios in sorted(seen.items()):
        spread = "" if set(ratios) == {1.0} else f", by the estimate {min(ratios):.2f} to {max(ratios):.2f}"
        print(f"{kind}: {len(ratios)} followed{spread}")
    print("\n".join(wrong))
    print(f"{models} models, {sum(map(len, seen.values()))} pieces of advice followed, {len(wrong)} wrong")
    sys.exit(1 if wrong or not seen else 0)


if __name__ == "__main__":
    main()
