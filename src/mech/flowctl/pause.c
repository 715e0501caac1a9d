/* SPDX-License-Identifier: Apache-2.0 */
/* Plain pause frames: an ingress port above its threshold stops the whole link (DeTail 5.2; its environment FC,
 * DT-7). */
#include "mech/flowctl/flowctl.h"

const struct flowctl_ops flowctl_pause = {
    .name = "pause",
    .paper = "IEEE 802.3x; DeTail 5.2",
    .doc = "an ingress port that fills up pauses the whole link towards it",
    .keys = flowctl_keys,
    .needed = flowctl_needed,
    .pauses = true,
};
