/* Helpers for emitters: tensor names are hostile input. */
#ifndef TENURE_BACKENDS_CORE_EMIT_H
#define TENURE_BACKENDS_CORE_EMIT_H

#include "backends/core/backend.h"

/* Stable C identifiers for `n` names: [A-Za-z0-9_], never starting with a digit or an underscore
 * (they get `prefix` in front, which does not either), no C or C++ keyword, no two alike: names
 * that collide after cleaning get suffixes _2, _3, ... in order of the array. Case-insensitive when
 * `fold` (for macros, then upper case). The results are in `arena`. */
const char **tn_identifiers(tn_arena *arena, const char *prefix, const char *const *names,
                            uint32_t n, bool fold);
/* The same with at most `limit` characters (16 or more) in each; tn_identifiers has a limit of its
 * own. What is longer keeps its beginning and gets a hash of the whole name behind it, so that it
 * stays the same whatever other names there are. */
const char **tn_identifiers_within(tn_arena *arena, const char *prefix, const char *const *names,
                                   uint32_t n, bool fold, size_t limit);
/* Of C and C++, in any version so far. */
bool tn_is_keyword(const char *word);
/* A copy with the letters of ASCII in the other case. */
const char *tn_upper(tn_arena *arena, const char *text);
const char *tn_lower(tn_arena *arena, const char *text);
/* The largest size_t of a target with 16, 32 or 64 `bits` in it. */
uint64_t tn_largest_size(const char *bits);
/* What the names begin with that an artefact defines, as an identifier: `asked` when it is not
 * empty, else the name of the main file up to its last dot, without `ending` ("net_weights.c" and
 * "_weights" give "net"), else the name of the model. */
const char *tn_artefact_prefix(tn_arena *arena, const tn_emission *e, const char *asked,
                               const char *ending);
/* Writes `text` so that it can stand inside a C comment, a C string, or a line of text. */
void tn_put_comment(tn_sink *out, const char *text);
void tn_put_c_string(tn_sink *out, const char *text);
/* The same for a name or path, cut where compilers must no longer take it whole. */
void tn_put_c_name(tn_sink *out, const char *text);
/* Numbers as literals of C; those that are not finite are the macros of math.h, without suffix. */
void tn_put_c_int(tn_sink *out, int64_t x);
void tn_put_c_float(tn_sink *out, double x, const char *suffix);
/* Writes `text` so that it can stand as text or in a quoted attribute of HTML and XML. What neither
 * may hold, and what would turn the direction of text, is spelled \xNN. */
void tn_put_markup(tn_sink *out, const char *text);

#endif
