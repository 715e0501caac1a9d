/* SPDX-License-Identifier: Apache-2.0 */
#include "study/run/progress.h"

#include "unit.h"

#include <string.h>

/* Its share that is done is that of its flows. */
static void board_set(struct job_board *b, long long done, long long total, long long hops, long long wall_ns) {
    atomic_store(&b->done_ppb, done * PPB / total);
    atomic_store(&b->flows_done, done);
    atomic_store(&b->flows_total, total);
    atomic_store(&b->packet_hops, hops);
    atomic_store(&b->wall_ns, wall_ns);
}

/* Parallel runs add their speeds, and what is done of the seconds that are foreseen for them. */
static void progress_text__jobs_add_up(void **state) {
    (void)state;
    struct job_board board[2] = {0};
    struct job job[2] = {{.board = &board[0], .foreseen_s = 10}, {.board = &board[1], .foreseen_s = 10}};
    struct progress_line p = {.n_runs = 8, .n_finished = 3, .all_s = 80, .finished_s = 30};
    char buf[256];
    board_set(&board[0], 500, 1000, 40000000, 10000000000);
    board_set(&board[1], 1500, 3000, 12000000, 2000000000);
    assert_string_equal(progress_text(&p, job, 2, 40, 0, buf, sizeof buf),
                        "3 of 8 runs done, 2 running: 2000 of 4000 flows, 10.0 M packet-hops/s, about 40 s left");
    assert_string_equal(progress_text(&p, job, 1, 40, 0, buf, sizeof buf),
                        "3 of 8 runs done, 1 running: 500 of 1000 flows, 4.0 M packet-hops/s, about 51 s left");
}

/* Of eight runs two take 20 s; there is a minute for all. */
static void progress_text__no_longer_than_the_budget(void **state) {
    (void)state;
    struct job_board board = {0};
    struct job job = {.board = &board, .foreseen_s = 3};
    struct progress_line p = {.n_runs = 8, .n_finished = 2, .all_s = 24, .finished_s = 6, .most_s = 65};
    char buf[256];
    board_set(&board, 0, 10, 0, 0);
    assert_string_equal(progress_text(&p, &job, 1, 20, 0, buf, sizeof buf),
                        "2 of 8 runs done, 1 running: 0 of 10 flows, about 45 s left");
    p.most_s = 100;
    assert_string_equal(progress_text(&p, &job, 1, 20, 0, buf, sizeof buf),
                        "2 of 8 runs done, 1 running: 0 of 10 flows, about 60 s left");
}

static void progress_text__nothing_is_known_at_first(void **state) {
    (void)state;
    struct job_board board = {0};
    struct job job = {.board = &board};
    struct progress_line p = {.n_runs = 2};
    char buf[256];
    assert_string_equal(progress_text(&p, &job, 1, 0.1, 0, buf, sizeof buf),
                        "0 of 2 runs done, 1 running: 0 of 0 flows, about ... left");
}

/* A run that is foreseen to take ten times as long as another one counts ten times. */
static void progress_text__long_runs_count_more(void **state) {
    (void)state;
    struct job_board board = {0};
    struct job job = {.board = &board, .foreseen_s = 100};
    struct progress_line p = {.n_runs = 2, .n_finished = 1, .all_s = 110, .finished_s = 10};
    char buf[256];
    board_set(&board, 5, 50, 0, 0);
    assert_string_equal(progress_text(&p, &job, 1, 20, 0, buf, sizeof buf),
                        "1 of 2 runs done, 1 running: 5 of 50 flows, about 90 s left");
}

/* The line fits the terminal, whatever its width. */
static void progress_text__never_wider_than_the_terminal(void **state) {
    (void)state;
    struct job_board board = {0};
    struct job job = {.board = &board};
    struct progress_line p = {.n_runs = 100000, .n_finished = 99998, .all_s = 1e5, .finished_s = 99998};
    board_set(&board, 4000000000, 4100000000, 1000000000, 1000000000);
    for (int width = 1; width < 120; width++) {
        char buf[256];
        assert_true(strlen(progress_text(&p, &job, 1, 100, width, buf, sizeof buf)) <= (size_t)width);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(progress_text__jobs_add_up),
        UNIT(progress_text__no_longer_than_the_budget),
        UNIT(progress_text__nothing_is_known_at_first),
        UNIT(progress_text__long_runs_count_more),
        UNIT(progress_text__never_wider_than_the_terminal),
    };
    return RUN_UNITS(tests);
}
