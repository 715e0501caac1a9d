/* SPDX-License-Identifier: Apache-2.0 */
/* Stores on file systems that cannot lock files, as NFS without its lock server. The program says so in one line, runs
 * nothing, and the store is of use afterwards. argv[1] is the program. */
#include "program.h"
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define SMALL "fabric: {kind: star, hosts: 2}\nworkload: [{kind: permutation, sizes: 20KB}]\n"
#define DONE "SELECT count(*) FROM runs WHERE status='done'"

static int fresh(void **state) {
    (void)state;
    unlink("x.db");
    unlink("x.db-journal");
    file_write("x.yaml", SMALL);
    return 0;
}

/* The command is refused with `why`; where locks work, it then ends as ever. */
static void refuses(const struct ended *e, const char *why) {
    assert_int_equal(e->code, 2);
    assert_int_equal(lines_in(e->err), 1);
    if (!strstr(e->err, why)) fail_msg("%s", e->err);
    assert_int_equal(heddle("run x.yaml --quiet")->code, 0);
    assert_int_equal(store_number("x.db", DONE), 1);
}

static void locks__none_for_the_writer(void **state) {
    (void)state;
    refuses(
        heddle_without_locks("run x.yaml", F_OFD_SETLK, ENOLCK),
        "x.db: error: its file system cannot lock the store (No locks available), which must have one writer; name a "
        "file on a local disk with -o, and copy it afterwards\n");
}

static void locks__not_known_to_the_file_system(void **state) {
    (void)state;
    refuses(heddle_without_locks("run x.yaml", F_OFD_SETLK, EOPNOTSUPP),
            "cannot lock the store (Operation not supported), ");
}

/* SQLite's locks fail with an error of the disk. The message is no word about a foreign database. */
static void locks__none_for_sqlite(void **state) {
    (void)state;
    refuses(heddle_without_locks("run x.yaml", F_SETLK, EIO), "x.db: error: results store: disk I/O error");
}

/* A store with results is neither changed nor judged by a command that cannot lock it. */
static void locks__lost_by_a_store_with_results(void **state) {
    (void)state;
    assert_int_equal(heddle("run x.yaml --quiet")->code, 0);
    refuses(heddle_without_locks("run x.yaml --set run.seed=2", F_OFD_SETLK, ENOLCK), "cannot lock the store");
}

#define CASE(f) cmocka_unit_test_setup(f, fresh)

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        CASE(locks__none_for_the_writer),
        CASE(locks__not_known_to_the_file_system),
        CASE(locks__none_for_sqlite),
        CASE(locks__lost_by_a_store_with_results),
    };
    if (!program_enter(argc, argv)) return 2;
    int failed = RUN_UNITS(tests);
    program_leave();
    return failed;
}
