/* SPDX-License-Identifier: Apache-2.0 */
#include "live/lab/endpoint_inside.h"

#include "base/memory.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- flows ---- */

static uint32_t side_of(const struct lab_connection *x, const struct flow *f) { return x->end[0].host != f->src; }

static void connection_close(struct lab_connection *x) {
    for (int i = 0; i < 2; i++) {
        if (x->end[i].fd >= 0) close(x->end[i].fd);
        x->end[i].fd = -1;
        x->end[i].watched = 0;
    }
}

static uint32_t retransmitted_of(int fd) {
    struct tcp_info info = {0};
    socklen_t length = sizeof info;
    return getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &length) == 0 ? info.tcpi_total_retrans : 0;
}

/* Ends a flow: all its bytes have arrived. */
static void flow_ended(struct endpoint *e, uint32_t f, time_ps now) {
    struct lab_connection *x = &e->connection[e->connection_of[f]];
    struct flow_tally *t = &e->tally[f];
    const struct gates *gates = &e->config->flows->gates;
    uint32_t side = side_of(x, &e->flow[f]);
    t->finished_at = t->acked_at = now;
    t->retransmitted_pkts = retransmitted_of(x->end[side].fd);
    e->done += flow_is_awaited(&e->flow[f]);
    if (gates->n_gates) {
        gates_feed(&e->gates, &e->due, gates_of_received(gates, f), now);
        gates_feed(&e->gates, &e->due, gates_of_acked(gates, f), now);
    }
    if (--x->left == 0) connection_close(x);
}

/* Stops a flow that has not finished. Its connection is its own. */
static void flow_stop(struct endpoint *e, uint32_t f) {
    static const struct linger reset = {.l_onoff = 1};
    struct lab_connection *x = &e->connection[e->connection_of[f]];
    uint32_t side = side_of(x, &e->flow[f]);
    if (e->tally[f].finished_at != TIME_NONE) return;
    if (x->end[side].fd >= 0) {
        e->tally[f].retransmitted_pkts = retransmitted_of(x->end[side].fd);
        setsockopt(x->end[side].fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    }
    e->done += flow_is_awaited(&e->flow[f]);
    x->way[side].first = x->way[side].receiving = NO_FLOW;
    connection_close(x);
}

/* Returns the bytes that a flow still has to send; an endless flow sends until it is stopped. */
static uint64_t bytes_left(const struct endpoint *e, uint32_t f, uint64_t sent, time_ps now) {
    const struct flow *x = &e->flow[f];
    if (x->stop != TIME_NONE && now >= x->stop) return 0;
    return x->bytes == UINT64_MAX ? CHUNK : x->bytes - sent;
}

/* Sends as much as the socket takes. Returns false after filling *d. */
static bool way_send(struct endpoint *e, uint32_t c, uint32_t side, time_ps now) {
    static const char zeros[CHUNK];
    struct lab_connection *x = &e->connection[c];
    struct way *w = &x->way[side];
    while (w->first != NO_FLOW) {
        struct flow_tally *t = &e->tally[w->first];
        if (t->first_data_at == TIME_NONE) {
            endpoint_set_class(x->end[side].fd, &e->flow[w->first]);
            t->first_data_at = now;
        }
        uint64_t left = bytes_left(e, w->first, w->sent, now);
        ssize_t put = left ? send(x->end[side].fd, zeros, left < CHUNK ? left : CHUNK, MSG_NOSIGNAL) : 0;
        if (put < 0 && errno == EAGAIN) {
            endpoint_watch(e, c, side, EPOLLIN | EPOLLOUT);
            return true;
        }
        if (put < 0) return endpoint_fail(e, "a connection broke");
        w->sent += (uint64_t)put;
        if (bytes_left(e, w->first, w->sent, now) > 0) continue;
        w->first = e->after[w->first];
        w->sent = 0;
    }
    endpoint_watch(e, c, side, EPOLLIN);
    return true;
}

/* Starts a flow on its connection, and opens the connection if it is not open. */
static bool flow_start(struct endpoint *e, uint32_t f, time_ps now) {
    uint32_t c = e->connection_of[f];
    struct lab_connection *x = &e->connection[c];
    uint32_t side = side_of(x, &e->flow[f]);
    struct way *w = &x->way[side];
    e->tally[f].started_at = now;
    e->after[f] = NO_FLOW;
    if (w->first == NO_FLOW)
        w->first = f;
    else
        e->after[w->last] = f;
    if (w->receiving == NO_FLOW) w->receiving = f;
    w->last = f;
    if (x->end[0].fd < 0) return endpoint_connect(e, c, &e->flow[f]);
    return !x->is_open || x->end[side].fd < 0 || way_send(e, c, side, now);
}

/* Counts bytes received by a side to the flows that the other side sends. */
static void way_received(struct endpoint *e, uint32_t c, uint32_t side, uint64_t bytes, time_ps now) {
    struct way *w = &e->connection[c].way[!side];
    e->heard_at = now;
    while (bytes > 0 && w->receiving != NO_FLOW) {
        uint32_t f = w->receiving;
        struct flow_tally *t = &e->tally[f];
        uint64_t want = e->flow[f].bytes - w->received, part = bytes < want ? bytes : want;
        w->received += part;
        bytes -= part;
        t->received_bytes = (int64_t)w->received;
        if (w->received < e->flow[f].bytes) continue;
        w->receiving = e->after[f];
        w->received = 0;
        flow_ended(e, f, now);
        if (e->connection[c].end[side].fd < 0) return;
    }
}

static bool end_receive(struct endpoint *e, uint32_t c, uint32_t side, time_ps now) {
    char scratch[CHUNK];
    for (int fd; (fd = e->connection[c].end[side].fd) >= 0;) {
        ssize_t got = recv(fd, scratch, sizeof scratch, MSG_TRUNC);
        if (got < 0 && errno == EAGAIN) return true;
        if (got < 0) return endpoint_fail(e, "a connection broke");
        if (got == 0) return true;
        way_received(e, c, side, (uint64_t)got, now);
    }
    return true;
}

/* ---- events ---- */

static bool connected(struct endpoint *e, uint32_t c, time_ps now) {
    struct lab_connection *x = &e->connection[c];
    int error = 0;
    socklen_t length = sizeof error;
    getsockopt(x->end[0].fd, SOL_SOCKET, SO_ERROR, &error, &length);
    errno = error;
    if (error) return endpoint_fail(e, "a connection could not be opened");
    x->is_open = true;
    if (!endpoint_set_congestion(e, x->end[0].fd, x->transport)) return false; /* the route may have set another */
    return way_send(e, c, 0, now);
}

static bool end_event(struct endpoint *e, uint32_t c, uint32_t side, uint32_t events, time_ps now) {
    struct lab_connection *x = &e->connection[c];
    if (x->end[side].fd < 0) return true;
    if (side == 0 && !x->is_open) return !(events & (EPOLLOUT | EPOLLERR | EPOLLHUP)) || connected(e, c, now);
    if (events & EPOLLOUT && !way_send(e, c, side, now)) return false;
    return x->end[side].fd < 0 || !(events & (EPOLLIN | EPOLLERR | EPOLLHUP)) || end_receive(e, c, side, now);
}

/* Finds the connection whose client has this address and port. */
static uint32_t connection_find(const struct endpoint *e, const struct listener *l, const struct sockaddr_in *from) {
    uint32_t host = fabric_host_of_ip(e->config->fabric, ntohl(from->sin_addr.s_addr));
    for (uint32_t c = 0; c < e->n_connections; c++) {
        const struct connection_end *end = e->connection[c].end;
        if (end[0].fd >= 0 && end[1].fd < 0 && end[0].host == host && end[0].port == ntohs(from->sin_port) &&
            end[1].host == l->host && end[1].port == l->port)
            return c;
    }
    return UINT32_MAX;
}

static bool listener_event(struct endpoint *e, const struct listener *l, time_ps now) {
    struct sockaddr_in from = {0};
    const int one = 1;
    for (int fd;;) {
        socklen_t length = sizeof from;
        fd = accept4(l->fd, (struct sockaddr *)&from, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0) return true;
        uint32_t c = connection_find(e, l, &from);
        if (c == UINT32_MAX) {
            close(fd); /* no client of ours */
            continue;
        }
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        e->connection[c].end[1].fd = fd;
        if (!endpoint_set_congestion(e, fd, e->connection[c].transport)) return false;
        endpoint_watch(e, c, 1, EPOLLIN);
        way_send(e, c, 1, now);
    }
}

/* ---- the loop ---- */

static void stops_due(struct endpoint *e, time_ps now) {
    while (e->stops.n && heap_top(&e->stops)->key <= now) flow_stop(e, heap_pop(&e->stops).id);
}

static time_ps first_of(const struct heap *h) { return h->n ? heap_top(h)->key : TIME_NONE; }

/* Returns when the next flow starts or a gate has something due. */
static time_ps next_start(const struct endpoint *e) { return min_i64(first_of(&e->starts), first_of(&e->due)); }

static bool starts_due(struct endpoint *e, time_ps now) {
    while (first_of(&e->starts) <= now)
        if (!flow_start(e, heap_pop(&e->starts).id, now)) return false;
    while (first_of(&e->due) <= now) {
        uint32_t place = gates_take(&e->gates, &e->due);
        if (place != FLOW_NONE && !flow_start(e, e->config->flows->gates.gated[place], now)) return false;
    }
    return true;
}

static bool events_wait(struct endpoint *e, time_ps until) {
    struct epoll_event x[256];
    span_ps left = max_i64(0, min_i64(until - endpoint_now(e), PROGRESS_EVERY));
    struct timespec t = {.tv_sec = left / PS_PER_S, .tv_nsec = left % PS_PER_S / PS_PER_NS};
    int n = epoll_pwait2(e->epoll, x, sizeof x / sizeof *x, &t, NULL);
    time_ps now = endpoint_now(e);
    for (int i = 0; i < n; i++) {
        uint32_t which = (uint32_t)(x[i].data.u64 >> 2), side = x[i].data.u64 & 3;
        bool good = side == MARK_LISTENER ? listener_event(e, &e->listener[which], now)
                                          : end_event(e, which, side, x[i].events, now);
        if (!good) return false;
    }
    return true;
}

static enum endpoint_outcome endpoint_loop(struct endpoint *e) {
    time_ps told_at = 0, until = e->config->until;
    for (time_ps now; (now = endpoint_now(e)) < until && e->done < e->awaited;) {
        if (!starts_due(e, now)) return ENDPOINT_FAILED;
        stops_due(e, now);
        time_ps start = next_start(e);
        if (now - e->heard_at > e->config->silence && start > now) {
            if (start != TIME_NONE) {
                e->heard_at = start; /* no bytes were expected before */
            } else {
                diag_say(e->d, "nothing was delivered for %lld s, and %llu flows have not finished",
                         (long long)(e->config->silence / PS_PER_S), (unsigned long long)(e->awaited - e->done));
                return ENDPOINT_STUCK;
            }
        }
        if (now - told_at > PROGRESS_EVERY) {
            told_at = now;
            if (e->config->progress && !e->config->progress(e->config->to, now, e->done)) return ENDPOINT_ABANDONED;
        }
        if (!events_wait(e, min_i64(min_i64(start, first_of(&e->stops)), until))) return ENDPOINT_FAILED;
    }
    return ENDPOINT_DONE;
}

/* ---- building ---- */

/* A flow and its connection: both ends, the lower first. */
struct placed_flow {
    uint64_t low, high; /* host << 16 | port */
    uint32_t flow;
};

static int placed_order(const void *pa, const void *pb) {
    const struct placed_flow *a = pa, *b = pb;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    if (a->high != b->high) return a->high < b->high ? -1 : 1;
    return a->flow < b->flow ? -1 : a->flow > b->flow;
}

/* Groups flows into connections. The source of the first flow of a connection, by number, is its client. */
static void connections_make(struct endpoint *e) {
    struct placed_flow *p = memory_get(e->n_flows, sizeof *p);
    for (uint32_t f = 0; f < e->n_flows; f++) {
        uint64_t a = (uint64_t)e->flow[f].src << 16 | e->flow[f].src_port,
                 b = (uint64_t)e->flow[f].dst << 16 | e->flow[f].dst_port;
        p[f] = (struct placed_flow){a < b ? a : b, a < b ? b : a, f};
    }
    qsort(p, e->n_flows, sizeof *p, placed_order);
    e->connection = memory_get(e->n_flows, sizeof *e->connection);
    for (uint32_t i = 0; i < e->n_flows; i++) {
        bool is_new = i == 0 || p[i].low != p[i - 1].low || p[i].high != p[i - 1].high;
        const struct flow *f = &e->flow[p[i].flow];
        const struct way none = {.first = NO_FLOW, .last = NO_FLOW, .receiving = NO_FLOW};
        if (is_new)
            e->connection[e->n_connections++] =
                (struct lab_connection){.end = {{-1, f->src, f->src_port, 0}, {-1, f->dst, f->dst_port, 0}},
                                        .way = {none, none},
                                        .transport = f->transport};
        e->connection_of[p[i].flow] = e->n_connections - 1;
        e->connection[e->n_connections - 1].left++;
    }
    free(p);
}

static void files_raise(void) {
    struct rlimit r;
    if (getrlimit(RLIMIT_NOFILE, &r) != 0) return;
    r.rlim_cur = r.rlim_max;
    setrlimit(RLIMIT_NOFILE, &r);
}

static bool endpoint_prepare(struct endpoint *e) {
    const struct flow_list *list = e->config->flows;
    files_raise();
    e->epoll = epoll_create1(EPOLL_CLOEXEC);
    heap_init(&e->starts);
    heap_init(&e->stops);
    heap_init(&e->due);
    e->connection_of = memory_get(e->n_flows, sizeof *e->connection_of);
    e->after = memory_get(e->n_flows, sizeof *e->after);
    gate_state_init(&e->gates, &list->gates);
    for (uint32_t g = 0; g < list->gates.n_gates; g++)
        if (list->gates.gate[g].needs == 0) gates_begin(&e->gates, &e->due, g, 0);
    for (uint32_t f = 0; f < e->n_flows; f++) {
        struct flow_tally *t = &e->tally[f];
        t->started_at = t->finished_at = t->first_data_at = t->acked_at = TIME_NONE;
        e->awaited += flow_is_awaited(&e->flow[f]);
        if (e->flow[f].start != TIME_NONE) heap_push(&e->starts, e->flow[f].start, f);
        if (e->flow[f].stop != TIME_NONE) heap_push(&e->stops, e->flow[f].stop, f);
    }
    connections_make(e);
    if (!endpoint_spaces(e)) return false;
    for (uint32_t c = 0; c < e->n_connections; c++)
        if (!endpoint_listen(e, e->connection[c].end[1].host, e->connection[c].end[1].port)) return false;
    return true;
}

/* Sets time 0 a little ahead and opens the connections that must be open by then. */
static bool connections_open_early(struct endpoint *e) {
    clock_gettime(CLOCK_MONOTONIC, &e->epoch);
    e->epoch.tv_nsec += OPEN_AHEAD / PS_PER_NS;
    e->epoch.tv_sec += e->epoch.tv_nsec / 1000000000;
    e->epoch.tv_nsec %= 1000000000;
    if (e->config->begun) e->config->begun(e->config->begun_to, &e->epoch);
    for (uint32_t f = 0; f < e->n_flows; f++) {
        uint32_t c = e->connection_of[f];
        bool is_early = e->flow[f].flags & FLOW_ESTABLISHED && e->connection[c].end[0].fd < 0;
        if (is_early && !endpoint_connect(e, c, &e->flow[f])) return false;
    }
    while (endpoint_now(e) < 0)
        if (!events_wait(e, 0)) return false;
    e->heard_at = 0;
    return true;
}

static void endpoint_end(struct endpoint *e) {
    for (uint32_t c = 0; c < e->n_connections; c++) connection_close(&e->connection[c]);
    for (uint32_t i = 0; i < e->n_listeners; i++) close(e->listener[i].fd);
    for (uint32_t h = 0; e->space && h < e->config->fabric->n_hosts; h++)
        if (e->space[h] >= 0) close(e->space[h]);
    if (e->home >= 0) setns(e->home, CLONE_NEWNET);
    if (e->home >= 0) close(e->home);
    close(e->epoll);
    heap_fini(&e->starts);
    heap_fini(&e->stops);
    heap_fini(&e->due);
    free(e->connection);
    free(e->connection_of);
    free(e->after);
    gate_state_fini(&e->gates);
    free(e->listener);
    free(e->space);
}

enum endpoint_outcome endpoint_run(const struct endpoint_config *config, struct flow_tally *tally, time_ps *end,
                                   struct diag *d) {
    struct endpoint e = {
        .config = config, .tally = tally, .flow = config->flows->flow, .n_flows = config->flows->n, .home = -1, .d = d};
    bool ready = endpoint_prepare(&e) && connections_open_early(&e);
    enum endpoint_outcome outcome = ready ? endpoint_loop(&e) : ENDPOINT_FAILED;
    *end = ready ? endpoint_now(&e) : 0;
    endpoint_end(&e);
    return outcome;
}
