#!/usr/bin/env python3
"""Pages of plans in headless Chromium: bytes, time to the first paint, time of a search; writes bench/PICTURES.md.

    bench/pictures.py TENURE

The best of three loads each, from a file, with software rendering.
"""

import os
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(TOP, "tests", "pictures"))
import browser  # noqa: E402
import scale  # noqa: E402

PAGE = os.path.join(TOP, "bench", "PICTURES.md")
MODELS = [("squeezenet1_1", browser.small), ("tangle of 3,000 ops", browser.of_size(3000)),
          ("tangle of 15,000 ops", browser.of_size(15000)), ("tangle of 100,000 ops", browser.of_size(100000)),
          ("chain of 1,000,000 ops", browser.of_size(1000000, scale.chain))]
HEAD = """# Pages of plans

Made by `bench/pictures.py`; do not edit. `--emit=html`, opened from a file in headless Chromium with software rendering on {cores} cores:
the size of the page, the time from navigation until chart and table are painted, what the script takes of that,
one search over all values the page has, and one drawing of the whole chart. Milliseconds, the best of three loads.

| model | values | in the page | page | painted | script | search | drawing |
|---|---|---|---|---|---|---|---|
"""
# As typing does, with the layout that it causes.
SEARCH = """const began = performance.now(), box = document.getElementById('search'); box.value = arguments[0];
box.dispatchEvent(new Event('input')); document.body.offsetHeight; return performance.now() - began;"""
DRAW = """const done = arguments[0], began = performance.now(); document.getElementById('whole').click();
requestAnimationFrame(() => { const first = performance.now(); document.body.offsetHeight; done([first - began, performance.now() - first]); });"""
PAINT = "return Number(document.body.dataset.painted)"


def measure(b, path):
    """Milliseconds: painted, script, search, drawing."""
    b.look(1300)
    b.open(path)
    drawn = sum(b.driver.execute_async_script(DRAW))
    return b.run(PAINT), float(b.run("return document.body.dataset.ran")), b.run(SEARCH, "v12"), drawn


def main():
    tenure, rows = sys.argv[1], []
    with tempfile.TemporaryDirectory() as folder:
        for name, model in MODELS:
            path = browser.emit(tenure, model(folder), "html", os.path.join(folder, "page.html"))
            times = []
            for _ in range(3):
                b = browser.Browser(folder)
                times.append(measure(b, path))
                counts = b.run("return [tenure.plan.total, tenure.plan.values.name.length]")
                b.close()
            best = " | ".join(f"{min(column):.0f}" for column in zip(*times))
            rows.append(f"| {name} | {counts[0]:,} | {counts[1]:,} | {os.path.getsize(path) / 1e6:.2f} MB | {best} |")
            print(rows[-1], flush=True)
    with open(PAGE, "w", encoding="utf-8") as f:
        f.write(HEAD.format(cores=os.cpu_count()) + "\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
