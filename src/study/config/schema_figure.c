/* SPDX-License-Identifier: Apache-2.0 */
/* The keys of the `figure` block: how the results are drawn (study/figures reads it). */
#include "study/config/figure_choices.h"
#include "study/config/schema_rows.h"

const struct row figure_rows[] = {
    {.key = LIST("figure", "what `heddle report --figures` draws; it has no part in what a run does")},
    {.key = TEXT("figure.#.name", "none", "of its files; none: the experiment's name")},
    {.key = TEXT("figure.#.title", "none", "none: the experiment's title; a blank: no title")},
    {.key = CHOICE("figure.#.kind", "lines", PARAM_CHOICES(FIGURE_KINDS),
                   "cdf, ccdf: share of values up to x, of at least x; rank: values in the order of size; table: a CSV "
                   "file alone")},
    {.key = ANY("figure.#.x", "lines, bars, table: a swept key, `metric` or `group`; first column of a table")},
    {.key = ANY("figure.#.series",
                "one line or bar each: a swept key (or several), `metric`, `group`; time: also `host`")},
    {.key = ANY("figure.#.panels", "one plot each, side by side: as series; the last of several runs along the rows")},
    {.key = ANY("figure.#.of", "{KEY: value or [values]}: only these runs")},
    {.key = LIST("figure.#.y", "what is drawn")},
    {.key = TEXT(
         "figure.#.y.#.metric", NULL,
         "a number of the --json object; cdf, ccdf, rank: a summary (fct_us.mice); time: goodput.host, goodput.mean, "
         "goodput.jain, "
         "queue.mean, queue.max, link.mean, link.max")},
    {.key = TEXT("figure.#.y.#.label", "none", "its name as `metric`; none: the metric's own, FCT mice 95th")},
    {.key = TEXT("figure.#.y.#.group", "none", "its name as `group`")},
    {.key = TEXT("figure.#.y.#.per", "none", "a number of the --json object that it is divided by")},
    {.key = ANY("figure.#.y.#.against", "{KEY: value}: compared with the runs of the same seed that differ so")},
    {.key = CHOICE("figure.#.y.#.as", "ratio", PARAM_CHOICES(FIGURE_COMPARISONS), "how they are compared")},
    {.key = TEXT(
         "figure.#.y.#.unit", "none",
         "us, ms, s, B, KB, MB, Mbps, Gbps, %; none: the metric's own, a larger one on an axis with long numbers")},
    {.key = ANY("figure.#.y.#.scale", "a number that it is multiplied by")},
    {.key = ANY("figure.#.y.#.offset", "a number that is then added")},
    {.key = TEXT("figure.#.x_label", "none", "none: made of the key and its unit")},
    {.key = TEXT("figure.#.y_label", "none", "none: made of the metric and its unit")},
    {.key = TEXT("figure.#.x_unit", "none", "as y.unit")},
    {.key = CHOICE("figure.#.log", "none", "none|x|y|xy", "logarithmic axes; left out of a ccdf: y")},
    {.key = ANY("figure.#.x_range", "[low, high]; null leaves an end open")},
    {.key = ANY("figure.#.y_range", "[low, high]; null leaves an end open")},
    {.key = VALUE("figure.#.share_y", PARAM_BOOL, "false", 0, 1,
                  "all panels have one y axis, with numbers at the left of each row")},
    {.key = CHOICE(
         "figure.#.band", "auto", PARAM_CHOICES(FIGURE_BANDS),
         "what a curve shows of its seeds: nothing, the 95 % interval of their mean, or their least and greatest; "
         "auto: interval for lines, bars and rank, else none")},
    {.key = TEXT("figure.#.width", "none",
                 "of the whole figure: 8.5cm, 85mm, 3.3in or 320px; none: by the number of panels")},
    {.key = TEXT("figure.#.height", "none", "as width")},
    {.key = TEXT("figure.#.font", "none", "name of the font; none: Helvetica")},
    {.key = COUNT("figure.#.font_size", "9", 4, 48, "in points")},
    {.key = ANY("figure.#.names",
                "{KEY: {VALUE: TEXT}}: other words for values; a number as TEXT is also its place on x")},
    {.key = LIST("figure.#.reference",
                 "numbers to compare with, such as a paper's, in the units of the axes; drawn dashed")},
    {.key = TEXT("figure.#.reference.#.function", "none",
                 "a curve: a function of x, of numbers and + - * / ( ): 9.48/x, or a number")},
    {.key = ANY("figure.#.reference.#.value", "a line at this number of y (cdf, at: x: of x)")},
    {.key = ANY("figure.#.reference.#.band", "[low, high] of y (cdf, at: x: of x); null leaves an end open")},
    {.key = ANY(
         "figure.#.reference.#.of",
         "{KEY: value or [values]}: beside these runs only, so in their panel, at their x or in their series' colour; "
         "KEY: a swept key, `metric` or `group`")},
    {.key =
         ANY("figure.#.reference.#.at",
             "cdf, ccdf: at this share only; 0.99: the 99th percentile. lines, time: x, its numbers are numbers of x")},
    {.key = TEXT("figure.#.reference.#.label", "none", "its name in the legend; equal ones share an entry")},
    {.key = TIME("figure.#.every", "none", 1, "time: the mean over so long a time is a point; none: every sample")},
};
const size_t n_figure_rows = sizeof figure_rows / sizeof *figure_rows;
