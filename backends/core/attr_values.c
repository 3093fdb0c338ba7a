/* Values of attributes as C: tables, and entries of structs. Nothing here needs C99's designated
 * initialisers, which C++ before 2020 does not know. */
#include <inttypes.h>
#include <string.h>

#include "backends/core/program.h"
#include "ir/base/diag.h"
#include "ir/tensor_bytes.h"

static void put_float(tn_sink *out, double x) {
    tn_put_c_float(out, (double)(float)x, "f");
}

static void put_item(tn_sink *out, const tn_attr *a, uint32_t i) {
    switch ((int)a->kind) {
    case TN_ATTR_INTS:
        tn_put_c_int(out, a->u.ints[i]);
        break;
    case TN_ATTR_FLOATS:
        put_float(out, a->u.floats[i]);
        break;
    default:
        tn_put_c_string(out, a->u.strings[i].data);
        break;
    }
}

/* ---- tensors ---- */

/* Bytes as they come, as numbers of the elements' width: no matter how the target orders bytes. */
typedef struct number_list {
    tn_sink *out;
    unsigned width, n;
    uint64_t number;
} number_list;

static void put_bytes(void *user, const char *data, size_t len) {
    number_list *l = user;
    for (size_t i = 0; i < len; i++) {
        l->number |= (uint64_t)(unsigned char)data[i] << (8 * l->n);
        if (++l->n == l->width) {
            tn_putf(l->out, "UINT64_C(0x%" PRIx64 "), ", l->number);
            l->number = l->n = 0;
        }
    }
}

static unsigned width_of(tn_dtype dtype) {
    unsigned bits = tn_dtype_get(dtype)->bits;
    return dtype == TN_DT_COMPLEX64 ? 4 : bits < 16 ? 1 : bits < 64 ? bits / 8 : 8;
}

static void put_tensor(const tn_cp *c, const char *id, const tn_tensor *t) {
    unsigned width = width_of(t->dtype);
    number_list list = {c->out, width, 0, 0};
    tn_sink bytes = tn_sink_streamed(c->arena, (tn_drain){put_bytes, &list});
    tn_putf(c->out, "    static const uint%u_t %s_data[] = {", 8 * width, id);
    tn_tensor_put_bytes(t, &bytes);
    tn_sink_flush(&bytes);
    tn_put(c->out, t->bytes == 0 ? "0};\n" : "};\n");
    tn_putf(c->out, "    static const tenure_dim %s_dims[] = {", id);
    for (uint32_t i = 0; i < t->rank; i++) {
        tn_putf(c->out, "%" PRId64 ", ", t->dims[i]);
    }
    tn_putf(c->out,
            "1};\n    static const tenure_tensor %s = {(void *)%s_data, %s_dims, %" PRIu64
            "u, %" PRIu64 "u, %uu, %uu, 0};\n",
            id, id, id, t->n_elements, t->bytes, (unsigned)t->rank, (unsigned)t->dtype);
}

/* ---- tables and entries ---- */

static const char *table_type(tn_attr_kind kind) {
    return kind == TN_ATTR_INTS ? "int64_t " : kind == TN_ATTR_FLOATS ? "float " : "char *const ";
}

static bool is_list(tn_attr_kind kind) {
    return kind == TN_ATTR_INTS || kind == TN_ATTR_FLOATS || kind == TN_ATTR_STRINGS;
}

static tn_status refuse(const tn_cp *c, const tn_plan_step *s, const tn_attr *a) {
    return tn_error(c->p->ctx, NULL,
                    "c-program: attribute '%s' of step %u (%s '%s') is a tensor whose elements are "
                    "not at hand",
                    a->name, (unsigned)(s - c->p->steps), s->op, s->name);
}

tn_status tn_cp_put_attr_table(const tn_cp *c, const tn_plan_step *s, const char *id,
                               const tn_attr *a) {
    if (a != NULL && a->kind == TN_ATTR_TENSOR) {
        if (!tn_tensor_has_bytes(a->u.t)) {
            return refuse(c, s, a);
        }
        put_tensor(c, id, a->u.t);
    }
    if (a == NULL || !is_list(a->kind)) {
        return TN_OK;
    }
    tn_putf(c->out, "    static const %s%s[] = {", table_type(a->kind), id);
    for (uint32_t i = 0; i < a->n; i++) {
        put_item(c->out, a, i);
        tn_put(c->out, i + 1 < a->n ? ", " : "");
    }
    tn_put(c->out, a->n == 0 ? "0};\n" : "};\n"); /* an array of nothing is not C */
    return TN_OK;
}

void tn_cp_put_attr_entry(const tn_cp *c, tn_attr_kind kind, const char *id, const tn_attr *a) {
    if (a != NULL && a->kind != kind) {
        a = NULL;
    }
    if (is_list(kind)) {
        tn_putf(c->out, a != NULL ? "{%s, %uu}" : "{NULL, 0}", id, a != NULL ? (unsigned)a->n : 0);
    } else if (kind == TN_ATTR_INT) {
        tn_put_c_int(c->out, a != NULL ? a->u.i : 0);
    } else if (kind == TN_ATTR_FLOAT) {
        put_float(c->out, a != NULL ? a->u.f : 0);
    } else if (kind == TN_ATTR_TENSOR) {
        tn_putf(c->out, a != NULL ? "&%s" : "NULL", id);
    } else if (a != NULL) {
        tn_put_c_string(c->out, a->u.s.data);
    } else {
        tn_put(c->out, "NULL");
    }
}
