/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/lab_program.h"

#include "base/memory.h"
#include "base/text.h"
#include "cmd/lab_hosts.h"
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

static void tell_user(void *to, const struct diag *what, bool is_of_lab) {
    char line[1024];
    (void)to;
    fprintf(stderr, "%s\n", (is_of_lab ? diag_line : diag_warning)(what, line, sizeof line));
}

const struct lab_telling lab_tell_user = {.tell = tell_user};

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

/* Writes " --option value", unless the value is NULL or empty. */
static void put_option(FILE *out, const char *option, const char *value) {
    if (!value || !*value) return;
    char *word = text_shell(value);
    fprintf(out, " %s %s", option, word);
    free(word);
}

/* Builds heddle switch FILE --node all; ends in NULL. */
static char **switches_of(const struct lab_program *p) {
    char threads[16];
    const char *const first[] = {"switch", p->experiment->file, "--node", "all", NULL};
    const char *const option[] = {
        "--profile", p->experiment->options.profile, "--record", p->record, "--detect", p->detect, "--threads", threads,
        NULL};
    snprintf(threads, sizeof threads, "%u", p->threads);
    return program_of(p, first, option);
}

static bool nics_drop(const struct host_config *h) { return h->nic == NIC_FIFO && h->nic_full == NIC_FULL_DROP; }

/* Builds heddle nic FILE; ends in NULL. Returns NULL if hosts have no NIC. */
static char **nic_of(const struct lab_program *p, const struct world_config *w) {
    bool is_auto = !p->nic || strcmp(p->nic, "auto") == 0;
    bool needed = flowctl_is_on(&w->switches.flow) || w->switches.port.classes > 1 || nics_drop(&w->hosts);
    bool on = is_auto ? needed : strcmp(p->nic, "on") == 0;
    const char *const first[] = {"nic", p->experiment->file, NULL};
    const char *const option[] = {"--profile", p->experiment->options.profile, NULL};
    return on ? program_of(p, first, option) : NULL;
}

/* Returns the options of heddle lab up that make the same lab again, as a shell reads them; the caller frees it. */
static char *options_of(const struct lab_program *p) {
    char *text = NULL, run[16] = "", threads[16] = "";
    size_t size = 0;
    FILE *out = text_stream(&text, &size);
    if (p->run > 1) snprintf(run, sizeof run, "%u", p->run);
    if (p->threads > 1) snprintf(threads, sizeof threads, "%u", p->threads);
    const char *const option[] = {"--profile", p->experiment->options.profile,
                                  "--run",     run,
                                  "--threads", threads,
                                  "--detect",  p->detect,
                                  "--record",  p->record,
                                  "--nic",     p->nic,
                                  NULL};
    for (const char *const *o = option; *o; o += 2) put_option(out, o[0], o[1]);
    for (size_t i = 0; i < p->experiment->set.n; i++) put_option(out, "--set", p->experiment->set.item[i]);
    text_stream_end(out, &text);
    return text;
}

static void words_free(char **words) {
    if (!words) return;
    for (char **w = words; *w; w++) free(*w);
    free(words);
}

struct lab *lab_program_up(const struct lab_program *p, const struct world_config *w, const char *name,
                           struct diag *d) {
    char state[LAB_PATH_MAX];
    if (p->nic && strcmp(p->nic, "off") == 0 && nics_drop(&w->hosts)) {
        diag_fail_in(d, p->experiment->file,
                     "host.nic_full: drop needs a NIC of heddle at each host; leave out --nic off, or write block");
        return NULL;
    }
    if (!labs_folder(state, d)) return NULL;
    struct lab_hosts hosts;
    lab_hosts_of(w, &hosts);
    char **program = switches_of(p), **nic = nic_of(p, w), *options = options_of(p);
    const struct lab_setup setup = {.state = state,
                                    .name = name,
                                    .id = p->id,
                                    .goes_on = p->goes_on,
                                    .to = p->to,
                                    .file = p->experiment->file,
                                    .options = options,
                                    .fabric = w->fabric,
                                    .threads = p->threads,
                                    .program = program,
                                    .nic = nic,
                                    .mtu = hosts.mtu,
                                    .route = hosts.route,
                                    .sysctl = hosts.sysctl,
                                    .congestion = hosts.congestion,
                                    .tool = p->block ? p->block->tool : "auto",
                                    .image = p->block ? p->block->image : NULL,
                                    .dctcp_g_ppb = hosts.dctcp_g_ppb};
    struct lab *lab = lab_up(&setup, d);
    words_free(program);
    words_free(nic);
    free(options);
    return lab;
}
