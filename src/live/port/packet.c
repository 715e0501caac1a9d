/* SPDX-License-Identifier: Apache-2.0 */
/* A network interface through AF_PACKET (packet(7)), the default kind of port: receives from a TPACKET_V2 ring, sends
 * with sendmmsg. Needs CAP_NET_RAW.
 *
 * Receiving and sending use two sockets. The sending socket has protocol 0 and receives nothing. The receiving socket
 * ignores frames sent here (PACKET_IGNORE_OUTGOING) and is promiscuous, since the switch takes frames for other MACs.
 * There is no TX ring: one frame that is too long stops a TX ring for good, while sendmmsg loses that frame alone.
 *
 * When the interface is deleted, the kernel unbinds both sockets. They are bound again to the interface that has the name
 * then; if its MTU is larger than a cell of the ring, the ring is made anew.
 *
 * The kernel moves an 802.1Q tag from the frame into the ring's header; it is inserted again.
 */
#include "live/port/port.h"

#include "base/memory.h"
#include "live/port/interface.h"
#include "wire/bytes.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#define RING_BYTES (4u << 20)
#define RING_BLOCK_BYTES (1u << 17)
#define VLAN_BYTES 4u

struct packet_port {
    struct live_port port; /* fd: the receiving socket */
    char interface[IFNAMSIZ];
    int send_fd;
    uint8_t *ring;
    uint32_t cell_bytes, n_cells, next; /* sizes of the ring, and the next cell */
    uint32_t taken;                     /* frames taken since the ring was empty */
    uint32_t idles;                     /* how often the loop was about to wait */
};

static void packet_close(struct live_port *port) {
    struct packet_port *p = (struct packet_port *)port;
    if (p->ring) munmap(p->ring, RING_BYTES);
    if (port->fd >= 0) close(port->fd);
    if (p->send_fd >= 0) close(p->send_fd);
    free(p);
}

/* ---- opening ---- */

static bool socket_bind(int fd, int interface, uint16_t protocol) {
    struct sockaddr_ll place = {.sll_family = AF_PACKET, .sll_protocol = htons(protocol), .sll_ifindex = interface};
    return interface > 0 && bind(fd, (struct sockaddr *)&place, sizeof place) == 0;
}

/* Returns the index of the interface to which the socket is bound; -1: it is gone. */
static int socket_bound(int fd) {
    struct sockaddr_ll place = {.sll_ifindex = -1};
    return getsockname(fd, (struct sockaddr *)&place, &(socklen_t){sizeof place}) == 0 ? place.sll_ifindex : -1;
}

static bool option_set(int fd, int option, int value) {
    return setsockopt(fd, SOL_PACKET, option, &value, sizeof value) == 0;
}

/* Returns the size of a cell for a whole frame: a power of two, since a block holds whole cells. */
static uint32_t cell_bytes(uint32_t mtu) {
    uint32_t bytes = 2048, needed = mtu + ETH_HLEN + VLAN_BYTES + TPACKET2_HDRLEN + 64;
    while (bytes < needed && bytes < RING_BLOCK_BYTES) bytes *= 2;
    return bytes;
}

static bool ring_map(struct packet_port *p, uint32_t mtu) {
    p->cell_bytes = cell_bytes(mtu);
    p->n_cells = RING_BYTES / p->cell_bytes;
    struct tpacket_req ring = {.tp_block_size = RING_BLOCK_BYTES,
                               .tp_block_nr = RING_BYTES / RING_BLOCK_BYTES,
                               .tp_frame_size = p->cell_bytes,
                               .tp_frame_nr = p->n_cells};
    if (!option_set(p->port.fd, PACKET_VERSION, TPACKET_V2) ||
        setsockopt(p->port.fd, SOL_PACKET, PACKET_RX_RING, &ring, sizeof ring) < 0)
        return false;
    void *at = mmap(NULL, RING_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, p->port.fd, 0);
    if (at == MAP_FAILED) return false;
    p->ring = at;
    return true;
}

/* Binds both sockets to the interface that has the name now. */
static bool packet_bind(struct packet_port *p) {
    int interface = interface_index(p->send_fd, p->interface);
    struct packet_mreq all = {.mr_ifindex = interface, .mr_type = PACKET_MR_PROMISC};
    return setsockopt(p->port.fd, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &all, sizeof all) == 0 &&
           socket_bind(p->send_fd, interface, 0) && socket_bind(p->port.fd, interface, ETH_P_ALL);
}

static bool packet_start(struct packet_port *p, uint32_t mtu) {
    p->port.fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0); /* protocol 0: no frame arrives before the bind */
    p->send_fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    return p->port.fd >= 0 && p->send_fd >= 0 && ring_map(p, mtu) &&
           option_set(p->port.fd, PACKET_IGNORE_OUTGOING, 1) && option_set(p->send_fd, PACKET_QDISC_BYPASS, 1) &&
           packet_bind(p);
}

static struct live_port *packet_open(const char *what, struct diag *d) {
    int control = interface_control();
    uint32_t mtu = control >= 0 && strlen(what) < IFNAMSIZ ? interface_mtu(control, what) : 0;
    if (control >= 0) close(control);
    if (!mtu) {
        diag_say(d, "%s: there is no such network interface; `ip link` lists them", what);
        return NULL;
    }
    struct packet_port *p = memory_one(sizeof *p);
    snprintf(p->interface, sizeof p->interface, "%s", what);
    p->port.fd = p->send_fd = -1;
    if (packet_start(p, mtu)) return &p->port;
    diag_say(d, "%s: %s%s", what, strerror(errno), errno == EPERM ? "; run as root, or with CAP_NET_RAW" : "");
    packet_close(&p->port);
    return NULL;
}

/* ---- frames ---- */

/* Returns the next cell. Cells fill their blocks, so the ring is contiguous. */
static struct tpacket2_hdr *ring_cell(const struct packet_port *p) {
    return (struct tpacket2_hdr *)(void *)(p->ring + (size_t)p->next * p->cell_bytes);
}

/* Copies a frame and inserts the tag that the kernel took out. */
static void copy_tagged(uint8_t *to, const uint8_t *from, uint32_t bytes, const struct tpacket2_hdr *h) {
    uint16_t tpid = h->tp_status & TP_STATUS_VLAN_TPID_VALID ? h->tp_vlan_tpid : ETH_P_8021Q;
    memcpy(to, from, 2 * ETH_ALEN);
    put_be16(to + 2 * ETH_ALEN, tpid);
    put_be16(to + 2 * ETH_ALEN + 2, h->tp_vlan_tci);
    memcpy(to + 2 * ETH_ALEN + VLAN_BYTES, from + 2 * ETH_ALEN, bytes - 2 * ETH_ALEN);
}

static struct port_arrival cell_take(struct frames *f, const struct tpacket2_hdr *h) {
    const uint8_t *from = (const uint8_t *)h + h->tp_mac;
    bool tagged = h->tp_status & TP_STATUS_VLAN_VALID && h->tp_snaplen >= 2 * ETH_ALEN;
    uint32_t more = tagged ? VLAN_BYTES : 0;
    uint8_t *at;
    struct port_arrival a = {.captured = h->tp_snaplen + more, .length = h->tp_len + more};
    a.index = frames_take(f, a.captured, &at);
    if (tagged)
        copy_tagged(at, from, h->tp_snaplen, h);
    else
        memcpy(at, from, h->tp_snaplen);
    return a;
}

static void count_lost(struct packet_port *p) {
    struct tpacket_stats stats;
    socklen_t size = sizeof stats;
    if (getsockopt(p->port.fd, SOL_PACKET, PACKET_STATISTICS, &stats, &size) == 0)
        p->port.count.rx_lost += stats.tp_drops; /* drops since the last call */
}

/* A full ring is told with the next frame, or here: between two times at which it was empty it can have been full only if
 * so many frames were taken. Asking costs a system call, which every wait of a loop would pay for every port. */
static void ring_was_empty(struct packet_port *p) {
    if (p->taken >= p->n_cells) count_lost(p);
    p->taken = 0;
}

/* Takes the frame out of its cell. Returns false if the cell has only its first part: that is no frame, and counts as
 * lost. */
static bool packet_take(struct packet_port *p, struct frames *f, const struct tpacket2_hdr *h,
                        struct port_arrival *arrival) {
    if (h->tp_snaplen < h->tp_len) {
        p->port.count.rx_lost++;
        return false;
    }
    *arrival = cell_take(f, h);
    live_port_count(&p->port, arrival->length);
    return true;
}

static uint32_t packet_receive(struct live_port *port, struct frames *f, struct port_arrival *arrival, uint32_t n) {
    struct packet_port *p = (struct packet_port *)port;
    uint32_t taken = 0;
    while (p->ring && taken < n) {
        struct tpacket2_hdr *h = ring_cell(p);
        uint32_t status = __atomic_load_n(&h->tp_status, __ATOMIC_ACQUIRE);
        if (!(status & TP_STATUS_USER)) {
            ring_was_empty(p);
            break;
        }
        if (status & TP_STATUS_LOSING) count_lost(p);
        taken += packet_take(p, f, h, &arrival[taken]);
        __atomic_store_n(&h->tp_status, TP_STATUS_KERNEL, __ATOMIC_RELEASE);
        p->next = (p->next + 1) % p->n_cells;
        p->taken++;
    }
    return taken;
}

static uint32_t packet_send(struct live_port *port, const struct port_bytes *frame, uint32_t n) {
    struct packet_port *p = (struct packet_port *)port;
    struct iovec part[PORT_BURST];
    struct mmsghdr message[PORT_BURST];
    for (uint32_t i = 0; i < n; i++) {
        part[i] = (struct iovec){(void *)(uintptr_t)frame[i].at, frame[i].bytes};
        message[i] = (struct mmsghdr){.msg_hdr = {.msg_iov = &part[i], .msg_iovlen = 1}};
    }
    int sent = sendmmsg(p->send_fd, message, n, 0);
    return sent < 0 ? 0 : (uint32_t)sent;
}

/* Clears the error that an interface leaves when it goes down. Until then the socket counts as readable. */
static void clear_error(const struct packet_port *p) {
    int error;
    getsockopt(p->port.fd, SOL_SOCKET, SO_ERROR, &error, &(socklen_t){sizeof error});
}

#define ASK_EVERY 64 /* waits, of loops that do not ask for the carrier; each clearing costs a system call */

static bool packet_idle(struct live_port *port) {
    struct packet_port *p = (struct packet_port *)port;
    if (++p->idles % ASK_EVERY == 0) clear_error(p);
    return true;
}

/* Makes a ring for larger frames. The frames in the present one are lost. Returns false if there is none then; the next call
 * tries again. */
static bool ring_grow(struct packet_port *p, uint32_t mtu) {
    for (uint32_t i = 0; p->ring && i < p->n_cells; i++, p->next = (p->next + 1) % p->n_cells)
        p->port.count.rx_lost += ring_cell(p)->tp_status & TP_STATUS_USER;
    if (p->ring) munmap(p->ring, RING_BYTES);
    p->ring = NULL;
    p->next = p->taken = 0;
    const struct tpacket_req none = {0};
    bool good = setsockopt(p->port.fd, SOL_PACKET, PACKET_RX_RING, &none, sizeof none) == 0 && ring_map(p, mtu);
    if (!good) p->cell_bytes = 0;
    return good;
}

/* Binds the port to the interface that has its name now. `bound`: the one to which it is bound, under another name; -1: that
 * is gone. */
static void packet_follow(struct packet_port *p, int bound) {
    struct packet_mreq former = {.mr_ifindex = bound, .mr_type = PACKET_MR_PROMISC};
    if (bound > 0) setsockopt(p->port.fd, SOL_PACKET, PACKET_DROP_MEMBERSHIP, &former, sizeof former);
    uint32_t mtu = interface_mtu(p->send_fd, p->interface);
    clear_error(p);
    if (mtu && (cell_bytes(mtu) <= p->cell_bytes || ring_grow(p, mtu))) packet_bind(p);
}

static bool packet_has_carrier(struct live_port *port) {
    struct packet_port *p = (struct packet_port *)port;
    int interface = interface_index(p->send_fd, p->interface), bound = socket_bound(p->port.fd);
    if (interface && interface != bound) {
        packet_follow(p, bound);
        bound = socket_bound(p->port.fd);
    }
    bool runs = interface == bound && interface_is_running(p->send_fd, p->interface);
    if (!runs) clear_error(p);
    return runs;
}

const struct live_port_ops live_port_packet = {
    .name = "packet",
    .doc = "a network interface (AF_PACKET); its name alone will do",
    .is_default = true,
    .open = packet_open,
    .close = packet_close,
    .receive = packet_receive,
    .send = packet_send,
    .idle = packet_idle,
    .has_carrier = packet_has_carrier,
};
