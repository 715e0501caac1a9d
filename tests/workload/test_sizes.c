/* SPDX-License-Identifier: Apache-2.0 */
#include "workload/size_tables.h"
#include "workload/sizes.h"

#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct sizes *named(const char *name) {
    struct diag d;
    struct sizes *s = sizes_create(name, NULL, 0, &d);
    assert_non_null(s);
    return s;
}

/* Share of bytes (and of flows) that lies in flows above `bytes`, in ppm, from 200,000 draws. */
struct share {
    int64_t flows_ppm, bytes_ppm;
};

static struct share share_above(const char *name, int64_t bytes) {
    struct sizes *s = named(name);
    struct random_stream r;
    random_init(&r, 1, RANDOM_SIZES, 0);
    const int64_t n = 200000;
    int64_t flows = 0, above = 0, all = 0;
    for (int64_t i = 0; i < n; i++) {
        int64_t x = sizes_draw(s, &r);
        all += x;
        if (x > bytes) flows++, above += x;
    }
    sizes_destroy(s);
    return (struct share){flows * 1000000 / n, above / (all / 1000000)};
}

/* ---- The tables ---- */

/* A sum that each change of a size or a share changes. Whoever corrects a table compares it with its source again. */
static void size_tables__are_the_published_ones(void **state) {
    (void)state;
    static const int64_t sum[] = {604280001, 604204680, 49734744,  7643570571, 37945484, 14307112719,
                                  373743311, 73670751,  395628601, 61054901,   22032882};
    assert_int_equal(n_size_tables, sizeof sum / sizeof sum[0]);
    for (uint32_t t = 0; t < n_size_tables; t++) {
        int64_t is = size_table[t].unit_bytes;
        for (uint32_t k = 0; k < size_table[t].n; k++)
            is += (k + 1) * (size_table[t].point[k].units + size_table[t].point[k].cumulative_ppm);
        assert_int_equal(is, sum[t]);
    }
}

static void sizes_create__means_to_the_byte(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int64_t mean;
    } row[] = {
        {"web-search", 1711250},
        {"web-search-expresspass", 1710004},
        {"web-search-packets", 1665831},
        {"data-mining", 7487884},
        {"data-mining-packets", 7470236},
        {"data-mining-heavy", 12658199},
        {"cache-follower", 712574},
        {"web-server", 66121},
        {"hadoop", 120421},
        {"alibaba-storage", 40870},
        {"solar-rpc", 39424},
    };
    size_t n;
    sizes_names(&n);
    assert_int_equal(n, sizeof row / sizeof row[0]);
    for (size_t i = 0; i < n; i++) {
        struct sizes *s = named(row[i].name);
        assert_int_equal(s->mean_bytes, row[i].mean);
        assert_string_equal(s->name, row[i].name);
        sizes_destroy(s);
    }
}

/* SC-6: the means that the ExpressPass paper states are 1 to 4 % below the means of its tables. */
static void sizes_create__means_near_the_papers(void **state) {
    (void)state;
    struct sizes *web = named("web-search"), *mining = named("data-mining");
    assert_in_range(web->mean_bytes, 1650000, 1650000 * 104 / 100);
    assert_in_range(mining->mean_bytes, 7410000, 7410000 * 102 / 100);
    sizes_destroy(web);
    sizes_destroy(mining);
}

/* SC-6 [Expeditus]: more than 95 % of the bytes come from the 30 % of flows above 1 MB: 94.96 % by this table. */
static void sizes_draw__web_search_bytes_are_in_large_flows(void **state) {
    (void)state;
    struct share s = share_above("web-search", 1000000);
    assert_in_range(s.flows_ppm, 295000, 305000);
    assert_in_range(s.bytes_ppm, 948000, 951000);
}

/* SC-6 [Expeditus]: 95 % of the bytes come from about 3.6 % of flows above 35 MB, more than 80 % of flows are below 10
 * KB. Linear interpolation of the table puts 3.3 % above 35 MB. */
static void sizes_draw__data_mining_bytes_are_in_very_large_flows(void **state) {
    (void)state;
    struct share large = share_above("data-mining", 35000000);
    assert_in_range(large.flows_ppm, 30000, 37000);
    assert_in_range(large.bytes_ppm, 920000, 970000);
    assert_in_range(share_above("data-mining", 10000).flows_ppm, 195000, 205000);
    assert_in_range(share_above("data-mining", 100000).flows_ppm, 170000, 200000);
}

/* ---- Drawing ---- */

static int64_t mean_drawn(const struct sizes *s, int n) {
    struct random_stream r;
    random_init(&r, 5, RANDOM_SIZES, 1);
    int64_t sum = 0;
    for (int i = 0; i < n; i++) sum += sizes_draw(s, &r);
    return sum / n;
}

static void sizes_draw__mean_of_draws(void **state) {
    (void)state;
    static const char *const name[] = {"web-search", "cache-follower", "web-server", "hadoop", "solar-rpc"};
    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
        struct sizes *s = named(name[i]);
        int64_t mean = mean_drawn(s, 200000);
        assert_in_range(mean, s->mean_bytes * 98 / 100, s->mean_bytes * 102 / 100);
        sizes_destroy(s);
    }
}

/* cache-follower: 350 bytes from .1 to .19 is a point mass of 9 %, 70 bytes of 1 %. */
static void sizes_draw__repeated_size_is_a_point_mass(void **state) {
    (void)state;
    struct sizes *s = named("cache-follower");
    struct random_stream r;
    random_init(&r, 2, RANDOM_SIZES, 0);
    int at_350 = 0, at_70 = 0;
    for (int i = 0; i < 100000; i++) {
        int64_t x = sizes_draw(s, &r);
        at_350 += x == 350;
        at_70 += x == 70;
        assert_in_range(x, 70, 3000000);
    }
    assert_in_range(at_350, 8700, 9400);
    assert_in_range(at_70, 900, 1150); /* and half a byte of the piece up to 150 */
    sizes_destroy(s);
}

static void sizes_draw__mass_at_the_first_size(void **state) {
    (void)state;
    struct sizes *s = named("web-search-packets");
    struct random_stream r;
    random_init(&r, 3, RANDOM_SIZES, 0);
    int first = 0;
    for (int i = 0; i < 100000; i++) first += sizes_draw(s, &r) == 6 * 1460;
    assert_in_range(first, 14600, 15400);
    sizes_destroy(s);
}

static void sizes_draw__never_nothing(void **state) {
    (void)state;
    static const char text[] = "0 0\n1 1\n";
    struct diag d;
    struct sizes *s = sizes_parse(text, sizeof text - 1, "x", 0, &d);
    struct random_stream r;
    random_init(&r, 3, RANDOM_SIZES, 0);
    for (int i = 0; i < 100; i++) assert_int_equal(sizes_draw(s, &r), 1);
    sizes_destroy(s);
}

/* ---- One size, and the cap ---- */

static void sizes_create__one_size(void **state) {
    (void)state;
    struct sizes *s = named("50MB");
    struct random_stream r;
    random_init(&r, 3, RANDOM_SIZES, 0);
    assert_int_equal(s->mean_bytes, 50000000);
    assert_int_equal(sizes_draw(s, &r), 50000000);
    sizes_destroy(s);
}

/* 0 to 100 uniform, cut at 40: 0.4 x 20 + 0.6 x 40 = 32. */
static void sizes_parse__cap_cuts_draws_and_mean(void **state) {
    (void)state;
    static const char text[] = "0 0\n100 1\n";
    struct diag d;
    struct sizes *s = sizes_parse(text, sizeof text - 1, "x", 40, &d);
    assert_int_equal(s->mean_bytes, 32);
    struct random_stream r;
    random_init(&r, 3, RANDOM_SIZES, 0);
    int cut = 0;
    for (int i = 0; i < 10000; i++) cut += sizes_draw(s, &r) == 40;
    assert_in_range(cut, 5800, 6300);
    sizes_destroy(s);
}

static void sizes_create__cap_leaves_smaller_draws_alone(void **state) {
    (void)state;
    struct diag d;
    struct sizes *whole = named("data-mining"), *cut = sizes_create("data-mining", NULL, 100000000, &d);
    struct random_stream a, b;
    random_init(&a, 3, RANDOM_SIZES, 0);
    random_init(&b, 3, RANDOM_SIZES, 0);
    for (int i = 0; i < 10000; i++) assert_int_equal(sizes_draw(cut, &a), min_i64(sizes_draw(whole, &b), 100000000));
    assert_true(cut->mean_bytes < whole->mean_bytes);
    sizes_destroy(whole);
    sizes_destroy(cut);
}

/* ---- Wire bytes ---- */

static void sizes_mean_wire_bytes__one_size(void **state) {
    (void)state;
    struct sizes *one = named("1460B"), *two = named("1461B"), *large = named("1MB");
    assert_int_equal(sizes_mean_wire_bytes(one, 1538, 1460), 1538);
    assert_int_equal(sizes_mean_wire_bytes(two, 1538, 1460), 1461 + 2 * 78);
    assert_int_equal(sizes_mean_wire_bytes(large, 1538, 1460), 1000000 + 685 * 78);
    sizes_destroy(one);
    sizes_destroy(two);
    sizes_destroy(large);
}

/* Sizes uniform over two full frames: half of the flows take one frame, half two. */
static void sizes_mean_wire_bytes__uniform(void **state) {
    (void)state;
    static const char text[] = "0 0\n2920 100\n";
    struct diag d;
    struct sizes *s = sizes_parse(text, sizeof text - 1, "x", 0, &d);
    assert_int_equal(sizes_mean_wire_bytes(s, 1538, 1460), 1460 + 117);
    sizes_destroy(s);
}

/* AM-16: for long flows payload x 1538/1460, plus half a frame's headers. */
static void sizes_mean_wire_bytes__agrees_with_draws(void **state) {
    (void)state;
    struct sizes *s = named("web-server");
    struct random_stream r;
    random_init(&r, 9, RANDOM_SIZES, 0);
    int64_t payload = 0, wire = 0;
    for (int i = 0; i < 200000; i++) {
        int64_t x = sizes_draw(s, &r);
        payload += x;
        wire += x + (x + 1459) / 1460 * 78;
    }
    int64_t drawn_ppm = wire / (payload / 1000000),
            table_ppm = sizes_mean_wire_bytes(s, 1538, 1460) * 1000000 / s->mean_bytes;
    assert_in_range(drawn_ppm, table_ppm - 100, table_ppm + 100);
    sizes_destroy(s);
}

/* ---- CDF files ---- */

static void parse_fails(const char *text, size_t length, const char *line) {
    struct diag d;
    char shown[800];
    assert_null(sizes_parse(text, length, "a.cdf", 0, &d));
    assert_string_equal(diag_line(&d, shown, sizeof shown), line);
}
#define PARSE_FAILS(text, line) parse_fails(text, sizeof text - 1, line)

static void mean_is(const char *text, int64_t mean) {
    struct diag d;
    struct sizes *s = sizes_parse(text, strlen(text), "a.cdf", 0, &d);
    assert_non_null(s);
    assert_int_equal(s->mean_bytes, mean);
    sizes_destroy(s);
}

static void sizes_parse__accepted_forms(void **state) {
    (void)state;
    mean_is("0 0\n1000 50\n3000 100\n", 1250);                               /* percent */
    mean_is("0 0\n1000 .5\n3000 1\n", 1250);                                 /* fraction */
    mean_is("# flows\r\n0\t0\r\n\r\n1e3,5e-1 # half\r\n3000.0 1.000", 1250); /* CRLF, comments, no newline at the end */
    mean_is("# bytes\n0 1 0\n1000 2 0.5\n3000 3 1\n", 1250);                 /* a third column between the two */
    mean_is("#packets\n# as in ns-2\n0 1 0\n2 1 1\n", 1460);                 /* ns-2's tables count packets */
    mean_is("# packets\n1 .5\n2 1\n", 1460 / 2 + 1460 * 3 / 4);              /* packets of 1460 B */
    mean_is("1000 100\n", 1000);                                             /* a single size */
}

static void sizes_parse__errors_name_file_line_and_column(void **state) {
    (void)state;
    PARSE_FAILS("\xff\xfe"
                "0\0",
                "a.cdf:1:1: error: this text is UTF-16; save it as UTF-8 (spreadsheets: as \"CSV UTF-8\")");
    PARSE_FAILS("\xef\xbb\xbf"
                "x 0\n",
                "a.cdf:1:1: error: 'x' is no number; write the size as a plain decimal");
    PARSE_FAILS("0 0\n2000 .5\n1000 1\n",
                "a.cdf:3:1: error: the size is smaller than on the point before; sort the points by size");
    PARSE_FAILS("0 0\n1000 .5\n2000 .4\n3000 1\n",
                "a.cdf:3:6: error: the cumulative probability falls from the point before; it must never fall");
    PARSE_FAILS(
        "0 0\n1000 .5\n\n# end\n2000 .99\n",
        "a.cdf:5:6: error: the last cumulative probability is neither 1 nor 100 (percent); end the file with it");
    PARSE_FAILS("-5 0\n1000 1\n", "a.cdf:1:1: error: the size is negative; it must be 0 or more");
    PARSE_FAILS("5 -0.5\n1000 1\n", "a.cdf:1:3: error: the probability is negative; it must be 0 or more");
    PARSE_FAILS("0 0\n1000\n", "a.cdf:2:5: error: one column; give a size and its cumulative probability");
    PARSE_FAILS("0 0\n1 2 3 4\n",
                "a.cdf:2:7: error: more than three columns; give a size and its cumulative probability");
    PARSE_FAILS(
        "# of ns-2\n0 1 0\n6 1 0.15\n6667 1 1\n",
        "a.cdf:2:1: error: three columns, as in tables of ns-2, which count packets; write '# packets' (of 1460 B) "
        "or '# bytes' above the first point");
    PARSE_FAILS("0 0\n# packets\n6 1\n", "a.cdf:2:1: error: '# packets' after the first point; put it above");
    PARSE_FAILS("0 0 # Bytes\n# bytes\n6 1\n", "a.cdf:2:1: error: '# bytes' after the first point; put it above");
    PARSE_FAILS("# packets\n# bytes\n6 1\n", "a.cdf:2:1: error: '# bytes' after another unit; keep one");
    PARSE_FAILS("# packets\n7e8 1\n", "a.cdf:2:1: error: the size is above 1 TB; give smaller ones");
    PARSE_FAILS("0 0\n1000 half\n", "a.cdf:2:6: error: 'half' is no number; write the probability as a plain decimal");
    PARSE_FAILS("0 0\n50 140\n90 100\n", "a.cdf:2:4: error: the cumulative probability is above the last one, 100");
    PARSE_FAILS("0 .5\n9 1\n", "a.cdf:1:3: error: flows of 0 bytes have a probability; give 0 bytes probability 0");
    PARSE_FAILS("0 0\n0 1\n", "a.cdf:2:1: error: every size is 0; give sizes in bytes");
    PARSE_FAILS("0 0\n1e15 1\n", "a.cdf:2:1: error: the size is above 1 TB; give smaller ones");
    PARSE_FAILS("", "a.cdf: error: no points in this file; give lines of a size and its cumulative probability");
    PARSE_FAILS("# nothing\n",
                "a.cdf:1: error: no points in this file; give lines of a size and its cumulative probability");
    PARSE_FAILS("\x7f"
                "ELF\x02\x01\0\0 \xff\xfe\n",
                "a.cdf:1:1: error: '?ELF?\?\?\?' is no number; write the size as a plain decimal");
}

/* ---- Names ---- */

static void create_fails(const char *what, const char *part) {
    struct diag d;
    assert_null(sizes_create(what, NULL, 0, &d));
    if (!strstr(d.text, part)) fail_msg("'%s' lacks '%s'", d.text, part);
}

static void sizes_create__unknown_names(void **state) {
    (void)state;
    create_fails("web-serch", "did you mean 'web-search'?");
    create_fails("zzzzzzzzzzzz", "or one of web-search, ");
    create_fails("50XB", "sizes: 'XB' is no unit of a size; write B, KB, MB");
    create_fails("0B", "sizes are from 1B to 1TB");
    create_fails("no/such.cdf", "cannot read 'no/such.cdf' (No such file or directory)");
    create_fails("/", "cannot read '/' (Is a directory)");
}

/* A number with nothing but a unit behind it is a size, right or wrong; its point does not make it a file. */
static void sizes_create__a_size_with_a_point(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t bytes;
    } sizes[] = {{"1.5MB", 1500000}, {"0.5KiB", 512}, {".5KB", 500}, {"1.50 MB", 1500000}, {"1e3B", 1000}};
    struct diag d;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct sizes *s = sizes_create(sizes[i].text, NULL, 0, &d);
        if (!s) fail_msg("%s: %s", sizes[i].text, d.text);
        assert_int_equal(s->mean_bytes, sizes[i].bytes);
        assert_false(sizes_is_file(sizes[i].text));
        sizes_destroy(s);
    }
    create_fails("1.5XB", "sizes: 'XB' is no unit of a size");
    create_fails("1.5", "sizes: '1.5' has no unit");
    create_fails("1.0001KB", "no whole number of bytes");
    create_fails("-1.5MB", "a flow of -1.5MB; sizes are from 1B to 1TB");
    create_fails("10.cdf", "cannot read '10.cdf'");
    create_fails("./1.5MB", "cannot read './1.5MB'");
    static const char *const files[] = {"10.cdf", "./1.5MB", "1.5MB.txt", "a", "2.txt", "-", "1-2"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) assert_true(sizes_is_file(files[i]));
    static const char *const others[] = {"web-search", "1.5XB", "3000", "1e6", "+2MB"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) assert_false(sizes_is_file(others[i]));
}

static void sizes_create__file_relative_to_the_experiment(void **state) {
    (void)state;
    char dir[] = "/tmp/heddle-sizes-XXXXXX", path[64];
    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/mine.cdf", dir);
    FILE *out = fopen(path, "w");
    fputs("0 0\n1000 100\n", out);
    fclose(out);
    struct diag d;
    struct sizes *s = sizes_create("mine.cdf", dir, 0, &d);
    remove(path);
    remove(dir);
    assert_non_null(s);
    assert_int_equal(s->mean_bytes, 500);
    sizes_destroy(s);
}

/* A draw between two points is rounded to the nearest byte: between 10 and 12 each end gets a quarter. */
static void sizes_draw__rounds_to_the_nearest_byte(void **state) {
    (void)state;
    static const char text[] = "10 0\n12 1\n";
    struct diag d;
    struct sizes *s = sizes_parse(text, sizeof text - 1, "x", 0, &d);
    assert_non_null(s);
    struct random_stream r;
    random_init(&r, 4, RANDOM_SIZES, 0);
    int drawn[3] = {0};
    for (int i = 0; i < 40000; i++) drawn[sizes_draw(s, &r) - 10]++;
    assert_in_range(drawn[0], 9600, 10400);
    assert_in_range(drawn[1], 19500, 20500);
    assert_in_range(drawn[2], 9600, 10400);
    sizes_destroy(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(size_tables__are_the_published_ones),
        UNIT(sizes_create__means_to_the_byte),
        UNIT(sizes_create__means_near_the_papers),
        UNIT(sizes_draw__web_search_bytes_are_in_large_flows),
        UNIT(sizes_draw__data_mining_bytes_are_in_very_large_flows),
        UNIT(sizes_draw__mean_of_draws),
        UNIT(sizes_draw__repeated_size_is_a_point_mass),
        UNIT(sizes_draw__mass_at_the_first_size),
        UNIT(sizes_draw__never_nothing),
        UNIT(sizes_create__one_size),
        UNIT(sizes_parse__cap_cuts_draws_and_mean),
        UNIT(sizes_create__cap_leaves_smaller_draws_alone),
        UNIT(sizes_mean_wire_bytes__one_size),
        UNIT(sizes_mean_wire_bytes__uniform),
        UNIT(sizes_mean_wire_bytes__agrees_with_draws),
        UNIT(sizes_parse__accepted_forms),
        UNIT(sizes_parse__errors_name_file_line_and_column),
        UNIT(sizes_create__unknown_names),
        UNIT(sizes_create__a_size_with_a_point),
        UNIT(sizes_create__file_relative_to_the_experiment),
        UNIT(sizes_draw__rounds_to_the_nearest_byte),
    };
    return RUN_UNITS(tests);
}
