#ifndef TENURE_LIB_VERSION_H
#define TENURE_LIB_VERSION_H

/* "0.2.0", from tenure.h. */
const char *tn_version_text(void);

#endif
