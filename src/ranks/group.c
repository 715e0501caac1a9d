/* SPDX-License-Identifier: Apache-2.0 */
#include "ranks/group.h"

#include "ranks/ranks_ops.h"

void ranks_group_join(struct ranks_group *g, const struct ranks *r, uint32_t size) {
    *g = (struct ranks_group){.ranks = r, .rank = r->rank % size, .size = size, .first = r->rank / size * size};
    g->members = r->ops->split(r->rank / size);
}

void ranks_group_post(const struct ranks_group *g, uint32_t to, uint32_t tag, const void *data, size_t size) {
    g->ranks->ops->post(g->members, to, tag, data, size);
}

void ranks_group_settle(const struct ranks_group *g, uint32_t tag) { g->ranks->ops->settle(tag); }

size_t ranks_group_await(const struct ranks_group *g, uint32_t tag) { return g->ranks->ops->await(g->members, tag); }

void ranks_group_take(const struct ranks_group *g, void *data, size_t size) {
    (void)g;
    g->ranks->ops->take(data, size);
}

void ranks_group_reduce_begin(const struct ranks_group *g, int64_t least, const uint64_t *sum, size_t n) {
    g->ranks->ops->reduce_begin(g->members, least, sum, n);
}

void ranks_group_reduce_end(const struct ranks_group *g, int64_t *least, uint64_t *sum, size_t n) {
    g->ranks->ops->reduce_end(least, sum, n);
}

void ranks_group_reduce(const struct ranks_group *g, int64_t *least, uint64_t *sum, size_t n) {
    g->ranks->ops->reduce(g->members, least, sum, n);
}

void ranks_group_send(const struct ranks_group *g, uint32_t to, const void *data, size_t size) {
    ranks_send_bytes(g->ranks, g->first + to, data, size);
}

void ranks_group_receive(const struct ranks_group *g, uint32_t from, void *data, size_t size) {
    ranks_receive_bytes(g->ranks, g->first + from, data, size);
}
