#include "ir/check/check_set.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "ir/base/map.h"
#include "ir/base/sha256.h"
#include "ir/tensor_bytes.h"

/* A value outside of the arena. */
typedef struct resident {
    const tn_plan_value *v;
    uint32_t plan, program, pool;
    uint64_t from, to;
    uint32_t tie; /* equal for values that are one by name */
} resident;

typedef struct checking {
    const tn_plan *p;
    const tn_module *const *modules;
    tn_arena *arena;
    tn_ctx *ctx;
    tn_map tie_of;       /* by program and value */
    TN_VEC(uint32_t) up; /* of ties: towards the one that stands for all */
    TN_VEC(resident) list;
    uint32_t n_reports;
} checking;

static void fail(checking *c, const char *fmt, ...) TN_PRINTF(2, 3);

static void fail(checking *c, const char *fmt, ...) {
    if (c->n_reports++ < TN_CHECK_MAX_REPORTS) {
        va_list args;
        va_start(args, fmt);
        (void)tn_error(c->ctx, NULL, "%s", tn_arena_vprintf(c->arena, fmt, args));
        va_end(args);
    }
}

static const char *program_name(const checking *c, uint32_t program) {
    return c->p->set->programs[program].name;
}

/* ---- pools ---- */

static bool same_pool(const tn_pool *a, const tn_pool *b) {
    return strcmp(a->name, b->name) == 0 && a->kind == b->kind && a->align == b->align &&
           a->capacity == b->capacity && a->cost == b->cost && a->copied == b->copied;
}

static void check_pools(checking *c) {
    const tn_plan_set *set = c->p->set;
    uint64_t *size = TN_ARRAY(c->arena, uint64_t, c->p->n_pools);
    uint64_t *bound = TN_ARRAY(c->arena, uint64_t, c->p->n_pools);
    uint64_t *traffic = TN_ARRAY(c->arena, uint64_t, c->p->n_pools);
    for (uint32_t i = 0; i < tn_plan_count(c->p); i++) {
        const tn_plan *p = tn_plan_at(c->p, i);
        for (uint32_t k = 0; k < c->p->n_pools; k++) {
            if (p->n_pools != c->p->n_pools || !same_pool(&p->pools[k], &set->pools[k])) {
                fail(c, "plan %u has other pools than the set", i);
                return;
            }
            size[k] = p->pools[k].size > size[k] ? p->pools[k].size : size[k];
            bound[k] = p->pools[k].bound > bound[k] ? p->pools[k].bound : bound[k];
            traffic[k] = p->pools[k].traffic > traffic[k] ? p->pools[k].traffic : traffic[k];
        }
    }
    for (uint32_t k = 0; k < c->p->n_pools; k++) {
        if (size[k] != set->pools[k].size || bound[k] != set->pools[k].bound) {
            fail(c,
                 "pool '%s' of the set has %llu bytes and the bound %llu, its plans %llu and "
                 "%llu",
                 set->pools[k].name, (unsigned long long)set->pools[k].size,
                 (unsigned long long)set->pools[k].bound, (unsigned long long)size[k],
                 (unsigned long long)bound[k]);
        }
        if (traffic[k] != set->pools[k].traffic) {
            fail(c, "pool '%s' of the set has the traffic %llu, its plans at most %llu",
                 set->pools[k].name, (unsigned long long)set->pools[k].traffic,
                 (unsigned long long)traffic[k]);
        }
    }
}

/* ---- ties ---- */

static uint32_t stands_for(const checking *c, uint32_t tie) {
    while (c->up.data[tie] != tie) {
        tie = c->up.data[tie];
    }
    return tie;
}

static uint32_t tie_of(checking *c, uint32_t program, const char *graph, const char *name) {
    uint64_t key = tn_str_id(tn_internf(c->ctx, "%u\n%s\n%s", program, graph, name)), found;
    if (tn_map_get(&c->tie_of, key, &found)) {
        return stands_for(c, (uint32_t)found);
    }
    uint32_t tie = c->up.len;
    tn_vec_push(c->arena, &c->up, tie);
    tn_map_put(&c->tie_of, key, tie);
    return tie;
}

static void read_links(checking *c) {
    const tn_plan_set *set = c->p->set;
    for (uint32_t i = 0; i < set->n_links; i++) {
        const tn_plan_link *l = &set->links[i];
        uint32_t a = tie_of(c, l->from, "", l->from_value), b = tie_of(c, l->to, "", l->to_value);
        c->up.data[a > b ? a : b] = a > b ? b : a;
    }
}

/* Whether the value stays when its program is not running, and others may. */
static bool is_linked(const checking *c, uint32_t program, const tn_plan_value *v) {
    for (uint32_t i = 0; i < c->p->set->n_links && v->graph[0] == '\0'; i++) {
        const tn_plan_link *l = &c->p->set->links[i];
        if ((l->from == program && strcmp(l->from_value, v->name) == 0) ||
            (l->to == program && strcmp(l->to_value, v->name) == 0)) {
            return true;
        }
    }
    return false;
}

/* ---- open dimensions ---- */

static bool has_storages(const tn_plan *p, uint32_t pool) {
    for (uint32_t i = 0; i < p->n_storages; i++) {
        if (p->storages[i].pool == pool) {
            return true;
        }
    }
    return false;
}

/* Where inputs and outputs of a plan with open dimensions end, only a run knows: no other program
 * has anything in their pool. That they lie apart from each other is proved with the plan. */
static void check_open_pool(checking *c, uint32_t plan, uint32_t pool) {
    const tn_plan *p = tn_plan_at(c->p, plan);
    const tn_plan_program *own = tn_plan_program_of(p);
    for (uint32_t i = 0; i < tn_plan_count(c->p); i++) {
        const tn_plan *other = tn_plan_at(c->p, i);
        if (tn_plan_program_of(other) != own && has_storages(other, pool)) {
            fail(c,
                 "programs '%s' and '%s' both have values in pool '%s', and '%s' leaves dimension "
                 "'%s' open: they would overwrite each other",
                 own->name, tn_plan_program_of(other)->name, c->p->pools[pool].name, own->name,
                 p->ranges[0].name);
            return;
        }
    }
}

static void check_open(checking *c) {
    for (uint32_t i = 0; i < tn_plan_count(c->p); i++) {
        const tn_plan *p = tn_plan_at(c->p, i);
        for (uint32_t k = 0; k < p->n_pools && p->n_ranges > 0; k++) {
            if (tn_pool_is_callers(&p->pools[k]) && has_storages(p, k)) {
                check_open_pool(c, i, k);
            }
        }
    }
    for (uint32_t i = 0; i < c->p->set->n_links; i++) {
        const tn_plan_link *l = &c->p->set->links[i];
        const tn_plan *from = c->p->set->programs[l->from].variants[0];
        const tn_plan *to = c->p->set->programs[l->to].variants[0];
        if (from->n_ranges + to->n_ranges > 0) {
            fail(c,
                 "'%s' of program '%s' is tied to '%s' of program '%s', and dimension '%s' is "
                 "open: they have no place that all extents agree on",
                 l->from_value, program_name(c, l->from), l->to_value, program_name(c, l->to),
                 (from->n_ranges > 0 ? from : to)->ranges[0].name);
        }
    }
}

/* ---- residents ---- */

static bool in_consts(const checking *c, const resident *r) {
    return c->p->pools[r->pool].kind == TN_POOL_CONST;
}

static bool stays(const checking *c, const resident *r) {
    return r->v->role == TN_ROLE_STATE || r->v->role == TN_ROLE_WORKSPACE ||
           is_linked(c, r->program, r->v);
}

/* Bytes that a kernel keeps from run to run; other workspace is anybody's when its step is done. */
static bool is_kept(const tn_plan *p, const tn_plan_value *v) {
    const tn_plan_step *s = v->step != TN_NO_ID ? &p->steps[v->step] : NULL;
    for (uint32_t i = 0; s != NULL && i < s->n_workspace; i++) {
        if (&p->values[s->workspace[i].value] == v) {
            return s->workspace[i].kept;
        }
    }
    return false;
}

static void add_resident(checking *c, uint32_t plan, uint32_t program, const tn_plan_value *v) {
    const tn_plan *p = tn_plan_at(c->p, plan);
    const tn_storage *s = v->storage != TN_NO_ID ? &p->storages[v->storage] : NULL;
    bool outside = s != NULL && p->pools[s->pool].kind != TN_POOL_ARENA;
    resident r = {v, plan, program, s != NULL ? s->pool : 0, 0, 0, 0};
    bool has_to_stay = v->role == TN_ROLE_WORKSPACE ? is_kept(p, v) : stays(c, &r);
    if (!outside && has_to_stay) {
        fail(c,
             "'%s' of program '%s' has to stay while others run, and lies in the arena or "
             "nowhere",
             v->name, program_name(c, program));
    }
    bool view = outside && in_consts(c, &r) && v->alias != TN_ALIAS_NONE;
    bool moves = outside && !in_consts(c, &r) && p->n_ranges > 0;
    if (outside && v->bytes > 0 && !view && !moves) {
        r.from = tn_plan_address(p, v);
        r.to = r.from + v->bytes;
        r.tie = tie_of(c, program, v->graph, v->name);
        tn_vec_push(c->arena, &c->list, r);
    }
}

static void add_residents(checking *c) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < c->p->set->n_programs; i++) {
        for (uint32_t k = 0; k < c->p->set->programs[i].n_variants; k++, at++) {
            const tn_plan *p = tn_plan_at(c->p, at);
            for (uint32_t v = 0; v < p->n_values; v++) {
                add_resident(c, at, i, &p->values[v]);
            }
        }
    }
}

/* ---- one place ---- */

/* What is tied, and stays, lies where the first of its tie does. */
static void check_ties(checking *c) {
    tn_map first = tn_map_make(c->arena);
    for (uint32_t i = 0; i < c->list.len; i++) {
        const resident *r = &c->list.data[i];
        uint64_t other;
        if (!stays(c, r)) {
            continue;
        }
        uint32_t tie = stands_for(c, r->tie);
        if (!tn_map_get(&first, tie, &other)) {
            tn_map_put(&first, tie, i);
            continue;
        }
        const resident *o = &c->list.data[other];
        if (o->pool != r->pool || o->from != r->from || o->to != r->to ||
            o->v->dtype != r->v->dtype) {
            fail(c,
                 "'%s' of program '%s' has bytes [%llu,%llu), '%s' of program '%s', which is the "
                 "same, [%llu,%llu)",
                 o->v->name, program_name(c, o->program), (unsigned long long)o->from,
                 (unsigned long long)o->to, r->v->name, program_name(c, r->program),
                 (unsigned long long)r->from, (unsigned long long)r->to);
        }
    }
}

/* ---- links ---- */

static bool is_listed(const tn_plan *p, tn_ids list, const tn_plan_value *v) {
    for (uint32_t i = 0; i < list.len; i++) {
        if (&p->values[list.data[i]] == v) {
            return true;
        }
    }
    return false;
}

/* The value that writes over bytes of `v` in its own plan, or NULL. */
static const tn_plan_value *taker_of(const tn_plan *p, const tn_plan_value *v) {
    for (uint32_t i = 0; i < p->n_values; i++) {
        const tn_plan_value *x = &p->values[i];
        bool writes = x->alias == TN_ALIAS_INPLACE || x->alias == TN_ALIAS_UPDATE ||
                      x->alias == TN_ALIAS_SHARE;
        if (x != v && writes && x->storage == v->storage && x->offset < v->offset + v->bytes &&
            v->offset < x->offset + x->bytes) {
            return x;
        }
    }
    return NULL;
}

/* One end of a link, in one plan of its program: an output or a state is handed to an input or a
 * state, lies where the other ends lie, and an input stays as it is while its program runs. */
static const tn_plan_value *check_end(checking *c, const tn_plan *p, const char *program,
                                      const char *name, bool gives) {
    const tn_plan_value *v = tn_plan_find(p, "", name);
    bool fits = v != NULL && v->storage != TN_NO_ID &&
                (v->role == TN_ROLE_STATE || is_listed(p, gives ? p->outputs : p->inputs, v));
    if (!fits) {
        fail(c,
             "'%s' of program '%s' is tied to a value of another, and is no %s or state with a "
             "place",
             name, program, gives ? "output" : "input");
        return NULL;
    }
    const tn_plan_value *taker = v->role == TN_ROLE_INPUT ? taker_of(p, v) : NULL;
    if (taker != NULL) {
        fail(c,
             "'%s' of program '%s' is tied to a value of another and stays, and '%s' is written "
             "over it",
             name, program, taker->name);
    }
    return v;
}

static void check_link(checking *c, const tn_plan_link *l) {
    const tn_plan_value *first = NULL;
    const tn_plan *of = NULL;
    for (uint32_t end = 0; end < 2; end++) {
        const tn_plan_program *program = &c->p->set->programs[end == 0 ? l->from : l->to];
        const char *name = end == 0 ? l->from_value : l->to_value;
        for (uint32_t i = 0; i < program->n_variants; i++) {
            const tn_plan *p = program->variants[i];
            const tn_plan_value *v = check_end(c, p, program->name, name, end == 0);
            if (v == NULL) {
                return;
            }
            bool same = first == NULL ||
                        (p->storages[v->storage].pool == of->storages[first->storage].pool &&
                         tn_plan_address(p, v) == tn_plan_address(of, first) &&
                         v->bytes == first->bytes && v->dtype == first->dtype);
            if (!same) {
                fail(c,
                     "'%s' of program '%s' and '%s' of program '%s' are tied, and do not have "
                     "the same bytes",
                     l->from_value, program_name(c, l->from), name, program->name);
                return;
            }
            of = first == NULL ? p : of;
            first = first == NULL ? v : first;
        }
    }
}

/* What the sweep over bytes outside of the arena cannot see: names that nobody has, ends that lie
 * among the constants, or have no bytes. */
static void check_links(checking *c) {
    for (uint32_t i = 0; i < c->p->set->n_links && c->n_reports == 0; i++) {
        check_link(c, &c->p->set->links[i]);
    }
}

/* ---- contents ---- */

static void hash(void *user, const char *data, size_t len) {
    tn_sha256_add(user, data, len);
}

static const tn_tensor *tensor_of(const checking *c, const resident *r) {
    const tn_module *m = c->modules[r->plan];
    for (uint32_t i = 0; i < m->n_values; i++) {
        const tn_value *v = m->values[i];
        if (strcmp(v->name, r->v->name) == 0 && strcmp(v->graph->path, r->v->graph) == 0) {
            return v->tensor != NULL ? v->tensor : tn_value_tensor(v);
        }
    }
    return NULL;
}

static void digest_of(const checking *c, const tn_tensor *t, char hex[TN_SHA256_HEX]) {
    tn_sha256 sha = tn_sha256_start();
    tn_sink out = tn_sink_streamed(c->arena, (tn_drain){hash, &sha});
    tn_tensor_put_bytes(t, &out);
    tn_sink_flush(&out);
    tn_sha256_end_hex(&sha, hex);
}

/* Whether both plans are of one graph of one file. */
static bool of_one_graph(const checking *c, const resident *a, const resident *b) {
    const tn_module *m = c->modules[a->plan], *n = c->modules[b->plan];
    return a->program == b->program ||
           (strcmp(m->file, n->file) == 0 && strcmp(m->name, n->name) == 0);
}

/* Of different graphs the bytes are compared. */
static bool same_content(const checking *c, const resident *a, const resident *b) {
    bool same = a->from == b->from && a->to == b->to && a->v->dtype == b->v->dtype &&
                strcmp(a->v->name, b->v->name) == 0 && strcmp(a->v->graph, b->v->graph) == 0;
    if (!same || of_one_graph(c, a, b)) {
        return same;
    }
    const tn_tensor *x = tensor_of(c, a), *y = tensor_of(c, b);
    if (x == NULL || y == NULL || !tn_tensor_has_bytes(x) || !tn_tensor_has_bytes(y)) {
        return false;
    }
    char hex_x[TN_SHA256_HEX], hex_y[TN_SHA256_HEX];
    digest_of(c, x, hex_x);
    digest_of(c, y, hex_y);
    return strcmp(hex_x, hex_y) == 0;
}

/* ---- apart ---- */

/* Whether the bytes that both have are those of values that are one: the two, or what lies in the
 * same storages. */
static bool are_one(const checking *c, const resident *a, const resident *b) {
    uint64_t from = a->from > b->from ? a->from : b->from, to = a->to < b->to ? a->to : b->to;
    for (uint32_t i = 0; i < c->list.len; i++) {
        const resident *x = &c->list.data[i];
        if (x->plan != a->plan || x->v->storage != a->v->storage || x->from > from || x->to < to) {
            continue;
        }
        for (uint32_t k = 0; k < c->list.len; k++) {
            const resident *y = &c->list.data[k];
            if (y->plan == b->plan && y->v->storage == b->v->storage &&
                stands_for(c, x->tie) == stands_for(c, y->tie) && y->from == x->from &&
                y->to >= to) {
                return true;
            }
        }
    }
    return false;
}

static void check_pair(checking *c, const resident *a, const resident *b) {
    bool wrong;
    if (in_consts(c, a)) {
        wrong = !same_content(c, a, b);
    } else if (a->program == b->program) {
        wrong = (stays(c, a) || stays(c, b)) && !are_one(c, a, b);
    } else {
        wrong = !are_one(c, a, b);
    }
    if (wrong) {
        fail(c,
             "'%s' of program '%s' has bytes [%llu,%llu) of pool '%s', and '%s' of program '%s' "
             "[%llu,%llu): they would overwrite each other",
             a->v->name, program_name(c, a->program), (unsigned long long)a->from,
             (unsigned long long)a->to, c->p->pools[a->pool].name, b->v->name,
             program_name(c, b->program), (unsigned long long)b->from, (unsigned long long)b->to);
    }
}

static int by_place(const void *x, const void *y) {
    const resident *a = x, *b = y;
    if (a->pool != b->pool) {
        return a->pool < b->pool ? -1 : 1;
    }
    if (a->from != b->from) {
        return a->from < b->from ? -1 : 1;
    }
    return a->plan != b->plan ? (a->plan < b->plan ? -1 : 1) : (a->v < b->v ? -1 : a->v > b->v);
}

static bool known_pair(const resident *a, const resident *b) {
    return a->plan == b->plan ||
           (a->program == b->program && a->tie == b->tie && a->from == b->from);
}

static void check_apart(checking *c) {
    if (c->list.len > 0) {
        qsort(c->list.data, c->list.len, sizeof *c->list.data, by_place);
    }
    for (uint32_t i = 0; i < c->list.len; i++) {
        const resident *a = &c->list.data[i];
        for (uint32_t k = i + 1; k < c->list.len; k++) {
            const resident *b = &c->list.data[k];
            if (b->pool != a->pool || b->from >= a->to) {
                break;
            }
            if (!known_pair(a, b)) {
                check_pair(c, a, b);
            }
        }
    }
}

/* What the file says of all plans: the first one's digest, and a layout that weights images go by.
 */
static void check_head(checking *c) {
    const tn_plan_set *set = c->p->set;
    char found[TN_LAYOUT_HEX];
    tn_plan_layout(c->p, found);
    if (set->digest != NULL && strcmp(set->digest, c->p->digest) != 0) {
        fail(c, "the plan has the digest '%s', its first variant '%s'", set->digest, c->p->digest);
    }
    if (set->layout != NULL && strcmp(set->layout, found) != 0) {
        fail(c,
             "the plan says its constants, inputs and state have the layout '%s', they have '%s'",
             set->layout, found);
    }
}

tn_status tn_plan_check_set(const tn_plan *p, const tn_module *const *modules) {
    if (p->set == NULL) {
        return TN_OK;
    }
    tn_arena *arena = tn_arena_new(p->ctx);
    checking c = {
        .p = p, .modules = modules, .arena = arena, .ctx = p->ctx, .tie_of = tn_map_make(arena)};
    check_pools(&c);
    if (c.n_reports == 0) {
        check_open(&c);
        read_links(&c);
        add_residents(&c);
        check_ties(&c);
        check_apart(&c);
        check_links(&c);
        if (c.n_reports == 0) {
            check_head(&c);
        }
    }
    tn_arena_drop(arena);
    return c.n_reports == 0 ? TN_OK : TN_ERROR;
}
