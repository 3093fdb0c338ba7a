/* Tokens of C, as far as the kernels of the library need them. */
#include <string.h>

#include "backends/kernels/library_t.h"

static bool is_space(char c) {
    return c == ' ' || c == '\n' || c == '\t';
}

static bool begins_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_in_name(char c) {
    return begins_name(c) || (c >= '0' && c <= '9');
}

static size_t length_of_text(const char *at) {
    size_t n = 1;
    while (at[n] != at[0] && at[n] != '\0') {
        n += at[n] == '\\' ? 2 : 1;
    }
    return n + 1;
}

static size_t length_of_comment(const char *at) {
    const char *end = strstr(at + 2, "*/");
    return end != NULL ? (size_t)(end + 2 - at) : strlen(at);
}

static size_t length_while(const char *at, bool (*belongs)(char)) {
    size_t n = 0;
    while (belongs(at[n])) {
        n++;
    }
    return n;
}

static bool is_in_number(char c) {
    return is_in_name(c) || c == '.';
}

static void measure(tn_c_reader *r) {
    const char *at = r->at;
    if (*at == '\0') {
        r->kind = TN_C_END;
        r->len = 0;
    } else if (is_space(*at)) {
        r->kind = TN_C_SPACE;
        r->len = length_while(at, is_space);
    } else if (at[0] == '/' && at[1] == '*') {
        r->kind = TN_C_COMMENT;
        r->len = length_of_comment(at);
    } else if (begins_name(*at)) {
        r->kind = TN_C_NAME;
        r->len = length_while(at, is_in_name);
    } else if (is_in_name(*at)) {
        r->kind = TN_C_LITERAL;
        r->len = length_while(at, is_in_number);
    } else if (*at == '"' || *at == '\'') {
        r->kind = TN_C_LITERAL;
        r->len = length_of_text(at);
    } else {
        r->kind = TN_C_MARK;
        r->len = strncmp(at, "->", 2) == 0 || strncmp(at, "##", 2) == 0 ? 2 : 1;
    }
}

tn_c_reader tn_c_read(const char *text) {
    return (tn_c_reader){.at = text};
}

bool tn_c_next(tn_c_reader *r) {
    r->at += r->len;
    measure(r);
    return r->kind != TN_C_END;
}

bool tn_c_next_word(tn_c_reader *r) {
    bool any = tn_c_next(r);
    while (any && (r->kind == TN_C_SPACE || r->kind == TN_C_COMMENT)) {
        any = tn_c_next(r);
    }
    return any;
}

bool tn_c_is(const tn_c_reader *r, const char *token) {
    return r->len == strlen(token) && memcmp(r->at, token, r->len) == 0;
}

void tn_c_count(const tn_c_reader *r, unsigned *depth) {
    if (r->kind == TN_C_MARK && strchr("([{", *r->at) != NULL) {
        ++*depth;
    } else if (r->kind == TN_C_MARK && strchr(")]}", *r->at) != NULL && *depth > 0) {
        --*depth;
    }
}

bool tn_c_is_member(const tn_c_reader *before) {
    return before->kind == TN_C_MARK && (tn_c_is(before, ".") || tn_c_is(before, "->"));
}
