/* From the last nest of a group backwards: a nest, an op or a group of ops, that feeds the group
 * alone goes into it where all can be done by rows, and where that makes no place fuller. A view
 * goes into the nest that reads it, as it needs none. */
#include "ir/compute/by_rows.h"
#include "ir/mutate.h"
#include "ir/ops/claims.h"
#include "ir/ops/group_claims.h"
#include "passes/fuse/fuse_load.h"
#include "passes/fuse/grow.h"

/* Times the bytes of the workspace, at least, are spared; ops that are looked ahead; ops between
 * the first and the last one, at most. */
enum { WORTH = 2, AHEAD = 2, MOST_SPAN = 4096 };

typedef struct stacking {
    tn_module *m;
    tn_arena *scratch;
    const bool *apart, *overwritten; /* by value id, of the model as it came */
    tn_map left;                     /* results that were tried in vain, for the group at hand */
    tn_fuse_memory *memory;
    tn_grown *grown;
    tn_fuse_load load;
    uint32_t n_ops; /* of the model with groups of one nest */
} stacking;

/* Units: ops of the model, or groups with one nest; each is part of a nest. */
typedef struct stack {
    tn_group units;
    uint32_t nest[TN_ROWS_OPERANDS];
    uint64_t workspace, spared;
    int64_t rows;         /* 0: it is one nest */
    const tn_value *over; /* the result may lie over it, and it ends there; or NULL */
} stack;

/* The parts of all units, and the nest of each. */
static tn_group flatten(tn_arena *arena, const stack *s, uint32_t **of) {
    tn_group parts = {0};
    TN_VEC(uint32_t) nests = {0};
    for (uint32_t i = 0; i < s->units.len; i++) {
        tn_op *op = s->units.data[i];
        for (uint32_t k = 0; k < op->n_parts; k++) {
            tn_vec_push(arena, &parts, op->graph->module->ops[op->parts[k]->id]);
            tn_vec_push(arena, &nests, s->nest[i]);
        }
        if (op->n_parts == 0) {
            tn_vec_push(arena, &parts, op);
            tn_vec_push(arena, &nests, s->nest[i]);
        }
    }
    *of = nests.data;
    return parts;
}

/* Whether there is a kernel of the units; what it takes and spares. */
static bool is_possible(const stacking *w, stack *s) {
    tn_arena *arena = tn_arena_new(w->m->ctx);
    uint32_t *of;
    tn_group parts = flatten(arena, s, &of);
    const tn_fuse_outcome *out = tn_fuse_try(w->memory, w->m, &parts, of);
    const tn_op *last = s->units.data[s->units.len - 1];
    s->over = NULL;
    for (uint32_t i = 0; i < out->n_over && s->over == NULL; i++) {
        const tn_value *v = w->m->values[out->over[i]];
        s->over = tn_fuse_load_ends(&w->load, v, last) ? v : NULL;
    }
    s->workspace = out->workspace;
    s->spared = out->spared;
    s->rows = out->rows;
    tn_arena_drop(arena);
    return out->possible;
}

static bool is_unit(const stacking *w, const tn_op *op, bool last) {
    return op->id < w->n_ops &&
           (tn_op_is_group(op) || tn_grow_may_join(w->scratch, op, last, w->overwritten));
}

/* With one more in front: in a nest of its own, or in the one that reads it. */
static stack with(const stacking *w, const stack *s, tn_op *op, bool joins, uint32_t nest) {
    stack out = {.units = {0}};
    uint32_t at = 0;
    while (joins && s->nest[at] != nest) {
        at++;
    }
    for (uint32_t i = 0; i <= s->units.len; i++) {
        out.nest[out.units.len] = i == at ? (joins ? nest : 0) : 0;
        if (i == at) {
            tn_vec_push(w->scratch, &out.units, op);
        }
        if (i < s->units.len) {
            out.nest[out.units.len] = s->nest[i] + !joins;
            tn_vec_push(w->scratch, &out.units, s->units.data[i]);
        }
    }
    return out;
}

/* The one nest that reads the value; TN_ROWS_NESTS: several do. */
static uint32_t reader_of(const stack *s, const tn_value *v) {
    uint32_t found = TN_ROWS_NESTS;
    for (uint32_t i = 0; i < s->units.len; i++) {
        for (uint32_t k = 0; k < s->units.data[i]->n_operands; k++) {
            if (s->units.data[i]->operands[k].value == v) {
                if (found != TN_ROWS_NESTS && found != s->nest[i]) {
                    return TN_ROWS_NESTS;
                }
                found = s->nest[i];
            }
        }
    }
    return found;
}

/* What makes operand k of a unit, where it feeds the group alone and was not tried; NULL: nothing
 * such. */
static tn_op *feeder_of(const stacking *w, const stack *s, const tn_op *op, uint32_t k) {
    uint64_t none;
    const tn_value *v = op->operands[k].value;
    tn_op *def = v != NULL && v->graph == op->graph ? v->def : NULL;
    bool feeds = def != NULL && !tn_group_has(&s->units, def) && def->results[0] == v &&
                 !w->apart[v->id] && !tn_map_get(&w->left, v->id, &none) &&
                 tn_group_keeps(&s->units, v) && is_unit(w, def, false);
    return feeds ? def : NULL;
}

static tn_op *find_feeder(const stacking *w, const stack *s) {
    tn_op *def = NULL;
    for (uint32_t i = 0; i < s->units.len && def == NULL; i++) {
        for (uint32_t k = 0; k < s->units.data[i]->n_operands && def == NULL; k++) {
            def = feeder_of(w, s, s->units.data[i], k);
        }
    }
    return def;
}

/* Whether the fullest place between its ops is no fuller with `b` than with `a`, which has fewer.
 */
static bool is_less(const stacking *w, const stack *b, const stack *a) {
    uint32_t from = tn_fuse_load_begin(&w->load, &b->units);
    uint32_t end = w->load.at[b->units.data[b->units.len - 1]->id];
    return end - from <= MOST_SPAN &&
           tn_fuse_load_with(&w->load, &b->units, from, b->workspace, b->over) <=
               tn_fuse_load_with(&w->load, &a->units, from, a->workspace, a->over);
}

/* The group with the op, a view in the nest that reads it. False where there is no kernel of it, or
 * it has fewer rows, such as heads where it had queries of heads. */
static bool join(const stacking *w, const stack *s, tn_op *op, stack *more) {
    uint32_t nest = reader_of(s, op->results[0]), last = s->nest[s->units.len - 1];
    if (s->units.len + 1 >= TN_ROWS_OPERANDS) {
        return false;
    }
    if (tn_grow_is_view(op) && nest < TN_ROWS_NESTS) {
        *more = with(w, s, op, true, nest);
        if (is_possible(w, more)) {
            return true;
        }
    }
    *more = with(w, s, op, false, 0);
    return last + 1 < TN_ROWS_NESTS && is_possible(w, more) && more->rows >= s->rows;
}

/* Whether the group is better with the op, or with what feeds that alone, too: scores that softmax
 * may lie over need bytes as long as one of the two is outside. It then has them. */
static bool take(stacking *w, stack *s, const stack *base, tn_op *op, uint32_t ahead) {
    stack more;
    if (!join(w, s, op, &more)) {
        return false;
    }
    bool better = (more.rows == 0 && ahead == AHEAD) || is_less(w, &more, base);
    for (uint32_t k = 0; k < op->n_operands && !better && ahead > 0; k++) {
        tn_op *next = feeder_of(w, &more, op, k);
        better = next != NULL && take(w, &more, base, next, ahead - 1);
    }
    *s = better ? more : *s;
    return better;
}

static void fuse(stacking *w, const stack *s) {
    uint32_t *of;
    tn_group parts = flatten(w->scratch, s, &of);
    tn_fuse_load_commit(&w->load, &s->units, s->workspace, s->over);
    for (uint32_t i = 0; i < s->units.len; i++) {
        if (tn_op_is_group(s->units.data[i])) {
            w->grown->groups--;
            w->grown->ops -= s->units.data[i]->n_parts;
            tn_op_take_apart(s->units.data[i]);
        }
    }
    bool done = tn_group_fuse_own(w->scratch, &parts, of, w->memory);
    w->grown->groups += done;
    w->grown->ops += done ? parts.len : 0;
}

void tn_grow_rows(tn_module *m, tn_arena *scratch, const bool *apart, const bool *overwritten,
                  tn_fuse_memory *memory, tn_grown *grown) {
    stacking w = {m,       scratch, apart, overwritten,
                  {0},     memory,  grown, tn_fuse_load_make(m, scratch),
                  m->n_ops};
    tn_group ops = {0};
    for (uint32_t i = 0; i < m->n_graphs; i++) {
        for (tn_op *op = m->graphs[i]->first; op != NULL; op = op->next) {
            tn_vec_push(scratch, &ops, op);
        }
    }
    for (uint32_t i = ops.len; i-- > 0;) {
        stack s = {.units = {0}};
        tn_op *feeder;
        if (ops.data[i]->erased || tn_grow_is_view(ops.data[i]) ||
            !is_unit(&w, ops.data[i], true)) {
            continue;
        }
        tn_vec_push(scratch, &s.units, ops.data[i]);
        w.left = tn_map_make(scratch);
        while ((feeder = find_feeder(&w, &s)) != NULL) {
            if (!take(&w, &s, &s, feeder, AHEAD)) {
                tn_map_put(&w.left, feeder->results[0]->id, 1);
            }
        }
        if (s.spared > 0 && s.spared >= WORTH * s.workspace) {
            fuse(&w, &s);
        }
    }
}
