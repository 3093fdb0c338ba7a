"""Passes a plan off as one of another model, with its steps in another order or, with a fourth argument, in the same.

Usage: as_if_of.py PLAN PLAN_OF_THE_OTHER OUT [in-order]
"""
import json
import sys

path, other, out = sys.argv[1:4]
with open(path, encoding="utf-8") as f:
    plan = json.load(f)
with open(other, encoding="utf-8") as f:
    plan["digest"] = json.load(f)["digest"]
if len(sys.argv) < 5:
    plan["programs"][0]["variants"][0]["reordered"] = True
with open(out, "w", encoding="utf-8") as f:
    json.dump(plan, f)
