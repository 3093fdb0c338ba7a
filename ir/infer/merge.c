/* Types met from two sides: what inference finds against what the file states, and what two
 * branches or two iterations have in common. */
#include "ir/infer/infer.h"
#include "ir/mutate.h"

static bool is_shaped(const tn_type *t) {
    return t->kind == TN_TYPE_TENSOR || t->kind == TN_TYPE_SPARSE;
}

#define NO_RANK UINT32_MAX

/* A tensor or sparse tensor (as `like` is) with the given parts. */
static const tn_type *shaped(const tn_infer *in, const tn_type *like, tn_dtype dtype, uint32_t rank,
                             const tn_dim *dims) {
    const tn_type *dense = rank != NO_RANK ? tn_type_tensor(in->arena, dtype, rank, dims)
                                           : tn_type_unranked(in->arena, dtype);
    if (like->kind == TN_TYPE_TENSOR) {
        return dense;
    }
    tn_type *sparse = TN_NEW(in->arena, tn_type);
    *sparse = *dense;
    sparse->kind = like->kind;
    return sparse;
}

static bool is_given(void *user, const char *name, int64_t *value) {
    const tn_map *const *given = user;
    uint64_t ignored;
    *value = 1;
    return *given != NULL && tn_map_get(*given, tn_str_id(name), &ignored);
}

/* An extent that follows from the sizes of the inputs is exact; a stored constant beside it is what
 * the exporter saw at one size. Other symbols are the exporter's names for what it did not know,
 * and a constant says more. */
static bool follows_from_inputs(const tn_infer *in, tn_dim dim) {
    int64_t value;
    const tn_map *given = in->given;
    return tn_dim_eval(in->dims, dim, is_given, &given, &value);
}

static tn_dim merge_dim(const tn_infer *in, tn_dim inferred, tn_dim stored, bool *clash) {
    int64_t a, b;
    if (inferred == stored || stored == TN_DIM_UNKNOWN) {
        return inferred;
    }
    if (inferred == TN_DIM_UNKNOWN) {
        return stored;
    }
    bool stored_const = tn_dim_is_const(in->dims, stored, &b);
    if (tn_dim_is_const(in->dims, inferred, &a)) {
        *clash = *clash || stored_const;
        return inferred;
    }
    return stored_const && !follows_from_inputs(in, inferred) ? stored : inferred;
}

static const tn_type *merge_shaped(const tn_infer *in, const tn_type *inferred,
                                   const tn_type *stored, bool *clash) {
    tn_dtype dtype = inferred->dtype != TN_DT_UNKNOWN ? inferred->dtype : stored->dtype;
    *clash = dtype != stored->dtype && stored->dtype != TN_DT_UNKNOWN;
    if (!inferred->has_rank) {
        return shaped(in, inferred, dtype, stored->has_rank ? stored->rank : NO_RANK, stored->dims);
    }
    if (!stored->has_rank || stored->rank != inferred->rank) {
        *clash = *clash || stored->has_rank;
        return shaped(in, inferred, dtype, inferred->rank, inferred->dims);
    }
    tn_dim *dims = TN_ARRAY(in->scratch, tn_dim, inferred->rank);
    for (uint32_t i = 0; i < inferred->rank; i++) {
        dims[i] = merge_dim(in, inferred->dims[i], stored->dims[i], clash);
    }
    return shaped(in, inferred, dtype, inferred->rank, dims);
}

const tn_type *tn_infer_merge(const tn_infer *in, const tn_type *inferred, const tn_type *stored,
                              bool *clash) {
    *clash = false;
    if (inferred == NULL || inferred->kind == TN_TYPE_UNKNOWN) {
        return stored;
    }
    if (stored->kind == TN_TYPE_UNKNOWN || tn_type_equal(inferred, stored)) {
        return inferred;
    }
    if (inferred->kind != stored->kind) {
        *clash = true;
        return inferred;
    }
    if (is_shaped(inferred)) {
        return merge_shaped(in, inferred, stored, clash);
    }
    /* Wrapped types have no size; the stored one matters only where nothing is known inside. */
    bool hollow = inferred->elem == NULL || inferred->elem->kind == TN_TYPE_UNKNOWN;
    return hollow ? stored : inferred;
}

static const tn_type *join_shaped(const tn_infer *in, const tn_type *a, const tn_type *b) {
    tn_dtype dtype = a->dtype == b->dtype ? a->dtype : TN_DT_UNKNOWN;
    if (!a->has_rank || !b->has_rank || a->rank != b->rank) {
        return shaped(in, a, dtype, NO_RANK, NULL);
    }
    tn_dim *dims = TN_ARRAY(in->scratch, tn_dim, a->rank);
    for (uint32_t i = 0; i < a->rank; i++) {
        dims[i] = a->dims[i] == b->dims[i] ? a->dims[i] : TN_DIM_UNKNOWN;
    }
    return shaped(in, a, dtype, a->rank, dims);
}

const tn_type *tn_infer_join(const tn_infer *in, const tn_type *a, const tn_type *b) {
    if (tn_type_equal(a, b)) {
        return a;
    }
    if (a->kind != b->kind) {
        return tn_type_unknown();
    }
    if (is_shaped(a)) {
        return join_shaped(in, a, b);
    }
    if (a->elem == NULL || b->elem == NULL || a->dtype != b->dtype) {
        return tn_type_unknown();
    }
    /* One level is enough for sequences of tensors; deeper ones keep no more than their kind. */
    bool plain = is_shaped(a->elem) && is_shaped(b->elem) && a->elem->kind == b->elem->kind;
    const tn_type *elem = plain ? join_shaped(in, a->elem, b->elem) : tn_type_unknown();
    return tn_type_wrap(in->arena, a->kind, a->dtype, elem);
}

/* The declared type without the parts that `type` knows to be unknown. */
static const tn_type *forget_dims(const tn_infer *in, const tn_type *declared,
                                  const tn_type *type) {
    if (!is_shaped(declared) || !is_shaped(type) || !declared->has_rank) {
        return declared;
    }
    if (!type->has_rank || type->rank != declared->rank) {
        return shaped(in, declared, declared->dtype, NO_RANK, NULL);
    }
    tn_dim *dims = TN_ARRAY(in->scratch, tn_dim, type->rank);
    for (uint32_t i = 0; i < type->rank; i++) {
        dims[i] = type->dims[i] == TN_DIM_UNKNOWN ? TN_DIM_UNKNOWN : declared->dims[i];
    }
    return shaped(in, declared, declared->dtype, type->rank, dims);
}

void tn_infer_bind(tn_infer *in, tn_value *arg, const tn_type *type, bool trust) {
    const tn_type *declared = in->stored != NULL ? in->stored[arg->id] : arg->type;
    bool clash;
    if (in->on_read != NULL) {
        return;
    }
    if (!trust && type->kind != TN_TYPE_UNKNOWN) {
        declared = forget_dims(in, declared, type);
    }
    tn_value_set_type(arg, tn_infer_merge(in, type, declared, &clash));
    tn_value_set_content(arg, 0, NULL, NULL);
    if (clash && in->on_contradiction != NULL) {
        in->on_contradiction(in, arg, type, declared);
    }
}

void tn_infer_bind_content(tn_infer *in, tn_value *arg, uint32_t n, const tn_dim *dims,
                           const double *floats) {
    if (in->on_read == NULL) {
        tn_value_set_content(arg, n, dims, floats);
    }
}
