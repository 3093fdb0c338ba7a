/* Plans of the planner, spoiled in one place each, and the message of the checker. */
#ifndef TENURE_TESTS_UNIT_SPOIL_H
#define TENURE_TESTS_UNIT_SPOIL_H

#include "tests/unit/plan_case.h"

#define PLAIN "infer-shapes,schedule,pin,reuse{level=none},insert-frees"
#define ALL                                                                                        \
    "infer-shapes,schedule,pin,alias-views{kinds=all},inplace{kinds=all},reuse{level=1},"          \
    "insert-frees"

static inline tn_plan_step *spoil_step(tn_plan *p, const char *name) {
    for (uint32_t i = 0; i < p->n_steps; i++) {
        if (strcmp(p->steps[i].name, name) == 0) {
            return &p->steps[i];
        }
    }
    fail_msg("no step '%s'", name);
    return NULL;
}

static inline tn_plan_step *spoil_end(tn_plan *p, const char *name) {
    return &p->steps[spoil_step(p, name)->partner];
}

static inline uint32_t spoil_id(const tn_plan *p, const char *name) {
    for (uint32_t i = 0; i < p->n_values; i++) {
        if (strcmp(p->values[i].name, name) == 0) {
            return i;
        }
    }
    fail_msg("no value '%s'", name);
    return TN_NO_ID;
}

/* The list with entry i changed, or added at its end. */
static inline tn_ids spoil_list(tn_plan *p, tn_ids list, uint32_t i, uint32_t entry) {
    uint32_t n = i < list.len ? list.len : list.len + 1;
    uint32_t *data = tn_arena_regrow(p->arena, list.data, list.len, n, sizeof *data);
    data[i] = entry;
    return (tn_ids){data, n};
}

/* A graph's body, how it is planned, what is changed then, and what the message must name. */
typedef struct spoil {
    const char *name, *body, *passes;
    void (*change)(tn_plan *p);
    const char *message; /* NULL: nothing is wrong */
} spoil;

static inline void spoil_all(tn_ctx *ctx, const spoil *spoils, size_t n) {
    for (const spoil *s = spoils; s < spoils + n; s++) {
        plan_case c = case_plan(ctx, s->body, s->passes);
        memset(&case_log, 0, sizeof case_log);
        s->change(c.p);
        tn_status status = tn_plan_check(c.p, c.m);
        bool right = s->message == NULL
                         ? status == TN_OK
                         : status == TN_ERROR && strstr(case_log.text, s->message) != NULL;
        if (!right) {
            fail_msg("%s: wanted '%s', got\n%s", s->name, s->message != NULL ? s->message : "",
                     case_log.text);
        }
    }
}

#endif
