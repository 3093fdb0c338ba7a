/* Kernels that a program holds: one for all steps that come to the same text. */
#include <inttypes.h>
#include <string.h>

#include "backends/core/found.h"
#include "backends/core/program.h"
#include "backends/kernels/kernels_c.h"
#include "ir/compute/by_rows.h"
#include "ir/compute/nest_places.h"
#include "ir/ops/op_set.h"

/* What came before: an interned text, and the number of its kernel. */
typedef struct maker {
    tn_cp *c;
    uint32_t *made;
    uint32_t n;
    tn_map seen;
    tn_sink all;
} maker;

/* ---- which steps ---- */

/* Of an op that gathers operands into its result, those that are there already stay. */
static bool gathers(const tn_plan_step *s) {
    return tn_cp_row(s) != NULL && tn_cp_row(s)->view == TN_VIEW_GATHERED;
}

/* Loops read an element, or a row, before they write it; updates are looked at by their nests. */
static bool keeps_promises(const tn_plan_step *s) {
    for (uint32_t i = 0; i < s->n_claims; i++) {
        tn_plan_promise promise = s->claims[i].promise;
        bool there = promise == TN_PROMISE_KEEP && gathers(s);
        if (promise != TN_PROMISE_ELEMENTS && promise != TN_PROMISE_ROWS &&
            promise != TN_PROMISE_UPDATE && !there) {
            return false;
        }
    }
    return true;
}

static bool has_found(const tn_cp *c, tn_ids values) {
    bool any = false;
    for (uint32_t i = 0; c->found != NULL && i < values.len; i++) {
        any = any || (values.data[i] != TN_NO_ID && tn_found_has(c, values.data[i]));
    }
    return any;
}

static bool may_be_made(const tn_cp *c, uint32_t step) {
    const tn_plan_step *s = &c->p->steps[step];
    bool own = tn_cp_own_row(c, s) != NULL, group = tn_is_group(s->domain, s->n_parts);
    bool plain = (s->n_parts == 0 || group) && tn_cp_layout(c, s)[0] == '\0';
    return tn_cp_calls(c, step) && (tn_cp_row(s) != NULL || own || group) &&
           tn_cp_is_placed(c, s) && (s->n_workspace == 0 || group) && (own || plain) &&
           keeps_promises(s) && !has_found(c, s->operands) && !has_found(c, s->results);
}

/* ---- what the nests are made of ---- */

static tn_compute_value *values_of(const tn_cp *c, tn_ids ids) {
    tn_compute_value *values = TN_ARRAY(c->arena, tn_compute_value, ids.len + 1u);
    for (uint32_t i = 0; i < ids.len; i++) {
        if (ids.data[i] != TN_NO_ID) {
            const tn_plan_value *v = &c->p->values[ids.data[i]];
            values[i] = (tn_compute_value){
                .there = true, .dtype = v->dtype, .rank = v->rank, .dims = v->dims};
        }
    }
    return values;
}

static tn_compute ask_of(const tn_cp *c, const tn_plan_step *s, const tn_kernel *k) {
    tn_compute_value *operands = values_of(c, s->operands);
    for (uint32_t i = 0; i < k->n_fields; i++) {
        const tn_kernel_field *f = &k->fields[i];
        const tn_attr *known = f->operand >= 0 ? tn_cp_known(c, s, f) : NULL;
        if (known != NULL && (known->kind == TN_ATTR_INTS || known->kind == TN_ATTR_FLOATS)) {
            tn_compute_value *v = &operands[f->operand];
            v->known = known->kind == TN_ATTR_INTS ? known->u.ints : NULL;
            v->floats = known->kind == TN_ATTR_FLOATS ? known->u.floats : NULL;
            v->n_known = known->n;
        }
    }
    return (tn_compute){.arena = c->arena,
                        .info = k->info,
                        .version = k->since,
                        .operands = operands,
                        .results = values_of(c, s->results),
                        .n_operands = s->operands.len,
                        .n_results = s->results.len,
                        .attrs = s->attrs,
                        .n_attrs = s->n_attrs};
}

/* Whether the result has the operand's elements where they are. */
static bool is_copy(const tn_nest *n, uint32_t result, uint32_t operand) {
    return n->result == result && n->moves && n->value->which == operand &&
           n->value->arg[0] == NULL && n->store_by == NULL &&
           memcmp(&n->value->at, &n->store, sizeof n->store) == 0;
}

/* A result over the operand that it updates: what it has of that stays, and nothing else of it is
 * read. False where this is not so. */
static bool leave_out_copies(const tn_plan_step *s, tn_compute *ask) {
    bool all = true;
    for (uint32_t k = 0; k < s->n_claims; k++) {
        uint32_t n = 0, operand = s->claims[k].operand;
        if (s->claims[k].promise != TN_PROMISE_UPDATE) {
            continue;
        }
        for (uint32_t i = 0; i < ask->nests.len; i++) {
            const tn_nest *nest = &ask->nests.data[i];
            bool copy = is_copy(nest, s->claims[k].result, operand);
            all = all && (copy || !tn_nest_loads(nest, operand));
            ask->nests.data[n] = ask->nests.data[i];
            n += !copy;
        }
        ask->nests.len = n;
    }
    return all;
}

/* Pieces that are there already need no loop. */
static void leave_out_pieces(const tn_plan_step *s, tn_compute *ask) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < ask->nests.len; i++) {
        const tn_nest *nest = &ask->nests.data[i];
        bool there = false;
        for (uint32_t k = 0; k < s->n_claims && gathers(s); k++) {
            there = there ||
                    (s->claims[k].promise == TN_PROMISE_KEEP && nest->value->kind == TN_CALC_LOAD &&
                     s->claims[k].operand == nest->value->which && !nest->border);
        }
        ask->nests.data[n] = ask->nests.data[i];
        n += !there;
    }
    ask->nests.len = n;
}

/* "X->data", or "inputs[2]->data" where a name stands for many. */
static const char **pointers(tn_arena *arena, const tn_kernel_port *ports, uint32_t n,
                             uint32_t given) {
    const char **names = TN_ARRAY(arena, const char *, given + 1u);
    for (uint32_t i = 0; i < given; i++) {
        uint32_t port = i < n ? i : n - 1;
        names[i] = ports[port].many
                       ? tn_arena_printf(arena, "%s[%" PRIu32 "]->data", ports[port].id, i - port)
                       : tn_arena_printf(arena, "%s->data", ports[port].id);
    }
    return names;
}

/* The same of nests done by rows, which hand blocks to one another in the workspace. */
static void point_to_blocks(tn_arena *arena, const tn_by_rows *rows, uint32_t n,
                            const char *const *ports, const char **operands, const char **results) {
    static const char text[] = "(void *)((char *)context->workspace + %" PRIu64 ")";
    for (uint32_t i = 0; i < rows->n_operands; i++) {
        const tn_rows_operand *o = &rows->operand[i];
        operands[i] = o->made ? tn_arena_printf(arena, text, o->offset) : ports[o->value];
    }
    for (uint32_t i = 0; i + 1 < n; i++) {
        results[n - 1 - i] = tn_arena_printf(arena, text, rows->offset[i]);
    }
}

/* ---- the text ---- */

static void put_unused(tn_sink *out, const tn_kernel_port *ports, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        tn_putf(out, "    (void)%s;\n", ports[i].id);
        if (ports[i].many) {
            tn_putf(out, "    (void)n_%s;\n", ports[i].id);
        }
    }
}

/* The nests, and an end. */
static void put_body(const tn_cp *c, tn_sink *out, const tn_compute *ask,
                     const char *const *operands, const char *const *results) {
    tn_kernel_text text = {out,     c->symbol, c->macro,   operands,
                           results, c->small,  c->threads, false};
    bool may_fail = tn_kernel_put_nests(&text, ask);
    tn_put(out, "    (void)context;\n");
    if (may_fail) {
        tn_putf(out, "    return %s_failed(bad);\n}\n", c->symbol);
    } else {
        tn_put(out, "    return 0;\n}\n");
    }
}

/* What stands behind the name: parameters and statements. */
static const char *text_of(const tn_cp *c, const tn_kernel *k, const tn_compute *ask) {
    tn_sink out = tn_sink_make(c->arena);
    tn_kernel_put_parameters(&out, k);
    tn_put(&out, " {\n");
    tn_put(&out, k->n_fields > 0 || k->generic ? "    (void)attributes;\n" : "");
    tn_put(&out, k->generic ? "    (void)n_attributes;\n" : "");
    put_unused(&out, k->operands, k->n_operands);
    put_unused(&out, k->results, k->n_results);
    const char **operands = pointers(c->arena, k->operands, k->n_operands, ask->n_operands);
    const char **results = pointers(c->arena, k->results, k->n_results, ask->n_results);
    if (ask->rows != NULL) {
        const char **ports = pointers(c->arena, k->operands, k->n_operands, ask->rows->n_values);
        point_to_blocks(c->arena, ask->rows, ask->n_results, ports, operands, results);
    }
    put_body(c, &out, ask, operands, results);
    return tn_intern(c->p->ctx, out.data);
}

bool tn_cp_step_nests(const tn_cp *c, uint32_t step, tn_kernel *k, tn_compute *ask) {
    const tn_plan_step *s = &c->p->steps[step];
    if (!may_be_made(c, step)) {
        return false;
    }
    const tn_op_info *row = tn_cp_row(s), *own = tn_cp_own_row(c, s);
    bool group = tn_is_group(s->domain, s->n_parts);
    const tn_op_info *info = group ? tn_cp_op(c, s)->info : own != NULL ? own : row;
    int64_t since = tn_kernel_since(info, s->version);
    *k = row != NULL ? tn_kernel_make(c->arena, info, since)
                     : tn_kernel_make_generic(c->arena, info, since);
    *ask = (tn_compute){0};
    if (group) {
        return tn_cp_group_nests(c, s, ask);
    }
    *ask = ask_of(c, s, k);
    if ((own != NULL && !tn_cp_own_values(c, s, ask)) || !tn_compute_make(ask) ||
        !leave_out_copies(s, ask)) {
        return false;
    }
    leave_out_pieces(s, ask);
    return true;
}

static uint32_t make(maker *m, uint32_t step) {
    const tn_plan_step *s = &m->c->p->steps[step];
    tn_kernel k;
    tn_compute ask;
    if (!tn_cp_step_nests(m->c, step, &k, &ask)) {
        return TN_NO_ID;
    }
    const char *text = text_of(m->c, &k, &ask);
    uint32_t number = (uint32_t)tn_map_or(&m->seen, tn_str_id(text), 0);
    if (number == 0) {
        number = ++m->n;
        tn_map_put(&m->seen, tn_str_id(text), number);
        tn_put(&m->all, "\n/* ");
        tn_put_comment(&m->all, s->op);
        tn_putf(&m->all, " */\n%s_KERNEL static int %s_kernel_%" PRIu32, m->c->macro, m->c->symbol,
                number - 1);
        tn_put(&m->all, text);
    }
    return number - 1;
}

const char *tn_cp_make_kernels(tn_cp *c) {
    maker m = {.c = c, .seen = tn_map_make(c->arena), .all = tn_sink_make(c->arena)};
    m.made = TN_ARRAY(c->arena, uint32_t, c->p->n_steps + 1u);
    for (uint32_t i = 0; i < c->p->n_steps; i++) {
        m.made[i] = make(&m, i);
        if (m.made[i] == TN_NO_ID && tn_cp_calls(c, i) &&
            tn_cp_own_row(c, &c->p->steps[i]) != NULL) {
            tn_cp_warn_own(c, &c->p->steps[i]);
        }
    }
    c->made = m.made;
    return m.n > 0 ? m.all.data : "";
}
