#!/usr/bin/env python3
"""A hundred grasps at random: what a limit analysis of their contacts says holds, holds; with less it slips.

Two pads on rails, each pressed by a motor of limited force, grip a cube, a cylinder (a prism of many sides) or a
polyhedron with two parallel faces; nothing else carries it. The oracle is a linear program over the same points of
contact, written in numpy and solved by scipy: the least force of the motors at which forces within the cones can carry
the weight. Its cones have 64 sides within the round ones, so it errs by at most a thousandth, towards more force.
"""
import math
import os
import unittest

import numpy as np
import touchstone as ts

try:
    from scipy.optimize import linprog
except ImportError:
    linprog = None

COUNT = int(os.environ.get("TOUCHSTONE_GRASPS", "100"))
GRAVITY, STEP, STEPS, SIDES = 9.81, 0.005, 40, 64
PAD = 0.02  # [m] thickness


def random_rotation(numbers):
    w, x, y, z = (q := numbers.normal(size=4)) / np.linalg.norm(q)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def turn_about(axis, angle):
    x, y, z = axis
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + math.sin(angle) * K + (1 - math.cos(angle)) * K @ K


class Grasp:
    """Made with a seed, in a frame in which the pads press along x."""

    def __init__(self, seed):
        numbers = np.random.default_rng(seed)
        self.kind = ("cube", "cylinder", "polyhedron")[seed % 3]
        self.half = numbers.uniform(0.02, 0.06)  # [m] of the object, along x
        self.points = getattr(self, self.kind)(numbers)
        self.pads = [numbers.uniform(0.02, 0.06, size=2) for _ in range(2)]
        self.places = [numbers.uniform(-0.008, 0.008, size=2) for _ in range(2)]
        self.mu, self.mass = numbers.uniform(0.2, 1.5), numbers.uniform(0.05, 2)
        self.more = math.exp(numbers.uniform(math.log(1.2), math.log(50)))
        self.world = random_rotation(numbers)
        angle = numbers.uniform(0, 2 * math.pi)
        self.down = np.array([0, math.cos(angle), math.sin(angle)])
        self.order = numbers.permutation(3)

    def cube(self, numbers):
        y, z = numbers.uniform(0.03, 0.06, size=2)
        return [[sx * self.half, sy * y, sz * z] for sx in (-1, 1) for sy in (-1, 1) for sz in (-1, 1)]

    def cylinder(self, numbers):
        """Between its ends, or across: then two of its sides meet the pads."""
        sides, radius = 2 * int(numbers.integers(4, 13)), numbers.uniform(0.03, 0.05)
        angles = (np.arange(sides) + 0.5) * 2 * math.pi / sides
        if numbers.random() < 0.5:
            return [[sx * self.half, radius * math.cos(a), radius * math.sin(a)] for sx in (-1, 1) for a in angles]
        scale, length = self.half / math.cos(math.pi / sides), numbers.uniform(0.03, 0.06)
        return [[scale * math.cos(a), scale * math.sin(a), sz * length] for sz in (-1, 1) for a in angles]

    def polyhedron(self, numbers):
        points = []
        for sx in (-1, 1):
            angles = np.sort(numbers.uniform(0, 2 * math.pi, size=int(numbers.integers(0, 5)))).tolist()
            for a in [0.3, 2.4, 4.5] + angles:  # the middle lies within both faces
                r = numbers.uniform(0.03, 0.05)
                points.append([sx * self.half, r * math.cos(a), r * math.sin(a)])
        middle = numbers.uniform(-0.9, 0.9, size=(6, 3)) * [self.half, 0.055, 0.055]
        return points + middle.tolist()

    def simulation(self, force):
        R = self.world
        turned = quaternion(R)
        world = ts.World(3, gravity=(GRAVITY * R @ self.down).tolist(), step=STEP, contact={"friction": self.mu})
        centre = [R @ [side * (self.half + PAD / 2), *place] for side, place in zip((-1, 1), self.places)]
        for which in self.order:
            if which == 2:
                world.add_body("object", {"points": self.points}, mass=self.mass, quaternion=turned)
                continue
            world.add_body(f"pad {which}", {"box": [PAD, *self.pads[which]]}, mass=0.2, quaternion=turned,
                           position=centre[which].tolist())
        for which, side in enumerate((-1, 1)):
            world.add_joint(f"rail {which}", kind="prismatic", bodies=["world", f"pad {which}"],
                            position=centre[which].tolist(), axis=(R @ [-side, 0, 0]).tolist(),
                            motor={"rate": 0.1, "force": force})
        return ts.Simulation(world, threads=1)

    def slip(self, force):
        """[m] how far the farthest point of the object has gone."""
        simulation = self.simulation(force)
        body = simulation.bodies["object"]
        points = np.array(self.points)
        before = points @ body.rotation.T + body.position
        simulation.run_until(STEPS * STEP)
        return np.abs(points @ body.rotation.T + body.position - before).max(), simulation.summary()


def quaternion(R):
    """w, x, y, z; of the four ways the one without loss of digits."""
    rows = [[R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]]
    K = np.array([[R[0, 0] - R[1, 1] - R[2, 2], R[0, 1] + R[1, 0], R[0, 2] + R[2, 0], rows[0][0]],
                  [R[0, 1] + R[1, 0], R[1, 1] - R[0, 0] - R[2, 2], R[1, 2] + R[2, 1], rows[0][1]],
                  [R[0, 2] + R[2, 0], R[1, 2] + R[2, 1], R[2, 2] - R[0, 0] - R[1, 1], rows[0][2]],
                  [rows[0][0], rows[0][1], rows[0][2], R[0, 0] + R[1, 1] + R[2, 2]]]) / 3
    x, y, z, w = np.linalg.eigh(K)[1][:, -1]
    return [float(w), float(x), float(y), float(z)]


def least_force(grasp):
    """[N] of each motor, by a linear program: forces on the object at the corners of its faces."""
    simulation = grasp.simulation(1000 * grasp.mass * GRAVITY)  # held in any case: where do they touch?
    simulation.step()
    report, bodies = simulation.report, simulation.bodies
    names = [body.name for body in bodies]
    me, centre = names.index("object"), bodies["object"].com_position
    columns, pushes = [], [[], []]
    for (a, b), point, normal in zip(report.bodies, report.points, report.normals):
        inward = normal if a == me else -normal
        pad = int(names[b if a == me else a][-1])
        across = np.linalg.svd(inward[None, :])[2][1:]
        for k in range(SIDES):
            angle = 2 * math.pi * k / SIDES
            f = inward + grasp.mu * (math.cos(angle) * across[0] + math.sin(angle) * across[1])
            pushes[pad].append(len(columns))
            columns.append(np.concatenate([f, np.cross(point - centre, f) / 0.05]))
    A = np.zeros((8, len(columns) + 1))
    A[:6, :-1] = np.array(columns).T
    for pad in (0, 1):
        A[6 + pad, pushes[pad]] = 1
        A[6 + pad, -1] = -1
    b = np.zeros(8)
    b[:3] = -grasp.world @ grasp.down  # in units of the weight
    found = linprog(np.eye(len(columns) + 1)[-1], A_eq=A, b_eq=b, method="highs")
    assert found.status in (0, 2), found.message
    return found.x[-1] * grasp.mass * GRAVITY if found.status == 0 else None


class Grasps(unittest.TestCase):
    @unittest.skipIf(linprog is None, "scipy is not installed (Debian package python3-scipy)")
    def test_what_the_limit_analysis_says_holds_holds_and_with_less_it_slips(self):
        held, kinds = 0, set()
        for seed in range(COUNT):
            grasp = Grasp(seed)
            with self.subTest(seed=seed, kind=grasp.kind):
                least = least_force(grasp)
                if least is None:
                    continue
                held += 1
                kinds.add(grasp.kind)
                slip, summary = grasp.slip(grasp.more * least)
                self.assertLess(slip, 1e-9, f"{grasp.more:.3g} times the least force {least:.3g} N, mu {grasp.mu:.3g}")
                self.assertEqual((summary.failed_steps, summary.relaxed_steps), (0, 0))
                slip, _ = grasp.slip(0.95 * least)
                self.assertGreater(slip, 1e-4, f"0.95 times the least force {least:.3g} N, mu {grasp.mu:.3g}")
        self.assertGreaterEqual(held, 0.9 * COUNT)
        self.assertEqual(len(kinds), 3)


if __name__ == "__main__":
    unittest.main()
