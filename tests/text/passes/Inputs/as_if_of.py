"""Passes a plan off as one of another file, with its steps in another order.

Usage: as_if_of.py PLAN MODEL OUT
"""
import hashlib
import json
import sys

path, model, out = sys.argv[1:]
with open(path, encoding="utf-8") as f:
    plan = json.load(f)
with open(model, "rb") as f:
    plan["digest"] = hashlib.sha256(f.read()).hexdigest()
plan["programs"][0]["variants"][0]["reordered"] = True
with open(out, "w", encoding="utf-8") as f:
    json.dump(plan, f)
