/* For people: the figures, then what moved them, the largest first. */
#include "ir/plan/plan_names.h"
#include "lib/diff/diff_t.h"

enum { NAME_WIDTH = 14, WIDTH = 14 };

/* `from` is where the cell's text begins in the sink. */
static void pad(tn_sink *out, size_t from, size_t width) {
    size_t len = out->len - from;
    tn_put_indent(out, len < width ? width - len : 1);
}

static void put_amount(tn_sink *out, const tn_diff_figure *f, int side) {
    size_t from = out->len;
    if (!f->there[side]) {
        tn_put_c(out, '-');
    } else if (f->count) {
        tn_put_u64(out, f->bytes[side]);
    } else {
        tn_put_size(out, f->bytes[side]);
    }
    pad(out, from, WIDTH);
}

static void put_change(tn_sink *out, const tn_diff_figure *f) {
    int64_t more = (int64_t)(f->bytes[1] - f->bytes[0]);
    if (more == 0) {
        tn_put_c(out, '=');
        return;
    }
    if (f->count) {
        tn_putf(out, "%+lld", (long long)more);
        return;
    }
    tn_diff_put_delta(out, more);
    if (f->bytes[0] > 0) {
        tn_put(out, more < 0 ? " (-" : " (+");
        tn_put_decimal(out, (double)(more < 0 ? -more : more) / (double)f->bytes[0] * 100);
        tn_put(out, " %)");
    }
}

/* As wide as the longest name asks, which may stand in quotes. */
static size_t name_width(const tn_diff *d, const tn_diff_figure *f, uint32_t n) {
    size_t width = NAME_WIDTH;
    tn_sink word = tn_sink_make(d->arena);
    for (uint32_t i = 0; i < n; i++) {
        word.len = 0;
        tn_diff_put_word(&word, f[i].name);
        width = word.len + 1 > width ? word.len + 1 : width;
    }
    return width;
}

static void put_figures(const tn_diff *d, tn_sink *out) {
    uint32_t n;
    const tn_diff_figure *f = tn_diff_figures(d, &n);
    size_t width = name_width(d, f, n);
    tn_put_indent(out, width);
    tn_putf(out, "%-*s%-*s%s\n", WIDTH, "before", WIDTH, "after", "change");
    for (uint32_t i = 0; i < n; i++) {
        size_t from = out->len;
        tn_diff_put_word(out, f[i].name);
        pad(out, from, width);
        put_amount(out, &f[i], 0);
        put_amount(out, &f[i], 1);
        put_change(out, &f[i]);
        tn_put_c(out, '\n');
    }
}

static void put_options(const tn_diff *d, tn_sink *out) {
    uint32_t n;
    const tn_diff_option *o = tn_diff_options(d, &n);
    for (uint32_t i = 0; i < n; i++) {
        const char *const *text = o[i].text;
        tn_putf(out, "%s%s: ", i == 0 ? "\nmade with\n  " : "  ", o[i].name);
        tn_diff_put_word(out, text[1][0] != '\0' ? text[1] : "none");
        tn_put(out, ", was ");
        tn_diff_put_word(out, text[0][0] != '\0' ? text[0] : "none");
        tn_put_c(out, '\n');
    }
}

static void put_item(const tn_diff *d, const tn_change *c, tn_sink *out) {
    const tn_plan_value *v = tn_diff_value(d, c);
    size_t from = out->len;
    tn_put(out, "  ");
    if (c->bytes != 0) {
        tn_diff_put_delta(out, c->bytes);
    }
    pad(out, from, WIDTH);
    if (v->graph[0] != '\0') {
        tn_put_quoted(out, v->graph);
        tn_put_c(out, '/');
    }
    tn_put_quoted(out, v->name);
    if (c->kind != TN_CHANGE_SIZE) {
        tn_putf(out, " %s", v->type);
    }
    if (c->why != NULL) {
        tn_putf(out, ": %s", c->why);
    }
    tn_put_c(out, '\n');
}

static void put_changes(const tn_diff *d, uint32_t limit, tn_sink *out) {
    for (uint32_t i = 0; i < d->changes.len;) {
        tn_change_kind kind = d->changes.data[i].kind;
        uint32_t n = d->n[kind];
        tn_putf(out, "\n%s: %u\n", tn_diff_kind_heads[kind], n);
        for (uint32_t k = 0; k < n && k < limit; k++) {
            put_item(d, &d->changes.data[i + k], out);
        }
        if (n > limit) {
            tn_putf(out, "  and %u more\n", n - limit);
        }
        i += n;
    }
}

static void put_peak(const tn_diff *d, tn_sink *out) {
    tn_put(out, "peak: ");
    tn_diff_put_peak(out, d->p[1]);
    tn_put(out, ", was ");
    tn_diff_put_peak(out, d->p[0]);
    tn_put_c(out, '\n');
}

static void put_one(const tn_diff *d, uint32_t limit, tn_sink *out) {
    put_figures(d, out);
    if (!d->differ) {
        put_options(d, out);
        return;
    }
    put_peak(d, out);
    if (d->n_moved_steps > 0) {
        tn_putf(out, "steps at another place in the order: %u of %u\n", d->n_moved_steps,
                d->p[1]->n_steps);
    }
    if (d->n_moved > 0) {
        tn_putf(out, "values at other addresses: %u\n", d->n_moved);
    }
    put_changes(d, limit, out);
    put_options(d, out);
}

void tn_diff_print(const tn_diffs *all, tn_sink *out) {
    tn_put(out, all->differ ? "the plans differ\n" : "the plans are the same\n");
    for (uint32_t i = 0; i < all->n_unmatched; i++) {
        tn_diff_put_word(out, all->unmatched[i]);
        tn_put_c(out, '\n');
    }
    for (uint32_t i = 0; i < all->len; i++) {
        const char *program = all->data[i].program;
        tn_put_c(out, '\n');
        if (program[0] != '\0') {
            tn_put(out, "program ");
            tn_put_quoted(out, program);
            tn_put(out, ":\n");
        }
        put_one(&all->data[i], all->limit, out);
    }
}
