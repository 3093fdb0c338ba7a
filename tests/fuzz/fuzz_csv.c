/* Packing instances as CSV: what is read packs into a valid layout, into objects, and by its
 * conflicts instead of its live ranges; or is refused; and what is written reads back to the same.
 */
#include <string.h>

#include "lib/instance/instance_csv.h"
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

static void check_slots(tn_arena *arena, const tn_pack_csv *csv, const tn_pack_options *options) {
    tn_slots_result r;
    tn_pack_misfit set;
    if (tn_pack_slots(arena, csv->buffers, NULL, csv->n, options, &r) != TN_OK) {
        return;
    }
    FUZZ_REQUIRE(r.bound <= r.total && r.optimal == (r.bound == r.total));
    for (uint32_t i = 0; i < csv->n; i++) {
        const tn_pack_buffer *b = &csv->buffers[i];
        FUZZ_REQUIRE(r.sizes[r.object[i]] >= b->size);
        for (uint32_t k = 0; k < i; k++) {
            bool meet = b->first < csv->buffers[k].last && csv->buffers[k].first < b->last;
            FUZZ_REQUIRE(!meet || r.object[i] != r.object[k]);
        }
    }
    tn_pack_options small = *options;
    small.capacity = r.bound > 1 ? r.bound - 1 : 1;
    if (tn_pack_slots_misfit(arena, csv->buffers, csv->n, &small, &set)) {
        FUZZ_REQUIRE(set.n > 0 && set.bytes > small.capacity && r.bound > small.capacity);
    }
}

/* Buffers that are live together conflict; the gaps are left out on both sides. */
static void check_graph(tn_arena *arena, const tn_pack_csv *csv, const tn_pack_options *options) {
    tn_conflict *pairs = TN_ARRAY(arena, tn_conflict, (size_t)csv->n * csv->n);
    tn_pack_buffer *plain = TN_ARRAY(arena, tn_pack_buffer, csv->n);
    size_t n = 0;
    uint32_t a, b;
    tn_pack_result r;
    for (uint32_t i = 0; i < csv->n; i++) {
        plain[i] = csv->buffers[i];
        plain[i].n_gaps = 0;
        for (uint32_t k = 0; k < i; k++) {
            if (plain[i].first < plain[k].last && plain[k].first < plain[i].last) {
                pairs[n++] = (tn_conflict){i, k};
            }
        }
    }
    if (tn_pack_graph(arena, plain, csv->n, pairs, n, options, &r) == TN_OK) {
        FUZZ_REQUIRE(tn_pack_graph_valid(plain, csv->n, pairs, n, r.offsets, &a, &b));
        FUZZ_REQUIRE(tn_pack_valid(arena, plain, csv->n, r.offsets, &a, &b));
        FUZZ_REQUIRE(r.bound <= r.height && r.optimal == (r.bound == r.height));
    }
}

static void check_misfit(tn_arena *arena, const tn_pack_csv *csv, const tn_pack_options *options,
                         const tn_pack_result *r) {
    tn_pack_options small = *options;
    tn_pack_misfit set;
    small.capacity = r->bound > 1 ? r->bound - 1 : 1;
    if (tn_pack_misfit_find(arena, csv->buffers, csv->n, &small, &set)) {
        FUZZ_REQUIRE(set.n > 0 && set.bytes > small.capacity && set.bytes <= r->height);
    }
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
        check_misfit(arena, &csv, &options, &r);
        check_slots(arena, &csv, &options);
        check_graph(arena, &csv, &options);
    }
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return fuzz_run(data, size, read_instance);
}
