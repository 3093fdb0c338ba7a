/* The main header of several plans that share pools: the pools and their arrays once, the headers
 * of all plans, and which variant of a program is for given extents. */
#include <inttypes.h>
#include <string.h>

#include "backends/c_header/c_header_t.h"
#include "backends/core/set_ids.h"
#include "ir/base/sort.h"

typedef struct set_header {
    tn_ch h;            /* first: sections get it */
    tn_plan main;       /* the pools of all, and nothing else */
    const char **files; /* by plan */
    tn_set_ids ids;
} set_header;

/* ---- variants ---- */

static int by_size(const void *a, const void *b) {
    const tn_plan *x = *(tn_plan *const *)a, *y = *(tn_plan *const *)b;
    return tn_plan_is_smaller(x, y) ? -1 : tn_plan_is_smaller(y, x);
}

static const char **dim_members(const tn_ch *h, const tn_plan *p) {
    const char **names = TN_ARRAY(h->scratch, const char *, p->n_dims);
    for (uint32_t i = 0; i < p->n_dims; i++) {
        names[i] = p->dims[i].name;
    }
    return tn_identifiers(h->scratch, "dim", names, p->n_dims, false);
}

static uint32_t number_of(const tn_plan_program *program, const tn_plan *p) {
    uint32_t k = 0;
    while (program->variants[k] != p) {
        k++;
    }
    return k;
}

static void put_pick(const tn_ch *h, const tn_plan_program *program, const char *id,
                     const char **members) {
    tn_plan **order = TN_ARRAY(h->scratch, tn_plan *, program->n_variants);
    memcpy(order, program->variants, program->n_variants * sizeof *order);
    TN_SORT(order, program->n_variants, by_size);
    tn_putf(h->out, "int %s_%s_bucket(const %s_%s_dims *dims) {\n", h->symbol, id, h->symbol, id);
    for (uint32_t i = 0; i < program->n_variants; i++) {
        const char *before = "    if (";
        for (uint32_t d = 0; d < order[i]->n_dims; d++) {
            if (tn_variants_differ(program, d)) {
                tn_putf(h->out, "%sdims->%s <= %" PRId64, before, members[d],
                        order[i]->dims[d].value);
                before = " && ";
            }
        }
        tn_putf(h->out, ") {\n        return %" PRIu32 ";\n    }\n", number_of(program, order[i]));
    }
    tn_put(h->out, "    return -1;\n}\n");
}

static void put_variants(const tn_ch *h, const tn_plan_program *program, const char *upper) {
    const tn_plan *p = program->variants[0];
    const char *id = tn_lower(h->scratch, upper), **members = dim_members(h, p);
    tn_put(h->out, "\n/* Which variant of ");
    tn_put_comment(h->out, program->name);
    tn_putf(h->out,
            " is for these extents: the one with the smallest arena among those that\n"
            " * are large enough, -1 where none is. Defined where %s_DEFINE_BUCKETS is. */\n"
            "#define %s_%s_VARIANTS %" PRIu32 "\ntypedef struct %s_%s_dims {\n",
            h->macro, h->macro, upper, program->n_variants, h->symbol, id);
    for (uint32_t d = 0; d < p->n_dims; d++) {
        if (tn_variants_differ(program, d)) {
            tn_putf(h->out, "    int64_t %s;\n", members[d]);
        }
    }
    tn_putf(h->out, "} %s_%s_dims;\nint %s_%s_bucket(const %s_%s_dims *dims);\n", h->symbol, id,
            h->symbol, id, h->symbol, id);
    tn_putf(h->out, "#ifdef %s_DEFINE_BUCKETS\n", h->macro);
    put_pick(h, program, id, members);
    tn_put(h->out, "#endif\n");
}

/* ---- the main header ---- */

static void put_main(const tn_ch *h) {
    const set_header *s = (const set_header *)h;
    const tn_plan_set *set = h->p->set;
    for (uint32_t i = 0; i < s->ids.n; i++) {
        tn_putf(h->out, "#include \"%s\"\n", s->files[i]);
    }
    tn_ch_put_dialect(h);
    tn_ch_put(h, "\n#define @M_BASE_OK(base, P) ((uintptr_t)(base) % P##_ALIGN == 0)\n");
    tn_ch_put_layout(h);
    tn_ch_put_pools(h);
    tn_ch_put_arrays(h);
    tn_put(h->out, "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    for (uint32_t i = 0; i < set->n_programs; i++) {
        if (tn_set_parts(&set->programs[i]) > 1) {
            put_variants(h, &set->programs[i], s->ids.programs[i]);
        }
    }
    tn_put(h->out, "\n#ifdef __cplusplus\n}\n#endif\n");
}

static void put_main_banner(const tn_ch *h) {
    const tn_plan_set *set = h->p->set;
    tn_put(h->out, "/* Static memory plans of programs that never run at the same time, made by "
                   "tenure ");
    tn_put_comment(h->out, h->p->version);
    tn_put(h->out, ".\n * Generated: do not edit.\n *\n");
    for (uint32_t i = 0; i < set->n_programs; i++) {
        tn_put(h->out, " *   program ");
        tn_put_comment(h->out, set->programs[i].name);
        tn_putf(h->out, ": variants %" PRIu32 "\n", tn_set_parts(&set->programs[i]));
    }
    tn_ch_put(h, " *\n * Pools are as large as the largest plan needs, whatever the extents in its "
                 "ranges are.\n"
                 " * Define @M_DEFINE_<POOL> in one "
                 "source\n * file to have the pool's array there. */\n");
}

static void count_bytes(tn_plan *p) {
    bool known = true;
    p->report.ram = p->report.flash = 0;
    for (uint32_t i = 0; i < p->n_pools; i++) {
        p->report.flash += p->pools[i].kind == TN_POOL_CONST ? p->pools[i].size : 0;
        p->report.ram += tn_pool_is_ram(&p->pools[i]) ? p->pools[i].size : 0;
        known = known && p->pools[i].size != TN_NO_SIZE;
    }
    p->report.ram = known ? p->report.ram : TN_NO_SIZE;
}

static tn_status emit_plans(set_header *s, const tn_emission *e) {
    const char **ids = s->ids.plans;
    uint32_t n = s->ids.n;
    s->files = TN_ARRAY(s->h.scratch, const char *, n);
    for (uint32_t i = 0; i < n; i++) {
        const char *end = tn_arena_printf(s->h.scratch, "_%s.h", tn_lower(s->h.scratch, ids[i]));
        tn_sink *out = tn_emission_open(e, s->h.scratch, end, &s->files[i]);
        if (out == NULL) {
            return TN_USAGE;
        }
        tn_ch_emit_plan(e, tn_plan_at(e->plan, s->ids.at[i]), out,
                        tn_arena_printf(s->h.scratch, "%s_%s", s->h.macro, ids[i]));
    }
    return TN_OK;
}

tn_status tn_ch_emit_set(const tn_emission *e, const char *prefix, size_t longest) {
    set_header s = {.main = *e->plan};
    s.main.n_values = s.main.n_steps = s.main.n_storages = 0;
    s.main.n_ranges = s.main.n_relations = 0;
    s.h = (tn_ch){.p = &s.main, .out = e->out, .scratch = tn_arena_new(e->plan->ctx)};
    tn_ch_read_options(&s.h, e);
    const uint64_t *sizes = tn_set_pool_sizes(s.h.scratch, e->plan, s.h.largest);
    s.main.pools = TN_ARRAY(s.h.scratch, tn_pool, e->plan->n_pools);
    for (uint32_t i = 0; i < e->plan->n_pools; i++) {
        s.main.pools[i] = e->plan->set->pools[i];
        s.main.pools[i].size = sizes[i];
    }
    count_bytes(&s.main);
    tn_ch_name_prefix(&s.h, e, prefix, longest - TN_LONGEST_OWN_WORD - TN_LONGEST_PROGRAM_WORD);
    s.ids = tn_set_ids_make(s.h.scratch, e->plan, s.h.macro, longest);
    tn_ch_name_all(&s.h, longest);
    tn_status status = emit_plans(&s, e);
    if (status == TN_OK) {
        put_main_banner(&s.h);
        tn_ch_put_guarded(&s.h, put_main);
    }
    tn_arena_drop(s.h.scratch);
    return status;
}
