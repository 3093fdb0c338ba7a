/* ir.h: models as ONNX. */
#include <string.h>

#include "ir/base/diag.h"
#include "ir/onnx/onnx_external.h"
#include "ir/onnx/onnx_write.h"
#include "lib/api/api_t.h"
#include "tenure/ir.h"

typedef struct write_args {
    const tn_module *m;
    const tenure_sink *to;
    const char *path; /* "": standard output, or not known */
} write_args;

static void hand_on(void *user, const char *data, size_t len) {
    const write_args *a = user;
    int refused = a->to->write(a->to->user, a->path, data, len);
    if (refused > 0) {
        tn_fail(a->m->ctx, NULL, "'%s' is not taken by the caller", a->path);
    } else if (refused < 0) {
        tn_reraise(a->m->ctx, TN_ERROR); /* he has said why */
    }
}

static tn_status write_model(tn_ctx *ctx, void *arg) {
    write_args *a = arg;
    tn_arena *arena = tn_arena_new(ctx);
    tn_sink out = tn_sink_streamed(arena, (tn_drain){hand_on, a});
    tn_status status = tn_api_settle(api_module((const tenure_model *)a->m));
    if (status == TN_OK && a->path[0] != '\0' && strcmp(a->path, "-") != 0) {
        tn_onnx_demand_external(a->m, tn_file_folder(arena, a->path));
    }
    if (status == TN_OK) {
        hand_on(a, "", 0);
        tn_onnx_write(a->m, tn_onnx_order_make(arena, a->m, NULL), NULL, &out);
        tn_sink_flush(&out);
    }
    tn_arena_drop(arena);
    return status;
}

tenure_status tenure_model_write_onnx(const tenure_model *model, const tenure_sink *sink) {
    static const char where[] = "tenure_model_write_onnx";
    write_args a = {.m = api_module(model), .to = sink};
    if (model == NULL || sink == NULL) {
        return tn_api_null(model != NULL ? a.m->ctx : NULL, where,
                           model == NULL ? "model" : "sink");
    }
    if (sink->struct_size < sizeof *sink || sink->write == NULL) {
        return tn_api_null(a.m->ctx, where, "sink->write");
    }
    a.path = sink->name != NULL ? sink->name : "";
    return (tenure_status)tn_guard_run(a.m->ctx, write_model, &a);
}
