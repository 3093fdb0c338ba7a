/* Parts of expressions that stay what they are while inner loops go by: made in front of these, as
 * compilers may not, for all that is stored may lie where a scale or a zero point is read. */
#include <inttypes.h>
#include <string.h>

#include "backends/kernels/print.h"

/* Whether an operand has an element wherever the load goes. */
static bool is_there(const tn_printer *p, const tn_calc *load) {
    const tn_compute_value *v = &p->c->operands[load->which];
    int64_t least, most, elements = 1;
    for (uint32_t i = 0; i < v->rank; i++) {
        elements *= v->dims[i];
    }
    tn_affine_range(p->n, &load->at, 0, p->n->n_axes, &least, &most);
    return load->arg[0] == NULL && least >= 0 && most < elements;
}

/* Whether nothing in `x` moves with an axis from `depth` on, or comes from a stage. */
static bool stays(const tn_printer *p, const tn_calc *x, uint32_t depth) {
    if (x->kind == TN_CALC_NUMBER || x->kind == TN_CALC_LOCAL) {
        return x->kind == TN_CALC_NUMBER || x->which >= TN_NEST_STAGES;
    }
    bool all = x->kind != TN_CALC_LOAD || is_there(p, x);
    for (uint32_t a = 0; all && x->kind != TN_CALC_OP && a < p->n->n_axes; a++) {
        all = x->at.table[a] == NULL && (a < depth || x->at.by[a] == 0);
    }
    for (uint32_t i = 0; all && i < 3 && x->arg[i] != NULL; i++) {
        all = stays(p, x->arg[i], depth);
    }
    return all;
}

/* Whether it takes a load, or more than a number. */
static bool is_worth(const tn_calc *x) {
    bool any = x->kind == TN_CALC_LOAD;
    for (uint32_t i = 0; i < 3 && x->kind == TN_CALC_OP && x->arg[i] != NULL; i++) {
        any = any || is_worth(x->arg[i]) || x->arg[i]->kind == TN_CALC_LOCAL;
    }
    return any;
}

bool tn_print_are_equal(const tn_calc *a, const tn_calc *b) {
    if (a == NULL || b == NULL) {
        return a == b;
    }
    bool same = a->kind == b->kind && a->type == b->type &&
                (a->kind == TN_CALC_OP       ? a->op == b->op
                 : a->kind == TN_CALC_NUMBER ? memcmp(&a->number, &b->number, sizeof a->number) == 0
                                             : a->which == b->which && a->factors == b->factors &&
                                                   memcmp(&a->at, &b->at, sizeof a->at) == 0);
    for (uint32_t i = 0; i < 3 && same; i++) {
        same = tn_print_are_equal(a->arg[i], b->arg[i]);
    }
    return same;
}

/* The number of what is kept and equals it; a new one, with a line that makes it, where none does.
 */
static uint32_t number_of(tn_printer *p, const tn_calc *x) {
    for (uint32_t i = 0; i < p->n_kept; i++) {
        if (p->local[TN_NEST_STAGES + i] != NULL && tn_print_are_equal(&p->kept[i].was, x)) {
            return i;
        }
    }
    const char *name = tn_arena_printf(p->out->arena, "c%" PRIu32, p->n_kept);
    tn_put_indent(p->out, 4 * (size_t)p->depth);
    tn_putf(p->out, "const %s %s = ", tn_print_type(x->type), name);
    tn_print_calc(p, x);
    tn_put(p->out, ";\n");
    p->local[TN_NEST_STAGES + p->n_kept] = name;
    return p->n_kept;
}

static void keep(tn_printer *p, tn_calc *x, uint32_t depth) {
    for (uint32_t i = 0; i < 3 && x->arg[i] != NULL; i++) {
        tn_calc *arg = x->arg[i];
        if (p->n_kept == TN_PRINT_KEPT || !stays(p, arg, depth) || !is_worth(arg)) {
            keep(p, arg, depth);
            continue;
        }
        uint32_t number = number_of(p, arg);
        if (number != p->n_kept) {
            p->local[TN_NEST_STAGES + p->n_kept] = NULL; /* it has no name of its own */
        }
        p->kept[p->n_kept++] = (tn_print_kept){arg, *arg};
        *arg =
            (tn_calc){.kind = TN_CALC_LOCAL, .type = arg->type, .which = TN_NEST_STAGES + number};
    }
}

void tn_print_keep(tn_printer *p) {
    for (uint32_t s = 0; s < p->n->n_stages; s++) {
        keep(p, p->n->stage[s].body, 0);
        if (p->n->stage[s].start != NULL) {
            keep(p, p->n->stage[s].start, 0);
        }
    }
    tn_print_keep_of(p, 0);
}

uint32_t tn_print_keep_of(tn_printer *p, uint32_t depth) {
    uint32_t before = p->n_kept;
    const tn_nest *n = p->n;
    for (uint32_t s = 0; !n->moves && s < n->n_stages; s++) {
        if (n->stage[s].depth == n->n_outer && tn_print_is_term(&n->stage[s])) {
            keep(p, n->stage[s].body, depth);
        }
    }
    if (!n->moves) {
        keep(p, n->value, depth);
    }
    return before;
}

void tn_print_let_go(tn_printer *p, uint32_t kept) {
    while (p->n_kept > kept) {
        p->n_kept--;
        *p->kept[p->n_kept].at = p->kept[p->n_kept].was;
    }
}
