/* What comes before the plan: who made the header from what, and the compiler's dialect. */
#include <inttypes.h>

#include "backends/c_header/c_header_t.h"
#include "ir/plan/forms.h"

static void put_field(const tn_ch *h, const char *label, const char *text) {
    if (text[0] != '\0') {
        tn_putf(h->out, " *   %-16s ", label);
        tn_put_comment(h->out, text);
        tn_put_c(h->out, '\n');
    }
}

static void put_range_line(const tn_ch *h, const tn_plan_range *r) {
    const char *most =
        r->max < INT64_MAX ? tn_arena_printf(h->scratch, " to %" PRId64, r->max) : " and up";
    put_field(h, "open",
              tn_arena_printf(h->scratch, "%s = %" PRId64 "%s; figures here are those at %" PRId64,
                              r->name, r->min, most, r->point));
}

static void put_pool_line(const tn_ch *h, const tn_pool *pool) {
    tn_put(h->out, " *   pool ");
    tn_put_comment(h->out, pool->name);
    tn_putf(h->out, ": %" PRIu64 " bytes, aligned to %" PRIu64, pool->size, tn_pool_base(pool));
    if (pool->cost > 0) {
        tn_putf(h->out, "; cost %" PRIu64 ", %" PRIu64 " bytes read and written", pool->cost,
                pool->traffic);
    }
    if (pool->kind == TN_POOL_ARENA) {
        tn_putf(h->out, "; lower bound %" PRIu64, pool->bound);
        if (h->n_left_out > 0) {
            tn_put(h->out, " of what is planned");
        } else if (pool->size == pool->bound) {
            tn_put(h->out, ": no layout for this order and these aliases is smaller");
        } else if (pool->bound > 0 && pool->size > pool->bound) {
            tn_put(h->out, ", ");
            tn_put_decimal(h->out, 100 * (double)(pool->size - pool->bound) / (double)pool->bound);
            tn_put(h->out, " % above it");
        }
    }
    tn_put_c(h->out, '\n');
}

static void put_origin(const tn_ch *h) {
    const tn_plan *p = h->p;
    tn_put(h->out, "/* Static memory plan of ");
    tn_put_comment(h->out, p->model[0] != '\0' ? p->model : "a model without a name");
    tn_put(h->out, ", made by tenure ");
    tn_put_comment(h->out, p->version);
    tn_put(h->out, ". Generated: do not edit.\n *\n");
    put_field(h, "digest", p->digest);
    put_field(h, "pipeline", p->pipeline);
    for (uint32_t i = 0; i < p->n_options; i++) {
        put_field(h, "option",
                  tn_arena_printf(h->scratch, "%s = %s", p->options[i].key, p->options[i].value));
    }
    put_field(h, "packed by", p->report.algorithm);
    if (p->report.interrupted) {
        put_field(h, "interrupted", "the best plan found until then; another run may differ");
    }
    put_field(h, "order",
              p->reordered ? "NOT that of the file: run the steps below" : "the file's");
    for (uint32_t i = 0; i < p->fixed.len; i++) {
        put_field(h, "holds for",
                  tn_arena_printf(h->scratch, "the elements of %s it was made with alone",
                                  p->values[p->fixed.data[i]].name));
    }
    for (uint32_t i = 0; i < p->n_ranges; i++) {
        put_range_line(h, &p->ranges[i]);
    }
    for (uint32_t i = 0; i < p->n_data_dims; i++) {
        tn_sink most = tn_sink_make(h->scratch);
        tn_plan_put_most(&p->data_dims[i], &most);
        put_field(h, "by data",
                  tn_arena_printf(h->scratch, "%s%s, known only while running",
                                  p->data_dims[i].name, most.data));
    }
    for (uint32_t i = 0; i < p->n_relations; i++) {
        const tn_plan_relation *r = &p->relations[i];
        put_field(h, "open", tn_arena_printf(h->scratch, "%s = %s", r->name, r->is_text));
    }
}

static void put_figures(const tn_ch *h) {
    const tn_plan *p = h->p;
    const tn_plan_report *r = &p->report;
    tn_put(h->out, " *\n");
    for (uint32_t i = 0; i < p->n_pools; i++) {
        put_pool_line(h, &p->pools[i]);
    }
    tn_putf(h->out,
            " *   arena without reuse %" PRIu64 " bytes, with reuse of equal shapes %" PRIu64
            ", of any shapes %" PRIu64 "\n",
            r->naive, r->level0, r->level1);
    tn_putf(h->out,
            " *   %" PRIu32 " tensors placed, %" PRIu32 " not; %" PRIu32 " in place, %" PRIu32
            " views, %" PRIu32 " updates, %" PRIu32 " shared\n",
            r->n_planned, r->n_unplanned, r->n_inplace, r->n_views, r->n_updates, r->n_shared);
}

void tn_ch_put_banner(const tn_ch *h) {
    put_origin(h);
    put_figures(h);
    tn_ch_put(
        h,
        " *\n"
        " * Sizes, offsets and alignments are bytes; an offset counts from the start of the\n"
        " * tensor's pool. The address of tensor V (@M_<ID>) is @M_PTR(layout, base, V, type)\n"
        " * when its pool starts at `base`. Define @M_DEFINE_<POOL> in one source file to have\n"
        " * the pool's array there, or give memory of your own: @M_BASE_OK(base, @M_<POOL>) says\n"
        " * whether it is aligned.\n"
        " * Bytes are reused over time by tensors of different types. Access them as unsigned\n"
        " * char, by memcpy, or compile kernels without type-based alias analysis.\n");
    if (h->open != NULL) {
        tn_ch_put(h, " * Dimensions are open: @m_resolve works out a @m_layout for those at hand. "
                     "Define\n"
                     " * @M_DEFINE_RESOLVE in one source file to have it there.\n");
    }
    if (h->tables) {
        tn_ch_put(h, " * Define @M_TABLES to have tensors, storages and steps as tables too.\n");
    }
    tn_put(h->out, " */\n");
}

static void put_dtypes(const tn_ch *h) {
    bool seen[TN_DT_COUNT] = {false};
    tn_put(h->out, "\n/* Element types by their ONNX numbers. */\n");
    for (uint32_t i = 0; i < h->p->n_values; i++) {
        const tn_plan_value *v = &h->p->values[i];
        seen[v->dtype] = seen[v->dtype] || tn_ch_is_placed(v);
    }
    for (unsigned t = 1; t < TN_DT_COUNT; t++) {
        if (seen[t]) {
            const char *name = tn_upper(h->scratch, tn_dtype_get((tn_dtype)t)->name);
            tn_putf(h->out, "#ifndef TENURE_DTYPE_%s\n#define TENURE_DTYPE_%s %u\n#endif\n", name,
                    name, t);
        }
    }
}

static const char dialects[] =
    "#include <stddef.h>\n"
    "#include <stdint.h>\n\n"
    "/* Alignment and placement of the arrays; define them before to override. */\n"
    "#ifndef @M_ALIGN\n"
    "#if defined(__cplusplus) && __cplusplus >= 201103L\n"
    "#define @M_ALIGN(n) alignas(n)\n"
    "#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L\n"
    "#define @M_ALIGN(n) _Alignas(n)\n"
    "#elif defined(__GNUC__)\n"
    "#define @M_ALIGN(n) __attribute__((aligned(n)))\n"
    "#elif defined(_MSC_VER)\n"
    "#define @M_ALIGN(n) __declspec(align(n))\n"
    "#endif\n"
    "#endif\n"
    "#ifndef @M_SECTION\n"
    "#define @M_SECTION\n"
    "#endif\n\n"
    "#if defined(__cplusplus) && __cplusplus >= 201103L\n"
    "#define @M_ASSERT(id, condition, text) static_assert(condition, text)\n"
    "#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L\n"
    "#define @M_ASSERT(id, condition, text) _Static_assert(condition, text)\n"
    "#else\n"
    "#define @M_ASSERT(id, condition, text) typedef char @m_assert_##id[(condition) ? 1 : -1]\n"
    "#endif\n";

static const char base_access[] =
    "\n/* Accessors: V is a tensor, @M_<ID>; P a pool, @M_<POOL>. */\n"
    "#define @M_BASE_OK(base, P) ((uintptr_t)(base) % P##_ALIGN == 0)\n";

static const char bound_access[] =
    "/* This plan is bound, so that all are constants and `layout` is not looked at: give 0. */\n"
    "#define @M_OFF(layout, V) V##_OFFSET\n"
    "#define @M_SIZE(layout, V) V##_SIZE\n"
    "#define @M_ELEMENTS(layout, V) V##_ELEMENTS\n"
    "#define @M_POOL_SIZE(layout, P) P##_SIZE\n"
    "#define @M_PTR(layout, base, V, type) \\\n"
    "    ((type *)(void *)((unsigned char *)(base) + V##_OFFSET))\n"
    "#define @M_CONST_PTR(layout, base, V, type) \\\n"
    "    ((const type *)(const void *)((const unsigned char *)(base) + V##_OFFSET))\n";

static const char second_access[] =
    "/* Where V lies in runs of turn 0 or 1, when it has two places (V##_SECOND bytes apart): runs "
    "take\n * turns, and the caller has the other place meanwhile. */\n"
    "#define @M_PTR_AT(layout, base, V, turn, type) \\\n"
    "    ((type *)(void *)((unsigned char *)(base) + V##_OFFSET + ((turn) ? V##_SECOND : 0)))\n";

static const char open_access[] =
    "/* `layout` is what @m_resolve has filled in. What is constant for all dimensions does not "
    "look\n"
    " * at it. */\n"
    "#define @M_OFF(layout, V) V##_OFFSET(layout)\n"
    "#define @M_SIZE(layout, V) V##_SIZE(layout)\n"
    "#define @M_ELEMENTS(layout, V) V##_ELEMENTS(layout)\n"
    "#define @M_POOL_SIZE(layout, P) P##_SIZE(layout)\n"
    "#define @M_PTR(layout, base, V, type) \\\n"
    "    ((type *)(void *)((unsigned char *)(base) + V##_OFFSET(layout)))\n"
    "#define @M_CONST_PTR(layout, base, V, type) \\\n"
    "    ((const type *)(const void *)((const unsigned char *)(base) + V##_OFFSET(layout)))\n";

/* Images of weights say which layout they were made for. */
void tn_ch_put_layout(const tn_ch *h) {
    char layout[TN_LAYOUT_HEX];
    tn_plan_layout(h->p, layout);
    tn_ch_put(h, "\n/* Where constants lie, as a number: weights of the same one fit. */\n#define "
                 "@M_LAYOUT 0x");
    tn_put(h->out, layout);
    tn_ch_put(
        h, "u\n#if defined(@M_WEIGHTS_LAYOUT)\n#if @M_WEIGHTS_LAYOUT != @M_LAYOUT\n"
           "#error \"the weights of @m were made for a plan of another layout: make both again\"\n"
           "#endif\n#endif\n");
}

void tn_ch_put_dialect(const tn_ch *h) {
    tn_ch_put(h, dialects);
}

static void put_order(const tn_ch *h) {
    tn_ch_put(h, "\n/* 1: the steps are in another order than the nodes of the file. */\n"
                 "#define @M_REORDERED ");
    tn_put(h->out, h->p->reordered ? "1\n" : "0\n");
    tn_ch_put(
        h, "\n/* Steps run side by side: 0: when they have waited for their hazards as well; 1: in "
           "any\n * order that data allow; 2: in @M_QUEUES queues, each in the order of the "
           "steps. */\n#define @M_CONCURRENCY ");
    tn_putf(h->out, "%d\n", (int)h->p->concurrency);
    tn_ch_put(h, "#define @M_QUEUES ");
    tn_putf(h->out, "%" PRIu32 "\n", h->p->n_queues);
}

void tn_ch_put_preamble(const tn_ch *h) {
    tn_ch_put_dialect(h);
    tn_ch_put(h, base_access);
    tn_ch_put(h, h->open != NULL ? open_access : bound_access);
    tn_ch_put(h, tn_plan_has_seconds(h->p) ? second_access : "");
    put_dtypes(h);
    tn_ch_put_layout(h);
    put_order(h);
}
