#include "passes/tile/rewrite_t.h"

#include <string.h>

#include "ir/mutate.h"
#include "ir/ops/op_attrs.h"
#include "ir/ops/part.h"
#include "ir/tensor_bytes.h"

const char *tn_part_name(tn_rewriting *w, const char *base, const char *what) {
    const char *name = tn_internf(w->m->ctx, "%s.%s%u", base, what, w->part);
    while (tn_map_or(&w->names, tn_str_id(name), 0) != 0) {
        name = tn_internf(w->m->ctx, "%s_", name);
    }
    tn_map_put(&w->names, tn_str_id(name), 1);
    return name;
}

static void index_names(tn_rewriting *w) {
    w->names = tn_map_make(w->scratch);
    for (uint32_t i = 0; i < w->m->n_values; i++) {
        const tn_value *v = w->m->values[i];
        if (v->def == NULL || !v->def->erased) {
            tn_map_put(&w->names, tn_str_id(v->name), 1);
        }
    }
}

/* ---- constants ---- */

static bool has_ints(const tn_tensor *t, const int64_t *ints, uint32_t n) {
    return t->n_elements == n && memcmp(t->ints, ints, n * sizeof *ints) == 0;
}

tn_value *tn_part_numbers(tn_rewriting *w, const int64_t *data, uint32_t n, uint32_t rank) {
    for (uint32_t i = 0; i < w->tiled->consts.len; i++) {
        tn_value *v = w->m->values[w->tiled->consts.data[i]];
        if (v->tensor->rank == rank && has_ints(v->tensor, data, n)) {
            return v;
        }
    }
    tn_arena *arena = w->m->arena;
    tn_tensor *t = TN_NEW(arena, tn_tensor);
    int64_t dims[] = {n, 1}, *copy = tn_arena_regrow(arena, data, n, n, sizeof *data);
    *t = (tn_tensor){.dtype = TN_DT_INT64,
                     .rank = rank,
                     .dims = tn_arena_regrow(arena, dims, 2, 2, sizeof *dims)};
    (void)tn_tensor_measure(t);
    uint8_t *bytes = TN_ARRAY(arena, uint8_t, n * 8u);
    for (uint32_t i = 0; i < n * 8; i++) {
        bytes[i] = (uint8_t)((uint64_t)copy[i / 8] >> (i % 8 * 8));
    }
    tn_tensor_set_bytes(arena, t, bytes);
    t->ints = copy;
    uint32_t part = w->part;
    w->part = w->tiled->consts.len;
    tn_value *v = tn_graph_add_const(w->m->main, tn_part_name(w, "tile", "ints"), t);
    w->part = part;
    tn_vec_push(arena, &w->tiled->consts, v->id);
    return v;
}

static tn_value *ints(tn_rewriting *w, const int64_t *data, uint32_t n) {
    return tn_part_numbers(w, data, n, 1);
}

/* ---- ops ---- */

static tn_op *new_op(tn_rewriting *w, const char *domain, const char *type, int64_t version,
                     const char *name, tn_loc loc, tn_tiled_op what) {
    loc.first = NULL;
    tn_op *op = tn_op_new(w->m->main, domain, type, version, name, loc);
    tn_op_move_before(op, w->behind);
    what.op = op->id;
    tn_vec_push(w->m->arena, &w->record->ops, what);
    return op;
}

tn_op *tn_part_op(tn_rewriting *w, const char *type, const char *name, tn_tiled_kind kind) {
    tn_loc loc = tn_loc_file(w->m->file);
    loc.node = -1;
    loc.name = name;
    loc.op = tn_intern(w->m->ctx, type);
    return new_op(w, "", type, tn_module_opset(w->m, ""), name, loc,
                  (tn_tiled_op){.was = TN_EVERY, .kind = kind});
}

/* Of what is put together in place: how often there are rows, and elements of each. */
int64_t tn_held_rows(const tn_held *h) {
    int64_t n = 1;
    for (uint32_t i = 0; i < h->axis[0]; i++) {
        n *= tn_tile_extent(h->of, i);
    }
    return n;
}

int64_t tn_held_row(const tn_held *h) {
    int64_t n = 1;
    for (uint32_t i = h->axis[0] + 1; i < h->of->type->rank; i++) {
        n *= tn_tile_extent(h->of, i);
    }
    return n;
}

/* The type of the model's value, with these extents. */
static const tn_type *part_type(tn_rewriting *w, const tn_held *h) {
    const tn_type *t = h->of->type;
    tn_dim *dims = tn_arena_regrow(w->scratch, t->dims, t->rank, t->rank, sizeof *dims);
    for (uint32_t d = 0; d < h->n; d++) {
        dims[h->axis[d]] = tn_dim_const(w->m->dims, h->at[d].to - h->at[d].from);
    }
    if (h->flat) {
        dims[0] = tn_dim_const(w->m->dims, tn_held_rows(h) * (h->at[0].to - h->at[0].from));
        dims[1] = tn_dim_const(w->m->dims, tn_held_row(h));
    }
    return tn_type_tensor(w->m->arena, t->dtype, h->flat ? 2 : t->rank, dims);
}

/* Adds the result that holds it, and says so. */
void tn_part_result_add(tn_rewriting *w, tn_op *op, tn_held *h) {
    h->v = tn_op_add_result(op, tn_part_name(w, h->of->name, "part"), part_type(w, h));
    h->v->flags |= h->of->flags & (TN_VF_BACKWARD | TN_VF_CHANNELS_LAST);
    tn_tiled_value made = {.value = h->v->id, .of = h->of->id, .n = h->n, .flat = h->flat};
    memcpy(made.axis, h->axis, sizeof made.axis);
    memcpy(made.at, h->at, sizeof made.at);
    memcpy(made.good, h->good, sizeof made.good);
    tn_vec_push(w->m->arena, &w->record->made, made);
    tn_vec_push(w->scratch, &w->held, *h);
}

bool tn_held_is(const tn_held *h, uint32_t n, const uint32_t *axis, const tn_tiled_range *at) {
    bool same = h->n == n && !h->flat;
    for (uint32_t d = 0; same && d < n; d++) {
        same = h->axis[d] == axis[d] && h->at[d].from == at[d].from && h->at[d].to == at[d].to &&
               h->good[d].from <= at[d].from && at[d].to <= h->good[d].to;
    }
    return same;
}

/* These elements of a value, cut out of what there is. */
tn_value *tn_part_cut(tn_rewriting *w, const tn_held *from, uint32_t n, const uint32_t *axis,
                      const tn_tiled_range *at) {
    for (uint32_t i = 0; i < w->held.len; i++) {
        if (w->held.data[i].of == from->of && tn_held_is(&w->held.data[i], n, axis, at)) {
            return w->held.data[i].v;
        }
    }
    tn_held h = {.of = from->of, .n = n};
    int64_t starts[TN_TILED_AXES], ends[TN_TILED_AXES], axes[TN_TILED_AXES];
    for (uint32_t d = 0; d < n; d++) {
        int64_t origin = from->n > 0 ? from->at[d].from : 0;
        h.axis[d] = axis[d];
        h.at[d] = h.good[d] = at[d];
        starts[d] = at[d].from - origin;
        ends[d] = at[d].to - origin;
        axes[d] = axis[d];
    }
    tn_op *op = tn_part_op(w, "Slice", tn_part_name(w, from->of->name, "cut"), TN_TILED_CUT);
    tn_op_add_operand(op, from->v);
    if (op->version != 0 && op->version < 10) {
        const char *names[] = {"axes", "ends", "starts"};
        const int64_t *lists[] = {axes, ends, starts};
        for (uint32_t i = 0; i < 3; i++) {
            tn_attr a = {.name = names[i], .kind = TN_ATTR_INTS, .n = n};
            a.u.ints = tn_arena_regrow(w->m->arena, lists[i], n, n, sizeof *lists[i]);
            tn_op_add_attr(op, a);
        }
    } else {
        tn_op_add_operand(op, ints(w, starts, n));
        tn_op_add_operand(op, ints(w, ends, n));
        tn_op_add_operand(op, ints(w, axes, n));
    }
    tn_part_result_add(w, op, &h);
    return h.v;
}

/* Operand k of op i of the stretch, as the part at hand needs it. */
static tn_value *operand(tn_rewriting *w, uint32_t i, uint32_t k) {
    tn_value *v = w->s->ops.data[i]->operands[k].value;
    uint32_t n = 0, axis[TN_TILED_AXES];
    tn_tiled_range at[TN_TILED_AXES];
    for (uint32_t d = 0; v != NULL && d < w->s->ask.n; d++) {
        uint32_t by = w->s->tiling[d].data[i]->by[k];
        tn_tiled_range need = tn_tile_need(w->work, i, k, d);
        bool inside = w->made[v->id] != 0;
        if (by != TN_EVERY && (inside || need.from > 0 || need.to < tn_tile_extent(v, by))) {
            axis[n] = by;
            at[n++] = need;
        }
    }
    if (v == NULL || n == 0) {
        return v;
    }
    tn_held whole = {.v = v, .of = v};
    const tn_held *from = w->made[v->id] != 0 ? &w->held.data[w->made[v->id] - 1] : &whole;
    return tn_held_is(from, n, axis, at) ? from->v : tn_part_cut(w, from, n, axis, at);
}

static void set_ints(tn_op *op, const char *name, const int64_t *data, uint32_t n) {
    tn_attr a = {.name = name, .kind = TN_ATTR_INTS, .n = n};
    a.u.ints = tn_arena_regrow(op->graph->module->arena, data, n, n, sizeof *data);
    if (tn_op_attr(op, name) != NULL) {
        tn_op_set_attr(op, a);
    } else {
        tn_op_add_attr(op, a);
    }
}

static void copy_resolved(const tn_op *was, const char *name, tn_arena *arena, int64_t *out,
                          uint32_t n) {
    uint32_t len;
    const tn_attr *attrs = tn_op_resolve_attrs(was->graph->module, was, arena, &len);
    memset(out, 0, n * sizeof *out);
    for (uint32_t i = 0; i < len; i++) {
        if (strcmp(attrs[i].name, name) == 0 && attrs[i].kind == TN_ATTR_INTS && attrs[i].n == n) {
            memcpy(out, attrs[i].u.ints, n * sizeof *out);
        }
    }
}

static void drop_attr(tn_op *op, const char *name) {
    if (tn_op_attr(op, name) != NULL) {
        tn_op_remove_attr(op, name);
    }
}

/* Windows at an edge of the part meet pads where they do in the whole, and nowhere else. They end
 * with the part, so that `ceil_mode` counts along the other axes alone. */
static void set_windows(tn_rewriting *w, tn_op *op, const tn_op *was, uint32_t i) {
    uint32_t rank = was->results[0]->type->rank, axes = rank > 2 ? rank - 2 : 0;
    int64_t pads[2 * TN_MAX_RANK], more[TN_MAX_RANK];
    bool any = false, spreads = false;
    copy_resolved(was, "pads", w->scratch, pads, 2 * axes);
    copy_resolved(was, "output_padding", w->scratch, more, axes);
    for (uint32_t d = 0; d < w->s->ask.n; d++) {
        const tn_tiling *t = w->s->tiling[d].data[i];
        const tn_tile_work *work = &w->work->work[d][i];
        if (t->kind == TN_TILE_WINDOW || t->kind == TN_TILE_SPREAD) {
            pads[t->axis - 2] = work->before;
            pads[t->axis - 2 + axes] = work->after;
            more[t->axis - 2] = work->more;
            any = any || tn_op_declares(was, "pads");
            spreads = spreads || t->kind == TN_TILE_SPREAD;
        }
    }
    if (any) {
        drop_attr(op, "auto_pad");
        set_ints(op, "pads", pads, 2 * axes);
    }
    if (spreads) {
        set_ints(op, "output_padding", more, axes);
    }
}

static void set_pads(tn_rewriting *w, tn_op *op, const tn_op *was, uint32_t i) {
    int64_t pads[2 * TN_MAX_RANK], axes[TN_MAX_RANK];
    uint32_t n = 0;
    bool any = false;
    for (uint32_t d = 0; d < w->s->ask.n; d++) {
        const tn_tiling *t = w->s->tiling[d].data[i];
        if (t->kind != TN_TILE_PADDED) {
            continue;
        }
        if (!any) {
            (void)tn_tile_pads(was, &n, pads);
            (void)tn_part_axes(was, 3, was->results[0]->type->rank, n, axes);
        }
        any = true;
        for (uint32_t k = 0; k < n; k++) {
            if (axes[k] == t->axis) {
                pads[k] = w->work->work[d][i].before;
                pads[k + n] = w->work->work[d][i].after;
            }
        }
    }
    if (any && tn_op_attr(op, "pads") != NULL) {
        set_ints(op, "pads", pads, 2 * n);
    } else if (any) {
        tn_op_set_operand(op, 1, ints(w, pads, 2 * n));
    }
}

static void set_sizes(tn_rewriting *w, tn_op *op, const tn_op *was, uint32_t i, const tn_held *y) {
    uint32_t at = w->s->tiling[0].data[i]->sizes;
    if (at == TN_EVERY) {
        return;
    }
    int64_t sizes[TN_MAX_RANK];
    for (uint32_t k = 0; k < was->results[0]->type->rank; k++) {
        sizes[k] = tn_tile_extent(was->results[0], k);
    }
    for (uint32_t d = 0; d < y->n; d++) {
        sizes[y->axis[d]] = y->at[d].to - y->at[d].from;
    }
    tn_op_set_operand(op, at, ints(w, sizes, was->results[0]->type->rank));
}

static void run(tn_rewriting *w, uint32_t i) {
    const tn_op *was = w->s->ops.data[i];
    const char *name =
        was->name[0] != '\0' ? tn_internf(w->m->ctx, "%s.part%u", was->name, w->part) : "";
    uint32_t n = was->n_operands;
    tn_value **operands = TN_ARRAY(w->scratch, tn_value *, n);
    for (uint32_t k = 0; k < n; k++) { /* cuts come first */
        operands[k] = operand(w, i, k);
    }
    tn_op *op = new_op(w, was->domain, was->type, was->version, name, was->loc,
                       (tn_tiled_op){.was = was->id, .kind = TN_TILED_RUN});
    for (uint32_t k = 0; k < n; k++) {
        tn_op_add_operand(op, operands[k]);
    }
    for (uint32_t k = 0; k < was->n_attrs; k++) {
        tn_attr a = was->attrs[k];
        a.as_read = false;
        tn_op_add_attr(op, a);
    }
    for (uint32_t r = 0; r < was->n_results; r++) {
        const tn_value *v = was->results[r];
        if (v == NULL || (r > 0 && v->n_uses == 0 && !w->model->kept[v->id])) {
            tn_op_add_no_result(op);
            continue;
        }
        tn_held h = {.of = v, .n = w->s->ask.n};
        for (uint32_t d = 0; d < h.n; d++) {
            h.axis[d] = w->s->axis[d][v->id];
            h.at[d] = w->work->work[d][i].made;
            h.good[d] = w->work->work[d][i].good;
        }
        tn_part_result_add(w, op, &h);
        w->made[v->id] = w->held.len;
        if (r == 0) {
            set_sizes(w, op, was, i, &h);
        }
    }
    set_windows(w, op, was, i);
    set_pads(w, op, was, i);
}

/* Results of op i that somebody reads. */
static void keep(tn_rewriting *w, uint32_t i) {
    const tn_op *op = w->s->ops.data[i];
    for (uint32_t r = 0; r < op->n_results; r++) {
        const tn_value *v = op->results[r];
        if (v != NULL && (r == 0 || v->n_uses > 0 || w->model->kept[v->id])) {
            tn_keep(w, i, v);
        }
    }
}

/* ---- a stretch ---- */

static bool reads_exit(const tn_rewriting *w, const tn_op *op, const bool *late) {
    for (uint32_t k = 0; k < op->n_operands; k++) {
        const tn_op *def = op->operands[k].value != NULL ? op->operands[k].value->def : NULL;
        if (def != NULL && def->id < w->model->m->n_ops && late[def->id]) {
            return true;
        }
    }
    return op->n_regions > 0;
}

/* Who reads what leaves, and stood among the ops, comes behind. */
static void move_readers(tn_rewriting *w, uint32_t n_ops) {
    bool *late = TN_ARRAY(w->scratch, bool, w->m->n_ops);
    for (uint32_t e = 0; e < w->s->exits.len; e++) {
        late[w->s->exits.data[e]->def->id] = true;
    }
    for (uint32_t at = w->s->ask.first; at <= w->s->ask.last; at++) {
        tn_op *op = w->model->ops[at];
        if (op->id < n_ops && !tn_stretch_has(w->s, op) && reads_exit(w, op, late)) {
            late[op->id] = true;
            tn_op_move_before(op, w->behind);
        }
    }
}

static void run_part(tn_rewriting *w, tn_tile_part *work, const uint32_t *at) {
    (void)tn_tile_part_find(work, at);
    w->work = work;
    w->held.len = 0;
    for (uint32_t i = 0; i < w->s->ops.len; i++) {
        for (uint32_t r = 0; r < w->s->ops.data[i]->n_results; r++) {
            if (w->s->ops.data[i]->results[r] != NULL) {
                w->made[w->s->ops.data[i]->results[r]->id] = 0;
            }
        }
    }
    for (uint32_t i = 0; i < w->s->ops.len; i++) {
        if (!tn_tiled_is_empty(work->work[0][i].want)) {
            run(w, i);
        }
        if (w->s->ask.keeps && !tn_tiled_is_empty(work->hold[i])) {
            keep(w, i);
        }
    }
}

static void begin_record(tn_rewriting *w, const tn_stretch *s) {
    tn_tiled_stretch record = {.first = s->ask.first,
                               .last = s->ask.last,
                               .n_axes = s->ask.n,
                               .puts = s->ask.puts,
                               .keeps = s->ask.keeps};
    memcpy(record.axis, s->ask.axis, sizeof record.axis);
    memcpy(record.parts, s->ask.parts, sizeof record.parts);
    tn_vec_push(w->m->arena, &w->tiled->stretches, record);
    w->record = &w->tiled->stretches.data[w->tiled->stretches.len - 1];
    w->s = s;
    w->behind = w->model->ops[s->ask.last]->next;
    w->made = TN_ARRAY(w->scratch, uint32_t, s->model->m->n_values);
}

static void rewrite(tn_rewriting *w, const tn_stretch *s) {
    uint32_t n_ops = w->m->n_ops, columns = s->ask.n > 1 ? s->ask.parts[1] : 1, at[TN_TILED_AXES];
    begin_record(w, s);
    tn_leaving *l = TN_ARRAY(w->scratch, tn_leaving, s->exits.len);
    tn_leaving_begin(w, l);
    for (uint32_t i = 0; i < s->ops.len; i++) {
        tn_op_remember(s->ops.data[i], 0);
        tn_vec_push(w->m->arena, &w->record->was, s->ops.data[i]->id);
    }
    tn_tile_part work;
    tn_tile_part_begin(s, w->scratch, &work);
    w->part = 0;
    if (s->ask.keeps) {
        tn_keeping_begin(w);
    }
    for (at[0] = 0; at[0] < s->ask.parts[0]; at[0]++) {
        for (at[1] = 0; at[1] < columns; at[1]++, w->part++) {
            run_part(w, &work, at);
            tn_leave(w, l, at);
        }
        tn_leave_row(w, l, at[0], columns);
    }
    tn_leave_all(w, l, s->ask.parts[0]);
    move_readers(w, n_ops);
    for (uint32_t i = s->ops.len; i-- > 0;) {
        tn_op_erase(s->ops.data[i]);
    }
}

static const char *refuse(const tn_stretch *s, tn_arena *scratch) {
    enum { SCATTER_SINCE = 11 };
    int64_t version = tn_module_opset(s->model->m, "");
    if (s->ask.puts && version != 0 && version < SCATTER_SINCE) {
        return "ONNX has no op before opset 11 that puts parts together in place (u)";
    }
    if (s->ask.keeps) {
        return tn_keeping_refuse(s, scratch);
    }
    uint32_t at[TN_TILED_AXES], columns = s->ask.n > 1 ? s->ask.parts[1] : 1;
    tn_tile_part work;
    tn_tile_part_begin(s, scratch, &work);
    for (at[0] = 0; at[0] < s->ask.parts[0]; at[0]++) {
        for (at[1] = 0; at[1] < columns; at[1]++) {
            if (!tn_tile_part_find(&work, at)) {
                return "a part of what one of its ops reads would be empty";
            }
        }
    }
    return NULL;
}

const char *tn_tile_rewrite(tn_tile_model *w, const tn_stretch *stretches, uint32_t n,
                            uint32_t *which) {
    tn_arena *scratch = tn_arena_new(w->m->ctx);
    const char *why = NULL;
    for (uint32_t i = 0; i < n && why == NULL; i++) {
        *which = i;
        why = refuse(&stretches[i], scratch);
    }
    if (why == NULL) {
        tn_rewriting r = {.model = w, .m = w->m, .scratch = scratch};
        r.tiled = TN_NEW(w->m->arena, tn_tiled);
        index_names(&r);
        for (uint32_t i = 0; i < n; i++) {
            rewrite(&r, &stretches[i]);
        }
        w->m->tiled = r.tiled;
    }
    tn_arena_drop(scratch);
    return why;
}

static bool is_gone(const tn_value *v) {
    return v->def != NULL && v->def->erased;
}

static void forget_aliases(tn_module *m) {
    for (uint32_t i = 0; i < m->n_values; i++) {
        tn_value *v = m->values[i];
        if (v->alias_of != NULL && (is_gone(v) || is_gone(v->alias_of))) {
            tn_value_set_alias(v, TN_ALIAS_NONE, NULL, 0);
        }
    }
}

void tn_module_untile(tn_module *m) {
    const tn_tiled *t = m->tiled;
    for (uint32_t i = t != NULL ? t->stretches.len : 0; i-- > 0;) {
        const tn_tiled_stretch *s = &t->stretches.data[i];
        for (uint32_t k = 0; k < s->was.len; k++) {
            tn_op_revive(m->ops[s->was.data[k]], m->ops[s->ops.data[0].op]);
        }
        for (uint32_t k = s->ops.len; k-- > 0;) {
            tn_op_erase(m->ops[s->ops.data[k].op]);
        }
    }
    for (uint32_t i = 0; t != NULL && i < t->consts.len; i++) {
        tn_graph_drop_const(m->values[t->consts.data[i]],
                            m->ops[t->stretches.data[0].ops.data[0].op]);
    }
    if (t != NULL) {
        forget_aliases(m);
        m->tiled = NULL;
        m->source_digest = m->plain_digest = NULL;
    }
}
