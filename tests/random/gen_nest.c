/* If, Loop, Scan and calls of functions: bodies read what is around them, carry values, stack
 * results. */
#include "tests/random/gen_t.h"

/* What is to be put back when a body is done. */
typedef struct outside {
    tn_graph *graph;
    uint32_t reach;
} outside;

static outside open_body(gen *g, tn_op *op, const char *attr) {
    outside o = {g->graph, g->reach.len};
    tn_graph *body = tn_graph_new(g->m, attr, op);
    tn_op_add_attr(op, (tn_attr){.name = attr, .kind = TN_ATTR_GRAPH, .u.g = body});
    g->graph = body;
    g->depth++;
    return o;
}

static void close_body(gen *g, outside o) {
    g->graph = o.graph;
    g->reach.len = o.reach;
    g->depth--;
}

/* Some ops, of the budget that is left. */
static void fill_body(gen *g) {
    uint32_t n = 1 + rng_below(&g->random, 5);
    gen_fill(g, g->budget > n ? g->budget - n : 0);
}

/* A value of that type for the body to give back: one in reach, be it of the body, an argument or
 * captured; or `from` computed upon. Each is given back once at most. */
static gen_value give_back(gen *g, const gen_value *like, const gen_value *from) {
    gen_value v;
    if (rng_chance(&g->random, 60) && gen_pick_like(g, like, &v) &&
        (v.v->graph != g->graph || (v.v->flags & TN_VF_OUTPUT) == 0)) {
        bool inner = v.v->graph == g->graph;
        if (inner || rng_chance(&g->random, 30)) {
            tn_graph_add_output(g->graph, v.v);
            return v;
        }
    }
    tn_op *op;
    if (from != NULL && gen_same_type(from, like)) {
        static const char *const types[] = {"Exp", "Identity", "Relu"};
        op = gen_op(g, "", types[rng_below(&g->random, 3)]);
        tn_op_add_operand(op, from->v);
    } else {
        op = gen_op(g, "acme", "Make");
        tn_op_add_operand(op, gen_pick(g).v);
    }
    v = gen_result_like(g, op, like);
    tn_graph_add_output(g->graph, v.v);
    return v;
}

static tn_value *make_condition(gen *g) {
    gen_value like = {.dtype = TN_DT_BOOL}, v;
    if (gen_pick_like(g, &like, &v)) {
        return v.v;
    }
    gen_value from = gen_pick(g);
    tn_op *op = gen_op(g, "acme", "Decide");
    tn_op_add_operand(op, from.v);
    return gen_result_like(g, op, &like).v;
}

static bool make_if(gen *g) {
    gen_value likes[2];
    uint32_t n = 1 + rng_below(&g->random, 2);
    for (uint32_t i = 0; i < n; i++) {
        likes[i] = gen_pick(g);
        if (likes[i].open) {
            return false;
        }
    }
    tn_value *condition = make_condition(g);
    tn_op *op = gen_op(g, "", "If");
    tn_op_add_operand(op, condition);
    static const char *const branches[] = {"then_branch", "else_branch"};
    for (uint32_t b = 0; b < 2; b++) {
        outside o = open_body(g, op, branches[b]);
        fill_body(g);
        for (uint32_t i = 0; i < n; i++) {
            give_back(g, &likes[i], &likes[i]);
        }
        close_body(g, o);
    }
    for (uint32_t i = 0; i < n; i++) {
        gen_result_like(g, op, &likes[i]);
    }
    return true;
}

/* One result of an iteration on top of the other. */
static gen_value stacked(const gen_value *v, int64_t n) {
    gen_value r = *v;
    r.rank = v->rank + 1;
    r.dims[0] = n;
    for (uint32_t i = 0; i < v->rank; i++) {
        r.dims[i + 1] = v->dims[i];
    }
    return r;
}

static void stack_result(gen *g, tn_op *op, const gen_value *v, int64_t n, bool known) {
    gen_value r = v->rank < GEN_MAX_RANK ? stacked(v, n) : *v;
    if (known) {
        gen_result_like(g, op, &r);
    } else {
        gen_result_open(g, op, NULL);
    }
}

/* Whether a result of `n` entries like this can be made at all. */
static bool stacks(const gen_value *v, int64_t n) {
    gen_value r = *v;
    if (v->open || v->rank >= GEN_MAX_RANK) {
        return false;
    }
    r = stacked(v, n);
    return gen_fits(r.dtype, r.rank, r.dims);
}

/* Passes the condition on as it came, or as a copy; otherwise the loop may end early and the number
 * of stacked results depends on data. */
static bool pass_condition(gen *g, const gen_value *arg) {
    uint32_t dice = rng_below(&g->random, 10);
    if (dice < 4) {
        tn_graph_add_output(g->graph, arg->v);
        return true;
    }
    tn_op *op = dice < 8 ? gen_op(g, "", "Identity") : gen_op(g, "acme", "Decide");
    tn_op_add_operand(op, arg->v);
    tn_graph_add_output(g->graph, gen_result_like(g, op, arg).v);
    return dice < 8;
}

static bool make_loop(gen *g) {
    gen_value carried[2], args[2], stack = {0};
    uint32_t n = rng_below(&g->random, 3);
    int64_t trips = rng_below(&g->random, 4);
    for (uint32_t i = 0; i < n; i++) {
        carried[i] = gen_pick(g);
        if (carried[i].open) {
            return false;
        }
    }
    gen_value like = gen_pick(g);
    bool stacking = n == 0 || rng_chance(&g->random, 60);
    if (stacking && !stacks(&like, trips)) {
        return false;
    }
    bool counted = rng_chance(&g->random, 80), forever = rng_chance(&g->random, 60);
    tn_value *trip = counted ? gen_int(g, trips) : NULL;
    tn_value *condition = forever ? NULL : make_condition(g);
    tn_op *op = gen_op(g, "", "Loop");
    tn_op_add_operand(op, trip);
    tn_op_add_operand(op, condition);
    for (uint32_t i = 0; i < n; i++) {
        tn_op_add_operand(op, carried[i].v);
    }
    outside o = open_body(g, op, "body");
    gen_input(g, gen_name(g), TN_DT_INT64, 0, NULL);
    gen_value go = gen_input(g, gen_name(g), TN_DT_BOOL, 0, NULL);
    for (uint32_t i = 0; i < n; i++) {
        args[i] = gen_input(g, gen_name(g), carried[i].dtype, carried[i].rank, carried[i].dims);
    }
    fill_body(g);
    bool passed = pass_condition(g, &go);
    for (uint32_t i = 0; i < n; i++) {
        give_back(g, &carried[i], &args[i]);
    }
    if (stacking) {
        stack = give_back(g, &like, n > 0 ? &args[0] : NULL);
    }
    close_body(g, o);
    for (uint32_t i = 0; i < n; i++) {
        gen_result_like(g, op, &carried[i]);
    }
    if (stacking) {
        stack_result(g, op, &stack, trips, counted && forever && passed);
    }
    return true;
}

static bool make_scan(gen *g) {
    gen_value over = gen_pick(g), state = gen_pick(g), like = gen_pick(g);
    bool has_state = rng_chance(&g->random, 60), twice = rng_chance(&g->random, 25);
    if (over.open || over.rank == 0 || over.dims[0] == 0 || state.open ||
        !stacks(&like, over.dims[0])) {
        return false;
    }
    tn_op *op = gen_op(g, "", "Scan");
    if (has_state) {
        tn_op_add_operand(op, state.v);
    }
    for (uint32_t i = 0; i < 1u + twice; i++) {
        tn_op_add_operand(op, over.v);
    }
    tn_op_add_int(op, "num_scan_inputs", 1 + twice);
    outside o = open_body(g, op, "body");
    gen_value arg = {0};
    if (has_state) {
        arg = gen_input(g, gen_name(g), state.dtype, state.rank, state.dims);
    }
    for (uint32_t i = 0; i < 1u + twice; i++) {
        gen_input(g, gen_name(g), over.dtype, over.rank - 1, over.dims + 1);
    }
    fill_body(g);
    if (has_state) {
        give_back(g, &state, &arg);
    }
    gen_value out = give_back(g, &like, NULL);
    close_body(g, o);
    if (has_state) {
        gen_result_like(g, op, &state);
    }
    stack_result(g, op, &out, over.dims[0], true);
    return true;
}

/* A function reads its parameters and nothing else around it. */
static bool make_call(gen *g) {
    gen_value given[3];
    uint32_t n = 1 + rng_below(&g->random, 3), n_out = 1 + rng_below(&g->random, 2), made = 0;
    for (uint32_t i = 0; i < n; i++) {
        given[i] = gen_pick(g);
        if (given[i].open) {
            return false;
        }
    }
    tn_op *op = gen_op(g, "fn", "F");
    for (uint32_t i = 0; i < n; i++) {
        tn_op_add_operand(op, given[i].v);
    }
    outside o = {g->graph, g->reach.len};
    uint32_t from = g->reach_from;
    bool inside = g->in_function;
    g->graph = tn_graph_new(g->m, "F", op);
    g->depth++;
    g->reach_from = g->reach.len;
    g->in_function = true;
    for (uint32_t i = 0; i < n; i++) {
        gen_parameter(g, &given[i]);
    }
    fill_body(g);
    gen_value outs[2];
    for (uint32_t i = 0; i < n_out; i++) {
        gen_value like = gen_pick(g);
        if (!like.open) {
            outs[made++] = give_back(g, &like, &like);
        }
    }
    g->in_function = inside;
    g->reach_from = from;
    close_body(g, o);
    for (uint32_t i = 0; i < made; i++) {
        gen_result_like(g, op, &outs[i]);
    }
    return true;
}

static bool nests(gen *g) {
    return g->depth < GEN_MAX_DEPTH && g->budget >= 3;
}

static bool try_if(gen *g) {
    return nests(g) && make_if(g);
}

static bool try_loop(gen *g) {
    return nests(g) && make_loop(g);
}

static bool try_scan(gen *g) {
    return nests(g) && make_scan(g);
}

static bool try_call(gen *g) {
    return nests(g) && make_call(g);
}

const gen_maker gen_nest_makers[] = {
    {4, try_if}, {4, try_loop}, {3, try_scan}, {3, try_call}, {0, NULL}};
