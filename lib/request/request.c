/* The tables of settings, and their setters. Those of loading are in request_load.c; the pipeline
 * is put together in request_pipeline.c. */
#include "lib/request/request.h"

#include <string.h>

#include "ir/base/limits.h"
#include "ir/base/quote.h"
#include "lib/request/preset.h"
#include "lib/request/request_places.h"
#include "passes/pack/pack.h"
#include "passes/tile/rewrite.h"

static const char preset_names[] = ""
#define PRESET(name, ...) "|" name
#include "lib/request/presets.def"
#undef PRESET
    ;

#define AT(field) offsetof(tn_request, field)

static void init(tn_request *r, tn_arena *arena, const tn_setting *load_table) {
    *r = (tn_request){.arena = arena, .load_table = load_table, .controls = tn_controls_default()};
}

static tn_status set_align(tn_set_ctx *c, void *target, const tn_setting *s, const char *value) {
    tn_request *r = target;
    tn_status status = tn_set_bytes(c, target, s, value);
    if (status == TN_OK && (r->controls.align == 0 || r->controls.align > TN_MAX_ALIGN ||
                            (r->controls.align & (r->controls.align - 1)) != 0)) {
        return tn_set_refuse(c, "a power of two up to 1G", value);
    }
    return status;
}

/* NAME=NAME, kept as written; it is split where it is used. */
static tn_status add_pair(tn_set_ctx *c, void *target, const tn_setting *s, const char *value) {
    const char *name, *rest;
    bool good = tn_pair_split(c->arena, value, "=", false, &name, &rest) &&
                tn_name_unquote(c->arena, rest) != NULL;
    return good ? tn_add_text(c, target, s, value) : tn_set_refuse(c, s->arg, value);
}

/* Kept as written: in quotes the words of the option are names. */
static tn_status add_buffer(tn_set_ctx *c, void *target, const tn_setting *s, const char *value) {
    const char *name = tn_name_unquote(c->arena, value);
    return name != NULL && name[0] != '\0' ? tn_add_text(c, target, s, value)
                                           : tn_set_refuse(c, s->arg, value);
}

static tn_status set_algo(tn_set_ctx *c, void *target, const tn_setting *s, const char *value) {
    tn_texts names = {0};
    const char *const *const lists[] = {tn_pack_algorithms, tn_slot_algorithms};
    for (size_t i = 0; i < 2; i++) {
        for (const char *const *name = lists[i]; *name != NULL; name++) {
            if (strcmp(*name, value) == 0) {
                return tn_set_text(c, target, s, value);
            }
            tn_vec_push(c->arena, &names, *name);
        }
    }
    const char *near = tn_nearest(value, names.data, names.len);
    return tn_usage(tn_arena_ctx(c->arena), c->loc, "%s: unknown algorithm '%s'%s%s%s", c->shown,
                    value, near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                    near != NULL ? "'?" : "");
}

static tn_status set_percent(tn_set_ctx *c, void *target, const tn_setting *s, const char *value) {
    double part;
    return tn_opt_percent(value, &part) ? tn_set_text(c, target, s, value)
                                        : tn_set_refuse(c, "a percentage, e.g. 10%", value);
}

static tn_status set_budget(tn_set_ctx *c, void *target, const tn_setting *s, const char *value) {
    double part;
    uint64_t bytes;
    bool good = tn_opt_percent(value, &part) ? part > 0 : tn_opt_bytes(value, &bytes) && bytes > 0;
    return good ? tn_set_text(c, target, s, value)
                : tn_set_refuse(c, "bytes or a percentage above 0, e.g. 256K or 75%", value);
}

static tn_status set_tile(tn_set_ctx *c, void *target, const tn_setting *s, const char *value) {
    double part;
    uint64_t bytes;
    tn_tile_asks asks;
    bool good =
        strcmp(value, "least") == 0 || tn_tile_asks_read(c->arena, value, &asks) ||
        (tn_opt_percent(value, &part) ? part > 0 : tn_opt_bytes(value, &bytes) && bytes > 0);
    return good ? tn_set_text(c, target, s, value)
                : tn_set_refuse(c,
                                "least, bytes or a percentage above 0, e.g. 256K or 75%, or "
                                "stretches, e.g. 4-16:2/8",
                                value);
}

static tn_status set_io(tn_set_ctx *c, void *target, const tn_setting *s, const char *value) {
    tn_request *r = target;
    if (strcmp(value, "arena") != 0 && strcmp(value, "separate") != 0) {
        return tn_set_refuse(c, s->choices, value);
    }
    r->controls.io_in_arena = strcmp(value, "arena") == 0;
    return TN_OK;
}

static tn_status refuse_both(tn_set_ctx *c) {
    return tn_usage(tn_arena_ctx(c->arena), c->loc,
                    "%s: a plan is either for queues (--queues) or for a kind of --concurrency",
                    c->shown);
}

static tn_status set_concurrency(tn_set_ctx *c, void *target, const tn_setting *s,
                                 const char *value) {
    tn_request *r = target;
    bool dataflow = strcmp(value, "dataflow") == 0;
    if (!dataflow && strcmp(value, "serial") != 0) {
        return tn_set_refuse(c, s->choices, value);
    }
    if (r->controls.n_queues > 0) {
        return refuse_both(c);
    }
    r->controls.concurrency = dataflow ? TN_DATAFLOW : TN_SERIAL;
    return TN_OK;
}

static tn_status set_queues(tn_set_ctx *c, void *target, const tn_setting *s, const char *value) {
    tn_request *r = target;
    int64_t n;
    (void)s;
    if (!tn_text_to_int(value, &n) || n < 1 || n > TN_MAX_QUEUES) {
        return tn_set_refuse(c, tn_arena_printf(c->arena, "between 1 and %u", TN_MAX_QUEUES),
                             value);
    }
    if (r->controls.concurrency == TN_DATAFLOW) {
        return refuse_both(c);
    }
    r->controls.concurrency = TN_QUEUES;
    r->controls.n_queues = (uint32_t)n;
    return TN_OK;
}

static tn_status set_layout(tn_set_ctx *c, void *target, const tn_setting *s, const char *value) {
    tn_request *r = target;
    if (strcmp(value, "nchw") != 0 && strcmp(value, "nhwc") != 0) {
        return tn_set_refuse(c, s->choices, value);
    }
    r->controls.channels_last = strcmp(value, "nhwc") == 0;
    return TN_OK;
}

static tn_status add_layout(tn_set_ctx *c, void *target, const tn_setting *s, const char *value) {
    const char *name, *layout;
    bool good = tn_pair_split(c->arena, value, "=", false, &name, &layout) &&
                (layout = tn_name_unquote(c->arena, layout)) != NULL &&
                (strcmp(layout, "nchw") == 0 || strcmp(layout, "nhwc") == 0);
    return good ? tn_add_text(c, target, s, value) : tn_set_refuse(c, s->arg, value);
}

/* What the preset stands for lies beneath all that was given, so the request is made anew. */
static tn_status set_preset(tn_set_ctx *c, void *target, const tn_setting *s, const char *value) {
    tn_request *r = target;
    const tn_preset *preset = tn_preset_find(value);
    if (preset == NULL) {
        return tn_set_refuse(c, s->choices, value);
    }
    tn_request old = *r;
    init(r, old.arena, old.load_table);
    tn_status status = TN_OK;
    for (const tn_pair *p = preset->options; p->key != NULL && status == TN_OK; p++) {
        status = tn_request_set(r, p->key, p->value, c->shown);
    }
    r->by_preset = r->given;
    r->given = (tn_pairs){0};
    for (uint32_t i = 0; i < old.given.len && status == TN_OK; i++) {
        const tn_pair *p = &old.given.data[i];
        if (strcmp(p->key, s->name) != 0) {
            status = tn_request_set(r, p->key, p->value, c->shown);
        }
    }
    return status;
}

static const tn_setting pipeline_table[] = {
    {.name = "O",
     .letter = 'O',
     .arg = "LEVEL",
     .yields = "passes",
     .set = tn_set_choice,
     .offset = AT(optimize),
     .choices = "0|1|2|3",
     .help = "0: every value its own bytes; 1: reuse among equal types and shapes; 2 (default): "
             "views, element-wise in-place, gradient sharing, reuse of any bytes; 3: all views and "
             "in-place kinds, the order of the smallest arena, more packing effort"},
    {.name = "passes",
     .arg = "PIPELINE",
     .yields = "O",
     .set = tn_set_text,
     .offset = AT(passes),
     .help = "run this pipeline instead, e.g. 'infer-shapes,schedule{order=kahn},reuse{level=1}'"},
    {.name = "schedule",
     .arg = "ORDER",
     .yields = "passes",
     .set = tn_set_choice,
     .offset = AT(schedule),
     .choices = "file|kahn|longest-path|min-peak",
     .help = "order of execution: file (default up to -O2), kahn, longest-path, min-peak (-O3)"},
    {.name = "recompute",
     .arg = "PERCENT",
     .yields = "passes",
     .set = set_percent,
     .offset = AT(recompute),
     .help = "compute values once more instead of keeping them, for at most so many percent more "
             "operations, e.g. 10%; stops where the arena fits --capacity"},
    {.name = "recompute-budget",
     .arg = "BYTES",
     .yields = "passes",
     .set = set_budget,
     .type = TN_SETTING_BYTES_OR_PERCENT,
     .offset = AT(recompute_budget),
     .help = "compute values once more until the arena has so many bytes, or so many percent of "
             "what it has without (up to 33% more operations, or what --recompute says)"},
    {.name = "tile",
     .arg = "BYTES",
     .yields = "passes",
     .set = set_tile,
     .offset = AT(tile),
     .help =
         "run stretches of ops in parts, so that what lies between them is never there whole, "
         "until the arena has so many bytes, or so many percent of what it has without, with "
         "the fewest operations; least: as few bytes as there can be; 4-16:2/8;20-24:2/4: these "
         "stretches (docs/TILE.md)"},
    {.name = "tile-flops",
     .arg = "PERCENT",
     .yields = "passes",
     .set = set_percent,
     .offset = AT(tile_flops),
     .help = "operations that parts may add (default 30%); alone it asks for --tile=least"},
    {.name = "fuse",
     .arg = "GROUPS",
     .yields = "passes",
     .set = tn_set_choice,
     .offset = AT(fuse),
     .choices = "none|single|all",
     .help = "ops that one kernel does in one go: none (only the groups of --op-facts), single "
             "(those with one loop nest; default with an OpenCL program), all (those whose kernel "
             "can be made from what they compute; default with a C program; docs/FUSION.md)"},
    {.name = "views",
     .arg = "KINDS",
     .yields = "passes",
     .set = tn_set_choice,
     .offset = AT(views),
     .choices = "none|reshape|all",
     .help = "which views share bytes: none, reshape, all"},
    {.name = "inplace",
     .arg = "KINDS",
     .yields = "passes",
     .set = tn_set_choice,
     .offset = AT(inplace),
     .choices = "none|elementwise|all|ordered",
     .help =
         "which ops may write over a dying operand: none, elementwise, all, ordered (of another "
         "element width too)"},
    {.name = "level",
     .arg = "LEVEL",
     .yields = "passes",
     .set = tn_set_choice,
     .offset = AT(level),
     .choices = "0|1",
     .help = "0: reuse among equal element types and shapes only; 1: any shapes"},
    {.name = "memory",
     .arg = "MODEL",
     .yields = "passes",
     .set = tn_set_choice,
     .offset = AT(memory),
     .choices = "offsets|slots",
     .help = "offsets in an arena (default), or slots: shared objects as large as their largest "
             "member"},
    {.name = "algo",
     .arg = "NAME",
     .yields = "passes",
     .set = set_algo,
     .offset = AT(algo),
     .help = "use one packing algorithm instead of the best of all"},
    {.name = "overlap",
     .arg = "ORDER",
     .yields = "passes",
     .set = tn_set_choice,
     .offset = AT(overlap),
     .choices = "none|rows|rows-buffered|elements|pixels",
     .help = "results may begin inside dying operands where kernels make them in this order: none "
             "(default); rows, one after the other; rows-buffered, each finished before it is "
             "stored; elements; pixels, all channels of a place (docs/OVERLAP.md)"},
    {0}};

static const tn_setting plan_table[] = {
    {.name = "preset",
     .arg = "NAME",
     .set = set_preset,
     .type = TN_SETTING_PRESET,
     .choices = preset_names + 1,
     .help =
         "start from a set of options instead of the defaults; `tenure --list-presets` says what "
         "they are"},
    {.name = "align",
     .arg = "BYTES",
     .set = set_align,
     .type = TN_SETTING_BYTES,
     .offset = AT(controls.align),
     .help = "alignment of every storage (default 64, or what a kind of --emit needs: "
             "128 for opencl)"},
    {.name = "capacity",
     .arg = "BYTES",
     .set = tn_set_bytes,
     .offset = AT(controls.capacity),
     .help = "size the arena must not exceed, e.g. 256K; exit code 4 when it does not fit; 0 "
             "(default): any"},
    {.name = "pool",
     .arg = "NAME[:BYTES][:cost=N]...",
     .set = tn_add_pool,
     .type = TN_SETTING_TEXTS,
     .help = "a pool of memory, with a capacity and a cost of each byte read or written: what is "
             "used most per byte lies where the cost is low; further :align=BYTES, :section=NAME, "
             ":io for inputs, outputs and state, :const for constants, :state for state apart from "
             "these, :copied for constants that are copied to RAM, and state that OpenCL copies to "
             "the device (docs/POOLS.md; repeatable)"},
    {.name = "fix",
     .arg = "VALUE=POOL@OFFSET",
     .set = tn_add_fix,
     .type = TN_SETTING_NAME_OF,
     .help = "value VALUE lies at this byte of this pool (repeatable)"},
    {.name = "align-value",
     .arg = "VALUE=BYTES",
     .set = tn_add_value_align,
     .type = TN_SETTING_NUMBER_OF,
     .help = "value VALUE begins at a multiple of so many bytes, a power of two (repeatable)"},
    {.name = "based-on",
     .arg = "FILE",
     .set = tn_set_file,
     .offset = AT(based_on),
     .help = "a plan (JSON) made before the model was edited: as few values as possible lie "
             "elsewhere than in it (docs/BASED_ON.md)"},
    {.name = "based-on-slack",
     .arg = "PERCENT",
     .set = set_percent,
     .offset = AT(based_slack),
     .help = "by so much the arena may be larger than without --based-on (default 0%)"},
    {.name = "exclude",
     .alias = "skip",
     .arg = "NAME",
     .set = tn_add_name,
     .offset = AT(exclude),
     .help = "value that keeps its own storage, with its views and its gradient; globs match "
             "(repeatable)"},
    {.name = "keep-all",
     .set = tn_set_flag,
     .offset = AT(controls.keep_all),
     .help = "every value keeps its own storage"},
    {.name = "io",
     .arg = "WHERE",
     .set = set_io,
     .choices = "separate|arena",
     .help = "inputs and outputs: separate (default, a pool the caller owns) or in the arena"},
    {.name = "double-buffer",
     .arg = "inputs|outputs|all|NAME",
     .set = add_buffer,
     .type = TN_SETTING_TEXTS,
     .offset = AT(double_buffer),
     .help = "inputs and outputs with two places: one for the run, one that the caller fills or "
             "reads meanwhile (docs/POOLS.md); globs match, in double quotes these words are names "
             "too (repeatable)"},
    {.name = "layout",
     .arg = "ORDER",
     .set = set_layout,
     .choices = "nchw|nhwc",
     .help = "images lie as the model has them (nchw, default) or with their channels last (nhwc), "
             "for kernels made for that (docs/OVERLAP.md)"},
    {.name = "layout-of",
     .arg = "VALUE=nchw|nhwc",
     .set = add_layout,
     .type = TN_SETTING_NAME_OF,
     .offset = AT(layout_of),
     .help = "this value lies so, whatever --layout says of the model; globs match (repeatable)"},
    {.name = "reuse-inputs",
     .set = tn_set_flag,
     .offset = AT(controls.reuse_inputs),
     .help = "the bytes of inputs may be reused after their last read"},
    {.name = "update",
     .arg = "STATE=VALUE",
     .set = add_pair,
     .type = TN_SETTING_NAME_OF,
     .offset = AT(update),
     .help = "after the run input or initializer STATE is what VALUE was (caches, weights), so the "
             "op that makes VALUE may work where STATE lies; * stands for the same text on both "
             "sides (repeatable)"},
    {.name = "concurrency",
     .arg = "KIND",
     .yields = "queues",
     .set = set_concurrency,
     .type = TN_SETTING_CHOICE,
     .choices = "serial|dataflow",
     .help = "serial (default): one order, and hazards for runtimes that run steps side by side; "
             "dataflow: right in every order in which values are written before they are read"},
    {.name = "queues",
     .arg = "N",
     .yields = "concurrency",
     .set = set_queues,
     .type = TN_SETTING_NUMBER,
     .help = "steps run in N queues side by side, those of one queue in the plan's order"},
    {.name = "queue",
     .arg = "NODE=NUMBER",
     .set = add_pair,
     .type = TN_SETTING_NAME_OF,
     .offset = AT(queue),
     .help = "the node runs in that queue, from 0 on; globs match; other nodes get the queue that "
             "lets most run at once (repeatable)"},
    {.name = "largest",
     .arg = "NAME",
     .set = tn_set_name,
     .type = TN_SETTING_NAME,
     .offset = AT(largest),
     .help = "bind dimension NAME to the largest extent for which the arena fits --capacity"},
    {.name = "shared-arena",
     .set = tn_set_flag,
     .offset = AT(shared_arena),
     .type = TN_SETTING_FLAG,
     .help = "several models, as programs that never run at once and share the bytes of the arena"},
    {.name = "link",
     .arg = "PROGRAM/VALUE=PROGRAM/VALUE",
     .set = add_pair,
     .type = TN_SETTING_NAME_OF,
     .offset = AT(links),
     .help = "an output of one program is the input of another: both have the same bytes, which "
             "stay between the runs (repeatable)"},
    {.name = "state",
     .arg = "NAME|PROGRAM/STATE=PROGRAM/STATE",
     .set = tn_add_text,
     .type = TN_SETTING_TEXTS,
     .offset = AT(states),
     .help = "programs have one state, once and with one size: all of that name (globs match), or "
             "two of different names (repeatable)"},
    {.name = "loss",
     .arg = "NAME",
     .set = tn_add_name,
     .offset = AT(loss),
     .help = "a loss: keeps its own storage and ends the forward part (repeatable)"},
    {.name = "grad-of",
     .arg = "PARAM=NAME",
     .set = add_pair,
     .type = TN_SETTING_NAME_OF,
     .offset = AT(grad_of),
     .help = "NAME is the gradient of PARAM (repeatable)"},
    {.name = "grad-suffix",
     .arg = "TEXT",
     .set = tn_set_name,
     .offset = AT(controls.grad_suffix),
     .help = "end of the names of gradients (default _grad)"},
    {.name = "skip-grads",
     .set = tn_set_flag,
     .offset = AT(controls.skip_grads),
     .help = "no value of the backward part takes part in reuse"},
    {.name = "skip-param-grads",
     .set = tn_set_flag,
     .offset = AT(controls.skip_param_grads),
     .help = "gradients of parameters keep their own storage, also those that an op of the graph "
             "reads"},
    {.name = "optimize-train",
     .set = tn_set_flag,
     .offset = AT(controls.optimize_train),
     .help = "reuse memory in graphs with a backward part (default)"},
    {.name = "optimize-test",
     .set = tn_set_flag,
     .offset = AT(controls.optimize_test),
     .help = "reuse memory in graphs without a backward part (default)"},
    {.name = "metadata",
     .arg = "WHICH",
     .set = tn_set_choice,
     .offset = AT(metadata),
     .choices = "ignore|safe|all",
     .help = "which wishes in the model's own metadata (tenure.KEY, docs/OPTIONS.md) count where "
             "the command line says nothing: safe (default; all but those that give the caller's "
             "inputs away: reuse-inputs, update), all, or ignore (none)"},
    {.name = "strict",
     .set = tn_set_flag,
     .offset = AT(strict),
     .help = "values that cannot be planned are an error"},
    {.name = "partial",
     .set = tn_set_flag,
     .offset = AT(partial),
     .help =
         "let artefacts be made although dimensions are open: what depends on them is left out"},
    {0}};

tn_request *tn_request_new(tn_arena *arena) {
    tn_request *r = TN_NEW(arena, tn_request);
    init(r, arena, tn_request_load_table(arena));
    return r;
}

void tn_request_groups(tn_request *r, tn_setting_group groups[TN_REQUEST_GROUPS]) {
    groups[0] = (tn_setting_group){"model", r->load_table, r, &r->given};
    groups[1] = (tn_setting_group){"pipeline", pipeline_table, r, &r->given};
    groups[2] = (tn_setting_group){"plan", plan_table, r, &r->given};
}

tn_status tn_request_set(tn_request *r, const char *name, const char *value, const char *shown) {
    tn_setting_group groups[TN_REQUEST_GROUPS];
    tn_request_groups(r, groups);
    tn_setting_found found;
    if (!tn_setting_find(groups, TN_REQUEST_GROUPS, name, strlen(name), &found)) {
        const char *near = tn_setting_suggest(r->arena, groups, TN_REQUEST_GROUPS, name);
        return tn_usage(tn_arena_ctx(r->arena), NULL, "unknown option '%s'%s", name,
                        tn_did_you_mean(r->arena, near));
    }
    tn_set_ctx c = {r->arena, shown, NULL};
    if (shown == NULL) {
        c.shown = tn_arena_printf(r->arena, "option '%s'", name);
    }
    return tn_setting_apply(&c, &found, value);
}

tn_pairs tn_request_settled(const tn_request *r, tn_arena *arena) {
    tn_request copy = *r;
    tn_setting_group groups[TN_REQUEST_GROUPS];
    tn_request_groups(&copy, groups);
    return tn_setting_settle(arena, groups, TN_REQUEST_GROUPS, &r->given, &r->by_preset);
}

static tn_names names_of(const tn_texts *texts) {
    return (tn_names){texts->data, texts->len, 0};
}

tn_controls tn_request_controls(const tn_request *r) {
    tn_controls c = r->controls;
    tn_pairs settled = tn_request_settled(r, r->arena);
    const char **given = TN_ARRAY(r->arena, const char *, settled.len);
    for (uint32_t i = 0; i < settled.len; i++) {
        given[i] = settled.data[i].key;
    }
    c.given = (tn_names){given, settled.len, 0};
    if (r->metadata != NULL) {
        c.metadata = strcmp(r->metadata, "all") == 0    ? TN_METADATA_ALL
                     : strcmp(r->metadata, "safe") == 0 ? TN_METADATA_SAFE
                                                        : TN_METADATA_IGNORE;
    }
    c.exclude = names_of(&r->exclude);
    c.loss = names_of(&r->loss);
    c.grad_of = names_of(&r->grad_of);
    c.update = names_of(&r->update);
    c.double_buffer = names_of(&r->double_buffer);
    c.places = (tn_place_wishes){.pools = r->pools.data,
                                 .fixes = r->fixes.data,
                                 .aligns = r->aligns.data,
                                 .n_pools = r->pools.len,
                                 .n_fixes = r->fixes.len,
                                 .n_aligns = r->aligns.len};
    for (uint32_t i = 0; i < r->pools.len; i++) {
        c.state_apart = c.state_apart || r->pools.data[i].kind == TN_POOL_STATE;
    }
    if (r->based_slack != NULL) { /* it was read before */
        (void)tn_opt_percent(r->based_slack, &c.places.slack);
    }
    c.queue = names_of(&r->queue);
    c.layout_of = names_of(&r->layout_of);
    return c;
}
