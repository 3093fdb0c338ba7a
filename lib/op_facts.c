/* The file as a whole: version, target, entries, groups. The file is hostile: every key is looked
 * up, every type is checked. */
#include "lib/op_facts_t.h"

#include <string.h>

#include "ir/base/file.h"
#include "ir/base/limits.h"
#include "ir/base/sha256.h"

bool tn_facts_has(const tn_json_item *at, const char *name) {
    return json_object_get(at->json, name) != NULL;
}

void tn_facts_refuse(const tn_json_item *at, const char *name, const char *what) {
    tn_loc loc = tn_loc_file(at->r->file);
    tn_fail(at->r->ctx, &loc, "%s: %s", tn_json_place(at, name), what);
}

static void read_target(tn_facts_reading *r, tn_json_item *top) {
    static const char *const keys[] = {"name", "consts", NULL};
    tn_json_item at = tn_json_open_object(top, "target"), consts;
    tn_json_demand_known(&at, "key", keys);
    (void)tn_json_text(&at, "name");
    if (!tn_facts_has(&at, "consts")) {
        return;
    }
    const char *key;
    json_t *value;
    consts = tn_json_open_object(&at, "consts");
    json_object_foreach(consts.json, key, value) {
        tn_row_const c = {tn_arena_strndup(r->set->arena, key, strlen(key)),
                          tn_json_integer(&consts, key, INT32_MIN, INT32_MAX)};
        tn_vec_push(r->set->arena, &r->consts, c);
    }
}

/* Ops of the domain whose name is alike. */
static const char *near_op(tn_arena *arena, const char *domain, const char *name) {
    const char **names = TN_ARRAY(arena, const char *, TN_OP_COUNT);
    size_t n = 0;
    for (unsigned i = 1; i < TN_OP_COUNT; i++) {
        const tn_op_info *info = tn_op_info_get((tn_opcode)i);
        if (strcmp(info->domain, domain) == 0) {
            names[n++] = info->name;
        }
    }
    return tn_nearest(name, names, n);
}

static const char *read_domain(tn_facts_reading *r, tn_json_item *at) {
    const char *domain = tn_facts_has(at, "domain") ? tn_json_text(at, "domain") : "";
    return strcmp(domain, "ai.onnx") == 0 ? ""
                                          : tn_arena_strndup(r->set->arena, domain, strlen(domain));
}

static int64_t read_version(tn_json_item *at, const char *name) {
    return tn_facts_has(at, name) ? tn_json_integer(at, name, 1, INT32_MAX) : 0;
}

/* What an op of the table computes is its definition; of few nothing is known. */
static void demand_unknown(tn_json_item *at, const tn_op_info *base) {
    if (base->compute != NULL) {
        tn_facts_refuse(at, "compute",
                        "the table says what the op computes; a kernel that does it in another way "
                        "comes from outside");
    }
    if ((base->traits & TN_T_ELEMENTWISE) == 0) {
        tn_facts_refuse(at, "compute", "the op is not element-wise");
    }
    if ((base->traits & TN_T_RANDOM) != 0) {
        tn_facts_refuse(at, "compute", "the op gives random numbers");
    }
}

static void read_op(tn_facts_reading *r, tn_json_item *at) {
    static const char *const keys[] = {"op",      "domain",     "since",   "until",     "node",
                                       "sig",     "attrs",      "traits",  "params",    "doc",
                                       "view",    "shape_only", "types",   "workspace", "kept",
                                       "inplace", "overlap",    "compute", NULL};
    tn_json_demand_known(at, "key", keys);
    tn_op_fact f = {.since = read_version(at, "since"),
                    .until = read_version(at, "until"),
                    .row = {.name = tn_json_text(at, "op"), .domain = read_domain(r, at)}};
    if (tn_facts_has(at, "node")) {
        f.node = tn_json_text(at, "node");
    }
    tn_opcode code = tn_op_find(f.row.domain, f.row.name);
    const tn_op_info *base = tn_op_info_get(code);
    for (uint32_t i = 0; i < r->facts.len; i++) {
        const tn_op_fact *before = &r->facts.data[i]; /* an op that a fact has introduced */
        bool same = strcmp(before->row.name, f.row.name) == 0 &&
                    strcmp(before->row.domain, f.row.domain) == 0;
        base = same && code == TN_OP_EXTERN && (before->columns & (TN_COLUMN_SIG | TN_COLUMN_ALL))
                   ? &before->row
                   : base;
    }
    if (base->name[0] == '\0' && !tn_facts_has(at, "sig")) {
        const char *near = near_op(r->r.arena, f.row.domain, f.row.name);
        tn_facts_refuse(at, "op",
                        tn_arena_printf(r->r.arena,
                                        "the table has no op '%s'%s%s%s; an op of your own needs "
                                        "\"sig\"",
                                        f.row.name, near != NULL ? "; did you mean '" : "",
                                        near != NULL ? near : "", near != NULL ? "'?" : ""));
    }
    if (tn_facts_has(at, "compute") && code != TN_OP_EXTERN) {
        demand_unknown(at, base);
    }
    tn_facts_read_columns(r, at, base, &f);
    tn_vec_push(r->set->arena, &r->facts, f);
}

/* ---- groups ---- */

static const char *const *read_words(tn_facts_reading *r, tn_json_item *at, const char *name,
                                     uint32_t *n) {
    json_t *list = tn_json_list(at, name, n);
    const char **out = TN_ARRAY(r->set->arena, const char *, *n);
    for (uint32_t i = 0; i < *n; i++) {
        json_t *word = json_array_get(list, i);
        if (!json_is_string(word) || json_string_length(word) == 0 ||
            strlen(json_string_value(word)) != json_string_length(word)) {
            tn_json_bad(at, name, "a list of names");
        }
        out[i] = tn_arena_strndup(r->set->arena, json_string_value(word), json_string_length(word));
    }
    return out;
}

/* A group's own entry: what holds for the op that it becomes. */
static void read_fused(tn_facts_reading *r, tn_json_item *at, const tn_fusion *g) {
    static const char *const columns[] = {"attrs",   "traits",     "params",  "types",
                                          "inplace", "shape_only", "view",    "workspace",
                                          "kept",    "doc",        "compute", NULL};
    static const tn_op_info none = {.domain = "", .name = "", .versions = ""};
    tn_op_fact f = {.row = {.name = g->name, .domain = g->domain}};
    bool named = tn_facts_has(at, "sig");
    const char *key;
    json_t *value;
    json_object_foreach(at->json, key, value) {
        for (size_t i = 0; !named && columns[i] != NULL; i++) {
            if (strcmp(columns[i], key) == 0) {
                tn_facts_refuse(at, key, "only with \"sig\", which names operands and results");
            }
        }
    }
    if (named) {
        tn_facts_read_columns(r, at, &none, &f);
        tn_vec_push(r->set->arena, &r->facts, f);
    }
}

static void read_group(tn_facts_reading *r, tn_json_item *at) {
    static const char *const keys[] = {"op",    "domain",  "chain",      "nodes", "takes",
                                       "sig",   "attrs",   "traits",     "doc",   "params",
                                       "types", "inplace", "shape_only", "view",  "workspace",
                                       "kept",  "compute", NULL};
    tn_json_demand_known(at, "key", keys);
    tn_fusion g = {.domain = read_domain(r, at), .name = tn_json_text(at, "op")};
    g.by_name = tn_facts_has(at, "nodes");
    if (g.by_name == tn_facts_has(at, "chain")) {
        tn_facts_refuse(at, "op", "a group has either \"chain\" or \"nodes\"");
    }
    if (tn_op_find(g.domain, g.name) != TN_OP_EXTERN) {
        tn_facts_refuse(at, "op", "the group would become an op that the table defines");
    }
    g.chain = read_words(r, at, g.by_name ? "nodes" : "chain", &g.n_chain);
    if (g.n_chain < 2) {
        tn_facts_refuse(at, g.by_name ? "nodes" : "chain", "a group has two ops or more");
    }
    if (!g.by_name && g.chain[0][strlen(g.chain[0]) - 1] == '?') {
        tn_facts_refuse(at, "chain", "the first op of a chain cannot be missing");
    }
    g.takes = tn_facts_has(at, "takes") ? tn_json_text(at, "takes") : NULL;
    if (g.takes != NULL && g.takes[0] == '\0') {
        tn_json_bad(at, "takes", "op types, \"A|B\"");
    }
    if (g.by_name && g.takes != NULL) {
        tn_facts_refuse(at, "takes", "only chains take other ops with them; name these nodes too");
    }
    g.where = tn_arena_printf(r->set->arena, "%s: groups[%u]", r->r.file, at->index);
    read_fused(r, at, &g);
    tn_vec_push(r->set->arena, &r->fusions, g);
}

/* ---- the file ---- */

static void each_item(tn_facts_reading *r, tn_json_item *top, const char *name,
                      void (*read)(tn_facts_reading *, tn_json_item *)) {
    uint32_t n;
    if (!tn_facts_has(top, name)) {
        return;
    }
    json_t *list = tn_json_list(top, name, &n);
    for (uint32_t i = 0; i < n; i++) {
        tn_json_item at = tn_json_open_item(top, list, name, i);
        read(r, &at);
    }
}

static void read_file(tn_facts_reading *r, const char *path, tn_bytes bytes) {
    static const char *const keys[] = {"tenure_facts", "target", "ops", "groups", NULL};
    char hex[TN_SHA256_HEX];
    tn_sha256 sha = tn_sha256_start();
    tn_loc loc = tn_loc_file(path);
    if (bytes.size > TN_MAX_PROJECT) {
        tn_fail(r->r.ctx, &loc, "%zu bytes; the limit is %u", bytes.size, TN_MAX_PROJECT);
    }
    r->r.file = path;
    r->r.data = bytes.data;
    r->r.size = bytes.size;
    tn_json_parse(&r->r, r->set->arena, "file of kernels' facts");
    tn_json_item top = {.r = &r->r, .json = r->r.root};
    tn_json_demand_known(&top, "key", keys);
    if (tn_json_integer(&top, "tenure_facts", 0, INT32_MAX) != 1) {
        tn_facts_refuse(&top, "tenure_facts", "this version of tenure reads version 1");
    }
    r->consts.len = 0;
    if (tn_facts_has(&top, "target")) {
        read_target(r, &top);
    }
    each_item(r, &top, "ops", read_op);
    each_item(r, &top, "groups", read_group);
    tn_sha256_add(&sha, bytes.data, bytes.size);
    tn_sha256_end_hex(&sha, hex);
    tn_vec_push(r->set->arena, &r->set->digests,
                tn_arena_strndup(r->set->arena, hex, TN_SHA256_HEX - 1));
}

static tn_facts_reading begin(tn_ctx *ctx) {
    tn_arena *arena = tn_arena_new(ctx);
    tn_op_set *set = TN_NEW(arena, tn_op_set);
    set->arena = arena;
    tn_facts_reading r = {.r = {.ctx = ctx, .arena = arena}, .set = set};
    const tn_op_info *row;
    for (uint32_t i = 0; (row = tn_ctx_extra(ctx, TN_EXTRA_ROW, i)) != NULL; i++) {
        tn_vec_push(arena, &r.facts, (tn_op_fact){.columns = TN_COLUMN_ALL, .row = *row});
    }
    return r;
}

static tn_op_set *finish(tn_facts_reading *r) {
    r->set->facts = r->facts.data;
    r->set->n_facts = r->facts.len;
    r->set->fusions = r->fusions.data;
    r->set->n_fusions = r->fusions.len;
    return r->set;
}

tn_op_set *tn_op_facts_read(tn_ctx *ctx, const tn_texts *paths) {
    tn_facts_reading r = begin(ctx);
    for (uint32_t i = 0; i < paths->len; i++) {
        tn_bytes bytes;
        if (tn_file_map(r.set->arena, paths->data[i], &bytes) != TN_OK) {
            tn_raise(ctx, TN_ERROR);
        }
        read_file(&r, paths->data[i], bytes);
    }
    return finish(&r);
}

tn_op_set *tn_op_facts_parse(tn_ctx *ctx, const char *path, const void *data, size_t size) {
    tn_facts_reading r = begin(ctx);
    read_file(&r, path, (tn_bytes){data, size});
    return finish(&r);
}

void tn_op_facts_warn(const tn_module *m) {
    for (uint32_t i = 0; m->op_set != NULL && i < m->op_set->n_facts; i++) {
        const tn_op_fact *f = &m->op_set->facts[i];
        bool used = f->node == NULL;
        for (uint32_t k = 0; k < m->n_ops && !used; k++) {
            const tn_op *op = m->ops[k];
            used = strcmp(op->name, f->node) == 0 && strcmp(op->type, f->row.name) == 0;
        }
        if (!used) {
            tn_loc loc = tn_loc_file(m->file);
            tn_warn(m->ctx, &loc, "the model has no %s node '%s', which kernels' facts name",
                    f->row.name, f->node);
        }
    }
}
