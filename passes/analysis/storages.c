#include "passes/analysis/storages.h"

#include "ir/base/limits.h"
#include "ir/base/xmath.h"
#include "passes/core/rules.h"

/* Keeps sums of two shifts and a size inside 64 bits. */
#define MAX_SHIFT ((int64_t)TN_MAX_TENSOR_BYTES)

/* Union of edges that all point to a parent, so finding the root with path compression is all
 * there is to do; `shift` is the distance in bytes to what `up` points to. */
typedef struct forest {
    const tn_module *m;
    uint32_t *up;
    int64_t *shift;
    uint32_t *stack;
} forest;

uint64_t tn_value_bytes(tn_module *m, const tn_value *v) {
    int64_t bytes;
    if (!tn_type_point_bytes(m->dims, v->type, &bytes) || bytes < 0 ||
        (uint64_t)bytes > TN_MAX_TENSOR_BYTES) {
        return TN_NO_BYTES;
    }
    return TN_KEEP(WIDTH, (uint64_t)bytes,
                   (uint64_t)bytes * 8 / tn_dtype_get(v->type->dtype)->bits);
}

const bool *tn_state_values(const tn_module *m, tn_arena *arena) {
    bool *is_state = TN_ARRAY(arena, bool, m->n_values);
    for (uint32_t i = 0; i < m->n_values; i++) {
        is_state[i] = (m->values[i]->flags & TN_VF_STATE) != 0;
    }
    for (uint32_t i = 0; i < m->n_bindings; i++) {
        is_state[m->bindings[i].state->id] = true;
    }
    return is_state;
}

const tn_home *tn_value_homes(const tn_module *m, tn_arena *arena) {
    const bool *is_state = tn_state_values(m, arena);
    tn_home *home = TN_ARRAY(arena, tn_home, m->n_values);
    for (uint32_t i = 0; i < m->n_values; i++) {
        const tn_value *v = m->values[i];
        bool given = v->graph == m->main && v->kind == TN_VALUE_INPUT;
        home[i] = (v->flags & TN_VF_APART)                                ? TN_HOME_APART
                  : is_state[i] || (given && !(v->flags & TN_VF_DONATED)) ? TN_HOME_IO
                  : tn_is_const(v)                                        ? TN_HOME_CONST
                                                                          : TN_HOME_ARENA;
    }
    for (uint32_t i = 0; i < m->main->n_outputs; i++) {
        const tn_value *v = m->main->outputs[i];
        bool outside = home[v->id] == TN_HOME_ARENA && !(v->flags & TN_VF_ARENA);
        home[v->id] = outside ? TN_HOME_IO : home[v->id];
    }
    return home;
}

static uint32_t find(forest *f, uint32_t v) {
    uint32_t n = 0;
    while (f->up[v] != v) {
        if (n == f->m->n_values) {
            tn_bug(f->m->ctx, "the alias edges of '%s' form a cycle", f->m->values[v]->name);
        }
        f->stack[n++] = v;
        v = f->up[v];
    }
    /* From the root's end backwards: each parent already knows its distance to the root. */
    for (uint32_t i = n; i-- > 0;) {
        uint32_t w = f->stack[i];
        if (f->up[w] != v) {
            f->shift[w] += f->shift[f->up[w]];
            f->up[w] = v;
        }
        if (f->shift[w] > MAX_SHIFT || f->shift[w] < -MAX_SHIFT) {
            tn_loc loc = tn_loc_file(f->m->file);
            tn_fail(f->m->ctx, &loc, "value '%s': alias offsets add up to more than %lld bytes",
                    f->m->values[w]->name, (long long)MAX_SHIFT);
        }
    }
    return v;
}

static forest make_forest(const tn_module *m, tn_arena *arena) {
    forest f = {.m = m,
                .up = TN_ARRAY(arena, uint32_t, m->n_values),
                .shift = TN_ARRAY(arena, int64_t, m->n_values),
                .stack = TN_ARRAY(arena, uint32_t, m->n_values)};
    for (uint32_t i = 0; i < m->n_values; i++) {
        const tn_value *v = m->values[i];
        f.up[i] = v->alias_of != NULL ? v->alias_of->id : i;
        f.shift[i] = v->alias_of != NULL ? v->alias_offset : 0;
    }
    return f;
}

typedef struct builder {
    tn_module *m;
    const tn_liveness *live;
    const tn_home *home;
    uint32_t *of;
    int64_t *low;         /* by class: lowest byte of a member, from the root */
    const int64_t *shift; /* by value: from the root */
    uint64_t *bytes;
    tn_class *classes;
    uint32_t n;
} builder;

static void count_member(builder *b, uint32_t root, uint32_t *class_of_root, uint32_t v) {
    if (class_of_root[root] == TN_NO_CLASS) {
        class_of_root[root] = b->n;
        b->low[b->n] = b->shift[v];
        b->classes[b->n++] =
            (tn_class){.root = root, .owner = v, .first = INT32_MAX, .last = INT32_MIN};
    }
    b->of[v] = class_of_root[root];
    tn_class *c = &b->classes[b->of[v]];
    const tn_live *l = &b->live->of[v];
    const tn_live *lo = &b->live->of[c->owner];
    c->n_members++;
    c->first = l->first < c->first ? l->first : c->first;
    bool extends = TN_KEEP(VIEWS, l->last > c->last, c->n_members == 1);
    c->last = extends ? l->last : c->last;
    c->flags |= b->m->values[v]->flags;
    if (b->bytes[v] > b->bytes[c->owner] ||
        (b->bytes[v] == b->bytes[c->owner] && l->first < lo->first)) {
        c->owner = v;
    }
    c->home = b->home[v] > c->home ? b->home[v] : c->home;
    if (b->shift[v] < b->low[b->of[v]]) {
        b->low[b->of[v]] = b->shift[v];
    }
}

/* What the caller has between runs lies there twice; what is a view of a constant, or lies with
 * state, is none of that. */
static void double_place(const builder *b, tn_class *c) {
    uint64_t align = b->m->double_align > 0 ? b->m->double_align : 1;
    if ((c->flags & (TN_VF_DOUBLE | TN_VF_STATE)) != TN_VF_DOUBLE || c->home != TN_HOME_IO) {
        return;
    }
    if (!tn_align_u64(c->size, align, &c->second) || !tn_add_u64(c->second, c->size, &c->size) ||
        c->size > INT64_MAX) {
        tn_loc loc = tn_loc_file(b->m->file);
        tn_fail(b->m->ctx, &loc, "two places of '%s' have more than 2^63 bytes",
                b->m->values[c->owner]->name);
    }
}

static void finish(builder *b, uint64_t *offset, uint32_t *members) {
    size_t start = 0;
    for (uint32_t i = 0; i < b->n; i++) {
        tn_class *c = &b->classes[i];
        c->members = members + start;
        start += c->n_members;
        c->n_members = 0;
        c->pinned = c->home != TN_HOME_ARENA || (c->flags & TN_VF_PERMANENT) != 0;
    }
    for (uint32_t v = 0; v < b->m->n_values; v++) {
        if (b->of[v] == TN_NO_CLASS) {
            continue;
        }
        tn_class *c = &b->classes[b->of[v]];
        members[(size_t)(c->members - members) + c->n_members++] = v;
        offset[v] = (uint64_t)(b->shift[v] - b->low[b->of[v]]);
        uint64_t end = offset[v] + b->bytes[v];
        c->size = end > c->size ? end : c->size;
    }
    for (uint32_t i = 0; i < b->n; i++) {
        double_place(b, &b->classes[i]);
    }
}

/* Constants that no step, no caller and no state takes: a program need not have them. */
static const bool *unread_constants(const tn_module *m, const tn_home *home, tn_arena *arena) {
    bool *unread = TN_ARRAY(arena, bool, m->n_values);
    for (uint32_t i = 0; i < m->n_values; i++) {
        const tn_value *v = m->values[i];
        unread[i] = home[i] == TN_HOME_CONST && v->n_uses == 0 && (v->flags & TN_VF_OUTPUT) == 0;
    }
    for (uint32_t i = 0; i < m->n_bindings; i++) {
        unread[m->bindings[i].value->id] = false;
    }
    for (uint32_t i = 0; i < m->n_assignments; i++) {
        unread[m->assignments[i].value->id] = false;
    }
    return unread;
}

static const void *compute(tn_analyses *an, tn_module *m, tn_arena *arena) {
    uint32_t n = m->n_values;
    forest f = make_forest(m, arena);
    uint32_t *class_of_root = TN_ARRAY(arena, uint32_t, n);
    builder b = {.m = m,
                 .live = tn_get_liveness(an),
                 .home = tn_value_homes(m, arena),
                 .of = TN_ARRAY(arena, uint32_t, n),
                 .low = TN_ARRAY(arena, int64_t, n),
                 .shift = f.shift,
                 .bytes = TN_ARRAY(arena, uint64_t, n),
                 .classes = TN_ARRAY(arena, tn_class, n)};
    for (uint32_t v = 0; v < n; v++) {
        class_of_root[v] = b.of[v] = TN_NO_CLASS;
        b.bytes[v] = tn_value_bytes(m, m->values[v]);
    }
    const bool *unread = unread_constants(m, b.home, arena);
    for (uint32_t v = 0; v < n; v++) {
        if (b.bytes[v] != TN_NO_BYTES && b.live->of[v].scheduled && !unread[v]) {
            count_member(&b, find(&f, v), class_of_root, v);
        }
    }
    uint64_t *offset = TN_ARRAY(arena, uint64_t, n);
    finish(&b, offset, TN_ARRAY(arena, uint32_t, n));
    tn_storages *s = TN_NEW(arena, tn_storages);
    *s = (tn_storages){.classes = b.classes,
                       .n = b.n,
                       .of = b.of,
                       .offset = offset,
                       .bytes = b.bytes,
                       .unread = unread};
    return s;
}

const tn_analysis_info tn_analysis_storages = {
    .name = "storages",
    .summary = "alias classes with their sizes, live ranges and homes",
    .depends = TN_FACETS_OF_READS | 1u << TN_FACET_FLAGS | 1u << TN_FACET_ALIAS,
    .compute = compute,
};

const tn_storages *tn_get_storages(tn_analyses *an) {
    return tn_analysis_get(an, &tn_analysis_storages);
}
