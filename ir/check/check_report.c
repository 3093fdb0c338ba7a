/* The figures people quote, added up again; and that plan and module are about the same file. */
#include <string.h>

#include "ir/base/xmath.h"
#include "ir/check/check_t.h"

typedef struct sums {
    uint64_t naive, const_bytes, io_bytes, ram, arena, bound;
    uint32_t n_by_alias[TN_ALIAS_SHARE + 1], n_planned, n_unplanned;
    uint32_t n_by_left_out[TN_LEFT_UNUSED + 1];
} sums;

static void compare(tn_checking *c, const char *what, uint64_t stated, uint64_t found) {
    if (stated != found) {
        tn_check_fail(c, "the report says %s is %llu, the plan adds up to %llu", what,
                      (unsigned long long)stated, (unsigned long long)found);
    }
}

/* Saturates: a sum that large is reported as a wrong figure. */
static void add(uint64_t *sum, uint64_t more) {
    if (!tn_add_u64(*sum, more, sum)) {
        *sum = UINT64_MAX;
    }
}

/* What a value would cost if nothing were an alias of anything: arena bytes, unless it is data of
 * the model, or the caller keeps it outside the arenas. */
static bool counts_as_naive(const tn_checking *c, uint32_t i, const tn_pool *pool) {
    const tn_fact *f = &c->facts[i];
    bool main = f->v->graph->kind == TN_GRAPH_MAIN;
    bool given = main && f->v->kind == TN_VALUE_INPUT && (f->v->flags & TN_VF_DONATED) == 0;
    if (f->state || ((given || f->output) && !tn_is_const(f->v))) {
        return pool->kind == TN_POOL_ARENA;
    }
    return !tn_is_const(f->v);
}

static void add_value(const tn_checking *c, uint32_t i, sums *s) {
    const tn_plan_value *v = &c->p->values[i];
    s->n_by_alias[v->alias]++;
    s->n_by_left_out[v->left_out]++;
    if (v->storage == TN_NO_ID) {
        s->n_unplanned++;
        return;
    }
    s->n_planned++;
    const tn_pool *pool = &c->p->pools[c->p->storages[v->storage].pool];
    uint64_t padded = 0;
    if (counts_as_naive(c, i, pool) && tn_align_u64(v->bytes, pool->align, &padded)) {
        add(&s->naive, padded);
        add(&s->naive, c->p->storages[v->storage].second);
    }
}

static sums add_up(const tn_checking *c) {
    const tn_plan *p = c->p;
    sums s = {0};
    for (uint32_t i = 0; i < p->n_values; i++) {
        add_value(c, i, &s);
    }
    for (uint32_t i = 0; i < p->n_pools; i++) {
        tn_pool_kind kind = p->pools[i].kind;
        add(&s.bound, kind == TN_POOL_ARENA ? p->pools[i].bound : 0);
        add(kind == TN_POOL_ARENA   ? &s.arena
            : kind == TN_POOL_CONST ? &s.const_bytes
                                    : &s.io_bytes,
            p->pools[i].size);
        add(&s.ram, kind == TN_POOL_CONST && !p->pools[i].copied ? 0 : p->pools[i].size);
    }
    return s;
}

static void check_levels(tn_checking *c, const sums *s) {
    const tn_plan_report *r = &c->p->report;
    if (r->level1 > r->level0 || r->level0 > r->naive) {
        tn_check_fail(c,
                      "the report's level 1 (%llu), level 0 (%llu) and naive (%llu) bytes do not "
                      "ascend",
                      (unsigned long long)r->level1, (unsigned long long)r->level0,
                      (unsigned long long)r->naive);
    }
    if (r->bound > s->arena || r->bound > r->level1) {
        tn_check_fail(c,
                      "the report's lower bound of %llu is above the arena's %llu bytes or above "
                      "level 1 (%llu)",
                      (unsigned long long)r->bound, (unsigned long long)s->arena,
                      (unsigned long long)r->level1);
    }
    if (r->order_bound > r->bound) {
        tn_check_fail(c,
                      "the report's lower bound over all orders (%llu) is above that of this order "
                      "(%llu)",
                      (unsigned long long)r->order_bound, (unsigned long long)r->bound);
    }
    if (r->other_order != 0 && (r->other_order >= s->arena || r->other_order < r->order_bound)) {
        tn_check_fail(c,
                      "the report's other order needs %llu bytes, which is not between the bound "
                      "over all orders (%llu) and the arena (%llu)",
                      (unsigned long long)r->other_order, (unsigned long long)r->order_bound,
                      (unsigned long long)s->arena);
    }
    if (r->optimal && !tn_plan_is_whole(c->p)) {
        tn_check_fail(c, "the report says optimal, but %u values are left out",
                      r->n_open + r->n_data);
    }
    if (r->optimal && r->bound != s->arena) {
        tn_check_fail(c,
                      "the report says optimal, but the arena's %llu bytes are not the bound of "
                      "%llu",
                      (unsigned long long)s->arena, (unsigned long long)r->bound);
    }
}

static bool alive_at(const tn_plan *p, const tn_storage *s, int32_t step) {
    return p->pools[s->pool].kind == TN_POOL_ARENA && s->size > 0 &&
           (s->pinned || (s->first <= step && s->last >= step));
}

/* Bytes a storage keeps from others: what follows it is aligned. Saturates like all sums here. */
static uint64_t padded_size(const tn_plan *p, const tn_storage *s) {
    uint64_t padded = UINT64_MAX;
    (void)tn_align_u64(s->size, p->pools[s->pool].align, &padded);
    return padded;
}

/* By step, bytes that results have in common there with operands they begin inside of. */
static uint64_t *saved_at(const tn_checking *c) {
    uint64_t *saved = TN_ARRAY(c->arena, uint64_t, (size_t)c->p->n_steps + 1);
    for (uint32_t i = 0; i < c->p->n_values; i++) {
        const tn_plan_value *v = &c->p->values[i];
        if (v->n_overlaps > 0) {
            add(&saved[v->overlaps[0].step], tn_plan_overlap_saves(c->p, v));
        }
    }
    return saved;
}

/* The most bytes alive at one step, from the stated ranges. */
static uint64_t most_alive(const tn_checking *c, const uint64_t *saved) {
    const tn_plan *p = c->p;
    uint64_t *starts = TN_ARRAY(c->arena, uint64_t, (size_t)p->n_steps + 1);
    uint64_t *ends = TN_ARRAY(c->arena, uint64_t, (size_t)p->n_steps + 1);
    uint64_t now = 0, most = 0;
    for (uint32_t i = 0; i < p->n_storages; i++) {
        const tn_storage *s = &p->storages[i];
        int32_t n = (int32_t)p->n_steps, first = s->pinned || s->first < 0 ? 0 : s->first;
        int32_t last = s->pinned || s->last >= n ? n - 1 : s->last;
        if (p->pools[s->pool].kind == TN_POOL_ARENA && first <= last) {
            add(&starts[first], padded_size(p, s));
            add(&ends[last], padded_size(p, s));
        }
    }
    for (uint32_t i = 0; i < p->n_steps; i++) {
        add(&now, starts[i]);
        uint64_t needed = now - (saved[i] < now ? saved[i] : now);
        most = needed > most ? needed : most;
        now -= ends[i] < now ? ends[i] : now;
    }
    return most;
}

/* The storages listed at the peak are those alive there, and nowhere are more bytes alive. */
static void check_peak(tn_checking *c) {
    const tn_plan *p = c->p;
    const tn_plan_report *r = &p->report;
    bool *listed = TN_ARRAY(c->arena, bool, p->n_storages);
    const uint64_t *saved = saved_at(c);
    uint64_t bytes = 0, most = most_alive(c, saved);
    for (uint32_t i = 0; i < r->peak.len; i++) {
        listed[r->peak.data[i]] = true;
    }
    for (uint32_t i = 0; i < p->n_storages && r->peak_step >= 0; i++) {
        const tn_storage *s = &p->storages[i];
        bool alive = alive_at(p, s, r->peak_step);
        if (alive != listed[i] && s->size > 0) {
            tn_check_fail(c,
                          "the storage of %s is %s at the peak, %s, but the report says otherwise",
                          tn_check_value_name(c, s->root), alive ? "alive" : "not alive",
                          tn_check_step_name(c, r->peak_step));
            return;
        }
        add(&bytes, alive ? padded_size(p, s) : 0);
    }
    uint64_t less =
        r->peak_step >= 0 && r->peak_step < (int32_t)p->n_steps ? saved[r->peak_step] : 0;
    bytes -= less < bytes ? less : bytes;
    if (bytes != most) {
        tn_check_fail(c, "the report's peak, %s, keeps %llu bytes, but elsewhere %llu are kept",
                      tn_check_step_name(c, r->peak_step), (unsigned long long)bytes,
                      (unsigned long long)most);
    }
}

/* A weights image is matched by this text. */
static void check_layout(tn_checking *c) {
    char found[TN_LAYOUT_HEX];
    tn_plan_own_layout(c->p, found);
    if (c->p->layout != NULL && strcmp(c->p->layout, found) != 0) {
        tn_check_fail(
            c, "the plan says its constants, inputs and state have the layout '%s', they have '%s'",
            c->p->layout, found);
    }
}

void tn_check_report(tn_checking *c) {
    const tn_plan_report *r = &c->p->report;
    sums s = add_up(c);
    compare(c, "naive", r->naive, s.naive);
    compare(c, "the lower bound", r->bound, s.bound);
    compare(c, "const bytes", r->const_bytes, s.const_bytes);
    compare(c, "io bytes", r->io_bytes, s.io_bytes);
    compare(c, "RAM", r->ram, s.ram);
    compare(c, "flash", r->flash, s.const_bytes);
    compare(c, "the number of values written in place", r->n_inplace,
            s.n_by_alias[TN_ALIAS_INPLACE]);
    compare(c, "the number of views", r->n_views, s.n_by_alias[TN_ALIAS_VIEW]);
    compare(c, "the number of updates", r->n_updates, s.n_by_alias[TN_ALIAS_UPDATE]);
    compare(c, "the number of shared gradients", r->n_shared, s.n_by_alias[TN_ALIAS_SHARE]);
    compare(c, "the number of planned values", r->n_planned, s.n_planned);
    compare(c, "the number of unplanned values", r->n_unplanned, s.n_unplanned);
    compare(c, "the number of values left out since dimensions are open", r->n_open,
            s.n_by_left_out[TN_LEFT_OPEN]);
    compare(c, "the number of values left out since nothing tells their size", r->n_data,
            s.n_by_left_out[TN_LEFT_DATA]);
    check_levels(c, &s);
    check_peak(c);
    if (strcmp(c->p->model, c->m->name) != 0) {
        tn_check_fail(c, "the plan is of a model named '%s', not '%s'", c->p->model, c->m->name);
    }
    check_layout(c);
}
