/* SPDX-License-Identifier: Apache-2.0 */
#include "live/lab/machine.h"

#include "live/lab/congestion.h"
#include "live/lab/containers.h"
#include "live/lab/run.h"
#include "live/port/port.h"

#include <errno.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef IPPROTO_MPTCP
#define IPPROTO_MPTCP 262
#endif

#define GAIN_PPB 62500000 /* of the DCTCP that is tried: 1 / 16 */

/* ---- findings ---- */

__attribute__((format(printf, 2, 3))) static void say(struct machine_finding *f, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    vsnprintf(f->found, sizeof f->found, fmt, args);
    va_end(args);
}

/* Runs a program; what it complained of is what was found. */
static bool ran(struct machine_finding *f, char *const argv[]) {
    struct diag d = {0};
    if (run_program(argv, NULL, NULL, &d)) return true;
    say(f, "%s", d.text);
    return false;
}

/* ---- the rows ---- */

static bool try_ROOT(struct machine_finding *f) {
    (void)f;
    return geteuid() == 0;
}

static bool try_IP(struct machine_finding *f) { return ran(f, (char *[]){"ip", "-V", NULL}); }
static bool try_SYSCTL(struct machine_finding *f) { return ran(f, (char *[]){"sysctl", "--version", NULL}); }
static bool try_ETHTOOL(struct machine_finding *f) { return ran(f, (char *[]){"ethtool", "--version", NULL}); }

/* From here on this process is in a namespace of its own. */
static bool try_NAMESPACES(struct machine_finding *f) {
    if (unshare(CLONE_NEWNET) == 0) return true;
    say(f, "unshare: %s", strerror(errno));
    return false;
}

static bool try_VETH(struct machine_finding *f) {
    return ran(f, (char *[]){"ip", "link", "add", "one", "type", "veth", "peer", "name", "two", NULL}) &&
           ran(f, (char *[]){"ip", "link", "set", "one", "up", NULL}) &&
           ran(f, (char *[]){"ip", "link", "set", "two", "up", NULL}) &&
           ran(f, (char *[]){"ip", "addr", "add", "10.0.0.1/32", "dev", "one", NULL});
}

static bool opens(struct machine_finding *f, const char *port) {
    struct diag d = {0};
    struct live_port *p = live_port_open(port, &d);
    if (!p) say(f, "%s", d.text);
    live_port_close(p);
    return p != NULL;
}

static bool try_PACKET(struct machine_finding *f) { return opens(f, "one"); }
static bool try_TAP(struct machine_finding *f) { return opens(f, "tap:three"); }
static bool try_XDP(struct machine_finding *f) { return opens(f, "xdp:two"); }
static bool try_REAL_TIME(struct machine_finding *f) { return ran(f, (char *[]){"chrt", "--rr", "1", "true", NULL}); }

static bool has_congestion(struct machine_finding *f, const char *name) {
    if (congestion_is_there(name)) return true;
    say(f, "%s: %s", name, strerror(errno));
    return false;
}

static bool try_RENO(struct machine_finding *f) { return has_congestion(f, "reno"); }
static bool try_CUBIC(struct machine_finding *f) { return has_congestion(f, "cubic"); }

static bool try_DCTCP(struct machine_finding *f) {
    char name[CONGESTION_NAME_MAX], folder[] = "/tmp/heddle-check-XXXXXX";
    struct diag d = {0};
    if (congestion_is_there("dctcp")) {
        say(f, "the kernel's own");
        return true;
    }
    if (!mkdtemp(folder)) return false;
    dctcp_name(folder, name);
    bool good = dctcp_load(name, folder, GAIN_PPB, &d) && dctcp_unload(name, &d);
    rmdir(folder);
    say(f, "%s", good ? "as a BPF program, by clang and bpftool" : d.text);
    return good;
}

static bool try_MIN_RTO(struct machine_finding *f) {
    return ran(f, (char *[]){"ip", "route", "add", "10.0.0.0/8", "dev", "one", "rto_min", "10ms", "initcwnd", "10",
                             "congctl", "reno", NULL});
}

/* RACK could be switched off until Linux 6.17 (cmd/lab_hosts.h). */
static bool try_REORDERING(struct machine_finding *f) {
    struct utsname name;
    unsigned major = 0, minor = 0;
    if (uname(&name) != 0 || sscanf(name.release, "%u.%u", &major, &minor) != 2) return false;
    bool is_new = major > 6 || (major == 6 && minor >= 17);
    if (is_new) say(f, "Linux %u.%u has RACK always: segments that are very late are sent again", major, minor);
    return !is_new;
}

static bool try_MPTCP(struct machine_finding *f) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, IPPROTO_MPTCP);
    if (fd < 0) say(f, "socket: %s", strerror(errno));
    if (fd >= 0) close(fd);
    return fd >= 0;
}

static bool try_CONTAINERS(struct machine_finding *f) {
    struct diag d = {0};
    const char *tool = containers_tool("auto", &d);
    if (!tool) return false;
    say(f, "%s", tool);
    return ran(f, (char *[]){(char *)tool, "version", NULL});
}

static bool try_CORES(struct machine_finding *f) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    say(f, "%ld", cores);
    return cores >= 2;
}

/* ---- all of them ---- */

const struct machine_row machine_rows[MACHINE_N] = {
    [MACHINE_ROOT] = {"root", "labs", "run heddle as root", true},
    [MACHINE_IP] = {"ip", "labs", "install iproute2", true},
    [MACHINE_SYSCTL] = {"sysctl", "labs", "install procps", true},
    [MACHINE_ETHTOOL] = {"ethtool", "labs", "install ethtool", true},
    [MACHINE_NAMESPACES] = {"namespaces", "hosts of labs",
                            "take a kernel with CONFIG_NET_NS; a container must be allowed "
                            "to make them (CAP_SYS_ADMIN)",
                            true},
    [MACHINE_VETH] = {"veth", "links of hosts", "load the module veth, or take a kernel with CONFIG_VETH", true},
    [MACHINE_PACKET] = {"AF_PACKET", "ports of switches", "take a kernel with CONFIG_PACKET (module af_packet)", true},
    [MACHINE_TAP] = {"TAP", "lossless edges (heddle nic), tap: ports",
                     "load the module tun; a container needs /dev/net/tun", false},
    [MACHINE_REAL_TIME] = {"real-time priority", "lossless edges in time",
                           "install util-linux (chrt); a container needs CAP_SYS_NICE", false},
    [MACHINE_XDP] = {"AF_XDP", "xdp: ports", "use AF_PACKET, the default", false},
    [MACHINE_RENO] = {"TCP reno", "host.transport newreno", "take a kernel with TCP", false},
    [MACHINE_CUBIC] = {"TCP cubic", "host.transport cubic", "load the module tcp_cubic", false},
    [MACHINE_DCTCP] = {"TCP dctcp", "host.transport dctcp",
                       "load the module tcp_dctcp, or install clang and bpftool on a kernel with BTF", false},
    [MACHINE_MIN_RTO] = {"routes with rto_min", "min_rto and initial_window", "install a newer iproute2", false},
    [MACHINE_REORDERING] = {"reordering", "balancers that reorder (spray, alb) under TCP",
                            "take a kernel before 6.17, or expect retransmissions that were not needed", false},
    [MACHINE_MPTCP] = {"MPTCP", "MPTCP programs on hosts; labs themselves do without",
                       "take a kernel with CONFIG_MPTCP and set net.mptcp.enabled=1", false},
    [MACHINE_CONTAINERS] = {"containers", "hosts that are containers (lab.hosts)",
                            "install podman, or docker.io and start its engine", false},
    [MACHINE_CORES] = {"two cores", "switches and hosts at once", "choose lower rates", false},
};

#define MACHINE_TRY(id) [MACHINE_##id] = try_##id,
static bool (*const tries[MACHINE_N])(struct machine_finding *f) = {MACHINE_ROWS(MACHINE_TRY)};

/* Returns whether a row can be tried by everybody. */
static bool is_for_all(enum machine_id id) {
    return id <= MACHINE_ETHTOOL || id == MACHINE_REORDERING || id == MACHINE_MPTCP || id == MACHINE_CONTAINERS ||
           id == MACHINE_CORES;
}

static void try_all(struct machine_finding *finding) {
    bool is_root = geteuid() == 0;
    for (enum machine_id id = 0; id < MACHINE_N; id++) {
        bool is_apart = id > MACHINE_NAMESPACES && !finding[MACHINE_NAMESPACES].works;
        finding[id].is_tried = is_for_all(id) || (is_root && !is_apart);
        if (finding[id].is_tried)
            finding[id].works = tries[id](&finding[id]);
        else
            say(&finding[id], "not tried: %s", is_root ? "there are no namespaces" : "this is not root");
    }
}

void machine_try(struct machine_finding finding[MACHINE_N]) {
    const size_t size = sizeof *finding * MACHINE_N;
    int fd[2];
    memset(finding, 0, size);
    if (pipe(fd) != 0) return;
    pid_t child = fork();
    if (child == 0) {
        close(fd[0]);
        try_all(finding);
        for (size_t at = 0; at < size;) {
            ssize_t put = write(fd[1], (const char *)finding + at, size - at);
            if (put <= 0) _exit(1);
            at += (size_t)put;
        }
        _exit(0);
    }
    close(fd[1]);
    for (size_t at = 0; child > 0 && at < size;) {
        ssize_t got = read(fd[0], (char *)finding + at, size - at);
        if (got <= 0) break;
        at += (size_t)got;
    }
    close(fd[0]);
    if (child > 0) waitpid(child, NULL, 0);
}
