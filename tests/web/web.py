"""Tries the page of web/ in a headless Chromium, from a file, as a person would: chooses models, by keyboard alone, looks
at the plan, explains, compares, makes files, gives up what takes long, and opens what means harm.

usage: web.py PAGE TENURE [FOLDER]      TENURE makes the same files on this machine; screenshots go to FOLDER
"""

import os
import sys
import tempfile
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "tests", "pictures"))
import browser  # noqa: E402

MODELS = os.path.join(TOP, "examples", "models")


class Page:
    def __init__(self, path, folder):
        self.browser = browser.Browser(folder)
        self.driver = self.browser.driver
        self.path = path

    def open(self):
        self.driver.get("about:blank")
        self.driver.get("file://" + os.path.abspath(self.path))
        self.until("return document.body.dataset.ready")

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def until(self, script, seconds=120):
        """Gives up a page that does nothing."""
        end = time.monotonic() + seconds
        while not (value := self.run(script)):
            if time.monotonic() > end:
                raise AssertionError(f"not within {seconds} s: {script}; the page says {self.status()!r} {self.messages()}")
            time.sleep(0.02)
        return value

    def status(self):
        return self.run("return document.getElementById('status').textContent")

    def messages(self):
        return self.run("return document.getElementById('messages').innerText")

    def settle(self):
        """Waits for the end of what runs."""
        self.until("return document.getElementById('cancel').disabled")
        return self.status()

    def choose(self, which, path):
        self.driver.find_element("id", f"file{which}").send_keys(path)
        self.until("return !waiting || document.getElementById('status').textContent !== 'ready: choose a model'")
        return self.settle()

    def tab(self, name):
        self.run("show(arguments[0])", name)
        return self.run("return document.getElementById('panel').innerText")

    def press(self, *keys):
        self.driver.switch_to.active_element.send_keys(*keys)

    def files(self, what):
        """The files that a button of the list makes: name and bytes."""
        self.tab("Files")
        self.run("for (const b of document.querySelectorAll('#panel button')) if (b.textContent === arguments[0]) b.click()",
                 "make " + what)
        self.settle()
        return dict(self.driver.execute_async_script("""
            const done = arguments[0];
            Promise.all(Array.from(document.querySelectorAll('#panel a'), async (a) => {
              const request = new XMLHttpRequest();
              const blob = blobs.get(a.href);
              return [a.download, Array.from(new Uint8Array(await blob.arrayBuffer())).map((b) => String.fromCharCode(b)).join('')];
            })).then(done)"""))


def main():
    if what := browser.missing():
        print(f"{what} is missing")
        return 77
    page_path, tenure = sys.argv[1:3]
    folder = sys.argv[3] if len(sys.argv) > 3 else tempfile.mkdtemp()
    page = Page(page_path, folder)
    try:
        page.open()
        print(page.status())
        print(page.choose(0, os.path.join(MODELS, "squeezenet1_1.onnx")))
        print(page.messages())
        page.browser.look(1300, 1700)
        time.sleep(2)
        page.driver.save_screenshot(os.path.join(folder, "one.png"))
        print(page.driver.get_log("browser"))
    finally:
        page.browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
