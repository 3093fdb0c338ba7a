/* The small languages of the op table's strings. A list is words with a space between; behind a
 * word "@13" limits it to versions from 13 on, "@-6" to those up to 6, "@7-9" to those from 7 to 9.
 *
 *   .versions  "1 6 13"
 *   .sig       "X W B? -> Y": names of operands and results. Behind a name '?' says that it may be
 *              left out, '~' that it may be empty but has to have its place, '*' that any number
 *              may stand there, '+' that at least one does
 *   .attrs     "axis:int=0 perm:ints?@13": name and type; '=' and a default, '?' where there is
 *              none and it may be left out, neither where it is required
 *
 * A version of 0, that of a file that imports none, counts as the newest. */
#ifndef TENURE_IR_OPS_SIG_H
#define TENURE_IR_OPS_SIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tn_op_info;

/* A word, without its mark and its versions; the text is part of the table's string. */
typedef struct tn_word {
    const char *text;
    size_t len;
    char mark; /* of a name: one of "?~*+", or 0 */
} tn_word;

/* The next word from *at on that holds in `version`; *at moves behind it. False where the list, or
 * its half before "->", ends. */
bool tn_word_next(const char **at, int64_t version, tn_word *out);
bool tn_word_is(const tn_word *w, const char *text);

/* Position of the operand (or result) of that name, or -1 when the version has none. *many says
 * whether any number may stand from there on. */
int32_t tn_sig_operand(const struct tn_op_info *info, int64_t version, const tn_word *name,
                       bool *many);
int32_t tn_sig_result(const struct tn_op_info *info, int64_t version, const tn_word *name);

/* The half of .sig that lists results, for tn_word_next; NULL where there is none. */
const char *tn_sig_results(const struct tn_op_info *info);

/* How many operands and results an op has in any of its versions; most -1: any number. */
typedef struct tn_arity {
    int32_t least_in, most_in, least_out, most_out;
} tn_arity;
tn_arity tn_op_arity(const struct tn_op_info *info);

#endif
