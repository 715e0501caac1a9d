/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/lab_hosts.h"

#include "mech/transport/dctcp.h"
#include "wire/frame.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Sets *value to a parameter of a transport of the hosts. Returns false if it has none of this name. */
static bool param_at(const struct world_config *w, uint32_t number, const char *name, int64_t *value) {
    const struct transport_ops *t = w->hosts.transport[number];
    for (size_t i = 0; i < transport_n_params(t); i++)
        if (strcmp(transport_param(t, i).name, name) == 0) {
            *value = w->hosts.transport_params[number][i];
            return true;
        }
    return false;
}

static bool param_of(const struct world_config *w, const char *name, int64_t *value) {
    return param_at(w, 0, name, value);
}

/* The gain of DCTCP as the simulator has it: the parameter, or by the rate of the hosts' links. */
static uint32_t dctcp_gain(const struct world_config *w) {
    int64_t g = 0;
    for (uint32_t i = 0; i < w->hosts.n_transports; i++) {
        const char *kernel = w->hosts.transport[i]->kernel;
        if (!kernel || strcmp(kernel, "dctcp") != 0) continue;
        if (param_at(w, i, "g", &g) && g > 0) return (uint32_t)g;
        return dctcp_gain_ppb(w->fabric->paths.port[w->fabric->paths.first_port[0]].rate_bps);
    }
    return 0;
}

static uint32_t mtu_of(const struct world_config *w) {
    int64_t longest = 0, mss;
    for (uint32_t i = 0; i < w->hosts.n_transports; i++)
        if (w->hosts.transport[i]->kernel && param_at(w, i, "mss", &mss)) longest = max_i64(longest, mss);
    return longest ? IPV4_BYTES + TCP_BASE_BYTES + (uint32_t)longest : 0;
}

__attribute__((format(printf, 3, 4))) static void add(char *text, size_t size, const char *fmt, ...) {
    size_t used = strlen(text);
    va_list args;
    va_start(args, fmt);
    vsnprintf(text + used, size - used, fmt, args);
    va_end(args);
}

/* Returns true if any switch port marks. */
static bool marks(const struct world_config *w) {
    struct admit_limits l = admit_limits_of(&w->switches.admit, 1 << 20, 10000000000LL);
    return l.mark_bytes != 0 || l.phantom_bytes != 0;
}

void lab_hosts_of(const struct world_config *w, struct lab_hosts *h) {
    int64_t value;
    *h =
        (struct lab_hosts){.congestion = w->hosts.transport[0]->kernel, .mtu = mtu_of(w), .dctcp_g_ppb = dctcp_gain(w)};
    add(h->sysctl, sizeof h->sysctl, "net.ipv4.tcp_reflect_tos = 1\n");
    if (param_of(w, "min_rto", &value) && value >= PS_PER_MS)
        add(h->route, sizeof h->route, "rto_min %lldms ", (long long)(value / PS_PER_MS));
    if (param_of(w, "initial_window", &value)) add(h->route, sizeof h->route, "initcwnd %lld ", (long long)value);
    if (param_of(w, "sack", &value) && !value) add(h->sysctl, sizeof h->sysctl, "net.ipv4.tcp_sack = 0\n");
    if (marks(w)) add(h->sysctl, sizeof h->sysctl, "net.ipv4.tcp_ecn = 1\n");
    bool patient = param_of(w, "fast_retransmit", &value) && value == 0;
    if (!patient && !w->switches.balance->reorders) return;
    add(h->sysctl, sizeof h->sysctl, /* tcp_max_reordering is the kernel's limit */
        "net.ipv4.tcp_max_reordering = 1000\nnet.ipv4.tcp_reordering = 1000\nnet.ipv4.tcp_recovery = 4\n"
        "net.ipv4.tcp_early_retrans = 0\n");
}
