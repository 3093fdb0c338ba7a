#include "ir/infer/by_data.h"

#include <string.h>

/* The name that the file has for the extent; NULL for none that is for it alone. In a nested graph
 * an exporter's name can be that of another extent in each run of the graph. */
static const char *stated_name(const tn_infer *in, const tn_value *v, uint32_t axis,
                               const char *of) {
    const tn_type *t = in->stored != NULL ? in->stored[v->id] : v->type;
    const char *name = t->kind == TN_TYPE_TENSOR && t->has_rank && axis < t->rank
                           ? tn_dim_symbol(in->dims, t->dims[axis])
                           : NULL;
    uint64_t ignored;
    bool own = name != NULL && strcmp(name, of) == 0;
    bool of_input =
        name != NULL && (in->given == NULL || tn_map_get(in->given, tn_str_id(name), &ignored));
    bool fits = name != NULL && !of_input && (own || v->graph == in->m->main);
    return fits && tn_dims_limit_named(in->dims, name) == NULL ? name : NULL;
}

/* A name that nothing else in the model has. */
static const char *own_name(const tn_infer *in, const char *of) {
    const char *name = of;
    if (tn_dims_find_asked(in->dims, of) != NULL && tn_dims_limit_named(in->dims, of) == NULL) {
        return of;
    }
    while (tn_dims_has_symbol(in->dims, name)) {
        name = tn_internf(in->ctx, "%s'", name);
    }
    return name;
}

/* What the user says is the most, by a range, also one that was taken for that of an open dimension
 * at first; all that are not bound are open from 1 on where that is asked for. INT64_MAX: nothing.
 */
static int64_t most_asked(const tn_infer *in, const char *name) {
    const tn_dims *d = in->dims;
    const tn_dim_range *range = tn_dims_range_of(d, name);
    if (range != NULL) {
        bool by_default = range->min == 1 && range->max == INT64_MAX;
        if (range->min > 0 && !by_default) {
            tn_fail_usage(
                in->ctx, &in->op->loc,
                "data give the extent '%s', and may give less than the %lld that --dim begins "
                "with: write --dim %s=0..%s",
                name, (long long)range->min, name,
                range->max == INT64_MAX
                    ? "N"
                    : tn_arena_printf(in->scratch, "%lld", (long long)range->max));
        }
        return range->max;
    }
    const tn_dim_asked *asked = tn_dims_find_asked(d, name);
    return asked != NULL ? asked->most : INT64_MAX;
}

static void promise(tn_infer *in, uint32_t r) {
    in->promised = in->promised < r ? in->promised : r;
}

tn_dim tn_extent_by_data(tn_infer *in, uint32_t r, uint32_t axis, tn_dim most) {
    tn_dims *d = in->dims;
    while (r < in->op->n_results && in->op->results[r] == NULL) {
        r++;
    }
    if (r >= in->op->n_results) {
        return most; /* nobody sees it */
    }
    const tn_value *v = in->op->results[r];
    const char *of = tn_extent_name(v, axis);
    const tn_dim_limit *have = tn_dims_limit_of(d, of);
    if (in->on_read != NULL) {
        return have != NULL ? tn_dim_sym(d, have->name) : TN_DIM_UNKNOWN;
    }
    const char *name = have != NULL ? have->name : stated_name(in, v, axis, of);
    name = name != NULL ? name : own_name(in, of);
    int64_t number, asked = most_asked(in, name);
    bool settled = tn_dims_bound(d, name, &number) || tn_dims_related(d, name);
    most = tn_dim_most(d, most);
    if (asked != INT64_MAX) {
        tn_dim said = tn_dim_const(d, asked);
        if (!tn_dim_provably_ge(d, said, most)) {
            promise(in, r);
        }
        most = most != TN_DIM_UNKNOWN ? tn_dim_min(d, most, said) : said;
    }
    if (settled) {
        promise(in, r);
    }
    if (most == TN_DIM_UNKNOWN && !settled) {
        return TN_DIM_UNKNOWN;
    }
    if (tn_dims_find_asked(d, name) != NULL || asked != INT64_MAX) {
        tn_dims_ask(d, (tn_dim_asked){name, asked, true});
    }
    if (!settled) {
        tn_dims_close(d, name);
        tn_dims_limit(d, name, of, most);
    }
    return tn_dim_sym(d, name);
}
