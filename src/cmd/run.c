#include "study/run.h"

#include "cmd/commands.h"
#include "cmd/options.h"
#include "sim/world.h"

int command_run(int argc, char **argv) {
    struct run_options o = {.jobs = 1, .threads = 1, .version = HEDDLE_VERSION};
    struct experiment_options x = {0};
    struct option_list set = {0};
    const struct option_row rows[] = {
        {"--set", OPTION_LIST, &set, 0, 0},
        {"--profile", OPTION_TEXT, &x.profile, 0, 0},
        {"--jobs", OPTION_NUMBER, &o.jobs, 1, MAX_JOBS},
        {"--threads", OPTION_NUMBER, &o.threads, 1, MAX_THREADS},
        {"-o", OPTION_TEXT, &o.store, 0, 0},
        {"--json", OPTION_FLAG, &o.json, 0, 0},
        {"--quiet", OPTION_FLAG, &o.quiet, 0, 0},
    };
    const char *file;
    size_t n;
    if (!options_read(argc, argv, rows, sizeof rows / sizeof *rows, &file, 1, &n)) return 2;
    if (n == 0) return exit_usage("which experiment? write heddle run FILE.yaml");
    x.set = set.item;
    x.n_set = set.n;
    struct diag d = {0};
    struct experiment *e = experiment_read(file, &x, &d);
    if (!e) return exit_diag(&d);
    enum run_exit code = experiment_run(e, &o, &d);
    experiment_free(e);
    return code == RUN_BAD_CONFIG ? exit_diag(&d) : (int)code;
}
