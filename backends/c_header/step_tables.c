#include "backends/c_header/step_tables.h"

#include <inttypes.h>

#include "backends/core/step_rows.h"

static const char types[] =
    "\n/* Operands and results by position: a tensor, or one of these. */\n"
    "#define @M_ABSENT UINT32_MAX         /* the node leaves it out */\n"
    "#define @M_UNPLACED (UINT32_MAX - 1) /* a value that the plan gives no bytes */\n"
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
    "       @M_PROMISE_DEFINITION };\n"
    "\n/* A result and an operand, by position, that share bytes, and what the kernel has to "
    "keep:\n"
    " * KEEP: the bytes are what the result needs; ELEMENTS: element i is read before element i "
    "is\n"
    " * written; ROWS: a row is read as a whole before it is written; UPDATE: read and written "
    "once,\n"
    " * in ascending order; DEFINITION: the op makes both one buffer. */\n"
    "typedef struct @m_claim {\n"
    "    uint32_t result, operand, promise;\n"
    "} @m_claim;\n"
    "\nenum { @M_MOVE_BEGIN, @M_MOVE_ITERATION, @M_MOVE_NEXT, @M_MOVE_AFTER, @M_MOVE_END,\n"
    "       @M_MOVE_NO_ITERATION };\n"
    "enum { @M_MOVE_COPY, @M_MOVE_SLICE, @M_MOVE_STACK, @M_MOVE_COUNT, @M_MOVE_TRUE };\n"
    "\n/* What an op with nested graphs copies; moves of one moment happen at once. */\n"
    "typedef struct @m_move {\n"
    "    uint32_t when, what, body, from, to; /* tensors as operands are given */\n"
    "    int64_t axis;\n"
    "    int reverse;\n"
    "} @m_move;\n"
    "\n/* Other steps that must be done before the bytes of `storage` are free. */\n"
    "typedef struct @m_wait {\n"
    "    uint32_t storage;\n"
    "    @m_range after; /* of @m_places: steps */\n"
    "} @m_wait;\n";

void tn_ch_put_step_types(const tn_ch *h) {
    tn_ch_put(h, types);
}

static void put_range(const tn_ch *h, uint32_t *at, uint32_t count) {
    tn_putf(h->out, ", {%" PRIu32 "u, %" PRIu32 "u}", *at, count);
    *at += count;
}

void tn_ch_put_step_fields(tn_ch_step_tables *t, const tn_plan_step *s) {
    put_range(t->h, &t->n_places, s->operands.len);
    put_range(t->h, &t->n_places, s->results.len);
    for (uint32_t i = 0; i < s->frees.len && s->after != NULL; i++) {
        t->n_places += s->after[i].len;
    }
    put_range(t->h, &t->n_attrs, s->n_attrs);
    put_range(t->h, &t->n_claims, s->n_claims);
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
                          .rows = h->rows,
                          .absent = tn_arena_printf(h->scratch, "%s_ABSENT", h->macro),
                          .unplaced = tn_arena_printf(h->scratch, "%s_UNPLACED", h->macro)};
}

static void put_value_list(const tn_step_rows *r, tn_ids values) {
    for (uint32_t i = 0; i < values.len; i++) {
        tn_put_value_row(r, values.data[i]);
    }
}

static void put_places(const tn_ch *h, const tn_step_rows *r) {
    uint32_t n = 0;
    tn_ch_put(h, "\nstatic const uint32_t @m_places[] = {\n");
    for (uint32_t i = 0; i < h->p->n_steps; i++) {
        const tn_plan_step *s = &h->p->steps[i];
        uint32_t before = n;
        tn_put(h->out, "   ");
        put_value_list(r, s->operands);
        put_value_list(r, s->results);
        n += s->operands.len + s->results.len;
        for (uint32_t k = 0; k < s->frees.len && s->after != NULL; k++) {
            for (uint32_t j = 0; j < s->after[k].len; j++) {
                tn_putf(h->out, " %" PRIu32 "u,", s->after[k].data[j]);
            }
            n += s->after[k].len;
        }
        tn_put(h->out, n > before ? "\n" : " /* nothing */\n");
    }
    close_table(h, n, "    0,\n");
}

/* Steps to wait for stand in the table of places behind operands and results of the step. */
static void put_waits(const tn_ch *h) {
    uint32_t all = 0, at = 0;
    tn_ch_put(h, "\nstatic const @m_wait @m_waits[] = {\n");
    for (uint32_t i = 0; i < h->p->n_steps; i++) {
        const tn_plan_step *s = &h->p->steps[i];
        at += s->operands.len + s->results.len;
        for (uint32_t k = 0; k < s->frees.len; k++, all++) {
            tn_putf(h->out, "    {%" PRIu32 "u", s->frees.data[k]);
            put_range(h, &at, s->after != NULL ? s->after[k].len : 0);
            tn_put(h->out, "},\n");
        }
    }
    close_table(h, all, "    {0, {0, 0}},\n");
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

static void put_attrs(const tn_ch *h, const tn_step_rows *r) {
    tn_ch_put(h, "\nstatic const @m_attr @m_attrs[] = {\n");
    close_table(h, tn_put_attr_rows(r), "    {0, 0, {0, 0}},\n");
    tn_ch_put(h, "\nstatic const int64_t @m_attr_ints[] = {\n");
    close_table(h, tn_put_attr_values(r, TN_ATTRS_INTS), "    0,\n");
    tn_ch_put(h, "\nstatic const double @m_attr_floats[] = {\n");
    close_table(h, tn_put_attr_values(r, TN_ATTRS_FLOATS), "    0,\n");
    tn_ch_put(h, "\nstatic const char *const @m_attr_strings[] = {\n");
    close_table(h, tn_put_attr_values(r, TN_ATTRS_STRINGS), "    0,\n");
}

void tn_ch_put_step_tables(const tn_ch *h) {
    tn_step_rows r = rows_of(h);
    put_places(h, &r);
    put_attrs(h, &r);
    tn_ch_put(h, "\nstatic const @m_claim @m_claims[] = {\n");
    close_table(h, tn_put_claim_rows(&r), "    {0, 0, 0},\n");
    tn_ch_put(h, "\nstatic const @m_move @m_moves[] = {\n");
    close_table(h, tn_put_move_rows(&r), "    {0, 0, 0, 0, 0, 0, 0},\n");
    put_waits(h);
    put_interface(h, "\n#define @M_INPUT_COUNT", "static const uint32_t @m_inputs[] = {\n",
                  h->p->inputs);
    put_interface(h, "\n#define @M_OUTPUT_COUNT", "static const uint32_t @m_outputs[] = {\n",
                  h->p->outputs);
}
