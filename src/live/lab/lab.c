/* SPDX-License-Identifier: Apache-2.0 */
#include "live/lab/description.h"

#include "base/memory.h"
#include "live/control.h"
#include "live/lab/run.h"

#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define UNSHAPED_BPS 10000000000LL
#define SWITCH_MTU "1600"
#define TAP_FRAMES "10000" /* ring between a stack and its NIC, which must not fill up (live/gate.h) */
#define START_MAX_MS 20000 /* most time until the switches answer */
#define END_MAX_MS 3000    /* most time until processes end by themselves */

static void sleep_ms(long ms) { nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL); }

bool lab_possible(struct diag *d) {
    if (geteuid() != 0) return diag_fail(d, "", 0, 0, "a lab makes network namespaces: run it as root");
    return run_program((char *[]){"ip", "-V", NULL}, NULL, NULL, d) || diag_fail(d, "", 0, 0, "install iproute2");
}

/* ---- down ---- */

/* Sets *s, which identifies the namespace. Returns false if it is not there. */
static bool space_find(const char *space, struct stat *s) {
    char path[300];
    snprintf(path, sizeof path, "/run/netns/%s", space);
    return stat(path, s) == 0;
}

static bool process_is_in(pid_t pid, const struct stat *space) {
    char path[64];
    struct stat s;
    snprintf(path, sizeof path, "/proc/%d/ns/net", (int)pid);
    return stat(path, &s) == 0 && s.st_dev == space->st_dev && s.st_ino == space->st_ino;
}

/* Sends a signal to a process if it is in the namespace; returns whether it did. The pidfd is opened first: if the number
 * comes to name another process after that, the signal does not reach that one. */
static bool process_signal(pid_t pid, const struct stat *space, int number) {
    int process = pidfd_open(pid, 0);
    bool is_sent = process >= 0 && process_is_in(pid, space) && pidfd_send_signal(process, number, NULL, 0) == 0;
    if (process >= 0) close(process);
    return is_sent;
}

/* Sends a signal to every process in the namespace. Returns their number. */
static int space_signal(const char *space, int number) {
    char *pids = NULL, *end;
    int n = 0;
    struct diag d = {0};
    struct stat s;
    if (!space_find(space, &s)) return 0;
    if (!run_program((char *[]){"ip", "netns", "pids", (char *)space, NULL}, NULL, &pids, &d)) return 0;
    for (char *at = pids;; at = end) {
        long pid = strtol(at, &end, 10);
        if (end == at) break;
        if (pid > 1 && pid != getpid() && process_signal((pid_t)pid, &s, number)) n++;
    }
    free(pids);
    return n;
}

/* Ends all processes in the namespace, by SIGKILL if SIGTERM is not enough. */
static void space_empty(const char *space) {
    int left = space_signal(space, SIGTERM);
    for (long waited = 0; left && waited < END_MAX_MS; waited += 20) {
        sleep_ms(20);
        left = space_signal(space, 0);
    }
    if (left) space_signal(space, SIGKILL);
}

static bool space_remove(const char *space, struct diag *d) {
    struct stat s;
    if (!space_find(space, &s)) return true;
    space_empty(space);
    return run_program((char *[]){"ip", "netns", "del", (char *)space, NULL}, NULL, NULL, d) || !space_find(space, &s);
}

static void folder_remove(const struct lab *lab) {
    char *path = lab_description_path(lab), of_nic[LAB_PATH_MAX];
    for (uint32_t h = 0; lab->has_nics && h < lab->n_hosts; h++) {
        unlink(lab_nic_path(lab, h, "sock", of_nic));
        unlink(lab_nic_path(lab, h, "log", of_nic));
    }
    unlink(lab->socket);
    unlink(lab->log);
    unlink(path);
    rmdir(lab->folder);
    free(path);
}

bool lab_down(const char *state, const char *name, struct diag *d) {
    struct diag none = {0};
    bool good = lab_name_is_fit(name, d);
    if (!good) return false;
    struct lab *lab = lab_find(state, name, &none);
    if (!lab) return true;
    for (uint32_t h = 0; h < lab->n_hosts; h++) good &= space_remove(lab->host[h].space, d);
    good &= space_remove(lab->switches, d); /* last, so that programs of hosts end while their network exists */
    if (lab->dctcp[0]) good &= dctcp_unload(lab->dctcp, d); /* after the namespaces, whose sockets use it */
    if (good) folder_remove(lab);
    lab_free(lab);
    return good;
}

/* ---- up ---- */

static bool ip_batch(const char *space, const char *lines, struct diag *d) {
    char *argv[] = {"ip", "-n", (char *)space, "-batch", "-", NULL};
    char *here[] = {"ip", "-batch", "-", NULL};
    return run_program(space ? argv : here, lines, NULL, d);
}

/* Configures a namespace: disables IPv6 before interfaces exist, then applies the scheme's sysctl lines. */
static bool space_set(const char *space, const char *more, struct diag *d) {
    char *lines;
    if (asprintf(&lines, "net.ipv6.conf.all.disable_ipv6 = 1\nnet.ipv6.conf.default.disable_ipv6 = 1\n%s",
                 more ? more : "") < 0)
        abort();
    bool good =
        run_program((char *[]){"ip", "netns", "exec", (char *)space, "sysctl", "-q", "-p", "-", NULL}, lines, NULL, d);
    free(lines);
    return good;
}

/* The congestion control that sockets of hosts have by default; NULL: the kernel's choice. */
static const char *congestion_of(const struct lab *lab, const struct lab_setup *setup) {
    bool is_ours = setup->congestion && strcmp(setup->congestion, "dctcp") == 0 && lab->dctcp[0];
    return is_ours ? lab->dctcp : setup->congestion;
}

/* The lines of the experiment for a host, and its congestion control. One that is not for all is no default of a
 * namespace; link_inside names it for the route. */
static bool host_set(const struct lab *lab, const struct lab_setup *setup, const char *space, struct diag *d) {
    char *lines;
    const char *name = congestion_of(lab, setup);
    if (name && !congestion_is_for_all(name)) name = NULL;
    if (asprintf(&lines, "%s%s%s\n", setup->sysctl ? setup->sysctl : "",
                 name ? "net.ipv4.tcp_congestion_control = " : "", name ? name : "") < 0)
        abort();
    bool good = space_set(space, lines, d);
    free(lines);
    return good;
}

static bool offloads_off(const char *space, const char *interface, struct diag *d) {
    return run_program((char *[]){"ip", "netns", "exec", (char *)space, "ethtool", "-K", (char *)interface, "tx", "off",
                                  "rx", "off", "tso", "off", "gso", "off", "gro", "off", NULL},
                       NULL, NULL, d);
}

/* Returns whether processors limit a host's traffic rather than its link. `rate: none` is 100 Gbps inside. */
static bool is_unshaped(const struct fabric *f, uint32_t host) {
    return f->paths.port[f->paths.first_port[host]].rate_bps >= UNSHAPED_BPS;
}

/* Divides the processors if any host is limited by them. */
static void processors_of(struct processors *p, const struct lab_setup *setup) {
    cpu_set_t allowed;
    bool any = false;
    for (uint32_t h = 0; h < setup->fabric->n_hosts; h++) any = any || is_unshaped(setup->fabric, h);
    p->n = 0;
    if (any && sched_getaffinity(0, sizeof allowed, &allowed) == 0) processors_divide(&allowed, setup->threads, p);
}

/* Lets other processors receive for a host. Not for links with rates that software keeps: there times matter, and a change
 * of the processor would add to them. A kernel that refuses has a slower lab; that is no failure. */
static bool host_steers(const struct lab *lab, const char *space, struct diag *d) {
    return run_program((char *[]){"ip", "netns", "exec", (char *)space, "sh", "-c",
                                  "cat >/sys/class/net/eth0/queues/rx-0/rps_cpus || :", NULL},
                       lab->processors.receive, NULL, d);
}

/* Returns lines for ip that make a host's link to its switch, in the namespace of the switches and in the host's. With
 * a NIC the host's end is nic0, and eth0 is a TAP device that persists when the NIC ends. */
static char *link_outside(const struct lab *lab, uint32_t h) {
    char *lines;
    if (asprintf(&lines, "link add h%u mtu " SWITCH_MTU " type veth peer name %s netns %s\nlink set h%u up\n", h,
                 lab->has_nics ? "nic0" : "eth0", lab->host[h].space, h) < 0)
        abort();
    return lines;
}

static char *link_inside(const struct lab *lab, const struct lab_setup *setup, uint32_t h) {
    char *lines;
    const char *name = congestion_of(lab, setup);
    bool by_route = name && !congestion_is_for_all(name);
    uint8_t mac[6];
    fabric_port_mac(h, 0, mac);
    if (asprintf(&lines,
                 "%slink set lo up\nlink set eth0 address %02x:%02x:%02x:%02x:%02x:%02x mtu 1500\n"
                 "addr add %s/32 dev eth0\nlink set eth0 up\nroute add 10.0.0.0/8 dev eth0 %s %s%s\n",
                 lab->has_nics
                     ? "link set nic0 arp off up\ntuntap add dev eth0 mode tap\nlink set eth0 txqueuelen " TAP_FRAMES
                       "\n"
                     : "",
                 mac[0], mac[1], mac[2], mac[3], mac[4], mac[5], lab->host[h].address, setup->route ? setup->route : "",
                 by_route ? "congctl " : "", by_route ? name : "") < 0)
        abort();
    return lines;
}

static bool host_up(const struct lab *lab, const struct lab_setup *setup, uint32_t h, struct diag *d) {
    const struct lab_host *host = &lab->host[h];
    char end[16], *outside = link_outside(lab, h), *inside = link_inside(lab, setup, h);
    snprintf(end, sizeof end, "h%u", h);
    bool good = host_set(lab, setup, host->space, d) && ip_batch(lab->switches, outside, d) &&
                ip_batch(host->space, inside, d) && offloads_off(lab->switches, end, d) &&
                offloads_off(host->space, "eth0", d) && (!lab->has_nics || offloads_off(host->space, "nic0", d)) &&
                (!is_unshaped(setup->fabric, h) || host_steers(lab, host->space, d));
    free(inside);
    free(outside);
    return good;
}

static bool spaces_up(const struct lab *lab, struct diag *d) {
    char *lines = NULL;
    size_t size;
    FILE *out = open_memstream(&lines, &size);
    fprintf(out, "netns add %s\n", lab->switches);
    for (uint32_t h = 0; h < lab->n_hosts; h++) fprintf(out, "netns add %s\n", lab->host[h].space);
    fclose(out);
    bool good = ip_batch(NULL, lines, d) && space_set(lab->switches, NULL, d);
    free(lines);
    return good;
}

/* Begins a command line that runs in a namespace. Returns its number of words. */
static size_t put_in_space(const struct lab *lab, char **argv, const char *space) {
    const char *const words[] = {"chrt", "--rr", "1", "ip", "netns", "exec", space};
    size_t n = 0;
    for (size_t i = lab->is_in_time ? 0 : 3; i < 7; i++) argv[n++] = strdup(words[i]);
    return n;
}

/* Builds: ip netns exec SWITCHES heddle switch ... --port HOST=hN ... --socket PATH */
static char **switches_line(const struct lab *lab, const struct lab_setup *setup) {
    size_t n_program = 0, n = 0;
    while (setup->program[n_program]) n_program++;
    char **argv = memory_get(n_program + 2 * (lab->n_hosts + lab->processors.n) + 11, sizeof *argv);
    n = put_in_space(lab, argv, lab->switches);
    for (size_t i = 0; i < n_program; i++) argv[n++] = strdup(setup->program[i]);
    for (uint32_t h = 0; h < lab->n_hosts; h++) {
        argv[n++] = strdup("--port");
        if (asprintf(&argv[n++], "%s=h%u", lab->host[h].name, h) < 0) abort();
    }
    for (uint32_t i = 0; i < lab->processors.n; i++) {
        argv[n++] = strdup("--cpu");
        if (asprintf(&argv[n++], "%u", lab->processors.of_thread[i]) < 0) abort();
    }
    if (lab->has_nics) argv[n++] = strdup("--paced");
    argv[n++] = strdup("--socket");
    argv[n++] = strdup(lab->socket);
    return argv;
}

/* Builds: ip netns exec HOST heddle nic ... --host HOST --tap eth0 --link nic0 --socket PATH */
static char **nic_line(const struct lab *lab, const struct lab_setup *setup, uint32_t h) {
    char path[LAB_PATH_MAX];
    const char *const after[] = {"--host",   lab->host[h].name,           "--tap", "eth0", "--link", "nic0",
                                 "--socket", lab_nic_socket(lab, h, path)};
    size_t n_program = 0, n = 0;
    while (setup->nic[n_program]) n_program++;
    char **argv = memory_get(n_program + 16, sizeof *argv);
    n = put_in_space(lab, argv, lab->host[h].space);
    for (size_t i = 0; i < n_program; i++) argv[n++] = strdup(setup->nic[i]);
    for (size_t i = 0; i < 8; i++) argv[n++] = strdup(after[i]);
    return argv;
}

/* A process of the lab that is starting. */
struct starting {
    pid_t child;
    const char *who, *socket, *log;
};

static bool log_complains(const struct starting *s, struct diag *d) {
    char line[600] = "";
    FILE *log = fopen(s->log, "r");
    if (log && !fgets(line, sizeof line, log)) line[0] = 0;
    if (log) fclose(log);
    line[strcspn(line, "\n")] = 0;
    return diag_fail(d, "", 0, 0, "%.60s did not start: %.500s", s->who, line[0] ? line : "no message");
}

/* Waits until the process answers on its socket, or has ended. */
static bool start_wait(const struct starting *s, struct diag *d) {
    for (long waited = 0; waited < START_MAX_MS; waited += 20) {
        struct diag none = {0};
        char *reply = control_ask(s->socket, "status", &none);
        free(reply);
        if (reply) return true;
        if (waitpid(s->child, NULL, WNOHANG) == s->child) return log_complains(s, d);
        sleep_ms(20);
    }
    return log_complains(s, d);
}

static pid_t start(char **argv, const char *log, struct diag *d) {
    pid_t child = run_in_background(argv, log, d);
    for (char **a = argv; *a; a++) free(*a);
    free(argv);
    return child;
}

/* Starts the NICs before the switches, which ask hosts for their MACs as they start. */
static bool nics_start(const struct lab *lab, const struct lab_setup *setup, pid_t *child, struct diag *d) {
    char log[LAB_PATH_MAX];
    for (uint32_t h = 0; lab->has_nics && h < lab->n_hosts; h++) {
        child[h] = start(nic_line(lab, setup, h), lab_nic_path(lab, h, "log", log), d);
        if (child[h] < 0) return false;
    }
    return true;
}

static bool nics_wait(const struct lab *lab, const pid_t *child, struct diag *d) {
    char log[LAB_PATH_MAX], socket[LAB_PATH_MAX], who[100];
    for (uint32_t h = 0; lab->has_nics && h < lab->n_hosts; h++) {
        snprintf(who, sizeof who, "the NIC of %s", lab->host[h].name);
        if (!start_wait(
                &(struct starting){child[h], who, lab_nic_socket(lab, h, socket), lab_nic_path(lab, h, "log", log)}, d))
            return false;
    }
    return true;
}

static bool switches_up(const struct lab *lab, const struct lab_setup *setup, struct diag *d) {
    pid_t child = start(switches_line(lab, setup), lab->log, d);
    return child > 0 && start_wait(&(struct starting){child, "the process of the switches", lab->socket, lab->log}, d);
}

static bool processes_up(const struct lab *lab, const struct lab_setup *setup, struct diag *d) {
    pid_t *nic = memory_get(lab->n_hosts, sizeof *nic);
    bool good = nics_start(lab, setup, nic, d) && nics_wait(lab, nic, d) && switches_up(lab, setup, d);
    free(nic);
    return good;
}

static bool lab_make(const struct lab *lab, const struct lab_setup *setup, struct diag *d) {
    bool good = !lab->dctcp[0] || dctcp_load(lab->dctcp, lab->folder, setup->dctcp_g_ppb, d);
    good = good && spaces_up(lab, d);
    for (uint32_t h = 0; good && h < lab->n_hosts; h++) good = host_up(lab, setup, h, d);
    return good && processes_up(lab, setup, d);
}

/* Makes the folder, which reserves the lab's name. */
static bool folder_make(const struct lab *lab, const char *state, struct diag *d) {
    if (mkdir(state, 0755) != 0 && errno != EEXIST) return diag_fail(d, state, 0, 0, "%s", strerror(errno));
    if (mkdir(lab->folder, 0755) == 0) return true;
    if (errno == EEXIST)
        return diag_fail(d, "", 0, 0, "there is a lab '%s'; heddle lab down --name %s removes it", lab->name,
                         lab->name);
    return diag_fail(d, lab->folder, 0, 0, "%s", strerror(errno));
}

struct lab *lab_up(const struct lab_setup *setup, struct diag *d) {
    struct lab *lab = memory_get(1, sizeof *lab);
    struct diag none = {0};
    if (!lab_possible(d) || !lab_place(lab, setup->state, setup->name, d) || !folder_make(lab, setup->state, d)) {
        lab_free(lab);
        return NULL;
    }
    lab_describe(lab, setup);
    processors_of(&lab->processors, setup);
    if (lab_write(lab, d) && lab_make(lab, setup, d)) return lab;
    lab_down(setup->state, setup->name, &none);
    lab_free(lab);
    return NULL;
}

/* ---- programs ---- */

void lab_exec(const struct lab *lab, const char *host, char *const argv[], struct diag *d) {
    const char *space = strcmp(host, "switches") == 0 ? lab->switches : NULL;
    for (uint32_t h = 0; h < lab->n_hosts; h++)
        if (strcmp(lab->host[h].name, host) == 0) space = lab->host[h].space;
    if (!space) {
        diag_fail(d, "", 0, 0, "lab '%s' has no host '%s'; the first is %s", lab->name, host, lab->host[0].name);
        return;
    }
    size_t n = 0, k = 0;
    while (argv[n]) n++;
    const char **line = memory_get(n + 5, sizeof *line);
    const char *const before[] = {"ip", "netns", "exec", space};
    for (; k < 4; k++) line[k] = before[k];
    for (size_t i = 0; i < n; i++) line[k++] = argv[i];
    execvp("ip", (char *const *)line);
    diag_fail(d, "", 0, 0, "ip: %s", strerror(errno));
    free(line);
}
