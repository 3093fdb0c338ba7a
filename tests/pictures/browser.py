"""A headless Chromium for pages of tenure, and models of a given size to make pages of."""

import os
import shutil
import subprocess
import sys
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "bench"))
import scale  # noqa: E402

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
except ImportError:
    webdriver = None


def missing():
    """What is not there, or None."""
    return ("the package selenium" if webdriver is None else "chromedriver" if not shutil.which("chromedriver") else
            "chromium" if not shutil.which("chromium") else None)


def small(folder):
    return os.path.join(TOP, "examples", "models", "squeezenet1_1.onnx")


def of_size(n, make=scale.tangle):
    def model(folder):
        path = os.path.join(folder, f"{make.__name__}{n}.onnx")
        if not os.path.exists(path):
            scale.write(path, make, n)
        return path
    return model


def emit(tenure, model, kind, path, *options):
    subprocess.run([tenure, "plan", model, "-q", f"--emit={kind}", "-o", path, *options], check=True)
    return path


class Browser:
    """Opens files; keep screenshots in `folder`."""

    def __init__(self, folder):
        options = Options()
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--force-color-profile=srgb", "--disable-dev-shm-usage"):
            options.add_argument(argument)
        options.binary_location = shutil.which("chromium")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
        self.folder = folder

    def close(self):
        self.driver.quit()

    def look(self, width, height=900, dark=False):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})

    def open(self, path, painted=True):
        self.driver.get("about:blank")
        self.driver.get("file://" + os.path.abspath(path))
        if painted:
            self.wait()

    def wait(self):
        until = time.monotonic() + 60
        while not self.run("return document.body && document.body.dataset.painted"):
            if time.monotonic() > until:
                raise AssertionError(f"{self.driver.current_url}: nothing is painted after a minute: {self.complaints()}")
            time.sleep(0.02)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def settle(self):
        """Waits for what the page draws in its next frame."""
        self.driver.execute_async_script("const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()));")

    def complaints(self):
        """Errors, and what a policy refuses; advice on speed is for tests that read pixels."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["source"] != "rendering"]

    def keep(self, name):
        self.driver.save_screenshot(os.path.join(self.folder, name + ".png"))
