/* Sharing as a flow of least cost: every item either uses the object of an item that is dead
 * by then, for the bytes by which it is larger, or opens a new object for all of its bytes; an
 * object is handed on once at most. The flow is an assignment of items to predecessors, found by
 * shortest augmenting paths (Hungarian method). An object that shrinks and grows again is paid
 * twice here, so the cheapest flow is not always the cheapest sharing. */
#include <string.h>

#include "passes/pack/slots/slots.h"

/* Columns: item i as predecessor stands in column i; the new object of item j in column n + j,
 * which is of use to row j alone. Row and column 0 are the method's starting point, so all are
 * shifted by one. */
typedef struct matching {
    const tn_slot_group *g;
    uint32_t n, n_columns;
    int64_t *row_price, *column_price;
    uint32_t *row_of;  /* by column: the row that has it, 0: none */
    uint32_t *way;     /* by column: the column before it on the path */
    int64_t *distance; /* by column, from the row that seeks */
    bool *reached;     /* by column */
} matching;

#define FAR INT64_MAX

static int64_t price(const matching *m, uint32_t row, uint32_t column) {
    const tn_slot_item *item = &m->g->items[row - 1];
    if (column > m->n) {
        return column - m->n == row ? (int64_t)item->size : FAR;
    }
    const tn_slot_item *from = &m->g->items[column - 1];
    if (from->b > item->a) {
        return FAR;
    }
    return item->size > from->size ? (int64_t)(item->size - from->size) : 0;
}

static matching make(tn_arena *scratch, const tn_slot_group *g) {
    size_t n = (size_t)g->n + 1, columns = 2 * (size_t)g->n + 1;
    return (matching){.g = g,
                      .n = g->n,
                      .n_columns = 2 * g->n,
                      .row_price = TN_ARRAY(scratch, int64_t, n),
                      .column_price = TN_ARRAY(scratch, int64_t, columns),
                      .row_of = TN_ARRAY(scratch, uint32_t, columns),
                      .way = TN_ARRAY(scratch, uint32_t, columns),
                      .distance = TN_ARRAY(scratch, int64_t, columns),
                      .reached = TN_ARRAY(scratch, bool, columns)};
}

/* Looks from the row of column `at` at all columns not reached yet; the nearest of them. */
static uint32_t advance(matching *m, uint32_t at) {
    uint32_t row = m->row_of[at], nearest = 0;
    for (uint32_t c = 1; c <= m->n_columns; c++) {
        if (m->reached[c]) {
            continue;
        }
        int64_t cost = price(m, row, c);
        if (cost != FAR && cost - m->row_price[row] - m->column_price[c] < m->distance[c]) {
            m->distance[c] = cost - m->row_price[row] - m->column_price[c];
            m->way[c] = at;
        }
        if (m->distance[c] != FAR && (nearest == 0 || m->distance[c] < m->distance[nearest])) {
            nearest = c;
        }
    }
    return nearest;
}

static void change_prices(matching *m, int64_t by) {
    for (uint32_t c = 0; c <= m->n_columns; c++) {
        if (m->reached[c]) {
            m->row_price[m->row_of[c]] += by;
            m->column_price[c] -= by;
        } else if (m->distance[c] != FAR) {
            m->distance[c] -= by;
        }
    }
}

/* A row always finds its own new object, so there always is a nearest column. */
static bool match_row(matching *m, uint32_t row, uint64_t *budget) {
    uint32_t at = 0;
    m->row_of[0] = row;
    memset(m->reached, 0, (size_t)m->n_columns + 1);
    for (uint32_t c = 0; c <= m->n_columns; c++) {
        m->distance[c] = FAR;
    }
    do {
        if (*budget < m->n_columns) {
            return false;
        }
        *budget -= m->n_columns;
        m->reached[at] = true;
        uint32_t next = advance(m, at);
        change_prices(m, m->distance[next]);
        at = next;
    } while (m->row_of[at] != 0);
    for (; at != 0; at = m->way[at]) {
        m->row_of[at] = m->row_of[m->way[at]];
    }
    return true;
}

/* Prices are sums of sizes along a path, and differences of such. */
static bool sums_fit(const tn_slot_group *g) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < g->n; i++) {
        sum += g->items[i].size;
    }
    return sum < INT64_MAX / 4;
}

bool tn_slots_flow(tn_arena *scratch, const tn_slot_group *g, uint64_t budget, tn_sharing *out) {
    if (!sums_fit(g)) {
        return false;
    }
    matching m = make(scratch, g);
    for (uint32_t row = 1; row <= g->n; row++) {
        if (!match_row(&m, row, &budget)) {
            return false;
        }
    }
    out->n_objects = 0;
    for (uint32_t c = g->n + 1; c <= m.n_columns;
         c++) { /* follow each object from its first item */
        for (uint32_t row = m.row_of[c], object = out->n_objects; row != 0; row = m.row_of[row]) {
            out->object[row - 1] = object;
            out->n_objects = object + 1;
        }
    }
    return true;
}
