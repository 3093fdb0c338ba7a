#include "lib/advice/advice.h"

#include <string.h>

#include "ir/base/sort.h"
#include "ir/plan/plan_names.h"
#include "lib/advice/advice_t.h"

enum { MOST_NAMES = 3 };
enum { PARTS = 100 }; /* what gives less than one of so many parts is not worth a word */

const char *const tn_advice_kind_names[] = {
    [TN_ADVICE_OPTION] = "option",       [TN_ADVICE_RECOMPUTE] = "recompute",
    [TN_ADVICE_CONSTANTS] = "constants", [TN_ADVICE_FUSION] = "fusion",
    [TN_ADVICE_INDICES] = "indices",     [TN_ADVICE_CACHE] = "cache",
    [TN_ADVICE_PATCHES] = "patches",     [TN_ADVICE_POOLS] = "pools"};

static uint64_t gain(const tn_outcome *now, const tn_outcome *o) {
    return now->ram > o->ram ? now->ram - o->ram : 0;
}

bool tn_advice_is_worth(const tn_advice_scene *s, const tn_outcome *o) {
    uint64_t bytes = gain(&s->now, o);
    return o->unplanned <= s->now.unplanned && bytes > 0 && bytes >= s->now.arena / PARTS;
}

const tn_plan_value *tn_advice_value(const tn_advice_scene *s, uint32_t module_value) {
    const tn_plan_value *values = s->plan->values;
    uint32_t low = 0, high = s->plan->n_values;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (values[mid].module_value < module_value) {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    bool found = low < s->plan->n_values && values[low].module_value == module_value;
    return found ? &values[low] : NULL;
}

uint64_t tn_advice_arena_bytes(const tn_advice_scene *s, uint32_t module_value) {
    const tn_plan_value *v = tn_advice_value(s, module_value);
    bool placed = v != NULL && v->storage != TN_NO_ID &&
                  s->plan->pools[s->plan->storages[v->storage].pool].kind == TN_POOL_ARENA;
    return placed ? v->bytes : 0;
}

const char *tn_advice_name(tn_arena *arena, const tn_graph *g, const char *name) {
    return g->path[0] == '\0' ? name : tn_arena_printf(arena, "%s/%s", g->path, name);
}

const char *tn_advice_some(tn_arena *arena, const char *head, const tn_texts *phrases) {
    tn_sink text = tn_sink_make(arena);
    tn_putf(&text, "%s: ", head);
    for (uint32_t i = 0; i < phrases->len && i < MOST_NAMES; i++) {
        tn_putf(&text, "%s%s", i > 0 ? ", " : "", phrases->data[i]);
    }
    if (phrases->len > MOST_NAMES) {
        tn_putf(&text, " and %u more", phrases->len - MOST_NAMES);
    }
    return text.data;
}

const char *tn_advice_result(tn_arena *arena, const tn_value *v) {
    tn_sink text = tn_sink_make(arena);
    tn_put_quoted(&text, v->name);
    tn_putf(&text, " (%s)", v->def->type);
    return text.data;
}

/* ---- all of it ---- */

typedef struct asking {
    tn_advice_scene *s;
    tn_advice_list list;
} asking;

/* What is about the graph comes first: where both have to be left out for time, options are tried
 * by hand more easily. */
static tn_status ask_all(tn_ctx *ctx, void *arg) {
    static void (*const all[])(tn_advice_scene *, tn_advice_list *) = {
        tn_advise_constants, tn_advise_patches, tn_advise_fusions,
        tn_advise_indices,   tn_advise_cache,   tn_advise_options};
    asking *a = arg;
    (void)ctx;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (all[i] != tn_advise_options || !a->s->without_options) {
            all[i](a->s, &a->list);
        }
    }
    return TN_OK;
}

static int most_first(const void *a, const void *b) {
    const tn_advice *x = a, *y = b;
    return TN_FIRST_OF(TN_COMPARE(x->outcome.ram, y->outcome.ram), TN_COMPARE(x->kind, y->kind),
                       strcmp(x->what, y->what));
}

tn_advice_list tn_advise(tn_advice_scene *s) {
    asking a = {.s = s};
    tn_trials_run(s->trials, ask_all, &a);
    TN_SORT(a.list.data, a.list.len, most_first);
    return a.list;
}
