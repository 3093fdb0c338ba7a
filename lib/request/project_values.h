/* Values in project files: from JSON to the texts that setters take. */
#ifndef TENURE_LIB_REQUEST_PROJECT_VALUES_H
#define TENURE_LIB_REQUEST_PROJECT_VALUES_H

#include "ir/base/option.h"
#include "ir/plan/json_item.h"
#include "lib/request/setting.h"

/* The value of key `name` as texts: none, one, or as many as a setting that repeats has. Gives up
 * where its type is not the setting's. */
void tn_project_value(const tn_json_item *at, const char *name, json_t *value, const tn_setting *s,
                      tn_texts *out);
/* The same for an option of a backend, in canonical form. */
const char *tn_project_backend_value(const tn_json_item *at, const char *name, json_t *value,
                                     const tn_opt *option);

#endif
