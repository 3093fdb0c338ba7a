#include "tests/headers/replay/replay.h"

#include <stdlib.h>

#include "tests/headers/replay/memory.h"

enum {
    DEEPEST_TWICE = 3, /* bodies deeper than that run once: each level doubles the work */
    MOST_STEPS = 6000, /* that are tried in other orders, in time quadratic in their number */
    OTHER_ORDERS = 3,
};

/* ---- in the order of the plan ---- */

static bool run_steps(rp_memory *m, uint32_t low, uint32_t high, unsigned depth);

/* A body that may run again finds its arguments new, and all it captures as it was. */
static bool run_bodies(rp_memory *m, uint32_t begin, unsigned depth) {
    const rp_plan *p = m->plan;
    const rp_step *s = &p->steps[begin];
    unsigned rounds = depth < DEEPEST_TWICE && !p->nodes[begin].once ? 2 : 1;
    rp_write_filled(m, begin);
    for (unsigned i = 0; i < rounds && !m->failed; i++) {
        bool read = i == 0 ? rp_read_all(m, begin, s->reads, p->ids) : rp_read_again(m, begin);
        if (read && rp_write_all(m, begin)) {
            rp_free_all(m, begin);
            run_steps(m, begin + 1, s->partner, depth + 1);
        }
        if (!m->failed) {
            rp_read_end(m, s->partner);
        }
    }
    if (!m->failed && rp_write_all(m, s->partner)) {
        rp_free_all(m, s->partner);
    }
    return !m->failed;
}

static bool run_steps(rp_memory *m, uint32_t low, uint32_t high, unsigned depth) {
    const rp_plan *p = m->plan;
    uint32_t at = low;
    while (at < high && !m->failed) {
        const rp_step *s = &p->steps[at];
        if (s->kind == RP_BEGIN) {
            run_bodies(m, at, depth);
            at = s->partner + 1;
            continue;
        }
        if (rp_read_all(m, at, s->reads, p->ids) && rp_write_all(m, at)) {
            rp_free_all(m, at);
        }
        at++;
    }
    return !m->failed;
}

static bool run_in_order(const rp_plan *plan, rp_figures *figures) {
    rp_memory m = rp_memory_new(plan, figures, false);
    for (uint32_t i = 0; i < plan->n_steps && !m.failed; i++) {
        rp_check_step(&m, i);
    }
    if (!m.failed && run_steps(&m, 0, plan->n_steps, 0)) {
        rp_read_kept(&m);
    }
    figures->orders++;
    rp_memory_drop(&m);
    return !m.failed;
}

/* ---- in orders that data and hazards allow ---- */

/* For each step, those that have to wait for it. */
typedef struct waits {
    uint32_t (*edges)[2]; /* a step, the next edge of the list + 1 */
    uint32_t n, cap;
    uint32_t *lists;   /* by step: its first edge + 1 */
    uint32_t *missing; /* by step: how many it still waits for */
} waits;

static void wait_for(waits *w, uint32_t step, uint32_t other) {
    if (w->n == w->cap) {
        w->cap = 2 * w->cap + 64;
        w->edges = realloc(w->edges, w->cap * sizeof *w->edges);
    }
    w->edges[w->n][0] = step;
    w->edges[w->n][1] = w->lists[other];
    w->lists[other] = ++w->n;
    w->missing[step]++;
}

/* Waits of one step: hazards, the writers of what it reads, the begin of the op around it. A value
 * without a place is in no list of the header, but a runtime knows from the model who makes it. */
static void add_waits(waits *w, const rp_plan *p, uint32_t step, uint32_t around) {
    const rp_step *s = &p->steps[step];
    for (uint32_t i = 0; i < s->hazards.count; i++) {
        wait_for(w, step, p->ids[s->hazards.at + i]);
    }
    for (uint32_t i = 0; i < s->reads.count; i++) {
        uint32_t writer = p->tensors[p->ids[s->reads.at + i]].step;
        if (writer != RP_NONE && writer != step) {
            wait_for(w, step, writer);
        }
    }
    rp_range after = p->nodes[step].after;
    for (uint32_t i = 0; i < after.count; i++) {
        wait_for(w, step, p->node_ids[after.at + i]);
    }
    if (around != RP_NONE) {
        wait_for(w, step, around);
        wait_for(w, p->steps[around].partner, step);
    }
    if (s->kind == RP_END) {
        wait_for(w, step, s->partner);
    }
}

static waits waits_of(const rp_plan *p) {
    waits w = {.lists = calloc(p->n_steps + 1, sizeof *w.lists),
               .missing = calloc(p->n_steps + 1, sizeof *w.missing)};
    uint32_t *open = calloc(p->n_steps + 1, sizeof *open), n_open = 0;
    uint32_t *last = calloc(p->n_queues + 1, sizeof *last); /* plus 1, by queue */
    for (uint32_t i = 0; i < p->n_steps; i++) {
        uint32_t *before = &last[p->steps[i].queue];
        if (p->n_queues > 0 && *before > 0) {
            wait_for(&w, i, *before - 1);
        }
        *before = i + 1;
        n_open -= p->steps[i].kind == RP_END;
        add_waits(&w, p, i, n_open > 0 ? open[n_open - 1] : RP_NONE);
        if (p->steps[i].kind == RP_BEGIN) {
            open[n_open++] = i;
        }
    }
    free(last);
    free(open);
    return w;
}

/* Of the steps that wait for nobody: the last (order 0), or any. */
static uint32_t choose(const waits *w, const bool *done, uint32_t n, unsigned order, uint64_t *r) {
    uint32_t n_ready = 0, last = RP_NONE;
    for (uint32_t i = 0; i < n; i++) {
        if (!done[i] && w->missing[i] == 0) {
            n_ready++;
            *r = *r * UINT64_C(6364136223846793005) + order;
            if (order == 0 || (*r >> 33) % n_ready == 0) {
                last = i;
            }
        }
    }
    return last;
}

static bool run_one(rp_memory *m, uint32_t step) {
    const rp_plan *p = m->plan;
    const rp_step *s = &p->steps[step];
    if (s->kind == RP_BEGIN && !rp_write_filled(m, step)) {
        return false;
    }
    bool read = s->kind == RP_END ? rp_read_end(m, step) : rp_read_all(m, step, s->reads, p->ids);
    return read && rp_write_all(m, step);
}

/* Nothing is spoiled: what frees after a step says holds for the order of the plan only. */
static bool run_otherwise(const rp_plan *plan, unsigned order, rp_figures *figures) {
    rp_memory m = rp_memory_new(plan, figures, true);
    waits w = waits_of(plan);
    bool *done = calloc(plan->n_steps + 1, sizeof *done);
    uint64_t random = order;
    for (uint32_t n = 0; n < plan->n_steps && !m.failed; n++) {
        uint32_t at = choose(&w, done, plan->n_steps, order, &random);
        if (at == RP_NONE) {
            rp_fault(&m, plan->n_steps, "steps wait for each other");
            break;
        }
        done[at] = true;
        run_one(&m, at);
        for (uint32_t e = w.lists[at]; e != 0; e = w.edges[e - 1][1]) {
            w.missing[w.edges[e - 1][0]]--;
        }
    }
    if (!m.failed) {
        rp_read_kept(&m);
    }
    figures->orders++;
    free(done);
    free(w.edges);
    free(w.lists);
    free(w.missing);
    rp_memory_drop(&m);
    return !m.failed;
}

bool rp_replay(const rp_plan *plan, rp_figures *figures) {
    bool good = run_in_order(plan, figures);
    for (unsigned i = 0; good && i < OTHER_ORDERS && plan->n_steps <= MOST_STEPS; i++) {
        good = run_otherwise(plan, i, figures);
    }
    return good;
}
