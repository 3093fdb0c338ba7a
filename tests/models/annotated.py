#!/usr/bin/env python3
"""Models as ONNX with their plan in them (docs/ONNX.md): what was there is there byte for byte, the plan reads back as it
was, and onnx.checker and ONNX Runtime take the model as they took it before, with equal outputs.

The same with nodes taken away and put in (tests/tools/rewrite_onnx.c).

Usage: annotated.py TENURE REWRITE_ONNX [--all]      --all: the models of TENURE_MODELS too, and more ways to plan
"""

import glob
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), d) for d in ("execution", "operators", "models")]

from packages import np, onnx  # ends with 77 where the packages are missing
from onnx import TensorProto as T, helper

import corpus
import onnxwire
import planfile
import runtime
from graphs import Unsupported
from inputs import made

LARGE = 2**31          # bytes of external weights that must cost no memory
RUN_LIMIT = 64 * 2**20  # bytes of weights up to which ONNX Runtime is asked
WAYS = (["-O2"], ["-O3"])
DETAILS = 10            # IR version from which on nodes and values have metadata


class Wrong(Exception):
    pass


def demand(good, *what):
    if not good:
        raise Wrong(" ".join(map(str, what)))


def tenure(command, *arguments, code=0):
    done = subprocess.run([*command, *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=900, check=False)
    demand(done.returncode == code, " ".join(arguments), "ends with", done.returncode, done.stderr.decode(errors="replace")[:1000])
    return done.stdout


# ---- ONNX Runtime ----

def session(path):
    options = runtime.onnxruntime.SessionOptions()
    options.graph_optimization_level = runtime.onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    return runtime.onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def outputs(path, plan):
    """What the model computes; None when ONNX Runtime does not take it."""
    kinds = {plan["values"][v]["name"]: plan["values"][v]["type"] for v in plan["inputs"]}
    try:
        run = session(path)
        feeds = {i.name: made(i.name, kinds[i.name]) for i in run.get_inputs()}
        return run.run(None, feeds)
    except Exception:  # each kind of failure has a class of its own, and they share nothing
        return None


def equal(a, b):
    if isinstance(a, (list, tuple)):
        return b is not None and len(a) == len(b) and all(map(equal, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(equal(a[k], b[k]) for k in a)
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and a.shape == b.shape and (a.tobytes() == b.tobytes() or (a == b).all())
    return a == b


def draws(path):
    model = onnx.load(path, load_external_data=False)
    return any("Random" in n.op_type or n.op_type in ("Multinomial", "Bernoulli", "Dropout") for n in model.graph.node)


def is_orderly(path):
    """No name is made twice, and every node stands behind those it reads from: else some nodes go, or move."""
    graph = onnx.load(path, load_external_data=False).graph
    later = {o for n in graph.node for o in n.output if o}
    twice = len(later) != sum(bool(o) for n in graph.node for o in n.output)
    for node in graph.node:
        if twice or later & set(node.input):
            return False
        later -= set(node.output)
    return True


def checked(path):
    try:
        onnx.checker.check_model(path)
        return True
    except Exception:
        return False


# ---- one model ----

def beside(path, folder):
    """Weights of the model in `folder`: those it has, or holes of their size; False when they are too many."""
    try:
        tensors = onnx.load(path, load_external_data=False).graph.initializer
    except Exception:
        return True
    ends = {}
    for t in tensors:
        facts = {e.key: e.value for e in t.external_data}
        if t.data_location == T.EXTERNAL and facts.get("location"):
            size = int(facts.get("length", 8 * int(np.prod(t.dims, dtype=np.int64))))
            ends[facts["location"]] = max(ends.get(facts["location"], 0), int(facts.get("offset", 0)) + size)
    for name, end in ends.items():
        source, target = os.path.join(os.path.dirname(path), name), os.path.join(folder, name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if os.path.exists(source):
            os.symlink(source, target) if os.path.getsize(source) > RUN_LIMIT else shutil.copy(source, target)
        else:
            with open(target, "wb") as f:
                f.truncate(end)
    return sum(ends.values()) <= RUN_LIMIT


def compare_wire(before, after, reordered):
    demand(onnxwire.without_plan(after, ordered=False) == onnxwire.without_plan(before, ordered=False),
           "something else than metadata and the order of nodes has changed")
    if not reordered:
        demand(onnxwire.without_plan(after) == before, "the order of nodes has changed, but not by the plan")


def compare_notes(data, plan):
    """What stands at values and nodes is what the plan says."""
    values = {(v["graph"], v["name"]): v for v in plan["values"]}
    pools = [p["name"] for p in plan["pools"]]
    places, steps = {}, 0
    for path, key, text in onnxwire.notes(data):
        owner, name = path[-1] if path else ("model", "")
        main = len(path) == 2
        if owner in ("value", "tensor") and main:
            places.setdefault(name, {})[key] = text
        steps += owner == "node" and main and key == "step"
    for name, said in places.items():
        v = values[("", name)]
        s = plan["storages"][v["storage"]]
        want = {"pool": pools[s["pool"]], "offset": str(s["offset"] + v["offset"]), "bytes": str(v["bytes"]),
                "storage": str(v["storage"])}
        want |= {"alias": v["alias"]} if v["alias"] != "none" else {}
        demand(said == want, "value", name, said, "in place of", want)
    placed = [v for v in plan["values"] if v["graph"] == "" and v["storage"] is not None]
    demand(len(places) == len(placed), len(places), "of", len(placed), "values have a note")
    demand(steps == sum(s["graph"] == "" and s["kind"] != "end" for s in plan["steps"]), steps, "nodes have a step")
    return len(places) + steps


def try_model(command, path, options, folder):
    """Annotated, read back, stripped. The number of notes below the model, and whether it was run."""
    own = os.path.join(folder, os.path.basename(path))
    if not os.path.exists(own):
        shutil.copy(path, own)
    small = beside(path, folder) if os.listdir(folder) == [os.path.basename(path)] else True
    noted, again, bare = (os.path.join(folder, n) for n in ("noted.onnx", "again.onnx", "bare.onnx"))
    quiet = ["plan", "-q", "--partial", own, *options]
    raw = tenure(command, *quiet, "--emit=json", "-o", "-")
    plan = planfile.loads(raw)
    tenure(command, *quiet, "--emit=onnx", "-o", noted)
    before, after = open(own, "rb").read(), open(noted, "rb").read()
    orderly = is_orderly(own)
    if orderly:
        compare_wire(before, after, plan["reordered"])
    tenure(command, "check", "-q", noted)
    back = tenure(command, "plan", "-q", noted, "--from-annotations", "--emit=json", "-o", "-")
    demand(back == raw or plan["reordered"] or not orderly, "the plan reads back as another")
    tenure(command, "plan", "-q", noted, "--from-annotations", "--emit=onnx", "-o", again)
    demand(open(again, "rb").read() == after, "annotated again, it is another file")
    tenure(command, "opt", noted, "-o", bare)
    demand(open(bare, "rb").read() == onnxwire.without_plan(after), "without the plan, it is another file")
    version = next((onnxwire.read_varint(c, 0)[0] for n, _, c, _ in onnxwire.fields(before) if n == 1), 0)
    alone = not any(n == 20 for n, *_ in onnxwire.fields(before))  # nodes of training info are the main graph's, too
    n = compare_notes(after, planfile.loads(back)) if version >= DETAILS and alone else 0
    demand(not checked(own) or checked(noted), "onnx.checker takes it no more")
    ran = False
    if small and runtime.is_there() and not draws(own):
        want = outputs(own, plan)
        ran = want is not None
        demand(not ran or equal(want, outputs(noted, plan)), "ONNX Runtime computes something else")
    return n, ran


def try_rewritten(command, rewrite, path, options, folder):
    """Whether nodes were changed, and the model was run: it computes what it did."""
    own, made_path = os.path.join(folder, os.path.basename(path)), os.path.join(folder, "rewritten.onnx")
    n = int(tenure([rewrite], own, made_path))
    demand(n > 0 or not is_orderly(own) or open(own, "rb").read() == open(made_path, "rb").read(), "changed by nothing")
    if n == 0:
        return False
    demand(not checked(own) or checked(made_path), "onnx.checker refuses the rewritten model")
    plan = planfile.loads(tenure(command, "plan", "-q", "--partial", made_path, *options, "--emit=json", "-o", "-"))
    want = outputs(own, plan) if runtime.is_there() and not draws(own) else None
    demand(want is None or equal(want, outputs(made_path, plan)), "rewritten, it computes something else")
    return want is not None


def every_model(command, rewrite, everything):
    listed = [(n, p) for n, p in corpus.models() if everything or n.startswith("shipped/")]
    listed = [(n, p) for n, p in listed if "malformed/" not in n and os.path.getsize(p) < RUN_LIMIT]
    listed += [("corpus/" + os.path.basename(p)[:-5], p)
               for p in sorted(glob.glob(os.path.join(corpus.TOP, "tests/fuzz/corpus/onnx/*.onnx")))]
    bindings, wrong, ran, noted, tried, rewritten = corpus.bindings(), 0, 0, 0, 0, 0
    for name, path in listed:
        if subprocess.run([*command, "opt", path, "-o", os.devnull], capture_output=True, check=False).returncode != 0:
            continue
        for way in WAYS if everything else WAYS[tried % 2:][:1]:
            with tempfile.TemporaryDirectory() as folder:
                try:
                    options = [*bindings.get(corpus.short(name), []), *way]
                    n, run = try_model(command, path, options, folder)
                    noted, ran, tried = noted + n, ran + run, tried + 1
                    if run:
                        rewritten += try_rewritten(command, rewrite, path, options, folder)
                except (Wrong, Unsupported, subprocess.TimeoutExpired) as why:
                    print(f"{name} {' '.join(way)}: {why}")
                    wrong += 1
    print(f"{tried} models annotated, {ran} of them run, {noted} notes compared, {rewritten} run with other nodes, "
          f"{wrong} wrong")
    demand(ran > 0 or not runtime.is_there(), "no model was run")
    return wrong


# ---- models made here ----

def unknown_fields(command, folder):
    """Fields of other versions, and lengths that other writers make, stay where they are."""
    models = glob.glob(os.path.join(corpus.TOP, "tests/fuzz/corpus/onnx/*.onnx"))
    rng, made_path = random.Random(20), os.path.join(folder, "salted.onnx")
    for path in sorted(models):
        data = onnxwire.salted(open(path, "rb").read(), rng)
        with open(made_path, "wb") as f:
            f.write(data)
        demand(tenure(command, "opt", made_path, "--emit=onnx") == data, path, "changes by being read and written")
        noted = tenure(command, "plan", "-q", "--partial", made_path, "--emit=onnx", "-o", "-")
        compare_wire(data, noted, True)


def detailed(command, folder):
    """A model whose version has metadata everywhere, with a body, a view, an update in place and an order to change."""
    value = helper.make_tensor_value_info
    body = helper.make_graph([helper.make_node("Neg", ["r"], ["n"], name="neg")], "body", [], [value("n", T.FLOAT, [4, 16])])
    other = helper.make_graph([helper.make_node("Abs", ["r"], ["p"], name="abs")], "other", [], [value("p", T.FLOAT, [4, 16])])
    nodes = [helper.make_node("Exp", ["x"], [f"e{i}"], name=f"exp{i}") for i in range(3)]
    nodes += [helper.make_node("ReduceSum", [f"e{i}"], [f"s{i}"], name=f"sum{i}", keepdims=1) for i in range(3)]
    nodes += [helper.make_node("Sum", ["s0", "s1", "s2"], ["t"], name="sum"), helper.make_node("Mul", ["x", "t"], ["m"]),
              helper.make_node("Reshape", ["m", "shape"], ["r"], name="reshape"),
              helper.make_node("If", ["c"], ["y"], name="if", then_branch=body, else_branch=other)]
    graph = helper.make_graph(nodes, "net", [value("x", T.FLOAT, [8, 8]), value("c", T.BOOL, [])], [value("y", T.FLOAT, [4, 16])],
                              [helper.make_tensor("shape", T.INT64, [2], [4, 16])], value_info=[value("m", T.FLOAT, [8, 8])])
    model = helper.make_model(graph, ir_version=DETAILS, opset_imports=[helper.make_opsetid("", 18)])
    helper.set_model_props(model, {"tenure.io": "arena", "tenure.plan.json": "old", "who": "somebody"})
    path = os.path.join(folder, "detailed.onnx")
    onnx.save(model, path)
    plan = json.loads(tenure(command, "plan", "-q", path, "-O3", "--emit=json", "-o", "-"))["programs"][0]["variants"][0]
    demand(plan["reordered"], "the model does not show another order")
    before = onnxwire.without_plan(open(path, "rb").read())
    with open(path, "wb") as f:
        f.write(before)
    with tempfile.TemporaryDirectory() as own:
        n, ran = try_model(command, path, ["-O3"], own)
    demand(n > 20 and (ran or not runtime.is_there()), n, "notes, run:", ran)
    rewritten = os.path.join(folder, "ordered.onnx")
    tenure(command, "opt", path, "--passes=O3", "-o", rewritten)
    compare_wire(before, open(rewritten, "rb").read(), True)
    demand(checked(rewritten), "onnx.checker refuses the model in another order")
    first = onnx.load(rewritten).graph.node
    demand([n.name for n in first][:2] == ["exp0", "sum0"], "the nodes are not in the order of the passes")


def fused(command, folder):
    """Steps of several nodes, and workspace: the nodes of the model stay apart, and the plan knows them."""
    facts = ["--op-facts=" + os.path.join(corpus.TOP, "tests/api/facts.json")]
    path, noted = os.path.join(folder, "fused.onnx"), os.path.join(folder, "fused_noted.onnx")
    value = helper.make_tensor_value_info
    nodes = [helper.make_node("Conv", ["x", "w"], ["a"], name="conv"), helper.make_node("Relu", ["a"], ["b"]),
             helper.make_node("Conv", ["b", "w"], ["y"], name="last")]
    graph = helper.make_graph(nodes, "fused", [value("x", T.FLOAT, [1, 2, 9, 9])], [value("y", T.FLOAT, [1, 2, 5, 5])],
                              [helper.make_tensor("w", T.FLOAT, [2, 2, 3, 3], [0.5] * 36)],
                              value_info=[value(n, T.FLOAT, [1, 2, 7, 7]) for n in "ab"])
    onnx.save(helper.make_model(graph, ir_version=DETAILS, opset_imports=[helper.make_opsetid("", 18)]), path)
    tenure(command, "plan", "-q", path, *facts, "--emit=onnx", "-o", noted, "--emit=json", "-o", path + ".json")
    demand(b'"fused"' in open(path + ".json", "rb").read(), "no nodes were fused")
    before, after = open(path, "rb").read(), open(noted, "rb").read()
    compare_wire(before, after, False)
    steps = {p[-1][1]: v for p, k, v in onnxwire.notes(after) if k == "step"}
    demand(steps == {"conv": "0", "": "0", "last": "1"}, "the nodes have the steps", steps)
    tenure(command, "check", "-q", noted, *facts)
    tenure(command, "check", "-q", noted, code=1)
    tenure(command, "opt", path, *facts, "--passes=fuse", "-o", noted)
    demand([n.op_type for n in onnx.load(noted).graph.node] == ["DoneAtOnce", "Conv"], "the fused node is not written")


# ---- size ----

def large_model(path, size):
    t = T(name="w", data_type=T.FLOAT, dims=[size // 4])
    t.data_location = T.EXTERNAL
    t.external_data.add(key="location", value="large.data")
    graph = helper.make_graph([helper.make_node("Mul", ["x", "w"], ["y"])], "large",
                              [helper.make_tensor_value_info("x", T.FLOAT, [1])],
                              [helper.make_tensor_value_info("y", T.FLOAT, [size // 4])], [t])
    onnx.save(helper.make_model(graph, ir_version=DETAILS, opset_imports=[helper.make_opsetid("", 19)]), path)
    with open(os.path.join(os.path.dirname(path), "large.data"), "wb") as f:
        f.truncate(size)


MEASURE = "import resource, subprocess, sys; c = subprocess.call(sys.argv[1:]); " \
          "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss); sys.exit(c)"


def resident(command, *arguments):
    """KiB that the command keeps in memory at most."""
    return int(tenure([sys.executable, "-c", MEASURE, *command], *arguments).split()[-1])


def large(command, folder):
    """Weights beside the model are neither read nor copied."""
    path, noted = os.path.join(folder, "large.onnx"), os.path.join(folder, "large_noted.onnx")
    most = []
    for size in (2**20, LARGE):
        large_model(path, size)
        most.append(max(resident(command, "plan", "-q", path, "--emit=onnx", "-o", noted),
                        resident(command, "check", "-q", noted)))
        demand(os.path.getsize(noted) < 2**16, "the weights are in the model")
    demand(most[1] < most[0] + 4 * 1024, f"{most[0]} KiB for a MiB of weights, {most[1]} for {LARGE} bytes")
    print(f"1 MiB of weights keeps {most[0]} KiB resident, 2 GiB {most[1]}")
    elsewhere = os.path.join(folder, "elsewhere")
    os.mkdir(elsewhere)
    tenure(command, "plan", "-q", path, "--emit=onnx", "-o", os.path.join(elsewhere, "large.onnx"), code=1)
    os.link(os.path.join(folder, "large.data"), os.path.join(elsewhere, "large.data"))
    tenure(command, "plan", "-q", path, "--emit=onnx", "-o", os.path.join(elsewhere, "large.onnx"))
    tenure(command, "check", "-q", os.path.join(elsewhere, "large.onnx"))


def main():
    command, rewrite, everything = [os.path.abspath(sys.argv[1])], os.path.abspath(sys.argv[2]), "--all" in sys.argv[3:]
    with tempfile.TemporaryDirectory() as folder:
        unknown_fields(command, folder)
        detailed(command, folder)
        fused(command, folder)
        large(command, folder)
    sys.exit(every_model(command, rewrite, everything) > 0)


if __name__ == "__main__":
    main()
