"""Peaks of PyTorch's training steps on a processor, eager and by torch.compile (Inductor): bench/exports/inductor.csv, tables of bench/EXPORTS.md.

One step is forward, cross entropy, backward, SGD with momentum, of a network with random weights in training mode. `peak`: the most bytes
that PyTorch's allocator has given out since the step began (`[memory]` events of torch.profiler). Gradients are in it; input, parameters
and moments, which lay there before, are not: what torch.cuda.max_memory_allocated says of a GPU (arenas.py). `results`: without what one
product, convolution or attention takes and gives back before it ends (operands in another order, room for partial sums), which is another amount
with each library. Forms:

ran         eager, everything runs
compiled    torch.compile of forward and loss, as it comes (default partition, no budget), everything is compiled and runs
eager, inductor
            the same two with `results` alone: products, convolutions, attention, and the C++ kernels that Inductor writes, compute
            nothing (and are not compiled). Room for results is given out, kept and taken back by the same code; `ran` and
            `compiled` have the same bytes wherever both are in the csv (bench.exports compares them)
budget50    `inductor` with activation_memory_budget of 0.5; budget25: of 0.25
checkpoint  `eager` with torch.utils.checkpoint around each block of the network

usage: inductor.py FORM NET BATCH [-v] [--csv]   (with torch, torchvision, transformers; NET is one of torchvision's, or of language.py;
                                                  --csv writes the row)
"""

import csv
import math
import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TABLE = os.path.join(HERE, "inductor.csv")
COLUMNS = ["net", "form", "batch", "peak", "results"]
LIBRARY = {"aten::convolution_backward", "aten::mkldnn_convolution", "aten::mm", "aten::addmm", "aten::bmm", "aten::baddbmm",
           "aten::_scaled_dot_product_flash_attention_for_cpu", "aten::_scaled_dot_product_flash_attention_for_cpu_backward"}
PLANS = ("O2", "O3", "fused_O3", "recompute33")  # columns of arenas.csv
BUDGETS = {"budget50": 0.5, "budget25": 0.25}
BLOCKS = {"resnet50": ("Bottleneck",), "vit_b_16": ("EncoderBlock",)}


def build(name, batch):
    """A network in training mode, its inputs and classes, and its loss."""
    import torch
    torch.manual_seed(0)
    try:
        import language
        if name in language.NETS:
            return language.build(name, batch)
    except ImportError:
        pass
    import torchvision
    more = {"aux_logits": False, "init_weights": False} if name == "googlenet" else {}
    net = getattr(torchvision.models, name)(weights=None, **more).train()
    return net, (torch.randn(batch, 3, 224, 224), torch.randint(0, 1000, (batch,))), lambda x, y: torch.nn.functional.cross_entropy(net(x), y)


def checkpointed(net, kinds):
    """Each block keeps its inputs alone."""
    from torch.utils.checkpoint import checkpoint
    for m in net.modules():
        if type(m).__name__ in kinds:
            m.forward = lambda *a, run=m.forward, **k: checkpoint(run, *a, use_reentrant=False, **k)


def still():
    """Products, convolutions and attention hand out room for their results, and compute nothing; nor do kernels that Inductor writes."""
    import torch
    from torch._inductor import async_compile

    def order(x, w):
        last = torch.channels_last
        return {"memory_format": last if x.dim() == 4 and last in map(torch._prims_common.suggest_memory_format, (x, w)) else torch.contiguous_format}

    def convolved(x, w, bias, padding, stride, dilation, groups):
        sides = [(n + 2 * p - d * (k - 1) - 1) // s + 1 for n, k, p, s, d in zip(x.shape[2:], w.shape[2:], padding, stride, dilation)]
        return torch.empty([x.shape[0], w.shape[0], *sides], **order(x, w))

    def gradients(d, x, w, bias_sizes, stride, padding, dilation, transposed, output_padding, groups, wanted):
        return [torch.empty(t.shape, **order(x, w)) if is_wanted else None for t, is_wanted in zip((x, w), wanted)] + [x.new_empty(w.shape[0]) if wanted[2] else None]

    def attended(q, k, v, *more, **named):
        b, h, n, _ = q.shape
        return torch.empty_like(q), q.new_empty(b, n, h).transpose(1, 2)

    library = torch.library.Library("aten", "IMPL")
    for name, run in {
            "mkldnn_convolution": convolved, "convolution_backward": gradients,
            "mm": lambda a, b: a.new_empty(a.shape[0], b.shape[1]), "addmm": lambda c, a, b, **k: a.new_empty(a.shape[0], b.shape[1]),
            "bmm": lambda a, b: a.new_empty(*a.shape[:2], b.shape[2]), "baddbmm": lambda c, a, b, **k: a.new_empty(*a.shape[:2], b.shape[2]),
            "mm.out": lambda a, b, out: out, "addmm.out": lambda c, a, b, out, **k: out, "bmm.out": lambda a, b, out: out,
            "baddbmm.out": lambda c, a, b, out, **k: out, "_scaled_dot_product_flash_attention_for_cpu": attended,
            "_scaled_dot_product_flash_attention_for_cpu_backward":
                lambda d, q, k, v, *more, **named: tuple(torch.empty_permuted(t.shape, (0, 2, 1, 3)) for t in (q, k, v))}.items():
        library.impl(name, run, "CPU")
    plain = torch._C._dynamo.guards._empty_strided_cpu

    def empty(size, stride, kind):  # nothing writes indices: ops that are no kernels of Inductor's must not read outside
        made = plain(size, stride, kind)
        return made if kind.is_floating_point else made.zero_()

    torch._C._dynamo.guards._empty_strided_cpu = empty
    async_compile.AsyncCompile.cpp_pybinding = lambda self, kinds, source, *more, **named: lambda *arguments: None
    return library


def compiled(loss, form):
    import torch
    from torch._inductor import config
    config.force_disable_caches = True
    if form in BUDGETS:
        torch._functorch.config.activation_memory_budget = BUDGETS[form]
    return torch.compile(loss, dynamic=False)


def allocations(prof):
    """(when, bytes, total, address, names of the ops around it, innermost first, when a library's op around it began) of each [memory] event."""
    found, waiting = [], list(prof.profiler.kineto_results.experimental_event_tree())
    while waiting:
        e = waiting.pop()
        waiting.extend(e.children)
        if e.name == "[memory]" and e.extra_fields.device.type == "cpu":
            around, library, p = [], None, e.parent
            while p:
                around.append(p.name)
                library = p.start_time_ns if p.name in LIBRARY else library
                p = p.parent
            found.append((e.start_time_ns, e.extra_fields.alloc_size, e.extra_fields.total_allocated, e.extra_fields.ptr, around, library))
    return sorted(found, key=lambda f: f[0])


def peak(net, loss, inputs, warm):
    import torch
    from torch.profiler import ProfilerActivity, profile
    optimizer = torch.optim.SGD(net.parameters(), lr=1e-3, momentum=0.9)
    for p in net.parameters():
        optimizer.state[p]["momentum_buffer"] = torch.zeros_like(p)

    def step():
        loss(*inputs).backward()
        optimizer.step()

    for _ in range(warm):
        step()
        optimizer.zero_grad(set_to_none=True)
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as prof:
        step()
    return allocations(prof)


def of_results(events):
    """The peak without what a library's op takes and gives back before it ends: copies of operands in another order, room for partial sums."""
    inner, alive = set(), {}
    for i, e in enumerate(events):
        if e[1] > 0:
            alive[e[3]] = i
        elif e[3] in alive:
            j = alive.pop(e[3])
            if e[5] is not None and e[5] == events[j][5]:
                inner |= {i, j}
    total, top = 0, 0
    for i, e in enumerate(events):
        total += 0 if i in inner else e[1]
        top = max(top, total)
    return top


def show(events):
    """What is alive at the peak, the largest first, and the op at which it is reached."""
    top = max(range(len(events)), key=lambda i: events[i][2])
    alive = {}
    for e in events[:top + 1]:
        if e[1] > 0:
            alive[e[3]] = e
        else:
            alive.pop(e[3], None)
    print("peak at", events[top][4], f"bytes alive {sum(e[1] for e in alive.values())}, {sum(e[2] < 0 for e in events)} negative")
    for e in sorted(alive.values(), key=lambda e: -e[1])[:12]:
        print("  ", e[1], e[4][:3])


def keep(row):
    rows = []
    if os.path.exists(TABLE):
        with open(TABLE, encoding="utf-8") as f:
            rows = [r for r in csv.DictReader(f) if any(str(row[c]) != r[c] for c in COLUMNS[:3])]
    with open(TABLE, "w", newline="", encoding="utf-8") as f:
        w = csv.DictWriter(f, COLUMNS, lineterminator="\n")
        w.writeheader()
        w.writerows([*rows, row])


def measured():
    """(net, form) -> {batch: results}; what ran must be equal to what computed nothing."""
    with open(TABLE, encoding="utf-8") as f:
        found = {(r["net"], r["form"], int(r["batch"])): int(r["results"]) for r in csv.DictReader(f)}
    for (net, form, batch), n in found.items():
        other = {"ran": "eager", "compiled": "inductor"}.get(form)
        if other and found.get((net, other, batch), n) != n:
            sys.exit(f"inductor.csv: {net}: {form} and {other} need different bytes")
    return found


def good(rows):
    """What -O3 and -O3 of whole files may need, and how far eager's peak may be from that on a GPU."""
    found, kept = measured(), whole()
    shares = [int(r["O3"]) / found[r["net"], "inductor", 32] for r in rows]
    apart = [int(kept.get(r["net"], r)["O3"]) / found[r["net"], "inductor", 32] for r in rows]
    near = [found[r["net"], "eager", 32] / 1e6 / float(r["eager"]) for r in rows]
    return geomean(shares) <= 0.75 and geomean(apart) <= 0.75 and all(0.95 <= n <= 1.05 for n in near)


def whole():
    with open(os.path.join(HERE, "whole.csv"), encoding="utf-8") as f:
        return {r["net"]: r for r in csv.DictReader(f)}


def geomean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def table(head, rows, base):
    """Rows of a name and bytes: those behind column `base` have their part of it in brackets, and geometric means where no cell is empty."""
    text = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    for name, *cells in rows:
        said = ["" if not c else f"{c / 1e6:.0f}" if i < base else f"{c / 1e6:.0f} ({c / cells[base - 1]:.2f})" for i, c in enumerate(cells)]
        text.append(f"| {name} | {' | '.join(said)} |")
    if len(rows) > 2:
        shares = [[r[i] and r[i] / r[base] for r in rows] for i in range(base + 1, len(head))]
        text.append("| geometric mean |" + " |" * base + "".join(f" {geomean(s):.2f} |" if all(s) else " |" for s in shares))
    return text


def page(rows):
    """Sections of bench/EXPORTS.md, of the rows of arenas.csv."""
    found = measured()

    def of(net, form, batch=32):
        return found.get((net, form, batch))

    ours = {r["net"]: {c: int(r[c]) for c in PLANS if r[c]} for r in rows}
    kept = whole()
    text = ["## Training beside Inductor", "",
            "The same step by PyTorch 2.15 on a processor, eager and by torch.compile (`bench/exports/inductor.py`, of which the head says how it is",
            "counted; `inductor.csv`); in brackets parts of Inductor's peak. Peaks are those of results: room that one product, convolution or",
            "attention takes and gives back is left out, since it differs from library to library. Copies that tenure makes for the gradient of a convolution are",
            "in the arena. *whole*: of a file that was exported in training mode without optimisation (`whole.csv`), so that normalisations are apart from",
            "convolutions, as they are in PyTorch's step; where nothing is folded, it is `-O3`.", "",
            *table(["network", "eager", "inductor", "-O2", "-O3", "-O3, whole", "-O3, fused", "-O3, recompute 33 %", "whole, recompute 33 %"],
                   [(n, of(n, "eager"), of(n, "inductor"), o["O2"], o["O3"], int(kept.get(n, o)["O3"]), o.get("fused_O3"), o.get("recompute33"),
                     int(kept.get(n, o)["recompute33"])) for n, o in ours.items()], 2), "",
            "The two networks without normalisations, squeezenet1_1 and vgg19, have little to keep less of. What Inductor keeps and tenure does not are results of",
            "convolutions in front of a normalisation and of activations, which both could compute again."]
    nets = [n for n in ours if any(of(n, b) for b in BUDGETS)]
    if nets:
        text += ["", "Inductor recomputes, too, where `activation_memory_budget` is less than 1; in brackets parts of what it needs without.", "",
                 *table(["network", "inductor", "budget 0.5", "budget 0.25", "-O3", "-O3, recompute 33 %"],
                        [(n, of(n, "inductor"), *(of(n, b) for b in BUDGETS), ours[n]["O3"], ours[n]["recompute33"]) for n in nets], 1)]
    nets = [n for n in ours if of(n, "checkpoint")]
    if nets:
        text += ["", "torch.utils.checkpoint around each block of a network keeps the inputs of blocks alone; in brackets parts of eager's peak.", "",
                 *table(["network", "eager", "checkpoint", "-O3", "-O3, recompute 33 %"],
                        [(n, of(n, "eager"), of(n, "checkpoint"), ours[n]["O3"], ours[n]["recompute33"]) for n in nets], 1)]
    with open(os.path.join(HERE, "language.csv"), encoding="utf-8") as f:
        said = list(csv.DictReader(f))
    text += ["", "## Language models", "",
             "Training steps of four networks of `transformers` with random weights, 8 sequences of 512 positions (`bench/exports/language.py`, `language.csv`), counted",
             "likewise; in brackets parts of eager's peak. Scores of all words at all positions are 0.5 to 0.8 GB, of which PyTorch has three at its peak, and tenure an",
             "eighth at a time; they are no outputs of the step (`outputs=loss`). The file of T5 has attention in single ops, as the exporter fails on the fused one. Inductor",
             "was measured for one of them.", "",
             *table(["network", "eager", "inductor", "-O3", "-O3, fused", "-O3, recompute 33 %"],
                    [(r["net"], of(r["net"], "eager", 8), of(r["net"], "inductor", 8), *(int(r[c]) if r[c] else None for c in ("O3", "fused_O3", "recompute33")))
                     for r in said], 1)]
    return text


def main():
    import torch
    form, name, batch = sys.argv[1], sys.argv[2], int(sys.argv[3])
    runs = form in ("ran", "compiled")
    held = None if runs else still()
    torch.set_flush_denormal(True)
    began = time.time()
    net, inputs, loss = build(name, batch)
    if form == "checkpoint":
        checkpointed(net, BLOCKS[name])
    eager = form in ("eager", "ran", "checkpoint")
    events = peak(net, loss if eager else compiled(loss, form), inputs, 0 if eager else 1)
    row = {"net": name, "form": form, "batch": batch, "peak": max(e[2] for e in events), "results": of_results(events)}
    del held
    print(*row.values(), f"{time.time() - began:.0f} s", flush=True)
    if "-v" in sys.argv:
        show(events)
    if "--csv" in sys.argv:
        keep(row)


if __name__ == "__main__":
    main()
