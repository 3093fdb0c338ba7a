/* Gradients of products of matrices. */
#include "ir/gradient/gradient.h"

static const tn_value *type_of(const tn_grad *g, uint32_t k) {
    return tn_operand(g->op, k);
}

/* d as a matrix or a stack of them: the axis that a vector operand took away is put back. */
static tn_value *whole_d(tn_grad *g) {
    uint32_t ra = tn_emit_rank(g->e, type_of(g, 0)), rb = tn_emit_rank(g->e, type_of(g, 1));
    tn_value *d = g->d;
    if (rb == 1) {
        d = tn_emit_unsqueeze(g->e, d, (int64_t[]){tn_emit_rank(g->e, d)}, 1);
    }
    if (ra == 1) {
        d = tn_emit_unsqueeze(g->e, d, (int64_t[]){tn_emit_rank(g->e, d) - 1}, 1);
    }
    return d;
}

static tn_value *scaled(tn_grad *g, tn_value *v) {
    double alpha = tn_grad_float(g, "alpha", 1);
    return alpha == 1 ? v : tn_emit_2(g->e, "Mul", v, tn_emit_scalar(g->e, v->type->dtype, alpha));
}

/* The product in the operand's shape: stacks that were broadcast are summed, and the axis of a
 * vector goes. */
static tn_value *as_operand(tn_grad *g, tn_value *product) {
    uint32_t rank = tn_emit_rank(g->e, g->x), all = tn_emit_rank(g->e, product);
    product = scaled(g, product);
    if (rank == 1) {
        int64_t *axes = TN_ARRAY(g->e->scratch, int64_t, all + 1u);
        for (uint32_t i = 0; i + 2 < all; i++) {
            axes[i] = i;
        }
        product = tn_emit_reduce(g->e, "ReduceSum", product, axes, all - 2, false);
        return tn_emit_reshape_like(g->e, product, g->x);
    }
    return tn_emit_sum_to(g->e, product, g->x);
}

/* The stack as one matrix: its leading axes become rows. */
static tn_value *flattened(tn_grad *g, tn_value *v) {
    uint32_t rank = tn_emit_rank(g->e, v);
    int64_t extent;
    if (!tn_dim_is_const(g->e->m->dims, v->type->dims[rank - 1], &extent)) {
        return NULL;
    }
    return rank == 2 ? v : tn_emit_reshape(g->e, v, (int64_t[]){-1, extent}, 2);
}

static tn_value *gemm(tn_grad *g, tn_value *a, tn_value *b, bool trans_a, bool trans_b) {
    enum { WITHOUT_C = 11 };
    tn_attr attrs[3];
    uint32_t n_attrs = 0, n = 2;
    double alpha = tn_grad_float(g, "alpha", 1);
    if (alpha != 1) {
        attrs[n_attrs++] = tn_attr_of_float("alpha", alpha);
    }
    if (trans_a) {
        attrs[n_attrs++] = tn_attr_of_int("transA", 1);
    }
    if (trans_b) {
        attrs[n_attrs++] = tn_attr_of_int("transB", 1);
    }
    tn_value *in[3] = {a, b, NULL};
    int64_t version = tn_module_opset(g->e->m, "");
    if (version > 0 && version < WITHOUT_C) {
        in[n++] = tn_emit_scalar(g->e, a->type->dtype, 0);
    }
    return tn_emit(g->e, "Gemm", in, n, attrs, n_attrs);
}

/* Whether there is a product of two matrices that transposes them itself, so that no transposed
 * copies have to be made: Gemm with operands that broadcast. */
static bool has_gemm(const tn_grad *g) {
    enum { BROADCASTS = 7 };
    int64_t version = tn_module_opset(g->e->m, "");
    return version == 0 || version >= BROADCASTS;
}

/* dA = d B^T */
tn_value *tn_grad_matmul_a(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    tn_value *b = args[0], *d = whole_d(g);
    uint32_t rank = tn_emit_rank(g->e, b);
    if (rank == 2 && tn_emit_rank(g->e, g->x) >= 2 && has_gemm(g)) {
        tn_value *rows_d = flattened(g, d);
        if (rows_d != NULL) {
            return tn_emit_reshape_like(g->e, gemm(g, rows_d, b, false, true), g->x);
        }
    }
    b = rank == 1 ? tn_emit_unsqueeze(g->e, b, (int64_t[]){0}, 1) : tn_emit_swapped(g->e, b);
    return as_operand(g, tn_emit_2(g->e, "MatMul", d, b));
}

/* Whether a copy of `a`, turned round, would take more bytes than copies of d and of the result, as
 * of the scores of attention. */
static bool is_larger_than_both(const tn_grad *g, const tn_value *a, const tn_value *d) {
    tn_dims *dims = g->e->m->dims;
    int64_t of_a, of_d, of_x;
    return tn_type_fixed_bytes(dims, a->type, &of_a) && tn_type_fixed_bytes(dims, d->type, &of_d) &&
           tn_type_fixed_bytes(dims, g->x->type, &of_x) && of_a > of_d + of_x;
}

/* dB = A^T d. For a stack times one matrix the stack is one long matrix, and the product has no
 * axis that would have to be summed afterwards. */
tn_value *tn_grad_matmul_b(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    tn_value *a = args[0], *d = whole_d(g);
    uint32_t rank = tn_emit_rank(g->e, a);
    if (rank == 1) {
        a = tn_emit_unsqueeze(g->e, a, (int64_t[]){1}, 1);
        return as_operand(g, tn_emit_2(g->e, "MatMul", a, d));
    }
    if (rank >= 2 && tn_emit_rank(g->e, g->x) == 2) {
        tn_value *rows = flattened(g, a), *rows_d = rows != NULL ? flattened(g, d) : NULL;
        if (rows_d != NULL) {
            return has_gemm(g) ? gemm(g, rows, rows_d, true, false)
                               : tn_emit_2(g->e, "MatMul", tn_emit_swapped(g->e, rows), rows_d);
        }
    }
    if (is_larger_than_both(g, a, d)) { /* (d^T A)^T */
        tn_value *turned = tn_emit_2(g->e, "MatMul", tn_emit_swapped(g->e, d), a);
        return as_operand(g, tn_emit_swapped(g->e, turned));
    }
    return as_operand(g, tn_emit_2(g->e, "MatMul", tn_emit_swapped(g->e, a), d));
}

/* ---- Gemm ---- */

tn_value *tn_grad_gemm_a(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    bool a = tn_grad_int(g, "transA", 0) != 0, b = tn_grad_int(g, "transB", 0) != 0;
    return a ? gemm(g, args[0], g->d, b, true) : gemm(g, g->d, args[0], false, !b);
}

tn_value *tn_grad_gemm_b(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    bool a = tn_grad_int(g, "transA", 0) != 0, b = tn_grad_int(g, "transB", 0) != 0;
    return b ? gemm(g, g->d, args[0], true, a) : gemm(g, args[0], g->d, !a, false);
}

tn_value *tn_grad_gemm_c(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)args;
    (void)n;
    return tn_grad_eval(g, "d * beta");
}

/* ---- com.microsoft.FusedMatMul: stacks of matrices, scaled and transposed ---- */

static tn_value *as_stored(tn_grad *g, tn_value *v, const char *attr) {
    if (tn_grad_int(g, "transBatchA", 0) != 0 || tn_grad_int(g, "transBatchB", 0) != 0) {
        tn_grad_fail(g, "the batch axes are transposed");
    }
    return tn_grad_int(g, attr, 0) != 0 ? tn_emit_swapped(g->e, v) : v;
}

tn_value *tn_grad_fused_matmul_a(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    tn_value *b = tn_emit_swapped(g->e, as_stored(g, args[0], "transB"));
    return as_operand(g, as_stored(g, tn_emit_2(g->e, "MatMul", g->d, b), "transA"));
}

tn_value *tn_grad_fused_matmul_b(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    tn_value *a = tn_emit_swapped(g->e, as_stored(g, args[0], "transA"));
    return as_operand(g, as_stored(g, tn_emit_2(g->e, "MatMul", a, g->d), "transB"));
}
