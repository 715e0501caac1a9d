/* SPDX-License-Identifier: Apache-2.0 */
/* NICs: the ports of hosts, and which of them a flow uses.
 *
 * A host with several links has a NIC for each, with an address, a queue and (for credit transports) a limiter of its
 * own. The NICs of all hosts come first among the ports, so a NIC's number is its global port number, 0 ..
 * fabric_n_nics - 1; where every host has one link, it is the number of the host. The address of a NIC is that of its
 * place at its leaf: the leaf's prefix, then the leaf's port + 1.
 *
 * Both ends of a flow are bound to a NIC: frames of both directions, credits too, pass these two NICs and no others, so
 * credit transports have their symmetric paths. The pair is chosen when an end opens (fabric_nic_ends):
 *
 *     usable   both links are up as far as their hosts know, and the racks have a path to each other
 *     pinned   a flow may be pinned to a NIC of its sender, of its receiver, or both: the pairs with these NICs if any of
 *              them is usable, else all, as without a pin
 *     nearest  among these pairs those with the fewest links, and among these those of the highest rate (the
 *              lower of the two links'), as IEEE 802.3ad aggregates links of one rate only. So two GPUs of a server use
 *              their scale-up ports, and GPUs of different servers their NICs
 *     bonding  hash: among the nearest pairs the one with the highest hash of flow and pair, so that a flow keeps its
 *              pair while that is usable. active-backup: the first of them, all flows alike
 *
 * A failure or repair that is detected (failed.detect) may change the pair of open flows. All hosts learn of it at that
 * instant, as switches learn their routes, and move their ends to the pair that fabric_nic_ends gives then
 * (node/host_nics.h), as a bond of Linux hands the flows of a dead link to another one: frames that were on the dead link
 * are lost, and the transport repeats them. The chosen pair depends on flow and time alone, so both ends agree. If no
 * pair is usable, the pair is that of the fabric without failures, and frames are lost until the repair.
 */
#ifndef HEDDLE_FABRIC_NICS_H
#define HEDDLE_FABRIC_NICS_H

#include "fabric/fabric.h"

#define FABRIC_BONDINGS(X) X(BONDING_HASH, "hash") X(BONDING_ACTIVE_BACKUP, "active-backup")
enum fabric_bonding { FABRIC_BONDINGS(PARAM_ENUM) BONDING_COUNT };

static inline uint32_t fabric_n_nics(const struct fabric *f) { return f->paths.first_port[f->n_hosts]; }
/* Returns whether some host has several NICs. */
static inline bool fabric_is_multihomed(const struct fabric *f) { return fabric_n_nics(f) != f->n_hosts; }
static inline uint32_t fabric_host_nics(const struct fabric *f, uint32_t host) {
    return f->paths.first_port[host + 1] - f->paths.first_port[host];
}
/* Returns the rack to which a NIC is linked. */
static inline uint32_t fabric_nic_leaf(const struct fabric *f, uint32_t nic) {
    return f->paths.port[nic].neighbour - f->n_hosts;
}
uint32_t fabric_nic_ip(const struct fabric *f, uint32_t nic);
/* Returns the first host with several NICs; NODE_NONE: there is none. */
uint32_t fabric_multihomed_host(const struct fabric *f);
/* Return the rate of a host's fastest NIC, and of all its NICs together. */
int64_t fabric_host_fastest_bps(const struct fabric *f, uint32_t host);
int64_t fabric_host_sum_bps(const struct fabric *f, uint32_t host);

/* What chooses a pair of NICs. */
struct nic_question {
    uint32_t src, dst; /* hosts */
    enum fabric_bonding bonding;
    uint64_t seed;
    uint32_t flow; /* messages of one connection have one number */
    time_ps now;
    uint8_t src_nic, dst_nic; /* the NICs to which the flow is pinned, from 1; 0: none */
};

/* The NICs of a flow at its sender and at its receiver. */
struct nic_ends {
    uint32_t src, dst;
};
struct nic_ends fabric_nic_ends(const struct fabric *f, const struct nic_question *q);

/* Returns whether the pairs with the NICs to which the flow is pinned have a path, if nothing fails. q->now is not used. */
bool fabric_pins_have_way(const struct fabric *f, const struct nic_question *q);

/* Returns the links between two hosts over their nearest NICs if nothing fails; 0: they have no path. */
uint32_t fabric_hosts_links(const struct fabric *f, uint32_t src, uint32_t dst);

/* Returns whether a NIC's link is up as far as its host knows at `now`. */
bool fabric_nic_is_up(const struct fabric *f, uint32_t nic, time_ps now);

/* Returns whether some NICs of the two hosts have a path to each other in this settled state, or stand in one rack. */
bool fabric_hosts_have_way(const struct fabric *f, uint32_t state, uint32_t src, uint32_t dst);

#endif
