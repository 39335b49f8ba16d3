#!/usr/bin/env python3
"""./touchstone in a repository of its own, where cmake, dpkg-query, apt-get and sudo only write down how they were called.

usage: set_up_test.py ROOT [unittest arguments]      (ROOT: the top of the repository)
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2]

# The pretended tools. `cmake --build` makes a program that echoes its arguments.
TOOLS = {
    "cmake": r"""
case " $* " in
  *" --build "*) [ -e "$FAKE/broken" ] && { echo "error: no such thing"; exit 1; }
                 printf '#!/bin/sh\necho "ran: $*"\n' > build/touchstone; chmod +x build/touchstone ;;
  *) mkdir -p build; touch build/Makefile; echo "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" > build/CMakeCache.txt ;;
esac""",
    "dpkg-query": r"""
for word; do case $word in -*|*'$'*) ;; *) grep -qx "$word" "$FAKE/missing" || echo "$word installed" ;; esac; done""",
    "apt-get": r"""case " $* " in *" install "*) : > "$FAKE/missing" ;; esac""",
    "sudo": r"""exec "$@" """,
}


def processor_time_of_children():
    """[s] of all that were waited for."""
    times = os.times()
    return times.children_user + times.children_system


class SetUp(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(os.path.realpath(tempfile.mkdtemp()))
        self.addCleanup(shutil.rmtree, self.folder)
        self.root, self.fake = self.folder / "clone", self.folder / "fake"
        for part in ("src", "cmake", "viewer", "tools"):
            (self.root / part).mkdir(parents=True)
        self.fake.mkdir()
        for file in ("touchstone", "tools/setup.sh", "tools/packages.txt", "tools/layers.txt", "CMakeLists.txt"):
            shutil.copy(ROOT / file, self.root / file)
        (self.root / "src" / "a.cpp").write_text("")
        (self.fake / "missing").write_text("")
        for name, body in TOOLS.items():
            path = self.fake / name
            path.write_text('#!/bin/bash\necho "%s $*" >> "$FAKE/log"\n%s\n' % (name, body))
            path.chmod(0o755)

    def call(self, *arguments):
        (self.fake / "log").write_text("")
        environment = dict(os.environ, PATH=f"{self.fake}:{os.environ['PATH']}", FAKE=str(self.fake))
        done = subprocess.run([self.root / "touchstone", *arguments], cwd=self.root, env=environment,
                              capture_output=True, text=True, timeout=600)
        return done, (self.fake / "log").read_text()

    def time_of_another_call(self):
        begun = processor_time_of_children()  # others that use the machine do not count
        done, log = self.call("list")
        taken = processor_time_of_children() - begun
        self.assertEqual((done.stdout, done.stderr, log), ("ran: list\n", "", ""), "no tool is asked again")
        return taken

    def test_the_first_call_installs_configures_and_builds_and_the_second_starts_at_once(self):
        (self.fake / "missing").write_text("libeigen3-dev\nnlohmann-json3-dev\nlibgtest-dev\n")
        done, log = self.call("query", "two words")
        self.assertEqual((done.returncode, done.stdout), (0, "ran: query two words\n"), done.stderr)
        self.assertIn("installing Debian packages: libeigen3-dev nlohmann-json3-dev\n", done.stderr)
        self.assertRegex(log, r"apt-get install .*libeigen3-dev nlohmann-json3-dev\n")
        self.assertNotIn("libgtest-dev libg", log.split("apt-get install")[1], "tests' packages are not needed to run")
        self.assertIn("-DCMAKE_BUILD_TYPE=Release", log)
        self.assertLess(self.time_of_another_call(), 2, "0.1 s on an idle machine")

    def test_a_machine_that_cannot_have_npm_gets_all_but_the_viewer(self):
        (self.fake / "missing").write_text("npm\n")
        (self.fake / "apt-get").write_text('#!/bin/sh\ncase " $* " in *" npm "*) exit 100 ;; esac\n')
        done, _ = self.call("list")
        self.assertEqual((done.returncode, done.stdout), (0, "ran: list\n"), done.stderr)
        self.assertIn("the viewer's page will not be built, all else works", done.stderr)

    def test_what_another_package_provides_is_not_installed(self):
        (self.fake / "missing").write_text("npm\n")
        tool = self.fake / "dpkg-query"
        tool.write_text(tool.read_text() + 'echo "nodejs installed nodejs-dev, npm"\n')
        done, log = self.call("list")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("apt-get", log)

    def test_nothing_is_installed_when_nothing_is_missing(self):
        done, log = self.call()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("apt-get", log)

    def test_what_changes_in_the_sources_is_built(self):
        self.call()
        for change in (lambda: (self.root / "src" / "a.cpp").write_text("//"),
                       lambda: (self.root / "src" / "b.cpp").write_text(""),
                       lambda: (self.root / "src" / "b.cpp").unlink(),
                       lambda: (self.root / "CMakeLists.txt").write_text("")):
            time.sleep(0.02)
            change()
            done, log = self.call("x")
            self.assertEqual(done.stdout, "ran: x\n")
            self.assertIn("cmake --build", log)
            self.assertEqual(self.call()[1], "")

    def test_a_moved_clone_is_configured_anew(self):
        self.call()
        self.root = self.root.rename(self.folder / "moved")
        (self.root / "src" / "a.cpp").write_text("//")
        done, log = self.call("x")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("--fresh", log)

    def test_a_build_that_fails_says_so_and_is_tried_again(self):
        (self.fake / "broken").write_text("")
        for _ in range(2):
            done, _ = self.call("x")
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("error: no such thing", done.stderr)
            self.assertIn("the build failed", done.stderr)
        (self.fake / "broken").unlink()
        self.assertEqual(self.call("x")[0].stdout, "ran: x\n")


if __name__ == "__main__":
    unittest.main()
