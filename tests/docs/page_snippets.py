"""Runs what README.md, docs/, the READMEs of examples and --help show: commands, C, JSON and modules, page by page, in a folder
with small models of the names that the pages use. What is neither is on the short list below, with the reason.

usage: page_snippets.py TENURE BUILD_FOLDER WORK_FOLDER [PAGE...]
"""

import glob
import json
import os
import re
import shutil
import subprocess
import sys

try:
    import page_models
except ImportError as missing:
    print(missing)
    sys.exit(77)

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGES = ["README.md", "CONTRIBUTING.md", "docs/*.md", "examples/*/README.md"]
LIMIT_S = 900
# Blocks that are no code: the page, how they begin, why that is so.
SHOWN = [
    ("docs/ADAPTERS.md", "from executorch.exir", "the test adapters.executorch has it"),
    ("docs/ADAPTERS.md", "emx-onnx-cgen compile", "the test adapters.generated-c runs it"),
    ("docs/ADAPTERS.md", "bound = Bound", "the test adapters.onnxruntime has it"),
    ("docs/ARCHITECTURE.md", "model.onnx -> frontends/onnx", "a drawing"),
    ("README.md", "ran: build/demo/out", "what the demo ends with; the test programs.shipped reads it"),
    ("docs/BASED_ON.md", "based on      2 of", "a report; plan/based_on.test has such"),
    ("docs/EMBED.md", "for (i = 0; i < n; i++) y[i] = a[i];", "a kernel that is wrong"),
    ("docs/EMBED.md", "for (i = 0; i < n; i++) y[i] = a[i] + b[i];", "a line of a kernel"),
    ("docs/EMBED.md", "for (int k = 0; k < n; k++) sum", "a kernel that is wrong"),
    ("docs/EMBED.md", "const tenure_cl_place *place", "a part of a function; examples/opencl has all, and programs.opencl runs it"),
    ("docs/FACTS.md", "c ? a : b", "a table of operators"),
    ("docs/FIT.md", "RAM B     flash B", "a report; fit/fit.test has such"),
    ("docs/IR.md", "word     =", "grammar"), ("docs/IR.md", "module   =", "grammar"), ("docs/IR.md", "graph    =", "grammar"),
    ("docs/IR.md", "op       =", "grammar"), ("docs/IR.md", "ref      =", "grammar"), ("docs/IR.md", "type     =", "grammar"),
    ("docs/IR.md", "dim      =", "grammar"), ("docs/IR.md", "tensor   =", "grammar"), ("docs/IR.md", "fact     =", "grammar"),
    ("docs/IR.md", "attr     =", "grammar"),
    ("docs/OVERLAP.md", '"overlaps": [', "a part of a plan; passes/overlap.test has such"), ("docs/OVERLAP.md", "max over u of", "a formula"),
    ("docs/PACK.md", "7 buffers, height 53", "a report; text tests have such"),
    ("docs/PACK.md", "error: the arena needs", "messages; text tests have such"),
    ("docs/PLAN.md", '{"format": 2', "an outline with dots"), ("docs/PLAN.md", "count = 0", "what a runtime does, in words"),
    ("docs/PLAN.md", "step 0   op", "a table of steps"), ("docs/PLAN.md", "address of a value", "a formula"),
    ("docs/READING_A_PLAN.md", "x -> MatMul(w1)", "a drawing"),
    ("docs/READING_A_PLAN.md", 'pool 0 "arena"', "a plan; plan/example.test has it"),
    ("docs/CHECKER.md", "value 'g' written", "a message; unit.test_check has it"),
    ("docs/POOLS.md", "pools         fast", "a report; plan/pools.test has such"),
    ("docs/PROGRAM.md", "step 0, Relu: KERNEL_ERROR_TYPE", "a message; the test programs.errors has it"),
    ("docs/PROGRAM.md", "step 4 Conv_11", "a report; the test programs.harness reads such"),
    ("docs/TILE.md", "tenure opt net.onnx --passes='tile", "positions in a model at hand; plan/tile.test has such"),
    ("docs/TRAINING.md", 'OP("", "Tanh"', "rows of the op table with dots"),
]
WITH_MODELS = ("docs/COOKBOOK.md", "docs/EMBED.md", "examples/models/README.md")  # pages that use examples/models
# Pages that tests of their own run.
ELSEWHERE = {"docs/PYTHON.md": "tests/python/snippets.py"}
# Commands that tests and CI run by themselves.
NOT_HERE = {
    "scripts/setup.sh": "installs packages",
    "scripts/demo.sh": "builds all; CI runs it",
    "scripts/test.sh": "runs this test",
    "scripts/portable.sh": "builds for other machines, many minutes",
    "scripts/release.sh": "builds all for all machines, twice",
    "budget.sh": "the test ci.budget runs it",
    "scripts/wheel.sh": "builds wheels; the test python.wheel does so for this machine",
    "cmake -S . ": "builds all; the test install does so",
    "cmake --build ": "builds all; the test install does so",
    "cmake --install ": "installs; the test install does so",
    "cc -fno-strict-aliasing net_harness.c": "needs kernels; the test programs.harness has some",
}
SHELL = re.compile(r"\$ |tenure |make |scripts/|cc |cmake |python3? |cd |export |pip ")
API = ["#include <stdio.h>", "#include <string.h>", "#include <tenure/tenure.h>", "#include <tenure/ir.h>", "#include <tenure/plugin.h>"]
PROGRAM = ["#include <stdio.h>", "#include <string.h>"]
# What a reader has before the fragments of C on a page: lines of the file, then of the function.
GIVEN = {
    "docs/API.md": (API, ["tenure_context *ctx = 0;", "tenure_plan *plan = 0;", "tenure_graph *g = 0;", "tenure_op *last = 0;",
                          "tenure_value *result = 0, **operands = 0;", "size_t n = 0;"]),
    "docs/EMBED.md": ([*PROGRAM, "#include <CL/cl.h>", "#include <tenure_cl.h>"],
                      ["cl_context context = 0;", "cl_device_id device = 0;", "cl_command_queue queue = 0;", "tenure_cl *rt = 0;", "char why[256];",
                       "void *image = 0, *user = 0;", "size_t size = 0;", "float samples[490], scores[12];", "uint32_t step;"]),
    "docs/HEADER.md": ([*PROGRAM, "void *my_memory();"], ["const unsigned char *weights = 0;"]),
    "docs/PLUGINS.md": ([*API, "static const tenure_pass_def my_pass;"], []),
    "docs/POOLS.md": ([*PROGRAM, "void *my_memory();", "void start_filling(void *to), start_sending(const void *from), wait_for_both(void);",
                       "int more(void);"], ["float input[64];"]),
    "docs/PROGRAM.md": ([*PROGRAM, "#include \"tenure_kernels.h\"", "void use(const float *y);", "void *my_memory();"], ["float input[64];"]),
    "docs/SETS.md": ([*PROGRAM, "void *my_memory();"], []),
    "docs/TRAINING.md": ([*PROGRAM, "#include \"net.h\"", "void draw(float *x, int64_t *target);", "static net_memory m = NET_STATIC_MEMORY;"],
                         ["float loss;"]),
}
# Macros of a user, which a program is compiled with.
MACROS = {
    "docs/FACTS.md": ["unsigned long my_conv_workspace();", "void report(unsigned step, unsigned long needed, unsigned long planned);"],
    "docs/PROGRAM.md": ["int my_fast_conv(), my_first_conv();", "void start_timer(unsigned step);", "void stop_timer(unsigned step);"],
}
# What C of a page names, and the folder of the program that has it.
FOLDERS = {"net_layout": "open/", "NET_FOUND_": "found/", "net_encoder_layout": "speech/"}


class Wrong(Exception):
    pass


def in_table(line):
    """The command in the last cell of a row, or None."""
    found = re.search(r"\| `(tenure [^`]*)` \|$", line) if line.startswith("|") else None
    return found and found.group(1)


def blocks(path):
    """(line, language, text) of blocks, "" for those that name none, and (line, "", None) where a part of the page begins."""
    with open(path, encoding="utf-8") as f:
        lines = f.read().split("\n") + [""]
    at = 0
    while at < len(lines):
        end = at + 1
        if lines[at].startswith("# "):
            yield at + 1, "", None
        elif in_table(lines[at]):
            yield at + 1, "sh", in_table(lines[at])
        elif lines[at].startswith("```"):
            while not lines[end].startswith("```"):
                end += 1
            yield at + 1, lines[at][3:], "\n".join(lines[at + 1:end])
            end += 1
        elif lines[at].startswith("    ") and (at == 0 or lines[at - 1] == ""):
            while end < len(lines) and (lines[end].startswith("    ") or lines[end] == ""):
                end += 1
            yield at + 1, "", "\n".join(line[4:] for line in lines[at:end]).strip("\n")
        at = end


def run(command, folder, environment, text=None):
    try:
        done = subprocess.run(command, cwd=folder, env=environment, input=text, capture_output=True, text=True, check=False,
                              timeout=LIMIT_S)
    except subprocess.TimeoutExpired as late:
        raise Wrong(f"takes longer than {LIMIT_S} s") from late
    if done.returncode != 0:
        raise Wrong(f"exit code {done.returncode}\n{(done.stdout + done.stderr)[-2000:]}")
    return done.stdout


class Page:
    """Blocks of one page, in order, in one folder; the commands of one block may use what those before it made."""

    def __init__(self, name, work, environment):
        self.name, self.environment = name, dict(environment)
        self.folder = os.path.join(work, re.sub("[^A-Za-z]", "_", name))
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        self.start, self.used, self.ran = self.folder, set(), 0
        for part in ("examples", "scripts", os.path.join("backends", "kernels", "library")):
            shutil.copytree(os.path.join(TOP, part), os.path.join(self.folder, part), symlinks=True,
                            ignore=shutil.ignore_patterns("build", *(["models"] if part == "examples" and name not in WITH_MODELS else [])))
        page_models.write(name, self.folder, TOP, environment)
        if name.startswith("examples/"):
            self.start = os.path.join(self.folder, os.path.dirname(name))
        for file in glob.glob(os.path.join(self.folder, "*.onnx")) + glob.glob(os.path.join(self.folder, "inputs.bin")):
            for example in ("firmware", "opencl"):
                shutil.copy(file, os.path.join(self.folder, "examples", example))
        self.where = self.start

    def shell(self, text):
        """The folder and what is exported last on to the next block, as they do for a reader."""
        lines = []
        for line in text.split("\n"):
            skipped = next((p for p in NOT_HERE if line.startswith(p)), None)
            if skipped:
                self.used.add(skipped)
            elif "TARGET=cortex" not in line and "arm-none" not in line or shutil.which("arm-none-eabi-gcc"):
                lines.append(line.replace("/path/to/", self.folder + "/").replace("TENURE=../../build/gcc/cli/tenure ", ""))
        state = os.path.join(self.folder, ".state")
        tail = f"\npwd >'{state}'; printf '%s\\n' \"$PATH\" >>'{state}'\n"
        run(["bash", "-euo", "pipefail", "-c", "\n".join(lines) + tail], self.where, self.environment)
        with open(state, encoding="utf-8") as f:
            self.where, self.environment["PATH"] = f.read().splitlines()

    def json(self, text):
        said = json.loads(text)
        kind = next(iter(said))
        file = {"tenure_facts": "facts.json", "tenure_project": "project.json"}.get(kind)
        if file is None:
            raise Wrong(f"JSON of no kind that is known here: '{kind}'")
        with open(os.path.join(self.folder, file), "w", encoding="utf-8") as f:
            f.write(text)
        run({"facts.json": ["tenure", "plan", "-q", "facts.onnx", "--op-facts", file],
             "project.json": ["tenure", "plan", "--project", file, "--print-project"]}[file], self.folder, self.environment)

    def module(self, text):
        with open(os.path.join(self.folder, "snippet.tir"), "w", encoding="utf-8") as f:
            f.write(text + "\n")
        run(["tenure", "opt", "snippet.tir", "--passes=", "-o", "-"], self.folder, self.environment)

    def workflow(self, text):
        """Of a workflow of GitHub what it runs of tenure."""
        self.shell("\n".join(line.strip() for line in text.split("\n") if line.strip().startswith("tenure ")))

    def python(self, text):
        run([sys.executable, "-B", "-c", text], self.folder, self.environment)

    def compile(self, file, text, *more):
        with open(os.path.join(self.where, file), "w", encoding="utf-8") as f:
            f.write(text)
        flags = subprocess.run(["pkg-config", "--cflags", "tenure", "tenure_cl"], env=self.environment, capture_output=True, text=True,
                               check=True).stdout.split()
        run([os.environ.get("CC", "cc"), "-std=c11", "-fsyntax-only", "-Wall", "-Wno-unused", "-Werror",
             "-I.", "-Ibuild", "-Ibuild/host", *flags, *more], self.where, self.environment)

    def program(self, text):
        with open(os.path.join(self.where, "program.c"), "w", encoding="utf-8") as f:
            f.write(text + "\n")
        cc = os.environ.get("CC", "cc")
        self.shell(f"{cc} -std=c11 -Wall -Werror program.c -o program $(pkg-config --cflags --libs tenure)\n./program")

    def c(self, text):
        if all(line.startswith("#define") for line in text.split("\n")) and self.name in MACROS:
            self.compile("config.h", "\n".join([*MACROS[self.name], text, ""]), "-DNET_CONFIG=\"config.h\"", "net.c")
            return
        if "int main(" in text:
            self.program(text)
            return
        above, given = GIVEN.get(self.name, ([], []))
        text = re.sub(r"\{ \.\.\. \}", "{ }", text)
        first = [line for line in text.split("\n") if line.startswith("#")]
        rest = "\n".join(line for line in text.split("\n") if not line.startswith("#"))
        if not re.search(r"^(static |int |void )[^=;]*\(", rest, re.M):
            rest = "void snippet(void);\nvoid snippet(void) {\n" + "\n".join(given) + "\n{\n" + rest + "\n}\n}"
        where = next((folder for word, folder in FOLDERS.items() if word in text), "")
        if where and '#include "net.h"' not in first:
            first.append('#include "net.h"')
        file = where + "snippet.c"
        self.compile(file, "\n".join([*above, *first, rest, ""]), file)

    def block(self, language, text):
        if text is None:
            self.where = self.start
            return
        shown = next((s for s in SHOWN if s[0] == self.name and text.lstrip().startswith(s[1])), None)
        if shown is not None:
            self.used.add(shown)
            return
        self.ran += 1
        kinds = {"sh": self.shell, "json": self.json, "tir": self.module, "yaml": self.workflow, "python": self.python,
                 "c": self.c}
        kinds[language or self.guess(text)](text)

    def guess(self, text):
        return "sh" if SHELL.match(text) else "json" if text.startswith("{") else "tir" if text.startswith("tir ") else "c"


def help_pages(environment):
    """The examples of --help, a page a command."""
    for command in re.findall(r"^  ([a-z]+) ", run(["tenure", "help"], TOP, environment).split("options:")[0], re.M):
        text = run(["tenure", command, "--help"], TOP, environment)
        lines = re.findall(r"^  (tenure .*)  # ", text, re.M)
        if lines:
            yield f"tenure {command} --help", [(1, "sh", "\n".join(lines))]


def main():
    tenure, build, work = map(os.path.abspath, sys.argv[1:4])
    installed = os.path.join(work, "installed")
    os.makedirs(work, exist_ok=True)
    run(["cmake", "--install", build, "--prefix", installed], work, os.environ)
    library = os.path.dirname(glob.glob(os.path.join(installed, "lib*", "**", "libtenure.so"), recursive=True)[0])
    environment = {**os.environ, "PATH": os.pathsep.join([os.path.dirname(tenure), os.environ["PATH"]]),
                   "PKG_CONFIG_PATH": os.path.join(library, "pkgconfig"), "LD_LIBRARY_PATH": library, "CFLAGS": "-O0",
                   "MAKEFLAGS": "-j2", "PYTHONPATH": os.path.join(TOP, "bindings", "python"),
                   "TENURE_LIBRARY": os.path.join(library, "libtenure.so")}
    asked = [os.path.relpath(p, TOP) for p in sys.argv[4:]]
    names = asked or sorted(os.path.relpath(p, TOP) for g in PAGES for p in glob.glob(os.path.join(TOP, g)))
    names = [n for n in names if n not in ELSEWHERE]
    used, ran, failed = set(), 0, 0
    pages = [(name, list(blocks(os.path.join(TOP, name)))) for name in names]
    for name, found in pages + ([] if asked else list(help_pages(environment))):
        page = Page(name, work, environment) if found else None
        for line, language, text in found:
            try:
                page.block(language, text)
            except (Wrong, ValueError) as wrong:
                failed += 1
                print(f"{name}:{line}: {text.splitlines()[0]}: {wrong}")
        if page is not None:
            used |= page.used
            ran += page.ran
            shutil.rmtree(page.folder)
    used |= {n for n, test in ELSEWHERE.items() if os.path.exists(os.path.join(TOP, test))}
    stale = [s for s in [*SHOWN, *NOT_HERE] if s not in used] if not asked else []
    with open(os.path.join(TOP, "README.md"), encoding="utf-8") as f, \
            open(os.path.join(TOP, "bench", "PEERS.md"), encoding="utf-8") as g:
        measured, readme = g.read().split("\n"), f.read()
        old = [line for line in readme.split("\n") if re.match(r"\| (ONNX Runtime|onnxsim|OmniMalloc) ", line) and
               line not in measured]
    for line in old:
        print(f"README.md has figures that bench/PEERS.md has not: {line}")
    with open(os.path.join(TOP, "docs", "README.md"), encoding="utf-8") as f:
        index = f.read()
    lost = [] if "](docs/README.md)" in readme else ["README.md does not lead to docs/README.md"]
    lost += [f"docs/README.md does not lead to {page}" for page in names if page.startswith("docs/") and page != "docs/README.md" and
             f"]({os.path.basename(page)})" not in index]
    for line in lost:
        print(line)
    for s in stale:
        print(f"on the list of what is not run, but on no page: {s}")
    print(f"{len(names)} pages, {ran} snippets run, {failed} failed, {len(SHOWN)} shown only")
    return 1 if failed or stale or old or lost else 0


if __name__ == "__main__":
    sys.exit(main())
