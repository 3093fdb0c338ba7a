/* What other options would make of the arena, and what else would help. */
#include <stdlib.h>
#include <string.h>

#include "ir/base/sort.h"
#include "lib/explain/explain_t.h"
#include "passes/core/registry.h"

typedef struct changing {
    tn_explain *x;
    tn_trials *t;
} changing;

static void try_change(const changing *w, const tn_change *c) {
    const tn_tried *tried = tn_try_change(w->t, c);
    if (tried != NULL) {
        tn_vec_push(w->x->arena, &w->x->facts,
                    (tn_fact){.kind = TN_FACT_CHANGE,
                              .text = tried->what,
                              .bytes = tried->outcome.arena,
                              .bound = tried->outcome.bound,
                              .offset = tried->outcome.cost});
    }
}

/* Every order the pass `schedule` knows. */
static void try_orders(const changing *w) {
    const tn_opt *o = tn_pass_find(NULL, "schedule")->options;
    while (strcmp(o->name, "order") != 0) {
        o++;
    }
    char *choices = tn_arena_strndup(w->x->arena, o->choices, strlen(o->choices));
    for (char *at = choices; at != NULL;) {
        char *bar = strchr(at, '|');
        if (bar != NULL) {
            *bar = '\0';
        }
        try_change(w, &(tn_change){.settings = {{"schedule", at}}});
        at = bar != NULL ? bar + 1 : NULL;
    }
}

static int smallest_first(const void *a, const void *b) {
    const tn_fact *x = a, *y = b;
    return TN_FIRST_OF(TN_COMPARE(x->bytes, y->bytes), strcmp(x->text, y->text));
}

static tn_status try_all(tn_ctx *ctx, void *arg) {
    static const tn_change changes[] = {{.settings = {{"O", "2"}}},
                                        {.settings = {{"O", "3"}}},
                                        {.settings = {{"memory", "offsets"}}},
                                        {.settings = {{"views", "all"}}},
                                        {.settings = {{"inplace", "all"}}},
                                        {.settings = {{"inplace", "ordered"}}},
                                        {.settings = {{"views", "all"}, {"inplace", "all"}}},
                                        {.settings = {{"views", "all"}, {"inplace", "ordered"}}}};
    static const tn_change donate = {.settings = {{"reuse-inputs", "true"}},
                                     .keeps_pipeline = true};
    static const tn_change serial = {.settings = {{"concurrency", "serial"}},
                                     .keeps_pipeline = true};
    const changing *w = arg;
    const tn_controls *given = &w->t->r->controls;
    (void)ctx;
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        try_change(w, &changes[i]);
    }
    if (!given->reuse_inputs) {
        try_change(w, &donate);
    }
    if (given->concurrency != TN_SERIAL) {
        try_change(w, &serial);
    }
    try_orders(w);
    return TN_OK;
}

void tn_explain_changes(tn_explain *x, tn_trials *t) {
    uint32_t first = x->facts.len;
    tn_trials_run(t, try_all, &(changing){x, t});
    qsort(x->facts.data + first, x->facts.len - first, sizeof *x->facts.data, smallest_first);
}

void tn_explain_advice(tn_explain *x, tn_trials *t, uint64_t most_steps) {
    tn_advice_scene s = {.arena = x->arena,
                         .trials = t,
                         .m = x->m,
                         .plan = x->p,
                         .now = x->now,
                         .capacity = x->capacity};
    if (x->p->partial || x->p->n_ranges > 0) { /* plans may be made for other points */
        tn_vec_push(x->arena, &x->facts,
                    (tn_fact){.kind = TN_FACT_ADVICE, .text = "dimensions are open (--dim)"});
        return;
    }
    t->counts = true;
    t->left = most_steps;
    tn_advice_list list = tn_advise(&s);
    for (uint32_t i = 0; i < list.len; i++) {
        tn_vec_push(x->arena, &x->facts,
                    (tn_fact){.kind = TN_FACT_ADVICE, .advice = &list.data[i]});
    }
    if (list.len == 0) {
        tn_vec_push(
            x->arena, &x->facts,
            (tn_fact){.kind = TN_FACT_ADVICE, .text = "nothing found that gives 1 % or more"});
    }
    if (t->left_out > 0) {
        tn_vec_push(x->arena, &x->facts, (tn_fact){.kind = TN_FACT_UNTRIED, .of = t->left_out});
    }
}
