# SPDX-License-Identifier: Zlib
"""A display without a screen (Xvfb), and a mouse and keys for it (xdotool)."""
import os
import struct
import subprocess
import tempfile
import time


class Display:
    def __init__(self, width=1280, height=800):
        self.folder = tempfile.TemporaryDirectory()
        read, write = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{width}x{height}x24", "-fbdir", self.folder.name,
             "-nolisten", "tcp"], pass_fds=(write,), stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as number:
            self.environment = dict(os.environ, DISPLAY=":" + number.readline().strip(), LIBGL_ALWAYS_SOFTWARE="1")
        self.environment.pop("WAYLAND_DISPLAY", None)

    def __enter__(self):
        return self

    def __exit__(self, *arguments):
        self.server.kill()
        self.server.wait()
        self.folder.cleanup()

    def do(self, *command):
        """Runs an xdotool command, for example do("key", "b"). Returns what it prints."""
        result = subprocess.run(["xdotool", *map(str, command)], env=self.environment, check=True,
                                stdout=subprocess.PIPE, text=True).stdout
        time.sleep(0.2)
        return result.strip()

    def picture(self):
        """Width, height and the pixels (red, green, blue), as pixels.read returns them. Reads Xvfb's file, an XWD."""
        with open(os.path.join(self.folder.name, "Xvfb_screen0"), "rb") as file:
            data = file.read()
        header = struct.unpack(">25I", data[:100])
        size, width, height, line, colours = header[0], header[4], header[5], header[12], header[19]
        start = size + 12 * colours
        result = []
        for y in range(height):
            row = data[start + y * line:start + y * line + 4 * width]
            result += zip(row[2::4], row[1::4], row[0::4])
        return width, height, result
