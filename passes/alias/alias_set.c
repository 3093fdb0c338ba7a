#include "passes/alias/alias_set.h"

#include "ir/mutate.h"
#include "ir/walk.h"
#include "passes/analysis/handed_on.h"
#include "passes/analysis/storages.h"

static uint16_t tie_of(const tn_module *m, const tn_value *v, const bool *is_state) {
    if (is_state[v->id]) {
        return TN_TIE_STATE;
    }
    if (tn_is_const(v)) {
        return TN_TIE_CONST;
    }
    if (v->kind == TN_VALUE_INPUT && v->graph == m->main) {
        return v->flags & TN_VF_DONATED ? TN_TIE_DONATED : TN_TIE_INPUT;
    }
    const tn_op *owner = v->graph->owner;
    return v->kind == TN_VALUE_INPUT && owner != NULL && tn_is_loop(owner) ? TN_TIE_BODY_IN : 0;
}

/* From the outputs of a loop's body to its arguments. What is handed on is never copied anew. */
static void tie_round(const tn_graph *body, const tn_handed_on *h, uint16_t *tie) {
    tn_states s = tn_op_states(body->owner);
    uint32_t n = tn_n_loop_states(body->owner);
    for (uint32_t i = 0; i < body->n_outputs; i++) {
        uint32_t k = i - s.output; /* what comes before the states wraps round */
        if (k < n && h->from[body->inputs[s.operand + k]->id] != NULL) {
            tie[body->inputs[s.operand + k]->id] = TN_TIE_HANDED_ON;
        } else {
            tie[body->outputs[i]->id] |= TN_TIE_BODY_OUT;
        }
    }
}

static const uint16_t *find_ties(const tn_module *m, const tn_handed_on *h, tn_arena *arena) {
    const bool *is_state = tn_state_values(m, arena);
    uint16_t *tie = TN_ARRAY(arena, uint16_t, m->n_values);
    for (uint32_t i = 0; i < m->n_values; i++) {
        tie[i] = tie_of(m, m->values[i], is_state);
    }
    for (uint32_t i = 0; i < m->main->n_outputs; i++) {
        tie[m->main->outputs[i]->id] |= TN_TIE_OUTPUT;
    }
    for (uint32_t g = 0; g < m->n_graphs; g++) {
        if (m->graphs[g]->owner != NULL && tn_is_loop(m->graphs[g]->owner)) {
            tie_round(m->graphs[g], h, tie);
        }
    }
    TN_FOR_ALL_OPS(op, m->main) {
        for (uint32_t k = 0; k < op->n_operands; k++) {
            if (op->operands[k].value != NULL && tn_op_writes_operand(op, k)) {
                tie[op->operands[k].value->id] |= TN_TIE_OVERWRITTEN;
            }
        }
    }
    return tie;
}

uint32_t tn_alias_find(tn_alias_set *s, const tn_value *v, int64_t *offset) {
    uint32_t at = v->id, root = at;
    int64_t sum = 0;
    while (s->up[root] != root) {
        sum += s->shift[root];
        root = s->up[root];
    }
    if (offset != NULL) {
        *offset = sum;
    }
    while (s->up[at] != root && at != root) {
        uint32_t up = s->up[at];
        int64_t shift = s->shift[at];
        s->up[at] = root;
        s->shift[at] = sum;
        sum -= shift;
        at = up;
    }
    return root;
}

bool tn_alias_same(tn_alias_set *s, const tn_value *a, const tn_value *b) {
    return tn_alias_find(s, a, NULL) == tn_alias_find(s, b, NULL);
}

bool tn_alias_both_outside(const tn_alias_set *s, uint32_t a, uint32_t b) {
    uint32_t x = s->ties[a] & TN_TIE_OUTSIDE, y = s->ties[b] & TN_TIE_OUTSIDE;
    bool meet = x != y && (x | y) == (TN_TIE_DONATED | TN_TIE_OUTPUT);
    bool one_each = (x & (x - 1)) == 0 && (y & (y - 1)) == 0;
    bool in_arena = ((s->flags[a] | s->flags[b]) & TN_VF_ARENA) != 0;
    return x != 0 && y != 0 && !(meet && one_each && in_arena);
}

bool tn_alias_fills(tn_alias_set *s, const tn_value *v) {
    int64_t offset;
    uint32_t c = tn_alias_find(s, v, &offset);
    return s->lo[c] == offset && s->hi[c] == offset + (int64_t)s->bytes[v->id];
}

static bool is_outside(tn_alias_set *s, const tn_value *v) {
    uint32_t c = tn_alias_find(s, v, NULL);
    return (s->ties[c] & TN_TIE_OUTSIDE) != 0 && (s->flags[c] & TN_VF_ARENA) == 0;
}

bool tn_alias_grows_outside(tn_alias_set *s, const tn_value *a, const tn_value *b) {
    return (is_outside(s, a) && !tn_alias_fills(s, b)) ||
           (is_outside(s, b) && !tn_alias_fills(s, a));
}

bool tn_alias_reaches(tn_alias_set *s, const tn_value *a, const tn_value *b, uint64_t bytes) {
    int64_t at_a, at_b;
    if (tn_alias_find(s, a, &at_a) != tn_alias_find(s, b, &at_b)) {
        return false;
    }
    return at_a < at_b + (int64_t)bytes && at_b < at_a + (int64_t)s->bytes[a->id];
}

bool tn_alias_overlap(tn_alias_set *s, const tn_value *a, const tn_value *b) {
    return tn_alias_reaches(s, a, b, s->bytes[b->id]);
}

bool tn_alias_each(tn_alias_set *s, const tn_value *v, uint32_t limit, int32_t from,
                   bool (*fn)(void *user, const tn_value *member), void *user) {
    uint32_t c = tn_alias_find(s, v, NULL), n = 0, kept = TN_NO_CLASS;
    for (uint32_t i = s->head[c]; i != TN_NO_CLASS; i = s->next[i]) {
        const tn_value *member = s->m->values[i];
        if (s->live->of[i].last < from) {
            *(kept == TN_NO_CLASS ? &s->head[c] : &s->next[kept]) = s->next[i];
            s->tail[c] = s->tail[c] == i ? kept : s->tail[c];
            continue;
        }
        kept = i;
        if (++n > limit || !fn(user, member)) {
            return false;
        }
    }
    return true;
}

/* The class of `b` becomes part of that of `a`; b starts `shift` bytes behind a. Both are
 * representatives. */
static void merge(tn_alias_set *s, uint32_t a, uint32_t b, int64_t shift) {
    if (s->size[a] < s->size[b]) {
        uint32_t t = a;
        a = b;
        b = t;
        shift = -shift;
    }
    s->up[b] = a;
    s->shift[b] = shift;
    s->size[a] += s->size[b];
    s->flags[a] |= s->flags[b];
    s->ties[a] |= s->ties[b];
    s->lo[a] = s->lo[b] + shift < s->lo[a] ? s->lo[b] + shift : s->lo[a];
    s->hi[a] = s->hi[b] + shift > s->hi[a] ? s->hi[b] + shift : s->hi[a];
    if (s->head[b] != TN_NO_CLASS) {
        *(s->head[a] == TN_NO_CLASS ? &s->head[a] : &s->next[s->tail[a]]) = s->head[b];
        s->tail[a] = s->tail[b];
    }
}

static void merge_values(tn_alias_set *s, const tn_value *v, const tn_value *of, int64_t offset,
                         tn_alias_kind kind) {
    int64_t at_v, at_of;
    uint32_t b = tn_alias_find(s, v, &at_v), a = tn_alias_find(s, of, &at_of);
    if (a != b) {
        merge(s, a, b, at_of + offset - at_v);
    }
    if (kind != TN_ALIAS_VIEW) {
        s->ties[tn_alias_find(s, v, NULL)] |= TN_TIE_OVERWRITTEN;
    }
}

tn_alias_set *tn_alias_open(tn_analyses *an, tn_module *m, tn_arena *scratch) {
    uint32_t n = m->n_values;
    tn_alias_set *s = TN_NEW(scratch, tn_alias_set);
    uint64_t *bytes = TN_ARRAY(scratch, uint64_t, n);
    s->m = m;
    s->live = tn_get_liveness(an);
    s->order = tn_get_precedence(an);
    s->bytes = bytes;
    s->tie = find_ties(m, tn_get_handed_on(an), scratch);
    s->state_of = TN_ARRAY(scratch, const tn_value *, n);
    s->up = TN_ARRAY(scratch, uint32_t, n);
    s->size = TN_ARRAY(scratch, uint32_t, n);
    s->next = TN_ARRAY(scratch, uint32_t, n);
    s->head = TN_ARRAY(scratch, uint32_t, n);
    s->tail = TN_ARRAY(scratch, uint32_t, n);
    s->shift = TN_ARRAY(scratch, int64_t, n);
    s->lo = TN_ARRAY(scratch, int64_t, n);
    s->hi = TN_ARRAY(scratch, int64_t, n);
    s->flags = TN_ARRAY(scratch, uint32_t, n);
    s->ties = TN_ARRAY(scratch, uint16_t, n);
    for (uint32_t i = 0; i < n; i++) {
        bytes[i] = tn_value_bytes(m, m->values[i]);
        s->up[i] = s->head[i] = s->tail[i] = i;
        s->next[i] = TN_NO_CLASS;
        s->size[i] = 1;
        s->hi[i] = bytes[i] == TN_NO_BYTES ? 0 : (int64_t)bytes[i];
        s->flags[i] = m->values[i]->flags;
        s->ties[i] = s->tie[i];
    }
    for (uint32_t i = 0; i < m->n_bindings; i++) {
        s->state_of[m->bindings[i].value->id] = m->bindings[i].state;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (m->values[i]->alias_of != NULL) {
            merge_values(s, m->values[i], m->values[i]->alias_of, m->values[i]->alias_offset,
                         m->values[i]->alias_kind);
        }
    }
    return s;
}

/* Makes v the root of its tree: each edge on the way up is turned round. */
static void make_root(tn_value *v) {
    tn_value *at = v, *of = v->alias_of;
    tn_alias_kind kind = v->alias_kind;
    int64_t offset = v->alias_offset;
    tn_value_set_alias(v, TN_ALIAS_NONE, NULL, 0);
    while (of != NULL) {
        tn_value *up = of->alias_of;
        tn_alias_kind up_kind = of->alias_kind;
        int64_t up_offset = of->alias_offset;
        tn_value_set_alias(of, TN_ALIAS_NONE, NULL, 0);
        tn_value_set_alias(of, kind, at, -offset);
        at = of;
        of = up;
        kind = up_kind;
        offset = up_offset;
    }
}

void tn_alias_join(tn_alias_set *s, tn_value *v, tn_value *of, int64_t offset, tn_alias_kind kind) {
    if (v->alias_of == NULL) {
        tn_value_set_alias(v, kind, of, offset);
    } else if (of->alias_of == NULL) {
        tn_value_set_alias(of, kind, v, -offset);
    } else if (s->size[tn_alias_find(s, v, NULL)] <= s->size[tn_alias_find(s, of, NULL)]) {
        make_root(v);
        tn_value_set_alias(v, kind, of, offset);
    } else {
        make_root(of);
        tn_value_set_alias(of, kind, v, -offset);
    }
    merge_values(s, v, of, offset, kind);
}

/* Whether the op's definition makes its result this operand. */
static bool is_demanded(const tn_value *r, const tn_value *o) {
    const tn_op *op = r->kind == TN_VALUE_RESULT ? r->def : NULL;
    uint32_t result;
    for (uint32_t k = 0; op != NULL && k < op->n_operands; k++) {
        if (op->operands[k].value == o && tn_op_overwrites(op, k, &result) &&
            result == r->def_index) {
            return true;
        }
    }
    return false;
}

void tn_alias_take_back(tn_module *m, bool inplace) {
    for (uint32_t i = 0; i < m->n_values; i++) {
        tn_value *v = m->values[i];
        bool chosen = v->alias_kind == TN_ALIAS_INPLACE || v->alias_kind == TN_ALIAS_UPDATE;
        if (v->alias_kind == TN_ALIAS_SHARE ||
            (inplace && chosen && !is_demanded(v, v->alias_of) && !is_demanded(v->alias_of, v))) {
            tn_value_set_alias(v, TN_ALIAS_NONE, NULL, 0);
        }
    }
}

int32_t tn_last_read(const tn_live *live) {
    int32_t last = -1;
    for (uint32_t i = 0; i < live->n_reads; i++) {
        last = (int32_t)live->reads[i].step > last ? (int32_t)live->reads[i].step : last;
    }
    return last;
}
