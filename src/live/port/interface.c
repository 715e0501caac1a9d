/* SPDX-License-Identifier: Apache-2.0 */
#include "live/port/interface.h"

#include <linux/ethtool.h>
#include <linux/sockios.h>
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

/* Asks the driver: IFF_RUNNING may follow a change up to a second late. */
bool interface_is_running(int control, const char *name) {
    struct ifreq flags = ask_for(name), ask = ask_for(name);
    struct ethtool_value link = {.cmd = ETHTOOL_GLINK};
    ask.ifr_data = (void *)&link;
    return ioctl(control, SIOCGIFFLAGS, &flags) == 0 && flags.ifr_flags & IFF_UP &&
           ioctl(control, SIOCETHTOOL, &ask) == 0 && link.data;
}

int interface_index(int control, const char *name) {
    struct ifreq ask = ask_for(name);
    return ioctl(control, SIOCGIFINDEX, &ask) == 0 ? ask.ifr_ifindex : 0;
}

uint32_t interface_mtu(int control, const char *name) {
    struct ifreq ask = ask_for(name);
    return ioctl(control, SIOCGIFMTU, &ask) == 0 ? (uint32_t)ask.ifr_mtu : 0;
}
