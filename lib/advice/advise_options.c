/* Options that were not given and change the plan. */
#include <string.h>

#include "ir/base/sort.h"
#include "lib/advice/advice_t.h"
#include "lib/advice/measures.h"

enum { MOST_OPTIONS = 5 };

/* Whether it says anything new. What changes the pipeline is compared by that. */
static bool is_new(const tn_request *r, const tn_pair *s) {
    const tn_controls *c = &r->controls;
    int64_t align;
    if (strcmp(s->key, "keep-all") == 0) {
        return c->keep_all;
    }
    if (strcmp(s->key, "skip-grads") == 0) {
        return c->skip_grads;
    }
    if (strcmp(s->key, "skip-param-grads") == 0) {
        return c->skip_param_grads;
    }
    if (strcmp(s->key, "concurrency") == 0) {
        return c->concurrency != TN_SERIAL;
    }
    if (strcmp(s->key, "reuse-inputs") == 0) {
        return !c->reuse_inputs;
    }
    if (strcmp(s->key, "io") == 0) {
        return !c->io_in_arena;
    }
    if (strcmp(s->key, "layout") == 0) {
        return !c->channels_last;
    }
    bool less = !tn_text_to_int(s->value, &align) || (uint64_t)align < c->align;
    return strcmp(s->key, "align") != 0 || less;
}

/* What of the change is not asked for yet. */
static tn_change rest_of(const tn_request *r, const tn_change *c) {
    tn_change rest = {.keeps_pipeline = c->keeps_pipeline};
    size_t n = 0;
    for (size_t i = 0; i < TN_CHANGED_SETTINGS && c->settings[i].key != NULL; i++) {
        if (is_new(r, &c->settings[i])) {
            rest.settings[n++] = c->settings[i];
        }
    }
    return rest;
}

/* What asks for less gives as much, or nearly. */
static bool is_named_already(const tn_advice_scene *s, const tn_advice_list *found,
                             const tn_outcome *o) {
    for (uint32_t i = 0; i < found->len; i++) {
        tn_outcome closer = *o;
        closer.ram += s->now.ram - found->data[i].outcome.ram;
        if (!tn_advice_is_worth(s, &closer)) {
            return true;
        }
    }
    return false;
}

static void add(tn_advice_scene *s, tn_advice_list *found, tn_advice_kind kind,
                const tn_tried *tried, const char *asks) {
    if (tried == NULL || !tn_advice_is_worth(s, &tried->outcome) ||
        is_named_already(s, found, &tried->outcome)) {
        return;
    }
    tn_vec_push(s->arena, found,
                (tn_advice){.kind = kind,
                            .what = tried->what,
                            .options = tried->what,
                            .asks = asks,
                            .outcome = tried->outcome});
}

static int most_first(const void *a, const void *b) {
    const tn_advice *x = a, *y = b;
    return TN_FIRST_OF(TN_COMPARE(x->outcome.ram, y->outcome.ram), strcmp(x->what, y->what));
}

static void move_best(tn_advice_scene *s, tn_advice_list *found, tn_advice_list *list,
                      uint32_t most) {
    TN_SORT(found->data, found->len, most_first);
    for (uint32_t i = 0; i < found->len && i < most; i++) {
        tn_vec_push(s->arena, list, found->data[i]);
    }
}

/* ---- memory for computation ---- */

/* From few operations to many; more of them are worth a word only for fewer bytes. Where there is
 * time for one search alone, it is that of the middle. */
static void advise_recompute(tn_advice_scene *s, tn_advice_list *list) {
    static const tn_change middle = {.settings = {{"recompute", "10%"}}};
    const tn_request *r = s->trials->r;
    tn_advice_list found = {0};
    if (r->recompute != NULL || r->recompute_budget != NULL) {
        return;
    }
    (void)tn_try_change(s->trials, &middle);
    for (const tn_measure *m = tn_measures; m->asks != NULL; m++) {
        if (m->in == TN_MEASURE_RECOMPUTE && m->use != TN_FOR_FIT) {
            add(s, &found, TN_ADVICE_RECOMPUTE, tn_try_change(s->trials, &m->change), m->asks);
        }
    }
    for (uint32_t i = 0; i < found.len; i++) {
        tn_advice *a = &found.data[i];
        a->operations = a->outcome.operations;
        a->part = (double)a->operations / (double)a->outcome.model_operations;
        a->nodes = a->outcome.clones;
        a->what = tn_advice_some(
            s->arena, tn_arena_printf(s->arena, "%s, which runs again", a->what), &a->nodes);
    }
    move_best(s, &found, list, found.len);
}

/* ---- a second memory ---- */

/* No fewer bytes, but so many of them where they have to be. */
static void advise_pools(tn_advice_scene *s, tn_advice_list *list) {
    const char *fast = tn_arena_printf(s->arena, "fast:%llu", (unsigned long long)s->capacity);
    const tn_change c = {.settings = {{"pool", fast}, {"pool", "more"}}, .keeps_pipeline = true};
    if (s->capacity == 0 || s->now.arena <= s->capacity || s->trials->r->pools.len > 0) {
        return;
    }
    const tn_tried *tried = tn_try_change(s->trials, &c);
    if (tried != NULL) {
        tn_vec_push(
            s->arena, list,
            (tn_advice){
                .kind = TN_ADVICE_POOLS,
                .what = tn_arena_printf(s->arena, "%s, of which the first has %llu B", tried->what,
                                        (unsigned long long)tried->outcome.first),
                .options = tried->what,
                .asks = "a second memory for what does not fit into the first; the pools take the "
                        "place of --capacity",
                .outcome = tried->outcome});
    }
}

void tn_advise_options(tn_advice_scene *s, tn_advice_list *list) {
    tn_advice_list found = {0};
    for (const tn_measure *m = tn_measures; m->asks != NULL; m++) {
        const tn_change rest = rest_of(s->trials->r, &m->change);
        bool is_here = m->use != TN_FOR_FIT && m->in != TN_MEASURE_RECOMPUTE;
        if (is_here && rest.settings[0].key != NULL) {
            add(s, &found, TN_ADVICE_OPTION, tn_try_change(s->trials, &rest), m->asks);
        }
    }
    move_best(s, &found, list, MOST_OPTIONS);
    advise_recompute(s, list);
    advise_pools(s, list);
}
