/* SPDX-License-Identifier: Apache-2.0 */
#include "workload/generate.h"

#include "workload/specs.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Knows one host by name, and 16 by number. */
static bool host_find(void *context, const char *text, bool quoted, uint32_t *host, char *why, size_t size) {
    assert_string_equal(context, "context");
    char *end = NULL;
    unsigned long number = strtoul(text, &end, 10);
    bool is_number = !quoted && text[0] >= '0' && text[0] <= '9' && !*end;
    *host = strcmp(text, "host0.1.0") == 0 ? 2 : is_number ? (uint32_t)number : NODE_NONE;
    if (*host == 2 || (is_number && number < 16)) return true;
    snprintf(why, size, "there is no host %s%s%s", quoted ? "named " : "", text, quoted ? "" : "; 0 to 15");
    return false;
}

/* Parses a trace's text over 16 hosts. The caller frees *list. */
static bool parse(const char *text, size_t length, struct flow_list *list, struct diag *d) {
    struct population p = population_make(fat_tree_4);
    struct workload_spec spec = spec_of(&workload_trace, NULL);
    spec.host_find = host_find;
    spec.host_context = "context";
    *list = (struct flow_list){0};
    struct generator g = {.spec = &spec, .p = &p, .seed = 1, .list = list, .d = d};
    bool ok = trace_parse(&g, text, length, "a.csv");
    free(g.next_port);
    population_free(&p);
    return ok;
}

static void first_is(const char *text, time_ps start, uint32_t src, uint32_t dst, uint64_t bytes) {
    struct flow_list list;
    struct diag d;
    if (!parse(text, strlen(text), &list, &d)) fail_msg("%d:%d: %s", d.line, d.col, d.text);
    assert_int_equal(list.flow[0].start, start);
    assert_int_equal(list.flow[0].src, src);
    assert_int_equal(list.flow[0].dst, dst);
    assert_int_equal(list.flow[0].bytes, bytes);
    flow_list_free(&list);
}

static void trace_parse__accepted_forms(void **state) {
    (void)state;
    first_is("10us,1,2,1000\n", 10 * PS_PER_US, 1, 2, 1000);
    first_is("0.5, 1, 2, 1000", PS_PER_S / 2, 1, 2, 1000); /* a start without a unit is in seconds */
    first_is("start,source,destination,bytes\n1e-6,1,2,1e3\n", PS_PER_US, 1, 2, 1000);
    first_is("start_ns,src,dst,bytes\r\n1500,1,2,10KB\r\n", 1500 * PS_PER_NS, 1, 2, 10000);
    first_is("START_US;src;dst;bytes\n1.5;1;2;3\n", 1500 * PS_PER_NS, 1, 2, 3);
    first_is("start_ns,src,dst,bytes\n2ms,1,2,3\n", 2 * PS_PER_MS, 1, 2, 3); /* a unit outranks the header's */
    first_is("# made by hand\n\n0 host0.1.0 15 7 # a comment\n", 0, 2, 15, 7);
}

/* Quotes are no part of a field. They make the field of a host a name; R and pandas put them around headers too. */
static void trace_parse__quotes(void **state) {
    (void)state;
    first_is("0,\"host0.1.0\",15,7\n", 0, 2, 15, 7);
    first_is("\"start\",\"source\",\"destination\",\"bytes\"\n0 , \"host0.1.0\" ,15,7", 0, 2, 15, 7);
    first_is("0 15 \"host0.1.0\" \"7\"", 0, 15, 2, 7);
}

static void fails(const char *text, size_t length, const char *line) {
    struct flow_list list;
    struct diag d;
    char shown[800];
    assert_false(parse(text, length, &list, &d));
    assert_string_equal(diag_line(&d, shown, sizeof shown), line);
    flow_list_free(&list);
}
#define FAILS(text, line) fails(text, sizeof text - 1, line)

static void trace_parse__errors_name_file_line_and_column(void **state) {
    (void)state;
    FAILS("0,1,2,10\n0,1,2\n", "a.csv:2:6: error: 3 of 4 columns; give start, source, destination, bytes");
    FAILS("0,1,2,10,9\n", "a.csv:1:10: error: more than 4 columns; give start, source, destination, bytes, or name all "
                          "columns in a first line");
    FAILS("start,src,dst,bytes\n0,1,16,10\n", "a.csv:2:5: error: destination: there is no host 16; 0 to 15");
    FAILS("0,host9.9.9,2,10\n", "a.csv:1:3: error: source: there is no host host9.9.9; 0 to 15");
    FAILS("0,-1,2,10\n", "a.csv:1:3: error: source: there is no host -1; 0 to 15");
    FAILS("0,4294967297,2,10\n", "a.csv:1:3: error: source: there is no host 4294967297; 0 to 15");
    FAILS("0,,2,10\n", "a.csv:1:3: error: source: there is no host ; 0 to 15");
    FAILS("0,\"1\",2,10\n", "a.csv:1:4: error: source: there is no host named 1");
    FAILS("0,\"\",2,10\n", "a.csv:1:4: error: source: there is no host named ");
    FAILS("0,\"a,b\",2,10\n", "a.csv:1:4: error: source: there is no host named a,b");
    FAILS("0,\"1,2,10\n", "a.csv:1:3: error: source: there is no host \"1; 0 to 15");
    FAILS("0,\"1\"2,2,10\n", "a.csv:1:3: error: source: there is no host \"1\"2; 0 to 15");
    FAILS("0,1,\"", "a.csv:1:6: error: 3 of 4 columns; give start, source, destination, bytes");
    FAILS("0,a23456789b123456789c123456789d123456789e123456789f123456789g1234,2,10\n",
          "a.csv:1:3: error: source: there is no host "
          "a23456789b123456789c123456789d123456789e123456789f123456789g1234; 0 to 15");
    FAILS("0,3,3,10\n", "a.csv:1:5: error: host 3 would send to itself; give another destination");
    FAILS("0,1,2,0\n", "a.csv:1:7: error: a flow has at least 1 byte");
    FAILS("0,1,2,-5\n", "a.csv:1:7: error: a flow has at least 1 byte");
    FAILS("0,1,2,1e30\n", "a.csv:1:7: error: '1e30' bytes are too many");
    FAILS("-1us,1,2,10\n", "a.csv:1:1: error: the start is negative; the run begins at 0");
    FAILS("1e9,1,2,10\n", "a.csv:1:1: error: the start is too late; at most 53 days");
    FAILS("0,1,2,10\nnow,1,2,10\n", "a.csv:2:1: error: start: 'now' is not a time; write one such as 20us");
    FAILS("start,src,dst,bytes\n",
          "a.csv:1: error: no flows in this file; give lines of start, source, destination, bytes");
    FAILS("", "a.csv: error: no flows in this file; give lines of start, source, destination, bytes");
    FAILS("0 1 2 \x01\x02\xff\n", "a.csv:1:7: error: bytes: '?\?\?' is not a size; write one such as 250KB");
}

static void trace_parse__a_header_orders_the_columns(void **state) {
    (void)state;
    first_is("bytes,destination,source,start\n1000,2,1,10us\n", 10 * PS_PER_US, 1, 2, 1000);
    first_is("src dst start_ns size\n1 2 1500 10KB\n", 1500 * PS_PER_NS, 1, 2, 10000);
    first_is("# flows\n\nSource;Bytes;Destination;Start_us\n1;7;2;3\n", 3 * PS_PER_US, 1, 2, 7);
    /* the error gives the place in the line, not the number of the column */
    FAILS("bytes,dst,src,start\n10,2,16,0\n", "a.csv:2:6: error: source: there is no host 16; 0 to 15");
    FAILS("bytes,dst,src,start\n10,2,1\n", "a.csv:2:7: error: 3 of 4 columns; give start, source, destination, bytes");
}

/* A first line that is no valid header and no valid flow is an error: a guess would drop a flow or swap columns. */
static void trace_parse__what_is_no_header_is_an_error(void **state) {
    (void)state;
    FAILS("O,1,2,10\n1us,1,2,10\n", "a.csv:1:1: error: start: 'O' is not a time; write one such as 20us");
    FAILS("x10us,1,2,10\n1us,1,2,10\n", "a.csv:1:1: error: start: 'x10us' is not a time; write one such as 20us");
    FAILS(",1,2,10\n1us,1,2,10\n",
          "a.csv:1:1: error: the start is missing; give a time such as 20us, or remove the line");
    FAILS("time,from,to,volume\n0,1,2,10\n",
          "a.csv:1:1: error: no field of this line is a column of a trace; a header "
          "names start_us (or start_s, start_ms, start_ns), source, destination, bytes");
    FAILS("strat,source,destination,bytes\n0,1,2,10\n",
          "a.csv:1:1: error: 'strat' is no column of a trace; a header names start_us (or start_s, start_ms, "
          "start_ns), source, destination, bytes");
    FAILS("start,src,source,bytes\n0,1,2,10\n", "a.csv:1:11: error: this header names the source twice");
    FAILS("start,src,dst\n0,1,2\n", "a.csv:1:14: error: this header lacks the bytes; name start_us (or start_s, "
                                    "start_ms, start_ns), source, destination, bytes");
    FAILS("0,1,2,10\nstart,src,dst,bytes\n", "a.csv:2:1: error: start: 'start' is not a time; write one such as 20us");
}

/* Spreadsheets and Windows write a byte order mark before the first line. */
static void trace_parse__a_byte_order_mark(void **state) {
    (void)state;
    first_is("\xef\xbb\xbfstart,source,destination,bytes\r\n10us,1,2,1000\r\n", 10 * PS_PER_US, 1, 2, 1000);
    first_is("\xef\xbb\xbf"
             "10us,1,2,1000\n",
             10 * PS_PER_US, 1, 2, 1000);
    FAILS("\xff\xfes\0t\0a\0",
          "a.csv:1:1: error: this text is UTF-16; save it as UTF-8 (spreadsheets: as \"CSV UTF-8\")");
    FAILS("\xfe\xff\0s\0t", "a.csv:1:1: error: this text is UTF-16; save it as UTF-8 (spreadsheets: as \"CSV UTF-8\")");
    FAILS("\xef\xbb\xbf", "a.csv: error: no flows in this file; give lines of start, source, destination, bytes");
}

/* pandas writes its index as a column without a name; other programs have columns of their own, with blanks in them. */
static void trace_parse__other_columns_are_not_read(void **state) {
    (void)state;
    first_is(",start,source,destination,bytes\n0,10us,1,2,1000\n", 10 * PS_PER_US, 1, 2, 1000);
    first_is("start,source,destination,bytes,class\n10us,1,2,1000,\n", 10 * PS_PER_US, 1, 2, 1000);
    first_is("state,start_us,src,dst,my bytes,bytes\nnot finished yet,10,1,2,7,1000\n", 10 * PS_PER_US, 1, 2, 1000);
    first_is("note;start;source;destination;bytes\n\"a; \"\"b\"\" # c\";10us;1;2;1000 # d\n", 10 * PS_PER_US, 1, 2,
             1000);
    first_is("n start source destination bytes\n9 10us 1 2 1000\n", 10 * PS_PER_US, 1, 2, 1000);
    FAILS("start,source,destination,bytes,class\n0,1,2,10\n",
          "a.csv:2:9: error: 4 fields, but the header names 5 columns; give each column a name");
    FAILS("start,source,destination,bytes\n0,0,1,2,10\n",
          "a.csv:2:9: error: 5 fields, but the header names 4 columns; give each column a name");
    FAILS("start;source;destination;bytes\n0,5;1;2;10\n",
          "a.csv:2:1: error: start: ',5' is no unit of a time; write ps, ns, us, ms or s, such as 20us");
}

static void trace_parse__columns_are_at_most_64(void **state) {
    (void)state;
    char text[300] = "start,source,destination,bytes", line[300] = "10us,1,2,1000";
    for (int i = 4; i < 64; i++) {
        strcat(text, ",x");
        strcat(line, ",");
    }
    strcat(strcat(strcat(text, "\n"), line), "\n");
    first_is(text, 10 * PS_PER_US, 1, 2, 1000);
    char more[300] = "x,";
    fails(strcat(more, text), strlen(text) + 2,
          "a.csv:1:151: error: more than 64 columns; keep start, source, destination, bytes");
}

/* flows.csv of `heddle export` has the flows of all runs; two runs at once are no trace. */
static void trace_parse__the_flows_of_one_run(void **state) {
    (void)state;
    first_is("experiment,run,src,dst,start_ps,bytes\na b,2,1,2,10000000,1000\na b,2,1,2,10000000,1000\n",
             10 * PS_PER_US, 1, 2, 1000);
    FAILS("experiment,run,src,dst,start_ps,bytes\nx,1,1,2,0,10\nx,2,1,2,0,10\n",
          "a.csv:3:3: error: a flow of run 2 after flows of run 1; keep the lines of one, or give each a file");
    FAILS("experiment,run,src,dst,start_ps,bytes\nx,1,1,2,0,10\ny,1,1,2,0,10\n",
          "a.csv:3:1: error: a flow of experiment y after flows of experiment x; keep the lines of one, or give each a "
          "file");
    FAILS("store,src,dst,start_ps,bytes\nx,1,2,0,10\ny,1,2,0,10\n",
          "a.csv:3:1: error: a flow of store y after flows of store x; keep the lines of one, or give each a file");
    FAILS("run,src,dst,start_ps,bytes\n1,1,2,,10\n",
          "a.csv:2:7: error: the start is missing; give a time such as 20us, or remove the line");
    FAILS(
        "run,src,dst,start_ps,bytes\n1,1,2,0,\n",
        "a.csv:2:9: error: the bytes are missing; give a size such as 250KB, or remove the line (flows without an end "
        "are of kind long)");
}

static void workload_generate__trace_is_sorted_and_keeps_line_numbers(void **state) {
    (void)state;
    char path[] = "/tmp/heddle-trace-XXXXXX";
    int fd = mkstemp(path);
    static const char text[] = "20us,1,2,100\n10us,3,4,200\n20us,0,5,300\n";
    assert_int_equal(write(fd, text, sizeof text - 1), sizeof text - 1);
    close(fd);
    struct population p = population_make(fat_tree_4);
    struct workload_spec spec = spec_of(&workload_trace, NULL);
    FIELDS(spec, trace)->path = path;
    spec.host_find = host_find;
    spec.host_context = "context";
    spec.start = PS_PER_MS; /* start of the trace */
    struct flow_list list = generate(&spec, 1, &p, 1);
    remove(path);
    assert_int_equal(list.n, 3);
    const uint32_t index[] = {1, 2, 0}, src[] = {3, 0, 1};
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(list.flow[i].start, PS_PER_MS + (i == 0 ? 10 : 20) * PS_PER_US);
        assert_int_equal(list.flow[i].index, index[i]);
        assert_int_equal(list.flow[i].src, src[i]);
    }
    flow_list_free(&list);
    population_free(&p);
}

static void workload_generate__unreadable_trace(void **state) {
    (void)state;
    struct population p = population_make(fat_tree_4);
    struct workload_spec spec = spec_of(&workload_trace, NULL);
    FIELDS(spec, trace)->path = "no/such.csv";
    generate_fails(&spec, &p,
                   "cannot read 'no/such.csv' (No such file or directory); give the path of a readable file");
    population_free(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(trace_parse__accepted_forms),
        UNIT(trace_parse__quotes),
        UNIT(trace_parse__errors_name_file_line_and_column),
        UNIT(trace_parse__a_header_orders_the_columns),
        UNIT(trace_parse__what_is_no_header_is_an_error),
        UNIT(trace_parse__a_byte_order_mark),
        UNIT(trace_parse__other_columns_are_not_read),
        UNIT(trace_parse__columns_are_at_most_64),
        UNIT(trace_parse__the_flows_of_one_run),
        UNIT(workload_generate__trace_is_sorted_and_keeps_line_numbers),
        UNIT(workload_generate__unreadable_trace),
    };
    return RUN_UNITS(tests);
}
