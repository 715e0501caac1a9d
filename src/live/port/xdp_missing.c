/* SPDX-License-Identifier: Apache-2.0 */
/* Takes the place of xdp.c in builds without AF_XDP (option xdp): a kind of port that cannot be opened. */
#include "live/port/port.h"

static struct live_port *xdp_missing_open(const char *what, struct diag *d) {
    diag_say(d, "xdp:%s: this program was built without AF_XDP (option xdp of the build); use %s", what, what);
    return NULL;
}

/* No port is ever opened, so close, send and receive are not needed. */
const struct live_port_ops live_port_xdp = {
    .name = "xdp",
    .doc = "a network interface (AF_XDP); this program was built without it",
    .open = xdp_missing_open,
};
