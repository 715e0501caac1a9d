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

char **lab_program_make(const struct lab_program *p) {
    char **argv = memory_get(2 * p->experiment->set.n + 20, sizeof *argv), number[16];
    size_t n = 0;
    argv[n++] = realpath("/proc/self/exe", NULL);
    const char *const first[] = {"switch", p->experiment->file, "--node", "all"};
    for (size_t i = 0; i < 4; i++) argv[n++] = strdup(first[i]);
    const char *const option[] = {"--profile", p->experiment->options.profile, "--record", p->record, "--detect",
                                  p->detect};
    for (size_t i = 0; i < 6; i += 2)
        if (option[i + 1]) argv[n++] = strdup(option[i]), argv[n++] = strdup(option[i + 1]);
    for (size_t i = 0; i < p->experiment->set.n; i++)
        argv[n++] = strdup("--set"), argv[n++] = strdup(p->experiment->set.item[i]);
    snprintf(number, sizeof number, "%u", p->run);
    argv[n++] = strdup("--run"), argv[n++] = strdup(number);
    snprintf(number, sizeof number, "%u", p->threads);
    argv[n++] = strdup("--threads"), argv[n++] = strdup(number);
    return argv;
}

void lab_program_free(char **words) {
    for (char **w = words; *w; w++) free(*w);
    free(words);
}
