"""The library of kernels that programs hold: every file of it gives kernels or what they use, all of it is taken by all
compilers as programs hold it, and kernels of two prefixes go into one source file and into one image.

usage: library.py ALL_KERNELS TENURE FOLDER

ALL_KERNELS writes all kernels (tests/tools/all_kernels.c). Exit code 77: no C compiler.
"""

import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
LIBRARY = os.path.join(TOP, "backends", "kernels", "library")
SMALLEST = os.path.join(TOP, "tests", "text", "backends", "Inputs", "small.tir")
LEAST = 500  # kernels of the library
COMPILERS = {"gcc": ("c99", "c17"), "clang": ("c99", "c17"), "g++": ("c++11", "c++20"), "clang++": ("c++11", "c++20")}
STRICT = ["-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Wpedantic", "-Werror"]


def run(*command, **more):
    return subprocess.run(command, capture_output=True, text=True, check=False, **more)


def read_all(tool, folder, prefix):
    """What the tool says of the files, and the text as a file."""
    done = run(tool, prefix)
    path = os.path.join(folder, prefix + ".c")
    with open(path, "w", encoding="ascii") as f:
        f.write(done.stdout)
    return done.stdout, path


def check_files(text):
    files = dict(re.findall(r"^file (\w+): (\d+) kernels$", text, re.M))
    there = [os.path.splitext(name) for name in sorted(os.listdir(LIBRARY))]
    for stem in sorted({stem for stem, _ in there} - set(files)):
        yield f"{stem} is not among the files that programs take kernels from"
    yield from re.findall(r"^unused in .*$", text, re.M)
    if sum(map(int, files.values())) < LEAST:
        yield f"{sum(map(int, files.values()))} kernels, at least {LEAST} have to be there"


def check_names(text, prefix):
    """Whatever stands at the left margin is of the program."""
    defined = re.findall(r"^#define (\w+)", text, re.M) + re.findall(rf"^{prefix.upper()}_MAYBE static (?:[\w*]+ )+\**(\w+)\(", text, re.M)
    defined += re.findall(r"^\} (\w+);$", text, re.M)
    yield from (f"{name} has not the prefix of the program" for name in defined
                if not name.startswith((prefix + "_", prefix.upper() + "_")))


def check_compilers(folder, path):
    for compiler, standards in COMPILERS.items():
        if shutil.which(compiler) is None:
            continue
        language = ["-x", "c++"] if "++" in compiler else []
        for standard in standards:
            done = run(compiler, *language, f"-std={standard}", *STRICT, "-fsyntax-only", "-I", folder, path)
            if done.returncode != 0:
                yield f"{compiler} {standard}: {done.stderr[:1500]}"


def check_two(folder, paths):
    """One source file with both, and one image: with the optimiser off, so that all of it is there."""
    both = os.path.join(folder, "both.c")
    with open(both, "w", encoding="ascii") as f:
        f.write("".join(f'#include "{os.path.basename(path)}"\n' for path in paths))
        f.write("int main(void) { return 0; }\n")
    for sources in ([both], [*paths, os.path.join(folder, "main.c")]):
        done = run("cc", "-O0", "-Wall", "-Werror", "-I", folder, *sources, "-lm", "-o", os.path.join(folder, "both"))
        if done.returncode != 0:
            yield f"two programs in one {'file' if len(sources) == 1 else 'image'}: {done.stderr[:1500]}"


def main():
    tool, tenure, folder = sys.argv[1:]
    if shutil.which("cc") is None:
        return 77
    os.makedirs(folder, exist_ok=True)
    run(tenure, "plan", "-q", SMALLEST, "--emit=c-program,weights=none", "-o", "net.c", cwd=folder)
    with open(os.path.join(folder, "main.c"), "w", encoding="ascii") as f:
        f.write("int main(void) { return 0; }\n")
    text, first = read_all(tool, folder, "one")
    second = read_all(tool, folder, "two")[1]
    wrong = [*check_files(text), *check_names(text, "one"), *check_compilers(folder, first), *check_two(folder, [first, second])]
    for line in wrong:
        print(f"WRONG: {line}")
    print(f"{len(re.findall('^file ', text, re.M))} files, {text.count(chr(10))} lines as programs hold them, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
