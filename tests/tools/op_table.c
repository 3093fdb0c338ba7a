/* Prints the op table, one row a line, for tests/operators and docs/generated/OPS.md. Columns are
 * separated by tabs: domain, name, since-versions, least and most operands, least and most results
 * (-1: any number), signature, attributes, traits, in-place, view, operands of which only the shape
 * is read, what the gradient needs, whether there is a shape rule, doc. */
#include <stdio.h>

#include "ir/ops.h"

static const char *const traits[] = {"element-wise",  "broadcast",       "random",   "side effect",
                                     "constant",      "shape reader",    "gradient", "update",
                                     "nested graphs", "shape from data", "sequence", "call",
                                     "loss"};
static const char *const conditions[] = {"never", "same", "rows", "update", "must"};
static const char *const views[] = {"",      "whole",    "if equal", "part",
                                    "parts", "gathered", "permuted"};

/* "0 2", or "all" for a mask with every bit set. */
static void print_mask(uint32_t mask) {
    if (mask == UINT32_MAX) {
        printf("all");
        return;
    }
    const char *gap = "";
    for (unsigned bit = 0; bit < 32; bit++) {
        if ((mask >> bit & 1) != 0) {
            printf("%s%u", gap, bit);
            gap = " ";
        }
    }
}

static void print_traits(uint32_t set) {
    const char *gap = "";
    for (unsigned bit = 0; bit < sizeof traits / sizeof traits[0]; bit++) {
        if ((set >> bit & 1) != 0) {
            printf("%s%s", gap, traits[bit]);
            gap = ", ";
        }
    }
}

static void print_inplace(const tn_op_info *o) {
    const char *gap = "";
    for (unsigned i = 0; i < 6 && o->inplace[i].cond != TN_IF_NEVER; i++) {
        printf("%s%u over ", gap, o->inplace[i].result);
        print_mask(o->inplace[i].operands);
        printf(" (%s)", conditions[o->inplace[i].cond]);
        gap = ", ";
    }
}

static void print_row(const tn_op_info *o) {
    printf("%s\t%s\t%s\t%d\t%d\t%d\t%d\t%s\t%s\t", o->domain, o->name, o->versions, o->min_in,
           o->max_in, o->min_out, o->max_out, o->sig != NULL ? o->sig : "",
           o->attrs != NULL ? o->attrs : "");
    print_traits(o->traits);
    printf("\t");
    print_inplace(o);
    printf("\t%s\t", views[o->view]);
    print_mask(o->shape_only);
    printf("\t");
    if (o->has_grad) {
        printf("operands ");
        print_mask(o->grad_in);
        printf("; results ");
        print_mask(o->grad_out);
    }
    printf("\t%s\t%s\n", o->shape != NULL ? "yes" : "no", o->doc);
}

int main(void) {
    for (unsigned i = 1; i < TN_OP_COUNT; i++) {
        print_row(tn_op_info_get((tn_opcode)i));
    }
    return 0;
}
