/* SPDX-License-Identifier: Apache-2.0 */
/* A TAP device: the kernel's end is an interface, for a host's namespace or a bridge; this end reads and writes its
 * frames. The device is made if it is missing. Closing removes it unless it was persistent before. A device that was deleted
 * is not made again: the port waits for another one with its name. Needs CAP_NET_ADMIN.
 */
#include "live/port/port.h"

#include "base/memory.h"
#include "live/port/interface.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define TAP_FRAME_MAX 65535 /* a read truncates no frame */

struct tap_port {
    struct live_port port;
    char device[IFNAMSIZ];
    int control; /* socket in the namespace of the device, to ask for its state */
    int device_index;
};

static void tap_close(struct live_port *port) {
    struct tap_port *t = (struct tap_port *)port;
    if (port->fd >= 0) close(port->fd);
    if (t->control >= 0) close(t->control);
    free(t);
}

static bool tap_attach(struct tap_port *t) {
    struct ifreq ask = {.ifr_flags = IFF_TAP | IFF_NO_PI};
    snprintf(ask.ifr_name, sizeof ask.ifr_name, "%s", t->device);
    if (ioctl(t->port.fd, TUNSETIFF, &ask) < 0) return false;
    t->device_index = interface_index(t->control, t->device);
    return true;
}

static struct live_port *tap_open(const char *what, struct diag *d) {
    if (strlen(what) >= IFNAMSIZ) {
        diag_say(d, "tap:%s: the name of an interface has at most %d characters", what, IFNAMSIZ - 1);
        return NULL;
    }
    struct tap_port *t = memory_one(sizeof *t);
    snprintf(t->device, sizeof t->device, "%s", what);
    t->control = interface_control();
    t->port.fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (t->control < 0 || t->port.fd < 0 || !tap_attach(t)) {
        diag_say(d, "tap:%s: %s%s", what, strerror(errno),
                 errno == EPERM ? "; run as root, or with CAP_NET_ADMIN" : "");
        tap_close(&t->port);
        return NULL;
    }
    return &t->port;
}

static uint32_t tap_receive(struct live_port *port, struct frames *f, struct port_arrival *arrival, uint32_t n) {
    uint8_t buf[TAP_FRAME_MAX], *at;
    uint32_t taken = 0;
    for (ssize_t got; taken < n && (got = read(port->fd, buf, sizeof buf)) > 0; taken++) {
        arrival[taken] = (struct port_arrival){frames_take(f, (size_t)got, &at), (uint32_t)got, (uint32_t)got};
        memcpy(at, buf, (size_t)got);
        live_port_count(port, (uint32_t)got);
    }
    return taken;
}

static uint32_t tap_send(struct live_port *port, const struct port_bytes *frame, uint32_t n) {
    uint32_t sent = 0;
    while (sent < n && write(port->fd, frame[sent].at, frame[sent].bytes) == (ssize_t)frame[sent].bytes) sent++;
    return sent;
}

static bool tap_has_carrier(struct live_port *port) {
    struct tap_port *t = (struct tap_port *)port;
    int index = interface_index(t->control, t->device);
    bool is_mine = index && (index == t->device_index || tap_attach(t));
    return is_mine && interface_is_running(t->control, t->device);
}

const struct live_port_ops live_port_tap = {
    .name = "tap",
    .doc = "a TAP device: its other end is an interface of this machine",
    .open = tap_open,
    .close = tap_close,
    .receive = tap_receive,
    .send = tap_send,
    .has_carrier = tap_has_carrier,
};
