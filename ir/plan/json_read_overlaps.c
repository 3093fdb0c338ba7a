/* What only some values have in JSON: strides, and operands that they begin inside of. */
#include "ir/base/limits.h"
#include "ir/plan/json_read_t.h"

/* Elements lie in row-major order, which is not stated, or with axis 1 behind all others. */
static bool read_strides(tn_json_item *at, const tn_plan_value *v) {
    int64_t strides[TN_MAX_RANK];
    uint32_t n;
    json_t *list = tn_json_list(at, "strides", &n);
    bool channels_last = n == v->rank && n > 2;
    for (uint32_t i = 0; i < n && channels_last; i++) {
        channels_last = v->dims[i] >= 0;
    }
    if (channels_last) {
        tn_strides_as_laid(true, v->rank, v->dims, strides);
    }
    for (uint32_t i = 0; i < n && channels_last; i++) {
        json_t *j = json_array_get(list, i);
        channels_last = json_is_integer(j) && json_integer_value(j) == strides[i];
    }
    if (!channels_last) {
        tn_json_bad(at, "strides",
                    "elements from one coordinate to the next along each axis, with those of axis "
                    "1 behind all others; this key is left out where they lie in row-major order");
    }
    return true;
}

void tn_json_read_overlaps(tn_json_item *at, tn_plan_value *v) {
    const tn_plan *p = at->r->plan;
    v->channels_last = json_object_get(at->json, "strides") != NULL && read_strides(at, v);
    if (json_object_get(at->json, "overlaps") == NULL) {
        return;
    }
    json_t *list = tn_json_list(at, "overlaps", &v->n_overlaps);
    tn_plan_overlap *out = TN_ARRAY(p->arena, tn_plan_overlap, v->n_overlaps);
    for (uint32_t i = 0; i < v->n_overlaps; i++) {
        tn_json_item in = tn_json_open_item(at, list, "overlaps", i);
        out[i].value = tn_json_index_of(&in, "value", p->n_values);
        out[i].step = tn_json_index_of(&in, "step", p->n_steps);
        out[i].distance = tn_json_number(&in, "distance");
        out[i].order =
            (tn_work_order)(1 + tn_json_enum(&in, "order", tn_work_order_words + TN_ORDER_ROWS));
        tn_json_done(&in);
    }
    v->overlaps = out;
}
