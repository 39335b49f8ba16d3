#!/usr/bin/env python3
"""`view` without a browser: what the server answers, and what it does not.

usage: viewer_server_test.py PROGRAM [unittest arguments]
"""
import http.client
import json
import pathlib
import re
import select
import signal
import socket
import struct
import subprocess
import time
import unittest

from viewer_folder import PAGE, PATIENCE, PROGRAM, Folder


def eventually(try_it, tries=20, seconds=120):
    """True as soon as a try succeeds. Speed is shown by one try; a busy machine gets as many as fit in the time."""
    end = time.monotonic() + seconds
    count = 0
    while count < tries or time.monotonic() < end:
        if try_it():
            return True
        count += 1
    return False


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


if __name__ == "__main__":
    unittest.main()
