/* All elements of the operand, in another order or as they are. */
#include <string.h>

#include "ir/compute/nest_rules.h"

/* Element i of the result is element i of operand 0, whatever their axes are. */
static void copy(tn_compute *c) {
    const tn_compute_value *y = &c->results[0];
    int64_t elements = 1;
    for (uint32_t i = 0; i < y->rank; i++) {
        elements *= y->dims[i];
    }
    tn_nest *n = tn_compute_nest(c, 0);
    n->store.by[tn_nest_axis(n, elements)] = 1;
    n->n_outer = 1;
    n->value = tn_calc_load(c->arena, 0, &n->store);
}

bool tn_compute_copy(tn_compute *c) {
    copy(c);
    return true;
}

/* Where nothing is dropped, and all of the mask says so. */
bool tn_compute_dropout(tn_compute *c) {
    bool trains = c->version != 0 && c->version < 7 ? tn_compute_int(c, "is_test", 0) == 0
                                                    : tn_compute_operand(c, 2) != NULL;
    if (trains) {
        return false;
    }
    copy(c);
    if (c->n_results > 1 && c->results[1].there) {
        tn_nest *n = tn_compute_over(c, 1);
        if (n == NULL) {
            return false;
        }
        n->value = tn_calc_number(c->arena, 1);
    }
    return true;
}

/* Channels that hold the elements of blocks, from or to the image that has these side by side. */
static bool blocks(tn_compute *c, bool to_image) {
    const tn_compute_value *x = tn_compute_operand(c, 0), *y = &c->results[0];
    const tn_compute_value *image = to_image ? y : x, *depth = to_image ? x : y;
    int64_t block = tn_compute_int(c, "blocksize", 0), of[TN_NEST_AXES], at[TN_NEST_AXES];
    bool channels_first = strcmp(tn_compute_text(c, "mode"), "CRD") == 0;
    tn_affine in_image = {0}, in_depth = {0};
    if (x->rank != 4 || y->rank != 4 || block <= 0 || image->dims[2] % block != 0 ||
        image->dims[3] % block != 0 || depth->dims[1] != image->dims[1] * block * block) {
        return false;
    }
    tn_nest *n = tn_compute_nest(c, 0);
    tn_compute_steps(image, of);
    tn_compute_steps(depth, at);
    int64_t channel = channels_first ? block * block : 1;
    int64_t place = channels_first ? 1 : image->dims[1];
    const int64_t extent[] = {depth->dims[0], image->dims[1], depth->dims[2],
                              block,          depth->dims[3], block};
    const int64_t image_steps[] = {of[0], of[1], block * of[2], of[2], block, 1};
    const int64_t depth_steps[] = {at[0], channel * at[1], at[2], place * block * at[1],
                                   1,     place * at[1]};
    for (uint32_t i = 0; i < 6; i++) {
        tn_nest_axis(n, extent[i]);
        in_image.by[i] = image_steps[i];
        in_depth.by[i] = depth_steps[i];
    }
    n->n_outer = n->n_axes;
    n->store = to_image ? in_image : in_depth;
    n->value = tn_calc_load(c->arena, 0, to_image ? &in_depth : &in_image);
    return true;
}

bool tn_compute_depth_to_space(tn_compute *c) {
    return blocks(c, true);
}

bool tn_compute_space_to_depth(tn_compute *c) {
    return blocks(c, false);
}

/* Element t of a sequence comes from length - 1 - t, up to the length, else from t. */
bool tn_compute_reverse_sequence(tn_compute *c) {
    const tn_compute_value *x = tn_compute_operand(c, 0), *lengths = tn_compute_operand(c, 1);
    int64_t batch = tn_compute_int(c, "batch_axis", 1), time = tn_compute_int(c, "time_axis", 0);
    tn_affine in, length = {0}, t = {0};
    tn_nest *n = tn_compute_over(c, 0);
    if (n == NULL || x->rank < 2 || batch + time != 1 || batch * time != 0 || lengths->rank != 1 ||
        lengths->dims[0] != x->dims[batch]) {
        return false;
    }
    in = n->store;
    in.by[time] = 0;
    length.by[batch] = 1;
    t.by[time] = 1;
    tn_arena *arena = c->arena;
    tn_affine turned = {.base = -1};
    turned.by[time] = -1;
    tn_calc *end = tn_calc_convert(arena, tn_calc_load(arena, 1, &length), TN_DT_INT64);
    tn_calc *before = tn_calc_make(arena, TN_CALC_LESS, tn_calc_place(arena, &t), end, NULL);
    tn_calc *last = tn_calc_convert(arena, tn_calc_load(arena, 1, &length), TN_DT_INT64);
    tn_calc *from =
        tn_calc_make(arena, TN_CALC_SELECT, before,
                     tn_calc_make(arena, TN_CALC_ADD, last, tn_calc_place(arena, &turned), NULL),
                     tn_calc_place(arena, &t));
    int64_t step = n->store.by[time];
    tn_nest_put_place(n, 2, tn_calc_index(arena, from, x->dims[time], step));
    n->value = tn_calc_load_by(arena, 0, &in, tn_calc_local(arena, 0));
    return true;
}
