#include "ir/ops/grad_text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "ir/ops/attr_spec.h"

static bool is_in_name(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

tn_grad_token tn_grad_next_token(const char **at, const char *end) {
    const char *p = *at;
    while (p < end && *p == ' ') {
        p++;
    }
    tn_grad_token t = {TN_GRAD_END, p, 0};
    if (p == end) {
        return t;
    }
    bool marked = *p == '@' || *p == '$';
    t.kind = *p == '@'                                 ? TN_GRAD_RULE
             : *p == '$'                               ? TN_GRAD_ARG
             : isdigit((unsigned char)*p)              ? TN_GRAD_NUMBER
             : isalpha((unsigned char)*p) || *p == '_' ? TN_GRAD_NAME
                                                       : TN_GRAD_MARK;
    const char *q = marked ? p + 1 : p;
    t.text = q;
    while (q < end && t.kind != TN_GRAD_MARK && is_in_name(*q)) {
        q++;
    }
    q += t.kind == TN_GRAD_MARK;
    t.len = (size_t)(q - t.text);
    *at = q;
    return t;
}

bool tn_grad_is(const tn_grad_token *t, const char *text) {
    return (t->kind == TN_GRAD_MARK || t->kind == TN_GRAD_NAME) &&
           strncmp(t->text, text, t->len) == 0 && text[t->len] == '\0';
}

/* ---- cases ---- */

/* The head of a case is a word as those of signatures are, in front of its guards. */
static bool read_case(const char *from, const char *end, int64_t version, tn_grad_case *out) {
    const char *colon = memchr(from, ':', (size_t)(end - from));
    if (colon == NULL) {
        return false;
    }
    const char *brace = memchr(from, '{', (size_t)(colon - from));
    char head[64] = {0};
    size_t len = (size_t)((brace != NULL ? brace : colon) - from);
    const char *at = head;
    tn_word w;
    if (len >= sizeof head) {
        return false;
    }
    memcpy(head, from, len);
    if (!tn_word_next(&at, version, &w)) {
        return false;
    }
    w.text = from + (w.text - head);
    *out = (tn_grad_case){w, brace != NULL ? brace : colon, colon + 1, end, false};
    const char *formula = out->formula;
    tn_grad_token first = tn_grad_next_token(&formula, end);
    bool nought = first.kind == TN_GRAD_NUMBER && first.len == 1 && *first.text == '0';
    out->zero = nought && tn_grad_next_token(&formula, end).kind == TN_GRAD_END;
    return true;
}

bool tn_grad_next_case(const char **at, int64_t version, tn_grad_case *out) {
    while (*at != NULL && **at != '\0') {
        const char *from = *at + strspn(*at, " "), *end = from + strcspn(from, ";");
        *at = *end != '\0' ? end + 1 : end;
        if (read_case(from, end, version, out)) {
            return true;
        }
    }
    return false;
}

static bool spells(const char *text, size_t len, const char *name) {
    return strncmp(text, name, len) == 0 && name[len] == '\0';
}

static bool is_there(const tn_op *op, const char *text, size_t len) {
    tn_word w = {text, len, '\0'};
    bool many;
    int32_t k = tn_sig_operand(op->info, op->version, &w, &many);
    int32_t r = tn_sig_result(op->info, op->version, &w);
    return (k >= 0 && tn_operand(op, (uint32_t)k) != NULL) ||
           (r >= 0 && tn_result(op, (uint32_t)r) != NULL);
}

/* Text NULL: whether it is above 0. */
static bool attr_is(const tn_op *op, const char *name, size_t len, const char *text,
                    size_t text_len) {
    const char *at = op->info->attrs;
    for (tn_attr_spec s; tn_attr_spec_next(&at, op->version, &s);) {
        tn_attr a;
        if (s.len != len || memcmp(s.name, name, len) != 0) {
            continue;
        }
        if (!tn_op_attr_or_default(op, &s, &a)) {
            return false;
        }
        if (text == NULL) {
            return a.kind == TN_ATTR_FLOAT ? a.u.f > 0 : a.kind == TN_ATTR_INT && a.u.i > 0;
        }
        char number[24];
        (void)snprintf(number, sizeof number, "%lld", (long long)a.u.i);
        return (a.kind == TN_ATTR_INT && spells(text, text_len, number)) ||
               (a.kind == TN_ATTR_STRING && spells(text, text_len, a.u.s.data));
    }
    return false;
}

static bool guards_hold(const tn_op *op, const tn_grad_case *c) {
    for (const char *p = c->guards; *p == '{';) {
        const char *close = strchr(p, '}'), *name = p + 1;
        const char *equals = memchr(name, '=', (size_t)(close - name));
        bool above = close - name > 2 && memcmp(close - 2, ">0", 2) == 0, holds;
        if (above) {
            holds = attr_is(op, name, (size_t)(close - name) - 2, NULL, 0);
        } else if (*name == '?' || *name == '!') {
            holds = is_there(op, name + 1, (size_t)(close - name) - 1) == (*name == '?');
        } else {
            holds = equals != NULL && attr_is(op, name, (size_t)(equals - name), equals + 1,
                                              (size_t)(close - equals) - 1);
        }
        if (!holds) {
            return false;
        }
        p = close + 1 + strspn(close + 1, " ");
    }
    return true;
}

static bool is_operand(const tn_op *op, const tn_word *name, uint32_t k) {
    bool many;
    int32_t at = tn_sig_operand(op->info, op->version, name, &many);
    return at >= 0 && (k == (uint32_t)at || (many && k > (uint32_t)at));
}

tn_grad_flow tn_op_grad(const tn_op *op, uint32_t k, bool straight, tn_grad_case *out) {
    const char *at = straight && op->info->straight != NULL ? op->info->straight : op->info->grad;
    if (at == NULL) {
        return TN_GRAD_UNKNOWN;
    }
    if (strcmp(at, "0") == 0) {
        return TN_GRAD_ZERO;
    }
    tn_grad_case c;
    while (tn_grad_next_case(&at, op->version, &c)) {
        if (is_operand(op, &c.operand, k) && guards_hold(op, &c)) {
            if (out != NULL) {
                *out = c;
            }
            return c.zero ? TN_GRAD_ZERO : TN_GRAD_GIVEN;
        }
    }
    return TN_GRAD_UNKNOWN;
}

/* ---- what a formula reads ---- */

/* The bits of position k, and of all behind it where it stands for many. */
static uint32_t bits_from(int32_t k, bool many) {
    uint32_t bit = k >= 0 && k < 32 ? UINT32_C(1) << k : 0;
    return many && bit != 0 ? ~(bit - 1) : bit;
}

void tn_grad_needs(const tn_op_info *info, int64_t version, const tn_grad_case *c,
                   uint32_t *operands, uint32_t *results) {
    const char *at = c->formula;
    for (tn_grad_token t; (t = tn_grad_next_token(&at, c->end)).kind != TN_GRAD_END;) {
        const char *next = at;
        tn_grad_token behind = tn_grad_next_token(&next, c->end);
        if (t.kind == TN_GRAD_NAME && tn_grad_is(&behind, "=")) { /* of attributes, both sides */
            at = next;
            (void)tn_grad_next_token(&at, c->end);
            continue;
        }
        if (t.kind != TN_GRAD_NAME || tn_grad_is(&behind, "(")) {
            continue;
        }
        tn_word w = tn_grad_is(&t, "self") ? c->operand : (tn_word){t.text, t.len, '\0'};
        bool many;
        int32_t k = tn_sig_operand(info, version, &w, &many);
        *operands |= bits_from(k, many);
        *results |= k < 0 ? bits_from(tn_sig_result(info, version, &w), false) : 0;
    }
}

void tn_grad_all_needs(const tn_op_info *info, uint32_t *operands, uint32_t *results) {
    const char *at = info->grad;
    tn_grad_case c;
    *operands = *results = 0;
    while (at != NULL && tn_grad_next_case(&at, 0, &c)) {
        tn_grad_needs(info, 0, &c, operands, results);
    }
}
