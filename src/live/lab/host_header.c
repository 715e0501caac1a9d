/* SPDX-License-Identifier: Apache-2.0 */
#include "live/lab/host_header.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define HOST_MAX 256

/* Copies the host of HOST, HOST:PORT, [ADDR] or [ADDR]:PORT. Returns false if it is none of these. */
static bool host_of(const char *header, char host[HOST_MAX]) {
    bool is_v6 = header[0] == '[';
    const char *end = is_v6 ? strchr(header, ']') : header + strcspn(header, ":");
    if (!end) return false;
    const char *begin = header + is_v6, *rest = end + is_v6;
    size_t length = (size_t)(end - begin);
    bool is_port = rest[0] == ':' && rest[1] && rest[1 + strspn(rest + 1, "0123456789")] == '\0';
    if (length == 0 || length >= HOST_MAX || (rest[0] && !is_port)) return false;
    snprintf(host, HOST_MAX, "%.*s", (int)length, begin);
    return true;
}

static bool is_address(const char *host) {
    struct in6_addr any;
    return inet_pton(AF_INET, host, &any) == 1 || inet_pton(AF_INET6, host, &any) == 1;
}

static bool is_loopback(const char *host) {
    struct in_addr v4;
    struct in6_addr v6;
    if (inet_pton(AF_INET, host, &v4) == 1) return ntohl(v4.s_addr) >> 24 == 127;
    return inet_pton(AF_INET6, host, &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

static bool is_any(const char *host) {
    struct in_addr v4;
    struct in6_addr v6;
    if (inet_pton(AF_INET, host, &v4) == 1) return v4.s_addr == INADDR_ANY;
    return inet_pton(AF_INET6, host, &v6) == 1 && IN6_IS_ADDR_UNSPECIFIED(&v6);
}

bool host_is_served(const char *header, const char *told, const char *machine) {
    char host[HOST_MAX];
    if (!header || !host_of(header, host)) return false;
    if (strcasecmp(host, "localhost") == 0 || is_loopback(host) || strcasecmp(host, told) == 0) return true;
    return is_any(told) && (is_address(host) || strcasecmp(host, machine) == 0);
}
