/* ai.onnx.ml. Operands are rows of features [N, C]; a single row may come as [C]. */
#include <string.h>

#include "ir/infer/common.h"
#include "ir/ops/op_rules.h"

/* N; unknown rank gives an unknown extent. */
static tn_dim rows(const tn_infer *in) {
    uint32_t rank;
    if (!tn_in_rank(in, 0, &rank)) {
        return TN_DIM_UNKNOWN;
    }
    return rank < 2 ? tn_in_const(in, 1) : tn_in_dim(in, 0, 0);
}

/* Number of entries of the first of two list attributes that is there; 0 when neither is. */
static uint32_t entries(const tn_infer *in, const char *a, const char *b) {
    const tn_attr *attr = tn_op_attr(in->op, a);
    attr = attr != NULL && attr->n > 0 ? attr : tn_op_attr(in->op, b);
    return attr != NULL ? attr->n : 0;
}

static tn_dim extent(const tn_infer *in, uint32_t n) {
    return n > 0 ? tn_in_const(in, n) : TN_DIM_UNKNOWN;
}

static bool has(const tn_infer *in, const char *attr) {
    const tn_attr *a = tn_op_attr(in->op, attr);
    return a != NULL && (a->kind == TN_ATTR_TENSOR || a->n > 0);
}

void tn_shape_ml_array_feature_extractor(tn_infer *in) {
    uint32_t rank;
    tn_dim *dims = tn_in_dims(in, 0, 1, &rank);
    tn_dim picked = tn_type_elements(in->dims, tn_in_type(in, 1));
    if (dims == NULL || rank == 0) {
        return;
    }
    if (rank == 1) {
        dims[rank++] = picked;
        dims[0] = tn_in_const(in, 1);
    }
    dims[rank - 1] = picked;
    tn_out(in, 0, tn_in_dtype(in, 0), rank, dims);
}

void tn_shape_ml_cast_map(tn_infer *in) {
    const char *to = tn_attr_string(in->op, "cast_to", "TO_FLOAT");
    tn_dtype dtype = strcmp(to, "TO_STRING") == 0  ? TN_DT_STRING
                     : strcmp(to, "TO_INT64") == 0 ? TN_DT_INT64
                                                   : TN_DT_FLOAT;
    bool sparse = strcmp(tn_attr_string(in->op, "map_form", "DENSE"), "SPARSE") == 0;
    tn_dim columns = sparse ? tn_in_const(in, tn_attr_int(in->op, "max_map", 1)) : TN_DIM_UNKNOWN;
    tn_dim dims[2] = {tn_in_const(in, 1), columns};
    tn_out(in, 0, dtype, 2, dims);
    tn_out_dynamic(in, 0, "depends on how many entries the map has");
}

void tn_shape_ml_category_mapper(tn_infer *in) {
    tn_dtype from = tn_in_dtype(in, 0);
    if (from != TN_DT_UNKNOWN) {
        tn_out_like(in, 0, from == TN_DT_STRING ? TN_DT_INT64 : TN_DT_STRING, 0);
    }
}

void tn_shape_ml_dict_vectorizer(tn_infer *in) {
    const tn_type *t = tn_in_type(in, 0);
    bool typed = t->kind == TN_TYPE_MAP && t->elem != NULL && t->elem->kind == TN_TYPE_TENSOR;
    tn_dim dims[2] = {tn_in_const(in, 1),
                      extent(in, entries(in, "string_vocabulary", "int64_vocabulary"))};
    tn_out(in, 0, typed ? t->elem->dtype : TN_DT_UNKNOWN, 2, dims);
}

void tn_shape_ml_feature_vectorizer(tn_infer *in) {
    uint32_t n;
    const int64_t *widths = tn_attr_ints(in->op, "inputdimensions", &n);
    tn_dim total = tn_in_const(in, 0);
    for (uint32_t i = 0; i < in->op->n_operands; i++) {
        uint32_t rank;
        tn_dim width = TN_DIM_UNKNOWN;
        if (widths != NULL && i < n) {
            width = tn_in_const(in, widths[i]);
        } else if (tn_in_rank(in, i, &rank) && rank > 0) {
            width = tn_in_dim(in, i, rank - 1);
        }
        total = tn_dim_add(in->dims, total, width);
    }
    tn_dim dims[2] = {rows(in), total};
    tn_out(in, 0, TN_DT_FLOAT, 2, dims);
}

/* Version 1 maps between strings and their positions; later ones say what the values are. */
void tn_shape_ml_label_encoder(tn_infer *in) {
    const tn_attr *tensor = tn_op_attr(in->op, "values_tensor");
    tn_dtype dtype = TN_DT_UNKNOWN;
    if (tensor != NULL && tensor->kind == TN_ATTR_TENSOR) {
        dtype = tensor->u.t->dtype;
    } else if (has(in, "values_strings")) {
        dtype = TN_DT_STRING;
    } else if (has(in, "values_int64s")) {
        dtype = TN_DT_INT64;
    } else if (has(in, "values_floats")) {
        dtype = TN_DT_FLOAT;
    } else if (has(in, "classes_strings")) {
        dtype = tn_in_dtype(in, 0) == TN_DT_STRING ? TN_DT_INT64 : TN_DT_STRING;
    }
    tn_out_like(in, 0, dtype, 0);
}

/* Labels are strings or integers, whichever the model lists; returns how many. */
static uint32_t out_labels(tn_infer *in, const char *ints) {
    bool strings = has(in, "classlabels_strings");
    tn_out_vector(in, 0, strings ? TN_DT_STRING : TN_DT_INT64, rows(in));
    return entries(in, "classlabels_strings", ints);
}

static const char *label_attr(const tn_infer *in) {
    return has(in, "classlabels_int64s") ? "classlabels_int64s" : "classlabels_ints";
}

void tn_shape_ml_classifier(tn_infer *in) {
    uint32_t classes = out_labels(in, label_attr(in));
    tn_dim dims[2] = {rows(in), extent(in, classes)};
    tn_out(in, 1, TN_DT_FLOAT, 2, dims);
}

/* Without probabilities the scores are those of pairs of classes, in a number that depends on the
 * runtime. */
void tn_shape_ml_svm_classifier(tn_infer *in) {
    uint32_t classes = out_labels(in, "classlabels_ints");
    tn_dim dims[2] = {rows(in), has(in, "prob_a") ? extent(in, classes) : TN_DIM_UNKNOWN};
    tn_out(in, 1, TN_DT_FLOAT, 2, dims);
    tn_out_dynamic(in, 1, "the number of scores without probabilities is the runtime's choice");
}

static void out_targets(tn_infer *in, tn_dtype dtype, int64_t targets) {
    tn_dim dims[2] = {rows(in), targets > 0 ? tn_in_const(in, targets) : TN_DIM_UNKNOWN};
    tn_out(in, 0, dtype, 2, dims);
}

void tn_shape_ml_linear_regressor(tn_infer *in) {
    out_targets(in, TN_DT_FLOAT, tn_attr_int(in->op, "targets", 1));
}

void tn_shape_ml_svm_regressor(tn_infer *in) {
    out_targets(in, TN_DT_FLOAT, 1);
}

void tn_shape_ml_tree_ensemble(tn_infer *in) {
    out_targets(in, tn_in_dtype(in, 0), tn_attr_int(in->op, "n_targets", 0));
}

void tn_shape_ml_tree_ensemble_regressor(tn_infer *in) {
    out_targets(in, TN_DT_FLOAT, tn_attr_int(in->op, "n_targets", 0));
}

void tn_shape_ml_same_f32(tn_infer *in) {
    tn_out_like(in, 0, TN_DT_FLOAT, 0);
}

void tn_shape_ml_one_hot_encoder(tn_infer *in) {
    uint32_t rank;
    tn_dim *dims = tn_in_dims(in, 0, 1, &rank);
    if (dims != NULL) {
        dims[rank] = extent(in, entries(in, "cats_int64s", "cats_strings"));
        tn_out(in, 0, TN_DT_FLOAT, rank + 1, dims);
    }
}

void tn_shape_ml_zip_map(tn_infer *in) {
    tn_dtype key = has(in, "classlabels_strings") ? TN_DT_STRING : TN_DT_INT64;
    const tn_type *score = tn_type_tensor(in->arena, TN_DT_FLOAT, 0, NULL);
    const tn_type *map = tn_type_wrap(in->arena, TN_TYPE_MAP, key, score);
    tn_out_type(in, 0, tn_type_wrap(in->arena, TN_TYPE_SEQUENCE, TN_DT_UNKNOWN, map));
    const tn_value *scores = tn_operand(in->op, 0);
    tn_out_dynamic(in, 0,
                   tn_arena_printf(in->scratch,
                                   "a sequence of maps: take the scores '%s' instead, as "
                                   "converters do that are told so (skl2onnx: "
                                   "options={'zipmap': False})",
                                   scores != NULL ? scores->name : ""));
}
