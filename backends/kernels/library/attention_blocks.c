/* The inner part of attention: blocks of keys, tiles of queries. */
#include "attention_blocks.h"

#if KERNEL_LANES > 1
#define WIDE __attribute__((vector_size(4 * KERNEL_LANES), aligned(4), may_alias))
#else
#define WIDE
#endif

typedef float WIDE floats;
typedef int32_t WIDE wholes;

#if KERNEL_LANES > 1
#define PICK(mask, a, b) (floats)(((wholes)(a) & (mask)) | ((wholes)(b) & ~(mask)))
#else
#define PICK(mask, a, b) ((mask) ? (a) : (b))
#endif

/* Queries of a tile. */
#if KERNEL_LANES >= 16
#define ROWS 8
#define EACH_ROW(f) f(0) f(1) f(2) f(3) f(4) f(5) f(6) f(7)
#else
#define ROWS 4
#define EACH_ROW(f) f(0) f(1) f(2) f(3)
#endif
#define ONE_ROW(f) f(0)

enum {
    LANES = KERNEL_LANES,
    WIDTH = 2 * LANES, /* of a tile */
    ALONG = 4,         /* keys that are laid out together */
    UNIT = WIDTH > ALONG ? WIDTH : ALONG,
    MOST_KEYS = LANES > 1 ? 128 : 64, /* of a block */
    FEW = 4, /* of fewer queries each key is read once, so it is not laid out anew */
    MOST_QUERIES = LANES > 1 ? 256 : 16,
    ROOM = ATTENTION_FLOATS,
    MOST_SIZE = ROOM / (UNIT > ROWS ? UNIT : ROWS)
};

/* A query of a block: which keys it sees, and the largest score so far. */
typedef struct query {
    size_t head, position, from, end;
    float most;
} query;

/* What is kept while keys go by, and the block of them. */
typedef struct block {
    const attention *a;
    size_t batch, group, first, queries; /* of the heads that share keys, from the first-th on */
    size_t most_keys, room, columns;     /* floats of a row of scores; of values */
    size_t key, keys, total;             /* from a key on, so many; of all */
    query of[MOST_QUERIES];
    float q[ROWS * MOST_SIZE], s[ROWS * MOST_KEYS];
    float k[ROOM], v[ROOM], y[ROOM], sum[MOST_QUERIES * LANES]; /* sums: a vector each */
} block;

int attention_heads_of(const tenure_tensor *t, int64_t count, attention_heads *h) {
    memset(h, 0, sizeof *h);
    h->t = t;
    if (t == NULL) {
        return 0;
    }
    if (t->rank != 4 && (t->rank != 3 || count <= 0 || t->dims[2] % count != 0)) {
        return KERNEL_BAD_SHAPE;
    }
    int four = t->rank == 4;
    h->count = four ? (size_t)t->dims[1] : (size_t)count;
    h->positions = (size_t)t->dims[four ? 2 : 1];
    h->size = four ? (size_t)t->dims[3] : (size_t)(t->dims[2] / count);
    h->step = four ? h->size : (size_t)t->dims[2];
    h->head_step = four ? h->positions * h->size : h->size;
    h->batch_step = h->positions * h->count * h->size;
    return 0;
}

static size_t row_of(const attention_heads *h, size_t batch, size_t head, size_t position) {
    return batch * h->batch_step + head * h->head_step + position * h->step;
}

static size_t rounded(size_t n, size_t to) {
    return (n + to - 1) / to * to;
}

static size_t least_of(size_t a, size_t b) {
    return a < b ? a : b;
}

/* ---- products ---- */

#define BEGIN_ROW(r)                                                                               \
    floats u##r = *(const floats *)(c + r * step), v##r = *(const floats *)(c + r * step + LANES);
#define ADD_ROW(r)                                                                                 \
    u##r += bu * a[r * a_step + i];                                                                \
    v##r += bv * a[r * a_step + i];
#define END_ROW(r)                                                                                 \
    *(floats *)(c + r * step) = u##r;                                                              \
    *(floats *)(c + r * step + LANES) = v##r;

/* Adds n terms to WIDTH columns of some rows of c. */
#define PRODUCT(name, EACH)                                                                        \
    static void name(const float *a, size_t a_step, const float *b, size_t n, float *c,            \
                     size_t step) {                                                                \
        EACH(BEGIN_ROW)                                                                            \
        (void)a_step;                                                                              \
        for (size_t i = 0; i < n; i++) {                                                           \
            const floats bu = *(const floats *)(b + i * step),                                     \
                         bv = *(const floats *)(b + i * step + LANES);                             \
            EACH(ADD_ROW)                                                                          \
        }                                                                                          \
        EACH(END_ROW)                                                                              \
    }
PRODUCT(product_of_rows, EACH_ROW)
PRODUCT(product_of_row, ONE_ROW)

/* The same for all columns, of which there are `step` in b and in c. */
static void product(size_t rows, const float *a, size_t a_step, const float *b, size_t n, float *c,
                    size_t step) {
    for (size_t j = 0; j < step; j += WIDTH) {
        if (rows > 1) {
            product_of_rows(a, a_step, b + j, n, c + j, step);
        } else {
            product_of_row(a, a_step, b + j, n, c + j, step);
        }
    }
}

/* ---- powers ---- */

/* exp of x - most, where nothing is above `most`, in place of x; adds them to `sum`, a vector. */
static void powers(float *x, size_t n, float most, float *sum) {
    floats all = *(const floats *)sum;
#if KERNEL_LANES > 1
    const floats none = all - all - 88.1F;
#endif
    for (size_t i = 0; i < n; i += LANES) {
        floats p = *(const floats *)(x + i) - most;
#if KERNEL_LANES > 1
        /* 2^k exp(r); of what is below 2^-126 the power of two becomes 0. */
        p = PICK(p < -88.1F, none, p);
        const wholes k = __builtin_convertvector(p * 1.44269502F - 0.5F, wholes);
        const floats n_of = __builtin_convertvector(k, floats);
        const floats r = p - n_of * 0.693359375F - n_of * -2.12194440e-4F;
        floats y = ((1.38131448e-3F * r + 8.36941879e-3F) * r + 4.16684560e-2F) * r;
        y = (y + 0.166665152F) * r + 0.5F;
        p = (r * r * y + r + 1.0F) * (floats)((k + 127) << 23);
#else
        p = expf(p);
#endif
        *(floats *)(x + i) = p;
        all += p;
    }
    *(floats *)sum = all;
}

/* A vector's elements by halves, which are vectors again: the sum, or the largest. */
#define HALVES(HALF) HALF(8) HALF(4) HALF(2) HALF(1)
#define ADD_HALF(n)                                                                                \
    for (size_t l = 0; l < n && n < LANES; l++) {                                                  \
        lane[l] += lane[l + n];                                                                    \
    }
#define LARGER_HALF(n)                                                                             \
    for (size_t l = 0; l < n && n < LANES; l++) {                                                  \
        lane[l] = lane[l] > lane[l + n] ? lane[l] : lane[l + n];                                   \
    }

/* Of a vector in memory, in whose place it is added up. */
static float total_of(float *lane) {
    HALVES(ADD_HALF)
    return lane[0];
}

static float largest(const float *x, size_t n, float most) {
    floats all = *(const floats *)x;
    float lane[LANES];
    for (size_t i = LANES; i < n; i += LANES) {
        const floats v = *(const floats *)(x + i);
        all = PICK(v > all, v, all);
    }
    *(floats *)lane = all;
    HALVES(LARGER_HALF)
    return lane[0] > most ? lane[0] : most;
}

static float dot(const float *a, const float *b, size_t n) {
    floats all = {0};
    float lane[LANES];
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        all += *(const floats *)(a + i) * *(const floats *)(b + i);
    }
    *(floats *)lane = all;
    float sum = total_of(lane);
    for (; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static void multiply(float *x, size_t n, float by) {
    for (size_t i = 0; i < n; i += LANES) {
        *(floats *)(x + i) *= by;
    }
}

/* ---- which keys a query sees ---- */

static size_t at_most(int64_t limit, size_t n) {
    return limit < 0 ? 0 : limit < (int64_t)n ? (size_t)limit : n;
}

static query query_at(const block *t, size_t i) {
    const attention *a = t->a;
    query q = {i / a->q.positions, i % a->q.positions, 0, t->total, -INFINITY};
    q.head += t->group * (a->q.count / a->k.count);
    int64_t at = (int64_t)(q.position + a->past_k.positions);
    if (a->lengths != NULL) {
        int64_t length = whole_at(a->lengths, t->batch);
        at += length - (int64_t)a->q.positions;
        q.end = at_most(length, q.end);
    }
    if (a->mask != NULL) {
        q.end = at_most(a->mask->dims[a->mask->rank - 1], q.end);
    }
    q.end = a->causal ? at_most(at + 1, q.end) : q.end;
    q.end = a->right >= 0 ? at_most(at + a->right + 1, q.end) : q.end;
    q.from = a->left >= 0 ? at_most(at - a->left, t->total) : 0;
    return q;
}

/* Whether any of the n queries from i on sees a key of the block; of scores all are asked for. */
static int any_sees(const block *t, size_t i, size_t n) {
    int any = t->a->scores != NULL;
    for (size_t k = i; k < i + n && !any; k++) {
        const query *q = &t->of[k];
        any = q->from < t->key + t->keys && q->end > t->key && q->from < q->end;
    }
    return any;
}

/* ---- scores ---- */

/* Where the row of the mask begins for a query: as many axes as it has, the last for keys. */
static size_t mask_at(const block *t, const query *q) {
    const tenure_tensor *m = t->a->mask;
    const size_t index[] = {q->position, q->head, t->batch};
    size_t at = 0, step = (size_t)m->dims[m->rank - 1];
    for (size_t k = 0; k + 1 < m->rank; k++) {
        size_t extent = (size_t)m->dims[m->rank - 2 - k];
        at += extent == 1 ? 0 : index[k] * step;
        step *= extent;
    }
    return at;
}

static void add_mask(const block *t, const query *q, float *s, size_t keys) {
    const tenure_tensor *m = t->a->mask;
    size_t at = mask_at(t, q) + t->key;
    for (size_t j = 0; j < keys; j++) {
        if (m->dtype == TENURE_DTYPE_BOOL) {
            s[j] = IN(m, uint8_t)[at + j] != 0 ? s[j] : -INFINITY;
        } else if (m->dtype == TENURE_DTYPE_F32) {
            s[j] += IN(m, float)[at + j];
        } else {
            s[j] += is_float(m) ? (float)double_at(m, at + j) : (float)whole_at(m, at + j);
        }
    }
}

/* Where the scores of a query begin among those asked for. */
static size_t scores_at(const block *t, const query *q) {
    const attention_heads *all = &t->a->q;
    return ((t->batch * all->count + q->head) * all->positions + q->position) * t->total;
}

static void put_scores(const block *t, const query *q, const float *s, int last, int64_t mode) {
    const attention *a = t->a;
    if (a->scores != NULL && (a->scores_mode == mode || (last && a->scores_mode > mode))) {
        put_floats(a->scores, scores_at(t, q) + t->key, t->keys, s);
    }
}

/* What scores of a query become, from products with the block's keys on: those that it does not see
 * count for nothing. */
static void finish_scores(const block *t, const query *q, float *s) {
    const attention *a = t->a;
    size_t from = q->from < t->key ? 0 : q->from - t->key,
           end = q->end < t->key ? 0 : q->end - t->key;
    end = end < t->keys ? end : t->keys;
    multiply(s, t->room, a->scale);
    put_scores(t, q, s, 0, 0);
    for (size_t j = 0; j < t->keys && a->cap > 0; j++) {
        s[j] = a->cap * tanhf(s[j] / a->cap);
    }
    put_scores(t, q, s, 0, 1);
    if (a->mask != NULL) {
        add_mask(t, q, s, end);
    }
    for (size_t j = 0; j < from && j < t->room; j++) {
        s[j] = -INFINITY;
    }
    for (size_t j = end; j < t->room; j++) {
        s[j] = -INFINITY;
    }
    put_scores(t, q, s, 1, 2);
}

/* ---- blocks ---- */

/* One key or value of the block, as floats. */
static const float *take(const block *t, const attention_heads *old, const attention_heads *h,
                         size_t j, float *room) {
    size_t at = t->key + j;
    return at < old->positions
               ? floats_from(old->t, row_of(old, t->batch, t->group, at), h->size, room)
               : floats_from(h->t, row_of(h, t->batch, t->group, at - old->positions), h->size,
                             room);
}

/* Keys side by side, as columns: four at a time, of which vectors can be made. Behind the last it
 * stands again, which counts for nothing. */
static void take_keys(block *t) {
    const attention *a = t->a;
    size_t size = a->k.size;
    for (size_t j = 0; j < t->room; j += ALONG) {
        const float *k[ALONG];
        for (size_t l = 0; l < ALONG; l++) {
            size_t at = j + l < t->keys ? j + l : t->keys - 1;
            k[l] = take(t, &a->past_k, &a->k, at, t->q + l * size);
        }
        float *to = t->k + j;
        for (size_t i = 0; i < size; i++) {
            to[i * t->room] = k[0][i];
            to[i * t->room + 1] = k[1][i];
            to[i * t->room + 2] = k[2][i];
            to[i * t->room + 3] = k[3][i];
        }
    }
}

static void take_values(block *t) {
    const attention *a = t->a;
    for (size_t j = 0; j < t->keys; j++) {
        float *to = t->v + j * t->columns;
        const float *v = take(t, &a->past_v, &a->v, j, to);
        if (v != to) {
            memcpy(to, v, a->v.size * sizeof *v);
        }
        for (size_t i = a->v.size; i < t->columns; i++) {
            to[i] = 0;
        }
    }
}

/* Sums of products of queries [0, n) of a tile and the block's keys, one by one. */
static void add_few(block *t, size_t n) {
    const attention *a = t->a;
    for (size_t j = 0; j < t->keys; j++) {
        const float *k = take(t, &a->past_k, &a->k, j, t->k);
        for (size_t r = 0; r < n; r++) {
            t->s[r * t->room + j] = dot(t->q + r * a->k.size, k, a->k.size);
        }
    }
}

/* What a row of the block's scores gives: sums that were made of smaller ones shrink. */
static void add_powers(block *t, size_t i, float *s) {
    float before = t->of[i].most, most = largest(s, t->room, before);
    if (most > before) {
        float by = expf(before - most);
        multiply(t->y + i * t->columns, t->columns, by);
        multiply(t->sum + i * LANES, LANES, by);
        t->of[i].most = most;
    }
    powers(s, t->room, most > -INFINITY ? most : 0, t->sum + i * LANES);
}

/* Queries [first, first + n), of a tile, and the block's keys. */
static void add_tile(block *t, size_t first, size_t n) {
    const attention_heads *h = &t->a->q;
    size_t rows = n > 1 ? ROWS : 1;
    for (size_t r = 0; r < rows; r++) {
        const query *q = &t->of[first + (r < n ? r : 0)];
        float *to = t->q + r * h->size;
        const float *from =
            floats_from(h->t, row_of(h, t->batch, q->head, q->position), h->size, to);
        if (from != to) {
            memcpy(to, from, h->size * sizeof *from);
        }
    }
    memset(t->s, 0, rows * t->room * sizeof *t->s);
    if (t->queries < FEW) {
        add_few(t, n);
    } else {
        product(rows, t->q, h->size, t->k, h->size, t->s, t->room);
    }
    for (size_t r = 0; r < n; r++) {
        finish_scores(t, &t->of[first + r], t->s + r * t->room);
        add_powers(t, first + r, t->s + r * t->room);
    }
    memset(t->s + n * t->room, 0, (rows - n) * t->room * sizeof *t->s);
    product(rows, t->s, t->room, t->v, t->keys, t->y + first * t->columns, t->columns);
}

/* The shares of a query in place of its scores; `by`: one by the sum. */
static void put_shares(const block *t, const query *q, float by) {
    const tenure_tensor *scores = t->a->scores;
    size_t at = scores_at(t, q);
    for (size_t j = at; j < at + t->total; j++) {
        float share = by == 0 ? 0 : expf((float)double_at(scores, j) - q->most) * by;
        put_double(scores, j, (double)share);
    }
}

static void put_results(block *t) {
    const attention *a = t->a;
    for (size_t i = 0; i < t->queries; i++) {
        const query *q = &t->of[i];
        float sum = total_of(t->sum + i * LANES), *y = t->y + i * t->columns;
        float by = sum == 0 ? 0 : 1 / sum; /* no key was seen */
        multiply(y, t->columns, by);
        put_floats(a->y.t, row_of(&a->y, t->batch, q->head, q->position), a->v.size, y);
        if (a->scores != NULL && a->scores_mode == 3) {
            put_shares(t, q, by);
        }
    }
}

static void attend_queries(block *t) {
    for (size_t i = 0; i < t->queries; i++) {
        t->of[i] = query_at(t, t->first + i);
    }
    memset(t->sum, 0, t->queries * LANES * sizeof *t->sum);
    memset(t->y, 0, (t->queries + ROWS - 1) / ROWS * ROWS * t->columns * sizeof *t->y);
    for (t->key = 0; t->key < t->total; t->key += t->keys) {
        t->keys = least_of(t->total - t->key, t->most_keys);
        if (!any_sees(t, 0, t->queries)) {
            continue;
        }
        t->room = rounded(t->keys, UNIT);
        if (t->queries >= FEW) {
            take_keys(t);
        }
        take_values(t);
        for (size_t i = 0; i < t->queries; i += ROWS) {
            size_t n = t->queries - i < ROWS ? t->queries - i : ROWS;
            if (any_sees(t, i, n)) {
                add_tile(t, i, n);
            }
        }
    }
    put_results(t);
}

static int mask_fits(const attention *a) {
    const tenure_tensor *m = a->mask;
    const size_t extents[] = {a->q.positions, a->q.count, (size_t)a->q.t->dims[0]};
    int fit = m == NULL || (m->rank > 0 && m->rank <= 4);
    for (size_t k = 0; fit && m != NULL && k + 1 < m->rank; k++) {
        size_t extent = (size_t)m->dims[m->rank - 2 - k];
        fit = extent == 1 || extent == extents[k];
    }
    return fit;
}

static int fits(const attention *a) {
    const attention_heads *old[] = {&a->past_k, &a->past_v}, *all[] = {&a->k, &a->v};
    int fit = a->k.size == a->q.size && a->k.count > 0 && a->q.count % a->k.count == 0 &&
              a->v.count == a->k.count && a->v.positions == a->k.positions &&
              a->past_v.positions == a->past_k.positions && a->q.size <= MOST_SIZE &&
              rounded(a->v.size, WIDTH) <= MOST_SIZE;
    for (size_t i = 0; i < 2; i++) {
        fit = fit && (old[i]->t == NULL ||
                      (old[i]->size == all[i]->size && old[i]->count == all[i]->count));
    }
    return fit && a->q.size > 0 && a->v.size > 0 && mask_fits(a);
}

int attend(const attention *a) {
    block t;
    if (!fits(a)) {
        return KERNEL_BAD_SHAPE;
    }
    if (a->scores != NULL && (a->scores_mode < 0 || a->scores_mode > 3)) {
        return KERNEL_BAD_VALUE;
    }
    size_t queries = a->q.count / a->k.count * a->q.positions;
    t.a = a;
    t.total = a->past_k.positions + a->k.positions;
    t.columns = rounded(a->v.size, WIDTH);
    size_t widest = t.columns > a->q.size ? t.columns : a->q.size;
    t.most_keys = least_of(MOST_KEYS, ROOM / widest / UNIT * UNIT);
    size_t most = least_of(MOST_QUERIES, ROOM / t.columns / ROWS * ROWS);
    for (t.batch = 0; t.batch < (size_t)a->q.t->dims[0]; t.batch++) {
        for (t.group = 0; t.group < a->k.count; t.group++) {
            for (t.first = 0; t.first < queries; t.first += t.queries) {
                t.queries = least_of(queries - t.first, most);
                attend_queries(&t);
            }
        }
    }
    return 0;
}
