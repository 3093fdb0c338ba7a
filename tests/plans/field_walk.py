"""docs/plan.schema.json walked: which fields there are, where a plan has them, and neighbours of what stands there."""

import copy
import json

ABSENT = object()


class Schema:
    def __init__(self, path):
        with open(path, encoding="utf-8") as f:
            self.root = json.load(f)
        self.fields = {}  # by name, such as "value.bytes" or "plan.options[].key": (schema of it, whether it has to be there)
        self.objects = {}  # by the kind of object: {key: schema}
        self.collect(self.root, "plan")

    def resolve(self, schema):
        """What the schema is without references, and the name that the last one has."""
        name = None
        while "$ref" in schema:
            name = schema["$ref"].rsplit("/", 1)[1]
            schema = self.root["$defs"][name]
        return schema, name

    def branches(self, schema):
        """The schemas of which a value has to meet one; each with the name of its reference."""
        schema, name = self.resolve(schema)
        inner = schema.get("anyOf") or schema.get("oneOf")
        if inner is None or "properties" in schema:
            return [(schema, name)]
        return [b for s in inner for b in self.branches(s)]

    def shapes(self, schema, kind):
        """Kinds of objects that the schema allows: (name, properties, keys that have to be there)."""
        schema, name = self.resolve(schema)
        kind = name or kind
        if "oneOf" in schema:  # an object in several forms
            for form in schema["oneOf"]:
                yield kind, form["properties"], form["required"]
        elif "properties" in schema:
            yield kind, schema["properties"], schema.get("required", [])
        elif "anyOf" in schema:
            for s in schema["anyOf"]:
                yield from self.shapes(s, kind)

    def collect(self, schema, kind):
        for name, properties, required in self.shapes(schema, kind):
            for key, sub in properties.items():
                field = f"{name}.{key}"
                self.objects.setdefault(name, {})[key] = sub
                if field in self.fields:
                    continue
                self.fields[field] = (sub, key in required)
                self.collect(sub, field)
        for branch, name in self.branches(schema):
            if "items" in branch:
                self.collect(branch["items"], f"{name or kind}[]")

    def types(self, schema):
        """Types of JSON that the schema allows; enumerations by their words."""
        found = set()
        for branch, _ in self.branches(schema):
            kind = branch.get("type", [])
            found.update([kind] if isinstance(kind, str) else kind)
            for word in branch.get("enum", []):
                found.add("null" if word is None else "string")
            if "properties" in branch or "oneOf" in branch:
                found.add("object")
        return found

    def words(self, schema):
        return [w for branch, _ in self.branches(schema) for w in branch.get("enum", [])]

    def items(self, schema):
        return next((b["items"] for b, _ in self.branches(schema) if "items" in b), None)

    def example(self, schema):
        """The smallest thing that the schema allows."""
        branch = next((b for b, _ in self.branches(schema) if b.get("type") != "null"), None)
        if branch is None:
            return None
        if "const" in branch or "enum" in branch:
            return branch.get("const", branch.get("enum", [None])[0])
        kind = branch.get("type")
        kind = kind[0] if isinstance(kind, list) else kind
        if kind == "object":
            form = branch["oneOf"][0] if "oneOf" in branch else branch
            return {k: self.example(form["properties"][k]) for k in form["required"]}
        if kind == "array":
            return [self.example(branch["items"])] if branch.get("minItems") else []
        if kind == "string":
            return "0" * int(branch["pattern"].rsplit("{", 1)[1].split("}")[0]) if "pattern" in branch else "some"
        return {"integer": branch.get("minimum", 0), "number": 0, "boolean": True}[kind]


class Places:
    """Where a plan has each field: (object, key); and where it could have it and has not."""

    def __init__(self, schema, document):
        self.schema, self.at, self.without = schema, {}, {}
        self.walk(schema.root, "plan", document)

    def walk(self, schema, kind, value):
        if isinstance(value, list):
            items = self.schema.items(schema)
            _, name = self.schema.resolve(schema)
            for v in value if items is not None else []:
                self.walk(items, f"{name or kind}[]", v)
        if not isinstance(value, dict):
            return
        forms = list(self.schema.shapes(schema, kind))
        form = next((f for f in forms if all(k in value for k in f[2])), forms[0])
        for key, sub in form[1].items():
            field = f"{form[0]}.{key}"
            if key in value:
                self.at.setdefault(field, []).append((value, key))
                self.walk(sub, field, value[key])
            else:
                self.without.setdefault(field, []).append((value, key))
        for other in forms:
            for key in other[1] if other is not form else []:
                if key not in form[1]:
                    self.without.setdefault(f"{form[0]}.{key}", []).append((value, key))

    def others(self, field):
        """What the plan has in this field, each once, in the order of the file."""
        seen = {}
        for obj, key in self.at.get(field, []):
            seen.setdefault(json.dumps(obj[key], sort_keys=True), obj[key])
        return list(seen.values())


def neighbours_of_number(value, others, rng):
    yield from (("one more", value + 1), ("one less", value - 1), ("doubled", 2 * value), ("zero", 0))
    numbers = [o for o in others if isinstance(o, (int, float)) and not isinstance(o, bool) and o != value]
    if numbers:
        yield "another's", rng.choice(numbers)


def neighbours_of_text(value, others, words):
    yield from (("another word", w) for w in words if isinstance(w, str))
    yield from (("another's", o) for o in others if isinstance(o, str))
    if not words:
        yield from (("longer", value + "x"), ("empty", ""))
        if value and value[-1] in "0123456789abcdef":
            yield "another digit", value[:-1] + ("0" if value[-1] != "0" else "1")


def neighbours_of_list(value, others, rng):
    if value:
        at = rng.randrange(len(value))
        yield "one dropped", value[:at] + value[at + 1:]
        yield "one doubled", value[:at + 1] + [copy.deepcopy(value[at])] + value[at + 1:]
        yield "none", []
    if len(value) > 1:
        a, b = sorted(rng.sample(range(len(value)), 2))
        yield "two swapped", value[:a] + [value[b]] + value[a + 1:b] + [value[a]] + value[b + 1:]
    items = [i for o in others if isinstance(o, list) for i in o if i not in value]
    if items:
        item = copy.deepcopy(rng.choice(items))
        at = rng.randrange(len(value) + 1)
        yield "one of another", value[:at] + [item] + value[at:]
    yield from (("another's", copy.deepcopy(o)) for o in others if isinstance(o, list))


def neighbours(schema, field, value, others, rng):
    """(what is done, what stands there then) for a field that the plan has."""
    sub, needed = schema.fields[field]
    if isinstance(value, bool):
        yield "flipped", not value
    elif isinstance(value, (int, float)):
        yield from neighbours_of_number(value, others, rng)
    elif isinstance(value, str):
        yield from neighbours_of_text(value, others, schema.words(sub))
    elif isinstance(value, list):
        yield from neighbours_of_list(value, others, rng)
        inner = schema.items(sub)
        if all(isinstance(i, int) and not isinstance(i, bool) for i in value) and value:
            at = rng.randrange(len(value))
            for name, n in neighbours_of_number(value[at], [i for o in others if isinstance(o, list) for i in o], rng):
                yield f"an entry: {name}", value[:at] + [n] + value[at + 1:]
            if "null" in schema.types(inner):
                yield "an entry: null", value[:at] + [None] + value[at + 1:]
    else:
        yield from (("another's", copy.deepcopy(o)) for o in others)
    if value is None:
        for o in (0, "some", schema.example(sub) if schema.types(sub) != {"null"} else 0):
            yield "something", o
    if isinstance(value, int) and "object" in schema.types(sub):
        yield "an expression", {"expr": 0}
    if isinstance(value, dict):
        yield "a number", 1
    yield "null", None
    if not needed:
        yield "left out", ABSENT


def additions(schema, field, others):
    """The same for a field that the plan lacks."""
    sub, _ = schema.fields[field]
    if "null" in schema.types(sub):
        yield "added", None
    yield "added", schema.example(sub)
    for word in schema.words(sub) if schema.types(sub) == {"string"} else []:
        yield "added", word
    if schema.types(sub) == {"integer"}:
        yield from (("added", n) for n in (0, 1, 64))
    yield from (("added", copy.deepcopy(o)) for o in others)
