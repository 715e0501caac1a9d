/* SPDX-License-Identifier: Apache-2.0 */
/* Paths of the sockets of switches on this machine: /run/heddle/NAME.sock, or $XDG_RUNTIME_DIR/heddle/NAME.sock for
 * users other than root. */
#ifndef HEDDLE_CMD_SOCKETS_H
#define HEDDLE_CMD_SOCKETS_H

#include "base/diag.h"

#include <stddef.h>

/* Writes the path of the folder; creates it if `make` is set. Returns false after filling *d. */
bool sockets_folder(char *path, size_t size, bool make, struct diag *d);
/* Writes the path of the socket of a name; a name with a slash is the path itself. */
bool socket_path(const char *name, char *path, size_t size, bool make, struct diag *d);

#endif
