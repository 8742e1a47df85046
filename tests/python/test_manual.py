# SPDX-License-Identifier: Zlib
"""The snippets of the manual and of the package's README run."""

import re
import runpy
import unittest
from pathlib import Path

HERE = Path(__file__).parent


class Snippets(unittest.TestCase):
    def test_those_of_the_manual_run(self):
        runpy.run_path(str(HERE / "manual.py"))

    def test_those_of_the_readme_run(self):
        readme = (HERE.parents[1] / "bridge/python/README.md").read_text(encoding="utf-8")
        snippets = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
        self.assertTrue(snippets)
        for snippet in snippets:
            exec(snippet, {})


if __name__ == "__main__":
    unittest.main()
