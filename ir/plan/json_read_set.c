/* Programs and variants: what plans of several of them have in JSON. */
#include "ir/plan/json_read_t.h"

/* A plan of a set has what the file says of all of them. */
static tn_plan *begin_variant(tn_json_reader *r, const tn_plan *head, const tn_plan_set *set) {
    tn_plan *p = tn_plan_new(r->ctx);
    p->version = head->version;
    p->digest = head->digest;
    p->layout = head->layout;
    p->facts = head->facts;
    p->n_facts = head->n_facts;
    p->pipeline = head->pipeline;
    p->options = head->options;
    p->n_options = head->n_options;
    p->n_pools = head->n_pools;
    p->pools =
        tn_arena_regrow(p->arena, set->pools, head->n_pools, head->n_pools, sizeof *set->pools);
    return p;
}

/* What the plan alone needs of pools that it has together with others. */
void tn_json_read_needs(tn_json_item *at) {
    tn_plan *p = at->r->plan;
    uint32_t n;
    json_t *list = tn_json_list(at, "needs", &n);
    if (n != p->n_pools) {
        tn_json_bad(at, "needs", "one item for each pool");
    }
    for (uint32_t i = 0; i < n; i++) {
        tn_json_item in = tn_json_open_item(at, list, "needs", i);
        tn_pool *pool = &p->pools[i];
        pool->size = (uint64_t)tn_json_integer(&in, "size", 0, (int64_t)pool->size);
        pool->bound = tn_json_number(&in, "bound");
        tn_json_done(&in);
    }
}

/* Reads variant k of a program as the plan of the reader, which the head is for the first of all.
 */
static void read_program(tn_json_item *at, tn_plan *head, tn_plan_program *program) {
    tn_json_reader *r = at->r;
    tn_plan_set *set = head->set;
    program->name = tn_json_text(at, "name");
    const char *digest = set != NULL ? tn_json_text(at, "digest") : head->digest;
    json_t *list = tn_json_list(at, "variants", &program->n_variants);
    if (program->n_variants == 0) {
        tn_json_bad(at, "variants", "at least one variant");
    }
    program->variants = TN_ARRAY(head->arena, tn_plan *, program->n_variants);
    for (uint32_t k = 0; k < program->n_variants; k++) {
        tn_json_item variant = tn_json_open_item(at, list, "variants", k);
        bool first = k == 0 && (set == NULL || program == set->programs);
        program->variants[k] = r->plan = first ? head : begin_variant(r, head, set);
        r->arena = r->plan->arena;
        r->plan->model = program->name;
        r->plan->digest = digest;
        r->plan->set = set;
        tn_json_read_variant(&variant);
    }
    tn_json_done(at);
}

/* Plans of a set are dropped with the first of them, so that one must know of the others only when
 * all are read. */
void tn_json_read_programs(tn_json_item *top) {
    tn_plan *head = top->r->plan;
    uint32_t n, n_variants = 0;
    json_t *list = tn_json_list(top, "programs", &n);
    if (n == 0) {
        tn_json_bad(top, "programs", "at least one program");
    }
    tn_plan_program *programs = TN_ARRAY(head->arena, tn_plan_program, n);
    tn_plan_set *set = TN_NEW(head->arena, tn_plan_set);
    *set = (tn_plan_set){.programs = programs, .n_programs = n};
    for (uint32_t i = 0; i < n; i++) {
        json_t *variants = json_object_get(json_array_get(list, i), "variants");
        n_variants += (uint32_t)json_array_size(variants);
    }
    set->pools = tn_arena_regrow(head->arena, head->pools, head->n_pools, head->n_pools,
                                 sizeof *head->pools);
    head->set = n_variants > 1 ? set : NULL;
    for (uint32_t i = 0; i < n; i++) {
        tn_json_item program = tn_json_open_item(top, list, "programs", i);
        read_program(&program, head, &programs[i]);
    }
    top->r->plan = head;
    top->r->arena = head->arena;
}
