/* Tensors stored in files beside the model. The location text is hostile: it may name nothing
 * outside the model's folder, not through "..", not absolutely and not through symbolic links. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/onnx/import_t.h"
#include "ir/base/xmath.h"
#include "ir/os/os.h"

/* A file of weights, opened once. */
typedef struct weights {
    bool present;
    tn_bytes bytes;
} weights;

static bool climbs(const char *path) {
    for (const char *p = path; *p != '\0';) {
        size_t n = strcspn(p, "/\\");
        if (n == 2 && p[0] == '.' && p[1] == '.') {
            return true;
        }
        p += n + (p[n] != '\0');
    }
    return false;
}

/* Links are followed on both sides: a model that is itself a link (into a download cache, say) may
 * use weights of the folder it really lies in. */
static bool is_beside(tn_onnx *imp, const char *real) {
    const char *model = imp->src.file;
    const char *real_model = tn_file_real(imp->arena, model);
    const char *folder = tn_file_real(imp->arena, tn_file_folder(imp->arena, model));
    return (folder != NULL && tn_os_is_inside(real, folder)) ||
           (real_model != NULL && tn_os_is_inside(real, tn_file_folder(imp->arena, real_model)));
}

static const weights *open_weights(tn_onnx *imp, const tn_loc *loc, const char *location,
                                   const char *name) {
    const weights *known =
        (const weights *)(uintptr_t)tn_map_or(&imp->weights_files, tn_str_id(location), 0);
    if (known != NULL) {
        return known;
    }
    if (location[0] == '\0') {
        tn_fail(imp->ctx, loc, "tensor '%s' lies in another file, but no file is named", name);
    }
    if (tn_os_is_absolute(location) || location[0] == '\\' || climbs(location)) {
        tn_fail(imp->ctx, loc, "tensor '%s' lies in '%s', outside the folder of the model", name,
                location);
    }
    const char *path =
        tn_arena_printf(imp->arena, "%s/%s", tn_file_folder(imp->arena, imp->src.file), location);
    weights *w = TN_NEW(imp->arena, weights);
    const char *real = tn_file_real(imp->arena, path);
    if (real != NULL && !is_beside(imp, real)) {
        tn_fail(imp->ctx, loc,
                "tensor '%s' lies in '%s', a link to '%s' outside the folder of the "
                "model",
                name, location, real);
    }
    if (real != NULL && tn_file_is_regular(real)) {
        tn_status status = tn_file_map(imp->m->arena, real, &w->bytes);
        if (status != TN_OK) {
            tn_reraise(imp->ctx, status);
        }
        w->present = true;
    }
    tn_map_put(&imp->weights_files, tn_str_id(location), (uint64_t)(uintptr_t)w);
    return w;
}

static uint64_t number(tn_onnx *imp, const tn_loc *loc, const char *key, const char *text,
                       const char *name) {
    char *end = NULL;
    errno = 0;
    unsigned long long v = text[0] >= '0' && text[0] <= '9' ? strtoull(text, &end, 10) : 0;
    if (end == NULL || *end != '\0' || errno != 0) {
        tn_fail(imp->ctx, loc, "tensor '%s' has external %s '%s', which is not a number of bytes",
                name, key, text);
    }
    return v;
}

bool tn_onnx_external(tn_onnx *imp, const tn_loc *loc, const Onnx__TensorProto *proto,
                      const char *name, tn_tensor *t, tn_bytes *out) {
    const char *location = "";
    bool has_length = false;
    for (size_t i = 0; i < proto->n_external_data; i++) {
        const char *key = tn_proto_text(proto->external_data[i]->key);
        const char *value = tn_proto_text(proto->external_data[i]->value);
        if (strcmp(key, "location") == 0) {
            location = value;
        } else if (strcmp(key, "offset") == 0) {
            t->ext_offset = number(imp, loc, key, value, name);
        } else if (strcmp(key, "length") == 0) {
            t->ext_length = number(imp, loc, key, value, name);
            has_length = true;
        }
    }
    t->external = tn_onnx_name(imp, location);
    const weights *w = open_weights(imp, loc, t->external, name);
    uint64_t end;
    if (w->present && (!tn_add_u64(t->ext_offset, t->ext_length, &end) || end > w->bytes.size)) {
        tn_fail(imp->ctx, loc, "tensor '%s' lies at bytes %llu to %llu of '%s', which has %zu",
                name, (unsigned long long)t->ext_offset,
                (unsigned long long)(t->ext_offset + t->ext_length), t->external, w->bytes.size);
    }
    if (!w->present) {
        t->ext_length = has_length ? t->ext_length : t->bytes;
        return false;
    }
    if (!has_length) {
        /* Without a length the data goes on to the end of the file or holds just this tensor. */
        uint64_t left = w->bytes.size - t->ext_offset;
        t->ext_length = t->dtype != TN_DT_UNKNOWN && t->bytes < left ? t->bytes : left;
    }
    out->data = w->bytes.data + t->ext_offset;
    out->size = (size_t)t->ext_length;
    return true;
}
