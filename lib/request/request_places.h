/* Setters of the options that say where things lie: pools, fixed places, alignments of values. */
#ifndef TENURE_LIB_REQUEST_REQUEST_PLACES_H
#define TENURE_LIB_REQUEST_REQUEST_PLACES_H

#include "lib/request/setting.h"

/* As tn_set_fn, of a tn_request. */
tn_status tn_add_pool(tn_set_ctx *c, void *target, const tn_setting *s, const char *value);
tn_status tn_add_fix(tn_set_ctx *c, void *target, const tn_setting *s, const char *value);
tn_status tn_add_value_align(tn_set_ctx *c, void *target, const tn_setting *s, const char *value);

#endif
