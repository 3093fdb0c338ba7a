#include "ir/tour.h"

tn_tour tn_tour_start(tn_arena *arena, const tn_graph *root) {
    tn_tour t = {.arena = arena, .root = root};
    return t;
}

static tn_tour_stop enter(tn_tour *t, const tn_graph *g) {
    tn_vec_push(t->arena, &t->stack, (tn_tour_frame){.graph = g});
    t->graph = g;
    t->op = NULL;
    return TN_TOUR_ENTER;
}

static tn_tour_stop leave(tn_tour *t) {
    t->graph = t->stack.data[--t->stack.len].graph;
    t->op = NULL;
    return TN_TOUR_LEAVE;
}

tn_tour_stop tn_tour_next(tn_tour *t) {
    if (t->root != NULL) {
        const tn_graph *root = t->root;
        t->root = NULL;
        return enter(t, root);
    }
    if (t->stack.len == 0) {
        return TN_TOUR_DONE;
    }
    tn_tour_frame *f = &t->stack.data[t->stack.len - 1];
    if (f->inside && f->next_region < f->op->n_regions) {
        return enter(t, f->op->regions[f->next_region++]);
    }
    t->graph = f->graph;
    if (f->inside) {
        f->inside = false;
        t->op = f->op;
        return TN_TOUR_END;
    }
    f->op = f->op == NULL ? f->graph->first : f->op->next;
    if (f->op == NULL) {
        return leave(t);
    }
    f->inside = true;
    f->next_region = 0;
    t->op = f->op;
    return TN_TOUR_OP;
}
