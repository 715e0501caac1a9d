/* SPDX-License-Identifier: Apache-2.0 */
#include "mech/flowctl/flowctl.h"

const struct flowctl_ops flowctl_none = {
    .name = "none",
    .paper = "IEEE 802.3",
    .doc = "no pauses: a frame that does not fit is dropped",
};
