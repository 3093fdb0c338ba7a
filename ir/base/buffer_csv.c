#include "ir/base/buffer_csv.h"

#include <inttypes.h>

void tn_buffer_csv_header(tn_sink *sink, unsigned columns) {
    tn_putf(sink, "id,lower,upper,size%s%s%s%s\n", columns & TN_CSV_ALIGNMENT ? ",alignment" : "",
            columns & TN_CSV_HINT ? ",hint" : "", columns & TN_CSV_GAPS ? ",gaps" : "",
            columns & TN_CSV_OFFSET ? ",offset" : "");
}

static void put_id(tn_sink *sink, const char *id) {
    for (; *id != '\0'; id++) {
        tn_put_c(sink, *id == ',' || (unsigned char)*id < ' ' ? '_' : *id);
    }
}

void tn_buffer_csv_row(tn_sink *sink, unsigned columns, const tn_buffer_row *row) {
    put_id(sink, row->id);
    tn_putf(sink, ",%" PRId64 ",%" PRId64 ",%" PRIu64, row->lower, row->upper, row->size);
    if (columns & TN_CSV_ALIGNMENT) {
        tn_putf(sink, ",%" PRIu64, row->alignment);
    }
    if (columns & TN_CSV_HINT) {
        tn_putf(sink, ",%" PRId64, row->hint);
    }
    if (columns & TN_CSV_GAPS) {
        tn_putf(sink, ",%s", row->gaps);
    }
    if (columns & TN_CSV_OFFSET) {
        tn_putf(sink, ",%" PRIu64, row->offset);
    }
    tn_put_c(sink, '\n');
}
