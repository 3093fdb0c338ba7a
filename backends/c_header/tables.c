/* The plan as constant tables, for run-time checks, debuggers and interpreters. Lists are ranges of
 * one array of numbers, so that the tables need no pointers to be set up. */
#include <inttypes.h>

#include "backends/c_header/c_header_t.h"
#include "backends/c_header/overlaps.h"
#include "backends/c_header/resolve_t.h"
#include "backends/c_header/step_tables.h"

typedef struct tables {
    const tn_ch *h;
    TN_VEC(uint32_t) ids;
    tn_overlaps overlaps;
    uint32_t n_dims;
    tn_ch_step_tables steps;
} tables;

static const char types[] =
    "\n#ifdef @M_TABLES\n"
    "#include <math.h>\n"
    "\n#define @M_NAMES @n /* whether tables hold names of tensors, nodes, graphs and pools */\n"
    "#define @M_NONE UINT32_MAX /* no tensor, no step */\n"
    "\n/* Entries at .. at + count - 1 of another table. */\n"
    "typedef struct @m_range {\n    uint32_t at, count;\n} @m_range;\n"
    "\nenum { @M_POOL_ARENA, @M_POOL_IO, @M_POOL_CONST, @M_POOL_STATE };\n"
    "\ntypedef struct @m_pool {\n"
    "@<    const char *name;\n"
    "@>    @s size, align;\n"
    "    uint32_t kind;\n"
    "@(    uint32_t open; /* index in a layout; @M_NONE: the number stands */\n"
    "@)} @m_pool;\n"
    "\nenum { @M_ALIAS_NONE, @M_ALIAS_VIEW, @M_ALIAS_INPLACE, @M_ALIAS_UPDATE, @M_ALIAS_SHARE };\n"
    "\ntypedef struct @m_tensor {\n"
    "@<    const char *name; /* with the path of its graph */\n"
    "@>    @s offset, size, align; /* in its pool */\n"
    "    uint32_t pool, storage, dtype;\n"
    "    @m_range dims; /* of @m_extents */\n"
    "    int32_t first, last; /* steps in which the bytes are its own; -1: before step 0 */\n"
    "    uint32_t step; /* that writes it */\n"
    "    uint32_t alias, alias_of; /* tensor whose bytes it shares or takes on purpose */\n"
    "@(    int open; /* the offset counts from the storage */\n"
    "    uint32_t open_offset, open_size; /* index in a layout; @M_NONE: the number stands */\n"
    "@)"
    "} @m_tensor;\n"
    "\ntypedef struct @m_storage {\n"
    "    @s offset, size, align;\n"
    "    uint32_t pool;\n"
    "    int32_t first, last;\n"
    "    int pinned;\n"
    "    @s second; /* bytes to its second place; 0: it has one */\n"
    "@(    uint32_t open, open_size; /* in a layout */\n"
    "@)"
    "} @m_storage;\n"
    "\n/* A tensor that a step writes, and another one of the step that shares bytes with it. */\n"
    "typedef struct @m_overlap {\n    uint32_t written, other;\n} @m_overlap;\n";

static const char step_type[] =
    "\nenum { @M_STEP_OP, @M_STEP_BEGIN, @M_STEP_END };\n"
    "\n/* An op; ops with nested graphs have a step before and a step after them. */\n"
    "typedef struct @m_step {\n"
    "@<    const char *name;\n"
    "@>    const char *domain, *op;\n"
    "    uint32_t graph; /* whose step it is; 0: the main one */\n"
    "    int32_t node; /* index in the graph's list in the model file, -1: none */\n"
    "    uint32_t kind, partner;\n"
    "    @m_range reads, writes; /* of @m_ids: tensors */\n"
    "    @m_range frees;         /* of @m_ids: storages free after the step */\n"
    "    @m_range hazards;       /* of @m_ids: steps to wait for because of reuse */\n"
    "    @m_range overlaps;      /* of @m_overlaps */\n"
    "    int may_restrict; /* no tensor written shares bytes with another of the step */\n"
    "    @m_range operands, results; /* of @m_places, by position */\n"
    "    @m_range shape_only; /* of @m_places: positions of operands whose bytes are not read */\n"
    "    @m_range attrs;  /* of @m_attrs, sorted by name */\n"
    "    @m_range claims; /* of @m_claims */\n"
    "    @m_range bodies; /* of @m_bodies; on a begin */\n"
    "    @m_range moves;  /* of @m_moves; on a begin */\n"
    "    @m_range waits;  /* of @m_waits: one for each of `frees` */\n"
    "    uint32_t version; /* of the op's operator set */\n"
    "    int idle; /* nothing to run: the results' bytes are there already */\n"
    "    uint32_t queue; /* it runs in; 0 but in a plan of @M_QUEUES */\n"
    "    uint32_t clone_of; /* the step of the node that it runs once more, or @M_NONE */\n"
    "} @m_step;\n"
    "\n/* Training info: after a run what holds the tensor `state` takes the bytes of `value`. */\n"
    "typedef struct @m_binding {\n"
    "    const char *state;\n"
    "    uint32_t tensor; /* the state, if it is one of @m_tensors */\n"
    "    uint32_t value;\n"
    "} @m_binding;\n";

static uint32_t row_of(const tn_ch *h, uint32_t value) {
    return value == TN_NO_ID ? TN_NO_ID : h->rows[value];
}

static void put_id(const tn_ch *h, uint32_t id) {
    if (id == TN_NO_ID) {
        tn_ch_put(h, "@M_NONE");
    } else {
        tn_putf(h->out, "%" PRIu32 "u", id);
    }
}

static void put_tensor_row(tables *t, const tn_plan_value *v) {
    const tn_ch *h = t->h;
    tn_put(h->out, "    {");
    tn_ch_put_name(h, tn_full_name(h->scratch, v));
    tn_putf(h->out, "%" PRIu64 "u, %" PRIu64 "u, %" PRIu64 "u, %" PRIu32 "u, %" PRIu32 "u, %uu, ",
            tn_ch_tensor_offset(h, v), v->bytes, tn_ch_align(h->p, v),
            h->p->storages[v->storage].pool, v->storage, (unsigned)v->dtype);
    tn_putf(h->out, "{%" PRIu32 "u, %" PRIu32 "u}, %" PRId32 ", %" PRId32 ", ", t->n_dims, v->rank,
            v->first, v->last);
    put_id(h, v->step);
    tn_putf(h->out, ", %uu, ", (unsigned)v->alias);
    put_id(h, row_of(h, v->alias_of));
    tn_ch_put_tensor_numbers(h, v);
    tn_put(h->out, "},\n");
    t->n_dims += v->rank;
}

static void put_tensors(tables *t) {
    const tn_ch *h = t->h;
    const tn_plan *p = h->p;
    tn_ch_put(h, "\nstatic const @m_tensor @m_tensors[] = {\n");
    for (uint32_t i = 0; i < p->n_values; i++) {
        if (tn_ch_is_placed(&p->values[i])) {
            put_tensor_row(t, &p->values[i]);
        }
    }
    if (h->n_rows == 0) {
        tn_ch_put(h, "    {@<0, @>0, 0, 0, 0, 0, 0, {0, 0}, 0, 0, 0, 0, 0},\n");
    }
    tn_ch_put(h, "};\n\nstatic const @d @m_extents[] = {\n");
    for (uint32_t i = 0; i < p->n_values; i++) {
        const tn_plan_value *v = &p->values[i];
        for (uint32_t k = 0; tn_ch_is_placed(v) && k < v->rank; k++) {
            tn_putf(h->out, "%s%" PRId64 "%s", k == 0 ? "    " : " ", tn_ch_extent(h, v, k),
                    k + 1 == v->rank ? ",\n" : ",");
        }
    }
    tn_put(h->out, t->n_dims == 0 ? "    0,\n};\n" : "};\n");
}

static void put_pools(const tn_ch *h) {
    tn_ch_put(h, "\n#define @M_POOL_COUNT");
    tn_putf(h->out, " %" PRIu32 "\n", h->p->n_pools);
    tn_ch_put(h, "static const @m_pool @m_pools[] = {\n");
    for (uint32_t i = 0; i < h->p->n_pools; i++) {
        const tn_pool *pool = &h->p->pools[i];
        tn_put(h->out, "    {");
        tn_ch_put_name(h, pool->name);
        tn_putf(h->out, "%" PRIu64 "u, %" PRIu64 "u, %uu", pool->size, tn_pool_base(pool),
                (unsigned)pool->kind);
        tn_ch_put_pool_numbers(h, i);
        tn_put(h->out, "},\n");
    }
    tn_ch_put(h, h->p->n_pools == 0 ? "    {@<0, @>0, 0, 0},\n};\n" : "};\n");
}

static void put_storages(const tn_ch *h) {
    const tn_plan *p = h->p;
    tn_ch_put(h, "\n#define @M_STORAGE_COUNT");
    tn_putf(h->out, " %" PRIu32 "\n", p->n_storages);
    tn_ch_put(h, "static const @m_storage @m_storages[] = {\n");
    for (uint32_t i = 0; i < p->n_storages; i++) {
        const tn_storage *s = &p->storages[i];
        tn_putf(h->out,
                "    {%" PRIu64 "u, %" PRIu64 "u, %" PRIu64 "u, %" PRIu32 "u, %" PRId32 ", %" PRId32
                ", %d, %" PRIu64 "u",
                s->offset, s->size, s->align, s->pool, s->first, s->last, s->pinned, s->second);
        tn_ch_put_storage_numbers(h, s);
        tn_put(h->out, "},\n");
    }
    tn_put(h->out, p->n_storages == 0 ? "    {0, 0, 0, 0, 0, 0, 0, 0},\n};\n" : "};\n");
}

/* ---- steps ---- */

static void put_range(const tn_ch *h, uint32_t at, uint32_t count) {
    tn_putf(h->out, ", {%" PRIu32 "u, %" PRIu32 "u}", at, count);
}

/* Values without a place are left out; with `rows` NULL the ids stand as they are. */
static void put_list(tables *t, tn_ids ids, const uint32_t *rows) {
    uint32_t start = t->ids.len;
    for (uint32_t i = 0; i < ids.len; i++) {
        uint32_t id = rows != NULL ? rows[ids.data[i]] : ids.data[i];
        if (id != TN_NO_ID) {
            tn_vec_push(t->h->scratch, &t->ids, id);
        }
    }
    put_range(t->h, start, t->ids.len - start);
}

static void put_step(tables *t, const tn_plan_step *s) {
    const tn_ch *h = t->h;
    tn_overlaps found = tn_step_overlaps(h->scratch, h->p, s);
    tn_put(h->out, "    {");
    tn_ch_put_name(h, s->name);
    tn_put_c_name(h->out, s->domain);
    tn_put(h->out, ", ");
    tn_put_c_name(h->out, s->op);
    tn_putf(h->out, ", %" PRIu32 "u, %" PRId32 ", %uu, ", tn_ch_graph_of(&t->steps, s->graph),
            s->node, (unsigned)s->kind);
    put_id(h, s->partner);
    put_list(t, s->reads, h->rows);
    put_list(t, s->writes, h->rows);
    put_list(t, s->frees, NULL);
    uint32_t step = (uint32_t)(s - h->p->steps);
    put_list(t, h->open != NULL ? tn_open_hazards(h->open, h->scratch, step) : s->hazards, NULL);
    put_range(h, t->overlaps.len, found.len);
    tn_putf(h->out, ", %d", found.len == 0);
    tn_ch_put_step_fields(&t->steps, s);
    tn_putf(h->out, ", %" PRIu32 "u, ", s->queue);
    put_id(h, s->clone_of);
    tn_put(h->out, "},\n");
    for (uint32_t i = 0; i < found.len; i++) {
        tn_vec_push(h->scratch, &t->overlaps, found.data[i]);
    }
}

static void put_steps(tables *t) {
    const tn_ch *h = t->h;
    tn_ch_put(h, "\nstatic const @m_step @m_steps[] = {\n");
    for (uint32_t i = 0; i < h->p->n_steps; i++) {
        put_step(t, &h->p->steps[i]);
    }
    if (h->p->n_steps == 0) {
        tn_ch_put(h,
                  "    {@<0, @>0, 0, 0, 0, 0, 0, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, 0, "
                  "{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, 0, 0, 0, 0},\n");
    }
    tn_put(h->out, "};\n");
}

static void put_ids(const tables *t) {
    const tn_ch *h = t->h;
    tn_ch_put(h, "\nstatic const uint32_t @m_ids[] = {");
    for (uint32_t i = 0; i < t->ids.len; i++) {
        tn_putf(h->out, "%s%" PRIu32 "u,", i % 16 == 0 ? "\n    " : " ", t->ids.data[i]);
    }
    tn_put(h->out, t->ids.len == 0 ? "\n    0,\n};\n" : "\n};\n");
    tn_ch_put(h, "\nstatic const @m_overlap @m_overlaps[] = {\n");
    for (uint32_t i = 0; i < t->overlaps.len; i++) {
        const tn_overlap *o = &t->overlaps.data[i];
        tn_putf(h->out, "    {%" PRIu32 "u, %" PRIu32 "u},\n", h->rows[o->written],
                h->rows[o->other]);
    }
    tn_put(h->out, t->overlaps.len == 0 ? "    {0, 0},\n};\n" : "};\n");
}

static void put_bindings(const tn_ch *h) {
    const tn_plan *p = h->p;
    const uint32_t *states = tn_plan_states(h->scratch, p);
    tn_ch_put(h, "\n#define @M_BINDING_COUNT");
    tn_putf(h->out, " %" PRIu32 "\n", p->n_bindings);
    tn_ch_put(h, "static const @m_binding @m_bindings[] = {\n");
    for (uint32_t i = 0; i < p->n_bindings; i++) {
        tn_put(h->out, "    {");
        tn_put_c_name(h->out, p->bindings[i].state);
        tn_put(h->out, ", ");
        put_id(h, row_of(h, states[i]));
        tn_put(h->out, ", ");
        put_id(h, row_of(h, p->bindings[i].value));
        tn_put(h->out, "},\n");
    }
    tn_put(h->out, p->n_bindings == 0 ? "    {0, 0, 0},\n};\n" : "};\n");
}

void tn_ch_put_tables(const tn_ch *h) {
    tables t = {.h = h, .steps = tn_ch_start_steps(h)};
    tn_ch_put(h, types);
    tn_ch_put_step_types(h);
    tn_ch_put(h, step_type);
    put_pools(h);
    put_tensors(&t);
    put_storages(h);
    tn_ch_put_table_access(h);
    put_steps(&t);
    put_ids(&t);
    tn_ch_put_step_tables(&t.steps);
    put_bindings(h);
    tn_ch_put(h, "\n#endif /* @M_TABLES */\n");
}
