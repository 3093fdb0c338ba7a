/* tenure_kernels.h: types and a prototype for each operator of the op table in each version. */
#include <stdlib.h>

#include "backends/core/emit.h"
#include "backends/core/kernel.h"

static const char head[] =
    "/* Kernels of ONNX operators, as programs that tenure writes call them (docs/PROGRAM.md).\n"
    " * Generated from tenure's table of operators; the same file for every program.\n"
    " *\n"
    " * A program calls tenure_<Op>_<version>, where <version> is that of the operator set in\n"
    " * which the operator got its present definition; operators of other domains have the\n"
    " * domain in front of the name. Kernels are written by whoever runs the program: what is\n"
    " * missing does not link. A kernel gets\n"
    " *\n"
    " *   attributes  with all defaults filled in, where the operator has any: axes counted from\n"
    " *               the front, windows with kernel_shape, strides, dilations and pads for\n"
    " *               every axis and auto_pad NOTSET. Fields with a has_ field are 0 where the\n"
    " *               model leaves them out and the operator has no default; lists, texts and\n"
    " *               tensors are NULL then. Fields `of the operand` are its elements, where the\n"
    " *               plan rests on them; NULL where they are known only to the run\n"
    " *   operands    in the order of the operator's definition, NULL where one is left out\n"
    " *   results     likewise; the kernel writes all bytes of each\n"
    " *   context     what is not the operator's, see below\n"
    " *\n"
    " * and gives back 0, or another number to end the run. It writes nothing but the results and\n"
    " * the workspace. A result may lie where an operand does (the same `data`, or a part of it):\n"
    " * the program says at each call which, and in what way the kernel has to work then. */\n"
    "#ifndef TENURE_KERNELS_H\n"
    "#define TENURE_KERNELS_H\n"
    "#define TENURE_KERNELS_VERSION 1\n\n"
    "#include <stddef.h>\n"
    "#include <stdint.h>\n\n"
    "/* What extents are counted in. Programs with larger ones need\n"
    " * -DTENURE_DIM=int64_t for every file, kernels too. */\n"
    "#ifndef TENURE_DIM\n"
    "#define TENURE_DIM int32_t\n"
    "#endif\n"
    "typedef TENURE_DIM tenure_dim;\n\n"
    "/* A tensor: elements in row-major order, those of less than a byte packed, the first in\n"
    " * the lowest bits. With channels_last element (n, c, rest...) lies where row-major order\n"
    " * has (n, rest..., c); dims stay (n, c, rest...). Steps with such an operand or result call\n"
    " * tenure_<Op>_<version>_nhwc, which the header of the program declares. */\n"
    "typedef struct tenure_tensor {\n"
    "    void *data;             /* read-only for operands. NULL for an operand of which only\n"
    "                               type and extents are read: its bytes may be gone */\n"
    "    const tenure_dim *dims; /* `rank` extents; never NULL */\n"
    "    size_t elements, bytes;\n"
    "    uint8_t rank;           /* 0: a scalar */\n"
    "    uint8_t dtype;          /* TENURE_DTYPE_F32 and so on */\n"
    "    uint8_t channels_last;  /* 0 or 1 */\n"
    "} tenure_tensor;\n\n"
    "typedef struct tenure_ints {\n"
    "    const int64_t *at; /* NULL: left out, or not known */\n"
    "    uint32_t count;\n"
    "} tenure_ints;\n\n"
    "typedef struct tenure_floats {\n"
    "    const float *at;\n"
    "    uint32_t count;\n"
    "} tenure_floats;\n\n"
    "typedef struct tenure_texts {\n"
    "    const char *const *at;\n"
    "    uint32_t count;\n"
    "} tenure_texts;\n\n"
    "typedef struct tenure_context {\n"
    "    void *user;             /* what the caller of the program gave */\n"
    "    void *workspace;        /* bytes for this call alone, as many as the plan has for the\n"
    "                               step; NULL when that is none */\n"
    "    size_t workspace_bytes;\n"
    "    uint32_t step;          /* of the plan */\n"
    "    const char *node;       /* its name in the model, maybe empty */\n"
    "    const char *way;        /* the way to do the work that the plan has chosen, of those "
    "that\n"
    "                               the kernels' facts name; else empty */\n"
    "    void *kept;             /* bytes of the step that stay from run to run, 0 before the\n"
    "                               first; NULL when there are none */\n"
    "    size_t kept_bytes;\n"
    "    tenure_dim *const *found; /* by result: where the kernel writes the extents that it "
    "finds\n"
    "                               out, by axis, and NULL where it finds none; NULL: it finds\n"
    "                               none at all. The extents in `dims` are the most there can be,\n"
    "                               and elements lie compact at the beginning of `data` */\n"
    "} tenure_context;\n\n";

static const char generic[] =
    "/* Attributes of operators that the table does not know, as the model has them. */\n"
    "typedef enum tenure_attribute_kind {\n"
    "    TENURE_ATTRIBUTE_INT,\n"
    "    TENURE_ATTRIBUTE_FLOAT,\n"
    "    TENURE_ATTRIBUTE_TEXT,\n"
    "    TENURE_ATTRIBUTE_INTS,\n"
    "    TENURE_ATTRIBUTE_FLOATS,\n"
    "    TENURE_ATTRIBUTE_TEXTS,\n"
    "    TENURE_ATTRIBUTE_TENSOR\n"
    "} tenure_attribute_kind;\n\n"
    "typedef struct tenure_attribute {\n"
    "    const char *name;\n"
    "    tenure_attribute_kind kind; /* says which of the fields below counts */\n"
    "    int64_t i;\n"
    "    float f;\n"
    "    const char *text;\n"
    "    tenure_ints ints;\n"
    "    tenure_floats floats;\n"
    "    tenure_texts texts;\n"
    "    const tenure_tensor *tensor;\n"
    "} tenure_attribute;\n\n"
    "/* Such an operator is called as tenure_<domain>_<Op>_<version of the operator set>; the\n"
    " * header of the program declares it. */\n"
    "typedef int tenure_generic(const tenure_attribute *attributes, uint32_t n_attributes,\n"
    "                           const tenure_tensor *const *operands, uint32_t n_operands,\n"
    "                           const tenure_tensor *const *results, uint32_t n_results,\n"
    "                           const tenure_context *context);\n\n"
    "/* Element types by their ONNX numbers. */\n";

static void put_dtypes(tn_arena *arena, tn_sink *out) {
    for (unsigned t = 1; t < TN_DT_COUNT; t++) {
        const char *name = tn_upper(arena, tn_dtype_get((tn_dtype)t)->name);
        tn_putf(out, "#ifndef TENURE_DTYPE_%s\n#define TENURE_DTYPE_%s %u\n#endif\n", name, name,
                t);
    }
}

static void put_versions(tn_arena *arena, tn_sink *out, const tn_op_info *info) {
    for (const char *at = info->versions; *at != '\0';) {
        char *end;
        tn_kernel k = tn_kernel_make(arena, info, strtoll(at, &end, 10));
        tn_kernel_put_struct(out, &k);
        tn_kernel_put_prototype(out, &k, "");
        tn_put(out, ";\n");
        at = end;
    }
}

void tn_put_kernels_header(tn_arena *arena, tn_sink *out) {
    tn_put(out, head);
    tn_put(out, generic);
    put_dtypes(arena, out);
    tn_put(out, "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    for (unsigned i = 1; i < TN_OP_COUNT; i++) {
        const tn_op_info *info = tn_op_info_get((tn_opcode)i);
        if (tn_kernel_exists(info)) {
            tn_putf(out, "\n/* %s%s%s: %s. */\n", info->domain, info->domain[0] != '\0' ? "." : "",
                    info->name, info->doc);
            put_versions(arena, out, info);
        }
    }
    tn_put(out, "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
}
