/* The bytes of constants as the plan has them: a binary image, C, or an assembler file around the
 * image; the latter two with a header that declares them. */
#include <inttypes.h>
#include <string.h>

#include "backends/core/plan_ids.h"
#include "backends/weights/weights_t.h"
#include "ir/base/diag.h"

enum { OPT_FORM, OPT_PREFIX, OPT_SECTION };
static const tn_opt options[] = {
    [OPT_FORM] =
        {"form", TN_OPT_ENUM, "auto", "auto|bin|c|asm",
         "a binary image, C, or assembler that includes the image; auto goes by the end of "
         "the file's name (.c, .S, .s, else bin)"},
    [OPT_PREFIX] = {"prefix", TN_OPT_TEXT, "", NULL,
                    "of names in C and assembler; the file's name, without _weights, when empty"},
    [OPT_SECTION] = {"section", TN_OPT_TEXT, "", NULL,
                     "linker section of the bytes in C and assembler; read-only data when empty"},
    {0}};

typedef enum form { FORM_BIN, FORM_C, FORM_ASM } form;

typedef struct writer {
    const tn_emission *e;
    tn_arena *arena;
    tn_image image;
    const char *symbol, *macro; /* prefixes, lower and upper case */
    const char *section;
    char layout[TN_LAYOUT_HEX];
    const char *header; /* file that declares the arrays */
    tn_plan_ids ids;
} writer;

static form form_of(const tn_emission *e) {
    const char *asked = tn_arg_text(e->args, OPT_FORM);
    const char *dot = strrchr(e->outlet->name, '.');
    const char *end = dot != NULL ? dot : "";
    bool is_auto = strcmp(asked, "auto") == 0;
    if (strcmp(asked, "c") == 0 || (is_auto && strcmp(end, ".c") == 0)) {
        return FORM_C;
    }
    bool is_asm = strcmp(end, ".S") == 0 || strcmp(end, ".s") == 0;
    return strcmp(asked, "asm") == 0 || (is_auto && is_asm) ? FORM_ASM : FORM_BIN;
}

/* A section name goes into C strings and assembler lines as it is. */
static tn_status accepts(const tn_plan *plan, const tn_backend_args *args) {
    static const char good[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._$";
    const char *section = tn_arg_text(args, OPT_SECTION);
    if (strspn(section, good) == strlen(section)) {
        return TN_OK;
    }
    return tn_usage(plan->ctx, NULL,
                    "weights: section '%s' is not made of letters, digits, '.', '_' and '$'",
                    section);
}

/* Writes a template: @S and @M stand for the prefixes, @L for the layout. */
static void put(const writer *w, tn_sink *out, const char *template) {
    for (const char *at; (at = strchr(template, '@')) != NULL; template = at + 2) {
        tn_put_n(out, template, (size_t)(at - template));
        tn_put(out, at[1] == 'S' ? w->symbol : at[1] == 'M' ? w->macro : w->layout);
    }
    tn_put(out, template);
}

static void put_banner(const writer *w, tn_sink *out) {
    tn_put(out, "/* Constants of ");
    tn_put_comment(out, w->e->plan->model[0] != '\0' ? w->e->plan->model : "a model without name");
    tn_put(out, ", made by tenure ");
    tn_put_comment(out, w->e->plan->version);
    tn_putf(out, ". Generated: do not edit.\n * digest of the plan: %s\n * layout: %s */\n",
            w->e->plan->digest[0] != '\0' ? w->e->plan->digest : "none", w->layout);
}

/* ---- the header ---- */

static const char declarations[] =
    "#ifndef @M_WEIGHTS_H\n"
    "#define @M_WEIGHTS_H\n\n"
    "#include <stddef.h>\n\n"
    "/* Constants lie where the plan says only if both are of one layout. */\n"
    "#define @M_WEIGHTS_LAYOUT 0x@Lull\n"
    "#ifdef @M_LAYOUT\n"
    "#if @M_LAYOUT != @M_WEIGHTS_LAYOUT\n"
    "#error \"the weights of @S were made for a plan of another layout: make both again\"\n"
    "#endif\n"
    "#endif\n\n"
    "#ifdef __cplusplus\n"
    "extern \"C\" {\n"
    "#endif\n\n";

static const tn_pool *pool_of(const writer *w, uint32_t i) {
    return &w->e->plan->pools[w->image.segments.data[i].pool];
}

/* "weights", or "weights_flash" where there are several pools of constants. */
static const char *array_name(const writer *w, uint32_t i) {
    return w->image.n_const == 1
               ? "weights"
               : tn_arena_printf(w->arena, "weights_%s",
                                 tn_lower(w->arena, w->ids.pools[w->image.segments.data[i].pool]));
}

static void put_pool(const writer *w, tn_sink *out, uint32_t i) {
    const tn_image_segment *s = &w->image.segments.data[i];
    const tn_pool *pool = pool_of(w, i);
    const char *name = array_name(w, i);
    const char *macro = tn_weights_name(w->arena, w->e->plan, w->macro, &w->ids, s->pool);
    tn_put(out, "/* The bytes of pool ");
    tn_put_comment(out, pool->name);
    put(w, out,
        ", read-only. The layout is part of the name: what does not fit does not link. */\n");
    tn_putf(out, "#define %s %s_%s_%s\n", macro, w->symbol, name, w->layout);
    tn_putf(out, "#define %s_SIZE %" PRIu64 "u\n#define %s_ALIGN %" PRIu64 "u\n", macro, s->size,
            macro, tn_pool_base(pool));
    tn_putf(out, "extern const unsigned char %s_%s_%s[];\n\n", w->symbol, name, w->layout);
}

static bool is_loaded(const tn_plan *p) {
    return p->n_ranges > 0 && !tn_shares_pools(p);
}

/* Where dimensions are open the offset is loaded from a layout of the plan's header. */
static void put_initial_row(const writer *w, tn_sink *out, const tn_image_segment *s,
                            const char *id) {
    if (is_loaded(w->e->plan)) {
        tn_putf(out, " \\\n    {%" PRIu32 "u, %s_OFF(layout, %s_%s)", s->pool, w->macro, w->macro,
                id);
    } else {
        tn_putf(out, " \\\n    {%" PRIu32 "u, %" PRIu64 "u", s->pool, s->offset);
    }
    tn_putf(out, ", %" PRIu64 "u, ", s->size);
}

static void put_initial_rows(const writer *w, tn_sink *out) {
    const tn_plan *p = w->e->plan;
    uint64_t from = 0;
    uint32_t n = w->image.segments.len - w->image.n_const;
    put(w, out,
        "/* What inputs and state hold before the first run, unless the caller gives other\n"
        " * values: copy `size` bytes from @M_INITIAL + `from` to byte `offset` of the pool\n"
        " * of that index. Rows of @M_INITIAL_ROWS: {pool, offset, size, from}. */\n");
    tn_putf(out, "#define %s_INITIALS %" PRIu32 "\n#define %s_INITIAL_ROWS%s {", w->macro, n,
            w->macro, is_loaded(p) ? "(layout)" : "");
    for (uint32_t i = w->image.n_const; i < w->image.segments.len; i++) {
        const tn_image_segment *s = &w->image.segments.data[i];
        tn_put(out, from > 0 ? "," : "");
        put_initial_row(w, out, s, w->ids.values[s->value]);
        tn_putf(out, "%" PRIu64 "u}", from);
        from += s->size;
    }
    put(w, out,
        "}\n#define @M_INITIAL @S_initial_@L\n"
        "extern const unsigned char @S_initial_@L[];\n\n");
}

static void put_header(const writer *w, tn_sink *out) {
    put_banner(w, out);
    put(w, out, declarations);
    for (uint32_t i = 0; i < w->image.n_const; i++) {
        put_pool(w, out, i);
    }
    if (w->image.segments.len > w->image.n_const) {
        put_initial_rows(w, out);
    }
    put(w, out, "#ifdef __cplusplus\n}\n#endif\n\n#endif /* @M_WEIGHTS_H */\n");
}

/* ---- C ---- */

/* Bytes as they come, as numbers of C. */
typedef struct hex_lines {
    tn_sink *out;
    uint64_t n;
} hex_lines;

static void put_hex_piece(void *user, const char *data, size_t len) {
    hex_lines *h = user;
    for (size_t i = 0; i < len; i++, h->n++) {
        static const char digits[] = "0123456789abcdef";
        unsigned char byte = (unsigned char)data[i];
        char text[6] = {h->n % 16 == 0 ? '\n' : ' ', '0', 'x', digits[byte >> 4],
                        digits[byte & 15],           ','};
        tn_put_n(h->out, text, sizeof text);
    }
}

/* Where the plan names a section for a pool of its own: copied ones stay with the others. */
static const char *own_section(const writer *w, uint32_t i) {
    bool own = i < w->image.n_const && w->section[0] == '\0' && !pool_of(w, i)->copied;
    return own ? pool_of(w, i)->section : NULL;
}

/* Defines the macro that puts an array where the plan says, if it says so. */
static const char *put_section(const writer *w, tn_sink *out, uint32_t i) {
    const char *section = own_section(w, i);
    if (section == NULL) {
        return tn_arena_printf(w->arena, "%s_WEIGHTS_SECTION", w->macro);
    }
    const char *id = w->ids.pools[w->image.segments.data[i].pool];
    const char *own = tn_arena_printf(w->arena, "%s_WEIGHTS_%s_SECTION", w->macro, id);
    tn_putf(out, "#ifndef %s\n#define %s __attribute__((section(\"%s\")))\n#endif\n", own, own,
            section);
    return own;
}

/* Segments [first, end), one behind the other. C has no empty arrays. */
static void put_array(const writer *w, tn_sink *out, const char *name, uint32_t first,
                      uint32_t end) {
    hex_lines lines = {out, 0};
    tn_sink hex = tn_sink_streamed(w->arena, (tn_drain){put_hex_piece, &lines});
    tn_putf(out, "%s %s_WEIGHTS_ALIGNED\n", put_section(w, out, first), w->macro);
    put(w, out, "const unsigned char ");
    tn_putf(out, "%s_%s_%s[] = {", w->symbol, name, w->layout);
    for (uint32_t i = first; i < end; i++) {
        tn_image_put(&w->image.segments.data[i], &hex);
    }
    tn_sink_flush(&hex);
    tn_put(out, lines.n == 0 ? "0};\n" : "\n};\n");
}

static const char alignments[] = "/* Define these before to override. */\n"
                                 "#ifndef @M_WEIGHTS_ALIGNED\n"
                                 "#if defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L\n"
                                 "#define @M_WEIGHTS_ALIGNED _Alignas(@A)\n"
                                 "#elif defined(__cplusplus)\n"
                                 "#define @M_WEIGHTS_ALIGNED alignas(@A)\n"
                                 "#else\n"
                                 "#define @M_WEIGHTS_ALIGNED __attribute__((aligned(@A)))\n"
                                 "#endif\n"
                                 "#endif\n"
                                 "#ifndef @M_WEIGHTS_SECTION\n";

static uint64_t pool_align(const writer *w) {
    uint64_t align = 1;
    for (uint32_t i = 0; i < w->image.n_const; i++) {
        uint64_t own = tn_pool_base(pool_of(w, i));
        align = own > align ? own : align;
    }
    return align;
}

static void put_alignments(const writer *w, tn_sink *out) {
    const char *text = alignments;
    for (const char *at; (at = strstr(text, "@A")) != NULL; text = at + 2) {
        put(w, out, tn_arena_strndup(w->arena, text, (size_t)(at - text)));
        tn_putf(out, "%" PRIu64, pool_align(w));
    }
    put(w, out, text);
    put(w, out, "#define @M_WEIGHTS_SECTION ");
    if (w->section[0] != '\0') {
        tn_putf(out, "__attribute__((section(\"%s\")))", w->section);
    }
    tn_put(out, "\n#endif\n\n");
}

static void put_c(const writer *w, tn_sink *out) {
    put_banner(w, out);
    tn_putf(out, "#include \"%s\"\n\n", w->header);
    put_alignments(w, out);
    for (uint32_t i = 0; i < w->image.n_const; i++) {
        put_array(w, out, array_name(w, i), i, i + 1);
    }
    if (w->image.segments.len > w->image.n_const) {
        put_array(w, out, "initial", w->image.n_const, w->image.segments.len);
    }
}

/* ---- assembler ---- */

static void put_label(const writer *w, tn_sink *out, const char *name) {
    tn_putf(out, "    .balign %" PRIu64 "\n    .globl SYMBOL(%s_%s_%s)\nSYMBOL(%s_%s_%s):\n",
            pool_align(w), w->symbol, name, w->layout, w->symbol, name, w->layout);
}

/* In the image a segment begins aligned; those outside the constants stand packed here. */
static void put_included(const writer *w, tn_sink *out, const char *file, uint32_t i) {
    tn_putf(out, "    .incbin \"%s\", %" PRIu64 ", %" PRIu64 "\n", file, tn_image_at(&w->image, i),
            w->image.segments.data[i].size);
}

static void put_asm(const writer *w, tn_sink *out, const char *file) {
    const tn_image *image = &w->image;
    put_banner(w, out);
    tn_put(out, "/* For the C preprocessor and the assembler of GNU and LLVM. */\n"
                "#if defined(__APPLE__)\n#define SYMBOL(name) _##name\n#else\n"
                "#define SYMBOL(name) name\n#endif\n"
                "#if defined(__ELF__)\n    .section ");
    tn_putf(out, "%s, \"a\"\n#else\n    .const_data\n#endif\n",
            w->section[0] != '\0' ? w->section : ".rodata");
    for (uint32_t i = 0; i < image->segments.len; i++) {
        if (own_section(w, i) != NULL) {
            tn_putf(out, "#if defined(__ELF__)\n    .section %s, \"a\"\n#endif\n",
                    own_section(w, i));
        }
        if (i <= image->n_const) {
            put_label(w, out, i < image->n_const ? array_name(w, i) : "initial");
        }
        put_included(w, out, file, i);
    }
    tn_put(out, "#if defined(__linux__) && defined(__ELF__)\n"
                "    .section .note.GNU-stack, \"\", %progbits\n#endif\n");
}

/* ---- the backend ---- */

/* Of bytes as C: five characters each, and compilers hold all of them. */
enum { LARGE_MIB = 64 };

static void warn_large(const writer *w) {
    uint64_t bytes = 0;
    const tn_plan *p = w->e->plan;
    for (uint32_t i = 0; i < p->n_pools; i++) {
        bytes += p->pools[i].kind == TN_POOL_CONST ? p->pools[i].size : 0;
    }
    if (bytes >> 20 > LARGE_MIB) {
        tn_loc loc = tn_loc_file(w->e->outlet->name);
        tn_warn(p->ctx, &loc,
                "%llu bytes of constants become a C array of about five times as much text, which "
                "compilers may not manage: form=asm (weights=asm of c-program) includes them from "
                "a binary image",
                (unsigned long long)bytes);
    }
}

/* net.c and net_weights.c both go with net_weights.h: net.h may be the plan's. */
static bool ends_in_weights(const char *file) {
    static const char end[] = "_weights";
    enum { LEN = sizeof end - 1 };
    const char *dot = strrchr(file, '.');
    size_t len = dot != NULL ? (size_t)(dot - file) : strlen(file);
    return len > LEN && memcmp(file + len - LEN, end, LEN) == 0;
}

static tn_status put_form(writer *w, form as) {
    if (as == FORM_BIN) {
        tn_image_put_bin(&w->image, w->e->out);
        return TN_OK;
    }
    const char *file;
    bool named = ends_in_weights(w->e->outlet->name);
    tn_sink *header = tn_emission_open(w->e, w->arena, named ? ".h" : "_weights.h", &w->header);
    if (header == NULL) {
        return TN_USAGE;
    }
    put_header(w, header);
    if (as == FORM_C) {
        warn_large(w);
        put_c(w, w->e->out);
        return TN_OK;
    }
    tn_sink *bin = tn_emission_open(w->e, w->arena, ".bin", &file);
    if (bin == NULL) {
        return TN_USAGE;
    }
    tn_image_put_bin(&w->image, bin);
    put_asm(w, w->e->out, file);
    return TN_OK;
}

/* Of several programs there is no function that knows the layouts of all. */
static tn_status demand_places(const writer *w) {
    const tn_plan *first = w->e->plan;
    for (uint32_t i = w->image.n_const; i < w->image.segments.len && tn_shares_pools(first); i++) {
        for (uint32_t k = 0; k < tn_plan_count(first); k++) {
            const tn_plan *p = tn_plan_at(first, k);
            if (p->n_ranges > 0 && p->pools[w->image.segments.data[i].pool].size > 0) {
                return tn_error(p->ctx, NULL,
                                "weights: what inputs or state of program '%s' hold before the "
                                "first run has no place for all extents, as dimension '%s' is "
                                "open; bind it, as in --dim '%s/%s=16'",
                                tn_plan_program_of(p)->name, p->ranges[0].name,
                                tn_plan_program_of(p)->name, p->ranges[0].name);
            }
        }
    }
    return TN_OK;
}

static tn_status emit(const tn_emission *e) {
    writer w = {.e = e, .arena = tn_arena_new(e->plan->ctx)};
    w.section = tn_arg_text(e->args, OPT_SECTION);
    const char *prefix =
        tn_artefact_prefix(w.arena, e, tn_arg_text(e->args, OPT_PREFIX), "_weights");
    w.symbol = tn_lower(w.arena, prefix);
    w.macro = tn_upper(w.arena, prefix);
    tn_plan_layout(e->plan, w.layout);
    w.ids = tn_plan_ids_make(w.arena, e->plan, w.macro, TN_LONGEST_MACRO);
    tn_status status = tn_image_collect(w.arena, e->plan, e->model, &w.image);
    if (status == TN_OK) {
        status = demand_places(&w);
    }
    if (status == TN_OK) {
        status = put_form(&w, form_of(e));
    }
    tn_arena_drop(w.arena);
    return status;
}

const tn_backend tn_backend_weights = {
    .name = "weights",
    .summary = "the bytes of constants, as planned: binary image, C or assembler",
    .suffix = ".bin",
    .options = options,
    .accepts = accepts,
    .emit = emit,
    .takes_sets = true,
    .takes_open = true,
    .needs_model = true,
};
