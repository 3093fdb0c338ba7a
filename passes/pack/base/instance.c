#include "passes/pack/base/instance.h"

#include "ir/base/key_sort.h"
#include "ir/base/xmath.h"
#include "passes/pack/base/events.h"

/* Whether any stack of all buffers stays below 2^63 bytes. */
static bool sums_fit(const tn_pack_buffer *buffers, uint32_t n) {
    uint64_t sum = 0, highest = 0;
    for (uint32_t i = 0; i < n; i++) {
        const tn_pack_buffer *b = &buffers[i];
        uint64_t top = 0;
        if (b->align == 0 || !tn_add_u64(sum, b->size, &sum) ||
            !tn_add_u64(sum, b->align - 1, &sum)) {
            return false;
        }
        if (b->fixed != TN_PACK_FREE) {
            if (b->fixed % b->align != 0 || !tn_add_u64(b->fixed, b->size, &top)) {
                return false;
            }
            highest = top > highest ? top : highest;
        }
    }
    return tn_add_u64(sum, highest, &sum) && sum <= INT64_MAX;
}

/* The step that every address of a lowest packing is a multiple of. First what alignments force on
 * every offset: ends may be rounded up to that for free, since nothing can begin between. Then what
 * the rounded sizes add: pushed down against each other, buffers lie at sums of sizes, as long as
 * every alignment divides the step or is a multiple of it. */
static uint64_t find_unit(const tn_pack_buffer *buffers, const tn_parts *parts) {
    uint64_t floor = 0, unit = 0;
    for (uint32_t i = 0; i < parts->len; i++) {
        const tn_part *p = &parts->data[i];
        const tn_pack_buffer *b = &buffers[p->buffer];
        uint64_t fixed = b->fixed == TN_PACK_FREE ? 0 : b->fixed;
        floor = tn_gcd(tn_gcd(floor, b->align), tn_gcd(p->lo, fixed));
        unit = tn_gcd(unit, tn_gcd(p->lo, fixed));
    }
    for (uint32_t i = 0; i < parts->len; i++) {
        const tn_part *p = &parts->data[i];
        unit = tn_gcd(unit, tn_round_up(p->hi, floor));
        unit = tn_gcd(unit, tn_round_up(buffers[p->buffer].size, floor));
    }
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < parts->len; i++) {
            uint64_t align = buffers[parts->data[i].buffer].align;
            if (unit % align != 0 && align % unit != 0) {
                unit = tn_gcd(unit, align);
                again = true;
            }
        }
    }
    return unit == 0 ? 1 : unit;
}

/* Items from buffers that have parts, and their spans. */
static void make_items(tn_arena *arena, tn_inst *inst, const tn_pack_buffer *buffers,
                       const tn_parts *parts) {
    inst->items = TN_ARRAY(arena, tn_item, parts->len);
    inst->spans = TN_ARRAY(arena, tn_span, parts->len);
    inst->n_spans = parts->len;
    inst->plain = true;
    uint64_t u = inst->unit;
    for (uint32_t i = 0; i < parts->len; i++) {
        const tn_part *p = &parts->data[i];
        const tn_pack_buffer *b = &buffers[p->buffer];
        if (i == 0 || parts->data[i - 1].buffer != p->buffer) {
            tn_item *item = &inst->items[inst->n++];
            item->buffer = p->buffer;
            item->size = (b->size + (u - 1)) / u;
            item->slack = item->size * u - b->size;
            item->align = b->align <= u ? 1 : b->align / u;
            item->fixed = b->fixed == TN_PACK_FREE ? TN_PACK_FREE : b->fixed / u;
            item->span = i;
        }
        tn_item *item = &inst->items[inst->n - 1];
        item->n_spans++;
        tn_span *s = &inst->spans[i];
        s->item = inst->n - 1;
        s->lo = p->lo / u;
        s->hi = (p->hi + (u - 1)) / u;
        s->slack = s->hi * u - p->hi;
        inst->gaps |= item->n_spans > 1 || s->lo > 0 || s->hi < item->size;
        inst->plain &= item->align == 1 && item->fixed == TN_PACK_FREE;
    }
}

/* A section ends wherever something ends after something began. */
static void make_sections(tn_arena *arena, tn_inst *inst, const tn_parts *parts) {
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(arena));
    const tn_event *events = tn_events_make(scratch, parts);
    TN_VEC(int64_t) times = {0};
    bool begun = false;
    int64_t latest = 0;
    for (uint32_t i = 0; i < 2 * parts->len; i++) {
        tn_span *s = &inst->spans[events[i].part];
        if (events[i].begins) {
            begun = true;
            latest = events[i].time;
            s->a = times.len;
            continue;
        }
        if (begun) {
            tn_vec_push(arena, &times, latest);
            begun = false;
        }
        s->b = times.len;
    }
    inst->time = times.data;
    inst->n_sections = times.len;
    for (uint32_t i = 0; i < inst->n; i++) {
        tn_item *item = &inst->items[i];
        item->a = inst->spans[item->span].a;
        item->b = inst->spans[item->span + item->n_spans - 1].b;
    }
    tn_arena_drop(scratch);
}

static void make_load(tn_arena *arena, tn_inst *inst) {
    inst->load = TN_ARRAY(arena, uint64_t, (size_t)inst->n_sections + 1);
    for (uint32_t i = 0; i < inst->n_spans; i++) {
        const tn_span *s = &inst->spans[i];
        inst->load[s->a] += s->hi - s->lo;
        inst->load[s->b] -= s->hi - s->lo;
    }
    for (uint32_t s = 1; s <= inst->n_sections; s++) {
        inst->load[s] += inst->load[s - 1];
    }
}

/* The largest slack alive in each section: spans in order of falling slack paint the sections still
 * bare. `next` leads from a painted section towards the next bare one, by halving paths. */
static uint64_t *max_slack(tn_arena *scratch, const tn_inst *inst) {
    uint32_t m = inst->n_sections, n = inst->n_spans;
    uint64_t *most = TN_ARRAY(scratch, uint64_t, m);
    uint32_t *next = TN_ARRAY(scratch, uint32_t, (size_t)m + 1);
    tn_sort_key *keys = tn_sort_room(scratch, n);
    for (uint32_t s = 0; s <= m; s++) {
        next[s] = s;
    }
    for (uint32_t i = 0; i < n; i++) {
        keys[i] = (tn_sort_key){~inst->spans[i].slack, i};
    }
    tn_sort_keys(keys, n);
    for (uint32_t k = 0; k < n; k++) {
        const tn_span *span = &inst->spans[keys[k].item];
        for (uint32_t s = span->a;; s++) {
            while (next[s] != s) {
                next[s] = next[next[s]];
                s = next[s];
            }
            if (s >= span->b) {
                break;
            }
            most[s] = span->slack;
            next[s] = s + 1;
        }
    }
    return most;
}

/* In any section all but the topmost part fill whole units. */
static void find_bound(tn_arena *arena, tn_inst *inst, const tn_pack_buffer *buffers, uint32_t n) {
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(arena));
    const uint64_t *slack = max_slack(scratch, inst);
    for (uint32_t s = 0; s < inst->n_sections; s++) {
        uint64_t bytes = inst->load[s] * inst->unit - slack[s];
        if (bytes > inst->bound) {
            inst->bound = bytes;
            inst->bound_section = s;
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        uint64_t offset = buffers[i].fixed == TN_PACK_FREE ? 0 : buffers[i].fixed;
        if (offset + buffers[i].size > inst->bound) {
            inst->bound = offset + buffers[i].size;
            inst->bound_kind = TN_BOUND_BUFFER;
        }
    }
    tn_arena_drop(scratch);
}

tn_inst *tn_inst_make(tn_arena *arena, const tn_pack_buffer *buffers, uint32_t n) {
    tn_parts parts;
    tn_inst *inst = NULL;
    tn_arena *scratch = tn_arena_new(tn_arena_ctx(arena));
    if (sums_fit(buffers, n) && tn_parts_make(scratch, buffers, n, &parts)) {
        inst = TN_NEW(arena, tn_inst);
        inst->unit = find_unit(buffers, &parts);
        make_items(arena, inst, buffers, &parts);
        make_sections(arena, inst, &parts);
        make_load(arena, inst);
        find_bound(arena, inst, buffers, n);
    }
    tn_arena_drop(scratch);
    return inst;
}
