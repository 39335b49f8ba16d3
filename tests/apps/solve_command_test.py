#!/usr/bin/env python3
"""touchstone solve and touchstone list solvers, as a user meets them.

usage: solve_command_test.py PROGRAM [unittest arguments]
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "touchstone"

LCP = {"touchstone_problem": 1, "kind": "lcp", "M": [[2, 1], [1, 2]], "q": [-5, -6]}
FRICTION = {"touchstone_problem": 1, "kind": "friction", "dimension": 3, "q": [-1, 0.5, 0], "mu": [0.2],
            "W": {"rows": 3, "cols": 3, "entries": [[0, 0, 1], [1, 1, 2], [2, 2, 2]]}}
UNSOLVABLE = {"touchstone_problem": 1, "kind": "lcp", "M": [[-1]], "q": [-1]}


class Solve(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, name, content):
        with open(os.path.join(self.folder.name, name), "w") as file:
            file.write(content if isinstance(content, str) else json.dumps(content))
        return name

    def run_program(self, *arguments):
        done = subprocess.run([PROGRAM, *arguments], cwd=self.folder.name, capture_output=True, text=True, timeout=600)
        return done.returncode, done.stdout, done.stderr

    def test_the_fields_that_stay_are_there(self):
        code, out, err = self.run_program("solve", self.file("p.json", LCP), "--json")
        self.assertEqual((code, err), (0, ""))
        answer = json.loads(out)
        self.assertEqual((answer["problem"], answer["kind"], answer["size"]), ("p.json", "lcp", 2))
        (result,) = answer["results"]
        self.assertEqual((result["solver"], result["status"]), ("auto", "solved"))
        self.assertLess(result["residual"], 1e-12)
        self.assertGreaterEqual(result["iterations"], 0)
        self.assertGreater(result["time"], 0)

    def test_all_solvers_of_a_class_are_tried(self):
        for problem, least in ((LCP, 8), (FRICTION, 4)):
            code, out, _ = self.run_program("solve", self.file("p.json", problem), "--solver", "all", "--json")
            results = json.loads(out)["results"]
            self.assertEqual(code, 0)
            self.assertGreaterEqual(len(results), least)
            self.assertGreaterEqual(sum(r["status"] == "solved" for r in results), least)

    def test_a_person_can_read_the_table(self):
        code, out, _ = self.run_program("solve", self.file("p.json", FRICTION), "--solver", "nsgs")
        self.assertEqual(code, 0)
        for part in ("friction", "nsgs", "solved", "residual", "ms"):
            self.assertIn(part, out)
        self.assertEqual(self.run_program("solve", "p.json", "-q")[:2], (0, ""))

    def test_what_has_no_solution_exits_with_3(self):
        code, out, _ = self.run_program("solve", self.file("p.json", UNSOLVABLE), "--json")
        self.assertEqual(code, 3)
        self.assertNotEqual(json.loads(out)["results"][0]["status"], "solved")
        self.assertEqual(self.run_program("solve", "p.json", "--solver", "all", "-q")[0], 3)

    def test_a_solver_of_another_class_says_so(self):
        code, out, _ = self.run_program("solve", self.file("p.json", LCP), "--solver", "nsgs", "--json")
        self.assertEqual(code, 3)
        self.assertEqual(json.loads(out)["results"][0]["status"], "not-applicable")

    def test_problems_are_written_with_their_solution_and_read_again(self):
        self.file("p.json", FRICTION)
        for ending in ("json", "h5", "hdf5"):
            code, _, err = self.run_program("solve", "p.json", "-q", "-o", f"out.{ending}")
            self.assertEqual((code, err), (0, ""))
            code, out, _ = self.run_program("solve", f"out.{ending}", "--json")
            self.assertEqual((code, json.loads(out)["kind"]), (0, "friction"))
        with open(os.path.join(self.folder.name, "out.json")) as file:
            written = json.load(file)
        self.assertAlmostEqual(written["solution"][0], 1, delta=1e-9)
        self.assertAlmostEqual(written["solution"][1], -0.2, delta=1e-9)

    def test_siconos_text_is_read(self):
        text = "2\n0\n2\n2\n2\t2\n2 1\n1 2\n-5 -6\nwhatever stands behind is a comment"
        code, out, _ = self.run_program("solve", self.file("p.dat", text), "--json")
        self.assertEqual((code, json.loads(out)["kind"]), (0, "lcp"))

    def test_bad_input_is_refused_in_one_line_with_2(self):
        self.file("p.json", LCP)
        self.file("bad.json", dict(LCP, q=[1]))
        self.file("bad.dat", "2\n0\n2\n2\n2\t2\n2 1\n1 x\n")
        for arguments, parts in (
                (["p.json", "--solver", "lemk"], ["lemk", 'did you mean "lemke"']),
                (["p.json", "--tolerance", "0"], ["tolerance"]),
                (["p.json", "--tolerance", "-1e-3"], ["tolerance"]),
                (["none.json"], ["none.json"]),
                (["bad.json"], ["bad.json", "M"]),
                (["bad.dat"], ["bad.dat", "line 7", "x"]),
                (["p.json", "-o", "p.doc"], ["p.doc", ".json"]),
                (["p.json", "-o", "no/folder/p.json"], ["no/folder/p.json"]),
                (["p.json", "--slover", "lemke"], ['did you mean "--solver"']),
                ([], ["PROBLEM"])):
            code, out, err = self.run_program("solve", *arguments)
            self.assertEqual((code, out), (2, ""), arguments)
            self.assertEqual(err.count("\n"), 1, err)
            for part in parts:
                self.assertIn(part, err)

    def test_the_list_names_every_solver_in_one_line(self):
        code, out, _ = self.run_program("list", "solvers")
        self.assertEqual(code, 0)
        names = [line.split()[0] for line in out.splitlines()]
        for name in ("auto", "lemke", "pgs", "psor", "jacobi", "fixed-point", "interior-point", "fischer-newton",
                     "minmap-newton", "enumeration", "qp", "nsgs", "semismooth-newton", "path"):
            self.assertIn(name, names)
        self.assertEqual([s["name"] for s in json.loads(self.run_program("list", "solvers", "--json")[1])["solvers"]],
                         names)
        self.assertEqual(self.run_program("list", "solvers", "-q")[1].split(), names)


if __name__ == "__main__":
    unittest.main()
