"""Nodes at random that go over rows, groups and windows as a whole, for made_kernels.py."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "operators"))

from packages import np


class Rows:
    def dims(self, least, most, high=6):
        return [self.int(1, high) for _ in range(self.int(least, most))]

    def arg(self):
        x = self.typed(*self.dims(1, 4), types=(np.float32, np.float32, np.float64, np.int32, np.int64, np.int8))
        x = np.round(x / 9).astype(x.dtype) if self.int(0, 1) else x  # several are the largest
        rank = x.ndim
        self.node(self.pick("ArgMax", "ArgMin"), [self.input(x)], axis=self.int(-rank, rank - 1), keepdims=self.int(0, 1),
                  select_last_index=self.int(0, 1))

    def hardmax(self):
        x = np.round(self.array(*self.dims(1, 5), within=(-3, 3)))
        self.node("Hardmax", [self.input(x)], axis=self.int(-x.ndim, x.ndim - 1))

    def reduce_typed(self):
        op = self.pick("ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceSumSquare", "ReduceLogSumExp")
        kinds = {"ReduceMax": (np.int8, np.uint8, np.int32, np.int64, np.float64), "ReduceMin": (np.int8, np.uint8, np.int32, np.int64, np.float64),
                 "ReduceLogSumExp": (np.float32, np.float64), "ReduceL1": (np.float32, np.int32)}
        x = self.typed(*self.dims(1, 5, 4), types=kinds.get(op, (np.float64, np.int32)))
        x = x if x.dtype.kind == "f" or op not in ("ReduceProd", "ReduceMean") else abs(x) % 3 + 1
        axes = [a for a in range(x.ndim) if self.int(0, 1)] or [0]
        self.node(op, [self.input(x), self.constant(np.array(axes, np.int64))], keepdims=self.int(0, 1))

    def image_norm(self):
        groups = self.int(1, 4)
        x = self.array(self.int(1, 3), groups * self.int(1, 3), *(self.int(2, 7) for _ in range(self.int(1, 3))), within=(-3, 5))
        channels, kind = x.shape[1], self.int(0, 2)
        if kind == 0:
            axes = [a for a in range(x.ndim - 1) if self.int(0, 1)]
            self.node("MeanVarianceNormalization", [self.input(x)], axes=[*axes, x.ndim - 1])
            return
        numbers = [self.constant(self.array(channels if kind == 1 else groups)) for _ in range(2)]
        if kind == 1:
            self.node("InstanceNormalization", [self.input(x), *numbers], epsilon=0.01)
        else:
            self.node("GroupNormalization", [self.input(x), *numbers], num_groups=groups)

    def lengths(self):
        x = self.array(*self.dims(1, 4))
        x[0] *= self.int(0, 1)  # rows of no length
        self.node("LpNormalization", [self.input(x)], axis=self.int(-x.ndim, x.ndim - 1), p=self.int(1, 2))

    def lrn(self):
        x = self.array(self.int(1, 2), self.int(1, 9), self.int(1, 5), self.int(1, 5), within=(-3, 3))
        self.node("LRN", [self.input(x)], size=self.pick(1, 3, 5), alpha=0.3, beta=0.6, bias=1.5)

    def lp_pool(self):
        window, extents = self.window(self.pick(1, 2, 2, 3))
        window.pop("dilations")
        x = self.array(1, self.int(1, 4), *extents)
        if self.int(0, 2) == 0:
            self.node("GlobalLpPool", [self.input(x)], p=self.int(1, 3))
        else:
            self.node("LpPool", [self.input(x)], p=self.int(1, 3), **window)

    def ceil_pool(self):
        op, axes = self.pick("MaxPool", "MaxPool", "AveragePool"), self.pick(1, 2, 2, 3)
        kernel = [self.int(2, 4) for _ in range(axes)]
        stride = [self.int(1, k) for k in kernel]
        pads = [self.int(0, k - 1) for k in kernel * 2]
        x = self.array(self.int(1, 2), self.int(1, 3), *(self.int(4, 9) for _ in range(axes)))
        x = np.round(x * 2) if self.int(0, 1) else x
        more = op == "MaxPool" and self.int(0, 1)
        self.node(op, [self.input(x)], 2 if more else 1, kernel_shape=kernel, strides=stride, pads=pads, ceil_mode=1 if more else None)

    def statistics(self):
        x = self.array(*self.dims(1, 4), self.int(2, 9), within=(-2, 5))
        axis = self.int(0, x.ndim - 1)
        scale = self.constant(self.array(*x.shape[axis:]))
        self.node("LayerNormalization", [self.input(x), scale], self.int(1, 3), axis=axis)

    def softmax_deep(self):
        dims = [self.int(1, 4) for _ in range(6)]
        self.node(self.pick("Softmax", "LogSoftmax"), [self.input(self.array(*dims, within=(-5, 5)))], axis=self.int(-6, 5))

    def shrink(self):
        self.node("Shrink", [self.input(self.array(3, self.int(1, 40), within=(-2, 2)))], bias=0.25, lambd=self.pick(0.5, 1.0))

    def loss(self):
        classes, ignored = self.int(1, 6), self.pick(None, -1, 0)
        places = self.dims(0, 2, 4)
        scores = self.array(self.int(1, 4), classes, *places, within=(-3, 0))
        labels = self.rng.integers(0, classes, (scores.shape[0], *places)).astype(np.int64)
        if ignored is not None:
            labels[self.rng.random(labels.shape) < 0.2] = ignored
        weights = [self.constant(self.array(classes, within=(0.5, 2)))] if self.int(0, 1) else []
        reduction = self.pick("none", "sum") if ignored is not None else self.pick("none", "sum", "mean")
        more = {} if ignored is None else {"ignore_index": ignored}
        op = self.pick("NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss")
        results = self.int(1, 2) if op == "SoftmaxCrossEntropyLoss" else 1
        self.node(op, [self.input(scores), self.input(labels), *weights], results, reduction=reduction, **more)

    def scan(self):
        x = self.typed(*self.dims(1, 4), types=(np.float32, np.float64, np.int32, np.int64))
        axis = np.array(self.int(-x.ndim, x.ndim - 1), self.pick(np.int32, np.int64))
        self.node("CumSum", [self.input(x), self.constant(axis)], exclusive=self.int(0, 1), reverse=self.int(0, 1))

    def rows(self):
        return (self.arg, self.hardmax, self.reduce_typed, self.image_norm, self.image_norm, self.lengths, self.lrn, self.lp_pool, self.ceil_pool,
                self.ceil_pool, self.statistics, self.softmax_deep, self.shrink, self.loss, self.loss, self.scan)
