#!/usr/bin/env python3
"""Plots of a recording's steps, for `touchstone export x.png`: reads their series as JSON from standard input.

usage: plot_recording.py PICTURE < series.json
"""
import json
import sys

try:
    import matplotlib
except ImportError:
    sys.exit(4)  # the program says what to install
matplotlib.use("Agg")
import matplotlib.pyplot as plt

LEAST_RESIDUAL = 1e-17  # zeros are drawn here, below any round-off
LINEAR_GAP = 1e-9       # [m] below it the gap's axis is linear, above logarithmic


def numbers(values):
    return [float("nan") if x is None else x for x in values]


def draw_energy(axes, series):
    kinetic, potential = numbers(series["kinetic"]), numbers(series["potential"])
    zero = potential[0] if potential else 0
    potential = [x - zero for x in potential]
    axes.plot(series["time"], kinetic, label="kinetic", color="#e07b39")
    axes.plot(series["time"], potential, label="potential, from its start", color="#4f7fd9")
    axes.plot(series["time"], [a + b for a, b in zip(kinetic, potential)], label="sum", color="#7d8796")
    axes.set_ylabel("energy [J]")
    axes.legend(loc="best", fontsize=8, frameon=False, ncols=3)


def draw_gap(axes, series):
    gaps = numbers(series["min_gap"])
    axes.plot(series["time"], gaps, color="#2f9e6e")
    axes.axhline(0, color="#999999", linewidth=0.6)
    axes.set_yscale("symlog", linthresh=LINEAR_GAP)
    known = [x for x in gaps if x == x]
    axes.set_ylim(2 * min([-LINEAR_GAP] + known), 2 * max([LINEAR_GAP] + known))
    axes.set_ylabel("least gap [m]")


def draw_residual(axes, series):
    axes.plot(series["time"], [max(x, LEAST_RESIDUAL) for x in numbers(series["residual"])], color="#9a6fd0")
    axes.set_yscale("log")
    axes.set_ylabel("residual")


def draw_contacts(axes, series):
    for name, label, color in (("contacts", "all", "#7d8796"), ("unilateral", "U", "#12a150"),
                               ("inter_contact", "I", "#f08c00"), ("cross_contact", "X", "#d6409f")):
        if name in ("contacts", "unilateral") or any(series[name]):
            axes.plot(series["time"], numbers(series[name]), label=label, color=color, drawstyle="steps-pre")
    axes.set_ylabel("contacts")
    axes.legend(loc="best", fontsize=8, frameon=False, ncols=4)


def main():
    series = json.load(sys.stdin)
    plt.rcParams.update({"font.size": 9, "lines.linewidth": 1.2, "axes.grid": True, "grid.color": "#e5e8ee",
                         "axes.spines.top": False, "axes.spines.right": False})
    figure, all_axes = plt.subplots(4, 1, figsize=(8, 9), sharex=True, constrained_layout=True)
    for axes, draw in zip(all_axes, (draw_energy, draw_gap, draw_residual, draw_contacts)):
        draw(axes, series)
        axes.tick_params(length=0)
    all_axes[-1].set_xlabel("time [s]")
    figure.suptitle(series["name"], fontsize=11)
    figure.savefig(sys.argv[1], dpi=130)


if __name__ == "__main__":
    main()
