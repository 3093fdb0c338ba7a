#include "backends/c_header/step_tables.h"

#include <inttypes.h>

#include "backends/core/step_rows.h"

static const char types[] =
    "\n/* Operands and results by position: a tensor below @M_TENSOR_COUNT; from there on a value\n"
    " * without a place, counted in @m_unplanned; or this. */\n"
    "#define @M_ABSENT UINT32_MAX /* the node leaves it out */\n"
    "\ntypedef struct @m_value {\n"
    "@<    const char *name; /* with the path of its graph */\n@>"
    "    uint32_t dtype;\n"
    "} @m_value;\n"
    "\nenum { @M_ATTR_INTS, @M_ATTR_FLOATS, @M_ATTR_STRINGS, @M_ATTR_OMITTED };\n"
    "\n/* An attribute, its default filled in; one value or a list of @m_attr_ints, @m_attr_floats "
    "or\n"
    " * @m_attr_strings. OMITTED: tensors, types and texts too long for a header. */\n"
    "typedef struct @m_attr {\n"
    "    const char *name;\n"
    "    uint32_t kind;\n"
    "    @m_range values;\n"
    "} @m_attr;\n"
    "\nenum { @M_PROMISE_KEEP, @M_PROMISE_ELEMENTS, @M_PROMISE_ROWS, @M_PROMISE_UPDATE,\n"
    "       @M_PROMISE_DEFINITION, @M_PROMISE_ASCENDING, @M_PROMISE_DESCENDING,\n"
    "       @M_PROMISE_OVERLAP_ROWS, @M_PROMISE_OVERLAP_ROWS_BUFFERED,\n"
    "       @M_PROMISE_OVERLAP_ELEMENTS, @M_PROMISE_OVERLAP_PIXELS };\n"
    "\n/* A result and an operand, by position, that share bytes, and what the kernel has to "
    "keep:\n"
    " * KEEP: the bytes are what the result needs; ELEMENTS: element i is read before element i "
    "is\n"
    " * written; ROWS: a row is read as a whole before it is written; UPDATE: read and written "
    "once,\n"
    " * in ascending order; DEFINITION: the op makes both one buffer,\n"
    " * or writes over the operand, with result @M_ABSENT where the node names none; ASCENDING,\n"
    " * DESCENDING: of two widths, read and written element by element in this order; OVERLAP: "
    "the\n"
    " * result begins inside the operand, and the kernel makes it in this order. */\n"
    "typedef struct @m_claim {\n"
    "    uint32_t result, operand, promise;\n"
    "} @m_claim;\n"
    "\nenum { @M_MOVE_BEGIN, @M_MOVE_ITERATION, @M_MOVE_NEXT, @M_MOVE_AFTER, @M_MOVE_END,\n"
    "       @M_MOVE_NO_ITERATION };\n"
    "enum { @M_MOVE_COPY, @M_MOVE_SLICE, @M_MOVE_STACK, @M_MOVE_COUNT, @M_MOVE_TRUE };\n"
    "\n/* What an op with nested graphs copies; moves of one moment happen at once. */\n"
    "typedef struct @m_move {\n"
    "    uint32_t when, what, body, from, to; /* tensors as operands are given */\n"
    "    @d axis;\n"
    "    int reverse;\n"
    "} @m_move;\n"
    "\n/* Other steps that must be done before the bytes of `storage` are free. */\n"
    "typedef struct @m_wait {\n"
    "    uint32_t storage;\n"
    "    @m_range after; /* of @m_places: steps */\n"
    "} @m_wait;\n"
    "\n/* A nested graph of an op: its steps lie between begin and end and have the number "
    "`graph`,\n"
    " * or belong to ops of such steps. */\n"
    "typedef struct @m_body {\n"
    "    const char *attribute; /* that holds it; \"\" for the body of a called function */\n"
    "    uint32_t graph;\n"
    "    @m_range inputs, outputs; /* of @m_places, by position */\n"
    "} @m_body;\n";

void tn_ch_put_step_types(const tn_ch *h) {
    tn_ch_put(h, types);
}

tn_ch_step_tables tn_ch_start_steps(const tn_ch *h) {
    tn_ch_step_tables t = {.h = h, .graph_ids = tn_map_make(h->scratch)};
    tn_ch_graph_of(&t, "");
    return t;
}

uint32_t tn_ch_graph_of(tn_ch_step_tables *t, const char *path) {
    const char *key = tn_intern(t->h->p->ctx, path);
    uint64_t id = tn_map_or(&t->graph_ids, tn_str_id(key), t->graphs.len);
    if (id == t->graphs.len) {
        tn_map_put(&t->graph_ids, tn_str_id(key), id);
        tn_vec_push(t->h->scratch, &t->graphs, path);
    }
    return (uint32_t)id;
}

/* The table of places has, for each step: operands, results, positions of `shape_only`; what its
 * frees wait for; what its bodies are given and give back. */
static uint32_t count_waited(const tn_plan_step *s) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->frees.len && s->after != NULL; i++) {
        n += s->after[i].len;
    }
    return n;
}

static uint32_t count_passed(const tn_plan_step *s) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->n_bodies; i++) {
        n += s->bodies[i].inputs.len + s->bodies[i].outputs.len;
    }
    return n;
}

static uint32_t count_given(const tn_plan_step *s) {
    return s->operands.len + s->results.len + s->shape_only.len;
}

static void put_range(const tn_ch *h, uint32_t *at, uint32_t count) {
    tn_putf(h->out, ", {%" PRIu32 "u, %" PRIu32 "u}", *at, count);
    *at += count;
}

void tn_ch_put_step_fields(tn_ch_step_tables *t, const tn_plan_step *s) {
    put_range(t->h, &t->n_places, s->operands.len);
    put_range(t->h, &t->n_places, s->results.len);
    put_range(t->h, &t->n_places, s->shape_only.len);
    t->n_places += count_waited(s) + count_passed(s);
    put_range(t->h, &t->n_attrs, s->n_attrs);
    put_range(t->h, &t->n_claims, s->n_claims);
    put_range(t->h, &t->n_bodies, s->n_bodies);
    put_range(t->h, &t->n_moves, s->n_moves);
    put_range(t->h, &t->n_waits, s->frees.len);
    tn_putf(t->h->out, ", %" PRIu32 "u, %d", (uint32_t)s->version, s->idle);
}

/* ---- the tables ---- */

/* Compilers refuse empty tables. */
static void close_table(const tn_ch *h, uint32_t n, const char *nothing) {
    tn_put(h->out, n == 0 ? nothing : "");
    tn_put(h->out, "};\n");
}

static tn_step_rows rows_of(const tn_ch *h) {
    return (tn_step_rows){.p = h->p,
                          .out = h->out,
                          .rows = h->numbers,
                          .absent = tn_arena_printf(h->scratch, "%s_ABSENT", h->macro)};
}

static void put_value_list(const tn_step_rows *r, tn_ids values) {
    for (uint32_t i = 0; i < values.len; i++) {
        tn_put_value_row(r, values.data[i]);
    }
}

static void put_numbers(const tn_ch *h, tn_ids ids) {
    for (uint32_t i = 0; i < ids.len; i++) {
        tn_putf(h->out, " %" PRIu32 "u,", ids.data[i]);
    }
}

static void put_step_places(const tn_ch *h, const tn_step_rows *r, const tn_plan_step *s) {
    put_value_list(r, s->operands);
    put_value_list(r, s->results);
    put_numbers(h, s->shape_only);
    for (uint32_t i = 0; i < s->frees.len && s->after != NULL; i++) {
        put_numbers(h, s->after[i]);
    }
    for (uint32_t i = 0; i < s->n_bodies; i++) {
        put_value_list(r, s->bodies[i].inputs);
        put_value_list(r, s->bodies[i].outputs);
    }
}

static void put_places(const tn_ch *h, const tn_step_rows *r) {
    uint32_t n = 0;
    tn_ch_put(h, "\nstatic const uint32_t @m_places[] = {\n");
    for (uint32_t i = 0; i < h->p->n_steps; i++) {
        const tn_plan_step *s = &h->p->steps[i];
        uint32_t here = count_given(s) + count_waited(s) + count_passed(s);
        tn_put(h->out, "   ");
        put_step_places(h, r, s);
        tn_put(h->out, here > 0 ? "\n" : " /* nothing */\n");
        n += here;
    }
    close_table(h, n, "    0,\n");
}

static void put_waits(const tn_ch *h) {
    uint32_t all = 0, at = 0;
    tn_ch_put(h, "\nstatic const @m_wait @m_waits[] = {\n");
    for (uint32_t i = 0; i < h->p->n_steps; i++) {
        const tn_plan_step *s = &h->p->steps[i];
        at += count_given(s);
        for (uint32_t k = 0; k < s->frees.len; k++, all++) {
            tn_putf(h->out, "    {%" PRIu32 "u", s->frees.data[k]);
            put_range(h, &at, s->after != NULL ? s->after[k].len : 0);
            tn_put(h->out, "},\n");
        }
        at += count_passed(s);
    }
    close_table(h, all, "    {0, {0, 0}},\n");
}

static void put_bodies(tn_ch_step_tables *t) {
    const tn_ch *h = t->h;
    uint32_t all = 0, at = 0;
    tn_ch_put(h, "\nstatic const @m_body @m_bodies[] = {\n");
    for (uint32_t i = 0; i < h->p->n_steps; i++) {
        const tn_plan_step *s = &h->p->steps[i];
        at += count_given(s) + count_waited(s);
        for (uint32_t k = 0; k < s->n_bodies; k++, all++) {
            tn_put(h->out, "    {");
            tn_put_c_name(h->out, s->bodies[k].attribute);
            tn_putf(h->out, ", %" PRIu32 "u", tn_ch_graph_of(t, s->bodies[k].graph));
            put_range(h, &at, s->bodies[k].inputs.len);
            put_range(h, &at, s->bodies[k].outputs.len);
            tn_put(h->out, "},\n");
        }
    }
    close_table(h, all, "    {0, 0, {0, 0}, {0, 0}},\n");
}

/* Behind the bodies, which may be the first to name a graph. */
static void put_graphs(const tn_ch_step_tables *t) {
    const tn_ch *h = t->h;
    if (!h->names) {
        return;
    }
    tn_ch_put(h, "\n/* Paths of the graphs. */\nstatic const char *const @m_graphs[] = {\n");
    for (uint32_t i = 0; i < t->graphs.len; i++) {
        tn_put(h->out, "    ");
        tn_put_c_name(h->out, t->graphs.data[i]);
        tn_put(h->out, ",\n");
    }
    tn_put(h->out, "};\n");
}

static void put_without_place(const tn_ch *h) {
    tn_ch_put(h, "\nstatic const @m_value @m_unplanned[] = {\n");
    for (uint32_t i = 0; i < h->p->n_values; i++) {
        const tn_plan_value *v = &h->p->values[i];
        if (!tn_ch_is_placed(v)) {
            tn_put(h->out, "    {");
            tn_ch_put_name(h, tn_full_name(h->scratch, v));
            tn_putf(h->out, "%uu},\n", (unsigned)v->dtype);
        }
    }
    tn_ch_put(h, h->n_unplanned == 0 ? "    {@<0, @>0},\n};\n" : "};\n");
}

static void put_interface(const tn_ch *h, const char *count, const char *head, tn_ids values) {
    tn_step_rows r = rows_of(h);
    tn_ch_put(h, count);
    tn_putf(h->out, " %" PRIu32 "\n", values.len);
    tn_ch_put(h, head);
    tn_put(h->out, values.len > 0 ? "   " : "");
    put_value_list(&r, values);
    tn_put(h->out, values.len > 0 ? "\n" : "");
    close_table(h, values.len, "    0,\n");
}

/* Attributes keep their values whatever the target's size: an end of a Slice may be the largest
 * number there is, and a seed has all of its bits. */
static bool ints_are_narrow(const tn_ch *h) {
    for (uint32_t i = 0; h->narrow && i < h->p->n_steps; i++) {
        const tn_plan_step *s = &h->p->steps[i];
        for (uint32_t k = 0; k < s->n_attrs; k++) {
            const tn_attr *a = &s->attrs[k];
            const int64_t *ints = a->kind == TN_ATTR_INT ? &a->u.i : a->u.ints;
            uint32_t n = a->kind == TN_ATTR_INT ? 1 : a->kind == TN_ATTR_INTS ? a->n : 0;
            for (uint32_t j = 0; j < n; j++) {
                if (ints[j] < INT32_MIN || ints[j] > INT32_MAX) {
                    return false;
                }
            }
        }
    }
    return h->narrow;
}

static void put_attrs(const tn_ch *h, const tn_step_rows *r) {
    tn_ch_put(h, "\nstatic const @m_attr @m_attrs[] = {\n");
    close_table(h, tn_put_attr_rows(r), "    {0, 0, {0, 0}},\n");
    tn_ch_put(h, "\ntypedef ");
    tn_ch_put(h, ints_are_narrow(h) ? "int32_t" : "int64_t");
    tn_ch_put(h, " @m_attr_int;\nstatic const @m_attr_int @m_attr_ints[] = {\n");
    close_table(h, tn_put_attr_values(r, TN_ATTRS_INTS), "    0,\n");
    tn_ch_put(h, "\nstatic const double @m_attr_floats[] = {\n");
    close_table(h, tn_put_attr_values(r, TN_ATTRS_FLOATS), "    0,\n");
    tn_ch_put(h, "\nstatic const char *const @m_attr_strings[] = {\n");
    close_table(h, tn_put_attr_values(r, TN_ATTRS_STRINGS), "    0,\n");
}

void tn_ch_put_step_tables(tn_ch_step_tables *t) {
    const tn_ch *h = t->h;
    tn_step_rows r = rows_of(h);
    put_places(h, &r);
    put_attrs(h, &r);
    tn_ch_put(h, "\nstatic const @m_claim @m_claims[] = {\n");
    close_table(h, tn_put_claim_rows(&r), "    {0, 0, 0},\n");
    tn_ch_put(h, "\nstatic const @m_move @m_moves[] = {\n");
    close_table(h, tn_put_move_rows(&r), "    {0, 0, 0, 0, 0, 0, 0},\n");
    put_waits(h);
    put_bodies(t);
    put_without_place(h);
    put_graphs(t);
    put_interface(h, "\n#define @M_INPUT_COUNT", "static const uint32_t @m_inputs[] = {\n",
                  h->p->inputs);
    put_interface(h, "\n#define @M_OUTPUT_COUNT", "static const uint32_t @m_outputs[] = {\n",
                  h->p->outputs);
}
