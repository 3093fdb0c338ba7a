/* What the report says of dimensions that stay open: how far, the arena as an expression, and what
 * it is at some extents beside what no layout of that order and these aliases can go below. */
#include "ir/plan/forms.h"
#include "ir/plan/plan_extents.h"
#include "ir/plan/plan_names.h"

/* Rows shown, and extents looked at for the worst. */
enum { N_ROWS = 5, N_LOOKED_AT = 64 };
/* Storages beyond which no expression is worked out, and characters beyond which none is shown. */
enum { MAX_STORAGES = 2000, MAX_TEXT = 160 };

static const int64_t extents[] = {1, 2, 16, 64, 512, 3, 7, 33, 97, 128, 256, 1024};
enum { N_EXTENTS = sizeof extents / sizeof extents[0] };

static void label(tn_sink *out, const char *name) {
    tn_putf(out, "  %-13s ", name);
}

/* Number `i` of a list: "batch=4". */
static void put_extent(const tn_plan *p, uint32_t i, int64_t extent, tn_sink *out) {
    tn_put(out, i > 0 ? ", " : "");
    tn_dim_put_name(out, p->ranges[i].name);
    tn_putf(out, "=%lld", (long long)extent);
}

static void put_ranges(const tn_plan *p, tn_sink *out) {
    label(out, "open");
    for (uint32_t i = 0; i < p->n_ranges; i++) {
        const tn_plan_range *r = &p->ranges[i];
        tn_put(out, i > 0 ? ", " : "");
        tn_dim_put_name(out, r->name);
        tn_putf(out, " from %lld", (long long)r->min);
        if (r->max != INT64_MAX) {
            tn_putf(out, " to %lld", (long long)r->max);
        }
    }
    tn_put(out, "; other figures are for ");
    for (uint32_t i = 0; i < p->n_ranges; i++) {
        put_extent(p, i, p->ranges[i].point, out);
    }
    tn_put_c(out, '\n');
    for (uint32_t i = 0; i < p->n_relations; i++) {
        label(out, i == 0 ? "follows" : "");
        tn_dim_put_name(out, p->relations[i].name);
        tn_putf(out, " = %s\n", p->relations[i].is_text);
    }
}

/* Paths through the relation, alignment left aside; TN_DIM_UNKNOWN when that gets too long. */
static tn_dim arena_expression(const tn_plan *p, tn_arena *arena) {
    tn_dims *d = p->exprs;
    const uint32_t *order = tn_plan_upwards(p, arena);
    tn_dim *end = TN_ARRAY(arena, tn_dim, p->n_storages), all = tn_dim_const(d, 0);
    for (uint32_t i = 0; i < p->n_storages && all != TN_DIM_UNKNOWN; i++) {
        const tn_storage *s = &p->storages[order[i]];
        if (p->pools[s->pool].kind != TN_POOL_ARENA) {
            continue;
        }
        tn_dim size =
            s->size_expr != TN_DIM_UNKNOWN ? s->size_expr : tn_dim_const(d, (int64_t)s->size);
        tn_dim start = tn_dim_const(d, 0);
        for (uint32_t k = 0; k < s->above.len; k++) {
            start = tn_dim_max(d, start, end[s->above.data[k]]);
        }
        end[order[i]] = tn_dim_add(d, start, size);
        all = tn_dim_max(d, all, end[order[i]]);
    }
    return all;
}

static void put_expression(const tn_plan *p, tn_arena *arena, tn_sink *out) {
    tn_dim all = p->n_storages <= MAX_STORAGES ? arena_expression(p, arena) : TN_DIM_UNKNOWN;
    tn_sink text = tn_sink_make(arena);
    if (all != TN_DIM_UNKNOWN) {
        tn_dim_print(p->exprs, all, &text);
    }
    if (text.len > 0 && text.len <= MAX_TEXT) {
        label(out, "formula");
        tn_putf(out, "%s bytes, without what alignment adds\n", text.data);
    }
}

static int64_t extent_of(const tn_plan_range *r, uint32_t sample, uint32_t i) {
    int64_t e = extents[(sample < N_ROWS ? sample : sample * 7 + i * 5) % N_EXTENTS];
    e = e < r->min ? r->min : e;
    return e > r->max ? r->max : e;
}

static void fill_extents(const tn_plan *p, uint32_t sample, int64_t *dims) {
    for (uint32_t i = 0; i < p->n_ranges; i++) {
        dims[i] = extent_of(&p->ranges[i], sample, i);
    }
}

/* Whether an earlier sample has the same extents, as where ranges end before the lists do. */
static bool is_repeated(const tn_plan *p, uint32_t sample, const int64_t *dims) {
    bool repeated = false;
    for (uint32_t s = 0; s < sample && !repeated; s++) {
        uint32_t i = 0;
        while (i < p->n_ranges && dims[i] == extent_of(&p->ranges[i], s, i)) {
            i++;
        }
        repeated = i == p->n_ranges;
    }
    return repeated;
}

/* Of the variants for these extents the smallest; false where there is none. */
static bool measure(const tn_plan *p, const int64_t *dims, tn_arena *arena, uint64_t *size,
                    uint64_t *bound) {
    const tn_plan *variant = tn_plan_smallest(p, dims);
    tn_resolved at;
    if (variant == NULL || !tn_plan_try(variant, dims, arena, &at)) {
        return false;
    }
    *size = 0;
    for (uint32_t i = 0; i < variant->n_pools; i++) {
        *size += variant->pools[i].kind == TN_POOL_ARENA ? at.pool_size[i] : 0;
    }
    *bound = tn_plan_load(variant, &at, arena);
    return true;
}

static void put_row(const tn_plan *p, const int64_t *dims, uint64_t size, uint64_t bound,
                    bool first, tn_sink *out) {
    label(out, first ? "arena" : "");
    tn_put_bytes(out, size);
    tn_put(out, " for ");
    for (uint32_t i = 0; i < p->n_ranges; i++) {
        put_extent(p, i, dims[i], out);
    }
    if (size > bound) {
        tn_put(out, "; lower bound ");
        tn_put_bytes(out, bound);
    } else {
        tn_put(out, ", optimal");
    }
    tn_put_c(out, '\n');
}

static void put_rows(const tn_plan *p, tn_arena *arena, tn_sink *out) {
    int64_t *dims = TN_ARRAY(arena, int64_t, p->n_ranges);
    double worst = 1;
    uint32_t n = 0;
    for (uint32_t s = 0; s < N_LOOKED_AT; s++) {
        uint64_t size, bound;
        fill_extents(p, s, dims);
        if (is_repeated(p, s, dims)) {
            continue;
        }
        tn_arena *scratch = tn_arena_new(p->ctx);
        if (measure(p, dims, scratch, &size, &bound)) {
            double ratio = bound > 0 ? (double)size / (double)bound : 1;
            worst = ratio > worst ? ratio : worst;
            n++;
            if (s < N_ROWS) {
                put_row(p, dims, size, bound, n == 1, out);
            }
        }
        tn_arena_drop(scratch);
    }
    label(out, "at worst");
    tn_putf(out, "%.3f times the lower bound, of %u extent%s looked at\n", worst, n,
            n == 1 ? "" : "s");
}

void tn_plan_put_open(const tn_plan *p, tn_sink *out) {
    if (p->n_ranges == 0) {
        return;
    }
    tn_arena *arena = tn_arena_new(p->ctx);
    const tn_plan_program *program = tn_plan_program_of(p);
    uint32_t n = program != NULL ? program->n_variants : 1;
    put_ranges(p, out);
    put_expression(p, arena, out);
    if (n > 1) {
        label(out, "variants");
        tn_putf(out, "%u, of which the one with the smallest arena is to be run\n", n);
    }
    put_rows(p, arena, out);
    tn_arena_drop(arena);
}
