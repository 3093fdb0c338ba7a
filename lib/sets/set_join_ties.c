/* What programs share by name: --link, --state, and the state of a program in all its variants. */
#include <string.h>

#include "ir/base/quote.h"
#include "lib/sets/set_join.h"
#include "passes/core/select.h"

typedef struct end {
    uint32_t program;
    const char *value;
} end;

static const char *program_name(const tn_join *j, uint32_t program) {
    return j->plans->models[program].program;
}

/* "at seq=16, batch=1" of a plan with dimensions. */
static const char *where(const tn_join *j, uint32_t plan) {
    const tn_plan *p = tn_join_plan(j, plan);
    tn_sink text = tn_sink_make(j->arena);
    tn_put(&text, p->n_dims > 0 ? " at " : "");
    for (uint32_t i = 0; i < p->n_dims; i++) {
        tn_putf(&text, "%s%s=%lld", i > 0 ? ", " : "", p->dims[i].name,
                (long long)p->dims[i].value);
    }
    return text.data;
}

/* Where the value lies outside of the arena, or NULL after an error. */
static const tn_plan_value *find(tn_join *j, uint32_t plan, const end *e, const char *shown) {
    const tn_plan *p = tn_join_plan(j, plan);
    const tn_plan_value *v = tn_plan_find(p, "", e->value);
    if (v == NULL) {
        const char **names = TN_ARRAY(j->arena, const char *, p->inputs.len + p->outputs.len);
        uint32_t n = 0;
        for (uint32_t i = 0; i < p->inputs.len; i++) {
            names[n++] = p->values[p->inputs.data[i]].name;
        }
        for (uint32_t i = 0; i < p->outputs.len; i++) {
            names[n++] = p->values[p->outputs.data[i]].name;
        }
        (void)tn_usage(j->ctx, NULL, "%s: program '%s' has no value '%s'%s", shown,
                       program_name(j, e->program), e->value,
                       tn_did_you_mean(j->arena, tn_nearest(e->value, names, n)));
        return NULL;
    }
    if (v->storage == TN_NO_ID || !tn_pool_is_callers(&p->pools[p->storages[v->storage].pool])) {
        (void)tn_usage(j->ctx, NULL, "%s: '%s' of program '%s' lies in %s, where it does not stay",
                       shown, e->value, program_name(j, e->program),
                       v->storage == TN_NO_ID ? "no pool"
                                              : p->pools[p->storages[v->storage].pool].name);
        return NULL;
    }
    return v;
}

/* With open dimensions inputs, outputs and state lie where the extents of a run put them. */
static tn_status demand_numbers(tn_join *j, uint32_t plan, const end *e, const char *shown) {
    const tn_plan *p = tn_join_plan(j, plan);
    if (p->n_ranges == 0) {
        return TN_OK;
    }
    return tn_usage(j->ctx, NULL,
                    "%s: '%s' of program '%s' has no place for all extents, as dimension '%s' is "
                    "open: bind it, as in --dim '%s/%s=16', or to a list, as in --dim "
                    "'%s/%s=1,16'",
                    shown, e->value, program_name(j, e->program), p->ranges[0].name,
                    program_name(j, e->program), p->ranges[0].name, program_name(j, e->program),
                    p->ranges[0].name);
}

static tn_status tie_plans(tn_join *j, uint32_t a, const end *from, uint32_t b, const end *to,
                           const char *shown) {
    const tn_plan_value *x = find(j, a, from, shown), *y = x != NULL ? find(j, b, to, shown) : NULL;
    if (y == NULL || demand_numbers(j, a, from, shown) != TN_OK ||
        demand_numbers(j, b, to, shown) != TN_OK) {
        return TN_USAGE;
    }
    if (x->dtype != y->dtype || x->bytes != y->bytes) {
        return tn_usage(j->ctx, NULL,
                        "%s: '%s' of program '%s' is %s, %llu bytes%s; '%s' of program '%s' is %s, "
                        "%llu bytes%s: both must have one type and size",
                        shown, x->name, program_name(j, from->program), x->type,
                        (unsigned long long)x->bytes, where(j, a), y->name,
                        program_name(j, to->program), y->type, (unsigned long long)y->bytes,
                        where(j, b));
    }
    if (x->offset != y->offset ||
        !tn_join_unite(j, j->item_of[a][x->storage], j->item_of[b][y->storage])) {
        return tn_usage(j->ctx, NULL,
                        "%s: '%s' of program '%s' and '%s' of program '%s' cannot lie at one "
                        "place: one of them shares bytes with other values; --exclude it",
                        shown, x->name, program_name(j, from->program), y->name,
                        program_name(j, to->program));
    }
    return TN_OK;
}

/* In all variants of both programs. */
static tn_status tie(tn_join *j, const end *from, const end *to, const char *shown) {
    tn_status status = TN_OK;
    for (uint32_t a = 0; a < j->plans->list.len; a++) {
        for (uint32_t b = 0; b < j->plans->list.len && status == TN_OK; b++) {
            if (j->program_of[a] == from->program && j->program_of[b] == to->program) {
                status = tie_plans(j, a, from, b, to, shown);
            }
        }
    }
    tn_plan_link link = {from->program, to->program, from->value, to->value};
    tn_vec_push(j->arena, &j->links, link);
    return status;
}

/* PROGRAM/VALUE; the longest program's name counts. */
static tn_status read_end(tn_join *j, const char *text, const char *shown, end *out) {
    size_t longest = 0;
    const char **names = TN_ARRAY(j->arena, const char *, j->plans->n_programs);
    for (uint32_t i = 0; i < j->plans->n_programs; i++) {
        size_t len = strlen(program_name(j, i));
        names[i] = program_name(j, i);
        if (len >= longest && strncmp(text, names[i], len) == 0 && text[len] == '/') {
            *out = (end){i, text + len + 1};
            longest = len + 1;
        }
    }
    if (longest > 0) {
        return TN_OK;
    }
    size_t len = strcspn(text, "/");
    const char *word = tn_arena_strndup(j->arena, text, len);
    return tn_usage(j->ctx, NULL, "%s: no program '%s'%s; a value is PROGRAM/VALUE", shown, word,
                    tn_did_you_mean(j->arena, tn_nearest(word, names, j->plans->n_programs)));
}

static tn_status tie_pair(tn_join *j, const char *option, const char *text, bool directed) {
    const char *shown = tn_arena_printf(j->arena, "--%s=%s", option, text), *left, *right;
    end from, to;
    if (!tn_pair_split(j->arena, text, "=", false, &left, &right)) {
        return tn_usage(j->ctx, NULL, "%s: expected PROGRAM/VALUE=PROGRAM/VALUE", shown);
    }
    right = tn_name_unquote(j->arena, right);
    if (read_end(j, left, shown, &from) != TN_OK || read_end(j, right, shown, &to) != TN_OK) {
        return TN_USAGE;
    }
    if (from.program == to.program) {
        return tn_usage(j->ctx, NULL, "%s: both are of program '%s'; within one, say --update",
                        shown, program_name(j, to.program));
    }
    tn_status status = tie(j, &from, &to, shown);
    const tn_plan *p = tn_join_plan(j, 0);
    for (uint32_t i = 0; i < j->plans->list.len && status == TN_OK; i++) {
        const end *e = j->program_of[i] == from.program ? &from : &to;
        p = tn_join_plan(j, i);
        const tn_plan_value *v = tn_plan_find(p, "", e->value);
        bool ours = j->program_of[i] == from.program || j->program_of[i] == to.program;
        if (ours && !directed && v->role != TN_ROLE_STATE) {
            status = tn_usage(
                j->ctx, NULL,
                "%s: '%s' of program '%s' is not state: --update says what it is after a run",
                shown, e->value, program_name(j, e->program));
        } else if (ours && directed && e == &to && v->role != TN_ROLE_INPUT) {
            status = tn_usage(j->ctx, NULL, "%s: '%s' is not an input of program '%s'", shown,
                              e->value, program_name(j, e->program));
        }
    }
    return status;
}

/* --state NAME: state of that name in all programs that have some; globs match. */
static tn_status tie_equals(tn_join *j, const char *pattern) {
    const char *shown = tn_arena_printf(j->arena, "--state=%s", pattern);
    tn_map first = tn_map_make(j->arena);
    uint32_t n_ties = 0;
    tn_status status = TN_OK;
    for (uint32_t i = 0; i < j->plans->list.len && status == TN_OK; i++) {
        const tn_plan *p = tn_join_plan(j, i);
        if (i > 0 && j->program_of[i] == j->program_of[i - 1]) {
            continue;
        }
        for (uint32_t k = 0; k < p->n_values && status == TN_OK; k++) {
            const tn_plan_value *v = &p->values[k];
            if (v->role != TN_ROLE_STATE || v->graph[0] != '\0' ||
                !tn_glob_match(pattern, v->name)) {
                continue;
            }
            uint64_t key = tn_str_id(tn_intern(j->ctx, v->name)), other;
            if (tn_map_get(&first, key, &other)) {
                n_ties++;
                status = tie(j, &(end){(uint32_t)other, v->name}, &(end){j->program_of[i], v->name},
                             shown);
            } else {
                tn_map_put(&first, key, j->program_of[i]);
            }
        }
    }
    return status == TN_OK && n_ties == 0
               ? tn_usage(j->ctx, NULL, "%s: no two programs have state of that name", shown)
               : status;
}

tn_status tn_join_ties(tn_join *j, const tn_request *r) {
    tn_status status = TN_OK;
    for (uint32_t i = 0; i < r->links.len && status == TN_OK; i++) {
        status = tie_pair(j, "link", r->links.data[i], true);
    }
    for (uint32_t i = 0; i < r->states.len && status == TN_OK; i++) {
        const char *text = r->states.data[i];
        status =
            strchr(text, '=') != NULL ? tie_pair(j, "state", text, false) : tie_equals(j, text);
    }
    return status;
}

tn_status tn_join_state(tn_join *j) {
    for (uint32_t i = 1; i < j->plans->list.len; i++) {
        const tn_plan *p = tn_join_plan(j, i), *before = tn_join_plan(j, i - 1);
        for (uint32_t k = 0; k < p->n_values && j->program_of[i] == j->program_of[i - 1]; k++) {
            const tn_plan_value *v = &p->values[k];
            const tn_plan_value *w =
                v->role == TN_ROLE_STATE ? tn_plan_find(before, v->graph, v->name) : NULL;
            if (w != NULL && w->role == TN_ROLE_STATE && w->bytes != v->bytes && p->n_ranges == 0) {
                return tn_error(j->ctx, NULL,
                                "state '%s' of program '%s' is %s, %llu bytes%s, and %s, %llu "
                                "bytes%s: what stays from run to run has one size in all variants",
                                v->name, program_name(j, j->program_of[i]), w->type,
                                (unsigned long long)w->bytes, where(j, i - 1), v->type,
                                (unsigned long long)v->bytes, where(j, i));
            }
        }
    }
    return TN_OK;
}
