/* The switches of the pass manager, as people know them from `opt`. */
#include <string.h>

#include "cli/cli.h"
#include "ir/base/file.h"
#include "passes/core/registry.h"

#define AT(field) offsetof(tn_run_args, field)

static const tn_setting table[] = {
    {.name = "print-pipeline",
     .set = tn_set_flag,
     .offset = AT(print_pipeline),
     .help = "print the pipeline as it runs, with the passes that others imply"},
    {.name = "print-log",
     .set = tn_set_flag,
     .offset = AT(print_log),
     .help = "print one line a reuse: what takes whose bytes, sizes, and at which step"},
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
    {.name = "opt-bisect-limit",
     .arg = "N",
     .set = tn_set_int,
     .offset = AT(settings.bisect_limit),
     .help = "run the first N passes only, required ones excepted; -1: all"},
    {.name = "crash-reproducer",
     .arg = "FILE",
     .set = tn_set_text,
     .offset = AT(reproducer),
     .type = TN_SETTING_FILE,
     .help = "when a pass fails by a mistake of ours, write what repeats the failure"},
    {0}};

static void to_stderr(void *user, const char *text, size_t len) {
    (void)user;
    tn_cli_report(text, len);
}

static void to_reproducer(void *user, const char *text, size_t len) {
    tn_run_args *a = user;
    if (tn_file_write(a->ctx, a->reproducer, text, len) == TN_OK) {
        tn_note(a->ctx, NULL, "what repeats the failure is in '%s'", a->reproducer);
    }
}

void tn_run_args_init(tn_run_args *a, tn_cli *cli) {
    *a = (tn_run_args){.settings = tn_run_settings_default(), .ctx = cli->ctx};
}

tn_setting_group tn_run_args_group(tn_run_args *a) {
    return (tn_setting_group){"pass manager", table, a, NULL};
}

static tn_status check_names(const tn_texts *names, const char *option, tn_cli *cli) {
    for (uint32_t i = 0; i < names->len; i++) {
        if (tn_pass_find(names->data[i]) == NULL) {
            const char *near = tn_pass_suggest(cli->arena, names->data[i]);
            return tn_usage(cli->ctx, NULL, "%s: unknown pass '%s'%s", option, names->data[i],
                            tn_cli_suggestion(cli->arena, near));
        }
    }
    return TN_OK;
}

tn_status tn_run_args_finish(tn_run_args *a, tn_cli *cli) {
    tn_run_settings *s = &a->settings;
    tn_status status = check_names(&a->print_before, "--print-before", cli);
    if (status == TN_OK) {
        status = check_names(&a->print_after, "--print-after", cli);
    }
    s->print_before = (tn_names){a->print_before.data, a->print_before.len};
    s->print_after = (tn_names){a->print_after.data, a->print_after.len};
    s->out = (tn_text_out){to_stderr, NULL};
    if (a->reproducer != NULL) {
        s->reproducer = (tn_text_out){to_reproducer, a};
    }
    if (a->print_log) {
        a->log = tn_sink_make(cli->arena);
        s->log = &a->log;
    }
    if (a->remarks) {
        a->refusals = (tn_refusals){.arena = cli->arena};
        s->refusals = &a->refusals;
    }
    return status;
}
