#!/usr/bin/env python3
"""The first hour of a user: nothing that exists is lost, nothing hangs, what must be known is told.

usage: everyday_test.py PROGRAM [unittest arguments]
"""
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import unittest

PATIENCE = 600  # [s] the machine may be busy; what ends sooner costs nothing
PROGRAM = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "touchstone"
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DATA = pathlib.Path(os.environ.get("TOUCHSTONE_DATA", ROOT.parent / "shared" / "data"))

SLIDE = """touchstone: 1
dimension: 2
step: 0.01
duration: 0.05
contact: {friction: 0.2}
bodies:
  - {name: table, shape: {half_space: [0, 1, 0]}, fixed: true}
  - {name: crate, shape: {box: [1, 1]}, mass: 1, position: [-0.7, 0.5], velocity: [1.5, 0]}
"""
PENDULUM = """touchstone: 1
dimension: 2
step: 0.005
duration: 0.2
bodies:
  - {name: rod, shape: {box: [1, 0.1]}, mass: 1, position: [0.5, 0]}
joints:
  - {name: hinge, kind: revolute, bodies: [world, rod], position: [0, 0]}
"""


class Folder(unittest.TestCase):
    """Each test has a folder of its own."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        (self.folder / "my.yaml").write_text(SLIDE)

    def run_program(self, *arguments, code=0, **more):
        done = subprocess.run([PROGRAM, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE,
                              stdin=subprocess.DEVNULL, **more)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout, done.stderr

    def json_of(self, *arguments, code=0):
        return json.loads(self.run_program(*arguments, "--json", code=code)[0])

    def files(self):
        return sorted(p.name for p in self.folder.iterdir())


class Recordings(Folder):
    def test_a_file_that_is_no_recording_is_never_overwritten(self):
        hdf5 = (ROOT / "tests/corpus/recording/slide").read_bytes()
        for name, content in (("my.yaml", SLIDE.encode()), ("notes.txt", b"mine"), ("torn.h5", hdf5[:len(hdf5) // 2]),
                              ("fake.h5", b"\x89HDF\r\n\x1a\n and no more")):
            (self.folder / name).write_bytes(content)
            for words in ([], ["--force"]):
                with self.subTest(name=name, words=words):
                    out, err = self.run_program("run", "my.yaml", "-o", name, *words, code=2)
                    self.assertEqual(err, f"touchstone: {name}: exists and is no recording, so it is not overwritten; "
                                          "choose another name\n")
                    self.assertEqual((self.folder / name).read_bytes(), content)

    def test_by_its_own_name_a_run_finds_a_new_one(self):
        (self.folder / "my.h5").write_text("mine")
        _, err = self.run_program("run", "my.yaml", "-q")
        self.assertEqual(err, "touchstone: my.h5 exists; recording to my-2.h5\n")
        self.assertEqual((self.folder / "my.h5").read_text(), "mine")
        self.run_program("check", "my-2.h5", "-q")

    def test_a_recording_is_overwritten_by_force_only(self):
        for words in ([], ["-o", "rec.h5"]):
            name = "rec" if words else "my"
            self.run_program("run", "my.yaml", "-q", *words)
            first = (self.folder / f"{name}.h5").read_bytes()
            result = subprocess.run([PROGRAM, "run", "my.yaml", "--json", *words], cwd=self.folder, capture_output=True, text=True)
            self.assertEqual(json.loads(result.stdout)["recording"], f"{name}-2.h5")
            self.assertEqual(result.stderr, f"touchstone: {name}.h5 exists; recording to {name}-2.h5 (--force overwrites)\n")
            self.assertIn(f"{name}-3.h5", self.run_program("run", "my.yaml", "-q", *words)[1])
            self.assertEqual((self.folder / f"{name}.h5").read_bytes(), first)
            out, err = self.run_program("run", "my.yaml", "-q", "--force", "--duration", "0.03", *words)
            self.assertEqual((out, err), ("", ""))
            self.assertEqual(self.json_of("check", f"{name}.h5")["frames"], 4)

    def test_an_empty_file_is_taken(self):
        (self.folder / "made.h5").touch()
        self.run_program("run", "my.yaml", "-q", "-o", "made.h5")
        self.run_program("check", "made.h5", "-q")

    def test_pipes_and_devices_do_not_hang(self):
        os.mkfifo(self.folder / "pipe")
        for words in (["run", "my.yaml", "-o", "pipe"], ["run", "my.yaml", "-o", "/dev/null"], ["run", "my.yaml", "-o", "."],
                      ["run", "--resume", "pipe"], ["check", "pipe"], ["export", "pipe", "out.csv"], ["check", "/dev/zero"]):
            with self.subTest(words):
                done = subprocess.run([PROGRAM, *words], cwd=self.folder, capture_output=True, text=True, timeout=60,
                                      stdin=subprocess.DEVNULL)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def test_a_file_that_may_not_grow_is_told(self):
        def small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

        done = subprocess.run([PROGRAM, "run", "my.yaml", "-q"], cwd=self.folder, capture_output=True, text=True,
                              preexec_fn=small_files, timeout=PATIENCE)
        self.assertIn(done.returncode, (2, 3), done)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn("my.h5", done.stderr)
        self.assertIn("File too large", done.stderr)

    def test_messages_keep_the_inner_life_of_hdf5_to_themselves(self):
        (self.folder / "bent.h5").write_bytes(b"\x89HDF\r\n\x1a\n\x02" + bytes(200))
        said = [self.run_program(*words, code=2)[1] for words in (
            ["check", "bent.h5"], ["run", "my.yaml", "-o", "no/where.h5"], ["run", "--resume", "bent.h5"])]
        for line in said:
            for word in ("flags", "errno", "H5", "superblock", "unable", "driver"):
                self.assertNotIn(word, line)
        self.assertIn("No such file or directory", said[1])


class Readers(Folder):
    """Each text that programs of others write may be nested 200 000 deep: it is refused, and nothing falls."""

    def test_nesting_is_bounded(self):
        many = 200_000
        texts = {
            "deep.urdf": "<robot name='r'>" + "<a>" * many + "</a>" * many + "</robot>",
            "open.urdf": "<robot name='r'>" + "<a>" * many,
            "flow.yaml": "touchstone: 1\nbodies: " + "[" * many + "]" * many,
            "maps.yaml": "touchstone: 1\nbodies: " + "{a: " * many + "}" * many,
            "open.yaml": "[" * many,
            "dashes.yaml": "- " * many + "1",
            "keys.yaml": "? " * many + "1",
            "scene.json": '{"bodies": ' + "[" * many + "]" * many + "}",
            "torn.json": '{"bodies": ' + '{"a": ' * many,
            "ipc.json": '{"rigid_body_problem": ' + "[" * many + "]" * many + "}",
        }
        for name, text in texts.items():
            (self.folder / name).write_text(text)
            with self.subTest(name):
                _, err = self.run_program("run", name, "--no-recording", "-q", code=2)
                self.assertEqual(len(err.splitlines()), 1, err)
                self.assertIn(name, err)
        (self.folder / "problem.json").write_text('{"touchstone_problem": 1, "kind": "lcp", "M": ' + "[" * many + "]" * many + "}")
        (self.folder / "study.yaml").write_text("study: 1\nscenes: " + "[" * many)
        (self.folder / "batch.jsonl").write_text('{"a": ' + "[" * many + "]" * many + "}")
        for words in (["solve", "problem.json"], ["study", "study.yaml"]):
            with self.subTest(words):
                _, err = self.run_program(*words, code=2)
                self.assertEqual(len(err.splitlines()), 1, err)
        self.assertIn("nested deeper", self.run_program("query", "--batch", "batch.jsonl", code=2)[0])

    def test_long_lines_of_meshes_and_problems_are_read_or_refused(self):
        many = 200_000
        meshes = {"m.obj": "v 0 0 0\nf " + "1 " * many, "m.off": "OFF\n1 1 0\n0 0 0\n" + f"{many} " + "0 " * many,
                  "m.ply": "ply\nformat ascii 1.0\n" + "comment x\n" * many, "m.stl": "solid x\n" + "facet " * many,
                  "m.poly": "v " * many}
        for name, text in meshes.items():
            (self.folder / name).write_text(text)
            with self.subTest(name):
                _, err = self.run_program("query", name, "sphere:1", code=2)
                self.assertIn(name, err)
        (self.folder / "p.dat").write_text("1 " * many)
        self.run_program("solve", "p.dat", "--kind", "lcp", code=2)


class Warnings(Folder):
    def test_a_clean_run_has_none(self):
        result = self.json_of("run", "my.yaml")
        self.assertEqual(result["warnings"], [])
        self.assertEqual(self.run_program("run", "my.yaml", "-q", "-o", "a.h5")[1], "")

    def test_a_joint_that_starts_outside_is_refused(self):
        scene = str(ROOT / "tests/corpus/scene/limit-violated-at-start.yaml")
        for step in ("0.001", "0.01"):
            _, err = self.run_program("run", scene, "--step", step, code=2)
            for word in (scene + ":8", '"hinge"', "is 0", "0.5 to 1.5"):
                self.assertIn(word, err)

    def test_a_joint_that_is_open_is_told_and_judged(self):
        # The motor, weak as it is, has a bounded force: such joints move at first order, and nothing closes them here.
        (self.folder / "p.yaml").write_text(PENDULUM.replace("position: [0, 0]}", "position: [0, 0], motor: {rate: 0, force: 0.001}}"))
        wild = ["--set", "bodies.rod.angular_velocity=900", "--step", "0.01", "--set", "contact.joint_stabilisation=0"]
        done = subprocess.run([PROGRAM, "run", "p.yaml", "--json", *wild], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        result = json.loads(done.stdout)
        self.assertGreater(result["joint_error"], 0.01)
        joints = [w for w in result["warnings"] if w.startswith("joints:")]
        self.assertEqual(len(joints), 1)
        self.assertIn("touchstone: WARNING: p: " + joints[0], done.stderr.splitlines())
        check = self.json_of("check", "p.h5", code=1)
        self.assertTrue(any("joint" in fault for fault in check["faults"]), check)
        self.assertFalse(check["ok"])

    def test_energy_from_nowhere_is_told_and_judged(self):
        (self.folder / "deep.yaml").write_text(SLIDE.replace("[-0.7, 0.5]", "[-0.7, 0.3]") + "allow_overlap: true\n")
        done = subprocess.run([PROGRAM, "run", "deep.yaml", "--json", "--model", "standard"], cwd=self.folder, capture_output=True,
                              text=True)
        result = json.loads(done.stdout)
        self.assertGreater(result["energy_excess"], 1)
        energy = [w for w in result["warnings"] if w.startswith("energy:")]
        self.assertEqual(len(energy), 1, result["warnings"])
        self.assertIn("touchstone: WARNING: deep: " + energy[0], done.stderr.splitlines())
        check = self.json_of("check", "deep.h5", "--tolerance", "1", code=1)
        self.assertEqual(len(check["faults"]), 2)  # by its summary, and by the works of its contacts
        self.assertGreater(check["energy_gained"], 1)
        self.assertTrue(self.json_of("check", "deep.h5", "--tolerance", "1", "--energy-tolerance", "1e9")["ok"])


class Summary(Folder):
    def test_it_names_the_friction(self):
        def line(*words):
            out = self.run_program("run", "my.yaml", "--no-recording", *words)[0]
            return next(text for text in out.splitlines() if text.startswith("friction"))

        self.assertEqual(line(), "friction      linear, coefficient 0.2")
        self.assertEqual(line("--set", "contact.law=no-slip"), "friction      no-slip")
        self.assertIn("none", line("--set", "contact.friction=0"))
        (self.folder / "my.yaml").write_text(SLIDE.replace("bodies:", "materials: {ice: {friction: 0.05}, oak: {friction: 0.8}}\nbodies:")
                                             .replace("fixed: true", "fixed: true, material: ice").replace("mass: 1", "mass: 1, material: oak"))
        self.assertEqual(line(), "friction      linear, coefficient 0.05 to 0.8")
        friction = self.json_of("run", "my.yaml", "--no-recording")["friction"]
        self.assertEqual((friction["laws"], friction["least"], friction["most"]), (["linear"], 0.05, 0.8))
        self.assertEqual((friction["pairs"], friction["sliding_pairs"], friction["islands"], friction["turns"]), (1, 1, 5, 0))

    def test_the_work_of_motors_is_no_gain(self):
        (self.folder / "p.yaml").write_text(PENDULUM.replace("position: [0, 0]}", "position: [0, 0], motor: {rate: 3}}"))
        result = self.json_of("run", "p.yaml")
        self.assertGreater(result["drive_work"], 1)
        self.assertEqual(result["energy_gained"], 0)
        self.assertIn("drives ", self.run_program("run", "p.yaml", "--no-recording")[0])


class Words(Folder):
    def test_a_value_of_the_scene_that_is_given_as_an_option_is_answered_by_what_to_type(self):
        for words, answer in ((["--friction", ".5"], "--set contact.friction=.5"), (["--friction=0.5"], "--set contact.friction=0.5"),
                              (["--restitution"], "--set contact.restitution=VALUE"), (["--gravity", "[0,0]"], "--set gravity=[0,0]"),
                              (["--plane-rule", "toi2"], "--set contact.plane_rule=toi2")):
            _, err = self.run_program("run", "my.yaml", *words, code=2)
            self.assertIn(f'unexpected argument "{words[0].split("=")[0]}"; it is a value of the scene: write {answer} ', err)
        self.assertIn('did you mean "--duration"?', self.run_program("run", "my.yaml", "--durations", "1", code=2)[1])

    def test_short_forms_are_the_same_everywhere(self):
        pairs = [("half_space:0,0,1,0.5", {"half_space": [0, 0, 1, 0.5]}, {"half_space": {"normal": [0, 0, 1], "offset": 0.5}}),
                 ("cylinder:1,2,12", {"cylinder": [1, 2, 12]}, {"cylinder": {"radius": 1, "height": 2, "corners": 12}}),
                 ("cube:1", {"cube": 1}, {"box": [1, 1, 1]}), ("cube:1", {"cube": [1]}, {"cube": {"side": 1}})]
        for forms in pairs:
            answers = {self.run_program("query", word if isinstance(word, str) else json.dumps(word), "sphere:0.25", "--position-b",
                                        "0.1,0.2,3", "--json")[0] for word in forms}
            self.assertEqual(len(answers), 1, forms)
        for shape in ({"half_space": [0, 0, 1]}, {"half_space": [0, 0, "up", 0]}, {"cylinder": [1, 2]}, {"cube": [1, 1, 1]}):
            text = "touchstone: 1\ndimension: 3\nbodies:\n  - {name: a, fixed: true, shape: " + json.dumps(shape) + "}\n"
            (self.folder / "bad.yaml").write_text(text)
            self.assertIn("bad.yaml:4: bodies[0].shape", self.run_program("run", "bad.yaml", code=2)[1])


class Faults(Folder):
    """The files that once broke the program, where they are at hand."""

    def test_the_files_of_robots_and_joints(self):
        faults = DATA / "faults"
        if not faults.is_dir():
            self.skipTest(f"no folder {faults}")
        self.run_program("run", str(faults / "merge-inertia.urdf"), "--duration", "0.01", "--no-recording", "-q")
        self.run_program("run", str(faults / "world-link.urdf"), "--duration", "0.01", "--no-recording", "-q")
        self.run_program("run", str(faults / "limit-violated-at-start.yaml"), "--no-recording", "-q", code=2)

    def test_robots_of_others_start_within_their_limits(self):
        robots = DATA / "robots" / "urdf"
        if not robots.is_dir():
            self.skipTest(f"no folder {robots}")
        ran = 0
        for file in sorted(robots.rglob("*.urdf")):
            done = subprocess.run([PROGRAM, "run", str(file), "--duration", "0.004", "--no-recording", "--json"], cwd=self.folder,
                                  capture_output=True, text=True, timeout=PATIENCE)
            if done.returncode != 0:
                self.assertTrue(done.stderr.startswith(f"touchstone: {file}:"), done.stderr)
                continue
            ran += 1
            self.assertLess(json.loads(done.stdout)["energy_gained"], 1e-3, file)
        self.assertGreater(ran, 0)


if __name__ == "__main__":
    unittest.main()
