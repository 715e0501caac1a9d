/* SPDX-License-Identifier: Apache-2.0 */
/* A fabric on one machine: a network namespace for each host, and one process of heddle switch that runs all switches.
 *
 *    namespace heddle-LAB.host0.1          namespace heddle-LAB.switches           ...
 *        eth0 10.0.0.2/32  <---- veth ---->  h1 | heddle switch --node all | h2
 *
 * Each host has the address and the MAC of the fabric's description and one route, 10.0.0.0/8 by eth0. The switch
 * answers ARP for all other hosts (live/answer.h). Offloads are off on both ends of every veth, IPv6 is off, the
 * MTU of a host is that of the experiment's segments, and the switch's end has 100 B more, for tags. Where hosts have `rate: none`, or 10 Gbps and more, each thread of the switches
 * has a processor to itself, and those hosts receive on the others (live/lab/processors.h).
 *
 * Linux does not obey pause frames on veth. With `nic` the host's end of the veth is nic0, without an address; eth0 is
 * a TAP device, and a process of heddle nic in the host's namespace carries frames between them (live/nicd.h):
 *
 *    stack  eth0 (TAP)  <-  heddle nic  ->  nic0  <---- veth ---->  h1  heddle switch
 *
 * nic0 answers no ARP and has another MAC than eth0, so the stack takes no frame from it. NICs and switches then run
 * with real-time priority (chrt), if permitted: a pause must take effect while the switch still has room.
 *
 * Programs on hosts find hosts and switches by name (live/lab/names.h).
 *
 * Sockets of hosts have the congestion control of the experiment by default. DCTCP is the kernel's, or a BPF program of
 * the lab (live/lab/congestion.h).
 *
 * A host may be a container: it has an image's files then, and is as the others otherwise (live/lab/containers.h).
 *
 * lab_up writes the lab's record, STATE/LAB/lab.json, before it makes anything (live/lab/folder.h), and marks what it makes
 * (live/lab/mark.h). lab_down, and a lab_up that fails, remove what bears the mark, and nothing else. lab_down therefore
 * removes everything, whatever was killed meanwhile and whatever became of the record, and may be called any number of
 * times. It ends every process in the lab's namespaces. Needs root.
 */
#ifndef HEDDLE_LIVE_LAB_H
#define HEDDLE_LIVE_LAB_H

#include "fabric/fabric.h"
#include "live/lab/congestion.h"
#include "live/lab/mark.h"
#include "live/lab/processors.h"

#define LAB_NAME_MAX 32
#define LAB_PATH_MAX 512

struct lab_host {
    char *name, *space, *address;
    char *image; /* of its container (live/lab/containers.h), whose name is `space`; NULL: it is a bare namespace */
};

/* Nodes have the numbers of the fabric, hosts first. A link joins two nodes, the lower one first. */
struct lab_node {
    char *name, *address; /* address "": none */
    uint32_t tier, pod, index;
};
struct lab_link {
    char *name;
    uint32_t end[2];
};

struct lab {
    char name[LAB_NAME_MAX + 1];
    char id[LAB_ID_BYTES]; /* in its mark (live/lab/mark.h) */
    bool is_unmarked;      /* an earlier heddle made it, without a mark: its namespaces are known by their names */
    char folder[LAB_PATH_MAX], socket[LAB_PATH_MAX], log[LAB_PATH_MAX];
    char *file;                      /* path of the experiment */
    char *options;                   /* of lab up, as in struct lab_setup */
    char *switches;                  /* network namespace of the switches */
    bool has_nics;                   /* each host has a process of heddle nic in its namespace */
    bool is_in_time;                 /* while the lab is made: NICs and switches get real-time priority */
    struct processors processors;    /* while the lab is made; as many as the switches have threads, or none */
    char tool[16];                   /* that made the containers: "podman", "docker"; "": there are none */
    char dctcp[CONGESTION_NAME_MAX]; /* the BPF program that is the hosts' DCTCP; "": none */
    struct diag unnamed;   /* after lab_up: why names do not resolve on a host (live/lab/names.h); no text: they do */
    struct lab_host *host; /* [n_hosts] by host number */
    uint32_t n_hosts, n_switches;
    struct lab_node *node; /* [n_nodes] */
    struct lab_link *link; /* [n_links] */
    uint32_t n_nodes, n_links;
};

struct lab_setup {
    const char *state; /* folder of all labs */
    const char *name;  /* letters, digits, - and _ */
    const char *id;    /* the id of the lab, from lab_id_draw; NULL: one is drawn */
    const char *file;  /* path of the experiment */
    const char
        *options; /* of heddle lab up besides the name, with which the same lab is made again: " --run 3", as a shell
                          * reads them; NULL: none */
    const struct fabric *fabric;
    uint32_t threads;     /* of the switches */
    char *const *program; /* heddle switch FILE and its options, except ports and socket; ends in NULL */
    char *const *nic;     /* heddle nic FILE and its options, except host, ports and socket; NULL: hosts have no NIC */
    uint32_t mtu;         /* of the hosts' interfaces; 0: 1500 */
    const char *route;    /* addition to each host's route, such as "rto_min 10ms"; NULL: none */
    const char *sysctl;   /* lines for sysctl in each host, such as "net.ipv4.tcp_ecn = 1"; NULL: none */
    const char
        *congestion;  /* default congestion control of hosts' sockets: "reno", "cubic"; NULL: the kernel's default */
    const char *tool; /* "podman", "docker", "auto"; only asked for if `image` names one */
    const char *const *image;  /* [hosts] images of hosts that are containers; NULL for other hosts, or for all */
    uint32_t dctcp_g_ppb;      /* the gain of DCTCP, if any flow needs it; 0: none does */
    bool (*goes_on)(void *to); /* asked while the lab is made; false: lab_up fails. NULL: it goes on */
    void *to;
};

/* Makes a lab. Returns NULL after filling *d and removing the parts made so far; what was there before stays. */
struct lab *lab_up(const struct lab_setup *setup, struct diag *d);
/* Reads the description of the lab of this name. Returns NULL after filling *d: there is none. */
struct lab *lab_find(const char *state, const char *name, struct diag *d);
/* Fills *d with that there is no such lab, and with the names of the labs there are. Returns false. */
bool lab_fail_missing(const char *state, const char *name, struct diag *d);
/* Calls fn with the name of each lab that has a folder in `state`, in the order of their names. */
void labs_each(const char *state, void (*fn)(void *to, const char *name), void *to);
/* Returns the number of the node of this name; LAB_NO_NODE if the lab has none. */
uint32_t lab_node_find(const struct lab *lab, const char *name);
#define LAB_NO_NODE UINT32_MAX
void lab_free(struct lab *lab); /* frees the description only; NULL is allowed */

/* Whom a removal tells of what stays. */
struct lab_telling {
    /* is_of_lab: a part of the lab stays, and the removal returns false. Otherwise nothing of the lab is meant. */
    void (*tell)(void *to, const struct diag *what, bool is_of_lab);
    void *to;
};

/* What came of a removal: a part stays; nothing is left; there was nothing of such a lab. */
enum lab_end { LAB_STAYS, LAB_REMOVED, LAB_NOT_THERE };

/* Removes everything that lab_up made. t NULL: nobody is told. */
enum lab_end lab_down(const char *state, const char *name, const struct lab_telling *t);
/* Removes the lab if it has this id, and does nothing otherwise. Returns false if a part stays. */
bool lab_down_own(const char *state, const char *name, const char *id, const struct lab_telling *t);

/* Writes the path of the socket of a host's NIC. Returns path. */
const char *lab_nic_socket(const struct lab *lab, uint32_t host, char path[LAB_PATH_MAX]);

/* Becomes the program in the namespace of a host. Returns only on failure, after filling *d: the exit status, as of a shell
 * (127: there is no such program; 126: it cannot be executed), or 2 if there is no such host. */
int lab_exec(const struct lab *lab, const char *host, char *const argv[], struct diag *d);

/* Returns true if labs can be made here. False after filling *d: the user is not root, or a program is missing. */
bool lab_possible(struct diag *d);

#endif
