/* The ladder for people. */
#include "ir/base/quote.h"
#include "ir/plan/plan_names.h"
#include "lib/fit/fit_t.h"

const char *tn_rung_name(const tn_rung *r) {
    return r->options[0] != '\0' ? r->options : "as planned without measures";
}

const char *tn_rung_end_text(const tn_rung *r) {
    switch (r->end) {
    case TN_RUNG_NONE:
        return "does not go together with what was asked for";
    case TN_RUNG_KERNELS:
        return "tenure has no kernels for it";
    case TN_RUNG_OPERATIONS:
        return "more operations than allowed";
    case TN_RUNG_NO_GAIN:
        return "no gain";
    case TN_RUNG_LESS:
        return r->fits ? "fits, and is not needed" : "not the best of its kind";
    case TN_RUNG_KEPT:
        return "kept";
    case TN_RUNG_CHOSEN:
        return r->fits ? "fits" : "the least there is";
    }
    return "";
}

static void put_budget(const tn_fit *f, tn_sink *out) {
    const tn_fit_args *a = &f->args;
    tn_put(out, "fit of ");
    tn_put_quoted(out, f->model);
    if (a->ram > 0) {
        tn_put(out, ", RAM ");
        tn_put_bytes(out, a->ram);
    }
    if (a->flash > 0) {
        tn_put(out, ", flash ");
        tn_put_bytes(out, a->flash);
    }
    if (a->operations != NULL) {
        tn_putf(out, ", operations +%s", a->operations);
    }
    tn_put(out, "\n\n");
}

static void put_operations(const tn_rung *r, tn_sink *out) {
    tn_sink text = tn_sink_make(out->arena);
    tn_put(&text, r->outcome.operations > 0 ? "+" : "=");
    if (r->outcome.operations > 0) {
        tn_put_decimal(&text, tn_rung_operations(r) * 100);
        tn_put(&text, " %");
    }
    tn_putf(out, "%12s", text.data);
}

/* A mark for what is part of the result, figures, the measure, what became of it, what it asks. */
static void put_rung(const tn_rung *r, tn_sink *out) {
    const char *mark = r->end == TN_RUNG_CHOSEN ? ">" : r->end == TN_RUNG_KEPT ? "+" : " ";
    tn_put(out, mark);
    if (r->end == TN_RUNG_NONE) {
        tn_putf(out, "%12s%12s%12s", "-", "-", "-");
    } else {
        tn_putf(out, "%12llu%12llu", (unsigned long long)r->need, (unsigned long long)r->flash);
        put_operations(r, out);
    }
    if (r->options[0] == '\0' && r->end != TN_RUNG_CHOSEN) {
        tn_putf(out, "  %s\n", tn_rung_name(r));
    } else {
        tn_putf(out, "  %s: %s; asks for %s\n", tn_rung_name(r), tn_rung_end_text(r), r->asks);
    }
}

static void put_parts(const tn_fit *f, tn_sink *out) {
    const tn_rung *r = &f->rungs.data[f->chosen];
    const tn_outcome *o = &r->outcome;
    tn_put(out, "  RAM           ");
    tn_put_bytes(out, r->need);
    tn_put(out, ": arena ");
    tn_put_bytes(out, r->in == TN_MEASURE_SPILL ? o->first : o->arena);
    tn_put(out, ", in, out and state ");
    tn_put_bytes(out, o->ram - o->arena);
    if (f->args.stack != NULL || f->has_program) {
        tn_put(out, f->args.stack != NULL ? ", stack " : ", stack about ");
        tn_put_bytes(out, r->need - (r->in == TN_MEASURE_SPILL ? o->first : o->arena) -
                              (o->ram - o->arena));
    } else {
        tn_put(out, "; kernels and their stack are yours and not counted");
    }
    tn_put(out, "\n  flash         ");
    tn_put_bytes(out, r->flash);
    tn_put(out, ": constants ");
    tn_put_bytes(out, o->constants);
    if (f->has_program) {
        tn_put(out, ", code about ");
        tn_put_bytes(out, o->code);
    }
    tn_put_c(out, '\n');
}

static void put_stop(const tn_fit *f, tn_sink *out) {
    const tn_rung *r = &f->rungs.data[f->chosen];
    if (f->args.ram == 0 || r->need <= f->args.ram) {
        tn_put(out, "\nit stops at constants of ");
        tn_put_bytes(out, r->outcome.constants);
        tn_put(out, ": elements of 8 bits for 32 (quantise), or fewer of them\n");
        return;
    }
    tn_put(out, "\nit stops at ");
    tn_put(out, f->peak[0] != '\0' ? f->peak : "the inputs and outputs");
    tn_put(out, ", where these are alive:\n");
    for (uint32_t i = 0; i < f->alive.len; i++) {
        tn_putf(out, "  %s\n", f->alive.data[i]);
    }
    tn_put(out, "in this order and with these measures no plan needs less than ");
    tn_put_bytes(out, f->bound);
    tn_put(out, " for its tensors\n\nwhat only you can do:\n");
    const tn_outcome now = r->outcome;
    for (uint32_t i = 0; i < f->advice.len; i++) {
        tn_advice_print(&now, &f->advice.data[i], out);
    }
    tn_put(out,
           "  a smaller input, fewer channels, or elements of 8 bits for 32 (quantise): at the "
           "step above\n");
}

void tn_fit_print(const tn_fit *f, tn_sink *out) {
    put_budget(f, out);
    tn_putf(out, " %12s%12s%12s  %s\n", "RAM B", "flash B", "operations", "measure");
    for (uint32_t i = 0; i < f->rungs.len; i++) {
        put_rung(&f->rungs.data[i], out);
    }
    if (f->left_out > 0) {
        tn_putf(out, "%u more were not tried (--fit-steps)\n", f->left_out);
    }
    tn_putf(out, "\n%s: %s\n", f->fits ? "fits with" : "does not fit; the least there is with",
            f->measures[0] != '\0' ? f->measures : "no measure");
    put_parts(f, out);
    tn_putf(out, "  the same      %s\n", f->command);
    if (!f->fits) {
        put_stop(f, out);
    }
}
