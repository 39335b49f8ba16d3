"""What the tests of `run` share: the program, scenes, and a folder for each test."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

PATIENCE = 600  # [s] the machine may be busy; what ends sooner costs nothing
PROGRAM = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "touchstone"
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

SLIDE = """touchstone: 1
dimension: 2
step: 0.005
duration: 0.5
contact: {friction: 0.2}
bodies:
  - {name: table, shape: {box: [40, 1]}, fixed: true, position: [0, -0.5]}
  - {name: crate, shape: {box: [1, 1]}, mass: 1, position: [-0.7, 0.5], velocity: [1.5, 0]}
"""
# Three corners carry it, and all slide: one answer only.
WEDGE = """touchstone: 1
dimension: 3
step: 0.005
duration: 0.05
contact: {friction: 0.2}
bodies:
  - {name: table, shape: {box: [40, 40, 1]}, fixed: true, position: [0, 0, -0.5]}
  - {name: wedge, shape: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.3, 0.3, 0.1]]}, mass: 1, position: [0, 0, 0], velocity: [1.5, 0.4, 0]}
"""
OVERLAPPING = SLIDE.replace("duration: 0.5", "duration: 0").replace("[-0.7, 0.5]", "[-0.7, 0.4]")

# Scenes whose bodies turn while they touch overlap by what the linearised contacts of a step leave [m].
LOOSE = 0.02


def python_with_h5py():
    """An interpreter that has h5py, as Debian's package python3-h5py gives it; None where there is none."""
    for python in (sys.executable, "/usr/bin/python3"):
        if subprocess.run([python, "-c", "import h5py"], capture_output=True).returncode == 0:
            return python
    return None


class Folder(unittest.TestCase):
    """Each test has a folder of its own."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def scene(self, text, name="scene.yaml"):
        (self.folder / name).write_text(text)
        return name

    def run_program(self, *arguments, timeout=PATIENCE):
        done = subprocess.run([PROGRAM, *arguments], cwd=self.folder, capture_output=True, text=True,
                              timeout=timeout, stdin=subprocess.DEVNULL)
        return done.returncode, done.stdout, done.stderr

    def json_of(self, *arguments, code=0):
        done, out, err = self.run_program(*arguments, "--json")
        self.assertEqual(done, code, err + out)
        return json.loads(out)

    def start(self, *arguments):
        return subprocess.Popen([PROGRAM, *arguments], cwd=self.folder, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)

    def wait_for(self, path, size):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if (self.folder / path).exists() and (self.folder / path).stat().st_size > size:
                return
            time.sleep(0.05)
        self.fail(f"{path} did not grow")
