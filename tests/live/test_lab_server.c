/* SPDX-License-Identifier: Apache-2.0 */
/* The server of a lab's page, asked by sockets on the loopback as browsers ask it. tests/live/test_lab_page.py has the page itself. */
#include "live/lab/lab_server.h"

#include "unit.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

static struct lab_server *started(const char *where) {
    struct diag d = {0};
    struct lab_server *s = lab_server_start(where, "/nonexistent", "demo", &d);
    if (!s) fail_msg("%s", d.text);
    return s;
}

static uint16_t port_of(const struct lab_server *s) {
    return (uint16_t)strtoul(strrchr(lab_server_url(s), ':') + 1, NULL, 10);
}

/* Returns a connection to the port of 127.0.0.1; -1 if nobody listens there. */
static int connected(uint16_t port) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct timeval patience = {.tv_sec = 5};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (connect(fd, (struct sockaddr *)&to, sizeof to) == 0) return fd;
    close(fd);
    return -1;
}

/* Sends a request for this host. Returns the whole answer, until the server ends the connection. */
static const char *answer_of(const struct lab_server *s, const char *request, const char *host) {
    static char text[1 << 18];
    char ask[300];
    int fd = connected(port_of(s));
    assert_true(fd >= 0);
    int n = snprintf(ask, sizeof ask, "%s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", request, host);
    assert_int_equal(write(fd, ask, (size_t)n), n);
    size_t got = 0;
    for (ssize_t more; (more = read(fd, text + got, sizeof text - 1 - got)) > 0;) got += (size_t)more;
    close(fd);
    text[got] = 0;
    return text;
}

static void has(const char *text, const char *part) {
    if (!strstr(text, part)) fail_msg("no '%s' in: %.500s", part, text);
}

static void begins(const char *text, const char *part) {
    if (strncmp(text, part, strlen(part)) != 0) fail_msg("not '%s': %.500s", part, text);
}

/* The page may fetch from this server alone, and no cache keeps an old state of the lab. */
static void get__the_page(void **state) {
    (void)state;
    struct lab_server *s = started("0");
    const char *text = answer_of(s, "GET /", "localhost");
    begins(text, "HTTP/1.1 200 OK\r\n");
    has(text, "Content-Type: text/html; charset=utf-8\r\n");
    has(text, "Cache-Control: no-store\r\n");
    has(text, "Content-Security-Policy: default-src 'none'; ");
    has(text, "X-Content-Type-Options: nosniff\r\n");
    has(text, "</html>");
    text = answer_of(s, "HEAD /", "localhost");
    begins(text, "HTTP/1.1 200 OK\r\n");
    assert_null(strstr(text, "</html>"));
    lab_server_stop(s);
}

/* There is no lab of that name: the page shows why. */
static void get__the_status_of_a_lab_that_is_gone(void **state) {
    (void)state;
    struct lab_server *s = started("127.0.0.1:0");
    const char *text = answer_of(s, "GET /status.json", "127.0.0.1");
    begins(text, "HTTP/1.1 200 OK\r\n");
    has(text, "Content-Type: application/json\r\n");
    has(text, "\"name\":\"demo\"");
    has(text, "there is no lab 'demo'");
    lab_server_stop(s);
}

static void refused__other_paths_methods_and_hosts(void **state) {
    (void)state;
    struct lab_server *s = started("0");
    const char *text = answer_of(s, "GET /lab", "localhost");
    begins(text, "HTTP/1.1 404 ");
    has(text, "Content-Type: text/plain; charset=utf-8\r\n");
    has(text, "\r\n\r\nthere is / and /status.json\n");
    text = answer_of(s, "POST /", "localhost");
    begins(text, "HTTP/1.1 405 ");
    has(text, "\r\n\r\nonly GET\n");
    begins(answer_of(s, "DELETE /status.json", "localhost"), "HTTP/1.1 405 ");
    text = answer_of(s, "GET /status.json", "evil.example");
    begins(text, "HTTP/1.1 421 ");
    has(text, "\r\n\r\nthis server is no such host; use the address that it was given\n");
    lab_server_stop(s);
}

/* A server on every address has the name of the machine; one on the loopback has not. */
static void host__of_this_machine(void **state) {
    (void)state;
    char machine[256] = "";
    assert_int_equal(gethostname(machine, sizeof machine - 1), 0);
    struct lab_server *s = started("0.0.0.0:0");
    begins(answer_of(s, "GET /status.json", machine), "HTTP/1.1 200 ");
    begins(answer_of(s, "GET /status.json", "evil.example"), "HTTP/1.1 421 ");
    lab_server_stop(s);
    s = started("0");
    begins(answer_of(s, "GET /status.json", machine), "HTTP/1.1 421 ");
    lab_server_stop(s);
}

/* Sixty-four connections may wait. One more takes the place of the one that has waited longest. */
static void connections__the_oldest_makes_room(void **state) {
    (void)state;
    enum { MOST = 64 };
    const struct timeval moment = {.tv_usec = 1000};
    struct lab_server *s = started("0");
    int fd[MOST];
    char byte;
    for (int i = 0; i < MOST; i++) fd[i] = connected(port_of(s));
    begins(answer_of(s, "GET /lab", "localhost"), "HTTP/1.1 404 ");
    assert_int_equal(read(fd[0], &byte, 1), 0);
    for (int i = 1; i < MOST; i++) {
        setsockopt(fd[i], SOL_SOCKET, SO_RCVTIMEO, &moment, sizeof moment);
        assert_int_equal(read(fd[i], &byte, 1), -1);
    }
    for (int i = 0; i < MOST; i++) close(fd[i]);
    for (int i = 0; i < 2 * MOST; i++)
        begins(answer_of(s, "GET /lab", "localhost"), "HTTP/1.1 404 "); /* served ones leave */
    lab_server_stop(s);
}

/* ---- the address ---- */

static void url__of_the_address(void **state) {
    (void)state;
    struct lab_server *s = started("0");
    begins(lab_server_url(s), "http://127.0.0.1:");
    assert_true(port_of(s) > 0);
    assert_string_equal(strrchr(lab_server_url(s), ':') + strspn(strrchr(lab_server_url(s), ':'), ":0123456789"), "/");
    uint16_t port = port_of(s);
    lab_server_stop(s);
    assert_int_equal(connected(port), -1);
    char where[40];
    snprintf(where, sizeof where, "127.0.0.1:%u", port);
    s = started(where); /* the port is free again at once */
    assert_int_equal(port_of(s), port);
    lab_server_stop(s);
    lab_server_stop(NULL);
}

static void url__of_version_6(void **state) {
    (void)state;
    struct diag d = {0};
    int fd = socket(AF_INET6, SOCK_STREAM, 0);
    struct sockaddr_in6 at = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    bool has_v6 = fd >= 0 && bind(fd, (struct sockaddr *)&at, sizeof at) == 0;
    if (fd >= 0) close(fd);
    if (!has_v6) skip();
    struct lab_server *s = lab_server_start("[::1]:0", "/nonexistent", "demo", &d);
    if (!s) fail_msg("%s", d.text);
    begins(lab_server_url(s), "http://[::1]:");
    lab_server_stop(s);
}

static void refused_at(const char *where, const char *text) {
    struct diag d = {0};
    struct lab_server *s = lab_server_start(where, "/nonexistent", "demo", &d);
    lab_server_stop(s);
    if (s) fail_msg("%s", where);
    assert_string_equal(d.text, text);
}

static void refused__what_is_no_address(void **state) {
    (void)state;
    static const char *const none[] = {
        "",
        ":",
        ":80",
        "here",
        "127.0.0.1:",
        "127.0.0.1:80x",
        "127.0.0.1:65536",
        "::1:80",

        "127.0.0.1:000080",
        "[::1:80",
        "::1]:80",
        "0123456789012345678901234567890123456789012345678901234567890123456789012345678."
        ":80"};
    char text[300];
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        snprintf(text, sizeof text, "--serve %s: write ADDR:PORT, such as 127.0.0.1:8080, or PORT", none[i]);
        refused_at(none[i], text);
    }
    refused_at("no host:80",
               "--serve no host:80: there is no address no host; write ADDR:PORT, such as 127.0.0.1:8080");
    refused_at("[127.0.0.1]:80",
               "--serve [127.0.0.1]:80: there is no address 127.0.0.1; write ADDR:PORT, such as 127.0.0.1:8080");
    refused_at("192.0.2.1:80", "--serve 192.0.2.1:80: this machine has no such address");
}

static void refused__a_port_in_use(void **state) {
    (void)state;
    struct lab_server *s = started("0");
    char where[40], text[100];
    snprintf(where, sizeof where, "%u", port_of(s));
    snprintf(text, sizeof text, "--serve %s: the address is in use; name another port", where);
    refused_at(where, text);
    begins(answer_of(s, "GET /lab", "localhost"), "HTTP/1.1 404 ");
    lab_server_stop(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(get__the_page),
        UNIT(get__the_status_of_a_lab_that_is_gone),
        UNIT(refused__other_paths_methods_and_hosts),
        UNIT(host__of_this_machine),
        UNIT(connections__the_oldest_makes_room),
        UNIT(url__of_the_address),
        UNIT(url__of_version_6),
        UNIT(refused__what_is_no_address),
        UNIT(refused__a_port_in_use),
    };
    return RUN_UNITS(tests);
}
