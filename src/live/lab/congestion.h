/* SPDX-License-Identifier: Apache-2.0 */
/* DCTCP for the hosts of a lab: the kernel's own where it has one, else share/bpf/dctcp.bpf.c, a BPF program.
 *
 * The program needs clang and bpftool, and a kernel with BTF. Each lab registers one of its own, under a name that is
 * made from the lab's folder, so removing it concerns no other lab. It stays registered until it is removed, whatever
 * is killed; sockets that still use it then keep it until they are closed. */
#ifndef HEDDLE_LIVE_LAB_CONGESTION_H
#define HEDDLE_LIVE_LAB_CONGESTION_H

#include "base/diag.h"

#include <stdint.h>

#define CONGESTION_NAME_MAX 16     /* as in the kernel, the final 0 included */
#define DCTCP_OBJECT "dctcp.bpf.o" /* in the lab's folder, while it is compiled and registered */

extern const char dctcp_source[];
extern const size_t dctcp_source_bytes;

/* Returns whether sockets of this network namespace can have the congestion control; root's request makes the kernel
 * load a module of that name. */
bool congestion_is_there(const char *name);

/* Returns whether a namespace may have it as its default: it is in the administrator's list for everybody. */
bool congestion_is_for_all(const char *name);

/* Returns whether the kernel has a congestion control registered under this name; loads no module. */
bool congestion_is_registered(const char *name);

/* Fills in the name of a lab's program. */
void dctcp_name(const char *folder, char name[CONGESTION_NAME_MAX]);

/* Compiles the program in `folder`, which must exist, with the gain g in parts of a billion, and registers it. Returns
 * false after filling *d: a tool is missing, or what the compiler or the kernel complained of. */
bool dctcp_load(const char *name, const char *folder, uint32_t g_ppb, struct diag *d);

/* Removes the program; true if it is not registered, too. */
bool dctcp_unload(const char *name, struct diag *d);

#endif
