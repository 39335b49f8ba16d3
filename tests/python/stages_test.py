#!/usr/bin/env python3
"""Stages of a step that are written in Python give what Touchstone's own give."""
import unittest

import numpy as np

import touchstone as ts


def boxes(count, **keys):
    """A stack of boxes that falls on a floor, in the plane."""
    world = ts.World(2, step=0.01, **keys)
    world.add_body("floor", {"half_space": {"normal": [0, 1]}}, fixed=True)
    for i in range(count):
        world.add_body(f"box-{i}", {"box": [1, 1]}, mass=1, position=[0.1 * i, 0.51 + 1.01 * i])
    return world


def end_of(sim, time=0.5):
    sim.run_until(time)
    return sim.bodies.positions


def vertices_on_tops(scene):
    """Vertices of the upper box over the top of the lower one, or over the floor."""
    contacts = []
    for low, high in scene.pairs:
        top, left, right = 0.0, -np.inf, np.inf
        if scene.shapes[low].kind == "polytope":
            corners = scene.vertices(low)
            top, left, right = corners[:, 1].max(), corners[:, 0].min(), corners[:, 0].max()
            for p in corners[corners[:, 1] > top - 1e-3]:
                mine = scene.vertices(high)
                if mine[:, 0].min() <= p[0] <= mine[:, 0].max():
                    gap = mine[:, 1].min() - p[1]
                    contacts.append(ts.Contact(high, low, p, [0, 1], gap))
        for p in scene.vertices(high):
            if p[1] - top < scene.margin and left <= p[0] <= right:
                contacts.append(ts.Contact(high, low, [p[0], top], [0, 1], p[1] - top))
    return contacts


def gauss_seidel(problem, settings):
    """Projected Gauss-Seidel, as the books have it."""
    M, q = problem.M, problem.q
    z = settings.start.copy() if len(settings.start) else 0 * q
    for iteration in range(20000):
        if ts.residual(problem, z) <= settings.tolerance:
            break
        for i in range(len(z)):
            z[i] = max(0.0, z[i] - (M[i] @ z + q[i]) / M[i, i])
    return ts.Solution(z, iteration)


class NormalsOnly:
    """Impulses along normals alone, as an LCP: G M^-1 G^T p + G V_free + offset."""

    def formulate(self, equations):
        G = equations.unilateral_G
        self.problem = ts.Lcp(G @ equations.inverse_mass @ G.T, G @ equations.V_free + equations.unilateral_offset)
        return self

    def impulses(self, z):
        return {"unilateral": z}


class Stages(unittest.TestCase):
    def test_a_contact_model_of_python_makes_the_same_stack_as_standard(self):
        ours = ts.Simulation(boxes(3), model="standard")
        theirs = ts.Simulation(boxes(3), model="standard")
        theirs.set_contact_model(vertices_on_tops)
        np.testing.assert_allclose(end_of(theirs), end_of(ours), atol=1e-9)
        self.assertGreater(theirs.report.contacts, 4)

    def test_a_model_may_be_an_object_and_one_of_the_names(self):
        class Model:
            def propose(self, scene):
                return ts.ConstraintSet(vertices_on_tops(scene))

        one, two = ts.Simulation(boxes(1)), ts.Simulation(boxes(1))
        one.set_contact_model(Model())
        two.set_contact_model("standard")
        np.testing.assert_allclose(end_of(one), end_of(two), atol=1e-9)

    def test_a_model_of_python_may_leave_the_choice_to_the_step(self):
        class Model:
            has_choices = True

            def propose(self, scene):
                contacts = vertices_on_tops(scene)
                return ts.ConstraintSet(contacts, unilateral=range(len(contacts)))

        sim = ts.Simulation(boxes(1))
        sim.set_contact_model(Model())
        np.testing.assert_allclose(end_of(sim)[1], [0, 0.5], atol=1e-9)

    def test_a_model_of_python_judges_its_end_and_asks_for_shorter_steps(self):
        class Careful:
            """Lets no vertex fall by more than half a millimetre in one go."""
            def propose(self, motion):
                return vertices_on_tops(motion)

            def judge(self, motion, push):
                for floor, box in motion.pairs:
                    fall = motion.vertices(box)[:, 1] - motion.vertices(box, at_end=True)[:, 1]
                    if max(fall) > 5e-4:
                        return ts.Verdict.too_long("a vertex fell too far")

        sim = ts.Simulation(boxes(1))
        sim.set_contact_model(Careful())
        divided = []
        sim.on_step(lambda s: divided.append(s.report.substeps > 1))
        np.testing.assert_allclose(end_of(sim)[1], [0, 0.5], atol=1e-9)
        self.assertTrue(any(divided))

    def test_a_model_of_python_may_renew_its_contacts_or_refuse_the_step(self):
        class Renewing:
            asked = 0

            def propose(self, motion):
                return []

            def judge(self, motion, push):
                self.asked += 1
                return ts.Verdict.renewed(vertices_on_tops(motion)) if self.asked == 1 else ts.Verdict.holds()

        model, sim = Renewing(), ts.Simulation(boxes(1))
        sim.run_until(0.2)  # until it rests
        sim.set_contact_model(model)
        sim.step()
        self.assertEqual(model.asked, 2)
        self.assertGreater(sim.report.contacts, 0)

        class Refusing(Renewing):
            def judge(self, motion, push):
                return ts.Verdict.too_long("never")

        sim = ts.Simulation(boxes(1))
        sim.set_contact_model(Refusing())
        with self.assertRaisesRegex(ts.StepFailed, "never"):
            sim.run_until(0.1)
        with self.assertRaises(ts.BadInput):
            ts.Verdict.too_long("a fraction of the step", event=1)

    def test_gauss_seidel_in_numpy_gives_the_same_result_as_pgs(self):
        ours = ts.Simulation(boxes(3), model="standard", solver="pgs")
        theirs = ts.Simulation(boxes(3), model="standard")
        theirs.set_solver(gauss_seidel)
        np.testing.assert_allclose(end_of(theirs, 0.3), end_of(ours, 0.3), atol=1e-9)
        self.assertLess(theirs.summary().residual, 1e-9)

    def test_a_solver_of_python_serves_every_number_of_threads_alike(self):
        hashes = set()
        for threads in (1, 2, 4):
            world = ts.World(2, step=0.01)
            world.add_body("floor", {"half_space": {"normal": [0, 1]}}, fixed=True)
            for i in range(8):
                world.add_body(f"box-{i}", {"box": [1, 1]}, mass=1 + i, position=[2 * i, 0.6])
            sim = ts.Simulation(world, model="standard", threads=threads)
            sim.set_solver(gauss_seidel)
            sim.run_until(0.4)
            self.assertEqual(sim.report.islands, 8)
            hashes.add(sim.summary().state_hash)
        self.assertEqual(len(hashes), 1)

    def test_an_exception_in_a_solver_comes_out_whatever_the_thread(self):
        for threads in (1, 4):
            world = boxes(1)
            world.add_body("aside", {"box": [1, 1]}, mass=1, position=[5, 0.6])
            sim = ts.Simulation(world, model="standard", threads=threads)

            def fail(problem, settings):
                raise ZeroDivisionError("mine")

            sim.set_solver(fail)
            with self.assertRaisesRegex(ZeroDivisionError, "mine"):
                sim.run_until(1)

    def test_a_formulation_of_python_gives_the_same_result_without_friction(self):
        ours, theirs = ts.Simulation(boxes(2), model="standard"), ts.Simulation(boxes(2), model="standard")
        theirs.set_formulation(NormalsOnly())
        np.testing.assert_allclose(end_of(theirs), end_of(ours), atol=1e-9)

    def test_a_detection_of_python_finds_the_same_pairs_for_every_model(self):
        for model in ("plane", "standard", "peg"):
            calls = []

            def all_pairs(low, high):
                calls.append(len(low))
                n = len(low)
                return [(j, i) for i in range(n) for j in range(i) if (low[i] <= high[j]).all() and (low[j] <= high[i]).all()]

            ours, theirs = ts.Simulation(boxes(3), model=model), ts.Simulation(boxes(3), model=model)
            theirs.set_pair_finder(all_pairs)
            np.testing.assert_array_equal(end_of(theirs, 0.2), end_of(ours, 0.2))
            self.assertEqual(set(calls), {4})

    def test_a_detection_that_finds_nothing_lets_bodies_fall(self):
        sim = ts.Simulation(boxes(1), model="standard")
        sim.set_pair_finder(lambda low, high: [])
        self.assertLess(end_of(sim)[1, 1], -0.5)
        sim.set_pair_finder(None)


if __name__ == "__main__":
    unittest.main()
