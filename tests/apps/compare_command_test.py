#!/usr/bin/env python3
"""touchstone compare: errors of motions whose errors are known in closed form.

usage: compare_command_test.py PROGRAM [unittest arguments]
"""
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PATIENCE = 600  # [s]
PROGRAM = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "touchstone"

# A crate that slides 0.25 m in 1 s and stops: x = v t - mu g t^2/2.
SLIDE = """touchstone: 1
dimension: 2
step: 0.02
duration: 0.4
gravity: [0, -10]
contact: {friction: 0.1}
bodies:
  - {name: table, shape: {half_space: [0, 1, 0]}, fixed: true}
  - {name: crate, shape: {box: [1, 1]}, mass: 1, position: [0, 0.5], velocity: [2, 0]}
"""


class Compare(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        (self.folder / "slide.yaml").write_text(SLIDE)

    def run_program(self, *arguments, code=0):
        done = subprocess.run([PROGRAM, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE,
                              stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout, done.stderr

    def json_of(self, *arguments):
        return json.loads(self.run_program(*arguments, "--json")[0])

    def table(self, name, shift=0.0, turn=0.0, header="time,body,x,y,angle", body="crate", times=(0.0, 0.2, 0.4)):
        lines = [header]
        for t in times:
            lines.append(f"{t},{body},{2 * t - 0.5 * t * t + shift * t},0.5,{turn * t}")
        (self.folder / name).write_text("\n".join(lines) + "\n")

    def test_a_table_that_is_the_closed_form_has_no_error(self):
        self.table("exact.csv")
        found = self.json_of("compare", "slide.yaml", "exact.csv")
        self.assertEqual(len(found["motions"][0]["times"]), 3)
        self.assertLess(found["motions"][0]["worst"], 1e-10)
        self.assertAlmostEqual(found["reference"]["trusted_until"], 0.4, delta=1e-12)

    def test_errors_of_places_and_angles_add_up_with_the_size_of_the_body(self):
        self.table("wrong.csv", shift=0.1, turn=0.01)
        found = self.json_of("compare", "slide.yaml", "wrong.csv")["motions"][0]
        for t, error in zip(found["times"], found["errors"]):
            self.assertAlmostEqual(error, 0.1 * t + math.sqrt(0.5) * 0.01 * t, delta=1e-10)
        self.assertEqual(found["worst_body"], "crate")
        self.assertAlmostEqual(found["worst_time"], 0.4, delta=1e-12)
        self.assertAlmostEqual(found["last"], found["worst"], delta=0)

    def test_fixed_steps_converge_and_the_order_is_that_of_their_errors(self):
        found = self.json_of("compare", "slide.yaml", "--step", "0.02,0.01,0.005")["motions"]
        self.assertEqual([(m["model"], m["step"]) for m in found], [("plane", 0.02), ("plane", 0.01), ("plane", 0.005)])
        self.assertIsNone(found[0]["order"])
        for before, after in zip(found, found[1:]):
            order = math.log(before["worst"] / after["worst"]) / math.log(2)
            self.assertAlmostEqual(after["order"], order, delta=1e-9)
            self.assertAlmostEqual(order, 1, delta=0.1)
        # x+ = x + h v+ under the deceleration a is a h t/2 short.
        self.assertAlmostEqual(found[0]["worst"], 0.5 * 1 * 0.02 * 0.4, delta=1e-9)

    def test_recordings_are_compared_as_they_are(self):
        for name, step in (("a.h5", "0.02"), ("b.h5", "0.01")):
            self.run_program("run", "slide.yaml", "--step", step, "-o", name, "--quiet")
        self.assertEqual(self.json_of("compare", "a.h5", "a.h5")["motions"][0]["worst"], 0)
        self.assertAlmostEqual(self.json_of("compare", "b.h5", "a.h5")["motions"][0]["worst"], 0.5 * 0.01 * 0.4, delta=1e-9)
        text = self.run_program("compare", "b.h5", "a.h5")[0]
        for word in ("worst", "crate", "time [s]"):
            self.assertIn(word, text)

    def test_a_table_in_space_is_read_with_quaternions_of_any_length(self):
        (self.folder / "ball.yaml").write_text("""touchstone: 1
dimension: 3
step: 0.1
duration: 0.2
gravity: [0, 0, 0]
bodies:
  - {name: cube, shape: {box: [2, 2, 2]}, mass: 1, angular_velocity: [0, 0, 1]}
""")
        rows = [f"{t},cube,0,0,0,{2 * math.cos(t / 2)},0,0,{2 * math.sin(t / 2)}" for t in (0, 0.1, 0.2)]
        (self.folder / "turn.csv").write_text("time,body,x,y,z,qw,qx,qy,qz\n" + "\n".join(rows))
        self.assertLess(self.json_of("compare", "ball.yaml", "turn.csv")["motions"][0]["worst"], 1e-9)

    def test_what_cannot_be_compared_is_told_in_one_line(self):
        self.table("other.csv", body="plane")
        self.table("late.csv", times=(7.0, 8.0))
        self.table("columns.csv", header="t,name,x")
        (self.folder / "number.csv").write_text("time,body,x,y,angle\n0,crate,0,zero,0\n")
        (self.folder / "space.csv").write_text("time,body,x,y,z,qw,qx,qy,qz\n0,crate,0,0,0,1,0,0,0\n")
        for file, words in (("other.csv", 'body "crate"'), ("late.csv", "no time of it"), ("columns.csv", "columns.csv:1"),
                            ("number.csv", "number.csv:2"), ("space.csv", "the plane"), ("none.csv", "cannot be read")):
            error = self.run_program("compare", "slide.yaml", file, code=2)[1]
            self.assertEqual(error.count("\n"), 1, error)
            self.assertIn(words, error)
        self.assertIn("--model", self.run_program("compare", "slide.yaml", "late.csv", "--model", "plane", code=2)[1])
        self.assertIn("--step", self.run_program("compare", "slide.yaml", "--step", "0", code=2)[1])

    def test_nothing_stays_in_the_folder(self):
        self.run_program("compare", "slide.yaml")
        self.assertEqual([p.name for p in self.folder.iterdir()], ["slide.yaml"])


if __name__ == "__main__":
    unittest.main()
