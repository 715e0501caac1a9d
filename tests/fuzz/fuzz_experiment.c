/* SPDX-License-Identifier: Apache-2.0 */
/* Reads any bytes as an experiment file. It must refuse them with a message, or return runs whose printed effective
 * configuration reads back as the same. It opens no other file. */
#include "study/claims/expect.h"
#include "study/experiment/experiment.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void require(bool holds) {
    if (!holds) abort();
}

static void read_back(const struct planned_run *r, const struct experiment_options *o) {
    struct diag d = {0};
    struct experiment *again = experiment_parse(r->text, strlen(r->text), "again.yaml", o, &d);
    require(again != NULL);
    require(again->n_runs == 1 && strcmp(again->run[0].identity, r->identity) == 0);
    experiment_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    struct experiment_options o = {.no_files = true};
    struct diag d = {0};
    if (n > 1 << 14) return 0;
    struct experiment *e = experiment_parse((const char *)data, n, "fuzz.yaml", &o, &d);
    if (!e) {
        require(d.text[0] != '\0' && d.line >= 0);
        return 0;
    }
    for (size_t i = 0; i < e->n_runs && i < 4; i++) read_back(&e->run[i], &o);
    struct expectations x;
    if (expectations_read(e, &x, &d)) {
        expectations_free(&x);
    } else {
        require(d.text[0] != '\0');
    }
    experiment_free(e);
    return 0;
}
