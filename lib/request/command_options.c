#include "lib/request/command_options.h"

#include <string.h>

#include "lib/sets/sets.h"

typedef enum part {
    PART_END,
    PART_ARTEFACTS,
    PART_MODEL,
    PART_PIPELINE,
    PART_PLAN,
    PART_RUN,
    PART_REPORT,
    PART_OPT,
    PART_EXPLAIN,
    PART_FIT,
    PART_CHECK,
    PART_PACK,
    PART_DIFF,
    PART_DIFF_OUTPUT,
    PART_PROJECT
} part;

enum { MAX_PARTS = 8 };

/* The options of each command, in the order of its --help. The pipeline made a plan; it says
 * nothing about whether the plan is right, so `check` has none. */
static const struct kind {
    const char *command;
    part parts[MAX_PARTS];
} kinds[] = {
    {"plan",
     {PART_ARTEFACTS, PART_MODEL, PART_PIPELINE, PART_PLAN, PART_RUN, PART_REPORT, PART_PROJECT}},
    {"opt", {PART_OPT, PART_MODEL, PART_PIPELINE, PART_PLAN, PART_RUN, PART_PROJECT}},
    {"explain", {PART_EXPLAIN, PART_MODEL, PART_PIPELINE, PART_PLAN, PART_PROJECT}},
    {"fit",
     {PART_FIT, PART_ARTEFACTS, PART_MODEL, PART_PIPELINE, PART_PLAN, PART_RUN, PART_PROJECT}},
    {"check", {PART_MODEL, PART_PLAN, PART_CHECK, PART_PROJECT}},
    {"dims", {PART_PROJECT}},
    {"pack", {PART_PACK}},
    {"diff", {PART_DIFF_OUTPUT, PART_DIFF}},
    {"version", {PART_END}},
    {"help", {PART_END}},
    {"man", {PART_END}},
    {"completion", {PART_END}},
    {NULL, {PART_END}}};

#define AT(field) offsetof(tn_output_args, field)

static const tn_setting report_table[] = {
    {.name = "quiet", .letter = 'q', .set = tn_set_flag, .offset = AT(quiet), .help = "no report"},
    {.name = "from-annotations",
     .set = tn_set_flag,
     .offset = AT(annotated),
     .help = "make no plan: check the one in the model's metadata (--emit=onnx) and "
             "write that"},
    {0}};

static const tn_setting check_table[] = {{.name = "quiet",
                                          .letter = 'q',
                                          .set = tn_set_flag,
                                          .offset = AT(quiet),
                                          .help = "print nothing when the plan is right"},
                                         {0}};

static const tn_setting diff_table[] = {{.name = "output",
                                         .letter = 'o',
                                         .arg = "FILE",
                                         .set = tn_set_file,
                                         .offset = AT(output),
                                         .help = "where it goes; without it, or -, to standard "
                                                 "output"},
                                        {0}};

static const tn_setting opt_table[] = {
    {.name = "output",
     .letter = 'o',
     .arg = "FILE",
     .set = tn_set_file,
     .offset = AT(output),
     .help = "where the module goes; - is standard output"},
    {.name = "emit",
     .arg = "FORM",
     .set = tn_set_choice,
     .offset = AT(form),
     .choices = "tir|onnx",
     .help = "the form of the module: tir (text), or onnx, which is also that of an output whose "
             "name ends in .onnx"},
    {.name = "print-plan",
     .set = tn_set_flag,
     .offset = AT(print_plan),
     .help = "print the plan in text form; the module is written only with -o"},
    {0}};

static tn_setting_group group_of(tn_options *o, part which) {
    tn_setting_group request[TN_REQUEST_GROUPS];
    tn_request_groups(o->request, request);
    switch (which) {
    case PART_ARTEFACTS:
        return tn_artefacts_group(&o->artefacts);
    case PART_MODEL:
    case PART_PIPELINE:
    case PART_PLAN:
        return request[which - PART_MODEL];
    case PART_RUN:
        return tn_run_args_group(&o->run);
    case PART_REPORT:
        return (tn_setting_group){"report", report_table, &o->output, NULL};
    case PART_OPT:
        return (tn_setting_group){"output", opt_table, &o->output, NULL};
    case PART_EXPLAIN:
        return tn_explain_group(&o->explain);
    case PART_FIT:
        return tn_fit_group(&o->fit);
    case PART_CHECK:
        return (tn_setting_group){"output", check_table, &o->output, NULL};
    case PART_PACK:
        return tn_pack_group(&o->pack);
    case PART_DIFF:
        return tn_diff_group(&o->diff);
    case PART_DIFF_OUTPUT:
        return (tn_setting_group){"files", diff_table, &o->output, NULL};
    case PART_PROJECT:
        return tn_project_args_group(&o->project);
    case PART_END:
        break;
    }
    return (tn_setting_group){0};
}

static void add_groups(tn_options *o, const part *parts) {
    o->groups = TN_ARRAY(o->arena, tn_setting_group, MAX_PARTS);
    for (size_t i = 0; i < MAX_PARTS && parts[i] != PART_END; i++) {
        tn_setting_group *g = &o->groups[o->n_groups++];
        *g = group_of(o, parts[i]);
        g->given = g->given != NULL ? g->given : &o->switches;
    }
}

tn_options *tn_options_new(tn_ctx *ctx, const char *command) {
    const struct kind *k = kinds;
    while (k->command != NULL && strcmp(k->command, command) != 0) {
        k++;
    }
    if (k->command == NULL) {
        return NULL;
    }
    tn_arena *arena = tn_arena_new(ctx);
    tn_options *o = TN_NEW(arena, tn_options);
    *o = (tn_options){.arena = arena,
                      .command = k->command,
                      .explain = tn_explain_defaults(),
                      .fit = tn_fit_defaults(),
                      .pack = tn_pack_defaults(),
                      .diff = tn_diff_defaults()};
    o->request = tn_request_new(arena);
    tn_run_args_init(&o->run);
    add_groups(o, k->parts);
    return o;
}

/* The last part of those that read a model. */
static bool takes_project(const struct kind *k) {
    bool takes = false;
    for (size_t i = 0; i < MAX_PARTS; i++) {
        takes = takes || k->parts[i] == PART_PROJECT;
    }
    return takes;
}

const char **tn_options_commands(tn_arena *arena) {
    const char **names = TN_ARRAY(arena, const char *, sizeof kinds / sizeof kinds[0]);
    uint32_t n = 0;
    for (const struct kind *k = kinds; k->command != NULL; k++) {
        if (takes_project(k)) {
            names[n++] = k->command;
        }
    }
    return names;
}

static tn_status find(tn_options *o, const char *name, size_t len, const char *dashes,
                      tn_setting_found *found) {
    if (tn_setting_find(o->groups, o->n_groups, name, len, found)) {
        return TN_OK;
    }
    const char *word = tn_arena_strndup(o->arena, name, len);
    const char *near = tn_setting_suggest(o->arena, o->groups, o->n_groups, word);
    near = near != NULL ? tn_arena_printf(o->arena, "%s%s", dashes, near) : NULL;
    return tn_usage(tn_arena_ctx(o->arena), NULL, "unknown option '%s%s'%s", dashes, word,
                    tn_did_you_mean(o->arena, near));
}

tn_status tn_options_set(tn_options *o, const char *name, const char *value) {
    tn_setting_found found;
    tn_set_ctx c = {o->arena, tn_arena_printf(o->arena, "option '%s'", name), NULL};
    tn_status status = find(o, name, strlen(name), "", &found);
    return status == TN_OK ? tn_setting_apply(&c, &found, value) : status;
}

/* With the next word as its value where it needs one and has none. */
static tn_status apply(tn_options *o, const tn_setting_found *found, const char *shown,
                       const char *value, const char *next, int *at) {
    tn_set_ctx c = {o->arena, shown, NULL};
    bool is_flag = found->setting->arg == NULL;
    if (!is_flag && value == NULL && next != NULL) {
        value = next;
        ++*at;
    }
    if (is_flag && value != NULL) {
        return tn_usage(tn_arena_ctx(o->arena), NULL, "%s takes no value, '%s' is given", shown,
                        value);
    }
    return tn_setting_apply(&c, found, value);
}

static tn_status long_arg(tn_options *o, const char *arg, const char *next, int *at) {
    const char *name = arg + 2;
    size_t len = strcspn(name, "=");
    tn_setting_found found;
    tn_status status = find(o, name, len, "--", &found);
    return status == TN_OK ? apply(o, &found, tn_arena_strndup(o->arena, arg, len + 2),
                                   name[len] == '=' ? name + len + 1 : NULL, next, at)
                           : status;
}

static tn_status short_arg(tn_options *o, const char *arg, const char *next, int *at) {
    tn_setting_found found;
    if (!tn_setting_by_letter(o->groups, o->n_groups, arg[1], &found) ||
        (found.setting->arg == NULL && arg[2] != '\0')) {
        return tn_usage(tn_arena_ctx(o->arena), NULL, "unknown option '%s'", arg);
    }
    return apply(o, &found, tn_arena_strndup(o->arena, arg, 2), arg[2] != '\0' ? arg + 2 : NULL,
                 next, at);
}

tn_status tn_options_arg(tn_options *o, int argc, char *const *argv, int *at) {
    const char *arg = argv[(*at)++];
    const char *next = *at < argc ? argv[*at] : NULL;
    return arg[1] == '-' ? long_arg(o, arg, next, at) : short_arg(o, arg, next, at);
}

static const char *last_of(const tn_pairs *pairs, const char *name) {
    for (uint32_t i = pairs->len; i-- > 0;) {
        if (strcmp(pairs->data[i].key, name) == 0) {
            return pairs->data[i].value;
        }
    }
    return NULL;
}

const char *tn_options_value(const tn_options *o, const char *name) {
    const char *value = last_of(&o->switches, name);
    value = value != NULL ? value : tn_artefacts_last(&o->artefacts, name);
    value = value != NULL ? value : last_of(&o->request->given, name);
    return value != NULL ? value : last_of(&o->request->by_preset, name);
}

static tn_status print_pipeline(const tn_pipeline *written, tn_arena *arena) {
    tn_pipeline all;
    tn_status status = tn_pipeline_complete(arena, written, &all);
    if (status != TN_OK) {
        return status;
    }
    tn_sink out = tn_sink_make(arena);
    tn_pipeline_print(&all, &out);
    tn_put_c(&out, '\n');
    for (uint32_t i = 0; i < all.len; i++) {
        if (all.items[i].implied_by != NULL) {
            tn_putf(&out, "// %s is implied by %s\n", all.items[i].pass->name,
                    all.items[i].implied_by->name);
        }
    }
    tn_send_text(tn_arena_ctx(arena), NULL, out.data, out.len);
    return TN_OK;
}

/* Unlike `plan`, `opt` runs nothing that was not asked for. */
static void settle_pipeline(tn_options *o) {
    tn_request *r = o->request;
    if (strcmp(o->command, "opt") == 0 && r->passes == NULL && r->optimize == NULL) {
        r->passes = "";
    }
}

static tn_status spare(const tn_options *o, const char *output, const char *input) {
    return output == NULL || input == NULL || !tn_artefact_replaces(output, input)
               ? TN_OK
               : tn_usage(tn_arena_ctx(o->arena), NULL,
                          "the output '%s' would replace '%s', which is read; name another file",
                          output, input);
}

/* No output goes where something is read. */
static tn_status spare_inputs(const tn_options *o, const char *output) {
    tn_status status = spare(o, output, o->request->based_on);
    for (uint32_t i = 0; i < o->read.len && status == TN_OK; i++) {
        status = spare(o, output, o->read.data[i]);
    }
    for (uint32_t i = 0; i < o->request->op_facts.len && status == TN_OK; i++) {
        status = spare(o, output, o->request->op_facts.data[i]);
    }
    for (uint32_t i = 0; i < o->models.len && status == TN_OK; i++) {
        status = spare(o, output, tn_set_path(o->models.data[i]));
    }
    return status;
}

/* What is written beside artefacts (`fit`) goes to none of their files. */
static tn_status check_files(const tn_options *o, const char *model) {
    const char *const files[] = {o->fit.report, o->fit.save_project};
    tn_status status = TN_OK;
    for (size_t i = 0; i < sizeof files / sizeof files[0] && status == TN_OK; i++) {
        bool twice =
            i > 0 && files[0] != NULL && files[i] != NULL && strcmp(files[0], files[i]) == 0;
        for (uint32_t k = 0; k < o->artefacts.list.len && files[i] != NULL; k++) {
            const char *file = o->artefacts.list.data[k].file;
            twice = twice || (file != NULL && strcmp(file, files[i]) == 0);
        }
        status = twice ? tn_usage(tn_arena_ctx(o->arena), NULL, "two outputs go to '%s'", files[i])
                       : spare(o, files[i], model);
        status = status == TN_OK ? spare_inputs(o, files[i]) : status;
    }
    return status;
}

static tn_status check_outputs(const tn_options *o) {
    tn_status status = spare_inputs(o, o->output.output);
    for (uint32_t i = 0; i < o->artefacts.list.len && status == TN_OK; i++) {
        status = spare_inputs(o, o->artefacts.list.data[i].file);
    }
    return status;
}

tn_status tn_options_check(tn_options *o, const char *model) {
    tn_pipeline p;
    tn_status status =
        model != NULL ? tn_artefacts_resolve(&o->artefacts, o->arena, tn_set_path(model)) : TN_OK;
    settle_pipeline(o);
    if (status == TN_OK) {
        status = check_outputs(o);
    }
    if (status == TN_OK) {
        status = check_files(o, model != NULL ? tn_set_path(model) : NULL);
    }
    if (status == TN_OK) {
        status = tn_run_args_check(&o->run, o->arena);
    }
    if (status == TN_OK) {
        status = tn_explain_check(&o->explain, tn_arena_ctx(o->arena));
    }
    if (status == TN_OK) {
        status = tn_pack_check(&o->pack, tn_arena_ctx(o->arena));
    }
    if (status == TN_OK) {
        status = tn_diff_check(&o->diff, tn_arena_ctx(o->arena));
    }
    if (status == TN_OK && strcmp(o->command, "fit") == 0) {
        status = tn_fit_check(&o->fit, o->request, tn_arena_ctx(o->arena));
    }
    if (status == TN_OK) {
        status = tn_request_pipeline(o->request, o->arena, &p);
    }
    bool prints = status == TN_OK && o->run.print_pipeline && !o->checked;
    o->checked = true;
    return prints ? print_pipeline(&p, o->arena) : status;
}

tn_request tn_options_request(const tn_options *o, tn_arena *arena) {
    if (o == NULL) {
        return *tn_request_new(arena);
    }
    tn_request r = *o->request;
    r.arena = arena;
    r.controls.least_align = tn_artefacts_align(&o->artefacts);
    r.groups = tn_artefacts_groups(&o->artefacts);
    return r;
}
