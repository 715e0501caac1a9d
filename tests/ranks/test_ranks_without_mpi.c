/* SPDX-License-Identifier: Apache-2.0 */
/* A heddle that was built without Open MPI: the same file, compiled that way. */
#include "unit.h"

#undef HEDDLE_HAS_MPI
#include "../../src/ranks/ranks.c"

#include <stdlib.h>

static void ranks_join__a_process_alone_needs_no_mpi(void **state) {
    (void)state;
    unsetenv("OMPI_COMM_WORLD_SIZE");
    struct ranks r;
    struct diag d = {0};
    assert_true(ranks_join(&r, &d));
    assert_int_equal(r.size, 1);
    assert_false(ranks_are_many(&r));
    assert_true(ranks_leads(&r));
    uint32_t from, mine = 7, all = 0;
    assert_false(ranks_poll(&r, &from));
    ranks_gather(&r, &mine, &all, sizeof mine);
    assert_int_equal(all, 7);
    ranks_leave(&r);
}

static void ranks_join__many_are_refused_in_one_line(void **state) {
    (void)state;
    setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
    setenv("OMPI_COMM_WORLD_RANK", "1", 1);
    struct ranks r;
    struct diag d = {0};
    assert_false(ranks_join(&r, &d));
    assert_false(ranks_leads(&r)); /* rank 0 alone says it */
    assert_non_null(strstr(d.text, "built without Open MPI"));
    assert_null(strchr(d.text, '\n'));
}

/* There is no mpirun to be told of. */
static void ranks_divide__names_what_is_missing(void **state) {
    (void)state;
    struct ranks r = {.size = 1};
    struct diag d = {0};
    assert_true(ranks_divide(&r, 1, &d));
    assert_false(ranks_divide(&r, 2, &d));
    assert_non_null(strstr(d.text, "--ranks-per-run 2 needs Open MPI, and this heddle was built without it"));
    assert_null(strstr(d.text, "mpirun"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(ranks_join__a_process_alone_needs_no_mpi),
        UNIT(ranks_join__many_are_refused_in_one_line),
        UNIT(ranks_divide__names_what_is_missing),
    };
    return RUN_UNITS(tests);
}
