#include "ir/ops/row_check.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "ir/ops/attr_spec.h"
#include "ir/ops/claims.h"
#include "ir/ops/grad_text.h"
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
            bad(c, "sig", "'@' is not a name: letters, digits and '_' alone", &w);
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
            bad(c, "attrs", "'@' is not a name", &name);
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
            bad(c, column, "'@' is not an operand of the op", &name);
        }
    }
    return n;
}

static void check_claim(checking *c, const char *at, uint32_t index) {
    tn_word result, over;
    tn_inplace claim;
    if (!tn_word_next(&at, 0, &result) || tn_sig_result(c->info, 0, &result) < 0) {
        bad(c, "inplace", "'@' is not a result of the op", at != NULL ? &result : NULL);
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

/* ---- gradients ---- */

static bool is_attr(const tn_op_info *info, const tn_grad_token *t) {
    const char *at = info->attrs;
    bool found = false;
    for (tn_word w; !found && tn_word_next(&at, 0, &w);) {
        found = w.len > t->len && memcmp(w.text, t->text, t->len) == 0 && w.text[t->len] == ':';
    }
    return found;
}

static bool is_result(const tn_op_info *info, const tn_word *w) {
    bool found = false;
    for (int64_t version = 0; version < MOST_VERSIONS && !found; version++) {
        found = tn_sig_result(info, version, w) >= 0;
    }
    return found;
}

/* "Mul", "com.microsoft.FastGelu". */
static bool is_op(checking *c, const tn_grad_token *t) {
    char *type = tn_arena_strndup(c->arena, t->text, t->len), *dot = strrchr(type, '.');
    if (dot == NULL) {
        return tn_op_find("", type) != TN_OP_EXTERN;
    }
    *dot = '\0';
    return tn_op_find(type, dot + 1) != TN_OP_EXTERN;
}

static void check_grad_name(checking *c, const tn_grad_token *t, const tn_grad_token *behind) {
    tn_word w = {t->text, t->len, '\0'};
    if (tn_grad_is(behind, "=")) {
        return; /* an attribute of the op that is called */
    }
    if (tn_grad_is(behind, "(")) {
        if (!is_op(c, t)) {
            bad(c, "grad", "'@' is not an op of the table", &w);
        }
    } else if (!tn_grad_is(t, "d") && !tn_grad_is(t, "ds") && !tn_grad_is(t, "self") &&
               !is_operand(c->info, &w) && !is_result(c->info, &w) && !is_attr(c->info, t)) {
        bad(c, "grad", "'@' is not an operand, result or attribute of the op", &w);
    }
}

static void check_formula(checking *c, const tn_grad_case *k) {
    const char *at = k->formula;
    int open = 0;
    bool any = false;
    for (tn_grad_token t; (t = tn_grad_next_token(&at, k->end)).kind != TN_GRAD_END; any = true) {
        const char *next = at;
        tn_grad_token behind = tn_grad_next_token(&next, k->end);
        open += tn_grad_is(&t, "(") - tn_grad_is(&t, ")");
        if (t.kind == TN_GRAD_NAME) {
            check_grad_name(c, &t, &behind);
        }
        if (open < 0 || t.kind == TN_GRAD_ARG ||
            (t.kind == TN_GRAD_MARK && strchr("()+-*/,=", *t.text) == NULL)) {
            bad(c, "grad", "the formula of '@' is none", &k->operand);
        }
    }
    if (!any || open != 0) {
        bad(c, "grad", "the formula of '@' is none, or a bracket is missing", &k->operand);
    }
}

static void check_grad(checking *c) {
    const char *at = c->info->grad;
    if (at == NULL || strcmp(at, "0") == 0) {
        return;
    }
    for (const char *p = at; *p != '\0'; p += strcspn(p, ";"), p += *p == ';') {
        if (memchr(p, ':', strcspn(p, ";")) == NULL) {
            bad(c, "grad", "expected \"0\", or OPERAND: FORMULA with ';' between", NULL);
            return;
        }
    }
    for (int64_t version = 0; version < MOST_VERSIONS; version++) {
        const char *from = at;
        for (tn_grad_case k; tn_grad_next_case(&from, version, &k);) {
            if (!is_operand(c->info, &k.operand)) {
                bad(c, "grad", "'@' is not an operand of the op", &k.operand);
            }
            check_formula(c, &k);
        }
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
    check_grad(&c);
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
