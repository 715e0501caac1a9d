/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics of links: how evenly switches use their uplinks, and utilisation. */
#include "study/metrics/rows.h"

/* ---- imbalance ---- */

static const struct summary *imbalance(const struct metric_cell *c) {
    return &c->outcome->result.imbalance_ppm[metric_switches(c->at[0])];
}

static json_t *imbalance_of(const struct metric_cell *c) {
    return metric_count(c->outcome->result.imbalance_of[metric_switches(c->at[0])]);
}

/* ---- utilisation ---- */

static json_t *use_of(const struct metric_cell *c, const struct link_use *u, bool is_known) {
    const int64_t *ppb = metric_field(c, u);
    return metric_real(is_known, (double)*ppb / 1e9);
}

/* Returns a value of a tier; null if the tier has no links. Mean and maximum use tier_use_or_0: they are 0 then. */
static json_t *tier_use(const struct metric_cell *c) {
    const struct link_use *u = &c->outcome->result.link[c->at[0]];
    return use_of(c, u, u->n > 0);
}

static json_t *tier_use_or_0(const struct metric_cell *c) {
    return use_of(c, &c->outcome->result.link[c->at[0]], true);
}

static json_t *watched_links(const struct metric_cell *c) { return metric_count(c->outcome->result.watched.n); }

static json_t *watched_use(const struct metric_cell *c) {
    const struct link_use *u = &c->outcome->result.watched;
    return use_of(c, u, u->n > 0);
}

/* ---- the rows ---- */

static const struct metric rows[] = {
    {"imbalance.SWITCHES.STAT", UNIT_NUMBER, METRIC_LESS, "imbalance SWITCHES STAT", SUMMARY_OF(imbalance, PER_SHARE),
     .doc = "throughput imbalance of the uplinks of a switch over an interval of `measure.imbalance`: (max - min) / "
            "mean. 0 is even, the number of uplinks is the maximum. Only loaded intervals count: the uplinks carried "
            "at least `measure.imbalance_min_load` of what they can (a single flow makes the maximum under every "
            "scheme), and the interval ends before the last flow starts (unless all start within the first interval, "
            "or flows have no end). Intervals that do not lie within the time of averages are left out"},
    {"imbalance.SWITCHES.of", UNIT_COUNT, METRIC_NEITHER, "intervals of imbalance SWITCHES", VALUE(imbalance_of),
     .doc = "intervals in which anything was sent, of all switches of the tier; `n` counts the loaded ones of them"},

    {"links.TIER.mean", UNIT_SHARE, METRIC_NEITHER, "link use TIER mean", VALUE_IN(tier_use_or_0, link_use, mean_ppb),
     .doc = "utilisation of the links of a tier over the time of averages: mean over both directions"},
    {"links.TIER.max", UNIT_SHARE, METRIC_NEITHER, "link use TIER max", VALUE_IN(tier_use_or_0, link_use, max_ppb),
     .doc = "utilisation of the busiest link of the tier"},
    {"links.TIER.min", UNIT_SHARE, METRIC_NEITHER, "link use TIER min", VALUE_IN(tier_use, link_use, min_ppb),
     .doc = "utilisation of the least used link of the tier; each link counts in its busier direction"},
    {"links.TIER.data_mean", UNIT_SHARE, METRIC_NEITHER, "data on links TIER mean",
     VALUE_IN(tier_use, link_use, data_mean_ppb), .doc = "mean utilisation of the links of the tier without credits"},
    {"links.TIER.data_max", UNIT_SHARE, METRIC_NEITHER, "data on links TIER max",
     VALUE_IN(tier_use, link_use, data_max_ppb), .doc = "utilisation of the busiest link of the tier without credits"},
    {"links.TIER.data_min", UNIT_SHARE, METRIC_NEITHER, "data on links TIER min",
     VALUE_IN(tier_use, link_use, data_min_ppb),
     .doc = "utilisation of the least used link of the tier without credits"},

    {"links.watch.n", UNIT_COUNT, METRIC_NEITHER, "watched links", VALUE(watched_links),
     .doc = "links that `measure.watch` names; a link without a direction (`leaf0-leaf1`) counts in its busier one"},
    {"links.watch.mean", UNIT_SHARE, METRIC_NEITHER, "use of watched links mean",
     VALUE_IN(watched_use, link_use, mean_ppb),
     .doc = "mean utilisation of the watched links over the time of averages; null if none is watched"},
    {"links.watch.max", UNIT_SHARE, METRIC_NEITHER, "use of watched links max",
     VALUE_IN(watched_use, link_use, max_ppb), .doc = "utilisation of the busiest watched link"},
    {"links.watch.min", UNIT_SHARE, METRIC_NEITHER, "use of watched links min",
     VALUE_IN(watched_use, link_use, min_ppb), .doc = "utilisation of the least used watched link"},
    {"links.watch.data_mean", UNIT_SHARE, METRIC_NEITHER, "data on watched links mean",
     VALUE_IN(watched_use, link_use, data_mean_ppb), .doc = "mean utilisation of the watched links without credits"},
    {"links.watch.data_max", UNIT_SHARE, METRIC_NEITHER, "data on watched links max",
     VALUE_IN(watched_use, link_use, data_max_ppb), .doc = "utilisation of the busiest watched link without credits"},
    {"links.watch.data_min", UNIT_SHARE, METRIC_NEITHER, "data on watched links min",
     VALUE_IN(watched_use, link_use, data_min_ppb),
     .doc = "utilisation of the least used watched link without credits"},
};

METRIC_PART(link, rows);
