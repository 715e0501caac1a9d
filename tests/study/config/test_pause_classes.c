/* SPDX-License-Identifier: Apache-2.0 */
/* switch.pause_classes: used stands for the number of classes that the workload fills. */
#include "study/config/pause_classes.h"

#include "study/assemble/assemble.h"
#include "study_test.h"

#include <stdlib.h>

#define RACKS "fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2, rate: 1Gbps, delay: 6600ns}\n"
#define USED(more) "scheme: detail\n" RACKS "switch: {" more "}\nworkload:\n"
#define FLOW(more) "  - {kind: permutation, sizes: 10KB" more "}\n"
#define QUERY(more) "  - {kind: query, schedule: {for: 1ms, rate: 1000/s}, responses: 8KiB, queries: 2" more "}\n"

/* Returns switch.pause_classes of the first run, as the effective configuration prints it. */
static const char *counted(const char *text) {
    static char number[16];
    struct experiment *e = read_text(text);
    snprintf(number, sizeof number, "%s", text_at(e, 0, "switch.pause_classes"));
    experiment_free(e);
    return number;
}

/* ---- the count ---- */

static void used__distinct_priorities_of_all_entries(void **state) {
    (void)state;
    assert_string_equal(counted(USED("") FLOW("")), "1");
    assert_string_equal(counted(USED("") FLOW("") FLOW(", priority: 7")), "2");
    assert_string_equal(counted(USED("") FLOW(", priority: 7") FLOW(", priority: 7")), "1");
    assert_string_equal(counted(USED("") QUERY(", priorities: [0, 7]")), "2");
    assert_string_equal(counted(USED("") QUERY(", priorities: [1, 2, 2, 5]") FLOW(", priority: 5") FLOW("")), "4");
}

static void used__priorities_beyond_the_last_class_share_it(void **state) {
    (void)state;
    assert_string_equal(counted(USED("classes: 2") QUERY(", priorities: [1, 2, 7]")), "1");
    assert_string_equal(counted(USED("classes: 2") QUERY(", priorities: [0, 2, 7]")), "2");
    assert_string_equal(counted(USED("classes: 1, schedule: fifo") QUERY(", priorities: [0, 7]")), "1");
}

/* 802.3x pauses the whole link. */
static void used__pauses_of_whole_links_have_one(void **state) {
    (void)state;
    assert_string_equal(counted("scheme: detail-fc\n" RACKS "workload:\n" FLOW("") FLOW(", priority: 7")), "1");
}

static void used__credits_count_with_the_highest_class(void **state) {
    (void)state;
    assert_string_equal(counted(USED("") FLOW("") "host: {transport: expresspass, nic: pull}\n"), "2");
    assert_string_equal(counted(USED("") FLOW("") FLOW(", transport: expresspass") "host: {nic: pull}\n"), "2");
    assert_string_equal(counted(USED("") FLOW(", priority: 7") "host: {transport: expresspass, nic: pull}\n"), "1");
}

static void used__control_frames_of_the_balancer_count_with_the_highest_class(void **state) {
    (void)state;
    assert_string_equal(counted(USED("balance: expeditus") FLOW("")), "1");
    assert_string_equal(counted(USED("balance: expeditus, expeditus: {control_priority: true}") FLOW("")), "2");
    assert_string_equal(counted(USED("expeditus: {control_priority: true}") FLOW("")), "1");
}

static void used__all_classes_of_ports_without_a_workload(void **state) {
    (void)state;
    assert_string_equal(counted("scheme: detail\n" RACKS), "8");
    assert_string_equal(counted("scheme: detail-fc\n" RACKS), "1");
}

static void numbers__stay_as_they_are(void **state) {
    (void)state;
    assert_string_equal(counted(USED("pause_classes: 3") FLOW("")), "3");
    assert_string_equal(counted(USED("pause_classes: none") FLOW("")), "(none)");
    assert_string_equal(counted("scheme: detail-printed\n" RACKS "workload:\n" FLOW("")), "8");
    assert_string_equal(counted("scheme: detail-fast\n" RACKS "workload:\n" FLOW("")), "(none)");
}

static void used__refuses_other_words(void **state) {
    (void)state;
    refuse(USED("pause_classes: use") FLOW(""),
           "x.yaml:3:25: error: switch.pause_classes: 'use' is not a count; write one such as 10");
}

/* ---- the runs ---- */

/* An axis may have the word; the number follows the priorities of each run. */
static void sweep__each_run_counts_its_own_workload(void **state) {
    (void)state;
    struct experiment *e = read_text(USED("") FLOW("") FLOW(
        ", priority: 0") "sweep: {switch.pause_classes: [used, 8], workload.1.priority: [0, 4]}\n");
    static const char *const number[] = {"1", "2", "8", "8"}, *const axis[] = {"used", "used", NULL, NULL};
    for (size_t i = 0; i < 4; i++) {
        const json_t *value = json_object_get(e->run[i].settings, "switch.pause_classes");
        assert_string_equal(text_at(e, i, "switch.pause_classes"), number[i]);
        if (axis[i]) assert_string_equal(json_string_value(value), axis[i]);
        if (!axis[i]) assert_int_equal(json_integer_value(value), 8);
    }
    experiment_free(e);
}

static void identity__holds_the_number(void **state) {
    (void)state;
    struct experiment *used = read_text(USED("") FLOW("") FLOW(", priority: 7"));
    struct experiment *two = read_text(USED("pause_classes: 2") FLOW("") FLOW(", priority: 7"));
    struct experiment *three = read_text(USED("pause_classes: 3") FLOW("") FLOW(", priority: 7"));
    assert_string_equal(used->run[0].identity, two->run[0].identity);
    assert_string_not_equal(used->run[0].identity, three->run[0].identity);
    assert_non_null(strstr(used->run[0].text, "  pause_classes: 2\n"));
    struct experiment *again = read_text(used->run[0].text);
    assert_string_equal(again->run[0].identity, used->run[0].identity);
    experiment_free(again);
    experiment_free(three);
    experiment_free(two);
    experiment_free(used);
}

/* Real frames may have any class: a lab keeps room for all, unless the file gives a number. */
static void live__all_classes_of_ports(void **state) {
    (void)state;
    static const char *const text[] = {USED("") FLOW(""), USED("classes: 4") FLOW(""),
                                       USED("pause_classes: 1") FLOW("")};
    static const char *const number[] = {"8", "4", "1"};
    for (size_t i = 0; i < 3; i++) {
        struct experiment *e = read_text(text[i]);
        char line[32];
        experiment_mark_live(e, "on real frames");
        assert_string_equal(text_at(e, 0, "switch.pause_classes"), number[i]);
        snprintf(line, sizeof line, "  pause_classes: %s\n", number[i]);
        assert_non_null(strstr(e->run[0].text, line));
        assert_memory_equal(e->run[0].text, "# on real frames\n", 17);
        experiment_free(e);
    }
}

/* ---- thresholds (AM-50) ---- */

static int64_t high_of(const char *text) {
    struct diag d = {0};
    struct experiment *e = read_text(text);
    struct assembly *a = assembly_create(&e->run[0].config, "", &d);
    if (!a) fail_msg("%s", d.text);
    struct flowctl_params p = flowctl_params_at(&a->world.switches.flow, 1000000000, 6600000);
    int64_t high = flowctl_thresholds_at(&a->world.switches.flow, &p).high_bytes;
    assembly_free(a);
    experiment_free(e);
    return high;
}

static void thresholds__of_the_papers_link_by_the_classes_in_use(void **state) {
    (void)state;
    assert_int_equal(high_of(USED("") FLOW("")), 124620);
    assert_int_equal(high_of(USED("") FLOW("") FLOW(", priority: 7")), 59084);
    assert_int_equal(high_of("scheme: detail-fc\n" RACKS "workload:\n" FLOW("")), 124620);
    assert_int_equal(high_of("scheme: detail-printed\n" RACKS "workload:\n" FLOW("")), 11546);
    assert_int_equal(high_of("scheme: detail-fc-printed\n" RACKS "workload:\n" FLOW("")), 11546);
    assert_int_equal(high_of("scheme: detail-priority-pfc-printed\n" RACKS "workload:\n" FLOW("")), 11546);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(used__distinct_priorities_of_all_entries),
        UNIT(used__priorities_beyond_the_last_class_share_it),
        UNIT(used__pauses_of_whole_links_have_one),
        UNIT(used__credits_count_with_the_highest_class),
        UNIT(used__control_frames_of_the_balancer_count_with_the_highest_class),
        UNIT(used__all_classes_of_ports_without_a_workload),
        UNIT(numbers__stay_as_they_are),
        UNIT(used__refuses_other_words),
        UNIT(sweep__each_run_counts_its_own_workload),
        UNIT(identity__holds_the_number),
        UNIT(live__all_classes_of_ports),
        UNIT(thresholds__of_the_papers_link_by_the_classes_in_use),
    };
    return RUN_UNITS(tests);
}
