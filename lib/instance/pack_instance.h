/* Packing instances: buffers with live ranges or conflicts in, offsets and a report out. */
#ifndef TENURE_LIB_INSTANCE_PACK_INSTANCE_H
#define TENURE_LIB_INSTANCE_PACK_INSTANCE_H

#include "lib/instance/conflict_csv.h"
#include "lib/instance/pack_report.h"
#include "lib/request/setting.h"

typedef struct tn_pack_args {
    const char *output, *algorithm, *memory, *conflicts;
    uint64_t capacity;
    int64_t effort, budget, threads, wall_ms;
    bool quiet;
} tn_pack_args;

tn_pack_args tn_pack_defaults(void);
tn_setting_group tn_pack_group(tn_pack_args *a);
/* After the options are read: TN_USAGE for what does not fit. */
TN_MUST_USE tn_status tn_pack_check(const tn_pack_args *a, tn_ctx *ctx);

/* One request on its way. */
typedef struct tn_packing {
    tn_arena *arena;
    const tn_pack_args *args;
    const char *path; /* in messages */
    const tn_pack_csv *csv;
    const tn_pack_conflicts *conflicts; /* NULL: live ranges say what may not overlap */
    tn_pack_options options;
    tn_pack_answer answer;
} tn_packing;

/* Fills p->answer, checked, on TN_OK and TN_NOFIT. */
TN_MUST_USE tn_status tn_packing_run(tn_packing *p);

/* Reads the instance at `path`, and a->conflicts where there are such; `out` gets the instance with
 * offsets on TN_OK, `report` (may be NULL) what was found, also on TN_NOFIT. */
TN_MUST_USE tn_status tn_pack_file(tn_arena *arena, const char *path, const tn_pack_args *a,
                                   tn_sink *out, tn_sink *report);

#endif
