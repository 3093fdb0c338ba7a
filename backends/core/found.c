#include "backends/core/found.h"

#include <inttypes.h>
#include <string.h>

#include "ir/base/diag.h"
#include "ir/plan/forms.h"
#include "ir/plan/plan_extents.h"

/* Expressions of a plan over extents that data give, in the arena of the program. */
struct tn_found {
    tn_dim_code code;
    uint32_t **extents; /* by value and axis: the operation that gives the extent; TN_NO_ID where it
                           has nothing to do with data. NULL for values of which all are so */
    bool **below; /* the same: whether it may come out below 0, in a run that there is none of */
    uint32_t **numbers; /* the same: the extent that is read there, or TN_NO_ID */
    tn_map named;       /* by the id of a name: its extent, plus 1 */
};

/* ---- what cannot be a program ---- */

static bool moved_to(const tn_plan *p, uint32_t step, uint32_t value) {
    const tn_plan_step *s = &p->steps[p->steps[step].partner];
    bool found = false;
    for (uint32_t i = 0; i < s->n_moves && !found; i++) {
        found = s->moves[i].to == value &&
                (s->moves[i].kind == TN_MOVE_COPY || s->moves[i].kind == TN_MOVE_STACK);
    }
    return found;
}

/* Whether somebody says the extent: the kernel that makes the value, or what bodies hand on. */
static bool is_said(const tn_plan *p, const tn_plan_data_dim *d) {
    if (d->value == TN_NO_ID || p->values[d->value].step == TN_NO_ID) {
        return false;
    }
    uint32_t step = p->values[d->value].step;
    const tn_plan_step *s = &p->steps[step];
    return s->kind == TN_STEP_OP ? !s->idle : s->kind == TN_STEP_END && moved_to(p, step, d->value);
}

/* Bytes of a part that is made shorter by data do not lie where those of the longest would. */
static bool has_numbers(const tn_plan *p, uint32_t value) {
    const tn_plan_value *v = &p->values[value];
    bool numbers = true;
    tn_arena *scratch = tn_arena_new(p->ctx);
    tn_dims *d = tn_dims_new(scratch);
    bool limited = tn_plan_limit_dims(p, d);
    for (uint32_t i = 0; i < v->rank && v->dim_texts != NULL; i++) {
        const char *text = v->dim_texts[i];
        tn_dim extent;
        numbers =
            numbers && (v->dims[i] >= 0 || text == NULL ||
                        (limited && tn_dim_parse(d, &text, &extent) && !tn_dim_by_data(d, extent)));
    }
    tn_arena_drop(scratch);
    return numbers;
}

static tn_status check_parts(const tn_plan *p, const tn_plan_step *s, const char *backend) {
    for (uint32_t i = 0; i < s->n_moves; i++) {
        const tn_plan_move *m = &s->moves[i];
        uint32_t part = m->kind == TN_MOVE_SLICE   ? m->to
                        : m->kind == TN_MOVE_STACK ? m->from
                                                   : TN_NO_ID;
        if (part != TN_NO_ID && !has_numbers(p, part)) {
            return tn_error(p->ctx, NULL,
                            "%s: %s '%s' takes or makes '%s' in each iteration, and its extents "
                            "are known only while running; --dim NAME=VALUE makes them numbers",
                            backend, s->op, s->name, p->values[part].name);
        }
    }
    return TN_OK;
}

tn_status tn_found_accepts(const tn_plan *p, const char *backend) {
    tn_status status = TN_OK;
    for (uint32_t i = 0; i < p->n_data_dims; i++) {
        if (!is_said(p, &p->data_dims[i])) {
            return tn_error(p->ctx, NULL,
                            "%s: no kernel can report the extent '%s', which is known only while "
                            "running: no value has it alone on an axis; --dim %s=VALUE makes it a "
                            "number, for runs that have it",
                            backend, p->data_dims[i].name, p->data_dims[i].name);
        }
    }
    for (uint32_t i = 0; i < p->n_steps && p->n_data_dims > 0 && status == TN_OK; i++) {
        status = check_parts(p, &p->steps[i], backend);
    }
    return status;
}

/* ---- expressions ---- */

static uint32_t *no_numbers(tn_arena *arena, uint32_t rank) {
    uint32_t *all = TN_ARRAY(arena, uint32_t, rank);
    memset(all, 0xff, rank * sizeof *all);
    return all;
}

static void add_value(tn_found *f, tn_arena *arena, tn_dims *d, const tn_plan *p, uint32_t value) {
    const tn_plan_value *v = &p->values[value];
    for (uint32_t i = 0; i < v->rank && v->dim_texts != NULL && v->storage != TN_NO_ID; i++) {
        const char *text = v->dims[i] < 0 ? v->dim_texts[i] : NULL;
        tn_dim extent;
        if (text == NULL) {
            continue;
        }
        if (!tn_dim_parse(d, &text, &extent)) {
            tn_bug(p->ctx, "the extent '%s' of '%s' cannot be read again", v->dim_texts[i],
                   v->name);
        }
        if (!tn_dim_by_data(d, extent)) {
            continue;
        }
        if (f->extents[value] == NULL) {
            f->extents[value] = no_numbers(arena, v->rank);
            f->below[value] = TN_ARRAY(arena, bool, v->rank);
        }
        f->below[value][i] = !tn_dim_provably_ge(d, extent, tn_dim_const(d, 0));
        f->extents[value][i] = tn_dim_code_add(&f->code, d, extent);
    }
}

static void add_dim(tn_found *f, tn_arena *arena, const tn_plan *p, uint32_t i) {
    const tn_plan_data_dim *d = &p->data_dims[i];
    tn_map_put(&f->named, tn_str_id(tn_intern(p->ctx, d->name)), i + 1);
    if (d->value != TN_NO_ID && d->axis < p->values[d->value].rank) {
        uint32_t **numbers = &f->numbers[d->value];
        *numbers = *numbers != NULL ? *numbers : no_numbers(arena, p->values[d->value].rank);
        (*numbers)[d->axis] = i;
    }
}

const tn_found *tn_found_make(tn_arena *arena, const tn_plan *p) {
    if (p->n_data_dims == 0) {
        return NULL;
    }
    tn_found *f = TN_NEW(arena, tn_found);
    tn_dims *d = tn_dims_new(arena);
    *f = (tn_found){tn_dim_code_make(arena), TN_ARRAY(arena, uint32_t *, p->n_values),
                    TN_ARRAY(arena, bool *, p->n_values), TN_ARRAY(arena, uint32_t *, p->n_values),
                    tn_map_make(arena)};
    if (!tn_plan_limit_dims(p, d)) {
        tn_bug(p->ctx, "the limit of an extent that data give cannot be read again");
    }
    for (uint32_t i = 0; i < p->n_values; i++) {
        add_value(f, arena, d, p, i);
    }
    for (uint32_t i = 0; i < p->n_data_dims; i++) {
        add_dim(f, arena, p, i);
    }
    return f;
}

bool tn_found_has(const tn_cp *c, uint32_t value) {
    return c->found != NULL && c->found->extents[value] != NULL;
}

bool tn_found_at(const tn_cp *c, uint32_t value, uint32_t axis) {
    return tn_found_has(c, value) && c->found->extents[value][axis] != TN_NO_ID;
}

bool tn_found_below(const tn_cp *c, uint32_t value, uint32_t axis) {
    return tn_found_at(c, value, axis) && c->found->below[value][axis];
}

static uint32_t data_dim(const tn_cp *c, const char *name) {
    uint64_t i = tn_map_or(&c->found->named, tn_str_id(tn_intern(c->p->ctx, name)), 0);
    return i > 0 ? (uint32_t)i - 1 : TN_NO_ID;
}

static void put_symbol(const tn_cp *c, const char *name) {
    uint32_t k = data_dim(c, name);
    if (k != TN_NO_ID) {
        tn_putf(c->out, "(int64_t)m->found[%" PRIu32 "]", k);
        return;
    }
    tn_putf(c->out, "%s->number[%" PRIu32 "]", c->layout, /* the first numbers of a layout */
            tn_plan_range_named(c->p, name));
}

static void put_op(const tn_cp *c, uint32_t at) {
    static const char *const signs[] = {
        [TN_DIM_ACT_ADD] = " + ", [TN_DIM_ACT_MUL] = " * ", [TN_DIM_ACT_FLOOR] = ", ",
        [TN_DIM_ACT_CEIL] = ", ", [TN_DIM_ACT_MIN] = ", ",  [TN_DIM_ACT_MAX] = ", "};
    static const char *const calls[] = {
        [TN_DIM_ACT_ADD] = "(",           [TN_DIM_ACT_MUL] = "(",
        [TN_DIM_ACT_FLOOR] = "@m_floor(", [TN_DIM_ACT_CEIL] = "-@m_floor(-",
        [TN_DIM_ACT_MIN] = "@m_least(",   [TN_DIM_ACT_MAX] = "@m_most("};
    const tn_dim_op *op = &c->found->code.ops.data[at];
    if (op->act == TN_DIM_ACT_SYMBOL) {
        put_symbol(c, op->name);
    } else if (op->act == TN_DIM_ACT_CONST) {
        tn_putf(c->out, "INT64_C(%" PRId64 ")", op->value);
    } else {
        tn_cp_put(c, calls[op->act]);
        put_op(c, op->a);
        tn_put(c->out, signs[op->act]);
        put_op(c, op->b);
        tn_put(c->out, ")");
    }
}

void tn_found_put(const tn_cp *c, uint32_t value, uint32_t axis) {
    uint32_t at = c->found->extents[value][axis];
    const tn_dim_op *op = &c->found->code.ops.data[at];
    if (op->act == TN_DIM_ACT_SYMBOL) {
        tn_putf(c->out, "m->found[%" PRIu32 "]", data_dim(c, op->name));
        return;
    }
    tn_put(c->out, "(tenure_dim)(");
    put_op(c, at);
    tn_put(c->out, ")");
}

/* ---- who finds them ---- */

/* What runs again says again. */
static bool makes(const tn_cp *c, uint32_t step, uint32_t value) {
    const tn_plan_step *s = &c->p->steps[step];
    for (uint32_t i = 0; i < s->results.len; i++) {
        uint32_t v = s->results.data[i];
        if (v != TN_NO_ID && (v == value || c->p->values[v].clone_of == value)) {
            return true;
        }
    }
    return false;
}

static bool rests_on(const tn_cp *c, uint32_t step, uint32_t at) {
    const tn_dim_op *op = &c->found->code.ops.data[at];
    if (op->act == TN_DIM_ACT_SYMBOL) {
        uint32_t k = data_dim(c, op->name);
        return k != TN_NO_ID && makes(c, step, c->p->data_dims[k].value);
    }
    return op->act != TN_DIM_ACT_CONST && (rests_on(c, step, op->a) || rests_on(c, step, op->b));
}

bool tn_found_by(const tn_cp *c, uint32_t step, uint32_t value, uint32_t axis) {
    return tn_found_at(c, value, axis) && rests_on(c, step, c->found->extents[value][axis]);
}

static const uint32_t *numbers_of(const tn_cp *c, uint32_t value) {
    return c->found != NULL && value != TN_NO_ID ? c->found->numbers[value] : NULL;
}

bool tn_found_by_step(const tn_cp *c, uint32_t step) {
    const tn_plan_step *s = &c->p->steps[step];
    bool any = false;
    for (uint32_t i = 0; i < s->results.len && !any; i++) {
        uint32_t v = s->results.data[i];
        any = v != TN_NO_ID &&
              (numbers_of(c, v) != NULL || numbers_of(c, c->p->values[v].clone_of) != NULL);
    }
    return any;
}

uint32_t tn_found_number(const tn_cp *c, uint32_t value, uint32_t axis) {
    const uint32_t *own = numbers_of(c, value), *same = numbers_of(c, c->p->values[value].clone_of);
    return own != NULL && own[axis] != TN_NO_ID ? own[axis] : same != NULL ? same[axis] : TN_NO_ID;
}

/* ---- text ---- */

static bool uses(const tn_cp *c, tn_dim_act act) {
    bool any = false;
    for (uint32_t i = 0; c->found != NULL && i < c->found->code.ops.len; i++) {
        any = any || c->found->code.ops.data[i].act == act;
    }
    return any;
}

void tn_found_put_helpers(const tn_cp *c) {
    if (uses(c, TN_DIM_ACT_FLOOR) || uses(c, TN_DIM_ACT_CEIL)) {
        tn_cp_put(c, "\nstatic int64_t @m_floor(int64_t a, int64_t b) {\n"
                     "    return b == 0 ? 0 : a / b - ((a % b != 0) && ((a < 0) != (b < 0)));\n"
                     "}\n");
    }
    if (uses(c, TN_DIM_ACT_MIN)) {
        tn_cp_put(c, "\nstatic int64_t @m_least(int64_t a, int64_t b) {\n"
                     "    return a < b ? a : b;\n}\n");
    }
    if (uses(c, TN_DIM_ACT_MAX)) {
        tn_cp_put(c, "\nstatic int64_t @m_most(int64_t a, int64_t b) {\n"
                     "    return a > b ? a : b;\n}\n");
    }
}

void tn_found_put_macros(const tn_cp *c) {
    if (c->found == NULL) {
        return;
    }
    tn_cp_put(c,
              "\n/* Extents that data give: a run writes them to `found` of the memory, each as "
              "soon as the value\n * has been made. A value with such extents lies compact, "
              "row-major, at the beginning of its\n * place, which is as large as the most there "
              "can be. */\n");
    for (uint32_t i = 0; i < c->p->n_data_dims; i++) {
        const tn_plan_data_dim *d = &c->p->data_dims[i];
        tn_sink most = tn_sink_make(c->arena);
        tn_plan_put_most(d, &most);
        tn_putf(c->out, "#define %s_%s %" PRIu32 " /* '", c->macro, c->ids.found[i], i);
        tn_put_comment(c->out, d->name);
        tn_putf(c->out, "',%s: axis %" PRIu32 " of", most.data, d->axis);
        tn_cp_put_value(c, d->value);
        tn_put(c->out, " */\n");
    }
    tn_putf(c->out, "#define %s_FOUND_COUNT %" PRIu32 "\n", c->macro, c->p->n_data_dims);
    tn_cp_put(c, "#ifndef @M_NO_ARRAYS\nextern tenure_dim @m_found[@M_FOUND_COUNT];\n#endif\n");
}
