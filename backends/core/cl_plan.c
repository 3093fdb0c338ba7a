#include "backends/core/cl_plan.h"

#include <string.h>

#include "backends/core/cl_ahead.h"
#include "backends/core/cl_host.h"
#include "backends/core/cl_waits.h"
#include "ir/base/sort.h"
#include "ir/plan/copied_ahead.h"
#include "ir/plan/plan_names.h"

enum { OPT_ALIGN_BITS, OPT_MAX_ALLOC, OPT_MODE };
const tn_opt tn_cl_options[] = {TN_CL_OPTIONS, {0}};

const tn_kind_refusal tn_cl_refuses[] = {{TN_KIND_ORDERED, "work-items keep no order"},
                                         {TN_KIND_LAST, "channels last"},
                                         {TN_KIND_INSIDE, "two buffers that overlap"},
                                         {0}};

typedef struct builder {
    const tn_plan *p;
    tn_arena *arena;
    tn_cl_plan *cl;
    const bool *host; /* by storage */
    uint32_t *chunk;  /* by storage */
    uint64_t *within; /* by storage: offset inside its chunk */
    TN_VEC(tn_cl_chunk) chunks;
    TN_VEC(tn_cl_handle) handles;
} builder;

static tn_status refuse(const tn_plan *p, const char *fmt, const char *name, uint64_t a,
                        uint64_t b) {
    const char *text =
        tn_arena_printf(p->arena, fmt, name, (unsigned long long)a, (unsigned long long)b);
    return tn_error(p->ctx, NULL, "opencl: %s", text);
}

static bool is_alignment(int64_t bits) {
    return bits % 8 == 0 && (bits & (bits - 1)) == 0;
}

/* What is none is refused when the plan is there, as all that the type of an option does not say.
 */
static uint64_t align_of(const tn_backend_args *args) {
    int64_t bits = tn_arg_number(args, OPT_ALIGN_BITS);
    return is_alignment(bits) ? (uint64_t)bits / 8 : 0;
}

uint64_t tn_cl_align(const tn_backend_args *args) {
    return strcmp(tn_arg_text(args, OPT_MODE), "subbuffers") == 0 ? align_of(args) : 0;
}

static void read_options(tn_cl_plan *cl, const tn_backend_args *args) {
    const char *mode = tn_arg_text(args, OPT_MODE);
    cl->align = align_of(args);
    cl->max_alloc = (uint64_t)tn_arg_number(args, OPT_MAX_ALLOC);
    cl->mode = strcmp(mode, "objects") == 0      ? TN_CL_OBJECTS
               : strcmp(mode, "subbuffers") == 0 ? TN_CL_SUBBUFFERS
                                                 : TN_CL_OFFSETS;
}

static tn_status refuse_channels_last(const tn_plan *p) {
    for (uint32_t i = 0; i < p->n_values; i++) {
        if (p->values[i].channels_last) {
            return tn_error(p->ctx, NULL,
                            "opencl: value '%s' has its channels last, and kernels get extents "
                            "alone; plan with --layout=nchw",
                            p->values[i].name);
        }
    }
    return TN_OK;
}

static bool has_numbers(const tn_plan_value *v) {
    bool numbers = true;
    for (uint32_t i = 0; i < v->rank; i++) {
        numbers = numbers && (v->dims[i] >= 0 || v->storage == TN_NO_ID);
    }
    return numbers;
}

/* Extents that data give are for kernels to know; the runtime copies by those of the tables. */
static tn_status refuse_moves(const tn_plan *p) {
    for (uint32_t i = 0; i < p->n_steps && p->n_data_dims > 0; i++) {
        for (uint32_t k = 0; k < p->steps[i].n_moves; k++) {
            const tn_plan_move *m = &p->steps[i].moves[k];
            if ((m->from != TN_NO_ID && !has_numbers(&p->values[m->from])) ||
                (m->to != TN_NO_ID && !has_numbers(&p->values[m->to]))) {
                return tn_backend_demand_extents("opencl", p);
            }
        }
    }
    return TN_OK;
}

/* A kernel that goes through its elements in an order is no kernel of work-items. */
static tn_status refuse_ordered(const tn_plan *p) {
    for (uint32_t i = 0; i < p->n_steps; i++) {
        const tn_plan_step *s = &p->steps[i];
        for (uint32_t k = 0; k < s->n_claims; k++) {
            const tn_plan_claim *c = &s->claims[k];
            if (c->promise >= TN_PROMISE_OVERLAP_ROWS) {
                return tn_error(p->ctx, NULL,
                                "opencl: step %u (%s '%s') begins '%s' inside operand '%s', and "
                                "one kernel cannot have two buffers that overlap; plan with "
                                "--overlap=none",
                                i, s->op, s->name, p->values[s->results.data[c->result]].name,
                                p->values[s->operands.data[c->operand]].name);
            }
            if (c->promise != TN_PROMISE_ASCENDING && c->promise != TN_PROMISE_DESCENDING) {
                continue;
            }
            return tn_error(p->ctx, NULL,
                            "opencl: step %u (%s '%s') writes '%s' over operand '%s' in %s order "
                            "of elements, and work-items keep no order; plan with --inplace=all",
                            i, s->op, s->name, p->values[s->results.data[c->result]].name,
                            p->values[s->operands.data[c->operand]].name,
                            tn_promise_names[c->promise]);
        }
    }
    return TN_OK;
}

/* ---- chunks ---- */

typedef struct placed {
    uint64_t offset;
    uint32_t storage;
} placed;

static int by_address(const void *x, const void *y) {
    const placed *a = x, *b = y;
    return TN_FIRST_OF(TN_COMPARE(a->offset, b->offset), TN_COMPARE(a->storage, b->storage));
}

static uint32_t add_chunk(builder *b, tn_pool_kind kind) {
    tn_cl_chunk c = {.kind = kind, .first = INT32_MAX, .last = INT32_MIN, .pool = TN_NO_ID};
    tn_vec_push(b->arena, &b->chunks, c);
    return b->chunks.len - 1;
}

static tn_status check_pools(const tn_plan *p, uint64_t align) {
    for (uint32_t i = 0; i < p->n_pools; i++) {
        const tn_pool *pool = &p->pools[i];
        if (pool->base_align > align) {
            return tn_error(p->ctx, NULL,
                            "opencl: pool '%s' is to begin at multiples of %llu bytes, the device "
                            "promises %llu (align-bits)",
                            pool->name, (unsigned long long)pool->base_align,
                            (unsigned long long)align);
        }
        if (pool->copied && pool->kind == TN_POOL_STATE && !tn_pool_is_hosts(pool)) {
            return tn_error(p->ctx, NULL,
                            "opencl: state of pool '%s' is to be copied to the device and back, "
                            "which it is from memory of the host alone; declare the pool with "
                            ":section=host, or leave :copied out",
                            pool->name);
        }
        if (pool->section != NULL && !tn_pool_is_hosts(pool) &&
            strcmp(pool->section, "device") != 0) {
            return tn_error(p->ctx, NULL,
                            "opencl: section '%s' of pool '%s' is not a kind of memory: expected "
                            "'device' or 'host'",
                            pool->section, pool->name);
        }
    }
    return TN_OK;
}

static void put_in_chunk(builder *b, const tn_storage *s, uint32_t chunk, uint64_t within) {
    tn_cl_chunk *c = &b->chunks.data[chunk];
    b->chunk[s->id] = chunk;
    b->within[s->id] = within;
    c->pool = s->pool;
    c->shared = !c->host && tn_pool_is_hosts(&b->p->pools[s->pool]);
    c->at = s->offset - within;
    if (within + s->size > c->size) {
        c->size = within + s->size;
    }
    if (s->first < c->first) {
        c->first = s->first;
    }
    if (s->last > c->last) {
        c->last = s->last;
    }
}

/* Cuts a pool into windows of at most max_alloc bytes of address space. A storage that would stick
 * out of the window goes to the next one; two storages that share bytes over time may so end in
 * different chunks, which costs bytes and never correctness. */
static tn_status cut_pool(builder *b, uint32_t pool, const placed *order, uint32_t n) {
    const tn_plan *p = b->p;
    tn_cl_plan *cl = b->cl;
    uint32_t left = 0;
    for (uint32_t i = 0; i < n; i++) {
        const tn_storage *s = &p->storages[order[i].storage];
        b->chunk[s->id] = TN_NO_ID;
        left += s->size > 0;
        if (cl->max_alloc != 0 && s->size > cl->max_alloc) {
            return refuse(p, "tensor '%s' needs %llu bytes, more than max-alloc of %llu",
                          p->values[s->root].name, s->size, cl->max_alloc);
        }
    }
    while (left > 0) {
        uint32_t chunk = TN_NO_ID;
        uint64_t base = 0;
        for (uint32_t i = 0; i < n; i++) {
            const tn_storage *s = &p->storages[order[i].storage];
            if (s->size == 0 || b->chunk[s->id] != TN_NO_ID) {
                continue;
            }
            if (chunk == TN_NO_ID) {
                chunk = add_chunk(b, p->pools[pool].kind);
                b->chunks.data[chunk].ahead = tn_pool_goes_ahead(&p->pools[pool]);
                b->chunks.data[chunk].host = b->chunks.data[chunk].ahead;
                base = s->offset;
            }
            if (cl->max_alloc == 0 || s->offset - base + s->size <= cl->max_alloc) {
                put_in_chunk(b, s, chunk, s->offset - base);
                left--;
            }
        }
    }
    return TN_OK;
}

/* Inputs, outputs and state are buffers of their own, so that callers can bring theirs; so are
 * constants where there are no sub-buffers to address them by. */
static tn_status cut_each(builder *b, tn_pool_kind kind, const placed *order, uint32_t n) {
    const tn_plan *p = b->p;
    for (uint32_t i = 0; i < n; i++) {
        const tn_storage *s = &p->storages[order[i].storage];
        if (b->cl->max_alloc != 0 && s->size > b->cl->max_alloc) {
            return refuse(p, "tensor '%s' needs %llu bytes, more than max-alloc of %llu",
                          p->values[s->root].name, s->size, b->cl->max_alloc);
        }
        b->chunk[s->id] = TN_NO_ID;
        if (s->size > 0) {
            put_in_chunk(b, s, add_chunk(b, kind), 0);
        }
    }
    return TN_OK;
}

static tn_status cut_slots(builder *b) {
    const tn_plan *p = b->p;
    uint32_t *of_slot = TN_ARRAY(b->arena, uint32_t, p->n_slots);
    memset(of_slot, 0xff, p->n_slots * sizeof *of_slot);
    for (uint32_t i = 0; i < p->n_storages; i++) {
        const tn_storage *s = &p->storages[i];
        if (p->pools[s->pool].kind != TN_POOL_ARENA || b->host[i]) {
            continue;
        }
        if (s->slot == TN_NO_ID) {
            return tn_error(p->ctx, NULL,
                            "opencl: mode 'objects' needs a plan made with --memory=slots");
        }
        b->chunk[i] = TN_NO_ID;
        if (s->size == 0) {
            continue;
        }
        if (of_slot[s->slot] == TN_NO_ID) {
            of_slot[s->slot] = add_chunk(b, TN_POOL_ARENA);
            b->chunks.data[of_slot[s->slot]].size = p->slots[s->slot].size;
        }
        put_in_chunk(b, s, of_slot[s->slot], s->offset - p->slots[s->slot].offset);
    }
    return TN_OK;
}

/* What no kernel touches is memory of the host, each value by itself. */
static void cut_host(builder *b) {
    b->host = tn_cl_find_host(b->arena, b->p);
    for (uint32_t i = 0; i < b->p->n_storages; i++) {
        const tn_storage *s = &b->p->storages[i];
        if (b->host[i] && s->size > 0) {
            uint32_t chunk = add_chunk(b, b->p->pools[s->pool].kind);
            b->chunks.data[chunk].host = true;
            put_in_chunk(b, s, chunk, 0);
        }
    }
}

static tn_status make_window(builder *b, uint64_t most) {
    uint64_t bytes = 0;
    tn_status status = tn_cl_make_ahead(b->arena, b->p, b->cl, b->chunks.data, b->chunk, b->within,
                                        b->host, most, &bytes);
    b->cl->window = TN_NO_ID;
    if (status == TN_OK && bytes > 0) {
        b->cl->window = add_chunk(b, TN_POOL_ARENA);
        tn_cl_chunk *c = &b->chunks.data[b->cl->window];
        c->size = bytes;
        c->first = (int32_t)b->cl->batches[0].first;
        c->last = (int32_t)b->cl->batches[b->cl->n_batches - 1].end - 1;
    }
    return status;
}

static tn_status make_chunks(builder *b) {
    const tn_plan *p = b->p;
    b->chunk = TN_ARRAY(b->arena, uint32_t, p->n_storages);
    b->within = TN_ARRAY(b->arena, uint64_t, p->n_storages);
    placed *order = TN_ARRAY(b->arena, placed, p->n_storages);
    cut_host(b);
    for (uint32_t pool = 0; pool < p->n_pools; pool++) {
        tn_pool_kind kind = p->pools[pool].kind;
        uint32_t n = 0;
        for (uint32_t i = 0; i < p->n_storages; i++) {
            if (p->storages[i].pool == pool && !b->host[i]) {
                order[n++] = (placed){p->storages[i].offset, i};
            }
        }
        TN_SORT(order, n, by_address);
        bool objects = b->cl->mode == TN_CL_OBJECTS, ahead = tn_pool_goes_ahead(&p->pools[pool]);
        if (objects && n > 0 && ahead) {
            return tn_error(p->ctx, NULL,
                            "opencl: what lies in pool '%s' is copied ahead into a window, in "
                            "which mode=objects has no places; use mode=offsets",
                            p->pools[pool].name);
        }
        bool each = (tn_pool_is_callers(&p->pools[pool]) && !ahead) || objects;
        tn_status status = kind == TN_POOL_ARENA && objects ? cut_slots(b)
                           : each                           ? cut_each(b, kind, order, n)
                                                            : cut_pool(b, pool, order, n);
        if (status != TN_OK) {
            return status;
        }
    }
    return TN_OK;
}

/* ---- handles ---- */

/* The bytes of a value, of its second place. */
typedef struct range {
    uint32_t chunk, value;
    bool second;
    uint64_t origin, size;
} range;

static int by_origin(const void *x, const void *y) {
    const range *a = x, *b = y;
    return TN_FIRST_OF(
        TN_FIRST_OF(TN_COMPARE(a->chunk, b->chunk), TN_COMPARE(a->origin, b->origin)),
        TN_FIRST_OF(TN_COMPARE(a->value, b->value), TN_COMPARE((int)a->second, (int)b->second)));
}

/* The range belongs to the handle before it if the two share bytes; of chunks that are no
 * sub-buffers' all do. */
static void put_in_handle(builder *b, const range *r) {
    uint64_t origin = b->cl->mode == TN_CL_SUBBUFFERS ? r->origin : 0;
    uint64_t end =
        b->cl->mode == TN_CL_SUBBUFFERS ? r->origin + r->size : b->chunks.data[r->chunk].size;
    tn_cl_handle *h = b->handles.len > 0 ? &b->handles.data[b->handles.len - 1] : NULL;
    if (h == NULL || h->chunk != r->chunk || h->origin + h->size <= origin) {
        tn_cl_handle next = {.chunk = r->chunk, .origin = origin};
        tn_vec_push(b->arena, &b->handles, next);
        h = &b->handles.data[b->handles.len - 1];
    }
    h->size = end > h->origin + h->size ? end - h->origin : h->size;
    h->whole = h->origin == 0 && h->size == b->chunks.data[h->chunk].size;
    uint32_t *handle = r->second ? b->cl->second : b->cl->handle;
    uint64_t *offset = r->second ? b->cl->second_offset : b->cl->offset;
    handle[r->value] = b->handles.len - 1;
    offset[r->value] = r->origin - h->origin;
}

static tn_status check_handle(const builder *b, const range *r) {
    const tn_cl_plan *cl = b->cl;
    const tn_plan_value *v = &b->p->values[r->value];
    const tn_cl_handle *h = &b->handles.data[b->handles.len - 1];
    if (cl->mode == TN_CL_SUBBUFFERS && h->origin % cl->align != 0 && !h->whole) {
        return refuse(b->p,
                      "tensor '%s' lies at byte %llu of its buffer, not a multiple of the "
                      "device's alignment of %llu bytes; plan with a larger --align or with "
                      "none, which align-bits then chooses, or use mode=offsets",
                      v->name, h->origin, cl->align);
    }
    if (cl->mode == TN_CL_OBJECTS && r->second) {
        return refuse(b->p,
                      "tensor '%s' has a second place, %llu bytes inside an object of %llu bytes; "
                      "use mode=offsets or mode=subbuffers",
                      v->name, r->origin, h->size);
    }
    if (cl->mode == TN_CL_OBJECTS && r->origin != 0) {
        return refuse(b->p,
                      "tensor '%s' lies %llu bytes inside a shared object of %llu bytes; plan "
                      "with --views=reshape, or use mode=offsets",
                      v->name, r->origin, h->size);
    }
    return TN_OK;
}

static uint32_t find_ranges(const builder *b, range *ranges) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < b->p->n_values; i++) {
        const tn_plan_value *v = &b->p->values[i];
        if (v->storage == TN_NO_ID || v->bytes == 0) {
            continue;
        }
        range r = {.chunk = b->chunk[v->storage],
                   .value = i,
                   .origin = b->within[v->storage] + v->offset,
                   .size = v->bytes};
        ranges[n++] = r;
        r.second = b->p->storages[v->storage].second > 0;
        r.origin += b->p->storages[v->storage].second;
        ranges[n] = r;
        n += r.second;
    }
    return n;
}

static tn_status make_handles(builder *b) {
    uint32_t n = b->p->n_values;
    range *ranges = TN_ARRAY(b->arena, range, 2 * (size_t)n);
    b->cl->handle = TN_ARRAY(b->arena, uint32_t, n);
    b->cl->offset = TN_ARRAY(b->arena, uint64_t, n);
    b->cl->second = TN_ARRAY(b->arena, uint32_t, n);
    b->cl->second_offset = TN_ARRAY(b->arena, uint64_t, n);
    for (uint32_t i = 0; i < n; i++) {
        b->cl->handle[i] = b->cl->second[i] = TN_NO_ID;
    }
    n = find_ranges(b, ranges);
    TN_SORT(ranges, n, by_origin);
    tn_status status = TN_OK;
    for (uint32_t i = 0; i < n && status == TN_OK; i++) {
        put_in_handle(b, &ranges[i]);
        status = check_handle(b, &ranges[i]);
    }
    return status;
}

/* The plan with empty names of values and nodes; paths stay, since they say which body a step is
 * of. */
static const tn_plan *without_names(tn_arena *arena, const tn_plan *plan) {
    tn_plan *p = TN_NEW(arena, tn_plan);
    *p = *plan;
    p->values =
        tn_arena_regrow(arena, plan->values, plan->n_values, plan->n_values, sizeof *p->values);
    p->steps = tn_arena_regrow(arena, plan->steps, plan->n_steps, plan->n_steps, sizeof *p->steps);
    for (uint32_t i = 0; i < p->n_values; i++) {
        p->values[i].name = "";
    }
    for (uint32_t i = 0; i < p->n_steps; i++) {
        p->steps[i].name = "";
    }
    return p;
}

static const tn_cl_plan *derive(tn_arena *arena, const tn_plan *plan, const tn_backend_args *args) {
    builder b = {.p = plan, .arena = arena, .cl = TN_NEW(arena, tn_cl_plan)};
    read_options(b.cl, args);
    if (refuse_moves(plan) != TN_OK || refuse_channels_last(plan) != TN_OK ||
        refuse_ordered(plan) != TN_OK || check_pools(plan, b.cl->align) != TN_OK ||
        make_chunks(&b) != TN_OK ||
        make_window(&b, (uint64_t)tn_arg_number(args, TN_CL_OPT_WINDOW)) != TN_OK ||
        make_handles(&b) != TN_OK) {
        return NULL;
    }
    b.cl->p = tn_arg_truth(args, TN_CL_OPT_NAMES) ? plan : without_names(arena, plan);
    b.cl->chunks = b.chunks.data;
    b.cl->n_chunks = b.chunks.len;
    b.cl->handles = b.handles.data;
    b.cl->n_handles = b.handles.len;
    tn_cl_make_steps(arena, plan, b.cl);
    return b.cl;
}

tn_status tn_cl_derive(tn_arena *arena, const tn_plan *plan, const tn_backend_args *args,
                       const tn_cl_plan **out) {
    int64_t bits = tn_arg_number(args, OPT_ALIGN_BITS);
    if (!is_alignment(bits)) {
        return tn_usage(plan->ctx, NULL,
                        "opencl: align-bits is '%lld', expected a power of two from 8 on",
                        (long long)bits);
    }
    *out = derive(arena, plan, args);
    return *out != NULL ? TN_OK : TN_ERROR;
}

tn_status tn_cl_accepts(const tn_plan *plan, const tn_backend_args *args) {
    const tn_cl_plan *cl;
    tn_arena *scratch = tn_arena_new(plan->ctx);
    tn_status status = tn_cl_derive(scratch, plan, args, &cl);
    tn_arena_drop(scratch);
    return status;
}
