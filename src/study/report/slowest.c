/* SPDX-License-Identifier: Apache-2.0 */
#include "study/report/slowest.h"

#include "study/report/pack.h"

#include <math.h>
#include <string.h>

#define COLUMNS "flow, src, dst, bytes, start_ps, fct_ps, bound_ps, timeouts, retransmitted, reordered"

static double real(sqlite3_stmt *q, int at) {
    return sqlite3_column_type(q, at) == SQLITE_NULL ? NAN : sqlite3_column_double(q, at);
}

/* Sets an end of a flow. A condensed fabric adds the host's name, since the drawn node stands for several. */
static void end_put(json_t *o, const struct topology *t, const char *key, const char *name, int64_t whole) {
    int64_t node = topology_drawn(t, whole);
    json_object_set_new(o, key, json_integer(node));
    if (t->drawn_as && node >= 0) json_object_set_new(o, name, json_string(t->whole_name[whole]));
}

/* Returns a count, or null if nobody counted, as on real frames. */
static json_t *count_json(sqlite3_stmt *q, int at) {
    return sqlite3_column_type(q, at) == SQLITE_NULL ? json_null() : json_integer(sqlite3_column_int64(q, at));
}

static json_t *flow_json(sqlite3_stmt *q, const struct topology *t) {
    json_t *o = json_object();
    json_object_set_new(o, "flow", json_integer(sqlite3_column_int64(q, 0)));
    end_put(o, t, "src", "from", sqlite3_column_int64(q, 1));
    end_put(o, t, "dst", "to", sqlite3_column_int64(q, 2));
    json_object_set_new(o, "bytes", json_integer(sqlite3_column_int64(q, 3)));
    json_object_set_new(o, "start_us", pack_number(real(q, 4) / 1e6));
    json_object_set_new(o, "fct_us", pack_number(real(q, 5) / 1e6));
    json_object_set_new(o, "slowdown", pack_number(real(q, 5) / real(q, 6)));
    static const char *const counts[] = {"timeouts", "retransmitted", "reordered"};
    for (int i = 0; i < 3; i++) json_object_set_new(o, counts[i], count_json(q, 7 + i));
    return o;
}

static bool is_listed(const json_t *list, int64_t flow) {
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (json_integer_value(json_object_get(json_array_get(list, i), "flow")) == flow) return true;
    }
    return false;
}

static bool flows_add(const struct store_reader *r, int64_t run, const struct topology *t, const char *sql,
                      json_t *list, struct diag *d) {
    sqlite3_stmt *q = store_ask(r, run, sql, d);
    if (!q) return false;
    while (sqlite3_step(q) == SQLITE_ROW) {
        if (!is_listed(list, sqlite3_column_int64(q, 0))) json_array_append_new(list, flow_json(q, t));
    }
    sqlite3_finalize(q);
    return true;
}

/* Adds the ports that the flow's data left by, in the order of first use. */
static bool path_add(const struct store_reader *r, int64_t run, const struct topology *t, json_t *flow,
                     struct diag *d) {
    sqlite3_stmt *q =
        store_ask(r, run,
                  "SELECT port FROM timelines WHERE run=?1 AND flow=?2 AND frame='data' AND port IS NOT NULL"
                  " AND kind IN ('sent', 'enqueued', 'dequeued') GROUP BY port ORDER BY min(line)",
                  d);
    if (!q) return false;
    sqlite3_bind_int64(q, 2, json_integer_value(json_object_get(flow, "flow")));
    json_t *path = json_array();
    while (sqlite3_step(q) == SQLITE_ROW) {
        size_t port = topology_port(t, sqlite3_column_int64(q, 0));
        if (port != SIZE_MAX) json_array_append_new(path, json_integer((json_int_t)port));
    }
    sqlite3_finalize(q);
    if (json_array_size(path)) json_object_set(flow, "path", path);
    json_decref(path);
    return true;
}

json_t *run_slowest(const struct store_reader *r, const struct run_row *run, const struct topology *t, struct diag *d) {
    char sql[400];
    json_t *list = json_array();
    const json_t *unfinished = json_object_get(json_object_get(run->result, "flows"), "unfinished");
    snprintf(sql, sizeof sql,
             "SELECT " COLUMNS " FROM flows WHERE run=?1 AND bytes IS NOT NULL AND start_ps IS NOT NULL%s"
             " ORDER BY fct_ps IS NOT NULL, 1.0 * fct_ps / bound_ps DESC, bytes DESC LIMIT %d",
             json_integer_value(unfinished) > 0 ? "" : " AND fct_ps IS NOT NULL", SLOWEST);
    bool ok = flows_add(r, run->id, t, sql, list, d) &&
              flows_add(r, run->id, t,
                        "SELECT " COLUMNS " FROM flows WHERE run=?1 AND flow IN (SELECT DISTINCT flow FROM timelines"
                        " WHERE run=?1 LIMIT 20)",
                        list, d);
    for (size_t i = 0; ok && i < json_array_size(list); i++) ok = path_add(r, run->id, t, json_array_get(list, i), d);
    if (ok) return list;
    json_decref(list);
    return NULL;
}
