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
    [VALUE_PROFILE] = " _heddle_of_experiment profiles",
    [VALUE_SWITCH] = " _heddle_of_experiment switches",
    [VALUE_COMMAND] = " _heddle_command",
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
                                "_heddle_of_experiment() {\n"
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
                                "_heddle_command() {\n"
                                "    local -a commands\n"
                                "    commands=(\n";

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

void complete_print_zsh(FILE *out) {
    fprintf(out, "#compdef heddle\n# zsh completion for heddle; `heddle docs zsh` prints it.\n\n%s", functions);
    for (size_t i = 0; commands[i]; i++) {
        fprintf(out, "        '%s:", commands[i]->name);
        text_print(out, commands[i]->purpose);
        fputs("'\n", out);
    }
    fputs("    )\n    _describe -t commands 'subcommand' commands\n}\n\n_heddle() {\n"
          "    local curcontext=$curcontext state line _heddle_program=$words[1]\n"
          "    _arguments -C '(- *)'{-h,--help}'[prints help]' '(- *)--version[prints name and version]' \\\n"
          "        '1: : _heddle_command' '*:: :->rest'\n"
          "    [[ $state == rest ]] || return\n"
          "    case $words[1] in\n",
          out);
    for (size_t i = 0; commands[i]; i++) command_print(out, commands[i]);
    fputs("    esac\n}\n\n_heddle \"$@\"\n", out);
}
