/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/result.h"

#include <stdlib.h>

void run_result_free(struct run_result *r) {
#define FREE(array, count) free(r->array);
    RUN_RESULT_ARRAYS(FREE)
#undef FREE
    struct tallies blocks = {.block = r->tally_block, .n = r->n_flows};
    tallies_fini(&blocks);
    *r = (struct run_result){0};
}
