/* SPDX-License-Identifier: Apache-2.0 */
/* Commands that build the network of one run of an experiment: FILE.yaml, --set, --profile and --run. */
#ifndef HEDDLE_CMD_NETWORK_REQUEST_H
#define HEDDLE_CMD_NETWORK_REQUEST_H

#include "cmd/experiment_request.h"
#include "study/assemble/assemble.h"

/* What a command does with its network; returns the exit status. */
typedef int (*network_use_fn)(void *to, const struct experiment *e, const struct assembly *a);

/* Reads the experiment, builds the network of its run number `run` (from 1), calls use(to, experiment, network) and frees both. Returns
 * what `use` returned; 2 after printing why there is no such network. */
int network_request(struct experiment_request *q, uint32_t run, network_use_fn use, void *to);

/* Returns 2 after printing an error if a host has several links: a host on real frames has one interface with one address, for
 * heddle switch, nic and lab alike. Else returns 0. */
int network_refuse_links(const struct assembly *a);
/* Warns if the file has failures: what the command starts leaves links up. `remedy` says what cuts them. */
void network_warn_of_failures(const struct experiment_request *q, const struct assembly *a, const char *remedy);
/* Warns if links are faster than software keeps. */
void network_warn_of_rates(const struct experiment_request *q, const struct assembly *a);

#endif
