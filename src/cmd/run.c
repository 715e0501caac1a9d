#include "study/run.h"

#include "cmd/commands.h"
#include "cmd/options.h"
#include "sim/world.h"

int command_run(int argc, char **argv) {
    struct run_options o = {.jobs = 1, .threads = 1, .version = HEDDLE_VERSION};
    struct experiment_request q = {0};
    const struct option_row rows[] = {
        {"--jobs", OPTION_NUMBER, &o.jobs, 1, MAX_JOBS},
        {"--threads", OPTION_NUMBER, &o.threads, 1, MAX_THREADS},
        {"-o", OPTION_TEXT, &o.store, 0, 0},
        {"--json", OPTION_FLAG, &o.json, 0, 0},
        {"--quiet", OPTION_FLAG, &o.quiet, 0, 0},
        {"--judge", OPTION_FLAG, &o.judge, 0, 0},
        {"--renew", OPTION_FLAG, &o.renew, 0, 0},
        {"--force", OPTION_FLAG, &q.options.force, 0, 0},
    };
    if (!experiment_request_read(argc, argv, rows, sizeof rows / sizeof *rows, &q)) return 2;
    struct experiment *e = experiment_request_open(&q, "run");
    if (!e) return 2;
    struct diag d = {0};
    enum run_exit code = experiment_run(e, &o, &d);
    experiment_free(e);
    return code == RUN_BAD_CONFIG ? exit_diag(&d) : (int)code;
}
