/* Conservation link by link and node by node: what a debug build asserts of every run. */
#include "fixture.h"
#include "sim/build.h"

/* A world that has not begun, with the counts of a debug build. */
static struct lab *lab_unbegun(struct world *w) {
    struct lab *l = lab_new(spec_star(2));
    struct diag d;
    lab_flow(l, 0, 1, 1000, 0);
    l->config.fabric = lab_fabric(l);
    l->config.flows = &l->flows;
    assert_true(world_build(w, &l->config, &d));
    if (!w->audit.sent) audit_init(&w->audit, w->n_ports, l->fabric->n_nodes);
    return l;
}

static void lab_given_up(struct lab *l, struct world *w) {
    world_destroy(w);
    lab_end(l);
}

static void audit_check__what_was_sent_must_arrive_or_be_under_way(void **state) {
    (void)state;
    struct world w;
    struct lab *l = lab_unbegun(&w);
    char text[256];
    assert_true(audit_check(&w, text, sizeof text));
    w.audit.sent[0] = 1;
    assert_false(audit_check(&w, text, sizeof text));
    assert_string_equal(text, "conservation is broken on the link from host0.0 to leaf0: sent 1, arrived 0, on it 0");
    lab_given_up(l, &w);
}

static void audit_check__what_came_must_go_or_stay(void **state) {
    (void)state;
    struct world w;
    struct lab *l = lab_unbegun(&w);
    char text[256];
    w.host[1].created = 3;
    w.audit.consumed[1] = 2;
    assert_false(audit_check(&w, text, sizeof text));
    assert_string_equal(text,
                        "conservation is broken in host0.1: made or arrived 3, sent, dropped, consumed or waiting 2");
    w.extra[1].dropped[DROP_BUFFER] = 1;
    assert_true(audit_check(&w, text, sizeof text));
    lab_given_up(l, &w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(audit_check__what_was_sent_must_arrive_or_be_under_way),
        UNIT(audit_check__what_came_must_go_or_stay),
    };
    return RUN_UNITS(tests);
}
