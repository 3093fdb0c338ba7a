#include "passes/tile/parts.h"

#include <string.h>

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b) {
    return a > b ? a : b;
}

/* a / b, rounded down; b is above 0. */
static int64_t down(int64_t a, int64_t b) {
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

static int64_t up(int64_t a, int64_t b) {
    return -down(-a, b);
}

static tn_tiled_range within(int64_t from, int64_t to, int64_t extent) {
    return (tn_tiled_range){most(from, 0), least(to, extent)};
}

static void window(const tn_tiling *t, tn_tile_work *w) {
    int64_t from = w->want.from * t->stride - t->pad;
    int64_t to = (w->want.to - 1) * t->stride - t->pad + (t->kernel - 1) * t->dilation + 1;
    w->in = within(from, to, t->in);
    w->before = w->in.from - from;
    w->after = to - w->in.to;
}

static void spread(const tn_tiling *t, tn_tile_work *w) {
    int64_t reach = (t->kernel - 1) * t->dilation, at = w->want.from + t->pad;
    int64_t from = least(up(at - reach, t->stride), down(at, t->stride));
    w->in = within(from, down(w->want.to - 1 + t->pad, t->stride) + 1, t->in);
    int64_t first = w->in.from * t->stride - t->pad;
    int64_t end = (w->in.to - 1) * t->stride - t->pad + reach + 1;
    w->before = w->want.from - first;
    w->after = most(end - w->want.to, 0);
    w->more = most(w->want.to - end, 0);
}

static void scaled(const tn_tiling *t, tn_tile_work *w) {
    w->in =
        within(down(w->want.from, t->scale) - t->reach, up(w->want.to, t->scale) + t->reach, t->in);
    w->made = (tn_tiled_range){w->in.from * t->scale, w->in.to * t->scale};
    w->good.from = w->in.from == 0 ? 0 : (w->in.from + t->reach) * t->scale;
    w->good.to = w->in.to == t->in ? t->extent : (w->in.to - t->reach) * t->scale;
}

static void padded(const tn_tiling *t, tn_tile_work *w) {
    w->in = within(w->want.from - t->pad, w->want.to - t->pad, t->in);
    w->before = w->in.from + t->pad - w->want.from;
    w->after = w->want.to - (w->in.to + t->pad);
}

bool tn_tile_work_of(const tn_tiling *t, tn_tiled_range want, tn_tile_work *out) {
    *out = (tn_tile_work){.want = want, .made = want, .good = want, .in = want};
    switch (t->kind) {
    case TN_TILE_SAME:
        break;
    case TN_TILE_WINDOW:
        window(t, out);
        break;
    case TN_TILE_SPREAD:
        spread(t, out);
        break;
    case TN_TILE_SCALED:
        scaled(t, out);
        break;
    case TN_TILE_PADDED:
        padded(t, out);
        break;
    }
    return !tn_tiled_is_empty(out->in) && out->before >= 0 && out->after >= 0 &&
           (out->more == 0 || out->more < t->stride);
}

void tn_tile_part_begin(const tn_stretch *s, tn_arena *arena, tn_tile_part *out) {
    *out = (tn_tile_part){.stretch = s};
    for (uint32_t d = 0; d < s->ask.n; d++) {
        out->work[d] = TN_ARRAY(arena, tn_tile_work, s->ops.len);
        out->need[d] = TN_ARRAY(arena, tn_tiled_range, s->model->m->n_values);
    }
    out->hold = TN_ARRAY(arena, tn_tiled_range, s->ops.len);
    out->until = TN_ARRAY(arena, int64_t, s->ops.len);
}

tn_tiled_range tn_tile_part_kept(const tn_tile_part *p, uint32_t i) {
    return (tn_tiled_range){p->hold[i].from, least(p->until[i], p->hold[i].to)};
}

tn_tiled_range tn_tile_share(int64_t extent, uint32_t at, uint32_t n) {
    return (tn_tiled_range){extent * at / n, extent * (at + 1) / n};
}

tn_tiled_range tn_tile_need(const tn_tile_part *p, uint32_t i, uint32_t k, uint32_t d) {
    const tn_tiling *t = p->stretch->tiling[d].data[i];
    const tn_tile_work *w = &p->work[d][i];
    if (t->by[k] == TN_EVERY) {
        return (tn_tiled_range){0, INT64_MAX};
    }
    return k == 0 ? w->in : w->made;
}

static void join(tn_tiled_range *to, tn_tiled_range more) {
    bool empty = tn_tiled_is_empty(*to);
    to->from = empty ? more.from : least(to->from, more.from);
    to->to = empty ? more.to : most(to->to, more.to);
}

static void begin(tn_tile_part *p, const uint32_t *at) {
    const tn_stretch *s = p->stretch;
    for (uint32_t d = 0; d < s->ask.n; d++) {
        for (uint32_t i = 0; i < s->ops.len; i++) {
            for (uint32_t r = 0; r < s->ops.data[i]->n_results; r++) {
                const tn_value *v = s->ops.data[i]->results[r];
                if (v != NULL) {
                    p->need[d][v->id] = (tn_tiled_range){0, 0};
                }
            }
        }
        for (uint32_t i = 0; i < s->exits.len; i++) {
            const tn_value *v = s->exits.data[i];
            int64_t extent = tn_tile_extent(v, s->axis[d][v->id]);
            p->need[d][v->id] = tn_tile_share(extent, at[d], s->ask.parts[d]);
        }
    }
}

/* What op i needs, once it is known what its readers do. */
static bool find_op(tn_tile_part *p, uint32_t i) {
    const tn_stretch *s = p->stretch;
    const tn_op *op = s->ops.data[i];
    bool good = true;
    for (uint32_t d = 0; d < s->ask.n; d++) {
        tn_tiled_range want = {0, 0};
        for (uint32_t r = 0; r < op->n_results; r++) {
            if (op->results[r] != NULL && !tn_tiled_is_empty(p->need[d][op->results[r]->id])) {
                join(&want, p->need[d][op->results[r]->id]);
            }
        }
        if (d == 0) {
            p->hold[i] = want;
            want.from = most(want.from, p->until[i]);
        }
        p->work[d][i] = (tn_tile_work){.want = want};
        if (!tn_tiled_is_empty(want)) {
            good = good && tn_tile_work_of(s->tiling[d].data[i], want, &p->work[d][i]);
        }
    }
    return good;
}

static bool find(tn_tile_part *p, const uint32_t *at) {
    const tn_stretch *s = p->stretch;
    bool good = true;
    begin(p, at);
    for (uint32_t i = s->ops.len; i-- > 0 && good;) {
        const tn_op *op = s->ops.data[i];
        good = find_op(p, i);
        for (uint32_t k = 0; k < op->n_operands && good && !tn_tiled_is_empty(p->work[0][i].want);
             k++) {
            const tn_value *v = op->operands[k].value;
            bool inside = v != NULL && tn_stretch_has(s, v->def);
            for (uint32_t d = 0; d < s->ask.n && inside; d++) {
                join(&p->need[d][v->id], tn_tile_need(p, i, k, d));
            }
        }
    }
    return good;
}

/* How far ops come does not depend on what is kept: the part before, made anew, says where it
 * ended. */
bool tn_tile_part_find(tn_tile_part *p, const uint32_t *at) {
    const tn_stretch *s = p->stretch;
    uint32_t before[TN_TILED_AXES] = {at[0] - 1};
    memset(p->until, 0, s->ops.len * sizeof *p->until);
    if (!s->ask.keeps || at[0] == 0) {
        return find(p, at);
    }
    bool good = find(p, before);
    for (uint32_t i = 0; i < s->ops.len; i++) {
        p->until[i] = p->hold[i].to;
    }
    return good && find(p, at);
}
