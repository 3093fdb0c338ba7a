/* Works out a plan with open dimensions as the library does, for the comparison with what emitted
 * code says (tests/headers/resolve.py). usage: resolve_plan PLAN.json; standard input has extents,
 * a line for each of the dimensions' sets. For each it prints "bad", or a line with the address,
 * size in bytes and extents of each value that has a place, and one with the sizes of pools. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "backends/core/open_layout.h"
#include "ir/base/diag.h"
#include "ir/base/file.h"
#include "ir/dim/dim.h"
#include "ir/plan/forms.h"
#include "ir/plan/plan_extents.h"

typedef struct job {
    const char *path;
    const tn_plan *p;
    int64_t *dims;
} job;

static bool value_of(void *user, const char *name, int64_t *value) {
    const job *j = user;
    for (uint32_t i = 0; i < j->p->n_ranges; i++) {
        if (strcmp(j->p->ranges[i].name, name) == 0) {
            *value = j->dims[i];
            return true;
        }
    }
    return false;
}

static int64_t extent_of(job *j, const tn_plan_value *v, uint32_t axis) {
    const char *text = v->dims[axis] < 0 ? v->dim_texts[axis] : NULL;
    int64_t value = v->dims[axis];
    tn_dim extent;
    if (text != NULL &&
        (!tn_dim_parse(j->p->exprs, &text, &extent) ||
         !tn_dim_eval(j->p->exprs, tn_dim_most(j->p->exprs, extent), value_of, j, &value))) {
        return -1;
    }
    return value;
}

static void print_all(job *j, const tn_resolved *r) {
    const tn_plan *p = j->p;
    for (uint32_t i = 0; i < p->n_values; i++) {
        const tn_plan_value *v = &p->values[i];
        if (v->storage == TN_NO_ID) {
            continue;
        }
        printf("%" PRIu64 "+%" PRIu64, r->storage_offset[v->storage] + r->value_offset[i],
               r->value_bytes[i]);
        for (uint32_t k = 0; k < v->rank; k++) {
            printf(",%" PRId64, extent_of(j, v, k));
        }
        putchar(' ');
    }
    for (uint32_t i = 0; i < p->n_pools; i++) {
        printf(" %" PRIu64, r->pool_size[i]);
    }
    putchar('\n');
}

/* Of the variants that an artefact has, the one with the smallest arena. */
static bool resolve(const job *j, tn_arena *arena, tn_resolved *out) {
    uint32_t n;
    const tn_plan **variants = tn_open_variants(arena, j->p, &n);
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < n; i++) {
        tn_resolved at;
        uint64_t bytes = 0;
        if (tn_plan_try(variants[i], j->dims, arena, &at)) {
            for (uint32_t k = 0; k < j->p->n_pools; k++) {
                bytes += j->p->pools[k].kind == TN_POOL_ARENA ? at.pool_size[k] : 0;
            }
            *out = bytes < least ? at : *out;
            least = bytes < least ? bytes : least;
        }
    }
    return least < UINT64_MAX;
}

static tn_status run(tn_ctx *ctx, void *arg) {
    job *j = arg;
    tn_arena *arena = tn_arena_new(ctx);
    tn_bytes bytes;
    tn_status status = tn_file_map(arena, j->path, &bytes);
    j->p = status == TN_OK ? tn_plan_from_json(ctx, j->path, bytes.data, bytes.size) : NULL;
    if (j->p == NULL) {
        return TN_ERROR;
    }
    if (!tn_plan_limit_dims(j->p, j->p->exprs)) {
        return tn_error(ctx, NULL, "a limit of the plan cannot be read");
    }
    j->dims = TN_ARRAY(arena, int64_t, j->p->n_ranges);
    for (;;) {
        tn_resolved at;
        for (uint32_t i = 0; i < j->p->n_ranges; i++) {
            if (scanf("%" SCNd64, &j->dims[i]) != 1) {
                return TN_OK;
            }
        }
        if (resolve(j, arena, &at)) {
            print_all(j, &at);
        } else {
            puts("bad");
        }
    }
}

int main(int argc, char **argv) {
    job j = {argc > 1 ? argv[1] : "-", NULL, NULL};
    tn_ctx *ctx = tn_ctx_new(NULL);
    if (ctx == NULL) {
        return TN_NOMEM;
    }
    tn_status status = tn_guard_run(ctx, run, &j);
    tn_ctx_free(ctx);
    return (int)status;
}
