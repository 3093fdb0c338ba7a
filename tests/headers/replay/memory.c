#include "tests/headers/replay/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/headers/replay/stamp.h"

enum { POISON = 0xff };

static void *get(size_t n, size_t size) {
    void *p = calloc(n + 1, size);
    if (p == NULL) {
        fputs("out of memory\n", stderr);
        exit(3);
    }
    return p;
}

bool rp_fault(rp_memory *m, uint32_t step, const char *format, ...) {
    va_list args;
    if (step < m->plan->n_steps) {
        const rp_step *s = &m->plan->steps[step];
        fprintf(stderr, "step %u (%s '%s'): ", (unsigned)step, s->op, s->name);
    } else {
        fputs(step == RP_NONE ? "before the run: " : "after the run: ", stderr);
    }
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    m->failed = true;
    return false;
}

/* ---- reads ---- */

static bool read_tensor(rp_memory *m, uint32_t step, uint32_t id) {
    const rp_tensor *t = &m->plan->tensors[id];
    const rp_content *c = &m->contents[id];
    if (t->constant && m->again) {
        return true;
    }
    if (!c->written) {
        return rp_fault(m, step, "'%s' is read, and nobody has written it", t->name);
    }
    for (uint32_t i = 0; i < c->n; i++) {
        const rp_piece *p = &c->pieces[i];
        uint64_t bad;
        if (!rp_is_stamped(t->bytes + p->at, p->size, p->seed, p->from, &bad)) {
            return rp_fault(m, step, "byte %llu of '%s' is not what its producer wrote",
                            (unsigned long long)(p->at + bad), t->name);
        }
    }
    m->figures->checked += t->size;
    return true;
}

bool rp_read_all(rp_memory *m, uint32_t step, rp_range reads, const uint32_t *ids) {
    for (uint32_t i = 0; i < reads.count && !m->failed; i++) {
        read_tensor(m, step, ids[reads.at + i]);
    }
    return !m->failed;
}

bool rp_read_kept(rp_memory *m) {
    const rp_plan *p = m->plan;
    return rp_read_all(m, p->n_steps, (rp_range){0, p->n_kept}, p->kept);
}

/* ---- writes ---- */

bool rp_meet(const rp_tensor *a, const rp_tensor *b) {
    return a->size > 0 && b->size > 0 && a->bytes < b->bytes + b->size &&
           b->bytes < a->bytes + a->size;
}

static const rp_legal *find_legal(const rp_plan *p, uint32_t step, uint32_t written,
                                  uint32_t read) {
    if (step == RP_NONE) {
        return NULL;
    }
    rp_range r = p->nodes[step].legal;
    for (uint32_t i = r.at; i < r.at + r.count; i++) {
        if (p->legal[i].written == written && p->legal[i].read == read) {
            return &p->legal[i];
        }
    }
    return NULL;
}

/* Whether the smaller of the two lies inside the other, where the node puts it. */
static bool is_view(const rp_tensor *w, const rp_tensor *r, const rp_legal *legal) {
    const rp_tensor *part = w->size < r->size ? w : r, *whole = part == w ? r : w;
    bool inside =
        part->bytes >= whole->bytes && part->bytes + part->size <= whole->bytes + whole->size;
    return (legal->how & RP_VIEW) != 0 && inside &&
           (legal->at == RP_ANYWHERE || legal->at == w->bytes - r->bytes);
}

/* Whether the operand begins far enough behind the result, and the kernel is told its order. */
static bool begins_inside(const rp_plan *p, uint32_t step, const rp_legal *legal) {
    const rp_tensor *w = &p->tensors[legal->written], *r = &p->tensors[legal->read];
    rp_range said = p->steps[step].orders;
    bool told = false;
    for (uint32_t i = said.at; i < said.at + said.count; i++) {
        const rp_order *o = &p->orders[i];
        told = told || (o->written == legal->written && o->read == legal->read &&
                        o->order == legal->how / RP_ORDER);
    }
    return told && r->bytes - w->bytes >= legal->at;
}

/* How a result may share bytes with an operand: 0 not at all. Where both are possible (Dropout),
 * the header says which is meant; as a view the kernel would write nothing. */
static unsigned sharing(const rp_plan *p, uint32_t step, uint32_t written, uint32_t read) {
    const rp_tensor *w = &p->tensors[written], *r = &p->tensors[read];
    const rp_legal *legal = find_legal(p, step, written, read);
    if (legal == NULL) {
        return 0;
    }
    bool fits = w->size == r->size || (legal->how & RP_WIDTH) != 0;
    bool over = (legal->how & RP_OVER) != 0 && w->bytes == r->bytes && fits;
    if ((legal->how & RP_INSIDE) != 0) {
        return begins_inside(p, step, legal) ? RP_INSIDE : 0;
    }
    bool said = (w->view && w->alias_of == read) || (r->view && r->alias_of == written);
    if (is_view(w, r, legal) && (said || !over)) {
        return RP_VIEW;
    }
    return over ? RP_OVER : 0;
}

static int by_place(const void *a, const void *b) {
    const rp_piece *x = a, *y = b;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* The pieces of `read` that lie in `written`, as pieces of that. */
static uint32_t take_pieces(const rp_memory *m, uint32_t written, uint32_t read, rp_piece **list,
                            uint32_t n) {
    const rp_tensor *w = &m->plan->tensors[written], *r = &m->plan->tensors[read];
    const rp_content *c = &m->contents[read];
    *list = realloc(*list, (n + c->n + 1) * sizeof **list);
    for (uint32_t i = 0; i < c->n; i++) {
        rp_piece p = c->pieces[i];
        unsigned char *start = r->bytes + p.at, *end = start + p.size;
        unsigned char *low = start < w->bytes ? w->bytes : start;
        unsigned char *high = end > w->bytes + w->size ? w->bytes + w->size : end;
        if (low < high) {
            (*list)[n++] = (rp_piece){(uint64_t)(low - w->bytes), (uint64_t)(high - low), p.seed,
                                      p.from + (uint64_t)(low - start)};
        }
    }
    return n;
}

/* Pieces of its own go between those that lie there already. */
static rp_content compose(rp_memory *m, uint64_t size, rp_piece *there, uint32_t n, uint64_t seed) {
    rp_content c = {get(2 * (size_t)n + 1, sizeof *c.pieces), 0, true};
    uint64_t at = 0;
    if (n > 1) {
        qsort(there, n, sizeof *there, by_place);
    }
    for (uint32_t i = 0; i <= n; i++) {
        uint64_t next = i < n ? there[i].at : size;
        if (next > at) {
            c.pieces[c.n++] = (rp_piece){at, next - at, seed, at};
            m->figures->written += next - at;
            at = next;
        }
        if (i < n && there[i].at == at) {
            c.pieces[c.n++] = there[i];
            at += there[i].size;
        }
    }
    return c;
}

/* Whether a piece of `seed`, which is about to be written, lies in the tensor. */
static bool hits(const rp_content *c, uint64_t seed, const rp_tensor *w, const rp_tensor *r) {
    for (uint32_t i = 0; i < c->n; i++) {
        const rp_piece *p = &c->pieces[i];
        const unsigned char *start = w->bytes + p->at;
        if (p->seed == seed && start < r->bytes + r->size && r->bytes < start + p->size) {
            return true;
        }
    }
    return false;
}

static void put_content(rp_memory *m, uint32_t id, rp_content c, uint64_t seed) {
    for (uint32_t i = 0; i < c.n; i++) {
        const rp_piece *p = &c.pieces[i];
        if (p->seed == seed) {
            rp_stamp(m->plan->tensors[id].bytes + p->at, p->size, seed, p->from);
        }
    }
    free(m->contents[id].pieces);
    m->contents[id] = c;
}

static rp_content gather(rp_memory *m, uint32_t step, uint32_t id, rp_range reads, uint64_t seed) {
    const rp_plan *p = m->plan;
    rp_piece *there = get(1, sizeof *there);
    uint32_t n = 0;
    for (uint32_t i = 0; i < reads.count; i++) {
        uint32_t read = p->ids[reads.at + i];
        if (read != id && rp_meet(&p->tensors[id], &p->tensors[read])) {
            unsigned how = sharing(p, step, id, read);
            n = how == RP_VIEW ? take_pieces(m, id, read, &there, n) : n;
            m->figures->views += how == RP_VIEW && !m->again;
            m->figures->over += how == RP_OVER && !m->again;
            m->figures->inside += how == RP_INSIDE && !m->again;
        }
    }
    rp_content c = compose(m, p->tensors[id].size, there, n, seed);
    free(there);
    return c;
}

/* An operand that may share nothing with the result may lie in it all the same, where another one
 * puts bytes of its own by a view: a value and its view, joined. What is written must not touch it.
 */
static bool write_tensor(rp_memory *m, uint32_t step, uint32_t id, rp_range reads) {
    const rp_plan *p = m->plan;
    const rp_tensor *w = &p->tensors[id];
    if (m->again && w->constant) { /* a view of a constant */
        return true;
    }
    uint64_t seed = rp_seed(m->n_writes++);
    rp_content c = gather(m, step, id, reads, seed);
    for (uint32_t i = 0; i < reads.count && !m->failed; i++) {
        uint32_t read = p->ids[reads.at + i];
        const rp_tensor *r = &p->tensors[read];
        if (read != id && hits(&c, seed, w, r) &&
            (sharing(p, step, id, read) & (RP_OVER | RP_INSIDE)) == 0) {
            rp_fault(m, step, "'%s' is written over '%s', which the op table does not allow",
                     w->name, r->name);
        }
    }
    put_content(m, id, c, seed);
    return !m->failed;
}

/* Whether one of these writes of a step goes over `tensor`. */
static bool is_covered(const rp_plan *p, uint32_t step, rp_range writes, uint32_t tensor) {
    for (uint32_t i = 0; i < writes.count; i++) {
        if (sharing(p, step, p->ids[writes.at + i], tensor) == RP_OVER) {
            return true;
        }
    }
    return false;
}

/* Of two branches the first has left nothing where the second has its output in the same place. */
static bool is_replaced(const rp_plan *p, uint32_t end, uint32_t at) {
    const rp_step *s = &p->steps[end];
    const rp_tensor *t = &p->tensors[p->ids[s->reads.at + at]];
    for (uint32_t i = 0; i < s->reads.count; i++) {
        const rp_tensor *other = &p->tensors[p->ids[s->reads.at + i]];
        if (other != t && other->bytes == t->bytes && other->size == t->size &&
            other->first > t->first) {
            return is_covered(p, end, s->writes, p->ids[s->reads.at + at]);
        }
    }
    return false;
}

bool rp_read_again(rp_memory *m, uint32_t begin) {
    const rp_plan *p = m->plan;
    const rp_step *s = &p->steps[begin];
    for (uint32_t i = 0; i < s->reads.count && !m->failed; i++) {
        if (!is_covered(p, begin, s->writes, p->ids[s->reads.at + i])) {
            read_tensor(m, begin, p->ids[s->reads.at + i]);
        }
    }
    return !m->failed;
}

bool rp_read_end(rp_memory *m, uint32_t end) {
    const rp_plan *p = m->plan;
    const rp_step *s = &p->steps[end];
    for (uint32_t i = 0; i < s->reads.count && !m->failed; i++) {
        if (!is_replaced(p, end, i)) {
            read_tensor(m, end, p->ids[s->reads.at + i]);
        }
    }
    return p->nodes[end].once ? !m->failed : rp_read_again(m, s->partner);
}

bool rp_is_filled(const rp_plan *plan, uint32_t end, uint32_t tensor) {
    const rp_step *s = &plan->steps[end];
    return s->kind == RP_END && plan->tensors[tensor].first <= (int32_t)s->partner;
}

bool rp_write_all(rp_memory *m, uint32_t step) {
    const rp_plan *p = m->plan;
    const rp_step *s = &p->steps[step];
    for (uint32_t i = 0; i < s->writes.count && !m->failed; i++) {
        uint32_t id = p->ids[s->writes.at + i];
        if (!rp_is_filled(p, step, id)) {
            write_tensor(m, step, id, s->reads);
        }
    }
    /* No result may have gone over another, nor a body over what it fills. */
    return rp_read_all(m, step, s->writes, p->ids);
}

bool rp_write_filled(rp_memory *m, uint32_t begin) {
    const rp_plan *p = m->plan;
    const rp_step *s = &p->steps[begin], *end = &p->steps[s->partner];
    for (uint32_t i = 0; i < end->writes.count && !m->failed; i++) {
        uint32_t id = p->ids[end->writes.at + i];
        if (rp_is_filled(p, s->partner, id)) {
            write_tensor(m, begin, id, s->reads);
        }
    }
    return !m->failed;
}

void rp_free_all(rp_memory *m, uint32_t step) {
    const rp_plan *p = m->plan;
    rp_range frees = p->steps[step].frees;
    for (uint32_t i = 0; i < frees.count; i++) {
        const rp_storage *s = &p->storages[p->ids[frees.at + i]];
        if (s->size > 0) {
            memset(p->pools[s->pool].base + s->offset, POISON, (size_t)s->size);
            m->figures->poisoned += s->size;
        }
    }
}

/* ---- a memory ---- */

/* Constants lie in pools of their own, where nothing is written: marked once, they need no looking
 * after in other orders. */
rp_memory rp_memory_new(const rp_plan *plan, rp_figures *figures, bool again) {
    rp_memory m = {plan, get(plan->n_tensors, sizeof *m.contents), figures, 0, again, false};
    bool *fixed = get(plan->n_pools, sizeof *fixed);
    for (uint32_t i = 0; i < plan->n_tensors; i++) {
        fixed[plan->tensors[i].pool] |= again && plan->tensors[i].constant;
    }
    for (uint32_t i = 0; i < plan->n_pools; i++) {
        if (!fixed[i]) {
            memset(plan->pools[i].base, POISON, (size_t)plan->pools[i].size);
        }
    }
    for (uint32_t i = 0; i < plan->n_tensors; i++) {
        if (plan->tensors[i].step == RP_NONE && !(again && plan->tensors[i].constant)) {
            write_tensor(&m, RP_NONE, i, (rp_range){0, 0});
        }
    }
    free(fixed);
    return m;
}

void rp_memory_drop(rp_memory *m) {
    for (uint32_t i = 0; i < m->plan->n_tensors; i++) {
        free(m->contents[i].pieces);
    }
    free(m->contents);
}
