/* Macros of C for the pools and values of a plan. Names of a model are any bytes; macros have a
 * bounded length. */
#include "backends/core/plan_ids.h"

#include <string.h>

#include "backends/core/emit.h"

const char *tn_full_name(tn_arena *arena, const tn_plan_value *v) {
    return v->graph[0] == '\0' ? v->name : tn_arena_printf(arena, "%s/%s", v->graph, v->name);
}

static bool is_word_char(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* Whether the last word of a name, cleaned, ends macros of tensors and pools. */
static bool ends_in_word(tn_arena *arena, const char *name) {
    static const char words[] =
        " POOL OFFSET SIZE ALIGN BOUND DTYPE RANK DIMS ELEMENTS FIRST LAST SECOND"
        " COUNT KERNEL ";
    const char *text = tn_upper(arena, name);
    size_t end = strlen(text);
    while (end > 0 && !is_word_char(text[end - 1])) {
        end--;
    }
    size_t start = end;
    while (start > 0 && is_word_char(text[start - 1])) {
        start--;
    }
    const char *last = tn_arena_printf(arena, " %.*s ", (int)(end - start), text + start);
    return end > start && strstr(words, last) != NULL;
}

/* <prefix>_<id> must never be a macro, so that it can be passed from macro to macro: ids end in no
 * word that macros end in, and none is that of a macro of the header itself. */
static const char *unlike_macros(tn_arena *arena, const char *name) {
    return ends_in_word(arena, name) ? tn_arena_printf(arena, "%s_v", name) : name;
}

/* Macros and types of the header and the program around these, and what users define. */
static const char *const reserved[] = {"after",
                                       "align",
                                       "allow_partial",
                                       "assert",
                                       "attr",
                                       "attr_floats",
                                       "attr_int",
                                       "attr_ints",
                                       "attr_strings",
                                       "attrs",
                                       "bad_memory",
                                       "base_ok",
                                       "before",
                                       "binding",
                                       "bindings",
                                       "bodies",
                                       "body",
                                       "claim",
                                       "claims",
                                       "config",
                                       "const_ptr",
                                       "define",
                                       "dims",
                                       "flash_bytes",
                                       "graphs",
                                       "h",
                                       "ids",
                                       "inputs",
                                       "move",
                                       "moves",
                                       "names",
                                       "no_arrays",
                                       "no_variant",
                                       "none",
                                       "off",
                                       "outputs",
                                       "overlap",
                                       "overlaps",
                                       "places",
                                       "plan_id",
                                       "pool",
                                       "pools",
                                       "ptr",
                                       "ptr_at",
                                       "layout",
                                       "weights",
                                       "weights_h",
                                       "weights_layout",
                                       "weights_section",
                                       "weights_aligned",
                                       "initial",
                                       "initials",
                                       "initial_rows",
                                       "ram_bytes",
                                       "range",
                                       "section",
                                       "static_memory",
                                       "step",
                                       "steps",
                                       "storage",
                                       "storages",
                                       "swap",
                                       "tables",
                                       "tenure_plan_h",
                                       "tensor",
                                       "tensors",
                                       "value",
                                       "unplanned",
                                       "wait",
                                       "waits",
                                       "absent"};
enum { RESERVED = sizeof reserved / sizeof reserved[0] };

/* With open dimensions; others keep the ids that they have without. */
static const char *const reserved_open[] = {
    "bad_layout", "define_resolve", "dim",     "dim_contradicts", "dim_out_of_range", "extents",
    "largest",    "layout",         "no_size", "resolve",         "too_large"};
enum { RESERVED_OPEN = sizeof reserved_open / sizeof reserved_open[0] };

/* With extents that data give. */
static const char *const reserved_found[] = {"found", "found_count"};
enum { RESERVED_FOUND = sizeof reserved_found / sizeof reserved_found[0] };

enum { WORD_LONGEST = 10 }; /* "_ELEMENTS", and the underscore before the id */

static uint32_t put_open_names(tn_arena *arena, const tn_plan *p, const char **names) {
    uint32_t at = RESERVED_OPEN;
    memcpy(names, reserved_open, sizeof reserved_open);
    for (uint32_t i = 0; i < p->n_pools; i++) {
        names[at++] = tn_arena_printf(arena, "%s_max", unlike_macros(arena, p->pools[i].name));
    }
    for (uint32_t i = 0; i < p->n_ranges; i++) {
        names[at++] = tn_arena_printf(arena, "dim_%s_min", p->ranges[i].name);
    }
    for (uint32_t i = 0; i < p->n_ranges; i++) {
        names[at++] = tn_arena_printf(arena, "dim_%s_max", p->ranges[i].name);
    }
    return at;
}

/* Pools and values share one space of macro names. A macro of either is <prefix>_<id>_<word>, where
 * <word> has no underscore, so different ids give different macros. */
tn_plan_ids tn_plan_ids_make(tn_arena *arena, const tn_plan *p, const char *prefix,
                             size_t longest) {
    bool open = p->n_ranges > 0;
    uint32_t n_open = open ? RESERVED_OPEN + p->n_pools + 2 * p->n_ranges : 0;
    uint32_t n_found = p->n_data_dims > 0 ? RESERVED_FOUND + p->n_data_dims : 0;
    uint32_t n = RESERVED + 2 * p->n_pools + n_open + n_found + p->n_values, at = RESERVED;
    const char **names = TN_ARRAY(arena, const char *, n);
    memcpy(names, reserved, sizeof reserved);
    for (uint32_t i = 0; i < p->n_pools; i++) {
        names[at++] = unlike_macros(arena, p->pools[i].name);
    }
    for (uint32_t i = 0; i < p->n_pools; i++) {
        names[at++] = tn_arena_printf(arena, "define_%s", names[RESERVED + i]);
    }
    uint32_t open_at = at;
    at += open ? put_open_names(arena, p, names + at) : 0;
    uint32_t found_at = at;
    for (uint32_t i = 0; i < n_found; i++) {
        names[at++] = i < RESERVED_FOUND ? reserved_found[i]
                                         : tn_arena_printf(arena, "found_%s",
                                                           p->data_dims[i - RESERVED_FOUND].name);
    }
    uint32_t values_at = at;
    for (uint32_t i = 0; i < p->n_values; i++) {
        names[at++] = unlike_macros(arena, tn_full_name(arena, &p->values[i]));
    }
    const char **ids =
        tn_identifiers_within(arena, "t", names, n, true, longest - strlen(prefix) - WORD_LONGEST);
    const char **of_open = ids + open_at + (open ? RESERVED_OPEN : 0);
    const char **of_dims = of_open + (open ? p->n_pools : 0);
    return (tn_plan_ids){ids + RESERVED, ids + values_at,       of_open,
                         of_dims,        of_dims + p->n_ranges, ids + found_at + RESERVED_FOUND};
}

const char *tn_weights_name(tn_arena *arena, const tn_plan *p, const char *macro,
                            const tn_plan_ids *ids, uint32_t pool) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n_pools; i++) {
        n += p->pools[i].kind == TN_POOL_CONST;
    }
    return n <= 1 ? tn_arena_printf(arena, "%s_WEIGHTS", macro)
                  : tn_arena_printf(arena, "%s_WEIGHTS_%s", macro, ids->pools[pool]);
}
