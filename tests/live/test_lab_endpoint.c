/* SPDX-License-Identifier: Apache-2.0 */
/* The flows of a lab over real sockets, with all hosts in one namespace: 10.0.0.0/8 is local there. */
#include "live/lab/endpoint.h"

#include "fabric/fabric_test.h"

#include <alloca.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define HOSTS 8
#define FLOWS 64

static char space[32];

static int space_make(void **state) {
    char line[256];
    (void)state;
    pid_t child = fork();
    int status = 1;
    if (child == 0) _exit(geteuid() == 0 && unshare(CLONE_NEWNET) == 0 ? 0 : 1);
    waitpid(child, &status, 0);
    if (status != 0) return 0;
    snprintf(space, sizeof space, "heddle-ep%d", (int)getpid());
    snprintf(line, sizeof line, "ip netns add %s && ip -n %s link set lo up && ip -n %s addr add 10.0.0.0/8 dev lo",
             space, space, space);
    return system(line);
}

static int space_remove(void **state) {
    char line[64];
    (void)state;
    if (!space[0]) return 0;
    snprintf(line, sizeof line, "ip netns del %s", space);
    return system(line);
}

/* Leaves a stack in which an event that the kernel did not write names no connection. */
static void __attribute__((noinline)) stack_spoil(void) {
    volatile char *room = alloca(1 << 16);
    for (int i = 0; i < 1 << 16; i++) room[i] = (char)0xf5; /* bits 0 and 1: side 1 */
}

/* Runs n flows of these bytes, all at once, from each host to the next ones. Asserts that each has arrived whole. */
static void flows_arrive(uint32_t n, uint64_t bytes) {
    struct fabric *f = made(spec_star(HOSTS));
    struct flow flow[FLOWS];
    struct flow_tally tally[FLOWS] = {0};
    const char *spaces[HOSTS], *const congestion[] = {"reno"};
    for (uint32_t h = 0; h < HOSTS; h++) spaces[h] = space;
    for (uint32_t i = 0; i < n; i++)
        flow[i] = (struct flow){.bytes = bytes,
                                .stop = TIME_NONE,
                                .src = i % HOSTS,
                                .dst = (i + 1 + i / HOSTS % (HOSTS - 1)) % HOSTS,
                                .index = i,
                                .src_port = (uint16_t)(20000 + i),
                                .dst_port = (uint16_t)(30000 + i)};
    const struct flow_list list = {.flow = flow, .n = n};
    const struct endpoint_config c = {.fabric = f,
                                      .flows = &list,
                                      .space = spaces,
                                      .congestion = congestion,
                                      .until = TIME_NONE,
                                      .silence = 5 * PS_PER_S};
    struct diag d = {0};
    time_ps end = 0;
    alarm(60);
    stack_spoil();
    enum endpoint_outcome outcome = endpoint_run(&c, tally, &end, &d);
    alarm(0);
    if (outcome != ENDPOINT_DONE) fail_msg("%u flows: %s", n, d.text);
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(tally[i].received_bytes, bytes);
        assert_in_range(tally[i].finished_at, 1, end);
    }
    fabric_destroy(f);
}

static void run__one_flow_of_a_byte(void **state) {
    (void)state;
    if (!space[0]) skip();
    flows_arrive(1, 1);
}

static void run__many_flows_at_once(void **state) {
    (void)state;
    if (!space[0]) skip();
    flows_arrive(FLOWS, 200000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(run__one_flow_of_a_byte),
        UNIT(run__many_flows_at_once),
    };
    return cmocka_run_group_tests(tests, space_make, space_remove);
}
