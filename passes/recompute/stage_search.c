#include "passes/recompute/stage_search.h"

#include <string.h>

#include "ir/base/map.h"

enum {
    MAX_MORE = 96,     /* clones of one step */
    MAX_CLONES = 4096, /* of a set, beside those of the first */
    MAX_DEPTH = 64
};

typedef struct walker {
    const tn_stages *p;
    uint64_t most_flops, seed, unit;
    tn_stage_found *now, *next; /* `now`: of `set` */
    tn_stage_set set, trial, best;
    uint64_t peak, flops; /* of the best */
    uint64_t energy;
    tn_stage_clone more[MAX_MORE]; /* to be added */
    uint32_t n_more;
    uint32_t *latest; /* by value: instance at the run at hand */
    bool moves;       /* ops of the model may get other places */
    /* of the step at hand */
    uint32_t victim, at, keep, depth;
} walker;

static uint64_t draw(walker *w, uint64_t n) {
    w->seed += UINT64_C(0x9e3779b97f4a7c15);
    return n > 0 ? tn_mix(w->seed) % n : 0;
}

/* ---- what lies idle is made again ---- */

/* One of the fullest runs. */
static uint32_t draw_full(walker *w) {
    const tn_stage_found *f = w->now;
    uint64_t least = f->peak - f->peak / (draw(w, 4) == 0 ? 16 : 128);
    uint32_t n = 0, found = 0;
    for (uint32_t r = 1; r <= f->n_runs; r++) {
        if (f->run[r].used && f->run[r].load >= least && draw(w, ++n) == 0) {
            found = r;
        }
    }
    return found;
}

/* An instance that lies idle while run r runs, larger ones more often; NONE where there is none. */
static uint32_t draw_idle(walker *w, uint32_t r) {
    const tn_stage_found *f = w->now;
    uint32_t found = TN_STAGE_NONE;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < f->n_instances; i++) {
        const tn_stage_instance *x = &f->instance[i];
        bool idle = x->root == i && x->bytes > 0 && x->run < r && x->last > r;
        if (!idle || w->p->value[x->value].def == TN_STAGE_NONE) {
            continue;
        }
        for (uint32_t k = f->run[r].reads; k < f->run[r + 1].reads && idle; k++) {
            idle = f->instance[f->read[k]].root != i;
        }
        if (idle) {
            sum += x->bytes;
            found = draw(w, sum) < x->bytes ? i : found;
        }
    }
    return found;
}

/* The instance that is read first of those with the bytes of the victim, behind run r; where, goes
 * to w->at. */
static uint32_t next_read(walker *w, uint32_t r) {
    const tn_stage_found *f = w->now;
    for (w->at = r + 1; w->at <= f->n_runs; w->at++) {
        for (uint32_t k = f->run[w->at].reads; k < f->run[w->at + 1].reads; k++) {
            if (f->run[w->at].used && f->instance[f->read[k]].root == w->victim) {
                return f->read[k];
            }
        }
    }
    return TN_STAGE_NONE;
}

static void find_latest(walker *w) {
    const tn_stage_found *f = w->now;
    for (uint32_t i = 0; i < f->n_instances; i++) {
        const tn_stage_instance *x = &f->instance[i];
        bool first = x->run == 0 || (x->run < w->at && !f->run[x->run].again);
        if (first || (x->run < w->at && f->run[x->run].used && w->p->value[x->value].free)) {
            w->latest[x->value] = i;
        }
    }
}

static bool has_more(const walker *w, uint32_t op) {
    for (uint32_t i = 0; i < w->n_more; i++) {
        if (w->more[i].op == op) {
            return true;
        }
    }
    return false;
}

/* Whether to keep longer what ended before, instead of making it again. */
static bool keeps(walker *w, uint64_t bytes) {
    switch (w->keep) {
    case 0:
        return false;
    case 1:
        return bytes <= w->now->instance[w->victim].bytes / 8;
    case 2:
        return bytes <= w->now->instance[w->victim].bytes / 2;
    default:
        return draw(w, 3) == 0;
    }
}

static bool make_again(walker *w, uint32_t v, uint32_t depth) {
    uint32_t o = w->p->value[v].def;
    if (o == TN_STAGE_NONE || !w->p->op[o].clonable || !w->p->value[v].free ||
        w->n_more == MAX_MORE) {
        return false;
    }
    if (has_more(w, o)) {
        return true;
    }
    w->more[w->n_more++] = (tn_stage_clone){w->now->run[w->at].at, o};
    for (uint32_t k = 0; k < w->p->op[o].n_reads; k++) {
        uint32_t u = w->p->op[o].reads[k];
        const tn_stage_instance *x = &w->now->instance[w->latest[u]];
        const tn_stage_instance *root = &w->now->instance[x->root];
        bool mine = x->root == w->victim;
        if (!mine && (root->bytes == 0 || root->last >= w->at)) {
            continue;
        }
        if (mine || (depth < w->depth && !keeps(w, root->bytes))) {
            if (!make_again(w, u, depth + 1) && mine) {
                return false;
            }
        }
    }
    return true;
}

static bool find_more(walker *w) {
    uint32_t r = draw_full(w);
    w->victim = r > 0 ? draw_idle(w, r) : TN_STAGE_NONE;
    w->n_more = 0;
    if (w->victim == TN_STAGE_NONE) {
        return false;
    }
    static const uint32_t depths[] = {1, 2, 4, 8, 16, MAX_DEPTH};
    uint32_t i = next_read(w, r);
    if (i == TN_STAGE_NONE) {
        return false;
    }
    w->keep = (uint32_t)draw(w, 4);
    w->depth = depths[draw(w, sizeof depths / sizeof depths[0])];
    find_latest(w);
    return make_again(w, w->now->instance[i].value, 1);
}

/* ---- sets ---- */

static void add_clone(walker *w, tn_stage_clone c) {
    if (w->trial.n < w->next->most_clones) {
        w->trial.clones[w->trial.n++] = c;
    }
}

static void drop_clone(tn_stage_set *s, uint32_t i) {
    memmove(s->clones + i, s->clones + i + 1, (s->n - i - 1) * sizeof *s->clones);
    s->n--;
}

static void copy_set(const walker *w, tn_stage_set *to, const tn_stage_set *from) {
    size_t size = (w->p->n + (size_t)1) * sizeof *to->order;
    memcpy(to->order, from->order, size);
    memcpy(to->place, from->place, size);
    if (from->n > 0) {
        memcpy(to->clones, from->clones, from->n * sizeof *to->clones);
    }
    to->n = from->n;
}

/* ---- steps ---- */

static bool step_more(walker *w) {
    if (!find_more(w)) {
        return false;
    }
    for (uint32_t i = 0; i < w->n_more; i++) {
        add_clone(w, w->more[i]);
    }
    return true;
}

static bool step_less(walker *w) {
    if (w->trial.n == 0) {
        return false;
    }
    drop_clone(&w->trial, (uint32_t)draw(w, w->trial.n));
    return true;
}

/* Another place for a clone. */
static bool step_shift(walker *w) {
    if (w->trial.n == 0) {
        return false;
    }
    tn_stage_clone *c = &w->trial.clones[draw(w, w->trial.n)];
    uint32_t span = 1 + (uint32_t)draw(w, 1 + (draw(w, 2) == 0 ? 4 : w->p->n / 4));
    uint32_t place = w->trial.place[c->at];
    bool later = draw(w, 2) == 0;
    if (later ? place + span >= w->p->n : place < span) {
        return false;
    }
    c->at = w->trial.order[later ? place + span : place - span];
    return true;
}

/* Another place for an op of the model, with the clones before it or without. */
static bool step_move(walker *w) {
    tn_stage_set *s = &w->trial;
    uint32_t r = draw(w, 2) == 0 ? draw_full(w) : 0;
    uint32_t near = r > 0 ? s->place[w->now->run[r].at] + 8 : 0;
    uint32_t from = r > 0 ? near - (near < 16 ? (uint32_t)draw(w, near + 1) : (uint32_t)draw(w, 16))
                          : (uint32_t)draw(w, w->p->n);
    if (from >= w->p->n || !w->p->op[s->order[from]].movable) {
        return false;
    }
    uint32_t o = s->order[from], first = 0, last = w->p->n - 1;
    for (uint32_t i = 0; i < w->p->op[o].n_before; i++) {
        uint32_t place = s->place[w->p->op[o].before[i]];
        first = place + 1 > first ? place + 1 : first;
    }
    for (uint32_t i = 0; i < w->p->op[o].n_after; i++) {
        uint32_t place = s->place[w->p->op[o].after[i]];
        last = place - 1 < last ? place - 1 : last;
    }
    uint64_t kind = draw(w, 4);
    uint32_t to = kind == 0   ? first
                  : kind == 1 ? last
                              : first + (uint32_t)draw(w, last - first + 1);
    if (to == from) {
        return false;
    }
    if (draw(w, 2) == 0) { /* the clones stay where they are */
        for (uint32_t i = 0; i < s->n; i++) {
            s->clones[i].at = s->clones[i].at == o ? s->order[from + 1] : s->clones[i].at;
        }
    }
    for (uint32_t i = from; i < to; i++) {
        s->order[i] = s->order[i + 1];
        s->place[s->order[i]] = i;
    }
    for (uint32_t i = from; i > to; i--) {
        s->order[i] = s->order[i - 1];
        s->place[s->order[i]] = i;
    }
    s->order[to] = o;
    s->place[o] = to;
    return true;
}

/* No clones at one place, or of one op. */
static bool step_none(walker *w) {
    if (w->trial.n == 0) {
        return false;
    }
    tn_stage_clone c = w->trial.clones[draw(w, w->trial.n)];
    bool place = draw(w, 2) == 0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < w->trial.n; i++) {
        const tn_stage_clone *x = &w->trial.clones[i];
        if (place ? x->at != c.at : x->op != c.op) {
            w->trial.clones[n++] = *x;
        }
    }
    w->trial.n = n;
    return true;
}

static bool step(walker *w) {
    uint64_t kind = draw(w, w->moves ? 24 : 16);
    if (kind < 8) {
        return step_more(w);
    }
    if (kind < 12) {
        return step_less(w);
    }
    if (kind < 15) {
        return step_shift(w);
    }
    return kind < 16 ? step_none(w) : step_move(w);
}

/* Clones are left out until there are few enough operations; what takes too many to the end needs
 * no loads. */
static bool fit(walker *w) {
    tn_stage_trace(w->next, &w->trial);
    for (uint32_t i = 0; i < 8 && w->next->flops > w->most_flops && step_less(w); i++) {
        tn_stage_trace(w->next, &w->trial);
    }
    return w->next->flops <= w->most_flops;
}

static uint64_t energy_of(const walker *w, const tn_stage_found *f) {
    uint64_t e = tn_stage_pressure(f, w->unit);
    uint64_t part = w->most_flops > 0 ? f->flops / (w->most_flops / 64 + 1) : 0;
    return e + e / 512 * part;
}

static void take(walker *w, uint64_t energy) {
    tn_stage_found *f = w->now;
    tn_stage_set s = w->set;
    w->now = w->next;
    w->next = f;
    w->set = w->trial;
    w->trial = s;
    w->energy = energy;
    uint64_t peak = w->now->peak;
    if (peak < w->peak || (peak == w->peak && w->now->flops < w->flops)) {
        w->peak = peak;
        w->flops = w->now->flops;
        copy_set(w, &w->best, &w->set);
        if (peak < w->unit) {
            w->unit = peak;
            w->energy = energy_of(w, w->now);
        }
    }
}

tn_stage_answer tn_stage_search(tn_arena *arena, const tn_stage_ask *ask) {
    uint32_t most = ask->first.n + (ask->p->n < MAX_CLONES ? ask->p->n : MAX_CLONES) + 256;
    walker w = {.p = ask->p,
                .most_flops = ask->flops,
                .moves = ask->moves,
                .seed = ask->seed,
                .now = tn_stage_found_new(arena, ask->p, most),
                .next = tn_stage_found_new(arena, ask->p, most),
                .set = tn_stage_set_new(arena, ask->p, most),
                .trial = tn_stage_set_new(arena, ask->p, most),
                .best = tn_stage_set_new(arena, ask->p, most),
                .peak = UINT64_MAX,
                .unit = UINT64_MAX,
                .latest = TN_ARRAY(arena, uint32_t, ask->p->n_values + 1u)};
    copy_set(&w, &w.trial, &ask->first);
    tn_stage_find(w.next, &w.trial);
    take(&w, 0);
    for (uint32_t i = 0; i < ask->tries && w.peak > ask->goal; i++) {
        copy_set(&w, &w.trial, &w.set);
        if (!step(&w)) {
            continue;
        }
        tn_stage_set_sort(&w.trial);
        if (!fit(&w)) {
            continue;
        }
        tn_stage_load(w.next);
        uint64_t energy = energy_of(&w, w.next);
        uint64_t left = ask->slack - (uint64_t)i * ask->slack / ask->tries;
        uint64_t slack = w.energy / 1024 * left;
        if (energy <= w.energy + slack) {
            take(&w, energy);
        }
    }
    return (tn_stage_answer){w.best, w.peak, w.flops};
}
