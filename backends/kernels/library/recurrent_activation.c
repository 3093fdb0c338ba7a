/* Functions named by attributes. */
#include "recurrent.h"

static float relu(float x, float a, float b) {
    (void)a, (void)b;
    return x > 0 ? x : 0;
}
static float leaky_relu(float x, float a, float b) {
    (void)b;
    return x < 0 ? a * x : x;
}
static float thresholded_relu(float x, float a, float b) {
    (void)b;
    return x > a ? x : 0;
}
static float tangent(float x, float a, float b) {
    (void)a, (void)b;
    return tanhf(x);
}
static float scaled_tangent(float x, float a, float b) {
    return a * tanhf(b * x);
}
static float sigmoid(float x, float a, float b) {
    (void)a, (void)b;
    return 1 / (1 + expf(-x));
}
static float hard_sigmoid(float x, float a, float b) {
    float v = a * x + b;
    return v < 0 ? 0 : v < 1 ? v : 1;
}
static float elu(float x, float a, float b) {
    (void)b;
    return x < 0 ? a * (expf(x) - 1) : x;
}
static float softsign(float x, float a, float b) {
    (void)a, (void)b;
    return x / (1 + fabsf(x));
}
static float softplus(float x, float a, float b) {
    (void)a, (void)b;
    return x > 0 ? x + log1pf(expf(-x)) : log1pf(expf(x));
}
static float affine(float x, float a, float b) {
    return a * x + b;
}
static float clip(float x, float a, float b) {
    return x < a ? a : x > b ? b : x;
}

static const struct {
    const char *name;
    int parameters;
    activation a;
} known[] = {
    {"relu", 0, {relu, 0, 0}},
    {"leakyrelu", 1, {leaky_relu, 0.01F, 0}},
    {"thresholdedrelu", 1, {thresholded_relu, 1, 0}},
    {"tanh", 0, {tangent, 0, 0}},
    {"scaledtanh", 2, {scaled_tangent, 1, 1}},
    {"sigmoid", 0, {sigmoid, 0, 0}},
    {"hardsigmoid", 2, {hard_sigmoid, 0.2F, 0.5F}},
    {"elu", 1, {elu, 1, 0}},
    {"softsign", 0, {softsign, 0, 0}},
    {"softplus", 0, {softplus, 0, 0}},
    {"affine", 2, {affine, 1, 0}},
    {"clip", 2, {clip, -HUGE_VALF, HUGE_VALF}},
};

static int same_letters(const char *name, const char *lower) {
    for (; *name != 0 && *lower != 0; name++, lower++) {
        char letter = (char)(*name >= 'A' && *name <= 'Z' ? *name - 'A' + 'a' : *name);
        if (letter != *lower) {
            return 0;
        }
    }
    return *name == *lower;
}

int activation_named(const char *name, activation *a) {
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (same_letters(name, known[i].name)) {
            *a = known[i].a;
            return known[i].parameters;
        }
    }
    return -1;
}

float activate(const activation *a, float x) {
    return a->f(x, a->alpha, a->beta);
}
