/* heddle: a fabric lab. The program is thin: each subcommand is a file of this folder. */
#include "cmd/commands.h"

#include <stdio.h>
#include <string.h>

static const char help[] =
    "heddle, a fabric lab: what happens to your flows under a load balancer, a transport, a load and failures\n"
    "\n"
    "  heddle run FILE.yaml [--set KEY=VALUE]... [--profile NAME] [--jobs N] [--threads N] [-o RESULTS.db] [--json] "
    "[--quiet] [--judge] [--renew] [--force]\n"
    "      runs the experiment and compares the results with what the file expects\n"
    "      (--judge starts no run: it compares what RESULTS.db holds; --renew runs again what it holds of before a "
    "metric\n"
    "      existed)\n"
    "  heddle check FILE.yaml [--set KEY=VALUE]... [--profile NAME] [--run N] [--json] [--force]\n"
    "      validates it; prints the effective configuration, sizes, and the memory and packet-hops a run needs\n"
    "      (--force, of run too: goes on where the machine's memory will not do)\n"
    "  heddle list [FAMILY]      families of mechanisms, or the names of one\n"
    "  heddle show NAME          the parameters and counters of a mechanism\n"
    "  heddle flow RESULTS.db [--run N] ID\n"
    "      one flow's timeline (measure: {flow: [ID]})\n"
    "  heddle flows RESULTS.db [--run N] [--slowest N] [--csv]\n"
    "      its flows with times, goodput, retransmissions and path; --slowest: those alone, unfinished ones first\n"
    "  heddle report RESULTS.db [MORE.db ...] [-o OUT.html] [--force]\n"
    "      the results as one HTML page that works from disk\n"
    "  heddle report RESULTS.db... --figures DIR [--experiment FILE.yaml] [--force]\n"
    "      draws the figures of its experiments: SVG, PDF, the gnuplot script and the data\n"
    "  heddle report RESULTS.db... --text      a summary for the terminal\n"
    "  heddle export RESULTS.db --csv DIR [--variants] [--force]\n"
    "      its tables as CSV files (--variants, of report too: with runs that were made with other --set)\n"
    "  heddle replay FILE.yaml [--run N] [--set ...] [--profile ...] --node NODE --in PORT=FILE.pcapng... --out DIR\n"
    "      [--force]\n"
    "      feeds captured frames through a switch of that run; writes what leaves it to DIR/NODE.pcapng\n"
    "      (PORT is the neighbour's name; all=FILE takes every port of a capture by measure: {pcap: [NODE]})\n"
    "\n"
    "A file that is there is replaced only by output of the same kind, or with --force; never one that is read.\n"
    "Exit codes: 0 done, every expectation came out as the file records it; 1 some outcome differs;\n"
    "2 usage or configuration error, nothing run; 3 a run failed or was interrupted, the same command goes on, or "
    "stored\n"
    "runs are older than a metric that is expected of them (--renew).\n";

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"run", command_run},       {"check", command_check},   {"list", command_list}, {"show", command_show},
    {"flow", command_flow},     {"flows", command_flows},   {"docs", command_docs}, {"replay", command_replay},
    {"report", command_report}, {"export", command_export},
};
#define N_COMMANDS (sizeof commands / sizeof *commands)

/* What was printed must have arrived: a full disk behind `>` is a failure too. */
static int output_check(int code) {
    if (fflush(stdout) == 0 && !ferror(stdout)) return code;
    fprintf(stderr, "heddle: error: cannot write standard output; what a run stored is kept\n");
    return code == 2 ? 2 : 3;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fputs(help, stderr);
        return 2;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        fputs(help, stdout);
        return 0;
    }
    if (strcmp(name, "--version") == 0) {
        printf("heddle %s\n", HEDDLE_VERSION);
        return 0;
    }
    const char *known[N_COMMANDS];
    for (size_t i = 0; i < N_COMMANDS; i++) {
        if (strcmp(name, commands[i].name) == 0) return output_check(commands[i].run(argc - 2, argv + 2));
        known[i] = commands[i].name;
    }
    const char *nearest = diag_nearest(name, known, N_COMMANDS);
    return exit_usage("unknown command '%s'%s%s%s", name, nearest ? "; did you mean '" : "; see heddle --help",
                      nearest ? nearest : "", nearest ? "'?" : "");
}
