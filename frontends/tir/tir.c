/* Modules in the text form (docs/IR.md). */
#include <string.h>

#include "frontends/core/frontend.h"
#include "ir/text/text.h"
#include "ir/verify.h"

/* "tir " stands behind blanks and comments. */
static tn_match match(tn_bytes bytes) {
    const char *at = (const char *)bytes.data, *end = at + bytes.size;
    for (; at < end && memchr(" \t\r\n/", *at, 5) != NULL; at++) {
        if (*at == '/') {
            const char *line = at + 1 < end && at[1] == '/' ? at : end;
            at = memchr(line, '\n', (size_t)(end - line));
            if (at == NULL) {
                return TN_MATCH_NO;
            }
        }
    }
    return end - at >= 4 && memcmp(at, "tir ", 4) == 0 ? TN_MATCH_YES : TN_MATCH_NO;
}

/* Whoever writes the text by hand may write what no graph can be. */
static tn_module *read(const tn_source *src) {
    tn_module *m = tn_module_parse_for(src->ctx, src->path, (const char *)src->bytes.data,
                                       src->bytes.size, src->op_set);
    if (m == NULL || tn_module_verify(m, false) != TN_OK) {
        tn_reraise(src->ctx, TN_ERROR);
    }
    return m;
}

const tn_frontend tn_frontend_tir = {
    .name = "tir",
    .summary = "the text form of modules",
    .match = match,
    .read = read,
};
