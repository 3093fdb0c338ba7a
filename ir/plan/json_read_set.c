/* Programs and variants of JSON plans. A plan alone is one program in one variant; of a set each
 * variant is a plan, and the first of them owns the rest. */
#include "ir/plan/json_read_t.h"

#include <string.h>

#include "ir/base/limits.h"

void tn_json_read_variant_facts(tn_json_item *at) {
    tn_plan *p = at->r->plan;
    uint32_t n;
    if (p->set == NULL) {
        return;
    }
    p->digest = tn_json_text(at, "digest");
    p->layout = tn_json_text(at, "layout");
    json_t *needs = tn_json_list(at, "needs", &n);
    if (n != p->n_pools) {
        tn_json_bad(at, "needs", tn_arena_printf(p->arena, "%u pools", p->n_pools));
    }
    for (uint32_t i = 0; i < n; i++) {
        tn_json_item item = tn_json_open_item(at, needs, "needs", i);
        p->pools[i].size = tn_json_number(&item, "size");
        p->pools[i].bound = tn_json_number(&item, "bound");
        p->pools[i].traffic = p->pools[i].cost > 0 ? tn_json_number(&item, "traffic") : 0;
        tn_json_done(&item);
    }
}

/* What the head of the file says holds for every plan of it. */
static tn_plan *next_plan(tn_json_reader *r, const tn_plan *first) {
    tn_plan *p = tn_plan_new(r->ctx);
    p->version = first->version;
    p->pipeline = first->pipeline;
    p->options = first->options;
    p->n_options = first->n_options;
    p->facts = first->facts;
    p->n_facts = first->n_facts;
    p->set = first->set;
    r->plan = p;
    r->arena = p->arena;
    return p;
}

static void copy_pools(tn_plan *p, const tn_plan_set *set, uint32_t n) {
    p->pools = TN_ARRAY(p->arena, tn_pool, n);
    p->n_pools = n;
    for (uint32_t i = 0; i < n; i++) {
        p->pools[i] = set->pools[i];
    }
}

typedef struct reading {
    tn_json_reader *r;
    tn_plan *first;
    uint32_t n_pools, n_plans;
    void (*read_variant)(tn_json_item *at);
} reading;

/* Nested lists of a program share its arena with the file's. */
static void read_program(reading *k, tn_json_item *at, tn_plan_program *out) {
    uint32_t n;
    out->name = tn_json_text(at, "name");
    const char *model = tn_json_text(at, "model");
    json_t *variants = tn_json_list(at, "variants", &n);
    if (n == 0 || n > TN_MAX_VARIANTS) {
        tn_json_bad(at, "variants",
                    tn_arena_printf(k->first->arena, "1 to %u of them", TN_MAX_VARIANTS));
    }
    out->variants = TN_ARRAY(k->first->arena, tn_plan *, n);
    for (uint32_t i = 0; i < n; i++) {
        tn_json_item variant = tn_json_open_item(at, variants, "variants", i);
        tn_plan *p = k->n_plans++ == 0 ? k->first : next_plan(k->r, k->first);
        copy_pools(p, k->first->set, k->n_pools);
        p->model = model;
        out->variants[out->n_variants++] = p;
        k->read_variant(&variant);
    }
    tn_json_done(at);
}

static void read_links(tn_json_item *top, tn_plan_set *set) {
    json_t *list = tn_json_list(top, "links", &set->n_links);
    set->links = TN_ARRAY(top->r->arena, tn_plan_link, set->n_links);
    for (uint32_t i = 0; i < set->n_links; i++) {
        tn_json_item at = tn_json_open_item(top, list, "links", i);
        tn_plan_link *l = &set->links[i];
        l->from = tn_json_index_of(&at, "from", set->n_programs);
        l->from_value = tn_json_text(&at, "from_value");
        l->to = tn_json_index_of(&at, "to", set->n_programs);
        l->to_value = tn_json_text(&at, "to_value");
        tn_json_done(&at);
    }
}

static void demand_names_apart(tn_json_item *top, const tn_plan_set *set) {
    for (uint32_t i = 0; i < set->n_programs; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (strcmp(set->programs[i].name, set->programs[k].name) == 0) {
                tn_json_bad(top, "programs", "programs with names of their own");
            }
        }
    }
}

static void read_set(tn_json_item *top, void (*read_variant)(tn_json_item *at)) {
    tn_plan *first = top->r->plan;
    tn_plan_set *set = TN_NEW(first->arena, tn_plan_set);
    json_t *programs = tn_json_list(top, "programs", &set->n_programs);
    if (set->n_programs == 0 || set->n_programs > TN_MAX_VARIANTS) {
        tn_json_bad(top, "programs",
                    tn_arena_printf(first->arena, "1 to %u of them", TN_MAX_VARIANTS));
    }
    set->pools = first->pools;
    set->digest = first->digest;
    set->layout = first->layout;
    first->set = set;
    read_links(top, set);
    set->programs = TN_ARRAY(first->arena, tn_plan_program, set->n_programs);
    reading k = {top->r, first, first->n_pools, 0, read_variant};
    for (uint32_t i = 0; i < set->n_programs; i++) {
        tn_json_item at = tn_json_open_item(top, programs, "programs", i);
        read_program(&k, &at, &set->programs[i]);
    }
    top->r->plan = first;
    top->r->arena = first->arena;
    demand_names_apart(top, set);
}

/* The one item of a list of a plan alone. */
static tn_json_item only_item(tn_json_item *up, const char *name) {
    uint32_t n;
    json_t *list = tn_json_list(up, name, &n);
    if (n != 1) {
        tn_json_bad(up, name, "one item; a file with several has \"links\" too");
    }
    return tn_json_open_item(up, list, name, 0);
}

void tn_json_read_programs(tn_json_item *top, void (*read_variant)(tn_json_item *at)) {
    if (json_object_get(top->json, "links") != NULL) {
        read_set(top, read_variant);
        return;
    }
    tn_json_item program = only_item(top, "programs");
    top->r->plan->model = tn_json_text(&program, "name");
    tn_json_item variant = only_item(&program, "variants");
    read_variant(&variant);
    tn_json_done(&program);
}
