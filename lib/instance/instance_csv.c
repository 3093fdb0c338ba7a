#include "lib/instance/instance_csv.h"

#include <inttypes.h>
#include <string.h>

#include "ir/base/buffer_csv.h"
#include "ir/base/xmath.h"

typedef enum column { ID, LOWER, UPPER, SIZE, ALIGNMENT, HINT, GAPS, OFFSET, N_COLUMNS } column;

static const struct {
    const char *name;
    column column;
    bool inclusive;
} names[] = {
    {"id", ID, false},
    {"buffer", ID, false},
    {"buffer_id", ID, false},
    {"lower", LOWER, false},
    {"begin", LOWER, false},
    {"start", LOWER, false},
    {"upper", UPPER, false},
    {"end", UPPER, true},
    {"size", SIZE, false},
    {"hint", HINT, false},
    {"alignment", ALIGNMENT, false},
    {"gaps", GAPS, false},
    {"offset", OFFSET, false},
};

enum { N_NAMES = sizeof names / sizeof names[0], MAX_FIELDS = 64 };

typedef struct text {
    const char *at, *end;
} text;

typedef struct reader {
    tn_arena *arena;
    tn_loc loc;
    text rest;
    int field[N_COLUMNS]; /* index in a row, -1: no such column */
    uint32_t n_fields;
    bool inclusive;
    tn_pack_csv *out;
    uint32_t cap;
} reader;

TN_NORETURN static void fail_value(const reader *r, const char *what, text t) {
    tn_fail(tn_arena_ctx(r->arena), &r->loc, "'%.*s' is not a valid %s",
            (int)(t.end - t.at > 80 ? 80 : t.end - t.at), t.at, what);
}

/* The next line without its end; false at the end of the bytes. */
static bool next_line(reader *r, text *line) {
    if (r->rest.at == r->rest.end) {
        return false;
    }
    size_t left = (size_t)(r->rest.end - r->rest.at);
    const char *stop = memchr(r->rest.at, '\n', left);
    *line = (text){r->rest.at, stop == NULL ? r->rest.end : stop};
    r->rest.at = stop == NULL ? r->rest.end : stop + 1;
    if (line->end > line->at && line->end[-1] == '\r') {
        line->end--;
    }
    r->loc.line++;
    return true;
}

/* Cuts what stands before `separator` off the front of `t`, or all of it. */
static text cut(text *t, char separator) {
    const char *stop = t->at;
    while (stop < t->end && *stop != separator) {
        stop++;
    }
    text front = {t->at, stop};
    t->at = stop < t->end ? stop + 1 : stop;
    return front;
}

static uint32_t split(const reader *r, text line, text fields[MAX_FIELDS]) {
    for (uint32_t n = 0;;) {
        if (n == MAX_FIELDS) {
            tn_fail(tn_arena_ctx(r->arena), &r->loc, "more than %d columns", MAX_FIELDS);
        }
        bool last = memchr(line.at, ',', (size_t)(line.end - line.at)) == NULL;
        fields[n++] = cut(&line, ',');
        if (last) {
            return n;
        }
    }
}

/* A decimal integer at the front of `t`, which moves behind it. */
static bool take_int(text *t, int64_t *out) {
    bool negative = t->at < t->end && *t->at == '-';
    const char *p = t->at + (negative ? 1 : 0), *digits = p;
    int64_t v = 0;
    for (; p < t->end && *p >= '0' && *p <= '9'; p++) {
        int64_t digit = *p - '0';
        if (!tn_mul_i64(v, 10, &v) || !tn_add_i64(v, negative ? -digit : digit, &v)) {
            return false;
        }
    }
    t->at = p;
    *out = v;
    return p > digits;
}

static int64_t whole_int(const reader *r, const char *what, text field, int64_t least) {
    int64_t v;
    text t = field;
    if (!take_int(&t, &v) || t.at != t.end || v < least) {
        fail_value(r, what, field);
    }
    return v;
}

static bool take_char(text *t, char c) {
    if (t->at < t->end && *t->at == c) {
        t->at++;
        return true;
    }
    return false;
}

static tn_pack_gap read_gap(const reader *r, text field) {
    text t = field;
    tn_pack_gap gap = {0};
    int64_t lo = 0, hi = 0;
    bool ok = take_int(&t, &gap.first) && take_char(&t, '-') && take_int(&t, &gap.last);
    if (ok && take_char(&t, '@')) {
        ok = take_int(&t, &lo) && take_char(&t, ':') && take_int(&t, &hi) && lo >= 0 && hi >= lo;
    }
    if (!ok || t.at != t.end || (r->inclusive && !tn_add_i64(gap.last, 1, &gap.last))) {
        fail_value(r, "gap (a-b or a-b@lo:hi)", field);
    }
    gap.lo = (uint64_t)lo;
    gap.hi = (uint64_t)hi;
    return gap;
}

static void read_gaps(const reader *r, text field, tn_pack_buffer *b) {
    TN_VEC(tn_pack_gap) gaps = {0};
    while (field.at < field.end) {
        text one = cut(&field, ' ');
        if (one.at < one.end) {
            tn_vec_push(r->arena, &gaps, read_gap(r, one));
        }
    }
    b->gaps = gaps.data;
    b->n_gaps = gaps.len;
}

static void read_header(reader *r, text line) {
    text fields[MAX_FIELDS];
    r->n_fields = split(r, line, fields);
    memset(r->field, -1, sizeof r->field);
    for (uint32_t f = 0; f < r->n_fields; f++) {
        size_t len = (size_t)(fields[f].end - fields[f].at), k = 0;
        while (k < N_NAMES &&
               (strlen(names[k].name) != len || memcmp(names[k].name, fields[f].at, len) != 0)) {
            k++;
        }
        if (k == N_NAMES) {
            fail_value(r, "column name", fields[f]);
        }
        if (r->field[names[k].column] >= 0) {
            tn_fail(tn_arena_ctx(r->arena), &r->loc, "column '%s' comes twice", names[k].name);
        }
        r->field[names[k].column] = (int)f;
        r->inclusive |= names[k].inclusive;
    }
    for (column c = ID; c <= SIZE; c++) {
        static const char *const needed[] = {"id", "lower", "upper", "size"};
        if (r->field[c] < 0) {
            tn_fail(tn_arena_ctx(r->arena), &r->loc, "there is no column '%s'", needed[c]);
        }
    }
    r->out->has_alignment = r->field[ALIGNMENT] >= 0;
    r->out->has_hints = r->field[HINT] >= 0;
    r->out->has_gaps = r->field[GAPS] >= 0;
}

static void make_room(reader *r) {
    tn_pack_csv *out = r->out;
    if (out->n < r->cap) {
        return;
    }
    uint32_t cap = r->cap == 0 ? 256 : 2 * r->cap;
    out->buffers = tn_arena_regrow(r->arena, out->buffers, out->n, cap, sizeof *out->buffers);
    out->ids = tn_arena_regrow(r->arena, out->ids, out->n, cap, sizeof *out->ids);
    out->hints = tn_arena_regrow(r->arena, out->hints, out->n, cap, sizeof *out->hints);
    r->cap = cap;
}

static void read_row(reader *r, text line) {
    text f[MAX_FIELDS];
    uint32_t n = split(r, line, f);
    if (n != r->n_fields) {
        tn_fail(tn_arena_ctx(r->arena), &r->loc, "%u fields, the header has %u columns", n,
                r->n_fields);
    }
    make_room(r);
    uint32_t at = r->out->n++;
    tn_pack_buffer *b = &r->out->buffers[at];
    text id = f[r->field[ID]];
    r->out->ids[at] = tn_arena_strndup(r->arena, id.at, (size_t)(id.end - id.at));
    b->first = whole_int(r, "start of a live range", f[r->field[LOWER]], INT64_MIN);
    b->last = whole_int(r, "end of a live range", f[r->field[UPPER]], b->first);
    if ((r->inclusive && !tn_add_i64(b->last, 1, &b->last)) || b->last <= b->first) {
        tn_fail(tn_arena_ctx(r->arena), &r->loc, "buffer '%s' has an empty live range",
                r->out->ids[at]);
    }
    b->size = (uint64_t)whole_int(r, "size", f[r->field[SIZE]], 0);
    int align = r->field[ALIGNMENT], hint = r->field[HINT], offset = r->field[OFFSET];
    b->align = align < 0 ? 1 : (uint64_t)whole_int(r, "alignment", f[align], 1);
    r->out->hints[at] = hint < 0 ? -1 : whole_int(r, "hint", f[hint], -1);
    b->fixed = offset < 0 ? TN_PACK_FREE : (uint64_t)whole_int(r, "offset", f[offset], 0);
    if (r->field[GAPS] >= 0) {
        read_gaps(r, f[r->field[GAPS]], b);
    }
}

typedef struct request {
    tn_arena *arena;
    const char *file;
    text bytes;
    tn_pack_csv *out;
} request;

static tn_status read_all(tn_ctx *ctx, void *arg) {
    request *q = arg;
    reader r = {.arena = q->arena, .loc = tn_loc_file(q->file), .rest = q->bytes, .out = q->out};
    text line;
    if (!next_line(&r, &line) || line.at == line.end) {
        return tn_error(ctx, &r.loc, "there is no header line");
    }
    read_header(&r, line);
    while (next_line(&r, &line) && line.at < line.end) {
        read_row(&r, line);
    }
    return TN_OK;
}

/* A boundary of its own, so that a bad file is a status for every caller. */
tn_status tn_pack_csv_read(tn_arena *arena, const char *file, const void *bytes, size_t size,
                           tn_pack_csv *out) {
    const char *text_bytes = size == 0 ? "" : bytes;
    request q = {arena, file, {text_bytes, text_bytes + size}, out};
    memset(out, 0, sizeof *out);
    return tn_guard_run(tn_arena_ctx(arena), read_all, &q);
}

/* The text of a buffer's gaps, in `out` from its start. */
static const char *gaps_text(tn_sink *out, const tn_pack_buffer *b) {
    out->len = 0;
    tn_put(out, "");
    for (uint32_t g = 0; g < b->n_gaps; g++) {
        const tn_pack_gap *gap = &b->gaps[g];
        tn_putf(out, "%s%" PRId64 "-%" PRId64, g == 0 ? "" : " ", gap->first, gap->last);
        if (gap->lo < gap->hi) {
            tn_putf(out, "@%" PRIu64 ":%" PRIu64, gap->lo, gap->hi);
        }
    }
    return out->data;
}

void tn_pack_csv_write(tn_sink *sink, const tn_pack_csv *csv, const uint64_t *offsets) {
    unsigned columns = (csv->has_alignment ? TN_CSV_ALIGNMENT : 0u) |
                       (csv->has_hints ? TN_CSV_HINT : 0u) | (csv->has_gaps ? TN_CSV_GAPS : 0u) |
                       (offsets != NULL ? TN_CSV_OFFSET : 0u);
    tn_sink gaps = tn_sink_make(sink->arena);
    tn_buffer_csv_header(sink, columns);
    for (uint32_t i = 0; i < csv->n; i++) {
        const tn_pack_buffer *b = &csv->buffers[i];
        tn_buffer_row row = {.id = csv->ids[i],
                             .lower = b->first,
                             .upper = b->last,
                             .size = b->size,
                             .alignment = b->align,
                             .hint = csv->hints[i],
                             .gaps = gaps_text(&gaps, b),
                             .offset = offsets != NULL ? offsets[i] : 0};
        tn_buffer_csv_row(sink, columns, &row);
    }
}
