/* SPDX-License-Identifier: Apache-2.0 */
/* Fills the fields that rows of parameters name from values of the configuration. */
#include "study/assemble/fill.h"

#include "study_test.h"

struct wanted {
    uint8_t narrow;
    uint16_t middle;
    uint32_t wide;
    int64_t full, array[4];
    bool flag;
    uint32_t host;
    const char *text;
    const uint16_t *list;
    uint32_t n_list;
    struct phase {
        int64_t rate;
        span_ps span;
    } const *phase;
    uint32_t n_phases;
};

#define EXPERIMENT                                                                                                     \
    "fabric: {kind: star, hosts: 4}\n"                                                                                 \
    "workload:\n"                                                                                                      \
    "  - {kind: incast, total: 60KB, senders: 3, receiver: host0.2}\n"                                                 \
    "  - {kind: web-partition, responses: [2KB, 8KB], fanout: [1, 2], connections: persistent, queries: 5,\n"          \
    "     schedule: [{for: 1ms, rate: 7/s}, {for: 2ms, rate: 9/s}], clients: [0]}\n"

struct filled {
    struct experiment *e;
    struct assembly *a;
    struct fill f;
    struct diag d;
};

static struct filled begin(const char *text) {
    struct filled x = {.e = read_text(text)};
    x.a = assembly_create(&x.e->run[0].config, "", &x.d);
    if (!x.a) fail_msg("%s", x.d.text);
    x.f = (struct fill){.a = x.a, .c = &x.e->run[0].config, .base_dir = ""};
    return x;
}

static void end(struct filled *x) {
    assembly_free(x->a);
    experiment_free(x->e);
}

static void fill_param__fields_of_every_width(void **state) {
    (void)state;
    struct filled x = begin(EXPERIMENT);
    struct wanted w = {0};
    const struct param rows[] = {
        {.name = "senders", .type = PARAM_COUNT, PARAM_IN(struct wanted, narrow)},
        {.name = "senders", .type = PARAM_COUNT, PARAM_IN(struct wanted, middle)},
        {.name = "total", .type = PARAM_BYTES, PARAM_IN(struct wanted, wide)},
        {.name = "total", .type = PARAM_BYTES, PARAM_IN(struct wanted, full)},
        {.name = "total", .type = PARAM_BYTES, PARAM_IN(struct wanted, array)},
        {0},
    };
    assert_true(fill_params(&x.f, "workload.0", rows, &w));
    assert_int_equal(w.narrow, 3);
    assert_int_equal(w.middle, 3);
    assert_int_equal(w.wide, 60000);
    assert_int_equal(w.full, 60000);
    for (int i = 0; i < 4; i++) assert_int_equal(w.array[i], 60000);
    end(&x);
}

static void fill_param__without_a_value(void **state) {
    (void)state;
    struct filled x = begin(EXPERIMENT);
    struct wanted w = {.middle = 5};
    const struct param none = {.name = "within", .type = PARAM_TIME, .without = 7, PARAM_IN(struct wanted, full)};
    const struct param other = {.name = "queries", .type = PARAM_COUNT, .without = -1, PARAM_IN(struct wanted, array)};
    const struct param no_field = {.name = "senders", .type = PARAM_COUNT};
    const struct param *const rows[] = {&none, &other, &no_field, NULL};
    assert_true(fill_list(&x.f, "workload.0", rows, &w));
    assert_int_equal(w.full, 7);      /* none */
    assert_int_equal(w.array[0], -1); /* a key of other workload kinds */
    assert_int_equal(w.middle, 5);
    end(&x);
}

static void fill_param__choices_and_words(void **state) {
    (void)state;
    struct filled x = begin(EXPERIMENT);
    struct wanted w = {0};
    const struct param flag = {.name = "connections", .type = PARAM_CHOICE, PARAM_IN(struct wanted, flag)};
    const struct param text = {.name = "connections", .type = PARAM_TEXT, PARAM_IN(struct wanted, text)};
    assert_true(fill_param(&x.f, "workload.1", &flag, &w) && fill_param(&x.f, "workload.1", &text, &w));
    assert_true(w.flag);
    assert_string_equal(w.text, "persistent");
    end(&x);
}

static void fill_param__hosts(void **state) {
    (void)state;
    struct filled x = begin(EXPERIMENT);
    struct wanted w = {0};
    struct param host = {.name = "receiver", .type = PARAM_HOST, PARAM_IN(struct wanted, host)};
    assert_true(fill_param(&x.f, "workload.0", &host, &w));
    assert_int_equal(w.host, 2);
    host.choices = "each|host0.2"; /* a keyword has precedence over a name */
    assert_true(fill_param(&x.f, "workload.0", &host, &w));
    assert_int_equal(w.host, HOST_CHOICE(1));
    host = (struct param){.name = "src", .type = PARAM_HOST, .without = NODE_NONE, PARAM_IN(struct wanted, host)};
    assert_true(fill_param(&x.f, "workload.0", &host, &w));
    assert_int_equal(w.host, NODE_NONE);
    end(&x);
}

static void fill_param__a_host_that_is_not_there(void **state) {
    (void)state;
    struct filled x = begin(EXPERIMENT);
    struct wanted w = {0};
    const struct param host = {.name = "total", .type = PARAM_HOST, PARAM_IN(struct wanted, host)};
    x.f.d = &x.d;
    assert_false(fill_param(&x.f, "workload.0", &host, &w));
    assert_string_equal(x.d.text, "workload.0.total: there is no host '60KB'; they are host0.0 to host0.3, or 0 to 3");
    assert_int_equal(x.d.line, 3);
    end(&x);
}

static void fill_param__lists_of_values_and_of_maps(void **state) {
    (void)state;
    struct filled x = begin(EXPERIMENT);
    struct wanted w = {0};
    static const struct param number[] = {{.type = PARAM_BYTES}};
    static const struct param phase[] = {
        {.name = "for", .type = PARAM_TIME, PARAM_IN(struct phase, span)},
        {.name = "rate", .type = PARAM_FREQUENCY, PARAM_IN(struct phase, rate)},
    };
    const struct param list = {
        .name = "responses", .type = PARAM_LIST, PARAM_LIST_IN(struct wanted, list, n_list, number)};
    const struct param phases = {
        .name = "schedule", .type = PARAM_LIST, PARAM_LIST_IN(struct wanted, phase, n_phases, phase)};
    assert_true(fill_param(&x.f, "workload.1", &list, &w) && fill_param(&x.f, "workload.1", &phases, &w));
    assert_int_equal(w.n_list, 2);
    assert_int_equal(w.list[0], 2000);
    assert_int_equal(w.list[1], 8000);
    assert_int_equal(w.n_phases, 2);
    assert_int_equal(w.phase[0].span, PS_PER_MS);
    assert_int_equal(w.phase[1].rate, 9000);
    end(&x);
}

static void fill_values__in_the_order_of_the_rows(void **state) {
    (void)state;
    struct filled x = begin(EXPERIMENT);
    const struct param rows[] = {
        {.name = "rounds", .def = 5}, {.name = "total", .def = 6}, {.name = "offset", .def = 8}};
    const int64_t *value = fill_values(&x.f, "workload.0", rows, 3);
    assert_int_equal(value[0], 1);
    assert_int_equal(value[1], 60000);
    assert_int_equal(value[2], 8); /* does not apply, so it has the default */
    assert_null(fill_values(&x.f, "workload.0", NULL, 0));
    end(&x);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(fill_param__fields_of_every_width),     UNIT(fill_param__without_a_value),
        UNIT(fill_param__choices_and_words),         UNIT(fill_param__hosts),
        UNIT(fill_param__a_host_that_is_not_there),  UNIT(fill_param__lists_of_values_and_of_maps),
        UNIT(fill_values__in_the_order_of_the_rows),
    };
    return RUN_UNITS(tests);
}
