#include "ir/text/text_t.h"

tn_scope tn_scope_make(tn_arena *arena) {
    tn_scope s = {.arena = arena, .top = tn_map_make(arena)};
    return s;
}

void tn_scope_define(tn_scope *s, const tn_value *v) {
    while (s->hidden.len <= v->id) {
        tn_vec_push(s->arena, &s->hidden, 0);
    }
    uint32_t name = tn_str_id(v->name);
    s->hidden.data[v->id] = (uint32_t)tn_map_or(&s->top, name, 0);
    tn_map_put(&s->top, name, (uint64_t)v->id + 1);
    tn_vec_push(s->arena, &s->defined, v);
}

uint32_t tn_scope_open(const tn_scope *s) {
    return s->defined.len;
}

void tn_scope_close(tn_scope *s, uint32_t mark) {
    while (s->defined.len > mark) {
        const tn_value *v = s->defined.data[--s->defined.len];
        tn_map_put(&s->top, tn_str_id(v->name), s->hidden.data[v->id]);
    }
}

uint32_t tn_scope_find(const tn_scope *s, const char *name) {
    return (uint32_t)tn_map_or(&s->top, tn_str_id(name), 0);
}

tn_opset_index tn_opset_index_make(tn_arena *arena, const tn_module *m) {
    tn_opset_index x = {.versions = tn_map_make(arena)};
    for (uint32_t i = m->origin.opsets.len; i-- > 0;) {
        const tn_opset *o = &m->origin.opsets.data[i];
        tn_map_put(&x.versions, tn_str_id(o->domain), (uint64_t)o->version);
    }
    return x;
}

int64_t tn_opset_index_get(const tn_opset_index *x, const char *domain) {
    return (int64_t)tn_map_or(&x->versions, tn_str_id(domain), 0);
}
