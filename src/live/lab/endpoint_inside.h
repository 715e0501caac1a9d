/* SPDX-License-Identifier: Apache-2.0 */
/* Private to the endpoints (live/lab/endpoint.h): endpoint.c has flows and the loop, endpoint_sockets.c has sockets in
 * the hosts' namespaces. */
#ifndef HEDDLE_LIVE_LAB_ENDPOINT_INSIDE_H
#define HEDDLE_LIVE_LAB_ENDPOINT_INSIDE_H

#include "live/lab/endpoint.h"

#include "base/gates.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>

#define CHUNK 65536
#define OPEN_AHEAD (PS_PER_S / 5) /* time to open the connections that are open at time 0 */
#define PROGRESS_EVERY (PS_PER_S / 4)
#define NO_FLOW UINT32_MAX

/* The flows of one direction of a connection, in the order of their starts; the first is being sent. */
struct way {
    uint32_t first, last;    /* NO_FLOW: none */
    uint64_t sent, received; /* bytes of the flow being sent, and of the flow being received */
    uint32_t receiving;      /* the flow being received; NO_FLOW: none */
};

/* One side of a connection; side 0 is the client. */
struct connection_end {
    int fd;
    uint32_t host;
    uint16_t port;
    uint32_t watched; /* events requested from epoll */
};

struct lab_connection {
    struct connection_end end[2];
    struct way way[2]; /* by the sending side */
    uint32_t left;     /* flows that have not ended */
    bool is_open;      /* connect() has succeeded */
    uint8_t transport; /* of its flows, an index of endpoint_config.congestion */
};

struct listener {
    uint32_t host;
    uint16_t port;
    int fd;
};

struct endpoint {
    const struct endpoint_config *config;
    struct flow_tally *tally;
    const struct flow *flow;
    uint32_t n_flows;
    int home, epoll;
    int *space; /* [hosts] */
    struct lab_connection *connection;
    uint32_t n_connections;
    uint32_t *connection_of; /* [n_flows] */
    uint32_t *after;         /* [n_flows] next flow of the same direction; NO_FLOW: none */
    struct listener *listener;
    uint32_t n_listeners;
    struct gate_state gates;
    struct heap due;    /* what gates have due (base/gates.h) */
    struct heap starts; /* flows with a start of their own, by that time */
    struct heap stops;  /* flows with a stop, by that time */
    struct timespec epoch;
    uint64_t done, awaited; /* number of flows */
    time_ps heard_at;       /* arrival of the last byte */
    struct diag *d;
};

static inline time_ps endpoint_now(const struct endpoint *e) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (t.tv_sec - e->epoch.tv_sec) * PS_PER_S + (t.tv_nsec - e->epoch.tv_nsec) * PS_PER_NS;
}

static inline bool endpoint_fail(const struct endpoint *e, const char *what) {
    return diag_say(e->d, "%s: %s", what, strerror(errno));
}

/* Marks of epoll events: a side of a connection, or a listener. */
#define MARK_LISTENER 2u
static inline uint64_t mark_of(uint32_t connection, uint32_t side) { return (uint64_t)connection << 2 | side; }

/* Requests events of one side of a connection from epoll. */
void endpoint_watch(struct endpoint *e, uint32_t connection, uint32_t side, uint32_t events);
/* Gives a socket the congestion control of a connection, at both ends, since the receiver's echoes the marks. Returns
 * false after filling *e->d: the kernel has none of this name. */
bool endpoint_set_congestion(const struct endpoint *e, int fd, uint8_t transport);
/* Gives a socket the class of a flow. */
void endpoint_set_class(int fd, const struct flow *f);
/* Each returns false after filling *e->d. endpoint_connect begins to open the connection of a flow, endpoint_listen
 * listens at a port of a host, once, and endpoint_spaces opens the namespaces of all hosts. */
bool endpoint_connect(struct endpoint *e, uint32_t connection, const struct flow *f);
bool endpoint_listen(struct endpoint *e, uint32_t host, uint16_t port);
bool endpoint_spaces(struct endpoint *e);

#endif
