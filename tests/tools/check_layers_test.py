#!/usr/bin/env python3
"""The layer check says no: each test builds a small house with one fault and reads what the check says."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK = pathlib.Path(__file__).resolve().parents[2] / "tools" / "check_layers.py"

TABLE = """# place : uses | doors
math     :               | *
geometry : math          | shape.h
force    : math geometry | push.h
run      : force         |
"""
# A house without a fault: every test starts from it.
HOUSE = {
    "math/vec.h": "",
    "geometry/shape.h": '#include <vector>\n#include "touchstone/math/vec.h"\n',
    "geometry/private.h": '#include "touchstone/geometry/shape.h"\n',
    "geometry/shape.cpp": '#include "touchstone/geometry/private.h"\n',
    "force/push.h": '#include "touchstone/geometry/shape.h"\n',
    "force/push.cpp": '#include "touchstone/force/push.h"\n#include "touchstone/math/vec.h"\n',
    "run/run.cpp": '#include "touchstone/force/push.h"\n',
}
# The same with sub-rooms: the headers of force rest on force/law, and its sources choose among force/friction.
SUBROOMS = TABLE.replace("force    : math geometry | push.h", """force/law : math | law.h
force     : math geometry force/law | push.h
force/friction : force force/law | coulomb.h""")
SUBHOUSE = {
    "force/law/law.h": '#include "touchstone/math/vec.h"\n',
    "force/push.h": '#include "touchstone/geometry/shape.h"\n#include "touchstone/force/law/law.h"\n',
    "force/inner.h": "",
    "force/push.cpp": '#include "touchstone/force/friction/coulomb.h"\n#include "touchstone/math/vec.h"\n',
    "force/friction/coulomb.h": '#include "touchstone/force/inner.h"\n#include "touchstone/force/law/law.h"\n',
    "force/friction/private.h": "",
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
        self.assertEqual(self.check(), (0, "7 includes keep to the table\n"))

    def test_the_bindings_beside_the_source_root_keep_to_their_line(self):
        table = TABLE + "bindings : geometry |\n"
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
                            {"force/other.cpp": '#include "touchstone/geometry/private.h"\n'})

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
        self.assert_refused("there is no room utils", {"force/other.cpp": '#include "touchstone/utils/all.h"\n'})

    def test_a_folder_that_the_table_does_not_name_is_refused(self):
        self.assert_refused("utils is not a room of layers.txt", {"utils/all.h": ""})

    def test_a_door_that_does_not_exist_is_refused(self):
        self.assert_refused("the door force/gone.h does not exist", table=TABLE.replace("push.h", "push.h gone.h"))

    def test_a_door_that_nobody_enters_is_refused(self):
        table = TABLE.replace("shape.h", "shape.h private.h")
        self.assert_refused("nobody enters the door geometry/private.h", table=table)

    def test_the_tests_of_a_door_do_not_enter_it(self):
        enters = '#include "touchstone/geometry/private.h"\n'
        self.assert_refused("nobody enters the door geometry/private.h", {"../../tests/geometry/private_test.cpp": enters},
                            TABLE.replace("shape.h", "shape.h private.h"))

    def test_bench_and_examples_enter_by_doors_as_users_do(self):
        table = TABLE.replace("shape.h", "shape.h private.h")
        enters = '#include "own.h"\n#include "touchstone/geometry/private.h"\n'
        self.assertEqual(self.check({"../../bench/private_bench.cpp": enters}, table)[0], 0)
        self.assertEqual(self.check({"../../examples/private.cpp": enters}, table)[0], 0)

    def test_a_door_for_users_alone_is_marked_and_the_mark_must_be_true(self):
        table = TABLE.replace("shape.h", "shape.h private.h+")
        self.assertEqual(self.check(table=table)[0], 0)
        self.assert_refused("geometry/private.h is entered: it needs no +",
                            {"force/push.h": '#include "touchstone/geometry/private.h"\n',
                             "run/run.cpp": '#include "touchstone/force/push.h"\n#include "touchstone/geometry/shape.h"\n'},
                            table.replace("run      : force ", "run      : geometry force "))

    def test_a_permission_that_no_include_uses_is_refused(self):
        self.assert_refused("force may use math, but does not", {"force/push.cpp": ""})

    def test_a_house_with_sub_rooms_that_keep_to_their_lines_passes(self):
        self.assertEqual(self.check(SUBHOUSE, SUBROOMS), (0, "11 includes keep to the table\n"))

    def assert_sub_room_refused(self, words, changes=None, table=SUBROOMS):
        self.assert_refused(words, {**SUBHOUSE, **(changes or {})}, table)

    def test_a_sub_room_without_a_line_is_refused(self):
        self.assert_sub_room_refused("force/other is not a room of layers.txt", {"force/other/other.h": ""})

    def test_a_header_of_a_room_may_not_include_a_sub_room_that_rests_on_it(self):
        self.assert_sub_room_refused("force may not use force/friction",
                                     {"force/inner.h": '#include "touchstone/force/friction/coulomb.h"\n'})

    def test_a_source_of_a_room_enters_its_sub_rooms_by_their_doors(self):
        self.assert_sub_room_refused("private.h is not a door of force/friction",
                                     {"force/other.cpp": '#include "touchstone/force/friction/private.h"\n'})

    def test_a_sub_room_may_not_include_what_its_line_does_not_name(self):
        self.assert_sub_room_refused("force/law may not use force",
                                     {"force/law/law.cpp": '#include "touchstone/force/inner.h"\n'})
        self.assert_sub_room_refused("force/law may not use force/friction",
                                     {"force/law/law.cpp": '#include "touchstone/force/friction/coulomb.h"\n'})

    def test_another_room_needs_a_line_that_names_the_sub_room(self):
        law = '#include "touchstone/force/push.h"\n#include "touchstone/force/law/law.h"\n'
        self.assert_sub_room_refused("run may not use force/law", {"run/run.cpp": law})
        table = SUBROOMS.replace("run      : force ", "run      : force force/law ")
        self.assertEqual(self.check({**SUBHOUSE, "run/run.cpp": law}, table)[0], 0)

    def test_sub_rooms_in_a_circle_are_refused(self):
        self.assert_sub_room_refused("force/law uses force/friction, which does not stand above it",
                                     table=SUBROOMS.replace("force/law : math", "force/law : math force/friction"))

    def test_a_door_that_only_sub_rooms_of_its_room_enter_is_refused(self):
        self.assert_sub_room_refused("nobody enters the door force/inner.h",
                                     table=SUBROOMS.replace("push.h", "push.h inner.h"))

    def test_the_lines_of_a_room_stand_together_and_one_is_the_room(self):
        apart = TABLE + "geometry/hull : geometry |\n"
        self.assert_refused("the lines of geometry do not stand together", table=apart)
        self.assert_refused("there are sub-rooms of utils, but no line for the room", table=TABLE + "utils/all : math |\n")

    def test_a_check_that_met_no_include_fails(self):
        code, _ = self.check({name: "" for name in HOUSE})
        self.assertEqual(code, 1)


if __name__ == "__main__":
    unittest.main()
