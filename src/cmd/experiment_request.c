/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/experiment_request.h"

#include "cmd/commands.h"

struct experiment *experiment_request_read(struct experiment_request *q, struct diag *d) {
    q->options.set = q->set.item;
    q->options.n_set = q->set.n;
    return experiment_read(q->file, &q->options, d);
}

struct experiment *experiment_request_open(struct experiment_request *q) {
    struct diag d = {0};
    struct experiment *e = experiment_request_read(q, &d);
    if (!e) exit_diag(&d);
    return e;
}
