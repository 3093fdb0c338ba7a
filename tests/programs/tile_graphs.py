"""Graphs at random whose ops can run in parts: images through windows, pools, pads, resizes, branches that meet again, quantised
groups; and rows of tokens through products, norms and attention."""

import random

from packages import np, onnx

helper, T = onnx.helper, onnx.TensorProto


class Graph:
    def __init__(self, seed):
        self.rng, self.data = random.Random(seed), np.random.default_rng(seed)
        self.nodes, self.constants, self.count = [], [], 0
        self.tokens = self.rng.random() < 0.25
        self.opset = self.rng.choice([9, 11, 13, 17]) if not self.tokens else 17
        self.extents = {}
        if self.tokens:
            shape = [self.rng.choice([1, 1, 2]), self.rng.randint(5, 17), self.rng.choice([4, 6, 8])]
        else:
            shape = [1, self.rng.randint(1, 4), self.rng.randint(9, 24), self.rng.randint(6, 20)]
        self.shape = shape
        self.ends = self.body("x", shape)

    # ---- nodes ----

    def new(self):
        self.count += 1
        return f"v{self.count}"

    def constant(self, array):
        name = f"c{len(self.constants)}"
        self.constants.append(onnx.numpy_helper.from_array(np.asarray(array), name))
        return name

    def weights(self, *shape):
        return self.constant((self.data.standard_normal(shape) / max(1, np.prod(shape[1:])) ** 0.5).astype(np.float32))

    def node(self, op, operands, shape, **attrs):
        y = self.new()
        self.nodes.append(helper.make_node(op, operands, [y], name=f"n{len(self.nodes)}" if self.rng.random() < 0.8 else "", **attrs))
        self.extents[y] = list(shape)
        return y, list(shape)

    # ---- images ----

    def window(self, shape):
        axes = shape[2:]
        kernel = [self.rng.choice([1, 2, 3, 3, 3, 5]) for _ in axes]
        dilation = [self.rng.choice([1, 1, 1, 2]) for _ in axes]
        reach = [(k - 1) * d + 1 for k, d in zip(kernel, dilation)]
        if any(r > e for r, e in zip(reach, axes)):
            kernel, dilation, reach = [1, 1], [1, 1], [1, 1]
        stride = [self.rng.choice([1, 1, 1, 2, 3]) for _ in axes]
        pads = [r // 2 for r in reach] * 2 if self.rng.random() < 0.6 else [self.rng.randint(0, k - 1) for k in kernel * 2]
        places = [(e + pads[i] + pads[i + 2] - reach[i]) // stride[i] + 1 for i, e in enumerate(axes)]
        return kernel, dilation, stride, pads, places

    def conv(self, x, shape):
        kernel, dilation, stride, pads, places = self.window(shape)
        groups = self.rng.choice([1, 1, shape[1]])
        filters = groups * self.rng.randint(1, 6 if groups == 1 else 2)
        w = self.weights(filters, shape[1] // groups, *kernel)
        more = [self.weights(filters)] if self.rng.random() < 0.5 else []
        if self.rng.random() < 0.15:
            mode = self.rng.choice(["SAME_UPPER", "SAME_LOWER"])
            places = [-(-e // s) for e, s in zip(shape[2:], stride)]
            dilation = [1, 1]
            return self.node("Conv", [x, w, *more], [1, filters, *places], group=groups, strides=stride, auto_pad=mode)
        return self.node("Conv", [x, w, *more], [1, filters, *places], group=groups, kernel_shape=kernel, dilations=dilation, strides=stride,
                         pads=pads)

    def pool(self, x, shape):
        kernel, _, stride, pads, places = self.window(shape)
        pads = [min(p, k - 1) for p, k in zip(pads, kernel * 2)]
        places = [(e + pads[i] + pads[i + 2] - kernel[i]) // stride[i] + 1 for i, e in enumerate(shape[2:])]
        op = self.rng.choice(["MaxPool", "AveragePool", "AveragePool", "LpPool"])
        more = {"count_include_pad": self.rng.randint(0, 1)} if op == "AveragePool" else {}
        if self.rng.random() < 0.3 and self.opset >= 11 and op != "LpPool" and not more.get("count_include_pad"):
            wide = [-(-(e + pads[i] + pads[i + 2] - kernel[i]) // stride[i]) + 1 for i, e in enumerate(shape[2:])]
            if all((n - 1) * s - p < e for n, s, p, e in zip(wide, stride, pads, shape[2:])):
                places, more["ceil_mode"] = wide, 1
        return self.node(op, [x], [1, shape[1], *places], kernel_shape=kernel, strides=stride, pads=pads, **more)

    def transposed(self, x, shape):
        kernel, stride = [self.rng.randint(1, 4) for _ in range(2)], [self.rng.randint(1, 3) for _ in range(2)]
        pads = [self.rng.randint(0, (k - 1) // 2) for k in kernel] * 2
        more = [self.rng.randint(0, s - 1) for s in stride]
        filters = self.rng.randint(1, 4)
        places = [(e - 1) * s + k - 2 * p + o for e, s, k, p, o in zip(shape[2:], stride, kernel, pads, more)]
        if min(places) < 1 or max(places) > 40:
            return x, shape
        return self.node("ConvTranspose", [x, self.weights(shape[1], filters, *kernel)], [1, filters, *places], kernel_shape=kernel, strides=stride,
                         pads=pads, output_padding=more)

    def resize(self, x, shape):
        scale, mode = self.rng.choice([2, 2, 3]), self.rng.choice(["nearest", "linear"])
        if max(shape[2:]) * scale > 40:
            return x, shape
        places = [1, shape[1], shape[2] * scale, shape[3] * scale]
        if self.opset < 10:
            return self.node("Upsample", [x, self.constant(np.array([1, 1, scale, scale], np.float32))], places, mode=mode)
        how = self.rng.choice(["half_pixel", "asymmetric"])
        more = {"nearest_mode": "floor" if how == "asymmetric" else "round_prefer_floor"} if mode == "nearest" else {}
        by = ["", self.constant(np.array([1, 1, scale, scale], np.float32))]
        if self.rng.random() < 0.4:
            by = ["", "", self.constant(np.array(places, np.int64))]
        by[0] = self.constant(np.zeros(0, np.float32)) if self.opset < 13 else ""
        if self.opset < 13 and len(by) == 3:
            by[1] = self.constant(np.zeros(0, np.float32))
        return self.node("Resize", [x, *by], places, mode=mode, coordinate_transformation_mode=how, **more)

    def pad(self, x, shape):
        pads = [0, 0, self.rng.randint(0, 3), self.rng.randint(0, 2), 0, 0, self.rng.randint(0, 3), self.rng.randint(0, 2)]
        places = [e + pads[i] + pads[i + 4] for i, e in enumerate(shape)]
        if self.opset < 11:
            return self.node("Pad", [x], places, pads=pads)
        return self.node("Pad", [x, self.constant(np.array(pads, np.int64))], places)

    def element(self, x, shape):
        op = self.rng.choice(["Relu", "Relu", "Sigmoid", "Tanh", "Neg", "Add", "Mul", "BatchNormalization", "PRelu"])
        if op in ("Add", "Mul"):
            extents = self.rng.choice([[1], [shape[1], 1, 1], [1, shape[1], 1, 1], [1, 1, *shape[2:]], [1, 1, shape[2], 1]])
            return self.node(op, [x, self.weights(*extents)], shape)
        if op == "PRelu":
            return self.node(op, [x, self.weights(shape[1], 1, 1)], shape)
        if op == "BatchNormalization":
            spread = self.constant(np.abs(self.data.standard_normal(shape[1])).astype(np.float32) + 0.5)
            return self.node(op, [x, *(self.weights(shape[1]) for _ in range(3)), spread], shape)
        return self.node(op, [x], shape)

    def branches(self, x, shape):
        """Two ways from x that meet again, along channels or in a sum."""
        a, b = self.chain(x, shape, self.rng.randint(1, 3)), self.chain(x, shape, self.rng.randint(0, 2))
        if a[1][2:] != b[1][2:]:
            kernel, w = [3, 3], self.weights(shape[1], shape[1], 3, 3)
            a = self.node("Conv", [x, w], shape, kernel_shape=kernel, pads=[1, 1, 1, 1])
            b = x, shape
        if a[1][1] == b[1][1] and self.rng.random() < 0.6:
            return self.node("Add", [a[0], b[0]], a[1])
        return self.node("Concat", [a[0], b[0]], [1, a[1][1] + b[1][1], *a[1][2:]], axis=1)

    def quantised(self, x, shape):
        if self.opset < 10:
            return x, shape
        scale, zero = self.constant(np.float32(0.05)), self.constant(np.uint8(120))
        q, _ = self.node("QuantizeLinear", [x, scale, zero], shape)
        if self.rng.random() < 0.5:
            kernel, dilation, stride, pads, places = self.window(shape)
            filters = self.rng.randint(1, 5)
            w = self.constant(self.data.integers(-40, 40, [filters, shape[1], *kernel]).astype(np.int8))
            q, shape = self.node("QLinearConv", [q, scale, zero, w, self.constant(np.float32(0.02)), self.constant(np.int8(0)), scale, zero],
                                 [1, filters, *places], kernel_shape=kernel, dilations=dilation, strides=stride, pads=pads)
        return self.node("DequantizeLinear", [q, scale, zero], shape)

    def chain(self, x, shape, length):
        kinds = [self.conv] * 5 + [self.element] * 4 + [self.pool] * 2 + [self.transposed, self.resize, self.pad, self.quantised]
        for _ in range(length):
            x, shape = self.rng.choice(kinds)(x, shape)
        return x, shape

    # ---- tokens ----

    def rows(self, x, shape, length):
        for _ in range(length):
            kind = self.rng.randint(0, 4)
            if kind == 0:
                n = self.rng.randint(2, 12)
                x, shape = self.node("MatMul", [x, self.weights(shape[2], n)], [*shape[:2], n])
            elif kind == 1:
                x, shape = self.node("LayerNormalization", [x, self.weights(shape[2]), self.weights(shape[2])], shape)
            elif kind == 2:
                x, shape = self.node("Softmax", [x], shape, axis=-1)
            elif kind == 3:
                x, shape = self.node("Add", [x, self.weights(*self.rng.choice([[shape[2]], [1, *shape[1:]]]))], shape)
            else:
                y, s = self.node("Relu", [x], shape)
                x, shape = self.node("Add", [x, y], s)
        return x, shape

    def attention(self, x, shape):
        heads = 2 if shape[2] % 2 == 0 else 1
        b, s, d = shape
        split, turn = [b, s, heads, d // heads], [b, heads, s, d // heads]
        parts = []
        for k in range(3):
            y, _ = self.node("MatMul", [x, self.weights(d, d)], shape)
            y, _ = self.node("Reshape", [y, self.constant(np.array([b, -1, heads, d // heads], np.int64))], split)
            perm = [0, 2, 3, 1] if k == 1 else [0, 2, 1, 3]
            parts.append(self.node("Transpose", [y], [b, heads, d // heads, s] if k == 1 else turn, perm=perm)[0])
        p, _ = self.node("MatMul", parts[:2], [b, heads, s, s])
        p, _ = self.node("Softmax", [p], [b, heads, s, s], axis=-1)
        y, _ = self.node("MatMul", [p, parts[2]], turn)
        y, _ = self.node("Transpose", [y], split, perm=[0, 2, 1, 3])
        return self.node("Reshape", [y, self.constant(np.array([b, -1, d], np.int64))], shape)

    # ---- the graph ----

    def body(self, x, shape):
        ends = []
        for _ in range(self.rng.randint(1, 3)):
            if self.tokens:
                x, shape = self.rows(x, shape, self.rng.randint(1, 4))
                if self.rng.random() < 0.5:
                    x, shape = self.attention(x, shape)
            else:
                x, shape = self.chain(x, shape, self.rng.randint(2, 5))
                if self.rng.random() < 0.5:
                    x, shape = self.branches(x, shape)
            if self.rng.random() < 0.2 and x != "x":
                ends.append(x)
        if x == "x":
            x, shape = self.node("Relu", [x], shape)
        y, shape = self.node("Neg", [x], shape)
        return [*dict.fromkeys([*ends, y])]

    def model(self):
        inputs = [helper.make_tensor_value_info("x", T.FLOAT, self.shape)]
        outputs = [helper.make_tensor_value_info(e, T.FLOAT, self.extents[e]) for e in self.ends]
        graph = helper.make_graph(self.nodes, "made", inputs, outputs, self.constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=8)

    def stretch(self):
        """Ops and parts to ask for, which need not be possible."""
        n = len(self.nodes)
        first = self.rng.randint(0, n - 2)
        last = self.rng.randint(first + 1, n - 1)
        shape = self.extents[self.nodes[last].output[0]]
        axis = self.rng.choice([2, 2, 2, 3, 0, 1]) if len(shape) == 4 else self.rng.choice([1, 1, 0, 2])
        axis = min(axis, len(shape) - 1)
        text = f"{first}-{last}:{axis}/{self.rng.randint(2, max(2, min(shape[axis], 7)))}"
        if len(shape) == 4 and axis == 2 and self.rng.random() < 0.4:
            text += f"+3/{self.rng.randint(2, 4)}"
        text += "u" if self.opset >= 11 and self.rng.random() < 0.4 else ""
        return text + ("k" if "+" not in text and self.rng.random() < 0.5 else "")
