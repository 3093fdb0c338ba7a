"""What examples/ci gives others for continuous integration, in a repository of its own: budget.sh on changes that keep a
budget, exceed it, and cannot be planned; the hooks as pre-commit calls them; the workflow runs what is there.

usage: budget_tests.py TENURE FOLDER
"""

import json
import os
import shutil
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CI = os.path.join(TOP, "examples", "ci")
RELU = 'tir 1 module "m" ir_version 10 opset "" 17\ngraph "g" { input %x: f32[{n}]\n%a: f32[{n}] = Relu(%x)\n%b: f32[{n}] = Neg(%a)\n' \
       '%y: f32[{n}] = Add(%a, %b)\nreturn %y }\n'


def run(folder, *command, status=0):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == status, f"{command}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


def commit(folder, model, capacity):
    with open(os.path.join(folder, "net.tir"), "w", encoding="utf-8") as f:
        f.write(model)
    with open(os.path.join(folder, "net.tenure.json"), "w", encoding="utf-8") as f:
        json.dump({"tenure_project": 1, "model": "net.tir", "options": {"capacity": capacity}}, f)
    run(folder, "git", "add", "-A")
    run(folder, "git", "-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-qm", "a change")


def budget(folder, status):
    run(folder, os.path.join(CI, "budget.sh"), "HEAD~1", "net.tenure.json", status=status)
    with open(os.path.join(folder, "comment.md"), encoding="utf-8") as f:
        comment = f.read()
    with open(os.path.join(folder, "sarif", "net.tenure.sarif"), encoding="utf-8") as f:
        results = json.load(f)["runs"][0].get("results", [])
    assert any(r["level"] == "error" for r in results) == (status != 0), results
    assert not run(folder, "git", "worktree", "prune", "-v") and run(folder, "git", "worktree", "list").count("\n") == 1
    return comment


def hooks(folder):
    hook = os.path.join(CI, "hook.sh")
    run(folder, hook, "net.tir", "net.tenure.json")
    assert "capacity" in run(folder, hook, "--capacity=64", "net.tir", status=4)
    with open(os.path.join(TOP, ".pre-commit-hooks.yaml"), encoding="utf-8") as f:
        entries = [line.split()[1] for line in f if line.strip().startswith("entry:")]
    assert len(entries) == 2 and all(os.access(os.path.join(TOP, entry), os.X_OK) for entry in entries), entries


def main():
    os.environ["PATH"] = os.path.dirname(os.path.abspath(sys.argv[1])) + os.pathsep + os.environ["PATH"]
    folder = os.path.abspath(sys.argv[2])
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    run(folder, "git", "init", "-q")
    commit(folder, RELU.replace("{n}", "64"), "1K")
    commit(folder, RELU.replace("{n}", "128"), "2K")
    comment = budget(folder, 0)
    assert "The budget is kept." in comment and "+" in comment and "arena" in comment, comment
    hooks(folder)
    commit(folder, RELU.replace("{n}", "1024"), "1K")
    comment = budget(folder, 4)
    assert "exceeded" in comment and "more than the capacity of 1024" in comment and "%)" in comment, comment
    commit(folder, "no model", "1K")
    assert "cannot be planned" in budget(folder, 1)
    with open(os.path.join(CI, "memory.yml"), encoding="utf-8") as f:
        workflow = f.read()
    assert "budget.sh origin/" in workflow and "comment.md" in workflow and "sarif_file: sarif" in workflow
    print("kept, exceeded and not planned are said; hooks plan models and project files")


if __name__ == "__main__":
    main()
