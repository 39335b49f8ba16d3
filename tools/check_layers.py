#!/usr/bin/env python3
"""Checks every #include below src/touchstone and bindings against tools/layers.txt; prints each breach and exits 1.

usage: check_layers.py [ROOT]      (ROOT: the top of the repository, by default the parent of this file's folder)
"""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<(touchstone/[^>]+)>)')


BINDINGS = "bindings"  # the room that lies beside the source root


def read_table(path):
    """The table as {room: (rooms it may use, doors)}."""
    table = {}
    for line in path.read_text().splitlines():
        line = line.split("#")[0].strip()
        if line:
            head, doors = line.split("|")
            room, uses = head.split(":")
            table[room.strip()] = (set(uses.split()), set(doors.split()))
    return table


def breach(table, room, included):
    """Why `room` may not include `included` ("touchstone/<room>/<file>"), or None."""
    parts = included.split("/")
    if room == BINDINGS and len(parts) == 1:
        return None  # its own headers lie beside its sources
    if len(parts) != 3 or parts[0] != "touchstone":
        return 'write "touchstone/<room>/<file>"'
    target, file = parts[1], parts[2]
    if target == room:
        return None
    if target not in table:
        return f"there is no room {target}"
    if target not in table[room][0]:
        return f"{room} may not use {target}"
    doors = table[target][1]
    return None if "*" in doors or file in doors else f"{file} is not a door of {target}"


def order_fault(table):
    """Rooms may name only rooms above them, which keeps the table free of cycles."""
    seen = set()
    for room, (uses, _) in table.items():
        for other in uses - seen:
            return f"layers.txt: {room} uses {other}, which does not stand above it"
        seen.add(room)
    return None


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    table = read_table(root / "tools" / "layers.txt")
    faults = [f for f in [order_fault(table)] if f]
    source = root / "src" / "touchstone"
    checked = 0
    for path in sorted(source.rglob("*")) + sorted((root / BINDINGS).rglob("*")):
        if path.suffix not in {".h", ".cpp"}:
            continue
        room = path.relative_to(source).parts[0] if source in path.parents else BINDINGS
        if room not in table:
            faults.append(f"{path.relative_to(root)}: {room} is not a room of layers.txt")
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if match:
                checked += 1
                included = match.group(1) or match.group(2)
                why = breach(table, room, included)
                if why:
                    faults.append(f"{path.relative_to(root)}:{number}: {included}: {why}")
    for room, (_, doors) in table.items():
        for door in doors - {"*"}:
            if not (source / room / door).is_file():
                faults.append(f"layers.txt: the door {room}/{door} does not exist")
    print("\n".join(faults) if faults else f"{checked} includes keep to the table")
    sys.exit(1 if faults or not checked else 0)


if __name__ == "__main__":
    main()
