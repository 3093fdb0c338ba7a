#include "lib/based_on.h"

#include <string.h>

#include "ir/base/diag.h"
#include "ir/base/file.h"
#include "ir/plan/forms.h"

/* Below level 1 storages share whole places of their own kind; "" where the pipeline is not one of
 * this build: nothing follows from that. */
static const char *level_of(tn_arena *arena, const tn_plan *p) {
    const char *at = strstr(p->pipeline, "reuse{");
    const char *end = at != NULL ? strchr(at, '}') : NULL;
    if (end == NULL) {
        return "";
    }
    const char *options = tn_arena_strndup(arena, at, (size_t)(end - at));
    return strstr(options, "level=none") != NULL ? "none"
           : strstr(options, "level=0") != NULL  ? "0"
                                                 : "";
}

static tn_status demand_places(tn_arena *arena, const char *path, const tn_plan *p) {
    const char *level = level_of(arena, p);
    const char *why = p->set != NULL     ? "holds several programs or variants"
                      : p->n_ranges > 0  ? "leaves dimensions open"
                      : p->n_slots > 0   ? "was made with --memory=slots"
                      : level[0] != '\0' ? tn_arena_printf(arena, "was made with level=%s", level)
                                         : NULL;
    tn_loc loc = tn_loc_file(path);
    return why == NULL ? TN_OK
                       : tn_error(p->ctx, &loc,
                                  "the plan %s, and --based-on keeps offsets of level 1 of one "
                                  "plan",
                                  why);
}

tn_status tn_based_on_read(const tn_request *r, tn_plan **plan) {
    tn_ctx *ctx = tn_arena_ctx(r->arena);
    tn_bytes bytes;
    *plan = NULL;
    if (r->based_on == NULL) {
        return TN_OK;
    }
    tn_arena *scratch = tn_arena_new(ctx);
    tn_status status = tn_file_map(scratch, r->based_on, &bytes);
    if (status == TN_OK) {
        *plan = tn_plan_from_json(ctx, r->based_on, bytes.data, bytes.size);
        status = *plan != NULL ? demand_places(scratch, r->based_on, *plan) : TN_ERROR;
    }
    tn_arena_drop(scratch);
    if (status != TN_OK) {
        tn_plan_drop(*plan);
        *plan = NULL;
    }
    return status;
}
