/* TFLite files: the first subgraph, as TensorFlow Lite Micro runs it. What operators compute is not
 * read, only their operands and results; subgraphs that they run belong to them (docs/TFLM.md). */
#include <string.h>

#include "frontends/core/arity.h"
#include "frontends/tflite/tflite_t.h"
#include "ir/base/limits.h"

enum { VERSION = 3, WORD = 4, NO_TENSOR = -1 };

static const char *const operator_names[] = {
#define OPERATOR(name) #name,
#include "frontends/tflite/operators.def"
#undef OPERATOR
};
enum { N_OPERATORS = sizeof operator_names / sizeof operator_names[0] };

static tn_match match(tn_bytes bytes) {
    bool is = bytes.size >= TN_FLAT_HEAD && memcmp(bytes.data + TN_FLAT_IDENTIFIER, "TFL3", 4) == 0;
    return is ? TN_MATCH_YES : TN_MATCH_NO;
}

/* ---- operators ---- */

static void count_items(tn_tflite *r, const tn_flat_vector *v) {
    r->n_items += v->n;
    if (v->n > TN_MAX_OPERANDS || r->n_items > r->src.all.size) {
        tn_flat_fail(&r->src, v->at, "operators with more operands than the file can list");
    }
}

/* Handles are values of their own. What reads one reads the first one of that variable as well, by
 * which passes see that it is one variable. */
static void note_handle(tn_tflite *r, const tn_op *op, const tn_flat_table *from) {
    tn_flat_vector outputs = tn_flat_vector_of(from, FB_OPERATOR_OUTPUTS, WORD);
    if (tn_flat_number(from, FB_OPERATOR_OPTIONS_TYPE, 1, 0) != FB_VAR_HANDLE_OPTIONS ||
        op->n_results != 1 || op->results[0] == NULL) {
        return;
    }
    tn_flat_table options = tn_flat_table_of(from, FB_OPERATOR_OPTIONS);
    uint32_t tensor = (uint32_t)tn_flat_int(&outputs, 0);
    const char *name = tn_internf(r->ctx, "%s/%s", tn_flat_text(&options, FB_VAR_HANDLE_CONTAINER),
                                  tn_flat_text(&options, FB_VAR_HANDLE_NAME));
    uint64_t first;
    if (tn_map_get(&r->variables, tn_str_id(name), &first)) {
        tn_map_put(&r->first, tensor, first);
    } else {
        tn_map_put(&r->variables, tn_str_id(name), tensor);
    }
}

/* Variables have bytes of their own for good, which the interpreter finds: to the op they are no
 * operands. Those of several ops fix the order of these. */
static bool is_variable(tn_tflite *r, const tn_op *op, int32_t index) {
    tn_flat_table t =
        tn_flat_item(&r->tensors, tn_tflite_index(r, &op->loc, "an operand or result", index));
    if (tn_flat_number(&t, FB_TENSOR_IS_VARIABLE, 1, 0) == 0) {
        return false;
    }
    uint64_t user = tn_map_or(&r->users, (uint32_t)index, op->id);
    r->shared = user != op->id ? r->names[index] : r->shared;
    tn_map_put(&r->users, (uint32_t)index, op->id);
    return true;
}

static void read_operands(tn_tflite *r, tn_op *op, const tn_flat_table *from) {
    tn_flat_vector inputs = tn_flat_vector_of(from, FB_OPERATOR_INPUTS, WORD);
    count_items(r, &inputs);
    for (uint32_t i = 0; i < inputs.n; i++) {
        int32_t index = tn_flat_int(&inputs, i);
        tn_value *v = NULL;
        if (index != NO_TENSOR && !is_variable(r, op, index)) {
            v = tn_tflite_find(r, (uint32_t)index);
            if (v == NULL) {
                tn_fail(r->ctx, &op->loc, "reads tensor %d '%s', which nothing before it writes",
                        (int)index, r->names[index]);
            }
        }
        tn_op_add_operand(op, v);
    }
    for (uint32_t i = 0; i < inputs.n; i++) {
        uint64_t first;
        if (tn_map_get(&r->first, (uint32_t)tn_flat_int(&inputs, i), &first)) {
            tn_op_add_operand(op, r->values[first]);
        }
    }
}

static void read_results(tn_tflite *r, tn_op *op, const tn_flat_table *from) {
    tn_flat_vector outputs = tn_flat_vector_of(from, FB_OPERATOR_OUTPUTS, WORD);
    count_items(r, &outputs);
    for (uint32_t i = 0; i < outputs.n; i++) {
        int32_t index = tn_flat_int(&outputs, i);
        if (index == NO_TENSOR || is_variable(r, op, index)) {
            tn_op_add_no_result(op);
            continue;
        }
        uint32_t to = (uint32_t)index;
        tn_flat_table t = tn_flat_item(&r->tensors, to);
        if (tn_tflite_find(r, to) != NULL) {
            tn_fail(r->ctx, &op->loc, "writes tensor %d '%s', which is %s", (int)index,
                    r->names[to],
                    r->values[to]->kind == TN_VALUE_RESULT ? "written by another operator"
                                                           : "no result: a constant or an input");
        }
        r->values[to] = tn_op_add_result(op, r->names[to], tn_tflite_type(r, &t, to));
    }
}

static void read_operator(tn_tflite *r, const tn_flat_table *from, uint32_t index) {
    uint64_t which = tn_flat_number(from, FB_OPERATOR_CODE, WORD, 0);
    if (which >= r->codes.n) {
        tn_flat_fail(&r->src, from->at, "operator %u has code %u of %u", index, (unsigned)which,
                     r->codes.n);
    }
    tn_flat_table code = tn_flat_item(&r->codes, (uint32_t)which);
    uint64_t old = tn_flat_number(&code, FB_CODE_OLD_NUMBER, 1, 0);
    uint64_t number = tn_flat_number(&code, FB_CODE_NUMBER, WORD, 0);
    int32_t version = (int32_t)(uint32_t)tn_flat_number(&code, FB_CODE_VERSION, WORD, 1);
    number = number > old ? number : old;
    const char *custom = tn_flat_text(&code, FB_CODE_CUSTOM);
    if (number >= N_OPERATORS) {
        tn_flat_fail(&r->src, code.at, "operator %u has number %u, numbers up to %d are known",
                     index, (unsigned)number, N_OPERATORS - 1);
    }
    const char *type = custom[0] != '\0' ? custom : operator_names[number];
    const char *domain = custom[0] != '\0' ? "tflite.custom" : "tflite";
    tn_loc loc = tn_loc_file(r->src.file);
    loc.op = tn_intern(r->ctx, type);
    loc.node = (int32_t)index;
    tn_op *op = tn_op_new(r->m->main, domain, type, version > 0 ? version : 1, "", loc);
    /* What the operator's options are is not read, and nobody may take it that it has none. */
    tn_op_add_attr(op, (tn_attr){.name = "options", .kind = TN_ATTR_TENSORS, .as_read = true});
    read_operands(r, op, from);
    read_results(r, op, from);
    tn_check_arity(r->ctx, op, op->n_operands);
    note_handle(r, op, from);
}

/* ---- the model ---- */

static void read_inputs(tn_tflite *r) {
    tn_loc loc = tn_loc_file(r->src.file);
    tn_flat_vector inputs = tn_flat_vector_of(&r->subgraph, FB_SUBGRAPH_INPUTS, WORD);
    for (uint32_t i = 0; i < inputs.n; i++) {
        uint32_t index = tn_tflite_index(r, &loc, "an input", tn_flat_int(&inputs, i));
        tn_flat_table t = tn_flat_item(&r->tensors, index);
        if (tn_tflite_find(r, index) != NULL ||
            tn_flat_number(&t, FB_TENSOR_IS_VARIABLE, 1, 0) != 0) {
            tn_fail(r->ctx, &loc,
                    "input %u is tensor %u '%s', which is a constant, a "
                    "variable or an input already",
                    i, index, r->names[index]);
        }
        r->values[index] =
            tn_graph_add_input(r->m->main, r->names[index], tn_tflite_type(r, &t, index));
    }
}

static void read_outputs(tn_tflite *r) {
    tn_loc loc = tn_loc_file(r->src.file);
    tn_flat_vector outputs = tn_flat_vector_of(&r->subgraph, FB_SUBGRAPH_OUTPUTS, WORD);
    for (uint32_t i = 0; i < outputs.n; i++) {
        uint32_t index = tn_tflite_index(r, &loc, "an output", tn_flat_int(&outputs, i));
        tn_flat_table t = tn_flat_item(&r->tensors, index);
        tn_value *v = tn_tflite_find(r, index);
        if (tn_flat_number(&t, FB_TENSOR_IS_VARIABLE, 1, 0) != 0) {
            continue;
        }
        if (v == NULL) {
            tn_fail(r->ctx, &loc, "output %u is tensor %u '%s', which nothing writes", i, index,
                    r->names[index]);
        }
        tn_graph_add_output(r->m->main, v);
    }
}

/* Tensors of all subgraphs: as many as places will be asked for. */
static uint32_t count_tensors(tn_tflite *r, const tn_flat_vector *subgraphs) {
    uint64_t n = 0;
    for (uint32_t i = 0; i < subgraphs->n; i++) {
        tn_flat_table subgraph = tn_flat_item(subgraphs, i);
        n += tn_flat_vector_of(&subgraph, FB_SUBGRAPH_TENSORS, WORD).n;
        if (n > r->src.all.size) {
            tn_flat_fail(&r->src, subgraph.at,
                         "subgraphs with more tensors than the file can list");
        }
    }
    return (uint32_t)n;
}

static void keep_file(tn_tflite *r, uint32_t n_tensors, uint32_t n_operators) {
    tn_tflite_file *f = TN_NEW(r->m->arena, tn_tflite_file);
    uint32_t *tensors = TN_ARRAY(r->m->arena, uint32_t, r->m->n_values);
    for (uint32_t i = 0; i < r->tensors.n; i++) {
        if (r->values[i] != NULL) {
            tensors[r->values[i]->id] = i;
        }
    }
    *f = (tn_tflite_file){r->src, n_tensors, n_operators, r->m->n_values, tensors, r->shared};
    r->m->tflite = f;
}

static void read_subgraph(tn_tflite *r) {
    const tn_flat_table *s = &r->subgraph;
    r->tensors = tn_flat_vector_of(s, FB_SUBGRAPH_TENSORS, WORD);
    r->values = TN_ARRAY(r->arena, tn_value *, r->tensors.n);
    tn_tflite_name(r);
    read_inputs(r);
    tn_flat_vector operators = tn_flat_vector_of(s, FB_SUBGRAPH_OPERATORS, WORD);
    for (uint32_t i = 0; i < operators.n; i++) {
        tn_flat_table op = tn_flat_item(&operators, i);
        read_operator(r, &op, i);
    }
    read_outputs(r);
}

static tn_module *read(const tn_source *src) {
    tn_tflite r = {.ctx = src->ctx, .src = {src->ctx, tn_intern(src->ctx, src->path), src->bytes}};
    r.arena = tn_arena_new(src->ctx);
    r.variables = tn_map_make(r.arena);
    r.first = tn_map_make(r.arena);
    r.users = tn_map_make(r.arena);
    r.root = tn_flat_root(&r.src);
    r.codes = tn_flat_vector_of(&r.root, FB_MODEL_OPERATOR_CODES, WORD);
    r.buffers = tn_flat_vector_of(&r.root, FB_MODEL_BUFFERS, WORD);
    tn_flat_vector subgraphs = tn_flat_vector_of(&r.root, FB_MODEL_SUBGRAPHS, WORD);
    uint64_t version = tn_flat_number(&r.root, FB_MODEL_VERSION, WORD, 0);
    if (version != VERSION || subgraphs.n == 0) {
        tn_flat_fail(&r.src, r.root.at,
                     "a model of version %u with %u subgraphs; what is read is "
                     "version %d, with one at least",
                     (unsigned)version, subgraphs.n, VERSION);
    }
    r.subgraph = tn_flat_item(&subgraphs, 0);
    r.m = tn_module_new(src->ctx, tn_flat_text(&r.subgraph, FB_SUBGRAPH_NAME), src->path);
    r.m->op_set = src->op_set;
    r.m->origin.format_version = (int64_t)version;
    r.m->origin.producer = tn_flat_text(&r.root, FB_MODEL_DESCRIPTION);
    r.m->origin.producer_version = tn_intern(src->ctx, "");
    uint32_t n_tensors = count_tensors(&r, &subgraphs);
    read_subgraph(&r);
    keep_file(&r, n_tensors, r.m->n_ops);
    tn_arena_drop(r.arena);
    return r.m;
}

const tn_frontend tn_frontend_tflite = {
    .name = "tflite",
    .summary = "TensorFlow Lite models, to be run by TensorFlow Lite Micro",
    .match = match,
    .read = read,
};
