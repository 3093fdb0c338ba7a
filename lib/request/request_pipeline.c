/* From settings to a pipeline. -O<n> names one; the settings then change options of its passes, put
 * passes in, or take them out. With --passes the text says everything itself. */
#include <string.h>

#include "lib/request/request.h"

#include "ir/base/diag.h"
#include "passes/core/registry.h"

/* Position of the first item that runs `pass`, or p->len. */
static uint32_t position(const tn_pipeline *p, const tn_pass_info *pass) {
    uint32_t i = 0;
    while (i < p->len && p->items[i].pass != pass) {
        i++;
    }
    return i;
}

static void take_out(tn_pipeline *p, const tn_pass_info *pass) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < p->len; i++) {
        if (p->items[i].pass != pass) {
            p->items[kept++] = p->items[i];
        }
    }
    p->len = kept;
}

/* Puts `pass` in before the first of the passes that come after it in the standard order. */
static uint32_t put_in(tn_arena *arena, tn_pipeline *p, const tn_pass_info *pass) {
    static const char *const order[] = {
        "infer-shapes", "tile",  "fuse",        "workspace", "schedule",
        "recompute",    "pin",   "alias-views", "inplace",   "share-gradients",
        "fill-parts",   "reuse", "insert-frees"};
    enum { N = sizeof order / sizeof order[0] };
    size_t place = 0;
    while (place < N && strcmp(order[place], pass->name) != 0) {
        place++;
    }
    uint32_t at = p->len;
    for (size_t i = place + 1; i < N && at == p->len; i++) {
        at = position(p, tn_pass_find(tn_arena_ctx(arena), order[i]));
    }
    tn_pipeline_add(arena, p, tn_pipeline_default(arena, pass));
    tn_pipeline_item item = p->items[p->len - 1];
    memmove(&p->items[at + 1], &p->items[at], (p->len - 1 - at) * sizeof *p->items);
    p->items[at] = item;
    return at;
}

/* Sets option `name` of `pass`, which joins the pipeline when it is not there. */
static void set(tn_arena *arena, tn_pipeline *p, const char *pass_name, const char *name,
                const char *value) {
    const tn_pass_info *pass = tn_pass_find(tn_arena_ctx(arena), pass_name);
    if (pass == NULL) {
        tn_bug(tn_arena_ctx(arena), "there is no pass '%s'", pass_name);
    }
    uint32_t at = position(p, pass);
    if (at == p->len) {
        at = put_in(arena, p, pass);
    }
    for (uint32_t i = 0; i < tn_opt_count(pass->options); i++) {
        if (strcmp(pass->options[i].name, name) == 0) {
            const char *text = tn_opt_canonical(arena, &pass->options[i], value);
            if (text == NULL) {
                tn_bug(tn_arena_ctx(arena), "option '%s' of pass '%s' refuses '%s'", name,
                       pass_name, value);
            }
            p->items[at].values[i] = text;
            return;
        }
    }
    tn_bug(tn_arena_ctx(arena), "pass '%s' has no option '%s'", pass_name, name);
}

/* What each setting means for the pipeline. `none` is the value that takes the pass out. */
static const struct change {
    size_t offset; /* of the text in tn_request */
    const char *setting, *pass, *option, *none;
} changes[] = {
    {offsetof(tn_request, tile), "tile", "tile", "budget", NULL},
    {offsetof(tn_request, tile_flops), "tile-flops", "tile", "flops", NULL},
    {offsetof(tn_request, fuse), "fuse", "fuse", "groups", NULL},
    {offsetof(tn_request, schedule), "schedule", "schedule", "order", NULL},
    {offsetof(tn_request, recompute), "recompute", "recompute", "flops", "0%"},
    {offsetof(tn_request, recompute_budget), "recompute-budget", "recompute", "budget", NULL},
    {offsetof(tn_request, views), "views", "alias-views", "kinds", "none"},
    {offsetof(tn_request, inplace), "inplace", "inplace", "kinds", "none"},
    {offsetof(tn_request, level), "level", "reuse", "level", NULL},
    {offsetof(tn_request, memory), "memory", "reuse", "memory", NULL},
    {offsetof(tn_request, algo), "algo", "reuse", "algo", NULL},
    {offsetof(tn_request, overlap), "overlap", "reuse", "overlap", NULL},
};

static const char *given(const tn_request *r, const struct change *c) {
    return *(const char *const *)((const char *)r + c->offset);
}

/* A preset's wishes for the pipeline of -O do not count beside --passes. */
static bool is_given(const tn_request *r, const char *setting) {
    for (uint32_t i = 0; i < r->given.len; i++) {
        if (strcmp(r->given.data[i].key, setting) == 0) {
            return true;
        }
    }
    return false;
}

static tn_status as_written(const tn_request *r, tn_arena *arena, tn_pipeline *out) {
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        const struct change *c = &changes[i];
        if (is_given(r, c->setting)) {
            return tn_usage(tn_arena_ctx(arena), NULL,
                            "--%s changes the pipeline of -O; with --passes write %s{%s=%s} in it",
                            c->setting, c->pass, c->option, given(r, c));
        }
    }
    if (is_given(r, "O")) {
        return tn_usage(tn_arena_ctx(arena), NULL,
                        "-O%s and --passes exclude each other; 'O%s' may be part of the pipeline",
                        r->optimize, r->optimize);
    }
    return tn_pipeline_parse(arena, "--passes", r->passes, out);
}

/* With clones another order may be better, and with that other clones: where orders are searched,
 * both passes run twice. */
static void repeat_search(tn_arena *arena, tn_pipeline *p) {
    const tn_pass_info *passes[] = {tn_pass_find(tn_arena_ctx(arena), "schedule"),
                                    tn_pass_find(tn_arena_ctx(arena), "recompute")};
    uint32_t schedule = position(p, passes[0]), at = position(p, passes[1]);
    if (at == p->len || schedule == p->len ||
        strcmp(p->items[schedule].values[0], "min-peak") != 0) {
        return;
    }
    tn_pipeline_item twice[] = {p->items[schedule], p->items[at]};
    for (uint32_t i = 0; i < 2; i++) {
        tn_pipeline_add(arena, p, twice[i]);
        memmove(&p->items[at + 2 + i], &p->items[at + 1 + i],
                (p->len - 2 - at - i) * sizeof *p->items);
        p->items[at + 1 + i] = twice[i];
    }
}

tn_status tn_request_pipeline(const tn_request *r, tn_arena *arena, tn_pipeline *out) {
    if (r->passes != NULL) {
        return as_written(r, arena, out);
    }
    const char *name = tn_arena_printf(arena, "O%s", r->optimize != NULL ? r->optimize : "2");
    tn_status status = tn_pipeline_parse(arena, "-O", name, out);
    for (size_t i = 0; status == TN_OK && i < sizeof changes / sizeof changes[0]; i++) {
        const struct change *c = &changes[i];
        const char *value = given(r, c);
        if (value == NULL) {
            continue;
        }
        if (c->offset == offsetof(tn_request, tile) && strchr(value, ':') != NULL) {
            set(arena, out, c->pass, "stretches", value);
        } else if (c->none != NULL && strcmp(value, c->none) == 0) {
            take_out(out, tn_pass_find(tn_arena_ctx(arena), c->pass));
        } else {
            set(arena, out, c->pass, c->option, value);
        }
    }
    if (status == TN_OK && r->fuse == NULL && r->groups != NULL && strcmp(name, "O0") != 0) {
        set(arena, out, "fuse", "groups", r->groups);
    }
    if (status == TN_OK) {
        repeat_search(arena, out);
    }
    return status;
}
