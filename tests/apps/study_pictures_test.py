#!/usr/bin/env python3
"""What the pictures of a study show: the arithmetic of tools/plot_study.py."""
import importlib.util
import pathlib
import sys
import unittest
import unittest.mock


class Pictures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        script = pathlib.Path(__file__).parents[2] / "tools" / "plot_study.py"
        spec = importlib.util.spec_from_file_location("plot_study", script)
        cls.plot = importlib.util.module_from_spec(spec)
        # What draws and reads is not asked for here, and this Python may lack it.
        lacking = {name: unittest.mock.MagicMock() for name in ("h5py", "matplotlib", "matplotlib.pyplot")}
        with unittest.mock.patch.dict(sys.modules, lacking):
            spec.loader.exec_module(cls.plot)

    def rows(self, *cells):
        return [dict(zip(("h", "model", "y", "status"), line)) for line in cells]

    def test_lines_are_medians_with_quartiles_of_finished_runs(self):
        rows = self.rows(("0.1", "a", "1", "done"), ("0.1", "a", "2", "done"), ("0.1", "a", "4", "done"), ("0.1", "a", "8", "done"),
                         ("0.01", "a", "5", "done"), ("0.01", "a", "", "done"), ("0.01", "a", "100", "failed"))
        places, words = self.plot.places_of(rows, "h")
        self.assertFalse(words)
        x, low, middle, high = self.plot.line_of(rows, {"x": "h", "y": "y"}, places)
        self.assertEqual((list(x), list(middle)), ([0.01, 0.1], [5, 3]))
        self.assertEqual((low[1], high[1]), (1.75, 5))
        self.assertEqual(self.plot.with_losses("a", rows), "a (1 of 7 runs not finished)")

    def test_zeros_are_drawn_at_the_foot_of_logarithmic_axes(self):
        rows = self.rows(("1", "a", "0", "done"))
        _, low, middle, _ = self.plot.line_of(rows, {"x": "h", "y": "y", "log": True}, {"1": 1.0})
        self.assertEqual((low[0], middle[0]), (self.plot.LEAST, self.plot.LEAST))

    def test_words_stand_side_by_side(self):
        rows = self.rows(("1", "plane", "3", "done"), ("1", "peg", "4", "done"))
        places, words = self.plot.places_of(rows, "model")
        self.assertEqual((places, words), ({"plane": 0, "peg": 1}, True))
        x, _, middle, _ = self.plot.line_of(rows, {"x": "model", "y": "y"}, places)
        self.assertEqual((list(x), list(middle)), ([0, 1], [3, 4]))


if __name__ == "__main__":
    unittest.main()
