/* Writes what tenure.h gives of a plan as a document of the form of the JSON backend, with all
 * texts as hexadecimal digits of their bytes, so that plan_read.py can hold one against the other.
 * Usage: plan_dump MODEL JSON [NAME=VALUE]...
 * It plans the model with those options, writes the plan's JSON to the file JSON, and prints two
 * lines: the plan as made, and as read from that JSON. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/api/plan_dump.h"

/* ---- the parts ---- */

static void put_head(const tenure_plan *plan) {
    tenure_plan_info info = {.struct_size = sizeof info};
    const char *name, *value;
    tenure_plan_get_info(plan, &info);
    put_integer("format", info.format);
    put_text("tenure", info.version);
    put_text("digest", info.digest);
    put_text("layout", info.layout);
    if (info.n_facts > 0) {
        put_key("facts");
        put_open('[');
        for (size_t i = 0; (name = tenure_plan_facts(plan, i)) != NULL; i++) {
            put_item();
            text_or_null(name);
        }
        put_close(']');
    }
    put_text("pipeline", info.pipeline);
    put_key("options");
    put_open('[');
    for (size_t i = 0; tenure_plan_option(plan, i, &name, &value); i++) {
        put_item();
        put_open('{');
        put_text("key", name);
        put_text("value", value);
        put_close('}');
    }
    put_close(']');
}

static void put_pools(const tenure_plan *plan) {
    static const char *const kinds[] = {"arena", "io", "const", "state"};
    tenure_pool pool = {.struct_size = sizeof pool};
    put_key("pools");
    put_open('[');
    for (size_t i = 0; tenure_plan_pool(plan, i, &pool); i++) {
        put_item();
        put_open('{');
        put_text("name", pool.name);
        put_text("kind", kinds[pool.kind]);
        put_number("align", pool.align);
        put_number("capacity", pool.capacity);
        put_number("size", pool.size);
        put_number("bound", pool.bound);
        put_number("cost", pool.cost);
        put_text("section", pool.section);
        if (pool.base_align > pool.align) {
            put_number("base_align", pool.base_align);
        }
        if (pool.cost > 0) {
            put_number("traffic", pool.traffic);
        }
        if (pool.copied) {
            put_flag("copied", 1);
        }
        put_close('}');
    }
    put_close(']');
}

static int has_costs(const tenure_plan *plan) {
    tenure_pool pool = {.struct_size = sizeof pool};
    int any = 0;
    for (size_t i = 0; tenure_plan_pool(plan, i, &pool); i++) {
        any = any || pool.cost > 0;
    }
    return any;
}

static void put_expression(const char *expression) {
    if (expression == NULL) {
        printf("null");
    } else {
        put_open('{');
        put_text("expr", expression);
        put_close('}');
    }
}

/* A number, or the expression that there is in its place. */
static void put_size(const char *name, uint64_t number, const char *expression) {
    if (expression == NULL) {
        put_number(name, number);
    } else {
        put_key(name);
        put_expression(expression);
    }
}

static void put_guard(const tenure_plan *plan) {
    tenure_range r = {.struct_size = sizeof r};
    const char *name, *is;
    if (!tenure_plan_range(plan, 0, &r)) {
        put_text("guard", NULL);
        return;
    }
    put_key("guard");
    put_open('{');
    put_key("dims");
    put_open('[');
    for (size_t i = 0; tenure_plan_range(plan, i, &r); i++) {
        put_item();
        put_open('{');
        put_text("dim", r.name);
        put_integer("min", r.min);
        if (r.max == INT64_MAX) {
            put_text("max", NULL);
        } else {
            put_integer("max", r.max);
        }
        put_integer("point", r.point);
        put_close('}');
    }
    put_close(']');
    for (size_t i = 0; tenure_plan_related_dim(plan, i, &name, &is); i++) {
        if (i == 0) {
            put_key("related");
            put_open('[');
        }
        put_item();
        put_open('{');
        put_text("dim", name);
        put_key("extent");
        put_expression(is);
        put_close('}');
    }
    if (tenure_plan_related_dim(plan, 0, &name, &is)) {
        put_close(']');
    }
    put_close('}');
}

static void put_by_data(const tenure_plan *plan) {
    tenure_data_dim d = {.struct_size = sizeof d};
    for (size_t i = 0; tenure_plan_data_dim(plan, i, &d); i++) {
        if (i == 0) {
            put_key("by_data");
            put_open('[');
        }
        put_item();
        put_open('{');
        put_text("dim", d.name);
        put_size("most", (uint64_t)d.most, d.most_text);
        put_id("value", d.value);
        put_number("axis", d.axis);
        put_close('}');
    }
    if (tenure_plan_data_dim(plan, 0, &d)) {
        put_close(']');
    }
}

static void put_dims(const tenure_plan *plan) {
    const char *name;
    int64_t value;
    put_key("binding");
    put_open('[');
    for (size_t i = 0; tenure_plan_bound_dim(plan, i, &name, &value); i++) {
        put_item();
        put_open('{');
        put_text("dim", name);
        put_integer("value", value);
        put_close('}');
    }
    put_close(']');
    put_key("open");
    put_open('[');
    for (size_t i = 0; (name = tenure_plan_open_dim(plan, i)) != NULL; i++) {
        put_item();
        text_or_null(name);
    }
    put_close(']');
}

static void put_memory(const tenure_plan *plan) {
    tenure_slot slot = {.struct_size = sizeof slot};
    tenure_storage s = {.struct_size = sizeof s};
    put_key("slots");
    put_open('[');
    for (size_t i = 0; tenure_plan_slot(plan, i, &slot); i++) {
        put_item();
        put_open('{');
        put_number("pool", slot.pool);
        put_number("offset", slot.offset);
        put_number("size", slot.size);
        put_close('}');
    }
    put_close(']');
    put_key("storages");
    put_open('[');
    for (size_t i = 0; tenure_plan_storage(plan, i, &s); i++) {
        put_item();
        put_open('{');
        put_number("pool", s.pool);
        put_id("slot", s.slot);
        if (s.above.count == 0) {
            put_number("offset", s.offset);
        } else {
            put_text("offset", NULL);
        }
        put_size("size", s.size, s.size_text);
        put_number("align", s.align);
        put_integer("first", s.first);
        put_integer("last", s.last);
        put_flag("pinned", s.pinned);
        if (s.second > 0) {
            put_number("second", s.second);
        }
        put_number("root", s.root);
        put_ids("above", s.above);
        put_close('}');
    }
    put_close(']');
}

/* What only some values have. */
static void put_overlaps(const tenure_plan *plan, const tenure_placement *v) {
    static const char *const orders[] = {"none", "rows", "rows-buffered", "elements", "pixels"};
    tenure_overlap o = {.struct_size = sizeof o};
    if (v->channels_last) {
        int64_t stride = 1, strides[64] = {0};
        for (uint32_t k = v->rank; k-- > 0;) { /* axis 1 is the innermost, axis 0 the outermost */
            uint32_t axis = k == 0 ? 0 : k + 1 < v->rank ? k + 1 : 1;
            strides[axis] = stride;
            stride *= v->dims[axis];
        }
        put_key("strides");
        put_open('[');
        for (uint32_t k = 0; k < v->rank; k++) {
            put_item();
            printf("%" PRId64, strides[k]);
        }
        put_close(']');
    }
    for (uint32_t i = 0; tenure_plan_overlap(plan, v->index, i, &o); i++) {
        if (i == 0) {
            put_key("overlaps");
            put_open('[');
        }
        put_item();
        put_open('{');
        put_number("value", o.value);
        put_number("step", o.step);
        put_number("distance", o.distance);
        put_text("order", orders[o.order]);
        put_close('}');
    }
    if (v->n_overlaps > 0) {
        put_close(']');
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
    put_key("dims");
    put_open('[');
    for (uint32_t k = 0; k < v->rank; k++) {
        put_item();
        if (v->dims[k] >= 0) {
            printf("%" PRId64, v->dims[k]);
        } else {
            put_expression(tenure_plan_value_dim(plan, v->index, k));
        }
    }
    put_close(']');
    put_text("type", v->type);
    put_text("why", v->why);
    put_text("left_out", left_out[v->left_out]);
    if (v->storage != TENURE_NONE || v->size_text != NULL) {
        put_size("bytes", v->size, v->size_text);
    } else {
        put_text("bytes", NULL);
    }
    put_id("storage", v->storage);
    put_number("offset", v->storage_offset);
    put_integer("first", v->first);
    put_integer("last", v->last);
    put_id("step", v->step);
    put_text("alias", aliases[v->alias]);
    put_id("alias_of", v->alias_of);
    if (v->clone_of != TENURE_NONE) {
        put_id("clone_of", v->clone_of);
    }
    put_overlaps(plan, v);
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
    put_key("values");
    put_open('[');
    for (i = 0; tenure_plan_value(plan, i, &v); i++) {
        put_item();
        put_open('{');
        put_value(plan, &v);
        put_close('}');
        good = good && agrees(plan, &v) && v.index == i;
    }
    put_close(']');
    return good && i == tenure_plan_value_count(plan);
}

static void put_bindings(const tenure_plan *plan) {
    const char *state;
    uint32_t value;
    put_key("bindings");
    put_open('[');
    for (size_t i = 0; tenure_plan_binding(plan, i, &state, &value); i++) {
        put_item();
        put_open('{');
        put_text("state", state);
        put_number("value", value);
        put_close('}');
    }
    put_close(']');
}

static void put_recompute(const tenure_plan *plan, const tenure_figures *f) {
    tenure_recompute_point point = {.struct_size = sizeof point};
    if (f->model_operations == 0) {
        return;
    }
    put_key("recompute");
    put_open('{');
    put_number("clones", f->n_clones);
    put_number("operations", f->clone_operations);
    put_number("model_operations", f->model_operations);
    put_number("without", f->arena_without_clones);
    put_key("curve");
    put_open('[');
    for (size_t i = 0; tenure_plan_recompute_point(plan, i, &point); i++) {
        put_item();
        put_open('{');
        put_number("operations", point.operations);
        put_number("arena", point.arena);
        put_close('}');
    }
    put_close(']');
    put_close('}');
}

static void put_base(const tenure_plan *plan) {
    static const char *const why[] = {"pool", "alias", "fix", "align", "size", "taken"};
    tenure_base base = {.struct_size = sizeof base};
    tenure_shift shift = {.struct_size = sizeof shift};
    if (!tenure_plan_base(plan, &base)) {
        return;
    }
    put_key("based_on");
    put_open('{');
    put_text("digest", base.digest);
    put_number("matched", base.n_matched);
    put_number("least", base.n_least);
    put_number("free", base.free);
    put_key("moved");
    put_open('[');
    for (size_t i = 0; tenure_plan_shift(plan, i, &shift); i++) {
        put_item();
        put_open('{');
        put_id("value", shift.value);
        put_text("pool", shift.pool);
        put_number("offset", shift.offset);
        put_text("why", why[shift.why]);
        put_id("by", shift.by);
        put_close('}');
    }
    put_close(']');
    put_close('}');
}

static void put_figures(const tenure_plan *plan, int beside) {
    tenure_figures f = {.struct_size = sizeof f};
    tenure_plan_figures(plan, &f);
    put_key("report");
    put_open('{');
    put_number("naive", f.naive);
    put_number("level0", f.level0);
    put_number("level1", f.level1);
    put_number("bound", f.bound);
    put_number("const_bytes", f.const_bytes);
    put_number("io_bytes", f.io_bytes);
    put_number("ram", f.ram);
    put_number("flash", f.flash);
    put_number("inplace", f.n_inplace);
    put_number("views", f.n_views);
    put_number("updates", f.n_updates);
    put_number("shared", f.n_shared);
    put_flag("optimal", f.optimal);
    put_text("algorithm", f.algorithm);
    put_integer("peak_step", f.peak_step);
    put_ids("peak", f.peak);
    put_number("planned", f.n_planned);
    put_number("unplanned", f.n_unplanned);
    put_number("open", f.n_open);
    put_number("data", f.n_data);
    put_number("backward_ops", f.n_backward_ops);
    put_number("backward_values", f.n_backward_values);
    put_number("param_grads", f.n_param_grads);
    put_number("order_bound", f.order_bound);
    put_number("other_order", f.other_order);
    put_number("saved_by_sharing", f.saved_by_sharing);
    if (has_costs(plan)) {
        put_number("cost", f.cost);
        put_number("cost_bound", f.cost_bound);
    }
    put_recompute(plan, &f);
    put_base(plan);
    if (beside) {
        put_number("depth", f.depth);
        put_number("data_depth", f.data_depth);
        put_number("serial", f.serial);
    }
    put_close('}');
}

static int put_variant(const tenure_plan *plan) {
    tenure_variant v = {.struct_size = sizeof v};
    tenure_plan_get_variant(plan, &v);
    put_open('{');
    put_guard(plan);
    put_flag("reordered", v.reordered);
    if (v.concurrency != TENURE_SERIAL) {
        put_text("concurrency", v.concurrency == TENURE_QUEUES ? "queues" : "dataflow");
        put_number("queues", v.n_queues);
    }
    put_flag("partial", v.partial);
    put_dims(plan);
    put_by_data(plan);
    put_ids("inputs", v.inputs);
    put_ids("outputs", v.outputs);
    put_ids("fixed", v.fixed);
    put_memory(plan);
    int good = put_values(plan);
    good = put_steps(plan) && good;
    put_bindings(plan);
    put_figures(plan, v.concurrency != TENURE_SERIAL);
    put_close('}');
    return good;
}

static int put_plan(const tenure_plan *plan) {
    tenure_program program = {.struct_size = sizeof program};
    const tenure_plan *variant;
    int good = 1;
    put_nothing_yet();
    put_open('{');
    put_head(plan);
    put_pools(plan);
    put_key("programs");
    put_open('[');
    for (size_t i = 0; tenure_plan_program(plan, i, &program); i++) {
        put_item();
        put_open('{');
        put_text("name", program.name);
        put_key("variants");
        put_open('[');
        for (size_t k = 0; (variant = tenure_plan_variant(plan, i, k)) != NULL; k++) {
            put_item();
            good = put_variant(variant) && good;
        }
        put_close(']');
        put_close('}');
    }
    put_close(']');
    put_close('}');
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
