#!/usr/bin/python3
"""Draws the plots of a study from its table; called by `touchstone study`.

usage: plot_study.py TABLE.csv PLOTS.json       (pictures go beside the table)
Debian packages: python3-matplotlib python3-h5py
"""
import csv
import json
import pathlib
import sys

MISSING = 4  # tells the program that this Python cannot draw

try:
    import h5py
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
except ImportError:
    sys.exit(MISSING)

# On logarithmic axes nothing is drawn below this: an exact model leaves zero.
LEAST = 1e-16


def number(text):
    try:
        return float(text)
    except ValueError:
        return None


def values_of(rows, column):
    """The different values of a column, numbers in ascending order, words in order of appearance."""
    found = list(dict.fromkeys(row[column] for row in rows))
    return sorted(found, key=number) if all(number(v) is not None for v in found) else found


def quantile(sorted_values, share):
    place = share * (len(sorted_values) - 1)
    low = int(place)
    high = min(low + 1, len(sorted_values) - 1)
    return sorted_values[low] + (place - low) * (sorted_values[high] - sorted_values[low])


def with_losses(label, rows):
    """The label, and how many of its runs did not come to their end: a median of the others alone would flatter."""
    lost = sum(row["status"] != "done" for row in rows)
    return f"{label} ({lost} of {len(rows)} runs not finished)" if lost else label


def places_of(rows, column):
    """Where the values of a column lie on an axis: numbers where they are, words side by side."""
    values = values_of(rows, column)
    words = any(number(v) is None for v in values)
    return {v: i if words else number(v) for i, v in enumerate(values)}, words


def line_of(rows, plot, places):
    """x, and the median and quartiles of y over all finished runs of that x."""
    rows = [row for row in rows if row["status"] == "done"]
    points = []
    for x in values_of(rows, plot["x"]):
        ys = sorted(y for row in rows if row[plot["x"]] == x and (y := number(row[plot["y"]])) is not None)
        if plot.get("log"):
            ys = [max(y, LEAST) for y in ys]
        if ys:
            points.append((places[x], quantile(ys, 0.25), quantile(ys, 0.5), quantile(ys, 0.75)))
    return list(zip(*points)) if points else [[], [], [], []]


def draw_lines(rows, plot):
    figure, axis = plt.subplots(figsize=(6.4, 4.2))
    lines = plot.get("lines")
    places, words = places_of(rows, plot["x"])
    for value in values_of(rows, lines) if lines else [None]:
        chosen = [row for row in rows if value is None or row[lines] == value]
        x, low, middle, high = line_of(chosen, plot, places)
        curve, = axis.plot(x, middle, marker="o", label=with_losses(value or "all", chosen))
        axis.fill_between(x, low, high, color=curve.get_color(), alpha=0.2)
    if plot.get("log"):
        axis.set_yscale("log")
    if words:
        axis.set_xticks(list(places.values()), list(places))
    elif plot.get("log"):
        axis.set_xscale("log")
        ticks = [x for x in places.values() if x > 0]
        axis.set_xticks(ticks, [f"{t:g}" for t in ticks])
        axis.minorticks_off()
    axis.set_xlabel(plot["x"])
    clipped = plot.get("log") and any((number(row[plot["y"]]) or 0) < LEAST for row in rows if row[plot["y"]])
    axis.set_ylabel(plot["y"] + (f" (what is below {LEAST:g} is drawn there)" if clipped else ""))
    axis.legend()
    axis.grid(alpha=0.3)
    if "title" in plot:
        axis.set_title(plot["title"], fontsize=10)
    return figure


def series(recording, name):
    """A quantity over time, as the study names it: crate.x, crate.angle, crate.speed, or an array of /steps."""
    if "." not in name:
        return recording["time"][1:], recording[f"steps/{name}"][:]
    body, what = name.rsplit(".", 1)
    i = list(recording["bodies/name"].asstr()[:]).index(body)
    if what == "angle":
        return recording["time"][:], recording["orientation"][:, i]
    if what == "speed":
        return recording["time"][:], (recording["velocity"][:, i, :] ** 2).sum(axis=1) ** 0.5
    return recording["time"][:], recording["position"][:, i, "xyz".index(what)]


def draw_curves(rows, plot, folder):
    columns = values_of(rows, plot["columns"]) if "columns" in plot else [None]
    quantities = plot["curves"]
    colours = values_of(rows, plot["colour"]) if "colour" in plot else [""]
    figure, axes = plt.subplots(len(quantities), len(columns), sharex=True, sharey="row", squeeze=False,
                                figsize=(3.2 * len(columns), 2.4 * len(quantities)))
    for row in rows:
        if not row.get("recording"):
            continue
        column = columns.index(row[plot["columns"]]) if "columns" in plot else 0
        place = colours.index(row[plot["colour"]]) if "colour" in plot else 0
        with h5py.File(folder / row["recording"]) as recording:
            for k, name in enumerate(quantities):
                axes[k][column].plot(*series(recording, name), linewidth=0.8,
                                     color=plt.cm.viridis(0.95 * place / max(1, len(colours) - 1)))
    for k, name in enumerate(quantities):
        axes[k][0].set_ylabel(name)
        if name in plot.get("limits", {}):
            axes[k][0].set_ylim(*plot["limits"][name])
    for column, value in enumerate(columns):
        axes[-1][column].set_xlabel("t [s]")
        if value is not None:
            chosen = [row for row in rows if row[plot["columns"]] == value]
            axes[0][column].set_title(with_losses(value, chosen).replace(" (", "\n("), fontsize=10)
    if "title" in plot:
        figure.suptitle(plot["title"], fontsize=10)
    return figure


def main():
    table, wishes = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    with table.open(newline="") as file:
        rows = list(csv.DictReader(file))
    failures = 0
    for plot in json.loads(wishes.read_text()):
        try:
            figure = draw_curves(rows, plot, table.parent) if "curves" in plot else draw_lines(rows, plot)
            figure.tight_layout()
            figure.savefig(table.parent / plot["file"], dpi=100)
        except Exception as error:  # one picture that cannot be drawn costs only itself
            print(f"touchstone: {table.parent / plot['file']}: {type(error).__name__}: {error}", file=sys.stderr)
            failures += 1
        plt.close("all")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
