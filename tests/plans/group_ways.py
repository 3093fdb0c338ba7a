#!/usr/bin/env python3
"""Models planned with groups of ops and without, in several ways: with groups no plan needs more RAM, each is proved by
`tenure check`, which forms the groups again, and a C program can be made of it. Training steps made of models on the way to
groups likewise, and they stay one training step.

Usage: group_ways.py TENURE [MODEL...]
"""

import json
import os
import sys
import tempfile

import onnx

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "models"))
import corpus

WAYS = (("-O1",), ("-O2",), ("-O3",), ("-O3", "--overlap=rows"), ("-O3", "--overlap=elements"), ("-O2", "--recompute=50%"), ("-O3", "--recompute=50%"),
        ("-O3", "--io=arena", "--reuse-inputs"), ("-O3", "--concurrency=dataflow"), ("-O2", "--memory=slots"))
QUICK = tuple(way for way in WAYS if not way[-1].startswith(("--recompute", "--concurrency")))  # others take a hundred times as long
# Models whose clones are looked for over ten times as long as those of others; each of them has other ways, and with TENURE_SOAK these too.
LONG = ("cnn/ortgo_big_fanout", "light/light_inception_v2", "light/light_resnet50", "shipped/bert_base", "shipped/gpt_decoder",
        "train/mobilenetv1_train_310", "train/yob_softmaxgrad_fused", "transformer/ort_bert_squad_fp16_ort_cpu",
        "transformer/vespa_dummy_transformer", "transformer/yob_phi35_mini_1layer")
KEPT = {"transformer/deeploy_tinyvit_demo": ("-O2", "--recompute=50%")}  # pairs that have shown faults

# Models that training steps are made of, with TENURE_SOAK all of them on clones, too; and what stands behind the pass that
# makes them, groups to be put in.
TRAINED = ("shipped/ds_cnn", "shipped/squeezenet1_1", "shipped/unet_small")
CLONED = "shipped/ds_cnn"
BEHIND = ("infer-shapes,fuse{groups=%s},workspace,schedule{order=min-peak},pin,alias-views{kinds=all},inplace{kinds=all},share-gradients,"
          "fill-parts,reuse{level=1,effort=2}")


def drawn(name, number):
    """The ways of a model: one of all and others that are quick, in turn; of shipped models all are of all."""
    ways = corpus.some(QUICK if name in LONG else WAYS, number, 3 if name.startswith("shipped/") else 1)
    ways += [KEPT[name]] if name in KEPT and KEPT[name] not in ways else []
    return ways + corpus.some([way for way in QUICK if way not in ways], number, 3 - len(ways))


def said_by(done):
    return "no time" if done is None else done.stderr.decode().strip().splitlines()[-1] if done.stderr else f"exit code {done.returncode}"


def planned(tenure, path, options, fuse, folder, *emits):
    """(bytes of RAM, groups) of a plan that stands in the folder; or what was said."""
    file = os.path.join(folder, fuse + ".json")
    done = corpus.run(tenure, ["plan", path, "-q", f"--fuse={fuse}", "--emit=json", "-o", file, *emits, *options])
    if done is None or done.returncode != 0:
        return said_by(done)
    with open(file, encoding="utf-8") as f:
        variant = json.load(f)["programs"][0]["variants"][0]
    return variant["report"]["ram"], sum(s.get("fused", {}).get("domain") == "tenure.fused" for s in variant["steps"])


def wrong_with(tenure, path, options, folder):
    """What is wrong, and how many groups there are."""
    program = ["--emit=c-program,weights=none", "-o", os.path.join(folder, "net.c")]
    without, both = planned(tenure, path, options, "none", folder), planned(tenure, path, options, "all", folder, *program)
    fused = both if not isinstance(both, str) else planned(tenure, path, options, "all", folder)  # some ops have no kernel
    if isinstance(without, str):
        return (None if isinstance(fused, str) and "internal" not in fused else f"without groups: {without}; with: {fused}"), 0
    if isinstance(fused, str):
        return f"with groups: {fused}", 0
    if fused[0] > without[0]:
        return f"{fused[0]} bytes of RAM with groups, {without[0]} without", fused[1]
    done = corpus.run(tenure, ["check", path, os.path.join(folder, "all.json"), *[o for o in options if o.startswith("--op-facts")]])
    if done is None or done.returncode != 0:
        return f"check: {said_by(done)}", fused[1]
    if isinstance(both, str):
        plain, made = (corpus.run(tenure, ["plan", path, "-q", f"--fuse={fuse}", *options, *program]) for fuse in ("none", "all"))
        if plain is None or made is None or not plain.returncode == made.returncode == 1:
            return f"c-program: {both}", fused[1]
    return None, fused[1]


def trained(tenure, path, groups, folder, before=""):
    """(bytes of RAM, ops of the model that the step has) of a training step; or what was said."""
    file = os.path.join(folder, "step.json")
    loss = onnx.load(path, load_external_data=False).graph.output[0].name
    passes = f'autodiff{{loss="mse({loss})",optimizer=momentum}},{before}{BEHIND % groups}'
    done = corpus.run(tenure, ["plan", path, "-q", f"--passes={passes}", "--emit=json", "-o", file])
    if done is None or done.returncode != 0:
        return said_by(done)
    with open(file, encoding="utf-8") as f:
        variant = json.load(f)["programs"][0]["variants"][0]
    return variant["report"]["ram"], sum(len(s["nodes"]) for s in variant["steps"])


def wrong_steps(tenure, path, clones, folder):
    wrong = []
    for before in ("", *["O3,recompute{flops=33%},"] * clones):  # behind clones no groups are made
        none, *others = (trained(tenure, path, groups, folder, before) for groups in ("none", "single", "all"))
        if isinstance(none, str):
            wrong.append(f"a training step, {before}: {none}")
        wrong += [f"a training step, {before}: {made}, without groups {none}" for made in others
                  if isinstance(made, str) or (not isinstance(none, str) and (made[0] > none[0] or made[1] != none[1]))]
    return wrong


def main():
    tenure, names, bindings, wrong, plans, groups = sys.argv[1], sys.argv[2:], corpus.bindings(), [], 0, 0
    whole = bool(names or os.environ.get("TENURE_SOAK"))
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, path) in enumerate(corpus.some_models()):
            if names and name not in names:
                continue
            if name in TRAINED:
                wrong += [f"{name}: {said}" for said in wrong_steps(tenure, path, whole or name == CLONED, folder)]
            for way in WAYS if whole else drawn(name, number):
                said, found = wrong_with(tenure, path, [*way, *bindings.get(corpus.short(name), [])], folder)
                plans, groups = plans + 1, groups + found
                wrong += [f"{name} {' '.join(way)}: {said}"] if said else []
    for line in wrong:
        print("WRONG:", line)
    print(f"{plans} plans with {groups} groups, {len(wrong)} wrong")
    return 1 if wrong or groups == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
