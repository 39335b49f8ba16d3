#!/usr/bin/env python3
"""`run` and `check` as a user meets them: every named scene, recordings, problems written, faults.

usage: run_command_test.py PROGRAM [unittest arguments]
"""
import json
import os
import pty
import select
import signal
import subprocess
import sys
import unittest

from run_folder import LOOSE, OVERLAPPING, PROGRAM, ROOT, SLIDE, WEDGE, Folder, python_with_h5py


class Runs(Folder):
    def test_the_promised_fields_are_there(self):
        result = self.json_of("run", self.scene(SLIDE))
        for field in ("steps", "time", "wall_time", "min_gap", "max_overlap", "energy_gained", "momentum_error",
                      "residual", "failed_steps", "relaxed_steps", "state_hash", "recording"):
            self.assertIn(field, result)
        self.assertEqual(result["steps"], 100)
        self.assertEqual(result["recording"], "scene.h5")
        self.assertAlmostEqual(result["time"], 0.5, delta=1e-12)
        self.assertLess(abs(result["min_gap"]), 1e-9)
        check = self.json_of("check", "scene.h5")
        for field in ("frames", "pairs", "min_gap", "max_overlap", "worst", "ok"):
            self.assertIn(field, check)
        self.assertEqual(check["frames"], 101)
        self.assertEqual(check["pairs"], 1)
        self.assertEqual(check["worst"]["bodies"], ["table", "crate"])
        self.assertTrue(check["ok"])

    def test_every_named_scene_runs_and_is_checked(self):
        scenes = self.json_of("list", "scenes")["scenes"]
        self.assertGreaterEqual(len(scenes), 8)
        for scene in (entry["name"] for entry in scenes):
            with self.subTest(scene):
                result = self.json_of("run", scene, "--duration", "0.15", "-o", f"{scene}.h5")
                self.assertEqual(result["failed_steps"], 0)
                check = self.json_of("check", f"{scene}.h5", "--tolerance", str(LOOSE))
                self.assertEqual(check["frames"], result["steps"] + 1)
                if result["min_gap"] is not None:
                    self.assertAlmostEqual(check["min_gap"], result["min_gap"], delta=1e-12)
                    self.assertAlmostEqual(check["max_overlap"], result["max_overlap"], delta=1e-12)

    def test_the_stack_stands(self):
        result = self.json_of("run", "box-stack", "--duration", "1", "--set", "contact.law=quadratic")
        self.assertGreater(result["min_gap"], -1e-9)
        self.assertTrue(self.json_of("check", "box-stack.h5")["ok"])

    def test_an_option_that_the_model_does_not_use_is_refused(self):
        scene = self.scene(SLIDE)
        for words in (["--set", "contact.margin=0.1"], ["--model", "peg", "--set", "contact.plane_rule=toi2"]):
            code, _, err = self.run_program("run", scene, "--duration", "0.1", *words)
            self.assertEqual(code, 2, err)
            self.assertIn(words[-1].split("=")[0], err)
            self.assertIn("models that do", err)
            code, _, err = self.run_program("run", scene, "--duration", "0.1", "--allow-ignored", *words)
            self.assertEqual(code, 0, err)
            self.assertEqual(err.count("WARNING"), 1, err)

    def test_an_option_of_a_scene_that_another_model_does_not_use_is_told_once(self):
        scene = self.scene(SLIDE.replace("contact: {", "contact: {plane_rule: toi2, max_updates: 20, ", 1))
        code, _, err = self.run_program("run", scene, "--duration", "0.1", "--model", "peg")
        self.assertEqual(code, 0, err)
        self.assertIn("the model peg does not use contact.max_updates, contact.plane_rule", err)
        self.assertEqual(err.count("WARNING"), 1, err)
        self.assertNotIn("WARNING", self.run_program("run", scene, "--duration", "0.1")[2])

    def test_options_and_set_change_the_scene(self):
        scene = self.scene(SLIDE)
        result = self.json_of("run", scene, "--duration", "0.1", "--step", "0.01", "--model", "standard",
                              "--formulation", "anitescu-potra", "--solver", "lemke", "--set", "bodies.crate.mass=3")
        self.assertEqual(result["steps"], 10)
        self.assertEqual(self.json_of("run", scene, "--set", "duration=0")["steps"], 0)

    def test_the_same_bits_come_out_whatever_the_threads(self):
        scene = self.scene(SLIDE)
        hashes = {self.json_of("run", scene, "--threads", n)["state_hash"] for n in ("1", "2", "3")}
        self.assertEqual(len(hashes), 1)

    def test_a_person_gets_a_summary_and_quiet_is_quiet(self):
        code, out, err = self.run_program("run", self.scene(SLIDE))
        self.assertEqual((code, err), (0, ""), "no progress bar where there is no terminal")
        for word in ("steps", "minimum gap", "overlap", "energy", "momentum", "residual", "state hash", "recording"):
            self.assertIn(word, out)
        self.assertEqual(self.run_program("run", "scene.yaml", "-q", "--force"), (0, "", ""))
        self.assertEqual(self.run_program("check", "scene.h5", "-q"), (0, "", ""))

    def test_no_recording_means_no_file(self):
        result = self.json_of("run", self.scene(SLIDE), "--no-recording")
        self.assertEqual(result["recording"], "")
        self.assertEqual([p.name for p in self.folder.iterdir()], ["scene.yaml"])

    def test_a_terminal_gets_a_progress_bar(self):
        outer, inner = pty.openpty()
        scene = self.scene(SLIDE.replace("duration: 0.5", "duration: 100"))
        running = subprocess.Popen([PROGRAM, "run", scene, "--no-recording"], cwd=self.folder, stderr=inner,
                                   stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        os.close(inner)
        seen = b""
        while b" left" not in seen and select.select([outer], [], [], 60)[0]:
            seen += os.read(outer, 1000)
        running.send_signal(signal.SIGINT)
        self.assertEqual(running.wait(60), 130)
        os.close(outer)
        self.assertIn(b"of 100 s", seen)


class Problems(Folder):
    """run --write-problem: what a step had to solve, for other solvers. (The model solves once per island and step.)"""

    def solution_of(self, problem):
        """Solved anew from the file."""
        self.json_of("solve", problem, "-o", "again.json")
        return json.loads((self.folder / "again.json").read_text())

    def test_a_step_written_and_read_back_has_the_same_impulses(self):
        for text, law, kind, size, words in ((SLIDE, "linear", "friction", 4, ()), (WEDGE, "quadratic", "friction", 9, ()),
                                             (SLIDE, "linear", "lcp", 8, ("--solver", "lemke"))):
            scene = self.scene(text)
            wishes = [f"5:{law}.{ending}" for ending in ("json", "h5", "hdf5", "dat")]
            self.json_of("run", scene, "--no-recording", "--model", "manifold", "--set", f"contact.law={law}", *words,
                         *(word for wish in wishes for word in ("--write-problem", wish)))
            written = json.loads((self.folder / f"{law}.json").read_text())
            self.assertEqual((written["kind"], len(written["solution"])), (kind, size))
            self.assertGreater(max(written["solution"]), 0.01, "a half or a third of m g h")
            for wish in wishes:
                found = self.solution_of(wish[2:])
                self.assertEqual((found["kind"], len(found["solution"])), (kind, size))
                for one, other in zip(found["solution"], written["solution"]):
                    self.assertAlmostEqual(one, other, delta=1e-9)

    def test_round_cones_are_written_as_fclib_has_them(self):
        python = python_with_h5py()
        if python is None:
            self.skipTest("no Python with h5py (Debian package python3-h5py)")
        self.json_of("run", self.scene(WEDGE), "--no-recording", "--model", "manifold",
                     "--set", "contact.law=quadratic", "--write-problem", "1:step.hdf5")
        code = "import h5py; f = h5py.File('step.hdf5'); print(sorted(f), sorted(f['fclib_local']))"
        done = subprocess.run([python, "-c", code], cwd=self.folder, capture_output=True, text=True)
        for word in ("fclib_local", "'W'", "'spacedim'", "'vectors'"):
            self.assertIn(word, done.stdout, done.stderr)

    def test_several_islands_make_several_files(self):
        twice = SLIDE + "  - {name: other, shape: {box: [1, 1]}, mass: 1, position: [5, 0.5]}\n"
        self.json_of("run", self.scene(twice), "--no-recording", "--model", "manifold", "--duration", "0.01",
                     "--write-problem", "2:p.json")
        self.assertEqual(sorted(p.name for p in self.folder.glob("p*.json")), ["p-1.json", "p-2.json"])

    def test_writing_changes_no_bit(self):
        scene = self.scene(SLIDE)
        plain = self.json_of("run", scene, "--no-recording")
        watched = self.json_of("run", scene, "--no-recording", "--write-problem", "3:p.json")
        self.assertEqual(plain["state_hash"], watched["state_hash"])

    def test_what_cannot_be_written_is_told(self):
        scene = self.scene(SLIDE)
        flying = self.scene(SLIDE.replace("[-0.7, 0.5]", "[-0.7, 5]"), "flying.yaml")
        for arguments, message in (
                ([scene, "--write-problem", "p.json"], "expected STEP:FILE"),
                ([scene, "--write-problem", "0:p.json"], "from 1 on"),
                ([scene, "--write-problem", "1:"], "expected STEP:FILE"),
                ([scene, "--write-problem", "1:p.doc"], "p.doc"),
                ([scene, "--write-problem", "1:no/p.json"], "no/p.json"),
                ([scene, "--write-problem", "500:p.json"], "step 500 was not made; the run had 100"),
                ([flying, "--duration", "0.1", "--write-problem", "1:p.json"], "nothing touched")):
            code, _, err = self.run_program("run", *arguments, "--no-recording", "-q")
            self.assertEqual(code, 2, arguments)
            self.assertEqual(len(err.splitlines()), 1, err)
            self.assertIn(message, err)


class Faults(Folder):
    def test_bad_input_is_refused_in_one_line_and_leaves_no_file(self):
        self.scene(SLIDE, "good.yaml")
        self.scene(OVERLAPPING, "overlapping.yaml")
        self.scene("touchstone: 1\ndimension: 2\nbodies:\n  - {shape: {box: [1, 1]}, mass: one}\n", "typed.yaml")
        self.scene("bodies: [", "broken.yaml")
        self.scene("\x00\x01\x02", "binary.yaml")
        self.scene("not a recording", "text.h5")
        before = sorted(p.name for p in self.folder.iterdir())
        table = [
            (["run"], "SCENE is required"),
            (["run", "--resume", "absent.h5"], "absent.h5"),
            (["run", "--resume", "text.h5"], "text.h5"),
            (["run", "--resume", "text.h5", "--step", "0.1"], "--step: a run that is resumed has it"),
            (["run", "good.yaml", "--resume", "text.h5"], "SCENE: a run that is resumed has it"),
            (["run", "nothing"], 'there is no scene "nothing"'),
            (["run", "box-stak"], 'did you mean "box-stack"?'),
            (["run", "absent.yaml"], "absent.yaml: there is no such file"),
            (["run", "."], "expected a scene file, not a folder"),
            (["run", "broken.yaml"], "broken.yaml:1: not YAML"),
            (["run", "binary.yaml"], "binary.yaml: not YAML"),
            (["run", "typed.yaml"], 'typed.yaml:4: bodies[0].mass: expected a mass above zero, got the text "one"'),
            (["run", "overlapping.yaml"], '"table" and "crate" by 0.1 m'),
            (["run", "good.yaml", "--model", "plain"], 'there is no contact model "plain"'),
            (["run", "good.yaml", "--solver", "lemkee"], 'did you mean "lemke"?'),
            (["run", "good.yaml", "--formulation", "x"], 'there is no formulation "x"'),
            (["run", "good.yaml", "--step", "0"], "--set step=0: step: expected a time above zero, got 0"),
            (["run", "good.yaml", "--duration", "soon"], "expected a time of at least zero"),
            (["run", "good.yaml", "--set", "contact.frction=1"], 'did you mean "friction"?'),
            (["run", "good.yaml", "--set", "friction"], "expected PATH=VALUE"),
            (["run", "good.yaml", "--set", "bodies.crates.mass=1"], 'did you mean "crate"?'),
            (["run", "good.yaml", "--stp", "1"], 'did you mean "--step"?'),
            (["run", "good.yaml", "--threads", "-1"], "--threads"),
            (["run", "good.yaml", "-o", "no/such/folder/x.h5"], "no/such/folder/x.h5"),
            (["check"], "RECORDING is required"),
            (["check", "absent.h5"], "absent.h5"),
            (["check", "text.h5"], "text.h5"),
            (["check", "."], "."),
            (["check", "text.h5", "--tolerance", "-1"], "--tolerance"),
            (["list", "scene"], 'did you mean "scenes"?'),
        ]
        for arguments, message in table:
            with self.subTest(" ".join(arguments)):
                code, out, err = self.run_program(*arguments)
                self.assertEqual(code, 2, err)
                self.assertEqual(out, "")
                self.assertEqual(len(err.splitlines()), 1, err)
                self.assertIn(message, err)
                self.assertEqual(sorted(p.name for p in self.folder.iterdir()), before, "no file is left behind")

    def test_help_has_examples(self):
        for command in ("run", "check", "list"):
            code, out, _ = self.run_program(command, "--help")
            self.assertEqual(code, 0)
            self.assertIn(f"touchstone {command}", out)


class Documents(Folder):
    def test_the_tables_of_scene_md_are_those_of_the_program(self):
        done = subprocess.run([sys.executable, ROOT / "tools" / "make_scene_doc", "--check", PROGRAM],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_h5py_reads_a_recording_as_the_document_shows(self):
        python = python_with_h5py()
        if python is None:
            self.skipTest("no Python with h5py (Debian package python3-h5py)")
        self.run_program("run", "slide", "-q")
        done = subprocess.run([python, ROOT / "examples" / "read_recording.py", "slide.h5"], cwd=self.folder,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("slide: 601 frames, 3 s", done.stdout)
        self.assertIn("crate  from 0.5 m", done.stdout)

    def test_h5py_finds_every_array_of_the_document(self):
        python = python_with_h5py()
        if python is None:
            self.skipTest("no Python with h5py (Debian package python3-h5py)")
        self.run_program("run", "pendulum-arm", "--duration", "0.1", "-q")
        code = ("import h5py, json; f = h5py.File('pendulum-arm.h5'); "
                "a = []; f.visititems(lambda n, o: a.append(n) if isinstance(o, h5py.Dataset) else None); "
                "print(json.dumps(a + sorted(f.attrs)))")
        done = subprocess.run([python, "-c", code], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        text = (ROOT / "docs" / "recording.md").read_text()
        for name in json.loads(done.stdout):
            last = name.split("/")[-1]
            self.assertTrue(f"`{name}`" in text or f"`{last}`" in text or f"/{last}`" in text, name)


if __name__ == "__main__":
    unittest.main()
