#include "passes/schedule/floor/content_links.h"

#include "ir/walk.h"
#include "passes/alias/legal.h"
#include "passes/alias/view.h"

typedef struct linker {
    tn_arena *arena;
    tn_module *m;
    const tn_storages *s;
    const tn_content_ask *ask;
    tn_content_facts *out;
    bool *given; /* by value: bytes of the model's, or of the caller's, or a view of such */
    const tn_value **state; /* by value: the argument of a loop that it may be the next form of */
    const tn_value **seen;  /* by value: a view of it, where that and being such a form exclude each
                               other */
} linker;

static bool counts(const linker *k, const tn_value *v) {
    return v != NULL && k->ask->blocks[v->id] > 0;
}

static void link(linker *k, const tn_value *inner, const tn_value *outer, uint64_t at, bool same) {
    if (counts(k, inner) && counts(k, outer) && inner != outer) {
        tn_content_link l = {inner->id, outer->id, at / k->ask->align, same};
        tn_vec_push(k->arena, &k->out->links, l);
    }
}

static void link_whole(linker *k, const tn_value *a, const tn_value *b) {
    if (a != NULL && b != NULL && k->s->bytes[a->id] == k->s->bytes[b->id]) {
        link(k, a, b, 0, true);
    }
}

/* Nobody computes inside a result what is there before, or wanted by others, whatever the order
 * (gather_refusal in passes/alias/place_views.c). */
static bool may_gather(const linker *k, const tn_view *v) {
    const tn_graph *g = v->inner->graph;
    bool kept = (v->inner->flags & TN_VF_OWN_BYTES) != 0 ||
                ((v->inner->flags & TN_VF_OUTPUT) != 0 && g == k->m->main);
    bool made = v->inner->kind == TN_VALUE_RESULT || (g->owner != NULL && tn_op_is_call(g->owner));
    return made && g == v->outer->graph && !kept && !k->given[v->inner->id];
}

/* The caller takes no part of other bytes (stays_whole, there). */
static bool is_callers_part(const linker *k, const tn_view *v) {
    return (v->inner->flags & TN_VF_OUTPUT) != 0 && v->inner->graph == k->m->main &&
           k->s->bytes[v->inner->id] < k->s->bytes[v->outer->id];
}

/* What lies at no multiple of the alignment is no view (place_refusal, there). */
static bool may_view(const linker *k, const tn_view *v) {
    return counts(k, v->inner) && counts(k, v->outer) && (uint64_t)v->offset % k->ask->align == 0 &&
           (uint64_t)v->offset + k->s->bytes[v->inner->id] <= k->s->bytes[v->outer->id] &&
           !is_callers_part(k, v) && (!v->gathered || may_gather(k, v));
}

static bool is_argument(const tn_value *v) {
    return v->kind == TN_VALUE_INPUT && v->graph->owner != NULL && tn_is_loop(v->graph->owner);
}

static bool is_given_back(const tn_value *v) {
    const tn_graph *g = v->graph;
    bool found = false;
    for (uint32_t i = 0; i < g->n_outputs && g->owner != NULL && tn_is_loop(g->owner); i++) {
        found = found || g->outputs[i] == v;
    }
    return found;
}

static bool reads(const tn_op *op, const tn_value *v) {
    for (uint32_t j = 0; op != NULL && j < op->n_operands; j++) {
        if (op->operands[j].value == v && tn_reads_data(op, j)) {
            return true;
        }
    }
    return false;
}

/* What a loop is given is rewritten when its outputs are moved, unless it is handed on, so neither
 * is a view of the other (place_refusal, there). The next form of a state begins its storage, and
 * stands alone in it if its op still reads the form before (output_refusal in
 * passes/alias/bodies.c). Such a form, and what it would be a view of or written over, are two
 * contents here: that has the state once, and the other content for as long as it is read, which is
 * less than both in one place and the state in another cost. The same of its one view. */
static void link_view(linker *k, const tn_view *v) {
    const tn_value *r = v->gathered ? v->outer : v->inner, *o = v->gathered ? v->inner : v->outer;
    bool whole = k->ask->blocks[r->id] == k->ask->blocks[o->id] && !v->gathered;
    bool rewritten = is_argument(o) && k->ask->handed->from[o->id] == NULL;
    if ((rewritten && is_given_back(r)) || k->state[r->id] != NULL) {
        return;
    }
    if (whole && k->state[o->id] != NULL && reads(o->def, k->state[o->id])) {
        const tn_value **first = &k->seen[o->id];
        *first = *first == NULL ? r : *first;
        link(k, r, *first, 0, true);
        return;
    }
    link(k, v->inner, v->outer, (uint64_t)v->offset, true);
    k->given[v->inner->id] |= !v->gathered && k->given[v->outer->id];
}

static void link_views(linker *k, const tn_op *op) {
    uint32_t n = tn_view_count(op);
    for (uint32_t i = 0; i < n; i++) {
        tn_view v;
        if (tn_view_get(op, i, &v) && may_view(k, &v)) {
            link_view(k, &v);
        }
    }
}

static void link_call(linker *k, const tn_op *op) {
    const tn_graph *body = op->regions[0];
    for (uint32_t i = 0; i < body->n_outputs && i < op->n_results; i++) {
        link_whole(k, op->results[i], body->outputs[i]);
    }
}

/* An op that reads the argument for its new form, and may not write over it, keeps both. */
static bool keeps_both(const linker *k, const tn_value *output, const tn_value *argument) {
    const tn_op *op = output->kind == TN_VALUE_RESULT ? output->def : NULL;
    uint32_t n = op != NULL ? tn_inplace_n_ways(op) : 0;
    bool may = false;
    for (uint32_t j = 0; op != NULL && j < op->n_operands; j++) {
        bool it = op->operands[j].value == argument && tn_reads_data(op, j);
        for (uint32_t i = 0; i < n && it; i++) {
            tn_inplace_way way;
            may = may || (tn_inplace_get_way(op, i, &way) && way.result == output->def_index &&
                          tn_inplace_is_trusted(k->ask->inplace, way.cond) &&
                          tn_inplace_names(op, &way, j));
        }
    }
    return reads(op, argument) && !may;
}

/* The next state may take the place of the one before. What is handed on is the operand. */
static void link_states(linker *k, const tn_op *op) {
    uint32_t n = tn_n_loop_states(op);
    for (uint32_t i = 0; i < n; i++) {
        tn_loop_state x = tn_loop_state_get(op, i);
        const tn_value *argument = x.argument, *output = x.output;
        bool made = output->graph == op->regions[0] && output->kind == TN_VALUE_RESULT;
        if (tn_is_handed_on(k->ask->handed, &x)) {
            link_whole(k, output, argument);
            link_whole(k, x.result, x.operand);
        } else if (made && k->s->bytes[output->id] == k->s->bytes[argument->id] &&
                   counts(k, output) && !keeps_both(k, output, argument)) {
            link(k, output, argument, 0, true);
            k->state[output->id] = argument;
        }
    }
}

static void link_demanded(linker *k, const tn_op *op) {
    for (uint32_t j = 0; j < op->n_operands; j++) {
        uint32_t result;
        if (op->operands[j].value != NULL && tn_op_overwrites(op, j, &result)) {
            link_whole(k, tn_result(op, result), op->operands[j].value);
        }
    }
}

static void add_overwrites(linker *k, const tn_op *op) {
    uint32_t n = tn_inplace_n_ways(op);
    for (uint32_t i = 0; i < n; i++) {
        tn_inplace_way way;
        if (!tn_inplace_get_way(op, i, &way) || !counts(k, op->results[way.result]) ||
            k->state[op->results[way.result]->id] != NULL) {
            continue;
        }
        const tn_value *r = op->results[way.result];
        for (uint32_t j = way.from; j < way.to; j++) {
            const tn_value *v = op->operands[j].value;
            if (!tn_inplace_names(op, &way, j) || !counts(k, v)) {
                continue;
            }
            tn_inplace_if cond = tn_inplace_condition(&way, r, v);
            if (tn_inplace_is_trusted(k->ask->inplace, cond) &&
                tn_inplace_misfit(r, k->s->bytes[r->id], v, k->s->bytes[v->id], cond) ==
                    TN_REASON_NONE) {
                link(k, r, v, 0, false);
                tn_overwrite x = {op, r->id, v->id, k->out->links.len - 1};
                tn_vec_push(k->arena, &k->out->overwrites, x);
            }
        }
    }
}

/* Aliases that are no choice stand in the module; views were found above. */
static bool link_aliases(linker *k) {
    for (uint32_t i = 0; i < k->m->n_values; i++) {
        const tn_value *v = k->m->values[i], *of = v->alias_of;
        if (of == NULL || v->alias_kind == TN_ALIAS_VIEW || !counts(k, v) || !counts(k, of)) {
            continue;
        }
        int64_t at = v->alias_offset, align = (int64_t)k->ask->align;
        if (at % align != 0) {
            return false;
        }
        link(k, at < 0 ? of : v, at < 0 ? v : of, (uint64_t)(at < 0 ? -at : at), true);
    }
    return true;
}

static uint32_t find(uint32_t *up, uint32_t v) {
    while (up[v] != v) {
        up[v] = up[up[v]];
        v = up[v];
    }
    return v;
}

/* What lies with the caller is part of nothing larger (stays_whole in passes/alias/place_views.c).
 * So of a value that is a part of one and, as it is or in another form, an output, the whole keeps
 * bytes of its own, and the value lies with the caller for all that a bound knows. */
static void cut_off_outputs(const linker *k, const tn_home *home) {
    const uint64_t *bytes = k->s->bytes;
    uint32_t *up = TN_ARRAY(k->arena, uint32_t, k->m->n_values);
    bool *callers = TN_ARRAY(k->arena, bool, k->m->n_values);
    for (uint32_t i = 0; i < k->m->n_values; i++) {
        up[i] = i;
    }
    for (uint32_t i = 0; i < k->out->links.len; i++) {
        const tn_content_link *l = &k->out->links.data[i];
        if (l->same && bytes[l->inner] == bytes[l->outer]) {
            up[find(up, l->inner)] = find(up, l->outer);
        }
    }
    for (uint32_t i = 0; i < k->m->main->n_outputs; i++) {
        const tn_value *v = k->m->main->outputs[i];
        callers[find(up, v->id)] |= home[v->id] == TN_HOME_IO && v->kind == TN_VALUE_RESULT;
    }
    for (uint32_t i = 0; i < k->out->links.len; i++) {
        tn_content_link *l = &k->out->links.data[i];
        bool part = bytes[l->inner] < bytes[l->outer];
        l->same = l->same && !(part && callers[find(up, l->inner)]);
    }
}

bool tn_content_facts_make(tn_arena *arena, tn_module *m, const tn_storages *s,
                           const tn_content_ask *ask, tn_content_facts *out) {
    linker k = {.arena = arena,
                .m = m,
                .s = s,
                .ask = ask,
                .out = out,
                .given = TN_ARRAY(arena, bool, m->n_values),
                .state = TN_ARRAY(arena, const tn_value *, m->n_values),
                .seen = TN_ARRAY(arena, const tn_value *, m->n_values)};
    const tn_home *home = tn_value_homes(m, arena);
    *out = (tn_content_facts){0};
    for (uint32_t i = 0; i < m->n_values; i++) {
        k.given[i] = m->values[i]->kind != TN_VALUE_RESULT && home[i] != TN_HOME_ARENA;
        k.given[i] = k.given[i] || home[i] == TN_HOME_CONST;
    }
    TN_FOR_ALL_OPS(op, m->main) { /* an op comes before those of its bodies */
        if (op->n_regions > 0 && !tn_op_is_call(op)) {
            link_states(&k, op);
        } else if (op->n_regions > 0) {
            link_call(&k, op);
        }
        link_views(&k, op);
        link_demanded(&k, op);
        add_overwrites(&k, op);
    }
    if (!ask->io_in_arena) {
        cut_off_outputs(&k, home);
    }
    return link_aliases(&k);
}
