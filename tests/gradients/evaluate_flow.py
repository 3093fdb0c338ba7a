"""Loop and Scan for evaluate.py: all forms, where the evaluator of the onnx package stacks rows another way, or takes axis 0
in order alone."""

import numpy as np
from onnx.reference.op_run import OpRun


class Bodied(OpRun):
    def need_context(self):
        return True

    def outputs(self, arguments, context):
        inputs = {**(context or {}), **dict(zip(self.body.input_names, arguments))}
        return self._run_body(inputs)


class Loop(Bodied):
    def _run(self, count, condition, *states, context=None, **_):
        goes_on, rows, i = condition is None or bool(condition), [], 0
        while goes_on and (count is None or i < count):
            got = self.outputs([np.array(i, np.int64), np.array(True), *states], context)
            goes_on, states = bool(got[0]), got[1 : len(states) + 1]
            rows.append(got[len(states) + 1 :])
            i += 1
        return (*states, *(np.stack(r) for r in zip(*rows)))


def listed(values, k):
    return values[k] if values is not None and k < len(values) else 0


class Scan(Bodied):
    def _run(self, *operands, context=None, num_scan_inputs=None, scan_input_axes=None, scan_input_directions=None,
             scan_output_axes=None, scan_output_directions=None, directions=None, **_):
        if self.run_params["opsets"][""] > 8:
            return self.scan(operands, context, num_scan_inputs, scan_input_axes, scan_input_directions, scan_output_axes,
                             scan_output_directions)
        entries = [self.scan(entry, context, num_scan_inputs, None, directions, None, None) for entry in zip(*operands[1:])]
        return tuple(np.stack(r) for r in zip(*entries))

    def scan(self, operands, context, n, axes, directions, out_axes, out_directions):
        states, scanned = operands[: len(operands) - n], operands[len(operands) - n :]
        moved = [np.moveaxis(x, listed(axes, k), 0) for k, x in enumerate(scanned)]
        moved = [x[::-1] if listed(directions, k) else x for k, x in enumerate(moved)]
        rows = []
        for parts in zip(*moved):
            got = self.outputs([*states, *parts], context)
            states = got[: len(states)]
            rows.append(got[len(states) :])
        stacks = [np.stack(r[::-1] if listed(out_directions, k) else r, listed(out_axes, k)) for k, r in enumerate(zip(*rows))]
        return (*states, *stacks)


OWN = [Loop, Scan]
