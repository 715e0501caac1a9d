/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/complete.h"

#include "cmd/commands.h"

/* Words by which the script below names the kinds of values; a kind without a word has no candidates. */
static const char *const kind_words[VALUE_KINDS] = {
    [VALUE_NUMBER] = "number",
    [VALUE_TEXT] = "text",
    [VALUE_CHOICE] = "choice",
    [VALUE_EXPERIMENT] = "yaml",
    [VALUE_STORE] = "db",
    [VALUE_PAGE] = "html",
    [VALUE_FOLDER] = "folder",
    [VALUE_CAPTURE] = "capture",
    [VALUE_SETTING] = "setting",
    [VALUE_FAMILY] = "family",
    [VALUE_NAME] = "name",
    [VALUE_COMMAND] = "command",
    [VALUE_PROFILE] = "profile",
    [VALUE_SWITCH] = "switch",
    [VALUE_LAB] = "labs",
    [VALUE_LAB_HOST] = "lab-hosts",
    [VALUE_LAB_SWITCH] = "lab-switches",
    [VALUE_LAB_LINK] = "lab-links",
    [VALUE_LAB_NODE] = "lab-nodes",
};

static const char begin[] = "# bash completion for heddle; `heddle docs bash` prints it.\n"
                            "# shellcheck shell=bash\n";

/* _heddle_kind sets kind and choices, _heddle_options sets options, for the subcommand $1. */
static const char engine[] =
    "_heddle_files() {\n"
    "    compopt -o filenames 2>/dev/null\n"
    "    mapfile -t COMPREPLY < <({ compgen -d -- \"$2\"; compgen -f -X \"!*.$1\" -- \"$2\"; } | sort -u)\n"
    "}\n"
    "\n"
    "# Offers what `heddle docs $1` prints for the words before $2, without their quotes.\n"
    "_heddle_of_line() {\n"
    "    local -a line=(\"${words[@]//[\\\\\\\"\\']/}\")\n"
    "    line=(\"${line[@]/#\\~\\//$HOME/}\")\n"
    "    local name\n"
    "    while IFS= read -r name; do\n"
    "        [[ $name != \"$2\"* ]] || COMPREPLY+=(\"$(printf %q \"$name\")\")\n"
    "    done < <(\"$program\" docs \"$1\" -- \"${line[@]}\" 2>/dev/null)\n"
    "}\n"
    "\n"
    "# Completes the word $2 as a value of kind $1; lead is what stands before the value.\n"
    "_heddle_value() {\n"
    "    local kind=$1 word=$2\n"
    "    case $kind in\n"
    "    yaml | db | html) _heddle_files \"$kind\" \"$word\" ;;\n"
    "    folder)\n"
    "        compopt -o filenames 2>/dev/null\n"
    "        mapfile -t COMPREPLY < <(compgen -d -- \"$word\")\n"
    "        ;;\n"
    "    capture)\n"
    "        if [[ $word == *=* ]]; then\n"
    "            lead+=${word%%=*}=\n"
    "            _heddle_files pcapng \"${word#*=}\"\n"
    "        else\n"
    "            compopt -o nospace 2>/dev/null\n"
    "            mapfile -t COMPREPLY < <(compgen -W 'all=' -- \"$word\")\n"
    "        fi\n"
    "        ;;\n"
    "    choice) mapfile -t COMPREPLY < <(compgen -W \"$choices\" -- \"$word\") ;;\n"
    "    command) mapfile -t COMPREPLY < <(compgen -W \"$_heddle_commands\" -- \"$word\") ;;\n"
    "    family) mapfile -t COMPREPLY < <(compgen -W \"$(\"$program\" docs families 2>/dev/null)\" -- \"$word\") ;;\n"
    "    name) mapfile -t COMPREPLY < <(compgen -W \"$(\"$program\" docs names 2>/dev/null)\" -- \"$word\") ;;\n"
    "    labs | lab-*) _heddle_of_line \"$kind\" \"$word\" ;;\n"
    "    profile) _heddle_of_line profiles \"$word\" ;;\n"
    "    switch) _heddle_of_line switches \"$word\" ;;\n"
    "    setting)\n"
    "        mapfile -t COMPREPLY < <(compgen -W \"$(\"$program\" docs settings 2>/dev/null)\" -- \"$word\")\n"
    "        [[ ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null\n"
    "        ;;\n"
    "    esac\n"
    "}\n"
    "\n"
    "_heddle() {\n"
    "    local program=${1/#\\~/$HOME} part=${COMP_WORDS[COMP_CWORD]} word before command option='' lead='' ended=''\n"
    "    local kind choices i\n"
    "    local -a words=() options=()\n"
    "    local -i count=1\n"
    "    COMPREPLY=()\n"
    "    # Readline may cut words at = and :, which are joined here.\n"
    "    for ((i = 1; i <= COMP_CWORD; i++)); do\n"
    "        word=${COMP_WORDS[i]}\n"
    "        if ((i > 2)) && [[ $word == [=:]* || ${COMP_WORDS[i - 1]} == [=:] ]]; then\n"
    "            words[-1]+=$word\n"
    "        else\n"
    "            words+=(\"$word\")\n"
    "        fi\n"
    "    done\n"
    "    [[ $part != [=:] ]] || part=''\n"
    "    word=${words[-1]}\n"
    "    before=${word%\"$part\"}\n"
    "    unset 'words[-1]'\n"
    "    # A command of two words, such as lab up, is looked up as lab-up.\n"
    "    if [[ -n ${words[0]-} && \" $_heddle_groups \" == *\" ${words[0]} \"* && ${words[1]-} == [!-]* ]]; then\n"
    "        words=(\"${words[0]}-${words[1]}\" \"${words[@]:2}\")\n"
    "    fi\n"
    "    command=${words[0]-}\n"
    "    # Which argument is this, or the value of which option?\n"
    "    for i in \"${words[@]:1}\"; do\n"
    "        if [[ -n $option ]]; then\n"
    "            option=''\n"
    "        elif [[ -n $ended || $i != -?* ]]; then\n"
    "            count+=1\n"
    "        elif [[ $i == -- ]]; then\n"
    "            ended=1\n"
    "        else\n"
    "            _heddle_kind \"$command\" \"$i\"\n"
    "            [[ -z $kind ]] || option=$i\n"
    "        fi\n"
    "    done\n"
    "    _heddle_options \"$command\"\n"
    "    if [[ -z $command ]]; then\n"
    "        [[ $word == -* ]] || read -ra options <<<\"$_heddle_first\"\n"
    "        mapfile -t COMPREPLY < <(compgen -W \"${options[*]}\" -- \"$word\")\n"
    "    elif [[ -n $option ]]; then\n"
    "        _heddle_kind \"$command\" \"$option\"\n"
    "        _heddle_value \"$kind\" \"$word\"\n"
    "    elif [[ -z $ended && $word == --*=* ]]; then\n"
    "        lead=${word%%=*}=\n"
    "        _heddle_kind \"$command\" \"${word%%=*}\"\n"
    "        _heddle_value \"$kind\" \"${word#*=}\"\n"
    "    elif [[ -z $ended && $word == -* ]]; then\n"
    "        mapfile -t COMPREPLY < <(compgen -W \"${options[*]}\" -- \"$word\")\n"
    "    else\n"
    "        _heddle_kind \"$command\" \"$count\"\n"
    "        if [[ -n $kind ]]; then\n"
    "            _heddle_value \"$kind\" \"$word\"\n"
    "        elif [[ -z $ended$word ]]; then\n"
    "            COMPREPLY=(\"${options[@]}\")\n"
    "        fi\n"
    "    fi\n"
    "    # Readline replaces the part after its last cut.\n"
    "    for i in \"${!COMPREPLY[@]}\"; do\n"
    "        part=$lead${COMPREPLY[i]}\n"
    "        COMPREPLY[i]=${part#\"$before\"}\n"
    "    done\n"
    "}\n"
    "\n"
    "complete -F _heddle heddle\n";

static void words_print(FILE *out, const char *words) {
    for (; *words; words++) fputc(*words == '|' ? ' ' : *words, out);
}

static void options_print(FILE *out, const char *name, const struct option_row *o) {
    fprintf(out, "    %s) options=(", name);
    for (; o && o->name; o++) fprintf(out, "--%s ", o->name);
    fprintf(out, "--help) ;;\n");
}

static void kind_print(FILE *out, const struct value *v) {
    fprintf(out, ") kind='%s'", kind_words[v->kind]);
    if (v->kind == VALUE_CHOICE) {
        fprintf(out, " choices='");
        words_print(out, v->choices);
        fputc('\'', out);
    }
    fprintf(out, " ;;\n");
}

static void kinds_print(FILE *out, const struct command *c) {
    unsigned n = 0;
    for (const struct option_row *o = c->options; o && o->name; o++) {
        if (o->value.kind == VALUE_NONE) continue;
        fprintf(out, "    ");
        if (o->letter) fprintf(out, "'%s -%c' | ", c->name, o->letter);
        fprintf(out, "'%s --%s'", c->name, o->name);
        kind_print(out, &o->value);
    }
    for (const struct argument *a = c->arguments; a && a->value.name; a++) {
        n++;
        if (a->value.field.type == FIELD_LIST)
            fprintf(out, "    '%s '[1-9]*", c->name);
        else
            fprintf(out, "    '%s %u'", c->name, n);
        kind_print(out, &a->value);
    }
}

/* Prints the lists: names of all commands, first words, groups. */
static void names_print(FILE *out) {
    fputs("\n_heddle_commands='", out);
    for (size_t i = 0; commands[i]; i++) fprintf(out, "%s%s", i ? " " : "", commands[i]->name);
    fputs("'\n_heddle_first='", out);
    for (size_t i = 0; commands[i]; i++)
        if (!command_group_of(commands[i])) fprintf(out, "%s ", commands[i]->name);
    for (const struct command_group *g = command_groups; g->name; g++)
        fprintf(out, "%s%s", g->name, g[1].name ? " " : "'\n_heddle_groups='");
    for (const struct command_group *g = command_groups; g->name; g++)
        fprintf(out, "%s%s", g->name, g[1].name ? " " : "'\n");
}

/* Prints the actions of a group, the choices of its first argument. */
static void actions_print(FILE *out, const struct command_group *g) {
    fprintf(out, "    '%s 1') kind='choice' choices='", g->name);
    bool more = false;
    for (size_t i = 0; commands[i]; i++) {
        const char *action = command_action(commands[i], g);
        if (action) fprintf(out, "%s%s", more ? " " : "", action);
        more |= action != NULL;
    }
    fputs("' ;;\n", out);
}

void complete_print_bash(FILE *out) {
    fputs(begin, out);
    names_print(out);
    fputs("\n_heddle_options() {\n    case $1 in\n    '') options=(--version --help) ;;\n", out);
    for (size_t i = 0; commands[i]; i++) options_print(out, commands[i]->name, commands[i]->options);
    for (const struct command_group *g = command_groups; g->name; g++) options_print(out, g->name, NULL);
    fputs("    esac\n}\n\n_heddle_kind() {\n    kind='' choices=''\n    case \"$1 $2\" in\n", out);
    for (size_t i = 0; commands[i]; i++) kinds_print(out, commands[i]);
    for (const struct command_group *g = command_groups; g->name; g++) actions_print(out, g);
    fputs("    esac\n}\n\n", out);
    fputs(engine, out);
}
