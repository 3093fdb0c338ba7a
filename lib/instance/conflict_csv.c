#include "lib/instance/conflict_csv.h"

#include <string.h>

#include "ir/base/map.h"

/* A buffer's index by its interned id; TWICE for an id that names several. */
#define TWICE UINT64_MAX

typedef struct reader {
    tn_arena *arena;
    tn_loc loc;
    const char *at, *end;
    tn_map index;
    const tn_pack_csv *csv;
    TN_VEC(tn_conflict) pairs;
} reader;

static bool next_line(reader *r, const char **line, size_t *len) {
    if (r->at == r->end) {
        return false;
    }
    const char *stop = memchr(r->at, '\n', (size_t)(r->end - r->at));
    *line = r->at;
    *len = (size_t)((stop == NULL ? r->end : stop) - r->at);
    *len -= *len > 0 && r->at[*len - 1] == '\r' ? 1 : 0;
    r->at = stop == NULL ? r->end : stop + 1;
    r->loc.line++;
    return true;
}

static uint32_t find(const reader *r, const char *id, size_t len) {
    tn_ctx *ctx = tn_arena_ctx(r->arena);
    uint64_t at;
    int shown = len > 80 ? 80 : (int)len;
    if (!tn_map_get(&r->index, tn_str_id(tn_intern_n(ctx, id, len)), &at)) {
        tn_fail(ctx, &r->loc, "the instance has no buffer '%.*s'", shown, id);
    }
    if (at == TWICE) {
        tn_fail(ctx, &r->loc, "the instance has several buffers '%.*s'", shown, id);
    }
    return (uint32_t)at;
}

static void read_pair(reader *r, const char *line, size_t len) {
    const char *comma = memchr(line, ',', len);
    size_t front = comma == NULL ? 0 : (size_t)(comma - line);
    if (comma == NULL || memchr(comma + 1, ',', len - front - 1) != NULL) {
        tn_fail(tn_arena_ctx(r->arena), &r->loc, "a pair of buffers is two fields");
    }
    tn_conflict pair = {find(r, line, front), find(r, comma + 1, len - front - 1)};
    if (pair.a == pair.b) {
        tn_fail(tn_arena_ctx(r->arena), &r->loc, "buffer '%.*s' conflicts with itself",
                front > 80 ? 80 : (int)front, line);
    }
    tn_vec_push(r->arena, &r->pairs, pair);
}

static void index_ids(reader *r) {
    tn_ctx *ctx = tn_arena_ctx(r->arena);
    r->index = tn_map_make(r->arena);
    for (uint32_t i = 0; i < r->csv->n; i++) {
        uint64_t key = tn_str_id(tn_intern(ctx, r->csv->ids[i])), before;
        tn_map_put(&r->index, key, tn_map_get(&r->index, key, &before) ? TWICE : i);
    }
}

typedef struct request {
    reader r;
    tn_pack_conflicts *out;
} request;

static tn_status read_all(tn_ctx *ctx, void *arg) {
    request *q = arg;
    reader *r = &q->r;
    const char *line;
    size_t len;
    if (!next_line(r, &line, &len) || len != 3 || memcmp(line, "a,b", 3) != 0) {
        return tn_error(ctx, &r->loc, "there is no header line 'a,b'");
    }
    index_ids(r);
    while (next_line(r, &line, &len) && len > 0) {
        read_pair(r, line, len);
    }
    *q->out = (tn_pack_conflicts){r->pairs.data, r->pairs.len};
    return TN_OK;
}

tn_status tn_pack_conflicts_read(tn_arena *arena, const char *file, const void *bytes, size_t size,
                                 const tn_pack_csv *csv, tn_pack_conflicts *out) {
    const char *text = size == 0 ? "" : bytes;
    request q = {
        {.arena = arena, .loc = tn_loc_file(file), .at = text, .end = text + size, .csv = csv},
        out};
    *out = (tn_pack_conflicts){0};
    return tn_guard_run(tn_arena_ctx(arena), read_all, &q);
}
