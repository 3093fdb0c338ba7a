#!/usr/bin/env python3
"""Makes bench/PEERS.md, the readable form of bench/peers.csv.

    bench/peers_page.py           rewrites the page
    bench/peers_page.py --check   fails when the page is not what the file says
"""

import os
import sys

BENCH = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, BENCH)
from defaults import CLASSES, class_of, mean  # noqa: E402
from pages import keep  # noqa: E402
from peers import (ALLOCATORS, ARENAS, COLUMNS, IN_PROCESS, LIMIT_S, PACKAGES, PEERS, REPEATS, TIMED, TIMES, corpus, read)  # noqa: E402

PAGE = os.path.join(BENCH, "PEERS.md")
NAMES = {"onnxruntime": "ONNX Runtime", "onnxsim": "onnxsim", "omnimalloc": "OmniMalloc"}
LEVELS = ["O2", "O3-file", "O3"]
COMPARED = {"onnxruntime": LEVELS, "onnxsim": [f"{x}-one-1" for x in LEVELS], "omnimalloc": LEVELS}
TIMED_BESIDE = ["ms-session", "ms-session-optimised", "ms-onnxsim"]

HEAD = """# Beside other planners

Made from `bench/peers.csv` by `bench/peers_page.py`; do not edit. `bench/peers.py TENURE` measures all of it in one run,
with packages of PyPI in an environment of its own: {versions}.

Models are the shipped ones and the real exports that TENURE_MODELS named, of which tenure plans every value; open dimensions
are bound (`tests/models/dims.txt`), and every planner gets the same file: shapes of inputs and outputs stated, Constant
nodes as initializers, zeros for weights whose file is missing. Where a cell is empty the peer refused the model, failed, took
longer than {limit} seconds, or planned only a part of it; where one of tenure is, planning took longer than {plan_limit} seconds.

| column | bytes of |
|---|---|
| O2, O3 | the arena of `-O2` and `-O3`, `--align=256`; inputs and outputs with the caller |
| O3-file | `-O3 --schedule=file --align=256`: the order of the file, as at `-O2` |
| O3-one | `-O3 --io=arena --reuse-inputs --align=256` |
| O2-one-1, O3-file-one-1, O3-one-1 | one arena, `--io=arena --reuse-inputs`, with `--align=1` |
| onnxruntime | the memory pattern: bytes requested before the first node of the third run less those before the first, from its profile; all optimisation and prepacking off; inputs and outputs not counted; its unit is 256 bytes; models with If, Loop or Scan are left out, since patterns of bodies do not show there |
| onnxsim | `plan_activation_memory`: one arena with inputs and outputs, outputs live from their first write; it aligns nothing; shapes it does not infer itself are given, scalars as vectors of one; left out are files with nodes out of order, where it reads values before they are written, those that bring functions, into which it does not look, and those of which it takes a value for another size than it has |
| omnimalloc | the smallest of {allocators}, for what tenure puts into its arena in the file's order without aliases, sizes rounded up to 256 |
"""

TIME_HEAD = """
## Processor time

Milliseconds, medians of {repeats} runs, user and system: of `tenure plan` the whole process less that of `tenure --version` (ms-O2
and so on), and of the same through the C library, from the file to the checked plan, in a process that goes on (ms-library),
which is how the peers are measured; of ONNX Runtime the making of a session, with optimisation and prepacking off (ms-session)
and by default (ms-session-optimised), one thread; of onnxsim loading the file (without weights) and planning. Imports of
Python count for nobody. The quotient is tenure's time by the peer's, both of one run on two cores that other work shared: from
run to run the peers' own times differ by a fifth to a third at the 10th and 90th percentile of models, their means by up to
3 %. Where a process takes less than a millisecond, most of it are pages of code and of memory that it touches first; one that
goes on has them already.
"""

PROFILE = """
## Where tenure's time goes

Millions of instructions of `tenure plan MODEL --quiet` outside the kernel, start-up (0.7) taken off, for prepared models, counted by
`valgrind --tool=callgrind` over a Release build; before and after planning was made cheaper: nodes and stored types are read where
they lie, bytes of constants are decoded all at once, less is cleared, formatted and walked twice, and the look at other orders,
which is a part of the passes, gets a tenth of the work. Beside these a third to a half of a process is the kernel's, much of it giving
pages that are touched for the first time, at 2 microseconds each and up to 10 on a machine that is shared. So the heap lies on
large pages but for its first 192 KiB, which are enough for a small model: `light_resnet50` touches 220 pages, 140 of them to
start; it were 790.

| model | all, before | after | reading, before | after | passes, before | after | of them other orders | digest | checker, before | after |
|---|---|---|---|---|---|---|---|---|---|---|
| `tinyml/onnxflow_kws_float32` | 6.3 | 3.3 | 3.2 | 0.8 | 1.4 | 1.3 | 0.1 | 0.6 | 0.8 | 0.5 |
| `cnn/micas_resnet18` | 6.0 | 4.4 | 2.2 | 1.5 | 1.9 | 1.6 | 0.2 | 0.6 | 1.1 | 0.7 |
| `transformer/vespa_dummy_transformer` | 15.0 | 11.3 | 2.4 | 1.6 | 9.7 | 7.5 | 3.1 | 0.8 | 1.8 | 1.2 |
| `train/cct_lora_train` | 38.0 | 30.8 | 9.3 | 5.4 | 20.5 | 18.9 | 1.9 | 3.5 | 4.1 | 3.0 |
| `shipped/bert_base` | 48.6 | 39.8 | 12.8 | 8.7 | 20.6 | 19.3 | 3.0 | 5.2 | 9.3 | 6.4 |
| `light/light_resnet50` | 53.4 | 43.1 | 9.8 | 7.2 | 27.0 | 25.9 | 1.9 | 5.1 | 7.2 | 4.8 |
"""


def figures():
    return [{k: v if k == "model" else float(v) if v and k in TIMES else int(v) if v else None for k, v in row.items()}
            for row in read()]


def both(rows, ours, theirs):
    return [r for r in rows if r[ours] is not None and r[theirs] is not None]


def means(rows, ours, theirs):
    """Geometric means of the quotient by class and of all; what is 0 on a side has none."""
    found = [(class_of(r["model"]), r[theirs], r[ours]) for r in both(rows, ours, theirs) if r[ours] and r[theirs]]
    by_class = [mean([f[1:] for f in found if f[0] == c]) for c in [*CLASSES, "other"]]
    return [*by_class, mean([f[1:] for f in found])]


def larger(rows, ours, theirs):
    return [r for r in both(rows, ours, theirs) if r[ours] > r[theirs]]


def line(cells):
    return "| " + " | ".join("" if c is None else str(c) for c in cells) + " |"


def header(cells):
    return line(cells) + "\n|" + "---|" * len(cells)


def missing(rows):
    for peer in PEERS:
        if all(r[peer] is None for r in rows):
            yield f"\n{NAMES[peer]} {PACKAGES[peer]} could not be had from PyPI, so it was not measured.\n"


def summary(rows):
    yield "\n## Bytes\n\nGeometric means of tenure's bytes by the peer's; where a side needs none there is no quotient.\n"
    yield header(["peer", "tenure", "models", "tenure smaller", "tenure larger", *CLASSES, "other", "all"])
    for peer, levels in COMPARED.items():
        for level in levels:
            found = both(rows, level, peer)
            smaller = sum(r[level] < r[peer] for r in found)
            yield line([NAMES[peer], level, len(found), smaller, len(larger(rows, level, peer)), *means(rows, level, peer)])


def smaller_peers(rows):
    for peer, levels in COMPARED.items():
        named = [r for r in rows if any(r in larger(rows, level, peer) for level in levels)]
        yield f"\n## Where {NAMES[peer]} is smaller\n"
        if not named:
            yield "On no model."
            continue
        yield header(["model", NAMES[peer], *levels])
        for r in named:
            yield line([f"`{r['model']}`", r[peer],
                        *(f"**{r[x]}**" if r[x] is not None and r[x] > r[peer] else r[x] for x in levels)])


def times(rows):
    yield TIME_HEAD.format(repeats=REPEATS)
    yield header(["peer", "tenure", "models", *CLASSES, "other", "all", "largest"])
    for peer in TIMED_BESIDE:
        for ours in (*TIMED, *IN_PROCESS):
            found = both(rows, ours, peer)
            if found:
                worst = max(found, key=lambda r: r[ours] / r[peer])
                yield line([peer, ours, len(found), *means(rows, ours, peer),
                            f"{worst[ours] / worst[peer]:.1f} `{worst['model']}`"])
    yield PROFILE


def table(rows):
    yield "\n## All models, bytes\n"
    yield header(["model", *ARENAS, *PEERS])
    yield from (line([f"`{r['model']}`", *(r[c] for c in [*ARENAS, *PEERS])]) for r in rows)
    yield "\n## All models, milliseconds\n"
    yield header(["model", *TIMES])
    yield from (line([f"`{r['model']}`", *(r[c] for c in TIMES)]) for r in rows)


def page():
    rows = figures()
    assert list(rows[0]) == COLUMNS, "bench/peers.csv is of another bench/peers.py"
    versions = ", ".join(f"{name} {version}" for name, version in PACKAGES.items())
    out = [HEAD.format(versions=versions, limit=LIMIT_S, plan_limit=120,
                       allocators=", ".join(f"`{a}`" for a in ALLOCATORS)), f"{len(rows)} models."]
    for part in (missing, summary, smaller_peers, times, table):
        out += part(rows)
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    sys.exit(keep(PAGE, page(), "peers.csv"))
