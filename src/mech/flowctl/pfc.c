/* SPDX-License-Identifier: Apache-2.0 */
/* Priority flow control: each class of a link is paused separately, by drain bytes (DeTail 5.2 to 5.4; DT-7, DT-12).
 */
#include "mech/flowctl/flowctl.h"

const struct flowctl_ops flowctl_pfc = {
    .name = "pfc",
    .paper = "IEEE 802.1Qbb; DeTail 5.2, 5.4",
    .doc = "an ingress port pauses the classes that fill it, each on its own",
    .keys = flowctl_keys,
    .needed = flowctl_needed,
    .pauses = true,
    .by_class = true,
};
