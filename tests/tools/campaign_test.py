#!/usr/bin/env python3
"""tools/campaign says no: recordings with an overlap, a passed pair, a gain of energy, an open joint are forged and found."""
import importlib.util
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import types
import unittest

if not importlib.util.find_spec("h5py") and sys.executable != "/usr/bin/python3":
    os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])  # Debian's Python has Debian's packages

import h5py  # noqa: E402
import numpy as np  # noqa: E402

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"
sys.path.insert(0, str(TOOLS))
import campaign_paths as paths  # noqa: E402
import campaign_runs as runs  # noqa: E402
import campaign_shapes as shapes  # noqa: E402
from campaign_scenes import CATEGORIES, make_scene  # noqa: E402

FACES = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]


def corners(sides):
    return np.array(list(itertools.product(*((-s / 2, s / 2) for s in sides))))


def box(sides, body=0):
    """A box in space."""
    return shapes.Polytope(body, corners(sides), [np.array(f) for f in FACES])


def rectangle(sides):
    x, y = sides[0] / 2, sides[1] / 2
    return np.array([[-x, -y], [x, -y], [x, y], [-x, y]])


class Forger:
    """A recording of boxes in space (or rectangles in the plane) whose states a test makes up."""

    def __init__(self, dimension, sides, kinds, frames, h=0.01):
        self.D, self.sides, self.kinds, self.frames, self.h = dimension, sides, kinds, frames, h
        B = len(sides)
        self.position = np.zeros((frames, B, dimension))
        self.velocity = np.zeros((frames, B, dimension))
        self.spin = np.zeros((frames, B) if dimension == 2 else (frames, B, 3))
        self.orientation = np.zeros((frames, B)) if dimension == 2 else np.tile([1.0, 0, 0, 0], (frames, B, 1))
        self.residual, self.substeps = np.zeros(frames - 1), np.ones(frames - 1, int)
        self.contacts, self.joint = [], None  # contacts: (step, A, B, point, impulse)

    def move(self, body, begin, velocity):
        """Straight, with constant velocity."""
        t = self.h * np.arange(self.frames)[:, None]
        self.position[:, body] = np.array(begin) + t * np.array(velocity)
        self.velocity[:, body] = velocity

    def write(self, file):
        B, D = len(self.sides), self.D
        with h5py.File(file, "w") as f:
            f.attrs["dimension"] = D
            f["time"] = self.h * np.arange(self.frames)
            f["position"], f["velocity"] = self.position, self.velocity
            f["orientation"], f["angular_velocity"] = self.orientation, self.spin
            self._bodies(f, B, D)
            self._steps(f, D)
            if self.joint:
                self._joint(f.create_group("joints"), D)

    def _bodies(self, f, B, D):
        f["bodies/name"] = np.array([f"b{i}" for i in range(B)], "S8")
        f["bodies/mass"], f["bodies/appear"], f["bodies/kind"] = np.ones(B), np.zeros(B), np.array(self.kinds)
        f["bodies/inertia"] = np.ones(B) if D == 2 else np.tile(np.eye(3), (B, 1, 1))
        f["bodies/com"], f["bodies/no_contact"] = np.zeros((B, D)), np.zeros((0, 2), int)
        for i, sides in enumerate(self.sides):
            shape = f.create_group(f"shapes/{i}")
            shape.attrs["kind"] = "polytope"
            shape["vertices"] = rectangle(sides) if D == 2 else corners(sides)
            shape["faces"] = np.arange(4) if D == 2 else np.array(FACES).ravel()
            shape["face_offsets"] = [0, 4] if D == 2 else 4 * np.arange(7)
        f["parts/body"] = f["parts/shape"] = np.arange(B)
        f["parts/position"] = np.zeros((B, D))
        f["parts/orientation"] = np.zeros(B) if D == 2 else np.tile([1.0, 0, 0, 0], (B, 1))
        f["parts/group"], f["parts/collides"] = np.ones(B, int), np.full(B, 0xffffffff)

    def _steps(self, f, D):
        N = self.frames - 1
        f["steps/h"], f["steps/residual"] = np.full(N, self.h), self.residual
        f["steps/substeps"], f["steps/relaxed"] = self.substeps, np.zeros(N, int)
        f["contacts/offsets"] = [sum(c[0] < k for c in self.contacts) for k in range(N + 1)]
        f["contacts/bodies"] = np.array([c[1:3] for c in self.contacts], int).reshape(-1, 2)
        f["contacts/point"] = np.array([c[3] for c in self.contacts], float).reshape(-1, D)
        f["contacts/impulse"] = np.array([c[4] for c in self.contacts], float).reshape(-1, D)

    def _joint(self, g, D):
        kind, bodies, p_A, p_B, limits = self.joint
        g["name"], g["kind"], g["bodies"] = np.array(["j0"], "S4"), np.array([kind], "S12"), [bodies]
        for side, p in (("A", p_A), ("B", p_B)):
            g["position_" + side] = [p]
            g["orientation_" + side] = [0.0] if D == 2 else [[1.0, 0, 0, 0]]
        g["value_offsets"], g["value"] = [0, 1], self.orientation[:, bodies[1]].reshape(self.frames, -1)[:, :1]


class JudgeSaysNo(unittest.TestCase):
    def judge(self, forger, scene=None):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "forged.h5"
            forger.write(file)
            row = runs.judge_recording(file, {"gravity": [0] * forger.D, **(scene or {})})
        return row, {f["kind"]: f for f in row["findings"]}

    def two_boxes(self, D=3, sides=((1, 1, 1), (1, 1, 1)), frames=11):
        return Forger(D, [s[:D] for s in sides], [0, 1], frames)

    def test_an_honest_recording_is_clean(self):
        for D in (2, 3):
            forger = self.two_boxes(D)
            forger.move(0, [0] * (D - 1) + [1.05], [0] * (D - 1) + [-0.4])
            row, kinds = self.judge(forger)
            self.assertEqual(kinds, {})
            self.assertEqual(row["steps"], 10)

    def test_an_overlap_of_two_nanometres_is_found(self):
        for D, depth, found in ((2, 2e-9, True), (3, 2e-9, True), (2, 0.9e-9, False), (3, 0.9e-9, False)):
            forger = self.two_boxes(D)
            forger.move(0, [0] * (D - 1) + [1.1], [0] * D)
            forger.position[7, 0, -1] = 1 - depth
            self.assertEqual("gap" in self.judge(forger)[1], found, (D, depth))

    def test_an_overlapping_start_may_not_deepen(self):
        forger = self.two_boxes()
        forger.move(0, [0, 0, 0.9], [0, 0, 0])
        self.assertNotIn("gap", self.judge(forger, {"allow_overlap": True})[1])
        forger.position[5, 0, 2] = 0.9 - 1e-6
        self.assertIn("gap", self.judge(forger, {"allow_overlap": True})[1])

    def test_a_plate_that_jumps_through_a_plate_is_found(self):
        for D in (2, 3):
            forger = self.two_boxes(D, ((0.002, 0.4, 0.4), (4, 0.0001, 4)))
            forger.sides[1] = (4, 4, 1e-4)[-D:] if D == 3 else (4, 1e-4)
            forger.move(0, [0] * (D - 1) + [1.0], [0] * (D - 1) + [-23.0])
            forger.h = 0.06
            forger.move(0, [0] * (D - 1) + [1.0], [0] * (D - 1) + [-23.0])
            self.assertIn("pass", self.judge(forger)[1], D)

    def test_a_plate_that_bounces_just_above_is_not(self):
        forger = self.two_boxes(2, ((0.4, 1e-4, 1), (4, 1e-4, 1)))
        forger.move(0, [0, 1.0001e-4], [300.0, 0.0])  # slides fast, half a hair above
        self.assertNotIn("pass", self.judge(forger)[1])

    def test_a_bar_that_turns_full_circle_in_a_step_sweeps_what_is_in_its_way(self):
        for D in (2, 3):
            forger = self.two_boxes(D, ((1, 0.02, 0.02), (0.02, 0.02, 0.02)), frames=3)
            forger.move(1, [0, 0.4, 0][:D], [0] * D)
            turn = 2 * np.pi
            if D == 2:
                forger.orientation[:, 0], forger.spin[:, 0] = turn * np.arange(3), turn / forger.h
            else:
                forger.spin[:, 0] = [0, 0, turn / forger.h]
            self.assertIn("pass", self.judge(forger)[1], D)
            forger.spin[:] = 0
            if D == 2:
                forger.orientation[:] = 0
            self.assertNotIn("pass", self.judge(forger)[1], D)

    def test_energy_from_nowhere_is_found_in_its_island(self):
        forger = Forger(2, [(1, 1), (1, 1), (1, 1)], [0, 1, 0], 11)
        forger.move(0, [0, 5], [1, 0])
        forger.move(2, [300, 0], [1000.0, 0])  # far away, with a million times the energy
        forger.velocity[6:, 0] = [1 + 1e-6, 0]
        kinds = self.judge(forger)[1]
        self.assertEqual(kinds["energy"]["bodies"], ["b0"])
        self.assertEqual(kinds["energy"]["step"], 5)
        self.assertIn("momentum", kinds)

    def test_a_push_by_a_fixed_body_keeps_momentum_and_may_not_give(self):
        forger = self.two_boxes(2)
        forger.move(0, [0, 1], [0, 0])
        forger.velocity[4:, 0] = [0, 0.5]
        forger.position[:, 0, 1] = 1 + 0.5 * forger.h * np.maximum(0, np.arange(11) - 3)
        forger.contacts = [(3, 0, 1, [0, 0.5], [0, 0.5])]
        kinds = self.judge(forger)[1]
        self.assertIn("energy", kinds)
        self.assertNotIn("momentum", kinds)

    def test_gravity_gives_no_finding(self):
        forger = self.two_boxes(2)
        for k in range(10):
            forger.velocity[k + 1, 0] = forger.velocity[k, 0] + forger.h * np.array([0, -9.81])
            forger.position[k + 1, 0] = forger.position[k, 0] + forger.h * forger.velocity[k + 1, 0]
        forger.position[:, 0, 1] += 5
        self.assertEqual(self.judge(forger, {"gravity": [0, -9.81]})[1], {})
        self.assertIn("momentum", self.judge(forger, {"gravity": [0, -9.80]})[1])

    def test_an_open_joint_and_a_broken_limit_are_found(self):
        forger = self.two_boxes(2)
        forger.kinds = [1, 0]
        forger.move(1, [0, 3], [0, 0])
        forger.joint = ("revolute", (0, 1), [0, 1.5], [0, -1.5], None)
        scene = {"joints": [{"name": "j0", "kind": "revolute", "limits": [-0.1, 0.1]}]}
        self.assertEqual(self.judge(forger, scene)[1], {})
        forger.position[8, 1, 0] = 0.002
        self.assertIn("joint", self.judge(forger, scene)[1])
        forger.position[8, 1, 0] = 0
        forger.orientation[:, 1] = 0.2
        self.assertIn("limit", self.judge(forger, scene)[1])

    def test_residuals_and_numbers_that_are_none_are_found(self):
        forger = self.two_boxes()
        forger.move(0, [0, 0, 3], [0, 0, 0])
        forger.residual[4] = 1.1e-9
        self.assertIn("residual", self.judge(forger)[1])
        forger.velocity[3, 0, 1] = np.nan
        self.assertIn("not-a-number", self.judge(forger)[1])


class Gaps(unittest.TestCase):
    """Exact gaps against closed forms, and against a sweep over directions."""

    def random_rotation(self, rng):
        return paths.rotation_of(rng.normal(size=4), 3)

    def test_boxes_that_overlap_as_much_as_a_sweep_of_directions_says(self):
        rng = np.random.default_rng(1)
        directions = shapes.unit(rng.normal(size=(200_000, 3)))
        overlapping = 0
        for _ in range(40):
            A, B = box(rng.uniform(0.2, 1, 3)), box(rng.uniform(0.05, 1, 3))
            R, p = self.random_rotation(rng), rng.normal(size=3) * 0.4
            gap = shapes.relative_gap(A, B, R[None], p[None])[0][0]
            b = B.vertices @ R.T + p
            swept = ((directions @ b.T).min(1) - (directions @ A.vertices.T).max(1)).max()
            self.assertLess(swept, gap + 1e-12 if gap <= 0 else np.inf)
            overlapping += gap <= 0
            if gap <= 0:
                self.assertLess(gap - swept, 0.02)
        self.assertGreater(overlapping, 10)

    def test_spheres_on_faces_edges_and_corners(self):
        A, ball = box([1, 1, 1]), shapes.Sphere(1, np.zeros(3), 0.25)
        for p, gap in (([0, 0, 1], 0.25), ([1, 1, 0], np.sqrt(0.5) - 0.25), ([1, 1, 1], np.sqrt(0.75) - 0.25),
                       ([0, 0, 0.4], -0.35)):
            for a, b, sign in ((A, ball, 1), (ball, A, -1)):
                found, axis = shapes.relative_gap(a, b, np.eye(3)[None], sign * np.array([p], float))
                self.assertAlmostEqual(found[0], gap, 14)
                self.assertGreater(axis[0] @ (sign * np.array(p)), 0)

    def test_half_spaces_below_and_beyond(self):
        ground, A = shapes.HalfSpace(1, [0, 0, 2], 1), box([1, 1, 1])
        for a, b, sign in ((ground, A, 1), (A, ground, -1)):
            found, axis = shapes.relative_gap(a, b, np.eye(3)[None], np.array([[0, 0, sign * 1.2]]))
            self.assertAlmostEqual(found[0], 0.2, 14)
            self.assertAlmostEqual(axis[0][2], sign, 14)

    def test_the_width_of_a_turned_plate(self):
        rng = np.random.default_rng(2)
        plate = shapes.Polytope(0, corners([0.3, 0.4, 1e-4]) @ self.random_rotation(rng).T, [np.array(f) for f in FACES])
        self.assertAlmostEqual(plate.width, 1e-4, 14)


class Paths(unittest.TestCase):
    def test_a_rod_that_tumbles_freely_is_followed_through_many_turns(self):
        inertia, L, h = np.diag([1.0, 1.2, 0.01]), np.array([20.0, 5, 1]), 0.5
        J, attitudes = np.linalg.inv(inertia), [np.eye(3)]
        for _ in range(20_000):  # a fine reference
            R = attitudes[-1]
            middle = paths.exponential(h / 40_000 * (R @ J @ R.T @ L), 3) @ R
            attitudes.append(paths.exponential(h / 20_000 * (middle @ J @ middle.T @ L), 3) @ R)
        R = attitudes[-1]
        spin = R @ J @ R.T @ L
        step = types.SimpleNamespace(dimension=3, frames=2, R=np.array([[np.eye(3)], [R]]), h=np.array([h]), kind=[0],
                                     angular_velocity=np.array([[spin], [spin]]), inertia=[inertia])
        found = paths.Turnings(step, 0)
        self.assertGreater(np.linalg.norm(spin) * h, 2 * np.pi)
        self.assertGreater(found.counts[0], 100)
        self.assertLess(found.mismatch[0], 1e-3)
        halfway = found.begins[found.first[0] + found.counts[0] // 2]
        fraction = (found.counts[0] // 2) / found.counts[0]
        self.assertLess(np.abs(halfway - attitudes[round(20_000 * fraction)]).max(), 1e-2)

    def test_logarithm_and_exponential_are_inverse(self):
        rng = np.random.default_rng(3)
        for length in (0, 1e-9, 0.1, 2, 3.1, np.pi):
            turn = length * shapes.unit(rng.normal(size=3))
            R = paths.exponential(turn, 3)
            self.assertLess(np.abs(paths.exponential(paths.logarithm(R), 3) - R).max(), 1e-9)


class Scenes(unittest.TestCase):
    def test_the_same_seed_gives_the_same_scene(self):
        for seed in range(len(CATEGORIES)):
            self.assertEqual(json.dumps(make_scene(seed).scene), json.dumps(make_scene(seed).scene))

    def test_all_features_are_met(self):
        met = set().union(*(make_scene(seed).features for seed in range(400)))
        for feature in ("needle", "plate", "sphere", "parts", "joint limits", "motors", "scripts", "overlapping start",
                        "appearing bodies", "mass ratio", "high spin", "fast", "forces", "half-space floor",
                        "restitution newton", "restitution poisson", "friction linear", "friction quadratic",
                        "friction no-slip", "friction viscous", "frictionless", "2D", "3D", *CATEGORIES):
            self.assertIn(feature, met)


# Pretends to simulate: copies a forged recording and ends as the test says.
PROGRAM = """#!{python}
import json, os, shutil, signal, sys, time
scene = json.load(open(sys.argv[2]))
{secret}
shutil.copy({recording!r}, sys.argv[sys.argv.index("-o") + 1])
print(json.dumps({{"message": "", "state_hash": "0"}}))
"""


class Command(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        forger = Forger(2, [(1, 1), (1, 1)], [0, 1], 3)
        forger.move(0, [0, 3], [0, 0])
        forger.write(self.folder / "forged.h5")

    def program(self, secret):
        path = self.folder / "program"
        path.write_text(PROGRAM.format(python=sys.executable, secret=secret, recording=str(self.folder / "forged.h5")))
        path.chmod(0o755)
        return path

    def campaign(self, *words):
        done = subprocess.run([sys.executable, TOOLS / "campaign", *map(str, words), "--folder", self.folder / "out"],
                              capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def rows(self):
        return [json.loads(line) for line in (self.folder / "out/program/results.jsonl").read_text().splitlines()]

    def test_refusals_crashes_and_hangs_are_findings(self):
        for secret, kind in (("print('no step at 0.1 s', file=sys.stderr); sys.exit(3)", "refused"),
                             ("os.kill(os.getpid(), signal.SIGSEGV)", "crash"), ("time.sleep(60)", "hang")):
            program = runs.Program(self.program(secret), limit=1)
            row = runs.run_and_judge(program, {"gravity": [0, 0]}, self.folder, kind)
            self.assertEqual([f["kind"] for f in row["findings"]], [kind])

    def test_a_campaign_goes_on_where_it_was_and_makes_its_table(self):
        program = self.program("print('stuck at 0.5', file=sys.stderr); sys.exit(3)")
        code, said = self.campaign(program, "--seeds", "0:3", "--minimise", "0")
        self.assertEqual((code, said.count("refused: stuck at")), (1, 3), said)
        code, said = self.campaign(program, "--seeds", "0:4", "--minimise", "0")
        self.assertEqual((len(self.rows()), said.count("refused: stuck at")), (4, 1), said)
        code, said = self.campaign("--table", "--output", self.folder / "campaign.md")
        self.assertEqual(code, 0, said)
        self.assertIn("| a step refused | 4 |", (self.folder / "campaign.md").read_text())

    def test_a_finding_is_minimised(self):
        secret = "if any(b['name'] == 'b2' for b in scene['bodies']): print('b2', file=sys.stderr); sys.exit(3)"
        minimiser = runs.Minimiser(runs.Program(self.program(secret), limit=20), self.folder, "refused", seconds=60)
        scene = {"step": 0.01, "duration": 1, "contact": {"friction": 1}, "gravity": [0, 0],
                 "bodies": [{"name": f"b{i}", "velocity": [0, 0]} for i in range(6)]}
        small, found = minimiser.minimise(scene)
        self.assertEqual((small["bodies"], small["contact"]), ([{"name": "b2"}], {}))
        self.assertEqual(found["kind"], "refused")


if __name__ == "__main__":
    unittest.main()
