"""Holds project files against docs/project.schema.json: what the command prints and what it takes must fit the schema,
and files with a mistake the schema can see must be refused by both.

usage: project_files.py TENURE
"""

import json
import os
import re
import subprocess
import sys

import jsonschema

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MODEL = os.path.join(TOP, "tests", "fuzz", "corpus", "onnx", "chain.onnx")
LINES = [
    [],
    ["--preset=mcu", "--dim", "n=4"],
    ["--dim", '"a=b"=1', "--input-shape", "x=1,-1", "--input-value", "x=1e3,true,2", "--graph=main", "--metadata=all",
     "--exclude", "a,b", "--loss", "l", "--update", "s=v", "--grad-of", "p=g", "--grad-of", "p=h", "--grad-suffix=_g"],
    ["-O1", "--level=0", "--memory=slots", "--algo=load", "--align=64K", "--capacity=4096", "--io=arena", "--no-strict",
     "--stats", "--print-after=reuse", "-q", "--emit=svg,width=300", "--emit=c-header,target-size-bits=32,tables=false",
     "-o", "net.h", "--emit=opencl,mode=offsets"],
    ["--passes=infer-shapes,reuse{level=1}", "--views=all", "--inplace=none", "--schedule=kahn"],
]
MISTAKES = [
    {}, {"tenure_project": 1, "programs": {}}, {"tenure_project": 1, "programs": {"a": ""}},
    {"tenure_project": 1, "programs": {"a=b": "x"}}, {"tenure_project": 1, "programs": ["x"]},
    {"tenure_project": 1, "model": "x", "programs": {"a": "x"}}, {"tenure_project": 2}, {"tenure_project": 1, "modle": "x"}, {"tenure_project": 1, "model": ""},
    {"tenure_project": 1, "options": []}, {"tenure_project": 1, "commands": {"plan": 1}},
    {"tenure_project": 1, "emit": {"kind": "json"}}, {"tenure_project": 1, "emit": [{}]},
    {"tenure_project": 1, "emit": [{"kind": "jsn"}]}, {"tenure_project": 1, "emit": [{"kind": "json", "fil": "x"}]},
    {"tenure_project": 1, "emit": [{"kind": "svg", "options": {"widht": 3}}]},
    {"tenure_project": 1, "emit": [{"kind": "svg", "options": {"width": "3"}}]},
]


def wrong_values(schema):
    """For each option one value of a type it does not have."""
    for name, option in schema["properties"]["options"]["properties"].items():
        wrong = 1.5 if "enum" in option or "oneOf" in option or option["type"] != "boolean" else "true"
        yield {"tenure_project": 1, "options": {name: wrong}}
    yield {"tenure_project": 1, "options": {"no-such": 1}}


def refused(tenure, project):
    run = subprocess.run([tenure, "plan", MODEL, "--project", "-"], input=json.dumps(project), capture_output=True,
                         text=True, check=False)
    return run.returncode == 2 and re.fullmatch(r"-: error: [^\n]*\n", run.stderr) is not None and run.stdout == ""


def main():
    tenure, failed, n = sys.argv[1], 0, 0
    with open(os.path.join(TOP, "docs", "project.schema.json"), encoding="utf-8") as f:
        schema = json.load(f)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for line in LINES:
        text = subprocess.run([tenure, "plan", MODEL, *line, "--print-project"], capture_output=True, check=True).stdout
        again = subprocess.run([tenure, "plan", "--project", "-", "--print-project"], input=text, capture_output=True,
                               check=True).stdout
        errors = [e.message for e in validator.iter_errors(json.loads(text))]
        if errors or again != text:
            failed += 1
            print(f"{line}: {errors or 'read back as another file'}")
        n += 1
    for project in [*MISTAKES, *wrong_values(schema)]:
        if validator.is_valid(project) or not refused(tenure, project):
            failed += 1
            print(f"{project}: {'fits the schema' if validator.is_valid(project) else 'not refused in one line'}")
        n += 1
    print(f"{n} project files, {failed} wrong")
    return 1 if failed or n < 40 else 0


if __name__ == "__main__":
    sys.exit(main())
