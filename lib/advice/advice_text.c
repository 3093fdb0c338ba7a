/* Advice as text for people, and as keys of a JSON object. */
#include "ir/plan/plan_names.h"
#include "lib/advice/advice.h"

static void put_change(tn_sink *out, const char *what, uint64_t before, const char *to,
                       uint64_t after) {
    tn_putf(out, "%s ", what);
    tn_put_bytes(out, before);
    tn_put(out, to);
    tn_put_bytes(out, after);
}

void tn_advice_print(const tn_outcome *now, const tn_advice *a, tn_sink *out) {
    const tn_outcome *o = &a->outcome;
    uint64_t others = now->ram - now->arena;
    bool short_search = a->kind == TN_ADVICE_RECOMPUTE; /* the option alone begins a whole one */
    const char *to = short_search ? " to about " : " to ";
    tn_putf(out, "  %s\n    ", a->what);
    put_change(out, a->estimate ? "estimate: arena" : "arena", now->arena, to, o->arena);
    if (o->ram - o->arena != others) {
        tn_put(out, ", ");
        put_change(out, "with inputs, outputs and state", now->ram, to, o->ram);
    }
    if (o->constants != now->constants) {
        tn_put(out, ", ");
        put_change(out, "constants", now->constants, " to ", o->constants);
    }
    if (a->operations > 0) {
        tn_putf(out, ", +%.1f %% operations", a->part * 100);
    }
    tn_putf(out, "\n    asks for %s\n", a->asks);
}

static void put_number(tn_sink *out, const char *key, uint64_t number) {
    tn_putf(out, ", \"%s\": %llu", key, (unsigned long long)number);
}

static void put_text(tn_sink *out, const char *key, const char *text) {
    tn_putf(out, ", \"%s\": ", key);
    tn_put_quoted(out, text);
}

static void put_texts(tn_sink *out, const char *key, const tn_texts *texts) {
    tn_putf(out, ", \"%s\": [", key);
    for (uint32_t i = 0; i < texts->len; i++) {
        tn_put(out, i > 0 ? ", " : "");
        tn_put_quoted(out, texts->data[i]);
    }
    tn_put_c(out, ']');
}

void tn_advice_print_json(const tn_advice *a, tn_sink *out) {
    put_text(out, "kind", tn_advice_kind_names[a->kind]);
    put_text(out, "what", a->what);
    put_text(out, "asks", a->asks);
    put_number(out, "bytes", a->outcome.arena);
    put_number(out, "ram", a->outcome.ram);
    put_number(out, "constants", a->outcome.constants);
    tn_putf(out, ", \"estimate\": %s", a->estimate ? "true" : "false");
    put_number(out, "operations", a->operations);
    if (a->options != NULL) {
        put_text(out, "options", a->options);
    }
    if (a->tensors.len > 0) {
        put_texts(out, "tensors", &a->tensors);
    }
    if (a->nodes.len > 0) {
        put_texts(out, "steps", &a->nodes);
    }
    if (a->group != NULL) {
        tn_putf(out, ", \"group\": %s", a->group);
    }
    if (a->kind == TN_ADVICE_PATCHES) {
        put_number(out, "first", a->patches.first);
        put_number(out, "last", a->patches.last);
        put_number(out, "rows", a->patches.rows);
        put_number(out, "columns", a->patches.columns);
    }
}
