/* Plug-ins that are wrong in one way each: HOW says which. Built and loaded by plugin.sh. */
#include <stdio.h>
#include <string.h>

#include "tenure/plugin.h"

/* Values of HOW. */
enum {
    OTHER_INTERFACE = 1,
    WITHOUT_NAME,
    FAILS_TO_START,
    SAYS_AN_ERROR,
    FAILS_SILENTLY,
    LEAVES_IT_MALFORMED,
    WRONG_ROW,
    WRONG_DEFAULT,
    TAKEN_NAME,
    WRONG_TYPE,
    FAILS_TO_READ,
    WRITES_ELSEWHERE,
    WRONG_FORMULA
};

static tenure_status run(tenure_pass_run *pass, void *user) {
    tenure_graph *g = tenure_model_graph(tenure_pass_model(pass), 0);
    tenure_op *op = tenure_graph_first(g);
    (void)user;
    if (HOW == SAYS_AN_ERROR) {
        tenure_report(tenure_pass_context(pass), TENURE_SEV_ERROR, op, "I do not like this one");
        return TENURE_ERROR;
    }
    if (HOW == LEAVES_IT_MALFORMED) { /* reads what is made only later */
        tenure_value *late = tenure_op_result(tenure_op_next(op), 0);
        return tenure_op_set_operand(op, 0, late);
    }
    return TENURE_ERROR;
}

static tenure_status infer(tenure_inference *inference, const tenure_op *op, void *user) {
    (void)op, (void)user;
    return tenure_infer_result(inference, 0, "f32[");
}

static int match(const void *data, size_t size, void *user) {
    (void)user;
    return size > 3 && memcmp(data, "bad", 3) == 0 ? 1 : 0;
}

static tenure_model *read(tenure_context *ctx, const char *path, const void *data, size_t size,
                          void *user) {
    (void)ctx, (void)path, (void)data, (void)size, (void)user;
    return NULL;
}

static tenure_status emit(tenure_emission *emission, const tenure_plan *plan,
                          const tenure_model *model, void *user) {
    (void)plan, (void)model, (void)user;
    return tenure_emission_write(emission, "../elsewhere", "x", 1);
}

static tenure_status start(tenure_context *ctx) {
    static const tenure_option_def options[] = {
        {"n", TENURE_OPTION_NUMBER, "many", NULL, "how many"}, {NULL, TENURE_OPTION_TEXT, 0, 0, 0}};
    static const tenure_pass_def pass = {.struct_size = sizeof pass,
                                         .name = HOW == TAKEN_NAME ? "reuse" : "bad",
                                         .summary = "is bad",
                                         .options = HOW == WRONG_DEFAULT ? options : NULL,
                                         .run = run};
    static const tenure_op_def op = {.struct_size = sizeof op,
                                     .domain = "acme",
                                     .name = "Odd",
                                     .signature = "X -> Y",
                                     .in_place = HOW == WRONG_ROW ? "Z over X (same)" : NULL,
                                     .shape = infer,
                                     .compute = HOW == WRONG_FORMULA ? "X * Z" : NULL};
    static const tenure_frontend_def frontend = {.struct_size = sizeof frontend,
                                                 .name = "bad",
                                                 .summary = "reads nothing",
                                                 .match = match,
                                                 .read = read};
    static const tenure_backend_def backend = {.struct_size = sizeof backend,
                                               .name = "bad",
                                               .summary = "writes elsewhere",
                                               .suffix = ".bad",
                                               .emit = emit};
    tenure_status status = HOW == FAILS_TO_START ? TENURE_ERROR : tenure_register_pass(ctx, &pass);
    status = status == TENURE_OK ? tenure_register_op(ctx, &op) : status;
    status = status == TENURE_OK ? tenure_register_backend(ctx, &backend) : status;
    return status == TENURE_OK ? tenure_register_frontend(ctx, &frontend) : status;
}

static const tenure_plugin plugin = {
    sizeof plugin, HOW == OTHER_INTERFACE ? TENURE_PLUGIN_INTERFACE + 1 : TENURE_PLUGIN_INTERFACE,
    HOW == WITHOUT_NAME ? NULL : "bad", "0", start};

TENURE_PLUGIN_EXPORT const tenure_plugin *tenure_plugin_info(void) {
    return &plugin;
}
