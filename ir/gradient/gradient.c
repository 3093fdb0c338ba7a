/* What rules ask of the op they differentiate. */
#include "ir/gradient/gradient.h"

#include <string.h>

#include "ir/ops/attr_spec.h"

tn_grad_rule tn_grad_rule_find(const char *name, size_t len) {
    static const struct {
        const char *name;
        tn_grad_rule rule;
    } rules[] = {
#define GRAD_RULE(id) {#id, tn_grad_##id},
#include "ir/gradient/grad_rules.def"
#undef GRAD_RULE
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (strncmp(name, rules[i].name, len) == 0 && rules[i].name[len] == '\0') {
            return rules[i].rule;
        }
    }
    return NULL;
}

void tn_grad_fail(const tn_grad *g, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    const char *text = tn_arena_vprintf(g->e->scratch, fmt, args);
    va_end(args);
    tn_fail(g->e->ctx, &g->e->loc, "%s by '%s' cannot be made: %s; " TN_GRAD_WAYS_OUT, g->e->what,
            g->x->name, text);
}

static bool find(const tn_grad *g, const char *name, tn_attr *out) {
    const char *at = g->op->info->attrs;
    for (tn_attr_spec s; tn_attr_spec_next(&at, g->op->version, &s);) {
        if (strncmp(s.name, name, s.len) == 0 && name[s.len] == '\0') {
            return tn_op_attr_or_default(g->op, &s, out);
        }
    }
    return false;
}

int64_t tn_grad_int(const tn_grad *g, const char *name, int64_t fallback) {
    tn_attr a;
    return find(g, name, &a) && a.kind == TN_ATTR_INT ? a.u.i : fallback;
}

double tn_grad_float(const tn_grad *g, const char *name, double fallback) {
    tn_attr a;
    return find(g, name, &a) && a.kind == TN_ATTR_FLOAT ? (double)(float)a.u.f : fallback;
}

const char *tn_grad_text(const tn_grad *g, const char *name, const char *fallback) {
    tn_attr a;
    return find(g, name, &a) && a.kind == TN_ATTR_STRING ? a.u.s.data : fallback;
}

const int64_t *tn_grad_ints(const tn_grad *g, const char *name, uint32_t *n) {
    tn_attr a;
    bool found = find(g, name, &a) && a.kind == TN_ATTR_INTS;
    *n = found ? a.n : 0;
    return found ? a.u.ints : NULL;
}

const int64_t *tn_grad_param(const tn_grad *g, uint32_t k, const char *attr, uint32_t *n) {
    const tn_value *v = k != UINT32_MAX ? tn_operand(g->op, k) : NULL;
    if (v == NULL) {
        return tn_grad_ints(g, attr, n);
    }
    const int64_t *ints = tn_known_ints(g->e, v, n);
    if (ints == NULL) {
        tn_grad_fail(g, "'%s' (%s) is not known before the run", v->name, attr);
    }
    return ints;
}

const int64_t *tn_grad_axes(const tn_grad *g, const int64_t *axes, uint32_t n, uint32_t rank) {
    int64_t *sorted = TN_ARRAY(g->e->scratch, int64_t, n + 1u);
    for (uint32_t i = 0; i < n; i++) {
        int64_t axis = axes[i] < 0 ? axes[i] + (int64_t)rank : axes[i];
        uint32_t k = i;
        for (; k > 0 && sorted[k - 1] > axis; k--) {
            sorted[k] = sorted[k - 1];
        }
        sorted[k] = axis;
    }
    return sorted;
}

tn_value *tn_grad_result(tn_grad *g, uint32_t r, tn_dtype dtype, const tn_value *like) {
    tn_op *op = g->op;
    tn_value *v = tn_result(op, r);
    if (v != NULL) {
        return v;
    }
    if (op->n_results != r) {
        tn_grad_fail(g, "result %u of %s '%s' would have to be named", r, op->type, op->name);
    }
    const char *name = tn_internf(g->e->ctx, "%s_%u", op->results[0]->name, r);
    return tn_op_add_result(
        op, tn_emit_name(g->e, name),
        tn_type_tensor(g->e->m->arena, dtype, like->type->rank, like->type->dims));
}
