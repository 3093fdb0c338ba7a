#include "passes/order/order_memory.h"

#include <string.h>

#include "ir/base/map.h"
#include "ir/base/sha256.h"

/* Ops of all orders together: a megabyte. What comes later is not remembered. */
enum { ROOM = 1 << 18 };

typedef struct known {
    uint8_t question[TN_SHA256_BYTES];
    tn_sched_result answer;
    uint32_t next; /* of the same first bytes, + 1 */
} known;

struct tn_order_memory {
    tn_arena *arena;
    tn_map by_question; /* first bytes: the latest of these, + 1 */
    TN_VEC(known) all;
    uint32_t room;
};

tn_order_memory *tn_order_memory_new(tn_arena *arena) {
    tn_order_memory *memory = TN_NEW(arena, tn_order_memory);
    memory->arena = arena;
    memory->by_question = tn_map_make(arena);
    memory->room = ROOM;
    return memory;
}

static void add_rows(tn_sha256 *sha, const tn_edge_rows *rows, uint32_t n) {
    tn_sha256_add(sha, rows->start, (n + (size_t)1) * sizeof *rows->start);
    tn_sha256_add(sha, rows->item, rows->start[n] * sizeof *rows->item);
}

static void ask_of(const tn_sched *p, const uint32_t *given, const tn_sched_options *o,
                   uint8_t question[TN_SHA256_BYTES]) {
    tn_sha256 sha = tn_sha256_start();
    const uint64_t facts[] = {p->n, p->m, p->base,
#define BUDGET(name, quick, thorough) o->name,
#include "passes/order/order_budgets.def"
#undef BUDGET
                              o->without, o->bound};
    tn_sha256_add(&sha, facts, sizeof facts);
    for (uint32_t t = 0; t < p->m; t++) {
        const tn_sched_tensor *x = &p->tensor[t];
        const uint64_t of[] = {x->size, x->head, x->at_start, x->to_end};
        tn_sha256_add(&sha, of, sizeof of);
    }
    tn_sha256_add(&sha, given, p->n * sizeof *given);
    tn_sha256_add(&sha, p->workspace, p->n * sizeof *p->workspace);
    add_rows(&sha, &p->touched, p->n);
    add_rows(&sha, &p->touching, p->m);
    add_rows(&sha, &p->succ, p->n);
    add_rows(&sha, &p->pred, p->n);
    add_rows(&sha, &p->inplace_of, p->n);
    tn_sha256_add(&sha, p->inplace, p->inplace_of.start[p->n] * sizeof *p->inplace);
    tn_sha256_end(&sha, question);
}

tn_sched_result tn_order_remembered(tn_order_memory *memory, tn_arena *arena, const tn_sched *p,
                                    const uint32_t *given, const tn_sched_options *o) {
    if (memory == NULL) {
        return tn_sched_min_peak(arena, p, given, o);
    }
    known asked = {.next = 0};
    uint64_t first;
    ask_of(p, given, o, asked.question);
    memcpy(&first, asked.question, sizeof first);
    uint64_t latest = tn_map_or(&memory->by_question, first, 0);
    for (uint64_t i = latest; i > 0; i = memory->all.data[i - 1].next) {
        const known *k = &memory->all.data[i - 1];
        if (memcmp(k->question, asked.question, sizeof k->question) == 0) {
            tn_sched_result r = k->answer;
            r.order = tn_arena_regrow(arena, r.order, p->n, p->n, sizeof *r.order);
            return r;
        }
    }
    tn_sched_result r = tn_sched_min_peak(arena, p, given, o);
    if (p->n <= memory->room) {
        memory->room -= p->n;
        asked.answer = r;
        asked.answer.order = tn_arena_regrow(memory->arena, r.order, p->n, p->n, sizeof *r.order);
        asked.next = (uint32_t)latest;
        tn_vec_push(memory->arena, &memory->all, asked);
        tn_map_put(&memory->by_question, first, memory->all.len);
    }
    return r;
}
