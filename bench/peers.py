#!/usr/bin/env python3
"""Measures ONNX Runtime, onnxsim and OmniMalloc beside tenure over every model; keeps bench/peers.csv.

    bench/peers.py TENURE [--venv=FOLDER] [--times[=START]]

The packages come from PyPI into an environment of their own (FOLDER, by default build/peers). Models are the shipped
ones and those of TENURE_MODELS (without it their rows stay as they are), prepared by bench/peers_models.py; each is
measured in a process of its own, so that one that ends badly costs a cell only. With --times only the columns of times
are measured again, for models that are in the file and whose names begin with START. bench/peers_page.py makes a page of
the file, which says what the columns mean.
"""

import csv
import glob
import json
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import time

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(TOP, "tests", "models"), os.path.join(TOP, "bench")]
import corpus  # noqa: E402

RESULTS = os.path.join(TOP, "bench", "peers.csv")
PACKAGES = {"onnx": "1.23.2", "onnxruntime": "1.32.0", "onnxsim": "0.8.1", "omnimalloc": "1.0.0"}
ONE_ARENA = ["--io=arena", "--reuse-inputs"]
FILE = ["-O3", "--schedule=file"]
# Arenas by column: aligned to 256 beside ONNX Runtime and OmniMalloc, to 1 beside onnxsim, which aligns nothing.
ARENAS = {
    "O2": ["-O2", "--align=256"], "O3-file": [*FILE, "--align=256"], "O3": ["-O3", "--align=256"],
    "O3-one": ["-O3", "--align=256", *ONE_ARENA],
    "O2-one-1": ["-O2", "--align=1", *ONE_ARENA], "O3-file-one-1": [*FILE, "--align=1", *ONE_ARENA],
    "O3-one-1": ["-O3", "--align=1", *ONE_ARENA],
}
PEERS = ["onnxruntime", "onnxsim", "omnimalloc"]
TIMED = {"ms-O2": ["-O2"], "ms-O3-file": FILE, "ms-O3": ["-O3"]}
IN_PROCESS = {f"ms-library{name[2:]}": ask for name, ask in TIMED.items()}
TIMES = [*TIMED, *IN_PROCESS, "ms-session", "ms-session-optimised", "ms-onnxsim"]
COLUMNS = ["model", *ARENAS, *PEERS, *TIMES]
PLAIN = ["--passes=infer-shapes,schedule,pin,reuse,insert-frees", "--align=256"]  # no aliases, the file's order
ALLOCATORS = ["omni", "greedy_by_all", "supermalloc"]
UNIT = 256
SEARCH_S = 1           # a search of OmniMalloc
LIMIT_S = 30           # a model with one peer
REPEATS, SLOW_MS = 5, 300


def median_ms(once):
    """Median of REPEATS runs of what gives seconds; of fewer where one takes long."""
    found = []
    while len(found) < REPEATS and sum(found) * 1000 < REPEATS * SLOW_MS:
        found.append(once())
    return statistics.median(found) * 1000


def install(folder):
    """The Python of the environment; a package that cannot be had is left out, and its column stays empty."""
    python = os.path.join(folder, "bin", "python")
    if not os.path.exists(python):
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    for name, version in PACKAGES.items():
        if not glob.glob(os.path.join(folder, "lib", "python3*", "site-packages", f"{name}-{version}.dist-info")):
            asked = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", f"{name}=={version}"]
            if subprocess.run(asked, check=False).returncode != 0:
                print(f"{name} {version} cannot be had from PyPI", file=sys.stderr)
    return python


# ONNX Runtime ---------------------------------------------------------------------------------------------------

def options_of(optimised):
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    if not optimised:
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.add_session_config_entry("session.disable_prepacking", "1")
    return options


def session(path, options):
    import onnxruntime
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def feeds(inputs, values, fill):
    import numpy
    types = {"float": "float32", "double": "float64"}
    out = {}
    for i in inputs:
        kind = i.type[len("tensor("):-1]
        dtype = numpy.dtype(types.get(kind, kind))
        whole = dtype.kind in "iub"
        out[i.name] = numpy.full(i.shape, fill if whole else 1, dtype)
        if i.name in values:
            out[i.name] = numpy.array([float(v) for v in values[i.name].split(",")]).astype(dtype).reshape(i.shape)
    return out


def requested_before_runs(events):
    """Requested bytes in use before the first node of each run."""
    starts = sorted(e["ts"] for e in events if e["name"] == "model_run")
    nodes = sorted((e for e in events if e["cat"] == "Node" and "mem_bytes_requested_in_use" in e.get("args", {})),
                   key=lambda e: e["ts"])
    for start in starts:
        first = next(e["args"] for e in nodes if e["ts"] >= start)
        yield int(first["mem_bytes_requested_in_use"]) - int(first["mem_requested_in_use_delta"])


def pattern(path, values, fill):
    """Bytes of the memory pattern: what runs after the first hold before their first node more than the first."""
    with tempfile.TemporaryDirectory() as folder:
        options = options_of(False)
        options.enable_profiling = True
        options.profile_file_prefix = os.path.join(folder, "p")
        s = session(path, options)
        fed = feeds(s.get_inputs(), values, fill)
        for _ in range(3):
            s.run(None, fed)
        with open(s.end_profiling(), encoding="utf-8") as f:
            first, second, third = requested_before_runs(json.load(f))
    return third - first if second == third else None


def runtime_bytes(path, values):
    try:
        return {"onnxruntime": pattern(path, values, 0)}
    except Exception:  # an extent or an index that must not be 0
        return {"onnxruntime": pattern(path, values, 1)}


def runtime_times(path):
    def once(optimised):
        options = options_of(optimised)
        start = time.process_time()
        session(path, options)
        return time.process_time() - start

    once(False)
    return {"ms-session": median_ms(lambda: once(False)), "ms-session-optimised": median_ms(lambda: once(True))}


# onnxsim and OmniMalloc -----------------------------------------------------------------------------------------

def agrees(plan, sizes):
    """Whether onnxsim places all values, in bodies too, and takes each for as large as it is."""
    wrong = any(size not in sizes.get(name, {size}) for name, (_, size) in plan.tensor_offsets.items())
    return not plan.unplanned and not wrong and all(agrees(p, sizes) for p in plan.subgraph_plans.values())


def simplifier_bytes(path, shapes, types, sizes):
    import onnxsim
    import peers_models
    model = peers_models.with_shapes(path, shapes, types)
    plans = (onnxsim.plan_activation_memory(model, run_shape_inference=infer) for infer in (False, True))
    return {"onnxsim": next((p.arena_bytes for p in plans if agrees(p, sizes)), None)}


def simplifier_times(path):
    import onnx
    import onnxsim

    def once():
        start = time.process_time()
        onnxsim.plan_activation_memory(onnx.load(path, load_external_data=False))
        return time.process_time() - start

    once()
    return {"ms-onnxsim": median_ms(once)}


def packed(buffers):
    """Bytes of the best of OmniMalloc's allocators for (first, last, size)."""
    import omnimalloc
    from omnimalloc.allocators import SupermallocAllocator
    omnimalloc.set_max_threads(2)
    asked = tuple(omnimalloc.Allocation(id=i, size=-(-size // UNIT) * UNIT, start=first, end=last + 1)
                  for i, (first, last, size) in enumerate(buffers))
    best = None
    for name in ALLOCATORS:
        allocator = SupermallocAllocator(timeout=SEARCH_S) if name == "supermalloc" else name
        placed = omnimalloc.allocate(asked, allocator, validate=True)
        top = max((a.offset + a.size for a in placed), default=0)
        best = top if best is None else min(best, top)
    return {"omnimalloc": best}


# tenure ---------------------------------------------------------------------------------------------------------

def whole_plan(tenure, path, options):
    _, plan = corpus.plan(tenure, path, options)
    return plan if plan is not None and plan["report"]["open"] + plan["report"]["data"] == 0 else None


def arena(plan):
    return None if plan is None else sum(p["size"] for p in plan["pools"] if p["kind"] == "arena")


def buffers(plan):
    """(first, last, size) of what shares the arena."""
    pools = [p["kind"] for p in plan["pools"]]
    return [(s["first"], s["last"], s["size"]) for s in plan["storages"]
            if pools[s["pool"]] == "arena" and s["size"] > 0]


def process_seconds(command):
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, usage = os.wait4(child.pid, 0)
    child.returncode = 0
    return usage.ru_utime + usage.ru_stime


def tenure_times(tenure, path, options):
    """What a process takes by itself is measured beside every model: it changes with what else the machine does."""
    start_up = median_ms(lambda: process_seconds([tenure, "--version"]))
    return {name: max(median_ms(lambda: process_seconds([tenure, "plan", path, "--quiet", *ask, *options]))
                      - start_up, 0.01) for name, ask in TIMED.items()}


def library_times(tenure, path, options):
    """The same of the C library beside that command, called in a process that goes on, as the peers are."""
    os.environ["TENURE_LIBRARY"] = os.path.join(os.path.dirname(tenure), os.pardir, "lib", "libtenure.so")
    sys.path.insert(0, os.path.join(TOP, "bindings", "python"))
    import ctypes
    from tenure._library import lib  # its functions themselves, without what the package adds to a call

    def once(ask):
        arguments = [a.encode() for a in (*ask, *options)]
        argv, at = (ctypes.c_char_p * len(arguments))(*arguments), ctypes.c_int(0)
        start, plan = time.process_time(), ctypes.c_void_p()
        context = lib.tenure_context_new(None)
        given = lib.tenure_options_for(context, b"plan")
        while at.value < len(argv):
            assert lib.tenure_options_arg(given, len(argv), argv, ctypes.byref(at)) == 0
        model = lib.tenure_load_file(context, path.encode(), given)
        assert model and lib.tenure_plan_make(model, given, ctypes.byref(plan)) == 0
        lib.tenure_plan_free(plan)
        lib.tenure_model_free(model)
        lib.tenure_options_free(given)
        lib.tenure_context_free(context)
        return time.process_time() - start

    once(["-O2"])
    return {name: median_ms(lambda: once(ask)) for name, ask in IN_PROCESS.items()}


# all of them ----------------------------------------------------------------------------------------------------

def answer(pipe, work, arguments):
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    try:
        pipe.send(work(*arguments))
    except Exception:
        pipe.send({})


def apart(work, *arguments):
    """What `work` gives in a process of its own; nothing when it fails, crashes or takes too long."""
    ours, theirs = multiprocessing.Pipe(False)
    child = multiprocessing.get_context("fork").Process(target=answer, args=(theirs, work, arguments))
    child.start()
    theirs.close()
    try:
        return ours.recv() if ours.poll(LIMIT_S) else {}
    except EOFError:
        return {}
    finally:
        child.kill()
        child.join()


def measure_one(tenure, source, options, only_times):
    import peers_models
    plan = whole_plan(tenure, source, options)
    if plan is None:
        return None
    main = {v["name"]: v for v in plan["values"] if not v["graph"]}
    shapes, types = ({name: v[key] for name, v in main.items()} for key in ("dims", "dtype"))
    sizes = {}
    for value in plan["values"]:
        sizes.setdefault(value["name"], set()).add(value["bytes"])
    with tempfile.TemporaryDirectory() as folder:
        prepared = peers_models.prepare(source, shapes, folder)
        path, values = prepared.path, peers_models.input_values(options)
        options = peers_models.without_shapes(options)
        row = apart(runtime_times, path)
        row.update(apart(simplifier_times, path))
        row.update(apart(library_times, tenure, path, options))
        row.update(tenure_times(tenure, path, options))
        if only_times:
            return row
        row.update({name: arena(whole_plan(tenure, path, [*ask, *options])) for name, ask in ARENAS.items()})
        if row["O2"] is None:
            raise peers_models.Refused("not planned whole once it is prepared")
        if not prepared.bodies:
            row.update(apart(runtime_bytes, path, values))
        if prepared.in_order and not prepared.functions:
            row.update(apart(simplifier_bytes, path, shapes, types, sizes))
        row.update(apart(packed, buffers(whole_plan(tenure, path, [*PLAIN, *options]))))
    return row


def imported():
    """The peers that are there; what is imported here is there in every process forked later."""
    for name in PEERS:
        try:
            __import__(name)
        except ImportError:
            print(f"{name} is not measured", file=sys.stderr)


def measure(tenure, only):
    """Rows of all models, or the times of those named."""
    imported()
    options = corpus.bindings()
    for name, path in corpus.models():
        if name.startswith("malformed/") or (only is not None and name not in only):
            continue
        try:
            row = measure_one(tenure, path, options.get(corpus.short(name), []), only is not None)
        except Exception as error:
            print(f"{name}: {error}", file=sys.stderr)
            continue
        if row is not None:
            yield {"model": name, **{k: f"{v:.2f}" if k in TIMES and v is not None else v for k, v in row.items()}}


def read():
    with open(RESULTS, newline="", encoding="utf-8") as f:
        return list(csv.DictReader(f))


def main():
    arguments = [a for a in sys.argv[1:] if not a.startswith("--")]
    folder = next((a[7:] for a in sys.argv[1:] if a.startswith("--venv=")), os.path.join(TOP, "build", "peers"))
    if len(arguments) != 1:
        sys.exit(__doc__)
    if os.path.realpath(sys.prefix) != os.path.realpath(folder):
        python = install(folder)
        os.execv(python, [python, "-B", os.path.abspath(__file__), *sys.argv[1:]])
    rows = {row["model"]: row for row in read()}
    start = next((a[8:] for a in sys.argv[1:] if a.startswith("--times")), None)
    only = None if start is None else {name for name in rows if name.startswith(start)}
    measured = list(measure(os.path.abspath(arguments[0]), only))
    rows = {} if os.environ.get("TENURE_MODELS") and only is None else rows
    for row in measured:
        bytes_of = {k: v for k, v in rows.get(row["model"], {}).items() if only and k not in TIMES}
        rows[row["model"]] = {**bytes_of, **row}
    with open(RESULTS, "w", newline="", encoding="utf-8") as f:
        out = csv.DictWriter(f, COLUMNS, lineterminator="\n")
        out.writeheader()
        out.writerows(rows[name] for name in sorted(rows))


if __name__ == "__main__":
    main()
