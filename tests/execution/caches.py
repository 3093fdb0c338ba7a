"""Attention of com.microsoft against caches, in numpy: what ONNX Runtime has kernels of for GPUs only, or takes in
some forms only. New keys and values go into the cache first; then each token sees what it may see of it."""

import numpy as np


def softmax(z):
    z = np.exp(z - z.max())
    return z / z.sum()


def attend(q, keys, values, scale):
    """One head of one token against the rows it may see."""
    return softmax(keys @ q * scale) @ values


def heads_of(x, heads):
    """[..., heads * size] -> [..., heads, size]."""
    return x.reshape(*x.shape[:-1], heads, -1)


def scale_of(attributes, size):
    return attributes.get("scale", 0.0) or 1 / np.sqrt(size)


def merged_attention(attributes, x, past, length):
    """output, present of an Attention whose cache [2, batch, heads, rows, size] holds `length` rows that count; None:
    all of them, and the new ones are put behind."""
    data, weights, bias = x[:3]
    heads = attributes["num_heads"]
    q, k, v = (heads_of(part, heads) for part in np.split(data @ weights + bias, 3, axis=-1))
    new = np.stack([k, v]).swapaxes(2, 3)
    if length is None:
        length = past.shape[3]
        present = np.concatenate([past, new], axis=3)
    else:
        present = past.copy()
        present[:, :, :, length : length + new.shape[3]] = new
    total = length + new.shape[3]
    output = np.empty(q.shape, data.dtype)
    for b, s, h in np.ndindex(*q.shape[:3]):
        seen = length + s + 1 if attributes.get("unidirectional", 0) else total
        keys, values = present[:, b, h, :seen]
        output[b, s, h] = attend(q[b, s, h], keys, values, scale_of(attributes, q.shape[-1]))
    return [output.reshape(data.shape[0], data.shape[1], -1), present.astype(past.dtype)]


def attention(attributes, x, n):
    """Attention(input, weights, bias, mask?, past, bias?, past_sequence_length?) without a mask."""
    shared = attributes.get("past_present_share_buffer", 0)
    return merged_attention(attributes, x, x[4], int(np.asarray(x[6]).reshape(())) if shared else None)[:n]


def decoder_self_attention(attributes, x, n):
    """DecoderMaskedSelfAttention: Attention of one new token, with a cache of full length."""
    return merged_attention(attributes, x, x[4], int(np.asarray(x[6]).reshape(())))[:n]


def sparse_attention(attributes, x, n):
    """SparseAttention without rotation: of the rows before it a token sees those in the blocks that the block mask
    (compressed rows) has in the row of its own block."""
    query, key, value, past_key, past_value, rows, columns, _, totals = x[:9]
    heads, groups, block = (attributes[k] for k in ("num_heads", "kv_num_heads", "sparse_block_size"))
    q, k, v = heads_of(query, heads), heads_of(key, groups), heads_of(value, groups)
    keys, values = past_key.copy(), past_value.copy()
    output = np.empty(q.shape, query.dtype)
    for b in range(q.shape[0]):
        first = int(totals[b]) - q.shape[1]
        keys[b, :, first : int(totals[b])] = k[b].swapaxes(0, 1)
        values[b, :, first : int(totals[b])] = v[b].swapaxes(0, 1)
        for s, h in np.ndindex(q.shape[1], heads):
            at, layout, g = first + s, h % len(rows), h * groups // heads
            blocks = columns[layout, rows[layout, at // block] : rows[layout, at // block + 1]]
            seen = [j for j in range(at + 1) if j // block in blocks]
            output[b, s, h] = attend(
                q[b, s, h], keys[b, g, seen], values[b, g, seen], scale_of(attributes, q.shape[-1])
            )
    return [output.reshape(query.shape), keys, values][:n]


class Pages:
    """Caches of blocks, [blocks, rows of a block, groups, size], and where the rows of a request lie in them."""

    def __init__(self, keys, values, table):
        self.keys, self.values, self.table = keys.copy(), values.copy(), table

    def place(self, request, position):
        rows = self.keys.shape[1]
        return self.table[request, position // rows], position % rows

    def put(self, request, position, key, value):
        at = self.place(request, position)
        self.keys[at], self.values[at] = key, value

    def get(self, request, positions, group):
        at = [self.place(request, p) for p in positions]
        return (np.stack([cache[a][group] for a in at]) for cache in (self.keys, self.values))


def over_pages(attributes, x, pages, starts, past, seen_by):
    """Writes all tokens, then lets each see the positions seen_by(token, own position)."""
    heads, groups = attributes["num_heads"], attributes["kv_num_heads"]
    q, k, v = heads_of(x[0], heads), heads_of(x[1], groups), heads_of(x[2], groups)
    tokens = [
        (t, b, int(past[b]) + t - int(starts[b]))
        for b in range(len(past))
        for t in range(int(starts[b]), int(starts[b + 1]))
    ]
    for t, b, position in tokens:
        pages.put(b, position, k[t], v[t])
    output = np.empty(q.shape, x[0].dtype)
    for t, b, position in tokens:
        for h in range(heads):
            keys, values = pages.get(b, seen_by(t, position), h * groups // heads)
            output[t, h] = attend(q[t, h], keys, values, scale_of(attributes, q.shape[-1]))
    return [output.reshape(x[0].shape), pages.keys, pages.values]


def paged_attention(attributes, x, n):
    """PagedAttention, causal, with separate caches of the operands' own type."""
    pages = Pages(x[3], x[4], x[7])
    return over_pages(attributes, x, pages, x[5], x[6], lambda t, position: range(position + 1))[:n]


def sparse_paged_attention(attributes, x, n):
    """SparsePagedAttention of the selected positions of the main cache only."""
    selected, counts = x[9], x[10]
    pages = Pages(x[3], x[4], x[7])
    return over_pages(attributes, x, pages, x[5], x[6], lambda t, _: selected[t, : counts[t]])[:n]


# By domain and op, as in formulas.py.
KERNELS = {
    "com.microsoft:Attention": attention,
    "com.microsoft:DecoderMaskedSelfAttention": decoder_self_attention,
    "com.microsoft:SparseAttention": sparse_attention,
    "com.microsoft:PagedAttention": paged_attention,
    "com.microsoft:SparsePagedAttention": sparse_paged_attention,
}
