/* How names are written where a character in them would mean something else: in double quotes, with
 * \" and \\ for these two characters and \xx (two lower-case hex digits) for any byte but 0. It is
 * what the text form of modules does (tn_put_escaped writes it), and the same holds in option
 * lists, NAME=VALUE pairs, pipelines and metadata. */
#ifndef TENURE_IR_BASE_QUOTE_H
#define TENURE_IR_BASE_QUOTE_H

#include "ir/base/sink.h"

/* Adds the contents of the quoted text at *at, which begins with a quotation mark, to `out` and
 * moves *at behind it. False when it is never closed (*at is the end of the text) or holds an
 * unknown escape (*at is behind its backslash). */
bool tn_unquote(const char **at, tn_sink *out);
/* A name as the user wrote it: what the quotes hold when it begins with one, `text` itself
 * otherwise. NULL when the quotes are wrong or something follows them. In `arena`, or `text`. */
const char *tn_name_unquote(tn_arena *arena, const char *text);
/* Writes a name so that it reads back as it is where one of the characters in `stops` would end it:
 * in quotes where it needs them or has control characters. */
void tn_put_name(tn_sink *out, const char *name, const char *stops);
/* Writes an argument of a command as shells take it, in single quotes. */
void tn_put_argument(tn_sink *out, const char *text);
/* NAME, one of the separators in `seps` (earlier ones are tried first), and the rest, which is left
 * as written. A name without quotes ends at the last separator, so that it may hold some itself,
 * or at the one before a rest in quotes. False when either side has no text (the rest may be empty
 * when `may_be_empty`) or the quotes are wrong. *name is in `arena`; *rest is inside `text`. */
bool tn_pair_split(tn_arena *arena, const char *text, const char *seps, bool may_be_empty,
                   const char **name, const char **rest);
/* Length of the first item of a list with commas: up to the first comma outside of quotes, which
 * may open at the start or behind '='. */
size_t tn_list_item(const char *text);

#endif
