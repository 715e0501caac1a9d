/* SPDX-License-Identifier: Apache-2.0 */
#include "live/gate.h"

#include "base/memory.h"
#include "base/text.h"
#include "live/lab/run.h"

#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define CLASSES_MAX 8
#define HANDLE 1u           /* number of the HTB queue; class k is 1:(k + 1) */
#define ALL 0xffffu         /* the class above all classes */
#define BURST_US 1000       /* time that a class may send at its rate without a check of the clock */
#define TICK_NS 64          /* the kernel's unit of time for queues */
#define QUEUE_FRAMES 100000 /* no limit in practice: sockets limit the waiting frames */

struct gate {
    int fd; /* rtnetlink */
    int interface;
    uint32_t n, sequence;
    struct throttle throttle[CLASSES_MAX];
    struct gate_counts count;
};

/* ---- messages to the kernel ---- */

struct message {
    struct nlmsghdr head;
    struct tcmsg tc;
    uint8_t attributes[256];
};

/* Adds an attribute of `bytes`. Returns its offset in the message. */
static uint32_t message_add(struct message *m, uint16_t type, const void *data, size_t bytes) {
    uint32_t at = NLMSG_ALIGN(m->head.nlmsg_len);
    const struct rtattr a = {.rta_type = type, .rta_len = (uint16_t)RTA_LENGTH(bytes)};
    memcpy((uint8_t *)m + at, &a, sizeof a);
    if (bytes) memcpy((uint8_t *)m + at + RTA_LENGTH(0), data, bytes);
    m->head.nlmsg_len = at + (uint32_t)RTA_ALIGN(a.rta_len);
    return at;
}

/* Nests all attributes added since into the attribute that began at `at`. */
static void message_nest(struct message *m, uint32_t at) {
    struct rtattr a;
    memcpy(&a, (uint8_t *)m + at, sizeof a);
    a.rta_len = (uint16_t)(m->head.nlmsg_len - at);
    memcpy((uint8_t *)m + at, &a, sizeof a);
}

_Static_assert(GATE_MOST_BPS / 8 <= UINT32_MAX, "the kernel takes bytes per second, 32 bits of them");
static struct tc_ratespec rate_of(int64_t bps) {
    return (struct tc_ratespec){.linklayer = TC_LINKLAYER_ETHERNET, .rate = (uint32_t)(bps / 8)};
}

static struct message class_message(const struct gate *g, uint32_t class, int64_t rate_bps) {
    struct tc_htb_opt o = {.rate = rate_of(GATE_LEAST_BPS),
                           .ceil = rate_of(rate_bps),
                           .buffer = BURST_US * 1000 / TICK_NS,
                           .cbuffer = BURST_US * 1000 / TICK_NS,
                           .quantum = FULL_FRAME_BYTES,
                           .prio = CLASSES_MAX - 1 - class};
    struct message m = {.head = {.nlmsg_len = NLMSG_LENGTH(sizeof m.tc),
                                 .nlmsg_type = RTM_NEWTCLASS,
                                 .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK,
                                 .nlmsg_seq = g->sequence},
                        .tc = {.tcm_family = AF_UNSPEC,
                               .tcm_ifindex = g->interface,
                               .tcm_handle = HANDLE << 16 | (class + 1),
                               .tcm_parent = HANDLE << 16 | ALL}};
    message_add(&m, TCA_KIND, "htb", 4);
    uint32_t options = message_add(&m, TCA_OPTIONS, NULL, 0);
    message_add(&m, TCA_HTB_PARMS, &o, sizeof o);
    message_nest(&m, options);
    return m;
}

/* Sends a request. The kernel answers before send() returns. */
static bool message_send(struct gate *g, const struct message *m) {
    struct {
        struct nlmsghdr head;
        struct nlmsgerr error;
        uint8_t rest[512];
    } reply;
    ssize_t got = send(g->fd, m, m->head.nlmsg_len, 0) < 0 ? -1 : recv(g->fd, &reply, sizeof reply, 0);
    return got >= (ssize_t)NLMSG_LENGTH(sizeof reply.error) && reply.head.nlmsg_type == NLMSG_ERROR &&
           reply.error.error == 0;
}

static void class_tell(struct gate *g, uint32_t class) {
    g->sequence++;
    struct message m = class_message(g, class, g->throttle[class].rate_bps);
    if (!message_send(g, &m)) g->count.refused++;
}

/* ---- steps ---- */

void gate_step(struct gate *g, uint32_t class, time_ps now, uint32_t fill_permille) {
    struct throttle *t = &g->throttle[class];
    int64_t before = t->rate_bps;
    if (!throttle_step(t, now, fill_permille)) return;
    g->count.halvings += t->rate_bps < before;
    class_tell(g, class);
}

time_ps gate_next(const struct gate *g) {
    time_ps next = TIME_NONE;
    for (uint32_t k = 0; k < g->n; k++)
        if (g->throttle[k].rate_bps > GATE_LEAST_BPS) next = min_i64(next, g->throttle[k].next);
    return next;
}

struct gate_counts gate_counts(const struct gate *g) {
    return g->count;
}

/* ---- opening ---- */

/* Returns lines for tc: the queue, the class above all, a class for each class of the fabric, and filters by DSCP. */
static char *queue_lines(const char *dev, uint32_t classes, long long all_bps) {
    char *lines;
    size_t size;
    FILE *out = text_stream(&lines, &size);
    fprintf(out, "qdisc replace dev %s root handle %x: htb default 1\n", dev, HANDLE);
    fprintf(out, "class add dev %s parent %x: classid %x:%x htb rate %lldbit quantum %d\n", dev, HANDLE, HANDLE, ALL,
            all_bps, FULL_FRAME_BYTES);
    for (uint32_t k = 0; k < classes; k++) {
        fprintf(out, "class add dev %s parent %x:%x classid %x:%x htb rate %lldbit ceil %lldbit prio %u quantum %d\n",
                dev, HANDLE, ALL, HANDLE, k + 1, GATE_LEAST_BPS, all_bps, CLASSES_MAX - 1 - k, FULL_FRAME_BYTES);
        fprintf(out, "qdisc add dev %s parent %x:%x pfifo limit %d\n", dev, HANDLE, k + 1, QUEUE_FRAMES);
    }
    for (uint32_t tos = 0; tos < CLASSES_MAX; tos++)
        fprintf(out, "filter add dev %s parent %x: protocol ip prio 1 u32 match ip dsfield 0x%x 0xe0 flowid %x:%x\n",
                dev, HANDLE, tos << 5, HANDLE, (tos < classes ? tos : classes - 1) + 1);
    text_stream_end(out, &lines);
    return lines;
}

struct gate *gate_open(const char *interface, uint32_t classes, int64_t link_bps, struct diag *d) {
    int64_t open_bps = min_i64(GATE_AHEAD * link_bps, GATE_MOST_BPS);
    char *lines = queue_lines(interface, classes, open_bps);
    bool good = run_program((char *[]){"tc", "-batch", "-", NULL}, lines, NULL, d);
    free(lines);
    if (!good) return NULL;
    struct gate *g = memory_one(sizeof *g);
    g->fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    g->interface = (int)if_nametoindex(interface);
    g->n = classes;
    for (uint32_t k = 0; k < classes; k++) g->throttle[k] = (struct throttle){open_bps, open_bps, TIME_NONE, 0};
    for (uint32_t k = 0; k < classes; k++) class_tell(g, k);
    if (g->fd >= 0 && g->count.refused == 0) return g;
    diag_say(d, "%s: the kernel does not change the rates of its queues", interface);
    gate_close(g);
    return NULL;
}

void gate_close(struct gate *g) {
    if (!g) return;
    for (uint32_t k = 0; k < g->n; k++)
        if (g->throttle[k].rate_bps != g->throttle[k].open_bps) {
            g->throttle[k].rate_bps = g->throttle[k].open_bps;
            class_tell(g, k);
        }
    if (g->fd >= 0) close(g->fd);
    free(g);
}
