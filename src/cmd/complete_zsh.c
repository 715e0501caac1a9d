/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/complete.h"

#include "cmd/commands.h"
#include "cmd/label.h"

#include <string.h>

/* The zsh action of a kind of value, for a specification of _arguments. An action that begins with a blank is called
 * verbatim. */
static const char *const actions[VALUE_KINDS] = {
    [VALUE_NUMBER] = "",
    [VALUE_TEXT] = "",
    [VALUE_EXPERIMENT] = "_files -g \"*.yaml\"",
    [VALUE_STORE] = "_files -g \"*.db\"",
    [VALUE_PAGE] = "_files -g \"*.html\"",
    [VALUE_FOLDER] = "_files -/",
    [VALUE_CAPTURE] = " _heddle_capture",
    [VALUE_SETTING] = " _heddle_ask settings",
    [VALUE_FAMILY] = " _heddle_ask families",
    [VALUE_NAME] = " _heddle_ask names",
    [VALUE_PROFILE] = " _heddle_of_line profiles",
    [VALUE_SWITCH] = " _heddle_of_line switches",
    [VALUE_COMMAND] = " _heddle_command",
    [VALUE_LAB] = " _heddle_of_line labs",
    [VALUE_LAB_HOST] = " _heddle_of_line lab-hosts",
    [VALUE_LAB_SWITCH] = " _heddle_of_line lab-switches",
    [VALUE_LAB_LINK] = " _heddle_of_line lab-links",
    [VALUE_LAB_NODE] = " _heddle_of_line lab-nodes",
};

static const char functions[] = "# Offers what `heddle docs $1` prints.\n"
                                "_heddle_ask() {\n"
                                "    local -a known\n"
                                "    known=(${(f)\"$(_call_program $1 ${(q)_heddle_program} docs $1 2>/dev/null)\"})\n"
                                "    local -a open=(${(M)known:#*=}) closed=(${known:#*=})\n"
                                "    compadd -S '' -a open\n"
                                "    compadd -a closed\n"
                                "}\n"
                                "\n"
                                "# Offers what `heddle docs $1` prints for the words before the cursor.\n"
                                "_heddle_of_line() {\n"
                                "    local -a line=(${${(Q)words[1,CURRENT-1]}/#\\~\\//$HOME/}) known\n"
                                "    known=(${(f)\"$(_call_program $1 ${(q)_heddle_program} docs $1 -- "
                                "${(q)line} 2>/dev/null)\"})\n"
                                "    compadd -a known\n"
                                "}\n"
                                "\n"
                                "_heddle_capture() {\n"
                                "    if compset -P '*='; then\n"
                                "        _files -g '*.pcapng'\n"
                                "    else\n"
                                "        compadd -S '' all=\n"
                                "    fi\n"
                                "}\n"
                                "\n"
                                "# Offers the subcommands, or with $1 the actions of that group.\n"
                                "_heddle_command() {\n"
                                "    local -a commands\n"
                                "    case ${1-} in\n";

/* Prints text inside 'single quotes' of a specification: brackets and colons are escaped. */
static void text_print(FILE *out, const char *text) {
    for (; *text; text++) {
        if (strchr("[]:\\", *text)) fputc('\\', out);
        fputs(*text == '\'' ? "'\\''" : (const char[]){*text, '\0'}, out);
    }
}

static void value_print(FILE *out, const struct value *v) {
    fputc(':', out);
    text_print(out, v->name);
    fputc(':', out);
    if (v->kind != VALUE_CHOICE) {
        fputs(actions[v->kind], out);
        return;
    }
    fputc('(', out);
    for (const char *c = v->choices; *c; c++) fputc(*c == '|' ? ' ' : *c, out);
    fputc(')', out);
}

/* Prints an option: '(-j --jobs)'{-j+,--jobs=}'[doc]:N:' */
static void option_print(FILE *out, const struct option_row *o) {
    bool is_list = o->value.field.type == FIELD_LIST, has_value = o->value.kind != VALUE_NONE;
    fputs("            ", out);
    if (is_list) fputs("'*'", out);
    if (!is_list && o->letter) fprintf(out, "'(-%c --%s)'", o->letter, o->name);
    if (!is_list && !o->letter) fprintf(out, "'(--%s)'", o->name);
    if (o->letter)
        fprintf(out, "{-%c%s,--%s%s}", o->letter, has_value ? "+" : "", o->name, has_value ? "=" : "");
    else
        fprintf(out, "--%s%s", o->name, has_value ? "=" : "");
    fputs("'[", out);
    text_print(out, o->doc);
    fputc(']', out);
    if (has_value) value_print(out, &o->value);
    fputs("' \\\n", out);
}

static void command_print(FILE *out, const struct command *c) {
    unsigned n = 0;
    fprintf(out, "        %s)\n            _arguments -s -S \\\n", c->name);
    for (const struct option_row *o = c->options; o && o->name; o++) option_print(out, o);
    for (const struct argument *a = c->arguments; a && a->value.name; a++) {
        if (a->value.field.type == FIELD_LIST)
            fputs("            '*", out);
        else
            fprintf(out, "            '%u", ++n);
        value_print(out, &a->value);
        fputs("' \\\n", out);
    }
    fputs("            '(- *)'{-h,--help}'[prints help]'\n            ;;\n", out);
}

static void name_print(FILE *out, const char *name, const char *purpose) {
    fprintf(out, "        '%s:", name);
    text_print(out, purpose);
    fputs("'\n", out);
}

/* Prints the cases of _heddle_command: a group's actions, the first words, and all commands by their one name. */
static void names_print(FILE *out) {
    for (const struct command_group *g = command_groups; g->name; g++) {
        fprintf(out, "    %s) commands=(\n", g->name);
        for (size_t i = 0; commands[i]; i++)
            if (command_action(commands[i], g)) name_print(out, command_action(commands[i], g), commands[i]->purpose);
        fputs("    ) ;;\n", out);
    }
    fputs("    first) commands=(\n", out);
    for (size_t i = 0; commands[i]; i++)
        if (!command_group_of(commands[i])) name_print(out, commands[i]->name, commands[i]->purpose);
    for (const struct command_group *g = command_groups; g->name; g++) name_print(out, g->name, g->purpose);
    fputs("    ) ;;\n    *) commands=(\n", out);
    for (size_t i = 0; commands[i]; i++) name_print(out, commands[i]->name, commands[i]->purpose);
    fputs("    ) ;;\n    esac\n    _describe -t commands 'subcommand' commands\n}\n\n", out);
}

/* Prints the lines that make one word of a command of two words ("lab up" is looked up as lab-up). */
static void join_print(FILE *out) {
    fputs("    if [[ ${words[1]} == (", out);
    for (const struct command_group *g = command_groups; g->name; g++)
        fprintf(out, "%s%s", g->name, g[1].name ? "|" : "");
    fputs(") ]] && ((CURRENT > 2)); then\n"
          "        words[2]=$words[1]-$words[2]\n"
          "        shift words\n"
          "        ((CURRENT--))\n"
          "    fi\n",
          out);
}

static void group_print(FILE *out, const struct command_group *g) {
    fprintf(out,
            "        %s)\n            _arguments '1: : _heddle_command %s' '(- *)'{-h,--help}'[prints help]'\n"
            "            ;;\n",
            g->name, g->name);
}

void complete_print_zsh(FILE *out) {
    fprintf(out, "#compdef heddle\n# zsh completion for heddle; `heddle docs zsh` prints it.\n\n%s", functions);
    names_print(out);
    fputs("_heddle() {\n"
          "    local curcontext=$curcontext state line _heddle_program=$words[1]\n"
          "    _arguments -C '(- *)'{-h,--help}'[prints help]' '(- *)--version[prints name and version]' \\\n"
          "        '1: : _heddle_command first' '*:: :->rest'\n"
          "    [[ $state == rest ]] || return\n",
          out);
    join_print(out);
    fputs("    case $words[1] in\n", out);
    for (size_t i = 0; commands[i]; i++) command_print(out, commands[i]);
    for (const struct command_group *g = command_groups; g->name; g++) group_print(out, g);
    fputs("    esac\n}\n\n_heddle \"$@\"\n", out);
}
