/* Values in JSON, and the table of expressions that open extents and sizes refer to. */
#include "ir/base/limits.h"
#include "ir/plan/json_put.h"
#include "ir/plan/plan_names.h"

static void add_expression(tn_json_expressions *e, const char *text) {
    uint64_t key, at;
    if (text == NULL) {
        return;
    }
    key = tn_str_id(tn_intern(e->ctx, text));
    if (!tn_map_get(&e->index, key, &at)) {
        tn_map_put(&e->index, key, e->texts.len);
        tn_vec_push(e->arena, &e->texts, text);
    }
}

/* NULL for a number. */
static const char *text_of(const tn_json_expressions *e, const tn_dims *table, tn_dim expr) {
    if (expr == TN_DIM_UNKNOWN) {
        return NULL;
    }
    tn_sink text = tn_sink_make(e->arena);
    tn_dim_print(table, expr, &text);
    return text.data;
}

static void add_expressions(tn_json_expressions *e, const tn_plan *p) {
    for (uint32_t i = 0; i < p->n_values; i++) {
        const tn_plan_value *v = &p->values[i];
        for (uint32_t k = 0; k < v->rank && v->dim_texts != NULL; k++) {
            add_expression(e, v->dim_texts[k]);
        }
        add_expression(e, v->bytes_text);
        add_expression(e, text_of(e, p->exprs, v->bytes_expr));
        add_expression(e, text_of(e, p->exprs, v->offset_expr));
    }
    for (uint32_t i = 0; i < p->n_storages; i++) {
        add_expression(e, text_of(e, p->exprs, p->storages[i].size_expr));
    }
    for (uint32_t i = 0; i < p->n_relations; i++) {
        add_expression(e, p->relations[i].is_text);
    }
    for (uint32_t i = 0; i < p->n_data_dims; i++) {
        add_expression(e, p->data_dims[i].most_text);
    }
}

tn_json_expressions tn_json_expressions_of(tn_arena *arena, const tn_plan *p) {
    tn_json_expressions e = {.arena = arena, .ctx = p->ctx, .index = tn_map_make(arena)};
    for (uint32_t i = 0; i < tn_plan_count(p); i++) {
        add_expressions(&e, tn_plan_at(p, i));
    }
    return e;
}

static void put_expression(const tn_json_expressions *e, tn_sink *out, const char *text) {
    uint64_t at = tn_map_or(&e->index, tn_str_id(tn_intern(e->ctx, text)), 0);
    tn_putf(out, "{\"expr\": %llu}", (unsigned long long)at);
}

void tn_json_put_size(const tn_json_expressions *e, tn_sink *out, const char *name,
                      const tn_dims *table, tn_dim expr, uint64_t number) {
    if (expr == TN_DIM_UNKNOWN) {
        tn_json_put_number(out, name, number);
        return;
    }
    tn_json_put_key(out, name);
    put_expression(e, out, text_of(e, table, expr));
}

/* Left out where there are none. */
static void put_relations(const tn_json_expressions *e, tn_sink *out, const tn_plan *p) {
    for (uint32_t i = 0; i < p->n_relations; i++) {
        tn_put(out, i > 0 ? ", {\"dim\": " : ", \"related\": [{\"dim\": ");
        tn_put_quoted(out, p->relations[i].name);
        tn_json_put_key(out, "extent");
        put_expression(e, out, p->relations[i].is_text);
        tn_put_c(out, '}');
    }
    tn_put(out, p->n_relations > 0 ? "]" : "");
}

void tn_json_put_guard(const tn_json_expressions *e, tn_sink *out, const tn_plan *p) {
    tn_put(out, p->n_ranges > 0 ? "{\"dims\": [" : "null");
    for (uint32_t i = 0; i < p->n_ranges; i++) {
        const tn_plan_range *d = &p->ranges[i];
        tn_put(out, i > 0 ? ", {\"dim\": " : "{\"dim\": ");
        tn_put_quoted(out, d->name);
        tn_json_put_number(out, "min", (uint64_t)d->min);
        if (d->max == INT64_MAX) {
            tn_put(out, ", \"max\": null");
        } else {
            tn_json_put_number(out, "max", (uint64_t)d->max);
        }
        tn_json_put_number(out, "point", (uint64_t)d->point);
        tn_put_c(out, '}');
    }
    if (p->n_ranges > 0) {
        tn_put_c(out, ']');
        put_relations(e, out, p);
        tn_put_c(out, '}');
    }
}

void tn_json_put_by_data(const tn_json_expressions *e, tn_sink *out, const tn_plan *p) {
    for (uint32_t i = 0; i < p->n_data_dims; i++) {
        const tn_plan_data_dim *d = &p->data_dims[i];
        tn_put(out, i > 0 ? ", {\"dim\": " : ", \"by_data\": [{\"dim\": ");
        tn_put_quoted(out, d->name);
        if (d->most_text == NULL) {
            tn_json_put_number(out, "most", (uint64_t)d->most);
        } else {
            tn_json_put_key(out, "most");
            put_expression(e, out, d->most_text);
        }
        tn_json_put_index(out, "value", d->value);
        tn_json_put_number(out, "axis", d->axis);
        tn_put_c(out, '}');
    }
    tn_put(out, p->n_data_dims > 0 ? "]" : "");
}

void tn_json_put_expressions(const tn_json_expressions *e, tn_sink *out) {
    tn_json_begin_list(out, "expressions");
    for (uint32_t i = 0; i < e->texts.len; i++) {
        tn_put(out, i > 0 ? ",\n    " : "\n    ");
        tn_put_quoted(out, e->texts.data[i]);
    }
    tn_json_end_list(out, e->texts.len);
}

static void put_dims(const tn_json_expressions *e, tn_sink *out, const tn_plan_value *v) {
    tn_json_put_key(out, "dims");
    tn_put_c(out, '[');
    for (uint32_t i = 0; i < v->rank; i++) {
        tn_put(out, i > 0 ? "," : "");
        if (v->dims[i] >= 0) {
            tn_putf(out, "%lld", (long long)v->dims[i]);
        } else if (v->dim_texts != NULL && v->dim_texts[i] != NULL) {
            put_expression(e, out, v->dim_texts[i]);
        } else {
            tn_put(out, "null");
        }
    }
    tn_put_c(out, ']');
}

/* A number for what is placed; an expression or null for the rest. */
static void put_size(const tn_json_expressions *e, tn_sink *out, const tn_plan *p,
                     const tn_plan_value *v) {
    if (v->storage != TN_NO_ID) {
        tn_json_put_size(e, out, "bytes", p->exprs, v->bytes_expr, v->bytes);
        return;
    }
    tn_json_put_key(out, "bytes");
    if (v->bytes_text != NULL) {
        put_expression(e, out, v->bytes_text);
    } else {
        tn_put(out, "null");
    }
}

/* Where the elements lie, unless in row-major order. */
static void put_strides(tn_sink *out, const tn_plan_value *v) {
    int64_t strides[TN_MAX_RANK];
    tn_strides_as_laid(true, v->rank, v->dims, strides);
    tn_json_put_key(out, "strides");
    for (uint32_t i = 0; i < v->rank; i++) {
        tn_putf(out, "%c%lld", i > 0 ? ',' : '[', (long long)strides[i]);
    }
    tn_put_c(out, ']');
}

void tn_json_put_overlaps(tn_sink *out, const tn_plan_value *v) {
    if (v->channels_last) {
        put_strides(out, v);
    }
    for (uint32_t i = 0; i < v->n_overlaps; i++) {
        const tn_plan_overlap *o = &v->overlaps[i];
        tn_putf(out, i > 0 ? ", {\"value\": %u" : ", \"overlaps\": [{\"value\": %u", o->value);
        tn_json_put_number(out, "step", o->step);
        tn_json_put_number(out, "distance", o->distance);
        tn_json_put_text(out, "order", tn_work_order_words[o->order]);
        tn_put_c(out, '}');
    }
    tn_put(out, v->n_overlaps > 0 ? "]" : "");
}

void tn_json_put_value_facts(const tn_json_expressions *e, tn_sink *out, const tn_plan *p,
                             const tn_plan_value *v) {
    tn_put_quoted(out, v->name);
    tn_json_put_text(out, "graph", v->graph);
    tn_json_put_text(out, "role", tn_plan_role_names[v->role]);
    tn_json_put_text(out, "dtype", tn_dtype_get(v->dtype)->name);
    put_dims(e, out, v);
    tn_json_put_text(out, "type", v->type);
    tn_json_put_text(out, "why", v->why);
    tn_json_put_text(out, "left_out",
                     v->left_out != TN_LEFT_NOT ? tn_left_out_names[v->left_out] : NULL);
    put_size(e, out, p, v);
}
