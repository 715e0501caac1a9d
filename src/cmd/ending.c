/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/ending.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t is_asked;

static void on_signal(int number) {
    (void)number;
    is_asked = 1;
}

void ending_await(void) {
    const struct sigaction end = {.sa_handler = on_signal};
    sigaction(SIGTERM, &end, NULL);
    sigaction(SIGINT, &end, NULL);
    struct sigaction before;
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(SIGHUP, &end, NULL);
}

bool ending_is_asked(void) { return is_asked; }
