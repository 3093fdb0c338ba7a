"""Networks that round, for nets.py: with straight-through gradients, what rounding adds is a constant."""

import autograd.numpy as np
from autograd.tracer import getval
from cases import positive, spaced
from nets_text import Net

STRAIGHT = "rounding=straight-through"


def rounded(x, how=np.round):
    value = getval(x)
    while hasattr(value, "_value"):
        value = getval(value)
    return x + (how(value) - value)


def cut(x, low, high):
    return np.where(x < low, low, np.where(x > high, high, x))


def quantised(x, scale, zero, low, high):
    """QuantizeLinear and DequantizeLinear."""
    return (cut(rounded(x / scale) + zero, low, high) - zero) * scale


def plain():
    """Round, Floor and Ceil."""
    text = """<ir_version: 10, opset_import: ["": 13]>
    net (double[3,4] x) => (double loss) <double[4,5] w, double[5] a, double[5] b> {
      y = MatMul(x, w)
      r = Round(y)
      s = Mul(r, a)
      f = Floor(s)
      z = Add(f, b)
      c = Ceil(z)
      q = Mul(c, z)
      loss = ReduceMean<keepdims = 0>(q)
    }"""

    def loss(p, f):
        s = rounded(f["x"] @ p["w"]) * p["a"]
        z = rounded(s, np.floor) + p["b"]
        return np.mean(rounded(z, np.ceil) * z)

    return Net("rounding", text, {"w": (4, 5), "a": (5,), "b": (5,)}, {"x": 3 * spaced(3, 4)}, loss, options=STRAIGHT)


def linear():
    """Floats that are quantised and scaled back: activations, weights by row of axis 0, and what is cut."""
    text = """<ir_version: 10, opset_import: ["": 13]>
    net (double[3,4] x) => (double loss) <double[5,4] w, double[5] s, int8[5] z = {0,3,-2,0,1}, double t = {0.03125}, uint8 u = {128},
     double[5] b> {
      xq = QuantizeLinear(x, t, u)
      xd = DequantizeLinear(xq, t, u)
      wq = QuantizeLinear<axis = 0>(w, s, z)
      wd = DequantizeLinear<axis = 0>(wq, s, z)
      y = Gemm<transB = 1>(xd, wd, b)
      q = Mul(y, y)
      loss = ReduceMean<keepdims = 0>(q)
    }"""

    def loss(p, f):
        zeros = np.array([0, 3, -2, 0, 1])[:, None]
        x = quantised(f["x"], 0.03125, 128, 0, 255)
        w = quantised(p["w"], p["s"][:, None] * 1.0, zeros, -128, 127)
        return np.mean((x @ w.T + p["b"]) ** 2)

    given = {"s": np.array([0.004, 0.0051, 0.00607, 0.02, 0.03])}  # the first rows are cut
    return Net("quantised", text, {"w": (5, 4), "b": (5,)}, {"x": 3 * spaced(3, 4)}, loss, options=STRAIGHT, checked=False, given=given)


def whole_weights():
    """Weights that are whole numbers, one of them with two readers that dequantise it."""
    w, b = np.array([[10, -128, 127, 3], [5, 6, -7, 8], [-1, 20, 100, -50]], np.int8), np.array([100, -2000, 30], np.int32)
    rows = np.array([0.01, 0.02, 0.005])[:, None]
    text = """<ir_version: 10, opset_import: ["": 13]>
    net (double[2,4] x) => (double loss)
     <int8[3,4] w = {10,-128,127,3, 5,6,-7,8, -1,20,100,-50}, double[3] s = {0.01,0.02,0.005}, int8[3] z = {0,0,2},
      int32[3] b = {100,-2000,30}, double t = {0.001}> {
      w1 = DequantizeLinear<axis = 0>(w, s, z)
      w2 = DequantizeLinear<axis = 0>(w, s, z)
      bd = DequantizeLinear(b, t)
      y = Gemm<transB = 1>(x, w1, bd)
      v = Gemm<transB = 1>(x, w2)
      q = Mul(y, v)
      loss = ReduceMean<keepdims = 0>(q)
    }"""

    def loss(p, f):
        own = p["w_float"]
        wd = quantised(own, rows, np.array([0, 0, 2])[:, None], -128, 127)
        return np.mean((f["x"] @ wd.T + rounded(p["b_float"] / 0.001) * 0.001) * (f["x"] @ wd.T))

    given = {"w_float": (w - np.array([[0], [0], [2]])) * rows, "b_float": b * 0.001}
    return Net("whole weights", text, {}, {"x": spaced(2, 4)}, loss, options=STRAIGHT + ",stop=s", checked=False, made=given)


def brevitas():
    """Quant, narrow and wide, signed and not, with scales that are learned, and each way of rounding."""
    text = """<ir_version: 10, opset_import: ["": 13, "onnx.brevitas": 1]>
    net (double[3,4] x) => (double loss)
     <double[4,5] w, double[1,5] s, double zero = {0.0}, double three = {3.0}, double four = {4.0}, double t = {0.11}, double one = {1.0}, double[5] a> {
      wq = onnx.brevitas.Quant<signed = 1, narrow = 1, rounding_mode = "ROUND">(w, s, zero, four)
      y = MatMul(x, wq)
      r = Relu(y)
      h = onnx.brevitas.Quant<signed = 0, narrow = 0, rounding_mode = "FLOOR">(r, t, one, three)
      aq = onnx.brevitas.Quant<signed = 1, narrow = 0, rounding_mode = "CEIL">(a, t, zero, four)
      q = Mul(h, aq)
      loss = ReduceMean<keepdims = 0>(q)
    }"""

    def quant(x, s, zero, low, high, how=np.round):
        return (rounded(cut(x / s + zero, low, high), how) - zero) * s

    def loss(p, f):
        y = f["x"] @ quant(p["w"], p["s"], 0, -7, 7)
        h = quant(np.where(y > 0, y, 0), 0.11, 1, 0, 7, np.floor)
        return np.mean(h * quant(p["a"], 0.11, 0, -8, 7, np.ceil))

    given = {"s": 0.05 * positive(1, 5)}
    return Net("brevitas", text, {"w": (4, 5), "a": (5,)}, {"x": spaced(3, 4)}, loss, options=STRAIGHT, checked=False, given=given)


def shifted():
    """RequantShift: scaled, shifted and cut to 16 levels."""
    text = """<ir_version: 10, opset_import: ["": 13, "PACTOps": 1]>
    net (double[3,4] x) => (double loss) <double[4,5] w, double[5] m, double[5] a, double[5] b> {
      y = MatMul(x, w)
      r = PACTOps.RequantShift<div = float {8.0}, n_levels = float {16.0}, signed = float {1.0}>(y, m, a)
      q = Mul(r, b)
      loss = ReduceMean<keepdims = 0>(q)
    }"""

    def loss(p, f):
        at = (f["x"] @ p["w"]) * p["m"] + p["a"]
        return np.mean(rounded(cut(at / 8, -8, 7), lambda x: np.floor(x + 0.5)) * p["b"])

    given = {"m": 20 * positive(5), "a": 10 * spaced(5)}
    return Net("shifted", text, {"w": (4, 5), "b": (5,)}, {"x": spaced(3, 4)}, loss, options=STRAIGHT, checked=False, given=given, size=1)


def all_nets():
    for net in (plain, linear, whole_weights, brevitas, shifted):
        yield net()
