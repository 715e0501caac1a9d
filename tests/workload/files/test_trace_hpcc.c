/* SPDX-License-Identifier: Apache-2.0 */
/* Flow files of the HPCC simulator. */
#include "workload/files/formats.h"
#include "workload/generate.h"

#include "workload/specs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Knows hosts 0 to 15 by number, and the name 7 of host 3. */
static bool host_find(void *context, const char *text, bool quoted, uint32_t *host, char *why, size_t size) {
    (void)context;
    char *end;
    *host = strcmp(text, "7") == 0 && quoted ? 3 : !quoted ? (uint32_t)strtoul(text, &end, 10) : NODE_NONE;
    if (*host < 16 && (quoted || !*end)) return true;
    snprintf(why, size, "there is no host %s; 0 to 15", text);
    return false;
}

static bool parse(const char *text, time_ps start, struct flow_list *list, struct diag *d) {
    struct population p = population_make(fat_tree_4);
    struct workload_spec spec = spec_of(&workload_trace, NULL);
    spec.host_find = host_find;
    spec.start = start;
    *list = (struct flow_list){0};
    struct generator g = {.spec = &spec, .p = &p, .seed = 1, .list = list, .d = d};
    bool ok = trace_hpcc_parse(&g, text, strlen(text), "f");
    free(g.next_port);
    population_free(&p);
    return ok;
}

static void flows__as_they_stand(void **state) {
    (void)state;
    struct flow_list list;
    struct diag d;
    assert_true(
        parse("3\r\n0 1 3 100 65536 2.0\r\n\n7 2 0 0 99999999999 0.000001000001\n1 0 7 65535 1 2e-9\nThe end.\n1 2\n",
              PS_PER_US, &list, &d));
    assert_int_equal(list.n, 3);
    const struct flow *f = list.flow;
    assert_int_equal(f[0].start, 2 * PS_PER_S + PS_PER_US);
    assert_int_equal(f[0].bytes, 65536);
    assert_int_equal(f[0].priority, 3);
    assert_int_equal(f[1].src, 3); /* a name wins over a number */
    assert_int_equal(f[1].dst, 2);
    assert_int_equal(f[1].start, 2 * PS_PER_US + 1);
    assert_int_equal(f[1].bytes, 99999999999);
    assert_int_equal(f[2].priority, 7);
    flow_list_free(&list);
}

static void fails(const char *text, const char *expected) {
    struct flow_list list;
    struct diag d = {0};
    char line[600];
    assert_false(parse(text, 0, &list, &d));
    assert_string_equal(diag_line(&d, line, sizeof line), expected);
    flow_list_free(&list);
}

static void errors__name_the_place(void **state) {
    (void)state;
    fails("", "f:1:1: error: the file is empty; it begins with the number of flows");
    fails("0 1 3 100 65536 2.0\n",
          "f:1:1: error: the first line is the number of flows alone; write it above the flows");
    fails("x\n", "f:1:1: error: 'x' is not a number of flows; write a whole number, 1 to 4294967294");
    fails("2\n0 1 3 100 65536 2.0\n", "f:3:1: error: the file ends after 1 flows; correct its first line, 2");
    fails("1\n0 1 3 100 65536 2.0\n0 1 3 100 65536 2.0\n",
          "f:3:1: error: a flow behind the last of 1; correct the number in the first line");
    fails("1\n0 1 3 65536 2.0\n", "f:2:16: error: 5 of 6 words; a flow is 0 1 3 100 65536 2.0 (source, destination, "
                                  "group, port, bytes, seconds)");
    fails("1\n0 99 3 100 65536 2.0\n", "f:2:3: error: there is no host 99; 0 to 15");
    fails("1\n0 1 8 100 65536 2.0\n", "f:2:5: error: '8' is not a priority group; write a whole number, 0 to 7");
    fails("1\n0 1 3 x 65536 2.0\n", "f:2:7: error: 'x' is not a port; write a whole number, 0 to 65535");
    fails("1\n0 1 3 100 0 2.0\n", "f:2:11: error: '0' is not a size; write a whole number, 1 to 9223372036854775807");
    fails("1\n0 1 3 100 65536 2us\n", "f:2:17: error: '2us' is no start; write seconds, such as 2.000001");
    fails("1\n0 1 3 100 65536 -1\n", "f:2:17: error: '-1' is no start; write seconds, such as 2.000001");
    fails("1\n0 1 3 100 65536 9e9\n", "f:2:17: error: the start is too late; at most 53 days");
    fails("1\n1 1 3 100 65536 2.0\n", "f:2:3: error: host 1 would send to itself; give another destination");
}

/* ---- the writer ---- */

static char *written(const struct flow_list *list, struct diag *d) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    bool ok = workload_format_find("hpcc-flows")->write(list, NULL, out, d);
    fclose(out);
    if (ok) return text;
    free(text);
    return NULL;
}

static void write__comes_back(void **state) {
    (void)state;
    static const char text[] = "2\n0 1 3 100 65536 0.000000000001\n7 2 0 100 5 2.000001000000\n";
    struct flow_list list, again;
    struct diag d;
    assert_true(parse(text, 0, &list, &d));
    char *out = written(&list, &d);
    assert_string_equal(out, "2\n0 1 3 100 65536 0.000000000001\n3 2 0 100 5 2.000001000000\n");
    assert_true(parse(out, 0, &again, &d));
    for (uint32_t i = 0; i < 2; i++) assert_int_equal(again.flow[i].start, list.flow[i].start);
    free(out);
    flow_list_free(&list);
    flow_list_free(&again);
}

static void write__refuses_what_it_cannot_say(void **state) {
    (void)state;
    struct diag d;
    struct flow f = {.bytes = 1, .dst = 1, .start = TIME_NONE, .stop = TIME_NONE};
    const struct flow_list list = {.flow = &f, .n = 1};
    assert_null(written(&list, &d));
    assert_string_equal(d.text, "hpcc-flows: the flow from host 0 to host 1 starts when others have ended, which this "
                                "format cannot say; write --to goal, or cm");
    f.start = 0, f.rate_bps = 5;
    assert_null(written(&list, &d));
    assert_string_equal(d.text, "hpcc-flows: the flow from host 0 to host 1 has a rate, which this format cannot say; "
                                "leave out rate");
    f.rate_bps = 0, f.bytes = UINT64_MAX;
    assert_null(written(&list, &d));
    assert_string_equal(d.text,
                        "hpcc-flows: the flow from host 0 to host 1 sends until it is stopped, which this format "
                        "cannot say; give it sizes, and no stop");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(flows__as_they_stand),
        UNIT(errors__name_the_place),
        UNIT(write__comes_back),
        UNIT(write__refuses_what_it_cannot_say),
    };
    return RUN_UNITS(tests);
}
