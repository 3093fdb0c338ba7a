/* MiniMalloc's CSV dialect: reading, writing, and what is refused. */
#include "lib/instance/instance_csv.h"
#include "tests/unit/unit.h"

static tn_pack_csv read_ok(tn_arena *a, const char *text) {
    tn_pack_csv csv;
    assert_int_equal(tn_pack_csv_read(a, "in.csv", text, strlen(text), &csv), TN_OK);
    return csv;
}

static tn_status half_open(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_arena *a = tn_arena_new(ctx);
    tn_pack_csv c =
        read_ok(a, "size,id,lower,upper\r\n16,a,-3,4\r\n0,b c,0,1\r\n\r\nrest,is,not,read\n");
    assert_int_equal(c.n, 2);
    assert_string_equal(c.ids[1], "b c");
    assert_int_equal(c.buffers[0].first, -3);
    assert_int_equal(c.buffers[0].last, 4);
    assert_int_equal(c.buffers[0].size, 16);
    assert_int_equal(c.buffers[0].align, 1);
    assert_true(c.buffers[0].fixed == TN_PACK_FREE);
    uint64_t at[] = {0, 16};
    tn_sink s = tn_sink_make(a);
    tn_pack_csv_write(&s, &c, at);
    assert_string_equal(s.data, "id,lower,upper,size,offset\na,-3,4,16,0\nb c,0,1,0,16\n");
    return TN_OK;
}

/* An inclusive end shifts gaps too; what was read inclusive is written half-open. */
static tn_status all_columns(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_arena *a = tn_arena_new(ctx);
    tn_pack_csv c = read_ok(a, "buffer,begin,end,size,alignment,hint,gaps,offset\n"
                               "x,0,9,100,8,-1,2-3@10:20 5-6,64\n"
                               "y,1,1,7,1,40,,0");
    assert_int_equal(c.n, 2);
    assert_int_equal(c.buffers[0].last, 10);
    assert_int_equal(c.buffers[0].fixed, 64);
    assert_int_equal(c.buffers[0].n_gaps, 2);
    assert_int_equal(c.buffers[0].gaps[0].last, 4);
    assert_int_equal(c.buffers[0].gaps[0].hi, 20);
    assert_int_equal(c.buffers[0].gaps[1].hi, 0);
    assert_int_equal(c.hints[1], 40);
    tn_sink s = tn_sink_make(a);
    tn_pack_csv_write(&s, &c, NULL);
    assert_string_equal(s.data, "id,lower,upper,size,alignment,hint,gaps\n"
                                "x,0,10,100,8,-1,2-4@10:20 5-7\n"
                                "y,1,2,7,1,40,\n");
    return TN_OK;
}

/* What is written reads back to the same buffers, but for what the dialect has no way to say:
 * commas and control characters in ids. The half-open form of an inclusive file is the same
 * instance. */
static tn_status round_trip(tn_ctx *ctx, void *arg) {
    (void)arg;
    tn_arena *a = tn_arena_new(ctx);
    tn_pack_csv c = read_ok(a, "gaps,buffer_id,start,end,size,offset,hint,alignment\n"
                               "-4--2@3:9 0-0,x,-5,3,64,128,-1,64\n"
                               ",y,2,2,1,0,7,1\n");
    uint64_t at[] = {c.buffers[0].fixed, c.buffers[1].fixed};
    tn_sink s = tn_sink_make(a), again = tn_sink_make(a);
    tn_pack_csv_write(&s, &c, at);
    assert_string_equal(s.data, "id,lower,upper,size,alignment,hint,gaps,offset\n"
                                "x,-5,4,64,64,-1,-4--1@3:9 0-1,128\n"
                                "y,2,3,1,1,7,,0\n");
    tn_pack_csv back = read_ok(a, s.data);
    assert_int_equal(back.n, 2);
    for (uint32_t i = 0; i < 2; i++) {
        const tn_pack_buffer *x = &c.buffers[i], *y = &back.buffers[i];
        assert_true(x->first == y->first && x->last == y->last && x->size == y->size &&
                    x->align == y->align && x->fixed == y->fixed && x->n_gaps == y->n_gaps);
        for (uint32_t g = 0; g < x->n_gaps; g++) {
            assert_memory_equal(&x->gaps[g], &y->gaps[g], sizeof x->gaps[g]);
        }
        assert_int_equal(c.hints[i], back.hints[i]);
    }
    tn_pack_csv_write(&again, &back, at);
    assert_string_equal(again.data, s.data);
    back.ids[0] = "a,b\n\tc";
    tn_sink odd = tn_sink_make(a);
    tn_pack_csv_write(&odd, &back, NULL);
    assert_non_null(strstr(odd.data, "\na_b__c,-5,4,"));
    return TN_OK;
}

static const struct {
    const char *text, *message;
} refused[] = {
    {"", "there is no header line"},
    {"id,lower,upper\n", "there is no column 'size'"},
    {"id,lower,upper,size,weight\n", "'weight' is not a valid column name"},
    {"id,lower,begin,upper,size\n", "column 'begin' comes twice"},
    {"id,lower,upper,size\na,0,1\n", "3 fields, the header has 4 columns"},
    {"id,lower,upper,size\na,0,1,2,\n", "5 fields, the header has 4 columns"},
    {"id,lower,upper,size\na,0,0,2\n", "buffer 'a' has an empty live range"},
    {"id,lower,upper,size\na,0,x,2\n", "'x' is not a valid end of a live range"},
    {"id,lower,upper,size\na,0,1,-2\n", "'-2' is not a valid size"},
    {"id,lower,upper,size\na,0,1,9223372036854775808\n", "is not a valid size"},
    {"id,lower,upper,size,alignment\na,0,1,2,0\n", "'0' is not a valid alignment"},
    {"id,lower,upper,size,gaps\na,0,9,2,1-2@2\n", "'1-2@2' is not a valid gap"},
};

static void test_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        unit_log log;
        tn_ctx *ctx = unit_ctx(&log);
        tn_arena *a = tn_arena_new(ctx);
        tn_pack_csv c;
        tn_status s = tn_pack_csv_read(a, "in.csv", refused[i].text, strlen(refused[i].text), &c);
        assert_int_equal(s, TN_ERROR);
        assert_non_null(strstr(log.text, refused[i].message));
        assert_non_null(strstr(log.text, "in.csv"));
        tn_ctx_free(ctx);
    }
}

UNIT_TEST(half_open)
UNIT_TEST(all_columns)
UNIT_TEST(round_trip)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_half_open), cmocka_unit_test(test_all_columns),
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
