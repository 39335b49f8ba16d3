#!/usr/bin/env python3
"""tools/compare_states says no where two programs part: each test writes two programs that pretend to simulate."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"

# A step takes 1 ms and adds 1 to the state; SECRET is what a test changes.
PROGRAM = """#!{python}
import json, signal, sys, time
words = sys.argv[1:]
if words[0] == "list":
    print("\\n".join({{"scenes": ["one", "two"], "models": ["plane", "peg"]}}[words[1]]))
    sys.exit()
scene = words[1]
value = lambda option, otherwise: words[words.index(option) + 1] if option in words else otherwise
duration, model = float(value("--duration", {duration})), value("--model", "plane")
stopped, status, state, steps, bonus = [], 0, 0, 0, 0
signal.signal(signal.SIGINT, lambda *_: stopped.append(1))
def spin():
    end = time.process_time() + 0.001
    while time.process_time() < end: pass
{secret}
while steps < round(1000 * duration) and not stopped:
    spin()
    steps, state = steps + 1, state + 1
print(json.dumps({{"steps": steps, "time": steps / 1000, "state_hash": str(state + bonus), "residual": 0.5}}))
sys.exit(130 if stopped else status)
"""


class Comparison(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        (self.folder / "tools").mkdir()
        (self.folder / "scenes").mkdir()
        for name in ("compare_states", "compare_builds.py"):
            shutil.copy(TOOLS / name, self.folder / "tools" / name)

    def program(self, name, secret="", duration=0.05):
        path = self.folder / name
        path.write_text(PROGRAM.format(python=sys.executable, secret=secret, duration=duration))
        path.chmod(0o755)
        return path

    def compare(self, *arguments, environment=None):
        done = subprocess.run([sys.executable, self.folder / "tools" / "compare_states", *arguments], text=True,
                              capture_output=True, env={**os.environ, **(environment or {})})
        return done.returncode, done.stdout + done.stderr

    def test_programs_that_do_the_same_are_the_same(self):
        code, said = self.compare(self.program("a"), self.program("b"), "--models-only")
        self.assertEqual(code, 0, said)
        self.assertIn("4 runs compared over 200 steps: 0 differ", said)

    def test_another_state_of_one_scene_under_one_model_is_found(self):
        other = self.program("b", 'bonus = 1 if (scene, model) == ("two", "peg") else 0')
        code, said = self.compare(self.program("a"), other, "--models-only")
        self.assertEqual(code, 1)
        self.assertRegex(said, r"two peg +state_hash 50 -> 51")
        self.assertIn("1 differ", said)

    def test_other_options_are_run_as_well(self):
        other = self.program("b", 'bonus = "contact.friction=0.5" in words')
        self.assertEqual(self.compare(self.program("a"), other, "--models-only")[0], 0)
        self.assertEqual(self.compare(self.program("a"), other, "--only", "one .*friction")[0], 1)

    def test_a_run_that_fails_or_crashes_differs(self):
        for secret in ("status = 3", "sys.exit(2)", "import os; os.abort()"):
            code, said = self.compare(self.program("a"), self.program("b", secret), "--models-only")
            self.assertEqual(code, 1, secret)
        code, said = self.compare(self.program("a", "status = 3"), self.program("b", "status = 3"), "--models-only")
        self.assertEqual(code, 0, "both fail in the same step: " + said)

    def test_refusals_may_be_allowed(self):
        other = self.program("b", 'if "--solver" in words: sys.exit(2)')
        words = ("--only", "one .*lemke")
        self.assertEqual(self.compare(self.program("a"), other, *words)[0], 1)
        code, said = self.compare(self.program("a"), other, *words, "--allow-refusals")
        self.assertEqual(code, 0)
        self.assertIn("B refuses what A runs", said)

    def test_a_long_run_is_cut_and_both_end_in_the_same_step(self):
        a, b = self.program("a", duration=1000), self.program("b", duration=1000)
        code, said = self.compare(a, b, "--models-only", "--limit", "0.3")
        self.assertEqual(code, 0, said)
        self.assertIn("4 runs compared", said)
        # What A reached is known now: a program that could not run it again is not asked.
        kept = self.program("a", duration=1000).read_text()
        late = self.program("b", "bonus = 1 if model == 'peg' else 0", duration=1000)
        code, said = self.compare(a, late, "--models-only", "--limit", "0.3")
        self.assertEqual((code, a.read_text()), (1, kept))
        self.assertIn("2 differ", said)

    def test_a_scene_file_is_run_besides(self):
        scene = self.folder / "own.json"
        scene.write_text("{}")
        other = self.program("b", 'bonus = scene.endswith("own.json")')
        code, said = self.compare(self.program("a"), other, scene, "--models-only")
        self.assertEqual(code, 1)
        self.assertIn("2 differ", said)

    def test_what_is_neither_a_program_nor_a_commit_is_refused(self):
        code, said = self.compare("nowhere", "nothing")
        self.assertEqual(code, 2)
        self.assertIn("nowhere: expected a program or a commit", said)


if __name__ == "__main__":
    unittest.main()
