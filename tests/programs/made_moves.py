"""Nodes at random that move elements, for made_kernels.py: of several element types, indices in range and from the end."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "operators"))

from packages import np

TYPES = (np.float32, np.float32, np.float64, np.float16, np.int8, np.uint8, np.int32, np.int64, np.bool_)


class Moves:
    def typed(self, *dims, types=TYPES):
        dtype = np.dtype(self.pick(*types))
        if dtype.kind == "f":
            return self.array(*dims, within=(-9, 9)).astype(dtype)
        least, most = (0, 1) if dtype.kind == "b" else (0 if dtype.kind == "u" else -100, 100)
        return self.rng.integers(least, most + 1, dims).astype(dtype)

    def made(self, array):
        """The result of a node before it, which a plan may have lie inside the result of the next."""
        if array.dtype != np.float32 or self.int(0, 1):
            return self.input(array)
        return self.node("Relu", [self.input(array)], inside=True)

    def pad(self):
        rank = self.int(1, 4)
        x = self.typed(*(self.int(2, 6) for _ in range(rank)), types=(np.float32, np.float32, np.float64, np.int8, np.int32, np.int64, np.bool_))
        mode = self.pick("constant", "constant", "constant", "edge", "reflect", "wrap")
        if x.dtype == np.bool_:
            mode = "constant"
        within = {"constant": (-1, 3), "edge": (0, 3), "reflect": (0, 1), "wrap": (0, 2)}[mode]
        axes = [a for a in range(rank) if self.int(0, 1)] or list(range(rank))
        pads = [self.int(*within) for _ in range(2 * len(axes))]
        if self.int(0, 1):  # nothing but before and behind the first axis: what the operand holds is in one piece, where it may lie already
            x, rank, axes, pads = self.array(self.int(2, 6), 16), 2, [0], [max(pads[0], 0), max(pads[1], 0)]
        for i, axis in enumerate(axes):
            if x.shape[axis] + min(pads[i], 0) + min(pads[i + len(axes)], 0) <= 0:
                pads[i] = 0
        value = [self.constant(x.flat[0])] if mode == "constant" and self.int(0, 1) else [""]
        axes = axes if self.int(0, 1) else [a - rank for a in axes]
        self.node("Pad", [self.made(x), self.constant(np.array(pads, np.int64)), *value, self.constant(np.array(axes, np.int64))], mode=mode)

    def index(self, extent, *dims):
        return self.rng.integers(-extent, extent, dims).astype(self.pick(np.int32, np.int64))

    def gather(self):
        rank = self.int(1, 3)
        x, axis = self.typed(*(self.int(1, 7) for _ in range(rank))), self.int(0, rank - 1)
        index = self.index(x.shape[axis], *(self.int(1, 5) for _ in range(self.int(0, 2))))
        index = self.input(index) if self.int(0, 1) else self.constant(index)
        self.node("Gather", [self.input(x), index], axis=self.pick(axis, axis - rank))

    def gather_elements(self):
        rank = self.int(1, 4)
        x, axis = self.typed(*(self.int(1, 6) for _ in range(rank))), self.int(0, rank - 1)
        dims = [self.int(1, 7) if a == axis else self.int(1, d) for a, d in enumerate(x.shape)]
        self.node("GatherElements", [self.input(x), self.input(self.index(x.shape[axis], *dims))], axis=self.pick(axis, axis - rank))

    def gather_nd(self):
        rank, batch = self.int(1, 4), 0
        x = self.typed(*(self.int(1, 5) for _ in range(rank)))
        if rank > 1:
            batch = self.int(0, 1)
        width = self.int(1, rank - batch)
        dims = [*x.shape[:batch], *(self.int(1, 4) for _ in range(self.int(0, 2)))]
        index = np.stack([self.rng.integers(-x.shape[batch + k], x.shape[batch + k], dims) for k in range(width)], axis=-1).astype(np.int64)
        self.node("GatherND", [self.input(x), self.input(index)], batch_dims=batch)

    def blocks(self):
        block, channels, mode = self.int(1, 3), self.int(1, 4), self.pick("DCR", "CRD")
        depth = self.typed(self.int(1, 2), channels * block * block, self.int(1, 5), self.int(1, 5), types=(np.float32, np.float64))
        if self.int(0, 1):
            self.node("DepthToSpace", [self.input(depth)], blocksize=block, mode=mode)
            return
        image = self.array(self.int(1, 2), channels, block * self.int(1, 5), block * self.int(1, 5))
        self.node("SpaceToDepth", [self.input(image)], blocksize=block)

    def reverse_sequence(self):
        time = self.int(0, 1)
        x = self.typed(*(self.int(1, 6) for _ in range(self.int(2, 4))))
        lengths = self.rng.integers(1, x.shape[time] + 1, x.shape[1 - time]).astype(np.int64)
        self.node("ReverseSequence", [self.input(x), self.input(lengths)], time_axis=time, batch_axis=1 - time)

    def triangle(self):
        x = self.typed(*(self.int(1, 7) for _ in range(self.int(2, 4))), types=(np.float32, np.float64, np.int64, np.bool_))
        k = [self.pick(self.input, self.constant)(np.array(self.int(-4, 4), np.int64))] if self.int(0, 1) else []
        self.node("Trilu", [self.input(x), *k], upper=self.int(0, 1))

    def eye(self):
        x = self.typed(self.int(1, 9), self.int(1, 9), types=(np.float32, np.float64, np.int32, np.int64))
        self.node("EyeLike", [self.input(x)], k=self.int(-10, 10))

    def one_hot(self):
        depth, rank = self.int(1, 9), self.int(1, 3)
        index = self.rng.integers(-2 * depth, 2 * depth, [self.int(1, 5) for _ in range(rank)])
        kind, of = self.pick((np.int64, np.float32), (np.float32, np.int64), (np.int64, np.int64))
        values = self.rng.integers(-9, 10, 2).astype(of)
        self.node("OneHot", [self.input(np.asarray(index, kind)), self.constant(np.array([depth], np.int64)), self.input(values)],
                  axis=self.int(-rank - 1, rank))

    def range(self):
        of, step = self.pick((np.float32, 0.25), (np.float64, -1.5), (np.int64, 3), (np.int32, -2), (np.int16, 7))
        start = self.int(-5, 5)
        limit = start + step * self.int(60, 90)  # so many that nobody computes them before the run
        self.node("Range", [self.constant(np.array(v, of)) for v in (start, limit, step)])

    def mask(self):
        self.node("Dropout", [self.input(self.array(3, self.int(1, 40)))], 2)

    def moves(self):
        return (self.pad, self.pad, self.gather, self.gather_elements, self.gather_nd, self.blocks, self.reverse_sequence, self.triangle, self.eye,
                self.one_hot, self.range, self.mask)
