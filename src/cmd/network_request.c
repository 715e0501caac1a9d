/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/network_request.h"

#include "cmd/commands.h"
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

void network_warn_of_failures(const struct experiment_request *q, const struct assembly *a, const char *remedy) {
    if (!a->fabric->n_events) return;
    fprintf(stderr, "%s: warning: no link fails by itself, whatever the file says of failures; %s\n", q->file, remedy);
}
