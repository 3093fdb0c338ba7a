#include "ir/compute/nest_fuse.h"

#include <string.h>

#include "ir/compute/nest_places.h"

enum { MOST_SITES = 24, CHEAP = 6, MOST_TIMES = 3, COSTLY = 8, MOST_WEIGHT = 160 };

/* ---- loads ---- */

typedef struct site {
    tn_calc *load;
    const tn_nest_stage *stage; /* NULL: in the value */
    bool start;                 /* of what the stage begins with */
} site;

typedef struct sites {
    site data[MOST_SITES];
    uint32_t n;
    bool bad;      /* too many */
    bool by_index; /* where an index says that is loaded */
} sites;

static void find_loads(sites *s, tn_calc *x, const tn_nest_stage *stage, bool start,
                       uint32_t operand) {
    if (x == NULL) {
        return;
    }
    if (x->kind == TN_CALC_LOAD && x->which == operand) {
        s->bad = s->bad || s->n == MOST_SITES;
        s->by_index = s->by_index || x->arg[0] != NULL;
        if (!s->bad) {
            s->data[s->n++] = (site){x, stage, start};
        }
    }
    for (uint32_t i = 0; i < 3; i++) {
        find_loads(s, x->arg[i], stage, start, operand);
    }
}

static sites all_loads(tn_nest *n, uint32_t operand) {
    sites s = {.n = 0};
    find_loads(&s, n->value, NULL, false, operand);
    for (uint32_t i = 0; i < n->n_stages; i++) {
        find_loads(&s, n->stage[i].body, &n->stage[i], false, operand);
        find_loads(&s, n->stage[i].start, &n->stage[i], true, operand);
    }
    s.bad = s.bad || s.n == 0 || n->value_too != NULL || n->border;
    return s;
}

bool tn_nest_has_tiles(const tn_nest *n) {
    for (uint32_t i = 0; i < n->n_stages; i++) {
        const tn_nest_stage *s = &n->stage[i];
        bool product = s->body->kind == TN_CALC_OP && s->body->op == TN_CALC_MUL &&
                       s->combine == TN_COMBINE_SUM && s->n > 0;
        if (product || s->n_guards > 0) {
            return true;
        }
        bool slides = s->n > 1 && s->body->kind == TN_CALC_LOAD && s->depth == n->n_outer &&
                      s->depth > 0 && s->body->at.by[s->depth - 1] != 0;
        if (slides) { /* without borders */
            return true;
        }
    }
    return false;
}

/* ---- what was done to each element ---- */

/* Puts the value of `from` where `into` loads the operand, at the one place for all; `axis` has the
 * indices of the axes of `into`. */
static bool put_value(tn_arena *arena, tn_calc *x, const tn_nest *into, uint32_t operand,
                      const tn_nest *from, const tn_affine *axis) {
    if (x == NULL) {
        return true;
    }
    if (x->kind == TN_CALC_LOAD && x->which == operand) {
        *x = *tn_calc_copy(arena, from->value);
        return true;
    }
    bool all = x->kind == TN_CALC_OP || x->kind == TN_CALC_NUMBER ||
               tn_nest_move_place(&x->at, axis, into->n_axes);
    for (uint32_t i = 0; i < 3; i++) {
        all = all && put_value(arena, x->arg[i], into, operand, from, axis);
    }
    return all;
}

/* Where all loads of the operand are; false where they are not one place. */
static bool only_place(tn_nest *n, uint32_t operand, tn_affine *at) {
    sites s = all_loads(n, operand);
    for (uint32_t i = 0; i < s.n; i++) {
        if (s.by_index || !tn_nest_same_place(n, &s.data[i].load->at, &s.data[0].load->at)) {
            return false;
        }
    }
    *at = s.n > 0 ? s.data[0].load->at : (tn_affine){0};
    return !s.bad;
}

/* Axes of `n` that go through more than one of the axes that lie so far apart become two. */
static bool divide_by(tn_nest *n, const tn_nest *axes, const tn_affine *place) {
    for (uint32_t a = 0; a < n->n_outer; a++) {
        for (uint32_t k = 0; k < axes->n_outer; k++) {
            int64_t step = n->store.by[a], inner = step > 0 ? place->by[k] / step : 0;
            bool within = axes->extent[k] > 1 && inner > 1 && place->by[k] % step == 0 &&
                          inner < n->extent[a];
            if (within &&
                (n->n_axes + axes->n_axes >= TN_NEST_AXES || !tn_nest_divide(n, a, inner))) {
                return false;
            }
        }
    }
    return true;
}

bool tn_nest_put_behind(tn_arena *arena, tn_nest *into, uint32_t operand, const tn_nest *from) {
    tn_affine axis[TN_NEST_AXES], place;
    if (into->n_stages > 0 || into->value_too != NULL || into->border || from->border ||
        from->value_too != NULL || !only_place(into, operand, &place)) {
        return false;
    }
    tn_nest made = *from;
    made.result = into->result;
    for (uint32_t i = 0; i < made.n_stages; i++) {
        made.stage[i].body = tn_calc_copy(arena, from->stage[i].body);
        made.stage[i].start =
            from->stage[i].start != NULL ? tn_calc_copy(arena, from->stage[i].start) : NULL;
    }
    made.value = tn_calc_copy(arena, from->value);
    if (!tn_nest_split_by(into, &place, &made, NULL, &made.store, axis) &&
        !(divide_by(&made, into, &place) &&
          tn_nest_split_by(into, &place, &made, NULL, &made.store, axis))) {
        return false;
    }
    tn_nest behind = made;
    made.value = into->value;
    made.store = into->store;
    bool all = put_value(arena, made.value, into, operand, &behind, axis) &&
               tn_nest_move_place(&made.store, axis, into->n_axes);
    *into = made;
    return all;
}

/* ---- how often ---- */

static uint32_t weight_of(const tn_calc *x) {
    if (x == NULL) {
        return 0;
    }
    bool dear = x->kind == TN_CALC_OP && x->op >= TN_CALC_EXP && x->op != TN_CALC_FLOOR &&
                x->op != TN_CALC_CEIL && x->op != TN_CALC_ROUND && x->op != TN_CALC_SQRT;
    bool slow = x->kind == TN_CALC_OP && (x->op == TN_CALC_DIV || x->op == TN_CALC_SQRT ||
                                          x->op == TN_CALC_FMOD || x->op == TN_CALC_MOD);
    uint32_t weight = dear                                                    ? COSTLY
                      : slow                                                  ? 3
                      : x->kind == TN_CALC_NUMBER || x->kind == TN_CALC_LOCAL ? 0
                                                                              : 1;
    for (uint32_t i = 0; i < 3; i++) {
        weight += weight_of(x->arg[i]);
    }
    return weight;
}

static double product_of(const tn_nest *n, uint32_t from, uint32_t to) {
    double all = 1;
    for (uint32_t a = from; a < to; a++) {
        all *= (double)n->extent[a];
    }
    return all;
}

/* How often the elements of `from` are computed where they are loaded. */
static double times(const tn_nest *into, const sites *s, const tn_nest *from) {
    double all = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        const tn_nest_stage *stage = s->data[i].stage;
        all += stage == NULL ? product_of(into, 0, into->n_outer)
                             : product_of(into, 0, stage->depth) *
                                   (s->data[i].start
                                        ? 1
                                        : product_of(into, stage->first, stage->first + stage->n));
    }
    return all / product_of(from, 0, from->n_outer);
}

/* ---- stages ---- */

static void renumber(tn_calc *x, uint32_t by) {
    if (x == NULL) {
        return;
    }
    x->which += x->kind == TN_CALC_LOCAL ? by : 0;
    for (uint32_t i = 0; i < 3; i++) {
        renumber(x->arg[i], by);
    }
}

static void make_room(tn_nest *n, uint32_t by) {
    renumber(n->value, by);
    for (uint32_t i = 0; i < n->n_stages; i++) {
        renumber(n->stage[i].body, by);
        renumber(n->stage[i].start, by);
    }
    memmove(&n->stage[by], &n->stage[0], n->n_stages * sizeof n->stage[0]);
    n->n_stages += by;
}

/* The axes of the nest that `n` indices move along: 1 + the last one of the outer axes; more than
 * all of these where stages' axes move them. */
static uint32_t depth_of(const tn_nest *into, const tn_affine *index, uint32_t n) {
    uint32_t depth = 0;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t a = 0; a < into->n_axes; a++) {
            bool moves = index[i].by[a] != 0 && into->extent[a] > 1;
            depth = moves && a + 1 > depth ? a + 1 : depth;
        }
    }
    return depth;
}

static bool same_indices(const tn_nest *into, const tn_affine *a, const tn_affine *b, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        if (!tn_nest_same_place(into, &a[i], &b[i])) {
            return false;
        }
    }
    return true;
}

/* Stage `i` of `from` as one of `into`; `axis` has the indices of all its outer axes, and gets
 * those of its own. */
static bool take_stage(tn_arena *arena, tn_nest *into, uint32_t i, const tn_nest *from,
                       tn_affine *axis) {
    tn_nest_stage s = from->stage[i];
    s.depth = depth_of(into, axis, s.depth);
    s.first = into->n_axes;
    for (uint32_t a = 0; a < s.n; a++) {
        axis[from->stage[i].first + a] = (tn_affine){0};
        axis[from->stage[i].first + a]
            .by[tn_nest_axis(into, from->extent[from->stage[i].first + a])] = 1;
    }
    s.body = tn_calc_copy(arena, s.body);
    s.start = s.start != NULL ? tn_calc_copy(arena, s.start) : NULL;
    bool all = tn_nest_move_calc(s.body, axis, from->n_axes) &&
               tn_nest_move_calc(s.start, axis, from->n_axes);
    for (uint32_t g = 0; g < s.n_guards; g++) {
        all = all && tn_nest_move_place(&s.guards[g].at, axis, from->n_axes);
    }
    into->stage[i] = s;
    return all;
}

/* The stages of `from`, and with `value` that, as those of `into`, once for all sites. */
static bool take_stages(tn_arena *arena, tn_nest *into, const sites *s, const tn_nest *from,
                        tn_affine *axis, bool value) {
    uint32_t more = from->n_stages + value, axes = from->n_axes - from->n_outer;
    uint32_t depth = depth_of(into, axis, from->n_outer);
    bool fits = into->n_stages + more <= TN_NEST_STAGES && into->n_axes + axes <= TN_NEST_AXES &&
                depth <= into->n_outer && !tn_nest_has_tiles(into) &&
                product_of(into, 0, depth) <= product_of(from, 0, from->n_outer);
    for (uint32_t i = 0; i < s->n && fits; i++) {
        fits = s->data[i].stage == NULL || depth <= s->data[i].stage->depth;
    }
    if (!fits) {
        return false;
    }
    make_room(into, more);
    for (uint32_t i = 0; i < from->n_stages && fits; i++) {
        fits = take_stage(arena, into, i, from, axis);
    }
    if (value) {
        tn_calc *body = tn_calc_copy(arena, from->value);
        fits = fits && tn_nest_move_calc(body, axis, from->n_axes);
        into->stage[from->n_stages] =
            (tn_nest_stage){.depth = depth, .first = into->n_axes, .body = body};
    }
    return fits;
}

/* ---- where it is loaded ---- */

/* Whether a load is what a tile multiplies or begins with, of a nest that has tiles. */
static bool is_in_tile(const tn_nest *into, const sites *s) {
    bool any = false;
    for (uint32_t i = 0; i < s->n; i++) {
        any = any || s->data[i].stage != NULL;
    }
    return any && tn_nest_has_tiles(into);
}

/* Whether all loads are factors of products, or what these begin with. */
static bool are_factors(const sites *s) {
    bool all = true;
    for (uint32_t i = 0; i < s->n && all; i++) {
        const tn_nest_stage *stage = s->data[i].stage;
        const tn_calc *body = stage != NULL ? stage->body : NULL;
        bool factor = body != NULL && body->kind == TN_CALC_OP && body->op == TN_CALC_MUL &&
                      (body->arg[0] == s->data[i].load || body->arg[1] == s->data[i].load);
        all = factor || s->data[i].start;
    }
    return all;
}

/* Once for all sites, which have the indices `axis` of the first one. */
static bool put_shared(tn_arena *arena, tn_nest *into, const sites *s, const tn_nest *from,
                       tn_affine *axis, bool value) {
    tn_affine other[TN_NEST_AXES];
    for (uint32_t i = 1; i < s->n; i++) {
        if (!tn_nest_split(from, into, s->data[i].stage, &s->data[i].load->at, other) ||
            !same_indices(into, axis, other, from->n_outer)) {
            return false;
        }
    }
    if (!take_stages(arena, into, s, from, axis, value)) {
        return false;
    }
    for (uint32_t i = 0; i < s->n; i++) {
        tn_calc *x =
            value ? tn_calc_local(arena, from->n_stages) : tn_calc_copy(arena, from->value);
        if (!value && !tn_nest_move_calc(x, axis, from->n_axes)) {
            return false;
        }
        *s->data[i].load = *x;
    }
    return true;
}

/* At each site by itself. */
static bool put_each(tn_arena *arena, tn_nest *into, const sites *s, const tn_nest *from) {
    tn_affine axis[TN_NEST_AXES];
    for (uint32_t i = 0; i < s->n; i++) {
        tn_calc *x = tn_calc_copy(arena, from->value);
        if (!tn_nest_split(from, into, s->data[i].stage, &s->data[i].load->at, axis) ||
            !tn_nest_move_calc(x, axis, from->n_axes)) {
            return false;
        }
        *s->data[i].load = *x;
    }
    return true;
}

/* Whether factors of products lie side by side along columns, or both along what is summed up. */
static bool keeps_tiles(const tn_nest *n) {
    bool all = true;
    for (uint32_t i = 0; i < n->n_stages && n->n_outer > 0 && all; i++) {
        const tn_nest_stage *s = &n->stage[i];
        const tn_calc *a = s->body->arg[0], *b = s->body->arg[1];
        uint32_t column = n->n_outer - 1, last = s->first + s->n - 1;
        if (s->n == 0 || s->body->kind != TN_CALC_OP || s->body->op != TN_CALC_MUL) {
            continue;
        }
        if (a->kind != TN_CALC_LOAD || b->kind != TN_CALC_LOAD) {
            return false;
        }
        const tn_calc *x = a->at.by[column] != 0 ? a : b;
        all = x->at.by[column] == 1 || n->extent[column] == 1 ||
              (a->at.by[last] == 1 && b->at.by[last] == 1);
    }
    return all;
}

/* Puts the load's place where what was done to each element loads that; false where it loads
 * others, but for those that are the same for all. */
static bool put_index(tn_arena *arena, tn_calc *x, const tn_nest *from, const tn_calc *load) {
    bool all = x == NULL || (x->kind != TN_CALC_PLACE && x->kind != TN_CALC_FACTOR);
    if (x != NULL && x->kind == TN_CALC_LOAD) {
        tn_affine fixed = {.base = x->at.base};
        bool same = x->arg[0] == NULL && tn_nest_same_place(from, &x->at, &from->store);
        if (!same) {
            return x->arg[0] == NULL && tn_nest_same_place(from, &x->at, &fixed);
        }
        x->at = load->at;
        x->arg[0] = load->arg[0] != NULL ? tn_calc_copy(arena, load->arg[0]) : NULL;
        return true;
    }
    for (uint32_t i = 0; x != NULL && i < 3 && all; i++) {
        all = put_index(arena, x->arg[i], from, load);
    }
    return all;
}

/* At each site by itself, where an index says which element that is. */
static bool put_by_index(tn_arena *arena, const tn_nest *into, const sites *s,
                         const tn_nest *from) {
    bool all = from->n_stages == 0 && weight_of(from->value) <= CHEAP && !tn_nest_has_tiles(into);
    for (uint32_t i = 0; i < s->n && all; i++) {
        tn_calc *x = tn_calc_copy(arena, from->value);
        all = put_index(arena, x, from, s->data[i].load);
        *s->data[i].load = *x;
    }
    return all;
}

bool tn_nest_put_inside(tn_arena *arena, tn_nest *into, uint32_t operand, const tn_nest *from) {
    tn_affine axis[TN_NEST_AXES];
    sites s = all_loads(into, operand);
    if (s.bad || from->value_too != NULL || from->border || tn_nest_has_tiles(from)) {
        return false;
    }
    if (s.by_index) {
        return put_by_index(arena, into, &s, from);
    }
    if (!tn_nest_split(from, into, s.data[0].stage, &s.data[0].load->at, axis)) {
        return false;
    }
    if (is_in_tile(into, &s)) {
        bool moved = from->value->kind == TN_CALC_LOAD && from->value->arg[0] == NULL;
        return from->n_stages == 0 && are_factors(&s) &&
               (tn_calc_is_quantum(from->value) || moved) && put_each(arena, into, &s, from) &&
               (!moved || keeps_tiles(into));
    }
    double n = times(into, &s, from);
    uint32_t weight = weight_of(from->value);
    bool often = n > 1 && (n > (double)MOST_TIMES || weight > CHEAP) && weight > 1;
    bool put = from->n_stages > 0 || often ? put_shared(arena, into, &s, from, axis, often)
                                           : put_each(arena, into, &s, from);
    return put && weight_of(into->value) <= MOST_WEIGHT;
}

/* ---- in place ---- */

/* Whether every load is of the element that lies in the place of the one stored. */
static bool loads_here(const tn_nest *n, const tn_calc *x, uint32_t operand) {
    if (x == NULL) {
        return true;
    }
    bool here = x->kind != TN_CALC_LOAD || x->which != operand ||
                (x->arg[0] == NULL && tn_nest_same_place(n, &x->at, &n->store));
    for (uint32_t i = 0; i < 3; i++) {
        here = here && loads_here(n, x->arg[i], operand);
    }
    return here;
}

/* Whether every load stays in the row that axes [0, depth) lead to, and in which only they store.
 */
static bool loads_row(const tn_nest *n, const tn_calc *x, uint32_t operand, uint32_t depth,
                      int64_t row) {
    if (x == NULL) {
        return true;
    }
    bool mine = x->kind == TN_CALC_LOAD && x->which == operand, all = true;
    if (mine) {
        int64_t least, most;
        all = x->arg[0] == NULL && !tn_affine_has_table(&x->at);
        for (uint32_t a = 0; a < depth; a++) {
            all = all && (x->at.by[a] == n->store.by[a] || n->extent[a] == 1);
        }
        tn_affine_range(n, &x->at, depth, n->n_axes, &least, &most);
        all = all && least >= 0 && most < row;
    }
    for (uint32_t i = 0; i < 3; i++) {
        all = all && loads_row(n, x->arg[i], operand, depth, row);
    }
    return all;
}

tn_nest_over tn_nest_may_lie_over(const tn_nest *n, uint32_t operand) {
    uint32_t depth = n->n_outer;
    bool staged = false;
    if (n->value_too != NULL || n->border || !loads_here(n, n->value, operand) ||
        tn_affine_has_table(&n->store) || n->store.base != 0) {
        return TN_OVER_NOT;
    }
    for (uint32_t i = 0; i < n->n_stages; i++) {
        const tn_nest_stage *s = &n->stage[i];
        if (tn_calc_loads(s->start, operand)) {
            return TN_OVER_NOT;
        }
        if (tn_calc_loads(s->body, operand)) {
            if (staged && s->depth != depth) {
                return TN_OVER_NOT; /* some would be read behind what is written */
            }
            depth = s->depth;
            staged = true;
        }
    }
    if (!staged || tn_nest_has_tiles(n)) { /* tiles read what they may have stored */
        return staged ? TN_OVER_NOT : TN_OVER_ELEMENTS;
    }
    int64_t row = 1, least, most;
    for (uint32_t a = depth; a < n->n_outer; a++) {
        row *= n->extent[a];
    }
    tn_affine_range(n, &n->store, depth, n->n_outer, &least, &most);
    bool all = least >= 0 && most == row - 1;
    for (uint32_t a = 0; a < depth; a++) {
        all = all && (n->store.by[a] % row == 0 || n->extent[a] == 1);
    }
    for (uint32_t i = 0; i < n->n_stages; i++) {
        all = all && loads_row(n, n->stage[i].body, operand, depth, row);
    }
    return all ? TN_OVER_ROWS : TN_OVER_NOT;
}
