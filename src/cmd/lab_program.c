/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/lab_program.h"

#include "base/memory.h"
#include "cmd/sockets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool labs_folder(char path[512], struct diag *d) {
    char folder[500];
    if (!sockets_folder(folder, sizeof folder, true, d)) return false;
    snprintf(path, 512, "%s/labs", folder);
    return true;
}

/* Builds a command line: program, `first` words, options with a value (pairs; NULL: left out), settings and the run. */
static char **program_of(const struct lab_program *p, const char *const *first, const char *const *option) {
    char **argv = memory_get(2 * p->experiment->set.n + 20, sizeof *argv), number[16];
    size_t n = 0;
    argv[n++] = realpath("/proc/self/exe", NULL);
    for (; *first; first++) argv[n++] = strdup(*first);
    for (; *option; option += 2)
        if (option[1]) argv[n++] = strdup(option[0]), argv[n++] = strdup(option[1]);
    for (size_t i = 0; i < p->experiment->set.n; i++)
        argv[n++] = strdup("--set"), argv[n++] = strdup(p->experiment->set.item[i]);
    snprintf(number, sizeof number, "%u", p->run);
    argv[n++] = strdup("--run"), argv[n++] = strdup(number);
    return argv;
}

char **lab_program_make(const struct lab_program *p) {
    char threads[16];
    const char *const first[] = {"switch", p->experiment->file, "--node", "all", NULL};
    const char *const option[] = {
        "--profile", p->experiment->options.profile, "--record", p->record, "--detect", p->detect, "--threads", threads,
        NULL};
    snprintf(threads, sizeof threads, "%u", p->threads);
    return program_of(p, first, option);
}

char **lab_program_nic(const struct lab_program *p, const struct switch_config *switches, const char *choice) {
    bool is_auto = !choice || strcmp(choice, "auto") == 0;
    bool needed = flowctl_is_on(&switches->flow) || switches->port.classes > 1;
    bool on = is_auto ? needed : strcmp(choice, "on") == 0;
    const char *const first[] = {"nic", p->experiment->file, NULL};
    const char *const option[] = {"--profile", p->experiment->options.profile, NULL};
    return on ? program_of(p, first, option) : NULL;
}

void lab_program_free(char **words) {
    if (!words) return;
    for (char **w = words; *w; w++) free(*w);
    free(words);
}
