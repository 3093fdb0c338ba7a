/* What a plan leaves out, in a sentence for people. */
#include "ir/base/limits.h"
#include "ir/base/xmath.h"
#include "ir/plan/forms.h"

enum { MAX_NAMED = 4 };

typedef struct naming {
    tn_sink *out;
    uint32_t n, at;
} naming;

/* Name number `at` of a list in which the last two are joined by "and". */
static void name(naming *w, const char *before, const char *text) {
    if (w->at < MAX_NAMED) {
        tn_put(w->out, w->at == 0 ? "" : w->at + 1 == w->n && w->n <= MAX_NAMED ? " and " : ", ");
        tn_putf(w->out, "%s'", before);
        tn_put_line(w->out, text);
        tn_put_c(w->out, '\'');
    }
    w->at++;
}

static bool is_shapeless_input(const tn_plan_value *v) {
    return v->left_out == TN_LEFT_OPEN && v->bytes_text == NULL;
}

static uint32_t shapeless_inputs(const tn_plan *p) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n_values; i++) {
        n += is_shapeless_input(&p->values[i]);
    }
    return n;
}

static void name_open(const tn_plan *p, tn_sink *out) {
    naming w = {out, p->n_open + shapeless_inputs(p), 0};
    for (uint32_t i = 0; i < p->n_open; i++) {
        name(&w, "", p->open[i]);
    }
    for (uint32_t i = 0; i < p->n_values; i++) {
        if (is_shapeless_input(&p->values[i])) {
            name(&w, "the shape of input ", p->values[i].name);
        }
    }
    if (w.n > MAX_NAMED) {
        tn_putf(out, " and %u more", w.n - MAX_NAMED);
    }
    tn_put(out, w.n > 1 ? " are open" : " is open");
}

/* A tensor that has a size, and yet no place. */
static bool is_too_large(const tn_plan_value *v) {
    uint64_t n = 1;
    bool fits = true, sized = v->left_out == TN_LEFT_DATA && v->rank > 0 && v->dims != NULL &&
                              tn_dtype_get(v->dtype)->bits > 0;
    for (uint32_t i = 0; sized && i < v->rank; i++) {
        sized = v->dims[i] > 0;
        fits = fits && sized && tn_mul_u64(n, (uint64_t)v->dims[i], &n);
    }
    return sized && (!fits || n > TN_MAX_TENSOR_BYTES / 8);
}

static void put_cause(const tn_plan *p, uint32_t n, tn_sink *out) {
    for (uint32_t i = 0; i < p->n_values; i++) {
        const tn_plan_value *v = &p->values[i];
        if (is_too_large(v)) {
            tn_put_c(out, '\'');
            tn_put_line(out, v->graph);
            tn_put(out, v->graph[0] != '\0' ? "/" : "");
            tn_put_line(out, v->name);
            tn_putf(out, "' is %s, more than the limit of %llu bytes", v->type,
                    (unsigned long long)TN_MAX_TENSOR_BYTES);
            return;
        }
    }
    tn_putf(out, "%s not known before the run", n == 1 ? "its size is" : "their sizes are");
}

void tn_plan_put_left_out(const tn_plan *p, tn_sink *out) {
    const tn_plan_report *r = &p->report;
    uint32_t n = r->n_open + r->n_data;
    tn_putf(out, "%u of %u values %s no place: ", n, r->n_planned + r->n_unplanned,
            n == 1 ? "has" : "have");
    if (p->partial) {
        name_open(p, out);
    } else {
        put_cause(p, n, out);
    }
}

/* Whether the dimensions are open for a range already, for whose extents some tensors have no size.
 */
static bool is_for_ranges(const tn_plan *p) {
    uint32_t i = 0;
    while (i < p->n_open && tn_plan_range_named(p, p->open[i]) != TN_NO_ID) {
        i++;
    }
    return p->n_open > 0 && i == p->n_open;
}

void tn_plan_put_ways_out(const tn_plan *p, const char *another, tn_sink *out) {
    bool shapes = shapeless_inputs(p) > 0, dims = p->n_open > 0;
    const char *last = another != NULL ? ", or " : "";
    tn_putf(out, "bind %s with %s%s%s", p->n_open + shapeless_inputs(p) > 1 ? "them" : "it",
            dims ? "--dim NAME=VALUE" : "", dims && shapes ? " and " : "",
            shapes ? "--input-shape NAME=N,N,..." : "");
    if (!shapes) {
        tn_putf(out, "%s%s", another != NULL ? ", " : ", or ",
                is_for_ranges(p) ? "keep it open where no tensor has an extent below 0 (--dim "
                                   "NAME=MIN..MAX)"
                                 : "plan for all extents with --open");
    }
    tn_putf(out, "%s%s", last, another != NULL ? another : "");
}
