/* Which part is to be decided about next: the bound is the least of both decisions, so that both
 * have to cost something. */
#include "passes/order/op_state.h"
#include "passes/schedule/floor/floor_t.h"

/* Positions of cells looked at for one choice, by op. */
enum { LOOKS = 32 };

void tn_floor_note_peak(tn_floor *w, const tn_sched *p, const uint32_t *order) {
    tn_op_state now = tn_op_state_make(w->arena, p);
    tn_floor_peak *x = &w->peak;
    *x = (tn_floor_peak){0, TN_ARRAY(w->arena, uint32_t, p->n), TN_ARRAY(w->arena, uint64_t, p->n)};
    for (uint32_t i = 0; i < p->n; i++) {
        x->at[order[i]] = i;
        x->during[i] = tn_op_state_cost(&now, order[i]).during;
        x->most = x->during[i] > x->during[x->most] ? i : x->most;
        tn_op_state_run(&now, order[i]);
    }
}

/* Positions at which a content of the main graph is wanted in the order found. */
typedef struct span {
    uint32_t first, last;
} span;

static span *find_spans(const tn_floor *w) {
    span *list = TN_ARRAY(w->arena, span, w->cells.n);
    for (uint32_t c = 0; c < w->cells.n; c++) {
        list[c] = (span){UINT32_MAX, 0};
    }
    const tn_floor_level *l = &w->levels[w->m->main->id];
    for (uint32_t i = 0; i < l->touches.len; i++) {
        span *s = &list[l->touches.data[i].content];
        const tn_content *x = &w->of[l->touches.data[i].content];
        uint32_t at = w->peak.at[l->touches.data[i].node];
        s->first = x->flags & TN_CONTENT_AT_START ? 0 : at < s->first ? at : s->first;
        s->last = x->flags & TN_CONTENT_TO_END ? l->ops.len - 1 : at > s->last ? at : s->last;
    }
    return list;
}

typedef struct chooser {
    const tn_floor *w;
    const span *spans; /* by cell */
    uint64_t bound;
    uint64_t looks;
} chooser;

static bool is_main(const chooser *k, const tn_value *v) {
    return v->graph == k->w->m->main;
}

static bool is_wanted(const chooser *k, const tn_value *v) {
    uint32_t at = k->w->peak.most;
    TN_FOR_CELLS(k->w, v, c) {
        span s = k->spans[tn_content_of(&k->w->cells, c)];
        if (s.first <= at && at <= s.last) {
            return true;
        }
    }
    return false;
}

static bool is_open(const tn_floor *w, uint32_t link) {
    const tn_content_link *l = &w->facts.links.data[link];
    return l->same && w->s->bytes[l->inner] < w->s->bytes[l->outer] &&
           (w->decided == NULL || w->decided[link] == TN_PART_OPEN);
}

/* By value: the open links it is the part of. */
static uint32_t *count_wholes(const tn_floor *w) {
    uint32_t *n = TN_ARRAY(w->arena, uint32_t, w->m->n_values);
    for (uint32_t i = 0; i < w->facts.links.len; i++) {
        n[w->facts.links.data[i].inner] += is_open(w, i);
    }
    return n;
}

/* The part of the largest whole at the peak. A part of several lies in one of them at most, but
 * makes them one content until it is decided in which. */
static uint32_t find_at_peak(const chooser *k, uint32_t least_wholes) {
    const tn_floor *w = k->w;
    const uint32_t *wholes = count_wholes(w);
    uint32_t best = TN_SCHED_NONE;
    uint64_t most = 0;
    for (uint32_t i = 0; i < w->facts.links.len; i++) {
        const tn_content_link *l = &w->facts.links.data[i];
        const tn_value *inner = w->m->values[l->inner], *outer = w->m->values[l->outer];
        uint64_t bytes = w->s->bytes[l->outer];
        bool here = is_main(k, inner) && is_main(k, outer);
        if (here && bytes > most && is_open(w, i) && wholes[l->inner] >= least_wholes &&
            (is_wanted(k, inner) || is_wanted(k, outer))) {
            best = i;
            most = bytes;
        }
    }
    return best;
}

/* Bytes that the order at hand takes if the whole is there as long as its part. */
static uint64_t bytes_inside(chooser *k, const tn_value *inner, const tn_value *outer) {
    const tn_floor *w = k->w;
    const tn_floor_peak *x = &w->peak;
    uint64_t most = 0;
    TN_FOR_CELLS(w, inner, i) {
        span part = k->spans[tn_content_of(&w->cells, i)];
        for (uint32_t at = part.first; at <= part.last && k->looks > 0; at++, k->looks--) {
            uint64_t bytes = x->during[at];
            TN_FOR_CELLS(w, outer, c) {
                span s = k->spans[tn_content_of(&w->cells, c)];
                bool absent = s.first != UINT32_MAX && (at < s.first || at > s.last);
                bytes += absent ? tn_floor_content(w, c)->bytes : 0;
            }
            most = bytes > most ? bytes : most;
        }
    }
    return most;
}

/* Bytes that it takes if the part lies beside the whole at the op that makes one of the other. */
static uint64_t bytes_apart(const chooser *k, const tn_value *inner, const tn_value *outer) {
    const tn_floor_peak *x = &k->w->peak;
    uint64_t most = 0;
    for (int i = 0; i < 2; i++) {
        const tn_value *v = i == 0 ? inner : outer;
        uint64_t during = v->kind == TN_VALUE_RESULT ? x->during[x->at[k->w->node[v->def->id]]] : 0;
        most = during > most ? during : most;
    }
    return most + k->w->s->bytes[inner->id];
}

/* The largest value of a storage that is decided. */
static const tn_value *whole_of(const tn_floor *w, uint32_t v) {
    uint32_t class_of = tn_floor_class_of(w, v), best = v;
    for (uint32_t i = 0; i < w->m->n_values; i++) {
        bool member = w->joined[i] && tn_floor_class_of(w, i) == class_of;
        best = member && w->s->bytes[i] > w->s->bytes[best] ? i : best;
    }
    return w->m->values[best];
}

/* What a link leaves to be decided: `inner` lies in the bytes of `outer`, or not. */
typedef struct question {
    const tn_value *inner, *outer;
} question;

static bool is_question(const tn_floor *w, uint32_t link, question *out) {
    const tn_content_link *l = &w->facts.links.data[link];
    uint32_t inner = l->inner, outer = l->outer;
    if (is_open(w, link)) {
        *out = (question){w->m->values[inner], w->m->values[outer]};
        return true;
    }
    if (l->same || w->decided == NULL || w->decided[link] != TN_PART_OPEN ||
        w->joined[inner] == w->joined[outer] || w->s->bytes[inner] != w->s->bytes[outer]) {
        return false;
    }
    *out = w->joined[inner] ? (question){w->m->values[outer], whole_of(w, inner)}
                            : (question){w->m->values[inner], whole_of(w, outer)};
    return true;
}

/* A question about the main graph to which more than the bound is needed either way, as far as the
 * order at hand tells: the one for which it is the most. */
static uint32_t find_costly(chooser *k) {
    const tn_floor *w = k->w;
    uint32_t best = TN_SCHED_NONE;
    uint64_t most = k->bound;
    for (uint32_t i = 0; i < w->facts.links.len && k->looks > 0; i++) {
        question q;
        if (!is_question(w, i, &q) || !is_main(k, q.inner) || !is_main(k, q.outer)) {
            continue;
        }
        uint64_t apart = bytes_apart(k, q.inner, q.outer);
        uint64_t inside = apart > most ? bytes_inside(k, q.inner, q.outer) : 0;
        uint64_t both = apart < inside ? apart : inside;
        best = both > most ? i : best;
        most = both > most ? both : most;
    }
    return best;
}

uint32_t tn_floor_find_open(tn_floor *w, uint64_t bound) {
    if (!w->splits) {
        return TN_SCHED_NONE;
    }
    chooser k = {.w = w,
                 .spans = find_spans(w),
                 .bound = bound,
                 .looks = (uint64_t)LOOKS * w->levels[w->m->main->id].ops.len};
    uint32_t best = find_at_peak(&k, 2);
    best = best != TN_SCHED_NONE ? best : find_costly(&k);
    return best != TN_SCHED_NONE ? best : find_at_peak(&k, 1);
}
