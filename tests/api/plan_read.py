#!/usr/bin/env python3
"""Holds what the C interface gives of a plan against the plan's JSON: plan_dump.c writes a document of the same form
from tenure.h alone. A member of the JSON that the interface does not have is a difference.

Usage: plan_read.py PLAN_DUMP WORK MODEL... [-- NAME=VALUE...]"""

import json
import os
import subprocess
import sys

SETTINGS = (["O=0", "partial=true"], ["O=2", "partial=true"], ["O=2", "partial=true", "io=arena", "double-buffer=all"],
            ["O=3", "partial=true", "io=arena", "reuse-inputs=true"],
            ["O=2", "partial=true", "memory=slots"], ["O=2", "partial=true", "queues=2"],
            ["O=3", "partial=true", "recompute=33%"],
            ["O=2", "partial=true", "concurrency=dataflow"],
            ["O=3", "partial=true", "pool=fast:16K:section=.fast", "pool=slow:cost=4", "pool=hot:4K:const:copied"],
            ["O=2", "partial=true", "io=arena", "reuse-inputs=true", "based-on=BEFORE"],
            ["O=2", "partial=true", "op-facts=" + os.path.join(os.path.dirname(__file__), "facts.json")])
ESCAPED = 0x10FE00  # a byte that is not UTF-8 stands as this + byte


def as_bytes(text):
    return b"".join(bytes([ord(c) - ESCAPED]) if ESCAPED + 0x80 <= ord(c) <= ESCAPED + 0xFF else c.encode()
                    for c in text)


def plain(item, expressions):
    """The JSON with texts as hexadecimal digits, and expressions in place."""
    if isinstance(item, str):
        return as_bytes(item).hex()
    if isinstance(item, list):
        return [plain(i, expressions) for i in item]
    if not isinstance(item, dict):
        return item
    if set(item) == {"expr"}:
        return {"expr": as_bytes(expressions[item["expr"]]).hex()}
    return {k: plain(v, expressions) for k, v in item.items() if k != "expressions"}


def differences(a, b, path=""):
    if isinstance(a, dict) and isinstance(b, dict):
        for k in sorted(set(a) | set(b)):
            if k not in a or k not in b:
                yield f"{path}.{k} is {'only in the JSON' if k in a else 'not in the JSON'}"
            else:
                yield from differences(a[k], b[k], f"{path}.{k}")
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for i, (x, y) in enumerate(zip(a, b)):
            yield from differences(x, y, f"{path}[{i}]")
    elif a != b or isinstance(a, bool) != isinstance(b, bool):
        yield f"{path} is {a} in the JSON, {b} by the interface"


def check(dump, work, model, settings):
    """Differences of one plan, a line each; None where the model cannot be planned."""
    path, before = os.path.join(work, "plan.json"), os.path.join(work, "before.json")
    if "based-on=BEFORE" in settings:  # most values move: the plan before has other options
        settings = [s.replace("BEFORE", before) for s in settings]
        subprocess.run([dump, model, before, "O=3", "partial=true"], capture_output=True, check=False)
    ran = subprocess.run([dump, model, path, *settings], capture_output=True, text=True)
    if ran.returncode != 0 and not ran.stdout:
        return None
    if ran.returncode != 0:
        return [f"plan_dump ends with {ran.returncode}: {ran.stderr}"]
    with open(path, encoding="utf-8") as f:
        plan = json.load(f)
    plan = plain(plan, plan["expressions"])
    made, read = (json.loads(line) for line in ran.stdout.splitlines())
    return list(differences(plan, made)) + [f"as read: {d}" for d in differences(made, read)]


def main():
    args = sys.argv[1:]
    more = args[args.index("--") + 1:] if "--" in args else []
    dump, work, *models = args[:args.index("--")] if "--" in args else args
    os.makedirs(work, exist_ok=True)
    plans = wrong = 0
    for model in models:
        for settings in SETTINGS:
            found = check(dump, work, model, settings + more)
            plans += found is not None
            for line in (found or [])[:20]:
                print(f"{model} {' '.join(settings)}: {line}")
            wrong += bool(found)
    print(f"{plans} plans of {len(models)} models, {wrong} of them read otherwise than their JSON says")
    return 1 if wrong or plans < len(models) else 0


if __name__ == "__main__":
    sys.exit(main())
