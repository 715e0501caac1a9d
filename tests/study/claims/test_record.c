/* SPDX-License-Identifier: Apache-2.0 */
/* Records: made by one program run, read by the next. The files lie in a folder of the test's own. */
#include "study/claims/record.h"

#include "made_claims.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define CLAIM "{claim: C, metric: fct_us.mice.p95, " AGAINST ", change: [-50%, -20%], paper: half}"
#define FILE_TEXT SWEEP "profiles: {small: {sweep: {run.seed: [1]}}}\n"

/* An experiment read from x.yaml, with results and its record. */
struct case_ {
    struct made m;
    struct record r;
    struct record_comparison c;
};

static void file_put(const char *path, const char *text) {
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

static void experiment_put(const char *expect) {
    char text[4096];
    snprintf(text, sizeof text, "%sexpect: [%s]\n", FILE_TEXT, expect);
    file_put("x.yaml", text);
}

static char *file_get(const char *path) {
    static char text[1 << 16];
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    text[fread(text, 1, sizeof text - 1, in)] = '\0';
    fclose(in);
    return text;
}

/* Adds what a real result has and made ones lack: a digest that follows the value and the run. */
static void digest_put(json_t *result, size_t run, double value) {
    char digest[17];
    snprintf(digest, sizeof digest, "%08x%08x", (unsigned)run, (unsigned)(value * 100));
    json_object_set_new(result, "engine",
                        json_pack("{s:s,s:i,s:f}", "digest", digest, "packet_hops", 10, "sim_s", 2.5));
}

/* Reads x.yaml and gives its runs the values p95[]. False after filling *d: the record is refused. */
static bool case_begin(struct case_ *k, const char *profile, const char *const *set, size_t n_set, const double *p95,
                       bool live, struct diag *d) {
    struct experiment_options o = {.profile = profile, .set = set, .n_set = n_set};
    *k = (struct case_){0};
    k->m.e = experiment_read("x.yaml", &o, d);
    if (!k->m.e) fail_msg("%d:%d: %s", d->line, d->col, d->text);
    if (live) experiment_mark_live(k->m.e, "on real frames");
    assert_true(expectations_read(k->m.e, &k->m.x, d));
    for (size_t i = 0; i < k->m.e->n_runs; i++) {
        k->m.result[i] = result_of(p95[i], 0);
        digest_put(k->m.result[i], i, p95[i]);
    }
    evaluate(&k->m);
    if (!record_read(&k->r, k->m.e, &k->m.x, d)) return false;
    k->c = record_compare(&k->r, k->m.e, k->m.result, k->m.o, k->m.n);
    return true;
}

static void case_end(struct case_ *k) {
    record_free(&k->r);
    made_free(&k->m);
}

static struct case_ judge(const char *profile, const char *set, const double *p95) {
    struct case_ k;
    struct diag d = {0};
    if (!case_begin(&k, profile, &set, set ? 1 : 0, p95, false, &d)) fail_msg("%d:%d: %s", d.line, d.col, d.text);
    return k;
}

static void record_now(const char *profile, const double *p95) {
    struct case_ k = judge(profile, NULL, p95);
    struct diag d = {0};
    assert_true(record_may_be_written(&k.r, k.m.e, &k.m.x, &d));
    assert_true(record_write(&k.r, k.m.e, k.m.result, k.m.o, k.m.n, &d));
    case_end(&k);
}

/* -28 % at load 0.3, -37.5 % at 0.5. */
static const double other[] = {100, 200, 400, 800, 72, 144, 250, 500};
/* A figure that differs in the eighth digit alone. */
static const double near_by[] = {100, 200, 400, 800, 70.000001, 140.000002, 250, 500};

static void record_read__none_is_no_record(void **state) {
    (void)state;
    experiment_put(CLAIM);
    struct case_ k = judge(NULL, NULL, decided);
    assert_int_equal(k.r.state, RECORD_NONE);
    assert_string_equal(k.r.path, "x.record.json");
    assert_true(k.m.o[0].as_recorded && !k.m.o[0].is_recorded && record_is_met(&k.r, &k.c));
    case_end(&k);
    experiment_put("{claim: C, metric: fct_us.mice.p95, " AGAINST ", change: [-90%, -80%]}");
    k = judge(NULL, NULL, decided);
    assert_false(record_is_met(&k.r, &k.c));
    assert_int_equal(k.c.n_news, 2);
    case_end(&k);
}

static void record_write__then_all_is_as_recorded(void **state) {
    (void)state;
    experiment_put(CLAIM);
    record_now(NULL, decided);
    struct case_ k = judge(NULL, NULL, decided);
    assert_int_equal(k.r.state, RECORD_WHOLE);
    assert_true(record_is_met(&k.r, &k.c));
    assert_int_equal(k.c.n_digests, 8);
    assert_int_equal(k.c.n_equal, 8);
    for (size_t i = 0; i < 2; i++) assert_true(k.m.o[i].is_recorded && k.m.o[i].as_recorded && !k.m.o[i].is_news);
    assert_string_equal(claim_recorded_word(&k.m.o[0]), "holds");
    case_end(&k);
}

/* Line for line: what it holds, and in which order. */
static void record_write__the_text(void **state) {
    (void)state;
    char identity[SHA256_TEXT], wanted[4096];
    experiment_put(CLAIM);
    record_now(NULL, decided);
    record_now("small", decided);
    struct case_ k = judge(NULL, NULL, decided);
    experiment_asked(k.m.e, identity);
    case_end(&k);
    snprintf(wanted, sizeof wanted,
             "{\"full\": {\n"
             "\"result_version\": %d, \"identity\": \"%s\", \"runs\": 8, \"packet_hops\": 80,\n"
             "\"claims\": [\n"
             "{\"claim\": \"C\", \"metric\": \"fct_us.mice.p95\", \"form\": \"change\", "
             "\"of\": {\"switch.balance\": \"expeditus\"}, \"against\": {\"switch.balance\": \"ecmp\"}, "
             "\"low\": -0.5, \"high\": -0.2, \"paper\": \"half\", \"outcomes\": [\n"
             "  {\"where\": {\"workload.0.load\": 0.3}, \"verdict\": \"holds\", \"measured\": -0.3, "
             "\"standard_error\": 0.0, \"interval\": [-0.3, -0.3], \"n_seeds\": 2},\n"
             "  {\"where\": {\"workload.0.load\": 0.5}, \"verdict\": \"holds\", \"measured\": -0.375, "
             "\"standard_error\": 0.0, \"interval\": [-0.375, -0.375], \"n_seeds\": 2}]}],\n"
             "\"digests\": [\n"
             "{\"settings\": {\"switch.balance\": \"ecmp\", \"workload.0.load\": 0.3}, "
             "\"digests\": {\"1\": \"0000000000002710\", \"2\": \"0000000100004e20\"}},\n"
             "{\"settings\": {\"switch.balance\": \"ecmp\", \"workload.0.load\": 0.5}, "
             "\"digests\": {\"1\": \"0000000200009c40\", \"2\": \"0000000300013880\"}},\n"
             "{\"settings\": {\"switch.balance\": \"expeditus\", \"workload.0.load\": 0.3}, "
             "\"digests\": {\"1\": \"0000000400001b58\", \"2\": \"00000005000036b0\"}},\n"
             "{\"settings\": {\"switch.balance\": \"expeditus\", \"workload.0.load\": 0.5}, "
             "\"digests\": {\"1\": \"00000006000061a8\", \"2\": \"000000070000c350\"}}]},\n"
             "\"small\": {\n",
             RESULT_VERSION, identity);
    char *text = file_get("x.record.json");
    text[strlen(wanted)] = '\0';
    assert_string_equal(text, wanted);
}

/* The other sections stay as they are, and a second time changes nothing, not even the file's inode. */
static void record_write__keeps_other_sections(void **state) {
    (void)state;
    struct stat before, after;
    experiment_put(CLAIM);
    record_now("small", decided);
    record_now(NULL, decided);
    assert_int_equal(stat("x.record.json", &before), 0);
    char *first = strdup(file_get("x.record.json"));
    record_now("small", decided);
    assert_int_equal(stat("x.record.json", &after), 0);
    assert_true(before.st_ino == after.st_ino);
    assert_string_equal(file_get("x.record.json"), first);
    free(first);
    struct case_ k = judge("small", NULL, decided);
    assert_int_equal(k.r.state, RECORD_WHOLE);
    assert_int_equal(k.c.n_equal, 4);
    assert_null(json_object_get(k.r.section, "claims"));
    case_end(&k);
}

static void record_compare__another_figure_is_news(void **state) {
    (void)state;
    experiment_put(CLAIM);
    record_now(NULL, decided);
    struct case_ k = judge(NULL, NULL, other);
    assert_false(record_is_met(&k.r, &k.c));
    assert_true(k.m.o[0].is_news && !k.m.o[1].is_news);
    assert_int_equal(k.c.n_equal, 6);
    assert_int_equal(k.c.first, 4);
    case_end(&k);
}

/* Six digits are recorded, so the rest cannot differ; digests would. */
static void record_compare__the_eighth_digit_is_none(void **state) {
    (void)state;
    experiment_put(CLAIM);
    record_now(NULL, decided);
    struct case_ k = judge(NULL, NULL, near_by);
    assert_true(k.m.o[0].as_recorded && k.m.o[1].as_recorded);
    assert_true(record_is_met(&k.r, &k.c));
    case_end(&k);
}

static void record_compare__a_profile_by_its_digests(void **state) {
    (void)state;
    experiment_put("{claim: C, metric: fct_us.mice.p95, " AGAINST ", change: [-90%, -80%]}");
    record_now("small", decided);
    struct case_ k = judge("small", NULL, decided);
    assert_true(record_is_met(&k.r, &k.c) && k.m.o[0].as_recorded);
    case_end(&k);
    static const double slower[] = {100, 200, 400, 801};
    k = judge("small", NULL, slower);
    assert_false(record_is_met(&k.r, &k.c));
    assert_false(k.m.o[0].as_recorded);
    case_end(&k);
}

/* A claim whose range was changed is not in the record, and the one that was there is gone. */
static void record_compare__another_range_is_another_claim(void **state) {
    (void)state;
    experiment_put(CLAIM);
    record_now(NULL, decided);
    experiment_put("{claim: C, metric: fct_us.mice.p95, " AGAINST ", change: [-51%, -20%], paper: half}");
    struct case_ k = judge(NULL, NULL, decided);
    assert_int_equal(k.r.state, RECORD_WHOLE);
    assert_true(!k.m.o[0].is_recorded && k.m.o[0].is_news);
    assert_int_equal(k.c.n_gone, 2);
    assert_false(record_is_met(&k.r, &k.c));
    case_end(&k);
    experiment_put("{claim: C, metric: fct_us.mice.p95, " AGAINST ", change: [-50%, -20%], paper: otherwise}");
    k = judge(NULL, NULL, decided);
    assert_true(record_is_met(&k.r, &k.c)); /* what the paper says decides nothing */
    case_end(&k);
}

/* ---- stale ---- */

static void stale_with(const char *why) {
    char all[RECORD_WHY_MAX];
    struct case_ k = judge(NULL, NULL, decided);
    assert_int_equal(k.r.state, RECORD_STALE);
    snprintf(all, sizeof all, "%s (section 'full'); --record writes it anew", why);
    assert_string_equal(k.r.why, all);
    assert_false(record_is_met(&k.r, &k.c));
    assert_false(k.m.o[0].is_recorded || k.m.o[0].is_news);
    assert_int_equal(k.c.n_digests, 0);
    case_end(&k);
}

static void record_read__stale(void **state) {
    (void)state;
    char text[4096];
    json_error_t error;
    experiment_put(CLAIM);
    record_now(NULL, decided);
    file_put("x.yaml", FILE_TEXT "switch: {buffer: 1MB}\nexpect: [" CLAIM "]\n");
    stale_with("the settings of the file have changed since");
    snprintf(text, sizeof text, "%s", FILE_TEXT "expect: [" CLAIM "]\n");
    memcpy(strstr(text, "run.seed: [1, 2]"), "run.seed: [1, 3]", 16);
    file_put("x.yaml", text);
    stale_with("the seeds of the file have changed since");
    experiment_put(CLAIM);
    json_t *all = json_load_file("x.record.json", 0, &error);
    json_object_set_new(json_object_get(all, "full"), "result_version", json_integer(RESULT_VERSION - 1));
    assert_int_equal(json_dump_file(all, "x.record.json", 0), 0);
    json_decref(all);
    snprintf(text, sizeof text, "it has results of version %d, and this program makes version %d", RESULT_VERSION - 1,
             RESULT_VERSION);
    stale_with(text);
}

/* ---- --set ---- */

static void record_read__set(void **state) {
    (void)state;
    static const struct {
        const char *set;
        enum record_state state;
        const char *why;
    } row[] = {
        {"run.seed=[1, 2]", RECORD_WHOLE, ""},
        {"run.seed=[2, 7]", RECORD_OTHER_SEEDS, ""},
        {"title=another", RECORD_WHOLE, ""},
        {"switch.buffer=1MB", RECORD_ASKED_ANEW, "--set switch.buffer=1MB changes what is asked"},
        {"workload.0.load=0.3", RECORD_ASKED_ANEW, "--set workload.0.load=0.3 changes what is asked"},
    };
    experiment_put(CLAIM);
    record_now(NULL, decided);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct case_ k = judge(NULL, row[i].set, decided);
        struct diag d = {0};
        assert_int_equal(k.r.state, row[i].state);
        assert_string_equal(k.r.why, row[i].why);
        if (k.r.state == RECORD_ASKED_ANEW) assert_true(record_is_met(&k.r, &k.c) && !k.m.o[0].is_recorded);
        assert_false(record_may_be_written(&k.r, k.m.e, &k.m.x, &d));
        assert_string_equal(d.text, "--record writes x.record.json, the record of the file as it is; leave --set out");
        case_end(&k);
    }
}

/* The set that changes something is named among several. */
static void record_read__names_the_set(void **state) {
    (void)state;
    static const char *const set[] = {"run.seed=3", "switch.buffer=1MB", "title=x"};
    struct case_ k;
    struct diag d = {0};
    experiment_put(CLAIM);
    record_now(NULL, decided);
    assert_true(case_begin(&k, NULL, set, 3, decided, false, &d));
    assert_string_equal(k.r.why, "--set switch.buffer=1MB changes what is asked");
    case_end(&k);
}

/* With other seeds the figure differs and the verdict counts; a seed that the record has is compared by its digest. */
static void record_compare__other_seeds_by_verdict(void **state) {
    (void)state;
    static const double seeds_2_and_7[] = {200, 222, 800, 900, 140, 150, 500, 600};
    experiment_put(CLAIM);
    record_now(NULL, decided);
    struct case_ k = judge(NULL, "run.seed=[2, 7]", seeds_2_and_7);
    assert_int_equal(k.c.n_digests, 4);
    assert_int_equal(k.c.n_equal, 0); /* the made-up digests have the number of the run */
    assert_int_equal(k.m.o[0].verdict, VERDICT_HOLDS);
    assert_true(k.m.o[0].as_recorded && !k.m.o[0].is_news);
    case_end(&k);
    k = judge(NULL, "run.seed=[7]", seeds_2_and_7);
    assert_int_equal(k.c.n_digests, 0);
    assert_int_equal(k.m.o[0].verdict, VERDICT_UNDECIDED);
    assert_true(k.m.o[0].is_news && k.m.o[0].recorded == VERDICT_HOLDS);
    case_end(&k);
}

/* ---- real frames ---- */

static void record_compare__live_by_interval(void **state) {
    (void)state;
    static const double first[] = {100, 200, 400, 800, 70, 142, 250, 505},
                        within[] = {100, 200, 400, 800, 70.5, 141, 251, 502},
                        beside[] = {100, 200, 400, 800, 50, 101, 180, 358};
    struct case_ k;
    struct diag d = {0};
    experiment_put(CLAIM);
    assert_true(case_begin(&k, NULL, NULL, 0, first, true, &d));
    assert_true(record_write(&k.r, k.m.e, k.m.result, k.m.o, k.m.n, &d));
    case_end(&k);
    assert_true(case_begin(&k, NULL, NULL, 0, within, true, &d));
    assert_int_equal(k.r.state, RECORD_WHOLE);
    assert_int_equal(json_integer_value(json_object_get(k.r.section, "seconds")), 20);
    assert_int_equal(k.c.n_digests, 0);
    assert_true(record_is_met(&k.r, &k.c));
    case_end(&k);
    assert_true(case_begin(&k, NULL, NULL, 0, beside, true, &d));
    assert_false(record_is_met(&k.r, &k.c));
    case_end(&k);
    k = judge(NULL, NULL, first); /* the simulated runs have no section */
    assert_int_equal(k.r.state, RECORD_NONE);
    case_end(&k);
}

/* ---- refusals ---- */

static void refused(const char *wanted) {
    struct case_ k;
    struct diag d = {0};
    char line[1024];
    assert_false(case_begin(&k, NULL, NULL, 0, decided, false, &d));
    assert_string_equal(diag_line(&d, line, sizeof line), wanted);
    case_end(&k);
}

static void record_read__refuses_what_is_no_record(void **state) {
    (void)state;
#define ANEW "; remove it, and write it anew with heddle run --record"
    experiment_put(CLAIM);
    file_put("x.record.json", "{\"full\": {\n");
    refused("x.record.json:2: error: is no record: string or '}' expected near end of file" ANEW);
    file_put("x.record.json", "[]\n");
    refused("x.record.json:1:1: error: a record is an object" ANEW);
    file_put("x.record.json", "{\"full\": {\"result_version\": 4, \"runs\": 8}}\n");
    refused("x.record.json: error: section 'full' lacks its version, identity or runs" ANEW);
#define HEAD                                                                                                           \
    "{\"full\": {\"result_version\": 4, \"identity\": \"a\", \"runs\": 8, \"claims\": [{\"claim\": \"C\", "            \
    "\"outcomes\": ["
    file_put("x.record.json", HEAD "{\"where\": {}, \"verdict\": \"maybe\"}]}]}}\n");
    refused("x.record.json: error: 'maybe' is no verdict" ANEW);
    file_put("x.record.json", HEAD "{\"where\": {}}]}]}}\n");
    refused("x.record.json: error: an outcome has no place or verdict" ANEW);
}

static void record_read__known_beside_a_record(void **state) {
    (void)state;
    experiment_put(CLAIM);
    record_now(NULL, decided);
    experiment_put("{claim: C, metric: fct_us.mice.p95, " AGAINST ", change: [-90%, -80%],\n  known: {holds: false}}");
    refused("x.yaml:6:10: error: known: outcomes are recorded here and in x.record.json; remove one of the two");
}

/* ---- a record that is being written ---- */

/* Killed at any instant, the writer leaves one of the two records, whole. */
static void record_write__killed(void **state) {
    (void)state;
    experiment_put(CLAIM);
    record_now(NULL, other);
    char *text[2] = {strdup(file_get("x.record.json"))};
    record_now(NULL, decided);
    text[1] = strdup(file_get("x.record.json"));
    for (unsigned round = 0; round < 40; round++) {
        pid_t pid = fork();
        if (pid == 0)
            for (;;) {
                record_now(NULL, other);
                record_now(NULL, decided);
            }
        usleep(500 + round * 397 % 5000);
        kill(pid, SIGKILL);
        assert_int_equal(waitpid(pid, NULL, 0), pid);
        const char *now = file_get("x.record.json");
        assert_true(strcmp(now, text[0]) == 0 || strcmp(now, text[1]) == 0);
    }
    free(text[0]);
    free(text[1]);
}

/* A disk that is full leaves the old record too, and the temporary file goes. */
static void record_write__a_full_disk(void **state) {
    (void)state;
    experiment_put(CLAIM);
    record_now(NULL, other);
    char *before = strdup(file_get("x.record.json"));
    struct case_ k = judge(NULL, NULL, decided);
    struct rlimit was, little = {.rlim_cur = 300};
    struct diag d = {0};
    char line[1024];
    getrlimit(RLIMIT_FSIZE, &was);
    little.rlim_max = was.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &little);
    bool written = record_write(&k.r, k.m.e, k.m.result, k.m.o, k.m.n, &d);
    setrlimit(RLIMIT_FSIZE, &was);
    assert_false(written);
    assert_non_null(strstr(diag_line(&d, line, sizeof line), "x.record.json"));
    assert_string_equal(file_get("x.record.json"), before);
    case_end(&k);
    free(before);
}

static char folder[] = "/tmp/heddle-record-XXXXXX";

static int folder_enter(void **state) {
    (void)state;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int folder_leave(void **state) {
    (void)state;
    return system("rm -rf \"$PWD\"") == 0 && chdir("/") == 0 ? 0 : -1;
}

static int record_remove(void **state) {
    (void)state;
    unlink("x.record.json");
    return 0;
}

#define CASE(test) cmocka_unit_test_setup(test, record_remove)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(record_read__none_is_no_record),
        CASE(record_write__then_all_is_as_recorded),
        CASE(record_write__the_text),
        CASE(record_write__keeps_other_sections),
        CASE(record_compare__another_figure_is_news),
        CASE(record_compare__the_eighth_digit_is_none),
        CASE(record_compare__a_profile_by_its_digests),
        CASE(record_compare__another_range_is_another_claim),
        CASE(record_read__stale),
        CASE(record_read__set),
        CASE(record_read__names_the_set),
        CASE(record_compare__other_seeds_by_verdict),
        CASE(record_compare__live_by_interval),
        CASE(record_read__refuses_what_is_no_record),
        CASE(record_read__known_beside_a_record),
        CASE(record_write__killed),
        CASE(record_write__a_full_disk),
    };
    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}
