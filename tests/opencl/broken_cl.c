#include <broken_cl.h>

#include <launch.h>

int broken_accumulating(const tenure_tensor *a, const tenure_tensor *b, const tenure_tensor *y,
                        const tenure_context *c) {
    walk w;
    int error = walk_of(b, y->dims, y->rank, &w);
    error = error == 0 ? copy_elements(b, &w, 0, y, &w, 0, y->elements, c) : error;
    return error == 0 ? tenure_Add_14(a, y, y, c) : error;
}

int broken_hasty(const tenure_tensor *a, const tenure_tensor *b, const tenure_tensor *y,
                 const tenure_context *c) {
    tenure_cl_call *call = (tenure_cl_call *)c->user;
    call->n_waits = 0;
    return tenure_Add_14(a, b, y, c);
}
