# SPDX-License-Identifier: Zlib
"""Reads PNG pictures, and counts pixels by colour.

    pixels.py FILE          prints width, height, and the pixels of orange, blue, green and red
"""
import struct
import sys
import zlib


def read(path):
    """Returns width, height and the pixels, each (red, green, blue), row by row."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise ValueError(f"{path} is no PNG")
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", data[at + 8:at + 18])
        elif kind == b"IDAT":
            packed += data[at + 8:at + 8 + size]
        at += size + 12
    channels = {2: 3, 6: 4}[colour]
    if depth != 8:
        raise ValueError(f"{path} has not 8 bits a channel")
    return width, height, pixels(zlib.decompress(packed), width, height, channels)


def pixels(lines, width, height, channels):
    result, stride = [], width * channels
    above = bytearray(stride)
    for y in range(height):
        start = y * (stride + 1)
        above = unfiltered(lines[start], bytearray(lines[start + 1:start + 1 + stride]), above, channels)
        result += zip(above[0::channels], above[1::channels], above[2::channels])
    return result


def unfiltered(kind, line, above, step):
    """Undoes the filter of a line: each byte was stored as its difference from a prediction."""
    for k in range(len(line)) if kind else ():
        left = line[k - step] if k >= step else 0
        corner = above[k - step] if k >= step else 0
        if kind == 4:
            distances = (abs(above[k] - corner), abs(left - corner), abs(left + above[k] - 2 * corner))
            predicted = (left, above[k], corner)[distances.index(min(distances))]
        else:
            predicted = (0, left, above[k], (left + above[k]) // 2)[kind]
        line[k] = (line[k] + predicted) & 255
    return line


def count(picture, fits):
    return sum(1 for pixel in picture[2] if fits(*pixel))


# What a picture of bodies consists of.
def is_orange(red, green, blue):
    return red > 120 and red > green + 40 and green > blue + 20


def is_blue(red, green, blue):
    return blue > 90 and blue > red + 50 and blue > green + 30


def is_green(red, green, blue):
    return green > 70 and green > red + 30 and green > blue + 10


def is_red(red, green, blue):
    return red > 150 and red > green + 90 and red > blue + 60


if __name__ == "__main__":
    picture = read(sys.argv[1])
    print(*picture[:2], *(count(picture, fits) for fits in (is_orange, is_blue, is_green, is_red)))
