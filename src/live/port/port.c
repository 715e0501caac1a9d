/* SPDX-License-Identifier: Apache-2.0 */
#include "live/port/port.h"

#include <stdio.h>
#include <string.h>

#define LIVE_PORT_ROW(id) &live_port_##id,
static const struct live_port_ops *const rows[] = {LIVE_PORTS(LIVE_PORT_ROW)};

const struct live_port_ops *const *live_ports(size_t *n) {
    *n = sizeof rows / sizeof *rows;
    return rows;
}

/* Returns the kind that `what` names, and sets *rest to its argument; NULL: there is no such kind. */
static const struct live_port_ops *kind_of(const char *what, const char **rest) {
    const char *colon = strchr(what, ':');
    *rest = colon ? colon + 1 : what;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool named = colon && strlen(rows[i]->name) == (size_t)(colon - what) &&
                     strncmp(rows[i]->name, what, (size_t)(colon - what)) == 0;
        if (named || (!colon && rows[i]->is_default)) return rows[i];
    }
    return NULL;
}

struct live_port *live_port_open(const char *what, struct diag *d) {
    const char *rest;
    const struct live_port_ops *ops = kind_of(what, &rest);
    if (!ops) {
        diag_say(d, "%s: there is no such kind of port; write INTERFACE, xdp:INTERFACE, tap:NAME or ring:NAME", what);
        return NULL;
    }
    if (!rest[0]) {
        diag_say(d, "%s: the name of the port is missing", what);
        return NULL;
    }
    struct live_port *p = ops->open(rest, d);
    if (!p) return NULL;
    p->ops = ops;
    snprintf(p->name, sizeof p->name, "%s", what);
    return p;
}

void live_port_close(struct live_port *p) {
    if (p) p->ops->close(p);
}

void live_port_send(struct live_port *p, const struct port_bytes *frame, uint32_t n) {
    for (uint32_t done = 0; done < n;) {
        uint32_t burst = n - done < PORT_BURST ? n - done : PORT_BURST, sent = p->ops->send(p, frame + done, burst);
        for (uint32_t i = 0; i < sent; i++) p->count.tx_bytes += frame[done + i].bytes;
        p->count.tx_frames += sent;
        done += sent;
        if (sent == burst) continue;
        p->count.tx_lost++; /* the first unsent frame is lost, later ones may go */
        done++;
    }
}
