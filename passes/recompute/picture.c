#include "passes/recompute/picture.h"

#include "ir/base/xmath.h"

static uint64_t aligned(uint64_t bytes, uint64_t align) {
    uint64_t out = 0;
    return bytes != TN_NO_BYTES && tn_align_u64(bytes, align, &out) ? out : 0;
}

double tn_pressure_of(double part) {
    double x = part * part;
    x *= x;
    x *= x;
    x *= x;
    return x * x;
}

double tn_picture_pressure(const tn_picture *p, double unit) {
    double sum = 0;
    for (uint32_t s = 0; s < p->n_steps; s++) {
        sum += tn_pressure_of((double)p->load[s] / unit);
    }
    return sum;
}

static void copy_values(tn_picture *p, tn_arena *arena, const tn_liveness *live,
                        const tn_storages *s, uint64_t align) {
    uint32_t n = p->m->n_values;
    uint32_t *of = TN_ARRAY(arena, uint32_t, n);
    tn_alive *value = TN_ARRAY(arena, tn_alive, n);
    uint64_t *bytes = TN_ARRAY(arena, uint64_t, n);
    for (uint32_t i = 0; i < n; i++) {
        const tn_live *l = &live->of[i];
        of[i] = s->of[i];
        value[i] = l->scheduled ? (tn_alive){l->first, l->last} : (tn_alive){0, -2};
        bytes[i] = aligned(s->bytes[i], align);
    }
    p->of = of;
    p->value = value;
    p->bytes = bytes;
}

static void copy_steps(tn_picture *p, tn_arena *arena, const tn_steps *steps) {
    tn_op **at = TN_ARRAY(arena, tn_op *, steps->n);
    uint32_t *begin = TN_ARRAY(arena, uint32_t, p->m->n_ops);
    for (uint32_t s = 0; s < steps->n; s++) {
        at[s] = steps->at[s].op;
    }
    for (uint32_t i = 0; i < p->m->n_ops; i++) {
        begin[i] = steps->begin[i];
    }
    p->n_steps = steps->n;
    p->at = at;
    p->begin = begin;
}

static void list_members(tn_picture *p, tn_arena *arena) {
    uint32_t *first = TN_ARRAY(arena, uint32_t, (size_t)p->n_classes + 2);
    tn_value **members = TN_ARRAY(arena, tn_value *, p->m->n_values);
    for (uint32_t i = 0; i < p->m->n_values; i++) {
        first[p->of[i] != TN_NO_CLASS ? p->of[i] + 2 : 0]++;
    }
    first[0] = 0;
    for (uint32_t c = 0; c < p->n_classes; c++) {
        first[c + 2] += first[c + 1];
    }
    for (uint32_t i = 0; i < p->m->n_values; i++) {
        if (p->of[i] != TN_NO_CLASS) {
            members[first[p->of[i] + 1]++] = p->m->values[i];
        }
    }
    p->first_member = first;
    p->members = members;
}

/* Bytes that come at a step and go behind one, summed up. */
static void sum_loads(tn_picture *p, tn_arena *arena) {
    uint32_t n = p->n_steps;
    int64_t *change = TN_ARRAY(arena, int64_t, (size_t)n + 3);
    uint64_t *load = TN_ARRAY(arena, uint64_t, (size_t)n + 1), now = 0;
    uint64_t *before = TN_ARRAY(arena, uint64_t, (size_t)n + 1);
    for (uint32_t c = 0; c < p->n_classes; c++) {
        int32_t first = p->class[c].first, last = p->class[c].last;
        change[first < 0 ? 0 : first] += (int64_t)p->size[c];
        change[(uint32_t)last >= n ? n : (uint32_t)last + 1] -= (int64_t)p->size[c];
    }
    for (uint32_t s = 0; s < n; s++) {
        now += (uint64_t)change[s];
        load[s] = now;
        p->peak = now > p->peak ? now : p->peak;
    }
    for (uint32_t s = 0; s < n; s++) {
        before[s] = load[s];
    }
    for (uint32_t c = 0; c < p->n_classes; c++) {
        int32_t first = p->class[c].first;
        if (first >= 0 && (uint32_t)first < n) {
            before[first] -= p->size[c];
        }
    }
    p->load = load;
    p->before = before;
}

tn_picture *tn_picture_make(tn_arena *arena, const tn_module *m, tn_analyses *decided,
                            uint64_t align, bool io_in_arena) {
    const tn_liveness *live = tn_get_liveness(decided);
    const tn_storages *s = tn_get_storages(decided);
    tn_picture *p = TN_NEW(arena, tn_picture);
    tn_alive *class = TN_ARRAY(arena, tn_alive, s->n);
    uint64_t *size = TN_ARRAY(arena, uint64_t, s->n);
    bool *fixed = TN_ARRAY(arena, bool, s->n);
    p->m = m;
    p->n_classes = s->n;
    copy_steps(p, arena, live->steps);
    copy_values(p, arena, live, s, align);
    for (uint32_t i = 0; i < s->n; i++) {
        const tn_class *c = &s->classes[i];
        bool inside = c->home == TN_HOME_ARENA || (io_in_arena && c->home == TN_HOME_IO);
        size[i] = inside ? aligned(c->size, align) : 0;
        fixed[i] = c->pinned || !inside;
        class[i] =
            c->pinned ? (tn_alive){-1, (int32_t)live->steps->n} : (tn_alive){c->first, c->last};
    }
    list_members(p, arena);
    p->class = class;
    p->size = size;
    p->fixed = fixed;
    sum_loads(p, arena);
    return p;
}
