/* Pieces of the JSON form, written straight into a sink. A member is put with the comma before it,
 * so the first member of an object is written by whoever opens it. */
#ifndef TENURE_IR_PLAN_JSON_PUT_H
#define TENURE_IR_PLAN_JSON_PUT_H

#include "ir/base/map.h"
#include "ir/plan/plan.h"

void tn_json_put_key(tn_sink *out, const char *name);
/* A string, or null for NULL. */
void tn_json_put_text(tn_sink *out, const char *name, const char *value);
void tn_json_put_number(tn_sink *out, const char *name, uint64_t value);
void tn_json_put_step_number(tn_sink *out, const char *name, int32_t value);
/* An index, or null for TN_NO_ID; so are the entries of lists. */
void tn_json_put_index(tn_sink *out, const char *name, uint32_t id);
void tn_json_put_flag(tn_sink *out, const char *name, bool value);
void tn_json_put_ids(tn_sink *out, const char *name, tn_ids list);

/* Items of a list stand on lines of their own; `first` is the key that opens item i. */
void tn_json_begin_item(tn_sink *out, uint32_t i, const char *first);
void tn_json_begin_list(tn_sink *out, const char *name);
void tn_json_end_list(tn_sink *out, uint32_t n);

/* Open extents and sizes of a plan, each text once; what names them does so by index. */
typedef struct tn_json_expressions {
    tn_arena *arena;
    tn_ctx *ctx;
    tn_map index; /* of an interned text: its place */
    TN_VEC(const char *) texts;
} tn_json_expressions;

/* Those of all plans of a set. */
tn_json_expressions tn_json_expressions_of(tn_arena *arena, const tn_plan *p);
/* The number, or {"expr": i} where the plan has an expression for it, in its table. */
void tn_json_put_size(const tn_json_expressions *e, tn_sink *out, const char *name,
                      const tn_dims *table, tn_dim expr, uint64_t number);
/* The guard of a variant, null or its ranges, and what follows from them. */
void tn_json_put_guard(const tn_json_expressions *e, tn_sink *out, const tn_plan *p);
/* Extents that data give; nothing where there are none. */
void tn_json_put_by_data(const tn_json_expressions *e, tn_sink *out, const tn_plan *p);
/* The list "expressions". */
void tn_json_put_expressions(const tn_json_expressions *e, tn_sink *out);
/* What only some values have: strides, where the elements do not lie in row-major order, and
 * operands that the value begins inside of. */
void tn_json_put_overlaps(tn_sink *out, const tn_plan_value *v);
/* What a value is, wherever it lies: begins with the name, as an item opened with it goes on. */
void tn_json_put_value_facts(const tn_json_expressions *e, tn_sink *out, const tn_plan *p,
                             const tn_plan_value *v);

/* What a step runs: begins with its kind, as an item opened with that goes on. */
void tn_json_put_step_facts(tn_sink *out, const tn_plan_step *s);
/* The key "workspace" with what the kernel needs beside operands and results. */
void tn_json_put_workspace(tn_sink *out, const tn_plan_step *s);
/* The list "steps" of a plan. */
void tn_json_put_steps(tn_sink *out, const tn_plan *p);
/* Of a variant of a set: what it is made of, and its part of the pools. Nothing without a set. */
void tn_json_put_variant_facts(tn_sink *out, const tn_plan *p);
/* The name of a program, and of its model where they are in a set; the object stays open. */
void tn_json_put_program_head(tn_sink *out, const tn_plan *first);
/* The list "links" of a set. Nothing without one. */
void tn_json_put_links(tn_sink *out, const tn_plan *p);
/* The dimensions that were bound, "binding". */
void tn_json_put_binding(tn_sink *out, const tn_plan *p);

#endif
