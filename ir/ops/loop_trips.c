#include "ir/ops/loop_trips.h"

#include "ir/ops/op_attrs.h"

/* Numbers are so small that no sum of few of them leaves the range of 32 bits, but for limits of 64
 * bits, which stand for "no limit"; expressions are so short that looking at them takes no time. */
enum { MAX_LOOKS = 64 };
#define MOST TN_LAST_COUNTED
#define FAR ((int64_t)1 << 62)

/* first + each * iteration + times * a state, of one element */
typedef struct line {
    int64_t first, each, times;
} line;

typedef struct look {
    tn_infer *in;
    const tn_graph *body;
    const tn_value *from; /* the state that lines are to be relative to, or NULL: none has one */
    uint32_t n;           /* values looked at */
    bool cast;            /* on the way from it some value had another width */
} look;

static bool is_small(int64_t x) {
    return x >= -MOST && x <= MOST;
}

static bool in_range(const tn_value *v, line *l) {
    if (l->each == 0 && l->times == 0 && v->type->dtype == TN_DT_INT64 && l->first > MOST) {
        l->first = FAR;
        return true;
    }
    return is_small(l->first) && is_small(l->each);
}

static bool known(tn_infer *in, const tn_value *v, int64_t *x) {
    const tn_tensor *t = tn_infer_tensor(v);
    if (t != NULL && t->ints != NULL && t->n_elements == 1) {
        *x = t->ints[0];
    } else if (v->content == NULL || v->n_content != 1 ||
               !tn_dim_is_const(in->dims, v->content[0], x)) {
        return false;
    }
    tn_infer_reads(in, v, false);
    return true;
}

/* Of one operand, and the same number. An element of another width is one while it grows by one at
 * most: no iteration counted here has a number that is beyond 32 bits. */
static const tn_value *passes_on(const tn_op *op, const line *l) {
    bool cast = tn_op_is_standard(op, "Cast");
    bool same = tn_op_is_standard(op, "Identity") || tn_op_is_standard(op, "Squeeze") ||
                tn_op_is_standard(op, "Unsqueeze");
    return same || (cast && (l == NULL || (l->each >= -1 && l->each <= 1))) ? tn_operand(op, 0)
                                                                            : NULL;
}

static bool is_counted(const tn_value *v) {
    return v->type->kind == TN_TYPE_TENSOR &&
           (v->type->dtype == TN_DT_INT32 || v->type->dtype == TN_DT_INT64);
}

static bool line_of(look *l, const tn_value *v, line *out);

/* Sums may leave the range of 32 bits and come back to it, but for numbers of 64. */
static bool combine(look *l, const tn_op *op, line *out) {
    line a, b;
    int64_t sign = tn_op_is_standard(op, "Sub") ? -1 : 1;
    if ((sign > 0 && !tn_op_is_standard(op, "Add")) || !line_of(l, tn_operand(op, 0), &a) ||
        !line_of(l, tn_operand(op, 1), &b) || a.first == FAR || b.first == FAR) {
        return false;
    }
    *out = (line){a.first + sign * b.first, a.each + sign * b.each, a.times + sign * b.times};
    return true;
}

/* A state: where it starts, and how far it is from itself an iteration later. Where it takes
 * another width between, that is at most 1. */
static bool line_of_state(look *l, uint32_t k, line *out) {
    const tn_value *start = tn_operand(l->in->op, k + 2);
    look after = {l->in, l->body, l->body->inputs[k + 2], l->n, false};
    line next;
    bool found = start != NULL && known(l->in, start, &out->first) &&
                 line_of(&after, l->body->outputs[k + 1], &next) && next.each == 0 &&
                 next.times == 1 && (!after.cast || (next.first >= -1 && next.first <= 1));
    l->n = after.n;
    out->each = found ? next.first : 0;
    return found;
}

static bool line_of_input(look *l, const tn_value *v, line *out) {
    uint32_t k = 0;
    while (k < l->body->n_inputs && l->body->inputs[k] != v) {
        k++;
    }
    if (k == 0) {
        *out = (line){0, 1, 0};
        return true;
    }
    return k >= 2 && k < l->body->n_inputs && k - 1 < l->body->n_outputs &&
           line_of_state(l, k - 2, out);
}

static bool line_of(look *l, const tn_value *v, line *out) {
    const tn_value *same;
    bool found = false;
    *out = (line){0, 0, 0};
    if (v == NULL || ++l->n > MAX_LOOKS || !is_counted(v)) {
        return false;
    }
    if (v == l->from) {
        out->times = 1;
        return true;
    }
    if (known(l->in, v, &out->first)) {
        found = true;
    } else if (v->def == NULL) {
        found = l->from == NULL && v->graph == l->body && line_of_input(l, v, out);
    } else if (v->def->graph == l->body && (same = passes_on(v->def, NULL)) != NULL) {
        found = line_of(l, same, out) && passes_on(v->def, out) != NULL;
        l->cast = l->cast || tn_op_is_standard(v->def, "Cast");
    } else if (v->def->graph == l->body && v->def->n_operands == 2) {
        found = combine(l, v->def, out);
    }
    return found && in_range(v, out);
}

/* The first iteration in which a < b is false. */
static bool ends_less(const line *a, const line *b, int64_t *last) {
    int64_t first = a->first - b->first, each = a->each - b->each;
    *last = first >= 0 ? 0 : each > 0 ? (-first + each - 1) / each : INT64_MAX;
    return first >= 0 || each >= 0; /* what falls does so for ever, until it is out of its range */
}

/* Whether it is a number of the type of `v` up to that iteration. */
static bool stays_in_range(const tn_value *v, const line *l, int64_t last) {
    int64_t end = l->first + l->each * (last < MOST ? last : MOST);
    return v->type->dtype == TN_DT_INT64 || (end >= INT32_MIN && end <= INT32_MAX);
}

static bool ends_comparison(look *l, const tn_op *op, int64_t *last) {
    bool less = tn_op_is_standard(op, "Less"), at_most = tn_op_is_standard(op, "LessOrEqual");
    bool greater = tn_op_is_standard(op, "Greater"),
         at_least = tn_op_is_standard(op, "GreaterOrEqual");
    line a, b;
    if (!(less || at_most || greater || at_least) || op->n_operands != 2 ||
        !line_of(l, tn_operand(op, 0), &a) || !line_of(l, tn_operand(op, 1), &b)) {
        return false;
    }
    if (a.first == FAR && b.first == FAR) {
        return false;
    }
    bool turned = greater || at_least;
    line *small = turned ? &b : &a, *large = turned ? &a : &b;
    large->first += at_most || at_least; /* of whole numbers */
    return ends_less(small, large, last) && stays_in_range(tn_operand(op, 0), &a, *last) &&
           stays_in_range(tn_operand(op, 1), &b, *last);
}

static bool ends(look *l, const tn_value *v, int64_t *last) {
    int64_t truth, other;
    if (v == NULL || ++l->n > MAX_LOOKS) {
        return false;
    }
    if (known(l->in, v, &truth)) {
        *last = truth != 0 ? INT64_MAX : 0;
        return true;
    }
    const tn_op *op = v->def;
    if (op == NULL || op->graph != l->body) {
        return false;
    }
    if (tn_op_is_standard(op, "And")) {
        if (!ends(l, tn_operand(op, 0), last) || !ends(l, tn_operand(op, 1), &other)) {
            return false;
        }
        *last = other < *last ? other : *last;
        return true;
    }
    const tn_value *same = passes_on(op, NULL);
    return same != NULL ? ends(l, same, last) : ends_comparison(l, op, last);
}

bool tn_loop_ends_behind(tn_infer *in, const tn_graph *body, int64_t *last) {
    look l = {.in = in, .body = body};
    return ends(&l, body->outputs[0], last);
}
