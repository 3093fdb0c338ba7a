#include "lib/tile/tile_estimate.h"

#include "ir/ops/claims.h"
#include "ir/ops/flops.h"

static double bytes_of(const tn_module *m, const tn_value *v) {
    int64_t bytes;
    return tn_type_fixed_bytes(m->dims, v->type, &bytes) ? (double)bytes : 0;
}

/* ---- the module without parts ---- */

static int64_t last_use(const tn_tile_model *w, const tn_value *v) {
    int64_t last = w->kept[v->id] ? (int64_t)w->n_ops : -1;
    for (const tn_use *u = v->first_use; u != NULL; u = u->next) {
        const tn_op *op = u->op;
        while (op != NULL && w->position[op->id] == TN_EVERY) { /* in a nested graph */
            op = op->graph->owner;
        }
        int64_t at = op != NULL ? (int64_t)w->position[op->id] : (int64_t)w->n_ops;
        last = at > last ? at : last;
    }
    return last;
}

/* The operand in whose bytes result `r` of the op may lie. */
static const tn_value *lies_in(const tn_tile_profile *p, const tn_op *op, uint32_t r, int64_t at) {
    tn_view_claim view = tn_op_view(op);
    tn_inplace claim;
    const tn_value *x = view.kind != TN_VIEW_NONE ? tn_operand(op, view.operand) : NULL;
    bool whole =
        view.kind == TN_VIEW_WHOLE || (view.kind == TN_VIEW_IF_EQUAL && x != NULL && view.holds &&
                                       tn_type_equal(x->type, op->results[r]->type));
    if (whole && r == 0) {
        return x;
    }
    for (uint32_t i = 0; tn_op_inplace(op, i, &claim); i++) {
        for (uint32_t k = 0; claim.result == r && k < op->n_operands && k < 32; k++) {
            x = op->operands[k].value;
            bool dies = (claim.operands >> k & 1) != 0 && x != NULL && !tn_is_const(x) &&
                        p->last[p->root[x->id]] == at && p->bytes[p->root[x->id]] > 0;
            if (dies && claim.cond != TN_IF_NEVER && claim.cond != TN_IF_WIDTH &&
                tn_type_same_bytes(op->graph->module->dims, x->type, op->results[r]->type)) {
                return x;
            }
        }
    }
    return NULL;
}

static void place(tn_tile_profile *p, const tn_value *v, int64_t at, bool io_in_arena,
                  const tn_value *in) {
    int64_t last = last_use(p->model, v);
    uint32_t root = in != NULL ? p->root[in->id] : v->id;
    bool outside = tn_is_const(v) ||
                   (!io_in_arena && (v->kind == TN_VALUE_INPUT || (v->flags & TN_VF_OUTPUT) != 0));
    p->root[v->id] = root;
    if (root == v->id) {
        p->bytes[root] = outside ? 0 : bytes_of(p->model->m, v);
        p->first[root] = at;
        p->last[root] = last;
    }
    p->last[root] = last > p->last[root] ? last : p->last[root];
}

static void sum_up(tn_tile_profile *p) {
    const tn_module *m = p->model->m;
    int64_t n = p->model->n_ops;
    for (uint32_t i = 0; i < m->n_values; i++) {
        if (p->root[i] != i || p->bytes[i] <= 0) {
            continue;
        }
        int64_t from = p->first[i] < 0 ? 0 : p->first[i];
        int64_t to = p->last[i] >= n ? n - 1 : p->last[i];
        for (int64_t at = from; at <= to; at++) {
            p->alive[at] += p->bytes[i];
            p->crossing[at] += at > p->first[i] ? p->bytes[i] : 0;
        }
        p->alive[from] += to < from ? p->bytes[i] : 0;
    }
}

tn_tile_profile *tn_tile_profile_make(tn_tile_model *w, tn_arena *arena, bool io_in_arena) {
    tn_tile_profile *p = TN_NEW(arena, tn_tile_profile);
    uint32_t n = w->m->n_values;
    *p = (tn_tile_profile){.model = w,
                           .root = TN_ARRAY(arena, uint32_t, n),
                           .bytes = TN_ARRAY(arena, double, n),
                           .first = TN_ARRAY(arena, int64_t, n),
                           .last = TN_ARRAY(arena, int64_t, n),
                           .alive = TN_ARRAY(arena, double, w->n_ops + 1u),
                           .crossing = TN_ARRAY(arena, double, w->n_ops + 1u),
                           .flops = tn_graph_flops(w->m->main)};
    for (uint32_t i = 0; i < n; i++) {
        p->root[i] = i;
    }
    for (uint32_t i = 0; i < w->m->main->n_inputs; i++) {
        place(p, w->m->main->inputs[i], -1, io_in_arena, NULL);
    }
    for (uint32_t at = 0; at < w->n_ops; at++) {
        const tn_op *op = w->ops[at];
        for (uint32_t r = 0; r < op->n_results; r++) {
            if (op->results[r] != NULL) {
                place(p, op->results[r], at, io_in_arena, lies_in(p, op, r, at));
            }
        }
    }
    sum_up(p);
    return p;
}

/* ---- a stretch ---- */

/* Operations that an element moved counts as: what keeps rows makes nothing twice, and where all
 * else is equal fewer moves are better. */
static const double MOVE = 0.001;

typedef struct estimating {
    const tn_tile_profile *p;
    const tn_stretch *s;
    tn_tile_part part;
    uint32_t *last; /* by value id: the op of the stretch that reads it last */
    double exits;   /* bytes of all of them, that are in the arena or not */
} estimating;

static double share(tn_tiled_range r, int64_t extent) {
    int64_t n = (r.to < extent ? r.to : extent) - (r.from > 0 ? r.from : 0);
    return extent > 0 && n > 0 ? (double)n / (double)extent : 0;
}

/* What is cut out of a value from outside for op i. */
static double cut_bytes(const estimating *e, uint32_t i, uint32_t k) {
    const tn_value *v = e->s->ops.data[i]->operands[k].value;
    double part = 1;
    bool run = e->s->ask.n == 1;
    for (uint32_t d = 0; d < e->s->ask.n; d++) {
        uint32_t by = e->s->tiling[d].data[i]->by[k];
        if (by != TN_EVERY) {
            part *= share(tn_tile_need(&e->part, i, k, d), tn_tile_extent(v, by));
            run = run && tn_tile_is_run(v, by);
        }
    }
    return part >= 1 || run ? 0 : bytes_of(e->p->model->m, v) * part;
}

static double made_share(const estimating *e, uint32_t i) {
    double part = 1;
    for (uint32_t d = 0; d < e->s->ask.n; d++) {
        part *= share(e->part.work[d][i].made, e->s->tiling[d].data[i]->extent);
    }
    return part;
}

/* The share of op i's results that a part has, kept rows among it; and the share that is kept rows,
 * which are there from one part to the next. */
static double hold_share(const estimating *e, uint32_t i) {
    return share(e->part.hold[i], e->s->tiling[0].data[i]->extent);
}

static double kept_share(const estimating *e, uint32_t i) {
    return share(tn_tile_part_kept(&e->part, i), e->s->tiling[0].data[i]->extent);
}

static bool is_view(const tn_op *op) {
    tn_view_kind kind = tn_op_view(op).kind;
    return kind == TN_VIEW_WHOLE;
}

static bool may_overwrite(const tn_op *op, uint32_t k) {
    tn_inplace claim;
    for (uint32_t i = 0; tn_op_inplace(op, i, &claim); i++) {
        if (claim.result == 0 && k < 32 && (claim.operands >> k & 1) != 0 &&
            claim.cond != TN_IF_NEVER && claim.cond != TN_IF_WIDTH) {
            return true;
        }
    }
    return false;
}

/* Joins kept rows to what op i made for the part: `held` gets the bytes of both, *tails those of
 * the kept rows. Unless rows lie one behind the other that is a copy: gives the bytes that are
 * there twice then, and adds the elements that are moved to *moved. */
static double join_kept(const estimating *e, uint32_t i, double *held, double *moved,
                        double *tails) {
    const tn_op *op = e->s->ops.data[i];
    double more = 0, kept = kept_share(e, i);
    for (uint32_t r = 0; r < op->n_results && kept > 0; r++) {
        const tn_value *v = op->results[r];
        if (v != NULL) {
            double bytes = bytes_of(e->p->model->m, v);
            bool run = tn_tile_is_run(v, e->s->axis[0][v->id]);
            more += run ? 0 : held[v->id];
            held[v->id] = bytes * hold_share(e, i);
            *tails += bytes * kept;
            *moved += run ? 0 : held[v->id] / (double)tn_dtype_get(v->type->dtype)->bits * 8;
        }
    }
    return more;
}

/* The most that is alive of one part, the operations of it, and the elements that are moved for it.
 * `held`: by value id, bytes. */
static double part_peak(const estimating *e, double *held, double *flops, double *moved) {
    double live = 0, peak = 0, tails = 0;
    for (uint32_t i = 0; i < e->s->ops.len; i++) {
        const tn_op *op = e->s->ops.data[i];
        double cuts = 0, made = 0, dies = 0, over = 0, part = made_share(e, i);
        for (uint32_t r = 0; r < op->n_results; r++) { /* kept rows alone */
            if (op->results[r] != NULL) {
                held[op->results[r]->id] = 0;
            }
        }
        if (tn_tiled_is_empty(e->part.work[0][i].want)) {
            (void)join_kept(e, i, held, moved, &tails);
            continue;
        }
        *flops += tn_op_flops(op) * part;
        for (uint32_t r = 0; r < op->n_results; r++) {
            if (op->results[r] != NULL) {
                held[op->results[r]->id] = bytes_of(e->p->model->m, op->results[r]) * part;
                made += held[op->results[r]->id];
            }
        }
        for (uint32_t k = 0; k < op->n_operands; k++) {
            const tn_value *v = op->operands[k].value;
            bool inside = v != NULL && tn_stretch_has(e->s, v->def);
            bool twice = false;
            for (uint32_t j = 0; j < k && v != NULL; j++) {
                twice = twice || op->operands[j].value == v;
            }
            if (v == NULL || twice) {
                continue;
            }
            cuts += inside ? 0 : cut_bytes(e, i, k);
            bool last = inside && e->last[v->id] == i;
            dies += last ? held[v->id] : 0;
            bool fits = last && held[v->id] >= made && (is_view(op) || may_overwrite(op, k));
            over = fits && held[v->id] > over ? made : over;
        }
        double now = live + cuts + made - over, twice = join_kept(e, i, held, moved, &tails);
        peak = now > peak ? now : peak;
        live -= dies;
        for (uint32_t r = 0; r < op->n_results; r++) {
            live += op->results[r] != NULL ? held[op->results[r]->id] : 0;
        }
        peak = live + twice > peak ? live + twice : peak;
    }
    return peak + tails;
}

static void find_last(estimating *e, tn_arena *arena) {
    e->last = TN_ARRAY(arena, uint32_t, e->p->model->m->n_values);
    for (uint32_t i = 0; i < e->s->ops.len; i++) {
        const tn_op *op = e->s->ops.data[i];
        for (uint32_t k = 0; k < op->n_operands; k++) {
            if (op->operands[k].value != NULL) {
                e->last[op->operands[k].value->id] = i;
            }
        }
    }
    for (uint32_t i = 0; i < e->s->exits.len; i++) { /* parts of them stay */
        e->last[e->s->exits.data[i]->id] = TN_EVERY;
    }
}

/* Of exits what is alive at most when they are put together, beside what the parts of all need. */
static double joining(const estimating *e) {
    double most = 0, whole = 0;
    for (uint32_t i = 0; i < e->s->exits.len; i++) {
        const tn_value *v = e->s->exits.data[i];
        double bytes = e->p->bytes[v->id] > 0 ? bytes_of(e->p->model->m, v) : 0;
        bool run = e->s->ask.n == 1 && tn_tile_is_run(v, e->s->axis[0][v->id]);
        whole += run ? 0 : bytes;
        most = whole > most ? whole : most;
        whole -= run ? 0 : bytes_of(e->p->model->m, v);
    }
    return most;
}

/* The same where what leaves is put together in place, from the first part on. */
static double in_place(const estimating *e, uint32_t count) {
    double bytes = 0;
    for (uint32_t i = 0; i < e->s->exits.len; i++) {
        const tn_value *v = e->s->exits.data[i];
        bool run = tn_tile_is_run(v, e->s->axis[0][v->id]);
        bytes += run || e->p->bytes[e->p->root[v->id]] > 0 ? bytes_of(e->p->model->m, v) : 0;
        bytes += run ? 0 : bytes_of(e->p->model->m, v) / (double)count;
    }
    return bytes;
}

/* What stays from before to behind the stretch, or is read all the while. */
static double beside(const estimating *e) {
    const tn_tile_ask *a = &e->s->ask;
    double bytes = e->p->crossing[a->first];
    for (uint32_t at = a->first; at <= a->last; at++) {
        const tn_op *op = e->p->model->ops[at];
        for (uint32_t r = 0; r < op->n_results && !tn_stretch_has(e->s, op); r++) {
            const tn_value *v = op->results[r];
            bool own = v != NULL && e->p->root[v->id] == v->id;
            bytes += own && e->p->last[v->id] > (int64_t)at ? e->p->bytes[v->id] : 0;
        }
    }
    return bytes;
}

/* Of the first exit, what is made in a part. */
static double area_of(const tn_stretch *s, const uint32_t *at) {
    const tn_value *v = s->exits.data[0];
    double area = 1;
    for (uint32_t d = 0; d < s->ask.n; d++) {
        int64_t extent = tn_tile_extent(v, s->axis[d][v->id]);
        area *= share(tn_tile_share(extent, at[d], s->ask.parts[d]), extent);
    }
    return area;
}

bool tn_tile_estimate_make(const tn_tile_profile *p, const tn_stretch *s, tn_tile_estimate *out) {
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(p->model->arena));
    estimating e = {.p = p, .s = s};
    double *held = TN_ARRAY(scratch, double, p->model->m->n_values), inner = 0, flops = 0,
           whole = 0, moved = 0;
    bool good = true;
    uint32_t count = 1;
    find_last(&e, scratch);
    tn_tile_part_begin(s, scratch, &e.part);
    for (uint32_t i = 0; i < s->exits.len; i++) {
        e.exits += bytes_of(p->model->m, s->exits.data[i]);
    }
    for (uint32_t i = 0; i < s->ops.len; i++) {
        whole += tn_op_flops(s->ops.data[i]);
    }
    for (uint32_t d = 0; d < s->ask.n; d++) {
        count *= s->ask.parts[d];
    }
    double own[3] = {0}, own_moved[3] = {0}, areas[3];
    for (uint32_t i = 0; i < 3 && good; i++) { /* the first, one in the middle, the last */
        uint32_t at[TN_TILED_AXES];
        for (uint32_t d = 0; d < s->ask.n; d++) {
            at[d] = i == 0 ? 0 : i == 1 ? s->ask.parts[d] / 2 : s->ask.parts[d] - 1;
        }
        good = tn_tile_part_find(&e.part, at);
        double peak = good ? part_peak(&e, held, &own[i], &own_moved[i]) : 0;
        inner = peak > inner ? peak : inner;
        areas[i] = area_of(s, at);
    }
    if (good) { /* parts need not be even: the one in the middle stands for what is left */
        double middle = count > 2 ? (1 - areas[0] - areas[2]) / areas[1] : 0;
        flops = own[0] + own[1] * middle + own[2];
        moved = own_moved[0] + own_moved[1] * middle + own_moved[2];
    }
    double waiting = e.exits * (1 - 1 / (double)count), at_end = e.exits + joining(&e);
    if (s->ask.puts) {
        waiting = at_end = in_place(&e, count);
    }
    double most = inner + waiting > at_end ? inner + waiting : at_end;
    double added = s->ask.keeps ? moved * MOVE : flops > whole ? flops - whole : 0;
    *out = (tn_tile_estimate){beside(&e) + most, added};
    tn_arena_drop(scratch);
    return good;
}

double tn_tile_flops_added(const tn_tile_profile *p, const tn_stretch *s) {
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(p->model->arena));
    estimating e = {.p = p, .s = s};
    double flops = 0;
    uint32_t at[TN_TILED_AXES] = {0}, columns = s->ask.n > 1 ? s->ask.parts[1] : 1;
    tn_tile_part_begin(s, scratch, &e.part);
    for (uint32_t i = 0; i < s->ask.parts[0] * columns; i++) {
        at[0] = i / columns;
        at[1] = i % columns;
        (void)tn_tile_part_find(&e.part, at);
        for (uint32_t k = 0; k < s->ops.len; k++) {
            bool runs = !tn_tiled_is_empty(e.part.work[0][k].want);
            flops += runs ? tn_op_flops(s->ops.data[k]) * made_share(&e, k) : 0;
        }
    }
    double whole = 0;
    for (uint32_t k = 0; k < s->ops.len; k++) {
        whole += tn_op_flops(s->ops.data[k]);
    }
    tn_arena_drop(scratch);
    return flops - whole > whole * 1e-9 ? flops - whole : 0; /* less is rounding */
}
