/* SPDX-License-Identifier: Apache-2.0 */
/* Clients and servers of an entry: front-ends and back-ends (AM-7). */
#include "workload/generate.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static bool roles_fail(const struct workload_spec *spec, struct diag *d, const char *text) {
    return diag_fail(d, spec->where.file, spec->where.line, spec->where.col, "%s", text);
}

static uint32_t *copy(const uint32_t *from, uint32_t n) {
    uint32_t *to = memory_get(n, sizeof *to);
    memcpy(to, from, n * sizeof *to);
    return to;
}

/* Returns the half of each rack: 0 for the first half (clients) of the racks with members, 1 for the second (servers).
 * Racks without members are 0. The caller frees it. */
static uint8_t *rack_halves(const struct population *p, const struct members *m) {
    uint8_t *half = memory_get(p->n_leaves, sizeof *half);
    uint32_t racks = 0, seen = 0;
    for (uint32_t i = 0; i < m->n; i++) half[p->host_leaf[m->host[i]]] = 1;
    for (uint32_t l = 0; l < p->n_leaves; l++) racks += half[l];
    for (uint32_t l = 0; l < p->n_leaves; l++)
        if (half[l]) half[l] = seen++ >= (racks + 1) / 2;
    return half;
}

/* Makes the members clients, servers or both. Members are in the order of host numbers, so a rack's are adjacent. */
static void roles_place(struct roles *r, enum placement placement, const struct population *p,
                        const struct members *m) {
    uint8_t *half = rack_halves(p, m);
    uint32_t in_rack = 0;
    r->client = memory_get(m->n, sizeof *r->client);
    r->server = memory_get(m->n, sizeof *r->server);
    for (uint32_t i = 0; i < m->n; i++) {
        uint32_t host = m->host[i], leaf = p->host_leaf[host];
        in_rack = i > 0 && p->host_leaf[m->host[i - 1]] == leaf ? in_rack + 1 : 0;
        bool second = placement == PLACEMENT_RACKS ? half[leaf] : in_rack % 2;
        if (placement == PLACEMENT_ALL || !second) r->client[r->n_clients++] = host;
        if (placement == PLACEMENT_ALL || second) r->server[r->n_servers++] = host;
    }
    free(half);
}

/* Returns whether a host is listed twice: it would be drawn twice as often, and may be asked by itself for ever. */
static bool repeats(const uint32_t *host, uint32_t n, uint32_t n_hosts) {
    bool *seen = memory_get(n_hosts, sizeof *seen), twice = false;
    for (uint32_t i = 0; i < n; i++) {
        twice |= seen[host[i]];
        seen[host[i]] = true;
    }
    free(seen);
    return twice;
}

/* Checks that every client has a server other than itself. */
static bool roles_check(const struct roles *r, const struct workload_spec *spec, const struct population *p,
                        struct diag *d) {
    if (repeats(r->client, r->n_clients, p->n_hosts))
        return roles_fail(spec, d, "clients names a host twice; name each once");
    if (repeats(r->server, r->n_servers, p->n_hosts))
        return roles_fail(spec, d, "servers names a host twice; name each once");
    if (r->n_clients == 0 || r->n_servers == 0)
        return roles_fail(spec, d, "placement: there are no hosts left to answer; use placement: all, or more hosts");
    for (uint32_t i = 0; i < r->n_clients && r->n_servers == 1; i++)
        if (r->client[i] == r->server[0]) return roles_fail(spec, d, "the only server would ask itself; name another");
    return true;
}

bool roles_init(struct roles *r, const struct workload_spec *spec, const struct population *p, struct diag *d) {
    struct members m;
    *r = (struct roles){0};
    if (spec->placement >= PLACEMENT_OF_RANKS)
        return roles_fail(
            spec, d,
            "placement: it says where the ranks of a job are; clients and servers have all, alternate or racks");
    if (!members_init(&m, spec, p, PAIRS_ANY, d)) {
        members_fini(&m);
        return false;
    }
    roles_place(r, spec->placement, p, &m);
    members_fini(&m);
    if (spec->n_clients) {
        free(r->client);
        r->client = copy(spec->client, r->n_clients = spec->n_clients);
    }
    if (spec->n_servers) {
        free(r->server);
        r->server = copy(spec->server, r->n_servers = spec->n_servers);
    }
    return roles_check(r, spec, p, d);
}

void roles_fini(struct roles *r) {
    free(r->client);
    free(r->server);
    *r = (struct roles){0};
}

uint32_t role_draw_server(const struct roles *r, uint32_t client, struct random_stream *random) {
    uint32_t server;
    do server = r->server[random_below(random, r->n_servers)];
    while (server == client);
    return server;
}
