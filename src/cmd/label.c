/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/label.h"

#include "cmd/commands.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 3, 4))) static void add(char *buf, size_t size, const char *fmt, ...) {
    size_t used = strlen(buf);
    va_list args;
    va_start(args, fmt);
    vsnprintf(buf + used, size - used, fmt, args);
    va_end(args);
}

const char *option_label(const struct option_row *o, char buf[LABEL_MAX]) {
    buf[0] = '\0';
    if (o->letter) add(buf, LABEL_MAX, "-%c, ", o->letter);
    add(buf, LABEL_MAX, "--%s%s%s", o->name, o->value.name ? " " : "", o->value.name ? o->value.name : "");
    return buf;
}

const char *choices_label(const struct value *v, char buf[LABEL_MAX]) {
    buf[0] = '\0';
    for (const char *c = v->choices; *c;) {
        size_t length = strcspn(c, "|");
        bool last = !c[length];
        add(buf, LABEL_MAX, "%s%.*s", c == v->choices ? "" : last ? " or " : ", ", (int)length, c);
        c += length + !last;
    }
    return buf;
}

const char *value_note(const struct value *v, char buf[LABEL_MAX]) {
    buf[0] = '\0';
    if (v->kind == VALUE_CHOICE) choices_label(v, buf);
    if (v->kind == VALUE_NUMBER) {
        add(buf, LABEL_MAX, "from %u", v->min);
        if (v->max < UINT32_MAX - 1) add(buf, LABEL_MAX, " to %u", v->max);
        if (!v->required && v->initial >= v->min) add(buf, LABEL_MAX, "; default %u", v->initial);
    }
    if (v->field.type == FIELD_LIST) add(buf, LABEL_MAX, "%smay be given more than once", buf[0] ? "; " : "");
    return buf;
}

const char *argument_usage(const struct argument *a, char buf[LABEL_MAX]) {
    const struct value *v = &a->value;
    buf[0] = '\0';
    add(buf, LABEL_MAX, "%s%s%s%s", v->required ? "" : "[", v->name, v->required ? "" : "]",
        v->field.type == FIELD_LIST ? "..." : "");
    return buf;
}

const char *option_usage(const struct option_row *o, char buf[LABEL_MAX]) {
    const struct value *v = &o->value;
    const char letter[] = {'-', o->letter, '\0'};
    buf[0] = '\0';
    add(buf, LABEL_MAX, "%s%s%s%s%s%s%s", v->required ? "" : "[", o->letter ? letter : "--", o->letter ? "" : o->name,
        v->name ? " " : "", v->name ? v->name : "", v->required ? "" : "]", v->field.type == FIELD_LIST ? "..." : "");
    return buf;
}

const char *command_label(const struct command *c, char buf[LABEL_MAX]) {
    const struct command_group *g = command_group_of(c);
    snprintf(buf, LABEL_MAX, "%s%s%s", g ? g->name : "", g ? " " : "", g ? command_action(c, g) : c->name);
    return buf;
}

const char *synopsis_short(const struct command *c, char buf[SYNOPSIS_MAX]) {
    char one[LABEL_MAX];
    buf[0] = '\0';
    add(buf, SYNOPSIS_MAX, "%s", command_label(c, one));
    for (const struct argument *a = c->arguments; a && a->value.name; a++)
        add(buf, SYNOPSIS_MAX, " %s", argument_usage(a, one));
    return buf;
}

const char *synopsis_required(const struct command *c, char buf[SYNOPSIS_MAX]) {
    char name[LABEL_MAX];
    buf[0] = '\0';
    add(buf, SYNOPSIS_MAX, "%s", command_label(c, name));
    for (const struct argument *a = c->arguments; a && a->value.name; a++)
        if (a->value.required) add(buf, SYNOPSIS_MAX, " %s", a->value.name);
    for (const struct option_row *o = c->options; o && o->name; o++)
        if (o->value.required) add(buf, SYNOPSIS_MAX, " --%s %s", o->name, o->value.name);
    return buf;
}
