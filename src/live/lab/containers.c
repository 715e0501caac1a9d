/* SPDX-License-Identifier: Apache-2.0 */
#include "live/lab/containers.h"

#include "base/memory.h"
#include "base/text.h"
#include "live/lab/names.h"
#include "live/lab/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LABEL "heddle.lab"
#define REMOVAL_MS 10000 /* most time until the tool has removed its containers */
#define LOOK_MS 100
#define WORDS_MAX 64

const char *containers_tool(const char *wanted, struct diag *d) {
    static const char *const known[] = {"podman", "docker"};
    bool is_auto = strcmp(wanted, "auto") == 0;
    for (size_t i = 0; i < 2; i++)
        if ((is_auto || strcmp(wanted, known[i]) == 0) && program_lookup(known[i]) == 0) return known[i];
    diag_say(d, "hosts are containers (lab.hosts), and there is no %s; install podman, or docker.io",
             is_auto ? "podman or docker" : wanted);
    return NULL;
}

/* Returns whether a name is fit for a container and for the host in it. */
static bool is_fit(const char *name) {
    size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-");
    return n > 0 && name[n] == 0 && n <= 63 && name[0] != '-' && name[0] != '.';
}

bool containers_are_fit(const struct lab *lab, struct diag *d) {
    for (uint32_t h = 0; h < lab->n_hosts; h++)
        if (lab->host[h].image && !is_fit(lab->host[h].name))
            return diag_say(
                d,
                "host '%.64s' cannot be a container (lab.hosts): the name of one is at most 63 letters, digits, "
                "dots, - and _",
                lab->host[h].name);
    return true;
}

/* ---- questions to the tool ---- */

/* Returns "heddle.lab=MARK", which the caller frees. */
static char *label_of(const struct lab *lab) {
    char mark[LAB_MARK_MAX];
    return text_format(LABEL "=%s", lab_mark_write(mark, lab->name, lab->id));
}

/* Returns what TOOL ps prints of the lab's containers, which the caller frees; NULL after filling *d. */
static char *listed(const struct lab *lab, bool with_ended, const char *format, struct diag *d) {
    char *label = label_of(lab), *filter = text_format("label=%s", label), *said = NULL;
    char *argv[] = {(char *)lab->tool,           "ps", "--filter", filter, "--format", (char *)format,
                    with_ended ? "--all" : NULL, NULL};
    if (!run_program_apart(argv, &said, d)) said = NULL;
    free(filter);
    free(label);
    return said;
}

/* Returns whether `name` is a line of the text. */
static bool has_line(const char *text, const char *name) {
    size_t length = strlen(name);
    for (; *text; text += strcspn(text, "\n"), text += *text == '\n')
        if (strncmp(text, name, length) == 0 && (!text[length] || text[length] == '\n')) return true;
    return false;
}

bool containers_run(const struct lab *lab, uint32_t *host) {
    struct diag none = {0};
    char *running = lab->tool[0] ? listed(lab, false, "{{.Names}}", &none) : NULL;
    bool good = true;
    for (uint32_t h = 0; good && h < lab->n_hosts; h++) {
        if (!lab->host[h].image || (running && has_line(running, lab->host[h].space))) continue;
        good = false;
        *host = h;
    }
    free(running);
    return good;
}

/* ---- the start ---- */

/* Returns the number of the first process; -1 after filling *d. */
static pid_t pid_of(const struct lab *lab, uint32_t host, struct diag *d) {
    const struct lab_host *h = &lab->host[host];
    char *said = NULL;
    char *argv[] = {(char *)lab->tool, "inspect", "--format", "{{.State.Pid}}", h->space, NULL};
    struct diag none = {0};
    long pid = run_program_apart(argv, &said, &none) && said ? strtol(said, NULL, 10) : 0;
    free(said);
    if (pid > 1) return (pid_t)pid;
    diag_say(d,
             "the container of %s ended as soon as it began; its image needs a program that stays: %s run --rm %s "
             "shows what it says",
             h->name, lab->tool, h->image);
    return -1;
}

/* Returns "--volume=STATE/LAB/etc/NAME:/etc/NAME:ro", which the caller frees; NULL if the lab has no such file. */
static char *volume_of(const struct lab *lab, const char *name) {
    char path[LAB_PATH_MAX];
    if (access(names_path(lab, name, path), F_OK) != 0) return NULL;
    return text_format("--volume=%s:/etc/%s:ro", path, name);
}

/* Runs TOOL run. Returns false after filling *d. */
static bool tool_run(const struct lab *lab, const struct lab_host *h, struct diag *d) {
    char *label = label_of(lab), *volume[] = {volume_of(lab, "hosts"), volume_of(lab, "resolv.conf")};
    char *environment = text_format(LAB_MARK_ENVIRONMENT "=%s", label + strlen(LABEL "="));
    const char *line[24] = {lab->tool, "run",       "--detach",  "--rm",       "--pull",    "never",    "--network",
                            "none",    "--name",    h->space,    "--hostname", h->name,     "--label",  label,
                            "--env",   environment, "--cap-add", "NET_RAW",    "--cap-add", "NET_ADMIN"};
    size_t n = 20;
    for (size_t i = 0; i < 2; i++)
        if (volume[i]) line[n++] = volume[i];
    line[n] = h->image;
    bool good = run_program_apart((char *const *)line, NULL, d);
    for (size_t i = 0; i < 2; i++) free(volume[i]);
    free(environment);
    free(label);
    return good;
}

pid_t container_start(const struct lab *lab, uint32_t host, struct diag *d) {
    const struct lab_host *h = &lab->host[host];
    struct diag why = {0};
    if (tool_run(lab, h, &why)) return pid_of(lab, host, d);
    diag_say(d, "the container of %s (image %.100s; heddle pulls none): %.300s", h->name, h->image, why.text);
    return -1;
}

/* ---- the end ---- */

/* Runs TOOL WORD [FLAG] for all containers whose numbers `ids` has, one a line; cuts `ids` up. */
static void for_all(const struct lab *lab, const char *word, const char *flag, char *ids) {
    const char *argv[WORDS_MAX + 4] = {lab->tool, word};
    size_t n = 2;
    struct diag none = {0};
    if (flag) argv[n++] = flag;
    for (char *id = strtok(ids, "\n"); id && n < WORDS_MAX; id = strtok(NULL, "\n")) argv[n++] = id;
    run_program_apart((char *const *)argv, NULL, &none);
}

/* --rm removes a container that has ended, so both commands may find fewer than were listed. */
bool containers_end(const struct lab *lab, struct diag *d) {
    char *ids = NULL;
    for (long waited = 0; waited < REMOVAL_MS; waited += LOOK_MS) {
        free(ids);
        if (!(ids = listed(lab, true, "{{.ID}}", d))) return false;
        if (!ids[0]) break;
        char *all = strdup(ids);
        for_all(lab, "kill", NULL, ids);
        for_all(lab, "rm", "--force", all);
        free(all);
        nanosleep(&(struct timespec){.tv_nsec = LOOK_MS * 1000000L}, NULL);
    }
    bool good =
        !ids[0] || diag_say(d, "containers of the lab stay; %s rm --force %.12s removes the first", lab->tool, ids);
    free(ids);
    return good;
}

/* ---- programs inside ---- */

const char **container_line(const struct lab *lab, uint32_t host, char *const argv[]) {
    size_t n = 0, k = 0;
    while (argv[n]) n++;
    const char **line = memory_get(n + 6, sizeof *line);
    line[k++] = lab->tool;
    line[k++] = "exec";
    line[k++] = "--interactive";
    if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)) line[k++] = "--tty";
    line[k++] = lab->host[host].space;
    for (size_t i = 0; i < n; i++) line[k++] = argv[i];
    return line;
}
