/* Completion times of queries, as JSON. */
#include "study/json_out.h"
#include "study/size_classes.h"

#define US ((double)PS_PER_US)

static void put(json_t *object, const char *key, json_t *value) { json_object_set_new(object, key, value); }

static json_t *count(uint64_t value) { return json_integer((json_int_t)value); }

static json_t *share(uint64_t part, uint64_t all) { return all ? json_real((double)part / (double)all) : json_null(); }

/* all, and every size. */
static void put_times(json_t *o, const struct query_times *t, const struct query_classes *classes) {
    put(o, "all", json_summary(&t->all, US));
    for (uint32_t i = 0; i < classes->n_sizes; i++) {
        char name[SIZE_NAME_MAX];
        put(o, size_name(classes->size[i], name), json_summary(&t->size[i], US));
    }
}

static json_t *priorities_json(const struct query_totals *t) {
    json_t *o = json_object();
    for (int i = 0; i < QUERY_PRIORITIES; i++) {
        json_t *of = json_object();
        char key[12];
        snprintf(key, sizeof key, "%d", i);
        put_times(of, &t->priority[i], &t->classes);
        put(o, key, of);
    }
    return o;
}

static json_t *fifths_json(const struct query_totals *t) {
    json_t *o = json_object();
    for (int i = 0; i < QUERY_FIFTHS; i++) {
        char key[12];
        snprintf(key, sizeof key, "%d", i + 1);
        put(o, key, json_summary(&t->fifth[i], US));
    }
    return o;
}

static json_t *sets_json(const struct query_totals *t) {
    json_t *o = json_object();
    put(o, "all", json_summary(&t->sets, US));
    for (uint32_t i = 0; i < t->classes.n_fanouts; i++) {
        char key[16];
        snprintf(key, sizeof key, "%u", t->classes.fanout[i]);
        put(o, key, json_summary(&t->fanout[i], US));
    }
    put(o, "over_200ms", share(t->sets_over, t->sets.n));
    return o;
}

static json_t *groups_json(const uint64_t group[QUERY_TIMEOUTS]) {
    static const char *const words[QUERY_TIMEOUTS] = {"0", "1", "2", "3+"};
    json_t *o = json_object();
    uint64_t all = 0;
    for (int i = 0; i < QUERY_TIMEOUTS; i++) all += group[i];
    for (int i = 0; i < QUERY_TIMEOUTS; i++) put(o, words[i], share(group[i], all));
    return o;
}

json_t *json_queries(const struct run_result *r) {
    const struct query_totals *t = &r->queries;
    json_t *o = json_object(), *timeouts = json_object();
    put(o, "started", count(t->started));
    put(o, "finished", count(t->finished));
    put(o, "unfinished", count(t->started - t->finished));
    put_times(o, &t->times, &t->classes);
    put(o, "over_10ms", share(t->over, t->times.all.n));
    put(o, "by_priority", priorities_json(t));
    put(o, "fifths", fifths_json(t));
    put(o, "sets", sets_json(t));
    put(timeouts, "share", groups_json(t->timeouts));
    put(timeouts, "of_p99", groups_json(t->timeouts_p99));
    put(o, "timeouts", timeouts);
    return o;
}
