/* One pool as a packing instance in MiniMalloc's CSV dialect, with the offsets the planner chose.
 * Sizes are rounded up to the pool's alignment, as the planner counts them, so that whoever packs
 * the instance again compares with the pool's size byte for byte. */
#include "backends/core/backend.h"
#include "ir/base/buffer_csv.h"
#include "ir/base/xmath.h"

enum { OPT_POOL, OPT_OFFSETS };
static const tn_opt options[] = {
    [OPT_POOL] = {"pool", TN_OPT_TEXT, "", NULL,
                  "name of the pool to write; empty: the first arena"},
    [OPT_OFFSETS] = {"offsets", TN_OPT_BOOL, "true", NULL,
                     "whether the buffers stand where the plan has them (`tenure pack` leaves them "
                     "there), or are free to be packed again"},
    {0}};

static tn_status accepts(const tn_plan *plan, const tn_backend_args *args) {
    const char *pool = tn_arg_text(args, OPT_POOL);
    return tn_backend_pool(&tn_backend_csv, plan, pool) != TN_NO_ID ? TN_OK : TN_USAGE;
}

/* Path and name of the value that owns the bytes. */
static const char *storage_name(tn_sink *name, const tn_plan *plan, const tn_storage *s) {
    const tn_plan_value *root = &plan->values[s->root];
    name->len = 0;
    tn_putf(name, "%s%s%s", root->graph, root->graph[0] != '\0' ? "/" : "", root->name);
    return name->data;
}

static tn_status emit(const tn_emission *e) {
    const tn_plan *plan = e->plan;
    const tn_backend_args *args = e->args;
    tn_sink *out = e->out;
    uint32_t pool = tn_backend_pool(&tn_backend_csv, plan, tn_arg_text(args, OPT_POOL));
    uint64_t align = plan->pools[pool].align;
    bool offsets = tn_arg_truth(args, OPT_OFFSETS);
    unsigned columns = TN_CSV_ALIGNMENT | (offsets ? TN_CSV_OFFSET : 0u);
    tn_sink name = tn_sink_make(out->arena);
    tn_buffer_csv_header(out, columns);
    for (uint32_t i = 0; i < plan->n_storages; i++) {
        const tn_storage *s = &plan->storages[i];
        tn_buffer_row row = {.lower = s->first,
                             .upper = (int64_t)s->last + 1,
                             .alignment = align,
                             .offset = s->offset};
        if (s->pool != pool || !tn_align_u64(s->size, align, &row.size)) {
            continue; /* a size that cannot be rounded up is in no plan that passed the checker */
        }
        row.id = storage_name(&name, plan, s);
        tn_buffer_csv_row(out, columns, &row);
    }
    return TN_OK;
}

const tn_backend tn_backend_csv = {
    .name = "csv",
    .summary = "a pool as a packing instance (MiniMalloc's CSV), for `tenure pack` and others",
    .suffix = ".csv",
    .options = options,
    .accepts = accepts,
    .emit = emit,
    .carries = TN_CARRIES(ADDRESSES) | TN_CARRIES(NAMES) | TN_CARRIES(RANGES),
};
