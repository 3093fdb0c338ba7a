#include "ir/walk.h"

tn_walk tn_walk_start(const tn_graph *root) {
    return (tn_walk){.root = root, .stop = TN_WALK_DONE};
}

static tn_walk_stop enter(tn_walk *w, const tn_graph *g) {
    w->graph = g;
    w->op = NULL;
    return TN_WALK_ENTER;
}

/* `op` is what comes next in the open graph, or NULL behind its last. */
static tn_walk_stop go_on(tn_walk *w, tn_op *op) {
    w->op = op;
    return op != NULL ? TN_WALK_OP : TN_WALK_LEAVE;
}

/* Region `i` of `op`, or the end of the op when it has no more. */
static tn_walk_stop region(tn_walk *w, tn_op *op, uint32_t i) {
    if (i < op->n_regions) {
        return enter(w, op->regions[i]);
    }
    w->graph = op->graph;
    w->op = op;
    return TN_WALK_END;
}

static tn_walk_stop next(tn_walk *w) {
    switch (w->stop) {
    case TN_WALK_ENTER:
        return go_on(w, w->graph->first);
    case TN_WALK_OP:
        return region(w, w->op, 0);
    case TN_WALK_END:
        return go_on(w, w->op->next);
    case TN_WALK_LEAVE:
        if (w->graph == w->root) {
            return TN_WALK_DONE;
        }
        return region(w, w->graph->owner, w->graph->region + 1);
    case TN_WALK_DONE:
        break;
    }
    return w->graph == NULL ? enter(w, w->root) : TN_WALK_DONE;
}

tn_walk_stop tn_walk_next(tn_walk *w) {
    w->stop = next(w);
    return w->stop;
}

tn_op *tn_op_after(const tn_graph *root, tn_op *at) {
    tn_walk w = tn_walk_start(root);
    if (at != NULL) {
        w = (tn_walk){root, at->graph, at, TN_WALK_OP};
    }
    tn_walk_stop stop = tn_walk_next(&w);
    while (stop != TN_WALK_OP && stop != TN_WALK_DONE) {
        stop = tn_walk_next(&w);
    }
    return stop == TN_WALK_OP ? w.op : NULL;
}
