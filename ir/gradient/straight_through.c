#include "ir/gradient/straight_through.h"

#include <math.h>
#include <string.h>

#include "ir/gradient/copy_body.h"
#include "ir/gradient/expand.h"
#include "ir/mutate.h"
#include "ir/tensor_bytes.h"
#include "ir/walk.h"

static bool is_called(const tn_op *op, const char *name) {
    return op != NULL && !op->erased && op->info->straight != NULL &&
           strcmp(op->info->straight, name) == 0;
}

/* ---- numbers ---- */

static tn_value *two(const tn_grad *g, const char *type, tn_value *a, tn_value *b) {
    return tn_emit_2(g->e, type, a, b);
}

static tn_value *number(const tn_grad *g, const tn_value *like, double x) {
    return tn_emit_scalar(g->e, like->type->dtype, x);
}

static tn_value *cut(const tn_grad *g, tn_value *x, double low, double high) {
    tn_value *least = number(g, x, low);
    return tn_emit_3(g->e, "Clip", x, least, number(g, x, high));
}

/* The elements of a constant as numbers, in scratch; NULL where they are not known. */
static double *elements(const tn_grad *g, const tn_tensor *t) {
    const tn_dtype_info *info = tn_dtype_get(t->dtype);
    unsigned width = info->bits / 8u;
    if (info->bits % 8u != 0 || width == 0 || !tn_tensor_has_bytes(t)) {
        return NULL;
    }
    tn_sink bytes = tn_sink_make(g->e->scratch);
    double *out = TN_ARRAY(g->e->scratch, double, (size_t)t->n_elements + 1u);
    tn_tensor_put_bytes(t, &bytes);
    for (size_t i = 0; i < t->n_elements; i++) {
        uint64_t pattern = tn_pattern_load((const uint8_t *)bytes.data + i * width, width);
        int64_t whole;
        if (info->kind == 'F' ? !tn_pattern_float(t->dtype, pattern, &out[i])
                              : !tn_pattern_int(t->dtype, pattern, &whole)) {
            return NULL;
        }
        out[i] = info->kind == 'F' ? out[i] : (double)whole;
    }
    return out;
}

/* A number that a constant holds. */
static double known(const tn_grad *g, const tn_tensor *t, const char *what) {
    const double *x = t != NULL && t->n_elements == 1 ? elements(g, t) : NULL;
    if (x == NULL) {
        tn_grad_fail(g, "%s is not known before the run", what);
    }
    return *x;
}

/* ---- Quant ---- */

static const char *rounding_of(const tn_grad *g) {
    const char *mode = tn_grad_text(g, "rounding_mode", "ROUND");
    const char *type = strcmp(mode, "ROUND") == 0   ? "Round"
                       : strcmp(mode, "FLOOR") == 0 ? "Floor"
                       : strcmp(mode, "CEIL") == 0  ? "Ceil"
                                                    : NULL;
    if (type == NULL) {
        tn_grad_fail(g, "rounding_mode '%s' cannot be expanded", mode);
    }
    return type;
}

static void expand_quant(tn_grad *g, tn_value **made) {
    enum { X, SCALE, ZERO, BITS };
    const tn_op *op = g->op;
    double bits = known(g, tn_value_tensor(tn_operand(op, BITS)), "the bit width");
    if (!(bits >= 1 && bits <= 32)) {
        tn_grad_fail(g, "a bit width of %g cannot be expanded", bits);
    }
    bool is_signed = tn_grad_int(g, "signed", 1) != 0, narrow = tn_grad_int(g, "narrow", 0) != 0;
    double low = is_signed ? narrow - ldexp(1, (int)bits - 1) : 0;
    double high = is_signed ? ldexp(1, (int)bits - 1) - 1 : ldexp(1, (int)bits) - 1 - narrow;
    tn_value *scale = tn_operand(op, SCALE), *zero = tn_operand(op, ZERO);
    tn_value *at = two(g, "Add", two(g, "Div", tn_operand(op, X), scale), zero);
    tn_value *whole = tn_emit_1(g->e, rounding_of(g), cut(g, at, low, high));
    made[0] = two(g, "Mul", two(g, "Sub", whole, zero), scale);
}

/* ---- QuantizeLinear and DequantizeLinear ---- */

typedef struct quantiser {
    tn_value *scale, *zero; /* to be broadcast to what is quantised; zero: floats, or NULL */
} quantiser;

/* Operand k of `op` (NULL: left out), one for each row of an axis or one of all, in the element
 * type of x and to be broadcast to it. */
static tn_value *per_row(const tn_grad *g, const tn_op *op, uint32_t k, tn_value *x) {
    tn_value *v = tn_operand(op, k);
    if (v == NULL) {
        return NULL;
    }
    uint32_t rank = tn_emit_rank(g->e, x), n = 0;
    v = tn_emit_cast(g->e, v, x->type->dtype);
    uint32_t own = tn_emit_rank(g->e, v);
    if (own == 0 || (own == 1 && tn_emit_extents(g->e, v)[0] == 1)) {
        return v;
    }
    if (own != 1 || tn_attr_int(op, "block_size", 0) != 0) {
        tn_grad_fail(g, "scales of blocks cannot be expanded");
    }
    int64_t axis = tn_attr_int(op, "axis", 1),
            *others = TN_ARRAY(g->e->scratch, int64_t, rank + 1u);
    for (int64_t i = 0; i < (int64_t)rank; i++) {
        if (i != (axis < 0 ? axis + (int64_t)rank : axis)) {
            others[n++] = i;
        }
    }
    return tn_emit_unsqueeze(g->e, v, others, n);
}

static quantiser read_quantiser(const tn_grad *g, const tn_op *op, tn_value *x) {
    quantiser q = {.scale = per_row(g, op, 1, x)};
    q.zero = per_row(g, op, 2, x);
    return q;
}

/* The whole numbers that x is quantised to, as floats. */
static tn_value *quantised(const tn_grad *g, const quantiser *q, tn_value *x, tn_dtype dtype) {
    const tn_dtype_info *info = tn_dtype_get(dtype);
    tn_value *whole = tn_emit_1(g->e, "Round", two(g, "Div", x, q->scale));
    if (!tn_dtype_is_int(dtype) || info->bits > 32) {
        tn_grad_fail(g, "type %s cannot be expanded", info->name);
    }
    whole = q->zero != NULL ? two(g, "Add", whole, q->zero) : whole;
    if (info->bits == 32) {
        return whole; /* floats of 32 bits have not its bounds, which biases are far from */
    }
    double top = ldexp(1, info->bits - (info->kind == 'I')) - 1;
    return cut(g, whole, info->kind == 'I' ? -top - 1 : 0, top);
}

static tn_value *dequantised(const tn_grad *g, const quantiser *q, tn_value *whole) {
    whole = q->zero != NULL ? two(g, "Sub", whole, q->zero) : whole;
    return two(g, "Mul", whole, q->scale);
}

static void expand_pair(tn_grad *g, tn_value **made) {
    const tn_op *first = tn_operand(g->op, 0)->def;
    tn_value *x = tn_operand(first, 0);
    quantiser in = read_quantiser(g, first, x), out = read_quantiser(g, g->op, x);
    tn_value *whole = quantised(g, &in, x, first->results[0]->type->dtype);
    made[0] = tn_emit_cast(g->e, dequantised(g, &out, whole), g->op->results[0]->type->dtype);
}

/* ---- weights that are whole numbers ---- */

/* Element i of what is one for all or one for each row of an axis, of which `step` elements lie
 * between two rows. */
static double of_row(const double *x, uint64_t n, size_t i, size_t step) {
    return x == NULL || n == 0 ? 0 : x[n == 1 ? 0 : i / step % n];
}

static size_t step_of(const tn_op *op, const tn_tensor *t) {
    int64_t axis = tn_attr_int(op, "axis", 1);
    size_t step = 1;
    for (uint32_t i = t->rank; i-- > 0 && (int64_t)i > (axis < 0 ? axis + t->rank : axis);) {
        step *= (size_t)t->dims[i];
    }
    return step;
}

/* The parameter that DequantizeLinear makes of constant `t`. */
static tn_value *weights(const tn_grad *g, const tn_tensor *t) {
    const tn_value *scale = tn_operand(g->op, 1), *zero = tn_operand(g->op, 2);
    const tn_tensor *s = tn_value_tensor(scale), *z = zero != NULL ? tn_value_tensor(zero) : NULL;
    double *x = elements(g, t);
    const double *scales = s != NULL ? elements(g, s) : NULL;
    const double *zeros = z != NULL ? elements(g, z) : NULL;
    if (x == NULL || scales == NULL || (zero != NULL && zeros == NULL)) {
        tn_grad_fail(g, "scale and zero point are not known before the run");
    }
    size_t step = step_of(g->op, t);
    for (size_t i = 0; i < t->n_elements; i++) {
        double from = of_row(zeros, z != NULL ? z->n_elements : 1, i, step);
        x[i] = (x[i] - from) * of_row(scales, s->n_elements, i, step);
    }
    const char *name = tn_internf(g->e->ctx, "%s_float", tn_operand(g->op, 0)->name);
    tn_value *made = tn_emit_own_floats(g->e, name, g->op->results[0]->type->dtype, t->rank,
                                        t->dims, x, (uint32_t)t->n_elements);
    tn_value_set_flags(made, TN_VF_PARAM, 0);
    return made;
}

static void expand_weights(tn_grad *g, tn_value **made) {
    tn_value *whole = tn_operand(g->op, 0);
    tn_value *x = weights(g, tn_value_tensor(whole));
    quantiser q = read_quantiser(g, g->op, x);
    made[0] = dequantised(g, &q, quantised(g, &q, x, whole->type->dtype));
}

static bool holds_whole_weights(const tn_value *v) {
    const tn_tensor *t = v != NULL ? tn_value_tensor(v) : NULL;
    return t != NULL && t->n_elements > 1 && tn_dtype_is_int(t->dtype) && tn_tensor_has_bytes(t);
}

/* Ops behind `op` that dequantise the same in the same way, as exporters write one for each reader:
 * what they make is one parameter. */
static void merge(tn_op *op) {
    tn_value *whole = tn_operand(op, 0);
    for (tn_use *u = whole->first_use, *next; u != NULL; u = next) {
        tn_op *other = u->op;
        next = u->next;
        bool same = other != op && other->graph == op->graph && is_called(other, "=dequantize") &&
                    tn_operand(other, 0) == whole && tn_operand(other, 1) == tn_operand(op, 1) &&
                    tn_operand(other, 2) == tn_operand(op, 2) &&
                    tn_attr_int(other, "axis", 1) == tn_attr_int(op, "axis", 1) &&
                    (other->results[0]->flags & TN_VF_OUTPUT) == 0;
        if (same) {
            tn_replace_all_uses(other->results[0], op->results[0]);
            tn_op_erase(other);
        }
    }
}

/* ---- all of them ---- */

static tn_expansion expansion_of(const tn_op *op) {
    const tn_value *x = tn_operand(op, 0);
    if (is_called(op, "=quant")) {
        return expand_quant;
    }
    if (!is_called(op, "=dequantize") || x == NULL) {
        return NULL;
    }
    return x->kind == TN_VALUE_RESULT && is_called(x->def, "=quantize") ? expand_pair
           : holds_whole_weights(x)                                     ? expand_weights
                                                                        : NULL;
}

/* From the first to the last: what is merged is read behind the op that stays. */
uint32_t tn_straighten(tn_emitter *e) {
    uint32_t n = 0, n_ops = 0;
    tn_op **ops = TN_ARRAY(e->scratch, tn_op *, e->m->n_ops);
    TN_FOR_ALL_OPS(op, e->m->main) {
        ops[n_ops++] = op;
    }
    for (uint32_t i = 0; i < n_ops; i++) {
        tn_op *op = ops[i];
        tn_expansion expansion = op->erased ? NULL : expansion_of(op);
        if (expansion == expand_weights) {
            merge(op);
        }
        if (expansion != NULL) {
            (void)tn_expand_by(e, op, expansion);
            n++;
        }
    }
    for (uint32_t i = 0; i < n_ops; i++) {
        if (is_called(ops[i], "=quantize")) {
            tn_erase_unread(ops[i]);
        }
    }
    return n;
}

/* ---- RequantShift ---- */

static double level(const tn_grad *g, const char *name, const char *other, double fallback) {
    const tn_attr *a = tn_op_attr(g->op, name);
    a = a == NULL && other != NULL ? tn_op_attr(g->op, other) : a;
    if (a != NULL && a->kind == TN_ATTR_TENSOR) {
        return known(g, a->u.t, name);
    }
    return a == NULL                  ? fallback
           : a->kind == TN_ATTR_FLOAT ? a->u.f
           : a->kind == TN_ATTR_INT   ? (double)a->u.i
                                      : fallback;
}

tn_value *tn_grad_requant(tn_grad *g, tn_value *const *args, uint32_t n) {
    (void)n;
    double div = level(g, "div", NULL, 1), levels = level(g, "n_levels", "n_levels_out", 256);
    double low = level(g, "signed", NULL, 1) != 0 ? -levels / 2 : 0, high = low + levels - 1;
    tn_value *by = number(g, args[0], div), *least = number(g, args[0], low * div);
    tn_value *most = number(g, args[0], high * div);
    tn_value *at = args[1] != NULL ? tn_grad_eval(g, "$0 * $1", args[0], args[1]) : args[0];
    at = args[2] != NULL ? tn_grad_eval(g, "$0 + $1", at, args[2]) : at;
    return tn_grad_eval(g, "Where(Less($0, $1), 0, Where(Greater($0, $2), 0, d / $3))", at, least,
                        most, by);
}
