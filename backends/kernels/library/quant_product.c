/* Which elements a product of stacks of matrices multiplies. */
#include "quant.h"

static size_t step_of(const tenure_tensor *t, size_t axis) {
    size_t step = 1;
    for (size_t i = axis + 1; i < t->rank; i++) {
        step *= (size_t)t->dims[i];
    }
    return step;
}

/* `row` and `column` are axes; the others make the stack. */
static void side_init(side *s, const tenure_tensor *t, size_t row, size_t column) {
    s->rank = 0;
    s->row = step_of(t, row);
    s->column = step_of(t, column);
    for (size_t i = 0; i < t->rank; i++) {
        if (i != row && i != column) {
            s->dims[s->rank] = (size_t)t->dims[i];
            s->steps[s->rank++] = step_of(t, i);
        }
    }
}

/* Extents of the stack become those of the result: axes of 1 are repeated. */
static void side_stretch(side *s, const tenure_tensor *y, size_t rank) {
    side stretched = *s;
    stretched.rank = rank;
    for (size_t i = 0; i < rank; i++) {
        size_t missing = rank - s->rank;
        stretched.dims[i] = (size_t)y->dims[i];
        stretched.steps[i] = i < missing || s->dims[i - missing] == 1 ? 0 : s->steps[i - missing];
    }
    *s = stretched;
}

size_t side_at(const side *s, size_t i) {
    size_t at = 0;
    for (size_t k = s->rank; k-- > 0;) {
        at += i % s->dims[k] * s->steps[k];
        i /= s->dims[k];
    }
    return at;
}

/* The axes of a matrix in a tensor of at least two axes. */
static void axes_of(const tenure_tensor *t, turned how, size_t *row, size_t *column) {
    size_t first = how.stack ? 0 : (size_t)t->rank - 2, last = (size_t)t->rank - 1;
    *row = how.matrix ? last : first;
    *column = how.matrix ? first : last;
}

int product_turned(product *p, const tenure_tensor *a, turned ta, const tenure_tensor *b, turned tb,
                   const tenure_tensor *y) {
    size_t row = a->rank, column = 0; /* of one axis: a row, and a column */
    if (a->rank > MAX_RANK || b->rank > MAX_RANK || a->rank == 0 || b->rank == 0) {
        return KERNEL_BAD_SHAPE;
    }
    if (a->rank > 1) {
        axes_of(a, ta, &row, &column);
    }
    p->m = a->rank > 1 ? (size_t)a->dims[row] : 1;
    p->k = (size_t)a->dims[column];
    side_init(&p->a, a, row, column);
    row = 0, column = b->rank;
    if (b->rank > 1) {
        axes_of(b, tb, &row, &column);
    }
    p->n = b->rank > 1 ? (size_t)b->dims[column] : 1;
    side_init(&p->b, b, row, column);
    if ((size_t)b->dims[row] != p->k) {
        return KERNEL_BAD_SHAPE;
    }
    size_t rank = p->a.rank > p->b.rank ? p->a.rank : p->b.rank;
    side_stretch(&p->a, y, rank);
    side_stretch(&p->b, y, rank);
    p->batch = p->m * p->n == 0 ? 0 : y->elements / (p->m * p->n);
    return 0;
}

int product_init(product *p, const tenure_tensor *a, const tenure_tensor *b,
                 const tenure_tensor *y) {
    turned as_is = {0, 0};
    return product_turned(p, a, as_is, b, as_is, y);
}
