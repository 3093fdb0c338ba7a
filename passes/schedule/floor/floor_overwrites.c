#include "passes/schedule/floor/floor_t.h"

#include "ir/walk.h"
#include "passes/analysis/handed_on.h"

enum {
    MAX_PAIRS = 8,    /* results of one op that are written over operands: op_state.c has no more */
    MAX_COMPARED = 64 /* pairs of one op */
};

/* One content from now on, kept as long as either is: an undercount at most. */
static void merge(tn_floor *w, uint32_t result, uint32_t operand) {
    uint32_t r = tn_content_of(&w->cells, result), k = tn_content_of(&w->cells, operand);
    if (r != k) {
        tn_content x = w->of[r], y = w->of[k];
        x.flags |= y.flags;
        x.bytes = x.bytes < y.bytes ? x.bytes : y.bytes;
        tn_content_join(&w->cells, r, k);
        w->of[tn_content_of(&w->cells, r)] = x;
    }
}

/* One cell of a result and the cell of an operand it may be written over. */
static void add_pair(tn_floor *w, const tn_op *op, uint32_t result, uint32_t operand) {
    uint32_t graph = w->level_of[op->graph->id];
    tn_vec_push(w->arena, &w->levels[graph].pairs,
                (tn_overwrite){op, result, operand, TN_SCHED_NONE});
}

/* What may be done with a result and an operand, cell by cell. True when the result lies over the
 * operand in every order, so that no other operand comes into question. */
static bool overwrite_cell(tn_floor *w, const tn_op *op, uint32_t result, uint32_t operand,
                           bool joined) {
    tn_content *r = tn_floor_content(w, result), *k = tn_floor_content(w, operand);
    uint32_t graph = w->level_of[op->graph->id];
    if (r == k || (r->flags & TN_CONTENT_PERMANENT) || r->level != graph || k->level != graph) {
        return false;
    }
    if (k->flags & (TN_CONTENT_OUTSIDE | TN_CONTENT_PERMANENT | TN_CONTENT_TO_END)) {
        return false;
    }
    bool only = k->reader == op->id && (k->flags & TN_CONTENT_MANY) == 0;
    bool started = r->starts == 1 && r->head == w->node[op->id];
    bool callers =
        (r->flags & (TN_CONTENT_OUTSIDE | TN_CONTENT_CALLERS)) && (k->flags & TN_CONTENT_AT_START);
    if (callers) {
        return false;
    }
    if ((only && r->bytes == k->bytes) || !started || joined) {
        merge(w, result, operand);
        return started;
    }
    add_pair(w, op, result, operand);
    return false;
}

static bool overwrite(tn_floor *w, const tn_overwrite *x) {
    if (w->decided != NULL && w->decided[x->link] == TN_PART_APART) {
        return false;
    }
    const uint32_t *first = w->cells.first;
    uint32_t r = first[x->result], k = first[x->operand];
    /* What lies in a part of a storage may do so before and after that is written over. */
    bool joined = w->joined[x->result] || w->joined[x->operand];
    bool settled = !w->inner[x->result] && !w->inner[x->operand];
    for (; r < first[x->result + 1] && k < first[x->operand + 1]; r++, k++) {
        settled = overwrite_cell(w, x->op, r, k, joined) && settled;
    }
    return settled;
}

static bool widths_differ(const tn_floor *w, const tn_overwrite *x) {
    return w->s->bytes[x->result] != w->s->bytes[x->operand];
}

/* Operands of the result's width first, as the pass `inplace` asks. */
void tn_floor_find_pairs(tn_floor *w) {
    const tn_overwrite *list = w->facts.overwrites.data;
    for (uint32_t i = 0, end; i < w->facts.overwrites.len; i = end) {
        for (end = i; end < w->facts.overwrites.len && list[end].result == list[i].result;) {
            end++;
        }
        bool settled = false;
        for (uint32_t k = i; k < 2 * end - i && !settled; k++) {
            const tn_overwrite *x = &list[k < end ? k : k - (end - i)];
            settled = widths_differ(w, x) == (k >= end) && overwrite(w, x);
        }
    }
}

/* The contents of a branch's output may lie where those of the result do. */
static bool move_branch(tn_floor *w, const tn_op *op) {
    bool moved = false;
    for (uint32_t r = 0; r < op->n_regions; r++) {
        for (uint32_t i = 0; i < op->regions[r]->n_outputs && i < op->n_results; i++) {
            const tn_value *v = op->results[i], *o = op->regions[r]->outputs[i];
            bool free = v != NULL && tn_floor_is_free(w, v);
            TN_FOR_CELLS(w, o, c) {
                tn_content *x = tn_floor_content(w, c);
                bool moves = free && w->level_of[o->graph->id] == x->level;
                moved = moved || (moves && (x->flags & TN_CONTENT_OUTSIDE) == 0);
                x->flags |= moves ? TN_CONTENT_OUTSIDE : 0;
            }
        }
    }
    return moved;
}

static bool move(tn_floor *w, const tn_value *v) {
    bool moved = false;
    TN_FOR_CELLS(w, v, c) {
        tn_content *x = tn_floor_content(w, c);
        moved = moved || (x->flags & TN_CONTENT_OUTSIDE) == 0;
        x->flags |= TN_CONTENT_OUTSIDE;
    }
    return moved;
}

/* A state, from its first value on, may lie where the last one does. */
static bool move_states(tn_floor *w, const tn_op *op) {
    tn_states s = tn_op_states(op);
    const tn_graph *body = op->regions[0];
    uint32_t n = tn_n_loop_states(op);
    bool moved = false;
    for (uint32_t i = 0; i < n; i++) {
        const tn_value *r = tn_result(op, i), *v = tn_operand(op, s.operand + i);
        if (r != NULL && tn_floor_is_free(w, r)) {
            moved = move(w, body->inputs[s.operand + i]) || moved;
            moved = (v != NULL && move(w, v)) || moved;
        }
    }
    return moved;
}

static bool move_operands(tn_floor *w, const tn_floor_level *l) {
    bool moved = false;
    for (uint32_t i = l->pairs.len; i-- > 0;) {
        tn_content *r = tn_floor_content(w, l->pairs.data[i].result);
        tn_content *k = tn_floor_content(w, l->pairs.data[i].operand);
        moved = moved || ((r->flags & TN_CONTENT_OUTSIDE) && !(k->flags & TN_CONTENT_OUTSIDE));
        k->flags |= r->flags & TN_CONTENT_OUTSIDE;
    }
    return moved;
}

/* What is written over may lie outside where the result may. */
bool tn_floor_find_movable(tn_floor *w) {
    bool any = false;
    for (bool again = true; again;) {
        again = false;
        for (uint32_t g = 0; g < w->m->n_graphs; g++) {
            again = move_operands(w, &w->levels[g]) || again;
        }
        TN_FOR_ALL_OPS(op, w->m->main) {
            again = (op->n_regions == 1 && tn_is_loop(op) && move_states(w, op)) || again;
            bool branches = op->n_regions > 0 && !tn_is_loop(op) && !tn_op_is_call(op);
            again = (branches && move_branch(w, op)) || again;
        }
        any = any || again;
    }
    return any;
}

void tn_floor_move_outputs(tn_floor *w, const tn_graph *body) {
    for (uint32_t i = 0; i < body->n_outputs; i++) {
        const tn_value *v = body->outputs[i];
        TN_FOR_CELLS(w, v, c) {
            tn_content *x = tn_floor_content(w, c);
            x->flags |= x->level == w->level_of[body->id] ? TN_CONTENT_OUTSIDE : 0;
        }
    }
    (void)tn_floor_find_movable(w);
}

static uint64_t saving(const tn_floor *w, const tn_overwrite *x) {
    uint64_t r = tn_floor_content(w, x->result)->bytes, k = tn_floor_content(w, x->operand)->bytes;
    return r < k ? r : k;
}

/* Contents that cost something; pairs of one op stand together. */
static uint32_t live_pairs(const tn_floor *w, tn_floor_level *l) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < l->pairs.len; i++) {
        tn_overwrite x = l->pairs.data[i];
        const tn_content *r = tn_floor_content(w, x.result), *k = tn_floor_content(w, x.operand);
        if (r != k && tn_floor_is_tensor(r) && tn_floor_is_tensor(k)) {
            l->pairs.data[n++] = x;
        }
    }
    return n;
}

/* An op whose results compete for an operand, or that has more of them than are compared: each
 * result lies over an operand for good. */
static bool is_entangled(const tn_floor *w, const tn_overwrite *list, uint32_t n) {
    uint32_t n_results = 0;
    for (uint32_t i = 0; i < n; i++) {
        bool again = false;
        for (uint32_t k = 0; k < i; k++) {
            bool r = tn_floor_content(w, list[i].result) == tn_floor_content(w, list[k].result);
            bool o = tn_floor_content(w, list[i].operand) == tn_floor_content(w, list[k].operand);
            again = again || r;
            if (o && !r) {
                return true;
            }
        }
        n_results += !again;
    }
    return n_results > MAX_PAIRS;
}

/* The largest savings first. */
static void sort_pairs(const tn_floor *w, tn_overwrite *list, uint32_t n) {
    for (uint32_t i = 1; i < n; i++) {
        tn_overwrite x = list[i];
        uint32_t k = i;
        for (; k > 0 && saving(w, &list[k - 1]) < saving(w, &x); k--) {
            list[k] = list[k - 1];
        }
        list[k] = x;
    }
}

/* Makes the pairs of a problem such that taking them one after the other saves the most. */
void tn_floor_settle_pairs(tn_floor *w, tn_floor_level *l) {
    l->pairs.len = live_pairs(w, l);
    for (uint32_t i = 0, end; i < l->pairs.len; i = end) {
        for (end = i; end < l->pairs.len && l->pairs.data[end].op == l->pairs.data[i].op;) {
            end++;
        }
        tn_overwrite *list = l->pairs.data + i;
        if (end - i > MAX_COMPARED || is_entangled(w, list, end - i)) {
            for (uint32_t k = 0; k < end - i; k++) {
                merge(w, list[k].result, list[k].operand);
            }
        } else {
            sort_pairs(w, list, end - i);
        }
    }
    l->pairs.len = live_pairs(w, l);
}
