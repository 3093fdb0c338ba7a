/* What a plan leaves out, in a sentence for people. */
#include "ir/plan/forms.h"
#include "ir/plan/plan_names.h"

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
        tn_put_utf8(w->out, text);
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

void tn_plan_put_left_out(const tn_plan *p, tn_sink *out) {
    const tn_plan_report *r = &p->report;
    uint32_t n = r->n_open + r->n_data;
    tn_putf(out, "%u of %u values %s no place: ", n, r->n_planned + r->n_unplanned,
            n == 1 ? "has" : "have");
    if (p->partial) {
        name_open(p, out);
    } else {
        tn_putf(out, "%s not known before the run", n == 1 ? "its size is" : "their sizes are");
    }
}

void tn_plan_put_ways_out(const tn_plan *p, tn_sink *out) {
    bool shapes = shapeless_inputs(p) > 0;
    tn_putf(out, "bind %s with %s%s%s", p->n_open + shapeless_inputs(p) > 1 ? "them" : "it",
            p->n_open > 0 ? "--dim NAME=VALUE" : "", p->n_open > 0 && shapes ? " and " : "",
            shapes ? "--input-shape NAME=N,N,..." : "");
}
