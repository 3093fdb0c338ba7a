/* The plan as a header for C99, C11 and C++11 and later. Everything is a macro, so nothing is paid
 * for what is not used; tables and arrays come on demand. */
#include <string.h>

#include "backends/c_header/c_header_t.h"
#include "ir/base/diag.h"
#include "ir/base/xmath.h"

enum { OPT_PREFIX, OPT_BITS, OPT_DISJOINT, OPT_TABLES };
static const tn_opt options[] = {
    [OPT_PREFIX] = {"prefix", TN_OPT_TEXT, "", NULL,
                    "of every macro and type; the model's name when empty"},
    [OPT_BITS] = {"target-size-bits", TN_OPT_ENUM, "64", "16|32|64",
                  "width of size_t on the target"},
    [OPT_DISJOINT] = {"disjoint", TN_OPT_INT, "1000", "0..1000000",
                      "how many pairs of live storages the header asserts to be disjoint"},
    [OPT_TABLES] = {"tables", TN_OPT_BOOL, "true", NULL, "tables of tensors, storages and steps"},
    {0}};

/* ---- options ---- */

static uint64_t largest(const char *bits) {
    return strcmp(bits, "16") == 0 ? UINT16_MAX : strcmp(bits, "32") == 0 ? UINT32_MAX : UINT64_MAX;
}

static bool is_prefix(const char *text) {
    bool letter = (text[0] >= 'a' && text[0] <= 'z') || (text[0] >= 'A' && text[0] <= 'Z');
    size_t n = strlen(text);
    for (size_t i = 0; i < n; i++) {
        char c = text[i];
        bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!word && (c != '_' || text[i + 1] == '_' || i + 1 == n)) {
            return false;
        }
    }
    return letter && n <= 64;
}

static tn_status check_prefix(const tn_plan *plan, const char *prefix) {
    if (prefix[0] == '\0' || is_prefix(prefix)) {
        return TN_OK;
    }
    tn_error(plan->ctx, NULL,
             "c-header: prefix '%s' is not a letter followed by letters, digits and single "
             "underscores, at most 64 in all",
             prefix);
    return TN_USAGE;
}

/* Constants may lie beyond what the target can address: their pool is only described, and the user
 * decides where it is. */
static tn_status check_fit(const tn_plan *p, const char *bits) {
    uint64_t limit = largest(bits);
    tn_status status = TN_OK;
    for (uint32_t i = 0; i < p->n_values && status == TN_OK; i++) {
        const tn_plan_value *v = &p->values[i];
        uint64_t end;
        if (tn_ch_is_placed(v) &&
            (!tn_add_u64(tn_plan_address(p, v), v->bytes, &end) || end > limit)) {
            status = tn_error(p->ctx, NULL,
                              "c-header: tensor '%s' ends at byte %llu of pool '%s', beyond a "
                              "size_t of %s bits (%llu)",
                              v->name, (unsigned long long)(tn_plan_address(p, v) + v->bytes),
                              p->pools[p->storages[v->storage].pool].name, bits,
                              (unsigned long long)limit);
        }
    }
    for (uint32_t i = 0; i < p->n_pools && status == TN_OK; i++) {
        if (p->pools[i].size > limit) {
            status = tn_error(p->ctx, NULL,
                              "c-header: pool '%s' has %llu bytes, beyond a size_t of %s bits",
                              p->pools[i].name, (unsigned long long)p->pools[i].size, bits);
        }
    }
    return status;
}

static tn_status accepts(const tn_plan *plan, const tn_backend_args *args) {
    tn_status status = check_prefix(plan, tn_arg_text(args, OPT_PREFIX));
    return status == TN_OK ? check_fit(plan, tn_arg_text(args, OPT_BITS)) : status;
}

/* ---- names ---- */

const char *tn_ch_full_name(tn_arena *arena, const tn_plan_value *v) {
    return v->graph[0] == '\0' ? v->name : tn_arena_printf(arena, "%s/%s", v->graph, v->name);
}

void tn_ch_put(const tn_ch *h, const char *template) {
    for (const char *at; (at = strchr(template, '@')) != NULL; template = at + 2) {
        tn_put_n(h->out, template, (size_t)(at - template));
        tn_put(h->out, at[1] == 'M' ? h->macro : h->symbol);
    }
    tn_put(h->out, template);
}

static const char *in_case(tn_arena *arena, const char *text, char first, char last, char to) {
    char *copy = tn_arena_strndup(arena, text, strlen(text));
    for (char *c = copy; *c != '\0'; c++) {
        *c = *c >= first && *c <= last ? (char)(*c - first + to) : *c;
    }
    return copy;
}

const char *tn_ch_upper(tn_arena *arena, const char *text) {
    return in_case(arena, text, 'a', 'z', 'A');
}

const char *tn_ch_lower(tn_arena *arena, const char *text) {
    return in_case(arena, text, 'A', 'Z', 'a');
}

uint64_t tn_ch_align(const tn_plan *p, const tn_plan_value *v) {
    uint64_t a = tn_gcd(p->storages[v->storage].align, tn_plan_address(p, v));
    return a != 0 ? a : 1;
}

/* Pools and values share one space of macro names. A macro of either is <prefix>_<id>_<word>, where
 * <word> has no underscore, so different ids give different macros. The reserved ids are used by
 * macros and types of the header itself. */
static void name_all(tn_ch *h) {
    static const char *const reserved[] = {
        "define", "pool",    "pools",    "tensor", "tensors", "storage", "storages", "step",
        "steps",  "overlap", "overlaps", "ids",    "dims",    "range",   "binding",  "bindings"};
    enum { RESERVED = sizeof reserved / sizeof reserved[0] };
    const tn_plan *p = h->p;
    uint32_t n = RESERVED + p->n_pools + p->n_values;
    const char **names = TN_ARRAY(h->scratch, const char *, n);
    uint32_t at = 0;
    for (uint32_t i = 0; i < RESERVED; i++) {
        names[at++] = reserved[i];
    }
    for (uint32_t i = 0; i < p->n_pools; i++) {
        names[at++] = p->pools[i].name;
    }
    h->rows = TN_ARRAY(h->scratch, uint32_t, p->n_values);
    for (uint32_t i = 0; i < p->n_values; i++) {
        const tn_plan_value *v = &p->values[i];
        h->rows[i] = tn_ch_is_placed(v) ? h->n_rows++ : TN_NO_ID;
        names[at++] = tn_ch_full_name(h->scratch, v);
    }
    const char **ids = tn_identifiers(h->scratch, "t", names, n, true);
    h->pool_ids = ids + RESERVED;
    h->value_ids = h->pool_ids + p->n_pools;
}

static void name_prefix(tn_ch *h, const char *asked) {
    const char *name = asked;
    if (asked[0] == '\0') {
        const char *model = h->p->model[0] != '\0' ? h->p->model : "plan";
        name = tn_identifiers(h->scratch, "m", &model, 1, false)[0];
    }
    h->macro = tn_ch_upper(h->scratch, name);
    h->symbol = tn_ch_lower(h->scratch, name);
}

static tn_status emit(const tn_emission *e) {
    const tn_plan *plan = e->plan;
    const tn_backend_args *args = e->args;
    tn_sink *out = e->out;
    const char *bits = tn_arg_text(args, OPT_BITS);
    tn_ch h = {.p = plan, .out = out, .scratch = tn_arena_new(plan->ctx)};
    h.suffix = strcmp(bits, "16") == 0 ? "u" : strcmp(bits, "32") == 0 ? "ul" : "ull";
    h.max_pairs = (uint32_t)tn_arg_number(args, OPT_DISJOINT);
    h.tables = tn_arg_truth(args, OPT_TABLES);
    name_prefix(&h, tn_arg_text(args, OPT_PREFIX));
    name_all(&h);
    tn_ch_put_banner(&h);
    tn_ch_put_preamble(&h);
    tn_ch_put_pools(&h);
    tn_ch_put_tensors(&h);
    tn_ch_put_unplanned(&h);
    tn_ch_put_bindings(&h);
    tn_ch_put_asserts(&h);
    tn_ch_put_arrays(&h);
    if (h.tables) {
        tn_ch_put_tables(&h);
    }
    tn_ch_put(&h, "\n#endif /* @M_TENURE_PLAN_H */\n");
    tn_arena_drop(h.scratch);
    return TN_OK;
}

const tn_backend tn_backend_c_header = {
    .name = "c-header",
    .summary = "offsets, sizes, steps and checks as a header for C and C++",
    .suffix = ".h",
    .options = options,
    .accepts = accepts,
    .emit = emit,
    .carries = TN_CARRIES_ALL & ~(TN_CARRIES(SLOTS) | TN_CARRIES(BODIES) | TN_CARRIES(DIMS)),
};
