"""Programs of plans that rest on kernels' facts (examples/facts), against ONNX Runtime: workspace in all ways of Conv,
weights kept from run to run, fused Conv and Relu, fused quantised Conv. Exit code 77 where onnxruntime is missing.

usage: fact_programs.py TENURE FOLDER [--jobs N] [--limit SECONDS]

Bytes of a workspace hold poison before its step, as all that is free. Kernels are asked what they need, and that
compared with the plan; facts that promise too little have to be noticed.
"""

import concurrent.futures
import json
import os
import sys

import model_programs as real  # ends with 77 where packages are missing
import corpus
import programs

FACTS = os.path.join(programs.TOP, "examples", "facts")
CONFIG = ["-I", programs.TOP, "-include", os.path.join(real.HERE, "facts_config.h")]
MODES = ("-O2", "-O3 --io=arena")
LEAST = 3  # models a kind where TENURE_MODELS is set
# By file of facts.
CASES = {
    "im2col": ("shipped/ds_cnn", "tinyml/mlperf_resnet8", "tinyml/onnxflow_kws_float32", "tinyml/onnxflow_vww_96_float",
               "tinyml/mnist_8"),
    "fused": ("shipped/ds_cnn", "tinyml/mlperf_resnet8", "tinyml/onnxflow_kws_float32", "tinyml/onnxflow_kws_int8",
              "features/conv_qdq*"),
    "packed": ("features/jax2onnx_model_with_function", "tinyml/onnxflow_kws_float32",
               "transformer/ort_gpt2_one_layer"),
}
USES = {"im2col": {"image", "row", "column"}, "fused": {"ConvRelu", "QdqConv"}, "packed": {"kept"}}


def used_by(variant):
    """What the plan takes from the facts: ways, names of fused ops, "kept"."""
    out = set()
    for step in variant["steps"]:
        out |= {"kept" if w["kept"] else w["way"] for w in step["workspace"]}
        out |= {step["fused"]["op"]} if "fused" in step else set()
    return out


def check(args, library, name, path, facts, mode):
    """(line of the table, what of the facts the plan uses)"""
    folder = os.path.join(args.folder, facts, name.replace("/", "-"), "".join(c for c in mode if c.isalnum()))
    os.makedirs(folder, exist_ok=True)
    model = real.Model(args.tenure, name, path, folder)
    mode += f" --op-facts={os.path.join(FACTS, facts + '.json')}"
    program, plan, variant = real.program_of(model, mode, library, CONFIG)
    got = real.outputs_of(model, program, variant, 2, args.limit)
    worst = max((real.compare(got[output], want) for output, want in model.wanted.items()), default=0)
    real.strict(os.path.dirname(program))
    arena = next((p["size"] for p in plan["pools"] if p["name"] == "arena"), 0)
    uses = used_by(variant)
    return f"{facts:8} {name:32} {arena:9} {worst:9.2g}  {' '.join(sorted(uses))}", uses


def try_one(args, library, name, path, facts, modes):
    """(lines, uses, why it was not run, what is wrong)"""
    lines, uses = [], set()
    try:
        for mode in modes:
            line, found = check(args, library, name, path, facts, mode)
            lines.append(line)
            uses |= found
    except (real.NotRun, real.Unsupported, MemoryError) as error:
        return lines, uses, [f"{facts} {name}: {error}"], []
    except real.Wrong as error:
        return lines, uses, [], [f"{facts} {name} {mode}: {error}"]
    return lines, uses, [], []


def too_small(args, library, models):
    """Facts that promise half of what the kernel needs."""
    name = "tinyml/mlperf_resnet8" if "tinyml/mlperf_resnet8" in models else "shipped/ds_cnn"
    folder = os.path.join(args.folder, "too_small")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(FACTS, "im2col.json"), encoding="utf-8") as f:
        facts = json.load(f)
    for way in facts["ops"][0]["workspace"]:
        way["bytes"] = f"({way['bytes']})//2"
    path = os.path.join(folder, "half.json")
    with open(path, "w", encoding="utf-8") as f:
        json.dump(facts, f)
    model = real.Model(args.tenure, name, models[name], folder)
    found = []
    for more, want in ((CONFIG, "bytes of workspace, planned are"), ((), "net_run gives")):
        program, _, variant = real.program_of(model, f"-O2 --op-facts={path}", library, more)
        try:
            programs.run(program, model.given(variant), [], 1, args.limit)
            found.append("nobody noticed a workspace of half the size")
        except RuntimeError as error:
            found += [] if want in str(error) else [f"a workspace of half the size: {error}"]
    return found


def main():
    args = real.arguments("--jobs", "--limit")
    real.np.seterr(all="ignore")
    library, models = real.library_of(args), dict(corpus.models())
    wrong, ran, seen = [], {facts: set() for facts in CASES}, {facts: set() for facts in CASES}
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        runs = [(facts, name, pool.submit(try_one, args, library, name, path, facts, corpus.some(MODES, number)))
                for facts, patterns in CASES.items() for number, (name, path) in enumerate(real.chosen(patterns))]
        for facts, name, run in runs:
            lines, uses, absent, bad = run.result()
            for line in lines + [f"not run: {line}" for line in absent] + [f"WRONG: {line}" for line in bad]:
                print(line, flush=True)
            wrong += bad
            seen[facts] |= uses
            ran[facts] |= {name} if lines and uses & USES[facts] else set()
    wrong += too_small(args, library, models)
    if os.environ.get("TENURE_MODELS"):
        wrong += [f"{facts}: only {len(names)} models" for facts, names in ran.items() if len(names) < LEAST]
        wrong += [f"{facts}: no plan uses {' '.join(USES[facts] - seen[facts])}" for facts in CASES
                  if USES[facts] - seen[facts]]
    for line in wrong:
        print(f"WRONG: {line}")
    print(f"{sum(map(len, ran.values()))} models with facts, {len(wrong)} wrong")
    return 1 if wrong or not any(ran.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
