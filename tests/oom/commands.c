/* The n-th allocation fails, for every n (with sanitizers for those that paths.h chooses), in the
 * command itself: exit code 3, one message, no half of an artefact left behind, and nothing leaked
 * (the leak sanitizer sees to that where it is built in). The command's own main runs here, once a
 * process, and asks for memory through the realloc below (linked with --wrap).
 * tests/unit/test_oom.c has the same for the library. */
#define _XOPEN_SOURCE 700
#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/oom/paths.h"

int tenure_main(int argc, char **argv); /* cli/main.c */

/* ---- allocations ---- */

static long fail_at = -1, asked; /* where it fails: each is counted; -1: never, and each is noted */

void *__real_realloc(void *p, size_t size);
void *__wrap_realloc(void *p, size_t size);
void *__wrap_realloc(void *p, size_t size) {
    if (fail_at < 0) {
        oom_note();
        return __real_realloc(p, size);
    }
    return asked++ == fail_at ? NULL : __real_realloc(p, size);
}

/* ---- commands ---- */

#define CORPUS TENURE_SOURCE "/tests/fuzz/corpus/"
#define INPUTS TENURE_SOURCE "/tests/text/passes/Inputs/"
#define ONNX(name) CORPUS "onnx/" name ".onnx"
#define ALL_KINDS                                                                                  \
    "--emit=c-header", "-o", "plan.h", "--emit=opencl,mode=offsets", "-o", "plan_cl.h",            \
        "--emit=json", "-o", "plan.json", "--emit=opencl-json,mode=offsets", "-o", "plan_cl.json", \
        "--emit=csv", "-o", "plan.csv", "--emit=text", "-o", "plan.txt", "--emit=svg", "-o",       \
        "plan.svg", "--emit=html", "-o", "plan.html", "--emit=perfetto", "-o", "plan.trace.json"

enum { MAX_ARGS = 40 };
/* In the folder of their output; ../given.json is a plan of loop.onnx, ../planned.onnx that model
 * with another in it, ../project.json a project. */
static const char *const commands[][MAX_ARGS] = {
    {"plan", ONNX("chain"), "-O3", "--dim", "n=32", ALL_KINDS},
    {"plan", ONNX("loop"), "-O2", "--align=128", ALL_KINDS},
    {"plan", ONNX("loop"), "--emit=weights", "-o", "w.c", "--emit=weights", "-o", "v.S"},
    {"plan", ONNX("odds"), "--emit=json"}, /* external data, sequences */
    {"plan", ONNX("training_info"), "--graph=initialization", "--emit=text", "-o", "init.txt"},
    {"plan", ONNX("chain"), "-O3", "--dim", "n=32", "--layout-of=*=nhwc", "--overlap=pixels",
     "--emit=json", "-o", "plan.json"},
    {"plan", ONNX("chain"), "-O3", "--dim", "n=32", "--overlap=elements", "--pool=fast:1K",
     "--pool=slow:cost=4", "--emit=json", "-o", "plan.json"},
    {"plan", ONNX("training_info"), "-O3", "--pool=kept:state:copied:section=host",
     "--pool=few:16:state:cost=2", "--emit=json", "-o", "plan.json", "--emit=opencl", "-o",
     "plan_cl.c"},
    {"plan", ONNX("training"), "-O3", "--schedule=min-peak", "--emit=json", "-o", "plan.json"},
    {"plan", ONNX("function"), "-O3", "--memory=slots", "--schedule=kahn", "--emit=text"},
    {"plan", ONNX("chain"), "--dim", "n=4", "--capacity=1G", "--exclude=b", "--reuse-inputs",
     "--stats", "--time-passes"},
    {"plan", ONNX("branches"), "--io=arena", "--double-buffer=inputs", "--double-buffer=\"y*\"",
     "--emit=json", "-o", "twice.json", "--emit=opencl", "-o", "twice_cl.c"},
    {"plan", CORPUS "../../text/open/Inputs/cache.tir", "--open", "--dim=total=past+seq",
     "--emit=json", "-o", "plan.json", "--emit=c-header", "-o", "net.h"},
    {"plan", CORPUS "../../text/data/Inputs/nonzero.tir", "--emit=c-program", "-o", "net.c",
     "--emit=json", "-o", "plan.json"},
    {"plan", CORPUS "../../text/plan/Inputs/stored.tir", "--tile=60%", "--emit=json", "-o",
     "plan.json"},
    {"plan", CORPUS "../../text/plan/Inputs/stripes.tir", "--tile=0-3:2/2u", "--emit=json", "-o",
     "plan.json"},
    {"opt", ONNX("scan"), "--passes=infer-shapes,schedule{order=min-peak},inplace", "-o", "o.tir"},
    {"opt", ONNX("branches"), "--passes=O3", "--print-after-all", "--verify-each"},
    {"explain", ONNX("chain"), "--dim", "n=4", "--no-advice"},
    {"explain", ONNX("branches"), "--json", "--no-changes", "--pool=fast:64", "--pool=slow:cost=4"},
    {"fit", ONNX("branches"), "--ram=60", "--allow=align,spill", "--slow=1K", "--emit=json", "-o",
     "plan.json"},
    {"fit", INPUTS "conv.tir", "--ram=1M", "--emit=c-program,weights=none", "-o", "net.c",
     "--report=fit.html", "--save-project=fitted.json"},
    {"fit", ONNX("chain"), "--dim", "n=4", "--ram=384", "--allow=align", "--report=fit.json"},
    {"check", ONNX("loop"), "../given.json"},
    {"plan", ONNX("loop"), "-O3", "--io=arena", "--overlap=rows", "--based-on=../given.json",
     "--emit=json", "-o", "near.json"},
    {"plan", ONNX("loop"), "--concurrency=dataflow", "--emit=json", "-o", "plan.json"},
    {"plan", ONNX("branches"), "-O3", "--queues=2", "--emit=text", "-o", "plan.txt"},
    {"plan", ONNX("branches"), "-O3", "--queues=2", "--pool=fast:64", "--pool=slow:cost=4",
     "--emit=json", "-o", "plan.json"},
    {"diff", "../given.json", "../other.json", "-o", "diff.txt"},
    {"diff", "../given.json", "../other.json", "--format=html", "-o", "diff.html"},
    {"diff", "../given.json", "../other.json", "--format=json", "-o", "diff.json"},
    {"plan", ONNX("training_info"), "-O3", "--emit=onnx", "-o", "planned.onnx"},
    {"plan", "../planned.onnx", "--from-annotations", "--emit=onnx", "-o", "again.onnx"},
    {"opt", ONNX("branches"), "--passes=schedule{order=kahn}", "-o", "ordered.onnx"},
    {"opt", CORPUS "tir/function.tir", "--emit=onnx"},
    {"opt", INPUTS "two_layers.tir",
     "--passes=autodiff{loss=\"mse(s)\",optimizer=adam,accumulate=2}", "-o", "training.tir"},
    {"plan", ONNX("training_info"), "--passes=autodiff{loss=y,seed=input},O2", "--emit=text", "-o",
     "plan.txt"},
    {"opt", INPUTS "flow.tir", "--passes=autodiff{loss=\"mse(y)\"}", "-o", "training.tir"},
    {"opt", INPUTS "rounding.tir", "--passes=autodiff{loss=\"mse(y)\",rounding=straight-through}",
     "-o", "training.tir"},
    {"dims", ONNX("chain")},
    {"plan", CORPUS "tflite/chain.tflite", "--preset=tflm", "-o", "planned.tflite"},
    {"plan", CORPUS "tflite/variables.tflite", "--preset=tflm", "-o", "planned.tflite"},
    {"plan", INPUTS "conv.tir", "--op-facts", INPUTS "ways.json", "--op-facts",
     CORPUS "facts/fused.json", "--emit=json", "-o", "plan.json"},
    {"plan", CORPUS "../../text/plan/Inputs/own.tir", "--op-facts", CORPUS "facts/formula.json",
     "--emit=c-program,weights=none", "-o", "net.c"},
    {"plan", "--project", CORPUS "project/seed1.json", "--dim", "n=8", "-O2", "--preset=mcu",
     "--emit=json", "-o", "plan.json", "--print-project"},
    {"explain", "--project", "../project.json", "b"},
    {"explain", INPUTS "conv.tir", "--no-changes", "--advice-steps=0"},
    {"explain", "../given.json", "--json"},
    {"explain", INPUTS "../../explain/Inputs/weights.tir", "--no-changes", "--advice-steps=20"},
    {"--list-options=schema"},
    {"pack", CORPUS "csv/seed1.csv", "-o", "packed.csv"},
    {"pack", CORPUS "csv/seed0.csv", "--effort=2"},
    {"plan", "--help"},
    {"man", "plan"},
    {"completion", "words", "--", "plan", "--emit=svg,"},
    {"plan", CORPUS "tir/function.tir", "--diagnostics=json"},
    {"--list-ops=md"},
    {"--list-passes"},
};
enum { N_COMMANDS = sizeof commands / sizeof commands[0] };

/* ---- runs ---- */

static bool redirect(const char *path, int to) {
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    return fd >= 0 && dup2(fd, to) == to && close(fd) == 0;
}

/* In the child. What was noted goes home through a file, for exit takes no more than a number. */
static int run_here(const char *const *command) {
    char *argv[MAX_ARGS + 2] = {strdup("tenure")};
    int argc = 1;
    for (; command[argc - 1] != NULL; argc++) {
        argv[argc] = strdup(command[argc - 1]);
    }
    if (!redirect("../stdout", 1) || !redirect("../stderr", 2)) {
        return 99;
    }
    int code = tenure_main(argc, argv);
    for (int i = 0; i < argc; i++) {
        free(argv[i]);
    }
    if (fail_at >= 0) {
        return code;
    }
    size_t n = (size_t)oom_n;
    FILE *file = fopen("../noted", "wb");
    bool good = file != NULL && fwrite(oom_ways, sizeof *oom_ways, n, file) == n;
    return file != NULL && fclose(file) == 0 && good ? code : 99;
}

/* Its exit code, -1 for a crash. */
static int run(const char *const *command, long n) {
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        fail_at = n, oom_n = 0;
        exit(run_here(command));
    }
    bool ended = child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status);
    return ended ? WEXITSTATUS(status) : -1;
}

/* What the run before noted. */
static bool read_noted(void) {
    FILE *file = fopen("../noted", "rb");
    oom_n = file != NULL ? (long)fread(oom_ways, sizeof *oom_ways, MOST_ALLOCATIONS, file) : 0;
    return file != NULL && fclose(file) == 0;
}

/* ---- what is left behind ---- */

static char *read_file(const char *path, size_t *size) {
    char *data = NULL;
    FILE *file = fopen(path, "rb");
    *size = 0;
    if (file != NULL && fseek(file, 0, SEEK_END) == 0) {
        long end = ftell(file);
        rewind(file);
        data = malloc((size_t)end + 1);
        *size = fread(data, 1, (size_t)end, file);
        data[*size] = '\0';
    }
    if (file != NULL) {
        fclose(file);
    }
    return data;
}

static bool same_files(const char *a, const char *b) {
    size_t n, m;
    char *x = read_file(a, &n), *y = read_file(b, &m);
    bool same = x != NULL && y != NULL && n == m && memcmp(x, y, n) == 0;
    free(x);
    free(y);
    return same;
}

/* Goes through the output; with `whole` each file must be the one of that name there, and goes. */
static bool sweep(const char *whole) {
    bool good = true;
    DIR *dir = opendir(".");
    for (struct dirent *e; dir != NULL && (e = readdir(dir)) != NULL;) {
        char path[600];
        if (e->d_name[0] == '.' && (e->d_name[1] == '\0' || strcmp(e->d_name, "..") == 0)) {
            continue;
        }
        snprintf(path, sizeof path, "%s/%s", whole != NULL ? whole : "../whole", e->d_name);
        if (whole == NULL) {
            good = rename(e->d_name, path) == 0 && good;
        } else {
            if (!same_files(e->d_name, path)) {
                printf("left behind, and not whole: %s\n", e->d_name);
                good = false;
            }
            unlink(e->d_name);
        }
    }
    closedir(dir);
    return good;
}

static bool said_once(void) {
    static const char text[] = "error: out of memory\n", json[] = "\"text\": \"out of memory\"\n";
    size_t size;
    char *said = read_file("../stderr", &size);
    const char *message = said != NULL && said[0] == '{' ? json : text;
    const char *first = said != NULL ? strstr(said, message) : NULL;
    bool once = first != NULL && strstr(first + 1, message) == NULL;
    free(said);
    return once;
}

static long runs; /* in which an allocation failed */

static bool check(const char *const *command) {
    int code = run(command, -1);
    bool good = code == 0 && read_noted() && sweep(NULL);
    for (long n = 0; good && n < oom_n; n++) {
        if (!oom_chosen(n)) {
            continue;
        }
        int failed = run(command, n);
        good = failed == 3 && said_once() && sweep("../whole");
        runs++;
        if (!good) {
            printf("allocation %ld: exit code %d\n", n, failed);
        }
    }
    if (!good) {
        size_t size;
        char *said = read_file("../stderr", &size);
        printf("%s %s: exit code %d without a failure, %ld allocations\n%s\n", command[0],
               command[1] != NULL ? command[1] : "", code, oom_n, said != NULL ? said : "");
        free(said);
    }
    return good;
}

/* Without artefacts, so that no file is written beside it. */
static bool write_project(void) {
    FILE *file = fopen("../project.json", "w");
    return file != NULL &&
           fprintf(file,
                   "{\"tenure_project\": 1, \"model\": \"%s\", \"options\": {\"dim\": {\"n\": 4}, "
                   "\"exclude\": [\"a\"]}, \"emit\": [{\"kind\": \"json\"}]}\n",
                   ONNX("chain")) > 0 &&
           fclose(file) == 0;
}

static int check_all(void) {
    static const char *const given[] = {"plan", ONNX("loop"),    "--emit=json",
                                        "-o",   "../given.json", NULL};
    static const char *const other[] = {"plan", ONNX("loop"),    "-O0", "--emit=json",
                                        "-o",   "../other.json", NULL};
    static const char *const planned[] = {"plan", ONNX("loop"),      "-O3", "--emit=onnx",
                                          "-o",   "../planned.onnx", NULL};
    long total = 0;
    int failed =
        run(given, -1) != 0 || run(other, -1) != 0 || run(planned, -1) != 0 || !write_project();
    for (size_t i = 0; i < N_COMMANDS; i++) {
        failed += !check(commands[i]);
        total += oom_n;
    }
    printf("%d commands, %ld of %ld allocations failed one by one, %d commands wrong\n",
           (int)N_COMMANDS, runs, total, failed);
    return failed > 0;
}

int main(void) {
    char top[] = "/tmp/tenure-oom-XXXXXX", shell[64];
    if (mkdtemp(top) == NULL || chdir(top) != 0 || mkdir("whole", 0700) != 0 ||
        mkdir("out", 0700) != 0 || chdir("out") != 0) {
        perror(top);
        return 1;
    }
    int failed = check_all();
    snprintf(shell, sizeof shell, "rm -rf '%s'", top);
    return chdir("/") != 0 || system(shell) != 0 || failed;
}
