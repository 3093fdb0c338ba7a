/* Symbolic dimensions: interned expressions over named symbols, and the algebra on them.
 *
 * A dimension, an element count and a size in bytes are all a `tn_dim`. Equal expressions have
 * equal ids: sums of products are kept in one normal form (a polynomial with integer coefficients
 * over atoms; an atom is a symbol or an irreducible floor/ceil division, min or max).
 * TN_DIM_UNKNOWN means "nothing can be said" (e.g. it depends on data); it swallows every operation
 * except a product with 0. Overflow gives TN_DIM_UNKNOWN too, and so does an expression of more
 * than TN_MAX_DIM_NODES. Symbols stand for numbers >= 0; cancelling a common factor in a division
 * assumes that factor is not 0. */
#ifndef TENURE_IR_DIM_DIM_H
#define TENURE_IR_DIM_DIM_H

#include "ir/base/arena.h"
#include "ir/base/map.h"
#include "ir/base/sink.h"

typedef uint32_t tn_dim;
#define TN_DIM_UNKNOWN ((tn_dim)0)

typedef struct tn_dims tn_dims;

tn_dims *tn_dims_new(tn_arena *arena);
/* A table in which every id of `d` means the same; it needs `d` to live on. */
tn_dims *tn_dims_copy(tn_arena *arena, const tn_dims *d);

/* From now on symbol `name` is the constant `value` (>= 0). What was built from it earlier keeps
 * it; see tn_dim_substitute. */
void tn_dims_bind(tn_dims *d, const char *name, int64_t value);
/* The value given so; false when there is none. */
bool tn_dims_bound(const tn_dims *d, const char *name, int64_t *value);

/* A symbol that stays open: every extent from `min` to `max` (INT64_MAX: no limit) may come. Plans
 * are made at `point`, one of them, and hold for all. */
typedef struct tn_dim_range {
    const char *name;
    int64_t min, max, point;
} tn_dim_range;
/* Opens a symbol, or changes how far it is open. */
void tn_dims_open(tn_dims *d, tn_dim_range range);
/* Takes that back. */
void tn_dims_close(tn_dims *d, const char *name);
/* That of a symbol; NULL when it is not open. */
const tn_dim_range *tn_dims_range_of(const tn_dims *d, const char *name);
/* The *n open symbols, in the order in which they were opened. */
const tn_dim_range *tn_dims_ranges(const tn_dims *d, uint32_t *n);
/* A symbol that is an expression over others. */
typedef struct tn_dim_relation {
    const char *name;
    tn_dim is;
} tn_dim_relation;
/* From now on symbol `name` is `is`, an expression that `name` is not in, not through other
 * relations either. What was built from it earlier keeps it, as with tn_dims_bind. Symbols in `is`
 * that are related are best replaced before (tn_dim_substitute): a long way from relation to
 * relation is followed by recursion. */
void tn_dims_relate(tn_dims *d, const char *name, tn_dim is);
/* The *n symbols that are expressions, in the order in which they were given, with what was bound
 * since then and what is related in place of symbols. In the table's arena. */
const tn_dim_relation *tn_dims_relations(tn_dims *d, uint32_t *n);
/* Whether the symbol is one of them. */
bool tn_dims_related(const tn_dims *d, const char *name);
/* A symbol whose extent is known only while running, for data give it: 0 to `most`. */
typedef struct tn_dim_limit {
    const char *name;
    const char *of; /* what it is an extent of; no two limits have the same */
    tn_dim most;    /* an expression without such symbols */
} tn_dim_limit;
/* Sets the limit of the extent `of`, or changes it; `most` is without such symbols. */
void tn_dims_limit(tn_dims *d, const char *name, const char *of, tn_dim most);
/* The *n limits, in the order in which they were set. */
const tn_dim_limit *tn_dims_limits(const tn_dims *d, uint32_t *n);
/* That of a symbol, and that of an extent; NULL when it has none. */
const tn_dim_limit *tn_dims_limit_named(const tn_dims *d, const char *name);
const tn_dim_limit *tn_dims_limit_of(const tn_dims *d, const char *of);
/* What `a` comes to at most, whatever extents data give, as far as its form shows it: an expression
 * without their symbols. `a` itself where it has none; TN_DIM_UNKNOWN where nothing shows it. */
tn_dim tn_dim_most(tn_dims *d, tn_dim a);
/* Whether `a` has a symbol with a limit. */
static inline bool tn_dim_by_data(tn_dims *d, tn_dim a) {
    return tn_dim_most(d, a) != a;
}
/* A symbol asked for by name before inference can tell whether data give its extent, and what it
 * shall be at most (INT64_MAX: nothing was said). */
typedef struct tn_dim_asked {
    const char *name;
    int64_t most;
    bool met; /* inference has found what it is an extent of */
} tn_dim_asked;
/* Notes that, or changes what is noted. */
void tn_dims_ask(tn_dims *d, tn_dim_asked asked);
/* The *n of them, in the order in which they were noted. */
const tn_dim_asked *tn_dims_all_asked(const tn_dims *d, uint32_t *n);
/* NULL when the symbol was not asked for. */
const tn_dim_asked *tn_dims_find_asked(const tn_dims *d, const char *name);

/* What broadcasting takes for granted of an expression: that it is 1 or the number. */
typedef struct tn_dim_assumed {
    tn_dim extent;
    int64_t number;
    const struct tn_loc *loc; /* of the op; lives as long as its module */
} tn_dim_assumed;
/* Notes that, once for each extent and number. */
void tn_dims_assume(tn_dims *d, tn_dim_assumed assumed);
/* The *n of them, in the order in which they were noted. */
const tn_dim_assumed *tn_dims_all_assumed(const tn_dims *d, uint32_t *n);

/* The value of `a` at the point of all open symbols, and at the limit of those that data give;
 * false where it has another symbol, is unknown, or overflows. */
bool tn_dim_at_point(tn_dims *d, tn_dim a, int64_t *value);

tn_dim tn_dim_const(tn_dims *d, int64_t value);
/* The symbol of that name (interned here), or its bound value, or what it is by a relation. */
tn_dim tn_dim_sym(tn_dims *d, const char *name);
tn_dim tn_dim_add(tn_dims *d, tn_dim a, tn_dim b);
tn_dim tn_dim_sub(tn_dims *d, tn_dim a, tn_dim b);
tn_dim tn_dim_mul(tn_dims *d, tn_dim a, tn_dim b);
/* Rounding down / up; b == 0 gives TN_DIM_UNKNOWN. */
tn_dim tn_dim_floordiv(tn_dims *d, tn_dim a, tn_dim b);
tn_dim tn_dim_ceildiv(tn_dims *d, tn_dim a, tn_dim b);
/* a - floordiv(a, b) * b */
tn_dim tn_dim_mod(tn_dims *d, tn_dim a, tn_dim b);
tn_dim tn_dim_min(tn_dims *d, tn_dim a, tn_dim b);
tn_dim tn_dim_max(tn_dims *d, tn_dim a, tn_dim b);

/* True and *value set when `a` is a constant. */
bool tn_dim_is_const(const tn_dims *d, tn_dim a, int64_t *value);
/* The product of n dimensions as a number: 0 where one of them is, whatever the others are. False
 * when one is unknown, or the product is open, negative or too large. */
bool tn_dim_fixed_product(const tn_dims *d, const tn_dim *dims, uint32_t n, int64_t *product);
/* The name when `a` is one symbol and nothing else, or NULL. */
const char *tn_dim_symbol(const tn_dims *d, tn_dim a);
/* Whether the table has a symbol of that name. */
bool tn_dims_has_symbol(const tn_dims *d, const char *name);
/* True when a >= b for all symbol values >= 0, as far as the normal form shows it. */
bool tn_dim_provably_ge(tn_dims *d, tn_dim a, tn_dim b);
/* As tn_dim_provably_ge, for all symbol values >= 1, but those that data give, which are 0 with
 * good reason: for rules that may take it that no other dimension is empty. */
bool tn_dim_filled_ge(tn_dims *d, tn_dim a, tn_dim b);
/* The value of `a` when symbol_value gives each symbol's (false = unbound); false when some symbol
 * is unbound, `a` is unknown, or the result overflows. */
bool tn_dim_eval(const tn_dims *d, tn_dim a,
                 bool (*symbol_value)(void *user, const char *name, int64_t *value), void *user,
                 int64_t *value);
/* Calls fn for each distinct symbol in `a`, in order of first appearance in the table. */
void tn_dim_each_symbol(const tn_dims *d, tn_dim a, void (*fn)(void *user, const char *name),
                        void *user);
/* Calls fn for each symbol of the table, in order of first appearance. */
void tn_dims_each_symbol(const tn_dims *d, void (*fn)(void *user, const char *name), void *user);
/* `a` with what tn_dims_bind and tn_dims_relate gave in place of its symbols. */
tn_dim tn_dim_substitute(tn_dims *d, tn_dim a);

/* Text form: "?" for unknown; constants in decimal; symbols as identifiers or in double quotes with
 * \" and \\ escaped; "batch*12 + 3", "(s + 1) floordiv 2", "(a) ceildiv (b)", "min(a, b)".
 * tn_dim_parse reads what tn_dim_print writes and moves *text past it; false on bad text. */
void tn_dim_print(const tn_dims *d, tn_dim a, tn_sink *out);
/* A symbol in that form, for a list of dimensions in a sentence. */
void tn_dim_put_name(tn_sink *out, const char *name);
bool tn_dim_parse(tn_dims *d, const char **text, tn_dim *out);

#endif
