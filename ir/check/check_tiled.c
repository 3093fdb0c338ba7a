#include "ir/check/check_tiled.h"

#include <string.h>

#include "ir/base/diag.h"
#include "ir/check/check_tiled_t.h"
#include "ir/ops/claims.h"
#include "ir/ops/op_attrs.h"
#include "ir/ops/tiling.h"

/* ---- ops ---- */

/* An op of the model, as it was, and the one that does its work for a part. */
typedef struct running {
    const tn_tile_proving *w;
    const tn_op *op, *was;
    const tn_attr *attrs, *attrs_was; /* resolved */
    uint32_t n_attrs, n_attrs_was;
    tn_tile_box y;
    tn_tiling tiling[TN_TILED_AXES];
    uint32_t n;
} running;

static const tn_attr *find(const tn_attr *attrs, uint32_t n, const char *name) {
    for (uint32_t i = 0; i < n; i++) {
        if (strcmp(attrs[i].name, name) == 0) {
            return &attrs[i];
        }
    }
    return NULL;
}

static int64_t pad_at(const tn_attr *attrs, uint32_t n, uint32_t at) {
    const tn_attr *pads = find(attrs, n, "pads");
    return pads != NULL && pads->kind == TN_ATTR_INTS && at < pads->n ? pads->u.ints[at] : 0;
}

/* What Pad adds before an axis: by attribute, or by operand 1 and perhaps the axes of operand 3. */
static int64_t added_before(const tn_op *op, const tn_attr *attrs, uint32_t n, uint32_t axis) {
    const tn_value *v = tn_operand(op, 1), *axes = tn_operand(op, 3);
    const tn_tensor *t = v != NULL ? tn_value_tensor(v) : NULL,
                    *which = axes != NULL ? tn_value_tensor(axes) : NULL;
    if (find(attrs, n, "pads") != NULL) {
        return pad_at(attrs, n, axis);
    }
    uint64_t at = axis;
    for (uint64_t i = 0; which != NULL && which->ints != NULL && i < which->n_elements; i++) {
        at = which->ints[i] == (int64_t)axis ? i : at;
    }
    return t != NULL && t->ints != NULL && at < t->n_elements / 2 ? t->ints[at] : -1;
}

/* One axis of operand 0, as the model's op and as the new one see it. */
typedef struct sight {
    const tn_tiling *t;
    int64_t from, to;           /* that the part has */
    int64_t good_from, good_to; /* of these */
    int64_t whole;              /* extent in the model */
    int64_t first;              /* element of the result with which the part begins */
    int64_t pad_was, pad_is, end_was, end_is;
} sight;

/* Whether element q of the whole is what the part has at q_is, or both are none. */
static bool meets(const sight *s, int64_t q, int64_t q_is) {
    bool was = q >= 0 && q < s->whole, is = q_is >= 0 && q_is < s->to - s->from;
    return was == is && (!was || (q == q_is + s->from && q >= s->good_from && q < s->good_to));
}

static bool window_meets(const sight *s, int64_t r, bool pads_count) {
    const tn_tiling *t = s->t;
    bool same = true;
    for (int64_t j = 0; j < t->kernel && same; j++) {
        int64_t q = r * t->stride - s->pad_was + j * t->dilation;
        int64_t q_is = (r - s->first) * t->stride - s->pad_is + j * t->dilation;
        same = meets(s, q, q_is) &&
               (!pads_count || (q < s->whole + s->end_was) == (q_is < s->to - s->from + s->end_is));
    }
    return same;
}

static bool spread_meets(const sight *s, int64_t r) {
    const tn_tiling *t = s->t;
    bool same = true;
    for (int64_t j = 0; j < t->kernel && same; j++) {
        int64_t q = r + s->pad_was - j * t->dilation;
        int64_t q_is = r - s->first + s->pad_is - j * t->dilation;
        bool was = q >= 0 && q % t->stride == 0, is = q_is >= 0 && q_is % t->stride == 0;
        same = was && is ? meets(s, q / t->stride, q_is / t->stride)
               : was     ? q / t->stride >= s->whole
               : is      ? q_is / t->stride >= s->to - s->from
                         : true;
    }
    return same;
}

/* All neighbours that the whole has are there and right. */
static bool scaled_meets(const sight *s, int64_t r) {
    int64_t at = r / s->t->scale, from = at - s->t->reach, to = at + s->t->reach + 1;
    from = from < 0 ? 0 : from;
    to = to > s->whole ? s->whole : to;
    return s->first == s->from * s->t->scale && from >= s->good_from && to <= s->good_to;
}

static bool element_meets(const sight *s, int64_t r, bool pads_count) {
    switch (s->t->kind) {
    case TN_TILE_SAME:
        return meets(s, r, r - s->first);
    case TN_TILE_WINDOW:
        return window_meets(s, r, pads_count);
    case TN_TILE_SPREAD:
        return spread_meets(s, r);
    case TN_TILE_SCALED:
        return scaled_meets(s, r);
    case TN_TILE_PADDED:
        return meets(s, r - s->pad_was, r - s->first - s->pad_is);
    }
    return false;
}

static void see_pads(const running *u, uint32_t d, sight *s) {
    const tn_tiling *t = &u->tiling[d];
    uint32_t at = t->axis - 2, axes = u->y.rank - 2;
    if (t->kind == TN_TILE_WINDOW || t->kind == TN_TILE_SPREAD) {
        s->pad_was = pad_at(u->attrs_was, u->n_attrs_was, at);
        s->end_was = pad_at(u->attrs_was, u->n_attrs_was, at + axes);
        s->pad_is = pad_at(u->attrs, u->n_attrs, at);
        s->end_is = pad_at(u->attrs, u->n_attrs, at + axes);
    } else if (t->kind == TN_TILE_PADDED) {
        s->pad_was = added_before(u->was, u->attrs_was, u->n_attrs_was, t->axis);
        s->pad_is = added_before(u->op, u->attrs, u->n_attrs, t->axis);
    }
}

/* Every element that is said to be right is. */
static const char *prove_axis(const running *u, uint32_t d, uint32_t k) {
    const tn_tiling *t = &u->tiling[d];
    tn_tiling same = *t;
    tn_tile_box x, whole;
    if (!tn_tile_box_of(u->w, tn_operand(u->op, k), &x) || x.flat ||
        !tn_tile_box_whole(x.of, &whole)) {
        return "what it reads is not there";
    }
    same.kind = k == 0 ? t->kind : TN_TILE_SAME;
    uint32_t a = t->by[k];
    sight s = {.t = &same,
               .from = x.from[a],
               .to = x.to[a],
               .good_from = x.good_from[a],
               .good_to = x.good_to[a],
               .whole = whole.to[a],
               .first = u->y.from[t->axis]};
    if (k == 0) {
        see_pads(u, d, &s);
    }
    const tn_attr *count = find(u->attrs, u->n_attrs, "count_include_pad");
    bool pads_count = count != NULL && count->kind == TN_ATTR_INT && count->u.i != 0;
    for (int64_t r = u->y.good_from[t->axis]; r < u->y.good_to[t->axis]; r++) {
        if (!element_meets(&s, r, pads_count)) {
            return "an element of its result is not made of what the model makes it of";
        }
    }
    return NULL;
}

static bool is_along(const running *u, uint32_t i, uint32_t axes) {
    for (uint32_t d = 0; d < u->n; d++) {
        tn_tile_kind kind = u->tiling[d].kind;
        bool moves = kind == TN_TILE_WINDOW || kind == TN_TILE_SPREAD || kind == TN_TILE_PADDED;
        uint32_t at = kind == TN_TILE_PADDED ? u->tiling[d].axis : u->tiling[d].axis - 2;
        if (moves && (i % axes) == at) {
            return true;
        }
    }
    return false;
}

/* Lists that have a number for each axis, twice for pads: equal but along axes of parts. */
static bool same_but_axes(const running *u, const tn_attr *a, const tn_attr *b, uint32_t axes) {
    bool same = a->n == b->n && axes > 0;
    for (uint32_t i = 0; same && i < a->n; i++) {
        same = a->u.ints[i] == b->u.ints[i] || is_along(u, i, axes);
    }
    return same;
}

static bool same_ints(const tn_attr *a, const tn_attr *b) {
    return a->n == b->n && memcmp(a->u.ints, b->u.ints, a->n * sizeof *a->u.ints) == 0;
}

/* Kinds that no test here tells apart were copied with the op: they are the same object. */
static bool same_attr(const tn_attr *a, const tn_attr *b) {
    if (a->kind != b->kind || a->n != b->n) {
        return false;
    }
    if (a->kind == TN_ATTR_INTS) {
        return same_ints(a, b);
    }
    if (a->kind == TN_ATTR_STRING) {
        return a->u.s.len == b->u.s.len && memcmp(a->u.s.data, b->u.s.data, a->u.s.len) == 0;
    }
    if (a->kind == TN_ATTR_FLOATS) {
        return memcmp(a->u.floats, b->u.floats, a->n * sizeof *a->u.floats) == 0;
    }
    return a->kind == TN_ATTR_FLOAT ? memcmp(&a->u.f, &b->u.f, sizeof a->u.f) == 0
                                    : a->u.i == b->u.i;
}

/* How windows and images end is in the extents, which types prove; all else is as it was. */
static bool same_attributes(const running *u) {
    uint32_t axes = u->y.rank > 2 ? u->y.rank - 2 : 0;
    for (uint32_t i = 0; i < u->n_attrs_was; i++) {
        const tn_attr *a = &u->attrs_was[i], *b = find(u->attrs, u->n_attrs, a->name);
        bool pads = strcmp(a->name, "pads") == 0 || strcmp(a->name, "output_padding") == 0;
        bool ends = strcmp(a->name, "ceil_mode") == 0;
        if (pads && b != NULL && a->kind == TN_ATTR_INTS && b->kind == TN_ATTR_INTS) {
            bool padded = u->n > 0 && a->n == 2 * u->y.rank;
            if (!same_but_axes(u, a, b, padded ? u->y.rank : axes)) {
                return false;
            }
        } else if (!ends && (b == NULL || !same_attr(a, b))) {
            return false;
        }
    }
    return true;
}

/* An operand that all parts read as it is, or one that says how large the result is. */
static bool same_operand(const running *u, uint32_t k) {
    const tn_value *v = tn_operand(u->op, k), *was = tn_operand(u->was, k);
    bool stated = false;
    for (uint32_t d = 0; d < u->n; d++) {
        stated =
            stated || u->tiling[d].sizes == k || (u->tiling[d].kind == TN_TILE_PADDED && k == 1);
    }
    return v != NULL && was != NULL && (v->id == was->id || (stated && tn_value_tensor(v) != NULL));
}

static bool holds_operand(const running *u, uint32_t k, const tn_tile_box *x) {
    const tn_value *was = tn_operand(u->was, k);
    return was != NULL && x->of->id == was->id;
}

static const char *prove_operand(const running *u, uint32_t k) {
    bool parts = false;
    tn_tile_box x;
    for (uint32_t d = 0; d < u->n; d++) {
        parts = parts || u->tiling[d].by[k] != TN_EVERY;
    }
    if (!parts) {
        return same_operand(u, k) ? NULL : "it reads another value than the model's op";
    }
    if (tn_operand(u->op, k) == NULL || !tn_tile_box_of(u->w, tn_operand(u->op, k), &x) ||
        !holds_operand(u, k, &x)) {
        return "it reads a part of another value than the model's op";
    }
    tn_tile_box whole;
    (void)tn_tile_box_whole(x.of, &whole);
    for (uint32_t a = 0; a < x.rank; a++) {
        bool along = false;
        for (uint32_t d = 0; d < u->n; d++) {
            along = along || u->tiling[d].by[k] == a;
        }
        if (!along && (x.good_from[a] != 0 || x.good_to[a] != whole.to[a])) {
            return "it reads a part along an axis of which it needs all";
        }
    }
    const char *why = NULL;
    for (uint32_t d = 0; d < u->n && why == NULL; d++) {
        why = u->tiling[d].by[k] != TN_EVERY ? prove_axis(u, d, k) : NULL;
    }
    return why;
}

/* All results hold the same part. */
static bool results_match(const running *u) {
    for (uint32_t r = 0; r < u->op->n_results; r++) {
        const tn_value *v = u->op->results[r];
        tn_tile_box y;
        if (v == NULL) {
            continue;
        }
        if (!tn_tile_box_claimed(u->w, v, &y) || y.flat || u->was->results[r] == NULL ||
            y.of->id != u->was->results[r]->id) {
            return false;
        }
        for (uint32_t d = 0; d < u->n; d++) {
            uint32_t a = u->tiling[d].axis;
            if (a >= y.rank || y.from[a] != u->y.from[a] || y.to[a] != u->y.to[a] ||
                y.good_from[a] != u->y.good_from[a] || y.good_to[a] != u->y.good_to[a]) {
                return false;
            }
        }
    }
    return true;
}

static const char *prove_run(const tn_tile_proving *w, const tn_op *op, const tn_op *was,
                             const tn_tile_box *y) {
    running u = {.w = w, .op = op, .was = was, .y = *y};
    const tn_tiled_value *claim = w->claims[op->results[0]->id];
    const uint32_t never = TN_T_RANDOM | TN_T_SIDE_EFFECT | TN_T_UPDATE | TN_T_CONTROL | TN_T_CALL |
                           TN_T_SEQUENCE | TN_T_BARRIER | TN_T_DATA_SHAPE;
    if (was->erased || op->info != was->info || op->version != was->version ||
        op->n_operands != was->n_operands || op->n_results != was->n_results || claim == NULL ||
        op->n_regions > 0 || (op->info->traits & never) != 0 || !tn_op_in_table(op)) {
        return "it is not what an op of the model does";
    }
    u.attrs = tn_op_resolve_attrs(w->m, op, w->arena, &u.n_attrs);
    u.attrs_was = tn_op_resolve_attrs(w->model, was, w->arena, &u.n_attrs_was);
    for (; u.n < claim->n; u.n++) {
        if (!tn_op_tiling(was, claim->axis[u.n], w->arena, &u.tiling[u.n])) {
            return "the op cannot work in parts along that axis";
        }
    }
    if (!results_match(&u) || !same_attributes(&u)) {
        return "its attributes or results are not those of the model's op";
    }
    const char *why = NULL;
    for (uint32_t k = 0; k < op->n_operands && why == NULL; k++) {
        bool none = tn_operand(op, k) == NULL && tn_operand(was, k) == NULL;
        why = none ? NULL : prove_operand(&u, k);
    }
    return why;
}

/* ---- a stretch ---- */

static tn_status fail(const tn_tile_proving *w, const tn_op *op, const char *why) {
    tn_loc loc = tn_loc_file(w->m->file);
    return tn_error(w->m->ctx, &loc,
                    "%s '%s', which runs for a part of a stretch (ops %u to %u): %s", op->type,
                    op->name, w->s->first, w->s->last, why);
}

static tn_status prove_op(tn_tile_proving *w, const tn_tiled_op *t) {
    const tn_op *op = w->m->ops[t->op];
    const tn_value *y = tn_result(op, 0);
    tn_tile_box *made = TN_NEW(w->arena, tn_tile_box);
    if (op->erased || y == NULL || !tn_tile_box_claimed(w, y, made)) {
        return fail(w, op, "it does not make what is said of it");
    }
    const char *why = t->kind != TN_TILED_RUN     ? tn_tile_prove_own(w, op, t->kind, made)
                      : t->was >= w->model->n_ops ? "it runs no op of the model"
                                                  : prove_run(w, op, w->model->ops[t->was], made);
    for (uint32_t r = 0; r < op->n_results && why == NULL; r++) {
        if (op->results[r] != NULL) {
            tn_tile_box *other = TN_NEW(w->arena, tn_tile_box);
            (void)tn_tile_box_claimed(w, op->results[r], other);
            w->proved[op->results[r]->id] = other;
        }
    }
    return why == NULL ? TN_OK : fail(w, op, why);
}

/* What others read of the model's ops is joined again, as a whole. */
static tn_status prove_exits(const tn_tile_proving *w) {
    for (uint32_t i = 0; i < w->s->was.len; i++) {
        const tn_op *was = w->model->ops[w->s->was.data[i]];
        for (uint32_t r = 0; r < was->n_results; r++) {
            const tn_value *v = was->results[r] != NULL ? w->m->values[was->results[r]->id] : NULL;
            bool read = v != NULL && (v->n_uses > 0 || (v->flags & TN_VF_OUTPUT) != 0);
            if (read && (v->def->erased || w->proved[v->id] == NULL || w->proved[v->id]->of != v ||
                         w->claims[v->id] != NULL)) {
                return fail(w, was, "its result is read, but is not made as a whole");
            }
        }
    }
    return TN_OK;
}

tn_status tn_tiled_check(const tn_module *m, const tn_module *model) {
    tn_status status = TN_OK;
    tn_arena *arena = tn_arena_new(m->ctx);
    tn_tile_proving w = {.m = m, .model = model, .arena = arena};
    w.proved = TN_ARRAY(arena, const tn_tile_box *, m->n_values);
    w.claims = TN_ARRAY(arena, const tn_tiled_value *, m->n_values);
    for (uint32_t i = 0; m->tiled != NULL && i < m->tiled->stretches.len && status == TN_OK; i++) {
        w.s = &m->tiled->stretches.data[i];
        for (uint32_t k = 0; k < w.s->made.len; k++) {
            w.claims[w.s->made.data[k].value] = &w.s->made.data[k];
        }
        for (uint32_t k = 0; k < w.s->ops.len && status == TN_OK; k++) {
            status = prove_op(&w, &w.s->ops.data[k]);
        }
        status = status == TN_OK ? prove_exits(&w) : status;
    }
    tn_arena_drop(arena);
    return status;
}
