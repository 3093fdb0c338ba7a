/* What other options would make of the arena: copies of the model are planned with each. */
#include <stdlib.h>
#include <string.h>

#include "ir/build.h"
#include "lib/explain/explain_t.h"
#include "passes/core/registry.h"

typedef struct trial {
    tn_explain *x;
    const tn_request *r;
    const tn_module *source;
    const char *pipeline; /* as planned */
    /* Diagnostics are off: what changed requests complain of is not the user's. */
    tn_diag_handler on_diag;
    uint32_t n_errors, n_warnings;
} trial;

typedef struct attempt {
    const trial *t;
    const tn_request *r;
    tn_fact *out;
} attempt;

/* Up to three settings that are tried together. */
typedef struct change {
    tn_pair settings[3];
    bool keeps_pipeline; /* a control: it changes the plan though not the pipeline */
} change;

static void quiet(trial *t, tn_ctx *ctx) {
    t->on_diag = ctx->on_diag;
    t->n_errors = ctx->n_errors;
    t->n_warnings = ctx->n_warnings;
    ctx->on_diag = NULL;
}

static void loud(const trial *t, tn_ctx *ctx) {
    ctx->on_diag = t->on_diag;
    ctx->n_errors = t->n_errors;
    ctx->n_warnings = t->n_warnings;
}

static tn_status plan_again(tn_ctx *ctx, void *arg) {
    const attempt *a = arg;
    tn_module *m = tn_module_clone(a->t->source);
    tn_plan *plan = NULL;
    (void)ctx;
    tn_status status = tn_planner_run(a->r, m, NULL, &plan);
    if (plan != NULL) {
        a->out->bytes = tn_plan_arena_bytes(plan);
        a->out->bound = plan->report.bound;
        a->out->offset = plan->report.cost;
    } else if (status == TN_OK) {
        status = TN_ERROR;
    }
    tn_plan_drop(plan);
    tn_module_drop(m);
    return status;
}

/* The request with the settings on top. False when they make no difference or do not go together
 * with what was asked for. */
static bool apply(trial *t, const change *c, tn_request *r) {
    tn_pipeline p;
    *r = *t->r;
    r->arena = t->x->arena;
    r->controls.capacity = 0;
    r->strict = false;
    if (strcmp(c->settings[0].key, "concurrency") == 0) { /* in place of queues, too */
        r->controls.concurrency = TN_SERIAL;
        r->controls.n_queues = 0;
        r->queue.len = 0;
    }
    for (size_t i = 0; i < 3 && c->settings[i].key != NULL; i++) {
        if (tn_request_set(r, c->settings[i].key, c->settings[i].value, NULL) != TN_OK) {
            return false;
        }
    }
    if (c->keeps_pipeline) {
        return true;
    }
    tn_sink text = tn_sink_make(t->x->arena);
    if (tn_request_pipeline(r, t->x->arena, &p) != TN_OK) {
        return false;
    }
    tn_pipeline_print(&p, &text);
    return strcmp(text.data, t->pipeline) != 0;
}

static const char *shown(tn_arena *arena, const change *c) {
    tn_sink text = tn_sink_make(arena);
    for (size_t i = 0; i < 3 && c->settings[i].key != NULL; i++) {
        const tn_pair *s = &c->settings[i];
        tn_putf(&text, strcmp(s->key, "O") == 0 ? "%s-%s" : "%s--%s", i > 0 ? " " : "", s->key);
        if (strcmp(s->value, "true") != 0) {
            tn_putf(&text, strcmp(s->key, "O") == 0 ? "%s" : "=%s", s->value);
        }
    }
    return text.data;
}

static void try_change(trial *t, const change *c) {
    tn_request r;
    tn_fact fact = {.kind = TN_FACT_CHANGE, .text = shown(t->x->arena, c)};
    if (!apply(t, c, &r)) {
        return;
    }
    tn_ctx *ctx = t->x->p->ctx;
    tn_status status = tn_guard_run(ctx, plan_again, &(attempt){t, &r, &fact});
    if (tn_status_ends_all(status)) {
        tn_reraise(ctx, status);
    }
    if (status == TN_OK) {
        tn_vec_push(t->x->arena, &t->x->facts, fact);
    }
}

/* Every order the pass `schedule` knows. */
static void try_orders(trial *t) {
    const tn_opt *o = tn_pass_find(NULL, "schedule")->options;
    while (strcmp(o->name, "order") != 0) {
        o++;
    }
    char *choices = tn_arena_strndup(t->x->arena, o->choices, strlen(o->choices));
    for (char *at = choices; at != NULL;) {
        char *bar = strchr(at, '|');
        if (bar != NULL) {
            *bar = '\0';
        }
        try_change(t, &(change){.settings = {{"schedule", at}}});
        at = bar != NULL ? bar + 1 : NULL;
    }
}

static int smallest_first(const void *a, const void *b) {
    const tn_fact *x = a, *y = b;
    if (x->bytes != y->bytes) {
        return x->bytes < y->bytes ? -1 : 1;
    }
    return strcmp(x->text, y->text);
}

static tn_status try_all(tn_ctx *ctx, void *arg) {
    static const change changes[] = {{.settings = {{"O", "2"}}},
                                     {.settings = {{"O", "3"}}},
                                     {.settings = {{"memory", "offsets"}}},
                                     {.settings = {{"views", "all"}}},
                                     {.settings = {{"inplace", "all"}}},
                                     {.settings = {{"inplace", "ordered"}}},
                                     {.settings = {{"views", "all"}, {"inplace", "all"}}},
                                     {.settings = {{"views", "all"}, {"inplace", "ordered"}}}};
    static const change donate = {.settings = {{"reuse-inputs", "true"}}, .keeps_pipeline = true};
    static const change serial = {.settings = {{"concurrency", "serial"}}, .keeps_pipeline = true};
    trial *t = arg;
    (void)ctx;
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        try_change(t, &changes[i]);
    }
    if (!t->r->controls.reuse_inputs) {
        try_change(t, &donate);
    }
    if (t->r->controls.concurrency != TN_SERIAL) {
        try_change(t, &serial);
    }
    try_orders(t);
    return TN_OK;
}

/* Behind a boundary, so that diagnostics are on again whatever happens, and running out of memory
 * is reported. */
void tn_explain_changes(tn_explain *x, const tn_request *r, const tn_module *source) {
    trial t = {.x = x, .r = r, .source = source, .pipeline = x->p->pipeline};
    tn_ctx *ctx = x->p->ctx;
    uint32_t first = x->facts.len;
    quiet(&t, ctx);
    tn_status status = tn_guard_run(ctx, try_all, &t);
    loud(&t, ctx);
    if (status != TN_OK) {
        tn_raise(ctx, status);
    }
    qsort(x->facts.data + first, x->facts.len - first, sizeof *x->facts.data, smallest_first);
}
