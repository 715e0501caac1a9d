/* SPDX-License-Identifier: Apache-2.0 */
/* Properties that every row of the table of transports must have. */
#include "mech/transport/credit.h"
#include "mech/transport/tcp.h"
#include "mech/transport/transports.h"

#include "unit.h"

#include <string.h>

static const struct transport_ops *const *table(size_t *n) { return transports(n); }

static void table__rows_have_all_that_hosts_call(void **state) {
    (void)state;
    size_t n;
    for (size_t i = 0; i < (table(&n), n); i++) {
        const struct transport_ops *t = table(&n)[i];
        for (enum transport_side side = SIDE_SENDER; side <= SIDE_RECEIVER; side++) {
            const struct transport_end *e = transport_end_of(t, side);
            assert_true(e->bytes > 0 && e->hot <= e->bytes);
            assert_int_equal(e->cell_at != 0, t->base == &tcp_base); /* both ends of TCP keep a scoreboard */
            assert_true(e->cell_at + sizeof(void *) <= e->bytes);
            assert_true(e->open && e->on_packet && e->next_timer && e->has_output && e->poll_transmit && e->is_done);
            assert_non_null(e->describe);
            if (!e->on_timer) assert_ptr_equal(e->next_timer, transport_no_timer);
        }
        assert_null(t->sender->next_credit);
        assert_null(t->receiver->farewell);
    }
}

static void table__rows_of_a_base_say_what_it_asks_for(void **state) {
    (void)state;
    size_t n;
    for (size_t i = 0; i < (table(&n), n); i++) {
        const struct transport_ops *t = table(&n)[i];
        assert_int_equal(t->base == &tcp_base, t->congestion != NULL);
        assert_int_equal(t->base == &credit_base, t->credit != NULL);
        assert_int_equal(t->needs.credit, t->receiver->next_credit && t->receiver->poll_credit);
        assert_true(t->needs.credit || !t->credit_hold);
        assert_int_equal(t->base->keeps_connections, t->base->talk != NULL);
    }
}

static void params__are_the_bases_then_the_rows_own(void **state) {
    (void)state;
    size_t n;
    for (size_t i = 0; i < (table(&n), n); i++) {
        const struct transport_ops *t = table(&n)[i];
        const struct transport_base *b = t->base;
        size_t n_base = param_list_n(b->params), n_all = transport_n_params(t);
        const uint16_t named[] = {b->max_payload_param, b->early_bytes_param,     b->min_rto_param,
                                  b->max_rto_param,     b->fast_retransmit_param, b->dupack_param};
        assert_true(n_base <= n_all);
        for (size_t k = 0; k < sizeof named / sizeof *named; k++) assert_true(named[k] < n_base);
        assert_int_equal(transport_param(t, b->max_payload_param).type, PARAM_BYTES);
        for (size_t k = 0; k < n_base; k++)
            assert_string_equal(transport_param(t, k).name, param_list_at(b->params, k)->name);
        for (size_t k = 0; k < n_all; k++) {
            const struct param p = transport_param(t, k);
            if (p.type != PARAM_CHOICE)
                assert_true((p.min <= p.def && p.def <= p.max) || (p.word && p.def == p.word_value));
            assert_true(p.doc && p.paper);
            for (size_t j = 0; j < k; j++) assert_string_not_equal(transport_param(t, j).name, p.name);
        }
        for (size_t k = 0; k < t->n_defaults; k++) assert_true(t->defaults[k].param < n_base);
    }
}

static void params__a_row_may_begin_with_another_value(void **state) {
    (void)state;
    int64_t values[TCP_N_PARAMS + 8];
    assert_int_equal(transport_param(&transport_newreno, TCP_PARAM_MSS).def, 1460);
    assert_int_equal(transport_param(&transport_dx, TCP_PARAM_MSS).def, 1448);
    assert_int_equal(transport_param(&transport_newreno, TCP_PARAM_ECN).def, 0);
    assert_int_equal(transport_param(&transport_hull, TCP_PARAM_ECN).def, 1);
    transport_defaults(&transport_dx, values);
    assert_int_equal(values[TCP_PARAM_MSS], 1448);
    assert_int_equal(transport_param(&transport_dx, TCP_PARAM_MSS).max, tcp_params[TCP_PARAM_MSS].max);
}

static void param_list__numbers_go_through(void **state) {
    (void)state;
    static const struct param first[] = {{.name = "a"}, {.name = "b"}}, second[] = {{.name = "c"}};
    const struct param_list root = {NULL, first, 2}, leaf = {&root, second, 1};
    assert_int_equal(param_list_n(NULL), 0);
    assert_int_equal(param_list_n(&leaf), 3);
    assert_string_equal(param_list_at(&leaf, 0)->name, "a");
    assert_string_equal(param_list_at(&leaf, 1)->name, "b");
    assert_string_equal(param_list_at(&leaf, 2)->name, "c");
}

static void counters__are_the_bases_then_the_rows_own(void **state) {
    (void)state;
    static const struct counter own[] = {{.name = "mine"}};
    struct transport_ops t = transport_newreno;
    t.counters = own, t.n_counters = 1;
    assert_int_equal(transport_n_counters(&t), TCP_N_COUNTERS + 1);
    assert_string_equal(transport_counter(&t, 0)->name, tcp_counters[0].name);
    assert_string_equal(transport_counter(&t, TCP_N_COUNTERS)->name, "mine");
}

static void talk__of_a_connection(void **state) {
    (void)state;
    int64_t params[TCP_N_PARAMS];
    transport_defaults(&transport_newreno, params);
    struct transport_talk t = tcp_base.talk(params);
    assert_int_equal(t.opening_pkts, 2);
    assert_int_equal(t.closing_bytes, 0);
    assert_int_equal(t.ack_every, 1);
    params[TCP_PARAM_FIN] = 1;
    params[TCP_PARAM_DELAYED_ACK] = 2;
    t = tcp_base.talk(params);
    assert_int_equal(t.closing_pkts, 3);
    assert_int_equal(t.closing_bytes, 3 * 84);
    assert_int_equal(t.ack_every, 2);
}

static void credit_hold__as_the_parameters_say(void **state) {
    (void)state;
    int64_t params[64];
    size_t hold = 0, expire = 0;
    transport_defaults(&transport_spraypass, params);
    for (size_t i = 0; i < transport_n_params(&transport_spraypass); i++) {
        if (strcmp(transport_param(&transport_spraypass, i).name, "credit_hold") == 0) hold = i;
        if (strcmp(transport_param(&transport_spraypass, i).name, "expire") == 0) expire = i;
    }
    assert_int_equal(transport_spraypass.credit_hold(params), CREDIT_HOLD_TRIP);
    params[hold] = 7 * PS_PER_US;
    assert_int_equal(transport_spraypass.credit_hold(params), 7 * PS_PER_US);
    params[expire] = 1; /* immediate */
    assert_int_equal(transport_spraypass.credit_hold(params), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(table__rows_have_all_that_hosts_call),
        UNIT(table__rows_of_a_base_say_what_it_asks_for),
        UNIT(params__are_the_bases_then_the_rows_own),
        UNIT(params__a_row_may_begin_with_another_value),
        UNIT(param_list__numbers_go_through),
        UNIT(counters__are_the_bases_then_the_rows_own),
        UNIT(talk__of_a_connection),
        UNIT(credit_hold__as_the_parameters_say),
    };
    return RUN_UNITS(tests);
}
