#include "ir/ops/op_set.h"

#include <string.h>

/* A row put together from one of the table and some facts, or one of its own. */
struct tn_amended {
    uint32_t base;
    const bool *uses; /* by fact; NULL: it is one of its own */
    tn_op_info info;
};

static bool applies(const tn_op_fact *f, const char *domain, const char *name, int64_t version,
                    const char *node) {
    return strcmp(f->row.name, name) == 0 && strcmp(f->row.domain, domain) == 0 &&
           (version <= 0 || (version >= f->since && (f->until == 0 || version <= f->until))) &&
           (f->node == NULL || strcmp(f->node, node) == 0);
}

static void amend(tn_op_info *to, const tn_op_fact *f) {
    const tn_op_info *from = &f->row;
    if (f->columns & TN_COLUMN_ALL) {
        *to = *from;
    }
    if (f->columns & TN_COLUMN_SIG) {
        to->domain = from->domain;
        to->name = from->name;
        to->versions = from->versions;
        to->sig = from->sig;
        to->attrs = from->attrs;
        to->traits = from->traits;
        to->params = from->params;
        to->doc = from->doc;
    }
    if (f->columns & TN_COLUMN_INPLACE) {
        to->inplace = from->inplace;
    }
    if (f->columns & TN_COLUMN_VIEW) {
        to->view = from->view;
        to->view_of = from->view_of;
        to->view_if = NULL;
        to->part = NULL;
    }
    if (f->columns & TN_COLUMN_SHAPE_ONLY) {
        to->shape_only = from->shape_only;
    }
    if (f->columns & TN_COLUMN_TYPES) {
        to->shape = from->shape;
        to->types = from->types;
    }
    if (f->columns & TN_COLUMN_WORKSPACE) {
        to->workspace = from->workspace;
    }
    if (f->columns & TN_COLUMN_ORDER) {
        to->order = from->order;
    }
    if (f->columns & TN_COLUMN_KEPT) {
        to->kept = from->kept;
    }
    if (f->columns & TN_COLUMN_COMPUTE) {
        to->compute = from->compute;
        to->formula = from->formula;
        to->traits |= TN_T_ELEMENTWISE;
    }
}

static const tn_op_info *find_amended(tn_op_set *set, uint32_t base, const bool *uses,
                                      uint32_t *code) {
    for (uint32_t i = 0; i < set->rows.len; i++) {
        const struct tn_amended *a = set->rows.data[i];
        if (a->base == base && a->uses != NULL &&
            memcmp(a->uses, uses, set->n_facts * sizeof *uses) == 0) {
            *code = TN_OP_COUNT + i;
            return &a->info;
        }
    }
    struct tn_amended *made = TN_NEW(set->arena, struct tn_amended);
    made->base = base;
    made->uses = tn_arena_regrow(set->arena, uses, set->n_facts, set->n_facts, sizeof *uses);
    made->info = *tn_op_info_get((tn_opcode)base);
    for (uint32_t i = 0; i < set->n_facts; i++) {
        if (uses[i]) {
            amend(&made->info, &set->facts[i]);
        }
    }
    *code = TN_OP_COUNT + set->rows.len;
    tn_vec_push(set->arena, &set->rows, made);
    return &made->info;
}

/* The row of its own of that name, and its number. */
static const tn_op_info *find_own(const tn_op_set *set, const char *domain, const char *name,
                                  uint32_t *code) {
    for (uint32_t i = 0; strcmp(domain, TN_FUSED_DOMAIN) == 0 && i < set->rows.len; i++) {
        const struct tn_amended *a = set->rows.data[i];
        if (a->uses == NULL && strcmp(a->info.name, name) == 0) {
            *code = TN_OP_COUNT + i;
            return &a->info;
        }
    }
    return NULL;
}

bool tn_is_group(const char *domain, uint32_t n_parts) {
    return n_parts > 0 && strcmp(domain, TN_FUSED_DOMAIN) == 0;
}

bool tn_op_set_add(tn_op_set *set, const tn_op_info *row) {
    uint32_t code;
    const tn_op_info *known = find_own(set, row->domain, row->name, &code);
    if (known != NULL) {
        return strcmp(known->sig, row->sig) == 0 && strcmp(known->inplace, row->inplace) == 0;
    }
    struct tn_amended *made = TN_NEW(set->arena, struct tn_amended);
    made->info = *row;
    tn_vec_push(set->arena, &set->rows, made);
    return true;
}

const tn_op_info *tn_op_set_row(tn_op_set *set, const char *domain, const char *name,
                                int64_t version, const char *node, uint32_t *code) {
    const tn_op_info *own = set != NULL ? find_own(set, domain, name, code) : NULL;
    if (own != NULL) {
        return own;
    }
    bool any = false, *uses = NULL;
    *code = tn_op_find(domain, name);
    for (uint32_t i = 0; set != NULL && i < set->n_facts; i++) {
        if (applies(&set->facts[i], domain, name, version, node)) {
            uses = uses != NULL ? uses : TN_ARRAY(set->arena, bool, set->n_facts);
            any = uses[i] = true;
        }
    }
    return any ? find_amended(set, *code, uses, code) : tn_op_info_get((tn_opcode)*code);
}
