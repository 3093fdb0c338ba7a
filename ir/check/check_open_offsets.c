/* Values that lie at offsets that are expressions: what was judged by the numbers at the planning
 * point has to hold for every extent. An alias begins at the same byte as what it is an alias of,
 * or as many bytes behind it as the piece of a whole that it is. Of two values of a storage that
 * share no byte at the point, one ends before the other begins whatever the extents are, so that a
 * write that left bytes alone there leaves them alone everywhere. */
#include "ir/check/check_t.h"
#include "ir/ops/part.h"

/* Values of a storage with open offsets that are looked at pair by pair. */
enum { MAX_PAIRED = 1024 };

typedef struct placed {
    tn_checking *c;
    tn_dims *d;
    const tn_dim *offset, *bytes; /* by value of the plan */
} placed;

static bool is_piece_of(const tn_op *op, const tn_value *piece, const tn_value *whole,
                        tn_dim distance) {
    tn_piece p;
    for (uint32_t i = 0; op != NULL && i < tn_op_pieces(op); i++) {
        if (!tn_op_piece(op, i, &p)) {
            return false;
        }
        if (p.piece == piece && p.whole == whole && p.offset == distance) {
            return true;
        }
    }
    return false;
}

static void check_edge(const placed *o, uint32_t i) {
    tn_checking *c = o->c;
    uint32_t of = c->p->values[i].alias_of;
    int64_t number;
    if (of == TN_NO_ID || c->p->values[of].storage != c->p->values[i].storage) {
        return;
    }
    const tn_value *a = c->facts[i].v, *b = c->facts[of].v;
    tn_dim behind = tn_dim_sub(o->d, o->offset[i], o->offset[of]);
    tn_dim before = tn_dim_sub(o->d, o->offset[of], o->offset[i]);
    if (behind != TN_DIM_UNKNOWN &&
        (tn_dim_is_const(o->d, behind, &number) ||
         (c->p->values[i].alias == TN_ALIAS_VIEW &&
          (is_piece_of(a->def, a, b, behind) || is_piece_of(b->def, a, b, behind) ||
           is_piece_of(a->def, b, a, before) || is_piece_of(b->def, b, a, before))))) {
        return;
    }
    tn_check_fail(c, "value %s does not begin where it does in %s for all extents",
                  tn_check_value_name(c, i), tn_check_value_name(c, of));
}

static bool ends_before(const placed *o, uint32_t i, uint32_t k) {
    return tn_dim_provably_ge(o->d, o->offset[k], tn_dim_add(o->d, o->offset[i], o->bytes[i]));
}

static bool meet_at_point(const tn_plan *p, uint32_t i, uint32_t k) {
    const tn_plan_value *a = &p->values[i], *b = &p->values[k];
    return a->offset < b->offset + b->bytes && b->offset < a->offset + a->bytes;
}

static void check_pairs(const placed *o, const uint32_t *list, uint32_t n) {
    tn_checking *c = o->c;
    if (n > MAX_PAIRED) {
        tn_check_fail(c, "the storage of %s has more than %u values, some at open offsets",
                      tn_check_value_name(c, list[0]), MAX_PAIRED);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = i + 1; k < n && c->n_reports == 0; k++) {
            uint32_t a = list[i], b = list[k];
            if (!meet_at_point(c->p, a, b) && !ends_before(o, a, b) && !ends_before(o, b, a)) {
                tn_check_fail(c, "values %s and %s of one storage may meet for some extents",
                              tn_check_value_name(c, a), tn_check_value_name(c, b));
            }
        }
    }
}

void tn_check_open_offsets(tn_checking *c, const tn_dim *offset, const tn_dim *bytes) {
    const tn_plan *p = c->p;
    placed o = {c, c->m->dims, offset, bytes};
    bool *open = TN_ARRAY(c->arena, bool, p->n_storages);
    uint32_t *list = TN_ARRAY(c->arena, uint32_t, p->n_values);
    int64_t number;
    for (uint32_t i = 0; i < p->n_values; i++) {
        if (p->values[i].storage != TN_NO_ID) {
            check_edge(&o, i);
            bool known = tn_dim_is_const(o.d, offset[i], &number);
            open[p->values[i].storage] = open[p->values[i].storage] || !known;
        }
    }
    for (uint32_t s = 0; s < p->n_storages; s++) {
        uint32_t n = 0;
        for (uint32_t i = 0; open[s] && i < p->n_values; i++) {
            if (p->values[i].storage == s) {
                list[n++] = i;
            }
        }
        check_pairs(&o, list, n);
    }
}
