#include "passes/plan/arena_layout.h"

#include <string.h>

#include "ir/base/xmath.h"
#include "passes/core/rules.h"
#include "passes/plan/conflicts.h"
#include "passes/plan/layout_memory.h"

#define NO_SLOT UINT32_MAX

/* Steps of fits that take the time of a node of search. */
enum { STEPS_PER_NODE = 20 };

typedef struct work {
    tn_module *m;
    const tn_storages *s;
    const tn_layout_ask *ask;
    tn_arena *arena;
    int64_t end;        /* one behind the last step at which something can live */
    bool *in_arena;     /* by class */
    uint32_t *class_of; /* by buffer */
    tn_pack_buffer *buffers;
    tn_sink text;    /* of one group */
    uint32_t *group; /* by buffer: equal for classes that may share at level 0 */
    uint32_t n;
    int64_t peak;
    const tn_conflict
        *conflicts; /* where steps run side by side, else NULL and live ranges count */
    size_t n_conflicts;
    uint64_t nodes; /* that exact search may spend; 0: the default of the effort */
} work;

static uint64_t round_up(work *w, uint64_t size) {
    uint64_t out = 0;
    if (!tn_align_u64(size, w->ask->align, &out) || out > INT64_MAX) {
        tn_loc loc = tn_loc_file(w->m->file);
        tn_fail(w->m->ctx, &loc, "sizes add up to more than 2^63 bytes");
    }
    return out;
}

static uint64_t add(work *w, uint64_t a, uint64_t b) {
    uint64_t sum;
    if (!tn_add_u64(a, b, &sum) || sum > INT64_MAX) {
        tn_loc loc = tn_loc_file(w->m->file);
        tn_fail(w->m->ctx, &loc, "sizes add up to more than 2^63 bytes");
    }
    return sum;
}

/* Level 0 asks for the same element type and identical shape; the class must also be as large as
 * its owner alone, or of the same larger size. The type's text says all of that. */
static uint32_t group_of(work *w, tn_map *groups, const tn_class *c) {
    w->text.len = 0;
    tn_type_print(w->m->dims, w->m->values[c->owner]->type, &w->text);
    tn_put_c(&w->text, ' ');
    tn_put_u64(&w->text, c->size);
    uint64_t key = tn_str_id(tn_intern(w->m->ctx, w->text.data)), group;
    if (!tn_map_get(groups, key, &group)) {
        group = groups->len;
        tn_map_put(groups, key, group);
    }
    return (uint32_t)group;
}

static bool is_part(const work *w, uint32_t class_) {
    return w->ask->part == NULL || w->ask->part[class_] == w->ask->in_part;
}

/* Sizes are rounded up to the alignment: offsets are multiples of it, so the bytes behind a size
 * that is not are nobody's, and bounds become exact. */
static void add_buffers(work *w) {
    tn_map groups = tn_map_make(w->arena);
    w->text = tn_sink_make(w->arena);
    for (uint32_t i = 0; i < w->s->n; i++) {
        const tn_class *c = &w->s->classes[i];
        bool in_arena = c->home == TN_HOME_ARENA || (w->ask->io_in_arena && c->home == TN_HOME_IO);
        w->in_arena[i] = in_arena && is_part(w, i);
        if (!w->in_arena[i]) {
            continue;
        }
        uint64_t size = TN_KEEP(UNREAD, c->size, c->first < c->last ? c->size : 0);
        w->class_of[w->n] = i;
        w->group[w->n] = group_of(w, &groups, c);
        w->buffers[w->n++] = (tn_pack_buffer){.first = c->pinned ? -1 : c->first,
                                              .last = c->pinned ? w->end : c->last + 1,
                                              .size = round_up(w, size),
                                              .align = w->ask->align,
                                              .fixed = TN_PACK_FREE};
    }
}

/* Every value its own bytes, as if nothing were an alias of anything. */
static uint64_t naive_bytes(work *w) {
    const tn_home *home = tn_value_homes(w->m, w->arena);
    uint64_t sum = 0;
    for (uint32_t v = 0; v < w->m->n_values; v++) {
        uint32_t c = w->s->of[v];
        if (c != TN_NO_CLASS &&
            tn_counts_in_arena(w->m->values[v], home[v], &w->s->classes[c], w->ask->io_in_arena)) {
            sum = add(w, sum, round_up(w, w->s->bytes[v]));
            sum = add(w, sum, w->s->classes[w->s->of[v]].second);
        }
    }
    return sum;
}

static tn_packing pack_none(work *w) {
    tn_packing p = {.offset = TN_ARRAY(w->arena, uint64_t, w->n), .algorithm = "none"};
    for (uint32_t i = 0; i < w->n; i++) {
        p.offset[i] = round_up(w, p.size);
        p.size = add(w, p.offset[i], w->buffers[i].size);
    }
    return p;
}

static tn_status refuse(work *w, tn_status status) {
    tn_loc loc = tn_loc_file(w->m->file);
    if (status == TN_USAGE) {
        bool slots = w->ask->slots, graph = w->ask->precedence != NULL;
        const char *const *names = graph   ? tn_graph_algorithms
                                   : slots ? tn_slot_algorithms
                                           : tn_pack_algorithms;
        size_t n = 0;
        while (names[n] != NULL) {
            n++;
        }
        const char *near = tn_nearest(w->ask->algorithm, names, n);
        return tn_usage(w->m->ctx, &loc, "no algorithm '%s' for %s%s%s%s", w->ask->algorithm,
                        graph   ? "steps side by side"
                        : slots ? "slots"
                                : "offsets",
                        near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                        near != NULL ? "'?" : "");
    }
    tn_error(w->m->ctx, &loc, "sizes add up to more than 2^63 bytes");
    return TN_ERROR;
}

/* Objects one behind the other, so that they have offsets too. */
static tn_status pack_objects(work *w, const uint32_t *group, const char *algorithm,
                              tn_packing *out) {
    tn_pack_options o = {.effort = w->ask->effort,
                         .algorithm = algorithm,
                         .capacity = group == NULL ? w->ask->capacity : 0};
    tn_slots_result r;
    tn_status status = w->ask->precedence != NULL
                           ? tn_pack_graph_slots(w->arena, w->buffers, group, w->n, w->conflicts,
                                                 w->n_conflicts, &o, &r)
                           : tn_pack_slots(w->arena, w->buffers, group, w->n, &o, &r);
    if (status != TN_OK && status != TN_NOFIT) {
        return refuse(w, status);
    }
    *out = (tn_packing){.offset = TN_ARRAY(w->arena, uint64_t, w->n),
                        .slot = r.object,
                        .slot_offset = TN_ARRAY(w->arena, uint64_t, r.n_objects),
                        .slot_size = r.sizes,
                        .n_slots = r.n_objects,
                        .bound = r.bound,
                        .algorithm = r.algorithm};
    for (uint32_t i = 0; i < r.n_objects; i++) {
        out->slot_offset[i] = round_up(w, out->size);
        out->size = add(w, out->slot_offset[i], r.sizes[i]);
    }
    for (uint32_t i = 0; i < w->n; i++) {
        out->offset[i] = out->slot_offset[r.object[i]];
    }
    return TN_OK;
}

static tn_status pack_offsets(work *w, const char *algorithm, tn_packing *out) {
    tn_pack_options o = {.effort = w->ask->effort,
                         .algorithm = algorithm,
                         .budget = w->nodes,
                         .work = STEPS_PER_NODE * w->ask->nodes,
                         .capacity = w->ask->slots ? 0 : w->ask->capacity};
    tn_pack_result r;
    tn_status status =
        w->ask->precedence != NULL
            ? tn_pack_graph(w->arena, w->buffers, w->n, w->conflicts, w->n_conflicts, &o, &r)
            : tn_pack(w->arena, w->buffers, w->n, &o, &r);
    if (status != TN_OK && status != TN_NOFIT) {
        return refuse(w, status);
    }
    *out = (tn_packing){.offset = r.offsets,
                        .size = r.height,
                        .bound = r.bound,
                        .nodes = r.nodes,
                        .algorithm = r.algorithm};
    w->peak = r.bound_time;
    if (w->ask->precedence != NULL) { /* what is alive at one step conflicts too */
        uint64_t alive = tn_pack_max_live(w->arena, w->buffers, w->n, &w->peak);
        out->bound = alive > r.bound ? alive : r.bound;
    }
    return TN_OK;
}

/* The lowest of the layouts a level may use; earlier ones win ties. */
static const tn_packing *lowest(const tn_packing *a, const tn_packing *b) {
    return b->size < a->size ? b : a;
}

static void store(work *w, const tn_packing *p, tn_layout *out) {
    uint64_t *offset = TN_ARRAY(w->arena, uint64_t, w->s->n);
    uint32_t *slot = TN_ARRAY(w->arena, uint32_t, w->s->n);
    memset(slot, 0xff, w->s->n * sizeof *slot);
    for (uint32_t i = 0; i < w->n; i++) {
        offset[w->class_of[i]] = p->offset[i];
        slot[w->class_of[i]] = p->slot != NULL ? p->slot[i] : NO_SLOT;
    }
    out->in_arena = w->in_arena;
    out->offset = offset;
    out->size = p->size;
    out->algorithm = p->algorithm;
    if (w->ask->slots && p->slot != NULL) {
        out->slot = slot;
        out->slot_offset = p->slot_offset;
        out->slot_size = p->slot_size;
        out->n_slots = p->n_slots;
    }
}

/* Each class an object of its own: what level none means in the slots model. */
static tn_packing own_objects(work *w, const tn_packing *none) {
    tn_packing p = *none;
    p.slot = TN_ARRAY(w->arena, uint32_t, w->n);
    p.slot_offset = p.offset;
    p.slot_size = TN_ARRAY(w->arena, uint64_t, w->n);
    p.n_slots = w->n;
    for (uint32_t i = 0; i < w->n; i++) {
        p.slot[i] = i;
        p.slot_size[i] = w->buffers[i].size;
    }
    return p;
}

static tn_status pack_level0(work *w, tn_packing *out) {
    bool named = w->ask->slots && w->ask->algorithm != NULL && w->ask->level == TN_LEVEL_0;
    return pack_objects(w, w->group, named ? w->ask->algorithm : NULL, out);
}

static tn_status pack_levels(work *w, tn_packing_answer *out) {
    const tn_layout_ask *ask = w->ask;
    tn_packing none = pack_none(w), level0 = {0}, best, offsets = {0};
    tn_status status = pack_level0(w, &level0);
    if (status == TN_OK) {
        status = pack_offsets(w, ask->slots ? NULL : ask->algorithm, &offsets);
    }
    best = offsets;
    if (status == TN_OK && ask->slots) {
        status = pack_objects(w, NULL, ask->algorithm, &best);
        none = own_objects(w, &none);
    }
    if (status != TN_OK) {
        return status;
    }
    const tn_packing *l0 = lowest(&level0, &none), *l1 = lowest(&best, l0);
    bool by_objects = ask->slots && ask->level == TN_LEVEL_1 && best.bound > offsets.bound;
    out->bound = by_objects ? best.bound : offsets.bound;
    out->nodes = offsets.nodes;
    out->level0 = l0->size;
    out->level1 = l1->size;
    out->peak = w->peak;
    out->chosen = ask->level == TN_LEVEL_1 ? *l1 : ask->level == TN_LEVEL_0 ? *l0 : none;
    return TN_OK;
}

static tn_status lay_out(work *w, tn_layout *out) {
    tn_packing_question q = {w->ask, w->buffers, w->group, w->n};
    const tn_packing_answer *known = tn_layout_recall(w->ask->memory, &q);
    tn_packing_answer made;
    if (known == NULL) {
        bool limited = w->ask->nodes == 0 && w->ask->capacity == 0;
        w->nodes = limited ? tn_layout_search_nodes(w->ask->memory, &q) : w->ask->nodes;
        tn_status status = pack_levels(w, &made);
        if (status != TN_OK) {
            return status;
        }
        tn_layout_remember(w->ask->memory, &q, &made);
        known = &made;
    }
    out->bound = known->bound;
    out->nodes = known->nodes;
    out->level0 = known->level0;
    out->level1 = known->level1;
    out->naive = naive_bytes(w);
    out->peak_step = known->peak;
    out->buffers = w->buffers;
    out->class_of = w->class_of;
    out->n_buffers = w->n;
    out->conflicts = w->conflicts;
    out->n_conflicts = w->n_conflicts;
    out->n_classes = w->s->n;
    store(w, &known->chosen, out);
    return TN_OK;
}

static work gather(tn_module *m, const tn_storages *s, uint32_t n_steps, const tn_layout_ask *ask,
                   tn_arena *arena) {
    work w = {.m = m,
              .s = s,
              .ask = ask,
              .arena = arena,
              .end = (int64_t)n_steps + 1,
              .in_arena = TN_ARRAY(arena, bool, s->n),
              .class_of = TN_ARRAY(arena, uint32_t, s->n),
              .buffers = TN_ARRAY(arena, tn_pack_buffer, s->n),
              .group = TN_ARRAY(arena, uint32_t, s->n),
              .peak = -1};
    add_buffers(&w);
    if (ask->precedence != NULL) {
        const tn_class_order *order = tn_class_order_make(arena, ask->precedence, ask->live, s);
        w.conflicts = tn_conflicts_find(arena, order, w.class_of, w.n, &w.n_conflicts);
    }
    return w;
}

tn_status tn_layout_make(tn_module *m, const tn_storages *s, uint32_t n_steps,
                         const tn_layout_ask *ask, tn_arena *arena, tn_layout *out) {
    work w = gather(m, s, n_steps, ask, arena);
    memset(out, 0, sizeof *out);
    return lay_out(&w, out);
}
