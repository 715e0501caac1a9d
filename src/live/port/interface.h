/* SPDX-License-Identifier: Apache-2.0 */
/* State of a network interface in the kernel. Private to live/port. */
#ifndef HEDDLE_LIVE_PORT_INTERFACE_H
#define HEDDLE_LIVE_PORT_INTERFACE_H

#include <stdbool.h>
#include <stdint.h>

int interface_control(void); /* returns a socket for requests; -1 and errno on failure */
/* Returns true if the interface and its link are up. */
bool interface_is_running(int control, const char *name);
/* Returns the index of the interface that has the name now, in the namespace of the socket; 0: there is none. */
int interface_index(int control, const char *name);
/* Returns the most bytes of IPv4 in a frame; 0 and errno: there is no such interface. */
uint32_t interface_mtu(int control, const char *name);

#endif
