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
    "docs/study.md": "# A study\n\n## 2. Two\n\n### 2.1 Sub\n\n- **R1.** A rule.\n\n| id | value |\n| --- | --- |\n| B7 | 3 |\n",
    "docs/notation.md": "## Sources that brackets name\n\n| name | page |\n| --- | --- |\n| Study | [study.md](study.md) |\n\n"
                        "| name | paper |\n| --- | --- |\n| Lawson, Hanson | *Solving Least Squares Problems* |\n",
}


class DocumentCheck(unittest.TestCase):
    def check(self, text, name="README.md"):
        """Exit code and words of the check with a file of this text; the program says what it was given."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, content in {**FILES, "README.md": "", name: text}.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(content)
            program = root / "src" / "program"
            program.write_text('#!/bin/sh\necho "said $*"\n')
            program.chmod(0o755)
            done = subprocess.run([sys.executable, CHECK, "--program", program, "--python", sys.executable, root], capture_output=True, text=True)
            self.assertEqual(done.stderr, "")
            return done.returncode, done.stdout

    def assert_refused(self, words, text, name="README.md"):
        code, said = self.check(text, name)
        self.assertEqual(code, 1, said)
        self.assertIn(words, said)

    def assert_passes(self, text, name="README.md"):
        code, said = self.check(text, name)
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

    def test_sources_that_the_notation_names_pass(self):
        text = "Facts [Study 2.1; Lawson, Hanson ch. 23], [Study 2, R1, B7], [Study 2, eq. 9.9], lengths [m/s], a range [0, 1], a pair [time, value], [docs/other.md].\n"
        self.assert_passes(text)
        self.assert_passes("".join(f"// {word}\n" for word in text.split()), "src/touchstone/geometry/box.h")
        self.assert_passes(f"# {text}", "scenes/box.yaml")

    def test_a_source_that_the_notation_does_not_name_is_refused(self):
        self.assert_refused("README.md:2: [Folklore 3] is no source", "text\n[Folklore 3]\n")
        self.assert_refused("box.h:2: [issue 3] is no source", "int a;\nint b;  // wide [issue 3]\n", "src/touchstone/geometry/box.h")
        self.assert_refused("box.py:1: [gone.md] is no source", '"""A box [gone.md]."""\n', "tests/python/box.py")
        self.assert_refused("[Lawson] is no source", "// [Lawson]\n", "tests/geometry/box_test.cpp")

    def test_a_section_that_the_page_does_not_have_is_refused(self):
        self.assert_refused("[Study 2.2]: study.md has no section 2.2", "[Study 2.2]\n")
        self.assert_refused("study.md has no section 3", "// [Study 2-3]\n", "src/touchstone/geometry/box.h")
        self.assert_refused("study.md has no section B8", "// a citation over two\n// lines [Study\n// B8]\n", "src/touchstone/geometry/box.h")

    def test_code_drawings_usage_and_links_are_no_citations(self):
        self.assert_passes("`[Nobody 1]` and [a link](docs/other.md)\n")
        self.assert_passes("//     [ Wide  Narrow ]\n// usage: box [--option WORD]\n// item[index] `[Any]`\n", "src/touchstone/geometry/box.h")

    def test_long_lines_are_refused_but_for_tables_and_code(self):
        long = "word " * 33
        self.assert_refused("README.md:1: the line has 164 characters", long.strip() + "\n")
        self.assert_passes(f"| {long} |\n\n```text\n{long}\n```\n")

    def test_an_index_that_lacks_a_page_is_refused(self):
        full = "[a](other.md) [b](study.md#2-two) [c](notation.md)\n"
        self.assert_passes(full, "docs/README.md")
        self.assert_refused("docs/README.md: study.md is missing", full.replace("study.md#2-two", "other.md"), "docs/README.md")

    def test_wrapping_mends_long_lines_and_leaves_all_else(self):
        kept = "# Title\n\nshort line\n\n| " + "cell " * 40 + "|\n\n```text\n" + "code " * 40 + "\n```\n"
        with tempfile.TemporaryDirectory() as folder:
            document = pathlib.Path(folder) / "page.md"
            document.write_text(kept + "\n- item " + "`a b` " * 40 + "\n- next\n")
            subprocess.run([sys.executable, CHECK.parent / "wrap_docs", document], check=True, capture_output=True)
            lines = document.read_text()
        self.assertTrue(lines.startswith(kept))
        self.assertEqual(lines.split("- next")[1], "\n")
        self.assertLess(max(map(len, lines[len(kept):].splitlines())), 160)
        self.assertEqual(lines.count("`a b`"), 40)

    def test_a_block_that_is_not_marked_is_not_run(self):
        self.assertIn("0 blocks run", self.assert_passes("```bash\nexit 3\n```\n"))


if __name__ == "__main__":
    unittest.main()
