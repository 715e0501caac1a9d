/* SPDX-License-Identifier: Apache-2.0 */
#include "live/port/interface.h"

#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

int interface_control(void) { return socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0); }

static struct ifreq ask_for(const char *name) {
    struct ifreq ask = {.ifr_flags = 0};
    snprintf(ask.ifr_name, sizeof ask.ifr_name, "%s", name);
    return ask;
}

bool interface_is_running(int control, const char *name) {
    struct ifreq ask = ask_for(name);
    return ioctl(control, SIOCGIFFLAGS, &ask) == 0 && ask.ifr_flags & IFF_UP && ask.ifr_flags & IFF_RUNNING;
}

uint32_t interface_mtu(int control, const char *name) {
    struct ifreq ask = ask_for(name);
    return ioctl(control, SIOCGIFMTU, &ask) == 0 ? (uint32_t)ask.ifr_mtu : 0;
}
