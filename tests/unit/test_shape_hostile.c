/* Every shape rule on operands and attributes that make no sense: nothing may crash, and what comes
 * out must be sound. Meant to be run with the sanitizers as well. */
#include "ir/base/limits.h"
#include "ir/infer/infer.h"
#include "tests/fuzz/odd.h"
#include "tests/unit/unit.h"

enum { TRIES = 60, MAX_OPERANDS = 6, MAX_RESULTS = 4 };

static rng random;

static uint32_t pick(uint32_t n) {
    return rng_below(&random, n);
}

/* Elements that need not agree with the type. */
static void fill(tn_module *m, tn_value *v) {
    uint32_t n = pick(6);
    tn_dim *dims = TN_ARRAY(m->arena, tn_dim, n + 1u);
    for (uint32_t i = 0; i < n; i++) {
        dims[i] =
            pick(3) == 0 ? odd_dim(&random, m->dims) : tn_dim_const(m->dims, odd_number(&random));
    }
    v->n_content = n;
    if (pick(2) == 0) {
        v->content = dims;
    } else if (pick(2) == 0) {
        v->float_content = odd_floats(&random, m, n);
    }
}

static tn_value *operand(tn_module *m) {
    if (pick(8) == 0) {
        return NULL;
    }
    const tn_type *t = odd_type(&random, m);
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
    uint32_t n_operands = pick(MAX_OPERANDS + 1), n_results = pick(MAX_RESULTS + 1);
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
    odd_attributes(&random, m, op, info->attrs);
    tn_infer in = {.ctx = ctx, .m = m, .arena = m->arena, .scratch = scratch, .dims = m->dims};
    tn_infer_op(&in, op);
    check_sound(&in);
    tn_module_drop(m);
    return TN_OK;
}

static void test_all(void **state) {
    (void)state;
    random.state = 1;
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
