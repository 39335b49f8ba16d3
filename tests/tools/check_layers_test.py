#!/usr/bin/env python3
"""The layer check says no: each test builds a small house with one fault and reads what the check says."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK = pathlib.Path(__file__).resolve().parents[2] / "tools" / "check_layers.py"

TABLE = """# room : uses | doors
math     :               | *
geometry : math          | shape.h
force    : math geometry | push.h
"""
# A house without a fault: every test starts from it.
HOUSE = {
    "math/vec.h": "",
    "geometry/shape.h": '#include <vector>\n#include "touchstone/math/vec.h"\n',
    "geometry/private.h": '#include "touchstone/geometry/shape.h"\n',
    "geometry/shape.cpp": '#include "touchstone/geometry/private.h"\n',
    "force/push.h": '#include "touchstone/geometry/shape.h"\n',
}


class LayerCheck(unittest.TestCase):
    def check(self, changes=None, table=TABLE):
        """Exit code and words of the check on the house with some files changed (None: taken away)."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "tools").mkdir()
            (root / "tools" / "layers.txt").write_text(table)
            for name, text in {**HOUSE, **(changes or {})}.items():
                if text is not None:
                    path = root / "src" / "touchstone" / name
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_text(text)
            done = subprocess.run([sys.executable, CHECK, root], capture_output=True, text=True)
            self.assertEqual(done.stderr, "")
            return done.returncode, done.stdout

    def assert_refused(self, words, changes=None, table=TABLE):
        code, said = self.check(changes, table)
        self.assertEqual(code, 1, said)
        self.assertIn(words, said)
        self.assertEqual(len(said.splitlines()), 1, said)

    def test_a_house_that_keeps_to_its_table_passes(self):
        self.assertEqual(self.check(), (0, "4 includes keep to the table\n"))

    def test_the_bindings_beside_the_source_root_keep_to_their_line(self):
        table = TABLE + "bindings : math geometry |\n"
        own = '#include "own.h"\n#include "touchstone/geometry/shape.h"\n'
        bindings = "../../bindings/python/module.cpp"
        self.assertEqual(self.check({bindings: own}, table)[0], 0)
        self.assert_refused("bindings/python/module.cpp:3: touchstone/force/push.h: bindings may not use force",
                            {bindings: own + '#include "touchstone/force/push.h"\n'}, table)

    def test_a_room_may_not_include_what_its_line_does_not_name(self):
        self.assert_refused(
            "src/touchstone/geometry/shape.cpp:2: touchstone/force/push.h: geometry may not use force",
            {"geometry/shape.cpp": '#include "touchstone/geometry/private.h"\n#include "touchstone/force/push.h"\n'})

    def test_a_room_may_not_include_a_header_that_is_no_door(self):
        self.assert_refused("private.h is not a door of geometry",
                            {"force/push.cpp": '#include "touchstone/geometry/private.h"\n'})

    def test_spaces_do_not_hide_an_include(self):
        self.assert_refused("math may not use geometry",
                            {"math/vec.cpp": '  #  include   "touchstone/geometry/shape.h"\n'})

    def test_angle_brackets_do_not_hide_an_include(self):
        self.assert_refused("math may not use geometry", {"math/vec.cpp": "#include <touchstone/geometry/shape.h>\n"})

    def test_rooms_may_not_include_each_other_in_a_circle(self):
        self.assert_refused("math may not use geometry", {"math/vec.h": '#include "touchstone/geometry/shape.h"\n'})

    def test_a_table_with_a_circle_is_refused_even_if_no_include_uses_it(self):
        self.assert_refused("math uses force, which does not stand above it",
                            table=TABLE.replace("math     : ", "math     : force "))

    def test_a_room_that_uses_itself_in_the_table_is_refused(self):
        self.assert_refused("force uses force", table=TABLE.replace("force    : math", "force    : force math"))

    def test_an_include_that_does_not_name_its_room_is_refused(self):
        self.assert_refused('write "touchstone/<room>/<file>"', {"geometry/shape.cpp": '#include "shape.h"\n'})

    def test_an_include_of_a_room_that_does_not_exist_is_refused(self):
        self.assert_refused("there is no room utils", {"force/push.cpp": '#include "touchstone/utils/all.h"\n'})

    def test_a_folder_that_the_table_does_not_name_is_refused(self):
        self.assert_refused("utils is not a room of layers.txt", {"utils/all.h": ""})

    def test_a_door_that_does_not_exist_is_refused(self):
        self.assert_refused("the door force/push.h does not exist", {"force/push.h": None})

    def test_a_check_that_met_no_include_fails(self):
        code, _ = self.check({name: "" for name in HOUSE})
        self.assertEqual(code, 1)


if __name__ == "__main__":
    unittest.main()
