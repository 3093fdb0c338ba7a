/* What a header says of a step, against the node it stands for and the addresses. */
#include <string.h>

#include "tests/headers/replay/memory.h"

static bool contains(const uint32_t *ids, rp_range r, uint32_t id) {
    for (uint32_t i = 0; i < r.count; i++) {
        if (ids[r.at + i] == id) {
            return true;
        }
    }
    return false;
}

static bool holds_all(rp_memory *m, uint32_t step, const uint32_t *in, rp_range r,
                      const uint32_t *of, rp_range all, const char *what) {
    for (uint32_t i = 0; i < r.count; i++) {
        if (!contains(of, all, in[r.at + i])) {
            return rp_fault(m, step, "'%s' %s", m->plan->tensors[in[r.at + i]].name, what);
        }
    }
    return true;
}

static bool check_lists(rp_memory *m, uint32_t step) {
    const rp_plan *p = m->plan;
    const rp_step *s = &p->steps[step];
    const rp_node *n = &p->nodes[step];
    if (strcmp(s->op, n->op) != 0 || strcmp(s->domain, n->domain) != 0) {
        return rp_fault(m, step, "the model has a %s here", n->op);
    }
    if (s->clone_of != n->clone_of) {
        return rp_fault(m, step, "it is wrong about the step that it repeats");
    }
    bool all = holds_all(m, step, p->node_ids, n->reads, p->ids, s->reads,
                         "is read by the node, but not by the step") &&
               holds_all(m, step, p->node_ids, n->writes, p->ids, s->writes,
                         "is written by the node, but not by the step");
    return s->kind != RP_OP ? all /* bodies read and get more than the node names */
                            : all && holds_all(m, step, p->ids, s->reads, p->node_ids, n->reads,
                                               "is read by the step, but not by the node");
}

static bool says_overlap(const rp_plan *p, const rp_step *s, uint32_t written, uint32_t other) {
    for (uint32_t i = 0; i < s->overlaps.count; i++) {
        const rp_overlap *o = &p->overlaps[s->overlaps.at + i];
        if (o->written == written && o->other == other) {
            return true;
        }
    }
    return false;
}

static bool check_overlaps(rp_memory *m, uint32_t step) {
    const rp_plan *p = m->plan;
    const rp_step *s = &p->steps[step];
    uint32_t found = 0;
    for (uint32_t i = 0; i < s->writes.count; i++) {
        uint32_t w = p->ids[s->writes.at + i];
        for (uint32_t k = 0; k < s->reads.count; k++) {
            uint32_t r = p->ids[s->reads.at + k];
            if (w != r && rp_meet(&p->tensors[w], &p->tensors[r])) {
                found++;
                if (!says_overlap(p, s, w, r)) {
                    return rp_fault(m, step,
                                    "'%s' shares bytes with '%s', which the header does not list",
                                    p->tensors[w].name, p->tensors[r].name);
                }
            }
        }
    }
    return s->may_restrict == (found == 0 && s->overlaps.count == 0) ||
           rp_fault(m, step, "it is wrong about restrict");
}

bool rp_check_step(rp_memory *m, uint32_t step) {
    return check_lists(m, step) && check_overlaps(m, step);
}
