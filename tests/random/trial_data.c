#include "tests/random/trial_data.h"

#include <string.h>

#include "ir/build.h"
#include "ir/plan/forms.h"
#include "ir/substitute.h"
#include "ir/text/text.h"
#include "passes/core/manager.h"
#include "tests/random/oracle.h"
#include "tests/random/rng.h"
#include "tests/random/shadow.h"

enum { N_DRAWS = 10, MOST = 24 };

typedef struct testing {
    tn_ctx *ctx;
    const trial *t;
    tn_arena *arena;
    trial_totals *totals;
    rng random;
    tn_module *m; /* whose symbols are being set */
    uint32_t draw;
    const char *wrong;
} testing;

static tn_module *parse(testing *w) {
    tn_module *m = tn_module_parse(w->ctx, "case.tir", w->t->text, strlen(w->t->text));
    if (m == NULL) {
        w->wrong = "the text does not read back";
    }
    return m;
}

static tn_plan *run_passes(testing *w, tn_module *m, const char *passes) {
    tn_pipeline written, p;
    tn_plan *plan = NULL;
    tn_status status = tn_pipeline_parse(w->arena, "case", passes, &written);
    for (uint32_t i = 0; status == TN_OK && i < written.len; i++) {
        if (strcmp(written.items[i].pass->name, "recompute") == 0) { /* the other module has none */
            memmove(&written.items[i], &written.items[i + 1],
                    (--written.len - i) * sizeof written.items[0]);
            i--;
        }
    }
    if (status == TN_OK && passes == w->t->v->pipeline) {
        status = tn_pipeline_complete(w->arena, &written, &p);
        written = p;
    }
    if (status != TN_OK ||
        tn_run_pipeline(w->ctx, m, &written, &w->t->v->controls, &plan, NULL) != TN_OK) {
        w->wrong = "passes fail";
    }
    return plan;
}

/* The same limit each time it is asked for. */
static int64_t limit_of(const testing *w, const char *name) {
    rng r = {w->t->seed ^ strlen(name) * 77};
    return 1 + rng_below(&r, MOST);
}

static void limit_symbol(void *user, const char *name) {
    testing *w = user;
    tn_dims *d = w->m->dims;
    tn_dims_limit(d, name, name, tn_dim_const(d, limit_of(w, name)));
}

/* First all at their limits, then all at 1. */
static void bind_symbol(void *user, const char *name) {
    testing *w = user;
    int64_t most = limit_of(w, name);
    int64_t extent = w->draw == 0   ? most
                     : w->draw == 1 ? 1
                                    : 1 + rng_below(&w->random, (uint32_t)most);
    tn_dims_bind(w->m->dims, name, extent);
}

/* The plan with the bytes that values have in a run of module m, where they are. */
static bool shrink_values(testing *w, tn_plan *p, const tn_module *m, const tn_plan_value *most) {
    for (uint32_t i = 0; i < p->n_values && w->wrong == NULL; i++) {
        tn_plan_value *v = &p->values[i];
        const tn_value *is = m->values[v->module_value];
        int64_t bytes = 0;
        if (v->storage == TN_NO_ID || v->role == TN_ROLE_WORKSPACE) {
            continue;
        }
        if (!tn_type_point_bytes(m->dims, is->type, &bytes) || (uint64_t)bytes > most[i].bytes) {
            w->wrong =
                tn_arena_printf(w->arena, "'%s' has %llu bytes at most, and %lld in a run", v->name,
                                (unsigned long long)most[i].bytes, (long long)bytes);
        }
        v->bytes = (uint64_t)bytes;
    }
    return w->wrong == NULL;
}

/* What ops of the module leave to data (Compress, NonZero): all at their limits first, then all at
 * 0. */
static void draw_found(testing *w, tn_module *m) {
    uint32_t n;
    int64_t most;
    (void)tn_dims_limits(m->dims, &n);
    for (uint32_t i = 0; i < n; i++) {
        tn_dim_limit limit = tn_dims_limits(m->dims, &n)[i];
        if (tn_dim_at_point(m->dims, limit.most, &most) && most < UINT32_MAX) {
            int64_t extent = w->draw == 0   ? most
                             : w->draw == 1 ? 0
                                            : rng_below(&w->random, (uint32_t)most + 1);
            tn_dims_bind(m->dims, limit.name, extent);
        }
    }
    tn_module_substitute(m);
}

static void check_run(testing *w, tn_plan *p, const tn_plan_value *most) {
    tn_module *m = w->m = parse(w);
    uint64_t seed = rng_next(&w->random);
    tn_dims_each_symbol(m->dims, bind_symbol, w);
    tn_module_substitute(m);
    (void)run_passes(w, m, "infer-shapes,pin");
    draw_found(w, m);
    if (w->wrong == NULL && shrink_values(w, p, m, most)) {
        w->wrong = oracle_check(p, m, w->arena);
    }
    for (int order = SHADOW_PLANNED; w->wrong == NULL && order <= SHADOW_LOOSE; order++) {
        w->wrong = shadow_run(p, m, (shadow_order)order, seed, w->arena, &w->totals->bytes);
    }
    w->totals->plans++;
    w->totals->values += p->n_values;
    tn_module_drop(m);
}

static void check_json(testing *w, const tn_plan *p) {
    tn_sink one = tn_sink_make(w->arena), two = tn_sink_make(w->arena);
    tn_plan_to_json(p, &one);
    tn_plan *back = tn_plan_from_json(w->ctx, "case.json", one.data, one.len);
    if (back != NULL) {
        tn_plan_to_json(back, &two);
    }
    if (back == NULL || one.len != two.len || memcmp(one.data, two.data, one.len) != 0) {
        w->wrong = "JSON reads back to another plan";
    }
    tn_plan_drop(back);
}

static tn_status run(tn_ctx *ctx, void *arg) {
    testing *w = arg;
    (void)ctx;
    tn_module *m = w->m = parse(w);
    if (m == NULL) {
        return TN_OK;
    }
    tn_dims_each_symbol(m->dims, limit_symbol, w);
    tn_plan *p = run_passes(w, m, w->t->v->pipeline);
    w->totals->graphs += m->n_graphs;
    w->totals->ops += m->n_ops;
    if (w->wrong == NULL && p != NULL && p->n_data_dims > 0) {
        const tn_plan_report *r = &p->report;
        w->totals->shared += (uint64_t)r->n_inplace + r->n_views + r->n_updates + r->n_shared;
        p->model = m->name;
        p->version = p->digest = "";
        p->pipeline = w->t->v->pipeline;
        check_json(w, p);
        const tn_plan_value *most =
            tn_arena_regrow(w->arena, p->values, p->n_values, p->n_values, sizeof *p->values);
        for (w->draw = 0; w->draw < N_DRAWS && w->wrong == NULL; w->draw++) {
            check_run(w, p, most);
        }
    }
    tn_plan_drop(p);
    tn_module_drop(m);
    return TN_OK;
}

const char *trial_run_data(tn_ctx *ctx, const trial *t, const tn_sink *said, tn_arena *arena,
                           trial_totals *totals) {
    testing w = {
        .ctx = ctx, .t = t, .arena = arena, .totals = totals, .random = {t->seed ^ 0xda7a}};
    size_t before = said->len;
    tn_status status = tn_guard_run(ctx, run, &w);
    if (status != TN_OK) {
        return w.wrong != NULL ? w.wrong : "raised";
    }
    return w.wrong == NULL && said->len > before ? "diagnostics about a valid module" : w.wrong;
}
