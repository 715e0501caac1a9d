/* SPDX-License-Identifier: Apache-2.0 */
/* A network interface through AF_XDP, in copy mode: frames bypass the kernel's protocols. Needs CAP_NET_ADMIN,
 * CAP_NET_RAW and CAP_BPF.
 *
 * A BPF program of six instructions redirects every frame to the socket. It runs on the driver's receive path, or on
 * the generic one if the driver has none. It is attached by a BPF link, which the kernel removes when the process ends
 * in any way; libraries pin programs instead, so none is used. No other program on the machine sees frames of the
 * interface while it is open.
 *
 * A deleted interface takes program and socket with it. When its name is back, the port makes new ones in the namespace of
 * the old ones, and the new socket takes the place of the old descriptor.
 *
 * Limits: one receive queue, and frames that fit a chunk of 4 KiB with the 256 bytes that the kernel keeps before them.
 */
#include "live/port/port.h"

#include "base/memory.h"
#include "base/require.h"
#include "live/port/interface.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/ethtool.h>
#include <linux/if_ether.h>
#include <linux/if_link.h>
#include <linux/if_packet.h>
#include <linux/if_xdp.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CHUNK_BYTES 4096u
#define KERNEL_BYTES 256u /* before each frame in its chunk */
#define VLAN_BYTES 4u
#define RING_SIZE 1024u /* entries of each ring; a power of two */
#define UMEM_BYTES (2ul * RING_SIZE * CHUNK_BYTES)
#define MTU_MAX (CHUNK_BYTES - KERNEL_BYTES - ETH_HLEN - VLAN_BYTES)

/* A ring shared with the kernel. */
struct shared {
    void *map;
    size_t bytes;
    uint32_t *producer, *consumer;
    void *entry;
};

/* Receives into chunks of the first half of the memory, sends from chunks of the second half. */
struct xdp_port {
    struct live_port port; /* fd: the AF_XDP socket */
    char interface[IFNAMSIZ];
    int control;              /* socket that makes the interface promiscuous, and asks for its state */
    int map, program, attach; /* file descriptors of BPF; -1: none */
    int bound;                /* index of the interface to which the socket was bound last */
    bool is_bound;            /* it still exists; else memory and rings may be missing */
    uint32_t longest;         /* bytes of a frame without a VLAN tag */
    uint8_t *memory;
    struct shared fill, done, rx, tx;
    uint64_t lost_before; /* counts of XDP_STATISTICS that are included already */
};

static void close_if(int fd) {
    if (fd >= 0) close(fd);
}

static void shared_unmap(struct shared *r) {
    if (r->map) munmap(r->map, r->bytes);
    *r = (struct shared){0};
}

/* Frees everything that belongs to one socket, but for the socket. */
static void xdp_end(struct xdp_port *p) {
    close_if(p->attach);
    close_if(p->program);
    close_if(p->map);
    p->attach = p->program = p->map = -1;
    shared_unmap(&p->fill);
    shared_unmap(&p->done);
    shared_unmap(&p->rx);
    shared_unmap(&p->tx);
    if (p->memory) munmap(p->memory, UMEM_BYTES);
    p->memory = NULL;
    p->lost_before = 0;
}

static void xdp_close(struct live_port *port) {
    struct xdp_port *p = (struct xdp_port *)port;
    xdp_end(p);
    close_if(port->fd);
    close_if(p->control);
    free(p);
}

/* ---- the program ---- */

static int bpf_call(enum bpf_cmd command, union bpf_attr *attr) {
    return (int)syscall(SYS_bpf, command, attr, sizeof *attr);
}

/* The program: redirect_map(map, receive queue, XDP_PASS). */
static int program_load(int map) {
    const struct bpf_insn code[] = {
        {.code = BPF_LDX | BPF_MEM | BPF_W, .dst_reg = 2, .src_reg = 1, .off = offsetof(struct xdp_md, rx_queue_index)},
        {.code = BPF_LD | BPF_DW | BPF_IMM, .dst_reg = 1, .src_reg = BPF_PSEUDO_MAP_FD, .imm = map},
        {.code = 0}, /* the upper half of the number above */
        {.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 3, .imm = XDP_PASS},
        {.code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_redirect_map},
        {.code = BPF_JMP | BPF_EXIT},
    };
    union bpf_attr attr = {.prog_type = BPF_PROG_TYPE_XDP};
    attr.insns = (uint64_t)(uintptr_t)code;
    attr.insn_cnt = sizeof code / sizeof *code;
    attr.license = (uint64_t)(uintptr_t) "Apache-2.0";
    return bpf_call(BPF_PROG_LOAD, &attr);
}

static int map_create(void) {
    union bpf_attr attr = {
        .map_type = BPF_MAP_TYPE_XSKMAP, .key_size = sizeof(uint32_t), .value_size = sizeof(int), .max_entries = 1};
    return bpf_call(BPF_MAP_CREATE, &attr);
}

static bool map_set(int map, int socket) {
    uint32_t queue = 0;
    union bpf_attr attr = {.map_fd = (uint32_t)map};
    attr.key = (uint64_t)(uintptr_t)&queue;
    attr.value = (uint64_t)(uintptr_t)&socket;
    return bpf_call(BPF_MAP_UPDATE_ELEM, &attr) == 0;
}

static int program_attach(int program, uint32_t interface, uint32_t flags) {
    union bpf_attr attr = {
        .link_create = {.prog_fd = (uint32_t)program, .target_ifindex = interface, .attach_type = BPF_XDP}};
    attr.link_create.flags = flags;
    return bpf_call(BPF_LINK_CREATE, &attr);
}

/* ---- the socket ---- */

static bool option_set(int fd, int option, const void *value, socklen_t size) {
    return setsockopt(fd, SOL_XDP, option, value, size) == 0;
}

static bool shared_map(struct shared *r, int fd, const struct xdp_ring_offset *at, size_t entry_bytes, off_t place) {
    r->bytes = at->desc + RING_SIZE * entry_bytes;
    void *map = mmap(NULL, r->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, place);
    if (map == MAP_FAILED) return false;
    r->map = map;
    r->producer = (uint32_t *)(void *)((uint8_t *)map + at->producer);
    r->consumer = (uint32_t *)(void *)((uint8_t *)map + at->consumer);
    r->entry = (uint8_t *)map + at->desc;
    return true;
}

static bool rings_make(struct xdp_port *p) {
    const uint32_t size = RING_SIZE;
    const int fd = p->port.fd;
    struct xdp_mmap_offsets at;
    socklen_t at_size = sizeof at;
    return option_set(fd, XDP_UMEM_FILL_RING, &size, sizeof size) &&
           option_set(fd, XDP_UMEM_COMPLETION_RING, &size, sizeof size) &&
           option_set(fd, XDP_RX_RING, &size, sizeof size) && option_set(fd, XDP_TX_RING, &size, sizeof size) &&
           getsockopt(fd, SOL_XDP, XDP_MMAP_OFFSETS, &at, &at_size) == 0 &&
           shared_map(&p->fill, fd, &at.fr, sizeof(uint64_t), (off_t)XDP_UMEM_PGOFF_FILL_RING) &&
           shared_map(&p->done, fd, &at.cr, sizeof(uint64_t), (off_t)XDP_UMEM_PGOFF_COMPLETION_RING) &&
           shared_map(&p->rx, fd, &at.rx, sizeof(struct xdp_desc), (off_t)XDP_PGOFF_RX_RING) &&
           shared_map(&p->tx, fd, &at.tx, sizeof(struct xdp_desc), (off_t)XDP_PGOFF_TX_RING);
}

static bool memory_register(struct xdp_port *p) {
    void *at = mmap(NULL, UMEM_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) return false;
    p->memory = at;
    struct xdp_umem_reg memory = {.addr = (uintptr_t)at, .len = UMEM_BYTES, .chunk_size = CHUNK_BYTES};
    return option_set(p->port.fd, XDP_UMEM_REG, &memory, sizeof memory);
}

/* Gives the kernel all chunks of the first half. */
static void fill_all(struct xdp_port *p) {
    uint64_t *chunk = p->fill.entry;
    for (uint32_t i = 0; i < RING_SIZE; i++) chunk[i] = (uint64_t)i * CHUNK_BYTES;
    __atomic_store_n(p->fill.producer, RING_SIZE, __ATOMIC_RELEASE);
}

static bool promiscuous(int control, uint32_t interface) {
    struct packet_mreq all = {.mr_ifindex = (int)interface, .mr_type = PACKET_MR_PROMISC};
    return setsockopt(control, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &all, sizeof all) == 0;
}

static bool xdp_start(struct xdp_port *p) {
    uint32_t interface = (uint32_t)interface_index(p->control, p->interface);
    p->bound = (int)interface;
    struct sockaddr_xdp place = {
        .sxdp_family = AF_XDP, .sxdp_flags = XDP_COPY, .sxdp_ifindex = interface, .sxdp_queue_id = 0};
    if ((p->port.fd = socket(AF_XDP, SOCK_RAW | SOCK_CLOEXEC, 0)) < 0 || !memory_register(p) || !rings_make(p))
        return false;
    fill_all(p);
    if ((p->map = map_create()) < 0 || (p->program = program_load(p->map)) < 0) return false;
    p->attach = program_attach(p->program, interface, XDP_FLAGS_DRV_MODE);
    if (p->attach < 0 && errno != EBUSY) p->attach = program_attach(p->program, interface, XDP_FLAGS_SKB_MODE);
    return p->attach >= 0 && bind(p->port.fd, (struct sockaddr *)&place, sizeof place) == 0 &&
           map_set(p->map, p->port.fd) && promiscuous(p->control, interface);
}

/* ---- opening ---- */

/* Returns the number of receive queues; 1 if the driver does not report it. */
static uint32_t queues_of(int control, const char *name) {
    struct ethtool_channels channels = {.cmd = ETHTOOL_GCHANNELS};
    struct ifreq ask = {.ifr_flags = 0};
    snprintf(ask.ifr_name, sizeof ask.ifr_name, "%s", name);
    ask.ifr_data = (void *)&channels;
    if (ioctl(control, SIOCETHTOOL, &ask) < 0) return 1;
    uint32_t n = channels.rx_count + channels.combined_count;
    return n ? n : 1;
}

static bool interface_fits(int control, const char *what, uint32_t mtu, struct diag *d) {
    uint32_t queues = queues_of(control, what);
    if (!mtu) return diag_say(d, "xdp:%s: there is no such network interface; `ip link` lists them", what);
    if (mtu > MTU_MAX)
        return diag_say(d, "xdp:%s: its MTU is %u, AF_XDP takes %u at most; `ip link set %s mtu %u`", what, mtu,
                        (unsigned)MTU_MAX, what, (unsigned)MTU_MAX);
    if (queues > 1)
        return diag_say(d, "xdp:%s: it has %u receive queues, one is used; `ethtool -L %s combined 1`", what, queues,
                        what);
    return true;
}

static struct live_port *xdp_open(const char *what, struct diag *d) {
    if (strlen(what) >= IFNAMSIZ) {
        diag_say(d, "xdp:%s: the name of an interface has at most %d characters", what, IFNAMSIZ - 1);
        return NULL;
    }
    struct xdp_port *p = memory_one(sizeof *p);
    snprintf(p->interface, sizeof p->interface, "%s", what);
    p->port.fd = p->map = p->program = p->attach = -1;
    p->control = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
    if (p->control < 0) {
        diag_say(d, "xdp:%s: %s; run as root", what, strerror(errno));
    } else {
        uint32_t mtu = interface_mtu(p->control, what);
        p->longest = mtu + ETH_HLEN;
        if (interface_fits(p->control, what, mtu, d)) {
            if ((p->is_bound = xdp_start(p))) return &p->port;
            diag_say(d, "xdp:%s: %s%s", what, strerror(errno),
                     errno == EPERM   ? "; run as root"
                     : errno == EBUSY ? "; another program is attached to it (`ip link show`)"
                                      : "");
        }
    }
    xdp_close(&p->port);
    return NULL;
}

/* ---- frames ---- */

static void count_lost(struct xdp_port *p) {
    struct xdp_statistics stats;
    socklen_t size = sizeof stats;
    if (getsockopt(p->port.fd, SOL_XDP, XDP_STATISTICS, &stats, &size) < 0) return;
    uint64_t lost = stats.rx_dropped + stats.rx_ring_full; /* a lack of chunks is in rx_dropped */
    p->port.count.rx_lost += lost - p->lost_before;
    p->lost_before = lost;
}

static uint32_t xdp_receive(struct live_port *port, struct frames *f, struct port_arrival *arrival, uint32_t n) {
    struct xdp_port *p = (struct xdp_port *)port;
    if (!p->is_bound) return 0;
    const struct xdp_desc *entry = p->rx.entry;
    uint64_t *chunk = p->fill.entry;
    uint32_t first = *p->rx.consumer, give = *p->fill.producer;
    uint32_t waiting = __atomic_load_n(p->rx.producer, __ATOMIC_ACQUIRE) - first, taken = 0;
    for (; taken < n && taken < waiting; taken++) {
        const struct xdp_desc *e = &entry[(first + taken) & (RING_SIZE - 1)];
        uint8_t *at;
        arrival[taken] = (struct port_arrival){frames_take(f, e->len, &at), e->len, e->len};
        memcpy(at, p->memory + e->addr, e->len);
        chunk[(give + taken) & (RING_SIZE - 1)] = e->addr & ~(uint64_t)(CHUNK_BYTES - 1);
        live_port_count(port, e->len);
    }
    __atomic_store_n(p->rx.consumer, first + taken, __ATOMIC_RELEASE);
    __atomic_store_n(p->fill.producer, give + taken, __ATOMIC_RELEASE);
    return taken;
}

static bool frame_fits(const struct xdp_port *p, const struct port_bytes *frame) {
    bool tagged = frame->bytes >= ETH_HLEN + VLAN_BYTES && frame->at[12] == 0x81 && frame->at[13] == 0;
    return frame->bytes >= ETH_HLEN && frame->bytes <= p->longest + (tagged ? VLAN_BYTES : 0);
}

/* Makes the kernel send. One call takes some descriptors, and keeps those for which the device has no room. */
static void tx_kick(struct xdp_port *p, uint32_t end) {
    for (uint32_t before = end + 1, now; (now = __atomic_load_n(p->tx.consumer, __ATOMIC_ACQUIRE)) != end;) {
        if (now == before) return; /* the last call sent nothing */
        before = now;
        if (sendto(p->port.fd, NULL, 0, MSG_DONTWAIT, NULL, 0) < 0 && errno != EAGAIN && errno != EBUSY &&
            errno != ENOBUFS)
            return;
    }
}

/* Sends frames. A chunk is free when the kernel has completed as many frames as were sent before it. */
static uint32_t xdp_send(struct live_port *port, const struct port_bytes *frame, uint32_t n) {
    struct xdp_port *p = (struct xdp_port *)port;
    if (!p->is_bound) return 0;
    struct xdp_desc *entry = p->tx.entry;
    uint32_t tail = *p->tx.producer, done = __atomic_load_n(p->done.producer, __ATOMIC_ACQUIRE), sent = 0;
    __atomic_store_n(p->done.consumer, done, __ATOMIC_RELEASE);
    uint32_t room = RING_SIZE - (tail - done);
    for (; sent < n && sent < room && frame_fits(p, &frame[sent]); sent++) {
        uint32_t slot = (tail + sent) & (RING_SIZE - 1);
        uint64_t at = (uint64_t)(RING_SIZE + slot) * CHUNK_BYTES;
        memcpy(p->memory + at, frame[sent].at, frame[sent].bytes);
        entry[slot] = (struct xdp_desc){.addr = at, .len = frame[sent].bytes};
    }
    __atomic_store_n(p->tx.producer, tail + sent, __ATOMIC_RELEASE);
    if (tail + sent != __atomic_load_n(p->tx.consumer, __ATOMIC_ACQUIRE)) tx_kick(p, tail + sent);
    return sent;
}

static bool xdp_idle(struct live_port *port) {
    struct xdp_port *p = (struct xdp_port *)port;
    if (!p->is_bound) return true;
    count_lost(p);
    return __atomic_load_n(p->rx.producer, __ATOMIC_ACQUIRE) == *p->rx.consumer;
}

/* ---- following the interface ---- */

/* Enters the namespace of the interface. Returns a descriptor of the former one; -1: the thread is there already, or may not
 * enter. */
static int space_enter(const struct xdp_port *p) {
    struct stat here, there;
    int home = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC), space = ioctl(p->control, SIOCGSKNS);
    bool same = fstat(home, &here) == 0 && fstat(space, &there) == 0 && here.st_ino == there.st_ino;
    if (same || home < 0 || space < 0 || setns(space, CLONE_NEWNET) != 0) {
        close_if(home);
        home = -1;
    }
    close_if(space);
    return home;
}

static void space_leave(int home) {
    if (home < 0) return;
    REQUIRE(setns(home, CLONE_NEWNET) == 0);
    close(home);
}

/* Makes a new socket for the interface that has the name now, in place of the old descriptor. If that fails the port is
 * bound to nothing, and the next check of the carrier tries again. */
static void xdp_follow(struct xdp_port *p) {
    uint32_t mtu = interface_mtu(p->control, p->interface);
    int old = p->port.fd, home = space_enter(p);
    count_lost(p);
    xdp_end(p);
    p->longest = mtu + ETH_HLEN;
    bool good = interface_fits(p->control, p->interface, mtu, &(struct diag){0}) && xdp_start(p);
    int new = p->port.fd == old ? -1 : p->port.fd;
    p->port.fd = old;
    if (good) good = dup3(new, old, O_CLOEXEC) == old && map_set(p->map, old);
    close_if(new);
    space_leave(home);
    p->is_bound = good;
}

static bool xdp_has_carrier(struct live_port *port) {
    struct xdp_port *p = (struct xdp_port *)port;
    int interface = interface_index(p->control, p->interface);
    if (interface != p->bound && p->is_bound) {
        int error;
        getsockopt(port->fd, SOL_SOCKET, SO_ERROR, &error, &(socklen_t){sizeof error}); /* or a poll returns for it */
        p->is_bound = false;
    }
    if (interface && !p->is_bound) xdp_follow(p);
    return p->is_bound && interface_is_running(p->control, p->interface);
}

const struct live_port_ops live_port_xdp = {
    .name = "xdp",
    .doc = "a network interface (AF_XDP in copy mode), past the kernel's protocols",
    .open = xdp_open,
    .close = xdp_close,
    .receive = xdp_receive,
    .send = xdp_send,
    .idle = xdp_idle,
    .has_carrier = xdp_has_carrier,
};
