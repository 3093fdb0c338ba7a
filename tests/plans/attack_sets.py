"""Attacks on what programs of a set have in common, for attacks.py: right in everything but the one rule they break."""

import json
import os
import re

HEAD = 'tir 1\nmodule "%s"\nopset "" 22\ngraph @0 "%s" {\n'
MAKES = HEAD % ("makes", "makes") + """
  const %w: f32[4,16] = tensor(256 bytes, external "weights.bin" 0 256)
  const %shape: i64[2] = tensor(16 bytes, ints [8, 8])
  input %x: f32[4,16]
  %r: f32[4,16] = Relu(%x)
  %y: f32[8,8] = Reshape(%w, %shape)
  %z: f32[4,16] = Neg(%r)
  return %y, %z
}
"""
TAKES = HEAD % ("takes", "takes") + """
  input %in: f32[8,8]
  %a: f32[8,8] = Abs(%in)
  %e: f32[8,8] = Neg(%a)
  return %e
}
"""


def among_constants(document):
    """What one program hands to the next is a view of a constant: nobody writes where the other one reads."""
    one = document["programs"][0]["variants"][0]
    one["values"][4].update(alias="view", alias_of=0, storage=0, offset=0)
    del one["storages"][4]
    one["steps"][1]["idle"] = True
    one["needs"][1] = {"size": 512, "bound": 0}
    document["pools"][1]["bound"] = 512
    one["report"].update(views=1, io_bytes=512, ram=512)


def taken(document):
    """What one program is given by another is overwritten by itself, and it may run twice."""
    document["options"].append({"key": "reuse-inputs", "value": "true"})
    for p in document["programs"]:
        p["variants"][0]["report"]["naive"] = 512
    two = document["programs"][1]["variants"][0]
    two["values"][1].update(alias="inplace", alias_of=0, storage=0, offset=0)
    two["values"][2].update(alias="none", alias_of=None)
    two["storages"][1]["root"] = 2
    first, second = two["steps"]
    first["claims"], second["claims"] = second["claims"], []


def nobodys(document):
    """The plan ties a value that there is none of, too."""
    document["links"].append({**document["links"][0], "from_value": "nothing"})


ATTACKS = [
    (among_constants, r"'y' of program 'one' and 'in' of program 'two' are tied, and do not have the same bytes"),
    (taken, r"'in' of program 'two' is tied to a value of another and stays, and 'a' is written over it"),
    (nobodys, r"'nothing' of program 'one' is tied to a value of another, and is no output"),
]


def check(run, tenure, models, document, path):
    """The check of the plan, with the layouts put right: they are mere hashes."""
    for _ in range(3):
        with open(path, "w", encoding="utf-8") as f:
            json.dump(document, f)
        got = run(tenure, "check", *models, path)
        layout = re.search(r"have the layout '(\w+)', they have '(\w+)'", got.stderr)
        if layout is None:
            break
        for part in (document, *(v for p in document["programs"] for v in p["variants"])):
            part["layout"] = layout[2] if part["layout"] == layout[1] else part["layout"]
    return got


def test(run, tenure, work):
    """What went wrong, by attack."""
    base = os.path.join(work, "set")
    models = []
    for name, text in (("one", MAKES), ("two", TAKES)):
        with open(f"{base}.{name}.tir", "w", encoding="utf-8") as f:
            f.write(text)
        models.append(f"{name}={base}.{name}.tir")
    made = run(tenure, "plan", *models, "--shared-arena", "--link=one/y=two/in", "-q", "-o", base + ".json")
    if made.returncode != 0:
        return [f"no plan of a set: {made.stderr}"]
    with open(base + ".json", encoding="utf-8") as f:
        plan = f.read()
    wrong = []
    for edit, message in ATTACKS:
        document = json.loads(plan)
        edit(document)
        got = check(run, tenure, models, document, f"{base}.{edit.__name__}.json")
        if got.returncode != 1:
            wrong.append(f"{edit.__name__}: accepted ({got.returncode}): {edit.__doc__}")
        elif not re.search(message, got.stderr.splitlines()[0]):
            wrong.append(f"{edit.__name__}: refused for something else: {got.stderr}")
    return wrong
