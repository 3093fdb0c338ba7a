"""Programs of several models and variants in one memory: run in turn, their outputs against those of ONNX Runtime.

usage: set_programs.py TENURE FOLDER

What one hands to the next, and a cache, stay while others run: between two runs all of the arena is poisoned. Buckets are
chosen by the function that chooses among them. Programs with open dimensions run at several extents, in an arena as
large as the largest of these runs needs. Headers and sources compile as C and C++ without warnings. A program that
looks for its input elsewhere has to be noticed.
"""

import dataclasses
import json
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE] + [os.path.join(os.path.dirname(HERE), d) for d in ("execution", "models", "operators")]

from packages import np  # ends with 77 where the packages are missing

import corpus
import programs
import sets
from model_programs import Model, NotRun, Wrong, arguments, compare, library_of, reference, strict

TINY = ("tinyml/onnxflow_kws_float32", "tinyml/mlperf_resnet8", "tinyml/onnxflow_kws_int8", "tinyml/onnxflow_ad01_int8")
HEAD = """#include "net.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POISON = 0xDB };

static void *block(size_t size, size_t align) {
    void *p;
    if (posix_memalign(&p, align < sizeof p ? sizeof p : align, size > 0 ? size : 1) != 0) {
        exit(5);
    }
    memset(p, POISON, size);
    return p;
}

int main(int argc, char **argv) {
FILE *in = fopen(argv[argc - 2], "rb"), *out = fopen(argv[argc - 1], "wb");"""


@dataclasses.dataclass
class Call:
    """One run. Inputs that are not given are there already; outputs are what a runtime of its own gives."""

    program: str
    inputs: dict
    wanted: dict
    variant: int = 0
    extents: tuple = ()  # of the variants' dimensions: where they choose


class Set:
    def __init__(self, tenure, folder, models, options):
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        self.folder = folder
        plan = os.path.join(folder, "plan.json")
        subprocess.run([tenure, "plan", *models, "-q", *options, "--emit=json", "-o", plan,
                        "--emit=c-program,target-size-bits=64", "-o", os.path.join(folder, "net.c")], check=True)
        with open(plan, encoding="utf-8") as f:
            self.plan = json.load(f)
        self.variants = {p["name"]: p["variants"] for p in self.plan["programs"]}

    def value(self, call, name):
        return next(v for v in self.variants[call.program][call.variant]["values"] if v["name"] == name and v["graph"] == "")

    def place(self, call, name):
        variant, value = self.variants[call.program][call.variant], self.value(call, name)
        storage = variant["storages"][value["storage"]]
        return f"bases[{storage['pool']}] + {storage['offset'] + value['offset']}", value["bytes"]

    def lines(self, call):
        """C that does one call."""
        name = f"net_{call.program}"
        of_variant = f"{name}_{call.variant}" if len(self.variants[call.program]) > 1 else name
        for i, pool in enumerate(self.plan["pools"]):
            if pool["kind"] == "arena":
                yield f"memset(bases[{i}], POISON, {pool['size']});"
        for value in call.inputs:
            at, size = self.place(call, value)
            yield f"if (fread({at}, 1, {size}, in) != {size}) return 2;"
        if call.extents:
            yield f"{{ {name}_dims dims = {{{', '.join(map(str, call.extents))}}};"
            yield f"if ({name}_bucket(&dims) != {call.variant}) return 3;"
            yield f"if ({name}_run(&m, &dims, NULL) != 0) return 4;"
        else:
            yield f"if ({of_variant}_run(&m, NULL) != 0) return 4;"
        for value in call.wanted:
            at, size = self.place(call, value)
            yield f"fwrite({at}, 1, {size}, out);"
        yield f"if ({name}_commit(&m, &dims) != 0) return 4; }}" if call.extents else f"{of_variant}_commit(&m);"

    def source(self, calls, zeros):
        pools = self.plan["pools"]
        yield HEAD
        yield f"static unsigned char *bases[{len(pools)}]; static net_memory m; const void **members = (const void **)(void *)&m;"
        for i, pool in enumerate(pools):
            fresh = f"block({pool['size']}, {pool['align']})"
            stays = pool["kind"] == "const" and not pool.get("copied")
            yield f"members[{i}] = bases[{i}] = {'(unsigned char *)(uintptr_t)NET_WEIGHTS' if stays else fresh};"
        yield "net_reset(&m);"
        for call, value in zeros:
            yield "memset({}, 0, {});".format(*self.place(call, value))
        for call in calls:
            yield from self.lines(call)
        yield "return fclose(out); }"

    def run(self, library, calls, zeros=()):
        """The largest difference."""
        with open(os.path.join(self.folder, "main.c"), "w", encoding="utf-8") as f:
            f.write("\n".join(self.source(calls, zeros)) + "\n")
        sources = [os.path.join(self.folder, name) for name in sorted(os.listdir(self.folder)) if name.endswith(".c")]
        program = os.path.join(self.folder, "run")
        subprocess.run([*programs.cc(), *library.flags, "-O0", "-Wno-conversion", "-DNET_NO_ARRAYS", "-I", self.folder, *sources, library.path, "-lm",
                        "-o", program], check=True)
        given = b"".join(np.ascontiguousarray(x).tobytes() for call in calls for x in call.inputs.values())
        paths = [os.path.join(self.folder, name) for name in ("in.bin", "out.bin")]
        with open(paths[0], "wb") as f:
            f.write(given)
        done = subprocess.run([program, *paths], capture_output=True, text=True, check=False, timeout=900)
        if done.returncode != 0:
            raise Wrong(f"exit code {done.returncode}: {done.stderr[:1000]}")
        with open(paths[1], "rb") as f:
            return self.compared(calls, f.read())

    def compared(self, calls, data):
        at, worst = 0, 0
        for turn, call in enumerate(calls):
            for name, want in call.wanted.items():
                got = np.frombuffer(data[at:at + want.nbytes], want.dtype).reshape(want.shape)
                at += want.nbytes
                try:
                    worst = max(worst, compare(got, want))
                except Wrong as error:
                    raise Wrong(f"turn {turn}, {call.program}, '{name}': {error}") from error
        assert at == len(data)
        return worst


def linked(args, folder):
    """A detector hands its boxes on; others run between."""
    detector, landmark = sets.pair(folder)
    plans = Set(args.tenure, os.path.join(folder, "linked"), [detector, landmark, "other=" + detector],
                ["--shared-arena", "--link=detector/boxes=landmark/input"])
    calls = []
    for seed in range(2):
        x, y = sets.numbers(4, 32, seed=seed), sets.numbers(4, 32, seed=seed + 10)
        boxes = reference(detector, {"x": x})
        calls += [Call("detector", {"x": x}, boxes), Call("other", {"x": y}, reference(detector, {"x": y})),
                  Call("landmark", {}, reference(landmark, {"input": boxes["boxes"]}))]
    return plans, calls, ()


def cache(args, folder, *more):
    """Prefill and decode with one cache, a bucket for each length, and another model between."""
    path, (other, _) = sets.decoder(folder), sets.pair(folder)
    plans = Set(args.tenure, os.path.join(folder, "cache"), [f"prefill={path}", f"decode={path}", other],
                ["--shared-arena", "--dim=prefill/seq=4,8", "--dim=decode/seq=1", "--update=prefill/past=present",
                 "--update=decode/past=present", "--state=past", *more])
    past, calls = np.zeros((16, 16), np.float32), []
    for turn, (program, rows) in enumerate((("prefill", 6), ("decode", 1), ("decode", 1), ("prefill", 3), ("decode", 1))):
        variant = 1 if rows > 4 else 0
        padded = np.zeros(((4, 8)[variant] if program == "prefill" else 1, 16), np.float32)
        padded[:rows] = sets.numbers(rows, 16, seed=turn)
        made = reference(path, {"tokens": padded, "past": past})
        past = made["present"]
        x = sets.numbers(4, 32, seed=turn)
        calls += [Call(program, {"tokens": padded}, {"y": made["y"]}, variant, (rows,) if program == "prefill" else ()),
                  Call("detector", {"x": x}, reference(other, {"x": x}))]
    return plans, calls, [(calls[0], "past")]


def cache_alone(args, folder):
    """All but the cache in the arena, which every run writes over."""
    folder = os.path.join(folder, "alone")
    os.makedirs(folder, exist_ok=True)
    return cache(args, folder, "--io=arena")


def tiny(args, folder):
    """Networks for microcontrollers, that share two memories, and constants that are copied from flash."""
    found = dict(corpus.models())
    if any(name not in found for name in TINY):
        raise NotRun("the models are not there")
    models = {name.split("/")[1]: Model(args.tenure, name, found[name], folder, []) for name in TINY}
    plans = Set(args.tenure, os.path.join(folder, "tiny"), [f"{name}={m.path}" for name, m in models.items()],
                ["--shared-arena", "--pool=sram:64K", "--pool=psram:cost=4", "--pool=tcm:const:copied"])
    calls = [Call(name, m.inputs, m.wanted) for name, m in models.items()] * 2
    return plans, calls, ()


class OpenSet(Set):
    """Programs with open dimensions: where values lie, the layout of each run says."""

    def at(self, call, name):
        """Address and bytes, in C."""
        prefix = f"NET_{call.program.upper()}"
        layout = f"m.{call.program}_layout" if call.extents else "0"
        return (f"{prefix}_PTR({layout}, m.io_{call.program}, {prefix}_{name.upper()}, void)",
                f"{prefix}_SIZE({layout}, {prefix}_{name.upper()})")

    def lines(self, call):
        """C that does one call, in pools that are as large as it needs."""
        name, prefix, layout = f"net_{call.program}", f"NET_{call.program.upper()}", "0"
        yield "{"
        if call.extents:
            layout = f"m.{call.program}_layout"
            yield f"static {name}_layout layout; {name}_dims dims = {{{', '.join(map(str, call.extents))}}};"
            yield f"if ({name}_resolve(&dims, &layout) != 0) return 6;"
            yield f"{layout} = &layout;"
        for pool in ("arena", f"io_{call.program}"):
            yield f"m.{pool} = block({prefix}_POOL_SIZE({layout}, {prefix}_{pool.upper()}), {prefix}_{pool.upper()}_ALIGN);"
        for value, data in call.inputs.items():
            at, size = self.at(call, value)
            yield f"if ({size} != {data.nbytes} || fread({at}, 1, {size}, in) != {size}) return 2;"
        yield f"if ({name}_run(&m, NULL) != 0) return 4;"
        for value in call.wanted:
            yield "fwrite({}, 1, {}, out);".format(*self.at(call, value))
        yield f"free(m.arena); free(m.io_{call.program}); }}"

    def source(self, calls, zeros):
        yield HEAD
        yield "static net_memory m = NET_STATIC_MEMORY;"
        for call in calls:
            yield from self.lines(call)
        yield "return fclose(out); }"


def opened(args, folder):
    """Two programs of any lengths, each with its own, beside one that is bound."""
    path, (other, _) = sets.decoder(folder), sets.pair(folder)
    plans = OpenSet(args.tenure, os.path.join(folder, "opened"), [f"wide={path}", f"narrow={path}", f"fixed={other}"],
                    ["--shared-arena", "--dim=wide/seq=1..64", "--dim=narrow/seq=3.."])
    calls = []
    for turn, (program, rows) in enumerate((("wide", 1), ("narrow", 3), ("wide", 64), ("narrow", 211), ("wide", 17), ("narrow", 31))):
        given = {"tokens": sets.numbers(rows, 16, seed=turn), "past": sets.numbers(16, 16, seed=turn + 20)}
        x = sets.numbers(4, 32, seed=turn)
        calls += [Call(program, given, reference(path, given), 0, (rows,)), Call("fixed", {"x": x}, reference(other, {"x": x}))]
    return plans, calls, ()


def spoil(folder):
    """Lets one program look for its input in another pool."""
    path = os.path.join(folder, "net_landmark.c")
    with open(path, encoding="utf-8") as f:
        text = f.read()
    spoiled = text.replace("m->io, NET_LANDMARK_INPUT,", "m->arena, NET_LANDMARK_INPUT,")
    assert spoiled != text
    with open(path, "w", encoding="utf-8") as f:
        f.write(spoiled)


def main():
    args = arguments()
    os.makedirs(args.folder, exist_ok=True)
    library = library_of(args)
    for make in (linked, cache, cache_alone, opened, tiny):
        try:
            plans, calls, zeros = make(args, args.folder)
        except NotRun as why:
            print(f"{make.__name__}: not run: {why}")
            continue
        strict(plans.folder, [name for name in sorted(os.listdir(plans.folder)) if name.endswith(".c") and "weights" not in name])
        worst = plans.run(library, calls, zeros)
        print(f"{make.__name__}: {len(calls)} runs of {len(plans.variants)} programs in one memory, off by {worst:.2g} at most")
        if make is linked:
            spoil(plans.folder)
            try:
                plans.run(library, calls, zeros)
                sys.exit("nobody noticed that an input was looked for elsewhere")
            except Wrong as error:
                print("noticed: " + " ".join(str(error).split())[:100])


if __name__ == "__main__":
    main()
