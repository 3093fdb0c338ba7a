#ifndef TENURE_LIB_VERSION_H
#define TENURE_LIB_VERSION_H

/* "0.1.0", from tenure.h. */
const char *tn_version_text(void);

#endif
