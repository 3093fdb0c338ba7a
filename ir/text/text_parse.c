/* The reader of the text form (docs/IR.md): module, graphs, ops. One pass; open graphs are on a
 * stack of their own, so that nesting costs no C stack. */
#include <string.h>

#include "ir/base/limits.h"
#include "ir/text/text.h"
#include "ir/text/text_parse_t.h"

enum { VERSION = 1 };

/* ---- ops ---- */

static void read_results(tn_text_parser *p) {
    p->results.len = 0;
    char next = tn_lex_peek(&p->lex);
    size_t word;
    tn_lex_peek_word(&p->lex, &word);
    if (next != '%' && !(next == '_' && word == 1)) {
        return;
    }
    do {
        tn_text_decl d = {0};
        if (!tn_lex_accept_word(&p->lex, "_")) {
            tn_text_read_decl(p, false, &d);
        }
        tn_vec_push(p->scratch, &p->results, d);
    } while (tn_lex_accept(&p->lex, ","));
    tn_lex_expect(&p->lex, "=");
}

static void read_operands(tn_text_parser *p) {
    p->operands.len = 0;
    tn_lex_expect(&p->lex, "(");
    while (!tn_lex_accept(&p->lex, ")")) {
        tn_value *v = NULL;
        if (p->operands.len > 0) {
            tn_lex_expect(&p->lex, ",");
        }
        if (!tn_lex_accept_word(&p->lex, "_")) {
            tn_text_ref ref = tn_text_read_ref(p);
            v = tn_text_find_read(p, &ref);
        }
        tn_vec_push(p->scratch, &p->operands, v);
    }
}

/* "#12" or "#12:"path"". */
static void read_location(tn_text_parser *p, const tn_graph *g, tn_loc *loc) {
    loc->file = p->m->file;
    loc->graph = g->path;
    if (tn_lex_accept(&p->lex, "#")) {
        loc->node = (int32_t)tn_lex_u32(&p->lex);
        if (tn_lex_accept(&p->lex, ":")) {
            loc->graph = tn_lex_interned(&p->lex);
        }
    }
}

static void fill_op(tn_text_parser *p, tn_op *op) {
    for (uint32_t i = 0; i < p->operands.len; i++) {
        tn_op_add_operand(op, p->operands.data[i]);
    }
    for (uint32_t i = 0; i < p->results.len; i++) {
        const tn_text_decl *d = &p->results.data[i];
        bool workspace = (d->flags & TN_VF_WORKSPACE) != 0;
        if (op->n_workspace > 0 && !workspace) {
            tn_fail(p->m->ctx, &op->loc, "a result stands behind workspace of the op");
        }
        if (workspace) {
            bool kept = (d->flags & TN_VF_STATE) != 0;
            tn_text_apply_decl(p, tn_op_add_workspace(op, d->name, d->type, kept), d);
        } else if (d->name == NULL) {
            tn_op_add_no_result(op);
        } else {
            tn_text_apply_decl(p, tn_op_add_result(op, d->name, d->type), d);
        }
    }
    for (uint32_t i = 0; i < p->attrs.len; i++) {
        tn_op_add_attr(op, p->attrs.data[i]);
    }
}

/* Of an operator set; 0 is one that is not known. */
static int64_t read_version(tn_lex *l) {
    tn_lex before = *l;
    int64_t version = tn_lex_int(l);
    if (version < 0) {
        *l = before;
        tn_lex_fail(l, "the version of an operator set is not below 0");
    }
    return version;
}

static void read_op(tn_text_parser *p, tn_text_frame *f) {
    tn_lex *l = &p->lex;
    tn_loc loc = tn_lex_loc(l);
    read_results(p);
    const char *domain = tn_intern(l->ctx, ""), *type = tn_lex_word(l);
    if (tn_lex_accept(l, "::")) {
        domain = strcmp(type, "ai.onnx") == 0 ? domain : type;
        type = tn_lex_word(l);
    }
    int64_t version =
        tn_lex_accept(l, "@") ? read_version(l) : tn_opset_index_get(&p->opsets, domain);
    read_operands(p);
    const char *name = tn_lex_accept(l, "@") ? tn_lex_interned(l) : "";
    tn_text_read_attrs(p);
    read_location(p, f->graph, &loc);
    if (p->operands.len > TN_MAX_OPERANDS || p->results.len > TN_MAX_OPERANDS) {
        tn_lex_fail(l, "%u operands and %u results; the limit is %u", p->operands.len,
                    p->results.len, TN_MAX_OPERANDS);
    }
    if (p->attrs.len > TN_MAX_ATTRS) {
        tn_lex_fail(l, "%u attributes; the limit is %u", p->attrs.len, TN_MAX_ATTRS);
    }
    f->op = tn_op_new(f->graph, domain, type, version, name, loc);
    fill_op(p, f->op);
    f->n_region_attrs = p->region_attrs.len;
    f->region_attrs = tn_arena_regrow(p->scratch, p->region_attrs.data, p->region_attrs.len,
                                      p->region_attrs.len, sizeof *f->region_attrs);
}

/* All regions of the open op have been read: attributes can point at them, and its results are
 * visible from here on. */
static void close_op(tn_text_parser *p, tn_text_frame *f) {
    tn_op *op = f->op;
    for (uint32_t i = 0; i < f->n_region_attrs; i++) {
        const tn_text_region_attr *r = &f->region_attrs[i];
        tn_attr *a = &op->attrs[r->attr];
        tn_graph **graphs = TN_ARRAY(p->m->arena, tn_graph *, r->n);
        for (uint32_t k = 0; k < r->n; k++) {
            if (r->regions[k] >= op->n_regions) {
                tn_fail(p->m->ctx, &r->loc, "attribute '%s' names region %u of %u", a->name,
                        r->regions[k], op->n_regions);
            }
            graphs[k] = op->regions[r->regions[k]];
        }
        if (a->kind == TN_ATTR_GRAPH) {
            a->u.g = graphs[0];
        } else {
            a->u.graphs = graphs;
        }
    }
    for (uint32_t i = 0; i < op->n_results; i++) {
        if (op->results[i] != NULL) {
            tn_scope_define(&p->scope, op->results[i]);
        }
    }
    f->op = NULL;
}

/* ---- graphs ---- */

static void read_input(tn_text_parser *p, tn_graph *g) {
    tn_text_decl d;
    tn_text_read_decl(p, true, &d);
    tn_value *v = tn_graph_add_input(g, d.name, d.type);
    tn_text_apply_decl(p, v, &d);
    tn_scope_define(&p->scope, v);
}

static void read_const(tn_text_parser *p, tn_graph *g) {
    tn_text_decl d;
    tn_text_read_decl(p, true, &d);
    if (d.tensor == NULL) {
        tn_fail(p->m->ctx, &d.loc, "constant '%s' has no tensor", d.name);
    }
    tn_value *v = tn_graph_add_const(g, d.name, d.tensor);
    tn_text_apply_decl(p, v, &d);
    tn_scope_define(&p->scope, v);
}

static void read_return(tn_text_parser *p, tn_graph *g) {
    do {
        tn_text_ref ref = tn_text_read_ref(p);
        tn_graph_add_output(g, tn_text_find_read(p, &ref));
    } while (tn_lex_accept(&p->lex, ","));
}

/* After the word `graph` or `init`. `main` is the graph when it exists already. */
static void open_graph(tn_text_parser *p, tn_graph *main, tn_op *owner) {
    tn_lex *l = &p->lex;
    tn_loc loc = tn_lex_loc(l);
    uint32_t number = main != NULL ? 0 : p->m->n_graphs;
    if (p->stack.len >= TN_MAX_NESTING) {
        tn_lex_fail(l, "graphs nested more than %u deep", TN_MAX_NESTING);
    }
    if (tn_lex_accept(l, "@") && tn_lex_u32(l) != number) {
        tn_fail(l->ctx, &loc, "this is graph @%u: graphs are numbered as they come", number);
    }
    const char *name = tn_lex_interned(l);
    tn_graph *g = main;
    if (main != NULL) {
        main->name = name;
    } else {
        g = tn_graph_new(p->m, name, owner);
    }
    if (tn_lex_accept_word(l, "path")) {
        const char *path = tn_lex_interned(l);
        if (!tn_graph_set_path(g, path)) {
            tn_fail(l->ctx, &loc, "the path '%s' is that of another graph", path);
        }
    }
    tn_lex_expect(l, "{");
    tn_text_frame f = {.graph = g, .mark = tn_scope_open(&p->scope)};
    tn_vec_push(p->scratch, &p->stack, f);
}

static void close_graph(tn_text_parser *p) {
    tn_scope_close(&p->scope, p->stack.data[--p->stack.len].mark);
}

/* Reads what comes next inside the innermost open graph. */
static void read_statement(tn_text_parser *p) {
    tn_text_frame *f = &p->stack.data[p->stack.len - 1];
    if (f->op != NULL) {
        if (tn_lex_accept_word(&p->lex, "graph")) {
            open_graph(p, NULL, f->op);
            return;
        }
        close_op(p, f);
    }
    if (tn_lex_accept_word(&p->lex, "input")) {
        read_input(p, f->graph);
    } else if (tn_lex_accept_word(&p->lex, "const")) {
        read_const(p, f->graph);
    } else if (tn_lex_accept_word(&p->lex, "return")) {
        read_return(p, f->graph);
        tn_lex_expect(&p->lex, "}");
        close_graph(p);
    } else if (tn_lex_accept(&p->lex, "}")) {
        close_graph(p);
    } else {
        read_op(p, f);
    }
}

static void read_graph(tn_text_parser *p, tn_graph *main) {
    open_graph(p, main, NULL);
    while (p->stack.len > 0) {
        read_statement(p);
    }
}

/* ---- modules ---- */

static bool read_header_line(tn_text_parser *p) {
    tn_lex *l = &p->lex;
    tn_module *m = p->m;
    if (tn_lex_accept_word(l, "module")) {
        m->name = tn_lex_interned(l);
    } else if (tn_lex_accept_word(l, "ir_version")) {
        m->origin.format_version = tn_lex_int(l);
    } else if (tn_lex_accept_word(l, "producer")) {
        m->origin.producer = tn_lex_interned(l);
        m->origin.producer_version = tn_lex_interned(l);
    } else if (tn_lex_accept_word(l, "opset")) {
        const char *domain = tn_lex_interned(l);
        if (m->origin.opsets.len >= TN_MAX_OPSETS) {
            tn_lex_fail(l, "more than %u opset imports", TN_MAX_OPSETS);
        }
        tn_module_add_opset(m, domain, read_version(l));
    } else if (tn_lex_accept_word(l, "metadata")) {
        const char *name = tn_lex_interned(l);
        tn_module_add_metadata(m, name, tn_lex_interned(l));
    } else {
        return false;
    }
    return true;
}

static void read_binding(tn_text_parser *p) {
    if (tn_lex_peek(&p->lex) == '"') {
        const char *name = tn_lex_interned(&p->lex);
        tn_lex_expect(&p->lex, "=");
        tn_text_ref value = tn_text_read_ref(p);
        tn_module_add_assignment(p->m, name, tn_text_find_in(p, &value, 0));
        return;
    }
    tn_text_ref state = tn_text_read_ref(p);
    tn_lex_expect(&p->lex, "=");
    tn_text_ref value = tn_text_read_ref(p);
    tn_module_add_binding(p->m, tn_text_find_in(p, &state, 0), tn_text_find_in(p, &value, 0));
}

static void read_module(tn_text_parser *p) {
    tn_lex *l = &p->lex;
    tn_lex_expect_word(l, "tir");
    uint32_t version = tn_lex_u32(l);
    if (version != VERSION) {
        tn_lex_fail(l, "version %u of the text form; this reads version %d", version, VERSION);
    }
    while (read_header_line(p)) {
    }
    p->opsets = tn_opset_index_make(p->scratch, p->m);
    tn_lex_expect_word(l, "graph");
    read_graph(p, p->m->main);
    while (tn_lex_accept_word(l, "init")) {
        read_graph(p, NULL);
    }
    while (tn_lex_accept_word(l, "bind")) {
        read_binding(p);
    }
    if (!tn_lex_at_end(l)) {
        tn_lex_fail(l, "expected init, bind or the end of the file");
    }
    tn_text_draw_aliases(p);
}

typedef struct job {
    const char *file, *text;
    size_t size;
    struct tn_op_set *ops;
    tn_module *result;
} job;

static tn_status run(tn_ctx *ctx, void *arg) {
    job *j = arg;
    tn_arena *scratch = tn_arena_new(ctx);
    tn_module *m = tn_module_new(ctx, "", j->file);
    m->op_set = j->ops;
    /* The copy ends with a NUL, which the lexer and the parsers of types and dimensions stop at. */
    const char *text = tn_arena_strndup(scratch, j->text, j->size);
    tn_text_parser p = {.lex = tn_lex_make(ctx, m->file, text, j->size),
                        .m = m,
                        .scratch = scratch,
                        .scope = tn_scope_make(scratch),
                        .by_name = tn_map_make(scratch)};
    read_module(&p);
    tn_arena_drop(scratch);
    j->result = m;
    return TN_OK;
}

tn_module *tn_module_parse(tn_ctx *ctx, const char *file, const char *text, size_t size) {
    return tn_module_parse_for(ctx, file, text, size, NULL);
}

tn_module *tn_module_parse_for(tn_ctx *ctx, const char *file, const char *text, size_t size,
                               struct tn_op_set *ops) {
    job j = {.file = file, .text = text, .size = size, .ops = ops};
    tn_status status = tn_guard_run(ctx, run, &j);
    if (status != TN_OK && status != TN_ERROR) {
        tn_reraise(ctx, status);
    }
    return status == TN_OK ? j.result : NULL;
}
