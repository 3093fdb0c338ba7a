/* Which variant of a program runs for extents that come at run time. */
#include <string.h>

#include "lib/sets/pick.h"

#include "ir/base/diag.h"

static bool find(const tn_plan *p, const char *name, int64_t *extent) {
    for (uint32_t i = 0; i < p->n_dims; i++) {
        if (strcmp(p->dims[i].name, name) == 0) {
            *extent = p->dims[i].value;
            return true;
        }
    }
    return false;
}

/* Every dimension that is wanted is at least as large in the variant. */
static bool fits(const tn_plan *p, const tn_plan_dim *wanted, size_t n) {
    for (size_t i = 0; i < n; i++) {
        int64_t extent;
        if (!find(p, wanted[i].name, &extent) || extent < wanted[i].value) {
            return false;
        }
    }
    return true;
}

static tn_status demand_names(const tn_plan *p, const char *program, const tn_plan_dim *wanted,
                              size_t n) {
    tn_arena *scratch = tn_arena_new(p->ctx);
    const char **names = TN_ARRAY(scratch, const char *, p->n_dims);
    tn_status status = TN_OK;
    for (uint32_t i = 0; i < p->n_dims; i++) {
        names[i] = p->dims[i].name;
    }
    for (size_t i = 0; i < n && status == TN_OK; i++) {
        int64_t extent;
        if (!find(p, wanted[i].name, &extent)) {
            const char *near = tn_nearest(wanted[i].name, names, p->n_dims);
            status = tn_usage(p->ctx, NULL, "program '%s' has no dimension '%s'%s%s%s", program,
                              wanted[i].name, near != NULL ? "; did you mean '" : "",
                              near != NULL ? near : "", near != NULL ? "'?" : "");
        }
    }
    tn_arena_drop(scratch);
    return status;
}

static void put_dims(tn_sink *out, const tn_plan_dim *dims, size_t n) {
    for (size_t i = 0; i < n; i++) {
        tn_putf(out, "%s%s=%lld", i > 0 ? ", " : "", dims[i].name, (long long)dims[i].value);
    }
}

static tn_status missing(const tn_plan_program *program, const tn_plan_dim *wanted, size_t n) {
    tn_ctx *ctx = program->variants[0]->ctx;
    tn_arena *scratch = tn_arena_new(ctx);
    tn_sink text = tn_sink_make(scratch);
    put_dims(&text, wanted, n);
    tn_put(&text, "; there is ");
    for (uint32_t i = 0; i < program->n_variants; i++) {
        tn_put(&text, i > 0 ? "; " : "");
        put_dims(&text, program->variants[i]->dims, program->variants[i]->n_dims);
    }
    tn_status status =
        tn_error(ctx, NULL, "program '%s' has no variant that is large enough for %s",
                 program->name, text.data);
    tn_arena_drop(scratch);
    return status;
}

tn_status tn_set_pick(const tn_plan_program *program, const tn_plan_dim *wanted, size_t n,
                      uint32_t *variant) {
    uint32_t best = TN_NO_ID;
    *variant = TN_NO_ID;
    if (demand_names(program->variants[0], program->name, wanted, n) != TN_OK) {
        return TN_USAGE;
    }
    for (uint32_t i = 0; i < program->n_variants; i++) {
        bool better =
            best == TN_NO_ID || tn_plan_is_smaller(program->variants[i], program->variants[best]);
        if (better && fits(program->variants[i], wanted, n)) {
            best = i;
        }
    }
    *variant = best;
    return best != TN_NO_ID ? TN_OK : missing(program, wanted, n);
}
