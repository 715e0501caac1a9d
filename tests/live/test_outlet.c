/* SPDX-License-Identifier: Apache-2.0 */
/* Captures that a live switch writes: of a node with an interface for each port, or of one port alone. */
#include "live/captures.h"
#include "live/outlet.h"

/* Puts a frame of one byte, its mark, through a port. */
static void put(struct outlet *o, time_ps at, uint16_t port, enum capture_direction direction, char mark) {
    const uint8_t byte = (uint8_t)mark;
    outlet_put(
        o,
        &(struct outlet_frame){
            .now = at, .at = at, .port = port, .direction = direction, .bytes = &byte, .captured = 1, .original = 60});
}

/* Returns time in ns, interface and mark of every frame, and its direction: "25:leaf1-spine0:a>". */
static const char *text_of(const char *path) {
    static char text[512];
    struct diag d = {0};
    struct capture_frame x;
    struct capture *c = capture_open(path, &d);
    if (!c) fail_msg("%s", d.text);
    text[0] = '\0';
    while (capture_next(c, &x, &d) == CAPTURE_FRAME) {
        size_t used = strlen(text);
        assert_int_equal(x.captured, 1);
        assert_int_equal(x.original, 60);
        snprintf(text + used, sizeof text - used, "%s%lld:%s:%c%s", used ? " " : "", (long long)(x.ps / PS_PER_NS),
                 x.if_name, x.bytes[0], x.direction == CAPTURE_OUTBOUND ? ">" : "<");
    }
    capture_close(c);
    return text;
}

/* Returns the number of interfaces of a capture: blocks of type 1 before the first packet. */
static int interfaces_of(const char *path) {
    FILE *in = fopen(path, "rb");
    uint32_t head[2];
    int n = 0;
    while (fread(head, 4, 2, in) == 2 && fseek(in, (long)head[1] - 8, SEEK_CUR) == 0) n += head[0] == 1;
    fclose(in);
    return n;
}

static const struct outlet_place place = {
    .dir = ".", .command = "heddle lab", .unit = PCAPNG_NANOSECOND, .remedy = "name another file"};

/* The capture of one port has the name of that port, of each node and port, and its frames are on interface 0. */
static void open_port__names_that_port(void **state) {
    (void)state;
    struct fabric *f = made(spec_leaf_spine(3, 2, 2));
    struct folder folder = folder_new();
    const char *path = folder_file(&folder, "one.pcapng");
    for (uint32_t n = f->n_hosts; n < f->n_nodes; n++) {
        for (uint16_t port = 0; port < f->paths.first_port[n + 1] - f->paths.first_port[n]; port++) {
            struct diag d = {0};
            char name[FABRIC_PORT_NAME_MAX], expected[3 * FABRIC_PORT_NAME_MAX];
            fabric_port_name(f, n, port, name, sizeof name);
            struct outlet *o = outlet_open_port(f, n, port, path, &place, &d);
            assert_non_null(o);
            put(o, 25 * PS_PER_NS, port, CAPTURE_OUTBOUND, 'a');
            put(o, 30 * PS_PER_NS, port, CAPTURE_INBOUND, 'b');
            assert_true(outlet_close(o, true, &d));
            snprintf(expected, sizeof expected, "25:%s:a> 30:%s:b<", name, name);
            assert_string_equal(text_of(path), expected);
            assert_int_equal(interfaces_of(path), 1);
            unlink(path);
        }
    }
    folder_end(&folder);
    fabric_destroy(f);
}

/* The capture of a node has an interface for each of its ports, and no other. Frames of later departure wait for earlier ones. */
static void open__has_an_interface_for_each_port(void **state) {
    (void)state;
    struct fabric *f = made(spec_leaf_spine(2, 2, 3));
    struct folder folder = folder_new();
    struct outlet_place of = place;
    struct diag d = {0};
    char dir[100];
    snprintf(dir, sizeof dir, "%s", folder_file(&folder, "captures"));
    of.dir = dir;
    char *path = outlet_path(f, node(f, "leaf1"), dir);
    struct outlet *o = outlet_open(f, node(f, "leaf1"), &of, &d);
    if (!o) fail_msg("%s", d.text);
    const uint8_t byte = 'x';
    struct outlet_frame late = {.now = 10 * PS_PER_NS,
                                .at = 50 * PS_PER_NS,
                                .port = 4,
                                .direction = CAPTURE_OUTBOUND,
                                .bytes = &byte,
                                .captured = 1,
                                .original = 60};
    outlet_put(o, &late);
    put(o, 20 * PS_PER_NS, 0, CAPTURE_INBOUND, 'a');
    put(o, 60 * PS_PER_NS, 3, CAPTURE_OUTBOUND, 'b');
    assert_true(outlet_close(o, true, &d));
    assert_string_equal(text_of(path), "20:host1.0:a< 50:spine1:x> 60:spine0:b>");
    assert_int_equal(interfaces_of(path), 5);
    /* One that heddle lab has not written stays. */
    FILE *out = fopen(path, "w");
    fputs("mine", out);
    fclose(out);
    assert_null(outlet_open(f, node(f, "leaf1"), &of, &d));
    assert_non_null(strstr(d.text, "name another file"));
    of.force = true;
    o = outlet_open(f, node(f, "leaf1"), &of, &d);
    assert_non_null(o);
    assert_true(outlet_close(o, true, &d));
    assert_int_equal(interfaces_of(path), 5);
    unlink(path);
    free(path);
    rmdir(dir);
    folder_end(&folder);
    fabric_destroy(f);
}

static void close__keeps_nothing_that_is_not_wanted(void **state) {
    (void)state;
    struct fabric *f = made(spec_star(2));
    struct folder folder = folder_new();
    struct diag d = {0};
    struct outlet *o = outlet_open_port(f, f->n_hosts, 1, folder_file(&folder, "none.pcapng"), &place, &d);
    assert_non_null(o);
    put(o, 1, 1, CAPTURE_INBOUND, 'a');
    assert_true(outlet_close(o, false, &d));
    folder_end(&folder); /* fails if it is not empty */
    fabric_destroy(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(open_port__names_that_port),
        UNIT(open__has_an_interface_for_each_port),
        UNIT(close__keeps_nothing_that_is_not_wanted),
    };
    return RUN_UNITS(tests);
}
