/* Private to lib/api/api_ir*.c: what the handles of ir.h are, and how a model is changed. */
#ifndef TENURE_LIB_API_API_IR_T_H
#define TENURE_LIB_API_API_IR_T_H

#include "ir/mutate.h"
#include "lib/api/api_t.h"
#include "tenure/ir.h"

/* A tenure_graph is a tn_graph, and so on: the casts are here. */
static inline tn_graph *api_graph(const tenure_graph *graph) {
    return (tn_graph *)graph;
}
static inline tn_op *api_op(const tenure_op *op) {
    return (tn_op *)op;
}
static inline tn_value *api_value(const tenure_value *value) {
    return (tn_value *)value;
}

/* One change: what it is about, and what it is given. A member that a change does not use is NULL
 * or 0. */
typedef struct tn_edit {
    const char *where; /* the function that is called */
    tn_module *m;      /* NULL: what must be there is NULL */
    tn_graph *graph;
    tn_op *op, *before;
    tn_value *value, *by;
    tn_value *const *values; /* n of them */
    const char *name, *text, *domain;
    const void *data;
    size_t n;
    int64_t number;
    uint32_t set, clear;
    const tenure_tensor *tensor;
    tenure_data how;
    tn_attr attr;
    const tn_request *request;
    void *made; /* the handle that comes out */
} tn_edit;

/* What a change is about; with NULL nothing is done. */
tn_edit tn_edit_model(const char *where, tenure_model *model);
tn_edit tn_edit_graph(const char *where, tenure_graph *graph);
tn_edit tn_edit_op(const char *where, tenure_op *op);
tn_edit tn_edit_value(const char *where, tenure_value *value);

/* Does it, behind a boundary. `fn` looks at all it is given before it changes anything. `missing`
 * is the name of an argument that is NULL and must not be, or NULL. */
tenure_status tn_edit_run(tn_edit *e, const char *missing,
                          tn_status (*fn)(tn_ctx *ctx, void *edit));

/* ---- for `fn`: each says what is wrong and returns TN_ERROR, or TN_OK ---- */

/* "FILE: graph ...: WHERE: ..." */
tn_status tn_edit_refuse(const tn_edit *e, const char *fmt, ...) TN_PRINTF(2, 3);
TN_MUST_USE tn_status tn_edit_name(const tn_edit *e, const char *what, const char *name);
/* Of this model, and not of a removed op; NULL is fine. */
TN_MUST_USE tn_status tn_edit_may_read(const tn_edit *e, const tn_value *v);
/* The type that `text` says; unknown for NULL. */
TN_MUST_USE tn_status tn_edit_type(const tn_edit *e, const char *text, const tn_type **out);
/* A tensor of the model out of e->tensor, e->data and e->how. */
TN_MUST_USE tn_status tn_edit_tensor(const tn_edit *e, const tn_tensor **out);

#endif
