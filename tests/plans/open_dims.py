"""Plans with dimensions that stay open, for every model at hand that leaves any: one plan, and at extents drawn with a
fixed seed the offsets and sizes that tenure_plan_resolve gives pass the checker, and the arena is no smaller than what a
plan for exactly these extents proves to be needed, where the two have one order and the same aliases.

usage: open_dims.py LIBRARY; models: examples/models and the folder TENURE_MODELS. Exit code 77 where no model is dynamic
"""

import os
import random
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "bindings", "python"))

MOST_BYTES, N_BINDINGS = 20 << 20, 7
EXTENTS = (1, 2, 3, 9, 15, 37, 53, 101, 333, 777)


def models():
    for folder in (os.path.join(TOP, "examples", "models"), os.environ.get("TENURE_MODELS", "")):
        for root, _, names in sorted(os.walk(folder)):
            for name in sorted(names):
                path = os.path.join(root, name)
                if name.endswith(".onnx") and "malformed" not in root and os.path.getsize(path) <= MOST_BYTES:
                    yield os.path.relpath(path, folder), path


def bindings(plan, seed=7, n=N_BINDINGS):
    """All extents 1, all 2, then what is drawn: odd, prime and large ones among them."""
    draw = random.Random(seed)
    names = [r.name for r in plan.ranges]
    yield from ({name: extent for name in names} for extent in (1, 2))
    for _ in range(n - 2):
        yield {name: draw.choice(EXTENTS) for name in names}


def open_plan(tenure, path, dims=None):
    """The plan, or None where nothing stays open or something else is."""
    try:
        plan = tenure.plan(path, open=True, dims=dims)
    except tenure.TenureError:
        return None
    return plan if plan.ranges else None


def refused(tenure, plan, extents):
    try:
        plan.resolve(extents)
    except tenure.ModelError as e:
        assert "and the plan is for" in str(e), e
    else:
        raise AssertionError(f"{extents} are below the plan's ranges")


def look_at(tenure, plan):
    n = 0
    for drawn in bindings(plan):
        extents = {r.name: max(drawn[r.name], r.min) for r in plan.ranges}  # less than that is refused
        if extents != drawn:
            refused(tenure, plan, drawn)
        try:
            at = plan.resolve(extents)
        except tenure.ModelError as e:
            assert "is no number of bytes" in str(e), e  # a convolution's kernel, wider than the image
            continue
        assert at.arena_size >= at.lower_bound, (extents, at)
        plan.check(dim=[f"{quoted(k)}={v}" for k, v in extents.items()])
        n += 1
    return n


def quoted(name):
    return name if name.isidentifier() else '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def unquoted(text):
    return text[1:-1].replace('\\"', '"').replace("\\\\", "\\") if text.startswith('"') else text


def main():
    os.environ["TENURE_LIBRARY"] = os.path.abspath(sys.argv[1])
    import tenure

    n_models = n = 0
    for name, path in models():
        plan = open_plan(tenure, path)
        if plan is not None:
            try:
                n += look_at(tenure, plan)
            except Exception:
                print(f"{name}: wrong", file=sys.stderr)
                raise
            n_models += 1
    print(f"{n_models} models, {n} extents: right")
    return 0 if n_models > 0 else 77


if __name__ == "__main__":
    sys.exit(main())
