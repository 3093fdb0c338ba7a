/* The checker's parts in order. A part that fails ends the proof when later parts would only report
 * the same mistake again, or could not trust the tables that it fills. */
#include "ir/check/check.h"

#include <stdarg.h>
#include <string.h>

#include "ir/check/check_t.h"
#include "ir/ops/op_set.h"
#include "ir/plan/plan_digest.h"
#include "ir/plan/plan_names.h"

void tn_check_fail(tn_checking *c, const char *fmt, ...) {
    if (c->n_reports++ >= TN_CHECK_MAX_REPORTS && !c->other_model) {
        return;
    }
    va_list args;
    va_start(args, fmt);
    const char *text = tn_arena_vprintf(c->arena, fmt, args);
    va_end(args);
    if (!c->other_model) {
        (void)tn_error(c->ctx, &c->loc, "%s", text);
    } else if (!c->differs) {
        c->differs = true;
        tn_note(c->ctx, &c->loc, "the first difference: %s", text);
    }
}

const char *tn_check_value_name(const tn_checking *c, uint32_t value) {
    const tn_plan_value *v = &c->p->values[value];
    const char *slash = v->graph[0] != '\0' ? "/" : "";
    return tn_arena_printf(c->arena, "'%s%s%s'", v->graph, slash, v->name);
}

const char *tn_check_step_name(const tn_checking *c, int32_t step) {
    if (step < 0 || (uint32_t)step >= c->p->n_steps) {
        return "the caller";
    }
    tn_sink s = tn_sink_make(c->arena);
    tn_put_step(&s, c->p, (uint32_t)step);
    return s.data;
}

uint32_t tn_check_content(const tn_checking *c, uint32_t value) {
    while (c->facts[value].content != value) {
        uint32_t up = c->facts[value].content;
        c->facts[value].content = c->facts[up].content;
        value = up;
    }
    return value;
}

uint64_t tn_check_address(const tn_checking *c, uint32_t value) {
    const tn_plan_value *v = &c->p->values[value];
    return c->pool_base[c->p->storages[v->storage].pool] + tn_plan_address(c->p, v);
}

/* A plan of another model goes wrong everywhere, which one message says and one example shows. */
static void check_model(tn_checking *c) {
    const char *digest = tn_plan_digest(c->m, c->arena);
    if (strcmp(c->p->digest, digest) != 0) {
        tn_check_fail(c,
                      "the plan was made for another model, or with other dimensions bound: its "
                      "digest is '%s', this model's '%s'; make a plan of this one (tenure plan)",
                      c->p->digest, digest);
        c->other_model = true;
    }
}

/* Claims that rest on kernels' facts are judged by these facts alone. */
static void check_facts(tn_checking *c) {
    uint32_t n = c->m->op_set != NULL ? c->m->op_set->digests.len : 0;
    bool same = n == c->p->n_facts;
    for (uint32_t i = 0; i < n && same; i++) {
        same = strcmp(c->p->facts[i], c->m->op_set->digests.data[i]) == 0;
    }
    if (!same && c->p->n_facts > 0) {
        tn_check_fail(c,
                      "the plan rests on %u file(s) of kernels' facts, the first of SHA-256 '%s'; "
                      "give the same ones in the same order (--op-facts)",
                      c->p->n_facts, c->p->facts[0]);
    } else if (!same) {
        tn_check_fail(c, "the plan was made without kernels' facts; leave out --op-facts");
    }
}

typedef struct part {
    void (*run)(tn_checking *c);
    bool ends; /* the proof ends here when anything has failed so far */
} part;

static const part parts[] = {
    {tn_check_indices, true},      {tn_check_values, false},     {tn_check_steps, true},
    {tn_check_clones, true},       {tn_check_groups, true},      {tn_check_concurrency, true},
    {tn_check_left_out, false},    {tn_check_live_ranges, true}, {tn_check_by_data, false},
    {tn_check_stated, false},      {tn_check_places, false},     {tn_check_aliases, false},
    {tn_check_overlaps, false},    {tn_check_overwrites, true},  {tn_check_unnamed, false},
    {tn_check_shape_waits, false}, {tn_check_storages, false},   {tn_check_ranges, false},
    {tn_check_contract, false},    {tn_check_moves, false},      {tn_check_frees, false},
    {tn_check_report, false},      {tn_check_depth, false},      {tn_check_pools, false},
};

tn_status tn_plan_check(const tn_plan *p, const tn_module *m) {
    tn_progress(m->ctx, "check");
    tn_arena *arena = tn_arena_new(m->ctx);
    tn_checking c = {.p = p, .m = m, .ctx = m->ctx, .arena = arena, .loc = tn_loc_file(m->file)};
    c.text = tn_sink_make(arena);
    check_facts(&c);
    bool judged = c.n_reports == 0; /* else every claim of theirs would be reported by itself */
    if (judged) {
        check_model(&c);
    }
    uint32_t before = c.n_reports;
    for (size_t i = 0; judged && i < sizeof parts / sizeof parts[0]; i++) {
        parts[i].run(&c);
        if (c.n_reports > before && (parts[i].ends || c.other_model)) {
            break;
        }
    }
    if (c.n_reports > TN_CHECK_MAX_REPORTS && !c.other_model) {
        tn_note(c.ctx, &c.loc, "%u more mistakes in the plan are not shown",
                c.n_reports - TN_CHECK_MAX_REPORTS);
    }
    tn_arena_drop(arena);
    return c.n_reports == 0 ? TN_OK : TN_ERROR;
}
