/* What is done to sums that no vector of lanes can do (functions of the library, and the like): the
 * sums of a block are stored as they are, and go through a loop of their own while they are near,
 * which compilers make vectors of. */
#include <inttypes.h>

#include "backends/kernels/tiles.h"

static void replace(tn_calc *x, uint32_t operand, const tn_affine *at) {
    if (x->kind == TN_CALC_LOCAL && x->which == 0) {
        *x = (tn_calc){.kind = TN_CALC_LOAD, .type = x->type, .which = operand, .at = *at};
    }
    for (uint32_t i = 0; i < 3 && x->arg[i] != NULL; i++) {
        replace(x->arg[i], operand, at);
    }
}

/* The last axis that stays a loop of its own: the rows of a tile, or what is in front of columns.
 */
static uint32_t block_axis(const tn_tiles *t) {
    return t->row < t->column ? t->row : 0;
}

bool tn_tiles_make_behind(tn_tiles *t, tn_nest *sums, tn_nest *behind) {
    const tn_nest *n = t->n;
    const tn_compute *c = t->p->c;
    bool floats = c->results[n->result].dtype == TN_DT_FLOAT && t->s->type == TN_DT_FLOAT;
    if (!floats || t->whole || t->column == 0 || tn_tiles_is_plain(t) || tn_tiles_has_vectors(t) ||
        tn_tiles_reads_place(n, n->value) || block_axis(t) + 2 > TN_NEST_STAGES) {
        return false;
    }
    *sums = *behind = *n;
    sums->value = tn_calc_local(c->arena, 0);
    sums->value->type = TN_DT_FLOAT;
    behind->value = tn_calc_copy(c->arena, n->value);
    behind->n_axes = n->n_outer;
    replace(behind->value, c->n_operands, &n->store);
    /* Stages keep axes apart where the loops of the tiles are. */
    behind->n_stages = block_axis(t) + 2;
    for (uint32_t i = 0; i < behind->n_stages; i++) {
        behind->stage[i] =
            (tn_nest_stage){.depth = i, .first = n->n_outer, .body = tn_calc_number(c->arena, 0)};
    }
    tn_nest_join(behind);
    behind->n_stages = 0;
    t->n = sums;
    t->s = &sums->stage[0];
    t->behind = behind;
    return true;
}

void tn_tiles_put_behind(const tn_tiles *t, uint32_t axis, uint32_t rows) {
    static const char *const names[] = {"b0", "b1", "b2", "b3", "b4", "b5", "b6", "b7"};
    tn_printer *p = t->p;
    if (t->behind == NULL || axis != block_axis(t)) {
        return;
    }
    tn_printer inner = *p;
    tn_compute with = *p->c;
    tn_compute_value *operands = tn_arena_regrow(p->c->arena, p->c->operands, p->c->n_operands,
                                                 p->c->n_operands + 1u, sizeof *operands);
    operands[p->c->n_operands] = p->c->results[t->n->result];
    with.operands = operands;
    with.n_operands++;
    inner.c = &with;
    inner.n = t->behind;
    uint32_t opened = 0, kept = p->n_kept;
    if (rows > 1) {
        tn_print_line(&inner, "for (int32_t r = 0; r < %" PRIu32 "; r++) {", rows);
        inner.depth++;
        opened++;
        inner.axis[axis] = tn_arena_printf(p->out->arena, "(%s + r)", p->axis[axis]);
    }
    for (uint32_t a = axis + 1; a < inner.n->n_outer; a++) {
        inner.axis[a] = names[a - axis - 1];
        if (a + 1 == inner.n->n_outer) {
            tn_print_keep_of(&inner, a);
            tn_print_line(&inner, "%s_IVDEP", p->t->macro);
        }
        tn_print_open(&inner, a, 0, inner.n->extent[a], "1");
        opened++;
    }
    tn_print_store(&inner);
    tn_print_let_go(&inner, kept);
    for (; opened > 0; opened--) {
        tn_print_close(&inner);
    }
}
