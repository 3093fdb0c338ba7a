/* Examples of --help and of the man pages. A test runs them all. */
#include <string.h>

#include "cli/cli.h"

typedef struct example {
    const char *command, *line, *what;
} example;

static const example examples[] = {
    {"plan", "model.onnx", "what it takes, how good the plan is"},
    {"plan", "bert.onnx --dim batch=1 --dim sequence=128", "bind what the file leaves open"},
    {"plan", "model.onnx --preset=mcu --emit=c-program -o net.c",
     "C that runs it, and its weights"},
    {"plan", "model.onnx -O3 --emit=json -o plan.json --emit=html -o plan.html", "two artefacts"},
    {"plan", "model.onnx -q --capacity=8M", "exit code 4 where the arena is larger"},
    {"opt", "model.onnx -o model.tir", "the graph as text, with what the passes found out"},
    {"opt", "model.onnx --passes='schedule{order=min-peak}' -o ordered.onnx",
     "the nodes in another order"},
    {"opt", "model.onnx -O3 --print-plan", "the plan as text"},
    {"explain", "model.onnx", "each step, the peak, and advice"},
    {"explain", "model.onnx 'conv*'", "what shares bytes with these tensors"},
    {"explain", "plan.json 'conv*'", "the same of a plan that is there"},
    {"fit", "model.onnx --ram=64M --emit=c-program -o net.c", "a program that needs no more RAM"},
    {"fit", "model.onnx --ram=64M --flash=512M --ops=+30% --report=fit.html",
     "all that was tried, as a page"},
    {"check", "model.onnx plan.json", "prove a plan right"},
    {"check", "planned.onnx", "the plan in the model's metadata"},
    {"check", "model.onnx plan.json --capacity=8M", "and that it fits"},
    {"diff", "before.json after.json", "what moved, what grew, and why"},
    {"dims", "bert.onnx", "what is open, and numbers for it"},
    {"pack", "instance.csv -o packed.csv", "offsets for buffers of any origin"},
    {"pack", "instance.csv --capacity=1M -q -o packed.csv", "exit code 4 where they do not fit"},
    {"man", "plan", "the manual page of a command"},
    {"completion", "bash > tenure.bash", "then: source tenure.bash"},
    {0}};

bool tn_cli_example(const char *command, int index, const char **line, const char **what) {
    for (const example *e = examples; e->command != NULL; e++) {
        if (strcmp(e->command, command) == 0 && index-- == 0) {
            *line = e->line;
            *what = e->what;
            return true;
        }
    }
    return false;
}
