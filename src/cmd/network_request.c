/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/network_request.h"

#include "base/units.h"
#include "cmd/commands.h"
#include "fabric/nics.h"
#include "study/config/pause_classes.h"

int network_request(struct experiment_request *q, uint32_t run, network_use_fn use, void *to) {
    struct diag d = {0};
    struct experiment *e = experiment_request_open(q);
    if (!e) return 2;
    struct assembly *a = NULL;
    int code = run > e->n_runs ? exit_no_run(run, e->n_runs) : 0;
    if (!code) pause_classes_of_all(&e->run[run - 1].config);
    if (!code && !(a = assembly_create_network(&e->run[run - 1].config, e->base_dir, &d))) code = exit_diag(&d);
    if (a) code = use(to, e, a);
    assembly_free(a);
    experiment_free(e);
    return code;
}

int network_refuse_links(const struct assembly *a) {
    const struct diag *at = &a->fabric_spec.where;
    uint32_t host = fabric_multihomed_host(a->fabric);
    char name[FABRIC_NODE_NAME_MAX];
    struct diag d = {0};
    if (host == NODE_NONE) return 0;
    diag_fail(
        &d, at->file, at->line, at->col,
        "host %s has %u links, but a host on real frames has one; leave each host one link, or simulate the fabric "
        "with heddle run",
        fabric_node_name(a->fabric, host, name, sizeof name), fabric_host_nics(a->fabric, host));
    return exit_diag(&d);
}

void network_warn_of_failures(const struct experiment_request *q, const struct assembly *a, const char *remedy) {
    if (!a->fabric->n_events) return;
    fprintf(stderr, "%s: warning: no link fails by itself, whatever the file says of failures; %s\n", q->file, remedy);
}

#define SOFTWARE_KEEPS (100 * 1000000LL) /* bits per second, as docs/guide.md says */

void network_warn_of_rates(const struct experiment_request *q, const struct assembly *a) {
    const struct path_view *paths = &a->fabric->paths;
    int64_t most = 0;
    for (uint32_t i = 0; i < paths->first_port[a->fabric->n_nodes]; i++) {
        bool has_none = paths->port[i].rate_bps == LIVE_RATE_BPS && paths->port[i].delay == 0;
        if (!has_none) most = max_i64(most, paths->port[i].rate_bps);
    }
    char rate[UNITS_TEXT_MAX];
    if (most <= SOFTWARE_KEEPS) return;
    fprintf(stderr,
            "%s: warning: links of %s: software keeps rates of 10 to 100 Mbps, and frames that this machine cannot "
            "carry queue in "
            "its kernel, not in the switches; lower the rates, or write fabric.rate: none\n",
            q->file, units_print(PARAM_RATE, most, rate, sizeof rate));
}
