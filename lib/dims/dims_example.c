/* Numbers by trial: load, infer, count what the shape rules do not accept and the values without a
 * size. One number for everything comes first: extents of 1 are often too small (a window does not
 * fit) or too odd (an image that is halved five times), powers of two pass. What then still differs
 * says what one extent, or all of them, would have to be. */
#include "ir/build.h"
#include "lib/dims/dims_trial.h"

enum {
    MAX_EXTENT = 1024,
    MAX_RANK = 4,     /* tried for inputs that state none */
    MIN_TRIALS = 24,  /* made for models of any size */
    MIN_LOWERED = 12, /* trials kept for setting extents back to 1 */
    WORK = 100000,    /* ops inferred in all trials, where that is more */
    LOAD = 100,       /* what loading costs, in ops inferred */
};

static void set_inputs(tn_arena *arena, tn_open_model *open, uint32_t rank, int64_t extent) {
    for (uint32_t i = 0; i < open->inputs.len; i++) {
        tn_open_input *in = &open->inputs.data[i];
        if (!in->ranked) {
            in->rank = rank;
            in->dims = TN_ARRAY(arena, int64_t, rank);
        }
        for (uint32_t k = 0; k < in->rank; k++) {
            if (in->dims[k] >= 0) {
                in->dims[k] = extent;
            }
        }
    }
}

static void set_all(tn_arena *arena, tn_open_model *open, uint32_t rank, int64_t extent) {
    for (uint32_t i = 0; i < open->symbols.len; i++) {
        open->values[i] = extent;
    }
    set_inputs(arena, open, rank, extent);
}

static bool has_unranked(const tn_open_model *open) {
    for (uint32_t i = 0; i < open->inputs.len; i++) {
        if (!open->inputs.data[i].ranked) {
            return true;
        }
    }
    return false;
}

/* The best of one number for everything. */
static void search_equal(tn_dims_search *s) {
    uint32_t best_rank = 1, ranks = has_unranked(s->open) ? MAX_RANK : 1;
    int64_t best_extent = 1;
    for (int64_t extent = 1; extent <= MAX_EXTENT && s->best > 0 && s->work_left > 0; extent *= 2) {
        for (uint32_t rank = 1; rank <= ranks && s->best > 0; rank++) {
            set_all(s->arena, s->open, rank, extent);
            uint64_t n = tn_dims_cost(s);
            if (n < s->best) {
                s->best = n;
                best_rank = rank;
                best_extent = extent;
            }
        }
    }
    set_all(s->arena, s->open, best_rank, best_extent);
}

typedef TN_VEC(int64_t *) extents;

static extents open_extents(const tn_dims_search *s) {
    extents e = {0};
    for (uint32_t i = 0; i < s->open->symbols.len; i++) {
        tn_vec_push(s->arena, &e, &s->open->values[i]);
    }
    for (uint32_t i = 0; i < s->open->inputs.len; i++) {
        const tn_open_input *in = &s->open->inputs.data[i];
        for (uint32_t k = 0; k < in->rank; k++) {
            if (in->dims[k] > 0) {
                tn_vec_push(s->arena, &e, &in->dims[k]);
            }
        }
    }
    return e;
}

static void set_extents(int64_t *const *at, uint32_t n, int64_t to) {
    for (uint32_t i = 0; i < n; i++) {
        *at[i] = to;
    }
}

/* Keeps `to` for the n extents that are equal when that costs at most `limit`. */
static bool settle(tn_dims_search *s, int64_t *const *at, uint32_t n, int64_t to, uint64_t limit) {
    int64_t was = *at[0];
    if (was == to || s->work_left == 0) {
        return false;
    }
    set_extents(at, n, to);
    uint64_t now = tn_dims_cost(s);
    if (now > limit) {
        set_extents(at, n, was);
        return false;
    }
    s->best = now;
    return true;
}

static bool improve(tn_dims_search *s, int64_t *const *at, uint32_t n, const tn_unequals *said) {
    for (uint32_t i = 0; i < said->pairs.len; i++) {
        int64_t guesses[TN_MAX_GUESSES];
        uint32_t n_guesses = tn_guess_extents(said->pairs.data[i], *at[0], guesses);
        for (uint32_t k = 0; k < n_guesses; k++) {
            if (settle(s, at, n, guesses[k], s->best - 1)) {
                return true;
            }
        }
    }
    return false;
}

/* What inference said one extent should be, or all of them while they are equal. */
static bool mend_as_said(tn_dims_search *s, const extents *e, bool equal) {
    (void)tn_dims_cost(s);
    tn_unequals said = s->said;
    for (uint32_t i = 0; i < e->len; i++) {
        if (improve(s, &e->data[i], 1, &said)) {
            return true;
        }
    }
    return equal && e->len > 0 && improve(s, e->data, e->len, &said);
}

/* Any small number for one of them. */
static bool mend_by_trial(tn_dims_search *s, const extents *e) {
    for (uint32_t i = 0; i < e->len; i++) {
        for (int64_t to = 1; to <= MAX_EXTENT; to += to < 4 ? 1 : to) {
            if (settle(s, &e->data[i], 1, to, s->best - 1)) {
                return true;
            }
        }
    }
    return false;
}

static bool try_rank(tn_dims_search *s, tn_open_input *in, uint32_t rank) {
    tn_open_input was = *in;
    if (s->work_left == 0) {
        return false;
    }
    in->rank = rank;
    in->dims = TN_ARRAY(s->arena, int64_t, rank + 1u);
    for (uint32_t k = 0; k < rank; k++) {
        in->dims[k] = 1;
    }
    uint64_t now = tn_dims_cost(s);
    if (now < s->best) {
        s->best = now;
        return true;
    }
    *in = was;
    return false;
}

static bool mend_ranks(tn_dims_search *s) {
    for (uint32_t i = 0; i < s->open->inputs.len; i++) {
        tn_open_input *in = &s->open->inputs.data[i];
        for (uint32_t rank = 0; !in->ranked && rank <= MAX_RANK; rank++) {
            if (try_rank(s, in, rank)) {
                return true;
            }
        }
    }
    return false;
}

static void mend(tn_dims_search *s) {
    bool equal = true, better = true;
    while (better && s->best > 0 && s->work_left > 0) {
        extents e = open_extents(s);
        better = mend_as_said(s, &e, equal) || mend_ranks(s) || mend_by_trial(s, &e);
        equal = false;
    }
}

/* Back to 1: one extent, or two that are equal and perhaps have to be. */
static void lower_all(tn_dims_search *s) {
    extents e = open_extents(s);
    for (uint32_t i = 0; i < e.len; i++) {
        (void)settle(s, &e.data[i], 1, 1, s->best);
    }
    for (uint32_t i = 0; i < e.len; i++) {
        for (uint32_t k = i + 1; k < e.len; k++) {
            int64_t *const both[] = {e.data[i], e.data[k]};
            if (*both[0] == *both[1]) {
                (void)settle(s, both, 2, 1, s->best);
            }
        }
    }
}

static tn_dims_search search_of(tn_arena *arena, tn_open_model *open) {
    return (tn_dims_search){.arena = arena, .open = open, .bound = true, .best = UINT64_MAX};
}

tn_module *tn_dims_example(tn_arena *arena, tn_open_model *open, uint32_t n_ops) {
    tn_dims_search s = search_of(arena, open);
    uint32_t warnings;
    open->values = TN_ARRAY(arena, int64_t, open->symbols.len + 1u);
    s.trial_work = (uint64_t)n_ops + LOAD;
    s.work_left = MIN_TRIALS * s.trial_work > WORK ? MIN_TRIALS * s.trial_work : WORK;
    search_equal(&s);
    mend(&s);
    s.work_left += MIN_LOWERED * s.trial_work;
    lower_all(&s);
    tn_dims_end(&s);
    tn_module *m = tn_dims_try(&s, &warnings);
    open->n_misfits = tn_dims_beyond(warnings, s.base.warnings);
    return m;
}

void tn_dims_say_misfits(tn_arena *arena, tn_open_model *open) {
    tn_dims_search s = search_of(arena, open);
    s.aloud = true;
    tn_module *m = tn_dims_try(&s, &(uint32_t){0});
    if (m != NULL) {
        tn_module_drop(m);
    }
}
