#!/usr/bin/env python3
"""Checks what the documents (*.md) and the comments of the sources promise; prints each broken promise and exits 1.

usage: check_docs.py [--program TOUCHSTONE] [--python PYTHON --modules FOLDER] [ROOT]

  [text](path#heading)        a relative link leads to a file, and to a heading in it
  `proximity/gap.h`           a path in a code span exists, from the top or from src/touchstone
  `Gap.TwoBoxesKiss`          a test of that name exists in tests/
  [Thesis eq. 3.5], [PEG 3]   a source that docs/notation.md names, with the sections of our own pages (tools/citations.py); in comments, too
  <!-- same as FILE -->       the code block that follows is that file, word for word
  ```bash run                 the block is run, `./touchstone` being TOUCHSTONE, and must end with 0;
  ```python run               the same by PYTHON, which finds the package touchstone in FOLDER
  ```text output              directly behind it: what it must print on standard output

Every page below docs/ has a link in docs/README.md, if there is one. A line of a document has at most LONGEST characters, but for
rows of tables and code blocks.
"""
import argparse
import os
import pathlib
import re
import subprocess
import tempfile

import citations

FENCE = re.compile(r"^```(.*)$")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
SPAN = re.compile(r"`([^`]+)`")
SAME = re.compile(r"^<!-- same as (\S+) -->$")
PATH = re.compile(r"^[\w.-]+(/[\w.-]+)+/?$")
TEST_NAME = re.compile(r"^[A-Z]\w*\.[A-Z]\w*$")
TEST = re.compile(r"\b(?:TYPED_|)TEST(?:_F|_P|)\(\s*(\w+)\s*,\s*(\w+)\s*\)")
TIME_LIMIT = 120  # [s] for one block
LONGEST = 160  # characters of a line


class Block:
    """A fenced code block: where it starts, the words behind its fence, its lines, the line above it."""

    def __init__(self, line, words, above):
        self.line, self.words, self.above, self.lines = line, words.split(), above, []

    def text(self):
        return "".join(line + "\n" for line in self.lines)


def split(text):
    """The numbered lines of prose and the code blocks of a document, in order."""
    items, block, above = [], None, ""
    for number, line in enumerate(text.splitlines(), 1):
        fence = FENCE.match(line)
        if fence and block is None:
            block = Block(number, fence.group(1), above)
        elif fence:
            items.append(block)
            block = None
        elif block is not None:
            block.lines.append(line)
        else:
            items.append((number, line))
        above = line
    return items


def heading_names(path):
    """The names by which links reach the headings of a document (lower case, words joined by hyphens)."""
    lines = [item[1] for item in split(path.read_text()) if isinstance(item, tuple)]
    titles = [line.lstrip("#").strip().lower() for line in lines if line.startswith("#")]
    return {re.sub(r"[^\w\- ]", "", title).replace(" ", "-") for title in titles}


def link_fault(document, link):
    if re.match(r"^[a-z]+:", link):
        return None
    target, _, heading = link.partition("#")
    path = (document.parent / target).resolve() if target else document
    if not path.exists():
        return f"the link {link} leads nowhere"
    if heading and heading not in heading_names(path):
        return f"{target or 'the document'} has no heading #{heading}"
    return None


def is_ours(root, span):
    """Does the code span name one of our files? Its first folder decides: others' paths are not ours to check."""
    first = span.split("/")[0]
    return PATH.match(span) and ((root / first).is_dir() or (root / "src" / "touchstone" / first).is_dir())


def span_fault(root, tests, span):
    if is_ours(root, span) and not ((root / span).exists() or (root / "src" / "touchstone" / span).exists()):
        return f"there is no {span}"
    if TEST_NAME.match(span) and span not in tests:
        return f"there is no test {span}"
    return None


def length_fault(line):
    is_row = line.lstrip().startswith("|")
    return f"the line has {len(line)} characters; at most {LONGEST} are read with ease" if len(line) > LONGEST and not is_row else None


def prose_faults(root, document, tests, line):
    yield length_fault(line)
    for link in LINK.findall(SPAN.sub("", line)):
        yield link_fault(document, link)
    for span in SPAN.findall(line):
        yield span_fault(root, tests, span)


def copy_fault(root, block):
    same = SAME.match(block.above.strip())
    if not same:
        return None
    path = root / same.group(1)
    if not path.is_file():
        return f"there is no {same.group(1)}"
    return None if path.read_text() == block.text() else f"the block is not the same as {same.group(1)}"


def stage(root, program, folder):
    """Fills a scratch folder with links to all that lies at the top, `touchstone` being the program."""
    for entry in root.iterdir():
        if entry.name != "touchstone" and not entry.name.startswith((".", "build")):
            (folder / entry.name).symlink_to(entry)
    (folder / "touchstone").symlink_to(pathlib.Path(program).resolve())


def command_of(block, tools):
    """How a marked block is run; None: it is not marked, or what it needs is not there."""
    if block.words == ["bash", "run"] and tools.program:
        return ["bash", "-e", "-u", "-o", "pipefail", "-c", block.text()]
    if block.words == ["python", "run"] and tools.program and tools.python:
        return [tools.python, "-c", block.text()]
    return None


def run_fault(folder, tools, block, expected):
    done = subprocess.run(command_of(block, tools), cwd=folder, text=True,
                          capture_output=True, timeout=TIME_LIMIT, stdin=subprocess.DEVNULL,
                          env={**os.environ, "LC_ALL": "C.UTF-8", "PYTHONPATH": tools.modules or "", "MPLBACKEND": "Agg"})
    if done.returncode != 0:
        return f"the block ended with {done.returncode}: {done.stdout}{done.stderr}".rstrip()
    if expected is not None and done.stdout != expected.text():
        return f"the block printed\n{done.stdout}but the document says\n{expected.text()}".rstrip()
    return None


def block_faults(root, items, tools, counts):
    """The blocks of a document share a scratch folder: a later one finds the files of an earlier one."""
    with tempfile.TemporaryDirectory() as folder:
        if tools.program:
            stage(root, tools.program, pathlib.Path(folder))
        yield from faults_in(folder, root, items, tools, counts)


def faults_in(folder, root, items, tools, counts):
    for i, block in enumerate(items):
        if not isinstance(block, Block):
            continue
        yield block.line, copy_fault(root, block)
        if command_of(block, tools):
            rest = [item for item in items[i + 1:] if isinstance(item, Block) or item[1].strip()]
            follows = bool(rest) and isinstance(rest[0], Block) and rest[0].words == ["text", "output"]
            counts["blocks run"] += 1
            yield block.line, run_fault(folder, tools, block, rest[0] if follows else None)


def document_faults(root, document, tests, tools, counts):
    items = split(document.read_text())
    sources = citations.read_sources(root)
    counts["documents"] += 1
    for item in items:
        if isinstance(item, tuple):
            for fault in [*prose_faults(root, document, tests, item[1]), *citations.prose_faults(root, sources, document, item[1])]:
                yield item[0], fault
    yield from block_faults(root, items, tools, counts)


def index_faults(root):
    """Pages that the index does not name."""
    index = root / "docs" / "README.md"
    if not index.is_file():
        return
    named = {(index.parent / link.partition("#")[0]).resolve() for link in LINK.findall(index.read_text())}
    for page in sorted(index.parent.rglob("*.md")):
        if page != index and page not in named:
            yield f"docs/README.md: {page.relative_to(index.parent)} is missing"


def find_documents(root):
    """Every *.md but those in build and hidden folders."""
    inside = [p for d in root.iterdir() if d.is_dir() and not d.name.startswith((".", "build")) for p in d.rglob("*.md")]
    return sorted(root.glob("*.md")) + sorted(inside)


def main():
    parser = argparse.ArgumentParser(description="Checks what the documents promise.")
    parser.add_argument("--program", help="the program touchstone, to run blocks marked `bash run`")
    parser.add_argument("--python", help="the Python of the module touchstone, to run blocks marked `python run`")
    parser.add_argument("--modules", help="the folder that holds the package touchstone")
    parser.add_argument("root", nargs="?", default=pathlib.Path(__file__).parent.parent, type=pathlib.Path)
    args = parser.parse_args()
    root = args.root.resolve()
    sources = (root / "tests").rglob("*.cpp")
    tests = {f"{suite}.{name}" for path in sources for suite, name in TEST.findall(path.read_text())}
    counts = {"documents": 0, "blocks run": 0}
    faults = [f"{document.relative_to(root)}:{line}: {fault}" for document in find_documents(root)
              for line, fault in document_faults(root, document, tests, args, counts) if fault]
    faults += index_faults(root)
    faults += [f"{path.relative_to(root)}:{line}: {fault}" for path, line, fault in citations.comment_faults(root)]
    print("\n".join(faults) if faults else ", ".join(f"{n} {what}" for what, n in counts.items()))
    return 1 if faults or not counts["documents"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
