/* How names are written in the text and JSON forms of a plan: those of its enumerations, and names
 * in quotes. */
#ifndef TENURE_IR_PLAN_PLAN_NAMES_H
#define TENURE_IR_PLAN_PLAN_NAMES_H

#include "ir/base/sink.h"
#include "ir/plan/plan.h"

/* Each list ends at NULL and is indexed by its enumeration. */
extern const char *const tn_pool_kind_names[];   /* "arena", "io", "const", "state" */
extern const char *const tn_plan_role_names[];   /* "internal", "input", ... */
extern const char *const tn_left_out_names[];    /* "open", "data", "unused", behind "" for none */
extern const char *const tn_step_kind_names[];   /* "op", "begin", "end" */
extern const char *const tn_move_when_names[];   /* "begin", "iteration", "next", ... */
extern const char *const tn_move_kind_names[];   /* "copy", "slice", "stack", ... */
extern const char *const tn_promise_names[];     /* "keep", "elements", "rows", ... */
extern const char *const tn_concurrency_names[]; /* "serial", "dataflow", "queues" */
extern const char *const tn_shift_why_names[];   /* "pool", "alias", "fix", ... */
extern const char *const tn_attr_kind_names[];   /* "int", "float", "string", ... */

/* Writes `text` as UTF-8. A tensor's name may be any bytes; one that is no UTF-8 becomes the
 * character U+10FE00 + byte, and tn_text_from_utf8 (`len` bytes into a text with NUL) gives it
 * back, so that different names stay different. */
void tn_put_utf8(tn_sink *out, const char *text);
char *tn_text_from_utf8(tn_arena *arena, const char *text, size_t len);
/* The same for bytes that may hold NUL: *n of them, and a NUL behind them. */
char *tn_bytes_from_utf8(tn_arena *arena, const char *text, size_t len, size_t *n);
/* The same in double quotes with the escapes of JSON. */
void tn_put_quoted(tn_sink *out, const char *text);
void tn_put_quoted_n(tn_sink *out, const char *text, size_t len); /* may hold NUL */
/* "1234 B", and from 1024 on "123456 B (120.56 KiB)". */
void tn_put_bytes(tn_sink *out, uint64_t bytes);
/* "1.50 MiB", "3 KiB", "512 B". */
void tn_put_size(tn_sink *out, uint64_t bytes);
/* For which dimensions the plan is: "batch = 1, length in 1..512". */
void tn_put_extents(tn_sink *out, const tn_plan *p);
/* The program and the dimensions: "decode, batch = 1". */
void tn_put_variant(tn_sink *out, const tn_plan *p);
/* Why the value lies elsewhere than before: "\"x\" lies there". */
void tn_put_shift_why(tn_sink *out, const tn_plan *p, const tn_plan_shift *shift);
/* The step as people name it: "step 5 (Relu 'r1')"; BEGIN and END say so. */
void tn_put_step(tn_sink *out, const tn_plan *p, uint32_t step);

#endif
