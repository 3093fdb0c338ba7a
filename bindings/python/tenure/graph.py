"""Graphs: read ones that were loaded, build new ones, change either."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from . import _abi
from ._library import NONE, WORDS, lib, raw, sized, text
from .errors import ModelError, error_of
from ._plan import attribute_of, tensor_of

if TYPE_CHECKING:
    from ._model import Model
    from .parts import Attribute, Tensor

_FLAGS = {name.removeprefix("TENURE_VALUE_").lower(): getattr(_abi, name) for name in (
    "TENURE_VALUE_OUTPUT", "TENURE_VALUE_DEFAULT", "TENURE_VALUE_PINNED", "TENURE_VALUE_EXCLUDED", "TENURE_VALUE_LOSS",
    "TENURE_VALUE_PARAM", "TENURE_VALUE_STATE", "TENURE_VALUE_BACKWARD", "TENURE_VALUE_PARAM_GRAD")}
#: numpy's names of element types that have bytes of their own.
_NUMPY = {"f32": "<f4", "f64": "<f8", "f16": "<f2", "i8": "i1", "i16": "<i2", "i32": "<i4", "i64": "<i8", "u8": "u1",
          "u16": "<u2", "u32": "<u4", "u64": "<u8", "bool": "?", "c64": "<c8", "c128": "<c16"}


class _Part:
    """A handle into a model, which it keeps alive. Two of the same thing are equal."""

    def __init__(self, model: Model, pointer: int):
        self.model, self._pointer = model, pointer

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other._pointer == self._pointer

    def __hash__(self) -> int:
        return hash(self._pointer)

    def _check(self, function: Any, *args: Any) -> None:
        self.model._context.check(function, *args, beside=False)

    def _made(self, function: Any, *args: Any) -> int:
        pointer, found = self.model._context.run(function, *args, beside=False)
        if not pointer:
            raise error_of(lib.tenure_last_status(self.model._context._pointer), found)
        return pointer


def _handles(parts: Sequence[_Part | None]) -> Any:
    return (ctypes.c_void_p * max(len(parts), 1))(*(None if p is None else p._pointer for p in parts))


def graphs_of(model: Model) -> list[Graph]:
    """All graphs of a model."""
    found: list[Graph] = []
    while pointer := lib.tenure_model_graph(model._handle.pointer, len(found)):
        found.append(Graph(model, pointer))
    return found


class Value(_Part):
    """A tensor of a graph: an input, a constant, or a result of an op."""

    @property
    def name(self) -> str:
        """Its name, which is unique in its graph. May be set."""
        return text(lib.tenure_value_name(self._pointer)) or ""

    @name.setter
    def name(self, name: str) -> None:
        self._check(lib.tenure_value_rename, self._pointer, raw(name))

    @property
    def kind(self) -> str:
        """ "input", "constant" or "result"."""
        return WORDS["tenure_value_kind"][lib.tenure_value_get_kind(self._pointer)]

    @property
    def type(self) -> str | None:
        """Its type as text: "f32[2,n]", "f32[]" for a scalar, "f32[*]" of unknown rank, "?" (docs/IR.md). May be set;
        None forgets what is known."""
        return text(lib.tenure_value_type(self._pointer))

    @type.setter
    def type(self, type: str | None) -> None:
        self._check(lib.tenure_value_set_type, self._pointer, None if type is None else raw(type))

    @property
    def dtype(self) -> str:
        """The element type: "f32", "i64", ..., "?"."""
        return text(lib.tenure_dtype_name(lib.tenure_value_dtype(self._pointer))) or "?"

    @property
    def shape(self) -> tuple[int | str, ...] | None:
        """Extents as numbers, or as expressions where they are open ("2*n + 1", "?"); None where the rank is unknown."""
        rank = lib.tenure_value_rank(self._pointer)
        if rank < 0:
            return None
        extents = [lib.tenure_value_extent(self._pointer, k) for k in range(rank)]
        return tuple(n if n >= 0 else text(lib.tenure_value_dim(self._pointer, k)) or "?" for k, n in enumerate(extents))

    @property
    def producer(self) -> Op | None:
        """The op that makes it; None for inputs and constants."""
        op = lib.tenure_value_producer(self._pointer, None)
        return Op(self.model, op) if op else None

    @property
    def uses(self) -> list[tuple[Op, int]]:
        """The ops that read it, and as which operand."""
        at, found = ctypes.c_size_t(), []
        for i in range(lib.tenure_value_use_count(self._pointer)):
            op = lib.tenure_value_use(self._pointer, i, ctypes.byref(at))
            found.append((Op(self.model, op), at.value))
        return found

    @property
    def graph(self) -> Graph:
        """The graph that it belongs to."""
        return Graph(self.model, lib.tenure_value_graph(self._pointer))

    @property
    def flags(self) -> frozenset[str]:
        """Of "output", "default", "pinned", "excluded", "loss", "param", "state", "backward", "param_grad"."""
        bits = lib.tenure_value_flags(self._pointer)
        return frozenset(name for name, bit in _FLAGS.items() if bits & bit)

    def mark(self, **flags: bool) -> None:
        """Sets or clears flags: ``value.mark(excluded=True)``. `excluded`, `loss`, `param`, and `state` of inputs and
        constants; the others are worked out."""
        unknown = [name for name in flags if name not in _FLAGS]
        if unknown:
            raise ModelError(f"error: no flag '{unknown[0]}'; there are {', '.join(_FLAGS)}")
        bits = [sum(_FLAGS[name] for name, on in flags.items() if on is want) for want in (True, False)]
        self._check(lib.tenure_value_set_flags, self._pointer, *bits)

    @property
    def tensor(self) -> Tensor | None:
        """The data of a constant, of an input's default, of the result of a Constant op: type, and elements where
        they are few; `bytes` has all."""
        out = sized(_abi.tenure_tensor)
        return tensor_of(out) if lib.tenure_value_tensor(self._pointer, ctypes.byref(out)) else None

    @property
    def bytes(self) -> bytes:
        """Its data, little-endian. ``numpy.asarray(value)`` has them as an array."""
        return self.model._context.buffer(lib.tenure_value_bytes, self._pointer)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        import numpy

        tensor = self.tensor
        if tensor is None or tensor.dtype not in _NUMPY:
            raise TypeError(f"'{self.name}' has no data that numpy has a type for")
        found = numpy.frombuffer(self.bytes, dtype=_NUMPY[tensor.dtype]).reshape(tensor.shape)
        return found if dtype is None else found.astype(dtype)

    def replace_by(self, other: Value) -> None:
        """All who read this one, outputs too, read the other from now on."""
        self._check(lib.tenure_value_replace, self._pointer, other._pointer)

    def __repr__(self) -> str:
        return f"<tenure.graph.Value {self.name!r} {self.type}>"


class Attributes:
    """The attributes of an op, as a mapping: ``op.attributes["axis"] = 1``. Numbers, texts (or bytes), lists of them,
    and arrays of numpy as tensors; nested graphs are `Op.bodies`."""

    def __init__(self, op: Op):
        self._op = op

    def _listed(self) -> Iterator[Any]:
        out, at = sized(_abi.tenure_attribute), 0
        while lib.tenure_op_attribute(self._op._pointer, at, ctypes.byref(out)):
            yield out
            at += 1

    def __iter__(self) -> Iterator[str]:
        return iter([text(a.name) or "" for a in self._listed()])

    def __len__(self) -> int:
        return len(list(iter(self)))

    def get(self, name: str, default: Any = None) -> Any:
        """The value of an attribute, or the default where the op has none of that name."""
        out = sized(_abi.tenure_attribute)
        if not lib.tenure_op_find_attribute(self._op._pointer, raw(name), ctypes.byref(out)):
            return default
        return attribute_of(out)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in list(iter(self))

    def __getitem__(self, name: str) -> Attribute:
        if name not in self:
            raise KeyError(name)
        found: Attribute = self.get(name)
        return found

    def items(self) -> list[tuple[str, Attribute]]:
        """Names and values."""
        return [(text(a.name) or "", attribute_of(a)) for a in self._listed()]

    def __setitem__(self, name: str, value: Any) -> None:
        op, key, check = self._op._pointer, raw(name), self._op._check
        if isinstance(value, (bool, int)):
            check(lib.tenure_op_set_int, op, key, int(value))
        elif isinstance(value, float):
            check(lib.tenure_op_set_float, op, key, value)
        elif isinstance(value, (str, bytes)):
            word = raw(value)
            check(lib.tenure_op_set_string, op, key, word, len(word))
        elif isinstance(value, (list, tuple)):
            self._set_list(key, list(value))
        else:
            tensor, data = _tensor(value)
            check(lib.tenure_op_set_tensor, op, key, ctypes.byref(tensor), data, _abi.TENURE_DATA_COPY)

    def _set_list(self, key: bytes, values: list[Any]) -> None:
        op, check = self._op._pointer, self._op._check
        if all(isinstance(v, int) for v in values):
            check(lib.tenure_op_set_ints, op, key, (ctypes.c_int64 * len(values))(*values), len(values))
        elif all(isinstance(v, (int, float)) for v in values):
            check(lib.tenure_op_set_floats, op, key, (ctypes.c_double * len(values))(*values), len(values))
        else:
            check(lib.tenure_op_set_strings, op, key, (ctypes.c_char_p * len(values))(*map(raw, values)), len(values))

    def __delitem__(self, name: str) -> None:
        self._op._check(lib.tenure_op_remove_attribute, self._op._pointer, raw(name))

    def __repr__(self) -> str:
        return repr(dict(self.items()))


def _tensor(array: Any) -> tuple[Any, Any]:
    """An array of numpy as a tensor and its bytes."""
    import numpy

    array = numpy.ascontiguousarray(array).reshape(numpy.shape(array))
    array = array.astype(array.dtype.newbyteorder("<"), copy=False)
    names = {numpy.dtype(kind): name for name, kind in _NUMPY.items()}
    return _described(names.get(array.dtype) or str(array.dtype), array.shape, array.tobytes())


def _described(dtype: str, shape: Sequence[int], data: bytes | None) -> tuple[Any, Any]:
    tensor = sized(_abi.tenure_tensor)
    tensor.dtype = lib.tenure_dtype_find(raw(dtype))
    if tensor.dtype == _abi.TENURE_UNKNOWN:
        raise ModelError(f"error: '{dtype}' is no element type; they are called f32, i64, bool, ...")
    tensor.rank, tensor.dims = len(shape), (ctypes.c_int64 * max(len(shape), 1))(*shape)
    tensor.size = len(data) if data is not None else 0
    return tensor, data


class Op(_Part):
    """A node of a graph."""

    @property
    def type(self) -> str:
        """What it does: "Conv"."""
        return text(lib.tenure_op_type(self._pointer)) or ""

    @property
    def domain(self) -> str:
        """Whose op it is; "" for ONNX's own."""
        return text(lib.tenure_op_domain(self._pointer)) or ""

    @property
    def name(self) -> str:
        """Its name, which may be empty."""
        return text(lib.tenure_op_name(self._pointer)) or ""

    @property
    def version(self) -> int:
        """Of the operator set; 0 when the model imports none."""
        return lib.tenure_op_version(self._pointer)

    @property
    def graph(self) -> Graph:
        """The graph that it stands in."""
        return Graph(self.model, lib.tenure_op_graph(self._pointer))

    @property
    def operands(self) -> list[Value | None]:
        """What it reads, by position; None where one is left out."""
        found = (lib.tenure_op_operand(self._pointer, i) for i in range(lib.tenure_op_operand_count(self._pointer)))
        return [Value(self.model, v) if v else None for v in found]

    @property
    def results(self) -> list[Value | None]:
        """What it makes, by position; None where one is left out."""
        found = (lib.tenure_op_result(self._pointer, i) for i in range(lib.tenure_op_result_count(self._pointer)))
        return [Value(self.model, v) if v else None for v in found]

    @property
    def result(self) -> Value:
        """Its first result."""
        first = self.results[0]
        if first is None:
            raise ModelError(f"error: the first result of '{self.name}' is left out")
        return first

    @property
    def attributes(self) -> Attributes:
        """Its attributes, to be read and set."""
        return Attributes(self)

    @property
    def bodies(self) -> dict[str, Graph]:
        """Nested graphs, by the attribute that holds each; "" for the body of a called function."""
        found: dict[str, Graph] = {}
        while graph := lib.tenure_op_body(self._pointer, len(found)):
            found[text(lib.tenure_op_body_attribute(self._pointer, len(found))) or ""] = Graph(self.model, graph)
        return found

    @property
    def removed(self) -> bool:
        """Whether it has been taken out; it is refused everywhere then."""
        return bool(lib.tenure_op_is_removed(self._pointer))

    def add_result(self, name: str = "", type: str | None = None) -> Value:
        """Another result. Without a type it is inferred, where tenure knows the op."""
        made = self._made(lib.tenure_op_add_result, self._pointer, raw(name), None if type is None else raw(type))
        return Value(self.model, made)

    def skip_result(self) -> None:
        """An optional result that is left out."""
        self._check(lib.tenure_op_skip_result, self._pointer)

    def add_operand(self, value: Value | None) -> None:
        """Another operand; None leaves an optional one out."""
        self._check(lib.tenure_op_add_operand, self._pointer, value._pointer if value is not None else None)

    def set_operand(self, index: int, value: Value | None) -> None:
        """Another value in place of an operand."""
        self._check(lib.tenure_op_set_operand, self._pointer, index, value._pointer if value is not None else None)

    def add_body(self, attribute: str, name: str) -> Graph:
        """A new nested graph, which the attribute holds ("then_branch", "body"); "" for the body of a called function.
        It sees the values of the graphs around it."""
        return Graph(self.model, self._made(lib.tenure_op_add_body, self._pointer, raw(attribute), raw(name)))

    def copy_attributes(self, other: Op) -> None:
        """Sets all attributes that another op of the model has, but for those that hold graphs."""
        self._check(lib.tenure_op_copy_attributes, self._pointer, other._pointer)

    def move_before(self, other: Op | None) -> None:
        """Puts it in front of another op of its graph; at the end for None."""
        self._check(lib.tenure_op_move, self._pointer, other._pointer if other is not None else None)

    def remove(self) -> None:
        """Takes it out, with its bodies. Nobody may read its results: `Value.replace_by` sees to that."""
        self._check(lib.tenure_op_remove, self._pointer)

    def __repr__(self) -> str:
        return f"<tenure.graph.Op {self.type} {self.name!r}>"


class Graph(_Part):
    """Ops in an order of execution, and the values that they read and make. Iterating gives the ops.

    ::

        model = tenure.new_model("net", opsets={"": 17})
        g = model.graph
        x = g.add_input("x", "f32[1,64]")
        y = g.add_op("Relu", x)
        g.add_output(y)
        print(tenure.plan(model).arena_size)"""

    @property
    def name(self) -> str:
        """Its name."""
        return text(lib.tenure_graph_name(self._pointer)) or ""

    @property
    def path(self) -> str:
        """ "" for the main graph, "op/name" for one nested in an op of it."""
        return text(lib.tenure_graph_path(self._pointer)) or ""

    @property
    def owner(self) -> Op | None:
        """The op that it is nested in; None for the main graph."""
        op = lib.tenure_graph_owner(self._pointer)
        return Op(self.model, op) if op else None

    def _values(self, function: Any) -> list[Value]:
        found: list[Value] = []
        while value := function(self._pointer, len(found)):
            found.append(Value(self.model, value))
        return found

    @property
    def inputs(self) -> list[Value]:
        """Its inputs: of a run, or the arguments of a body."""
        return self._values(lib.tenure_graph_input)

    @property
    def constants(self) -> list[Value]:
        """Its constants (initializers)."""
        return self._values(lib.tenure_graph_constant)

    @property
    def outputs(self) -> list[Value]:
        """Its outputs. May be set."""
        return self._values(lib.tenure_graph_output)

    @outputs.setter
    def outputs(self, values: Sequence[Value]) -> None:
        self._check(lib.tenure_graph_set_outputs, self._pointer, _handles(values), len(values))

    @property
    def ops(self) -> list[Op]:
        """Its ops, in their order."""
        return list(self)

    def __iter__(self) -> Iterator[Op]:
        op = lib.tenure_graph_first(self._pointer)
        while op:
            after = lib.tenure_op_next(op)  # the one at hand may be removed
            yield Op(self.model, op)
            op = after

    def __len__(self) -> int:
        return lib.tenure_graph_op_count(self._pointer)

    def find(self, name: str) -> Value | None:
        """The value of that name which the graph sees: its own, then one of the graphs around it."""
        value = lib.tenure_graph_find(self._pointer, raw(name))
        return Value(self.model, value) if value else None

    def add_input(self, name: str, type: str) -> Value:
        """An input of that type: ``"f32[batch,64]"``."""
        return Value(self.model, self._made(lib.tenure_graph_add_input, self._pointer, raw(name), raw(type)))

    def add_constant(self, name: str, data: Any = None, *, dtype: str | None = None,
                     shape: Sequence[int] | None = None) -> Value:
        """A constant: an array of numpy, or bytes (little-endian) with `dtype` ("f32") and `shape`. Without data only
        its place is planned."""
        if data is None or isinstance(data, (bytes, bytearray, memoryview)):
            if dtype is None or shape is None:
                raise ModelError(f"error: constant '{name}' needs dtype and shape")
            tensor, data = _described(dtype, shape, None if data is None else bytes(data))
        else:
            tensor, data = _tensor(data)
        made = self._made(
            lib.tenure_graph_add_constant, self._pointer, raw(name), ctypes.byref(tensor), data, _abi.TENURE_DATA_COPY
        )
        return Value(self.model, made)

    def append(self, type: str, operands: Iterable[Value | None] = (), *, domain: str = "", name: str = "",
               attributes: dict[str, Any] | None = None) -> Op:
        """An op at the end, without results as yet: `Op.add_result` adds them."""
        listed = list(operands)
        made = self._made(
            lib.tenure_graph_add_op, self._pointer, raw(domain), raw(type), raw(name), _handles(listed), len(listed)
        )
        op = Op(self.model, made)
        for key, value in (attributes or {}).items():
            op.attributes[key] = value
        return op

    def add_op(self, type: str, *operands: Value | None, domain: str = "", name: str = "", result: str = "",
               result_type: str | None = None, **attributes: Any) -> Value:
        """An op of one result at the end, which is returned: ``g.add_op("Softmax", x, axis=-1)``. Operands stand by
        position, None where an optional one is left out; keywords are attributes. `append` is for other ops."""
        op = self.append(type, operands, domain=domain, name=name, attributes=attributes)
        return op.add_result(result, result_type)

    def add_output(self, value: Value) -> None:
        """One more output: a value of this graph, or one that it sees."""
        self._check(lib.tenure_graph_add_output, self._pointer, value._pointer)

    def __repr__(self) -> str:
        return f"<tenure.graph.Graph {self.path or self.name!r} of {len(self)} ops>"
