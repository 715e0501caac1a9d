/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/commands.h"
#include "cmd/label.h"

#include <string.h>

const struct command_group command_groups[] = {
    {"lab", "build, use and remove fabrics of live switches and hosts"},
    {0},
};

const struct command_group *command_group_find(const char *name) {
    for (const struct command_group *g = command_groups; g->name; g++)
        if (strcmp(name, g->name) == 0) return g;
    return NULL;
}

const char *command_action(const struct command *c, const struct command_group *g) {
    size_t length = strlen(g->name);
    bool is_member = strncmp(c->name, g->name, length) == 0 && c->name[length] == '-';
    return is_member ? c->name + length + 1 : NULL;
}

const struct command_group *command_group_of(const struct command *c) {
    for (const struct command_group *g = command_groups; g->name; g++)
        if (command_action(c, g)) return g;
    return NULL;
}

static const struct command *named(const char *name) {
    for (size_t i = 0; commands[i]; i++)
        if (strcmp(name, commands[i]->name) == 0) return commands[i];
    return NULL;
}

/* Prints that the group needs an action, with all its actions. */
static void action_is_missing(const struct command_group *g) {
    char list[SYNOPSIS_MAX] = "";
    size_t used = 0;
    for (size_t i = 0; commands[i] && used < sizeof list; i++) {
        const char *action = command_action(commands[i], g);
        if (action) used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", action);
    }
    exit_usage("heddle %s needs an action: %s; see heddle %s --help", g->name, list, g->name);
}

/* Prints the error, with the nearest command as it is typed. */
static void name_is_unknown(const char *name) {
    enum { KNOWN_MAX = 64 };
    char label[KNOWN_MAX][LABEL_MAX];
    const char *known[KNOWN_MAX];
    size_t n = 0;
    for (; commands[n] && n < KNOWN_MAX; n++) known[n] = command_label(commands[n], label[n]);
    const char *nearest = diag_nearest(name, known, n), *end = strrchr(name, '.');
    if (end && (strcmp(end, ".yaml") == 0 || strcmp(end, ".yml") == 0)) {
        exit_usage("'%s' is no command; heddle run %s carries out an experiment file", name, name);
        return;
    }
    exit_usage("unknown command '%s'%s%s%s", name, nearest ? "; did you mean '" : "; see heddle --help",
               nearest ? nearest : "", nearest ? "'?" : "");
}

const struct command *command_find(const char *name) {
    const struct command *c = named(name);
    const struct command_group *g = command_group_find(name);
    if (!c && g) action_is_missing(g);
    if (!c && !g) name_is_unknown(name);
    return c;
}

/* heddle show prints what heddle itself has; who types `show fabric FILE` means the fabric of a file. */
static bool is_show_fabric(const char *const *word, size_t n) {
    return n > 1 && strcmp(word[0], "show") == 0 && strcmp(word[1], "fabric") == 0;
}

const struct command *command_of_words(const char *const *word, size_t n, size_t *taken) {
    char name[LABEL_MAX];
    if (is_show_fabric(word, n)) {
        *taken = 2;
        return command_find("fabric");
    }
    const struct command_group *g = command_group_find(word[0]);
    *taken = 1;
    if (!g || n < 2 || word[1][0] == '-') return command_find(word[0]);
    *taken = 2;
    snprintf(name, sizeof name, "%s-%s", word[0], word[1]);
    const struct command *c = named(name);
    snprintf(name, sizeof name, "%s %s", word[0], word[1]);
    if (!c) name_is_unknown(name);
    return c;
}
