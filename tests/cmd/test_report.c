/* SPDX-License-Identifier: Apache-2.0 */
/* heddle report: pages and which files they may replace, text for a terminal, claims. */
#include "bad_stores.h"
#include "drawn.h"
#include "fresh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- pages ---- */

/* report writes no page for a file that is no store, and never overwrites a store. */
static void report__refuses_with_one_line(void **state) {
    (void)state;
    file_write("x.yaml", SMALL);
    heddle_refuses("report", "heddle: error: RESULTS.db is missing; write heddle report RESULTS.db", "x.html");
    assert_int_equal(heddle("run x.yaml --quiet")->code, 0);
    assert_int_equal(rename("x.db", "s.html"), 0);
    heddle_refuses("report s.html -o ./s.html",
                   "./s.html: error: this is s.html, which is read; name another file for a page of heddle report",
                   "x.html");
    heddle_refuses("report s.html --force -o s.html",
                   "s.html: error: this is s.html, which is read; name another file for a page of heddle report",
                   "x.html");
    assert_true(store_number("s.html", "SELECT count(*) FROM runs") > 0);
    assert_int_equal(rename("s.html", "x.db"), 0);
    assert_int_equal(heddle("report x.db")->code, 0);
    assert_int_equal(access("x.html", R_OK), 0);
}

/* A page has the name of a page, in capitals or not; --text and --figures write none. */
static void report__a_page_is_named_like_one(void **state) {
    (void)state;
    file_write("x.yaml", SMALL);
    assert_int_equal(heddle("run x.yaml --quiet")->code, 0);
    heddle_refuses("report x.db -o out.pdf",
                   "heddle: error: --out out.pdf: heddle report writes an HTML page; write --out out.html", "out.pdf");
    heddle_refuses("report x.db -o x.db",
                   "heddle: error: --out x.db: heddle report writes an HTML page; write --out x.html", "none");
    heddle_refuses("report x.db -o a.html/out",
                   "heddle: error: --out a.html/out: heddle report writes an HTML page; write --out a.html/out.html",
                   "out.html");
    heddle_refuses("report x.db --text -o out.html",
                   "heddle: error: --out names a page, and --text writes none; write one of the two", "out.html");
    heddle_refuses("report x.db --figures f -o out.html",
                   "heddle: error: --out names a page, and --figures writes none; write one of the two", "out.html");
    assert_int_equal(heddle("report x.db -o out.HTM")->code, 0);
    unlink("out.HTM");
}

/* A page of a run with samples at more times than fit into memory that is taken once. */
static void report__thousands_of_sample_times(void **state) {
    (void)state;
    file_write("long.yaml", "title: sampled\nfabric: {kind: star, hosts: 2, rate: 1Gbps}\n"
                            "workload: {kind: long, src: 0, dst: 1}\nrun: {until: 6ms}\nmeasure: {queues: 1us}\n");
    assert_int_equal(heddle("run long.yaml --quiet")->code, 0);
    assert_true(store_number("long.db", "SELECT count(DISTINCT at_ps) FROM samples") > 5000);
    assert_int_equal(heddle("report long.db")->code, 0);
}

/* report replaces an older page; it replaces any other file only with --force. */
static void report__replaces_pages_only(void **state) {
    (void)state;
    file_write("x.yaml", SMALL);
    assert_int_equal(heddle("run x.yaml --quiet")->code, 0);
    assert_int_equal(heddle("report x.db")->code, 0);
    assert_int_equal(heddle("report x.db")->code, 0);
    file_write("x.html", "<!doctype html>of the user");
    heddle_refuses("report x.db",
                   "x.html: error: this file is there already and is not a page of heddle report; name another with "
                   "-o, or replace it with --force",
                   "none");
    assert_int_equal(heddle("run x.yaml --quiet -o other.db")->code, 0);
    assert_int_equal(rename("other.db", "other.htm"), 0);
    heddle_refuses("report x.db -o other.htm",
                   "other.htm: error: this file is there already and is not a page of heddle report; name another with "
                   "-o, or replace it with --force",
                   "none");
    assert_true(store_number("other.htm", "SELECT count(*) FROM runs") > 0);
    assert_int_equal(heddle("report x.db --force")->code, 0);
    unlink("x.html");
    unlink("other.htm");
    unlink("x.html");
}

static void page__a_store_whose_name_is_no_utf8(void **state) {
    (void)state;
    assert_int_equal(rename("g.db", "caf\xe9.db"), 0);
    assert_int_equal(heddle("report caf\xe9.db")->code, 0);
    const char *page = file_text("caf\xe9.html");
    assert_non_null(strstr(page, "<title>A 'quoted', &quot;named&quot; run</title>"));
    unlink("caf\xe9.html");
    unlink("caf\xe9.db");
}

/* ---- text ---- */

/* --variants lists the runs of all command lines side by side, each with its options. */
static void report__variants_stand_side_by_side(void **state) {
    (void)state;
    file_write("x.yaml", SMALL);
    heddle("run x.yaml --quiet --set workload.0.sizes=100KB");
    heddle("run x.yaml --quiet");
    assert_null(strstr(heddle("report x.db --text")->out, "variant"));
    const struct ended *e = heddle("report x.db --text --variants");
    assert_int_equal(e->code, 0);
    assert_non_null(strstr(e->out, "2 runs done"));
    assert_non_null(strstr(e->out, "as written"));
    assert_non_null(strstr(e->out, "workload.0.sizes=100KB"));
    assert_int_equal(heddle("export x.db --csv tables --variants")->code, 0);
    assert_int_equal(heddle("export x.db --csv tables --force")->code, 0);
    assert_int_equal(store_number("x.db", "SELECT count(*) FROM options WHERE profile IS NULL"), 2);
    assert_int_equal(store_number("x.db", "SELECT count(*) FROM options WHERE sets='[\"workload.0.sizes=100KB\"]'"), 1);
}

static void text__fits_a_narrow_terminal(void **state) {
    (void)state;
    setenv("COLUMNS", "60", 1);
    const struct ended *e = heddle("report g.db --text");
    unsetenv("COLUMNS");
    assert_int_equal(e->code, 0);
    assert_non_null(strstr(e->out, "g: 4 runs done"));
    assert_non_null(strstr(e->out, "switch.balance: ecmp, expeditus"));
    for (int i = 0; i < lines_in(e->out); i++) assert_true(strlen(line_of(e->out, i)) <= 60);
}

static void says_no_escape(const char *line) {
    const struct ended *e = heddle(line);
    if (strchr(e->out, '\x1b') || strchr(e->err, '\x1b')) fail_msg("%s steers the terminal", line);
    assert_true(e->code <= 1);
}

static void text__nothing_steers_the_terminal(void **state) {
    (void)state;
    file_write("g3.yaml", "title: \"\\e[31mred\\a\"\n"
                          "fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2}\n"
                          "workload: [{kind: permutation, sizes: 2KB}]\nmeasure: {flow: [0]}\n");
    says_no_escape("run g3.yaml -o g3.db");
    says_no_escape("report g3.db --text");
    store_change("g3.db",
                 "UPDATE experiments SET title = char(27) || '[31mred'; UPDATE nodes SET name = char(27) || node;"
                 "UPDATE runs SET result = json_set(result, '$.settings', json('{\"a\": \"\\u001b[31m\"}'))");
    says_no_escape("report g3.db --text");
    says_no_escape("report g3.db -o g3.html");
    says_no_escape("flow g3.db 0");
    const struct ended *e = heddle("run \x1b[31m.yaml");
    assert_int_equal(e->code, 2);
    assert_null(strchr(e->err, '\x1b'));
    unlink("g3.db");
    unlink("g3.yaml");
    unlink("g3.html");
}

/* ---- claims ---- */

#define COMPARED                                                                                                       \
    "expect:\n  - {claim: C, metric: fct_us.all.mean, of: {switch.balance: expeditus}, against: {switch.balance: "     \
    "ecmp}, ratio: [0, null]}\n  - {claim: C, metric: fct_us.all.mean, of: {switch.balance: ecmp}, value: [0, "        \
    "null]}\n  - {claim: D, metric: fct_us.all.mean, of: {switch.balance: ecmp}, value: [0, 1], known: {holds: "       \
    "false}}\n"

/* Claims of the same name are listed with what they compare: after a run, as text and in the exported table. */
static void claims__of_one_name_are_told_apart(void **state) {
    (void)state;
    file_write("g.yaml", DRAWN COMPARED);
    assert_int_equal(heddle("run g.yaml --quiet -o g.db")->code, 0);
    const struct ended *e = heddle("run g.yaml -o g.db");
    assert_int_equal(e->code, 0);
    assert_non_null(strstr(e->out, "\n  C, expeditus against ecmp: "));
    assert_non_null(strstr(e->out, "\n  C, switch.balance ecmp: "));
    e = heddle("report g.db --text");
    assert_int_equal(e->code, 0);
    assert_non_null(strstr(e->out, "C, expeditus against ecmp: "));
    assert_non_null(strstr(e->out, "C, switch.balance ecmp: "));
    assert_non_null(
        strstr(e->out, " against ecmp: holds; fct_us.all.mean: ")); /* as everybody expects, so no word of a record */
    assert_non_null(strstr(e->out, ": does not hold, as recorded; fct_us.all.mean: "));
    assert_int_equal(heddle("export g.db --csv g-csv")->code, 0);
    assert_non_null(strstr(line_of(file_text("g-csv/claims.csv"), 0), ",note,subject,against"));
    assert_non_null(
        strstr(line_of(file_text("g-csv/claims.csv"), 1),
               ",\"{\"\"switch.balance\"\":\"\"expeditus\"\"}\",\"{\"\"switch.balance\"\":\"\"ecmp\"\"}\""));
    assert_non_null(strstr(line_of(file_text("g-csv/claims.csv"), 2), ",\"{\"\"switch.balance\"\":\"\"ecmp\"\"}\","));
}

/* The words of the verdicts, each with its count. A count of zero is left out, but for claims that hold. */
static void claims__are_counted_by_verdict(void **state) {
    (void)state;
    static const struct {
        const char *verdict, *said;
    } row[] = {{"holds", "claims: 3 hold; 1 other than recorded"},
               {"roughly", "claims: 0 hold, 3 hold roughly; 1 other than recorded"},
               {"does not hold", "claims: 0 hold, 3 do not hold; 1 other than recorded"},
               {"not decided", "claims: 0 hold, 3 are not decided; 1 other than recorded"},
               {"not measurable", "claims: 0 hold, 3 are not measurable; 1 other than recorded"}};
    file_write("g.yaml", DRAWN COMPARED);
    assert_int_equal(heddle("run g.yaml --quiet -o h.db")->code, 0);
    store_change("h.db", "UPDATE claims SET recorded='holds', as_recorded = rowid > 1");
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char sql[100], line[100];
        snprintf(sql, sizeof sql, "UPDATE claims SET verdict='%s'", row[i].verdict);
        snprintf(line, sizeof line, "\n%s\n", row[i].said);
        store_change("h.db", sql);
        assert_non_null(strstr(heddle("report h.db --text")->out, line));
    }
    store_change("h.db",
                 "UPDATE claims SET verdict='not decided' WHERE rowid > 1; UPDATE claims SET missing = rowid = 2");
    assert_non_null(strstr(heddle("report h.db --text")->out,
                           "\nclaims: 0 hold, 2 are not decided, 1 is not measurable; 1 other than recorded; "));
}

/* Where there is no interval, the text says why: one seed has none, and some comparisons of several have none. */
static void claims__say_why_there_is_no_interval(void **state) {
    (void)state;
    file_write("g.yaml", DRAWN COMPARED);
    assert_int_equal(heddle("run g.yaml --quiet -o j.db")->code, 0);
    store_change("j.db", "UPDATE claims SET measured=0.5, standard_error=NULL, n_seeds=1");
    const char *text = heddle("report j.db --text")->out;
    assert_non_null(strstr(text, " (one seed), claimed"));
    assert_null(strstr(text, "no interval"));
    store_change("j.db", "UPDATE claims SET n_seeds=3");
    text = heddle("report j.db --text")->out;
    assert_non_null(strstr(text, " (no interval), claimed"));
    assert_null(strstr(text, "one seed"));
}

/* What became of a claim, beside what its file says was measured before. */
static void claims__beside_their_record(void **state) {
    (void)state;
    static const struct {
        const char *verdict, *recorded, *as_recorded, *said;
    } row[] = {{"holds", "holds", "1", ": holds, as recorded"},
               {"holds", "holds", "0", ": holds, recorded with another value"},
               {"holds", "not decided", "0", ": holds, recorded: not decided"},
               {"not decided", "not decided", "1", ": not decided (one seed), as recorded"}};
    file_write("g.yaml", DRAWN COMPARED);
    assert_int_equal(heddle("run g.yaml --quiet -o i.db")->code, 0);
    store_change("i.db", "DELETE FROM claims WHERE rowid < 3");
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char sql[200], line[120];
        snprintf(sql, sizeof sql, "UPDATE claims SET verdict='%s', recorded='%s', as_recorded=%s, met=1, reason=%s",
                 row[i].verdict, row[i].recorded, row[i].as_recorded, i == 3 ? "'one seed'" : "NULL");
        snprintf(line, sizeof line, "%s; fct_us", row[i].said);
        store_change("i.db", sql);
        const char *text = heddle("report i.db --text")->out;
        if (!strstr(text, line)) fail_msg("'%s' is not in:%s", line, strstr(text, "claims:"));
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        CASE(report__refuses_with_one_line),
        CASE(report__a_page_is_named_like_one),
        CASE(report__thousands_of_sample_times),
        CASE(report__replaces_pages_only),
        DRAWN_CASE(page__a_store_whose_name_is_no_utf8),
        CASE(report__variants_stand_side_by_side),
        DRAWN_CASE(text__fits_a_narrow_terminal),
        DRAWN_CASE(text__nothing_steers_the_terminal),
        DRAWN_CASE(claims__of_one_name_are_told_apart),
        DRAWN_CASE(claims__are_counted_by_verdict),
        DRAWN_CASE(claims__say_why_there_is_no_interval),
        DRAWN_CASE(claims__beside_their_record),
    };
    if (!program_enter(argc, argv)) return 2;
    int failed = RUN_UNITS(tests);
    program_leave();
    return failed;
}
