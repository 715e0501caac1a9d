/* SPDX-License-Identifier: Apache-2.0 */
/* Switches of a lab that are killed at any instant: whoever asks them learns the remedy. */
#include "live/lab/soundness.h"

#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/* Listens at the path, takes `taken` connections, and is killed with the next one in its queue. Returns its process. */
static pid_t killed_after(const char *path, int taken) {
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    assert_true(strlen(path) < sizeof a.sun_path);
    memcpy(a.sun_path, path, strlen(path));
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&a, sizeof a), 0);
    assert_int_equal(listen(fd, 4), 0);
    pid_t child = fork();
    if (child == 0) {
        for (int i = 0; i <= taken; i++) {
            char byte;
            int c = accept(fd, NULL, NULL);
            if (i == taken && read(c, &byte, 1) >= 0) _exit(0); /* it has the request, and is gone */
            close(c);
        }
    }
    close(fd);
    return child;
}

static void ask__switches_killed_while_they_are_asked(void **state) {
    (void)state;
    char folder[] = "/tmp/soundness-XXXXXX";
    assert_non_null(mkdtemp(folder));
    struct lab lab = {.name = "one", .file = "x.yaml", .options = ""};
    struct diag d = {0};
    snprintf(lab.folder, sizeof lab.folder, "%s/one", folder);
    snprintf(lab.socket, sizeof lab.socket, "%s/socket", folder);
    pid_t child = killed_after(lab.socket, 1); /* lab_has_switches connects first */
    assert_null(lab_ask(&lab, "status", &d));
    assert_string_equal(d.text,
                        "the switches of lab 'one' do not run: their process was killed or has failed; heddle lab down "
                        "--name one, then heddle lab up x.yaml --name one");
    assert_int_equal(waitpid(child, NULL, 0), child);
    unlink(lab.socket);
    rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {UNIT(ask__switches_killed_while_they_are_asked)};
    return RUN_UNITS(tests);
}
