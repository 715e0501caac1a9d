/* SPDX-License-Identifier: Apache-2.0 */
/* heddle lab: a fabric of real switches and hosts on this machine (live/lab/lab.h). */
#include "live/lab/lab_status.h"

#include "base/memory.h"
#include "cmd/commands.h"
#include "cmd/ending.h"
#include "cmd/lab_print.h"
#include "cmd/lab_program.h"
#include "cmd/lab_serve.h"
#include "cmd/network_request.h"
#include "cmd/sockets.h"
#include "live/control.h"
#include "live/lab/soundness.h"

#include <errno.h>
#include <jansson.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct request {
    struct experiment_request experiment;
    struct word_list words;
    const char *name, *host, *action, *link, *node, *out, *record, *detect, *nic, *serve;
    uint32_t run, threads, seconds;
    bool json;
};

static const char *lab_name(const struct request *q) { return q->name ? q->name : LAB_DEFAULT; }

/* Returns the requested lab; NULL after printing that there is none. */
static struct lab *lab_of(const struct request *q) {
    char state[LAB_PATH_MAX];
    struct diag d = {0};
    struct lab *lab = labs_folder(state, &d) ? lab_find(state, lab_name(q), &d) : NULL;
    if (!lab) exit_diag(&d);
    return lab;
}

/* Prints a warning, if there is one. */
static void print_warning(const struct diag *d) {
    char line[1024];
    if (d->text[0]) fprintf(stderr, "%s\n", diag_warning(d, line, sizeof line));
}

/* ---- up ---- */

static bool up_goes_on(void *to) {
    (void)to;
    return !ending_is_asked();
}

/* Makes the lab, whose containers the block names. Returns NULL after filling *d. */
static struct lab *up_with(const struct request *q, const struct assembly *a, const struct lab_block *block,
                           struct diag *d) {
    const struct lab_program program = {.experiment = &q->experiment,
                                        .run = q->run,
                                        .threads = q->threads,
                                        .record = q->record,
                                        .detect = q->detect,
                                        .nic = q->nic,
                                        .block = block,
                                        .goes_on = up_goes_on};
    ending_await();
    return lab_program_up(&program, &a->world, lab_name(q), d);
}

/* Tells of the lab that was made, and of what is not as the user may expect. */
static void print_made(const struct request *q, const struct assembly *a, const struct lab *lab) {
    network_warn_of_failures(&q->experiment, a, "heddle lab link down LINK cuts one");
    network_warn_of_rates(&q->experiment, a);
    if (fabric_roles(a->fabric)) fprintf(stderr, "%s\n", fabric_roles(a->fabric));
    print_warning(&lab->unnamed);
    lab_print(lab);
}

/* Makes the lab while its page is served, if that is asked for. The page is begun first: where it cannot be, no lab is made. */
static int up_in(void *request, const struct experiment *e, const struct assembly *a) {
    const struct request *q = request;
    struct lab_page page;
    struct lab_block block;
    struct diag d = {0};
    if (network_refuse_links(a)) return 2;
    if (!lab_page_begin(&page, q->serve, lab_name(q))) return 2;
    struct lab *lab = lab_block_read(e, a->fabric, &block, &d) ? up_with(q, a, &block, &d) : NULL;
    free(block.image);
    int code = lab ? 0 : ending_is_asked() ? (exit_diag(&d), 3) : exit_diag(&d);
    if (lab) {
        print_made(q, a, lab);
        fputs(page.line, stdout);
        fflush(stdout);
        lab_page_await(&page);
    }
    lab_free(lab);
    lab_page_end(&page);
    return code;
}

static int lab_up_run(void *request) {
    struct request *q = request;
    struct diag d = {0};
    if (!lab_possible(&d)) return exit_diag(&d);
    return network_request(&q->experiment, q->run, up_in, q);
}

/* ---- down, exec ---- */

static int lab_down_run(void *request) {
    const struct request *q = request;
    char state[LAB_PATH_MAX];
    struct diag d = {0};
    if (!lab_possible(&d) || !labs_folder(state, &d)) return exit_diag(&d);
    enum lab_end end = lab_down(state, lab_name(q), &lab_tell_user);
    if (end == LAB_STAYS) return 2;
    if (end == LAB_REMOVED)
        printf("lab %s: removed\n", lab_name(q));
    else if (q->name) /* a name that is mistyped would leave the lab that is meant */
        return lab_fail_missing(state, q->name, &d) ? 0 : exit_diag(&d);
    return 0;
}

/* Prints a folder of labs without a whole record too: only its owner can know what there is of that lab. */
static void print_listed(void *to, const char *name) {
    const char *state = to;
    struct diag d = {0};
    struct lab *lab = lab_find(state, name, &d);
    if (lab) {
        printf("%-16s %3u hosts %3u switches  %s\n", lab->name, lab->n_hosts, lab->n_switches, lab->file);
        if (!lab_is_sound(lab, &d)) printf("%-16s not sound: %s\n", "", d.text);
    } else if (d.file[0])
        printf("%-16s its record is lost; heddle lab down --name %s removes what is left of it\n", name, name);
    lab_free(lab);
}

static int lab_list_run(void *request) {
    (void)request;
    char state[LAB_PATH_MAX];
    struct diag d = {0};
    if (!labs_folder(state, &d)) return exit_diag(&d);
    labs_each(state, print_listed, state);
    return 0;
}

static int lab_exec_run(void *request) {
    struct request *q = request;
    struct diag d = {0};
    if (!lab_possible(&d)) return exit_diag(&d);
    struct lab *lab = lab_of(q);
    if (!lab) return 2;
    char **argv = memory_get(q->words.n + 1, sizeof *argv);
    for (size_t i = 0; i < q->words.n; i++) argv[i] = (char *)q->words.item[i];
    int code = lab_exec(lab, q->host, argv, &d); /* returns only on failure */
    free(argv);
    lab_free(lab);
    exit_diag(&d);
    return code;
}

/* ---- status ---- */

static int lab_status_run(void *request) {
    const struct request *q = request;
    struct diag d = {0};
    if (q->serve && q->json) return exit_usage("--serve has the JSON at /status.json; leave --json out");
    struct lab *lab = lab_of(q);
    if (!lab) return 2;
    if (q->serve) {
        lab_free(lab);
        return lab_serve(q->serve, lab_name(q));
    }
    json_t *o = lab_status_ask(lab, &d);
    if (o && !lab_is_sound(lab, &d)) print_warning(&d);
    if (o && q->json) {
        json_dumpf(o, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
        printf("\n");
    } else if (o) {
        lab_print(lab);
        lab_print_nodes(lab);
        lab_print_links(json_object_get(o, "links"));
        lab_print_strays(json_object_get(o, "switches"));
    }
    lab_free(lab);
    if (!o) return exit_diag(&d);
    json_decref(o);
    return 0;
}

/* Sends a request to the switches of the lab. Returns the exit status. */
static int switches_ask(const struct lab *lab, const char *request) {
    struct diag d = {0};
    char *reply = lab_ask(lab, request, &d);
    bool good = reply != NULL;
    free(reply);
    return good ? 0 : exit_diag(&d);
}

/* A link or a switch goes down or comes up. Prints what was done. */
static int lab_act(const struct request *q, const char *kind, const char *what) {
    char *ask;
    struct lab *lab = lab_of(q);
    if (!lab) return 2;
    if (asprintf(&ask, "%s %s %s", kind, q->action, what) < 0) abort();
    int code = switches_ask(lab, ask);
    if (!code) printf("lab %s: %s %s is %s\n", lab->name, kind, what, q->action);
    free(ask);
    lab_free(lab);
    return code;
}

static int lab_link_run(void *request) {
    const struct request *q = request;
    return lab_act(q, "link", q->link);
}

static int lab_switch_run(void *request) {
    const struct request *q = request;
    return lab_act(q, "switch", q->node);
}

static void print_impaired(const struct lab *lab, const struct request *q) {
    printf("lab %s: link %s:", lab->name, q->link);
    for (size_t i = 0; i < q->words.n; i++) printf(" %s", q->words.item[i]);
    printf("\n");
}

static int lab_impair_run(void *request) {
    const struct request *q = request;
    char ask[800];
    struct lab *lab = lab_of(q);
    if (!lab) return 2;
    int n = snprintf(ask, sizeof ask, "impair %s", q->link);
    for (size_t i = 0; i < q->words.n && n < (int)sizeof ask; i++)
        n += snprintf(ask + n, sizeof ask - (size_t)n, " %s", q->words.item[i]);
    int code = n < (int)sizeof ask ? switches_ask(lab, ask) : exit_usage("too many words");
    if (!code) print_impaired(lab, q);
    lab_free(lab);
    return code;
}

/* ---- capture ---- */

/* Waits until the time is over, the user ends it, or the switches end the capture. */
static void wait_seconds(uint32_t seconds, int held) {
    struct pollfd p = {.fd = held, .events = POLLIN};
    ending_await();
    for (uint64_t tenth = 0; !ending_is_asked() && (seconds == 0 || tenth < 10 * (uint64_t)seconds); tenth++)
        if (poll(&p, 1, 100) > 0) return;
}

/* Returns the absolute path: the switches write the file and may run in another folder. NULL: this folder is gone. */
static char *absolute(const char *path) {
    char *here = path[0] == '/' ? strdup("") : getcwd(NULL, 0), *whole = NULL;
    if (here && asprintf(&whole, "%s%s%s", here, path[0] == '/' ? "" : "/", path) < 0) abort();
    free(here);
    return whole;
}

/* Captures while this process lives: the switches end a capture whose client is gone. */
static bool capture(const struct lab *lab, const struct request *q, const char *path, struct diag *d) {
    char *word = control_word(path), *ask;
    if (asprintf(&ask, "capture %s %s", q->link, word) < 0) abort();
    int held = lab_has_switches(lab, d) ? control_begin(lab->socket, ask, d) : -1;
    free(word);
    free(ask);
    if (held < 0) return false;
    wait_seconds(q->seconds, held);
    return control_end(held, d);
}

static int lab_capture_run(void *request) {
    const struct request *q = request;
    struct diag d = {0};
    char *path = absolute(q->out);
    if (!path) return exit_usage("%s: the current folder is gone; give the whole path", q->out);
    struct lab *lab = lab_of(q);
    int code = lab ? 0 : 2;
    if (lab && !capture(lab, q, path, &d)) code = exit_diag(&d);
    if (!code) printf("written: %s\n", path);
    lab_free(lab);
    free(path);
    return code;
}

/* ---- the table ---- */

#define T struct request
#define DOWN_OR_UP(T)                                                                                                  \
    {                                                                                                                  \
        .value = {.name = "down|up",                                                                                   \
                  .kind = VALUE_CHOICE,                                                                                \
                  .field = FIELD(T, action),                                                                           \
                  .choices = "down|up",                                                                                \
                  .required = true},                                                                                   \
        .doc = "what becomes of it"                                                                                    \
    }
#define LAB_NAME_OF(kind) WORD(T, name, "name", 0, "LAB", kind, "the lab; \"" LAB_DEFAULT "\" if it is not given")
#define LAB_NAME LAB_NAME_OF(VALUE_LAB)

const struct command command_lab_up = {
    .name = "lab-up",
    .purpose = "build a fabric of live switches and hosts on this machine",
    .about =
        "Makes a network namespace for each host of the experiment's fabric and joins them by heddle switch. Links "
        "keep the rate and delay that the file gives them. Needs root, iproute2, ethtool and sysctl. What it makes "
        "is removed by heddle lab down, also after something was killed. A lab up that fails, or is interrupted, "
        "removes "
        "what it made.",
    .arguments = (const struct argument[]){EXPERIMENT_ARGUMENT(T), {0}},
    .options =
        (const struct option_row[]){
            EXPERIMENT_OPTIONS(T),
            LAB_NAME_OF(VALUE_TEXT),
            NUMBER(T, run, "run", 0, "N", 1, MAX_RUNS, 1, "the run of the file whose configuration is taken"),
            NUMBER(T, threads, "threads", 'j', "N", 1, 256, 1, "threads that share the switches"),
            WORD(T, detect, "detect", 0, "TIME", VALUE_TEXT,
                 "how much later ports and routes know that a link failed or came back; 0us if it is not given"),
            WORD(T, record, "record", 0, "DIR", VALUE_FOLDER, "as heddle switch --record"),
            LAB_SERVE(T, serve,
                      "serves the live page of lab status --serve there, until it is interrupted; the lab stays"),
            {.name = "nic",
             .value = {.name = "auto|on|off", .kind = VALUE_CHOICE, .field = FIELD(T, nic), .choices = "auto|on|off"},
             .doc = "a process of heddle nic for each host, which obeys pause frames; auto, which it is if it is not "
                    "given: where switches have flow control"},
            {0}},
    .exits = (const struct exit_row[]){{0, "done"},
                                       {2, "usage or configuration error, or the lab cannot be made"},
                                       {3, "interrupted, or standard output could not be written"},
                                       {0, NULL}},
    .examples =
        (const struct example_row[]){{"lab up first.yaml", "builds the fabric of first.yaml"},
                                     {"lab up first.yaml --serve 8080", "and shows it at http://127.0.0.1:8080/"},
                                     {0}},
    .see = "lab-exec lab-status lab-link lab-down switch nic",
    .request_size = sizeof(T),
    .run = lab_up_run,
};

const struct command command_lab_down = {
    .name = "lab-down",
    .purpose = "remove a lab and end what runs in it",
    .about =
        "Ends every process in the lab's namespaces, then removes the namespaces. It does the same after something "
        "of the lab was killed, or its record in /run/heddle/labs was lost: namespaces and processes bear the lab's "
        "mark. "
        "Without --name it does nothing, and ends with 0, if there is no lab \"" LAB_DEFAULT
        "\"; a name of which there is "
        "nothing is an error, since it may be mistyped. What is not the lab's stays, with a warning.",
    .options = (const struct option_row[]){LAB_NAME, {0}},
    .exits =
        (const struct exit_row[]){
            {0, "done: nothing of the lab is left"},
            {2, "usage error, there is no lab of the given name, or a part of the lab stays: a line on "
                "standard error for each"},
            {0, NULL}},
    .examples = (const struct example_row[]){{"lab down", "removes the lab \"lab\""}, {0}},
    .see = "lab-up",
    .request_size = sizeof(T),
    .run = lab_down_run,
};

const struct command command_lab_list = {
    .name = "lab-list",
    .purpose = "list the labs of this machine",
    .about = "Prints a line for each lab: its name, its numbers of hosts and switches, and its experiment file. A "
             "second line "
             "names what is missing of a lab that is not sound, such as a process that was killed, and the remedy.",
    .exits = EXITS_PLAIN,
    .examples = (const struct example_row[]){{"lab list", "a line for each lab"}, {0}},
    .see = "lab-up",
    .request_size = sizeof(T),
    .run = lab_list_run,
};

const struct command command_lab_exec = {
    .name = "lab-exec",
    .rest = true,
    .purpose = "run a program on a host of a lab",
    .about = "Runs the program in the network namespace of the host, where the names of the lab's hosts and switches "
             "resolve. "
             "HOST may also be switches: the namespace of the switches.",
    .arguments = (const struct argument[]){ARGUMENT(T, host, "HOST", VALUE_LAB_HOST, "the host, such as host0.1.2"),
                                           ARGUMENT(T, words, "CMD", VALUE_TEXT, "the program and its arguments"),
                                           {0}},
    .options = (const struct option_row[]){LAB_NAME, {0}},
    .exits = (const struct exit_row[]){{0, "done; or any other status that the program ended with"},
                                       {2, "usage error, or there is no such lab or host"},
                                       {126, "the program cannot be executed"},
                                       {127, "there is no such program"},
                                       {0, NULL}},
    .examples = (const struct example_row[]){{"lab exec host0.0 ping -c 3 host1.1", "pings host1.1 from host0.0"}, {0}},
    .see = "lab-up",
    .request_size = sizeof(T),
    .run = lab_exec_run,
};

const struct command command_lab_status = {
    .name = "lab-status",
    .purpose = "show hosts, switches and links of a lab",
    .about =
        "Asks the switches of the lab. The load of a link is that of its busier direction over the last second, which "
        "the "
        "switches measure four times a second, whoever asks. Its queue, drops and pauses are the sums over both ends "
        "that are "
        "switches. Frames that a switch drops because their TTL has expired, or because there is no route, are no "
        "drops of a "
        "link: a line below the links counts them. --json adds all that heddle status tells of each switch.\n\n"
        "--serve serves a page that draws the fabric and follows it once a second, and the JSON at /status.json, until "
        "it is interrupted, or until the lab has been gone for ten seconds. Everybody who reaches the address can read "
        "both; neither changes anything.",
    .options =
        (const struct option_row[]){LAB_NAME,
                                    FLAG(T, json, "json", 0, "prints JSON"),
                                    LAB_SERVE(T, serve, "serves a live page there; PORT alone is one of 127.0.0.1"),
                                    {0}},
    .exits = EXITS_PLAIN,
    .examples = (const struct example_row[]){{"lab status --json", "all that the switches tell, for scripts"},
                                             {"lab status --serve 8080", "shows the lab at http://127.0.0.1:8080/"},
                                             {0}},
    .see = "lab-up status",
    .request_size = sizeof(T),
    .run = lab_status_run,
};

const struct command command_lab_link = {
    .name = "lab-link",
    .purpose = "make a link of a lab fail or come back",
    .about = "Frames on a link that fails are lost. Ports and routes know of the failure, and of the repair, after the "
             "--detect time of heddle lab up.",
    .arguments = (const struct argument[]){DOWN_OR_UP(T),
                                           ARGUMENT(T, link, "LINK", VALUE_LAB_LINK, "both ends, such as leaf0-spine1"),
                                           {0}},
    .options = (const struct option_row[]){LAB_NAME, {0}},
    .exits = EXITS_PLAIN,
    .examples = (const struct example_row[]){{"lab link down leaf0-spine1", "cuts the link"}, {0}},
    .see = "lab-up lab-status lab-switch",
    .request_size = sizeof(T),
    .run = lab_link_run,
};

const struct command command_lab_switch = {
    .name = "lab-switch",
    .purpose = "make a switch of a lab fail or come back",
    .about =
        "All links of the switch fail at once. They come back at once, except links that are down for another "
        "reason. As with lab link, the switches notice after the --detect time of heddle lab up. The tables of the "
        "switch stay as they are. The hosts of a leaf or ToR are cut off while it is down.",
    .arguments = (const struct argument[]){DOWN_OR_UP(T),
                                           ARGUMENT(T, node, "NODE", VALUE_LAB_SWITCH, "the switch, such as spine1"),
                                           {0}},
    .options = (const struct option_row[]){LAB_NAME, {0}},
    .exits = EXITS_PLAIN,
    .examples = (const struct example_row[]){{"lab switch down spine1", "takes spine1 down"}, {0}},
    .see = "lab-up lab-status lab-link",
    .request_size = sizeof(T),
    .run = lab_switch_run,
};

const struct command command_lab_impair = {
    .name = "lab-impair",
    .purpose = "make a link of a lab lose, corrupt or delay frames",
    .about = "Both directions of the link are impaired from now on, after the port has sent the frame: switches notice "
             "nothing. WHAT is any of loss=1%, corrupt=0.1%, duplicate=0.1%, reorder=1% (a frame arrives a millisecond "
             "late) and delay=1ms; what is not named ends, none ends all.",
    .arguments = (const struct argument[]){ARGUMENT(T, link, "LINK", VALUE_LAB_LINK, "both ends, such as leaf0-spine1"),
                                           ARGUMENT(T, words, "WHAT", VALUE_TEXT, "what happens to frames"),
                                           {0}},
    .options = (const struct option_row[]){LAB_NAME, {0}},
    .exits = EXITS_PLAIN,
    .examples = (const struct example_row[]){{"lab impair leaf0-spine1 loss=1% delay=1ms",
                                              "loses one frame in a hundred, and delays the others"},
                                             {"lab impair leaf0-spine1 none", "ends that"},
                                             {0}},
    .see = "lab-up lab-status",
    .request_size = sizeof(T),
    .run = lab_impair_run,
};

const struct command command_lab_capture = {
    .name = "lab-capture",
    .purpose = "capture what passes a link of a lab",
    .about = "Writes the frames of both directions, tags included, as the link's lower switch sees them, until it is "
             "interrupted or killed, or --seconds have passed.",
    .arguments = (const struct argument[]){ARGUMENT(T, link, "LINK", VALUE_LAB_LINK, "both ends, such as leaf0-spine1"),
                                           ARGUMENT(T, out, "FILE.pcapng", VALUE_TEXT, "what is written"),
                                           {0}},
    .options = (const struct option_row[]){LAB_NAME,
                                           NUMBER(T, seconds, "seconds", 0, "N", 1, 1000000, 0,
                                                  "how long; until it is interrupted if it is not given"),
                                           {0}},
    .exits = EXITS_PLAIN,
    .examples =
        (const struct example_row[]){
            {"lab capture leaf0-spine1 link.pcapng --seconds 10", "captures the link for ten seconds"}, {0}},
    .see = "lab-up",
    .request_size = sizeof(T),
    .run = lab_capture_run,
};
