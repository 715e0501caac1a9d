/* SPDX-License-Identifier: Apache-2.0 */
/* Merges captures into the arrivals at one switch. */
#include "base/tie.h"
#include "live/captures.h"
#include "live/inlet.h"

struct feed {
    struct folder folder;
    struct fabric *fabric;
    struct inlet *inlet;
    uint64_t seed; /* orders frames of the same time */
    struct diag d;
    FILE *file; /* pcapng being written */
    struct pcapng_writer w;
};

static struct feed feed_new(void) {
    return (struct feed){.folder = folder_new(), .fabric = made(spec_leaf_spine(2, 2, 2)), .seed = 1};
}

/* Begins a pcapng with these interfaces; "": an interface without a name. */
static void feed_begin(struct feed *f, const char *name, const char *const *interfaces, size_t n) {
    f->file = fopen(folder_file(&f->folder, name), "wb");
    assert_non_null(f->file);
    assert_true(pcapng_begin(&f->w, f->file, name, 0, &f->d));
    for (size_t i = 0; i < n; i++) assert_true(pcapng_add_interface(&f->w, interfaces[i], 0, &f->d));
}

/* Adds a frame of one byte, its mark. */
static void feed_put(struct feed *f, uint32_t interface, time_ps at, enum capture_direction direction, char mark) {
    uint8_t byte = (uint8_t)mark;
    assert_true(pcapng_write(&f->w, interface, at, direction, &byte, 1, 1, &f->d));
}

static void feed_written(struct feed *f) {
    assert_true(pcapng_finish(&f->w, &f->d));
    fclose(f->file);
}

static bool feed_open(struct feed *f, const struct inlet_source *source, size_t n) {
    f->inlet = inlet_open(f->fabric, node(f->fabric, "leaf0"), f->seed, source, n, &f->d);
    return f->inlet != NULL;
}

/* Returns time in ns, port and mark of every frame, such as "25:0a 30:2b". */
static const char *feed_text(struct feed *f) {
    static char text[512];
    struct inlet_frame x;
    enum inlet_result got;
    text[0] = '\0';
    while ((got = inlet_next(f->inlet, &x, &f->d)) == INLET_FRAME) {
        size_t used = strlen(text);
        assert_int_equal(x.captured, 1);
        snprintf(text + used, sizeof text - used, "%s%lld:%u%c", used ? " " : "", (long long)(x.at / PS_PER_NS), x.port,
                 x.bytes[0]);
    }
    assert_int_equal(got, INLET_END);
    return text;
}

static void feed_end(struct feed *f, const char *const *files, size_t n) {
    inlet_close(f->inlet);
    fabric_destroy(f->fabric);
    for (size_t i = 0; i < n; i++) assert_int_equal(unlink(folder_file(&f->folder, files[i])), 0);
    folder_end(&f->folder);
}

#define NS PS_PER_NS

static const char *const own[] = {"host0.0", "host0.1", "spine0", "spine1"}; /* ports of leaf0, as heddle writes them */

/* Makes a capture of the node. Its outbound frames do not count; an input names one of its ports, or all. */
static void node_capture(struct feed *f) {
    feed_begin(f, "leaf0", own, 4);
    feed_put(f, 2, 10 * NS, CAPTURE_INBOUND, 'a');
    feed_put(f, 0, 10 * NS, CAPTURE_OUTBOUND, 'b');
    feed_put(f, 1, 20 * NS, CAPTURE_INBOUND, 'c');
    feed_put(f, 0, 20 * NS, CAPTURE_INBOUND, 'd');
    feed_put(f, 2, 20 * NS, CAPTURE_UNKNOWN, 'e');
    feed_written(f);
}

static void inlet__all_ports_of_a_node_capture(void **state) {
    (void)state;
    struct feed f = feed_new();
    node_capture(&f);
    struct inlet_source in = {"all", folder_file(&f.folder, "leaf0")};
    assert_true(feed_open(&f, &in, 1));
    assert_string_equal(feed_text(&f), "10:2a 20:2e 20:0d 20:1c");
    assert_int_equal(inlet_late(f.inlet), 0);
    feed_end(&f, (const char *[]){"leaf0"}, 1);
}

/* Frames of the same time come in the order that the simulator gives them under that seed. */
static void inlet__ties_follow_the_seed(void **state) {
    (void)state;
    uint32_t firsts[3] = {0};
    for (uint64_t seed = 1; seed <= 30; seed++) {
        struct feed f = feed_new();
        struct inlet_frame x;
        uint32_t before = 0;
        f.seed = seed;
        node_capture(&f);
        struct inlet_source in = {"all", folder_file(&f.folder, "leaf0")};
        assert_true(feed_open(&f, &in, 1));
        for (uint32_t i = 0; inlet_next(f.inlet, &x, &f.d) == INLET_FRAME; i++) {
            if (i == 0) continue;
            uint32_t global = f.fabric->paths.first_port[node(f.fabric, "leaf0")] + x.port;
            uint32_t rank = tie_rank(tie_key(seed), x.at, global);
            assert_true(rank >= before);
            before = rank;
            if (i == 1) firsts[x.port]++;
        }
        feed_end(&f, (const char *[]){"leaf0"}, 1);
    }
    for (uint32_t p = 0; p < 3; p++) assert_in_range(firsts[p], 3, 20);
}

static void inlet__one_port_of_a_node_capture(void **state) {
    (void)state;
    struct feed f = feed_new();
    node_capture(&f);
    const char *path = folder_file(&f.folder, "leaf0");
    struct inlet_source in[] = {{"spine0", path}, {"host0.0", path}, {"spine1", path}};
    assert_true(feed_open(&f, in, 3)); /* no frame came from spine1, which is no error */
    assert_string_equal(feed_text(&f), "10:2a 20:2e 20:0d");
    feed_end(&f, (const char *[]){"leaf0"}, 1);
}

/* The only interface of another program's capture feeds the port that the input names; several files of a port are
 * merged. */
static void inlet__only_interface(void **state) {
    (void)state;
    struct feed f = feed_new();
    feed_begin(&f, "x", (const char *[]){"eth0"}, 1);
    feed_put(&f, 0, 10 * NS, CAPTURE_UNKNOWN, 'a');
    feed_put(&f, 0, 30 * NS, CAPTURE_INBOUND, 'b');
    feed_written(&f);
    feed_begin(&f, "y", (const char *[]){"eth1"}, 1);
    feed_put(&f, 0, 10 * NS, CAPTURE_UNKNOWN, 'c');
    feed_put(&f, 0, 20 * NS, CAPTURE_UNKNOWN, 'd');
    feed_written(&f);
    struct inlet_source in[] = {{"spine1", folder_file(&f.folder, "y")}, {"spine1", folder_file(&f.folder, "x")}};
    assert_true(feed_open(&f, in, 2));
    assert_string_equal(feed_text(&f), "10:3c 10:3a 20:3d 30:3b");
    feed_end(&f, (const char *[]){"x", "y"}, 2);
}

static void inlet__late_stamps_are_raised(void **state) {
    (void)state;
    struct feed f = feed_new();
    feed_begin(&f, "x", own, 2);
    feed_put(&f, 0, 30 * NS, CAPTURE_INBOUND, 'a');
    feed_put(&f, 1, 20 * NS, CAPTURE_INBOUND, 'b'); /* of another port, so not late */
    feed_put(&f, 0, 25 * NS, CAPTURE_INBOUND, 'c'); /* late */
    feed_put(&f, 0, 40 * NS, CAPTURE_INBOUND, 'd');
    feed_written(&f);
    struct inlet_source in = {"all", folder_file(&f.folder, "x")};
    assert_true(feed_open(&f, &in, 1));
    assert_string_equal(feed_text(&f), "20:1b 30:0a 30:0c 40:0d");
    assert_int_equal(inlet_late(f.inlet), 1);
    feed_end(&f, (const char *[]){"x"}, 1);
}

/* A frame at the time of the one before it is not late. Ports come in their own order, whatever that of the inputs. */
static void inlet__equal_stamps_are_not_late(void **state) {
    (void)state;
    struct feed f = feed_new();
    feed_begin(&f, "x", own, 4);
    feed_put(&f, 3, 10 * NS, CAPTURE_INBOUND, 'a');
    feed_put(&f, 3, 10 * NS, CAPTURE_INBOUND, 'b');
    feed_put(&f, 1, 20 * NS, CAPTURE_INBOUND, 'c');
    feed_put(&f, 0, 30 * NS, CAPTURE_INBOUND, 'd');
    feed_put(&f, 2, 40 * NS, CAPTURE_INBOUND, 'e');
    feed_written(&f);
    const char *path = folder_file(&f.folder, "x");
    struct inlet_source in[] = {{"spine1", path}, {"spine0", path}, {"host0.1", path}, {"host0.0", path}};
    assert_true(feed_open(&f, in, 4));
    assert_string_equal(feed_text(&f), "10:3a 10:3b 20:1c 30:0d 40:2e");
    assert_int_equal(inlet_late(f.inlet), 0);
    feed_end(&f, (const char *[]){"x"}, 1);
}

/* Time 0 is the earliest second of all files. */
static void inlet__one_clock_for_all_files(void **state) {
    (void)state;
    struct feed f = feed_new();
    const uint8_t a = 'a', b = 'b';
    FILE *x = pcap_begin(folder_file(&f.folder, "x")), *y = pcap_begin(folder_file(&f.folder, "y"));
    pcap_put(x, 1700000001, 2, &a, 1, 1);
    pcap_put(y, 1700000000, 3, &b, 1, 1);
    fclose(x);
    fclose(y);
    struct inlet_source in[] = {{"host0.0", folder_file(&f.folder, "x")}, {"host0.1", folder_file(&f.folder, "y")}};
    assert_true(feed_open(&f, in, 2));
    assert_string_equal(feed_text(&f), "3000:1b 1000002000:0a");
    feed_end(&f, (const char *[]){"x", "y"}, 2);
}

/* ---- refused ---- */

static void assert_refused_inlet(struct feed *f, const char *port, const char *text) {
    struct inlet_source in = {port, folder_file(&f->folder, "x")};
    assert_false(feed_open(f, &in, 1));
    assert_string_equal(f->d.text, text);
    feed_end(f, (const char *[]){"x"}, 1);
}

static void refuse__several_unnamed_interfaces(void **state) {
    (void)state;
    struct feed f = feed_new();
    feed_begin(&f, "x", (const char *[]){"eth0", "eth1"}, 2);
    feed_put(&f, 0, 0, CAPTURE_UNKNOWN, 'a');
    feed_put(&f, 1, 0, CAPTURE_UNKNOWN, 'b');
    feed_written(&f);
    assert_refused_inlet(&f, "spine0",
                         "frames of 2 interfaces, none of them named spine0; give a file with one interface");
}

static void refuse__all_without_names(void **state) {
    (void)state;
    struct feed f = feed_new();
    feed_begin(&f, "x", (const char *[]){"eth0"}, 1);
    feed_put(&f, 0, 0, CAPTURE_UNKNOWN, 'a');
    feed_written(&f);
    assert_refused_inlet(&f, "all",
                         "none of its interfaces is named as a port of leaf0 (host0.0, host0.1, spine0, spine1); write "
                         "--in PORT=FILE");
}

static void refuse__cut_file(void **state) {
    (void)state;
    struct feed f = feed_new();
    const uint8_t byte = 0;
    FILE *x = pcap_begin(folder_file(&f.folder, "x"));
    pcap_put(x, 0, 0, &byte, 1, 1);
    put_le32(x, 0);
    fclose(x);
    struct inlet_source in = {"spine0", folder_file(&f.folder, "x")};
    assert_false(feed_open(&f, &in, 1));
    assert_non_null(strstr(f.d.text, "malformed pcap"));
    feed_end(&f, (const char *[]){"x"}, 1);
}

static void refuse__years(void **state) {
    (void)state;
    struct feed f = feed_new();
    const uint8_t byte = 0;
    FILE *x = pcap_begin(folder_file(&f.folder, "x"));
    pcap_put(x, 0, 0, &byte, 1, 1);
    pcap_put(x, 1700000000, 0, &byte, 1, 1);
    fclose(x);
    assert_refused_inlet(&f, "spine0", "the captures span more than 100 days; replay a shorter part");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(inlet__all_ports_of_a_node_capture),
        UNIT(inlet__ties_follow_the_seed),
        UNIT(inlet__one_port_of_a_node_capture),
        UNIT(inlet__only_interface),
        UNIT(inlet__late_stamps_are_raised),
        UNIT(inlet__equal_stamps_are_not_late),
        UNIT(inlet__one_clock_for_all_files),
        UNIT(refuse__several_unnamed_interfaces),
        UNIT(refuse__all_without_names),
        UNIT(refuse__cut_file),
        UNIT(refuse__years),
    };
    return RUN_UNITS(tests);
}
