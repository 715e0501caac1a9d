/* SPDX-License-Identifier: Apache-2.0 */
/* What this machine can do for labs: a row for each thing that a lab, or a part of some labs, needs.
 *
 * Each row is tried out, not looked up: in a network namespace of a child process, which goes with it. DCTCP as a BPF
 * program is compiled, registered under a name of this process, and removed. */
#ifndef HEDDLE_LIVE_LAB_MACHINE_H
#define HEDDLE_LIVE_LAB_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Rows of the table in machine.c: id. */
#define MACHINE_ROWS(X)                                                                                                \
    X(ROOT)                                                                                                            \
    X(IP)                                                                                                              \
    X(SYSCTL)                                                                                                          \
    X(ETHTOOL)                                                                                                         \
    X(NAMESPACES)                                                                                                      \
    X(VETH)                                                                                                            \
    X(PACKET)                                                                                                          \
    X(TAP)                                                                                                             \
    X(REAL_TIME)                                                                                                       \
    X(XDP)                                                                                                             \
    X(RENO)                                                                                                            \
    X(CUBIC)                                                                                                           \
    X(DCTCP)                                                                                                           \
    X(MIN_RTO)                                                                                                         \
    X(REORDERING)                                                                                                      \
    X(MPTCP)                                                                                                           \
    X(CONTAINERS)                                                                                                      \
    X(CORES)
#define MACHINE_ID(id) MACHINE_##id,
enum machine_id { MACHINE_ROWS(MACHINE_ID) MACHINE_N };
#undef MACHINE_ID

struct machine_row {
    const char *name;   /* "real-time" */
    const char *what;   /* what it is for */
    const char *remedy; /* what to do where it is missing */
    bool is_needed;     /* no lab without it */
};
extern const struct machine_row machine_rows[MACHINE_N];

struct machine_finding {
    bool is_tried, works;
    char found[300]; /* more about it; what the kernel or a program complained of, or "" */
};

/* Tries all. Rows that need root, or a namespace, are not tried where there is none, and say so. */
void machine_try(struct machine_finding finding[MACHINE_N]);

#endif
