/* Along the order of the graph: each op runs as it is or in one of the stretches that were found
 * worth it. For a number of bytes, the fewest operations that keep every step below it follow from
 * those for the ops before: least[i] over all ways to come to op i. */
#include "lib/tile/tile_search.h"

#include <math.h>
#include <string.h>

#include "ir/base/sort.h"
#include "lib/tile/tile_estimate.h"

enum {
    MOST_PLACES = 56,    /* between which stretches begin and end */
    MOST_OPS_LONG = 400, /* of a stretch */
    MOST_WORK = 6000000, /* ops looked at in estimates */
};

typedef struct piece {
    tn_tile_ask ask;
    double bytes, flops;
} piece;

typedef struct searching {
    tn_arena *arena;
    tn_tile_model *model;
    tn_tile_profile *profile;
    TN_VEC(piece) pieces; /* by ascending last op */
    uint64_t work;
    double most_flops;
    double rounding; /* what estimates may be above that: they count moves, and parts that are not
                        even */
} searching;

/* ---- where stretches may begin and end ---- */

typedef struct place {
    uint32_t at;
    double bytes;
} place;

static int by_bytes(const void *a, const void *b) {
    const place *x = a, *y = b;
    return TN_FIRST_OF(TN_COMPARE(x->bytes, y->bytes), TN_COMPARE(x->at, y->at));
}

static int by_place(const void *a, const void *b) {
    const place *x = a, *y = b;
    return TN_COMPARE(x->at, y->at);
}

/* Before which ops the fewest bytes wait, compared with their neighbours; n + 1 is the end. */
static place *find_places(const searching *w, uint32_t *n) {
    uint32_t all = w->model->n_ops + 1;
    place *places = TN_ARRAY(w->arena, place, all);
    for (uint32_t i = 0; i < all; i++) {
        double here = w->profile->crossing[i], around = here;
        for (uint32_t k = i > 3 ? i - 3 : 0; k < i + 4 && k < all; k++) {
            around = w->profile->crossing[k] > around ? w->profile->crossing[k] : around;
        }
        double busy = i < all - 1 ? w->profile->alive[i] : w->profile->alive[i - 1];
        places[i] = (place){i, (here + 1) / (around + 1) - (busy > around ? 0.5 : 0)};
    }
    places[0].bytes = places[all - 1].bytes = -2;
    *n = all;
    if (all > MOST_PLACES) {
        TN_SORT(places, all, by_bytes);
        *n = MOST_PLACES;
        TN_SORT(places, *n, by_place);
    }
    return places;
}

/* ---- stretches that are worth it ---- */

/* Where rows of what leaves have more bytes than the numbers that say where they go. Not of
 * elements of 16 bits, for which runtimes lack Pad. */
static bool may_put(const searching *w, const tn_stretch *s) {
    enum { SCATTER_SINCE = 11, LEAST_ROW = 16 };
    const tn_module *m = w->model->m;
    int64_t version = tn_module_opset(m, ""), bytes;
    bool any = false, fits = version == 0 || version >= SCATTER_SINCE;
    for (uint32_t i = 0; i < s->exits.len && fits; i++) {
        const tn_value *v = s->exits.data[i];
        uint32_t axis = s->axis[0][v->id];
        int64_t rows = tn_tile_extent(v, axis);
        for (uint32_t a = 0; a < axis; a++) {
            rows *= tn_tile_extent(v, a);
        }
        any = any || !tn_tile_is_run(v, axis);
        fits = tn_type_fixed_bytes(m->dims, v->type, &bytes) && rows > 0 &&
               bytes / rows >= LEAST_ROW && tn_dtype_get(v->type->dtype)->bits != 16;
    }
    return any && fits;
}

static void try_parts(searching *w, const tn_stretch *s, const tn_tile_ask *ask) {
    tn_stretch t = *s;
    tn_tile_estimate e;
    t.ask = *ask;
    for (uint32_t i = 0; i < t.exits.len; i++) {
        for (uint32_t d = 0; d < ask->n; d++) {
            const tn_value *v = t.exits.data[i];
            if (tn_tile_extent(v, t.axis[d][v->id]) < ask->parts[d]) {
                return;
            }
        }
    }
    w->work += (uint64_t)t.ops.len * 3;
    double before = 0;
    for (uint32_t at = ask->first; at <= ask->last; at++) {
        double alive = w->profile->alive[at];
        before = alive > before ? alive : before;
    }
    double below[2] = {before * 0.98, before * 0.98};
    bool again = false; /* something would be made twice if nothing were kept */
    for (uint32_t form = 0; form < 4; form++) {
        t.ask.puts = (form & 1) != 0;
        t.ask.keeps = (form & 2) != 0;
        if ((t.ask.keeps && (ask->n > 1 || !again)) || (t.ask.puts && !may_put(w, &t)) ||
            !tn_tile_estimate_make(w->profile, &t, &e)) {
            continue;
        }
        again = again || e.flops > 0;
        if (e.bytes < below[t.ask.keeps] && e.flops <= w->most_flops + w->rounding) {
            tn_vec_push(w->arena, &w->pieces, (piece){t.ask, e.bytes, e.flops});
            below[t.ask.keeps] = e.bytes * 0.95;
        }
    }
    w->work += again && ask->n == 1 ? (uint64_t)t.ops.len * 6 : 0;
}

static const uint32_t parts[] = {2, 3, 4, 5, 6, 8, 12, 16, 24, 32};
enum { N_PARTS = sizeof parts / sizeof parts[0] };

uint32_t tn_tile_parts_near(uint32_t n, bool more) {
    uint32_t near = n;
    for (uint32_t i = 0; i < N_PARTS; i++) {
        near = more && parts[i] > n && near == n ? parts[i]
               : !more && parts[i] < n           ? parts[i]
                                                 : near;
    }
    return near;
}

static void try_axis(searching *w, uint32_t first, uint32_t last, uint32_t axis) {
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(w->arena));
    tn_tile_ask ask = {.first = first, .last = last, .n = 1, .axis = {axis}, .parts = {1}};
    tn_stretch s;
    w->work += last - first + 1;
    if (tn_stretch_make(w->model, &ask, scratch, &s) == NULL) {
        for (uint32_t i = 0; i < N_PARTS; i++) {
            ask.parts[0] = parts[i];
            try_parts(w, &s, &ask);
        }
    }
    tn_arena_drop(scratch);
}

static void try_grid(searching *w, uint32_t first, uint32_t last) {
    static const uint32_t grids[][TN_TILED_AXES] = {{2, 2}, {3, 3}, {4, 2}, {4, 4}, {6, 6}, {8, 8}};
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(w->arena));
    tn_tile_ask ask = {.first = first, .last = last, .n = 2, .axis = {2, 3}, .parts = {1, 1}};
    tn_stretch s;
    if (tn_stretch_make(w->model, &ask, scratch, &s) == NULL) {
        for (uint32_t i = 0; i < sizeof grids / sizeof grids[0]; i++) {
            ask.parts[0] = grids[i][0];
            ask.parts[1] = grids[i][1];
            try_parts(w, &s, &ask);
        }
    }
    tn_arena_drop(scratch);
}

static void try_stretch(searching *w, uint32_t first, uint32_t last) {
    const tn_value *y = tn_result(w->model->ops[last], 0);
    uint32_t rank = y != NULL && y->type->has_rank ? y->type->rank : 0;
    for (uint32_t axis = 0; axis < rank && axis < 3; axis++) {
        if (tn_tile_extent(y, axis) > 1 && tn_tile_tiling(w->model, w->model->ops[last], axis)) {
            try_axis(w, first, last, axis);
        }
    }
    if (rank == 4 && tn_tile_extent(y, 2) > 1 && tn_tile_extent(y, 3) > 1) {
        try_grid(w, first, last);
    }
}

static void find_pieces(searching *w) {
    uint32_t n;
    const place *places = find_places(w, &n);
    double peak = 0;
    for (uint32_t i = 0; i < w->model->n_ops; i++) {
        peak = w->profile->alive[i] > peak ? w->profile->alive[i] : peak;
    }
    for (uint32_t length = 1; length < n && w->work < MOST_WORK; length++) {
        for (uint32_t i = 0; i + length < n && w->work < MOST_WORK; i++) {
            uint32_t first = places[i].at, last = places[i + length].at - 1;
            double most = 0;
            for (uint32_t at = first; at <= last; at++) {
                most = w->profile->alive[at] > most ? w->profile->alive[at] : most;
            }
            if (last > first && last - first < MOST_OPS_LONG && most > peak * 0.1) {
                tn_poll(tn_arena_ctx(w->arena));
                try_stretch(w, first, last);
            }
        }
    }
}

/* ---- sets of them ---- */

static int by_last(const void *a, const void *b) {
    const piece *x = a, *y = b;
    return TN_FIRST_OF(TN_COMPARE(x->ask.last, y->ask.last), TN_COMPARE(x->flops, y->flops),
                       TN_COMPARE(x->bytes, y->bytes), TN_COMPARE(x->ask.first, y->ask.first));
}

/* The fewest operations at which no step needs more than `bytes`; INFINITY: there are none. */
static double fewest(const searching *w, double bytes, tn_arena *arena, tn_tile_asks *asks) {
    uint32_t n = w->model->n_ops, next = 0;
    double *least = TN_ARRAY(arena, double, n + 1u);
    uint32_t *by = TN_ARRAY(arena, uint32_t, n + 1u); /* 1 + the piece that ends there */
    for (uint32_t i = 0; i < n; i++) {
        least[i + 1] = w->profile->alive[i] <= bytes ? least[i] : (double)INFINITY;
        for (; next < w->pieces.len && w->pieces.data[next].ask.last == i; next++) {
            const piece *p = &w->pieces.data[next];
            if (p->bytes <= bytes && least[p->ask.first] + p->flops < least[i + 1]) {
                least[i + 1] = least[p->ask.first] + p->flops;
                by[i + 1] = next + 1;
            }
        }
    }
    for (uint32_t i = n; i > 0 && isfinite(least[n]) && asks != NULL;) {
        const piece *p = by[i] > 0 ? &w->pieces.data[by[i] - 1] : NULL;
        if (p != NULL) {
            tn_vec_push(w->arena, asks, p->ask);
        }
        i = p != NULL ? p->ask.first : i - 1;
    }
    for (uint32_t i = 0; asks != NULL && i < asks->len / 2; i++) {
        tn_tile_ask swap = asks->data[i];
        asks->data[i] = asks->data[asks->len - 1 - i];
        asks->data[asks->len - 1 - i] = swap;
    }
    return least[n];
}

static int ascending(const void *a, const void *b) {
    const double *x = a, *y = b;
    return TN_COMPARE(*x, *y);
}

/* All numbers of bytes that could be the most. */
static double *levels_of(const searching *w, uint32_t *n) {
    double *all = TN_ARRAY(w->arena, double, w->pieces.len + w->model->n_ops);
    uint32_t len = 0;
    for (uint32_t i = 0; i < w->pieces.len; i++) {
        all[len++] = w->pieces.data[i].bytes;
    }
    for (uint32_t i = 0; i < w->model->n_ops; i++) {
        all[len++] = w->profile->alive[i];
    }
    TN_SORT(all, len, ascending);
    *n = len;
    return all;
}

static bool same_asks(const tn_tile_asks *a, const tn_tile_asks *b, tn_arena *arena) {
    tn_sink x = tn_sink_make(arena), y = tn_sink_make(arena);
    tn_tile_asks_put(a, &x);
    tn_tile_asks_put(b, &y);
    return x.len == y.len && (x.len == 0 || memcmp(x.data, y.data, x.len) == 0);
}

/* INFINITY where one of the stretches cannot be. */
static double exact_flops(const searching *w, const tn_tile_asks *asks, tn_arena *arena) {
    double flops = 0;
    for (uint32_t i = 0; i < asks->len; i++) {
        tn_stretch s;
        bool can = tn_stretch_make(w->model, &asks->data[i], arena, &s) == NULL;
        flops += can ? tn_tile_flops_added(w->profile, &s) : (double)INFINITY;
    }
    return flops;
}

/* Adds at most `most` choices to those that there are. */
static void choose(searching *w, uint32_t most, tn_tile_choices *out) {
    uint32_t n, low = 0;
    most += out->len;
    double *levels = levels_of(w, &n);
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(w->arena));
    for (uint32_t high = n > 0 ? n - 1 : 0; low < high;) {
        uint32_t middle = low + (high - low) / 2;
        if (fewest(w, levels[middle], scratch, NULL) <= w->most_flops + w->rounding) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    double least = n > 0 ? levels[low] : 0, top = n > 0 ? levels[n - 1] : 0;
    uint32_t n_levels = most - out->len;
    for (uint32_t k = 0; k < n_levels && least > 0 && least < top; k++) {
        double part = (double)k / n_levels; /* levels lie closer to one another near the least */
        double at = least * pow(top / least, part * part);
        tn_tile_choice c = {.bytes = at};
        bool known = !isfinite(fewest(w, at, scratch, &c.asks)) || c.asks.len == 0;
        c.flops = known ? 0 : exact_flops(w, &c.asks, scratch);
        known = known || c.flops > w->most_flops;
        for (uint32_t i = 0; i < out->len && !known; i++) {
            known = same_asks(&out->data[i].asks, &c.asks, scratch);
        }
        if (!known) {
            tn_vec_push(w->arena, out, c);
        }
    }
    tn_arena_drop(scratch);
}

/* Parts that keep nothing: estimates of the others, by which these would never be chosen, may be
 * too low. */
static void leave_out_kept(searching *w) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < w->pieces.len; i++) {
        if (!w->pieces.data[i].ask.keeps) {
            w->pieces.data[n++] = w->pieces.data[i];
        }
    }
    w->pieces.len = n;
}

tn_tile_choices tn_tile_search(tn_module *m, tn_arena *arena, bool io_in_arena, double flops,
                               uint32_t most) {
    tn_tile_choices out = {0};
    searching w = {.arena = arena, .model = tn_tile_model_make(m, arena)};
    w.profile = tn_tile_profile_make(w.model, arena, io_in_arena);
    w.most_flops = w.profile->flops * flops;
    w.rounding = w.profile->flops * 0.001;
    find_pieces(&w);
    TN_SORT(w.pieces.data, w.pieces.len, by_last);
    double all = w.most_flops, hardly_any = w.profile->flops * 0.01;
    w.most_flops = all < hardly_any ? all : hardly_any;
    choose(&w, most / 2, &out);
    w.most_flops = all;
    choose(&w, most / 4, &out);
    leave_out_kept(&w);
    choose(&w, most - out.len, &out);
    return out;
}

bool tn_tile_choice_of(tn_module *m, double flops, const tn_tile_asks *asks, tn_tile_choice *out) {
    tn_arena *scratch = tn_arena_new(m->ctx);
    searching w = {.arena = scratch, .model = tn_tile_model_make(m, scratch)};
    w.profile = tn_tile_profile_make(w.model, scratch, false);
    *out = (tn_tile_choice){.asks = *asks, .flops = exact_flops(&w, asks, scratch)};
    bool good = out->flops <= w.profile->flops * flops;
    tn_arena_drop(scratch);
    return good;
}
