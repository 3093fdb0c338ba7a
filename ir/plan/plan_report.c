/* The report for people: what was won, how far it is from the best, where the peak is and why, and
 * what was left out. */
#include "ir/plan/copied_ahead.h"
#include "ir/plan/forms.h"
#include "ir/plan/plan_names.h"

enum { MAX_PEAK = 10, MAX_BINDINGS = 10, MAX_UNPLANNED = 20, MAX_MOVED = 10, LABEL = 14 };

static void label(tn_sink *out, const char *name) {
    tn_putf(out, "  %-*s", LABEL, name);
}

static void bytes_line(tn_sink *out, const char *name, uint64_t bytes, const char *note) {
    label(out, name);
    tn_put_bytes(out, bytes);
    tn_putf(out, "%s%s\n", note[0] != '\0' ? ", " : "", note);
}

static void put_gap(const tn_plan *p, tn_sink *out) {
    uint64_t bytes = tn_plan_arena_bytes(p), bound = p->report.bound;
    label(out, "gap");
    if (bytes <= bound) {
        tn_put(out, p->report.optimal     ? p->concurrency == TN_SERIAL
                                                ? "0.00 %, optimal for this order and these aliases\n"
                                                : "0.00 %, optimal for what runs side by side and "
                                                  "these aliases\n"
                    : tn_plan_is_whole(p) ? "0.00 %\n"
                                          : "0.00 % of what is planned\n");
    } else if (bound == 0) {
        tn_put(out, "no bound known\n");
    } else {
        tn_put_decimal(out, 100 * ((double)bytes - (double)bound) / (double)bound);
        tn_put(out, " %\n");
    }
}

/* What proves the bound: mostly the sum of what is alive at the peak. */
static const char *bound_note(const tn_plan *p) {
    const tn_plan_report *r = &p->report;
    uint64_t alive = 0;
    for (uint32_t i = 0; i < r->peak.len; i++) {
        const tn_storage *s = &p->storages[r->peak.data[i]];
        alive += (s->size + s->align - 1) / s->align * s->align;
    }
    return r->bound == 0       ? ""
           : r->bound == alive ? "alive at the peak"
           : r->bound > alive  ? "more than is alive at any step"
                               : "";
}

/* What kernels need beside operands and results (--op-facts): all that is kept, and the most that
 * one step has. */
static void put_workspace(const tn_plan *p, tn_sink *out) {
    const tn_plan_workspace *most = NULL;
    uint64_t kept = 0;
    uint32_t n = 0, at = 0;
    for (uint32_t i = 0; i < p->n_steps; i++) {
        for (uint32_t k = 0; k < p->steps[i].n_workspace; k++) {
            const tn_plan_workspace *w = &p->steps[i].workspace[k];
            uint64_t bytes = p->values[w->value].bytes;
            kept += w->kept ? bytes : 0;
            n += !w->kept;
            if (!w->kept && (most == NULL || bytes > p->values[most->value].bytes)) {
                most = w;
                at = i;
            }
        }
    }
    if (most != NULL) {
        label(out, "workspace");
        tn_putf(out, "%u steps, the most ", n);
        tn_put_bytes(out, p->values[most->value].bytes);
        tn_put(out, " at ");
        tn_put_step(out, p, at);
        if (most->way[0] != '\0') {
            tn_put(out, ", way ");
            tn_put_quoted(out, most->way);
        }
        tn_put_c(out, '\n');
    }
    if (kept > 0) {
        bytes_line(out, "kept", kept, "by kernels from run to run");
    }
}

static void put_overlaps(const tn_plan *p, tn_sink *out) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n_values; i++) {
        n += p->values[i].n_overlaps > 0;
    }
    if (n > 0) {
        label(out, "overlap");
        tn_putf(out, "%u results begin inside an operand; their kernels keep an order\n", n);
    }
}

/* Inputs and outputs that are there twice. */
static void put_seconds(const tn_plan *p, tn_sink *out) {
    uint64_t bytes = 0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n_storages; i++) {
        bytes += p->storages[i].second;
        n += p->storages[i].second > 0;
    }
    if (n > 0) {
        label(out, "two places");
        tn_putf(out, "%u storages of inputs and outputs, the second places ", n);
        tn_put_bytes(out, bytes);
        tn_put_c(out, '\n');
    }
}

static void put_totals(const tn_plan *p, tn_sink *out) {
    const tn_plan_report *r = &p->report;
    bytes_line(out, "naive", r->naive, "every value its own bytes");
    bytes_line(out, "level 0", r->level0, "shared between equal types");
    bytes_line(out, "level 1", r->level1, "shared between any");
    bytes_line(out, "lower bound", r->bound, bound_note(p));
    label(out, "planned");
    tn_put_bytes(out, tn_plan_arena_bytes(p));
    if (r->algorithm[0] != '\0') {
        tn_putf(out, ", by %s", r->algorithm);
    }
    tn_put_c(out, '\n');
    put_gap(p, out);
    label(out, "aliases");
    tn_putf(out, "%u in place, %u views, %u updates, %u shared\n", r->n_inplace, r->n_views,
            r->n_updates, r->n_shared);
    put_overlaps(p, out);
    put_seconds(p, out);
    put_workspace(p, out);
}

/* What everybody looks for: how much of each kind of memory the program needs. */
static void put_needs(const tn_plan *p, tn_sink *out) {
    const tn_plan_report *r = &p->report;
    label(out, "RAM");
    tn_put_bytes(out, r->ram);
    tn_put(out, ": arena ");
    tn_put_bytes(out, tn_plan_arena_bytes(p));
    tn_put(out, ", in and out ");
    tn_put_bytes(out, r->io_bytes);
    tn_put(out, "; flash ");
    tn_put_bytes(out, r->flash);
    tn_put(out, ": constants\n");
    if (r->other_order > 0) {
        label(out, "");
        tn_put(out, "the arena needs at most ");
        tn_put_bytes(out, r->other_order);
        tn_put(out, " with --schedule=min-peak, which -O3 includes\n");
    }
}

static void put_orders(const tn_plan *p, tn_sink *out) {
    const tn_plan_report *r = &p->report;
    if (r->order_bound > 0) {
        bytes_line(out, "any order", r->order_bound,
                   tn_plan_arena_bytes(p) == r->order_bound ? "none needs less than this one"
                                                            : "none can need less");
    }
}

/* The part of the traffic of pools of its kind. */
static void put_share(const tn_plan *p, const tn_pool *pool, tn_sink *out) {
    uint64_t all = 0;
    for (uint32_t i = 0; i < p->n_pools; i++) {
        all += p->pools[i].kind == pool->kind ? p->pools[i].traffic : 0;
    }
    if (pool->cost > 0) {
        tn_putf(out, ", cost %llu, traffic ", (unsigned long long)pool->cost);
        tn_put_bytes(out, pool->traffic);
        tn_put(out, " (");
        tn_put_decimal(out, all > 0 ? 100 * (double)pool->traffic / (double)all : 0);
        tn_put(out, " %)");
    }
    if (pool->section != NULL) {
        tn_put(out, ", section ");
        tn_put_quoted(out, pool->section);
    }
    tn_put(out, !pool->copied                 ? ""
                : pool->kind == TN_POOL_STATE ? ", copied to where kernels work on it, and back"
                                              : ", copied there from flash");
}

static void put_cost(const tn_plan *p, tn_sink *out) {
    const tn_plan_report *r = &p->report;
    if (!tn_plan_has_costs(p)) {
        return;
    }
    label(out, "cost");
    tn_putf(out, "%llu, no way to spread the same storages costs less than %llu",
            (unsigned long long)r->cost, (unsigned long long)r->cost_bound);
    if (r->cost > r->cost_bound && r->cost_bound > 0) {
        tn_put(out, " (");
        tn_put_decimal(out,
                       100 * ((double)r->cost - (double)r->cost_bound) / (double)r->cost_bound);
        tn_put(out, " % above)");
    }
    tn_put(out, r->cost == r->cost_bound ? ": optimal\n" : "\n");
}

static double percent(uint64_t part, uint64_t whole) {
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

/* Of a long curve the ends and what lies evenly between. */
static void put_curve(const tn_plan_recompute *r, tn_sink *out) {
    enum { MAX_POINTS = 8 };
    uint32_t shown = r->n_curve < MAX_POINTS ? r->n_curve : MAX_POINTS;
    for (uint32_t i = 0; i < shown; i++) {
        uint32_t at = shown < 2 ? 0 : (uint32_t)((uint64_t)i * (r->n_curve - 1) / (shown - 1));
        label(out, i == 0 ? "curve" : "");
        tn_putf(out, "+%.1f %%: ", percent(r->curve[at].operations, r->model_operations));
        tn_put_bytes(out, r->curve[at].arena);
        tn_put_c(out, '\n');
    }
}

static void put_recompute(const tn_plan *p, tn_sink *out) {
    const tn_plan_recompute *r = &p->report.recompute;
    if (r->model_operations == 0) {
        return;
    }
    label(out, "recompute");
    tn_putf(out, "%u clones, +%.1f %% operations (model)", r->n_clones,
            percent(r->operations, r->model_operations));
    if (r->without > 0) {
        tn_put(out, "; without them the arena has ");
        tn_put_bytes(out, r->without);
    }
    tn_put_c(out, '\n');
    put_curve(r, out);
}

/* What moved since the plan before. */
static void put_base(const tn_plan *p, tn_sink *out) {
    const tn_plan_base *base = &p->report.base;
    if (base->digest == NULL) {
        return;
    }
    label(out, "based on");
    tn_putf(out, "%u of %u values moved", base->n_shifts, base->n_matched);
    if (base->n_shifts > 0) {
        tn_putf(out,
                base->n_least == base->n_shifts ? ", no way to move fewer"
                                                : ", at least %u have to",
                base->n_least);
    }
    tn_put(out, "; without the plan before the arena has ");
    tn_put_bytes(out, base->free);
    tn_put_c(out, '\n');
    for (uint32_t i = 0; i < base->n_shifts && i < MAX_MOVED; i++) {
        const tn_plan_shift *s = &base->shifts[i];
        const tn_plan_value *v = &p->values[s->value];
        label(out, "");
        tn_put_quoted(out, v->name);
        tn_putf(out, " from %s@%llu to %s@%llu: ", s->pool, (unsigned long long)s->offset,
                p->pools[p->storages[v->storage].pool].name,
                (unsigned long long)tn_plan_address(p, v));
        tn_put_shift_why(out, p, s);
        tn_put_c(out, '\n');
    }
    if (base->n_shifts > MAX_MOVED) {
        label(out, "");
        tn_putf(out, "and %u more\n", base->n_shifts - MAX_MOVED);
    }
}

static void put_pools(const tn_plan *p, tn_sink *out) {
    if (p->n_pools <= 1 && !tn_plan_has_costs(p)) {
        return;
    }
    for (uint32_t i = 0; i < p->n_pools; i++) {
        const tn_pool *pool = &p->pools[i];
        label(out, i == 0 ? "pools" : "");
        tn_putf(out, "%s: ", pool->name);
        tn_put_bytes(out, pool->size);
        tn_putf(out, ", alignment %llu", (unsigned long long)pool->align);
        if (pool->capacity > 0) {
            tn_put(out, ", capacity ");
            tn_put_bytes(out, pool->capacity);
        }
        put_share(p, pool, out);
        tn_put_c(out, '\n');
    }
    tn_sink window = tn_sink_make(out->arena);
    if (tn_ahead_put(p, &window)) {
        label(out, "window");
        tn_putf(out, "%s\n", window.data);
    }
}

static void put_peak(const tn_plan *p, tn_sink *out) {
    const tn_plan_report *r = &p->report;
    if (r->peak_step < 0) {
        return;
    }
    uint64_t rest = 0;
    label(out, "peak");
    tn_put(out, "at ");
    tn_put_step(out, p, (uint32_t)r->peak_step);
    tn_putf(out, ", alive there: %u\n", r->peak.len);
    for (uint32_t i = 0; i < r->peak.len; i++) {
        const tn_storage *s = &p->storages[r->peak.data[i]];
        if (i >= MAX_PEAK) {
            rest += s->size;
            continue;
        }
        label(out, "");
        tn_put_quoted(out, p->values[s->root].name);
        tn_putf(out, " %s: ", p->values[s->root].type);
        tn_put_bytes(out, s->size);
        tn_put_c(out, '\n');
    }
    if (r->peak.len > MAX_PEAK) {
        label(out, "");
        tn_putf(out, "and %u more, ", r->peak.len - MAX_PEAK);
        tn_put_bytes(out, rest);
        tn_put_c(out, '\n');
    }
}

static void put_backward(const tn_plan_report *r, tn_sink *out) {
    if (r->n_backward_ops == 0 && r->n_backward_values == 0 && r->n_param_grads == 0) {
        return;
    }
    label(out, "training");
    tn_putf(out, "backward part of %u ops, %u values, %u parameter gradients\n", r->n_backward_ops,
            r->n_backward_values, r->n_param_grads);
    if (r->n_shared > 0) {
        label(out, "");
        tn_putf(out, "%u shared; without, the arena would ", r->n_shared);
        if (r->saved_by_sharing > 0) {
            tn_put(out, "need ");
            tn_put_bytes(out, r->saved_by_sharing);
            tn_put(out, " more\n");
        } else {
            tn_put(out, "be as large\n");
        }
    }
}

/* Training info. */
static void put_bindings(const tn_plan *p, tn_sink *out) {
    for (uint32_t i = 0; i < p->n_bindings && i < MAX_BINDINGS; i++) {
        label(out, i == 0 ? "after the run" : "");
        tn_put_quoted(out, p->bindings[i].state);
        tn_put(out, " takes ");
        tn_put_quoted(out, p->values[p->bindings[i].value].name);
        tn_put_c(out, '\n');
    }
    if (p->n_bindings > MAX_BINDINGS) {
        label(out, "");
        tn_putf(out, "and %u more\n", p->n_bindings - MAX_BINDINGS);
    }
}

static void put_unplanned(const tn_plan *p, tn_sink *out) {
    label(out, "values");
    uint32_t missing = p->report.n_open + p->report.n_data, seen = 0;
    tn_putf(out, "%u planned, %u not, %u need no place\n", p->report.n_planned, missing,
            p->report.n_unplanned - missing);
    for (uint32_t i = 0; i < p->n_values; i++) {
        const tn_plan_value *v = &p->values[i];
        if (v->storage != TN_NO_ID || v->left_out == TN_LEFT_UNUSED || seen++ >= MAX_UNPLANNED) {
            continue;
        }
        label(out, "");
        if (v->graph[0] != '\0') {
            tn_putf(out, "%s/", v->graph);
        }
        tn_put_quoted(out, v->name);
        tn_putf(out, " %s not planned: ", v->type);
        tn_put_line(out, v->why != NULL ? v->why : "no reason given");
        if (v->bytes_text != NULL) {
            tn_putf(out, " (%s bytes)", v->bytes_text);
        }
        tn_put_c(out, '\n');
    }
    if (seen > MAX_UNPLANNED) {
        label(out, "");
        tn_putf(out, "and %u more not planned\n", seen - MAX_UNPLANNED);
    }
}

static void put_fixed(const tn_plan *p, tn_sink *out) {
    for (uint32_t i = 0; i < p->fixed.len; i++) {
        label(out, i == 0 ? "holds for" : "");
        tn_put(out, "the elements of ");
        tn_put_quoted(out, p->values[p->fixed.data[i]].name);
        tn_put(out, " it was made with, and no others\n");
    }
}

/* What may run at once, how deep that is, and what it costs. */
static void put_concurrency(const tn_plan *p, tn_sink *out) {
    const tn_plan_report *r = &p->report;
    if (p->concurrency == TN_SERIAL) {
        return;
    }
    label(out, "side by side");
    if (p->concurrency == TN_QUEUES) {
        tn_putf(out, "%u queues, each in the order of the plan; ", p->n_queues);
    } else {
        tn_put(out, "any order that data allow; ");
    }
    tn_putf(out, "%u steps come one after the other at least", r->depth);
    if (r->data_depth != r->depth) {
        tn_putf(out, ", %u by data alone", r->data_depth);
    }
    tn_put_c(out, '\n');
    if (r->serial > 0) {
        label(out, "");
        tn_put(out, "one step after another the arena needs ");
        tn_put_bytes(out, r->serial);
        tn_put(out, " (--concurrency=serial)\n");
    }
}

void tn_plan_report_one(const tn_plan *p, tn_sink *out) {
    tn_put(out, "plan of ");
    tn_put_quoted(out, p->model);
    tn_putf(out, ", %u steps", p->n_steps);
    if (!tn_plan_is_whole(p)) {
        tn_put(out, "; ");
        tn_plan_put_left_out(p, out);
    }
    tn_put_c(out, '\n');
    if (p->partial) {
        label(out, "open");
        tn_plan_put_ways_out(p, NULL, out);
        tn_put_c(out, '\n');
    }
    if (p->report.interrupted) {
        label(out, "interrupted");
        tn_put(out, "the best plan found until then; another run may make another one\n");
    }
    if (p->reordered) {
        label(out, "order");
        tn_put(out,
               "not the file's: run the steps as the plan has them (--schedule=file keeps it)\n");
    }
    put_concurrency(p, out);
    put_fixed(p, out);
    tn_plan_put_open(p, out);
    tn_plan_put_by_data(p, out);
    put_needs(p, out);
    put_totals(p, out);
    put_orders(p, out);
    put_recompute(p, out);
    put_pools(p, out);
    put_cost(p, out);
    put_base(p, out);
    put_peak(p, out);
    put_backward(&p->report, out);
    put_bindings(p, out);
    put_unplanned(p, out);
}
