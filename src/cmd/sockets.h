/* SPDX-License-Identifier: Apache-2.0 */
/* Where the switches that run on this machine are found: the socket of NAME is /run/heddle/NAME.sock, for somebody who
 * is not root $XDG_RUNTIME_DIR/heddle/NAME.sock. */
#ifndef HEDDLE_CMD_SOCKETS_H
#define HEDDLE_CMD_SOCKETS_H

#include "base/diag.h"

#include <stddef.h>

/* The folder; made if it is missing and `make` is set. False after filling *d. */
bool sockets_folder(char *path, size_t size, bool make, struct diag *d);
/* The socket of a name; a name with a slash is the path itself. */
bool socket_path(const char *name, char *path, size_t size, bool make, struct diag *d);

#endif
