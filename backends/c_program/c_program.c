/* The plan as a program in C: net.c runs the network, one call of a kernel a step; net.h declares
 * it, net_plan.h is the C header of the plan, net_weights the bytes of constants, and
 * tenure_kernels.h has the prototypes of all kernels (docs/PROGRAM.md). */
#include "backends/c_program/program_t.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "ir/base/diag.h"
#include "ir/infer/used.h"

enum { OPT_PREFIX, OPT_WEIGHTS, OPT_BITS, OPT_NAMES, OPT_TABLES };
static const tn_opt options[] = {
    [OPT_PREFIX] = {"prefix", TN_OPT_TEXT, "", NULL,
                    "of every function, macro and type; the file's name when empty"},
    [OPT_WEIGHTS] = {"weights", TN_OPT_ENUM, "c", "c|asm|none",
                     "the bytes of constants as a C array, as an assembler file that includes a "
                     "binary image (large models), or left out"},
    [OPT_BITS] = {"target-size-bits", TN_OPT_ENUM, "32", "16|32|64",
                  "width of size_t on the target"},
    [OPT_NAMES] = {"names", TN_OPT_BOOL, "true", NULL, "names of nodes in the program"},
    [OPT_TABLES] = {"tables", TN_OPT_BOOL, "true", NULL, "tables of the plan in its header"},
    {0}};

/* ---- what cannot be a program ---- */

static tn_status check_values(const tn_plan *p) {
    for (uint32_t i = 0; i < p->n_values; i++) {
        const tn_plan_value *v = &p->values[i];
        if (v->storage == TN_NO_ID && v->left_out != TN_LEFT_UNUSED) {
            return tn_error(p->ctx, NULL,
                            "c-program: value '%s' has no place in the plan (%s), and the program "
                            "would have no memory for it; give dimensions that are open by --dim, "
                            "or plan the part of the model that has shapes",
                            v->name, v->why != NULL ? v->why : "its size is not known");
        }
    }
    return TN_OK;
}

static bool is_packed(const tn_plan_value *v) {
    unsigned bits = tn_dtype_get(v->dtype)->bits;
    return bits > 0 && bits < 8;
}

static tn_status check_moves(const tn_plan *p, const tn_plan_step *s) {
    for (uint32_t i = 0; i < s->n_moves; i++) {
        const tn_plan_move *m = &s->moves[i];
        bool part = m->kind == TN_MOVE_SLICE || m->kind == TN_MOVE_STACK;
        if (part && is_packed(&p->values[m->to])) {
            return tn_error(p->ctx, NULL,
                            "c-program: %s '%s' cuts '%s' into elements of less than a byte, which "
                            "cannot be copied one by one",
                            s->op, s->name,
                            p->values[m->kind == TN_MOVE_SLICE ? m->from : m->to].name);
        }
    }
    return TN_OK;
}

/* An op whose bodies run in a way of its own has no moves. */
static tn_status check_bodies(const tn_plan *p) {
    tn_status status = TN_OK;
    for (uint32_t i = 0; i < p->n_steps && status == TN_OK; i++) {
        const tn_plan_step *s = &p->steps[i];
        bool loops =
            s->kind == TN_STEP_BEGIN && s->n_bodies == 1 && s->bodies[0].attribute[0] != '\0';
        if ((loops && s->n_moves == 0) || (s->kind == TN_STEP_BEGIN && s->n_bodies > 2)) {
            return tn_error(p->ctx, NULL,
                            "c-program: %s '%s' runs its bodies by a definition of its own, which "
                            "has no form in C; a program can have If, Loop, Scan and functions",
                            s->op, s->name);
        }
        status = check_moves(p, s);
    }
    return status;
}

/* ---- text ---- */

void tn_cp_put(const tn_cp *c, const char *template) {
    for (const char *at; (at = strchr(template, '@')) != NULL; template = at + 2) {
        tn_put_n(c->out, template, (size_t)(at - template));
        tn_put(c->out, at[1] == 'M' ? c->macro : c->symbol);
    }
    tn_put(c->out, template);
}

void tn_cp_put_value(const tn_cp *c, uint32_t value) {
    const tn_plan_value *v = &c->p->values[value];
    tn_put(c->out, " '");
    tn_put_comment(c->out, tn_full_name(c->arena, v));
    tn_put(c->out, "' ");
    tn_put_comment(c->out, v->type);
}

void tn_cp_put_address(const tn_cp *c, uint32_t value) {
    uint32_t pool = c->p->storages[c->p->values[value].storage].pool;
    tn_putf(c->out, "%s_PTR(0, m->%s, %s_%s, unsigned char)", c->macro, c->pools[pool], c->macro,
            c->ids.values[value]);
}

static void put_banner(const tn_cp *c, const char *what) {
    tn_putf(c->out, "/* %s ", what);
    tn_put_comment(c->out, c->p->model[0] != '\0' ? c->p->model : "a model without a name");
    tn_put(c->out, ", made by tenure ");
    tn_put_comment(c->out, c->p->version);
    tn_put(c->out, ". Generated: do not edit. */\n");
}

/* ---- net.h ---- */

static const char header_text[] = "\n#include \"@m_plan.h\"\n"
                                  "#include \"tenure_kernels.h\"\n";

static const char functions_text[] =
    "\n#define @M_BAD_MEMORY (-1)\n\n"
    "/* Runs the network once: inputs stand at their places in the pools, and so do outputs\n"
    " * afterwards. `user` reaches all kernels. 0; @M_BAD_MEMORY when a base is NULL or not\n"
    " * aligned; else 1 + the step whose kernel gave another number than 0. Keeps nothing between\n"
    " * runs but what is in the pools, so other pools may be run at the same time. */\n"
    "int @m_run(const @m_memory *m, void *user);\n\n"
    "/* Writes what state, and inputs with a default, hold before the first run. Does nothing "
    "where\n"
    " * the model has none, or the program was made without weights. */\n"
    "void @m_reset(const @m_memory *m);\n\n"
    "/* After a run that is to count: state takes its new values (training info). Does nothing\n"
    " * where the model has none. */\n"
    "void @m_commit(const @m_memory *m);\n";

static void put_memory(const tn_cp *c) {
    tn_cp_put(c, "\n/* Where the pools begin, aligned as @M_BASE_OK says. */\n"
                 "typedef struct @m_memory {\n");
    for (uint32_t i = 0; i < c->p->n_pools; i++) {
        const tn_pool *pool = &c->p->pools[i];
        tn_putf(c->out, "    %svoid *%s; /* %" PRIu64 " bytes",
                pool->kind == TN_POOL_CONST ? "const " : "", c->pools[i], pool->size);
        tn_put(c->out, pool->kind == TN_POOL_CONST ? ": the weights */\n" : " */\n");
    }
    tn_put(c->out, c->p->n_pools == 0 ? "    void *none;\n" : "");
    tn_cp_put(c, "} @m_memory;\n");
}

/* The arrays that net.c defines. */
static void put_static_memory(const tn_cp *c, bool weights) {
    tn_cp_put(c, "\n/* The pools that stand in the program, as an initialiser: @m_memory m = "
                 "@M_STATIC_MEMORY; */\n#define @M_STATIC_MEMORY {");
    for (uint32_t i = 0; i < c->p->n_pools; i++) {
        tn_put(c->out, i > 0 ? ", " : "");
        if (c->p->pools[i].kind != TN_POOL_CONST) {
            tn_putf(c->out, "%s_%s", c->symbol, tn_lower(c->arena, c->ids.pools[i]));
        } else {
            tn_cp_put(c, weights ? "@M_WEIGHTS" : "NULL");
        }
    }
    tn_put(c->out, c->p->n_pools == 0 ? "NULL}\n" : "}\n");
}

/* Operators that the table does not know, each once. */
static void put_generic_prototypes(const tn_cp *c) {
    tn_map seen = tn_map_make(c->arena);
    for (uint32_t i = 0; i < c->p->n_steps; i++) {
        const tn_plan_step *s = &c->p->steps[i];
        if (!tn_cp_calls(c, i) || tn_cp_is_typed(s)) {
            continue;
        }
        const char *symbol = tn_intern(c->p->ctx, tn_cp_symbol(c, s));
        if (tn_map_or(&seen, tn_str_id(symbol), 0) == 0) {
            tn_putf(c->out, "%stenure_generic tenure_%s;\n",
                    seen.len == 0 ? "\n/* Kernels of operators that tenure does not know. */\n"
                                  : "",
                    symbol);
            tn_map_put(&seen, tn_str_id(symbol), 1);
        }
    }
}

static void put_header(const tn_cp *c, bool weights) {
    put_banner(c, "Runs");
    tn_cp_put(c, "#ifndef @M_PROGRAM_H\n#define @M_PROGRAM_H\n");
    tn_cp_put(c, header_text);
    tn_cp_put(c, weights ? "#include \"@m_weights.h\"\n" : "");
    tn_put(c->out, "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    put_memory(c);
    put_static_memory(c, weights);
    tn_cp_put(c, functions_text);
    put_generic_prototypes(c);
    tn_put(c->out, "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
}

/* ---- net.c ---- */

static void put_arrays(const tn_cp *c) {
    tn_cp_put(c,
              "\n/* The pools stand here, unless @M_NO_ARRAYS says that they come from elsewhere. "
              "*/\n#ifndef @M_NO_ARRAYS\n");
    for (uint32_t i = 0; i < c->p->n_pools; i++) {
        if (c->p->pools[i].kind != TN_POOL_CONST) {
            tn_putf(c->out, "#define %s_DEFINE_%s\n", c->macro, c->ids.pools[i]);
        }
    }
    tn_cp_put(c, "#endif\n#include \"@m.h\"\n\n#include <math.h>\n#include <string.h>\n");
}

static const char checks_text[] =
    "\n#if @M_LAYOUT != 0x@Lu\n"
    "#error \"@m_plan.h is of another plan: make all files of @m again\"\n"
    "#endif\n"
    "#if TENURE_KERNELS_VERSION != 1\n"
    "#error \"tenure_kernels.h is of another version of tenure: make all files of @m again\"\n"
    "#endif\n"
    "\n/* Called round every step of the plan, kernels or not: for profiles, traces, tests. */\n"
    "#ifndef @M_BEFORE\n"
    "#define @M_BEFORE(step, op, node, user) ((void)0)\n"
    "#endif\n"
    "#ifndef @M_AFTER\n"
    "#define @M_AFTER(step, op, node, user) ((void)0)\n"
    "#endif\n";

static void put_checks(const tn_cp *c) {
    char layout[TN_LAYOUT_HEX];
    tn_plan_layout(c->p, layout);
    const char *at = strstr(checks_text, "@L");
    tn_cp_put(c, tn_arena_strndup(c->arena, checks_text, (size_t)(at - checks_text)));
    tn_put(c->out, layout);
    tn_cp_put(c, at + 2);
}

static bool needs_wide_dims(const tn_plan *p) {
    for (uint32_t i = 0; i < p->n_values; i++) {
        for (uint32_t k = 0; p->values[i].storage != TN_NO_ID && k < p->values[i].rank; k++) {
            if (p->values[i].dims[k] > INT32_MAX) {
                return true;
            }
        }
    }
    return false;
}

/* Which function each step calls: a macro a step beats one an operator. */
static void put_kernel_macros(const tn_cp *c) {
    tn_map seen = tn_map_make(c->arena);
    tn_cp_put(
        c, "\n/* Which function each step calls. Define these in @M_CONFIG to have others. */\n");
    for (uint32_t i = 0; i < c->p->n_steps; i++) {
        if (!tn_cp_calls(c, i)) {
            continue;
        }
        const char *symbol = tn_intern(c->p->ctx, tn_cp_symbol(c, &c->p->steps[i]));
        if (tn_map_or(&seen, tn_str_id(symbol), 0) == 0) {
            tn_map_put(&seen, tn_str_id(symbol), 1);
            tn_putf(c->out,
                    "#ifndef TENURE_KERNEL_%s\n#define TENURE_KERNEL_%s tenure_%s\n#endif\n",
                    symbol, symbol, symbol);
        }
        tn_putf(c->out,
                "#ifndef %s_STEP_%" PRIu32 "_KERNEL\n#define %s_STEP_%" PRIu32
                "_KERNEL TENURE_KERNEL_%s\n#endif\n",
                c->macro, i, c->macro, i, symbol);
    }
}

static const char reset_text[] = "\nvoid @m_reset(const @m_memory *m) {\n"
                                 "#ifdef @M_INITIALS\n"
                                 "    static const struct {\n"
                                 "        unsigned pool;\n"
                                 "        size_t offset, size, from;\n"
                                 "    } rows[] = @M_INITIAL_ROWS;\n"
                                 "    void *const bases[] = {@P};\n"
                                 "    size_t i;\n"
                                 "    for (i = 0; i < @M_INITIALS; i++) {\n"
                                 "        memcpy((unsigned char *)bases[rows[i].pool] + "
                                 "rows[i].offset, @M_INITIAL + rows[i].from,\n"
                                 "               rows[i].size);\n"
                                 "    }\n"
                                 "#endif\n"
                                 "    (void)m;\n"
                                 "}\n";

static void put_reset(const tn_cp *c) {
    const char *at = strstr(reset_text, "@P");
    tn_cp_put(c, tn_arena_strndup(c->arena, reset_text, (size_t)(at - reset_text)));
    for (uint32_t i = 0; i < c->p->n_pools; i++) {
        bool constant = c->p->pools[i].kind == TN_POOL_CONST;
        tn_put(c->out, i > 0 ? ", " : "");
        tn_putf(c->out, constant ? "NULL" : "m->%s", c->pools[i]);
    }
    tn_cp_put(c, at + 2);
}

static tn_status put_program(const tn_cp *c) {
    put_banner(c, "Runs");
    tn_cp_put(c, "\n#ifdef @M_CONFIG /* a file of yours, say -D@M_CONFIG='\"config.h\"' */\n"
                 "#include @M_CONFIG\n#endif\n");
    put_arrays(c);
    put_checks(c);
    if (needs_wide_dims(c->p)) {
        tn_cp_put(c, "\n@M_ASSERT(dims, sizeof(tenure_dim) == 8, \"an extent is beyond 32 bits: "
                     "compile with -DTENURE_DIM=int64_t\");\n");
    }
    put_kernel_macros(c);
    tn_put(c->out, "\n/* Extents. */\n");
    tn_cp_put_shapes(c);
    tn_cp_put_move_helpers(c);
    tn_status status = TN_OK;
    for (uint32_t i = 0; i < c->p->n_steps && status == TN_OK; i++) {
        if (tn_cp_calls(c, i)) {
            status = tn_cp_put_step(c, i);
        }
    }
    tn_cp_put_run(c);
    put_reset(c);
    tn_cp_put_commit(c);
    return status;
}

/* ---- the other files ---- */

static tn_status check_name(const tn_emission *e) {
    const char *name = e->outlet->name, *dot = strrchr(name, '.');
    if (dot != NULL && dot != name && strcmp(dot, ".c") == 0) {
        return TN_OK;
    }
    tn_error(e->plan->ctx, NULL,
             "c-program: the artefact is several files and is named by its main one: give -o with "
             "a name that ends in '.c'");
    return TN_USAGE;
}

/* Another backend's artefact among the files of this one. */
static tn_status emit_with(const tn_emission *e, tn_arena *arena, const char *backend,
                           const char *name, const char *opts) {
    const tn_backend *b = tn_backend_find(backend);
    tn_backend_args args = tn_backend_defaults(arena, b);
    tn_status status = tn_backend_set(arena, b, "c-program", opts, &args);
    tn_outlet outlet = {name, e->outlet->open, e->outlet->user};
    return status == TN_OK ? tn_backend_emit(b, e->plan, e->model, &args, &outlet) : status;
}

static tn_status emit_others(const tn_cp *c, const tn_emission *e) {
    const char *bits = tn_arg_text(e->args, OPT_BITS), *form = tn_arg_text(e->args, OPT_WEIGHTS);
    const char *opts =
        tn_arena_printf(c->arena, "prefix=%s,target-size-bits=%s,names=%s,tables=%s", c->symbol,
                        bits, tn_arg_text(e->args, OPT_NAMES), tn_arg_text(e->args, OPT_TABLES));
    tn_status status =
        emit_with(e, c->arena, "c-header", tn_arena_printf(c->arena, "%s_plan.h", c->symbol), opts);
    if (status != TN_OK || strcmp(form, "none") == 0) {
        return status;
    }
    const char *name =
        tn_arena_printf(c->arena, "%s_weights.%s", c->symbol, strcmp(form, "asm") == 0 ? "S" : "c");
    return emit_with(e, c->arena, "weights", name,
                     tn_arena_printf(c->arena, "form=%s,prefix=%s", form, c->symbol));
}

static tn_status emit_own(tn_cp *c, const tn_emission *e) {
    const char *header = tn_arena_printf(c->arena, "%s.h", c->symbol);
    c->out = e->outlet->open(e->outlet->user, "tenure_kernels.h");
    tn_put_kernels_header(c->arena, c->out);
    c->out = e->outlet->open(e->outlet->user, header);
    put_header(c, strcmp(tn_arg_text(e->args, OPT_WEIGHTS), "none") != 0);
    c->out = e->out;
    return put_program(c);
}

/* ---- the backend ---- */

static const uint32_t *find_values(tn_arena *arena, const tn_plan *p, const tn_module *m) {
    tn_map ids = tn_map_make(arena);
    uint32_t *out = TN_ARRAY(arena, uint32_t, p->n_values);
    for (uint32_t i = 0; i < m->n_values; i++) {
        const tn_value *v = m->values[i];
        tn_map_put(&ids, tn_str_id(tn_internf(m->ctx, "%s\n%s", v->graph->path, v->name)), i);
    }
    for (uint32_t i = 0; i < p->n_values; i++) {
        const char *key = tn_internf(m->ctx, "%s\n%s", p->values[i].graph, p->values[i].name);
        out[i] = (uint32_t)tn_map_or(&ids, tn_str_id(key), TN_NO_ID);
    }
    return out;
}

static const char **pool_members(tn_arena *arena, const tn_plan *p) {
    const char **names = TN_ARRAY(arena, const char *, p->n_pools);
    for (uint32_t i = 0; i < p->n_pools; i++) {
        names[i] = p->pools[i].name;
    }
    return tn_identifiers(arena, "pool", names, p->n_pools, false);
}

static void set_prefix(tn_cp *c, const tn_emission *e) {
    const char *name = tn_artefact_prefix(c->arena, e, tn_arg_text(e->args, OPT_PREFIX), "");
    name = tn_identifiers_within(c->arena, "m", &name, 1, false,
                                 TN_LONGEST_MACRO - TN_LONGEST_OWN_WORD)[0];
    c->macro = tn_upper(c->arena, name);
    c->symbol = tn_lower(c->arena, name);
    c->ids = tn_plan_ids_make(c->arena, c->p, c->macro, TN_LONGEST_MACRO);
}

static tn_status emit(const tn_emission *e) {
    tn_cp c = {.p = e->plan, .model = e->model, .arena = tn_arena_new(e->plan->ctx)};
    tn_status status = check_name(e);
    if (status == TN_OK) {
        c.names = tn_arg_truth(e->args, OPT_NAMES);
        c.pools = pool_members(c.arena, c.p);
        c.used = tn_used_contents(c.model, c.arena);
        c.in_module = find_values(c.arena, c.p, c.model);
        set_prefix(&c, e);
        status = emit_others(&c, e);
    }
    if (status == TN_OK) {
        status = emit_own(&c, e);
    }
    tn_arena_drop(c.arena);
    return status;
}

static tn_status accepts(const tn_plan *plan, const tn_backend_args *args) {
    (void)args;
    tn_status status = check_values(plan);
    return status == TN_OK ? check_bodies(plan) : status;
}

const tn_backend tn_backend_c_program = {
    .name = "c-program",
    .summary = "C that runs the network in its plan, one call of a kernel a step",
    .suffix = ".c",
    .options = options,
    .accepts = accepts,
    .emit = emit,
    .needs_model = true,
};
