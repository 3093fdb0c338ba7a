/* Weights images (docs/PLAN.md, "The bytes of constants"). */
#include <stdlib.h>
#include <string.h>

#include <tenure_cl_inside.h>

enum { HEAD = 112, ROW = 32, VERSION = 1 };

static uint64_t number(const unsigned char *at, unsigned bytes) {
    uint64_t n = 0;
    for (unsigned i = bytes; i > 0; i--) {
        n = n << 8 | at[i - 1];
    }
    return n;
}

/* Whether the 8 bytes are those that the 16 digits spell. */
static int is_layout(const unsigned char *at, const char *hex) {
    static const char digits[] = "0123456789abcdef";
    for (int i = 0; i < 16; i++) {
        if (digits[at[i / 2] >> (i % 2 == 0 ? 4 : 0) & 15] != hex[i]) {
            return 0;
        }
    }
    return 1;
}

static cl_int check(const tenure_cl *rt, const unsigned char *image, size_t size, char *why,
                    size_t why_size) {
    if (size < HEAD || memcmp(image, "TNWEIGHT", 8) != 0 || number(image + 8, 4) != VERSION) {
        return tenure_cl_fail(CL_INVALID_VALUE, why, why_size,
                              "this is no weights image of version %d", VERSION);
    }
    if (!is_layout(image + 96, rt->plan->layout)) {
        return tenure_cl_fail(
            CL_INVALID_VALUE, why, why_size,
            "the weights image is of another plan than %s (layout %s): make both again",
            rt->plan->model, rt->plan->layout);
    }
    uint64_t rows = number(image + 104, 4);
    for (uint64_t i = 0; i < rows; i++) {
        const unsigned char *row = image + HEAD + i * ROW;
        if (rows > (size - HEAD) / ROW || number(row + 24, 8) > size ||
            number(row + 16, 8) > size - number(row + 24, 8)) {
            return tenure_cl_fail(CL_INVALID_VALUE, why, why_size, "the weights image is cut off");
        }
    }
    return CL_SUCCESS;
}

/* What the segment has of the chunk. */
static cl_int load(tenure_cl *rt, cl_command_queue queue, const unsigned char *image,
                   const unsigned char *row, uint32_t chunk) {
    const tenure_cl_chunk *c = &rt->plan->chunks[chunk];
    uint64_t at = number(row + 8, 8), end = at + number(row + 16, 8);
    uint64_t first = at > c->at ? at : c->at;
    uint64_t last = end < c->at + c->size ? end : c->at + c->size;
    if (number(row, 8) != c->pool || first >= last) {
        return CL_SUCCESS;
    }
    const unsigned char *from = image + number(row + 24, 8) + (first - at);
    if (rt->host[chunk] != NULL) {
        memcpy(rt->host[chunk] + (first - c->at), from, (size_t)(last - first));
        return CL_SUCCESS;
    }
    return clEnqueueWriteBuffer(queue, rt->chunks[chunk], CL_TRUE, (size_t)(first - c->at),
                                (size_t)(last - first), from, 0, NULL, NULL);
}

static cl_int clear_kept(tenure_cl *rt, cl_command_queue queue, uint32_t step) {
    tenure_cl_list list = rt->plan->steps[step].workspace;
    cl_int err = CL_SUCCESS;
    for (uint32_t i = 0; i < list.len && err == CL_SUCCESS; i++) {
        const tenure_cl_workspace *w = &rt->plan->workspaces[list.at + i];
        void *zeros = w->kept ? calloc(1, (size_t)rt->plan->values[w->value].bytes + 1) : NULL;
        if (w->kept) {
            err =
                zeros != NULL ? tenure_cl_write(rt, queue, w->value, zeros) : CL_OUT_OF_HOST_MEMORY;
        }
        free(zeros);
    }
    return err;
}

cl_int tenure_cl_load(tenure_cl *rt, cl_command_queue queue, const void *image, size_t size,
                      char *why, size_t why_size) {
    const unsigned char *bytes = image;
    cl_int err = check(rt, bytes, size, why, why_size);
    err = err == CL_SUCCESS ? tenure_cl_settle(rt, queue, TENURE_CL_NONE) : err;
    for (uint64_t i = 0; err == CL_SUCCESS && i < number(bytes + 104, 4); i++) {
        for (uint32_t k = 0; err == CL_SUCCESS && k < rt->plan->n_chunks; k++) {
            err = load(rt, queue, bytes, bytes + HEAD + i * ROW, k);
            if (err != CL_SUCCESS) {
                tenure_cl_fail(err, why, why_size, "cannot write chunk %u", k);
            }
        }
    }
    for (uint32_t i = 0; err == CL_SUCCESS && i < rt->plan->n_steps; i++) {
        err = clear_kept(rt, queue, i);
        if (err != CL_SUCCESS) {
            tenure_cl_fail_at(rt, err, i, why, why_size, ": cannot clear what it keeps");
        }
    }
    return err;
}
