/* The facts as text for people. */
#include "ir/plan/copied_ahead.h"
#include "ir/plan/forms.h"
#include "ir/plan/plan_names.h"
#include "lib/explain/explain_t.h"

typedef struct printer {
    const tn_explain *x;
    const tn_plan *p;
    tn_sink *out;
    uint64_t planned; /* bytes of the arena */
    uint64_t alive;   /* bytes alive at the peak */
} printer;

static const tn_plan_value *value_of(const printer *w, uint32_t value) {
    return &w->p->values[value];
}

static void put_name(const printer *w, uint32_t value) {
    tn_put_quoted(w->out, value_of(w, value)->name);
}

/* "steps 2 to 5", with words for before and after the run. */
static void put_range(const printer *w, int32_t first, int32_t last) {
    if (first < 0) {
        tn_put(w->out, "from before the run");
    } else {
        tn_putf(w->out, "from step %d", (int)first);
    }
    if (last >= (int32_t)w->p->n_steps) {
        tn_put(w->out, " to after it");
    } else {
        tn_putf(w->out, " to step %d", (int)last);
    }
}

/* "N = 8, M = 3": what numbers are for where dimensions are open. */
static void put_extents(const printer *w) {
    for (uint32_t i = 0; i < w->p->n_ranges; i++) {
        tn_put(w->out, i > 0 ? ", " : "");
        tn_put_quoted(w->out, w->p->ranges[i].name);
        tn_putf(w->out, " = %lld", (long long)w->p->ranges[i].point);
    }
}

/* "arena 448 B", or "arena 576 B (fast 256 B, slow 320 B)". */
static void put_arenas(const printer *w, uint64_t bytes) {
    const char *between = " (";
    uint32_t n = 0;
    tn_put(w->out, "arena ");
    tn_put_bytes(w->out, bytes);
    for (uint32_t i = 0; i < w->p->n_pools; i++) {
        n += w->p->pools[i].kind == TN_POOL_ARENA;
    }
    for (uint32_t i = 0; i < w->p->n_pools && n > 1; i++) {
        const tn_pool *pool = &w->p->pools[i];
        if (pool->kind == TN_POOL_ARENA) {
            tn_putf(w->out, "%s%s %llu B", between, pool->name, (unsigned long long)pool->size);
            between = ", ";
        }
    }
    tn_put(w->out, n > 1 ? ")" : "");
}

static void put_plan(const printer *w, const tn_fact *f) {
    tn_put(w->out, "plan of ");
    tn_put_quoted(w->out, w->p->model);
    if (w->p->n_ranges > 0) {
        tn_put(w->out, " at ");
        put_extents(w);
    }
    tn_put(w->out, ": ");
    put_arenas(w, f->bytes);
    tn_put(w->out, ", lower bound ");
    tn_put_bytes(w->out, f->bound);
    tn_put(w->out, w->p->report.optimal ? ", optimal for this order and these aliases\n" : "\n");
    if (!tn_plan_is_whole(w->p)) {
        tn_plan_put_left_out(w->p, w->out);
        tn_put_c(w->out, '\n');
    }
    tn_putf(w->out, "by %s\n", w->p->pipeline);
}

static void put_step_head(const printer *w, const tn_fact *f) {
    tn_put_c(w->out, '\n');
    if (f->step == TN_NO_ID) {
        tn_put(w->out, "before the run");
    } else {
        tn_put_step(w->out, w->p, f->step);
    }
    tn_put_c(w->out, '\n');
}

static void put_unmade(const printer *w, const tn_fact *f) {
    tn_put(w->out, "  ");
    tn_put_quoted(w->out, f->inner->name);
    tn_putf(w->out, " needs no bytes, as this step alone makes and reads it; it would have ");
    tn_put_bytes(w->out, f->bytes);
    tn_put_c(w->out, '\n');
}

static void put_value(const printer *w, const tn_fact *f) {
    const tn_plan_value *v = value_of(w, f->value);
    tn_put(w->out, "  ");
    put_name(w, f->value);
    tn_putf(w->out, " %s: ", v->type);
    if (v->storage == TN_NO_ID) {
        tn_put(w->out, "not planned: ");
        tn_put_line(w->out, v->why != NULL ? v->why : "no reason given");
        tn_put_c(w->out, '\n');
        return;
    }
    const tn_storage *s = &w->p->storages[v->storage];
    tn_put_bytes(w->out, v->bytes);
    tn_putf(w->out, " at %llu of %s, ", (unsigned long long)tn_plan_address(w->p, v),
            w->p->pools[s->pool].name);
    put_range(w, v->first, v->last);
    if (s->second > 0) {
        tn_putf(w->out, "; in every second run %llu bytes on", (unsigned long long)s->second);
    }
    tn_put_c(w->out, '\n');
}

static void put_last(const printer *w, const tn_fact *f) {
    if (f->step == TN_NO_ID) {
        static const char *const words[] = {[TN_ROLE_INTERNAL] = "needed after the run",
                                            [TN_ROLE_INPUT] = "an input",
                                            [TN_ROLE_OUTPUT] = "an output",
                                            [TN_ROLE_CONST] = "a constant",
                                            [TN_ROLE_STATE] = "state",
                                            [TN_ROLE_WORKSPACE] =
                                                "read by no step: bytes for the kernel of a step"};
        tn_putf(w->out, "    %s\n", words[value_of(w, f->value)->role]);
        return;
    }
    tn_put(w->out, "    read last at ");
    tn_put_step(w->out, w->p, f->step);
    tn_put_c(w->out, '\n');
}

static void put_alias(const printer *w, const tn_fact *f) {
    const tn_plan_value *later = value_of(w, f->value), *earlier = value_of(w, f->of);
    static const char *const verbs[] = {[TN_ALIAS_NONE] = "lies in",
                                        [TN_ALIAS_VIEW] = "is a view of",
                                        [TN_ALIAS_INPLACE] = "is written over",
                                        [TN_ALIAS_UPDATE] = "updates",
                                        [TN_ALIAS_SHARE] = "shares the bytes of"};
    bool gathered = f->alias == TN_ALIAS_VIEW && earlier->bytes < later->bytes;
    tn_put(w->out, "    ");
    put_name(w, gathered ? f->of : f->value);
    tn_putf(w->out, " %s ", gathered ? "is computed inside" : verbs[f->alias]);
    put_name(w, gathered ? f->value : f->of);
    tn_put_c(w->out, '\n');
}

static void put_inside(const printer *w, const tn_fact *f) {
    tn_put(w->out, "    ");
    put_name(w, f->value);
    tn_put(w->out, " begins inside ");
    put_name(w, f->of);
    tn_putf(w->out,
            ", which begins %llu B behind it or further: its kernel works in the order %s\n",
            (unsigned long long)f->bytes, f->text);
}

static void put_clone(const printer *w, const tn_fact *f) {
    tn_put(w->out, "    ");
    put_name(w, f->of);
    tn_put(w->out, " is computed once more, as ");
    put_name(w, f->value);
    tn_putf(w->out, ", at step %u\n", value_of(w, f->value)->step);
}

static void put_shift(const printer *w, const tn_fact *f) {
    tn_putf(w->out, "    moved from %s@%llu: ", f->shift->pool,
            (unsigned long long)f->shift->offset);
    tn_put_shift_why(w->out, w->p, f->shift);
    tn_put_c(w->out, '\n');
}

static void put_takeover(const printer *w, const tn_fact *f) {
    bool gives = f->kind == TN_FACT_GIVES;
    tn_putf(w->out, "    %s ", gives ? "gives" : "takes");
    tn_put_bytes(w->out, f->bytes);
    tn_putf(w->out, " at %llu %s ", (unsigned long long)f->offset, gives ? "to" : "from");
    put_name(w, f->of);
    tn_putf(w->out, gives ? " at step %d\n" : ", free since step %d\n", (int32_t)f->step);
}

static void put_refusal(const printer *w, const tn_fact *f) {
    tn_put(w->out, "    refused: ");
    tn_refusal_print(f->refusal, w->out);
    tn_put_c(w->out, '\n');
}

static void put_peak(printer *w, const tn_fact *f) {
    w->alive = f->bytes;
    tn_put(w->out, "\npeak at ");
    tn_put_step(w->out, w->p, f->step);
    tn_put(w->out, ": ");
    tn_put_bytes(w->out, f->bytes);
    tn_putf(w->out, " alive in %u storages", f->of);
    if (f->value > 1) {
        tn_putf(w->out, ", as much at %u steps in all", f->value);
    }
    tn_put_c(w->out, '\n');
    if (w->x->capacity != 0 && w->planned > w->x->capacity) {
        tn_put(w->out, "  the arena is ");
        tn_put_bytes(w->out, w->planned - w->x->capacity);
        tn_put(w->out, " larger than --capacity\n");
    }
}

static void put_alive(const printer *w, const tn_fact *f) {
    const tn_plan_value *v = value_of(w, f->value);
    const tn_storage *s = &w->p->storages[v->storage];
    tn_put(w->out, "  ");
    put_name(w, f->value);
    tn_putf(w->out, " %s: ", v->type);
    tn_put_bytes(w->out, f->bytes);
    tn_put(w->out, s->second > 0 ? " for two places" : "");
    tn_put(w->out, s->pinned ? ", pinned, " : ", ");
    put_range(w, s->first, s->last);
    if (f->of != f->value) {
        tn_put(w->out, " as ");
        put_name(w, f->of);
    }
    tn_put(w->out, "\n    without it ");
    tn_put_bytes(w->out, w->alive - f->bound);
    tn_put(w->out, " less alive at once");
    if (f->earlier != UINT64_MAX) {
        tn_put(w->out, "; gone a step earlier ");
        tn_put_bytes(w->out, w->alive - f->earlier);
        tn_put(w->out, " less");
    }
    tn_put_c(w->out, '\n');
}

const char *const tn_room_words[] = {
    [TN_ROOM_FIXED] = "fixed", [TN_ROOM_CHEAPEST] = "cheapest",   [TN_ROOM_TOO_SMALL] = "too small",
    [TN_ROOM_FULL] = "full",   [TN_ROOM_IN_PIECES] = "in pieces", [TN_ROOM_UNORDERED] = "unordered",
    [TN_ROOM_LEFT] = "left"};

/* "a run reads and writes 384 B" */
static void put_traffic(const printer *w, uint64_t bytes) {
    tn_put(w->out, "a run reads and writes ");
    tn_put_bytes(w->out, bytes);
}

static void put_pooled(const printer *w, const tn_fact *f) {
    const tn_pool *pool = &w->p->pools[f->of];
    tn_putf(w->out,
            "    %s in %s, where a byte costs %llu: ", f->room <= TN_ROOM_CHEAPEST ? "lies" : "not",
            pool->name, (unsigned long long)pool->cost);
    if (f->room == TN_ROOM_TOO_SMALL || f->room == TN_ROOM_FULL) {
        tn_put_bytes(w->out, f->bytes);
        tn_put(w->out, " are lacking");
    }
    if (f->room == TN_ROOM_FULL) {
        tn_put(w->out, " at ");
        tn_put_step(w->out, w->p, f->step);
    }
    static const char *const ends[] = {[TN_ROOM_FIXED] = "fixed there",
                                       [TN_ROOM_CHEAPEST] = "no pool costs less",
                                       [TN_ROOM_TOO_SMALL] = " in all",
                                       [TN_ROOM_FULL] = " beside",
                                       [TN_ROOM_IN_PIECES] = "enough is free, but in pieces",
                                       [TN_ROOM_UNORDERED] =
                                           "others lie there that may be alive at once",
                                       [TN_ROOM_LEFT] = "there is room, which was not used"};
    tn_putf(w->out, "%s%s", ends[f->room], f->room == TN_ROOM_FULL ? "\n" : "; ");
    if (f->room != TN_ROOM_FULL) {
        put_traffic(w, f->offset);
        tn_put_c(w->out, '\n');
    }
}

static void put_pool(const printer *w, const tn_fact *f) {
    const tn_pool *pool = &w->p->pools[f->of];
    tn_putf(w->out, "\npool %s: ", pool->name);
    tn_put_bytes(w->out, pool->size);
    if (pool->capacity != 0) {
        tn_put(w->out, " of ");
        tn_put_bytes(w->out, pool->capacity);
    }
    tn_putf(w->out, ", a byte costs %llu, ", (unsigned long long)pool->cost);
    put_traffic(w, pool->traffic);
    tn_put(w->out, "\n  fullest at ");
    tn_put_step(w->out, w->p, f->step);
    tn_put(w->out, ": ");
    tn_put_bytes(w->out, f->bytes);
    tn_putf(w->out, " alive in %u storages\n", f->value);
    tn_sink window = tn_sink_make(w->out->arena);
    if (tn_pool_goes_ahead(pool) && tn_ahead_put(w->p, &window)) {
        tn_putf(w->out, "  a window of %s\n", window.data);
    }
}

static void put_held(const printer *w, const tn_fact *f) {
    tn_put(w->out, "      ");
    put_name(w, f->value);
    tn_putf(w->out, " %s: ", value_of(w, f->value)->type);
    tn_put_bytes(w->out, f->bytes);
    tn_put(w->out, ", ");
    put_traffic(w, f->offset);
    tn_put_c(w->out, '\n');
}

static void put_change(const printer *w, const tn_fact *f) {
    bool more = f->bytes > w->planned;
    uint64_t cost = w->p->report.cost;
    tn_putf(w->out, "  %s: arena ", f->text);
    tn_put_bytes(w->out, f->bytes);
    if (f->bytes == w->planned) {
        tn_put(w->out, ", no difference");
    } else {
        tn_put(w->out, ", ");
        tn_put_bytes(w->out, more ? f->bytes - w->planned : w->planned - f->bytes);
        tn_put(w->out, more ? " more" : " less");
    }
    if (w->x->pools != NULL && f->offset != cost) {
        more = f->offset > cost;
        tn_putf(w->out, "; cost %llu, %llu %s", (unsigned long long)f->offset,
                (unsigned long long)(more ? f->offset - cost : cost - f->offset),
                more ? "more" : "less");
    }
    tn_put_c(w->out, '\n');
}

static void put_advice(const printer *w, const tn_fact *f) {
    if (f->advice != NULL) {
        tn_advice_print(&w->x->now, f->advice, w->out);
    } else {
        tn_putf(w->out, "  none: %s\n", f->text);
    }
}

static void put_untried(const printer *w, const tn_fact *f) {
    tn_putf(w->out, "  %u plans were not tried for time (--advice-steps)\n", f->of);
}

static void put_fact(printer *w, const tn_fact *f) {
    switch (f->kind) {
    case TN_FACT_PLAN:
        put_plan(w, f);
        break;
    case TN_FACT_STEP:
        put_step_head(w, f);
        break;
    case TN_FACT_VALUE:
        put_value(w, f);
        break;
    case TN_FACT_UNMADE:
        put_unmade(w, f);
        break;
    case TN_FACT_OWN:
        tn_putf(w->out, "    keeps its own bytes: %s\n", f->text);
        break;
    case TN_FACT_LAST:
        put_last(w, f);
        break;
    case TN_FACT_ALIAS:
        put_alias(w, f);
        break;
    case TN_FACT_MOVED:
        put_shift(w, f);
        break;
    case TN_FACT_CLONE:
        put_clone(w, f);
        break;
    case TN_FACT_INSIDE:
        put_inside(w, f);
        break;
    case TN_FACT_TAKES:
    case TN_FACT_GIVES:
        put_takeover(w, f);
        break;
    case TN_FACT_REFUSAL:
        put_refusal(w, f);
        break;
    case TN_FACT_PEAK:
        put_peak(w, f);
        break;
    case TN_FACT_ALIVE:
        put_alive(w, f);
        break;
    case TN_FACT_POOLED:
        put_pooled(w, f);
        break;
    case TN_FACT_POOL:
        put_pool(w, f);
        break;
    case TN_FACT_HOLDS:
        put_held(w, f);
        break;
    case TN_FACT_CHANGE:
        put_change(w, f);
        break;
    case TN_FACT_ADVICE:
        put_advice(w, f);
        break;
    case TN_FACT_UNTRIED:
        put_untried(w, f);
        break;
    }
}

/* Above the first fact of a kind. */
static void put_heading(const printer *w, tn_fact_kind kind) {
    if (kind == TN_FACT_CHANGE) {
        tn_put(w->out, "\nplanned again");
        if (w->p->n_ranges > 0) {
            tn_put(w->out, ", compared at ");
            put_extents(w);
            tn_put_c(w->out, ',');
        }
        tn_put(w->out, " with\n");
    } else if (kind == TN_FACT_ADVICE) {
        tn_put(w->out, "\nadvice: what would make it smaller, and asks for something\n");
    }
}

void tn_explain_print(const tn_explain *x, tn_sink *out) {
    printer w = {.x = x, .p = x->p, .out = out, .planned = tn_plan_arena_bytes(x->p)};
    tn_fact_kind last = TN_FACT_PLAN;
    for (uint32_t i = 0; i < x->facts.len; i++) {
        const tn_fact *f = &x->facts.data[i];
        if (f->kind != last) {
            put_heading(&w, f->kind);
        }
        last = f->kind;
        put_fact(&w, f);
    }
}
