/* Pad: what the operand holds of the result, and the borders around that, as boxes of which no two
 * have an element in common. An operand that lies there already needs borders alone. */
#include <string.h>

#include "ir/compute/nest_rules.h"

/* Along each axis the operand begins at `begin` of the result; what it holds there is
 * [from, end). */
typedef struct padding {
    uint32_t rank;
    int64_t begin[TN_NEST_AXES], from[TN_NEST_AXES], end[TN_NEST_AXES];
    const char *mode;
} padding;

/* The numbers of an attribute, or else of an operand that is known; NULL: neither is there. */
static const int64_t *list_of(const tn_compute *c, const char *name, uint32_t operand,
                              uint32_t *n) {
    const tn_attr *stated = tn_compute_attr(c, name);
    const tn_compute_value *given = tn_compute_operand(c, operand);
    if (stated != NULL && stated->kind == TN_ATTR_INTS) {
        *n = stated->n;
        return stated->u.ints;
    }
    *n = given != NULL ? given->n_known : 0;
    return given != NULL ? given->known : NULL;
}

/* Elements beside the operand come from inside it, which says where: only of borders of at least
 * nothing; a reflection goes no further than to the other end. */
static bool mode_fits(const tn_compute_value *x, const padding *p, uint32_t axis, int64_t before,
                      int64_t behind) {
    if (strcmp(p->mode, "constant") == 0) {
        return true;
    }
    int64_t most = strcmp(p->mode, "reflect") == 0 ? x->dims[axis] - 1
                   : strcmp(p->mode, "edge") == 0  ? INT32_MAX
                   : strcmp(p->mode, "wrap") == 0  ? INT32_MAX
                                                   : -1;
    return before >= 0 && behind >= 0 && before <= most && behind <= most;
}

static bool padding_of(const tn_compute *c, padding *p) {
    const tn_compute_value *x = tn_compute_operand(c, 0), *y = &c->results[0];
    uint32_t n = 0, n_axes = 0;
    bool first = c->version == 1;
    const int64_t *pads = list_of(c, first ? "paddings" : "pads", 1, &n);
    const int64_t *axes = list_of(c, "axes", 3, &n_axes);
    *p = (padding){.rank = x->rank, .mode = tn_compute_text(c, "mode")};
    bool all = tn_compute_operand(c, 3) == NULL;
    if (pads == NULL || n % 2 != 0 || n / 2 != (all ? x->rank : n_axes) || (!all && axes == NULL) ||
        x->rank != y->rank || x->rank > TN_NEST_AXES / 2) {
        return false;
    }
    for (uint32_t i = 0; i < x->rank; i++) {
        p->end[i] = x->dims[i];
    }
    for (uint32_t i = 0; i < n / 2; i++) {
        uint32_t axis;
        if (!tn_compute_axis(all ? i : axes[i], x->rank, &axis) ||
            x->dims[axis] + pads[i] + pads[n / 2 + i] != y->dims[axis] ||
            !mode_fits(x, p, axis, pads[i], pads[n / 2 + i])) {
            return false;
        }
        int64_t end = x->dims[axis] + pads[i];
        p->begin[axis] = pads[i];
        p->from[axis] = pads[i] > 0 ? pads[i] : 0;
        p->end[axis] = end < y->dims[axis] ? end : y->dims[axis];
        if (p->from[axis] >= p->end[axis]) {
            return false; /* nothing is left of the operand */
        }
    }
    return true;
}

/* Which index of the operand stands at `at`, which may be beside it. */
static int64_t source_of(const padding *p, int64_t at, int64_t extent) {
    if (strcmp(p->mode, "reflect") == 0) {
        return at < 0 ? -at : at < extent ? at : 2 * (extent - 1) - at;
    }
    if (strcmp(p->mode, "wrap") == 0) {
        return (at % extent + extent) % extent;
    }
    return at < 0 ? 0 : at < extent ? at : extent - 1;
}

/* Elements [from, end) along each axis; `border`: beside the operand. */
static bool box(tn_compute *c, const padding *p, const int64_t *from, const int64_t *end,
                bool border) {
    enum { MOST_TABLE = 4096 };
    const tn_compute_value *x = tn_compute_operand(c, 0), *fill = tn_compute_operand(c, 2);
    int64_t steps[TN_NEST_AXES], own[TN_NEST_AXES];
    tn_nest *n = tn_compute_nest(c, 0);
    tn_affine in = {0}, one = {0};
    bool constant = border && strcmp(p->mode, "constant") == 0;
    tn_compute_steps(&c->results[0], steps);
    tn_compute_steps(x, own);
    n->border = border;
    for (uint32_t i = 0; i < p->rank; i++) {
        int64_t extent = end[i] - from[i];
        uint32_t axis = tn_nest_axis(n, extent);
        n->store.base += from[i] * steps[i];
        n->store.by[axis] = steps[i];
        bool inside = from[i] >= p->from[i] && end[i] <= p->end[i];
        if (inside || constant) {
            in.base += (from[i] - p->begin[i]) * own[i];
            in.by[axis] = own[i];
            continue;
        }
        int32_t *table = extent <= MOST_TABLE ? TN_ARRAY(c->arena, int32_t, extent) : NULL;
        for (int64_t k = 0; table != NULL && k < extent; k++) {
            int64_t at = source_of(p, from[i] + k - p->begin[i], x->dims[i]);
            table[k] = (int32_t)(at * own[i]);
        }
        if (table == NULL) {
            return false;
        }
        in.table[axis] = table;
    }
    n->n_outer = n->n_axes;
    tn_calc *number = tn_calc_number(c->arena, tn_compute_float(c, "value", 0));
    n->value = !constant      ? tn_calc_load(c->arena, 0, &in)
               : fill == NULL ? number
                              : tn_calc_load(c->arena, 2, &one);
    return true;
}

/* The box of the operand; of each axis what is before and behind it, as far as the operand goes
 * along the axes before, the whole of those behind. */
bool tn_compute_pad(tn_compute *c) {
    const tn_compute_value *y = &c->results[0], *fill = tn_compute_operand(c, 2);
    padding p;
    if (!padding_of(c, &p) || (fill != NULL && (fill->dtype != y->dtype || fill->rank > 1)) ||
        (fill != NULL && fill->rank == 1 && fill->dims[0] != 1)) {
        return false;
    }
    bool all = box(c, &p, p.from, p.end, false);
    int64_t from[TN_NEST_AXES], end[TN_NEST_AXES];
    memcpy(from, p.from, sizeof from);
    memcpy(end, p.end, sizeof end);
    for (uint32_t i = p.rank; all && i-- > 0;) {
        int64_t behind = end[i];
        from[i] = 0;
        end[i] = p.from[i];
        all = end[i] == 0 || box(c, &p, from, end, true);
        from[i] = behind;
        end[i] = y->dims[i];
        all = all && (from[i] == end[i] || box(c, &p, from, end, true));
        from[i] = 0;
    }
    return all;
}
