/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "ranks/launch.h"

#include <stdlib.h>

static int alone(void **state) {
    (void)state;
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE",
                                        "OMPI_COMM_WORLD_RANK",
                                        "PMI_SIZE",
                                        "PMI_RANK",
                                        "MV2_COMM_WORLD_SIZE",
                                        "MV2_COMM_WORLD_RANK",
                                        "SLURM_PROCID",
                                        "SLURM_NTASKS",
                                        "SLURM_STEP_NUM_TASKS",
                                        "PMIX_RANK",
                                        "PMIX_NAMESPACE"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) unsetenv(names[i]);
    return 0;
}

static void launch_find__a_process_alone(void **state) {
    (void)state;
    struct launch l = launch_find();
    assert_int_equal(l.rank, 0);
    assert_int_equal(l.size, 1);
    assert_null(l.launcher);
}

static void launch_find__mpirun(void **state) {
    (void)state;
    setenv("OMPI_COMM_WORLD_SIZE", "16", 1);
    setenv("OMPI_COMM_WORLD_RANK", "3", 1);
    setenv("PMIX_RANK", "3", 1);
    setenv("PMIX_NAMESPACE", "4128769", 1);
    struct launch l = launch_find();
    assert_int_equal(l.rank, 3);
    assert_int_equal(l.size, 16);
    assert_true(l.open_mpi);
}

static void launch_find__a_foreign_launcher_cannot_connect(void **state) {
    (void)state;
    setenv("PMI_SIZE", "2", 1);
    setenv("PMI_RANK", "1", 1);
    struct launch l = launch_find();
    assert_int_equal(l.rank, 1);
    assert_int_equal(l.size, 2);
    assert_false(l.open_mpi);
}

/* The batch script itself runs with the variables of the whole job. */
static void launch_find__a_batch_script_of_slurm_is_alone(void **state) {
    (void)state;
    setenv("SLURM_NTASKS", "64", 1);
    setenv("SLURM_PROCID", "0", 1);
    assert_int_equal(launch_find().size, 1);
    setenv("SLURM_STEP_NUM_TASKS", "64", 1);
    setenv("SLURM_PROCID", "9", 1);
    struct launch l = launch_find();
    assert_int_equal(l.size, 64);
    assert_int_equal(l.rank, 9);
    assert_false(l.open_mpi);
}

static void launch_find__one_of_one_is_alone(void **state) {
    (void)state;
    setenv("OMPI_COMM_WORLD_SIZE", "1", 1);
    setenv("PMI_SIZE", "7", 1); /* of an outer job: the inner launcher counts */
    struct launch l = launch_find();
    assert_int_equal(l.size, 1);
    assert_null(l.launcher);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(launch_find__a_process_alone, alone),
        cmocka_unit_test_setup(launch_find__mpirun, alone),
        cmocka_unit_test_setup(launch_find__a_foreign_launcher_cannot_connect, alone),
        cmocka_unit_test_setup(launch_find__a_batch_script_of_slurm_is_alone, alone),
        cmocka_unit_test_setup(launch_find__one_of_one_is_alone, alone),
    };
    return RUN_UNITS(tests);
}
