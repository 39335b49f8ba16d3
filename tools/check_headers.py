#!/usr/bin/env python3
"""Checks that every header below src/touchstone compiles alone; prints each that does not and exits 1.

usage: check_headers.py [--jobs N] [--root ROOT] COMPILER [FLAG...]

A header that some source of the library includes before anything else has been compiled alone by the build already,
so only the others are looked at, by syntax only: Eigen costs more than a second each time it is read.
"""
import argparse
import concurrent.futures
import pathlib
import re
import subprocess

FIRST_INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<[^>]+>)', re.M)


def first_include(path):
    match = FIRST_INCLUDE.search(path.read_text())
    return match.group(1) if match else None


def find_unproven(source):
    """The headers that no source includes first, as they are written in an #include."""
    proven = {first_include(path) for path in source.glob("touchstone/*/*.cpp")}
    headers = [path.relative_to(source).as_posix() for path in sorted(source.glob("touchstone/*/*.h"))]
    return [header for header in headers if header not in proven], len(headers)


def compile_alone(command, source, header):
    """What the compiler says against the header, or nothing."""
    done = subprocess.run([*command, "-I", source, "-fsyntax-only", "-x", "c++", "-"], capture_output=True, text=True,
                          input=f'#include "{header}"\n')
    return f"{header} does not compile alone:\n{done.stderr}" if done.returncode else ""


def main():
    parser = argparse.ArgumentParser(description="Checks that every header compiles alone.")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).parent.parent)
    parser.add_argument("command", nargs=argparse.REMAINDER, metavar="COMPILER [FLAG...]")
    args = parser.parse_args()
    source = args.root.resolve() / "src"
    headers, count = find_unproven(source)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        faults = [fault for fault in pool.map(lambda h: compile_alone(args.command, source, h), headers) if fault]
    proven = f"{count} headers compile alone, {count - len(headers)} of them shown by a source that includes them first"
    print("\n".join(faults) if faults else proven)
    return 1 if faults or not count else 0


if __name__ == "__main__":
    raise SystemExit(main())
