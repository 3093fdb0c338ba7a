/* Rules that serve every family. */
#include "ir/shape/infer.h"
#include "ir/shape/rules.h"

void tn_shape_same(tn_infer *in) {
    tn_out_type(in, 0, tn_in_type(in, 0));
}
