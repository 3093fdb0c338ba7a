/* Packing instances as CSV: what is read packs into a valid layout, or is refused, and what is
 * written reads back to the same. */
#include <string.h>

#include "passes/pack/csv.h"
#include "tests/fuzz/fuzz.h"

unsigned long fuzz_accepted;

enum { MAX_PACKED = 64 };

static void check_round(tn_arena *arena, const tn_pack_csv *csv) {
    tn_pack_csv back;
    tn_sink once = tn_sink_make(arena), twice = tn_sink_make(arena);
    tn_pack_csv_write(&once, csv, NULL);
    FUZZ_REQUIRE(tn_pack_csv_read(arena, "again", once.data, once.len, &back) == TN_OK);
    tn_pack_csv_write(&twice, &back, NULL);
    FUZZ_REQUIRE(strcmp(once.data, twice.data) == 0);
}

static tn_status read_instance(tn_ctx *ctx, void *arg) {
    const tn_bytes *bytes = arg;
    tn_arena *arena = tn_arena_new(ctx);
    tn_pack_csv csv;
    tn_status status = tn_pack_csv_read(arena, "input", bytes->data, bytes->size, &csv);
    if (status != TN_OK || csv.n > MAX_PACKED) {
        return status;
    }
    check_round(arena, &csv);
    tn_pack_options options = {.effort = 1, .budget = 1000};
    tn_pack_result r;
    status = tn_pack(arena, csv.buffers, csv.n, &options, &r);
    if (status == TN_OK) {
        uint32_t a, b;
        FUZZ_REQUIRE(tn_pack_valid(arena, csv.buffers, csv.n, r.offsets, &a, &b));
        FUZZ_REQUIRE(r.bound <= r.height && r.optimal == (r.bound == r.height));
    }
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return fuzz_run(data, size, read_instance);
}
