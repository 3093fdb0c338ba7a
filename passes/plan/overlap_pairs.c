#include "passes/plan/overlap_pairs.h"

#include "passes/plan/overlap_distance.h"

/* Units of a result that are looked at, at most: some hundredths of a second. */
enum { MOST_UNITS = 1 << 25 };

typedef struct finding {
    tn_module *m;
    const tn_storages *s;
    const tn_liveness *live;
    const bool *in_arena;
    tn_work_order order; /* of the op at hand */
    tn_arena *arena;
    TN_VEC(tn_overlap_pair) found;
} finding;

static uint32_t element_bytes(const tn_value *v) {
    return v->type->kind == TN_TYPE_TENSOR ? tn_dtype_get(v->type->dtype)->bits / 8u : 0;
}

/* Bytes that operand k has to begin behind the result. */
static uint64_t distance_of(const finding *f, const tn_op *op, uint32_t result, uint32_t k) {
    const tn_value *y = op->results[result], *x = op->operands[k].value;
    tn_overlap_form form = {.order = f->order,
                            .result_last = (y->flags & TN_VF_CHANNELS_LAST) != 0,
                            .operand_last = (x->flags & TN_VF_CHANNELS_LAST) != 0,
                            .result_bytes = element_bytes(y),
                            .operand_bytes = element_bytes(x),
                            .most = MOST_UNITS};
    tn_arena *scratch = tn_arena_new(f->m->ctx);
    tn_reach r;
    uint64_t distance = TN_NO_DISTANCE;
    if (form.result_bytes > 0 && form.operand_bytes > 0 &&
        tn_op_reach(op, result, k, scratch, &r)) {
        distance = tn_overlap_distance(&r, &form);
    }
    tn_arena_drop(scratch);
    return distance;
}

static bool is_free(const finding *f, uint32_t class) {
    const tn_class *c = &f->s->classes[class];
    return f->in_arena[class] && !c->pinned && c->size > 0;
}

/* Whether nothing of the class is written at the step, as workspace or another result would be. */
static bool is_only_read(const finding *f, uint32_t class, const tn_op *op) {
    for (uint32_t i = 0; i < op->n_results + op->n_workspace; i++) {
        if (op->results[i] != NULL && f->s->of[op->results[i]->id] == class) {
            return false;
        }
    }
    return true;
}

/* Notes how far a value has to begin behind the result; one that is an operand more than once, as
 * far as all of these ask. */
static void add_value(tn_overlap_pair *p, tn_overlap_value *values, tn_overlap_value add) {
    for (uint32_t i = 0; i < p->n_values; i++) {
        if (values[i].operand == add.operand) {
            uint64_t other = values[i].distance;
            values[i].distance = other > add.distance ? other : add.distance;
            return;
        }
    }
    values[p->n_values++] = add;
}

/* The pair of the result's class and that of operand k; all operands in that class count. */
static bool find_pair(const finding *f, const tn_op *op, uint32_t step, uint32_t result, uint32_t k,
                      tn_overlap_pair *out) {
    uint32_t over = f->s->of[op->results[result]->id], under = f->s->of[op->operands[k].value->id];
    if (under == TN_NO_CLASS || under == over || !is_free(f, under) ||
        f->s->classes[under].last != (int32_t)step || !is_only_read(f, under, op)) {
        return false;
    }
    tn_overlap_value *values = TN_ARRAY(f->arena, tn_overlap_value, op->n_operands);
    *out = (tn_overlap_pair){
        .step = step, .under = under, .over = over, .order = f->order, .values = values};
    for (uint32_t i = 0; i < op->n_operands; i++) {
        const tn_value *x = op->operands[i].value, *y = op->results[result];
        if (x == NULL || f->s->of[x->id] != under || !tn_reads_data(op, i)) {
            continue;
        }
        uint64_t distance = distance_of(f, op, result, i);
        if (distance == TN_NO_DISTANCE) {
            return false;
        }
        add_value(out, values, (tn_overlap_value){y, x, distance});
        int64_t apart =
            (int64_t)distance + (int64_t)f->s->offset[y->id] - (int64_t)f->s->offset[x->id];
        out->distance = apart > (int64_t)out->distance ? (uint64_t)apart : out->distance;
    }
    return out->n_values > 0 && out->distance < f->s->classes[over].size;
}

/* Bytes that both have in common at the distance. */
static uint64_t saving(const finding *f, const tn_overlap_pair *p) {
    uint64_t rest = f->s->classes[p->over].size - p->distance, size = f->s->classes[p->under].size;
    return rest < size ? rest : size;
}

static void find_at(finding *f, const tn_op *op, uint32_t step) {
    uint32_t result = UINT32_MAX, n = 0;
    for (uint32_t i = 0; i < op->n_results; i++) {
        result = op->results[i] != NULL ? i : result;
        n += op->results[i] != NULL;
    }
    uint32_t over = n == 1 ? f->s->of[op->results[result]->id] : TN_NO_CLASS;
    if (over == TN_NO_CLASS || !is_free(f, over) || f->s->classes[over].first != (int32_t)step) {
        return;
    }
    tn_overlap_pair best = {0}, other;
    for (uint32_t k = 0; k < op->n_operands; k++) {
        const tn_value *x = op->operands[k].value;
        if (x != NULL && tn_reads_data(op, k) && find_pair(f, op, step, result, k, &other) &&
            (best.n_values == 0 || saving(f, &other) > saving(f, &best))) {
            best = other;
        }
    }
    if (best.n_values > 0) {
        tn_vec_push(f->arena, &f->found, best);
    }
}

tn_overlap_pairs tn_find_overlap_pairs(tn_module *m, const tn_storages *s, const tn_liveness *live,
                                       const bool *in_arena, tn_work_order order, tn_arena *arena) {
    finding f = {.m = m, .s = s, .live = live, .in_arena = in_arena, .arena = arena};
    for (uint32_t i = 0; i < live->steps->n; i++) {
        const tn_op *op = live->steps->at[i].op;
        f.order = order;
        if (op->info->order != NULL) {
            (void)tn_work_order_find(op->info->order, &f.order);
        }
        if (op->n_regions == 0 && f.order != TN_ORDER_NONE) {
            find_at(&f, op, i);
        }
    }
    return (tn_overlap_pairs){f.found.data, f.found.len};
}
