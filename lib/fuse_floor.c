#include "lib/fuse_floor.h"

#include <stdlib.h>

#include "ir/base/bits.h"
#include "ir/ops/claims.h"
#include "ir/ops/group_claims.h"

/* Ops of the main graph of which it is said who needs whom, at most: two bits for each pair. */
enum { MOST_OPS = 8192 };
static const uint32_t NONE = UINT32_MAX;

typedef TN_VEC(uint32_t) numbers;

typedef struct floor_of {
    tn_arena *arena;
    const tn_module *m;
    bool overlaps, *own; /* by op id: it is one of the module without groups */
    const tn_op **ops;   /* of the main graph as it came, n, in order */
    uint32_t n, words;
    uint32_t *at;    /* by op id: its number; NONE: of another graph, or of a group */
    uint32_t *maker; /* by value id: number of the op that makes it; NONE: of another graph */
    uint32_t *bytes_of, *view; /* by value id: the root of those that may share bytes; of views */
    bool *elsewhere;           /* by root: one of them may lie elsewhere than in the arena */
    numbers *readers;          /* by value id: numbers of ops that read its elements */
    uint64_t *before, *behind; /* by number, bits of numbers: whom it needs, who needs it; NULL: it
                                  is not known */
    uint64_t *through, *dies, *made; /* by number: bytes alive before and behind it, up to it, from
                                        it on */
    uint64_t *counted;               /* by number: bytes of view `seen` - 1 that were added */
    uint32_t *seen;
    uint64_t *mask;
} floor_of;

static uint32_t root_of(uint32_t *root, uint32_t id) {
    for (; root[id] != id; id = root[id]) {
        root[id] = root[root[id]];
    }
    return id;
}

/* Ops of the module without groups. */
static void find_own(floor_of *f) {
    f->own = TN_ARRAY(f->arena, bool, f->m->n_ops + 1u);
    for (uint32_t i = 0; i < f->m->n_ops; i++) {
        const tn_op *op = f->m->ops[i];
        bool group = tn_op_is_group(op);
        f->own[i] = f->own[i] || (!op->erased && !group);
        for (uint32_t k = 0; k < op->n_parts && !op->erased && group; k++) {
            f->own[op->parts[k]->id] = true;
        }
    }
}

static int by_place(const void *a, const void *b) {
    const tn_op *x = *(const tn_op *const *)a, *y = *(const tn_op *const *)b;
    return (x->place > y->place) - (x->place < y->place);
}

/* Whether all have stood somewhere. */
static bool find_ops(floor_of *f) {
    const tn_module *m = f->m;
    bool placed = true;
    f->ops = TN_ARRAY(f->arena, const tn_op *, m->n_ops + 1u);
    f->at = TN_ARRAY(f->arena, uint32_t, m->n_ops + 1u);
    for (uint32_t i = 0; i < m->n_ops; i++) {
        f->at[i] = NONE;
        if (f->own[i] && m->ops[i]->graph == m->main) {
            f->ops[f->n++] = m->ops[i];
            placed = placed && m->ops[i]->place != 0 && m->ops[i]->clone_of == NULL;
        }
    }
    qsort(f->ops, f->n, sizeof(const tn_op *), by_place);
    f->maker = TN_ARRAY(f->arena, uint32_t, m->n_values + 1u);
    for (uint32_t i = 0; i < m->n_values; i++) {
        f->maker[i] = NONE;
    }
    for (uint32_t i = 0; i < f->n; i++) {
        f->at[f->ops[i]->id] = i;
        for (uint32_t r = 0; r < f->ops[i]->n_results; r++) {
            const tn_value *y = tn_part_result(f->ops[i], r);
            if (y != NULL) {
                f->maker[y->id] = i;
            }
        }
    }
    return placed && f->n <= MOST_OPS;
}

/* The op of the main graph in which it is done; NONE where that is another graph of the model. */
static uint32_t lift(const floor_of *f, const tn_op *op) {
    while (op != NULL && op->graph != f->m->main) {
        op = op->graph->owner;
    }
    return op != NULL ? f->at[op->id] : NONE;
}

/* Whether a result may be written over it. */
static bool may_change(const floor_of *f, const tn_value *x) {
    bool state = (x->flags & TN_VF_STATE) != 0;
    for (uint32_t i = 0; i < f->m->n_bindings && tn_is_const(x) && !state; i++) {
        state = f->m->bindings[i].state == x;
    }
    return state || !tn_is_const(x);
}

static void join(floor_of *f, const tn_op *op) {
    bool views = op->info->view != TN_VIEW_NONE || !tn_op_in_table(op);
    for (uint32_t r = 0; r < op->n_results; r++) {
        const tn_value *y = tn_part_result(op, r);
        for (uint32_t k = 0; k < op->n_operands && y != NULL; k++) {
            const tn_value *x = tn_part_operand(op, k);
            if (x != NULL && (views || (op->info->inplace != NULL && may_change(f, x)))) {
                uint32_t from = root_of(f->bytes_of, x->id), to = root_of(f->bytes_of, y->id);
                f->bytes_of[from] = to;
                f->elsewhere[to] = f->elsewhere[to] || f->elsewhere[from];
            }
            if (x != NULL && views) {
                f->view[root_of(f->view, x->id)] = root_of(f->view, y->id);
            }
        }
    }
}

static void find_sharing(floor_of *f) {
    const tn_module *m = f->m;
    f->bytes_of = TN_ARRAY(f->arena, uint32_t, m->n_values + 1u);
    f->view = TN_ARRAY(f->arena, uint32_t, m->n_values + 1u);
    f->elsewhere = TN_ARRAY(f->arena, bool, m->n_values + 1u);
    for (uint32_t i = 0; i < m->n_values; i++) {
        const tn_value *v = m->values[i];
        f->bytes_of[i] = f->view[i] = i;
        f->elsewhere[i] = f->maker[i] == NONE || f->ops[f->maker[i]]->n_regions > 0 ||
                          tn_is_const(v) || v->content != NULL ||
                          (v->flags & (TN_VF_OUTPUT | TN_VF_STATE | TN_VF_EXCLUDED)) != 0;
    }
    for (uint32_t i = 0; i < m->n_ops; i++) {
        if (f->own[i] && m->ops[i]->n_regions == 0) {
            join(f, m->ops[i]);
        }
    }
}

static void add_reader(floor_of *f, const tn_value *v, uint32_t op) {
    if (v != NULL && v->graph == f->m->main && op != NONE) {
        numbers *all = &f->readers[v->id];
        if (all->len == 0 || all->data[all->len - 1] != op) {
            tn_vec_push(f->arena, all, op);
        }
    }
}

static void find_readers(floor_of *f) {
    const tn_module *m = f->m;
    f->readers = TN_ARRAY(f->arena, numbers, m->n_values + 1u);
    for (uint32_t i = 0; i < m->n_ops; i++) {
        const tn_op *op = m->ops[i];
        uint32_t shapes = f->own[i] ? tn_shape_only(op->info, op->version) : 0;
        for (uint32_t k = 0; f->own[i] && k < op->n_operands; k++) {
            if (k >= 32 || (shapes >> k & 1) == 0) {
                add_reader(f, tn_part_operand(op, k), lift(f, op));
            }
        }
    }
    for (uint32_t i = 0; i < m->n_graphs; i++) {
        const tn_graph *g = m->graphs[i];
        for (uint32_t k = 0; g->owner != NULL && k < g->n_outputs; k++) {
            add_reader(f, g->outputs[k], lift(f, g->owner));
        }
    }
}

/* Ops stand behind those that they need. */
static void find_needs(floor_of *f) {
    f->words = tn_bit_words(f->n);
    f->before = TN_ARRAY(f->arena, uint64_t, (size_t)f->n * f->words);
    f->behind = TN_ARRAY(f->arena, uint64_t, (size_t)f->n * f->words);
    for (uint32_t i = f->n; i-- > 0;) {
        uint64_t *mine = f->behind + (size_t)i * f->words;
        for (uint32_t r = 0; r < f->ops[i]->n_results; r++) {
            const tn_value *v = tn_part_result(f->ops[i], r);
            for (uint32_t k = 0; v != NULL && k < f->readers[v->id].len; k++) {
                uint32_t reader = f->readers[v->id].data[k];
                const uint64_t *theirs = f->behind + (size_t)reader * f->words;
                tn_bit_add(mine, reader);
                for (uint32_t w = 0; w < f->words; w++) {
                    mine[w] |= theirs[w];
                }
            }
        }
    }
    for (uint32_t i = 0; i < f->n; i++) {
        TN_FOR_BITS(b, w, f->behind[(size_t)i * f->words + w], f->words) {
            tn_bit_add(f->before + b * f->words, i);
        }
    }
}

/* Ops before and behind which the value is needed. */
static void add_through(floor_of *f, const tn_value *v, uint64_t bytes) {
    uint32_t maker = f->maker[v->id], view = root_of(f->view, v->id) + 1;
    uint64_t *mask = f->mask;
    if (bytes == 0) {
        return;
    }
    for (uint32_t w = 0; w < f->words; w++) {
        mask[w] = 0;
    }
    for (uint32_t k = 0; k < f->readers[v->id].len; k++) {
        const uint64_t *theirs = f->before + (size_t)f->readers[v->id].data[k] * f->words;
        for (uint32_t w = 0; w < f->words; w++) {
            mask[w] |= theirs[w];
        }
    }
    const uint64_t *mine = f->behind + (size_t)maker * f->words;
    TN_FOR_BITS(i, w, (mask[w] &= mine[w]), f->words) {
        uint64_t have = f->seen[i] == view ? f->counted[i] : 0;
        if (bytes > have) {
            f->through[i] += bytes - have;
            f->counted[i] = bytes;
            f->seen[i] = view;
        }
    }
}

static uint64_t bytes_of(floor_of *f, const tn_value *v) {
    int64_t bytes;
    bool inside = !f->elsewhere[root_of(f->bytes_of, v->id)];
    return inside && tn_type_fixed_bytes(f->m->dims, v->type, &bytes) ? (uint64_t)bytes : 0;
}

/* At ops before or behind which nothing of the view is needed. */
static void add_ends(floor_of *f, const tn_value *v, uint64_t bytes) {
    uint32_t view = root_of(f->view, v->id) + 1, maker = f->maker[v->id];
    for (uint32_t k = 0; k < f->readers[v->id].len; k++) {
        uint32_t reader = f->readers[v->id].data[k];
        f->dies[reader] += f->seen[reader] != view ? bytes : 0;
        f->counted[reader] = f->seen[reader] != view ? bytes : f->counted[reader];
        f->seen[reader] = view;
    }
    f->made[maker] += f->seen[maker] != view ? bytes : 0;
}

/* Views of the same bytes one after the other. */
static void count_all(floor_of *f) {
    const tn_module *m = f->m;
    f->mask = TN_ARRAY(f->arena, uint64_t, f->words + 1u);
    uint32_t *next = TN_ARRAY(f->arena, uint32_t, m->n_values + 1u);
    uint32_t *first = TN_ARRAY(f->arena, uint32_t, m->n_values + 1u);
    for (uint32_t i = m->n_values; i-- > 0;) {
        uint32_t view = root_of(f->view, i);
        next[i] = first[view];
        first[view] = i + 1;
    }
    for (uint32_t i = 0; i < m->n_values; i++) {
        for (uint32_t k = first[i]; k != 0 && f->before != NULL; k = next[k - 1]) {
            add_through(f, m->values[k - 1], bytes_of(f, m->values[k - 1]));
        }
        for (uint32_t k = first[i]; k != 0; k = next[k - 1]) {
            uint64_t bytes = bytes_of(f, m->values[k - 1]);
            if (bytes > 0) {
                add_ends(f, m->values[k - 1], bytes);
            }
        }
    }
}

/* Results may lie in what ends there, and those of views in what does not. */
static uint64_t alive_at(const floor_of *f, uint32_t i) {
    const tn_op *op = f->ops[i];
    uint64_t dies = f->dies[i], made = f->made[i];
    bool shares = f->overlaps || op->info->inplace != NULL || !tn_op_in_table(op);
    if (op->info->view != TN_VIEW_NONE || op->n_regions > 0) {
        return f->through[i];
    }
    return f->through[i] + (!shares ? dies + made : dies > made ? dies : made);
}

uint64_t tn_fuse_floor(tn_arena *arena, const tn_module *m, bool overlaps, bool through) {
    uint64_t most = 0;
    floor_of f = {.arena = arena, .m = m, .overlaps = overlaps};
    find_own(&f);
    bool known = find_ops(&f);
    find_sharing(&f);
    find_readers(&f);
    if (known && through) {
        find_needs(&f);
    }
    f.through = TN_ARRAY(arena, uint64_t, f.n + 1u);
    f.dies = TN_ARRAY(arena, uint64_t, f.n + 1u);
    f.made = TN_ARRAY(arena, uint64_t, f.n + 1u);
    f.counted = TN_ARRAY(arena, uint64_t, f.n + 1u);
    f.seen = TN_ARRAY(arena, uint32_t, f.n + 1u);
    count_all(&f);
    for (uint32_t i = 0; i < f.n; i++) {
        uint64_t bytes = alive_at(&f, i);
        most = bytes > most ? bytes : most;
    }
    return most;
}
