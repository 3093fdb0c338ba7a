/* Layers over sequences: one direction of one entry of the batch after the other. */
#include "recurrent.h"

static float plain_dot(const float *a, const float *b, size_t n) {
    float sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* With vectors as many sums side by side, which do not wait for one another. */
static float dot(const float *a, const float *b, size_t n) {
    float sums[KERNEL_LANES] = {0};
    size_t i = 0;
    if (KERNEL_LANES == 1 || n < KERNEL_LANES) {
        return plain_dot(a, b, n);
    }
    for (; i + KERNEL_LANES <= n; i += KERNEL_LANES) {
        for (size_t k = 0; k < KERNEL_LANES; k++) {
            sums[k] += a[i + k] * b[i + k];
        }
    }
    for (size_t half = KERNEL_LANES / 2; half > 0; half /= 2) {
        for (size_t k = 0; k < half; k++) {
            sums[k] += sums[k + half];
        }
    }
    return plain_dot(a + i, b + i, n - i) + sums[0];
}

float cell_from_x(const cell *c, size_t gate, size_t unit) {
    size_t row = gate * c->n->units + unit;
    float v = dot(c->x, c->w + row * c->n->inputs, c->n->inputs);
    return c->wb == NULL ? v : v + c->wb[row];
}

float cell_from_h(const cell *c, const float *h, size_t gate, size_t unit) {
    size_t row = gate * c->n->units + unit;
    float v = dot(h, c->r + row * c->n->units, c->n->units);
    return c->rb == NULL ? v : v + c->rb[row];
}

float cell_clipped(const cell *c, float v) {
    float most = c->n->clip;
    if (most == 0) {
        return v;
    }
    return v < -most ? -most : v > most ? most : v;
}

/* Parameters come one after the other, for those functions that have any. */
static int named(const recurrent *n, size_t direction, cell *c) {
    uint32_t alphas = 0, betas = 0;
    for (size_t i = 0; i < (direction + 1) * n->functions; i++) {
        activation *a = &c->f[i % n->functions];
        int given = n->names.at != NULL && i < n->names.count;
        int parameters =
            activation_named(given ? n->names.at[i] : n->defaults[i % n->functions], a);
        if (parameters < 0) {
            return KERNEL_BAD_VALUE;
        }
        if (parameters > 0 && n->alpha.at != NULL && alphas < n->alpha.count) {
            a->alpha = n->alpha.at[alphas++];
        }
        if (parameters > 1 && n->beta.at != NULL && betas < n->beta.count) {
            a->beta = n->beta.at[betas++];
        }
    }
    return 0;
}

/* Where a state of [directions, batch, units], or the layout's order, has an entry. */
static size_t state_at(const recurrent *n, size_t d, size_t entry) {
    return (n->layout ? entry * n->directions + d : d * n->batch + entry) * n->units;
}

static size_t x_at(const recurrent *n, size_t t, size_t entry) {
    return (n->layout ? entry * n->steps + t : t * n->batch + entry) * n->inputs;
}

static size_t y_at(const recurrent *n, size_t t, size_t d, size_t entry) {
    size_t at = n->layout ? (entry * n->steps + t) * n->directions + d
                          : (t * n->directions + d) * n->batch + entry;
    return at * n->units;
}

static void load(const tenure_tensor *from, size_t at, float *to, size_t n) {
    for (size_t i = 0; i < n; i++) {
        to[i] = from == NULL ? 0 : IN(from, float)[at + i];
    }
}

static void keep(const float *from, const tenure_tensor *to, size_t at, size_t n) {
    for (size_t i = 0; to != NULL && i < n; i++) {
        OUT(to, float)[at + i] = from == NULL ? 0 : from[i];
    }
}

static void entry_run(cell *c, size_t d, size_t entry, int backwards, void (*step)(cell *c)) {
    const recurrent *n = c->n;
    size_t length = n->lens == NULL ? n->steps : (size_t)IN(n->lens, int32_t)[entry],
           state = state_at(n, d, entry);
    load(n->first_h, state, c->h, n->units);
    load(n->first_c, state, c->c, n->units);
    for (size_t i = 0; i < n->steps; i++) {
        size_t t = backwards && i < length ? length - 1 - i : i;
        if (i < length) {
            c->x = IN(n->x, float) + x_at(n, t, entry);
            step(c);
            memcpy(c->h, c->next, n->units * sizeof(float));
        }
        keep(i < length ? c->h : NULL, n->y, y_at(n, t, d, entry), n->units);
    }
    keep(c->h, n->y_h, state, n->units);
    keep(c->c, n->y_c, state, n->units);
}

static int direction_init(cell *c, const recurrent *n, size_t d) {
    size_t rows = n->gates * n->units;
    int floats = n->w_scale == NULL;
    c->n = n;
    c->direction = d;
    c->w = floats ? IN(n->w, float) + d * rows * n->inputs : NULL;
    c->r = floats ? IN(n->r, float) + d * rows * n->units : NULL;
    c->wb = n->b == NULL ? NULL : IN(n->b, float) + d * 2 * rows;
    c->rb = n->b == NULL ? NULL : c->wb + rows;
    c->p = n->p == NULL ? NULL : IN(n->p, float) + d * 3 * n->units;
    return named(n, d, c);
}

int recurrent_run(recurrent *n, void (*step)(cell *c)) {
    cell c;
    if (n->x->dtype != TENURE_DTYPE_F32) {
        return BAD_TYPE(KNOWS_F32, n->x);
    }
    n->steps = (size_t)n->x->dims[n->layout ? 1 : 0];
    n->batch = (size_t)n->x->dims[n->layout ? 0 : 1];
    n->inputs = (size_t)n->x->dims[2];
    n->directions = (size_t)n->r->dims[0];
    n->units = (size_t)n->r->dims[n->w_scale == NULL ? 2 : 1];
    if (n->units > RECURRENT_MOST ||
        (size_t)n->r->dims[n->w_scale == NULL ? 1 : 2] != n->gates * n->units) {
        return KERNEL_BAD_SHAPE;
    }
    for (size_t d = 0; d < n->directions; d++) {
        int bad = direction_init(&c, n, d),
            backwards = d > 0 || strcmp(n->direction, "reverse") == 0;
        if (bad) {
            return bad;
        }
        for (size_t entry = 0; entry < n->batch; entry++) {
            entry_run(&c, d, entry, backwards, step);
        }
    }
    return 0;
}
