/* Random graphs, planned in random ways and proved right; see docs/TRUST.md.
 * usage: random_plans [--graphs N | --seconds T] [--seed S] [--ops MIN MAX] [--open | --by-data]
 *        [--show] [FILE.tir...]
 * --open: graphs with symbols, planned once for all extents and proved at ten bindings each.
 * --by-data: the same with symbols that data give: places stay, and values are smaller.
 * A soak: random_plans --seconds 3600 --ops 20 80 --seed 1000000 (processor time).
 * Files are cases kept from failures; each is a module with its pipeline and controls in comments.
 * A new failure is shrunk and printed as such a file, and the exit code is 1. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ir/base/file.h"
#include "ir/text/text.h"
#include "passes/core/manager.h"
#include "tests/random/gen.h"
#include "tests/random/rng.h"
#include "tests/random/shrink.h"
#include "tests/random/trial.h"
#include "tests/random/trial_data.h"
#include "tests/random/trial_open.h"

typedef struct settings {
    uint64_t graphs, seconds, seed;
    uint32_t min_ops, max_ops;
    bool show, open, by_data;
} settings;

/* A context, and what it says of modules that it should have nothing to say of. */
typedef struct scene {
    tn_ctx *ctx;
    tn_arena *arena;
    tn_sink said;
} scene;

static void on_diag(void *user, const tn_message *m) {
    scene *s = user;
    /* Rightly said of an op whose operand is needed later. */
    bool due = m->severity == TN_SEV_WARNING &&
               strstr(m->rendered, "works in place by definition") != NULL;
    if (!due) {
        tn_put(&s->said, m->rendered);
        tn_put_c(&s->said, '\n');
    }
}

typedef struct job {
    const settings *settings;
    scene *scene;
    uint64_t seed;
    const char *path; /* of a kept case, or NULL */
    trial_totals *totals;
    trial trial;
    const char *wrong;
} job;

/* Letters that tell failures apart: enough for the kind, too few for names of values. */
enum { SAME_FAILURE = 8 };

static const char *prove(const job *j, const trial *t, trial_totals *totals) {
    scene *s = j->scene;
    return (j->settings->by_data ? trial_run_data
            : j->settings->open  ? trial_run_open
                                 : trial_run)(s->ctx, t, &s->said, s->arena, totals);
}

static bool still_fails(void *user, const char *text) {
    job *j = user;
    trial_totals ignored = {0};
    trial t = {text, j->trial.v, j->trial.seed};
    const char *wrong = prove(j, &t, &ignored);
    return wrong != NULL && strncmp(wrong, j->wrong, SAME_FAILURE) == 0;
}

/* The smallest case found, as a file to keep. */
static void report(job *j) {
    tn_sink out = tn_sink_make(j->scene->arena);
    fprintf(stderr, "FAILED: %s\n%s", j->wrong,
            j->scene->said.data != NULL ? j->scene->said.data : "");
    const char *text = shrink(j->scene->ctx, j->trial.text, still_fails, j, j->scene->arena);
    size_t first = strcspn(text, "\n") + 1;
    tn_put_n(&out, text, first);
    variant_print(j->trial.v, &out);
    tn_put(&out, text + first);
    printf("%s", out.data);
}

/* Whether inference agrees with the generator on all types. */
static const char *check_types(job *j, const gen_module *g) {
    tn_pipeline p = {0};
    tn_plan *none = NULL;
    tn_controls controls = tn_controls_default();
    if (tn_pipeline_parse(j->scene->arena, "types", "infer-shapes", &p) != TN_OK ||
        tn_run_pipeline(j->scene->ctx, g->m, &p, &controls, &none, NULL) != TN_OK) {
        return "inference fails";
    }
    for (uint32_t i = 0; i < g->m->n_values; i++) {
        const tn_value *v = g->m->values[i];
        if (g->expected[i] != NULL && !tn_type_equal(g->expected[i], v->type)) {
            tn_sink s = tn_sink_make(j->scene->arena);
            tn_type_print(g->m->dims, v->type, &s);
            tn_put(&s, " is inferred, ");
            tn_type_print(g->m->dims, g->expected[i], &s);
            tn_putf(&s, " is right, for '%s'", v->name);
            return s.data;
        }
    }
    return NULL;
}

static tn_status run_random(tn_ctx *ctx, void *arg) {
    job *j = arg;
    rng r = {j->seed};
    uint32_t spread = j->settings->max_ops - j->settings->min_ops + 1;
    uint32_t n_ops = j->settings->min_ops + rng_below(&r, spread);
    gen_module g = gen_make(ctx, j->seed, n_ops, j->settings->open);
    tn_sink text = tn_sink_make(j->scene->arena);
    tn_module_print(g.m, &text);
    variant *v = variant_draw(j->scene->arena, j->seed, g.m);
    if (j->settings->open) {
        v->controls.places = (tn_place_wishes){0}; /* pools are for sizes that are numbers */
        v->controls.double_buffer = (tn_names){0}; /* so are second places */
    }
    j->trial = (trial){text.data, v, j->seed};
    if (j->settings->show) {
        tn_sink said = tn_sink_make(j->scene->arena);
        variant_print(v, &said);
        printf("%s%s\n", said.data, text.data);
    }
    j->wrong = check_types(j, &g);
    if (j->wrong == NULL) {
        j->wrong = prove(j, &j->trial, j->totals);
        if (j->wrong != NULL) {
            report(j);
        }
    }
    tn_module_drop(g.m);
    return TN_OK;
}

/* The module without the comments, printed the canonical way. */
static const char *canonical(job *j, const char *text) {
    tn_module *m = tn_module_parse(j->scene->ctx, j->path, text, strlen(text));
    if (m == NULL) {
        return NULL;
    }
    tn_sink out = tn_sink_make(j->scene->arena);
    tn_module_print(m, &out);
    tn_module_drop(m);
    return out.data;
}

static tn_status run_kept(tn_ctx *ctx, void *arg) {
    job *j = arg;
    tn_bytes bytes;
    if (tn_file_map(j->scene->arena, j->path, &bytes) != TN_OK) {
        return TN_ERROR;
    }
    const char *text = tn_arena_strndup(j->scene->arena, (const char *)bytes.data, bytes.size);
    j->trial = (trial){canonical(j, text), variant_read(j->scene->arena, text), j->seed};
    if (j->trial.text == NULL || j->trial.v == NULL) {
        j->wrong = "no module with a pipeline and controls";
        return TN_OK;
    }
    /* Shadow runs draw branches and orders: a few of them each. */
    for (j->trial.seed = 0; j->trial.seed < 20 && j->wrong == NULL; j->trial.seed++) {
        j->wrong = trial_run(ctx, &j->trial, &j->scene->said, j->scene->arena, j->totals);
    }
    return TN_OK;
}

static bool run_job(const settings *s, uint64_t seed, const char *path, trial_totals *totals) {
    scene sc = {.ctx = tn_ctx_new(NULL)};
    if (sc.ctx == NULL) {
        fprintf(stderr, "out of memory\n");
        return false;
    }
    sc.arena = tn_arena_new(sc.ctx);
    sc.said = tn_sink_make(sc.arena);
    sc.ctx->on_diag = on_diag;
    sc.ctx->on_diag_user = &sc;
    job j = {.settings = s, .scene = &sc, .seed = seed, .path = path, .totals = totals};
    tn_status status = tn_guard_run(sc.ctx, path != NULL ? run_kept : run_random, &j);
    bool good = status == TN_OK && j.wrong == NULL;
    if (!good) {
        fprintf(stderr, "%s%s%llu: %s\n%s", path != NULL ? path : "",
                path != NULL ? ", seed " : "seed ", (unsigned long long)seed,
                j.wrong != NULL ? j.wrong : "raised", sc.said.data != NULL ? sc.said.data : "");
    }
    tn_ctx_free(sc.ctx);
    return good;
}

static bool parse_number(int argc, char **argv, int *at, uint64_t *out) {
    char *end = NULL;
    if (++*at >= argc) {
        return false;
    }
    *out = strtoull(argv[*at], &end, 10);
    return *end == '\0' && end != argv[*at];
}

static bool parse(int argc, char **argv, settings *s, int *files) {
    uint64_t min = s->min_ops, max = s->max_ops;
    int i = 1;
    for (bool good = true; i < argc && strncmp(argv[i], "--", 2) == 0; i++) {
        if (strcmp(argv[i], "--graphs") == 0) {
            good = parse_number(argc, argv, &i, &s->graphs);
        } else if (strcmp(argv[i], "--seconds") == 0) {
            good = parse_number(argc, argv, &i, &s->seconds);
        } else if (strcmp(argv[i], "--seed") == 0) {
            good = parse_number(argc, argv, &i, &s->seed);
        } else if (strcmp(argv[i], "--ops") == 0) {
            good = parse_number(argc, argv, &i, &min) && parse_number(argc, argv, &i, &max);
        } else if (strcmp(argv[i], "--show") == 0) {
            s->show = true;
        } else if (strcmp(argv[i], "--open") == 0) {
            s->open = true;
        } else if (strcmp(argv[i], "--by-data") == 0) {
            s->open = s->by_data = true;
        } else {
            good = false;
        }
        if (!good) {
            return false;
        }
    }
    s->min_ops = (uint32_t)min;
    s->max_ops = (uint32_t)max;
    *files = i;
    return min <= max && max < 100000;
}

static bool is_time_left(const settings *s) {
    return (uint64_t)(clock() / CLOCKS_PER_SEC) < s->seconds;
}

int main(int argc, char **argv) {
    settings s = {.graphs = 0, .seed = 1, .min_ops = 3, .max_ops = 25};
    trial_totals totals = {0};
    uint64_t failed = 0;
    int files;
    if (!parse(argc, argv, &s, &files)) {
        fprintf(
            stderr,
            "usage: %s [--graphs N | --seconds T] [--seed S] [--ops MIN MAX] [--open | --by-data] "
            "[--show] [FILE...]\n",
            argv[0]);
        return 2;
    }
    for (int i = files; i < argc; i++) {
        failed += !run_job(&s, s.seed, argv[i], &totals);
    }
    for (uint64_t i = 0; (i < s.graphs || is_time_left(&s)) && failed < 5; i++) {
        failed += !run_job(&s, s.seed + i, NULL, &totals);
    }
    printf("%llu plans proved: %llu graphs, %llu ops, %llu values, %llu aliases, %llu bytes "
           "compared, %llu artefacts; %llu ops run twice; %llu values in rooms of parts, "
           "%llu of several; %llu results inside operands, %llu of them moved a byte nearer and "
           "refused; %llu orders of steps side by side; %llu spoiled and refused, %llu of them by "
           "their bytes too; %llu edited, near to the plan before; "
           "%llu failed\n",
           (unsigned long long)totals.plans, (unsigned long long)totals.graphs,
           (unsigned long long)totals.ops, (unsigned long long)totals.values,
           (unsigned long long)totals.shared, (unsigned long long)totals.bytes,
           (unsigned long long)totals.artefacts, (unsigned long long)totals.clones,
           (unsigned long long)totals.rooms, (unsigned long long)totals.wide,
           (unsigned long long)totals.inside, (unsigned long long)totals.nearer,
           (unsigned long long)totals.beside, (unsigned long long)totals.spoiled,
           (unsigned long long)totals.spoiled_seen, (unsigned long long)totals.edited,
           (unsigned long long)failed);
    return failed > 0;
}
