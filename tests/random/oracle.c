#include "tests/random/oracle.h"

#include <string.h>

#include "tests/random/kernel.h"
#include "tests/random/oracle_inside.h"

typedef struct range {
    int32_t write, read, need; /* step that writes it, last that reads it, last that needs it */
} range;

typedef struct oracle {
    const tn_plan *p;
    const tn_module *m;
    tn_arena *arena;
    range *ranges;   /* by plan value */
    bool **looks_at; /* by op: values it looks at besides its operands, or NULL */
    const char *wrong;
} oracle;

static void report(oracle *o, const char *what, const char *a, const char *b) {
    if (o->wrong == NULL) {
        o->wrong = tn_arena_printf(o->arena, "oracle: %s: '%s', '%s'", what, a, b);
    }
}

static const tn_value *value_of(const oracle *o, uint32_t i) {
    return o->m->values[o->p->values[i].module_value];
}

/* ---- live ranges ---- */

/* The last step of an op (`last`), or its first. */
static int32_t step_of(const oracle *o, const tn_op *op, bool last) {
    int32_t found = -1;
    for (uint32_t i = 0; i < o->p->n_steps; i++) {
        if (o->p->steps[i].module_op == op->id && (last || found < 0)) {
            found = (int32_t)i;
        }
    }
    return found;
}

/* The op of graph g that `op` is, or lies in; NULL when it is not inside g. */
static const tn_op *seen_from(const tn_op *op, const tn_graph *g) {
    while (op != NULL && op->graph != g) {
        op = op->graph->owner;
    }
    return op;
}

/* The step in which `op` is done reading v, which lies in a graph around it or its own: a call has
 * copied its operands when it begins. */
static int32_t read_step(const oracle *o, const tn_op *op, const tn_value *v) {
    const tn_op *reader = seen_from(op, v->graph);
    return step_of(o, reader, !(reader == op && kernel_calls(op)));
}

static int32_t write_of(const oracle *o, const tn_value *v) {
    if (v->kind == TN_VALUE_INPUT) {
        return v->graph->owner != NULL ? step_of(o, v->graph->owner, false) : -1;
    }
    if (v->kind == TN_VALUE_CONST || kernel_is_constant(v->def)) {
        return -1;
    }
    bool stacked = v->def->n_regions > 0 && v->def_index >= kernel_carried(v->def);
    return step_of(o, v->def, !stacked);
}

static bool is_listed(const tn_value *v, tn_value *const *list, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        if (list[i] == v) {
            return true;
        }
    }
    return false;
}

static bool outlives_run(const oracle *o, const tn_value *v) {
    bool main = v->graph->owner == NULL;
    if (v->kind == TN_VALUE_CONST || (v->def != NULL && kernel_is_constant(v->def))) {
        return true;
    }
    if (main && v->kind == TN_VALUE_INPUT && (v->flags & TN_VF_DONATED) == 0) {
        return true;
    }
    for (uint32_t i = 0; i < o->m->n_bindings; i++) {
        if (o->m->bindings[i].state == v || o->m->bindings[i].value == v) {
            return true;
        }
    }
    return is_listed(v, o->m->main->outputs, o->m->main->n_outputs);
}

static int32_t later(int32_t a, int32_t b) {
    return a > b ? a : b;
}

static int32_t read_of(const oracle *o, const tn_value *v, int32_t write) {
    int32_t read = write;
    for (uint32_t i = 0; i < o->m->n_ops; i++) {
        const tn_op *op = o->m->ops[i];
        for (uint32_t k = 0; k < op->n_operands && !op->erased; k++) {
            const tn_op *reader = seen_from(op, v->graph);
            if (op->operands[k].value == v && kernel_reads(op, k) && reader != NULL) {
                read = later(read, read_step(o, op, v));
            }
        }
    }
    for (uint32_t i = 0; i < o->m->n_graphs; i++) {
        const tn_graph *g = o->m->graphs[i];
        if (g->owner == NULL || !is_listed(v, g->outputs, g->n_outputs)) {
            continue;
        }
        const tn_op *reader = v->graph == g ? g->owner : seen_from(g->owner, v->graph);
        read = later(read, step_of(o, reader, true));
    }
    for (uint32_t i = 0; i < o->m->n_ops; i++) {
        if (o->looks_at[i] != NULL && o->looks_at[i][v->id] && !o->m->ops[i]->erased) {
            read = later(read, step_of(o, o->m->ops[i], true));
        }
    }
    /* An argument must be there for every iteration; a stacked result, until its loop is done. */
    const tn_op *around = v->kind == TN_VALUE_INPUT ? v->graph->owner : v->def;
    if (around != NULL && kernel_loops(around)) {
        read = later(read, step_of(o, around, true));
    }
    return read;
}

/* ---- pairs ---- */

static bool same_pool(const oracle *o, const tn_plan_value *a, const tn_plan_value *b) {
    return o->p->storages[a->storage].pool == o->p->storages[b->storage].pool;
}

static bool overlap(const oracle *o, const tn_plan_value *a, const tn_plan_value *b) {
    uint64_t x = tn_plan_address(o->p, a), y = tn_plan_address(o->p, b);
    return a->bytes > 0 && b->bytes > 0 && same_pool(o, a, b) && x < y + b->bytes &&
           y < x + a->bytes;
}

/* The value whose content it shows: follows edges to what it is a view of. */
static uint32_t content_of(const oracle *o, uint32_t i) {
    while (o->p->values[i].alias == TN_ALIAS_VIEW) {
        i = o->p->values[i].alias_of;
    }
    return i;
}

/* Whether the kernel may be given the bytes of operand k, value a, to write result b to: for
 * another width only when the plan has it go through them in the direction that reads them in time.
 */
static bool may_be_given(const oracle *o, uint32_t a, uint32_t b, uint32_t k) {
    const tn_plan_value *x = &o->p->values[a], *y = &o->p->values[b];
    const tn_value *result = value_of(o, b);
    const tn_op *op = result->def;
    tn_plan_promise want = y->bytes < x->bytes ? TN_PROMISE_ASCENDING : TN_PROMISE_DESCENDING;
    if (!kernel_goes_through(op, result->def_index, k)) {
        return x->bytes == y->bytes && kernel_may_overwrite(op, result->def_index, k);
    }
    const tn_plan_step *step = &o->p->steps[y->step];
    for (uint32_t i = 0; i < step->n_claims; i++) {
        const tn_plan_claim *c = &step->claims[i];
        if (c->result == result->def_index && c->operand == k) {
            return c->promise == want;
        }
    }
    return false;
}

/* Whether the op that makes b may have been given the bytes of a, or of what a shows. */
static bool is_taken_over(const oracle *o, uint32_t a, uint32_t b) {
    const tn_plan_value *x = &o->p->values[a], *y = &o->p->values[b];
    const tn_value *result = value_of(o, b);
    const tn_op *op = result->kind == TN_VALUE_RESULT ? result->def : NULL;
    if (x->storage != y->storage || x->offset != y->offset) {
        return false;
    }
    for (uint32_t k = 0; op != NULL && k < op->n_operands; k++) {
        const tn_value *operand = op->operands[k].value;
        if (operand == NULL || !may_be_given(o, a, b, k)) {
            continue;
        }
        bool last = o->ranges[a].read == o->ranges[b].write,
             dies = o->ranges[a].need == o->ranges[a].read;
        bool state = (operand->flags & (TN_VF_STATE | TN_VF_PARAM)) != 0 || kernel_consumes(op, k);
        if (last && (dies || state) && operand == value_of(o, a)) {
            return true;
        }
    }
    return false;
}

/* ---- values of bodies ---- */

/* Whether the two lie in different bodies of an op that runs one of them. */
static bool in_other_branch(const tn_value *a, const tn_value *b) {
    for (const tn_graph *g = a->graph; g->owner != NULL; g = g->owner->graph) {
        for (const tn_graph *h = b->graph; h->owner != NULL; h = h->owner->graph) {
            if (g->owner == h->owner && g != h && !kernel_loops(g->owner)) {
                return true;
            }
        }
    }
    return false;
}

/* The last step in which an op of the body, or the end of the iteration, reads the value. */
static int32_t last_read_inside(const oracle *o, const tn_value *v) {
    int32_t last = -1;
    for (uint32_t i = 0; i < o->m->n_ops; i++) {
        const tn_op *reader = seen_from(o->m->ops[i], v->graph);
        for (uint32_t k = 0; k < o->m->ops[i]->n_operands && reader != NULL; k++) {
            bool reads = o->m->ops[i]->operands[k].value == v && kernel_reads(o->m->ops[i], k);
            last = reads ? later(last, read_step(o, o->m->ops[i], v)) : last;
        }
    }
    for (uint32_t i = 0; i < o->m->n_graphs; i++) {
        const tn_graph *g = o->m->graphs[i];
        if (is_listed(v, g->outputs, g->n_outputs)) {
            const tn_op *reader = seen_from(g->owner, v->graph);
            last = reader == NULL ? INT32_MAX : later(last, step_of(o, reader, true));
        }
    }
    return last;
}

/* How often something reads v at this step or later, outputs of bodies included. */
static uint32_t reads_from(const oracle *o, const tn_value *v, int32_t step) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < o->m->n_ops; i++) {
        const tn_op *reader = seen_from(o->m->ops[i], v->graph);
        for (uint32_t k = 0; k < o->m->ops[i]->n_operands && reader != NULL; k++) {
            n += o->m->ops[i]->operands[k].value == v && kernel_reads(o->m->ops[i], k) &&
                 read_step(o, o->m->ops[i], v) >= step;
        }
    }
    for (uint32_t i = 0; i < o->m->n_graphs; i++) {
        const tn_graph *g = o->m->graphs[i];
        const tn_op *reader = seen_from(g->owner, v->graph);
        n += is_listed(v, g->outputs, g->n_outputs) &&
             (reader == NULL || step_of(o, reader, true) >= step);
    }
    return n;
}

static bool in_one_place(const oracle *o, const tn_value *a, const tn_value *b) {
    const tn_plan_value *x = NULL, *y = NULL;
    for (uint32_t i = 0; i < o->p->n_values; i++) {
        x = value_of(o, i) == a ? &o->p->values[i] : x;
        y = value_of(o, i) == b ? &o->p->values[i] : y;
    }
    return x != NULL && y != NULL && x->storage != TN_NO_ID && x->storage == y->storage &&
           x->offset == y->offset && x->bytes == y->bytes;
}

/* Whether result b stands for what a branch, or a called function, gave. */
static bool is_result_of(const tn_value *a, const tn_value *b) {
    const tn_op *op = b->kind == TN_VALUE_RESULT && b->def->n_regions > 0 ? b->def : NULL;
    for (uint32_t i = 0; op != NULL && !kernel_loops(op) && i < op->n_regions; i++) {
        if (kernel_output_of(op, i, b->def_index) == a && a->graph == op->regions[i]) {
            return true;
        }
    }
    return false;
}

/* State k of a loop in turn: its operand, argument and output of the body, result. */
typedef struct forms {
    const tn_value *at[4];
} forms;

static forms forms_of(const tn_op *op, uint32_t k) {
    uint32_t at = kernel_state_operand(op, k);
    return (forms){{op->operands[at].value, op->regions[0]->inputs[at], kernel_output_of(op, 0, k),
                    k < op->n_results ? op->results[k] : NULL}};
}

/* Whether the body may write the output over the argument: nothing reads that later, until the
 * next iteration. */
static bool comes_after(const oracle *o, const forms *f, const tn_graph *body) {
    const tn_value *argument = f->at[1], *output = f->at[2];
    int32_t last = last_read_inside(o, argument), written = write_of(o, output);
    bool over = false;
    if (output->graph != body || output->kind != TN_VALUE_RESULT) {
        return false;
    }
    for (uint32_t i = 0; i < output->def->n_operands; i++) {
        over = over || (output->def->operands[i].value == argument &&
                        kernel_may_overwrite(output->def, output->def_index, i));
    }
    return last < written || (last == written && over);
}

/* Whether form j of a state may go over form i of it, i < j. */
static bool may_follow(const oracle *o, const tn_op *op, const forms *f, int i, int j) {
    if (i == 0) { /* the argument lies there too, and the loop reads the operand to set it up */
        bool first = reads_from(o, f->at[0], step_of(o, op, false)) == 1;
        return first && in_one_place(o, f->at[0], f->at[1]) &&
               (j == 1 || may_follow(o, op, f, 1, j));
    }
    if (i == 1 && j == 3) {
        return f->at[1] == f->at[2] || last_read_inside(o, f->at[1]) < INT32_MAX;
    }
    return i == 2 || comes_after(o, f, op->regions[0]);
}

static bool is_state_of(const oracle *o, const tn_op *op, const tn_value *a, const tn_value *b) {
    for (uint32_t k = 0; op != NULL && kernel_loops(op) && k < kernel_carried(op); k++) {
        forms f = forms_of(op, k);
        for (int i = 0; i < 3; i++) {
            for (int j = i + 1; j < 4; j++) {
                if (f.at[i] == a && f.at[j] == b && may_follow(o, op, &f, i, j)) {
                    return true;
                }
            }
        }
    }
    return false;
}

/* Whether b may go over a because the two are forms of one value that bodies pass on. */
static bool is_carried(const oracle *o, uint32_t a, uint32_t b) {
    const tn_value *x = value_of(o, a), *y = value_of(o, b);
    const tn_op *own = y->kind == TN_VALUE_RESULT ? y->def : NULL, *around = y->graph->owner;
    return in_one_place(o, x, y) &&
           (is_result_of(x, y) ||
            is_state_of(o, own != NULL && own->n_regions > 0 ? own : NULL, x, y) ||
            is_state_of(o, around, x, y));
}

/* Whether b, or another value that shows the same content, took over the bytes of a. */
static bool is_taken_by_kin(const oracle *o, uint32_t a, uint32_t b) {
    for (uint32_t i = 0; i < o->p->n_values; i++) {
        if (o->p->values[i].storage == o->p->values[b].storage &&
            content_of(o, i) == content_of(o, b) &&
            (is_taken_over(o, a, i) || is_carried(o, a, i))) {
            return true;
        }
    }
    return false;
}

/* Whether y begins inside x, which nobody needs any more, by what the plan says and rightly. */
static bool begins_inside(const oracle *o, uint32_t y, uint32_t x) {
    const tn_plan_overlap *said = inside_find(o->p, y, x);
    int32_t step = o->ranges[y].write;
    int64_t apart = (int64_t)(tn_plan_address(o->p, &o->p->values[x]) -
                              tn_plan_address(o->p, &o->p->values[y]));
    return said != NULL && o->ranges[x].read == step && o->ranges[x].need == step &&
           inside_is_safe(o->p, o->m, y, x, apart, said->order, o->arena);
}

static void check_insides(oracle *o) {
    for (uint32_t i = 0; i < o->p->n_values; i++) {
        const tn_plan_value *v = &o->p->values[i];
        for (uint32_t k = 0; k < v->n_overlaps; k++) {
            const char *wrong = inside_check(o->p, o->m, i, &v->overlaps[k], o->arena);
            if (wrong != NULL) {
                report(o, wrong, v->name, o->p->values[v->overlaps[k].value].name);
            }
        }
    }
}

static void check_pair(oracle *o, uint32_t a, uint32_t b) {
    range x = o->ranges[a], y = o->ranges[b];
    bool meet = x.write <= y.need && y.write <= x.need;
    if (meet && content_of(o, a) != content_of(o, b) && !is_taken_by_kin(o, a, b) &&
        !is_taken_by_kin(o, b, a) && !begins_inside(o, a, b) && !begins_inside(o, b, a) &&
        !in_other_branch(value_of(o, a), value_of(o, b))) {
        report(o, "two live values share bytes", o->p->values[a].name, o->p->values[b].name);
    }
}

/* ---- the rest of a plan ---- */

/* Then it has no bytes, whatever the other extents are. */
static bool has_empty_extent(const tn_value *v) {
    int64_t extent;
    for (uint32_t i = 0; v->type->has_rank && i < v->type->rank; i++) {
        if (tn_dim_is_const(v->graph->module->dims, v->type->dims[i], &extent) && extent == 0) {
            return true;
        }
    }
    return false;
}

static void check_value(oracle *o, uint32_t i) {
    const tn_plan_value *v = &o->p->values[i];
    const tn_storage *s = &o->p->storages[v->storage];
    extents e;
    if (v->bytes == 0 && has_empty_extent(value_of(o, i))) {
        return;
    }
    if (!kernel_extents(value_of(o, i), &e)) {
        report(o, "placed, but of unknown size", v->name, "");
        return;
    }
    uint64_t bits = (uint64_t)e.count * tn_dtype_get(value_of(o, i)->type->dtype)->bits;
    if (v->bytes != (bits + 7) / 8 || v->offset > s->size || v->bytes > s->size - v->offset) {
        report(o, "wrong size, or outside its storage", v->name, "");
    }
    if (s->offset % s->align != 0 || s->offset + s->size > o->p->pools[s->pool].size) {
        report(o, "storage misplaced", v->name, "");
    }
    /* Values that live on as state are stated as such; the others must have their whole life. */
    if (v->first > o->ranges[i].write || v->last < o->ranges[i].need || s->first > v->first ||
        s->last < v->last) {
        report(o, "stated life too short", v->name, "");
    }
}

static void check_frees(oracle *o) {
    uint32_t *freed = TN_ARRAY(o->arena, uint32_t, o->p->n_storages);
    for (uint32_t i = 0; i < o->p->n_steps; i++) {
        tn_ids frees = o->p->steps[i].frees;
        for (uint32_t k = 0; k < frees.len; k++) {
            freed[frees.data[k]]++;
            for (uint32_t v = 0; v < o->p->n_values; v++) {
                if (o->p->values[v].storage == frees.data[k] && o->ranges[v].need > (int32_t)i) {
                    report(o, "freed too early", o->p->values[v].name, "");
                }
            }
        }
    }
    for (uint32_t i = 0; i < o->p->n_storages; i++) {
        if (freed[i] > 1 || (freed[i] > 0 && o->p->storages[i].pinned)) {
            report(o, "freed twice, or pinned", o->p->values[o->p->storages[i].root].name, "");
        }
    }
}

/* A storage that is to keep its bytes shares them with no other one. */
static void check_pinned(oracle *o) {
    for (uint32_t i = 0; i < o->p->n_storages; i++) {
        const tn_storage *a = &o->p->storages[i];
        for (uint32_t k = 0; k < o->p->n_storages && a->pinned; k++) {
            const tn_storage *b = &o->p->storages[k];
            if (i != k && a->pool == b->pool && a->offset < b->offset + b->size &&
                b->offset < a->offset + a->size) {
                report(o, "pinned bytes are shared", o->p->values[a->root].name,
                       o->p->values[b->root].name);
            }
        }
    }
    for (uint32_t i = 0; i < o->p->n_values; i++) {
        const tn_plan_value *v = &o->p->values[i];
        if (v->storage != TN_NO_ID && !o->p->storages[v->storage].pinned &&
            (value_of(o, i)->flags & (TN_VF_EXCLUDED | TN_VF_PINNED | TN_VF_LOSS)) != 0) {
            report(o, "not pinned", v->name, "");
        }
    }
}

static uint64_t rounded(uint64_t bytes, uint64_t align) {
    return (bytes + align - 1) / align * align;
}

/* Bytes that the storage of y and that of an operand, in which it begins, need less than apart. */
static uint64_t shared_with(const oracle *o, const tn_plan_value *y, uint64_t align) {
    const tn_plan_value *x = NULL;
    uint64_t apart = 0;
    for (uint32_t i = 0; i < y->n_overlaps; i++) {
        x = &o->p->values[y->overlaps[i].value];
        uint64_t from = y->overlaps[i].distance + y->offset;
        apart = from > x->offset && from - x->offset > apart ? from - x->offset : apart;
    }
    if (x == NULL) {
        return 0;
    }
    uint64_t over = rounded(o->p->storages[y->storage].size, align);
    uint64_t under = rounded(o->p->storages[x->storage].size, align);
    uint64_t both = rounded(apart, align) + under;
    return over + under - (both > over ? both : over);
}

/* Bytes alive at the fullest step, each storage rounded up to the alignment. */
static uint64_t fullest(const oracle *o, uint32_t pool) {
    uint64_t most = 0, align = o->p->pools[pool].align;
    for (int32_t step = -1; step <= (int32_t)o->p->n_steps; step++) {
        uint64_t sum = 0;
        for (uint32_t i = 0; i < o->p->n_storages; i++) {
            const tn_storage *s = &o->p->storages[i];
            bool alive = s->pinned || (s->first <= step && step <= s->last);
            sum += s->pool == pool && alive ? rounded(s->size, align) : 0;
        }
        for (uint32_t i = 0; i < o->p->n_values; i++) {
            const tn_plan_value *v = &o->p->values[i];
            bool begins = v->n_overlaps > 0 && (int32_t)v->overlaps[0].step == step;
            sum -= begins && o->p->storages[v->storage].pool == pool ? shared_with(o, v, align) : 0;
        }
        most = sum > most ? sum : most;
    }
    return most;
}

/* Values that would need bytes and have none. */
static bool misses_values(const tn_plan *p) {
    for (uint32_t i = 0; i < p->n_values; i++) {
        const tn_plan_value *v = &p->values[i];
        if (v->storage == TN_NO_ID && v->left_out != TN_LEFT_UNUSED) {
            return true;
        }
    }
    return false;
}

static void check_figures(oracle *o) {
    const tn_plan_report *r = &o->p->report;
    uint64_t size = 0, bound = 0;
    for (uint32_t i = 0; i < o->p->n_pools; i++) {
        const tn_pool *pool = &o->p->pools[i];
        if (pool->kind != TN_POOL_ARENA) {
            continue;
        }
        size += pool->size;
        bound += pool->bound;
        if (pool->bound > pool->size || fullest(o, i) > pool->size ||
            (pool->capacity > 0 && pool->size > pool->capacity)) {
            report(o, "arena size out of order with its bound or capacity", pool->name, "");
        }
        /* Where results might begin inside operands, it is as if all of them did. */
        bool apart = strstr(o->p->pipeline, "overlap=") == NULL;
        if (apart && pool->bound < fullest(o, i)) {
            report(o, "the bound is below what is alive at once", pool->name, "");
        }
    }
    if (bound != r->bound || size > r->naive) {
        report(o, "the report's bound or naive size is out of order with the arenas", "", "");
    }
    if (r->optimal != (bound == size && !misses_values(o->p))) {
        report(o, "called optimal though it is not, or the reverse", "", "");
    }
    if (r->level1 > r->level0 || r->level0 > r->naive) {
        report(o, "levels out of order", "", "");
    }
}

const char *oracle_check(const tn_plan *p, const tn_module *m, tn_arena *arena) {
    oracle o = {.p = p, .m = m, .arena = arena, .ranges = TN_ARRAY(arena, range, p->n_values)};
    o.looks_at = TN_ARRAY(arena, bool *, m->n_ops);
    for (uint32_t i = 0; i < m->n_ops; i++) {
        o.looks_at[i] = kernel_looks_at(m->ops[i], arena);
    }
    for (uint32_t i = 0; i < p->n_values; i++) {
        o.ranges[i].write = write_of(&o, value_of(&o, i));
        o.ranges[i].read = read_of(&o, value_of(&o, i), o.ranges[i].write);
        o.ranges[i].need =
            outlives_run(&o, value_of(&o, i)) ? (int32_t)p->n_steps : o.ranges[i].read;
    }
    for (uint32_t i = 0; i < p->n_values; i++) {
        if (p->values[i].storage == TN_NO_ID) {
            continue;
        }
        check_value(&o, i);
        for (uint32_t k = 0; k < i; k++) {
            if (p->values[k].storage != TN_NO_ID && overlap(&o, &p->values[i], &p->values[k])) {
                check_pair(&o, k, i);
            }
        }
    }
    check_insides(&o);
    check_frees(&o);
    check_pinned(&o);
    check_figures(&o);
    return o.wrong;
}
