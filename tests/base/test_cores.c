/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/cores.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint32_t counted(uint32_t sharing) {
    struct diag d = {0};
    uint32_t cores = 0;
    assert_true(cores_count(sharing, &cores, &d));
    return cores;
}

/* Leaves this process one core; returns what it could use before. */
static cpu_set_t one_core(void) {
    cpu_set_t before, one;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    CPU_ZERO(&one);
    for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++)
        if (CPU_ISSET(i, &before)) CPU_SET(i, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    return before;
}

static void cores_count__what_the_process_may_use(void **state) {
    (void)state;
    assert_int_equal(counted(1), cores_allowed());
    cpu_set_t before = one_core();
    assert_int_equal(cores_allowed(), 1);
    assert_int_equal(counted(1), 1);
    assert_int_equal(counted(3), 1);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
}

/* Processes that may use all cores of the machine share them; those with some of their own do not. */
static void cores_count__a_share_of_the_machine(void **state) {
    (void)state;
    uint32_t all = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
    if (cores_allowed() != all) skip();
    for (uint32_t sharing = 1; sharing <= all + 1; sharing++)
        assert_int_equal(counted(sharing), sharing < all ? all / sharing : 1);
}

static void cores_count__what_the_user_says(void **state) {
    (void)state;
    static const char *const wrong[] = {"", "0", "two", "-1", "2 ", " 2", "65537", "99999999999999999999"};
    setenv(CORES_VARIABLE, "48", 1);
    assert_int_equal(counted(1), 48);
    assert_int_equal(counted(2), 48);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct diag d = {0};
        uint32_t cores;
        setenv(CORES_VARIABLE, wrong[i], 1);
        assert_false(cores_count(1, &cores, &d));
        assert_non_null(strstr(d.text, "not a number of cores from 1 to 65536"));
    }
    unsetenv(CORES_VARIABLE);
}

int main(void) {
    unsetenv(CORES_VARIABLE);
    const struct CMUnitTest tests[] = {
        UNIT(cores_count__what_the_process_may_use),
        UNIT(cores_count__a_share_of_the_machine),
        UNIT(cores_count__what_the_user_says),
    };
    return RUN_UNITS(tests);
}
