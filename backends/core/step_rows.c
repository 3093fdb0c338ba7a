#include "backends/core/step_rows.h"

#include <inttypes.h>
#include <string.h>

#include "backends/core/emit.h"

enum { MAX_TEXT = 1000 }; /* bytes of a string attribute; C99 compilers take 4095 */

void tn_put_value_row(const tn_step_rows *r, uint32_t value) {
    uint32_t row = value == TN_NO_ID || r->rows == NULL ? value : r->rows[value];
    if (row != TN_NO_ID) {
        tn_putf(r->out, " %" PRIu32 "u,", row);
    } else {
        tn_putf(r->out, " %s,", value == TN_NO_ID ? r->absent : r->unplaced);
    }
}

static bool is_short(tn_string s) {
    return s.len <= MAX_TEXT && memchr(s.data, '\0', s.len) == NULL;
}

static tn_attr_table table_of(const tn_attr *a, uint32_t *n) {
    *n = 1;
    switch ((int)a->kind) {
    case TN_ATTR_INT:
        return TN_ATTRS_INTS;
    case TN_ATTR_FLOAT:
        return TN_ATTRS_FLOATS;
    case TN_ATTR_STRING:
        return is_short(a->u.s) ? TN_ATTRS_STRINGS : TN_ATTRS_OMITTED;
    case TN_ATTR_INTS:
        *n = a->n;
        return TN_ATTRS_INTS;
    case TN_ATTR_FLOATS:
        *n = a->n;
        return TN_ATTRS_FLOATS;
    case TN_ATTR_STRINGS:
        for (uint32_t i = 0; i < a->n; i++) {
            if (!is_short(a->u.strings[i])) {
                return TN_ATTRS_OMITTED;
            }
        }
        *n = a->n;
        return TN_ATTRS_STRINGS;
    default:
        return TN_ATTRS_OMITTED;
    }
}

uint32_t tn_put_attr_rows(const tn_step_rows *r) {
    uint32_t done[TN_ATTRS_OMITTED + 1] = {0}, all = 0;
    for (uint32_t i = 0; i < r->p->n_steps; i++) {
        const tn_plan_step *s = &r->p->steps[i];
        for (uint32_t k = 0; k < s->n_attrs; k++, all++) {
            uint32_t n;
            tn_attr_table table = table_of(&s->attrs[k], &n);
            n = table == TN_ATTRS_OMITTED ? 0 : n;
            tn_put(r->out, "    {");
            tn_put_c_name(r->out, s->attrs[k].name);
            tn_putf(r->out, ", %uu, {%" PRIu32 "u, %" PRIu32 "u}},\n", (unsigned)table, done[table],
                    n);
            done[table] += n;
        }
    }
    return all;
}

static void put_value(tn_sink *out, const tn_attr *a, uint32_t i) {
    switch ((int)a->kind) {
    case TN_ATTR_INT:
        tn_put_c_int(out, a->u.i);
        break;
    case TN_ATTR_INTS:
        tn_put_c_int(out, a->u.ints[i]);
        break;
    case TN_ATTR_FLOAT:
        tn_put_c_float(out, a->u.f, "");
        break;
    case TN_ATTR_FLOATS:
        tn_put_c_float(out, a->u.floats[i], "");
        break;
    case TN_ATTR_STRING:
        tn_put_c_string(out, a->u.s.data);
        break;
    default:
        tn_put_c_string(out, a->u.strings[i].data);
        break;
    }
}

uint32_t tn_put_attr_values(const tn_step_rows *r, tn_attr_table table) {
    uint32_t all = 0;
    for (uint32_t i = 0; i < r->p->n_steps; i++) {
        const tn_plan_step *s = &r->p->steps[i];
        for (uint32_t k = 0; k < s->n_attrs; k++) {
            uint32_t n;
            if (table_of(&s->attrs[k], &n) != table) {
                continue;
            }
            for (uint32_t j = 0; j < n; j++, all++) {
                tn_put(r->out, "    ");
                put_value(r->out, &s->attrs[k], j);
                tn_put(r->out, ",\n");
            }
        }
    }
    return all;
}

uint32_t tn_put_claim_rows(const tn_step_rows *r) {
    uint32_t all = 0;
    for (uint32_t i = 0; i < r->p->n_steps; i++) {
        const tn_plan_step *s = &r->p->steps[i];
        for (uint32_t k = 0; k < s->n_claims; k++, all++) {
            const tn_plan_claim *c = &s->claims[k];
            if (c->result == TN_NO_ID) {
                tn_putf(r->out, "    {%s,", r->absent);
            } else {
                tn_putf(r->out, "    {%" PRIu32 "u,", c->result);
            }
            tn_putf(r->out, " %" PRIu32 "u, %uu},\n", c->operand, (unsigned)c->promise);
        }
    }
    return all;
}

uint32_t tn_put_move_rows(const tn_step_rows *r) {
    uint32_t all = 0;
    for (uint32_t i = 0; i < r->p->n_steps; i++) {
        const tn_plan_step *s = &r->p->steps[i];
        for (uint32_t k = 0; k < s->n_moves; k++, all++) {
            const tn_plan_move *m = &s->moves[k];
            tn_putf(r->out, "    {%uu, %uu, %" PRIu32 "u,", (unsigned)m->when, (unsigned)m->kind,
                    m->body);
            tn_put_value_row(r, m->from);
            tn_put_value_row(r, m->to);
            tn_putf(r->out, " %" PRId64 ", %d},\n", m->axis, m->reverse);
        }
    }
    return all;
}
