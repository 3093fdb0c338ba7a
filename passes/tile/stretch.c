/* Axes go from the last op of a stretch backwards to what it is made of, and forwards from there to
 * what else is made of the same: ops that cannot follow stay outside. */
#include "passes/tile/stretch.h"

#include <string.h>

#include "ir/base/sort.h"
#include "ir/infer/infer.h"
#include "ir/mutate.h"
#include "ir/ops/claims.h"
#include "passes/recompute/clonable.h"

int64_t tn_tile_extent(const tn_value *v, uint32_t axis) {
    int64_t extent;
    const tn_type *t = v->type;
    bool known = t->kind == TN_TYPE_TENSOR && t->has_rank && axis < t->rank &&
                 tn_dim_is_const(v->graph->module->dims, t->dims[axis], &extent);
    return known ? extent : -1;
}

bool tn_tile_is_run(const tn_value *v, uint32_t axis) {
    for (uint32_t i = 0; i < axis; i++) {
        if (tn_tile_extent(v, i) != 1) {
            return false;
        }
    }
    return true;
}

static void mark_kept(tn_tile_model *w) {
    for (uint32_t i = 0; i < w->m->n_values; i++) {
        const tn_value *v = w->m->values[i];
        w->kept[i] = (v->flags & (TN_VF_OUTPUT | TN_VF_LOSS | TN_VF_STATE | TN_VF_EXCLUDED |
                                  TN_VF_PARAM_GRAD)) != 0;
    }
    for (uint32_t i = 0; i < w->m->n_bindings; i++) {
        w->kept[w->m->bindings[i].value->id] = true;
    }
}

static int ascending(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    return TN_COMPARE(*x, *y);
}

static void list_main(tn_tile_model *w) {
    w->n_ops = 0;
    TN_FOR_OPS(op, w->m->main) {
        w->position[op->id] = w->n_ops;
        w->ops[w->n_ops++] = op;
    }
}

/* Whether all that it reads is constant, or made by ops that wait, and what it makes is read by ops
 * of the main graph. */
static bool may_wait(const tn_tile_model *w, const tn_op *op, const bool *waits) {
    bool good = w->may[op->id], read = false;
    for (uint32_t k = 0; k < op->n_operands && good; k++) {
        const tn_value *v = op->operands[k].value;
        good = v == NULL || tn_is_const(v) || (v->def != NULL && waits[v->def->id]);
    }
    for (uint32_t r = 0; r < op->n_results && good; r++) {
        const tn_value *v = op->results[r];
        for (const tn_use *u = v != NULL ? v->first_use : NULL; u != NULL && good; u = u->next) {
            good = u->op != NULL && u->op->graph == w->m->main;
            read = true;
        }
    }
    return good && read;
}

/* Those that wait for a reader, and for one another, in order. */
static void call_waiting(tn_tile_model *w, const tn_op *reader, bool *waits, tn_arena *scratch) {
    TN_VEC(uint32_t) called = {0};
    for (uint32_t i = 0; i == 0 || i <= called.len; i++) {
        const tn_op *op = i == 0 ? reader : w->ops[called.data[i - 1]];
        for (uint32_t k = 0; k < op->n_operands; k++) {
            const tn_value *v = op->operands[k].value;
            if (v != NULL && v->def != NULL && waits[v->def->id]) {
                waits[v->def->id] = false;
                tn_vec_push(scratch, &called, w->position[v->def->id]);
            }
        }
    }
    TN_SORT(called.data, called.len, ascending);
    for (uint32_t i = 0; i < called.len; i++) {
        tn_op_move_before(w->ops[called.data[i]], w->ops[w->position[reader->id]]);
    }
}

/* What is made of constants alone, which many files have at their beginning, comes right before its
 * first reader, so that both can be in one stretch. */
static void let_consts_wait(tn_tile_model *w) {
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(w->arena));
    bool *waits = TN_ARRAY(scratch, bool, w->m->n_ops);
    for (uint32_t i = 0; i < w->n_ops; i++) {
        waits[w->ops[i]->id] = may_wait(w, w->ops[i], waits);
    }
    for (uint32_t i = 0; i < w->n_ops; i++) {
        if (!waits[w->ops[i]->id]) {
            call_waiting(w, w->ops[i], waits, scratch);
        }
    }
    tn_arena_drop(scratch);
    list_main(w);
}

tn_tile_model *tn_tile_model_make(tn_module *m, tn_arena *arena) {
    tn_tile_model *w = TN_NEW(arena, tn_tile_model);
    *w = (tn_tile_model){.m = m, .arena = arena, .n_ids = m->n_ops, .tilings = tn_map_make(arena)};
    w->ops = TN_ARRAY(arena, tn_op *, m->main->n_ops);
    w->position = TN_ARRAY(arena, uint32_t, m->n_ops);
    w->kept = TN_ARRAY(arena, bool, m->n_values);
    w->may = tn_clonable_ops(m, arena);
    memset(w->position, 0xff, m->n_ops * sizeof *w->position);
    list_main(w);
    let_consts_wait(w);
    mark_kept(w);
    return w;
}

static void say_nothing(tn_infer *in, const char *text) {
    (void)in;
    (void)text;
}

/* Operands that do not go together, of which a warning was given: what parts of them make is
 * anybody's guess. */
static bool contradicts(const tn_tile_model *w, const tn_op *op) {
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(w->arena));
    tn_infer in = {.ctx = tn_arena_ctx(w->arena),
                   .m = w->m,
                   .arena = w->m->arena,
                   .scratch = scratch,
                   .dims = w->m->dims,
                   .on_conflict = say_nothing};
    tn_infer_op(&in, op);
    bool failed = in.failed;
    tn_arena_drop(scratch);
    return failed;
}

const tn_tiling *tn_tile_tiling(tn_tile_model *w, const tn_op *op, uint32_t axis) {
    uint64_t at, key = (uint64_t)op->id << 8 | axis;
    if (!tn_map_get(&w->tilings, key, &at)) {
        tn_tiling *t = TN_NEW(w->arena, tn_tiling);
        bool good = w->may[op->id] && tn_op_tiling(op, axis, w->arena, t) && !contradicts(w, op);
        at = w->known.len;
        tn_map_put(&w->tilings, key, at);
        tn_vec_push(w->arena, &w->known, good ? t : NULL);
    }
    return w->known.data[at];
}

typedef struct finding {
    tn_tile_model *w;
    const tn_tile_ask *ask;
    tn_stretch *s;
    tn_arena *arena;
    bool *in, *banned; /* by position from ask->first on */
    bool changed;
} finding;

static bool is_inside(const finding *f, const tn_op *op) {
    uint32_t at = op != NULL ? f->w->position[op->id] : TN_EVERY;
    return at != TN_EVERY && at >= f->ask->first && at <= f->ask->last && f->in[at - f->ask->first];
}

static bool has_axes(const finding *f, const tn_value *v) {
    return f->s->axis[0][v->id] != TN_EVERY;
}

/* Takes the op out; what it makes comes from outside then. */
static void ban(finding *f, const tn_op *op) {
    uint32_t at = f->w->position[op->id] - f->ask->first;
    f->changed = f->changed || !f->banned[at];
    f->banned[at] = true;
    f->in[at] = false;
    for (uint32_t r = 0; r < op->n_results; r++) {
        for (uint32_t d = 0; d < f->ask->n && op->results[r] != NULL; d++) {
            f->s->axis[d][op->results[r]->id] = TN_EVERY;
        }
    }
}

/* The value is wanted in parts along these axes. Only what is made in the stretch has them. */
static void want(finding *f, const tn_value *v, const uint32_t *axis) {
    const tn_op *def = v->def;
    uint32_t at = def != NULL && v->graph == f->w->m->main ? f->w->position[def->id] : TN_EVERY;
    if (at == TN_EVERY || at < f->ask->first || at > f->ask->last ||
        f->banned[at - f->ask->first]) {
        return;
    }
    for (uint32_t d = 0; d < f->ask->n; d++) {
        if (tn_tile_tiling(f->w, def, axis[d]) == NULL ||
            (has_axes(f, v) && f->s->axis[d][v->id] != axis[d])) {
            ban(f, def);
            return;
        }
    }
    f->changed = f->changed || !f->in[at - f->ask->first];
    f->in[at - f->ask->first] = true;
    for (uint32_t r = 0; r < def->n_results; r++) {
        for (uint32_t d = 0; d < f->ask->n && def->results[r] != NULL; d++) {
            f->s->axis[d][def->results[r]->id] = axis[d];
        }
    }
}

/* Axes of an operand that go with those of the result; false where one of them has none. */
static bool axes_of(const finding *f, const tn_op *op, uint32_t k, uint32_t *axis) {
    for (uint32_t d = 0; d < f->ask->n; d++) {
        const tn_tiling *t = tn_tile_tiling(f->w, op, f->s->axis[d][op->results[0]->id]);
        axis[d] = t->by[k];
        if (axis[d] == TN_EVERY) {
            return false;
        }
    }
    return true;
}

static void go_back(finding *f) {
    for (uint32_t at = f->ask->last + 1; at-- > f->ask->first;) {
        const tn_op *op = f->w->ops[at];
        uint32_t axis[TN_TILED_AXES];
        for (uint32_t k = 0; k < op->n_operands && f->in[at - f->ask->first]; k++) {
            const tn_value *v = op->operands[k].value;
            if (v != NULL && axes_of(f, op, k, axis)) {
                want(f, v, axis);
            }
        }
    }
}

/* The axes of the result that go with those of operand k. */
static bool find_axes(const finding *f, const tn_op *op, uint32_t k, uint32_t *axis) {
    const tn_value *x = op->operands[k].value, *y = tn_result(op, 0);
    uint32_t rank = y != NULL && y->type->has_rank ? y->type->rank : 0;
    for (uint32_t d = 0; d < f->ask->n; d++) {
        axis[d] = TN_EVERY;
        for (uint32_t a = 0; a < rank && axis[d] == TN_EVERY; a++) {
            const tn_tiling *t = tn_tile_tiling(f->w, op, a);
            if (t != NULL && t->by[k] == f->s->axis[d][x->id]) {
                axis[d] = a;
            }
        }
        if (axis[d] == TN_EVERY) {
            return false;
        }
    }
    return true;
}

static void go_on(finding *f) {
    for (uint32_t at = f->ask->first; at <= f->ask->last; at++) {
        const tn_op *op = f->w->ops[at];
        uint32_t axis[TN_TILED_AXES];
        bool open = !f->in[at - f->ask->first] && !f->banned[at - f->ask->first];
        for (uint32_t k = 0; k < op->n_operands && open; k++) {
            const tn_value *v = op->operands[k].value;
            if (v != NULL && is_inside(f, v->def) && has_axes(f, v) && find_axes(f, op, k, axis)) {
                want(f, op->results[0], axis);
                open = false;
            }
        }
    }
}

/* What is made in parts cannot be read as a whole, nor along other axes. */
static void keep_parts(finding *f) {
    for (uint32_t at = f->ask->first; at <= f->ask->last; at++) {
        const tn_op *op = f->w->ops[at];
        for (uint32_t k = 0; k < op->n_operands && f->in[at - f->ask->first]; k++) {
            const tn_value *v = op->operands[k].value;
            uint32_t axis[TN_TILED_AXES];
            bool fits = v == NULL || !is_inside(f, v->def) || axes_of(f, op, k, axis);
            for (uint32_t d = 0; d < f->ask->n && fits && v != NULL && is_inside(f, v->def); d++) {
                fits = f->s->axis[d][v->id] == axis[d];
            }
            if (!fits) {
                ban(f, v->def);
            }
        }
    }
}

static bool reads_inside(const finding *f, const tn_op *op, const bool *tainted) {
    for (uint32_t k = 0; k < op->n_operands; k++) {
        const tn_op *def = op->operands[k].value != NULL ? op->operands[k].value->def : NULL;
        uint32_t at = def != NULL ? f->w->position[def->id] : TN_EVERY;
        if (at != TN_EVERY && at >= f->ask->first && at <= f->ask->last &&
            (tainted[at - f->ask->first] || f->in[at - f->ask->first])) {
            return true;
        }
    }
    return false;
}

/* No path from one op of the stretch to another leads outside. Ops with nested graphs may read
 * anything. */
static bool is_closed(const finding *f) {
    uint32_t n = f->ask->last - f->ask->first + 1;
    bool *tainted = TN_ARRAY(f->arena, bool, n), closed = true;
    for (uint32_t i = 0; i < n && closed; i++) {
        const tn_op *op = f->w->ops[f->ask->first + i];
        tainted[i] = !f->in[i] && (op->n_regions > 0 || reads_inside(f, op, tainted));
        for (uint32_t k = 0; k < op->n_operands && f->in[i]; k++) {
            const tn_value *v = op->operands[k].value;
            uint32_t at = v != NULL && v->def != NULL ? f->w->position[v->def->id] : TN_EVERY;
            closed = closed && (at == TN_EVERY || at < f->ask->first || at > f->ask->last ||
                                !tainted[at - f->ask->first]);
        }
    }
    return closed;
}

static void list_ops(finding *f) {
    tn_stretch *s = f->s;
    for (uint32_t at = f->ask->first; at <= f->ask->last; at++) {
        tn_op *op = f->w->ops[at];
        if (!f->in[at - f->ask->first]) {
            continue;
        }
        s->member[op->id] = s->ops.len;
        tn_vec_push(f->arena, &s->ops, op);
        for (uint32_t d = 0; d < f->ask->n; d++) {
            const tn_tiling *t = tn_tile_tiling(f->w, op, s->axis[d][op->results[0]->id]);
            tn_vec_push(f->arena, &s->tiling[d], t);
        }
    }
}

static bool has_extents(const tn_value *v, int64_t least) {
    bool good = v == NULL || v->type->has_rank;
    for (uint32_t a = 0; v != NULL && good && a < v->type->rank; a++) {
        good = tn_tile_extent(v, a) >= least;
    }
    return good;
}

/* Parts of what has no size have none; of what has no element there are none. */
static bool has_sizes(const tn_stretch *s) {
    bool good = true;
    for (uint32_t i = 0; i < s->ops.len && good; i++) {
        const tn_op *op = s->ops.data[i];
        for (uint32_t r = 0; r < op->n_results && good; r++) {
            good = has_extents(op->results[r], 1);
        }
        for (uint32_t k = 0; k < op->n_operands && good; k++) {
            good = has_extents(op->operands[k].value, 0);
        }
    }
    return good;
}

static bool is_exit(const tn_stretch *s, const tn_value *v) {
    bool read = s->model->kept[v->id];
    for (const tn_use *u = v->first_use; u != NULL && !read; u = u->next) {
        read = !tn_stretch_has(s, u->op);
    }
    return read;
}

static bool list_exits(finding *f) {
    tn_stretch *s = f->s;
    bool fits = true;
    for (uint32_t i = 0; i < s->ops.len; i++) {
        const tn_op *op = s->ops.data[i];
        for (uint32_t r = 0; r < op->n_results; r++) {
            tn_value *v = op->results[r];
            if (v == NULL || !is_exit(s, v)) {
                continue;
            }
            tn_vec_push(f->arena, &s->exits, v);
            for (uint32_t d = 0; d < f->ask->n; d++) {
                fits = fits && tn_tile_extent(v, s->axis[d][v->id]) >= f->ask->parts[d];
            }
        }
    }
    return fits && s->exits.len > 0;
}

static uint32_t *every(tn_arena *arena, uint32_t n) {
    uint32_t *all = TN_ARRAY(arena, uint32_t, n);
    memset(all, 0xff, n * sizeof *all);
    return all;
}

const char *tn_stretch_make(tn_tile_model *w, const tn_tile_ask *ask, tn_arena *arena,
                            tn_stretch *out) {
    enum { ROUNDS = 4 };
    if (ask->first > ask->last || ask->last >= w->n_ops) {
        return "the graph has no such ops";
    }
    *out = (tn_stretch){.model = w, .ask = *ask, .member = every(arena, w->m->n_ops)};
    uint32_t n = ask->last - ask->first + 1;
    finding f = {w, ask, out, arena, TN_ARRAY(arena, bool, n), TN_ARRAY(arena, bool, n), true};
    const tn_value *y = tn_result(w->ops[ask->last], 0);
    for (uint32_t d = 0; d < ask->n; d++) {
        out->axis[d] = every(arena, w->m->n_values);
    }
    if (y == NULL) {
        return "its last op has no result";
    }
    want(&f, y, ask->axis);
    if (!f.in[n - 1]) {
        return "its last op cannot make a part of its result along that axis";
    }
    for (uint32_t i = 0; f.changed && i < ROUNDS; i++) {
        f.changed = false;
        go_back(&f);
        go_on(&f);
        keep_parts(&f);
    }
    if (f.changed || !is_closed(&f)) {
        return "what one of its ops reads is made of its own results by ops that cannot run in "
               "parts";
    }
    list_ops(&f);
    return out->ops.len < 2  ? "less than two of its ops can run in parts together"
           : !has_sizes(out) ? "an extent of what one of its ops reads or makes is 0, or no "
                               "number; bind it (--dim)"
           : !list_exits(&f)
               ? "what it gives has fewer elements along the axis than parts are asked "
                 "for"
               : NULL;
}
