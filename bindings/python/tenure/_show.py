"""How a plan shows itself in notebooks."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._plan import Plan

MOST_CHART = 200_000  # bytes of a picture that a notebook is to keep


def _bytes(n: int) -> str:
    for unit, size in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if n >= size:
            return f"{n / size:.1f} {unit}"
    return f"{n} B"


def _rows(plan: Plan) -> list[tuple[str, str]]:
    f = plan.figures
    rows = [(f"{pool.name} ({pool.kind})", f"{_bytes(pool.size)}, {pool.size:,} bytes") for pool in plan.pools]
    rows.append(("lower bound", f"{_bytes(f.bound)}" + (", reached: optimal" if f.optimal else "")))
    rows.append(("each value by itself", f"{_bytes(f.naive)}"))
    if 0 <= f.peak_step < len(plan.steps):
        step = plan.steps[f.peak_step]
        rows.append(("peak", f"step {f.peak_step}, {step.op} {step.name}, {len(f.peak)} storages alive"))
    if f.n_unplanned:
        rows.append(("without a place", f"{f.n_unplanned} values"))
    if plan.interrupted:
        rows.append(("interrupted", "the best plan found until then"))
    return rows


def _chart(plan: Plan) -> str:
    from .errors import TenureError

    try:
        chart = plan.emit("svg")
    except TenureError:  # partial plans have no artefacts
        return ""
    return chart.decode() if len(chart) <= MOST_CHART else "<p>The chart is too large for a notebook: see emit('html').</p>"


def page_of(plan: Plan) -> str:
    """Figures, the largest of what is alive at the peak, and the chart where it is not too large."""
    name = html.escape(plan.programs[0].name if plan.programs else "")
    rows = "".join(
        f"<tr><th style='text-align:left'>{html.escape(k)}</th><td style='text-align:left'>{html.escape(v)}</td></tr>"
        for k, v in _rows(plan)
    )
    peak = []
    for index in plan.figures.peak[:8]:
        storage = plan.storages[index]
        value = html.escape(plan.values[storage.root].name)
        peak.append(f"<tr><td style='text-align:left'>{value}</td><td>{_bytes(storage.size)}</td></tr>")
    table = f"<table><caption>largest at the peak</caption>{''.join(peak)}</table>" if peak else ""
    return f"<div><b>tenure plan of {name}</b><table>{rows}</table>{table}{_chart(plan)}</div>"
