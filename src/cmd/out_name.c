/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/out_name.h"

#include <string.h>
#include <strings.h>

/* Endings of other kinds of files, and what makes such a file of a results store. */
static const struct {
    const char *ending, *remedy;
} other_kinds[] = {
    {".csv", ", then heddle export writes tables"},
    {".json", ", and --json prints JSON"},
    {".html", ", then heddle report writes a page"},
    {".htm", ", then heddle report writes a page"},
    {".pdf", ", then heddle report --figures draws figures"},
    {".svg", ", then heddle report --figures draws figures"},
    {".png", ", then heddle report --figures draws figures"},
    {".txt", ", then heddle report --text prints a summary"},
    {".yaml", ""},
    {".yml", ""},
    {".pcap", ""},
    {".pcapng", ""},
};

/* Returns the ending of the last part of a path, with its dot; "" if it has none. */
static const char *ending_of(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    return dot && dot != name ? dot : "";
}

/* Returns the length of the path without that ending. */
static int stem_length(const char *path) { return (int)(strlen(path) - strlen(ending_of(path))); }

bool out_name_is_page(const char *name, struct diag *d) {
    if (!name) return true;
    const char *ending = ending_of(name);
    if (strcasecmp(ending, ".html") == 0 || strcasecmp(ending, ".htm") == 0) return true;
    return diag_say(d, "--out %s: heddle report writes an HTML page; write --out %.*s.html", name, stem_length(name),
                    name);
}

bool out_name_is_store(const char *name, struct diag *d) {
    if (!name) return true;
    for (size_t i = 0; i < sizeof other_kinds / sizeof *other_kinds; i++) {
        if (strcasecmp(ending_of(name), other_kinds[i].ending) != 0) continue;
        return diag_say(d, "--out %s: a results store is a SQLite database; write --out %.*s.db%s", name,
                        stem_length(name), name, other_kinds[i].remedy);
    }
    return true;
}
