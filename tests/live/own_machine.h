/* SPDX-License-Identifier: Apache-2.0 */
/* A machine of a test's own, as far as labs can see: its processes, and the names of its network namespaces. What removes labs sends
 * signals to processes; here it reaches those of the test alone, whatever is wrong with it. All of them end with the test. */
#ifndef HEDDLE_TESTS_LIVE_OWN_MACHINE_H
#define HEDDLE_TESTS_LIVE_OWN_MACHINE_H

#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

static bool has_own_machine;

/* Skips the case where no such machine can be made. */
static inline void need_own_machine(void) {
    if (has_own_machine) return;
    print_message("needs root and namespaces\n");
    skip();
}

/* Lays an empty folder over one of the machine's. */
static inline bool own_folder(const char *path) {
    mkdir(path, 0755);
    return mount("own", path, "tmpfs", 0, NULL) == 0;
}

/* Runs the cases as the first process of the machine and ends with their exit status; returns it if none can be made. */
static inline int on_own_machine(int (*cases)(void)) {
    int status = 1;
    if (geteuid() != 0 || unshare(CLONE_NEWPID | CLONE_NEWNS) != 0) return cases();
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        has_own_machine = mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
                          mount("proc", "/proc", "proc", 0, NULL) == 0 && own_folder("/run/netns") &&
                          own_folder("/etc/netns");
        pid_t probe = has_own_machine ? fork() : -1;
        if (probe == 0) _exit(unshare(CLONE_NEWNET) == 0 ? 0 : 1);
        has_own_machine = probe > 0 && waitpid(probe, &status, 0) == probe && status == 0;
        _exit(cases());
    }
    waitpid(child, &status, 0);
    /* The processes that this one could still make would be of a machine that has ended: there are none, and so no leak check. */
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

#endif
