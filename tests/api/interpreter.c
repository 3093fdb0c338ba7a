/* Written from the headers and docs/PLAN.md alone: builds a graph with a Loop, an If, a view, an op
 * of its own and an open dimension, plans it, and runs the plan in the planned pools. What comes
 * out has to be what plain C computes. Exit code 0: it is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tenure/ir.h"

enum { ROWS = 3, COLUMNS = 4, SIZE = ROWS * COLUMNS, TRIPS = 5, MOST_POOLS = 4 };

/* ---- the graph ---- */

static tenure_value *scalar(tenure_graph *g, const char *name, tenure_dtype dtype,
                            const void *data) {
    tenure_tensor t = {.struct_size = sizeof t, .dtype = dtype};
    return tenure_graph_add_constant(g, name, &t, data, TENURE_DATA_COPY);
}

static tenure_value *simple(tenure_graph *g, const char *type, tenure_value *a, tenure_value *b,
                            const char *name) {
    tenure_value *operands[] = {a, b};
    tenure_op *op = tenure_graph_add_op(g, "", type, NULL, operands, b != NULL ? 2 : 1);
    return tenure_op_add_result(op, name, NULL);
}

/* s = s * 2 + x, TRIPS times; the condition is left out. */
static tenure_value *add_loop(tenure_graph *g, tenure_value *x) {
    int64_t trips = TRIPS;
    float two = 2;
    tenure_value *operands[] = {scalar(g, "trips", TENURE_INT64, &trips), NULL, x};
    tenure_op *loop = tenure_graph_add_op(g, "", "Loop", "loop", operands, 3);
    tenure_graph *body = tenure_op_add_body(loop, "body", "body");
    tenure_graph_add_input(body, "i", "i64[]");
    tenure_value *go_on = tenure_graph_add_input(body, "go_on", "bool[]");
    tenure_value *s = tenure_graph_add_input(body, "s", "f32[n,4]");
    tenure_value *twice = simple(body, "Mul", s, scalar(body, "two", TENURE_FLOAT, &two), "twice");
    tenure_value *next = simple(body, "Add", twice, x, "next");
    tenure_graph_add_output(body, simple(body, "Identity", go_on, NULL, "go_on_again"));
    tenure_graph_add_output(body, next);
    return tenure_op_add_result(loop, "sum", NULL);
}

static tenure_value *add_choice(tenure_graph *g, tenure_value *p, tenure_value *y) {
    tenure_op *pick = tenure_graph_add_op(g, "", "If", "pick", &p, 1);
    tenure_graph *yes = tenure_op_add_body(pick, "then_branch", "yes");
    tenure_graph *no = tenure_op_add_body(pick, "else_branch", "no");
    tenure_graph_add_output(yes, simple(yes, "Neg", y, NULL, "minus"));
    tenure_graph_add_output(no, simple(no, "Relu", y, NULL, "plus"));
    return tenure_op_add_result(pick, "picked", NULL);
}

static tenure_model *build(tenure_context *ctx) {
    static const int64_t all = -1, one = 1;
    tenure_tensor shape = {
        .struct_size = sizeof shape, .dtype = TENURE_INT64, .rank = 1, .dims = &one};
    tenure_model *model = tenure_model_new(ctx, "interpreted", NULL);
    tenure_graph *g = tenure_model_graph(model, 0);
    tenure_model_import(model, "", 17);
    tenure_value *p = tenure_graph_add_input(g, "p", "bool[]");
    tenure_value *x = tenure_graph_add_input(g, "x", "f32[n,4]");
    tenure_value *picked = add_choice(g, p, add_loop(g, x));
    tenure_value *flat =
        simple(g, "Reshape", picked,
               tenure_graph_add_constant(g, "shape", &shape, &all, TENURE_DATA_BORROW), "flat");
    tenure_op *clamp = tenure_graph_add_op(g, "my", "Clamp", "clamp", &flat, 1);
    tenure_op_set_float(clamp, "limit", 40);
    tenure_graph_add_output(g, tenure_op_add_result(clamp, "out", "f32[4*n]"));
    return model;
}

/* ---- running the plan ---- */

typedef struct machine {
    const tenure_plan *plan;
    unsigned char *pools[MOST_POOLS];
    int good;
} machine;

static tenure_placement value_of(machine *m, uint32_t index) {
    tenure_placement v = {.struct_size = sizeof v};
    m->good = tenure_plan_value(m->plan, index, &v) && v.storage != TENURE_NONE && m->good;
    return v;
}

static void *bytes_of(machine *m, uint32_t index) {
    tenure_placement v = value_of(m, index);
    tenure_storage s = {.struct_size = sizeof s};
    m->good = tenure_plan_storage(m->plan, v.storage, &s) && m->good;
    return m->pools[s.pool] + v.offset;
}

static uint32_t find(machine *m, const char *name) {
    tenure_placement v = {.struct_size = sizeof v};
    m->good = tenure_plan_find(m->plan, name, &v) && m->good;
    return v.index;
}

static int operand_truth(machine *m, tenure_ids list, size_t i) {
    return *(unsigned char *)bytes_of(m, list.data[i]) != 0;
}

/* All sources are read before any target is written. `body` TENURE_NONE: of all bodies. */
static void do_moves(machine *m, size_t step, tenure_move_when when, uint32_t body, int64_t count) {
    static unsigned char held[16][256];
    tenure_move move = {.struct_size = sizeof move};
    size_t n = 0;
    for (size_t pass = 0; pass < 2; pass++) {
        n = 0;
        for (size_t i = 0; tenure_plan_move(m->plan, step, i, &move); i++) {
            if (move.when != when || (body != TENURE_NONE && move.body != body)) {
                continue;
            }
            tenure_placement to = value_of(m, move.to);
            m->good = m->good && n < 16 && to.size <= sizeof held[0];
            if (!m->good) {
                return;
            }
            if (pass == 1) {
                memcpy(bytes_of(m, move.to), held[n], to.size);
            } else if (move.kind == TENURE_MOVE_COPY) {
                memcpy(held[n], bytes_of(m, move.from), to.size);
            } else if (move.kind == TENURE_MOVE_COUNT) {
                memcpy(held[n], &count, sizeof count);
            } else {
                m->good = move.kind == TENURE_MOVE_TRUE && m->good; /* no scans here */
                held[n][0] = 1;
            }
            n++;
        }
    }
}

static void run_op(machine *m, size_t index, const tenure_step *s) {
    tenure_node node = {.struct_size = sizeof node};
    tenure_attribute limit = {.struct_size = sizeof limit};
    if (s->idle) {
        return;
    }
    tenure_plan_node(m->plan, index, 0, &node);
    tenure_placement result = value_of(m, s->results.data[0]);
    float *to = bytes_of(m, result.index);
    const float *a = bytes_of(m, s->operands.data[0]);
    if (strcmp(node.op, "Identity") == 0 || strcmp(node.op, "Reshape") == 0) {
        memmove(to, a, result.size);
        return;
    }
    const float *b = s->operands.count > 1 ? bytes_of(m, s->operands.data[1]) : a;
    int b_is_scalar = s->operands.count > 1 && value_of(m, s->operands.data[1]).rank == 0;
    int has_limit = tenure_plan_find_attribute(m->plan, index, "limit", &limit);
    for (size_t i = 0; i < result.size / sizeof *to; i++) {
        float y = b[b_is_scalar ? 0 : i], most = has_limit ? (float)limit.floats[0] : 0;
        to[i] = strcmp(node.op, "Mul") == 0    ? a[i] * y
                : strcmp(node.op, "Add") == 0  ? a[i] + y
                : strcmp(node.op, "Neg") == 0  ? -a[i]
                : strcmp(node.op, "Relu") == 0 ? (a[i] > 0 ? a[i] : 0)
                : a[i] > most                  ? most
                                               : a[i];
    }
}

static void run_graph(machine *m, const char *graph, size_t from, size_t to);

static void run_loop(machine *m, size_t begin, const tenure_step *s) {
    tenure_body body = {.struct_size = sizeof body};
    int64_t count = 0, limit = INT64_MAX;
    int go_on = 1;
    tenure_plan_body(m->plan, begin, 0, &body);
    if (s->operands.data[0] != TENURE_NONE) {
        memcpy(&limit, bytes_of(m, s->operands.data[0]), sizeof limit);
    }
    do_moves(m, begin, TENURE_MOVE_BEGIN, TENURE_NONE, 0);
    for (; count < limit && go_on && m->good; count++) {
        if (count > 0) {
            do_moves(m, begin, TENURE_MOVE_NEXT, TENURE_NONE, count);
        }
        do_moves(m, begin, TENURE_MOVE_ITERATION, TENURE_NONE, count);
        run_graph(m, body.graph, begin + 1, s->partner);
        do_moves(m, begin, TENURE_MOVE_AFTER, TENURE_NONE, count);
        go_on = operand_truth(m, body.outputs, 0);
    }
    do_moves(m, begin, count > 0 ? TENURE_MOVE_END : TENURE_MOVE_NONE, TENURE_NONE, count);
}

static void run_choice(machine *m, size_t begin, const tenure_step *s) {
    tenure_body body = {.struct_size = sizeof body};
    const char *wanted = operand_truth(m, s->operands, 0) ? "then_branch" : "else_branch";
    uint32_t i = 0;
    while (tenure_plan_body(m->plan, begin, i, &body) && strcmp(body.attribute, wanted) != 0) {
        i++;
    }
    do_moves(m, begin, TENURE_MOVE_BEGIN, i, 0);
    run_graph(m, body.graph, begin + 1, s->partner);
    do_moves(m, begin, TENURE_MOVE_END, i, 0);
}

/* The steps of one graph; those of nested ones lie between a begin and its end. */
static void run_graph(machine *m, const char *graph, size_t from, size_t to) {
    tenure_step s = {.struct_size = sizeof s};
    tenure_node node = {.struct_size = sizeof node};
    for (size_t i = from; i < to && m->good && tenure_plan_step(m->plan, i, &s); i++) {
        if (strcmp(s.graph, graph) != 0) {
            continue;
        }
        if (s.kind == TENURE_STEP_OP) {
            run_op(m, i, &s);
            continue;
        }
        tenure_plan_node(m->plan, i, 0, &node);
        (strcmp(node.op, "Loop") == 0 ? run_loop : run_choice)(m, i, &s);
        i = s.partner;
    }
}

/* What constants hold, from the model. */
static void fill_constants(machine *m, const tenure_model *model) {
    tenure_placement v = {.struct_size = sizeof v};
    for (size_t i = 0; tenure_plan_value(m->plan, i, &v); i++) {
        tenure_graph *g;
        tenure_buffer *b = NULL;
        for (size_t k = 0; (g = tenure_model_graph(model, k)) != NULL &&
                           v.role == TENURE_ROLE_CONST && v.storage != TENURE_NONE;
             k++) {
            if (strcmp(tenure_graph_path(g), v.graph) == 0) {
                m->good = tenure_value_bytes(tenure_graph_find(g, v.name), &b) == TENURE_OK &&
                          tenure_buffer_size(b) == v.size && m->good;
                memcpy(bytes_of(m, v.index), tenure_buffer_data(b), v.size);
            }
        }
        tenure_buffer_free(b);
    }
}

static float expected(float x, int positive) {
    float s = x;
    for (int i = 0; i < TRIPS; i++) {
        s = s * 2 + x;
    }
    s = positive ? -s : s > 0 ? s : 0;
    return s > 40 ? 40 : s;
}

static int run(machine *m, const tenure_model *model, int p) {
    tenure_pool pool = {.struct_size = sizeof pool};
    tenure_variant variant = {.struct_size = sizeof variant};
    for (size_t i = 0; tenure_plan_pool(m->plan, i, &pool); i++) {
        m->pools[i] =
            aligned_alloc(pool.base_align, (pool.size / pool.base_align + 1) * pool.base_align);
        memset(m->pools[i], 0xa5, pool.size);
    }
    m->good = tenure_plan_get_variant(m->plan, &variant);
    fill_constants(m, model);
    float *x = bytes_of(m, find(m, "x"));
    unsigned char *truth = bytes_of(m, find(m, "p"));
    *truth = (unsigned char)p;
    for (int i = 0; i < SIZE; i++) {
        x[i] = (float)(i - SIZE / 2) / 8;
    }
    run_graph(m, "", 0, variant.n_steps);
    const float *out = bytes_of(m, variant.outputs.data[0]);
    for (int i = 0; i < SIZE; i++) {
        m->good = m->good && out[i] == expected((float)(i - SIZE / 2) / 8, p);
    }
    for (size_t i = 0; i < MOST_POOLS; i++) {
        free(m->pools[i]);
        m->pools[i] = NULL;
    }
    return m->good;
}

static void say(void *user, const tenure_diagnostic *d) {
    (void)user;
    fprintf(stderr, "%s\n", d->rendered);
}

int main(void) {
    tenure_context *ctx = tenure_context_new(NULL);
    tenure_on_diagnostic(ctx, say, NULL);
    tenure_options *options = tenure_options_new(ctx);
    tenure_model *model = build(ctx);
    machine m = {0};
    tenure_plan *plan = NULL;
    int good = tenure_options_set(options, "dim", "n=3") == TENURE_OK &&
               tenure_options_set(options, "inplace", "all") == TENURE_OK &&
               tenure_model_bind_dims(model, options) == TENURE_OK &&
               tenure_plan_make(model, options, &plan) == TENURE_OK &&
               tenure_plan_check(plan, model, options) == TENURE_OK;
    m.plan = plan;
    for (int p = 0; p < 2 && good; p++) {
        good = run(&m, model, p);
        printf("p = %d: %s\n", p, good ? "as computed" : "NOT as computed");
    }
    tenure_context_free(ctx);
    return good ? 0 : 1;
}
