/* Reading hostile JSON key by key. Every function takes an object and the name of a key, demands
 * the key, checks what it holds, and gives up with a message that names the place
 * ("steps[3].reads"). */
#ifndef TENURE_IR_PLAN_JSON_ITEM_H
#define TENURE_IR_PLAN_JSON_ITEM_H

#include <jansson.h>

#include "ir/plan/plan.h"

typedef struct tn_json_reader {
    tn_ctx *ctx;
    tn_arena *arena; /* strings and arrays go here */
    const char *file;
    const void *data;
    size_t size;
    json_t *root;
    tn_plan *plan;             /* being read; NULL for files that are no plans */
    const char *graph;         /* the last graph path read: most neighbours share it */
    const char *written_graph; /* the same as it stands in the file */
    const char **expressions;  /* n_expressions of them: open sizes and extents name them */
    uint32_t n_expressions;
} tn_json_reader;

/* One object being read: where it is, and how many of its keys were asked for. */
typedef struct tn_json_item {
    tn_json_reader *r;
    json_t *json;
    const char *list; /* NULL for the whole file */
    uint32_t index;
    bool listed; /* an item of a list: `index` counts */
    size_t used;
    const struct tn_json_item *up; /* the object it stands in; NULL for the whole file */
} tn_json_item;

/* Parses the reader's bytes into its `root`, which lives as long as `owner`. What is no JSON object
 * is refused as "not a JSON `what`". */
void tn_json_parse(tn_json_reader *r, tn_arena *owner, const char *what);
/* Where a key of the object stands: "values[3].bytes". */
const char *tn_json_place(const tn_json_item *at, const char *name);
/* "file: error: values[3].bytes: expected `want`" */
TN_NORETURN void tn_json_bad(const tn_json_item *at, const char *name, const char *want);
/* Refuses keys that no call has read: a misspelt one would be silently ignored. */
void tn_json_done(const tn_json_item *at);

/* "FILE: error: PLACE: unknown WHAT 'NAME'; did you mean 'NEAR'?" */
TN_NORETURN void tn_json_unknown(const tn_json_item *at, const char *what, const char *name,
                                 const char *near);
/* Refuses keys that are not among `names`, which end at NULL. */
void tn_json_demand_known(const tn_json_item *at, const char *what, const char *const *names);

json_t *tn_json_member(tn_json_item *at, const char *name);
int64_t tn_json_integer(tn_json_item *at, const char *name, int64_t min, int64_t max);
uint64_t tn_json_number(tn_json_item *at, const char *name); /* 0 to INT64_MAX */
uint32_t tn_json_count(tn_json_item *at, const char *name);  /* below TN_NO_ID */
/* -1 to the number of steps, which must be known. */
int32_t tn_json_step_number(tn_json_item *at, const char *name);
bool tn_json_flag(tn_json_item *at, const char *name);
const char *tn_json_text(tn_json_item *at, const char *name);
const char *tn_json_text_or_null(tn_json_item *at, const char *name);
/* For keys of the format that this version fills with null alone; `want` says so. */
void tn_json_demand_null(tn_json_item *at, const char *name, const char *want);
/* The text of key "graph"; equal neighbours share it. */
const char *tn_json_graph_path(tn_json_item *at);
/* The position of a text among `names`, which end at NULL: an enumeration. */
uint32_t tn_json_enum(tn_json_item *at, const char *name, const char *const *names);
/* An index below n; or null, which is TN_NO_ID. */
uint32_t tn_json_index_of(tn_json_item *at, const char *name, uint32_t n);
uint32_t tn_json_index_or_null(tn_json_item *at, const char *name, uint32_t n);
tn_ids tn_json_ids(tn_json_item *at, const char *name, uint32_t n);
tn_ids tn_json_ids_or_null(tn_json_item *at, const char *name, uint32_t n);

/* A list of *n items; item i of it; an object inside another, which must outlive it. */
json_t *tn_json_list(tn_json_item *up, const char *name, uint32_t *n);
tn_json_item tn_json_open_item(tn_json_item *up, json_t *items, const char *name, uint32_t i);
tn_json_item tn_json_open_object(tn_json_item *up, const char *name);

#endif
