"""Inputs, outputs and state of an ONNX Runtime session in one block of memory, at the offsets of a plan of tenure: runs
allocate and copy none of them.

    session = onnxruntime.InferenceSession("net.onnx")
    bound = Bound(session, tenure.plan("net.onnx", update={"cache": "cache_next"}), state={"cache": "cache_next"})
    bound["x"][:] = pixels
    bound.run()
    print(bound["y"])

Everything between inputs and outputs stays the runtime's: it takes no offsets. Sizes have to be numbers (`dims=` of
`tenure.plan`), and the names are those of the model.
"""

import numpy
import tenure

DTYPES = {"f32": "f4", "f64": "f8", "f16": "f2", "i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8", "u8": "u1", "u16": "u2",
          "u32": "u4", "u64": "u8", "bool": "?"}


class Bound:
    """A session with its memory. Arrays are views of it: ``bound["x"]``. What stands in `state`, by input the output
    that is its next value, changes places with that after each run, so that nothing is copied and no kernel
    writes over what it reads."""

    def __init__(self, session, plan, state=()):
        self.session, self.state = session, dict(state)
        self.inputs = [i.name for i in session.get_inputs()]
        self.outputs = [o.name for o in session.get_outputs()]
        self._arrays, blocks = {}, {}
        for name in self.inputs + self.outputs:
            value = plan[name]
            if value.pool is None:
                raise ValueError(f"{name} has no place in the plan: {value.why or 'nothing reads it'}")
            if value.pool not in blocks:
                pool = next(p for p in plan.pools if p.name == value.pool)
                blocks[value.pool] = _aligned(pool.size, pool.align)
            apart = name in self.state.values()  # a plan with `update` may have both in one place
            memory = _aligned(value.size, 64) if apart else blocks[value.pool][value.offset:value.offset + value.size]
            self._arrays[name] = memory.view(DTYPES[value.dtype]).reshape(value.shape)
        self.bytes = sum(b.nbytes for b in blocks.values()) + sum(self._arrays[n].nbytes for n in self.state.values())
        self._binding = session.io_binding()
        for name in self._arrays:
            self._bind(name)

    def __getitem__(self, name):
        return self._arrays[name]

    def _bind(self, name):
        array = self._arrays[name]
        bind = self._binding.bind_input if name in self.inputs else self._binding.bind_output
        bind(name, "cpu", 0, array.dtype.type, array.shape, array.ctypes.data)

    def run(self):
        self.session.run_with_iobinding(self._binding)
        for old, new in self.state.items():
            self._arrays[old], self._arrays[new] = self._arrays[new], self._arrays[old]
            self._bind(old)
            self._bind(new)


def _aligned(size, align):
    block = numpy.zeros(size + align, "u1")
    start = -block.ctypes.data % align
    return block[start:start + size]
