/* What makes a plan again: options of `tenure plan`, and the words for them. */
#include <string.h>

#include "ir/base/quote.h"
#include "lib/fit/fit_t.h"
#include "lib/sets/sets.h"

/* A word of a command line: in quotes where a shell would make something else of it. */
static void put_word(tn_sink *out, const char *text) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-.,:/=+%@";
    tn_put(out, out->len > 0 ? " " : "");
    if (text[0] != '\0' && text[strspn(text, plain)] == '\0') {
        tn_put(out, text);
    } else {
        tn_put_argument(out, text);
    }
}

static void put_option(tn_sink *out, const char *key, const char *value) {
    const char *form = strcmp(key, "O") == 0         ? "-%s%s"
                       : strcmp(value, "true") == 0  ? "--%s"
                       : strcmp(value, "false") == 0 ? "--no-%s"
                                                     : "--%s=%s";
    put_word(out, tn_arena_printf(out->arena, form, key, value));
}

const char *tn_fit_options(tn_arena *arena, const tn_change *c) {
    tn_sink text = tn_sink_make(arena);
    tn_put(&text, "");
    for (uint32_t i = 0; i < TN_CHANGED_SETTINGS && c->settings[i].key != NULL; i++) {
        put_option(&text, c->settings[i].key, c->settings[i].value);
    }
    return text.data;
}

static void put_artefact(tn_sink *out, const tn_artefact *a) {
    if (a->backend != NULL) {
        tn_sink text = tn_sink_make(out->arena);
        tn_put(&text, a->backend->name);
        for (uint32_t i = 0; i < tn_opt_count(a->backend->options); i++) {
            if (a->args.given[i]) {
                tn_putf(&text, ",%s=", a->backend->options[i].name);
                tn_opt_put_value(&text, a->args.values[i]);
            }
        }
        put_option(out, "emit", text.data);
    }
    if (a->file != NULL && strcmp(a->file, "-") != 0) {
        put_word(out, "-o");
        put_word(out, a->file);
    }
}

/* With values of their own: more may be set. */
static void copy_artefacts(tn_options *o, const tn_artefacts *from) {
    for (uint32_t i = 0; i < from->list.len; i++) {
        tn_artefact a = from->list.data[i];
        uint32_t n = a.backend != NULL ? tn_opt_count(a.backend->options) : 0;
        a.args.values = tn_arena_regrow(o->arena, a.args.values, n, n, sizeof *a.args.values);
        a.args.given = tn_arena_regrow(o->arena, a.args.given, n, n, sizeof *a.args.given);
        tn_vec_push(o->arena, &o->artefacts.list, a);
    }
}

tn_status tn_fit_settle(tn_fit *f, const tn_options *asked, const char *model) {
    tn_sink text = tn_sink_make(f->arena);
    const tn_pairs *given = &asked->request->given;
    const tn_change *change = &f->rungs.data[f->chosen].change;
    tn_status status = TN_OK;
    f->options = tn_options_new(tn_arena_ctx(f->arena), "plan");
    copy_artefacts(f->options, &asked->artefacts);
    f->options->run = asked->run;
    f->measures = tn_fit_options(f->arena, change);
    tn_put(&text, "tenure plan");
    put_word(&text, tn_set_path_text(f->arena, model));
    for (uint32_t i = 0; i < given->len && status == TN_OK; i++) {
        status = tn_options_set(f->options, given->data[i].key, given->data[i].value);
        put_option(&text, given->data[i].key, given->data[i].value);
    }
    for (uint32_t i = 0; i < TN_CHANGED_SETTINGS && status == TN_OK; i++) {
        const tn_pair *s = &change->settings[i];
        if (s->key == NULL) {
            break;
        }
        status = tn_options_set(f->options, s->key, s->value);
        put_option(&text, s->key, s->value);
    }
    if (f->rungs.data[f->chosen].small && status == TN_OK) {
        const char *small = "c-program." TN_FIT_CODE_OPTION "=" TN_FIT_CODE_SMALL;
        status = tn_options_set(f->options, "emit-opt", small);
        f->measures = tn_arena_printf(f->arena, "%s%s--emit-opt=%s", f->measures,
                                      f->measures[0] != '\0' ? " " : "", small);
    }
    for (uint32_t i = 0; i < f->options->artefacts.list.len; i++) {
        put_artefact(&text, &f->options->artefacts.list.data[i]);
    }
    f->command = text.data;
    return status;
}
