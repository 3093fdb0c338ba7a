"""RNN, GRU and LSTM in double precision, both directions and layouts, from the definitions."""

import numpy as np
from onnx.reference.op_run import OpRun

KNOWN = {
    "Sigmoid": lambda v: 1 / (1 + np.exp(-v)),
    "Tanh": np.tanh,
    "Relu": lambda v: np.maximum(v, 0),
    "Softsign": lambda v: v / (1 + np.abs(v)),
    "Softplus": lambda v: np.log1p(np.exp(v)),
}


def rnn_step(f, x, h, c, w, r, b, p, linear):
    return f[0](x @ w.T + h @ r.T + b[: len(b) // 2] + b[len(b) // 2 :]), c


def gru_step(f, x, h, c, w, r, b, p, linear):
    n = h.shape[1]
    own, hidden = x @ w.T + b[: 3 * n], b[3 * n :]
    z, g = (f[0](own[:, k * n : k * n + n] + h @ r[k * n : k * n + n].T + hidden[k * n : k * n + n]) for k in (0, 1))
    last = r[2 * n :].T
    new = g * (h @ last + hidden[2 * n :]) if linear else (g * h) @ last + hidden[2 * n :]
    return (1 - z) * f[1](own[:, 2 * n :] + new) + z * h, c


def lstm_step(f, x, h, c, w, r, b, p, linear):
    n = h.shape[1]
    all_gates = x @ w.T + h @ r.T + b[: 4 * n] + b[4 * n :]
    i, o, g, new = (all_gates[:, k * n : k * n + n] for k in range(4))
    pi, po, pf = p[:n], p[n : 2 * n], p[2 * n :]
    c = f[0](g + pf * c) * c + f[0](i + pi * c) * f[1](new)
    return f[0](o + po * c) * f[2](c), c


class Recurrent(OpRun):
    gates, step, usual = 1, staticmethod(rnn_step), ["Tanh"]

    def _run(self, X, W, R, B=None, sequence_lens=None, initial_h=None, initial_c=None, P=None, layout=None,
             direction=None, activations=None, hidden_size=None, linear_before_reset=None, **_):
        x = np.swapaxes(X, 0, 1) if layout else X
        n, count = R.shape[2], R.shape[0]
        if not activations or len(activations) < len(self.usual) * count:
            activations = self.usual * count
        first = [np.zeros((count, x.shape[1], n)) if s is None else np.swapaxes(s, 0, 1) if layout else s
                 for s in (initial_h, initial_c)]
        every, ends = [], []
        for k in range(count):
            h, c = first[0][k], first[1][k]
            b = np.zeros(2 * self.gates * n) if B is None else B[k]
            p = np.zeros(3 * n) if P is None else P[k]
            f = [KNOWN[a] for a in activations[k * len(self.usual) : (k + 1) * len(self.usual)]]
            rows = [None] * len(x)
            for t in reversed(range(len(x))) if direction == "reverse" or k else range(len(x)):
                h, c = self.step(f, x[t], h, c, W[k], R[k], b, p, linear_before_reset)
                rows[t] = h
            every.append(np.stack(rows))
            ends.append((h, c))
        y, h, c = np.stack(every, 1), *(np.stack(part) for part in zip(*ends))
        if layout:
            y, h, c = y.transpose(2, 0, 1, 3), np.swapaxes(h, 0, 1), np.swapaxes(c, 0, 1)
        return (y, h, c)[: len(self.onnx_node.output)]


class RNN(Recurrent):
    pass


class GRU(Recurrent):
    gates, step, usual = 3, staticmethod(gru_step), ["Sigmoid", "Tanh"]


class LSTM(Recurrent):
    gates, step, usual = 4, staticmethod(lstm_step), ["Sigmoid", "Tanh", "Tanh"]


OWN = [RNN, GRU, LSTM]
