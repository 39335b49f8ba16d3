#!/usr/bin/env python3
"""`export` and what else needs no browser: what the files hold, and what is refused.

usage: viewer_commands_test.py PROGRAM [unittest arguments]
"""
import csv
import json
import re
import shutil
import struct
import subprocess
import sys
import unittest

from viewer_folder import FLAT, PAGE, PROGRAM, Folder

FLOATS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}


class Exports(Folder):
    def export(self, recording, out):
        code, text, err = self.run_program("export", recording, out, "--json")
        self.assertEqual(code, 0, err)
        self.assertEqual(json.loads(text)["frames"], 21)
        self.assertEqual(json.loads(text)["bytes"], (self.folder / out).stat().st_size)
        return (self.folder / out).read_bytes()

    def glb(self, recording):
        """The document and the bytes of an exported scene, their frame checked."""
        data = self.export(recording, "out.glb")
        magic, version, total, length, kind = struct.unpack_from("<4sIII4s", data)
        self.assertEqual((magic, version, total, kind), (b"glTF", 2, len(data), b"JSON"))
        size, kind = struct.unpack_from("<I4s", data, 20 + length)
        self.assertEqual((kind, 28 + length + size, length % 4, size % 4), (b"BIN\0", total, 0, 0))
        return json.loads(data[20:20 + length]), data[28 + length:]

    def numbers(self, document, bytes_, index):
        accessor = document["accessors"][index]
        view = document["bufferViews"][accessor["bufferView"]]
        width = FLOATS[accessor["type"]]
        self.assertEqual(view["byteLength"], 4 * width * accessor["count"])
        self.assertLessEqual(view["byteOffset"] + view["byteLength"], document["buffers"][0]["byteLength"])
        flat = struct.unpack_from(f"<{width * accessor['count']}f", bytes_, view["byteOffset"])
        rows = [flat[i:i + width] for i in range(0, len(flat), width)]
        for k in range(width):
            self.assertEqual((accessor["min"][k], accessor["max"][k]), (min(r[k] for r in rows), max(r[k] for r in rows)))
        return rows

    def check_structure(self, document, bytes_):
        self.assertEqual(document["asset"]["version"], "2.0")
        for i in range(len(document["accessors"])):
            self.numbers(document, bytes_, i)
        for mesh in document["meshes"]:
            primitive, = mesh["primitives"]
            corners = self.numbers(document, bytes_, primitive["attributes"]["POSITION"])
            normals = self.numbers(document, bytes_, primitive["attributes"]["NORMAL"])
            self.assertEqual((len(corners) % 3, len(corners)), (0, len(normals)))
            self.assertLess(primitive["material"], len(document["materials"]))
            for i in range(0, len(corners), 3):  # counter-clockwise seen from outside
                a, b, c = (corners[i + k] for k in range(3))
                u, v = ([b[k] - a[k] for k in range(3)], [c[k] - a[k] for k in range(3)])
                cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
                self.assertGreaterEqual(sum(x * n for x, n in zip(cross, normals[i])), -1e-9)
        animation, = document["animations"]
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            times = [row[0] for row in self.numbers(document, bytes_, sampler["input"])]
            self.assertEqual(times, sorted(set(times)))
            self.assertEqual(document["accessors"][sampler["output"]]["count"], len(times))
            self.assertLess(channel["target"]["node"], len(document["nodes"]))

    def test_a_glb_holds_the_scene_and_its_motion(self):
        document, bytes_ = self.glb("solid.h5")
        self.check_structure(document, bytes_)
        self.assertEqual([node["name"] for node in document["nodes"]], ["z up", "table", "hammer", "rod"])
        animation = document["animations"][0]
        moved = {(c["target"]["node"], c["target"]["path"]): animation["samplers"][c["sampler"]]["output"] for c in animation["channels"]}
        self.assertEqual(set(moved), {(2, "translation"), (2, "rotation"), (3, "translation"), (3, "rotation")})
        way = self.numbers(document, bytes_, moved[(2, "translation")])
        states = [s for s in self.states("solid.h5") if s["body"] == "hammer"]
        for row, state in zip(way, states):
            for k, name in enumerate("xyz"):
                self.assertAlmostEqual(row[k], float(state[name]), delta=1e-6)
        for row in self.numbers(document, bytes_, moved[(3, "rotation")]):
            self.assertAlmostEqual(sum(x * x for x in row), 1, delta=1e-5)

    def test_a_glb_of_the_plane_has_depth_and_bodies_that_appear_have_no_size_before(self):
        document, bytes_ = self.glb("flat.h5")
        self.check_structure(document, bytes_)
        scales = [c for c in document["animations"][0]["channels"] if c["target"]["path"] == "scale"]
        self.assertEqual([c["target"]["node"] for c in scales], [3])

    def states(self, recording):
        text = self.export(recording, "states.csv").decode()
        return list(csv.DictReader(text.splitlines()))

    def test_a_csv_has_a_line_for_each_body_in_each_frame(self):
        rows = self.states("flat.h5")
        self.assertEqual(len(rows), 21 * 3)
        self.assertEqual(list(rows[0]), ["time", "body", "x", "y", "angle", "vx", "vy", "w"])
        last = rows[-2]
        self.assertEqual(last["body"], "crate, large")
        self.assertAlmostEqual(float(last["time"]), 0.2, delta=1e-12)
        self.assertAlmostEqual(float(last["x"]), 0.2 * 1.5, delta=1e-12)
        self.assertEqual(len(self.states("solid.h5")[0]), 15)

    @unittest.skipUnless(PAGE.exists(), "the viewer's page was not built")
    def test_a_page_holds_all_data(self):
        text = self.export("flat.h5", "flat.html").decode()
        for name in ("head", "progress", "series-0", "poses-0", "velocities-0", "joints-0", "contacts-0"):
            self.assertEqual(text.count(f'id="touchstone-{name}"'), 1, name)
        self.assertNotIn("touchstone-data", text)
        self.assertNotRegex(text, r"""<(script|link|img)[^>]*(src|href)=["'](?!data:)""")

    @unittest.skipUnless(PAGE.exists(), "the viewer's page was not built")
    def test_names_cannot_end_or_hide_the_page(self):
        (self.folder / "name.yaml").write_text(FLAT.replace('"crate, large"', '"<!--<script></script>"'))
        self.assertEqual(self.run_program("run", "name.yaml", "-q")[0], 0)
        text = self.export("name.h5", "name.html").decode()
        head = re.search(r'id="touchstone-head">(.*?)</script>', text, re.S).group(1)
        self.assertNotIn("<", head)
        self.assertEqual(json.loads(head)["bodies"][1]["name"], "<!--<script></script>")

    def test_plots_are_a_picture(self):
        pythons = [p for p in ("python3", "/usr/bin/python3") if subprocess.run([p, "-c", "import matplotlib"], capture_output=True).returncode == 0]
        if not pythons:
            self.skipTest("no Python with matplotlib (Debian package python3-matplotlib)")
        self.assertEqual(self.run_program("export", "solid.h5", "plots.png")[0], 0)
        self.assertEqual((self.folder / "plots.png").read_bytes()[:8], b"\x89PNG\r\n\x1a\n")

    def test_plots_say_what_is_missing(self):
        bare = self.folder / "bare-python"
        bare.write_text(f"#!/bin/sh\nexec {sys.executable} -S -I \"$@\"\n")  # without packages
        bare.chmod(0o755)
        for python in (str(bare), "/nowhere/python3"):
            code, _, err = self.run_program("export", "solid.h5", "none.png", TOUCHSTONE_PYTHON=python)
            self.assertEqual(code, 2)
            self.assertIn("python3-matplotlib", err)
            self.assertFalse((self.folder / "none.png").exists())

    def test_faulty_input_is_refused_and_leaves_no_file(self):
        (self.folder / "text.h5").write_text("no recording")
        before = sorted(p.name for p in self.folder.iterdir())
        for words, message in ((("export", "solid.h5", "a.gltf"), "did you mean"), (("export", "solid.h5", "a"), ".html, .glb, .csv or .png"),
                               (("export", "text.h5", "a.html"), "text.h5"), (("export", "nowhere.h5", "a.csv"), "there is no such file"),
                               (("export", "solid.h5", "nowhere/a.csv"), "cannot be written"), (("export", "solid.h5"), "OUT"),
                               (("view", "nowhere.h5"), "there is no such file"), (("view", "text.h5"), "text.h5"),
                               (("view", "box-stak"), "box-stack"), (("view", "solid.h5", "--set", "step=1"), "--set"),
                               (("view", "solid.h5", "--port", "70000"), "--port"), (("view",), "WHAT")):
            with self.subTest(words):
                code, out, err = self.run_program(*words)
                self.assertEqual((code, out), (2, ""), err)
                self.assertIn(message, err)
                self.assertEqual(err.count("\n"), 1, err)
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), before)

    def test_a_program_without_the_page_says_what_is_missing_and_all_else_works(self):
        alone = self.folder / "alone"
        alone.mkdir()
        program = shutil.copy(PROGRAM, alone / "touchstone")
        for words in (("view", "solid.h5"), ("export", "solid.h5", "a.html"), ("run", "solid.yaml", "--view", "-o", "b.h5")):
            code, _, err = self.run_program(*words, program=program)
            self.assertEqual(code, 2)
            self.assertIn("the page of the viewer was not built", err)
        self.assertFalse((self.folder / "a.html").exists() or (self.folder / "b.h5").exists())
        self.assertEqual(self.run_program("export", "solid.h5", "alone/a.csv", program=program)[0], 0)
        shutil.rmtree(alone)


if __name__ == "__main__":
    unittest.main()
