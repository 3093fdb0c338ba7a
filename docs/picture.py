#!/usr/bin/env python3
"""Draws a plan: steps on x, addresses on y, one rectangle a storage. Usage: picture.py plan.json > plan.svg"""

import html
import json
import sys

WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 860, 300, 70, 40, 40
COLOURS = ("#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#76b7b2", "#edc948", "#b07aa1", "#9c755f")


def human(n):
    for unit in ("B", "KiB", "MiB", "GiB"):
        if n < 1024 or unit == "GiB":
            return f"{n:.0f} {unit}" if n == int(n) else f"{n:.1f} {unit}"
        n /= 1024


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        plan = json.load(f)
    pool = next(i for i, p in enumerate(plan["pools"]) if p["kind"] == "arena")
    size, steps = plan["pools"][pool]["size"], len(plan["steps"])
    x = lambda step: LEFT + (WIDTH - LEFT - 10) * step / steps
    y = lambda byte: TOP + HEIGHT * (1 - byte / size)
    report, out = plan["report"], []
    title = (f"{plan['model']['name']}: {human(report['naive'])} without reuse, "
             f"{human(report['level0'])} at level 0, {human(size)} as planned, "
             f"lower bound {human(report['bound'])}")
    out.append(f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{TOP + HEIGHT + BOTTOM}" '
               'font-family="sans-serif" font-size="12">')
    out.append(f'<rect width="{WIDTH}" height="{TOP + HEIGHT + BOTTOM}" fill="white"/>')
    out.append(f'<text x="{LEFT}" y="22" font-size="14">{html.escape(title)}</text>')
    for i, s in enumerate(s for s in plan["storages"] if s["pool"] == pool and s["size"] > 0):
        name = plan["values"][s["root"]]["name"]
        first, last = max(s["first"], 0), min(s["last"], steps - 1) + 1
        high, low = y(s["offset"] + s["size"]), y(s["offset"])
        out.append(f'<rect x="{x(first):.1f}" y="{high:.1f}" width="{x(last) - x(first):.1f}" '
                   f'height="{low - high:.1f}" fill="{COLOURS[i % len(COLOURS)]}" fill-opacity="0.8" '
                   f'stroke="white" stroke-width="0.6"><title>{html.escape(name)}: {s["size"]} bytes at '
                   f'{s["offset"]}, steps {s["first"]} to {s["last"]}</title></rect>')
    out.append(f'<line x1="{LEFT}" y1="{y(report["bound"]):.1f}" x2="{WIDTH - 10}" y2="{y(report["bound"]):.1f}" '
               'stroke="black" stroke-dasharray="5 4"/>')
    for part in (0, 0.5, 1):
        out.append(f'<text x="{LEFT - 6}" y="{y(size * part) + 4:.1f}" text-anchor="end">{human(size * part)}</text>')
    for step in range(0, steps, max(1, steps // 10)):
        out.append(f'<text x="{x(step):.1f}" y="{TOP + HEIGHT + 18}">{step}</text>')
    out.append(f'<text x="{WIDTH / 2}" y="{TOP + HEIGHT + 34}" text-anchor="middle">step</text></svg>')
    print("\n".join(out))


if __name__ == "__main__":
    main()
