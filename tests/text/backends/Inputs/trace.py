"""A trace is what Chrome's format asks for: trace.py TRACE PLAN.json [storages=false]

Members of each kind of event, slices of a track that nest, asynchronous slices that begin and end once, counters in
order of time; and it says what the plan does: a slice for each op, the live bytes of each pool, a slice for each storage."""

import json
import sys

STEP = 1000
NEEDED = {"M": {"name", "args"}, "X": {"name", "cat", "ts", "dur", "args"}, "C": {"name", "ts", "args"},
          "b": {"name", "cat", "id", "ts"}, "e": {"name", "cat", "id", "ts"}}


def check_members(events):
    for e in events:
        assert NEEDED[e["ph"]] <= e.keys() and isinstance(e["pid"], int) and isinstance(e["tid"], int), e
        assert e["ph"] == "M" or isinstance(e["ts"], int) and e["ts"] >= 0, e
        assert e["ph"] != "C" or all(isinstance(n, int) and n >= 0 for n in e["args"].values()), e


def check_nesting(slices):
    open_until, last = [], -1
    for e in slices:
        assert e["ts"] >= last and e["dur"] > 0, e
        last = e["ts"]
        while open_until and open_until[-1] <= e["ts"]:
            open_until.pop()
        assert not open_until or e["ts"] + e["dur"] <= open_until[-1], f"{e} ends after the slice round it"
        open_until.append(e["ts"] + e["dur"])


def check_storages(events, plan):
    begins = {(e["cat"], e["id"]): e for e in events if e["ph"] == "b"}
    ends = {(e["cat"], e["id"]): e for e in events if e["ph"] == "e"}
    assert begins.keys() == ends.keys() and len(begins) == len(plan["storages"])
    assert all(begins[key]["ts"] < ends[key]["ts"] and begins[key]["name"] == ends[key]["name"] for key in begins)
    for (_, i), e in begins.items():
        s = plan["storages"][i]
        assert (e["args"]["bytes"], e["args"]["offset"]) == (s["size"], s["offset"]), e


def check_counters(events, plan):
    for k, pool in enumerate(plan["pools"]):
        series = [(e["ts"] // STEP, e["args"]["bytes"]) for e in events if e["ph"] == "C" and e["name"] == pool["name"] + ": live bytes"]
        assert [t for t, _ in series] == sorted({t for t, _ in series}), series
        for step in range(len(plan["steps"])):
            align = pool["align"]
            live = sum(-(-s["size"] // align) * align for s in plan["storages"]
                       if s["pool"] == k and max(s["first"], 0) <= step <= s["last"])
            said = [n for t, n in series if t <= step][-1]
            assert said == live, f"pool {pool['name']}, step {step}: {said} live bytes, expected {live}"


def check_plan(events, plan, storages):
    slices = [e for e in events if e["ph"] == "X"]
    assert len(slices) == sum(s["kind"] != "end" for s in plan["steps"])
    check_nesting(slices)
    check_counters(events, plan)
    if storages:
        check_storages(events, plan)
    else:
        assert not any(e["ph"] in "be" for e in events)


trace, whole = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:3])
check_members(trace["traceEvents"])
variants = [v for program in whole["programs"] for v in program["variants"]]
for i, variant in enumerate(variants):
    check_plan([e for e in trace["traceEvents"] if (e["pid"] - 1) // 2 == i], {**whole, **variant}, len(sys.argv) == 3)
print(len(trace["traceEvents"]), "events")
