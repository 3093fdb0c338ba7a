"""`tenure check` and the simulator, each asked about one plan."""

import ctypes
import json
import os
import sys

from words import NotJudged
from plan import Plan
from simulate import judge

HERE = os.path.dirname(os.path.abspath(__file__))


class Checker:
    """The checker in the library, by the Python package; `library` is the path of libtenure."""

    def __init__(self, library):
        os.environ["TENURE_LIBRARY"] = library
        sys.path.insert(0, os.path.join(HERE, "..", "..", "bindings", "python"))
        import tenure
        from tenure._library import lib
        self.tenure, self.lib = tenure, lib

    def load(self, path, **given):
        """(context, model, options) for plans of one model."""
        context = self.tenure.Context()
        return context, self.tenure.load(path, context=context, **given), context.options("check", {})

    def messages(self, loaded, document):
        """What the checker says against a plan; nothing when it accepts it."""
        context, model, options = loaded
        data, out = json.dumps(document).encode(), ctypes.c_void_p()
        status, found = context.run(self.lib.tenure_plan_read, context._pointer, b"plan", data, len(data), ctypes.byref(out),
                                    beside=False)
        if status == 0:
            status, found = context.run(self.lib.tenure_plan_check, out, model._handle.pointer, options.pointer, beside=False)
        if out:
            self.lib.tenure_plan_free(out)
        return [d.text for d in found if d.severity == "error"] or ([f"status {status}"] if status else [])


def simulated(model, document):
    """None when the simulator finds nothing wrong, else what; NotJudged where it cannot."""
    try:
        wrong, _ = judge(model, Plan(document, document["programs"][0]["variants"][0]))
    except (TypeError, IndexError, KeyError) as error:
        return f"the plan names what is not there: {error!r}"
    return wrong


__all__ = ["Checker", "NotJudged", "simulated"]
