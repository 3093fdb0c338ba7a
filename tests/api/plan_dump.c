/* Writes what tenure.h gives of a plan as a document of the form of the JSON backend, with all
 * texts as hexadecimal digits of their bytes, so that plan_read.py can hold one against the other.
 * Usage: plan_dump MODEL JSON [NAME=VALUE]...
 * It plans the model with those options, writes the plan's JSON to the file JSON, and prints two
 * lines: the plan as made, and as read from that JSON. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tenure/tenure.h"

static const char *comma = "";

static void key(const char *name) {
    printf("%s\"%s\":", comma, name);
    comma = ",";
}

static void open(char bracket) {
    putchar(bracket);
    comma = "";
}

static void close(char bracket) {
    putchar(bracket);
    comma = ",";
}

/* An item of a list. */
static void item(void) {
    printf("%s", comma);
    comma = ",";
}

static void bytes(const char *text, size_t size) {
    putchar('"');
    for (size_t i = 0; i < size; i++) {
        printf("%02x", (unsigned char)text[i]);
    }
    putchar('"');
}

static void text(const char *t) {
    if (t == NULL) {
        printf("null");
    } else {
        bytes(t, strlen(t));
    }
}

static void put_text(const char *name, const char *value) {
    key(name);
    text(value);
}

static void number(const char *name, uint64_t value) {
    key(name);
    printf("%" PRIu64, value);
}

static void integer(const char *name, int64_t value) {
    key(name);
    printf("%" PRId64, value);
}

static void flag(const char *name, int value) {
    key(name);
    printf(value ? "true" : "false");
}

static void id(uint32_t value) {
    if (value == TENURE_NONE) {
        printf("null");
    } else {
        printf("%" PRIu32, value);
    }
}

static void put_id(const char *name, uint32_t value) {
    key(name);
    id(value);
}

static void put_ids(const char *name, tenure_ids list) {
    key(name);
    open('[');
    for (size_t i = 0; i < list.count; i++) {
        item();
        id(list.data[i]);
    }
    close(']');
}

static void put_float(double x) {
    if (isnan(x) || isinf(x)) {
        text(isnan(x) ? "nan" : x < 0 ? "-inf" : "inf");
    } else {
        printf("%.17g", x);
    }
}

static void put_ints(const int64_t *ints, uint64_t n) {
    open('[');
    for (uint64_t i = 0; i < n; i++) {
        item();
        printf("%" PRId64, ints[i]);
    }
    close(']');
}

static void put_floats(const double *floats, uint64_t n) {
    open('[');
    for (uint64_t i = 0; i < n; i++) {
        item();
        put_float(floats[i]);
    }
    close(']');
}

/* ---- the parts ---- */

static void put_head(const tenure_plan *plan) {
    tenure_plan_info info = {.struct_size = sizeof info};
    const char *name, *value;
    tenure_plan_get_info(plan, &info);
    integer("format", info.format);
    put_text("tenure", info.version);
    put_text("digest", info.digest);
    put_text("layout", info.layout);
    if (info.n_facts > 0) {
        key("facts");
        open('[');
        for (size_t i = 0; (name = tenure_plan_facts(plan, i)) != NULL; i++) {
            item();
            text(name);
        }
        close(']');
    }
    put_text("pipeline", info.pipeline);
    key("options");
    open('[');
    for (size_t i = 0; tenure_plan_option(plan, i, &name, &value); i++) {
        item();
        open('{');
        put_text("key", name);
        put_text("value", value);
        close('}');
    }
    close(']');
}

static void put_pools(const tenure_plan *plan) {
    static const char *const kinds[] = {"arena", "io", "const"};
    tenure_pool pool = {.struct_size = sizeof pool};
    key("pools");
    open('[');
    for (size_t i = 0; tenure_plan_pool(plan, i, &pool); i++) {
        item();
        open('{');
        put_text("name", pool.name);
        put_text("kind", kinds[pool.kind]);
        number("align", pool.align);
        number("capacity", pool.capacity);
        number("size", pool.size);
        number("bound", pool.bound);
        close('}');
    }
    close(']');
}

static void put_dims(const tenure_plan *plan) {
    const char *name;
    int64_t value;
    key("binding");
    open('[');
    for (size_t i = 0; tenure_plan_bound_dim(plan, i, &name, &value); i++) {
        item();
        open('{');
        put_text("dim", name);
        integer("value", value);
        close('}');
    }
    close(']');
    key("open");
    open('[');
    for (size_t i = 0; (name = tenure_plan_open_dim(plan, i)) != NULL; i++) {
        item();
        text(name);
    }
    close(']');
}

static void put_memory(const tenure_plan *plan) {
    tenure_slot slot = {.struct_size = sizeof slot};
    tenure_storage s = {.struct_size = sizeof s};
    key("slots");
    open('[');
    for (size_t i = 0; tenure_plan_slot(plan, i, &slot); i++) {
        item();
        open('{');
        number("pool", slot.pool);
        number("offset", slot.offset);
        number("size", slot.size);
        close('}');
    }
    close(']');
    key("storages");
    open('[');
    for (size_t i = 0; tenure_plan_storage(plan, i, &s); i++) {
        item();
        open('{');
        number("pool", s.pool);
        put_id("slot", s.slot);
        number("offset", s.offset);
        number("size", s.size);
        number("align", s.align);
        integer("first", s.first);
        integer("last", s.last);
        flag("pinned", s.pinned);
        number("root", s.root);
        close('}');
    }
    close(']');
}

static void put_expression(const char *expression) {
    if (expression == NULL) {
        printf("null");
    } else {
        open('{');
        put_text("expr", expression);
        close('}');
    }
}

static void put_value(const tenure_plan *plan, const tenure_placement *v) {
    static const char *const roles[] = {"internal", "input", "output",
                                        "const",    "state", "workspace"};
    static const char *const left_out[] = {NULL, "open", "data", "unused"};
    static const char *const aliases[] = {"none", "view", "inplace", "update", "share"};
    put_text("name", v->name);
    put_text("graph", v->graph);
    put_text("role", roles[v->role]);
    put_text("dtype", tenure_dtype_name(v->dtype));
    key("dims");
    open('[');
    for (uint32_t k = 0; k < v->rank; k++) {
        item();
        if (v->dims[k] >= 0) {
            printf("%" PRId64, v->dims[k]);
        } else {
            put_expression(tenure_plan_value_dim(plan, v->index, k));
        }
    }
    close(']');
    put_text("type", v->type);
    put_text("why", v->why);
    put_text("left_out", left_out[v->left_out]);
    key("bytes");
    if (v->storage != TENURE_NONE) {
        printf("%" PRIu64, v->size);
    } else {
        put_expression(v->size_text);
    }
    comma = ",";
    put_id("storage", v->storage);
    number("offset", v->storage_offset);
    integer("first", v->first);
    integer("last", v->last);
    put_id("step", v->step);
    put_text("alias", aliases[v->alias]);
    put_id("alias_of", v->alias_of);
}

/* Where the value is, said twice: the parts have to agree. */
static int agrees(const tenure_plan *plan, const tenure_placement *v) {
    tenure_storage s = {.struct_size = sizeof s};
    tenure_pool pool = {.struct_size = sizeof pool};
    if (v->storage == TENURE_NONE) {
        return v->pool == NULL && v->why != NULL;
    }
    return tenure_plan_storage(plan, v->storage, &s) && tenure_plan_pool(plan, s.pool, &pool) &&
           strcmp(pool.name, v->pool) == 0 && v->offset == s.offset + v->storage_offset &&
           v->why == NULL;
}

static int put_values(const tenure_plan *plan) {
    tenure_placement v = {.struct_size = sizeof v};
    int good = 1;
    size_t i;
    key("values");
    open('[');
    for (i = 0; tenure_plan_value(plan, i, &v); i++) {
        item();
        open('{');
        put_value(plan, &v);
        close('}');
        good = good && agrees(plan, &v) && v.index == i;
    }
    close(']');
    return good && i == tenure_plan_value_count(plan);
}

/* ---- steps ---- */

static void put_tensor(const tenure_tensor *t) {
    open('{');
    put_text("dtype", tenure_dtype_name(t->dtype));
    key("dims");
    put_ints(t->dims, t->rank);
    key("elements");
    if (t->ints != NULL) {
        put_ints(t->ints, t->n_elements);
    } else if (t->floats != NULL) {
        put_floats(t->floats, t->n_elements);
    } else {
        printf("null");
    }
    close('}');
}

static void put_content(const tenure_attribute *a) {
    tenure_tensor t = {.struct_size = sizeof t};
    const char *s;
    size_t size;
    if (a->kind == TENURE_ATTR_INT) {
        printf("%" PRId64, a->ints[0]);
    } else if (a->kind == TENURE_ATTR_INTS) {
        put_ints(a->ints, a->count);
    } else if (a->kind == TENURE_ATTR_FLOAT) {
        put_float(a->floats[0]);
    } else if (a->kind == TENURE_ATTR_FLOATS) {
        put_floats(a->floats, a->count);
    } else if (a->kind == TENURE_ATTR_STRING) {
        s = tenure_attribute_text(a, 0, &size);
        bytes(s, size);
    } else if (a->kind == TENURE_ATTR_STRINGS) {
        open('[');
        for (size_t i = 0; (s = tenure_attribute_text(a, i, &size)) != NULL; i++) {
            item();
            bytes(s, size);
        }
        close(']');
    } else if (a->kind == TENURE_ATTR_TENSOR && tenure_attribute_tensor(a, 0, &t)) {
        put_tensor(&t);
    } else {
        printf("null");
    }
}

static int put_attributes(const tenure_plan *plan, size_t step) {
    static const char *const kinds[] = {"int",  "float",  "string",  "tensor",  "graph",  "type",
                                        "ints", "floats", "strings", "tensors", "graphs", "types"};
    tenure_attribute a = {.struct_size = sizeof a}, again = {.struct_size = sizeof again};
    int good = 1;
    key("attributes");
    open('[');
    for (size_t i = 0; tenure_plan_attribute(plan, step, i, &a); i++) {
        item();
        open('{');
        put_text("name", a.name);
        key(kinds[a.kind]);
        put_content(&a);
        close('}');
        good = good && tenure_plan_find_attribute(plan, step, a.name, &again) &&
               again.kind == a.kind && again.items == a.items;
    }
    close(']');
    return good;
}

static void put_bodies(const tenure_plan *plan, size_t step) {
    static const char *const whens[] = {"begin", "iteration", "next", "after", "end", "none"};
    static const char *const kinds[] = {"copy", "slice", "stack", "count", "true"};
    tenure_body b = {.struct_size = sizeof b};
    tenure_move m = {.struct_size = sizeof m};
    key("bodies");
    open('[');
    for (size_t i = 0; tenure_plan_body(plan, step, i, &b); i++) {
        item();
        open('{');
        put_text("attribute", b.attribute);
        put_text("graph", b.graph);
        put_ids("inputs", b.inputs);
        put_ids("outputs", b.outputs);
        close('}');
    }
    close(']');
    key("moves");
    open('[');
    for (size_t i = 0; tenure_plan_move(plan, step, i, &m); i++) {
        item();
        open('{');
        put_text("when", whens[m.when]);
        put_text("what", kinds[m.kind]);
        put_id("body", m.body);
        put_id("from", m.from);
        put_id("to", m.to);
        integer("axis", m.axis);
        flag("reverse", m.reverse);
        close('}');
    }
    close(']');
}

static void put_claims(const tenure_plan *plan, size_t step) {
    static const char *const promises[] = {"keep",       "elements",  "rows",      "update",
                                           "definition", "ascending", "descending"};
    tenure_claim c = {.struct_size = sizeof c};
    key("claims");
    open('[');
    for (size_t i = 0; tenure_plan_claim(plan, step, i, &c); i++) {
        item();
        open('{');
        put_id("result", c.result);
        put_id("operand", c.operand);
        put_text("promise", promises[c.promise]);
        close('}');
    }
    close(']');
}

static void put_frees(const tenure_plan *plan, size_t step) {
    tenure_release r = {.struct_size = sizeof r};
    key("frees");
    open('[');
    for (size_t i = 0; tenure_plan_release(plan, step, i, &r); i++) {
        item();
        open('{');
        put_id("storage", r.storage);
        put_ids("after", r.after);
        close('}');
    }
    close(']');
}

static void put_node(const tenure_node *n) {
    open('{');
    integer("index", n->index);
    put_text("name", n->name);
    put_text("domain", n->domain);
    put_text("op", n->op);
    integer("version", n->version);
    close('}');
}

static void put_nodes(const tenure_plan *plan, size_t step) {
    tenure_node n = {.struct_size = sizeof n};
    key("nodes");
    open('[');
    for (size_t i = 0; tenure_plan_node(plan, step, i, &n); i++) {
        item();
        put_node(&n);
    }
    close(']');
    if (tenure_plan_fused(plan, step, &n)) {
        key("fused");
        put_node(&n);
    }
}

static void put_workspaces(const tenure_plan *plan, size_t step) {
    tenure_workspace w = {.struct_size = sizeof w};
    key("workspace");
    open('[');
    for (size_t i = 0; tenure_plan_workspace(plan, step, i, &w); i++) {
        item();
        open('{');
        put_id("value", w.value);
        flag("kept", w.kept);
        put_text("way", w.way);
        close('}');
    }
    close(']');
}

static int put_steps(const tenure_plan *plan) {
    static const char *const kinds[] = {"op", "begin", "end"};
    tenure_step s = {.struct_size = sizeof s};
    int good = 1;
    key("steps");
    open('[');
    for (size_t i = 0; tenure_plan_step(plan, i, &s); i++) {
        item();
        open('{');
        put_text("kind", kinds[s.kind]);
        put_text("graph", s.graph);
        put_nodes(plan, i);
        put_id("partner", s.partner);
        flag("idle", s.idle);
        put_ids("operands", s.operands);
        put_ids("results", s.results);
        put_ids("shape_only", s.shape_only);
        good = put_attributes(plan, i) && good;
        put_bodies(plan, i);
        put_claims(plan, i);
        put_ids("reads", s.reads);
        put_ids("writes", s.writes);
        put_frees(plan, i);
        put_ids("hazards", s.hazards);
        put_workspaces(plan, i);
        close('}');
    }
    close(']');
    return good;
}

static void put_bindings(const tenure_plan *plan) {
    const char *state;
    uint32_t value;
    key("bindings");
    open('[');
    for (size_t i = 0; tenure_plan_binding(plan, i, &state, &value); i++) {
        item();
        open('{');
        put_text("state", state);
        number("value", value);
        close('}');
    }
    close(']');
}

static void put_figures(const tenure_plan *plan) {
    tenure_figures f = {.struct_size = sizeof f};
    tenure_plan_figures(plan, &f);
    key("report");
    open('{');
    number("naive", f.naive);
    number("level0", f.level0);
    number("level1", f.level1);
    number("bound", f.bound);
    number("const_bytes", f.const_bytes);
    number("io_bytes", f.io_bytes);
    number("ram", f.ram);
    number("flash", f.flash);
    number("inplace", f.n_inplace);
    number("views", f.n_views);
    number("updates", f.n_updates);
    number("shared", f.n_shared);
    flag("optimal", f.optimal);
    put_text("algorithm", f.algorithm);
    integer("peak_step", f.peak_step);
    put_ids("peak", f.peak);
    number("planned", f.n_planned);
    number("unplanned", f.n_unplanned);
    number("open", f.n_open);
    number("data", f.n_data);
    number("backward_ops", f.n_backward_ops);
    number("backward_values", f.n_backward_values);
    number("param_grads", f.n_param_grads);
    number("order_bound", f.order_bound);
    number("other_order", f.other_order);
    number("saved_by_sharing", f.saved_by_sharing);
    close('}');
}

static int put_variant(const tenure_plan *plan) {
    tenure_variant v = {.struct_size = sizeof v};
    tenure_plan_get_variant(plan, &v);
    open('{');
    put_text("guard", v.guard);
    flag("reordered", v.reordered);
    flag("partial", v.partial);
    put_dims(plan);
    put_ids("inputs", v.inputs);
    put_ids("outputs", v.outputs);
    put_ids("fixed", v.fixed);
    put_memory(plan);
    int good = put_values(plan);
    good = put_steps(plan) && good;
    put_bindings(plan);
    put_figures(plan);
    close('}');
    return good;
}

static int put_plan(const tenure_plan *plan) {
    tenure_program program = {.struct_size = sizeof program};
    const tenure_plan *variant;
    int good = 1;
    comma = "";
    open('{');
    put_head(plan);
    put_pools(plan);
    key("programs");
    open('[');
    for (size_t i = 0; tenure_plan_program(plan, i, &program); i++) {
        item();
        open('{');
        put_text("name", program.name);
        key("variants");
        open('[');
        for (size_t k = 0; (variant = tenure_plan_variant(plan, i, k)) != NULL; k++) {
            item();
            good = put_variant(variant) && good;
        }
        close(']');
        close('}');
    }
    close(']');
    close('}');
    putchar('\n');
    return good;
}

/* ---- a model, planned ---- */

static void on_diagnostic(void *user, const tenure_diagnostic *d) {
    (void)user;
    if (d->severity == TENURE_SEV_ERROR) {
        fprintf(stderr, "%s\n", d->rendered);
    }
}

static int set_options(tenure_options *options, int n, char **args) {
    for (int i = 0; i < n; i++) {
        char name[128];
        const char *is = strchr(args[i], '=');
        if (is == NULL || (size_t)(is - args[i]) >= sizeof name) {
            return 0;
        }
        memcpy(name, args[i], (size_t)(is - args[i]));
        name[is - args[i]] = '\0';
        if (tenure_options_set(options, name, is + 1) != TENURE_OK) {
            return 0;
        }
    }
    return 1;
}

static int save(const char *path, const tenure_buffer *b) {
    FILE *file = fopen(path, "wb");
    size_t size = tenure_buffer_size(b);
    int good = file != NULL && fwrite(tenure_buffer_data(b), 1, size, file) == size;
    return file != NULL && fclose(file) == 0 && good;
}

int main(int argc, char **argv) {
    tenure_context *ctx = tenure_context_new(NULL);
    tenure_options *options = tenure_options_new(ctx);
    tenure_plan *plan = NULL, *again = NULL;
    tenure_buffer *json = NULL;
    tenure_on_diagnostic(ctx, on_diagnostic, NULL);
    if (argc < 3 || !set_options(options, argc - 3, argv + 3)) {
        fprintf(stderr, "usage: plan_dump MODEL JSON [NAME=VALUE]...\n");
        return 2;
    }
    tenure_model *model = tenure_load_file(ctx, argv[1], options);
    int good = model != NULL && tenure_plan_make(model, options, &plan) == TENURE_OK &&
               tenure_plan_emit(plan, "json", NULL, &json) == TENURE_OK && save(argv[2], json) &&
               tenure_plan_read(ctx, "again", tenure_buffer_data(json), tenure_buffer_size(json),
                                &again) == TENURE_OK &&
               put_plan(plan) && put_plan(again);
    tenure_context_free(ctx);
    return good ? 0 : 1;
}
