/* Every limit of ir/base/limits.h: what is just inside it is taken, what is just beyond it is
 * refused with a message that says where and names the limit, or is left unknown where the header
 * says so. A limit without a test here makes the last test fail. */
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "frontends/core/frontend.h"
#include "ir/base/limits.h"
#include "ir/build.h"
#include "ir/dim/dim.h"
#include "lib/planner.h"
#include "lib/request/project.h"
#include "tests/unit/onnx_bytes.h"
#include "tests/unit/unit.h"

enum { FLOAT = 1 };

typedef struct env {
    tn_ctx *ctx;
    tn_arena *a;
    unit_log *log;
} env;

static tn_module *load(env *e, const tn_sink *text) {
    tn_bytes bytes = {(const uint8_t *)text->data, text->len};
    return tn_load_bytes(e->ctx, "m", bytes, NULL);
}

static void says(env *e, const char *message) {
    if (strstr(e->log->text, message) == NULL) {
        print_error("wanted: %s\ngot: %s\n", message, e->log->text);
        fail();
    }
    e->log->len = 0;
    e->log->text[0] = '\0';
}

static void takes(env *e, const tn_sink *text) {
    if (load(e, text) == NULL) {
        print_error("refused: %s\n", e->log->text);
        fail();
    }
}

static void refuses(env *e, const tn_sink *text, const char *message) {
    assert_null(load(e, text));
    says(e, message);
}

static void repeat(tn_sink *s, const char *text, size_t n) {
    for (size_t i = 0; i < n; i++) {
        tn_put(s, text);
    }
}

/* A module as text: `before` `n` times `again` `after`. */
static const tn_sink *text_of(env *e, const char *before, const char *again, size_t n,
                              const char *after) {
    tn_sink *s = TN_NEW(e->a, tn_sink);
    *s = tn_sink_make(e->a);
    tn_put(s, "tir 1 module \"m\" opset \"\" 17\n");
    tn_put(s, before);
    repeat(s, again, n);
    tn_put(s, after);
    return s;
}

static void rank(env *e) {
    const char *before = "graph \"g\" { input %x: f32[1", *after = "]\n return %x }";
    takes(e, text_of(e, before, ",1", TN_MAX_RANK - 1, after));
    refuses(e, text_of(e, before, ",1", TN_MAX_RANK, after), "m:2:");
    for (uint32_t n = TN_MAX_RANK; n <= TN_MAX_RANK + 1; n++) {
        tn_sink dims = tn_sink_make(e->a);
        repeat(&dims, "1 ", n - 1);
        tn_put(&dims, "1");
        pb *g =
            pb_msg(pb_text(pb_new(e->a), 2, "g"), G_INPUT, onnx_value(e->a, "x", FLOAT, dims.data));
        pb_msg(g, G_OUTPUT, onnx_value(e->a, "x", FLOAT, NULL));
        const pb *model = onnx_model(e->a, 8, g);
        if (n <= TN_MAX_RANK) {
            takes(e, model);
        } else {
            refuses(e, model, "has rank 65, the limit is 64");
        }
    }
}

static void nesting(env *e) {
    for (uint32_t n = TN_MAX_NESTING - 1; n <= TN_MAX_NESTING; n++) {
        tn_sink s = tn_sink_make(e->a);
        tn_put(&s, "tir 1 module \"m\" opset \"\" 17 graph \"g\" {\n");
        repeat(&s, "a::W() {b = region 0} graph \"b\" {\n", n);
        repeat(&s, "}", (size_t)n + 1);
        if (n < TN_MAX_NESTING) {
            takes(e, &s);
        } else {
            refuses(e, &s, "graphs nested more than 4096 deep");
        }
    }
}

static void name(env *e) {
    const char *before = "graph \"g\" { input %\"", *after = "\": f32[1] }";
    takes(e, text_of(e, before, "v", TN_MAX_NAME, after));
    refuses(e, text_of(e, before, "v", TN_MAX_NAME + 1, after),
            "m:2:20: error: a name of 65537 bytes; the limit is 65536");
}

static void operands(env *e) {
    const char *before = "graph \"g\" { input %x: f32[1]\n a::Op(%x";
    takes(e, text_of(e, before, ",%x", TN_MAX_OPERANDS - 1, ") }"));
    refuses(e, text_of(e, before, ",%x", TN_MAX_OPERANDS, ") }"),
            "1048577 operands and 0 results; the limit is 1048576");
}

static void attrs(env *e) {
    for (uint32_t n = TN_MAX_ATTRS; n <= TN_MAX_ATTRS + 1; n++) {
        tn_sink s = tn_sink_make(e->a);
        pb *node = pb_text(onnx_node(e->a, "Op", "x", "y"), 7, "a");
        tn_put(&s, "tir 1 module \"m\" graph \"g\" { input %x: f32[1]\n a::Op(%x) {");
        for (uint32_t i = 0; i < n; i++) {
            const char *attr = tn_arena_printf(e->a, "a%u", i);
            tn_putf(&s, "%s%s = 1", i > 0 ? ", " : "", attr);
            pb_msg(node, 5, pb_int(onnx_attr(e->a, attr, 2), 3, 1));
        }
        tn_put(&s, "} }");
        pb *g = pb_msg(pb_msg(pb_text(pb_new(e->a), 2, "g"), G_NODE, node), G_INPUT,
                       onnx_value(e->a, "x", FLOAT, "1"));
        const pb *model =
            onnx_model(e->a, 8, pb_msg(g, G_OUTPUT, onnx_value(e->a, "y", FLOAT, "1")));
        if (n <= TN_MAX_ATTRS) {
            takes(e, &s);
            takes(e, model);
        } else {
            refuses(e, &s, "1025 attributes; the limit is 1024");
            refuses(e, model, "the node has more than 1024 attributes");
        }
    }
}

static void opsets(env *e) {
    for (uint32_t n = TN_MAX_OPSETS; n <= TN_MAX_OPSETS + 1; n++) {
        tn_sink s = tn_sink_make(e->a);
        pb *model = onnx_model(e->a, 8, pb_text(pb_new(e->a), 2, "g"));
        tn_put(&s, "tir 1 module \"m\"");
        for (uint32_t i = 1; i < n; i++) {
            const char *domain = tn_arena_printf(e->a, "d%u", i);
            tn_putf(&s, " opset \"%s\" 1", domain);
            pb_msg(model, 8, pb_int(pb_text(pb_new(e->a), 1, domain), 2, 1));
        }
        tn_put(&s, "\nopset \"\" 17 graph \"g\" {}");
        if (n <= TN_MAX_OPSETS) {
            takes(e, &s);
            takes(e, model);
        } else {
            refuses(e, &s, "m:2:10: error: more than 1024 opset imports");
            refuses(e, model, "imports 1025 opsets, the limit is 1024");
        }
    }
}

static tn_status add_input(tn_ctx *ctx, void *arg) {
    tn_module *m = arg;
    (void)ctx;
    tn_graph_add_input(m->main, "one_more", NULL);
    return TN_OK;
}

/* So many values do not fit into a test; their count is set instead. */
static void values(env *e) {
    tn_module *m = load(e, text_of(e, "graph \"g\" {}", "", 0, ""));
    m->n_values = TN_MAX_VALUES;
    assert_int_equal(tn_guard_run(e->ctx, add_input, m), TN_ERROR);
    says(e, "m: error: more than 268435456 values");
    m->n_values = 0;
}

static void content(env *e) {
    const char *before = "graph \"g\" { input %x: i64[4097]\n !content(1", *after = ") }";
    takes(e, text_of(e, before, ",1", TN_MAX_CONTENT - 1, after));
    refuses(e, text_of(e, before, ",1", TN_MAX_CONTENT, after),
            "m:3:3: error: 4097 known elements; the limit is 4096");
}

/* A number past the limit is not kept; nothing is refused. */
static void floats(env *e) {
    for (uint32_t n = TN_MAX_FLOATS; n <= TN_MAX_FLOATS + 1; n++) {
        float *data = TN_ARRAY(e->a, float, n);
        pb *t = pb_data(onnx_tensor(e->a, "w", FLOAT, tn_arena_printf(e->a, "%u", n)), 9, data,
                        n * sizeof *data);
        tn_module *m =
            load(e, onnx_model(e->a, 8, pb_msg(pb_text(pb_new(e->a), 2, "g"), G_INIT, t)));
        assert_non_null(m);
        assert_int_equal(m->values[0]->tensor->floats != NULL, n <= TN_MAX_FLOATS);
    }
}

/* A sum of so many symbols is not known any more. */
static void dim_nodes(env *e) {
    tn_dims *d = tn_dims_new(e->a);
    tn_dim sum = tn_dim_sym(d, "s0");
    uint32_t n = 1;
    while (sum != TN_DIM_UNKNOWN) {
        sum = tn_dim_add(d, sum, tn_dim_sym(d, tn_arena_printf(e->a, "s%u", n++)));
        assert_true(n <= TN_MAX_DIM_NODES + 1);
    }
    assert_true(n > TN_MAX_DIM_NODES / 4);
}

static tn_status plan(tn_ctx *ctx, void *arg) {
    tn_plan *p;
    return tn_planner_run(tn_request_new(tn_arena_new(ctx)), arg, NULL, &p);
}

static void derivatives(env *e) {
    for (uint32_t n = TN_MAX_DERIVATIVES; n <= TN_MAX_DERIVATIVES + 1; n++) {
        tn_sink ops = tn_sink_make(e->a);
        for (uint32_t i = 0; i < n; i++) {
            tn_putf(&ops,
                    " %%d%u: f32[1] = ai.onnx.preview.training::Gradient(%%x)"
                    " {xs = strings [\"x\"], y = \"y\"} #%u",
                    i, i + 1);
        }
        tn_put(&ops, "}");
        const char *before = "opset \"ai.onnx.preview.training\" 1 graph \"g\" { input %x: f32[1]\n"
                             " %y: f32[1] = Exp(%x) #0";
        tn_module *m = load(e, text_of(e, before, "", 0, ops.data));
        assert_non_null(m);
        assert_int_equal(tn_guard_run(e->ctx, plan, m), n <= TN_MAX_DERIVATIVES ? TN_OK : TN_ERROR);
    }
    says(e, "(Gradient, #65): error: more than 64 symbolic Gradient ops");
}

static void messages(env *e) {
    for (uint32_t n = TN_MAX_MESSAGES / 2 - 4; n <= TN_MAX_MESSAGES; n += TN_MAX_MESSAGES / 2 + 4) {
        pb *type = pb_msg(pb_new(e->a), 1, pb_int(pb_new(e->a), 1, FLOAT));
        for (uint32_t i = 0; i < n; i++) {
            type = pb_msg(pb_new(e->a), 4, pb_msg(pb_new(e->a), 1, type));
        }
        pb *input = pb_msg(pb_text(pb_new(e->a), 1, "z"), 2, type);
        const pb *model =
            onnx_model(e->a, 8, pb_msg(pb_text(pb_new(e->a), 2, "g"), G_INPUT, input));
        if (n < TN_MAX_MESSAGES) {
            takes(e, model);
        } else {
            refuses(e, model, "nested more than 128");
        }
    }
}

/* A function of so many ops that two of it reach the limit; each call is an op as well. */
static void instances(env *e) {
    uint32_t n = TN_MAX_INSTANCES / 2 - 1;
    pb *f = pb_text(pb_text(pb_text(pb_new(e->a), 1, "f"), 4, "x"), 5, "x");
    pb_text(pb_msg(f, 9, pb_int(pb_new(e->a), 2, 13)), 10, "d");
    pb *node = onnx_node(e->a, "Relu", "x", "-");
    for (uint32_t i = 0; i < n; i++) {
        pb_msg(f, 7, node);
    }
    for (uint32_t calls = 2; calls <= 3; calls++) {
        pb *g = pb_msg(pb_text(pb_new(e->a), 2, "g"), G_INPUT, onnx_value(e->a, "x", FLOAT, "4"));
        for (uint32_t i = 0; i < calls; i++) {
            const char *out = tn_arena_printf(e->a, "y%u", i);
            pb_msg(g, G_NODE, pb_text(onnx_node(e->a, "f", "x", out), 7, "d"));
        }
        const pb *model = pb_msg(onnx_model(e->a, 8, g), 25, f);
        if (calls == 2) {
            takes(e, model);
        } else {
            refuses(e, model, "functions make more than 262144 ops");
        }
    }
}

/* A file with a hole; where the file system has no such files there is nothing to see. Where
 * addresses have 32 bits they are the limit. */
static void file_bytes(env *e) {
    char path[] = "/tmp/tenure-limits-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    bool made = ftruncate(fd, (off_t)TN_MAX_FILE_BYTES + 1) == 0;
    close(fd);
    tn_module *m = made ? tn_load_file(e->ctx, path, NULL) : NULL;
    unlink(path);
    assert_null(m);
    if (made) {
        bool narrow = SIZE_MAX < TN_MAX_FILE_BYTES;
        says(e,
             narrow
                 ? "error: file of 1099511627777 bytes exceeds the limit of 4294967295 bytes"
                 : "error: file of 1099511627777 bytes exceeds the limit of 1099511627776 bytes");
    }
}

static void tensor_bytes(env *e) {
    unsigned long long most = TN_MAX_TENSOR_BYTES;
    const char *form = "graph \"g\" {\n const %%x: f32[%llu] = tensor(%llu bytes) }";
    takes(e, text_of(e, tn_arena_printf(e->a, form, most / 4, most), "", 0, ""));
    refuses(e, text_of(e, tn_arena_printf(e->a, form, most / 4, most + 1), "", 0, ""),
            "a tensor of 1152921504606846977 bytes; the limit is 1152921504606846976");
    /* One that only an op makes is listed as not planned. */
    const char *op =
        tn_arena_printf(e->a, "graph \"g\" { input %%x: f32[%llu,2] return %%x }", most / 4);
    tn_plan *p;
    tn_module *m = load(e, text_of(e, op, "", 0, ""));
    assert_int_equal(tn_planner_run(tn_request_new(e->a), m, NULL, &p), TN_OK);
    assert_string_equal(p->values[0].why, "larger than 1152921504606846976 bytes");
    /* What data give counts as the most there can be. */
    for (unsigned long long n = most / 8; n <= most / 8 + 1; n++) {
        op = tn_arena_printf(
            e->a, "graph \"g\" { input %%x: bool[%llu]\n %%y: ? = NonZero(%%x)\n return %%y }", n);
        m = load(e, text_of(e, op, "", 0, ""));
        assert_int_equal(tn_planner_run(tn_request_new(e->a), m, NULL, &p), TN_OK);
        assert_string_equal(p->values[1].name, "y");
        assert_string_equal(p->values[1].type, "i64[1,y.1]");
        assert_int_equal(p->values[1].storage == TN_NO_ID, n > most / 8);
        if (n > most / 8) {
            assert_string_equal(p->values[1].why, "larger than 1152921504606846976 bytes");
        }
    }
}

static void pipeline(env *e) {
    tn_pipeline p;
    for (uint32_t n = TN_MAX_PIPELINE; n <= TN_MAX_PIPELINE + 1; n++) {
        char *text = TN_ARRAY(e->a, char, n + 1);
        memset(text, ' ', n);
        memcpy(text, "pin", 3);
        tn_status status = tn_pipeline_parse(e->a, "--passes", text, &p);
        assert_int_equal(status, n <= TN_MAX_PIPELINE ? TN_OK : TN_USAGE);
    }
    says(e, "--passes:1:1: error: pipeline of 65537 bytes exceeds the limit of 65536 bytes");
    tn_sink named = tn_sink_make(e->a);
    repeat(&named, "O2,", 1000);
    tn_put(&named, "O2");
    assert_int_equal(tn_pipeline_parse(e->a, "--passes", named.data, &p), TN_USAGE);
    says(e, "all its passes written out, exceeds the limit of 65536 bytes");
}

/* From the caller, who is refused at once, and from a model. */
static void align(env *e) {
    tn_request *r = tn_request_new(e->a);
    tn_plan *p;
    assert_int_equal(tn_request_set(r, "align", "1073741824", NULL), TN_OK);
    assert_int_equal(tn_request_set(r, "align", "1073741825", NULL), TN_USAGE);
    says(e, "option 'align' must be a power of two up to 1G, not '1073741825'");
    for (int i = 0; i < 2; i++) {
        const char *head = tn_arena_printf(
            e->a, "metadata \"tenure.align\" \"%uG\" graph \"g\" { input %%x: f32[2] return %%x }",
            1u << i);
        tn_module *m = load(e, text_of(e, head, "", 0, ""));
        assert_int_equal(tn_planner_run(tn_request_new(e->a), m, NULL, &p),
                         i == 0 ? TN_OK : TN_ERROR);
    }
    says(e, "alignment of 2147483648 bytes is not a power of two up to 1073741824");
}

static void project(env *e) {
    tn_sink text = tn_sink_make(e->a);
    tn_project_scope scope = {0};
    tn_project p;
    tn_put(&text, "{\"tenure_project\": 1}");
    repeat(&text, " ", TN_MAX_PROJECT - text.len);
    tn_bytes bytes = {(const uint8_t *)text.data, text.len};
    assert_int_equal(tn_project_read(e->a, "p.json", bytes, &scope, &p), TN_OK);
    bytes.size++;
    assert_int_equal(tn_project_read(e->a, "p.json", bytes, &scope, &p), TN_USAGE);
    says(e, "p.json: error: 16777217 bytes are too many for a project file: at most 16777216");
}

/* One more than there may be variants. */
static void variants(env *e) {
    for (uint32_t n = TN_MAX_VARIANTS; n <= TN_MAX_VARIANTS + 1; n++) {
        tn_request *r = tn_request_new(e->a);
        tn_sink list = tn_sink_make(e->a);
        tn_put(&list, "batch=1");
        for (uint32_t i = 2; i <= n; i++) {
            tn_putf(&list, ",%u", i);
        }
        assert_int_equal(tn_request_set(r, "dim", list.data, NULL),
                         n <= TN_MAX_VARIANTS ? TN_OK : TN_USAGE);
    }
    says(e, "NAME=N,N,... with at most 256 numbers");
}

static void pools(env *e) {
    tn_request *r = tn_request_new(e->a);
    for (uint32_t i = 0; i <= TN_MAX_POOLS; i++) {
        const char *pool = tn_arena_printf(e->a, "p%u", i);
        assert_int_equal(tn_request_set(r, "pool", pool, NULL),
                         i < TN_MAX_POOLS ? TN_OK : TN_USAGE);
    }
    says(e, "option 'pool': 'p16' is one more than the 16 pools there may be");
}

static void cost(env *e) {
    tn_request *r = tn_request_new(e->a);
    assert_int_equal(tn_request_set(r, "pool", "a:cost=1000000", NULL), TN_OK);
    assert_int_equal(tn_request_set(r, "pool", "b:cost=1000001", NULL), TN_USAGE);
    says(e, ":cost=N (1 to 1000000)");
}

typedef struct running_pass {
    tn_module *m;
    tn_arena *arena;
} running_pass;

static tn_status write_in_place(tn_ctx *ctx, void *arg) {
    const running_pass *r = arg;
    tn_controls controls = tn_controls_default();
    tn_pipeline p;
    tn_plan *none = NULL;
    controls.concurrency = TN_DATAFLOW;
    tn_status status = tn_pipeline_parse(r->arena, "limits", "inplace", &p);
    return status == TN_OK ? tn_run_pipeline(ctx, r->m, &p, &controls, &none, NULL) : status;
}

/* A chain of ops that may run in any order that there is. */
static void concurrent(env *e) {
    for (uint32_t n = TN_MAX_CONCURRENT; n <= TN_MAX_CONCURRENT + 1; n++) {
        tn_sink ops = tn_sink_make(e->a);
        tn_put(&ops, " %v0: f32[1] = Exp(%x) #0\n");
        for (uint32_t i = 1; i < n; i++) {
            tn_putf(&ops, " %%v%u: f32[1] = Exp(%%v%u) #%u\n", i, i - 1, i);
        }
        tn_put(&ops, "}");
        const char *before = "graph \"g\" { input %x: f32[1]\n";
        running_pass r = {load(e, text_of(e, before, "", 0, ops.data)), e->a};
        assert_non_null(r.m);
        assert_int_equal(tn_guard_run(e->ctx, write_in_place, &r),
                         n <= TN_MAX_CONCURRENT ? TN_OK : TN_ERROR);
        tn_module_drop(r.m);
    }
    says(e, "32769 steps are more than the 32768 of a plan whose steps run side by side");
}

static void queues(env *e) {
    tn_request *r = tn_request_new(e->a);
    assert_int_equal(tn_request_set(r, "queues", "64", NULL), TN_OK);
    assert_int_equal(tn_request_set(r, "queues", "65", NULL), TN_USAGE);
    says(e, "option 'queues' must be between 1 and 64, not '65'");
}

typedef struct row {
    const char *limit;
    void (*test)(env *e);
} row;

static const row rows[] = {
    {"TN_MAX_RANK", rank},
    {"TN_MAX_NESTING", nesting},
    {"TN_MAX_DIM_NODES", dim_nodes},
    {"TN_MAX_NAME", name},
    {"TN_MAX_OPERANDS", operands},
    {"TN_MAX_ATTRS", attrs},
    {"TN_MAX_OPSETS", opsets},
    {"TN_MAX_VALUES", values},
    {"TN_MAX_CONTENT", content},
    {"TN_MAX_DERIVATIVES", derivatives},
    {"TN_MAX_FLOATS", floats},
    {"TN_MAX_MESSAGES", messages},
    {"TN_MAX_INSTANCES", instances},
    {"TN_MAX_ALIGN", align},
    {"TN_MAX_FILE_BYTES", file_bytes},
    {"TN_MAX_TENSOR_BYTES", tensor_bytes},
    {"TN_MAX_PIPELINE", pipeline},
    {"TN_MAX_PROJECT", project},
    {"TN_MAX_VARIANTS", variants},
    {"TN_MAX_POOLS", pools},
    {"TN_MAX_COST", cost},
    {"TN_MAX_CONCURRENT", concurrent},
    {"TN_MAX_QUEUES", queues},
};
enum { N_ROWS = sizeof rows / sizeof rows[0] };

typedef struct running {
    const row *row;
    unit_log *log;
} running;

static tn_status run_row(tn_ctx *ctx, void *arg) {
    running *r = arg;
    env e = {ctx, tn_arena_new(ctx), r->log};
    r->row->test(&e);
    return TN_OK;
}

static void test_row(void **state) {
    unit_log log;
    running r = {*state, &log};
    tn_ctx *ctx = unit_ctx(&log);
    unit_run(ctx, run_row, &r);
    tn_ctx_free(ctx);
}

/* Every #define of the header has a row. */
static void test_all_have_one(void **state) {
    (void)state;
    char line[256], limit[64];
    unsigned found = 0;
    FILE *file = fopen(TENURE_SOURCE "/ir/base/limits.h", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "#define %63s %*s", limit) != 1 || strncmp(limit, "TN_MAX_", 7) != 0) {
            continue;
        }
        size_t i = 0;
        while (i < N_ROWS && strcmp(rows[i].limit, limit) != 0) {
            i++;
        }
        if (i == N_ROWS) {
            fail_msg("%s has no test", limit);
        }
        found++;
    }
    fclose(file);
    assert_int_equal(found, N_ROWS);
}

int main(void) {
    struct CMUnitTest tests[N_ROWS + 1];
    for (size_t i = 0; i < N_ROWS; i++) {
        union {
            const row *from;
            void *to;
        } state = {&rows[i]};
        tests[i] = (struct CMUnitTest){rows[i].limit, test_row, NULL, NULL, state.to};
    }
    tests[N_ROWS] = (struct CMUnitTest)cmocka_unit_test(test_all_have_one);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
