#include "passes/order/reached.h"

#include <string.h>

#include "ir/base/bits.h"
#include "ir/base/map.h"

tn_reach tn_reach_make(tn_arena *arena, const tn_sched *p) {
    tn_reach r = {.arena = arena,
                  .p = p,
                  .words = tn_bit_words(p->n),
                  .table_size = 256,
                  .op_hash = TN_ARRAY(arena, uint64_t, p->n),
                  .w = tn_op_state_make(arena, p)};
    r.table = TN_ARRAY(arena, tn_reach_slot, r.table_size);
    r.now = TN_ARRAY(arena, uint64_t, r.words);
    r.ready = TN_ARRAY(arena, uint64_t, r.words);
    for (uint32_t v = 0; v < p->n; v++) {
        r.op_hash[v] = tn_hash(&v, sizeof v, 0);
        if (r.w.waits[v] == 0) {
            tn_bit_add(r.ready, v);
        }
    }
    return r;
}

static uint64_t *bits_of(const tn_reach *r, uint32_t set) {
    return r->pieces.data[set / TN_REACHED_PIECE].bits +
           (size_t)(set % TN_REACHED_PIECE) * r->words;
}

static uint64_t cost_of_toggle(const tn_reach *r, uint32_t v) {
    return 2 + tn_edge_rows_len(&r->p->touched, v) + tn_edge_rows_len(&r->p->succ, v);
}

/* An op is ready when it waits for nothing and has not run; so this holds, too, for sets that lack
 * what their ops depend on. */
static void add(tn_reach *r, uint32_t v) {
    const tn_edge_rows *succ = &r->p->succ;
    tn_op_state_run(&r->w, v);
    tn_bit_add(r->now, v);
    tn_bit_remove(r->ready, v);
    r->count++;
    for (uint32_t e = succ->start[v]; e < succ->start[v + 1]; e++) {
        uint32_t s = succ->item[e];
        if (r->w.waits[s] == 0 && !tn_bit_has(r->now, s)) {
            tn_bit_add(r->ready, s);
        }
    }
}

static void take_out(tn_reach *r, uint32_t v) {
    const tn_edge_rows *succ = &r->p->succ;
    tn_op_state_undo(&r->w, v);
    tn_bit_remove(r->now, v);
    r->count--;
    for (uint32_t e = succ->start[v]; e < succ->start[v + 1]; e++) {
        tn_bit_remove(r->ready, succ->item[e]);
    }
    if (r->w.waits[v] == 0) {
        tn_bit_add(r->ready, v);
    }
}

static void toggle(tn_reach *r, uint32_t v) {
    if (tn_bit_has(r->now, v)) {
        take_out(r, v);
    } else {
        add(r, v);
    }
    r->hash ^= r->op_hash[v];
    r->work += cost_of_toggle(r, v);
}

void tn_reach_go(tn_reach *r, uint32_t set) {
    const uint64_t *want = bits_of(r, set);
    TN_FOR_BITS(v, i, r->now[i] ^ want[i], r->words) {
        toggle(r, (uint32_t)v);
    }
    r->trail.len = 0;
}

void tn_reach_run(tn_reach *r, uint32_t v) {
    tn_vec_push(r->arena, &r->trail, v);
    toggle(r, v);
}

void tn_reach_back(tn_reach *r) {
    toggle(r, r->trail.data[--r->trail.len]);
}

uint32_t tn_reach_ready(const tn_reach *r, uint32_t v) {
    if (v >= r->p->n) {
        return TN_SCHED_NONE;
    }
    uint32_t i = v / 64;
    uint64_t word = r->ready[i] & (~UINT64_C(0) << (v % 64));
    while (word == 0 && ++i < r->words) {
        word = r->ready[i];
    }
    return i < r->words ? i * 64 + (uint32_t)__builtin_ctzll(word) : TN_SCHED_NONE;
}

static void grow_table(tn_reach *r) {
    const tn_reach_slot *old = r->table;
    uint32_t n = r->table_size;
    r->table_size *= 2;
    r->table = TN_ARRAY(r->arena, tn_reach_slot, r->table_size);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = old[i].hash & (r->table_size - 1);
        while (old[i].set != 0 && r->table[at].set != 0) {
            at = (at + 1) & (r->table_size - 1);
        }
        if (old[i].set != 0) {
            r->table[at] = old[i];
        }
    }
}

/* Where the set at hand is in the table, or could be put. */
static tn_reach_slot *slot_of(tn_reach *r) {
    uint32_t hash = (uint32_t)r->hash, at = hash & (r->table_size - 1);
    size_t bytes = r->words * sizeof *r->now;
    for (; r->table[at].set != 0; at = (at + 1) & (r->table_size - 1)) {
        if (r->table[at].hash == hash &&
            memcmp(bits_of(r, r->table[at].set - 1), r->now, bytes) == 0) {
            break;
        }
    }
    return &r->table[at];
}

static uint32_t append(tn_reach *r) {
    uint32_t set = r->n_sets++;
    if (set % TN_REACHED_PIECE == 0) {
        tn_reached *sets = TN_UNSET_ARRAY(r->arena, tn_reached, TN_REACHED_PIECE);
        uint64_t *bits = TN_UNSET_ARRAY(r->arena, uint64_t, (size_t)TN_REACHED_PIECE * r->words);
        tn_vec_push(r->arena, &r->pieces, (tn_reached_piece){sets, bits});
    }
    *tn_reach_set(r, set) = (tn_reached){.hash = (uint32_t)r->hash, .count = (uint16_t)r->count};
    memcpy(bits_of(r, set), r->now, r->words * sizeof *r->now);
    return set;
}

uint32_t tn_reach_note(tn_reach *r, uint32_t parent, uint32_t from, uint64_t peak) {
    if (r->n_sets >= r->table_size / 4 * 3) {
        grow_table(r);
    }
    r->work += r->words;
    tn_reach_slot *slot = slot_of(r);
    if (slot->set == 0) {
        *slot = (tn_reach_slot){(uint32_t)r->hash, append(r) + 1};
    } else if (tn_reach_set(r, slot->set - 1)->peak <= peak) {
        return TN_SCHED_NONE;
    }
    tn_reached *s = tn_reach_set(r, slot->set - 1);
    s->peak = peak;
    s->parent = parent;
    s->path = r->ops.len;
    s->len = (uint16_t)(r->trail.len - from);
    for (uint32_t i = from; i < r->trail.len; i++) {
        tn_vec_push(r->arena, &r->ops, r->trail.data[i]);
    }
    return slot->set - 1;
}

/* The work counts as if the op were run, the set looked up, and the op taken back. */
uint32_t tn_reach_hash_next(tn_reach *r, uint32_t v) {
    r->work += 2 * cost_of_toggle(r, v) + r->words;
    return (uint32_t)(r->hash ^ r->op_hash[v]);
}

static bool is_next(const tn_reach *r, const uint64_t *bits, const uint64_t *before, uint32_t v) {
    uint32_t at = v / 64;
    for (uint32_t i = 0; i < r->words; i++) {
        uint64_t more = i == at ? UINT64_C(1) << (v % 64) : 0;
        if (bits[i] != (before[i] | more)) {
            return false;
        }
    }
    return true;
}

bool tn_reach_knows_next(const tn_reach *r, uint32_t set, uint32_t v, uint32_t hash,
                         uint64_t peak) {
    const uint64_t *before = bits_of(r, set);
    for (uint32_t at = hash & (r->table_size - 1); r->table[at].set != 0;
         at = (at + 1) & (r->table_size - 1)) {
        uint32_t other = r->table[at].set - 1;
        if (r->table[at].hash == hash && is_next(r, bits_of(r, other), before, v)) {
            return tn_reach_set(r, other)->peak <= peak;
        }
    }
    return false;
}

/* The op that running v made ready, of several the one that leaves least behind; *cost is its. */
static uint32_t follower(const tn_reach *r, uint32_t v, tn_step_cost *cost) {
    const tn_edge_rows *succ = &r->p->succ;
    uint32_t best = TN_SCHED_NONE;
    for (uint32_t e = succ->start[v]; e < succ->start[v + 1]; e++) {
        uint32_t s = succ->item[e];
        if (tn_bit_has(r->ready, s)) {
            tn_step_cost c = tn_op_state_cost(&r->w, s);
            if (best == TN_SCHED_NONE || c.after < cost->after ||
                (c.after == cost->after && s < best)) {
                best = s;
                *cost = c;
            }
        }
    }
    return best;
}

/* Whether running v would make an op ready. Successors may be named more than once. */
static bool has_follower(const tn_reach *r, uint32_t v) {
    const tn_edge_rows *succ = &r->p->succ;
    uint32_t *waits = r->w.waits;
    bool any = false;
    for (uint32_t e = succ->start[v]; e < succ->start[v + 1]; e++) {
        any |= --waits[succ->item[e]] == 0 && !tn_bit_has(r->now, succ->item[e]);
    }
    for (uint32_t e = succ->start[v]; e < succ->start[v + 1]; e++) {
        waits[succ->item[e]]++;
    }
    return any;
}

/* Runs v and what follows from it, one op after the other, until no more is live than before; takes
 * all back when the way costs more than the limit or ends first. */
static bool run_chain(tn_reach *r, uint32_t v, uint64_t limit, uint64_t *peak) {
    uint64_t start = r->w.live, top = 0;
    uint32_t keep = r->trail.len;
    tn_step_cost cost = tn_op_state_cost(&r->w, v);
    while (v != TN_SCHED_NONE && cost.during <= limit) {
        top = cost.during > top ? cost.during : top;
        if (cost.after > start && !has_follower(r, v)) {
            r->work += 2 * cost_of_toggle(r, v); /* as if it were run and taken back */
            break;
        }
        tn_reach_run(r, v);
        if (cost.after <= start) {
            *peak = top > *peak ? top : *peak;
            return true;
        }
        v = follower(r, v, &cost);
    }
    while (r->trail.len > keep) {
        tn_reach_back(r);
    }
    return false;
}

uint64_t tn_reach_commit(tn_reach *r, uint64_t peak, uint64_t limit) {
    bool again = true;
    while (again) {
        again = false;
        for (uint32_t v = tn_reach_ready(r, 0); v != TN_SCHED_NONE; v = tn_reach_ready(r, v + 1)) {
            again |= run_chain(r, v, limit, &peak);
        }
    }
    return peak;
}

void tn_reach_order(const tn_reach *r, uint32_t set, uint32_t *out) {
    uint32_t at = tn_reach_set(r, set)->count;
    for (uint32_t s = set; s != TN_SCHED_NONE; s = tn_reach_set(r, s)->parent) {
        const tn_reached *x = tn_reach_set(r, s);
        at -= x->len;
        memcpy(out + at, r->ops.data + x->path, x->len * sizeof *out);
    }
}
