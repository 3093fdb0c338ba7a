/* The plan as a trace in Chrome's JSON form, for ui.perfetto.dev and chrome://tracing: a step takes
 * one millisecond. Steps are slices of one track, nested graphs inside the slice of their op;
 * counters say how many bytes of each pool are live; each storage is a slice of its own, grouped by
 * pool. Events of one track come in order of time, and ends before begins. */
#include "backends/core/backend.h"
#include "backends/core/live_bytes.h"
#include "ir/plan/plan_names.h"

enum { OPT_STORAGES };
static const tn_opt options[] = {
    [OPT_STORAGES] = {"storages", TN_OPT_BOOL, "true", NULL,
                      "whether each storage has a slice, or the trace holds steps and counters "
                      "alone"},
    {0}};

enum { STEP_US = 1000 };

typedef struct trace {
    const tn_plan *p;
    tn_sink *out;
    const char *comma;
    uint32_t steps, pools; /* pids, which programs and variants have of their own */
} trace;

/* Begins an event; what follows it are further members and a brace. */
static void begin(trace *t, const char *kind, uint32_t pid, uint32_t tid, const char *name) {
    tn_putf(t->out, "%s\n{\"ph\":\"%s\",\"pid\":%u,\"tid\":%u,\"name\":", t->comma, kind, pid, tid);
    tn_put_quoted(t->out, name);
    t->comma = ",";
}

static void put_time(trace *t, int64_t step) {
    tn_putf(t->out, ",\"ts\":%lld", (long long)step * STEP_US);
}

static void name_process(trace *t, uint32_t pid, const char *what) {
    tn_arena *scratch = tn_arena_new(t->p->ctx);
    tn_sink name = tn_sink_make(scratch);
    tn_put(&name, what);
    if (t->p->set != NULL) {
        tn_put(&name, " of ");
        tn_put_variant(&name, t->p);
    }
    begin(t, "M", pid, 0, "process_name");
    tn_put(t->out, ",\"args\":{\"name\":");
    tn_put_quoted(t->out, name.data);
    tn_put(t->out, "}}");
    tn_arena_drop(scratch);
}

/* The op, and the node's name or that of what it makes. */
static const char *step_name(tn_arena *arena, const tn_plan *p, const tn_plan_step *s) {
    const char *name = s->name[0] != '\0'  ? s->name
                       : s->writes.len > 0 ? p->values[s->writes.data[0]].name
                                           : "";
    return tn_arena_printf(arena, "%s%s%s", s->op, name[0] != '\0' ? " " : "", name);
}

/* A begin and its end are one slice round those between them. */
static void put_steps(trace *t) {
    tn_arena *scratch = tn_arena_new(t->p->ctx);
    for (uint32_t i = 0; i < t->p->n_steps; i++) {
        const tn_plan_step *s = &t->p->steps[i];
        if (s->kind == TN_STEP_END) {
            continue;
        }
        uint32_t last = s->kind == TN_STEP_BEGIN ? s->partner : i;
        begin(t, "X", t->steps, 1, step_name(scratch, t->p, s));
        put_time(t, i);
        tn_putf(t->out, ",\"dur\":%lld,\"cat\":\"step\",\"args\":{\"step\":%u,\"graph\":",
                ((long long)last - i + 1) * STEP_US, i);
        tn_put_quoted(t->out, s->graph);
        tn_putf(t->out, ",\"idle\":%s}}", s->idle ? "true" : "false");
    }
    tn_arena_drop(scratch);
}

/* Where the number changes, and a last time when the run is over. */
static void put_counter(trace *t, uint32_t pool) {
    const tn_plan *p = t->p;
    tn_arena *scratch = tn_arena_new(p->ctx);
    const uint64_t *live = tn_live_bytes(scratch, p, pool);
    const char *name = tn_arena_printf(scratch, "%s: live bytes", p->pools[pool].name);
    for (uint32_t i = 0; i <= p->n_steps; i++) {
        if (i > 0 && i < p->n_steps && live[i] == live[i - 1]) {
            continue;
        }
        begin(t, "C", t->pools, 0, name);
        put_time(t, i);
        tn_putf(t->out, ",\"args\":{\"bytes\":%llu}}",
                i < p->n_steps ? (unsigned long long)live[i] : 0);
    }
    tn_arena_drop(scratch);
}

/* Lives overlap as they like, so storages are asynchronous slices, each with an id of its own. */
static void put_storage(trace *t, const tn_storage *s) {
    const tn_plan *p = t->p;
    const tn_plan_value *root = &p->values[s->root];
    int64_t from = s->first > 0 ? s->first : 0, to = (int64_t)s->last + 1;
    to = to > p->n_steps ? p->n_steps : to > from ? to : from + 1;
    for (int end = 0; end < 2; end++) {
        begin(t, end ? "e" : "b", t->pools, 0, root->name);
        put_time(t, end ? to : from);
        tn_putf(t->out, ",\"id\":%u,\"cat\":", s->id);
        tn_put_quoted(t->out, p->pools[s->pool].name);
        if (!end) {
            tn_putf(t->out, ",\"args\":{\"bytes\":%llu,\"offset\":%llu,\"type\":",
                    (unsigned long long)s->size, (unsigned long long)s->offset);
            tn_put_quoted(t->out, root->type);
            tn_putf(t->out, ",\"first\":%d,\"last\":%d}", s->first, s->last);
        }
        tn_put_c(t->out, '}');
    }
}

static void put_plan(trace *t, bool storages) {
    name_process(t, t->steps, "steps");
    name_process(t, t->pools, "memory");
    put_steps(t);
    for (uint32_t i = 0; i < t->p->n_pools; i++) {
        put_counter(t, i);
    }
    for (uint32_t i = 0; i < t->p->n_storages && storages; i++) {
        put_storage(t, &t->p->storages[i]);
    }
}

static tn_status emit(const tn_emission *e) {
    trace t = {.out = e->out, .comma = ""};
    tn_put(t.out, "{\"displayTimeUnit\":\"ms\",\"otherData\":{\"model\":");
    tn_put_quoted(t.out, e->plan->model);
    tn_put(t.out, ",\"digest\":");
    tn_put_quoted(t.out, e->plan->digest);
    tn_put(t.out, ",\"unit\":\"a step is 1 ms\"},\"traceEvents\":[");
    for (uint32_t i = 0; i < tn_plan_count(e->plan); i++) {
        t.p = tn_plan_at(e->plan, i);
        t.steps = 2 * i + 1;
        t.pools = 2 * i + 2;
        put_plan(&t, tn_arg_truth(e->args, OPT_STORAGES));
    }
    tn_put(t.out, "\n]}\n");
    return TN_OK;
}

const tn_backend tn_backend_perfetto = {
    .name = "perfetto",
    .summary = "a trace for ui.perfetto.dev: live bytes as counters, steps and storages as slices",
    .suffix = ".trace.json",
    .options = options,
    .emit = emit,
    .takes_sets = true,
    .carries = TN_CARRIES(ADDRESSES) | TN_CARRIES(NAMES) | TN_CARRIES(RANGES) | TN_CARRIES(OPS) |
               TN_CARRIES(IDLE) | TN_CARRIES(DIGEST),
};
