/* Modules of any ops of the table whose operands, results, attributes and bodies make no sense, as
 * text through all that tests/fuzz/fuzz_model.h asks of a model.
 *
 * usage: odd_ops [--modules N] [--seed S] [--show]
 * --show prints each module before it is tried, so the last one is the culprit of a crash. */
#include "tests/fuzz/odd.h"

#include "ir/ops/sig.h"
#include "tests/fuzz/fuzz_model.h"

enum { MAX_OPS = 10, MAX_OPERANDS = 6, MAX_RESULTS = 3, MAX_DEPTH = 2 };

unsigned long fuzz_accepted;

typedef struct maker {
    rng random;
    tn_module *m;
    TN_VEC(tn_value *) reach;
    uint32_t depth;
} maker;

static tn_value *in_reach(maker *w, tn_value *v) {
    tn_vec_push(w->m->arena, &w->reach, v);
    return v;
}

static tn_value *pick(maker *w, tn_graph *g) {
    if (rng_chance(&w->random, 30)) {
        return tn_graph_add_const(g, NULL, odd_tensor(&w->random, w->m));
    }
    return w->reach.data[rng_below(&w->random, w->reach.len)];
}

static void fill(maker *w, tn_graph *g);

static void add_body(maker *w, tn_op *op, const char *attr) {
    uint32_t outside = w->reach.len, n_in = rng_below(&w->random, 4),
             n_out = rng_below(&w->random, 4);
    tn_graph *body = tn_graph_new(w->m, attr, op);
    if (op->code != TN_OP_EXTERN) {
        tn_op_add_attr(op, (tn_attr){.name = attr, .kind = TN_ATTR_GRAPH, .u.g = body});
    }
    w->depth++;
    for (uint32_t i = 0; i < n_in; i++) {
        in_reach(w, tn_graph_add_input(body, NULL, odd_type(&w->random, w->m)));
    }
    fill(w, body);
    uint32_t from = op->code != TN_OP_EXTERN ? 0 : outside; /* functions see no outer values */
    for (uint32_t i = 0; i < n_out && w->reach.len > from; i++) {
        tn_graph_add_output(body, w->reach.data[from + rng_below(&w->random, w->reach.len - from)]);
    }
    w->reach.len = outside;
    w->depth--;
}

static void add_bodies(maker *w, tn_op *op, const char *attrs) {
    for (const char *at = attrs; at != NULL && (at = strstr(at, ":graph")) != NULL; at++) {
        const char *name = at;
        while (name > attrs && name[-1] != ' ') {
            name--;
        }
        if (rng_chance(&w->random, 90)) {
            add_body(w, op, tn_intern_n(w->m->ctx, name, (size_t)(at - name)));
        }
    }
}

static tn_opcode draw_op(maker *w) {
    if (w->depth < MAX_DEPTH && rng_chance(&w->random, 15)) {
        static const char *const control[] = {"If", "Loop", "Scan", "SequenceMap"};
        return tn_op_find("", control[rng_below(&w->random, sizeof control / sizeof control[0])]);
    }
    return (tn_opcode)rng_below(&w->random, TN_OP_COUNT);
}

static void add_op(maker *w, tn_graph *g) {
    rng *r = &w->random;
    tn_opcode code = draw_op(w);
    const tn_op_info *info = tn_op_info_get(code);
    bool is_call = code == TN_OP_EXTERN && w->depth == 0, is_sane = rng_chance(r, 97);
    long version = rng_chance(r, 70) ? 21 : rng_below(r, 26);
    uint32_t n_operands = rng_below(r, MAX_OPERANDS + 1), n_results = rng_below(r, MAX_RESULTS + 1);
    if (is_sane) { /* as many as the table asks for: other counts are refused at once */
        tn_arity a = tn_op_arity(info);
        uint32_t least = (uint32_t)a.least_in,
                 most = a.most_in < 0 ? least + 3 : (uint32_t)a.most_in;
        n_operands = least + rng_below(r, most - least + 1);
        uint32_t results = a.most_out < 0 ? MAX_RESULTS : (uint32_t)a.most_out;
        n_results = rng_chance(r, 5) ? 0 : 1 + rng_below(r, results);
        n_results = n_results < results ? n_results : results;
    }
    tn_op *op = tn_op_new(g,
                          is_call                ? "fn"
                          : code == TN_OP_EXTERN ? "acme"
                                                 : info->domain,
                          code == TN_OP_EXTERN ? "F" : info->name, version, "", tn_loc_file("odd"));
    for (uint32_t k = 0; k < n_operands; k++) {
        tn_op_add_operand(op, rng_chance(r, 5) ? NULL : pick(w, g));
    }
    odd_attributes(r, w->m, op, info->attrs);
    add_bodies(w, op, w->depth < MAX_DEPTH ? info->attrs : NULL);
    if (is_call) {
        add_body(w, op, "F");
    }
    for (uint32_t k = 0; k < n_results; k++) {
        in_reach(w, tn_op_add_result(op, NULL, rng_chance(r, 15) ? odd_type(r, w->m) : NULL));
    }
}

static void fill(maker *w, tn_graph *g) {
    for (uint32_t n = rng_below(&w->random, MAX_OPS); n > 0; n--) {
        add_op(w, g);
    }
}

static tn_module *make(tn_ctx *ctx, uint64_t seed) {
    maker w = {.random = {seed}, .m = tn_module_new(ctx, "odd", "odd")};
    int64_t plain[2];
    tn_dim dims[2];
    for (int i = 0; i < 2; i++) {
        plain[i] = 1 + rng_below(&w.random, 4);
        dims[i] = tn_dim_const(w.m->dims, plain[i]);
    }
    tn_module_add_opset(w.m, "", 21);
    in_reach(&w,
             tn_graph_add_input(w.m->main, NULL, tn_type_tensor(w.m->arena, TN_DT_FLOAT, 2, dims)));
    for (int i = 0; i < 3; i++) {
        in_reach(&w, tn_graph_add_input(w.m->main, NULL, odd_type(&w.random, w.m)));
    }
    fill(&w, w.m->main);
    for (uint32_t n = 1 + rng_below(&w.random, 3); n > 0; n--) {
        tn_graph_add_output(w.m->main, w.reach.data[rng_below(&w.random, w.reach.len)]);
    }
    return w.m;
}

typedef struct job {
    uint64_t seed;
    bool show;
} job;

static tn_status one(tn_ctx *ctx, void *arg) {
    const job *j = arg;
    tn_module *m = make(ctx, j->seed);
    tn_sink text = tn_sink_make(tn_arena_new(ctx));
    tn_module_print(m, &text);
    if (j->show) {
        printf("// seed %llu\n%s\n", (unsigned long long)j->seed, text.data);
        fflush(stdout);
    }
    fuzz_run((const uint8_t *)text.data, text.len, fuzz_model);
    tn_module_drop(m);
    return TN_OK;
}

int main(int argc, char **argv) {
    uint64_t n = 1000;
    job j = {.seed = 1};
    for (int i = 1; i < argc; i++) {
        bool more = i + 1 < argc;
        if (strcmp(argv[i], "--show") == 0) {
            j.show = true;
        } else if (more && strcmp(argv[i], "--modules") == 0) {
            n = strtoull(argv[++i], NULL, 10);
        } else if (more && strcmp(argv[i], "--seed") == 0) {
            j.seed = strtoull(argv[++i], NULL, 10);
        } else {
            fprintf(stderr, "usage: %s [--modules N] [--seed S] [--show]\n", argv[0]);
            return 2;
        }
    }
    for (uint64_t last = j.seed + n; j.seed < last; j.seed++) {
        tn_ctx *ctx = tn_ctx_new(NULL);
        if (ctx == NULL || tn_guard_run(ctx, one, &j) != TN_OK) {
            fprintf(stderr, "seed %llu cannot be made\n", (unsigned long long)j.seed);
            return 1;
        }
        tn_ctx_free(ctx);
    }
    printf("%llu modules tried, %lu of them have a plan\n", (unsigned long long)n, fuzz_accepted);
    return fuzz_accepted == 0;
}
