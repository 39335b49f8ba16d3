#!/usr/bin/env python3
"""The package from outside: names, docstrings, stubs, help, completion."""
import ast
import pathlib
import pydoc
import re
import rlcompleter
import unittest

import touchstone as ts

STUB = pathlib.Path(ts.__file__).with_name("__init__.pyi")
SPECIAL = {"__init__", "__len__", "__getitem__", "__iter__", "__contains__", "__mul__", "__enter__", "__exit__", "__bool__"}


def told_names(node):
    """The names that a class of the stub tells, with the parameters of its methods."""
    names = {}
    for item in node.body:
        if isinstance(item, ast.FunctionDef):
            args = item.args
            names[item.name] = [a.arg for a in args.posonlyargs + args.args + args.kwonlyargs if a.arg != "self"]
        elif isinstance(item, ast.AnnAssign):
            names[item.target.id] = None
    return names


def parameters_of(function):
    """As pybind11 writes them into the first line of a docstring: name(self: T, a: object, b: float = 0)."""
    line = function.__doc__.splitlines()[0]
    inside = line[line.index("(") + 1:line.rindex(") ->")]
    return [name for name in re.findall(r"(?:^|, )(\w+)(?=: )", inside) if name != "self"]


class Package(unittest.TestCase):
    def setUp(self):
        tree = ast.parse(STUB.read_text())
        self.classes = {n.name: told_names(n) for n in tree.body if isinstance(n, ast.ClassDef) and n.name[0] != "_"}
        self.functions = {n.name: [a.arg for a in n.args.args] for n in tree.body if isinstance(n, ast.FunctionDef)}

    def test_the_stub_tells_every_public_name_and_no_other(self):
        self.assertEqual(set(ts.__all__), set(self.classes) | set(self.functions))
        for name in self.classes:
            cls = getattr(ts, name)
            if issubclass(cls, Exception):
                continue
            there = {n for n in vars(cls) if not n.startswith("_") or n in SPECIAL}
            there -= {"__init__"} if "__init__" not in self.classes[name] else set()
            self.assertEqual(there, set(self.classes[name]), name)

    def test_the_stub_tells_the_parameters(self):
        for name, told in self.functions.items():
            self.assertEqual(parameters_of(getattr(ts, name)), told, name)
        checked = 0
        for name, members in self.classes.items():
            for member, told in members.items():
                function = vars(getattr(ts, name)).get(member)
                if isinstance(function, staticmethod):
                    function = function.__func__
                if name == "World" and told and "**kwargs" in (function.__doc__ or ""):
                    told = told[:len(parameters_of(function))]  # keywords: the next test
                if told and callable(function) and member not in {"__exit__", "__mul__"}:
                    self.assertEqual(parameters_of(function), told, f"{name}.{member}")
                    checked += 1
        self.assertGreater(checked, 30)

    def test_the_stub_tells_every_keyword_of_a_world(self):
        """It has them from the program's table (tools/make_scene_doc): the reader takes each and no other."""
        for member, section, given in [("add_body", "body", ["crate"]), ("add_joint", "joint", ["hinge"]),
                                       ("add_material", "material", ["wood"]), ("add_controller", "controller", [])]:
            told = set(self.classes["World"][member]) - {"name", "shape"}
            self.assertGreater(len(told), 3, section)
            for key in told | {"no_such_key"}:
                with self.assertRaises(Exception) as caught:  # a value that no key takes
                    getattr(ts.World(2), member)(*given, **{key: {"no": "sense"}})
                unknown = f'unknown key "{key}"' in str(caught.exception)
                other_dimension = {"quaternion", "axis_angle", "euler", "axis_2"}
                self.assertEqual(unknown, key == "no_such_key" or key in other_dimension, str(caught.exception))

    def test_everything_has_a_docstring(self):
        self.assertIn("Simulation", ts.__doc__)
        for name in ts.__all__:
            thing = getattr(ts, name)
            self.assertTrue(thing.__doc__, name)
            if name in self.functions:
                self.assertGreater(len(thing.__doc__.strip().splitlines()), 1, f"{name}: a signature alone")
            for member, value in vars(thing).items() if isinstance(thing, type) else ():
                if not member.startswith("_") and isinstance(value, property):
                    self.assertTrue(value.__doc__, f"{name}.{member}")
                elif not member.startswith("_") and callable(value):
                    self.assertGreater(len(value.__doc__.strip().splitlines()), 1, f"{name}.{member}")

    def test_help_is_readable(self):
        text = pydoc.plain(pydoc.render_doc(ts))
        self.assertIn("class Simulation", text)
        self.assertIn("import touchstone as ts", text)
        self.assertNotIn("_touchstone.", text.replace("touchstone._touchstone", ""))
        self.assertIn("Steps until the time [s] is reached", pydoc.plain(pydoc.render_doc(ts.Simulation)))

    def test_names_complete(self):
        sim = ts.Simulation("slide")
        complete = rlcompleter.Completer({"sim": sim, "ts": ts}).complete
        self.assertEqual(complete("sim.run_u", 0), "sim.run_until(")
        self.assertEqual(complete("ts.Simul", 0), "ts.Simulation(")
        self.assertIn("crate", sim.bodies._ipython_key_completions_())

    def test_things_show_what_they_are(self):
        sim = ts.Simulation("slide")
        for thing, text in ((sim, "Simulation('slide', time=0.0)"), (sim.bodies["crate"], 'Body("crate", dynamic, position=[-0.7, 0.5])'),
                            (sim.bodies, "Bodies(['table', 'floor', 'crate'])"), (sim.scene, "Scene('slide', dimension=2, model='plane')"),
                            (ts.Shape("box:1,2"), 'Shape({"box":[1.0,2.0]}, dimension=2)'),
                            (ts.Lcp([[1]], [1]), "Lcp(1 unknowns)")):
            self.assertEqual(repr(thing), text)
        for thing in (sim.report, sim.summary(), ts.solve(ts.Lcp([[1]], [1])), ts.query("box:1,1", "box:1,1"), ts.Pose([0, 1]), ts.World(2)):
            self.assertRegex(repr(thing), r"^[A-Z]\w+\(.*\)$")
        self.assertEqual(ts.Simulation.__module__, "touchstone")
        self.assertRegex(ts.__version__, r"^\d+\.\d+\.\d+$")


if __name__ == "__main__":
    unittest.main()
