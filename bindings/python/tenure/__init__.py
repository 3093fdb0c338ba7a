"""Static memory plans for ONNX graphs: where each tensor lies, and when its bytes may be taken by another.

::

    import tenure
    plan = tenure.plan("net.onnx", dims={"batch": 1})
    print(plan.arena_size, plan.lower_bound, plan.optimal)
    for step in plan.steps:
        print(step.op, [plan.values[v].offset for v in step.results])
    plan.emit("c-header", "net.h")

Making plans: `plan`, `plan_files`, `fit`, `load`, `read_plan`. Reading them: `Plan`, `Variant`, and the classes of `tenure.parts`.
Models: `Model`, `new_model`, and the classes of `tenure.graph`. Asking: `explain`, `advice`, `dims`, `options`, `backends`,
`passes`, `pipelines`, `presets`. Beyond: `pack`, `register_pass`, `tenure.onnx_ir`. What goes wrong is a `TenureError`
with the messages of the library. It is the C library behind `tenure.h` (docs/API.md) and needs no other package."""

from . import graph, parts
from ._library import lib as _lib
from ._context import Context
from .errors import (
    CapacityError, Diagnostic, InternalError, InterruptedPlanning, ModelError, OutOfMemoryError, TenureError, UsageError,
)
from .graph import Graph, Op
from ._fitting import Fit, Rung
from ._listing import Entry, Option, backends, options, passes, pipelines, presets
from ._model import Model, ModelLike, advice, dims, explain, fit, load, new_model, plan, plan_files, read_plan
from ._packing import Packed, pack
from ._passes import Run, register_pass
from ._plan import Plan, Program, Variant

__version__: str = _lib.tenure_version_text().decode()

__all__ = [
    "CapacityError", "Context", "Diagnostic", "Entry", "Fit", "Graph", "InternalError", "InterruptedPlanning", "Model",
    "ModelError", "ModelLike", "Op", "Option", "OutOfMemoryError", "Packed", "Plan", "Program", "Run", "Rung", "TenureError",
    "UsageError", "Variant", "advice", "backends", "dims", "explain", "fit", "graph", "load", "new_model", "options", "pack", "parts",
    "passes", "pipelines", "plan", "plan_files", "presets", "read_plan", "register_pass",
]
