/* Gives ops the bytes that their kernels need beside operands and results (--op-facts). The pass
 * `reuse` takes a better way where there is room for it. */
#include "ir/build.h"
#include "ir/walk.h"
#include "passes/core/pass.h"
#include "passes/plan/workspace_ways.h"

enum { STAT_WORKSPACES, STAT_KEPT };
static const tn_stat stats[] = {[STAT_WORKSPACES] = {"workspaces", "steps with workspace"},
                                [STAT_KEPT] = {"kept", "steps with bytes kept from run to run"},
                                {0}};

typedef struct naming {
    tn_pass_ctx *c;
    tn_map names; /* graph and name -> 1 */
} naming;

static uint64_t key(const tn_graph *g, const char *name) {
    return (uint64_t)g->id << 32 | tn_str_id(name);
}

static const char *free_name(naming *n, const tn_op *op, const char *what) {
    const char *stem = op->loc.first != NULL ? op->loc.first : op->name;
    const char *name = tn_internf(n->c->ctx, "%s.%s", stem, what);
    for (uint32_t i = 2; tn_map_or(&n->names, key(op->graph, name), 0) != 0; i++) {
        name = tn_internf(n->c->ctx, "%s.%s~%u", stem, what, i);
    }
    tn_map_put(&n->names, key(op->graph, name), 1);
    return name;
}

static void give(naming *n, tn_op *op, const struct tn_row_memory *memory, bool kept) {
    const tn_type *type = memory != NULL ? tn_workspace_least(op, memory) : NULL;
    if (type != NULL) {
        (void)tn_op_add_workspace(op, free_name(n, op, kept ? "kept" : "workspace"), type, kept);
        n->c->stats[kept ? STAT_KEPT : STAT_WORKSPACES]++;
    }
}

static tn_status run(tn_pass_ctx *c) {
    tn_module *m = c->module;
    naming n = {c, tn_map_make(c->scratch)};
    if (m->op_set == NULL) {
        return TN_OK;
    }
    for (uint32_t i = 0; i < m->n_values; i++) {
        const tn_value *v = m->values[i]; /* ops of groups may be gone since they got some */
        if ((v->flags & TN_VF_WORKSPACE) == 0 || v->def == NULL || !v->def->erased) {
            tn_map_put(&n.names, key(v->graph, v->name), 1);
        }
    }
    TN_FOR_ALL_OPS(op, m->main) {
        const tn_op_info *row = op->info;
        if (op->n_regions > 0 && (row->workspace != NULL || row->kept != NULL)) {
            return tn_error(c->ctx, &op->loc,
                            "kernels' facts give the op workspace, but it runs nested graphs and "
                            "has no kernel");
        }
        if (op->n_workspace == 0) {
            give(&n, op, op->info->workspace, false);
            give(&n, op, op->info->kept, true);
        }
    }
    return TN_OK;
}

const tn_pass_info tn_pass_workspace = {
    .name = "workspace",
    .summary = "bytes that kernels need beside operands and results (--op-facts)",
    .needs = TN_PROP_TYPES,
    .stats = stats,
    .required = true,
    .run = run,
};
