"""Makes a value of a plan a view of another one, in the storage of that; its own storage goes.

Usage: as_view.py PLAN VALUE OF OUT
"""
import json
import sys

path, name, of, out = sys.argv[1:]
with open(path, encoding="utf-8") as f:
    document = json.load(f)
plan = document["programs"][0]["variants"][0]
names = [v["name"] for v in plan["values"]]
value, other = plan["values"][names.index(name)], plan["values"][names.index(of)]
gone = value["storage"]
value.update(alias="view", alias_of=names.index(of), storage=other["storage"], offset=other["offset"])
plan["storages"][other["storage"]]["last"] = max(other["last"], value["last"])
del plan["storages"][gone]
for v in plan["values"]:
    v["storage"] -= v["storage"] > gone
for step in plan["steps"]:
    step["frees"] = []
    step["hazards"] = list(range(plan["steps"].index(step)))
plan["report"]["views"] += 1
plan["report"]["peak"] = []
for i, pool in enumerate(document["pools"]):
    pool["size"] = max((s["offset"] + s["size"] for s in plan["storages"] if s["pool"] == i), default=0)
    pool["bound"] = min(pool["bound"], pool["size"])
with open(out, "w", encoding="utf-8") as f:
    json.dump(document, f)
