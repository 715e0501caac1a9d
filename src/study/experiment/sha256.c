/* SPDX-License-Identifier: Apache-2.0 */
#include "study/experiment/sha256.h"

#include "base/input_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>

#include <sha256.h>

void sha256_text(const void *data, size_t size, char hex[SHA256_TEXT]) {
    SHA256_CTX context;
    SHA256_Init(&context);
    SHA256_Update(&context, data, size);
    SHA256_End(&context, hex);
}

bool sha256_file(const char *path, char hex[SHA256_TEXT], const char **why) {
    FILE *f = input_open(path, why);
    if (!f) return false;
    SHA256_CTX context;
    SHA256_Init(&context);
    unsigned char block[1 << 14];
    for (size_t n; (n = fread(block, 1, sizeof block, f)) > 0;) SHA256_Update(&context, block, n);
    int failed = ferror(f) ? errno : 0;
    fclose(f);
    SHA256_End(&context, hex);
    errno = failed;
    if (failed) *why = strerror(failed);
    return failed == 0;
}
