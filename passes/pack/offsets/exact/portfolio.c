#include "passes/pack/offsets/exact/portfolio.h"

#include "passes/pack/base/budgets.h"
#include "passes/pack/base/threads.h"
#include "passes/pack/base/without.h"
#include "passes/pack/offsets/exact/beam.h"
#include "passes/pack/offsets/exact/canonical.h"
#include "passes/pack/offsets/exact/gap_search.h"
#include "passes/pack/offsets/exact/heights.h"
#include "passes/pack/offsets/exact/valley.h"

typedef enum kind { VALLEY, CANONICAL, GAPS, BEAM } kind;

/* Members in the order in which their answers count. Found on generated instances (bench/): no one
 * rule is good everywhere, but a tight instance is usually easy for some of them. */
typedef struct member {
    kind kind;
    tn_valley_rule valley;
    const char *letters;
    bool beside_valley; /* takes part there too, but not in restarts: it knows no seeds */
} member;

static const member members[] = {
    {VALLEY, {TN_PICK_NARROW, "LW", false}, NULL, false},
    {VALLEY, {TN_PICK_FEWEST, "WZ", true}, NULL, false},
    {VALLEY, {TN_PICK_NARROW, "ZW", true}, NULL, false},
    {VALLEY, {TN_PICK_SLACK, "WZ", false}, NULL, false},
    {VALLEY, {TN_PICK_NARROW, "WZ", true}, NULL, false},
    {VALLEY, {TN_PICK_FEWEST, "wZ", true}, NULL, false},
    {VALLEY, {TN_PICK_FEWEST, "LW", false}, NULL, false},
    {VALLEY, {TN_PICK_LOWEST, "LW", false}, NULL, false},
    {CANONICAL, {0}, "TWA", false},
    {CANONICAL, {0}, "LZ", false},
    {CANONICAL, {0}, "WAT", true},
    {CANONICAL, {0}, "TAW", true},
    {GAPS, {0}, "TWA", false},
    {GAPS, {0}, "GTWA", false},
    {GAPS, {0}, "WZ", false},
    {GAPS, {0}, "A", false},
    {GAPS, {0}, "ZW", false},
    {BEAM, {.pick = TN_PICK_NARROW}, NULL, true},
    {BEAM, {.pick = TN_PICK_LOWEST}, NULL, true},
};

static const char *const names[] = {"valley", "canonical", "gaps", "beam"};

enum { N_MEMBERS = sizeof members / sizeof members[0] };

bool tn_portfolio_possible(const tn_inst *inst) {
    return inst->n > 0 && inst->n <= (inst->gaps ? TN_LIMIT_GAP_ITEMS : TN_LIMIT_PORTFOLIO_ITEMS);
}

typedef struct driver {
    tn_arena *arena;
    const tn_inst *inst;
    kind kind;           /* of the members that take part, but for those beside them */
    uint32_t n_members;  /* that take part */
    uint32_t seed;       /* of the members */
    bool full;           /* nothing may be wasted at the height that was asked for first */
    const tn_rows *rows; /* NULL with gaps */
    const tn_search_options *options;
    tn_packing *best;
    tn_search_result *result;
    tn_stop stop;
} driver;

/* One question to all members. */
typedef struct probe {
    driver *d;
    uint64_t goal, budget;
    tn_found found[N_MEMBERS];
    uint64_t nodes[N_MEMBERS];
    uint64_t *offsets[N_MEMBERS]; /* of those that found a packing */
} probe;

/* What leaves out a member that stands beside valley search. */
static const char *step_of(const member *m) {
    return m->kind == BEAM ? "beam" : "canonical-beside";
}

static bool takes_part(const driver *d, const member *m) {
    return m->kind == d->kind ||
           (m->beside_valley && d->kind == VALLEY && d->seed == 0 && (m->kind != BEAM || d->full) &&
            !tn_left_out(d->options->without, step_of(m)));
}

static tn_found ask_member(tn_arena *arena, const probe *p, uint32_t k, uint64_t *nodes) {
    driver *d = p->d;
    const member *m = &members[k];
    tn_question q = {p->goal, p->budget, d->seed, {&d->stop, k}};
    switch (m->kind) {
    case VALLEY:
        return tn_valley_run(arena, d->rows, &m->valley, &q, p->offsets[k], nodes);
    case CANONICAL:
        q.budget = q.budget / TN_LIMIT_CANONICAL_SHARE + 1;
        return tn_canonical_run(arena, d->rows, m->letters, &q, p->offsets[k], nodes);
    case BEAM:
        q.budget *= TN_LIMIT_BEAM_FACTOR;
        return tn_beam_possible(d->inst, p->goal)
                   ? tn_beam_run(arena, d->rows, m->valley.pick, &q, p->offsets[k], nodes)
                   : TN_FOUND_CUT;
    case GAPS:
    default:
        return tn_gap_search(arena, d->inst, m->letters, &q, p->offsets[k], nodes);
    }
}

static bool run_member(tn_ctx *ctx, void *user, uint32_t k) {
    probe *p = user;
    tn_stop *stop = &p->d->stop;
    if (takes_part(p->d, &members[k])) {
        tn_arena *arena = tn_arena_new(ctx);
        p->found[k] = ask_member(arena, p, k, &p->nodes[k]);
        tn_arena_drop(arena);
    }
    if (p->found[k] == TN_FOUND_CUT) {
        return !atomic_load(&stop->late);
    }
    uint32_t before = atomic_load(&stop->answered);
    while (k < before && !atomic_compare_exchange_weak(&stop->answered, &before, k)) {
    }
    return false;
}

/* Is there a packing no higher than `goal`? The answer is that of the first member that has one;
 * nodes are counted up to it, whatever else ran beside it. */
static tn_found ask(driver *d, uint64_t goal, uint64_t budget) {
    uint64_t left = d->options->budget - d->result->nodes, share = left / d->n_members + 1;
    uint64_t once = 4 * (uint64_t)d->inst->n; /* placing all, with a few detours */
    share = share > once ? share : left < once ? left : once;
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(d->arena));
    probe *p = TN_NEW(scratch, probe);
    p->d = d;
    p->goal = goal;
    p->budget = budget < share ? budget : share;
    for (uint32_t k = 0; k < N_MEMBERS; k++) {
        p->offsets[k] = TN_ARRAY(scratch, uint64_t, d->inst->n);
        p->found[k] = TN_FOUND_CUT;
    }
    atomic_store(&d->stop.answered, UINT32_MAX);
    tn_threads_run(tn_arena_ctx(d->arena), d->options->threads, N_MEMBERS, run_member, p);
    uint32_t winner = atomic_load(&d->stop.answered);
    tn_found found = TN_FOUND_CUT;
    for (uint32_t k = 0; k < N_MEMBERS && k <= winner; k++) {
        d->result->nodes += p->nodes[k];
        found = p->found[k];
    }
    if (found == TN_FOUND) {
        tn_packing_offer(d->best, d->inst, p->offsets[winner], names[members[winner].kind]);
    } else if (found == TN_FOUND_NONE) {
        uint64_t next = tn_left_out(d->options->without, "heights")
                            ? goal + 1
                            : tn_heights_above(d->arena, d->inst, goal);
        d->result->bound = next > d->result->bound ? next : d->result->bound;
    }
    tn_arena_drop(scratch);
    return found;
}

/* The height to go down to. */
static uint64_t lowest_goal(const driver *d) {
    return d->options->goal > d->result->bound ? d->options->goal : d->result->bound;
}

static bool finished(const driver *d) {
    return d->best->height <= lowest_goal(d) || d->result->nodes >= d->options->budget ||
           (d->options->decide && d->result->bound > d->options->goal) ||
           atomic_load(&d->stop.late);
}

/* Asks for heights between the goal and the best one known, halfway first, then nearer to the best,
 * then nearer to the goal. Each success begins anew: a lower height is not always harder, as it
 * leaves less to try. */
static void close_in(driver *d, uint64_t budget) {
    static const uint32_t eighths[] = {4, 6, 7, 5, 3, 2, 1};
    for (size_t k = 0; k < sizeof eighths / sizeof eighths[0] && !finished(d);) {
        uint64_t low = lowest_goal(d), gap = d->best->height - low;
        uint64_t goal = low + gap / 8 * eighths[k];
        k = goal < d->best->height && ask(d, goal, budget) != TN_FOUND_CUT ? 0 : k + 1;
    }
}

/* 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ...: how long the k-th restart (from 1) may be, of Luby, Sinclair
 * and Zuckerman: hardly worse than the best fixed length, whatever that is. */
static uint64_t restart_length(uint32_t k) {
    for (uint64_t whole = 1;; whole = 2 * whole + 1) {
        if (k == whole) {
            return whole / 2 + 1;
        }
        if (k < whole) { /* a shorter beginning comes again */
            k -= (uint32_t)(whole / 2);
            whole = 0;
        }
    }
}

/* Asks for the goal, or what has become of it, and unless that is all, for heights above it. */
static void go_down(driver *d, uint64_t budget) {
    while (!finished(d) && ask(d, lowest_goal(d), budget) == TN_FOUND_NONE) {
    }
    if (!d->options->decide && !tn_left_out(d->options->without, "close-in")) {
        close_in(d, budget / 4 + 1);
    }
}

void tn_portfolio_run(tn_arena *arena, const tn_inst *inst, const tn_search_options *options,
                      tn_packing *best, tn_search_result *result) {
    driver d = {.inst = inst, .options = options, .best = best, .result = result};
    d.arena = tn_arena_new(tn_arena_ctx(arena));
    d.kind = inst->gaps ? GAPS : inst->plain ? VALLEY : CANONICAL;
    d.full = tn_beam_possible(inst, options->goal > inst->bound ? options->goal : inst->bound);
    for (uint32_t k = 0; k < N_MEMBERS; k++) {
        d.n_members += takes_part(&d, &members[k]);
    }
    d.rows = inst->gaps ? NULL : tn_rows_make(d.arena, inst);
    d.stop.deadline_ns = options->deadline_ns;
    result->bound = inst->bound;
    uint32_t restarts = 0;
    bool restart = d.kind == VALLEY && !tn_left_out(options->without, "restarts");
    uint64_t first =
        inst->n > TN_LIMIT_PORTFOLIO_NODES / 3 ? 3 * (uint64_t)inst->n : TN_LIMIT_PORTFOLIO_NODES;
    for (uint64_t budget = first; !finished(&d); budget *= TN_LIMIT_ROUND_GROWTH) {
        d.seed = 0;
        go_down(&d, budget);
        for (uint64_t spent = 0; restart && spent < budget && !finished(&d);) {
            uint64_t share = first * restart_length(++restarts);
            d.seed = restarts;
            go_down(&d, share);
            spent += share;
        }
    }
    tn_arena_drop(d.arena);
}
