/* From the last nest of a group backwards: a nest, an op or a group of ops, that feeds the group
 * alone goes into it where all can be done by rows, and where a block of what it makes takes fewer
 * bytes than the tensor does. A view goes into the nest that reads it, as it needs none. */
#include "ir/compute/by_rows.h"
#include "ir/compute/compute_ops.h"
#include "ir/mutate.h"
#include "ir/ops/claims.h"
#include "ir/ops/group_claims.h"
#include "passes/fuse/grow.h"

enum { WORTH = 2 }; /* times the bytes of the workspace, at least, are spared */

typedef struct stacking {
    tn_module *m;
    tn_arena *scratch;
    const bool *apart, *overwritten; /* by value id, of the model as it came */
    tn_map left;                     /* results that were tried in vain, for the group at hand */
    tn_grown *grown;
} stacking;

/* Units: ops of the model, or groups with one nest; each is part of a nest. */
typedef struct stack {
    tn_group units;
    uint32_t nest[TN_ROWS_OPERANDS];
    uint64_t workspace, spared;
    int64_t rows; /* 0: it is one nest */
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
    tn_compute c;
    tn_value **values;
    uint32_t *of;
    tn_group parts = flatten(arena, s, &of);
    bool good = tn_compute_of_ops(w->m, (const tn_op *const *)parts.data, parts.len, of, arena, &c,
                                  &values);
    if (good && c.rows != NULL) {
        s->workspace = c.rows->workspace;
        s->spared = c.rows->spared;
        s->rows = c.rows->total;
    }
    tn_arena_drop(arena);
    return good;
}

static bool is_unit(const stacking *w, const tn_op *op, bool last) {
    return tn_op_is_group(op) || tn_grow_may_join(w->scratch, op, last, w->overwritten);
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

/* An op that feeds the group alone and was not tried; NULL: there is none. */
static tn_op *find_feeder(stacking *w, const stack *s) {
    uint64_t none;
    for (uint32_t i = 0; i < s->units.len; i++) {
        const tn_op *op = s->units.data[i];
        for (uint32_t k = 0; k < op->n_operands; k++) {
            const tn_value *v = op->operands[k].value;
            tn_op *def = v != NULL && v->graph == op->graph ? v->def : NULL;
            if (def != NULL && !tn_group_has(&s->units, def) && def->results[0] == v &&
                !w->apart[v->id] && !tn_map_get(&w->left, v->id, &none) &&
                tn_group_keeps(&s->units, v) && is_unit(w, def, false)) {
                return def;
            }
        }
    }
    return NULL;
}

static uint64_t bytes_of(const stacking *w, const tn_value *v) {
    int64_t bytes;
    return tn_type_fixed_bytes(w->m->dims, v->type, &bytes) ? (uint64_t)bytes : 0;
}

/* Whether the group is better with the op, which it then has: not with fewer rows, such as heads
 * where it had queries of heads. */
static bool take(stacking *w, stack *s, tn_op *op) {
    const tn_value *v = op->results[0];
    uint32_t nest = reader_of(s, v), last = s->nest[s->units.len - 1];
    if (s->units.len + 1 >= TN_ROWS_OPERANDS) {
        return false;
    }
    if (tn_grow_is_view(op) && nest < TN_ROWS_NESTS) {
        stack joined = with(w, s, op, true, nest);
        if (is_possible(w, &joined)) {
            *s = joined;
            return true;
        }
    }
    stack more = with(w, s, op, false, 0);
    if (last + 1 < TN_ROWS_NESTS && is_possible(w, &more) && more.rows >= s->rows &&
        more.workspace < s->workspace + bytes_of(w, v)) {
        *s = more;
        return true;
    }
    return false;
}

static void fuse(stacking *w, const stack *s) {
    uint32_t *of;
    tn_group parts = flatten(w->scratch, s, &of);
    for (uint32_t i = 0; i < s->units.len; i++) {
        if (tn_op_is_group(s->units.data[i])) {
            w->grown->groups--;
            w->grown->ops -= s->units.data[i]->n_parts;
            tn_op_take_apart(s->units.data[i]);
        }
    }
    bool done = tn_group_fuse_own(w->scratch, &parts, of);
    w->grown->groups += done;
    w->grown->ops += done ? parts.len : 0;
}

void tn_grow_rows(tn_module *m, tn_arena *scratch, const bool *apart, const bool *overwritten,
                  tn_grown *grown) {
    stacking w = {m, scratch, apart, overwritten, {0}, grown};
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
            if (!take(&w, &s, feeder)) {
                tn_map_put(&w.left, feeder->results[0]->id, 1);
            }
        }
        if (s.spared > 0 && s.spared >= WORTH * s.workspace) {
            fuse(&w, &s);
        }
    }
}
