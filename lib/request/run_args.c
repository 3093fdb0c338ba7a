#include "lib/request/run_args.h"

#include "passes/core/registry.h"

#define AT(field) offsetof(tn_run_args, field)

static tn_status set_limit(tn_set_ctx *c, void *target, const tn_setting *s, const char *value) {
    int64_t n;
    return tn_text_to_int(value, &n) && n >= -1 ? tn_set_int(c, target, s, value)
                                                : tn_set_refuse(c, "a number from -1 on", value);
}

static const tn_setting table[] = {
    {.name = "print-pipeline",
     .set = tn_set_flag,
     .offset = AT(print_pipeline),
     .help = "print the pipeline as it runs, with the passes that others imply"},
    {.name = "print-log",
     .set = tn_set_flag,
     .offset = AT(print_log),
     .help = "print one line for each reuse: what takes whose bytes, sizes, and at which step"},
    {.name = "remarks",
     .set = tn_set_flag,
     .offset = AT(remarks),
     .help = "report each reuse that was refused, and why"},
    {.name = "print-before",
     .arg = "PASS",
     .set = tn_add_text,
     .offset = AT(print_before),
     .help = "print the module before this pass (repeatable)"},
    {.name = "print-after",
     .arg = "PASS",
     .set = tn_add_text,
     .offset = AT(print_after),
     .help = "print the module after this pass (repeatable)"},
    {.name = "print-before-all",
     .set = tn_set_flag,
     .offset = AT(settings.print_before_all),
     .help = "print the module before every pass"},
    {.name = "print-after-all",
     .set = tn_set_flag,
     .offset = AT(settings.print_after_all),
     .help = "print the module after every pass"},
    {.name = "print-changed",
     .set = tn_set_flag,
     .offset = AT(settings.print_changed),
     .help = "print the module after each pass that changed it"},
    {.name = "verify-each",
     .set = tn_set_flag,
     .offset = AT(settings.verify_each),
     .help = "verify the module after every pass"},
    {.name = "time-passes",
     .set = tn_set_flag,
     .offset = AT(settings.time_passes),
     .help = "print the wall and processor time of every pass"},
    {.name = "stats",
     .set = tn_set_flag,
     .offset = AT(settings.stats),
     .help = "print the counters of the passes"},
    {.name = "keep-best",
     .set = tn_set_flag,
     .offset = AT(settings.keep_best),
     .help = "when interrupted, end the searches and keep the best plan found so far, marked as "
             "interrupted"},
    {.name = "opt-bisect-limit",
     .arg = "N",
     .set = set_limit,
     .offset = AT(settings.bisect_limit),
     .type = TN_SETTING_NUMBER,
     .help = "run the first N passes only, required ones excepted; -1: all"},
    {.name = "crash-reproducer",
     .arg = "FILE",
     .set = tn_set_file,
     .offset = AT(reproducer),
     .help = "when a pass fails by a mistake of ours, write what repeats the failure"},
    {0}};

void tn_run_args_init(tn_run_args *a) {
    *a = (tn_run_args){.settings = tn_run_settings_default()};
}

tn_setting_group tn_run_args_group(tn_run_args *a) {
    return (tn_setting_group){"pass manager", table, a, NULL};
}

static tn_status check_names(const tn_texts *names, const char *option, tn_arena *arena) {
    for (uint32_t i = 0; i < names->len; i++) {
        if (tn_pass_find(tn_arena_ctx(arena), names->data[i]) == NULL) {
            const char *near = tn_pass_suggest(arena, names->data[i]);
            return tn_usage(tn_arena_ctx(arena), NULL, "%s: unknown pass '%s'%s", option,
                            names->data[i], tn_did_you_mean(arena, near));
        }
    }
    return TN_OK;
}

tn_status tn_run_args_check(const tn_run_args *a, tn_arena *arena) {
    tn_status status = check_names(&a->print_before, "--print-before", arena);
    return status == TN_OK ? check_names(&a->print_after, "--print-after", arena) : status;
}

void tn_send_text(tn_ctx *ctx, const char *file, const char *text, size_t len) {
    if (ctx->on_text != NULL) {
        ctx->on_text(ctx->on_text_user, file, text, len);
    }
}

static void to_log(void *user, const char *text, size_t len) {
    const tn_run *run = user;
    tn_send_text(run->ctx, NULL, text, len);
}

static void to_reproducer(void *user, const char *text, size_t len) {
    const tn_run *run = user;
    tn_send_text(run->ctx, run->args->reproducer, text, len);
}

tn_status tn_run_begin(tn_run *run, const tn_run_args *a, tn_arena *arena) {
    *run = (tn_run){.args = a, .ctx = tn_arena_ctx(arena), .settings = a->settings};
    tn_run_settings *s = &run->settings;
    s->print_before = (tn_names){a->print_before.data, a->print_before.len, 0};
    s->print_after = (tn_names){a->print_after.data, a->print_after.len, 0};
    s->out = (tn_text_out){to_log, run};
    if (a->reproducer != NULL) {
        s->reproducer = (tn_text_out){to_reproducer, run};
    }
    if (a->print_log) {
        run->log = tn_sink_make(arena);
        s->log = &run->log;
    }
    if (a->remarks) {
        run->refusals = (tn_refusals){.arena = arena};
        s->refusals = &run->refusals;
    }
    return tn_run_args_check(a, arena);
}

void tn_run_end(const tn_run *run, tn_arena *arena) {
    if (run->args->print_log) {
        tn_send_text(run->ctx, NULL, run->log.data, run->log.len);
    }
    for (uint32_t i = 0; i < run->refusals.list.len; i++) {
        const tn_refusal *f = &run->refusals.list.data[i];
        tn_sink text = tn_sink_make(arena);
        tn_refusal_print(f, &text);
        tn_remark(run->ctx, f->op != NULL ? &f->op->loc : NULL, "%s", text.data);
    }
}
