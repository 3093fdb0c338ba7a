/* Values in the room of parts. A storage whose values are its parts (what a Concat gathers in
 * place, what a Split gives) is as large as all of them from the first that is written to the last
 * that is read, and where one of them is not written yet, or not read any more, nobody needs the
 * bytes. A value that is alive meanwhile may lie there, and in the parts behind it if they are
 * free as well: it is given the start of the part, by an edge of sharing, which `reuse` may drop
 * again.
 *
 * At the step with the most live bytes one value after the other is put into such a room, whichever
 * leaves the fewest there, until none does. The storage of the parts then lasts as long as the
 * value, too, which costs elsewhere; so what was put is taken back where the peak of all steps
 * stays what it was. */
#include "ir/base/xmath.h"
#include "ir/mutate.h"
#include "passes/alias/alias_set.h"
#include "passes/analysis/storages.h"
#include "passes/core/model_controls.h"
#include "passes/core/pass.h"

enum { STAT_FILLED, STAT_BYTES };
static const tn_stat stats[] = {
    [STAT_FILLED] = {"filled", "values put where parts of others are not written or read"},
    [STAT_BYTES] = {"bytes", "fewer alive at the peak by that, before reuse"},
    {0}};

/* Values, steps and rooms looked at: a graph of a million nodes gets a few rounds. */
enum { MAX_WORK = 20000000 };

/* What the edges of a module have been. */
typedef struct old_edge {
    tn_alias_kind kind;
    tn_value *of;
    int64_t offset;
} old_edge;

/* How bad the steps are: bytes alive at the worst, and how many are as bad. */
typedef struct peak {
    uint64_t bytes;
    uint32_t steps;
} peak;

typedef struct filling {
    tn_pass_ctx *c;
    tn_module *m;
    const tn_storages *s;
    const tn_liveness *live;
    uint64_t align;
    uint32_t n;     /* steps, with those before and behind the run */
    uint64_t *load; /* by step, the first being -1: bytes alive */
    peak *before;   /* of the steps before each, */
    peak *from;     /* and of each and those behind it */
    uint64_t work;  /* left */
} filling;

/* A value that may be put where a part begins. */
typedef struct fit {
    tn_value *value, *part;
    peak then;
} fit;

static bool is_worse(peak a, peak b) {
    return a.bytes != b.bytes ? a.bytes > b.bytes : a.steps > b.steps;
}

static peak worst(peak a, peak b) {
    return a.bytes == b.bytes ? (peak){a.bytes, a.steps + b.steps} : a.bytes > b.bytes ? a : b;
}

/* Aligned; no size is near to overflowing (TN_MAX_TENSOR_BYTES). */
static uint64_t size_of(const filling *w, const tn_class *c) {
    uint64_t size = c->size;
    return tn_align_u64(c->size, w->align, &size) ? size : c->size;
}

static bool in_arena(const tn_class *c) {
    return c->home == TN_HOME_ARENA && !c->pinned && c->size > 0 && c->first >= 0;
}

/* Bodies run more than once, or not at all. */
static bool is_in_main(const filling *w, const tn_class *c) {
    for (uint32_t i = 0; i < c->n_members; i++) {
        if (w->m->values[c->members[i]]->graph != w->m->main) {
            return false;
        }
    }
    return true;
}

/* The first member that is the whole of its class, by which it is put elsewhere: value id, or
 * TN_NO_CLASS. */
static uint32_t whole_of(const filling *w, const tn_class *c) {
    uint32_t best = TN_NO_CLASS;
    for (uint32_t i = 0; i < c->n_members; i++) {
        uint32_t m = c->members[i];
        bool whole = w->s->bytes[m] == c->size;
        if (whole && (best == TN_NO_CLASS || w->live->of[m].first < w->live->of[best].first)) {
            best = m;
        }
    }
    return best;
}

static bool may_move(const filling *w, const tn_class *c) {
    return in_arena(c) && whole_of(w, c) != TN_NO_CLASS && is_in_main(w, c);
}

static bool has_parts(const filling *w, const tn_class *c) {
    for (uint32_t i = 0; i < c->n_members && in_arena(c); i++) {
        if (w->s->bytes[c->members[i]] != c->size) {
            return is_in_main(w, c);
        }
    }
    return false;
}

static void find_loads(filling *w) {
    for (uint32_t i = 0; i < w->n; i++) {
        w->load[i] = 0;
    }
    for (uint32_t i = 0; i < w->s->n; i++) {
        const tn_class *c = &w->s->classes[i];
        uint32_t behind = (uint32_t)(c->last + 2);
        if (in_arena(c)) {
            w->load[c->first + 1] += size_of(w, c);
            w->load[behind < w->n ? behind : 0] -= behind < w->n ? size_of(w, c) : 0;
        }
    }
    for (uint32_t i = 1; i < w->n; i++) {
        w->load[i] += w->load[i - 1];
    }
    w->before[0] = w->from[w->n] = (peak){0, 0};
    for (uint32_t i = 0; i < w->n; i++) {
        w->before[i + 1] = worst(w->before[i], (peak){w->load[i], 1});
    }
    for (uint32_t i = w->n; i-- > 0;) {
        w->from[i] = worst(w->from[i + 1], (peak){w->load[i], 1});
    }
}

/* The peak with all of x inside of c. */
static peak peak_with(const filling *w, const tn_class *x, const tn_class *c) {
    uint32_t from = (uint32_t)(x->first + 1), to = (uint32_t)(x->last + 2);
    peak now = worst(w->before[from], w->from[to]);
    for (uint32_t i = from; i < to; i++) {
        bool both = (int32_t)i - 1 >= c->first && (int32_t)i - 1 <= c->last;
        uint64_t load = w->load[i] - size_of(w, x) + (both ? 0 : size_of(w, c));
        now = worst(now, (peak){load, 1});
    }
    return now;
}

/* Whether the bytes from the start of a part on, as many as x has, are nobody's while x is alive,
 * and the part is what is written there next, or was there before. All other members that have some
 * of these bytes must be on one side, as an edge speaks of two values: of the later one, which
 * waits for whoever used the storage before. So that has to be the first one of x where x is later.
 */
static bool is_room(filling *w, const tn_class *c, uint32_t part, const tn_class *x) {
    const tn_storages *s = w->s;
    const tn_live *p = &w->live->of[part];
    uint64_t lo = s->offset[part], hi = lo + x->size;
    bool later = p->first > x->last, earlier = p->last < x->first;
    earlier = earlier && w->live->of[whole_of(w, x)].first == x->first;
    if ((!later && !earlier) || hi > c->size) {
        return false;
    }
    for (uint32_t i = 0; i < c->n_members; i++) {
        uint32_t m = c->members[i];
        const tn_live *l = &w->live->of[m];
        bool meets = s->offset[m] < hi && s->offset[m] + s->bytes[m] > lo;
        bool apart = later ? l->first > x->last && l->first >= p->first : l->last < x->first;
        if (meets && !apart) {
            return false;
        }
    }
    return true;
}

/* False when there is no more of it. */
static bool spend(filling *w, uint64_t work) {
    w->work -= work < w->work ? work : w->work;
    return w->work > 0;
}

/* The best place for x among the parts of c: inside of one, else in several. */
static void try_class(filling *w, const tn_class *x, const tn_class *c, fit *best) {
    uint64_t steps = (uint64_t)(x->last - x->first) + 1;
    if (x == c || x->size > c->size || !spend(w, steps) ||
        !is_worse(best->then, peak_with(w, x, c))) {
        return;
    }
    uint32_t room = TN_NO_CLASS;
    for (uint32_t i = 0; i < c->n_members && spend(w, c->n_members); i++) {
        uint32_t part = c->members[i];
        bool holds = w->s->bytes[part] >= x->size;
        if (w->s->bytes[part] < c->size && (holds || room == TN_NO_CLASS) &&
            is_room(w, c, part, x)) {
            room = part;
            if (holds) {
                break;
            }
        }
    }
    if (room != TN_NO_CLASS) {
        *best = (fit){w->m->values[whole_of(w, x)], w->m->values[room], peak_with(w, x, c)};
    }
}

/* Of the storages alive where most is. */
static fit find_fit(filling *w) {
    peak now = w->from[0];
    int32_t at = -1;
    while (w->load[at + 1] != now.bytes) {
        at++;
    }
    fit best = {NULL, NULL, now};
    for (uint32_t i = 0; i < w->s->n; i++) {
        const tn_class *c = &w->s->classes[i];
        if (c->first > at || c->last < at || !has_parts(w, c)) {
            continue;
        }
        for (uint32_t k = 0; k < w->s->n && spend(w, 1); k++) {
            const tn_class *x = &w->s->classes[k];
            if (x->first <= at && x->last >= at && may_move(w, x)) {
                try_class(w, x, c, &best);
            }
        }
    }
    return best;
}

static bool has_any_parts(const filling *w) {
    for (uint32_t i = 0; i < w->s->n; i++) {
        if (has_parts(w, &w->s->classes[i])) {
            return true;
        }
    }
    return false;
}

static old_edge *edges_of(const filling *w) {
    old_edge *all = TN_ARRAY(w->c->scratch, old_edge, w->m->n_values);
    for (uint32_t i = 0; i < w->m->n_values; i++) {
        const tn_value *v = w->m->values[i];
        all[i] = (old_edge){v->alias_kind, v->alias_of, v->alias_offset};
    }
    return all;
}

static void take_back(const filling *w, const old_edge *all) {
    for (uint32_t i = 0; i < w->m->n_values; i++) {
        tn_value_set_alias(w->m->values[i], TN_ALIAS_NONE, NULL, 0);
    }
    for (uint32_t i = 0; i < w->m->n_values; i++) {
        if (all[i].kind != TN_ALIAS_NONE) {
            tn_value_set_alias(w->m->values[i], all[i].kind, all[i].of, all[i].offset);
        }
    }
}

static void fill(filling *w) {
    tn_alias_set *set = tn_alias_open(w->c->analyses, w->m, w->c->scratch);
    const old_edge *before = edges_of(w);
    peak first = w->from[0];
    fit f = find_fit(w);
    uint32_t n = 0;
    for (; f.value != NULL && spend(w, w->m->n_values + w->n); n++) {
        tn_alias_join(set, f.value, f.part, 0, TN_ALIAS_SHARE);
        w->s = tn_get_storages(w->c->analyses);
        find_loads(w);
        f = find_fit(w);
    }
    if (n > 0 && w->from[0].bytes >= first.bytes) {
        take_back(w, before);
        return;
    }
    w->c->stats[STAT_FILLED] = n;
    w->c->stats[STAT_BYTES] = first.bytes - w->from[0].bytes;
}

/* Where steps run side by side nobody knows which part is written before which value is done with.
 * What fits for some extents of open dimensions may not for others. */
static tn_status run(tn_pass_ctx *c) {
    tn_controls want;
    uint32_t n_open;
    (void)tn_dims_ranges(c->module->dims, &n_open);
    tn_status status = tn_controls_complete(c->controls, c->module, c->scratch, &want);
    if (status != TN_OK || n_open > 0 || tn_get_precedence(c->analyses)->before != NULL) {
        return status;
    }
    filling w = {.c = c,
                 .m = c->module,
                 .s = tn_get_storages(c->analyses),
                 .live = tn_get_liveness(c->analyses),
                 .align = want.align,
                 .work = MAX_WORK};
    if (!has_any_parts(&w)) {
        return TN_OK;
    }
    w.n = w.live->steps->n + 2;
    w.load = TN_ARRAY(c->scratch, uint64_t, w.n);
    w.before = TN_ARRAY(c->scratch, peak, w.n + 1u);
    w.from = TN_ARRAY(c->scratch, peak, w.n + 1u);
    find_loads(&w);
    fill(&w);
    return TN_OK;
}

const tn_pass_info tn_pass_fill_parts = {
    .name = "fill-parts",
    .summary = "lets values lie where parts of larger ones are not written yet or read any more",
    .needs = TN_PROP_TYPES | TN_PROP_ORDERED | TN_PROP_PINS,
    .stats = stats,
    .decides = TN_DECIDES_ROOMS,
    .run = run,
};
