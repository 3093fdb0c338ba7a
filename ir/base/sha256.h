/* SHA-256 (FIPS 180-4, by nettle), of bytes at hand or as they come. */
#ifndef TENURE_IR_BASE_SHA256_H
#define TENURE_IR_BASE_SHA256_H

#include <nettle/sha2.h>
#include <stddef.h>
#include <stdint.h>

#define TN_SHA256_BYTES 32
#define TN_SHA256_HEX (2 * TN_SHA256_BYTES + 1) /* with the NUL */

typedef struct tn_sha256 {
    struct sha256_ctx state;
} tn_sha256;

tn_sha256 tn_sha256_start(void);
void tn_sha256_add(tn_sha256 *sha, const void *data, size_t size);
/* Ends it: `sha` starts anew. */
void tn_sha256_end(tn_sha256 *sha, uint8_t digest[TN_SHA256_BYTES]);
/* The same as 64 lower-case hex digits and a NUL. */
void tn_sha256_end_hex(tn_sha256 *sha, char hex[TN_SHA256_HEX]);

#endif
