/* Aliases are found one after another, each for the ones before it: an operand computed inside a
 * larger result keeps an op behind it from writing in place, and is found first. So the choice is
 * made again where it went the other way. What a choice dropped before cannot come back after it,
 * since others may lie there now. */
#include <limits.h>

#include "ir/mutate.h"
#include "passes/planner/alias_choice.h"

/* All edges that are a choice, where they stand. */
static tn_edges snapshot(tn_choosing *w) {
    tn_edges found = {0};
    for (uint32_t i = 0; i < w->m->n_values; i++) {
        tn_value *v = w->m->values[i];
        if (tn_alias_kind_of(w->m, v) != 0) {
            tn_alias_edge e = {v, v->alias_of, v->alias_kind, v->alias_offset};
            tn_vec_push(w->c->scratch, &found, e);
        }
    }
    return found;
}

static void cut_all(tn_choosing *w, unsigned kinds) {
    for (uint32_t i = 0; i < w->m->n_values; i++) {
        if (tn_alias_kind_of(w->m, w->m->values[i]) & kinds) {
            (void)tn_alias_cut(w->m->values[i]);
        }
    }
}

/* Edges of the choice before that are given up: those dropped then, and views. A result in place of
 * another operand than before was not refused. Those that came back are left out in the end. */
static void note_gone(tn_choosing *w, const tn_edges *dropped, const tn_edges *stood) {
    for (uint32_t i = 0; i < dropped->len; i++) {
        tn_vec_push(w->c->scratch, &w->gone, dropped->data[i]);
    }
    for (uint32_t i = 0; i < stood->len; i++) {
        const tn_alias_edge *e = &stood->data[i];
        if (e->kind == TN_ALIAS_VIEW || e->v->alias_of == NULL) {
            tn_vec_push(w->c->scratch, &w->gone, *e);
        }
    }
}

/* A copy of what was refused so far: offers that are granted strike some of it. */
static tn_refusals copy_refusals(tn_choosing *w) {
    tn_refusals copy = {.arena = w->c->scratch};
    for (uint32_t i = 0; w->c->refusals != NULL && i < w->c->refusals->list.len; i++) {
        tn_vec_push(w->c->scratch, &copy.list, w->c->refusals->list.data[i]);
    }
    return copy;
}

static void restore_refusals(tn_choosing *w, const tn_refusals *copy) {
    for (uint32_t i = 0; i < copy->list.len; i++) {
        w->c->refusals->list.data[i] = copy->list.data[i];
    }
    if (w->c->refusals != NULL) {
        w->c->refusals->list.len = copy->list.len;
    }
}

/* Chooses among what is left without `kinds` and what is offered then; takes it if the arena is at
 * most `limit` bytes large. */
static tn_status choose_without(tn_choosing *w, unsigned kinds, tn_offer again, bool parts,
                                uint64_t limit, bool *taken) {
    tn_choosing before = *w;
    tn_edges stood = snapshot(w);
    tn_refusals refused = copy_refusals(w);
    tn_status status = TN_OK;
    cut_all(w, kinds);
    *taken = false;
    if (again.fn(again.user, parts) > 0) {
        w->kept = NULL;
        w->dropped = (tn_edges){0};
        status = tn_alias_choose_set(w, limit);
        *taken = status == TN_OK && w->kept != NULL && w->layout.size <= limit;
        tn_arena_drop(*taken ? before.kept : w->kept);
    }
    if (*taken) {
        note_gone(w, &before.dropped, &stood);
        return TN_OK;
    }
    cut_all(w, UINT_MAX);
    tn_alias_mend(stood.data, stood.len);
    restore_refusals(w, &refused);
    before.work = w->work;
    *w = before;
    return status;
}

tn_status tn_alias_look_again(tn_choosing *w, tn_offer again) {
    const unsigned rest = TN_EDGE_INPLACE | TN_EDGE_SHARE; /* decided after views */
    unsigned kinds = 0;
    bool taken;
    for (uint32_t i = 0; i < w->all.n; i++) {
        kinds |= w->all.kind[i];
    }
    if (!(kinds & TN_EDGE_PART) || w->layout.size == 0) {
        return TN_OK;
    }
    uint64_t size = w->layout.size;
    tn_status status = choose_without(w, TN_EDGE_PART | rest, again, false, size - 1, &taken);
    if (status == TN_OK && taken) {
        /* Parts that are not in the way of what was won. */
        return choose_without(w, TN_EDGE_SHARE, again, true, w->layout.size, &taken);
    }
    if (status == TN_OK && w->dropped.len > 0) {
        uint64_t limit = kinds & TN_EDGE_SHARE ? size - 1 : size;
        status = choose_without(w, rest, again, false, limit, &taken);
    }
    return status;
}
