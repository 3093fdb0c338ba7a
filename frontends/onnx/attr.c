/* AttributeProto to tn_attr. Graphs are only announced here (read_graph.c reads them later). */
#include "frontends/onnx/import_t.h"

#include <string.h>

#include "ir/base/limits.h"

#define HEAD                                                                                       \
    (TN_FIELD(PB_ATTRIBUTE_NAME) | TN_FIELD(PB_ATTRIBUTE_TYPE) |                                   \
     TN_FIELD(PB_ATTRIBUTE_REF_ATTR_NAME))
#define PLAIN                                                                                      \
    (HEAD | TN_FIELD(PB_ATTRIBUTE_F) | TN_FIELD(PB_ATTRIBUTE_I) | TN_FIELD(PB_ATTRIBUTE_S) |       \
     TN_FIELD(PB_ATTRIBUTE_FLOATS) | TN_FIELD(PB_ATTRIBUTE_INTS) |                                 \
     TN_FIELD(PB_ATTRIBUTE_STRINGS) | TN_FIELD(PB_ATTRIBUTE_TP) |                                  \
     TN_FIELD(PB_ATTRIBUTE_TYPE_PROTOS))

/* The attribute being read, of which op, and where its references are looked up. */
typedef struct reader {
    tn_onnx *imp;
    tn_op *op;
    tn_bytes message;
    const Onnx__AttributeProto *proto;
    const char *name;
    const tn_onnx_env *env;
    uint32_t space;
} reader;

static const Onnx__AttributeProto *unpack(tn_onnx *imp, tn_arena *a, tn_bytes m, uint64_t fields) {
    return tn_proto_unpack(&imp->src, a, &onnx__attribute_proto__descriptor, m, fields);
}

tn_onnx_attrs tn_onnx_collect_attrs(tn_onnx *imp, tn_bytes message, uint32_t number) {
    tn_onnx_attrs all = {.by_name = tn_map_make(imp->arena)};
    tn_wire w = tn_wire_open(&imp->src, message);
    tn_wire_field f;
    while (tn_wire_next(&w, &f)) {
        if (f.number == number) {
            tn_arena *scratch = tn_arena_new(imp->ctx);
            tn_bytes attr = tn_wire_content(&imp->src, &f, "an attribute");
            const char *name = tn_onnx_name(imp, unpack(imp, scratch, attr, HEAD)->name);
            tn_vec_push(imp->arena, &all.list, attr);
            tn_map_put(&all.by_name, tn_str_id(name), all.list.len);
            tn_arena_drop(scratch);
        }
    }
    return all;
}

static bool find_attr(const tn_onnx_attrs *all, const char *name, tn_bytes *out) {
    uint64_t at = tn_map_or(&all->by_name, tn_str_id(name), 0);
    if (at != 0) {
        *out = all->list.data[at - 1];
    }
    return at != 0;
}

bool tn_onnx_attr_is_graph(tn_onnx *imp, tn_bytes message) {
    tn_arena *scratch = tn_arena_new(imp->ctx);
    int type = (int)unpack(imp, scratch, message, HEAD)->type;
    tn_arena_drop(scratch);
    return type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__GRAPH ||
           type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__GRAPHS;
}

/* Looks up attribute `name` (interned) of the function whose body is read in *env: what the call
 * gives it, else the function's default. When the call hands on an attribute of a function around
 * it, the search goes on there. True with the value in *message, to be read in *env and *space. */
static bool follow(tn_onnx *imp, const char *name, tn_bytes *message, const tn_onnx_env **env,
                   uint32_t *space) {
    const tn_onnx_env *e = *env;
    while (e != NULL) {
        if (!find_attr(&e->attrs, name, message)) {
            *env = NULL;
            return find_attr(&e->fn->defaults, name, message);
        }
        tn_arena *scratch = tn_arena_new(imp->ctx);
        name = tn_intern(imp->ctx, unpack(imp, scratch, *message, HEAD)->ref_attr_name);
        tn_arena_drop(scratch);
        *env = e->outer;
        *space = e->outer_space;
        if (name[0] == '\0') {
            return true;
        }
        e = e->outer;
    }
    return false;
}

static tn_string copy_string(tn_onnx *imp, ProtobufCBinaryData s) {
    if (s.len > UINT32_MAX) {
        tn_loc loc = tn_loc_file(imp->src.file);
        tn_fail(imp->ctx, &loc, "a text of %zu bytes exceeds the limit of %u", s.len, UINT32_MAX);
    }
    const char *from = s.len > 0 ? (const char *)s.data : "";
    tn_string out = {tn_arena_strndup(imp->m->arena, from, s.len), (uint32_t)s.len};
    return out;
}

static uint32_t count(const reader *r, size_t n) {
    if (n > UINT32_MAX) {
        tn_fail(r->imp->ctx, &r->op->loc, "attribute '%s' has %zu items", r->name, n);
    }
    return (uint32_t)n;
}

static void read_numbers(reader *r, tn_attr *attr) {
    const Onnx__AttributeProto *p = r->proto;
    tn_arena *arena = r->imp->m->arena;
    if (attr->kind == TN_ATTR_INTS) {
        attr->n = count(r, p->n_ints);
        attr->u.ints = tn_arena_regrow(arena, p->ints, p->n_ints, p->n_ints, sizeof *p->ints);
        return;
    }
    attr->n = count(r, p->n_floats);
    double *floats = TN_ARRAY(arena, double, p->n_floats);
    for (size_t i = 0; i < p->n_floats; i++) {
        floats[i] = (double)p->floats[i];
    }
    attr->u.floats = floats;
}

static void read_strings(reader *r, tn_attr *attr) {
    attr->n = count(r, r->proto->n_strings);
    tn_string *strings = TN_ARRAY(r->imp->m->arena, tn_string, attr->n);
    for (uint32_t i = 0; i < attr->n; i++) {
        strings[i] = copy_string(r->imp, r->proto->strings[i]);
    }
    attr->u.strings = strings;
}

static void read_types(reader *r, tn_attr *attr) {
    const char *owner = r->op->name;
    if (attr->kind == TN_ATTR_TYPE) {
        attr->u.type = tn_onnx_type(r->imp, r->proto->tp, owner, TN_ONNX_PARAMETER);
        return;
    }
    attr->n = count(r, r->proto->n_type_protos);
    const tn_type **types = TN_ARRAY(r->imp->m->arena, const tn_type *, attr->n);
    for (uint32_t i = 0; i < attr->n; i++) {
        types[i] = tn_onnx_type(r->imp, r->proto->type_protos[i], owner, TN_ONNX_PARAMETER);
    }
    attr->u.types = types;
}

/* The messages in field `number` of the attribute. */
typedef struct parts {
    TN_VEC(tn_bytes) list;
} parts;

static parts find_parts(reader *r, tn_arena *scratch, uint32_t number) {
    parts found = {0};
    tn_wire w = tn_wire_open(&r->imp->src, r->message);
    tn_wire_field f;
    while (tn_wire_next(&w, &f)) {
        if (f.number == number) {
            tn_vec_push(scratch, &found.list, tn_wire_content(&r->imp->src, &f, r->name));
        }
    }
    return found;
}

static tn_bytes single_part(reader *r, tn_arena *scratch, uint32_t number, const char *what) {
    parts found = find_parts(r, scratch, number);
    if (found.list.len != 1) {
        tn_fail(r->imp->ctx, &r->op->loc, "attribute '%s' must be one %s, and holds %u", r->name,
                what, found.list.len);
    }
    return found.list.data[0];
}

static const tn_tensor *read_tensor(reader *r, tn_bytes message, bool sparse) {
    return sparse ? tn_onnx_read_sparse(r->imp, &r->op->loc, message, "attribute", r->name).tensor
                  : tn_onnx_read_tensor(r->imp, &r->op->loc, message, "attribute", r->name).tensor;
}

static void read_tensors(reader *r, tn_arena *scratch, tn_attr *attr, uint32_t number) {
    bool sparse = number == PB_ATTRIBUTE_SPARSE_TENSOR || number == PB_ATTRIBUTE_SPARSE_TENSORS;
    if (attr->kind == TN_ATTR_TENSOR) {
        attr->u.t = read_tensor(r, single_part(r, scratch, number, "tensor"), sparse);
        return;
    }
    parts found = find_parts(r, scratch, number);
    attr->n = found.list.len;
    const tn_tensor **tensors = TN_ARRAY(r->imp->m->arena, const tn_tensor *, attr->n);
    for (uint32_t i = 0; i < attr->n; i++) {
        tensors[i] = read_tensor(r, found.list.data[i], sparse);
    }
    attr->u.tensors = tensors;
}

static void read_graphs(reader *r, tn_arena *scratch, tn_attr *attr) {
    if (attr->kind == TN_ATTR_GRAPH) {
        tn_bytes message = single_part(r, scratch, PB_ATTRIBUTE_G, "graph");
        attr->u.g = tn_onnx_add_graph(r->imp, r->op, message, r->env, r->space);
        return;
    }
    parts found = find_parts(r, scratch, PB_ATTRIBUTE_GRAPHS);
    attr->n = found.list.len;
    attr->u.graphs = TN_ARRAY(r->imp->m->arena, tn_graph *, attr->n);
    for (uint32_t i = 0; i < attr->n; i++) {
        attr->u.graphs[i] = tn_onnx_add_graph(r->imp, r->op, found.list.data[i], r->env, r->space);
    }
}

/* Kind and field of each AttributeProto type. */
static const struct {
    tn_attr_kind kind;
    uint32_t field;
} kinds[] = {
    [1] = {TN_ATTR_FLOAT, PB_ATTRIBUTE_F},
    [2] = {TN_ATTR_INT, PB_ATTRIBUTE_I},
    [3] = {TN_ATTR_STRING, PB_ATTRIBUTE_S},
    [4] = {TN_ATTR_TENSOR, PB_ATTRIBUTE_T},
    [5] = {TN_ATTR_GRAPH, PB_ATTRIBUTE_G},
    [6] = {TN_ATTR_FLOATS, PB_ATTRIBUTE_FLOATS},
    [7] = {TN_ATTR_INTS, PB_ATTRIBUTE_INTS},
    [8] = {TN_ATTR_STRINGS, PB_ATTRIBUTE_STRINGS},
    [9] = {TN_ATTR_TENSORS, PB_ATTRIBUTE_TENSORS},
    [10] = {TN_ATTR_GRAPHS, PB_ATTRIBUTE_GRAPHS},
    [11] = {TN_ATTR_TENSOR, PB_ATTRIBUTE_SPARSE_TENSOR},
    [12] = {TN_ATTR_TENSORS, PB_ATTRIBUTE_SPARSE_TENSORS},
    [13] = {TN_ATTR_TYPE, PB_ATTRIBUTE_TP},
    [14] = {TN_ATTR_TYPES, PB_ATTRIBUTE_TYPE_PROTOS},
};
enum { N_KINDS = sizeof kinds / sizeof kinds[0] };

/* Old writers leave the type out; then the first field with a value gives it. 0: no field has one.
 */
static uint32_t type_of(reader *r) {
    if (r->proto->type != 0) {
        return (uint32_t)r->proto->type;
    }
    tn_wire w = tn_wire_open(&r->imp->src, r->message);
    tn_wire_field f;
    while (tn_wire_next(&w, &f)) {
        for (uint32_t i = 1; i < N_KINDS; i++) {
            if (kinds[i].field == f.number) {
                return i;
            }
        }
    }
    return 0;
}

static void read_value(reader *r, tn_arena *scratch) {
    uint32_t type = type_of(r);
    if (type >= N_KINDS) {
        tn_fail(r->imp->ctx, &r->op->loc, "attribute '%s' is of kind %u; ONNX has 1 to %d", r->name,
                type, N_KINDS - 1);
    }
    if (type == 0) {
        tn_warn(r->imp->ctx, &r->op->loc,
                "attribute '%s' has neither type nor value, it is left out", r->name);
        return;
    }
    tn_attr attr = {.name = r->name, .kind = kinds[type].kind, .as_read = true};
    switch (attr.kind) {
    case TN_ATTR_INT:
        attr.u.i = r->proto->i;
        break;
    case TN_ATTR_FLOAT:
        attr.u.f = (double)r->proto->f;
        break;
    case TN_ATTR_STRING:
        attr.u.s = copy_string(r->imp, r->proto->s);
        break;
    case TN_ATTR_INTS:
    case TN_ATTR_FLOATS:
        read_numbers(r, &attr);
        break;
    case TN_ATTR_STRINGS:
        read_strings(r, &attr);
        break;
    case TN_ATTR_TYPE:
    case TN_ATTR_TYPES:
        read_types(r, &attr);
        break;
    case TN_ATTR_TENSOR:
    case TN_ATTR_TENSORS:
        read_tensors(r, scratch, &attr, kinds[type].field);
        break;
    case TN_ATTR_GRAPH:
    case TN_ATTR_GRAPHS:
        read_graphs(r, scratch, &attr);
        break;
    }
    tn_op_add_attr(r->op, attr);
}

static void check_name(const reader *r) {
    if (r->name[0] == '\0') {
        tn_fail(r->imp->ctx, &r->op->loc, "attribute %u has no name", r->op->n_attrs);
    }
    if (tn_op_attr(r->op, r->name) != NULL) {
        tn_fail(r->imp->ctx, &r->op->loc, "attribute '%s' is given twice", r->name);
    }
    if (r->op->n_attrs >= TN_MAX_ATTRS) {
        tn_fail(r->imp->ctx, &r->op->loc, "the node has more than %u attributes", TN_MAX_ATTRS);
    }
}

/* A reference to an attribute that the call leaves out and that has no default adds nothing. */
void tn_onnx_read_attr(tn_onnx *imp, tn_op *op, tn_bytes message, const tn_onnx_env *env,
                       uint32_t space) {
    tn_arena *scratch = tn_arena_new(imp->ctx);
    reader r = {.imp = imp, .op = op, .message = message, .env = env, .space = space};
    r.proto = unpack(imp, scratch, message, PLAIN);
    r.name = tn_onnx_name(imp, r.proto->name);
    check_name(&r);
    const char *ref = tn_onnx_name(imp, r.proto->ref_attr_name);
    bool given = true;
    if (ref[0] != '\0') {
        if (env == NULL) {
            tn_fail(imp->ctx, &op->loc,
                    "attribute '%s' refers to attribute '%s' of a function, and the node is in no "
                    "function",
                    r.name, ref);
        }
        given = follow(imp, ref, &r.message, &r.env, &r.space);
        r.proto = given ? unpack(imp, scratch, r.message, PLAIN) : NULL;
    }
    if (given) {
        read_value(&r, scratch);
    }
    tn_arena_drop(scratch);
}
