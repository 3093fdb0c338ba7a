#include <string.h>

#include "ir/base/sha256.h"
#include "ir/plan/plan.h"

/* Texts end with their NUL, so that no two of them run together. */
static void add_text(tn_sha256 *sha, const char *text) {
    tn_sha256_add(sha, text, strlen(text) + 1);
}

static void add_number(tn_sha256 *sha, uint64_t x) {
    char text[21];
    size_t at = sizeof text - 1;
    text[at] = '\0';
    do {
        text[--at] = (char)('0' + x % 10);
        x /= 10;
    } while (x > 0);
    add_text(sha, text + at);
}

/* Whether an image may hold bytes for the value: constants, defaults of inputs, first values of
 * state. */
static bool may_have_content(const tn_plan *p, const tn_plan_value *v) {
    return v->storage != TN_NO_ID &&
           (p->pools[p->storages[v->storage].pool].kind == TN_POOL_CONST ||
            v->role == TN_ROLE_INPUT || v->role == TN_ROLE_STATE);
}

static void end_layout(tn_sha256 *sha, char hex[TN_LAYOUT_HEX]) {
    char whole[TN_SHA256_HEX];
    tn_sha256_end_hex(sha, whole);
    memcpy(hex, whole, TN_LAYOUT_HEX - 1);
    hex[TN_LAYOUT_HEX - 1] = '\0';
}

void tn_plan_own_layout(const tn_plan *p, char hex[TN_LAYOUT_HEX]) {
    tn_sha256 sha = tn_sha256_start();
    for (uint32_t i = 0; i < p->n_pools; i++) {
        if (p->pools[i].kind == TN_POOL_CONST) {
            add_text(&sha, p->pools[i].name);
            add_number(&sha, p->pools[i].size);
            add_number(&sha, p->pools[i].align);
        }
    }
    for (uint32_t i = 0; i < p->n_values; i++) {
        const tn_plan_value *v = &p->values[i];
        if (may_have_content(p, v)) {
            add_text(&sha, v->graph);
            add_text(&sha, v->name);
            add_text(&sha, tn_dtype_get(v->dtype)->name);
            add_number(&sha, p->storages[v->storage].pool);
            add_number(&sha, tn_plan_address(p, v));
            add_number(&sha, v->bytes);
        }
    }
    end_layout(&sha, hex);
}

void tn_plan_layout(const tn_plan *p, char hex[TN_LAYOUT_HEX]) {
    if (p->set == NULL) {
        tn_plan_own_layout(p, hex);
        return;
    }
    tn_sha256 sha = tn_sha256_start();
    for (uint32_t i = 0; i < tn_plan_count(p); i++) {
        tn_plan_own_layout(tn_plan_at(p, i), hex);
        add_text(&sha, hex);
    }
    end_layout(&sha, hex);
}
