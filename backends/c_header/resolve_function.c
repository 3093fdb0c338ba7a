/* The function of a header that works out sizes and offsets: tables of operations and storages, and
 * two loops over them. No heap, no recursion, time linear in the tables. */
#include <inttypes.h>

#include "backends/c_header/resolve_t.h"

/* ---- types ---- */

/* `is`: the expression that it has to be, or NULL. */
static void put_member(const tn_ch *h, uint32_t i, const char *name, const char *is) {
    tn_ch_put(h, "    @d ");
    tn_putf(h->out, "%s; /* ", h->members[i]);
    tn_put_comment(h->out, name);
    tn_put(h->out, is != NULL ? " = " : "");
    tn_put_comment(h->out, is != NULL ? is : "");
    tn_put(h->out, " */\n");
}

static void put_ranges(const tn_ch *h) {
    const tn_plan *p = h->p;
    int64_t most = h->narrow ? INT32_MAX : INT64_MAX;
    tn_ch_put(h, "\n/* Dimensions that stay open, and the extents that the plan is for. */\n"
                 "#define @M_DIM_COUNT");
    tn_putf(h->out, " %" PRIu32 "\n", p->n_ranges);
    for (uint32_t i = 0; i < p->n_ranges; i++) {
        const tn_plan_range *r = &p->ranges[i];
        tn_putf(h->out, "#define %s_%s %" PRId64 "\n#define %s_%s ", h->macro, h->ids.min[i],
                r->min, h->macro, h->ids.max[i]);
        tn_putf(h->out,
                r->max < most ? "%" PRId64 "\n"
                : h->narrow   ? "INT32_MAX\n"
                              : "INT64_MAX\n",
                r->max);
    }
    tn_ch_put(h, "typedef struct @m_dims {\n");
    for (uint32_t i = 0; i < p->n_ranges; i++) {
        put_member(h, i, p->ranges[i].name, NULL);
    }
    for (uint32_t i = 0; i < p->n_relations; i++) {
        put_member(h, p->n_ranges + i, p->relations[i].name, p->relations[i].is_text);
    }
    tn_ch_put(h, "} @m_dims;\n");
}

static uint32_t least_one(uint32_t n) {
    return n > 0 ? n : 1;
}

static void put_layout(const tn_ch *h) {
    tn_ch_put(h, "\n/* What @m_resolve works out; the macros of tensors and pools read it. */\n"
                 "typedef struct @m_layout {\n    @m_dims dims;\n    @w number[");
    tn_putf(h->out, "%" PRIu32 "]; /* sizes and extents, and what they are made of */\n",
            h->open->code.ops.len);
    tn_putf(h->out,
            "    size_t offset[%" PRIu32 "]; /* of storages */\n    size_t pool[%" PRIu32
            "];   /* bytes of pools */\n",
            least_one(h->open->n_storages), least_one(h->open->n_pools));
    tn_ch_put(h, "    uint32_t variant; /* which of several plans it is of: the one with the least "
                 "memory */\n} @m_layout;\n");
}

static const char prototype[] =
    "\n/* The largest size and offset that this takes. */\n"
    "#if SIZE_MAX < @L\n"
    "#define @M_LARGEST ((@w)SIZE_MAX)\n"
    "#else\n"
    "#define @M_LARGEST @L\n"
    "#endif\n"
    "\n/* Works the layout out: 0, or why there is none. Define @M_DEFINE_RESOLVE in one source "
    "file,\n"
    " * where the function stands then. */\n"
    "#define @M_DIM_OUT_OF_RANGE (-2)\n"
    "#define @M_TOO_LARGE (-3) /* a size or offset is beyond @M_LARGEST */\n"
    "#define @M_NO_SIZE (-4)   /* an extent or size is negative or divided by 0 */\n"
    "#ifdef __cplusplus\n"
    "extern \"C\" {\n"
    "#endif\n"
    "int @m_resolve(const @m_dims *dims, @m_layout *layout);\n"
    "#ifdef __cplusplus\n"
    "}\n"
    "#endif\n";

void tn_ch_put_open(const tn_ch *h) {
    if (h->open != NULL) {
        put_ranges(h);
        put_layout(h);
        if (h->p->n_relations > 0) {
            tn_ch_put(h, "\n#define @M_DIM_CONTRADICTS (-5) /* one that follows from others is "
                         "not what they make it */");
        }
        tn_ch_put(h, prototype);
    }
}

/* ---- the function ---- */

static const char arithmetic[] =
    "\nstatic int @m_multiply(@w a, @w b, @w *out) {\n"
    "    if (b > 0 ? a > @W_MAX / b || a < @W_MIN / b\n"
    "        : b == -1 ? a == @W_MIN\n"
    "        : b != 0 && (a < @W_MAX / b || a > @W_MIN / b)) {\n"
    "        return @M_TOO_LARGE;\n"
    "    }\n"
    "    *out = a * b;\n"
    "    return 0;\n"
    "}\n"
    "\n/* Rounds down, or up. */\n"
    "static int @m_divide(@w a, @w b, int up, @w *out) {\n"
    "    if (b == 0) {\n"
    "        return @M_NO_SIZE;\n"
    "    }\n"
    "    if (b == -1 && a == @W_MIN) {\n"
    "        return @M_TOO_LARGE;\n"
    "    }\n"
    "    *out = a / b;\n"
    "    if (a % b != 0 && ((a < 0) == (b < 0)) == up) {\n"
    "        *out += up ? 1 : -1;\n"
    "    }\n"
    "    return 0;\n"
    "}\n"
    "\nenum { @M_ACT_CONST, @M_ACT_ADD, @M_ACT_MUL, @M_ACT_FLOOR, @M_ACT_CEIL, @M_ACT_MIN, "
    "@M_ACT_MAX };\n"
    "\nstatic int @m_work_out(unsigned act, @w a, @w b, @w *out) {\n"
    "    switch (act) {\n"
    "    case @M_ACT_ADD:\n"
    "        if (b > 0 ? a > @W_MAX - b : a < @W_MIN - b) {\n"
    "            return @M_TOO_LARGE;\n"
    "        }\n"
    "        *out = a + b;\n"
    "        return 0;\n"
    "    case @M_ACT_MUL:\n"
    "        return @m_multiply(a, b, out);\n"
    "    case @M_ACT_FLOOR:\n"
    "    case @M_ACT_CEIL:\n"
    "        return @m_divide(a, b, act == @M_ACT_CEIL, out);\n"
    "    default:\n"
    "        *out = (a < b) == (act == @M_ACT_MIN) ? a : b;\n"
    "        return 0;\n"
    "    }\n"
    "}\n";

static const char act_words[][6] = {
    [TN_DIM_ACT_SYMBOL] = "CONST", [TN_DIM_ACT_CONST] = "CONST", [TN_DIM_ACT_ADD] = "ADD",
    [TN_DIM_ACT_MUL] = "MUL",      [TN_DIM_ACT_FLOOR] = "FLOOR", [TN_DIM_ACT_CEIL] = "CEIL",
    [TN_DIM_ACT_MIN] = "MIN",      [TN_DIM_ACT_MAX] = "MAX",
};

/* Operations behind the dimensions; a constant is given by its number in a table of their own. */
static void put_ops(const tn_ch *h) {
    const tn_open *o = h->open;
    uint32_t n_consts = 0;
    tn_ch_put(h, "    static const @w consts[] = {");
    for (uint32_t i = h->p->n_ranges; i < o->code.ops.len; i++) {
        if (o->code.ops.data[i].act == TN_DIM_ACT_CONST) {
            tn_putf(h->out, "%s%" PRId64 ",", n_consts % 12 == 0 ? "\n        " : " ",
                    o->code.ops.data[i].value);
            n_consts++;
        }
    }
    tn_ch_put(h, n_consts == 0 ? "0};\n" : "};\n");
    tn_ch_put(h, "    static const struct {\n        uint8_t act;\n        @i a, b;\n    } ops[] "
                 "= {");
    for (uint32_t i = h->p->n_ranges, at = 0; i < o->code.ops.len; i++) {
        const tn_dim_op *op = &o->code.ops.data[i];
        bool constant = op->act == TN_DIM_ACT_CONST;
        tn_putf(h->out, "%s{%s_ACT_%s, %" PRIu32 "u, %" PRIu32 "u},",
                (i - h->p->n_ranges) % 4 == 0 ? "\n        " : " ", h->macro, act_words[op->act],
                constant ? at : op->a, op->b);
        at += constant;
    }
    tn_ch_put(h, o->code.ops.len == h->p->n_ranges ? "{0, 0, 0}};\n" : "};\n");
}

static void put_checked(const tn_ch *h) {
    const tn_open *o = h->open;
    tn_ch_put(h, "    /* Sizes, and behind them extents. */\n    static const @i checked[] = {");
    for (uint32_t i = 0; i < o->sizes.len + o->extents.len; i++) {
        tn_putf(h->out, "%s%" PRIu32 "u,", i % 16 == 0 ? "\n        " : " ",
                i < o->sizes.len ? o->sizes.data[i] : o->extents.data[i - o->sizes.len]);
    }
    tn_ch_put(h, o->sizes.len + o->extents.len == 0 ? "0};\n" : "};\n");
}

/* A storage lies behind `from` and behind the ends of others, a range of `below`. Each variant has
 * a row for each storage. */
static uint32_t put_storages(const tn_ch *h) {
    const tn_open *o = h->open;
    uint32_t n = o->n_variants * o->n_storages, at = 0;
    tn_ch_put(h, "    static const struct {\n        @s from, align;\n        @i at, pool, end; "
                 "/* in `below` */\n    } storages[] = {\n");
    for (uint32_t i = 0; i < n; i++) {
        const tn_open_storage *r = &o->order[i];
        const tn_storage *s = &h->p->storages[r->storage];
        at += r->above.len;
        tn_putf(h->out,
                "        {%" PRIu64 "u, %" PRIu64 "u, %" PRIu32 "u, %" PRIu32 "u, %" PRIu32 "u},\n",
                r->from, s->align, o->row_of[r->storage], o->pool_row[s->pool], at);
    }
    tn_ch_put(h, n == 0 ? "        {0, 1, 0, 0, 0}};\n" : "    };\n");
    return at;
}

static void put_below(const tn_ch *h, uint32_t n) {
    const tn_open *o = h->open;
    tn_ch_put(h, "    static const @i below[] = {");
    for (uint32_t i = 0, at = 0; at < n; i++) {
        for (uint32_t k = 0; k < o->order[i].above.len; k++, at++) {
            tn_putf(h->out, "%s%" PRIu32 "u,", at % 16 == 0 ? "\n        " : " ",
                    o->order[i].above.data[k]);
        }
    }
    tn_ch_put(h, n == 0 ? "0};\n" : "};\n");
    tn_ch_put(h, "    static const @i sizes[] = {");
    for (uint32_t i = 0; i < o->n_storages; i++) {
        tn_putf(h->out, "%s%" PRIu32 "u,", i % 16 == 0 ? "\n        " : " ", o->size_of[i]);
    }
    tn_ch_put(h, o->n_storages == 0 ? "0};\n" : "};\n");
}

static void put_pools(const tn_ch *h) {
    const tn_open *o = h->open;
    tn_ch_put(h, "    static const struct {\n        @s from, align;\n        int arena;\n    } "
                 "pools[] = {");
    for (uint32_t i = 0; i < h->p->n_pools; i++) {
        if (o->pool_row[i] != TN_NO_ID) {
            bool arena = h->p->pools[i].kind == TN_POOL_ARENA;
            tn_putf(h->out, "{%" PRIu64 "u, %" PRIu64 "u, %d}, ", o->pool_from[i],
                    arena ? h->p->pools[i].align : 1, arena);
        }
    }
    tn_ch_put(h, o->n_pools == 0 ? "{0, 1, 0}};\n" : "};\n");
}

/* Not as constants: a count may be 0, and compilers warn of loops that never run. */
static void put_counts(const tn_ch *h) {
    const tn_open *o = h->open;
    tn_putf(h->out,
            "    size_t n_ops = %" PRIu32 ", n_checked = %" PRIu32 ", n_sizes = %" PRIu32 ", i;\n",
            o->code.ops.len - h->p->n_ranges, o->sizes.len + o->extents.len, o->sizes.len);
    tn_putf(h->out, "    uint32_t variant, best = UINT32_MAX, n_variants = %" PRIu32 ";\n",
            o->n_variants);
    tn_ch_put(h, "    @w *n = layout->number;\n    @u least = 0, bytes = 0;\n");
}

static void put_dims(const tn_ch *h) {
    for (uint32_t i = 0; i < h->p->n_ranges; i++) {
        const char *member = h->members[i];
        tn_putf(h->out, "    if (dims->%s < %s_%s || dims->%s > %s_%s) {\n", member, h->macro,
                h->ids.min[i], member, h->macro, h->ids.max[i]);
        tn_ch_put(h, "        return @M_DIM_OUT_OF_RANGE;\n    }\n");
        tn_putf(h->out, "    n[%" PRIu32 "] = dims->%s;\n", i, member);
    }
}

/* Those that follow from others. */
static void put_related(const tn_ch *h) {
    for (uint32_t i = 0; i < h->p->n_relations; i++) {
        const char *member = h->members[h->p->n_ranges + i];
        tn_putf(h->out, "    if (dims->%s < 0 || n[%" PRIu32 "] != dims->%s) {\n", member,
                h->open->related[i], member);
        tn_ch_put(h, "        return @M_DIM_CONTRADICTS;\n    }\n");
    }
}

static const char operations[] =
    "    for (i = 0; i < n_ops; i++) {\n"
    "        @w *to = &n[@M_DIM_COUNT + i];\n"
    "        if (ops[i].act == @M_ACT_CONST) {\n"
    "            *to = consts[ops[i].a];\n"
    "        } else {\n"
    "            int status = @m_work_out(ops[i].act, n[ops[i].a], n[ops[i].b], to);\n"
    "            if (status != 0) {\n"
    "                return status;\n"
    "            }\n"
    "        }\n"
    "    }\n";

static const char work[] =
    "    for (i = 0; i < n_checked; i++) {\n"
    "        if (n[checked[i]] < 0) {\n"
    "            return @M_NO_SIZE;\n"
    "        }\n"
    "        if (n[checked[i]] > (i < n_sizes ? @M_LARGEST : @D_MAX)) {\n"
    "            return @M_TOO_LARGE;\n"
    "        }\n"
    "    }\n"
    "    for (variant = 0; variant < n_variants; variant++) {\n"
    "        if (@m_place(variant, layout, &bytes) && (best == UINT32_MAX || bytes < least)) {\n"
    "            best = variant;\n"
    "            least = bytes;\n"
    "        }\n"
    "    }\n"
    "    if (best == UINT32_MAX) {\n"
    "        return @M_TOO_LARGE;\n"
    "    }\n"
    "    if (layout->variant != best) {\n"
    "        (void)@m_place(best, layout, &bytes);\n"
    "    }\n"
    "    return 0;\n"
    "}\n";

static const char placing[] =
    "    const @w *n = layout->number;\n"
    "    size_t i = variant * n_storages, end = i + n_storages, k = i > 0 ? storages[i - 1].end : "
    "0;\n"
    "    size_t p;\n"
    "    for (p = 0; p < n_pools; p++) {\n"
    "        layout->pool[p] = (size_t)pools[p].from;\n"
    "    }\n"
    "    layout->variant = variant;\n"
    "    *bytes = 0;\n"
    "    for (; i < end; i++) {\n"
    "        size_t row = storages[i].at, *pool = &layout->pool[storages[i].pool];\n"
    "        @u at = storages[i].from;\n"
    "        for (; k < storages[i].end; k++) {\n"
    "            @u behind = (@u)layout->offset[below[k]] + (@u)n[sizes[below[k]]];\n"
    "            at = behind > at ? behind : at;\n"
    "        }\n"
    "        at += (storages[i].align - at % storages[i].align) % storages[i].align;\n"
    "        if (at > (@u)@M_LARGEST || at + (@u)n[sizes[row]] > (@u)@M_LARGEST) {\n"
    "            return 0;\n"
    "        }\n"
    "        layout->offset[row] = (size_t)at;\n"
    "        at += (@u)n[sizes[row]];\n"
    "        *pool = at > *pool ? (size_t)at : *pool;\n"
    "    }\n"
    "    for (i = 0; i < n_pools; i++) {\n"
    "        @u size = (@u)layout->pool[i];\n"
    "        size += (pools[i].align - size % pools[i].align) % pools[i].align;\n"
    "        if (size > (@u)@M_LARGEST) {\n"
    "            return 0;\n"
    "        }\n"
    "        layout->pool[i] = (size_t)size;\n"
    "        *bytes += pools[i].arena ? size : 0;\n"
    "    }\n"
    "    return 1;\n"
    "}\n";

static void put_place(const tn_ch *h) {
    tn_ch_put(h,
              "\n/* Where storages lie in a variant, and the bytes of its arenas; 0 where they are "
              "too many. */\nstatic int @m_place(uint32_t variant, @m_layout *layout, @u *bytes) "
              "{\n");
    put_below(h, put_storages(h));
    put_pools(h);
    tn_putf(h->out, "    size_t n_storages = %" PRIu32 ", n_pools = %" PRIu32 ";\n",
            h->open->n_storages, h->open->n_pools);
    tn_ch_put(h, placing);
}

void tn_ch_put_resolve(const tn_ch *h) {
    if (h->open == NULL) {
        return;
    }
    tn_ch_put(h, "\n#ifdef @M_DEFINE_RESOLVE\n");
    tn_ch_put(h, arithmetic);
    put_place(h);
    tn_ch_put(h, "\n#ifdef __cplusplus\nextern \"C\"\n#endif\n"
                 "int @m_resolve(const @m_dims *dims, @m_layout *layout) {\n");
    put_ops(h);
    put_checked(h);
    put_counts(h);
    put_dims(h);
    tn_ch_put(h, "    layout->dims = *dims;\n");
    tn_ch_put(h, operations);
    put_related(h);
    tn_ch_put(h, work);
    tn_ch_put(h, "#endif /* @M_DEFINE_RESOLVE */\n");
}
