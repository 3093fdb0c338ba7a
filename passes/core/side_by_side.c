#include "passes/core/side_by_side.h"

#include <stdlib.h>

#include "ir/base/quote.h"
#include "ir/mutate.h"
#include "passes/analysis/queues.h"

static tn_status read_rule(tn_module *m, const char *text, uint32_t n_queues, tn_arena *arena,
                           tn_queue_rule *out) {
    tn_loc loc = tn_loc_file(m->file);
    const char *number;
    char *end = NULL;
    if (!tn_pair_split(arena, text, "=", false, &out->pattern, &number)) {
        return tn_usage(m->ctx, &loc, "queue '%s': expected NODE=NUMBER", text);
    }
    unsigned long queue = strtoul(number, &end, 10);
    if (*number < '0' || *number > '9' || *end != '\0' || queue >= n_queues) {
        return tn_usage(m->ctx, &loc, "queue '%s': '%s' is not one of the %u queues, 0 to %u", text,
                        number, n_queues, n_queues - 1);
    }
    out->queue = (uint32_t)queue;
    return TN_OK;
}

static bool fits_any(const tn_module *m, const tn_queue_rule *rule) {
    for (uint32_t i = 0; i < m->n_ops; i++) {
        if (!m->ops[i]->erased && m->ops[i]->graph == m->main &&
            tn_queue_rule_fits(rule, m->ops[i])) {
            return true;
        }
    }
    return false;
}

static tn_status refuse(const tn_module *m, const char *pattern, tn_arena *arena) {
    const char **names = TN_ARRAY(arena, const char *, m->n_ops);
    tn_loc loc = tn_loc_file(m->file);
    for (uint32_t i = 0; i < m->n_ops; i++) {
        names[i] = m->ops[i]->name;
    }
    const char *near = tn_nearest(pattern, names, m->n_ops);
    return near != NULL && near[0] != '\0'
               ? tn_usage(m->ctx, &loc, "queue '%s': no such node; did you mean '%s'?", pattern,
                          near)
               : tn_usage(m->ctx, &loc, "queue '%s': no such node", pattern);
}

tn_status tn_concurrency_apply(tn_module *m, const tn_controls *c, tn_arena *arena) {
    tn_queue_rule *rules = TN_ARRAY(arena, tn_queue_rule, c->queue.len);
    tn_status status = TN_OK;
    if (c->concurrency != TN_QUEUES && c->queue.len > 0) {
        tn_loc loc = tn_loc_file(m->file);
        return tn_usage(m->ctx, &loc, "queue '%s': there are no queues; say how many with --queues",
                        c->queue.data[0]);
    }
    for (uint32_t i = 0; i < c->queue.len && status == TN_OK; i++) {
        status = read_rule(m, c->queue.data[i], c->n_queues, arena, &rules[i]);
        if (status == TN_OK && !fits_any(m, &rules[i])) {
            status = refuse(m, rules[i].pattern, arena);
        }
    }
    if (status == TN_OK) {
        bool queues = c->concurrency == TN_QUEUES;
        tn_module_set_concurrency(m, &(tn_concurrency_ask){c->concurrency, queues ? c->n_queues : 0,
                                                           rules, c->queue.len});
    }
    return status;
}

void tn_concurrency_end(tn_module *m) {
    tn_module_set_concurrency(m, &(tn_concurrency_ask){.kind = TN_SERIAL});
}
