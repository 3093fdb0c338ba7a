/* Numbers by trial: load, infer, count the values without a size. Extents of 1 are often too small
 * (a window does not fit) or too odd (an image that is halved five times); powers of two pass. */
#include "cli/dims_example.h"

#include "frontends/core/frontend.h"
#include "ir/build.h"
#include "ir/dim/dim.h"
#include "lib/planner.h"

enum {
    MAX_EXTENT = 1024,
    MAX_RANK = 4,     /* tried for inputs that state none */
    MAX_LOWERED = 12, /* open extents that are set back one by one */
};

static void ignore(void *user, tn_severity severity, const char *text) {
    (void)user;
    (void)severity;
    (void)text;
}

static void fill_request(tn_request *r, const tn_open_model *open) {
    r->passes = "infer-shapes";
    for (uint32_t i = 0; i < open->symbols.len; i++) {
        tn_vec_push(r->arena, &r->dims, (tn_dim_binding){open->symbols.data[i], open->values[i]});
    }
    for (uint32_t i = 0; i < open->inputs.len; i++) {
        const tn_open_input *in = &open->inputs.data[i];
        tn_vec_push(r->arena, &r->shapes, (tn_input_shape){in->name, in->dims, in->rank});
    }
}

typedef struct attempt {
    tn_cli *cli;
    const tn_open_model *open;
    tn_module *m;
    uint32_t warnings;
} attempt;

static tn_status infer(tn_ctx *ctx, void *arg) {
    attempt *a = arg;
    tn_request *r = tn_request_new(a->cli->arena);
    fill_request(r, a->open);
    tn_load_options options = tn_request_load_options(r);
    tn_run_settings settings = tn_run_settings_default();
    tn_plan *plan;
    a->m = tn_load_bytes(ctx, a->open->path, a->open->bytes, &options);
    uint32_t before = ctx->n_warnings;
    if (a->m != NULL && tn_planner_run(r, a->m, &settings, &plan) != TN_OK) {
        tn_module_drop(a->m);
        a->m = NULL;
    }
    a->warnings = ctx->n_warnings - before;
    return TN_OK;
}

/* The module with types inferred, silently; *warnings: how often inference found something to
 * complain about. Diagnostics are on again whatever happens inside. */
static tn_module *try(tn_cli *cli, const tn_open_model *open, uint32_t *warnings) {
    tn_ctx *ctx = cli->ctx;
    tn_diag_handler handler = ctx->on_diag;
    uint32_t n_errors = ctx->n_errors, n_warnings = ctx->n_warnings;
    attempt a = {.cli = cli, .open = open};
    ctx->on_diag = ignore;
    tn_status status = tn_guard_run(ctx, infer, &a);
    ctx->on_diag = handler;
    ctx->n_errors = n_errors;
    ctx->n_warnings = n_warnings;
    if (status == TN_NOMEM) {
        tn_raise(ctx, status);
    }
    *warnings = a.warnings;
    return status == TN_OK ? a.m : NULL;
}

static bool has_size(const tn_module *m, const tn_value *v) {
    int64_t bytes;
    return v->unplanned == NULL && v->type != NULL && v->type->kind == TN_TYPE_TENSOR &&
           tn_dim_is_const(m->dims, tn_type_bytes(m->dims, v->type), &bytes);
}

/* How bad the numbers at hand are: complaints, and values that stay without a size. 0 when there
 * are no complaints: what has no size then would have none under other numbers. */
static uint32_t score(tn_cli *cli, const tn_open_model *open) {
    uint32_t warnings;
    tn_module *m = try(cli, open, &warnings);
    if (m == NULL) {
        return UINT32_MAX;
    }
    uint32_t n = warnings;
    for (uint32_t i = 0; i < m->n_values && warnings > 0; i++) {
        n += !has_size(m, m->values[i]);
    }
    tn_module_drop(m);
    return n;
}

static void set_inputs(tn_cli *cli, tn_open_model *open, uint32_t rank, int64_t extent) {
    for (uint32_t i = 0; i < open->inputs.len; i++) {
        tn_open_input *in = &open->inputs.data[i];
        if (!in->ranked) {
            in->rank = rank;
            in->dims = TN_ARRAY(cli->arena, int64_t, rank);
        }
        for (uint32_t k = 0; k < in->rank; k++) {
            if (in->dims[k] >= 0) {
                in->dims[k] = extent;
            }
        }
    }
}

static void set_all(tn_cli *cli, tn_open_model *open, uint32_t rank, int64_t extent) {
    for (uint32_t i = 0; i < open->symbols.len; i++) {
        open->values[i] = extent;
    }
    set_inputs(cli, open, rank, extent);
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
static uint32_t search(tn_cli *cli, tn_open_model *open) {
    uint32_t best = UINT32_MAX, best_rank = 1, ranks = has_unranked(open) ? MAX_RANK : 1;
    int64_t best_extent = 1;
    for (int64_t extent = 1; extent <= MAX_EXTENT && best > 0; extent *= 2) {
        for (uint32_t rank = 1; rank <= ranks && best > 0; rank++) {
            set_all(cli, open, rank, extent);
            uint32_t n = score(cli, open);
            if (n < best) {
                best = n;
                best_rank = rank;
                best_extent = extent;
            }
        }
    }
    set_all(cli, open, best_rank, best_extent);
    return best;
}

static void lower(tn_cli *cli, const tn_open_model *open, int64_t *extent, uint32_t best) {
    int64_t was = *extent;
    *extent = 1;
    if (was != 1 && score(cli, open) > best) {
        *extent = was;
    }
}

static void lower_all(tn_cli *cli, tn_open_model *open, uint32_t best) {
    uint32_t left = MAX_LOWERED;
    for (uint32_t i = 0; i < open->symbols.len && left > 0; i++, left--) {
        lower(cli, open, &open->values[i], best);
    }
    for (uint32_t i = 0; i < open->inputs.len; i++) {
        const tn_open_input *in = &open->inputs.data[i];
        for (uint32_t k = 0; k < in->rank && left > 0; k++) {
            if (in->dims[k] > 0) {
                lower(cli, open, &in->dims[k], best);
                left--;
            }
        }
    }
}

tn_module *tn_dims_example(tn_cli *cli, tn_open_model *open) {
    open->values = TN_ARRAY(cli->arena, int64_t, open->symbols.len + 1u);
    uint32_t best = search(cli, open);
    lower_all(cli, open, best);
    return try(cli, open, &(uint32_t){0});
}
