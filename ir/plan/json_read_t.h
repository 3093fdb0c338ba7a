/* Shared by the files that read JSON plans. */
#ifndef TENURE_IR_PLAN_JSON_READ_T_H
#define TENURE_IR_PLAN_JSON_READ_T_H

#include "ir/plan/json_item.h"

/* One step; numbers of values, storages and steps must be known. */
void tn_json_read_step(tn_json_item *at, tn_plan_step *s);
/* The element type of that name. */
tn_dtype tn_json_dtype(tn_json_item *at, const char *name);

#endif
