#include "passes/plan/workspace_ways.h"

#include "ir/base/sort.h"
#include "ir/base/xmath.h"
#include "ir/mutate.h"
#include "ir/ops/op_set.h"
#include "ir/ops/row_expr.h"

static const tn_type *type_of(const tn_op *op, tn_dim bytes) {
    return tn_type_tensor(op->graph->module->arena, tn_dtype_find("u8"), 1, &bytes);
}

TN_NORETURN static void refuse(const tn_op *op, int64_t bytes) {
    tn_fail(op->graph->module->ctx, &op->loc,
            "by the kernels' facts the op needs %lld bytes of workspace, it must be 0 to %lld",
            (long long)bytes, (long long)(INT64_MAX / 8));
}

/* Refuses an expression that never has a value for the op. */
static void demand_value(const tn_op *op, const char *key, const tn_row_expr *e) {
    tn_ctx *ctx = op->graph->module->ctx;
    tn_arena *scratch = tn_arena_new(ctx);
    const char *fault = tn_row_expr_fault(scratch, e, op);
    if (fault != NULL) {
        tn_fail(ctx, &op->loc, "by the kernels' facts '%s' of the op's workspace has no value: %s",
                key, fault);
    }
    tn_arena_drop(scratch);
}

/* The bytes as far as they are known; unknown where nobody knows whether the way is there. */
static tn_dim open_bytes(const tn_op *op, const struct tn_row_bytes *way) {
    tn_dims *d = op->graph->module->dims;
    int64_t when;
    bool there = way->when == NULL || tn_dim_is_const(d, tn_row_expr_eval(way->when, op), &when);
    return there ? tn_row_expr_eval(way->bytes, op) : TN_DIM_UNKNOWN;
}

/* Bytes of a way that is not there are not asked for. */
static void demand_values(const tn_op *op, const struct tn_row_bytes *way) {
    int64_t when = 1;
    if (way->when != NULL) {
        demand_value(op, "when", way->when);
        (void)tn_dim_is_const(op->graph->module->dims, tn_row_expr_eval(way->when, op), &when);
    }
    if (when != 0) {
        demand_value(op, "bytes", way->bytes);
    }
}

/* An open extent leaves the workspace open, as it would a result. Where the best way needs nothing
 * there is none; where only a worse one does, there is one of 0 bytes, which may grow. */
const tn_type *tn_workspace_least(const tn_op *op, const struct tn_row_memory *memory) {
    tn_dims *d = op->graph->module->dims;
    int64_t least = INT64_MAX, best = -1, bytes;
    tn_dim open = TN_DIM_UNKNOWN;
    bool any_open = false;
    for (uint32_t i = 0; i < memory->n; i++) {
        bool known;
        demand_values(op, &memory->ways[i]);
        if (tn_row_way(memory, i, op, &bytes, &known)) {
            if (bytes < 0 || bytes > INT64_MAX / 8) { /* bits are counted in 64 bits, too */
                refuse(op, bytes);
            }
            best = best < 0 ? bytes : best;
            least = bytes < least ? bytes : least;
        } else if (!known) {
            any_open = true;
            open = open_bytes(op, &memory->ways[i]);
        }
    }
    if (least == INT64_MAX) {
        return any_open ? type_of(op, open) : NULL;
    }
    return best > 0 ? type_of(op, tn_dim_const(d, least)) : NULL;
}

const struct tn_row_memory *tn_workspace_column(const tn_op *op, uint32_t i) {
    return tn_workspace(op, i)->flags & TN_VF_STATE ? op->info->kept : op->info->workspace;
}

const char *tn_workspace_way(const tn_op *op, const struct tn_row_memory *memory, uint64_t bytes) {
    for (uint32_t i = 0; memory != NULL && i < memory->n; i++) {
        int64_t needed;
        bool known;
        if (tn_row_way(memory, i, op, &needed, &known) && (uint64_t)needed == bytes) {
            return memory->ways[i].name;
        }
    }
    return "";
}

static void set_bytes(tn_value *v, uint64_t bytes) {
    tn_dims *d = v->graph->module->dims;
    tn_value_set_type(v, type_of(v->def, tn_dim_const(d, (int64_t)bytes)));
}

void tn_workspace_choose(tn_value *v, uint64_t bytes) {
    const struct tn_row_memory *memory =
        tn_workspace_column(v->def, v->def_index - v->def->n_results);
    for (uint32_t i = 0; memory != NULL && i < memory->n; i++) {
        int64_t needed;
        bool known;
        if (tn_row_way(memory, i, v->def, &needed, &known) && (uint64_t)needed == bytes) {
            set_bytes(v, bytes);
        }
    }
}

void tn_workspaces_reset(tn_module *m) {
    for (uint32_t i = 0; m->op_set != NULL && i < m->n_ops; i++) {
        const tn_op *op = m->ops[i];
        for (uint32_t k = 0; k < op->n_workspace && !op->erased; k++) {
            const struct tn_row_memory *memory = tn_workspace_column(op, k);
            const tn_type *type = memory != NULL ? tn_workspace_least(op, memory) : NULL;
            if (type != NULL) {
                tn_value_set_type(tn_workspace(op, k), type);
            }
        }
    }
}

/* ---- better ways ---- */

typedef struct span {
    uint64_t lo, hi;
} span;

typedef struct search {
    tn_build *b;
    uint32_t step;
    tn_storage *own;
    const uint32_t *by_first; /* storages by their first step */
    uint32_t next;            /* of by_first: the first that has not begun */
    uint32_t *living;         /* n_living that have begun and may not have ended */
    uint32_t n_living;
    span *taken; /* by others at the step, ascending */
    uint32_t n;
    uint64_t alive; /* their bytes */
    uint32_t n_top; /* storages that reach the end of the arena */
} search;

/* Whether the pool would be smaller without it. */
static bool is_top(const tn_plan *p, const tn_storage *s) {
    uint64_t end = 0;
    return p->n_slots == 0 && tn_align_u64(s->offset + s->size, p->pools[s->pool].align, &end) &&
           end == p->pools[s->pool].size;
}

/* What is there before the first step counts for that. */
static uint32_t begin_of(const tn_storage *s) {
    return s->first > 0 ? (uint32_t)s->first : 0;
}

static const uint32_t *sort_by_first(const tn_build *b) {
    const tn_plan *p = b->p;
    uint32_t *start = TN_ARRAY(b->scratch, uint32_t, (size_t)p->n_steps + 3);
    uint32_t *sorted = TN_ARRAY(b->scratch, uint32_t, p->n_storages);
    for (uint32_t i = 0; i < p->n_storages; i++) {
        start[begin_of(&p->storages[i]) + 1]++;
    }
    for (uint32_t s = 1; s < p->n_steps + 3; s++) {
        start[s] += start[s - 1];
    }
    for (uint32_t i = 0; i < p->n_storages; i++) {
        sorted[start[begin_of(&p->storages[i])]++] = i;
    }
    return sorted;
}

/* Goes on to the step: who has begun by now, without those that ended. */
static void advance(search *s) {
    const tn_plan *p = s->b->p;
    uint32_t n = 0;
    for (; s->next < p->n_storages; s->next++) {
        const tn_storage *o = &p->storages[s->by_first[s->next]];
        if (begin_of(o) > s->step) {
            break;
        }
        if (p->pools[o->pool].kind == TN_POOL_ARENA) {
            s->living[s->n_living++] = o->id;
        }
    }
    for (uint32_t i = 0; i < s->n_living; i++) {
        const tn_storage *o = &p->storages[s->living[i]];
        if (o->pinned || o->last >= (int32_t)s->step) {
            s->living[n++] = o->id;
        }
    }
    s->n_living = n;
}

static int ascending(const void *a, const void *b) {
    const span *x = a, *y = b;
    return TN_COMPARE(x->lo, y->lo);
}

static void gather(search *s) {
    const tn_plan *p = s->b->p;
    s->n = 0;
    s->alive = 0;
    for (uint32_t i = 0; i < s->n_living; i++) {
        const tn_storage *o = &p->storages[s->living[i]];
        uint64_t padded = 0;
        if (o->pool == s->own->pool && o != s->own && (o->size > 0 || o->pinned) &&
            tn_align_u64(o->size, p->pools[o->pool].align, &padded)) {
            s->taken[s->n++] = (span){o->offset, o->offset + o->size};
            s->alive += padded;
        }
    }
    TN_SORT(s->taken, s->n, ascending);
}

/* The smallest hole that holds the bytes. */
static bool find_hole(const search *s, uint64_t bytes, uint64_t *offset) {
    uint64_t align = s->own->align, end = s->b->p->pools[s->own->pool].size, at = 0;
    uint64_t best = UINT64_MAX;
    for (uint32_t i = 0; i <= s->n; i++) {
        uint64_t lo, hi = i < s->n ? s->taken[i].lo : end;
        if (tn_align_u64(at, align, &lo) && lo <= hi && hi - lo >= bytes && hi - lo < best) {
            best = hi - lo;
            *offset = lo;
        }
        at = i < s->n && s->taken[i].hi > at ? s->taken[i].hi : at;
    }
    return best != UINT64_MAX;
}

static uint64_t padded_size(const search *s, uint64_t bytes) {
    uint64_t padded = UINT64_MAX;
    (void)tn_align_u64(bytes, s->b->p->pools[s->own->pool].align, &padded);
    return padded;
}

/* In slots it stays in its own; and the peak stays where it is, so that the bound does. */
static bool fits(const search *s, uint64_t bytes, uint64_t *offset) {
    const tn_plan *p = s->b->p;
    uint64_t padded = padded_size(s, bytes), bound = s->b->layout->bound;
    *offset = s->own->offset;
    if (padded > bound || s->alive > bound - padded) {
        return false;
    }
    return s->own->slot != TN_NO_ID ? padded <= p->slots[s->own->slot].size
                                    : find_hole(s, bytes, offset);
}

static void improve(search *s, const tn_op *op, tn_value *v, const struct tn_row_memory *memory) {
    for (uint32_t i = 0; i < memory->n; i++) {
        int64_t bytes;
        uint64_t offset;
        bool known;
        if (!tn_row_way(memory, i, op, &bytes, &known)) {
            continue;
        }
        if ((uint64_t)bytes == s->own->size) {
            return;
        }
        if (fits(s, (uint64_t)bytes, &offset)) {
            s->n_top -= is_top(s->b->p, s->own);
            s->b->grown += padded_size(s, (uint64_t)bytes) - padded_size(s, s->own->size);
            s->own->offset = offset;
            s->own->size = (uint64_t)bytes;
            s->n_top += is_top(s->b->p, s->own);
            set_bytes(v, (uint64_t)bytes);
            return;
        }
    }
}

void tn_workspaces_improve(tn_build *b) {
    if (b->m->op_set == NULL || b->m->op_set->n_facts == 0) {
        return;
    }
    search s = {.b = b,
                .by_first = sort_by_first(b),
                .living = TN_ARRAY(b->scratch, uint32_t, b->p->n_storages),
                .taken = TN_ARRAY(b->scratch, span, b->p->n_storages)};
    for (uint32_t i = 0; i < b->p->n_storages; i++) {
        const tn_storage *o = &b->p->storages[i];
        s.n_top += b->p->pools[o->pool].kind == TN_POOL_ARENA && is_top(b->p, o);
    }
    for (s.step = 0; s.step < b->p->n_steps; s.step++) {
        advance(&s);
        const tn_op *op = b->live->steps->at[s.step].op;
        for (uint32_t k = 0; k < op->n_workspace && op->n_regions == 0; k++) {
            tn_value *v = tn_workspace(op, k);
            const struct tn_row_memory *memory = tn_workspace_column(op, k);
            uint32_t c = b->classes->of[v->id];
            if (!(v->flags & TN_VF_STATE) && c != TN_NO_CLASS && memory != NULL && memory->n > 1) {
                s.own = &b->p->storages[c];
                /* The user may protect it; and the arena stays as large as the packer made it. */
                bool holds_top = s.n_top == 1 && is_top(b->p, s.own);
                if (!s.own->pinned && s.own->first == s.own->last && !holds_top) {
                    gather(&s);
                    improve(&s, op, v, memory);
                }
            }
        }
    }
}
