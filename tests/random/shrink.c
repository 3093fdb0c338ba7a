#include "tests/random/shrink.h"

#include <string.h>

#include "ir/base/sink.h"
#include "ir/mutate.h"
#include "ir/text/text.h"
#include "ir/verify.h"
#include "passes/core/manager.h"

static tn_module *read_text(tn_ctx *ctx, const char *text) {
    return tn_module_parse(ctx, "case.tir", text, strlen(text));
}

/* What stands in for a result of an op that goes: an operand of the same type, or else a new input
 * of the main graph, which everybody can read. */
static tn_value *stand_in(tn_module *m, const tn_op *op, const tn_value *result) {
    for (uint32_t k = 0; k < op->n_operands; k++) {
        tn_value *v = op->operands[k].value;
        if (v != NULL && tn_type_equal(v->type, result->type)) {
            return v;
        }
    }
    const char *name = NULL;
    for (uint32_t i = 0; name == NULL || tn_graph_find_value(m->main, name) != NULL; i++) {
        name = tn_internf(m->ctx, "cut%u", i);
    }
    return tn_graph_add_input(m->main, name, result->type);
}

static void replace_in_outputs(tn_module *m, const tn_value *from, tn_value *to) {
    for (uint32_t i = 0; i < m->n_graphs; i++) {
        for (uint32_t k = 0; k < m->graphs[i]->n_outputs; k++) {
            if (m->graphs[i]->outputs[k] == from) {
                m->graphs[i]->outputs[k] = to;
                tn_value_set_flags(to, TN_VF_OUTPUT, 0);
            }
        }
    }
}

static void take_out(tn_module *m, tn_op *op) {
    for (uint32_t r = 0; r < op->n_results; r++) {
        tn_value *v = op->results[r];
        bool used = v != NULL && (v->n_uses > 0 || (v->flags & TN_VF_OUTPUT) != 0);
        tn_value *other = used ? stand_in(m, op, v) : NULL;
        if (other != NULL) {
            tn_replace_all_uses(v, other);
            replace_in_outputs(m, v, other);
        }
    }
    tn_op_erase(op);
}

/* Runs behind a boundary: what cannot be taken out is left in. */
typedef struct attempt {
    const char *text;
    uint32_t op;
    tn_arena *arena;
    const char *smaller;
    uint32_t n_ops;
} attempt;

static tn_status try_without(tn_ctx *ctx, void *arg) {
    attempt *a = arg;
    tn_module *m = read_text(ctx, a->text);
    a->n_ops = m != NULL ? m->n_ops : 0;
    bool gone = a->op >= a->n_ops || strcmp(m->ops[a->op]->type, "Constant") == 0;
    if (m != NULL && !gone) { /* without their constants, ops would be others */
        take_out(m, m->ops[a->op]);
        tn_sink out = tn_sink_make(a->arena);
        tn_module_print(m, &out);
        a->smaller = out.data;
        /* Printing is canonical only for what was read: indices close up. */
        tn_module *again = read_text(ctx, out.data);
        if (again == NULL || tn_module_verify(again, true) != TN_OK) {
            a->smaller = NULL;
        } else {
            tn_sink final = tn_sink_make(a->arena);
            tn_module_print(again, &final);
            a->smaller = final.data;
        }
    }
    tn_module_drop(m);
    return TN_OK;
}

/* With the types of all values stated, so that what stands in for one has them too. */
static tn_status state_types(tn_ctx *ctx, void *arg) {
    attempt *a = arg;
    tn_pipeline p = {0};
    tn_plan *none = NULL;
    tn_controls controls = tn_controls_default();
    tn_module *m = read_text(ctx, a->text);
    if (m != NULL && tn_pipeline_parse(a->arena, "types", "infer-shapes", &p) == TN_OK &&
        tn_run_pipeline(ctx, m, &p, &controls, &none, NULL) == TN_OK) {
        tn_sink out = tn_sink_make(a->arena);
        tn_module_print(m, &out);
        a->smaller = out.data;
    }
    tn_module_drop(m);
    return TN_OK;
}

/* Constants and inputs that nobody reads any more. */
static const char *drop_lines(const char *text, shrink_test fails, void *user, tn_arena *arena) {
    for (const char *line = text; *line != '\0';) {
        size_t len = strcspn(line, "\n") + 1, lead = strspn(line, " ");
        bool is_decl = strncmp(line + lead, "const ", 6) == 0 ||
                       (lead == 2 && strncmp(line + lead, "input ", 6) == 0);
        size_t at = (size_t)(line - text);
        tn_sink without = tn_sink_make(arena);
        tn_put_n(&without, text, at);
        tn_put(&without, line + len);
        bool gone = is_decl && fails(user, without.data);
        text = gone ? without.data : text;
        line = text + at + (gone ? 0 : len);
    }
    return text;
}

const char *shrink(tn_ctx *ctx, const char *text, shrink_test fails, void *user, tn_arena *arena) {
    attempt typed = {.text = text, .arena = arena};
    if (tn_guard_run(ctx, state_types, &typed) == TN_OK && typed.smaller != NULL &&
        fails(user, typed.smaller)) {
        text = typed.smaller;
    }
    for (bool smaller = true; smaller;) {
        smaller = false;
        attempt a = {.text = text, .arena = arena, .n_ops = 1};
        for (a.op = 0; a.op < a.n_ops; a.op++) {
            a.smaller = NULL;
            if (tn_guard_run(ctx, try_without, &a) == TN_OK && a.smaller != NULL &&
                fails(user, a.smaller)) {
                a.text = text = a.smaller;
                smaller = true;
            }
        }
    }
    return drop_lines(text, fails, user, arena);
}
