#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws three plots of one experiment, as in a paper: completion times by load, their distribution, queues over time.

usage: three_plots.py [EXPERIMENT.yaml] [--profile NAME] [--out DIR]

Needs Debian's python3-pandas and python3-matplotlib, and heddle on the PATH or named by $HEDDLE.
"""
import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import heddle  # noqa: E402
import matplotlib  # noqa: E402

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

SCHEME, LOAD = "switch.balance", "workload.0.load"


def mean_by_load(runs, axes):
    """Draws the mean FCT of mice against load, with the standard deviation over seeds if there are several."""
    for scheme, own in runs.groupby(SCHEME, sort=False):
        points = own.groupby(LOAD)["fct_us.mice.mean"].agg(["mean", "std"])
        axes.errorbar(points.index, points["mean"], yerr=points["std"].fillna(0), marker="o", capsize=3, label=scheme)
    axes.set(xlabel="load", ylabel="mean FCT of mice (µs)")


def distribution(flows, axes):
    """Draws the cumulative distribution of the FCT of mice at the highest load."""
    mice = flows[(flows[LOAD] == flows[LOAD].max()) & (flows["bytes"] < 100_000)]
    for scheme, own in mice.groupby(SCHEME, sort=False):
        times = own["fct_us"].sort_values()
        axes.plot(times, [(i + 1) / len(times) for i in range(len(times))], label=scheme)
    axes.set(xlabel="FCT of mice (µs)", ylabel="cumulative share", xscale="log")


def queues(samples, axes):
    """Draws the longest queue of the fabric over time, of the first seed at the highest load."""
    own = samples[(samples["kind"] == "queue") & (samples[LOAD] == samples[LOAD].max())]
    own = own[own["run.seed"] == own["run.seed"].min()]
    for scheme, part in own.groupby(SCHEME, sort=False):
        longest = part.groupby("at_us")["value"].max()
        axes.plot(longest.index / 1000, longest / 1000, label=scheme)
    axes.set(xlabel="time (ms)", ylabel="longest queue (KB)")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    demo = pathlib.Path(__file__).resolve().parents[2] / "experiments" / "demo.yaml"
    parser.add_argument("experiment", nargs="?", default=demo)
    parser.add_argument("--profile")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("."))
    given = parser.parse_args()
    with heddle.run(given.experiment, profile=given.profile, set={"measure.queues": "1ms"}) as results:
        plots = {"mean-by-load": (mean_by_load, results.runs), "distribution": (distribution, results.flows),
                 "queues": (queues, results.samples)}
        given.out.mkdir(parents=True, exist_ok=True)
        for name, (draw, rows) in plots.items():
            figure, axes = plt.subplots(figsize=(4.5, 3), layout="constrained")
            draw(rows, axes)
            axes.legend()
            figure.savefig(given.out / f"{name}.svg")
            plt.close(figure)
            print(given.out / f"{name}.svg")


if __name__ == "__main__":
    main()
