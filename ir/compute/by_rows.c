#include "ir/compute/by_rows.h"

#include <string.h>

#include "ir/base/xmath.h"
#include "ir/compute/nest_places.h"

enum { NONE = TN_NEST_AXES };

typedef struct cutting {
    tn_nest *nests;
    uint32_t n;
    const uint32_t *made;
    const tn_compute_value *facts;
    tn_by_rows *rows;
    uint32_t axis[TN_ROWS_NESTS][TN_ROWS_LOOPS]; /* of each nest, of each loop */
    uint64_t whole;                              /* bytes of operands that no row moves */
    bool counted[TN_ROWS_OPERANDS];              /* by value: among them */
    bool shared; /* a value is the same for all indices of the axis that was tried last */
    int64_t step[TN_ROWS_NESTS][TN_NEST_AXES]; /* of a block of what the nest makes */
} cutting;

/* The nest that makes the value; n: none does. */
static uint32_t maker_of(const cutting *c, uint32_t value) {
    uint32_t i = 0;
    while (i < c->n && (i + 1 == c->n || c->made[i] != value)) {
        i++;
    }
    return i;
}

/* ---- whatever a nest computes ---- */

typedef bool visit(cutting *c, uint32_t nest, const tn_nest_stage *stage, tn_calc *x, uint32_t arg);

static bool visit_calc(cutting *c, uint32_t nest, const tn_nest_stage *stage, tn_calc *x, visit *fn,
                       uint32_t arg) {
    bool all = x == NULL || fn(c, nest, stage, x, arg);
    for (uint32_t i = 0; x != NULL && i < 3 && all; i++) {
        all = visit_calc(c, nest, stage, x->arg[i], fn, arg);
    }
    return all;
}

static bool visit_nest(cutting *c, uint32_t nest, visit *fn, uint32_t arg) {
    tn_nest *n = &c->nests[nest];
    bool all = visit_calc(c, nest, NULL, n->value, fn, arg);
    for (uint32_t s = 0; s < n->n_stages && all; s++) {
        all = visit_calc(c, nest, &n->stage[s], n->stage[s].body, fn, arg) &&
              visit_calc(c, nest, &n->stage[s], n->stage[s].start, fn, arg);
    }
    return all;
}

/* ---- axes that rows go along ---- */

/* Divides an axis of the nest that goes through several of the maker's at the place. */
static bool divide_at(tn_nest *n, const tn_nest *maker, const tn_affine *at) {
    for (uint32_t a = 0; a < n->n_axes; a++) {
        for (uint32_t k = 0; k < maker->n_outer; k++) {
            int64_t step = at->by[a], inner = step > 0 ? maker->store.by[k] / step : 0;
            if (maker->extent[k] > 1 && inner > 1 && maker->store.by[k] % step == 0 &&
                inner < n->extent[a] && n->extent[a] % inner == 0) {
                return tn_nest_divide(n, a, inner);
            }
        }
    }
    return false;
}

/* Sees to it that what is loaded of other nests is an index along each of their axes. False, too,
 * where an axis was divided, for `arg` then says nothing. */
static bool is_split(cutting *c, uint32_t nest, const tn_nest_stage *stage, tn_calc *x,
                     uint32_t arg) {
    (void)arg;
    tn_affine index[TN_NEST_AXES];
    uint32_t maker = x->kind == TN_CALC_LOAD ? maker_of(c, x->which) : c->n;
    return maker == c->n || (x->arg[0] == NULL && tn_nest_split(&c->nests[maker], &c->nests[nest],
                                                                stage, &x->at, index));
}

/* The first such load that is no index, and what to divide for that. */
static bool divide_one(cutting *c, uint32_t nest, const tn_nest_stage *stage, tn_calc *x,
                       uint32_t arg) {
    if (is_split(c, nest, stage, x, arg)) {
        return true;
    }
    (void)divide_at(&c->nests[nest], &c->nests[maker_of(c, x->which)], &x->at);
    return false;
}

static bool split_all(cutting *c) {
    bool all = true;
    for (uint32_t i = c->n; all && i-- > 0;) {
        for (uint32_t tries = 0; tries < TN_NEST_AXES && !visit_nest(c, i, is_split, 0); tries++) {
            (void)visit_nest(c, i, divide_one, 0);
        }
        all = visit_nest(c, i, is_split, 0);
    }
    return all;
}

/* Whether the axis moves what depends on where it is: borders, tables, numbers of places. Stages
 * that the axis does not reach would be made again for each block. */
static bool is_free_of(cutting *c, uint32_t nest, uint32_t axis) {
    const tn_nest *n = &c->nests[nest];
    for (uint32_t s = 0; s < n->n_stages; s++) {
        if (n->stage[s].n > 0 && axis >= n->stage[s].depth) {
            return false;
        }
        for (uint32_t g = 0; g < n->stage[s].n_guards; g++) {
            const tn_affine *at = &n->stage[s].guards[g].at;
            if (at->by[axis] != 0 || at->table[axis] != NULL) {
                return false;
            }
        }
    }
    return n->store.table[axis] == NULL;
}

/* Whether a load of what another nest makes is of the same row; settles which axis that has. `arg`
 * is the loop. */
static bool follow(cutting *c, uint32_t nest, const tn_nest_stage *stage, tn_calc *x,
                   uint32_t arg) {
    uint32_t axis = c->axis[nest][arg], found = NONE;
    bool placed = x->kind == TN_CALC_LOAD || x->kind == TN_CALC_PLACE ||
                  x->kind == TN_CALC_FACTOR || x->kind == TN_CALC_MADE;
    if (!placed) {
        return true;
    }
    uint32_t maker = x->kind == TN_CALC_LOAD ? maker_of(c, x->which) : c->n;
    if (maker == c->n) {
        return x->at.table[axis] == NULL && (x->kind == TN_CALC_LOAD || x->at.by[axis] == 0);
    }
    tn_affine index[TN_NEST_AXES], alone = {.by = {0}};
    const tn_nest *m = &c->nests[maker];
    alone.by[axis] = 1;
    if (!tn_nest_split(m, &c->nests[nest], stage, &x->at, index)) {
        return false;
    }
    for (uint32_t a = 0; a < m->n_outer; a++) {
        bool row = m->extent[a] == c->nests[nest].extent[axis] &&
                   tn_nest_same_place(&c->nests[nest], &index[a], &alone);
        if (index[a].by[axis] != 0 && (!row || found != NONE)) {
            return false;
        }
        found = row ? a : found;
    }
    c->shared = c->shared || found == NONE;
    bool same = c->axis[maker][arg] == NONE || c->axis[maker][arg] == found;
    c->axis[maker][arg] = found;
    return found != NONE && same;
}

/* Whether the axis of the last nest is one of rows: the next loop then. */
static bool add_loop(cutting *c, uint32_t axis) {
    uint32_t loop = c->rows->n_loops;
    c->shared = false;
    for (uint32_t i = 0; i < c->n; i++) {
        c->axis[i][loop] = NONE;
    }
    c->axis[c->n - 1][loop] = axis;
    for (uint32_t i = c->n; i-- > 0;) {
        uint32_t at = c->axis[i][loop];
        if (at == NONE || !is_free_of(c, i, at) || !visit_nest(c, i, follow, loop)) {
            return false;
        }
    }
    c->rows->extent[loop] = c->nests[c->n - 1].extent[axis];
    c->rows->n_loops++;
    return true;
}

/* ---- how many rows at a time ---- */

/* At least, where there are many more: rows of a block, rows of a tile of registers, bytes of a
 * block. */
enum { ROWS = 16, TILE = 8, BYTES = 4096, LARGE = 1 << 20 };

static uint64_t bytes_of(const cutting *c, uint32_t value) {
    const tn_compute_value *v = &c->facts[value];
    uint64_t bits = tn_dtype_get(v->dtype)->bits;
    for (uint32_t i = 0; i < v->rank; i++) {
        bits *= (uint64_t)v->dims[i];
    }
    return bits / 8;
}

/* Adds up what is read again for each block: keys and values of all heads, weights. */
static bool add_whole(cutting *c, uint32_t nest, const tn_nest_stage *stage, tn_calc *x,
                      uint32_t arg) {
    (void)stage;
    (void)arg;
    bool whole = x->kind == TN_CALC_LOAD && maker_of(c, x->which) == c->n;
    for (uint32_t k = 0; whole && k < c->rows->n_loops; k++) {
        whole = x->at.by[c->axis[nest][k]] == 0;
    }
    if (whole && x->which < TN_ROWS_OPERANDS && !c->counted[x->which]) {
        c->counted[x->which] = true;
        c->whole += bytes_of(c, x->which);
    }
    return true;
}

/* The more is read again for each block the larger these are, as long as some rows are left for
 * others. */
static int64_t rows_wanted(cutting *c, int64_t total) {
    for (uint32_t i = 0; i < c->n; i++) {
        (void)visit_nest(c, i, add_whole, 0);
    }
    int64_t row = (int64_t)c->rows->spared / total / (c->n - 1);
    int64_t want = c->whole > 4 * LARGE ? 4 * ROWS : c->whole > LARGE ? 2 * ROWS : ROWS;
    want = row * want < BYTES ? BYTES / (row > 0 ? row : 1) : want;
    want = want > total / 4 ? total / 4 : want;
    return want > 1 ? want : 1;
}

/* Whether rows of a loop share one of two factors of a sum, and with it a tile of registers. */
static bool is_tiled(const cutting *c, uint32_t loop) {
    for (uint32_t i = 0; i < c->n; i++) {
        const tn_nest *n = &c->nests[i];
        uint32_t a = c->axis[i][loop];
        for (uint32_t s = 0; s < n->n_stages; s++) {
            const tn_calc *body = n->stage[s].body;
            if (n->stage[s].n > 0 && body->kind == TN_CALC_OP && body->op == TN_CALC_MUL &&
                tn_calc_moves(body->arg[0], a) != tn_calc_moves(body->arg[1], a)) {
                return true;
            }
        }
    }
    return false;
}

/* A size near `want` that divides the extent, or leaves few rows to be made again. */
static int64_t block_of(int64_t extent, int64_t want) {
    int64_t blocks = (extent + want - 1) / want, even = (extent + blocks - 1) / blocks;
    for (int64_t b = want; b < 2 * want && b < extent; b++) {
        if (extent % b == 0) {
            return b;
        }
    }
    for (int64_t b = want; b > want / 2 && b > 1; b--) {
        if (extent % b == 0) {
            return b;
        }
    }
    return even;
}

/* Loops behind the one that goes by blocks are done whole. False where one block is all. */
static bool choose_block(cutting *c) {
    tn_by_rows *r = c->rows;
    int64_t total = 1, inner = 1;
    for (uint32_t i = 0; i < r->n_loops; i++) {
        total *= r->extent[i];
    }
    int64_t want = rows_wanted(c, total);
    r->total = total;
    while (r->n_loops > 1 && r->extent[r->n_loops - 1] * inner <= want) {
        inner *= r->extent[--r->n_loops];
    }
    int64_t extent = r->extent[r->n_loops - 1], least = 1;
    if (is_tiled(c, r->n_loops - 1)) {
        least = extent >= 2 * TILE ? TILE : (extent + 1) / 2;
    }
    r->block = block_of(extent, want / inner > least ? want / inner : least);
    return r->n_loops > 1 || r->block < extent;
}

/* Of whole numbers, a factor that does not lie side by side along what is summed up is gathered
 * first, for each block again where rows do not move it: more work than the block itself. */
static bool is_gathered_once(cutting *c, uint32_t nest, const tn_nest_stage *stage, tn_calc *x,
                             uint32_t arg) {
    (void)arg;
    bool whole = stage != NULL && stage->n > 0 && stage->combine == TN_COMBINE_SUM &&
                 x->kind == TN_CALC_LOAD && tn_dtype_get(c->facts[x->which].dtype)->bits <= 8 &&
                 maker_of(c, x->which) == c->n;
    bool side = whole && stage->n == 1 && x->at.by[stage->first] == 1, moves = false;
    for (uint32_t k = 0; k < c->rows->n_loops; k++) {
        moves = moves || x->at.by[c->axis[nest][k]] != 0;
    }
    bool factor = whole;
    for (uint32_t a = 0; whole && factor && a < TN_NEST_AXES; a++) {
        factor = a < stage->first || a >= stage->first + stage->n || x->at.by[a] != 0 ||
                 c->nests[nest].extent[a] == 1;
    }
    return !factor || side || moves;
}

static bool are_gathered_once(cutting *c) {
    bool all = true;
    for (uint32_t i = 0; i < c->n && all; i++) {
        all = visit_nest(c, i, is_gathered_once, 0);
    }
    return all;
}

/* ---- cutting ---- */

/* How many rows of a loop a block has. */
static int64_t block_at(const cutting *c, uint32_t loop) {
    return loop + 1 == c->rows->n_loops ? c->rows->block : 1;
}

/* Elements between neighbours of a block of what the nest makes, which lies as the tensor would. */
static void find_steps(cutting *c, uint32_t nest) {
    const tn_nest *n = &c->nests[nest];
    int64_t extent[TN_NEST_AXES], step = 1;
    bool done[TN_NEST_AXES] = {false};
    memcpy(extent, n->extent, sizeof extent);
    for (uint32_t k = 0; k < c->rows->n_loops; k++) {
        extent[c->axis[nest][k]] = block_at(c, k);
    }
    for (uint32_t count = 0; count < n->n_outer; count++) {
        uint32_t next = NONE;
        for (uint32_t a = 0; a < n->n_outer; a++) {
            next = !done[a] && (next == NONE || n->store.by[a] < n->store.by[next] ||
                                (n->store.by[a] == n->store.by[next] && n->extent[a] == 1))
                       ? a
                       : next;
        }
        c->step[nest][next] = step;
        step *= extent[next];
        done[next] = true;
    }
}

/* The operand that begins so; TN_ROWS_OPERANDS: there are too many. */
static uint32_t number_of(tn_by_rows *r, const tn_rows_operand *want) {
    for (uint32_t i = 0; i < r->n_operands; i++) {
        const tn_rows_operand *o = &r->operand[i];
        if (o->value == want->value && memcmp(o->move, want->move, sizeof o->move) == 0) {
            return i;
        }
    }
    if (r->n_operands < TN_ROWS_OPERANDS) {
        r->operand[r->n_operands++] = *want;
        return r->n_operands - 1;
    }
    return TN_ROWS_OPERANDS;
}

/* A load of what another nest makes is of its block; any other one of an operand that moves. */
static bool cut_load(cutting *c, uint32_t nest, const tn_nest_stage *stage, tn_calc *x,
                     uint32_t arg) {
    (void)arg;
    if (x->kind != TN_CALC_LOAD) {
        return true;
    }
    const tn_nest *n = &c->nests[nest];
    uint32_t maker = maker_of(c, x->which);
    tn_rows_operand o = {.value = x->which, .made = maker < c->n, .nest = maker};
    if (!o.made) {
        for (uint32_t k = 0; k < c->rows->n_loops; k++) {
            o.move[k] = x->at.by[c->axis[nest][k]];
        }
    } else {
        tn_affine index[TN_NEST_AXES], at = {.base = 0};
        const tn_nest *m = &c->nests[maker];
        if (!tn_nest_split(m, n, stage, &x->at, index)) {
            return false;
        }
        for (uint32_t a = 0; a < m->n_outer; a++) {
            at.base += index[a].base * c->step[maker][a];
            for (uint32_t i = 0; i < TN_NEST_AXES; i++) {
                at.by[i] += index[a].by[i] * c->step[maker][a];
            }
        }
        x->at = at;
    }
    bool moves = false;
    for (uint32_t k = 0; k < c->rows->n_loops; k++) {
        moves = moves || o.move[k] != 0;
    }
    bool whole = tn_dtype_get(c->facts[o.value].dtype)->bits >= 8 || !(moves || o.made);
    x->which = number_of(c->rows, &o);
    return whole && x->which < TN_ROWS_OPERANDS;
}

static bool cut_all(cutting *c) {
    bool all = true;
    for (uint32_t i = 0; i + 1 < c->n; i++) {
        find_steps(c, i);
    }
    for (uint32_t i = 0; i < c->n && all;
         i++) { /* with all extents, for places are split by these */
        all = visit_nest(c, i, cut_load, 0);
    }
    for (uint32_t i = 0; i < c->n && all; i++) {
        tn_nest *n = &c->nests[i];
        bool last = i + 1 == c->n;
        for (uint32_t k = 0; k < c->rows->n_loops; k++) {
            c->rows->move[k] = last ? n->store.by[c->axis[i][k]] : 0;
        }
        for (uint32_t a = 0; !last && a < n->n_outer; a++) {
            n->store.by[a] = c->step[i][a];
        }
        for (uint32_t k = 0; k < c->rows->n_loops; k++) {
            n->extent[c->axis[i][k]] = block_at(c, k);
        }
        n->result = c->n - 1 - i;
    }
    return all && tn_dtype_get(c->facts[c->made[c->n - 1]].dtype)->bits >= 8;
}

/* ---- the workspace ---- */

static uint64_t block_bytes(const cutting *c, uint32_t nest) {
    uint64_t bytes = tn_dtype_get(c->facts[c->made[nest]].dtype)->bits / 8;
    for (uint32_t a = 0; a < c->nests[nest].n_outer; a++) {
        bytes *= (uint64_t)c->nests[nest].extent[a];
    }
    return bytes;
}

/* What the nest makes may lie over what it alone loads, if it reads that before. */
static bool lies_over(const cutting *c, uint32_t nest, uint32_t over, uint32_t last) {
    uint32_t operand = number_of(c->rows, &(tn_rows_operand){.value = c->made[over], .made = true});
    return last == nest && block_bytes(c, nest) == block_bytes(c, over) &&
           c->facts[c->made[nest]].dtype == c->facts[c->made[over]].dtype &&
           tn_nest_may_lie_over(&c->nests[nest], operand) != TN_OVER_NOT;
}

/* Each block as low as those allow that are alive while it is. */
static void place_all(cutting *c) {
    uint32_t last[TN_ROWS_NESTS] = {0};
    uint64_t size[TN_ROWS_NESTS], *at = c->rows->offset;
    for (uint32_t i = 0; i + 1 < c->n; i++) {
        uint32_t operand =
            number_of(c->rows, &(tn_rows_operand){.value = c->made[i], .made = true});
        size[i] = tn_round_up(block_bytes(c, i), TN_ROWS_ALIGN);
        for (uint32_t k = i + 1; k < c->n; k++) {
            last[i] = tn_nest_loads(&c->nests[k], operand) ? k : last[i];
        }
        at[i] = 0;
        for (uint32_t k = 0; k < i;) {
            bool apart = last[k] < i || at[k] + size[k] <= at[i] || at[i] + size[i] <= at[k];
            if (apart || (at[k] == at[i] && lies_over(c, i, k, last[k]))) {
                k++;
            } else {
                at[i] = at[k] + size[k];
                k = 0;
            }
        }
        c->rows->operand[operand].offset = at[i];
        uint64_t end = at[i] + size[i];
        c->rows->workspace = end > c->rows->workspace ? end : c->rows->workspace;
    }
}

bool tn_nests_by_rows(tn_nest *nests, uint32_t n, const uint32_t *made,
                      const tn_compute_value *facts, tn_by_rows *rows) {
    cutting c = {.nests = nests, .n = n, .made = made, .facts = facts, .rows = rows};
    *rows = (tn_by_rows){0};
    if (n < 2 || n > TN_ROWS_NESTS || !split_all(&c)) {
        return false;
    }
    for (uint32_t i = 0; i + 1 < n; i++) {
        rows->spared += bytes_of(&c, made[i]);
    }
    bool shared = false;
    for (uint32_t a = 0; a < nests[n - 1].n_outer && rows->n_loops < TN_ROWS_LOOPS; a++) {
        bool any = nests[n - 1].extent[a] > 1, added = any && add_loop(&c, a);
        if (added && shared) {
            return false; /* a mask of all heads would be made again for each */
        }
        shared = shared || (any && !added && c.shared);
    }
    if (rows->n_loops == 0 || !choose_block(&c) || !are_gathered_once(&c) || !cut_all(&c)) {
        return false;
    }
    place_all(&c);
    return true;
}

/* ---- in place ---- */

/* Whether the loads stay within the elements that the block of the result has. */
static bool stays(const tn_nest *n, const tn_calc *x, uint32_t operand, int64_t elements) {
    int64_t least = 0, most = 0;
    bool mine = x != NULL && x->kind == TN_CALC_LOAD && x->which == operand;
    if (mine) {
        tn_affine_range(n, &x->at, 0, n->n_axes, &least, &most);
    }
    bool all = !mine ||
               (x->arg[0] == NULL && !tn_affine_has_table(&x->at) && least >= 0 && most < elements);
    for (uint32_t i = 0; x != NULL && i < 3 && all; i++) {
        all = stays(n, x->arg[i], operand, elements);
    }
    return all;
}

static bool all_stay(const tn_nest *n, uint32_t operand, int64_t elements) {
    bool all = stays(n, n->value, operand, elements);
    for (uint32_t s = 0; s < n->n_stages && all; s++) {
        all = stays(n, n->stage[s].body, operand, elements) &&
              stays(n, n->stage[s].start, operand, elements);
    }
    return all;
}

/* The one operand that is of the value, and moves as the result does. */
static uint32_t only_operand(const tn_by_rows *rows, uint32_t value) {
    uint32_t found = TN_ROWS_OPERANDS;
    for (uint32_t i = 0; i < rows->n_operands; i++) {
        const tn_rows_operand *o = &rows->operand[i];
        if (o->value != value || o->made) {
            continue;
        }
        if (found < TN_ROWS_OPERANDS || memcmp(o->move, rows->move, sizeof o->move) != 0) {
            return TN_ROWS_OPERANDS;
        }
        found = i;
    }
    return found;
}

tn_nest_over tn_compute_may_lie_over(const tn_compute *c, uint32_t value) {
    const tn_nest *nests = c->nests.data;
    uint32_t n = c->nests.len;
    const tn_by_rows *rows = c->rows;
    if (rows == NULL) {
        return tn_nest_may_lie_over(&nests[0], value);
    }
    const tn_nest *last = &nests[n - 1];
    uint32_t operand = only_operand(rows, value), inner = rows->n_loops - 1;
    int64_t elements = 1, least, most;
    if (operand == TN_ROWS_OPERANDS || rows->extent[inner] % rows->block != 0) {
        return TN_OVER_NOT;
    }
    for (uint32_t a = 0; a < last->n_outer; a++) {
        elements *= last->extent[a];
    }
    /* A block of the result lies in one piece, and those of other blocks do not. */
    tn_affine_range(last, &last->store, 0, last->n_outer, &least, &most);
    bool all =
        least == 0 && most == elements - 1 &&
        (!tn_nest_loads(last, operand) || tn_nest_may_lie_over(last, operand) != TN_OVER_NOT);
    for (uint32_t k = 0; k < rows->n_loops && all; k++) {
        all = rows->move[k] * (k == inner ? rows->block : 1) % elements == 0;
    }
    for (uint32_t i = 0; i < n && all; i++) {
        all = all_stay(&nests[i], operand, elements);
    }
    return all ? TN_OVER_ROWS : TN_OVER_NOT;
}
