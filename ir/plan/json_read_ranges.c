/* What plans with open dimensions have in JSON: ranges, expressions, and storages whose offsets
 * follow from those below them. */
#include <string.h>

#include "ir/plan/json_read_t.h"
#include "ir/plan/plan_extents.h"

const char *tn_json_read_expression(tn_json_item *at, const char *name, json_t *j) {
    json_t *index = json_object_get(j, "expr");
    uint32_t n = at->r->n_expressions;
    if (!json_is_integer(index) || json_object_size(j) != 1 || json_integer_value(index) < 0 ||
        json_integer_value(index) >= n) {
        tn_json_bad(at, name,
                    tn_arena_printf(at->r->plan->arena, "{\"expr\": index}, an index below %u", n));
    }
    return at->r->expressions[json_integer_value(index)];
}

uint64_t tn_json_read_size(tn_json_item *at, const char *name, tn_dim *expr,
                           const char **expr_text) {
    tn_plan *p = at->r->plan;
    json_t *j = json_object_get(at->json, name);
    if (!json_is_object(j)) {
        return tn_json_number(at, name);
    }
    at->used++;
    const char *text = tn_json_read_expression(at, name, j), *end = text;
    int64_t here;
    if (p->exprs == NULL || !tn_dim_parse(p->exprs, &end, expr) || *end != '\0' ||
        !tn_dim_at_point(p->exprs, *expr, &here) || here < 0) {
        tn_json_bad(at, name,
                    tn_arena_printf(p->arena,
                                    "an expression over the ranges of the variant, of 0 or more at "
                                    "their point; '%s' is not one",
                                    text));
    }
    *expr_text = text;
    return (uint64_t)here;
}

/* Null stands for no limit. */
static int64_t read_max(tn_json_item *at, int64_t min) {
    if (json_is_null(json_object_get(at->json, "max"))) {
        at->used++;
        return INT64_MAX;
    }
    return tn_json_integer(at, "max", min, INT64_MAX);
}

/* They are left out where there are none. */
static void read_relations(tn_json_item *guard) {
    tn_plan *p = guard->r->plan;
    if (json_object_get(guard->json, "related") == NULL) {
        return;
    }
    json_t *list = tn_json_list(guard, "related", &p->n_relations);
    p->relations = TN_ARRAY(p->arena, tn_plan_relation, p->n_relations);
    for (uint32_t i = 0; i < p->n_relations; i++) {
        tn_json_item in = tn_json_open_item(guard, list, "related", i);
        tn_plan_relation *r = &p->relations[i];
        r->name = tn_json_text(&in, "dim");
        (void)tn_json_read_size(&in, "extent", &r->is, &r->is_text);
        if (r->is == TN_DIM_UNKNOWN) {
            tn_json_bad(&in, "extent", "an expression");
        }
        if (i > 0 && strcmp(p->relations[i - 1].name, r->name) >= 0) {
            tn_json_bad(&in, "dim", "names in order, each once");
        }
        tn_json_done(&in);
    }
}

void tn_json_read_guard(tn_json_item *at) {
    tn_plan *p = at->r->plan;
    if (json_is_null(json_object_get(at->json, "guard"))) {
        at->used++;
        return;
    }
    tn_json_item guard = tn_json_open_object(at, "guard");
    json_t *list = tn_json_list(&guard, "dims", &p->n_ranges);
    if (p->n_ranges == 0) {
        tn_json_bad(&guard, "dims", "at least one dimension");
    }
    p->ranges = TN_ARRAY(p->arena, tn_plan_range, p->n_ranges);
    p->exprs = tn_dims_new(p->arena);
    for (uint32_t i = 0; i < p->n_ranges; i++) {
        tn_json_item in = tn_json_open_item(&guard, list, "dims", i);
        tn_plan_range *d = &p->ranges[i];
        d->name = tn_json_text(&in, "dim");
        d->min = tn_json_integer(&in, "min", 0, INT64_MAX);
        d->max = read_max(&in, d->min);
        d->point = tn_json_integer(&in, "point", d->min, d->max);
        if (i > 0 && strcmp(p->ranges[i - 1].name, d->name) >= 0) {
            tn_json_bad(&in, "dim", "names in order, each once");
        }
        tn_dims_open(p->exprs, (tn_dim_range){d->name, d->min, d->max, d->point});
        tn_json_done(&in);
    }
    read_relations(&guard);
    tn_json_done(&guard);
}

static void find_data_dim(void *user, const char *name) {
    bool *found = ((void **)user)[1];
    const tn_plan *p = ((void **)user)[0];
    for (uint32_t i = 0; i < p->n_data_dims; i++) {
        *found = *found || strcmp(p->data_dims[i].name, name) == 0;
    }
}

/* Limits are over dimensions that are open. */
static void demand_limit(tn_json_item *at, const char *text) {
    tn_plan *p = at->r->plan;
    tn_dims *d = tn_dims_new(p->arena);
    const char *end = text;
    tn_dim most = TN_DIM_UNKNOWN;
    bool found = false;
    void *asked[] = {p, &found};
    if (tn_dim_parse(d, &end, &most) && *end == '\0') {
        tn_dim_each_symbol(d, most, find_data_dim, asked);
    } else {
        found = true;
    }
    if (found) {
        tn_json_bad(at, "most", "an expression over dimensions that data do not give");
    }
}

void tn_json_read_by_data(tn_json_item *at) {
    tn_plan *p = at->r->plan;
    if (json_object_get(at->json, "by_data") == NULL) {
        return;
    }
    json_t *list = tn_json_list(at, "by_data", &p->n_data_dims);
    p->data_dims = TN_ARRAY(p->arena, tn_plan_data_dim, p->n_data_dims);
    for (uint32_t i = 0; i < p->n_data_dims; i++) {
        const json_t *name = json_object_get(json_array_get(list, i), "dim");
        p->data_dims[i].name = json_is_string(name) ? json_string_value(name) : "";
    }
    for (uint32_t i = 0; i < p->n_data_dims; i++) {
        tn_json_item in = tn_json_open_item(at, list, "by_data", i);
        tn_plan_data_dim *d = &p->data_dims[i];
        json_t *most = json_object_get(in.json, "most");
        d->name = tn_json_text(&in, "dim");
        if (json_is_object(most)) {
            in.used++;
            d->most = -1;
            d->most_text = tn_json_read_expression(&in, "most", most);
        } else {
            d->most = tn_json_integer(&in, "most", 0, INT64_MAX);
        }
        d->value = tn_json_index_or_null(&in, "value", p->n_values);
        d->axis = tn_json_count(&in, "axis");
        if (d->most_text != NULL) {
            demand_limit(&in, d->most_text);
        }
        if (i > 0 && strcmp(p->data_dims[i - 1].name, d->name) >= 0) {
            tn_json_bad(&in, "dim", "names in order, each once");
        }
        tn_json_done(&in);
    }
}

/* What lies above nothing is where the file says, which resolving would round up. */
static void demand_aligned(tn_json_item *at) {
    const tn_plan *p = at->r->plan;
    for (uint32_t i = 0; i < p->n_storages; i++) {
        const tn_storage *s = &p->storages[i];
        if (s->above.len == 0 && s->offset % s->align != 0) {
            tn_json_bad(at, "storages",
                        tn_arena_printf(p->arena,
                                        "offsets that are multiples of the alignment; storage %u "
                                        "lies at %llu, its alignment is %llu",
                                        i, (unsigned long long)s->offset,
                                        (unsigned long long)s->align));
        }
    }
}

void tn_json_settle_offsets(tn_json_item *at) {
    tn_plan *p = at->r->plan;
    tn_resolved here;
    int64_t *point = TN_ARRAY(p->arena, int64_t, p->n_ranges);
    bool any = false;
    for (uint32_t i = 0; i < p->n_storages; i++) {
        any = any || p->storages[i].above.len > 0;
    }
    for (uint32_t i = 0; i < p->n_ranges; i++) {
        point[i] = p->ranges[i].point;
    }
    if (!any) {
        return;
    }
    demand_aligned(at);
    if (tn_plan_upwards(p, p->arena) == NULL) {
        tn_json_bad(at, "storages", "storages that lie above others, and none above itself");
    }
    if (tn_plan_resolve(p, point, p->arena, &here) != TN_OK) {
        tn_json_bad(at, "storages", "sizes that add up to less than 2^63 bytes");
    }
    for (uint32_t i = 0; i < p->n_storages; i++) {
        tn_storage *s = &p->storages[i];
        s->offset = here.storage_offset[i];
        if (s->offset + s->size > p->pools[s->pool].size) {
            tn_json_bad(at, "storages",
                        tn_arena_printf(p->arena,
                                        "storages inside their pools at the point of the ranges; "
                                        "storage %u ends at %llu of %llu bytes of pool '%s'",
                                        i, (unsigned long long)(s->offset + s->size),
                                        (unsigned long long)p->pools[s->pool].size,
                                        p->pools[s->pool].name));
        }
    }
}
