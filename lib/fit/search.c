/* Which measures, in which order. */
#include <string.h>

#include "lib/fit/fit_t.h"

/* ---- settings ---- */

static uint32_t n_settings(const tn_change *c) {
    uint32_t n = 0;
    while (n < TN_CHANGED_SETTINGS && c->settings[n].key != NULL) {
        n++;
    }
    return n;
}

/* `c` with `more` on top: a setting has one value, pools are added. False where both together are
 * too many. */
static bool add(tn_change *c, const tn_change *more) {
    for (uint32_t i = 0; i < n_settings(more); i++) {
        uint32_t n = n_settings(c), at = 0;
        bool repeats = strcmp(more->settings[i].key, "pool") == 0;
        while (at < n && (repeats || strcmp(c->settings[at].key, more->settings[i].key) != 0)) {
            at++;
        }
        if (at == TN_CHANGED_SETTINGS) {
            return false;
        }
        c->settings[at] = more->settings[i];
    }
    return true;
}

static void drop_setting(tn_change *c, const char *key) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < TN_CHANGED_SETTINGS; i++) {
        if (c->settings[i].key != NULL && strcmp(c->settings[i].key, key) != 0) {
            c->settings[kept++] = c->settings[i];
        }
    }
    memset(&c->settings[kept], 0, (TN_CHANGED_SETTINGS - kept) * sizeof c->settings[0]);
}

/* What the user has said stays. */
static bool is_said(const tn_request *r, const tn_change *c) {
    for (uint32_t i = 0; i < n_settings(c); i++) {
        for (uint32_t k = 0; k < r->given.len; k++) {
            if (strcmp(r->given.data[k].key, c->settings[i].key) == 0) {
                return true;
            }
        }
    }
    return false;
}

/* A row is of its class, and of those whose options it needs besides. */
static bool is_allowed(const tn_fit_args *a, const tn_measure *m) {
    static const struct {
        const char *key;
        tn_measure_class in;
    } needs[] = {
        {"layout", TN_MEASURE_LAYOUT}, {"schedule", TN_MEASURE_ORDER}, {"O", TN_MEASURE_ORDER}};
    bool allowed = tn_fit_allows(a, m->in);
    for (uint32_t i = 0; i < n_settings(&m->change); i++) {
        for (size_t k = 0; k < sizeof needs / sizeof needs[0]; k++) {
            bool needed = strcmp(needs[k].key, m->change.settings[i].key) == 0;
            allowed = allowed && (!needed || tn_fit_allows(a, needs[k].in));
        }
    }
    return allowed;
}

/* ---- what a plan needs ---- */

double tn_rung_operations(const tn_rung *r) {
    uint64_t all = r->outcome.model_operations;
    return all > 0 ? (double)r->outcome.operations / (double)all : 0;
}

/* What parts do twice counts as what clones do. */
static void count_parts(const tn_fitting *w, tn_rung *r) {
    tn_outcome *o = &r->outcome;
    uint64_t base = w->f->rungs.len > 0 ? w->f->rungs.data[0].outcome.graph_operations : 0;
    if (base > 0 && o->graph_operations > base) {
        o->operations += o->graph_operations - base;
        o->model_operations = base;
    }
}

void tn_rung_weigh(const tn_fit_args *a, tn_rung *r) {
    const tn_outcome *o = &r->outcome;
    uint64_t elsewhere = r->in == TN_MEASURE_SPILL ? o->arena - o->first : 0;
    uint64_t stack = o->stack;
    if (a->stack != NULL) { /* it was read before */
        (void)tn_opt_bytes(a->stack, &stack);
    }
    r->need = o->ram - elsewhere + stack;
    r->flash = o->constants + o->code;
    r->fits = (a->ram == 0 || r->need <= a->ram) && (a->flash == 0 || r->flash <= a->flash);
}

/* Bytes beyond the budgets. */
static uint64_t excess(const tn_fitting *w, const tn_rung *r) {
    const tn_fit_args *a = &w->f->args;
    uint64_t ram = a->ram > 0 && r->need > a->ram ? r->need - a->ram : 0;
    return ram + (a->flash > 0 && r->flash > a->flash ? r->flash - a->flash : 0);
}

static bool is_less(const tn_fitting *w, const tn_rung *a, const tn_rung *b) {
    uint64_t x = excess(w, a), y = excess(w, b);
    return x != y ? x < y : w->f->args.ram > 0 && a->need < b->need;
}

/* Whether each kernel that the program lacks is one that it lacks without measures, too. */
static bool lacks_no_more(const tn_rung *first, const tn_rung *r) {
    const char *at = r->outcome.missing != NULL ? r->outcome.missing : "";
    const char *known = first->outcome.missing != NULL ? first->outcome.missing : "";
    for (at += strspn(at, " "); *at != '\0'; at += strspn(at, " ")) {
        size_t len = strcspn(at, " ");
        const char *same = known;
        do {
            same += strspn(same, " ");
            size_t n = strcspn(same, " ");
            if (n == len && strncmp(same, at, len) == 0) {
                break;
            }
            same += n;
        } while (*same != '\0');
        if (*same == '\0') {
            return false;
        }
        at += len;
    }
    return true;
}

static tn_rung_end judge(const tn_fitting *w, const tn_rung *r, const tn_rung *base) {
    return !lacks_no_more(&w->f->rungs.data[0], r)      ? TN_RUNG_KERNELS
           : tn_rung_operations(r) > w->most_operations ? TN_RUNG_OPERATIONS
           : is_less(w, r, base)                        ? TN_RUNG_LESS
                                                        : TN_RUNG_NO_GAIN;
}

/* Of those that fit the one with the fewest operations, then bytes; of others bytes alone. */
static bool is_better(const tn_fitting *w, const tn_rung *a, const tn_rung *b) {
    double x = tn_rung_operations(a), y = tn_rung_operations(b);
    bool by_operations = a->fits && b->fits && (x < y || x > y);
    return by_operations ? x < y : is_less(w, a, b);
}

/* ---- trying ---- */

/* What was found stays: what comes on top takes these stretches, and looks for no others. */
static void settle_stretches(tn_arena *arena, tn_rung *r) {
    const tn_change found = {.settings = {{"tile", r->outcome.stretches}}};
    if (r->in == TN_MEASURE_TILE && r->outcome.stretches[0] != '\0') {
        drop_setting(&r->change, "tile-flops");
        (void)add(&r->change, &found);
        r->own = found;
        r->options = tn_fit_options(arena, &found);
    }
}

/* Plans with the change; *r is filled in. False where nothing more is to be tried. */
static bool try_rung(tn_fitting *w, const tn_rung *base, tn_rung *r) {
    tn_progress(w->trials.ctx, tn_measure_names[r->in]);
    w->base = base;
    w->trials.n_steps = base != NULL ? base->outcome.n_steps : 0;
    if (w->small != r->small) { /* what is known is of the other program */
        w->trials.tried.len = 0;
        w->small = r->small;
    }
    const tn_tried *tried = tn_try_change(&w->trials, &r->change);
    if (tn_cut_short(w->trials.ctx)) {
        return false; /* the searches within were cut short, too */
    }
    if (tried == NULL) {
        r->end = TN_RUNG_NONE;
    } else {
        r->outcome = tried->outcome;
        settle_stretches(w->f->arena, r);
        count_parts(w, r);
        tn_rung_weigh(&w->f->args, r);
        r->end = base != NULL ? judge(w, r, base) : TN_RUNG_KEPT;
    }
    return true;
}

typedef struct climb {
    tn_fitting *w;
    uint32_t at, best; /* rungs: the best of the classes before, and of this one or TN_NO_ID */
    bool over;
    bool again; /* a second time: what gives nothing is no rung, */
    bool fuses; /* but for groups that cost nothing: what comes behind may need them */
} climb;

static tn_rung *rung(const climb *c, uint32_t i) {
    return &c->w->f->rungs.data[i];
}

static void try_on_top(climb *c, tn_rung r) {
    tn_fit *f = c->w->f;
    const tn_rung base = *rung(c, c->at);
    uint32_t left_out = c->w->trials.left_out;
    c->over = c->over || !try_rung(c->w, &base, &r);
    if (c->over || c->w->trials.left_out > left_out) {
        return;
    }
    bool counts = r.end == TN_RUNG_LESS || (c->fuses && r.in == TN_MEASURE_FUSE &&
                                            r.end == TN_RUNG_NO_GAIN && r.need <= base.need);
    if (c->again && !counts) {
        return;
    }
    tn_vec_push(f->arena, &f->rungs, r);
    if (counts && (c->best == TN_NO_ID || is_better(c->w, &r, rung(c, c->best)))) {
        c->best = f->rungs.len - 1;
    }
}

/* Of the user, where tenure writes the kernels and knows that they keep what the plan asks. */
static const char *asks_of_user(const tn_measure_class in, const tn_change *own, const char *asks) {
    bool kernels = in == TN_MEASURE_ORDER || in == TN_MEASURE_INPLACE || in == TN_MEASURE_ALIGN ||
                   in == TN_MEASURE_OVERLAP || in == TN_MEASURE_LAYOUT;
    for (uint32_t i = 0; i < n_settings(own); i++) {
        if (strcmp(own->settings[i].key, "layout") == 0) {
            return "inputs and outputs that have their channels last where they are images";
        }
    }
    bool again = in == TN_MEASURE_TILE || in == TN_MEASURE_RECOMPUTE;
    return again     ? "time for operations that are done again"
           : kernels ? "nothing of you: tenure writes the kernels"
                     : asks;
}

static void try_change(climb *c, tn_measure_class in, const tn_change *more, const char *asks) {
    const tn_rung *base = rung(c, c->at);
    tn_rung r = {
        .in = in, .asks = asks, .own = *more, .change = base->change, .small = base->small};
    r.options = tn_fit_options(c->w->f->arena, more);
    r.asks = c->w->program != NULL ? asks_of_user(in, more, asks) : asks;
    if (!is_said(c->w->request, more) && add(&r.change, more)) {
        try_on_top(c, r);
    }
}

/* The program's kernels with loops as they are, where flash is short. */
static void try_code(climb *c) {
    const tn_rung *base = rung(c, c->at);
    const tn_artefact *a = c->w->program;
    const tn_opt *options = a != NULL ? a->backend->options : NULL;
    uint64_t flash = c->w->f->args.flash;
    for (uint32_t i = 0; i < tn_opt_count(options) && flash > 0 && base->flash > flash; i++) {
        if (strcmp(options[i].name, TN_FIT_CODE_OPTION) == 0 && !a->args.given[i]) {
            tn_rung r = *base;
            r.in = TN_MEASURE_CODE;
            r.own = (tn_change){.keeps_pipeline = true};
            r.small = true;
            r.options = tn_arena_printf(c->w->f->arena, "--emit-opt=%s.%s=%s", a->backend->name,
                                        TN_FIT_CODE_OPTION, TN_FIT_CODE_SMALL);
            r.asks = "time: kernels in less code are slower";
            try_on_top(c, r);
            return;
        }
    }
}

/* So many bytes of the arena that the rest fits beside it; 0: it does not. */
static uint64_t arena_for(const tn_fitting *w, const tn_rung *r) {
    uint64_t others = r->need - r->outcome.arena;
    return w->f->args.ram > others ? w->f->args.ram - others : 0;
}

static const char *percent_text(tn_arena *arena, double part) {
    tn_sink text = tn_sink_make(arena);
    tn_put_decimal(&text, part * 100);
    tn_put_c(&text, '%');
    return text.data;
}

/* With a budget the search for parts, or for clones, itself ends at the fewest operations that keep
 * it. */
static void try_again(climb *c, const tn_measure *m) {
    tn_arena *arena = c->w->f->arena;
    double part = 0;
    tn_change change = m->change;
    (void)tn_opt_percent(change.settings[0].value, &part);
    if (part > c->w->most_operations) {
        part = c->w->most_operations;
        change.settings[0].value = percent_text(arena, part);
    }
    uint64_t arena_bytes = arena_for(c->w, rung(c, c->at));
    if (arena_bytes > 0 && arena_bytes < rung(c, c->at)->outcome.arena) {
        change.settings[1] =
            (tn_pair){m->in == TN_MEASURE_TILE ? "tile" : "recompute-budget",
                      tn_arena_printf(arena, "%llu", (unsigned long long)arena_bytes)};
    }
    if (part > 0 || m->in == TN_MEASURE_TILE) {
        try_change(c, m->in, &change, m->asks);
    }
}

/* What is left of the RAM is a pool, the slower memory another. */
static void try_spill(climb *c) {
    const tn_fit_args *a = &c->w->f->args;
    tn_arena *arena = c->w->f->arena;
    uint64_t fast = arena_for(c->w, rung(c, c->at));
    if (a->slow == 0 || fast == 0) {
        return;
    }
    const char *first = tn_arena_printf(arena, "fast:%llu", (unsigned long long)fast);
    const char *second = tn_arena_printf(arena, "slow:%llu:cost=4", (unsigned long long)a->slow);
    const tn_change change = {.settings = {{"pool", first}, {"pool", second}}};
    try_change(c, TN_MEASURE_SPILL, &change, "a slower memory for what is used least");
}

/* The rows of the class, which stand one behind the other. */
static const tn_measure *first_row(tn_measure_class in) {
    const tn_measure *m = tn_measures;
    while (m->in != in) {
        m++;
    }
    return m;
}

/* The rows of a class from `first` on. Where the most operations do not reach the budget, fewer do
 * not: then only those who want to see all have more rows. */
static void try_all_again(climb *c, const tn_measure *first) {
    const tn_measure *most = first;
    bool all = c->w->f->args.all;
    while (most[1].asks != NULL && most[1].in == first->in) {
        most++;
    }
    try_again(c, most);
    bool fits = c->best != TN_NO_ID && rung(c, c->best)->fits;
    for (const tn_measure *m = first; m < most && (all || fits); m++) {
        try_again(c, m);
    }
}

static void try_class(climb *c, tn_measure_class in) {
    const tn_fit_args *a = &c->w->f->args;
    bool is_on = in == TN_MEASURE_FUSE && c->w->request->groups != NULL;
    if (!tn_fit_allows(a, in)) {
        return;
    }
    if (in == TN_MEASURE_RECOMPUTE) {
        try_all_again(c, first_row(in));
        return;
    }
    for (const tn_measure *m = tn_measures; m->asks != NULL && !is_on; m++) {
        if (m->in == in && m->use != TN_FOR_ADVICE && is_allowed(a, m)) {
            try_change(c, in, &m->change, m->asks);
        }
    }
    if (in == TN_MEASURE_CODE) {
        try_code(c);
    } else if (in == TN_MEASURE_SPILL) {
        try_spill(c);
    }
}

/* ---- without what is not needed ---- */

/* What is kept, but for one rung. */
static bool without(const climb *c, uint32_t left_out, tn_rung *out) {
    bool good = true;
    out->change = (tn_change){.keeps_pipeline = true};
    out->small = false;
    for (uint32_t i = 1; i <= c->at; i++) {
        const tn_rung *r = rung(c, i);
        bool is_part = i != left_out && (i == c->at || r->end == TN_RUNG_KEPT);
        good = good && (!is_part || add(&out->change, &r->own));
        out->small = out->small || (is_part && r->in == TN_MEASURE_CODE);
    }
    return good;
}

/* A measure that was kept may be needless once a stronger one is there: the result is then another
 * rung, without it. Those that ask most are left out first. */
static void prune(climb *c) {
    tn_fit *f = c->w->f;
    tn_rung result = {.options = NULL};
    for (uint32_t i = c->at; i-- > 1 && !c->over;) {
        tn_rung r = *rung(c, c->at), first = f->rungs.data[0];
        uint32_t left_out = c->w->trials.left_out;
        bool is_kept = i > 0 && rung(c, i)->end == TN_RUNG_KEPT;
        if (!is_kept || !without(c, i, &r) || !try_rung(c->w, &first, &r) ||
            c->w->trials.left_out > left_out) {
            continue;
        }
        if (r.end == TN_RUNG_LESS && r.fits) {
            rung(c, i)->end = TN_RUNG_LESS;
            result = r;
        }
    }
    if (result.options != NULL) {
        tn_vec_push(f->arena, &f->rungs, result);
        c->at = f->rungs.len - 1;
    }
}

/* Rungs that are no part of the result. */
static void drop_kept(climb *c, uint32_t from, uint32_t to) {
    for (uint32_t i = from; i < to; i++) {
        tn_rung *r = rung(c, i);
        r->end = r->end == TN_RUNG_KEPT ? TN_RUNG_LESS : r->end;
    }
}

/* Rungs above the result of a search that went on (--all) are no part of it. */
static void settle(climb *c, uint32_t result) {
    tn_fit *f = c->w->f;
    drop_kept(c, result + 1, f->rungs.len);
    c->at = result;
    if (rung(c, result)->fits) {
        prune(c);
    }
    f->chosen = c->at;
    f->fits = rung(c, c->at)->fits;
    rung(c, c->at)->end = TN_RUNG_CHOSEN;
}

static void keep_best(climb *c) {
    if (c->best != TN_NO_ID) {
        c->at = c->best;
        rung(c, c->at)->end = TN_RUNG_KEPT;
    }
}

static void climb_class(climb *c, tn_measure_class in) {
    c->best = TN_NO_ID;
    try_class(c, in);
    keep_best(c);
}

/* What gives nothing by itself may, once results lie elsewhere, or are made in parts. */
static void climb_again(climb *c) {
    c->again = true;
    for (int in = TN_MEASURE_ORDER; in <= TN_MEASURE_ALIGN && !rung(c, c->at)->fits; in++) {
        climb_class(c, (tn_measure_class)in);
    }
    c->again = false;
}

/* The last rung that is kept of the classes up to that; rung 0 where none is. */
static uint32_t last_kept(const climb *c, tn_measure_class most) {
    uint32_t i = c->at;
    while (i > 0 && (rung(c, i)->end != TN_RUNG_KEPT || rung(c, i)->in > most)) {
        i--;
    }
    return i;
}

/* The climb from rung `from`, whose rungs begin at `end`, is kept if it ends lower than rung `at`.
 */
static void keep_lower(climb *c, uint32_t from, uint32_t at, uint32_t end) {
    if (c->at != from && is_less(c->w, rung(c, c->at), rung(c, at))) {
        drop_kept(c, from + 1, end);
    } else {
        drop_kept(c, end, c->w->f->rungs.len);
        c->at = at;
    }
}

/* Results in place may stand in the way of what saves more, as what lies in them lives longer: the
 * same once more without. */
static void climb_beside(climb *c) {
    uint32_t at = c->at, end = c->w->f->rungs.len, from = last_kept(c, TN_MEASURE_ORDER);
    c->again = c->fuses = true;
    c->at = from;
    for (int in = TN_MEASURE_ALIGN; in <= TN_MEASURE_OVERLAP && !rung(c, c->at)->fits; in++) {
        climb_class(c, (tn_measure_class)in);
    }
    c->again = c->fuses = false;
    keep_lower(c, from, at, end);
}

/* Whether it is worth trying if orders, and what else costs no operations, give what is missing. */
static bool is_near(const climb *c) {
    uint64_t ram = c->w->f->args.ram;
    return rung(c, c->at)->need <= ram + ram / 4;
}

/* Parts that do hardly anything twice, and what helps once they are there; then, if that is not
 * enough, others instead of these. */
static void climb_parts(climb *c) {
    const tn_measure *least = first_row(TN_MEASURE_TILE);
    uint32_t from = c->at;
    uint64_t *left = &c->w->trials.left, searched = *left;
    if (!tn_fit_allows(&c->w->f->args, TN_MEASURE_TILE)) {
        return;
    }
    for (uint32_t i = 0; i < 2 && !rung(c, c->at)->fits; i++) {
        uint32_t at = c->at, end = c->w->f->rungs.len;
        c->at = from;
        c->best = TN_NO_ID;
        if (i == 0) {
            try_again(c, least);
            searched -= *left; /* the second search takes as much */
        } else {
            try_all_again(c, least + 1);
        }
        keep_best(c);
        if (c->at != from && (i > 0 || is_near(c))) {
            uint64_t kept = i > 0 ? 0 : searched < *left ? searched : *left;
            *left -= kept;
            climb_again(c);
            *left += kept;
        }
        keep_lower(c, from, at, end);
    }
}

tn_status tn_fit_search(tn_ctx *ctx, void *fitting) {
    tn_fitting *w = fitting;
    climb c = {.w = w};
    uint32_t result = TN_NO_ID;
    tn_rung first = {.options = "", .asks = "nothing", .change = {.keeps_pipeline = true}};
    (void)ctx;
    c.over = !try_rung(w, NULL, &first);
    tn_vec_push(w->f->arena, &w->f->rungs, first);
    c.over = c.over || first.end == TN_RUNG_NONE;
    for (int in = TN_MEASURE_ORDER; in < TN_MEASURE_CLASSES && !c.over; in++) {
        result = result == TN_NO_ID && rung(&c, c.at)->fits ? c.at : result;
        if (result != TN_NO_ID && !w->f->args.all) {
            break;
        }
        uint32_t before = c.at;
        if (in == TN_MEASURE_TILE) {
            climb_parts(&c);
            continue;
        }
        climb_class(&c, (tn_measure_class)in);
        if (in == TN_MEASURE_OVERLAP && c.at != before) {
            climb_again(&c);
        }
        if (in == TN_MEASURE_OVERLAP && !rung(&c, c.at)->fits &&
            rung(&c, last_kept(&c, TN_MEASURE_INPLACE))->in == TN_MEASURE_INPLACE) {
            climb_beside(&c);
        }
    }
    settle(&c, result != TN_NO_ID ? result : c.at);
    w->f->left_out = w->trials.left_out;
    return TN_OK;
}
