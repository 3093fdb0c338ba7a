#include "frontends/core/foreign.h"

#include <string.h>

#define FROM_TORCH "export the PyTorch model with torch.onnx.export"
#define FROM_KERAS "convert it with `python -m tf2onnx.convert`"
#define UNPACK "unpack it first"

typedef struct magic {
    const char *bytes;
    tn_foreign is;
} magic;

/* FlatBuffers have their form's name behind a small number of four bytes. */
static const magic flatbuffers[] = {
    {"ORTM",
     {"a model in ONNX Runtime's own format (.ort)", "give the ONNX model it was made from"}},
    {"ET1", {"an ExecuTorch program (.pte)", FROM_TORCH}},
    {0}};

/* No ONNX model begins so: what would be its first field is none that ONNX has. */
static const magic magics[] = {
    {"\x89HDF\r\n\x1a\n", {"an HDF5 file, as Keras writes", FROM_KERAS}},
    {"\x93NUMPY", {"a NumPy array", "give the model that it belongs to"}},
    {"GGUF", {"weights in GGUF form", "export the model they were made from to ONNX"}},
    {"7767517\n", {"an ncnn network", "give the ONNX model it was made from"}},
    {"\x1f\x8b", {"a file packed with gzip", UNPACK}},
    {"\xfd\x37zXZ", {"a file packed with xz", UNPACK}},
    {"BZh", {"a file packed with bzip2", UNPACK}},
    {"\x28\xb5\x2f\xfd", {"a file packed with zstd", UNPACK}},
    {"7z\xbc\xaf\x27", {"a file packed with 7-Zip", UNPACK}},
    {"version https://git-lfs",
     {"the pointer that Git LFS keeps in place of a file", "fetch the file with `git lfs pull`"}},
    {"<!DOCTYPE", {"a web page", "download the model itself"}},
    {"<!doctype", {"a web page", "download the model itself"}},
    {"<html", {"a web page", "download the model itself"}},
    {"ir_version:", {"an ONNX model as text", "save it in binary form with onnx.save"}},
    {"<\n", {"an ONNX model as text", "save it in binary form with onnx.save"}},
    {"module @", {"MLIR text", "give an ONNX model"}},
    {"module {", {"MLIR text", "give an ONNX model"}},
    {0}};

static bool begins(tn_bytes b, const char *with) {
    size_t n = strlen(with);
    return b.size >= n && memcmp(b.data, with, n) == 0;
}

static tn_bytes behind(tn_bytes b, size_t n) {
    return n < b.size ? (tn_bytes){b.data + n, b.size - n} : (tn_bytes){0};
}

static tn_foreign of_magic(tn_bytes b, const magic *table) {
    while (table->bytes != NULL && !begins(b, table->bytes)) {
        table++;
    }
    return table->is;
}

/* Whether the beginning of the file has the text. */
static bool shows(tn_bytes b, const char *text) {
    enum { LOOKED_AT = 4096 };
    size_t n = strlen(text), end = b.size < LOOKED_AT ? b.size : LOOKED_AT;
    for (size_t i = 0; i + n <= end; i++) {
        if (memcmp(b.data + i, text, n) == 0) {
            return true;
        }
    }
    return false;
}

static tn_foreign of_zip(tn_bytes b) {
    if (shows(b, ".pkl") || shows(b, "/byteorder") || shows(b, "/.format_version")) {
        return (tn_foreign){"a PyTorch archive, as torch.save writes", FROM_TORCH};
    }
    if (shows(b, ".npy")) {
        return (tn_foreign){"an archive of NumPy arrays (.npz)",
                            "give the model that they belong to"};
    }
    if (shows(b, "metadata.json") || shows(b, "model.weights.h5")) {
        return (tn_foreign){"a Keras model (.keras)", FROM_KERAS};
    }
    return (tn_foreign){"a zip archive", UNPACK};
}

static tn_foreign of_json(tn_bytes b) {
    if (shows(b, "\"tenure\"")) {
        return (tn_foreign){"a plan of tenure",
                            "give the model, as in `tenure check MODEL PLAN.json`"};
    }
    if (shows(b, "\"tenure_project\"")) {
        return (tn_foreign){"a project file of tenure", "give it with --project"};
    }
    return (tn_foreign){"JSON", "give an ONNX model in binary form"};
}

/* Whether a length stands at `at`, and a message behind it that begins with a text or a message. */
static bool has_message(tn_bytes b, size_t at) {
    size_t most = at + 4;
    while (at < most && at < b.size && b.data[at] >= 0x80) {
        at++;
    }
    return at + 1 < b.size && b.data[at] != 0 && b.data[at + 1] == 0x0a;
}

/* Field 1 is a number in ONNX, and field 2 a name. */
static tn_foreign of_protobuf(const char *path, tn_bytes b) {
    const char *dot = strrchr(path, '.');
    bool versioned = b.size > 3 && b.data[0] == 0x08 && b.data[1] < 0x80 && b.data[2] == 0x12;
    if (versioned && has_message(b, 3) && dot != NULL && strcmp(dot, ".mlmodel") == 0) {
        return (tn_foreign){"a Core ML model", "give the ONNX model it was made from"};
    }
    if (versioned && has_message(b, 3) && b.data[1] == 1) {
        return (tn_foreign){
            "a TensorFlow SavedModel",
            "convert it with `python -m tf2onnx.convert --saved-model FOLDER --output MODEL.onnx`"};
    }
    if (b.data[0] == 0x0a && has_message(b, 1)) {
        return (tn_foreign){"a graph without a model",
                            "convert a TensorFlow GraphDef with `python -m tf2onnx.convert "
                            "--graphdef FILE`, put an ONNX graph into a model"};
    }
    return (tn_foreign){0};
}

/* The file without blanks, and without a byte order mark, in front. */
static tn_bytes text_of(tn_bytes b) {
    size_t at = begins(b, "\xef\xbb\xbf") ? 3 : 0;
    while (at < b.size && memchr(" \t\r\n", b.data[at], 4) != NULL) {
        at++;
    }
    return behind(b, at);
}

static tn_foreign of_text(tn_bytes b) {
    if (begins(b, "{")) {
        return of_json(b);
    }
    if (begins(b, "<?xml") || begins(b, "<net")) {
        return shows(b, "<net")
                   ? (tn_foreign){"an OpenVINO model", "give the ONNX model it was made from"}
                   : (tn_foreign){"XML", "give an ONNX model"};
    }
    return (tn_foreign){0};
}

tn_foreign tn_foreign_of(const char *path, tn_bytes b) {
    bool flat = b.size > 8 && b.data[2] == 0 && b.data[3] == 0;
    tn_foreign found = of_magic(flat ? behind(b, 4) : b, flat ? flatbuffers : magics);
    if (found.what != NULL) {
        return found;
    }
    if (begins(b, "PK\x03\x04")) {
        return of_zip(b);
    }
    if (b.size > 1 && b.data[0] == 0x80 && b.data[1] >= 2 && b.data[1] <= 5) {
        return (tn_foreign){"a Python pickle, as torch.save writes", FROM_TORCH};
    }
    if (b.size > 9 && b.data[8] == '{' && memcmp(b.data + 4, "\0\0\0\0", 4) == 0) {
        return (tn_foreign){"weights in safetensors form",
                            "export the model they belong to to ONNX"};
    }
    tn_foreign text = of_text(text_of(b));
    return text.what != NULL || b.size == 0 ? text : of_protobuf(path, b);
}
