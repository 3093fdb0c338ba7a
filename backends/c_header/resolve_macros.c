/* Macros for offsets, sizes and extents: numbers, or what loads them from a layout. */
#include <inttypes.h>

#include "backends/c_header/resolve_t.h"
#include "backends/core/set_ids.h"
#include "ir/base/xmath.h"
#include "ir/plan/forms.h"

/* ---- what is open ---- */

static bool fits_in_32(const tn_open *o) {
    for (uint32_t i = 0; i < o->code.ops.len; i++) {
        const tn_dim_op *op = &o->code.ops.data[i];
        if (op->act == TN_DIM_ACT_CONST && (op->value > INT32_MAX || op->value < -INT32_MAX)) {
            return false;
        }
    }
    return true;
}

void tn_ch_open(tn_ch *h) {
    const tn_plan *p = h->p;
    uint32_t n = p->n_ranges + p->n_relations;
    const char **names = TN_ARRAY(h->scratch, const char *, n);
    h->open = tn_open_make(h->scratch, p);
    for (uint32_t i = 0; i < p->n_ranges; i++) {
        names[i] = p->ranges[i].name;
    }
    for (uint32_t i = 0; i < p->n_relations; i++) {
        names[p->n_ranges + i] = p->relations[i].name;
    }
    if (h->open != NULL) {
        h->members = tn_identifiers(h->scratch, "d", names, n, false);
        h->wide = !h->narrow || !fits_in_32(h->open);
    }
}

bool tn_ch_is_constant(const tn_ch *h, const tn_plan_value *v) {
    return h->open == NULL ||
           (h->open->values[v - h->p->values].bytes == TN_NO_ID && !tn_open_moves(h->open, v));
}

bool tn_ch_pool_is_constant(const tn_ch *h, uint32_t pool) {
    return h->open == NULL || h->open->pool_row[pool] == TN_NO_ID;
}

/* ---- texts ---- */

static const char *number(const tn_ch *h, uint64_t value) {
    return tn_arena_printf(h->scratch, "%" PRIu64 "%s", value, h->suffix);
}

static const char *loaded(const tn_ch *h, uint32_t at) {
    return tn_arena_printf(h->scratch, "(size_t)(layout)->number[%" PRIu32 "]", at);
}

const char *tn_ch_constant(const tn_ch *h, const char *id, const char *word) {
    return tn_arena_printf(h->scratch, "%s_%s_%s%s", h->macro, id, word,
                           h->open != NULL ? "(0)" : "");
}

/* "#define NET_Y_SIZE " or "#define NET_Y_SIZE(layout) ". */
static void start(const tn_ch *h, const char *id, const char *word) {
    tn_putf(h->out, "#define %s_%s%s%s%s ", h->macro, id, id[0] != '\0' ? "_" : "", word,
            h->open != NULL ? "(layout)" : "");
}

static void put(const tn_ch *h, const char *id, const char *word, const char *text) {
    start(h, id, word);
    tn_putf(h->out, "%s\n", text);
}

static void put_either(const tn_ch *h, const char *id, const char *word, uint64_t value,
                       uint32_t at) {
    put(h, id, word,
        at == TN_NO_ID ? number(h, value) : tn_arena_printf(h->scratch, "(%s)", loaded(h, at)));
}

/* ---- pools ---- */

void tn_ch_put_pool_size(const tn_ch *h, uint32_t pool) {
    const tn_open *o = h->open;
    const char *id = h->pool_ids[pool];
    if (h->p->pools[pool].size == TN_NO_SIZE) {
        return;
    }
    if (tn_ch_pool_is_constant(h, pool)) {
        put(h, id, "SIZE", number(h, h->p->pools[pool].size));
        return;
    }
    put(h, id, "SIZE",
        tn_arena_printf(h->scratch, "((layout)->pool[%" PRIu32 "])", o->pool_row[pool]));
    if (tn_ch_array_size(h, pool) != NULL) {
        tn_put(h->out, "/* Enough for all dimensions in range. */\n");
        tn_putf(h->out, "#define %s_%s %s\n", h->macro, h->ids.pool_max[pool],
                number(h, o->pool_max[pool]));
    }
}

const char *tn_ch_array_size(const tn_ch *h, uint32_t pool) {
    const tn_open *o = h->open;
    bool constant = tn_ch_pool_is_constant(h, pool);
    if (h->p->pools[pool].size == TN_NO_SIZE) {
        return NULL;
    }
    if (!constant && (o->pool_max == NULL || o->pool_max[pool] > h->largest)) {
        return NULL;
    }
    uint64_t size = constant ? h->p->pools[pool].size : o->pool_max[pool];
    /* An array of no bytes is not C. */
    return size == 0  ? "1"
           : constant ? tn_ch_constant(h, h->pool_ids[pool], "SIZE")
                      : tn_arena_printf(h->scratch, "%s_%s", h->macro, h->ids.pool_max[pool]);
}

static void put_sum(const tn_ch *h, const char *word, bool constants) {
    const char *plus = "";
    start(h, "", word);
    tn_put(h->out, "(");
    for (uint32_t i = 0; i < h->p->n_pools; i++) {
        if ((h->p->pools[i].kind == TN_POOL_CONST) == constants) {
            tn_putf(h->out, "%s%s_%s_SIZE(layout)", plus, h->macro, h->pool_ids[i]);
            plus = " + ";
        }
    }
    tn_put(h->out, plus[0] == '\0' ? "0)\n" : ")\n");
}

void tn_ch_put_totals(const tn_ch *h) {
    tn_ch_put(h, "\n/* Bytes in all: arenas, inputs, outputs and state; constants. */\n");
    if (h->open != NULL) {
        put_sum(h, "RAM_BYTES", false);
        put_sum(h, "FLASH_BYTES", true);
    } else {
        if (h->p->report.ram != TN_NO_SIZE) {
            put(h, "", "RAM_BYTES", number(h, h->p->report.ram));
        }
        put(h, "", "FLASH_BYTES", number(h, h->p->report.flash));
    }
}

/* ---- tensors ---- */

static void put_offset(const tn_ch *h, const tn_plan_value *v, const char *id) {
    const tn_open *o = h->open;
    if (o == NULL || !tn_open_moves(o, v)) {
        put(h, id, "OFFSET", number(h, tn_plan_address(h->p, v)));
        return;
    }
    uint32_t row = o->row_of[v->storage], inside = o->values[v - h->p->values].offset;
    const char *storage = row != TN_NO_ID
                              ? tn_arena_printf(h->scratch, "(layout)->offset[%" PRIu32 "]", row)
                              : number(h, h->p->storages[v->storage].offset);
    const char *more = inside != TN_NO_ID ? loaded(h, inside)
                       : v->offset > 0    ? number(h, v->offset)
                                          : NULL;
    put(h, id, "OFFSET",
        tn_arena_printf(h->scratch, "(%s%s%s)", storage, more != NULL ? " + " : "",
                        more != NULL ? more : ""));
}

void tn_ch_put_place(const tn_ch *h, const tn_plan_value *v, const char *id) {
    put_offset(h, v, id);
    put_either(h, id, "SIZE", v->bytes,
               h->open != NULL ? h->open->values[v - h->p->values].bytes : TN_NO_ID);
}

void tn_ch_put_dims(const tn_ch *h, const tn_plan_value *v, const char *id) {
    const tn_open_value *open = h->open != NULL ? &h->open->values[v - h->p->values] : NULL;
    uint64_t n = 1;
    bool known = true;
    for (uint32_t i = 0; i < v->rank; i++) {
        bool loads = open != NULL && open->extents[i] != TN_NO_ID;
        int64_t extent = tn_plan_extent_at_most(h->limits, v, i);
        known = known && (loads || (extent >= 0 && tn_mul_u64(n, (uint64_t)extent, &n)));
    }
    if (!known) {
        return;
    }
    /* A scalar has the dimension list "1", so that the macro can always initialise an array. */
    start(h, id, "DIMS");
    tn_put(h->out, v->rank == 0 ? "1" : "");
    for (uint32_t i = 0; i < v->rank; i++) {
        tn_put(h->out, i > 0 ? ", " : "");
        if (open != NULL && open->extents[i] != TN_NO_ID) {
            tn_putf(h->out, "(layout)->number[%" PRIu32 "]", open->extents[i]);
        } else {
            tn_putf(h->out, "%" PRId64, tn_plan_extent_at_most(h->limits, v, i));
        }
    }
    tn_put_c(h->out, '\n');
    put_either(h, id, "ELEMENTS", n, open != NULL ? open->elements : TN_NO_ID);
}
