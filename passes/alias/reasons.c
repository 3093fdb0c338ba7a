#include "passes/alias/reasons.h"

/* A name in a message is not worth going through a class of thousands. */
enum { MAX_LOOKED_AT = 64 };

tn_reason tn_reason_of_ties(uint32_t ties) {
    return ties & TN_TIE_STATE                                            ? TN_REASON_STATE
           : ties & TN_TIE_CONST                                          ? TN_REASON_CONST
           : ties & (TN_TIE_INPUT | TN_TIE_DONATED)                       ? TN_REASON_INPUT
           : ties & TN_TIE_OUTPUT                                         ? TN_REASON_OUTPUT
           : ties & (TN_TIE_BODY_IN | TN_TIE_BODY_OUT | TN_TIE_HANDED_ON) ? TN_REASON_PLACE
                                                                          : TN_REASON_NONE;
}

tn_reason tn_reason_of_flags(uint32_t flags) {
    return flags & TN_VF_EXCLUDED    ? TN_REASON_EXCLUDED
           : flags & TN_VF_OWN_BYTES ? TN_REASON_PINNED
                                     : TN_REASON_NONE;
}

typedef struct search {
    const tn_alias_set *s;
    uint32_t ties, flags;
    const tn_value *found;
} search;

static bool is_other(void *user, const tn_value *member) {
    search *q = user;
    if ((q->s->tie[member->id] & q->ties) == 0 && (member->flags & q->flags) == 0) {
        return true;
    }
    q->found = member;
    return false;
}

const tn_value *tn_find_witness(tn_alias_set *s, const tn_value *v, uint32_t ties, uint32_t flags) {
    search q = {.s = s, .ties = ties, .flags = flags};
    if (is_other(&q, v)) {
        (void)tn_alias_each(s, v, MAX_LOOKED_AT, INT32_MIN, is_other, &q);
    }
    return q.found;
}

const tn_op *tn_find_reader(const tn_liveness *live, const tn_value *v, int32_t step, int32_t *at) {
    const tn_live *l = &live->of[v->id];
    const tn_op *by = NULL;
    *at = -1;
    for (uint32_t i = 0; i < l->n_reads; i++) {
        int32_t read = (int32_t)l->reads[i].step;
        if (read > step && (by == NULL || read < *at)) {
            by = l->reads[i].op;
            *at = read;
        }
    }
    return by;
}
