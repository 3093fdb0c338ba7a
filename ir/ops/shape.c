/* Rules that serve every family. */
#include "ir/infer/infer.h"
#include "ir/ops/rules.h"

void tn_shape_same(tn_infer *in) {
    tn_out_type(in, 0, tn_in_type(in, 0));
}
