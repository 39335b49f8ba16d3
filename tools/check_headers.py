#!/usr/bin/env python3
"""Checks that every header below src/touchstone compiles alone; prints each that does not and exits 1.

usage: check_headers.py [--jobs N] [--root ROOT] COMPILER [FLAG...]

Eigen and nlohmann/json take a second or two each time they are read. So they are precompiled once for every
combination in which headers include them, and a header gets the combination that it includes itself, no more: what
is missing in a header is missed all the same. (CMake's VERIFY_INTERFACE_HEADER_SETS reads them anew for each.)
"""
import argparse
import concurrent.futures
import pathlib
import re
import subprocess
import tempfile

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)', re.M)
HEAVY = {"Eigen/Core", "Eigen/Geometry", "nlohmann/json.hpp", "CLI/CLI.hpp"}


def heavy_of(source, header, seen):
    """Which of the heavy headers are included by the header or by what it includes."""
    found = set()
    for own, other in INCLUDE.findall((source / header).read_text()):
        if other in HEAVY:
            found.add(other)
        elif own and own not in seen and (source / own).is_file():
            seen.add(own)
            found |= heavy_of(source, own, seen)
    return found


def precompile(command, folder, heavy):
    """A header that includes the heavy ones and lies precompiled beside itself."""
    path = folder / ("_".join(sorted(heavy)).replace("/", "-") + ".h")
    path.write_text("".join(f"#include <{name}>\n" for name in sorted(heavy)))
    subprocess.run([*command, "-x", "c++-header", path, "-o", f"{path}.gch"], check=True)
    return path


def compile_alone(command, header, first):
    """What the compiler says against the header, or nothing."""
    before = ["-include", first] if first else []
    done = subprocess.run([*command, *before, "-fsyntax-only", "-x", "c++", "-"], capture_output=True, text=True,
                          input=f'#include "{header}"\n')
    return f"{header} does not compile alone:\n{done.stderr}" if done.returncode else ""


def find_faults(command, source, headers, jobs):
    heavy = {header: frozenset(heavy_of(source, header, {header})) for header in headers}
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        combinations = [c for c in set(heavy.values()) if c and sum(h == c for h in heavy.values()) > 1]
        made = pool.map(lambda c: precompile(command, pathlib.Path(folder), c), combinations)
        first = dict(zip(combinations, made))
        return [f for f in pool.map(lambda h: compile_alone(command, h, first.get(heavy[h])), headers) if f]


def main():
    parser = argparse.ArgumentParser(description="Checks that every header compiles alone.")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).parent.parent)
    parser.add_argument("command", nargs=argparse.REMAINDER, metavar="COMPILER [FLAG...]")
    args = parser.parse_args()
    source = args.root.resolve() / "src"
    headers = [path.relative_to(source).as_posix() for path in sorted(source.glob("touchstone/**/*.h"))]
    faults = find_faults([*args.command, "-I", source], source, headers, args.jobs)
    print("\n".join(faults) if faults else f"{len(headers)} headers compile alone")
    return 1 if faults or not headers else 0


if __name__ == "__main__":
    raise SystemExit(main())
