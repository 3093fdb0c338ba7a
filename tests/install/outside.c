/* A program outside the project: plans a model and prints the size of its arena. */
#include <stdio.h>
#include <tenure/tenure.h>

int main(int argc, char **argv) {
    tenure_context *ctx = tenure_context_new(NULL);
    tenure_model *model = argc > 1 ? tenure_load_file(ctx, argv[1], NULL) : NULL;
    tenure_plan *plan = NULL;
    tenure_status status = model != NULL ? tenure_plan_make(model, NULL, &plan) : TENURE_ERROR;
    if (status == TENURE_OK && tenure_version_ok())
        printf("%llu\n", (unsigned long long)tenure_plan_arena_size(plan));
    tenure_context_free(ctx);
    return status;
}
