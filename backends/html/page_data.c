/* The data of the page, as columns of numbers and one list of texts. Columns that go up and down
 * slowly are written as differences; page.js undoes that. */
#include "backends/core/live_bytes.h"
#include "backends/html/page_t.h"
#include "ir/base/map.h"
#include "ir/plan/plan_names.h"

typedef struct writer {
    const tn_page *page;
    tn_sink *out;
    tn_sink scratch;
    tn_map text_at; /* tn_str_id to index in `texts` */
    TN_VEC(const char *) texts;
    const char *comma; /* before the next member */
} writer;

/* A string of JSON in which nothing ends the element of HTML that it stands in. */
static void put_text(writer *w, const char *text) {
    w->scratch.len = 0;
    tn_put_quoted(&w->scratch, text);
    const char *from = w->scratch.data;
    for (const char *c = from; *c != '\0'; c++) {
        if (*c == '<') {
            tn_put_n(w->out, from, (size_t)(c - from));
            tn_put(w->out, "\\u003c");
            from = c + 1;
        }
    }
    tn_put(w->out, from);
}

static int64_t text_index(writer *w, const char *text) {
    const char *interned = tn_intern(w->page->plan->ctx, text != NULL ? text : "");
    uint64_t at;
    if (!tn_map_get(&w->text_at, tn_str_id(interned), &at)) {
        at = w->texts.len;
        tn_map_put(&w->text_at, tn_str_id(interned), at);
        tn_vec_push(w->out->arena, &w->texts, interned);
    }
    return (int64_t)at;
}

static void begin(writer *w, const char *key) {
    tn_putf(w->out, "%s\"%s\":", w->comma, key);
    w->comma = ",";
}

static void open_object(writer *w, const char *key) {
    begin(w, key);
    tn_put_c(w->out, '{');
    w->comma = "";
}

static void close_object(writer *w) {
    tn_put(w->out, "}\n");
    w->comma = ",";
}

static void put_number(writer *w, const char *key, uint64_t n) {
    begin(w, key);
    tn_put_u64(w->out, n);
}

static void put_signed(writer *w, int64_t n) {
    if (n < 0) {
        tn_put_c(w->out, '-');
    }
    tn_put_u64(w->out, n < 0 ? (uint64_t)-n : (uint64_t)n);
}

/* One number for each of n items. */
static void put_column(writer *w, const char *key, uint32_t n,
                       int64_t (*of)(writer *w, uint32_t i)) {
    begin(w, key);
    tn_put_c(w->out, '[');
    for (uint32_t i = 0; i < n; i++) {
        if (i > 0) {
            tn_put_c(w->out, ',');
        }
        put_signed(w, of(w, i));
    }
    tn_put_c(w->out, ']');
}

/* ---- storages ---- */

static const tn_storage *storage(const writer *w, uint32_t i) {
    return &w->page->plan->storages[w->page->storages[i]];
}

static int64_t storage_pool(writer *w, uint32_t i) {
    return storage(w, i)->pool;
}

static int64_t storage_at(writer *w, uint32_t i) {
    return (int64_t)storage(w, i)->offset;
}

static int64_t storage_size(writer *w, uint32_t i) {
    return (int64_t)storage(w, i)->size;
}

static int64_t storage_first(writer *w, uint32_t i) {
    return (int64_t)storage(w, i)->first - (i > 0 ? storage(w, i - 1)->first : 0);
}

static int64_t storage_life(writer *w, uint32_t i) {
    return (int64_t)storage(w, i)->last - storage(w, i)->first;
}

static int64_t storage_pinned(writer *w, uint32_t i) {
    return storage(w, i)->pinned;
}

static int64_t storage_root(writer *w, uint32_t i) {
    uint32_t at = w->page->value_at[storage(w, i)->root];
    return at != TN_NO_ID ? (int64_t)at : -1;
}

static void put_storages(writer *w) {
    uint32_t n = w->page->n_storages;
    open_object(w, "storages");
    put_column(w, "pool", n, storage_pool);
    put_column(w, "at", n, storage_at);
    put_column(w, "size", n, storage_size);
    put_column(w, "first", n, storage_first);
    put_column(w, "life", n, storage_life);
    put_column(w, "pinned", n, storage_pinned);
    put_column(w, "root", n, storage_root);
    close_object(w);
}

/* ---- values ---- */

static const tn_plan_value *value(const writer *w, uint32_t i) {
    return &w->page->plan->values[w->page->values[i]];
}

static int64_t value_graph(writer *w, uint32_t i) {
    return text_index(w, value(w, i)->graph);
}

static int64_t value_type(writer *w, uint32_t i) {
    return text_index(w, value(w, i)->type);
}

static int64_t value_why(writer *w, uint32_t i) {
    return text_index(w, value(w, i)->why);
}

static int64_t value_role(writer *w, uint32_t i) {
    return value(w, i)->role;
}

static int64_t value_bytes(writer *w, uint32_t i) {
    return (int64_t)value(w, i)->bytes;
}

/* Behind the last storage where there is none. */
static int64_t storage_of(const writer *w, uint32_t i) {
    uint32_t s = value(w, i)->storage;
    return s != TN_NO_ID ? w->page->storage_at[s] : w->page->n_storages;
}

static int64_t value_storage(writer *w, uint32_t i) {
    return storage_of(w, i) - (i > 0 ? storage_of(w, i - 1) : 0);
}

static int64_t value_at(writer *w, uint32_t i) {
    return (int64_t)value(w, i)->offset;
}

static int64_t value_first(writer *w, uint32_t i) {
    return (int64_t)value(w, i)->first - (i > 0 ? value(w, i - 1)->first : 0);
}

static int64_t value_life(writer *w, uint32_t i) {
    return (int64_t)value(w, i)->last - value(w, i)->first;
}

/* Most values are written where their life begins. */
static int64_t value_step(writer *w, uint32_t i) {
    const tn_plan_value *v = value(w, i);
    return (v->step != TN_NO_ID ? (int64_t)v->step + 1 : 0) - v->first;
}

static int64_t value_alias(writer *w, uint32_t i) {
    return value(w, i)->alias;
}

/* How far before it the value stands with which it shares bytes; 0 where there is none. */
static int64_t value_of(writer *w, uint32_t i) {
    uint32_t of = value(w, i)->alias_of;
    uint32_t at = of != TN_NO_ID ? w->page->value_at[of] : TN_NO_ID;
    return at != TN_NO_ID ? (int64_t)i - at : 0;
}

static void put_names(writer *w) {
    begin(w, "name");
    for (uint32_t i = 0; i < w->page->n_values; i++) {
        tn_put_c(w->out, i > 0 ? ',' : '[');
        put_text(w, value(w, i)->name);
    }
    tn_put(w->out, w->page->n_values > 0 ? "]" : "[]");
}

static void put_values(writer *w) {
    uint32_t n = w->page->n_values;
    open_object(w, "values");
    put_names(w);
    put_column(w, "graph", n, value_graph);
    put_column(w, "type", n, value_type);
    put_column(w, "role", n, value_role);
    put_column(w, "bytes", n, value_bytes);
    put_column(w, "storage", n, value_storage);
    put_column(w, "at", n, value_at);
    put_column(w, "first", n, value_first);
    put_column(w, "life", n, value_life);
    put_column(w, "step", n, value_step);
    put_column(w, "alias", n, value_alias);
    put_column(w, "of", n, value_of);
    put_column(w, "why", n, value_why);
    close_object(w);
}

/* ---- steps ---- */

static int64_t step_op(writer *w, uint32_t i) {
    return text_index(w, w->page->plan->steps[i].op);
}

static int64_t step_kind(writer *w, uint32_t i) {
    return w->page->plan->steps[i].kind;
}

/* How many of the values that the page has the step reads. */
static int64_t count_reads(writer *w, uint32_t i) {
    const tn_ids *reads = &w->page->plan->steps[i].reads;
    int64_t n = 0;
    for (uint32_t k = 0; k < reads->len; k++) {
        n += w->page->value_at[reads->data[k]] != TN_NO_ID;
    }
    return n;
}

static void put_read_values(writer *w) {
    const char *comma = "";
    begin(w, "values");
    tn_put_c(w->out, '[');
    for (uint32_t i = 0; i < w->page->plan->n_steps; i++) {
        const tn_ids *reads = &w->page->plan->steps[i].reads;
        for (uint32_t k = 0; k < reads->len; k++) {
            uint32_t at = w->page->value_at[reads->data[k]];
            if (at != TN_NO_ID) {
                tn_putf(w->out, "%s%u", comma, at);
                comma = ",";
            }
        }
    }
    tn_put_c(w->out, ']');
}

/* Names of nodes come where all values are there: of larger plans they would be most of the page.
 */
static void put_step_names(writer *w) {
    const tn_plan *p = w->page->plan;
    uint32_t n = w->page->n_values == p->n_values ? p->n_steps : 0;
    begin(w, "name");
    for (uint32_t i = 0; i < n; i++) {
        tn_put_c(w->out, i > 0 ? ',' : '[');
        put_text(w, p->steps[i].name);
    }
    tn_put(w->out, n > 0 ? "]" : "[]");
}

static void put_steps(writer *w) {
    uint32_t n = w->page->plan->n_steps;
    open_object(w, "steps");
    put_number(w, "count", n);
    put_step_names(w);
    put_column(w, "op", n, step_op);
    put_column(w, "kind", n, step_kind);
    close_object(w);
    open_object(w, "reads");
    put_column(w, "counts", n, count_reads);
    put_read_values(w);
    close_object(w);
}

/* ---- pools and figures ---- */

enum { MOST_POINTS = 50000 }; /* of the line of bytes alive */

/* One number stands for `stride` steps: the largest of them. */
static void put_live(writer *w, uint32_t pool, uint32_t stride) {
    const tn_plan *p = w->page->plan;
    tn_arena *scratch = tn_arena_new(p->ctx);
    const uint64_t *live = tn_live_bytes(scratch, p, pool);
    begin(w, "live");
    tn_put_c(w->out, '[');
    for (uint32_t i = 0; i < p->n_steps; i += stride) {
        uint64_t most = 0;
        for (uint32_t k = i; k < p->n_steps && k - i < stride; k++) {
            most = live[k] > most ? live[k] : most;
        }
        tn_put(w->out, i > 0 ? "," : "");
        tn_put_u64(w->out, most);
    }
    tn_put_c(w->out, ']');
    tn_arena_drop(scratch);
}

static void put_pools(writer *w) {
    const tn_plan *p = w->page->plan;
    uint32_t stride = p->n_steps / MOST_POINTS + 1;
    put_number(w, "stride", stride);
    begin(w, "pools");
    tn_put_c(w->out, '[');
    for (uint32_t i = 0; i < p->n_pools; i++) {
        const tn_pool *pool = &p->pools[i];
        tn_put(w->out, i > 0 ? ",{" : "{");
        w->comma = "";
        begin(w, "name");
        put_text(w, pool->name);
        begin(w, "kind");
        put_text(w, tn_pool_kind_names[pool->kind]);
        put_number(w, "size", pool->size);
        put_number(w, "bound", pool->bound);
        put_number(w, "align", pool->align > 0 ? pool->align : 1);
        if (pool->kind == TN_POOL_ARENA) {
            put_live(w, i, stride);
        }
        tn_put_c(w->out, '}');
    }
    tn_put_c(w->out, ']');
    w->comma = ",\n";
}

static uint64_t arena_size(const tn_plan *p) {
    uint64_t size = 0;
    for (uint32_t i = 0; i < p->n_pools; i++) {
        size += p->pools[i].kind == TN_POOL_ARENA ? p->pools[i].size : 0;
    }
    return size;
}

static void put_figures(writer *w) {
    const tn_plan *p = w->page->plan;
    const tn_plan_report *r = &p->report;
    open_object(w, "figures");
    put_number(w, "arena", arena_size(p));
    put_number(w, "bound", r->bound);
    put_number(w, "naive", r->naive);
    put_number(w, "ram", r->ram);
    put_number(w, "flash", r->flash);
    tn_putf(w->out, ",\"optimal\":%s,\"reordered\":%s,\"peak_step\":%d",
            r->optimal ? "true" : "false", p->reordered ? "true" : "false", r->peak_step);
    close_object(w);
}

static int64_t peak_storage(writer *w, uint32_t i) {
    return w->page->storage_at[w->page->plan->report.peak.data[i]];
}

static void put_words(writer *w, const char *key, const char *const *words, uint32_t n) {
    begin(w, key);
    for (uint32_t i = 0; i < n; i++) {
        tn_put_c(w->out, i > 0 ? ',' : '[');
        put_text(w, words[i]);
    }
    tn_put(w->out, n > 0 ? "]" : "[]");
}

/* Which dimensions the plan is for; of those it leaves open, the ones that its numbers are for. */
static void put_extents(writer *w) {
    const tn_plan *p = w->page->plan;
    tn_sink text = tn_sink_make(w->out->arena);
    tn_put(&text, "");
    tn_put_extents(&text, p);
    for (uint32_t i = 0; i < p->n_ranges; i++) {
        tn_put(&text, i > 0 ? ", " : "; numbers are for ");
        tn_dim_put_name(&text, p->ranges[i].name);
        tn_putf(&text, " = %lld", (long long)p->ranges[i].point);
    }
    begin(w, "extents");
    put_text(w, text.data);
}

void tn_page_put_data(const tn_page *page, tn_sink *out) {
    writer w = {.page = page,
                .out = out,
                .scratch = tn_sink_make(out->arena),
                .text_at = tn_map_make(out->arena),
                .comma = ""};
    tn_put_c(out, '{');
    put_figures(&w);
    put_extents(&w);
    put_number(&w, "total", page->plan->n_values);
    put_number(&w, "largest_left_out", page->largest_left_out);
    put_words(&w, "roles", tn_plan_role_names, TN_ROLE_WORKSPACE + 1);
    put_words(&w, "aliases", tn_alias_words, TN_ALIAS_SHARE + 1);
    uint32_t main_pool = tn_plan_main_pool(page->plan);
    put_number(&w, "pool", main_pool != TN_NO_ID ? main_pool : 0);
    put_pools(&w);
    put_column(&w, "peak", page->plan->report.peak.len, peak_storage);
    put_storages(&w);
    put_values(&w);
    put_steps(&w);
    put_words(&w, "strings", w.texts.data, w.texts.len);
    tn_put(out, "}\n");
}
