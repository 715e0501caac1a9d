/* SPDX-License-Identifier: Apache-2.0 */
/* Reads any bytes as a quantity. A quantity that is accepted must print to a form that reads back as the same value. */
#include "base/units.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char text[128], why[256], form[UNITS_TEXT_MAX];
    if (size < 1 || size >= sizeof text) return 0;
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    enum param_type type = (enum param_type)(data[0] % (PARAM_FRACTION + 1));
    int64_t value, again;
    if (!units_parse(type, text, &value, why, sizeof why)) return 0;
    units_print(type, value, form, sizeof form);
    if (!units_parse(type, form, &again, why, sizeof why) || again != value) abort();
    return 0;
}
