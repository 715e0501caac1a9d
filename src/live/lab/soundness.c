/* SPDX-License-Identifier: Apache-2.0 */
#include "live/lab/soundness.h"

#include "base/text.h"
#include "live/control.h"
#include "live/lab/containers.h"
#include "live/lab/folder.h"
#include "live/lab/spaces.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Fills *d with what is wrong and the remedy; while the lab is made or removed a part that is missing is no fault. Returns false. */
__attribute__((format(printf, 3, 4))) static bool unsound(const struct lab *lab, struct diag *d, const char *fmt, ...) {
    char what[200];
    va_list args;
    va_start(args, fmt);
    vsnprintf(what, sizeof what, fmt, args);
    va_end(args);
    if (folder_is_in_use(lab))
        return diag_say(d, "another process makes or removes the lab '%s'; try again when it has ended", lab->name);
    char *file = text_shell(lab->file && lab->file[0] ? lab->file : "FILE.yaml");
    diag_say(d, "%s; heddle lab down --name %s, then heddle lab up %s --name %s%s", what, lab->name, file, lab->name,
             lab->options);
    free(file);
    return false;
}

bool lab_has_switches(const struct lab *lab, struct diag *d) {
    return control_is_served(lab->socket) ||
           unsound(lab, d, "the switches of lab '%s' do not run: their process was killed or has failed", lab->name);
}

/* Replaces *d by the remedy if the switches have gone while they were asked. A process that is killed ends its connections and
 * its socket one after the other, so the socket may be there for a moment. */
static void gone_tell(const struct lab *lab, struct diag *d) {
    const struct timespec moment = {.tv_nsec = 10000000};
    for (int i = 0; i < 20 && control_is_served(lab->socket); i++) nanosleep(&moment, NULL);
    lab_has_switches(lab, d);
}

char *lab_ask(const struct lab *lab, const char *request, struct diag *d) {
    if (!lab_has_switches(lab, d)) return NULL;
    char *reply = control_ask(lab->socket, request, d);
    if (!reply && strcmp(d->text, CONTROL_NO_ANSWER) == 0) gone_tell(lab, d);
    return reply;
}

static bool has_space(const struct lab *lab, const char *space, struct diag *d) {
    return space_is_there(space) || unsound(lab, d, "the namespace %.100s is gone", space);
}

static bool has_nic(const struct lab *lab, uint32_t host, struct diag *d) {
    char path[LAB_PATH_MAX];
    return !lab->has_nics || control_is_served(lab_nic_socket(lab, host, path)) ||
           unsound(lab, d, "the NIC of %.100s does not run", lab->host[host].name);
}

static bool has_containers(const struct lab *lab, struct diag *d) {
    uint32_t host;
    return containers_run(lab, &host) || unsound(lab, d, "the container of %.100s has ended", lab->host[host].name);
}

bool lab_is_sound(const struct lab *lab, struct diag *d) {
    bool good = has_space(lab, lab->switches, d) && lab_has_switches(lab, d) && has_containers(lab, d);
    for (uint32_t h = 0; good && h < lab->n_hosts; h++)
        good = has_space(lab, lab->host[h].space, d) && has_nic(lab, h, d);
    return good;
}
