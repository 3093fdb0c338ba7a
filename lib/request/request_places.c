#include "lib/request/request_places.h"

#include <string.h>

#include "ir/base/limits.h"
#include "ir/base/option.h"
#include "ir/base/quote.h"
#include "ir/base/xmath.h"
#include "ir/plan/plan_names.h"
#include "lib/request/request.h"

static bool is_alignment(uint64_t n) {
    return n <= TN_MAX_ALIGN && tn_is_power_of_2(n);
}

/* ---- --pool ---- */

/* One word behind the name; false when it is none. */
static bool read_word(tn_pool_wish *pool, const char *word) {
    const char *equal = strchr(word, '=');
    size_t len = equal != NULL ? (size_t)(equal - word) : strlen(word);
    const char *rest = equal != NULL ? equal + 1 : NULL;
    int64_t n;
    if (rest == NULL) {
        if (strcmp(word, "copied") == 0) {
            pool->kind = pool->kind == TN_POOL_STATE ? TN_POOL_STATE : TN_POOL_CONST;
            pool->copied = true;
            return true;
        }
        for (int kind = TN_POOL_ARENA + 1; kind < TN_N_POOL_KINDS; kind++) {
            if (strcmp(word, tn_pool_kind_names[kind]) == 0) {
                pool->kind = (tn_pool_kind)kind;
                return true;
            }
        }
        return tn_opt_bytes(word, &pool->capacity) && pool->capacity > 0 &&
               pool->capacity <= INT64_MAX;
    }
    if (strncmp(word, "cost", len) == 0 && len == 4) {
        bool good = tn_text_to_int(rest, &n) && n >= 1 && n <= TN_MAX_COST;
        pool->cost = good ? (uint64_t)n : 0;
        return good;
    }
    if (strncmp(word, "align", len) == 0 && len == 5) {
        return tn_opt_bytes(rest, &pool->align) && is_alignment(pool->align);
    }
    pool->section = rest;
    return strncmp(word, "section", len) == 0 && len == 7 && tn_is_section(rest);
}

/* The name, which may be in quotes; *rest is behind it. NULL when it is none. */
static const char *read_pool_name(tn_arena *arena, const char *value, const char **rest) {
    tn_sink name = tn_sink_make(arena);
    if (value[0] == '"') {
        return tn_unquote(&value, &name) && (*value == ':' || *value == '\0') && name.len > 0
                   ? (*rest = value, name.data)
                   : NULL;
    }
    size_t len = strcspn(value, ":");
    *rest = value + len;
    return len > 0 ? tn_arena_strndup(arena, value, len) : NULL;
}

/* Names of the pools that there are without any wish belong to these. */
static const char *own_name(const tn_pool_wish *pool) {
    for (size_t i = 0; i < TN_N_POOL_KINDS; i++) {
        if (strcmp(pool->name, tn_pool_kind_names[i]) == 0 && i != (size_t)pool->kind) {
            return tn_pool_kind_names[i];
        }
    }
    return NULL;
}

static tn_status check_pool(tn_set_ctx *c, const tn_request *r, const tn_pool_wish *pool) {
    tn_ctx *ctx = tn_arena_ctx(c->arena);
    for (uint32_t i = 0; i < r->pools.len; i++) {
        if (strcmp(r->pools.data[i].name, pool->name) == 0) {
            return tn_usage(ctx, c->loc, "%s: pool '%s' is declared twice", c->shown, pool->name);
        }
    }
    if (own_name(pool) != NULL) {
        return tn_usage(ctx, c->loc, "%s: a pool of another kind is called '%s'; choose a name",
                        c->shown, pool->name);
    }
    if (pool->copied && pool->kind != TN_POOL_CONST && pool->kind != TN_POOL_STATE) {
        return tn_usage(
            ctx, c->loc,
            "%s: pool '%s' is to be copied, and only constants and state can be: leave :copied out",
            c->shown, pool->name);
    }
    if (r->pools.len == TN_MAX_POOLS) {
        return tn_usage(ctx, c->loc, "%s: '%s' is one more than the %u pools there may be",
                        c->shown, pool->name, TN_MAX_POOLS);
    }
    return TN_OK;
}

tn_status tn_add_pool(tn_set_ctx *c, void *target, const tn_setting *s, const char *value) {
    tn_request *r = target;
    tn_pool_wish pool = {.kind = TN_POOL_ARENA, .cost = 1};
    const char *rest;
    (void)s;
    pool.name = read_pool_name(c->arena, value, &rest);
    bool good = pool.name != NULL;
    while (good && *rest == ':') {
        size_t len = strcspn(rest + 1, ":");
        good = read_word(&pool, tn_arena_strndup(c->arena, rest + 1, len));
        rest += 1 + len;
    }
    if (!good) {
        return tn_set_refuse(
            c,
            "NAME, and behind it what is wanted of :BYTES, :cost=N (1 to 1000000), "
            ":align=BYTES (a power of two), :section=NAME, :io, :const, :state, :copied",
            value);
    }
    tn_status status = check_pool(c, r, &pool);
    if (status == TN_OK) {
        tn_vec_push(c->arena, &r->pools, pool);
    }
    return status;
}

/* ---- --fix, --align-value ---- */

tn_status tn_add_fix(tn_set_ctx *c, void *target, const tn_setting *s, const char *value) {
    tn_request *r = target;
    tn_place_wish fix = {0};
    const char *rest, *place = NULL, *at = NULL;
    if (tn_pair_split(c->arena, value, "=", false, &fix.value, &rest)) {
        place = tn_name_unquote(c->arena, rest);
        at = place != NULL ? strrchr(place, '@') : NULL;
    }
    if (at == NULL || at == place || !tn_opt_bytes(at + 1, &fix.offset) ||
        fix.offset > TN_MAX_TENSOR_BYTES) {
        return tn_set_refuse(c, s->arg, value);
    }
    fix.pool = tn_arena_strndup(c->arena, place, (size_t)(at - place));
    for (uint32_t i = 0; i < r->fixes.len; i++) {
        if (strcmp(r->fixes.data[i].value, fix.value) == 0) {
            return tn_usage(tn_arena_ctx(c->arena), c->loc, "%s: value '%s' is fixed twice",
                            c->shown, fix.value);
        }
    }
    tn_vec_push(c->arena, &r->fixes, fix);
    return TN_OK;
}

tn_status tn_add_value_align(tn_set_ctx *c, void *target, const tn_setting *s, const char *value) {
    tn_request *r = target;
    tn_align_wish wish = {0};
    const char *rest;
    if (!tn_pair_split(c->arena, value, "=", false, &wish.value, &rest) ||
        !tn_opt_bytes(rest, &wish.align) || !is_alignment(wish.align)) {
        return tn_set_refuse(c, tn_arena_printf(c->arena, "%s, a power of two", s->arg), value);
    }
    for (uint32_t i = 0; i < r->aligns.len; i++) {
        if (strcmp(r->aligns.data[i].value, wish.value) == 0) {
            return tn_usage(tn_arena_ctx(c->arena), c->loc, "%s: value '%s' is aligned twice",
                            c->shown, wish.value);
        }
    }
    tn_vec_push(c->arena, &r->aligns, wish);
    return TN_OK;
}
