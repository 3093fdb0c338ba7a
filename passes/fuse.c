/* Ops that a kernel does in one go become one op each: what they hand to one another needs no bytes
 * then. Such are the groups of kernels' facts, and where kernels are made from what ops compute
 * those that have one nest, or several that can be done a few rows at a time. */
#include <string.h>

#include "ir/base/quote.h"
#include "ir/mutate.h"
#include "ir/ops/sig.h"
#include "ir/plan/plan_digest.h"
#include "passes/analysis/derivative.h"
#include "passes/core/model_controls.h"
#include "passes/core/pass.h"
#include "passes/core/select.h"
#include "passes/fuse/grow.h"

enum { OPT_GROUPS };
static const tn_opt options[] = {
    [OPT_GROUPS] =
        {"groups", TN_OPT_ENUM, "none", "none|single|all",
         "beyond those of kernels' facts none; those that have one loop nest, a single kernel; or "
         "all "
         "whose kernel can be made from what the ops compute, a few rows at a time as well"},
    {0}};

enum { STAT_GROUPS, STAT_OPS };
static const tn_stat stats[] = {[STAT_GROUPS] = {"groups", "groups that became one op"},
                                [STAT_OPS] = {"ops", "ops in them"},
                                {0}};

typedef struct fusing {
    tn_pass_ctx *c;
    const tn_fusion *f;
    const bool *overwritten; /* by value of the module as it came */
} fusing;

/* Whether the op is one of "Domain::Type|Type". */
static bool is_one_of(const tn_op *op, const char *words) {
    for (const char *at = words; *at != '\0';) {
        size_t len = strcspn(at, "|?"), domain_len = 0;
        const char *type = at;
        for (size_t i = 0; i + 1 < len; i++) {
            if (at[i] == ':' && at[i + 1] == ':') {
                domain_len = i;
                type = at + i + 2;
            }
        }
        size_t type_len = len - (size_t)(type - at);
        if (strlen(op->type) == type_len && memcmp(op->type, type, type_len) == 0 &&
            strlen(op->domain) == domain_len && memcmp(op->domain, at, domain_len) == 0) {
            return true;
        }
        at += len + (at[len] != '\0');
    }
    return false;
}

/* The only reader of all the op makes, by one operand of its first result; NULL where there is no
 * such op. */
static tn_op *only_reader(const tn_op *op) {
    for (uint32_t r = 1; r < op->n_results; r++) {
        if (op->results[r] != NULL &&
            (op->results[r]->n_uses > 0 || (op->results[r]->flags & TN_VF_OUTPUT) != 0)) {
            return NULL;
        }
    }
    const tn_value *v = tn_result(op, 0);
    bool one = v != NULL && v->n_uses == 1 && (v->flags & TN_VF_OUTPUT) == 0;
    tn_op *reader = one ? v->first_use->op : NULL;
    return reader != NULL && reader->graph == op->graph ? reader : NULL;
}

static bool has(const tn_group *g, const tn_op *op) {
    for (uint32_t i = 0; i < g->len; i++) {
        if (g->data[i] == op) {
            return true;
        }
    }
    return false;
}

/* Puts the ops that only feed `op` and are among those taken before it. False where one of them
 * feeds others too, or an operand that the op cannot do without comes from elsewhere. */
static bool take_feeders(const fusing *w, tn_group *g, tn_op *op, bool first) {
    const char *takes = w->f->takes, *sig = op->info->sig;
    bool all = takes != NULL && takes[strlen(takes) - 1] != '?', fits = true;
    for (uint32_t k = 0; takes != NULL && k < op->n_operands; k++) {
        const tn_value *v = op->operands[k].value;
        tn_op *def = v != NULL && v->graph == op->graph ? v->def : NULL;
        tn_word name;
        bool needed = sig != NULL && tn_word_next(&sig, op->version, &name) && name.mark == '\0';
        bool one = def != NULL && def->n_parts == 0 && is_one_of(def, takes);
        if (one && only_reader(def) == op) {
            tn_vec_push(w->c->scratch, g, def);
        } else if (all && (one || (first && needed))) {
            fits = false;
        }
    }
    return fits;
}

/* The ops of a chain from `op` on, each behind those that feed it; len 0 where they are not
 * there. */
static tn_group match_chain(const fusing *w, tn_op *op) {
    tn_group g = {0};
    const char *const *chain = w->f->chain;
    tn_op *last = NULL;
    for (uint32_t k = 0; k < w->f->n_chain; k++) {
        bool optional = chain[k][strlen(chain[k]) - 1] == '?';
        tn_op *next = last == NULL ? op : only_reader(last);
        if (next != NULL && next->n_parts == 0 && !has(&g, next) && is_one_of(next, chain[k])) {
            if (!take_feeders(w, &g, next, last == NULL)) {
                return (tn_group){0};
            }
            tn_vec_push(w->c->scratch, &g, next);
            last = next;
        } else if (!optional) {
            return (tn_group){0};
        }
    }
    return g.len >= 2 ? g : (tn_group){0};
}

/* In the order of the graph. */
static tn_group sorted(const fusing *w, const tn_group *g) {
    tn_group out = {0};
    bool *in = TN_ARRAY(w->c->scratch, bool, w->c->module->n_ops);
    for (uint32_t i = 0; i < g->len; i++) {
        in[g->data[i]->id] = true;
    }
    for (tn_op *op = g->data[0]->graph->first; op != NULL; op = op->next) {
        if (in[op->id]) {
            tn_vec_push(w->c->scratch, &out, op);
        }
    }
    return out;
}

/* `placed` as in tn_group_fuse. */
static const char *fuse(const fusing *w, const tn_group *g, const tn_group *placed) {
    const char *why = tn_group_refused(w->c->scratch, g, w->overwritten);
    if (why == NULL && placed != NULL) {
        why = tn_group_torn(w->c->scratch, placed);
    }
    if (why == NULL) {
        w->c->stats[STAT_GROUPS]++;
        w->c->stats[STAT_OPS] += g->len;
        tn_group_fuse(w->f, g, placed);
    }
    return why;
}

static void fuse_chains(const fusing *w) {
    const tn_module *m = w->c->module;
    uint32_t n = m->n_ops; /* those made here are behind */
    for (uint32_t i = 0; i < n; i++) {
        tn_group g = {0};
        if (!m->ops[i]->erased && m->ops[i]->n_parts == 0) {
            g = match_chain(w, m->ops[i]);
        }
        if (g.len > 0) {
            (void)fuse(w, &g, NULL);
        }
    }
}

static tn_op *find_node(const fusing *w, const char *name) {
    for (uint32_t i = 0; i < w->c->module->n_ops; i++) {
        tn_op *op = w->c->module->ops[i];
        if (op->n_parts == 0 && strcmp(op->name, name) == 0) {
            return op;
        }
    }
    return NULL;
}

static tn_status fuse_nodes(const fusing *w) {
    tn_group g = {0};
    tn_loc loc = tn_loc_file(w->c->module->file);
    for (uint32_t i = 0; i < w->f->n_chain; i++) {
        tn_op *op = find_node(w, w->f->chain[i]);
        const char *why = op == NULL   ? "the model has no such node"
                          : op->erased ? "it is part of another group already"
                          : g.len > 0 && op->graph != g.data[0]->graph
                              ? "it is not in the graph of the nodes before it"
                          : has(&g, op) ? "it is named twice"
                                        : NULL;
        if (why != NULL) {
            return tn_error(w->c->ctx, &loc, "%s: node '%s': %s", w->f->where, w->f->chain[i], why);
        }
        tn_vec_push(w->c->scratch, &g, op);
    }
    g = sorted(w, &g);
    const char *why = fuse(w, &g, &g);
    return why == NULL
               ? TN_OK
               : tn_error(w->c->ctx, &loc, "%s: the nodes cannot be one op: %s", w->f->where, why);
}

/* Such an op names values of the graph, and reads those between them without an edge. */
static const tn_op *find_derivative(const tn_module *m) {
    for (uint32_t i = 0; i < m->n_ops; i++) {
        if (!m->ops[i]->erased && tn_is_derivative(m->ops[i])) {
            return m->ops[i];
        }
    }
    return NULL;
}

static const tn_op *find_clone(const tn_module *m) {
    for (uint32_t i = 0; i < m->n_ops; i++) {
        if (!m->ops[i]->erased && m->ops[i]->clone_of != NULL) {
            return m->ops[i];
        }
    }
    return NULL;
}

/* ---- groups of tenure's own ---- */

static void set_apart(bool *apart, const tn_module *m, tn_arena *arena, const char *pattern) {
    for (uint32_t i = 0; i < m->n_values; i++) {
        const tn_value *v = m->values[i];
        const char *full = v->graph->path[0] == '\0'
                               ? v->name
                               : tn_arena_printf(arena, "%s/%s", v->graph->path, v->name);
        apart[i] = apart[i] || strcmp(pattern, v->name) == 0 || strcmp(pattern, full) == 0 ||
                   tn_glob_match(pattern, v->name) || tn_glob_match(pattern, full);
    }
}

/* Both sides of pairs: which of them is a value the passes behind know. */
static void set_all_apart(bool *apart, const tn_module *m, tn_arena *arena, tn_names names,
                          bool pairs) {
    for (uint32_t i = 0; i < names.len; i++) {
        const char *name = names.data[i], *value;
        if (pairs && tn_pair_split(arena, names.data[i], "=", false, &name, &value) &&
            (value = tn_name_unquote(arena, value)) != NULL) {
            set_apart(apart, m, arena, value);
        }
        set_apart(apart, m, arena, name);
    }
}

/* By value: whoever asks something of it by name wants to have it. */
static tn_status find_apart(const tn_pass_ctx *c, bool *apart) {
    tn_controls want;
    const tn_module *m = c->module;
    tn_status status = tn_controls_complete(c->controls, m, c->scratch, &want);
    if (status != TN_OK) {
        return status;
    }
    set_all_apart(apart, m, c->scratch, want.exclude, false);
    set_all_apart(apart, m, c->scratch, want.loss, false);
    set_all_apart(apart, m, c->scratch, want.grad_of, true);
    set_all_apart(apart, m, c->scratch, want.update, true);
    for (uint32_t i = 0; i < want.places.n_fixes; i++) {
        set_apart(apart, m, c->scratch, want.places.fixes[i].value);
    }
    for (uint32_t i = 0; i < want.places.n_aligns; i++) {
        set_apart(apart, m, c->scratch, want.places.aligns[i].value);
    }
    /* Nests go through images as the model has them. */
    bool last = want.channels_last || want.layout_of.len > 0;
    for (uint32_t i = 0; i < m->n_values; i++) {
        uint64_t none;
        apart[i] =
            apart[i] || want.keep_all || last ||
            (want.apart != NULL && tn_map_get(want.apart, tn_apart_key(m->values[i]), &none));
    }
    return TN_OK;
}

/* Whether nobody notices when the op runs. */
static bool may_be_late(const tn_op *op, const bool *overwritten) {
    bool may = true;
    for (uint32_t r = 0; r < op->n_results; r++) {
        may &= op->results[r] == NULL || op->results[r]->n_uses == 0;
    }
    for (uint32_t k = 0; k < op->n_operands; k++) {
        const tn_value *v = op->operands[k].value;
        may &= v == NULL || !overwritten[v->id];
    }
    return may;
}

/* A group stands where its last op stood, which may be behind an update of what it reads: updates
 * go behind all readers of the state again, whose bytes they can take there only. */
static void put_updates_last(const tn_module *m, tn_arena *scratch) {
    const bool *overwritten = tn_overwritten_values(m, scratch);
    for (uint32_t i = 0; i < m->n_bindings; i++) {
        tn_op *update = m->bindings[i].value->def, *last = update;
        bool may = update != NULL && may_be_late(update, overwritten);
        for (tn_op *op = update; op != NULL && may; op = op->next) {
            for (uint32_t k = 0; k < op->n_operands; k++) {
                last = op->operands[k].value == m->bindings[i].state ? op : last;
            }
        }
        if (last != update) {
            tn_op_move_before(update, last->next);
        }
    }
}

static tn_status fuse_own(tn_pass_ctx *c) {
    bool *apart = TN_ARRAY(c->scratch, bool, c->module->n_values);
    tn_status status = find_apart(c, apart);
    if (status == TN_OK) {
        tn_fuse_memory *memory = c->controls->fuse_memory;
        memory = memory != NULL ? memory : tn_fuse_memory_new(c->scratch);
        tn_grown grown =
            tn_grow_groups(c->module, c->scratch, apart, tn_pass_is(c, OPT_GROUPS, "all"), memory);
        c->stats[STAT_GROUPS] += grown.groups;
        c->stats[STAT_OPS] += grown.ops;
        if (grown.groups > 0) {
            put_updates_last(c->module, c->scratch);
        }
    }
    return status;
}

static tn_status run(tn_pass_ctx *c) {
    tn_module *m = c->module;
    tn_status status = TN_OK;
    uint32_t n = m->op_set != NULL ? m->op_set->n_fusions : 0;
    bool all = !tn_pass_is(c, OPT_GROUPS, "none");
    const tn_op *derivative = n > 0 || all ? find_derivative(m) : NULL;
    if (derivative != NULL) {
        if (n > 0) {
            tn_warn(
                c->ctx, &derivative->loc,
                "no groups of kernels' facts are made: the op reads values of the graph by name");
        }
        return TN_OK;
    }
    const tn_op *clone = n > 0 || all ? find_clone(m) : NULL;
    if (clone != NULL) { /* of groups in front of it recompute makes clones as of any op */
        tn_warn(c->ctx, &clone->loc,
                "no groups are made: %s '%s' is computed again already; put fuse before recompute",
                clone->type, clone->name);
        return TN_OK;
    }
    const char *before = m->source_digest;
    if ((n > 0 || all || c->controls->groups != NULL) && before == NULL) {
        m->source_digest = tn_plan_digest(m, m->arena);
    }
    const bool *overwritten = n > 0 ? tn_overwritten_values(m, c->scratch) : NULL;
    tn_module_remember_places(m);
    for (uint32_t i = 0; i < n && status == TN_OK; i++) {
        fusing w = {c, &m->op_set->fusions[i], overwritten};
        if (w.f->by_name) {
            status = fuse_nodes(&w);
        } else {
            fuse_chains(&w);
        }
    }
    if (status == TN_OK && c->controls->groups != NULL) {
        status = tn_plan_groups_adopt(c->controls->groups, m) ? TN_OK : TN_ERROR;
    } else if (status == TN_OK && all) {
        status = fuse_own(c);
    }
    if (n == 0 && !tn_module_has_groups(m)) { /* it is as it came */
        m->source_digest = before;
    }
    return status;
}

const tn_pass_info tn_pass_fuse = {
    .name = "fuse",
    .summary = "ops that one kernel does in one go become one op (groups of --op-facts, --fuse)",
    .needs = TN_PROP_TYPES,
    .breaks = TN_PROP_ORDERED | TN_PROP_PINS,
    .options = options,
    .stats = stats,
    .required = true,
    .run = run,
};
