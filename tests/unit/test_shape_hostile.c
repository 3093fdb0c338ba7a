/* Every shape rule on operands and attributes that make no sense: nothing may crash, and what comes
 * out must be sound. Meant to be run with the sanitizers as well. */
#include "ir/base/limits.h"
#include "ir/build.h"
#include "ir/shape/infer.h"
#include "tests/unit/unit.h"

enum { TRIES = 60, MAX_OPERANDS = 6, MAX_RESULTS = 4 };

static uint64_t seed;

static uint32_t pick(uint32_t n) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (uint32_t)(seed >> 33) % n;
}

static int64_t number(void) {
    static const int64_t odd[] = {0,         1,         -1,        2,         3,
                                  7,         -2,        64,        -64,       INT32_MAX,
                                  INT32_MIN, INT64_MAX, INT64_MIN, 1LL << 40, 4096};
    return pick(2) == 0 ? (int64_t)pick(5) : odd[pick(sizeof odd / sizeof odd[0])];
}

static tn_dim dim(tn_dims *d) {
    switch (pick(5)) {
    case 0:
        return TN_DIM_UNKNOWN;
    case 1:
        return tn_dim_sym(d, pick(2) == 0 ? "s" : "t");
    case 2:
        return tn_dim_sub(d, tn_dim_mul(d, tn_dim_sym(d, "s"), tn_dim_sym(d, "t")),
                          tn_dim_const(d, number() % 100));
    default:
        return tn_dim_const(d, pick(8));
    }
}

static const tn_type *type(tn_module *m) {
    tn_dim dims[6];
    uint32_t rank = pick(6);
    tn_dtype dtype = (tn_dtype)(pick(4) == 0 ? pick(TN_DT_COUNT) : pick(2) == 0 ? 1 : 7);
    for (uint32_t i = 0; i < rank; i++) {
        dims[i] = dim(m->dims);
    }
    switch (pick(10)) {
    case 0:
        return tn_type_unknown();
    case 1:
        return tn_type_unranked(m->arena, dtype);
    case 2:
        return tn_type_wrap(m->arena, pick(2) == 0 ? TN_TYPE_SEQUENCE : TN_TYPE_OPTIONAL,
                            TN_DT_UNKNOWN, tn_type_tensor(m->arena, dtype, rank, dims));
    default:
        return tn_type_tensor(m->arena, dtype, rank, dims);
    }
}

/* Elements that need not agree with the type. */
static void fill(tn_module *m, tn_value *v) {
    uint32_t n = pick(6);
    tn_dim *dims = TN_ARRAY(m->arena, tn_dim, n + 1u);
    double *floats = TN_ARRAY(m->arena, double, n + 1u);
    for (uint32_t i = 0; i < n; i++) {
        dims[i] = pick(3) == 0 ? dim(m->dims) : tn_dim_const(m->dims, number());
        floats[i] = pick(5) == 0 ? (double)number() : 0.5 * pick(9);
    }
    v->n_content = n;
    if (pick(2) == 0) {
        v->content = dims;
    } else if (pick(2) == 0) {
        v->float_content = floats;
    }
}

static tn_value *operand(tn_module *m) {
    if (pick(8) == 0) {
        return NULL;
    }
    const tn_type *t = type(m);
    if (t->kind == TN_TYPE_TENSOR && t->has_rank && pick(2) == 0) { /* a vector of some elements */
        tn_dim n = tn_dim_const(m->dims, pick(6));
        t = tn_type_tensor(m->arena, pick(3) == 0 ? TN_DT_FLOAT : TN_DT_INT64, pick(3) > 0, &n);
    }
    tn_value *v = tn_graph_add_input(m->main, NULL, t);
    if (t->kind == TN_TYPE_TENSOR && pick(2) == 0) {
        fill(m, v);
    }
    return v;
}

static void attribute(tn_module *m, tn_op *op, const char *name, const char *kind) {
    tn_attr a = {.name = name};
    if (pick(2) == 0) {
        return;
    }
    if (strncmp(kind, "ints", 4) == 0) {
        int64_t *ints = TN_ARRAY(m->arena, int64_t, 8);
        a.kind = TN_ATTR_INTS;
        a.n = pick(7);
        for (uint32_t i = 0; i < a.n; i++) {
            ints[i] = number();
        }
        a.u.ints = ints;
    } else if (strncmp(kind, "int", 3) == 0) {
        a.kind = TN_ATTR_INT;
        a.u.i = number();
    } else if (strncmp(kind, "floats", 6) == 0) {
        double *floats = TN_ARRAY(m->arena, double, 8);
        a.kind = TN_ATTR_FLOATS;
        a.n = pick(7);
        a.u.floats = floats;
    } else if (strncmp(kind, "string", 6) == 0 && kind[6] != 's') {
        static const char *const words[] = {
            "",      "NOTSET",        "SAME_UPPER", "ij,jk->ik",
            "...->", "bidirectional", "none",       "tf_crop_and_resize",
            "a.b"};
        a.kind = TN_ATTR_STRING;
        a.u.s.data = words[pick(sizeof words / sizeof words[0])];
        a.u.s.len = (uint32_t)strlen(a.u.s.data);
    } else {
        return;
    }
    tn_op_add_attr(op, a);
}

static void attributes(tn_module *m, tn_op *op, const char *list) {
    while (list != NULL && *list != '\0') {
        size_t n = strcspn(list, " ");
        const char *colon = memchr(list, ':', n);
        assert_non_null(colon);
        attribute(m, op, tn_intern_n(m->ctx, list, (size_t)(colon - list)), colon + 1);
        list += list[n] == ' ' ? n + 1 : n;
    }
}

static void check_sound(tn_infer *in) {
    for (uint32_t r = 0; r < in->op->n_results && !in->failed; r++) {
        const tn_type *t = in->out[r];
        int64_t extent;
        for (uint32_t i = 0; t != NULL && t->has_rank && i < t->rank; i++) {
            if (tn_dim_is_const(in->dims, t->dims[i], &extent) && extent < 0) {
                fail_msg("%s: result %u has extent %lld", in->op->type, r, (long long)extent);
            }
        }
        assert_true(t == NULL || t->rank <= TN_MAX_RANK);
        assert_true(!in->content[r].known || in->content[r].n <= TN_MAX_CONTENT);
    }
}

static tn_status one_op(tn_ctx *ctx, void *arg) {
    const tn_op_info *info = arg;
    tn_module *m = tn_module_new(ctx, "hostile", "hostile");
    tn_arena *scratch = tn_arena_new(ctx);
    long version = pick(3) == 0 ? 1 : pick(30);
    tn_loc loc = tn_loc_file("hostile");
    tn_value *operands[MAX_OPERANDS];
    uint32_t n_operands = pick(MAX_OPERANDS + 1), n_results = 1 + pick(MAX_RESULTS);
    for (uint32_t k = 0; k < n_operands; k++) {
        operands[k] = operand(m);
    }
    tn_op *op = tn_op_new(m->main, info->domain, info->name, version, "", loc);
    for (uint32_t k = 0; k < n_operands; k++) {
        tn_op_add_operand(op, operands[k]);
    }
    for (uint32_t r = 0; r < n_results; r++) {
        tn_op_add_result(op, NULL, NULL);
    }
    attributes(m, op, info->attrs);
    tn_infer in = {.ctx = ctx, .m = m, .arena = m->arena, .scratch = scratch, .dims = m->dims};
    tn_infer_op(&in, op);
    check_sound(&in);
    tn_module_drop(m);
    return TN_OK;
}

static void test_all(void **state) {
    (void)state;
    seed = 1;
    for (unsigned i = 1; i < TN_OP_COUNT; i++) {
        const tn_op_info *info = tn_op_info_get((tn_opcode)i);
        tn_ctx *ctx = tn_ctx_new(NULL);
        bool plain = (info->traits & TN_T_CONTROL) == 0; /* those need well-formed regions */
        for (int k = 0; plain && k < TRIES; k++) {
            unit_run(ctx, one_op, (void *)(uintptr_t)info);
        }
        tn_ctx_free(ctx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
