/* Reading column `.attrs`, and attributes as the one who runs the op needs them. */
#include "ir/ops/op_attrs.h"

#include <stdlib.h>
#include <string.h>

#include "ir/ops/claims.h"
#include "ir/ops/sig.h"
#include "ir/ops/window_attrs.h"

/* ---- the column ---- */

static bool kind_of(const char *word, size_t len, tn_attr_kind *kind) {
    static const struct {
        const char *word;
        tn_attr_kind kind;
    } kinds[] = {{"int", TN_ATTR_INT},         {"float", TN_ATTR_FLOAT},
                 {"string", TN_ATTR_STRING},   {"tensor", TN_ATTR_TENSOR},
                 {"graph", TN_ATTR_GRAPH},     {"type", TN_ATTR_TYPE},
                 {"ints", TN_ATTR_INTS},       {"floats", TN_ATTR_FLOATS},
                 {"strings", TN_ATTR_STRINGS}, {"sparse_tensor", TN_ATTR_TENSOR}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strlen(kinds[i].word) == len && memcmp(kinds[i].word, word, len) == 0) {
            *kind = kinds[i].kind;
            return true;
        }
    }
    return false;
}

/* "name:kind", "name:kind?", "name:kind=default" */
static bool read_entry(const tn_word *w, tn_attr_spec *out) {
    const char *end = w->text + w->len, *colon = memchr(w->text, ':', w->len);
    if (colon == NULL) {
        return false;
    }
    size_t word = strcspn(colon + 1, "?=@ ");
    const char *mark = colon + 1 + word;
    *out = (tn_attr_spec){
        .name = w->text, .name_len = (uint32_t)(colon - w->text), .required = mark == end};
    if (mark < end && *mark == '=') {
        out->fallback = mark + 1;
        out->fallback_len = (uint32_t)(end - mark - 1);
    }
    return kind_of(colon + 1, word, &out->kind);
}

bool tn_attr_spec_next(const char **at, int64_t version, tn_attr_spec *out) {
    tn_word w;
    while (tn_word_next(at, version, &w)) {
        if (read_entry(&w, out)) {
            return true;
        }
    }
    return false;
}

/* ---- defaults ---- */

/* The next item of "[a,b]"; moves *at behind it. */
static bool next_item(const char **at, const char *end, const char **item, size_t *len) {
    const char *p = *at;
    if (p >= end || *p == ']') {
        return false;
    }
    *item = p;
    while (p < end && *p != ',' && *p != ']') {
        p++;
    }
    *len = (size_t)(p - *item);
    *at = p < end && *p == ',' ? p + 1 : p;
    return true;
}

static tn_string copy_text(tn_arena *arena, const char *text, size_t len) {
    return (tn_string){tn_arena_strndup(arena, text, len), (uint32_t)len};
}

static void fill_list(tn_arena *arena, const tn_attr_spec *spec, tn_attr *out) {
    const char *at = spec->fallback + 1, *end = spec->fallback + spec->fallback_len, *item;
    size_t len, most = spec->fallback_len;
    int64_t *ints = TN_ARRAY(arena, int64_t, most);
    double *floats = TN_ARRAY(arena, double, most);
    tn_string *strings = TN_ARRAY(arena, tn_string, most);
    while (next_item(&at, end, &item, &len)) {
        const char *text = tn_arena_strndup(arena, item, len);
        ints[out->n] = strtoll(text, NULL, 10);
        floats[out->n] = (double)strtof(text, NULL);
        strings[out->n++] = copy_text(arena, item, len);
    }
    if (spec->kind == TN_ATTR_INTS) {
        out->u.ints = ints;
    } else if (spec->kind == TN_ATTR_FLOATS) {
        out->u.floats = floats;
    } else {
        out->u.strings = strings;
    }
}

/* Floats are those of 32 bits that files hold. The table writes them in C's form. */
static tn_attr default_of(tn_arena *arena, const tn_attr_spec *spec) {
    tn_attr a = {.name = tn_arena_strndup(arena, spec->name, spec->name_len), .kind = spec->kind};
    const char *text = tn_arena_strndup(arena, spec->fallback, spec->fallback_len);
    if (spec->kind == TN_ATTR_INT) {
        a.u.i = strtoll(text, NULL, 10);
    } else if (spec->kind == TN_ATTR_FLOAT) {
        a.u.f = (double)strtof(text, NULL);
    } else if (spec->kind == TN_ATTR_STRING) {
        a.u.s = copy_text(arena, text, spec->fallback_len);
    } else {
        fill_list(arena, spec, &a);
    }
    return a;
}

/* ---- one op ---- */

static int by_name(const void *a, const void *b) {
    return strcmp(((const tn_attr *)a)->name, ((const tn_attr *)b)->name);
}

static bool is_body(const tn_attr *a) {
    return a->kind == TN_ATTR_GRAPH || a->kind == TN_ATTR_GRAPHS;
}

static void add_defaults(const tn_op *op, tn_resolving *r) {
    const char *at = tn_op_info_get(op->code)->attrs;
    for (tn_attr_spec spec; tn_attr_spec_next(&at, op->version, &spec);) {
        if (spec.fallback != NULL) {
            tn_attr a = default_of(r->arena, &spec);
            if (tn_op_attr(op, a.name) == NULL) {
                tn_vec_push(r->arena, &r->attrs, a);
            }
        }
    }
}

/* Rank of the tensor whose axes the attributes of this op count. */
static bool axes_rank(const tn_op *op, uint32_t *rank) {
    bool of_result = (tn_op_info_get(op->code)->traits & TN_T_AXES_OF_RESULT) != 0;
    const tn_value *v = of_result ? tn_result(op, 0) : tn_operand(op, 0);
    if (v == NULL || v->type->kind != TN_TYPE_TENSOR || !v->type->has_rank) {
        return false;
    }
    *rank = v->type->rank;
    return true;
}

static int64_t from_front(int64_t axis, uint32_t rank) {
    return axis < 0 && axis >= -(int64_t)rank ? axis + rank : axis;
}

static void normalise_axes(const tn_op *op, tn_resolving *r) {
    uint32_t rank;
    if (!axes_rank(op, &rank)) {
        return;
    }
    tn_attr *axis = tn_resolving_find(r, "axis"), *axes = tn_resolving_find(r, "axes");
    if (axis != NULL && axis->kind == TN_ATTR_INT) {
        axis->u.i = from_front(axis->u.i, rank);
    }
    if (axes != NULL && axes->kind == TN_ATTR_INTS) {
        int64_t *ints = TN_ARRAY(r->arena, int64_t, axes->n);
        for (uint32_t i = 0; i < axes->n; i++) {
            ints[i] = from_front(axes->u.ints[i], rank);
        }
        axes->u.ints = ints;
    }
}

/* Without perm the order of the axes is reversed. */
static void state_perm(const tn_op *op, tn_resolving *r) {
    uint32_t rank;
    if (!tn_op_declares(op, "perm") || tn_op_attr(op, "perm") != NULL || !axes_rank(op, &rank)) {
        return;
    }
    int64_t *perm = TN_ARRAY(r->arena, int64_t, rank);
    for (uint32_t i = 0; i < rank; i++) {
        perm[i] = (int64_t)(rank - 1 - i);
    }
    tn_resolving_set_ints(r, "perm", rank, perm);
}

/* `count` entries, 0 where the op says nothing; axes of values first .. of `of` from the front. */
static void state_scanned(const tn_op *op, tn_resolving *r, const char *name, uint32_t count,
                          tn_value *const *of) {
    uint32_t n;
    const int64_t *given = tn_attr_ints(op, name, &n);
    if (!tn_op_declares(op, name) || (given != NULL && n != count)) {
        return;
    }
    int64_t *ints = TN_ARRAY(r->arena, int64_t, count);
    for (uint32_t i = 0; i < count; i++) {
        const tn_value *v = of != NULL ? of[i] : NULL;
        bool ranked = v != NULL && v->type->kind == TN_TYPE_TENSOR && v->type->has_rank;
        ints[i] = given == NULL ? 0 : ranked ? from_front(given[i], v->type->rank) : given[i];
    }
    tn_resolving_set_ints(r, name, count, ints);
}

static void state_scan(const tn_op *op, tn_resolving *r) {
    uint32_t before = tn_op_declares(op, "directions") ? 1 : 0;
    int64_t scanned = tn_attr_int(op, "num_scan_inputs", -1);
    if (scanned < 0 || scanned + before > op->n_operands) {
        return;
    }
    uint32_t states = op->n_operands - before - (uint32_t)scanned;
    uint32_t n_in = (uint32_t)scanned, n_out = op->n_results > states ? op->n_results - states : 0;
    tn_value **operands = TN_ARRAY(r->arena, tn_value *, n_in);
    for (uint32_t i = 0; i < n_in; i++) {
        operands[i] = op->operands[before + states + i].value;
    }
    state_scanned(op, r, "directions", n_in, NULL);
    state_scanned(op, r, "scan_input_directions", n_in, NULL);
    state_scanned(op, r, "scan_input_axes", n_in, operands);
    state_scanned(op, r, "scan_output_directions", n_out, NULL);
    state_scanned(op, r, "scan_output_axes", n_out, n_out > 0 ? op->results + states : NULL);
}

bool tn_op_declares(const tn_op *op, const char *name) {
    const char *at = tn_op_info_get(op->code)->attrs;
    for (tn_attr_spec spec; tn_attr_spec_next(&at, op->version, &spec);) {
        if (strlen(name) == spec.name_len && memcmp(name, spec.name, spec.name_len) == 0) {
            return true;
        }
    }
    return false;
}

bool tn_op_iterates(const tn_op *op) {
    bool counts = tn_op_states(op).operand > 0;
    bool scans = tn_op_declares(op, "scan_input_axes") && tn_op_attr(op, "num_scan_inputs") != NULL;
    return tn_is_loop(op) && op->n_regions == 1 && tn_op_info_get(op->code)->states != NULL &&
           (counts || scans);
}

tn_attr *tn_resolving_find(const tn_resolving *r, const char *name) {
    for (uint32_t i = 0; i < r->attrs.len; i++) {
        if (strcmp(r->attrs.data[i].name, name) == 0) {
            return &r->attrs.data[i];
        }
    }
    return NULL;
}

void tn_resolving_set_ints(tn_resolving *r, const char *name, uint32_t n, const int64_t *ints) {
    tn_attr a = {.name = name, .kind = TN_ATTR_INTS, .n = n, .u.ints = ints};
    tn_attr *old = tn_resolving_find(r, name);
    if (old != NULL) {
        *old = a;
    } else {
        tn_vec_push(r->arena, &r->attrs, a);
    }
}

const tn_attr *tn_op_resolve_attrs(const tn_module *m, const tn_op *op, tn_arena *arena,
                                   uint32_t *n) {
    tn_resolving r = {.m = m, .arena = arena};
    for (uint32_t i = 0; i < op->n_attrs; i++) {
        if (!is_body(&op->attrs[i])) {
            tn_vec_push(arena, &r.attrs, op->attrs[i]);
        }
    }
    add_defaults(op, &r);
    if (op->code != TN_OP_EXTERN) {
        normalise_axes(op, &r);
        state_perm(op, &r);
        state_scan(op, &r);
        tn_resolve_windows(op, &r);
    }
    if (r.attrs.len > 1) {
        qsort(r.attrs.data, r.attrs.len, sizeof *r.attrs.data, by_name);
    }
    *n = r.attrs.len;
    return r.attrs.data;
}
