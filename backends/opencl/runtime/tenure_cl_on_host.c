/* Steps that the host computes: what they read comes from the device, what they write goes back. */
#include <stdlib.h>
#include <string.h>

#include <tenure_cl_inside.h>

enum { APART = 64 }; /* bytes that values are aligned to */

typedef enum what { COUNT, READ, WRITE, FORGET } what;

/* Bytes of the step's values, each once. What shares its bytes with another, or stays from run to
 * run, is read before and written after the kernel, whether it is an operand or not. */
typedef struct pass {
    tenure_cl *rt;
    cl_command_queue queue;
    uint32_t step;
    what what;
    size_t used;
} pass;

static cl_int visit(pass *p, uint32_t value, int read, int write) {
    const tenure_cl_value *v = value != TENURE_CL_NONE ? &p->rt->plan->values[value] : NULL;
    if (v == NULL || v->handle == TENURE_CL_NONE ||
        (p->rt->places[value].bytes != NULL && !tenure_cl_is_lent(p->rt, p->step, value))) {
        return CL_SUCCESS; /* it is on the host, or nowhere */
    }
    unsigned char **at = &p->rt->bytes[value];
    if (p->what == COUNT || (p->what == READ && *at == NULL)) {
        *at = p->what == READ ? p->rt->room + p->used : NULL;
        p->used += ((size_t)v->bytes + APART - 1) / APART * APART;
        return *at != NULL && read ? tenure_cl_transfer(p->rt, p->queue, p->step, value, *at, 0)
                                   : CL_SUCCESS;
    }
    if (p->what == WRITE) {
        return write ? tenure_cl_transfer(p->rt, p->queue, p->step, value, *at, 1) : CL_SUCCESS;
    }
    *at = p->what == FORGET ? NULL : *at;
    return CL_SUCCESS;
}

static cl_int visit_all(pass *p) {
    const tenure_cl_plan *plan = p->rt->plan;
    const tenure_cl_step *s = &plan->steps[p->step];
    const uint32_t *operands = tenure_cl_ids(plan, s->operands);
    const uint32_t *results = tenure_cl_ids(plan, s->results);
    int over = s->claims.len > 0;
    cl_int err = CL_SUCCESS;
    for (uint32_t i = 0; i < s->operands.len && err == CL_SUCCESS; i++) {
        int written = 0;
        for (uint32_t k = 0; k < s->claims.len; k++) {
            const tenure_cl_claim *c = &plan->claims[s->claims.at + k];
            written |= c->result == TENURE_CL_NONE && c->operand == i;
        }
        err = visit(p, operands[i], 1, written);
    }
    for (uint32_t i = 0; i < s->results.len && err == CL_SUCCESS; i++) {
        err = visit(p, results[i], over, 1);
    }
    for (uint32_t i = 0; i < s->workspace.len && err == CL_SUCCESS; i++) {
        const tenure_cl_workspace *w = &plan->workspaces[s->workspace.at + i];
        err = visit(p, w->value, w->kept, w->kept);
    }
    return err;
}

cl_int tenure_cl_make_room(tenure_cl *rt, const tenure_cl_program *program) {
    size_t most = 0;
    rt->bytes = calloc(rt->plan->n_values + 1u, sizeof *rt->bytes);
    for (uint32_t i = 0; i < rt->plan->n_steps && rt->bytes != NULL; i++) {
        pass p = {rt, NULL, i, COUNT, 0};
        if (program->on_host[i]) {
            (void)visit_all(&p);
            most = p.used > most ? p.used : most;
        }
    }
    rt->room = malloc(most + 1);
    return rt->bytes == NULL || rt->room == NULL ? CL_OUT_OF_HOST_MEMORY : CL_SUCCESS;
}

void *tenure_cl_data(const tenure_cl *rt, uint32_t value) {
    if (!rt->on_host) {
        return (void *)(uintptr_t)tenure_cl_place_in(rt, rt->step, value);
    }
    return rt->bytes[value] != NULL ? rt->bytes[value] : rt->places[value].bytes;
}

cl_int tenure_cl_run_on_host(tenure_cl *rt, const tenure_cl_program *program, uint32_t step,
                             tenure_cl_call *call) {
    pass p = {rt, call->queue, step, READ, 0};
    cl_int err = visit_all(&p);
    if (err == CL_SUCCESS) {
        rt->on_host = 1;
        err = program->calls[step](rt, call);
        rt->on_host = 0;
    }
    p.what = WRITE;
    err = err == CL_SUCCESS ? visit_all(&p) : err;
    p.what = FORGET;
    (void)visit_all(&p);
    return err;
}
