#include "ir/base/sha256.h"

tn_sha256 tn_sha256_start(void) {
    tn_sha256 sha;
    sha256_init(&sha.state);
    return sha;
}

void tn_sha256_add(tn_sha256 *sha, const void *data, size_t size) {
    sha256_update(&sha->state, size, data);
}

void tn_sha256_end(tn_sha256 *sha, uint8_t digest[TN_SHA256_BYTES]) {
    sha256_digest(&sha->state, TN_SHA256_BYTES, digest);
}

void tn_sha256_end_hex(tn_sha256 *sha, char hex[TN_SHA256_HEX]) {
    static const char digits[] = "0123456789abcdef";
    uint8_t digest[TN_SHA256_BYTES];
    tn_sha256_end(sha, digest);
    for (size_t i = 0; i < sizeof digest; i++) {
        hex[2 * i] = digits[digest[i] >> 4];
        hex[2 * i + 1] = digits[digest[i] & 15];
    }
    hex[2 * sizeof digest] = '\0';
}
