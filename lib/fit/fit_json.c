/* The ladder for programs: one object (docs/FIT.md lists the keys). */
#include "ir/base/quote.h"
#include "ir/plan/json_put.h"
#include "ir/plan/plan_names.h"
#include "lib/fit/fit_t.h"

static const char *end_name(tn_rung_end end) {
    static const char *const names[] = {[TN_RUNG_NONE] = "no-plan",
                                        [TN_RUNG_KERNELS] = "no-kernels",
                                        [TN_RUNG_OPERATIONS] = "too-many-operations",
                                        [TN_RUNG_NO_GAIN] = "no-gain",
                                        [TN_RUNG_LESS] = "not-needed",
                                        [TN_RUNG_KEPT] = "kept",
                                        [TN_RUNG_CHOSEN] = "chosen"};
    return names[end];
}

static void put_rung(const tn_rung *r, uint32_t i, tn_sink *out) {
    const tn_outcome *o = &r->outcome;
    bool made = r->end != TN_RUNG_NONE;
    tn_json_begin_item(out, i, "measure");
    tn_put_quoted(out, i > 0 ? tn_measure_names[r->in] : "none");
    tn_json_put_text(out, "options", r->options);
    tn_json_put_text(out, "asks", r->asks);
    tn_json_put_text(out, "end", end_name(r->end));
    tn_json_put_flag(out, "fits", made && r->fits);
    if (made) {
        tn_json_put_number(out, "ram", r->need);
        tn_json_put_number(out, "flash", r->flash);
        tn_json_put_number(out, "arena", o->arena);
        tn_json_put_number(out, "pools", o->ram);
        tn_json_put_number(out, "stack", o->stack);
        tn_json_put_number(out, "code", o->code);
        tn_json_put_number(out, "operations", o->operations);
        tn_json_put_number(out, "model_operations", o->model_operations);
        tn_json_put_number(out, "cost", o->cost);
    }
    tn_put_c(out, '}');
}

void tn_fit_print_json(const tn_fit *f, tn_sink *out) {
    tn_put(out, "{\n  \"tenure_fit\": 1");
    tn_json_put_text(out, "model", f->model);
    tn_json_put_number(out, "ram_budget", f->args.ram);
    tn_json_put_number(out, "flash_budget", f->args.flash);
    tn_json_put_flag(out, "fits", f->fits);
    tn_json_put_flag(out, "interrupted", f->interrupted);
    tn_json_put_flag(out, "program", f->has_program);
    tn_json_put_number(out, "chosen", f->chosen);
    tn_json_put_number(out, "left_out", f->left_out);
    tn_json_put_text(out, "measures", f->measures);
    tn_json_put_text(out, "command", f->command);
    tn_json_put_text(out, "peak", f->peak);
    tn_json_put_number(out, "bound", f->bound);
    tn_put(out, ",\n");
    tn_json_begin_list(out, "alive");
    for (uint32_t i = 0; i < f->alive.len; i++) {
        tn_put(out, i > 0 ? ", " : "");
        tn_put_quoted(out, f->alive.data[i]);
    }
    tn_put(out, "],\n");
    tn_json_begin_list(out, "advice");
    for (uint32_t i = 0; i < f->advice.len; i++) {
        tn_json_begin_item(out, i, "advice");
        tn_putf(out, "%u", i);
        tn_advice_print_json(&f->advice.data[i], out);
        tn_put_c(out, '}');
    }
    tn_json_end_list(out, f->advice.len);
    tn_json_begin_list(out, "rungs");
    for (uint32_t i = 0; i < f->rungs.len; i++) {
        put_rung(&f->rungs.data[i], i, out);
    }
    tn_json_end_list(out, f->rungs.len);
    tn_put(out, "  \"version\": 1\n}\n");
}
