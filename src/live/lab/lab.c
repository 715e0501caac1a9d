/* SPDX-License-Identifier: Apache-2.0 */
#include "live/lab/description.h"

#include "base/input_file.h"
#include "base/memory.h"
#include "base/text.h"
#include "live/control.h"
#include "live/lab/containers.h"
#include "live/lab/folder.h"
#include "live/lab/names.h"
#include "live/lab/removal.h"
#include "live/lab/run.h"
#include "live/lab/spaces.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define UNSHAPED_BPS 10000000000LL
#define HOST_MTU 1500u
#define TAGS_MTU 100u      /* more at the switch's end: it may have to send the tags of its fabric to a host */
#define TAP_FRAMES "10000" /* ring between a stack and its NIC, which must not fill up (live/gate.h) */
#define START_MAX_MS 20000 /* most time until the switches answer */

static void sleep_ms(long ms) { nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL); }

bool lab_possible(struct diag *d) {
    if (geteuid() != 0) return diag_say(d, "a lab makes network namespaces: run it as root");
    return run_program((char *[]){"ip", "-V", NULL}, NULL, NULL, d) || diag_say(d, "install iproute2");
}

/* ---- up ---- */

static bool ip_batch(const char *space, const char *lines, struct diag *d) {
    char *argv[] = {"ip", "-n", (char *)space, "-batch", "-", NULL};
    char *here[] = {"ip", "-batch", "-", NULL};
    return run_program(space ? argv : here, lines, NULL, d);
}

/* Configures a namespace: disables IPv6 before interfaces exist, then applies the scheme's sysctl lines. */
static bool space_set(const char *space, const char *more, struct diag *d) {
    char *lines =
        text_format("net.ipv6.conf.all.disable_ipv6 = 1\nnet.ipv6.conf.default.disable_ipv6 = 1\n%s", more ? more : "");
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
    const char *name = congestion_of(lab, setup);
    if (name && !congestion_is_for_all(name)) name = NULL;
    char *lines = text_format("%s%s%s\n", setup->sysctl ? setup->sysctl : "",
                              name ? "net.ipv4.tcp_congestion_control = " : "", name ? name : "");
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

static uint32_t mtu_of(const struct lab_setup *setup) { return setup->mtu ? setup->mtu : HOST_MTU; }

/* ip joins a line that ends in a backslash with the next one, so no name that may end so ends a line.
 * Returns lines for ip that make a host's link to its switch, in the namespace of the switches and in the host's. With
 * a NIC the host's end is nic0, and eth0 is a TAP device that persists when the NIC ends. */
static char *link_outside(const struct lab *lab, const struct lab_setup *setup, uint32_t h) {
    return text_format("link add h%u mtu %u type veth peer netns %s name %s mtu %u\nlink set h%u up\n", h,
                       mtu_of(setup) + TAGS_MTU, lab->host[h].space, lab->has_nics ? "nic0" : "eth0",
                       mtu_of(setup) + TAGS_MTU, h);
}

static char *link_inside(const struct lab *lab, const struct lab_setup *setup, uint32_t h) {
    const char *name = congestion_of(lab, setup);
    bool by_route = name && !congestion_is_for_all(name);
    uint8_t mac[6];
    fabric_port_mac(h, 0, mac);
    return text_format(
        "%slink set lo up\nlink set eth0 address %02x:%02x:%02x:%02x:%02x:%02x mtu %u\n"
        "addr add %s/32 dev eth0\nlink set eth0 up\nroute add 10.0.0.0/8 dev eth0 %s %s%s\n",
        lab->has_nics ? "link set nic0 arp off up\ntuntap add dev eth0 mode tap\nlink set eth0 txqueuelen " TAP_FRAMES
                        "\n"
                      : "",
        mac[0], mac[1], mac[2], mac[3], mac[4], mac[5], mtu_of(setup), lab->host[h].address,
        setup->route ? setup->route : "", by_route ? "congctl " : "", by_route ? name : "");
}

static bool host_up(const struct lab *lab, const struct lab_setup *setup, uint32_t h, struct diag *d) {
    const struct lab_host *host = &lab->host[h];
    char end[16], *outside = link_outside(lab, setup, h), *inside = link_inside(lab, setup, h);
    snprintf(end, sizeof end, "h%u", h);
    bool good = host_set(lab, setup, host->space, d) && ip_batch(lab->switches, outside, d) &&
                ip_batch(host->space, inside, d) && offloads_off(lab->switches, end, d) &&
                offloads_off(host->space, "eth0", d) && (!lab->has_nics || offloads_off(host->space, "nic0", d)) &&
                (!is_unshaped(setup->fabric, h) || host_steers(lab, host->space, d));
    free(inside);
    free(outside);
    return good;
}

static bool goes_on(const struct lab_setup *setup) { return !setup->goes_on || setup->goes_on(setup->to); }

/* Returns the names of all namespaces, which belong to the lab; the caller frees the array. */
static const char **space_names(const struct lab *lab) {
    const char **name = memory_get(lab->n_hosts + 1, sizeof *name);
    name[0] = lab->switches;
    for (uint32_t h = 0; h < lab->n_hosts; h++) name[h + 1] = lab->host[h].space;
    return name;
}

/* Starts the container of a host, whose namespace becomes the host's. */
static bool container_up(const struct lab *lab, uint32_t host, const char *mark, struct diag *d) {
    pid_t pid = container_start(lab, host, d);
    return pid > 0 && space_adopt(lab->host[host].space, pid, mark, d);
}

static bool spaces_up(const struct lab *lab, const struct lab_setup *setup, struct diag *d) {
    const char **name = memory_get(lab->n_hosts + 1, sizeof *name);
    char mark[LAB_MARK_MAX];
    size_t n = 0;
    name[n++] = lab->switches;
    for (uint32_t h = 0; h < lab->n_hosts; h++)
        if (!lab->host[h].image) name[n++] = lab->host[h].space;
    bool good = spaces_make(name, n, lab_mark_write(mark, lab->name, lab->id), d) && space_set(lab->switches, NULL, d);
    for (uint32_t h = 0; good && h < lab->n_hosts; h++)
        if (lab->host[h].image) good = goes_on(setup) && container_up(lab, h, mark, d);
    free(name);
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
    char **argv = memory_get(n_program + 2 * (lab->n_hosts + lab->processors.n) + 12, sizeof *argv);
    n = put_in_space(lab, argv, lab->switches);
    for (size_t i = 0; i < n_program; i++) argv[n++] = strdup(setup->program[i]);
    for (uint32_t h = 0; h < lab->n_hosts; h++) {
        argv[n++] = strdup("--port");
        argv[n++] = text_format("%s=h%u", lab->host[h].name, h);
    }
    for (uint32_t i = 0; i < lab->processors.n; i++) {
        argv[n++] = strdup("--cpu");
        argv[n++] = text_format("%u", lab->processors.of_thread[i]);
    }
    if (lab->has_nics) argv[n++] = strdup("--paced");
    argv[n++] = strdup("--unwatched"); /* as in the simulation of the same experiment */
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
    const struct lab_setup *setup;
    pid_t child;
    const char *who, *socket, *log;
};

static bool log_complains(const struct starting *s, struct diag *d) {
    char line[600] = "";
    FILE *log = input_open(s->log, NULL);
    if (log && !fgets(line, sizeof line, log)) line[0] = 0;
    if (log) fclose(log);
    line[strcspn(line, "\n")] = 0;
    return diag_say(d, "%.60s did not start: %.500s", s->who, line[0] ? line : "no message");
}

/* Waits until the process answers on its socket, or has ended. */
static bool start_wait(const struct starting *s, struct diag *d) {
    for (long waited = 0; waited < START_MAX_MS && goes_on(s->setup); waited += 20) {
        struct diag none = {0};
        char *reply = control_ask(s->socket, "status", &none);
        free(reply);
        if (reply) return true;
        if (waitpid(s->child, NULL, WNOHANG) == s->child) return log_complains(s, d);
        sleep_ms(20);
    }
    return log_complains(s, d);
}

static pid_t start(const struct lab *lab, char **argv, const char *log, struct diag *d) {
    char mark[LAB_MARK_MAX];
    pid_t child = run_in_background(argv, log, LAB_MARK_ENVIRONMENT, lab_mark_write(mark, lab->name, lab->id), d);
    for (char **a = argv; *a; a++) free(*a);
    free(argv);
    return child;
}

/* Starts the NICs before the switches, which ask hosts for their MACs as they start. */
static bool nics_start(const struct lab *lab, const struct lab_setup *setup, pid_t *child, struct diag *d) {
    char log[LAB_PATH_MAX];
    for (uint32_t h = 0; lab->has_nics && h < lab->n_hosts; h++) {
        child[h] = start(lab, nic_line(lab, setup, h), lab_nic_path(lab, h, "log", log), d);
        if (child[h] < 0) return false;
    }
    return true;
}

static bool nics_wait(const struct lab *lab, const struct lab_setup *setup, const pid_t *child, struct diag *d) {
    char log[LAB_PATH_MAX], socket[LAB_PATH_MAX], who[100];
    for (uint32_t h = 0; lab->has_nics && h < lab->n_hosts; h++) {
        snprintf(who, sizeof who, "the NIC of %s", lab->host[h].name);
        if (!start_wait(&(struct starting){setup, child[h], who, lab_nic_socket(lab, h, socket),
                                           lab_nic_path(lab, h, "log", log)},
                        d))
            return false;
    }
    return true;
}

static bool switches_up(const struct lab *lab, const struct lab_setup *setup, struct diag *d) {
    pid_t child = start(lab, switches_line(lab, setup), lab->log, d);
    return child > 0 &&
           start_wait(&(struct starting){setup, child, "the process of the switches", lab->socket, lab->log}, d);
}

static bool processes_up(const struct lab *lab, const struct lab_setup *setup, struct diag *d) {
    pid_t *nic = memory_get(lab->n_hosts, sizeof *nic);
    bool good = nics_start(lab, setup, nic, d) && nics_wait(lab, setup, nic, d) && switches_up(lab, setup, d);
    free(nic);
    return good;
}

static bool lab_make(const struct lab *lab, const struct lab_setup *setup, struct diag *d) {
    bool good =
        spaces_up(lab, setup, d) && (!lab->dctcp[0] || dctcp_load(lab->dctcp, lab->folder, setup->dctcp_g_ppb, d));
    for (uint32_t h = 0; good && h < lab->n_hosts; h++) good = goes_on(setup) && host_up(lab, setup, h, d);
    return good && processes_up(lab, setup, d) && goes_on(setup);
}

/* Returns whether the names that the lab takes are free. Returns false after filling *d. */
static bool names_are_free(const struct lab *lab, struct diag *d) {
    bool good = true;
    const char **name = space_names(lab);
    for (uint32_t h = 0; h < lab->n_hosts; h++)
        if (strcmp(lab->host[h].name, SPACE_OF_SWITCHES) == 0)
            good = diag_say(d, "in a lab, '" SPACE_OF_SWITCHES "' names the switches; rename the host of that name");
    for (uint32_t h = 0; good && h <= lab->n_hosts; h++)
        if (space_is_taken(name[h]))
            good = diag_say(
                d,
                "there is a namespace %s already; heddle lab down --name %s removes it if a lab left it there, "
                "else ip netns del does",
                name[h], lab->name);
    free(name);
    if (good && lab->dctcp[0] && congestion_is_registered(lab->dctcp))
        good = diag_say(d, "the kernel has a congestion control %s already; heddle lab down --name %s removes it",
                        lab->dctcp, lab->name);
    return good;
}

/* Returns whether no lab has the name. Returns false after filling *d. */
static bool name_is_free(const struct lab *lab, struct diag *d) {
    return !folder_has_record(lab) ||
           diag_say(d, "there is a lab '%s'; heddle lab down --name %s removes it", lab->name, lab->name);
}

/* Sets the tool of containers if any host is one. Returns false after filling *d: there is none. */
static bool tool_take(struct lab *lab, const struct lab_setup *setup, struct diag *d) {
    bool any = false;
    for (uint32_t h = 0; setup->image && h < setup->fabric->n_hosts; h++) any = any || setup->image[h];
    const char *tool = any ? containers_tool(setup->tool, d) : "";
    if (tool) snprintf(lab->tool, sizeof lab->tool, "%s", tool);
    return tool != NULL;
}

/* Makes the lab in its locked folder. Removes what it made if that fails. */
static bool lab_up_locked(struct lab *lab, const struct lab_setup *setup, struct diag *d) {
    if (!name_is_free(lab, d)) return false;
    if (!tool_take(lab, setup, d)) return false;
    lab_describe(lab, setup);
    processors_of(&lab->processors, setup);
    if (!containers_are_fit(lab, d) || !names_are_free(lab, d) || !lab_write(lab, d)) return false;
    names_make(lab, &lab->unnamed);
    if (lab_make(lab, setup, d)) return true;
    if (!goes_on(setup)) diag_say(d, "interrupted; what there was of lab '%s' is removed", lab->name);
    if (lab_remove(lab, lab->id, NULL, NULL)) return false;
    struct diag why = *d;
    return diag_fail(d, why.file, why.line, why.col, "%.300s; heddle lab down --name %s removes what is left", why.text,
                     lab->name);
}

struct lab *lab_up(const struct lab_setup *setup, struct diag *d) {
    struct lab *lab = memory_one(sizeof *lab);
    int lock = lab_possible(d) && lab_place(lab, setup->state, setup->name, d) ? folder_lock(lab, setup->state, d) : -1;
    bool good = lock >= 0 && lab_up_locked(lab, setup, d);
    folder_unlock(lab, lock);
    if (good) return lab;
    lab_free(lab);
    return NULL;
}

/* ---- programs ---- */

/* Returns the exit status of a shell after filling *d: the program is missing, or cannot be executed. */
static int program_refuse(const char *name, int code, struct diag *d) {
    bool is_missing = code == ENOENT || code == ENOTDIR;
    if (is_missing)
        diag_say(d, "there is no program '%.200s'%s", name, strchr(name, '/') ? "" : " on the PATH");
    else
        diag_say(d, "%.200s: %s", name, strerror(code));
    return is_missing ? 127 : 126;
}

/* Returns the command line, ending in NULL, that runs argv in a namespace; the caller frees the array alone. */
static const char **space_line(const char *space, char *const argv[]) {
    size_t n = 0, k = 0;
    while (argv[n]) n++;
    const char **line = memory_get(n + 5, sizeof *line);
    const char *const before[] = {"ip", "netns", "exec", space};
    for (; k < 4; k++) line[k] = before[k];
    for (size_t i = 0; i < n; i++) line[k++] = argv[i];
    return line;
}

int lab_exec(const struct lab *lab, const char *host, char *const argv[], struct diag *d) {
    const char *space = strcmp(host, SPACE_OF_SWITCHES) == 0 ? lab->switches : NULL;
    uint32_t inside = lab->n_hosts; /* the host, if it is a container */
    for (uint32_t h = 0; h < lab->n_hosts; h++)
        if (strcmp(lab->host[h].name, host) == 0) {
            space = lab->host[h].space;
            if (lab->host[h].image) inside = h;
        }
    if (!space) {
        diag_say(d, "lab '%s' has no host '%.100s'; the first is %s", lab->name, host, lab->host[0].name);
        return 2;
    }
    bool is_container = inside < lab->n_hosts;
    int code =
        is_container ? 0 : program_lookup(argv[0]); /* the tool looks inside the container, and says what it misses */
    if (code != 0) return program_refuse(argv[0], code, d);
    const char **line = is_container ? container_line(lab, inside, argv) : space_line(space, argv);
    execvp(line[0], (char *const *)line);
    diag_say(d, "%s: %s", line[0], strerror(errno));
    free(line);
    return 2;
}
