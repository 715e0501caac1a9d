/* SPDX-License-Identifier: Apache-2.0 */
/* Hosts of a lab that are containers, made by podman or docker:
 *
 *   TOOL run --detach --rm --pull never --network none --name heddle-LAB.HOST --hostname HOST --label heddle.lab=MARK
 *            --env HEDDLE_LAB_MARK=MARK --cap-add NET_RAW --cap-add NET_ADMIN IMAGE
 *
 * with the lab's /etc/hosts and /etc/resolv.conf as volumes (live/lab/names.h). The container brings a network namespace of its
 * own, which becomes the host's (space_adopt); from then on the host is as any other. heddle pulls no image. The program of the
 * image has to stay: the container ends with it.
 *
 * The label and the environment are the lab's mark (live/lab/mark.h). Whatever instant a lab up is killed at, containers_end
 * finds by the label what the lab made. Without a record it is not known which tool made containers; their processes are then
 * ended by the mark in their environment, and --rm removes the containers. A tool that still runs holds the lock of the lab's
 * folder; the monitors that it leaves behind do not (run_program_apart).
 */
#ifndef HEDDLE_LIVE_LAB_CONTAINERS_H
#define HEDDLE_LIVE_LAB_CONTAINERS_H

#include "live/lab/lab.h"

/* Returns the tool that `wanted` names, "podman" or "docker"; for "auto" the first of them on the PATH. NULL after filling *d. */
const char *containers_tool(const char *wanted, struct diag *d);

/* Returns whether hosts may be containers: their names are fit for the tool. Returns false after filling *d. */
bool containers_are_fit(const struct lab *lab, struct diag *d);

/* Starts the container of a host. Returns the number of its first process; -1 after filling *d. */
pid_t container_start(const struct lab *lab, uint32_t host, struct diag *d);

/* Returns whether the container of each host that is one runs. Returns false after setting *host to one that does not. */
bool containers_run(const struct lab *lab, uint32_t *host);

/* Ends and removes the containers of the lab. Returns false after filling *d: one stays. */
bool containers_end(const struct lab *lab, struct diag *d);

/* Returns the command line, ending in NULL, that runs argv in the container of a host; the caller frees the array alone. */
const char **container_line(const struct lab *lab, uint32_t host, char *const argv[]);

#endif
