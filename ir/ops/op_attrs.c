#include "ir/ops/op_attrs.h"

#include <string.h>

#include "ir/base/limits.h"
#include "ir/base/sort.h"
#include "ir/ops/row.h"
#include "ir/ops/window_attrs.h"

/* ---- one op ---- */

bool tn_op_is_standard(const tn_op *op, const char *type) {
    return op != NULL && op->domain[0] == '\0' && strcmp(op->type, type) == 0;
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const tn_attr *)a)->name, ((const tn_attr *)b)->name);
}

static bool is_body(const tn_attr *a) {
    return a->kind == TN_ATTR_GRAPH || a->kind == TN_ATTR_GRAPHS;
}

static void add_defaults(const tn_op *op, tn_resolving *r) {
    const tn_row *row = tn_op_row(op);
    for (uint32_t i = 0; i < row->n_attrs; i++) {
        if (row->has_default[i] && tn_op_attr(op, row->attrs[i].name) == NULL) {
            tn_vec_push(r->arena, &r->attrs, row->attrs[i]);
        }
    }
}

/* Rank of the tensor whose axes the attributes of this op count. */
static bool axes_rank(const tn_op *op, uint32_t *rank) {
    bool of_result = (op->info->traits & TN_T_AXES_OF_RESULT) != 0;
    const tn_value *v = of_result ? tn_result(op, 0) : tn_operand(op, 0);
    if (v == NULL || v->type->kind != TN_TYPE_TENSOR || !v->type->has_rank) {
        return false;
    }
    *rank = v->type->rank;
    return true;
}

static int64_t from_front(int64_t axis, uint32_t rank) {
    return axis < 0 && axis >= -(int64_t)rank ? axis + rank : axis;
}

static void normalise_axes(const tn_op *op, tn_resolving *r) {
    uint32_t rank;
    if (!axes_rank(op, &rank)) {
        return;
    }
    tn_attr *axis = tn_resolving_find(r, "axis"), *axes = tn_resolving_find(r, "axes");
    if (axis != NULL && axis->kind == TN_ATTR_INT) {
        axis->u.i = from_front(axis->u.i, rank);
    }
    if (axes != NULL && axes->kind == TN_ATTR_INTS) {
        int64_t *ints = TN_ARRAY(r->arena, int64_t, axes->n);
        for (uint32_t i = 0; i < axes->n; i++) {
            ints[i] = from_front(axes->u.ints[i], rank);
        }
        axes->u.ints = ints;
    }
}

/* Without perm the order of the axes is reversed. */
static void state_perm(const tn_op *op, tn_resolving *r) {
    uint32_t rank;
    if (!tn_op_declares(op, "perm") || tn_op_attr(op, "perm") != NULL || !axes_rank(op, &rank)) {
        return;
    }
    int64_t *perm = TN_ARRAY(r->arena, int64_t, rank);
    for (uint32_t i = 0; i < rank; i++) {
        perm[i] = (int64_t)(rank - 1 - i);
    }
    tn_resolving_set_ints(r, "perm", rank, perm);
}

/* What a Scan slices and stacks: operands from `first` on and results from `states` on. */
typedef struct scan_form {
    uint32_t first, states, n_in, n_out;
} scan_form;

static bool find_scan_form(const tn_op *op, scan_form *f) {
    int64_t scanned = tn_attr_int(op, "num_scan_inputs", -1);
    if (scanned < 0) {
        return false;
    }
    uint32_t before = tn_op_declares(op, "directions") ? 1 : 0; /* sequence_lens */
    if (scanned + before > op->n_operands) {
        return false;
    }
    f->n_in = (uint32_t)scanned;
    f->first = op->n_operands - f->n_in;
    f->states = f->first - before;
    f->n_out = op->n_results > f->states ? op->n_results - f->states : 0;
    return true;
}

/* Axis of the i-th value that is sliced or stacked, from the front where its rank is known. */
static int64_t scan_axis(const tn_op *op, const scan_form *f, bool out, uint32_t i, int64_t axis) {
    const tn_value *v = out ? op->results[f->states + i] : op->operands[f->first + i].value;
    bool ranked = v != NULL && v->type->kind == TN_TYPE_TENSOR && v->type->has_rank;
    return ranked ? from_front(axis, v->type->rank) : axis;
}

/* An entry for each value, 0 where the op says nothing. */
static void state_scanned(const tn_op *op, tn_resolving *r, const scan_form *f, const char *name,
                          bool out) {
    uint32_t n, count = out ? f->n_out : f->n_in;
    const int64_t *given = tn_attr_ints(op, name, &n);
    bool axes = strstr(name, "axes") != NULL;
    if (!tn_op_declares(op, name) || (given != NULL && n != count)) {
        return;
    }
    int64_t *ints = TN_ARRAY(r->arena, int64_t, count);
    for (uint32_t i = 0; i < count; i++) {
        ints[i] = given == NULL ? 0 : axes ? scan_axis(op, f, out, i, given[i]) : given[i];
    }
    tn_resolving_set_ints(r, name, count, ints);
}

static void state_scan(const tn_op *op, tn_resolving *r) {
    scan_form f;
    if (find_scan_form(op, &f)) {
        state_scanned(op, r, &f, "directions", false);
        state_scanned(op, r, &f, "scan_input_directions", false);
        state_scanned(op, r, &f, "scan_input_axes", false);
        state_scanned(op, r, &f, "scan_output_directions", true);
        state_scanned(op, r, &f, "scan_output_axes", true);
    }
}

/* Whether the list has an axis for each value, from the front. */
static bool has_axes(const tn_op *op, const scan_form *f, const char *name, bool out) {
    uint32_t n, count = out ? f->n_out : f->n_in;
    const int64_t *given = tn_attr_ints(op, name, &n);
    for (uint32_t i = 0; i < count && given != NULL && n == count; i++) {
        int64_t axis = scan_axis(op, f, out, i, given[i]);
        if (axis < 0 || axis > TN_MAX_RANK) {
            return false;
        }
    }
    return given == NULL || n == count;
}

bool tn_op_declares(const tn_op *op, const char *name) {
    const tn_row *row = tn_op_row(op);
    for (uint32_t i = 0; i < row->n_attrs; i++) {
        if (strcmp(name, row->attrs[i].name) == 0) {
            return true;
        }
    }
    return false;
}

bool tn_op_iterates(const tn_op *op) {
    scan_form f;
    if (!tn_is_loop(op) || op->n_regions != 1 || op->info->states == NULL) {
        return false;
    }
    return tn_op_states(op).operand > 0 ||
           (tn_op_declares(op, "scan_input_axes") && find_scan_form(op, &f) &&
            has_axes(op, &f, "scan_input_axes", false) &&
            has_axes(op, &f, "scan_output_axes", true));
}

tn_attr *tn_resolving_find(const tn_resolving *r, const char *name) {
    for (uint32_t i = 0; i < r->attrs.len; i++) {
        if (strcmp(r->attrs.data[i].name, name) == 0) {
            return &r->attrs.data[i];
        }
    }
    return NULL;
}

void tn_resolving_set_ints(tn_resolving *r, const char *name, uint32_t n, const int64_t *ints) {
    tn_attr a = {.name = name, .kind = TN_ATTR_INTS, .n = n, .u.ints = ints};
    tn_attr *old = tn_resolving_find(r, name);
    if (old != NULL) {
        *old = a;
    } else {
        tn_vec_push(r->arena, &r->attrs, a);
    }
}

const tn_attr *tn_op_resolve_attrs(const tn_module *m, const tn_op *op, tn_arena *arena,
                                   uint32_t *n) {
    uint32_t most = op->n_attrs + tn_op_row(op)->n_attrs;
    tn_resolving r = {.m = m, .arena = arena, .attrs = {TN_ARRAY(arena, tn_attr, most), 0, most}};
    bool is_data = (op->info->traits & TN_T_CONSTANT) != 0;
    for (uint32_t i = 0; i < op->n_attrs; i++) {
        if (!is_data && !is_body(&op->attrs[i])) {
            tn_vec_push(arena, &r.attrs, op->attrs[i]);
        }
    }
    add_defaults(op, &r);
    if (op->code != TN_OP_EXTERN) {
        normalise_axes(op, &r);
        state_perm(op, &r);
        state_scan(op, &r);
        tn_resolve_windows(op, &r);
    }
    TN_SORT(r.attrs.data, r.attrs.len, by_name);
    *n = r.attrs.len;
    return r.attrs.data;
}
