#include "passes/schedule/floor/floor_t.h"

/* Values of a class that is more than they are. */
void tn_floor_find_inner(tn_floor *w, const uint64_t *blocks) {
    uint32_t n = w->facts.links.len;
    bool *inner = TN_ARRAY(w->arena, bool, w->m->n_values), again = true;
    while (again) {
        again = false;
        for (uint32_t i = 0; i < n; i++) {
            const tn_content_link *l = &w->facts.links.data[i];
            bool part = blocks[l->inner] < blocks[l->outer];
            bool a = l->same && (part || inner[l->outer]), b = l->same && !part && inner[l->inner];
            again = again || (a && !inner[l->inner]) || (b && !inner[l->outer]);
            inner[l->inner] |= a;
            inner[l->outer] |= b;
        }
    }
    w->inner = inner;
}

uint32_t tn_floor_class_of(const tn_floor *w, uint32_t v) {
    while (w->class_of[v] != v) {
        v = w->class_of[v];
    }
    return v;
}

static bool is_part(const tn_floor *w, const tn_content_link *l) {
    return w->s->bytes[l->inner] < w->s->bytes[l->outer];
}

/* What lies in one whole lies in no other. */
static void keep_out_of_others(tn_floor *w, uint32_t link) {
    const tn_content_link *l = &w->facts.links.data[link];
    for (uint32_t i = 0; i < w->facts.links.len; i++) {
        tn_content_link *x = &w->facts.links.data[i];
        bool other = i != link && (x->outer != l->outer || x->at != l->at);
        x->same = x->same && !(other && x->inner == l->inner && is_part(w, x));
    }
}

void tn_floor_find_classes(tn_floor *w) {
    for (uint32_t i = 0; i < w->m->n_values; i++) {
        w->class_of[i] = i;
    }
    for (uint32_t i = 0; i < w->facts.links.len; i++) {
        const tn_content_link *l = &w->facts.links.data[i];
        uint32_t a = tn_floor_class_of(w, l->inner), b = tn_floor_class_of(w, l->outer);
        if (w->decided[i] == TN_PART_INSIDE) {
            w->class_of[a < b ? b : a] = a < b ? a : b;
            w->joined[l->inner] = w->joined[l->outer] = true;
            if (is_part(w, l)) {
                keep_out_of_others(w, i);
            }
        }
        w->facts.links.data[i].same = l->same && w->decided[i] != TN_PART_APART;
    }
}
