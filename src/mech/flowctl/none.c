#include "mech/flowctl/flowctl.h"

const struct flowctl_ops flowctl_none = {
    .name = "none",
    .paper = "",
    .doc = "nobody is paused: what does not fit is dropped",
};
