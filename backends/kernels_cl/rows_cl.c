/* A work-group a row: the work-items share the sums over it, which meet in local memory, and then
 * the elements that are made of them. */
#include <inttypes.h>

#include "backends/kernels_cl/writer.h"

enum {
    NEAR = 4,  /* neighbours this far apart are still read together */
    LONG = 256 /* terms of a sum that a work-group is worth */
};

static bool is_under(const tn_cl_writer *w, const tn_calc *load) {
    bool any = false;
    for (uint32_t i = 0; i < w->over.n; i++) {
        any = any || w->over.operands[i] == load->which;
    }
    return any;
}

/* Whether neighbours of a sum lie beside each other, and those of the result far apart. */
static bool goes_along_sum(const tn_cl_writer *w, const tn_calc *load) {
    const tn_nest_stage *s = &w->n->stage[w->sum];
    int64_t across = w->depth > 0 ? load->at.by[w->depth - 1] : NEAR + 1;
    return load->at.by[s->first + s->n - 1] == 1 && (across > NEAR || across < 0);
}

/* Sums that the work-items of a row share. */
static bool is_met(const tn_cl_writer *w, uint32_t stage) {
    const tn_nest_stage *s = &w->n->stage[stage];
    bool met = !tn_print_is_term(s) && s->depth == w->depth && s->n > 0;
    for (uint32_t i = 0; i < w->n->n_stages; i++) {
        met = met && w->n->stage[i].inside != stage + 1;
    }
    return met && s->inside == 0;
}

/* A row, once its sums are there, is written while no sum reads it. */
static bool may_have_rows(const tn_cl_writer *w) {
    bool any = false, may = true;
    for (uint32_t s = 0; s < w->n->n_stages; s++) {
        bool met = is_met(w, s);
        any = any || met;
        may = may && (met || tn_print_is_term(&w->n->stage[s]) ||
                      !tn_cl_any_load(w, w->n->stage[s].body, is_under));
    }
    bool free = !tn_nest_is_bound(w->n) || w->depth == w->n->n_outer;
    return any && may && free && tn_dtype_get(w->p.c->results[w->n->result].dtype)->bits >= 8;
}

static bool wants_rows(tn_cl_writer *w) {
    int64_t terms = 0;
    bool along = false;
    for (uint32_t s = 0; s < w->n->n_stages; s++) {
        const tn_nest_stage *stage = &w->n->stage[s];
        if (is_met(w, s)) {
            w->sum = s;
            terms = tn_cl_product(w->n, stage->first, stage->first + stage->n);
            along = along || tn_cl_any_load(w, stage->body, goes_along_sum);
        }
    }
    return w->depth < w->n->n_outer
               ? tn_cl_product(w->n, w->depth, w->n->n_outer) >= TN_CL_ITEMS / 4
               : along && terms >= LONG;
}

bool tn_cl_find_rows(tn_cl_writer *w) {
    return may_have_rows(w) && wants_rows(w);
}

/* for (i = item; i < N; i += 64) { with the axes of i. */
static void open_shared(tn_cl_writer *w, uint32_t from, uint32_t to) {
    tn_print_line(&w->p, "for (int32_t i = item; i < %" PRId64 "; i += %d) {",
                  tn_cl_product(w->n, from, to), TN_CL_ITEMS);
    w->p.depth++;
    tn_cl_put_axes(w, from, to, "i");
}

static void put_met(tn_cl_writer *w, uint32_t stage) {
    tn_printer *p = &w->p;
    const tn_nest_stage *s = &w->n->stage[stage];
    const char *type = tn_print_type(s->type), *local = p->local[stage];
    tn_put_indent(p->out, 4 * (size_t)p->depth);
    tn_putf(p->out, "%s %s = ", type, local);
    if (s->start != NULL) {
        tn_put(p->out, "item > 0 ? ");
    }
    tn_put(p->out, tn_print_nothing(s));
    if (s->start != NULL) {
        tn_put(p->out, " : ");
        tn_print_calc(p, s->start);
    }
    tn_put(p->out, ";\n");
    open_shared(w, s->first, s->first + s->n);
    tn_print_guards(p, s, s->n, TN_NEST_AXES, TN_NEST_AXES);
    for (uint32_t a = s->first; a < s->first + s->n; a++) {
        tn_print_guards(p, s, s->n, a, TN_NEST_AXES);
    }
    tn_print_combined(p, s, local);
    tn_print_close(p);
    tn_print_line(p, "s%" PRIu32 "[item] = %s;", stage, local);
    tn_print_line(p, "for (int32_t half_of = %d; half_of > 0; half_of /= 2) {", TN_CL_ITEMS / 2);
    tn_print_line(p, "    barrier(CLK_LOCAL_MEM_FENCE);");
    tn_print_line(p, "    if (item < half_of) {");
    tn_calc other = {.kind = TN_CALC_LOCAL, .type = s->type, .which = stage};
    tn_nest_stage both = *s;
    both.body = &other;
    p->local[stage] = tn_arena_printf(p->out->arena, "s%" PRIu32 "[item + half_of]", stage);
    p->depth += 2;
    tn_print_combined(p, &both, tn_arena_printf(p->out->arena, "s%" PRIu32 "[item]", stage));
    p->depth -= 2;
    p->local[stage] = local;
    tn_print_line(p, "    }");
    tn_print_line(p, "}");
    tn_print_line(p, "barrier(CLK_LOCAL_MEM_FENCE);");
    tn_print_line(p, "%s = s%" PRIu32 "[0];", local, stage);
}

void tn_cl_put_rows(tn_cl_writer *w) {
    tn_printer *p = &w->p;
    const tn_nest *n = w->n;
    for (uint32_t s = 0; s < n->n_stages; s++) {
        if (is_met(w, s)) {
            tn_print_line(p, "__local %s s%" PRIu32 "[%d];", tn_print_type(n->stage[s].type), s,
                          TN_CL_ITEMS);
        }
    }
    w->k->global[0] = w->k->local[0] = TN_CL_ITEMS;
    w->k->local[1] = w->k->local[2] = 1;
    w->k->global[1] = (uint64_t)tn_cl_product(n, 0, w->depth);
    w->k->global[2] = 1;
    tn_print_line(p, "const int32_t item = (int32_t)get_local_id(0);");
    if (w->depth > 0) {
        tn_print_line(p, "const int32_t row = (int32_t)get_global_id(1);");
        tn_cl_put_axes(w, 0, w->depth, "row");
    }
    for (uint32_t a = 0; a < w->depth; a++) {
        tn_print_stages(p, a, 0);
    }
    for (uint32_t s = 0; s < n->n_stages; s++) {
        if (is_met(w, s)) {
            put_met(w, s);
        } else if (n->stage[s].depth == w->depth && n->stage[s].inside == 0) {
            tn_print_stage(p, s);
        }
    }
    open_shared(w, w->depth, n->n_outer);
    for (uint32_t a = w->depth + 1; a <= n->n_outer; a++) {
        tn_print_stages(p, a, 0);
    }
    tn_print_store(p);
    tn_print_close(p);
}
