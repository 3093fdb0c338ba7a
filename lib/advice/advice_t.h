/* Private to lib/advice: who looks for what. */
#ifndef TENURE_LIB_ADVICE_T_H
#define TENURE_LIB_ADVICE_T_H

#include "lib/advice/advice.h"

/* Each adds what it finds to the list, if it gives enough. They are called inside tn_trials_run. */
void tn_advise_options(tn_advice_scene *s, tn_advice_list *list);
void tn_advise_constants(tn_advice_scene *s, tn_advice_list *list);
void tn_advise_fusions(tn_advice_scene *s, tn_advice_list *list);
void tn_advise_indices(tn_advice_scene *s, tn_advice_list *list);
void tn_advise_cache(tn_advice_scene *s, tn_advice_list *list);
void tn_advise_patches(tn_advice_scene *s, tn_advice_list *list);

/* Whether the gain is worth a word, and nothing is left out that the plan has now. */
bool tn_advice_is_worth(const tn_advice_scene *s, const tn_outcome *o);
/* The value as the plan has it, by its id in the module; NULL where it takes no part. */
const tn_plan_value *tn_advice_value(const tn_advice_scene *s, uint32_t module_value);
/* Bytes that the value has in an arena; 0 where it has none. */
uint64_t tn_advice_arena_bytes(const tn_advice_scene *s, uint32_t module_value);
/* "HEAD: A, B, C and 4 more". */
const char *tn_advice_some(tn_arena *arena, const char *head, const tn_texts *phrases);
/* The name in quotes and the type of the op that makes it, for the above. */
const char *tn_advice_result(tn_arena *arena, const tn_value *v);
/* "NAME" or "PATH/NAME". */
const char *tn_advice_name(tn_arena *arena, const tn_graph *g, const char *name);

#endif
