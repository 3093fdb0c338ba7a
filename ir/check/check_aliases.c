/* Alias edges: each must be one the op table justifies, inside one storage, and lead to the
 * storage's root. Values joined by views are the same bytes; the sweep over writes needs to know.
 */
#include <string.h>

#include "ir/check/check_t.h"

static const char *const words[] = {"no alias", "a view", "written in place", "an update",
                                    "a taker of the bytes"};

static const uint32_t own_bytes = TN_VF_PINNED | TN_VF_EXCLUDED | TN_VF_LOSS;

/* A view edge goes either way: from the result to the operand it is a part of, or from the operand
 * to the result it was gathered into. */
static bool is_view(const tn_checking *c, uint32_t value, uint32_t of) {
    const tn_value *a = c->facts[value].v, *b = c->facts[of].v;
    int64_t delta = (int64_t)(c->p->values[value].offset - c->p->values[of].offset);
    return tn_check_is_view(c, a, b, delta) || tn_check_is_view(c, b, a, -delta);
}

/* Read-only data can hold a view of a constant, made by reading it another way. A value gathered
 * into a larger one is written, even when its neighbours are constants. */
static bool may_be_read_only(const tn_checking *c, uint32_t value, uint32_t of) {
    const tn_value *v = c->facts[value].v;
    int64_t delta = (int64_t)(c->p->values[value].offset - c->p->values[of].offset);
    bool gathers = v->def != NULL && v->def->info->view == TN_VIEW_GATHERED;
    return tn_is_const(v) || (tn_check_is_view(c, v, c->facts[of].v, delta) && !gathers);
}

static bool is_overwrite(const tn_checking *c, uint32_t value, uint32_t of, tn_inplace_if least) {
    bool start = c->p->values[value].offset == c->p->values[of].offset;
    tn_inplace_if cond = tn_check_inplace(c, c->facts[value].v, c->facts[of].v);
    bool fits = c->facts[value].bytes == c->facts[of].bytes || cond == TN_IF_WIDTH;
    return start && fits && cond != TN_IF_NEVER && cond >= least;
}

/* Whether the later of the two is written over the first bytes of the earlier, as many as the
 * smaller one has. That nobody reads the earlier by then is for the sweep over writes to prove. */
static bool takes_over(const tn_checking *c, uint32_t i, uint32_t of) {
    return c->p->values[i].offset == c->p->values[of].offset &&
           c->facts[i].write != c->facts[of].write;
}

/* Whether one is what the other, a state, becomes, and lies in all of its bytes. */
static bool is_next_state(const tn_checking *c, uint32_t i, uint32_t of) {
    return (tn_check_next_state(c, of) == i || tn_check_next_state(c, i) == of) &&
           c->p->values[i].offset == c->p->values[of].offset &&
           tn_check_same_bytes(c, c->facts[i].v, c->facts[of].v);
}

static bool is_justified(tn_checking *c, uint32_t i, uint32_t of) {
    switch (c->p->values[i].alias) {
    case TN_ALIAS_NONE:
        return false;
    case TN_ALIAS_VIEW:
        if (!is_view(c, i, of)) {
            return false;
        }
        c->facts[tn_check_content(c, i)].content = tn_check_content(c, of);
        return true;
    case TN_ALIAS_INPLACE: /* the edge may stand on either of the two */
        return is_overwrite(c, i, of, TN_IF_SAME) || is_overwrite(c, of, i, TN_IF_SAME);
    case TN_ALIAS_UPDATE:
        return is_overwrite(c, i, of, TN_IF_UPDATE) || is_overwrite(c, of, i, TN_IF_UPDATE) ||
               is_next_state(c, i, of);
    case TN_ALIAS_SHARE:
        return takes_over(c, i, of);
    }
    return false;
}

static bool is_read_only(const tn_checking *c, uint32_t value) {
    uint32_t storage = c->p->values[value].storage;
    return storage != TN_NO_ID && c->p->pools[c->p->storages[storage].pool].kind == TN_POOL_CONST;
}

static void check_edge(tn_checking *c, uint32_t i) {
    const tn_plan_value *v = &c->p->values[i];
    uint32_t of = v->alias_of;
    if (of == TN_NO_ID) {
        if (v->alias != TN_ALIAS_NONE) {
            tn_check_fail(c, "value %s is said to be %s, but not of what",
                          tn_check_value_name(c, i), words[v->alias]);
        }
        return;
    }
    if (v->storage == TN_NO_ID || c->p->values[of].storage != v->storage) {
        tn_check_fail(c, "value %s is %s of %s, which lies in another storage",
                      tn_check_value_name(c, i), words[v->alias], tn_check_value_name(c, of));
        return;
    }
    const tn_value *a = c->facts[i].v, *b = c->facts[of].v;
    bool shares = v->alias == TN_ALIAS_INPLACE || v->alias == TN_ALIAS_SHARE;
    if (shares && ((a->flags | b->flags) & own_bytes) != 0) {
        tn_check_fail(c, "value %s is %s of %s, but %s keeps its own bytes",
                      tn_check_value_name(c, i), words[v->alias], tn_check_value_name(c, of),
                      tn_check_value_name(c, (a->flags & own_bytes) != 0 ? i : of));
    }
    if (!is_justified(c, i, of)) {
        tn_check_fail(c, "value %s cannot be %s of %s at offset %lld by %s",
                      tn_check_value_name(c, i), words[v->alias], tn_check_value_name(c, of),
                      (long long)(v->offset - c->p->values[of].offset),
                      tn_check_step_name(c, c->facts[i].write));
    } else if (is_read_only(c, i) && !may_be_read_only(c, i, of)) {
        tn_check_fail(c, "value %s, written at %s, lies among constants", tn_check_value_name(c, i),
                      tn_check_step_name(c, c->facts[i].write));
    }
}

/* One tree of aliases a storage: two values without an alias have no business in one storage. */
static void check_roots(tn_checking *c) {
    const tn_plan *p = c->p;
    uint32_t *root = TN_ARRAY(c->arena, uint32_t, p->n_storages);
    memset(root, 0xff, p->n_storages * sizeof *root);
    for (uint32_t i = 0; i < p->n_values; i++) {
        uint32_t storage = p->values[i].storage;
        if (storage == TN_NO_ID || p->values[i].alias_of != TN_NO_ID) {
            continue;
        }
        if (root[storage] != TN_NO_ID) {
            tn_check_fail(c,
                          "values %s and %s lie in one storage, but neither is an alias of the "
                          "other",
                          tn_check_value_name(c, root[storage]), tn_check_value_name(c, i));
        } else if (is_read_only(c, i) && !tn_is_const(c->facts[i].v)) {
            tn_check_fail(c, "value %s, written at %s, lies among constants",
                          tn_check_value_name(c, i), tn_check_step_name(c, c->facts[i].write));
        }
        root[storage] = i;
    }
}

/* Edges form trees: every value reaches a root. Marks hold the walk that passed, so each edge is
 * followed once. */
static void check_trees(tn_checking *c) {
    uint32_t n = c->p->n_values;
    uint32_t *walk = TN_ARRAY(c->arena, uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = i;
        while (at != TN_NO_ID && walk[at] == 0) {
            walk[at] = i + 1;
            at = c->p->values[at].alias_of;
        }
        if (at != TN_NO_ID && walk[at] == i + 1) {
            tn_check_fail(c, "value %s is an alias of itself", tn_check_value_name(c, at));
        }
    }
}

uint32_t tn_check_next_state(const tn_checking *c, uint32_t state) {
    for (uint32_t i = 0; i < c->m->n_bindings; i++) {
        if (c->m->bindings[i].state == c->facts[state].v) {
            return c->plan_value[c->m->bindings[i].value->id];
        }
    }
    return TN_NO_ID;
}

/* What lies in its place in a result holds bytes of it, whether or not an edge says so. */
static void join_gathered(tn_checking *c, uint32_t step) {
    const tn_op *op = c->step_op[step];
    const tn_value *r = tn_result(op, 0);
    uint32_t value = r != NULL ? c->plan_value[r->id] : TN_NO_ID;
    if (value == TN_NO_ID || op->info->view != TN_VIEW_GATHERED) {
        return;
    }
    tn_check_held *held = TN_ARRAY(c->arena, tn_check_held, op->n_operands + 1u);
    uint32_t n = tn_check_held_bytes(c, value, held);
    for (uint32_t i = 0; i < n; i++) {
        c->facts[tn_check_content(c, held[i].root)].content = tn_check_content(c, value);
    }
}

void tn_check_aliases(tn_checking *c) {
    check_trees(c);
    check_roots(c);
    for (uint32_t i = 0; i < c->p->n_values; i++) {
        check_edge(c, i);
    }
    for (uint32_t i = 0; i < c->p->n_steps; i++) {
        join_gathered(c, i);
    }
}
