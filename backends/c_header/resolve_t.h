/* Headers of plans with open dimensions: macros that load from a layout, and the function that
 * fills it in. */
#ifndef TENURE_BACKENDS_C_HEADER_RESOLVE_T_H
#define TENURE_BACKENDS_C_HEADER_RESOLVE_T_H

#include "backends/c_header/c_header_t.h"

/* Sets what of the header's state belongs to open dimensions; all stays NULL for a bound plan. */
void tn_ch_open(tn_ch *h);

/* Names of macros in the text of others: "NET_Y_SIZE", or "NET_Y_SIZE(0)" for a constant among the
 * macros that take a layout. */
const char *tn_ch_constant(const tn_ch *h, const char *id, const char *word);
/* Whether offset and size of the value, or of the pool, are constants. */
bool tn_ch_is_constant(const tn_ch *h, const tn_plan_value *v);
bool tn_ch_pool_is_constant(const tn_ch *h, uint32_t pool);

/* Macros with a number, or what loads it. */
void tn_ch_put_pool_size(const tn_ch *h, uint32_t pool);
/* Bytes of the pool's array, as text; NULL where no number is known. */
const char *tn_ch_array_size(const tn_ch *h, uint32_t pool);
void tn_ch_put_totals(const tn_ch *h);
void tn_ch_put_place(const tn_ch *h, const tn_plan_value *v, const char *id);
void tn_ch_put_dims(const tn_ch *h, const tn_plan_value *v, const char *id);

/* Dimensions, layout, and the function's prototype; nothing for a bound plan. */
void tn_ch_put_open(const tn_ch *h);
/* The function. */
void tn_ch_put_resolve(const tn_ch *h);
/* How programs read the tables, whether dimensions are open or not. */
void tn_ch_put_table_access(const tn_ch *h);
/* The number in the row of a tensor; an offset from the storage where that is loaded. */
uint64_t tn_ch_tensor_offset(const tn_ch *h, const tn_plan_value *v);
/* The extent, or -1 less its index in the layout. */
int64_t tn_ch_extent(const tn_ch *h, const tn_plan_value *v, uint32_t axis);
/* ", 5u" for each number of a row that may be loaded. */
void tn_ch_put_tensor_numbers(const tn_ch *h, const tn_plan_value *v);
void tn_ch_put_storage_numbers(const tn_ch *h, const tn_storage *s);
void tn_ch_put_pool_numbers(const tn_ch *h, uint32_t pool);

#endif
