#include <string.h>

#include "ir/mutate.h"
#include "tests/random/gen_t.h"

static const tn_dtype dtypes[] = {TN_DT_FLOAT, TN_DT_FLOAT,  TN_DT_FLOAT, TN_DT_FLOAT16,
                                  TN_DT_INT8,  TN_DT_DOUBLE, TN_DT_INT64, TN_DT_BOOL,
                                  TN_DT_INT4,  TN_DT_UINT2,  TN_DT_UINT8};

/* Of an extent that is open, when sizes are to be kept small. */
enum { ASSUMED = 6 };

/* ---- values ---- */

static tn_dim dim_of(gen *g, int64_t extent) {
    return extent >= GEN_OPEN ? (tn_dim)(extent - GEN_OPEN) : tn_dim_const(g->m->dims, extent);
}

static int64_t extent_of(gen *g, tn_dim dim) {
    int64_t number;
    return tn_dim_is_const(g->m->dims, dim, &number) ? number : GEN_OPEN + dim;
}

int64_t gen_plus(gen *g, int64_t a, int64_t b) {
    return extent_of(g, tn_dim_add(g->m->dims, dim_of(g, a), dim_of(g, b)));
}

int64_t gen_times(gen *g, int64_t a, int64_t b) {
    return extent_of(g, tn_dim_mul(g->m->dims, dim_of(g, a), dim_of(g, b)));
}

int64_t gen_parts(gen *g, int64_t a, int64_t b) {
    tn_dims *d = g->m->dims;
    bool whole = extent_of(g, tn_dim_mod(d, dim_of(g, a), dim_of(g, b))) == 0;
    return whole ? extent_of(g, tn_dim_floordiv(d, dim_of(g, a), dim_of(g, b))) : -1;
}

int64_t gen_elements(gen *g, const gen_value *v) {
    int64_t n = 1;
    for (uint32_t i = 0; i < v->rank; i++) {
        n = gen_times(g, n, v->dims[i]);
    }
    return n;
}

bool gen_is_fixed(uint32_t rank, const int64_t *dims) {
    for (uint32_t i = 0; i < rank; i++) {
        if (dims[i] >= GEN_OPEN) {
            return false;
        }
    }
    return true;
}

bool gen_fits(tn_dtype dtype, uint32_t rank, const int64_t *dims) {
    int64_t bits = tn_dtype_get(dtype)->bits;
    for (uint32_t i = 0; i < rank; i++) {
        bool open = dims[i] >= GEN_OPEN;
        if (dims[i] > 64 && !open) {
            return false;
        }
        bits *= open ? ASSUMED : dims[i];
    }
    return rank <= GEN_MAX_RANK && bits <= 8 * GEN_MAX_BYTES;
}

bool gen_same_type(const gen_value *a, const gen_value *b) {
    return !a->open && !b->open && a->dtype == b->dtype && a->rank == b->rank &&
           memcmp(a->dims, b->dims, a->rank * sizeof *a->dims) == 0;
}

gen_value gen_pick(gen *g) {
    uint32_t n = g->reach.len - g->reach_from, near = n < 5 ? n : 5;
    uint32_t back = rng_below(&g->random, rng_chance(&g->random, 65) ? near : n);
    return g->reach.data[g->reach.len - 1 - back];
}

bool gen_pick_like(gen *g, const gen_value *like, gen_value *out) {
    uint32_t found = 0;
    for (uint32_t i = g->reach_from; i < g->reach.len; i++) {
        if (gen_same_type(&g->reach.data[i], like) && rng_below(&g->random, ++found) == 0) {
            *out = g->reach.data[i];
        }
    }
    return found > 0;
}

/* ---- building ---- */

const char *gen_name(gen *g) {
    static const char *const forms[] = {"v%u",         "v%u", "v%u",      "/layer/%u",
                                        "odd name %u", "%u",  "q\"\\%u*/"};
    uint32_t form = rng_below(&g->random, 60);
    const char *name = "v%u";
    char text[32];
    name = form < sizeof forms / sizeof forms[0] ? forms[form] : name;
    size_t n = strcspn(name, "%");
    memcpy(text, name, n);
    const char *number = tn_internf(g->m->ctx, "%u", g->n_names++);
    memcpy(text + n, number, strlen(number));
    strcpy(text + n + strlen(number), name + n + 2);
    return tn_intern(g->m->ctx, text);
}

const tn_type *gen_type(gen *g, const gen_value *v) {
    tn_dim dims[GEN_MAX_RANK];
    for (uint32_t i = 0; i < v->rank; i++) {
        dims[i] = dim_of(g, v->dims[i]);
    }
    return tn_type_tensor(g->m->arena, v->dtype, v->rank, dims);
}

void gen_expect(gen *g, const tn_value *v, const tn_type *type) {
    while (g->expected.len <= v->id) {
        tn_vec_push(g->m->arena, &g->expected, NULL);
    }
    g->expected.data[v->id] = type;
}

tn_op *gen_op(gen *g, const char *domain, const char *type) {
    int64_t version = domain[0] == '\0' ? g->opset : 1;
    tn_loc loc = {.node = (int32_t)g->graph->n_ops};
    const char *name = rng_chance(&g->random, 20) ? gen_name(g) : "";
    g->budget -= g->budget > 0;
    return tn_op_new(g->graph, domain, type, version, name, loc);
}

static gen_value in_reach(gen *g, gen_value v) {
    tn_vec_push(g->m->arena, &g->reach, v);
    return v;
}

static gen_value make_value(tn_dtype dtype, uint32_t rank, const int64_t *dims) {
    gen_value v = {.dtype = dtype, .rank = rank};
    for (uint32_t i = 0; i < rank; i++) {
        v.dims[i] = dims[i];
    }
    return v;
}

gen_value gen_result_named(gen *g, tn_op *op, const char *name, const gen_value *like) {
    gen_value v = *like;
    const tn_type *type = gen_type(g, &v);
    /* Ops the library does not know must state what they make. */
    bool stated = (op->code == TN_OP_EXTERN && op->n_regions == 0) || rng_chance(&g->random, 30);
    v.v = tn_op_add_result(op, name, stated ? type : NULL);
    gen_expect(g, v.v, type);
    return in_reach(g, v);
}

gen_value gen_result(gen *g, tn_op *op, tn_dtype dtype, uint32_t rank, const int64_t *dims) {
    gen_value v = make_value(dtype, rank, dims);
    return gen_result_named(g, op, gen_name(g), &v);
}

gen_value gen_result_like(gen *g, tn_op *op, const gen_value *like) {
    if (like->open) {
        return gen_result_open(g, op, NULL);
    }
    return gen_result(g, op, like->dtype, like->rank, like->dims);
}

gen_value gen_result_open(gen *g, tn_op *op, const tn_type *type) {
    gen_value v = {.open = true};
    v.v = tn_op_add_result(op, gen_name(g), type);
    gen_expect(g, v.v, NULL);
    return in_reach(g, v);
}

gen_value gen_input(gen *g, const char *name, tn_dtype dtype, uint32_t rank, const int64_t *dims) {
    gen_value v = make_value(dtype, rank, dims);
    const tn_type *type = gen_type(g, &v);
    v.v = tn_graph_add_input(g->graph, name, type);
    gen_expect(g, v.v, type);
    return in_reach(g, v);
}

gen_value gen_parameter(gen *g, const gen_value *like) {
    gen_value v = *like;
    const tn_type *type = gen_type(g, &v);
    bool typed = rng_chance(&g->random, 30);
    v.v = tn_graph_add_input(g->graph, gen_name(g), typed ? type : NULL);
    gen_expect(g, v.v, type);
    return in_reach(g, v);
}

/* ---- constants and attributes ---- */

static tn_tensor *make_tensor(gen *g, tn_dtype dtype, uint32_t rank, const int64_t *dims) {
    tn_tensor *t = TN_NEW(g->m->arena, tn_tensor);
    t->dtype = dtype;
    t->rank = rank;
    t->dims = tn_arena_regrow(g->m->arena, dims, rank, rank, sizeof *dims);
    t->n_elements = 1;
    for (uint32_t i = 0; i < rank; i++) {
        t->n_elements *= (uint64_t)dims[i];
    }
    t->bytes = (t->n_elements * tn_dtype_get(dtype)->bits + 7) / 8;
    return t;
}

static bool same_ints(const tn_value *v, uint32_t rank, uint32_t n, const int64_t *ints) {
    const tn_tensor *t = v->tensor;
    return t->dtype == TN_DT_INT64 && t->rank == rank && t->n_elements == n && t->ints != NULL &&
           memcmp(t->ints, ints, n * sizeof *ints) == 0;
}

/* An equal constant made before serves again, as exporters do; or else a new initializer, of the
 * graph at hand or the main one, or the result of a Constant op. */
tn_value *gen_ints(gen *g, uint32_t rank, uint32_t n, const int64_t *ints) {
    for (uint32_t i = 0; i < g->constants.len && !g->in_function && rng_chance(&g->random, 80);
         i++) {
        if (same_ints(g->constants.data[i].v, rank, n, ints)) {
            return g->constants.data[i].v;
        }
    }
    tn_tensor *t = make_tensor(g, TN_DT_INT64, rank, &(int64_t){n});
    t->ints = tn_arena_regrow(g->m->arena, ints, n, n, sizeof *ints);
    gen_value v = make_value(TN_DT_INT64, rank, &(int64_t){n});
    if (rng_chance(&g->random, 10)) {
        tn_op *reader = g->graph->last, *op = gen_op(g, "", "Constant");
        tn_op_add_attr(op, (tn_attr){.name = "value", .kind = TN_ATTR_TENSOR, .u.t = t});
        v.v = tn_op_add_result(op, gen_name(g), NULL);
        if (reader != NULL) { /* it may be there already */
            tn_op_move_before(op, reader);
        }
    } else {
        bool here = g->in_function || rng_chance(&g->random, 25);
        v.v = tn_graph_add_const(here ? g->graph : g->m->main, gen_name(g), t);
        if (v.v->graph == g->m->main) {
            tn_vec_push(g->m->arena, &g->constants, v);
        }
    }
    gen_expect(g, v.v, gen_type(g, &v));
    return v.v;
}

tn_value *gen_int(gen *g, int64_t i) {
    return gen_ints(g, 0, 1, &i);
}

tn_value *gen_list(gen *g, int64_t i) {
    return gen_ints(g, 1, 1, &i);
}

gen_value gen_weights(gen *g, const char *name, tn_dtype dtype, uint32_t rank,
                      const int64_t *dims) {
    gen_value v = make_value(dtype, rank, dims);
    v.v = tn_graph_add_const(g->graph, name, make_tensor(g, dtype, rank, dims));
    gen_expect(g, v.v, gen_type(g, &v));
    return in_reach(g, v);
}

void gen_attr_ints(gen *g, tn_op *op, const char *name, uint32_t n, const int64_t *ints) {
    const int64_t *kept = tn_arena_regrow(g->m->arena, ints, n, n, sizeof *ints);
    tn_op_add_attr(op, (tn_attr){.name = name, .kind = TN_ATTR_INTS, .n = n, .u.ints = kept});
}

void gen_attr_string(gen *g, tn_op *op, const char *name, const char *text) {
    tn_string s = {tn_arena_strndup(g->m->arena, text, strlen(text)), (uint32_t)strlen(text)};
    tn_op_add_attr(op, (tn_attr){.name = name, .kind = TN_ATTR_STRING, .u.s = s});
}

/* ---- the whole ---- */

static bool try_maker(gen *g, const gen_maker *makers, uint32_t *at) {
    for (const gen_maker *k = makers; k->weight > 0; k++) {
        if (*at < k->weight) {
            return k->make(g);
        }
        *at -= k->weight;
    }
    return false;
}

static uint32_t total(const gen_maker *makers) {
    uint32_t sum = 0;
    for (; makers->weight > 0; makers++) {
        sum += makers->weight;
    }
    return sum;
}

enum { WINDOWS = 40 }; /* per cent of the ops of modules with images */

void gen_step(gen *g) {
    const gen_maker *kinds[] = {gen_math_makers, gen_move_makers, gen_nest_makers, gen_odd_makers};
    static const uint32_t shares[] = {48, 41, 8, 3};
    for (uint32_t tries = 0; tries < 8; tries++) {
        if (g->images && rng_chance(&g->random, WINDOWS)) {
            uint32_t at = rng_below(&g->random, total(gen_window_makers));
            if (try_maker(g, gen_window_makers, &at)) {
                return;
            }
        }
        uint32_t share = rng_below(&g->random, 100), kind = 0;
        while (share >= shares[kind]) {
            share -= shares[kind++];
        }
        uint32_t at = rng_below(&g->random, total(kinds[kind]));
        if (try_maker(g, kinds[kind], &at)) {
            return;
        }
    }
}

void gen_fill(gen *g, uint32_t until) {
    for (uint32_t tries = 0; g->budget > until && tries < 200; tries++) {
        gen_step(g);
    }
}

/* Extents that several inputs have. */
static void draw_extents(gen *g, bool symbols, int64_t *base) {
    static const char *const names[] = {"batch", "n", "seq"};
    for (uint32_t k = 0; k < GEN_MAX_RANK; k++) {
        base[k] = 1 + rng_below(&g->random, 6);
        if (symbols && (k == 0 || rng_chance(&g->random, 50))) {
            base[k] = extent_of(g, tn_dim_sym(g->m->dims, names[rng_below(&g->random, 3)]));
        }
    }
}

static void add_inputs(gen *g, bool symbols) {
    uint32_t n = 1 + rng_below(&g->random, 3);
    int64_t base[GEN_MAX_RANK];
    draw_extents(g, symbols, base);
    for (uint32_t i = 0; i < n; i++) {
        int64_t dims[GEN_MAX_RANK];
        uint32_t rank = rng_below(&g->random, 5);
        for (uint32_t k = 0; k < rank; k++) {
            uint32_t dice = rng_below(&g->random, 20);
            dims[k] = dice == 0 ? 0 : dice < 4 ? 1 : dice < 8 ? 8 : base[k];
        }
        tn_dtype dtype = dtypes[rng_below(&g->random, sizeof dtypes / sizeof dtypes[0])];
        const char *name = gen_name(g);
        if (!gen_fits(dtype, rank, dims)) {
            rank = 1;
        }
        if (rng_chance(&g->random, 25) && gen_is_fixed(rank, dims)) {
            gen_weights(g, name, dtype, rank, dims);
        } else {
            gen_input(g, name, dtype, rank, dims);
        }
    }
    gen_input(g, gen_name(g), TN_DT_FLOAT, 2, (int64_t[]){symbols ? base[0] : 4, 8});
}

/* Of a few bytes a place, as convolutions of small devices have them. */
static void add_image(gen *g) {
    static const tn_dtype types[] = {TN_DT_FLOAT, TN_DT_INT8, TN_DT_FLOAT16};
    int64_t dims[4] = {1 + rng_chance(&g->random, 20)};
    dims[1] = 1 + rng_below(&g->random, 4);
    dims[2] = 2 + rng_below(&g->random, 6);
    dims[3] = 2 + rng_below(&g->random, 6);
    tn_dtype dtype = types[rng_below(&g->random, 3)];
    gen_input(g, gen_name(g), dtype, 4, dims);
}

static void add_open_input(gen *g) {
    tn_dim dims[] = {tn_dim_sym(g->m->dims, "n"), tn_dim_const(g->m->dims, 4)};
    gen_value v = {.open = true};
    const tn_type *type = tn_type_tensor(g->m->arena, TN_DT_FLOAT, 2, dims);
    v.v = tn_graph_add_input(g->graph, gen_name(g), type);
    gen_expect(g, v.v, type);
    in_reach(g, v);
}

/* Outputs: some of what was made, be it read inside or not; now and then an input or a constant
 * itself, as exporters write too. What is left out may end up read by nobody. */
static void add_outputs(gen *g) {
    uint32_t n = 1 + rng_below(&g->random, 3);
    for (uint32_t i = 0; i < n; i++) {
        tn_value *v = gen_pick(g).v;
        bool made = v->kind == TN_VALUE_RESULT || rng_chance(&g->random, 10);
        if (made && (v->flags & TN_VF_OUTPUT) == 0) {
            tn_graph_add_output(g->m->main, v);
        }
    }
    for (uint32_t i = g->reach.len; g->m->main->n_outputs == 0 && i-- > 0;) {
        tn_value *v = g->reach.data[i].v;
        if (v->kind == TN_VALUE_RESULT || i == 0) {
            tn_graph_add_output(g->m->main, v);
        }
    }
}

gen_module gen_make(tn_ctx *ctx, uint64_t seed, uint32_t n_ops, bool symbols) {
    static const int64_t opsets[] = {13, 17, 18, 21};
    gen g = {.random = {seed}, .budget = n_ops, .symbols = symbols};
    g.m = tn_module_new(ctx, "random", NULL);
    g.graph = g.m->main;
    g.opset = opsets[rng_below(&g.random, 4)];
    tn_module_add_opset(g.m, "", g.opset);
    tn_module_add_opset(g.m, "com.microsoft", 1);
    tn_module_add_opset(g.m, "ai.onnx.preview.training", 1);
    add_inputs(&g, symbols);
    rng apart = {seed ^ 0x1a6e}; /* so that the others are what they were without images */
    g.images = !symbols && rng_chance(&apart, 50);
    if (g.images) {
        add_image(&g);
    }
    if (!symbols && rng_chance(&g.random, 8)) {
        add_open_input(&g);
    }
    if (!symbols && rng_chance(&g.random, 20)) {
        gen_training(&g);
    }
    if (!symbols && rng_chance(&apart, 25)) {
        gen_fill(&g, n_ops / 2);
        (void)gen_rooms(&g);
    }
    gen_fill(&g, 0);
    add_outputs(&g);
    while (g.expected.len < g.m->n_values) {
        tn_vec_push(g.m->arena, &g.expected, NULL);
    }
    return (gen_module){g.m, g.expected.data};
}
