/* What backends say they carry and refuse (backends/core/features.def) is true: a fact is carried
 * if and only if the artefact changes with it, and a kind of plans is refused, with the message
 * stated, or taken. */
#include "backends/core/backend.h"

#include "tests/unit/plan_case.h"

#define SHORT "infer-shapes,schedule,pin,alias-views,inplace,reuse,insert-frees"
#define FULL                                                                                       \
    "infer-shapes,schedule,pin,alias-views{kinds=all},inplace{kinds=all},reuse,insert-frees"
#define ORDERED "infer-shapes,schedule,pin,alias-views,inplace{kinds=ordered},reuse,insert-frees"
#define INSIDE "infer-shapes,schedule,pin,reuse{overlap=rows-buffered},insert-frees"
#define SLOTTED "infer-shapes,schedule,pin,alias-views,inplace,reuse{memory=slots},insert-frees"

#define LOOP                                                                                       \
    "%last: f32[72], %rows: f32[3,72] = Loop(%three, _, %flat) {body = region 0}"                  \
    "  graph \"body\" { input %i: i64[] input %go: bool[] input %s: f32[72]"                       \
    "    %t: f32[72] = Exp(%s) %u: f32[72] = Neg(%t) return %go, %u, %t }"

static const char everything[] =
    "input %x: f32[1,2,6,6] input %n: f32[q] const %w: f32[2,2,3,3] = tensor(144 bytes)"
    "const %three: i64[] = tensor(8 bytes, ints [3]) "
    "const %shape: i64[1] = tensor(8 bytes, ints [72])"
    "%a: f32[1,2,6,6] = Conv(%x, %w) @\"conv\" {pads = [1,1,1,1]}"
    "%b: f32[1,2,6,6] = Relu(%a) @\"relu\" %c: f32[1,2,6,6] = Conv(%b, %w) {pads = [1,1,1,1]}"
    "%flat: f32[72] = Reshape(%c, %shape) "
    "%open: f32[q] = Neg(%n) " LOOP " return %last, %rows, %open";

/* ---- facts ---- */

static void lose_address(tn_plan *p) {
    for (uint32_t i = 0; i < p->n_storages; i++) {
        if (p->pools[p->storages[i].pool].kind == TN_POOL_ARENA && p->storages[i].offset > 0) {
            p->storages[i].offset = 0;
        }
    }
}

static void lose_seconds(tn_plan *p) {
    for (uint32_t i = 0; i < p->n_storages; i++) {
        p->storages[i].second = 0;
    }
}

static void lose_value_names(tn_plan *p) {
    for (uint32_t i = 0; i < p->n_values; i++) {
        p->values[i].name = tn_arena_printf(p->arena, "z%u", i);
    }
}

static void lose_step_names(tn_plan *p) {
    for (uint32_t i = 0; i < p->n_steps; i++) {
        p->steps[i].name = tn_arena_printf(p->arena, "z%u", i);
    }
}

static void lose_dtype(tn_plan *p) {
    for (uint32_t i = 0; i < p->n_values; i++) {
        p->values[i].dtype = TN_DT_BOOL;
    }
}

static void lose_dims(tn_plan *p) {
    for (uint32_t i = 0; i < p->n_values; i++) {
        int64_t *dims = TN_ARRAY(p->arena, int64_t, p->values[i].rank);
        for (uint32_t k = 0; k < p->values[i].rank; k++) {
            dims[k] = 7;
        }
        p->values[i].dims = dims;
    }
}

static void lose_interface(tn_plan *p) {
    p->inputs.len = p->outputs.len = 1;
}

static void lose_reason(tn_plan *p) {
    for (uint32_t i = 0; i < p->n_values; i++) {
        p->values[i].why = p->values[i].why != NULL ? "of something else" : NULL;
    }
}

static void lose_ranges(tn_plan *p) {
    for (uint32_t i = 0; i < p->n_storages; i++) {
        p->storages[i].last = (int32_t)p->n_steps - 1;
    }
}

static void lose_aliases(tn_plan *p) {
    for (uint32_t i = 0; i < p->n_values; i++) {
        p->values[i].alias = TN_ALIAS_NONE;
        p->values[i].alias_of = TN_NO_ID;
    }
}

static void lose_slots(tn_plan *p) {
    p->n_slots = 0;
    for (uint32_t i = 0; i < p->n_storages; i++) {
        p->storages[i].slot = TN_NO_ID;
    }
}

#define LOSE_OF_STEPS(name, what)                                                                  \
    static void lose_##name(tn_plan *p) {                                                          \
        for (uint32_t i = 0; i < p->n_steps; i++) {                                                \
            p->steps[i].what;                                                                      \
        }                                                                                          \
    }
LOSE_OF_STEPS(domain, domain = "elsewhere")
LOSE_OF_STEPS(op, op = "Other")
LOSE_OF_STEPS(version, version = 99)
LOSE_OF_STEPS(node, node = 77)
LOSE_OF_STEPS(operands, operands.len = 0)
LOSE_OF_STEPS(results, results.len = 0)
LOSE_OF_STEPS(attributes, n_attrs = 0)
LOSE_OF_STEPS(claims, n_claims = 0)
LOSE_OF_STEPS(idle, idle = false)
LOSE_OF_STEPS(bodies, n_bodies = 0)
LOSE_OF_STEPS(moves, n_moves = 0)
LOSE_OF_STEPS(frees, frees.len = 0)
LOSE_OF_STEPS(after, after = NULL)
LOSE_OF_STEPS(hazards, hazards.len = 0)
LOSE_OF_STEPS(queues, queue = 0)
LOSE_OF_STEPS(clones, clone_of = TN_NO_ID)

static void lose_concurrency(tn_plan *p) {
    p->concurrency = TN_SERIAL;
}

static void lose_first_values(tn_plan *p) {
    for (uint32_t i = 0; i < p->n_values; i++) {
        p->values[i].clone_of = TN_NO_ID;
    }
}

static void lose_fixed(tn_plan *p) {
    p->fixed.len = 0;
}

static void lose_order(tn_plan *p) {
    p->reordered = false;
}

static void lose_bindings(tn_plan *p) {
    p->n_bindings = 0;
}

static void lose_bound(tn_plan *p) {
    p->n_dims = 0;
}

static void lose_workspace(tn_plan *p) {
    p->steps[0].n_workspace = 0;
}

static void lose_way(tn_plan *p) {
    static const tn_plan_workspace other = {1, false, "other"};
    p->steps[1].workspace = &other;
}

static void lose_parts(tn_plan *p) {
    p->steps[0].n_parts = 0;
}

static void lose_digest(tn_plan *p) {
    p->digest = "";
}

static void lose_figures(tn_plan *p) {
    p->report.naive++;
}

/* A fact of several parts is carried when all of them are. */
static const struct loss {
    tn_plan_fact fact;
    void (*lose)(tn_plan *p);
} losses[] = {
    {TN_FACT_ADDRESSES, lose_address},     {TN_FACT_SECONDS, lose_seconds},
    {TN_FACT_NAMES, lose_value_names},     {TN_FACT_OPS, lose_step_names},
    {TN_FACT_TYPES, lose_dtype},           {TN_FACT_TYPES, lose_dims},
    {TN_FACT_INTERFACE, lose_interface},   {TN_FACT_FIXED, lose_fixed},
    {TN_FACT_UNPLANNED, lose_reason},      {TN_FACT_RANGES, lose_ranges},
    {TN_FACT_ALIASES, lose_aliases},       {TN_FACT_SLOTS, lose_slots},
    {TN_FACT_NODES, lose_domain},          {TN_FACT_OPS, lose_op},
    {TN_FACT_NODES, lose_version},         {TN_FACT_NODES, lose_node},
    {TN_FACT_OPERANDS, lose_operands},     {TN_FACT_OPERANDS, lose_results},
    {TN_FACT_ATTRIBUTES, lose_attributes}, {TN_FACT_CLAIMS, lose_claims},
    {TN_FACT_WORKSPACE, lose_workspace},   {TN_FACT_WORKSPACE, lose_way},
    {TN_FACT_FUSED, lose_parts},           {TN_FACT_IDLE, lose_idle},
    {TN_FACT_BODIES, lose_bodies},         {TN_FACT_MOVES, lose_moves},
    {TN_FACT_FREES, lose_frees},           {TN_FACT_FREES, lose_after},
    {TN_FACT_HAZARDS, lose_hazards},       {TN_FACT_QUEUES, lose_queues},
    {TN_FACT_QUEUES, lose_concurrency},    {TN_FACT_CLONES, lose_clones},
    {TN_FACT_CLONES, lose_first_values},   {TN_FACT_REORDERED, lose_order},
    {TN_FACT_BINDINGS, lose_bindings},     {TN_FACT_DIMS, lose_bound},
    {TN_FACT_DIGEST, lose_digest},         {TN_FACT_FIGURES, lose_figures},
};
enum { N_LOSSES = sizeof losses / sizeof losses[0] };

/* Facts that no pass of the case makes are put in by hand. */
static tn_plan *full_plan(tn_ctx *ctx) {
    static const tn_plan_binding binding = {"x", 3};
    static const tn_plan_dim dim = {"batch", 1};
    static const tn_plan_workspace workspace = {0, false, "fast"}, less = {1, false, "small"};
    static const tn_plan_node parts[] = {{0, "conv", "", "Conv", 17, 0},
                                         {1, "relu", "", "Relu", 17, 0}};
    tn_plan *p = case_plan(ctx, everything, SLOTTED).p;
    p->storages[p->values[p->inputs.data[0]].storage].size += 1024;
    p->storages[p->values[p->inputs.data[0]].storage].second = 1024;
    p->steps[0].workspace = &workspace;
    p->steps[1].workspace = &less;
    p->steps[0].n_workspace = p->steps[1].n_workspace = 1;
    p->steps[0].parts = parts;
    p->steps[0].n_parts = 2;
    p->reordered = true;
    p->steps[2].clone_of = 0;
    p->values[p->steps[2].results.data[0]].clone_of = p->steps[0].results.data[0];
    p->concurrency = TN_QUEUES;
    p->n_queues = 2;
    p->steps[p->n_steps - 1].queue = 1;
    p->bindings = tn_arena_regrow(p->arena, &binding, 1, 1, sizeof binding);
    p->dims = tn_arena_regrow(p->arena, &dim, 1, 1, sizeof dim);
    p->n_bindings = p->n_dims = 1;
    p->fixed = p->inputs;
    p->model = "m";
    p->version = "0";
    p->pipeline = SLOTTED;
    p->digest = "0123456789abcdef";
    tn_plan_step *last = &p->steps[p->n_steps - 1];
    tn_ids first = {tn_arena_regrow(p->arena, (uint32_t[]){0}, 1, 1, sizeof(uint32_t)), 1};
    if (last->frees.len == 0) {
        last->frees = first;
    }
    last->after = tn_arena_regrow(p->arena, &first, 1, 1, sizeof first);
    last->frees.len = 1;
    return p;
}

static tn_backend_args args_of(tn_arena *a, const tn_backend *b, bool takes_all) {
    tn_backend_args args = tn_backend_defaults(a, b);
    if (takes_all && strncmp(b->name, "opencl", 6) == 0) {
        assert_int_equal(tn_backend_set(a, b, "test", "mode=offsets", &args), TN_OK);
    }
    return args;
}

static const char *printed(tn_arena *a, const tn_backend *b, const tn_plan *p) {
    tn_backend_args args = args_of(a, b, true);
    tn_sink out = tn_sink_make(a);
    tn_put(&out, "");
    assert_int_equal(tn_backend_print(b, p, NULL, &args, &out), TN_OK);
    return out.data;
}

static tn_status facts(tn_ctx *ctx, void *arg) {
    (void)arg;
    uint32_t n, wrong = 0;
    const tn_backend *const *all = tn_backend_all(NULL, &n);
    tn_arena *a = tn_arena_new(ctx);
    for (uint32_t i = 0; i < n; i++) {
        if (all[i]->needs_model) {
            continue;
        }
        uint32_t carried = TN_CARRIES_ALL;
        const char *whole = printed(a, all[i], full_plan(ctx));
        for (size_t k = 0; k < N_LOSSES; k++) {
            tn_plan *p = full_plan(ctx);
            losses[k].lose(p);
            if (strcmp(printed(a, all[i], p), whole) == 0) {
                carried &= ~(1u << losses[k].fact);
            }
        }
        for (unsigned f = 0; f < TN_FACT_COUNT; f++) {
            if ((carried ^ all[i]->carries) >> f & 1u) {
                print_error("%s %s: %s\n", all[i]->name,
                            carried >> f & 1u ? "carries" : "does not carry",
                            tn_plan_fact_text((tn_plan_fact)f));
            }
        }
        wrong += carried != all[i]->carries;
    }
    assert_int_equal(wrong, 0);
    return TN_OK;
}

/* ---- kinds of plans ---- */

static const struct kind_case {
    tn_plan_kind kind;
    const char *head, *body, *passes;
    bool io_in_arena;
    uint64_t align;
} kinds[] = {
    {TN_KIND_SLOTTED, "", "input %x: f32[8] %a = Exp(%x) %b = Exp(%a) return %b", SLOTTED, false,
     128},
    {TN_KIND_IO_IN_ARENA, "", "input %x: f32[8] %a = Exp(%x) %b = Exp(%a) return %b", SHORT, true,
     128},
    {TN_KIND_OPEN, "", "input %x: f32[8] input %n: f32[q] %a = Exp(%x) %b = Neg(%n) return %a, %b",
     SHORT, false, 128},
    {TN_KIND_RANGES, "", "input %x: f32[q] %a = Exp(%x) %b = Exp(%a) return %b", SHORT, false, 128},
    {TN_KIND_BY_DATA, "", "input %x: f32[8] %a: i64[1,?] = NonZero(%x) %b = Neg(%a) return %b",
     SHORT, false, 128},
    {TN_KIND_SETS, "", "input %x: f32[8] %a = Exp(%x) %b = Exp(%a) return %b", SHORT, false, 128},
    {TN_KIND_PACKED, "", "input %x: i4[9] %a = Neg(%x) %b = Neg(%a) return %b", SHORT, false, 128},
    {TN_KIND_NESTED, "",
     "input %flat: f32[72] const %three: i64[] = tensor(8 bytes, ints [3])" LOOP
     " return %last, %rows",
     SHORT, false, 128},
    {TN_KIND_CALLS, "opset \"fn\" 1",
     "input %x: f32[8] %a = Exp(%x) %b: f32[8] = fn::F@1(%a) graph \"F\" path \"F_1/F\" {"
     "input %p: f32[8] %q: f32[8] = Neg(%p) return %q } return %b",
     SHORT, false, 128},
    {TN_KIND_PARTS, "",
     "input %x: f32[1,64] const %s: i64[2] = tensor(16 bytes, ints [32, 32]) %a = Exp(%x)"
     "%p: f32[1,32], %q: f32[1,32] = Split(%a, %s) {axis = 1} %y = Exp(%p) %z = Exp(%q)"
     "return %y, %z",
     FULL, false, 128},
    {TN_KIND_FINE, "",
     "input %x: f32[4] %a = Exp(%x) %b = Exp(%a) %c = Exp(%b) %d = Add(%b, %c) return %d",
     "infer-shapes,schedule,pin,reuse,insert-frees", false, 16},
    {TN_KIND_ORDERED, "",
     "input %x: f32[64] %a = Exp(%x) %b: u8[64] = Cast(%a) {to = 2}"
     "%c: i32[64] = Cast(%b) {to = 6} %d = Abs(%c) return %d",
     ORDERED, false, 128},
    {TN_KIND_LAST, "",
     "input %x: f32[1,2,6,6] const %w: f32[2,2,3,3] = tensor(144 bytes) "
     "%a: f32[1,2,6,6] = Conv(%x, %w) {pads = [1,1,1,1]} %b = Exp(%a) return %b",
     SHORT, false, 128},
    {TN_KIND_INSIDE, "",
     "input %x: f32[64,16] const %v: f32[16,64] = tensor(4096 bytes) "
     "const %w: f32[64,4] = tensor(1024 bytes) %a = Exp(%x) %b: f32[64,64] = MatMul(%a, %v) "
     "%c: f32[64,4] = MatMul(%b, %w) %d = Exp(%c) return %d",
     INSIDE, false, 128},
    {TN_KIND_GATHERED, "",
     "input %x: f32[1,64] %a = Relu(%x) %c: f32[1,128] = Concat(%a, %x) {axis = 1}"
     "%b: f32[1,1] = ReduceSum(%c) %d = Exp(%c) %e: f32[1,128] = Add(%d, %b) return %e",
     FULL, false, 128},
};

/* Two programs of the one plan. */
static void make_set(tn_plan *p, tn_arena *a) {
    tn_plan_set *set = TN_NEW(a, tn_plan_set);
    set->programs = TN_ARRAY(a, tn_plan_program, 2);
    for (unsigned i = 0; i < 2; i++) {
        tn_plan **variants = TN_ARRAY(a, tn_plan *, 1);
        variants[0] = p;
        set->programs[i] = (tn_plan_program){
            .name = i == 0 ? "one" : "two", .variants = variants, .n_variants = 1};
    }
    set->n_programs = 2;
    set->pools = p->pools;
    p->set = set;
}

/* All files of an artefact, one behind the other. */
static tn_sink *open_any(void *user, const char *name) {
    (void)name;
    return user;
}

static void hold_to(tn_ctx *ctx, const tn_backend *b, const struct kind_case *k) {
    tn_controls controls = tn_controls_default();
    controls.io_in_arena = k->io_in_arena;
    controls.align = k->align;
    controls.channels_last = k->kind == TN_KIND_LAST;
    tn_module *m = case_parse(ctx, k->head, k->body);
    if (k->kind == TN_KIND_RANGES) {
        tn_dims_open(m->dims, (tn_dim_range){"q", 1, 64, 37});
    }
    plan_case c = case_run(m, k->passes, &controls);
    assert_int_equal(c.status, TN_OK);
    c.p->model = c.p->version = c.p->pipeline = "m";
    c.p->digest = "";
    tn_arena *a = tn_arena_new(ctx);
    if (k->kind == TN_KIND_SETS) {
        make_set(c.p, a);
    }
    tn_backend_args args = args_of(a, b, false);
    tn_sink out = tn_sink_make(a);
    tn_outlet outlet = {.name = "made.txt", .open = open_any, .user = &out};
    const char *refusal = tn_backend_refusal(b, k->kind);
    case_log.len = 0;
    case_log.text[0] = 0;
    tn_status status = tn_backend_emit(b, c.p, NULL, &args, &outlet);
    if (status != (refusal != NULL ? TN_ERROR : TN_OK) ||
        (refusal != NULL && strstr(case_log.text, refusal) == NULL)) {
        fail_msg("%s, %s: status %d, %s", b->name, tn_plan_kind_text(k->kind), (int)status,
                 case_log.text);
    }
}

static tn_status kinds_of_plans(tn_ctx *ctx, void *arg) {
    (void)arg;
    uint32_t n;
    const tn_backend *const *all = tn_backend_all(NULL, &n);
    assert_int_equal(sizeof kinds / sizeof kinds[0], TN_KIND_COUNT);
    for (uint32_t i = 0; i < n; i++) {
        for (size_t k = 0; k < TN_KIND_COUNT && !all[i]->needs_model; k++) {
            hold_to(ctx, all[i], &kinds[k]);
        }
    }
    return TN_OK;
}

int main(void) {
    const struct CMUnitTest tests[] = {CASE(facts), CASE(kinds_of_plans)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
