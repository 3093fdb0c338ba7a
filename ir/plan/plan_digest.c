/* Facts are hashed one behind the other, each in a form that says where it ends. Graphs come level
 * by level from the main graph on, ops in the file's order, and values are numbered in the order in
 * which they come, so that neither ids nor schedules count. Clones do not count either: who reads
 * the result of one reads what it is a clone of. */
#include "ir/plan/plan_digest.h"

#include <stdlib.h>
#include <string.h>

#include "ir/base/sha256.h"
#include "ir/base/sink.h"
#include "ir/infer/infer.h"
#include "ir/infer/used.h"

typedef struct hashing {
    const tn_module *m;
    const tn_op_places *places; /* NULL: as read */
    tn_arena *arena;
    tn_sha256 sha;
    uint8_t waiting[512]; /* to be hashed */
    size_t n_waiting;
    tn_sink text;      /* of one expression */
    const bool *used;  /* by value id: the elements count */
    uint32_t *number;  /* by value id, from 1 */
    tn_op **ops;       /* by graph, in the file's order */
    uint32_t *first;   /* by graph id, and one more: its first in `ops` */
    tn_graph **graphs; /* in the order in which they are hashed */
    uint32_t n_graphs;
} hashing;

static void flush(hashing *h) {
    tn_sha256_add(&h->sha, h->waiting, h->n_waiting);
    h->n_waiting = 0;
}

/* Most of what is added is a byte or two, for which the hash is not called. */
static void put_bytes(hashing *h, const void *data, size_t n) {
    if (n > sizeof h->waiting - h->n_waiting) {
        flush(h);
    }
    if (n > sizeof h->waiting) {
        tn_sha256_add(&h->sha, data, n);
    } else {
        memcpy(h->waiting + h->n_waiting, data, n);
        h->n_waiting += n;
    }
}

/* Seven bits a byte. Most numbers are small. */
static void put_number(hashing *h, uint64_t x) {
    if (x < 0x80 && h->n_waiting < sizeof h->waiting) {
        h->waiting[h->n_waiting++] = (uint8_t)x;
        return;
    }
    uint8_t bytes[10];
    size_t n = 0;
    for (; x >= 0x80; x >>= 7) {
        bytes[n++] = (uint8_t)(x | 0x80);
    }
    bytes[n++] = (uint8_t)x;
    put_bytes(h, bytes, n);
}

static void put_string(hashing *h, const char *text, size_t len) {
    put_number(h, len);
    put_bytes(h, text, len);
}

static void put_text(hashing *h, const char *text) {
    put_string(h, text, strlen(text));
}

/* All NaNs are equal here: the text form does not record which NaN it is. */
static void put_float(hashing *h, double x) {
    uint64_t pattern = UINT64_MAX;
    if (x == x) {
        memcpy(&pattern, &x, sizeof pattern);
    }
    put_number(h, pattern);
}

static void put_ints(hashing *h, uint64_t n, const int64_t *ints) {
    for (uint64_t i = 0; i < n; i++) {
        put_number(h, (uint64_t)ints[i]);
    }
}

static void put_floats(hashing *h, uint64_t n, const double *floats) {
    for (uint64_t i = 0; i < n; i++) {
        put_float(h, floats[i]);
    }
}

/* ---- types and elements ---- */

enum { CONSTANT, EXPRESSION };

static void put_extent(hashing *h, int64_t value) {
    put_number(h, CONSTANT);
    put_number(h, (uint64_t)value);
}

static void put_dims(hashing *h, uint32_t n, const tn_dim *dims) {
    for (uint32_t i = 0; i < n; i++) {
        int64_t value;
        if (tn_dim_is_const(h->m->dims, dims[i], &value)) {
            put_extent(h, value);
        } else {
            h->text.len = 0;
            tn_dim_print(h->m->dims, dims[i], &h->text);
            put_number(h, EXPRESSION);
            put_string(h, h->text.data, h->text.len);
        }
    }
}

static void put_type(hashing *h, const tn_type *t) {
    for (; t != NULL; t = t->elem) {
        put_number(h, 1u + t->kind);
        put_text(h, tn_dtype_get(t->dtype)->name);
        put_number(h, t->has_rank ? 1u + t->rank : 0);
        put_dims(h, t->has_rank ? t->rank : 0, t->dims);
    }
    put_number(h, 0);
}

enum { NO_ELEMENTS, INTS, FLOATS };

/* Constants and computed elements look the same. */
static void put_elements(hashing *h, const tn_value *v) {
    const tn_tensor *t = tn_infer_tensor(v);
    const int64_t *ints = t != NULL ? t->ints : NULL;
    const double *floats = t != NULL ? t->floats : NULL;
    bool computed = v->content != NULL || v->float_content != NULL;
    uint64_t n = computed || t == NULL ? v->n_content : t->n_elements;
    if (v->content != NULL) {
        put_number(h, INTS);
        put_number(h, n);
        put_dims(h, v->n_content, v->content);
    } else if (!computed && ints != NULL) {
        put_number(h, INTS);
        put_number(h, n);
        for (uint64_t i = 0; i < n; i++) {
            put_extent(h, ints[i]);
        }
    } else if (computed || floats != NULL) {
        put_number(h, FLOATS);
        put_number(h, n);
        put_floats(h, n, computed ? v->float_content : floats);
    } else {
        put_number(h, NO_ELEMENTS);
    }
}

static void put_value(hashing *h, const tn_value *v) {
    put_text(h, v->name);
    put_type(h, v->type);
    put_number(h, (v->flags & TN_VF_DEFAULT) != 0);
    if (h->used[v->id]) {
        put_elements(h, v);
    } else {
        put_number(h, NO_ELEMENTS);
    }
}

/* ---- ops ---- */

static void put_tensor(hashing *h, const tn_tensor *t, bool elements) {
    put_text(h, tn_dtype_get(t->dtype)->name);
    put_number(h, t->rank);
    put_ints(h, t->rank, t->dims);
    put_number(h, !elements || (t->ints == NULL && t->floats == NULL) ? NO_ELEMENTS
                  : t->ints != NULL                                   ? INTS
                                                                      : FLOATS);
    if (elements && t->ints != NULL) {
        put_ints(h, t->n_elements, t->ints);
    } else if (elements && t->floats != NULL) {
        put_floats(h, t->n_elements, t->floats);
    }
}

static void put_plural(hashing *h, const tn_attr *a) {
    put_number(h, a->n);
    for (uint32_t i = 0; i < a->n; i++) {
        if (a->kind == TN_ATTR_STRINGS) {
            put_string(h, a->u.strings[i].data, a->u.strings[i].len);
        } else if (a->kind == TN_ATTR_TENSORS) {
            put_tensor(h, a->u.tensors[i], true);
        } else if (a->kind == TN_ATTR_TYPES) {
            put_type(h, a->u.types[i]);
        }
    }
}

/* Nested graphs are hashed by themselves. */
static void put_content(hashing *h, const tn_attr *a) {
    switch (a->kind) {
    case TN_ATTR_INT:
        put_number(h, (uint64_t)a->u.i);
        break;
    case TN_ATTR_FLOAT:
        put_float(h, a->u.f);
        break;
    case TN_ATTR_STRING:
        put_string(h, a->u.s.data, a->u.s.len);
        break;
    case TN_ATTR_TENSOR:
        put_tensor(h, a->u.t, true);
        break;
    case TN_ATTR_TYPE:
        put_type(h, a->u.type);
        break;
    case TN_ATTR_INTS:
        put_number(h, a->n);
        put_ints(h, a->n, a->u.ints);
        break;
    case TN_ATTR_FLOATS:
        put_number(h, a->n);
        put_floats(h, a->n, a->u.floats);
        break;
    case TN_ATTR_STRINGS:
    case TN_ATTR_TENSORS:
    case TN_ATTR_TYPES:
    case TN_ATTR_GRAPH:
    case TN_ATTR_GRAPHS:
        put_plural(h, a);
        break;
    }
}

static int by_name(const void *a, const void *b) {
    const tn_attr *const *x = a, *const *y = b;
    return strcmp((*x)->name, (*y)->name);
}

/* What a Constant holds counts with its result, where it does. */
static void put_attributes(hashing *h, const tn_op *op) {
    bool is_constant = (op->info->traits & TN_T_CONSTANT) != 0;
    const tn_attr **sorted = TN_ARRAY(h->arena, const tn_attr *, op->n_attrs);
    for (uint32_t i = 0; i < op->n_attrs; i++) {
        sorted[i] = &op->attrs[i];
    }
    if (op->n_attrs > 1) {
        qsort(sorted, op->n_attrs, sizeof(const tn_attr *), by_name);
    }
    put_number(h, op->n_attrs);
    for (uint32_t i = 0; i < op->n_attrs; i++) {
        put_text(h, sorted[i]->name);
        put_number(h, sorted[i]->kind);
        if (!is_constant) {
            put_content(h, sorted[i]);
        }
    }
}

static void put_reference(hashing *h, const tn_value *v) {
    v = v != NULL && v->clone_of != NULL ? v->clone_of : v;
    put_number(h, v != NULL ? h->number[v->id] : 0);
}

static void put_op(hashing *h, const tn_op *op) {
    put_text(h, op->domain);
    put_text(h, op->type);
    put_number(h, (uint64_t)op->version);
    put_text(h, op->name);
    put_number(h, h->places != NULL ? h->places->node[op->id] : (uint64_t)op->loc.node);
    put_number(h, op->n_operands);
    for (uint32_t k = 0; k < op->n_operands; k++) {
        put_reference(h, op->operands[k].value);
    }
    put_number(h, op->n_results);
    for (uint32_t r = 0; r < op->n_results; r++) {
        put_reference(h, op->results[r]);
        if (op->results[r] != NULL) {
            put_value(h, op->results[r]);
        }
    }
    put_attributes(h, op);
    put_number(h, op->n_regions);
}

/* ---- graphs ---- */

static void put_graph(hashing *h, const tn_graph *g) {
    put_text(h, g->path);
    put_number(h, g->n_inputs);
    for (uint32_t i = 0; i < g->n_inputs; i++) {
        put_value(h, g->inputs[i]);
    }
    put_number(h, g->n_consts);
    for (uint32_t i = 0; i < g->n_consts; i++) {
        put_value(h, g->consts[i]);
    }
    put_number(h, h->first[g->id + 1] - h->first[g->id]);
    for (uint32_t i = h->first[g->id]; i < h->first[g->id + 1]; i++) {
        put_op(h, h->ops[i]);
    }
    put_number(h, g->n_outputs);
    for (uint32_t i = 0; i < g->n_outputs; i++) {
        put_reference(h, g->outputs[i]);
    }
}

static bool counts(const tn_op *op) {
    return !op->erased && op->clone_of == NULL;
}

/* Lists the ops of each graph by id. */
static void sort_ops(hashing *h) {
    const tn_module *m = h->m;
    h->ops = TN_ARRAY(h->arena, tn_op *, m->n_ops);
    h->first = TN_ARRAY(h->arena, uint32_t, m->n_graphs + 2u);
    for (uint32_t i = 0; i < m->n_ops; i++) {
        h->first[m->ops[i]->graph->id + 2u] += counts(m->ops[i]);
    }
    for (uint32_t i = 0; i < m->n_graphs; i++) {
        h->first[i + 1] += h->first[i];
    }
    for (uint32_t i = 0; i < m->n_ops; i++) {
        if (counts(m->ops[i])) {
            h->ops[h->first[m->ops[i]->graph->id + 1]++] = m->ops[i];
        }
    }
    for (uint32_t i = 0; i < m->n_ops && h->places != NULL; i++) {
        if (counts(m->ops[i])) {
            h->ops[h->first[m->ops[i]->graph->id] + h->places->rank[i]] = m->ops[i];
        }
    }
}

static void number_values(hashing *h, const tn_graph *g, uint32_t *n) {
    for (uint32_t i = 0; i < g->n_inputs; i++) {
        h->number[g->inputs[i]->id] = ++*n;
    }
    for (uint32_t i = 0; i < g->n_consts; i++) {
        h->number[g->consts[i]->id] = ++*n;
    }
    for (uint32_t i = h->first[g->id]; i < h->first[g->id + 1]; i++) {
        const tn_op *op = h->ops[i];
        for (uint32_t r = 0; r < op->n_results; r++) {
            if (op->results[r] != NULL) {
                h->number[op->results[r]->id] = ++*n;
            }
        }
        for (uint32_t b = 0; b < op->n_regions; b++) {
            h->graphs[h->n_graphs++] = op->regions[b];
        }
    }
}

/* Numbers values in the order in which graphs are hashed. A run of the main graph knows nothing of
 * those that initialize. */
static void sort_graphs(hashing *h) {
    uint32_t n_values = 0;
    h->graphs = TN_ARRAY(h->arena, tn_graph *, h->m->n_graphs);
    h->number = TN_ARRAY(h->arena, uint32_t, h->m->n_values);
    h->graphs[h->n_graphs++] = h->m->main;
    for (uint32_t i = 0; i < h->n_graphs; i++) {
        number_values(h, h->graphs[i], &n_values);
    }
}

/* ---- the module ---- */

static void put_wishes(hashing *h) {
    for (uint32_t i = 0; i < h->m->origin.metadata.len; i++) {
        const tn_pair *p = &h->m->origin.metadata.data[i];
        if (tn_is_wish(p)) {
            put_text(h, p->key);
            put_text(h, p->value);
        }
    }
    put_text(h, "");
}

static void put_module(hashing *h) {
    const tn_module *m = h->m;
    put_text(h, m->name);
    put_wishes(h);
    put_number(h, h->n_graphs);
    for (uint32_t i = 0; i < h->n_graphs; i++) {
        put_graph(h, h->graphs[i]);
    }
    put_number(h, m->n_bindings);
    for (uint32_t i = 0; i < m->n_bindings; i++) {
        put_reference(h, m->bindings[i].state);
        put_reference(h, m->bindings[i].value);
    }
    put_number(h, m->n_assignments);
    for (uint32_t i = 0; i < m->n_assignments; i++) {
        put_text(h, m->assignments[i].name);
        put_reference(h, m->assignments[i].value);
    }
}

_Static_assert(sizeof((tn_known_digest *)NULL)->hex == TN_SHA256_HEX, "the field holds a digest");

/* What a clone's result is used for counts as a use of what it is a clone of. */
static const bool *used_contents(const tn_module *m, tn_arena *arena) {
    bool *used = TN_ARRAY(arena, bool, m->n_values);
    const bool *direct = tn_used_contents(m, arena);
    for (uint32_t i = 0; i < m->n_values; i++) {
        const tn_value *v = m->values[i];
        bool gone = v->def != NULL && v->def->erased;
        used[i] |= direct[i];
        if (v->clone_of != NULL && !gone) {
            used[v->clone_of->id] |= direct[i];
        }
    }
    return used;
}

static void compute(const tn_module *m, const tn_op_places *places, char hex[TN_SHA256_HEX]) {
    tn_arena *scratch = tn_arena_new(m->ctx);
    hashing h = {.m = m, .places = places, .arena = scratch, .sha = tn_sha256_start()};
    h.text = tn_sink_make(scratch);
    h.used = used_contents(m, scratch);
    sort_ops(&h);
    sort_graphs(&h);
    put_module(&h);
    flush(&h);
    tn_sha256_end_hex(&h.sha, hex);
    tn_arena_drop(scratch);
}

const char *tn_plan_digest(const tn_module *m, tn_arena *arena) {
    tn_known_digest *known = m->digest;
    if (m->source_digest != NULL) {
        return tn_arena_strndup(arena, m->source_digest, TN_SHA256_HEX - 1);
    }
    if (known->hex[0] == '\0' || memcmp(known->stamps, m->stamps, sizeof m->stamps) != 0) {
        compute(m, NULL, known->hex);
        memcpy(known->stamps, m->stamps, sizeof m->stamps);
    }
    return tn_arena_strndup(arena, known->hex, TN_SHA256_HEX - 1);
}

const char *tn_plan_digest_at(const tn_module *m, const tn_op_places *places, tn_arena *arena) {
    char hex[TN_SHA256_HEX];
    compute(m, places, hex);
    return tn_arena_strndup(arena, hex, TN_SHA256_HEX - 1);
}

const char *tn_plan_digest_plain(const tn_module *m, tn_arena *arena) {
    return tn_plan_digest_at(m, NULL, arena);
}
