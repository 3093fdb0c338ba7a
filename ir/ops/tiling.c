#include "ir/ops/tiling.h"

#include <string.h>

#include "ir/ops/claims.h"
#include "ir/ops/op_attrs.h"
#include "ir/ops/op_rules.h"
#include "ir/ops/part.h"

/* The extent of an axis counted from the front; -1 where it is no number. */
static int64_t extent_at(const tn_value *v, uint32_t axis) {
    int64_t extent;
    const tn_type *t = v->type;
    bool known = t->kind == TN_TYPE_TENSOR && t->has_rank && axis < t->rank &&
                 tn_dim_is_const(v->graph->module->dims, t->dims[axis], &extent);
    return known ? extent : -1;
}

bool tn_tile_by(tn_tiling *t, uint32_t k, uint32_t at) {
    const tn_value *v = tn_operand(t->op, k);
    if (v == NULL) {
        return true;
    }
    t->by[k] = at;
    return extent_at(v, at) == t->extent;
}

/* An operand of which the row says nothing is read as a whole; it must not have the axis. */
static bool lacks_axis(const tn_tiling *t, uint32_t k) {
    const tn_value *v = tn_operand(t->op, k);
    if (v == NULL || (k < 32 && !tn_reads_data(t->op, k))) {
        return true;
    }
    bool lacks = v->type->kind == TN_TYPE_TENSOR && v->type->has_rank;
    for (uint32_t i = 0; lacks && i < v->type->rank; i++) {
        lacks = t->extent > 1 && extent_at(v, i) >= 0 && extent_at(v, i) != t->extent;
    }
    return lacks;
}

/* An operand that column .reads names: the same coordinate, or all of them whatever it is. */
static bool by_reach(tn_tiling *t, uint32_t k) {
    tn_reach r;
    if (!tn_op_reach(t->op, 0, k, t->arena, &r) || r.flat) {
        return false;
    }
    for (uint32_t i = 0; i < r.in_rank; i++) {
        if (r.by[i] == t->axis) {
            if (r.lowest[i] != NULL || t->by[k] != TN_EVERY || r.in[i] != t->extent) {
                return false;
            }
            t->by[k] = i;
        }
    }
    return true;
}

/* What column .reads says, and nothing else that a part could change. */
static bool as_read(tn_tiling *t) {
    bool good = t->op->info->reach != NULL;
    for (uint32_t k = 0; good && k < t->op->n_operands; k++) {
        good = tn_operand(t->op, k) == NULL ||
               (tn_reach_names(t->op, k) ? by_reach(t, k) : lacks_axis(t, k));
    }
    return good;
}

/* Aligned with the last axis of the result; what has one element along the axis is read by all. */
static bool broadcast(tn_tiling *t, uint32_t k) {
    const tn_value *v = tn_operand(t->op, k);
    uint32_t rank = t->op->results[0]->type->rank;
    if (v == NULL || (k < 32 && !tn_reads_data(t->op, k))) {
        return true;
    }
    const tn_type *type = v->type;
    if (type->kind != TN_TYPE_TENSOR || !type->has_rank || type->rank > rank) {
        return false;
    }
    uint32_t missing = rank - type->rank;
    return t->axis < missing || extent_at(v, t->axis - missing) == 1 ||
           tn_tile_by(t, k, t->axis - missing);
}

bool tn_tile_broadcast(tn_tiling *t) {
    bool good = true;
    for (uint32_t k = 0; good && k < t->op->n_operands; k++) {
        good = broadcast(t, k);
    }
    return good;
}

/* A product to which operand 2 is added. */
bool tn_tile_gemm(tn_tiling *t) {
    return by_reach(t, 0) && by_reach(t, 1) && broadcast(t, 2);
}

/* Operand 0 element by element; the others say how. */
bool tn_tile_first(tn_tiling *t) {
    return tn_tile_by(t, 0, t->axis);
}

/* With a scale for each index of one axis, which is not this one. */
bool tn_tile_quantized(tn_tiling *t) {
    uint32_t rank = t->op->results[0]->type->rank;
    const tn_value *scale = tn_operand(t->op, 1);
    int64_t axis = tn_attr_int(t->op, "axis", 1);
    bool one = scale != NULL && scale->type->has_rank &&
               (scale->type->rank == 0 || (scale->type->rank == 1 && extent_at(scale, 0) == 1));
    axis += axis < 0 ? rank : 0;
    return tn_tile_by(t, 0, t->axis) && tn_attr_int(t->op, "block_size", 0) == 0 && scale != NULL &&
           scale->type->has_rank && scale->type->rank <= 1 && (one || axis != t->axis);
}

/* ---- windows ---- */

static const int64_t *ints_of(const tn_attr *attrs, uint32_t n, const char *name, uint32_t len) {
    for (uint32_t i = 0; i < n; i++) {
        if (strcmp(attrs[i].name, name) == 0 && attrs[i].kind == TN_ATTR_INTS) {
            return attrs[i].n == len ? attrs[i].u.ints : NULL;
        }
    }
    return NULL;
}

/* Along a spatial axis. Attributes may be left out where they are 1 or 0 by default. */
static bool take_window(tn_tiling *t) {
    const tn_op *op = t->op;
    const tn_value *x = tn_operand(op, 0);
    uint32_t n, rank = op->results[0]->type->rank;
    if (t->axis < 2 || !x->type->has_rank || x->type->rank != rank || rank > 5 ||
        tn_attr_int(op, "channels_last", 0) != 0) {
        return false;
    }
    uint32_t i = t->axis - 2, axes = rank - 2;
    const tn_attr *attrs = tn_op_resolve_attrs(op->graph->module, op, t->arena, &n);
    const int64_t *kernel = ints_of(attrs, n, "kernel_shape", axes),
                  *strides = ints_of(attrs, n, "strides", axes),
                  *dilations = ints_of(attrs, n, "dilations", axes),
                  *pads = ints_of(attrs, n, "pads", 2 * axes);
    if (kernel == NULL || strides == NULL || pads == NULL) {
        return false;
    }
    t->kernel = kernel[i];
    t->stride = strides[i];
    t->dilation = dilations != NULL ? dilations[i] : 1;
    t->pad = pads[i];
    t->by[0] = t->axis;
    t->in = extent_at(x, t->axis);
    const int64_t most = INT32_MAX;
    return t->in > 0 && t->kernel >= 1 && t->kernel <= most && t->stride >= 1 &&
           t->stride <= most && t->dilation >= 1 && t->dilation <= most && t->pad >= 0 &&
           t->pad <= most && pads[i + axes] >= 0 && pads[i + axes] <= most;
}

static int64_t window_end(const tn_tiling *t, int64_t r) {
    return r * t->stride - t->pad + (t->kernel - 1) * t->dilation + 1;
}

/* Padding that counts is what the attribute states, and no more. */
static bool counts_more(const tn_tiling *t) {
    uint32_t n, axes = t->op->results[0]->type->rank - 2;
    const tn_attr *attrs = tn_op_resolve_attrs(t->op->graph->module, t->op, t->arena, &n);
    const int64_t *pads = ints_of(attrs, n, "pads", 2 * axes);
    return tn_attr_int(t->op, "count_include_pad", 0) != 0 &&
           window_end(t, t->extent - 1) > t->in + pads[t->axis - 2 + axes];
}

bool tn_tile_window(tn_tiling *t) {
    if (tn_result(t->op, 1) != NULL) { /* places in the whole image */
        return false;
    }
    if (t->axis == 0) {
        return tn_tile_by(t, 0, 0);
    }
    t->kind = TN_TILE_WINDOW;
    return take_window(t) && !counts_more(t);
}

/* Operand 3 is added to the result. */
bool tn_tile_window_sum(tn_tiling *t) {
    return tn_tile_window(t) && tn_tile_by(t, 3, t->axis);
}

bool tn_tile_spread(tn_tiling *t) {
    if (t->axis == 0) {
        return tn_tile_by(t, 0, 0);
    }
    t->kind = TN_TILE_SPREAD;
    return tn_op_attr(t->op, "output_shape") == NULL &&
           strcmp(tn_attr_string(t->op, "auto_pad", "NOTSET"), "NOTSET") == 0 && take_window(t);
}

/* ---- images in another size ---- */

static bool is_power_of_two(int64_t x) {
    return x > 0 && (x & (x - 1)) == 0;
}

/* Whether each element is copied `scale` times, and to where it would be in a part. */
static bool copies(const tn_op *op, const char *where, int64_t scale) {
    if (op->version != 0 && op->version < 11) {
        return true;
    }
    const char *round = tn_attr_string(op, "nearest_mode", "round_prefer_floor");
    if (strcmp(where, "asymmetric") == 0) {
        return strcmp(round, "floor") == 0 ||
               (scale == 2 && strcmp(round, "round_prefer_floor") == 0);
    }
    return strncmp(round, "round_prefer_", 13) == 0;
}

/* The operand that states extents of the result. */
static uint32_t sizes_of(const tn_op *op) {
    for (uint32_t k = 1; k < op->n_operands; k++) {
        const tn_value *v = tn_operand(op, k);
        if (v != NULL && v->type->dtype == TN_DT_INT64 && extent_at(v, 0) > 0) {
            return k;
        }
    }
    return TN_EVERY;
}

/* Each element becomes `scale` of them, copies or along straight lines. Places are worked out in
 * floats; along lines those of a part are exactly those of the whole where the scale is a power of
 * two. */
bool tn_tile_resized(tn_tiling *t) {
    const tn_op *op = t->op;
    bool linear = strcmp(tn_attr_string(op, "mode", "nearest"), "linear") == 0;
    const char *where = tn_attr_string(op, "coordinate_transformation_mode", "half_pixel");
    tn_reach r;
    if (!tn_op_reach(op, 0, 0, t->arena, &r) || r.by[t->axis] != t->axis) {
        return false;
    }
    t->sizes = sizes_of(op);
    t->by[0] = t->axis;
    t->in = r.in[t->axis];
    if (r.lowest[t->axis] == NULL) {
        return t->in == t->extent;
    }
    t->kind = TN_TILE_SCALED;
    t->scale = t->in > 0 ? t->extent / t->in : 0;
    t->reach = linear ? 1 : 0;
    bool stays = strcmp(where, "half_pixel") == 0 || strcmp(where, "pytorch_half_pixel") == 0 ||
                 strcmp(where, "asymmetric") == 0;
    return stays && t->scale >= 1 && t->scale * t->in == t->extent &&
           (linear ? is_power_of_two(t->scale) && tn_attr_int(op, "antialias", 0) == 0
                   : strcmp(tn_attr_string(op, "mode", "nearest"), "nearest") == 0 &&
                         copies(op, where, t->scale));
}

bool tn_tile_blocks_out(tn_tiling *t) {
    t->kind = TN_TILE_SCALED;
    t->scale = tn_attr_int(t->op, "blocksize", 0);
    t->in = t->axis < 2 ? -1 : extent_at(tn_operand(t->op, 0), t->axis);
    t->by[0] = t->axis;
    return t->in > 0 && t->scale > 0 && t->in * t->scale == t->extent;
}

bool tn_tile_blocks_in(tn_tiling *t) {
    t->kind = TN_TILE_WINDOW;
    t->kernel = t->stride = tn_attr_int(t->op, "blocksize", 0);
    t->dilation = 1;
    t->in = t->axis < 2 ? -1 : extent_at(tn_operand(t->op, 0), t->axis);
    t->by[0] = t->axis;
    return t->in > 0 && t->kernel > 0 && t->in == t->extent * t->kernel;
}

/* ---- elements that move ---- */

/* A constant border along this axis, at either side or none. */
bool tn_tile_padded(tn_tiling *t) {
    int64_t pads[2 * TN_MAX_RANK], axes[TN_MAX_RANK];
    uint32_t n, rank = t->op->results[0]->type->rank;
    if (!tn_tile_pads(t->op, &n, pads) || !tn_part_axes(t->op, 3, rank, n, axes)) {
        return false;
    }
    t->by[0] = t->axis;
    t->in = extent_at(tn_operand(t->op, 0), t->axis);
    for (uint32_t i = 0; i < n; i++) {
        if (axes[i] == t->axis && (pads[i] != 0 || pads[i + n] != 0)) {
            t->kind = TN_TILE_PADDED;
            t->pad = pads[i];
            return pads[i] >= 0 && pads[i + n] >= 0 && t->in > 0 &&
                   strcmp(tn_attr_string(t->op, "mode", "constant"), "constant") == 0;
        }
    }
    return t->in == t->extent;
}

bool tn_tile_pads(const tn_op *op, uint32_t *n, int64_t *pads) {
    const tn_attr *a = tn_op_attr(op, "pads");
    const tn_value *v = tn_operand(op, 1);
    const tn_tensor *tensor = v != NULL ? tn_value_tensor(v) : NULL;
    uint64_t len = a != NULL && a->kind == TN_ATTR_INTS ? a->n : v != NULL ? v->n_content : 0;
    len = a == NULL && tensor != NULL ? tensor->n_elements : len;
    if (len == 0 || len % 2 != 0 || len > 2 * TN_MAX_RANK ||
        (a == NULL && (tensor != NULL ? tensor->ints == NULL : v->content == NULL))) {
        return false;
    }
    *n = (uint32_t)(len / 2);
    for (uint32_t i = 0; i < len; i++) {
        if (a != NULL) {
            pads[i] = a->u.ints[i];
        } else if (tensor != NULL) {
            pads[i] = tensor->ints[i];
        } else if (!tn_dim_is_const(v->graph->module->dims, v->content[i], &pads[i])) {
            return false;
        }
    }
    return true;
}

/* Joined or cut along another axis. */
static bool is_along(const tn_tiling *t, int64_t fallback) {
    uint32_t axis;
    return !tn_part_axis(t->op, fallback, t->op->results[0]->type->rank, &axis) || axis == t->axis;
}

bool tn_tile_joined(tn_tiling *t) {
    bool good = !is_along(t, 1);
    for (uint32_t k = 0; good && k < t->op->n_operands; k++) {
        good = tn_tile_by(t, k, t->axis);
    }
    return good;
}

/* A tensor, its scale and its zero point, again and again, behind those of the result. */
bool tn_tile_joined_quantized(tn_tiling *t) {
    bool good = !is_along(t, 1);
    for (uint32_t k = 2; good && k < t->op->n_operands; k += 3) {
        good = tn_tile_by(t, k, t->axis);
    }
    return good;
}

bool tn_tile_cut(tn_tiling *t) {
    return !is_along(t, 0) && tn_tile_by(t, 0, t->axis);
}

/* The axis that has as many elements, and as many elements before it. */
static bool same_place(tn_tiling *t) {
    const tn_value *x = tn_operand(t->op, 0), *y = t->op->results[0];
    int64_t before = 1, n = 1;
    for (uint32_t i = 0; i < t->axis; i++) {
        before *= extent_at(y, i);
    }
    for (uint32_t i = 0; x->type->has_rank && i < x->type->rank && before > 0; i++) {
        int64_t extent = extent_at(x, i);
        if (extent <= 0) {
            return false;
        }
        if (n == before && extent == t->extent) {
            return tn_tile_by(t, 0, i);
        }
        n *= extent;
    }
    return false;
}

bool tn_tile_reshaped(tn_tiling *t) {
    t->sizes = t->op->n_operands > 1 ? 1 : TN_EVERY;
    return tn_op_attr(t->op, "shape") == NULL && same_place(t);
}

bool tn_tile_kept(tn_tiling *t) {
    return same_place(t);
}

bool tn_tile_gathered(tn_tiling *t) {
    const tn_value *data = tn_operand(t->op, 0), *indices = tn_operand(t->op, 1);
    uint32_t axis;
    if (!data->type->has_rank || !indices->type->has_rank ||
        !tn_part_axis(t->op, 0, data->type->rank, &axis)) {
        return false;
    }
    uint32_t n = indices->type->rank;
    bool index = t->axis >= axis && t->axis < axis + n;
    return tn_tile_by(t, index ? 1 : 0,
                      index            ? t->axis - axis
                      : t->axis < axis ? t->axis
                                       : t->axis - n + 1);
}

/* Rows along the last axis, of two operands that are added. */
bool tn_tile_two_rows(tn_tiling *t) {
    const tn_value *x = tn_operand(t->op, 0), *skip = tn_operand(t->op, 1);
    return t->axis + 1 < t->op->results[0]->type->rank && skip != NULL && skip->type->has_rank &&
           skip->type->rank == x->type->rank && tn_tile_by(t, 0, t->axis) &&
           tn_tile_by(t, 1, t->axis);
}

/* ---- asking ---- */

static bool results_agree(const tn_tiling *t) {
    bool agree = true;
    for (uint32_t i = 0; agree && i < t->op->n_results; i++) {
        const tn_value *v = t->op->results[i];
        agree = v == NULL || (i > 0 && v->n_uses == 0) || extent_at(v, t->axis) == t->extent;
    }
    return agree;
}

bool tn_op_tiling(const tn_op *op, uint32_t axis, tn_arena *arena, tn_tiling *out) {
    const tn_op_info *info = op->info;
    const tn_value *y = tn_result(op, 0);
    if (!tn_op_in_table(op) || y == NULL || op->n_operands == 0 || tn_operand(op, 0) == NULL ||
        extent_at(y, axis) < 0) {
        return false;
    }
    *out = (tn_tiling){.arena = arena,
                       .op = op,
                       .axis = axis,
                       .extent = extent_at(y, axis),
                       .by = TN_ARRAY(arena, uint32_t, op->n_operands),
                       .sizes = TN_EVERY};
    memset(out->by, 0xff, op->n_operands * sizeof *out->by);
    bool good = results_agree(out) && (info->tile != NULL      ? info->tile(out)
                                       : info->formula != NULL ? tn_tile_broadcast(out)
                                                               : as_read(out));
    bool any = out->sizes != TN_EVERY;
    for (uint32_t k = 0; k < op->n_operands; k++) {
        any = any || out->by[k] != TN_EVERY;
    }
    if (good && out->by[0] != TN_EVERY) {
        out->in = extent_at(tn_operand(op, 0), out->by[0]);
    }
    return good && any;
}
