/* Which value and which step of one plan is which of the other, and what of the order is another.
 */
#include "ir/plan/plan_match.h"
#include "lib/diff/diff_t.h"

/* A step is the one that writes the same value. */
static void match_steps(tn_diff *d) {
    uint32_t *after = TN_ARRAY(d->arena, uint32_t, d->p[0]->n_steps);
    for (uint32_t i = 0; i < d->p[0]->n_steps; i++) {
        after[i] = TN_NO_ID;
    }
    for (uint32_t i = 0; i < d->p[0]->n_values; i++) {
        uint32_t step = d->p[0]->values[i].step, other = d->partner[0][i];
        if (step != TN_NO_ID && other != TN_NO_ID) {
            after[step] = d->p[1]->values[other].step;
        }
    }
    d->step_after = after;
}

/* The fewest steps that have to be moved: all but those of a longest run of ascending positions. */
static uint32_t count_moved(const tn_diff *d) {
    uint32_t n = d->p[0]->n_steps, matched = 0, len = 0;
    uint32_t *ends = TN_ARRAY(d->arena, uint32_t, n); /* of ascending runs, by their length */
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = d->step_after[i], low = 0, high = len;
        if (at == TN_NO_ID) {
            continue;
        }
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            if (ends[middle] < at) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        ends[low] = at;
        len += low == len;
        matched++;
    }
    return matched - len;
}

void tn_diff_match(tn_diff *d) {
    d->partner[0] = tn_plan_match_names(d->arena, d->p[0], d->p[1]);
    d->partner[1] = tn_plan_match_names(d->arena, d->p[1], d->p[0]);
    match_steps(d);
    d->n_moved_steps = count_moved(d);
}
