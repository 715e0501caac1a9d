/* SPDX-License-Identifier: Apache-2.0 */
#include "live/lab/congestion.h"

#include "live/lab/run.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define REGISTERED "/proc/sys/net/ipv4/tcp_available_congestion_control"
#define FOR_ALL "/proc/sys/net/ipv4/tcp_allowed_congestion_control"
#define GAIN_ONE (1u << 20) /* the fixed point of dctcp.bpf.c */

bool congestion_is_there(const char *name) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool there = fd >= 0 && setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, name, (socklen_t)strlen(name)) == 0;
    if (fd >= 0) close(fd);
    return there;
}

static bool is_listed(const char *path, const char *name) {
    char text[1024] = "", *rest = text, *word;
    FILE *list = fopen(path, "r");
    if (!list) return false;
    if (!fgets(text, sizeof text, list)) text[0] = 0;
    fclose(list);
    while ((word = strsep(&rest, " \n")))
        if (strcmp(word, name) == 0) return true;
    return false;
}

bool congestion_is_registered(const char *name) { return is_listed(REGISTERED, name); }
bool congestion_is_for_all(const char *name) { return is_listed(FOR_ALL, name); }

void dctcp_name(const char *folder, char name[CONGESTION_NAME_MAX]) {
    uint32_t hash = 0x811c9dc5u; /* FNV-1a */
    for (const char *c = folder; *c; c++) hash = (hash ^ (uint8_t)*c) * 0x01000193u;
    snprintf(name, CONGESTION_NAME_MAX, "dctcp_%08x", hash);
}

static bool is_installed(const char *program) {
    struct diag none = {0};
    return run_program((char *[]){(char *)program, "--version", NULL}, NULL, NULL, &none);
}

static bool tools_are_there(struct diag *d) {
    bool clang = is_installed("clang"), bpftool = is_installed("bpftool");
    if (clang && bpftool) return true;
    return diag_say(d, "this kernel has no dctcp: install %s%s%s, with which a lab brings its own",
                    clang ? "" : "clang", clang || bpftool ? "" : " and ", bpftool ? "" : "bpftool");
}

bool dctcp_load(const char *name, const char *folder, uint32_t g_ppb, struct diag *d) {
    char object[600], with_name[64], with_gain[64];
    if (!tools_are_there(d)) return false;
    snprintf(object, sizeof object, "%s/" DCTCP_OBJECT, folder);
    snprintf(with_name, sizeof with_name, "-DDCTCP_NAME=%s", name);
    snprintf(with_gain, sizeof with_gain, "-DDCTCP_GAIN=%u", (uint32_t)((uint64_t)g_ppb * GAIN_ONE / PPB));
    bool good = run_program((char *[]){"clang", "-O2", "-g", "-target", "bpf", with_name, with_gain, "-x", "c", "-c",
                                       "-", "-o", object, NULL},
                            dctcp_source, NULL, d) &&
                run_program((char *[]){"bpftool", "struct_ops", "register", object, NULL}, NULL, NULL, d);
    unlink(object);
    return good;
}

bool dctcp_unload(const char *name, struct diag *d) {
    return !congestion_is_registered(name) ||
           run_program((char *[]){"bpftool", "struct_ops", "unregister", "name", (char *)name, NULL}, NULL, NULL, d) ||
           !congestion_is_registered(name);
}
