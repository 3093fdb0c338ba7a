#include "passes/schedule/floor/floor_t.h"

tn_content *tn_floor_content(const tn_floor *w, uint32_t cell) {
    return &w->of[tn_content_of(&w->cells, cell)];
}

static bool covers(const tn_floor *w, const tn_value *v, uint32_t cell) {
    if (v != NULL) {
        TN_FOR_CELLS(w, v, i) {
            if (tn_content_of(&w->cells, i) == cell) {
                return true;
            }
        }
    }
    return false;
}

static bool reads_content(const tn_floor *w, const tn_op *op, uint32_t cell) {
    for (uint32_t k = 0; k < op->n_operands; k++) {
        if (covers(w, op->operands[k].value, cell)) {
            return true;
        }
    }
    return false;
}

static bool makes_content(const tn_floor *w, const tn_op *op, uint32_t cell) {
    for (uint32_t k = 0; k < op->n_results; k++) {
        if (covers(w, op->results[k], cell)) {
            return true;
        }
    }
    return false;
}

bool tn_floor_is_outside(const tn_floor *w, const tn_value *v) {
    return w->home[v->id] == TN_HOME_CONST ||
           (w->home[v->id] == TN_HOME_IO && !w->ask->io_in_arena && !w->counted[v->id]);
}

static bool is_permanent(const tn_floor *w, const tn_value *v) {
    bool io = w->home[v->id] == TN_HOME_IO && !w->counted[v->id];
    return io || (v->flags & TN_VF_PERMANENT) != 0;
}

static uint8_t flags_of(const tn_floor *w, const tn_value *v) {
    uint32_t graph = w->level_of[v->graph->id];
    bool given = v->kind == TN_VALUE_INPUT && graph == v->graph->id;
    bool loops = given && v->graph->owner != NULL && tn_is_loop(v->graph->owner);
    return (uint8_t)((given ? TN_CONTENT_AT_START : 0) | (loops ? TN_CONTENT_TO_END : 0) |
                     (v->flags & TN_VF_ARENA || w->counted[v->id]
                          ? TN_CONTENT_TO_END | TN_CONTENT_MANY
                          : 0) |
                     (w->counted[v->id] ? TN_CONTENT_CALLERS : 0) |
                     (tn_floor_is_outside(w, v) ? TN_CONTENT_OUTSIDE
                      : is_permanent(w, v)      ? TN_CONTENT_PERMANENT
                                                : 0));
}

/* A state takes the place of the one before it. */
static void free_next_states(tn_floor *w) {
    for (uint32_t i = 0; i < w->m->n_bindings; i++) {
        const tn_value *v = w->m->bindings[i].value;
        TN_FOR_CELLS(w, v, c) {
            tn_floor_content(w, c)->flags |= TN_CONTENT_OUTSIDE;
        }
    }
}

void tn_floor_find_contents(tn_floor *w) {
    for (uint32_t i = 0; i < w->cells.n; i++) {
        w->of[i] = (tn_content){
            .level = TN_SCHED_NONE, .reader = TN_SCHED_NONE, .bytes = tn_floor_cell_bytes(w, i)};
    }
    for (uint32_t i = 0; i < w->m->n_values; i++) {
        const tn_value *v = w->m->values[i];
        uint32_t graph = w->level_of[v->graph->id];
        TN_FOR_CELLS(w, v, c) {
            tn_content *x = tn_floor_content(w, c);
            bool outer = x->level == TN_SCHED_NONE ||
                         w->m->graphs[graph]->depth < w->m->graphs[x->level]->depth;
            x->level = outer ? graph : x->level;
            x->flags |= flags_of(w, v);
        }
    }
    free_next_states(w);
}

/* A call reads nothing that its function does not read. */
bool tn_floor_is_call(const tn_read *r, const tn_value *v) {
    return tn_op_is_call(r->op) && r->op->graph == v->graph;
}

static void note_reader(tn_floor *w, tn_content *x, const tn_read *r, uint32_t cell) {
    const tn_op *op = tn_floor_lift(w, r->op, x->level);
    if (op == NULL) {
        x->flags |= TN_CONTENT_TO_END | TN_CONTENT_MANY;
    } else if (!makes_content(w, r->op, cell)) {
        x->flags |= x->reader != TN_SCHED_NONE && x->reader != op->id ? TN_CONTENT_MANY : 0;
        x->reader = op->id;
    }
}

void tn_floor_find_readers(tn_floor *w) {
    for (uint32_t i = 0; i < w->m->n_values; i++) {
        const tn_value *v = w->m->values[i];
        const tn_live *l = &w->live->of[i];
        TN_FOR_CELLS(w, v, c) {
            uint32_t cell = tn_content_of(&w->cells, c);
            for (uint32_t r = 0; r < l->n_reads; r++) {
                if (!tn_floor_is_call(&l->reads[r], v)) {
                    note_reader(w, &w->of[cell], &l->reads[r], cell);
                }
            }
        }
    }
}

/* Where contents begin. What a call gives back began in its function. */
void tn_floor_find_heads(tn_floor *w) {
    for (uint32_t i = 0; i < w->cells.n; i++) {
        w->of[i].starts = (w->of[i].flags & TN_CONTENT_AT_START) != 0 ? 2 : 0;
    }
    for (uint32_t i = 0; i < w->m->n_values; i++) {
        const tn_value *v = w->m->values[i];
        if (v->kind != TN_VALUE_RESULT || tn_op_is_call(v->def)) {
            continue;
        }
        TN_FOR_CELLS(w, v, c) {
            uint32_t cell = tn_content_of(&w->cells, c);
            tn_content *x = &w->of[cell];
            const tn_op *op = tn_floor_lift(w, v->def, x->level);
            if (!reads_content(w, v->def, cell)) {
                x->starts += op != NULL ? 1 : 2;
                x->head = op != NULL ? w->node[op->id] : TN_SCHED_NONE;
            }
            x->starts = w->joined[i] ? 2 : x->starts;
        }
    }
}

bool tn_floor_is_tensor(const tn_content *x) {
    bool always = (x->flags & (TN_CONTENT_AT_START | TN_CONTENT_TO_END)) ==
                  (TN_CONTENT_AT_START | TN_CONTENT_TO_END);
    return !always && (x->flags & (TN_CONTENT_OUTSIDE | TN_CONTENT_PERMANENT)) == 0;
}

bool tn_floor_is_free(const tn_floor *w, const tn_value *v) {
    TN_FOR_CELLS(w, v, c) {
        if ((tn_floor_content(w, c)->flags & TN_CONTENT_OUTSIDE) == 0) {
            return false;
        }
    }
    return true;
}
