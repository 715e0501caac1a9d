/* SPDX-License-Identifier: Apache-2.0 */
/* A network namespace of the test's own. Its interfaces are invisible to others and end with the process. */
#ifndef HEDDLE_TESTS_LIVE_NETNS_H
#define HEDDLE_TESTS_LIVE_NETNS_H

#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "unit.h"

/* Enters a new namespace. Without root or without namespaces the case ends here, skipped. */
static inline void netns_enter(void) {
    static int entered = -1;
    if (entered < 0) entered = geteuid() == 0 && unshare(CLONE_NEWNET) == 0;
    if (entered) return;
    print_message("needs root and network namespaces\n");
    skip();
}

/* Runs `ip ...`; fails the test if that fails. */
static inline void netns_ip(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static inline void netns_ip(const char *fmt, ...) {
    char command[512] = "ip ";
    va_list args;
    va_start(args, fmt);
    vsnprintf(command + 3, sizeof command - 3, fmt, args);
    va_end(args);
    if (system(command) != 0) fail_msg("%s", command);
}

/* Makes a pair of interfaces that are up. IPv6 is off, since it would send frames of its own. */
static inline void netns_veth(const char *a, const char *b, int mtu) {
    char command[128];
    snprintf(command, sizeof command, "ip link del %s 2>/dev/null", a); /* left by a test that failed */
    if (system(command) < 0) fail();
    netns_ip("link add %s mtu %d type veth peer name %s mtu %d", a, mtu, b, mtu);
    const char *const names[] = {a, b};
    for (int i = 0; i < 2; i++) {
        char path[128];
        snprintf(path, sizeof path, "/proc/sys/net/ipv6/conf/%s/disable_ipv6", names[i]);
        FILE *f = fopen(path, "w");
        if (f) fputs("1", f);
        if (f) fclose(f);
        netns_ip("link set %s up", names[i]);
    }
}

#endif
