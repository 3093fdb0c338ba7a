"""Runs several models in turn in the memory of one plan: outputs equal, bit for bit, those of runs of their own;
what one hands to the next, and state, stay while others run.

usage: sets.py TENURE DIR
"""

import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "models")]
sys.path.append(os.path.join(os.path.dirname(HERE), "operators"))
from packages import np  # ends with 77 where the packages are missing

import json

import onnx
from onnx import TensorProto, helper, numpy_helper

import planfile
from arena import Arena, Plain, pack
from execute import same
from graphs import File
from interpreter import Run
from kernels import Kernels

SHIPPED = ("ds_cnn", "lstm", "mobilenet_v2")
FLOAT = TensorProto.FLOAT


def model(path, name, nodes, inputs, outputs, constants):
    def infos(table):
        return [helper.make_tensor_value_info(n, FLOAT, shape) for n, shape in table.items()]

    tensors = [numpy_helper.from_array(array, n) for n, array in constants.items()]
    graph = helper.make_graph(nodes, name, infos(inputs), infos(outputs), tensors)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.save(made, path)
    return path


def numbers(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def pair(folder):
    node = helper.make_node
    detector = model(
        os.path.join(folder, "detector.onnx"), "detector",
        [node("MatMul", ["x", "w"], ["a"]), node("Tanh", ["a"], ["b"]), node("MatMul", ["b", "w"], ["boxes"])],
        {"x": [4, 32]}, {"boxes": [4, 32]}, {"w": numbers(32, 32)})
    landmark = model(
        os.path.join(folder, "landmark.onnx"), "landmark",
        [node("Relu", ["input"], ["a"]), node("MatMul", ["a", "w"], ["b"]), node("Softmax", ["b"], ["points"])],
        {"input": [4, 32]}, {"points": [4, 8]}, {"w": numbers(32, 8, seed=1)})
    return detector, landmark


def decoder(folder):
    """A cache of fixed size, to which each run adds what it saw."""
    node = helper.make_node
    return model(
        os.path.join(folder, "decoder.onnx"), "decoder",
        [node("MatMul", ["tokens", "w"], ["q"]), node("ReduceMean", ["q"], ["m"], axes=[0], keepdims=0),
         node("Add", ["past", "m"], ["present"]), node("MatMul", ["q", "present"], ["y"])],
        {"tokens": ["seq", 16], "past": [16, 16]}, {"y": ["seq", 16], "present": [16, 16]},
        {"w": numbers(16, 16, seed=2)})


class Set:
    """The plans of one file, each with the pools of all."""

    def __init__(self, tenure, *arguments):
        made = subprocess.run([tenure, "plan", *arguments, "-q", "--emit=json"], capture_output=True, check=True)
        document = json.loads(made.stdout)
        self.programs = {}
        for program in document["programs"]:
            for variant in program["variants"]:
                one = {**document, "programs": [{"name": program["model"], "variants": [variant]}]}
                self.programs.setdefault(program["name"], []).append(planfile.flat(one))
        self.arenas = {name: [Arena(plan) for plan in plans] for name, plans in self.programs.items()}
        shared = next(iter(self.arenas.values()))[0].pools
        for arena in (a for arenas in self.arenas.values() for a in arenas):
            arena.pools = shared

    def place(self, program, value, variant=0):
        arena = self.arenas[program][variant]
        vid = next(k for k, v in enumerate(arena.plan["values"]) if v["name"] == value)
        return arena.place(vid)

    def run(self, path, program, inputs, variant=0):
        """Outputs in the shared memory, which are those of a run without a plan. Inputs that are there already
        (None) are taken from it."""
        file, plan, arena = File(path), self.programs[program][variant], self.arenas[program][variant]
        kernels = Kernels(False)
        feeds = {}
        for value in plan["values"]:
            if value["name"] in inputs:
                there = self.place(program, value["name"], variant).copy().view(np.float32).reshape(value["dims"])
                feeds[value["name"]] = there if inputs[value["name"]] is None else inputs[value["name"]]
        wanted = Run(file, plan, Plain(plan), kernels).run(dict(feeds))
        got = Run(file, plan, arena, kernels).run(dict(feeds))
        assert all(same(got[name], wanted[name]) for name in wanted), f"{program}: outputs differ"
        arena.check_consts()
        return {name: np.array(array) for name, array in got.items()}


    def check_consts(self):
        """After all have run."""
        for arena in (a for arenas in self.arenas.values() for a in arenas):
            arena.check_consts()


def run_linked(tenure, folder):
    detector, landmark = pair(folder)
    both = Set(tenure, detector, landmark, "--shared-arena", "--link=detector/boxes=landmark/input")
    points = []
    for seed in range(3):
        made = both.run(detector, "detector", {"x": numbers(4, 32, seed=seed)})
        place = both.place("landmark", "input")
        assert place.tobytes() == pack(made["boxes"], "f32").tobytes(), "what is handed on is not there"
        points.append(both.run(landmark, "landmark", {"input": None})["points"])
        assert place.tobytes() == pack(made["boxes"], "f32").tobytes(), "what was handed on did not stay"
    assert not same(points[0], points[1])
    both.check_consts()


def run_cache(tenure, folder):
    """Prefill, then decode again and again, with another model between; the cache lives on."""
    path, (other, _) = decoder(folder), pair(folder)
    plans = Set(tenure, f"prefill={path}", f"decode={path}", other, "--shared-arena", "--dim=prefill/seq=8",
                "--dim=decode/seq=1", "--update=prefill/past=present", "--update=decode/past=present", "--state=past")
    cache = plans.place("decode", "past")
    cache[:] = 0
    want = np.zeros((16, 16), np.float32)
    for turn, program in enumerate(("prefill", "decode", "decode", "prefill", "decode")):
        rows = 8 if program == "prefill" else 1
        assert cache.tobytes() == want.tobytes(), f"turn {turn}: the cache is not what it was"
        made = plans.run(path, program, {"tokens": numbers(rows, 16, seed=turn), "past": None})
        want = made["present"]
        cache[:] = pack(want, "f32")  # "bindings" of the plan; nothing is moved where both are one place
        plans.run(other, "detector", {"x": numbers(4, 32, seed=turn)})
    assert cache.tobytes() == want.tobytes(), "the cache did not stay"
    plans.check_consts()


def run_buckets(tenure, folder):
    path = decoder(folder)
    plans = Set(tenure, path, "--dim=seq=1,4,16", "--update=past=present")
    for variant, rows in enumerate((1, 4, 16)):
        cache = plans.place("decoder", "past", variant)
        before = np.zeros((16, 16), np.float32) if variant == 0 else made["present"]
        cache[:] = pack(before, "f32")
        made = plans.run(path, "decoder", {"tokens": numbers(rows, 16), "past": None}, variant)
    plans.check_consts()


def run_shipped(tenure):
    examples = os.path.join(os.path.dirname(os.path.dirname(HERE)), "examples", "models")
    paths = {name: os.path.join(examples, f"{name}.onnx") for name in SHIPPED}
    plans = Set(tenure, *paths.values(), "--shared-arena")
    for name, path in list(paths.items()) * 2:
        value = plans.programs[name][0]
        inputs = {v["name"]: numbers(*v["dims"]) for v in value["values"] if v["role"] == "input" and v["dtype"] == "f32"}
        plans.run(path, name, inputs)
    plans.check_consts()


def main():
    tenure, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    run_linked(tenure, folder)
    run_cache(tenure, folder)
    run_buckets(tenure, folder)
    run_shipped(tenure)
    print("several models and variants ran in turn in one memory, bit-equal to runs of their own")


if __name__ == "__main__":
    main()
