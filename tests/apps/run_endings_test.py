#!/usr/bin/env python3
"""How a run ends, and what is left of it then: Ctrl-C, kill -9, resuming, numbers that fail, overlaps.

usage: run_endings_test.py PROGRAM [unittest arguments]
"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import time
import unittest

from run_folder import OVERLAPPING, PATIENCE, ROOT, SLIDE, Folder, python_with_h5py


class Endings(Folder):
    LONG = SLIDE.replace("duration: 0.5", "duration: 1e5")

    def test_ctrl_c_ends_cleanly_with_a_readable_recording(self):
        running = self.start("run", self.scene(self.LONG), "--json")
        self.wait_for("scene.h5", 20000)
        running.send_signal(signal.SIGINT)
        out, _ = running.communicate(timeout=PATIENCE)
        self.assertEqual(running.returncode, 130)
        result = json.loads(out)
        self.assertTrue(result["stopped"])
        self.assertEqual(self.json_of("check", "scene.h5")["frames"], result["steps"] + 1)

    def killed_run(self, seconds, wanted):
        """Kills a run after some seconds; its check. On a busy machine it is tried for longer until it is as wanted."""
        for patience in (1, 2, 4, 8, 16, 32, 64):
            running = self.start("run", self.scene(self.LONG), "-q")
            self.wait_for("scene.h5", 20000)
            time.sleep(seconds * patience)
            running.kill()
            running.communicate()
            check = self.json_of("check", "scene.h5")
            if wanted(check["frames"]):
                return check
        self.fail(f"{check['frames']} frames after {seconds * patience} s")

    def test_a_killed_run_leaves_a_readable_recording(self):
        check = self.killed_run(1.5, lambda frames: frames > 100)
        self.assertTrue(check["ok"])
        # It goes on from there, with the bits of a run that was never killed.
        end = str(0.005 * (check["frames"] + 50))
        resumed = self.json_of("run", "--resume", "scene.h5", "--duration", end)
        whole = self.json_of("run", "scene.yaml", "--duration", end, "-o", "whole.h5")
        self.assertEqual(resumed["state_hash"], whole["state_hash"])
        self.assertEqual(resumed["steps"], whole["steps"])
        self.assertEqual(self.json_of("check", "scene.h5")["frames"], whole["steps"] + 1)

    def test_resuming_for_a_shorter_time_is_refused_and_loses_nothing(self):
        self.json_of("run", self.scene(SLIDE), "--duration", "1.2")
        before = self.json_of("check", "scene.h5")["frames"]
        code, out, err = self.run_program("run", "--resume", "scene.h5", "--duration", "0.3")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("--duration: scene.h5 holds 1.2 s already", err)
        self.assertEqual(self.json_of("check", "scene.h5")["frames"], before)
        self.assertAlmostEqual(self.json_of("run", "--resume", "scene.h5")["time"], 1.2)
        _, out, _ = self.run_program("run", "--resume", "scene.h5", "--duration", "1.5")
        self.assertRegex(out, r"steps +300 of 0.005 s: 1.5 s simulated, the last 100 steps in")

    def test_a_resumed_run_that_is_killed_loses_nothing(self):
        # There must be frames behind the last checkpoint, which is made every hundredth step.
        before = self.killed_run(0.7, lambda frames: frames > 1 and frames % 100 != 1)["frames"]
        resumed = self.start("run", "--resume", "scene.h5", "-q")
        time.sleep(0.1)
        resumed.kill()
        resumed.communicate()
        self.assertGreaterEqual(self.json_of("check", "scene.h5")["frames"], before)

    def test_a_killed_run_lacks_at_most_its_last_second(self):
        """The file is looked at with h5py just before the kill -9: what it shows is at most a second old."""
        python = python_with_h5py()
        if python is None:
            self.skipTest("no Python with h5py (Debian package python3-h5py)")
        code = ("import h5py, sys; f = h5py.File(sys.argv[1]); f.visititems(lambda n, o: o[()] if isinstance(o, h5py.Dataset) "
                "else None); print(len(f['time']))")

        def frames(file):
            done = subprocess.run([python, "-c", code, file], cwd=self.folder, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            return int(done.stdout)

        def frames_so_far():
            shutil.copy(self.folder / "scene.h5", self.folder / "copy.h5")
            return frames("copy.h5")

        running = self.start("run", self.scene(self.LONG), "-q")
        self.wait_for("scene.h5", 20000)
        longest, flushes = self.work_between_flushes(running.pid, self.folder / "scene.h5", 5)
        end = time.monotonic() + PATIENCE
        while frames_so_far() <= 100 and time.monotonic() < end:
            time.sleep(0.2)
        running.kill()
        running.communicate()
        self.assertGreaterEqual(flushes, 5)
        self.assertLess(longest, 1)
        self.assertGreater(frames("scene.h5"), 100)

    def test_frame_0_is_written_before_the_first_step_is_made(self):
        running = self.start("run", str(ROOT / "tests/corpus/scene/hang-473.yaml"), "-o", "long.h5", "-q")
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and self.run_program("check", "long.h5", "-q", "--tolerance", "1")[0] != 0:
            time.sleep(0.02)
        running.kill()
        running.communicate()
        self.assertGreaterEqual(self.json_of("check", "long.h5", "--tolerance", "1")["frames"], 1)

    def test_a_recording_has_one_writer(self):
        running = self.start("run", self.scene(self.LONG), "-q")
        self.wait_for("scene.h5", 20000)
        for words in (("--resume", "scene.h5"), ("scene.yaml", "-o", "scene.h5"), ("scene.yaml", "-o", "scene.h5", "--force")):
            code, out, err = self.run_program("run", *words)
            self.assertEqual((code, out), (2, ""))
            self.assertIn(f"scene.h5: is being written by process {running.pid} (touchstone)", err)
            self.assertEqual(len(err.splitlines()), 1, err)
        running.send_signal(signal.SIGTERM)
        running.communicate(timeout=PATIENCE)
        self.assertEqual(running.returncode, 130)
        before = self.json_of("check", "scene.h5")["frames"]
        self.assertGreater(before, 10)
        code, _, err = self.run_program("run", "--resume", "scene.h5", "--duration", str(0.005 * (before + 10)))
        self.assertEqual(code, 0, err)

    def test_a_folder_that_is_gone_is_told(self):
        (self.folder / "sub").mkdir()
        running = self.start("run", self.scene(self.LONG), "-q", "-o", "sub/r.h5")
        self.wait_for("sub/r.h5", 20000)
        shutil.rmtree(self.folder / "sub")
        _, err = running.communicate(timeout=PATIENCE)
        self.assertEqual(running.returncode, 3)
        self.assertEqual(len(err.splitlines()), 1, err)
        self.assertIn("sub/r.h5: cannot be written any further (it is no longer there", err)

    def test_a_recording_of_version_1_is_read_and_continued(self):
        python = python_with_h5py()
        if not python:
            self.skipTest("no Python with h5py (Debian package python3-h5py)")
        self.json_of("run", self.scene(SLIDE), "--duration", "1.2")
        code = ("import h5py; f = h5py.File('scene.h5', 'r+'); f.attrs['version'] = 1\n"
                "for name in ('work', 'gravity', 'joints/error', 'steps/momentum_error'): del f[name]")
        subprocess.run([python, "-c", code], cwd=self.folder, check=True)
        check = self.json_of("check", "scene.h5")
        self.assertNotIn("works_error", check)
        resumed = self.json_of("run", "--resume", "scene.h5", "--duration", "2")
        self.assertEqual(resumed["state_hash"], self.json_of("run", "scene.yaml", "--duration", "2", "-o", "whole.h5")["state_hash"])
        self.assertEqual(self.json_of("check", "scene.h5")["frames"], 401)

    def work_between_flushes(self, pid, path, wanted):
        """The longest time of the processor [s] that a run was seen to use without a change of its file, over some changes.
        Wall time would count what a busy machine gives to others."""
        def used():
            words = pathlib.Path(f"/proc/{pid}/task/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

        longest, flushes = 0, 0
        changed, begin, end = path.stat().st_mtime_ns, used(), time.monotonic() + PATIENCE
        while flushes < wanted and time.monotonic() < end:
            time.sleep(0.02)
            now = used()
            if path.stat().st_mtime_ns != changed:
                changed, begin, flushes = path.stat().st_mtime_ns, used(), flushes + 1
            else:
                longest = max(longest, now - begin)
        return longest, flushes

    def test_numbers_that_fail_keep_what_was_recorded(self):
        scene = self.scene(SLIDE.replace("friction: 0.2", "friction: 0.2, solver: pgs, iterations: 1, accepted_residual: 0"))
        code, out, err = self.run_program("run", scene)
        self.assertEqual(code, 3)
        self.assertIn("failed", err)
        self.assertEqual(len(err.splitlines()), 1)
        self.assertGreaterEqual(self.json_of("check", "scene.h5")["frames"], 1)

    def test_check_fails_where_bodies_overlap(self):
        scene = self.scene(OVERLAPPING)
        run = self.json_of("run", scene, "--set", "allow_overlap=true")
        self.assertAlmostEqual(run["max_overlap"], 0.1, delta=1e-15)  # 0.4 and 0.5 are rounded
        check = self.json_of("check", "scene.h5", code=1)
        self.assertFalse(check["ok"])
        self.assertAlmostEqual(check["min_gap"], -0.1, delta=1e-12)
        self.assertAlmostEqual(check["max_overlap"], 0.1, delta=1e-12)
        self.assertEqual(self.run_program("check", "scene.h5")[0], 1)
        self.assertEqual(self.run_program("check", "scene.h5", "--tolerance", "0.2")[0], 0)


if __name__ == "__main__":
    unittest.main()
