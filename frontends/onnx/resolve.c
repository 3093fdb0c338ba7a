/* Names to operands. A walk through the graphs keeps one table from names to the values they mean
 * at this place: entering a graph adds its values, leaving it puts back what they covered. So a
 * look-up costs the same at any depth. A function's body has a name space of its own. */
#include "frontends/onnx/import_t.h"

/* What a name meant before an inner graph gave it another meaning. */
typedef struct covered {
    uint64_t key;
    const tn_value *before;
} covered;

/* An open graph of the walk; its place in the stack is its depth. */
typedef struct level {
    tn_graph *graph;
    tn_op *op; /* being resolved, or NULL before the first */
    uint32_t region;
    uint32_t first_covered;
    bool unsorted;
    TN_VEC(tn_onnx_edge) edges;
    tn_arena *arena;
} level;

typedef struct walk {
    tn_onnx *imp;
    tn_arena *arena;
    uint32_t n_new;          /* names that this file brought in, ... */
    const tn_value **of_new; /* ... and what they mean outside of functions */
    tn_map visible;          /* all other names */
    TN_VEC(covered) covers;
    TN_VEC(level) levels;
} walk;

static uint64_t key_of(uint32_t space, const char *name) {
    return (uint64_t)space << 32 | tn_str_id(name);
}

static const tn_value *meaning(const walk *w, uint64_t key) {
    uint64_t at = key - w->imp->first_name;
    return at < w->n_new ? w->of_new[at]
                         : (const tn_value *)(uintptr_t)tn_map_or(&w->visible, key, 0);
}

static void mean(walk *w, uint64_t key, const tn_value *v) {
    uint64_t at = key - w->imp->first_name;
    if (at < w->n_new) {
        w->of_new[at] = v;
    } else {
        tn_map_put(&w->visible, key, (uint64_t)(uintptr_t)v);
    }
}

static tn_value *look_up(const walk *w, const tn_graph *g, const char *name) {
    uint32_t space = tn_onnx_graph_info_of(w->imp, g)->space;
    return (tn_value *)(uintptr_t)meaning(w, key_of(space, name));
}

static void show(walk *w, tn_value *v, tn_onnx_repairs *shadows) {
    uint64_t key = key_of(tn_onnx_graph_info_of(w->imp, v->graph)->space, v->name);
    covered c = {key, meaning(w, key)};
    if (c.before != NULL) {
        tn_onnx_repaired(shadows, v->name);
    }
    tn_vec_push(w->arena, &w->covers, c);
    mean(w, key, v);
}

static void report_shadows(walk *w, const tn_graph *g, const tn_onnx_repairs *shadows) {
    if (shadows->n > 0) {
        tn_loc loc = tn_loc_file(w->imp->src.file);
        loc.graph = g->path;
        tn_warn(w->imp->ctx, &loc,
                "'%s'%s here and in a graph around this one: the inner meaning is taken",
                shadows->first, shadows->n > 1 ? " and other names are defined" : " is defined");
    }
}

static void enter(walk *w, tn_graph *g) {
    level l = {.graph = g, .first_covered = w->covers.len, .arena = tn_arena_new(w->imp->ctx)};
    tn_vec_push(w->arena, &w->levels, l);
    tn_onnx_repairs shadows = {0};
    for (uint32_t i = 0; i < g->n_inputs; i++) {
        show(w, g->inputs[i], &shadows);
    }
    for (uint32_t i = 0; i < g->n_consts; i++) {
        show(w, g->consts[i], &shadows);
    }
    TN_FOR_OPS(op, g) {
        for (uint32_t i = 0; i < op->n_results; i++) {
            if (op->results[i] != NULL) {
                show(w, op->results[i], &shadows);
            }
        }
    }
    report_shadows(w, g, &shadows);
}

/* The op that runs the reader, in the graph where the value is made, must come after the maker. */
static void note_order(walk *w, const tn_value *v) {
    if (v->def == NULL) {
        return;
    }
    level *home = &w->levels.data[v->graph->depth];
    if (v->def == home->op) {
        tn_fail(w->imp->ctx, &home->op->loc, "the node reads its own result '%s'", v->name);
    }
    tn_onnx_edge edge = {v->def, home->op};
    tn_vec_push(home->arena, &home->edges, edge);
    home->unsorted |= v->def->id > home->op->id;
}

static void resolve_op(walk *w, tn_op *op) {
    const tn_onnx_reads *reads = &w->imp->reads.data[op->id];
    tn_op_expect_operands(op, reads->n);
    for (uint32_t i = 0; i < reads->n; i++) {
        const char *name = reads->names[i];
        tn_value *v = NULL;
        if (name[0] != '\0') {
            v = look_up(w, op->graph, name);
            if (v == NULL) {
                tn_fail(w->imp->ctx, &op->loc, "operand %u reads '%s', which nothing defines", i,
                        name);
            }
            note_order(w, v);
        }
        tn_op_add_operand(op, v);
    }
}

static void resolve_outputs(walk *w, const level *l) {
    tn_graph *g = l->graph;
    const tn_onnx_graph_info *info = tn_onnx_graph_info_of(w->imp, g);
    tn_loc loc = tn_loc_file(w->imp->src.file);
    loc.graph = g->path;
    for (uint32_t i = 0; i < info->outputs.len; i++) {
        const char *name = info->outputs.data[i];
        tn_value *v = look_up(w, g, name);
        if (v == NULL) {
            tn_fail(w->imp->ctx, &loc, "graph output %u is '%s', which nothing defines", i, name);
        }
        if (v->graph != g) {
            note_order(w, v);
        }
        tn_graph_add_output(g, v);
    }
}

static void leave(walk *w) {
    level *l = &w->levels.data[w->levels.len - 1];
    resolve_outputs(w, l);
    if (l->unsorted) {
        tn_onnx_sort(w->imp, l->graph, l->edges.data, l->edges.len);
    }
    while (w->covers.len > l->first_covered) {
        const covered *c = &w->covers.data[--w->covers.len];
        mean(w, c->key, c->before);
    }
    tn_arena_drop(l->arena);
    w->levels.len--;
}

/* One step of the walk: the next region of the op at hand, else the next op, else out. */
static void step(walk *w) {
    level *l = &w->levels.data[w->levels.len - 1];
    if (l->op != NULL && l->region < l->op->n_regions) {
        enter(w, l->op->regions[l->region++]);
        return;
    }
    l->op = l->op == NULL ? l->graph->first : l->op->next;
    l->region = 0;
    if (l->op != NULL) {
        resolve_op(w, l->op);
    } else {
        leave(w);
    }
}

void tn_onnx_resolve(tn_onnx *imp) {
    tn_arena *arena = tn_arena_new(imp->ctx);
    walk w = {.imp = imp,
              .arena = arena,
              .n_new = tn_str_count(imp->ctx) - imp->first_name,
              .visible = tn_map_make(arena)};
    w.of_new = TN_ARRAY(arena, const tn_value *, w.n_new);
    for (uint32_t i = 0; i < imp->m->n_graphs; i++) {
        tn_graph *g = imp->m->graphs[i];
        if (g->owner == NULL) {
            enter(&w, g);
            while (w.levels.len > 0) {
                step(&w);
            }
        }
    }
    tn_arena_drop(arena);
}
