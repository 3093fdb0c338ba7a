/* Reading values: references, declarations with their facts, alias edges. */
#include <string.h>

#include "ir/base/limits.h"
#include "ir/base/xmath.h"
#include "ir/text/text_parse_t.h"

static uint64_t key(uint32_t graph, const char *name) {
    return (uint64_t)graph << 32 | tn_str_id(name);
}

tn_text_ref tn_text_read_ref(tn_text_parser *p) {
    tn_text_ref ref = {.loc = tn_lex_loc(&p->lex)};
    tn_lex_expect(&p->lex, "%");
    if (*p->lex.at == '@') {
        p->lex.at++;
        ref.far = true;
        ref.number = tn_lex_u32(&p->lex);
        ref.name = tn_lex_interned(&p->lex);
    } else {
        ref.name = tn_lex_name(&p->lex);
    }
    return ref;
}

tn_value *tn_text_find_in(tn_text_parser *p, const tn_text_ref *ref, uint32_t home) {
    uint64_t id;
    uint32_t graph = ref->far ? ref->number : home;
    if (!tn_map_get(&p->by_name, key(graph, ref->name), &id)) {
        tn_fail(p->m->ctx, &ref->loc, "graph @%u has no value '%s'", graph, ref->name);
    }
    return p->m->values[id];
}

tn_value *tn_text_find_read(tn_text_parser *p, const tn_text_ref *ref) {
    if (ref->far) {
        return tn_text_find_in(p, ref, 0);
    }
    uint32_t found = tn_scope_find(&p->scope, ref->name);
    if (found == 0) {
        tn_fail(p->m->ctx, &ref->loc, "value '%s' is read here but not defined above", ref->name);
    }
    return p->m->values[found - 1];
}

/* ---- facts ---- */

static void read_content(tn_text_parser *p, tn_text_decl *d) {
    p->dims.len = 0;
    tn_lex_expect(&p->lex, "(");
    while (!tn_lex_accept(&p->lex, ")")) {
        tn_dim dim;
        if (p->dims.len > 0) {
            tn_lex_expect(&p->lex, ",");
        }
        tn_lex_peek(&p->lex);
        if (!tn_dim_parse(p->m->dims, &p->lex.at, &dim)) {
            tn_lex_fail(&p->lex, "bad dimension");
        }
        tn_vec_push(p->scratch, &p->dims, dim);
    }
    d->n_content = p->dims.len;
    d->content =
        tn_arena_regrow(p->m->arena, p->dims.data, d->n_content, d->n_content, sizeof(tn_dim));
}

static void read_alias(tn_text_parser *p, tn_text_alias *a) {
    tn_lex *l = &p->lex;
    tn_lex_expect(l, "(");
    for (uint32_t k = TN_ALIAS_NONE + 1; tn_alias_words[k] != NULL && a->kind == TN_ALIAS_NONE;
         k++) {
        if (tn_lex_accept_word(l, tn_alias_words[k])) {
            a->kind = (tn_alias_kind)k;
        }
    }
    if (a->kind == TN_ALIAS_NONE) {
        tn_lex_fail(l, "expected view, inplace, update or share");
    }
    a->target = tn_text_read_ref(p);
    if (!tn_lex_accept(l, ")")) {
        a->offset = tn_lex_int(l);
        tn_lex_expect(l, ")");
    }
}

static void check_content(tn_text_parser *p, const tn_loc *loc, uint32_t before, uint32_t now,
                          bool had) {
    if (now > TN_MAX_CONTENT) {
        tn_fail(p->m->ctx, loc, "%u known elements; the limit is %u", now, TN_MAX_CONTENT);
    }
    if (had && before != now) {
        tn_fail(p->m->ctx, loc, "%u and %u known elements of one value", before, now);
    }
}

static void read_fact(tn_text_parser *p, tn_text_decl *d) {
    tn_lex *l = &p->lex;
    tn_loc loc = tn_lex_loc(l);
    uint32_t before = d->n_content;
    for (const tn_flag_word *f = tn_flag_words; f->word != NULL; f++) {
        if (tn_lex_accept_word(l, f->word)) {
            d->flags |= f->bit;
            return;
        }
    }
    if (tn_lex_accept_word(l, "content")) {
        read_content(p, d);
        check_content(p, &loc, before, d->n_content, d->floats != NULL);
    } else if (tn_lex_accept_word(l, "floats")) {
        d->floats = tn_text_read_floats(p, &d->n_content);
        check_content(p, &loc, before, d->n_content, d->content != NULL);
    } else if (tn_lex_accept_word(l, "alias")) {
        read_alias(p, &d->alias);
    } else if (tn_lex_accept_word(l, "unplanned")) {
        tn_lex_expect(l, "(");
        d->unplanned = tn_lex_interned(l);
        tn_lex_expect(l, ")");
    } else {
        tn_lex_fail(l, "unknown fact about a value");
    }
}

void tn_text_read_decl(tn_text_parser *p, bool with_tensor, tn_text_decl *out) {
    tn_lex *l = &p->lex;
    memset(out, 0, sizeof *out);
    out->loc = tn_lex_loc(l);
    tn_lex_expect(l, "%");
    out->name = tn_lex_name(l);
    if (tn_lex_accept(l, ":")) {
        out->type = tn_text_read_type(p);
    }
    if (with_tensor && tn_lex_accept(l, "=")) {
        tn_lex_expect_word(l, "tensor");
        out->tensor = tn_text_read_tensor(p, out->type);
    }
    while (tn_lex_accept(l, "!")) {
        read_fact(p, out);
    }
}

void tn_text_apply_decl(tn_text_parser *p, tn_value *v, const tn_text_decl *decl) {
    uint64_t other, at = key(v->graph->id, v->name);
    if (tn_map_get(&p->by_name, at, &other)) {
        tn_fail(p->m->ctx, &decl->loc, "value '%s' is defined twice in its graph", v->name);
    }
    tn_map_put(&p->by_name, at, v->id);
    v->type = decl->type != NULL ? decl->type : v->type;
    v->tensor = decl->tensor;
    v->flags |= decl->flags;
    v->n_content = decl->n_content;
    v->content = decl->content;
    v->float_content = decl->floats;
    v->unplanned = decl->unplanned;
    if (decl->alias.kind != TN_ALIAS_NONE) {
        tn_text_alias alias = decl->alias;
        alias.value = v;
        tn_vec_push(p->scratch, &p->aliases, alias);
    }
}

/* Edges are set here and not by tn_value_set_alias, which looks for a cycle at each edge. One walk
 * over all values, each visited once, finds cycles of any length. */
void tn_text_draw_aliases(tn_text_parser *p) {
    uint32_t *walk = TN_ARRAY(p->scratch, uint32_t, p->m->n_values);
    for (uint32_t i = 0; i < p->aliases.len; i++) {
        const tn_text_alias *a = &p->aliases.data[i];
        a->value->alias_kind = a->kind;
        a->value->alias_of = tn_text_find_in(p, &a->target, a->value->graph->id);
        a->value->alias_offset = a->offset;
    }
    for (uint32_t i = 0; i < p->aliases.len; i++) {
        const tn_text_alias *a = &p->aliases.data[i];
        const tn_value *v = a->value;
        while (v != NULL && walk[v->id] == 0) {
            walk[v->id] = i + 1;
            v = v->alias_of;
        }
        if (v != NULL && walk[v->id] == i + 1) {
            tn_fail(p->m->ctx, &a->target.loc, "the alias of '%s' closes a cycle", a->value->name);
        }
    }
}
