/* SPDX-License-Identifier: Apache-2.0 */
/* What the kernel says of a network interface. Inside live/port. */
#ifndef HEDDLE_LIVE_PORT_INTERFACE_H
#define HEDDLE_LIVE_PORT_INTERFACE_H

#include <stdbool.h>
#include <stdint.h>

int interface_control(void); /* a socket to ask with; -1 and errno */
/* It is up and its link too. */
bool interface_is_running(int control, const char *name);
/* Bytes of IPv4 that it takes; 0 and errno: it is not there. */
uint32_t interface_mtu(int control, const char *name);

#endif
