#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""Doxygen's filter for Markdown files: links.py FILE prints the file with links as Doxygen resolves them.

The pages are written for readers of the sources, too: their links name files and headings. Each page and heading gets a
name here, and each link the name of its target. A link to a file that is no page becomes the file's path. A link to a
heading that is not there becomes a warning of Doxygen's.
"""
import os
import re
import sys

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
PAGES = os.environ["CULLET_PAGES"].split(":")  # relative to ROOT


def name_of(page):
    """The name of a page's HTML file."""
    folder, file = os.path.split(page)
    return os.path.splitext(file)[0] if folder == "bridge/manual" else "page_" + re.sub(r"\W", "_", folder or "readme")


def slug_of(heading):
    """The anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", re.sub(r"[`*]", "", heading).lower()).replace(" ", "-")


def resolved(link, page):
    text, target = re.sub(r"\s+", " ", link[1]).replace("`", ""), link[2]  # what Doxygen reads: a line, no code
    path, _, anchor = target.partition("#")
    if re.match(r"\w+:", target):
        return link[0]
    path = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
    if path in PAGES:
        return f"[{text}](@ref {name_of(path)}{'_' + anchor if anchor else ''})"
    if not os.path.exists(os.path.join(ROOT, path)):
        return f"[{text}](@ref no_such_file)"
    return f"`{path}`" if text == os.path.basename(path) else f"{text} (`{path}`)"


def main():
    page = os.path.relpath(os.path.realpath(sys.argv[1]), ROOT)
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    parts = re.split(r"(^```.*?^```$|^    .*?$)", text, flags=re.MULTILINE | re.DOTALL)
    names = set()

    def named(heading):
        marks, title = heading[1], heading[2]
        name = name_of(page) + ("" if marks == "#" else "_" + slug_of(title))
        names.add(name)
        return f"{marks} {title} {{#{name}}}"

    for i in range(0, len(parts), 2):
        parts[i] = re.sub(r"(?<!!)\[((?:[^][]|\n)*?)\]\(([^()\s]+)\)", lambda link: resolved(link, page), parts[i])
        parts[i] = re.sub(r"!\[([^]]*)\]\(([^()\s]+)\)", lambda m: f"![{m[1]}]({os.path.basename(m[2])})", parts[i])
        parts[i] = re.sub(r"\*\*(`[^*]+)\*\*", r"<b>\1</b>", parts[i])  # Doxygen reads no code after **
        parts[i] = re.sub(r"^(#{1,4}) (.*)$", named, parts[i], flags=re.MULTILINE)
    sys.stdout.write("".join(parts))


main()
