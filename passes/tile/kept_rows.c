/* Parts that keep what the next one reads: rows at the edge of a part are there when the next one
 * comes, which makes what is new and joins it to them. */
#include "passes/tile/rewrite_t.h"

#include <string.h>

static tn_tiled_range meet(tn_tiled_range a, tn_tiled_range b) {
    return (tn_tiled_range){a.from > b.from ? a.from : b.from, a.to < b.to ? a.to : b.to};
}

/* Parts go through rows in order and leave out none: what is kept rests on that, so it is looked at.
 * No graph at hand breaks it. */
const char *tn_keeping_refuse(const tn_stretch *s, tn_arena *scratch) {
    if (s->ask.n > 1) {
        return "parts keep what the next one reads (k) along one axis only";
    }
    tn_tile_part p;
    tn_tiled_range *last = TN_ARRAY(scratch, tn_tiled_range, s->ops.len);
    tn_tile_part_begin(s, scratch, &p);
    for (uint32_t at[TN_TILED_AXES] = {0}; at[0] < s->ask.parts[0]; at[0]++) {
        if (!tn_tile_part_find(&p, at)) {
            return "a part of what one of its ops reads would be empty";
        }
        for (uint32_t i = 0; i < s->ops.len; i++) {
            tn_tiled_range kept = tn_tile_part_kept(&p, i);
            if (!tn_tiled_is_empty(kept) && (kept.from < last[i].from || kept.to > last[i].to)) {
                return "a part reads rows that the part before it does not have to keep; take "
                       "other numbers of parts, or leave out k";
            }
            last[i] = tn_tiled_is_empty(p.hold[i]) ? last[i] : p.hold[i];
        }
    }
    return NULL;
}

void tn_keeping_begin(tn_rewriting *w) {
    const tn_stretch *s = w->s;
    tn_tile_part p;
    w->holds = TN_ARRAY(w->scratch, tn_tiled_range, s->ask.parts[0] * s->ops.len);
    w->kept = TN_ARRAY(w->scratch, tn_held, s->model->m->n_values);
    tn_tile_part_begin(s, w->scratch, &p);
    for (uint32_t at[TN_TILED_AXES] = {0}; at[0] < s->ask.parts[0]; at[0]++) {
        (void)tn_tile_part_find(&p, at);
        memcpy(w->holds + at[0] * s->ops.len, p.hold, s->ops.len * sizeof *p.hold);
    }
}

/* These elements of what there is, cut out of it where that is more. */
static tn_held some(tn_rewriting *w, const tn_held *from, tn_tiled_range at) {
    tn_held h = *from;
    h.at[0] = h.good[0] = at;
    h.v = tn_held_is(from, 1, h.axis, h.at) ? from->v : tn_part_cut(w, from, 1, h.axis, h.at);
    return h;
}

void tn_keep(tn_rewriting *w, uint32_t i, const tn_value *v) {
    const tn_stretch *s = w->s;
    tn_tiled_range all = w->work->hold[i], kept = tn_tile_part_kept(w->work, i), later = {0, 0};
    if (!tn_tiled_is_empty(kept)) {
        tn_held parts[2] = {some(w, &w->kept[v->id], kept)}, joined;
        bool ran = w->made[v->id] != 0;
        if (ran) {
            parts[1] =
                some(w, &w->held.data[w->made[v->id] - 1], (tn_tiled_range){kept.to, all.to});
        }
        tn_part_join(w, parts, ran ? 2 : 1, 0, &joined, NULL);
        tn_vec_push(w->scratch, &w->held, joined);
        w->made[v->id] = w->held.len;
    }
    for (uint32_t part = w->part + 1; part < s->ask.parts[0] && tn_tiled_is_empty(later); part++) {
        later = w->holds[part * s->ops.len + i];
    }
    later = meet(later, all);
    if (!tn_tiled_is_empty(later)) {
        const tn_held from = w->held.data[w->made[v->id] - 1];
        w->kept[v->id] = some(w, &from, later);
    }
}
