/* The function that runs the network: a call a step, and what runs bodies as C's own control flow.
 * What the parts of a begin and an end mean stands in docs/PLAN.md, "Running a plan". */
#include <inttypes.h>
#include <string.h>

#include "backends/c_program/program_t.h"
#include "backends/core/found.h"

typedef struct run {
    const tn_cp *c;
    unsigned depth; /* of indentation */
} run;

static void indent(const run *r) {
    tn_put_indent(r->c->out, 4 * (size_t)r->depth);
}

static void put_mark(const run *r, const char *word, uint32_t step) {
    const tn_plan_step *s = &r->c->p->steps[step];
    indent(r);
    tn_putf(r->c->out, "%s_%s(%" PRIu32 ", ", r->c->macro, word, step);
    tn_put_c_name(r->c->out, s->op);
    tn_put(r->c->out, ", ");
    tn_put_c_name(r->c->out, r->c->names ? s->name : "");
    tn_put(r->c->out, ", user);\n");
}

static void put_op(const run *r, uint32_t step) {
    put_mark(r, "BEFORE", step);
    indent(r);
    if (tn_cp_calls(r->c, step)) {
        tn_putf(r->c->out, "if (%s_step_%" PRIu32 "(m, user) != 0) {\n", r->c->symbol, step);
        indent(r);
        tn_putf(r->c->out, "    return %" PRIu32 ";\n", step + 1);
        indent(r);
        tn_put(r->c->out, "}\n");
    } else {
        tn_put(r->c->out, "/* nothing to run:");
        const tn_ids *results = &r->c->p->steps[step].results;
        for (uint32_t i = 0; i < results->len && i < 1; i++) {
            if (results->data[i] != TN_NO_ID) {
                tn_cp_put_value(r->c, results->data[i]);
            }
        }
        tn_put(r->c->out, " is there already */\n");
    }
    put_mark(r, "AFTER", step);
}

static void put_moves(const run *r, uint32_t begin, tn_move_when when, uint32_t body) {
    tn_cp_moment at = {begin, when, body, r->depth};
    tn_cp_put_moves(r->c, &at);
}

static void put_range(run *r, uint32_t first, uint32_t end, const char *graph);

static void put_body(run *r, uint32_t begin, uint32_t body) {
    const tn_plan_step *s = &r->c->p->steps[begin];
    put_range(r, begin + 1, s->partner, s->bodies[body].graph);
}

static void put_line(const run *r, const char *text) {
    indent(r);
    tn_put(r->c->out, text);
}

/* ---- branches ---- */

static uint32_t then_of(const tn_plan_step *s) {
    return strcmp(s->bodies[0].attribute, "then_branch") == 0 ? 0 : 1;
}

static void put_branch(run *r, uint32_t begin, uint32_t body) {
    r->depth++;
    put_body(r, begin, body);
    put_moves(r, begin, TN_MOVE_END, body);
    r->depth--;
}

static void put_choice(run *r, uint32_t begin) {
    const tn_plan_step *s = &r->c->p->steps[begin];
    put_line(r, "if (*");
    tn_cp_put_address(r->c, s->operands.data[0]);
    tn_put(r->c->out, " != 0) {\n");
    put_branch(r, begin, then_of(s));
    put_line(r, "} else {\n");
    put_branch(r, begin, 1 - then_of(s));
    put_line(r, "}\n");
}

/* ---- loops ---- */

/* What is sliced says how often a Scan runs; a Loop slices nothing. */
static const tn_plan_move *slices(const tn_plan_step *s) {
    for (uint32_t i = 0; i < s->n_moves; i++) {
        if (s->moves[i].kind == TN_MOVE_SLICE) {
            return &s->moves[i];
        }
    }
    return NULL;
}

/* Of a loop that never runs, the condition may have no place. */
static void put_condition(const run *r, uint32_t begin, uint32_t value) {
    indent(r);
    tn_putf(r->c->out, "go_%" PRIu32 " = ", begin);
    if (r->c->p->values[value].storage != TN_NO_ID) {
        tn_put(r->c->out, "*");
        tn_cp_put_address(r->c, value);
        tn_put(r->c->out, " != 0;\n");
    } else {
        tn_put(r->c->out, "0;\n");
    }
}

/* The limit is read before the moves of the begin, which may lie in its bytes. */
static void put_limit(const run *r, uint32_t begin) {
    const tn_plan_step *s = &r->c->p->steps[begin];
    indent(r);
    const tn_plan_move *slice = slices(s);
    if (slice != NULL) {
        tn_putf(r->c->out, "limit_%" PRIu32 " = ", begin);
        tn_cp_put_extent(r->c, slice->from, (uint32_t)slice->axis);
        tn_put(r->c->out, ";\n");
    } else if (s->operands.len > 0 && s->operands.data[0] != TN_NO_ID) {
        tn_putf(r->c->out, "memcpy(&limit_%" PRIu32 ", ", begin);
        tn_cp_put_address(r->c, s->operands.data[0]);
        tn_put(r->c->out, ", sizeof(int64_t));\n");
    } else {
        tn_putf(r->c->out, "limit_%" PRIu32 " = INT64_MAX;\n", begin);
    }
}

/* A Loop says while it runs how often it does. What it stacks up has places for so many rounds:
 * more write behind it, and of a number of them fewer leave rows that nobody made. */
static void put_rounds_check(const run *r, uint32_t begin, bool is_scan, bool ended) {
    const tn_plan_step *s = &r->c->p->steps[begin];
    for (uint32_t i = 0; i < s->n_moves && !is_scan; i++) {
        const tn_plan_move *m = &s->moves[i];
        bool placed = r->c->p->values[m->to].storage != TN_NO_ID;
        if (m->kind != TN_MOVE_STACK || !placed ||
            (ended && tn_found_at(r->c, m->to, (uint32_t)m->axis))) {
            continue;
        }
        indent(r);
        tn_putf(r->c->out, "if (count_%" PRIu32 " %s ", begin, ended ? "!=" : ">=");
        tn_cp_put_most(r->c, m->to, (uint32_t)m->axis);
        tn_put(r->c->out, ") {\n");
        indent(r);
        tn_putf(r->c->out, "    return %" PRIu32 "; /* %s rounds than planned */\n", begin + 1,
                ended ? "fewer" : "more");
        put_line(r, "}\n");
    }
}

static void put_iterations(run *r, uint32_t begin, bool is_scan) {
    const tn_plan_step *s = &r->c->p->steps[begin];
    const tn_plan_body *b = &s->bodies[0];
    indent(r);
    tn_putf(r->c->out, "for (count_%" PRIu32 " = 0; count_%" PRIu32 " < limit_%" PRIu32, begin,
            begin, begin);
    tn_putf(r->c->out, is_scan ? "; count_%" PRIu32 "++) {\n" : " && go_%" PRIu32, begin);
    if (!is_scan) {
        tn_putf(r->c->out, "; count_%" PRIu32 "++) {\n", begin);
    }
    r->depth++;
    put_rounds_check(r, begin, is_scan, false);
    indent(r);
    tn_putf(r->c->out, "if (count_%" PRIu32 " > 0) {\n", begin);
    r->depth++;
    put_moves(r, begin, TN_MOVE_NEXT, 0);
    r->depth--;
    put_line(r, "}\n");
    put_moves(r, begin, TN_MOVE_ITERATION, 0);
    put_body(r, begin, 0);
    if (!is_scan) {
        put_condition(r, begin, b->outputs.data[0]);
    }
    put_moves(r, begin, TN_MOVE_AFTER, 0);
    r->depth--;
    put_line(r, "}\n");
}

static void put_loop_end(run *r, uint32_t begin) {
    indent(r);
    tn_putf(r->c->out, "if (count_%" PRIu32 " > 0) {\n", begin);
    r->depth++;
    put_moves(r, begin, TN_MOVE_END, 0);
    r->depth--;
    put_line(r, "} else {\n");
    r->depth++;
    put_moves(r, begin, TN_MOVE_NONE, 0);
    r->depth--;
    put_line(r, "}\n");
}

/* ---- ops with bodies ---- */

typedef enum form { FORM_CALL, FORM_CHOICE, FORM_LOOP } form;

static form form_of(const tn_plan_step *s) {
    return s->n_bodies > 1                     ? FORM_CHOICE
           : s->bodies[0].attribute[0] == '\0' ? FORM_CALL
                                               : FORM_LOOP;
}

static void put_loop_variables(const run *r, uint32_t begin, bool is_scan) {
    indent(r);
    tn_putf(r->c->out, "int64_t count_%" PRIu32 ", limit_%" PRIu32 ";\n", begin, begin);
    if (!is_scan) {
        indent(r);
        tn_putf(r->c->out, "int go_%" PRIu32 ";\n", begin);
    }
}

static void put_loop(run *r, uint32_t begin) {
    const tn_plan_step *s = &r->c->p->steps[begin];
    bool is_scan = slices(s) != NULL;
    put_loop_variables(r, begin, is_scan);
    put_mark(r, "BEFORE", begin);
    put_limit(r, begin);
    put_moves(r, begin, TN_MOVE_BEGIN, 0);
    if (!is_scan) {
        put_condition(r, begin, s->bodies[0].inputs.data[1]);
    }
    put_mark(r, "AFTER", begin);
    put_iterations(r, begin, is_scan);
    put_rounds_check(r, begin, is_scan, true);
    put_mark(r, "BEFORE", s->partner);
    put_loop_end(r, begin);
    put_mark(r, "AFTER", s->partner);
}

static void put_straight(run *r, uint32_t begin, form as) {
    const tn_plan_step *s = &r->c->p->steps[begin];
    put_mark(r, "BEFORE", begin);
    put_moves(r, begin, TN_MOVE_BEGIN, 0);
    put_mark(r, "AFTER", begin);
    if (as == FORM_CHOICE) {
        put_choice(r, begin);
    } else {
        put_body(r, begin, 0);
    }
    put_mark(r, "BEFORE", s->partner);
    if (as == FORM_CALL) {
        put_moves(r, begin, TN_MOVE_END, 0);
    }
    put_mark(r, "AFTER", s->partner);
}

static void put_nested(run *r, uint32_t begin) {
    const tn_plan_step *s = &r->c->p->steps[begin];
    form as = form_of(s);
    put_line(r, "{ /* ");
    tn_put_comment(r->c->out, s->op);
    tn_put(r->c->out, " */\n");
    r->depth++;
    if (as == FORM_LOOP) {
        put_loop(r, begin);
    } else {
        put_straight(r, begin, as);
    }
    r->depth--;
    put_line(r, "}\n");
}

/* Steps of `graph` from `first` on; what lies inside an op among them belongs to that. */
static void put_range(run *r, uint32_t first, uint32_t end, const char *graph) {
    for (uint32_t i = first; i < end; i++) {
        const tn_plan_step *s = &r->c->p->steps[i];
        if (strcmp(s->graph, graph) != 0) {
            continue;
        }
        if (s->kind == TN_STEP_BEGIN) {
            put_nested(r, i);
            i = s->partner;
        } else if (s->kind == TN_STEP_OP) {
            put_op(r, i);
        }
    }
}

/* A pool of no bytes needs no memory. */
static void put_base_checks(const tn_cp *c) {
    for (uint32_t i = 0; i < c->p->n_pools; i++) {
        if (c->open != NULL && c->open->pool_row[i] != TN_NO_ID) {
            tn_putf(c->out, "    if (%s_POOL_SIZE(%s, %s_%s) > 0 &&\n        ", c->macro, c->layout,
                    c->macro, c->ids.pools[i]);
            tn_putf(c->out, "(m->%s == NULL || !%s_BASE_OK(m->%s, %s_%s))) {\n", c->pools[i],
                    c->macro, c->pools[i], c->macro, c->ids.pools[i]);
            tn_cp_put(c, "        return @M_BAD_MEMORY;\n    }\n");
        } else if (c->p->pools[i].size > 0) {
            tn_putf(c->out, "    if (m->%s == NULL || !%s_BASE_OK(m->%s, %s_%s)) {\n", c->pools[i],
                    c->macro, c->pools[i], c->macro, c->ids.pools[i]);
            tn_cp_put(c, "        return @M_BAD_MEMORY;\n    }\n");
        }
    }
}

void tn_cp_put_run(const tn_cp *c) {
    run r = {c, 1};
    tn_cp_put(c, "\nint @m_run(const @m_memory *m, void *user) {\n    (void)user;\n");
    tn_cp_put_layout_check(c);
    put_base_checks(c);
    if (c->found != NULL) {
        tn_cp_put(c, "    if (m->found == NULL) {\n        return @M_BAD_MEMORY;\n    }\n"
                     "    memset(m->found, 0, @M_FOUND_COUNT * sizeof *m->found);\n");
    }
    put_range(&r, 0, c->p->n_steps, "");
    tn_put(c->out, "    return 0;\n}\n");
}
