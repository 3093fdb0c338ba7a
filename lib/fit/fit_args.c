#include "lib/fit/fit_args.h"

#include <math.h>
#include <string.h>

#define AT(field) offsetof(tn_fit_args, field)

/* So many as advice may have, eight times: a plan is kept, and some seconds are well spent on it.
 */
enum { FIT_STEPS = 800000 };

static tn_status set_budget(tn_set_ctx *c, void *target, const tn_setting *s, const char *value) {
    uint64_t bytes;
    return tn_opt_bytes(value, &bytes) && bytes > 0
               ? tn_set_bytes(c, target, s, value)
               : tn_set_refuse(c, "a number of bytes above 0, e.g. 64K", value);
}

static tn_status set_stack(tn_set_ctx *c, void *target, const tn_setting *s, const char *value) {
    uint64_t bytes;
    return tn_opt_bytes(value, &bytes) ? tn_set_text(c, target, s, value)
                                       : tn_set_refuse(c, "a number of bytes, e.g. 2K", value);
}

/* "+30%" and "30%" are the same. */
static tn_status set_operations(tn_set_ctx *c, void *target, const tn_setting *s,
                                const char *value) {
    double part;
    const char *number = value[0] == '+' ? value + 1 : value;
    return tn_opt_percent(number, &part) ? tn_set_text(c, target, s, number)
                                         : tn_set_refuse(c, "a percentage, e.g. +30%", value);
}

static tn_measure_class class_of(const char *name, size_t len) {
    tn_measure_class in = TN_MEASURE_ORDER;
    while (in < TN_MEASURE_CLASSES &&
           (strlen(tn_measure_names[in]) != len || strncmp(tn_measure_names[in], name, len) != 0)) {
        in++;
    }
    return in;
}

static tn_status set_allow(tn_set_ctx *c, void *target, const tn_setting *s, const char *value) {
    for (const char *at = value;; at++) {
        size_t len = strcspn(at, ",");
        if (class_of(at, len) == TN_MEASURE_CLASSES) {
            const char *word = tn_arena_strndup(c->arena, at, len);
            const char *near = tn_nearest(word, tn_measure_names + TN_MEASURE_ORDER,
                                          TN_MEASURE_CLASSES - TN_MEASURE_ORDER);
            tn_sink names = tn_sink_make(c->arena);
            for (int i = TN_MEASURE_ORDER; i < TN_MEASURE_CLASSES; i++) {
                tn_putf(&names, "%s%s", i > TN_MEASURE_ORDER ? ", " : "", tn_measure_names[i]);
            }
            return tn_usage(tn_arena_ctx(c->arena), c->loc,
                            "%s: there is no measure '%s'%s; there are %s", c->shown, word,
                            tn_did_you_mean(c->arena, near), names.data);
        }
        at += len;
        if (*at == '\0') {
            return tn_set_text(c, target, s, value);
        }
    }
}

static tn_status set_steps(tn_set_ctx *c, void *target, const tn_setting *s, const char *value) {
    int64_t n;
    return tn_text_to_int(value, &n) && n >= 0 ? tn_set_int(c, target, s, value)
                                               : tn_set_refuse(c, "a number from 0 on", value);
}

static const tn_setting table[] = {
    {.name = "ram",
     .arg = "BYTES",
     .set = set_budget,
     .type = TN_SETTING_BYTES,
     .offset = AT(ram),
     .help = "the RAM there is, e.g. 64K: for the arena, inputs, outputs, state, and the stack of "
             "the program where tenure writes it"},
    {.name = "flash",
     .arg = "BYTES",
     .set = set_budget,
     .type = TN_SETTING_BYTES,
     .offset = AT(flash),
     .help = "the flash there is, for constants and the code of the program"},
    {.name = "ops",
     .arg = "PERCENT",
     .set = set_operations,
     .type = TN_SETTING_TEXT,
     .offset = AT(operations),
     .help = "operations that may be added at most, e.g. +30%; without it any number"},
    {.name = "allow",
     .arg = "MEASURE[,MEASURE]...",
     .set = set_allow,
     .type = TN_SETTING_TEXT,
     .offset = AT(allow),
     .help = "try these measures alone: order, inplace, align, code, io, fuse, layout, overlap, "
             "tile, recompute, spill (docs/FIT.md; default: all)"},
    {.name = "stack",
     .arg = "BYTES",
     .set = set_stack,
     .type = TN_SETTING_TEXT,
     .offset = AT(stack),
     .help = "what the program takes of the stack, measured by you, in place of an estimate"},
    {.name = "slow",
     .arg = "BYTES",
     .set = set_budget,
     .type = TN_SETTING_BYTES,
     .offset = AT(slow),
     .help = "a second, slower memory of this size, for what does not fit into the RAM; the last "
             "measure of all"},
    {.name = "all",
     .set = tn_set_flag,
     .offset = AT(all),
     .help = "try all measures, also those that ask for more than is needed: the whole ladder, to "
             "choose from"},
    {.name = "fit-steps",
     .arg = "N",
     .set = set_steps,
     .offset = AT(steps),
     .type = TN_SETTING_NUMBER,
     .help = "all plans that are tried have at most so many steps together; what is left out for "
             "this is counted (default 800000)"},
    {.name = "report",
     .arg = "FILE",
     .set = tn_set_file,
     .offset = AT(report),
     .help = "write the ladder to this file as well: .json for programs, .html a page with a "
             "curve, else text"},
    {.name = "save-project",
     .arg = "FILE",
     .set = tn_set_file,
     .offset = AT(save_project),
     .help = "write the options found as a project file for `tenure plan --project`"},
    {.name = "quiet", .letter = 'q', .set = tn_set_flag, .offset = AT(quiet), .help = "no report"},
    {0}};

tn_fit_args tn_fit_defaults(void) {
    return (tn_fit_args){.steps = FIT_STEPS};
}

tn_setting_group tn_fit_group(tn_fit_args *a) {
    return (tn_setting_group){"budget", table, a, NULL};
}

/* What a budget for all RAM takes the place of, or what fit cannot keep. */
static const char *refused(const tn_request *r) {
    return r->controls.capacity != 0 ? "--capacity is for the arena alone; say --ram, which counts "
                                       "all that is written"
           : r->largest != NULL ? "--largest asks for the largest extent, and fit for measures "
                                  "at one extent; bind it with --dim"
           : r->open            ? "--open leaves extents open, and a budget is kept for "
                                  "numbers; bind them with --dim"
           : r->shared_arena    ? "--shared-arena is for several models, and fit takes one"
           : r->partial         ? "--partial leaves tensors out, and a budget is for all"
                                : NULL;
}

tn_status tn_fit_check(const tn_fit_args *a, const tn_request *r, tn_ctx *ctx) {
    const char *why = refused(r);
    if (a->ram == 0 && a->flash == 0) {
        return tn_usage(ctx, NULL, "say what there is: --ram=64K, --flash=512K, or both");
    }
    if (why != NULL) {
        return tn_usage(ctx, NULL, "%s", why);
    }
    if (a->slow > 0 && r->pools.len > 0) {
        return tn_usage(ctx, NULL,
                        "--slow makes a pool beside the RAM; with pools of your own "
                        "(--pool) say all of them there");
    }
    return a->slow > 0 && a->ram == 0
               ? tn_usage(ctx, NULL,
                          "--slow is for what does not fit into --ram, which is not given")
               : TN_OK;
}

double tn_fit_operations(const tn_fit_args *a) {
    double part;
    return a->operations != NULL && tn_opt_percent(a->operations, &part) ? part : INFINITY;
}

bool tn_fit_allows(const tn_fit_args *a, tn_measure_class in) {
    bool any = a->allow == NULL;
    for (const char *at = a->allow; !any && at != NULL; at = strchr(at, ',')) {
        at += *at == ',';
        any = class_of(at, strcspn(at, ",")) == in;
    }
    return any;
}
