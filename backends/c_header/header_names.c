/* Identifiers of the header. Names of a model are any bytes; macros have a bounded length. */
#include <string.h>

#include "backends/c_header/c_header_t.h"

const char *tn_ch_full_name(tn_arena *arena, const tn_plan_value *v) {
    return v->graph[0] == '\0' ? v->name : tn_arena_printf(arena, "%s/%s", v->graph, v->name);
}

static bool is_word_char(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* Whether the last word of a name, cleaned, ends macros of tensors and pools. */
static bool ends_in_word(tn_arena *arena, const char *name) {
    static const char words[] = " POOL OFFSET SIZE ALIGN BOUND DTYPE RANK DIMS ELEMENTS FIRST LAST"
                                " COUNT ";
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

/* Macros and types of the header itself, and what users define. */
static const char *const reserved[] = {"align",
                                       "allow_partial",
                                       "assert",
                                       "attr",
                                       "attr_floats",
                                       "attr_int",
                                       "attr_ints",
                                       "attr_strings",
                                       "attrs",
                                       "base_ok",
                                       "binding",
                                       "bindings",
                                       "bodies",
                                       "body",
                                       "claim",
                                       "claims",
                                       "const_ptr",
                                       "define",
                                       "dims",
                                       "flash",
                                       "graphs",
                                       "ids",
                                       "inputs",
                                       "move",
                                       "moves",
                                       "names",
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
                                       "layout",
                                       "weights",
                                       "weights_h",
                                       "weights_layout",
                                       "weights_section",
                                       "weights_aligned",
                                       "initial",
                                       "initials",
                                       "initial_rows",
                                       "ram",
                                       "range",
                                       "section",
                                       "step",
                                       "steps",
                                       "storage",
                                       "storages",
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

enum { WORD_LONGEST = 10 }; /* "_ELEMENTS", and the underscore before the id */

static void number_all(tn_ch *h) {
    const tn_plan *p = h->p;
    h->rows = TN_ARRAY(h->scratch, uint32_t, p->n_values);
    h->numbers = TN_ARRAY(h->scratch, uint32_t, p->n_values);
    for (uint32_t i = 0; i < p->n_values; i++) {
        h->rows[i] = tn_ch_is_placed(&p->values[i]) ? h->n_rows++ : TN_NO_ID;
    }
    for (uint32_t i = 0; i < p->n_values; i++) {
        bool placed = h->rows[i] != TN_NO_ID;
        h->numbers[i] = placed ? h->rows[i] : h->n_rows + h->n_unplanned++;
        h->n_left_out += tn_ch_needs_place(&h->p->values[i]);
    }
}

/* Pools and values share one space of macro names. A macro of either is <prefix>_<id>_<word>, where
 * <word> has no underscore, so different ids give different macros. */
void tn_ch_name_all(tn_ch *h, size_t longest) {
    const tn_plan *p = h->p;
    uint32_t n = RESERVED + 2 * p->n_pools + p->n_values, at = RESERVED;
    const char **names = TN_ARRAY(h->scratch, const char *, n);
    memcpy(names, reserved, sizeof reserved);
    for (uint32_t i = 0; i < p->n_pools; i++) {
        names[at++] = unlike_macros(h->scratch, p->pools[i].name);
    }
    for (uint32_t i = 0; i < p->n_pools; i++) {
        names[at++] = tn_arena_printf(h->scratch, "define_%s", names[RESERVED + i]);
    }
    for (uint32_t i = 0; i < p->n_values; i++) {
        const tn_plan_value *v = &p->values[i];
        names[at++] = unlike_macros(h->scratch, tn_ch_full_name(h->scratch, v));
    }
    const char **ids = tn_identifiers_within(h->scratch, "t", names, n, true,
                                             longest - strlen(h->macro) - WORD_LONGEST);
    h->pool_ids = ids + RESERVED;
    h->value_ids = h->pool_ids + 2 * p->n_pools;
    number_all(h);
}

void tn_ch_name_prefix(tn_ch *h, const tn_emission *e, const char *asked, size_t longest) {
    const char *name = tn_artefact_prefix(h->scratch, e, asked, "_plan");
    name = tn_identifiers_within(h->scratch, "m", &name, 1, false, longest)[0];
    h->macro = tn_upper(h->scratch, name);
    h->symbol = tn_lower(h->scratch, name);
}
