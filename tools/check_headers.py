#!/usr/bin/env python3
"""Checks that every header below src/touchstone compiles alone; prints each that does not and exits 1.

usage: check_headers.py [--jobs N] [--root ROOT] [--stamps FILE] [--built ROOM=HEADER,...] COMPILER [FLAG...]

A header compiles alone when all that it includes does and its own text compiles behind them. So it may as well be
compiled behind a precompiled part of what it includes, and several headers may share one compilation, each behind headers
that it includes itself: what is missing in a header is missed all the same. Which parts are worth precompiling is
found from what they cost. The build compiles many headers alone already: where a source of a room named by --built includes
its own header first, behind no other precompiled headers than those named, all of which the header includes itself, then a build
that succeeded is the proof. With --stamps, a header is compiled again only when it, a header that it includes, or the
command has changed since it was found good. (CMake's VERIFY_INTERFACE_HEADER_SETS reads everything anew for each header.)
"""
import argparse
import concurrent.futures
import hashlib
import json
import pathlib
import re
import subprocess
import tempfile

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)', re.M)
# [s] that a compiler takes to read a header, roughly; what is not named takes a little.
COST = {"Eigen/Core": 2.5, "Eigen/Geometry": 0.6, "nlohmann/json.hpp": 1.5, "CLI/CLI.hpp": 2}
OWN, SYSTEM = 0.03, 0.03
WRITE = 3  # [s] more, when it is precompiled


class House:
    """The headers and what they include. A context is a set of headers, with all that they include."""

    def __init__(self, source):
        self.source = source
        self.texts = {p.relative_to(source).as_posix(): p.read_text() for p in sorted(source.glob("touchstone/**/*.h"))}
        self.known = {}

    def context(self, header):
        """All that is included by the header or by what it includes, itself left out."""
        if header not in self.known:
            self.known[header] = frozenset()  # ends circles, which #pragma once ends too
            found = set()
            for own, other in INCLUDE.findall(self.texts[header]):
                found |= {own or other} | (self.context(own) if own in self.texts else set())
            self.known[header] = frozenset(found - {header})
        return self.known[header]

    def is_built_alone(self, header, built):
        """Whether the build compiles the header as if alone: before all else, or behind headers that it includes itself."""
        room = header.split("/")[1]
        source = self.source / pathlib.Path(header).with_suffix(".cpp")
        if room not in built or not built[room] <= self.context(header) or not source.is_file():
            return False
        first = INCLUDE.search(source.read_text())
        return first is not None and first.group(1) == header

    def cost(self, context):
        return sum(OWN if name in self.texts else COST.get(name, SYSTEM) for name in context)

    def stamp(self, command, header):
        """Changes whenever the answer might."""
        texts = [name + "\0" + self.texts.get(name, "") for name in sorted({header} | self.context(header))]
        return hashlib.sha256("\0".join([*map(str, command), *texts]).encode()).hexdigest()


def choose_parts(house, headers):
    """{header: the context that is precompiled for it, or None}: one after the other, the part that saves most."""
    heavy = {h: frozenset(house.context(h) & COST.keys()) for h in headers}
    candidates = set(heavy.values()) | {house.context(g) | {g} for h in headers for g in house.context(h) if g in house.texts}
    candidates.discard(frozenset())
    chosen = {h: None for h in headers}
    saved = {h: 0 for h in headers}
    users = {c: [h for h in headers if c <= house.context(h)] for c in candidates}
    while candidates:
        gain = {c: sum(max(0, house.cost(c) - saved[h]) for h in users[c]) - house.cost(c) - WRITE for c in candidates}
        best = max(sorted(candidates, key=sorted), key=gain.get)
        if gain[best] <= 0:
            break
        for h in users[best]:
            if house.cost(best) > saved[h]:
                chosen[h], saved[h] = best, house.cost(best)
        candidates.remove(best)
    return chosen


def make_chains(house, headers):
    """Lists of headers, each of which includes the one before: as few as there can be (a largest matching)."""
    after = {}

    def find_place(header, seen):
        for lower in house.context(header) & headers:
            if lower in seen:
                continue
            seen.add(lower)
            if lower not in after or find_place(after[lower], seen):
                after[lower] = header
                return True
        return False

    for header in sorted(headers):
        find_place(header, set())
    chains = []
    for header in sorted(headers - set(after.values())):
        chains.append([header])
        while chains[-1][-1] in after:
            chains[-1].append(after[chains[-1][-1]])
    return chains


def precompile(command, folder, number, context):
    """A header that includes a context and lies precompiled beside itself."""
    path = folder / f"part-{number}.h"
    path.write_text("".join(f"#include <{name}>\n" for name in sorted(context)))
    # A fault in it is the fault of a header that is compiled anyway, and told then.
    subprocess.run([*command, "-x", "c++-header", path, "-o", f"{path}.gch"], stderr=subprocess.DEVNULL)
    return path if pathlib.Path(f"{path}.gch").is_file() else None


def compile_alone(command, headers, first):
    """What the compiler says against the headers, one behind the other, or nothing."""
    before = ["-include", first] if first else []
    text = "".join(f'#include "{header}"\n' for header in headers)
    done = subprocess.run([*command, *before, "-fsyntax-only", "-x", "c++", "-"], capture_output=True, text=True, input=text)
    if done.returncode == 0:
        return []
    if len(headers) > 1:  # by which of them?
        return [fault for header in headers for fault in compile_alone(command, [header], None)]
    return [(headers[0], f"{headers[0]} does not compile alone:\n{done.stderr}")]


def find_faults(command, house, headers, jobs):
    """The headers that do not compile alone, each with the compiler's message: a list of pairs."""
    parts = choose_parts(house, headers)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        used = sorted({c for c in parts.values() if c}, key=sorted)
        made = pool.map(lambda n: precompile(command, pathlib.Path(folder), n, used[n]), range(len(used)))
        first = {None: None, **dict(zip(used, made))}
        work = [(chain, first[part]) for part in first for chain in make_chains(house, {h for h in headers if parts[h] == part})]
        found = pool.map(lambda job: compile_alone(command, *job), work)
        return sorted(fault for faults in found for fault in faults)


def read_stamps(path):
    try:
        return json.loads(path.read_text()) if path else {}
    except (OSError, ValueError):
        return {}


def parse_arguments():
    parser = argparse.ArgumentParser(description="Checks that every header compiles alone.")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).parent.parent)
    parser.add_argument("--stamps", type=pathlib.Path, help="a file that remembers what was found good")
    parser.add_argument("--built", action="append", default=[], metavar="ROOM=HEADER,...",
                        help="a room whose sources the build compiles one by one, behind these headers")
    parser.add_argument("command", nargs=argparse.REMAINDER, metavar="COMPILER [FLAG...]")
    return parser.parse_args()


def main():
    args = parse_arguments()
    source = args.root.resolve() / "src"
    house = House(source)
    command = [*args.command, "-I", source]
    version = subprocess.run([args.command[0], "--version"], capture_output=True, text=True).stdout
    stamps = {header: house.stamp([*command, version], header) for header in house.texts}
    good = read_stamps(args.stamps)
    built = {room: frozenset(filter(None, names.split(","))) for room, names in (entry.split("=") for entry in args.built)}
    by_build = {header for header in house.texts if house.is_built_alone(header, built)}
    headers = [header for header in house.texts if good.get(header) != stamps[header] and header not in by_build]
    faults = dict(find_faults(command, house, headers, args.jobs))
    if args.stamps:
        args.stamps.write_text(json.dumps({h: stamp for h, stamp in stamps.items() if h not in faults}, indent=0))
    print("\n".join(faults.values()) if faults else f"{len(stamps)} headers compile alone")
    if by_build:
        print(f"{len(by_build)} of them are compiled alone by the build")
    if len(headers) + len(by_build) < len(stamps):
        print(f"{len(headers)} of them have changed and were compiled")
    return 1 if faults or not stamps else 0


if __name__ == "__main__":
    raise SystemExit(main())
