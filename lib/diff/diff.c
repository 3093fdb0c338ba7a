#include "lib/diff/diff.h"

#include <string.h>

#include "ir/plan/plan_names.h"
#include "lib/diff/diff_t.h"

static const tn_setting table[] = {
    {.name = "format",
     .arg = "FORM",
     .set = tn_set_choice,
     .offset = offsetof(tn_diff_args, format),
     .choices = "text|json|html",
     .help = "text for people (default), json for programs, html: a page with both charts side by "
             "side"},
    {.name = "limit",
     .arg = "N",
     .set = tn_set_int,
     .offset = offsetof(tn_diff_args, limit),
     .help = "how many changes of a kind the text and the page name, the largest first (default "
             "10); json has all"},
    {.name = "exit-code",
     .set = tn_set_flag,
     .offset = offsetof(tn_diff_args, exit_code),
     .help = "exit with 1 where the plans differ, as diff does"},
    {0}};

tn_diff_args tn_diff_defaults(void) {
    return (tn_diff_args){.format = "text", .limit = 10};
}

tn_setting_group tn_diff_group(tn_diff_args *a) {
    return (tn_setting_group){"output", table, a, NULL};
}

tn_status tn_diff_check(const tn_diff_args *a, tn_ctx *ctx) {
    return a->limit >= 0 && a->limit <= UINT32_MAX
               ? TN_OK
               : tn_usage(ctx, NULL, "--limit must be 0 or more, not '%lld'", (long long)a->limit);
}

void tn_diff_put_word(tn_sink *out, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                " _-.,:/{}=+";
    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        tn_put(out, word);
    } else {
        tn_put_quoted(out, word);
    }
}

void tn_diff_put_delta(tn_sink *out, int64_t bytes) {
    tn_put_c(out, bytes < 0 ? '-' : '+');
    tn_put_size(out, bytes < 0 ? 0 - (uint64_t)bytes : (uint64_t)bytes);
}

void tn_diff_put_peak(tn_sink *out, const tn_plan *p) {
    int32_t step = p->report.peak_step;
    if (step < 0 || (uint32_t)step >= p->n_steps) {
        tn_put(out, "none");
        return;
    }
    const tn_plan_step *s = &p->steps[step];
    tn_putf(out, "step %d (", step);
    tn_diff_put_word(out, s->op);
    if (s->name[0] != '\0') {
        tn_put_c(out, ' ');
        tn_put_quoted(out, s->name);
    }
    tn_put_c(out, ')');
}

/* ---- programs and variants ---- */

typedef struct pairs {
    tn_arena *arena;
    TN_VEC(tn_diff) list;
    TN_VEC(const char *) unmatched;
} pairs;

static uint32_t n_programs(const tn_plan *p) {
    return p->set != NULL ? p->set->n_programs : 1;
}

static const char *program_name(const tn_plan *p, uint32_t i) {
    return p->set != NULL ? p->set->programs[i].name : p->model;
}

static uint32_t n_variants(const tn_plan *p, uint32_t program) {
    return p->set != NULL ? p->set->programs[program].n_variants : 1;
}

static const tn_plan *variant(const tn_plan *p, uint32_t program, uint32_t i) {
    return p->set != NULL ? p->set->programs[program].variants[i] : p;
}

/* What its dimensions were bound to, and what it leaves open: "batch = 1, length in 1..512". */
static const char *extents(const pairs *all, const tn_plan *p) {
    tn_sink text = tn_sink_make(all->arena);
    tn_put(&text, "");
    tn_put_extents(&text, p);
    return text.data;
}

static const char *label(const pairs *all, const tn_plan *p, uint32_t program,
                         const tn_plan *variant_of) {
    const char *when = n_variants(p, program) > 1 ? extents(all, variant_of) : "";
    return tn_arena_printf(all->arena, "%s%s%s", program_name(p, program),
                           when[0] != '\0' ? ", " : "", when);
}

static void alone(pairs *all, const char *side, const char *name) {
    tn_vec_push(all->arena, &all->unmatched,
                tn_arena_printf(all->arena, "only %s: %s", side, name));
}

/* The program of that name; where both plans have a single one, that. */
static uint32_t find_program(const tn_plan *p, const tn_plan *of, uint32_t i) {
    if (n_programs(p) == 1 && n_programs(of) == 1) {
        return 0;
    }
    for (uint32_t k = 0; k < n_programs(p); k++) {
        if (strcmp(program_name(p, k), program_name(of, i)) == 0) {
            return k;
        }
    }
    return TN_NO_ID;
}

/* The variant for the same dimensions; where both programs have a single one, that. */
static const tn_plan *find_variant(const pairs *all, const tn_plan *p, uint32_t program,
                                   uint32_t n_other, const tn_plan *other) {
    if (n_variants(p, program) == 1 && n_other == 1) {
        return variant(p, program, 0);
    }
    for (uint32_t k = 0; k < n_variants(p, program); k++) {
        if (strcmp(extents(all, variant(p, program, k)), extents(all, other)) == 0) {
            return variant(p, program, k);
        }
    }
    return NULL;
}

/* What `of` has and `p` lacks is told of; of what both have, pairs are made where `keep`. */
static void pair(pairs *all, const tn_plan *of, const tn_plan *p, const char *side, bool keep) {
    bool single = of->set == NULL && p->set == NULL;
    for (uint32_t i = 0; i < n_programs(of); i++) {
        uint32_t at = find_program(p, of, i);
        for (uint32_t k = 0; k < n_variants(of, i); k++) {
            const tn_plan *v = variant(of, i, k);
            const char *name = label(all, of, i, v);
            const tn_plan *other =
                at != TN_NO_ID ? find_variant(all, p, at, n_variants(of, i), v) : NULL;
            if (other == NULL) {
                alone(all, side, name);
            } else if (keep) {
                tn_diff d = {.arena = all->arena, .p = {v, other}, .program = single ? "" : name};
                tn_vec_push(all->arena, &all->list, d);
            }
        }
    }
}

bool tn_diff_plans(const tn_plan *before, const tn_plan *after, const tn_diff_args *a,
                   tn_sink *out) {
    pairs all = {.arena = out->arena};
    pair(&all, before, after, "before", true);
    pair(&all, after, before, "after", false);
    bool differ = all.unmatched.len > 0;
    for (uint32_t i = 0; i < all.list.len; i++) {
        tn_diff_match(&all.list.data[i]);
        tn_diff_find(&all.list.data[i]);
        differ = differ || all.list.data[i].differ;
    }
    tn_diffs diffs = {.data = all.list.data,
                      .len = all.list.len,
                      .unmatched = all.unmatched.data,
                      .n_unmatched = all.unmatched.len,
                      .limit = (uint32_t)a->limit,
                      .differ = differ};
    if (strcmp(a->format, "json") == 0) {
        tn_diff_print_json(&diffs, out);
    } else if (strcmp(a->format, "html") == 0) {
        tn_diff_print_html(&diffs, out);
    } else {
        tn_diff_print(&diffs, out);
    }
    return differ;
}
