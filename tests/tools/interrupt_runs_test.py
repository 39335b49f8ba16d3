#!/usr/bin/env python3
"""Runs that are interrupted lose nothing but the last second, at a few moments of each way; tools/interrupt_runs tries more.

usage: interrupt_runs_test.py PROGRAM [unittest arguments]
"""
import os
import pathlib
import subprocess
import sys
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "touchstone"
TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "interrupt_runs"
MOMENTS = 3


class Interrupted(unittest.TestCase):
    def run_tool(self, way, *before):
        done = subprocess.run([*before, sys.executable, TOOL, PROGRAM, "--moments", str(MOMENTS), "--way", way], capture_output=True, text=True)
        if "cannot be mounted" in done.stderr:
            self.skipTest(done.stderr.strip())
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(f"{way}: {MOMENTS} moments, 0 faults", done.stdout)

    def test_signals(self):
        for way in ("INT", "TERM", "KILL"):
            with self.subTest(way):
                self.run_tool(way)

    def test_a_full_disk(self):
        if subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode:
            self.skipTest("a disk of its own cannot be mounted here")
        self.run_tool("full-disk", "unshare", "-m")

    def test_a_quota(self):
        self.run_tool("quota")

    def test_two_writers(self):
        self.run_tool("two-writers")

    def test_a_folder_that_goes_away(self):
        self.run_tool("vanished-folder")


if __name__ == "__main__":
    unittest.main()
