/* SPDX-License-Identifier: Apache-2.0 */
/* Labs of two hosts, made by lab_up with the program that the first argument names (the second one: which cases), and what there is then: interfaces, settings,
 * processes, and frames that cross the switch. tests/live/test_lab.py has labs under traffic. */
#include "live/lab/lab.h"

#include "fabric/fabric_test.h"
#include "live/control.h"
#include "live/lab/folder.h"
#include "live/lab/names.h"
#include "live/lab/run.h"
#include "live/lab/spaces.h"
#include "live/own_machine.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/heddle-up-XXXXXX";
static char states[LAB_PATH_MAX];  /* folder of labs; links to it stand elsewhere, so its path is whole */
static const char name[] = "demo"; /* of the lab */
static char *heddle;

static void need_labs(void) {
    static const char *const needed[] = {"ip", "sysctl", "ethtool", "tc", "getent"};
    need_own_machine();
    bool possible = true;
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) possible = possible && program_lookup(needed[i]) == 0;
    if (possible) return;
    print_message("needs ip, sysctl, ethtool, tc and getent\n");
    skip();
}

/* Writes the experiment of a star of two hosts. Returns its fabric. */
static struct fabric *star(const char *rate, int64_t bps) {
    struct fabric_spec spec = spec_star(2);
    FILE *out = fopen("star.yaml", "w");
    assert_non_null(out);
    fprintf(out, "fabric: {kind: star, hosts: 2, rate: %s, delay: 2us}\n", rate);
    fclose(out);
    spec.host_bps = bps;
    return made(spec);
}

static char *const switch_words[] = {NULL, "switch", "star.yaml", "--node", "all", NULL};
static char *const nic_words[] = {NULL, "nic", "star.yaml", NULL};

static struct lab_setup setup_of(const struct fabric *f, char **program) {
    memcpy(program, switch_words, sizeof switch_words);
    program[0] = heddle;
    return (struct lab_setup){.state = states,
                              .name = name,
                              .file = "star.yaml",
                              .fabric = f,
                              .threads = 1,
                              .program = program,
                              .tool = "auto"};
}

static void lab_is_gone(void) {
    static const char *const host[] = {"host0.0", "host0.1", SPACE_OF_SWITCHES};
    for (int i = 0; i < 3; i++) {
        char *space = space_name(name, host[i]);
        assert_false(space_is_taken(space));
        free(space);
    }
    char path[LAB_PATH_MAX + 40];
    snprintf(path, sizeof path, "%s/%s", states, name);
    assert_int_equal(access(path, F_OK), -1);
}

/* Returns what a program prints in a namespace, with blanks for line ends; the caller frees it. */
static char *said_in(const char *space, const char *command) {
    char *text = NULL;
    struct diag d = {0};
    if (!run_program((char *[]){"ip", "netns", "exec", (char *)space, "sh", "-c", (char *)command, NULL}, NULL, &text,
                     &d))
        fail_msg("%s: %s", command, d.text);
    for (char *c = text; *c; c++)
        if (*c == '\n' || *c == '\t') *c = ' ';
    return text;
}

static void has(const char *text, const char *part) {
    if (!strstr(text, part)) fail_msg("no '%s' in: %s", part, text);
}

/* Prints the device and how many of the offloads that a lab does without are on. */
#define OFFLOADS(device)                                                                                               \
    "echo ' " device "'; ethtool -k " device                                                                           \
    " | grep -cE '^(tx-checksumming|rx-checksumming|tcp-segmentation-offload|"                                         \
    "generic-segmentation-offload|generic-receive-offload): on' || :; "

/* Returns the process that serves a socket, and fills its command line, words apart by blanks. */
static pid_t process_of(const char *socket, char *line, size_t size) {
    char *text = NULL, command[300];
    struct diag d = {0};
    snprintf(command, sizeof command, "grep -lzx %s /proc/[0-9]*/cmdline || :", socket);
    assert_true(run_program((char *[]){"sh", "-c", command, NULL}, NULL, &text, &d));
    pid_t pid = (pid_t)strtol(text + strlen("/proc/"), NULL, 10);
    free(text);
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/cmdline", (int)pid);
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    size_t n = fread(line, 1, size - 1, in);
    fclose(in);
    line[n] = 0;
    for (size_t i = 0; i + 1 < n; i++)
        if (!line[i]) line[i] = ' ';
    return pid;
}

/* Returns a socket for datagrams in the namespace of a host. */
static int socket_in(const char *space, const char *address, uint16_t port) {
    char path[200];
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(port)};
    struct timeval patience = {.tv_sec = 5};
    inet_pton(AF_INET, address, &at.sin_addr);
    snprintf(path, sizeof path, SPACES "/%s", space);
    int own = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC), to = open(path, O_RDONLY | O_CLOEXEC);
    assert_int_equal(setns(to, CLONE_NEWNET), 0);
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(setns(own, CLONE_NEWNET), 0);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    close(own);
    close(to);
    return fd;
}

/* A datagram crosses the switch from the first host to the second. */
static void datagram_crosses(const struct lab *lab) {
    int from = socket_in(lab->host[0].space, "10.0.0.1", 1000), at = socket_in(lab->host[1].space, "10.0.0.2", 2000);
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(2000)};
    char text[8] = "";
    inet_pton(AF_INET, "10.0.0.2", &to.sin_addr);
    assert_int_equal(sendto(from, "hello", 5, 0, (struct sockaddr *)&to, sizeof to), 5);
    assert_int_equal(recv(at, text, sizeof text, 0), 5);
    close(from);
    close(at);
}

/* Runs lab_exec in a child. Returns its exit status; *said gets standard output, or what *d says. */
static int exec_of(const struct lab *lab, const char *host, char *const argv[], char said[600]) {
    int out[2], status;
    assert_int_equal(pipe(out), 0);
    pid_t child = fork();
    if (child == 0) {
        struct diag d = {0};
        dup2(out[1], 1);
        int code = lab_exec(lab, host, argv, &d);
        dprintf(out[1], "%s", d.text);
        _exit(code);
    }
    close(out[1]);
    size_t n = 0;
    for (ssize_t more; (more = read(out[0], said + n, 599 - n)) > 0;) n += (size_t)more;
    said[n] = 0;
    close(out[0]);
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Returns the namespace that has this name, as readlink prints it. */
static const char *namespace_of(const char *space) {
    static char text[60];
    char path[200];
    struct stat s;
    snprintf(path, sizeof path, SPACES "/%s", space);
    assert_int_equal(stat(path, &s), 0);
    snprintf(text, sizeof text, "net:[%lu]\n", (unsigned long)s.st_ino);
    return text;
}

static void programs_run_on_hosts(const struct lab *lab) {
    char said[600];
    char *const identify[] = {"readlink", "/proc/self/ns/net", NULL}, *const ending[] = {"sh", "-c", "exit 7", NULL};
    int code = exec_of(lab, "host0.1", identify, said);
    if (code) fail_msg("%s", said);
    assert_string_equal(said, namespace_of(lab->host[1].space));
    assert_int_equal(exec_of(lab, SPACE_OF_SWITCHES, identify, said), 0);
    assert_string_equal(said, namespace_of(lab->switches));
    assert_int_equal(exec_of(lab, "host0.0", ending, said), 7);
    assert_int_equal(exec_of(lab, "host0.0", (char *[]){"getent", "hosts", "host0.1", NULL}, said), 0);
    assert_int_equal(strncmp(said, "10.0.0.2 ", 9), 0);
    assert_int_equal(exec_of(lab, "host0.7", (char *[]){"true", NULL}, said), 2);
    char text[200];
    snprintf(text, sizeof text, "lab '%s' has no host 'host0.7'; the first is host0.0", lab->name);
    assert_string_equal(said, text);
    assert_int_equal(exec_of(lab, "host0.0", (char *[]){"no-such-program", NULL}, said), 127);
    assert_string_equal(said, "there is no program 'no-such-program' on the PATH");
    assert_int_equal(exec_of(lab, "host0.0", (char *[]){"./none", NULL}, said), 127);
    assert_string_equal(said, "there is no program './none'");
    assert_int_equal(exec_of(lab, "host0.0", (char *[]){"star.yaml/x", NULL}, said), 127);
    assert_int_equal(exec_of(lab, "host0.0", (char *[]){"./star.yaml", NULL}, said), 126);
    assert_string_equal(said, "./star.yaml: Permission denied");
}

/* Hosts with NICs: eth0 is a TAP device, and heddle nic carries frames between it and nic0. */
static void up__hosts_with_nics(void **state) {
    (void)state;
    need_labs();
    struct fabric *f = star("100Mbps", 100000000);
    struct diag d = {0};
    char *program[8], *nic[4], line[2000], expected[LAB_PATH_MAX + 400];
    struct lab_setup setup = setup_of(f, program);
    memcpy(nic, nic_words, sizeof nic_words);
    nic[0] = heddle;
    setup.nic = nic;
    setup.mtu = 1400;
    setup.route = "rto_min 10ms initcwnd 7 ";
    setup.sysctl = "net.ipv4.tcp_ecn = 1\n";
    setup.congestion = "reno";
    struct lab *lab = lab_up(&setup, &d), *found = lab ? lab_find(states, name, &d) : NULL;
    if (!lab || !found) fail_msg("%s", d.text);
    assert_string_equal(found->id, lab->id);
    assert_true(found->has_nics);
    const char *host = lab->host[0].space;
    uint8_t mac[6];
    fabric_port_mac(0, 0, mac);
    char *said =
        said_in(host, "sysctl -n net.ipv4.tcp_ecn net.ipv4.tcp_congestion_control net.ipv6.conf.all.disable_ipv6 "
                      "net.ipv6.conf.default.disable_ipv6; cd /sys/class/net/; cat eth0/address eth0/mtu "
                      "eth0/tx_queue_len nic0/mtu; ip -d link show; ip addr show dev eth0; ip route; " OFFLOADS("eth0")
                          OFFLOADS("nic0"));
    snprintf(expected, sizeof expected, "1 reno 1 1 %02x:%02x:%02x:%02x:%02x:%02x 1400 10000 1500 ", mac[0], mac[1],
             mac[2], mac[3], mac[4], mac[5]);
    assert_int_equal(strncmp(said, expected, strlen(expected)), 0);
    has(said, " lo: <LOOPBACK,UP,");
    has(said, " eth0: <BROADCAST,MULTICAST,UP,");
    has(said, " tun type tap ");
    has(said, "NOARP,UP,");
    has(said, "inet 10.0.0.1/32 ");
    has(said, "10.0.0.0/8 dev eth0 scope link");
    has(said, " initcwnd 7 ");
    has(said, " rto_min lock 10ms ");
    has(said, " eth0 0  nic0 0 ");
    free(said);
    said = said_in(lab->switches,
                   "sysctl -n net.ipv6.conf.all.disable_ipv6; cat /sys/class/net/h0/mtu /sys/class/net/h1/mtu; "
                   "ip link show h1; " OFFLOADS("h1"));
    assert_int_equal(strncmp(said, "1 1500 1500 ", 12), 0);
    has(said, ",UP,");
    has(said, " h1 0 ");
    free(said);
    pid_t pid = process_of(lab->socket, line, sizeof line);
    snprintf(expected, sizeof expected,
             "%s switch star.yaml --node all --port host0.0=h0 --port host0.1=h1 --paced --unwatched --socket "
             "%s/demo/switches.sock",
             heddle, states);
    assert_string_equal(line, expected);
    struct diag none = {0};
    bool in_time = run_program((char *[]){"chrt", "--rr", "1", "true", NULL}, NULL, NULL, &none);
    assert_int_equal(sched_getscheduler(pid), in_time ? SCHED_RR : SCHED_OTHER);
    char socket[LAB_PATH_MAX];
    pid = process_of(lab_nic_socket(lab, 1, socket), line, sizeof line);
    snprintf(expected, sizeof expected,
             "%s nic star.yaml --host host0.1 --tap eth0 --link nic0 --socket %s/demo/host0.1.sock", heddle, states);
    assert_string_equal(line, expected);
    assert_int_equal(sched_getscheduler(pid), in_time ? SCHED_RR : SCHED_OTHER);
    datagram_crosses(lab);
    programs_run_on_hosts(lab);
    /* The name is taken now. */
    assert_null(lab_up(&setup, &d));
    snprintf(expected, sizeof expected, "there is a lab '%s'; heddle lab down --name %s removes it", name, name);
    assert_string_equal(d.text, expected);
    assert_int_equal(lab_down(states, name, NULL), LAB_REMOVED);
    lab_is_gone();
    lab_free(found);
    lab_free(lab);
    fabric_destroy(f);
}

/* Where processors limit hosts rather than links, each thread of the switches has one to itself, and the others receive. */
static void up__hosts_without_a_rate(void **state) {
    (void)state;
    need_labs();
    struct fabric *f = star("10Gbps", 10000000000LL);
    struct diag d = {0};
    char *program[8], line[2000], expected[LAB_PATH_MAX + 400], cpu[40] = "";
    struct lab_setup setup = setup_of(f, program);
    struct lab *lab = lab_up(&setup, &d);
    if (!lab) fail_msg("%s", d.text);
    struct processors p;
    cpu_set_t allowed;
    assert_int_equal(sched_getaffinity(0, sizeof allowed, &allowed), 0);
    processors_divide(&allowed, 1, &p);
    if (p.n) snprintf(cpu, sizeof cpu, "--cpu %u ", p.of_thread[0]);
    pid_t pid = process_of(lab->socket, line, sizeof line);
    snprintf(expected, sizeof expected,
             "%s switch star.yaml --node all --port host0.0=h0 --port host0.1=h1 %s--unwatched --socket "
             "%s/demo/switches.sock",
             heddle, cpu, states);
    assert_string_equal(line, expected);
    assert_int_equal(sched_getscheduler(pid), SCHED_OTHER);
    char *said = said_in(lab->host[1].space,
                         "cat /sys/class/net/eth0/queues/rx-0/rps_cpus /sys/class/net/eth0/mtu; ip addr; ip route");
    snprintf(expected, sizeof expected, "%s 1500 ", p.receive);
    assert_int_equal(strncmp(said, expected, strlen(expected)), 0);
    has(said, "inet 10.0.0.2/32 ");
    has(said, "10.0.0.0/8 dev eth0 scope link");
    free(said);
    said = said_in(lab->switches, "cat /sys/class/net/h0/mtu");
    assert_string_equal(said, "1600 ");
    free(said);
    datagram_crosses(lab);
    assert_int_equal(lab_down(states, name, NULL), LAB_REMOVED);
    lab_is_gone();
    lab_free(lab);
    fabric_destroy(f);
}

/* ---- labs that are not made ---- */

static void refused(const struct lab_setup *setup, const char *text) {
    struct diag d = {0};
    struct lab *lab = lab_up(setup, &d);
    if (lab) fail_msg("it was made: %s", text);
    assert_string_equal(d.text, text);
}

/* The log says why the switches did not start; nothing of the lab is left then. */
static void refused__switches_that_do_not_start(void **state) {
    (void)state;
    need_labs();
    struct fabric *f = star("1Gbps", 1000000000);
    char *program[8], *failing[] = {"sh", "-c", "echo no such port >&2; echo more >&2; exit 2", NULL},
                      *silent[] = {"false", NULL};
    struct lab_setup setup = setup_of(f, program);
    setup.program = failing;
    refused(&setup, "the process of the switches did not start: no such port");
    lab_is_gone();
    setup.program = silent;
    setup.nic = silent;
    refused(&setup, "the NIC of host0.0 did not start: no message");
    lab_is_gone();
    fabric_destroy(f);
}

static bool goes_on_for(void *to) { return (*(int *)to)-- > 0; }

/* Whenever the user ends it, nothing of the lab is left. */
static void refused__interrupted(void **state) {
    (void)state;
    need_labs();
    struct fabric *f = star("1Gbps", 1000000000);
    char *program[8], text[200];
    struct lab_setup setup = setup_of(f, program);
    snprintf(text, sizeof text, "interrupted; what there was of lab '%s' is removed", name);
    static const int when[] = {0, 1};
    for (size_t i = 0; i < sizeof when / sizeof *when; i++) {
        int left = when[i];
        setup.goes_on = goes_on_for;
        setup.to = &left;
        refused(&setup, text);
        lab_is_gone();
    }
    fabric_destroy(f);
}

static void refused__names(void **state) {
    (void)state;
    need_labs();
    struct fabric *f = star("1Gbps", 1000000000);
    char *program[8], text[300], command[200], *space = space_name(name, "host0.1");
    struct lab_setup setup = setup_of(f, program);
    snprintf(command, sizeof command, "ip netns add %s", space);
    assert_int_equal(system(command), 0);
    snprintf(text, sizeof text,
             "there is a namespace %s already; heddle lab down --name %s removes it if a lab left it there, else ip "
             "netns del does",
             space, name);
    refused(&setup, text);
    assert_true(space_is_there(space)); /* it is somebody's */
    snprintf(command, sizeof command, "ip netns del %s", space);
    assert_int_equal(system(command), 0);
    lab_is_gone();
    setup.name = "a b";
    refused(&setup, "'a b' is no name for a lab: at most 32 letters, digits, - and _");
    const char *const image[] = {NULL, "localhost/image"};
    setup.name = name;
    setup.image = image;
    setup.tool = "lxc";
    refused(&setup, "hosts are containers (lab.hosts), and there is no lxc; install podman, or docker.io");
    lab_is_gone();
    free(space);
    fabric_destroy(f);
}

static void refused__without_root(void **state) {
    (void)state;
    struct diag d = {0};
    if (geteuid() == 0 && seteuid(65534) != 0) skip();
    bool possible = lab_possible(&d);
    assert_int_equal(seteuid(getuid()), 0);
    assert_false(possible);
    assert_string_equal(d.text, "a lab makes network namespaces: run it as root");
    if (geteuid() != 0) return;
    char *path = strdup(getenv("PATH"));
    setenv("PATH", "/nonexistent", 1);
    possible = lab_possible(&d);
    setenv("PATH", path, 1);
    free(path);
    assert_false(possible);
    assert_string_equal(d.text, "install iproute2");
}

/* Removes the lab of a case that failed. */
static int lab_end_of_case(void **state) {
    (void)state;
    if (has_own_machine) lab_down(states, name, NULL);
    return 0;
}

#define WITH_LAB(function) cmocka_unit_test_teardown(function, lab_end_of_case)

static int cases_of_nics(void) {
    const struct CMUnitTest tests[] = {WITH_LAB(up__hosts_with_nics)};
    return RUN_UNITS(tests);
}

static int cases_of_rates(void) {
    const struct CMUnitTest tests[] = {WITH_LAB(up__hosts_without_a_rate)};
    return RUN_UNITS(tests);
}

static int cases_refused(void) {
    const struct CMUnitTest tests[] = {
        WITH_LAB(refused__switches_that_do_not_start),
        WITH_LAB(refused__interrupted),
        WITH_LAB(refused__names),
        UNIT(refused__without_root),
    };
    return RUN_UNITS(tests);
}

int main(int argc, char **argv) {
    if (argc < 3 || !(heddle = realpath(argv[1], NULL)) || !mkdtemp(folder) || chdir(folder) != 0) return 1;
    snprintf(states, sizeof states, "%s/state", folder);
    const char *which = argv[2];
    int failed = on_own_machine(strcmp(which, "nics") == 0    ? cases_of_nics
                                : strcmp(which, "rates") == 0 ? cases_of_rates
                                                              : cases_refused);
    unlink("star.yaml");
    rmdir("state");
    free(heddle);
    return rmdir(folder) != 0 ? 1 : failed;
}
