/* SPDX-License-Identifier: Apache-2.0 */
#include "live/lab/endpoint_inside.h"

#include "base/memory.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

/* Makes a socket in the namespace of a host. */
static int host_socket(const struct endpoint *e, uint32_t host) {
    const int one = 1;
    if (setns(e->space[host], CLONE_NEWNET) != 0) return -1;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd >= 0) setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (fd >= 0) setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return fd;
}

static struct sockaddr_in address_of(const struct endpoint *e, uint32_t host, uint16_t port) {
    return (struct sockaddr_in){.sin_family = AF_INET,
                                .sin_port = htons(port),
                                .sin_addr.s_addr = htonl(fabric_host_ip(e->config->fabric, host))};
}

void endpoint_watch(struct endpoint *e, uint32_t connection, uint32_t side, uint32_t events) {
    struct connection_end *end = &e->connection[connection].end[side];
    struct epoll_event x = {.events = events, .data.u64 = mark_of(connection, side)};
    if (end->watched == events) return;
    epoll_ctl(e->epoll, end->watched ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, end->fd, &x);
    end->watched = events;
}

bool endpoint_listen(struct endpoint *e, uint32_t host, uint16_t port) {
    for (uint32_t i = 0; i < e->n_listeners; i++)
        if (e->listener[i].host == host && e->listener[i].port == port) return true;
    struct sockaddr_in a = address_of(e, host, port);
    int fd = host_socket(e, host);
    if (fd < 0 || bind(fd, (struct sockaddr *)&a, sizeof a) != 0 || listen(fd, 4096) != 0)
        return endpoint_fail(e, "cannot listen on a host");
    e->listener = memory_grow(e->listener, e->n_listeners + 1, sizeof *e->listener);
    struct epoll_event x = {.events = EPOLLIN, .data.u64 = mark_of(e->n_listeners, MARK_LISTENER)};
    e->listener[e->n_listeners++] = (struct listener){host, port, fd};
    epoll_ctl(e->epoll, EPOLL_CTL_ADD, fd, &x);
    return true;
}

bool endpoint_set_congestion(const struct endpoint *e, int fd, uint8_t transport) {
    const char *name = e->config->congestion[transport];
    return setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, name, (socklen_t)strlen(name)) == 0 || endpoint_fail(e, name);
}

void endpoint_set_class(int fd, const struct flow *f) {
    const int tos = f->priority << 5;
    setsockopt(fd, IPPROTO_IP, IP_TOS, &tos, sizeof tos);
}

/* Begins to open a connection. */
bool endpoint_connect(struct endpoint *e, uint32_t c, const struct flow *f) {
    struct lab_connection *x = &e->connection[c];
    struct connection_end *client = &x->end[0];
    struct sockaddr_in from = address_of(e, client->host, client->port), any = address_of(e, client->host, 0),
                       to = address_of(e, x->end[1].host, x->end[1].port);
    socklen_t length = sizeof from;
    client->fd = host_socket(e, client->host);
    if (client->fd < 0) return endpoint_fail(e, "cannot make a socket");
    endpoint_set_class(client->fd, f);
    if (!endpoint_set_congestion(e, client->fd, x->transport)) return false;
    if (bind(client->fd, (struct sockaddr *)&from, sizeof from) != 0 &&
        bind(client->fd, (struct sockaddr *)&any, sizeof any) != 0)
        return endpoint_fail(e, "cannot bind a socket");
    getsockname(client->fd, (struct sockaddr *)&from, &length);
    client->port = ntohs(from.sin_port);
    if (connect(client->fd, (struct sockaddr *)&to, sizeof to) != 0 && errno != EINPROGRESS)
        return endpoint_fail(e, "cannot connect");
    endpoint_watch(e, c, 0, EPOLLIN | EPOLLOUT);
    return true;
}

bool endpoint_spaces(struct endpoint *e) {
    uint32_t n = e->config->fabric->n_hosts;
    e->space = memory_get(n, sizeof *e->space);
    for (uint32_t h = 0; h < n; h++) e->space[h] = -1;
    e->home = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
    for (uint32_t h = 0; h < n; h++) {
        char path[300];
        snprintf(path, sizeof path, "/run/netns/%s", e->config->space[h]);
        e->space[h] = open(path, O_RDONLY | O_CLOEXEC);
        if (e->space[h] < 0) return diag_fail_in(e->d, path, "%s", strerror(errno));
    }
    return true;
}
