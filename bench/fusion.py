"""Emitted C programs with ops fused beside the same without: writes FUSION.md and fusion.csv.

usage: fusion.py TENURE [MODEL...]

Of each model that makes a program: bytes of the arena and of RAM, processor time of a run (the least of many, by turns), and how far outputs lie
apart. TENURE_MODELS names a folder with models.
"""

import os
import re
import resource
import subprocess
import sys
import tempfile

import programs
from programs import FLAGS, ROUNDS, SHARE, TIMER, corpus, np

SETS = ("tinyml", "cnn", "transformer", "rnn", "light")


def bytes_of(report, word):
    found = re.search(rf"^ *{word} +(\d+) B", report, re.M)
    return int(found.group(1)) if found else 0


def planned(tenure, path, options):
    """Processor time of planning with groups by that without, each the least of many by turns."""
    best, spent = {"none": 1e9, "all": 1e9}, 0.0
    while spent < 0.5:
        for fuse in best:
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([tenure, "plan", path, "-O3", f"--fuse={fuse}", *options], capture_output=True, check=False, timeout=600)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            best[fuse], spent = min(best[fuse], took), spent + took
    return best["all"] / best["none"]


def program(tenure, path, options, folder, fuse):
    """(arena, steps) of a compiled program in the folder; or why there is none."""
    os.makedirs(folder)
    net = os.path.join(folder, "net.c")
    done = subprocess.run([tenure, "plan", path, "-O3", f"--fuse={fuse}", *options, "--emit=c-program,target-size-bits=64,weights=asm", "-o", net],
                          capture_output=True, text=True, check=False, timeout=600)
    if done.returncode != 0:
        return done.stderr.strip().splitlines()[-1].replace(path, os.path.basename(path))[:160]
    with open(os.path.join(folder, "timer.c"), "w", encoding="utf-8") as f:
        f.write(TIMER)
    made = subprocess.run(["gcc", *FLAGS, "-Wa,-I,.", "net.c", "timer.c", "net_weights.S", "-lm", "-o", "net"], cwd=folder,
                          capture_output=True, text=True, check=False)
    if made.returncode != 0:
        absent = sorted(set(re.findall(r"undefined reference to `(\w+)'", made.stderr)))
        return f"needs {', '.join(absent)}, which nobody has" if absent else made.stderr.splitlines()[0][:160]
    report = done.stdout + done.stderr
    steps = re.search(r", (\d+) steps?", report)
    return bytes_of(report, "planned"), int(steps.group(1)) if steps else 0


def apart(tenure, name, path, top):
    options = corpus.bindings().get(corpus.short(name), [])
    bound = dict(o.removeprefix("--dim=").split("=") for o in options if "=" in o)
    folders = {fuse: os.path.join(top, fuse) for fuse in ("none", "all")}
    made = {fuse: program(tenure, path, options, folders[fuse], fuse) for fuse in folders}
    for fuse in folders:
        if isinstance(made[fuse], str):
            return made[fuse]
    session = programs.session_of(path)
    feeds = programs.feeds_of(session, bound)
    into, outs = os.path.join(top, "in.bin"), {fuse: os.path.join(top, fuse + ".bin") for fuse in folders}
    with open(into, "wb") as f:
        f.write(b"".join(feeds[i.name].tobytes() for i in session.get_inputs()))
    theirs = programs.took(session, feeds, 2)
    runs, best = int(max(3, min(300, SHARE / max(theirs, 0.05) / 4))), {fuse: 1e9 for fuse in folders}
    for _ in range(ROUNDS):
        for fuse, folder in folders.items():
            said = subprocess.run([os.path.join(folder, "net"), into, outs[fuse], str(runs)], capture_output=True, text=True, check=True, timeout=600)
            best[fuse] = min(best[fuse], float(said.stdout))
        theirs = min(theirs, programs.took(session, feeds, runs))
    away, at = {"none": 0.0, "all": 0.0}, 0
    for want in session.run(None, feeds):
        for fuse in folders:
            have = np.fromfile(outs[fuse], np.uint8)[at:at + want.nbytes].view(want.dtype).reshape(want.shape)
            if want.size and want.dtype in (np.float32, np.int8, np.uint8):
                h, w = have.astype(np.float64), want.astype(np.float64)
                away[fuse] = max(away[fuse], float(np.abs(h - w).max() / max(np.abs(w).max(), 1e-3)))
        at += want.nbytes
    a, b = made["none"], made["all"]
    return {"model": name, "steps": a[1], "steps_fused": b[1], "arena": a[0], "arena_fused": b[0], "bytes": f"{b[0] / max(a[0], 1):.3f}",
            "ms": f"{best['none']:.3f}", "ms_fused": f"{best['all']:.3f}", "time": f"{best['all'] / best['none']:.3f}",
            "by_onnxruntime": f"{best['all'] / theirs:.2f}", "plan": f"{planned(tenure, path, options):.2f}", "away": f"{away['none']:.1e}",
            "away_fused": f"{away['all']:.1e}"}


def mean(rows, key):
    """Geometric; a network that becomes one kernel counts as a tenth, that it does not count for all others."""
    return float(np.exp(np.mean([np.log(max(float(r[key]), 0.1)) for r in rows])))


def page(rows, left_out):
    keys = list(rows[0])
    lines = ["# Programs with ops fused", "",
             "Written by `bench/fusion.py`: each model as a C program at `-O3` with `--fuse=none` and with `--fuse=all`. *bytes*, *time*, *plan*: fused by",
             "not fused, of the arena, of processor time of a run (the least of many by turns, one thread), of processor time of planning. *away*: the",
             "largest difference from ONNX Runtime by the largest number. In means of bytes nothing counts as less than a tenth.", "",
             "| " + " | ".join(keys) + " |", "|" + "---|" * len(keys)]
    lines += ["| " + " | ".join(str(r[k]) for k in keys) + " |" for r in rows]
    lines += ["", "| set | models | bytes | time | largest bytes | largest time |", "|---|---|---|---|---|---|"]
    for s in (*SETS, ""):
        of = [r for r in rows if r["model"].startswith(s)]
        if of:
            lines.append(f"| {s or 'all'} | {len(of)} | {mean(of, 'bytes'):.3f} | {mean(of, 'time'):.3f} | {max(float(r['bytes']) for r in of):.3f} "
                         f"| {max(float(r['time']) for r in of):.3f} |")
    lines += ["", "Left out:", ""] + [f"- {name}: {why}" for name, why in left_out] if left_out else []
    return "\n".join(lines) + "\n"


def main():
    tenure, models = sys.argv[1], dict(corpus.models())
    rows, left_out = [], []
    with tempfile.TemporaryDirectory() as top:
        for name in sys.argv[2:] or sorted(m for m in models if m.split("/")[0] in SETS):
            try:
                row = apart(tenure, name, models[name], os.path.join(top, name.replace("/", "-")))
            except Exception as error:  # whatever a model of others brings about, the next one is measured
                row = f"{type(error).__name__}: {error}".splitlines()[0].replace(models[name], os.path.basename(models[name]))[:160]
            (left_out.append((name, row)) if isinstance(row, str) else rows.append(row))
            print(name, row if isinstance(row, str) else {k: row[k] for k in list(row)[1:]}, flush=True)
    if not rows:
        sys.exit("no model was measured: TENURE_MODELS names no folder with these")
    if len(sys.argv) > 2:
        print(page(rows, left_out))
        return
    programs.write("fusion", rows, page(rows, left_out))


if __name__ == "__main__":
    main()
