/* Sequences and optionals: the types they wrap are passed on. */
#include "ir/infer/carried.h"
#include "ir/infer/common.h"
#include "ir/infer/members.h"
#include "ir/ops/op_rules.h"

static void out_wrapped(tn_infer *in, tn_type_kind kind, const tn_type *elem) {
    tn_out_type(in, 0, tn_type_wrap(in->arena, kind, TN_DT_UNKNOWN, elem));
}

/* The wrapped type of operand k, unknown when it wraps nothing. */
static const tn_type *element(const tn_infer *in, uint32_t k, tn_type_kind kind) {
    const tn_type *t = tn_in_type(in, k);
    return t->kind == kind && t->elem != NULL ? t->elem : tn_type_unknown();
}

void tn_shape_sequence_construct(tn_infer *in) {
    const tn_type *elem = tn_in_type(in, 0);
    for (uint32_t k = 1; k < in->op->n_operands; k++) {
        elem = tn_infer_join(in, elem, tn_in_type(in, k));
    }
    out_wrapped(in, TN_TYPE_SEQUENCE, elem);
}

void tn_shape_sequence_empty(tn_infer *in) {
    tn_dtype dtype = tn_attr_dtype(in, "dtype", TN_DT_FLOAT);
    out_wrapped(in, TN_TYPE_SEQUENCE, tn_type_unranked(in->arena, dtype));
}

void tn_shape_sequence_insert(tn_infer *in) {
    const tn_type *tensor = tn_in_type(in, 1);
    const tn_members *before = tn_in_members(in, 0);
    bool first = before != NULL && before->n == 0;
    out_wrapped(in, TN_TYPE_SEQUENCE,
                first ? tensor : tn_infer_join(in, element(in, 0, TN_TYPE_SEQUENCE), tensor));
}

void tn_shape_sequence_erase(tn_infer *in) {
    tn_out_type(in, 0, tn_in_type(in, 0));
}

void tn_shape_sequence_at(tn_infer *in) {
    const tn_members *members = tn_in_members(in, 0);
    int64_t position;
    uint32_t at;
    if (members != NULL && tn_in_scalar(in, 1, &position)) {
        if (!tn_member_at(position, members->n, &at)) {
            tn_infer_conflict(in, "position %lld in a sequence of %u tensors", (long long)position,
                              members->n);
            return;
        }
        tn_out_type(in, 0, members->types[at]);
        return;
    }
    tn_out_type(in, 0, element(in, 0, TN_TYPE_SEQUENCE));
    tn_out_dynamic(in, 0, "the tensors of the sequence differ in shape");
}

void tn_shape_sequence_length(tn_infer *in) {
    const tn_members *members = tn_in_members(in, 0);
    tn_out_scalar(in, 0, TN_DT_INT64);
    if (members != NULL) {
        tn_dim length = tn_in_const(in, members->n);
        tn_out_content(in, 0, 1, &length);
    }
}

/* Extent of every part, unknown when they differ. */
static tn_dim part_extent(tn_infer *in, tn_dim whole) {
    uint32_t n, rank;
    int64_t extent;
    const int64_t *split = tn_in_ints(in, 1, &n);
    if (split == NULL || n == 0 || !tn_in_rank(in, 1, &rank)) {
        return TN_DIM_UNKNOWN;
    }
    bool even = rank > 0 || (split[0] > 0 && tn_dim_is_const(in->dims, whole, &extent) &&
                             extent % split[0] == 0);
    for (uint32_t i = 1; i < n; i++) {
        even = even && split[i] == split[0];
    }
    return even ? tn_in_const(in, split[0]) : TN_DIM_UNKNOWN;
}

void tn_shape_split_to_sequence(tn_infer *in) {
    uint32_t rank, axis;
    const tn_type *input = tn_in_type(in, 0);
    tn_dim *dims = tn_in_dims(in, 0, 0, &rank);
    if (dims == NULL) {
        out_wrapped(in, TN_TYPE_SEQUENCE, tn_type_unranked(in->arena, tn_in_dtype(in, 0)));
        return;
    }
    if (!tn_in_axis(in, tn_attr_int(in->op, "axis", 0), rank, &axis)) {
        return;
    }
    if (!tn_in_has(in, 1) && tn_attr_int(in->op, "keepdims", 1) == 0) {
        out_wrapped(in, TN_TYPE_SEQUENCE, tn_type_slice(in, input, axis));
        return;
    }
    dims[axis] = tn_in_has(in, 1) ? part_extent(in, dims[axis]) : tn_in_const(in, 1);
    out_wrapped(in, TN_TYPE_SEQUENCE, tn_type_tensor(in->arena, input->dtype, rank, dims));
}

/* The extents of all members along an axis together; unknown when that of one is. */
static tn_dim total_extent(tn_infer *in, const tn_members *members, int64_t axis) {
    tn_dim sum = tn_in_const(in, 0);
    for (uint32_t i = 0; i < members->n; i++) {
        const tn_type *t = members->types[i];
        uint32_t at;
        bool known = t->kind == TN_TYPE_TENSOR && t->has_rank && tn_member_at(axis, t->rank, &at);
        sum = tn_dim_add(in->dims, sum, known ? t->dims[at] : TN_DIM_UNKNOWN);
    }
    return sum;
}

void tn_shape_concat_from_sequence(tn_infer *in) {
    const tn_type *elem = element(in, 0, TN_TYPE_SEQUENCE);
    int64_t axis = tn_attr_int(in->op, "axis", 0);
    bool stacks = tn_attr_int(in->op, "new_axis", 0) != 0;
    const tn_members *members = tn_in_members(in, 0);
    tn_dim extent = TN_DIM_UNKNOWN;
    if (members != NULL) {
        extent = stacks ? tn_in_const(in, members->n) : total_extent(in, members, axis);
    }
    if (!stacks) {
        elem = tn_type_slice(in, elem, axis);
    }
    tn_out_type(in, 0, tn_type_stack(in, elem, axis, extent));
    tn_out_dynamic(in, 0, "depends on the length of the sequence");
}

void tn_shape_optional(tn_infer *in) {
    const tn_attr *type = tn_op_attr(in->op, "type");
    const tn_type *elem = tn_in_type(in, 0);
    if (!tn_in_has(in, 0) && type != NULL && type->kind == TN_ATTR_TYPE) {
        elem = type->u.type;
    }
    out_wrapped(in, TN_TYPE_OPTIONAL, elem);
}

/* Since version 18 the operand may also be a plain tensor or sequence. */
void tn_shape_optional_get_element(tn_infer *in) {
    const tn_type *t = tn_in_type(in, 0);
    tn_out_type(in, 0, t->kind == TN_TYPE_OPTIONAL ? element(in, 0, TN_TYPE_OPTIONAL) : t);
}

/* ---- members ---- */

bool tn_members_empty(tn_members *m) {
    (void)m;
    return true;
}

bool tn_members_keep(tn_members *m) {
    (void)m;
    return true;
}

bool tn_members_construct(tn_members *m) {
    bool fits = true;
    for (uint32_t k = 0; k < m->in->op->n_operands && fits; k++) {
        fits = tn_members_add(m, tn_in_type(m->in, k));
    }
    return fits;
}

/* Operand 2 says before which tensor; without it the new one comes last. */
bool tn_members_insert(tn_members *m) {
    int64_t position = m->n;
    uint32_t at = m->n;
    bool known = !tn_in_has(m->in, 2) || tn_in_scalar(m->in, 2, &position);
    if (!known || (position != m->n && !tn_member_at(position, m->n, &at)) ||
        !tn_members_add(m, NULL)) {
        return false;
    }
    for (uint32_t i = m->n - 1; i > at; i--) {
        m->types[i] = m->types[i - 1];
    }
    m->types[at] = tn_in_type(m->in, 1);
    return true;
}

/* Operand 1 says which; without it the last one goes. */
bool tn_members_erase(tn_members *m) {
    int64_t position = -1;
    uint32_t at;
    if ((tn_in_has(m->in, 1) && !tn_in_scalar(m->in, 1, &position)) ||
        !tn_member_at(position, m->n, &at)) {
        return false;
    }
    m->n--;
    for (uint32_t i = at; i < m->n; i++) {
        m->types[i] = m->types[i + 1];
    }
    return true;
}

/* Members of `size` along the axis, the last as small as it has to be. */
static bool cut(tn_members *m, tn_dim *dims, uint32_t rank, uint32_t axis, int64_t size) {
    int64_t extent;
    bool fits = size > 0 && tn_dim_is_const(m->in->dims, dims[axis], &extent);
    for (int64_t from = 0; fits && from < extent; from += size) {
        dims[axis] = tn_in_const(m->in, extent - from < size ? extent - from : size);
        fits = tn_members_add(m, tn_type_tensor(m->in->arena, tn_in_dtype(m->in, 0), rank, dims));
    }
    return fits;
}

bool tn_members_split(tn_members *m) {
    tn_infer *in = m->in;
    uint32_t rank, axis, n, split_rank;
    tn_dim *dims = tn_in_dims(in, 0, 0, &rank);
    int64_t at = tn_attr_int(in->op, "axis", 0);
    if (dims == NULL || !tn_member_at(at, rank, &axis)) {
        return false;
    }
    if (!tn_in_has(in, 1)) { /* slices, whose axis goes where keepdims says so */
        uint32_t first = m->n;
        bool fits = cut(m, dims, rank, axis, 1);
        for (uint32_t i = first; fits && tn_attr_int(in->op, "keepdims", 1) == 0 && i < m->n; i++) {
            m->types[i] = tn_type_slice(in, m->types[i], axis);
        }
        return fits;
    }
    const int64_t *sizes = tn_in_ints(in, 1, &n);
    if (sizes == NULL || !tn_in_rank(in, 1, &split_rank)) {
        return false;
    }
    if (split_rank == 0) {
        return n == 1 && cut(m, dims, rank, axis, sizes[0]);
    }
    bool fits = true;
    for (uint32_t i = 0; i < n && fits; i++) {
        dims[axis] = tn_in_const(in, sizes[i]);
        fits = sizes[i] >= 0 &&
               tn_members_add(m, tn_type_tensor(in->arena, tn_in_dtype(in, 0), rank, dims));
    }
    return fits;
}
