#include "passes/fuse/group.h"

#include <inttypes.h>
#include <string.h>

#include "ir/compute/by_rows.h"
#include "ir/compute/compute_ops.h"
#include "ir/mutate.h"
#include "ir/ops/group_claims.h"
#include "ir/ops/op_attrs.h"
#include "ir/ops/row.h"
#include "ir/ops/row_expr.h"
#include "passes/fuse/fuse_memory.h"

bool tn_group_has(const tn_group *g, const tn_op *op) {
    for (uint32_t i = 0; i < g->len; i++) {
        if (g->data[i] == op) {
            return true;
        }
    }
    return false;
}

/* Results that a graph, any graph, gives back have readers that are no ops. */
static bool escapes(const tn_value *v) {
    const tn_module *m = v->graph->module;
    for (uint32_t i = 0; i < m->n_bindings; i++) {
        if (m->bindings[i].state == v || m->bindings[i].value == v) {
            return true;
        }
    }
    return (v->flags & TN_VF_OUTPUT) != 0;
}

bool tn_group_keeps(const tn_group *g, const tn_value *v) {
    for (const tn_use *u = v->first_use; u != NULL; u = u->next) {
        if (!tn_group_has(g, u->op)) {
            return false;
        }
    }
    return v->n_uses > 0 && !escapes(v);
}

bool tn_op_keeps(const tn_op *op, const tn_value *v) {
    for (const tn_use *u = v->first_use; u != NULL; u = u->next) {
        if (u->op != op) {
            return false;
        }
    }
    return v->n_uses > 0 && !escapes(v);
}

/* ---- whether it may be ---- */

static const tn_op *lift(const tn_op *op, const tn_graph *to) {
    while (op != NULL && op->graph != to) {
        op = op->graph->owner;
    }
    return op;
}

/* Ops outside that need a result of the group, directly or not, up to the group's last one. Marks
 * by op id. */
static bool *dependents(tn_arena *arena, const tn_group *g) {
    const tn_op *first = g->data[0], *last = g->data[g->len - 1];
    const tn_graph *graph = first->graph;
    bool *marked = TN_ARRAY(arena, bool, graph->module->n_ops);
    for (const tn_op *op = first; op != NULL && op != last; op = op->next) {
        if (!marked[op->id] && !tn_group_has(g, op)) {
            continue;
        }
        for (uint32_t r = 0; r < op->n_results; r++) {
            const tn_value *v = op->results[r];
            for (const tn_use *u = v != NULL ? v->first_use : NULL; u != NULL; u = u->next) {
                const tn_op *reader = lift(u->op, graph);
                if (reader != NULL) {
                    marked[reader->id] = !tn_group_has(g, reader);
                }
            }
        }
    }
    return marked;
}

static const char *label(tn_arena *arena, const tn_op *op) {
    const char *name = op->name[0] != '\0' ? op->name : op->loc.first;
    return tn_arena_printf(arena, "%s '%s'", op->type, name != NULL ? name : "");
}

const bool *tn_overwritten_values(const tn_module *m, tn_arena *arena) {
    bool *overwritten = TN_ARRAY(arena, bool, m->n_values);
    for (uint32_t i = 0; i < m->n_ops; i++) {
        const tn_op *op = m->ops[i];
        for (uint32_t k = 0; k < op->n_operands && !op->erased; k++) {
            if (op->operands[k].value != NULL && tn_op_overwrites(op, k, NULL)) {
                overwritten[op->operands[k].value->id] = true;
            }
        }
    }
    return overwritten;
}

static const char *refuse_op(tn_arena *arena, const tn_op *op) {
    const char *why = NULL;
    if (op->n_regions > 0) {
        why = "runs nested graphs";
    } else if (op->code != TN_OP_EXTERN && (op->info->traits & TN_T_SIDE_EFFECT) != 0) {
        why = "does more than make its results";
    } else if (op->info->traits & TN_T_CONSTANT) {
        why = "is data of the model";
    } else if (op->info->traits & TN_T_LOSS) {
        why = "makes a loss, which stays for the caller";
    }
    return why != NULL ? tn_arena_printf(arena, "%s %s", label(arena, op), why) : NULL;
}

/* It would change places with the op that overwrites. */
static const char *refuse_operands(tn_arena *arena, const tn_op *op, const bool *overwritten) {
    for (uint32_t k = 0; k < op->n_operands; k++) {
        const tn_value *v = op->operands[k].value;
        if (v != NULL && overwritten[v->id]) {
            return tn_arena_printf(arena, "%s reads '%s', which an op writes over by definition",
                                   label(arena, op), v->name);
        }
    }
    return NULL;
}

const char *tn_part_refused(tn_arena *arena, const tn_op *op, const bool *overwritten) {
    const char *why = refuse_op(arena, op);
    return why == NULL ? refuse_operands(arena, op, overwritten) : why;
}

const char *tn_group_refused(tn_arena *arena, const tn_group *g, const bool *overwritten) {
    const char *why = NULL;
    for (uint32_t i = 0; i < g->len && why == NULL; i++) {
        why = tn_part_refused(arena, g->data[i], overwritten);
    }
    return why;
}

/* Nested graphs between the ops may give back a value of the group as it is. */
static const char *refuse_captured(tn_arena *arena, const tn_group *g) {
    const tn_module *m = g->data[0]->graph->module;
    for (uint32_t i = 0; i < m->n_graphs; i++) {
        for (uint32_t k = 0; k < m->graphs[i]->n_outputs; k++) {
            const tn_value *v = m->graphs[i]->outputs[k];
            if (v->graph != m->graphs[i] && v->def != NULL && tn_group_has(g, v->def)) {
                return tn_arena_printf(arena, "'%s' is the output of a nested graph", v->name);
            }
        }
    }
    return NULL;
}

/* An op outside that feeds one of the group and needs another one. */
static const char *refuse_between(tn_arena *arena, const tn_group *g) {
    const bool *marked = dependents(arena, g);
    for (uint32_t i = 0; i < g->len; i++) {
        const tn_op *op = g->data[i];
        for (uint32_t k = 0; k < op->n_operands; k++) {
            const tn_value *v = op->operands[k].value;
            const tn_op *def = v != NULL && v->graph == op->graph ? v->def : NULL;
            if (def != NULL && marked[def->id]) {
                return tn_arena_printf(arena, "%s, which is not among them, needs one and feeds %s",
                                       label(arena, def), label(arena, op));
            }
        }
    }
    return NULL;
}

const char *tn_group_torn(tn_arena *arena, const tn_group *placed) {
    const char *why = refuse_captured(arena, placed);
    return why == NULL ? refuse_between(arena, placed) : why;
}

/* ---- the op ---- */

/* What others read must be behind the fused op, which stands where the last of its ops stood. */
static void move_dependents(const tn_group *g, tn_op *fused) {
    tn_module *m = fused->graph->module;
    tn_arena *scratch = tn_arena_new(m->ctx);
    const bool *marked = dependents(scratch, g);
    const tn_op *last = g->data[g->len - 1];
    tn_op *behind = fused->next;
    for (tn_op *op = g->data[0], *next; op != last; op = next) {
        next = op->next;
        if (marked[op->id]) {
            tn_op_move_before(op, behind);
        }
    }
    tn_arena_drop(scratch);
}

static void add_operands(tn_op *fused, const tn_group *g, const tn_op *op) {
    uint32_t n = op->n_operands;
    if (op->code != TN_OP_EXTERN && tn_op_row(op)->arity.most_in > (int32_t)n) {
        n = (uint32_t)tn_op_row(op)->arity.most_in;
    }
    for (uint32_t k = 0; k < n; k++) {
        tn_value *v = tn_operand(op, k);
        if (v == NULL || v->def == NULL || !tn_group_has(g, v->def)) {
            tn_op_add_operand(fused, v);
        }
    }
}

static void add_attrs(tn_op *fused, const tn_group *g, uint32_t i) {
    const tn_op *op = g->data[i];
    tn_module *m = op->graph->module;
    uint32_t n, count = 1;
    const tn_attr *attrs = tn_op_resolve_attrs(m, op, m->arena, &n);
    for (uint32_t k = 0; k < i; k++) {
        count += strcmp(g->data[k]->type, op->type) == 0;
    }
    for (uint32_t k = 0; k < n; k++) {
        tn_attr a = attrs[k];
        a.name = count == 1 ? tn_internf(m->ctx, "%s.%s", op->type, a.name)
                            : tn_internf(m->ctx, "%s%u.%s", op->type, count, a.name);
        tn_op_add_attr(fused, a);
    }
}

/* "ops": what the group is made of, as ops of a chain may be missing. */
static void add_types(tn_op *fused, const tn_group *g) {
    tn_module *m = fused->graph->module;
    tn_string *types = TN_ARRAY(m->arena, tn_string, g->len);
    for (uint32_t i = 0; i < g->len; i++) {
        types[i] = (tn_string){g->data[i]->type, (uint32_t)strlen(g->data[i]->type)};
    }
    tn_attr ops = {.name = tn_intern(m->ctx, "ops"), .kind = TN_ATTR_STRINGS, .n = g->len};
    ops.u.strings = types;
    tn_op_add_attr(fused, ops);
}

static void take_results(tn_op *fused, const tn_group *g) {
    for (uint32_t i = 0; i < g->len; i++) {
        tn_op *op = g->data[i];
        for (uint32_t r = 0; r < op->n_results; r++) {
            tn_value *v = op->results[r];
            if (v != NULL &&
                (v->n_uses == 0 ? i + 1 == g->len || escapes(v) : !tn_group_keeps(g, v))) {
                tn_op_take_result(fused, v);
            } else if (v == NULL && i + 1 == g->len) {
                tn_op_add_no_result(fused);
            }
        }
    }
}

static tn_op *begin(const char *domain, const char *name, const tn_op *last) {
    tn_loc loc = last->loc;
    loc.first = NULL;
    tn_op *fused = tn_op_new(last->graph, domain, name, 1, last->name, loc);
    tn_op_move_before(fused, last->next);
    return fused;
}

/* `of`: the nest of each; NULL: there is one. */
static const tn_op **remember(tn_op *fused, const tn_group *g, const uint32_t *of) {
    const tn_op **parts = TN_ARRAY(fused->graph->module->arena, const tn_op *, g->len);
    for (uint32_t i = 0; i < g->len; i++) {
        parts[i] = g->data[i];
        tn_op_remember(g->data[i], of != NULL ? of[i] : 0);
    }
    return parts;
}

static void finish(tn_op *fused, const tn_group *g, const tn_op *const *parts) {
    take_results(fused, g);
    for (uint32_t i = g->len; i-- > 0;) {
        tn_op_erase(g->data[i]);
    }
    tn_op_set_parts(fused, parts, g->len);
}

void tn_group_fuse(const tn_fusion *f, const tn_group *g, const tn_group *placed) {
    tn_op *last = placed != NULL ? placed->data[g->len - 1] : g->data[g->len - 1];
    tn_op *fused = begin(f->domain, f->name, last);
    for (uint32_t i = 0; i < g->len; i++) {
        add_operands(fused, g, g->data[i]);
        add_attrs(fused, g, i);
    }
    add_types(fused, g);
    const tn_op **parts = remember(fused, g, NULL);
    if (placed != NULL) {
        move_dependents(placed, fused);
    }
    finish(fused, g, parts);
}

/* ---- ops of tenure's own ---- */

enum { MOST_NAMED = 4 };

/* "Conv_Add_Relu", "Conv_Add_Relu_Mul_9" of nine more. */
static void put_types(const tn_group *g, tn_sink *out) {
    for (uint32_t i = 0; i < g->len && i < MOST_NAMED; i++) {
        tn_putf(out, "%s%s", i > 0 ? "_" : "", g->data[i]->type);
    }
    if (g->len > MOST_NAMED) {
        tn_putf(out, "_%u", g->len - MOST_NAMED);
    }
}

/* Element by element only where that follows from the ops' rows, too. */
static tn_nest_over over_of(const tn_compute *c, const tn_group *g, const tn_value *x, uint32_t i) {
    tn_nest_over over = tn_compute_may_lie_over(c, i);
    bool elements = tn_group_is_elementwise((const tn_op *const *)g->data, g->len, x);
    return over == TN_OVER_ELEMENTS && !elements ? TN_OVER_ROWS : over;
}

/* "Y over X1 X3 (same), Y over X2 (rows)"; and for the name "s1s3r2". */
static const char *in_place(const tn_compute *c, const tn_group *g, tn_value *const *values,
                            uint32_t n, tn_arena *arena, tn_sink *name) {
    static const char *const conds[] = {[TN_OVER_ELEMENTS] = "same", [TN_OVER_ROWS] = "rows"};
    tn_sink text = tn_sink_make(arena);
    tn_put(&text, "");
    for (uint32_t cond = TN_OVER_ELEMENTS; cond <= TN_OVER_ROWS; cond++) {
        bool any = false;
        for (uint32_t i = 0; i < n; i++) {
            if (over_of(c, g, values[i], i) == (tn_nest_over)cond) {
                tn_putf(&text, any ? " X%u" : text.len > 0 ? ", Y over X%u" : "Y over X%u", i + 1);
                tn_putf(name, "%c%u", conds[cond][0], i + 1);
                any = true;
            }
        }
        if (any) {
            tn_putf(&text, " (%s)", conds[cond]);
        }
    }
    return text.data;
}

static const char *sig_of(uint32_t n, tn_arena *arena) {
    tn_sink text = tn_sink_make(arena);
    for (uint32_t i = 0; i < n; i++) {
        tn_putf(&text, "X%u ", i + 1);
    }
    tn_put(&text, "-> Y");
    return text.data;
}

/* Rows made by one form of the module stay out of the set of others. */
static tn_op_set *own_set(tn_module *m) {
    if (m->op_set == NULL || m->op_set->arena != m->arena) {
        tn_op_set *set = TN_NEW(m->arena, tn_op_set);
        *set = m->op_set != NULL ? *m->op_set : (tn_op_set){0};
        set->arena = m->arena;
        set->rows.cap = set->rows.len;
        m->op_set = set;
    }
    return m->op_set;
}

/* Blocks of rows of what nests make for one another. */
static const struct tn_row_memory *workspace_of(const tn_by_rows *rows, tn_arena *arena) {
    tn_row_names none = {.info = NULL};
    size_t at;
    const char *want;
    struct tn_row_bytes *way = TN_NEW(arena, struct tn_row_bytes);
    struct tn_row_memory *memory = TN_NEW(arena, struct tn_row_memory);
    const char *text = tn_arena_printf(arena, "%" PRIu64, rows->workspace);
    *way =
        (struct tn_row_bytes){"rows", tn_row_expr_parse(arena, text, &none, &at, &want), NULL, 0};
    *memory = (struct tn_row_memory){way, 1};
    return memory;
}

/* The name of a row that says this, which follows from what it says: "Conv_Add_Relu_4s1" of four
 * operands, over the first of which the result may lie; "MatMul_Softmax_MatMul_3w4096" of one with
 * so many bytes of workspace. */
static const char *add_row(tn_module *m, const tn_compute *c, const tn_group *g,
                           tn_value *const *values) {
    tn_op_set *set = own_set(m);
    tn_sink name = tn_sink_make(m->arena);
    uint32_t n = c->rows != NULL ? c->rows->n_values : c->n_operands;
    put_types(g, &name);
    tn_putf(&name, "_%u", n);
    tn_op_info row = {.domain = tn_intern(m->ctx, TN_FUSED_DOMAIN),
                      .versions = "1",
                      .sig = sig_of(n, m->arena),
                      .inplace = in_place(c, g, values, n, m->arena, &name),
                      .doc = "ops whose kernel is made from what they compute"};
    if (c->rows != NULL) {
        row.workspace = workspace_of(c->rows, m->arena);
        tn_putf(&name, "w%" PRIu64, c->rows->workspace);
    }
    row.name = tn_intern(m->ctx, name.data);
    return tn_op_set_add(set, &row) ? row.name : NULL;
}

bool tn_group_fuse_own(tn_arena *scratch, const tn_group *g, const uint32_t *of,
                       const struct tn_fuse_memory *memory) {
    tn_op *last = g->data[g->len - 1];
    tn_module *m = last->graph->module;
    tn_compute c;
    tn_value **values;
    if (!tn_fuse_compute(memory, m, g, of, scratch, &c, &values)) {
        return false;
    }
    const char *name = add_row(m, &c, g, values);
    if (name == NULL) {
        return false;
    }
    tn_op *fused = begin(TN_FUSED_DOMAIN, name, last);
    for (uint32_t i = 0; i < (c.rows != NULL ? c.rows->n_values : c.n_operands); i++) {
        tn_op_add_operand(fused, values[i]);
    }
    finish(fused, g, remember(fused, g, of));
    return true;
}
