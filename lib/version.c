#include "lib/version.h"

#include "tenure/tenure.h"

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

const char *tn_version_text(void) {
    return TEXT(TENURE_VERSION_MAJOR) "." TEXT(TENURE_VERSION_MINOR) "." TEXT(TENURE_VERSION_PATCH);
}
