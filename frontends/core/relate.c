#include "frontends/core/relate.h"

#include <inttypes.h>
#include <string.h>

#include "frontends/core/symbols.h"
#include "ir/substitute.h"

/* ---- what is given ---- */

static tn_dim parse(tn_dims *d, const char *text) {
    const char *at = text;
    tn_dim made = TN_DIM_UNKNOWN;
    return tn_dim_parse(d, &at, &made) && *at == '\0' ? made : TN_DIM_UNKNOWN;
}

static void count(void *user, const char *name) {
    (void)name;
    ++*(uint32_t *)user;
}

bool tn_is_relation(tn_arena *arena, const char *text) {
    tn_dims *d = tn_dims_new(arena);
    uint32_t n = 0;
    tn_dim_each_symbol(d, parse(d, text), count, &n);
    return n > 0;
}

/* ---- putting them in place of symbols ---- */

typedef struct relating {
    tn_module *m;
    tn_loc loc;
    tn_arena *arena;
    tn_symbols symbols;
    const tn_dim_binding **given;
    tn_dim *is;
    uint32_t n;
    tn_map index; /* of their names' ids */
    TN_VEC(uint32_t) uses;
    uint32_t *first; /* of each its first in `uses`; n + 1 of them */
    uint32_t *at;    /* the next of its uses to go to */
    uint32_t *way;   /* from one to the one in work */
    bool *on_way, *done;
} relating;

static void demand_symbol(void *user, const char *name) {
    const relating *r = user;
    tn_symbols_demand(&r->symbols, name);
}

/* Reads it in a table of its own first: the module's shall have no symbols that the model has not.
 */
static void add(relating *r, const tn_dim_binding *d) {
    tn_dims *apart = tn_dims_new(r->arena);
    int64_t bound;
    tn_symbols_demand(&r->symbols, d->name);
    tn_dim_each_symbol(apart, parse(apart, d->is), demand_symbol, r);
    if (tn_dims_bound(r->m->dims, d->name, &bound)) {
        tn_fail_usage(r->m->ctx, &r->loc,
                      "dimension '%s' is bound to %" PRId64 " already, not to %s", d->name, bound,
                      d->is);
    }
    r->given[r->n] = d;
    r->is[r->n++] = parse(r->m->dims, d->is);
}

static void take_use(void *user, const char *name) {
    relating *r = user;
    uint64_t at = tn_map_or(&r->index, tn_str_id(name), UINT64_MAX);
    if (at != UINT64_MAX) {
        tn_vec_push(r->arena, &r->uses, (uint32_t)at);
    }
}

/* Which of the others stand in each expression, one behind the other. */
static void find_uses(relating *r) {
    for (uint32_t i = 0; i < r->n; i++) {
        const char *name = tn_intern(r->m->ctx, r->given[i]->name);
        tn_map_put(&r->index, tn_str_id(name), i);
    }
    for (uint32_t i = 0; i < r->n; i++) {
        r->at[i] = r->first[i] = r->uses.len;
        tn_dim_each_symbol(r->m->dims, r->is[i], take_use, r);
    }
    r->first[r->n] = r->uses.len;
}

static void enter(relating *r, uint32_t *depth, uint32_t i) {
    r->on_way[i] = true;
    r->way[(*depth)++] = i;
}

/* Relates it, with what the others are in place of them. */
static void leave(relating *r, uint32_t i) {
    tn_dims_relate(r->m->dims, r->given[i]->name, tn_dim_substitute(r->m->dims, r->is[i]));
    r->on_way[i] = false;
    r->done[i] = true;
}

/* Relates all that `start` follows from, and then `start`, with a stack of its own: chains may be
 * longer than the machine's stack is deep. */
static void relate_through(relating *r, uint32_t start) {
    uint32_t depth = 0;
    enter(r, &depth, start);
    while (depth > 0) {
        uint32_t i = r->way[depth - 1];
        if (r->at[i] == r->first[i + 1]) {
            leave(r, i);
            depth--;
            continue;
        }
        uint32_t next = r->uses.data[r->at[i]++];
        if (r->on_way[next]) {
            tn_fail_usage(r->m->ctx, &r->loc,
                          "dimension '%s' is %s, which follows from '%s' itself",
                          r->given[next]->name, r->given[next]->is, r->given[next]->name);
        }
        if (!r->done[next]) {
            enter(r, &depth, next);
        }
    }
}

void tn_relate(tn_module *m, const tn_load_options *options) {
    tn_arena *arena = tn_arena_new(m->ctx);
    relating r = {.m = m,
                  .loc = tn_loc_file(m->file),
                  .arena = arena,
                  .symbols = tn_symbols_of(m, arena),
                  .given = TN_ARRAY(arena, const tn_dim_binding *, options->n_dims),
                  .is = TN_ARRAY(arena, tn_dim, options->n_dims),
                  .index = tn_map_make(arena),
                  .first = TN_ARRAY(arena, uint32_t, options->n_dims + 1u),
                  .at = TN_ARRAY(arena, uint32_t, options->n_dims),
                  .way = TN_ARRAY(arena, uint32_t, options->n_dims),
                  .on_way = TN_ARRAY(arena, bool, options->n_dims),
                  .done = TN_ARRAY(arena, bool, options->n_dims)};
    for (uint32_t i = 0; i < options->n_dims; i++) {
        const tn_dim_binding *d = &options->dims[i];
        if (d->is != NULL && (!d->optional || tn_symbols_have(&r.symbols, d->name))) {
            add(&r, d);
        }
    }
    find_uses(&r);
    for (uint32_t i = 0; i < r.n; i++) {
        if (!r.done[i]) {
            relate_through(&r, i);
        }
    }
    if (r.n > 0) {
        tn_module_substitute(m);
    }
    tn_arena_drop(arena);
}

bool tn_relation_agrees(const tn_module *m, const tn_dim_binding *d) {
    tn_dim have = tn_dim_sym(m->dims, d->name), want = parse(m->dims, d->is);
    return tn_dims_related(m->dims, d->name) && have == want;
}

/* ---- what they come to ---- */

/* Beyond so many symbols only the ends of all ranges together are looked at. Stands for the end of
 * a range without one. */
enum { MAX_CORNERS = 1 << 10, FAR = 1 << 24 };

typedef struct corner {
    const tn_module *m;
    TN_VEC(const char *) names; /* of the symbols in the expression */
    tn_arena *arena;
    uint32_t which; /* a bit for each: at its largest */
} corner;

static void take(void *user, const char *name) {
    corner *c = user;
    tn_vec_push(c->arena, &c->names, name);
}

static bool extent_at(void *user, const char *name, int64_t *value) {
    const corner *c = user;
    uint32_t bit = 0;
    const tn_dim_range *open = tn_dims_range_of(c->m->dims, name);
    while (bit < c->names.len && strcmp(c->names.data[bit], name) != 0) {
        bit++;
    }
    if (open != NULL) {
        int64_t far = open->max == INT64_MAX ? open->min + FAR : open->max;
        *value = c->which >> (bit < 31 ? bit : 31) & 1 ? far : open->min;
    }
    return open != NULL;
}

static void refuse(const corner *c, const tn_dim_relation *r, int64_t extent) {
    tn_loc loc = tn_loc_file(c->m->file);
    tn_sink is = tn_sink_make(c->arena), where = tn_sink_make(c->arena);
    tn_dim_print(c->m->dims, r->is, &is);
    for (uint32_t i = 0; i < c->names.len; i++) {
        int64_t value = 0;
        (void)extent_at((void *)(uintptr_t)c, c->names.data[i], &value);
        tn_putf(&where, "%s%s = %" PRId64, i > 0 ? " and " : " where ", c->names.data[i], value);
    }
    tn_fail_usage(c->m->ctx, &loc,
                  "dimension '%s' is %s, which is %" PRId64 "%s: no extent is below 0", r->name,
                  is.data, extent, where.len > 0 ? where.data : "");
}

void tn_relations_demand(tn_module *m) {
    uint32_t n;
    tn_arena *arena = tn_arena_new(m->ctx);
    const tn_dim_relation *all = tn_dims_relations(m->dims, &n);
    for (uint32_t i = 0; i < n; i++) {
        corner c = {.m = m, .arena = arena};
        if (all[i].is == TN_DIM_UNKNOWN) {
            tn_loc loc = tn_loc_file(m->file);
            tn_fail_usage(m->ctx, &loc, "dimension '%s' is an expression that is too long",
                          all[i].name);
        }
        tn_dim_each_symbol(m->dims, all[i].is, take, &c);
        for (uint32_t k = 0; k < MAX_CORNERS && k >> (c.names.len < 31 ? c.names.len : 31) == 0;
             k++) {
            int64_t extent;
            c.which = k;
            if (tn_dim_eval(m->dims, all[i].is, extent_at, &c, &extent) && extent < 0) {
                refuse(&c, &all[i], extent);
            }
        }
    }
    tn_arena_drop(arena);
}
