/* What there is, listed for people, for pages of documentation and for programs. */
#ifndef TENURE_LIB_LISTING_H
#define TENURE_LIB_LISTING_H

#include "ir/base/option.h"
#include "ir/module.h"

/* `what`: "passes", "backends", "frontends", "ops", "presets" or "options"; `format` NULL: the usual one.
 * TN_USAGE for others of either. */
TN_MUST_USE tn_status tn_list(tn_arena *arena, const char *what, const char *format, tn_sink *out);

/* The op table, by domain and name. */
void tn_list_ops(tn_sink *out, const char *format);
enum { TN_LISTED_OPS = TN_OP_COUNT - 1 };
/* The rows in that order. */
void tn_list_op_rows(const tn_op_info *rows[TN_LISTED_OPS]);

/* Facts of a row as they stand in the lists. */
typedef enum tn_op_fact {
    TN_LISTED_TRAITS,
    TN_LISTED_INPLACE,
    TN_LISTED_VIEW,
    TN_LISTED_SHAPE_ONLY,
    TN_LISTED_GRAD
} tn_op_fact;
void tn_list_op_fact(tn_sink *out, const tn_op_info *o, tn_op_fact fact);

/* The texts of an option that a user meets: what it may be set to. */
const char *tn_list_values(const tn_opt *o);
/* "--NAME=VALUE", as on a command line. */
void tn_list_setting(tn_sink *out, const tn_pair *o);

#endif
