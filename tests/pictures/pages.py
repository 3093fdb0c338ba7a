"""Pages and pictures of plans in headless Chromium: what stands in them, where, and what keys, pointer and search do.
Screenshots are kept in WORK_DIR.

usage: pages.py TENURE WORK_DIR
Exit code 77: no Chromium, or no package to drive it."""

import base64
import json
import os
import sys

import browser
from browser import TOP, emit

if browser.missing():
    print(browser.missing(), "is missing")
    sys.exit(77)

from selenium.webdriver.common.action_chains import ActionChains  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402

WIDE, NARROW = 1300, 420
MODELS = {"60": browser.small, "3000": browser.of_size(3000), "15000": browser.of_size(15000)}

# The share of a grid of points in each of some boxes, [box, colour], that have the colour: lines and labels lie over
# boxes, so not all need to.
SHARES = """
const canvas = document.getElementById('chart');
const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
const probe = document.createElement('canvas').getContext('2d');
return arguments[0].map(([box, colour]) => {
  probe.fillStyle = colour; probe.fillRect(0, 0, 1, 1);
  const want = probe.getImageData(0, 0, 1, 1).data;
  let hits = 0;
  for (let i = 0; i < 144; i++) {
    const x = Math.floor(box.x + (i % 12 + 0.5) / 12 * box.w), y = Math.floor(box.y + (Math.floor(i / 12) + 0.5) / 12 * box.h);
    hits += [0, 1, 2].every((c) => Math.abs(pixels[4 * (y * canvas.width + x) + c] - want[c]) < 3);
  }
  return hits / 144;
});"""
# Storages of the pool shown of which enough is in view to be seen: index, where that is, the corners of the whole box by
# the axes, the box, and its colour.
BOXES = """
const view = tenure.state.view, found = [], plan = arguments[0], steps = tenure.plan.steps.count;
plan.forEach(([pool, first, last, at, size], s) => {
  if (pool !== tenure.state.pool) return;
  const box = tenure.boxOf(s), x = Math.max(box.x, tenure.X(view.x0)), y = Math.max(box.y, tenure.Y(view.y1));
  const seen = {x, y, w: Math.min(box.x + box.w, tenure.X(view.x1)) - x, h: Math.min(box.y + box.h, tenure.Y(view.y0)) - y};
  const axes = [tenure.X(Math.max(first, 0)), tenure.X(Math.min(last + 1, steps)), tenure.Y(at + size), tenure.Y(at)];
  if (seen.w >= 8 && seen.h >= 8) found.push([s, seen, axes, [box.x, box.x + box.w, box.y, box.y + box.h], tenure.colour(s)]);
});
return found;"""
NEARER = """
const view = tenure.state.view, step = arguments[0];
view.x0 = Math.max(0, step - 12); view.x1 = view.x0 + 24; view.y1 /= 12; tenure.choose(-1, 'test');"""
OVERLAPS = """
const boxes = [...document.querySelectorAll(arguments[0])].filter((e) => e.getClientRects().length)
  .map((e) => [e.textContent.slice(0, 30), e.getBoundingClientRect()]);
for (let i = 0; i < boxes.length; i++) for (let k = 0; k < i; k++) {
  const a = boxes[i][1], b = boxes[k][1];
  if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)
    return boxes[i][0] + ' / ' + boxes[k][0];
}
return '';"""


def fail_unless(condition, what):
    if not condition:
        raise AssertionError(what)


def silent(b):
    said = b.complaints()
    fail_unless(not said, f"the console says {said}")


class Page:
    def __init__(self, b, plan):
        self.b, self.plan = b, plan

    def text(self, selector):
        return self.b.run("return document.querySelector(arguments[0]).textContent", selector)

    def rows(self):
        return self.b.run("return [...document.querySelectorAll('#rows tr[data-value]')].map((r) => [...r.cells].map((c) => c.textContent))")

    def view(self):
        return self.b.run("return tenure.state.view")

    def element(self, name):
        return self.b.driver.find_element(By.ID, name)


def layout(page, width):
    b = page.b
    silent(b)
    fail_unless(b.run("return document.documentElement.scrollWidth") <= width, "the page is wider than the window")
    for group in ("#legend li", ".bar > *", "main > *", "#facts span"):
        fail_unless(b.run(OVERLAPS, group) == "", f"{group} overlap: {b.run(OVERLAPS, group)}")
    fail_unless(b.run("return document.getElementById('heads').offsetWidth > 0.95 * document.getElementById('window').clientWidth"),
                "the table's columns do not fill it")
    box = b.run("const r = document.getElementById('chart').getBoundingClientRect(); return [r.width, r.height]")
    fail_unless(box[0] > 0.5 * min(width, 900) and box[1] > 250, f"the chart is {box}")


def geometry(page):
    """Storages large enough to see have their colour where the plan has their bytes; so have both lines."""
    b, peak = page.b, page.plan["report"]["peak_step"]
    arena = page.plan["pools"][b.run("return tenure.state.pool")]
    style = "return getComputedStyle(document.documentElement).getPropertyValue(arguments[0]).trim()"
    row = b.run("return {x: tenure.X(0), w: tenure.X(tenure.plan.steps.count) - tenure.X(0), y: tenure.Y(arguments[0]) - 1, h: 2}",
                arena["bound"])
    column = b.run("return {x: tenure.X(arguments[0] + 0.5) - 1, w: 2, y: tenure.Y(arguments[1]), h: tenure.Y(0) - tenure.Y(arguments[1])}",
                   peak, arena["size"])
    bound, at = b.run(SHARES, [[row, b.run(style, "--bound")], [column, b.run(style, "--at")]])
    fail_unless(bound > 0.25 and at > 0.4, f"the lower bound is found at {bound:.0%} of its line, the peak at {at:.0%}")
    plan = [[v["pool"], v["first"], v["last"], v["offset"], v["size"]] for v in page.plan["storages"]]
    if not b.run(BOXES, plan):
        b.run(NEARER, peak)
        b.settle()
    boxes = b.run(BOXES, plan)
    shares = b.run(SHARES, [[seen, colour] for _, seen, _, _, colour in boxes])
    for (s, seen, axes, box, _), share in zip(boxes, shares):
        fail_unless(max(abs(x - y) for x, y in zip(axes, box)) < 0.1, f"storage {s} is at {box}, not {axes}")
        fail_unless(share > 0.3, f"storage {s} has its colour at {share:.0%} of {seen}")
    fail_unless(boxes, "no storage is large enough to be seen")
    b.run("document.getElementById('whole').click()")
    b.settle()
    return len(boxes)


def table(page):
    b = page.b
    fail_unless(page.text("#count") == f"{len(page.plan['values'])} values", page.text("#count"))
    fail_unless(len(page.rows()) < 60, "all rows are there at once")
    for i, row in enumerate(page.rows()[:10]):
        v = page.plan["values"][i]
        fail_unless(row[0] == v["name"] and row[3] == str(v["bytes"]), f"{row} is not {v['name']}")
    b.run("document.querySelector('#heads [data-key=bytes] button').click()")
    most = max(v["bytes"] or 0 for v in page.plan["values"])
    fail_unless(page.rows()[0][3] == str(most), f"{page.rows()[0]} comes first, not one of {most} bytes")
    b.run("document.getElementById('window').scrollTop = 1e9")
    b.settle()
    fail_unless(int(page.rows()[-1][3]) == min(v["bytes"] or 0 for v in page.plan["values"]), "the last row is not the smallest")


def search(page):
    b, last = page.b, page.plan["values"][-1]["name"]
    page.element("search").send_keys(last)
    found = page.rows()
    fail_unless(found and all(last.lower() in row[0].lower() for row in found), f"the search for {last} finds {found[:3]}")
    page.element("search").send_keys(" zzzz")
    fail_unless(page.text("#count").startswith("0 of"), "one of two words is enough for the search")
    peak = page.plan["report"]["peak_step"]
    b.run("document.getElementById('clear').click()")
    page.element("alive").send_keys(str(peak))
    alive = [v for v in page.plan["values"] if v["storage"] is not None and v["first"] <= peak <= v["last"]]
    fail_unless(page.text("#count").startswith(f"{len(alive)} of"), page.text("#count"))
    b.run("document.getElementById('clear').click()")


def pointing(page):
    """A click into the chart chooses a value, in the table too, and a row the other way round."""
    b = page.b
    b.run("document.getElementById('chart').scrollIntoView({block: 'center'})")
    s = max((i for i, s in enumerate(page.plan["storages"]) if page.plan["pools"][s["pool"]]["kind"] == "arena"),
            key=lambda i: page.plan["storages"][i]["size"] * (1 + page.plan["storages"][i]["last"] - page.plan["storages"][i]["first"]))
    box = b.run("return tenure.boxOf(arguments[0])", s)
    chart = page.element("chart")
    dx, dy = box["x"] + box["w"] / 2 - chart.size["width"] / 2, box["y"] + box["h"] / 2 - chart.size["height"] / 2
    ActionChains(b.driver).move_to_element_with_offset(chart, int(dx), int(dy)).perform()
    tip = b.run("const t = document.getElementById('tip'); return t.hidden ? '' : t.textContent")
    ActionChains(b.driver).click().perform()
    b.settle()
    chosen = b.run("return tenure.state.chosen")
    if box["h"] > 3:
        name = page.plan["values"][chosen]["name"]
        fail_unless(chosen >= 0 and page.plan["values"][chosen]["storage"] == s, f"a click on storage {s} chooses {chosen}")
        fail_unless(name in tip and name in page.text("#chosen"), f"neither '{tip}' nor the panel names {name}")
        fail_unless(b.run("return document.querySelector('#rows tr.chosen').cells[0].textContent") == name, "its row is not shown")
    b.run("document.querySelectorAll('#rows tr[data-value]')[1].click()")
    fail_unless(b.run("return tenure.state.chosen") != chosen, "a click on a row chooses nothing")


def keyboard(page):
    b, driver = page.b, page.b.driver
    chart, whole = page.element("chart"), page.view()
    chart.click()
    chart.send_keys("+")
    near = page.view()
    fail_unless(near["x1"] - near["x0"] < whole["x1"] - whole["x0"], "+ does not come closer")
    chart.send_keys(Keys.ARROW_RIGHT)
    fail_unless(page.view()["x0"] > near["x0"], "the arrow does not move")
    ActionChains(driver).move_to_element(chart).scroll_by_amount(0, -300).perform()
    b.settle()
    chart.send_keys("0")
    fail_unless(page.view() == whole, "0 does not show all")
    chart.send_keys("/")
    fail_unless(driver.switch_to.active_element.get_attribute("id") == "search", "/ does not lead to the search")
    driver.switch_to.active_element.send_keys("zzzz", Keys.ESCAPE)
    fail_unless(page.text("#count") == f"{len(page.plan['values'])} values", "Esc does not end the search")
    page.element("window").send_keys(Keys.ARROW_DOWN)
    fail_unless(b.run("return tenure.state.chosen") >= 0, "the arrow chooses no row")


def plan_of(tenure, model, path):
    with open(emit(tenure, model, "json", path), encoding="utf-8") as f:
        plan = json.load(f)
    return {**plan, **plan["programs"][0]["variants"][0]}


def check_model(tenure, b, work, name, model):
    page = Page(b, plan_of(tenure, model, os.path.join(work, name + ".json")))
    path = emit(tenure, model, "html", os.path.join(work, name + ".html"))
    for dark in (False, True):
        for width in (WIDE, NARROW):
            b.look(width, dark=dark)
            b.open(path)
            layout(page, width)
            b.keep(f"{name}-{'dark' if dark else 'light'}-{'wide' if width == WIDE else 'narrow'}")
    b.look(WIDE)
    b.open(path)
    seen = geometry(page)
    table(page)
    search(page)
    pointing(page)
    keyboard(page)
    silent(b)
    print(f"{name}: {os.path.getsize(path)} bytes, {seen} storages found where the plan has them")
    return path


def on_paper(b, path, work):
    b.open(path)
    pdf = base64.b64decode(b.driver.execute_cdp_cmd("Page.printToPDF", {})["data"])
    with open(os.path.join(work, "printed.pdf"), "wb") as f:
        f.write(pdf)
    fail_unless(pdf.startswith(b"%PDF") and len(pdf) > 20000, "nothing is printed")


def without_scripts(b, path):
    b.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    b.open(path, painted=False)
    b.driver.find_element(By.TAG_NAME, "summary").click()
    fail_unless("plan of" in b.driver.find_element(By.TAG_NAME, "pre").text, "the report is not there without scripts")
    b.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def hostile(tenure, b, work):
    """Names that are markup are text, and no policy is broken."""
    model = os.path.join(TOP, "tests", "text", "backends", "Inputs", "markup.tir")
    b.open(emit(tenure, model, "html", os.path.join(work, "hostile.html")))
    shown = b.run("return [...document.querySelectorAll('#rows .c-name')].map((c) => c.textContent)")
    fail_unless("<script>alert('1')</script>" in shown, shown)
    fail_unless(b.run("return document.scripts.length") == 2 and not b.complaints(), "a name is more than text")


def limited(tenure, b, model, work):
    path = os.path.join(work, "limited.html")
    b.open(emit(tenure, model, "html,values=100", path))
    note = b.run("const n = document.getElementById('left-out'); return n.hidden ? '' : n.textContent")
    fail_unless("values: those of the peak" in note and os.path.getsize(path) < 400_000, f"{os.path.getsize(path)} bytes: {note}")
    fail_unless(b.run("return tenure.plan.pools[tenure.state.pool].live.length") > 1000, "the line of bytes alive is cut as well")


def several(tenure, b, work):
    """Variants are to choose from; the address says which is shown."""
    model, path = os.path.join(TOP, "tests", "text", "backends", "Inputs", "variants.tir"), os.path.join(work, "several.html")
    b.open(emit(tenure, model, "html", path, "--dim=n=1,8"))
    arenas = [b.run("return tenure.plan.figures.arena")]
    b.run("document.body.dataset.painted = ''; const s = document.getElementById('plans'); s.value = 1; s.onchange()")
    b.wait()
    arenas.append(b.run("return tenure.plan.figures.arena"))
    fail_unless(arenas == [256, 2048] and b.driver.current_url.endswith("#1"), f"{arenas} at {b.driver.current_url}")
    silent(b)


def pictures(tenure, b, work):
    """The legend, the axes and the title of the static picture stand clear of each other; so do the parts of a diff."""
    model = browser.small(work)
    b.look(WIDE)
    b.open(emit(tenure, model, "svg", os.path.join(work, "plan.svg")), painted=False)
    fail_unless(b.run(OVERLAPS, "svg > text") == "", f"texts overlap: {b.run(OVERLAPS, 'svg > text')}")
    b.keep("svg")
    plans = [emit(tenure, model, "json", os.path.join(work, f"{level}.json"), level) for level in ("-O1", "-O2")]
    page = os.path.join(work, "diff.html")
    browser.subprocess.run([tenure, "diff", *plans, "--format=html", "-o", page], check=True)
    for width in (WIDE, NARROW):
        b.look(width, dark=width == WIDE)
        b.open(page, painted=False)
        fail_unless(b.run("return document.querySelectorAll('figure svg').length") == 2, "a chart is missing")
        fail_unless(b.run(OVERLAPS, "figure, body > table, h2, body > p") == "", "parts of the page overlap")
        beside = b.run("const [a, b] = document.querySelectorAll('figure'); return a.getBoundingClientRect().top === b.getBoundingClientRect().top")
        fail_unless(beside == (width == WIDE) and not b.complaints(), "the charts are not side by side")
        b.keep(f"diff-{width}")


def main():
    tenure, work = sys.argv[1:3]
    os.makedirs(work, exist_ok=True)
    b = browser.Browser(work)
    try:
        paths = {name: check_model(tenure, b, work, name, model(work)) for name, model in MODELS.items()}
        on_paper(b, paths["60"], work)
        without_scripts(b, paths["60"])
        hostile(tenure, b, work)
        several(tenure, b, work)
        limited(tenure, b, MODELS["3000"](work), work)
        pictures(tenure, b, work)
    finally:
        b.close()


if __name__ == "__main__":
    main()
