#include "tests/random/kernel.h"

#include <string.h>

/* How a kernel goes about its operands. */
typedef enum manner {
    ANYHOW,      /* may write before it has read */
    ELEMENTWISE, /* reads element i of all before it writes element i */
    ROWS,        /* reads a row of operand 0 before it writes it */
    UPDATES,     /* reads and writes operand `over` once, in ascending order */
    CONSUMES,    /* operand `over` is the result */
    MOVES,       /* see kernel_moves */
    CONSTANT,
    LOOPS
} manner;

static const struct kind {
    const char *type;
    manner manner;
    uint32_t over;
} kinds[] = {
    {"Relu", ELEMENTWISE, 0},
    {"Exp", ELEMENTWISE, 0},
    {"Tanh", ELEMENTWISE, 0},
    {"Sigmoid", ELEMENTWISE, 0},
    {"Neg", ELEMENTWISE, 0},
    {"Abs", ELEMENTWISE, 0},
    {"Sqrt", ELEMENTWISE, 0},
    {"Add", ELEMENTWISE, 0},
    {"Mul", ELEMENTWISE, 0},
    {"Sub", ELEMENTWISE, 0},
    {"Div", ELEMENTWISE, 0},
    {"Max", ELEMENTWISE, 0},
    {"Min", ELEMENTWISE, 0},
    {"Sum", ELEMENTWISE, 0},
    {"Mean", ELEMENTWISE, 0},
    {"Less", ELEMENTWISE, 0},
    {"Greater", ELEMENTWISE, 0},
    {"Equal", ELEMENTWISE, 0},
    {"Cast", ELEMENTWISE, 0},
    {"QuantizeLinear", ELEMENTWISE, 0},
    {"ReluGrad", ELEMENTWISE, 0},
    {"DequantizeLinear", ELEMENTWISE, 0},
    {"TanhGrad", ELEMENTWISE, 0},
    {"SigmoidGrad", ELEMENTWISE, 0},
    {"Softmax", ROWS, 0},
    {"LogSoftmax", ROWS, 0},
    {"Hardmax", ROWS, 0},
    {"InstanceNormalization", ROWS, 0},
    {"ScatterND", UPDATES, 0},
    {"SGDOptimizer", UPDATES, 1},
    {"InPlaceAccumulator", CONSUMES, 0},
    {"Identity", MOVES, 0},
    {"Reshape", MOVES, 0},
    {"Unsqueeze", MOVES, 0},
    {"Squeeze", MOVES, 0},
    {"Flatten", MOVES, 0},
    {"Transpose", MOVES, 0},
    {"Concat", MOVES, 0},
    {"Split", MOVES, 0},
    {"Slice", MOVES, 0},
    {"Gather", MOVES, 0},
    {"Pad", MOVES, 0},
    {"Expand", MOVES, 0},
    {"Tile", MOVES, 0},
    {"Dropout", ELEMENTWISE, 0},
    {"Constant", CONSTANT, 0},
    {"Loop", LOOPS, 0},
    {"Scan", LOOPS, 0},
};

static struct kind kind_of(const tn_op *op) {
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(kinds[i].type, op->type) == 0) {
            return kinds[i];
        }
    }
    return (struct kind){op->type, ANYHOW, 0};
}

bool kernel_extents(const tn_value *v, extents *out) {
    const tn_type *t = v->type;
    if (t->kind != TN_TYPE_TENSOR || !t->has_rank || t->rank > 8) {
        return false;
    }
    out->rank = t->rank;
    out->count = 1;
    for (uint32_t i = 0; i < t->rank; i++) {
        tn_dims *d = v->graph->module->dims; /* what data give counts as the most there can be */
        if (!tn_dim_is_const(d, tn_dim_most(d, t->dims[i]), &out->dims[i])) {
            return false;
        }
        out->count *= out->dims[i];
    }
    return true;
}

/* Equal expressions are equal whatever data give. */
static bool same_extents(const tn_value *a, const tn_value *b) {
    extents x, y;
    bool known = a->type->has_rank && b->type->has_rank && a->type->rank == b->type->rank;
    for (uint32_t i = 0; known && i < a->type->rank; i++) {
        known = a->type->dims[i] != TN_DIM_UNKNOWN && a->type->dims[i] == b->type->dims[i];
    }
    if (known || tn_type_by_data(a->graph->module->dims, a->type) ||
        tn_type_by_data(b->graph->module->dims, b->type)) {
        return known;
    }
    return kernel_extents(a, &x) && kernel_extents(b, &y) && x.rank == y.rank &&
           memcmp(x.dims, y.dims, x.rank * sizeof *x.dims) == 0;
}

bool kernel_is_constant(const tn_op *op) {
    return kind_of(op).manner == CONSTANT;
}

bool kernel_is_elementwise(const tn_op *op) {
    return kind_of(op).manner == ELEMENTWISE;
}

/* Whether the elements of both lie in the same order. */
static bool same_layout(const tn_value *a, const tn_value *b) {
    return ((a->flags ^ b->flags) & TN_VF_CHANNELS_LAST) == 0;
}

bool kernel_reads(const tn_op *op, uint32_t k) {
    return tn_operand(op, k) != NULL && strcmp(op->type, "Shape") != 0;
}

bool kernel_may_overwrite(const tn_op *op, uint32_t r, uint32_t k) {
    struct kind kind = kind_of(op);
    const tn_value *result = tn_result(op, r), *operand = tn_operand(op, k);
    if (r != 0 || !same_extents(result, operand) || !same_layout(result, operand)) {
        return false;
    }
    bool same_type = result->type->dtype == operand->type->dtype;
    switch (kind.manner) {
    case ELEMENTWISE:
        return tn_dtype_get(result->type->dtype)->bits == tn_dtype_get(operand->type->dtype)->bits;
    case ROWS:
    case UPDATES:
    case CONSUMES:
        return k == kind.over && same_type;
    case ANYHOW:
    case MOVES:
    case CONSTANT:
    case LOOPS:
        return false;
    }
    return false;
}

bool kernel_goes_through(const tn_op *op, uint32_t r, uint32_t k) {
    const tn_value *result = tn_result(op, r), *operand = tn_operand(op, k);
    if (r != 0 || result == NULL || operand == NULL || kind_of(op).manner != ELEMENTWISE ||
        !same_extents(result, operand) || !same_layout(result, operand)) {
        return false;
    }
    uint32_t to = tn_dtype_get(result->type->dtype)->bits;
    uint32_t from = tn_dtype_get(operand->type->dtype)->bits;
    return to != from && to % 8 == 0 && from % 8 == 0;
}

bool kernel_consumes(const tn_op *op, uint32_t k) {
    struct kind kind = kind_of(op);
    return kind.manner == CONSUMES && kind.over == k;
}

bool kernel_loops(const tn_op *op) {
    return kind_of(op).manner == LOOPS;
}

bool kernel_calls(const tn_op *op) {
    return op->n_regions == 1 && !kernel_loops(op);
}

uint32_t kernel_carried(const tn_op *op) {
    if (!kernel_loops(op)) {
        return op->n_results;
    }
    if (strcmp(op->type, "Loop") == 0) {
        return op->n_operands > 2 ? op->n_operands - 2 : 0;
    }
    return op->n_operands - (uint32_t)tn_attr_int(op, "num_scan_inputs", 1);
}

uint32_t kernel_state_operand(const tn_op *op, uint32_t k) {
    return strcmp(op->type, "Loop") == 0 ? k + 2 : k;
}

const tn_value *kernel_output_of(const tn_op *op, uint32_t region, uint32_t r) {
    const tn_graph *body = op->regions[region];
    uint32_t at = strcmp(op->type, "Loop") == 0 ? r + 1 : r;
    return r < kernel_carried(op) && at < body->n_outputs ? body->outputs[at] : NULL;
}

/* ---- moves ---- */

typedef struct mapping {
    const tn_op *op;
    uint32_t r;
    extents out, in; /* of the result and of operand 0 */
    source *sources;
} mapping;

static void unravel(const extents *e, int64_t element, int64_t *at) {
    for (uint32_t i = e->rank; i-- > 0;) {
        at[i] = element % e->dims[i];
        element /= e->dims[i];
    }
}

static int64_t ravel(const extents *e, const int64_t *at) {
    int64_t element = 0;
    for (uint32_t i = 0; i < e->rank; i++) {
        element = element * e->dims[i] + at[i];
    }
    return element;
}

static const int64_t *ints_of(const tn_op *op, uint32_t k) {
    const tn_value *v = tn_operand(op, k);
    const tn_tensor *t = v != NULL ? tn_value_tensor(v) : NULL;
    return t != NULL ? t->ints : NULL;
}

static uint32_t axis_of(const tn_op *op, const extents *e) {
    int64_t axis = tn_attr_int(op, "axis", 0);
    return (uint32_t)(axis < 0 ? axis + e->rank : axis);
}

static void map_same(mapping *m) {
    for (int64_t i = 0; i < m->out.count; i++) {
        m->sources[i].element = i;
    }
}

static void map_transpose(mapping *m) {
    uint32_t n;
    const int64_t *perm = tn_attr_ints(m->op, "perm", &n);
    for (int64_t i = 0; i < m->out.count; i++) {
        int64_t at[8], from[8];
        unravel(&m->out, i, at);
        for (uint32_t k = 0; k < m->out.rank; k++) {
            from[perm[k]] = at[k];
        }
        m->sources[i].element = ravel(&m->in, from);
    }
}

static void map_concat(mapping *m) {
    uint32_t axis = axis_of(m->op, &m->out);
    for (int64_t i = 0; i < m->out.count; i++) {
        int64_t at[8];
        unravel(&m->out, i, at);
        extents part;
        uint32_t k = 0;
        while (kernel_extents(m->op->operands[k].value, &part) && at[axis] >= part.dims[axis]) {
            at[axis] -= part.dims[axis];
            k++;
        }
        m->sources[i] = (source){k, ravel(&part, at)};
    }
}

/* Splits and slices: coordinate `axis` times `step`, moved by `start`. */
static void map_part(mapping *m, uint32_t axis, int64_t start, int64_t step) {
    for (int64_t i = 0; i < m->out.count; i++) {
        int64_t at[8];
        unravel(&m->out, i, at);
        at[axis] = at[axis] * step + start;
        m->sources[i].element = ravel(&m->in, at);
    }
}

static void map_split(mapping *m) {
    int64_t start = 0;
    for (uint32_t i = 0; i < m->r; i++) {
        start += ints_of(m->op, 1)[i];
    }
    map_part(m, axis_of(m->op, &m->in), start, 1);
}

static void map_slice(mapping *m) {
    uint32_t axis = (uint32_t)*ints_of(m->op, 3);
    int64_t start = *ints_of(m->op, 1);
    const int64_t *step = ints_of(m->op, 4);
    map_part(m, axis, start < 0 ? start + m->in.dims[axis] : start, step != NULL ? *step : 1);
}

/* The result has the indices' axes (none or one) in place of the operand's `axis`. */
static void map_gather(mapping *m) {
    uint32_t axis = axis_of(m->op, &m->in);
    bool scalar = m->out.rank < m->in.rank;
    for (int64_t i = 0; i < m->out.count; i++) {
        int64_t at[8], from[8];
        unravel(&m->out, i, at);
        for (uint32_t k = 0; k < m->in.rank; k++) {
            from[k] = at[k > axis && scalar ? k - 1 : k];
        }
        from[axis] = ints_of(m->op, 1)[scalar ? 0 : at[axis]];
        m->sources[i].element = ravel(&m->in, from);
    }
}

static void map_pad(mapping *m) {
    const int64_t *pads = ints_of(m->op, 1);
    for (int64_t i = 0; i < m->out.count; i++) {
        int64_t at[8];
        bool inside = true;
        unravel(&m->out, i, at);
        for (uint32_t k = 0; k < m->out.rank; k++) {
            at[k] -= pads[k];
            inside = inside && at[k] >= 0 && at[k] < m->in.dims[k];
        }
        m->sources[i] = inside ? (source){0, ravel(&m->in, at)} : (source){NO_SOURCE, 0};
    }
}

/* Expand and Tile: coordinates wrap round. */
static void map_repeat(mapping *m) {
    for (int64_t i = 0; i < m->out.count; i++) {
        int64_t at[8];
        unravel(&m->out, i, at);
        for (uint32_t k = 0; k < m->out.rank; k++) {
            at[k] %= m->in.dims[k];
        }
        m->sources[i].element = ravel(&m->in, at);
    }
}

static const struct {
    const char *type;
    void (*map)(mapping *m);
} maps[] = {{"Identity", map_same},       {"Reshape", map_same}, {"Unsqueeze", map_same},
            {"Squeeze", map_same},        {"Flatten", map_same}, {"Dropout", map_same},
            {"Transpose", map_transpose}, {"Split", map_split},  {"Slice", map_slice},
            {"Gather", map_gather},       {"Pad", map_pad},      {"Expand", map_repeat},
            {"Tile", map_repeat},         {"Concat", map_concat}};

/* A cast to the type at hand moves. Dropout's mask is computed. */
static bool only_moves(const tn_op *op, uint32_t r) {
    if (strcmp(op->type, "Cast") == 0) {
        return op->results[0]->type->dtype == op->operands[0].value->type->dtype;
    }
    return kind_of(op).manner == MOVES || (r == 0 && strcmp(op->type, "Dropout") == 0);
}

source *kernel_moves(const tn_op *op, uint32_t r, tn_arena *arena) {
    mapping m = {.op = op, .r = r};
    if (!only_moves(op, r) || !kernel_extents(op->results[r], &m.out) ||
        !kernel_extents(op->operands[0].value, &m.in)) {
        return NULL;
    }
    m.sources = TN_ARRAY(arena, source, m.out.count);
    void (*map)(mapping *) = map_same;
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++) {
        if (strcmp(maps[i].type, op->type) == 0) {
            map = maps[i].map;
        }
    }
    map(&m);
    return m.sources;
}
