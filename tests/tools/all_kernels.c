/* Writes all kernels of the library as a program with that prefix holds them; a comment at the end
 * has a line for each file, with how many kernels are in it, and for what nothing uses. usage:
 *     all_kernels PREFIX */
#include <stdio.h>
#include <string.h>

#include "backends/core/emit.h"
#include "backends/kernels/library_t.h"

static const char *name_of(tn_arena *arena, const tn_library_item *item) {
    tn_c_reader r = tn_c_read(item->text), name = r;
    while (tn_c_next_word(&r) && !tn_c_is(&r, "(")) {
        name = r;
    }
    return tn_arena_strndup(arena, name.at, name.len);
}

static bool makes_functions(const tn_library_item *item) {
    return strncmp(item->text, "#define", strlen("#define")) == 0;
}

static void print_files(const tn_library *l) {
    for (uint32_t file = 0; file < l->files.len; file++) {
        unsigned kernels = 0;
        for (uint32_t i = 0; i < l->items.len; i++) {
            const tn_library_item *item = &l->items.data[i];
            kernels += item->file == file && item->kernel;
            if (item->file == file && !item->added && !makes_functions(item)) {
                printf("unused in %s: %.60s\n", l->files.data[file], item->text);
            }
        }
        printf("file %s: %u kernels\n", l->files.data[file], kernels);
    }
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fputs("usage: all_kernels PREFIX\n", stderr);
        return 2;
    }
    tn_ctx *ctx = tn_ctx_new(NULL);
    tn_arena *arena = tn_arena_new(ctx);
    tn_library *l = tn_library_make(arena, tn_upper(arena, argv[1]), argv[1]);
    for (uint32_t i = 0; i < l->items.len; i++) {
        if (l->items.data[i].kernel) {
            tn_library_add_function(l, name_of(arena, &l->items.data[i]));
        }
    }
    tn_library_add_function(l, "kernel_say_why");
    printf("#include \"tenure_kernels.h\"\n#include <math.h>\n#include <string.h>\n"
           "#define %s_MAYBE __attribute__((unused))\n#define %s_FENCE\n%s\n#if 0\n",
           l->macro, l->macro, tn_library_text(l));
    print_files(l);
    printf("#endif\n");
    tn_arena_drop(arena);
    tn_ctx_free(ctx);
    return 0;
}
