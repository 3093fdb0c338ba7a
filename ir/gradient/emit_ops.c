/* Making ops and constants. */
#include "ir/gradient/emit_ops.h"

#include <string.h>

#include "ir/infer/infer.h"
#include "ir/mutate.h"
#include "ir/ops/attr_spec.h"
#include "ir/ops/sig.h"
#include "ir/tensor_bytes.h"

tn_emitter *tn_emitter_new(tn_graph *graph, tn_arena *scratch) {
    tn_emitter *e = TN_NEW(scratch, tn_emitter);
    tn_module *m = graph->module;
    *e = (tn_emitter){.ctx = m->ctx,
                      .m = m,
                      .graph = graph,
                      .scratch = scratch,
                      .names = tn_map_make(scratch),
                      .what = "the gradient",
                      .loc = tn_loc_file(m->file),
                      .stem = "",
                      .first_op = m->n_ops,
                      .first_copy = m->n_ops};
    for (uint32_t i = 0; i < m->n_values; i++) {
        tn_map_put(&e->names, tn_str_id(m->values[i]->name), 1);
    }
    for (uint32_t i = 0; i < m->n_ops; i++) {
        tn_map_put(&e->names, tn_str_id(m->ops[i]->name), 1);
    }
    return e;
}

void tn_emit_for(tn_emitter *e, const tn_loc *loc, const char *stem) {
    e->loc = *loc;
    e->stem = stem;
    e->first_op = e->m->n_ops;
}

/* The map has the number to try next behind each name that is taken: thousands of steps of one
 * layer ask for the same one. */
const char *tn_emit_name(tn_emitter *e, const char *base) {
    const char *first = tn_intern(e->ctx, base), *name = first;
    uint64_t k = tn_map_or(&e->names, tn_str_id(first), 0);
    for (uint64_t taken = k; taken != 0; k++) {
        name = tn_internf(e->ctx, "%s_%llu", base, (unsigned long long)k);
        taken = tn_map_or(&e->names, tn_str_id(name), 0);
    }
    tn_map_put(&e->names, tn_str_id(name), 1);
    if (name != first) {
        tn_map_put(&e->names, tn_str_id(first), k);
    }
    return name;
}

/* ---- ops ---- */

/* "com.microsoft.FastGelu": the domain is what stands before the last dot. */
static const char *split_type(tn_emitter *e, const char *type, const char **domain) {
    const char *dot = strrchr(type, '.');
    *domain = dot != NULL ? tn_arena_strndup(e->scratch, type, (size_t)(dot - type)) : "";
    return dot != NULL ? dot + 1 : type;
}

/* Imports a domain that the model has no ops of yet, in its only version so far. */
static int64_t version_for(tn_emitter *e, const char *domain, bool import) {
    int64_t version = tn_module_opset(e->m, domain);
    if (version == 0 && *domain != '\0') {
        version = 1;
        if (import) {
            tn_module_add_opset(e->m, domain, version);
        }
    }
    return version;
}

static int64_t since(const char *versions) {
    const char *at = versions;
    tn_word w;
    int64_t first = 1;
    if (tn_word_next(&at, 0, &w)) {
        first = 0;
        for (size_t i = 0; i < w.len; i++) {
            first = first * 10 + (w.text[i] - '0');
        }
    }
    return first;
}

bool tn_emit_declares(const tn_op_info *info, int64_t version, const char *attr) {
    const char *at = info->attrs;
    for (tn_attr_spec s; tn_attr_spec_next(&at, version, &s);) {
        if (strncmp(s.name, attr, s.len) == 0 && attr[s.len] == '\0') {
            return true;
        }
    }
    return false;
}

/* The first version of the op with that attribute (NULL: any); 0 where there is none. */
static int64_t first_with(const tn_op_info *info, const char *attr) {
    const char *at = info->versions;
    for (tn_word w; tn_word_next(&at, 0, &w);) {
        int64_t version = since(w.text);
        if (attr == NULL || tn_emit_declares(info, version, attr)) {
            return version;
        }
    }
    return 0;
}

bool tn_emit_can(tn_emitter *e, const char *type, const char *attr) {
    const char *domain, *name = split_type(e, type, &domain);
    int64_t version = version_for(e, domain, false);
    tn_opcode code = tn_op_find(domain, name);
    int64_t first = code != TN_OP_EXTERN ? first_with(tn_op_info_get(code), attr) : 0;
    return first > 0 && (version == 0 || version >= first);
}

static void demand(tn_emitter *e, const tn_op *op, const tn_attr *attrs, uint32_t n_attrs) {
    if (op->code == TN_OP_EXTERN) {
        tn_bug(e->ctx, "%s is made of an op that the table does not know: %s", e->what, op->type);
    }
    int64_t first = since(op->info->versions);
    const char *attr = NULL;
    for (uint32_t i = 0; i < n_attrs; i++) {
        if (!tn_emit_declares(op->info, op->version, attrs[i].name)) {
            attr = attrs[i].name;
            first = first_with(op->info, attr);
        }
    }
    if ((attr != NULL && first == 0) || (op->version == 0 && attr != NULL)) {
        tn_bug(e->ctx, "%s has no attribute '%s'", op->type, attr);
    }
    if (op->version > 0 && first > op->version) {
        tn_fail(e->ctx, &e->loc,
                "%s takes %s%s%s, which %s has from version %lld on; the model imports version "
                "%lld: convert it first",
                e->what, op->type, attr != NULL ? " with " : "", attr != NULL ? attr : "",
                op->domain[0] != '\0' ? op->domain : "ai.onnx", (long long)first,
                (long long)op->version);
    }
}

/* The rules give what fits the types of the model: where these contradict each other, as when a
 * shape in the file or a bound dimension is wrong, nothing fits. */
static void on_conflict(tn_infer *in, const char *text) {
    const tn_emitter *e = in->user;
    tn_fail(in->ctx, &e->loc,
            "%s cannot be made, as shapes of the model contradict each other: %s '%s' of it: %s",
            e->what, in->op->type, in->op->name, text);
}

/* Of the model's own ops it was said before. */
static void say_nothing(tn_infer *in, const char *text) {
    (void)in;
    (void)text;
}

static tn_infer inference(tn_emitter *e) {
    return (tn_infer){.ctx = e->ctx,
                      .m = e->m,
                      .arena = e->m->arena,
                      .scratch = e->scratch,
                      .dims = e->m->dims,
                      .user = e};
}

static void keep_content(tn_emitter *e, tn_value *v, const struct tn_content *c) {
    tn_arena *to = e->m->arena;
    tn_value_set_content(
        v, c->n, c->dims != NULL ? tn_arena_regrow(to, c->dims, c->n, c->n, sizeof *c->dims) : NULL,
        c->floats != NULL ? tn_arena_regrow(to, c->floats, c->n, c->n, sizeof *c->floats) : NULL);
}

static void type_results(tn_emitter *e, tn_op *op) {
    tn_infer in = inference(e);
    in.on_conflict = on_conflict;
    tn_infer_op(&in, op);
    for (uint32_t i = 0; i < op->n_results && in.region == NULL; i++) {
        if (in.out[i] != NULL) {
            tn_value_set_type(op->results[i], in.out[i]);
        }
        if (in.content[i].known) {
            keep_content(e, op->results[i], &in.content[i]);
        }
    }
}

/* What was known of the results before holds for all rounds of a loop, so it is kept where nothing
 * more is found. */
static void retype_results(tn_emitter *e, const tn_infer *in, tn_op *op) {
    for (uint32_t i = 0; i < op->n_results; i++) {
        tn_value *v = op->results[i];
        bool clash = false;
        const tn_type *type = v != NULL && in->out[i] != NULL
                                  ? tn_infer_merge(in, in->out[i], v->type, &clash)
                                  : NULL;
        if (type != NULL && !clash) {
            tn_value_set_type(v, type);
        }
        if (v != NULL && in->content[i].known) {
            keep_content(e, v, &in->content[i]);
        }
    }
}

static void type_nested(tn_emitter *e, tn_op *op, uint32_t depth) {
    tn_infer in = inference(e);
    in.on_conflict = say_nothing;
    in.cautious = depth > 1; /* trying costs time by the power of the depth */
    tn_infer_op(&in, op);
    for (; in.region != NULL; in.phase++, tn_infer_op(&in, op)) {
        TN_FOR_OPS(inner, in.region) {
            type_nested(e, inner, depth + 1);
        }
    }
    retype_results(e, &in, op);
}

void tn_emit_type(tn_emitter *e, tn_op *op) {
    type_nested(e, op, 0);
}

tn_op *tn_emit_op(tn_emitter *e, const char *type, tn_value *const *in, uint32_t n,
                  const tn_attr *attrs, uint32_t n_attrs, uint32_t n_results) {
    const char *domain, *plain = split_type(e, type, &domain);
    const char *name = tn_emit_name(e, tn_internf(e->ctx, "%s/%s", e->stem, plain));
    tn_op *op = tn_op_new(e->graph, domain, plain, version_for(e, domain, true), name, e->loc);
    demand(e, op, attrs, n_attrs);
    for (uint32_t i = 0; i < n; i++) {
        tn_op_add_operand(op, in[i]);
    }
    for (uint32_t i = 0; i < n_attrs; i++) {
        tn_op_add_attr(op, attrs[i]);
    }
    for (uint32_t i = 0; i < n_results; i++) {
        const char *result = n_results == 1 ? tn_internf(e->ctx, "%s_result", name)
                                            : tn_internf(e->ctx, "%s_result%u", name, i);
        tn_value *v = tn_op_add_result(op, tn_emit_name(e, result), NULL);
        tn_value_set_flags(v, e->flags, 0);
    }
    type_results(e, op);
    return op;
}

static bool same_attr(const tn_attr *a, const tn_attr *b) {
    if (strcmp(a->name, b->name) != 0 || a->kind != b->kind || a->n != b->n) {
        return false;
    }
    switch ((int)a->kind) {
    case TN_ATTR_INT:
        return a->u.i == b->u.i;
    case TN_ATTR_FLOAT:
        return memcmp(&a->u.f, &b->u.f, sizeof a->u.f) == 0;
    case TN_ATTR_STRING:
        return a->u.s.len == b->u.s.len && memcmp(a->u.s.data, b->u.s.data, a->u.s.len) == 0;
    case TN_ATTR_INTS:
        return a->n == 0 || memcmp(a->u.ints, b->u.ints, a->n * sizeof *a->u.ints) == 0;
    default:
        return false;
    }
}

static bool same_op(const tn_op *op, const char *type, tn_value *const *in, uint32_t n,
                    const tn_attr *attrs, uint32_t n_attrs) {
    bool same = !op->erased && op->n_operands == n && op->n_attrs == n_attrs &&
                op->n_results == 1 && strcmp(op->type, type) == 0 &&
                (op->info->traits & TN_T_RANDOM) == 0;
    for (uint32_t i = 0; i < n && same; i++) {
        same = op->operands[i].value == in[i];
    }
    for (uint32_t i = 0; i < n_attrs && same; i++) {
        same = same_attr(&op->attrs[i], &attrs[i]);
    }
    return same;
}

tn_value *tn_emit(tn_emitter *e, const char *type, tn_value *const *in, uint32_t n,
                  const tn_attr *attrs, uint32_t n_attrs) {
    const char *domain, *plain = split_type(e, type, &domain);
    const tn_op *found = NULL; /* the first; it reads what the new one would */
    for (const tn_use *u = n > 0 && in[0] != NULL ? in[0]->first_use : NULL; u != NULL;
         u = u->next) {
        const tn_op *op = u->op;
        if (op->id >= e->first_op && (found == NULL || op->id < found->id) &&
            op->graph == e->graph && strcmp(op->domain, domain) == 0 &&
            same_op(op, plain, in, n, attrs, n_attrs)) {
            found = op;
        }
    }
    return found != NULL ? found->results[0]
                         : tn_emit_op(e, type, in, n, attrs, n_attrs, 1)->results[0];
}

tn_value *tn_emit_1(tn_emitter *e, const char *type, tn_value *x) {
    return tn_emit(e, type, &x, 1, NULL, 0);
}

tn_value *tn_emit_2(tn_emitter *e, const char *type, tn_value *a, tn_value *b) {
    return tn_emit(e, type, (tn_value *[]){a, b}, 2, NULL, 0);
}

tn_value *tn_emit_3(tn_emitter *e, const char *type, tn_value *a, tn_value *b, tn_value *c) {
    return tn_emit(e, type, (tn_value *[]){a, b, c}, 3, NULL, 0);
}

bool tn_makes_one(const tn_op *op) {
    bool one = op->n_results > 0;
    for (uint32_t r = 1; r < op->n_results; r++) {
        const tn_value *v = op->results[r];
        one &= v == NULL || (v->first_use == NULL && (v->flags & TN_VF_OUTPUT) == 0);
    }
    return one;
}

tn_value *tn_emit_again(tn_emitter *e, const tn_op *op, tn_value *const *in) {
    return tn_emit_op(e, op->type, in, op->n_operands, op->attrs, op->n_attrs, 1)->results[0];
}

void tn_emit_replace(tn_emitter *e, tn_value *old, tn_value *by) {
    const char *name = old->name;
    tn_replace_all_uses(old, by);
    tn_value_set_name(old, tn_emit_name(e, tn_internf(e->ctx, "%s_whole", name)));
    tn_value_set_name(by, name);
}

tn_value *tn_emit_sum(tn_emitter *e, tn_value *a, tn_value *b) {
    return tn_emit_op(e, "Add", (tn_value *[]){a, b}, 2, NULL, 0, 1)->results[0];
}

tn_value *tn_emit_copy(tn_emitter *e, tn_value *x) {
    return tn_emit_op(e, "Identity", &x, 1, NULL, 0, 1)->results[0];
}

tn_attr tn_attr_of_int(const char *name, int64_t i) {
    tn_attr a = {.name = name, .kind = TN_ATTR_INT};
    a.u.i = i;
    return a;
}

tn_attr tn_attr_of_float(const char *name, double f) {
    tn_attr a = {.name = name, .kind = TN_ATTR_FLOAT};
    a.u.f = (double)(float)f;
    return a;
}

tn_attr tn_attr_of_text(tn_emitter *e, const char *name, const char *text) {
    tn_attr a = {.name = name, .kind = TN_ATTR_STRING};
    a.u.s = (tn_string){tn_intern(e->ctx, text), (uint32_t)strlen(text)};
    return a;
}

tn_attr tn_attr_of_ints(tn_emitter *e, const char *name, const int64_t *ints, uint32_t n) {
    tn_attr a = {.name = name, .kind = TN_ATTR_INTS, .n = n};
    a.u.ints = tn_arena_regrow(e->m->arena, ints, n, n, sizeof *ints);
    return a;
}

/* ---- constants ---- */

static bool same_bytes(const tn_tensor *t, tn_dtype dtype, uint32_t rank, const int64_t *dims,
                       const void *bytes) {
    bool same = t->dtype == dtype && t->rank == rank;
    for (uint32_t i = 0; i < rank && same; i++) {
        same = t->dims[i] == dims[i];
    }
    return same && memcmp(t->payload->at, bytes, (size_t)t->bytes) == 0;
}

static tn_value *new_const(tn_emitter *e, const char *base, tn_dtype dtype, uint32_t rank,
                           const int64_t *dims, const void *bytes) {
    tn_arena *arena = e->m->arena;
    tn_tensor *t = TN_NEW(arena, tn_tensor);
    *t = (tn_tensor){.dtype = dtype,
                     .rank = rank,
                     .dims = tn_arena_regrow(arena, dims, rank, rank, sizeof *dims)};
    if (!tn_tensor_measure(t)) {
        tn_fail(e->ctx, &e->loc, "%s would hold a constant that is too large", e->what);
    }
    size_t size = (size_t)t->bytes; /* of what is in memory */
    tn_tensor_set_bytes(arena, t, tn_arena_regrow(arena, bytes, size, size, 1));
    /* In the main graph: bodies see it, and functions have no initializers. */
    return tn_graph_add_const(e->m->main, tn_emit_name(e, base), t);
}

tn_value *tn_emit_tensor(tn_emitter *e, const char *base, tn_dtype dtype, uint32_t rank,
                         const int64_t *dims, const void *bytes) {
    for (uint32_t i = 0; i < e->consts.len; i++) {
        if (same_bytes(e->consts.data[i]->tensor, dtype, rank, dims, bytes)) {
            return e->consts.data[i];
        }
    }
    tn_value *v = new_const(e, base, dtype, rank, dims, bytes);
    tn_vec_push(e->scratch, &e->consts, v);
    return v;
}

/* The bytes of whole numbers and floats of a type, n of each. */
static const void *packed(tn_emitter *e, tn_dtype dtype, const int64_t *ints, const double *floats,
                          uint32_t n) {
    tn_sink bytes = tn_sink_make(e->scratch);
    tn_tensor t = {
        .dtype = dtype, .rank = 1, .dims = (int64_t[]){n}, .ints = ints, .floats = floats};
    if (!tn_tensor_measure(&t) || !tn_tensor_has_bytes(&t)) {
        tn_fail(e->ctx, &e->loc,
                "%s needs constants of type %s, which cannot be made; " TN_GRAD_WAYS_OUT, e->what,
                tn_dtype_get(dtype)->name);
    }
    tn_tensor_put_bytes(&t, &bytes);
    return bytes.data;
}

tn_value *tn_emit_scalar(tn_emitter *e, tn_dtype dtype, double x) {
    int64_t whole = (int64_t)x;
    bool is_float = tn_dtype_get(dtype)->kind == 'F';
    return tn_emit_tensor(e, "grad_scalar", dtype, 0, NULL,
                          packed(e, dtype, is_float ? NULL : &whole, is_float ? &x : NULL, 1));
}

tn_value *tn_emit_ints(tn_emitter *e, const int64_t *ints, uint32_t n) {
    return tn_emit_tensor(e, "grad_ints", TN_DT_INT64, 1, (int64_t[]){n},
                          n > 0 ? packed(e, TN_DT_INT64, ints, NULL, n) : "");
}

tn_value *tn_emit_int(tn_emitter *e, int64_t x) {
    return tn_emit_tensor(e, "grad_int", TN_DT_INT64, 0, NULL, packed(e, TN_DT_INT64, &x, NULL, 1));
}

tn_value *tn_emit_truth(tn_emitter *e) {
    return tn_emit_tensor(e, "grad_true", TN_DT_BOOL, 0, NULL, (const uint8_t[]){1});
}

tn_value *tn_emit_floats(tn_emitter *e, const char *base, tn_dtype dtype, uint32_t rank,
                         const int64_t *dims, const double *floats, uint32_t n) {
    return tn_emit_tensor(e, base, dtype, rank, dims, packed(e, dtype, NULL, floats, n));
}

tn_value *tn_emit_own_floats(tn_emitter *e, const char *base, tn_dtype dtype, uint32_t rank,
                             const int64_t *dims, const double *floats, uint32_t n) {
    return new_const(e, base, dtype, rank, dims, packed(e, dtype, NULL, floats, n));
}

tn_value *tn_emit_one(tn_emitter *e, const char *name, const tn_value *like, double x) {
    uint32_t rank = like->type->rank;
    int64_t *dims = TN_ARRAY(e->scratch, int64_t, rank + 1u);
    for (uint32_t i = 0; i < rank; i++) {
        dims[i] = 1;
    }
    tn_dtype dtype = like->type->dtype;
    return new_const(e, name, dtype, rank, dims, packed(e, dtype, NULL, &x, 1));
}

void tn_emit_rename(tn_emitter *e, tn_value *v, const char *base) {
    tn_value_set_name(v, tn_emit_name(e, base));
}

/* One element's bytes, again and again. */
static void put_filled(const tn_tensor *t, tn_sink *out) {
    size_t size = tn_dtype_get(t->dtype)->bits / 8u;
    for (uint64_t i = 0; i < t->n_elements; i++) {
        tn_put_n(out, t->payload->at, size);
    }
}

tn_value *tn_emit_state(tn_emitter *e, const char *name, tn_dtype dtype, uint32_t rank,
                        const int64_t *dims, double x) {
    tn_arena *arena = e->m->arena;
    tn_tensor *t = TN_NEW(arena, tn_tensor);
    tn_payload *payload = TN_NEW(arena, tn_payload);
    size_t size = tn_dtype_get(dtype)->bits / 8u;
    *payload = (tn_payload){put_filled,
                            tn_arena_regrow(arena, packed(e, dtype, NULL, &x, 1), size, size, 1)};
    *t = (tn_tensor){.dtype = dtype,
                     .rank = rank,
                     .dims = tn_arena_regrow(arena, dims, rank, rank, sizeof *dims),
                     .payload = payload};
    if (!tn_tensor_measure(t)) {
        tn_fail(e->ctx, &e->loc, "%s would hold a state that is too large", e->what);
    }
    return tn_graph_add_const(e->m->main, tn_emit_name(e, name), t);
}

/* Elements of another tensor, one by one. */
static void put_widened(const tn_tensor *t, tn_sink *out) {
    enum { FROM = 16, TO = 32 };
    const tn_tensor *from = t->payload->at;
    tn_sink bytes = tn_sink_make(out->arena);
    tn_tensor_put_bytes(from, &bytes);
    for (uint64_t i = 0; i < t->n_elements; i++) {
        double x = 0;
        uint64_t pattern = tn_pattern_load((const uint8_t *)bytes.data + i * (FROM / 8), FROM / 8);
        (void)tn_pattern_float(from->dtype, pattern, &x);
        float f = (float)x;
        uint32_t wide;
        memcpy(&wide, &f, sizeof wide);
        tn_put_pattern(out, wide, TO);
    }
}

tn_value *tn_emit_widened(tn_emitter *e, const char *name, const tn_tensor *from) {
    tn_tensor *t = TN_NEW(e->m->arena, tn_tensor);
    tn_payload *payload = TN_NEW(e->m->arena, tn_payload);
    *payload = (tn_payload){put_widened, from};
    *t = (tn_tensor){
        .dtype = TN_DT_FLOAT, .rank = from->rank, .dims = from->dims, .payload = payload};
    if (!tn_tensor_measure(t)) {
        tn_fail(e->ctx, &e->loc, "%s would hold a state that is too large", e->what);
    }
    return tn_graph_add_const(e->m->main, tn_emit_name(e, name), t);
}
