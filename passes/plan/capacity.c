#include "passes/plan/capacity.h"

#include <string.h>

#include "ir/base/xmath.h"
#include "passes/plan/overlap_times.h"

enum { LISTED = 20, SEARCH_EFFORT = 2 };

typedef unsigned long long ull;

tn_status tn_capacity_search(tn_module *m, const tn_storages *s, uint32_t n_steps,
                             const tn_layout_ask *ask, uint64_t capacity, tn_arena *arena,
                             tn_layout *layout) {
    tn_layout_ask harder = *ask;
    tn_layout found;
    if (capacity == 0 || layout->size <= capacity || layout->bound > capacity ||
        ask->level != TN_LEVEL_1 || ask->algorithm != NULL) {
        return TN_OK;
    }
    harder.capacity = capacity;
    harder.effort = ask->effort > SEARCH_EFFORT ? ask->effort : SEARCH_EFFORT;
    tn_status status = tn_layout_make(m, s, n_steps, &harder, arena, &found);
    if (status != TN_OK) {
        return status;
    }
    found.level1 = found.level1 < layout->level1 ? found.level1 : layout->level1;
    if (found.size < layout->size) {
        *layout = found;
    } else if (found.bound > layout->bound) {
        layout->bound = found.bound;
    }
    return TN_OK;
}

static const char *verdict(const tn_plan *plan, const tn_layout_ask *ask) {
    const tn_pool *arena = &plan->pools[0];
    if (arena->bound > arena->capacity && plan->concurrency != TN_SERIAL) {
        return "; no layout fits with these steps side by side";
    }
    if (arena->bound > arena->capacity) {
        return plan->report.order_bound > arena->capacity
                   ? "; no layout fits, in any order with these kinds of aliases"
                   : "; no layout fits in this order";
    }
    return ask->level == TN_LEVEL_1 ? "; no layout that fits was found within the budget" : "";
}

static void put_storage(const tn_plan *plan, uint32_t storage, uint64_t bytes, const tn_loc *loc) {
    const tn_plan_value *root = &plan->values[plan->storages[storage].root];
    tn_note(plan->ctx, loc, "  '%s%s%s' (%llu bytes)", root->graph,
            root->graph[0] != '\0' ? "/" : "", root->name, (ull)bytes);
}

static void note_rest(const tn_plan *plan, uint32_t n, const tn_loc *loc) {
    if (n > LISTED) {
        tn_note(plan->ctx, loc, "  and %u more", n - LISTED);
    }
}

/* Text for a time at which something is alive: " at step 7 (Conv 'c7')". */
static const char *at_step(const tn_plan *plan, int64_t time, tn_arena *scratch) {
    if (time < 0) {
        return "before the first step";
    }
    if (time >= plan->n_steps) {
        return "after the last step";
    }
    const tn_plan_step *s = &plan->steps[time];
    return tn_arena_printf(scratch, "at step %lld (%s '%s')", (long long)time, s->op, s->name);
}

static const char *head(const tn_plan *plan, const tn_pack_misfit *set, tn_arena *scratch) {
    switch (set->kind) {
    case TN_MISFIT_ALONE:
        return "this tensor alone needs";
    case TN_MISFIT_TOGETHER:
        return set->n == 1 ? tn_arena_printf(scratch, "this tensor, alive %s, needs",
                                             at_step(plan, set->time, scratch))
                           : tn_arena_printf(scratch, "these %u tensors, alive together %s, need",
                                             set->n, at_step(plan, set->time, scratch));
    case TN_MISFIT_PROVEN:
        break;
    }
    return tn_arena_printf(scratch, "these %u tensors, by themselves, are proven to need at least",
                           set->n);
}

void tn_capacity_note_set(const tn_plan *plan, const tn_pack_misfit *set, uint64_t capacity,
                          const tn_loc *loc, tn_arena *scratch) {
    if (set->bytes > capacity) {
        tn_note(plan->ctx, loc, "%s %llu bytes more:", head(plan, set, scratch),
                (ull)(set->bytes - capacity));
    } else {
        tn_note(plan->ctx, loc,
                "these %u tensors alone do not fit, however they are placed:", set->n);
    }
    for (uint32_t i = 0; i < set->n && i < LISTED; i++) {
        const tn_storage *s = &plan->storages[set->buffers[i]];
        put_storage(plan, s->id, tn_round_up(s->size, plan->pools[s->pool].align), loc);
    }
    note_rest(plan, set->n, loc);
}

static void note_peak(const tn_plan *plan, const tn_loc *loc, tn_arena *scratch) {
    const tn_plan_report *r = &plan->report;
    if (r->peak_step >= 0) {
        tn_note(plan->ctx, loc, "most is alive %s:", at_step(plan, r->peak_step, scratch));
    }
    for (uint32_t i = 0; i < r->peak.len && i < LISTED; i++) {
        put_storage(plan, r->peak.data[i], plan->storages[r->peak.data[i]].size, loc);
    }
    note_rest(plan, r->peak.len, loc);
}

/* What would fit, as far as the figures of the report know. */
static void note_ways_out(const tn_plan *plan, const tn_layout *layout, const tn_layout_ask *ask,
                          const tn_loc *loc) {
    uint64_t capacity = plan->pools[0].capacity, other = plan->report.other_order;
    if (ask->level != TN_LEVEL_1 && layout->level1 <= capacity) {
        tn_note(plan->ctx, loc, "with reuse between any shapes (level 1) it needs %llu bytes",
                (ull)layout->level1);
    }
    if (plan->report.serial != 0 && plan->report.serial <= capacity) {
        tn_note(plan->ctx, loc, "one step after another (--concurrency=serial) it needs %llu bytes",
                (ull)plan->report.serial);
    }
    if (other != 0 && other <= capacity) {
        tn_note(plan->ctx, loc, "another order (--schedule min-peak) needs %llu bytes", (ull)other);
    }
}

/* Where results may begin inside operands; `set` has the step of its time. */
static bool find_misfit_inside(const tn_layout *layout, const tn_layout_ask *ask,
                               const tn_overlap_pairs *pairs, const tn_pack_options *o,
                               tn_arena *scratch, tn_pack_misfit *set) {
    tn_pack_buffer *buffers = TN_ARRAY(scratch, tn_pack_buffer, layout->n_buffers);
    uint32_t *buffer_of = TN_ARRAY(scratch, uint32_t, layout->n_classes);
    memset(buffer_of, 0xff, layout->n_classes * sizeof *buffer_of);
    for (uint32_t i = 0; i < layout->n_buffers; i++) {
        buffers[i] = layout->buffers[i];
        buffer_of[layout->class_of[i]] = i;
    }
    tn_overlap_times(scratch, pairs, NULL, buffer_of, ask->align, buffers, layout->n_buffers);
    bool found = tn_pack_misfit_find(scratch, buffers, layout->n_buffers, o, set);
    set->time = found ? tn_overlap_step(set->time) : 0;
    return found;
}

static bool find_misfit(const tn_layout *layout, const tn_layout_ask *ask,
                        const tn_overlap_pairs *pairs, const tn_pack_options *o, tn_arena *scratch,
                        tn_pack_misfit *set) {
    const tn_pack_buffer *buffers = layout->buffers;
    uint32_t n = layout->n_buffers;
    if (pairs->n > 0) {
        return find_misfit_inside(layout, ask, pairs, o, scratch, set);
    }
    if (ask->precedence != NULL) {
        return tn_pack_graph_misfit(scratch, buffers, n, layout->conflicts, layout->n_conflicts, o,
                                    set);
    }
    return ask->slots && ask->level == TN_LEVEL_1
               ? tn_pack_slots_misfit(scratch, buffers, n, o, set)
               : tn_pack_misfit_find(scratch, buffers, n, o, set);
}

tn_status tn_capacity_refuse(const tn_plan *plan, const tn_layout *layout, const tn_layout_ask *ask,
                             const tn_overlap_pairs *pairs, const tn_loc *loc, tn_arena *scratch) {
    const tn_pool *arena = &plan->pools[0];
    tn_pack_options o = {.effort = ask->effort > SEARCH_EFFORT ? ask->effort : SEARCH_EFFORT,
                         .capacity = arena->capacity};
    tn_pack_misfit set;
    tn_status status = tn_error_of(
        plan->ctx, TN_NOFIT, loc,
        "the arena needs %llu bytes, %llu more than the capacity of %llu%s", (ull)arena->size,
        (ull)(arena->size - arena->capacity), (ull)arena->capacity, verdict(plan, ask));
    if (arena->bound > arena->capacity && find_misfit(layout, ask, pairs, &o, scratch, &set)) {
        for (uint32_t i = 0; i < set.n; i++) {
            set.buffers[i] = layout->class_of[set.buffers[i]];
        }
        tn_capacity_note_set(plan, &set, arena->capacity, loc, scratch);
    } else {
        note_peak(plan, loc, scratch);
    }
    note_ways_out(plan, layout, ask, loc);
    return status;
}
