/* SPDX-License-Identifier: Apache-2.0 */
#include "study/figures/draw.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

bool draw_possible(struct diag *d) {
    const char *path = getenv("PATH");
    for (const char *at = path; at && *at;) {
        size_t n = strcspn(at, ":");
        char file[4096];
        snprintf(file, sizeof file, "%.*s/gnuplot", (int)n, at);
        if (access(file, X_OK) == 0) return true;
        at += n + (at[n] == ':');
    }
    return diag_say(d, "figures are drawn by gnuplot, which is not installed; apt-get install gnuplot-nox");
}

/* Becomes gnuplot in the child process. Never returns. */
static void gnuplot_become(const char *dir, const char *script, int said) {
    int nothing = open("/dev/null", O_RDONLY);
    if (chdir(dir) != 0 || nothing < 0 || dup2(nothing, 0) < 0 || dup2(said, 1) < 0 || dup2(said, 2) < 0) _exit(126);
    execlp("gnuplot", "gnuplot", script, (char *)NULL);
    _exit(127);
}

/* Reads the output of gnuplot, cut to `size`. The last line that is not blank is the reason of a failure. */
static void said_read(int from, char *buf, size_t size) {
    size_t used = 0;
    char piece[512];
    for (ssize_t n; (n = read(from, piece, sizeof piece)) > 0 || (n < 0 && errno == EINTR);) {
        for (ssize_t i = 0; i < n && used + 1 < size; i++) buf[used++] = piece[i];
    }
    buf[used] = '\0';
    while (used && (buf[used - 1] == '\n' || buf[used - 1] == ' ')) buf[--used] = '\0';
    const char *line = strrchr(buf, '\n');
    if (line) memmove(buf, line + 1, strlen(line));
}

static bool picture_is_there(const char *dir, const char *name, const char *kind) {
    char path[4096];
    struct stat s;
    snprintf(path, sizeof path, "%s/%s.%s", dir, name, kind);
    return stat(path, &s) == 0 && s.st_size > 0;
}

bool draw_pictures(const char *dir, const char *name, const char *shown, struct diag *d) {
    char script[256], said[384];
    int pipe_of[2], status = 0;
    snprintf(script, sizeof script, "%s.gp", name);
    if (pipe2(pipe_of, O_CLOEXEC) != 0) return diag_say(d, "cannot run gnuplot: %s", strerror(errno));
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) gnuplot_become(dir, script, pipe_of[1]);
    close(pipe_of[1]);
    said_read(pipe_of[0], said, sizeof said);
    close(pipe_of[0]);
    if (child < 0 || waitpid(child, &status, 0) != child) return diag_say(d, "cannot run gnuplot: %s", strerror(errno));
    bool drawn = picture_is_there(dir, name, "svg") && picture_is_there(dir, name, "pdf");
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && drawn) return true;
    return diag_say(d, "gnuplot could not draw %s/%s.gp: %s", shown, name,
                    said[0] ? said : "it left no picture; is its pdfcairo terminal there (gnuplot-nox)?");
}
