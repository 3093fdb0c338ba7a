/* Where ops that move nothing leave their data: which result lies inside which operand, or the
 * reverse, and at which byte; and which argument of a called function is which operand. Worked out
 * from types, attributes and known contents; what is known neither as a number nor, of what joins
 * and cuts, as an expression, is no view. */
#ifndef TENURE_PASSES_ALIAS_VIEW_H
#define TENURE_PASSES_ALIAS_VIEW_H

#include "ir/module.h"

typedef enum tn_view_class {
    TN_VIEWS_SAME,   /* the same bytes under another shape, or an op that does nothing */
    TN_VIEWS_PLACED, /* needs a look at extents: permutations of 1s, parts, gathered operands */
} tn_view_class;

/* `inner` lies in `outer`, `offset` bytes from its start. */
typedef struct tn_view {
    tn_value *inner, *outer;
    int64_t offset;
    tn_dim open_offset; /* the same as an expression, `offset` being that of the planning point;
                           TN_DIM_UNKNOWN where it is a number */
    tn_view_class kind;
    bool gathered; /* inner is an operand that would be computed inside the result */
} tn_view;

/* Number of views the op may offer: indices below it are for tn_view_get. */
uint32_t tn_view_count(const tn_op *op);
/* View i of the op; false when there is none there. `inner` and `outer` are set either way, NULL
 * where the op lacks one. */
bool tn_view_get(const tn_op *op, uint32_t i, tn_view *out);

#endif
