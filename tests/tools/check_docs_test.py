#!/usr/bin/env python3
"""The check of the documents says no: each test writes a document with one broken promise."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK = pathlib.Path(__file__).resolve().parents[2] / "tools" / "check_docs.py"
FILES = {
    "docs/other.md": "# One Heading, with `code`\n",
    "src/touchstone/geometry/shape.h": "",
    "examples/tiny.cpp": "int main() {}\n",
    "tests/geometry/shape_test.cpp": "TEST(Shape, ABoxIsABox) {}\nTYPED_TEST(Both, Hold) {}\n",
}


class DocumentCheck(unittest.TestCase):
    def check(self, text):
        """Exit code and words of the check on a README of this text; the program says what it was given."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, content in {**FILES, "README.md": text}.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(content)
            program = root / "src" / "program"
            program.write_text('#!/bin/sh\necho "said $*"\n')
            program.chmod(0o755)
            done = subprocess.run([sys.executable, CHECK, "--program", program, "--python", sys.executable, root], capture_output=True, text=True)
            self.assertEqual(done.stderr, "")
            return done.returncode, done.stdout

    def assert_refused(self, words, text):
        code, said = self.check(text)
        self.assertEqual(code, 1, said)
        self.assertIn(words, said)

    def assert_passes(self, text):
        code, said = self.check(text)
        self.assertEqual(code, 0, said)
        return said

    def test_a_block_of_python_is_run_and_compared(self):
        self.assertIn("1 blocks run", self.assert_passes("```python run\nprint(1 + 1)\n```\n\n```text output\n2\n```\n"))
        self.assert_refused("printed", "```python run\nprint(1 + 1)\n```\n\n```text output\n3\n```\n")
        self.assert_refused("ended with 1", "```python run\nraise SystemExit(1)\n```\n")

    def test_links_to_files_and_headings_that_exist_pass(self):
        self.assert_passes("[a](docs/other.md) [b](docs/other.md#one-heading-with-code) [c](https://example.org/x)\n")

    def test_a_link_to_nothing_is_refused(self):
        self.assert_refused("README.md:2: the link docs/gone.md leads nowhere", "text\n[a](docs/gone.md)\n")

    def test_a_link_to_a_heading_that_does_not_exist_is_refused(self):
        self.assert_refused("has no heading #two", "[a](docs/other.md#two)\n")

    def test_paths_of_files_that_exist_pass(self):
        self.assert_passes("`geometry/shape.h` `src/touchstone/geometry/shape.h` `examples/tiny.cpp` `docs/` `m/s`\n")

    def test_the_path_of_a_file_that_does_not_exist_is_refused(self):
        self.assert_refused("there is no geometry/shapes.h", "`geometry/shapes.h`\n")

    def test_tests_that_exist_pass(self):
        self.assert_passes("`Shape.ABoxIsABox` `Both.Hold`\n")

    def test_the_name_of_a_test_that_does_not_exist_is_refused(self):
        self.assert_refused("there is no test Shape.ABoxIsRound", "`Shape.ABoxIsRound`\n")

    def test_a_copy_of_a_file_passes_and_a_changed_copy_is_refused(self):
        text = "<!-- same as examples/tiny.cpp -->\n```cpp\nint main() {}\n```\n"
        self.assert_passes(text)
        self.assert_refused("README.md:2: the block is not the same as examples/tiny.cpp", text.replace("{}", "{ }"))

    def test_a_block_is_run_and_its_output_compared(self):
        text = "```bash run\n./touchstone query  a b\n```\n\n```text output\nsaid query a b\n```\n"
        self.assertIn("1 blocks run", self.assert_passes(text))
        self.assert_refused("the block printed\nsaid query a b", text.replace("said query", "told query"))

    def test_a_block_that_fails_is_refused(self):
        self.assert_refused("the block ended with 3: bad", "```bash run\necho bad >&2\nexit 3\n```\n")

    def test_a_block_that_is_not_marked_is_not_run(self):
        self.assertIn("0 blocks run", self.assert_passes("```bash\nexit 3\n```\n"))


if __name__ == "__main__":
    unittest.main()
