/* What an op with nested graphs needs while these run. */
#include <string.h>

#include "ir/walk.h"
#include "passes/analysis/handed_on.h"
#include "passes/schedule/floor/floor_t.h"

enum { BESIDE_SHARE = 8 }; /* of the budgets, for a branch beside what others gave back */

/* What an op makes while its bodies run. */
static uint64_t early_bytes(const tn_floor *w, const tn_op *op) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < op->n_results; i++) {
        const tn_value *v = op->results[i];
        if (v == NULL || tn_write_step(w->live->steps, v) != w->live->steps->begin[op->id]) {
            continue;
        }
        TN_FOR_CELLS(w, v, c) {
            const tn_content *x = tn_floor_content(w, c);
            sum += x->flags & (TN_CONTENT_OUTSIDE | TN_CONTENT_PERMANENT) ? 0 : x->bytes;
        }
    }
    return sum;
}

/* A state lies where its first value did, if it can. */
static uint64_t shared_states(const tn_floor *w, const tn_op *op) {
    tn_states s = tn_op_states(op);
    const tn_graph *body = op->regions[0];
    uint32_t n = tn_n_loop_states(op);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        const tn_value *v = tn_operand(op, s.operand + i), *argument = body->inputs[s.operand + i];
        if (v != NULL && !tn_floor_is_outside(w, v) && !tn_floor_is_free(w, argument)) {
            TN_FOR_CELLS(w, argument, c) {
                sum += tn_floor_cell_bytes(w, c);
            }
        }
    }
    return sum;
}

/* Bodies of a loop run one after the other, and what they give back stays until its end. */
static uint64_t need_of_loop(const tn_floor *w, const tn_op *op) {
    uint64_t most = 0, before = early_bytes(w, op);
    uint64_t shared = op->n_regions == 1 ? shared_states(w, op) : 0;
    for (uint32_t i = 0; i < op->n_regions; i++) {
        uint32_t body = op->regions[i]->id;
        uint64_t need = w->need[body] + before;
        most = need > most ? need : most;
        before += w->levels[body].left;
    }
    return most > shared ? most - shared : 0;
}

/* Ops of a body and of all that is nested in it; UINT32_MAX with a loop among these, whose states
 * are no tensors. */
static uint32_t count_ops(const tn_graph *body) {
    uint32_t n = 0;
    TN_FOR_ALL_OPS(op, body) {
        if (tn_is_loop(op)) {
            return UINT32_MAX;
        }
        n++;
    }
    return n;
}

/* Bytes that a branch needs besides those that may be results of its op. */
static uint64_t need_beside(tn_floor *w, const tn_graph *body, uint32_t *tensor) {
    tn_arena *arena = tn_arena_new(w->m->ctx);
    tn_sched_options options = *w->options;
    options.search /= BESIDE_SHARE;
    options.flow /= BESIDE_SHARE;
    tn_floor beside = *w;
    beside.arena = arena;
    beside.options = &options;
    beside.splits = false;
    beside.again = 0;
    beside.of = TN_ARRAY(arena, tn_content, w->cells.n);
    memcpy(beside.of, w->of, w->cells.n * sizeof *w->of);
    beside.need = TN_ARRAY(arena, uint64_t, w->m->n_graphs);
    tn_floor_move_outputs(&beside, body);
    for (uint32_t g = w->m->n_graphs; g-- > body->id;) {
        if (w->level_of[g] == g && tn_graph_within(w->m->graphs[g], body)) {
            tn_floor_solve(&beside, g, tensor);
        }
    }
    uint64_t need = beside.need[body->id];
    tn_arena_drop(arena);
    return need;
}

/* Branches stand one after the other in a plan, and what one gives back stays until the op ends, in
 * its own bytes or in those of the results. In these may lie what another one gives back, and
 * whatever that is written over; nothing else of another branch. */
static uint64_t need_of_branches(tn_floor *w, const tn_op *op, uint32_t *tensor) {
    uint64_t most = 0, before = 0;
    for (uint32_t i = 0; i < op->n_regions; i++) {
        const tn_graph *body = op->regions[i];
        uint64_t need = w->need[body->id];
        most = need > most ? need : most;
        if (before > 0 && need + before > most) {
            uint32_t n = count_ops(body);
            bool enough = n <= w->again;
            w->again -= enough ? n : 0;
            need = enough ? need_beside(w, body, tensor) + before : 0;
            most = need > most ? need : most;
        }
        before += w->levels[body->id].left;
    }
    return most;
}

uint64_t tn_floor_need_of_bodies(tn_floor *w, const tn_op *op, uint32_t *tensor) {
    return tn_is_loop(op) ? need_of_loop(w, op) : need_of_branches(w, op, tensor);
}
