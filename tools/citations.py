"""Brackets in comments and documents: each holds a unit, a formula or a source that can be found.

    [m/s]  [sizes of the larger body]    a unit: its first word is one of MEASURES
    [0, 1]  [n; r_A x n]  [time, value]  a formula: no word of three letters; or a list of names
    [Thesis eq. 3.5]  [PEG 3.6; Plane 4] sources: the tables below SOURCES in docs/notation.md name them
    [docs/scene.md]  [gap.h]             a file: from the top, from src/touchstone, from docs or from the folder of the comment

A source whose table row is a link is a page of ours: the sections that a citation names must be there, as numbered headings or as the
first cell of a row. Not looked at: `code`, lines indented by four spaces (drawings, matrices, examples) and lines of usage.
"""
import ast
import functools
import re

SOURCES = "## Sources that brackets name"
FOLDERS = ("src", "tests", "bindings", "bench", "examples", "scenes", "viewer/src", "tools", "cmake")
SLASHES = (".h", ".cpp", ".js", ".mjs")
HASHES = (".py", ".pyi", ".yaml", ".cmake", ".sh", ".txt", "")
MEASURES = {
    "m", "s", "kg", "rad", "N", "J", "Hz", "ms", "us", "ns", "px", "bytes", "degrees", "rate", "sizes", "size", "edge", "times", "errors",
    "tolerances", "margins", "round-offs", "ties", "noises", "fats", "radius", "largest", "SI"}
BRACKET = re.compile(r"(?<![\w\])])\[([^\[\]]+)\](?!\()")
NO_PROSE = re.compile(r"`[^`]*`|^ {4}.*$|^.*\busage:.*$", re.MULTILINE)
LINK = re.compile(r"\[[^\]]*\]\([^)]*\)")
WORD = re.compile(r"(?!(?:sin|cos|tan|exp|log|min|max|sum|det)\b)\b[A-Za-z]{3,}")
LIST = re.compile(r"^[a-z_]+(?:, [a-z_]+)+$")
FILE = re.compile(r"^[\w./-]+\.[a-z]+$")
SECTION = re.compile(r"^(?:\d+(?:\.\d+)*|[A-Z]\d+)$")
ROW = re.compile(r"^\| ([^|]+) \| (.+) \|$")
PAGE = re.compile(r"^\[[^\]]*\]\(([^)]+\.md)\)$")
NUMBERED = re.compile(r"^(?:#+ |\| |- \*\*)(\d+(?:\.\d+)*|[A-Z]\d+)(?:\.? |\.\*\*)", re.MULTILINE)


@functools.cache
def sections_of(page):
    """The sections of a page of ours: numbers of headings, and ids such as B10 or R1 that begin a row or an item."""
    return set(NUMBERED.findall(page.read_text()))


def read_sources(root):
    """Name -> the page of ours that it stands for, or None for a paper or book."""
    notation = root / "docs" / "notation.md"
    if not notation.is_file():
        return {}
    _, _, text = notation.read_text().partition(SOURCES + "\n")
    rows = [match.groups() for line in text.splitlines() if (match := ROW.match(line))]
    pages = {name: PAGE.match(cell) for name, cell in rows if name not in ("name", "---")}
    return {name: (notation.parent / page.group(1)).resolve() if page else None for name, page in pages.items()}


def sections_named(locator):
    """The sections that a locator names: `3.2, 3.4-3.6` -> 3.2, 3.4, 3.6; `5, eq. 2.7` -> 5."""
    words = re.sub(r"(?:eq|alg|fig|table|figure)s?\.? [\w.-]+", "", locator, flags=re.IGNORECASE)
    return [word for word in re.split(r"[,\s-]+", words) if SECTION.match(word)]


def source_fault(sources, citation):
    """What is wrong with one citation such as `PEG 3.6`; None: nothing."""
    known = [name for name in sources if re.match(re.escape(name) + r"(?![\w-])", citation)]
    if not known:
        return f"[{citation}] is no source of docs/notation.md, no unit and no file"
    name = max(known, key=len)
    page, locator = sources[name], citation[len(name):]
    if page is None:
        return None
    if not page.is_file():
        return f"[{citation}]: there is no {page.name}"
    missing = [section for section in sections_named(locator) if section not in sections_of(page)]
    return f"[{citation}]: {page.name} has no section {missing[0]}" if missing else None


def is_file(root, path, word):
    places = (root, root / "src" / "touchstone", root / "docs", path.parent)
    return FILE.match(word) and any((place / word).is_file() for place in places)


def bracket_faults(root, sources, path, text):
    """Faults of all brackets in a text, each with the place in the text where it stands."""
    plain = NO_PROSE.sub(lambda found: re.sub(r"[^\n]", "x", found.group()), text)
    for match in BRACKET.finditer(plain):
        for part in (" ".join(piece.split()) for piece in match.group(1).split(";")):
            first = re.split(r"[ ,/^(]", part)[0]
            if first in MEASURES or not WORD.search(part) or LIST.match(part) or is_file(root, path, part):
                continue
            fault = source_fault(sources, part)
            if fault:
                yield match.start(), fault


def slash_comments(text):
    for number, line in enumerate(text.splitlines(), 1):
        _, found, comment = line.partition("//")
        yield number, comment.removeprefix("/").removeprefix("<") if found else None


def hash_comments(text):
    for number, line in enumerate(text.splitlines(), 1):
        found = re.search(r"(?:^|\s)#(.*)", line)
        yield number, found.group(1) if found else None


def docstrings(text):
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, kinds) and ast.get_docstring(node):
            yield getattr(node, "lineno", 1), ast.get_docstring(node)


def joined(lines):
    """Comments on successive lines are one text: (first line, text)."""
    first, words = 0, []
    for number, comment in [*lines, (0, None)]:
        if comment is not None:
            first, words = first or number, [*words, comment]
        elif words:
            yield first, "\n".join(words)
            first, words = 0, []


def comments_of(path):
    text = path.read_text()
    if path.suffix in SLASHES:
        return list(joined(slash_comments(text)))
    return list(joined(hash_comments(text))) + (list(docstrings(text)) if path.suffix in (".py", ".pyi") else [])


def source_files(root):
    kinds = SLASHES + HASHES
    found = [p for folder in FOLDERS for p in (root / folder).rglob("*") if p.is_file() and p.suffix in kinds]
    return sorted(p for p in found if "__pycache__" not in p.parts and "corpus" not in p.parts)


def comment_faults(root):
    """(file, line, fault) of every bracket in the comments of the sources."""
    sources = read_sources(root)
    for path in source_files(root):
        for first, text in comments_of(path):
            for at, fault in bracket_faults(root, sources, path, text):
                yield path, first + text.count("\n", 0, at), fault


def prose_faults(root, sources, document, line):
    """Faults of the brackets in a line of a document; links are no citations."""
    for _, fault in bracket_faults(root, sources, document, LINK.sub("", line)):
        yield fault
