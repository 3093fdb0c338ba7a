#include "ir/type.h"

#include <ctype.h>
#include <string.h>

#include "ir/base/limits.h"
#include "ir/base/xmath.h"

static const tn_dtype_info dtypes[TN_DT_COUNT] = {
    [TN_DT_UNKNOWN] = {"?", 0, 0},
#define I 'I'
#define U 'U'
#define F 'F'
#define C 'C'
#define B 'B'
#define S 'S'
#define DTYPE(id, number, name, bits, kind) [TN_DT_##id] = {name, bits, kind},
#include "ir/dtype.def"
#undef DTYPE
#undef I
#undef U
#undef F
#undef C
#undef B
#undef S
};

const tn_dtype_info *tn_dtype_get(tn_dtype dtype) {
    return (unsigned)dtype < TN_DT_COUNT ? &dtypes[dtype] : &dtypes[TN_DT_UNKNOWN];
}

tn_dtype tn_dtype_find(const char *name) {
    for (unsigned i = 1; i < TN_DT_COUNT; i++) {
        if (strcmp(dtypes[i].name, name) == 0) {
            return (tn_dtype)i;
        }
    }
    return TN_DT_UNKNOWN;
}

tn_dtype tn_dtype_numbered(int64_t number) {
    switch (number) {
#define DTYPE(id, n, name, bits, kind)                                                             \
    case n:                                                                                        \
        return TN_DT_##id;
#include "ir/dtype.def"
#undef DTYPE
    default:
        return TN_DT_UNKNOWN;
    }
}

int32_t tn_dtype_number(tn_dtype dtype) {
    static const int32_t numbers[] = {
#define DTYPE(id, n, name, bits, kind) [TN_DT_##id] = (n),
#include "ir/dtype.def"
#undef DTYPE
    };
    return numbers[dtype];
}

const tn_type *tn_type_unknown(void) {
    static const tn_type unknown = {.kind = TN_TYPE_UNKNOWN};
    return &unknown;
}

const tn_type *tn_type_tensor(tn_arena *arena, tn_dtype dtype, uint32_t rank, const tn_dim *dims) {
    tn_type *t = TN_NEW(arena, tn_type);
    t->kind = TN_TYPE_TENSOR;
    t->dtype = dtype;
    t->has_rank = true;
    t->rank = rank;
    t->dims = tn_arena_regrow(arena, dims, rank, rank, sizeof *dims);
    return t;
}

const tn_type *tn_type_unranked(tn_arena *arena, tn_dtype dtype) {
    tn_type *t = TN_NEW(arena, tn_type);
    t->kind = TN_TYPE_TENSOR;
    t->dtype = dtype;
    return t;
}

const tn_type *tn_type_wrap(tn_arena *arena, tn_type_kind kind, tn_dtype key, const tn_type *elem) {
    tn_type *t = TN_NEW(arena, tn_type);
    t->kind = kind;
    t->dtype = key;
    t->elem = elem;
    return t;
}

bool tn_type_equal(const tn_type *a, const tn_type *b) {
    for (;; a = a->elem, b = b->elem) {
        if (a == b) {
            return true;
        }
        if (a->kind != b->kind || a->dtype != b->dtype || a->has_rank != b->has_rank ||
            (a->elem == NULL) != (b->elem == NULL)) {
            return false;
        }
        if (a->has_rank &&
            (a->rank != b->rank ||
             (a->rank > 0 && memcmp(a->dims, b->dims, a->rank * sizeof(tn_dim)) != 0))) {
            return false;
        }
        if (a->elem == NULL) {
            return true;
        }
    }
}

bool tn_type_same_extents(const tn_type *a, const tn_type *b) {
    if (!a->has_rank || !b->has_rank || a->rank != b->rank) {
        return false;
    }
    for (uint32_t i = 0; i < a->rank; i++) {
        if (a->dims[i] == TN_DIM_UNKNOWN || a->dims[i] != b->dims[i]) {
            return false;
        }
    }
    return true;
}

static bool has_extents(const tn_type *t) {
    return (t->kind == TN_TYPE_TENSOR || t->kind == TN_TYPE_SPARSE) && t->has_rank;
}

bool tn_type_fixed_elements(const tn_dims *d, const tn_type *t, int64_t *n) {
    return has_extents(t) && tn_dim_fixed_product(d, t->dims, t->rank, n);
}

/* `each` times the number of elements. Most dimensions are numbers, whose product needs no
 * expressions. */
static tn_dim open_product(tn_dims *d, const tn_type *t, int64_t each) {
    tn_dim open = TN_DIM_UNKNOWN;
    int64_t extent, product = each;
    bool has_open = false;
    for (uint32_t i = 0; i < t->rank; i++) {
        if (t->dims[i] == TN_DIM_UNKNOWN) {
            return TN_DIM_UNKNOWN;
        }
        if (!tn_dim_is_const(d, t->dims[i], &extent)) {
            open = has_open ? tn_dim_mul(d, open, t->dims[i]) : t->dims[i];
            has_open = true;
        } else if (extent < 0 || !tn_mul_i64(product, extent, &product)) {
            return TN_DIM_UNKNOWN;
        }
    }
    if (!has_open || product == 1) {
        return open;
    }
    return tn_dim_mul(d, open, tn_dim_const(d, product));
}

tn_dim tn_type_elements(tn_dims *d, const tn_type *t) {
    int64_t n;
    if (tn_type_fixed_elements(d, t, &n)) {
        return tn_dim_const(d, n);
    }
    return has_extents(t) ? open_product(d, t, 1) : TN_DIM_UNKNOWN;
}

/* Without a look at expressions. */
static bool numbered_bytes(tn_dims *d, const tn_type *t, int64_t *bytes) {
    uint16_t bits = tn_dtype_get(t->dtype)->bits;
    int64_t n;
    if (t->kind != TN_TYPE_TENSOR || bits == 0 || !tn_type_fixed_elements(d, t, &n)) {
        return false;
    }
    if (bits >= 8) {
        return tn_mul_i64(n, bits / 8, bytes);
    }
    *bytes = n / (8 / bits) + (n % (8 / bits) != 0);
    return true;
}

bool tn_type_fixed_bytes(tn_dims *d, const tn_type *t, int64_t *bytes) {
    return numbered_bytes(d, t, bytes) || tn_dim_is_const(d, tn_type_bytes(d, t), bytes);
}

bool tn_type_too_large(tn_dims *d, const tn_type *t) {
    int64_t n;
    if (t->kind != TN_TYPE_TENSOR || !t->has_rank || tn_dtype_get(t->dtype)->bits == 0) {
        return false;
    }
    for (uint32_t i = 0; i < t->rank; i++) {
        if (!tn_dim_is_const(d, t->dims[i], &n) || n < 0) {
            return false;
        }
    }
    return !tn_type_fixed_bytes(d, t, &n) || (uint64_t)n > TN_MAX_TENSOR_BYTES;
}

bool tn_type_point_bytes(tn_dims *d, const tn_type *t, int64_t *bytes) {
    return numbered_bytes(d, t, bytes) || tn_dim_at_point(d, tn_type_room(d, t), bytes);
}

tn_dim tn_type_room(tn_dims *d, const tn_type *t) {
    return tn_dim_most(d, tn_type_bytes(d, t));
}

bool tn_type_by_data(tn_dims *d, const tn_type *t) {
    bool found = false;
    for (uint32_t i = 0; has_extents(t) && i < t->rank && !found; i++) {
        found = t->dims[i] != TN_DIM_UNKNOWN && tn_dim_by_data(d, t->dims[i]);
    }
    return found;
}

bool tn_type_shape_from_run(tn_dims *d, const tn_type *t) {
    for (uint32_t i = 0; t->has_rank && i < t->rank; i++) {
        if (t->dims[i] == TN_DIM_UNKNOWN) {
            return true;
        }
    }
    return !t->has_rank || tn_type_by_data(d, t);
}

bool tn_type_same_bytes(tn_dims *d, const tn_type *a, const tn_type *b) {
    int64_t x, y;
    if (tn_type_fixed_bytes(d, a, &x)) {
        return tn_type_fixed_bytes(d, b, &y) && x == y;
    }
    tn_dim n = tn_type_bytes(d, a);
    return n != TN_DIM_UNKNOWN && n == tn_type_bytes(d, b);
}

tn_dim tn_type_bytes(tn_dims *d, const tn_type *t) {
    uint16_t bits = tn_dtype_get(t->dtype)->bits;
    if (t->kind != TN_TYPE_TENSOR || bits == 0) {
        return TN_DIM_UNKNOWN;
    }
    int64_t n;
    if (bits < 8) {
        return tn_dim_ceildiv(d, tn_type_elements(d, t), tn_dim_const(d, 8 / bits));
    }
    if (tn_type_fixed_elements(d, t, &n)) {
        return tn_mul_i64(n, bits / 8, &n) ? tn_dim_const(d, n) : TN_DIM_UNKNOWN;
    }
    return has_extents(t) ? open_product(d, t, bits / 8) : TN_DIM_UNKNOWN;
}

void tn_type_print(const tn_dims *d, const tn_type *t, tn_sink *out) {
    switch (t->kind) {
    case TN_TYPE_UNKNOWN:
        tn_put_c(out, '?');
        return;
    case TN_TYPE_OPAQUE:
        tn_put(out, "opaque");
        return;
    case TN_TYPE_SEQUENCE:
    case TN_TYPE_OPTIONAL:
        tn_put(out, t->kind == TN_TYPE_SEQUENCE ? "seq(" : "opt(");
        tn_type_print(d, t->elem, out);
        tn_put_c(out, ')');
        return;
    case TN_TYPE_MAP:
        tn_putf(out, "map(%s,", tn_dtype_get(t->dtype)->name);
        tn_type_print(d, t->elem, out);
        tn_put_c(out, ')');
        return;
    case TN_TYPE_SPARSE:
        tn_put(out, "sparse ");
        break;
    case TN_TYPE_TENSOR:
        break;
    }
    tn_put(out, tn_dtype_get(t->dtype)->name);
    if (!t->has_rank) {
        tn_put(out, "[*]");
        return;
    }
    tn_put_c(out, '[');
    for (uint32_t i = 0; i < t->rank; i++) {
        tn_put(out, i > 0 ? "," : "");
        tn_dim_print(d, t->dims[i], out);
    }
    tn_put_c(out, ']');
}

enum { MAX_DEPTH = 64 };

static bool starts(const char **at, const char *word) {
    size_t n = strlen(word);
    if (strncmp(*at, word, n) != 0) {
        return false;
    }
    *at += n;
    return true;
}

static bool parse_dtype(const char **at, tn_dtype *out) {
    char name[16];
    size_t n = 0;
    if (starts(at, "?")) {
        *out = TN_DT_UNKNOWN;
        return true;
    }
    while (isalnum((unsigned char)(*at)[n]) && n < sizeof name - 1) {
        name[n] = (*at)[n];
        n++;
    }
    name[n] = '\0';
    *out = tn_dtype_find(name);
    *at += n;
    return *out != TN_DT_UNKNOWN;
}

static bool parse_tensor(tn_dims *d, tn_arena *arena, const char **at, tn_type_kind kind,
                         const tn_type **out) {
    tn_dim dims[TN_MAX_RANK];
    uint32_t rank = 0;
    tn_type t = {.kind = kind};
    if (!parse_dtype(at, &t.dtype) || !starts(at, "[")) {
        return false;
    }
    if (starts(at, "*]")) {
        tn_type *copy = TN_NEW(arena, tn_type);
        *copy = t;
        *out = copy;
        return true;
    }
    if (!starts(at, "]")) {
        do {
            if (rank == TN_MAX_RANK || !tn_dim_parse(d, at, &dims[rank])) {
                return false;
            }
            rank++;
        } while (starts(at, ","));
        if (!starts(at, "]")) {
            return false;
        }
    }
    tn_type *copy = TN_NEW(arena, tn_type);
    *copy = *tn_type_tensor(arena, t.dtype, rank, dims);
    copy->kind = kind;
    *out = copy;
    return true;
}

static bool parse(tn_dims *d, tn_arena *arena, const char **at, const tn_type **out,
                  uint32_t depth) {
    const tn_type *elem;
    tn_dtype key = TN_DT_UNKNOWN;
    if (depth > MAX_DEPTH) {
        return false;
    }
    tn_type_kind kind = starts(at, "seq(")   ? TN_TYPE_SEQUENCE
                        : starts(at, "opt(") ? TN_TYPE_OPTIONAL
                        : starts(at, "map(") ? TN_TYPE_MAP
                                             : TN_TYPE_UNKNOWN;
    if (kind != TN_TYPE_UNKNOWN) {
        if (kind == TN_TYPE_MAP && (!parse_dtype(at, &key) || !starts(at, ","))) {
            return false;
        }
        if (!parse(d, arena, at, &elem, depth + 1) || !starts(at, ")")) {
            return false;
        }
        *out = tn_type_wrap(arena, kind, key, elem);
        return true;
    }
    if (starts(at, "opaque")) {
        *out = tn_type_wrap(arena, TN_TYPE_OPAQUE, TN_DT_UNKNOWN, NULL);
        return true;
    }
    if (**at == '?' && (*at)[1] != '[') {
        (*at)++;
        *out = tn_type_unknown();
        return true;
    }
    return parse_tensor(d, arena, at, starts(at, "sparse ") ? TN_TYPE_SPARSE : TN_TYPE_TENSOR, out);
}

bool tn_type_parse(tn_dims *d, tn_arena *arena, const char **text, const tn_type **out) {
    const char *at = *text;
    if (!parse(d, arena, &at, out, 0)) {
        return false;
    }
    *text = at;
    return true;
}
