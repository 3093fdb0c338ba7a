/* What is being done, on a terminal, where a command takes more than a second: one line on standard
 * error that is renewed each second and gone before anything else is printed. In files and pipes
 * nothing of it shows. */
#ifndef TENURE_CLI_PROGRESS_H
#define TENURE_CLI_PROGRESS_H

#include <tenure/tenure.h>

/* From now on, if standard error is a terminal. */
void tn_progress_start(tenure_context *ctx);
/* Round what is printed: the line goes away, and comes back with the next second. */
void tn_progress_hide(void);
void tn_progress_show(void);

#endif
