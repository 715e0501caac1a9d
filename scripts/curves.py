# SPDX-License-Identifier: Apache-2.0
"""The data and plots of figures that scripts/record and scripts/reproduce keep beside the record of a full run.

`heddle report --figures` draws the figures of experiments/PAPER/FILE.yaml from its store. Kept are

    experiments/PAPER/FILE.curves.csv     the points of all its figures
    docs/papers/plots/PAPER/NAME.svg      the plot of each figure (not of tables), with the space of gnuplot's text removed

PAPER is `others` for the plots of files directly in experiments/. Results on real frames have FILE.live.curves.csv and NAME.live.svg.

A row of the data is a point: number of the curve within the file, x, y, the ends of the 95 % interval (empty: a single value), the word
that stands at x in place of a number; then number of seeds or values, figure, panel, series and unit, which are written where they change.
Numbers have six digits. A curve has at most POINTS points, fewer if its figure would have more than POINTS_OF_FIGURE; heddle thins as
src/study/figures/plot.h says. A table is kept as curves of its columns.
"""

import csv
import io
import math
import pathlib
import re
import subprocess
import tempfile

import records

POINTS = 200
POINTS_OF_FIGURE = 1500
FEWEST_POINTS = 30
DATA_BYTES, PLOT_BYTES = 100_000, 60_000
SAME = 2e-5  # relative difference of two numbers that are equal to five digits
PLOTS = records.ROOT / "docs/papers/plots"
SELDOM = ("n", "figure", "panel", "series", "unit")  # columns that are written where they change
COLUMNS = ("curve", "x", "y", "low", "high", "category", *SELDOM)


class CannotDraw(Exception):
    """The program could not draw the figures; its text says why."""


def data_path(file, live=False):
    return file.parent / f"{records.stem(file, None, live)}.curves.csv"


def plots_folder(file):
    return PLOTS / ("others" if file.parent == records.EXPERIMENTS else file.parent.name)


def plot_path(file, figure, live=False):
    return plots_folder(file) / f"{figure}{'.live' if live else ''}.svg"


# ---- the program's figures ----


class Figure:
    """A figure as the program drew it: rows of its data as dicts, its plot as text (None for a table)."""

    def __init__(self, data):
        self.name, svg = data.stem, data.with_suffix(".svg")
        self.plot = plot_small(svg.read_text()) if svg.is_file() else None
        with data.open(newline="") as text:
            table = list(csv.reader(text))
        self.rows = point_rows(table) if self.plot else table_rows(table)
        for row in self.rows:
            row["figure"] = self.name

    def curves(self):
        return len({row["curve"] for row in self.rows})


def point_rows(table):
    rows = [dict(zip(table[0], line)) for line in table[1:]]
    for row in rows:
        row["low"], row["high"] = row.pop("y_low"), row.pop("y_high")
        if row["low"] == row["y"] == row["high"]:
            row["low"] = row["high"] = ""
    return rows


def table_rows(table):
    """Returns the columns of a table as curves; x is the place of the row."""
    head, lines = table[0], table[1:]
    first = 1 if head[0] == "panel" else 0
    rows = []
    for column in range(first + 1, len(head)):
        panels = [line[0] if first else "" for line in lines]
        for line, panel in zip(lines, panels):
            place = sum(r["panel"] == panel and r["series"] == head[column] for r in rows)
            rows.append({"curve": f"{panel}/{column}", "x": str(place), "y": line[column], "low": "", "high": "", "category": line[first],
                         "n": "", "panel": panel, "series": head[column], "unit": ""})
    return sorted(rows, key=lambda r: (panels.index(r["panel"]), head.index(r["series"])))


def drawn(heddle, file, store, points):
    """Returns the figures of a store with at most `points` points a curve, and what the program said."""
    with tempfile.TemporaryDirectory() as folder:
        command = [str(heddle), "report", str(store), "--figures", folder, "--points", str(points), "--experiment", str(file)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise CannotDraw(done.stderr.strip())
        written = [pathlib.Path(line) for line in done.stdout.splitlines() if line.endswith(".csv")]
        return [Figure(path) for path in written], done.stderr.splitlines()


def figures(heddle, file, store):
    """Returns the figures of a store, thinned as they are kept, and what the program said. Raises CannotDraw."""
    if not records.experiment(file).get("figure"):
        return [], []
    found, said = drawn(heddle, file, store, POINTS)
    most = max(f.curves() for f in found if len(f.rows) > POINTS_OF_FIGURE) if any(len(f.rows) > POINTS_OF_FIGURE for f in found) else 0
    return drawn(heddle, file, store, max(POINTS_OF_FIGURE // most, FEWEST_POINTS)) if most else (found, said)


# ---- plots ----


def shorter(number):
    return f"{float(number.group()):.1f}".removesuffix(".0")


# Attributes of nearly every group that gnuplot writes; they stand once, at a group around all.
COMMON = (' fill="none" color="black" stroke="currentColor"', ' stroke-linecap="butt" stroke-linejoin="miter"',
          ' font-family="Helvetica"', ' font-size="12.00"', ' stroke-width="1.00"')


def plot_small(svg):
    """Returns gnuplot's SVG with less text: no empty groups, common attributes once, coordinates to a tenth of a pixel."""
    svg = re.sub(r"<title>gnuplot_plot_\w+</title>|(?<=<g) id=\"gnuplot_plot_\w+\" ", "", svg)
    svg = re.sub(r"\s*<filter id='(textbox|greybox)'.*?</filter>", "", svg, flags=re.S)
    for place in (r"(?<= d=')[^']*", r"(?<=translate\()[^)]*", r"(?<=points = ')[^']*"):
        svg = re.sub(place, lambda m: " ".join(re.sub(r"-?\d+\.\d+", shorter, m.group()).split()), svg)
    svg = re.sub(r"rgb\( *(\d+), *(\d+), *(\d+)\)", lambda m: "#%02x%02x%02x" % tuple(map(int, m.groups())), svg)
    empty = re.compile(r"<g [^<>]*>\s*</g>\s*")
    while empty.search(svg):
        svg = empty.sub("", svg)
    head, defs, rest = svg.partition("</defs>")
    for attribute in COMMON:
        rest = rest.replace(attribute, "")
    body, end, tail = rest.rpartition("</g>\n</svg>")
    svg = f"{head}{defs}\n<g{''.join(COMMON)}>{body}</g>\n{end}{tail}" if end else svg
    return re.sub(r"\n\s*", "\n", svg)


# ---- data ----


def number(text):
    return f"{float(text):.6g}" if text else ""


def data_text(found):
    """Returns the figures' data as they are kept."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    curve, above = -1, {}
    for figure in found:
        last = None
        for row in figure.rows:
            if row["curve"] != last:
                curve, last, above = curve + 1, row["curve"], {}
            seldom = ["" if above.get(key) == row[key] else row[key] for key in SELDOM]
            writer.writerow([curve, number(row["x"]), *(number(row[k]) for k in ("y", "low", "high")), row["category"], *seldom])
            above = row
    return out.getvalue()


def data_read(text):
    """Returns {(figure, panel, series): [(x, y, low, high, category)]} of data as they are kept."""
    curves, curve, points = {}, None, None
    for row in csv.DictReader(io.StringIO(text)):
        if row["curve"] != curve:
            curve = row["curve"]
            points = curves.setdefault((row["figure"], row["panel"], row["series"]), [])
        points.append(tuple(row[k] for k in ("x", "y", "low", "high", "category")))
    return curves


def is_near(one, other):
    try:
        return math.isclose(float(one), float(other), rel_tol=SAME, abs_tol=1e-12)
    except ValueError:
        return one == other


def curve_name(key):
    return ", ".join(part for part in key if part)


def differences(kept, made):
    """Returns a line for each curve that differs between two texts of data in more than five digits."""
    kept, made = data_read(kept), data_read(made)
    lines = [f"{curve_name(key)}: no longer a curve of the store" for key in kept if key not in made]
    for key, points in made.items():
        if key not in kept:
            lines.append(f"{curve_name(key)}: not kept")
        elif len(kept[key]) != len(points):
            lines.append(f"{curve_name(key)}: {len(kept[key])} points are kept, {len(points)} in the store")
        else:
            far = [(a, b) for a, b in zip(kept[key], points) if not all(map(is_near, a, b))]
            if far:
                (x, y, *_), (_, other, *_) = far[0]
                lines.append(f"{curve_name(key)}: {len(far)} of {len(points)} points differ, the first at {far[0][0][4] or x}: "
                             f"{y or 'none'} kept, {other or 'none'} in the store")
    return lines


# ---- files ----


def names_kept(file, live=False):
    """Returns the figures that are kept of a file."""
    path = data_path(file, live)
    return list(dict.fromkeys(key[0] for key in data_read(path.read_text()))) if path.is_file() else []


def oversize(path, most):
    size = path.stat().st_size
    return [f"{records.shown(path)} has {size / 1000:.0f} KB, more than {most / 1000:.0f}"] if size > most else []


def write(heddle, file, store, live=False):
    """Writes data and plots of a store and removes those of figures that are no more. Returns lines to print. Raises CannotDraw."""
    found, said = figures(heddle, file, store)
    path, before = data_path(file, live), names_kept(file, live)
    for name in before:
        plot_path(file, name, live).unlink(missing_ok=True)
    if not found:
        path.unlink(missing_ok=True)
        return said
    plots_folder(file).mkdir(parents=True, exist_ok=True)
    path.write_text(data_text(found))
    lines = said + oversize(path, DATA_BYTES)
    for figure in found:
        if figure.plot:
            plot_path(file, figure.name, live).write_text(figure.plot)
            lines += oversize(plot_path(file, figure.name, live), PLOT_BYTES)
    return lines


def compare(heddle, file, store, live=False):
    """Returns a line for each curve of a store that is not as kept, and for each plot that is missing. Raises CannotDraw."""
    found, _ = figures(heddle, file, store)
    path = data_path(file, live)
    lines = differences(path.read_text() if path.is_file() else "", data_text(found)) if found or path.is_file() else []
    plots = [plot_path(file, f.name, live) for f in found if f.plot]
    return lines + [f"{records.shown(plot)}: missing" for plot in plots if not plot.is_file()]


def kept_faults():
    """Returns a line for each kept file that is too large, and for each plot of no figure or of two."""
    faults, owners = [], {}
    for live in (False, True):
        for file in records.experiment_files([]):
            if data_path(file, live).is_file():
                faults += oversize(data_path(file, live), DATA_BYTES)
            for name in names_kept(file, live):
                owners.setdefault(plot_path(file, name, live), []).append(records.shown(file))
    for plot, files in owners.items():
        if len(files) > 1:
            faults.append(f"{records.shown(plot)}: a figure of {' and '.join(files)}; give one of them another name")
    for plot in sorted(PLOTS.rglob("*.svg")):
        faults += oversize(plot, PLOT_BYTES)
        if plot not in owners:
            faults.append(f"{records.shown(plot)}: no file's data have this figure")
    return faults
