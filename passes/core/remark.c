#include "passes/core/remark.h"

#include "ir/plan/plan_names.h"

static const struct reason {
    const char *name, *text;
} reasons[] = {
    [TN_REASON_NONE] = {"none", "nothing is against it"},
#define REASON(id, name, text) [TN_REASON_##id] = {name, text},
#include "passes/core/remark.def"
#undef REASON
};

const char *tn_reason_name(tn_reason reason) {
    return reasons[reason].name;
}

const char *tn_reason_text(tn_reason reason) {
    return reasons[reason].text;
}

/* An operand that would have been computed inside the result, instead of the reverse. */
static bool is_gathered(const tn_refusal *r) {
    return r->op != NULL && r->value->def != r->op;
}

void tn_refusal_print(const tn_refusal *r, tn_sink *out) {
    static const char *const verbs[] = {[TN_ALIAS_NONE] = "does not lie in",
                                        [TN_ALIAS_VIEW] = "is not a view of",
                                        [TN_ALIAS_INPLACE] = "is not written over",
                                        [TN_ALIAS_UPDATE] = "does not update",
                                        [TN_ALIAS_SHARE] = "does not share the bytes of"};
    bool gathered = r->kind == TN_ALIAS_VIEW && is_gathered(r);
    tn_put_quoted(out, r->value->name);
    tn_putf(out, " %s ", gathered ? "is not computed inside" : verbs[r->kind]);
    tn_put_quoted(out, r->of->name);
    tn_put(out, ": ");
    tn_refusal_print_why(r, out);
}

void tn_refusal_print_why(const tn_refusal *r, tn_sink *out) {
    tn_put(out, tn_reason_text(r->reason));
    if (r->witness != NULL) {
        tn_put(out, ": ");
        tn_put_quoted(out, r->witness->name);
    }
    if (r->by != NULL) {
        tn_putf(out, "%s step %d (%s", r->witness != NULL ? " at" : ": at", (int)r->step,
                r->by->type);
        if (r->by->name[0] != '\0') {
            tn_putf(out, " '%s'", r->by->name);
        } else if (tn_result(r->by, 0) != NULL) {
            tn_putf(out, " making '%s'", r->by->results[0]->name);
        }
        tn_put_c(out, ')');
    }
}
