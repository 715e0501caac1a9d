/* SPDX-License-Identifier: Apache-2.0 */
/* The order of a sweep under a budget, as lists of what distinguishes its runs. */
#include "study/run/order.h"

#include "study/experiment/settings.h"
#include "study_test.h"

#include <stdlib.h>

/* Answers for the order, and what it has started so far. */
struct lab {
    struct experiment *e;
    struct order *order;
    const char *open;    /* settings of the open places, "ecmp 0.1"; "": none; NULL: all */
    const char *misfits; /* settings of runs that do not fit; NULL: all fit */
    size_t passes;
    char text[2048];
};

/* The values of a run, in the order of the keys: "0.1 ecmp 2". */
static void run_text(const struct lab *lab, size_t run, char *buf, size_t size) {
    const char *key;
    json_t *value;
    buf[0] = '\0';
    json_object_foreach(lab->e->run[run].settings, key, value) {
        char text[64];
        setting_text(value, text, sizeof text);
        snprintf(buf + strlen(buf), size - strlen(buf), "%s%s", buf[0] ? " " : "", text);
    }
}

static bool run_fits(void *context, size_t run) {
    const struct lab *lab = context;
    char text[256];
    run_text(lab, run, text, sizeof text);
    return !lab->misfits || !strstr(lab->misfits, text);
}

static void places_open(void *context, bool *open) {
    struct lab *lab = context;
    lab->passes++;
    for (size_t i = 0; i < lab->e->n_runs; i++) {
        char text[256];
        run_text(lab, i, text, sizeof text);
        *strrchr(text, ' ') = '\0'; /* the seed, which is the last key */
        open[i] = !lab->open || strstr(lab->open, text);
    }
}

static void lab_init(struct lab *lab, const char *sweep) {
    char text[1024];
    snprintf(text, sizeof text,
             "fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4}\n"
             "workload: {kind: poisson, sizes: 20KB, load: 0.5, load_at: tor-uplink, pairs: inter-rack, flows: 20}\n"
             "sweep: {%s}\n",
             sweep);
    *lab = (struct lab){.e = read_text(text)};
    lab->order = order_create(lab->e);
}

/* Starts up to n runs; returns them, "0.1 ecmp 1, 0.1 spray 1". */
static const char *lab_start(struct lab *lab, size_t n) {
    const struct order_asks asks = {run_fits, places_open, lab};
    lab->text[0] = '\0';
    for (size_t run; n-- > 0 && (run = order_next(lab->order, &asks)) != SIZE_MAX;) {
        size_t used = strlen(lab->text);
        if (used) used += (size_t)snprintf(lab->text + used, sizeof lab->text - used, ", ");
        run_text(lab, run, lab->text + used, sizeof lab->text - used);
    }
    return lab->text;
}

static void lab_free(struct lab *lab) {
    order_free(lab->order);
    experiment_free(lab->e);
}

#define ALL 1000

/* The example of the header. */
static void order__ends_then_middles_then_seeds(void **state) {
    (void)state;
    struct lab lab;
    lab_init(&lab, "workload.0.load: [0.1, 0.3, 0.5, 0.7, 0.9], switch.balance: [ecmp, spray], run.seed: [1, 2]");
    assert_string_equal(lab_start(&lab, 4), "0.1 ecmp 1, 0.1 spray 1, 0.9 ecmp 1, 0.9 spray 1");
    assert_string_equal(lab_start(&lab, 2), "0.5 ecmp 1, 0.5 spray 1");
    assert_string_equal(lab_start(&lab, 4), "0.3 ecmp 1, 0.3 spray 1, 0.7 ecmp 1, 0.7 spray 1");
    assert_string_equal(lab_start(&lab, 3), "0.1 ecmp 2, 0.1 spray 2, 0.9 ecmp 2");
    assert_string_equal(lab_start(&lab, ALL),
                        "0.9 spray 2, 0.5 ecmp 2, 0.5 spray 2, 0.3 ecmp 2, 0.3 spray 2, 0.7 ecmp 2, 0.7 spray 2");
    lab_free(&lab);
}

/* The keys of the file may stand in any order, and so may the values: the least and the largest are the ends. */
static void order__compared_runs_start_side_by_side(void **state) {
    (void)state;
    struct lab lab;
    lab_init(&lab, "switch.balance: [ecmp, spray], workload.0.load: [0.5, 0.1, 0.9], run.seed: [7]");
    assert_string_equal(lab_start(&lab, ALL),
                        "ecmp 0.1 7, spray 0.1 7, ecmp 0.9 7, spray 0.9 7, ecmp 0.5 7, spray 0.5 7");
    lab_free(&lab);
}

/* Two axes of three values: the four corners, the middles of the edges, the middle of all. */
static void order__two_axes_of_numbers_make_a_grid(void **state) {
    (void)state;
    struct lab lab;
    lab_init(&lab, "fabric.hosts: [2, 4, 8], switch.buffer: [10KB, 100KB, 1MB], run.seed: [1]");
    assert_string_equal(lab_start(&lab, 4), "2 10KB 1, 2 1MB 1, 8 10KB 1, 8 1MB 1");
    assert_string_equal(lab_start(&lab, 4), "2 100KB 1, 4 10KB 1, 4 1MB 1, 8 100KB 1");
    assert_string_equal(lab_start(&lab, ALL), "4 100KB 1");
    lab_free(&lab);
}

/* Of eight values the middle is the fourth; sizes are numbers, and a distribution among them counts as an end. */
static void order__halves_are_halved_again(void **state) {
    (void)state;
    struct lab lab;
    lab_init(&lab, "workload.0.sizes: [1KB, 2KB, 3KB, 4KB, 5KB, 6KB, 7KB, 8KB, web-search]");
    struct order *o = lab.order;
    assert_int_equal(order_places(o), 9);
    assert_string_equal(lab_start(&lab, 3), "1KB 1, 8KB 1, web-search 1");
    assert_string_equal(lab_start(&lab, 1), "4KB 1");
    assert_string_equal(lab_start(&lab, 2), "2KB 1, 6KB 1");
    assert_string_equal(lab_start(&lab, ALL), "3KB 1, 5KB 1, 7KB 1");
    lab_free(&lab);
}

#define FOUR "workload.0.load: [0.1, 0.9], switch.balance: [ecmp, spray], run.seed: [1, 2, 3]"

/* Seeds go first where they may decide something; each pass asks anew where that is. */
static void order__open_places_get_their_seeds_first(void **state) {
    (void)state;
    struct lab lab;
    lab_init(&lab, FOUR);
    lab_start(&lab, 4);
    assert_int_equal(lab.passes, 0);
    lab.open = "0.9 ecmp, 0.9 spray";
    assert_string_equal(lab_start(&lab, 2), "0.9 ecmp 2, 0.9 spray 2");
    assert_int_equal(lab.passes, 1);
    lab.open = "0.1 spray, 0.9 spray"; /* asked at the next pass: the one with fewer seeds first */
    assert_string_equal(lab_start(&lab, 1), "0.1 spray 2");
    assert_int_equal(lab.passes, 2);
    assert_string_equal(lab_start(&lab, 2), "0.1 spray 3, 0.9 spray 3");
    lab.open = "";
    assert_string_equal(lab_start(&lab, ALL), "0.1 ecmp 2, 0.1 ecmp 3, 0.9 ecmp 3");
    lab_free(&lab);
}

/* A run that does not fit waits; whatever fits is started in its place. */
static void order__passes_over_what_does_not_fit(void **state) {
    (void)state;
    struct lab lab;
    lab_init(&lab, FOUR);
    lab.misfits = "0.9 ecmp 1, 0.9 ecmp 2, 0.9 ecmp 3, 0.9 spray 1";
    assert_string_equal(lab_start(&lab, 3), "0.1 ecmp 1, 0.1 spray 1, 0.1 ecmp 2");
    lab.misfits = "0.1 ecmp 3";
    assert_string_equal(lab_start(&lab, 2), "0.9 ecmp 1, 0.9 spray 1");
    assert_string_equal(lab_start(&lab, ALL),
                        "0.1 spray 2, 0.9 ecmp 2, 0.9 spray 2, 0.1 spray 3, 0.9 ecmp 3, 0.9 spray 3");
    lab.misfits = NULL;
    assert_string_equal(lab_start(&lab, ALL), "0.1 ecmp 3");
    lab_free(&lab);
}

/* The order goes on from what is done, and gives every run once. */
static void order__goes_on_from_what_is_taken(void **state) {
    (void)state;
    struct lab lab;
    lab_init(&lab, FOUR);
    for (size_t i = 0; i < lab.e->n_runs; i++) {
        char text[256];
        run_text(&lab, i, text, sizeof text);
        if (strstr("0.1 ecmp 1, 0.1 ecmp 2, 0.9 spray 1, 0.9 spray 3", text)) order_take(lab.order, i);
    }
    assert_string_equal(lab_start(&lab, ALL),
                        "0.1 spray 1, 0.9 ecmp 1, 0.1 spray 2, 0.9 ecmp 2, 0.1 ecmp 3, 0.1 spray 3, 0.9 ecmp 3, "
                        "0.9 spray 2");
    lab_free(&lab);
}

/* Runs of one place differ in the seed alone. */
static void order_place__leaves_out_the_seed(void **state) {
    (void)state;
    struct lab lab;
    lab_init(&lab, "run.seed: [1, 2], switch.balance: [ecmp, spray]");
    assert_int_equal(order_places(lab.order), 2);
    assert_int_equal(order_place(lab.order, 0), order_place(lab.order, 2));
    assert_int_equal(order_place(lab.order, 1), order_place(lab.order, 3));
    assert_int_not_equal(order_place(lab.order, 0), order_place(lab.order, 1));
    lab_free(&lab);
}

static void order__without_a_sweep(void **state) {
    (void)state;
    struct lab lab;
    lab_init(&lab, "");
    assert_string_equal(lab_start(&lab, ALL), "1");
    assert_string_equal(lab_start(&lab, ALL), "");
    lab_free(&lab);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(order__ends_then_middles_then_seeds),
        UNIT(order__compared_runs_start_side_by_side),
        UNIT(order__two_axes_of_numbers_make_a_grid),
        UNIT(order__halves_are_halved_again),
        UNIT(order__open_places_get_their_seeds_first),
        UNIT(order__passes_over_what_does_not_fit),
        UNIT(order__goes_on_from_what_is_taken),
        UNIT(order_place__leaves_out_the_seed),
        UNIT(order__without_a_sweep),
    };
    return RUN_UNITS(tests);
}
