/* SPDX-License-Identifier: Apache-2.0 */
#include "live/lab/names.h"

#include "base/memory.h"
#include "live/lab/spaces.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER "etc" /* of hosts' files, in the folder of the lab */
#define LINK_MAX 300

static void folder_path(const struct lab *lab, char path[LAB_PATH_MAX]) {
    snprintf(path, LAB_PATH_MAX, "%.480s/" FOLDER, lab->folder);
}

const char *names_path(const struct lab *lab, const char *name, char path[LAB_PATH_MAX]) {
    snprintf(path, LAB_PATH_MAX, "%.480s/" FOLDER "/%.16s", lab->folder, name);
    return path;
}

/* ---- the files ---- */

/* Returns whether a name may stand in a hosts file: one word, no comment, and no option of programs. */
static bool is_fit(const char *name) {
    size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-");
    return n > 0 && name[n] == 0 && name[0] != '-';
}

char *names_text(const struct lab *lab, const char *own) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    bool is_own = is_fit(own) && strcmp(own, "localhost") != 0;
    for (uint32_t n = 0; n < lab->n_nodes; n++) is_own = is_own && strcmp(lab->node[n].name, own) != 0;
    fprintf(out, "127.0.0.1 localhost%s%s\n", is_own ? " " : "", is_own ? own : "");
    for (const struct lab_node *n = lab->node; n < lab->node + lab->n_nodes; n++)
        if (n->address[0] && is_fit(n->name)) fprintf(out, "%s %s\n", n->address, n->name);
    fclose(out);
    return text;
}

/* Writes a file beside its place, then renames it. */
static bool file_write(const struct lab *lab, const char *name, const char *text, struct diag *d) {
    char path[LAB_PATH_MAX], beside[LAB_PATH_MAX + 8];
    snprintf(beside, sizeof beside, "%s.new", names_path(lab, name, path));
    unlink(beside); /* what a killed process left, or another put there */
    FILE *out = fopen(beside, "wxe");
    bool good = out && fputs(text, out) >= 0;
    good = out && fclose(out) == 0 && good && rename(beside, path) == 0;
    return good || diag_fail_in(d, path, "names do not resolve inside: %s", strerror(errno));
}

static bool files_write(const struct lab *lab, struct diag *d) {
    static const char no_server[] = "# a lab has no name server\nnameserver 127.0.0.1\noptions timeout:1 attempts:1\n";
    char folder[LAB_PATH_MAX], own[256] = "";
    folder_path(lab, folder);
    gethostname(own, sizeof own - 1);
    if (mkdir(folder, 0755) != 0 && errno != EEXIST) return diag_fail_in(d, folder, "%s", strerror(errno));
    char *text = names_text(lab, own);
    bool good = file_write(lab, "hosts", text, d);
    free(text);
    if (access("/etc/resolv.conf", F_OK) == 0) good = good && file_write(lab, "resolv.conf", no_server, d);
    return good;
}

/* ---- the links ---- */

static void link_path(const char *space, char path[LINK_MAX]) {
    snprintf(path, LINK_MAX, NAMES_LINKS "/%.255s", space);
}

/* Returns whether the path is a link that this lab made, or an earlier one in its folder. */
static bool is_of_lab(const struct lab *lab, const char *path) {
    char target[LAB_PATH_MAX + 1], folder[LAB_PATH_MAX];
    ssize_t n = readlink(path, target, sizeof target - 1);
    folder_path(lab, folder);
    if (n < 0) return false;
    target[n] = 0;
    return strcmp(target, folder) == 0;
}

static bool link_make(const struct lab *lab, const char *space, struct diag *d) {
    char path[LINK_MAX], folder[LAB_PATH_MAX];
    link_path(space, path);
    folder_path(lab, folder);
    int code = symlink(folder, path) == 0 ? 0 : errno;
    if (code == 0 || (code == EEXIST && is_of_lab(lab, path))) return true;
    if (code == EEXIST) return diag_fail_in(d, path, "is not the lab's, so names do not resolve on this host");
    return diag_fail_in(d, path, "names do not resolve inside: %s", strerror(code));
}

bool names_make(const struct lab *lab, struct diag *d) {
    bool good = true;
    if (access("/etc/hosts", F_OK) != 0)
        return diag_say(d, "names do not resolve inside: there is no /etc/hosts to lay them over; make one");
    if (mkdir(NAMES_LINKS, 0755) != 0 && errno != EEXIST)
        return diag_fail_in(d, NAMES_LINKS, "names do not resolve inside: %s", strerror(errno));
    if (!files_write(lab, d)) return false;
    for (uint32_t h = 0; h < lab->n_hosts; h++) good &= link_make(lab, lab->host[h].space, d);
    good &= link_make(lab, lab->switches, d);
    return good;
}

bool names_reach(const struct lab *lab, uint32_t host, uint32_t to) {
    char path[LINK_MAX];
    link_path(lab->host[host].space, path);
    return to < lab->n_nodes && is_fit(lab->node[to].name) && is_of_lab(lab, path);
}

static void links_remove(const struct lab *lab) {
    char *prefix = space_name(lab->name, ""), path[LINK_MAX];
    DIR *folder = opendir(NAMES_LINKS);
    for (const struct dirent *entry; folder && (entry = readdir(folder));) {
        link_path(entry->d_name, path);
        if (strncmp(entry->d_name, prefix, strlen(prefix)) == 0 && is_of_lab(lab, path)) unlink(path);
    }
    if (folder) closedir(folder);
    free(prefix);
}

void names_remove(const struct lab *lab) {
    static const char *const made[] = {"hosts", "resolv.conf"};
    char path[LAB_PATH_MAX], beside[LAB_PATH_MAX + 8];
    links_remove(lab);
    for (size_t i = 0; i < 2; i++) {
        unlink(names_path(lab, made[i], path));
        snprintf(beside, sizeof beside, "%s.new", path);
        unlink(beside);
    }
    folder_path(lab, path);
    rmdir(path);
}
