/* SPDX-License-Identifier: Apache-2.0 */
#include "mech/flowctl/flowctls.h"

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
    .doc = "room above pause thresholds: all bytes that may still arrive (exact), or the part in DeTail's equation "
           "(paper)",
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
    .word = "used",
    .word_value = PAUSE_CLASSES_USED,
    .doc =
        "number of classes that share the ingress queue when thresholds are computed; used: the distinct priorities of "
        "the workload, on real frames all classes; none: all classes that can be paused",
    .paper = "DeTail DT-11, AM-50",
    .needs = "!pause_above pause_preset=by-rate",
    .lacks = "switch.pause_above says where to pause",
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
    .doc = "bytes in an ingress queue above which it pauses its link; none: computed",
    PARAM_IN(struct flowctl_config, high_bytes),
};
static const struct param release_below = {
    .name = "release_below",
    .type = PARAM_BYTES,
    .text = "none",
    .min = 1,
    .max = 1LL << 40,
    .doc = "bytes below which a paused link resumes; none: computed",
    .order = "<=pause_above",
    PARAM_IN(struct flowctl_config, low_bytes),
};
static const struct param transceiver_delay = {
    .name = "transceiver_delay",
    .type = PARAM_TIME,
    .def = 0,
    .max = MAX_TIME,
    .doc = "delay of the transceiver at each end of a link, if fabric.delay does not include it",
    PARAM_IN(struct flowctl_config, transceiver),
};
static const struct param pause_reaction = {
    .name = "pause_reaction",
    .type = PARAM_TIME,
    .text = "none",
    .max = MAX_TIME,
    .doc = "time from the arrival of a pause frame to its effect; none: by the link's rate",
    PARAM_IN(struct flowctl_config, reaction),
};
static const struct param pause_storm = {
    .name = "pause_storm",
    .type = PARAM_TIME,
    .def = 100 * PS_PER_MS,
    .min = 4 * PS_PER_NS, /* rings are looked for four times in it */
    .max = MAX_TIME,
    .doc =
        "a pause of a class this long without a break is a pause storm; rings of ports paused this long are reported",
    PARAM_IN(struct flowctl_config, storm),
};

#define WATCHED                                                                                                        \
    .when = "switch.flowctl:pauses", .paper = "SONiC", .needs = "action=drop|forward",                                 \
    .lacks = "only heddle switch has a watchdog unless switch.pfc_watchdog.action is drop or forward"

const struct param watchdog_keys[] = {
    {.name = "action",
     .type = PARAM_CHOICE,
     .def = WATCHDOG_AUTO,
     .choices = PARAM_CHOICES(WATCHDOG_ACTIONS),
     .doc = "what becomes of a class whose pause does not end: drop its frames; forward them, without obeying the "
            "pause; none; auto: drop by heddle switch, none in a simulation or a lab",
     .paper = "SONiC",
     .when = "switch.flowctl:pauses",
     PARAM_IN(struct watchdog_config, action)},
    {.name = "detect",
     .type = PARAM_TIME,
     .def = 200 * PS_PER_MS,
     .min = PS_PER_US,
     .max = MAX_TIME,
     .doc = "a class paused this long without a break is stormed, found at the next poll",
     WATCHED,
     PARAM_IN(struct watchdog_config, detect)},
    {.name = "restore",
     .type = PARAM_TIME,
     .def = 400 * PS_PER_MS,
     .min = PS_PER_US,
     .max = MAX_TIME,
     .doc = "a stormed class is obeyed again when no pause of it has stood this long",
     WATCHED,
     PARAM_IN(struct watchdog_config, restore)},
    {.name = "poll",
     .type = PARAM_TIME,
     .def = 100 * PS_PER_MS,
     .min = PS_PER_US,
     .max = MAX_TIME,
     .doc = "period at which paused classes are looked at",
     .order = "<=detect <=restore",
     WATCHED,
     PARAM_IN(struct watchdog_config, poll)},
    {0},
};

const struct param *const flowctl_keys[] = {&headroom,       &pause_classes, &pause_preset,
                                            &pause_above,    &release_below, &transceiver_delay,
                                            &pause_reaction, &pause_storm,   NULL};
const struct need flowctl_needed[] = {{"switch.islip.full", "hold"}, {NULL, NULL}};
