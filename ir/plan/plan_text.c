/* The text form: one line an item, every field that JSON has except provenance that changes with
 * the version. It is for tests and for people, and is not read back. */
#include "ir/plan/forms.h"
#include "ir/plan/plan_names.h"

static void put_name(const tn_plan *p, uint32_t value, tn_sink *out) {
    const tn_plan_value *v = &p->values[value];
    if (v->graph[0] != '\0') {
        tn_put_quoted(out, v->graph);
        tn_put_c(out, '/');
    }
    tn_put_quoted(out, v->name);
}

static void put_pools(const tn_plan *p, tn_sink *out) {
    for (uint32_t i = 0; i < p->n_pools; i++) {
        const tn_pool *pool = &p->pools[i];
        tn_putf(out, "pool %u ", i);
        tn_put_quoted(out, pool->name);
        tn_putf(out, " %s size %llu bound %llu align %llu", tn_pool_kind_names[pool->kind],
                (unsigned long long)pool->size, (unsigned long long)pool->bound,
                (unsigned long long)pool->align);
        if (pool->capacity > 0) {
            tn_putf(out, " capacity %llu", (unsigned long long)pool->capacity);
        }
        if (pool->base_align > pool->align) {
            tn_putf(out, " base-align %llu", (unsigned long long)pool->base_align);
        }
        if (pool->cost > 0) {
            tn_putf(out, " cost %llu traffic %llu", (unsigned long long)pool->cost,
                    (unsigned long long)pool->traffic);
        }
        if (pool->section != NULL) {
            tn_put(out, " section ");
            tn_put_quoted(out, pool->section);
        }
        tn_put(out, pool->copied ? " copied" : "");
        tn_put_c(out, '\n');
    }
    for (uint32_t i = 0; i < p->n_slots; i++) {
        tn_putf(out, "slot %u pool %u offset %llu size %llu\n", i, p->slots[i].pool,
                (unsigned long long)p->slots[i].offset, (unsigned long long)p->slots[i].size);
    }
}

static void put_storages(const tn_plan *p, tn_sink *out) {
    for (uint32_t i = 0; i < p->n_storages; i++) {
        const tn_storage *s = &p->storages[i];
        tn_putf(out, "storage %u pool %u offset %llu size %llu live %d..%d root ", i, s->pool,
                (unsigned long long)s->offset, (unsigned long long)s->size, (int)s->first,
                (int)s->last);
        put_name(p, s->root, out);
        if (s->slot != TN_NO_ID) {
            tn_putf(out, " slot %u", s->slot);
        }
        if (s->second > 0) {
            tn_putf(out, " second %llu", (unsigned long long)s->second);
        }
        tn_put(out, s->pinned ? " pinned\n" : "\n");
    }
}

static void put_value(const tn_plan *p, uint32_t id, tn_sink *out) {
    const tn_plan_value *v = &p->values[id];
    tn_put(out, "value ");
    put_name(p, id, out);
    tn_putf(out, " %s %s", tn_plan_role_names[v->role], v->type);
    if (v->storage == TN_NO_ID) {
        tn_putf(out, " unplanned, %s: ", tn_left_out_names[v->left_out]);
        tn_put_line(out, v->why != NULL ? v->why : "no reason given");
        if (v->bytes_text != NULL) {
            tn_putf(out, " (%s bytes)", v->bytes_text);
        }
        tn_put_c(out, '\n');
        return;
    }
    tn_putf(out, " bytes %llu at %u+%llu live %d..%d", (unsigned long long)v->bytes, v->storage,
            (unsigned long long)v->offset, (int)v->first, (int)v->last);
    if (v->step != TN_NO_ID) {
        tn_putf(out, " step %u", v->step);
    }
    if (v->alias_of != TN_NO_ID) {
        tn_putf(out, " %s of ", tn_alias_words[v->alias]);
        put_name(p, v->alias_of, out);
    }
    if (v->clone_of != TN_NO_ID) {
        tn_put(out, " clone of ");
        put_name(p, v->clone_of, out);
    }
    for (uint32_t i = 0; i < v->n_overlaps; i++) {
        const tn_plan_overlap *o = &v->overlaps[i];
        tn_putf(out, " %s+%llu in ", tn_work_order_words[o->order],
                (unsigned long long)o->distance);
        put_name(p, o->value, out);
    }
    tn_put(out, v->channels_last ? " channels-last" : "");
    tn_put_c(out, '\n');
}

static void put_names(const tn_plan *p, const char *word, tn_ids list, tn_sink *out) {
    for (uint32_t i = 0; i < list.len; i++) {
        tn_put(out, i > 0 ? ", " : word);
        put_name(p, list.data[i], out);
    }
}

static void put_numbers(const char *word, tn_ids list, tn_sink *out) {
    for (uint32_t i = 0; i < list.len; i++) {
        tn_putf(out, "%s%u", i > 0 ? ", " : word, list.data[i]);
    }
}

static void put_step(const tn_plan *p, uint32_t id, tn_sink *out) {
    const tn_plan_step *s = &p->steps[id];
    tn_putf(out, "step %u ", id);
    if (s->kind != TN_STEP_OP) {
        tn_putf(out, "%s ", tn_step_kind_names[s->kind]);
    }
    if (s->domain[0] != '\0') {
        tn_putf(out, "%s.", s->domain);
    }
    tn_put(out, s->op);
    if (s->name[0] != '\0') {
        tn_put_c(out, ' ');
        tn_put_quoted(out, s->name);
    }
    if (s->clone_of != TN_NO_ID) {
        tn_putf(out, " clone of %u", s->clone_of);
    }
    put_names(p, " writes ", s->writes, out);
    put_names(p, " reads ", s->reads, out);
    put_numbers(" frees ", s->frees, out);
    put_numbers(" after ", s->hazards, out);
    if (p->concurrency == TN_QUEUES) {
        tn_putf(out, " queue %u", s->queue);
    }
    tn_put_c(out, '\n');
}

/* One plan. */
static void put_plan(const tn_plan *p, tn_sink *out) {
    tn_put(out, "plan ");
    tn_put_quoted(out, p->model);
    tn_putf(out, " format %d%s%s%s", TN_PLAN_FORMAT, p->partial ? " partial" : "",
            p->reordered ? " reordered" : "", p->report.interrupted ? " interrupted" : "");
    if (p->concurrency != TN_SERIAL) {
        tn_putf(out, " %s", tn_concurrency_names[p->concurrency]);
    }
    if (p->concurrency == TN_QUEUES) {
        tn_putf(out, " %u", p->n_queues);
    }
    tn_put_c(out, '\n');
    put_pools(p, out);
    put_storages(p, out);
    for (uint32_t i = 0; i < p->n_values; i++) {
        put_value(p, i, out);
    }
    for (uint32_t i = 0; i < p->n_steps; i++) {
        put_step(p, i, out);
    }
    for (uint32_t i = 0; i < p->n_bindings; i++) {
        tn_put(out, "bind ");
        tn_put_quoted(out, p->bindings[i].state);
        put_names(p, " = ", (tn_ids){&p->bindings[i].value, 1}, out);
        tn_put_c(out, '\n');
    }
    if (p->fixed.len > 0) {
        put_names(p, "fixed ", p->fixed, out);
        tn_put_c(out, '\n');
    }
    for (uint32_t i = 0; i < p->n_data_dims; i++) {
        const tn_plan_data_dim *d = &p->data_dims[i];
        tn_put(out, "by data ");
        tn_put_quoted(out, d->name);
        tn_plan_put_most(d, out);
        tn_put_c(out, '\n');
    }
    const tn_plan_report *r = &p->report;
    tn_putf(out,
            "report naive %llu level0 %llu level1 %llu bound %llu const %llu io %llu "
            "ram %llu flash %llu\n",
            (unsigned long long)r->naive, (unsigned long long)r->level0,
            (unsigned long long)r->level1, (unsigned long long)r->bound,
            (unsigned long long)r->const_bytes, (unsigned long long)r->io_bytes,
            (unsigned long long)r->ram, (unsigned long long)r->flash);
    tn_putf(out, "report inplace %u views %u updates %u shared %u planned %u unplanned %u\n",
            r->n_inplace, r->n_views, r->n_updates, r->n_shared, r->n_planned, r->n_unplanned);
    if (p->concurrency != TN_SERIAL) {
        tn_putf(out, "report depth %u data %u serial %llu\n", r->depth, r->data_depth,
                (unsigned long long)r->serial);
    }
}

static void put_set(const tn_plan_set *set, uint32_t n_pools, tn_sink *out) {
    tn_putf(out, "set of %u programs\n", set->n_programs);
    for (uint32_t i = 0; i < n_pools; i++) {
        tn_put(out, "set pool ");
        tn_put_quoted(out, set->pools[i].name);
        tn_putf(out, " size %llu bound %llu\n", (unsigned long long)set->pools[i].size,
                (unsigned long long)set->pools[i].bound);
    }
    for (uint32_t i = 0; i < set->n_links; i++) {
        const tn_plan_link *l = &set->links[i];
        tn_put(out, "set link ");
        tn_put_quoted(out, set->programs[l->from].name);
        tn_put_c(out, '/');
        tn_put_quoted(out, l->from_value);
        tn_put(out, " = ");
        tn_put_quoted(out, set->programs[l->to].name);
        tn_put_c(out, '/');
        tn_put_quoted(out, l->to_value);
        tn_put_c(out, '\n');
    }
}

static void put_dims(const tn_plan *p, tn_sink *out) {
    tn_put(out, "program ");
    tn_put_quoted(out, tn_plan_program_of(p)->name);
    for (uint32_t i = 0; i < p->n_dims; i++) {
        tn_put_c(out, ' ');
        tn_put_quoted(out, p->dims[i].name);
        tn_putf(out, "=%lld", (long long)p->dims[i].value);
    }
    tn_put_c(out, '\n');
}

void tn_plan_print(const tn_plan *p, tn_sink *out) {
    if (p->set == NULL) {
        put_plan(p, out);
        return;
    }
    put_set(p->set, p->n_pools, out);
    for (uint32_t i = 0; i < tn_plan_count(p); i++) {
        put_dims(tn_plan_at(p, i), out);
        put_plan(tn_plan_at(p, i), out);
    }
}
