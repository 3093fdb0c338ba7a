/* Attention as plain ops: products of queries and keys, a softmax, and a product with the values.
 * What a kernel leaves out is added to the scores as a number far below them. */
#include <math.h>

#include "ir/gradient/expand.h"

typedef struct attention {
    tn_grad *g;
    tn_emitter *e;
    tn_value *q, *k, *v; /* [batch,heads,length,size] */
    tn_value *bias;      /* added to the scores [batch,heads,queries,keys]; or NULL */
    double scale, cap;   /* scale 0: 1 / sqrt(size); cap 0: none */
} attention;

static tn_value *mul(const attention *a, tn_value *x, double by) {
    return tn_emit_2(a->e, "Mul", x, tn_emit_scalar(a->e, x->type->dtype, by));
}

static void add_bias(attention *a, tn_value *bias) {
    a->bias = a->bias != NULL ? tn_emit_2(a->e, "Add", a->bias, bias) : bias;
}

/* Far below any score, but so that two of them can be added. */
static double far_below(tn_dtype dtype) {
    return dtype == TN_DT_FLOAT16 ? -30000 : -1e30;
}

/* 0 where the mask holds (is not 0), `below` elsewhere. */
static tn_value *bias_of_mask(const attention *a, tn_value *mask, double below) {
    tn_dtype dtype = a->q->type->dtype;
    tn_value *holds = tn_emit_cast(a->e, mask, TN_DT_BOOL);
    tn_value *zero = tn_emit_scalar(a->e, dtype, 0);
    tn_value *in[] = {holds, zero, tn_emit_scalar(a->e, dtype, below)};
    tn_value *older = tn_emit_older(a->e, "Where", in);
    return older != NULL ? older : tn_emit(a->e, "Where", in, 3, NULL, 0);
}

/* A query sees the keys up to its own place, which is `past` further back for keys. */
static void see_past_only(attention *a, int64_t past) {
    tn_dtype dtype = a->q->type->dtype;
    int64_t dims[] = {tn_emit_extents(a->e, a->q)[2], tn_emit_extents(a->e, a->k)[2]};
    double *bias = TN_ARRAY(a->e->scratch, double, (size_t)(dims[0] * dims[1]) + 1u);
    for (int64_t i = 0; i < dims[0]; i++) {
        for (int64_t j = 0; j < dims[1]; j++) {
            bias[i * dims[1] + j] = j > i + past ? far_below(dtype) : 0;
        }
    }
    add_bias(a, tn_emit_floats(a->e, "causal_bias", dtype, 2, dims, bias,
                               (uint32_t)(dims[0] * dims[1])));
}

/* [batch,length,heads size] as [batch,heads,length,size]; four axes stay as they are. */
static tn_value *in_heads(const attention *a, tn_value *x, int64_t heads) {
    if (tn_emit_rank(a->e, x) == 4) {
        return x;
    }
    const int64_t *dims = tn_emit_extents(a->e, x);
    if (tn_emit_rank(a->e, x) != 3 || heads < 1 || dims[2] % heads != 0) {
        tn_grad_fail(a->g, "'%s' is not of the form [batch,length,heads size]", x->name);
    }
    int64_t split[] = {dims[0], dims[1], heads, dims[2] / heads};
    return tn_emit_transpose(a->e, tn_emit_reshape(a->e, x, split, 4), (int64_t[]){0, 2, 1, 3}, 4);
}

static tn_value *out_of_heads(const attention *a, tn_value *y) {
    const int64_t *dims = tn_emit_extents(a->e, y);
    int64_t joined[] = {dims[0], dims[2], dims[1] * dims[3]};
    tn_value *rows = tn_emit_transpose(a->e, y, (int64_t[]){0, 2, 1, 3}, 4);
    return tn_emit_reshape(a->e, rows, joined, 3);
}

/* Each head of keys or values as often as heads of queries share it. */
static tn_value *shared(const attention *a, tn_value *x) {
    int64_t heads = tn_emit_extents(a->e, a->q)[1];
    const int64_t *dims = tn_emit_extents(a->e, x);
    if (dims[1] == heads || dims[1] < 1 || heads % dims[1] != 0) {
        return x;
    }
    int64_t times = heads / dims[1], all[] = {dims[0], heads, dims[2], dims[3]};
    tn_value *apart = tn_emit_unsqueeze(a->e, x, (int64_t[]){2}, 1);
    tn_value **copies = TN_ARRAY(a->e->scratch, tn_value *, (size_t)times);
    for (int64_t i = 0; i < times; i++) {
        copies[i] = apart;
    }
    return tn_emit_reshape(a->e, tn_emit_concat(a->e, copies, (uint32_t)times, 2), all, 4);
}

static tn_value *attend(const attention *a) {
    tn_emitter *e = a->e;
    double size = (double)tn_emit_extents(e, a->q)[3];
    tn_value *scores = tn_emit_2(e, "MatMul", a->q, tn_emit_swapped(e, shared(a, a->k)));
    scores = mul(a, scores, a->scale != 0 ? a->scale : 1 / sqrt(size));
    if (a->cap > 0) {
        scores = mul(a, tn_emit_1(e, "Tanh", mul(a, scores, 1 / a->cap)), a->cap);
    }
    scores = a->bias != NULL ? tn_emit_2(e, "Add", scores, a->bias) : scores;
    tn_attr last = tn_attr_of_int("axis", 3);
    tn_value *parts = tn_emit(e, "Softmax", &scores, 1, &last, 1);
    return tn_emit_2(e, "MatMul", parts, shared(a, a->v));
}

/* Keys or values behind those of earlier runs. Returns how many these are. */
static int64_t put_behind(const attention *a, tn_value *past, tn_value **now) {
    if (past != NULL) {
        *now = tn_emit_concat(a->e, (tn_value *[]){past, *now}, 2, 2);
        return tn_emit_extents(a->e, past)[2];
    }
    return 0;
}

static void refuse_operand(tn_grad *g, uint32_t k, const char *name) {
    if (tn_operand(g->op, k) != NULL) {
        tn_grad_fail(g, "operand %s cannot be expanded", name);
    }
}

static void refuse_result(tn_grad *g, uint32_t r, const char *name) {
    if (tn_result(g->op, r) != NULL) {
        tn_grad_fail(g, "result %s cannot be expanded", name);
    }
}

static void refuse_attr(tn_grad *g, const char *name, int64_t usual) {
    if (tn_grad_int(g, name, usual) != usual) {
        tn_grad_fail(g, "attribute %s cannot be expanded", name);
    }
}

static attention read_attention(tn_grad *g) {
    return (attention){.g = g,
                       .e = g->e,
                       .scale = tn_grad_float(g, "scale", 0),
                       .cap = tn_grad_float(g, "softcap", 0)};
}

/* ---- ai.onnx.Attention ---- */

static void read_mask(attention *a, tn_value *mask) {
    if (mask == NULL) {
        return;
    }
    uint32_t rank = tn_emit_rank(a->e, mask);
    if (rank < 1 || tn_emit_extents(a->e, mask)[rank - 1] != tn_emit_extents(a->e, a->k)[2]) {
        tn_grad_fail(a->g, "'%s' (attn_mask) does not reach to all keys", mask->name);
    }
    bool truth = mask->type->dtype == TN_DT_BOOL;
    add_bias(a, truth ? bias_of_mask(a, mask, far_below(a->q->type->dtype)) : mask);
}

void tn_expand_attention(tn_grad *g, tn_value **made) {
    enum { Q, K, V, MASK, PAST_K, PAST_V, LENGTHS };
    attention a = read_attention(g);
    refuse_operand(g, LENGTHS, "nonpad_kv_seqlen");
    refuse_result(g, 3, "qk_matmul_output");
    refuse_attr(g, "left_window_size", -1);
    refuse_attr(g, "right_window_size", -1);
    refuse_attr(g, "softmax_precision", 0);
    int64_t kv_heads = tn_grad_int(g, "kv_num_heads", 0);
    a.q = in_heads(&a, tn_operand(g->op, Q), tn_grad_int(g, "q_num_heads", 0));
    a.k = in_heads(&a, tn_operand(g->op, K), kv_heads);
    a.v = in_heads(&a, tn_operand(g->op, V), kv_heads);
    int64_t past = put_behind(&a, tn_operand(g->op, PAST_K), &a.k);
    (void)put_behind(&a, tn_operand(g->op, PAST_V), &a.v);
    read_mask(&a, tn_operand(g->op, MASK));
    if (tn_grad_int(g, "is_causal", 0) != 0) {
        see_past_only(&a, past);
    }
    tn_value *y = attend(&a);
    made[0] = tn_emit_rank(g->e, tn_operand(g->op, Q)) == 3 ? out_of_heads(&a, y) : y;
    if (g->op->n_results > 1) {
        made[1] = a.k;
    }
    if (g->op->n_results > 2) {
        made[2] = a.v;
    }
}

/* ---- com.microsoft ---- */

/* [batch,keys] or [batch,queries,keys], 0 where a key is not seen. */
static void read_padding(attention *a, tn_value *mask) {
    if (mask == NULL) {
        return;
    }
    uint32_t rank = tn_emit_rank(a->e, mask);
    if ((rank != 2 && rank != 3) ||
        tn_emit_extents(a->e, mask)[rank - 1] != tn_emit_extents(a->e, a->k)[2]) {
        tn_grad_fail(a->g, "mask '%s' is not of the form [batch,keys] or [batch,queries,keys]",
                     mask->name);
    }
    double below = tn_grad_float(a->g, "mask_filter_value", -10000);
    tn_value *bias = bias_of_mask(a, mask, below);
    add_bias(a, tn_emit_unsqueeze(a->e, bias, (int64_t[]){1, 2}, rank == 2 ? 2 : 1));
}

/* What both ops have behind their queries, keys and values. */
static tn_value *attend_masked(attention *a, tn_value *mask, tn_value *bias, int64_t past) {
    read_padding(a, mask);
    if (bias != NULL) {
        add_bias(a, bias);
    }
    if (tn_grad_int(a->g, "unidirectional", 0) != 0) {
        see_past_only(a, past);
    }
    return out_of_heads(a, attend(a));
}

/* Columns [*at, *at + width) of x along its last axis; *at moves behind them. */
static tn_value *columns(const attention *a, tn_value *x, int64_t *at, int64_t width) {
    int64_t from = *at;
    *at += width;
    return tn_emit_slice(a->e, x, tn_emit_rank(a->e, x) - 1, from, *at);
}

void tn_expand_ms_attention(tn_grad *g, tn_value **made) {
    enum { INPUT, WEIGHTS, BIAS, MASK, PAST, SCORE_BIAS, PAST_LENGTH };
    attention a = read_attention(g);
    refuse_operand(g, PAST_LENGTH, "past_sequence_length");
    refuse_attr(g, "do_rotary", 0);
    int64_t heads = tn_grad_int(g, "num_heads", 0), at = 0, past = 0;
    tn_value *all = tn_emit_2(g->e, "MatMul", tn_operand(g->op, INPUT), tn_operand(g->op, WEIGHTS));
    tn_value *bias = tn_operand(g->op, BIAS), *before = tn_operand(g->op, PAST);
    all = bias != NULL ? tn_emit_2(g->e, "Add", all, bias) : all;
    uint32_t n;
    const int64_t *sizes = tn_grad_ints(g, "qkv_hidden_sizes", &n);
    int64_t third = tn_emit_extents(g->e, all)[2] / 3, equal[] = {third, third, third};
    sizes = n == 3 ? sizes : equal;
    a.q = in_heads(&a, columns(&a, all, &at, sizes[0]), heads);
    a.k = in_heads(&a, columns(&a, all, &at, sizes[1]), heads);
    a.v = in_heads(&a, columns(&a, all, &at, sizes[2]), heads);
    if (before != NULL) { /* [2,batch,heads,length,size] */
        tn_value *const *both = tn_emit_rows(g->e, before, 0, 2);
        past = put_behind(&a, tn_emit_squeeze(g->e, both[0], (int64_t[]){0}, 1), &a.k);
        (void)put_behind(&a, tn_emit_squeeze(g->e, both[1], (int64_t[]){0}, 1), &a.v);
    }
    made[0] = attend_masked(&a, tn_operand(g->op, MASK), tn_operand(g->op, SCORE_BIAS), past);
    if (tn_result(g->op, 1) != NULL) {
        tn_value *keys = tn_emit_unsqueeze(g->e, a.k, (int64_t[]){0}, 1);
        tn_value *both[] = {keys, tn_emit_unsqueeze(g->e, a.v, (int64_t[]){0}, 1)};
        made[1] = tn_emit_concat(g->e, both, 2, 0);
    }
}

void tn_expand_multi_head_attention(tn_grad *g, tn_value **made) {
    enum { Q, K, V, BIAS, MASK, SCORE_BIAS, PAST_K, PAST_V, PAST_LENGTH, CACHE };
    attention a = read_attention(g);
    refuse_operand(g, PAST_LENGTH, "past_sequence_length");
    refuse_operand(g, CACHE, "cache_indirection");
    refuse_result(g, 3, "qk");
    int64_t heads = tn_grad_int(g, "num_heads", 0), at = 0;
    tn_value *in[] = {tn_operand(g->op, Q), tn_operand(g->op, K), tn_operand(g->op, V)};
    tn_value *bias = tn_operand(g->op, BIAS);
    for (uint32_t i = 0; i < 3; i++) {
        if (in[i] == NULL || tn_emit_rank(g->e, in[i]) > 4) {
            tn_grad_fail(g, "packed queries, keys and values cannot be expanded");
        }
        if (bias != NULL && tn_emit_rank(g->e, in[i]) == 3) { /* what lies in heads has it */
            tn_value *own = columns(&a, bias, &at, tn_emit_extents(g->e, in[i])[2]);
            in[i] = tn_emit_2(g->e, "Add", in[i], own);
        }
    }
    a.q = in_heads(&a, in[0], heads);
    a.k = in_heads(&a, in[1], heads);
    a.v = in_heads(&a, in[2], heads);
    int64_t past = put_behind(&a, tn_operand(g->op, PAST_K), &a.k);
    (void)put_behind(&a, tn_operand(g->op, PAST_V), &a.v);
    made[0] = attend_masked(&a, tn_operand(g->op, MASK), tn_operand(g->op, SCORE_BIAS), past);
    if (g->op->n_results > 1) {
        made[1] = a.k;
    }
    if (g->op->n_results > 2) {
        made[2] = a.v;
    }
}
