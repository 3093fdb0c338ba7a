#include "passes/plan/layout_memory.h"

#include <string.h>

#include "ir/base/map.h"

/* Buffers of all questions together: some megabytes. What comes later is not remembered. */
enum { ROOM = 1 << 16 };
/* As many buffers are searched with all nodes of the effort, more with fewer in proportion: a node
 * for the 900 buffers of a GRU of two layers in training takes 20 times as long as one for 30.
 * Beyond LARGE they are fewer in proportion to its square: the 2,067 of a DenseNet in training took
 * more than a minute. Each search without a proof leaves one node in LATER to the next. Of open
 * dimensions the search for a relation comes behind it: one node in OPEN is enough (a Funnel
 * Transformer took 7 seconds, and takes 2). With overlaps even a dozen buffers can use up any
 * number of nodes: at effort 1 they get one node in QUICK of what effort 2 has. */
enum { COMMON = 200, LARGE = 500, LATER = 4, OPEN = 16, QUICK = 16 };

/* Of whole buffers, with overlaps, and of either, where effort 1 searches since they are few. */
typedef enum search_kind { WHOLE, OVERLAPS, FEW, N_KINDS } search_kind;

typedef struct known {
    tn_packing_question question;
    tn_packing_answer answer;
    const struct known *next; /* of the same hash */
} known;

struct tn_layout_memory {
    tn_arena *arena;
    tn_map by_hash;
    TN_VEC(const known *) all;
    uint32_t room;
    uint32_t n_unproven[N_KINDS]; /* searches without a proof */
    uint64_t left;                /* nodes for searches to come, of COMMON buffers; 0: no limit */
};

static search_kind kind_of(const tn_packing_question *q) {
    bool few = q->ask->effort == 1 && tn_pack_is_few(q->n);
    return few ? FEW : q->group == NULL ? OVERLAPS : WHOLE;
}

/* Few buffers are searched with the nodes of effort 2 from effort 1 on (passes/pack/pack.c). */
static uint32_t search_effort(const tn_packing_question *q) {
    return kind_of(q) == FEW ? 2 : q->ask->effort;
}

tn_layout_memory *tn_layout_memory_new(tn_arena *arena) {
    tn_layout_memory *memory = TN_NEW(arena, tn_layout_memory);
    memory->arena = arena;
    memory->by_hash = tn_map_make(arena);
    memory->room = ROOM;
    return memory;
}

void tn_layout_memory_limit(tn_layout_memory *memory, uint64_t nodes) {
    memory->left = nodes;
}

/* What nodes of a search among n buffers cost, in nodes of one among COMMON; and how many of a
 * search among n buffers cost that. */
static uint64_t in_common(uint64_t nodes, uint32_t n) {
    return n > COMMON ? nodes / COMMON * n : nodes;
}

static uint64_t of_common(uint64_t nodes, uint32_t n) {
    return n > COMMON ? nodes / n * COMMON : nodes;
}

static uint64_t hash_of(const tn_packing_question *q) {
    uint64_t h = tn_mix(q->n);
    for (uint32_t i = 0; i < q->n; i++) {
        const tn_pack_buffer *b = &q->buffers[i];
        uint64_t facts[] = {(uint64_t)b->first, (uint64_t)b->last, b->size, b->n_gaps,
                            q->group != NULL ? q->group[i] : 0};
        h = tn_hash(facts, sizeof facts, h);
    }
    return h;
}

static bool same_ask(const tn_layout_ask *a, const tn_layout_ask *b) {
    return a->level == b->level && a->slots == b->slots && a->effort == b->effort &&
           a->algorithm == b->algorithm && a->align == b->align && a->capacity == b->capacity &&
           a->nodes == b->nodes && a->open == b->open;
}

static bool same_gaps(const tn_pack_buffer *a, const tn_pack_buffer *b) {
    bool same = a->n_gaps == b->n_gaps;
    for (uint32_t i = 0; same && i < a->n_gaps; i++) {
        const tn_pack_gap *g = &a->gaps[i], *h = &b->gaps[i];
        same = g->first == h->first && g->last == h->last && g->lo == h->lo && g->hi == h->hi;
    }
    return same;
}

static bool same_buffer(const tn_pack_buffer *a, const tn_pack_buffer *b) {
    return a->first == b->first && a->last == b->last && a->size == b->size &&
           a->align == b->align && a->fixed == b->fixed && same_gaps(a, b);
}

static bool same_question(const tn_packing_question *a, const tn_packing_question *b) {
    bool whole = a->group != NULL;
    if (a->n != b->n || whole != (b->group != NULL) || !same_ask(a->ask, b->ask)) {
        return false;
    }
    for (uint32_t i = 0; i < a->n; i++) {
        if ((whole && a->group[i] != b->group[i]) || !same_buffer(&a->buffers[i], &b->buffers[i])) {
            return false;
        }
    }
    return true;
}

static const known *first_of(const tn_layout_memory *memory, uint64_t hash) {
    uint64_t at;
    return tn_map_get(&memory->by_hash, hash, &at) ? memory->all.data[at] : NULL;
}

const tn_packing_answer *tn_layout_recall(const tn_layout_memory *memory,
                                          const tn_packing_question *q) {
    const known *k = memory != NULL ? first_of(memory, hash_of(q)) : NULL;
    while (k != NULL && !same_question(&k->question, q)) {
        k = k->next;
    }
    return k != NULL ? &k->answer : NULL;
}

/* NULL stays NULL. */
static void *copy(tn_arena *arena, const void *from, uint32_t n, size_t size) {
    return from != NULL ? tn_arena_regrow(arena, from, n, n, size) : NULL;
}

static tn_pack_buffer *copy_buffers(tn_arena *arena, const tn_packing_question *q) {
    tn_pack_buffer *out = copy(arena, q->buffers, q->n, sizeof *out);
    for (uint32_t i = 0; i < q->n; i++) {
        out[i].gaps = copy(arena, out[i].gaps, out[i].n_gaps, sizeof *out[i].gaps);
    }
    return out;
}

static tn_packing copy_packing(tn_arena *arena, const tn_packing *p, uint32_t n) {
    tn_packing out = *p;
    out.offset = copy(arena, p->offset, n, sizeof *p->offset);
    out.slot = copy(arena, p->slot, n, sizeof *p->slot);
    out.slot_offset = copy(arena, p->slot_offset, p->n_slots, sizeof *p->slot_offset);
    out.slot_size = copy(arena, p->slot_size, p->n_slots, sizeof *p->slot_size);
    return out;
}

void tn_layout_remember(tn_layout_memory *memory, const tn_packing_question *q,
                        const tn_packing_answer *answer) {
    if (memory == NULL) {
        return;
    }
    bool searched = search_effort(q) > 1 && answer->nodes > tn_pack_nodes(1);
    memory->n_unproven[kind_of(q)] += searched && answer->level1 > answer->bound;
    if (memory->left > 0 && searched) {
        uint64_t spent = in_common(answer->nodes, q->n);
        memory->left = spent < memory->left ? memory->left - spent : 1;
    }
    if (q->n > memory->room) {
        return;
    }
    tn_arena *arena = memory->arena;
    uint64_t hash = hash_of(q);
    known *k = TN_NEW(arena, known);
    k->question = *q;
    k->question.ask = copy(arena, q->ask, 1, sizeof *q->ask);
    k->question.buffers = copy_buffers(arena, q);
    k->question.group = copy(arena, q->group, q->n, sizeof *q->group);
    k->answer = *answer;
    k->answer.chosen = copy_packing(arena, &answer->chosen, q->n);
    k->next = first_of(memory, hash);
    tn_vec_push(arena, &memory->all, (const known *)k);
    tn_map_put(&memory->by_hash, hash, memory->all.len - 1);
    memory->room -= q->n;
}

uint64_t tn_layout_search_nodes(const tn_layout_memory *memory, const tn_packing_question *q) {
    const tn_layout_ask *ask = q->ask;
    uint32_t effort = search_effort(q);
    if (memory == NULL || effort < 2 || ask->nodes != 0) {
        return 0;
    }
    uint64_t nodes = of_common(tn_pack_nodes(effort), q->n);
    uint64_t least = tn_pack_nodes(1);
    nodes /= ask->open ? OPEN : 1;
    nodes /= kind_of(q) == FEW && q->group == NULL ? QUICK : 1;
    if (q->n > LARGE) {
        nodes = nodes * LARGE / q->n * LARGE / q->n;
        least = least * LARGE / q->n;
    }
    for (uint32_t i = 0; i < memory->n_unproven[kind_of(q)] && nodes > least; i++) {
        nodes /= LATER;
    }
    if (memory->left > 0) {
        uint64_t most = of_common(memory->left / 2, q->n);
        nodes = nodes < most ? nodes : most;
    }
    return nodes > least ? nodes : least;
}
