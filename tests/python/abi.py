"""The Python package's declarations against the headers: bindings/python/tenure/_abi.py is what make_abi.py makes of them, and
ctypes lays structs out as the C compiler does. Ends with 77 where pycparser is missing.

usage: abi.py
"""

import ctypes
import importlib.util
import os
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PACKAGE = os.path.join(TOP, "bindings", "python")


def declarations():
    """The module alone: the package would load the library."""
    spec = importlib.util.spec_from_file_location("_abi", os.path.join(PACKAGE, "tenure", "_abi.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def asserted(module):
    yield "#include <tenure/plugin.h>"
    for name, struct in sorted(vars(module).items()):
        if isinstance(struct, type) and issubclass(struct, ctypes.Structure) and struct is not ctypes.Structure:
            yield f'_Static_assert(sizeof({name}) == {ctypes.sizeof(struct)}, "{name}");'
            for field, *_ in struct._fields_:
                at = getattr(struct, field).offset
                yield f'_Static_assert(offsetof({name}, {field}) == {at}, "{name}.{field}");'


def main():
    if importlib.util.find_spec("pycparser") is None:
        print("no pycparser")
        return 77
    made = subprocess.run([sys.executable, "-B", os.path.join(PACKAGE, "make_abi.py"), "--check"], check=False)
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "abi.c")
        lines = list(asserted(declarations()))
        with open(source, "w", encoding="utf-8") as f:
            f.write("\n".join(lines) + "\n")
        cc = os.environ.get("CC", "cc").split()
        done = subprocess.run([*cc, "-std=c11", "-fsyntax-only", "-I", os.path.join(TOP, "include"), source], check=False)
    print(f"{len(lines)} sizes and offsets")
    return 1 if made.returncode != 0 or done.returncode != 0 or len(lines) < 200 else 0


if __name__ == "__main__":
    sys.exit(main())
