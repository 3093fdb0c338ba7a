/* In front of programs of fact_programs.py: kernels are asked what they need. */
#ifndef FACTS_CONFIG_H
#define FACTS_CONFIG_H
#ifndef __ASSEMBLER__

#include <stdio.h>

#include "backends/kernels/library/kernels.h"

#define TENURE_WORKSPACE_Conv_1 tenure_Conv_1_workspace
#define TENURE_WORKSPACE_Conv_11 tenure_Conv_11_workspace
#define TENURE_WORKSPACE_Conv_22 tenure_Conv_22_workspace
#define NET_WORKSPACE_TOO_SMALL(step, needed, planned, user)                                       \
    (void)fprintf(stderr, "step %u needs %zu bytes of workspace, planned are %zu\n",               \
                  (unsigned)(step), (size_t)(needed), (size_t)(planned))

#endif
#endif
