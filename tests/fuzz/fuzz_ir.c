/* Graphs driven through ir.h by calls decoded from bytes, most of them senseless. No call may end
 * in an internal error; a model that the verifier takes prints to a text that reads back to the
 * same text, and is planned or refused with a message. Bytes behind the last call are 0. */
#include <string.h>

#include "tenure/ir.h"
#include "tests/fuzz/fuzz.h"

unsigned long fuzz_accepted;

enum { MOST = 64, MOST_CALLS = 300, MOST_PLANS = 4 };

typedef struct state {
    const uint8_t *at, *end;
    tenure_context *ctx;
    tenure_model *model, *other;
    tenure_graph *graphs[MOST];
    tenure_op *ops[MOST];
    tenure_value *values[MOST];
    unsigned n_graphs, n_ops, n_values, n_plans;
} state;

static unsigned byte(state *s) {
    return s->at < s->end ? *s->at++ : 0;
}

static void *pick(state *s, void *list, unsigned n) {
    void *handle = NULL;
    if (n > 0) {
        memcpy(&handle, (char *)list + byte(s) % n * sizeof handle, sizeof handle);
    }
    return handle;
}

static tenure_graph *graph(state *s) {
    return pick(s, s->graphs, s->n_graphs);
}

static tenure_op *op(state *s) {
    return pick(s, s->ops, s->n_ops);
}

/* Now and then none. */
static tenure_value *value(state *s) {
    return byte(s) % 16 == 15 ? NULL : pick(s, s->values, s->n_values);
}

static void keep_graph(state *s, tenure_graph *g) {
    if (g != NULL && s->n_graphs < MOST) {
        s->graphs[s->n_graphs++] = g;
    }
}

static void keep_value(state *s, tenure_value *v) {
    if (v != NULL && s->n_values < MOST) {
        s->values[s->n_values++] = v;
    }
}

static tenure_status good(tenure_status status) {
    FUZZ_REQUIRE(status != TENURE_INTERNAL);
    return status;
}

static const char *name(state *s) {
    static const char *const names[] = {"a", "b", "c", "x", "y", "p/q", "\"\\\n"};
    unsigned i = byte(s) % 64; /* mostly none, which makes up one that is free */
    return i < sizeof names / sizeof names[0] ? names[i] : NULL;
}

static const char *type(state *s) {
    static const char *const types[] = {"f32[2,4]", "f32[n,4]", "f32[8]",     "i64[2]",
                                        "i64[]",    "bool[]",   "f32[*]",     "f32[2*n + 1,?]",
                                        "i4[3]",    "str[2]",   "seq(f32[])", "?",
                                        "f16[]",    "f32[0]",   "f32[",       NULL};
    return types[byte(s) % (sizeof types / sizeof types[0])];
}

static const char *attribute(state *s) {
    static const char *const names[] = {"axis", "axes",        "perm",        "value", "to",
                                        "body", "then_branch", "else_branch", "",      "other"};
    return names[byte(s) % (sizeof names / sizeof names[0])];
}

/* ---- calls ---- */

static void add_op(state *s) {
    static const char *const types[] = {
        "Relu",  "Add",      "MatMul",          "If",      "Loop",      "Reshape", "Concat",
        "Split", "Constant", "Identity",        "Softmax", "Transpose", "Dropout", "Scan",
        "Shape", "Squeeze",  "ConstantOfShape", "Mine"};
    static const char *const domains[] = {"", "", "", "my", "ai.onnx", "com.microsoft"};
    tenure_value *operands[4];
    tenure_graph *g = graph(s);
    const char *what = types[byte(s) % (sizeof types / sizeof types[0])];
    const char *domain = domains[byte(s) % 6];
    unsigned n = byte(s) % 5;
    for (unsigned i = 0; i < n; i++) {
        operands[i] = value(s);
    }
    tenure_op *made = tenure_graph_add_op(g, domain, what, name(s), operands, n);
    if (made != NULL && s->n_ops < MOST) {
        s->ops[s->n_ops++] = made;
        keep_value(s, tenure_op_add_result(made, NULL, NULL));
    }
}

static tenure_tensor tensor(state *s) {
    static int64_t dims[4];
    tenure_tensor t = {
        .struct_size = sizeof t, .dtype = (tenure_dtype)(byte(s) % 28), .dims = dims};
    t.rank = byte(s) % 4;
    for (unsigned i = 0; i < 4; i++) {
        dims[i] = (int64_t)(byte(s) % 6) - (byte(s) % 32 == 31);
    }
    return t;
}

static const void *data(state *s) {
    static const unsigned char bytes[2048] = {1, 0, 0, 0, 0, 0, 0, 0, 2};
    return byte(s) % 4 == 3 ? NULL : bytes;
}

static void build(state *s) {
    tenure_tensor t;
    switch (byte(s) % 8) {
    case 0:
        keep_value(s, tenure_graph_add_input(graph(s), name(s), type(s)));
        break;
    case 1:
        t = tensor(s);
        keep_value(s, tenure_graph_add_constant(graph(s), name(s), &t, data(s),
                                                (tenure_data)(byte(s) % 2)));
        break;
    case 2:
        good(tenure_graph_add_output(graph(s), value(s)));
        break;
    case 3:
        keep_value(s, tenure_op_add_result(op(s), name(s), type(s)));
        break;
    case 4:
        good(byte(s) % 2 ? tenure_op_skip_result(op(s)) : tenure_op_add_operand(op(s), value(s)));
        break;
    case 5:
        keep_graph(s, tenure_op_add_body(op(s), attribute(s), name(s)));
        break;
    default:
        add_op(s);
        break;
    }
}

static void set_attribute(state *s) {
    static const char *const texts[] = {"NOTSET", ""};
    int64_t ints[] = {(int64_t)byte(s) - 2, 1, 0};
    double floats[] = {0.5, 1};
    tenure_tensor t;
    tenure_op *to = op(s);
    const char *key = attribute(s);
    switch (byte(s) % 8) {
    case 0:
        good(tenure_op_set_int(to, key, ints[0]));
        break;
    case 1:
        good(tenure_op_set_ints(to, key, ints, byte(s) % 4));
        break;
    case 2:
        good(tenure_op_set_floats(to, key, floats, byte(s) % 3));
        break;
    case 3:
        good(tenure_op_set_string(to, key, "a\0b", byte(s) % 4));
        break;
    case 4:
        good(tenure_op_set_strings(to, key, texts, byte(s) % 3));
        break;
    case 5:
        t = tensor(s);
        good(tenure_op_set_tensor(to, key, &t, data(s), TENURE_DATA_COPY));
        break;
    case 6:
        good(byte(s) % 2 ? tenure_op_set_type(to, key, type(s)) : tenure_op_set_float(to, key, 2));
        break;
    default:
        good(byte(s) % 2 ? tenure_op_remove_attribute(to, key)
                         : tenure_op_copy_attributes(to, op(s)));
        break;
    }
}

static void change(state *s) {
    tenure_value *outputs[2];
    switch (byte(s) % 9) {
    case 0:
        good(tenure_op_set_operand(op(s), byte(s) % 4, value(s)));
        break;
    case 1:
        good(tenure_op_move(op(s), byte(s) % 4 == 0 ? NULL : op(s)));
        break;
    case 2:
        good(tenure_op_remove(op(s)));
        break;
    case 3:
        good(tenure_value_rename(value(s), name(s)));
        break;
    case 4:
        good(tenure_value_set_type(value(s), type(s)));
        break;
    case 5:
        good(tenure_value_set_flags(value(s), byte(s) * 3u & 0x1ff, byte(s)));
        break;
    case 6:
        good(tenure_value_replace(value(s), value(s)));
        break;
    case 7:
        outputs[0] = value(s);
        outputs[1] = value(s);
        good(tenure_graph_set_outputs(graph(s), outputs, byte(s) % 3));
        break;
    default:
        good(tenure_model_bind(s->model, value(s), value(s)));
        break;
    }
}

/* Reading never fails, whatever state the graph is in. */
static void look(state *s) {
    tenure_attribute a = {.struct_size = sizeof a};
    tenure_value *v = value(s), *of;
    tenure_op *o = op(s);
    int64_t offset;
    size_t at;
    for (size_t i = 0; tenure_op_attribute(o, i, &a); i++) {
        tenure_attribute_text(&a, 0, NULL);
        tenure_op_attribute_type(o, a.name, 0);
    }
    tenure_value_dim(v, byte(s) % 3);
    tenure_value_alias(v, &of, &offset);
    for (size_t i = 0; i < tenure_value_use_count(v); i++) {
        const tenure_op *reader = tenure_value_use(v, i, &at);
        FUZZ_REQUIRE(tenure_op_operand(reader, at) == v);
    }
    tenure_graph_find(graph(s), "x");
    FUZZ_REQUIRE(v == NULL || tenure_value_type(v) != NULL);
}

/* What must hold for a sound model. */
static void use(state *s) {
    tenure_buffer *once, *twice;
    tenure_plan *plan = NULL;
    if (good(tenure_model_verify(s->model)) != TENURE_OK || s->n_plans++ >= MOST_PLANS ||
        tenure_model_print(s->model, &once) != TENURE_OK) {
        return;
    }
    tenure_model *back = tenure_load_memory(s->ctx, "back", tenure_buffer_data(once),
                                            tenure_buffer_size(once), NULL);
    FUZZ_REQUIRE(back != NULL || tenure_last_status(s->ctx) == TENURE_NOMEM);
    if (back != NULL && tenure_model_print(back, &twice) == TENURE_OK) {
        FUZZ_REQUIRE(strcmp(tenure_buffer_data(once), tenure_buffer_data(twice)) == 0);
    }
    tenure_options *options = tenure_options_new(s->ctx);
    good(tenure_options_set(options, "O", byte(s) % 2 ? "3" : "2"));
    good(tenure_options_set(options, "schedule", "file"));
    if (good(tenure_plan_make(s->model, options, &plan)) == TENURE_OK) {
        fuzz_accepted++;
        FUZZ_REQUIRE(good(tenure_plan_check(plan, s->model, NULL)) != TENURE_ERROR);
    }
    tenure_plan_free(plan);
    tenure_options_free(options);
    tenure_model_free(back);
}

static void call(state *s) {
    switch (byte(s) % 16) {
    case 0:
        set_attribute(s);
        break;
    case 1:
    case 2:
        change(s);
        break;
    case 3:
        look(s);
        break;
    case 4:
        use(s);
        break;
    case 5:
        good(tenure_model_run(s->model, "infer-shapes"));
        break;
    default:
        build(s);
        break;
    }
}

/* What an internal error says goes to the terminal. */
static void on_diagnostic(void *user, const tenure_diagnostic *d) {
    (void)user;
    if (d->severity == TENURE_SEV_ERROR && strstr(d->rendered, "internal error") != NULL) {
        fprintf(stderr, "%s\n", d->rendered);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size) {
    size_t out = 0;
    tenure_allocator allocator = {fuzz_alloc, &out};
    state s = {.at = input, .end = input + size, .ctx = tenure_context_new(&allocator)};
    tenure_on_diagnostic(s.ctx, on_diagnostic, NULL);
    s.model = tenure_model_new(s.ctx, "fuzzed", NULL);
    s.other = tenure_model_new(s.ctx, "other", NULL);
    keep_graph(&s, tenure_model_graph(s.model, 0));
    keep_value(&s, tenure_graph_add_input(tenure_model_graph(s.other, 0), "x", "f32[2,4]"));
    keep_value(&s, tenure_graph_add_input(s.graphs[0], "first", "f32[2,4]"));
    good(tenure_model_import(s.model, "", 13 + (int64_t)(byte(&s) % 10)));
    for (unsigned i = 0; i < MOST_CALLS && s.at < s.end; i++) {
        call(&s);
    }
    use(&s);
    tenure_context_free(s.ctx);
    FUZZ_REQUIRE(out == 0);
    return 0;
}
