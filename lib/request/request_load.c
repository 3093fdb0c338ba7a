/* What may be asked of loading: what the inputs are, and the options of frontends. */
#include <string.h>

#include "frontends/core/relate.h"
#include "ir/base/limits.h"
#include "ir/base/quote.h"
#include "lib/op_facts.h"
#include "lib/request/request.h"

/* NAME=VALUE, or NAME:VALUE when there is no '='. The name is kept; NULL after a diagnostic. */
static const char *split(tn_set_ctx *c, const char *text, const char *wanted, const char **rest) {
    const char *name;
    if (!tn_pair_split(c->arena, text, "=:", true, &name, rest)) {
        tn_set_refuse(c, wanted, text);
        return NULL;
    }
    return name;
}

/* "8", "1..64", or "1..". */
static bool read_extents(tn_arena *arena, const char *text, tn_dim_binding *b) {
    const char *dots = strstr(text, "..");
    b->open = dots != NULL;
    b->max = INT64_MAX;
    if (dots == NULL) {
        return tn_text_to_int(text, &b->value) && b->value >= 0;
    }
    const char *low = tn_arena_strndup(arena, text, (size_t)(dots - text));
    return tn_text_to_int(low, &b->value) && b->value >= 0 &&
           (dots[2] == '\0' || (tn_text_to_int(dots + 2, &b->max) && b->max >= 0));
}

/* Calls `take(user, i, word)` for each word between commas, until one is refused. The number of
 * words, or UINT32_MAX. */
static uint32_t each_word(tn_arena *arena, const char *text,
                          bool (*take)(void *user, uint32_t i, const char *word), void *user) {
    uint32_t n = 0;
    char *copy = tn_arena_strndup(arena, text, strlen(text));
    for (char *at = copy; *text != '\0' && at != NULL; n++) {
        char *comma = strchr(at, ',');
        if (comma != NULL) {
            *comma = '\0';
        }
        if (!take(user, n, at)) {
            return UINT32_MAX;
        }
        at = comma != NULL ? comma + 1 : NULL;
    }
    return n;
}

static bool take_bucket(void *user, uint32_t i, const char *word) {
    int64_t *values = user;
    return i < TN_MAX_VARIANTS && tn_text_to_int(word, &values[i]) && values[i] >= 0;
}

/* "1,16,128" */
static tn_status add_buckets(tn_set_ctx *c, tn_request *r, const char *name, const char *value,
                             const char *list) {
    int64_t *values = TN_ARRAY(c->arena, int64_t, TN_MAX_VARIANTS);
    uint32_t n = each_word(c->arena, list, take_bucket, values);
    if (n == UINT32_MAX) {
        return tn_set_refuse(c,
                             tn_arena_printf(c->arena,
                                             "NAME=N,N,... with at most %u numbers of 0 "
                                             "or more",
                                             TN_MAX_VARIANTS),
                             value);
    }
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (values[i] == values[k]) {
                return tn_usage(tn_arena_ctx(c->arena), c->loc,
                                "%s: '%s' has the extent %lld twice", c->shown, name,
                                (long long)values[i]);
            }
        }
    }
    tn_vec_push(c->arena, &r->buckets, (tn_bucket_dim){name, values, n});
    return TN_OK;
}

static bool is_bound(const tn_request *r, const char *name) {
    for (uint32_t i = 0; i < r->dims.len; i++) {
        if (strcmp(r->dims.data[i].name, name) == 0) {
            return true;
        }
    }
    for (uint32_t i = 0; i < r->buckets.len; i++) {
        if (strcmp(r->buckets.data[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static tn_status add_dim(tn_set_ctx *c, void *target, const tn_setting *s, const char *value) {
    tn_request *r = target;
    const char *number;
    const char *name = split(c, value, s->arg, &number);
    if (name == NULL) {
        return TN_USAGE;
    }
    if (is_bound(r, name)) {
        return tn_usage(tn_arena_ctx(c->arena), c->loc, "%s: dimension '%s' is bound twice",
                        c->shown, name);
    }
    tn_dim_binding b = {.name = name};
    if (tn_is_relation(c->arena, number)) {
        b.is = tn_arena_strndup(c->arena, number, strlen(number));
        tn_vec_push(c->arena, &r->dims, b);
        return TN_OK;
    }
    if (strchr(number, ',') != NULL) {
        return add_buckets(c, r, name, value, number);
    }
    if (!read_extents(c->arena, number, &b)) {
        return tn_set_refuse(c,
                             "NAME=VALUE or NAME=MIN..MAX with numbers of 0 or more, or an "
                             "expression over other dimensions (total=past+sequence)",
                             value);
    }
    if (b.open && b.max < b.value) {
        return tn_usage(tn_arena_ctx(c->arena), c->loc,
                        "%s: no extent of '%s' is at least %lld and at most %lld", c->shown, name,
                        (long long)b.value, (long long)b.max);
    }
    tn_vec_push(c->arena, &r->dims, b);
    return TN_OK;
}

static bool take_extent(void *user, uint32_t i, const char *word) {
    int64_t *dims = user;
    return i < TN_MAX_RANK && tn_text_to_int(word, &dims[i]) && dims[i] >= -1;
}

/* "1,3,-1": at most TN_MAX_RANK numbers of -1 or more; "" is a scalar. */
static bool parse_shape(tn_set_ctx *c, const char *text, tn_input_shape *out) {
    int64_t *dims = TN_ARRAY(c->arena, int64_t, TN_MAX_RANK);
    out->rank = each_word(c->arena, text, take_extent, dims);
    out->dims = dims;
    return out->rank != UINT32_MAX;
}

static tn_status add_shape(tn_set_ctx *c, void *target, const tn_setting *s, const char *value) {
    tn_request *r = target;
    const char *list;
    const char *name = split(c, value, s->arg, &list);
    if (name == NULL) {
        return TN_USAGE;
    }
    tn_input_shape shape = {.name = name};
    if (!parse_shape(c, list, &shape)) {
        return tn_set_refuse(c, "NAME=N,N,... with numbers of -1 or more", value);
    }
    tn_vec_push(c->arena, &r->shapes, shape);
    return TN_OK;
}

typedef struct element_list {
    int64_t *ints;
    double *floats;
    bool whole;
} element_list;

/* A number, "true" or "false". */
static bool take_element(void *user, uint32_t i, const char *word) {
    element_list *l = user;
    if (i >= TN_MAX_CONTENT) {
        return false;
    }
    if (strcmp(word, "true") == 0 || strcmp(word, "false") == 0) {
        l->ints[i] = word[0] == 't';
        l->floats[i] = (double)l->ints[i];
        return true;
    }
    if (tn_text_to_int(word, &l->ints[i])) {
        l->floats[i] = (double)l->ints[i];
        return true;
    }
    l->whole = false;
    return tn_text_to_float(word, &l->floats[i]);
}

static tn_status add_value(tn_set_ctx *c, void *target, const tn_setting *s, const char *value) {
    tn_request *r = target;
    const char *list;
    const char *name = split(c, value, s->arg, &list);
    if (name == NULL) {
        return TN_USAGE;
    }
    element_list l = {.whole = true};
    l.ints = TN_ARRAY(c->arena, int64_t, TN_MAX_CONTENT);
    l.floats = TN_ARRAY(c->arena, double, TN_MAX_CONTENT);
    uint32_t n = each_word(c->arena, list, take_element, &l);
    if (n == UINT32_MAX) {
        return tn_set_refuse(c, "NAME=V,V,... with numbers, true or false", value);
    }
    tn_input_value v = {.name = name, .n = n, .floats = l.floats, .ints = l.whole ? l.ints : NULL};
    tn_vec_push(c->arena, &r->values, v);
    return TN_OK;
}

/* Which frontend reads the model is not known here: that one refuses what it does not understand.
 */
static tn_status set_frontend(tn_set_ctx *c, void *target, const tn_setting *s, const char *value) {
    tn_request *r = target;
    const tn_frontend_opt *option = tn_frontend_option(NULL, s->name);
    if (value != NULL && !tn_frontend_accepts(option, value)) {
        return tn_set_refuse(c, option->wanted, value);
    }
    tn_ctx *ctx = tn_arena_ctx(c->arena);
    tn_pair pair = {option->name, tn_intern(ctx, value != NULL ? value : "true")};
    tn_vec_push(c->arena, &r->frontend, pair);
    return TN_OK;
}

/* Relative paths are those of the caller: plans do not hold them. */
static tn_status add_file(tn_set_ctx *c, void *target, const tn_setting *s, const char *value) {
    return value[0] == '\0' ? tn_set_refuse(c, "a path", value) : tn_add_text(c, target, s, value);
}

static const tn_setting every_form[] = {
    {.name = "dim",
     .arg = "NAME=VALUE[,VALUE]...",
     .set = add_dim,
     .type = TN_SETTING_NUMBER_OF,
     .help =
         "bind the symbolic dimension NAME (NAME:VALUE is accepted too; repeatable), plan a "
         "variant for each of NAME=VALUE,VALUE,..., plan for every extent of NAME=MIN..MAX or "
         "NAME=MIN.., or say that it follows from others, as in total=past+sequence; `tenure dims "
         "MODEL` lists them"},
    {.name = "open",
     .set = tn_set_flag,
     .offset = offsetof(tn_request, open),
     .type = TN_SETTING_FLAG,
     .help = "plan for every extent, from 1 on, of the dimensions that are not bound"},
    {.name = "input-shape",
     .arg = "NAME=N,N,...",
     .set = add_shape,
     .type = TN_SETTING_NUMBERS_OF,
     .help = "give input NAME this shape; -1 leaves a dimension as it is (repeatable)"},
    {.name = "input-value",
     .arg = "NAME=V,V,...",
     .set = add_value,
     .type = TN_SETTING_NUMBERS_OF,
     .help = "plan for runs in which input NAME holds these elements; shapes and branches that "
             "depend on them become known (repeatable)"},
    {.name = "op-facts",
     .arg = "FILE",
     .set = add_file,
     .offset = offsetof(tn_request, op_facts),
     .type = TN_SETTING_FILES,
     .help = "what the kernels of the target need and promise beyond the op table: workspace, "
             "in-place, ops of their own, ops done in one go (docs/FACTS.md; repeatable)"},
    {0}};

const tn_setting *tn_request_load_table(tn_arena *arena) {
    TN_VEC(tn_setting) table = {0};
    for (const tn_setting *s = every_form; s->name != NULL; s++) {
        tn_vec_push(arena, &table, *s);
    }
    uint32_t n;
    const tn_frontend *const *all = tn_frontend_all(tn_arena_ctx(arena), &n);
    for (uint32_t i = 0; i < n; i++) {
        for (const tn_frontend_opt *o = all[i]->options; o != NULL && o->name != NULL; o++) {
            tn_setting s = {.name = o->name, .arg = o->arg, .set = set_frontend, .help = o->help};
            tn_vec_push(arena, &table, s);
        }
    }
    tn_vec_push(arena, &table, (tn_setting){0});
    return table.data;
}

tn_status tn_request_demand_one(const tn_request *r) {
    if (r->buckets.len == 0) {
        return TN_OK;
    }
    return tn_usage(tn_arena_ctx(r->arena), NULL,
                    "dimension '%s' has %u extents, a model has one: several are for `tenure plan` "
                    "(in programs tenure_plan_files), which plans a variant for each",
                    r->buckets.data[0].name, r->buckets.data[0].n);
}

static tn_op_set *read_facts(tn_ctx *ctx, const void *user) {
    const tn_request *r = user;
    return tn_op_facts_read(ctx, &r->op_facts);
}

tn_load_options tn_request_load_options(const tn_request *r) {
    bool has_rows = tn_ctx_extra(tn_arena_ctx(r->arena), TN_EXTRA_ROW, 0) != NULL;
    return (tn_load_options){.dims = r->dims.data,
                             .n_dims = r->dims.len,
                             .open_all = r->open,
                             .shapes = r->shapes.data,
                             .n_shapes = r->shapes.len,
                             .values = r->values.data,
                             .n_values = r->values.len,
                             .settings = r->frontend.data,
                             .n_settings = r->frontend.len,
                             .op_set = r->op_facts.len > 0 || has_rows ? read_facts : NULL,
                             .op_set_user = r};
}
