/* --diagnostics=json: messages as a log in SARIF 2.1.0, one JSON document on standard error at the
 * end of the command, and nothing else there. */
#ifndef TENURE_CLI_SARIF_H
#define TENURE_CLI_SARIF_H

#include <stdbool.h>
#include <tenure/tenure.h>

void tn_sarif_start(void);
/* Whether messages go into the log. */
bool tn_sarif_on(void);
/* A message: a result, or for a note one more place of the result before it. */
void tn_sarif_add(const tenure_diagnostic *d);
/* Text for people that is no message: "report", "log". */
void tn_sarif_say(const char *what, const char *text, size_t size);
/* Writes the log. */
void tn_sarif_end(tenure_status status);

#endif
