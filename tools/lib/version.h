#ifndef TENURE_TOOLS_LIB_VERSION_H
#define TENURE_TOOLS_LIB_VERSION_H

#define TN_VERSION "0.1.0"

const char *tn_version_text(void);

#endif
