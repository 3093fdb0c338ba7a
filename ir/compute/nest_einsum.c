/* Einsum: letters are axes; those that the result lacks are summed over. */
#include <ctype.h>
#include <string.h>

#include "ir/compute/nest_over.h"

/* Operands by their letters, and the result; NULL where it is stated by none. */
typedef struct equation {
    const char *at, *result;
    int64_t extent[128];
    uint32_t axis[128], count[128];
} equation;

static const char *letters_of(const tn_compute *c, const char *text, size_t n) {
    char *letters = tn_arena_strndup(c->arena, text, n);
    size_t k = 0;
    for (size_t i = 0; letters[i] != '\0'; i++) {
        if (letters[i] != ' ') {
            letters[k++] = letters[i];
        }
    }
    letters[k] = '\0';
    return letters;
}

/* The extents by the letters of an operand, which are as many as it has axes. */
static bool read_operand(const tn_compute *c, equation *e, uint32_t operand, const char *letters) {
    const tn_compute_value *v = tn_compute_operand(c, operand);
    if (v == NULL || strlen(letters) != v->rank) {
        return false;
    }
    for (uint32_t i = 0; i < v->rank; i++) {
        unsigned char letter = (unsigned char)letters[i];
        if (!isalpha(letter) || (e->extent[letter] != 0 && e->extent[letter] != v->dims[i])) {
            return false;
        }
        e->extent[letter] = v->dims[i];
        e->count[letter]++;
    }
    return true;
}

/* Without an arrow: what stands once, in the order of letters. */
static const char *letters_once(const tn_compute *c, const equation *e) {
    char *letters = TN_ARRAY(c->arena, char, 129);
    size_t n = 0;
    for (unsigned letter = 0; letter < 128; letter++) {
        if (e->count[letter] == 1) {
            letters[n++] = (char)letter;
        }
    }
    return letters;
}

static tn_calc *product(tn_compute *c, const equation *e, const char *const *letters) {
    tn_calc *all = NULL;
    for (uint32_t i = 0; i < c->n_operands; i++) {
        int64_t steps[TN_NEST_AXES];
        tn_affine at = {0};
        tn_compute_steps(&c->operands[i], steps);
        for (uint32_t k = 0; k < c->operands[i].rank; k++) {
            at.by[e->axis[(unsigned char)letters[i][k]]] += steps[k];
        }
        tn_calc *x = tn_calc_load(c->arena, i, &at);
        all = all == NULL ? x : tn_calc_two(c, TN_CALC_MUL, all, x);
    }
    return all;
}

bool tn_compute_einsum(tn_compute *c) {
    const tn_compute_value *y = &c->results[0];
    const char *text = tn_compute_text(c, "equation"), *arrow = strstr(text, "->");
    const char **letters = TN_ARRAY(c->arena, const char *, c->n_operands + 1u);
    equation e = {0};
    const char *end = arrow != NULL ? arrow : text + strlen(text);
    for (uint32_t i = 0; i < c->n_operands; i++) {
        const char *comma = memchr(text, ',', (size_t)(end - text));
        const char *stop = comma != NULL ? comma : end;
        letters[i] = letters_of(c, text, (size_t)(stop - text));
        if ((comma == NULL) != (i + 1 == c->n_operands) || !read_operand(c, &e, i, letters[i])) {
            return false;
        }
        text = stop + (comma != NULL);
    }
    const char *result =
        arrow != NULL ? letters_of(c, arrow + 2, strlen(arrow + 2)) : letters_once(c, &e);
    tn_nest *n = strlen(result) == y->rank ? tn_compute_over(c, 0) : NULL;
    for (uint32_t i = 0; n != NULL && i < y->rank; i++) {
        unsigned char letter = (unsigned char)result[i];
        if (!isalpha(letter) || e.extent[letter] != y->dims[i]) {
            return false;
        }
        e.axis[letter] = i;
        e.extent[letter] = 0; /* a second one is refused, and none is left to be summed over */
    }
    if (n == NULL) {
        return false;
    }
    uint32_t first = n->n_axes;
    for (unsigned letter = 0; letter < 128; letter++) {
        if (e.extent[letter] != 0 && n->n_axes == TN_NEST_AXES) {
            return false;
        }
        if (e.extent[letter] != 0) {
            e.axis[letter] = tn_nest_axis(n, e.extent[letter]);
        }
    }
    n->value = product(c, &e, letters);
    if (n->n_axes > first) {
        tn_nest_stage *s = &n->stage[n->n_stages++];
        s->depth = s->first = first;
        s->n = n->n_axes - first;
        s->body = n->value;
        n->value = tn_calc_local(c->arena, 0);
    }
    return true;
}
