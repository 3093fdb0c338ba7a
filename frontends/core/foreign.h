/* Files that people take for models: other formats, packed files, files that stand for others. */
#ifndef TENURE_FRONTENDS_CORE_FOREIGN_H
#define TENURE_FRONTENDS_CORE_FOREIGN_H

#include "ir/base/file.h"

typedef struct tn_foreign {
    const char *what; /* "an OpenVINO model" */
    const char *to_do;
} tn_foreign;

/* What the first bytes show, for files that no frontend is sure of; `what` NULL: nothing. */
tn_foreign tn_foreign_of(const char *path, tn_bytes bytes);

#endif
