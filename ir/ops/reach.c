/* Rules for ops that compute each element by itself, move elements, or work on whole rows. */
#include "ir/ops/reach.h"

#include <string.h>

#include "ir/ops/op_rules.h"
#include "ir/ops/part.h"
#include "ir/ops/sig.h"

static bool extents_of(const tn_value *v, uint32_t *rank, int64_t *out) {
    tn_part p;
    if (v == NULL || !tn_part_begin(&p, v)) {
        return false;
    }
    *rank = p.rank;
    memcpy(out, p.whole, sizeof p.whole);
    return true;
}

int64_t *tn_reach_table(tn_reach *r, uint32_t i, uint32_t axis) {
    int64_t *table = TN_ARRAY(r->arena, int64_t, (size_t)r->extent[axis] + 1);
    r->by[i] = axis;
    r->lowest[i] = table;
    return table;
}

bool tn_reach_same(tn_reach *r, uint32_t i, uint32_t axis) {
    r->by[i] = axis;
    r->lowest[i] = NULL;
    return i < r->in_rank && axis < r->rank && r->in[i] == r->extent[axis];
}

bool tn_reach_same_axes(tn_reach *r, uint32_t n) {
    bool same = n <= r->rank && n <= r->in_rank;
    for (uint32_t i = 0; same && i < n; i++) {
        same = tn_reach_same(r, i, i);
    }
    return same;
}

bool tn_reach_elementwise(const tn_op *op, tn_reach *r) {
    (void)op;
    return r->rank == r->in_rank && tn_reach_same_axes(r, r->rank);
}

/* Another shape, the elements in the same order. */
bool tn_reach_copy(const tn_op *op, tn_reach *r) {
    int64_t n = 1, n_in = 1;
    (void)op;
    for (uint32_t i = 0; i < r->rank; i++) {
        n *= r->extent[i];
    }
    for (uint32_t i = 0; i < r->in_rank; i++) {
        n_in *= r->in[i];
    }
    r->flat = true;
    r->rank = r->in_rank = 1;
    r->extent[0] = n;
    r->in[0] = n_in;
    return tn_reach_same(r, 0, 0);
}

bool tn_reach_transpose(const tn_op *op, tn_reach *r) {
    uint32_t n = 0;
    const int64_t *perm = tn_attr_ints(op, "perm", &n);
    if (r->rank != r->in_rank || (perm != NULL && n != r->rank)) {
        return false;
    }
    for (uint32_t k = 0; k < r->rank; k++) {
        int64_t from = perm != NULL ? perm[k] : (int64_t)(r->rank - 1 - k);
        if (from < 0 || from >= r->rank || !tn_reach_same(r, (uint32_t)from, k)) {
            return false;
        }
    }
    return true;
}

/* The place of the operand in the result (Concat): the op's own rule of parts knows it. */
bool tn_reach_joined(const tn_op *op, tn_reach *r) {
    tn_part p;
    if (!tn_op_part(op, r->operand, &p) || p.rank != r->in_rank || r->rank != r->in_rank) {
        return false;
    }
    for (uint32_t i = 0; i < r->rank; i++) {
        int64_t *low = tn_reach_table(r, i, i);
        for (int64_t c = 0; c < r->extent[i]; c++) {
            int64_t at = c - p.start[i];
            low[c] = at >= 0 && at < r->in[i] ? at : -1;
        }
    }
    return true;
}

/* Operand axes for which no rule was given have the coordinates of the result. */
static bool rest_is_same(const tn_reach *r) {
    bool same = r->rank == r->in_rank;
    for (uint32_t i = 0; same && i < r->rank; i++) {
        same = r->lowest[i] != NULL || r->in[i] == r->extent[i];
    }
    return same;
}

/* Every operand axis by the result axis of its number, unless said otherwise later. */
static bool axis_by_axis(tn_reach *r) {
    for (uint32_t i = 0; i < r->in_rank; i++) {
        r->by[i] = i;
    }
    return r->rank == r->in_rank;
}

/* Slice, with steps of either sign. */
bool tn_reach_slice(const tn_op *op, tn_reach *r) {
    int64_t starts[TN_MAX_RANK], steps[TN_MAX_RANK], axes[TN_MAX_RANK];
    uint32_t n, n_steps;
    if (!tn_part_ints(op, "starts", 1, &n, starts) || !axis_by_axis(r) ||
        !tn_part_axes(op, 3, r->rank, n, axes)) {
        return false;
    }
    bool stepped = tn_operand(op, 4) != NULL;
    if (stepped && (!tn_part_ints(op, "steps", 4, &n_steps, steps) || n_steps != n)) {
        return false;
    }
    for (uint32_t k = 0; k < n; k++) {
        uint32_t a = (uint32_t)axes[k];
        int64_t step = stepped ? steps[k] : 1, at = starts[k], most = r->in[a] - (step < 0);
        at += at < 0 ? r->in[a] : 0;
        at = at < 0 ? 0 : at > most ? most : at;
        int64_t *low = tn_reach_table(r, a, a);
        for (int64_t c = 0; c < r->extent[a]; c++) {
            low[c] = at + c * step;
            if (step == 0 || low[c] < 0 || low[c] >= r->in[a]) {
                return false;
            }
        }
    }
    return rest_is_same(r);
}

/* Which coordinate of an axis of `in` elements stands at `at` of the padded one; -1: the constant.
 */
static int64_t unpadded(const char *mode, int64_t at, int64_t in) {
    int64_t period = 2 * (in - 1);
    if (strcmp(mode, "edge") == 0) {
        return at < 0 ? 0 : at >= in ? in - 1 : at;
    }
    if (strcmp(mode, "wrap") == 0) {
        return ((at % in) + in) % in;
    }
    if (strcmp(mode, "reflect") == 0) {
        int64_t in_period = period == 0 ? 0 : ((at % period) + period) % period;
        return in_period < in ? in_period : period - in_period;
    }
    return at >= 0 && at < in ? at : -1;
}

/* Negative pads cut. */
bool tn_reach_pad(const tn_op *op, tn_reach *r) {
    int64_t pads[TN_MAX_RANK], axes[TN_MAX_RANK];
    uint32_t n;
    const char *mode = tn_attr_string(op, "mode", "constant");
    if (!axis_by_axis(r) || !tn_part_ints(op, "pads", 1, &n, pads) || n % 2 != 0 ||
        !tn_part_axes(op, 3, r->rank, n / 2, axes)) {
        return false;
    }
    for (uint32_t k = 0; k < n / 2; k++) {
        uint32_t a = (uint32_t)axes[k];
        int64_t *low = tn_reach_table(r, a, a);
        if (r->extent[a] != r->in[a] + pads[k] + pads[k + n / 2] || r->in[a] == 0) {
            return false;
        }
        for (int64_t c = 0; c < r->extent[a]; c++) {
            low[c] = unpadded(mode, c - pads[k], r->in[a]);
        }
    }
    return rest_is_same(r);
}

/* An element is made of all that lie along the axes that go, which have an extent of 1 in the
 * result or are not there. */
static bool reduce(const tn_op *op, tn_reach *r, const bool *gone) {
    bool kept = tn_attr_int(op, "keepdims", 1) != 0;
    uint32_t k = 0;
    for (uint32_t i = 0; i < r->in_rank; i++) {
        if (!gone[i]) {
            if (!tn_reach_same(r, i, kept ? i : k)) {
                return false;
            }
            k++;
        }
    }
    return r->rank == (kept ? r->in_rank : k);
}

bool tn_reach_reduce(const tn_op *op, tn_reach *r) {
    int64_t axes[TN_MAX_RANK];
    bool gone[TN_MAX_RANK] = {false};
    uint32_t n = 0;
    bool given = tn_op_attr(op, "axes") != NULL || tn_operand(op, 1) != NULL;
    if (given &&
        (!tn_part_ints(op, "axes", 1, &n, axes) || !tn_part_axes(op, 1, r->in_rank, n, axes))) {
        return false;
    }
    bool all = n == 0 && tn_attr_int(op, "noop_with_empty_axes", 0) == 0;
    for (uint32_t i = 0; i < (all ? r->in_rank : n); i++) {
        gone[all ? i : (uint32_t)axes[i]] = true;
    }
    return reduce(op, r, gone);
}

/* ArgMax and ArgMin. */
bool tn_reach_reduce_axis(const tn_op *op, tn_reach *r) {
    bool gone[TN_MAX_RANK] = {false};
    uint32_t axis;
    if (!tn_part_axis(op, 0, r->in_rank, &axis)) {
        return false;
    }
    gone[axis] = true;
    return reduce(op, r, gone);
}

/* Normalisation over rows: along one axis, or from it on (`to_end`). */
static bool rows(const tn_op *op, tn_reach *r, int64_t fallback, bool to_end) {
    uint32_t axis;
    if (r->rank == 0 || !tn_reach_elementwise(op, r) ||
        !tn_part_axis(op, fallback, r->rank, &axis)) {
        return false;
    }
    for (uint32_t i = axis; i < (to_end ? r->rank : axis + 1); i++) {
        r->by[i] = TN_EVERY;
    }
    return true;
}

/* Up to opset 12 all axes from `axis` on were one row. */
bool tn_reach_softmax(const tn_op *op, tn_reach *r) {
    bool old = op->version != 0 && op->version < 13;
    return rows(op, r, old ? 1 : -1, old);
}

bool tn_reach_axis(const tn_op *op, tn_reach *r) {
    return rows(op, r, -1, false);
}

bool tn_reach_trailing(const tn_op *op, tn_reach *r) {
    return rows(op, r, -1, true);
}

/* Statistics over the image of each channel. */
bool tn_reach_images(const tn_op *op, tn_reach *r) {
    bool same = r->rank >= 2 && r->rank == r->in_rank && tn_reach_same_axes(r, 2);
    (void)op;
    return same;
}

/* BatchNormalization as it is used after training; statistics of the batch read all of it. */
bool tn_reach_batch_norm(const tn_op *op, tn_reach *r) {
    bool old = op->version != 0 && op->version < 7;
    bool training = tn_attr_int(op, "training_mode", 0) != 0 || op->n_results > 1 ||
                    (old && tn_attr_int(op, "is_test", 0) == 0);
    return !training && tn_reach_elementwise(op, r);
}

static bool is_listed(const tn_op *op, uint32_t operand, uint32_t *which) {
    const char *list = op->info->reads;
    *which = 0;
    for (tn_word w; list != NULL && tn_word_next(&list, op->version, &w); (*which)++) {
        bool many;
        int32_t at = tn_sig_operand(op->info, op->version, &w, &many);
        if (at >= 0 && ((uint32_t)at == operand || (many && operand > (uint32_t)at))) {
            return true;
        }
    }
    return false;
}

bool tn_op_reach(const tn_op *op, uint32_t result, uint32_t operand, tn_arena *arena,
                 tn_reach *out) {
    const tn_op_info *info = op->info;
    const tn_value *y = tn_result(op, result), *x = tn_operand(op, operand);
    *out = (tn_reach){.arena = arena, .result = result, .operand = operand};
    if (!extents_of(y, &out->rank, out->extent) || !extents_of(x, &out->in_rank, out->in)) {
        return false;
    }
    for (uint32_t i = 0; i < out->in_rank; i++) {
        out->by[i] = TN_EVERY;
    }
    if (info->reach == NULL) {
        return (info->traits & TN_T_ELEMENTWISE) != 0 && tn_reach_elementwise(op, out);
    }
    return is_listed(op, operand, &out->which) && info->reach(op, out);
}

bool tn_reach_names(const tn_op *op, uint32_t operand) {
    uint32_t which;
    return is_listed(op, operand, &which);
}
