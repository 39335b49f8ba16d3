#!/usr/bin/env python3
"""`study` as a user meets it: a grid of runs, crashes, Ctrl-C, going on, two ranks of MPI.

usage: study_command_test.py PROGRAM [unittest arguments]
"""
import csv
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "touchstone"
PATIENCE = 600  # [s] the machine may be busy; what ends sooner costs nothing

SCENE = """touchstone: 1
dimension: 2
step: 0.01
duration: 0.5
contact: {friction: 0.2}
bodies:
  - {name: table, shape: {box: [40, 1]}, fixed: true, position: [0, -0.5]}
  - {name: crate, shape: {box: [1, 1]}, mass: 1, position: [-0.7, 0.5], velocity: [1.5, 0]}
"""
STUDY = """study: 1
scenes: scene.yaml
models: [plane, standard]
steps: [0.005, 0.01]
set: {contact.friction: [0.1, 0.2, 0.3]}
measures: {x: last(crate.x), fastest: max(crate.speed)}
plots:
  - {file: way.png, title: Way, x: contact.friction, y: x, lines: model}
"""
LONG = STUDY.replace("plots:\n", "duration: 1e6\nplots:\n")


class Folder(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.write("scene.yaml", SCENE)
        self.write("study.yaml", STUDY)

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def run_program(self, *arguments, before=(), timeout=PATIENCE, env=None):
        done = subprocess.run([*before, PROGRAM, *arguments], cwd=self.folder, capture_output=True, text=True,
                              timeout=timeout, stdin=subprocess.DEVNULL, env=env)
        return done.returncode, done.stdout, done.stderr

    def study(self, *arguments, code=0, **options):
        done, out, err = self.run_program("study", "study.yaml", "--json", *arguments, **options)
        self.assertEqual(done, code, err + out)
        return json.loads(out)

    def table(self, folder="study"):
        with (self.folder / folder / "table.csv").open(newline="") as file:
            return list(csv.DictReader(file))

    def children(self, parent):
        """The runs of a study that works: processes and their command lines."""
        found = {}
        for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                words = stat.read_text().rsplit(")", 1)[1].split()
                if int(words[1]) == parent and words[0] != "Z":
                    found[int(stat.parent.name)] = (stat.parent / "cmdline").read_bytes().decode().split("\0")
            except (OSError, IndexError):
                pass
        return found

    def wait_for_children(self, parent, count):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            found = {pid: words for pid, words in self.children(parent).items() if "run" in words}
            if len(found) >= count:
                return found
            time.sleep(0.05)
        self.fail("no runs were started")


class Studies(Folder):
    def test_every_point_of_the_grid_has_a_row(self):
        result = self.study()
        self.assertEqual((result["runs"], result["made"], result["known"], result["crashed"]), (12, 12, 0, 0))
        rows = self.table()
        self.assertEqual(len(rows), 12)
        self.assertEqual(list(rows[0])[:5], ["scene", "model", "step", "contact.friction", "status"])
        for row in rows:
            self.assertEqual(row["status"], "done")
            mu, stop = float(row["contact.friction"]), 1.5
            # v t - mu g t^2 / 2 until it stops, up to what a step of that length may miss.
            t = min(0.5, stop / (mu * 9.81))
            way = -0.7 + stop * t - mu * 9.81 * t * t / 2
            self.assertAlmostEqual(float(row["x"]), way, delta=float(row["step"]) * stop)
            self.assertAlmostEqual(float(row["fastest"]), 1.5, delta=1e-9)
        self.assertTrue((self.folder / "study" / "way.png").read_bytes().startswith(b"\x89PNG"))
        left = sorted(p.suffix for p in (self.folder / "study" / "runs").iterdir())
        self.assertEqual(left, [".json"] * 12, "recordings that nobody asked for are gone")

    def test_the_same_command_again_makes_only_what_is_missing(self):
        self.study("--no-plots")
        before = (self.folder / "study" / "table.csv").read_bytes()
        rows = sorted((self.folder / "study" / "runs").iterdir())
        rows[0].unlink()
        rows[5].write_text("torn")
        result = self.study("--no-plots")
        self.assertEqual((result["made"], result["known"]), (2, 10))
        self.assertEqual((self.folder / "study" / "table.csv").read_bytes(), before)
        # A grid that grows keeps its rows.
        self.write("study.yaml", STUDY.replace("0.3]", "0.3, 0.4]"))
        result = self.study("--no-plots")
        self.assertEqual((result["made"], result["known"]), (4, 12))

    def test_one_crash_among_others(self):
        slow = SCENE.replace("duration: 0.5", "duration: 1e6")
        self.write("slow.yaml", slow)
        self.write("study.yaml", STUDY.replace("scenes: scene.yaml", "scenes: [scene.yaml, slow.yaml]")
                   .replace("[plane, standard]", "plane").replace("[0.005, 0.01]", "0.01").replace("[0.1, 0.2, 0.3]", "0.2"))
        running = subprocess.Popen([PROGRAM, "study", "study.yaml", "--no-plots", "-q"], cwd=self.folder, stderr=subprocess.PIPE, text=True)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            slow_ones = [pid for pid, words in self.children(running.pid).items() if "slow.yaml" in words]
            if slow_ones and len(list((self.folder / "study" / "runs").glob("*.json"))) == 1:
                break
            time.sleep(0.05)
        os.kill(slow_ones[0], signal.SIGKILL)
        _, err = running.communicate(timeout=PATIENCE)
        self.assertEqual(running.returncode, 3)
        self.assertRegex(err, r"a run crashed \(slow.yaml .*\): Killed")
        self.assertEqual(len(list((self.folder / "study" / "runs").glob("*.err"))), 1, "what it said is kept")
        self.assertEqual([(row["scene"], row["status"]) for row in self.table()], [("scene", "done"), ("slow", "crashed")])

    def test_a_row_is_known_only_for_what_was_asked_of_it(self):
        short = STUDY.replace("[plane, standard]", "plane").replace("[0.005, 0.01]", "0.01").replace("[0.1, 0.2, 0.3]", "0.2")
        self.write("study.yaml", short)
        made = lambda: self.study("--no-plots")["made"]
        self.assertEqual(made(), 1)
        self.write("study.yaml", short.replace("fastest: max(crate.speed)", "fastest: last(crate.y)"))
        self.assertEqual(made(), 1, "another measure")
        self.assertAlmostEqual(float(self.table()[0]["fastest"]), 0.5, delta=1e-9)
        self.write("study.yaml", short.replace(", fastest: max(crate.speed)", ""))
        self.assertEqual(made(), 0, "a measure less")
        self.write("study.yaml", short + "columns: [contacts]\n")
        self.assertEqual(made(), 1, "another column")
        self.assertEqual(self.table()[0]["contacts"], "100")
        self.write("study.yaml", short + "columns: [contacts]\nkeep_recordings: true\n")
        self.assertEqual(made(), 1, "recordings")
        self.assertTrue((self.folder / "study" / self.table()[0]["recording"]).exists())
        self.assertEqual(made(), 0)

    def test_equal_points_of_a_grid_are_refused_and_files_of_one_name_told_apart(self):
        self.write("study.yaml", STUDY.replace("[plane, standard]", "[plane, plane]"))
        code, _, err = self.run_program("study", "study.yaml", "--no-plots")
        self.assertEqual(code, 2)
        self.assertIn("two runs of the grid are the same", err)
        for name in "ab":
            (self.folder / name).mkdir()
            self.write(f"{name}/scene.yaml", SCENE)
        self.write("study.yaml", "study: 1\nscenes: [a/scene.yaml, b/scene.yaml]\n")
        self.study()
        self.assertEqual([row["scene"] for row in self.table()], ["a/scene.yaml", "b/scene.yaml"])

    def test_a_measure_that_is_infinite_is_as_empty_as_in_the_summary(self):
        self.write("scene.yaml", SCENE.replace("  - {name: table, shape: {box: [40, 1]}, fixed: true, position: [0, -0.5]}\n", ""))
        self.write("study.yaml", "study: 1\nscenes: scene.yaml\nmeasures: {gap: min(min_gap)}\n")
        self.study()
        self.assertEqual((self.table()[0]["gap"], self.table()[0]["min_gap"]), ("", ""))

    def test_progress_tells_of_runs_that_have_ended(self):
        self.write("study.yaml", LONG.replace("[0.005, 0.01]", "0.01").replace("[0.1, 0.2, 0.3]", "0.2"))
        terminal, its = os.openpty()
        running = subprocess.Popen([PROGRAM, "study", "study.yaml", "--no-plots", "-j", "2"], cwd=self.folder, stdout=subprocess.PIPE, stderr=its)
        self.wait_for_children(running.pid, 2)
        text = ""
        while "] 0 of 2 runs" not in text:  # both run for ever: sooner or later their number is shown
            text += os.read(terminal, 100000).decode()
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=PATIENCE)
        os.close(its), os.close(terminal)
        self.assertNotIn("] 1 of 2 runs", text)

    def test_ctrl_c_stops_all_and_the_next_call_goes_on(self):
        self.write("study.yaml", LONG.replace("duration: 1e6", "duration: 1e6\nlimit: 1e6"))
        running = subprocess.Popen([PROGRAM, "study", "study.yaml", "--no-plots", "-q", "-j", "2"], cwd=self.folder)
        runs = self.wait_for_children(running.pid, 2)
        running.send_signal(signal.SIGINT)
        self.assertEqual(running.wait(PATIENCE), 130)
        for pid in runs:
            self.assertFalse(pathlib.Path(f"/proc/{pid}").exists(), "no run is left behind")
        self.assertEqual({row["status"] for row in self.table()}, {"missing"})
        self.assertEqual(list((self.folder / "study" / "runs").iterdir()), [])

    def test_a_killed_study_leaves_no_runs_behind(self):
        self.write("study.yaml", LONG)
        running = subprocess.Popen([PROGRAM, "study", "study.yaml", "-q", "-j", "2"], cwd=self.folder)
        runs = self.wait_for_children(running.pid, 2)
        running.kill()
        running.wait()
        end = time.monotonic() + PATIENCE
        while any(pathlib.Path(f"/proc/{pid}").exists() for pid in runs) and time.monotonic() < end:
            time.sleep(0.05)
        for pid in runs:
            self.assertFalse(pathlib.Path(f"/proc/{pid}").exists())

    def test_runs_that_take_too_long_are_ended(self):
        self.write("study.yaml", LONG.replace("duration: 1e6", "duration: 1e6\nlimit: 0.3").replace("[0.1, 0.2, 0.3]", "0.1"))
        self.assertEqual(self.study("--no-plots")["crashed"], 0)
        self.assertEqual({row["status"] for row in self.table()}, {"timeout"})
        self.assertEqual(self.study("--no-plots")["known"], 4)
        self.write("study.yaml", (self.folder / "study.yaml").read_text().replace("limit: 0.3", "limit: 0.4"))
        self.assertEqual(self.study("--no-plots")["made"], 4, "they may do with more time")
        self.write("study.yaml", (self.folder / "study.yaml").read_text().replace("limit: 0.4", "limit: 0.2"))
        self.assertEqual(self.study("--no-plots")["known"], 4, "but not with less")

    def test_numbers_that_fail_are_a_result(self):
        self.write("scene.yaml", SCENE.replace("friction: 0.2", "friction: 0.2, solver: pgs, iterations: 1, accepted_residual: 0"))
        result = self.study("--no-plots")
        self.assertEqual(result["crashed"], 0)
        self.assertIn("failed", {row["status"] for row in self.table()})

    def test_recordings_are_kept_where_asked_for(self):
        self.write("study.yaml", STUDY.replace("measures:", "keep_recordings: true\nmeasures:").replace(
            "plots:\n", "plots:\n  - {file: curves.png, curves: [crate.x, overlap], columns: model, colour: step}\n"))
        self.study()
        for row in self.table():
            self.assertTrue((self.folder / "study" / row["recording"]).exists())
        self.assertTrue((self.folder / "study" / "curves.png").exists())

    def test_without_matplotlib_there_is_a_table_and_a_message(self):
        empty = self.folder / "python"
        empty.write_text(f"#!/bin/sh\nexec {sys.executable} -S -I \"$@\"\n")  # without packages
        empty.chmod(0o755)
        for python in (str(empty), "/nowhere/python3"):
            code, out, err = self.run_program("study", "study.yaml", env={**os.environ, "TOUCHSTONE_PYTHON": python})
            self.assertEqual(code, 0)
            self.assertEqual(err.count("\n"), 1, err)
            self.assertIn("python3-matplotlib", err)
            self.assertNotIn("way.png", out, "no picture is announced that is not there")

    def test_a_picture_that_cannot_be_drawn_costs_only_itself(self):
        (self.folder / "study" / "way.png" / "in").mkdir(parents=True)
        self.write("study.yaml", STUDY + "  - {file: words.pdf, x: model, y: x}\n")
        code, out, err = self.run_program("study", "study.yaml")
        self.assertEqual(code, 2)
        self.assertRegex(err, r"\Atouchstone: \S*way.png: .*\n\Z")
        self.assertTrue((self.folder / "study" / "words.pdf").read_bytes().startswith(b"%PDF"))
        self.assertIn("words.pdf", out)

    def test_the_named_studies_are_listed(self):
        code, out, _ = self.run_program("list", "studies", "-q")
        self.assertEqual(code, 0)
        self.assertEqual(out.split(), ["fig-5-10b", "fig-5-14b", "fig-5-6"])

    def test_the_figure_of_the_triangle_drop_is_drawn(self):
        code, out, err = self.run_program("study", "fig-5-6", "-q")
        self.assertEqual((code, err), (0, ""))
        rows = {(row["model"], row["step"]): row for row in self.table("fig-5-6")}
        self.assertEqual(len(rows), 64)
        for (model, step), row in rows.items():
            # [PEG 3.1] The truth is that of 1.5 s, which these steps reach; errors fall with the step.
            if model in ("plane", "peg") and step in ("0.001", "0.002", "0.005", "0.006", "0.01", "0.015"):
                self.assertAlmostEqual(float(row["x"]), 3.726979, delta=7 * float(step), msg=f"{model} {step}")
        self.assertTrue((self.folder / "fig-5-6" / "fig-5-6.png").exists())


@unittest.skipUnless(shutil.which("mpirun"), "no mpirun (Debian package openmpi-bin)")
class Ranks(Folder):
    MPIRUN = ["mpirun", "-n", "2", "--allow-run-as-root", "--oversubscribe"]

    def test_two_ranks_make_the_same_table(self):
        self.study("--no-plots", "-o", "alone")
        counts = self.study("--no-plots", "-o", "ranks", before=self.MPIRUN)
        self.assertEqual((counts["made"], counts["known"]), (12, 0), "of all ranks together")
        self.assertEqual((self.folder / "ranks" / "table.csv").read_bytes(), (self.folder / "alone" / "table.csv").read_bytes())

    def test_a_rank_in_trouble_ends_the_job(self):
        self.study("--no-plots")
        rows = sorted((self.folder / "study" / "runs").iterdir())
        for row in rows:
            row.unlink()
        rows[5].mkdir()  # where a row was, nothing can be written
        code, _, err = self.run_program("study", "study.yaml", "--no-plots", "-q", before=self.MPIRUN, timeout=PATIENCE)
        self.assertNotEqual(code, 0)
        self.assertIn(f"{rows[5].name}: cannot be written", err)

    def test_a_rank_that_dies_ends_the_job_and_the_next_one_goes_on(self):
        slow = SCENE.replace("duration: 0.5", "duration: 1e6")
        self.write("slow.yaml", slow)
        self.write("study.yaml", STUDY.replace("scenes: scene.yaml", "scenes: [scene.yaml, slow.yaml]")
                   .replace("[0.005, 0.01]", "0.01"))
        running = subprocess.Popen([*self.MPIRUN, PROGRAM, "study", "study.yaml", "--no-plots", "-q"], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        end = time.monotonic() + PATIENCE
        while len(list((self.folder / "study" / "runs").glob("*.json"))) < 6 and time.monotonic() < end:
            time.sleep(0.05)
        ranks = [pid for pid, words in self.children(running.pid).items() if "study" in words]
        self.assertEqual(len(ranks), 2)
        os.kill(ranks[1], signal.SIGKILL)
        self.assertNotEqual(running.wait(PATIENCE), 0)
        running.communicate()
        end = time.monotonic() + PATIENCE
        while any(pathlib.Path(f"/proc/{pid}").exists() for pid in ranks) and time.monotonic() < end:
            time.sleep(0.05)
        for pid in ranks:
            self.assertFalse(pathlib.Path(f"/proc/{pid}").exists())
        self.write("slow.yaml", SCENE)
        result = self.study("--no-plots", before=self.MPIRUN)
        self.assertEqual({row["status"] for row in self.table()}, {"done"})
        self.assertEqual(len(self.table()), 12)
        self.assertEqual(result["made"] + result["known"], 12)
        self.assertGreaterEqual(result["known"], 6, "what the first job had done was not done again")


class Faults(Folder):
    def test_bad_studies_are_refused_in_one_line_and_leave_no_file(self):
        faulty = {
            "empty.yaml": ("", "empty.yaml"),
            "version.yaml": (STUDY.replace("study: 1", "study: 2"), "version.yaml:1: study: expected 1"),
            "noscene.yaml": ("study: 1\n", "scenes"),
            "key.yaml": (STUDY.replace("models:", "model:"), 'did you mean "models"?'),
            "measure.yaml": (STUDY.replace("last(crate.x)", "final(crate.x)"), 'there is no function "final"'),
            "measure2.yaml": (STUDY.replace("last(crate.x)", "crate.x"), "expected FUNCTION(QUANTITY)"),
            "plot.yaml": (STUDY.replace("y: x", "y: z"), 'there is no column "z"'),
            "plot2.yaml": (STUDY.replace("x: contact.friction, y: x, ", ""), "expected x and y, or curves"),
            "columns.yaml": (STUDY + "columns: [steps, min_gab]\n", 'did you mean "min_gap"?'),
            "huge.yaml": (STUDY + "seeds: 100000\n", "more than 1000000 runs"),
            "body.yaml": (STUDY.replace("last(crate.x)", "last(crat.x)"), 'measures.x: there is no body "crat"; did you mean "crate"?'),
            "number.yaml": (STUDY.replace("last(crate.x)", "last(crate.z)"), 'there is no number of a body in 2D "z"'),
            "array.yaml": (STUDY.replace("last(crate.x)", "last(overlp)"), 'did you mean "overlap"?'),
            "scaled.yaml": (STUDY.replace("steps: [0.005, 0.01]", "scaled: {contact.margin: 3}"), "scaled: needs steps"),
            "ending.yaml": (STUDY.replace("way.png", "way.gif"), "a .png or .pdf"),
            "log.yaml": (STUDY.replace("title: Way", "log: 3"), "log"),
            "curves.yaml": (STUDY.replace("plots:\n", "keep_recordings: true\nplots:\n  - {file: c.png, curves: [cart.x]}\n"), 'there is no body "cart"'),
            "curves2.yaml": (STUDY.replace("plots:\n", "keep_recordings: true\nplots:\n  - {file: c.png, curves: crate.x}\n"), "a list of quantities"),
            "limits.yaml": (STUDY.replace("plots:\n", "keep_recordings: true\nplots:\n  - {file: c.png, curves: [crate.x], limits: {crate.x: 3}}\n"), "a lowest and a highest"),
            "limit.yaml": (STUDY + "limit: -1\n", "limit.yaml"),
        }
        for name, (text, _) in faulty.items():
            self.write(name, text)
        before = sorted(p.name for p in self.folder.iterdir())
        table = [([name], message) for name, (_, message) in faulty.items()]
        table += [([], "STUDY is required"), (["absent.yaml"], "there is no such file"), (["."], "not a folder"),
                  (["fig-5-7"], 'did you mean "fig-5-6"?'), (["study.yaml", "-j", "-1"], "--jobs")]
        for arguments, message in table:
            with self.subTest(" ".join(arguments)):
                code, out, err = self.run_program("study", *arguments)
                self.assertEqual((code, out), (2, ""), err)
                self.assertEqual(len(err.splitlines()), 1, err)
                self.assertIn(message, err)
                self.assertEqual(sorted(p.name for p in self.folder.iterdir()), before)

    def test_a_scene_that_is_refused_is_told(self):
        before = sorted(p.name for p in self.folder.iterdir())
        for good, bad, message in (("plane, standard", "plane, standart", 'did you mean "standard"?'),
                                   ("contact.friction", "contact.frction", 'did you mean "friction"?'),
                                   ("0.3]", "-0.3]", "contact.friction"), ("scene.yaml", "scen.yaml", "scen.yaml")):
            self.write("study.yaml", STUDY.replace(good, bad))
            code, _, err = self.run_program("study", "study.yaml", "--no-plots", "-q")
            self.assertEqual(code, 2)
            self.assertEqual(len(err.splitlines()), 1, err)
            self.assertIn(message, err)
            self.assertEqual(sorted(p.name for p in self.folder.iterdir()), before)


if __name__ == "__main__":
    unittest.main()
