/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/lab_serve.h"

#include "cmd/commands.h"
#include "cmd/ending.h"
#include "cmd/lab_program.h"
#include "live/lab/lab_server.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define GONE_MAX_S 10

static bool is_there(const char *state, const char *name) {
    struct diag none = {0};
    struct lab *lab = lab_find(state, name, &none);
    lab_free(lab);
    return lab != NULL;
}

/* Waits for a signal of the set, or until the lab is gone. The page of `lab up` begins before the lab. */
static void serve_await(const sigset_t *end, const char *state, const char *lab) {
    bool was_there = false;
    for (int gone = 0; gone < GONE_MAX_S;) {
        bool there = is_there(state, lab);
        was_there |= there;
        gone = was_there && !there ? gone + 1 : 0;
        if (sigtimedwait(end, NULL, &(struct timespec){.tv_sec = 1}) > 0) return;
    }
    fprintf(stderr, "lab %s is gone, and so is its page\n", lab);
}

/* Serves until serve_await returns. Its signals are blocked in the threads of the server. */
static int serve(const char *where, const char *lab, FILE *out) {
    char state[LAB_PATH_MAX];
    struct diag d = {0};
    sigset_t end;
    if (!labs_folder(state, &d)) return exit_diag(&d);
    sigemptyset(&end);
    sigaddset(&end, SIGINT);
    sigaddset(&end, SIGTERM);
    sigprocmask(SIG_BLOCK, &end, NULL);
    struct lab_server *server = lab_server_start(where, state, lab, &d);
    if (!server) return exit_diag(&d);
    fprintf(out, "lab %s: %s\n", lab, lab_server_url(server));
    fflush(out);
    if (out != stdout) fclose(out);
    serve_await(&end, state, lab);
    lab_server_stop(server);
    return 0;
}

int lab_serve(const char *where, const char *lab) { return serve(where, lab, stdout); }

/* Becomes the server, which says its address to `said`. */
static _Noreturn void serve_apart(const char *where, const char *lab, int said, pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(0);
    FILE *out = fdopen(said, "w");
    _exit(out ? serve(where, lab, out) : 2);
}

/* Reads the address from the server. Returns false if it has ended without one. */
static bool line_read(struct lab_page *p, int said) {
    FILE *in = fdopen(said, "r");
    bool good = in && fgets(p->line, sizeof p->line, in);
    if (in) fclose(in);
    return good;
}

bool lab_page_begin(struct lab_page *p, const char *where, const char *lab) {
    int said[2];
    pid_t parent = getpid();
    *p = (struct lab_page){0};
    if (!where) return true;
    if (pipe2(said, O_CLOEXEC) != 0) return exit_usage("no pipe: %s", strerror(errno)) == 0;
    p->process = fork();
    if (p->process == 0) {
        close(said[0]);
        serve_apart(where, lab, said[1], parent);
    }
    close(said[1]);
    if (line_read(p, said[0])) return true;
    lab_page_end(p);
    return false;
}

void lab_page_await(struct lab_page *p) {
    while (p->process > 0 && !ending_is_asked()) {
        if (waitpid(p->process, NULL, WNOHANG) != 0)
            p->process = 0;
        else
            usleep(100000);
    }
}

void lab_page_end(struct lab_page *p) {
    if (p->process <= 0) return;
    kill(p->process, SIGTERM);
    waitpid(p->process, NULL, 0);
    p->process = 0;
}
