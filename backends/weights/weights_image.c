/* Which bytes an image holds, and where the model has them. */
#include <string.h>

#include "backends/weights/weights_t.h"
#include "ir/base/diag.h"
#include "ir/base/key_sort.h"
#include "ir/base/sort.h"
#include "ir/base/xmath.h"
#include "ir/ops/claims.h"
#include "ir/tensor_bytes.h"

/* ---- from plan values to tensors ---- */

typedef struct finder {
    tn_arena *arena;
    const tn_plan *p;
    const tn_module *m;
    const uint32_t *in_model; /* by plan value */
} finder;

/* Contents that an attribute of Constant gives as numbers: a tensor of rank 0 or 1. */
static const tn_tensor *of_numbers(tn_arena *arena, const tn_op *op) {
    for (uint32_t i = 0; i < op->n_attrs; i++) {
        const tn_attr *a = &op->attrs[i];
        bool ints = a->kind == TN_ATTR_INT || a->kind == TN_ATTR_INTS;
        bool floats = a->kind == TN_ATTR_FLOAT || a->kind == TN_ATTR_FLOATS;
        if (!ints && !floats) {
            continue;
        }
        bool list = a->kind == TN_ATTR_INTS || a->kind == TN_ATTR_FLOATS;
        tn_tensor *t = TN_NEW(arena, tn_tensor);
        t->dtype = ints ? TN_DT_INT64 : TN_DT_FLOAT;
        t->n_elements = list ? a->n : 1;
        t->bytes = t->n_elements * (ints ? 8 : 4);
        t->ints = ints ? (list ? a->u.ints : &a->u.i) : NULL;
        t->floats = floats ? (list ? a->u.floats : &a->u.f) : NULL;
        return t;
    }
    return NULL;
}

/* NULL when the model gives the value no contents. */
static const tn_tensor *find(const finder *f, const tn_plan_value *pv) {
    uint32_t id = f->in_model[pv - f->p->values];
    if (id == TN_NO_ID) {
        return NULL;
    }
    const tn_value *v = f->m->values[id];
    if (v->tensor == NULL && !tn_is_const(v)) {
        return NULL;
    }
    const tn_tensor *t = v->tensor != NULL ? v->tensor : tn_value_tensor(v);
    return t == NULL && v->def != NULL ? of_numbers(f->arena, v->def) : t;
}

/* Says where the bytes should be, and what to do without them. */
static tn_status absent(const finder *f, const tn_plan_value *v, const tn_tensor *t) {
    tn_loc loc = tn_loc_file(f->m->file);
    bool shipped =
        f->m->origin.producer != NULL && strcmp(f->m->origin.producer, "tenure-examples") == 0;
    tn_status status =
        tn_error(f->m->ctx, &loc, "the bytes of constant '%s' are not at hand%s%s%s", v->name,
                 t->external != NULL ? ": '" : "; the file of the model does not hold them",
                 t->external != NULL ? t->external : "",
                 t->external != NULL ? "', where they should be, is not there" : "");
    if (t->external != NULL) {
        tn_note(f->m->ctx, &loc, "put '%s' where the model names it, seen from the model's folder",
                t->external);
    }
    if (t->external != NULL && shipped) {
        tn_note(f->m->ctx, &loc,
                "this model comes without weights: `python3 "
                "examples/models/make.py --weights FOLDER` of tenure's sources "
                "writes it with some made up");
    }
    tn_note(f->m->ctx, &loc,
            "weights=none of c-program and opencl-program gives a program without their bytes");
    return status;
}

static tn_status check(const finder *f, const tn_plan_value *v, const tn_tensor *t) {
    tn_loc loc = tn_loc_file(f->m->file);
    if (t == NULL) {
        return tn_error(f->m->ctx, &loc, "the model has no constant '%s', which the plan has",
                        v->name);
    }
    if (t->dtype != v->dtype || t->bytes != v->bytes) {
        return tn_error(f->m->ctx, &loc,
                        "constant '%s' is %llu bytes of %s, in the plan %llu bytes of %s", v->name,
                        (unsigned long long)t->bytes, tn_dtype_get(t->dtype)->name,
                        (unsigned long long)v->bytes, tn_dtype_get(v->dtype)->name);
    }
    return tn_tensor_has_bytes(t) ? TN_OK : absent(f, v, t);
}

/* ---- segments ---- */

static bool is_const_pool(const tn_plan *p, uint32_t pool) {
    return p->pools[pool].kind == TN_POOL_CONST;
}

/* Values in order of their address. */
static const uint32_t *by_address(tn_arena *arena, const tn_plan *p, uint32_t *n) {
    uint32_t *ids = TN_ARRAY(arena, uint32_t, p->n_values);
    tn_sort_key *keys = tn_sort_room(arena, p->n_values);
    *n = 0;
    for (uint32_t i = 0; i < p->n_values; i++) {
        if (p->values[i].storage != TN_NO_ID) {
            keys[(*n)++] = (tn_sort_key){tn_plan_address(p, &p->values[i]), i};
        }
    }
    tn_sort_items(keys, *n, ids);
    return ids;
}

/* A value whose bytes are another's holds nothing of its own. */
static tn_status add_const(finder *f, tn_image *image, const uint32_t *segment_of,
                           const tn_plan_value *v) {
    uint32_t pool = f->p->storages[v->storage].pool;
    if (!is_const_pool(f->p, pool) || v->alias != TN_ALIAS_NONE) {
        return TN_OK;
    }
    const tn_tensor *t = find(f, v);
    tn_status status = check(f, v, t);
    if (status == TN_OK) {
        tn_image_item item = {t, tn_plan_address(f->p, v)};
        tn_vec_push(f->arena, &image->segments.data[segment_of[pool]].items, item);
    }
    return status;
}

/* Two programs that have one state may come from files that begin it differently. */
static bool same_bytes(tn_arena *arena, const tn_tensor *a, const tn_tensor *b) {
    tn_sink x = tn_sink_make(arena), y = tn_sink_make(arena);
    tn_tensor_put_bytes(a, &x);
    tn_tensor_put_bytes(b, &y);
    return x.len == y.len && memcmp(x.data, y.data, x.len) == 0;
}

/* Once what several plans have at one place. */
static tn_status push_initial(const finder *f, tn_image *image, const tn_plan_value *v,
                              const tn_tensor *t) {
    uint32_t pool = f->p->storages[v->storage].pool;
    uint64_t offset = tn_plan_address(f->p, v);
    for (uint32_t i = image->n_const; i < image->segments.len; i++) {
        const tn_image_segment *s = &image->segments.data[i];
        if (s->pool == pool && s->offset == offset && s->size == v->bytes) {
            tn_loc loc = tn_loc_file(f->m->file);
            return same_bytes(f->arena, s->items.data[0].tensor, t)
                       ? TN_OK
                       : tn_error(f->m->ctx, &loc,
                                  "'%s' has the place of a value of another program, and what both "
                                  "hold before the first run differs",
                                  v->name);
        }
    }
    tn_image_segment s = {
        .pool = pool, .offset = offset, .size = v->bytes, .value = (uint32_t)(v - f->p->values)};
    tn_vec_push(f->arena, &s.items, ((tn_image_item){t, 0}));
    tn_vec_push(f->arena, &image->segments, s);
    return TN_OK;
}

static tn_status add_initial(const finder *f, tn_image *image, const tn_plan_value *v) {
    uint32_t pool = f->p->storages[v->storage].pool;
    const tn_tensor *t = is_const_pool(f->p, pool) || v->bytes == 0 ? NULL : find(f, v);
    if (t == NULL || (v->role != TN_ROLE_INPUT && v->role != TN_ROLE_STATE)) {
        return TN_OK;
    }
    tn_status status = check(f, v, t);
    return status == TN_OK ? push_initial(f, image, v, t) : status;
}

static tn_status collect_of(finder *f, tn_image *image, const uint32_t *segment_of) {
    uint32_t n;
    const uint32_t *order = by_address(f->arena, f->p, &n);
    tn_status status = TN_OK;
    f->in_model = tn_plan_in_model(f->arena, f->p, f->m);
    for (uint32_t i = 0; i < n && status == TN_OK; i++) {
        status = add_const(f, image, segment_of, &f->p->values[order[i]]);
    }
    for (uint32_t i = 0; i < n && status == TN_OK; i++) {
        status = add_initial(f, image, &f->p->values[order[i]]);
    }
    return status;
}

static int by_place(const void *a, const void *b) {
    const tn_image_item *x = a, *y = b;
    return TN_FIRST_OF(TN_COMPARE(x->offset, y->offset),
                       TN_COMPARE(x->tensor->bytes, y->tensor->bytes));
}

/* Constants of several plans in order, each once: at one place all have the same. */
static void merge_items(tn_image_segment *s) {
    tn_image_item *items = s->items.data;
    uint32_t kept = 0;
    TN_SORT(items, s->items.len, by_place);
    for (uint32_t i = 0; i < s->items.len; i++) {
        if (kept == 0 || by_place(&items[kept - 1], &items[i]) != 0) {
            items[kept++] = items[i];
        }
    }
    s->items.len = kept;
}

tn_status tn_image_collect(tn_arena *arena, const tn_plan *p, const tn_module *m, tn_image *out) {
    finder f = {.arena = arena, .m = m};
    const tn_pool *pools = tn_shared_pools(p);
    uint32_t *segment_of = TN_ARRAY(arena, uint32_t, p->n_pools);
    uint32_t n = tn_shares_pools(p) ? tn_plan_count(p) : 1;
    *out = (tn_image){.plan = p};
    for (uint32_t i = 0; i < p->n_pools; i++) {
        if (is_const_pool(p, i)) {
            tn_image_segment s = {.pool = i, .size = pools[i].size};
            segment_of[i] = out->segments.len;
            tn_vec_push(arena, &out->segments, s);
        }
    }
    out->n_const = out->segments.len;
    tn_status status = TN_OK;
    for (uint32_t i = 0; i < n && status == TN_OK; i++, f.m = f.m->next) {
        f.p = tn_plan_at(p, i);
        status = collect_of(&f, out, segment_of);
    }
    for (uint32_t i = 0; i < out->n_const && n > 1 && status == TN_OK; i++) {
        merge_items(&out->segments.data[i]);
    }
    return status;
}

static void put_zeros(tn_sink *out, uint64_t n) {
    static const char zeros[4096];
    for (; n > 0; n -= n < sizeof zeros ? n : sizeof zeros) {
        tn_put_n(out, zeros, n < sizeof zeros ? (size_t)n : sizeof zeros);
    }
}

void tn_image_put(const tn_image_segment *s, tn_sink *out) {
    uint64_t at = 0;
    for (uint32_t i = 0; i < s->items.len; i++) {
        const tn_image_item *item = &s->items.data[i];
        put_zeros(out, item->offset - at);
        tn_tensor_put_bytes(item->tensor, out);
        at = item->offset + item->tensor->bytes;
    }
    put_zeros(out, s->size - at);
}

/* ---- the binary form ---- */

enum { VERSION = 1, HEAD = 112, ROW = 32, LEAST_ALIGN = 64 };

static uint64_t align_of(const tn_image *image) {
    uint64_t align = LEAST_ALIGN;
    for (uint32_t i = 0; i < image->plan->n_pools; i++) {
        const tn_pool *pool = &image->plan->pools[i];
        uint64_t own = pool->kind == TN_POOL_CONST ? tn_pool_base(pool) : 1;
        align = own > align ? own : align;
    }
    return align;
}

uint64_t tn_image_at(const tn_image *image, uint32_t i) {
    uint64_t align = align_of(image);
    uint64_t at = tn_round_up(HEAD + (uint64_t)ROW * image->segments.len, align);
    for (uint32_t k = 0; k < i; k++) {
        at = tn_round_up(at + image->segments.data[k].size, align);
    }
    return at;
}

static void hash_piece(void *user, const char *data, size_t len) {
    tn_sha256_add(user, data, len);
}

/* Of the bytes of all segments, one after the other. */
static void put_content_digest(const tn_image *image, tn_sink *out) {
    tn_sha256 sha = tn_sha256_start();
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(out->arena));
    tn_sink hashed = tn_sink_streamed(scratch, (tn_drain){hash_piece, &sha});
    for (uint32_t i = 0; i < image->segments.len; i++) {
        tn_image_put(&image->segments.data[i], &hashed);
    }
    tn_sink_flush(&hashed);
    uint8_t digest[TN_SHA256_BYTES];
    tn_sha256_end(&sha, digest);
    tn_put_n(out, (const char *)digest, sizeof digest);
    tn_arena_drop(scratch);
}

/* Hex digits as bytes; zeros where there are none. */
static void put_hex(tn_sink *out, const char *hex, size_t n_bytes) {
    static const char digits[] = "0123456789abcdef";
    size_t len = strlen(hex);
    for (size_t i = 0; i < n_bytes; i++) {
        bool there = 2 * i + 1 < len;
        unsigned high = there ? (unsigned)(strchr(digits, hex[2 * i]) - digits) : 0;
        unsigned low = there ? (unsigned)(strchr(digits, hex[2 * i + 1]) - digits) : 0;
        tn_put_c(out, (char)(high << 4 | low));
    }
}

void tn_image_put_bin(const tn_image *image, tn_sink *out) {
    char layout[TN_LAYOUT_HEX];
    tn_plan_layout(image->plan, layout);
    uint64_t first = tn_image_at(image, 0);
    tn_put(out, "TNWEIGHT");
    tn_put_pattern(out, VERSION, 32);
    tn_put_pattern(out, first, 32);
    tn_put_pattern(out, image->n_const > 0 ? image->segments.data[0].size : 0, 64);
    tn_put_pattern(out, align_of(image), 64);
    put_hex(out, image->plan->digest, TN_SHA256_BYTES);
    put_content_digest(image, out);
    put_hex(out, layout, (TN_LAYOUT_HEX - 1) / 2);
    tn_put_pattern(out, image->segments.len, 32);
    tn_put_pattern(out, 0, 32);
    for (uint32_t i = 0; i < image->segments.len; i++) {
        const tn_image_segment *s = &image->segments.data[i];
        tn_put_pattern(out, s->pool, 64);
        tn_put_pattern(out, s->offset, 64);
        tn_put_pattern(out, s->size, 64);
        tn_put_pattern(out, tn_image_at(image, i), 64);
    }
    for (uint32_t i = 0; i < image->segments.len; i++) {
        put_zeros(out, tn_image_at(image, i) - tn_sink_total(out));
        tn_image_put(&image->segments.data[i], out);
    }
}
