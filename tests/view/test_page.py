# SPDX-License-Identifier: Zlib
"""The viewer's page in Chromium, without a display, driven by mouse, keys and touches for about a minute.

    test_page.py FOLDER PICTURES     FOLDER: the page's; PICTURES: where its pictures are kept
"""
import os
import re
import sys
import time
import unittest

sys.path.append(os.path.join(os.path.dirname(__file__), "..", "support"))

import pixels
from browser import Browser, serve

SCENE = (700, 300)
REPORT = "Module.ccall('cullet_report', 'string')"
CONTEXT = "document.getElementById('canvas').getContext('webgl2')"


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.address = serve(FOLDER)

    def setUp(self):
        self.browser = self.enterContext(Browser("chromium"))

    def tearDown(self):
        self.assertEqual(self.browser.errors, [])

    def load(self):
        self.browser.open(self.address)
        self.browser.wait_for(f"typeof Module === 'object' && Module.ccall && {REPORT}.length > 0")

    def report(self):
        return self.browser.evaluate(REPORT)

    def step(self):
        return int(re.match(r"step (\d+)", self.report()).group(1))

    def picture(self, name):
        path = os.path.join(PICTURES, name + ".png")
        self.browser.screenshot(path)
        return pixels.read(path)

    def scene(self, name):
        """The pixels of the scene, without the panel and the strips."""
        width, _, all_pixels = self.picture(name)
        return [all_pixels[y * width + 345:(y + 1) * width] for y in range(500)]

    def touch(self, *moments):
        """Moves fingers: each moment is the list of their places. Waits for a frame after each."""
        for event, places in zip(("touchStart", *["touchMove"] * (len(moments) - 1)), moments):
            self.browser.ask("Input.dispatchTouchEvent", type=event, touchPoints=[{"x": x, "y": y} for x, y in places])
            time.sleep(0.4)
        self.browser.ask("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        time.sleep(0.4)

    def wait_until(self, holds, what, seconds=60):
        end = time.monotonic() + seconds
        while not holds():
            self.assertLess(time.monotonic(), end, what)
            time.sleep(0.2)

    def drag(self, kind):
        """Drags by the mouse or by a finger."""
        x, y = SCENE
        if kind == "mouse":
            self.browser.mouse("mousePressed", x, y)
            self.browser.mouse("mouseMoved", x + 200, y + 20, buttons=1)
            self.browser.mouse("mouseReleased", x + 200, y + 20)
            return
        self.touch([(x, y)], [(x + 200, y + 20)])

    def test_a_minute_of_play(self):
        self.load()
        begin = time.monotonic()
        self.wait_until(lambda: self.step() > 60, "60 steps are made")
        shown = self.picture("race")
        for fits in (pixels.is_orange, pixels.is_blue, pixels.is_green):
            self.assertGreater(pixels.count(shown, fits), 1000)
        self.assertRegex(self.report(), r"cullet is [\d.]+ times as fast as dbvt: [\d.]+ ms a step against [\d.]+ ms")
        self.assertRegex(self.report(), r"cullet: \d+ pairs, 0 of them do not overlap, 0 missing")
        self.browser.key("p")
        self.browser.key("b")
        self.picture("pairs")
        self.browser.key("p")
        self.browser.key("b")
        self.browser.key(" ")
        time.sleep(1)
        paused = self.step()
        for kind in ("mouse", "finger"):
            before = self.scene("before")
            self.drag(kind)
            self.wait_until(lambda: self.scene(kind) != before, f"a {kind} turns the scene")
        x, y = SCENE
        for what, zoom in (("a wheel", lambda: self.browser.mouse("mouseWheel", x, y, "none", deltaX=0, deltaY=120)),
                           ("two fingers", lambda: self.touch([(x - 70, y), (x + 70, y)], [(x - 50, y), (x + 50, y)]))):
            orange = pixels.count(self.picture("before"), pixels.is_orange)
            zoom()
            self.wait_until(lambda: 0.5 * orange < pixels.count(self.picture("zoomed"), pixels.is_orange) < 0.9 * orange,
                            f"{what} makes bodies a little smaller")
        before = self.scene("before")
        self.touch([(x - 50, y), (x + 50, y)], [(x + 50, y), (x + 150, y)])
        self.wait_until(lambda: self.scene("shifted") != before, "two fingers shift the scene")
        self.assertEqual(paused, self.step())
        self.browser.key("s")
        self.wait_until(lambda: self.step() == paused + 1, "a key makes one step")
        self.browser.key(" ")
        while time.monotonic() < begin + 60:
            self.drag("mouse")
            self.browser.mouse("mouseWheel", *SCENE, "none", deltaX=0, deltaY=-50)
        self.assertGreater(self.step(), paused + 3)
        self.picture("end")

    def test_a_lost_context_comes_back(self):
        self.load()
        self.browser.evaluate(f"window.loss = {CONTEXT}.getExtension('WEBGL_lose_context'); loss.loseContext()")
        time.sleep(1)
        lost = self.step()
        self.browser.evaluate("loss.restoreContext()")
        self.wait_until(lambda: self.step() > lost, "the viewer goes on")
        self.assertGreater(pixels.count(self.picture("restored"), pixels.is_orange), 1000)

    def test_a_window_of_no_size_survives(self):
        self.load()
        for width, height in ((1, 1), (500, 400)):
            self.browser.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                             mobile=False)
            step = self.step()
            self.wait_until(lambda: self.step() > step + 1, "the viewer goes on")

    def test_a_browser_that_lacks_something_says_so_in_one_line(self):
        for broken, expected in (("HTMLCanvasElement.prototype.getContext = () => null", "has no WebGL 2"),
                                 ("WebAssembly.validate = () => false", r"has no WebAssembly with vectors \(SIMD\)")):
            script = self.browser.ask("Page.addScriptToEvaluateOnNewDocument", source=broken)["identifier"]
            self.browser.open(self.address)
            self.browser.wait_for("document.getElementById('message')?.textContent.startsWith('This browser')")
            self.assertRegex(self.browser.evaluate("document.getElementById('message').textContent"), expected)
            self.browser.ask("Page.removeScriptToEvaluateOnNewDocument", identifier=script)


if __name__ == "__main__":
    FOLDER, PICTURES = sys.argv[1:3]
    os.makedirs(PICTURES, exist_ok=True)
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
