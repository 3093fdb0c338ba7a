/* The printer of the text form (docs/IR.md). It walks a module as the parser reads it, with the
 * same scopes, so that it knows where a bare name would be misread. */
#include <inttypes.h>
#include <string.h>

#include "ir/text/text.h"
#include "ir/text/text_t.h"
#include "ir/walk.h"

/* Deeper graphs are not indented further: the text stays linear in the size of the module. */
enum { MAX_INDENT = 32 };

typedef struct printer {
    tn_sink *out;
    tn_arena *scratch;
    const tn_dims *dims;
    tn_opset_index opsets;
    /* NULL and unused when a single op is printed: every reference is then a bare name. */
    const uint32_t *numbers; /* graph id -> number in the text */
    tn_scope *scope;
} printer;

static void put_name(tn_sink *out, const char *name) {
    bool bare = name[0] != '\0';
    for (uint32_t i = 0; bare && i < tn_str_len(name); i++) {
        bare = tn_name_char(name[i]);
    }
    if (bare) {
        tn_put(out, name);
    } else {
        tn_put_interned(out, name);
    }
}

/* Names the value in whatever graph it is. */
static void put_far(const printer *p, const tn_value *v) {
    tn_putf(p->out, "%%@%" PRIu32, p->numbers[v->graph->id]);
    tn_put_interned(p->out, v->name);
}

static void put_near(const printer *p, const tn_value *v) {
    tn_put_c(p->out, '%');
    put_name(p->out, v->name);
}

/* A read at this point of the text. */
static void put_read(const printer *p, const tn_value *v) {
    if (v == NULL) {
        tn_put_c(p->out, '_');
    } else if (p->scope == NULL || tn_scope_find(p->scope, v->name) == v->id + 1) {
        put_near(p, v);
    } else {
        put_far(p, v);
    }
}

static void put_alias(const printer *p, const tn_value *v) {
    tn_putf(p->out, " !alias(%s ", tn_alias_words[v->alias_kind]);
    if (p->numbers == NULL || v->alias_of->graph == v->graph) {
        put_near(p, v->alias_of);
    } else {
        put_far(p, v->alias_of);
    }
    if (v->alias_offset != 0) {
        tn_putf(p->out, " %+" PRId64, v->alias_offset);
    }
    tn_put_c(p->out, ')');
}

static void put_facts(const printer *p, const tn_value *v) {
    for (const tn_flag_word *f = tn_flag_words; f->word != NULL; f++) {
        if (v->flags & f->bit) {
            tn_putf(p->out, " !%s", f->word);
        }
    }
    if (v->content != NULL) {
        tn_put(p->out, " !content(");
        for (uint32_t i = 0; i < v->n_content; i++) {
            tn_put(p->out, i > 0 ? ", " : "");
            tn_dim_print(p->dims, v->content[i], p->out);
        }
        tn_put_c(p->out, ')');
    }
    if (v->float_content != NULL) {
        tn_put(p->out, " !floats");
        tn_put_floats(p->out, v->float_content, v->n_content);
    }
    if (v->alias_of != NULL) {
        put_alias(p, v);
    }
    if (v->unplanned != NULL) {
        tn_put(p->out, " !unplanned(");
        tn_put_escaped(p->out, v->unplanned, strlen(v->unplanned));
        tn_put_c(p->out, ')');
    }
}

static void put_declaration(const printer *p, const tn_value *v) {
    put_near(p, v);
    tn_put(p->out, ": ");
    tn_type_print(p->dims, v->type, p->out);
    if (v->kind != TN_VALUE_RESULT && v->tensor != NULL) {
        tn_put(p->out, " = ");
        tn_put_tensor(p->out, p->dims, v->tensor, v->type);
    }
    put_facts(p, v);
}

static void indent(const printer *p, const tn_graph *g, uint32_t more) {
    uint32_t depth = g->depth < MAX_INDENT ? g->depth : MAX_INDENT;
    tn_put_indent(p->out, (size_t)depth * 4 + more);
}

static void put_results(const printer *p, const tn_op *op) {
    uint32_t n = op->n_results + op->n_workspace;
    for (uint32_t i = 0; i < n; i++) {
        tn_put(p->out, i > 0 ? ", " : "");
        if (op->results[i] == NULL) {
            tn_put_c(p->out, '_');
        } else {
            put_declaration(p, op->results[i]);
        }
    }
    tn_put(p->out, n > 0 ? " = " : "");
}

static void put_op(const printer *p, const tn_op *op) {
    indent(p, op->graph, 2);
    put_results(p, op);
    if (op->domain[0] != '\0') {
        tn_put_word(p->out, op->domain);
        tn_put(p->out, "::");
    }
    tn_put_word(p->out, op->type);
    if (op->version != tn_opset_index_get(&p->opsets, op->domain)) {
        tn_putf(p->out, "@%" PRId64, op->version);
    }
    tn_put_c(p->out, '(');
    for (uint32_t i = 0; i < op->n_operands; i++) {
        tn_put(p->out, i > 0 ? ", " : "");
        put_read(p, op->operands[i].value);
    }
    tn_put_c(p->out, ')');
    if (op->name[0] != '\0') {
        tn_put(p->out, " @");
        tn_put_interned(p->out, op->name);
    }
    tn_put_attrs(p->out, p->dims, op);
    if (op->loc.node >= 0) {
        const char *graph = op->loc.graph != NULL ? op->loc.graph : "";
        tn_putf(p->out, " #%" PRId32, op->loc.node);
        if (strcmp(graph, op->graph->path) != 0) {
            tn_put_c(p->out, ':');
            tn_put_escaped(p->out, graph, strlen(graph));
        }
    }
    tn_put_c(p->out, '\n');
}

/* The path the builder makes for a nested graph when its owner has a name. */
static bool path_follows(tn_arena *scratch, const tn_graph *g) {
    if (g->owner == NULL) {
        return g->kind == TN_GRAPH_MAIN ? g->path[0] == '\0' : strcmp(g->path, g->name) == 0;
    }
    const char *outer = g->owner->graph->path;
    if (g->owner->name[0] == '\0' || tn_str_len(outer) >= 512) {
        return false;
    }
    const char *path = tn_arena_printf(scratch, "%s%s%s/%s", outer, outer[0] != '\0' ? "/" : "",
                                       g->owner->name, g->name);
    return strcmp(path, g->path) == 0;
}

static void put_graph_start(const printer *p, const tn_graph *g) {
    indent(p, g, 0);
    tn_put(p->out, g->kind == TN_GRAPH_INIT ? "init" : "graph");
    if (p->numbers != NULL) {
        tn_putf(p->out, " @%" PRIu32, p->numbers[g->id]);
    }
    tn_put_c(p->out, ' ');
    tn_put_interned(p->out, g->name);
    if (!path_follows(p->scratch, g)) {
        tn_put(p->out, " path ");
        tn_put_interned(p->out, g->path);
    }
    tn_put(p->out, " {\n");
    for (uint32_t i = 0; i < g->n_inputs; i++) {
        indent(p, g, 2);
        tn_put(p->out, "input ");
        put_declaration(p, g->inputs[i]);
        tn_put_c(p->out, '\n');
    }
    for (uint32_t i = 0; i < g->n_consts; i++) {
        indent(p, g, 2);
        tn_put(p->out, "const ");
        put_declaration(p, g->consts[i]);
        tn_put_c(p->out, '\n');
    }
}

static void put_graph_end(const printer *p, const tn_graph *g) {
    for (uint32_t i = 0; i < g->n_outputs; i++) {
        if (i == 0) {
            indent(p, g, 2);
        }
        tn_put(p->out, i == 0 ? "return " : ", ");
        put_read(p, g->outputs[i]);
    }
    tn_put(p->out, g->n_outputs > 0 ? "\n" : "");
    indent(p, g, 0);
    tn_put(p->out, "}\n");
}

static void define_all(tn_scope *scope, tn_value *const *values, uint32_t n) {
    for (uint32_t i = 0; scope != NULL && i < n; i++) {
        if (values[i] != NULL) {
            tn_scope_define(scope, values[i]);
        }
    }
}

/* Prints all that the walk meets. `marks` holds the scopes of open graphs. */
static void put_walk(const printer *p, tn_walk *walk) {
    TN_VEC(uint32_t) marks = {0};
    for (tn_walk_stop stop; (stop = tn_walk_next(walk)) != TN_WALK_DONE;) {
        const tn_graph *g = walk->graph;
        switch (stop) {
        case TN_WALK_ENTER:
            put_graph_start(p, g);
            tn_vec_push(p->scratch, &marks, p->scope != NULL ? tn_scope_open(p->scope) : 0);
            define_all(p->scope, g->inputs, g->n_inputs);
            define_all(p->scope, g->consts, g->n_consts);
            break;
        case TN_WALK_OP:
            put_op(p, walk->op);
            break;
        case TN_WALK_END:
            define_all(p->scope, walk->op->results, walk->op->n_results + walk->op->n_workspace);
            break;
        case TN_WALK_LEAVE:
            put_graph_end(p, g);
            marks.len--;
            if (p->scope != NULL) {
                tn_scope_close(p->scope, marks.data[marks.len]);
            }
            break;
        case TN_WALK_DONE:
            break;
        }
    }
}

static void number_graphs(const tn_graph *root, uint32_t *numbers, uint32_t *next) {
    tn_walk walk = tn_walk_start(root);
    for (tn_walk_stop stop; (stop = tn_walk_next(&walk)) != TN_WALK_DONE;) {
        if (stop == TN_WALK_ENTER) {
            numbers[walk.graph->id] = (*next)++;
        }
    }
}

static void put_header(const tn_module *m, tn_sink *out) {
    const tn_origin *o = &m->origin;
    tn_put(out, "tir 1\nmodule ");
    tn_put_interned(out, m->name);
    tn_putf(out, "\nir_version %" PRId64 "\nproducer ", o->format_version);
    tn_put_escaped(out, o->producer, strlen(o->producer));
    tn_put_c(out, ' ');
    tn_put_escaped(out, o->producer_version, strlen(o->producer_version));
    tn_put_c(out, '\n');
    for (uint32_t i = 0; i < o->opsets.len; i++) {
        tn_put(out, "opset ");
        tn_put_interned(out, o->opsets.data[i].domain);
        tn_putf(out, " %" PRId64 "\n", o->opsets.data[i].version);
    }
    for (uint32_t i = 0; i < o->metadata.len; i++) {
        tn_put(out, "metadata ");
        tn_put_interned(out, o->metadata.data[i].key);
        tn_put_c(out, ' ');
        tn_put_interned(out, o->metadata.data[i].value);
        tn_put_c(out, '\n');
    }
}

static void put_bound(const printer *p, const tn_value *v) {
    if (v->graph->kind == TN_GRAPH_MAIN) {
        put_near(p, v);
    } else {
        put_far(p, v);
    }
}

void tn_module_print(const tn_module *m, tn_sink *out) {
    tn_arena *scratch = tn_arena_new(m->ctx);
    tn_scope scope = tn_scope_make(scratch);
    uint32_t *numbers = TN_ARRAY(scratch, uint32_t, m->n_graphs);
    printer p = {
        .out = out, .scratch = scratch, .dims = m->dims, .opsets = tn_opset_index_make(scratch, m)};
    uint32_t next = 0;
    for (uint32_t i = 0; i < m->n_graphs; i++) {
        if (m->graphs[i]->kind != TN_GRAPH_BODY) {
            number_graphs(m->graphs[i], numbers, &next);
        }
    }
    p.numbers = numbers;
    p.scope = &scope;
    put_header(m, out);
    for (uint32_t i = 0; i < m->n_graphs; i++) {
        if (m->graphs[i]->kind != TN_GRAPH_BODY) {
            tn_walk walk = tn_walk_start(m->graphs[i]);
            tn_put_c(out, '\n');
            put_walk(&p, &walk);
        }
    }
    for (uint32_t i = 0; i < m->n_bindings; i++) {
        tn_put(out, i == 0 ? "\nbind " : "bind ");
        put_bound(&p, m->bindings[i].state);
        tn_put(out, " = ");
        put_bound(&p, m->bindings[i].value);
        tn_put_c(out, '\n');
    }
    for (uint32_t i = 0; i < m->n_assignments; i++) {
        tn_put(out, i == 0 && m->n_bindings == 0 ? "\nbind " : "bind ");
        tn_put_interned(out, m->assignments[i].name);
        tn_put(out, " = ");
        put_bound(&p, m->assignments[i].value);
        tn_put_c(out, '\n');
    }
    tn_arena_drop(scratch);
}

void tn_op_print(const tn_op *op, tn_sink *out) {
    const tn_module *m = op->graph->module;
    tn_arena *scratch = tn_arena_new(m->ctx);
    printer p = {
        .out = out, .scratch = scratch, .dims = m->dims, .opsets = tn_opset_index_make(scratch, m)};
    put_op(&p, op);
    for (uint32_t i = 0; i < op->n_regions; i++) {
        tn_walk walk = tn_walk_start(op->regions[i]);
        put_walk(&p, &walk);
    }
    tn_arena_drop(scratch);
}
