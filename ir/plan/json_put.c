#include "ir/plan/json_put.h"

#include "ir/plan/plan_names.h"

void tn_json_put_key(tn_sink *out, const char *name) {
    tn_putf(out, ", \"%s\": ", name);
}

void tn_json_put_text(tn_sink *out, const char *name, const char *value) {
    tn_json_put_key(out, name);
    if (value == NULL) {
        tn_put(out, "null");
    } else {
        tn_put_quoted(out, value);
    }
}

void tn_json_put_number(tn_sink *out, const char *name, uint64_t value) {
    tn_json_put_key(out, name);
    tn_putf(out, "%llu", (unsigned long long)value);
}

void tn_json_put_step_number(tn_sink *out, const char *name, int32_t value) {
    tn_json_put_key(out, name);
    tn_putf(out, "%d", (int)value);
}

static void put_index(tn_sink *out, uint32_t id) {
    if (id == TN_NO_ID) {
        tn_put(out, "null");
    } else {
        tn_putf(out, "%u", id);
    }
}

void tn_json_put_index(tn_sink *out, const char *name, uint32_t id) {
    tn_json_put_key(out, name);
    put_index(out, id);
}

void tn_json_put_flag(tn_sink *out, const char *name, bool value) {
    tn_json_put_key(out, name);
    tn_put(out, value ? "true" : "false");
}

void tn_json_put_ids(tn_sink *out, const char *name, tn_ids list) {
    tn_json_put_key(out, name);
    tn_put_c(out, '[');
    for (uint32_t i = 0; i < list.len; i++) {
        tn_put(out, i > 0 ? "," : "");
        put_index(out, list.data[i]);
    }
    tn_put_c(out, ']');
}

void tn_json_begin_item(tn_sink *out, uint32_t i, const char *first) {
    tn_putf(out, "%s    {\"%s\": ", i > 0 ? ",\n" : "\n", first);
}

void tn_json_begin_list(tn_sink *out, const char *name) {
    tn_putf(out, "  \"%s\": [", name);
}

void tn_json_end_list(tn_sink *out, uint32_t n) {
    tn_put(out, n > 0 ? "\n  ],\n" : "],\n");
}
