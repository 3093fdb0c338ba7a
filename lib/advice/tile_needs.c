#include "lib/advice/tile_needs.h"

#include <string.h>

#include "ir/ops/claims.h"
#include "ir/ops/flops.h"
#include "ir/ops/op_attrs.h"
#include "ir/ops/reach.h"

typedef struct looking {
    tn_arena *arena;
    const tn_module *m;
    const tn_plan *p;
} looking;

bool tn_is_image(const tn_plan_value *v) {
    bool known = v->rank == TN_IMAGE_RANK && v->storage != TN_NO_ID && v->bytes_text == NULL;
    return known && v->role != TN_ROLE_CONST && v->role != TN_ROLE_WORKSPACE && v->dims[2] > 0 &&
           v->dims[3] > 0;
}

static int64_t attr_at(const tn_attr *attrs, uint32_t n, const char *name, uint32_t i) {
    for (uint32_t k = 0; k < n; k++) {
        if (attrs[k].kind == TN_ATTR_INTS && strcmp(attrs[k].name, name) == 0 && i < attrs[k].n) {
            return attrs[k].u.ints[i];
        }
    }
    return 0;
}

/* Elements that one element of the result needs: a window, or, where images change their size, two
 * neighbours. */
static int64_t span_of(const tn_attr *attrs, uint32_t n, uint32_t axis) {
    int64_t kernel = attr_at(attrs, n, "kernel_shape", axis);
    int64_t dilation = attr_at(attrs, n, "dilations", axis);
    return kernel > 0 ? (kernel - 1) * (dilation > 0 ? dilation : 1) + 1 : 2;
}

static bool need_of(const tn_op *op, const tn_reach *r, uint32_t axis, tn_tile_need *out) {
    uint32_t at = axis + 2, n;
    *out = (tn_tile_need){1, 1};
    if (r->flat || r->rank != TN_IMAGE_RANK || r->in_rank != TN_IMAGE_RANK || r->by[at] != at) {
        return false;
    }
    if (r->lowest[at] != NULL) {
        const int64_t *low = r->lowest[at], extent = r->extent[at];
        int64_t a = 0, b = extent - 1;
        while (a < b && low[a] < 0) {
            a++;
        }
        while (b > a && low[b] < 0) {
            b--;
        }
        const tn_attr *attrs = tn_op_resolve_attrs(op->graph->module, op, r->arena, &n);
        out->span = span_of(attrs, n, axis);
        out->stride = b > a ? (double)(low[b] - low[a]) / (double)(b - a) : 1;
        return out->stride >= 0;
    }
    return true;
}

/* Each element by itself, what has but one along an axis for all of them. */
static bool need_by_element(const tn_plan_value *x, const tn_plan_value *y, uint32_t axis,
                            tn_tile_need *out) {
    int64_t in = x->dims[axis + 2], extent = y->dims[axis + 2];
    *out = (tn_tile_need){in == extent ? 1 : 0, 1};
    return in == extent || in == 1;
}

static bool read_operand(const looking *w, const tn_plan_step *s, uint32_t k, tn_tile_step *info) {
    const tn_op *op = w->m->ops[s->module_op];
    const tn_plan_value *y = &w->p->values[s->results.data[0]];
    tn_tile_reading r = {.value = s->operands.data[k]};
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(w->arena));
    tn_reach reach;
    bool by_element = (op->info->traits & TN_T_ELEMENTWISE) != 0;
    bool fits = by_element || tn_op_reach(op, 0, k, scratch, &reach);
    for (uint32_t i = 0; i < TN_TILE_AXES && fits; i++) {
        fits = by_element ? need_by_element(&w->p->values[r.value], y, i, &r.axes[i])
                          : need_of(op, &reach, i, &r.axes[i]);
    }
    tn_arena_drop(scratch);
    if (fits) {
        tn_vec_push(w->arena, &info->readings, r);
    }
    return fits;
}

/* Such a step stays as it is: nothing that it reads changes from tile to tile. */
static bool is_apart(const looking *w, const tn_plan_step *s) {
    bool apart = true;
    for (uint32_t k = 0; k < s->operands.len && apart; k++) {
        uint32_t v = s->operands.data[k];
        apart = v == TN_NO_ID || w->p->values[v].role == TN_ROLE_CONST;
    }
    return apart && s->operands.len > 0;
}

/* All results have the rows and columns of the first. */
static bool makes_images(const looking *w, const tn_plan_step *s) {
    bool all = s->results.len > 0 && s->results.data[0] != TN_NO_ID;
    for (uint32_t r = 0; r < s->results.len && all; r++) {
        uint32_t v = s->results.data[r];
        const tn_plan_value *y = &w->p->values[s->results.data[0]];
        all = v != TN_NO_ID && tn_is_image(&w->p->values[v]) &&
              w->p->values[v].dims[2] == y->dims[2] && w->p->values[v].dims[3] == y->dims[3];
    }
    return all;
}

/* Of what is no constant; parameters that are known are none of the image. */
static bool reads_images(const looking *w, const tn_plan_step *s, tn_tile_step *info) {
    const tn_op *op = w->m->ops[s->module_op];
    bool all = true;
    for (uint32_t k = 0; k < s->operands.len && all; k++) {
        uint32_t v = s->operands.data[k];
        if (v == TN_NO_ID || w->p->values[v].role == TN_ROLE_CONST || !tn_reads_data(op, k)) {
            continue;
        }
        const tn_value *x = w->m->values[w->p->values[v].module_value];
        all = x->type->rank < TN_IMAGE_RANK
                  ? x->n_content > 0
                  : tn_is_image(&w->p->values[v]) && read_operand(w, s, k, info);
    }
    return all && info->readings.len > 0;
}

tn_tile_step tn_tile_step_of(tn_arena *arena, const tn_module *m, const tn_plan *p, uint32_t step) {
    const looking w = {arena, m, p};
    const tn_plan_step *s = &p->steps[step];
    const tn_op *op = m->ops[s->module_op];
    tn_tile_step info = {0};
    if (s->kind != TN_STEP_OP || s->graph[0] != '\0' || s->n_parts > 0 || op->n_regions > 0) {
        return info;
    }
    info.flops = tn_op_flops(op);
    if (is_apart(&w, s)) { /* an image made of constants would have to stay for all tiles */
        uint32_t y = s->results.len == 1 ? s->results.data[0] : TN_NO_ID;
        info.fits = y != TN_NO_ID && !tn_is_image(&p->values[y]);
    } else {
        info.fits = makes_images(&w, s) && reads_images(&w, s, &info);
    }
    return info;
}

int64_t tn_tile_needed(const tn_tile_need *n, int64_t of, int64_t extent) {
    double x = (double)(of - 1) * n->stride;
    int64_t steps = (int64_t)x, more = (double)steps < x ? steps + 1 : steps;
    int64_t all = more + n->span;
    return all < extent ? all : extent;
}
