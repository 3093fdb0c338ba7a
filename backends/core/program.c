#include "backends/core/program.h"

#include <inttypes.h>
#include <string.h>

#include "backends/core/found.h"
#include "backends/core/set_ids.h"
#include "ir/base/diag.h"
#include "ir/infer/used.h"
#include "ir/plan/forms.h"

/* ---- what cannot be a program ---- */

static tn_status check_values(const tn_plan *p, const char *backend) {
    for (uint32_t i = 0; i < p->n_values; i++) {
        const tn_plan_value *v = &p->values[i];
        if (v->storage == TN_NO_ID && v->left_out != TN_LEFT_UNUSED) {
            return tn_error(
                p->ctx, NULL,
                "%s: value '%s' has no place in the plan (%s), and the program "
                "would have no memory for it; %splan the part of the model that has "
                "shapes",
                backend, v->name, v->why != NULL ? v->why : "its size is not known",
                v->left_out == TN_LEFT_OPEN ? "give dimensions that are open by --dim, or " : "");
        }
    }
    return TN_OK;
}

/* Whether the part of `whole` that one iteration has is no whole number of bytes. */
static bool splits_bytes(const tn_plan_value *whole, int64_t axis) {
    uint64_t bits = tn_dtype_get(whole->dtype)->bits;
    for (int64_t i = axis + 1; i < (int64_t)whole->rank; i++) {
        bits = bits * (whole->dims[i] < 0 ? 1 : (uint64_t)whole->dims[i] % 8) % 8;
    }
    return bits % 8 != 0;
}

static tn_status check_moves(const tn_plan *p, uint32_t step, const char *backend) {
    const tn_plan_step *s = &p->steps[step];
    for (uint32_t i = 0; i < s->n_moves; i++) {
        const tn_plan_move *m = &s->moves[i];
        bool part = m->kind == TN_MOVE_SLICE || m->kind == TN_MOVE_STACK;
        const tn_plan_value *whole = &p->values[m->kind == TN_MOVE_SLICE ? m->from : m->to];
        if (part && splits_bytes(whole, m->axis)) {
            return tn_error(p->ctx, NULL,
                            "%s: step %u (%s '%s') takes parts of '%s' (%s) that are not whole "
                            "bytes, and the program copies bytes",
                            backend, (unsigned)step, s->op, s->name, whole->name, whole->type);
        }
    }
    return TN_OK;
}

/* An op whose bodies run in a way of its own has no moves. */
static tn_status check_bodies(const tn_plan *p, const char *backend) {
    tn_status status = TN_OK;
    for (uint32_t i = 0; i < p->n_steps && status == TN_OK; i++) {
        const tn_plan_step *s = &p->steps[i];
        bool begins = s->kind == TN_STEP_BEGIN;
        bool loops = begins && s->n_bodies == 1 && s->bodies[0].attribute[0] != '\0';
        if ((loops && s->n_moves == 0) || (begins && s->n_bodies > 2)) {
            return tn_error(p->ctx, NULL,
                            "%s: step %u (%s '%s') runs its bodies by a definition of its "
                            "own, which has no form in C; a program can have If, Loop, Scan and "
                            "functions",
                            backend, (unsigned)i, s->op, s->name);
        }
        status = check_moves(p, i, backend);
    }
    return status;
}

tn_status tn_cp_accepts(const tn_plan *p, const char *backend) {
    uint32_t n = tn_shares_pools(p) ? tn_plan_count(p) : 1;
    tn_status status = TN_OK;
    for (uint32_t i = 0; i < n && status == TN_OK; i++) {
        status = check_values(tn_plan_at(p, i), backend);
        if (status == TN_OK) {
            status = check_bodies(tn_plan_at(p, i), backend);
        }
        if (status == TN_OK) {
            status = tn_found_accepts(tn_plan_at(p, i), backend);
        }
    }
    return status;
}

/* ---- text ---- */

void tn_cp_put(const tn_cp *c, const char *template) {
    for (const char *at; (at = strchr(template, '@')) != NULL; template = at + 2) {
        tn_put_n(c->out, template, (size_t)(at - template));
        tn_put(c->out, at[1] == 'M' ? c->macro : c->symbol);
    }
    tn_put(c->out, template);
}

extern const char tn_main_files[];

void tn_cp_put_main_text(const tn_cp *c, const char *template) {
    const char *mark = "@@FILES\n", *at = strstr(template, mark);
    tn_cp_put(c, tn_arena_strndup(c->arena, template, (size_t)(at - template)));
    tn_cp_put(c, tn_main_files);
    tn_cp_put(c, at + strlen(mark));
}

void tn_cp_put_value(const tn_cp *c, uint32_t value) {
    const tn_plan_value *v = &c->p->values[value];
    tn_put(c->out, " '");
    tn_put_comment(c->out, tn_full_name(c->arena, v));
    tn_put(c->out, "' ");
    tn_put_comment(c->out, v->type);
}

/* ---- files ---- */

tn_status tn_cp_check_name(const tn_emission *e, const char *backend) {
    const char *name = e->outlet->name, *dot = strrchr(name, '.');
    if (dot != NULL && dot != name && strcmp(dot, ".c") == 0) {
        return TN_OK;
    }
    return tn_usage(
        e->plan->ctx, NULL,
        "%s: the artefact is several files and is named by its main one: give -o with a name "
        "that ends in '.c'",
        backend);
}

tn_status tn_cp_emit_with(const tn_emission *e, tn_arena *arena, const char *backend,
                          const char *name, const char *opts) {
    const tn_backend *b = tn_backend_find(NULL, backend);
    tn_backend_args args = tn_backend_defaults(arena, b);
    tn_status status = tn_backend_set(arena, b, "a program", opts, &args);
    tn_outlet outlet = {name, e->outlet->open, e->outlet->user, e->outlet->folder};
    return status == TN_OK ? tn_backend_emit(b, e->plan, e->model, &args, &outlet) : status;
}

/* Of plans with open dimensions the struct has one more, "layout", with extents that data give
 * "found". */
static const char **pool_members(tn_arena *arena, const tn_plan *p) {
    const char **names = TN_ARRAY(arena, const char *, p->n_pools + 2u);
    uint32_t n = 0;
    if (p->n_ranges > 0) {
        names[n++] = "layout";
    }
    if (p->n_data_dims > 0) {
        names[n++] = "found";
    }
    for (uint32_t i = 0; i < p->n_pools; i++) {
        names[n + i] = p->pools[i].name;
    }
    return tn_identifiers(arena, "pool", names, p->n_pools + n, false) + n;
}

static void set_prefix(tn_cp *c, const tn_emission *e, const char *prefix) {
    const char *name = tn_artefact_prefix(c->arena, e, prefix, "");
    size_t behind = tn_shares_pools(c->p) && c->whole == NULL ? TN_LONGEST_PROGRAM_WORD : 0;
    name = tn_identifiers_within(c->arena, "m", &name, 1, false,
                                 TN_LONGEST_MACRO - TN_LONGEST_OWN_WORD - behind)[0];
    c->macro = tn_upper(c->arena, name);
    c->symbol = tn_lower(c->arena, name);
    c->ids = tn_plan_ids_make(c->arena, c->p, c->macro, TN_LONGEST_MACRO);
}

void tn_cp_prepare(tn_cp *c, const tn_emission *e, const char *prefix) {
    c->p = e->plan;
    c->model = e->model;
    c->pools = pool_members(c->arena, c->p);
    c->open = tn_open_make(c->arena, c->p);
    c->layout = "m->layout";
    c->found = tn_found_make(c->arena, c->p);
    c->limits = tn_plan_limits(c->p, c->arena);
    c->used = tn_used_contents(c->model, c->arena);
    c->in_module = tn_plan_in_model(c->arena, c->p, c->model);
    set_prefix(c, e, prefix);
}
