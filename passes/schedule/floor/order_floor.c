#include "passes/schedule/floor/order_floor.h"

#include <string.h>

#include "ir/base/xmath.h"
#include "passes/schedule/floor/floor_t.h"

/* What a problem may hold (passes/order/sched.h), with space for workspaces. */
#define MAX_TOTAL (UINT64_C(1) << 58)

/* Each case but the first gets one part in so many of the budgets, and steps that prove nothing are
 * left out: the bound of the case that it is a part of is its own, too. */
enum { MAX_CASES = 16, CASE_SHARE = 32 };

/* One way of deciding about some links, and what is known of it. */
typedef struct floor_case {
    const uint8_t *decided; /* by link; NULL: all are open */
    const bool *counted;
    uint64_t bound;
    uint32_t n_links, open; /* the link to decide next, or TN_SCHED_NONE */
} floor_case;

static bool count_blocks(const tn_module *m, const tn_storages *s, uint64_t align,
                         uint64_t *blocks) {
    uint64_t total = 0;
    for (uint32_t i = 0; i < m->n_values; i++) {
        uint64_t size = 0;
        if (s->of[i] != TN_NO_CLASS &&
            (!tn_align_u64(s->bytes[i], align, &size) || size > MAX_TOTAL - total)) {
            return false;
        }
        total += size;
        blocks[i] = size / align;
    }
    return true;
}

/* What a loop hands on lies where its operand does, which is there all the time. */
static const tn_home *find_homes(tn_arena *arena, const tn_module *m, const tn_handed_on *handed) {
    tn_home *home = TN_ARRAY(arena, tn_home, m->n_values);
    memcpy(home, tn_value_homes(m, arena), m->n_values * sizeof *home);
    for (uint32_t i = 0; i < m->n_values; i++) {
        bool on = m->values[i]->kind == TN_VALUE_INPUT && handed->from[i] != NULL;
        home[i] = on ? TN_HOME_CONST : home[i];
    }
    return home;
}

static tn_floor make(tn_arena *arena, tn_module *m, tn_analyses *an, const tn_floor_ask *ask,
                     const floor_case *x) {
    return (tn_floor){.arena = arena,
                      .m = m,
                      .live = tn_get_liveness(an),
                      .s = tn_get_storages(an),
                      .home = find_homes(arena, m, tn_get_handed_on(an)),
                      .in = ask->graphs,
                      .ask = ask->model,
                      .options = ask->options,
                      .memory = ask->memory,
                      .level_of = TN_ARRAY(arena, uint32_t, m->n_graphs),
                      .node = TN_ARRAY(arena, uint32_t, m->n_ops),
                      .levels = TN_ARRAY(arena, tn_floor_level, m->n_graphs),
                      .need = TN_ARRAY(arena, uint64_t, m->n_graphs),
                      .counted = x->counted,
                      .decided = x->decided,
                      .class_of = TN_ARRAY(arena, uint32_t, m->n_values),
                      .joined = TN_ARRAY(arena, bool, m->n_values),
                      .splits = ask->max_cases > 1,
                      .again = ask->max_cases > 1 ? m->n_ops : 0};
}

/* What is the same in all cases. */
typedef struct floor_known {
    const uint64_t *blocks; /* by value */
    tn_content_facts facts;
} floor_known;

static bool find_facts(tn_arena *arena, tn_module *m, tn_analyses *an, const tn_floor_ask *ask,
                       floor_known *out) {
    uint64_t *blocks = TN_ARRAY(arena, uint64_t, m->n_values);
    const tn_storages *s = tn_get_storages(an);
    tn_content_ask facts = {ask->model->align, ask->model->inplace, ask->model->io_in_arena, blocks,
                            tn_get_handed_on(an)};
    out->blocks = blocks;
    return count_blocks(m, s, ask->model->align, blocks) &&
           tn_content_facts_make(arena, m, s, &facts, &out->facts);
}

/* How values lie over each other: the same whatever counts. */
static bool find_cells(tn_floor *w, const floor_known *known) {
    uint32_t n = known->facts.links.len;
    w->facts = known->facts;
    if (w->decided != NULL) {
        w->facts.links.data = tn_arena_array(w->arena, n, sizeof *w->facts.links.data);
        memcpy(w->facts.links.data, known->facts.links.data, n * sizeof *w->facts.links.data);
        tn_floor_find_classes(w);
    }
    return tn_contents_make(w->arena, w->m->n_values, known->blocks, w->facts.links.data, n,
                            &w->cells);
}

/* The same for another question about the case. Contents are joined while it is solved. */
static void take_cells(tn_floor *w, const tn_floor *from) {
    w->facts = from->facts;
    w->class_of = from->class_of;
    w->joined = from->joined;
    w->cells = from->cells;
    w->cells.up = TN_ARRAY(w->arena, uint32_t, w->cells.n);
    memcpy(w->cells.up, from->cells.up, w->cells.n * sizeof *w->cells.up);
}

/* The contents, and how they may lie over each other. */
static void find_problem(tn_floor *w, const uint64_t *blocks) {
    w->of = TN_ARRAY(w->arena, tn_content, w->cells.n);
    tn_floor_find_levels(w);
    tn_floor_add_edges(w);
    tn_floor_find_contents(w);
    tn_floor_find_readers(w);
    tn_floor_find_heads(w);
    tn_floor_find_inner(w, blocks);
    tn_floor_find_pairs(w);
}

static uint64_t solve_all(tn_floor *w) {
    const tn_module *m = w->m;
    for (uint32_t g = 0; g < m->n_graphs; g++) {
        tn_floor_settle_pairs(w, &w->levels[g]);
    }
    tn_floor_find_heads(w);
    tn_floor_find_touches(w);
    tn_floor_find_bases(w);
    uint32_t *tensor = TN_ARRAY(w->arena, uint32_t, w->cells.n);
    for (uint32_t g = m->n_graphs; g-- > 0;) { /* bodies before the graphs of their ops */
        if (w->level_of[g] == g) {
            tn_floor_solve(w, g, tensor);
        }
    }
    uint64_t need = w->need[m->main->id];
    return need > w->credit ? need - w->credit : 0;
}

/* Solves one case: outputs of the caller's that are results once with whatever may lie in them for
 * nothing, and then, where that is much, as large as they are. */
static void solve_case(tn_module *m, tn_analyses *an, const tn_floor_ask *ask,
                       const floor_known *known, floor_case *x) {
    tn_arena *arena = tn_arena_new(m->ctx);
    bool *counted = TN_ARRAY(arena, bool, m->n_values);
    x->counted = counted;
    tn_floor w = make(arena, m, an, ask, x), again = make(arena, m, an, ask, x);
    bool any = find_cells(&w, known), lent = false;
    if (any) {
        take_cells(&again, &w);
        find_problem(&w, known->blocks);
        lent = tn_floor_find_movable(&w);
    }
    x->bound = any ? solve_all(&w) : 0;
    tn_floor *most = &w;
    x->n_links = w.facts.links.len;
    if (lent && x->bound < ask->enough) {
        for (uint32_t i = 0; i < m->main->n_outputs; i++) {
            const tn_value *v = m->main->outputs[i];
            bool io = w.home[v->id] == TN_HOME_IO && v->kind == TN_VALUE_RESULT;
            counted[v->id] = io && !ask->model->io_in_arena;
        }
        find_problem(&again, known->blocks);
        (void)tn_floor_find_movable(&again);
        for (uint32_t i = 0; i < again.cells.n; i++) {
            bool own = tn_content_of(&again.cells, i) == i;
            again.credit += own && (again.of[i].flags & TN_CONTENT_CALLERS) ? again.of[i].bytes : 0;
        }
        uint64_t other = solve_all(&again);
        most = other > x->bound ? &again : most;
        x->bound = other > x->bound ? other : x->bound;
    }
    bool goes_on = any && x->bound < ask->enough;
    x->open = goes_on ? tn_floor_find_open(most, x->bound) : TN_SCHED_NONE;
    tn_arena_drop(arena);
}

static floor_case decide(tn_arena *arena, tn_module *m, tn_analyses *an, const tn_floor_ask *ask,
                         const floor_known *known, const floor_case *from, uint8_t decision) {
    tn_sched_options options = *ask->options;
    options.search /= CASE_SHARE;
    options.flow /= CASE_SHARE;
    tn_floor_ask part = *ask;
    part.options = &options;
    uint8_t *decided = TN_ARRAY(arena, uint8_t, from->n_links);
    for (uint32_t i = 0; i < from->n_links && from->decided != NULL; i++) {
        decided[i] = from->decided[i];
    }
    decided[from->open] = decision;
    floor_case x = {.decided = decided};
    solve_case(m, an, &part, known, &x);
    x.bound = x.bound > from->bound ? x.bound : from->bound;
    return x;
}

/* The least bound of all cases; each time the case that has it is split in two. */
uint64_t tn_order_floor(tn_arena *arena, tn_module *m, tn_analyses *an, const tn_floor_ask *ask) {
    tn_sched_options options = *ask->options;
    options.without |= 1u << TN_ORDER_divide | 1u << TN_ORDER_windows;
    tn_floor_ask first = *ask;
    first.options = &options;
    floor_case list[MAX_CASES] = {0};
    uint32_t n = 1, least = 0;
    floor_known known;
    if (!find_facts(arena, m, an, ask, &known)) {
        return 0;
    }
    solve_case(m, an, &first, &known, &list[0]);
    while (n < MAX_CASES && n < ask->max_cases && list[least].bound < ask->enough &&
           list[least].open != TN_SCHED_NONE) {
        floor_case from = list[least];
        list[least] = decide(arena, m, an, &first, &known, &from, TN_PART_INSIDE);
        list[n++] = decide(arena, m, an, &first, &known, &from, TN_PART_APART);
        for (uint32_t i = least = 0; i < n; i++) {
            least = list[i].bound < list[least].bound ? i : least;
        }
    }
    return list[least].bound;
}
