/* SPDX-License-Identifier: Apache-2.0 */
/* The layouts that stores of schema 2 have had, from the first to the one before today's, as changes to the one before. */
#ifndef HEDDLE_TESTS_STORE_LAYOUTS_H
#define HEDDLE_TESTS_STORE_LAYOUTS_H

struct store_layout {
    const char *since; /* day and hour at which it was first written, and what it brought */
    const char *sql;
};

static const struct store_layout store_layouts[] = {
    {"22 Nov 03h, goodput and convergence",
     "CREATE TABLE experiments(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, title TEXT, file TEXT, created TEXT);"
     "CREATE TABLE runs(id INTEGER PRIMARY KEY, experiment INTEGER NOT NULL REFERENCES experiments(id), number INTEGER,"
     " settings TEXT NOT NULL, identity TEXT NOT NULL, status TEXT NOT NULL CHECK(status IN "
     "('running','done','failed')),"
     " config TEXT, version TEXT, result TEXT, failure TEXT, started TEXT, finished TEXT,"
     " UNIQUE(experiment, identity, settings));"
     "CREATE TABLE nodes(run INTEGER, node INTEGER, name TEXT, PRIMARY KEY(run, node)) WITHOUT ROWID;"
     "CREATE TABLE ports(run INTEGER, port INTEGER, node INTEGER, neighbour INTEGER, parallel INTEGER, link_tier TEXT,"
     " sent_bytes INTEGER, utilisation REAL, queue_mean_bytes INTEGER, queue_max_bytes INTEGER, dropped INTEGER,"
     " credit_bytes INTEGER, data_utilisation REAL,"
     " PRIMARY KEY(run, port)) WITHOUT ROWID;"
     "CREATE TABLE links(run INTEGER, tier TEXT, utilisation_mean REAL, utilisation_max REAL, utilisation_min REAL,"
     " data_mean REAL, data_max REAL, data_min REAL, PRIMARY KEY(run, tier)) WITHOUT ROWID;"
     "CREATE TABLE flows(run INTEGER, flow INTEGER, entry INTEGER, src INTEGER, dst INTEGER, start_ps INTEGER,"
     " bytes INTEGER, finished_ps INTEGER, fct_ps INTEGER, bound_ps INTEGER, received_bytes INTEGER,"
     " sent_packets INTEGER, retransmitted INTEGER, timeouts INTEGER, reordered INTEGER, max_reorder INTEGER,"
     " marked INTEGER, credits_sent INTEGER, credits_used INTEGER, credits_wasted INTEGER, unfilled_bytes INTEGER,"
     " PRIMARY KEY(run, flow)) WITHOUT ROWID;"
     "CREATE TABLE samples(run INTEGER, at_ps INTEGER, port INTEGER, kind TEXT, value REAL);"
     "CREATE INDEX samples_run ON samples(run);"
     "CREATE TABLE imbalance(run INTEGER, at_ps INTEGER, node INTEGER, value REAL);"
     "CREATE INDEX imbalance_run ON imbalance(run);"
     "CREATE TABLE fairness(run INTEGER, place INTEGER, interval_ps INTEGER, intervals INTEGER, jain_mean REAL,"
     " jain_min REAL, PRIMARY KEY(run, place)) WITHOUT ROWID;"
     "CREATE TABLE convergence(run INTEGER, at_ps INTEGER, flows INTEGER, intervals INTEGER, first_ps INTEGER,"
     " settled_ps INTEGER, PRIMARY KEY(run, at_ps)) WITHOUT ROWID;"
     "CREATE TABLE timelines(run INTEGER, flow INTEGER, line INTEGER, at_ps INTEGER, kind TEXT, node INTEGER,"
     " port INTEGER, offset INTEGER, size INTEGER, backlog_bytes INTEGER, is_ack INTEGER,"
     " PRIMARY KEY(run, flow, line)) WITHOUT ROWID;"
     "CREATE TABLE claims(experiment INTEGER NOT NULL REFERENCES experiments(id), claim TEXT, place TEXT, metric TEXT,"
     " form TEXT, n_seeds INTEGER, measured REAL, spread REAL, low REAL, high REAL, met INTEGER, expected INTEGER,"
     " note TEXT);"
     "PRAGMA application_id=1751409772; PRAGMA user_version=2;"},
    {"22 Nov 04h, frames of timelines by name",
     "DROP TABLE timelines;"
     "CREATE TABLE timelines(run INTEGER, flow INTEGER, line INTEGER, at_ps INTEGER, kind TEXT, node INTEGER, port "
     "INTEGER,"
     " offset INTEGER, size INTEGER, backlog_bytes INTEGER, frame TEXT, credit INTEGER, PRIMARY KEY(run, flow, line))"
     " WITHOUT ROWID;"},
    {"22 Nov 07h, queries",
     "CREATE TABLE queries(run INTEGER, query INTEGER, request INTEGER, response INTEGER, part_of INTEGER,"
     " client INTEGER, server INTEGER, bytes INTEGER, priority INTEGER, start_ps INTEGER, time_ps INTEGER,"
     " timeouts INTEGER, PRIMARY KEY(run, query)) WITHOUT ROWID;"},
    {"22 Nov 10h, pauses",
     "CREATE TABLE pauses(run INTEGER, port INTEGER, class INTEGER, paused_ps INTEGER, stops INTEGER,"
     " storms INTEGER, longest_ps INTEGER, longest_from_ps INTEGER, PRIMARY KEY(run, port, class)) WITHOUT ROWID;"
     "CREATE TABLE pause_rings(run INTEGER, ring INTEGER, place INTEGER, port INTEGER, class INTEGER,"
     " since_ps INTEGER, first_ps INTEGER, last_ps INTEGER, PRIMARY KEY(run, ring, place)) WITHOUT ROWID;"
     "ALTER TABLE ports ADD COLUMN paused_ps INTEGER;"
     "ALTER TABLE ports ADD COLUMN blocked_ps INTEGER;"},
    {"22 Nov 11h, figures", "CREATE TABLE figures(experiment INTEGER PRIMARY KEY, text TEXT);"},
    {"22 Nov 12h, what claims compare", "ALTER TABLE claims ADD COLUMN subject TEXT;"
                                        "ALTER TABLE claims ADD COLUMN against TEXT;"},
    {"23 Nov 05h, open flows",
     "CREATE TABLE open_flows(run INTEGER, at_ps INTEGER, flows REAL, PRIMARY KEY(run, at_ps)) WITHOUT ROWID;"
     "ALTER TABLE flows ADD COLUMN first_data_ps INTEGER;"},
    {"23 Nov 06h, verdicts", "ALTER TABLE claims ADD COLUMN than TEXT;"
                             "ALTER TABLE claims ADD COLUMN standard_error REAL;"
                             "ALTER TABLE claims ADD COLUMN interval_low REAL;"
                             "ALTER TABLE claims ADD COLUMN interval_high REAL;"
                             "ALTER TABLE claims ADD COLUMN verdict TEXT;"
                             "ALTER TABLE claims ADD COLUMN recorded TEXT;"
                             "ALTER TABLE claims ADD COLUMN as_recorded INTEGER;"
                             "ALTER TABLE claims ADD COLUMN every INTEGER;"
                             "ALTER TABLE claims ADD COLUMN roughly TEXT;"
                             "ALTER TABLE claims ADD COLUMN paper TEXT;"},
    {"23 Nov 06h, ends of flows", "ALTER TABLE flows ADD COLUMN stop_ps INTEGER;"},
    {"23 Nov 07h, command lines", "CREATE TABLE options(run INTEGER PRIMARY KEY, profile TEXT, sets TEXT);"},
    {"25 Nov 03h, missing runs of claims", "ALTER TABLE claims ADD COLUMN missing INTEGER;"},
};
#define N_STORE_LAYOUTS (sizeof store_layouts / sizeof *store_layouts)

/* Rows of every layout, which no upgrade may lose. */
#define STORE_LAYOUT_ROWS                                                                                              \
    "INSERT INTO experiments VALUES(7, 'other', 'Other', 'other.yaml', '2026-11-22 05:00:00');"                        \
    "INSERT INTO runs(id, experiment, number, settings, identity, status, result)"                                     \
    " VALUES(70, 7, 1, '{}', 'i', 'done', '{\"kept\": 1}');"                                                           \
    "INSERT INTO flows(run, flow, fct_ps) VALUES(70, 0, 123);"                                                         \
    "INSERT INTO claims(experiment, claim, met) VALUES(7, 'kept', 1);"
#define STORE_LAYOUT_ROWS_KEPT                                                                                         \
    "SELECT count(*) FROM runs r JOIN experiments e ON e.id = r.experiment JOIN flows f ON f.run = r.id"               \
    " JOIN claims c ON c.experiment = e.id WHERE e.name = 'other' AND r.status = 'done' AND f.fct_ps = 123"            \
    " AND c.met = 1 AND json_extract(r.result, '$.kept') = 1"

#endif
