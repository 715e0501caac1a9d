/* SPDX-License-Identifier: Apache-2.0 */
#include "live/lab/mark.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#define HEAD "heddle lab "
#define LOOPBACK 1                 /* the index of lo in every namespace */
#define ANSWER_BYTES 32768         /* most bytes of an answer about one interface */
#define ENVIRONMENT_MAX (1u << 20) /* most bytes of an environment that are read */

void lab_id_draw(char id[LAB_ID_BYTES]) {
    uint64_t number = 0;
    while (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number) continue;
    snprintf(id, LAB_ID_BYTES, "%016llx", (unsigned long long)number);
}

const char *lab_mark_write(char mark[LAB_MARK_MAX], const char *name, const char *id) {
    snprintf(mark, LAB_MARK_MAX, HEAD "%s %s", name, id);
    return mark;
}

bool lab_mark_is(const char *mark, const char *name, const char *id) {
    size_t n = strlen(name);
    if (strncmp(mark, HEAD, strlen(HEAD)) != 0) return false;
    mark += strlen(HEAD);
    if (strncmp(mark, name, n) != 0 || mark[n] != ' ') return false;
    return !id || strcmp(mark + n + 1, id) == 0;
}

/* ---- the alias of lo ---- */

/* A request about lo, with room for its alias. */
struct request {
    struct nlmsghdr head;
    struct ifinfomsg link;
    char attribute[RTA_SPACE(LAB_MARK_MAX)];
};

/* Sends a request and returns the bytes of the answer, at most ANSWER_BYTES; -1 with errno set. */
static ssize_t ask_kernel(struct request *r, void *answer) {
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    ssize_t n = -1;
    if (fd >= 0 && send(fd, r, r->head.nlmsg_len, 0) == (ssize_t)r->head.nlmsg_len) do
            n = recv(fd, answer, ANSWER_BYTES, 0);
        while (n < 0 && errno == EINTR);
    if (fd >= 0) close(fd);
    return n;
}

static struct request request_about_lo(uint16_t type, uint16_t flags) {
    return (struct request){.head = {.nlmsg_len = NLMSG_LENGTH(sizeof(struct ifinfomsg)),
                                     .nlmsg_type = type,
                                     .nlmsg_flags = (uint16_t)(NLM_F_REQUEST | flags)},
                            .link = {.ifi_index = LOOPBACK}};
}

bool lab_mark_set_here(const char *mark, struct diag *d) {
    _Alignas(struct nlmsghdr) char answer[ANSWER_BYTES];
    struct request r = request_about_lo(RTM_NEWLINK, NLM_F_ACK);
    struct rtattr *alias = (struct rtattr *)r.attribute;
    *alias = (struct rtattr){.rta_len = (uint16_t)RTA_LENGTH(strlen(mark)), .rta_type = IFLA_IFALIAS};
    memcpy(RTA_DATA(alias), mark, strlen(mark));
    r.head.nlmsg_len += RTA_ALIGN(alias->rta_len);
    ssize_t n = ask_kernel(&r, answer);
    const struct nlmsghdr *head = (const struct nlmsghdr *)answer;
    int code = n < 0 ? errno : EPROTO;
    if (n >= (ssize_t)NLMSG_LENGTH(sizeof(struct nlmsgerr)) && head->nlmsg_type == NLMSG_ERROR)
        code = -((const struct nlmsgerr *)NLMSG_DATA(head))->error; /* 0: done */
    return code == 0 || diag_say(d, "a namespace cannot be marked: %s", strerror(code));
}

/* Copies the mark of the calling thread's namespace. */
static void mark_get_here(char mark[LAB_MARK_MAX]) {
    _Alignas(struct nlmsghdr) char answer[ANSWER_BYTES];
    struct request r = request_about_lo(RTM_GETLINK, 0);
    ssize_t n = ask_kernel(&r, answer);
    const struct nlmsghdr *head = (const struct nlmsghdr *)answer;
    if (n < 0 || !NLMSG_OK(head, (size_t)n) || head->nlmsg_type != RTM_NEWLINK) return;
    size_t left = IFLA_PAYLOAD(head);
    for (const struct rtattr *a = IFLA_RTA(NLMSG_DATA(head)); RTA_OK(a, left); a = RTA_NEXT(a, left))
        if (a->rta_type == IFLA_IFALIAS)
            snprintf(mark, LAB_MARK_MAX, "%.*s", (int)RTA_PAYLOAD(a), (const char *)RTA_DATA(a));
}

struct questions {
    struct lab_mark_question *at;
    size_t n;
};

static void *answer_all(void *arg) {
    const struct questions *q = arg;
    for (size_t i = 0; i < q->n; i++) {
        q->at[i].mark[0] = 0;
        int fd = open(q->at[i].path, O_RDONLY | O_CLOEXEC);
        if (fd >= 0 && setns(fd, CLONE_NEWNET) == 0) mark_get_here(q->at[i].mark);
        if (fd >= 0) close(fd);
    }
    return NULL;
}

bool lab_marks_read(struct lab_mark_question *q, size_t n, struct diag *d) {
    struct questions all = {q, n};
    pthread_t thread;
    if (n == 0) return true;
    if (pthread_create(&thread, NULL, answer_all, &all) != 0) return diag_say(d, "no thread could be started");
    pthread_join(thread, NULL);
    return true;
}

/* ---- environments ---- */

void lab_mark_of_process(pid_t pid, char mark[LAB_MARK_MAX]) {
    static const char key[] = LAB_MARK_ENVIRONMENT "=";
    char path[64], *text = NULL;
    size_t n = 0;
    mark[0] = 0;
    snprintf(path, sizeof path, "/proc/%d/environ", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return;
    for (ssize_t got = 1; got > 0 && n<ENVIRONMENT_MAX; n += got> 0 ? (size_t)got : 0) {
        text = memory_grow(text, n + 8193, 1);
        got = read(fd, text + n, 8192);
    }
    close(fd);
    text[n] = 0;
    for (const char *word = text; word < text + n; word += strlen(word) + 1)
        if (strncmp(word, key, strlen(key)) == 0) snprintf(mark, LAB_MARK_MAX, "%s", word + strlen(key));
    free(text);
}
