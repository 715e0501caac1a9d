/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/result.h"

#include <stdlib.h>

void run_result_free(struct run_result *r) {
    free(r->counter);
    free(r->port);
    free(r->buffer);
    free(r->pause);
    free(r->ring);
    free(r->sample);
    free(r->imbalance);
    free(r->join);
    free(r->timeline);
    free(r->tally);
    free(r->bound_ps);
    *r = (struct run_result){0};
}
