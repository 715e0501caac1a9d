/* SPDX-License-Identifier: Apache-2.0 */
/* In place of xdp.c where the build leaves AF_XDP out (option xdp): a kind of port that says so. */
#include "live/port/port.h"

static struct live_port *xdp_missing_open(const char *what, struct diag *d) {
    diag_fail(d, "", 0, 0, "xdp:%s: this program was built without AF_XDP (option xdp of the build); use %s", what,
              what);
    return NULL;
}

/* Nothing is ever opened, so there is nothing to close, send or receive. */
const struct live_port_ops live_port_xdp = {
    .name = "xdp",
    .doc = "a network interface (AF_XDP); this program was built without it",
    .open = xdp_missing_open,
};
