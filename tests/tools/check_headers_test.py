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
# A stand-in for Eigen, found by -isystem, which brings <vector> along.
HEAVY = "#pragma once\n#include <vector>\nstruct Matrix {};\n"
USES_HEAVY = "#pragma once\n#include <Eigen/Core>\ninline Matrix {}() {{ return {{}}; }}\n"


class HeaderCheck(unittest.TestCase):
    def check(self, files, *options):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in files.items():
                path = root / "src" / "touchstone" / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            (root / "other" / "Eigen").mkdir(parents=True)
            (root / "other" / "Eigen" / "Core").write_text(HEAVY)
            command = [os.environ.get("CXX", "c++"), "-std=c++20", "-isystem", root / "other"]
            done = subprocess.run([sys.executable, CHECK, "--root", root, *options, *command], capture_output=True, text=True)
            self.assertEqual(done.stderr, "")
            return done.returncode, done.stdout

    def assert_refused(self, header, files, *options):
        code, said = self.check(files, *options)
        self.assertEqual(code, 1)
        self.assertIn(f"touchstone/{header} does not compile alone", said)
        self.assertEqual(said.count("does not compile alone"), 1, said)

    def test_headers_that_include_what_they_need_pass(self):
        files = {"math/vec.h": GOOD, "math/one.h": USES_HEAVY.format("one"), "math/two.h": USES_HEAVY.format("two")}
        self.assertEqual(self.check(files), (0, "3 headers compile alone\n"))

    def test_a_header_that_lacks_an_include_is_refused(self):
        self.assert_refused("math/pose.h", {"math/vec.h": GOOD, "math/pose.h": LACKING})

    def test_the_headers_of_sub_rooms_are_checked_too(self):
        self.assert_refused("solve/lcp/lemke.h", {"math/vec.h": GOOD, "solve/lcp/lemke.h": LACKING})

    def test_a_source_that_includes_more_does_not_help_the_header(self):
        source = '#include <vector>\n#include "touchstone/math/pose.h"\n'
        self.assert_refused("math/pose.h", {"math/pose.h": LACKING, "math/pose.cpp": source})

    def test_what_is_precompiled_for_others_does_not_help_a_header_that_does_not_include_it(self):
        files = {"math/one.h": USES_HEAVY.format("one"), "math/two.h": USES_HEAVY.format("two"),
                 "math/pose.h": "#pragma once\ninline Matrix pose() { return {}; }\n", "math/list.h": GOOD}
        self.assert_refused("math/pose.h", files)

    def test_what_a_header_includes_by_way_of_another_counts(self):
        files = {"math/one.h": USES_HEAVY.format("one"), "math/two.h": USES_HEAVY.format("two"),
                 "math/three.h": '#pragma once\n#include "touchstone/math/one.h"\ninline Matrix three() { return one(); }\n'}
        self.assertEqual(self.check(files)[0], 0)

    def test_a_header_is_compiled_again_only_when_it_or_what_it_includes_has_changed(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            math = root / "src" / "touchstone" / "math"
            math.mkdir(parents=True)
            (math / "vec.h").write_text(GOOD)
            (math / "pose.h").write_text('#pragma once\n#include "touchstone/math/vec.h"\ninline auto pose() { return none(); }\n')
            (math / "list.h").write_text(GOOD)

            def check():
                done = subprocess.run([sys.executable, CHECK, "--root", root, "--stamps", root / "stamps",
                                       os.environ.get("CXX", "c++"), "-std=c++20"], capture_output=True, text=True)
                return done.returncode, done.stdout

            self.assertEqual(check(), (0, "3 headers compile alone\n"))
            self.assertEqual(check(), (0, "3 headers compile alone\n0 of them have changed and were compiled\n"))
            (math / "vec.h").write_text(LACKING)
            for _ in range(2):  # what was found bad is not forgotten
                code, said = check()
                self.assertEqual(code, 1)
                self.assertIn("touchstone/math/vec.h does not compile alone", said)
                self.assertIn("2 of them have changed", said)
            (math / "vec.h").write_text(GOOD)
            self.assertEqual(check()[0], 0)

    def test_headers_that_share_a_compilation_are_told_apart(self):
        files = {"math/vec.h": GOOD, "math/pose.h": '#pragma once\n#include "touchstone/math/vec.h"\nMissing pose();\n',
                 "math/top.h": '#pragma once\n#include "touchstone/math/vec.h"\ninline auto top() { return none(); }\n'}
        self.assert_refused("math/pose.h", files)

    def test_a_header_that_its_own_source_includes_first_is_left_to_the_build(self):
        files = {"math/vec.h": GOOD, "math/pose.h": LACKING, "math/pose.cpp": '#include "touchstone/math/pose.h"\n'}
        self.assertEqual(self.check(files, "--built", "math="),
                         (0, "2 headers compile alone\n1 of them are compiled alone by the build\n"))

    def test_a_header_is_not_left_to_a_build_that_would_hide_a_fault(self):
        own = '#include "touchstone/math/pose.h"\n'
        bad = {"math/vec.h": GOOD, "math/pose.h": LACKING}
        for why, source, options in (("another header is first", "#include <vector>\n" + own, ("--built", "math=")),
                                     ("the room is built in another way", own, ("--built", "geometry=")),
                                     ("what is precompiled is not its own", own, ("--built", "math=Eigen/Core")),
                                     ("there is no source", None, ("--built", "math="))):
            with self.subTest(why):
                self.assert_refused("math/pose.h", {**bad, **({"math/pose.cpp": source} if source else {})}, *options)

    def test_a_house_without_headers_fails(self):
        self.assertEqual(self.check({"math/pose.cpp": ""})[0], 1)


if __name__ == "__main__":
    unittest.main()
