/* What has no place in the plan needs none, or can have none: and the plan says which. */
#include <string.h>

#include "ir/check/check_t.h"
#include "ir/plan/plan_names.h"

/* A constant that no op reads, no graph gives back and no state takes. */
static bool is_unread(const tn_checking *c, const tn_value *v) {
    bool read =
        !tn_is_const(v) || v->first_use != NULL || (v->flags & (TN_VF_OUTPUT | TN_VF_STATE)) != 0;
    for (uint32_t i = 0; i < c->m->n_bindings && !read; i++) {
        read = c->m->bindings[i].value == v || c->m->bindings[i].state == v;
    }
    for (uint32_t i = 0; i < c->m->n_assignments && !read; i++) {
        read = c->m->assignments[i].value == v;
    }
    return !read;
}

/* Whoever finds memory for it goes by the size that the plan says. */
static void check_room(tn_checking *c, uint32_t i) {
    const char *text = c->p->values[i].bytes_text, *wanted = NULL;
    tn_dim bytes = tn_type_room(c->m->dims, c->facts[i].v->type);
    c->text.len = 0;
    if (bytes != TN_DIM_UNKNOWN) {
        tn_dim_print(c->m->dims, bytes, &c->text);
        wanted = c->text.data;
    }
    if (text != wanted && (text == NULL || wanted == NULL || strcmp(text, wanted) != 0)) {
        tn_check_fail(c, "value %s has %s bytes in the plan, %s in the model",
                      tn_check_value_name(c, i), text != NULL ? text : "unknown",
                      wanted != NULL ? wanted : "unknown");
    }
}

static void check_value(tn_checking *c, uint32_t i) {
    const tn_plan_value *pv = &c->p->values[i];
    const tn_fact *f = &c->facts[i];
    bool unread = is_unread(c, f->v);
    if (f->planable && !unread) {
        tn_check_fail(c, "value %s of %llu bytes is not placed", tn_check_value_name(c, i),
                      (unsigned long long)f->bytes);
        return;
    }
    if (pv->offset != 0 || pv->offset_expr != TN_DIM_UNKNOWN) {
        tn_check_fail(c, "value %s has no place, and an offset in one", tn_check_value_name(c, i));
    }
    tn_left_out found = unread ? TN_LEFT_UNUSED : tn_left_out_of(c->m, f->v);
    if (pv->left_out != found) {
        tn_check_fail(c, "value %s is left out as '%s' in the plan, as '%s' by the model",
                      tn_check_value_name(c, i), tn_left_out_names[pv->left_out],
                      tn_left_out_names[found]);
    } else if (!unread) {
        check_room(c, i);
    }
}

typedef struct open_names {
    tn_checking *c;
    tn_map listed; /* ids of names in the plan's list: 1, and 2 once some size depends on one */
    uint32_t n_used;
    const char *missing;
} open_names;

static void use_open(void *user, const char *name) {
    open_names *o = user;
    uint32_t id = tn_str_id(tn_intern(o->c->ctx, name));
    uint64_t at = tn_map_or(&o->listed, id, 0);
    o->n_used += at == 1;
    o->missing = at == 0 ? name : o->missing;
    tn_map_put(&o->listed, id, 2);
}

/* The plan names the dimensions that sizes of values left out depend on, and no others. */
static void check_open(tn_checking *c) {
    const tn_plan *p = c->p;
    open_names o = {.c = c, .listed = tn_map_make(c->arena)};
    bool partial = false;
    for (uint32_t i = 0; i < p->n_open; i++) {
        tn_map_put(&o.listed, tn_str_id(tn_intern(c->ctx, p->open[i])), 1);
    }
    for (uint32_t i = 0; i < p->n_values; i++) {
        if (p->values[i].left_out == TN_LEFT_OPEN) {
            tn_dim bytes = tn_type_room(c->m->dims, c->facts[i].v->type);
            tn_dim_each_symbol(c->m->dims, bytes, use_open, &o);
            partial = true;
        }
    }
    if (o.missing != NULL || o.n_used != p->n_open) {
        tn_check_fail(c, "the plan names %u open dimensions, sizes of the model depend on %s%s%s",
                      p->n_open, o.missing != NULL ? "'" : "fewer",
                      o.missing != NULL ? o.missing : "", o.missing != NULL ? "' too" : "");
    }
    if (partial != p->partial) {
        tn_check_fail(c,
                      "the plan is %spartial, but %s values are left out since dimensions are open",
                      p->partial ? "" : "not ", partial ? "some" : "no");
    }
}

void tn_check_left_out(tn_checking *c) {
    for (uint32_t i = 0; i < c->p->n_values; i++) {
        if (c->p->values[i].storage == TN_NO_ID) {
            check_value(c, i);
        }
    }
    check_open(c);
}
