/* Forms of a plan: text for tests and people, JSON (docs/plan.schema.json) for other tools. */
#ifndef TENURE_IR_PLAN_FORMS_H
#define TENURE_IR_PLAN_FORMS_H

#include "ir/base/sink.h"
#include "ir/plan/plan.h"

void tn_plan_print(const tn_plan *p, tn_sink *out);
void tn_plan_to_json(const tn_plan *p, tn_sink *out);
/* Key of a model's metadata under which its plan is kept, in JSON. */
#define TN_PLAN_NOTE "tenure.plan.json"
/* Reads JSON; errors name the file, and the place in it. The plan is checked for internal
 * consistency (indices in range), not against any model. NULL after a diagnostic. */
tn_plan *tn_plan_from_json(tn_ctx *ctx, const char *file, const void *data, size_t size);
/* The report a person reads: totals, gap, counts, peak step and who is alive there, what could not
 * be planned and why. */
void tn_plan_report_print(const tn_plan *p, tn_sink *out);
/* The same of one plan of a set. */
void tn_plan_report_one(const tn_plan *p, tn_sink *out);
/* Of a plan that is not whole: how many values have no place, and what is open or not known. */
void tn_plan_put_left_out(const tn_plan *p, tn_sink *out);
/* Of a partial plan: the options that would give them one, with `another` way at the end if not
 * NULL. */
void tn_plan_put_ways_out(const tn_plan *p, const char *another, tn_sink *out);

/* " at most 12": how large an extent that data give can be. */
void tn_plan_put_most(const tn_plan_data_dim *d, tn_sink *out);
/* A table with the limits of the extents that data give; NULL: the plan has none. */
tn_dims *tn_plan_limits(const tn_plan *p, tn_arena *arena);
/* Extent `axis` of the value, or what it is at most where data give it; -1 where it is open.
 * `limits` is that table. */
int64_t tn_plan_extent_at_most(tn_dims *limits, const tn_plan_value *v, uint32_t axis);
/* What the report says of extents that data give; nothing where there are none. */
void tn_plan_put_by_data(const tn_plan *p, tn_sink *out);
/* What the report says of dimensions that stay open; nothing where none does. */
void tn_plan_put_open(const tn_plan *p, tn_sink *out);

#endif
