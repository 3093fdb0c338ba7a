/* Status of an operation; the numbers are the exit codes of the command and never change.
 *
 * When a function returns anything but TN_OK, the reason has been reported already, as a diagnostic
 * (ir/base/diag.h). */
#ifndef TENURE_IR_BASE_STATUS_H
#define TENURE_IR_BASE_STATUS_H

#include "ir/os/attributes.h"

typedef enum tn_status {
    TN_OK = 0,
    TN_ERROR = 1,        /* bad model, bad plan, failed request: the user's input is wrong */
    TN_USAGE = 2,        /* bad command line, pipeline text or option */
    TN_NOMEM = 3,        /* out of memory */
    TN_NOFIT = 4,        /* the plan does not fit the capacity asked for */
    TN_INTERNAL = 70,    /* our own mistake, e.g. a plan the checker refuses */
    TN_INTERRUPTED = 130 /* the user wants no more of it */
} tn_status;

/* What nobody goes on after: whoever tries something and goes on when it fails hands these on. */
static inline int tn_status_ends_all(tn_status status) {
    return status == TN_NOMEM || status == TN_INTERRUPTED;
}

#endif
