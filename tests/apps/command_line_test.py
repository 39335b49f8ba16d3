#!/usr/bin/env python3
"""The command line as a user meets it: answers, exit codes, messages.

usage: command_line_test.py PROGRAM [unittest arguments]
"""
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "touchstone"

WEDGE = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
CUBE = {"box": [2, 2, 2]}


def run(*arguments, stdin="", folder=None):
    """Runs the program; standard input and outputs are text, or bytes when bytes are given."""
    raw = isinstance(stdin, bytes)
    done = subprocess.run([PROGRAM, *arguments], input=stdin if raw else stdin.encode(), cwd=folder,
                          capture_output=True, timeout=600)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def batch(lines, folder=None):
    """Answers to a batch given on standard input, as a list of objects, with the exit code."""
    text = lines if isinstance(lines, (str, bytes)) else "\n".join(
        line if isinstance(line, str) else json.dumps(line) for line in lines)
    code, out, _ = run("query", "--batch", "-", stdin=text, folder=folder)
    return code, [json.loads(line) for line in out.splitlines()]


class Answers(unittest.TestCase):
    def test_a_cube_above_a_cube_is_as_far_away_as_it_was_put(self):
        code, out, _ = run("query", "box:2,2,2", "box:2,2,2", "--position-a", "0,0,2.5", "--json")
        answer = json.loads(out)
        self.assertEqual(code, 0)
        self.assertEqual(answer["status"], "disjoint")
        self.assertEqual(answer["gap"], 0.5)
        self.assertEqual(answer["normal"], [0, 0, 1])
        self.assertEqual(len(answer["manifold"]), 4)
        self.assertEqual(answer["features"]["a"]["kind"], "face")
        self.assertEqual(answer["overlap"], 0)

    def test_the_fields_that_stay_are_there_in_2d_and_3d(self):
        for query in ({"a": CUBE, "b": CUBE}, {"a": {"box": [1, 1]}, "b": {"sphere": 1}}):
            code, (answer,) = batch([query])
            self.assertEqual(code, 0)
            for field in ("status", "gap", "normal", "features", "manifold", "overlap"):
                self.assertIn(field, answer)

    def test_options_and_batch_say_the_same(self):
        pose = {"position": [0.3, -0.4, 1.7], "quaternion": [0.9, 0.1, -0.2, 0.3]}
        _, out, _ = run("query", "cube:1", "cylinder:1,2,12", "--position-b", "0.3,-0.4,1.7",
                        "--quaternion-b", "0.9,0.1,-0.2,0.3", "--json")
        _, by_pose, _ = run("query", "cube:1", "cylinder:1,2,12", "--pose-b", json.dumps(pose), "--json")
        query = {"a": {"cube": 1}, "b": {"cylinder": {"radius": 1, "height": 2, "corners": 12}}, "pose_b": pose}
        _, (answer,) = batch([query])
        self.assertEqual(json.loads(out), answer)
        self.assertEqual(json.loads(by_pose), answer)

    def test_all_ways_to_turn_a_body_agree(self):
        turns = (["--quaternion-a", f"{math.cos(.2)},0,0,{math.sin(.2)}"], ["--axis-angle-a", "0,0,2,0.4"],
                 ["--euler-a", "0,0,0.4"])
        gaps = [json.loads(run("query", "box:1,2,3", "cube:1", "--position-a", "3,0,0", *turn, "--json")[1])["gap"]
                for turn in turns]
        flat = json.loads(run("query", "box:1,2", "box:1,1", "--position-a", "3,0",
                              "--angle-a", "0.4", "--json")[1])["gap"]
        for gap in gaps:
            self.assertAlmostEqual(gap, flat, delta=1e-14)

    def test_numbers_come_back_with_all_their_digits(self):
        generator = random.Random(5)
        queries = [{"a": CUBE, "b": {"sphere": 0.1}, "pose_a": {"position": [0, 0, generator.uniform(1.2, 9)]}}
                   for _ in range(200)]
        _, out, _ = run("query", "--batch", "-", stdin="\n".join(map(json.dumps, queries)))
        full = 0
        for query, line in zip(queries, out.splitlines()):
            gap = json.loads(line)["gap"]
            self.assertIn('"gap": %.17g,' % gap, line)
            self.assertAlmostEqual(gap, query["pose_a"]["position"][2] - 1.1, delta=4e-15)
            full += len(("%.17g" % gap).replace("0.", "", 1).replace(".", "")) >= 17
        self.assertGreater(full, 100, "17 digits were hardly ever needed")

    def test_a_person_can_read_the_answer(self):
        code, out, _ = run("query", "box:2,2,2", "box:1,1,1", "--position-b", "0,0,1.4")
        self.assertEqual(code, 0)
        for part in ("overlapping", "gap        -0.1 m", "(0, 0, -1) from B to A", "face 3 of A - face 1 of B",
                     "a polygon", "overlap    0.1 m^3"):
            self.assertIn(part, out)
        self.assertEqual(run("query", "sphere:1", "sphere:1", "--position-a", "0,0,3", "-q")[1], "disjoint 1\n")

    def test_every_shape_of_the_list_can_be_queried_as_the_list_says(self):
        shapes = json.loads(run("list", "shapes", "--json")[1])["shapes"]
        self.assertGreaterEqual(len(shapes), 16)
        lines = run("list", "shapes")[1].splitlines()
        self.assertEqual([line.split()[0] for line in lines], [shape["name"] for shape in shapes])
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "part.obj"), "w") as file:
                file.write(WEDGE)
            for shape in shapes:
                words = [shape["example"]] + ([shape["short_form"]] if shape["short_form"] else [])
                for word in words:
                    code, out, err = run("query", word, "sphere:1", "--json", folder=folder)
                    self.assertEqual((code, err), (0, ""), word)
                    self.assertIn("gap", json.loads(out))

    def test_every_command_helps_with_an_example(self):
        for command in ([], ["query"], ["list"]):
            code, out, _ = run(*command, "--help")
            self.assertEqual(code, 0)
            self.assertIn("Examples:\n  touchstone", out)
        code, out, _ = run("--version")
        self.assertEqual(code, 0)
        self.assertRegex(out, r"^touchstone \d+\.\d+\.\d+\n$")


# What is typed, and parts of the message. Each must exit with 2 and say so in one line on standard error.
REFUSED = [
    ([], ["expected a command"]),
    (["qurey"], ['"qurey"', 'did you mean "query"']),
    (["query"], ["expected two shapes", "touchstone query box:2,2,2"]),
    (["query", "cube:1"], ["expected two shapes"]),
    (["query", "cube:1", "cube:1", "cube:1"], ["unexpected argument"]),
    (["query", "cube:1", "cube:1", "--positoin-a", "1"], ['did you mean "--position-a"']),
    (["query", "cube:1", "cube:1", "--position-a"], ["--position-a"]),
    (["query", "cube:1", "cbue:1"], ["b:", 'did you mean "cube"']),
    (["query", "cube", "cube:1"], ["a:", "cube:1"]),
    (["query", "cube:", "cube:1"], ["a:", "expected numbers"]),
    (["query", "cube:0", "cube:1"], ["a.cube.side", "expected a positive length", "0"]),
    (["query", "box:1,nan,1", "cube:1"], ["a.box[1]", "finite"]),
    (["query", "box:1,inf,1", "cube:1"], ["a.box[1]", "finite"]),
    (["query", "box:1,1e400,1", "cube:1"], ["a", "1e400"]),
    (["query", "box:1,2,3,4", "cube:1"], ["a.box", "expected a list of 3 side lengths", "list of 4"]),
    (["query", "box:1,2", "cube:1"], ["b: is 3D, but a is 2D"]),
    (["query", "cylinder:1,2", "cube:1"], ["a:", "cylinder:1,2,32"]),
    (["query", "cylinder:1,2,1e7", "cube:1"], ["a.cylinder.corners", "1000000"]),
    (["query", "prism:1", "cube:1"], ["a:", "no short form", '{"prism"']),
    (["query", '{"box": [1, 2, 3]', "cube:1"], ["a:", "not JSON", "column"]),
    (["query", '{"bocks": [1, 2, 3]}', "cube:1"], ["a:", 'unknown shape "bocks"', 'did you mean "box"']),
    (["query", '{"sphere": {"raduis": 1}}', "cube:1"], ["a.sphere", 'did you mean "radius"']),
    (["query", '{"points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]}', "cube:1"], ["a.points", "flat"]),
    (["query", '{"points": [[0, 0, 0], [1, 0, 0]]}', "cube:1"], ["a.points", "4"]),
    (["query", "missing.obj", "cube:1"], ["a", "missing.obj"]),
    (["query", "part.step", "cube:1"], ["a", "part.step"]),
    (["query", "cube:1", "cube:1", "--position-a", "1,2"], ["pose_a"]),
    (["query", "cube:1", "cube:1", "--position-a", "1,2,x"], ["--position-a", "expected numbers", '"x"']),
    (["query", "cube:1", "cube:1", "--position-a", ""], ["--position-a", "expected numbers"]),
    (["query", "cube:1", "cube:1", "--dimension", "0"], ["dimension", "2 or 3"]),
    (["query", "cube:1", "cube:1", "--position-a", "1,2,1e99"], ["pose_a.position[2]", "1e60"]),
    (["query", "cube:1", "cube:1", "--quaternion-b", "0,0,0,0"], ["pose_b.quaternion", "got zero"]),
    (["query", "cube:1", "cube:1", "--quaternion-b", "1,0,0,0", "--euler-b", "0,0,0"], ["pose_b", "got both"]),
    (["query", "cube:1", "cube:1", "--angle-b", "1"], ["pose_b: is 2D, but a is 3D"]),
    (["query", "cube:1", "cube:1", "--pose-b", "{}", "--position-b", "0,0,0"], ["--pose-b", "not both"]),
    (["query", "cube:1", "cube:1", "--pose-b", "{"], ["--pose-b", "not JSON"]),
    (["query", "cube:1", "cube:1", "--pose-b", '{"postion": [0, 0, 0]}'], ["pose_b", 'did you mean "position"']),
    (["query", "cube:1", "cube:1", "--dimension", "4"], ["dimension", "2 or 3"]),
    (["query", "cube:1", "cube:1", "--dimension", "x"], ["--dimension"]),
    (["query", "half_space:0,0,1,0", "half_space:0,0,1,0"], ["half-spaces"]),
    (["query", "half_space:0,0,0,1", "cube:1"], ["a.half_space.normal", "got zero"]),
    (["query", "--batch", "missing.jsonl"], ["missing.jsonl", "no such file"]),
    (["query", "--batch", "/"], ["/", "folder"]),
    (["query", "--batch", "-", "cube:1"], ["--batch"]),
    (["query", "--batch", "-", "--angle-a", "1"], ["--batch", "angle-a"]),
    (["list", "shaeps"], ['"shaeps"', 'did you mean "shapes"']),
    (["list", "shapes", "more"], ["unexpected argument"]),
]


class Refusals(unittest.TestCase):
    def test_faulty_input_exits_with_two_and_one_clear_line(self):
        self.assertGreaterEqual(len(REFUSED), 25)
        for arguments, parts in REFUSED:
            with self.subTest(arguments=arguments):
                code, out, err = run(*arguments)
                self.assertEqual(code, 2, err)
                self.assertEqual(out, "")
                self.assertEqual(err.count("\n"), 1, err)
                self.assertTrue(err.startswith("touchstone: "), err)
                for part in parts:
                    self.assertIn(part, err)


class Batches(unittest.TestCase):
    def test_a_faulty_line_is_answered_by_its_error_and_the_rest_are_answered(self):
        good = {"a": CUBE, "b": CUBE, "pose_b": {"position": [0, 0, 2]}}
        lines = [good, "nonsense", good, "", "   ", {"a": CUBE}, {"a": CUBE, "b": {"bocks": 1}}, good]
        code, answers = batch(lines)
        self.assertEqual(code, 2)
        self.assertEqual(["error" in answer for answer in answers], [False, True, False, True, True, False])
        self.assertTrue(answers[1]["error"].startswith("stdin:2: "))
        self.assertIn("stdin:6: ", answers[3]["error"])
        self.assertIn('stdin:7: b: unknown shape "bocks"; did you mean "box"?', answers[4]["error"])
        self.assertEqual(answers[0], answers[5])

    def test_only_good_lines_exit_with_zero(self):
        self.assertEqual(batch([{"a": CUBE, "b": CUBE}] * 3)[0], 0)
        self.assertEqual(batch("")[0], 0)

    def test_a_summary_goes_to_standard_error_unless_told_otherwise(self):
        _, _, err = run("query", "--batch", "-", stdin="x\n")
        self.assertIn("1 of 1", err)
        self.assertEqual(run("query", "--batch", "-", "-q", stdin="x\n")[2], "")

    def test_a_line_that_is_too_long_is_answered_in_json_whatever_the_file_is_called(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, 'na"me.jsonl'), "wb") as file:
                file.truncate((128 << 20) + 1)  # a hole: takes no room
            code, out, _ = run("query", "--batch", 'na"me.jsonl', folder=folder)
        self.assertEqual(code, 2)
        self.assertEqual(json.loads(out)["error"], 'na"me.jsonl:1: the line is longer than 128 MiB')

    def test_line_ends_and_a_missing_last_one_do_not_matter(self):
        line = json.dumps({"a": CUBE, "b": CUBE})
        expected = batch([line, line])
        self.assertEqual(batch(line + "\r\n" + line + "\r\n"), expected)
        self.assertEqual(batch(line + "\n\r\n\n" + line), expected)
        self.assertEqual(batch("\ufeff" + line + "\n" + line), expected)

    def test_garbage_is_answered_line_by_line(self):
        generator = random.Random(1)
        lines = []
        while len(lines) < 50:
            line = bytes(generator.randrange(256) for _ in range(generator.randrange(1, 400))).replace(b"\n", b"")
            if line.strip(b" \t\r"):
                lines.append(line)
        code, answers = batch(b"\n".join(lines))
        self.assertEqual(code, 2)
        self.assertEqual(len(answers), len(lines))
        self.assertTrue(all(answer.keys() == {"error"} for answer in answers))

    def test_hostile_lines_neither_crash_nor_hang(self):
        deep = '{"a": ' + "[" * 200000 + "]" * 200000 + "}"
        long_key = '{"' + "x" * 1000000 + '": 1}'
        twice = '{"a": {"cube": 1}, "a": {"cube": 2}, "b": {"cube": 1}}'
        huge = '{"a": {"tessellated_sphere": {"vertices": 1000000000, "radius": 1}}, "b": {"cube": 1}}'
        overflow = '{"a": {"box": [1e999, 1, 1]}, "b": {"cube": 1}}'
        nul = '{"a": "x\\u0000.obj", "b": {"cube": 1}}'
        code, answers = batch([deep, long_key, twice, huge, overflow, nul, {"a": CUBE, "b": CUBE}])
        self.assertEqual(code, 2)
        for answer, part in zip(answers, ("nested deeper", "unknown key", "given twice", "1000000", "not JSON", "a")):
            self.assertIn(part, answer["error"])
            self.assertLess(len(answer["error"]), 500)
        self.assertEqual(answers[6]["status"], "overlapping")

    def test_meshes_are_found_beside_the_batch_file(self):
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "data"))
            with open(os.path.join(folder, "data", "part.obj"), "w") as file:
                file.write(WEDGE)
            line = json.dumps({"a": "part.obj", "b": {"mesh": "part.obj"}, "pose_b": {"position": [0, 0, 3]}})
            with open(os.path.join(folder, "data", "queries.jsonl"), "w") as file:
                file.write(line + "\n")
            code, out, _ = run("query", "--batch", "data/queries.jsonl", folder=folder)
            self.assertEqual(code, 0, out)
            self.assertAlmostEqual(json.loads(out)["gap"], 2, delta=1e-15)
            code, answers = batch([line], folder=os.path.join(folder, "data"))
            self.assertEqual(code, 0, "standard input: relative to the working folder")
            code, answers = batch([line], folder=folder)
            self.assertIn("part.obj", answers[0]["error"])

    def test_a_repeated_shape_is_built_once(self):
        # Built anew each time, 2000 spheres of 2000 vertices would take minutes.
        query = {"a": {"tessellated_sphere": {"vertices": 2000, "radius": 1}}, "b": CUBE, "pose_b": {"position": [5, 0, 0]}}
        code, answers = batch([query] * 2000)
        self.assertEqual(code, 0)
        self.assertEqual(len(answers), 2000)
        self.assertTrue(all(answer == answers[0] for answer in answers))

    def test_answers_come_at_once_to_who_waits_for_them(self):
        with subprocess.Popen([PROGRAM, "query", "--batch", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            for height in (2, 3):
                query = {"a": CUBE, "b": CUBE, "pose_a": {"position": [0, 0, height]}}
                process.stdin.write(json.dumps(query).encode() + b"\n")
                process.stdin.flush()
                self.assertEqual(json.loads(process.stdout.readline())["gap"], height - 2)
            process.stdin.close()
            self.assertEqual(process.wait(), 0)


if __name__ == "__main__":
    unittest.main()
