#include "ir/infer/carried.h"

#include "ir/base/limits.h"

enum { PRECISE_ROUNDS = 3 };

/* The part of a type that a loop cannot change. */
static const tn_type *loosen(const tn_infer *in, const tn_type *t) {
    switch (t->kind) {
    case TN_TYPE_TENSOR:
        return tn_type_unranked(in->arena, t->dtype);
    case TN_TYPE_SEQUENCE:
    case TN_TYPE_OPTIONAL:
        return tn_type_wrap(in->arena, t->kind, t->dtype, tn_type_unknown());
    case TN_TYPE_UNKNOWN:
    case TN_TYPE_SPARSE:
    case TN_TYPE_MAP:
    case TN_TYPE_OPAQUE:
        break;
    }
    return t;
}

/* The bound type may know more than what flowed in, from the body's declaration. */
static void bind_all(tn_infer *in, tn_carried *c, bool trust) {
    for (uint32_t k = 0; k < c->n; k++) {
        tn_infer_bind(in, c->args[k], c->types[k], trust);
        c->types[k] = c->args[k]->type;
    }
}

static void loosen_all(tn_infer *in, tn_carried *c) {
    for (uint32_t k = 0; k < c->n; k++) {
        c->types[k] = loosen(in, c->types[k]);
        c->changes[k] = true;
    }
    c->round = PRECISE_ROUNDS;
}

tn_carried *tn_carried_start(tn_infer *in, uint32_t n, tn_value **args, tn_value **outs,
                             const tn_type *const *flow) {
    tn_carried *c = TN_NEW(in->scratch, tn_carried);
    c->n = n;
    c->args = args;
    c->outs = outs;
    c->types = TN_ARRAY(in->scratch, const tn_type *, n);
    c->changes = TN_ARRAY(in->scratch, bool, n);
    for (uint32_t k = 0; k < n; k++) {
        c->types[k] = flow[k];
    }
    if (in->cautious) {
        loosen_all(in, c);
    }
    bind_all(in, c, !in->cautious);
    return c;
}

bool tn_carried_settled(tn_infer *in, tn_carried *c) {
    bool changed = false;
    for (uint32_t k = 0; k < c->n; k++) {
        const tn_type *both = tn_infer_join(in, c->types[k], c->outs[k]->type);
        if (!tn_type_equal(both, c->types[k])) {
            c->types[k] = both;
            c->changes[k] = changed = true;
        }
    }
    if (!changed || c->round == PRECISE_ROUNDS) {
        return true;
    }
    c->round++;
    if (c->round == PRECISE_ROUNDS || in->cautious) {
        loosen_all(in, c);
    }
    bind_all(in, c, false);
    return false;
}

const char *tn_carried_why(const tn_carried *c, uint32_t k) {
    return c->changes[k] ? "its shape changes between iterations, at run time"
                         : c->outs[k]->unplanned;
}

static bool is_ranked(const tn_type *t) {
    return t->kind == TN_TYPE_TENSOR && t->has_rank;
}

const tn_type *tn_type_slice(const tn_infer *in, const tn_type *type, int64_t axis) {
    int64_t at = axis < 0 && is_ranked(type) ? axis + type->rank : axis;
    if (!is_ranked(type) || at < 0 || at >= type->rank) {
        return type->kind == TN_TYPE_TENSOR ? tn_type_unranked(in->arena, type->dtype) : type;
    }
    tn_dim *dims = TN_ARRAY(in->scratch, tn_dim, type->rank);
    uint32_t n = 0;
    for (uint32_t i = 0; i < type->rank; i++) {
        if (i != at) {
            dims[n++] = type->dims[i];
        }
    }
    return tn_type_tensor(in->arena, type->dtype, n, dims);
}

const tn_type *tn_type_stack(const tn_infer *in, const tn_type *type, int64_t axis, tn_dim extent) {
    int64_t at = axis < 0 && is_ranked(type) ? axis + type->rank + 1 : axis;
    if (!is_ranked(type) || at < 0 || at > type->rank || type->rank >= TN_MAX_RANK) {
        return type->kind == TN_TYPE_TENSOR ? tn_type_unranked(in->arena, type->dtype) : type;
    }
    tn_dim *dims = TN_ARRAY(in->scratch, tn_dim, type->rank + 1u);
    uint32_t n = 0;
    for (uint32_t i = 0; i <= type->rank; i++) {
        if (i == at) {
            dims[n++] = extent;
        }
        if (i < type->rank) {
            dims[n++] = type->dims[i];
        }
    }
    return tn_type_tensor(in->arena, type->dtype, n, dims);
}
