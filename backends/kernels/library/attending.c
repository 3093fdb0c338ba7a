/* Attention: queries, keys and values with heads as an axis, or side by side in the last axis. */
#include "attention_blocks.h"

/* Keys, or values, of before and new ones behind them, heads as an axis. */
static void put_present(const attention_heads *old, const attention_heads *h,
                        const tenure_tensor *y) {
    size_t width = element_width(h->t), bytes = h->size * width,
           rows = old->positions + h->positions;
    for (size_t i = 0; y != NULL && i < y->elements / h->size; i++) {
        size_t batch = i / rows / h->count, head = i / rows % h->count, at = i % rows;
        const attention_heads *from = at < old->positions ? old : h;
        at -= from == h ? old->positions : 0;
        size_t first = batch * from->batch_step + head * from->head_step + at * from->step;
        memcpy(OUT(y, uint8_t) + i * bytes, IN(from->t, uint8_t) + first * width, bytes);
    }
}

static int is_known(const tenure_tensor *t) {
    return t == NULL || (is_float(t) && t->dtype != TENURE_DTYPE_F64);
}

typedef struct operands {
    const tenure_tensor *q, *k, *v, *past_k, *past_v, *y, *present_k, *present_v;
    int64_t q_heads, k_heads; /* where they are no axis */
} operands;

/* `a` has the attributes, and the rest of the tensors; a scale that is NaN: the one by default. */
static int attention_of(const operands *o, attention *a) {
    if (!is_known(o->q) || !is_known(o->k) || !is_known(o->v) || !is_known(o->past_k) ||
        !is_known(o->past_v)) {
        return BAD_TYPE3("f32, f16 and bf16", o->q, o->k, o->v);
    }
    if (attention_heads_of(o->q, o->q_heads, &a->q) ||
        attention_heads_of(o->k, o->k_heads, &a->k) ||
        attention_heads_of(o->v, o->k_heads, &a->v) ||
        attention_heads_of(o->past_k, 0, &a->past_k) ||
        attention_heads_of(o->past_v, 0, &a->past_v) ||
        attention_heads_of(o->y, o->q_heads, &a->y)) {
        return KERNEL_BAD_SHAPE;
    }
    a->scale = a->scale != a->scale ? 1 / sqrtf((float)a->q.size) : a->scale;
    int bad = attend(a);
    if (!bad) {
        put_present(&a->past_k, &a->k, o->present_k);
        put_present(&a->past_v, &a->v, o->present_v);
    }
    return bad;
}

/* What all versions have. */
#define ATTENTION_INIT(a, o)                                                                       \
    memset(&(a), 0, sizeof(a));                                                                    \
    (o).q = q, (o).k = k, (o).v = v, (o).past_k = past_k, (o).past_v = past_v, (o).y = y;          \
    (o).present_k = present_k, (o).present_v = present_v;                                          \
    (o).q_heads = at->has_q_num_heads ? at->q_num_heads : 0;                                       \
    (o).k_heads = at->has_kv_num_heads ? at->kv_num_heads : 0;                                     \
    (a).mask = mask, (a).scores = scores, (a).scores_mode = at->qk_matmul_output_mode;             \
    (a).scale = at->has_scale ? at->scale : NAN, (a).cap = at->softcap;                            \
    (a).causal = at->is_causal != 0

int tenure_Attention_23(const tenure_Attention_23_attributes *at, const tenure_tensor *q,
                        const tenure_tensor *k, const tenure_tensor *v, const tenure_tensor *mask,
                        const tenure_tensor *past_k, const tenure_tensor *past_v,
                        const tenure_tensor *y, const tenure_tensor *present_k,
                        const tenure_tensor *present_v, const tenure_tensor *scores,
                        const tenure_context *c) {
    attention a;
    operands o;
    (void)c;
    ATTENTION_INIT(a, o);
    a.left = a.right = -1;
    return attention_of(&o, &a);
}

#define ATTENTION(version, left_size, right_size)                                                  \
    int tenure_Attention_##version(                                                                \
        const tenure_Attention_##version##_attributes *at, const tenure_tensor *q,                 \
        const tenure_tensor *k, const tenure_tensor *v, const tenure_tensor *mask,                 \
        const tenure_tensor *past_k, const tenure_tensor *past_v, const tenure_tensor *lengths,    \
        const tenure_tensor *y, const tenure_tensor *present_k, const tenure_tensor *present_v,    \
        const tenure_tensor *scores, const tenure_context *c) {                                    \
        attention a;                                                                               \
        operands o;                                                                                \
        (void)c;                                                                                   \
        ATTENTION_INIT(a, o);                                                                      \
        a.lengths = lengths;                                                                       \
        a.left = left_size;                                                                        \
        a.right = right_size;                                                                      \
        return attention_of(&o, &a);                                                               \
    }
ATTENTION(24, -1, -1)
ATTENTION(25, at->left_window_size, at->right_window_size)
