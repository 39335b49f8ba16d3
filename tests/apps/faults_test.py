#!/usr/bin/env python3
"""What is wrong is told: more than sixty faulty scenes, meshes, robots, recordings, studies and options.

Each gives exit code 2, one line on standard error that names the file, the line or the field, and no new file.

usage: faults_test.py PROGRAM [unittest arguments]
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "touchstone"

HEAD = "touchstone: 1\ndimension: 2\n"
SPACE = "touchstone: 1\ndimension: 3\n"
FLOOR = "  - {name: floor, shape: {box: [9, 1]}, fixed: true, position: [0, -0.5]}\n"
BOX = "  - {name: box, shape: {box: [1, 1]}, mass: 1, position: [0, 2]}\n"
GOOD = HEAD + "bodies:\n" + FLOOR + BOX
TETRA = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
LINK = ('<link name="{0}"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
        '{1}</link>')
JOINT = ('<joint name="j" type="{0}"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>'
         '<limit lower="-1" upper="1" effort="1" velocity="1"/>{1}</joint>')


def body(text, head=HEAD):
    return head + "bodies:\n" + FLOOR.replace("[9, 1]", "[9, 1]" if head == HEAD else "[9, 1, 9]").replace(
        "[0, -0.5]", "[0, -0.5]" if head == HEAD else "[0, -0.5, 0]") + "  - {" + text + "}\n"


def mesh(text, name="m.obj"):
    return {"s.yaml": SPACE + f"bodies:\n  - {{name: m, shape: {{mesh: {name}}}, density: 1}}\n", name: text}


def robot(text):
    return {"s.yaml": SPACE + "robots: [{urdf: r.urdf}]\n", "r.urdf": f'<robot name="r">{text}</robot>'}


# What is wrong: the files, what is asked for, and what the message must name.
SCENES = [
    ("no text", "", ["s.yaml"]),
    ("only a comment", "# nothing\n", ["s.yaml"]),
    ("a list", "- 1\n- 2\n", ["s.yaml"]),
    ("torn YAML", GOOD + "  - {name: [\n", ["s.yaml:6", "YAML"]),
    ("a tab", HEAD + "bodies:\n\t- {}\n", ["s.yaml", "YAML"]),
    ("a key twice", HEAD + "dimension: 3\n", ["s.yaml:3", '"dimension" is given twice']),
    ("no version", "dimension: 2\nbodies: []\n", ["touchstone", "version"]),
    ("another version", GOOD.replace("touchstone: 1", "touchstone: 9"), ["s.yaml:1", "touchstone", "9"]),
    ("no dimension", "touchstone: 1\nbodies: []\n", ["dimension", "2 or 3"]),
    ("four dimensions", GOOD.replace("dimension: 2", "dimension: 4"), ["s.yaml:2", "dimension", "2 or 3"]),
    ("no bodies", HEAD, ["bodies"]),
    ("bodies that are a number", HEAD + "bodies: 3\n", ["s.yaml:3", "bodies"]),
    ("an unknown key", HEAD + "gravty: [0, -1]\nbodies: []\n", ["s.yaml:3", "gravty", 'did you mean "gravity"?']),
    ("gravity with three numbers in the plane", HEAD + "gravity: [0, 0, -9]\nbodies: []\n", ["s.yaml:3", "gravity"]),
    ("a step of zero", HEAD + "step: 0\nbodies: []\n", ["s.yaml:3", "step", "above zero"]),
    ("a step that is a word", HEAD + "step: small\nbodies: []\n", ["s.yaml:3", "step", "small"]),
    ("a duration below zero", HEAD + "duration: -1\nbodies: []\n", ["s.yaml:3", "duration"]),
    ("an unknown model", HEAD + "contact: {model: plan}\nbodies: []\n", ["s.yaml:3", "contact.model", '"plane"']),
    ("an unknown solver", HEAD + "contact: {solver: lemk}\nbodies: []\n", ["contact.solver", '"lemke"']),
    ("a negative friction", HEAD + "contact: {friction: -0.1}\nbodies: []\n", ["s.yaml:3", "contact.friction"]),
    ("a restitution above one", HEAD + "contact: {restitution: 1.5}\nbodies: []\n", ["contact.restitution"]),
    ("an unknown friction law", HEAD + "contact: {friction: 1, law: round}\nbodies: []\n", ["contact.law", "round"]),
    ("an unknown key of a body", body("shape: {box: [1, 1]}, masss: 1"), ["s.yaml:5", "bodies[1]", '"masss"', '"mass"']),
    ("a body without mass", body("shape: {box: [1, 1]}, position: [0, 3]"), ["bodies[1]", "mass"]),
    ("a negative mass", body("shape: {box: [1, 1]}, mass: -1"), ["s.yaml:5", "bodies[1].mass"]),
    ("an endless mass", body("shape: {box: [1, 1]}, mass: .inf"), ["bodies[1].mass"]),
    ("a mass that is a word", body("shape: {box: [1, 1]}, mass: heavy"), ["bodies[1].mass", "heavy"]),
    ("a flat box", body("shape: {box: [1, 0]}, mass: 1"), ["bodies[1].shape.box"]),
    ("a box with three sides in the plane", body("shape: {box: [1, 1, 1]}, mass: 1"), ["bodies[1].shape.box"]),
    ("an unknown shape", body("shape: {bx: [1, 1]}, mass: 1"), ["bodies[1].shape", '"box"']),
    ("two shapes at once", body("shape: {box: [1, 1], sphere: 1}, mass: 1"), ["bodies[1].shape"]),
    ("points on a line", body("shape: {points: [[0, 0], [1, 1], [2, 2]]}, mass: 1"), ["bodies[1].shape"]),
    ("a solid in the plane", body("shape: {tetrahedron: 1}, mass: 1"), ["bodies[1].shape", "tetrahedron"]),
    ("a position with one number", body("shape: {box: [1, 1]}, mass: 1, position: [1]"), ["bodies[1].position"]),
    ("a position that is not a number", body("shape: {box: [1, 1]}, mass: 1, position: [.nan, 0]"), ["bodies[1].position"]),
    ("a part that lies too far away", body("parts: [{shape: {box: [1, 1]}, position: [9e59, 0]}, {shape: {box: [1, 1]}}], mass: 1, "
                                           "position: [9e59, 3]"), ["s.yaml:5", "bodies[1]", "1e60 m"]),
    ("copies that lead too far away", body("shape: {box: [1, 1]}, mass: 1, position: [0, 3], repeat: {count: 3, shift: [9e59, 0]}"),
     ["s.yaml:5", "bodies[1]", "1e60 m"]),
    ("a name twice", GOOD + BOX.replace("[0, 2]", "[0, 5]"), ["s.yaml:6", "bodies[2]", '"box"']),
    ("bodies that overlap", GOOD.replace("[0, 2]", "[0, 0.4]"), ["bodies", '"floor" and "box" by 0.1 m']),
    ("a quaternion of zeros", body("shape: {box: [1, 1, 1]}, mass: 1, position: [0, 3, 0], quaternion: [0, 0, 0, 0]", SPACE),
     ["bodies[1].quaternion"]),
    ("two orientations", body("shape: {box: [1, 1, 1]}, mass: 1, euler: [0, 0, 1], quaternion: [1, 0, 0, 0]", SPACE),
     ["bodies[1]"]),
    ("an unknown material", body("shape: {box: [1, 1]}, material: glas, position: [0, 3]"), ["s.yaml:5", "bodies[1].material"]),
    ("a joint without a body", GOOD + "joints: [{kind: revolute, bodies: [world, bix], position: [0, 0]}]\n",
     ["s.yaml:6", "joints[0].bodies", '"box"']),
    ("an unknown kind of joint", GOOD + "joints: [{kind: hinge, bodies: [world, box]}]\n", ["joints[0].kind", "hinge"]),
    ("a joint of a body with itself", GOOD + "joints: [{kind: revolute, bodies: [box, box], position: [0, 2]}]\n",
     ["joints[0].bodies"]),
    ("limits the wrong way round", GOOD + "joints: [{kind: revolute, bodies: [world, box], position: [0, 2], limits: [1, 0]}]\n",
     ["joints[0].limits"]),
    ("a controller of no joint", GOOD + "controllers: [{joint: elbow, target: 0, kp: 1}]\n", ["controllers[0].joint", "elbow"]),
    ("an unknown generator", HEAD + "generate: {kind: polygon-in-box}\n", ["s.yaml:3", '"polygons-in-box"']),
    ("a generator that adds to a text", HEAD + "bodies: none\ngenerate: {kind: drop}\n",
     ["s.yaml:3", "bodies: expected a list", '"none"']),
    ("a generator that adds to a map", HEAD + "generate: {kind: stack}\nbodies: {name: box}\n",
     ["s.yaml:4", "bodies: expected a list", '"name"']),
    ("a gripper that adds to a number", HEAD + "joints: 4\ngenerate: {kind: gripper}\n",
     ["s.yaml:3", "joints: expected a list", "4"]),
    ("a generator without a kind", HEAD + "generate: drop\n", ["s.yaml:3", "generate", "kind"]),
    ("a body that appears before the start", body("shape: {box: [1, 1]}, mass: 1, appear: -1"), ["bodies[1].appear"]),
]
# (what is wrong, files, arguments, what the message names)
OTHERS = [
    ("torn JSON", {"s.json": '{"touchstone": 1,\n "bodies": [1, 2'}, ["run", "s.json"], ["s.json:2", "ends inside"]),
    ("a torn fixture", {"s.json": '{"rigid_body_problem": {"rigid_bodies": [{"vertices": 3}]}}'}, ["run", "s.json"],
     ["s.json", "rigid_bodies[0]"]),
    ("no mesh", {"s.yaml": mesh("")["s.yaml"]}, ["run", "s.yaml"], ["m.obj"]),
    ("an empty mesh", mesh(""), ["run", "s.yaml"], ["m.obj"]),
    ("a mesh with a word for a number", mesh(TETRA.replace("v 1 0 0", "v one 0 0")), ["run", "s.yaml"], ["m.obj:2"]),
    ("a mesh with a face of no vertex", mesh(TETRA.replace("f 2 3 4", "f 2 3 9")), ["run", "s.yaml"], ["m.obj:7", "9"]),
    ("a mesh that is open", mesh(TETRA.replace("f 1 4 3\n", "")), ["run", "s.yaml"], ["m.obj"]),
    ("a mesh of an unknown kind", mesh("x", "m.dae"), ["run", "s.yaml"], ["m.dae"]),
    ("a torn binary mesh", mesh("solid\0\0\0", "m.stl"), ["run", "s.yaml"], ["m.stl"]),
    ("a torn PLY", mesh("ply\nformat ascii 1.0\nelement vertex 3\n", "m.ply"), ["run", "s.yaml"], ["m.ply"]),
    ("no robot", {"s.yaml": robot("")["s.yaml"]}, ["run", "s.yaml"], ["s.yaml:3", "robots[0].urdf", "r.urdf"]),
    ("an empty robot", robot(""), ["run", "s.yaml"], ["robots[0].urdf", "r.urdf"]),
    ("a torn robot", {**robot(""), "r.urdf": "<robot name='r'><link"}, ["run", "s.yaml"], ["r.urdf"]),
    ("a robot by itself, torn", {"r.urdf": "<robot>"}, ["run", "r.urdf"], ["r.urdf"]),
    ("a link without mass", robot('<link name="a"/><link name="b"/>' + JOINT.format("revolute", "")), ["run", "s.yaml"],
     ["r.urdf", '"b"', "mass"]),
    ("a floating joint", robot(LINK.format("a", "") + LINK.format("b", "") + JOINT.format("floating", "")), ["run", "s.yaml"],
     ["r.urdf", '"j"']),
    ("a link whose mesh is absent", robot(LINK.format("a", '<collision><geometry><mesh filename="no.obj"/></geometry></collision>')),
     ["run", "s.yaml"], ["r.urdf", "no.obj"]),
    ("a robot that adds to a text", {**robot(LINK.format("a", "")), "s.yaml": SPACE + "bodies: none\nrobots: [{urdf: r.urdf}]\n"},
     ["run", "s.yaml"], ["s.yaml:3", "bodies: expected a list", '"none"']),
    ("a robot in the plane", {**robot(LINK.format("a", "")), "s.yaml": HEAD + "robots: [{urdf: r.urdf}]\n"}, ["run", "s.yaml"],
     ["robots", "dimension: 3"]),
    ("no recording", {}, ["check", "r.h5"], ["r.h5", "no such file"]),
    ("an empty recording", {"r.h5": ""}, ["check", "r.h5"], ["r.h5", "is not an HDF5 file"]),
    ("a text as recording", {"r.h5": "hello " * 500}, ["check", "r.h5"], ["r.h5", "is not an HDF5 file"]),
    ("a text to resume", {"r.h5": "hello"}, ["run", "--resume", "r.h5"], ["r.h5", "is not an HDF5 file"]),
    ("a folder as recording", {}, ["check", "."], [".", "not a folder"]),
    ("a tolerance below zero", {"r.h5": "x"}, ["check", "r.h5", "--tolerance", "-1"], ["--tolerance"]),
    ("a tolerance that is a word", {"r.h5": "x"}, ["check", "r.h5", "--tolerance", "small"], ["--tolerance"]),
    ("no command", {}, [], ["expected a command"]),
    ("an unknown command", {}, ["rum"], ['did you mean "run"?']),
    ("no scene", {}, ["run"], ["SCENE"]),
    ("an unknown scene", {}, ["run", "box-stck"], ['did you mean "box-stack"?']),
    ("an absent file", {}, ["run", "a/b.yaml"], ["a/b.yaml", "no such file"]),
    ("an unknown option", {"s.yaml": GOOD}, ["run", "s.yaml", "--durations", "1"], ['did you mean "--duration"?']),
    ("an override of nothing", {"s.yaml": GOOD}, ["run", "s.yaml", "--set", "bodies.bax.mass=1"], ['"box"']),
    ("an override without a value", {"s.yaml": GOOD}, ["run", "s.yaml", "--set", "step"], ["PATH=VALUE"]),
    ("a recording in no folder", {"s.yaml": GOOD}, ["run", "s.yaml", "-o", "no/r.h5"], ["no/r.h5"]),
    ("threads below zero", {"s.yaml": GOOD}, ["run", "s.yaml", "--threads", "-2"], ["--threads"]),
    ("an unknown topic", {}, ["list", "model"], ['did you mean "models"?']),
    ("an unknown shape in a query", {}, ["query", "bx:1,1,1", "sphere:1"], ["bx"]),
    ("no problem", {}, ["solve", "p.json"], ["p.json"]),
    ("a torn problem", {"p.json": '{"kind": "lcp", "M": [['}, ["solve", "p.json"], ["p.json"]),
    ("a study without scenes", {"t.yaml": "study: 1\n"}, ["study", "t.yaml"], ["t.yaml", "scenes"]),
]


class Faults(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def check(self, files, arguments, named):
        for name, text in files.items():
            (self.folder / name).write_text(text)
        before = sorted(p.name for p in self.folder.rglob("*"))
        done = subprocess.run([PROGRAM, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=600,
                              stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 2, done.stderr + done.stdout)
        self.assertEqual(done.stdout, "")
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        for word in named:
            self.assertIn(word, done.stderr)
        self.assertNotIn("unknown error", done.stderr)
        self.assertLess(len(done.stderr), 600)
        self.assertEqual(sorted(p.name for p in self.folder.rglob("*")), before, "no file is left behind")
        for path in self.folder.iterdir():
            path.unlink()

    def test_there_are_sixty(self):
        self.assertGreaterEqual(len(SCENES) + len(OTHERS), 60)

    def test_scenes(self):
        for wrong, text, named in SCENES:
            with self.subTest(wrong):
                self.check({"s.yaml": text}, ["run", "s.yaml"], named)

    def test_others(self):
        for wrong, files, arguments, named in OTHERS:
            with self.subTest(wrong):
                self.check(files, arguments, named)


if __name__ == "__main__":
    unittest.main()
