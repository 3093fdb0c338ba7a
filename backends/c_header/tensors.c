/* Pools and tensors as macros, what could not be placed, and the arrays behind the pools. */
#include <inttypes.h>

#include "backends/c_header/c_header_t.h"
#include "backends/c_header/resolve_t.h"

static void put_number(const tn_ch *h, const char *id, const char *word, uint64_t value) {
    tn_putf(h->out, "#define %s_%s_%s %" PRIu64 "%s\n", h->macro, id, word, value, h->suffix);
}

static void put_plain(const tn_ch *h, const char *id, const char *word, int64_t value) {
    tn_putf(h->out,
            value < 0 ? "#define %s_%s_%s (%" PRId64 ")\n" : "#define %s_%s_%s %" PRId64 "\n",
            h->macro, id, word, value);
}

void tn_ch_put_pools(const tn_ch *h) {
    static const char *const kinds[] = {
        [TN_POOL_ARENA] = "tensors share it over time",
        [TN_POOL_IO] = "inputs, outputs and state: kept by the caller, none overlap",
        [TN_POOL_CONST] = "constants: read-only data, never in an arena",
        [TN_POOL_STATE] = "state: kept by the caller from run to run, none overlap",
    };
    for (uint32_t i = 0; i < h->p->n_pools; i++) {
        const tn_pool *pool = &h->p->pools[i];
        const char *id = h->pool_ids[i];
        tn_put(h->out, "\n/* Pool ");
        tn_put_comment(h->out, pool->name);
        tn_putf(h->out, ": %s. */\n", kinds[pool->kind]);
        put_plain(h, id, "POOL", i);
        tn_ch_put_pool_size(h, i);
        put_number(h, id, "ALIGN", tn_pool_base(pool));
        if (pool->cost > 0 && pool->capacity > 0) {
            put_number(h, id, "CAPACITY", pool->capacity);
        }
        if (pool->kind == TN_POOL_ARENA) {
            put_number(h, id, "BOUND", pool->bound);
        }
    }
    tn_ch_put_totals(h);
}

/* ---- tensors ---- */

static void put_alias_remark(const tn_ch *h, const tn_plan_value *v) {
    static const char *const words[] = {
        [TN_ALIAS_NONE] = "shares the storage of", [TN_ALIAS_VIEW] = "view of",
        [TN_ALIAS_INPLACE] = "in place over",      [TN_ALIAS_UPDATE] = "updates",
        [TN_ALIAS_SHARE] = "takes the bytes of",
    };
    for (uint32_t i = 0; i < v->n_overlaps; i++) {
        tn_putf(h->out, "; made in the order %s, begins inside ",
                tn_work_order_words[v->overlaps[i].order]);
        tn_put_comment(h->out, tn_full_name(h->scratch, &h->p->values[v->overlaps[i].value]));
    }
    if (v->alias_of != TN_NO_ID) {
        const tn_plan_value *of = &h->p->values[v->alias_of];
        tn_putf(h->out, "; %s ", words[v->alias]);
        tn_put_comment(h->out, tn_full_name(h->scratch, of));
    }
    if (v->clone_of != TN_NO_ID) {
        tn_put(h->out, "; clone of ");
        tn_put_comment(h->out, tn_full_name(h->scratch, &h->p->values[v->clone_of]));
    }
}

static void put_title(const tn_ch *h, const tn_plan_value *v) {
    static const char *const roles[] = {
        [TN_ROLE_INTERNAL] = "internal", [TN_ROLE_INPUT] = "input",
        [TN_ROLE_OUTPUT] = "output",     [TN_ROLE_CONST] = "constant",
        [TN_ROLE_STATE] = "state",       [TN_ROLE_WORKSPACE] = "workspace",
    };
    tn_put(h->out, "\n/* ");
    tn_put_comment(h->out, tn_full_name(h->scratch, v));
    tn_put(h->out, ": ");
    tn_put_comment(h->out, v->type);
    tn_putf(h->out, ", %s", roles[v->role]);
    tn_put(h->out, h->p->storages[v->storage].second > 0 ? ", in two places" : "");
    put_alias_remark(h, v);
    tn_put(h->out, " */\n");
}

static void put_shape(const tn_ch *h, const char *id, const tn_plan_value *v) {
    tn_putf(h->out, "#define %s_%s_DTYPE TENURE_DTYPE_%s\n", h->macro, id,
            tn_upper(h->scratch, tn_dtype_get(v->dtype)->name));
    put_plain(h, id, "RANK", v->rank);
    tn_ch_put_dims(h, v, id);
}

void tn_ch_put_tensors(const tn_ch *h) {
    const tn_plan *p = h->p;
    tn_putf(h->out, "\n#define %s_TENSOR_COUNT %" PRIu32 "\n", h->macro, h->n_rows);
    tn_putf(h->out, "#define %s_STEP_COUNT %" PRIu32 "\n", h->macro, h->p->n_steps);
    for (uint32_t i = 0; i < p->n_values; i++) {
        const tn_plan_value *v = &p->values[i];
        const char *id = h->value_ids[i];
        if (!tn_ch_is_placed(v)) {
            continue;
        }
        put_title(h, v);
        put_plain(h, id, "POOL", p->storages[v->storage].pool);
        tn_ch_put_place(h, v, id);
        put_number(h, id, "ALIGN", tn_ch_align(p, v));
        if (p->storages[v->storage].second > 0) {
            put_number(h, id, "SECOND", p->storages[v->storage].second);
        }
        put_shape(h, id, v);
        if (v->channels_last) {
            put_plain(h, id, "CHANNELS_LAST", 1);
        }
        /* The steps between which the bytes are this tensor's; constants always are. */
        if (v->role != TN_ROLE_CONST) {
            put_plain(h, id, "FIRST", v->first);
            put_plain(h, id, "LAST", v->last);
        }
    }
}

static void put_without_place(const tn_ch *h, const tn_plan_value *v) {
    tn_put(h->out, " *   ");
    tn_put_comment(h->out, tn_full_name(h->scratch, v));
    tn_put(h->out, ": ");
    tn_put_comment(h->out, v->type);
    if (v->bytes_text != NULL) {
        tn_put(h->out, ", bytes ");
        tn_put_comment(h->out, v->bytes_text);
    }
    if (v->why != NULL) {
        tn_put(h->out, "; ");
        tn_put_comment(h->out, v->why);
    }
    tn_put_c(h->out, '\n');
}

void tn_ch_put_unplanned(const tn_ch *h) {
    tn_putf(h->out,
            "\n/* Values without a place in this plan, and how many of them need one. */\n"
            "#define %s_UNPLANNED %" PRIu32 "\n#define %s_LEFT_OUT %" PRIu32 "\n",
            h->macro, h->n_unplanned, h->macro, h->n_left_out);
    if (h->n_left_out == 0) {
        return;
    }
    tn_put(h->out, "\n/* Not placed: the caller finds memory for these.\n");
    for (uint32_t i = 0; i < h->p->n_values; i++) {
        if (tn_ch_needs_place(&h->p->values[i])) {
            put_without_place(h, &h->p->values[i]);
        }
    }
    tn_ch_put(h,
              " */\n#ifndef @M_ALLOW_PARTIAL\n"
              "@M_ASSERT(partial, @M_LEFT_OUT == 0,\n"
              "    \"values have no place in the plan @M: define @M_ALLOW_PARTIAL if the program "
              "finds memory for them\");\n#endif\n");
}

void tn_ch_put_bindings(const tn_ch *h) {
    const tn_plan *p = h->p;
    if (p->n_bindings == 0) {
        return;
    }
    tn_put(h->out, "\n/* After a run these tensors take the bytes of others (training info):\n");
    for (uint32_t i = 0; i < p->n_bindings; i++) {
        tn_put(h->out, " *   ");
        tn_put_comment(h->out, p->bindings[i].state);
        tn_put(h->out, " takes ");
        tn_put_comment(h->out, tn_full_name(h->scratch, &p->values[p->bindings[i].value]));
        tn_put_c(h->out, '\n');
    }
    tn_put(h->out, " */\n");
}

/* ---- arrays ---- */

/* The section that the plan names, unless the user does. */
static const char *put_section(const tn_ch *h, uint32_t i) {
    const char *section = h->p->pools[i].section;
    if (section == NULL) {
        return tn_arena_printf(h->scratch, "%s_SECTION", h->macro);
    }
    const char *own = tn_arena_printf(h->scratch, "%s_%s_SECTION", h->macro, h->pool_ids[i]);
    tn_putf(h->out, "\n#ifndef %s\n#define %s __attribute__((section(\"%s\")))\n#endif", own, own,
            section);
    return own;
}

/* Where the size is open, of as many bytes as are ever needed; no array where nobody knows. */
static void put_array(const tn_ch *h, uint32_t i, const char *name) {
    const char *id = h->pool_ids[i];
    const char *size = tn_ch_array_size(h, i);
    if (size == NULL) {
        return;
    }
    const char *section = put_section(h, i);
    tn_putf(h->out,
            "\n#ifdef %s_DEFINE_%s\n"
            "%s_ALIGN(%s_%s_ALIGN) unsigned char %s_%s[%s] %s;\n"
            "#else\n"
            "extern unsigned char %s_%s[%s];\n"
            "#endif\n",
            h->macro, id, h->macro, h->macro, id, h->symbol, name, size, section, h->symbol, name,
            size);
}

void tn_ch_put_arrays(const tn_ch *h) {
    tn_put(h->out, "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    for (uint32_t i = 0; i < h->p->n_pools; i++) {
        const tn_pool *pool = &h->p->pools[i];
        if (!tn_pool_is_ram(pool)) {
            continue;
        }
        put_array(h, i, tn_lower(h->scratch, h->pool_ids[i]));
    }
    tn_put(h->out, "\n#ifdef __cplusplus\n}\n#endif\n");
}
