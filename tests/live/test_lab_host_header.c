/* SPDX-License-Identifier: Apache-2.0 */
/* Which Host headers are answered. */
#include "live/lab/host_header.h"

#include "unit.h"

static void host__of_a_loopback_server(void **state) {
    (void)state;
    static const char *const served[] = {"localhost",      "localhost:8080", "LocalHost:1",  "127.0.0.1",
                                         "127.0.0.1:8080", "127.9.8.7",      "[::1]",        "[::1]:8080",
                                         "127.0.0.1:0",    "[0:0::1]:9",     "[::0001]:8080"};
    static const char *const refused[] = {"evil.example",
                                          "evil.example:8080",
                                          "localhost.evil.example",
                                          "127.0.0.1.evil.example",
                                          "localhost.",
                                          "127.0.0.1:8080x",
                                          "127.0.0.1:",
                                          "",
                                          ":8080",
                                          "[::1",
                                          "[::1]8080",
                                          "[::2]",
                                          "10.0.0.1",
                                          "0.0.0.0",
                                          "machine",
                                          "localhost@evil:1",
                                          "127.0.0.1:80:80",
                                          "::1",
                                          "127.1",
                                          "2130706433",
                                          "localhost:8080 ",
                                          "localhost, evil.com",
                                          "[127.0.0.1].evil"};
    for (size_t i = 0; i < sizeof served / sizeof *served; i++)
        if (!host_is_served(served[i], "127.0.0.1", "machine")) fail_msg("%s is refused", served[i]);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (host_is_served(refused[i], "127.0.0.1", "machine")) fail_msg("%s is served", refused[i]);
    assert_false(host_is_served(NULL, "127.0.0.1", "machine"));
}

static void host__that_was_told(void **state) {
    (void)state;
    assert_true(host_is_served("10.1.2.3:80", "10.1.2.3", "machine"));
    assert_true(host_is_served("lab.example:80", "lab.example", "machine"));
    assert_true(host_is_served("LAB.example", "lab.example", "machine"));
    assert_true(host_is_served("[fe80::1]:80", "fe80::1", "machine"));
    assert_true(host_is_served("localhost", "10.1.2.3", "machine")); /* a tunnel ends there */
    assert_false(host_is_served("10.1.2.4", "10.1.2.3", "machine"));
    assert_false(host_is_served("machine", "10.1.2.3", "machine"));
    assert_false(host_is_served("evil.example", "lab.example", "machine"));
}

/* A server at all addresses is known by each of them, and by the machine's name. */
static void host__of_all_addresses(void **state) {
    (void)state;
    static const char *const told[] = {"0.0.0.0", "::"};
    for (int i = 0; i < 2; i++) {
        assert_true(host_is_served("10.1.2.4:8080", told[i], "machine"));
        assert_true(host_is_served("[fe80::1]", told[i], "machine"));
        assert_true(host_is_served("Machine:8080", told[i], "machine"));
        assert_false(host_is_served("machine.evil.example", told[i], "machine"));
        assert_false(host_is_served("evil.example", told[i], "machine"));
        assert_false(host_is_served("10.1.2.4.evil.example", told[i], "machine"));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(host__of_a_loopback_server),
        UNIT(host__that_was_told),
        UNIT(host__of_all_addresses),
    };
    return RUN_UNITS(tests);
}
