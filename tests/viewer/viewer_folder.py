"""What the tests of `view` and `export` share: the program, two scenes, and a folder with their recordings."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "touchstone"
PAGE = pathlib.Path(PROGRAM).parent / "viewer" / "index.html"
FLAT = """touchstone: 1
dimension: 2
step: 0.01
duration: 0.2
bodies:
  - {name: ground, shape: {half_space: {normal: [0, 1]}}, fixed: true}
  - {name: "crate, large", shape: {box: [1, 1]}, mass: 1, position: [0, 0.5], velocity: [1.5, 0]}
  - {name: late, shape: {sphere: 0.2}, mass: 1, position: [3, 1], appear: 0.1}
"""
SOLID = """touchstone: 1
dimension: 3
step: 0.01
duration: 0.2
bodies:
  - {name: table, shape: {box: [4, 4, 1]}, fixed: true, position: [0, 0, -0.5]}
  - {name: hammer, parts: [{shape: {box: [1, 0.2, 0.2]}}, {shape: {sphere: 0.3}, position: [0.5, 0, 0]}], density: 10, position: [0, 0, 1], velocity: [0.2, 0, 0]}
  - {name: rod, shape: {box: [1, 0.1, 0.1]}, mass: 1, position: [0, 1, 2]}
joints: [{name: hinge, kind: revolute, bodies: [world, rod], position: [-0.5, 1, 2], axis: [0, 1, 0]}]
"""
PATIENCE = 600  # [s] for one answer: the machine may be busy


class Folder(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = pathlib.Path(scratch.name)
        for name, text in (("flat", FLAT), ("solid", SOLID)):
            (cls.folder / f"{name}.yaml").write_text(text)
            subprocess.run([PROGRAM, "run", f"{name}.yaml", "-q"], cwd=cls.folder, check=True)

    def run_program(self, *arguments, program=PROGRAM, **environment):
        done = subprocess.run([program, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE,
                              stdin=subprocess.DEVNULL, env=dict(os.environ, **environment))
        return done.returncode, done.stdout, done.stderr
