/* Kernels that begin their result inside an operand, in memory in which each byte knows its owner:
 * for small random shapes of every family of ops, in both layouts and all orders of work, exactly
 * the distances from the one worked out on are safe. What an element reads is written down here
 * once more, from the definition of the op. */
#include <stdio.h>

#include "passes/plan/overlap_distance.h"
#include "tests/unit/drawn.h"
#include "tests/unit/plan_case.h"

enum { RANK = 4, ROUNDS = DRAWN(10), MOST = 1 << 12 };

typedef struct op_case op_case;
/* Calls hit() for each element of the operand that element y of the result reads. */
typedef void reads_fn(op_case *c, const int64_t *y);

struct op_case {
    char text[1000];
    uint32_t operand;
    int rank, in_rank;
    int64_t out[RANK], in[RANK];
    int64_t p[16]; /* of the family */
    reads_fn *reads;
    uint32_t width, in_width;
    /* where the elements lie */
    int64_t strides[RANK], in_strides[RANK];
    /* the memory: operand byte i bears the tag i + 1, bytes of the result bear 0 */
    int32_t memory[2 * MOST];
    int64_t at; /* of the operand; the result lies at 0 */
    bool spoiled;
};

static uint32_t seed = 1;
static int64_t pick(int64_t least, int64_t most) {
    seed = seed * 1664525u + 1013904223u;
    return least + (int64_t)(seed >> 8) % (most - least + 1);
}

static void hit(op_case *c, const int64_t *x) {
    int64_t at = 0;
    for (int i = 0; i < c->in_rank; i++) {
        if (x[i] < 0 || x[i] >= c->in[i]) {
            return; /* padding */
        }
        at += x[i] * c->in_strides[i];
    }
    for (uint32_t b = 0; b < c->in_width; b++) {
        int64_t byte = at * c->in_width + b;
        c->spoiled = c->spoiled || c->memory[c->at + byte] != byte + 1;
    }
}

/* ---- families ---- */

/* p: channels of the operand from, to; then kernel, stride, dilation, pad of both axes. */
static void window(op_case *c, const int64_t *y, int64_t from, int64_t to) {
    for (int64_t k = 0; k < (to - from) * c->p[0] * c->p[1]; k++) {
        int64_t x[RANK] = {y[0], from + k / (c->p[0] * c->p[1]),
                           y[2] * c->p[2] - c->p[6] + k / c->p[1] % c->p[0] * c->p[4],
                           y[3] * c->p[3] - c->p[7] + k % c->p[1] * c->p[5]};
        hit(c, x);
    }
}

static void reads_conv(op_case *c, const int64_t *y) {
    int64_t groups = c->p[8], g = y[1] / (c->out[1] / groups), each = c->in[1] / groups;
    window(c, y, g * each, (g + 1) * each);
}

static void reads_pool(op_case *c, const int64_t *y) {
    window(c, y, y[1], y[1] + 1);
}

static void make_window(op_case *c, bool conv) {
    int64_t pads[4];
    c->rank = c->in_rank = 4;
    c->p[8] = conv ? pick(1, 2) : 1;
    c->in[0] = c->out[0] = pick(1, 2);
    c->in[1] = c->p[8] * pick(1, 3);
    c->out[1] = conv ? c->p[8] * pick(1, 3) : c->in[1];
    for (int i = 0; i < 2; i++) {
        int64_t reach;
        do {
            c->in[2 + i] = pick(1, 6);
            c->p[i] = pick(1, 3);
            c->p[2 + i] = pick(1, 3);
            c->p[4 + i] = conv ? pick(1, 2) : 1;
            pads[i] = c->p[6 + i] = pick(0, c->p[i] - 1);
            pads[2 + i] = pick(0, c->p[i] - 1);
            reach = (c->p[i] - 1) * c->p[4 + i] + 1;
        } while (c->in[2 + i] + pads[i] + pads[2 + i] < reach);
        c->out[2 + i] = (c->in[2 + i] + pads[i] + pads[2 + i] - reach) / c->p[2 + i] + 1;
    }
    c->reads = conv ? reads_conv : reads_pool;
    char attrs[300];
    snprintf(attrs, sizeof attrs,
             "kernel_shape = [%d, %d], strides = [%d, %d], pads = [%d, %d, %d, %d]", (int)c->p[0],
             (int)c->p[1], (int)c->p[2], (int)c->p[3], (int)pads[0], (int)pads[1], (int)pads[2],
             (int)pads[3]);
    if (conv) {
        snprintf(c->text, sizeof c->text,
                 "input %%w: i8[%d,%d,%d,%d] %%r = ConvInteger(%%x, %%w) {%s, group = %d, "
                 "dilations = [%d, %d]}",
                 (int)c->out[1], (int)(c->in[1] / c->p[8]), (int)c->p[0], (int)c->p[1], attrs,
                 (int)c->p[8], (int)c->p[4], (int)c->p[5]);
        c->width = 4;
    } else {
        snprintf(c->text, sizeof c->text, "%%r = MaxPool(%%x) {%s}", attrs);
    }
}

static void make_conv(op_case *c) {
    make_window(c, true);
}

static void make_pool(op_case *c) {
    make_window(c, false);
}

static void reads_product(op_case *c, const int64_t *y) {
    for (int64_t k = 0; k < c->p[0]; k++) {
        int64_t x[2] = {c->operand == 0 ? y[0] : k, c->operand == 0 ? k : y[1]};
        hit(c, x);
    }
}

static void make_product(op_case *c) {
    c->operand = (uint32_t)pick(0, 1);
    c->rank = c->in_rank = 2;
    c->p[0] = pick(1, 6);
    c->out[0] = pick(1, 6);
    c->out[1] = pick(1, 6);
    c->in[0] = c->operand == 0 ? c->out[0] : c->p[0];
    c->in[1] = c->operand == 0 ? c->p[0] : c->out[1];
    c->width = c->in_width = 4;
    c->reads = reads_product;
    snprintf(c->text, sizeof c->text, "input %%w: f32[%d,%d] %%r = MatMul(%s)",
             (int)(c->operand == 0 ? c->p[0] : c->out[0]),
             (int)(c->operand == 0 ? c->out[1] : c->p[0]), c->operand == 0 ? "%x, %w" : "%w, %x");
}

static void any_image(op_case *c) {
    c->rank = c->in_rank = 4;
    for (int i = 0; i < 4; i++) {
        c->in[i] = c->out[i] = pick(1, 4);
    }
}

static void reads_turned(op_case *c, const int64_t *y) {
    int64_t x[RANK];
    for (int i = 0; i < 4; i++) {
        x[c->p[i]] = y[i];
    }
    hit(c, x);
}

static void make_turned(op_case *c) {
    any_image(c);
    for (int i = 0; i < 4; i++) {
        c->p[i] = i;
    }
    for (int i = 3; i > 0; i--) {
        int64_t k = pick(0, i), other = c->p[k];
        c->p[k] = c->p[i];
        c->p[i] = other;
    }
    for (int i = 0; i < 4; i++) {
        c->out[i] = c->in[c->p[i]];
    }
    c->reads = reads_turned;
    snprintf(c->text, sizeof c->text, "%%r = Transpose(%%x) {perm = [%d, %d, %d, %d]}",
             (int)c->p[0], (int)c->p[1], (int)c->p[2], (int)c->p[3]);
}

/* p: pads before and behind of axes 2 and 3, and the mode. */
static void reads_padded(op_case *c, const int64_t *y) {
    int64_t x[RANK] = {y[0], y[1], y[2] - c->p[0], y[3] - c->p[1]};
    for (int i = 2; i < 4; i++) {
        while (c->p[4] == 2 && (x[i] < 0 || x[i] >= c->in[i])) {
            x[i] = x[i] < 0 ? -x[i] : 2 * (c->in[i] - 1) - x[i];
        }
        if (c->p[4] == 1) {
            x[i] = x[i] < 0 ? 0 : x[i] >= c->in[i] ? c->in[i] - 1 : x[i];
        }
    }
    hit(c, x);
}

static void make_padded(op_case *c) {
    static const char *const modes[] = {"constant", "edge", "reflect"};
    any_image(c);
    c->p[4] = pick(0, 2);
    for (int i = 0; i < 2; i++) {
        int64_t most = c->p[4] == 2 ? c->in[2 + i] - 1 : 2;
        c->p[i] = pick(0, most < 2 ? most : 2);
        c->p[2 + i] = pick(0, most < 2 ? most : 2);
        c->out[2 + i] += c->p[i] + c->p[2 + i];
    }
    c->reads = reads_padded;
    snprintf(c->text, sizeof c->text,
             "const %%p: i64[8] = tensor(64 bytes, ints [0, 0, %d, %d, 0, 0, %d, %d]) "
             "%%r = Pad(%%x, %%p) {mode = \"%s\"}",
             (int)c->p[0], (int)c->p[1], (int)c->p[2], (int)c->p[3], modes[c->p[4]]);
}

/* p: axis, where the operand begins along it. */
static void reads_joined(op_case *c, const int64_t *y) {
    int64_t x[RANK] = {y[0], y[1], y[2], y[3]};
    x[c->p[0]] -= c->p[1];
    hit(c, x);
}

static void make_joined(op_case *c) {
    any_image(c);
    int64_t other[RANK] = {c->in[0], c->in[1], c->in[2], c->in[3]};
    c->p[0] = pick(0, 3);
    c->operand = (uint32_t)pick(0, 1);
    other[c->p[0]] = pick(1, 4);
    c->p[1] = c->operand == 0 ? 0 : other[c->p[0]];
    c->out[c->p[0]] += other[c->p[0]];
    c->reads = reads_joined;
    snprintf(c->text, sizeof c->text, "input %%w: i8[%d,%d,%d,%d] %%r = Concat(%s) {axis = %d}",
             (int)other[0], (int)other[1], (int)other[2], (int)other[3],
             c->operand == 0 ? "%x, %w" : "%w, %x", (int)c->p[0]);
}

/* p: axis, start, step. */
static void reads_slice(op_case *c, const int64_t *y) {
    int64_t x[RANK] = {y[0], y[1], y[2], y[3]};
    x[c->p[0]] = c->p[1] + x[c->p[0]] * c->p[2];
    hit(c, x);
}

static void make_slice(op_case *c) {
    any_image(c);
    int64_t n = c->in[c->p[0] = pick(0, 3)];
    c->p[1] = pick(0, n - 1);
    c->p[2] = pick(0, 1) ? pick(1, 2) : -pick(1, 2);
    int64_t left = c->p[2] > 0 ? n - c->p[1] : c->p[1] + 1, step = c->p[2] > 0 ? c->p[2] : -c->p[2];
    c->out[c->p[0]] = (left + step - 1) / step;
    c->reads = reads_slice;
    snprintf(c->text, sizeof c->text,
             "const %%a: i64[1] = tensor(8 bytes, ints [%d]) "
             "const %%b: i64[1] = tensor(8 bytes, ints [%d]) "
             "const %%c: i64[1] = tensor(8 bytes, ints [%d]) "
             "const %%d: i64[1] = tensor(8 bytes, ints [%d]) %%r = Slice(%%x, %%a, %%b, %%c, %%d)",
             (int)c->p[1], c->p[2] > 0 ? 100 : -100, (int)c->p[0], (int)c->p[2]);
}

/* p: by axis, whether all elements along it are read. */
static void reads_rows(op_case *c, const int64_t *y) {
    for (int64_t k = 0; k < c->in[0] * c->in[1] * c->in[2] * c->in[3]; k++) {
        int64_t x[RANK] = {k / (c->in[1] * c->in[2] * c->in[3]),
                           k / (c->in[2] * c->in[3]) % c->in[1], k / c->in[3] % c->in[2],
                           k % c->in[3]};
        bool read = true;
        for (int i = 0; i < 4; i++) {
            read = read && (c->p[i] != 0 || x[i] == y[i]);
        }
        if (read) {
            hit(c, x);
        }
    }
}

static void make_sum(op_case *c) {
    any_image(c);
    int a = (int)pick(0, 3), b = (int)pick(0, 3);
    c->p[a] = c->p[b] = 1;
    c->out[a] = c->out[b] = 1;
    c->width = c->in_width = 4;
    c->reads = reads_rows;
    if (a == b) {
        snprintf(c->text, sizeof c->text,
                 "const %%a: i64[1] = tensor(8 bytes, ints [%d]) %%r = ReduceSum(%%x, %%a)", a);
    } else {
        snprintf(c->text, sizeof c->text,
                 "const %%a: i64[2] = tensor(16 bytes, ints [%d, %d]) %%r = ReduceSum(%%x, %%a)", a,
                 b);
    }
}

static void make_softmax(op_case *c) {
    any_image(c);
    int axis = (int)pick(0, 3);
    c->p[axis] = 1;
    c->width = c->in_width = 4;
    c->reads = reads_rows;
    snprintf(c->text, sizeof c->text, "%%r = Softmax(%%x) {axis = %d}", axis);
}

static void make_norm(op_case *c) {
    any_image(c);
    c->p[2] = c->p[3] = 1;
    c->width = c->in_width = 4;
    c->reads = reads_rows;
    snprintf(c->text, sizeof c->text,
             "input %%w: f32[%d] %%r = InstanceNormalization(%%x, %%w, %%w)", (int)c->in[1]);
}

static void make_argmax(op_case *c) {
    any_image(c);
    int axis = (int)pick(0, 3);
    c->p[axis] = 1;
    c->out[axis] = 1;
    c->width = 8;
    c->reads = reads_rows;
    snprintf(c->text, sizeof c->text, "%%r = ArgMax(%%x) {axis = %d}", axis);
}

static void make_cast(op_case *c) {
    static const int to[] = {3, 6, 7};
    any_image(c);
    int k = (int)pick(0, 2);
    c->width = k == 0 ? 1 : k == 1 ? 4 : 8;
    c->in_width = pick(0, 1) ? 4 : 1;
    c->reads = reads_rows;
    snprintf(c->text, sizeof c->text, "%%r = Cast(%%x) {to = %d}", to[k]);
}

/* p: how many times larger, or 0 and how many times smaller, by axis from 2 on. Linear: what lies
 * on both sides. */
static void reads_scaled(op_case *c, const int64_t *y) {
    int64_t low[2];
    for (int i = 0; i < 2; i++) {
        double scale = c->p[i] > 0 ? (double)c->p[i] : 1.0 / (double)c->p[2 + i];
        double at = ((double)y[2 + i] + 0.5) / scale - 0.5;
        low[i] = at < 0 ? -1 : (int64_t)at;
    }
    for (int k = 0; k < 4; k++) {
        int64_t x[RANK] = {y[0], y[1], low[0] + k / 2, low[1] + k % 2};
        for (int i = 2; i < 4; i++) {
            x[i] = x[i] < 0 ? 0 : x[i] >= c->in[i] ? c->in[i] - 1 : x[i];
        }
        hit(c, x);
    }
}

static void make_scaled(op_case *c) {
    any_image(c);
    for (int i = 0; i < 2; i++) {
        c->p[i] = pick(0, 1) ? pick(1, 3) : 0;
        c->p[2 + i] = pick(1, 3);
        c->in[2 + i] *= c->p[i] > 0 ? 1 : c->p[2 + i];
        c->out[2 + i] = c->p[i] > 0 ? c->in[2 + i] * c->p[i] : c->in[2 + i] / c->p[2 + i];
    }
    c->width = c->in_width = 4;
    c->reads = reads_scaled;
    snprintf(c->text, sizeof c->text,
             "const %%s: i64[4] = tensor(32 bytes, ints [%d, %d, %d, %d]) "
             "%%r = Resize(%%x, _, _, %%s) {mode = \"linear\"}",
             (int)c->out[0], (int)c->out[1], (int)c->out[2], (int)c->out[3]);
}

/* ---- running a kernel ---- */

static int64_t elements(int rank, const int64_t *extents) {
    int64_t n = 1;
    for (int i = 0; i < rank; i++) {
        n *= extents[i];
    }
    return n;
}

/* The axes from the outermost inwards, and the strides that follow. */
static void lay(bool last, int rank, const int64_t *extents, int *axes, int64_t *strides) {
    int64_t stride = 1;
    for (int k = 0; k < rank; k++) {
        axes[k] = !last || rank < 3 || k == 0 ? k : k == rank - 1 ? 1 : k + 1;
    }
    for (int k = rank - 1; k >= 0; k--) {
        strides[axes[k]] = stride;
        stride *= extents[axes[k]];
    }
}

static void read_unit(op_case *c, const int *axes, int64_t from, int64_t n) {
    for (int64_t e = from; e < from + n; e++) {
        int64_t y[RANK], rest = e;
        for (int k = c->rank - 1; k >= 0; k--) {
            y[axes[k]] = rest % c->out[axes[k]];
            rest /= c->out[axes[k]];
        }
        c->reads(c, y);
    }
}

static void write_unit(op_case *c, int64_t from, int64_t n) {
    for (int64_t b = from * c->width; b < (from + n) * c->width; b++) {
        c->memory[b] = 0;
    }
}

/* Whether the kernel, unit by unit, reads nothing that it has written over. */
static bool is_safe(op_case *c, tn_work_order order, bool last, int64_t distance) {
    int axes[RANK], in_axes[RANK];
    lay(last, c->rank, c->out, axes, c->strides);
    lay(last, c->in_rank, c->in, in_axes, c->in_strides);
    int inner = order == TN_ORDER_ELEMENTS ? 0
                : order == TN_ORDER_PIXELS ? (last ? 1 : 0)
                                           : (last ? 2 : 1);
    int64_t unit = 1, n = elements(c->rank, c->out);
    for (int k = c->rank - (inner < c->rank ? inner : c->rank); k < c->rank; k++) {
        unit *= c->out[axes[k]];
    }
    c->at = distance;
    c->spoiled = false;
    memset(c->memory, 0xff, (size_t)(distance + n * c->width) * sizeof *c->memory);
    for (int64_t b = 0; b < elements(c->in_rank, c->in) * c->in_width; b++) {
        c->memory[distance + b] = (int32_t)b + 1;
    }
    for (int64_t u = 0; u < n; u += unit) {
        if (order == TN_ORDER_ROWS) { /* the worst of all orders within the row */
            write_unit(c, u, unit);
            read_unit(c, axes, u, unit);
        } else {
            read_unit(c, axes, u, unit);
            write_unit(c, u, unit);
        }
    }
    return !c->spoiled;
}

static const char *type_of(uint32_t width) {
    return width == 8 ? "i64" : width == 4 ? "f32" : "i8";
}

static void judge(tn_ctx *ctx, op_case *c) {
    static const tn_work_order orders[] = {TN_ORDER_ROWS, TN_ORDER_ROWS_BUFFERED, TN_ORDER_ELEMENTS,
                                           TN_ORDER_PIXELS};
    char dims[2][100] = {"", ""};
    const int64_t *extents[] = {c->in, c->out};
    int ranks[] = {c->in_rank, c->rank};
    for (int v = 0; v < 2; v++) {
        for (int i = 0; i < ranks[v]; i++) {
            size_t len = strlen(dims[v]);
            snprintf(dims[v] + len, sizeof dims[v] - len, "%s%d", i > 0 ? "," : "",
                     (int)extents[v][i]);
        }
    }
    tn_module *m = case_parse(
        ctx, "",
        tn_internf(ctx, "input %%x: %s[%s] %s return %%r", type_of(c->in_width), dims[0], c->text));
    plan_case typed = case_run(m, "infer-shapes,schedule,pin,reuse", NULL);
    assert_int_equal(typed.status, TN_OK);
    tn_value *r = m->main->outputs[0];
    int64_t bytes = 0, in_bytes = elements(c->in_rank, c->in) * c->in_width;
    assert_true(tn_type_fixed_bytes(m->dims, r->type, &bytes));
    assert_int_equal(bytes, elements(c->rank, c->out) * c->width);
    assert_true(bytes + in_bytes < MOST);
    for (size_t k = 0; k < 8; k++) {
        tn_reach reach;
        tn_arena *arena = tn_arena_new(ctx);
        bool last = k % 2 != 0;
        assert_true(tn_op_reach(r->def, 0, c->operand, arena, &reach));
        tn_overlap_form f = {orders[k / 2], last, last, c->width, c->in_width, MOST};
        int64_t distance = (int64_t)tn_overlap_distance(&reach, &f);
        for (int64_t d = 0; d <= bytes + 5; d++) {
            if (is_safe(c, f.order, last, d) != (d >= distance)) {
                fail_msg("%s of [%s]: in the order %s%s the distance %d is %s, not %d", c->text,
                         dims[0], tn_work_order_words[f.order], last ? ", channels last," : "",
                         (int)d, d >= distance ? "too small" : "enough", (int)distance);
            }
        }
        tn_arena_drop(arena);
    }
}

static tn_status all_families(tn_ctx *ctx, void *arg) {
    static void (*const families[])(op_case *) = {
        make_conv, make_pool,    make_product, make_turned, make_padded, make_joined, make_slice,
        make_sum,  make_softmax, make_norm,    make_argmax, make_cast,   make_scaled};
    static op_case c;
    (void)arg;
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        for (int round = 0; round < ROUNDS; round++) {
            memset(&c, 0, sizeof c);
            c.width = c.in_width = 1;
            families[i](&c);
            judge(ctx, &c);
        }
    }
    return TN_OK;
}

UNIT_TEST(all_families)

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_families)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
