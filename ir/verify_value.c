/* The verifier's checks on one value: type, tensor, facts, uses, alias edges. */
#include "ir/base/limits.h"
#include "ir/base/xmath.h"
#include "ir/verify_t.h"

void tn_verify_tensor(tn_verifier *v, const tn_loc *loc, const char *of, const tn_tensor *t) {
    uint64_t n = 1;
    if (t->rank > TN_MAX_RANK) {
        tn_verify_report(v, loc, "the tensor of '%s' has %u dimensions; the limit is %u", of,
                         t->rank, TN_MAX_RANK);
        return;
    }
    for (uint32_t i = 0; i < t->rank; i++) {
        if (t->dims[i] < 0 || !tn_mul_u64(n, (uint64_t)t->dims[i], &n)) {
            tn_verify_report(v, loc, "the tensor of '%s' has a bad dimension %u", of, i);
            return;
        }
    }
    if (n != t->n_elements) {
        tn_verify_report(v, loc, "the tensor of '%s' has %llu elements, its shape says %llu", of,
                         (unsigned long long)t->n_elements, (unsigned long long)n);
    }
    uint64_t bits = tn_dtype_get(t->dtype)->bits, total;
    if (bits != 0 && (!tn_mul_u64(n, bits, &total) || t->bytes != total / 8 + (total % 8 != 0))) {
        tn_verify_report(v, loc, "the tensor of '%s' has %llu bytes, which its shape does not", of,
                         (unsigned long long)t->bytes);
    }
}

static void check_type(tn_verifier *v, const tn_loc *loc, const tn_value *value) {
    uint32_t depth = 0;
    for (const tn_type *t = value->type; t != NULL; t = t->elem) {
        bool wraps =
            t->kind == TN_TYPE_SEQUENCE || t->kind == TN_TYPE_OPTIONAL || t->kind == TN_TYPE_MAP;
        if (++depth > 64 || wraps != (t->elem != NULL) || (t->has_rank && t->rank > TN_MAX_RANK)) {
            tn_verify_report(v, loc, "the type of '%s' is malformed", value->name);
            return;
        }
    }
    if (value->type == NULL) {
        tn_verify_report(v, loc, "value '%s' has no type", value->name);
    }
}

bool tn_verify_is_gone(const tn_value *value) {
    return value->kind == TN_VALUE_RESULT && value->def != NULL && value->def->erased;
}

static void check_alias(tn_verifier *v, const tn_loc *loc, const tn_value *value) {
    const tn_value *of = value->alias_of;
    if ((value->alias_kind == TN_ALIAS_NONE) != (of == NULL)) {
        tn_verify_report(
            v, loc, "value '%s' has an alias kind without a target, or a target without a kind",
            value->name);
    }
    if (of != NULL &&
        (of->id >= v->m->n_values || v->m->values[of->id] != of || tn_verify_is_gone(of))) {
        tn_verify_report(v, loc, "value '%s' is an alias of a value that is not there",
                         value->name);
    }
}

void tn_verify_facts(tn_verifier *v, const tn_value *value) {
    tn_loc loc = value->def != NULL ? value->def->loc : tn_verify_graph_loc(value->graph);
    check_type(v, &loc, value);
    check_alias(v, &loc, value);
    bool needs = value->kind == TN_VALUE_CONST || (value->flags & TN_VF_DEFAULT) != 0;
    if (needs != (value->tensor != NULL)) {
        tn_verify_report(v, &loc, "value '%s' %s", value->name,
                         needs ? "needs a tensor"
                               : "has a tensor but is no constant and no default");
    } else if (needs) {
        tn_verify_tensor(v, &loc, value->name, value->tensor);
    }
    if (((value->flags & TN_VF_OUTPUT) != 0) != (v->is_output[value->id] != 0)) {
        tn_verify_report(v, &loc, "value '%s' is wrongly marked as an output or not", value->name);
    }
    if (value->n_content > TN_MAX_CONTENT) {
        tn_verify_report(v, &loc, "value '%s' has %u known elements; the limit is %u", value->name,
                         value->n_content, TN_MAX_CONTENT);
    }
    if (!v->listed[value->id]) {
        tn_verify_report(v, &loc, "value '%s' is defined nowhere", value->name);
    }
}

/* Every use must be an operand that reads the value, so agreeing counts mean agreeing sets. */
void tn_verify_uses(tn_verifier *v, const tn_value *value) {
    tn_loc loc = value->def != NULL ? value->def->loc : tn_verify_graph_loc(value->graph);
    const tn_use *prev = NULL;
    uint32_t n = 0;
    for (const tn_use *u = value->first_use; u != NULL && n <= value->n_uses; u = u->next, n++) {
        if (u->value != value || u->prev != prev || u->op->erased ||
            u->index >= u->op->n_operands || u != &u->op->operands[u->index]) {
            tn_verify_report(v, &loc, "a use of '%s' does not agree with its op", value->name);
            return;
        }
        prev = u;
    }
    if (n != value->n_uses || value->last_use != prev) {
        tn_verify_report(v, &loc, "value '%s' has %u uses, its list says %u", value->name,
                         value->n_uses, n);
    }
}

/* Edges form a forest when following them from anywhere ends: each value is walked once. */
void tn_verify_alias_forest(tn_verifier *v) {
    uint32_t *walk = TN_ARRAY(v->scratch, uint32_t, v->m->n_values);
    for (uint32_t i = 0; i < v->m->n_values; i++) {
        const tn_value *at = v->m->values[i];
        while (at != NULL && walk[at->id] == 0) {
            walk[at->id] = i + 1;
            at = at->alias_of;
        }
        if (at != NULL && walk[at->id] == i + 1) {
            tn_verify_report(v, NULL, "the alias edges of '%s' form a cycle", at->name);
        }
    }
}
