/* Shape rules as tables: a few lines of .tir, and what the results of its last op must be. */
#ifndef TENURE_TESTS_UNIT_SHAPE_CASE_H
#define TENURE_TESTS_UNIT_SHAPE_CASE_H

#include "ir/build.h"
#include "ir/infer/infer.h"
#include "ir/text/text.h"
#include "tests/unit/unit.h"

/* `want` lists the results of the last op: the type, then " = {...}" with its known elements; more
 * results are separated by "; ", omitted ones left out, results nothing is known of are "?".
 * "conflict" when the rule found one. Elements of operands are given as facts: "input %s: i64[2]
 * !content(b, -1)". */
typedef struct shape_case {
    int opset;
    const char *body;
    const char *want;
} shape_case;

static inline void shape_print_content(const tn_infer *in, uint32_t r, tn_sink *out) {
    if (!in->content[r].known) {
        return;
    }
    for (uint32_t i = 0; i < in->content[r].n; i++) {
        tn_put(out, i == 0 ? " = {" : ", ");
        if (in->content[r].dims != NULL) {
            tn_dim_print(in->dims, in->content[r].dims[i], out);
        } else {
            tn_putf(out, "%g", in->content[r].floats[i]);
        }
    }
    tn_put(out, in->content[r].n == 0 ? " = {}" : "}");
}

/* Runs the rule of each op in turn; later ops see what earlier ones found. */
static inline const char *shape_run(tn_infer *in, tn_module *m) {
    tn_sink out = tn_sink_make(in->scratch);
    bool first = true;
    TN_FOR_OPS(op, m->main) {
        tn_infer_op(in, op);
        for (uint32_t r = 0; r < op->n_results && !in->failed; r++) {
            tn_value *v = op->results[r];
            if (v == NULL) {
                continue;
            }
            v->type = in->out[r] != NULL ? in->out[r] : tn_type_unknown();
            v->n_content = in->content[r].n;
            v->content = in->content[r].dims;
            v->float_content = in->content[r].floats;
            if (op->next == NULL) {
                tn_put(&out, first ? "" : "; ");
                first = false;
                tn_type_print(in->dims, v->type, &out);
                shape_print_content(in, r, &out);
            }
        }
        if (in->failed) {
            return "conflict";
        }
    }
    return out.data != NULL ? out.data : "";
}

static inline tn_status shape_case_body(tn_ctx *ctx, void *arg) {
    const shape_case *c = arg;
    tn_arena *scratch = tn_arena_new(ctx);
    const char *text = tn_arena_printf(
        scratch, "tir 1\nopset \"\" %d\nopset \"com.microsoft\" 1\ngraph \"g\" {\n%s\n}\n",
        c->opset, c->body);
    tn_module *m = tn_module_parse(ctx, "case", text, strlen(text));
    assert_non_null(m);
    tn_infer in = {.ctx = ctx, .m = m, .arena = m->arena, .scratch = scratch, .dims = m->dims};
    const char *got = shape_run(&in, m);
    if (strcmp(got, c->want) != 0) {
        fail_msg("opset %d: %s\n  got  %s\n  want %s", c->opset, c->body, got, c->want);
    }
    return TN_OK;
}

static inline void shape_cases(const shape_case *cases, size_t n) {
    for (size_t i = 0; i < n; i++) {
        unit_log log;
        shape_case c = cases[i];
        tn_ctx *ctx = unit_ctx(&log);
        unit_run(ctx, shape_case_body, &c);
        tn_ctx_free(ctx);
    }
}

#define SHAPE_TEST(name, ...)                                                                      \
    static void test_##name(void **state) {                                                        \
        static const shape_case cases[] = {__VA_ARGS__};                                           \
        (void)state;                                                                               \
        shape_cases(cases, sizeof cases / sizeof cases[0]);                                        \
    }

#endif
