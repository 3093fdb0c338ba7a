#include "tests/random/variant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "passes/pack/pack.h"
#include "tests/random/rng.h"

static const char pipeline_word[] = "// pipeline ", controls_word[] = "// controls ";

static const char *pick(rng *r, const char *words) {
    static char word[64];
    uint32_t n = 1;
    for (const char *c = words; *c != '\0'; c++) {
        n += *c == '|';
    }
    for (n = rng_below(r, n); n > 0; n--) {
        words = strchr(words, '|') + 1;
    }
    snprintf(word, sizeof word, "%.*s", (int)strcspn(words, "|"), words);
    return word;
}

static void put_aliasing(rng *r, tn_sink *out) {
    bool views_first = rng_chance(r, 60);
    for (uint32_t i = 0; i < 2; i++) {
        bool views = (i == 0) == views_first;
        if (rng_chance(r, 15)) {
            continue;
        }
        if (views) {
            tn_putf(out, ",alias-views{kinds=%s}", pick(r, "none|reshape|all|all|all"));
        } else {
            tn_putf(out, ",inplace{kinds=%s}", pick(r, "none|elementwise|all|all|ordered|ordered"));
        }
    }
    if (rng_chance(r, 50)) {
        tn_put(out, ",share-gradients");
    }
}

/* The least peak is searched for with many plans, so it is drawn less often. */
static const char *draw_order(rng *r) {
    return rng_chance(r, 5) ? "min-peak" : pick(r, "file|kahn|longest-path");
}

static void put_reuse(rng *r, tn_sink *out) {
    const char *const *names = tn_pack_algorithms;
    bool slots = rng_chance(r, 25);
    names = slots ? tn_slot_algorithms : names;
    uint32_t n = 0;
    while (names[n] != NULL) {
        n++;
    }
    tn_putf(out, "reuse{level=%s", pick(r, "none|0|1|1|1"));
    tn_putf(out, ",memory=%s,effort=%s", slots ? "slots" : "offsets",
            rng_chance(r, 80) ? "1" : "2");
    if (rng_chance(r, 25)) {
        tn_putf(out, ",algo=%s", names[rng_below(r, n)]);
    }
    tn_put(out, "}");
}

/* Any passes in any order, some of them twice; a plan is made somewhere, and again at the end. What
 * a pass needs and nobody gave, the pass manager adds. */
static const char *draw_passes(rng *r, tn_arena *arena) {
    static const char passes[] =
        "infer-shapes|infer-shapes|schedule|schedule{order=kahn}|schedule{order=longest-path}|"
        "pin|alias-views|alias-views{kinds=all}|alias-views{kinds=all}|"
        "inplace|inplace{kinds=all}|inplace{kinds=ordered}|share-gradients|reuse|insert-frees|O1|"
        "recompute{flops=100%}|"
        "O3";
    tn_sink out = tn_sink_make(arena);
    for (uint32_t n = rng_below(r, 9); n > 0; n--) {
        tn_putf(&out, "%s,", pick(r, passes));
        if (rng_chance(r, 10)) {
            tn_putf(&out, "schedule{order=%s},", draw_order(r));
        }
    }
    put_reuse(r, &out);
    if (rng_chance(r, 50)) {
        tn_put(&out, ",insert-frees");
    }
    return out.data;
}

static const char *draw_pipeline(rng *r, tn_arena *arena) {
    tn_sink out = tn_sink_make(arena);
    if (rng_chance(r, 30)) {
        tn_put(&out, pick(r, "O0|O1|O2|O3"));
        return out.data;
    }
    if (rng_chance(r, 20)) {
        return draw_passes(r, arena);
    }
    tn_putf(&out, "infer-shapes,schedule{order=%s},pin", draw_order(r));
    put_aliasing(r, &out);
    tn_put_c(&out, ',');
    put_reuse(r, &out);
    tn_put(&out, ",insert-frees");
    return out.data;
}

/* A value of the main graph, called by a name that is no pattern and no puzzle. */
static const char *draw_name(rng *r, const tn_module *m) {
    const tn_value *v = m->values[rng_below(r, m->n_values)];
    bool plain = v->name[0] == 'v' && strspn(v->name + 1, "0123456789") == strlen(v->name) - 1;
    return plain && v->graph == m->main ? v->name : NULL;
}

/* As passes/pipelines.def has them. */
static const char named_O2[] =
    "infer-shapes,schedule,pin,alias-views,inplace,share-gradients,reuse{level=1},insert-frees";
static const char named_O3[] =
    "infer-shapes,schedule{order=min-peak},pin,alias-views{kinds=all},inplace{kinds=all},"
    "share-gradients,fill-parts,reuse{level=1,effort=2},insert-frees";
static const char named_O3_file[] =
    "infer-shapes,schedule,pin,alias-views{kinds=all},inplace{kinds=all},share-gradients,"
    "fill-parts,reuse{level=1,effort=2},insert-frees";

/* Drawn last, so that seeds mean what they always did. A named algorithm packs live ranges. */
static void draw_concurrency(rng *r, variant *v) {
    if (rng_chance(r, 60) || strstr(v->pipeline, "algo=") != NULL) {
        return;
    }
    v->controls.concurrency = rng_chance(r, 60) ? TN_DATAFLOW : TN_QUEUES;
    if (v->controls.concurrency == TN_QUEUES) {
        v->controls.n_queues = 1 + rng_below(r, 3);
    }
}

/* A small fast arena and one for the rest, where offsets are planned. */
static void set_pools(variant *v, uint64_t fast, uint64_t cost) {
    v->pools[0] = (tn_pool_wish){"fast", TN_POOL_ARENA, fast, 1, 0, NULL, false};
    v->pools[1] = (tn_pool_wish){"slow", TN_POOL_ARENA, 0, cost, 0, NULL, false};
    v->controls.places = (tn_place_wishes){.pools = v->pools, .n_pools = fast > 0 ? 2 : 0};
}

/* Behind all others, for the same reason. */
static void draw_pools(rng *r, variant *v) {
    if (rng_chance(r, 50) || strstr(v->pipeline, "slots") != NULL) {
        return;
    }
    uint64_t fast = UINT64_C(64) << rng_below(r, 6);
    set_pools(v, fast, 1 + rng_below(r, 4));
}

/* Values are computed again in some plans, in the order of the pipeline. Drawn last, as above. */
static void draw_recompute(rng *r, variant *v, tn_arena *arena) {
    const char *at = strstr(v->pipeline, ",pin,");
    if (at != NULL && rng_chance(r, 10) && strstr(v->pipeline, "recompute") == NULL) {
        v->pipeline = tn_arena_printf(arena, "%.*s,recompute{flops=100%%}%s",
                                      (int)(at - v->pipeline), v->pipeline, at);
    }
}

/* One value keeps its channels in front where others have them last. */
static void lay_first(tn_arena *arena, const char *name, variant *v) {
    v->first[0] = tn_arena_printf(arena, "%s=nchw", name);
    v->controls.layout_of = (tn_names){v->first, 1, 0};
}

/* Drawn after all else, too. What knows no parts of buffers does not go with results inside
 * operands. */
static void draw_inside(rng *r, tn_arena *arena, const tn_module *m, variant *v) {
    if (rng_chance(r, 25) || v->controls.concurrency != TN_SERIAL) {
        return;
    }
    v->controls.align = (uint64_t[]){1, 1, 4, 16, 64}[rng_below(r, 5)]; /* values are small */
    v->controls.channels_last = rng_chance(r, 40);
    const char *name = v->controls.channels_last && rng_chance(r, 60) ? draw_name(r, m) : NULL;
    if (name != NULL) {
        lay_first(arena, name, v);
    }
    const char *text = strcmp(v->pipeline, "O3") == 0 ? named_O3
                       : v->pipeline[0] == 'O'        ? named_O2
                                                      : v->pipeline;
    const char *at = NULL;
    for (const char *next = text; (next = strstr(next, "reuse{")) != NULL; next++) {
        at = next;
    }
    size_t length = at != NULL ? strcspn(at, "}") : 0;
    const char *options = tn_arena_printf(arena, "%.*s", (int)length, at != NULL ? at : "");
    if (strstr(options, "level=1") != NULL && strstr(options, "memory=slots") == NULL) {
        int n = (int)(strchr(at, '}') - text);
        v->pipeline =
            tn_arena_printf(arena, "%.*s,overlap=%s%s", n, text,
                            pick(r, "rows|rows-buffered|elements|elements|pixels"), text + n);
    }
}

/* Values lie in the room of parts. Drawn after all that was there before; now and then with nothing
 * beside it that keeps them from there, as other memories or steps side by side do. */
static void draw_rooms(rng *r, variant *v, tn_arena *arena) {
    const char *at = NULL;
    if (rng_chance(r, 15)) {
        bool io = v->controls.io_in_arena, inputs = v->controls.reuse_inputs;
        v->pipeline = rng_chance(r, 50) ? named_O3 : named_O3_file;
        v->controls = tn_controls_default();
        v->controls.align = (uint64_t[]){1, 4}[rng_below(r, 2)];
        v->controls.io_in_arena = io;
        v->controls.reuse_inputs = inputs;
        return;
    }
    for (const char *next = v->pipeline; (next = strstr(next, "reuse{")) != NULL; next++) {
        at = next;
    }
    if (at != NULL && rng_chance(r, 50) && strstr(v->pipeline, "fill-parts") == NULL) {
        v->pipeline =
            tn_arena_printf(arena, "%.*sfill-parts,%s", (int)(at - v->pipeline), v->pipeline, at);
    }
}

static void set_twice(variant *v, const char *which) {
    v->twice[0] = which;
    v->controls.double_buffer = (tn_names){v->twice, which != NULL ? 1 : 0, 0};
}

/* Drawn behind it. */
static void draw_twice(rng *r, variant *v) {
    if (rng_chance(r, 20)) {
        set_twice(v, pick(r, "inputs|outputs|all"));
    }
}

variant *variant_draw(tn_arena *arena, uint64_t seed, const tn_module *m) {
    rng r = {seed ^ 0x5eed};
    variant *v = TN_NEW(arena, variant);
    v->pipeline = draw_pipeline(&r, arena);
    v->controls = tn_controls_default();
    v->controls.align = (uint64_t[]){1, 4, 16, 64, 64}[rng_below(&r, 5)];
    v->controls.io_in_arena = rng_chance(&r, 25);
    v->controls.reuse_inputs = rng_chance(&r, 30);
    v->controls.keep_all = rng_chance(&r, 3);
    v->controls.skip_grads = rng_chance(&r, 15);
    v->controls.skip_param_grads = rng_chance(&r, 60);
    v->controls.optimize_train = rng_chance(&r, 95);
    v->controls.optimize_test = rng_chance(&r, 97);
    const char *name = rng_chance(&r, 20) ? draw_name(&r, m) : NULL;
    if (name != NULL) {
        v->exclude[0] = name;
        v->controls.exclude = (tn_names){v->exclude, 1, 0};
    }
    draw_concurrency(&r, v);
    draw_recompute(&r, v, arena);
    draw_inside(&r, arena, m, v);
    draw_pools(&r, v);
    draw_twice(&r, v);
    draw_rooms(&r, v, arena);
    return v;
}

void variant_print(const variant *v, tn_sink *out) {
    const tn_controls *c = &v->controls;
    tn_putf(out, "%s%s\n", pipeline_word, v->pipeline);
    tn_putf(out, "%salign=%llu io=%d inputs=%d all=%d grads=%d params=%d train=%d test=%d",
            controls_word, (unsigned long long)c->align, c->io_in_arena, c->reuse_inputs,
            c->keep_all, c->skip_grads, c->skip_param_grads, c->optimize_train, c->optimize_test);
    if (c->concurrency != TN_SERIAL) {
        tn_putf(out, " beside=%d queues=%u", c->concurrency, c->n_queues);
    }
    if (c->places.n_pools > 0) {
        tn_putf(out, " fast=%llu cost=%llu", (unsigned long long)v->pools[0].capacity,
                (unsigned long long)v->pools[1].cost);
    }
    if (c->channels_last) {
        tn_put(out, " last=1");
    }
    if (c->layout_of.len > 0) {
        tn_putf(out, " first=%.*s", (int)strcspn(v->first[0], "="), v->first[0]);
    }
    if (c->double_buffer.len > 0) {
        tn_putf(out, " twice=%s", v->twice[0]);
    }
    tn_putf(out, " exclude=%s\n", c->exclude.len > 0 ? c->exclude.data[0] : "");
}

/* The rest of the line that begins with `word`. */
static const char *line_of(tn_arena *arena, const char *text, const char *word) {
    const char *at = strstr(text, word);
    return at != NULL ? tn_arena_strndup(arena, at + strlen(word), strcspn(at + strlen(word), "\n"))
                      : NULL;
}

static uint64_t number_of(const char *line, const char *key) {
    const char *at = strstr(line, key);
    return at != NULL ? strtoull(at + strlen(key), NULL, 10) : 0;
}

variant *variant_read(tn_arena *arena, const char *text) {
    variant *v = TN_NEW(arena, variant);
    const char *line = line_of(arena, text, controls_word);
    v->pipeline = line_of(arena, text, pipeline_word);
    if (v->pipeline == NULL || line == NULL) {
        return NULL;
    }
    v->controls = tn_controls_default();
    v->controls.align = number_of(line, "align=");
    v->controls.io_in_arena = number_of(line, "io=") != 0;
    v->controls.reuse_inputs = number_of(line, "inputs=") != 0;
    v->controls.keep_all = number_of(line, "all=") != 0;
    v->controls.skip_grads = number_of(line, "grads=") != 0;
    v->controls.skip_param_grads = number_of(line, "params=") != 0;
    v->controls.optimize_train = number_of(line, "train=") != 0;
    v->controls.optimize_test = number_of(line, "test=") != 0;
    v->controls.concurrency = (tn_concurrency)number_of(line, "beside=");
    v->controls.n_queues = (uint32_t)number_of(line, "queues=");
    set_pools(v, number_of(line, "fast="), number_of(line, "cost="));
    v->controls.channels_last = number_of(line, "last=") != 0;
    const char *first = strstr(line, " first=v");
    if (first != NULL) {
        first += sizeof " first=" - 1;
        lay_first(arena, tn_arena_strndup(arena, first, strcspn(first, " ")), v);
    }
    const char *twice = strstr(line, " twice=");
    if (twice != NULL) {
        twice += sizeof " twice=" - 1;
        set_twice(v, tn_arena_strndup(arena, twice, strcspn(twice, " ")));
    }
    v->exclude[0] = strstr(line, "exclude=") != NULL ? strstr(line, "exclude=") + 8 : "";
    if (v->exclude[0][0] != '\0') {
        v->controls.exclude = (tn_names){v->exclude, 1, 0};
    }
    return v;
}
