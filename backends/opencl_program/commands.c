#include "backends/opencl_program/commands.h"

#include <inttypes.h>
#include <string.h>

/* ---- kernels ---- */

/* What came before: an interned text, and 1 + its number. */
typedef struct maker {
    tn_clp *p;
    tn_map seen;
    tn_sink text;
    uint32_t n;
} maker;

static bool is_on_host(const tn_clp *p, uint32_t value) {
    uint32_t handle = p->cl->handle[value];
    const tn_cl_chunk *c = handle != TN_NO_ID ? &p->cl->chunks[p->cl->handles[handle].chunk] : NULL;
    return c != NULL && c->host && !c->ahead;
}

/* What a nest loads, and where it stores, has to be on the device. */
static bool is_reached(const tn_clp *p, const tn_plan_step *s, const tn_cl_kernel *k,
                       uint32_t result) {
    bool all = !is_on_host(p, s->results.data[result]);
    for (uint32_t i = 0; i < k->n_operands; i++) {
        all = all && !is_on_host(p, s->operands.data[k->operands[i]]);
    }
    return all;
}

static tn_cl_over over_of(const tn_cp *c, const tn_plan_step *s, uint32_t result) {
    uint32_t *operands = TN_ARRAY(c->arena, uint32_t, s->n_claims + 1u), n = 0;
    for (uint32_t i = 0; i < s->n_claims; i++) {
        if (s->claims[i].result == result) {
            operands[n++] = s->claims[i].operand;
        }
    }
    return (tn_cl_over){operands, n};
}

/* Equal texts are one kernel, if their groups are equal, too. */
static uint32_t number_of(maker *m, const tn_plan_step *s, const tn_cl_kernel *k) {
    const char *groups = tn_arena_printf(
        m->p->c->arena, "reqd_work_group_size(%" PRIu32 ", %" PRIu32 ", %" PRIu32 ")", k->local[0],
        k->local[1], k->local[2]);
    const char *key = tn_arena_printf(m->p->c->arena, "%s%s", groups, k->text);
    uint32_t id = tn_str_id(tn_intern(m->p->c->p->ctx, key));
    uint32_t number = (uint32_t)tn_map_or(&m->seen, id, 0);
    if (number == 0) {
        number = ++m->n;
        tn_map_put(&m->seen, id, number);
        tn_put(&m->text, "\n/* ");
        tn_put_comment(&m->text, s->op);
        tn_putf(&m->text, " */\n__kernel __attribute__((%s)) void %s_kernel_%" PRIu32 "%s", groups,
                m->p->c->symbol, number - 1, k->text);
    }
    return number - 1;
}

static void add_command(maker *m, uint32_t step, const tn_cl_kernel *k, uint32_t result) {
    const tn_plan_step *s = &m->p->c->p->steps[step];
    tn_clp_command made = {.step = step, .kernel = number_of(m, s, k), .k = k};
    made.values = TN_ARRAY(m->p->c->arena, uint32_t, k->n_operands + 1u);
    for (uint32_t i = 0; i < k->n_operands; i++) {
        made.values[i] = s->operands.data[k->operands[i]];
    }
    made.values[k->n_operands] = s->results.data[result];
    tn_vec_push(m->p->c->arena, &m->p->commands, made);
}

static bool is_yours(const tn_clp *p, uint32_t step) {
    const char *number = tn_arena_printf(p->c->arena, "%" PRIu32, step);
    const char *op = p->c->p->steps[step].op;
    for (const char *at = p->own; *at != '\0';) {
        size_t n = strcspn(at, "+");
        bool same = (strlen(op) == n && memcmp(at, op, n) == 0) ||
                    (strlen(number) == n && memcmp(at, number, n) == 0);
        if (same) {
            return true;
        }
        at += n + (at[n] == '+');
    }
    return !p->c->inside;
}

/* False where the step has no kernel here. */
static bool make(maker *m, uint32_t step) {
    const tn_cp *c = m->p->c;
    const tn_plan_step *s = &c->p->steps[step];
    const tn_kernel_text prefixes = {.symbol = c->symbol, .macro = c->macro};
    tn_kernel prototype;
    tn_compute ask;
    if (is_yours(m->p, step) || !tn_cp_step_nests(c, step, &prototype, &ask)) {
        return false;
    }
    tn_cl_kernel *kernels = TN_ARRAY(c->arena, tn_cl_kernel, ask.nests.len + 1u);
    bool all = true;
    for (uint32_t i = 0; i < ask.nests.len; i++) {
        const tn_nest *n = &ask.nests.data[i];
        tn_cl_kernel_make(&prefixes, &ask, n, over_of(c, s, n->result), &kernels[i]);
        all = all && is_reached(m->p, s, &kernels[i], n->result);
    }
    for (uint32_t i = 0; all && i < ask.nests.len; i++) {
        bool empty = kernels[i].global[0] * kernels[i].global[1] * kernels[i].global[2] == 0;
        if (!empty) {
            add_command(m, step, &kernels[i], ask.nests.data[i].result);
        }
    }
    return all;
}

void tn_clp_make(tn_clp *p) {
    const tn_cp *c = p->c;
    maker m = {.p = p, .seen = tn_map_make(c->arena), .text = tn_sink_make(c->arena)};
    p->called = TN_ARRAY(c->arena, bool, c->p->n_steps + 1u);
    p->yours = TN_ARRAY(c->arena, bool, c->p->n_steps + 1u);
    for (uint32_t i = 0; i < c->p->n_steps; i++) {
        p->yours[i] = is_yours(p, i);
        p->called[i] = tn_cp_calls(c, i) && tn_cp_is_placed(c, &c->p->steps[i]) && !make(&m, i);
    }
    tn_sink with_prefix = tn_sink_make(c->arena);
    tn_cp put = *c;
    put.out = &with_prefix;
    if (m.n > 0) {
        tn_cp_put(&put, tn_cl_prelude(c->arena, m.text.data));
        tn_put(&with_prefix, m.text.data);
    }
    p->source = m.n > 0 ? with_prefix.data : "";
}

/* ---- tables ---- */

enum { PIECE = 2000 }; /* characters of a string; compilers need take 4095 with their escapes */

/* A line of the text a line of the program, as far as it goes. */
static void put_source(const tn_clp *p) {
    tn_sink *out = p->c->out;
    tn_put(out, "\n/* The kernels, in OpenCL C: pieces of one text. */\n"
                "static const char *const source[] = {\n    \"");
    uint32_t in_piece = 0;
    for (const char *at = p->source; *at != '\0'; at++) {
        if (*at == '\n') {
            tn_put(out, "\\n");
        } else if (*at == '"' || *at == '\\') {
            tn_putf(out, "\\%c", *at);
        } else {
            tn_put_c(out, *at);
        }
        in_piece++;
        if (at[1] != '\0' && in_piece >= PIECE) {
            tn_put(out, "\",\n    \"");
            in_piece = 0;
        } else if (at[1] != '\0' && *at == '\n') {
            tn_put(out, "\"\n    \"");
        }
    }
    tn_put(out, "\"};\n");
}

static void put_commands(const tn_clp *p) {
    tn_sink *out = p->c->out;
    uint32_t at = 0;
    tn_put(out, "\nstatic const uint32_t values[] = {");
    for (uint32_t i = 0; i < p->commands.len; i++) {
        const tn_clp_command *c = &p->commands.data[i];
        for (uint32_t k = 0; k <= c->k->n_operands; k++, at++) {
            tn_putf(out, at % 16 == 0 ? "\n    %" PRIu32 "u," : " %" PRIu32 "u,", c->values[k]);
        }
    }
    tn_put(out, at == 0 ? "0u};\n" : "\n};\n");
    tn_put(out,
           "\n/* step, kernel, work-items, those of a group, values, whether one is an index */\n"
           "static const tenure_cl_command commands[] = {\n");
    at = 0;
    for (uint32_t i = 0; i < p->commands.len; i++) {
        const tn_clp_command *c = &p->commands.data[i];
        const tn_cl_kernel *k = c->k;
        tn_putf(out,
                "    {%" PRIu32 "u, \"%s_kernel_%" PRIu32 "\", {%" PRIu64 "u, %" PRIu64
                "u, %" PRIu64 "u}, {%" PRIu32 "u, %" PRIu32 "u, %" PRIu32 "u}, {%" PRIu32
                "u, %" PRIu32 "u}, %d},\n",
                c->step, p->c->symbol, c->kernel, k->global[0], k->global[1], k->global[2],
                k->local[0], k->local[1], k->local[2], at, k->n_operands + 1, k->index);
        at += k->n_operands + 1;
    }
    tn_put(out, p->commands.len == 0 ? "    {0}\n};\n" : "};\n");
}

static void put_calls(const tn_clp *p) {
    const tn_cp *c = p->c;
    tn_put(c->out, "\nstatic int (*const calls[])(const tenure_cl *, void *) = {\n");
    for (uint32_t i = 0; i < c->p->n_steps; i++) {
        tn_putf(c->out,
                p->called[i] ? "    %s_step_%" PRIu32 ",\n" : "    NULL, /* %s %" PRIu32 " */\n",
                p->called[i] ? c->symbol : "step", i);
    }
    tn_put(c->out, "    NULL};\n\nstatic const unsigned char on_host[] = {\n");
    for (uint32_t i = 0; i < c->p->n_steps; i++) {
        if (c->taken[i] == TN_TAKEN) {
            tn_putf(c->out, "    %s_STEP_%" PRIu32 "_ON_HOST,\n", c->macro, i);
        } else {
            tn_put(c->out, "    0,\n");
        }
    }
    tn_put(c->out, "    0};\n");
}

void tn_clp_put_tables(const tn_clp *p) {
    put_source(p);
    put_commands(p);
    put_calls(p);
    tn_cp_put(p->c, "\nconst tenure_cl_program @m_program = {\n    &@m_cl_plan, \"@m\", calls, "
                    "on_host, source, ");
    tn_putf(p->c->out, "%s, commands, %" PRIu32 "u, values};\n",
            p->source[0] != '\0' ? "sizeof source / sizeof source[0]" : "0", p->commands.len);
}
