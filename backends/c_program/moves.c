/* What bodies pass on, and what states take after a run: copies that happen at once, as statements
 * in an order that spoils nothing. */
#include <inttypes.h>
#include <string.h>

#include "backends/c_program/program_t.h"
#include "backends/core/found.h"
#include "backends/core/parallel_copies.h"
#include "ir/base/diag.h"
#include "ir/base/key_sort.h"

/* Copies of one moment, with what each is. */
typedef struct moment {
    const tn_cp *c;
    uint32_t begin; /* TN_NO_ID: after the run */
    unsigned depth;
    TN_VEC(tn_plan_move) moves;
    TN_VEC(tn_copy) copies;
} moment;

static bool has_open_bytes(const tn_cp *c, uint32_t value) {
    return c->open != NULL && value != TN_NO_ID && c->open->values[value].bytes != TN_NO_ID;
}

/* With open dimensions a storage is a space of its own, since those of one moment lie apart; in it
 * what has an open size may reach to the end. */
static tn_range range_of(const tn_cp *c, uint32_t value) {
    if (value == TN_NO_ID) {
        return (tn_range){0, 0, 0};
    }
    const tn_plan_value *v = &c->p->values[value];
    if (c->open != NULL) {
        bool exact = c->open->values[value].offset == TN_NO_ID;
        uint64_t size = has_open_bytes(c, value) || !exact ? UINT32_MAX : v->bytes;
        return (tn_range){c->p->n_pools + v->storage, exact ? v->offset : 0, size};
    }
    return (tn_range){c->p->storages[v->storage].pool, tn_plan_address(c->p, v), v->bytes};
}

static bool is_placed(const tn_cp *c, uint32_t value) {
    return value == TN_NO_ID || c->p->values[value].storage != TN_NO_ID;
}

/* Whether two values of one storage begin at one place. */
static bool lies_there(const tn_cp *c, uint32_t from, uint32_t to) {
    return from == TN_NO_ID || c->open->values[from].offset == c->open->values[to].offset;
}

/* Moves from a place to itself, of no bytes, and of branches that never run are left out. */
static void add(moment *t, const tn_plan_move *m) {
    if (!is_placed(t->c, m->from) || !is_placed(t->c, m->to)) {
        return;
    }
    tn_copy copy = {range_of(t->c, m->from), range_of(t->c, m->to)};
    bool moved = copy.from.space != copy.to.space || copy.from.at != copy.to.at ||
                 (t->c->open != NULL && !lies_there(t->c, m->from, m->to));
    if (copy.to.size > 0 && (m->kind != TN_MOVE_COPY || moved)) {
        tn_vec_push(t->c->arena, &t->moves, *m);
        tn_vec_push(t->c->arena, &t->copies, copy);
    }
}

static void indent(const moment *t) {
    tn_put_indent(t->c->out, 4 * (size_t)t->depth);
}

/* ---- one copy ---- */

/* The value that has the bytes that are moved: the part, of what is sliced or stacked. What data
 * make as long as it is may go to where there is room for more. */
static uint32_t moved_value(const tn_cp *c, const tn_plan_move *m) {
    bool whole = m->kind == TN_MOVE_COPY && tn_found_has(c, m->to);
    return m->kind == TN_MOVE_STACK || whole ? m->from : m->to;
}

/* How many pieces a part has. */
static void put_outer(const tn_cp *c, uint32_t whole, int64_t axis) {
    uint64_t outer = 1;
    for (int64_t i = 0; i < axis; i++) {
        bool open = tn_found_at(c, whole, (uint32_t)i) ||
                    (c->open != NULL && c->open->values[whole].extents[i] != TN_NO_ID);
        if (open) {
            tn_put(c->out, "(size_t)");
            tn_cp_put_extent(c, whole, (uint32_t)i);
            tn_put(c->out, " * ");
        } else {
            outer *= (uint64_t)c->p->values[whole].dims[i];
        }
    }
    tn_putf(c->out, "%" PRIu64 "u", outer);
}

/* "slice(to, from, position, extent, outer, part);": what is whole lies apart from its parts, and a
 * part of so many bytes has `outer` pieces. */
static void put_strided(const moment *t, const tn_plan_move *m, const char *to, const char *from) {
    const tn_cp *c = t->c;
    bool slice = m->kind == TN_MOVE_SLICE;
    uint32_t whole = slice ? m->from : m->to;
    tn_putf(c->out, "%s_%s(%s, %s, ", c->symbol, slice ? "slice" : "stack", to, from);
    if (m->reverse) {
        tn_cp_put_extent(c, whole, (uint32_t)m->axis);
        tn_put(c->out, " - 1 - ");
    }
    tn_putf(c->out, "count_%" PRIu32 ", ", t->begin);
    tn_cp_put_extent(c, whole, (uint32_t)m->axis);
    tn_put(c->out, ", ");
    put_outer(c, whole, m->axis);
    tn_put(c->out, ", ");
    tn_cp_put_value_bytes(c, moved_value(c, m));
    tn_put(c->out, ");\n");
}

static const char *address(const moment *t, uint32_t value) {
    tn_cp c = *t->c;
    tn_sink text = tn_sink_make(c.arena);
    c.out = &text;
    tn_cp_put_address(&c, value);
    return text.data;
}

static void put_copy(const moment *t, const tn_plan_move *m, const char *to, const char *from) {
    indent(t);
    switch (m->kind) {
    case TN_MOVE_COPY:
        tn_putf(t->c->out, "memmove(%s, %s, ", to, from);
        tn_cp_put_value_bytes(t->c, moved_value(t->c, m));
        tn_put(t->c->out, ");\n");
        break;
    case TN_MOVE_SLICE:
    case TN_MOVE_STACK:
        put_strided(t, m, to, from);
        break;
    case TN_MOVE_COUNT:
        tn_putf(t->c->out, "memcpy(%s, &count_%" PRIu32 ", sizeof(int64_t));\n", to, t->begin);
        break;
    case TN_MOVE_TRUE:
        tn_putf(t->c->out, "*%s = 1;\n", to);
        break;
    }
}

/* Kept bytes are what the copy moves, packed: a slice is kept as its part, which then is copied
 * whole; what is stacked is kept as it is. */
static void put_kept(const moment *t, const tn_copy_step *s, const char *room) {
    const tn_plan_move *m = &t->moves.data[s->copy];
    const char *aside = tn_arena_printf(t->c->arena, "%s + %" PRIu64, room, s->aside);
    bool keep = s->act == TN_ACT_KEEP;
    if (keep == (m->kind == TN_MOVE_STACK)) {
        tn_plan_move whole = {.kind = TN_MOVE_COPY, .from = m->from, .to = m->from};
        whole.to = m->kind == TN_MOVE_STACK ? m->from : m->to;
        put_copy(t, &whole, keep ? aside : address(t, m->to), keep ? address(t, m->from) : aside);
    } else {
        put_copy(t, m, keep ? aside : address(t, m->to), keep ? address(t, m->from) : aside);
    }
}

/* ---- room for what is kept ---- */

typedef struct hole {
    uint32_t pool; /* TN_NO_ID: none */
    uint64_t at;
} hole;

/* Bytes of an arena that nothing has from step `first` to `last`. */
static hole find_hole(const tn_cp *c, uint32_t pool, int64_t first, int64_t last, uint64_t size) {
    const tn_plan *p = c->p;
    uint32_t *order = TN_ARRAY(c->arena, uint32_t, p->n_storages);
    tn_sort_key *keys = tn_sort_room(c->arena, p->n_storages);
    for (uint32_t i = 0; i < p->n_storages; i++) {
        keys[i] = (tn_sort_key){p->storages[i].offset, i};
    }
    tn_sort_items(keys, p->n_storages, order);
    uint64_t at = 0;
    for (uint32_t i = 0; i < p->n_storages; i++) {
        const tn_storage *s = &p->storages[order[i]];
        if (s->pool != pool || (!s->pinned && (s->last < first || s->first > last))) {
            continue;
        }
        if (s->offset >= at + size) {
            break;
        }
        uint64_t end = (s->offset + s->size + 15) / 16 * 16;
        at = end > at ? end : at;
    }
    return at + size <= p->pools[pool].size ? (hole){pool, at} : (hole){TN_NO_ID, 0};
}

static hole room_for(const tn_cp *c, uint32_t begin, uint64_t size) {
    for (uint32_t i = 0; i < c->p->n_pools && begin != TN_NO_ID && c->open == NULL; i++) {
        if (c->p->pools[i].kind == TN_POOL_ARENA) {
            hole h = find_hole(c, i, begin, c->p->steps[begin].partner, size);
            if (h.pool != TN_NO_ID) {
                return h;
            }
        }
    }
    return (hole){TN_NO_ID, 0};
}

/* A free part of the arena; else an array, which is as small as the smallest of what waits in a
 * circle. */
static const char *put_room(const moment *t, uint64_t size) {
    hole h = room_for(t->c, t->begin, size);
    if (h.pool != TN_NO_ID) {
        return tn_arena_printf(t->c->arena, "(unsigned char *)m->%s + %" PRIu64,
                               t->c->pools[h.pool], h.at);
    }
    indent(t);
    tn_putf(t->c->out, "unsigned char aside[%" PRIu64 "];\n", size);
    return "aside";
}

/* ---- moments ---- */

/* Nothing is planned for what has to be put aside, and C has no arrays of open size. */
static void demand_room(const moment *t, const tn_copy_order *o) {
    const tn_plan *p = t->c->p;
    for (uint32_t i = 0; i < o->n; i++) {
        uint32_t value = moved_value(t->c, &t->moves.data[o->steps[i].copy]);
        if (o->steps[i].act == TN_ACT_KEEP && has_open_bytes(t->c, value)) {
            const tn_plan_step *s = t->begin != TN_NO_ID ? &p->steps[t->begin] : NULL;
            tn_fail(p->ctx, NULL,
                    "c-program: %s%s '%s' exchanges values with '%s', whose size is open: the "
                    "program has no memory to put it aside; bind its dimensions by --dim",
                    s != NULL ? "step " : "after the run ", s != NULL ? s->op : "the model",
                    s != NULL ? s->name : p->model, p->values[value].name);
        }
    }
}

static void put_moment(moment *t) {
    const tn_cp *c = t->c;
    tn_copy_order o = tn_parallel_copies(c->arena, t->copies.data, t->copies.len);
    demand_room(t, &o);
    const char *room = NULL;
    if (o.aside > 0) {
        indent(t);
        tn_put(c->out, "{\n");
        t->depth++;
        room = put_room(t, o.aside);
    }
    for (uint32_t i = 0; i < o.n; i++) {
        const tn_copy_step *s = &o.steps[i];
        const tn_plan_move *m = &t->moves.data[s->copy];
        if (s->act == TN_ACT_COPY) {
            put_copy(t, m, address(t, m->to), m->from != TN_NO_ID ? address(t, m->from) : "");
        } else {
            put_kept(t, s, room);
        }
    }
    if (o.aside > 0) {
        t->depth--;
        indent(t);
        tn_put(c->out, "}\n");
    }
}

/* ---- extents that data give ---- */

/* What a value moved there has as extents, the value at `to` has from then on. */
static void put_found(const moment *t, const tn_plan_move *m, uint32_t axis, uint32_t number) {
    const tn_cp *c = t->c;
    bool stack = m->kind == TN_MOVE_STACK;
    indent(t);
    tn_putf(c->out, "m->found[%" PRIu32 "] = ", number);
    if (stack && (int64_t)axis == m->axis) {
        tn_putf(c->out, "(tenure_dim)(count_%" PRIu32 " + 1)", t->begin);
    } else {
        tn_cp_put_extent(c, m->from, stack && (int64_t)axis > m->axis ? axis - 1 : axis);
    }
    tn_put(c->out, ";\n");
}

/* A loop that never runs stacks nothing up. */
static void put_all_found(const moment *t, const tn_cp_moment *at) {
    const tn_cp *c = t->c;
    const tn_plan_step *s = &c->p->steps[at->begin];
    for (uint32_t i = 0; i < s->n_moves && c->found != NULL; i++) {
        const tn_plan_move *m = &s->moves[i];
        bool now = m->when == at->when && m->body == at->body;
        bool first = at->when == TN_MOVE_BEGIN && m->kind == TN_MOVE_STACK;
        for (uint32_t axis = 0; axis < c->p->values[m->to].rank; axis++) {
            uint32_t k = tn_found_number(c, m->to, axis);
            if (k == TN_NO_ID) {
                continue;
            }
            if (now && (m->kind == TN_MOVE_COPY || m->kind == TN_MOVE_STACK)) {
                put_found(t, m, axis, k);
            } else if (first && (int64_t)axis == m->axis) {
                indent(t);
                tn_putf(c->out, "m->found[%" PRIu32 "] = 0;\n", k);
            }
        }
    }
}

void tn_cp_put_moves(const tn_cp *c, const tn_cp_moment *at) {
    const tn_plan_step *s = &c->p->steps[at->begin];
    moment t = {.c = c, .begin = at->begin, .depth = at->depth};
    for (uint32_t i = 0; i < s->n_moves; i++) {
        if (s->moves[i].when == at->when && s->moves[i].body == at->body) {
            add(&t, &s->moves[i]);
        }
    }
    put_moment(&t);
    put_all_found(&t, at);
}

void tn_cp_put_commit(const tn_cp *c) {
    const uint32_t *states = tn_plan_states(c->arena, c->p);
    moment t = {.c = c, .begin = TN_NO_ID, .depth = 1};
    for (uint32_t i = 0; i < c->p->n_bindings; i++) {
        if (states[i] != TN_NO_ID) {
            tn_plan_move m = {.kind = TN_MOVE_COPY, .from = c->p->bindings[i].value};
            m.to = states[i];
            add(&t, &m);
        }
    }
    tn_cp_put(c, "\nvoid @m_commit(const @m_memory *m) {\n    (void)m;\n");
    put_moment(&t);
    tn_put(c->out, "}\n");
}

/* ---- what they call ---- */

static bool any_move(const tn_cp *c, tn_move_kind kind) {
    for (uint32_t i = 0; i < c->p->n_steps; i++) {
        for (uint32_t k = 0; k < c->p->steps[i].n_moves; k++) {
            if (c->p->steps[i].moves[k].kind == kind) {
                return true;
            }
        }
    }
    return false;
}

void tn_cp_put_move_helpers(const tn_cp *c) {
    if (any_move(c, TN_MOVE_SLICE)) {
        tn_cp_put(
            c, "\n/* The part at `position` along an axis of `extent`: `outer` pieces. */\n"
               "static void @m_slice(unsigned char *to, const unsigned char *from, int64_t "
               "position,\n                  int64_t extent, size_t outer, size_t part) {\n"
               "    size_t i, bytes = outer > 0 ? part / outer : 0;\n"
               "    for (i = 0; i < outer; i++) {\n"
               "        memmove(to + i * bytes,\n"
               "                from + (i * (size_t)extent + (size_t)position) * bytes, bytes);\n"
               "    }\n"
               "}\n");
    }
    if (any_move(c, TN_MOVE_STACK)) {
        tn_cp_put(c, "\n/* The reverse. */\n"
                     "static void @m_stack(unsigned char *to, const unsigned char *from, int64_t "
                     "position,\n                  int64_t extent, size_t outer, size_t part) {\n"
                     "    size_t i, bytes = outer > 0 ? part / outer : 0;\n"
                     "    for (i = 0; i < outer; i++) {\n"
                     "        memmove(to + (i * (size_t)extent + (size_t)position) * bytes,\n"
                     "                from + i * bytes, bytes);\n"
                     "    }\n"
                     "}\n");
    }
}
