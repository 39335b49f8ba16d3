#!/usr/bin/env python3
"""The check of the headers says no: each test writes a small house and asks the compiler that is in CXX."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK = pathlib.Path(__file__).resolve().parents[2] / "tools" / "check_headers.py"
GOOD = "#pragma once\n#include <vector>\ninline std::vector<int> none() { return {}; }\n"
LACKING = GOOD.replace("#include <vector>\n", "")


class HeaderCheck(unittest.TestCase):
    def check(self, files):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = pathlib.Path(folder) / "src" / "touchstone" / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            done = subprocess.run([sys.executable, CHECK, "--root", folder, os.environ.get("CXX", "c++"), "-std=c++20"],
                                  capture_output=True, text=True)
            self.assertEqual(done.stderr, "")
            return done.returncode, done.stdout

    def test_a_header_that_includes_what_it_needs_passes(self):
        self.assertEqual(self.check({"math/vec.h": GOOD})[0], 0)

    def test_a_header_that_lacks_an_include_is_refused(self):
        code, said = self.check({"math/vec.h": GOOD, "math/pose.h": LACKING})
        self.assertEqual(code, 1)
        self.assertIn("touchstone/math/pose.h does not compile alone", said)
        self.assertNotIn("vec.h does not", said)

    def test_a_source_that_includes_the_header_second_proves_nothing(self):
        source = '#include <vector>\n#include "touchstone/math/pose.h"\n'
        self.assertEqual(self.check({"math/pose.h": LACKING, "math/pose.cpp": source})[0], 1)

    def test_a_source_that_includes_the_header_first_is_proof_enough(self):
        code, said = self.check({"math/pose.h": GOOD, "math/pose.cpp": '// why\n#include "touchstone/math/pose.h"\n'})
        self.assertEqual((code, said),
                         (0, "1 headers compile alone, 1 of them shown by a source that includes them first\n"))

    def test_a_house_without_headers_fails(self):
        self.assertEqual(self.check({"math/pose.cpp": ""})[0], 1)


if __name__ == "__main__":
    unittest.main()
