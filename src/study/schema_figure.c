/* The keys of the `figure` block: how the results are drawn (study/figures reads it). */
#include "study/schema_rows.h"

const struct row figure_rows[] = {
    {LIST("figure", "what `heddle report --figures` draws; it has no part in what a run does"), NULL},
    {TEXT("figure.#.name", "none", "of its files; none: the experiment's name"), NULL},
    {TEXT("figure.#.title", "none", "none: the experiment's title"), NULL},
    {CHOICE("figure.#.kind", "lines", "lines|bars|cdf|rank|time|table",
            "rank: values in the order of size; table: a CSV file alone"),
     NULL},
    {ANY("figure.#.x", "lines, bars, table: a swept key, `metric` or `group`; first column of a table"), NULL},
    {ANY("figure.#.series", "one line or bar each: a swept key (or several), `metric`, `group`; time: also `host`"),
     NULL},
    {ANY("figure.#.panels", "one plot each, side by side: as series; the last of several runs along the rows"), NULL},
    {ANY("figure.#.of", "{KEY: value or [values]}: only these runs"), NULL},
    {LIST("figure.#.y", "what is drawn"), NULL},
    {TEXT("figure.#.y.#.metric", NULL,
          "a number of the --json object; cdf, rank: a summary (fct_us.mice); time: goodput.host, goodput.mean, "
          "goodput.jain, "
          "queue.mean, queue.max, link.mean, link.max"),
     NULL},
    {TEXT("figure.#.y.#.label", "none", "its name as `metric`; none: the metric's own, FCT mice 95th"), NULL},
    {TEXT("figure.#.y.#.group", "none", "its name as `group`"), NULL},
    {TEXT("figure.#.y.#.per", "none", "a number of the --json object that it is divided by"), NULL},
    {ANY("figure.#.y.#.against", "{KEY: value}: compared with the runs of the same seed that differ so"), NULL},
    {CHOICE("figure.#.y.#.as", "ratio", "ratio|change|reduction|difference", "how they are compared"), NULL},
    {TEXT("figure.#.y.#.unit", "none", "us, ms, s, B, KB, MB, Mbps, Gbps, %; none: the metric's own"), NULL},
    {ANY("figure.#.y.#.scale", "a number that it is multiplied by"), NULL},
    {ANY("figure.#.y.#.offset", "a number that is then added"), NULL},
    {TEXT("figure.#.x_label", "none", "none: made of the key and its unit"), NULL},
    {TEXT("figure.#.y_label", "none", "none: made of the metric and its unit"), NULL},
    {TEXT("figure.#.x_unit", "none", "as y.unit"), NULL},
    {CHOICE("figure.#.log", "none", "none|x|y|xy", "logarithmic axes"), NULL},
    {ANY("figure.#.x_range", "[low, high]; null leaves an end open"), NULL},
    {ANY("figure.#.y_range", "[low, high]; null leaves an end open"), NULL},
    {ANY("figure.#.names", "{KEY: {VALUE: TEXT}}: other words for values; a number as TEXT is also its place on x"),
     NULL},
    {LIST("figure.#.reference", "dashed curves for comparison"), NULL},
    {TEXT("figure.#.reference.#.function", NULL, "of x, of numbers and + - * / ( ): 9.48/x, or a number"), NULL},
    {TEXT("figure.#.reference.#.label", "none", "its name in the legend"), NULL},
    {TIME("figure.#.every", "none", 1, "time: the mean over so long a time is a point; none: every sample"), NULL},
};
const size_t n_figure_rows = sizeof figure_rows / sizeof *figure_rows;
