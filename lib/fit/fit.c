#include "lib/fit/fit.h"

#include <stdatomic.h>
#include <string.h>

#include "ir/base/diag.h"
#include "ir/base/quote.h"
#include "ir/build.h"
#include "ir/plan/plan_names.h"
#include "lib/fit/fit_t.h"
#include "lib/fit/program_size.h"

/* ---- the program, as far as it is needed to know its size ---- */

typedef struct text_files {
    tn_arena *arena;
    tn_sink *main;
} text_files;

static tn_sink *open_text(void *user, const char *name) {
    text_files *files = user;
    tn_sink *out = TN_NEW(files->arena, tn_sink);
    (void)name;
    *out = tn_sink_make(files->arena);
    files->main = files->main != NULL ? files->main : out;
    return out;
}

static const tn_artefact *find_program(const tn_options *asked) {
    for (uint32_t i = 0; i < asked->artefacts.list.len; i++) {
        const tn_artefact *a = &asked->artefacts.list.data[i];
        if (a->backend != NULL && a->backend->groups != NULL &&
            a->backend->groups(&a->args) != NULL && strcmp(a->backend->suffix, ".c") == 0) {
            return a;
        }
    }
    return NULL;
}

/* As the artefact is asked for, but without the bytes of constants and further files. */
static tn_status write_program(tn_arena *arena, const tn_fitting *w, const tn_plan *p,
                               const char **text) {
    const tn_backend *b = w->program->backend;
    tn_backend_args args = w->program->args;
    uint32_t n = tn_opt_count(b->options);
    args.values = tn_arena_regrow(arena, args.values, n, n, sizeof *args.values);
    for (uint32_t i = 0; i < n; i++) {
        const char *name = b->options[i].name;
        bool file = strcmp(name, "main") == 0 || strcmp(name, "harness") == 0;
        bool small = w->small && strcmp(name, TN_FIT_CODE_OPTION) == 0;
        args.values[i] = strcmp(name, "weights") == 0 ? "none"
                         : file                       ? "false"
                         : small                      ? TN_FIT_CODE_SMALL
                                                      : args.values[i];
    }
    text_files files = {arena, NULL};
    tn_outlet outlet = {"net.c", open_text, &files, NULL};
    tn_module *formed = NULL;
    tn_status status = tn_planner_form(p, w->trials.source, &formed);
    if (status == TN_OK) {
        status = tn_backend_emit(b, p, formed != NULL ? formed : w->trials.source, &args, &outlet);
    }
    tn_module_drop(formed);
    *text = files.main != NULL ? files.main->data : "";
    return status;
}

tn_status tn_fit_look(void *fitting, const tn_plan *p, tn_outcome *o) {
    tn_fitting *w = fitting;
    if (w->program == NULL) {
        return TN_OK;
    }
    if (w->base != NULL && o->ram >= w->base->outcome.ram && w->f->args.flash == 0) {
        o->stack = w->base->outcome.stack; /* no gain, whatever the program would be */
        o->code = w->base->outcome.code;
        return TN_OK;
    }
    tn_arena *arena = tn_arena_new(p->ctx);
    const char *text;
    tn_status status = write_program(arena, w, p, &text);
    if (status == TN_OK) {
        tn_program_size size = tn_program_size_of(w->f->arena, text);
        o->stack = size.stack;
        o->code = size.code;
        o->missing = size.missing;
    }
    tn_arena_drop(arena);
    return status;
}

/* ---- what is said of the plan that came of it ---- */

static void describe_peak(tn_fit *f, const tn_plan *p) {
    enum { MOST = 6 };
    tn_sink step = tn_sink_make(f->arena);
    tn_put(&step, "");
    if (p->report.peak_step >= 0 && (uint32_t)p->report.peak_step < p->n_steps) {
        tn_put_step(&step, p, (uint32_t)p->report.peak_step);
    }
    f->peak = step.data;
    for (uint32_t i = 0; i < p->report.peak.len && i < MOST; i++) {
        const tn_storage *s = &p->storages[p->report.peak.data[i]];
        const tn_plan_value *v = &p->values[s->root];
        tn_sink text = tn_sink_make(f->arena);
        tn_put_quoted(&text, v->name);
        tn_putf(&text, " %s: ", v->type);
        tn_put_bytes(&text, s->size);
        tn_vec_push(f->arena, &f->alive, text.data);
    }
    uint64_t arena = tn_plan_arena_bytes(p);
    f->bound = p->report.ram - arena + (p->report.bound < arena ? p->report.bound : arena);
    f->model = tn_arena_strndup(f->arena, p->model, strlen(p->model));
}

/* What the model or its kernels would have to be. */
static void advise(tn_fitting *w, const tn_request *r, const tn_module *planned, const tn_plan *p) {
    enum { MOST_STEPS = 1500 }; /* after a search that took as long as it may */
    tn_trials t = {.arena = w->f->arena,
                   .ctx = p->ctx,
                   .r = r,
                   .source = w->trials.source,
                   .plan = p,
                   .pipeline = tn_arena_strndup(w->f->arena, p->pipeline, strlen(p->pipeline)),
                   .n_steps = p->n_steps,
                   .counts = true,
                   .left = w->trials.left < MOST_STEPS ? w->trials.left : MOST_STEPS};
    tn_advice_scene s = {.arena = w->f->arena,
                         .trials = &t,
                         .m = planned,
                         .plan = p,
                         .now = tn_outcome_of(w->f->arena, p),
                         .without_options = true};
    w->f->advice = tn_advise(&s);
}

static tn_status demand_numbers(const tn_plan *p, const char *file) {
    tn_loc loc = tn_loc_file(file);
    const char *open = p->n_ranges > 0 ? p->ranges[0].name : p->n_open > 0 ? p->open[0] : NULL;
    if (open != NULL) {
        return tn_error(p->ctx, &loc,
                        "dimension '%s' is open, and a budget is kept for numbers; bind it with "
                        "--dim (`tenure dims` lists all)",
                        open);
    }
    return tn_plan_is_whole(p)
               ? TN_OK
               : tn_error(p->ctx, &loc,
                          "some values that need a place have no known size, so no budget can be "
                          "kept; `tenure plan` says which are left out");
}

/* ---- all of it ---- */

/* The searches of the plan itself have more nodes than those of plans that were compared: it may
 * need less than was found. */
static void count_less(tn_fit *f, const tn_plan *p) {
    tn_rung *r = &f->rungs.data[f->chosen];
    tn_outcome now = tn_outcome_of(f->arena, p);
    if (now.ram < r->outcome.ram) {
        r->outcome.arena = now.arena;
        r->outcome.first = now.first;
        r->outcome.ram = now.ram;
        tn_rung_weigh(&f->args, r);
        f->fits = r->fits;
    }
}

/* As `tenure plan` does with the options found. */
static tn_status make_plan(tn_fitting *w, tn_plan **plan) {
    tn_fit *f = w->f;
    tn_arena *arena = tn_arena_new(w->trials.ctx);
    const tn_request r = tn_options_request(f->options, arena);
    tn_module *m = tn_module_clone(w->trials.source);
    tn_run run;
    tn_status status = tn_run_begin(&run, &f->options->run, arena);
    if (status == TN_OK) {
        status = tn_planner_run(&r, m, &run.settings, plan);
        tn_run_end(&run, arena);
    }
    if (status == TN_OK && *plan == NULL) {
        status = tn_no_plan(w->trials.ctx);
    }
    if (status == TN_OK) {
        status = demand_numbers(*plan, m->file);
    }
    if (status == TN_OK) {
        describe_peak(f, *plan);
        count_less(f, *plan);
    }
    if (status == TN_OK && !f->fits && !f->interrupted) {
        advise(w, &r, m, *plan);
    }
    tn_module_drop(m);
    tn_arena_drop(arena);
    return status;
}

/* With "keep-best" the first wish for an end ends the search, and not the plan of its best. */
static bool end_search(tn_ctx *ctx, bool wanted) {
    bool cut = wanted && atomic_load(ctx->cancel) != 0;
    ctx->patience = 0;
    if (cut) {
        atomic_store(&ctx->cancelled, 0);
        tn_warn(ctx, NULL,
                "interrupted: the measures are the best ones found until then, and another run "
                "may find others");
    }
    return cut;
}

static tn_status not_to_be_had(const tn_fit *f, const tn_module *source) {
    const tn_rung *r = &f->rungs.data[f->chosen];
    tn_loc loc = tn_loc_file(source->file);
    bool ram = f->args.ram > 0 && r->need > f->args.ram;
    return tn_error_of(source->ctx, TN_NOFIT, &loc,
                       "does not fit: the least found is %llu bytes of %s, and there are %llu",
                       (unsigned long long)(ram ? r->need : r->flash), ram ? "RAM" : "flash",
                       (unsigned long long)(ram ? f->args.ram : f->args.flash));
}

tn_status tn_fit_model(const tn_module *source, const tn_options *asked, tn_plan **plan,
                       tn_fit **fit) {
    tn_ctx *ctx = source->ctx;
    tn_arena *arena = tn_arena_new(ctx), *scratch = tn_arena_new(ctx);
    tn_fit *f = TN_NEW(arena, tn_fit);
    tn_request request = tn_options_request(asked, scratch);
    *plan = NULL;
    *fit = NULL;
    *f = (tn_fit){.arena = arena, .args = asked->fit};
    tn_fitting w = {.f = f, .request = &request, .program = find_program(asked)};
    w.most_operations = tn_fit_operations(&f->args);
    w.trials = (tn_trials){.arena = arena,
                           .ctx = ctx,
                           .r = &request,
                           .source = source,
                           .exact = true,
                           .shares_searches = true,
                           .counts = true,
                           .left = (uint64_t)f->args.steps,
                           .look = tn_fit_look,
                           .look_user = &w};
    f->has_program = w.program != NULL;
    bool keep_best = asked->run.settings.keep_best;
    ctx->patience = keep_best ? 1 : 0;
    tn_trials_run(&w.trials, tn_fit_search, &w);
    f->interrupted = end_search(ctx, keep_best);
    tn_status status = tn_fit_settle(f, asked, source->file);
    if (status == TN_OK) {
        status = make_plan(&w, plan);
    }
    if (status == TN_OK && !f->fits) {
        status = f->interrupted ? TN_INTERRUPTED : not_to_be_had(f, source);
    } else if (status == TN_OK && f->interrupted) {
        status = TN_INTERRUPTED;
    }
    tn_arena_drop(scratch);
    if (*plan == NULL || (status != TN_OK && status != TN_NOFIT && status != TN_INTERRUPTED)) {
        tn_plan_drop(*plan);
        *plan = NULL;
        tn_fit_drop(f);
        return status;
    }
    *fit = f;
    return status;
}

void tn_fit_drop(tn_fit *f) {
    if (f != NULL) {
        if (f->options != NULL) {
            tn_arena_drop(f->options->arena);
        }
        tn_arena_drop(f->arena);
    }
}
