# SPDX-License-Identifier: Zlib
"""The installed package: its version, types and dependencies, and `python -m cullet`."""

import re
import subprocess
import sys
import unittest
from importlib import metadata
from pathlib import Path

import cullet

EXAMPLE = Path(__file__).parents[2] / "bridge/python/examples/pairs_over_time.py"


def run(*arguments):
    return subprocess.run([sys.executable, *arguments], check=True, capture_output=True, text=True).stdout


class Package(unittest.TestCase):
    def test_all_that_has_a_version_has_the_same(self):
        self.assertEqual(cullet.__version__, cullet.version())
        self.assertEqual(metadata.version("cullet"), cullet.version())

    def test_it_needs_numpy_only(self):
        self.assertEqual([re.split("[<>=]", need)[0] for need in metadata.requires("cullet")], ["numpy"])
        self.assertIn("zlib", (metadata.metadata("cullet")["License-Expression"] or "").lower())

    def test_types_and_words_are_there(self):
        self.assertTrue((Path(cullet.__file__).parent / "py.typed").exists())
        for name in cullet.__all__:
            self.assertTrue(getattr(cullet, name).__doc__, name)
        for kind in (cullet.Broadphase, cullet.MeshSet):
            for name in dir(kind):
                if not name.startswith("_"):
                    self.assertTrue(getattr(kind, name).__doc__, name)

    def test_info(self):
        lines = run("-m", "cullet").splitlines()
        self.assertEqual(lines[0], f"cullet     {cullet.version()}")
        self.assertEqual([line.split()[0] for line in lines[1:]], ["Python", "system", "cpu", "cuda", "auto", "and"])
        self.assertIn("takes cpu: ", lines[-2])

    def test_statistics(self):
        broadphase = cullet.Broadphase([[0, 0, 0, 1, 1, 1], [1, 1, 1, 2, 2, 2]])
        self.assertEqual(broadphase.stats().algorithm, "auto")
        broadphase.update()
        stats = broadphase.stats()
        self.assertEqual((stats.device, stats.proxies, stats.began, stats.ended, stats.changed), ("cpu", 2, 1, 0, 2))
        self.assertEqual(stats.total_ms, 0)  # too few boxes to be timed
        self.assertGreater(stats.host_bytes, 0)
        self.assertTrue(stats.reason and stats.device_reason)
        for algorithm in ("bruteForce", "grid", "lbvh", "wide", "frontier"):
            named = cullet.Broadphase([[0, 0, 0, 1, 1, 1]] * 2, algorithm=algorithm, device="cpu")
            named.update()
            self.assertEqual((named.stats().algorithm, named.stats().reason), (algorithm, "asked for"))
            self.assertGreater(named.stats().total_ms, 0)


if __name__ == "__main__":
    unittest.main()
