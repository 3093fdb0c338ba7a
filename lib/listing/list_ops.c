/* The op table, listed: one line a row, one JSON object a row, or a page of documentation. The rows
 * are sorted by domain and name. */
#include <stdlib.h>
#include <string.h>

#include "ir/ops/claims.h"
#include "ir/ops/grad_text.h"
#include "ir/ops/sig.h"
#include "lib/listing/listing.h"

typedef void (*put_text)(tn_sink *out, const tn_op_info *o);

/* "0 2", or "all" for a mask with every bit set. */
static void put_mask(tn_sink *out, uint32_t mask) {
    if (mask == UINT32_MAX) {
        tn_put(out, "all");
        return;
    }
    const char *gap = "";
    for (unsigned bit = 0; bit < 32; bit++) {
        if ((mask >> bit & 1) != 0) {
            tn_putf(out, "%s%u", gap, bit);
            gap = " ";
        }
    }
}

static void put_traits(tn_sink *out, const tn_op_info *o) {
    static const char *const names[] = {
        "element-wise", "broadcast", "random",        "side effect",     "constant", "shape reader",
        "gradient",     "update",    "nested graphs", "shape from data", "sequence", "call",
        "loss",         NULL,        "barrier"};
    const char *gap = "";
    for (unsigned bit = 0; bit < sizeof names / sizeof names[0]; bit++) {
        if ((o->traits >> bit & 1) != 0 && names[bit] != NULL) {
            tn_putf(out, "%s%s", gap, names[bit]);
            gap = ", ";
        }
    }
    tn_putf(out, "%s%s", o->states != NULL ? gap : "", o->states != NULL ? "carries states" : "");
}

static void put_inplace(tn_sink *out, const tn_op_info *o) {
    static const char *const conditions[] = {
        [TN_IF_NEVER] = "never", [TN_IF_SAME] = "same",     [TN_IF_WIDTH] = "width",
        [TN_IF_ROWS] = "rows",   [TN_IF_UPDATE] = "update", [TN_IF_MUST] = "must"};
    tn_inplace claim;
    for (unsigned i = 0; tn_inplace_get(o, 0, i, &claim); i++) {
        tn_putf(out, "%s%u over ", i > 0 ? ", " : "", claim.result);
        put_mask(out, claim.operands);
        tn_putf(out, " (%s)", conditions[claim.cond]);
    }
    for (unsigned g = 1; g < o->update_groups; g++) {
        tn_putf(out, "%sgroup %u over group %u", g > 1 ? ", " : "", g - 1, g > 1 ? g : 0);
    }
    tn_put(out, o->update_groups > 0 ? " (update)" : "");
}

static void put_view(tn_sink *out, const tn_op_info *o) {
    static const char *const kinds[] = {[TN_VIEW_NONE] = "",
                                        [TN_VIEW_WHOLE] = "whole",
                                        [TN_VIEW_IF_EQUAL] = "if equal",
                                        [TN_VIEW_PART] = "part",
                                        [TN_VIEW_PARTS] = "parts",
                                        [TN_VIEW_GATHERED] = "gathered",
                                        [TN_VIEW_PERMUTED] = "permuted"};
    tn_put(out, kinds[o->view]);
}

static void put_shape_only(tn_sink *out, const tn_op_info *o) {
    put_mask(out, tn_shape_only(o, 0));
}

/* Operands that a result may begin inside of. */
static void put_overlap(tn_sink *out, const tn_op_info *o) {
    if (o->reads != NULL) {
        tn_put(out, o->reads);
    } else if ((o->traits & TN_T_ELEMENTWISE) != 0) {
        tn_put(out, "all");
    }
}

/* What the gradient reads of the forward part. */
static void put_grad(tn_sink *out, const tn_op_info *o) {
    uint32_t operands, results;
    tn_grad_all_needs(o, &operands, &results);
    if (o->grad != NULL && (operands | results) == 0) {
        tn_put(out, strcmp(o->grad, "0") == 0 ? "zero" : "shapes");
    }
    if (operands != 0) {
        tn_put(out, "operands ");
        put_mask(out, operands);
    }
    if (results != 0) {
        tn_put(out, operands != 0 ? "; results " : "results ");
        put_mask(out, results);
    }
}

static void put_name(tn_sink *out, const tn_op_info *o) {
    tn_putf(out, "`%s`", o->name);
}

static void put_versions(tn_sink *out, const tn_op_info *o) {
    tn_put(out, o->versions);
}

static void put_sig(tn_sink *out, const tn_op_info *o) {
    if (o->sig != NULL) {
        tn_putf(out, "`%s`", o->sig);
    }
}

static void put_doc(tn_sink *out, const tn_op_info *o) {
    tn_put(out, o->doc);
}

static void put_string(tn_sink *out, const char *key, const char *text) {
    tn_putf(out, ", \"%s\": ", key);
    tn_put_escaped(out, text, strlen(text)); /* plain ASCII in the table: JSON as well */
}

static void put_made(tn_sink *out, const char *key, put_text put, const tn_op_info *o) {
    tn_putf(out, ", \"%s\": \"", key);
    put(out, o);
    tn_put(out, "\"");
}

static void put_json(tn_sink *out, const tn_op_info *o) {
    tn_putf(out, "{\"domain\": \"%s\"", o->domain);
    put_string(out, "name", o->name);
    put_string(out, "versions", o->versions);
    tn_arity a = tn_op_arity(o);
    tn_putf(out, ", \"min_in\": %d, \"max_in\": %d, \"min_out\": %d, \"max_out\": %d", a.least_in,
            a.most_in, a.least_out, a.most_out);
    put_string(out, "sig", o->sig != NULL ? o->sig : "");
    put_string(out, "attrs", o->attrs != NULL ? o->attrs : "");
    put_made(out, "traits", put_traits, o);
    put_made(out, "inplace", put_inplace, o);
    put_made(out, "view", put_view, o);
    put_made(out, "shape_only", put_shape_only, o);
    put_made(out, "overlap", put_overlap, o);
    put_made(out, "grad", put_grad, o);
    tn_putf(out, ", \"rule\": %s", o->shape != NULL ? "true" : "false");
    put_string(out, "doc", o->doc);
    tn_put(out, "}\n");
}

static void put_line(tn_sink *out, const tn_op_info *o) {
    tn_putf(out, "%s%s%s  %s  since %s: %s\n", o->domain, o->domain[0] != '\0' ? "." : "", o->name,
            o->sig != NULL ? o->sig : "", o->versions, o->doc);
}

static const struct {
    const char *title;
    put_text put;
} columns[] = {{"Operator", put_name},
               {"Since", put_versions},
               {"Operands and results", put_sig},
               {"Traits", put_traits},
               {"In place", put_inplace},
               {"View", put_view},
               {"Shape only", put_shape_only},
               {"Overlap", put_overlap},
               {"Gradient", put_grad},
               {"", put_doc}};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

static void put_row(tn_sink *out, const tn_op_info *o) {
    for (unsigned i = 0; i < COLUMNS; i++) {
        tn_put(out, "| ");
        columns[i].put(out, o);
        tn_put(out, " ");
    }
    tn_put(out, "|\n");
}

static const char page_head[] =
    "# Operators\n\n"
    "Made from the op table (`ir/ops/ops.def`) by `tenure --list-ops=md`; do not edit.\n\n"
    "**In place**: which result may take the bytes of which dying operand, and when: *same*,\n"
    "element-wise at equal index (equal shape and element width); *rows*, the kernel reads a row "
    "or\n"
    "group before it writes it; *update*, the kernel touches each element once; *must*, by\n"
    "definition. **View**: result and first operand share bytes: *whole*, always; *if equal*, "
    "when\n"
    "their types are; *part*, *parts*, *gathered*, when the part is contiguous; *permuted*, when\n"
    "only extents of 1 move. **Shape only**: operands whose data are not read. **Overlap**: "
    "operands\n"
    "of which it is known what each element of a result needs, so that results may begin inside "
    "them\n"
    "(`--overlap`). **Gradient**: what it\n"
    "needs from the forward pass; empty when the table knows none.\n";

static void put_domain(tn_sink *out, const char *domain, uint32_t n) {
    tn_putf(out, "\n## %s: %u operators\n\n", domain[0] != '\0' ? domain : "ai.onnx", n);
    for (unsigned i = 0; i < COLUMNS; i++) {
        tn_putf(out, "| %s ", columns[i].title);
    }
    tn_put(out, "|\n|");
    for (unsigned i = 0; i < COLUMNS; i++) {
        tn_put(out, " --- |");
    }
    tn_put(out, "\n");
}

static void put_page(tn_sink *out, const tn_op_info **rows, uint32_t n) {
    tn_put(out, page_head);
    for (uint32_t first = 0, last; first < n; first = last) {
        for (last = first; last < n && strcmp(rows[first]->domain, rows[last]->domain) == 0;) {
            last++;
        }
        put_domain(out, rows[first]->domain, last - first);
        for (uint32_t i = first; i < last; i++) {
            put_row(out, rows[i]);
        }
    }
}

static int by_domain_and_name(const void *a, const void *b) {
    const tn_op_info *x = *(const tn_op_info *const *)a, *y = *(const tn_op_info *const *)b;
    int domain = strcmp(x->domain, y->domain);
    return domain != 0 ? domain : strcmp(x->name, y->name);
}

void tn_list_op_rows(const tn_op_info *rows[TN_LISTED_OPS]) {
    for (unsigned i = 0; i < TN_LISTED_OPS; i++) {
        rows[i] = tn_op_info_get((tn_opcode)(i + 1));
    }
    qsort(rows, TN_LISTED_OPS, sizeof rows[0], by_domain_and_name);
}

void tn_list_op_fact(tn_sink *out, const tn_op_info *o, tn_op_fact fact) {
    static const put_text facts[] = {[TN_LISTED_TRAITS] = put_traits,
                                     [TN_LISTED_INPLACE] = put_inplace,
                                     [TN_LISTED_VIEW] = put_view,
                                     [TN_LISTED_SHAPE_ONLY] = put_shape_only,
                                     [TN_LISTED_GRAD] = put_grad};
    facts[fact](out, o);
}

void tn_list_ops(tn_sink *out, const char *format) {
    const tn_op_info *rows[TN_LISTED_OPS];
    const uint32_t n = TN_LISTED_OPS;
    tn_list_op_rows(rows);
    if (strcmp(format, "md") == 0) {
        put_page(out, rows, n);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        (strcmp(format, "json") == 0 ? put_json : put_line)(out, rows[i]);
    }
}
