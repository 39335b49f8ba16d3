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

    def run_program(self, *arguments, before=(), timeout=120, env=None):
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
        end = time.monotonic() + 30
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

    def test_a_run_that_is_killed_costs_only_itself(self):
        self.write("study.yaml", LONG)
        running = subprocess.Popen([PROGRAM, "study", "study.yaml", "--no-plots", "--json", "-j", "12"], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        runs = self.wait_for_children(running.pid, 12)
        victim = next(pid for pid, words in runs.items() if "contact.friction=0.3" in words and "contact.model=standard" in words)
        os.kill(victim, signal.SIGSEGV)
        time.sleep(0.3)
        for pid in runs:
            if pid != victim:
                os.kill(pid, signal.SIGUSR1)  # another way to crash; all but the first
        out, err = running.communicate(timeout=60)
        self.assertEqual(running.returncode, 3, err)
        self.assertEqual(json.loads(out)["crashed"], 12)
        self.assertEqual({row["status"] for row in self.table()}, {"crashed"})
        # They are made again, and the others are not touched by it.
        self.write("study.yaml", STUDY)
        self.assertEqual(self.study("--no-plots")["made"], 12)

    def test_one_crash_among_others(self):
        slow = SCENE.replace("duration: 0.5", "duration: 1e6")
        self.write("slow.yaml", slow)
        self.write("study.yaml", STUDY.replace("scenes: scene.yaml", "scenes: [scene.yaml, slow.yaml]")
                   .replace("[plane, standard]", "plane").replace("[0.005, 0.01]", "0.01").replace("[0.1, 0.2, 0.3]", "0.2"))
        running = subprocess.Popen([PROGRAM, "study", "study.yaml", "--no-plots", "-q"], cwd=self.folder)
        end = time.monotonic() + 30
        while time.monotonic() < end:
            slow_ones = [pid for pid, words in self.children(running.pid).items() if "slow.yaml" in words]
            if slow_ones and len(list((self.folder / "study" / "runs").glob("*.json"))) == 1:
                break
            time.sleep(0.05)
        os.kill(slow_ones[0], signal.SIGKILL)
        self.assertEqual(running.wait(60), 3)
        self.assertEqual([(row["scene"], row["status"]) for row in self.table()], [("scene", "done"), ("slow", "crashed")])

    def test_ctrl_c_stops_all_and_the_next_call_goes_on(self):
        self.write("study.yaml", LONG.replace("duration: 1e6", "duration: 1e6\nlimit: 1e6"))
        running = subprocess.Popen([PROGRAM, "study", "study.yaml", "--no-plots", "-q", "-j", "2"], cwd=self.folder)
        runs = self.wait_for_children(running.pid, 2)
        running.send_signal(signal.SIGINT)
        self.assertEqual(running.wait(60), 130)
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
        end = time.monotonic() + 10
        while any(pathlib.Path(f"/proc/{pid}").exists() for pid in runs) and time.monotonic() < end:
            time.sleep(0.05)
        for pid in runs:
            self.assertFalse(pathlib.Path(f"/proc/{pid}").exists())

    def test_runs_that_take_too_long_are_ended(self):
        self.write("study.yaml", LONG.replace("duration: 1e6", "duration: 1e6\nlimit: 0.3").replace("[0.1, 0.2, 0.3]", "0.1"))
        self.assertEqual(self.study("--no-plots")["crashed"], 0)
        self.assertEqual({row["status"] for row in self.table()}, {"timeout"})
        self.assertEqual(self.study("--no-plots")["known"], 4)

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
        empty = self.folder / "bin"
        empty.mkdir()
        (empty / "python3").write_text("#!/bin/sh\nexit 1\n")
        (empty / "python3").chmod(0o755)
        if subprocess.run(["/usr/bin/python3", "-c", "import matplotlib, h5py"], capture_output=True).returncode == 0:
            self.skipTest("Debian's python3 has matplotlib; nothing to hide it with")
        code, _, err = self.run_program("study", "study.yaml", env={**os.environ, "PATH": f"{empty}:{os.environ['PATH']}"})
        self.assertEqual(code, 0)
        self.assertIn("python3-matplotlib", err)

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
        self.study("--no-plots", "-o", "ranks", before=self.MPIRUN)
        self.assertEqual((self.folder / "ranks" / "table.csv").read_bytes(), (self.folder / "alone" / "table.csv").read_bytes())

    def test_a_rank_that_dies_ends_the_job_and_the_next_one_goes_on(self):
        slow = SCENE.replace("duration: 0.5", "duration: 1e6")
        self.write("slow.yaml", slow)
        self.write("study.yaml", STUDY.replace("scenes: scene.yaml", "scenes: [scene.yaml, slow.yaml]")
                   .replace("[0.005, 0.01]", "0.01"))
        running = subprocess.Popen([*self.MPIRUN, PROGRAM, "study", "study.yaml", "--no-plots", "-q"], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        end = time.monotonic() + 60
        while len(list((self.folder / "study" / "runs").glob("*.json"))) < 6 and time.monotonic() < end:
            time.sleep(0.05)
        ranks = [pid for pid, words in self.children(running.pid).items() if "study" in words]
        self.assertEqual(len(ranks), 2)
        os.kill(ranks[1], signal.SIGKILL)
        self.assertNotEqual(running.wait(60), 0)
        running.communicate()
        end = time.monotonic() + 20
        while any(pathlib.Path(f"/proc/{pid}").exists() for pid in ranks) and time.monotonic() < end:
            time.sleep(0.05)
        for pid in ranks:
            self.assertFalse(pathlib.Path(f"/proc/{pid}").exists())
        self.write("slow.yaml", SCENE)
        result = self.study("--no-plots", before=self.MPIRUN)
        self.assertEqual({row["status"] for row in self.table()}, {"done"})
        self.assertEqual(len(self.table()), 12)
        self.assertLessEqual(result["made"], 6, "what the first job had done was not done again")


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
