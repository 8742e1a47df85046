# SPDX-License-Identifier: Zlib
"""The window of `cullet view`, on a display without a screen, driven by mouse and keys.

    test_window.py CULLET
"""
import os
import subprocess
import sys
import time
import unittest

sys.path.append(os.path.join(os.path.dirname(__file__), "..", "support"))

import pixels
from display import Display

PROGRAM = sys.argv.pop()

# Places in the window, in pixels. The scene is right of the panel, above the strips.
PAUSE = (30, 110)
SCENE = (700, 300)


def is_yellow(red, green, blue):
    return red > 230 and green > 190 and blue < 60


class Window(unittest.TestCase):
    def setUp(self):
        self.display = self.enterContext(Display())
        self.start("--bodies", "100", "--broadphase", "cullet")

    def start(self, *arguments):
        self.viewer = subprocess.Popen([PROGRAM, "view", *arguments], env=self.display.environment,
                                       stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.stop)
        self.wait_until(lambda: self.count(pixels.is_orange) > 100, "bodies are shown")

    def stop(self):
        self.viewer.kill()
        self.viewer.communicate()

    def count(self, fits):
        return pixels.count(self.display.picture(), fits)

    def scene(self):
        """The pixels of the scene."""
        width, height, all_pixels = self.display.picture()
        return [all_pixels[y * width + 345:(y + 1) * width] for y in range(600)]

    def wait_until(self, holds, what):
        end = time.monotonic() + 60
        while not holds():
            self.assertIsNone(self.viewer.poll(), "the viewer has ended")
            self.assertLess(time.monotonic(), end, what)
            time.sleep(0.2)

    def click(self, x, y):
        """Each event has a frame of its own: a slow frame could begin after the button was released."""
        for command in (("mousemove", x, y), ("mousedown", 1), ("mouseup", 1)):
            self.display.do(*command)

    def still(self):
        """Waits until the scene stands still. Returns it."""
        def stands():
            before = self.scene()
            time.sleep(0.7)
            return before == self.scene()
        self.wait_until(stands, "the scene stands still")
        return self.scene()

    def pause(self):
        self.display.do("key", "space")
        return self.still()

    def test_keys_pause_and_step(self):
        before = self.scene()
        self.wait_until(lambda: self.scene() != before, "bodies move")
        paused = self.pause()
        self.display.do("key", "s")
        self.wait_until(lambda: self.scene() != paused, "a step changes the scene")

    def test_buttons_pause(self):
        self.click(*PAUSE)
        self.still()

    def test_the_mouse_turns_zooms_and_selects(self):
        before = self.pause()
        for command in (("mousemove", *SCENE), ("mousedown", 1), ("mousemove", SCENE[0] + 150, SCENE[1]), ("mouseup", 1)):
            self.display.do(*command)
        self.wait_until(lambda: self.scene() != before, "dragging turns the scene")
        turned = self.count(pixels.is_orange)
        self.display.do("mousemove", *SCENE, *["click", 5] * 2)
        self.wait_until(lambda: self.count(pixels.is_orange) < 0.9 * turned, "the wheel makes bodies smaller")
        self.assertLess(self.count(is_yellow), 10)
        width, _, all_pixels = self.display.picture()
        body = next(k for k, pixel in enumerate(all_pixels) if k % width > 600 and pixels.is_orange(*pixel))
        self.click(body % width + 1, body // width + 4)
        self.wait_until(lambda: self.count(is_yellow) > 10, "a click marks a body")

    def test_a_window_of_no_size_survives(self):
        window = self.display.do("search", "--name", "cullet")
        self.display.do("windowsize", window, 1, 1)
        time.sleep(1)
        self.display.do("windowsize", window, 1000, 700)
        self.wait_until(lambda: self.count(pixels.is_orange) > 100, "bodies are shown again")


if __name__ == "__main__":
    unittest.main()
