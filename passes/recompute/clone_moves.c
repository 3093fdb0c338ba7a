#include "passes/recompute/clone_moves.h"

#include <string.h>

#include "ir/base/map.h"
#include "ir/ops/claims.h"
#include "ir/ops/flops.h"

enum { MAX_FULL = 6, MAX_EXTENDED = 32 };
/* Values that are looked at for one chain: where deep ones fail, there may be very many ways. */
enum { MAX_LOOKS = 2000 };
#define LEAST_PART 0.999 /* of the peak: steps with less are not full */

typedef struct finding {
    const tn_move_ask *ask;
    const tn_picture *p;
    const double *pressure;                 /* by step */
    uint32_t depth;                         /* of the chain that is looked for */
    uint32_t class;                         /* to be given up */
    int32_t full;                           /* the step where it is not wanted */
    int32_t from, to;                       /* it is idle behind `from` and wanted again at `to` */
    const tn_value *extended[MAX_EXTENDED]; /* dead before `to`, to be kept for the clones */
    uint32_t n_extended;
    uint32_t looks; /* for this chain */
    tn_move move;
} finding;

static bool is_early(const finding *f, const tn_value *v) {
    return f->p->value[v->id].first <= f->full;
}

/* Whether the value can be had from a clone: it has no name outside and none but ops of the main
 * graph read it. */
static bool is_free(const tn_value *v) {
    bool fits = v->kind == TN_VALUE_RESULT && (v->flags & TN_VF_OUTPUT) == 0;
    for (const tn_use *u = v->first_use; u != NULL && fits; u = u->next) {
        fits = u->op->graph == v->graph;
    }
    return fits;
}

/* Notes when the early members of the class are read: false where one of them cannot be had again,
 * or where nobody reads them behind the full step. */
static bool look_at_readers(finding *f) {
    const tn_picture *p = f->p;
    f->from = -1;
    f->to = INT32_MAX;
    f->move.n_wanted = 0;
    for (uint32_t i = p->first_member[f->class]; i < p->first_member[f->class + 1]; i++) {
        tn_value *v = p->members[i];
        if (!is_early(f, v)) {
            continue;
        }
        int32_t first = p->value[v->id].first;
        bool late = false;
        f->from = first > f->from ? first : f->from;
        for (const tn_use *u = v->first_use; u != NULL; u = u->next) {
            int32_t s = (int32_t)p->begin[u->op->id];
            if (!tn_reads_data(u->op, u->index) || s < 0) {
                continue;
            }
            if (s <= f->full) {
                f->from = s > f->from ? s : f->from;
            } else {
                late = true;
                f->to = s < f->to ? s : f->to;
            }
        }
        if (late && (!is_free(v) || f->move.n_wanted == TN_MOVE_VALUES)) {
            return false;
        }
        if (late) {
            f->move.wanted[f->move.n_wanted++] = v;
        }
    }
    return f->move.n_wanted > 0 && f->from < f->full && f->full < f->to;
}

static bool has_op(const finding *f, const tn_op *op) {
    for (uint32_t i = 0; i < f->move.n_ops; i++) {
        if (f->move.ops[i] == op) {
            return true;
        }
    }
    return false;
}

/* Whether the elements are there at `to` without doing anything for it. */
static bool is_there(const finding *f, const tn_value *v) {
    const tn_picture *p = f->p;
    if (v->kind == TN_VALUE_CONST || tn_is_const(v)) {
        return true;
    }
    bool wanted = p->of[v->id] == f->class && is_early(f, v);
    return !wanted && p->value[v->id].first < f->to && p->value[v->id].last >= f->to;
}

static bool extend(finding *f, const tn_value *v) {
    bool state = (v->flags & (TN_VF_STATE | TN_VF_DONATED)) != 0;
    bool idle = f->p->of[v->id] == TN_NO_CLASS || f->p->of[v->id] == f->class || state;
    if (idle || f->p->value[v->id].first >= f->to) {
        return false;
    }
    for (uint32_t i = 0; i < f->n_extended; i++) {
        if (f->extended[i] == v) {
            return true;
        }
    }
    if (f->n_extended == MAX_EXTENDED) {
        return false;
    }
    f->extended[f->n_extended++] = v;
    return true;
}

static bool is_clonable(const finding *f, const tn_op *op) {
    return op->clone_of != NULL || f->ask->clonable[op->id];
}

static bool add_chain(finding *f, tn_op *op, uint32_t depth);

/* Inputs lie outside of the arena mostly, and then keeping them costs nothing. */
static bool have(finding *f, const tn_value *v, uint32_t depth) {
    if (f->looks == MAX_LOOKS) {
        return false;
    }
    f->looks++;
    if (is_there(f, v)) {
        return true;
    }
    const tn_picture *p = f->p;
    bool outside = p->of[v->id] != TN_NO_CLASS && p->size[p->of[v->id]] == 0;
    if (v->def != NULL && has_op(f, v->def) && !tn_is_carried(v)) {
        return true;
    }
    if ((outside || v->def == NULL) && extend(f, v)) {
        return true;
    }
    bool deeper = depth < f->depth && v->def != NULL && v->def->graph == p->m->main;
    if (deeper && is_clonable(f, v->def)) {
        uint32_t n = f->move.n_ops, n_extended = f->n_extended;
        if (add_chain(f, v->def, depth + 1)) {
            return true;
        }
        f->move.n_ops = n;
        f->n_extended = n_extended;
    }
    return extend(f, v);
}

static bool add_chain(finding *f, tn_op *op, uint32_t depth) {
    if (!is_clonable(f, op)) {
        return false;
    }
    for (uint32_t k = 0; k < op->n_operands; k++) {
        const tn_value *v = op->operands[k].value;
        if (v != NULL && tn_repeat_reads_data(op, k) && !have(f, v, depth)) {
            return false;
        }
    }
    if (f->move.n_ops == f->ask->most_ops) {
        return false;
    }
    f->move.ops[f->move.n_ops++] = op;
    return true;
}

static bool make_chain(finding *f) {
    f->move.n_ops = 0;
    f->n_extended = 0;
    f->looks = 0;
    f->move.at = f->p->at[f->to];
    for (uint32_t i = 0; i < f->move.n_wanted; i++) {
        tn_op *def = f->move.wanted[i]->def;
        if (!has_op(f, def) && !add_chain(f, def, 1)) {
            return false;
        }
    }
    f->move.flops = 0;
    for (uint32_t i = 0; i < f->move.n_ops; i++) {
        f->move.flops += tn_op_flops(f->move.ops[i]);
    }
    return f->move.at->graph == f->p->m->main && f->move.flops <= f->ask->most_flops;
}

/* ---- what it would change ---- */

static bool is_wanted(const finding *f, const tn_value *v) {
    for (uint32_t i = 0; i < f->move.n_wanted; i++) {
        if (f->move.wanted[i] == v) {
            return true;
        }
    }
    return false;
}

/* The last clone that reads the value, by its number, or -1. */
static int32_t last_reader(const finding *f, const tn_value *v) {
    int32_t last = -1;
    for (uint32_t i = 0; i < f->move.n_ops; i++) {
        const tn_op *op = f->move.ops[i];
        for (uint32_t k = 0; k < op->n_operands; k++) {
            bool reads = op->operands[k].value == v && tn_repeat_reads_data(op, k);
            last = reads ? (int32_t)i : last;
        }
    }
    return last;
}

/* Whether clone i may write the value over one that an earlier clone made and that ends there. */
static bool goes_over(const finding *f, uint32_t i, const tn_value *v) {
    const tn_op *op = f->move.ops[i];
    for (uint32_t k = 0; k < op->n_operands; k++) {
        const tn_value *u = op->operands[k].value;
        if (u != NULL && u->def != NULL && has_op(f, u->def) && !is_wanted(f, u) &&
            f->p->of[u->id] == f->p->of[v->id] && last_reader(f, u) == (int32_t)i) {
            return true;
        }
    }
    return false;
}

/* Bytes that the clones add at most beside what is alive across the begin of `to`. */
static uint64_t most_of_clones(const finding *f) {
    uint64_t now = 0, most = 0;
    for (uint32_t i = 0; i < f->move.n_ops; i++) {
        const tn_op *op = f->move.ops[i];
        for (uint32_t r = 0; r < op->n_results; r++) {
            const tn_value *v = op->results[r];
            now += v != NULL && !goes_over(f, i, v) ? f->p->bytes[v->id] : 0;
        }
        most = now > most ? now : most;
        for (uint32_t j = 0; j <= i; j++) {
            for (uint32_t r = 0; r < f->move.ops[j]->n_results; r++) {
                const tn_value *v = f->move.ops[j]->results[r];
                int32_t last = v != NULL ? last_reader(f, v) : -1;
                last = last < 0 ? (int32_t)j : last;
                bool ends = v != NULL && !is_wanted(f, v) && last == (int32_t)i;
                bool over = false;
                for (uint32_t q = 0; ends && q < op->n_results; q++) {
                    const tn_value *w = op->results[q];
                    over |= w != NULL && w != v && f->p->of[w->id] == f->p->of[v->id] &&
                            goes_over(f, i, w);
                }
                now -= ends && !over ? f->p->bytes[v->id] : 0;
            }
        }
    }
    return most;
}

/* Bytes of the values kept longer that are needed at step s, which is behind their last reader. */
static uint64_t kept_at(const finding *f, int32_t s) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < f->n_extended; i++) {
        const tn_value *v = f->extended[i];
        sum +=
            f->p->value[v->id].last < s && f->p->size[f->p->of[v->id]] > 0 ? f->p->bytes[v->id] : 0;
    }
    return sum;
}

static double estimate(const finding *f) {
    const tn_picture *p = f->p;
    double gain = 0, unit = f->ask->unit;
    uint64_t size = p->size[f->class];
    int32_t start = f->from + 1;
    for (uint32_t i = 0; i < f->n_extended; i++) {
        int32_t dead = p->value[f->extended[i]->id].last + 1;
        start = dead < start ? dead : start;
    }
    for (int32_t s = start < 0 ? 0 : start; s < f->to; s++) {
        uint64_t now = p->load[s], kept = f->n_extended > 0 ? kept_at(f, s) : 0;
        uint64_t then = now + kept - (s > f->from ? size : 0);
        if (now != then) {
            gain += f->pressure[s] - tn_pressure_of((double)then / unit);
        }
    }
    uint64_t held = p->before[f->to] + kept_at(f, f->to) - size;
    gain -= tn_pressure_of((double)(held + most_of_clones(f)) / unit);
    return gain;
}

static uint64_t key_of(const finding *f) {
    uint64_t h = f->move.at->id;
    for (uint32_t i = 0; i < f->move.n_ops; i++) {
        h = tn_mix(h * 31 + f->move.ops[i]->id + 1);
    }
    return h;
}

static void try_class(finding *f, tn_arena *arena, tn_moves *out) {
    uint32_t n_before = 0;
    if (!look_at_readers(f)) {
        return;
    }
    f->looks = 0;
    for (f->depth = 1; f->depth <= f->ask->depth && f->looks < MAX_LOOKS; f->depth++) {
        if (!make_chain(f)) {
            continue;
        }
        if (f->move.n_ops == n_before) {
            break; /* nothing is left to be cloned */
        }
        n_before = f->move.n_ops;
        f->move.gain = estimate(f);
        f->move.key = key_of(f);
        if (f->move.gain > 0) {
            tn_vec_push(arena, out, f->move);
        }
    }
}

static void look_at_step(finding *f, int32_t full, tn_arena *arena, tn_moves *out) {
    const tn_picture *p = f->p;
    f->full = full;
    for (uint32_t c = 0; c < p->n_classes; c++) {
        bool spans = p->class[c].first < full && p->class[c].last > full;
        if (spans && !p->fixed[c] && p->size[c] > 0) {
            f->class = c;
            try_class(f, arena, out);
        }
    }
}

/* Steps that no neighbour is fuller than, the fullest first. */
typedef struct full_steps {
    uint32_t at[MAX_FULL];
    uint32_t n, most;
} full_steps;

static void add_full(full_steps *f, const tn_picture *p, uint32_t s) {
    if (f->n == f->most && p->load[f->at[f->most - 1]] >= p->load[s]) {
        return;
    }
    uint32_t k = f->n < f->most ? f->n++ : f->most - 1;
    for (; k > 0 && p->load[f->at[k - 1]] < p->load[s]; k--) {
        f->at[k] = f->at[k - 1];
    }
    f->at[k] = s;
}

static full_steps find_full(const tn_picture *p, uint32_t most) {
    full_steps f = {.most = most < MAX_FULL ? most : MAX_FULL};
    for (uint32_t s = 0; s < p->n_steps; s++) {
        bool rises = s == 0 || p->load[s] > p->load[s - 1];
        uint32_t end = s;
        while (end + 1 < p->n_steps && p->load[end + 1] == p->load[s]) {
            end++;
        }
        bool falls = end + 1 == p->n_steps || p->load[end + 1] < p->load[s];
        bool full = (double)p->load[s] >= LEAST_PART * (double)p->peak;
        if (rises && falls && full) {
            add_full(&f, p, s);
        }
        s = end;
    }
    return f;
}

static void drop_twins(tn_moves *moves, tn_arena *arena) {
    tn_map seen = tn_map_make(arena);
    uint32_t n = 0;
    for (uint32_t i = 0; i < moves->len; i++) {
        if (tn_map_or(&seen, moves->data[i].key, 0) == 0) {
            tn_map_put(&seen, moves->data[i].key, 1);
            moves->data[n++] = moves->data[i];
        }
    }
    moves->len = n;
}

void tn_find_moves(const tn_move_ask *ask, tn_arena *arena, tn_moves *out) {
    double *pressure = TN_ARRAY(arena, double, ask->p->n_steps);
    for (uint32_t s = 0; s < ask->p->n_steps; s++) {
        pressure[s] = tn_pressure_of((double)ask->p->load[s] / ask->unit);
    }
    finding f = {.ask = ask, .p = ask->p, .pressure = pressure};
    full_steps full = find_full(ask->p, ask->n_full);
    for (uint32_t i = 0; i < full.n; i++) {
        look_at_step(&f, (int32_t)full.at[i], arena, out);
    }
    drop_twins(out, arena);
}
