/* SPDX-License-Identifier: Apache-2.0 */
/* The keys of the `workload` block. The keys of each kind of workload stand in its table (workload/workload.h). */
#include "study/config/schema_rows.h"
#include "workload/workload.h"

const struct row workload_rows[] = {
    {.key = LIST("workload", "what is sent: a list of entries")},
    {.key = CHOICE("workload.#.kind", NULL, NULL, "its kind"), .names_of = "workloads"},
    KEYS_OF("workloads"),
    {.key = CHOICE("workload.#.transport", "=host.transport", NULL, "another transport than host.transport"),
     .names_of = "transports"},
    {.key.path = "workload.#", .param_list = workload_entry_keys},
};
const size_t n_workload_rows = sizeof workload_rows / sizeof *workload_rows;
