"""Tries the page of web/ in a headless Chromium, from a disk, as a person would: chooses models, options by keyboard alone,
explains, compares, makes files, gives up what takes long, and opens what means harm. What it makes is what the command
makes.

usage: web.py PAGE TENURE [FOLDER]      screenshots stay in FOLDER
"""

import os
import subprocess
import sys
import tempfile
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(TOP, "tests", "pictures"), os.path.join(TOP, "tests", "names")]
import browser  # noqa: E402
import hostile  # noqa: E402

MODELS = os.path.join(TOP, "examples", "models")
SQUEEZENET = os.path.join(MODELS, "squeezenet1_1.onnx")
MOST = 2 << 20  # of the library, packed


class Page:
    def __init__(self, path, tenure, folder):
        self.browser = browser.Browser(folder)
        self.driver, self.path, self.tenure, self.folder = self.browser.driver, os.path.abspath(path), os.path.abspath(tenure), folder
        self.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": folder})

    def open(self):
        self.driver.get("about:blank")
        self.driver.get("file://" + self.path)
        self.until("return document.body.dataset.ready")

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def until(self, script, *arguments):
        """Gives up a page that does nothing."""
        end = time.monotonic() + 300
        while not (value := self.run(script, *arguments)):
            if time.monotonic() > end:
                raise AssertionError(f"never: {script}; the page says {self.status()!r} and {self.messages()!r}")
            time.sleep(0.01)
        return value

    def status(self):
        return self.run("return document.getElementById('status').textContent")

    def messages(self):
        return self.run("return document.getElementById('messages').innerText")

    def settled(self):
        """What the page says when nothing runs any more."""
        self.until("return document.getElementById('cancel').disabled")
        return self.status()

    def choose(self, which, path):
        self.driver.find_element("id", f"file{which}").send_keys(path)
        return self.settled()

    def set(self, field, value):
        self.run("document.getElementById(arguments[0]).value = arguments[1]", field, value)

    def plan(self):
        self.driver.find_element("id", "plan").click()
        return self.settled()

    def tab(self, name):
        self.run("show(arguments[0])", name)
        return self.run("return document.getElementById('panel').textContent")

    def press(self, *keys):
        browser.webdriver.ActionChains(self.driver).send_keys(*keys).perform()

    def focused(self):
        return self.run("return document.activeElement.id || document.activeElement.textContent")

    def files(self, what):
        """The bytes of the files that a button of the list makes, as a person gets them."""
        self.tab("Files")
        button = next(b for b in self.driver.find_elements("css selector", "#panel button") if b.text == "make " + what)
        button.click()
        check(self.settled() == "written", f"{self.status()} {self.messages()}")
        made = {}
        for link in self.driver.find_elements("css selector", "#panel a"):
            path = os.path.join(self.folder, link.get_attribute("download"))
            if os.path.exists(path):
                os.remove(path)
            link.click()
            size = int(link.text.rpartition("(")[2].split()[0].replace(",", ""))
            end = time.monotonic() + 60
            while not (os.path.exists(path) and os.path.getsize(path) == size):
                assert time.monotonic() < end, f"{path} is not loaded down"
                time.sleep(0.02)
            with open(path, "rb") as f:
                made[os.path.basename(path)] = f.read()
        return made

    def command(self, *words):
        return subprocess.run([self.tenure, *words], capture_output=True, check=True).stdout.decode()


def check(condition, what):
    if not condition:
        raise AssertionError(what)


def same_files(page, model, what, kind, name):
    """The page's files of a kind are the command's, byte for byte."""
    with tempfile.TemporaryDirectory() as folder:
        page.command("plan", model, "-q", f"--emit={kind}", "-o", os.path.join(folder, name))
        made = page.files(what)
        check(set(made) == set(os.listdir(folder)), f"{kind}: files {sorted(made)}")
        for file, data in made.items():
            with open(os.path.join(folder, file), "rb") as f:
                check(f.read() == data, f"{kind}: {file} is another one than the command's")
    return len(made)


def try_files(page):
    page.open()
    said = page.choose(0, SQUEEZENET)
    check(said.startswith("planned in"), said)
    check(page.tab("Report") == page.command("plan", SQUEEZENET), "the report")
    n = sum(same_files(page, SQUEEZENET, *row) for row in [
        ("offsets as a C header", "c-header", "squeezenet1_1.h"), ("the plan as JSON", "json", "squeezenet1_1.json"),
        ("a picture", "svg", "squeezenet1_1.svg"), ("buffers as CSV", "csv", "squeezenet1_1.csv"),
        ("this page of the plan", "html", "squeezenet1_1.html")])
    page.set("target", "--emit=c-program")
    page.plan()
    n += same_files(page, SQUEEZENET, "a C program without the weights", "c-program,weights=none", "squeezenet1_1.c")
    page.set("target", "")
    page.plan()
    made = page.files("the model with its plan")
    path = os.path.join(page.folder, *made)
    check("the plan is right" in page.command("check", path), "the model with its plan")
    print(f"squeezenet: {said}; {n} files are the command's, and the command finds the plan in the model right")


def try_explain(page):
    page.open()
    page.choose(0, SQUEEZENET)
    page.tab("Explain")
    page.driver.find_element("css selector", "#panel input").send_keys("conv1_output_0", "\n")
    page.settled()
    said = page.run("return document.querySelector('#panel pre').textContent")
    check(said == page.command("explain", SQUEEZENET, "conv1_output_0"), "what is explained of a tensor")
    said = page.choose(1, os.path.join(MODELS, "ds_cnn.onnx"))
    check(said.startswith("planned in"), said)
    page.tab("Difference")
    page.until("return document.querySelector('#panel iframe')")
    check(page.run("return document.querySelector('#panel iframe').srcdoc").count("ds_cnn") > 0, "the difference")
    print("explain says what the command says, and two models are compared")


def fit_page(page, ram, folder):
    """What the page tries for a budget is what the command tries."""
    page.tab("Fit")
    field = page.driver.find_element("css selector", "#panel input")
    field.clear()
    field.send_keys(ram, "\n")
    said = page.settled()
    page.until("return document.querySelector('#panel iframe')?.srcdoc")
    path = os.path.join(folder, "fit.html")
    subprocess.run([page.tenure, "fit", os.path.basename(SQUEEZENET), f"--ram={ram}", "-q", f"--report={path}"], cwd=MODELS,
                   stderr=subprocess.DEVNULL, check=False)
    with open(path, encoding="utf-8") as f:
        check(page.run("return document.querySelector('#panel iframe').srcdoc") == f.read(), f"{ram}: the page of what was tried")
    return said


def try_fit(page):
    page.open()
    page.choose(0, SQUEEZENET)
    with tempfile.TemporaryDirectory() as folder:
        said = fit_page(page, "2500K", folder)
        check(said.startswith("fits"), said)
        page.driver.save_screenshot(os.path.join(page.folder, "fit.png"))
        path = os.path.join(folder, "squeezenet1_1.csv")
        subprocess.run([page.tenure, "fit", SQUEEZENET, "--ram=2500K", "-q", "--emit=csv", "-o", path], check=True)
        made = page.files("buffers as CSV")
        with open(path, "rb") as f:
            check(made == {"squeezenet1_1.csv": f.read()}, "files of what fits")
        refused = fit_page(page, "1K", folder)
    check(refused == "it does not fit", refused)
    page.plan()
    check(page.tab("Report") == page.command("plan", SQUEEZENET), "and then a plan without a budget")
    print(f"fit: {said}, with the files of that plan; 1K: {refused}")


def try_dims(page):
    page.open()
    said = page.choose(0, os.path.join(MODELS, "gpt_decoder.onnx"))
    names = page.run("return Array.from(document.querySelectorAll('#dims input'), (i) => i.name)")
    check(names == ["batch", "past"] and said.startswith("planned in"), f"{names} {said}")
    check(page.tab("Report") == page.command("plan", os.path.join(MODELS, "gpt_decoder.onnx"), "--dim=batch=1", "--dim=past=1"),
          "the report with dimensions bound")
    page.set("more", "--align=3")
    said = page.plan()
    check("align" in page.messages() and not said.startswith("planned"), f"{said} {page.messages()}")
    print("dimensions are asked for; a mistake is said:", page.messages().splitlines()[0])


def try_keyboard(page):
    """From the file (which a person chooses in a window of the system) to the files made, without a pointer."""
    keys = browser.webdriver.common.keys.Keys
    page.open()
    page.choose(0, SQUEEZENET)
    page.run("document.getElementById('file0').focus()")
    path = [page.focused()]
    for _ in range(3):
        page.press(keys.TAB)
        path.append(page.focused())
    check(path == ["file0", "file1", "level", "target"], path)
    page.run("document.getElementById('level').focus()")
    page.press("3")
    while page.focused() != "plan":
        page.press(keys.TAB)
    page.press(keys.ENTER)
    said = page.settled()
    check("O = 3" in page.command("plan", SQUEEZENET, "-O3", "--emit=html", "-o", "-"), "the command's pages say the level")
    page.until("return document.querySelector('#panel iframe')?.srcdoc.includes('O = 3')")
    page.run("document.getElementById('plan').focus()")
    for _ in range(4):  # past Cancel, which is off
        page.press(keys.TAB)
        if page.focused() == "Plan":
            break
    check(page.run("return document.activeElement.getAttribute('role')") == "tab", page.focused())
    for name in ("Report", "Fit", "Explain", "Files"):
        page.press(keys.ARROW_RIGHT)
        check(page.focused() == name, page.focused())
    page.press(keys.TAB)
    page.press(keys.TAB)
    check(page.focused() == "make offsets as a C header", page.focused())
    page.press(keys.ENTER)
    page.settled()
    check(page.focused().startswith("squeezenet1_1.h"), page.focused())
    print("keyboard alone:", said)


def try_looks(page):
    page.open()
    page.choose(0, SQUEEZENET)
    for name, width, dark in (("light-wide", 1300, False), ("dark-wide", 1300, True), ("light-narrow", 390, False),
                              ("dark-narrow", 390, True)):
        page.browser.look(width, 1500, dark)
        page.tab("Plan")
        page.until("return document.querySelector('#panel iframe')")
        page.driver.switch_to.frame(0)
        page.until("return document.body.dataset.painted")
        page.driver.switch_to.default_content()
        wide = page.run("return document.documentElement.scrollWidth")
        check(wide <= width, f"{name}: {wide} points of {width}")
        page.driver.save_screenshot(os.path.join(page.folder, name + ".png"))
    page.tab("Explain")
    page.driver.find_element("css selector", "#panel button").click()
    page.settled()
    page.driver.save_screenshot(os.path.join(page.folder, "explain.png"))
    page.tab("Files")
    page.driver.save_screenshot(os.path.join(page.folder, "files.png"))
    page.browser.look(1300)


def try_sizes(page, folder):
    for n in (60, 3000, 15000):
        page.open()
        print(f"{n} values:", page.choose(0, browser.of_size(n)(folder)))
        check(page.status().startswith("planned in"), page.messages())
    page.set("level", "-O3")  # which takes long
    page.driver.find_element("id", "plan").click()
    page.until("return / s$/.test(document.getElementById('status').textContent)")
    doing = page.status()
    page.driver.find_element("id", "cancel").click()
    check(page.settled() == "cancelled", page.status())
    page.set("level", "-O0")
    said = page.plan()
    check(said.startswith("planned in"), said)
    print(f"cancelled at '{doing}', and then {said}")


def try_harm(page, folder):
    names = os.path.join(folder, "harm.tir")
    with open(names, "w", encoding="latin-1") as f:
        f.write(hostile.model(lambda i: hostile.NAMES[i % len(hostile.NAMES)] + str(i).encode()))
    huge = os.path.join(folder, "huge.tir")
    with open(huge, "w", encoding="ascii") as f:
        f.write('tir 1 module "huge" ir_version 10 opset "" 17\ngraph "g" { input %x: f32[1152921504606846976,1152921504606846976]\n'
                '%y: f32[1152921504606846976,1152921504606846976] = Relu(%x)\nreturn %y }\n')
    noise = os.path.join(folder, "noise.onnx")
    with open(noise, "wb") as f:
        f.write(bytes(range(256)) * 64)
    for path in (names, huge, noise):
        page.open()
        said = page.choose(0, path)
        for name in ("Plan", "Report", "Explain", "Files"):
            page.run("if (made[arguments[0]]) show(arguments[0])", name)
        check(page.run("return document.querySelectorAll('body script:not([type]), body img, body b').length") == 1, path)
        print(f"{os.path.basename(path)}: {said}: {page.messages()[:110]!r}")
        check(page.choose(0, SQUEEZENET).startswith("planned in"), "and after it another")
    complaints = [entry["message"] for entry in page.driver.get_log("browser") if entry["level"] == "SEVERE"]
    check(not complaints, complaints)


def main():
    if what := browser.missing():
        print(f"{what} is missing")
        return 77
    path, tenure = sys.argv[1:3]
    with open(path, encoding="utf-8") as f:
        packed = len(f.read().partition('id="wasm">')[2].partition("<")[0]) * 3 // 4
    check(packed <= MOST, f"the library has {packed} bytes, packed")
    with tempfile.TemporaryDirectory() as folder:
        shots = os.path.abspath(sys.argv[3]) if len(sys.argv) > 3 else folder
        os.makedirs(shots, exist_ok=True)
        page = Page(path, tenure, shots)
        try:
            try_files(page)
            try_explain(page)
            try_fit(page)
            try_dims(page)
            try_keyboard(page)
            try_looks(page)
            try_sizes(page, folder)
            try_harm(page, folder)
        finally:
            page.browser.close()
    print(f"the library has {packed} bytes, packed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
