#!/usr/bin/env python3
"""move.py PLAN.json PROGRAM VALUE OFFSET [POOL]: the plan with the storage of a value elsewhere, or in that pool."""
import json
import sys

path, program, value, offset = sys.argv[1:5]
plan = json.load(open(path))
for p in plan["programs"]:
    for v in p["variants"] if p["name"] == program else []:
        storage = v["storages"][next(x["storage"] for x in v["values"] if x["name"] == value)]
        storage["offset"] = int(offset)
        storage["pool"] = next((i for i, q in enumerate(plan["pools"]) if q["name"] in sys.argv[5:]), storage["pool"])
        end = storage["offset"] + storage["size"]
        need, pool = v["needs"][storage["pool"]], plan["pools"][storage["pool"]]
        need["size"] = max(need["size"], end)
        pool["size"] = max(pool["size"], end)
json.dump(plan, sys.stdout)
