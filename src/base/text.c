/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- texts on the heap ---- */

static void *text_or_out(void *text) {
    if (!text) memory_out("memory ran out: none for a text; lower --jobs or raise the limit (ulimit -v)");
    return text;
}

char *text_copy(const char *text) { return text_or_out(strdup(text)); }
char *text_copy_part(const char *text, size_t n) { return text_or_out(strndup(text, n)); }

char *text_format(const char *fmt, ...) {
    char *text;
    va_list args;
    va_start(args, fmt);
    int length = vasprintf(&text, fmt, args);
    va_end(args);
    return text_or_out(length < 0 ? NULL : text);
}

FILE *text_stream(char **text, size_t *size) { return text_or_out(open_memstream(text, size)); }
FILE *text_stream_into(char *buf, size_t size) { return text_or_out(fmemopen(buf, size, "w")); }

void text_stream_end(FILE *stream, char **text) {
    bool failed = fflush(stream) != 0 || ferror(stream);
    if (fclose(stream) != 0 || failed) text_or_out(NULL);
    text_or_out(*text); /* fclose() cuts the text to its length, and says nothing where that fails */
}

/* ---- safe texts ---- */

/* Returns the length of the UTF-8 sequence at `s` and sets *value; 0: it is not well-formed (Unicode, table 3-7). */
static size_t sequence(const unsigned char *s, uint32_t *value) {
    size_t n = s[0] < 0x80                   ? 1
               : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
               : (s[0] & 0xf0) == 0xe0       ? 3
               : (s[0] & 0xf8) == 0xf0       ? 4
                                             : 0;
    static const unsigned char lead[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (n == 0) return 0;
    *value = s[0] & lead[n];
    for (size_t i = 1; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80) return 0; /* the final NUL too */
        *value = *value << 6 | (s[i] & 0x3f);
    }
    bool surrogate = *value >= 0xd800 && *value < 0xe000;
    return *value < least[n] || *value > 0x10ffff || surrogate ? 0 : n;
}

static bool is_control(uint32_t c) { return (c < ' ' && c != '\n' && c != '\t') || (c >= 0x7f && c < 0xa0); }

char *text_shell(const char *text) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.,:/@%+=";
    char *word;
    size_t size;
    if (*text && !text[strspn(text, plain)]) return text_copy(text);
    FILE *out = text_stream(&word, &size);
    fputc('\'', out);
    for (; *text; text++) fputs(*text == '\'' ? "'\\''" : (const char[]){*text, 0}, out);
    fputc('\'', out);
    text_stream_end(out, &word);
    return word;
}

char *text_clean(char *text) {
    for (unsigned char *at = (unsigned char *)text; *at;) {
        uint32_t value;
        size_t n = sequence(at, &value);
        if (n == 0)
            *at = '?';
        else if (is_control(value))
            memset(at, ' ', n);
        at += n ? n : 1;
    }
    return text;
}

const char *text_of_flow(uint64_t bytes, char buf[TEXT_OF_FLOW]) {
    if (bytes == UINT64_MAX)
        snprintf(buf, TEXT_OF_FLOW, "of an endless flow");
    else
        snprintf(buf, TEXT_OF_FLOW, "of %" PRIu64 " B", bytes);
    return buf;
}

bool text_tab_at(const char *text, size_t size, size_t line, size_t character) {
    const char *at = text, *end = text + size;
    for (; line > 0 && at; line--) {
        at = memchr(at, '\n', (size_t)(end - at));
        if (at) at++;
    }
    for (; at && at < end && *at != '\n'; at++) {
        bool continues = ((unsigned char)*at & 0xc0) == 0x80; /* a later byte of a character */
        if (!continues && character-- == 0) return *at == '\t';
    }
    return false;
}
