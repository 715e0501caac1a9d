/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a request is for this server, by its Host header (RFC 9110, 7.2).
 *
 * A page of a stranger can have a name that points to 127.0.0.1 (DNS rebinding). A browser that shows it reads our answers
 * as that page's own, but asks with its name. So only names and addresses are served that are ours:
 *
 *   localhost, 127.0.0.0/8, [::1]       always
 *   the host that --serve was given     as it was written
 *   every address, and this machine's   if --serve was given 0.0.0.0 or [::]: no other page's name is an address
 *   name
 */
#ifndef HEDDLE_LIVE_LAB_HOST_HEADER_H
#define HEDDLE_LIVE_LAB_HOST_HEADER_H

#include <stdbool.h>

/* Returns whether the request is for the host `told`, an address or a name without brackets. `header`: the value of the
 * field, with or without a port; NULL: there was none, which no browser sends. `machine`: this machine's name. */
bool host_is_served(const char *header, const char *told, const char *machine);

#endif
