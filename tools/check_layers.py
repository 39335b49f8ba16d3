#!/usr/bin/env python3
"""Checks tools/layers.txt and every #include below src/touchstone and bindings against each other; prints each
breach and exits 1. An include that the table does not allow is a breach, and so is what the table allows and nobody
uses: a permission without an include, a door that nobody enters.

usage: check_layers.py [ROOT]      (ROOT: the top of the repository, by default the parent of this file's folder)

A *place* is a line of the table: a room ("solve") or a sub-room ("solve/lcp"), the folder of that name.
"""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<(touchstone/[^>]+)>)')
BINDINGS = "bindings"  # the room that lies beside the source root
GUESTS = ["bench", "examples"]  # they enter by doors as users do, but are no rooms
FOR_USERS = "+"  # marks a door that is kept for users of the library, though nobody in the house enters it


def read_table(path):
    """The table as {place: (places it may use, doors)}."""
    table = {}
    for line in path.read_text().splitlines():
        line = line.split("#")[0].strip()
        if line:
            head, doors = line.split("|")
            place, uses = head.split(":")
            table[place.strip()] = (set(uses.split()), set(doors.split()))
    return table


def room_of(place):
    return place.split("/")[0]


def split_include(included):
    """The place and the file of "touchstone/<place>/<file>"; None: it is written in another way."""
    parts = included.split("/")
    return ("/".join(parts[1:-1]), parts[-1]) if len(parts) >= 3 and parts[0] == "touchstone" else None


def breach(table, place, suffix, target, file):
    """Why a file of `place` may not include `file` of `target`, or None."""
    if target == place:
        return None
    if target not in table:
        return f"there is no room {target}"
    uses, doors = table[place][0], {door.rstrip(FOR_USERS) for door in table[target][1]}
    # The sources of a room choose among its sub-rooms; its headers, which these include, may not.
    chooses = suffix == ".cpp" and target.startswith(place + "/")
    if target not in uses and not chooses:
        return f"{place} may not use {target}"
    inside = place.startswith(target + "/")  # a sub-room sees all of its room
    return None if inside or "*" in doors or file in doors else f"{file} is not a door of {target}"


def order_faults(table):
    """Places may name only places above them, and a room's lines stand together: neither the places nor the
    rooms can use each other in a circle."""
    above, rooms = set(), []
    for place, (uses, _) in table.items():
        for other in sorted(uses - above):
            yield f"layers.txt: {place} uses {other}, which does not stand above it"
        above.add(place)
        if rooms[-1:] != [room_of(place)]:
            rooms.append(room_of(place))
    for room in sorted(set(rooms)):
        if rooms.count(room) > 1:
            yield f"layers.txt: the lines of {room} do not stand together"
        if room not in table:
            yield f"layers.txt: there are sub-rooms of {room}, but no line for the room"


class House:
    """The includes of all files, and the faults that were found in them."""

    def __init__(self, root, table):
        self.root, self.table, self.source = root, table, root / "src" / "touchstone"
        self.faults, self.checked = [], 0
        self.used = set()  # (place, place that it includes)
        self.entered = set()  # (who, place, file); who is a place or a guest

    def look_at(self, path, who):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if match:
                included = match.group(1) or match.group(2)
                why = self.fault_of(path, who, included)
                if why:
                    self.faults.append(f"{path.relative_to(self.root)}:{number}: {included}: {why}")

    def fault_of(self, path, who, included):
        parts = split_include(included)
        if parts:
            self.used.add((who, parts[0]))
            self.entered.add((who, *parts))
        if who in GUESTS:
            return None
        self.checked += 1
        if who == BINDINGS and "/" not in included:
            return None  # its own headers lie beside its sources
        return breach(self.table, who, path.suffix, *parts) if parts else 'write "touchstone/<room>/<file>"'

    def walk(self):
        for path in self.files(self.source):
            place = path.relative_to(self.source).parent.as_posix()
            if place in self.table:
                self.look_at(path, place)
            else:
                self.faults.append(f"{path.relative_to(self.root)}: {place} is not a room of layers.txt")
        for who in [BINDINGS] + GUESTS:
            for path in self.files(self.root / who):
                self.look_at(path, who)

    @staticmethod
    def files(folder):
        return [path for path in sorted(folder.rglob("*")) if path.suffix in {".h", ".cpp"}]

    def door_fault(self, place, door):
        file = door.rstrip(FOR_USERS)
        if not (self.source / place / file).is_file():
            return f"the door {place}/{file} does not exist"
        # A sub-room sees all of its room, so that only other rooms need a room's doors.
        def outside(who):
            return who != place and not who.startswith(place + "/")
        entered = any(outside(who) for who, *rest in self.entered if rest == [place, file])
        if entered == (file == door):
            return None
        return f"nobody enters the door {place}/{file}" if file == door else f"{place}/{file} is entered: it needs no +"

    def table_faults(self):
        """What the table allows and nobody uses."""
        for place, (uses, doors) in self.table.items():
            for door in sorted(doors - {"*"}):
                why = self.door_fault(place, door)
                if why:
                    yield f"layers.txt: {why}"
            for other in sorted(uses):
                if other in self.table and (place, other) not in self.used:
                    yield f"layers.txt: {place} may use {other}, but does not"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    table = read_table(root / "tools" / "layers.txt")
    house = House(root, table)
    house.walk()
    # Where the table is in disorder, what else it says means nothing.
    faults = list(order_faults(table)) or [*house.faults, *house.table_faults()]
    print("\n".join(faults) if faults else f"{house.checked} includes keep to the table")
    sys.exit(1 if faults or not house.checked else 0)


if __name__ == "__main__":
    main()
