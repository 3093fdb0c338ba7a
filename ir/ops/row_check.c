#include "ir/ops/row_check.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "ir/ops/attr_spec.h"
#include "ir/ops/claims.h"
#include "ir/ops/sig.h"

/* One more than any opset version that a signature may name. */
enum { MOST_VERSIONS = 64 };

typedef struct checking {
    tn_arena *arena;
    const tn_op_info *info;
    tn_row_fault fault;
} checking;

static void bad(checking *c, const char *column, const char *fmt, const tn_word *w) {
    if (c->fault.column == NULL) {
        const char *word = w != NULL ? tn_arena_strndup(c->arena, w->text, w->len) : "";
        tn_sink text = tn_sink_make(c->arena);
        const char *mark = strchr(fmt, '@');
        tn_put_n(&text, fmt, mark != NULL ? (size_t)(mark - fmt) : strlen(fmt));
        tn_put(&text, word);
        tn_put(&text, mark != NULL ? mark + 1 : "");
        c->fault = (tn_row_fault){column, text.data};
    }
}

static bool is_name(const tn_word *w, const char *others) {
    bool letters = w->len > 0;
    for (size_t i = 0; i < w->len; i++) {
        letters = letters && (isalnum((unsigned char)w->text[i]) || strchr(others, w->text[i]));
    }
    return letters;
}

static bool stands_before(const char *list, int64_t version, const tn_word *w) {
    for (tn_word o; tn_word_next(&list, version, &o) && o.text < w->text;) {
        if (o.len == w->len && memcmp(o.text, w->text, w->len) == 0) {
            return true;
        }
    }
    return false;
}

/* Names of one half of the signature; nothing may stand behind one that stands for many, in the
 * versions that have it. */
static void check_names(checking *c, const char *list, int64_t version) {
    bool many = false;
    const char *first = list;
    for (tn_word w; tn_word_next(&list, version, &w);) {
        if (stands_before(first, version, &w)) {
            bad(c, "sig", "'@' stands there twice", &w);
        }
        if (!is_name(&w, "_")) {
            bad(c, "sig", "'@' is no name: letters, digits and '_' alone", &w);
        }
        if (many) {
            bad(c, "sig", "'@' stands behind a name for any number of values", &w);
        }
        many = w.mark == '*' || w.mark == '+';
    }
}

static void check_sig(checking *c) {
    const tn_op_info *info = c->info;
    const char *results = tn_sig_results(info);
    if (results == NULL) {
        bad(c, "sig", "no '->' between operands and results", NULL);
        return;
    }
    int64_t before = 0;
    for (const char *v = info->versions; *v != '\0';) {
        char *end;
        int64_t version = strtol(v, &end, 10);
        if (end == v || version <= before) {
            bad(c, "versions", "no list of opset versions that rise", NULL);
            return;
        }
        check_names(c, info->sig, version);
        check_names(c, results, version);
        before = version;
        v = end;
    }
}

static void check_attrs(checking *c) {
    const char *list = c->info->attrs;
    for (size_t len; list != NULL && *list != '\0'; list += len + strspn(list + len, " ")) {
        len = strcspn(list, " ");
        tn_word word = {list, len, '\0'};
        tn_attr_spec spec;
        const char *at = tn_arena_strndup(c->arena, list, strcspn(list, " @")); /* of any version */
        if (!tn_attr_spec_next(&at, 0, &spec)) {
            bad(c, "attrs", "'@' is not NAME:TYPE, NAME:TYPE? or NAME:TYPE=DEFAULT", &word);
            return;
        }
        tn_word name = {spec.name, spec.len, '\0'};
        if (!is_name(&name, "_.")) { /* fused ops have "Conv.pads" */
            bad(c, "attrs", "'@' is no name", &name);
        }
    }
}

static bool is_operand(const tn_op_info *info, const tn_word *w) {
    bool many, found = false;
    for (int64_t version = 0; version < MOST_VERSIONS && !found; version++) {
        found = tn_sig_operand(info, version, w, &many) >= 0;
    }
    return found;
}

/* Words up to one in brackets, or the end. */
static uint32_t check_operands(checking *c, const char *column, const char *list) {
    uint32_t n = 0;
    for (tn_word w; tn_word_next(&list, 0, &w) && w.text[0] != '('; n++) {
        tn_word name = w;
        const char *colon = memchr(w.text, ':', w.len);
        name.len = colon != NULL ? (size_t)(colon - w.text) : w.len;
        if (!is_operand(c->info, &name)) {
            bad(c, column, "'@' is no operand of the op", &name);
        }
    }
    return n;
}

static void check_claim(checking *c, const char *at, uint32_t index) {
    tn_word result, over;
    tn_inplace claim;
    if (!tn_word_next(&at, 0, &result) || tn_sig_result(c->info, 0, &result) < 0) {
        bad(c, "inplace", "'@' is no result of the op", at != NULL ? &result : NULL);
        return;
    }
    if (!tn_word_next(&at, 0, &over) || !tn_word_is(&over, "over")) {
        bad(c, "inplace", "behind '@' comes \"over\"", &result);
        return;
    }
    if (check_operands(c, "inplace", at) == 0) {
        bad(c, "inplace", "no operand is named for '@'", &result);
    }
    if (!tn_inplace_get(c->info, 0, index, &claim) || claim.cond == TN_IF_NEVER) {
        bad(c, "inplace", "what '@' claims ends in (same), (width), (rows), (update) or (must)",
            &result);
    }
}

static void check_inplace(checking *c) {
    uint32_t n = 0;
    for (const char *at = c->info->inplace; at != NULL && *at != '\0'; n++) {
        check_claim(c, at, n);
        at = strchr(at, ',');
        at = at != NULL ? at + 1 : NULL;
    }
}

static void check_view(checking *c) {
    const tn_op_info *info = c->info;
    if ((info->view == TN_VIEW_NONE) != (info->view_of == NULL)) {
        bad(c, "view", "a kind of view and the operand go together", NULL);
    } else if ((info->view >= TN_VIEW_PART) != (info->part != NULL)) {
        bad(c, "view", "views of parts have a rule that finds the part, and no others", NULL);
    } else if (info->view_of != NULL) {
        (void)check_operands(c, "view", info->view_of);
    }
}

tn_row_fault tn_row_check(tn_arena *arena, const tn_op_info *info) {
    checking c = {.arena = arena, .info = info};
    tn_word name = {info->name, strlen(info->name), '\0'};
    if (name.len == 0) {
        bad(&c, "op", "no name", NULL);
    }
    if (info->sig == NULL) {
        bad(&c, "sig", "missing", NULL);
        return c.fault;
    }
    check_sig(&c);
    check_attrs(&c);
    check_inplace(&c);
    check_view(&c);
    if (info->shape_only != NULL) {
        (void)check_operands(&c, "shape_only", info->shape_only);
    }
    if ((info->reads != NULL) != (info->reach != NULL)) {
        bad(&c, "reads", "operands and the rule that knows what is read of them go together", NULL);
    } else if (info->reads != NULL) {
        (void)check_operands(&c, "reads", info->reads);
    }
    if (info->params != NULL) {
        (void)check_operands(&c, "params", info->params);
    }
    return c.fault;
}
