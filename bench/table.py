#!/usr/bin/env python3
"""Makes bench/MODELS.md, the readable form of bench/results.csv.

    bench/table.py           rewrites the page
    bench/table.py --check   fails when the page is not what the file says
"""

import csv
import math
import os
import statistics
import sys

from pages import keep

BENCH = os.path.dirname(os.path.abspath(__file__))
PAGE = os.path.join(BENCH, "MODELS.md")
SMALL_STEPS, SMALL_MS, LARGE_MS, ORDER_MS = 1000, 20, 200, 1000  # what planning may take

HEAD = """# Models

Made from `bench/results.csv` by `bench/table.py`; do not edit. All sizes in bytes, alignment 64, the file's order unless
said otherwise; inputs and outputs lie with the caller, constants apart.

| column | arena with |
|---|---|
| naive | every value its own bytes |
| level 0 | reuse among equal types and shapes (`-O1`) |
| level 1 | reuse of any bytes, no aliases |
| aliases | views of Reshape and the like, element-wise results in place, shared gradients (`-O2`, the default) |
| all | also parts, operands inside results, rows and updates in place (`-O3 --schedule=file`) |
| min-peak | `-O2 --schedule=min-peak` |
| all, min-peak | `-O3` |
| bound | none for this order with the aliases of `-O2` needs less |
| any order | none for any order needs less with those aliases; empty where not known |

Times are processor time of all passes, reading the file left out, in milliseconds.
"""


def load():
    with open(os.path.join(BENCH, "results.csv"), newline="", encoding="utf-8") as f:
        models = {}
        for row in csv.DictReader(f):
            figures = {k: v if k in ("model", "pipeline") else float(v or 0) if k == "ms" else int(v or 0)
                       for k, v in row.items()}
            models.setdefault(row["model"], {})[row["pipeline"]] = figures
        return models


def static(models):
    """Those of which every pipeline planned every value, and that need an arena at all."""
    return {name: m for name, m in models.items()
            if all(p["unplanned"] == 0 for p in m.values()) and "min-peak" in m and m["O2"]["naive"] > 0}


def percent(x):
    return f"{100 * x:.2f} %"


def ratios(models, part, whole):
    """Lines of one quotient: arena of `part` to that of `whole`, where both are more than nothing."""
    q = [part(m) / whole(m) for m in models.values() if part(m) > 0 and whole(m) > 0]
    return len(q), percent(statistics.median(q)), percent(math.exp(sum(map(math.log, q)) / len(q)))


def arena(pipeline):
    return lambda m: m[pipeline]["arena"]


def summary(models):
    naive = lambda m: m["O2"]["naive"]  # noqa: E731
    yield "\n| | models | median | geometric mean |\n|---|---|---|---|"
    for text, part, whole in (
            ("level 0 of naive", arena("O1"), naive), ("level 1 of naive", arena("plain"), naive),
            ("aliases of naive", arena("O2"), naive), ("all of naive", arena("O3-file"), naive),
            ("min-peak of naive", arena("min-peak"), naive),
            ("all, min-peak of naive", arena("O3"), naive), ("level 1 of level 0", arena("plain"), arena("O1")),
            ("aliases of level 1", arena("O2"), arena("plain")), ("all of level 1", arena("O3-file"), arena("plain")),
            ("min-peak of aliases", arena("min-peak"), arena("O2"))):
        yield f"| {text} | " + " | ".join(str(x) for x in ratios(models, part, whole)) + " |"
    yield "\nArenas of nothing are left out: they have no quotient."


def gaps(models):
    names = {"plain": "level 1", "O2": "aliases", "O3-file": "all", "min-peak": "min-peak",
             "O3": "all, min-peak"}
    yield "\n## Against the bounds\n"
    for pipeline, title in names.items():
        rows = [(name, m[pipeline]) for name, m in models.items()]
        above = [(name, r) for name, r in rows if r["arena"] > r["bound"]]
        yield (f"- {title}: {len(rows) - len(above)} of {len(rows)} arenas are as small as the bound for their order "
               f"({percent((len(rows) - len(above)) / len(rows))}).")
        for name, r in above:
            yield (f"  - `{name}`: {r['arena']} bytes, bound {r['bound']}, gap "
                   f"{percent(r['arena'] / max(r['bound'], 1) - 1)}")
    rows = [m["min-peak"] for m in models.values()]
    met = sum(r["any_order"] == r["arena"] for r in rows)
    proven = sum(r["proven_order"] for r in rows)
    yield f"- min-peak: {proven} of {len(rows)} orders are proven to have the fewest live bytes ({percent(proven / len(rows))});"
    yield f"  {met} arenas ({percent(met / len(rows))}) are as small as the bound over all orders."
    refused = {p: sum(m[p]["refused_grow"] for m in models.values()) for p in ("O2", "O3-file")}
    yield f"- aliases refused because the arena would grow: {refused['O2']} at `-O2`, {refused['O3-file']} at `-O3 --schedule=file`."


def times(models):
    yield "\n## Time of planning\n"
    yield "| pipeline | models | median | largest | over the aim |\n|---|---|---|---|---|"
    for pipeline in ("O1", "O2", "O3-file", "min-peak", "O3"):
        for small in (True, False):
            ms = {name: m[pipeline]["ms"] for name, m in models.items()
                  if (m[pipeline]["steps"] <= SMALL_STEPS) == small}
            most = ORDER_MS if pipeline in ("min-peak", "O3") else SMALL_MS if small else LARGE_MS
            over = sorted(name for name, x in ms.items() if x > most)
            if ms:
                size = f"up to {SMALL_STEPS} steps" if small else "more"
                listed = ", ".join(f"`{n}` {ms[n]:.0f}" for n in over)
                yield (f"| {pipeline}, {size}, aim {most} ms | {len(ms)} | {statistics.median(ms.values()):.2f} | "
                       f"{max(ms.values()):.1f} | {len(over)}{': ' + listed if listed else ''} |")


def table(models):
    yield "\n## All models\n"
    yield "| model | steps | naive | level 0 | level 1 | aliases | all | min-peak | all, min-peak | bound | any order | ms |"
    yield "|" + "---|" * 12
    for name, m in models.items():
        o2, cells = m["O2"], [f"`{name}`", m["O2"]["steps"], m["O2"]["naive"]]
        cells += [m[p]["arena"] for p in ("O1", "plain", "O2", "O3-file", "min-peak", "O3")]
        any_order = m["min-peak"]["any_order"] or o2["any_order"] or ""
        cells += [o2["bound"], any_order, f"{o2['ms']:.2f}"]
        yield "| " + " | ".join(str(c) for c in cells) + " |"


def page():
    models = load()
    whole = static(models)
    out = [HEAD, f"{len(whole)} models, all of whose values have a size before the run, of {len(models)} that are planned."]
    for part in (summary, gaps, times, table):
        out += part(whole)
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    sys.exit(keep(PAGE, page(), "results.csv"))
