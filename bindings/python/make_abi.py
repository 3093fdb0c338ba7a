"""Makes tenure/_abi.py, what the public headers say in terms of ctypes, or says that it is stale.

usage: make_abi.py [--check]

It needs pycparser. The file is kept in the repository, so that building the package needs nothing of that.
"""

import os
import re
import sys
import textwrap

from pycparser import c_ast, c_parser

HERE = os.path.dirname(os.path.abspath(__file__))
HEADERS = os.path.join(HERE, "..", "..", "include", "tenure")
NAMES = ["types.h", "tenure.h", "lists.h", "packer.h", "plan_read.h", "ir.h", "plugin.h"]
OUT = os.path.join(HERE, "tenure", "_abi.py")
WIDTH = 118
BASIC = {
    "int": "c_int", "unsigned": "c_uint", "char": "c_char", "double": "c_double", "size_t": "c_size_t",
    "int32_t": "c_int32", "uint32_t": "c_uint32", "int64_t": "c_int64", "uint64_t": "c_uint64",
}
HEAD = '''"""Made by make_abi.py of the headers in include/tenure: do not edit."""

from ctypes import (
    CFUNCTYPE, POINTER, Structure, c_char, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t, c_uint, c_uint32,
    c_uint64, c_void_p,
)
from typing import Any

'''


def without_preprocessor(text):
    """What a compiler sees, but for the types of the standard headers."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r"#ifdef __cplusplus\n.*?#endif\n", "", text, flags=re.S)
    text = re.sub(r"^#.*$", "", text.replace("\\\n", " "), flags=re.M)
    return re.sub(r"\b(TENURE_API|TENURE_PLUGIN_EXPORT)\b", "", text)


def listed(head, items, closing, indent=0):
    """A list that begins with `head`: one line, or lines with as many of the items as fit."""
    pad = " " * indent
    line = pad + head + ", ".join(items) + closing
    if len(line) <= WIDTH:
        return [line]
    return [pad + head, *filled(items, pad + "    "), pad + closing]


def filled(items, pad):
    """Lines with as many of the items as fit, a comma behind each."""
    text = textwrap.wrap(" ".join(item.replace(" ", "\0") + "," for item in items), WIDTH, break_long_words=False,
                         break_on_hyphens=False, initial_indent=pad, subsequent_indent=pad)
    return [line.replace("\0", " ") for line in text]


class Writer:
    """Goes over the declarations in their order and keeps a line of Python for each."""

    def __init__(self):
        self.structs, self.enums, self.functions, self.callbacks = {}, {}, [], {}
        self.lines = []

    def kind(self, node):
        """The ctypes type of a declarator, as text."""
        if isinstance(node, c_ast.ArrayDecl):
            return f"{self.kind(node.type)} * {node.dim.value}"
        if isinstance(node, c_ast.PtrDecl):
            return self.pointer(node.type)
        if isinstance(node, c_ast.TypeDecl):
            name = node.type.name if isinstance(node.type, c_ast.Enum) else " ".join(node.type.names)
            if name in self.enums:
                return "c_int"
            return BASIC.get(name, name)
        raise TypeError(f"{node}: of a kind that make_abi.py does not know")

    def pointer(self, target):
        if isinstance(target, c_ast.FuncDecl):
            return self.callback(target)
        if isinstance(target, c_ast.PtrDecl):
            return f"POINTER({self.kind(target)})"
        name = " ".join(target.type.names)
        if name == "char":
            return "c_char_p"
        known = name in BASIC or name in self.structs
        return f"POINTER({self.kind(target)})" if known else "c_void_p"

    def result(self, node):
        is_void = isinstance(node, c_ast.TypeDecl) and node.type.names == ["void"]
        return "None" if is_void else self.kind(node)

    def arguments(self, function):
        listed = function.args.params if function.args is not None else []
        kinds = [self.kind(p.type) for p in listed if self.result(p.type) != "None"]
        return kinds

    def callback(self, function):
        return f"CFUNCTYPE({', '.join([self.result(function.type), *self.arguments(function)])})"

    def struct(self, name, node):
        self.structs[name] = True
        fields = [(d.name, self.kind(d.type)) for d in node.decls]
        fields = [f'("{field}", {kind})' for field, kind in fields]
        self.lines += ["", f"class {name}(Structure):", *listed("_fields_ = [", fields, "]", 4), ""]

    def enum(self, name, node):
        at, values = -1, {}
        for item in node.values.enumerators:
            at = int(item.value.value, 0) if item.value is not None else at + 1
            values[item.name] = at
        if name is not None:
            self.enums[name] = values
        numbers = [str(value) for value in values.values()]
        together = f"{', '.join(values)} = {', '.join(numbers)}"
        many = [*listed("(", values, ") = \\"), *listed("    (", numbers, ")")]
        self.lines += [together] if len(together) <= WIDTH else many

    def take(self, node):
        if isinstance(node, c_ast.Typedef):
            inner = node.type
            if isinstance(inner, c_ast.PtrDecl):
                self.lines.append(f"{node.name}: Any = {self.kind(inner)}")
            elif isinstance(inner.type, c_ast.Struct) and inner.type.decls is not None:
                self.struct(node.name, inner.type)
            elif isinstance(inner.type, c_ast.Enum):
                self.enum(node.name, inner.type)
        elif isinstance(node.type, c_ast.Enum):
            self.enum(None, node.type)
        elif isinstance(node.type, c_ast.FuncDecl) and node.name != "tenure_plugin_info":
            f = node.type
            kinds = ", ".join(self.arguments(f))
            self.functions.append(f'("{node.name}", {self.result(f.type)}, [{kinds}])')


def parse():
    """The declarations of tenure, behind typedefs for what the standard headers define."""
    text = "".join(f"typedef int {name};\n" for name in BASIC if name.endswith("_t"))
    skipped = text.count("\n")
    for name in NAMES:
        with open(os.path.join(HEADERS, name), encoding="utf-8") as f:
            text += without_preprocessor(f.read())
    return c_parser.CParser().parse(text).ext[skipped:]


def make():
    writer = Writer()
    for node in parse():
        writer.take(node)
    enums = writer.enums.items()
    tables = ["ENUMS = {", *[f'    "{name}": {values!r},' for name, values in enums], "}"]
    functions = ["FUNCTIONS: list[tuple[str, Any, list[Any]]] = [", *filled(writer.functions, "    "), "]"]
    return HEAD + "\n".join(writer.lines + [""] + tables + [""] + functions) + "\n"


def main():
    text = make()
    if "--check" not in sys.argv[1:]:
        with open(OUT, "w", encoding="utf-8") as f:
            f.write(text)
        return 0
    with open(OUT, encoding="utf-8") as f:
        if f.read() == text:
            return 0
    print("bindings/python/tenure/_abi.py is stale: run bindings/python/make_abi.py")
    return 1


if __name__ == "__main__":
    sys.exit(main())
