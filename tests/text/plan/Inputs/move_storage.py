"""A plan in JSON with the storage of a value in another pool, behind what lies there. usage: move_storage.py PLAN VALUE POOL OUT"""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as f:
    plan = json.load(f)
variant = plan["programs"][0]["variants"][0] if "programs" in plan else plan
storage = variant["storages"][next(v for v in variant["values"] if v["name"] == sys.argv[2])["storage"]]
at, pool = next((i, p) for i, p in enumerate(plan["pools"]) if p["name"] == sys.argv[3])
storage["pool"], storage["offset"] = at, (pool["size"] + 63) // 64 * 64
pool["size"] = storage["offset"] + storage["size"]
with open(sys.argv[4], "w", encoding="utf-8") as f:
    json.dump(plan, f)
