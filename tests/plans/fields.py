#!/usr/bin/env python3
"""Plans altered field by field, as docs/plan.schema.json has the fields: one field becomes a neighbour of what it was (a
number one more or less, another's index, a list with one entry less or twice ...), and `tenure check` refuses the plan
with a message, or what is altered is free by docs/CHECKER.md: field_rules.py says which, and with what sentence.

Usage: fields.py TENURE LIBRARY [--count N] [--only PLAN] [--field FIELD] [--show]

--count: alterations of each field in each plan, 12, or 200 where TENURE_SOAK is set. --show: all that is accepted.
"""

import argparse
import collections
import ctypes
import json
import mmap
import os
import random
import re
import sys
import tempfile
import traceback
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))

import field_plans
import field_rules
import field_walk

TENURE_ERROR, TENURE_USAGE, TENURE_NOFIT = 1, 2, 4
# A message says where: what it speaks of by name, the place in the file, or one thing that a plan has one of.
LOCATED = re.compile(r"'[^']*'|\w+\[\d+\]|(?:step|slot) \d+|the report|the plan|^\w+: expected ")
# What these ask for is held against the command line and the model's names.
ASKED = ("plan.options", "plan.programs", "program.name", "program.variants", "variant.binding")
NOTE = 4096


class Checker:
    """`tenure check` in this process, by the library."""

    def __init__(self, library, path):
        os.environ["TENURE_LIBRARY"] = library
        sys.path.insert(0, os.path.join(ROOT, "bindings", "python"))
        import tenure
        from tenure._library import lib
        self.lib, self.path, self.context = lib, path, tenure.Context()

    def options(self, planned):
        return self.context.options("check", {"op_facts": planned.facts} if planned.facts else {})

    def messages(self, planned, options, document):
        """(status, what is said against the plan)."""
        with open(self.path, "w", encoding="utf-8") as f:
            f.write(json.dumps(document))
        models = (ctypes.c_char_p * len(planned.models))(*(m.encode() for m in planned.models))
        out = ctypes.c_void_p()
        status, found = self.context.run(self.lib.tenure_check_models, self.context._pointer, models, len(planned.models),
                                         self.path.encode(), options.pointer, ctypes.byref(out), beside=False)
        if out:
            self.lib.tenure_buffer_free(out)
        return status, [d.text for d in found if d.severity == "error"]


def drawn(schema, places, field, count, rng):
    """Up to `count` alterations of a field, different ones: (object, key, what is done, what stands there then)."""
    at, without, others = places.at.get(field, []), places.without.get(field, []), places.others(field)
    made = []
    rows = [(obj, key, True) for obj, key in at] + [(obj, key, False) for obj, key in without]
    rng.shuffle(rows)
    rows.sort(key=lambda row: not row[2])
    few = rng.sample(others, min(len(others), 3))
    queues = []
    for obj, key, there in rows[:count]:
        found = list(field_walk.neighbours(schema, field, obj[key], few, rng) if there else field_walk.additions(schema, field, few))
        rng.shuffle(found)
        queues.append([(obj, key, what, new) for what, new in found if not there or json.dumps(new, default=str) != json.dumps(obj[key])])
    while len(made) < count and any(queues):
        for queue in queues:
            if queue and len(made) < count:
                made.append(queue.pop())
    return made


def altered(obj, key, new, check):
    """What `check` says while the field is altered."""
    before = dict(obj)
    if new is field_walk.ABSENT:
        del obj[key]
    else:
        obj[key] = new
    try:
        return check()
    finally:
        obj.clear()
        obj.update(before)


def attempt(args, schema, checker, planned, note):
    """By field: how many alterations, how many of them accepted, and what is wrong."""
    document, options = planned.document, checker.options(planned)
    status, messages = checker.messages(planned, options, document)
    if status != 0:
        return {}, [f"{planned.name}: the plan as made is refused: {messages}"]
    places, counts, faults = field_walk.Places(schema, document), {}, []
    for field in schema.fields:
        rng = random.Random(zlib.crc32(f"{planned.name} {field}".encode()))
        row = counts.setdefault(field, [0, 0, 0])
        for obj, key, what, new in drawn(schema, places, field, args.count, rng) if args.field in field else []:
            old = obj.get(key, field_walk.ABSENT)
            shown = f"{planned.name}: {field} {what}: {text(old)} became {text(new)}"
            note.seek(0)
            note.write(shown.encode()[:NOTE - 1].ljust(NOTE, b"\0"))
            status, messages = altered(obj, key, new, lambda: checker.messages(planned, options, document))
            row[0] += 1
            if status == 0:
                rule = field_rules.rule_of(planned, field, obj, key, old, new)
                row[1 if rule else 2] += 1
                if rule is None or args.show:
                    faults += [f"ACCEPTED {shown}"] if rule is None else []
                    print(f"accepted ({rule or 'HOLE'}) {shown}" if args.show else "", end="\n" if args.show else "")
            elif not is_refusal(field, status) or not messages or not LOCATED.search(messages[0]):
                faults.append(f"status {status}, {messages[:1]}: {shown}")
    return counts, faults


def is_refusal(field, status):
    return status == TENURE_ERROR or (status in (TENURE_USAGE, TENURE_NOFIT) and field.startswith(ASKED))


def text(value):
    shown = "nothing" if value is field_walk.ABSENT else json.dumps(value)
    return shown if len(shown) < 80 else shown[:77] + "..."


def apart(work):
    """What `work(note)` gives, in a process of its own; a crash is a fault that says what was tried."""
    note = mmap.mmap(-1, NOTE)
    reader, writer = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        os.close(reader)
        try:
            with os.fdopen(writer, "w") as f:
                json.dump(work(note), f)
            sys.stdout.flush()
        except BaseException:  # a fault of the test, which must not run on as its parent
            traceback.print_exc()
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as f:
        said = f.read()
    _, status = os.waitpid(child, 0)
    if not said or status != 0:
        return {}, [f"ended by {status}: {note[:NOTE].rstrip(bytes(1)).decode(errors='replace')}"]
    return json.loads(said)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tenure")
    parser.add_argument("library")
    parser.add_argument("--count", type=int, default=200 if os.environ.get("TENURE_SOAK") else 12)
    parser.add_argument("--only", default="")
    parser.add_argument("--field", default="")
    parser.add_argument("--show", action="store_true")
    args = parser.parse_args()
    schema = field_walk.Schema(os.path.join(ROOT, "docs", "plan.schema.json"))
    faults, tried, rows = field_rules.unsaid(ROOT, schema), collections.Counter(), []
    with tempfile.TemporaryDirectory() as folder:
        for entry in field_plans.PLANS:
            if args.only not in entry[0]:
                continue
            planned = field_plans.make(args.tenure, ROOT, folder, entry)

            def work(note):
                checker = Checker(args.library, os.path.join(folder, "altered.json"))
                return attempt(args, schema, checker, planned, note)
            counts, wrong = apart(work)
            faults += wrong
            tried.update({f: row[0] for f, row in counts.items()})
            rows.append((planned.name, *(sum(row[k] for row in counts.values()) for k in range(3))))
    print("| plan | altered | refused | accepted | wrongly |\n|---|---|---|---|---|")
    for name, n, free, holes in rows:
        print(f"| {name} | {n} | {n - free - holes} | {free} | {holes} |")
    missing = [f for f in schema.fields if tried[f] == 0 and f not in field_rules.NEVER and not args.only and args.field in f]
    faults += [f"no plan had field {f} altered" for f in missing]
    print(*faults, sep="\n")
    print(f"{len(schema.fields)} fields, {sum(tried.values())} alterations of {len(rows)} plans, {len(faults)} failures")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
