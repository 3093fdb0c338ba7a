/* Plans with open dimensions: sizes as expressions, and the relation that offsets follow from.
 *
 * The storages of a pool that are alive at one step form a stack, by their offsets at the planning
 * point. When a storage comes to life it gets an edge from the one below it and one to the one
 * above it. By induction over steps any two storages that are ever alive together are then joined
 * by a path, upwards: neighbours of a stack have an edge or had one between them that is gone, with
 * an edge on both sides. A path from a to b puts b behind the end of a whatever the sizes are, so
 * no dimensions make the two overlap. Edges go up in one order of all storages, that of (offset,
 * end, number) or a better one (relation_search.h), so there is no cycle. Where steps run side by
 * side, edges join those that may be in use at once, if no path does.
 */
#include <string.h>

#include "ir/base/bit_tree.h"
#include "ir/base/sort.h"
#include "ir/base/xmath.h"
#include "ir/plan/plan_extents.h"
#include "passes/analysis/class_order.h"
#include "passes/plan/open_offsets.h"
#include "passes/plan/plan_build.h"
#include "passes/plan/predecessors.h"
#include "passes/plan/relation_search.h"

/* ---- expressions ---- */

typedef struct translation {
    tn_build *b;
    tn_map seen; /* expression of the module -> of the plan, plus 1 */
    tn_sink text;
} translation;

/* The plan outlives the module: expressions move to its table as text. Numbers are TN_DIM_UNKNOWN:
 * they stand as numbers. */
static tn_dim translate(translation *t, tn_dim a) {
    uint64_t known;
    int64_t number;
    if (a == TN_DIM_UNKNOWN || tn_dim_is_const(t->b->m->dims, a, &number)) {
        return TN_DIM_UNKNOWN;
    }
    if (tn_map_get(&t->seen, a, &known)) {
        return (tn_dim)known;
    }
    t->text.len = 0;
    tn_dim_print(t->b->m->dims, a, &t->text);
    const char *at = t->text.data;
    tn_dim made;
    if (!tn_dim_parse(t->b->p->exprs, &at, &made)) {
        tn_bug(t->b->ctx, "the size '%s' cannot be read again", t->text.data);
    }
    tn_map_put(&t->seen, a, made);
    return made;
}

/* The end of a value in its storage, for all dimensions. */
static tn_dim end_of(tn_build *b, const tn_dim *offset, uint32_t v) {
    tn_dims *d = b->m->dims;
    tn_dim start =
        offset[v] != TN_DIM_UNKNOWN ? offset[v] : tn_dim_const(d, (int64_t)b->classes->offset[v]);
    return tn_dim_add(d, start, tn_type_room(d, b->m->values[v]->type));
}

/* The largest end of a member. Most classes have members of one size. */
static tn_dim size_of(tn_build *b, const tn_dim *offset, const tn_class *c) {
    tn_dims *d = b->m->dims;
    tn_dim size = end_of(b, offset, c->owner), last = size;
    for (uint32_t i = 0; i < c->n_members; i++) {
        tn_dim end = end_of(b, offset, c->members[i]);
        if (end != last) {
            size = tn_dim_max(d, size, end);
            last = end;
        }
    }
    return size;
}

static const char *text_of(const translation *t, tn_dim expr) {
    tn_plan *p = t->b->p;
    if (expr == TN_DIM_UNKNOWN) {
        return NULL;
    }
    tn_sink text = tn_sink_make(p->arena);
    tn_dim_print(p->exprs, expr, &text);
    return text.data;
}

static void write_sizes(tn_build *b) {
    translation t = {.b = b, .seen = tn_map_make(b->scratch), .text = tn_sink_make(b->scratch)};
    tn_plan *p = b->p;
    const tn_dim *offset = tn_open_offsets(b);
    for (uint32_t i = 0; i < p->n_storages; i++) {
        tn_dim size = size_of(b, offset, &b->classes->classes[i]);
        if (size == TN_DIM_UNKNOWN) {
            tn_loc loc = tn_loc_file(b->m->file);
            tn_fail(b->ctx, &loc, "the size of '%s' is too long an expression; bind a dimension",
                    p->values[p->storages[i].root].name);
        }
        p->storages[i].size_expr = translate(&t, size);
        p->storages[i].size_text = text_of(&t, p->storages[i].size_expr);
    }
    for (uint32_t i = 0; i < p->n_values; i++) {
        tn_plan_value *v = &p->values[i];
        if (v->storage != TN_NO_ID) {
            const tn_type *type = b->m->values[v->module_value]->type;
            v->bytes_expr = translate(&t, tn_type_room(b->m->dims, type));
            v->bytes_text = text_of(&t, v->bytes_expr);
            v->offset_expr = translate(&t, offset[v->module_value]);
        }
    }
}

/* ---- the relation ---- */

typedef TN_VEC(uint32_t) id_list;

typedef struct stacks {
    tn_build *b;
    uint32_t *rank;    /* by storage: position in the order of addresses */
    uint32_t *storage; /* by rank */
    tn_bit_tree alive; /* ranks */
    id_list *above;    /* by storage */
} stacks;

static int by_address(const void *x, const void *y) {
    const tn_storage *a = *(const tn_storage *const *)x, *b = *(const tn_storage *const *)y;
    return TN_FIRST_OF(TN_COMPARE(a->pool, b->pool), TN_COMPARE(a->offset, b->offset),
                       TN_COMPARE(a->offset + a->size, b->offset + b->size),
                       TN_COMPARE(a->id, b->id));
}

/* Storages of different pools are no neighbours. Constants have sizes that are numbers, and lie at
 * offsets that are numbers. */
static void relate(stacks *s, uint32_t low_rank, uint32_t high_rank) {
    const tn_plan *p = s->b->p;
    uint32_t low = s->storage[low_rank], high = s->storage[high_rank];
    tn_pool_kind kind = p->pools[p->storages[low].pool].kind;
    if (p->storages[low].pool == p->storages[high].pool && kind != TN_POOL_CONST) {
        tn_vec_push(p->arena, &s->above[high], low);
    }
}

static void come_to_life(stacks *s, uint32_t storage) {
    uint32_t at = s->rank[storage];
    uint32_t below = tn_bit_tree_below(&s->alive, at), behind = tn_bit_tree_above(&s->alive, at);
    if (below != TN_BIT_NONE) {
        relate(s, below, at);
    }
    if (behind != TN_BIT_NONE) {
        relate(s, at, behind);
    }
    tn_bit_tree_add(&s->alive, at);
}

/* Storages by the step at which they begin (`ends` false) or end, -1 first. */
static const uint32_t *by_step(const tn_build *b, bool ends) {
    const tn_plan *p = b->p;
    uint32_t *start = TN_ARRAY(b->scratch, uint32_t, (size_t)p->n_steps + 4);
    uint32_t *order = TN_ARRAY(b->scratch, uint32_t, p->n_storages);
    for (uint32_t i = 0; i < p->n_storages; i++) {
        start[(ends ? p->storages[i].last : p->storages[i].first) + 2]++;
    }
    for (uint32_t s = 1; s < p->n_steps + 4; s++) {
        start[s] += start[s - 1];
    }
    for (uint32_t i = 0; i < p->n_storages; i++) {
        order[start[(ends ? p->storages[i].last : p->storages[i].first) + 1]++] = i;
    }
    return order;
}

static stacks sort_by_address(tn_build *b) {
    uint32_t n = b->p->n_storages;
    stacks s = {.b = b,
                .rank = TN_ARRAY(b->scratch, uint32_t, n),
                .storage = TN_ARRAY(b->scratch, uint32_t, n),
                .alive = tn_bit_tree_make(b->scratch, n + 1),
                .above = tn_arena_array(b->scratch, n, sizeof(id_list))};
    const tn_storage **sorted = TN_ARRAY(b->scratch, const tn_storage *, n);
    for (uint32_t i = 0; i < n; i++) {
        sorted[i] = &b->p->storages[i];
    }
    TN_SORT(sorted, n, by_address);
    for (uint32_t i = 0; i < n; i++) {
        s.storage[i] = sorted[i]->id;
    }
    if (!b->equal_types && b->order->before == NULL) {
        tn_relation_improve(b->p, b->scratch, b->worth == NULL, s.storage);
    }
    for (uint32_t i = 0; i < n; i++) {
        s.rank[s.storage[i]] = i;
    }
    return s;
}

/* Below level 1 bytes are shared by equal types alone, which lie at one offset: all storages there
 * lie above all those at the offset below, so that no others meet them for any extents. */
static void relate_objects(stacks *s) {
    const tn_plan *p = s->b->p;
    uint32_t below = 0, from = 0; /* ranks at which the object below begins, and this one */
    for (uint32_t i = 0; i < p->n_storages; i++) {
        const tn_storage *now = &p->storages[s->storage[i]];
        const tn_storage *first = &p->storages[s->storage[from]];
        bool same = now->pool == first->pool && now->offset == first->offset;
        if (!same || first->size == 0) { /* what has no bytes here is nobody's object */
            below = now->pool == first->pool && i > 0 ? from : i;
            from = i;
        }
        for (uint32_t k = below; k < from; k++) {
            relate(s, k, i);
        }
    }
}

static void relate_stacks(stacks *s) {
    tn_build *b = s->b;
    const tn_plan *p = b->p;
    const uint32_t *begins = by_step(b, false), *ends = by_step(b, true);
    for (uint32_t i = 0, k = 0; i < p->n_storages; i++) {
        const tn_storage *now = &p->storages[begins[i]];
        for (; p->storages[ends[k]].last < now->first; k++) {
            tn_bit_tree_remove(&s->alive, s->rank[ends[k]]);
        }
        come_to_life(s, begins[i]);
    }
}

static void demand_few(const tn_build *b) {
    const tn_plan *p = b->p;
    if (p->n_storages > TN_MAX_RELATED || p->n_steps > TN_MAX_RELATED) {
        tn_loc loc = tn_loc_file(b->m->file);
        tn_fail(
            b->ctx, &loc,
            "%u storages and %u steps are more than the %u of a plan with open dimensions whose "
            "steps run side by side: bind '%s' with --dim, or plan with --concurrency=serial",
            p->n_storages, p->n_steps, TN_MAX_RELATED, p->ranges[0].name);
    }
}

/* From the lowest storage up; of those below that may be in use at the same time the highest first,
 * since a path through it leads to most others. Outside of the arena all may be. */
static void relate_conflicts(stacks *s) {
    const tn_build *b = s->b;
    const tn_plan *p = b->p;
    uint32_t n = p->n_storages, words = tn_bit_words(n);
    demand_few(b);
    const tn_class_order *order = tn_class_order_make(b->scratch, b->order, b->live, b->classes);
    uint64_t *below = tn_arena_array(b->scratch, (size_t)n * words, sizeof *below);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t *row = below + (size_t)i * words;
        for (uint32_t k = i; k-- > 0;) {
            uint32_t x = s->storage[k], y = s->storage[i];
            bool arena = p->pools[p->storages[y].pool].kind == TN_POOL_ARENA;
            if (tn_bit_has(row, k) || p->storages[x].pool != p->storages[y].pool ||
                (arena && (tn_class_precedes(order, x, y) || tn_class_precedes(order, y, x)))) {
                continue;
            }
            relate(s, k, i);
            for (uint32_t w = 0; w < words; w++) {
                row[w] |= below[(size_t)k * words + w];
            }
            tn_bit_add(row, k);
        }
    }
}

static void find_relation(tn_build *b) {
    tn_plan *p = b->p;
    stacks s = sort_by_address(b);
    (b->equal_types             ? relate_objects
     : b->order->before != NULL ? relate_conflicts
                                : relate_stacks)(&s);
    for (uint32_t i = 0; i < p->n_storages; i++) {
        p->storages[i].above = (tn_ids){s.above[i].data, s.above[i].len};
        bool arena = p->pools[p->storages[i].pool].kind == TN_POOL_ARENA;
        if (arena && s.above[i].len == 0) { /* packers leave room for what is gone by then */
            p->storages[i].offset = 0;
        }
    }
}

/* ---- what the caller keeps ---- */

/* Whether bytes are in the storage before the first run: state, and defaults of inputs. */
static bool *find_filled(tn_build *b) {
    bool *filled = TN_ARRAY(b->scratch, bool, b->p->n_storages);
    for (uint32_t i = 0; i < b->p->n_values; i++) {
        const tn_plan_value *v = &b->p->values[i];
        const tn_value *of = b->m->values[v->module_value];
        if (v->storage != TN_NO_ID && (v->role == TN_ROLE_STATE || tn_value_tensor(of) != NULL)) {
            filled[v->storage] = true;
        }
    }
    return filled;
}

/* What stays from run to run comes first, and of that what has one size: no open size lies below
 * it, so it has one place for all extents, and in all variants. */
static void order_io(tn_build *b) {
    tn_plan *p = b->p;
    const bool *filled = find_filled(b);
    uint64_t *end = TN_ARRAY(b->scratch, uint64_t, p->n_pools);
    for (int rank = 0; rank < 3; rank++) {
        for (uint32_t i = 0; i < p->n_storages; i++) {
            tn_storage *s = &p->storages[i];
            int own = !filled[i] ? 2 : s->size_expr != TN_DIM_UNKNOWN;
            if (p->pools[s->pool].kind == TN_POOL_IO && own == rank) {
                (void)tn_align_u64(end[s->pool], s->align, &s->offset); /* fitted before */
                end[s->pool] = s->offset + s->size;
            }
        }
    }
}

/* ---- all of it ---- */

static int by_name(const void *a, const void *b) {
    return strcmp(((const tn_plan_range *)a)->name, ((const tn_plan_range *)b)->name);
}

static void write_ranges(tn_build *b) {
    tn_plan *p = b->p;
    const tn_dim_range *open = tn_dims_ranges(b->m->dims, &p->n_ranges);
    p->ranges = TN_ARRAY(p->arena, tn_plan_range, p->n_ranges);
    for (uint32_t i = 0; i < p->n_ranges; i++) {
        p->ranges[i] =
            (tn_plan_range){tn_arena_strndup(p->arena, open[i].name, strlen(open[i].name)),
                            open[i].min, open[i].max, open[i].point};
    }
    TN_SORT(p->ranges, p->n_ranges, by_name);
}

static int by_related_name(const void *a, const void *b) {
    return strcmp(((const tn_plan_relation *)a)->name, ((const tn_plan_relation *)b)->name);
}

/* One that has come to be a number is bound, as others are. */
static void write_relations(tn_build *b) {
    tn_plan *p = b->p;
    uint32_t n;
    const tn_dim_relation *all = tn_dims_relations(b->m->dims, &n);
    translation t = {.b = b, .seen = tn_map_make(b->scratch), .text = tn_sink_make(b->scratch)};
    p->relations = TN_ARRAY(p->arena, tn_plan_relation, n);
    for (uint32_t i = 0; i < n; i++) {
        int64_t extent;
        if (tn_dim_at_point(b->m->dims, all[i].is, &extent) &&
            !tn_dim_is_const(b->m->dims, all[i].is, &extent)) {
            tn_dim is = translate(&t, all[i].is);
            p->relations[p->n_relations++] = (tn_plan_relation){
                tn_arena_strndup(p->arena, all[i].name, strlen(all[i].name)), is, text_of(&t, is)};
        }
    }
    TN_SORT(p->relations, p->n_relations, by_related_name);
}

tn_status tn_build_ranges(tn_build *b) {
    tn_plan *p = b->p;
    tn_resolved at;
    write_ranges(b);
    if (p->n_ranges == 0) {
        return TN_OK;
    }
    if (p->n_slots > 0) {
        tn_loc loc = tn_loc_file(b->m->file);
        return tn_usage(b->ctx, &loc,
                        "shared objects (--memory=slots) have one size each, and '%s' stays open: "
                        "bind it with --dim, or plan offsets (--memory=offsets)",
                        p->ranges[0].name);
    }
    p->exprs = tn_dims_new(p->arena);
    for (uint32_t i = 0; i < p->n_ranges; i++) {
        const tn_plan_range *r = &p->ranges[i];
        tn_dims_open(p->exprs, (tn_dim_range){r->name, r->min, r->max, r->point});
    }
    write_relations(b);
    write_sizes(b);
    if (b->worth != NULL && !b->worth->is_worth(b->worth->user, p)) {
        return TN_NOFIT; /* without a word */
    }
    order_io(b);
    find_relation(b);
    int64_t *point = TN_ARRAY(b->scratch, int64_t, p->n_ranges);
    for (uint32_t i = 0; i < p->n_ranges; i++) {
        point[i] = p->ranges[i].point;
    }
    tn_status status = tn_plan_resolve(p, point, b->scratch, &at);
    for (uint32_t i = 0; i < p->n_storages && status == TN_OK; i++) {
        p->storages[i].offset = at.storage_offset[i];
    }
    for (uint32_t i = 0; i < p->n_pools && status == TN_OK; i++) {
        tn_pool *pool = &p->pools[i];
        pool->size = at.pool_size[i];
        /* In another order another storage is the last, behind which nothing is padded. */
        pool->bound = pool->kind == TN_POOL_IO ? pool->size : pool->bound;
    }
    return status;
}
