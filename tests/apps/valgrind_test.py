#!/usr/bin/env python3
"""Valgrind finds no leak and no use of memory that is not there: in a query, and in a batch from the corpus.

Exit: 0 all well, 1 not so, 77 no valgrind, or a program with a sanitizer, which does not run in it (ctest then reports
the test as skipped).

usage: valgrind_test.py PROGRAM
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

PROGRAM = sys.argv[1]
CORPUS = pathlib.Path(__file__).resolve().parent.parent / "corpus" / "batch"
# What is still reachable at the end is no leak: buffers that serve each thread until it ends.
VALGRIND = ["valgrind", "--quiet", "--error-exitcode=9", "--leak-check=full",
            "--errors-for-leak-kinds=definite,indirect,possible"]


def skip(why):
    print("skipped:", why)
    sys.exit(77)


def check(arguments, answers):
    """Runs the program in valgrind; it must print at least `answers` lines."""
    run = subprocess.run(VALGRIND + [PROGRAM] + arguments, capture_output=True, text=True)
    lines = run.stdout.splitlines()
    if run.returncode != 0 or len(lines) < answers:
        print(f"touchstone {' '.join(arguments)}: exit {run.returncode}, {len(lines)} lines, not {answers}")
        print(run.stderr)
        sys.exit(1)
    print(f"touchstone {' '.join(arguments)}: no leak, {len(lines)} lines")


if shutil.which("valgrind") is None:
    skip("valgrind is not installed (Debian package valgrind)")
if b"__asan_init" in pathlib.Path(PROGRAM).read_bytes() or b"__tsan_init" in pathlib.Path(PROGRAM).read_bytes():
    skip("the program has a sanitizer of its own")

check(["query", "box:2,2,2", "dodecahedron:1"], 5)
with tempfile.TemporaryDirectory() as folder:
    batch = pathlib.Path(folder) / "batch.jsonl"
    # mesh.json needs a file beside it, and answers with an error.
    queries = [q.read_text().strip() for q in sorted(CORPUS.glob("*.json")) if q.stem != "mesh"]
    batch.write_text("\n".join(queries) + "\n")
    check(["query", "--batch", str(batch)], len(queries))
