/* Private to lib/diff: two plans of one program side by side, as facts that are found once and
 * printed in three forms. */
#ifndef TENURE_LIB_DIFF_T_H
#define TENURE_LIB_DIFF_T_H

#include "lib/diff/diff.h"

/* In the order in which they are told of. */
typedef enum tn_change_kind {
    TN_CHANGE_PEAK,   /* more or less is alive at the peak */
    TN_CHANGE_ALIAS,  /* a value shares bytes with another one than before, or with none */
    TN_CHANGE_SIZE,   /* it takes more or fewer bytes */
    TN_CHANGE_LIFE,   /* it is needed longer, or less long */
    TN_CHANGE_MOVED,  /* it lies elsewhere than in the plan that the second one is based on, which
                         says  why */
    TN_CHANGE_POOL,   /* it lies in another pool */
    TN_CHANGE_PLACED, /* it has a place, or lost it */
    TN_CHANGE_NEW,    /* only the second plan has it */
    TN_CHANGE_GONE,   /* only the first one has */
    TN_CHANGE_KINDS
} tn_change_kind;

typedef struct tn_change {
    tn_change_kind kind;
    uint32_t before, after; /* the value in each plan, or TN_NO_ID */
    int64_t bytes;          /* by which more are needed; of a value that is only in one its size */
    const char *why;        /* a sentence without names of files; NULL: the kind says it all */
} tn_change;

typedef struct tn_diff {
    tn_arena *arena;
    const tn_plan *p[2];        /* before, after */
    const char *program;        /* which program and variant this is; "" where there is one */
    const uint32_t *partner[2]; /* by value: the one of that name in the other plan, or TN_NO_ID */
    const uint32_t *step_after; /* by step of the first plan, TN_NO_ID where none is matched */
    uint32_t n_moved_steps;     /* so many would have to be moved for the order before */
    uint32_t n_moved;           /* values at other addresses */
    TN_VEC(tn_change) changes;  /* by kind, those of most bytes first */
    uint32_t n[TN_CHANGE_KINDS];
    bool differ;
} tn_diff;

/* Finds all. */
void tn_diff_match(tn_diff *d);
void tn_diff_find(tn_diff *d);

/* One number of both plans, for the table at the head. */
typedef struct tn_diff_figure {
    const char *name;
    uint64_t bytes[2];
    bool there[2];
    bool count; /* of things, not of bytes */
} tn_diff_figure;
/* *n of them: pools, bounds, RAM and flash, values and steps. */
const tn_diff_figure *tn_diff_figures(const tn_diff *d, uint32_t *n);
/* What the plans were made with where that differs: option, before, after; "" for none. */
typedef struct tn_diff_option {
    const char *name, *text[2];
} tn_diff_option;
const tn_diff_option *tn_diff_options(const tn_diff *d, uint32_t *n);
/* The value as it is named in the plan that has it. */
const tn_plan_value *tn_diff_value(const tn_diff *d, const tn_change *c);
extern const char *const tn_diff_kind_names[]; /* "peak", "alias", ... */
extern const char *const tn_diff_kind_heads[]; /* for people */
/* A word as it is, or in quotes where it holds more than letters and the like. */
void tn_diff_put_word(tn_sink *out, const char *word);
/* "+1.50 MiB", "-12 B". */
void tn_diff_put_delta(tn_sink *out, int64_t bytes);
/* The peak's step, by op and name; "none". */
void tn_diff_put_peak(tn_sink *out, const tn_plan *p);

/* All pairs of one call. */
typedef struct tn_diffs {
    const tn_diff *data;
    uint32_t len;
    const char *const *unmatched; /* programs and variants that one plan has alone */
    uint32_t n_unmatched;
    uint32_t limit; /* of items in a list */
    bool differ;
} tn_diffs;
void tn_diff_print(const tn_diffs *all, tn_sink *out);
void tn_diff_print_json(const tn_diffs *all, tn_sink *out);
void tn_diff_print_html(const tn_diffs *all, tn_sink *out);

#endif
