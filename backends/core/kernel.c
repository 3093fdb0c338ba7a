#include "backends/core/kernel.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "backends/core/emit.h"

int64_t tn_kernel_since(const tn_op_info *info, int64_t version) {
    int64_t since = 0;
    for (const char *at = info->versions; *at != '\0';) {
        char *end;
        int64_t next = strtoll(at, &end, 10);
        if (end == at || (version > 0 && since > 0 && next > version)) {
            break;
        }
        since = next;
        at = end;
    }
    return since;
}

bool tn_kernel_exists(const tn_op_info *info) {
    uint32_t others = TN_T_CONTROL | TN_T_CALL | TN_T_CONSTANT | TN_T_SEQUENCE;
    return info->sig != NULL && (info->traits & others) == 0;
}

const char *tn_kernel_word(tn_arena *arena, const char *domain, const char *name) {
    bool plain = domain[0] == '\0' || strcmp(domain, "ai.onnx") == 0;
    const char *word = plain ? name : tn_arena_printf(arena, "%s_%s", domain, name);
    char *out = tn_arena_strndup(arena, word, strlen(word));
    for (char *c = out; *c != '\0'; c++) {
        bool good =
            (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9');
        *c = good ? *c : '_';
    }
    return out;
}

/* ---- operands, results, fields ---- */

static uint32_t read_ports(tn_arena *arena, const char *list, int64_t since,
                           tn_kernel_port **ports) {
    TN_VEC(tn_kernel_port) all = {0};
    for (tn_word w; list != NULL && tn_word_next(&list, since, &w);) {
        tn_kernel_port port = {tn_arena_strndup(arena, w.text, w.len), w.mark,
                               w.mark == '*' || w.mark == '+'};
        tn_vec_push(arena, &all, port);
    }
    *ports = all.data;
    return all.len;
}

static int32_t operand_named(const tn_kernel *k, const tn_attr_spec *spec) {
    for (uint32_t i = 0; i < k->n_operands; i++) {
        const char *id = k->operands[i].id;
        if (strlen(id) == spec->len && memcmp(id, spec->name, spec->len) == 0) {
            return (int32_t)i;
        }
    }
    return -1;
}

static bool is_scalar(tn_attr_kind kind) {
    return kind == TN_ATTR_INT || kind == TN_ATTR_FLOAT;
}

static bool has_field(tn_attr_kind kind) {
    return is_scalar(kind) || kind == TN_ATTR_STRING || kind == TN_ATTR_INTS ||
           kind == TN_ATTR_FLOATS || kind == TN_ATTR_STRINGS || kind == TN_ATTR_TENSOR;
}

static bool has_name(const tn_kernel_field *fields, uint32_t n, const char *name) {
    for (uint32_t i = 0; i < n; i++) {
        if (strcmp(fields[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* What is an attribute as well as an operand in one version is the attribute. */
static void read_fields(tn_arena *arena, tn_kernel *k) {
    TN_VEC(tn_kernel_field) all = {0};
    const char *lists[] = {k->info->attrs, k->info->params};
    for (int l = 0; l < 2; l++) {
        for (tn_attr_spec s; tn_attr_spec_next(&lists[l], k->since, &s);) {
            tn_kernel_field f = {.name = tn_arena_strndup(arena, s.name, s.len), .spec = s};
            f.operand = l == 1 && !has_name(all.data, all.len, f.name) ? operand_named(k, &s) : -1;
            f.has_mark = l == 0 && is_scalar(s.kind) && !s.required && s.text == NULL;
            if (has_field(s.kind) && (l == 0 || f.operand >= 0)) {
                tn_vec_push(arena, &all, f);
            }
        }
    }
    k->fields = all.data;
    k->n_fields = all.len;
}

static bool is_operand(const tn_kernel *k, const char *id) {
    for (uint32_t i = 0; i < k->n_operands; i++) {
        if (strcmp(k->operands[i].id, id) == 0) {
            return true;
        }
    }
    return false;
}

/* Names in the op table are words of C, but for keywords; parameters share one space. */
static const char *unlike_keywords(tn_arena *arena, const char *name) {
    bool taken = strcmp(name, "attributes") == 0 || strcmp(name, "context") == 0;
    return taken || tn_is_keyword(name) ? tn_arena_printf(arena, "%s_", name) : name;
}

static void name_all(tn_arena *arena, tn_kernel *k) {
    for (uint32_t i = 0; i < k->n_operands; i++) {
        k->operands[i].id = unlike_keywords(arena, k->operands[i].id);
    }
    for (uint32_t i = 0; i < k->n_results; i++) {
        const char *id = unlike_keywords(arena, k->results[i].id);
        k->results[i].id = is_operand(k, id) ? tn_arena_printf(arena, "%s_out", id) : id;
    }
    for (uint32_t i = 0; i < k->n_fields; i++) {
        k->fields[i].id = unlike_keywords(arena, k->fields[i].name);
    }
}

tn_kernel tn_kernel_make(tn_arena *arena, const tn_op_info *info, int64_t since) {
    tn_kernel k = {.info = info, .since = since};
    k.symbol = tn_arena_printf(arena, "%s_%" PRId64,
                               tn_kernel_word(arena, info->domain, info->name), since);
    k.n_operands = read_ports(arena, info->sig, since, &k.operands);
    k.n_results = read_ports(arena, tn_sig_results(info), since, &k.results);
    read_fields(arena, &k);
    name_all(arena, &k);
    return k;
}

tn_kernel tn_kernel_make_generic(tn_arena *arena, const tn_op_info *info, int64_t since) {
    static const tn_kernel_port lists[] = {{"operands", '*', true}, {"results", '*', true}};
    tn_kernel_port *ports = tn_arena_regrow(arena, lists, 2, 2, sizeof *ports);
    tn_kernel k = {.info = info, .since = since, .generic = true};
    k.symbol = tn_arena_printf(arena, "%s_%" PRId64,
                               tn_kernel_word(arena, info->domain, info->name), since);
    k.operands = &ports[0];
    k.results = &ports[1];
    k.n_operands = k.n_results = 1;
    return k;
}

/* ---- as text ---- */

static const char *field_type(tn_attr_kind kind) {
    switch ((int)kind) {
    case TN_ATTR_INT:
        return "int64_t ";
    case TN_ATTR_FLOAT:
        return "float ";
    case TN_ATTR_STRING:
        return "const char *";
    case TN_ATTR_INTS:
        return "tenure_ints ";
    case TN_ATTR_FLOATS:
        return "tenure_floats ";
    case TN_ATTR_STRINGS:
        return "tenure_texts ";
    default:
        return "const tenure_tensor *";
    }
}

void tn_kernel_put_struct(tn_sink *out, const tn_kernel *k) {
    if (k->n_fields == 0) {
        return;
    }
    tn_putf(out, "typedef struct tenure_%s_attributes {\n", k->symbol);
    for (uint32_t i = 0; i < k->n_fields; i++) {
        const tn_kernel_field *f = &k->fields[i];
        tn_putf(out, "    %s%s;%s\n", field_type(f->spec.kind), f->id,
                f->operand >= 0 ? " /* of the operand */" : "");
        if (f->has_mark) {
            tn_putf(out, "    uint8_t has_%s;\n", f->id);
        }
    }
    tn_putf(out, "} tenure_%s_attributes;\n", k->symbol);
}

static void put_ports(tn_sink *out, const tn_kernel_port *ports, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        if (ports[i].many) {
            tn_putf(out, "const tenure_tensor *const *%s, uint32_t n_%s, ", ports[i].id,
                    ports[i].id);
        } else {
            tn_putf(out, "const tenure_tensor *%s, ", ports[i].id);
        }
    }
}

void tn_kernel_put_prototype(tn_sink *out, const tn_kernel *k, const char *layout) {
    tn_putf(out, "int tenure_%s%s", k->symbol, layout);
    tn_kernel_put_parameters(out, k);
}

void tn_kernel_put_parameters(tn_sink *out, const tn_kernel *k) {
    tn_put(out, "(");
    if (k->generic) {
        tn_put(out, "const tenure_attribute *attributes, uint32_t n_attributes, ");
    } else if (k->n_fields > 0) {
        tn_putf(out, "const tenure_%s_attributes *attributes, ", k->symbol);
    }
    put_ports(out, k->operands, k->n_operands);
    put_ports(out, k->results, k->n_results);
    tn_put(out, "const tenure_context *context)");
}
