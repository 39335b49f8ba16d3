#!/usr/bin/env python3
"""`view` and `export` without a browser: what the server answers, and what it does not; what the files hold.

usage: viewer_commands_test.py PROGRAM [unittest arguments]
"""
import csv
import http.client
import json
import os
import pathlib
import re
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "touchstone"
PAGE = pathlib.Path(PROGRAM).parent / "viewer" / "index.html"
FLAT = """touchstone: 1
dimension: 2
step: 0.01
duration: 0.2
bodies:
  - {name: ground, shape: {half_space: {normal: [0, 1]}}, fixed: true}
  - {name: "crate, large", shape: {box: [1, 1]}, mass: 1, position: [0, 0.5], velocity: [1.5, 0]}
  - {name: late, shape: {sphere: 0.2}, mass: 1, position: [3, 1], appear: 0.1}
"""
SOLID = """touchstone: 1
dimension: 3
step: 0.01
duration: 0.2
bodies:
  - {name: table, shape: {box: [4, 4, 1]}, fixed: true, position: [0, 0, -0.5]}
  - {name: hammer, parts: [{shape: {box: [1, 0.2, 0.2]}}, {shape: {sphere: 0.3}, position: [0.5, 0, 0]}], density: 10, position: [0, 0, 1], velocity: [0.2, 0, 0]}
  - {name: rod, shape: {box: [1, 0.1, 0.1]}, mass: 1, position: [0, 1, 2]}
joints: [{name: hinge, kind: revolute, bodies: [world, rod], position: [-0.5, 1, 2], axis: [0, 1, 0]}]
"""
PATIENCE = 600  # [s] for one answer: the machine may be busy
FLOATS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}


def eventually(try_it, tries=20, seconds=120):
    """True as soon as a try succeeds. Speed is shown by one try; a busy machine gets as many as fit in the time."""
    end = time.monotonic() + seconds
    count = 0
    while count < tries or time.monotonic() < end:
        if try_it():
            return True
        count += 1
    return False


class Folder(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = pathlib.Path(scratch.name)
        for name, text in (("flat", FLAT), ("solid", SOLID)):
            (cls.folder / f"{name}.yaml").write_text(text)
            subprocess.run([PROGRAM, "run", f"{name}.yaml", "-q"], cwd=cls.folder, check=True)

    def run_program(self, *arguments, program=PROGRAM, **environment):
        done = subprocess.run([program, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE,
                              stdin=subprocess.DEVNULL, env=dict(os.environ, **environment))
        return done.returncode, done.stdout, done.stderr


@unittest.skipUnless(PAGE.exists(), "the viewer's page was not built")
class Serves(Folder):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.server, cls.port, cls.token = cls.start("view", "solid.h5")
        cls.addClassCleanup(cls.server.stdout.close)
        cls.addClassCleanup(cls.server.wait)
        cls.addClassCleanup(cls.server.terminate)

    @classmethod
    def start(cls, *arguments):
        server = subprocess.Popen([PROGRAM, *arguments, "--no-browser", "--json"], cwd=cls.folder, stdout=subprocess.PIPE,
                                  text=True, stdin=subprocess.DEVNULL)
        address = json.loads(server.stdout.readline())["address"]
        port, token = re.fullmatch(r"http://127\.0\.0\.1:(\d+)(/[0-9a-f]{32})/", address).groups()
        return server, int(port), token

    def ask(self, path, method="GET", **headers):
        return self.ask_for(self.token + path, method, **headers)

    def ask_for(self, path, method="GET", **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request(method, path, headers=headers)
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer, body

    def raw(self, data):
        """The first bytes that the server answers; empty when it hangs up."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as connection:
            try:
                connection.sendall(data)
                return connection.recv(4096)
            except (ConnectionResetError, BrokenPipeError):
                return b""

    def assert_it_still_answers(self):
        answer, body = self.ask("/data/progress")
        self.assertEqual((answer.status, json.loads(body)["frames"]), (200, 21))

    def test_the_page_and_its_data_are_served(self):
        answer, body = self.ask("/")
        self.assertEqual(answer.status, 200)
        self.assertIn(b"<title>Touchstone</title>", body)
        head = json.loads(self.ask("/data/head")[1])
        self.assertEqual([body["name"] for body in head["bodies"]], ["table", "hammer", "rod"])
        self.assertEqual(head["joints"][0]["bodies"], [-1, 2])
        poses = self.ask("/data/poses/0")[1]
        self.assertEqual(len(poses), 21 * 3 * 7 * 4)
        self.assertAlmostEqual(struct.unpack_from("<3f", poses, 7 * 4)[2], 1, places=5)
        self.assertEqual(len(self.ask("/data/velocities/0")[1]), 21 * 3 * 6 * 4)
        self.assertEqual(head["joints"][0]["values"], 1)
        joints = struct.unpack("<42f", self.ask("/data/joints/0")[1])
        self.assertEqual(joints[:2], (0, 0))
        self.assertAlmostEqual((joints[2 * 20] - joints[2 * 19]) / 0.01, joints[2 * 20 + 1], delta=0.05 * abs(joints[2 * 20 + 1]))
        self.assertGreater(abs(joints[2 * 20]), 0.01, "the rod swings")
        self.assertEqual(len(self.ask("/data/series/0")[1]), 21 * (8 + 4 * len(head["series"])))
        frames, *begin = struct.unpack_from("<23I", self.ask("/data/contacts/0")[1])
        self.assertEqual((frames, begin), (21, sorted(begin)))

    def test_only_its_own_paths_are_answered(self):
        for path in ("/../../../../etc/passwd", "/..%2f..%2f..%2fetc/passwd", "/data/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd",
                     "//etc/passwd", "/data/poses/../../solid.h5", "/solid.h5", "/index.html", "/data", "/data/poses/", "/data/poses/-1",
                     "/data/poses/99999", "/data/poses/9999999999999999999999", "/data/series/22", "/data/poses/0x0", "/viewer/index.html"):
            with self.subTest(path):
                answer, body = self.ask(path)
                self.assertEqual(answer.status, 404)
                self.assertNotIn(b"root:", body)
                self.assertLess(len(body), 200)

    def test_other_methods_are_refused(self):
        for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
            answer, _ = self.ask("/data/head", method)
            self.assertEqual(answer.status, 405, method)
        for line in (b"TRACE / HTTP/1.1\r\nHost: a\r\n\r\n", b"NONSENSE / HTTP/1.1\r\n\r\n", b"\x00\x01\x02\r\n\r\n", b"GET\r\n\r\n"):
            self.assertNotIn(b" 200 ", self.raw(line)[:20])
        self.assertEqual(self.ask("/", "HEAD")[0].status, 200)
        self.assert_it_still_answers()

    def test_nobody_is_answered_who_does_not_know_the_address(self):
        wrong = "/" + "0" * 32
        for path in ("/", "/data/head", "/data/poses/0", wrong + "/data/head", self.token[:-1] + "/data/head", self.token + "0/data/head",
                     self.token, "//", "/data" + self.token + "/head"):
            answer, body = self.ask_for(path)
            self.assertEqual(answer.status, 403, path)
            self.assertNotIn(b"hammer", body)
        other, _, token = self.start("view", "solid.h5", "--port", "0")
        other.terminate()
        other.wait()
        other.stdout.close()
        self.assertNotEqual(token, self.token, "a new one each time")

    def test_a_head_has_no_body_and_the_connection_goes_on(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        for method in ("HEAD", "GET", "HEAD", "GET"):
            connection.request(method, self.token + "/data/poses/0")
            answer = connection.getresponse()
            body = answer.read()
            self.assertEqual((answer.status, int(answer.getheader("Content-Length"))), (200, 21 * 3 * 7 * 4))
            self.assertEqual(len(body), 0 if method == "HEAD" else 21 * 3 * 7 * 4)
        connection.close()

    def test_one_range_is_answered_and_several_draw_no_more_than_all(self):
        whole = self.ask("/data/poses/0")[1]
        for text, part in (("bytes=0-9", whole[:10]), ("bytes=100-", whole[100:]), ("bytes=-7", whole[-7:]), ("bytes=5-999999", whole[5:])):
            answer, body = self.ask("/data/poses/0", Range=text)
            self.assertEqual((answer.status, body), (206, part), text)
        for text in ("bytes=0-,0-,0-,0-", "bytes=" + ",".join(["0-"] * 2000), "bytes=x-", "lines=0-1"):
            answer, body = self.ask("/data/poses/0", Range=text)
            self.assertEqual((answer.status, body), (200, whole), text[:40])
        for text in ("bytes=999999-", "bytes=9-3", "bytes=-0"):
            self.assertEqual(self.ask("/data/poses/0", Range=text)[0].status, 416, text)

    def test_requests_that_drip_block_nobody_and_are_ended(self):
        for count in (40, 200):
            dripping = [socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) for _ in range(count)]
            request = f"GET {self.token}/data/progress HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nX: ".encode() + b"a" * 10_000
            ended = set()
            end, at = time.monotonic() + PATIENCE, 0
            while len(ended) < count and time.monotonic() < end:
                for i, connection in enumerate(dripping):
                    try:
                        if i not in ended:
                            connection.send(request[at:at + 1])
                    except (ConnectionResetError, BrokenPipeError):
                        ended.add(i)
                at += 1
                if at % 5 == 1:
                    self.assert_it_still_answers()
                time.sleep(0.1)
            for connection in dripping:
                connection.close()
            self.assertEqual(len(ended), count, "a request must be complete within some seconds")
        self.assert_it_still_answers()

    def test_huge_requests_do_no_harm(self):
        host = f"Host: 127.0.0.1:{self.port}\r\n".encode()
        million = b"a" * 1_000_000
        self.assertNotIn(b" 200 ", self.raw(b"GET " + self.token.encode() + b"/" + million + b" HTTP/1.1\r\n" + host + b"\r\n")[:20])
        self.assertNotIn(b" 200 ", self.raw(b"GET " + self.token.encode() + b"/ HTTP/1.1\r\n" + host + b"X: " + million + b"\r\n\r\n")[:20])
        answer = self.raw(b"POST " + self.token.encode() + b"/ HTTP/1.1\r\n" + host + b"Content-Length: 99999999999\r\n\r\n" + million)
        self.assertNotIn(b" 200 ", answer[:20])
        self.assert_it_still_answers()

    def test_many_headers_are_refused(self):
        headers = b"".join(b"X-%d: %s\r\n" % (i, b"a" * 100) for i in range(100_000))
        answer = self.raw(f"GET {self.token}/data/progress HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n".encode() + headers + b"\r\n")
        self.assertNotIn(b" 200 ", answer[:20])
        self.assert_it_still_answers()

    def test_the_name_of_another_site_is_refused(self):
        self.assertEqual(self.ask("/", Host="evil.example")[0].status, 403)
        self.assertEqual(self.ask("/data/head", Host=f"evil.example:{self.port}")[0].status, 403)
        self.assertEqual(self.ask("/", Host=f"localhost:{self.port}")[0].status, 200)
        self.assertIsNone(self.ask("/data/head")[0].getheader("Access-Control-Allow-Origin"))

    def test_other_machines_cannot_reach_it(self):
        local = f"0100007F:{self.port:04X}"
        listening = [line.split()[1] for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:] if line.split()[3] == "0A"]
        self.assertIn(local, listening)
        self.assertNotIn(f"00000000:{self.port:04X}", listening)

    def is_answered_beside_silent_clients(self):
        """Two questions are answered while twenty clients say nothing and none of them has been dropped yet."""
        silent = [socket.create_connection(("127.0.0.1", self.port)) for _ in range(20)]
        try:
            self.assert_it_still_answers()
            self.assert_it_still_answers()
            return not select.select(silent, [], [], 0)[0]  # a connection that was closed can be read: its end
        finally:
            for connection in silent:
                connection.close()

    def test_several_clients_at_once(self):
        # Clients that say nothing are dropped after a second: a server that made others wait for them would have dropped
        # some by then, always. On a busy machine a good server may be late as well, but not always.
        self.assertTrue(eventually(self.is_answered_beside_silent_clients), "nobody waits for clients that say nothing")

    def test_a_port_that_is_taken_is_refused(self):
        code, _, err = self.run_program("view", "solid.h5", "--no-browser", "--port", str(self.port))
        self.assertEqual(code, 2)
        self.assertIn(f"port {self.port} is taken", err)

    def time_to_end(self, *words):
        server, port, token = self.start(*words, "--port", "0")
        browser = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        browser.request("GET", token + "/data/progress")
        browser.getresponse().read()  # and it keeps the connection
        begin = time.monotonic()
        server.send_signal(signal.SIGINT)
        self.assertEqual(server.wait(timeout=PATIENCE), 0)
        taken = time.monotonic() - begin
        browser.close()
        server.stdout.close()
        return taken

    def test_ctrl_c_ends_it(self):
        for words in (("view", "flat.h5"), ("view", "flat.yaml")):
            # The server's patience with a page is 5 s; a program answers within 0.2 s.
            self.assertTrue(eventually(lambda: self.time_to_end(*words) < 0.2), "a page that is open does not hold it up")

    def test_a_run_that_is_shown_records_and_keeps_standard_output_for_its_summary(self):
        done = subprocess.Popen([PROGRAM, "run", "flat.yaml", "--view", "--no-browser", "--port", "0", "--json", "-o", "shown.h5"],
                                cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(json.loads(done.stdout.readline())["steps"], 20)
        self.assertRegex(done.stderr.readline(), r"http://127\.0\.0\.1:\d+/[0-9a-f]{32}/")
        done.send_signal(signal.SIGINT)
        self.assertEqual(done.wait(timeout=PATIENCE), 0)
        done.stdout.close()
        done.stderr.close()
        self.assertEqual(self.run_program("check", "shown.h5", "-q")[0], 0)


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
