#include "lib/instance/pack_report.h"

#include <inttypes.h>

enum { LISTED = 20, NAMED = 8 };

static void put_bound(tn_sink *out, const tn_pack_answer *a) {
    tn_putf(out, ", lower bound %" PRIu64, a->bound);
    switch (a->bound_kind) {
    case TN_BOUND_LIVE:
        tn_putf(out, " (live at time %" PRId64 ")", a->bound_time);
        break;
    case TN_BOUND_STACK:
        tn_putf(out, " (stacked in the best order at time %" PRId64 ")", a->bound_time);
        break;
    case TN_BOUND_BUFFER:
        tn_put(out, " (one buffer alone)");
        break;
    case TN_BOUND_SEARCH:
        tn_putf(out, " (lower %s searched through)", a->slots ? "totals" : "heights");
        break;
    case TN_BOUND_RANKS:
        tn_put(out, " (largest, second largest, ... alive at any time)");
        break;
    case TN_BOUND_CLIQUE:
        tn_putf(out, " (%u buffers that all conflict with each other:", a->n_bound_set);
        for (uint32_t i = 0; i < a->n_bound_set && i < NAMED; i++) {
            tn_putf(out, " '%s'", a->csv->ids[a->bound_set[i]]);
        }
        tn_put(out, a->n_bound_set > NAMED ? " ...)" : ")");
        break;
    }
}

void tn_pack_report(tn_sink *out, const tn_pack_answer *a) {
    uint64_t gap = a->height - (a->bound < a->height ? a->bound : a->height);
    tn_putf(out, "%u buffers, ", a->csv->n);
    if (a->slots) {
        tn_putf(out, "%u objects of %" PRIu64 " in all", a->n_objects, a->height);
    } else {
        tn_putf(out, "height %" PRIu64, a->height);
    }
    tn_putf(out, " by %s", a->algorithm);
    put_bound(out, a);
    if (a->optimal) {
        tn_put(out, ", optimal");
    } else {
        tn_putf(out, ", gap %.3f %%", 100.0 * (double)gap / (double)a->bound);
    }
    tn_putf(out, ", %" PRIu64 " nodes\n", a->nodes);
    if (a->capacity == 0) {
        return;
    }
    if (a->height <= a->capacity) {
        tn_putf(out, "fits into %" PRIu64 " bytes\n", a->capacity);
    } else if (a->bound > a->capacity) {
        tn_putf(out, "no packing fits into %" PRIu64 " bytes\n", a->capacity);
    } else {
        tn_putf(out, "none that fits into %" PRIu64 " bytes was found within the budget\n",
                a->capacity);
    }
}

static void put_bytes(tn_sink *out, uint64_t bytes) {
    tn_putf(out, "%" PRIu64 " byte%s", bytes, bytes == 1 ? "" : "s");
}

void tn_pack_report_misfit(tn_sink *out, const tn_pack_answer *a, const tn_pack_misfit *m) {
    switch (m->kind) {
    case TN_MISFIT_ALONE:
        tn_put(out, "this buffer alone needs ");
        break;
    case TN_MISFIT_TOGETHER:
        tn_putf(out, "these %u buffers, alive together at time %" PRId64 ", need ", m->n, m->time);
        break;
    case TN_MISFIT_PROVEN:
        tn_putf(out, "these %u buffers, by themselves, are proven to need at least ", m->n);
        break;
    }
    put_bytes(out, m->bytes - a->capacity);
    tn_put(out, " more:\n");
    for (uint32_t i = 0; i < m->n && i < LISTED; i++) {
        const tn_pack_buffer *b = &a->csv->buffers[m->buffers[i]];
        tn_putf(out, "  '%s' (", a->csv->ids[m->buffers[i]]);
        put_bytes(out, b->size);
        if (b->fixed != TN_PACK_FREE && !a->slots) {
            tn_putf(out, " at %" PRIu64, b->fixed);
        }
        tn_put(out, ")\n");
    }
    if (m->n > LISTED) {
        tn_putf(out, "  and %u more\n", m->n - LISTED);
    }
}
