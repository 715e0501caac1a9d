/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/check_lab.h"

#include "cmd/lab_hosts.h"
#include "live/lab/machine.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

/* Sets what the run needs besides what every lab does. */
static void needs_of(const struct world_config *w, bool needed[MACHINE_N]) {
    struct lab_hosts hosts;
    lab_hosts_of(w, &hosts);
    for (uint32_t i = 0; i < w->hosts.n_transports; i++) {
        const char *kernel = w->hosts.transport[i]->kernel;
        needed[MACHINE_RENO] |= kernel && strcmp(kernel, "reno") == 0;
        needed[MACHINE_CUBIC] |= kernel && strcmp(kernel, "cubic") == 0;
        needed[MACHINE_DCTCP] |= kernel && strcmp(kernel, "dctcp") == 0;
    }
    needed[MACHINE_MIN_RTO] |= hosts.route[0] != 0;
    needed[MACHINE_TAP] |= flowctl_is_on(&w->switches.flow) || w->hosts.nic_full == NIC_FULL_DROP;
    needed[MACHINE_REAL_TIME] |= flowctl_is_on(&w->switches.flow);
}

static void print_row(const struct machine_row *r, const struct machine_finding *f, bool is_needed) {
    const char *need = is_needed ? "needed" : "wanted", *more = is_needed && !r->is_needed ? "needed by this run" : "";
    if (!f->is_tried)
        printf("%-20s ?    %s for %s: %s\n", r->name, need, r->what, f->found);
    else if (!f->works)
        printf("%-20s no   %s for %s: %s%s%s%s\n", r->name, need, r->what, r->remedy, f->found[0] ? " (" : "", f->found,
               f->found[0] ? ")" : "");
    else
        printf("%-20s yes%s%s%s%s\n", r->name, f->found[0] || more[0] ? "  " : "", f->found,
               f->found[0] && more[0] ? "; " : "", more);
}

static json_t *row_json(const struct machine_row *r, const struct machine_finding *f, bool is_needed) {
    json_t *o = json_pack("{s:s, s:b, s:s, s:s, s:s?}", "name", r->name, "needed", is_needed, "for", r->what, "found",
                          f->found, "remedy", f->is_tried && !f->works ? r->remedy : NULL);
    json_object_set_new(o, "works", f->is_tried ? json_boolean(f->works) : json_null());
    return o;
}

int check_lab(const struct world_config *w, bool json) {
    struct machine_finding finding[MACHINE_N];
    bool needed[MACHINE_N], good = true;
    json_t *rows = json_array();
    for (size_t i = 0; i < MACHINE_N; i++) needed[i] = machine_rows[i].is_needed;
    if (w) needs_of(w, needed);
    machine_try(finding);
    for (size_t i = 0; i < MACHINE_N; i++) {
        good &= finding[i].works || !needed[i];
        if (!json) print_row(&machine_rows[i], &finding[i], needed[i]);
        json_array_append_new(rows, row_json(&machine_rows[i], &finding[i], needed[i]));
    }
    json_t *all = json_pack("{s:b, s:o}", "lab", good, "checks", rows);
    if (json) json_dumpf(all, stdout, JSON_COMPACT), printf("\n");
    json_decref(all);
    return good ? CHECK_LAB_GOOD : CHECK_LAB_LACKS;
}
