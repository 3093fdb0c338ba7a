/* Several programs and variants in one memory: net.h declares the memory and what runs each of
 * them, net.c has the arrays, what they hold before the first run, and chooses among variants; each
 * plan has a source file of its own, net_detector.c or net_decoder_1.c. */
#include <inttypes.h>
#include <string.h>

#include "backends/c_program/program_t.h"
#include "backends/core/set_ids.h"

typedef struct whole {
    tn_cp c;      /* its plan has the pools of all, and nothing else */
    tn_cp *parts; /* as ids.plans has them */
    tn_set_ids ids;
    const tn_plan_set *set;
} whole;

/* The plan and model of the i-th plan; models stand one behind the other. */
static tn_emission emission_of(const tn_emission *e, uint32_t i) {
    tn_emission part = *e;
    part.plan = tn_plan_at(e->plan, i);
    for (uint32_t k = 0; k < i; k++) {
        part.model = part.model->next;
    }
    return part;
}

/* The member of the memory, "" for a program without open dimensions. */
static const char *layout_of(const whole *w, const char *symbol) {
    for (uint32_t i = 0; i < w->c.n_layouts; i++) {
        if (strcmp(w->c.layouts[i].symbol, symbol) == 0) {
            return w->c.layouts[i].member;
        }
    }
    return "";
}

/* A base for each pool, and a layout for each program with open dimensions. */
static void name_members(whole *w, const tn_plan *p) {
    tn_cp *c = &w->c;
    const char **names = TN_ARRAY(c->arena, const char *, p->n_pools + w->set->n_programs);
    c->layouts = TN_ARRAY(c->arena, tn_set_layout, w->set->n_programs);
    for (uint32_t i = 0; i < p->n_pools; i++) {
        names[i] = p->pools[i].name;
    }
    for (uint32_t i = 0; i < w->set->n_programs; i++) {
        if (w->set->programs[i].variants[0]->n_ranges > 0) {
            const char *id = tn_lower(c->arena, w->ids.programs[i]);
            names[p->n_pools + c->n_layouts] = tn_arena_printf(c->arena, "%s_layout", id);
            c->layouts[c->n_layouts++].symbol = tn_arena_printf(c->arena, "%s_%s", c->symbol, id);
        }
    }
    c->pools = tn_identifiers(c->arena, "pool", names, p->n_pools + c->n_layouts, false);
    for (uint32_t i = 0; i < c->n_layouts; i++) {
        c->layouts[i].member = c->pools[p->n_pools + i];
    }
}

static tn_cp make_part(const whole *w, const tn_emission *e, uint32_t i) {
    tn_emission of = emission_of(e, w->ids.at[i]);
    tn_cp part = w->c;
    part.whole = w->c.symbol;
    tn_cp_prepare(&part, &of, tn_arena_printf(part.arena, "%s_%s", w->c.symbol, w->ids.plans[i]));
    part.pools = w->c.pools;
    part.n_layouts = 0;
    part.layout = tn_arena_printf(part.arena, "m->%s", layout_of(w, part.symbol));
    part.memory = tn_arena_printf(part.arena, "%s_memory", part.symbol);
    return part;
}

/* ---- net.h ---- */

static const char common_text[] =
    "\n#define @M_BAD_MEMORY (-1)\n"
    "#define @M_NO_VARIANT (-2)\n\n"
    "/* Writes what state, and inputs with a default, hold before the first run of any of the\n"
    " * programs, and forgets what their kernels keep. Does nothing where the models have none, "
    "or\n"
    " * the programs were made without weights. */\n"
    "void @m_reset(const @m_memory *m);\n\n"
    "/* A function @m_..._run runs a program once, while no other of the same memory runs: inputs\n"
    " * stand at their places in the pools (@m_plan.h), and so do outputs afterwards, until the "
    "next\n"
    " * program writes there. `user` reaches all kernels. 0; @M_BAD_MEMORY when a base is NULL or\n"
    " * not aligned; else 1 + the step whose kernel gave another number than 0.\n"
    " * A function @m_..._commit stands behind a run that is to count: state takes its new values\n"
    " * (training info). It does nothing where the model has none. */\n";

static const char part_text[] = " @m_memory;\n"
                                "#define @M_BAD_MEMORY (-1)\n"
                                "int @m_run(const @m_memory *m, void *user);\n"
                                "void @m_commit(const @m_memory *m);\n";

static void put_title(const whole *w, const tn_plan_program *program, const tn_plan *p) {
    tn_put(w->c.out, "\n/* ");
    tn_put_comment(w->c.out, program->name);
    const char *before = " with ";
    for (uint32_t d = 0; d < p->n_dims; d++) {
        if (tn_variants_differ(program, d)) {
            tn_put(w->c.out, before);
            tn_put_comment(w->c.out, p->dims[d].name);
            tn_putf(w->c.out, " up to %" PRId64, p->dims[d].value);
            before = ", ";
        }
    }
    tn_put(w->c.out, " */\n");
}

static void put_part(const whole *w, const tn_plan_program *program, const tn_cp *part) {
    put_title(w, program, part->p);
    tn_putf(part->out, "typedef %s_memory", w->c.symbol);
    tn_cp_put(part, part_text);
    if (tn_cp_keeps(part)) {
        tn_cp_put(part,
                  "void @m_forget(const @m_memory *m); /* what its kernels keep is 0 again */\n");
    }
    tn_cp_put_more_prototypes(part);
}

static void put_choice_declaration(const whole *w, const tn_plan_program *program, const char *id) {
    tn_put(w->c.out, "\n/* Runs the variant of ");
    tn_put_comment(w->c.out, program->name);
    tn_putf(
        w->c.out,
        " that %s_%s_bucket chooses for these extents,\n"
        " * whose inputs stand where that variant has them; %s_NO_VARIANT where it has none. */\n"
        "int %s_%s_run(const %s_memory *m, const %s_%s_dims *dims, void *user);\n"
        "/* Behind such a run that is to count. 0, or %s_NO_VARIANT. */\n"
        "int %s_%s_commit(const %s_memory *m, const %s_%s_dims *dims);\n",
        w->c.symbol, id, w->c.macro, w->c.symbol, id, w->c.symbol, w->c.symbol, id, w->c.macro,
        w->c.symbol, id, w->c.symbol, w->c.symbol, id);
}

static void put_declarations(const whole *w) {
    for (uint32_t i = 0, plan = 0; i < w->set->n_programs; i++) {
        const tn_plan_program *program = &w->set->programs[i];
        for (uint32_t k = 0; k < tn_set_parts(program); k++) {
            put_part(w, program, &w->parts[plan++]);
        }
        if (tn_set_parts(program) > 1) {
            put_choice_declaration(w, program, tn_lower(w->c.arena, w->ids.programs[i]));
        }
    }
}

static void put_header(const whole *w, bool weights) {
    tn_cp_begin_header(&w->c, weights);
    tn_cp_put(&w->c, common_text);
    put_declarations(w);
    tn_cp_end_header(&w->c);
}

/* ---- net.c ---- */

/* "int net_decoder_run(...)": the variant that fits is run, or committed. */
static void put_choice(const whole *w, const tn_plan_program *program, const char *id,
                       const tn_cp *parts, bool commits) {
    const char *symbol = w->c.symbol;
    tn_putf(w->c.out,
            "\nint %s_%s_%s(const %s_memory *m, const %s_%s_dims *dims%s) {\n"
            "    switch (%s_%s_bucket(dims)) {\n",
            symbol, id, commits ? "commit" : "run", symbol, symbol, id,
            commits ? "" : ", void *user", symbol, id);
    for (uint32_t k = 0; k < program->n_variants; k++) {
        tn_putf(w->c.out, "    case %" PRIu32 ":\n        %s%s_%s;\n%s", k,
                commits ? "" : "return ", parts[k].symbol, commits ? "commit(m)" : "run(m, user)",
                commits ? "        return 0;\n" : "");
    }
    tn_cp_put(&w->c, "    default:\n        return @M_NO_VARIANT;\n    }\n}\n");
}

static void put_source(const whole *w) {
    const tn_cp *c = &w->c;
    tn_cp_put_banner(c, "Runs");
    tn_cp_put_array_macros(c);
    tn_cp_put(c, "#define @M_DEFINE_BUCKETS\n#include \"@m.h\"\n\n#include <string.h>\n");
    tn_cp_put_initials(c);
    uint32_t n = w->ids.n;
    for (uint32_t i = 0; i < n; i++) {
        if (tn_cp_keeps(&w->parts[i])) {
            tn_putf(c->out, "    %s_forget(m);\n", w->parts[i].symbol);
        }
    }
    tn_put(c->out, "}\n");
    for (uint32_t i = 0, plan = 0; i < w->set->n_programs; i++) {
        const tn_plan_program *program = &w->set->programs[i];
        if (tn_set_parts(program) > 1) {
            const char *id = tn_lower(c->arena, w->ids.programs[i]);
            put_choice(w, program, id, &w->parts[plan], false);
            put_choice(w, program, id, &w->parts[plan], true);
        }
        plan += tn_set_parts(program);
    }
}

/* ---- all files ---- */

static tn_sink *open_file(const whole *w, const tn_emission *e, const char *stem, char end) {
    const char *name = tn_arena_printf(w->c.arena, "%s.%c", stem, end);
    return e->outlet->open(e->outlet->user, name);
}

/* "detector, landmark" */
static const char *names_of_all(const whole *w) {
    tn_sink text = tn_sink_make(w->c.arena);
    for (uint32_t i = 0; i < w->set->n_programs; i++) {
        tn_putf(&text, "%s%s", i > 0 ? ", " : "", w->set->programs[i].name);
    }
    return text.data;
}

tn_status tn_cp_emit_set(const tn_cp *c, const tn_emission *e, bool weights) {
    tn_plan pools = *e->plan;
    whole w = {.c = *c, .set = e->plan->set};
    tn_status status = TN_OK;
    const uint64_t *sizes = tn_set_pool_sizes(c->arena, e->plan, c->largest);
    pools.pools = TN_ARRAY(c->arena, tn_pool, e->plan->n_pools);
    for (uint32_t i = 0; i < e->plan->n_pools; i++) {
        pools.pools[i] = w.set->pools[i];
        pools.pools[i].size = sizes[i];
    }
    pools.model = names_of_all(&w);
    pools.n_values = pools.n_steps = pools.n_storages = 0;
    pools.n_ranges = pools.n_relations = 0;
    w.c.open = NULL;
    w.ids = tn_set_ids_make(c->arena, e->plan, c->macro, TN_LONGEST_MACRO);
    uint32_t n = w.ids.n;
    name_members(&w, e->plan);
    w.parts = TN_ARRAY(c->arena, tn_cp, n);
    w.c.p = &pools;
    for (uint32_t i = 0; i < n && status == TN_OK; i++) {
        w.parts[i] = make_part(&w, e, i);
        w.parts[i].out = open_file(&w, e, w.parts[i].symbol, 'c');
        status = tn_cp_put_program(&w.parts[i]);
    }
    if (status == TN_OK) {
        w.c.out = open_file(&w, e, c->symbol, 'h');
        for (uint32_t i = 0; i < n; i++) {
            w.parts[i].out = w.c.out;
        }
        put_header(&w, weights);
        w.c.out = e->out;
        put_source(&w);
    }
    return status;
}
