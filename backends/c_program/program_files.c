/* The files net.h and net.c. */
#include <inttypes.h>
#include <string.h>

#include "backends/c_program/program_t.h"
#include "backends/core/found.h"
#include "backends/kernels/kernels_c.h"

/* ---- net.h ---- */

static const char header_text[] = "\n#include \"@m_plan.h\"\n"
                                  "#include \"tenure_kernels.h\"\n";

static const char layout_text[] =
    "    const @m_layout *layout; /* that @m_resolve has filled in; pools are as large as it says "
    "*/\n";

static const char turn_text[] =
    "    unsigned turn; /* 0 or 1: where tensors with two places lie in the next run; @m_swap "
    "changes it */\n";

static const char swap_text[] =
    "\n/* Between two runs: the places of tensors that have two change parts. The next run reads "
    "what you\n"
    " * have written to @M_PTR_AT(0, base, @M_<ID>, !m->turn, type) since the last call, and what "
    "it "
    "has\n * left you find there from now on. */\n"
    "void @m_swap(@m_memory *m);\n";

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

static const char why_text[] =
    "\n#ifdef @M_SAY_WHY /* defined for all files, or for none */\n"
    "/* Why the last kernel of tenure's library gave another number than 0, piece by piece. */\n"
    "void @m_say_why(void (*say)(const char *piece));\n#endif\n";

static void put_bases(const tn_cp *c) {
    tn_cp_put(c, "\n/* Where the pools begin, aligned as @M_BASE_OK says. */\n"
                 "typedef struct @m_memory {\n");
    if (c->open != NULL) {
        tn_cp_put(c, layout_text);
    }
    for (uint32_t i = 0; i < c->n_layouts; i++) {
        const tn_set_layout *l = &c->layouts[i];
        tn_putf(c->out,
                "    const %s_layout *%s; /* that %s_resolve has filled in, before %s_run */\n",
                l->symbol, l->member, l->symbol, l->symbol);
    }
    for (uint32_t i = 0; i < c->p->n_pools; i++) {
        const tn_pool *pool = &c->p->pools[i];
        bool loaded = c->open != NULL && c->open->pool_row[i] != TN_NO_ID;
        tn_putf(c->out, "    %svoid *%s; /* ", tn_pool_is_ram(pool) ? "" : "const ", c->pools[i]);
        if (loaded) {
            tn_putf(c->out, "%s_POOL_SIZE(layout, %s_%s) bytes", c->macro, c->macro,
                    c->ids.pools[i]);
        } else if (!tn_cp_has_array(c, i)) {
            tn_put(c->out, "as large as the layout of the program that runs says");
        } else {
            tn_putf(c->out, "%" PRIu64 " bytes", pool->size);
        }
        if (pool->copied) {
            tn_cp_put(c, ": weights, which @m_reset copies there */\n");
        } else {
            tn_put(c->out, pool->kind == TN_POOL_CONST ? ": the weights */\n" : " */\n");
        }
    }
    if (c->found != NULL) {
        tn_cp_put(c, "    tenure_dim *found; /* @M_FOUND_COUNT extents, which a run writes */\n");
    }
    tn_put(c->out,
           c->p->n_pools == 0 && c->open == NULL && c->found == NULL ? "    void *none;\n" : "");
    tn_cp_put(c, tn_plan_has_seconds(c->p) ? turn_text : "");
    tn_cp_put(c, "} @m_memory;\n");
}

/* NULL for arrays where `arrays` is false, and for pools whose largest size is not known. */
static void put_bases_of(const tn_cp *c, bool arrays, bool weights) {
    tn_cp_put(c, "#define @M_STATIC_MEMORY {");
    tn_put(c->out, c->open != NULL ? "NULL" : "");
    for (uint32_t i = 0; i < c->n_layouts; i++) {
        tn_put(c->out, i > 0 ? ", NULL" : "NULL");
    }
    for (uint32_t i = 0; i < c->p->n_pools; i++) {
        bool ram = tn_pool_is_ram(&c->p->pools[i]);
        tn_put(c->out, i > 0 || c->open != NULL || c->n_layouts > 0 ? ", " : "");
        if (!tn_cp_has_array(c, i) || (ram && !arrays) || (!ram && !weights)) {
            tn_put(c->out, "NULL");
        } else if (ram) {
            tn_putf(c->out, "%s_%s", c->symbol, tn_lower(c->arena, c->ids.pools[i]));
        } else {
            tn_put(c->out, tn_weights_name(c->arena, c->p, c->macro, &c->ids, i));
        }
    }
    if (c->found != NULL) {
        tn_put(c->out, c->p->n_pools > 0 || c->open != NULL ? ", " : "");
        tn_cp_put(c, arrays ? "@m_found" : "NULL");
    }
    tn_put(c->out, c->p->n_pools == 0 && c->open == NULL && c->found == NULL ? "NULL" : "");
    tn_put(c->out, tn_plan_has_seconds(c->p) ? ", 0}\n" : "}\n");
}

static void put_static_memory(const tn_cp *c, bool weights) {
    tn_cp_put(c, "\n/* The pools that stand in the program, as an initialiser: @m_memory m = "
                 "@M_STATIC_MEMORY; without\n * arrays those that are yours to give are NULL. */\n"
                 "#ifdef @M_NO_ARRAYS\n");
    put_bases_of(c, false, weights);
    tn_put(c->out, "#else\n");
    put_bases_of(c, true, weights);
    tn_put(c->out, "#endif\n");
}

void tn_cp_begin_header(const tn_cp *c, bool weights) {
    tn_cp_put_banner(c, "Runs");
    tn_cp_put(c, "#ifndef @M_PROGRAM_H\n#define @M_PROGRAM_H\n");
    tn_cp_put(c, header_text);
    tn_cp_put(c, weights ? "#include \"@m_weights.h\"\n" : "");
    tn_put(c->out, "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    tn_found_put_macros(c);
    put_bases(c);
    put_static_memory(c, weights);
}

void tn_cp_end_header(const tn_cp *c) {
    tn_put(c->out, "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
}

void tn_cp_put_header(const tn_cp *c, bool weights) {
    tn_cp_begin_header(c, weights);
    tn_cp_put(c, functions_text);
    tn_cp_put(c, tn_plan_has_seconds(c->p) ? swap_text : "");
    tn_cp_put(c, c->inside ? why_text : "");
    tn_cp_put_more_prototypes(c);
    tn_cp_end_header(c);
}

/* ---- net.c ---- */

void tn_cp_put_array_macros(const tn_cp *c) {
    tn_cp_put(c,
              "\n/* The pools stand here, unless @M_NO_ARRAYS says that they come from elsewhere. "
              "*/\n#ifndef @M_NO_ARRAYS\n");
    for (uint32_t i = 0; i < c->p->n_pools; i++) {
        if (tn_pool_is_ram(&c->p->pools[i])) {
            tn_putf(c->out, "#define %s_DEFINE_%s\n", c->macro, c->ids.pools[i]);
        }
    }
    tn_put(c->out, "#endif\n");
}

/* Nobody asks which exceptions floats raised, and without that gcc makes loops of vectors out of
 * choices and of what rounds. No number changes by it. */
static const char quiet_text[] =
    "\n#if defined(__GNUC__) && !defined(__clang__) /* nobody asks whether floats raised an "
    "exception */\n"
    "#pragma GCC optimize(\"no-trapping-math\")\n"
    "#endif\n";

/* The settings of a user, and the headers. */
static void put_includes(const tn_cp *c) {
    tn_cp_put(c, c->inside ? quiet_text : "");
    tn_cp_put(c, "\n#ifdef @M_CONFIG /* a file of yours, say -D@M_CONFIG='\"config.h\"' */\n"
                 "#include @M_CONFIG\n");
    if (c->whole != NULL) {
        const char *macro = tn_upper(c->arena, c->whole);
        tn_putf(c->out, "#elif defined(%s_CONFIG) /* the same for all */\n#include %s_CONFIG\n",
                macro, macro);
    }
    tn_put(c->out, "#endif\n");
    if (c->whole == NULL) {
        tn_cp_put_array_macros(c);
    }
    tn_cp_put(c, c->open != NULL ? "#define @M_DEFINE_RESOLVE\n" : "");
    tn_putf(c->out, "#include \"%s.h\"\n\n#include <math.h>\n#include <string.h>\n",
            c->whole != NULL ? c->whole : c->symbol);
}

static const char checks_text[] =
    "\n#if @M_LAYOUT != 0x@Lu\n"
    "#error \"@F is of another plan: make all files of @m again\"\n"
    "#endif\n"
    "#if TENURE_KERNELS_VERSION != 1\n"
    "#error \"tenure_kernels.h is of another version of tenure: make all files of @m again\"\n"
    "#endif\n"
    "\n/* Called round every step of the plan, kernels or not: for profiles, traces, tests. With "
    "@M_TIMED\n"
    " * these are functions of @m_main.c. */\n"
    "#ifdef @M_TIMED\n"
    "void @m_before(unsigned step);\n"
    "void @m_after(unsigned step);\n"
    "#define @M_BEFORE(step, op, node, user) @m_before(step)\n"
    "#define @M_AFTER(step, op, node, user) @m_after(step)\n"
    "#endif\n"
    "#ifndef @M_BEFORE\n"
    "#define @M_BEFORE(step, op, node, user) ((void)0)\n"
    "#endif\n"
    "#ifndef @M_AFTER\n"
    "#define @M_AFTER(step, op, node, user) ((void)0)\n"
    "#endif\n";

/* The part of the text up to `mark`, which is skipped. */
static void put_part(const tn_cp *c, const char **text, const char *mark) {
    const char *at = strstr(*text, mark);
    tn_cp_put(c, tn_arena_strndup(c->arena, *text, (size_t)(at - *text)));
    *text = at + strlen(mark);
}

static void put_checks(const tn_cp *c) {
    char layout[TN_LAYOUT_HEX];
    const char *text = checks_text;
    tn_plan_layout(c->p, layout);
    put_part(c, &text, "@L");
    tn_put(c->out, layout);
    put_part(c, &text, "@F");
    tn_putf(c->out, "%s_plan%s.h", c->whole != NULL ? c->whole : c->symbol,
            c->whole != NULL ? c->symbol + strlen(c->whole) : "");
    tn_cp_put(c, text);
}

static const char reset_text[] = "\nvoid @m_reset(const @m_memory *m) {\n"
                                 "#ifdef @M_INITIALS\n"
                                 "    @Cconst struct {\n"
                                 "        unsigned pool;\n"
                                 "        size_t offset, size, from;\n"
                                 "    } rows[] = @M_INITIAL_ROWS@R;\n"
                                 "    void *const bases[] = {@P};\n"
                                 "    size_t i;\n"
                                 "    for (i = 0; i < @M_INITIALS; i++) {\n"
                                 "        memcpy((unsigned char *)bases[rows[i].pool] + "
                                 "rows[i].offset, @M_INITIAL + rows[i].from,\n"
                                 "               rows[i].size);\n"
                                 "    }\n"
                                 "#endif\n"
                                 "    (void)m;\n";

/* Constants that do not stay in flash. */
static void put_copied(const tn_cp *c) {
    for (uint32_t i = 0; i < c->p->n_pools; i++) {
        const tn_pool *pool = &c->p->pools[i];
        if (pool->copied && pool->size > 0) {
            const char *from = tn_weights_name(c->arena, c->p, c->macro, &c->ids, i);
            tn_putf(c->out, "#ifdef %s\n    memcpy(m->%s, %s, %" PRIu64 "u);\n#endif\n", from,
                    c->pools[i], from, pool->size);
        }
    }
}

static bool is_kept(const tn_cp *c, const tn_plan_workspace *w) {
    return w->kept && c->p->values[w->value].storage != TN_NO_ID;
}

bool tn_cp_keeps(const tn_cp *c) {
    for (uint32_t i = 0; i < c->p->n_steps; i++) {
        for (uint32_t k = 0; k < c->p->steps[i].n_workspace; k++) {
            if (is_kept(c, &c->p->steps[i].workspace[k])) {
                return true;
            }
        }
    }
    return false;
}

/* Bytes that kernels keep from run to run. */
static void put_kept(const tn_cp *c) {
    for (uint32_t i = 0; i < c->p->n_steps; i++) {
        const tn_plan_step *s = &c->p->steps[i];
        for (uint32_t k = 0; k < s->n_workspace; k++) {
            if (is_kept(c, &s->workspace[k])) {
                tn_put(c->out, "    memset(");
                tn_cp_put_address(c, s->workspace[k].value);
                tn_put(c->out, ", 0, ");
                tn_cp_put_value_bytes(c, s->workspace[k].value);
                tn_put(c->out, ");\n");
            }
        }
    }
}

void tn_cp_put_initials(const tn_cp *c) {
    const char *text = reset_text;
    put_part(c, &text, "@C");
    tn_put(c->out, c->open != NULL ? "" : "static ");
    put_part(c, &text, "@R");
    tn_put(c->out, c->open != NULL ? "(m->layout)" : "");
    put_part(c, &text, "@P");
    for (uint32_t i = 0; i < c->p->n_pools; i++) {
        bool constant = c->p->pools[i].kind == TN_POOL_CONST;
        tn_put(c->out, i > 0 ? ", " : "");
        tn_putf(c->out, constant ? "NULL" : "m->%s", c->pools[i]);
    }
    tn_cp_put(c, text);
    put_copied(c);
}

/* Of one of several programs only what kernels keep: the rest is written for all at once. */
static void put_reset(const tn_cp *c) {
    if (c->whole == NULL) {
        tn_cp_put_initials(c);
    } else if (tn_cp_keeps(c)) {
        tn_cp_put(c, "\nvoid @m_forget(const @m_memory *m) {\n");
    } else {
        return;
    }
    put_kept(c);
    tn_put(c->out, "}\n");
}

/* Kernels that are made fail for one reason alone; those of the library keep theirs. */
static void put_why(const tn_cp *c, const char *made, const char *taken) {
    tn_cp_put(c, "\n#ifdef @M_SAY_WHY\nvoid @m_say_why(void (*say)(const char *piece)) {\n");
    if (strstr(made, "_failed(bad)") != NULL) {
        tn_cp_put(c,
                  "    if (@m_no_index != 0) {\n        @m_no_index = 0;\n"
                  "        say(\"KERNEL_ERROR_VALUE: an attribute, an element of an operand or its "
                  "place, that the kernel cannot do\");\n        return;\n    }\n");
    }
    tn_cp_put(c, taken[0] != '\0' ? "    @m_lib_kernel_say_why(say);\n}\n#endif\n"
                                  : "    say(\"an error of the kernel's own\");\n}\n#endif\n");
}

void tn_cp_put_kernels(const tn_cp *c) {
    tn_cp with = *c;
    const char *made = c->inside ? tn_cp_make_kernels(&with) : "";
    const char *taken = c->inside ? tn_cp_library_kernels(&with) : "";
    tn_cp_put_kernel_macros(&with);
    if (made[0] != '\0' || taken[0] != '\0') {
        tn_cp_put(c, tn_kernels_prelude(c->arena, made));
        tn_put(c->out, made);
        tn_put(c->out, taken);
    }
    if (c->inside && c->whole == NULL) {
        put_why(c, made, taken);
    }
}

extern const char tn_c_main[]; /* main.tmpl */

static const char main_why_text[] =
    "#include <stdio.h>\n\n#ifdef @M_SAY_WHY\n"
    "static void say(const char *piece) {\n    fputs(piece, stderr);\n}\n"
    "#define SAY_WHY() (say(\": \"), @m_say_why(say))\n#else\n"
    "#define SAY_WHY() (void)fputs(\"; -D@M_SAY_WHY for all files: it says why\", stderr)\n"
    "#endif\n";

void tn_cp_put_main(const tn_cp *c) {
    tn_cp_put_banner(c, "Calls the program of");
    tn_cp_put(c, "#ifdef @M_CONFIG /* as for the program */\n#include @M_CONFIG\n#endif\n"
                 "#define @M_TABLES\n#include \"@m.h\"\n");
    tn_cp_put(c, c->inside ? main_why_text : "#define SAY_WHY() ((void)0)\n");
    tn_cp_put(c,
              c->found != NULL ? "#define FOUND(i) ((long)m.found[i])\n" : "#define FOUND(i) 0L\n");
    tn_put(c->out,
           "\n/* Extents that data give. Outputs with them are shown, and written, as large as "
           "they can be. */\nstatic const char *const found[] = {");
    for (uint32_t i = 0; i < c->p->n_data_dims; i++) {
        tn_put_c_name(c->out, c->p->data_dims[i].name);
        tn_put(c->out, ", ");
    }
    tn_put(c->out, "\"\"};\n");
    tn_cp_put_main_text(c, tn_c_main);
}

tn_status tn_cp_put_program(const tn_cp *c) {
    tn_cp_put_banner(c, "Runs");
    put_includes(c);
    put_checks(c);
    if (tn_cp_needs_wide_dims(c->p)) {
        tn_cp_put(c, "\n@M_ASSERT(dims, sizeof(tenure_dim) == 8, \"an extent is beyond 32 bits: "
                     "compile with -DTENURE_DIM=int64_t\");\n");
    }
    if (c->found != NULL) {
        tn_cp_put(c, "\n#ifndef @M_NO_ARRAYS\ntenure_dim @m_found[@M_FOUND_COUNT];\n#endif\n");
    }
    tn_cp_put_kernels(c);
    tn_found_put_helpers(c);
    tn_status status = tn_cp_put_steps(c);
    tn_cp_put_move_helpers(c);
    tn_cp_put_run(c);
    put_reset(c);
    tn_cp_put_commit(c);
    if (tn_plan_has_seconds(c->p)) {
        tn_cp_put(c, "\nvoid @m_swap(@m_memory *m) {\n    m->turn = !m->turn;\n}\n");
    }
    return status;
}
