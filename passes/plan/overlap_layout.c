/* Bounds are those of the packer: at a step with a pair the larger of the result, and the distance
 * and the operand, beside all others. */
#include "passes/plan/overlap_layout.h"

#include <string.h>

#include "passes/plan/layout_memory.h"
#include "passes/plan/overlap_times.h"

/* Overlaps of which it is asked, one by one, whether the arena could do without, and the nodes that
 * packing may search for each. */
enum { MOST_DROPPED = 48, DROP_NODES = 20000 };

typedef struct trial {
    const tn_layout_ask *ask;
    const tn_overlap_pairs *pairs;
    tn_arena *arena;
    tn_layout *layout;
    uint32_t *buffer_of; /* by class */
    bool *allowed;       /* by pair */
    uint32_t n_allowed;
    bool *rides; /* by buffer: of one step, and in no pair, as workspace is */
    uint32_t n_riders;
    tn_pack_result best;
} trial;

static tn_pack_buffer *buffers_of(trial *t) {
    const tn_layout *l = t->layout;
    tn_pack_buffer *out = TN_ARRAY(t->arena, tn_pack_buffer, l->n_buffers);
    memcpy(out, l->buffers, l->n_buffers * sizeof *out);
    tn_overlap_times(t->arena, t->pairs, t->allowed, t->buffer_of, t->ask->align, out,
                     l->n_buffers);
    return out;
}

static void find_riders(trial *t) {
    const tn_layout *l = t->layout;
    t->rides = TN_ARRAY(t->arena, bool, l->n_buffers);
    for (uint32_t i = 0; i < l->n_buffers; i++) {
        t->rides[i] = l->buffers[i].last - l->buffers[i].first == 1;
    }
    for (uint32_t i = 0; i < t->pairs->n; i++) {
        t->rides[t->buffer_of[t->pairs->at[i].under]] = false;
        t->rides[t->buffer_of[t->pairs->at[i].over]] = false;
    }
    for (uint32_t i = 0; i < l->n_buffers; i++) {
        t->n_riders += t->rides[i];
    }
}

/* As tn_pack, of which the height, the bound and its time, the offsets and the algorithm are
 * wanted; what was asked before in this run is answered from memory. */
static tn_status pack(const trial *t, const tn_pack_buffer *buffers, uint32_t n,
                      const tn_pack_options *o, tn_pack_result *r) {
    tn_layout_memory *memory = t->ask->memory;
    tn_layout_ask ask = {.level = TN_LEVEL_1,
                         .effort = o->effort,
                         .algorithm = o->algorithm,
                         .capacity = o->capacity,
                         .nodes = o->budget};
    tn_packing_question q = {&ask, buffers, NULL, n};
    const tn_packing_answer *known = tn_layout_recall(memory, &q);
    if (known != NULL) {
        const tn_packing *p = &known->chosen;
        *r = (tn_pack_result){.offsets = p->offset,
                              .height = p->size,
                              .bound = p->bound,
                              .bound_time = known->peak,
                              .algorithm = p->algorithm};
        return TN_OK;
    }
    tn_pack_options limited = *o;
    limited.budget = o->budget != 0 ? o->budget : tn_layout_search_nodes(memory, &q);
    tn_status status = tn_pack(t->arena, buffers, n, &limited, r);
    status = status == TN_NOFIT ? TN_OK : status;
    if (status == TN_OK) {
        tn_packing_answer made = {.chosen = {.offset = r->offsets,
                                             .size = r->height,
                                             .bound = r->bound,
                                             .algorithm = r->algorithm},
                                  .bound = r->bound,
                                  .nodes = r->nodes,
                                  .level1 = r->height,
                                  .peak = r->bound_time};
        tn_layout_remember(memory, &q, &made);
    }
    return status;
}

/* Chains of overlaps are found by search alone, which many small buffers lead astray: those that
 * live for one step come last here, round the others. Taken where that is lower. */
static void pack_riders_last(trial *t, tn_pack_buffer *buffers, const tn_pack_options *o,
                             tn_pack_result *r) {
    uint32_t n = t->layout->n_buffers, k = 0;
    tn_pack_buffer *others = TN_ARRAY(t->arena, tn_pack_buffer, n);
    tn_pack_result first, all;
    for (uint32_t i = 0; i < n; i++) {
        if (!t->rides[i]) {
            others[k++] = buffers[i];
        }
    }
    tn_status status = pack(t, others, k, o, &first);
    if (status == TN_OK) {
        for (uint32_t i = 0, at = 0; i < n; i++) {
            buffers[i].fixed = t->rides[i] ? buffers[i].fixed : first.offsets[at++];
        }
        status = pack(t, buffers, n, o, &all);
        if (status == TN_OK && all.height < r->height) {
            r->offsets = all.offsets;
            r->height = all.height;
            r->algorithm = first.algorithm;
        }
    }
}

/* Packs with the pairs that are allowed; kept where that is no higher than `limit`. */
static tn_status try_pairs(trial *t, uint64_t limit, uint64_t nodes, bool *kept) {
    tn_pack_options o = {.effort = t->ask->effort, .algorithm = t->ask->algorithm};
    tn_pack_result r;
    if (nodes > 0) {
        o.budget = nodes;
        o.capacity = limit;
        o.effort = o.effort > 1 ? 1 : o.effort;
    }
    tn_pack_buffer *buffers = buffers_of(t);
    tn_status status = pack(t, buffers, t->layout->n_buffers, &o, &r);
    if (status == TN_OK && t->n_riders > 0 && r.height > r.bound) {
        pack_riders_last(t, buffers, &o, &r);
    }
    *kept = status == TN_OK && r.height <= limit;
    if (*kept) {
        t->best = r;
    }
    t->layout->bound =
        status == TN_OK && nodes == 0 && r.bound < t->layout->bound ? r.bound : t->layout->bound;
    return status;
}

/* Whether the result begins inside the operand, as laid out. */
static bool overlaps(const trial *t, const tn_overlap_pair *p) {
    uint32_t under = t->buffer_of[p->under], over = t->buffer_of[p->over];
    uint64_t lo = t->best.offsets[under], at = t->best.offsets[over];
    return lo < at + t->layout->buffers[over].size && at < lo + t->layout->buffers[under].size;
}

/* Pairs that share no byte ask nothing of their kernels. */
static void leave_unused(trial *t) {
    for (uint32_t i = 0; i < t->pairs->n; i++) {
        if (t->allowed[i] && !overlaps(t, &t->pairs->at[i])) {
            t->allowed[i] = false;
            t->n_allowed--;
        }
    }
}

static tn_status drop_needless(trial *t) {
    tn_status status = TN_OK;
    uint32_t tried = 0;
    for (uint32_t i = 0; i < t->pairs->n && tried < MOST_DROPPED && status == TN_OK; i++) {
        if (!t->allowed[i]) {
            continue;
        }
        bool kept;
        tried++;
        t->allowed[i] = false;
        status = try_pairs(t, t->best.height, DROP_NODES, &kept);
        t->allowed[i] = !kept;
        if (kept) {
            t->n_allowed--;
            leave_unused(t);
        }
    }
    return status;
}

static void store(trial *t) {
    tn_layout *l = t->layout;
    uint64_t *offset = TN_ARRAY(t->arena, uint64_t, t->pairs->n == 0 ? 0 : l->n_classes);
    memcpy(offset, l->offset, l->n_classes * sizeof *offset);
    for (uint32_t i = 0; i < l->n_buffers; i++) {
        offset[l->class_of[i]] = t->best.offsets[i];
    }
    tn_overlap_pair *used = TN_ARRAY(t->arena, tn_overlap_pair, t->n_allowed);
    for (uint32_t i = 0; i < t->pairs->n; i++) {
        if (t->allowed[i]) {
            used[l->n_overlaps++] = t->pairs->at[i];
        }
    }
    l->overlaps = used;
    l->offset = offset;
    l->size = l->level1 = t->best.height;
    l->algorithm = t->best.algorithm;
    l->peak_step = tn_overlap_step(t->best.bound_time);
}

/* The packing that is known, where it is lower than the layout. */
static bool begin_with(trial *t, const tn_overlap_start *start) {
    const tn_layout *l = t->layout;
    if (start == NULL || start->height >= l->size) {
        return false;
    }
    t->best = (tn_pack_result){.offsets = TN_ARRAY(t->arena, uint64_t, l->n_buffers),
                               .height = start->height,
                               .algorithm = l->algorithm,
                               .bound_time = -1};
    for (uint32_t i = 0; i < l->n_buffers; i++) {
        t->best.offsets[i] = start->offset[l->class_of[i]];
    }
    return true;
}

tn_status tn_overlap_layout(tn_ctx *ctx, const tn_layout_ask *ask, const tn_overlap_pairs *pairs,
                            const tn_overlap_start *start, tn_arena *arena, tn_layout *layout) {
    trial t = {.ask = ask,
               .pairs = pairs,
               .arena = arena,
               .layout = layout,
               .buffer_of = TN_ARRAY(arena, uint32_t, layout->n_classes),
               .allowed = TN_ARRAY(arena, bool, pairs->n),
               .n_allowed = pairs->n};
    if (pairs->n == 0) {
        return TN_OK;
    }
    memset(t.buffer_of, 0xff, layout->n_classes * sizeof *t.buffer_of);
    for (uint32_t i = 0; i < layout->n_buffers; i++) {
        t.buffer_of[layout->class_of[i]] = i;
    }
    memset(t.allowed, 1, pairs->n * sizeof *t.allowed);
    find_riders(&t);
    bool known = begin_with(&t, start), lower = false;
    uint64_t size = known ? start->height : layout->size;
    tn_status status = try_pairs(&t, size - 1, 0, &lower);
    if (status == TN_OK && (known || lower)) {
        leave_unused(&t);
        status = ask->brief ? TN_OK : drop_needless(&t);
        store(&t);
    }
    if (status != TN_OK) {
        tn_error(ctx, NULL, "sizes add up to more than 2^63 bytes");
    }
    return status;
}
