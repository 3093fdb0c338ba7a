/* The plan as a header for C99, C11 and C++11 and later. Everything is a macro, so nothing is paid
 * for what is not used; tables and arrays come on demand. */
#include <inttypes.h>
#include <string.h>

#include "backends/c_header/c_header_t.h"
#include "backends/c_header/resolve_t.h"
#include "backends/core/set_ids.h"
#include "ir/base/diag.h"
#include "ir/base/sha256.h"
#include "ir/base/xmath.h"
#include "ir/plan/forms.h"

enum { OPT_PREFIX, OPT_BITS, OPT_DISJOINT, OPT_TABLES, OPT_NAMES, OPT_LONGEST };
static const tn_opt options[] = {
    [OPT_PREFIX] = {"prefix", TN_OPT_TEXT, "", NULL,
                    "of every macro and type; when empty the file's name, or the model's where "
                    "there is no file"},
    [OPT_BITS] = {"target-size-bits", TN_OPT_ENUM, "64", "16|32|64",
                  "width of size_t on the target; below 64 tables have no 64-bit numbers"},
    [OPT_DISJOINT] = {"disjoint", TN_OPT_INT, "1000", "0..1000000",
                      "how many pairs of live storages the header asserts to be disjoint"},
    [OPT_TABLES] = {"tables", TN_OPT_BOOL, "true", NULL, "tables of tensors, storages and steps"},
    [OPT_NAMES] = {"names", TN_OPT_BOOL, "true", NULL,
                   "names of tensors, nodes, graphs and pools in tables"},
    [OPT_LONGEST] = {"max-identifier", TN_OPT_INT, "63", "48..255",
                     "characters of the longest macro; longer names are shortened"},
    {0}};

/* ---- options ---- */

static bool is_prefix(const char *text, size_t longest) {
    bool letter = (text[0] >= 'a' && text[0] <= 'z') || (text[0] >= 'A' && text[0] <= 'Z');
    size_t n = strlen(text);
    for (size_t i = 0; i < n; i++) {
        char c = text[i];
        bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!word && (c != '_' || text[i + 1] == '_' || i + 1 == n)) {
            return false;
        }
    }
    return letter && n <= longest;
}

/* In front of the names of programs. */
static size_t longest_prefix(const tn_plan *p, const tn_backend_args *args) {
    size_t longest = (size_t)tn_arg_number(args, OPT_LONGEST) - TN_LONGEST_OWN_WORD;
    return tn_shares_pools(p) ? longest - TN_LONGEST_PROGRAM_WORD : longest;
}

static tn_status check_prefix(const tn_plan *plan, const tn_backend_args *args) {
    const char *prefix = tn_arg_text(args, OPT_PREFIX);
    if (prefix[0] == '\0' || is_prefix(prefix, longest_prefix(plan, args))) {
        return TN_OK;
    }
    return tn_usage(plan->ctx, NULL,
                    "c-header: prefix '%s' is not a letter followed by letters, digits and single "
                    "underscores, at most %u in all with max-identifier=%u",
                    prefix, (unsigned)longest_prefix(plan, args),
                    (unsigned)tn_arg_number(args, OPT_LONGEST));
}

/* Of a plan with open dimensions, other sizes than those of constants are those of one point:
 * NAME_resolve checks them. */
static bool is_fixed(const tn_plan *p, uint32_t pool) {
    return p->n_ranges == 0 || p->pools[pool].kind == TN_POOL_CONST;
}

static tn_status check_fit(const tn_plan *p, const char *bits) {
    uint64_t limit = tn_largest_size(bits);
    tn_status status = TN_OK;
    for (uint32_t i = 0; i < p->n_values && status == TN_OK; i++) {
        const tn_plan_value *v = &p->values[i];
        uint64_t end;
        if (tn_ch_is_placed(v) && is_fixed(p, p->storages[v->storage].pool) &&
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
        if (is_fixed(p, i) && p->pools[i].size > limit) {
            status = tn_error(p->ctx, NULL,
                              "c-header: pool '%s' has %llu bytes, beyond a size_t of %s bits",
                              p->pools[i].name, (unsigned long long)p->pools[i].size, bits);
        }
    }
    return status;
}

/* Dimensions in tables of 32 bits. A dimension may be larger than what lies in memory: beside one
 * of 0. */
static tn_status check_dims(const tn_plan *p) {
    for (uint32_t i = 0; i < p->n_values; i++) {
        const tn_plan_value *v = &p->values[i];
        for (uint32_t k = 0; tn_ch_is_placed(v) && k < v->rank; k++) {
            if (v->dims[k] > INT32_MAX) {
                return tn_error(p->ctx, NULL,
                                "c-header: dimension %u of tensor '%s' is %lld, beyond a number of "
                                "32 bits (%ld); give tables=off or target-size-bits=64",
                                (unsigned)k, v->name, (long long)v->dims[k], (long)INT32_MAX);
            }
        }
    }
    return TN_OK;
}

/* Names are shortened to 16 characters, not to less. */
static tn_status check_longest(const tn_plan *plan, const tn_backend_args *args) {
    enum { LEAST = 56 };
    if (!tn_shares_pools(plan) || tn_arg_number(args, OPT_LONGEST) >= LEAST) {
        return TN_OK;
    }
    return tn_usage(plan->ctx, NULL,
                    "c-header: max-identifier=%u leaves no room for the names of programs: give %u "
                    "or more",
                    (unsigned)tn_arg_number(args, OPT_LONGEST), (unsigned)LEAST);
}

static tn_status accepts(const tn_plan *plan, const tn_backend_args *args) {
    const char *bits = tn_arg_text(args, OPT_BITS);
    bool narrow = tn_arg_truth(args, OPT_TABLES) && strcmp(bits, "64") != 0;
    uint32_t n = tn_shares_pools(plan) ? tn_plan_count(plan) : 1;
    tn_status status = check_longest(plan, args);
    if (status == TN_OK) {
        status = check_prefix(plan, args);
    }
    for (uint32_t i = 0; i < n && status == TN_OK; i++) {
        status = check_fit(tn_plan_at(plan, i), bits);
        if (status == TN_OK && narrow) {
            status = check_dims(tn_plan_at(plan, i));
        }
    }
    return status;
}

/* ---- the header ---- */

static const char *stands_for(const tn_ch *h, char mark) {
    switch (mark) {
    case 'M':
        return h->macro;
    case 'm':
        return h->symbol;
    case 's':
        return h->narrow ? "uint32_t" : "uint64_t";
    case 'd':
        return h->narrow ? "int32_t" : "int64_t";
    case 'u':
        return h->wide ? "uint64_t" : "uint32_t";
    case 'w':
        return h->wide ? "int64_t" : "int32_t";
    case 'W':
        return h->wide ? "INT64" : "INT32";
    case 'D':
        return h->narrow ? "INT32" : "INT64";
    case 'L':
        return h->largest < INT32_MAX ? "UINT16_MAX" : h->narrow ? "INT32_MAX" : "INT64_MAX";
    case 'i':
        return tn_open_needs_32(h->open) ? "uint32_t" : "uint16_t";
    case 'n':
        return h->names ? "1" : "0";
    default:
        return "";
    }
}

void tn_ch_put(const tn_ch *h, const char *template) {
    for (const char *at; (at = strchr(template, '@')) != NULL; template = at + 2) {
        tn_put_n(h->out, template, (size_t)(at - template));
        if (at[1] == '<' && !h->names) {
            at = strstr(at, "@>");
        } else if (at[1] == '(' && h->open == NULL) {
            at = strstr(at, "@)");
        }
        tn_put(h->out, stands_for(h, at[1]));
    }
    tn_put(h->out, template);
}

void tn_ch_put_name(const tn_ch *h, const char *name) {
    if (h->names) {
        tn_put_c_name(h->out, name);
        tn_put(h->out, ", ");
    }
}

uint64_t tn_ch_align(const tn_plan *p, const tn_plan_value *v) {
    bool known = p->n_ranges == 0 || v->offset_expr == TN_DIM_UNKNOWN;
    uint64_t at = p->n_ranges == 0 ? tn_plan_address(p, v) : v->offset;
    uint64_t a = tn_gcd(p->storages[v->storage].align, known ? at : 1);
    return a != 0 ? a : 1;
}

static void put_body(const tn_ch *h) {
    tn_ch_put_preamble(h);
    tn_ch_put_open(h);
    tn_ch_put_pools(h);
    tn_ch_put_tensors(h);
    tn_ch_put_unplanned(h);
    tn_ch_put_bindings(h);
    tn_ch_put_asserts(h);
    if (!h->of_set) {
        tn_ch_put_arrays(h);
    }
    tn_ch_put_resolve(h);
    if (h->tables) {
        tn_ch_put_tables(h);
    }
}

/* What tells two headers apart that a program includes under one prefix: all that they define,
 * since one model has many plans. It is hashed on its way to the file, so it stands at the end. */
typedef struct hashed {
    tn_sha256 sha;
    tn_sink *out;
} hashed;

static void hash_and_put(void *user, const char *data, size_t len) {
    hashed *to = user;
    tn_sha256_add(&to->sha, data, len);
    tn_put_n(to->out, data, len);
}

static void put_end(const tn_ch *h, tn_sha256 *sha) {
    uint8_t digest[TN_SHA256_BYTES];
    uint64_t id = 0;
    tn_sha256_end(sha, digest);
    for (int i = 0; i < 8; i++) {
        id = id << 8 | digest[i];
    }
    const char *number = tn_arena_printf(h->scratch, "0x%016" PRIx64 "u\n", id);
    tn_ch_put(h, "\n/* A hash of all that is defined above. */\n#define @M_PLAN_ID ");
    tn_put(h->out, number);
    tn_ch_put(h, "#elif @M_PLAN_ID != ");
    tn_put(h->out, number);
    tn_ch_put(h, "#error \"another plan has the prefix @M: make one of them with "
                 "--emit=c-header,prefix=NAME\"\n"
                 "#endif /* @M_TENURE_PLAN_H */\n");
}

void tn_ch_put_guarded(tn_ch *h, void (*put)(const tn_ch *h)) {
    tn_sink *out = h->out;
    hashed to = {tn_sha256_start(), out};
    tn_sink body = tn_sink_streamed(h->scratch, (tn_drain){hash_and_put, &to});
    tn_ch_put(h, "#ifndef @M_TENURE_PLAN_H\n#define @M_TENURE_PLAN_H\n\n");
    h->out = &body;
    put(h);
    tn_sink_flush(&body);
    h->out = out;
    put_end(h, &to.sha);
}

void tn_ch_read_options(tn_ch *h, const tn_emission *e) {
    const char *bits = tn_arg_text(e->args, OPT_BITS);
    h->suffix = strcmp(bits, "16") == 0 ? "u" : strcmp(bits, "32") == 0 ? "ul" : "ull";
    h->narrow = strcmp(bits, "64") != 0;
    h->largest = tn_largest_size(bits);
    h->max_pairs = (uint32_t)tn_arg_number(e->args, OPT_DISJOINT);
    h->tables = tn_arg_truth(e->args, OPT_TABLES);
    h->names = tn_arg_truth(e->args, OPT_NAMES);
}

void tn_ch_emit_plan(const tn_emission *e, const tn_plan *p, tn_sink *out, const char *prefix) {
    tn_ch h = {.p = p, .out = out, .scratch = tn_arena_new(p->ctx)};
    h.limits = tn_plan_limits(p, h.scratch);
    size_t longest = (size_t)tn_arg_number(e->args, OPT_LONGEST);
    h.of_set = tn_shares_pools(p);
    tn_ch_read_options(&h, e);
    tn_ch_name_prefix(&h, e, prefix, longest - TN_LONGEST_OWN_WORD);
    tn_ch_name_all(&h, longest);
    tn_ch_put_banner(&h);
    tn_ch_put_guarded(&h, put_body);
    tn_arena_drop(h.scratch);
}

static tn_status emit(const tn_emission *e) {
    const char *prefix = tn_arg_text(e->args, OPT_PREFIX);
    if (tn_shares_pools(e->plan)) {
        return tn_ch_emit_set(e, prefix, (size_t)tn_arg_number(e->args, OPT_LONGEST));
    }
    tn_ch_emit_plan(e, e->plan, e->out, prefix);
    return TN_OK;
}

const tn_backend tn_backend_c_header = {
    .name = "c-header",
    .summary = "offsets, sizes, steps and checks as a header for C and C++",
    .suffix = ".h",
    .options = options,
    .accepts = accepts,
    .emit = emit,
    .takes_sets = true,
    .takes_open = true,
    .carries = TN_CARRIES_ALL &
               ~(TN_CARRIES(SLOTS) | TN_CARRIES(DIMS) | TN_CARRIES(WORKSPACE) | TN_CARRIES(FUSED)),
};
