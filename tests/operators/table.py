"""The op table against schemas: every operator, its versions, and in each version the names and marks of
operands and results and the attributes with their defaults.

usage: table.py TENURE [--contrib]

The schemas are those of the onnx package, or with --contrib those that ONNX Runtime (package onnxruntime, of
which the test needs nothing else) has for com.microsoft. Its ops for training are not among them.
"""

import re
import sys

from packages import np
from rows import read_table

from onnx import AttributeProto, defs

ANY = 2147483647
NONE = ("", "?")       # what stands behind the kind of an attribute that must be there, and one that need not
DOCUMENTED = object()  # of ONNX Runtime's schemas: a default may stand in the documentation alone
MARKS = {"single": "", "optional": "?", "variadic": "*"}

# Differences that are meant: (domain, name, what) -> why.
RENAMED = "a later version renamed it; the table has one name for all versions"
ALLOWED = {
    ("", "BatchNormalization", "operand input_mean is called mean"): RENAMED,
    ("", "BatchNormalization", "operand input_var is called var"): RENAMED,
    ("", "BatchNormalization", "result running_mean is called mean"): RENAMED,
    ("", "BatchNormalization", "result running_var is called var"): RENAMED,
    ("", "Split", "result outputs is called outputs..."): RENAMED,
    ("", "Tile", "operand repeats is called tiles"): RENAMED,
}
COMPILED = "its results are what the machine's own compiler made them"
CONTRIB_ALLOWED = {
    ("com.microsoft", "EPContext", "there is no shape rule"): COMPILED,
    ("com.microsoft", "Snpe", "there is no shape rule"): COMPILED,
}
CONTRIB_ALLOWED.update({("com.ms.internal.nhwc", op, what): why for (domain, op, what), why in ALLOWED.items()
                        if op == "BatchNormalization"})
CONTRIB_DOMAINS = ("com.microsoft", "com.microsoft.nchwc", "com.ms.internal.nhwc")


def word(enumerator):
    """'single' of FormalParameterOption.Single, of either package."""
    name = str(enumerator).rsplit(".", 1)[-1].lower()
    return "type" if name == "type_proto" else name


def holds(entry, version):
    """The entry without its range of versions, or None when it does not hold in `version`."""
    text, _, span = entry.partition("@")
    if not span:
        return text
    low, dash, high = span.partition("-")
    fits = version >= int(low or 1) and (version <= int(high) if high else not dash or version <= ANY)
    return text if fits else None


def words(text, version):
    return [w for w in (holds(w, version) for w in text.split()) if w]


def schema_marks(params):
    return [MARKS[word(p.option)] for p in params]


def table_marks(half, version):
    """As a schema has them: "~" is an optional one whose place is there, "+" many of which one is."""
    return [{"~": "?", "+": "*"}.get(w[-1], w[-1] if w[-1] in "?*" else "") for w in words(half, version)]


def renamed(half, params, version):
    have = [w.rstrip("?~*+") for w in words(half, version)]
    return [(a, p.name) for a, p in zip(have, params) if a != p.name]


def default_of(attribute):
    """The default; or how the table writes that there is none; or DOCUMENTED."""
    if attribute.required:
        return NONE[0]
    ours = hasattr(attribute, "default_value")
    value = attribute.default_value if ours else AttributeProto.FromString(attribute._default_value)
    kind = word(attribute.type)
    if value.type == 0:
        return NONE[1] if ours else DOCUMENTED
    if kind == "int":
        return value.i
    if kind == "float":
        return np.float32(value.f)
    if kind == "string":
        return "=" + value.s.decode()
    return [x.decode() if isinstance(x, bytes) else x for x in getattr(value, kind)]


def same_default(text, want):
    if want is DOCUMENTED:
        return text == NONE[1] or text.startswith("=")
    if isinstance(want, str):
        return text == want
    if not text.startswith("="):
        return False
    if isinstance(want, np.float32):
        return np.isclose(np.float32(text[1:]), want, rtol=1e-6, atol=0)
    if isinstance(want, list):
        return text[1:] == "[" + ",".join(str(x) for x in want) + "]"
    return text[1:] == str(want)


def check_attributes(row, schema, version):
    have = {}
    for text in words(row["attrs"], version):
        name, kind, default = re.fullmatch(r"(\w+):([a-z_]+)(.*)", text).groups()
        if name in have:
            yield f"attribute {name} is stated twice"
        have[name] = (kind, default)
    for name in sorted(set(have) | set(schema.attributes)):
        if name not in have:
            yield f"attribute {name} is missing"
        elif name not in schema.attributes:
            yield f"attribute {name} does not exist"
        else:
            kind, default = have[name]
            attribute = schema.attributes[name]
            if kind != word(attribute.type):
                yield f"attribute {name} is {kind}, not {word(attribute.type)}"
            elif not same_default(default, default_of(attribute)):
                yield f"attribute {name} defaults to '{default}', not '{default_of(attribute)}'"


def check_version(row, schema):
    version = schema.since_version
    left, right = row["sig"].split("->")
    for what, half, params in (("operand", left, schema.inputs), ("result", right, schema.outputs)):
        have, want = table_marks(half, version), schema_marks(params)
        if have != want:
            yield f"{what}s are {have}, not {want}"
        for ours, theirs in renamed(half, params, version):
            yield f"{what} {ours} is called {theirs}"
    yield from check_attributes(row, schema, version)


def check_row(row, schemas):
    want = " ".join(str(s.since_version) for s in schemas)
    if row["versions"] != want:
        yield "", f"versions are {row['versions']}, not {want}"
    for low, high, least, most in (("min_in", "max_in", "min_input", "max_input"),
                                   ("min_out", "max_out", "min_output", "max_output")):
        span = (min(getattr(s, least) for s in schemas), max(getattr(s, most) for s in schemas))
        span = (span[0], -1 if span[1] == ANY else span[1])
        if (int(row[low]), int(row[high])) != span:
            yield "", f"{low} and {high} are {row[low]} and {row[high]}, not {span[0]} and {span[1]}"
    if not row["rule"]:
        yield "", "there is no shape rule"
    for schema in schemas:
        for problem in check_version(row, schema):
            yield f"@{schema.since_version}", problem


def contrib_schemas():
    try:
        from onnxruntime.capi.onnxruntime_pybind11_state import get_all_operator_schema
    except ModuleNotFoundError as missing:
        print(missing)
        sys.exit(77)
    return [s for s in get_all_operator_schema() if s.domain in CONTRIB_DOMAINS]


def main():
    table, contrib = read_table(sys.argv[1]), "--contrib" in sys.argv[2:]
    allowed, least = (CONTRIB_ALLOWED, 100) if contrib else (ALLOWED, 200)
    history = {}
    for schema in contrib_schemas() if contrib else defs.get_all_schemas_with_history():
        history.setdefault((schema.domain, schema.name), []).append(schema)
    problems, used = [], set()
    for key, schemas in sorted(history.items()):
        schemas.sort(key=lambda s: s.since_version)
        found = check_row(table[key], schemas) if key in table else [("", "there is no row")]
        for version, problem in found:
            if (*key, problem) in allowed:
                used.add((*key, problem))
            else:
                problems.append(f"{key[0] or 'ai.onnx'}::{key[1]}{version}: {problem}")
    problems += [f"allowed difference {key} does not occur" for key in set(allowed) - used]
    print("\n".join(problems))
    print(f"{len(history)} operators, {sum(map(len, history.values()))} versions, {len(problems)} problems")
    return 1 if problems or len(history) < least else 0


if __name__ == "__main__":
    sys.exit(main())
