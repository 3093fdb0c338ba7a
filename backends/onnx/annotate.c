/* The model with its plan in it: as it was, but for the order of nodes and for metadata under keys
 * "tenure.plan.KEY" (docs/ONNX.md). That of the model alone is the plan, whole; what stands at
 * graphs, nodes and values is for people and for other tools, and is never read. */
#include <string.h>

#include "backends/core/backend.h"
#include "backends/onnx/planned_ops.h"
#include "ir/base/diag.h"
#include "ir/mutate.h"
#include "ir/onnx/onnx_external.h"
#include "ir/onnx/onnx_write.h"
#include "ir/plan/forms.h"
#include "ir/plan/plan_digest.h"
#include "ir/plan/plan_names.h"

enum { DETAILS_SINCE = 10 }; /* IR version from which on graphs, nodes and values have metadata */

typedef struct annotating {
    tn_arena *arena;
    const tn_module *m;
    const tn_plan *plan;         /* of the model as it is written */
    const uint32_t *plan_value;  /* by value of the model */
    const uint32_t *begin, *end; /* steps, by op */
    tn_sink text;
} annotating;

/* ---- the plan of what is written ---- */

/* Paths of nested graphs hold the number of an op where it has no name, or no name of its own; with
 * other nodes before it, the number would be another. */
static const tn_op *numbered_path(const tn_module *m) {
    for (uint32_t i = 0; i < m->n_graphs; i++) {
        const tn_graph *g = m->graphs[i];
        if (g->owner != NULL && !g->owner->erased &&
            (g->owner->name[0] == '\0' || strchr(g->path, '~') != NULL ||
             strncmp(g->path, "...", 3) == 0)) {
            return g->owner;
        }
    }
    return NULL;
}

/* Whether all there is to ops that are not the file's is that they run for parts: these are
 * written. */
static bool is_tiled(const tn_module *m) {
    bool groups = false;
    for (uint32_t i = 0; i < m->n_ops && !groups; i++) {
        groups = !m->ops[i]->erased && m->ops[i]->n_parts > 0;
    }
    return m->tiled != NULL && !groups;
}

/* As planned; as in the file where ops were fused, which it keeps apart, where paths count, and
 * where the module has not been through the passes, so that no other digest can be worked out. */
static const tn_onnx_order *choose_order(tn_arena *arena, const tn_module *m, const tn_plan *plan,
                                         const tn_planned_ops *planned) {
    bool knows_types = strcmp(tn_plan_digest(m, arena), plan->digest) == 0;
    const tn_onnx_order *order = tn_onnx_order_make(arena, m, planned->schedule);
    const tn_op *numbered = numbered_path(m);
    bool as_planned = (m->source_digest == NULL || is_tiled(m)) && knows_types &&
                      (numbered == NULL || !order->moved);
    if (as_planned && (numbered == NULL || !order->changed)) {
        return order;
    }
    order = tn_onnx_order_of_file(arena, m);
    if (order == NULL) {
        tn_loc loc = numbered != NULL ? numbered->loc : tn_loc_file(m->file);
        tn_fail(m->ctx, &loc,
                "passes have changed the model, so the nodes of the plan are not those of the "
                "file: write the model first (tenure opt -o), and plan that");
    }
    return order;
}

static bool is_reordered(tn_arena *arena, const tn_module *m, const tn_onnx_order *order,
                         const tn_planned_ops *planned) {
    const tn_op **last = TN_ARRAY(arena, const tn_op *, m->n_graphs);
    for (uint32_t i = 0; planned->schedule[i] != NULL; i++) {
        const tn_op *op = planned->schedule[i], *before = last[op->graph->id];
        if (before != NULL && (order->rank[op->id] < order->rank[before->id] ||
                               order->node[op->id] < order->node[before->id])) {
            return true;
        }
        last[op->graph->id] = op;
    }
    return false;
}

/* What is written has its parts already. */
static const char *pipeline_of(tn_arena *arena, const tn_plan *p, const tn_module *m) {
    const char *at = is_tiled(m) ? strstr(p->pipeline, "tile{") : NULL;
    const char *end = at != NULL ? strchr(at, '}') : NULL;
    return end == NULL ? p->pipeline
                       : tn_arena_printf(arena, "%.*s%s", (int)(at - p->pipeline), p->pipeline,
                                         end + (end[1] == ',' ? 2 : 1));
}

/* The plan with the numbers that nodes get, and the digest that the model gets by that. */
static const tn_plan *renumber(tn_arena *arena, const tn_plan *plan, const tn_module *m,
                               const tn_onnx_order *order, const tn_planned_ops *planned) {
    if (!order->moved && !order->changed) {
        return plan;
    }
    tn_plan *p = TN_NEW(arena, tn_plan);
    *p = *plan;
    p->steps = tn_arena_regrow(arena, p->steps, p->n_steps, p->n_steps, sizeof *p->steps);
    for (uint32_t i = 0; i < p->n_steps; i++) {
        p->steps[i].node = (int32_t)order->node[planned->of_step[i]->id];
    }
    tn_op_places places = {order->rank, order->node};
    p->digest = tn_plan_digest_at(m, &places, arena);
    p->pipeline = pipeline_of(arena, plan, m);
    p->reordered = is_reordered(arena, m, order, planned);
    return p;
}

/* ---- metadata ---- */

static void note(tn_onnx_notes *to, const char *key, const tn_sink *text) {
    tn_onnx_note(to, key, text->data, text->len);
}

static void note_text(tn_onnx_notes *to, const char *key, const char *text) {
    tn_onnx_note(to, key, text, strlen(text));
}

static void note_number(annotating *a, tn_onnx_notes *to, const char *key, uint64_t number) {
    a->text.len = 0;
    tn_put_u64(&a->text, number);
    note(to, key, &a->text);
}

static void note_steps(annotating *a, tn_onnx_notes *to, const char *key, uint32_t from,
                       uint32_t end) {
    a->text.len = 0;
    tn_putf(&a->text, "%u", from);
    if (end != from) {
        tn_putf(&a->text, "..%u", end);
    }
    note(to, key, &a->text);
}

/* Without the spaces and lines that are for eyes. */
static tn_sink compact(tn_arena *arena, const tn_plan *plan) {
    tn_sink json = tn_sink_make(arena), out = tn_sink_make(arena);
    bool quoted = false;
    tn_plan_to_json(plan, &json);
    for (size_t i = 0; i < json.len; i++) {
        char c = json.data[i];
        if (quoted || (c != ' ' && c != '\n')) {
            tn_put_c(&out, c);
        }
        if (quoted && c == '\\') {
            tn_put_c(&out, json.data[++i]);
        } else if (c == '"') {
            quoted = !quoted;
        }
    }
    return out;
}

static void note_model(annotating *a, tn_onnx_notes *to) {
    const tn_plan *p = a->plan;
    tn_sink json = compact(a->arena, p);
    note_text(to, "tenure.plan.version", p->version);
    note_text(to, "tenure.plan.digest", p->digest);
    a->text.len = 0;
    for (uint32_t i = 0; i < p->n_pools; i++) {
        const tn_pool *pool = &p->pools[i];
        tn_put(&a->text, i > 0 ? ", " : "");
        tn_put_utf8(&a->text, pool->name);
        if (p->n_ranges == 0) {
            tn_putf(&a->text, " %llu bytes", (unsigned long long)pool->size);
        }
        tn_putf(&a->text, " align %llu", (unsigned long long)pool->align);
    }
    note(to, "tenure.plan.pools", &a->text);
    note(to, TN_PLAN_NOTE, &json);
}

/* The steps of a body lie between the begin and the end of its op. */
static void note_graph(annotating *a, tn_onnx_notes *to, const tn_graph *g) {
    if (g->first != NULL && a->end[g->first->id] != TN_NO_ID) {
        uint32_t from = TN_NO_ID, end = 0;
        TN_FOR_OPS(op, g) {
            from = a->begin[op->id] < from ? a->begin[op->id] : from;
            end = a->end[op->id] > end ? a->end[op->id] : end;
        }
        note_steps(a, to, "tenure.plan.steps", from, end);
    }
}

static void note_value(annotating *a, tn_onnx_notes *to, const tn_value *value) {
    const tn_plan *p = a->plan;
    uint32_t index = a->plan_value[value->id];
    const tn_plan_value *v = index != TN_NO_ID ? &p->values[index] : NULL;
    if (v == NULL || v->storage == TN_NO_ID) {
        return;
    }
    a->text.len = 0;
    tn_put_utf8(&a->text, p->pools[p->storages[v->storage].pool].name);
    note(to, "tenure.plan.pool", &a->text);
    if (p->n_ranges == 0) { /* else expressions, in the plan's JSON */
        note_number(a, to, "tenure.plan.offset", tn_plan_address(p, v));
        note_number(a, to, "tenure.plan.bytes", v->bytes);
    }
    note_number(a, to, "tenure.plan.storage", v->storage);
    if (v->alias != TN_ALIAS_NONE) {
        note_text(to, "tenure.plan.alias", tn_alias_words[v->alias]);
    }
}

static void annotate(void *user, const tn_onnx_part *part, tn_onnx_notes *to) {
    annotating *a = user;
    if (part->module != NULL) {
        note_model(a, to);
    } else if (a->m->origin.format_version < DETAILS_SINCE) {
        return;
    } else if (part->graph != NULL) {
        note_graph(a, to, part->graph);
    } else if (part->value != NULL) {
        note_value(a, to, part->value);
    } else if (a->end[part->op->id] != TN_NO_ID) {
        note_steps(a, to, "tenure.plan.step", a->begin[part->op->id], a->end[part->op->id]);
    }
}

/* ---- the backend ---- */

/* `n` of them, all TN_NO_ID. */
static uint32_t *none(tn_arena *arena, uint32_t n) {
    uint32_t *ids = TN_ARRAY(arena, uint32_t, n);
    memset(ids, 0xff, n * sizeof *ids);
    return ids;
}

static void find_steps(annotating *a, const tn_planned_ops *planned) {
    uint32_t *begin = none(a->arena, a->m->n_ops), *end = none(a->arena, a->m->n_ops);
    for (uint32_t i = 0; i < a->plan->n_steps; i++) {
        const tn_op *op = planned->of_step[i];
        if (a->plan->steps[i].clone_of != TN_NO_ID) {
            continue;
        }
        begin[op->id] = begin[op->id] == TN_NO_ID ? i : begin[op->id];
        end[op->id] = i;
        for (uint32_t p = 0; p < op->n_parts; p++) {
            begin[op->parts[p]->id] = end[op->parts[p]->id] = i;
        }
    }
    a->begin = begin;
    a->end = end;
}

static void find_values(annotating *a) {
    uint32_t *values = none(a->arena, a->m->n_values);
    const uint32_t *in_model = tn_plan_in_model(a->arena, a->plan, a->m);
    for (uint32_t i = 0; i < a->plan->n_values; i++) {
        if (in_model[i] != TN_NO_ID) {
            values[in_model[i]] = i;
        }
    }
    a->plan_value = values;
}

static tn_status emit_plain(const tn_emission *e, const tn_module *m) {
    tn_loc loc = tn_loc_file(m->file);
    if (m->onnx == NULL) {
        return tn_error(m->ctx, &loc,
                        "onnx: only the plan of an ONNX model's main graph can be kept in the "
                        "model: write an ONNX model first (tenure opt -o m.onnx), and plan that");
    }
    if (e->outlet->folder != NULL) {
        tn_onnx_demand_external(m, e->outlet->folder);
    }
    tn_arena *arena = tn_arena_new(m->ctx);
    tn_planned_ops planned = tn_planned_ops_find(arena, e->plan, m);
    const tn_onnx_order *order = choose_order(arena, m, e->plan, &planned);
    annotating a = {.arena = arena, .m = m, .text = tn_sink_make(arena)};
    a.plan = renumber(arena, e->plan, m, order, &planned);
    find_steps(&a, &planned);
    find_values(&a);
    tn_onnx_write(m, order, &(tn_onnx_noting){annotate, &a}, e->out);
    tn_arena_drop(arena);
    return TN_OK;
}

static bool has_clones(const tn_module *m) {
    for (uint32_t i = 0; i < m->n_ops; i++) {
        if (m->ops[i]->clone_of != NULL && !m->ops[i]->erased) {
            return true;
        }
    }
    return false;
}

/* The nodes are those of the file: clones stand in the plan alone. */
static tn_status emit(const tn_emission *e) {
    if (!has_clones(e->model)) {
        return emit_plain(e, e->model);
    }
    tn_module *plain = tn_module_clone(e->model);
    tn_module_take_out_clones(plain);
    tn_status status = emit_plain(e, plain);
    tn_module_drop(plain);
    return status;
}

const tn_backend tn_backend_onnx = {
    .name = "onnx",
    .summary = "the ONNX model itself, its nodes in planned order, the plan in its metadata",
    .suffix = ".onnx",
    .emit = emit,
    .takes_open = true,
    .needs_model = true,
};
