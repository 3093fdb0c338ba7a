#include "ir/plan/plan_names.h"

#include <string.h>

const char *const tn_pool_kind_names[] = {[TN_POOL_ARENA] = "arena",
                                          [TN_POOL_IO] = "io",
                                          [TN_POOL_CONST] = "const",
                                          [TN_POOL_STATE] = "state",
                                          NULL};
const char *const tn_plan_role_names[] = {[TN_ROLE_INTERNAL] = "internal",
                                          [TN_ROLE_INPUT] = "input",
                                          [TN_ROLE_OUTPUT] = "output",
                                          [TN_ROLE_CONST] = "const",
                                          [TN_ROLE_STATE] = "state",
                                          [TN_ROLE_WORKSPACE] = "workspace",
                                          NULL};
const char *const tn_left_out_names[] = {[TN_LEFT_NOT] = "",
                                         [TN_LEFT_OPEN] = "open",
                                         [TN_LEFT_DATA] = "data",
                                         [TN_LEFT_UNUSED] = "unused",
                                         NULL};
const char *const tn_concurrency_names[] = {
    [TN_SERIAL] = "serial", [TN_DATAFLOW] = "dataflow", [TN_QUEUES] = "queues", NULL};
const char *const tn_step_kind_names[] = {
    [TN_STEP_OP] = "op", [TN_STEP_BEGIN] = "begin", [TN_STEP_END] = "end", NULL};
const char *const tn_move_when_names[] = {[TN_MOVE_BEGIN] = "begin",
                                          [TN_MOVE_ITERATION] = "iteration",
                                          [TN_MOVE_NEXT] = "next",
                                          [TN_MOVE_AFTER] = "after",
                                          [TN_MOVE_END] = "end",
                                          [TN_MOVE_NONE] = "none",
                                          NULL};
const char *const tn_move_kind_names[] = {
    [TN_MOVE_COPY] = "copy",   [TN_MOVE_SLICE] = "slice", [TN_MOVE_STACK] = "stack",
    [TN_MOVE_COUNT] = "count", [TN_MOVE_TRUE] = "true",   NULL};
const char *const tn_shift_why_names[] = {[TN_SHIFT_POOL] = "pool",
                                          [TN_SHIFT_ALIAS] = "alias",
                                          [TN_SHIFT_FIX] = "fix",
                                          [TN_SHIFT_ALIGN] = "align",
                                          [TN_SHIFT_SIZE] = "size",
                                          [TN_SHIFT_TAKEN] = "taken",
                                          NULL};
const char *const tn_promise_names[] = {[TN_PROMISE_KEEP] = "keep",
                                        [TN_PROMISE_ELEMENTS] = "elements",
                                        [TN_PROMISE_ROWS] = "rows",
                                        [TN_PROMISE_UPDATE] = "update",
                                        [TN_PROMISE_DEFINITION] = "definition",
                                        [TN_PROMISE_ASCENDING] = "ascending",
                                        [TN_PROMISE_DESCENDING] = "descending",
                                        [TN_PROMISE_OVERLAP_ROWS] = "overlap-rows",
                                        [TN_PROMISE_OVERLAP_ROWS_BUFFERED] =
                                            "overlap-rows-buffered",
                                        [TN_PROMISE_OVERLAP_ELEMENTS] = "overlap-elements",
                                        [TN_PROMISE_OVERLAP_PIXELS] = "overlap-pixels",
                                        NULL};
const char *const tn_attr_kind_names[] = {[TN_ATTR_INT] = "int",
                                          [TN_ATTR_FLOAT] = "float",
                                          [TN_ATTR_STRING] = "string",
                                          [TN_ATTR_TENSOR] = "tensor",
                                          [TN_ATTR_GRAPH] = "graph",
                                          [TN_ATTR_TYPE] = "type",
                                          [TN_ATTR_INTS] = "ints",
                                          [TN_ATTR_FLOATS] = "floats",
                                          [TN_ATTR_STRINGS] = "strings",
                                          [TN_ATTR_TENSORS] = "tensors",
                                          [TN_ATTR_GRAPHS] = "graphs",
                                          [TN_ATTR_TYPES] = "types",
                                          NULL};

static void put_escape(tn_sink *out, unsigned char c) {
    switch (c) {
    case '"':
        tn_put(out, "\\\"");
        break;
    case '\\':
        tn_put(out, "\\\\");
        break;
    case '\n':
        tn_put(out, "\\n");
        break;
    case '\r':
        tn_put(out, "\\r");
        break;
    case '\t':
        tn_put(out, "\\t");
        break;
    default:
        tn_putf(out, "\\u%04x", c);
    }
}

/* Bytes that are no UTF-8 stand as U+10FE80 to U+10FEFF, of a plane for private use. Where a text
 * has one of these characters itself, its bytes stand one by one too, so no two texts look alike.
 */
enum { BYTE_FROM = 0x80, SPELLED_BYTES = 4 };

static bool is_spelled(const char *text, size_t left) {
    return left >= SPELLED_BYTES && memcmp(text, "\xf4\x8f", 2) == 0 &&
           (unsigned char)text[2] >> 1 == 0xba >> 1 && tn_utf8_len(text, left) == SPELLED_BYTES;
}

static void put_spelled(tn_sink *out, unsigned char byte) {
    const char spelled[] = {'\xf4', '\x8f', (char)(0xba | (byte >> 6 & 1)),
                            (char)(0x80 | (byte & 0x3f))};
    tn_put_n(out, spelled, sizeof spelled);
}

/* One character of `left` bytes, more than none; how many it has. */
static size_t put_character(tn_sink *out, const char *text, size_t left) {
    size_t n = is_spelled(text, left) ? 0 : tn_utf8_len(text, left);
    if (n > 0) {
        tn_put_n(out, text, n);
        return n;
    }
    put_spelled(out, (unsigned char)*text);
    return 1;
}

void tn_put_utf8(tn_sink *out, const char *text) {
    for (size_t left = strlen(text), n; left > 0; left -= n, text += n) {
        n = put_character(out, text, left);
    }
}

char *tn_text_from_utf8(tn_arena *arena, const char *text, size_t len) {
    size_t n;
    return tn_bytes_from_utf8(arena, text, len, &n);
}

char *tn_bytes_from_utf8(tn_arena *arena, const char *text, size_t len, size_t *n) {
    char *back = tn_arena_strndup(arena, text, len), *to = back;
    for (const char *at = back, *end = back + len; at < end;) {
        if (is_spelled(at, (size_t)(end - at))) {
            unsigned byte = ((unsigned char)at[2] & 1u) << 6 | ((unsigned char)at[3] & 0x3fu);
            *to++ = (char)(BYTE_FROM | byte);
            at += SPELLED_BYTES;
        } else {
            *to++ = *at++;
        }
    }
    *to = '\0';
    *n = (size_t)(to - back);
    return back;
}

void tn_put_quoted(tn_sink *out, const char *text) {
    tn_put_quoted_n(out, text, strlen(text));
}

void tn_put_quoted_n(tn_sink *out, const char *text, size_t len) {
    tn_put_c(out, '"');
    for (size_t left = len, n; left > 0; left -= n, text += n) {
        n = 1;
        if (tn_utf8_is_control(text, 1) || *text == '"' || *text == '\\') {
            put_escape(out, (unsigned char)*text);
        } else {
            n = put_character(out, text, left);
        }
    }
    tn_put_c(out, '"');
}

void tn_put_size(tn_sink *out, uint64_t bytes) {
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    size_t unit = 0;
    double scaled = (double)bytes;
    for (; scaled >= 1024 && unit + 1 < sizeof units / sizeof units[0]; scaled /= 1024) {
        unit++;
    }
    if (scaled == (double)(uint64_t)scaled) {
        tn_put_u64(out, (uint64_t)scaled);
    } else {
        tn_put_decimal(out, scaled);
    }
    tn_putf(out, " %s", units[unit]);
}

void tn_put_bytes(tn_sink *out, uint64_t bytes) {
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    tn_putf(out, "%llu B", (unsigned long long)bytes);
    if (bytes < 1024) {
        return;
    }
    double scaled = (double)bytes / 1024;
    size_t unit = 0;
    while (scaled >= 1024 && unit + 1 < sizeof units / sizeof units[0]) {
        scaled /= 1024;
        unit++;
    }
    tn_put(out, " (");
    tn_put_decimal(out, scaled);
    tn_putf(out, " %s)", units[unit]);
}

void tn_put_extents(tn_sink *out, const tn_plan *p) {
    const char *comma = "";
    for (uint32_t i = 0; i < p->n_dims; i++, comma = ", ") {
        tn_put(out, comma);
        tn_dim_put_name(out, p->dims[i].name);
        tn_putf(out, " = %lld", (long long)p->dims[i].value);
    }
    for (uint32_t i = 0; i < p->n_ranges; i++, comma = ", ") {
        tn_put(out, comma);
        tn_dim_put_name(out, p->ranges[i].name);
        tn_putf(out, " in %lld..%lld", (long long)p->ranges[i].min, (long long)p->ranges[i].max);
    }
    for (uint32_t i = 0; i < p->n_relations; i++, comma = ", ") {
        tn_put(out, comma);
        tn_dim_put_name(out, p->relations[i].name);
        tn_putf(out, " = %s", p->relations[i].is_text);
    }
}

void tn_put_variant(tn_sink *out, const tn_plan *p) {
    const tn_plan_program *program = tn_plan_program_of(p);
    tn_put(out, program != NULL ? program->name : p->model);
    tn_put(out, p->n_dims + p->n_ranges > 0 ? ", " : "");
    tn_put_extents(out, p);
}

void tn_put_shift_why(tn_sink *out, const tn_plan *p, const tn_plan_shift *shift) {
    static const char *const words[] = {
        [TN_SHIFT_POOL] = "it is in another pool now",
        [TN_SHIFT_ALIAS] = "it shares bytes with values that lay elsewhere",
        [TN_SHIFT_FIX] = "--fix says where it lies",
        [TN_SHIFT_ALIGN] = "its alignment forbids that offset",
        [TN_SHIFT_SIZE] = "it would end behind what the pool may have",
        [TN_SHIFT_TAKEN] = "others needed the place"};
    if (shift->by != TN_NO_ID) {
        tn_put_quoted(out, p->values[shift->by].name);
        tn_put(out, " lies there at the same time");
    } else {
        tn_put(out, words[shift->why]);
    }
}

void tn_put_step(tn_sink *out, const tn_plan *p, uint32_t step) {
    if (step >= p->n_steps) {
        tn_putf(out, "step %u", step);
        return;
    }
    const tn_plan_step *s = &p->steps[step];
    static const char *const words[] = {"", "begin of ", "end of "};
    tn_putf(out, "step %u (%s", step, words[s->kind]);
    tn_put_line(out, s->op);
    const char *made = s->writes.len > 0 ? p->values[s->writes.data[0]].name : NULL;
    if (s->name[0] != '\0' || made != NULL) {
        tn_put(out, s->name[0] != '\0' ? " '" : " making '");
        tn_put_line(out, s->name[0] != '\0' ? s->name : made);
        tn_put_c(out, '\'');
    }
    tn_put_c(out, ')');
}
