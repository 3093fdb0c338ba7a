/* The facts as JSON lines: {"fact": KIND, ...}. Tensors are named as in a plan: by graph and name.
 */
#include "ir/plan/plan_names.h"
#include "lib/explain/explain_t.h"

static const char *const kinds[] = {
    [TN_FACT_PLAN] = "plan",       [TN_FACT_STEP] = "step",   [TN_FACT_VALUE] = "value",
    [TN_FACT_OWN] = "own",         [TN_FACT_LAST] = "last",   [TN_FACT_ALIAS] = "alias",
    [TN_FACT_INSIDE] = "inside",   [TN_FACT_TAKES] = "takes", [TN_FACT_GIVES] = "gives",
    [TN_FACT_REFUSAL] = "refusal", [TN_FACT_PEAK] = "peak",   [TN_FACT_ALIVE] = "alive",
    [TN_FACT_CHANGE] = "change",   [TN_FACT_CLONE] = "clone", [TN_FACT_POOLED] = "pooled",
    [TN_FACT_POOL] = "pool",       [TN_FACT_HOLDS] = "holds", [TN_FACT_ADVICE] = "advice",
    [TN_FACT_UNTRIED] = "untried", [TN_FACT_MOVED] = "moved", [TN_FACT_UNMADE] = "unmade"};

static void put_pools(tn_sink *out, const tn_plan *p) {
    tn_put(out, ", \"pools\": {");
    for (uint32_t i = 0; i < p->n_pools; i++) {
        tn_put(out, i > 0 ? ", " : "");
        tn_put_quoted(out, p->pools[i].name);
        tn_putf(out, ": %llu", (unsigned long long)p->pools[i].size);
    }
    tn_put_c(out, '}');
}

static void put_text(tn_sink *out, const char *key, const char *text) {
    tn_putf(out, ", \"%s\": ", key);
    if (text != NULL) {
        tn_put_quoted(out, text);
    } else {
        tn_put(out, "null");
    }
}

static void put_number(tn_sink *out, const char *key, uint64_t number) {
    tn_putf(out, ", \"%s\": %llu", key, (unsigned long long)number);
}

/* Steps of takeovers may lie before the run or after it: -1 and the number of steps. */
static void put_step(tn_sink *out, uint32_t step) {
    tn_putf(out, ", \"step\": %d", (int)(int32_t)step);
}

static void put_name(tn_sink *out, const char *key, const char *graph, const char *name) {
    tn_putf(out, ", \"%s\": [", key);
    tn_put_quoted(out, graph);
    tn_put(out, ", ");
    tn_put_quoted(out, name);
    tn_put_c(out, ']');
}

static void put_value(const tn_explain *x, tn_sink *out, const char *key, uint32_t value) {
    put_name(out, key, x->p->values[value].graph, x->p->values[value].name);
}

static void put_place(const tn_explain *x, tn_sink *out, const tn_plan_value *v) {
    put_text(out, "type", v->type);
    put_text(out, "role", tn_plan_role_names[v->role]);
    put_text(out, "unplanned", v->why);
    if (v->storage == TN_NO_ID) {
        return;
    }
    put_text(out, "pool", x->p->pools[x->p->storages[v->storage].pool].name);
    put_number(out, "address", tn_plan_address(x->p, v));
    put_number(out, "bytes", v->bytes);
    put_number(out, "storage", v->storage);
    if (x->p->storages[v->storage].second > 0) {
        put_number(out, "second", x->p->storages[v->storage].second);
    }
    tn_putf(out, ", \"first\": %d, \"last\": %d", (int)v->first, (int)v->last);
}

static void put_refusal(const tn_refusal *f, tn_sink *out) {
    put_name(out, "value", f->value->graph->path, f->value->name);
    put_name(out, "of", f->of->graph->path, f->of->name);
    put_text(out, "alias", tn_alias_words[f->kind]);
    put_text(out, "reason", tn_reason_name(f->reason));
    if (f->witness != NULL) {
        put_name(out, "witness", f->witness->graph->path, f->witness->name);
    }
    if (f->by != NULL) {
        tn_putf(out, ", \"at\": %d", (int)f->step);
        put_text(out, "by", f->by->type);
        put_text(out, "node", f->by->name);
    }
}

static void put_pool(const tn_pool *pool, tn_sink *out) {
    put_text(out, "pool", pool->name);
    put_number(out, "bytes", pool->size);
    put_number(out, "bound", pool->bound);
    put_number(out, "capacity", pool->capacity);
    put_number(out, "cost", pool->cost);
    put_number(out, "traffic", pool->traffic);
}

static void put_fact(const tn_explain *x, const tn_fact *f, tn_sink *out) {
    switch (f->kind) {
    case TN_FACT_PLAN:
        put_text(out, "model", x->p->model);
        put_text(out, "pipeline", x->p->pipeline);
        put_number(out, "bytes", f->bytes);
        put_number(out, "bound", f->bound);
        put_pools(out, x->p);
        break;
    case TN_FACT_STEP:
        put_step(out, f->step);
        if (f->step != TN_NO_ID) {
            put_text(out, "op", x->p->steps[f->step].op);
            put_text(out, "node", x->p->steps[f->step].name);
        }
        break;
    case TN_FACT_VALUE:
        put_value(x, out, "value", f->value);
        put_place(x, out, &x->p->values[f->value]);
        break;
    case TN_FACT_UNMADE:
        put_name(out, "value", f->inner->graph->path, f->inner->name);
        put_number(out, "bytes", f->bytes);
        break;
    case TN_FACT_OWN:
        put_value(x, out, "value", f->value);
        put_text(out, "why", f->text);
        break;
    case TN_FACT_LAST:
        put_value(x, out, "value", f->value);
        put_step(out, f->step != TN_NO_ID ? f->step : x->p->n_steps);
        break;
    case TN_FACT_ALIAS:
        put_value(x, out, "value", f->value);
        put_value(x, out, "of", f->of);
        put_text(out, "alias", tn_alias_words[f->alias]);
        break;
    case TN_FACT_MOVED:
        put_value(x, out, "value", f->value);
        put_text(out, "pool", f->shift->pool);
        put_number(out, "offset", f->shift->offset);
        put_text(out, "why", tn_shift_why_names[f->shift->why]);
        if (f->shift->by != TN_NO_ID) {
            put_value(x, out, "by", f->shift->by);
        }
        break;
    case TN_FACT_CLONE:
        put_value(x, out, "value", f->value);
        put_value(x, out, "of", f->of);
        break;
    case TN_FACT_INSIDE:
        put_value(x, out, "value", f->value);
        put_value(x, out, "of", f->of);
        put_number(out, "distance", f->bytes);
        put_text(out, "order", f->text);
        break;
    case TN_FACT_TAKES:
    case TN_FACT_GIVES:
        put_value(x, out, "value", f->value);
        put_value(x, out, "of", f->of);
        put_number(out, "bytes", f->bytes);
        put_number(out, "address", f->offset);
        put_step(out, f->step);
        break;
    case TN_FACT_REFUSAL:
        put_step(out, f->step);
        put_refusal(f->refusal, out);
        break;
    case TN_FACT_PEAK:
        put_step(out, f->step);
        put_number(out, "bytes", f->bytes);
        put_number(out, "storages", f->of);
        put_number(out, "steps", f->value);
        break;
    case TN_FACT_ALIVE:
        put_value(x, out, "value", f->value);
        put_number(out, "bytes", f->bytes);
        put_value(x, out, "needed_last", f->of);
        put_number(out, "peak_without", f->bound);
        if (f->earlier != UINT64_MAX) {
            put_number(out, "peak_if_earlier", f->earlier);
        }
        break;
    case TN_FACT_POOLED:
        put_value(x, out, "value", f->value);
        put_text(out, "pool", x->p->pools[f->of].name);
        put_text(out, "room", tn_room_words[f->room]);
        put_number(out, "traffic", f->offset);
        put_number(out, "bytes", f->bytes);
        put_step(out, f->room == TN_ROOM_FULL ? f->step : TN_NO_ID);
        break;
    case TN_FACT_POOL:
        put_pool(&x->p->pools[f->of], out);
        put_step(out, f->step);
        put_number(out, "alive", f->bytes);
        put_number(out, "storages", f->value);
        break;
    case TN_FACT_HOLDS:
        put_value(x, out, "value", f->value);
        put_text(out, "pool", x->p->pools[f->of].name);
        put_number(out, "bytes", f->bytes);
        put_number(out, "traffic", f->offset);
        break;
    case TN_FACT_CHANGE:
        put_text(out, "options", f->text);
        put_number(out, "bytes", f->bytes);
        put_number(out, "bound", f->bound);
        if (x->pools != NULL) {
            put_number(out, "cost", f->offset);
        }
        break;
    case TN_FACT_ADVICE:
        tn_advice_print_json(f->advice, out);
        break;
    case TN_FACT_UNTRIED:
        put_number(out, "plans", f->of);
        break;
    }
}

void tn_explain_print_json(const tn_explain *x, tn_sink *out) {
    for (uint32_t i = 0; i < x->facts.len; i++) {
        if (x->facts.data[i].kind == TN_FACT_ADVICE && x->facts.data[i].advice == NULL) {
            continue; /* no fact */
        }
        tn_putf(out, "{\"fact\": \"%s\"", kinds[x->facts.data[i].kind]);
        put_fact(x, &x->facts.data[i], out);
        tn_put(out, "}\n");
    }
}
