/* The report of a set: what all need together beside what they would need apart, a line for each
 * variant, and what is tied. The variant with the largest arena is told of in full. */
#include "ir/plan/forms.h"
#include "ir/plan/plan_names.h"

static uint64_t bytes_of(const tn_pool *pools, uint32_t n, tn_pool_kind kind) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += pools[i].kind == kind ? pools[i].size : 0;
    }
    return sum;
}

static uint64_t arena_of(const tn_plan *p) {
    return bytes_of(p->pools, p->n_pools, TN_POOL_ARENA);
}

/* If each program had an arena of its own, as large as its largest variant needs. */
static uint64_t apart(const tn_plan_set *set) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < set->n_programs; i++) {
        uint64_t most = 0;
        for (uint32_t k = 0; k < set->programs[i].n_variants; k++) {
            uint64_t own = arena_of(set->programs[i].variants[k]);
            most = own > most ? own : most;
        }
        sum += most;
    }
    return sum;
}

static void put_needs(const tn_plan *p, tn_sink *out) {
    const tn_plan_set *set = p->set;
    uint64_t arena = bytes_of(set->pools, p->n_pools, TN_POOL_ARENA), sum = apart(set);
    uint64_t io = 0, ram = 0;
    for (uint32_t i = 0; i < p->n_pools; i++) {
        io += tn_pool_is_callers(&set->pools[i]) ? set->pools[i].size : 0;
        ram += tn_pool_is_ram(&set->pools[i]) ? set->pools[i].size : 0;
    }
    tn_putf(out, "plan of %u program%s in %u variant%s\n", set->n_programs,
            set->n_programs == 1 ? "" : "s", tn_plan_count(p), tn_plan_count(p) == 1 ? "" : "s");
    tn_put(out, "  RAM           ");
    tn_put_bytes(out, ram);
    tn_put(out, ": arena ");
    tn_put_bytes(out, arena);
    tn_put(out, ", in and out ");
    tn_put_bytes(out, io);
    tn_put(out, "; flash ");
    tn_put_bytes(out, bytes_of(set->pools, p->n_pools, TN_POOL_CONST));
    tn_put(out, ": constants\n");
    for (uint32_t i = 0; i < p->n_pools && tn_plan_has_costs(p); i++) {
        tn_putf(out, "%s%s: ", i == 0 ? "  pools         " : "                ",
                set->pools[i].name);
        tn_put_bytes(out, set->pools[i].size);
        tn_put_c(out, '\n');
    }
    if (set->n_programs > 1 && sum > 0) {
        tn_put(out, "  apart         ");
        tn_put_bytes(out, sum);
        tn_put(out, " of arenas, if each program had its own; the shared one has ");
        tn_put_decimal(out, 100 * (double)arena / (double)sum);
        tn_put(out, " % of that\n");
    }
}

static void put_variant(const char *name, const tn_plan *p, tn_sink *out) {
    tn_put(out, "  ");
    tn_put_quoted(out, name);
    for (uint32_t i = 0; i < p->n_dims; i++) {
        tn_put(out, i > 0 ? ", " : " at ");
        tn_put_quoted(out, p->dims[i].name);
        tn_putf(out, "=%lld", (long long)p->dims[i].value);
    }
    for (uint32_t i = 0; i < p->n_ranges; i++) {
        tn_put(out, p->n_dims + i > 0 ? ", " : " at ");
        tn_put_quoted(out, p->ranges[i].name);
        tn_putf(out, "=%lld", (long long)p->ranges[i].point);
    }
    tn_put(out, ": arena ");
    tn_put_bytes(out, arena_of(p));
    tn_put(out, ", lower bound ");
    tn_put_bytes(out, p->report.bound);
    tn_putf(out, ", %u steps\n", p->n_steps);
}

/* The plan told of in full says this of itself. */
static void put_open(const tn_plan *p, const tn_plan *largest, tn_sink *out) {
    for (uint32_t i = 0; i < p->set->n_programs; i++) {
        const tn_plan_program *program = &p->set->programs[i];
        if (program->variants[0]->n_ranges > 0 && program != tn_plan_program_of(largest)) {
            tn_put(out, "extents of ");
            tn_put_quoted(out, program->name);
            tn_put(out, ":\n");
            tn_plan_put_open(program->variants[0], out);
        }
    }
}

static void put_links(const tn_plan_set *set, tn_sink *out) {
    for (uint32_t i = 0; i < set->n_links; i++) {
        const tn_plan_link *l = &set->links[i];
        tn_put(out, i == 0 ? "  one place     " : "                ");
        tn_put_quoted(out, l->from_value);
        tn_put(out, " of ");
        tn_put_quoted(out, set->programs[l->from].name);
        tn_put(out, " is ");
        tn_put_quoted(out, l->to_value);
        tn_put(out, " of ");
        tn_put_quoted(out, set->programs[l->to].name);
        tn_put_c(out, '\n');
    }
}

static void put_set(const tn_plan *p, tn_sink *out) {
    const tn_plan *largest = p;
    put_needs(p, out);
    for (uint32_t i = 0; i < tn_plan_count(p); i++) {
        const tn_plan *v = tn_plan_at(p, i);
        put_variant(tn_plan_program_of(v)->name, v, out);
        largest = arena_of(v) > arena_of(largest) ? v : largest;
    }
    put_links(p->set, out);
    put_open(p, largest, out);
    tn_put(out, "the largest of them:\n");
    tn_plan_report_one(largest, out);
}

void tn_plan_report_print(const tn_plan *p, tn_sink *out) {
    if (tn_shares_pools(p)) {
        put_set(p, out);
    } else {
        tn_plan_report_one(p, out);
    }
}
