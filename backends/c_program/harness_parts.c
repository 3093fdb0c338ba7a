#include "backends/c_program/harness_parts.h"

#include "ir/ops/ops.h"

tn_try_part *tn_try_find(const tn_try_parts *all, uint32_t value) {
    for (uint32_t i = 0; i < all->len; i++) {
        if (all->data[i].value == value) {
            return &all->data[i];
        }
    }
    return NULL;
}

static void add(const tn_cp *c, tn_try_parts *all, uint32_t value, const char *word,
                uint32_t position, tn_try_kind kind) {
    if (value == TN_NO_ID || tn_try_find(all, value) != NULL) {
        return;
    }
    const tn_plan_value *v = &c->p->values[value];
    const char *label = tn_arena_printf(c->arena, "%s%u", word, (unsigned)position);
    tn_vec_push(c->arena, all,
                (tn_try_part){value, label, kind, tn_plan_address(c->p, v), v->bytes});
}

/* Integers that may be indices are 0; operands that lie under a result, and those of element-wise
 * ops, are numbers. */
static tn_try_kind kind_of_operand(const tn_cp *c, const tn_plan_step *s, uint32_t position) {
    const tn_plan_value *v = &c->p->values[s->operands.data[position]];
    const tn_op_info *info = tn_cp_row(s);
    if (v->role == TN_ROLE_CONST) {
        return TN_TRY_GIVEN;
    }
    for (uint32_t i = 0; i < s->n_claims; i++) {
        if (s->claims[i].operand == position) {
            return TN_TRY_DATA;
        }
    }
    bool wide = tn_dtype_is_int(v->dtype) && tn_dtype_get(v->dtype)->bits >= 32;
    bool numbers = info != NULL && (info->traits & TN_T_ELEMENTWISE) != 0;
    return wide && !numbers ? TN_TRY_ZERO : TN_TRY_DATA;
}

tn_try_parts tn_try_parts_of(const tn_cp *c, const tn_plan_step *s) {
    tn_try_parts all = {0};
    for (uint32_t i = 0; i < s->operands.len; i++) {
        bool read = s->operands.data[i] != TN_NO_ID && !tn_cp_is_shape_only(s, i);
        if (read) {
            add(c, &all, s->operands.data[i], "in", i, kind_of_operand(c, s, i));
        }
    }
    for (uint32_t i = 0; i < s->results.len; i++) {
        add(c, &all, s->results.data[i], "out", i, TN_TRY_MADE);
    }
    for (uint32_t i = 0; i < s->n_workspace; i++) {
        add(c, &all, s->workspace[i].value, "workspace", i,
            s->workspace[i].kept ? TN_TRY_KEPT : TN_TRY_WORK);
    }
    return all;
}

/* ---- where they lie ---- */

uint32_t tn_try_pool(const tn_cp *c, const tn_try_part *p) {
    return c->p->storages[c->p->values[p->value].storage].pool;
}

static bool touch(const tn_cp *c, const tn_try_part *a, const tn_try_part *b) {
    return a->kind != TN_TRY_GIVEN && b->kind != TN_TRY_GIVEN &&
           tn_try_pool(c, a) == tn_try_pool(c, b) && a->address < b->address + b->size &&
           b->address < a->address + a->size;
}

bool tn_try_move_nearer(const tn_cp *c, const tn_try_parts *all, const tn_plan_step *s) {
    for (uint32_t i = 0; i < s->results.len; i++) {
        uint32_t value = s->results.data[i];
        const tn_plan_value *v = value != TN_NO_ID ? &c->p->values[value] : NULL;
        if (v == NULL || v->n_overlaps != 1) {
            continue;
        }
        tn_try_part *result = tn_try_find(all, value);
        const tn_try_part *operand = tn_try_find(all, v->overlaps[0].value);
        if (operand == NULL) {
            continue;
        }
        uint64_t align = c->p->storages[v->storage].align, apart = v->overlaps[0].distance;
        uint64_t slack = operand->address - result->address - apart;
        uint64_t moved = align > 1 ? slack / align * align : slack;
        result->address += moved;
        for (uint32_t k = 0; k < all->len; k++) {
            const tn_try_part *other = &all->data[k];
            if (other != result && other != operand && touch(c, result, other)) {
                return false;
            }
        }
        return moved > 0;
    }
    return false;
}

uint64_t tn_try_make_image(const tn_cp *c, const tn_try_parts *all, uint64_t align) {
    uint64_t size = 0;
    bool *done = TN_ARRAY(c->arena, bool, all->len + 1);
    for (uint32_t i = 0; i < all->len; i++) {
        if (all->data[i].kind == TN_TRY_GIVEN || done[i]) {
            continue;
        }
        uint32_t pool = tn_try_pool(c, &all->data[i]);
        uint64_t low = UINT64_MAX, high = 0;
        for (uint32_t k = i; k < all->len; k++) {
            const tn_try_part *p = &all->data[k];
            if (p->kind != TN_TRY_GIVEN && tn_try_pool(c, p) == pool) {
                low = p->address < low ? p->address : low;
                high = p->address + p->size > high ? p->address + p->size : high;
            }
        }
        low = low / align * align;
        for (uint32_t k = i; k < all->len; k++) {
            tn_try_part *p = &all->data[k];
            if (p->kind != TN_TRY_GIVEN && tn_try_pool(c, p) == pool) {
                p->address = p->address - low + size;
                done[k] = true;
            }
        }
        size += (high - low + align - 1) / align * align;
    }
    return size;
}
