/* Shared by the files that read JSON plans. */
#ifndef TENURE_IR_PLAN_JSON_READ_T_H
#define TENURE_IR_PLAN_JSON_READ_T_H

#include "ir/plan/json_item.h"

/* One step; numbers of values, storages and steps must be known. */
void tn_json_read_step(tn_json_item *at, tn_plan_step *s);
/* The text of {"expr": index}. */
const char *tn_json_read_expression(tn_json_item *at, const char *name, json_t *j);
/* A number; or an expression over the plan's ranges, which is set with its text, and its value at
 * their point. */
uint64_t tn_json_read_size(tn_json_item *at, const char *name, tn_dim *expr, const char **text);
/* The guard: null, or the dimensions that a variant leaves open. */
void tn_json_read_guard(tn_json_item *at);
/* Extents that data give, when the number of values is known; left out where there are none. */
void tn_json_read_by_data(tn_json_item *at);
/* Offsets of storages that lie above others, at the point; values and storages must be read. */
void tn_json_settle_offsets(tn_json_item *at);
/* What only some values have: strides, and operands that the value begins inside of. */
void tn_json_read_overlaps(tn_json_item *at, tn_plan_value *v);
/* The element type of that name. */
tn_dtype tn_json_dtype(tn_json_item *at, const char *name);

/* The list "programs" and, of a set, "links"; read_variant(at) fills at->r->plan. */
void tn_json_read_programs(tn_json_item *top, void (*read_variant)(tn_json_item *at));
/* What variants of sets have beside what every plan has. */
void tn_json_read_variant_facts(tn_json_item *at);

#endif
