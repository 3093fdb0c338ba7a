#include "passes/recompute/clone_search.h"

#include "ir/ops/flops.h"
#include "passes/recompute/clonable.h"
#include "passes/recompute/clone_forms.h"
#include "passes/recompute/clone_walk.h"
#include "passes/recompute/stage_model.h"
#include "passes/recompute/stage_search.h"

enum {
    MAX_PLANS = 1200,         /* of all walks together */
    PLANNED_STEPS = 800000,   /* steps of all these plans: what they take grows with both */
    LARGE = 800,              /* ops of a model that searches in stages suit better than walks */
    LARGE_STEPS = 150000,     /* steps of all plans of walks for such a model */
    MAX_TRIES = 40,           /* moves in vain before a walk ends */
    MAX_DROPS = 64,           /* plans made to find clones that are not needed */
    SMALL_STAGED = 6,         /* searches in stages of a small model ... */
    MAX_STAGED = 9,           /* ... and of another: there more searches end in a poor place */
    MAX_STAGED_TRIES = 40000, /* sets that each looks at ... */
    TRIES_A_PAIR = 20,        /* ... of ops at most: small models have not so many */
    SEARCHED_OPS = 6000000,   /* ops of these sets: what they take grows with both */
    BRIEF_PART = 40,          /* a brief search looks at one of so many of these ops */
    SMALL = 400,              /* ops of a model for which one of them begins with nothing */
    MAX_FULL = 3,             /* forms that look best, planned in full, each time walks are over */
    MAX_TIGHTER = 3,          /* times that walks go on since the arena is still too large */
    MAX_DRAWN = 5             /* forms planned for the curve alone */
};

/* Where nothing but data order steps, a clone may run as early as the op, and what it makes takes a
 * place as long; few save anything, mostly since both can be written over. So less is looked at,
 * and packings count: what is alive in one order says nothing. */
enum {
    APART_PLANS = 80,    /* of all walks together */
    APART_STEPS = 40000, /* steps of all these plans */
    APART_PAIRS = 12000, /* pairs of ops of the forms planned in full; one is in any case */
    TINY = 100,      /* ops of a model whose walks are of packings as good as the full ones ... */
    TINY_PLANS = 14, /* ... and so many plans */
    TINY_TRIES = 3   /* moves of it in vain before a walk ends */
};

/* Operations that clones may have at first, as a part of the model's. */
#define FIRST_PART 0.33

/* What forms are planned for, one after the other. In walks only the bytes that are alive count: a
 * packing takes up to a thousand times as long, and mostly ends near there. What is quickly packed
 * and is no larger than the one given will be no larger in the end. */
typedef enum phase {
    GIVEN,      /* the arena without more clones */
    STARTING,   /* a picture to begin walks with, of the best form */
    WALKING,    /* moves, one by one */
    SKETCHING,  /* a picture without clones, which stages are made of */
    STAGING,    /* what searches in stages found */
    DROPPING,   /* the best form without a clone that it may not need */
    CONFIRMING, /* what looks best, packed quickly */
    DRAWING     /* what lies between the best and the one given */
} phase;

typedef struct searching {
    tn_pass_ctx *c;
    tn_recompute_ask ask;
    tn_recompute_report *report;
    uint32_t n, asked; /* forms there may be, and those asked for so far */
    uint32_t n_ops;    /* of the model */
    double model;      /* operations of the model */
    double most;       /* that clones may have in the round at hand, as a part of these */
    phase phase;
    tn_care care;       /* with which the form at hand is planned */
    bool pending;       /* a form stands in the module that is not judged */
    tn_clone_form form; /* it; its set is written down in walks when it is good */
    uint64_t arena;     /* of its plan, TN_NO_ARENA without */
    tn_arena *own;      /* what the picture of it lies in */
    const tn_picture *picture;
    bool apart; /* nothing but data order steps */
    uint64_t plans, steps;
    tn_clone_form given, best; /* best: by its peak */
    const tn_clone_set *began; /* the best when the walks began */
    tn_walk *walk;             /* NULL: nothing was planned */
    bool started, walking;     /* a picture was asked for, and came */
    tn_stage_model *stages;    /* NULL: none so far */
    uint32_t staged;           /* searches in them */
    uint32_t drops, one;       /* plans made; clones of `best` below this one are to be tried */
    tn_clone_forms forms;
    tn_clone_form *confirmed; /* of `forms`: the one at hand where it is planned in full */
    uint32_t full, tighter, drawn;
    uint64_t pairs; /* of ops, of forms planned in full */
} searching;

static void keep(searching *w, const tn_clone_form *f) {
    tn_vec_push(w->c->scratch, &w->forms, *f);
    if (tn_form_is_better(&w->forms, f, &w->best)) {
        w->best = *f;
    }
}

static bool is_tiny(const searching *w) {
    return w->apart && w->n_ops <= TINY;
}

static void judge_given(searching *w) {
    if (w->arena == TN_NO_ARENA) {
        return;
    }
    w->forms.goal = w->ask.budget;
    if (w->ask.part > 0) {
        uint64_t without = w->c->clones->without > 0 ? w->c->clones->without : w->arena;
        w->forms.goal = (uint64_t)(w->ask.part * (double)without);
    }
    w->forms.peak_goal = w->forms.goal;
    w->given.arena = w->arena;
    w->given.tried = true;
    tn_vec_push(w->c->scratch, &w->forms, w->given);
    const tn_walk_ask ask = {.m = w->c->module,
                             .align = w->ask.align,
                             .model = w->model,
                             .ties = !w->apart,
                             .most_tries = is_tiny(w) ? TINY_TRIES : MAX_TRIES};
    w->walk = tn_walk_new(w->c->scratch, &ask);
}

static void judge_start(searching *w) {
    w->best.peak = w->picture->need;
    w->walking = true;
    tn_walk_begin(w->walk, w->own, w->picture, w->best.flops, w->most * w->model,
                  w->forms.peak_goal);
    w->own = NULL;
}

static void judge_move(searching *w) {
    tn_arena *own = w->own;
    w->own = NULL;
    if (tn_walk_judge(w->walk, own, w->picture)) {
        w->form = (tn_clone_form){.set = tn_clones_write_down(w->c->scratch, w->c->module),
                                  .flops = tn_walk_flops(w->walk),
                                  .peak = w->picture->need,
                                  .arena = TN_NO_ARENA};
        keep(w, &w->form);
    }
}

/* The form that stands in the module counts, or does not. */
static void judge(searching *w) {
    w->pending = false;
    if (w->phase == GIVEN) {
        judge_given(w);
    } else if (w->phase == WALKING) {
        judge_move(w);
    } else if (w->phase == STARTING && w->picture != NULL) {
        judge_start(w);
    } else if ((w->phase == DROPPING || w->phase == STAGING) && w->picture != NULL) {
        w->form.peak = w->picture->need;
        keep(w, &w->form);
    } else if (w->confirmed != NULL) {
        w->confirmed->arena = w->arena;
    }
    tn_arena_drop(w->own);
    w->own = NULL;
    w->picture = NULL;
}

static void put_form(searching *w, const tn_clone_form *f) {
    w->form = *f;
    tn_clones_make(w->c->scratch, w->c->module, f->set);
}

static bool has_work(const searching *w) {
    if (w->apart) {
        return w->plans < (is_tiny(w) ? TINY_PLANS : APART_PLANS) && w->steps < APART_STEPS;
    }
    return w->plans < MAX_PLANS && w->steps < (w->n_ops > LARGE ? LARGE_STEPS : PLANNED_STEPS);
}

static bool put_start(searching *w) {
    if (w->started) {
        return false;
    }
    w->started = true;
    put_form(w, &w->best);
    return true;
}

/* Moves are taken one by one, and later ones may do alone what earlier ones began: clones of the
 * best form that it does not need are left out, the last first. */
static bool put_drop(searching *w) {
    uint32_t n = tn_clones_count(w->best.set);
    for (w->one = w->one < n ? w->one : n; w->one > 0 && w->drops < MAX_DROPS;) {
        const tn_clone_set *less =
            tn_clones_without(w->c->scratch, w->c->module, w->best.set, --w->one);
        if (less != NULL) {
            put_form(w, &(tn_clone_form){.set = less, .arena = TN_NO_ARENA});
            w->form.flops = tn_clones_flops(w->c->module);
            w->drops++;
            return true;
        }
    }
    return false;
}

static bool put_sketch(searching *w) {
    if (w->started || w->stages != NULL || w->apart) {
        return false;
    }
    w->started = true;
    tn_clones_make(w->c->scratch, w->c->module, w->given.set);
    tn_stage_take_out(w->c->scratch, w->c->module);
    return true;
}

/* Sets that are looked at in one search, so that all of them together look at so many ops. */
static uint32_t tries_of(const searching *w, const tn_stages *p) {
    uint32_t tries = (w->ask.brief ? SEARCHED_OPS / BRIEF_PART : SEARCHED_OPS) / (p->n + 1);
    uint64_t pairs = (uint64_t)p->n * p->n;
    tries = pairs < tries / TRIES_A_PAIR ? (uint32_t)pairs * TRIES_A_PAIR : tries;
    return tries < MAX_STAGED_TRIES ? tries : MAX_STAGED_TRIES;
}

/* From the best form; small models once from nothing, too. Where ops may move, there are more ways
 * that lead nowhere, so that every second search leaves the order as it is. */
static bool put_staged(searching *w) {
    static const uint32_t slacks[] = {0, 1024, 128, 1024, 1024, 128};
    if (w->stages == NULL || w->staged == (w->n_ops <= SMALL ? SMALL_STAGED : MAX_STAGED) ||
        w->best.peak <= w->forms.peak_goal) {
        return false;
    }
    tn_arena *own = tn_arena_new(w->c->ctx);
    tn_clones_make(w->c->scratch, w->c->module, w->best.set);
    tn_stage_set first = tn_stage_model_read(own, w->stages, w->c->module);
    first.n = w->staged == 1 && w->n_ops <= SMALL ? 0 : first.n;
    const tn_stage_ask ask = {.p = &w->stages->p,
                              .first = first,
                              .moves = w->c->order->searched && w->staged % 2 == 0,
                              .flops = tn_flops_count(w->most * w->model),
                              .goal = w->forms.peak_goal,
                              .seed = w->staged,
                              .tries = tries_of(w, &w->stages->p),
                              .slack = slacks[w->staged % (sizeof slacks / sizeof slacks[0])]};
    tn_stage_answer a = tn_stage_search(own, &ask);
    w->staged++;
    tn_stage_model_write(w->c->scratch, w->stages, w->c->module, &a.set);
    tn_arena_drop(own);
    w->form = (tn_clone_form){.set = tn_clones_write_down(w->c->scratch, w->c->module),
                              .flops = tn_clones_flops(w->c->module),
                              .arena = TN_NO_ARENA};
    return true;
}

static bool put_in_full(searching *w, tn_clone_form *f) {
    bool afford = !w->apart || w->pairs < APART_PAIRS;
    w->confirmed = afford ? f : NULL;
    if (w->confirmed != NULL) {
        w->pairs += (uint64_t)w->n_ops * w->n_ops;
        f->tried = true;
        put_form(w, f);
    }
    return w->confirmed != NULL;
}

/* The cheapest forms for a few sizes between the best arena and the one given. */
static bool put_drawn(searching *w) {
    const tn_clone_form *best = tn_forms_smallest(&w->forms);
    while (w->ask.last && w->drawn < MAX_DRAWN) {
        uint64_t part = (w->given.arena - best->arena) / (MAX_DRAWN + 1);
        uint64_t peak = w->given.arena - part * ++w->drawn;
        if (put_in_full(w, tn_forms_cheapest(&w->forms, peak))) {
            return true;
        }
    }
    return false;
}

/* Puts a form of the phase at hand into the module: false where there is none left. */
static bool put_of_phase(searching *w) {
    switch (w->phase) {
    case GIVEN:
        break;
    case STARTING:
        return put_start(w);
    case WALKING:
        return w->walking && has_work(w) && tn_walk_put(w->walk);
    case SKETCHING:
        return put_sketch(w);
    case STAGING:
        return put_staged(w);
    case DROPPING:
        return w->ask.last && put_drop(w);
    case CONFIRMING:
        return w->full++ < MAX_FULL && put_in_full(w, tn_forms_untried(&w->forms));
    case DRAWING:
        return put_drawn(w);
    }
    return false;
}

/* Few enough bytes are alive in the best form, but its arena is too large. */
static bool must_be_tighter(searching *w) {
    const tn_clone_form *best = tn_forms_smallest(&w->forms);
    return best->arena > w->forms.goal && w->best.peak <= w->forms.peak_goal &&
           w->tighter < MAX_TIGHTER;
}

/* What few operations can do is found before more are allowed: searches with many to spend look
 * elsewhere, and would end with more bytes. */
static bool can_spend_more(searching *w) {
    bool more = w->phase == DROPPING && w->ask.last && w->most < w->ask.most &&
                w->best.peak > w->forms.peak_goal;
    if (more) {
        w->most = w->ask.most;
        w->staged = 0;
    }
    return more;
}

/* Walks begin anew from the best form as long as they lead to a better one. */
static void go_on(searching *w) {
    w->phase++;
    bool again = w->phase == CONFIRMING && w->best.set != w->began && w->n_ops <= SMALL;
    if (w->phase == DRAWING && must_be_tighter(w)) {
        w->tighter++;
        w->forms.peak_goal -= w->forms.peak_goal / 32;
        again = true;
    }
    bool more = can_spend_more(w);
    if ((again || more) && has_work(w)) {
        w->phase = STARTING;
    } else if (more) {
        w->phase = STAGING;
    }
    w->started = w->phase != STARTING && w->phase != SKETCHING;
    w->walking = w->walking && w->phase == WALKING;
    w->began = w->phase == STARTING ? w->best.set : w->began;
    w->one = UINT32_MAX;
    w->full = 0;
    w->care = w->phase < CONFIRMING && !is_tiny(w) ? TN_CARE_ALIVE : TN_CARE_QUICK;
}

static bool put_next(searching *w) {
    if (w->pending) {
        judge(w);
    }
    while (!put_of_phase(w)) {
        if (w->walk == NULL || w->phase == DRAWING) {
            return false;
        }
        go_on(w);
    }
    return true;
}

/* The best of those planned in full, among them the one given. */
static void put_best(searching *w) {
    if (w->pending) {
        judge(w);
    }
    const tn_clone_form *best = tn_forms_smallest(&w->forms);
    w->best = best != NULL ? *best : w->given;
    tn_clones_make(w->c->scratch, w->c->module, w->best.set);
    tn_clones_name(w->c->scratch, w->c->module);
}

static bool put(void *user, uint32_t i, uint64_t least) {
    searching *w = user;
    (void)least;
    w->asked++;
    if (w->asked > w->n) {
        put_best(w);
        return true;
    }
    if (i == 0) {
        put_form(w, &w->given); /* its clones as they will be made again */
    }
    w->pending = i == 0 || put_next(w);
    w->arena = TN_NO_ARENA;
    return w->pending;
}

static void seen(void *user, tn_analyses *decided, uint64_t arena) {
    searching *w = user;
    w->plans++;
    w->steps += tn_get_liveness(decided)->steps->n;
    w->arena = arena;
    if (arena != TN_NO_ARENA && w->phase > GIVEN && w->phase < CONFIRMING) {
        w->own = tn_arena_new(w->c->ctx);
        tn_picture *picture =
            tn_picture_make(w->own, w->c->module, decided, w->ask.align, w->ask.io_in_arena);
        picture->need = w->apart ? arena : picture->peak;
        w->picture = picture;
        if (w->phase == SKETCHING) {
            const tn_stage_model_ask ask = {
                w->picture, tn_clonable_ops(w->c->module, w->c->scratch), w->ask.inplace};
            w->stages = tn_stage_model_make(w->c->scratch, &ask);
        }
    }
}

static void settle(void *user, uint32_t best, uint64_t least) {
    searching *w = user;
    (void)best;
    (void)least;
    bool planned = w->given.arena != TN_NO_ARENA;
    tn_recompute_outcome out = {.plans = w->plans,
                                .flops = w->best.flops,
                                .model = w->model,
                                .before = planned ? w->given.arena : 0,
                                .arena = planned ? w->best.arena : 0};
    TN_FOR_OPS(op, w->c->module->main) {
        out.clones += op->clone_of != NULL;
    }
    out.curve = tn_forms_curve(&w->forms, w->c->scratch, &out.n_curve);
    if (w->walk != NULL) {
        tn_walk_end(w->walk);
    }
    w->report(w->c, &out);
}

tn_candidates tn_recompute_candidates(tn_pass_ctx *c, const tn_recompute_ask *ask,
                                      tn_recompute_report *report) {
    searching *w = TN_NEW(c->scratch, searching);
    *w = (searching){.c = c,
                     .ask = *ask,
                     .report = report,
                     .apart = c->module->concurrency.kind == TN_DATAFLOW,
                     .most = ask->most < FIRST_PART ? ask->most : FIRST_PART,
                     .n = MAX_PLANS + MAX_DROPS + 2 * MAX_STAGED + 1 +
                          (MAX_FULL + 1) * (MAX_TIGHTER + 1) + MAX_DRAWN,
                     .model = tn_graph_flops(c->module->main)};
    w->given = (tn_clone_form){.set = tn_clones_write_down(c->scratch, c->module),
                               .flops = tn_clones_flops(c->module),
                               .peak = UINT64_MAX,
                               .arena = TN_NO_ARENA};
    w->best = w->given;
    w->n_ops = c->module->main->n_ops - tn_clones_count(w->given.set);
    if (w->model <= 0 || ask->most <= 0) {
        return (tn_candidates){0};
    }
    return (tn_candidates){.n = w->n,
                           .in_order = true,
                           .user = w,
                           .put = put,
                           .seen = seen,
                           .care = &w->care,
                           .settle = settle};
}
