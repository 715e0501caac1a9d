/* SPDX-License-Identifier: Apache-2.0 */
#include "live/lab/lab_server.h"

#include "base/memory.h"
#include "live/lab/host_header.h"
#include "live/lab/lab_page.h"
#include "live/lab/lab_status.h"
#include "live/lab/viewers.h"

#include <errno.h>
#include <microhttpd.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define VIEWERS_MAX 64u
#define ENDING_MAX 64u /* further connections, which are being shut down */
#define REQUEST_MAX (15 * PS_PER_S)

struct lab_server {
    char state[LAB_PATH_MAX], name[LAB_NAME_MAX + 1], url[160];
    char told[80], machine[256]; /* the host of --serve, and of this machine */
    struct viewers *viewers;
    struct MHD_Daemon *daemon;
};

/* ---- address ---- */

struct where {
    char host[80], port[8];
    bool is_v6;
};

static bool place_read(const char *where, struct where *p, struct diag *d) {
    const char *colon = strrchr(where, ':'), *port = colon ? colon + 1 : where, *host = colon ? where : "127.0.0.1";
    size_t length = colon ? (size_t)(colon - where) : strlen(host), digits = strspn(port, "0123456789");
    p->is_v6 = length > 2 && host[0] == '[' && host[length - 1] == ']';
    if (p->is_v6) host++, length -= 2;
    bool good = length > 0 && length < sizeof p->host && (p->is_v6 || !memchr(host, ':', length)) && digits > 0 &&
                digits < 6 && !port[digits] && strtoul(port, NULL, 10) <= 65535;
    if (!good) return diag_say(d, "--serve %s: write ADDR:PORT, such as 127.0.0.1:8080, or PORT", where);
    snprintf(p->host, sizeof p->host, "%.*s", (int)length, host);
    snprintf(p->port, sizeof p->port, "%s", port);
    return true;
}

static bool bind_fail(const char *where, struct diag *d) {
    const char *remedy = errno == EADDRINUSE      ? "the address is in use; name another port"
                         : errno == EADDRNOTAVAIL ? "this machine has no such address"
                                                  : strerror(errno);
    return diag_say(d, "--serve %s: %s", where, remedy);
}

/* Opens a listening socket. Returns -1 after filling *d. */
static int listen_at(const char *where, const struct where *p, struct diag *d) {
    const struct addrinfo wanted = {
        .ai_family = p->is_v6 ? AF_INET6 : AF_INET, .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
    struct addrinfo *a = NULL;
    if (getaddrinfo(p->host, p->port, &wanted, &a) != 0) {
        diag_say(d, "--serve %s: there is no address %s; write ADDR:PORT, such as 127.0.0.1:8080", where, p->host);
        return -1;
    }
    int fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, 0);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
    bool good = fd >= 0 && bind(fd, a->ai_addr, a->ai_addrlen) == 0 && listen(fd, 64) == 0;
    if (!good) bind_fail(where, d);
    freeaddrinfo(a);
    if (good) return fd;
    if (fd >= 0) close(fd);
    return -1;
}

/* Fills the URL with the address that the socket was given, mainly its port. */
static void url_fill(struct lab_server *s, int fd, bool is_v6) {
    struct sockaddr_storage at;
    socklen_t size = sizeof at;
    char host[80] = "", port[8] = "";
    getsockname(fd, (struct sockaddr *)&at, &size);
    getnameinfo((struct sockaddr *)&at, size, host, sizeof host, port, sizeof port, NI_NUMERICHOST | NI_NUMERICSERV);
    snprintf(s->url, sizeof s->url, is_v6 ? "http://[%s]:%s/" : "http://%s:%s/", host, port);
}

/* ---- answers ---- */

#define HTTP_MISDIRECTED 421 /* RFC 9110, 15.5.20 */

/* Returns the present status of the lab as text, which the caller frees. */
static char *status_text(const struct lab_server *s) {
    struct diag d = {0};
    struct lab *lab = lab_find(s->state, s->name, &d), none = {0};
    json_t *o = lab ? lab_status_ask(lab, &d) : NULL;
    snprintf(none.name, sizeof none.name, "%s", s->name);
    if (!o) o = lab_status_silent(lab ? lab : &none, d.text);
    char *text = json_dumps(o, JSON_COMPACT | JSON_REAL_PRECISION(6));
    json_decref(o);
    lab_free(lab);
    return text ? text : strdup("{}");
}

static enum MHD_Result reply(struct MHD_Connection *c, unsigned status, const char *type, struct MHD_Response *r) {
    static const char policy[] =
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; img-src data:";
    MHD_add_response_header(r, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    MHD_add_response_header(r, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
    MHD_add_response_header(r, "Content-Security-Policy", policy);
    MHD_add_response_header(r, "X-Content-Type-Options", "nosniff");
    enum MHD_Result queued = MHD_queue_response(c, status, r);
    MHD_destroy_response(r);
    return queued;
}

static enum MHD_Result reply_text(struct MHD_Connection *c, unsigned status, const char *text) {
    return reply(c, status, "text/plain; charset=utf-8",
                 MHD_create_response_from_buffer(strlen(text), (void *)text, MHD_RESPMEM_PERSISTENT));
}

static enum MHD_Result answer(void *to, struct MHD_Connection *c, const char *path, const char *method,
                              const char *version, const char *upload, size_t *upload_bytes, void **state) {
    (void)version, (void)upload, (void)upload_bytes, (void)state;
    const struct lab_server *s = to;
    if (!host_is_served(MHD_lookup_connection_value(c, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST), s->told, s->machine))
        return reply_text(c, HTTP_MISDIRECTED, "this server is no such host; use the address that it was given\n");
    if (strcmp(method, MHD_HTTP_METHOD_GET) != 0 && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0)
        return reply_text(c, MHD_HTTP_METHOD_NOT_ALLOWED, "only GET\n");
    if (strcmp(path, "/") == 0)
        return reply(c, MHD_HTTP_OK, "text/html; charset=utf-8",
                     MHD_create_response_from_buffer(lab_page_bytes, (void *)lab_page, MHD_RESPMEM_PERSISTENT));
    if (strcmp(path, "/status.json") != 0) return reply_text(c, MHD_HTTP_NOT_FOUND, "there is / and /status.json\n");
    char *text = status_text(s);
    return reply(c, MHD_HTTP_OK, "application/json",
                 MHD_create_response_from_buffer(strlen(text), text, MHD_RESPMEM_MUST_FREE));
}

/* ---- connections ---- */

static void connection_changed(void *to, struct MHD_Connection *c, void **viewer,
                               enum MHD_ConnectionNotificationCode what) {
    const struct lab_server *s = to;
    if (what == MHD_CONNECTION_NOTIFY_STARTED)
        *viewer = viewers_add(s->viewers, MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd);
    else
        viewers_remove(s->viewers, *viewer);
}

static void request_ended(void *to, struct MHD_Connection *c, void **state, enum MHD_RequestTerminationCode how) {
    const struct lab_server *s = to;
    (void)state, (void)how;
    viewers_served(s->viewers, MHD_get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context);
}

/* ---- from start to stop ---- */

static struct MHD_Daemon *daemon_start(struct lab_server *s, int fd) {
    return MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION, 0, NULL, NULL, answer, s,
                            MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT, VIEWERS_MAX + ENDING_MAX,
                            MHD_OPTION_NOTIFY_CONNECTION, connection_changed, s, MHD_OPTION_NOTIFY_COMPLETED,
                            request_ended, s, MHD_OPTION_END);
}

struct lab_server *lab_server_start(const char *where, const char *state, const char *name, struct diag *d) {
    struct where p;
    int fd = place_read(where, &p, d) ? listen_at(where, &p, d) : -1;
    if (fd < 0) return NULL;
    struct lab_server *s = memory_one(sizeof *s);
    snprintf(s->state, sizeof s->state, "%s", state);
    snprintf(s->name, sizeof s->name, "%s", name);
    url_fill(s, fd, p.is_v6);
    snprintf(s->told, sizeof s->told, "%s", p.host);
    if (gethostname(s->machine, sizeof s->machine - 1) != 0) s->machine[0] = '\0';
    s->viewers = viewers_create(VIEWERS_MAX, REQUEST_MAX);
    s->daemon = s->viewers ? daemon_start(s, fd) : NULL;
    if (s->daemon) return s;
    diag_say(d, "--serve %s: no thread could be started for it", where);
    viewers_destroy(s->viewers);
    close(fd);
    free(s);
    return NULL;
}

const char *lab_server_url(const struct lab_server *s) { return s->url; }

void lab_server_stop(struct lab_server *s) {
    if (!s) return;
    MHD_stop_daemon(s->daemon);
    viewers_destroy(s->viewers);
    free(s);
}
