/* SPDX-License-Identifier: Apache-2.0 */
/* Names inside a lab: a program on a host finds the hosts and switches of its lab by their names.
 *
 *    STATE/LAB/etc/hosts                             localhost, then a line for each node that has an address
 *    STATE/LAB/etc/resolv.conf                       no name server: one of the machine cannot be reached from inside, and
 *                                                    programs would wait for its answer
 *    /etc/netns/heddle-LAB.HOST -> STATE/LAB/etc     a link for each host, and for the namespace of the switches
 *
 * `ip netns exec`, and so lab_exec, lays the files in /etc/netns/NAME over those in /etc for the program that it starts
 * (ip-netns(8)). A program that enters the namespace in another way, such as nsenter, keeps the machine's /etc/hosts.
 *
 * A link appears at once, and its target says which lab made it. So names_remove finds all that a lab made, also if its
 * `lab up` was killed, and removes nothing else. A link without its lab is replaced: a restart of the machine empties /run
 * but not /etc. The folder /etc/netns itself stays, as /run/netns does.
 */
#ifndef HEDDLE_LIVE_LAB_NAMES_H
#define HEDDLE_LIVE_LAB_NAMES_H

#include "live/lab/lab.h"

#define NAMES_LINKS "/etc/netns"

/* Makes the files and the links. The caller has the lock of the lab's folder. Returns false after filling *d: names do
 * not resolve on some host, and the lab is sound all the same. */
bool names_make(const struct lab *lab, struct diag *d);
/* Removes the links, the files and their folder; a file that somebody put there stays, with the folder. Needs only the
 * name and the folder of the lab. */
void names_remove(const struct lab *lab);

/* Returns whether programs on a host find the node `to` by its name. */
bool names_reach(const struct lab *lab, uint32_t host, uint32_t to);

/* Writes the path of a file that is laid over that of /etc: "hosts" or "resolv.conf". Returns path. */
const char *names_path(const struct lab *lab, const char *name, char path[LAB_PATH_MAX]);
/* Returns the text of the hosts file, which the caller frees. Leaves out nodes whose names are not for hosts files. `own` is
 * the name of this machine. */
char *names_text(const struct lab *lab, const char *own);

#endif
