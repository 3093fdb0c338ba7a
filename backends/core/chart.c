#include "backends/core/chart.h"

#include <stdio.h>
#include <string.h>

#include "backends/core/emit.h"
#include "backends/core/live_bytes.h"
#include "ir/base/key_sort.h"
#include "ir/plan/plan_names.h"

/* Margins round the plot, pixels. */
enum { LEFT = 100, RIGHT = 12, TOP = 34, BOTTOM = 58 };
/* Coordinates are whole tenths of a pixel: the same on every machine and in every locale. */
enum { TENTHS = 10 };

typedef struct frame {
    const tn_plan *p;
    const tn_pool *pool;
    uint32_t pool_id;
    tn_sink *out;
    uint32_t x0, x1, y0, y1; /* plot area in tenths; y0 is address 0, below y1 */
    const uint64_t *live;    /* bytes alive in this pool at each step */
    const bool *marked;      /* by storage */
    const char *mark;        /* what that means */
    uint64_t least;          /* smaller storages are not drawn */
} frame;

/* part / whole of `length`; whole > 0. */
static uint32_t scale(uint64_t part, uint64_t whole, uint32_t length) {
    return (uint32_t)((double)part / (double)whole * length + 0.5);
}

static uint32_t x_of(const frame *f, int64_t step) {
    int64_t steps = f->p->n_steps > 0 ? f->p->n_steps : 1;
    step = step < 0 ? 0 : step > steps ? steps : step;
    return f->x0 + scale((uint64_t)step, (uint64_t)steps, f->x1 - f->x0);
}

static uint32_t y_of(const frame *f, uint64_t address) {
    uint64_t size = f->pool->size > 0 ? f->pool->size : 1;
    return f->y0 - scale(address < size ? address : size, size, f->y0 - f->y1);
}

static void put_tenths(const frame *f, const char *name, uint32_t tenths) {
    tn_putf(f->out, " %s=\"%u.%u\"", name, tenths / TENTHS, tenths % TENTHS);
}

static void put_line(const frame *f, uint32_t x1, uint32_t y1, uint32_t x2, uint32_t y2,
                     const char *style) {
    tn_put(f->out, "<line");
    put_tenths(f, "x1", x1);
    put_tenths(f, "y1", y1);
    put_tenths(f, "x2", x2);
    put_tenths(f, "y2", y2);
    tn_putf(f->out, " %s/>\n", style);
}

static void begin_text(const frame *f, uint32_t x, uint32_t y, const char *anchor) {
    tn_put(f->out, "<text");
    put_tenths(f, "x", x);
    put_tenths(f, "y", y);
    tn_putf(f->out, " text-anchor=\"%s\">", anchor);
}

/* The values of a storage, which viewers show when the pointer rests on its rectangle. */
static void put_tooltip(const frame *f, const tn_storage *s, const uint32_t *next, uint32_t value) {
    enum { MOST = 12 };
    tn_putf(f->out, "<title>%llu bytes at %llu, steps %d to %d", (unsigned long long)s->size,
            (unsigned long long)s->offset, s->first, s->last);
    uint32_t n = 0;
    for (; value != TN_NO_ID; value = next[value]) {
        const tn_plan_value *v = &f->p->values[value];
        if (n++ < MOST) {
            tn_put_c(f->out, '\n');
            tn_put_markup(f->out, v->name);
            tn_put(f->out, ": ");
            tn_put_markup(f->out, v->type);
            tn_putf(f->out, ", %s", tn_alias_words[v->alias]);
        }
    }
    if (n > MOST) {
        tn_putf(f->out, "\nand %u more", n - MOST);
    }
    tn_put(f->out, "</title></rect>\n");
}

/* The name, where it fits into the rectangle. */
static void put_name(const frame *f, const char *name, uint32_t x, uint32_t y, uint32_t w,
                     uint32_t h) {
    enum { HIGH = 12 * TENTHS, WIDE = 7 * TENTHS }; /* a character of the chart's font */
    size_t len = strlen(name);
    if (h < HIGH || w < WIDE * (len + 1)) {
        return;
    }
    begin_text(f, x + 4 * TENTHS, y + h / 2 + 4 * TENTHS, "start");
    tn_put_markup(f->out, name);
    tn_put(f->out, "</text>\n");
}

static const char *class_of(const frame *f, const tn_storage *s) {
    static const char *const often[] = {"a", "b", "c"};
    if (s->pinned) {
        return "pinned";
    }
    return f->marked[s->id] ? s->id % 2 == 0 ? "peak" : "peak2" : often[s->id % 3];
}

static void put_storages(const frame *f, tn_arena *scratch) {
    const tn_plan *p = f->p;
    uint32_t *head = TN_ARRAY(scratch, uint32_t, p->n_storages);
    uint32_t *next = TN_ARRAY(scratch, uint32_t, p->n_values);
    for (uint32_t i = 0; i < p->n_storages; i++) {
        head[i] = TN_NO_ID;
    }
    for (uint32_t i = p->n_values; i-- > 0;) {
        uint32_t s = p->values[i].storage;
        next[i] = TN_NO_ID;
        if (s != TN_NO_ID) {
            next[i] = head[s];
            head[s] = i;
        }
    }
    for (uint32_t i = 0; i < p->n_storages; i++) {
        const tn_storage *s = &p->storages[i];
        if (s->pool != f->pool_id || s->size < f->least) {
            continue;
        }
        uint32_t x = x_of(f, s->first), w = x_of(f, (int64_t)s->last + 1) - x;
        uint32_t y = y_of(f, s->offset + s->size), h = y_of(f, s->offset) - y;
        tn_putf(f->out, "<rect class=\"%s\"", class_of(f, s));
        put_tenths(f, "x", x);
        put_tenths(f, "y", y);
        put_tenths(f, "width", w);
        put_tenths(f, "height", h);
        tn_put_c(f->out, '>');
        put_tooltip(f, s, next, head[i]);
        put_name(f, p->values[s->root].name, x, y, w, h);
    }
}

/* How many bytes are alive, as a staircase: what lies between it and the top of the rectangles is
 * lost to fragmentation. */
static void put_live(const frame *f) {
    tn_put(f->out, "<polyline class=\"live\" points=\"");
    uint32_t y = TN_NO_ID;
    for (uint32_t i = 0; i < f->p->n_steps; i++) {
        uint32_t x = x_of(f, i), now = y_of(f, f->live[i]);
        if (now != y && y != TN_NO_ID) {
            tn_putf(f->out, "%u.%u,%u.%u ", x / TENTHS, x % TENTHS, y / TENTHS, y % TENTHS);
        }
        if (now != y) {
            tn_putf(f->out, "%u.%u,%u.%u ", x / TENTHS, x % TENTHS, now / TENTHS, now % TENTHS);
        }
        y = now;
    }
    if (y != TN_NO_ID) {
        tn_putf(f->out, "%u.%u,%u.%u", f->x1 / TENTHS, f->x1 % TENTHS, y / TENTHS, y % TENTHS);
    }
    tn_put(f->out, "\"/>\n");
}

/* The power of two that makes few lines of `size` bytes. */
static uint64_t tick(uint64_t size) {
    enum { MOST = 7 };
    uint64_t step = 1;
    while (size / step >= MOST) {
        step *= 2;
    }
    return step;
}

static void put_axes(const frame *f) {
    enum { TICKS = 10 };
    uint64_t step = tick(f->pool->size);
    for (uint64_t address = 0; address <= f->pool->size; address += step) {
        begin_text(f, f->x0 - 6 * TENTHS, y_of(f, address) + 4 * TENTHS, "end");
        tn_put_size(f->out, address);
        tn_put(f->out, "</text>\n");
        if (address > UINT64_MAX - step) {
            break;
        }
    }
    uint32_t stride = f->p->n_steps / TICKS + 1;
    for (uint32_t i = 0; i < f->p->n_steps; i += stride) {
        begin_text(f, (x_of(f, i) + x_of(f, (int64_t)i + 1)) / 2, f->y0 + 16 * TENTHS, "middle");
        tn_putf(f->out, "%u</text>\n", i);
    }
    begin_text(f, (f->x0 + f->x1) / 2, f->y0 + 32 * TENTHS, "middle");
    tn_put(f->out, "step</text>\n");
}

/* A box or a line as the chart has it, and what it means. */
static void put_legend(const frame *f) {
    static const struct {
        const char *mark, *text;
        uint32_t at;
        bool line;
    } items[] = {{"peak", "alive at the peak", 0, false}, {"a", "the rest", 130, false},
                 {"pinned", "never shared", 210, false},  {"live", "bytes alive", 310, true},
                 {"bound", "lower bound", 400, true},     {"at", "the peak's step", 495, true}};
    uint32_t y = f->y0 + 46 * TENTHS, n = f->pool->kind == TN_POOL_ARENA ? 6 : 3;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t x = f->x0 + items[i].at * TENTHS;
        char style[32];
        (void)snprintf(style, sizeof style, "class=\"%s\"", items[i].mark);
        if (items[i].line) {
            put_line(f, x, y - 4 * TENTHS, x + 16 * TENTHS, y - 4 * TENTHS, style);
        } else {
            tn_putf(f->out, "<rect %s", style);
            put_tenths(f, "x", x);
            put_tenths(f, "y", y - 9 * TENTHS);
            put_tenths(f, "width", 14 * TENTHS);
            put_tenths(f, "height", 10 * TENTHS);
            tn_put(f->out, "/>\n");
        }
        begin_text(f, x + 20 * TENTHS, y, "start");
        tn_putf(f->out, "%s</text>\n", i == 0 ? f->mark : items[i].text);
    }
}

static void put_head(const frame *f, const tn_chart *chart) {
    tn_putf(f->out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
            "viewBox=\"0 0 %u %u\" font-family=\"sans-serif\" font-size=\"11\">\n<style>"
            ".a{fill:#4e79a7}.b{fill:#6b93be}.c{fill:#8fb0d3}.peak{fill:#f28e2b}"
            ".peak2{fill:#f6a95c}.pinned{fill:#9d9d9d}rect{stroke:#fff;stroke-width:.5}"
            ".live{fill:none;stroke:#222}.bound{stroke:#0a7d3c;stroke-width:2;stroke-dasharray:5 4}"
            ".at{stroke:#c62828;stroke-width:2}.back{fill:#fff}</style>\n"
            "<rect class=\"back\" width=\"%u\" height=\"%u\"/>\n",
            chart->width, chart->height, chart->width, chart->height, chart->width, chart->height);
    begin_text(f, f->x0, 20 * TENTHS, "start");
    tn_put_markup(f->out, f->p->model);
    tn_put(f->out, ", ");
    tn_put_markup(f->out, f->pool->name);
    tn_put(f->out, ": ");
    tn_put_bytes(f->out, f->pool->size);
    if (f->pool->kind == TN_POOL_ARENA) {
        tn_put(f->out, "; lower bound ");
        tn_put_bytes(f->out, f->pool->bound);
        tn_put(f->out, "; without reuse ");
        tn_put_bytes(f->out, f->p->report.naive);
    }
    tn_put(f->out, "</text>\n");
}

static const bool *at_peak(tn_arena *arena, const tn_plan *p) {
    bool *alive = TN_ARRAY(arena, bool, p->n_storages);
    for (uint32_t i = 0; i < p->report.peak.len; i++) {
        alive[p->report.peak.data[i]] = true;
    }
    return alive;
}

/* The size that so many storages of the pool have or exceed, at least 1; fewer where many have it.
 */
static uint64_t least_drawn(tn_arena *arena, const tn_plan *p, const tn_chart *chart) {
    tn_sort_key *keys = tn_sort_room(arena, p->n_storages);
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n_storages; i++) {
        if (p->storages[i].pool == chart->pool) {
            keys[n++] = (tn_sort_key){p->storages[i].size, i};
        }
    }
    if (chart->most == 0 || n <= chart->most) {
        return 1;
    }
    tn_sort_keys(keys, n);
    uint64_t size = keys[n - chart->most].key;
    return keys[n - chart->most - 1].key == size && keys[n - 1].key > size ? size + 1
           : size > 0                                                      ? size
                                                                           : 1;
}

void tn_chart_put(const tn_plan *p, const tn_chart *chart, tn_sink *out) {
    tn_arena *scratch = tn_arena_new(p->ctx);
    frame f = {.p = p,
               .pool = &p->pools[chart->pool],
               .pool_id = chart->pool,
               .out = out,
               .x0 = LEFT * TENTHS,
               .x1 = (chart->width - RIGHT) * TENTHS,
               .y0 = (chart->height - BOTTOM) * TENTHS,
               .y1 = TOP * TENTHS};
    f.live = tn_live_bytes(scratch, p, chart->pool);
    f.marked = chart->marked != NULL ? chart->marked : at_peak(scratch, p);
    f.mark = chart->mark != NULL ? chart->mark : "alive at the peak";
    f.least = least_drawn(scratch, p, chart);
    put_head(&f, chart);
    put_storages(&f, scratch);
    put_live(&f);
    if (f.pool->kind == TN_POOL_ARENA) {
        put_line(&f, f.x0, y_of(&f, f.pool->bound), f.x1, y_of(&f, f.pool->bound),
                 "class=\"bound\"");
    }
    if (f.pool->kind == TN_POOL_ARENA && p->report.peak_step >= 0) {
        uint32_t x =
            (x_of(&f, p->report.peak_step) + x_of(&f, (int64_t)p->report.peak_step + 1)) / 2;
        put_line(&f, x, f.y0, x, f.y1, "class=\"at\"");
    }
    put_axes(&f);
    put_legend(&f);
    tn_put(out, "</svg>\n");
    tn_arena_drop(scratch);
}
