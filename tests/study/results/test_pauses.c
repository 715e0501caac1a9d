/* SPDX-License-Identifier: Apache-2.0 */
/* What is said after a run whose flow control failed. */
#include "study/results/pauses.h"

#include "unit.h"

#include <stdlib.h>
#include <string.h>

/* Ports 0 and 1 join two switches, in both directions: ring i is "a waits for b waits for a". */
static struct outcome with_rings(uint32_t rings, struct pause_ring_lane *lane) {
    static const char *node[] = {"leaf0", "spine1"};
    static struct outcome_port port[] = {{.node = 0, .neighbour = 1}, {.node = 1, .neighbour = 0}};
    for (uint32_t i = 0; i < 2 * rings; i++)
        lane[i] = (struct pause_ring_lane){.ring = i / 2,
                                           .port = i % 2,
                                           .since = (i % 2 + 1) * PS_PER_MS,
                                           .first = 3 * PS_PER_MS,
                                           .last = 5 * PS_PER_MS};
    return (struct outcome){.node = node,
                            .n_nodes = 2,
                            .port = port,
                            .n_ports = 2,
                            .result = {.ring = lane, .n_ring_lanes = 2 * rings, .pauses = {.rings = rings}}};
}

/* Returns the warnings, which the caller frees. */
static char *text_of(const struct outcome *o) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    pauses_warn_storms(o, "x.yaml", 3, out);
    pauses_warn_rings(o, "x.yaml", 3, out);
    fclose(out);
    return text;
}

static void rings__each_of_the_first_has_its_line(void **state) {
    (void)state;
    struct pause_ring_lane lane[2 * 5];
    for (uint32_t rings = 0; rings <= 5; rings++) {
        struct outcome o = with_rings(rings, lane);
        char *text = text_of(&o), more[64];
        uint32_t lines = 0;
        for (const char *at = text; (at = strstr(at, "cyclic buffer dependency")); at++) lines++;
        assert_int_equal(lines, rings < 3 ? rings : 3);
        snprintf(more, sizeof more, "run 3: %u more of them", rings - 3);
        assert_int_equal(strstr(text, "more of them") != NULL, rings > 3);
        if (rings > 3) assert_non_null(strstr(text, more));
        free(text);
    }
}

/* All lanes are paused from the start of the youngest pause to when the ring was seen last. */
static void rings__are_told_by_ports_and_time(void **state) {
    (void)state;
    struct pause_ring_lane lane[2];
    struct outcome o = with_rings(1, lane);
    char *text = text_of(&o);
    assert_string_equal(
        text, "x.yaml: warning: run 3: cyclic buffer dependency: leaf0>spine1 waits for spine1>leaf0 waits for "
              "leaf0>spine1; all paused from 2ms on, for 3ms at least\n");
    free(text);
}

/* Of storms the longest pause is named, whatever its port's place in the list. */
static void storms__the_longest_is_named(void **state) {
    (void)state;
    struct pause_total pause[] = {{.port = 0, .class = 1, .longest = 2 * PS_PER_MS, .longest_from = PS_PER_MS},
                                  {.port = 1, .class = 4, .longest = 7 * PS_PER_MS, .longest_from = 2 * PS_PER_MS},
                                  {.port = 1, .class = 5, .longest = 3 * PS_PER_MS, .longest_from = 0}};
    struct outcome o = with_rings(0, NULL);
    o.result.pause = pause;
    o.result.n_pauses = 3;
    char *none = text_of(&o); /* pauses, but no storm */
    assert_string_equal(none, "");
    free(none);
    o.result.pauses.storms = 2;
    char *text = text_of(&o);
    assert_string_equal(
        text, "x.yaml: warning: run 3: 2 pause storms; the longest: spine1>leaf0, class 4, stood paused for 7ms "
              "from 2ms on (switch.pause_storm says what counts as one)\n");
    free(text);
}

/* Times are rounded to four digits, up from the half, and shorter ones are exact. */
static void storms__times_have_four_digits(void **state) {
    (void)state;
    static const struct {
        span_ps time;
        const char *text;
    } row[] = {{9999, "9.999ns"},
               {10000, "10ns"},
               {100006, "100ns"},
               {12345678, "12.35us"},
               {12344999, "12.34us"},
               {12345000, "12.35us"},
               {99995 * PS_PER_US, "100ms"},
               {1234567890123, "1.235s"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct pause_total pause = {.port = 0, .class = 1, .longest = row[i].time, .longest_from = row[i].time};
        struct outcome o = with_rings(0, NULL);
        char says[160];
        o.result.pause = &pause;
        o.result.n_pauses = 1;
        o.result.pauses.storms = 1;
        char *text = text_of(&o);
        snprintf(says, sizeof says, "1 pause storm; the longest: leaf0>spine1, class 1, stood paused for %s from %s on",
                 row[i].text, row[i].text);
        if (!strstr(text, says)) fail_msg("%s", text);
        free(text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(rings__each_of_the_first_has_its_line),
        UNIT(rings__are_told_by_ports_and_time),
        UNIT(storms__the_longest_is_named),
        UNIT(storms__times_have_four_digits),
    };
    return RUN_UNITS(tests);
}
