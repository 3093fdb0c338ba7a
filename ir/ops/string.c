/* Strings and text features. */
#include "ir/infer/common.h"
#include "ir/ops/op_rules.h"

/* Only stop words change the number of strings. */
void tn_shape_string_normalizer(tn_infer *in) {
    uint32_t rank;
    if (tn_op_attr(in->op, "stopwords") == NULL) {
        tn_out_type(in, 0, tn_in_type(in, 0));
        return;
    }
    tn_dim *dims = tn_in_dims(in, 0, 0, &rank);
    if (dims == NULL || rank == 0) {
        tn_out_unranked(in, 0, TN_DT_STRING);
    } else {
        dims[rank - 1] = TN_DIM_UNKNOWN;
        tn_out(in, 0, TN_DT_STRING, rank, dims);
    }
    tn_out_depends(in, 0, 0);
}

/* A new last axis holds the parts, padded to the longest. */
void tn_shape_string_split(tn_infer *in) {
    uint32_t rank;
    tn_dim *dims = tn_in_dims(in, 0, 1, &rank);
    if (dims == NULL) {
        tn_out_unranked(in, 0, TN_DT_STRING);
    } else {
        dims[rank] = TN_DIM_UNKNOWN;
        tn_out(in, 0, TN_DT_STRING, rank + 1, dims);
    }
    tn_out_depends(in, 0, 0);
    tn_out_like(in, 1, TN_DT_INT64, 0);
}

/* The last axis becomes the coordinates that n-grams are counted at. */
void tn_shape_tfidf(tn_infer *in) {
    uint32_t rank, n;
    int64_t last = -1;
    const int64_t *indexes = tn_attr_ints(in->op, "ngram_indexes", &n);
    tn_dim *dims = tn_in_dims(in, 0, 0, &rank);
    if (dims == NULL || rank == 0) {
        tn_out_unranked(in, 0, TN_DT_FLOAT);
        return;
    }
    for (uint32_t i = 0; indexes != NULL && i < n; i++) {
        last = indexes[i] > last ? indexes[i] : last;
    }
    dims[rank - 1] = last < INT32_MAX ? tn_in_const(in, last + 1) : TN_DIM_UNKNOWN;
    tn_out(in, 0, TN_DT_FLOAT, rank, dims);
}

/* Numbers, as many as the strings have tokens. */
void tn_shape_tokenizer(tn_infer *in) {
    for (uint32_t i = 0; i < in->op->n_results; i++) {
        tn_out_unranked(in, i, TN_DT_INT64);
        tn_out_depends(in, i, 0);
    }
}
