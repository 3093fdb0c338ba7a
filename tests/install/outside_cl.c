/* A program outside the project with an emitted OpenCL plan: prints the size of its arena. Without a context the
 * runtime refuses to open it, and says why. */
#include <stdio.h>
#include <tenure_cl.h>

extern const tenure_cl_plan net_cl_plan;

int main(void) {
    char why[128] = "";
    tenure_cl *rt;
    unsigned long long arena = 0;
    for (uint32_t i = 0; i < net_cl_plan.n_chunks; i++)
        if (net_cl_plan.chunks[i].kind == TENURE_CL_ARENA)
            arena += net_cl_plan.chunks[i].size;
    if (tenure_cl_open(&net_cl_plan, NULL, &rt, why, sizeof why) == CL_SUCCESS || why[0] == '\0')
        return 1;
    printf("%llu\n", arena);
    return 0;
}
