/* SPDX-License-Identifier: Apache-2.0 */
/* What this machine can do for labs, compared with what is known of it otherwise; and what is said where something is missing. */
#include "live/lab/machine.h"

#include "live/lab/congestion.h"
#include "live/lab/run.h"
#include "unit.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

static bool is_root_with_namespaces(void) {
    pid_t child = fork();
    int status = 1;
    if (child == 0) _exit(geteuid() == 0 && unshare(CLONE_NEWNET) == 0 ? 0 : 1);
    waitpid(child, &status, 0);
    return status == 0;
}

static void each_row_works_where_its_part_is_there(void **state) {
    (void)state;
    struct machine_finding f[MACHINE_N];
    struct stat before, after;
    char text[40];
    assert_int_equal(stat("/proc/self/ns/net", &before), 0);
    machine_try(f);
    assert_int_equal(stat("/proc/self/ns/net", &after), 0);
    assert_int_equal(before.st_ino, after.st_ino); /* this process stays in its namespace */
    assert_int_equal(f[MACHINE_ROOT].works, geteuid() == 0);
    assert_int_equal(f[MACHINE_IP].works, program_lookup("ip") == 0);
    assert_int_equal(f[MACHINE_SYSCTL].works, program_lookup("sysctl") == 0);
    assert_int_equal(f[MACHINE_ETHTOOL].works, program_lookup("ethtool") == 0);
    for (int i = MACHINE_ROOT; i <= MACHINE_ETHTOOL; i++) assert_true(f[i].is_tried);
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    snprintf(text, sizeof text, "%ld", cores);
    assert_int_equal(f[MACHINE_CORES].works, cores >= 2);
    assert_string_equal(f[MACHINE_CORES].found, text);
    struct utsname name;
    unsigned major, minor;
    assert_int_equal(uname(&name), 0);
    assert_int_equal(sscanf(name.release, "%u.%u", &major, &minor), 2);
    assert_int_equal(f[MACHINE_REORDERING].works, major * 1000 + minor < 6017);
    assert_int_equal(f[MACHINE_REORDERING].found[0] != 0, major * 1000 + minor >= 6017);
    if (!is_root_with_namespaces() || !f[MACHINE_IP].works) return;
    for (int i = 0; i < MACHINE_N; i++) assert_true(f[i].is_tried);
    assert_true(f[MACHINE_NAMESPACES].works && f[MACHINE_RENO].works);
    assert_true(f[MACHINE_VETH].works && f[MACHINE_PACKET].works && f[MACHINE_MIN_RTO].works);
    assert_string_equal(f[MACHINE_VETH].found, "");
    assert_int_equal(f[MACHINE_TAP].works, access("/dev/net/tun", W_OK) == 0);
    assert_int_equal(f[MACHINE_CUBIC].works, congestion_is_there("cubic"));
    if (congestion_is_there("dctcp"))
        assert_string_equal(f[MACHINE_DCTCP].found, "the kernel's own");
    else if (program_lookup("bpftool") != 0)
        assert_false(f[MACHINE_DCTCP].works);
    if (f[MACHINE_REAL_TIME].works) assert_int_equal(program_lookup("chrt"), 0);
    for (int i = 0; i < MACHINE_N; i++)
        if (f[i].works && i != MACHINE_CORES && i != MACHINE_DCTCP && i != MACHINE_CONTAINERS)
            assert_string_equal(f[i].found, "");
    for (int i = MACHINE_VETH; i < MACHINE_N; i++)
        if (!f[i].works && i != MACHINE_CONTAINERS) assert_true(f[i].found[0]);
}

/* Without iproute2 there is no link to open a port at, and each row says what it misses. */
static void rows_say_which_program_is_missing(void **state) {
    (void)state;
    struct machine_finding f[MACHINE_N];
    char *path = strdup(getenv("PATH"));
    setenv("PATH", "/nonexistent", 1);
    machine_try(f);
    setenv("PATH", path, 1);
    free(path);
    static const struct {
        enum machine_id id;
        const char *program;
    } needs[] = {{MACHINE_IP, "ip"}, {MACHINE_SYSCTL, "sysctl"}, {MACHINE_ETHTOOL, "ethtool"}};
    char text[100];
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
        assert_false(f[needs[i].id].works);
        snprintf(text, sizeof text, "%s: %s: No such file or directory", needs[i].program, needs[i].program);
        assert_string_equal(f[needs[i].id].found, text);
    }
    assert_true(f[MACHINE_CONTAINERS].is_tried && !f[MACHINE_CONTAINERS].works);
    if (!is_root_with_namespaces()) return;
    assert_false(f[MACHINE_VETH].works || f[MACHINE_PACKET].works || f[MACHINE_MIN_RTO].works ||
                 f[MACHINE_REAL_TIME].works);
    assert_string_equal(f[MACHINE_VETH].found, "ip: ip: No such file or directory");
    assert_string_equal(f[MACHINE_REAL_TIME].found, "chrt: chrt: No such file or directory");
    assert_non_null(strstr(f[MACHINE_PACKET].found, "one"));
    assert_true(f[MACHINE_RENO].works);
}

/* Another user can ask too; rows that would need root are not tried. */
static void rows_that_need_root_are_left_out(void **state) {
    (void)state;
    static const enum machine_id for_all[] = {MACHINE_ROOT,       MACHINE_IP,    MACHINE_SYSCTL,     MACHINE_ETHTOOL,
                                              MACHINE_REORDERING, MACHINE_MPTCP, MACHINE_CONTAINERS, MACHINE_CORES};
    struct machine_finding f[MACHINE_N];
    if (geteuid() != 0 || seteuid(65534) != 0) skip();
    machine_try(f);
    assert_int_equal(seteuid(0), 0);
    size_t n = 0;
    for (int i = 0; i < MACHINE_N; i++) {
        bool is_for_all = n < sizeof for_all / sizeof *for_all && (int)for_all[n] == i;
        n += is_for_all;
        assert_int_equal(f[i].is_tried, is_for_all);
        if (is_for_all) continue;
        assert_false(f[i].works);
        assert_string_equal(f[i].found, "not tried: this is not root");
    }
    assert_false(f[MACHINE_ROOT].works);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(each_row_works_where_its_part_is_there),
        UNIT(rows_say_which_program_is_missing),
        UNIT(rows_that_need_root_are_left_out),
    };
    return RUN_UNITS(tests);
}
