"""Passes a plan off as one of another model, with its steps in another order.

Usage: as_if_of.py PLAN PLAN_OF_THE_OTHER OUT
"""
import json
import sys

path, other, out = sys.argv[1:]
with open(path, encoding="utf-8") as f:
    plan = json.load(f)
with open(other, encoding="utf-8") as f:
    plan["digest"] = json.load(f)["digest"]
plan["programs"][0]["variants"][0]["reordered"] = True
with open(out, "w", encoding="utf-8") as f:
    json.dump(plan, f)
