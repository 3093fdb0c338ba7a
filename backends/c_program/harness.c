/* The harness (docs/PROGRAM.md): a program that calls the kernel of each step whose result shares
 * bytes with an operand twice on the same numbers, once with all apart and once as the plan has
 * them, and compares. What runs is backends/c_program/harness.tmpl; here are its tables and the
 * functions of the steps, which are those of the program but for where values lie. */
#include "backends/c_program/harness.h"
#include "backends/c_program/program_t.h"

#include <inttypes.h>

#include "backends/c_program/harness_parts.h"
#include "ir/base/diag.h"

/* By tn_try_kind. */
static const char *const kind_words[] = {"DATA", "ZERO", "GIVEN", "MADE", "WORK", "KEPT"};

typedef struct writer {
    const tn_cp *c;
    const tn_plan *p;
    tn_arena *arena;
    uint64_t align; /* of every place */
    bool weights;   /* the bytes of constants are there */
    uint32_t n_parts;
    tn_sink parts, cases;
} writer;

static void put_place(const tn_cp *c, uint32_t value) {
    tn_putf(c->out, "m->at[%" PRIu32 "]", value);
}

/* ---- which steps ---- */

static bool is_tried(const tn_cp *c, uint32_t step) {
    const tn_plan_step *s = &c->p->steps[step];
    return tn_cp_calls(c, step) && s->n_claims > 0 && tn_cp_is_placed(c, s);
}

/* ---- what is not tried ---- */

static bool ends_inside_byte(const tn_plan_value *v) {
    uint64_t bits = tn_dtype_get(v->dtype)->bits % 8;
    for (uint32_t i = 0; i < v->rank; i++) {
        bits = bits * ((uint64_t)v->dims[i] % 8) % 8;
    }
    return bits != 0;
}

static bool is_fixed(const writer *w, uint32_t value) {
    uint32_t id = w->c->in_module[value];
    return w->p->values[value].role != TN_ROLE_CONST && id != TN_NO_ID && w->c->used[id];
}

/* Why numbers drawn at random say nothing of the step, or NULL. */
static const char *reason(const writer *w, const tn_plan_step *s, const tn_try_parts *all) {
    for (uint32_t i = 0; i < all->len && !w->weights; i++) {
        if (all->data[i].kind == TN_TRY_GIVEN) {
            return "not tried: it reads constants, which weights=none leaves out";
        }
    }
    for (uint32_t i = 0; i < s->n_claims; i++) {
        if (s->claims[i].promise == TN_PROMISE_DEFINITION || s->claims[i].result == TN_NO_ID) {
            return "not tried: by its definition the two are one";
        }
    }
    for (uint32_t i = 0; i < s->operands.len; i++) {
        if (s->operands.data[i] != TN_NO_ID && is_fixed(w, s->operands.data[i])) {
            return "not tried: the plan rests on the elements of an operand";
        }
    }
    for (uint32_t i = 0; i < s->results.len; i++) {
        if (s->results.data[i] != TN_NO_ID && ends_inside_byte(&w->p->values[s->results.data[i]])) {
            return "not tried: the elements of a result end inside a byte";
        }
    }
    return NULL;
}

/* ---- tables ---- */

static void put_part(writer *w, const tn_try_part *p) {
    const tn_plan_value *v = &w->p->values[p->value];
    tn_sink *out = &w->parts;
    tn_putf(out, "    {%" PRIu32 ", %s_%s, \"%s\", ", p->value, w->c->macro, kind_words[p->kind],
            p->label);
    tn_put_c_name(out, tn_full_name(w->arena, v));
    tn_putf(out, ", TENURE_DTYPE_%s, %" PRIu64 "u, %" PRIu64 "u, ",
            tn_upper(w->arena, tn_dtype_get(v->dtype)->name),
            p->kind == TN_TRY_GIVEN ? 0 : p->address, p->size);
    if (p->kind == TN_TRY_GIVEN && p->size > 0) {
        tn_putf(out, "%s + %" PRIu64 "u},\n",
                tn_weights_name(w->arena, w->p, w->c->macro, &w->c->ids, tn_try_pool(w->c, p)),
                p->address);
    } else {
        tn_put(out, "NULL},\n");
    }
    w->n_parts++;
}

/* "in0 begins 3616 bytes behind out0: make row by row, ..." */
static const char *text_of_claims(const writer *w, const tn_plan_step *s, const tn_try_parts *all) {
    tn_sink text = tn_sink_make(w->arena);
    for (uint32_t i = 0; i < s->n_claims; i++) {
        const tn_plan_claim *claim = &s->claims[i];
        const tn_try_part *in = tn_try_find(all, s->operands.data[claim->operand]);
        const tn_try_part *out = tn_try_find(all, s->results.data[claim->result]);
        if (in != NULL && out != NULL) {
            bool behind = in->address >= out->address;
            uint64_t apart = behind ? in->address - out->address : out->address - in->address;
            tn_putf(&text, "%s%s begins %" PRIu64 " bytes %s %s: %s", text.len > 0 ? "; " : "",
                    in->label, apart, behind ? "behind" : "before", out->label,
                    tn_cp_promise_text(claim->promise));
        }
    }
    return text.data != NULL ? text.data : "";
}

static void put_case(writer *w, uint32_t step, const tn_try_parts *all, const char *why) {
    const tn_plan_step *s = &w->p->steps[step];
    tn_sink *out = &w->cases;
    uint32_t first = w->n_parts;
    uint64_t bytes = tn_try_make_image(w->c, all, w->align);
    tn_putf(out, "    {%s_step_%" PRIu32 ", %" PRIu32 "u, \"%s\", ", w->c->symbol, step, step,
            tn_cp_symbol(w->c, s));
    tn_put_c_name(out, w->c->names ? s->name : "");
    tn_put(out, ",\n     ");
    tn_put_c_string(out, why == NULL ? text_of_claims(w, s, all) : "");
    tn_put(out, ",\n     ");
    if (why != NULL) {
        tn_put_c_string(out, why);
    } else {
        tn_put(out, "NULL");
        for (uint32_t i = 0; i < all->len; i++) {
            put_part(w, &all->data[i]);
        }
    }
    tn_putf(out, ", %" PRIu32 "u, %" PRIu32 "u, %" PRIu64 "u},\n", first, w->n_parts - first,
            bytes);
}

static void put_cases(writer *w, uint32_t step) {
    const tn_plan_step *s = &w->p->steps[step];
    tn_try_parts all = tn_try_parts_of(w->c, s);
    const char *why = reason(w, s, &all);
    put_case(w, step, &all, why);
    all = tn_try_parts_of(w->c, s);
    if (why == NULL && tn_try_move_nearer(w->c, &all, s)) {
        put_case(w, step, &all, NULL);
    }
}

/* ---- the file ---- */

static uint64_t largest_align(const tn_plan *p) {
    uint64_t align = 16;
    for (uint32_t i = 0; i < p->n_pools; i++) {
        align = tn_pool_base(&p->pools[i]) > align ? tn_pool_base(&p->pools[i]) : align;
    }
    return align;
}

static void put_types(const writer *w) {
    tn_cp_put_banner(w->c, "Tries the kernels of");
    tn_cp_put(w->c, "/* Run it with the number of rounds, 3 when none is given. Exit code 1: a "
                    "kernel breaks what\n"
                    " * the plan rests on. */\n"
                    "#ifdef @M_CONFIG /* as for the program */\n#include @M_CONFIG\n#endif\n"
                    "#include \"@m.h\"\n\n#include <math.h>\n");
    tn_putf(w->c->out, "\n#define %s_PLACE_ALIGN %" PRIu64 "u\n", w->c->macro, w->align);
    tn_cp_put(w->c, "\n/* Where values lie, by number. */\ntypedef struct @m_places {\n");
    tn_putf(w->c->out, "    unsigned char *at[%" PRIu32 "];\n", w->p->n_values + 1);
    tn_cp_put(w->c, "} @m_places;\n");
}

static void put_tables(const writer *w) {
    tn_cp_put(w->c, "\nstatic const @m_part @m_parts[] = {\n");
    tn_put(w->c->out, w->parts.data != NULL ? w->parts.data : "");
    tn_cp_put(w->c, "    {0, 0, NULL, NULL, 0, 0, 0, NULL}};\n\n"
                    "static const @m_case @m_cases[] = {\n");
    tn_put(w->c->out, w->cases.data != NULL ? w->cases.data : "");
    tn_cp_put(w->c, "    {NULL, 0, NULL, NULL, NULL, NULL, 0, 0, 0}};\n\n"
                    "int main(int argc, char **argv) {\n"
                    "    return @m_try_all(argc, argv, @m_cases, @m_parts);\n}\n");
}

tn_status tn_cp_put_harness(const tn_cp *program, bool weights) {
    tn_cp c = *program;
    bool *only = TN_ARRAY(c.arena, bool, c.p->n_steps + 1u);
    for (uint32_t i = 0; i < c.p->n_steps; i++) {
        only[i] = is_tried(program, i);
    }
    c.only = only;
    c.put_place = put_place;
    c.memory = tn_arena_printf(c.arena, "%s_places", c.symbol);
    writer w = {
        .c = &c, .p = c.p, .arena = c.arena, .align = largest_align(c.p), .weights = weights};
    w.parts = tn_sink_make(c.arena);
    w.cases = tn_sink_make(c.arena);
    put_types(&w);
    tn_cp_put(&c, tn_c_harness);
    tn_cp_put_kernels(&c);
    tn_status status = tn_cp_put_steps(&c);
    for (uint32_t i = 0; i < c.p->n_steps; i++) {
        if (only[i]) {
            put_cases(&w, i);
        }
    }
    put_tables(&w);
    return status;
}

tn_status tn_cp_accepts_harness(const tn_plan *p) {
    if (p->n_ranges > 0) {
        return tn_error(p->ctx, NULL,
                        "c-program: harness=true tries kernels with the extents of the plan, and "
                        "dimension '%s' is open; bind it with --dim",
                        p->ranges[0].name);
    }
    if (p->n_data_dims > 0) {
        return tn_error(p->ctx, NULL,
                        "c-program: harness=true tries kernels with the extents of the plan, and "
                        "'%s' is known only while running; try them with --dim %s=VALUE",
                        p->data_dims[0].name, p->data_dims[0].name);
    }
    if (tn_shares_pools(p)) {
        return tn_error(p->ctx, NULL,
                        "c-program: harness=true tries the kernels of one program, and the plan "
                        "holds several; plan each alone");
    }
    return TN_OK;
}
