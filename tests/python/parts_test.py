#!/usr/bin/env python3
"""The lower rooms alone: shapes, contact data, solvers, problem files; no simulation."""
import os
import tempfile
import unittest

import numpy as np

import touchstone as ts


class Shapes(unittest.TestCase):
    def test_a_box_is_a_box_however_it_was_given(self):
        corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
        for definition in ({"box": [2, 2, 2]}, "box:2,2,2", corners, corners.tolist()):
            box = ts.Shape(definition)
            self.assertEqual((box.dimension, box.kind), (3, "polytope"))
            np.testing.assert_array_equal(box.vertices, corners)
            self.assertAlmostEqual(box.volume, 8)
            np.testing.assert_allclose(box.inertia(3), 2 * np.eye(3), atol=1e-14)
            np.testing.assert_allclose(box.centre, 0, atol=1e-15)
        self.assertEqual((len(box.faces), box.edges.shape), (6, (12, 2)))
        normals, offsets = box.planes
        self.assertTrue((np.abs(corners @ normals.T) <= offsets + 1e-12).all())

    def test_a_shape_comes_back_from_its_definition_and_its_faces(self):
        shape = ts.Shape({"dodecahedron": {"radius": 1}})
        np.testing.assert_array_equal(ts.Shape(shape.definition).vertices, shape.vertices)
        again = ts.Shape.from_faces(shape.vertices, shape.faces)
        np.testing.assert_array_equal(again.vertices, shape.vertices)

    def test_a_mesh_file_is_a_shape(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "tetra.off")
            with open(path, "w") as file:
                file.write("OFF\n4 4 6\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n")
            for shape in (ts.Shape(path), ts.Shape.load(path), ts.Shape({"mesh": path})):
                self.assertAlmostEqual(shape.volume, 1 / 6)

    def test_a_ball_is_of_either_dimension(self):
        self.assertEqual(ts.Shape({"sphere": 1}).dimension, 3)
        self.assertEqual(ts.Shape({"sphere": 1}, dimension=2).dimension, 2)

    def test_poses_compose(self):
        X = ts.Pose([1, 2, 3], axis_angle=[0, 0, 1, np.pi / 2])
        np.testing.assert_allclose(X * [1, 0, 0], [1, 3, 3], atol=1e-15)
        np.testing.assert_allclose((X * X.inverse()).matrix, np.eye(4), atol=1e-15)
        np.testing.assert_allclose(X * np.eye(3), [[1, 3, 3], [0, 2, 3], [1, 2, 4]], atol=1e-15)
        self.assertAlmostEqual(ts.Pose([0, 0], angle=0.3).orientation, 0.3)


class Queries(unittest.TestCase):
    def test_a_face_on_a_face_shares_a_square(self):
        box = ts.Shape("box:2,2,2")
        data = ts.query(box, box, [0, 0, 2])
        self.assertEqual((data.status, data.gap, data.overlap), ("touching", 0, 0))
        np.testing.assert_array_equal(data.normal, [0, 0, 1])
        self.assertEqual(data.manifold.shape, (4, 3))
        self.assertEqual(data.features[0][0], "face")
        self.assertLessEqual(data.bounds[0], 0)

    def test_poses_are_given_in_many_ways(self):
        T = np.eye(4)
        T[2, 3] = 3
        for pose in ([0, 0, 3], np.array([0, 0, 3.0]), {"position": [0, 0, 3]}, ts.Pose([0, 0, 3]), T):
            self.assertAlmostEqual(ts.query("box:2,2,2", {"sphere": 1}, pose).gap, 1)
            self.assertAlmostEqual(ts.gap("box:2,2,2", {"sphere": 1}, pose), 1)

    def test_the_plane_is_as_good_as_space(self):
        data = ts.query({"box": [2, 2]}, {"sphere": 1}, None, ts.Pose([0.5, 1.5], angle=1))
        self.assertAlmostEqual(data.gap, -0.5)
        self.assertGreater(data.overlap, 0.1)

    def test_normals_that_are_not_unique_are_all_told(self):
        data = ts.query("box:2,2,2", "box:2,2,2", [0.0, 0, 0])
        self.assertFalse(data.normal_unique)
        self.assertEqual(len(data.candidates), 6)

    def test_the_broad_phase_finds_what_meets(self):
        tree = ts.BroadPhase(3)
        for i in range(5):
            tree.insert([i, 0, 0], [i + 1.0, 1, 1])
        self.assertEqual(tree.pairs().tolist(), [[0, 1], [1, 2], [2, 3], [3, 4]])
        tree.remove(2)
        tree.move(4, [0, 0, 0], [1, 1, 1])
        self.assertEqual(tree.pairs().tolist(), [[0, 1], [0, 4], [1, 4]])
        self.assertEqual(tree.overlapping([3.5, 0, 0], [9, 1, 1]).tolist(), [3])
        self.assertEqual(len(tree), 4)


class Solvers(unittest.TestCase):
    LCP = ts.Lcp([[2, 1], [1, 2]], [-5, -6])

    def test_every_solver_of_a_class_agrees(self):
        for name in ts.solvers():
            if ts.treats(name, self.LCP):
                solution = ts.solve(self.LCP, name)
                if solution.status == "absent":
                    continue
                self.assertTrue(solution.solved, name)
                np.testing.assert_allclose(solution.z, [4 / 3, 7 / 3], atol=1e-8)
                self.assertEqual(ts.residual(self.LCP, solution.z), solution.residual)

    def test_every_class_of_problem_is_solved(self):
        mlcp = ts.Mlcp([[2, 1], [1, 2]], [-5, -6], [True, False])
        friction = ts.FrictionProblem(np.diag([1, 2, 2]), [-1, 0.5, 0], [0.2])
        # The same contact in global form: M v = H r + f, u = H^T v + w.
        H = np.diag([1, 2, 2.0]) ** 0.5
        whole = ts.GlobalFrictionProblem(np.eye(3), H, np.zeros(3), [-1, 0.5, 0], [0.2])
        qp = ts.Qp(np.eye(2), [-1, -1], [[-1, -1]], [1])
        for problem, kind in ((mlcp, "mlcp"), (friction, "friction"), (whole, "global-friction"), (qp, "qp")):
            self.assertEqual(problem.kind, kind)
            solution = ts.solve(problem)
            self.assertTrue(solution.solved, problem)
            self.assertEqual(len(solution.z), problem.size)
        np.testing.assert_allclose(ts.solve(qp).z, [0.5, 0.5, 0.5], atol=1e-10)
        np.testing.assert_allclose(ts.solve(whole).z[3:], ts.solve(friction).z, atol=1e-8)

    def test_failure_is_a_status(self):
        self.assertEqual(ts.solve(ts.Lcp([[-1]], [-1]), "enumeration").status, "unsolvable")
        self.assertEqual(ts.solve(self.LCP, "nsgs").status, "not-applicable")

    def test_a_sparse_matrix_stays_itself(self):
        class Coo:  # what a sparse matrix of scipy shows
            shape, row, col, data = (2, 2), np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), np.array([2.0, 1, 1, 2])

            def tocoo(self):
                return self

        np.testing.assert_array_equal(ts.Lcp(Coo(), [-5, -6]).M, self.LCP.M)

    def test_problems_go_to_files_and_back(self):
        with tempfile.TemporaryDirectory() as folder:
            for ending in ("json", "h5", "dat"):
                path = os.path.join(folder, "p." + ending)
                ts.write_problem(path, self.LCP)
                np.testing.assert_array_equal(ts.read_problem(path).q, self.LCP.q)
            path = os.path.join(folder, "solved.json")
            ts.write_problem(path, self.LCP, [4 / 3, 7 / 3])
            np.testing.assert_array_equal(ts.read_solution(path), [4 / 3, 7 / 3])
            self.assertIsNone(ts.read_solution(os.path.join(folder, "p.json")))


if __name__ == "__main__":
    unittest.main()
