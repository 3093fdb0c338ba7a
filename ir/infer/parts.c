#include "ir/infer/parts.h"

#include "ir/infer/carried.h"
#include "ir/infer/common.h"
#include "ir/ops/rules.h"

typedef struct builder {
    tn_infer *in; /* in->op is the maker at hand */
    uint32_t n;
    const tn_type *types[TN_PARTS_MOST];
} builder;

bool tn_parts_at(int64_t position, uint32_t n, uint32_t *at) {
    position += position < 0 ? n : 0;
    *at = (uint32_t)position;
    return position >= 0 && position < n;
}

static bool add(builder *b, const tn_type *type) {
    if (b->n == TN_PARTS_MOST) {
        return false;
    }
    b->types[b->n++] = type;
    return true;
}

static bool construct(builder *b) {
    bool fits = true;
    for (uint32_t k = 0; k < b->in->op->n_operands && fits; k++) {
        fits = add(b, tn_in_type(b->in, k));
    }
    return fits;
}

/* Operand 2 says before which tensor; without it the new one comes last. */
static bool insert(builder *b) {
    int64_t position = b->n;
    uint32_t at = b->n;
    bool known = !tn_in_has(b->in, 2) || tn_in_scalar(b->in, 2, &position);
    if (!known || (position != b->n && !tn_parts_at(position, b->n, &at)) || !add(b, NULL)) {
        return false;
    }
    for (uint32_t i = b->n - 1; i > at; i--) {
        b->types[i] = b->types[i - 1];
    }
    b->types[at] = tn_in_type(b->in, 1);
    return true;
}

/* Operand 1 says which; without it the last one goes. */
static bool erase(builder *b) {
    int64_t position = -1;
    uint32_t at;
    if ((tn_in_has(b->in, 1) && !tn_in_scalar(b->in, 1, &position)) ||
        !tn_parts_at(position, b->n, &at)) {
        return false;
    }
    b->n--;
    for (uint32_t i = at; i < b->n; i++) {
        b->types[i] = b->types[i + 1];
    }
    return true;
}

/* Parts of `size` along the axis, the last as small as it has to be. */
static bool cut(builder *b, tn_dim *dims, uint32_t rank, uint32_t axis, int64_t size) {
    int64_t extent;
    bool fits = size > 0 && tn_dim_is_const(b->in->dims, dims[axis], &extent);
    for (int64_t from = 0; fits && from < extent; from += size) {
        dims[axis] = tn_in_const(b->in, extent - from < size ? extent - from : size);
        fits = add(b, tn_type_tensor(b->in->arena, tn_in_dtype(b->in, 0), rank, dims));
    }
    return fits;
}

static bool split(builder *b) {
    tn_infer *in = b->in;
    uint32_t rank, axis, n, split_rank;
    tn_dim *dims = tn_in_dims(in, 0, 0, &rank);
    int64_t at = tn_attr_int(in->op, "axis", 0);
    if (dims == NULL || !tn_parts_at(at, rank, &axis)) {
        return false;
    }
    if (!tn_in_has(in, 1)) { /* slices, whose axis goes where keepdims says so */
        uint32_t first = b->n;
        bool fits = cut(b, dims, rank, axis, 1);
        for (uint32_t i = first; fits && tn_attr_int(in->op, "keepdims", 1) == 0 && i < b->n; i++) {
            b->types[i] = tn_type_slice(in, b->types[i], axis);
        }
        return fits;
    }
    const int64_t *sizes = tn_in_ints(in, 1, &n);
    if (sizes == NULL || !tn_in_rank(in, 1, &split_rank)) {
        return false;
    }
    if (split_rank == 0) {
        return n == 1 && cut(b, dims, rank, axis, sizes[0]);
    }
    bool fits = true;
    for (uint32_t i = 0; i < n && fits; i++) {
        dims[axis] = tn_in_const(in, sizes[i]);
        fits = sizes[i] >= 0 && add(b, tn_type_tensor(in->arena, tn_in_dtype(in, 0), rank, dims));
    }
    return fits;
}

static bool nothing(builder *b) {
    (void)b;
    return true;
}

/* What ops do to the parts of their operand 0, or begin with. */
static const struct maker {
    tn_shape_fn rule; /* names the op */
    bool (*apply)(builder *b);
    bool begins;
} makers[] = {
    {tn_shape_sequence_empty, nothing, true},  {tn_shape_sequence_construct, construct, true},
    {tn_shape_split_to_sequence, split, true}, {tn_shape_sequence_insert, insert, false},
    {tn_shape_sequence_erase, erase, false},   {tn_shape_identity, nothing, false},
};

static const struct maker *maker_of(const tn_value *v) {
    tn_shape_fn rule = v != NULL && v->kind == TN_VALUE_RESULT && v->def_index == 0
                           ? tn_op_info_get(v->def->code)->shape
                           : NULL;
    for (size_t i = 0; i < sizeof makers / sizeof makers[0] && rule != NULL; i++) {
        if (makers[i].rule == rule) {
            return &makers[i];
        }
    }
    return NULL;
}

bool tn_in_parts(tn_infer *in, uint32_t k, tn_parts *out) {
    const tn_op *op = in->op, *chain[TN_PARTS_OPS];
    uint32_t n = 0;
    const tn_value *v = tn_operand(op, k);
    const struct maker *m = maker_of(v);
    while (m != NULL && n < TN_PARTS_OPS) {
        chain[n++] = v->def;
        if (m->begins) {
            break;
        }
        v = tn_operand(v->def, 0);
        m = maker_of(v);
    }
    if (m == NULL || !m->begins) {
        return false;
    }
    builder *b = TN_NEW(in->scratch, builder);
    b->in = in;
    bool known = true;
    while (n > 0 && known) {
        in->op = chain[--n];
        known = maker_of(in->op->results[0])->apply(b);
    }
    in->op = op;
    *out = (tn_parts){b->n, b->types};
    return known;
}
