/* Of the steps that use a class only the last count, those that come before no other one of them;
 * of those that write it only the first. Both are few, whatever the class is. */
#include "passes/analysis/class_order.h"

typedef TN_VEC(uint32_t) step_list;

struct tn_class_order {
    const tn_precedence *p;
    const tn_storages *s;
    step_list *users;   /* by class: the last steps that use it */
    step_list *writers; /* by class: the first that write it */
    bool *stays;        /* by class: the caller needs it after the run, or nobody may share it */
    bool *given;        /* by class: it is there before the first step, likewise */
};

/* Adds a step unless it comes before one of the list (`last`), or after one; those in the list that
 * come before it, or after it, go. */
static void add_step(tn_arena *arena, const tn_precedence *p, step_list *list, uint32_t step,
                     bool last) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->len; i++) {
        uint32_t other = list->data[i];
        if (other == step || (last ? tn_precedes(p, step, other) : tn_precedes(p, other, step))) {
            return;
        }
    }
    for (uint32_t i = 0; i < list->len; i++) {
        uint32_t other = list->data[i];
        list->data[kept] = other;
        kept += !(last ? tn_precedes(p, other, step) : tn_precedes(p, step, other));
    }
    list->len = kept;
    tn_vec_push(arena, list, step);
}

static void add_member(tn_class_order *o, tn_arena *arena, uint32_t class, const tn_live *l) {
    int32_t n = (int32_t)o->p->steps->n;
    o->given[class] = o->given[class] || l->first < 0;
    o->stays[class] = o->stays[class] || l->last >= n;
    if (l->first >= 0) {
        add_step(arena, o->p, &o->writers[class], (uint32_t)l->first, false);
        add_step(arena, o->p, &o->users[class], (uint32_t)l->first, true);
    }
    if (l->last >= 0 && l->last < n) {
        add_step(arena, o->p, &o->users[class], (uint32_t)l->last, true);
    }
    for (uint32_t i = 0; i < l->n_reads; i++) {
        add_step(arena, o->p, &o->users[class], l->reads[i].step, true);
    }
}

tn_class_order *tn_class_order_make(tn_arena *arena, const tn_precedence *p,
                                    const tn_liveness *live, const tn_storages *s) {
    tn_class_order *o = TN_NEW(arena, tn_class_order);
    o->p = p;
    o->s = s;
    o->users = tn_arena_array(arena, s->n, sizeof *o->users);
    o->writers = tn_arena_array(arena, s->n, sizeof *o->writers);
    o->stays = TN_ARRAY(arena, bool, s->n);
    o->given = TN_ARRAY(arena, bool, s->n);
    for (uint32_t i = 0; i < s->n; i++) {
        const tn_class *c = &s->classes[i];
        o->stays[i] = o->given[i] = c->pinned;
        for (uint32_t k = 0; k < c->n_members; k++) {
            add_member(o, arena, i, &live->of[c->members[k]]);
        }
    }
    return o;
}

bool tn_class_precedes(const tn_class_order *o, uint32_t a, uint32_t b) {
    const step_list *users = &o->users[a], *writers = &o->writers[b];
    bool ordered = !o->stays[a] && !o->given[b] &&
                   o->s->classes[a].last < o->s->classes[b].first; /* in the order at hand too */
    for (uint32_t i = 0; i < users->len && ordered; i++) {
        for (uint32_t k = 0; k < writers->len && ordered; k++) {
            ordered = tn_is_ordered(o->p, users->data[i], writers->data[k]);
        }
    }
    return ordered;
}
