"""examples/python/chain.py: from scikit-learn to C that predicts the same. Ends with 77 where scikit-learn, skl2onnx or onnxsim
is missing.

usage: TENURE=PATH chain.py FOLDER
"""

import glob
import importlib.util
import os
import shutil
import struct
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FIRMWARE = os.path.join(TOP, "examples", "firmware")
NEEDED = ("sklearn", "skl2onnx", "onnxsim", "onnx_ir")


def main(folder):
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        print("missing:", *missing)
        return 77
    shutil.rmtree(folder, ignore_errors=True)
    script = os.path.join(TOP, "examples", "python", "chain.py")
    subprocess.run([sys.executable, "-W", "ignore", "-B", script, folder], check=True)
    subprocess.run([os.environ["TENURE"], "check", os.path.join(folder, "planned.onnx")], check=True)
    sources = [*glob.glob(os.path.join(folder, "net*.c")), *(os.path.join(FIRMWARE, name) for name in ("main.c", "board/host.c", "inputs.S"))]
    places = [f"-I{place}" for place in (folder, f"{FIRMWARE}/board")]
    flags = ["-std=c99", "-O2"]
    program = os.path.join(folder, "net")
    cc = os.environ.get("CC", "cc").split()
    subprocess.run([*cc, *flags, *places, *sources, "-lm", "-o", program], check=True, cwd=folder)
    said = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    (predicted,) = struct.unpack("<f", bytes.fromhex(said.strip()))
    with open(os.path.join(folder, "expected.txt"), encoding="ascii") as f:
        expected = float(f.read())
    print(f"{predicted} as C, {expected} by scikit-learn")
    return 0 if abs(predicted - expected) < 1e-4 else 1


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1])))
