#include "passes/recompute/stages.h"

tn_stage_set tn_stage_set_new(tn_arena *arena, const tn_stages *p, uint32_t most_clones) {
    tn_stage_set set = {.clones = TN_ARRAY(arena, tn_stage_clone, (size_t)most_clones + 1),
                        .order = TN_ARRAY(arena, uint32_t, (size_t)p->n + 1),
                        .place = TN_ARRAY(arena, uint32_t, (size_t)p->n + 1)};
    for (uint32_t i = 0; i <= p->n; i++) {
        set.order[i] = set.place[i] = i;
    }
    return set;
}

static bool comes_before(const tn_stage_set *set, tn_stage_clone a, tn_stage_clone b) {
    const uint32_t *place = set->place;
    return a.at != b.at ? place[a.at] < place[b.at] : place[a.op] < place[b.op];
}

/* By insertion: nearly all is sorted already. */
void tn_stage_set_sort(tn_stage_set *set) {
    uint32_t n = 0;
    for (uint32_t k = 0; k < set->n; k++) {
        tn_stage_clone c = set->clones[k];
        if (set->place[c.op] >= set->place[c.at]) {
            continue;
        }
        uint32_t i = n++;
        for (; i > 0 && comes_before(set, c, set->clones[i - 1]); i--) {
            set->clones[i] = set->clones[i - 1];
        }
        set->clones[i] = c;
    }
    set->n = 0;
    for (uint32_t k = 0; k < n; k++) {
        tn_stage_clone c = set->clones[k];
        bool twice = k > 0 && !comes_before(set, set->clones[k - 1], c);
        set->n -= twice;
        set->clones[set->n++] = c;
    }
}

tn_stage_found *tn_stage_found_new(tn_arena *arena, const tn_stages *p, uint32_t most_clones) {
    tn_stage_found *f = TN_NEW(arena, tn_stage_found);
    size_t more = most_clones;
    f->p = p;
    f->most_clones = most_clones;
    f->run = TN_ARRAY(arena, tn_stage_run, p->n + more + 3);
    f->read = TN_ARRAY(arena, uint32_t, p->n_reads + more * p->most_reads + 1);
    f->instance = TN_ARRAY(arena, tn_stage_instance,
                           2 * (size_t)p->n_values + p->n_results + more * p->most_results + 1);
    f->now = TN_ARRAY(arena, uint32_t, p->n_values + 1u);
    f->lump = TN_ARRAY(arena, uint32_t, p->n_values + 1u);
    return f;
}

static uint32_t add_instance(tn_stage_found *f, uint32_t v, uint32_t run, uint64_t bytes) {
    uint32_t i = f->n_instances++;
    f->instance[i] = (tn_stage_instance){.value = v, .run = run, .root = i, .bytes = bytes};
    return i;
}

/* What is there at the start, and the bytes of lumps, which their first member brings. */
static void start(tn_stage_found *f) {
    const tn_stages *p = f->p;
    f->n_runs = f->n_reads = f->n_instances = 0;
    for (uint32_t v = 0; v < p->n_values; v++) {
        if (p->value[v].def == TN_STAGE_NONE) {
            f->now[v] = add_instance(f, v, 0, p->value[v].size);
        }
        if (p->value[v].lump == v) {
            f->lump[v] = add_instance(f, v, TN_STAGE_NONE, p->value[v].size);
        }
    }
}

static uint32_t root_of(const tn_stage_found *f, uint32_t i, bool again) {
    const tn_stage_value *x = &f->p->value[f->instance[i].value];
    if (x->view != TN_STAGE_NONE) {
        return f->instance[f->now[x->view]].root;
    }
    return !again && x->lump != TN_STAGE_NONE ? f->lump[x->lump] : i;
}

static void run_op(tn_stage_found *f, uint32_t o, uint32_t at, bool again) {
    const tn_stage_op *op = &f->p->op[o];
    uint32_t number = ++f->n_runs, first = f->n_instances;
    f->run[number] = (tn_stage_run){
        .op = o, .at = at, .reads = f->n_reads, .instances = first, .again = again, .used = !again};
    for (uint32_t k = 0; k < op->n_reads; k++) {
        f->read[f->n_reads++] = f->now[op->reads[k]];
    }
    for (uint32_t k = 0; k < op->n_results; k++) {
        const tn_stage_value *x = &f->p->value[op->results[k]];
        uint32_t i = add_instance(f, op->results[k], number, again ? x->again : x->size);
        f->instance[i].root = root_of(f, i, again);
    }
    for (uint32_t k = 0; k < op->n_results; k++) {
        if (!again || f->p->value[op->results[k]].free) {
            f->now[op->results[k]] = first + k;
        }
    }
}

static void run_all(tn_stage_found *f, const tn_stage_set *set) {
    start(f);
    for (uint32_t s = 0, k = 0; s <= f->p->n; s++) {
        uint32_t o = set->order[s];
        for (; k < set->n && set->clones[k].at == o; k++) {
            run_op(f, set->clones[k].op, o, true);
        }
        run_op(f, o, o, false);
    }
    f->run[f->n_runs + 1] =
        (tn_stage_run){.reads = f->n_reads, .instances = f->n_instances, .used = false};
}

/* Last reads, and who is read at all, from the end on. */
static void find_last(tn_stage_found *f) {
    for (uint32_t r = f->n_runs; r > 0; r--) {
        tn_stage_run *x = &f->run[r];
        for (uint32_t i = x->instances; i < x[1].instances; i++) {
            x->used |= f->instance[i].read;
        }
        for (uint32_t k = x->reads; x->used && k < x[1].reads; k++) {
            tn_stage_instance *i = &f->instance[f->read[k]], *root = &f->instance[i->root];
            i->read = true;
            root->last = root->last == 0 ? r : root->last;
        }
    }
}

/* Whether instance i of run r goes over an operand that ends there. The first of a lump brings the
 * bytes of the whole. */
static bool goes_over(tn_stage_found *f, uint32_t r, uint32_t i) {
    const tn_stage_value *x = &f->p->value[f->instance[i].value];
    uint64_t bytes = f->instance[f->instance[i].root].bytes;
    for (uint32_t j = 0; j < x->n_over; j++) {
        for (uint32_t k = f->run[r].reads; k < f->run[r + 1].reads; k++) {
            const tn_stage_instance *o = &f->instance[f->read[k]];
            tn_stage_instance *root = &f->instance[o->root];
            if (o->value == x->over[j] && root->last == r && !root->gone && root->bytes == bytes) {
                root->gone = true;
                return true;
            }
        }
    }
    return false;
}

static uint64_t free_at_end(tn_stage_found *f, uint32_t i, uint32_t r) {
    tn_stage_instance *root = &f->instance[f->instance[i].root];
    if (root->gone || root->last > r) {
        return 0;
    }
    root->gone = true;
    return root->bytes;
}

/* Bytes alive behind run r, where there were so many before. */
static uint64_t load_run(tn_stage_found *f, uint32_t r, uint64_t now) {
    tn_stage_run *x = &f->run[r];
    for (uint32_t i = x->instances; i < x[1].instances; i++) {
        tn_stage_instance *root = &f->instance[f->instance[i].root];
        bool begins = f->instance[i].root == i || root->run == TN_STAGE_NONE;
        if (begins && root->bytes > 0 && !goes_over(f, r, i)) {
            now += root->bytes;
        }
        root->run = root->run == TN_STAGE_NONE ? r : root->run;
    }
    x->load = now + f->p->op[x->op].work;
    f->peak = x->load > f->peak ? x->load : f->peak;
    for (uint32_t k = x->reads; k < x[1].reads; k++) {
        now -= free_at_end(f, f->read[k], r);
    }
    for (uint32_t i = x->instances; i < x[1].instances; i++) {
        now -= free_at_end(f, i, r);
    }
    return now;
}

static void drop_unused(const tn_stage_found *f, tn_stage_set *set) {
    uint32_t n = 0, k = 0;
    for (uint32_t r = 1; r <= f->n_runs; r++) {
        if (f->run[r].again) {
            set->clones[n] = set->clones[k++];
            n += f->run[r].used;
        }
    }
    set->n = n;
}

void tn_stage_trace(tn_stage_found *f, tn_stage_set *set) {
    run_all(f, set);
    find_last(f);
    drop_unused(f, set);
    f->flops = 0;
    for (uint32_t i = 0; i < set->n; i++) {
        f->flops += f->p->op[set->clones[i].op].flops;
    }
}

void tn_stage_load(tn_stage_found *f) {
    uint64_t now = f->p->base;
    for (uint32_t i = 0; i < f->n_instances; i++) {
        now += f->instance[i].run == 0 ? f->instance[i].bytes : 0;
    }
    f->peak = 0;
    for (uint32_t r = 1; r <= f->n_runs; r++) {
        if (f->run[r].used) {
            now = load_run(f, r, now);
        }
    }
}

void tn_stage_find(tn_stage_found *f, tn_stage_set *set) {
    tn_stage_trace(f, set);
    tn_stage_load(f);
}

/* The 32nd power of a / b, at most 1.4, in parts of 2^32. */
static uint64_t power(uint64_t a, uint64_t b) {
    const uint64_t one = UINT64_C(1) << 32;
    while (b >> 31 != 0) {
        a >>= 1;
        b >>= 1;
    }
    uint64_t x = b == 0 || a >= b + b / 5 * 2 ? one + one / 5 * 2 : (a << 32) / b;
    for (int i = 0; i < 5; i++) {
        uint64_t high = x >> 32, low = x & (one - 1);
        x = high * x + high * low + (low * low >> 32);
    }
    return x;
}

uint64_t tn_stage_pressure(const tn_stage_found *f, uint64_t unit) {
    uint64_t sum = 0, least = unit / 2;
    for (uint32_t r = 1; r <= f->n_runs; r++) {
        if (f->run[r].used && f->run[r].load > least) {
            sum += power(f->run[r].load, unit);
        }
    }
    return sum;
}
