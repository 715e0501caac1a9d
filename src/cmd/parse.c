/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/parse.h"

#include "base/units.h"
#include "cmd/commands.h"
#include "cmd/label.h"

#include <stdlib.h>
#include <string.h>

/* The state of reading: words left, and values so far. */
struct reading {
    const struct command *command;
    const char *const *word;
    size_t n_words, at; /* at: the next word */
    bool is_begun;      /* the line is still being typed, so missing words are no error */
    char *request;
    size_t n_arguments;
    bool only_arguments; /* after `--` no option can follow */
    bool is_turned;      /* the first two arguments came the other way round */
    bool is_help;
};

static void *field_of(const struct reading *r, const struct value *v) { return r->request + v->field.offset; }

/* ---- values ---- */

static bool number_take(const struct reading *r, const struct value *v, const char *label, const char *word) {
    char *end;
    unsigned long number = strtoul(word, &end, 10);
    if (end == word || *end || word[0] == '-' || number < v->min || number > v->max)
        return exit_usage("%s %s: write a number from %u to %u", label, word, v->min, v->max) == 0;
    *(uint32_t *)field_of(r, v) = (uint32_t)number;
    return true;
}

static bool names_file(enum value_kind kind) {
    return kind == VALUE_EXPERIMENT || kind == VALUE_STORE || kind == VALUE_PAGE || kind == VALUE_FOLDER;
}

/* Takes a value. `label` is the option as typed, or the argument's name. */
static bool value_take(const struct reading *r, const struct value *v, const char *label, const char *word) {
    if (!*word && names_file(v->kind) && !r->is_begun)
        return exit_usage("%s is given an empty name; name a %s", label, v->kind == VALUE_FOLDER ? "folder" : "file") ==
               0;
    if (v->kind == VALUE_NUMBER) return number_take(r, v, label, word);
    if (v->kind == VALUE_CHOICE && choice_index(v->choices, word) < 0) {
        char choices[LABEL_MAX];
        return exit_usage("%s %s: write %s", label, word, choices_label(v, choices)) == 0;
    }
    if (v->field.type == FIELD_TEXT) {
        *(const char **)field_of(r, v) = word;
        return true;
    }
    struct word_list *list = field_of(r, v);
    if (list->n == sizeof list->item / sizeof *list->item) return exit_usage("too many %s", label) == 0;
    list->item[list->n++] = word;
    return true;
}

static void numbers_begin(const struct reading *r) {
    for (const struct option_row *o = r->command->options; o && o->name; o++)
        if (o->value.kind == VALUE_NUMBER) *(uint32_t *)field_of(r, &o->value) = o->value.initial;
}

/* ---- options ---- */

static bool option_unknown(const struct reading *r, const char *word) {
    char dashed[32][LABEL_MAX], label[LABEL_MAX];
    const char *known[32];
    size_t n = 0;
    for (const struct option_row *o = r->command->options; o && o->name && n < 32; o++, n++) {
        snprintf(dashed[n], LABEL_MAX, "--%s", o->name);
        known[n] = dashed[n];
    }
    const char *nearest = strlen(word) > 2 ? diag_nearest(word, known, n) : NULL;
    if (nearest) return exit_usage("unknown option '%s'; did you mean '%s'?", word, nearest) == 0;
    return exit_usage("unknown option '%s'; see heddle %s --help", word, command_label(r->command, label)) == 0;
}

static const char *next_word(struct reading *r) { return r->at < r->n_words ? r->word[r->at++] : NULL; }

static bool option_take(const struct reading *r, const struct value *v, const char *label, const char *value) {
    if (!value) return r->is_begun || exit_usage("%s needs a value", label) == 0;
    return value_take(r, v, label, value);
}

/* Reads --name, --name=VALUE, --name VALUE. */
static bool long_read(struct reading *r, const char *word) {
    const char *name = word + 2;
    size_t length = strcspn(name, "=");
    char label[LABEL_MAX];
    if (strcmp(name, "help") == 0) return r->is_help = true;
    const struct option_row *o = r->command->options;
    while (o && o->name && !(strlen(o->name) == length && strncmp(o->name, name, length) == 0)) o++;
    if (!o || !o->name) return option_unknown(r, word);
    snprintf(label, sizeof label, "--%s", o->name);
    if (o->value.kind == VALUE_NONE) {
        if (name[length]) return exit_usage("%s takes no value", label) == 0;
        return *(bool *)field_of(r, &o->value) = true;
    }
    const char *value = name[length] ? name + length + 1 : next_word(r);
    return option_take(r, &o->value, label, value);
}

/* Reads -q, -j4, -j 4, -j=4, -qj4. */
static bool letters_read(struct reading *r, const char *word) {
    for (const char *letter = word + 1; *letter && !r->is_help; letter++) {
        const char label[] = {'-', *letter, '\0'};
        const struct option_row *o = r->command->options;
        while (o && o->name && o->letter != *letter) o++;
        if (o && o->name && o->value.kind == VALUE_NONE) {
            *(bool *)field_of(r, &o->value) = true;
        } else if (o && o->name) {
            const char *value = letter[1] == '=' ? letter + 2 : letter[1] ? letter + 1 : next_word(r);
            return option_take(r, &o->value, label, value);
        } else if (*letter == 'h') {
            r->is_help = true;
        } else {
            return option_unknown(r, word);
        }
    }
    return true;
}

/* ---- arguments ---- */

static bool is_choice(const struct value *v, const char *word) {
    return v->kind == VALUE_CHOICE && choice_index(v->choices, word) >= 0;
}

/* Returns the argument that the next one in order is. A choice may stand behind what it is about: `lab link LINK down` is
 * `lab link down LINK`. */
static const struct argument *argument_next(struct reading *r, const char *word) {
    const struct argument *a = r->command->arguments;
    bool is_first = r->n_arguments == 0 && a && a->value.name && a->value.kind == VALUE_CHOICE;
    if (is_first && a[1].value.name && !is_choice(&a->value, word) && r->at < r->n_words &&
        is_choice(&a->value, r->word[r->at])) {
        r->is_turned = true;
        return a + 1;
    }
    if (r->is_turned && r->n_arguments == 1) return a;
    for (size_t i = 0; a && a->value.name && i < r->n_arguments; i++)
        if (a->value.field.type != FIELD_LIST) a++;
    return a;
}

static bool argument_read(struct reading *r, const char *word) {
    const struct argument *a = argument_next(r, word);
    char label[LABEL_MAX];
    if (!a || !a->value.name)
        return exit_usage("'%s' is one argument too many; see heddle %s --help", word,
                          command_label(r->command, label)) == 0;
    r->n_arguments++;
    if (r->command->rest && a->value.field.type == FIELD_LIST) r->only_arguments = true;
    return value_take(r, &a->value, a->value.name, word);
}

static bool is_given(const struct reading *r, const struct value *v) {
    if (v->field.type == FIELD_LIST) return ((const struct word_list *)field_of(r, v))->n > 0;
    return *(const char *const *)field_of(r, v) != NULL;
}

static bool required_check(const struct reading *r) {
    char missing[LABEL_MAX] = "", line[SYNOPSIS_MAX];
    size_t i = 0;
    for (const struct argument *a = r->command->arguments; a && a->value.name && !missing[0]; a++, i++)
        if (a->value.required && r->n_arguments <= i) snprintf(missing, sizeof missing, "%s", a->value.name);
    for (const struct option_row *o = r->command->options; o && o->name && !missing[0]; o++)
        if (o->value.required && !is_given(r, &o->value)) snprintf(missing, sizeof missing, "--%s", o->name);
    if (!missing[0]) return true;
    return exit_usage("%s is missing; write heddle %s", missing, synopsis_required(r->command, line)) == 0;
}

static enum parsed words_read(struct reading *r) {
    bool is_ok = true;
    numbers_begin(r);
    for (const char *word; is_ok && !r->is_help && (word = next_word(r));) {
        if (r->only_arguments || word[0] != '-' || !word[1])
            is_ok = argument_read(r, word);
        else if (strcmp(word, "--") == 0)
            r->only_arguments = true;
        else
            is_ok = word[1] == '-' ? long_read(r, word) : letters_read(r, word);
    }
    if (r->is_help) return PARSED_HELP;
    return is_ok && (r->is_begun || required_check(r)) ? PARSED : PARSED_WRONG;
}

enum parsed command_parse(const struct command *c, int argc, char **argv, void *request) {
    struct reading r = {.command = c, .word = (const char *const *)argv, .n_words = (size_t)argc, .request = request};
    return words_read(&r);
}

enum parsed command_parse_begun(const struct command *c, const char *const *word, size_t n, void *request) {
    struct reading r = {.command = c, .word = word, .n_words = n, .request = request, .is_begun = true};
    return words_read(&r);
}
