/* SPDX-License-Identifier: Apache-2.0 */
#include "mech/flowctl/flowctl.h"

#include <string.h>

#define FLOWCTL_ROW(id) &flowctl_##id,
static const struct flowctl_ops *const table[] = {FLOWCTLS(FLOWCTL_ROW)};

const struct flowctl_ops *const *flowctls(size_t *n) {
    *n = sizeof table / sizeof *table;
    return table;
}

const struct flowctl_ops *flowctl_find(const char *name) {
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i]->name, name) == 0) return table[i];
    return NULL;
}

/* ---- settings ---- */

#define MAX_TIME (1000 * PS_PER_S)

static const struct param headroom = {
    .name = "headroom",
    .type = PARAM_CHOICE,
    .def = HEADROOM_EXACT,
    .choices = PARAM_CHOICES(FLOWCTL_HEADROOMS),
    .doc = "what pause thresholds leave room for: all that may still arrive, or what DeTail's equation counts of it",
    .needs = "!pause_above",
    .lacks = "switch.pause_above says where to pause",
    PARAM_IN(struct flowctl_config, params.headroom),
};
static const struct param pause_classes = {
    .name = "pause_classes",
    .type = PARAM_COUNT,
    .text = "none",
    .min = 1,
    .max = 8,
    .doc = "classes among which thresholds divide the ingress queue; none: as many as can be paused",
    PARAM_IN(struct flowctl_config, params.classes),
};
static const struct param pause_preset = {
    .name = "pause_preset",
    .type = PARAM_CHOICE,
    .def = PAUSE_PRESET_NONE,
    .choices = PARAM_CHOICES(FLOWCTL_PRESETS),
    .doc = "by-rate: switch.islip.ingress as the fastest link needs it, 131072B below 10Gbps, from there on "
           "pause_classes (by default 2) times twice the response and a largest frame",
    PARAM_IN(struct flowctl_config, preset),
};
static const struct param pause_above = {
    .name = "pause_above",
    .type = PARAM_BYTES,
    .text = "none",
    .min = 1,
    .max = 1LL << 40,
    .doc = "pause above so many bytes; none: computed",
    PARAM_IN(struct flowctl_config, high_bytes),
};
static const struct param release_below = {
    .name = "release_below",
    .type = PARAM_BYTES,
    .text = "none",
    .min = 1,
    .max = 1LL << 40,
    .doc = "go on below so many bytes; none: computed",
    PARAM_IN(struct flowctl_config, low_bytes),
};
static const struct param transceiver_delay = {
    .name = "transceiver_delay",
    .type = PARAM_TIME,
    .def = 0,
    .max = MAX_TIME,
    .doc = "of each end of a link, where fabric.delay leaves it out",
    PARAM_IN(struct flowctl_config, transceiver),
};
static const struct param pause_reaction = {
    .name = "pause_reaction",
    .type = PARAM_TIME,
    .text = "none",
    .max = MAX_TIME,
    .doc = "from a pause frame to its effect; none: by the link's rate",
    PARAM_IN(struct flowctl_config, reaction),
};
static const struct param pause_storm = {
    .name = "pause_storm",
    .type = PARAM_TIME,
    .def = 100 * PS_PER_MS,
    .min = 1,
    .max = MAX_TIME,
    .doc = "a class paused that long without a break counts as a pause storm; rings of ports paused that long are "
           "found",
    PARAM_IN(struct flowctl_config, storm),
};

const struct param *const flowctl_keys[] = {&headroom,       &pause_classes, &pause_preset,
                                            &pause_above,    &release_below, &transceiver_delay,
                                            &pause_reaction, &pause_storm,   NULL};
const struct need flowctl_needed[] = {{"switch.islip.full", "hold"}, {NULL, NULL}};
