/* The checker: right plans pass, and each way of being wrong is reported with the tensors and steps
 * it is about. */
#include "ir/check/check.h"

#include "tests/unit/hand_plan.h"

enum { X, X2, SHAPE, A, B, V, S, C, D, Y1, G, Y2, N_VALUES };
enum { ARENA, IO, CONSTS };
enum { R1, R2, RS, RB, R3, ADD, R4, R5, R6, N_STEPS };

/* a = relu x; b over a; v a view of b; c, d = c + s over c; then g takes the bytes of a, b, v. */
static tn_module *module_of(tn_ctx *ctx, bool late_reader) {
    tn_module *m = tn_module_new(ctx, "hand", "hand.onnx");
    tn_graph *g = m->main;
    const tn_type *square = HAND_TYPE(m, FLOAT, 4, 16), *flat = HAND_TYPE(m, FLOAT, 64);
    const tn_type *row = HAND_TYPE(m, FLOAT, 16);
    tn_value *x = tn_graph_add_input(g, "x", square), *x2 = tn_graph_add_input(g, "x2", row);
    tn_value *shape = HAND_CONST(g, "shape", 64);
    tn_value *a = tn_op_add_result(hand_op(g, "Relu", "r1", x, NULL, NULL), "a", square);
    tn_value *b = tn_op_add_result(hand_op(g, "Relu", "r2", a, NULL, NULL), "b", square);
    tn_value *v = tn_op_add_result(hand_op(g, "Reshape", "rs", b, shape, NULL), "v", flat);
    tn_value *s = tn_op_add_result(hand_op(g, "Relu", "rb", x2, NULL, NULL), "s", row);
    tn_value *c = tn_op_add_result(hand_op(g, "Relu", "r3", x, NULL, NULL), "c", square);
    tn_value *d = tn_op_add_result(hand_op(g, "Add", "add", c, s, NULL), "d", square);
    tn_value *y1 = tn_op_add_result(hand_op(g, "Relu", "r4", v, NULL, NULL), "y1", flat);
    tn_op *r5 =
        late_reader ? hand_op(g, "Add", "r5", d, a, NULL) : hand_op(g, "Relu", "r5", d, NULL, NULL);
    tn_value *late = tn_op_add_result(r5, "g", square);
    tn_value *y2 = tn_op_add_result(hand_op(g, "Relu", "r6", late, NULL, NULL), "y2", square);
    tn_graph_add_output(g, y1);
    tn_graph_add_output(g, y2);
    return m;
}

static const hand_value rows[N_VALUES] = {
    [X] = {"", "x", TN_ROLE_INPUT, 0, 0, -1, N_STEPS, NONE, TN_ALIAS_NONE, NONE},
    [X2] = {"", "x2", TN_ROLE_INPUT, 1, 0, -1, N_STEPS, NONE, TN_ALIAS_NONE, NONE},
    [SHAPE] = {"", "shape", TN_ROLE_CONST, 2, 0, -1, N_STEPS, NONE, TN_ALIAS_NONE, NONE},
    [A] = {"", "a", TN_ROLE_INTERNAL, 3, 0, R1, R2, R1, TN_ALIAS_NONE, NONE},
    [B] = {"", "b", TN_ROLE_INTERNAL, 3, 0, R2, RS, R2, TN_ALIAS_INPLACE, A},
    [V] = {"", "v", TN_ROLE_INTERNAL, 3, 0, RS, R4, RS, TN_ALIAS_VIEW, B},
    [S] = {"", "s", TN_ROLE_INTERNAL, 4, 0, RB, ADD, RB, TN_ALIAS_NONE, NONE},
    [C] = {"", "c", TN_ROLE_INTERNAL, 5, 0, R3, ADD, R3, TN_ALIAS_NONE, NONE},
    [D] = {"", "d", TN_ROLE_INTERNAL, 5, 0, ADD, R5, ADD, TN_ALIAS_INPLACE, C},
    [Y1] = {"", "y1", TN_ROLE_OUTPUT, 6, 0, R4, N_STEPS, R4, TN_ALIAS_NONE, NONE},
    [G] = {"", "g", TN_ROLE_INTERNAL, 7, 0, R5, R6, R5, TN_ALIAS_NONE, NONE},
    [Y2] = {"", "y2", TN_ROLE_OUTPUT, 8, 0, R6, N_STEPS, R6, TN_ALIAS_NONE, NONE},
};

static tn_plan *plan_of(tn_module *m) {
    tn_plan *p = hand_plan(m, rows, N_VALUES);
    static const tn_pool pools[] = {
        {.name = "arena", .kind = TN_POOL_ARENA, .align = 64, .size = 576, .bound = 576},
        {.name = "io", .kind = TN_POOL_IO, .align = 64, .size = 832, .bound = 832},
        {.name = "const", .kind = TN_POOL_CONST, .align = 64, .size = 64, .bound = 8}};
    static const tn_storage storages[] = {
        {0, IO, NONE, 0, 256, 64, -1, N_STEPS, true, X, 0, NULL, {0}, 0},
        {1, IO, NONE, 256, 64, 64, -1, N_STEPS, true, X2, 0, NULL, {0}, 0},
        {2, CONSTS, NONE, 0, 8, 64, -1, N_STEPS, true, SHAPE, 0, NULL, {0}, 0},
        {3, ARENA, NONE, 0, 256, 64, R1, R4, false, A, 0, NULL, {0}, 0},
        {4, ARENA, NONE, 512, 64, 64, RB, ADD, false, S, 0, NULL, {0}, 0},
        {5, ARENA, NONE, 256, 256, 64, R3, R5, false, C, 0, NULL, {0}, 0},
        {6, IO, NONE, 320, 256, 64, R4, N_STEPS, true, Y1, 0, NULL, {0}, 0},
        {7, ARENA, NONE, 0, 256, 64, R5, R6, false, G, 0, NULL, {0}, 0},
        {8, IO, NONE, 576, 256, 64, R6, N_STEPS, true, Y2, 0, NULL, {0}, 0},
    };
    p->pools = tn_arena_regrow(p->arena, pools, 3, 3, sizeof *pools);
    p->n_pools = 3;
    p->storages = tn_arena_regrow(p->arena, storages, 9, 9, sizeof *storages);
    p->n_storages = 9;
    static const uint32_t written[N_STEPS] = {A, B, V, S, C, D, Y1, G, Y2};
    static const char *const ops[N_STEPS] = {"Relu", "Relu", "Reshape", "Relu", "Relu",
                                             "Add",  "Relu", "Relu",    "Relu"};
    static const char *const names[N_STEPS] = {"r1",  "r2", "rs", "rb", "r3",
                                               "add", "r4", "r5", "r6"};
    tn_ids reads[N_STEPS] = {HAND_IDS(p, X),  HAND_IDS(p, A), HAND_IDS(p, B, SHAPE),
                             HAND_IDS(p, X2), HAND_IDS(p, X), HAND_IDS(p, C, S),
                             HAND_IDS(p, V),  HAND_IDS(p, D), HAND_IDS(p, G)};
    p->steps = TN_ARRAY(p->arena, tn_plan_step, N_STEPS);
    p->n_steps = N_STEPS;
    for (uint32_t i = 0; i < N_STEPS; i++) {
        p->steps[i] = (tn_plan_step){.kind = TN_STEP_OP,
                                     .graph = "",
                                     .node = (int32_t)i,
                                     .name = names[i],
                                     .domain = "",
                                     .op = ops[i],
                                     .partner = NONE,
                                     .clone_of = TN_NO_ID,
                                     .reads = reads[i],
                                     .writes = HAND_IDS(p, written[i])};
    }
    p->steps[ADD].frees = HAND_IDS(p, 4);
    p->steps[R4].frees = HAND_IDS(p, 3);
    p->steps[R5].frees = HAND_IDS(p, 5);
    p->steps[R6].frees = HAND_IDS(p, 7);
    p->steps[R5].hazards = HAND_IDS(p, R4);
    p->model = m->name;
    p->report = (tn_plan_report){.naive = 6 * 256 + 64,
                                 .level0 = 576,
                                 .level1 = 576,
                                 .bound = 576,
                                 .const_bytes = 64,
                                 .io_bytes = 832,
                                 .ram = 832 + 576,
                                 .flash = 64,
                                 .n_inplace = 2,
                                 .n_views = 1,
                                 .optimal = true,
                                 .algorithm = "hand",
                                 .peak_step = ADD,
                                 .peak = HAND_IDS(p, 3, 5, 4),
                                 .n_planned = N_VALUES};
    hand_contract(p, m);
    return p;
}

/* One way to spoil the plan, and what the message must name. */
typedef struct spoil {
    const char *name;
    void (*change)(tn_plan *p);
    const char *message;
    bool late_reader; /* of 'a', in the module */
} spoil;

#define SPOIL(fn, text)                                                                            \
    { #fn, fn, text, false }

static void misaligned_value(tn_plan *p) {
    tn_plan_value *v = &p->values[p->storages[7].root];
    p->storages[7].size += 32;
    p->pools[p->storages[7].pool].size += 32;
    v->offset = 32;
}

static void shifted_offset(tn_plan *p) {
    p->storages[7].offset = 128;
}
static void swapped_steps(tn_plan *p) {
    tn_plan_step s = p->steps[R3];
    p->steps[R3] = p->steps[RB];
    p->steps[RB] = s;
}
static void swapped_dependent_steps(tn_plan *p) {
    tn_plan_step s = p->steps[R1];
    p->steps[R1] = p->steps[R2];
    p->steps[R2] = s;
    p->reordered = true;
}
static void shortened_range(tn_plan *p) {
    p->storages[3].last = p->values[V].last = ADD;
}
static void shortened_storage(tn_plan *p) {
    p->storages[5].last = ADD;
}
static void late_start(tn_plan *p) {
    p->values[G].first = p->storages[7].first = R6;
}
static void wrong_alias(tn_plan *p) {
    p->values[V].alias_of = A;
}
static void view_of_non_view(tn_plan *p) {
    p->values[B].alias = TN_ALIAS_VIEW;
    p->report.n_inplace = 1;
    p->report.n_views = 2;
}
static void inplace_on_broadcast(tn_plan *p) {
    p->storages[4] = p->storages[5];
    p->values[S].storage = 5;
    p->values[S].alias = TN_ALIAS_SHARE;
    p->values[S].alias_of = C;
    p->values[D].alias_of = S;
}
static void inplace_before_reader(tn_plan *p) {
    p->steps[R5].op = "Add";
    p->steps[R5].reads = HAND_IDS(p, D, A);
    p->values[A].last = R5;
    p->storages[3].last = R5;
}
static void shared_while_read(tn_plan *p) {
    p->values[B].alias = TN_ALIAS_SHARE;
    p->report.n_inplace = 1;
    p->report.n_shared = 1;
}
static void no_alias(tn_plan *p) {
    p->values[B].alias = TN_ALIAS_NONE;
    p->values[B].alias_of = NONE;
}
static void alias_cycle(tn_plan *p) {
    p->values[A].alias = TN_ALIAS_SHARE;
    p->values[A].alias_of = V;
}
static void overlapping_outputs(tn_plan *p) {
    p->storages[8].offset = 512;
}
static void misaligned(tn_plan *p) {
    p->storages[4].offset = 520;
    p->pools[ARENA].size = 584;
}
static void out_of_pool(tn_plan *p) {
    p->storages[5].offset = 384;
}
static void out_of_storage(tn_plan *p) {
    p->storages[5].size = 192;
}
static void pool_too_large(tn_plan *p) {
    p->pools[ARENA].size = 1024;
}
static void over_capacity(tn_plan *p) {
    p->pools[ARENA].capacity = 512;
}
static void constant_in_arena(tn_plan *p) {
    p->storages[2].pool = ARENA;
    p->storages[2].offset = 576;
    p->pools[ARENA].size = 584;
}
static void value_among_constants(tn_plan *p) {
    p->storages[4].pool = CONSTS;
    p->storages[4].offset = 64;
    p->pools[CONSTS].size = 128;
}
static void missing_step(tn_plan *p) {
    p->n_steps--;
    p->values[Y2].step = NONE;
    for (uint32_t i = 0; i < N_VALUES; i++) {
        p->values[i].last = p->values[i].last > R6 ? R6 : p->values[i].last;
    }
    for (uint32_t i = 0; i < p->n_storages; i++) {
        p->storages[i].last = p->storages[i].last > R6 ? R6 : p->storages[i].last;
    }
    p->storages[8].first = p->values[Y2].first = R6;
}
static void step_twice(tn_plan *p) {
    p->steps[R5] = p->steps[R4];
    p->steps[R5].hazards = (tn_ids){NULL, 0};
}
static void renamed_step(tn_plan *p) {
    p->steps[R5].name = "other";
}
static void dropped_value(tn_plan *p) {
    p->values[S].storage = NONE;
    p->values[S].why = "forgotten";
}
static void unknown_value(tn_plan *p) {
    p->values[S].name = "t";
}
static void wrong_size(tn_plan *p) {
    p->values[C].bytes = 128;
}
static void wrong_type(tn_plan *p) {
    p->values[C].dtype = TN_DT_INT32;
}
static void wrong_dims(tn_plan *p) {
    static const int64_t dims[] = {16, 4};
    p->values[C].dims = dims;
}
static void wrong_role(tn_plan *p) {
    p->values[Y1].role = TN_ROLE_INTERNAL;
}
static void early_free(tn_plan *p) {
    p->steps[R4].frees = (tn_ids){NULL, 0};
    p->steps[ADD].frees = HAND_IDS(p, 4, 3);
}
static void double_free(tn_plan *p) {
    p->steps[R6].frees = HAND_IDS(p, 7, 5);
}
static void late_free(tn_plan *p) {
    p->steps[R4].frees = (tn_ids){NULL, 0};
    p->steps[R6].frees = HAND_IDS(p, 7, 3);
}
/* 'a' is said to live to the very step at which 'g' takes its bytes: nobody reads it there, but who
 * goes by the ranges keeps it. */
static void meets_at_one_step(tn_plan *p) {
    p->steps[R4].frees = (tn_ids){NULL, 0};
    p->storages[3].last = R5;
}
static void pinned_free(tn_plan *p) {
    p->steps[R6].frees = HAND_IDS(p, 7, 1);
}
static void missing_hazard(tn_plan *p) {
    p->steps[R5].hazards = (tn_ids){NULL, 0};
}
static void hazard_on_later_step(tn_plan *p) {
    p->steps[R5].hazards = HAND_IDS(p, R4, R6);
}
static void slot_too_small(tn_plan *p) {
    static tn_slot slots[] = {{ARENA, 0, 128}};
    p->slots = slots;
    p->n_slots = 1;
    p->storages[3].slot = p->storages[7].slot = 0;
}
static void slot_elsewhere(tn_plan *p) {
    static tn_slot slots[] = {{ARENA, 0, 256}};
    p->slots = slots;
    p->n_slots = 1;
    p->storages[5].slot = 0;
}
static void naive_lie(tn_plan *p) {
    p->report.naive = 4096;
}

static void ram_lie(tn_plan *p) {
    p->report.ram = 576;
}

static void flash_lie(tn_plan *p) {
    p->report.flash = 0;
}
static void optimal_lie(tn_plan *p) {
    p->report.bound = p->pools[ARENA].bound = 512;
}
static void count_lie(tn_plan *p) {
    p->report.n_views = 0;
}
static void peak_lie(tn_plan *p) {
    p->report.peak = HAND_IDS(p, 3, 5, 7);
}
static void peak_elsewhere(tn_plan *p) {
    p->report.peak_step = R6;
    p->report.peak = HAND_IDS(p, 7);
}
static void bound_lie(tn_plan *p) {
    p->report.bound = 512;
    p->report.optimal = false;
}
static void text_lie(tn_plan *p) {
    p->values[C].type = "f32[4,17]";
}
static void false_partner(tn_plan *p) {
    p->steps[R3].partner = R4;
}
static void unpinned_output(tn_plan *p) {
    p->storages[6].pinned = false;
}
static void other_model(tn_plan *p) {
    p->model = "foot";
}
static void input_overwritten(tn_plan *p) {
    p->storages[7].pool = IO;
    p->storages[7].offset = 0;
}
static void inplace_on_input(tn_plan *p) {
    p->values[A].storage = p->values[B].storage = p->values[V].storage = 0;
    p->values[A].alias = TN_ALIAS_INPLACE;
    p->values[A].alias_of = X;
    p->storages[3].root = A;
}
static void hidden_read(tn_plan *p) {
    p->steps[ADD].reads = HAND_IDS(p, C);
}
static void false_write(tn_plan *p) {
    p->steps[R4].writes = HAND_IDS(p, Y1, D);
}
static void wrong_writer(tn_plan *p) {
    p->values[D].step = R4;
}
static void bad_index(tn_plan *p) {
    p->values[D].storage = 99;
}
static void other_digest(tn_plan *p) {
    p->digest = "12345678";
}

static const spoil spoils[] = {
    SPOIL(shifted_offset,
          "value 'g' written at step 7 (Relu 'r5') overwrites bytes [0,128) of 'd', which step 7 "
          "(Relu 'r5') still reads"),
    SPOIL(swapped_steps, "step 3 (Relu 'r3') is out of order: the model has 'rb' (Relu) here"),
    SPOIL(swapped_dependent_steps,
          "step 0 (Relu 'r2') reads 'a', which step 1 (Relu 'r1') writes only later"),
    SPOIL(shortened_range,
          "value 'v' is said to live to step 5, but step 6 (Relu 'r4') still needs it"),
    SPOIL(shortened_storage, "value 'd' is live in steps 5..7, its storage only in 4..5"),
    SPOIL(late_start, "value 'g' is said to live from step 8, but step 7 (Relu 'r5') writes it"),
    SPOIL(wrong_alias, "value 'v' cannot be a view of 'a' at offset 0 by step 2 (Reshape 'rs')"),
    SPOIL(view_of_non_view, "value 'b' cannot be a view of 'a' at offset 0 by step 1 (Relu 'r2')"),
    SPOIL(inplace_on_broadcast, "value 'd' cannot be written in place of 's'"),
    {"inplace_before_reader", inplace_before_reader,
     "value 'b' written at step 1 (Relu 'r2') overwrites bytes [0,256) of 'a', which step 7 (Add "
     "'r5') still reads",
     true},
    SPOIL(shared_while_read, "value 'b' written at step 1 (Relu 'r2') overwrites bytes [0,256) of "
                             "'a', which step 1 (Relu 'r2') still reads"),
    SPOIL(no_alias, "values 'a' and 'b' lie in one storage, but neither is an alias"),
    SPOIL(alias_cycle, "is an alias of itself"),
    SPOIL(overlapping_outputs,
          "value 'y2' written at step 8 (Relu 'r6') overwrites bytes [192,256) "
          "of 'y1', which the caller still reads"),
    SPOIL(misaligned_value, "value 'g': offset 32 in its storage breaks the alignment of 64"),
    SPOIL(misaligned, "storage of 's': offset 520 breaks alignment 64 of pool 'arena'"),
    SPOIL(out_of_pool, "storage of 'c': 256 bytes at offset 384 do not fit pool 'arena' of 576"),
    SPOIL(out_of_storage, "value 'c': bytes [0,256) do not fit its storage of 192 bytes"),
    SPOIL(pool_too_large, "pool 'arena' has 1024 bytes, its storages need 576"),
    SPOIL(over_capacity, "pool 'arena' has 576 bytes, more than its capacity of 512"),
    SPOIL(constant_in_arena, "constant 'shape' lies in pool 'arena'"),
    SPOIL(value_among_constants, "value 's', written at step 3 (Relu 'rb'), lies among constants"),
    SPOIL(missing_step, "the plan has no step for Relu 'r6' (#8) of the model"),
    SPOIL(step_twice, "step 7 (Relu 'r4') comes twice: it was step 6"),
    SPOIL(renamed_step, "step 7 (Relu 'other') is not an op of the model"),
    SPOIL(dropped_value, "value 's' of 64 bytes is not placed"),
    SPOIL(unknown_value, "value 's' of the model is missing in the plan"),
    SPOIL(wrong_size, "value 'c' has 128 bytes in the plan, 256 in the model"),
    SPOIL(wrong_type, "value 'c' is i32 in the plan, f32 in the model"),
    SPOIL(wrong_dims, "value 'c': dimension 0 is 16 in the plan, 4 in the model"),
    SPOIL(wrong_role, "value 'y1' is not internal of the model"),
    SPOIL(early_free,
          "step 5 (Add 'add') frees the storage of 'a', which is needed to step 6 (Relu "
          "'r4')"),
    SPOIL(double_free, "step 8 (Relu 'r6') frees the storage of 'c' again: step 7 did"),
    SPOIL(late_free, "step 8 (Relu 'r6') frees the storage of 'a' after 'g' took its bytes at step "
                     "7 (Relu 'r5')"),
    SPOIL(meets_at_one_step, "the storages of 'g' and 'a' share bytes of pool 'arena' while both "
                             "live at step 7 (Relu 'r5')"),
    SPOIL(pinned_free, "frees the storage of 'x2', which is needed to the caller"),
    SPOIL(missing_hazard, "step 7 (Relu 'r5') writes 'g' over bytes that step"),
    SPOIL(hazard_on_later_step, "step 7 of the plan: hazards is 8"),
    SPOIL(slot_too_small, "storage of 'a' (256 bytes at 0) does not lie in its slot 0 (128 bytes"),
    SPOIL(slot_elsewhere, "storage of 'c' (256 bytes at 256) does not lie in its slot 0"),
    SPOIL(naive_lie, "the report says naive is 4096, the plan adds up to 1600"),
    SPOIL(ram_lie, "the report says RAM is 576, the plan adds up to 1408"),
    SPOIL(flash_lie, "the report says flash is 0, the plan adds up to 64"),
    SPOIL(optimal_lie, "the report says optimal, but the arena's 576 bytes are not the bound of "
                       "512"),
    SPOIL(count_lie, "the report says the number of views is 0, the plan adds up to 1"),
    SPOIL(peak_lie, "at the peak, step 5 (Add 'add'), but the report says otherwise"),
    SPOIL(peak_elsewhere,
          "the report's peak, step 8 (Relu 'r6'), keeps 256 bytes, but elsewhere 576"),
    SPOIL(bound_lie, "the report says the lower bound is 512, the plan adds up to 576"),
    SPOIL(text_lie, "value 'c' has type f32[4,17] in the plan, f32[4,16] in the model"),
    SPOIL(false_partner, "step 4 (Relu 'r3') has a partner, step 6, but is one step only"),
    SPOIL(unpinned_output, "storage of 'y1' lies in pool 'io', which nothing shares, but is not"),
    SPOIL(other_model, "the plan is of a model named 'foot', not 'hand'"),
    SPOIL(input_overwritten, "value 'g' written at step 7 (Relu 'r5') overwrites bytes [0,256) of "
                             "'x', which the caller still reads"),
    SPOIL(inplace_on_input, "overwrites bytes [0,256) of 'x'"),
    SPOIL(hidden_read, "step 5 (Add 'add') reads 's', which the plan does not list"),
    SPOIL(false_write, "step 6 (Relu 'r4') is said to write 'd', which it does not"),
    SPOIL(wrong_writer, "value 'd' is written at step 5 (Add 'add'), not at step 6 (Relu 'r4')"),
    SPOIL(bad_index, "value 8 of the plan: storage is 99, but there are 9"),
    SPOIL(other_digest, "the plan was made for another model"),
};

static void expect(unit_log *log, tn_status status, const spoil *s) {
    bool caught = status == TN_ERROR && strstr(log->text, s->message) != NULL;
    if (!caught) {
        print_error("%s: wanted '%s', got status %d and\n%s", s->name, s->message, (int)status,
                    log->text);
    }
    assert_true(caught);
}

static tn_status catches(tn_ctx *ctx, void *arg) {
    unit_log *log = arg;
    for (size_t i = 0; i < sizeof spoils / sizeof spoils[0]; i++) {
        tn_module *m = module_of(ctx, spoils[i].late_reader);
        tn_plan *p = plan_of(m);
        memset(log, 0, sizeof *log);
        spoils[i].change(p);
        expect(log, tn_plan_check(p, m), &spoils[i]);
        tn_plan_drop(p);
        tn_module_drop(m);
    }
    return TN_OK;
}

static tn_status accepts(tn_ctx *ctx, void *arg) {
    unit_log *log = arg;
    tn_module *m = module_of(ctx, false);
    tn_plan *p = plan_of(m);
    tn_status status = tn_plan_check(p, m);
    if (status != TN_OK) {
        print_error("%s", log->text);
    }
    assert_int_equal(status, TN_OK);
    /* Independent steps may change places when the plan says so. */
    swapped_steps(p);
    p->reordered = true;
    p->values[C].first = p->storages[5].first = RB;
    p->values[C].step = RB;
    p->values[S].first = p->storages[4].first = R3;
    p->values[S].step = R3;
    status = tn_plan_check(p, m);
    if (status != TN_OK) {
        print_error("%s", log->text);
    }
    assert_int_equal(status, TN_OK);
    return TN_OK;
}

UNIT_TEST(accepts)
UNIT_TEST(catches)

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_accepts),
                                       cmocka_unit_test(test_catches)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
