/* SPDX-License-Identifier: Apache-2.0 */
/* heddle why: the critical path of a job, its sums and the messages that lost most. The steps are written into the store by
 * hand, so every number can be added up here. */
#include "bad_stores.h"
#include "program.h"
#include "unit.h"

#include <unistd.h>

/* Two jobs on a star; what they did is replaced by STEPS. */
#define JOBS                                                                                                           \
    "fabric: {kind: star, hosts: 4, rate: 100Gbps, delay: 500ns}\n"                                                    \
    "workload:\n  - {kind: collective, name: ring, size: 400KB, iterations: 2}\n"                                      \
    "  - {kind: collective, name: tree, size: 40KB, ranks: [0, 1]}\n"

/* The columns are run, job, step, iteration, flow, phase, src, dst, bytes, start_ps, end_ps, ideal_ps. Job 0 is in its second
 * iteration: 300 us of computation after 10 us, then messages that took 200, 150, 100 and 60 us for ideals of 50, 50, 40 and
 * 60 us. Job 1 has one message, which took its ideal of 90 us. */
#define STEPS                                                                                                          \
    "DELETE FROM job_steps;"                                                                                           \
    "INSERT INTO job_steps SELECT id, 0, 0, 1, NULL, 'forward', 0, 0, NULL, 1010000000, 1310000000, 300000000 FROM "   \
    "runs;"                                                                                                            \
    "INSERT INTO job_steps SELECT id, 0, 1, 1, 9, 'send', 0, 1, 1000, 1310000000, 1410000000, 40000000 FROM runs;"     \
    "INSERT INTO job_steps SELECT id, 0, 2, 1, 8, 'send', 1, 2, 2000000, 1410000000, 1610000000, 50000000 FROM runs;"  \
    "INSERT INTO job_steps SELECT id, 0, 3, 1, 7, 'rest', 2, 3, 30000, 1610000000, 1670000000, 60000000 FROM runs;"    \
    "INSERT INTO job_steps SELECT id, 0, 4, 1, 6, 'send', 3, 0, 1500, 1670000000, 1820000000, 50000000 FROM runs;"     \
    "INSERT INTO job_steps SELECT id, 1, 0, 0, 5, 'tree', 0, 1, 40000, 0, 90000000, 90000000 FROM runs;"               \
    "DELETE FROM job_iterations;"                                                                                      \
    "INSERT INTO job_iterations SELECT id, 0, 0, 0, 100000000, 50000000, 0, 0 FROM runs;"                              \
    "INSERT INTO job_iterations SELECT id, 0, 1, 1000000000, 1820000000, 410000000, 0, 0 FROM runs;"                   \
    "INSERT INTO job_iterations SELECT id, 1, 0, 0, 90000000, 0, 0, 0 FROM runs;"

#define RING_HEAD                                                                                                      \
    "ring: all-reduce on 4 ranks, run 1\n"                                                                             \
    "  iteration 2 of 2, the slowest, took 820us; ideal 410us, 2.00 times that\n"                                      \
    "  its critical path begins 10us after the first rank: this rank had more to wait for before\n"                    \
    "\n"                                                                                                               \
    "  critical path    messages computations       time      ideal       lost\n"                                      \
    "  forward                 0            1      300us      300us         0s\n"                                      \
    "  send                    3            0      450us      140us      310us\n"                                      \
    "  rest                    1            0       60us       60us         0s\n"                                      \
    "  in all                  4            1      810us      500us      310us\n"
#define MESSAGES                                                                                                       \
    "\n"                                                                                                               \
    "  messages on it that lost most (of 3 that lost)\n"                                                               \
    "   begins at  phase      from         to                 size      took     ideal   times     flow\n"
#define FIRST "       410us  send       host0.1      host0.2             2MB     200us      50us    4.00        8\n"
#define SECOND "       670us  send       host0.3      host0.0           1500B     150us      50us    3.00        6\n"
#define THIRD "       310us  send       host0.0      host0.1             1KB     100us      40us    2.50        9\n"
#define TREE                                                                                                           \
    "tree: all-reduce on 2 ranks, run 1\n"                                                                             \
    "  iteration 1 of 1 took 90us; ideal 0s, 1.00 times that\n"                                                        \
    "\n"                                                                                                               \
    "  critical path    messages computations       time      ideal       lost\n"                                      \
    "  tree                    1            0       90us       90us         0s\n"                                      \
    "\n"                                                                                                               \
    "  No message on it took longer than its ideal.\n"

static int store_made(void **state) {
    (void)state;
    file_write("j.yaml", JOBS);
    if (heddle("run j.yaml --quiet -o j.db")->code) return -1;
    store_change("j.db", STEPS);
    return 0;
}

static int store_gone(void **state) {
    (void)state;
    return unlink("j.yaml") + unlink("j.db");
}

static void prints(const char *line, const char *expected) {
    const struct ended *e = heddle(line);
    assert_string_equal(e->err, "");
    assert_string_equal(e->out, expected);
    assert_int_equal(e->code, 0);
}

/* Phases are summed in the order of the path. Messages are listed by what they lost; one that lost nothing is not. */
static void why__each_job(void **state) {
    (void)state;
    prints("why j.db", RING_HEAD MESSAGES FIRST SECOND THIRD "\n" TREE);
}

static void why__a_job_of_that_name(void **state) {
    (void)state;
    prints("why j.db tree", TREE);
    prints("why j.db ring --messages 2", RING_HEAD MESSAGES FIRST SECOND);
    prints("why j.db ring --messages 0", RING_HEAD);
    heddle_refuses("why j.db llama", "heddle: error: j.db: run 1 has no job 'llama'; its first is 'ring'", "");
}

/* Of messages that lost as much, the earlier comes first. */
static void why__messages_that_lost_as_much(void **state) {
    (void)state;
    store_change("j.db", "UPDATE job_steps SET ideal_ps=90000000 WHERE flow=6");
    prints("why j.db ring --messages 2",
           "ring: all-reduce on 4 ranks, run 1\n"
           "  iteration 2 of 2, the slowest, took 820us; ideal 410us, 2.00 times that\n"
           "  its critical path begins 10us after the first rank: this rank had more to wait for before\n"
           "\n"
           "  critical path    messages computations       time      ideal       lost\n"
           "  forward                 0            1      300us      300us         0s\n"
           "  send                    3            0      450us      180us      270us\n"
           "  rest                    1            0       60us       60us         0s\n"
           "  in all                  4            1      810us      540us      270us\n" MESSAGES FIRST THIRD);
    prints("why j.db tree", TREE);
}

/* One message that lost is listed. After sixteen phases, all further ones are in the row of the last. */
static void why__few_messages_and_many_phases(void **state) {
    (void)state;
    store_change("j.db", "UPDATE job_steps SET ideal_ps=80000000 WHERE job=1");
    assert_string_equal(line_of(heddle("why j.db tree")->out, 6), "  messages on it that lost most (of 1 that lost)");
    assert_string_equal(
        line_of(heddle("why j.db tree")->out, 8),
        "          0s  tree       host0.0      host0.1            40KB      90us      80us    1.12        5");
    store_change("j.db",
                 "WITH RECURSIVE c(i) AS (SELECT 1 UNION SELECT i + 1 FROM c WHERE i < 17) INSERT INTO job_steps "
                 "SELECT id, 1, i, 0, NULL, 'p' || i, 0, 0, NULL, 90000000, 91000000, 1000000 FROM runs, c");
    const char *out = heddle("why j.db tree")->out;
    assert_string_equal(line_of(out, 4), "  tree                    1            0       90us       80us       10us");
    assert_string_equal(line_of(out, 5), "  p1                      0            1        1us        1us         0s");
    assert_string_equal(line_of(out, 19), "  p15                     0            3        3us        3us         0s");
    assert_string_equal(line_of(out, 20), "  in all                  1           17      107us       97us       10us");
}

/* A step without a message has neither flow nor size. */
static void why__as_csv(void **state) {
    (void)state;
    prints("why j.db --csv", "job,iteration,step,phase,from,to,flow,bytes,start_us,end_us,ideal_us\n"
                             "ring,1,0,forward,host0.0,host0.0,,,1010,1310,300\n"
                             "ring,1,1,send,host0.0,host0.1,9,1000,1310,1410,40\n"
                             "ring,1,2,send,host0.1,host0.2,8,2000000,1410,1610,50\n"
                             "ring,1,3,rest,host0.2,host0.3,7,30000,1610,1670,60\n"
                             "ring,1,4,send,host0.3,host0.0,6,1500,1670,1820,50\n"
                             "tree,0,0,tree,host0.0,host0.1,5,40000,0,90,90\n");
    prints("why j.db tree --csv", "job,iteration,step,phase,from,to,flow,bytes,start_us,end_us,ideal_us\n"
                                  "tree,0,0,tree,host0.0,host0.1,5,40000,0,90,90\n");
}

/* A path that begins with its iteration is not said to begin later. Without an iteration, or without its times, there is no
 * path to show; steps of a job that the run does not have are no one's. */
static void why__iterations_that_are_not_whole(void **state) {
    (void)state;
    store_change("j.db", "INSERT INTO job_steps SELECT id, 2, 0, 0, 4, 'else', 0, 1, 40000, 0, 90000000, 0 FROM runs;"
                         "INSERT INTO job_steps SELECT id, -1, 0, 0, 4, 'else', 0, 1, 40000, 0, 90000000, 0 FROM runs;"
                         "UPDATE job_iterations SET end_ps=NULL WHERE job=1");
    prints("why j.db tree", "tree: no iteration ended in run 1\n");
    store_change("j.db", "UPDATE job_iterations SET end_ps=90000000, start_ps=NULL WHERE job=1");
    prints("why j.db tree", "tree: no iteration ended in run 1\n");
    store_change("j.db", "DELETE FROM job_iterations WHERE job=1");
    prints("why j.db tree", "tree: no iteration ended in run 1\n");
    store_change("j.db", "DELETE FROM job_steps WHERE job=0");
    prints("why j.db", "ring: no iteration ended in run 1\n\ntree: no iteration ended in run 1\n");
}

static void why__runs_without_jobs(void **state) {
    (void)state;
    heddle_refuses("why j.db --run 7", "heddle: error: j.db: there is no run 7; it has 1 run", "");
    heddle_refuses("why none.db", "none.db: error: there is no such results store; name the file that heddle run wrote",
                   "none.db");
    file_write("j.yaml", "fabric: {kind: star, hosts: 4}\nworkload: {kind: permutation, sizes: 1KB}\n");
    unlink("j.db");
    assert_int_equal(heddle("run j.yaml --quiet -o j.db")->code, 0);
    heddle_refuses("why j.db",
                   "heddle: error: j.db: run 1 has no jobs; they are workloads of the kinds collective and training",
                   "");
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, store_made, store_gone)

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        CASE(why__each_job),
        CASE(why__a_job_of_that_name),
        CASE(why__messages_that_lost_as_much),
        CASE(why__few_messages_and_many_phases),
        CASE(why__as_csv),
        CASE(why__iterations_that_are_not_whole),
        CASE(why__runs_without_jobs),
    };
    if (!program_enter(argc, argv)) return 2;
    int failed = RUN_UNITS(tests);
    program_leave();
    return failed;
}
