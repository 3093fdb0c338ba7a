/* The columns of an entry: the same texts as in the op table, checked by the same rules, and
 * expressions. What the table says of an op by definition stays. */
#include "lib/op_facts_t.h"

#include <string.h>

#include "ir/compute/formula.h"
#include "ir/ops/row_check.h"
#include "ir/ops/sig.h"
#include "ir/ops/work_order.h"

static const char *text_of(tn_facts_reading *r, tn_json_item *at, const char *name) {
    const char *text = tn_facts_has(at, name) ? tn_json_text(at, name) : NULL;
    return text != NULL ? tn_arena_strndup(r->set->arena, text, strlen(text)) : NULL;
}

/* ---- ops the table does not know ---- */

static uint32_t read_traits(tn_json_item *at) {
    static const char *const names[] = {"elementwise", "broadcast", "random", "side-effect", NULL};
    static const uint32_t traits[] = {TN_T_ELEMENTWISE, TN_T_BROADCAST, TN_T_RANDOM,
                                      TN_T_SIDE_EFFECT};
    uint32_t n, out = 0;
    json_t *list = tn_json_list(at, "traits", &n);
    for (uint32_t i = 0; i < n; i++) {
        const char *word = json_string_value(json_array_get(list, i));
        uint32_t k = 0;
        while (word != NULL && names[k] != NULL && strcmp(names[k], word) != 0) {
            k++;
        }
        if (word == NULL || names[k] == NULL) {
            tn_json_bad(at, "traits", "a list of elementwise, broadcast, random, side-effect");
        }
        out |= traits[k];
    }
    return out;
}

static void read_definition(tn_facts_reading *r, tn_json_item *at, const tn_op_info *base,
                            tn_op_fact *f) {
    static const char *const keys[] = {"sig", "attrs", "traits", "params"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (tn_facts_has(at, keys[i]) && base->name[0] != '\0') {
            tn_facts_refuse(at, keys[i],
                            tn_arena_printf(r->r.arena, "the definition of '%s' says that already",
                                            f->row.name));
        }
    }
    f->row.versions = "1";
    if (!tn_facts_has(at, "sig")) {
        return;
    }
    f->columns |= TN_COLUMN_SIG;
    f->row.sig = text_of(r, at, "sig");
    f->row.attrs = text_of(r, at, "attrs");
    f->row.params = text_of(r, at, "params");
    f->row.doc = text_of(r, at, "doc");
    f->row.traits = tn_facts_has(at, "traits") ? read_traits(at) : 0;
}

/* ---- claims ---- */

static void read_view(tn_facts_reading *r, tn_json_item *at, const tn_op_info *base,
                      tn_op_fact *f) {
    const char *text = text_of(r, at, "view"), *operand = strchr(text, ' ');
    size_t len = operand != NULL ? (size_t)(operand - text) : strlen(text);
    f->columns |= TN_COLUMN_VIEW;
    if (strcmp(text, "none") == 0) {
        return;
    }
    bool whole = len == 5 && strncmp(text, "whole", len) == 0;
    if (operand == NULL || !(whole || (len == 8 && strncmp(text, "if-equal", len) == 0))) {
        tn_json_bad(at, "view", "\"none\", \"whole OPERAND\" or \"if-equal OPERAND\"");
    }
    if (base->name[0] != '\0') {
        tn_facts_refuse(at, "view",
                        "whether a result is a view follows from the definition of the "
                        "op; a kernel that copies all the same says \"none\"");
    }
    f->row.view = whole ? TN_VIEW_WHOLE : TN_VIEW_IF_EQUAL;
    f->row.view_of = operand + 1;
}

/* The order in which the kernel works. What an element needs of an operand is known of ops of the
 * table alone. */
static void read_order(tn_json_item *at, const tn_op_info *base, tn_op_fact *f) {
    tn_work_order order = (tn_work_order)tn_json_enum(at, "overlap", tn_work_order_words);
    bool known = base->reach != NULL || (base->traits & TN_T_ELEMENTWISE) != 0;
    if (!known && order != TN_ORDER_NONE) {
        tn_facts_refuse(at, "overlap",
                        "which elements of its operands the op needs for an element of a result "
                        "is not known");
    }
    f->columns |= TN_COLUMN_ORDER;
    f->row.order = tn_work_order_words[order];
}

static void demand_inplace(tn_json_item *at, const tn_op_info *base, const tn_op_fact *f) {
    const char *text = f->row.inplace;
    bool known = base->name[0] != '\0', elementwise = (base->traits & TN_T_ELEMENTWISE) != 0;
    if (known && base->inplace != NULL && strstr(base->inplace, "(must)") != NULL) {
        tn_facts_refuse(at, "inplace", "the op writes over its operand by definition");
    }
    if (strstr(text, "(must)") != NULL) {
        tn_facts_refuse(at, "inplace", "(must) is for definitions, not for kernels");
    }
    if (known && !elementwise &&
        (strstr(text, "(same)") != NULL || strstr(text, "(width)") != NULL)) {
        tn_facts_refuse(at, "inplace",
                        "the op is not element-wise: a kernel that has read what it "
                        "needs before it writes claims (rows)");
    }
}

static void demand_shape_only(tn_json_item *at, const tn_op_info *base, const tn_op_fact *f) {
    const char *list = f->row.shape_only;
    for (tn_word w; base->name[0] != '\0' && tn_word_next(&list, 0, &w);) {
        const char *by_definition = base->shape_only;
        bool found = false;
        for (tn_word b; !found && by_definition != NULL && tn_word_next(&by_definition, 0, &b);) {
            found = b.len == w.len && memcmp(b.text, w.text, w.len) == 0;
        }
        if (!found) {
            tn_facts_refuse(at, "shape_only",
                            tn_arena_printf(at->r->arena,
                                            "the op reads the elements of '%.*s' by "
                                            "definition",
                                            (int)w.len, w.text));
        }
    }
}

/* ---- expressions ---- */

static const tn_row_expr *read_expr(tn_facts_reading *r, const tn_json_item *at, const char *name,
                                    json_t *value, const tn_row_names *names) {
    enum { MAX_TEXT = 1000 };
    const char *text =
        json_is_integer(value)
            ? tn_arena_printf(r->set->arena, "%lld", (long long)json_integer_value(value))
            : json_string_value(value);
    if (text == NULL || strlen(text) > MAX_TEXT) {
        tn_json_bad(at, name, "a number, or an expression of at most 1000 bytes");
    }
    size_t where;
    const char *want;
    const tn_row_expr *e = tn_row_expr_parse(r->set->arena, text, names, &where, &want);
    if (e == NULL) {
        tn_facts_refuse(at, name,
                        tn_arena_printf(r->r.arena, "'%s', byte %zu: %s", text, where, want));
    }
    return e;
}

static const struct tn_row_memory *read_memory(tn_facts_reading *r, tn_json_item *at,
                                               const char *column, const tn_op_info *row) {
    static const char *const keys[] = {"name", "bytes", "when", "cost", NULL};
    tn_arena *arena = r->set->arena;
    struct tn_row_memory *out = TN_NEW(arena, struct tn_row_memory);
    json_t *list = tn_json_list(at, column, &out->n);
    struct tn_row_bytes *ways = TN_ARRAY(arena, struct tn_row_bytes, out->n);
    tn_row_names names = {row, true, r->consts.data, r->consts.len};
    for (uint32_t i = 0; i < out->n; i++) {
        tn_json_item way = tn_json_open_item(at, list, column, i);
        tn_json_demand_known(&way, "key", keys);
        ways[i].name = tn_facts_has(&way, "name") ? text_of(r, &way, "name") : "";
        ways[i].bytes = read_expr(r, &way, "bytes", tn_json_member(&way, "bytes"), &names);
        if (tn_facts_has(&way, "when")) {
            ways[i].when = read_expr(r, &way, "when", tn_json_member(&way, "when"), &names);
        }
        ways[i].cost =
            tn_facts_has(&way, "cost") ? tn_json_integer(&way, "cost", 0, INT32_MAX) : (int64_t)i;
        if (i > 0 && ways[i].cost < ways[i - 1].cost) {
            tn_facts_refuse(&way, "cost", "ways come in order of their cost, the best first");
        }
    }
    out->ways = ways;
    return out;
}

/* "elem": an element type by name, "attr.NAME", or an operand whose type it is. */
static void read_elem(tn_facts_reading *r, tn_json_item *at, const tn_op_info *row,
                      struct tn_row_type *t) {
    const char *text = text_of(r, at, "elem");
    tn_word word = {text, strlen(text), '\0'};
    bool many;
    if (strncmp(text, "attr.", 5) == 0) {
        t->elem_attr = text + 5;
        return;
    }
    t->elem = tn_dtype_find(text);
    if (t->elem == TN_DT_UNKNOWN && tn_sig_operand(row, 0, &word, &many) >= 0) {
        t->like = text;
    } else if (t->elem == TN_DT_UNKNOWN) {
        tn_json_bad(at, "elem", "an element type (f32, i8, ...), an operand, or attr.NAME");
    }
}

static void read_type(tn_facts_reading *r, tn_json_item *at, const tn_op_info *row,
                      struct tn_row_type *t) {
    static const char *const keys[] = {"like", "elem", "dims", NULL};
    tn_json_demand_known(at, "key", keys);
    if (tn_facts_has(at, "like")) {
        t->like = text_of(r, at, "like");
        tn_word word = {t->like, strlen(t->like), '\0'};
        bool many;
        if (tn_sig_operand(row, 0, &word, &many) < 0) {
            tn_json_bad(at, "like", "an operand of the op");
        }
    }
    if (tn_facts_has(at, "elem")) {
        const char *like = t->like;
        read_elem(r, at, row, t);
        t->like = like != NULL ? like : t->like;
    }
    if (tn_facts_has(at, "dims")) {
        tn_row_names names = {row, false, r->consts.data, r->consts.len};
        json_t *list = tn_json_list(at, "dims", &t->rank);
        const tn_row_expr **dims = TN_ARRAY(r->set->arena, const tn_row_expr *, t->rank + 1u);
        for (uint32_t i = 0; i < t->rank; i++) {
            dims[i] = read_expr(r, at, "dims", json_array_get(list, i), &names);
        }
        t->dims = dims;
    } else if (!tn_facts_has(at, "like")) {
        tn_json_bad(at, "dims", "this key, or \"like\"");
    }
    if (t->like == NULL && t->elem_attr == NULL && t->elem == TN_DT_UNKNOWN) {
        tn_json_bad(at, "elem", "this key, or \"like\"");
    }
}

static void read_types(tn_facts_reading *r, tn_json_item *up, const tn_op_info *base,
                       const tn_op_info *row, tn_op_fact *f) {
    if (base->shape != NULL) {
        tn_facts_refuse(up, "types", "types of results follow from the definition of the op");
    }
    tn_json_item at = tn_json_open_object(up, "types");
    size_t n = json_object_size(at.json);
    struct tn_row_type *of = TN_ARRAY(r->set->arena, struct tn_row_type, n);
    struct tn_row_types *out = TN_NEW(r->set->arena, struct tn_row_types);
    const char *key;
    json_t *value;
    json_object_foreach(at.json, key, value) {
        tn_json_item one = tn_json_open_object(&at, key);
        of[out->n].result = tn_arena_strndup(r->set->arena, key, strlen(key));
        tn_word word = {key, strlen(key), '\0'};
        if (tn_sig_result(row, 0, &word) < 0) {
            tn_facts_refuse(&at, key, "no result of the op");
        }
        read_type(r, &one, row, &of[out->n++]);
    }
    out->of = of;
    f->columns |= TN_COLUMN_TYPES;
    f->row.types = out;
    f->row.shape = tn_shape_stated;
}

/* What the op computes. `row` has all that is known of it. */
static void read_compute(tn_facts_reading *r, tn_json_item *at, const tn_op_info *base,
                         tn_op_info *row, tn_op_fact *f) {
    row->formula = text_of(r, at, "compute");
    row->view = (f->columns & TN_COLUMN_VIEW) != 0 ? row->view : base->view;
    row->shape_only = (f->columns & TN_COLUMN_SHAPE_ONLY) != 0 ? row->shape_only : base->shape_only;
    row->shape = f->row.shape != NULL ? f->row.shape : base->shape;
    row->types = f->row.types;
    row->workspace = f->row.workspace;
    row->kept = f->row.kept;
    tn_formula_says says = tn_formula_look(r->set->arena, row);
    if (says.fault != NULL) {
        tn_facts_refuse(at, "compute", says.fault);
    }
    bool typed = row->shape != NULL;
    tn_formula_settle(r->set->arena, &says, row);
    f->columns |= TN_COLUMN_COMPUTE;
    f->row.formula = row->formula;
    f->row.compute = row->compute;
    if (!typed && row->shape != NULL) {
        f->columns |= TN_COLUMN_TYPES;
        f->row.shape = row->shape;
        f->row.types = row->types;
    }
}

void tn_facts_read_columns(tn_facts_reading *r, tn_json_item *at, const tn_op_info *base,
                           tn_op_fact *f) {
    read_definition(r, at, base, f);
    if (tn_facts_has(at, "inplace")) {
        f->columns |= TN_COLUMN_INPLACE;
        f->row.inplace = text_of(r, at, "inplace");
        demand_inplace(at, base, f);
        f->row.inplace = f->row.inplace[0] != '\0' ? f->row.inplace : NULL;
    }
    if (tn_facts_has(at, "overlap")) {
        read_order(at, base, f);
    }
    if (tn_facts_has(at, "view")) {
        read_view(r, at, base, f);
    }
    if (tn_facts_has(at, "shape_only")) {
        f->columns |= TN_COLUMN_SHAPE_ONLY;
        f->row.shape_only = text_of(r, at, "shape_only");
        demand_shape_only(at, base, f);
    }
    tn_op_info row = f->row; /* for the names that the rest refers to */
    row.sig = row.sig != NULL ? row.sig : base->sig;
    row.attrs = row.sig == f->row.sig ? row.attrs : base->attrs;
    row.versions = row.sig == f->row.sig ? row.versions : base->versions;
    tn_row_fault fault = tn_row_check(r->r.arena, &row);
    if (fault.column != NULL) {
        tn_facts_refuse(at, fault.column, fault.what);
    }
    if (tn_facts_has(at, "types")) {
        read_types(r, at, base, &row, f);
    }
    if (tn_facts_has(at, "workspace")) {
        f->columns |= TN_COLUMN_WORKSPACE;
        f->row.workspace = read_memory(r, at, "workspace", &row);
    }
    if (tn_facts_has(at, "kept")) {
        f->columns |= TN_COLUMN_KEPT;
        f->row.kept = read_memory(r, at, "kept", &row);
    }
    if (tn_facts_has(at, "compute")) {
        read_compute(r, at, base, &row, f);
    }
}
