#!/usr/bin/env python3
"""Compares what an OpenCL plan says, as C and as JSON, with the plan itself (--emit=json), field by field.

Then the C source is spoiled in several ways, and each time the comparison must find it.

usage: tables.py TENURE CC INCLUDE_FOLDER WORK_DIR MODEL...
"""

import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "models"))

import planfile

KINDS = ["op", "begin", "end"]
ROLES = ["internal", "input", "output", "const", "state", "workspace"]
POOLS = ["arena", "io", "const", "state"]
ALIASES = ["none", "view", "inplace", "update", "share"]
PROMISES = ["keep", "elements", "rows", "update", "definition"]
WHENS = ["begin", "iteration", "next", "after", "end", "none"]
WHATS = ["copy", "slice", "stack", "count", "true"]
MODES = ["offsets", "objects", "subbuffers"]
SMALL = 100  # steps: larger plans are compared, not spoiled
LONGEST = 1000  # bytes of a text of an attribute in C
SPOILS = {
    "operands or other lists": lambda c: swap_first(c, r"uint32_t ids\[\] = \{\n    (\w+), (\w+),"),
    "an attribute": lambda c: re.sub(r"(attr_ints\[\] = \{\n    INT64_C\()(-?\d+)", r"\g<1>7\2", c, count=1),
    "an extent": lambda c: re.sub(r"(int64_t dims\[\] = \{\n    )(\d+)", r"\g<1>7\2", c, count=1),
    "an op": lambda c: re.sub(r'(tenure_cl_step steps\[\] = \{\n    \{"[^"]*", "[^"]*", )"', r'\1"X', c, count=1),
    "a chunk": lambda c: re.sub(r"(chunks\[\] = \{\n    \{\w+, )(\d)", lambda m: m[1] + str(1 - int(m[2])), c, count=1),
    "an input": lambda c: re.sub(r"\.inputs = \{(\d+)u", lambda m: f".inputs = {{{int(m[1]) - 1}u", c),
    "an offset": lambda c: re.sub(r"(TENURE_CL_INTERNAL, \{\w+, \w+\}, \w+, )(\d+u)", r"\g<1>1\2", c, count=1),
}


def swap_first(text, pattern):
    m = re.search(pattern, text)
    if m is None or m[1] == m[2]:
        return text
    return text[:m.start(1)] + m[2] + ", " + m[1] + text[m.end(2):]


def texts(j):
    """Strings as JSON plans have them: the C program writes bytes."""
    if isinstance(j, dict):
        return {key: texts(v) for key, v in j.items()}
    if isinstance(j, list):
        return [texts(v) for v in j]
    return bytes_as_text(j.encode("latin-1")) if isinstance(j, str) else j


def bytes_as_text(data):
    return "".join(chr(0x10FE00 + ord(c) - 0xDC00) if 0xDC80 <= ord(c) <= 0xDCFF else c
                   for c in data.decode("utf-8", "surrogateescape"))


def attribute_in_c(a):
    """(name, table, values) of an attribute of a JSON plan, as the C form holds it."""
    (kind, value), = [(k, v) for k, v in a.items() if k != "name"]
    values = value if isinstance(value, list) else [value]
    if kind in ("int", "ints"):
        return a["name"], 0, values
    if kind in ("float", "floats"):
        return a["name"], 1, [float(v).hex() for v in values]
    if kind in ("string", "strings") and all(len(v.encode()) <= LONGEST and "\0" not in v for v in values):
        return a["name"], 2, values
    return a["name"], 3, []


def attribute_of_c(a):
    value = {1: lambda v: float.fromhex(v).hex(), 2: lambda v: v["text"]}.get(a["table"], lambda v: v)
    return a["name"], a["table"], [value(v) for v in a["values"]]


def named(j, **names):
    """Numbers of enumerations and truth values as words."""
    return {**j, **{key: words[j[key]] for key, words in names.items()}}


def of_c(text):
    """The C form as opencl-json has it."""
    p = texts(json.loads(text))
    truth = [False, True]
    for s in p["steps"]:
        s.update(named(s, kind=KINDS, idle=truth, barrier=truth))
        s["attributes"] = [attribute_of_c(a) for a in s["attributes"]]
        s["claims"] = [named(c, promise=PROMISES) for c in s["claims"]]
        s["workspace"] = [named(w, kept=truth) for w in s["workspace"]]
        s["bodies"] = [{k: v for k, v in b.items() if k != "end"} for b in s["bodies"]]
        s["moves"] = [named(m, when=WHENS, what=WHATS, reverse=truth) for m in s["moves"]]
    p["values"] = [named(v, role=ROLES, alias=ALIASES) for v in p["values"]]
    p["chunks"] = [named(c, kind=POOLS, host=truth, shared=truth, ahead=truth) for c in p["chunks"]]
    p["handles"] = [named(h, whole=truth) for h in p["handles"]]
    return named(p, mode=MODES, reordered=truth, concurrency=["serial", "dataflow", "queues"])


def of_json(document):
    """opencl-json with its steps, values and attributes as flat plans have them."""
    p = planfile.flat_opencl(document)
    for s in p["steps"]:
        s["attributes"] = [attribute_in_c(a) for a in s["attributes"]]
    return p


def differences(have, want, where, skip=()):
    """Keys that both have, as lines."""
    for key in sorted(set(have) & set(want) - set(skip)):
        if isinstance(want[key], list) and want[key] and all(isinstance(entry, dict) for entry in want[key]):
            if len(have[key]) != len(want[key]):
                yield f"{where}{key}: {len(have[key])} entries, not {len(want[key])}"
            for i, (a, b) in enumerate(zip(have[key], want[key])):
                yield from differences(a, b, f"{where}{key}[{i}].", skip)
        elif have[key] != want[key]:
            yield f"{where}{key}: {have[key]}, not {want[key]}"


def misplaced(cl, plan):
    """Values of one chunk lie in it as they lie in their pool."""
    for i, (a, b) in enumerate(zip(cl["values"], plan["values"])):
        if (a["handle"] is None) != (b["storage"] is None or b["bytes"] == 0):
            yield f"values[{i}]: handle {a['handle']}, storage {b['storage']}"
        elif a["handle"] is not None:
            handle, storage = cl["handles"][a["handle"]], plan["storages"][b["storage"]]
            chunk = cl["chunks"][handle["chunk"]]
            at = storage["offset"] + b["offset"] - handle["origin"] - a["offset"]
            if chunk["pool"] != storage["pool"] or chunk["kind"] != plan["pools"][storage["pool"]]["kind"] or chunk["at"] != at:
                yield f"values[{i}]: chunk at {chunk['at']} of pool {chunk['pool']}, not {at} of {storage['pool']}"


def totals(cl, plan):
    for key, kinds in (("ram", ("arena", "io", "state")), ("flash", ("const",))):
        size = sum(p["size"] for p in plan["pools"] if p["kind"] in kinds)
        if cl[key] != size:
            yield f"{key}: {cl[key]}, not {size}"


class Compared:
    def __init__(self, tenure, cc, include, work):
        self.tenure, self.work = tenure, work
        self.cc = [cc, "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-DTENURE_CL_PLAN_NAME=emitted",
                   "-I", include]
        os.makedirs(work, exist_ok=True)
        subprocess.run([*self.cc, "-c", os.path.join(HERE, "dump.c"), "-o", self.path("dump.o")], check=True)

    def path(self, name):
        return os.path.join(self.work, name)

    def dumped(self, source):
        """What the C form says."""
        with open(self.path("made.c"), "w", encoding="utf-8") as f:
            f.write(source)
        subprocess.run([*self.cc, self.path("made.c"), self.path("dump.o"), "-o", self.path("dump")], check=True)
        return of_c(subprocess.run([self.path("dump")], capture_output=True, check=True, text=True).stdout)

    def model(self, model):
        """Whether all is as it should be."""
        paths = [self.path(name) for name in ("plan.c", "cl.json", "plan.json")]
        subprocess.run([self.tenure, "plan", model, "-q", "--partial", "--emit=opencl,mode=offsets", "-o", paths[0],
                        "--emit=opencl-json,mode=offsets", "-o", paths[1], "--emit=json", "-o", paths[2]], check=True)
        with open(paths[0], encoding="utf-8") as f:
            source = f.read()
        with open(paths[1], encoding="utf-8") as f:
            cl = of_json(json.load(f))
        plan = planfile.read(paths[2])
        for s in plan["steps"]:
            s["attributes"] = [attribute_in_c(a) for a in s["attributes"]]
        found = [*differences(cl, plan, "json, ", ("format", "offset")), *misplaced(cl, plan), *totals(cl, plan)]
        found += differences(self.dumped(source), cl, "C, ")
        spoiled = {what: spoil(source) for what, spoil in SPOILS.items() if len(cl["steps"]) < SMALL}
        spoiled = {what: text for what, text in spoiled.items() if text != source}
        unseen = [what for what, text in spoiled.items() if not any(differences(self.dumped(text), cl, ""))]
        print(f"{os.path.basename(model)}: {len(cl['values'])} values and {len(cl['steps'])} steps compared, "
              f"{len(found)} differences; spoiled in {len(spoiled)} ways, not seen: {', '.join(unseen) or 'none'}")
        for line in found[:20]:
            print(line)
        return not found and not unseen and (len(spoiled) > 2 or len(cl["steps"]) >= SMALL)


def main():
    compared = Compared(*sys.argv[1:5])
    return 0 if all([compared.model(model) for model in sys.argv[5:]]) else 1


if __name__ == "__main__":
    sys.exit(main())
