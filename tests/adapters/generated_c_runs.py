"""C that emx-onnx-cgen and onnx2c generated, with its buffers placed by examples/adapters/generated_c.py, beside the same C as it
came: both are compiled and run twice, the arena full of other bytes before each run, and give the same outputs, bit for bit.
A buffer that is moved onto another shows.

usage: generated_c_runs.py FOLDER [MODEL.onnx...]      without models: shipped ones, and small ones of TENURE_MODELS

emx-onnx-cgen is installed from PyPI into FOLDER/emx; onnx2c, which is in no package, is the command ONNX2C or one on the path.
Exit code 77: the package cannot be had.
"""

import glob
import os
import re
import shutil
import subprocess
import sys

import venvs

sys.path.insert(0, os.path.join(venvs.TOP, "examples", "adapters"))
import generated_c  # noqa: E402

FLAGS = ["-std=gnu11", "-O2", "-ffp-contract=off", "-w"]  # their C is not free of warnings

MAIN = r"""
#include <stdio.h>
#include <string.h>
%s
int main(void) {
    for (int run = 0; run < 2; run++) {
#ifdef NET_ARENA
        memset(NET_ARENA, run ? 0x3c : 0xff, NET_ARENA_BYTES);
#endif
        %s
        %s(%s);
        %s
    }
    return 0;
}
"""


def entry(code):
    """The name of the last function, and its parameters."""
    return list(re.finditer(r"^void (\w+)\(([^;{}]*)\)\s*\{", code, re.M))[-1]


def harness(code):
    """Calls that function twice with arrays of its types, and writes those that are not const."""
    m = entry(code)
    arrays, fill, names, write = [], [], [], []
    for const, kind, name, dims in re.findall(r"(const )?(\w+) (\w+)((?:\[[^\]]*\])*)", m[2]):
        dims = re.sub(r"restrict|static", "", dims)
        arrays.append(f"static {kind} a_{name}{dims or '[1]'};")
        names.append(f"a_{name}" + ("" if dims else "[0]"))
        if const:
            fill.append(f"for (size_t i = 0; i < sizeof a_{name} / sizeof({kind}); i++) (({kind} *)a_{name})[i] = ({kind})((i * 7 + run) % 5);")
        else:
            write.append(f"fwrite(a_{name}, 1, sizeof a_{name}, stdout);")
    return code + MAIN % ("\n".join(arrays), "\n".join(fill), m[1], ", ".join(names), "\n".join(write))


def output(code, path):
    """None: it does not compile."""
    with open(path + ".c", "w", encoding="utf-8") as f:
        f.write(harness(code))
    if subprocess.run([os.environ.get("CC", "cc"), *FLAGS, path + ".c", "-o", path, "-lm"], stderr=subprocess.DEVNULL).returncode:
        return None
    return subprocess.run([path], check=True, capture_output=True).stdout


def generators(folder):
    emx = os.path.join(os.path.dirname(venvs.python(os.path.join(folder, "emx"), "emx-onnx-cgen==1.4.0")), "emx-onnx-cgen")

    def by_emx(model, path):
        made = subprocess.run([emx, "compile", "--large-weight-threshold", "0", model, path], capture_output=True, text=True)
        return None if made.returncode else open(path, encoding="utf-8").read()

    yield "emx-onnx-cgen", by_emx
    onnx2c = os.environ.get("ONNX2C") or shutil.which("onnx2c")
    if not onnx2c:
        print("onnx2c is left out: neither ONNX2C nor the path has it")
        return
    yield "onnx2c", lambda model, path: (made := subprocess.run([onnx2c, model], capture_output=True)).returncode == 0 and made.stdout.decode() or None


def spoiled(placed):
    """Two buffers that are live together, moved onto each other."""
    return re.sub(r"(NET_ARENA) \+ \d+\)", r"\1 + 0)", placed)


def models():
    made = os.path.join(sys.argv[1], "models")
    os.makedirs(made, exist_ok=True)
    subprocess.run([sys.executable, "-B", os.path.join(venvs.TOP, "examples", "models", "make.py"), "--weights", made, "ds_cnn"], check=True)
    yield os.path.join(made, "ds_cnn.onnx")
    for path in sorted(glob.glob(os.path.join(os.environ.get("TENURE_MODELS", ""), "tinyml", "*.onnx"))):
        if os.path.getsize(path) < 200_000:
            yield path


def main():
    folder, given = os.path.abspath(sys.argv[1]), sys.argv[2:]
    os.makedirs(folder, exist_ok=True)
    tried, shown = 0, False
    for name, generate in generators(folder):
        for model in given or models():
            path = os.path.join(folder, f"{name}_{os.path.basename(model)[:-5]}")
            if (code := generate(model, path + ".c")) is None:
                continue  # an operator or a shape that it does not know
            made = generated_c.place(code)
            if not made.buffers or re.search(r"\[[ a-z]*[A-Za-z_]\w*\]", entry(code)[2]):
                continue  # or extents that are parameters
            if (expected := output(code, path + "_plain")) is None:
                print(f"{os.path.basename(model)}: the C of {name} does not compile as it came")
                continue
            assert output(made.code, path + "_placed") == expected, f"{name}: {model}: other outputs"
            assert made.packed.height <= made.before + 8 * len(made.buffers), made  # offsets are aligned
            shown |= len(made.buffers) > 1 and output(spoiled(made.code), path + "_spoiled") != expected
            tried += 1
            print(f"{os.path.basename(model):36} {name:14} {made}", flush=True)
    assert tried and shown, "buffers that lie on each other change nothing"
    print(tried, "programs give what they gave")
    return 0


if __name__ == "__main__":
    sys.exit(main())
