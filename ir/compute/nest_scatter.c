/* A cache with new entries written into it: what it holds stays where it lies over its operand. */
#include <string.h>

#include "ir/compute/nest_rules.h"

static bool fits(const tn_compute *c, uint32_t axis) {
    const tn_compute_value *cache = tn_compute_operand(c, 0), *update = tn_compute_operand(c, 1);
    const tn_compute_value *from = tn_compute_operand(c, 2);
    bool fits = update != NULL && update->rank == cache->rank && update->dtype == cache->dtype &&
                cache->rank <= TN_NEST_AXES / 2 && axis > 0 &&
                (from == NULL || (from->rank == 1 && from->dims[0] == cache->dims[0]));
    for (uint32_t i = 0; fits && i < cache->rank; i++) {
        fits = i == axis ? update->dims[i] <= cache->dims[i] : update->dims[i] == cache->dims[i];
    }
    return fits;
}

/* How far the entries of an element of the batch lie behind those of the cache's begin; in circles,
 * each entry by itself. */
static tn_calc *distance(tn_compute *c, const tn_nest *n, uint32_t axis, bool circular) {
    const tn_compute_value *cache = tn_compute_operand(c, 0);
    int64_t extent = cache->dims[axis], step = n->store.by[axis];
    tn_affine batch = {0}, entry = {0};
    batch.by[0] = 1;
    entry.by[axis] = 1;
    tn_calc *from = tn_calc_load(c->arena, 2, &batch);
    if (!circular) {
        return tn_calc_index_up(c->arena, from, extent - n->extent[axis] + 1, step);
    }
    tn_calc *most = tn_calc_number(c->arena, (double)extent);
    tn_calc *first = tn_calc_two(c, TN_CALC_MOD, from, most);
    tn_calc *at = tn_calc_two(c, TN_CALC_ADD, first, tn_calc_place(c->arena, &entry));
    at = tn_calc_two(c, TN_CALC_MOD, at, tn_calc_number(c->arena, (double)extent));
    return tn_calc_two(c, TN_CALC_MUL, at, tn_calc_number(c->arena, (double)step));
}

bool tn_compute_tensor_scatter(tn_compute *c) {
    const tn_compute_value *cache = tn_compute_operand(c, 0);
    const char *mode = tn_compute_text(c, "mode");
    bool circular = strcmp(mode, "circular") == 0;
    uint32_t axis;
    tn_affine in;
    if (!tn_compute_axis(tn_compute_int(c, "axis", -2), cache->rank, &axis) || !fits(c, axis) ||
        (!circular && mode[0] != '\0' && strcmp(mode, "linear") != 0)) {
        return false;
    }
    tn_nest *all = tn_compute_over(c, 0);
    all->value = tn_calc_load(c->arena, 0, &all->store);
    tn_nest *n = tn_compute_piece(c, 1, axis, 0, &in);
    n->value = tn_calc_load(c->arena, 1, &in);
    if (tn_compute_operand(c, 2) == NULL) {
        return true;
    }
    tn_nest_put_place(n, circular ? axis + 1 : 1, distance(c, n, axis, circular));
    n->store.by[axis] = circular ? 0 : n->store.by[axis];
    n->store_by = tn_calc_local(c->arena, 0);
    return true;
}
